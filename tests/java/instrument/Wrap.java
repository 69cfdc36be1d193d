import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import jdk.internal.org.objectweb.asm.*;

/** A native method that was called gets a method around it, which calls others first. */
public class Wrap {
    static final String PREFIX = "wrapped_";
    static Instrumentation instrumentation;

    public static void agentmain(String options, Instrumentation given) {
        instrumentation = given;
    }

    static class Wrapping extends ClassVisitor {
        Wrapping(ClassVisitor to) {
            super(Opcodes.ASM8, to);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
            if (!name.equals("holdsLock")) {
                return super.visitMethod(access, name, desc, signature, exceptions);
            }
            MethodVisitor m = super.visitMethod(access & ~Opcodes.ACC_NATIVE, name, desc, signature, exceptions);
            m.visitCode();
            for (String other : new String[] {"signum", "reverse", "highestOneBit", "lowestOneBit"}) {
                m.visitInsn(Opcodes.ICONST_3);
                m.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Integer", other, "(I)I", false);
                m.visitInsn(Opcodes.POP);
            }
            m.visitVarInsn(Opcodes.ALOAD, 0);
            m.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Thread", PREFIX + name, desc, false);
            m.visitInsn(Opcodes.IRETURN);
            m.visitMaxs(1, 1);
            m.visitEnd();
            return super.visitMethod(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_NATIVE, PREFIX + name, desc, signature, exceptions);
        }
    }

    static class Changes implements ClassFileTransformer {
        @Override
        public byte[] transform(ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] file) {
            if (!name.equals("java/lang/Thread")) {
                return null;
            }
            ClassWriter made = new ClassWriter(0);
            new ClassReader(file).accept(new Wrapping(made), 0);
            return made.toByteArray();
        }
    }

    static int held(Object lock, int n) {
        int held = 0;
        for (int i = 0; i < n; i++) {
            held += Thread.holdsLock(lock) ? 1 : 0;
        }
        return held;
    }

    public static void main(String[] args) throws Exception {
        OwnAgent.attach("Wrap", null, OwnAgent.PREFIX, OwnAgent.REDEFINE, OwnAgent.RETRANSFORM);
        Changes changes = new Changes();
        instrumentation.addTransformer(changes, true);
        instrumentation.setNativeMethodPrefix(changes, PREFIX);
        Object lock = new Object();
        System.out.println(held(lock, 100));
        instrumentation.retransformClasses(Thread.class);
        synchronized (lock) {
            System.out.println(held(lock, 100) + " " + held(new Object(), 1000));
        }
    }
}
