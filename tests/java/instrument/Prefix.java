import java.lang.instrument.*;
import java.security.ProtectionDomain;
import java.util.*;
import jdk.internal.org.objectweb.asm.*;

/** Native methods get a prefix and a method around them, and a module is redefined. */
public class Prefix {
    static Instrumentation instrumentation;
    public static void agentmain(String options, Instrumentation given) {
        instrumentation = given;
    }
    /** Puts a method around each native method. */
    static class Wrapping extends ClassVisitor {
        final String owner;
        Wrapping(ClassVisitor to, String owner) {
            super(Opcodes.ASM8, to);
            this.owner = owner;
        }
        @Override
        public MethodVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
            if ((access & Opcodes.ACC_NATIVE) == 0 || !name.equals("update")) {
                return super.visitMethod(access, name, desc, signature, exceptions);
            }
            MethodVisitor m = super.visitMethod(access & ~Opcodes.ACC_NATIVE, name, desc, signature, exceptions);
            m.visitCode();
            int at = 0;
            for (Type t : Type.getArgumentTypes(desc)) {
                m.visitVarInsn(t.getOpcode(Opcodes.ILOAD), at);
                at += t.getSize();
            }
            m.visitMethodInsn(Opcodes.INVOKESTATIC, owner, "wrapped_" + name, desc, false);
            Type r = Type.getReturnType(desc);
            if (r.getSort() == Type.INT) {
                m.visitInsn(Opcodes.ICONST_2);
                m.visitInsn(Opcodes.IMUL);
            }
            m.visitInsn(r.getOpcode(Opcodes.IRETURN));
            m.visitMaxs(20, 20);
            m.visitEnd();
            return super.visitMethod(access, "wrapped_" + name, desc, signature, exceptions);
        }
    }
    public static void main(String[] args) throws Exception {
        OwnAgent.attach("Prefix", null, OwnAgent.PREFIX);
        ClassFileTransformer t = new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] file) {
                if (!"java/util/zip/Adler32".equals(name)) {
                    return null;
                }
                ClassReader r = new ClassReader(file);
                ClassWriter w = new ClassWriter(0);
                r.accept(new Wrapping(w, name), 0);
                return w.toByteArray();
            }
        };
        new ClassWriter(0).visitMethod(0, "f", "()V", null, null);
        try {
            instrumentation.setNativeMethodPrefix(t, "wrapped_");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            instrumentation.addTransformer(t, true);
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        instrumentation.addTransformer(t);
        instrumentation.setNativeMethodPrefix(t, "wrapped_");
        java.util.zip.Adler32 sum = new java.util.zip.Adler32();
        sum.update(5);
        System.out.println(sum.getValue());
        sum.update("some bytes".getBytes());
        System.out.println(sum.getValue());
        instrumentation.removeTransformer(t);
        // a module
        Module base = Object.class.getModule(), own = Prefix.class.getModule();
        System.out.println(base.isOpen("java.lang", own) + " " + base.isExported("sun.security.util", own) + " " + instrumentation.isModifiableModule(base));
        instrumentation.redefineModule(base, Set.of(), Map.of("sun.security.util", Set.of(own)), Map.of("java.lang", Set.of(own)), Set.of(), Map.of());
        System.out.println(base.isOpen("java.lang", own) + " " + base.isExported("sun.security.util", own));
        java.lang.reflect.Field f = String.class.getDeclaredField("hash");
        f.setAccessible(true);
        System.out.println(f.getInt("ab".repeat(1)) >= 0);
        try {
            instrumentation.redefineModule(base, Set.of(), Map.of("no.such", Set.of(own)), Map.of(), Set.of(), Map.of());
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
