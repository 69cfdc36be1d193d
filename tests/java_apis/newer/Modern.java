import module java.base;
import java.lang.classfile.*;
import java.lang.constant.*;
import static java.lang.constant.ConstantDescs.*;

/** Since 25: module imports, gatherers, class files, scoped values, flexible constructors, stack walks. */
public class Modern {
    static final ScopedValue<String> USER = ScopedValue.newInstance();
    static final ScopedValue<Integer> DEPTH = ScopedValue.newInstance();

    static class Base {
        Base(int x) { show(); }
        void show() {}
    }

    static class Derived extends Base {
        final int y;
        Derived(int y) {
            if (y < 0) throw new IllegalArgumentException("negative");
            this.y = y;
            super(y);
        }
        @Override void show() { IO.println("y is " + y); }
    }

    static void frames(String what) {
        StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).forEach(f ->
            IO.println(what + " " + f.getMethodName() + " " + f.getDescriptor() + " " + f.getDeclaringClass().getSimpleName()));
        IO.println(StackWalker.getInstance(Set.of(StackWalker.Option.DROP_METHOD_INFO, StackWalker.Option.RETAIN_CLASS_REFERENCE))
            .walk(s -> s.map(f -> f.getDeclaringClass().getSimpleName()).toList()));
    }

    public static void main(String[] args) throws Throwable {
        IO.println(Stream.of(1, 2, 3, 4, 5, 6, 7).gather(Gatherers.windowFixed(3)).toList());
        IO.println(Stream.of(1, 2, 3, 4).gather(Gatherers.windowSliding(2)).toList());
        IO.println(Stream.of(1, 2, 3, 4).gather(Gatherers.scan(() -> 0, Integer::sum)).toList());
        IO.println(Stream.of("a", "b").gather(Gatherers.fold(() -> "", (a, b) -> a + b)).findFirst().get());
        IO.println(Stream.of(3, 1, 2).gather(Gatherers.mapConcurrent(2, x -> x * 10)).toList());

        ScopedValue.where(USER, "alice").where(DEPTH, 1).run(() -> {
            IO.println(USER.get() + " " + DEPTH.get() + " " + USER.isBound());
            String inner = ScopedValue.where(USER, "bob").call(() -> USER.get() + DEPTH.get());
            IO.println(inner + " " + USER.get());
        });
        IO.println(USER.isBound() + " " + USER.orElse("nobody"));
        try {
            USER.get();
        } catch (NoSuchElementException e) {
            IO.println("no value");
        }
        new Derived(5);
        try {
            new Derived(-1);
        } catch (IllegalArgumentException e) {
            IO.println(e.getMessage());
        }
        Runnable r = () -> frames("lambda");
        r.run();
        frames("direct");
        Modern.class.getDeclaredMethod("frames", String.class).invoke(null, "reflected");

        byte[] bytes = ClassFile.of().build(ClassDesc.of("Made"), cb -> cb
            .withMethodBody("twice", MethodTypeDesc.of(CD_int, CD_int), ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC, code -> code
                .iload(0).iload(0).iadd().ireturn()));
        ClassModel model = ClassFile.of().parse(bytes);
        IO.println(model.thisClass().asInternalName() + " " + model.methods().size() + " " + model.majorVersion());
        Class<?> made = MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass();
        IO.println(made.getDeclaredMethod("twice", int.class).invoke(null, 21));
        IO.println(made.isHidden() + " " + made.getSimpleName().startsWith("Made"));

        var _ = Optional.of(1).stream().mapMulti((Integer i, Consumer<Object> c) -> { c.accept(i); c.accept(i + 1); }).toList();
        IO.println(Modern.class.accessFlags() + " " + Thread.currentThread().threadId());
        IO.println(MethodHandles.lookup().findStatic(Math.class, "max", MethodType.methodType(int.class, int.class, int.class)).invoke(3, 4));
        IO.println(HexFormat.of().formatHex(MessageDigest.getInstance("SHA3-256").digest("abc".getBytes())));
        KDF hkdf = KDF.getInstance("HKDF-SHA256");
        var key = hkdf.deriveData(javax.crypto.spec.HKDFParameterSpec.ofExtract().addIKM(new byte[22]).addSalt(new byte[13]).thenExpand(new byte[10], 42));
        IO.println(HexFormat.of().formatHex(key));
        IO.println(String.valueOf(new Object[] {1}.length) + new StringBuilder("x").compareTo(new StringBuilder("y")));
        IO.println(Runtime.version().feature() + " " + System.getProperty("java.specification.version"));
    }
}
