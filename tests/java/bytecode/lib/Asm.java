import java.io.*;
import java.util.*;

/** A small assembler of class files, for code that javac doesn't emit. */
class Asm {
    static final int PUBLIC = 1, PRIVATE = 2, STATIC = 8, FINAL = 16, SUPER = 32, INTERFACE = 0x200, ABSTRACT = 0x400, SYNCHRONIZED = 32, NATIVE = 0x100;

    final String name;
    int version, access, superIndex, thisIndex;
    private final Map<String, Integer> seen = new HashMap<>();
    private final List<Integer> interfaces = new ArrayList<>();
    private final List<byte[]> fields = new ArrayList<>(), methods = new ArrayList<>(), bootstraps = new ArrayList<>(), attributes = new ArrayList<>();
    private final ByteArrayOutputStream pool = new ByteArrayOutputStream();
    private int count = 1;

    Asm(int version, String name, String superName, int access) {
        this.version = version;
        this.name = name;
        this.access = access;
        thisIndex = cls(name);
        superIndex = superName == null ? 0 : cls(superName);
    }

    Asm(int version, String name) { this(version, name, "java/lang/Object", PUBLIC | SUPER); }

    interface Writer { void write(DataOutputStream o) throws IOException; }

    static byte[] bytes(Writer w) {
        try {
            ByteArrayOutputStream b = new ByteArrayOutputStream();
            w.write(new DataOutputStream(b));
            return b.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int constant(String key, int slots, Writer w) {
        Integer old = seen.get(key);
        if (old != null) return old;
        pool.writeBytes(bytes(w));
        int index = count;
        count += slots;
        seen.put(key, index);
        return index;
    }

    int utf8(String s) { return constant("u" + s, 1, o -> { o.writeByte(1); o.writeUTF(s); }); }
    int integer(int v) { return constant("i" + v, 1, o -> { o.writeByte(3); o.writeInt(v); }); }
    int floating(float v) { return constant("f" + Float.floatToRawIntBits(v), 1, o -> { o.writeByte(4); o.writeFloat(v); }); }
    int longs(long v) { return constant("l" + v, 2, o -> { o.writeByte(5); o.writeLong(v); }); }
    int doubles(double v) { return constant("d" + Double.doubleToRawLongBits(v), 2, o -> { o.writeByte(6); o.writeDouble(v); }); }
    private int one(int tag, int a) { return constant(tag + ":" + a, 1, o -> { o.writeByte(tag); o.writeShort(a); }); }
    private int two(int tag, int a, int b) { return constant(tag + ":" + a + ":" + b, 1, o -> { o.writeByte(tag); o.writeShort(a); o.writeShort(b); }); }
    int cls(String n) { return one(7, utf8(n)); }
    int string(String s) { return one(8, utf8(s)); }
    int nat(String n, String d) { return two(12, utf8(n), utf8(d)); }
    int field(String c, String n, String d) { return two(9, cls(c), nat(n, d)); }
    int method(String c, String n, String d) { return two(10, cls(c), nat(n, d)); }
    int imethod(String c, String n, String d) { return two(11, cls(c), nat(n, d)); }
    int handle(int kind, int ref) { return constant("h" + kind + ":" + ref, 1, o -> { o.writeByte(15); o.writeByte(kind); o.writeShort(ref); }); }
    int mtype(String d) { return one(16, utf8(d)); }
    int dynamic(int bsm, String n, String d) { return two(17, bsm, nat(n, d)); }
    int indy(int bsm, String n, String d) { return two(18, bsm, nat(n, d)); }

    /** A bootstrap method of a class: its index in the BootstrapMethods attribute. */
    int bootstrap(String owner, String n, String d, int... args) {
        int h = handle(6, method(owner, n, d));
        bootstraps.add(bytes(o -> { o.writeShort(h); o.writeShort(args.length); for (int a : args) o.writeShort(a); }));
        return bootstraps.size() - 1;
    }

    Asm implement(String i) { interfaces.add(cls(i)); return this; }

    Asm addField(int access, String n, String d) {
        int a = utf8(n), b = utf8(d);
        fields.add(bytes(o -> { o.writeShort(access); o.writeShort(a); o.writeShort(b); o.writeShort(0); }));
        return this;
    }

    Asm attribute(String n, byte[] content) {
        int a = utf8(n);
        attributes.add(bytes(o -> { o.writeShort(a); o.writeInt(content.length); o.write(content); }));
        return this;
    }

    Code code(int access, String n, String d, int stack, int locals) { return new Code(access, n, d, stack, locals); }

    /** A method without code. */
    Asm bare(int access, String n, String d) {
        int a = utf8(n), b = utf8(d);
        methods.add(bytes(o -> { o.writeShort(access); o.writeShort(a); o.writeShort(b); o.writeShort(0); }));
        return this;
    }

    /** A constructor that calls the super class's. */
    Asm init() {
        String sup = seen.entrySet().stream().filter(e -> e.getValue() == superIndex).map(Map.Entry::getKey).findFirst().get();
        int u = Integer.parseInt(sup.split(":")[1]);
        String superName = seen.entrySet().stream().filter(e -> e.getValue() == u).map(e -> e.getKey().substring(1)).findFirst().get();
        return code(PUBLIC, "<init>", "()V", 1, 1).op(0x2a).ref(0xb7, method(superName, "<init>", "()V")).op(0xb1).end();
    }

    class Code {
        private final int access, nameIndex, descIndex, stack, locals;
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final Map<String, Integer> labels = new HashMap<>();
        private final List<Object[]> fixes = new ArrayList<>();
        private final List<Object[]> handlers = new ArrayList<>();
        private final List<byte[]> tables = new ArrayList<>();

        Code(int access, String n, String d, int stack, int locals) {
            this.access = access;
            nameIndex = utf8(n);
            descIndex = utf8(d);
            this.stack = stack;
            this.locals = locals;
        }

        Code op(int... bytes) { for (int b : bytes) out.write(b); return this; }
        Code u2(int v) { return op(v >> 8, v); }
        Code u4(int v) { return op(v >> 24, v >> 16, v >> 8, v); }
        Code ref(int opcode, int index) { return op(opcode).u2(index); }
        Code push(int v) { return v >= -1 && v <= 5 ? op(3 + v) : v == (byte) v ? op(0x10, v) : v == (short) v ? op(0x11).u2(v) : ref(0x13, integer(v)); }
        Code label(String l) { labels.put(l, out.size()); return this; }
        int at() { return out.size(); }
        Code jump(int opcode, String l) { fixes.add(new Object[] {out.size(), out.size() + 1, 2, l}); return op(opcode).u2(0); }
        Code jumpWide(int opcode, String l) { fixes.add(new Object[] {out.size(), out.size() + 1, 4, l}); return op(opcode).u4(0); }
        private void target(int base, String l) { fixes.add(new Object[] {base, out.size(), 4, l}); u4(0); }
        Code table(int low, String dflt, String... ls) {
            int base = out.size();
            op(0xaa);
            while (out.size() % 4 != 0) op(0);
            target(base, dflt);
            u4(low).u4(low + ls.length - 1);
            for (String l : ls) target(base, l);
            return this;
        }
        Code lookup(String dflt, Object... pairs) {
            int base = out.size();
            op(0xab);
            while (out.size() % 4 != 0) op(0);
            target(base, dflt);
            u4(pairs.length / 2);
            for (int i = 0; i < pairs.length; i += 2) { u4((Integer) pairs[i]); target(base, (String) pairs[i + 1]); }
            return this;
        }
        Code handler(String from, String to, String at, String type) { handlers.add(new Object[] {from, to, at, type == null ? 0 : cls(type)}); return this; }

        /** An attribute of the Code attribute. */
        Code table(String n, Writer content) {
            int a = utf8(n);
            byte[] b = bytes(content);
            tables.add(bytes(o -> { o.writeShort(a); o.writeInt(b.length); o.write(b); }));
            return this;
        }

        Asm end() {
            byte[] code = out.toByteArray();
            for (Object[] f : fixes) {
                int delta = labels.get((String) f[3]) - (Integer) f[0], at = (Integer) f[1], size = (Integer) f[2];
                for (int i = 0; i < size; i++) code[at + i] = (byte) (delta >> 8 * (size - 1 - i));
            }
            int attr = utf8("Code");
            byte[] body = bytes(o -> {
                o.writeShort(stack);
                o.writeShort(locals);
                o.writeInt(code.length);
                o.write(code);
                o.writeShort(handlers.size());
                for (Object[] h : handlers) { for (int i = 0; i < 3; i++) o.writeShort(labels.get((String) h[i])); o.writeShort((Integer) h[3]); }
                o.writeShort(tables.size());
                for (byte[] t : tables) o.write(t);
            });
            methods.add(bytes(o -> { o.writeShort(access); o.writeShort(nameIndex); o.writeShort(descIndex); o.writeShort(1); o.writeShort(attr); o.writeInt(body.length); o.write(body); }));
            return Asm.this;
        }
    }

    byte[] build() {
        if (!bootstraps.isEmpty()) {
            attribute("BootstrapMethods", bytes(o -> { o.writeShort(bootstraps.size()); for (byte[] b : bootstraps) o.write(b); }));
            bootstraps.clear();
        }
        return bytes(o -> {
            o.writeInt(0xcafebabe);
            o.writeShort(version >> 16);
            o.writeShort(version);
            o.writeShort(count);
            o.write(pool.toByteArray());
            o.writeShort(access);
            o.writeShort(thisIndex);
            o.writeShort(superIndex);
            o.writeShort(interfaces.size());
            for (int i : interfaces) o.writeShort(i);
            for (List<byte[]> part : List.of(fields, methods, attributes)) { o.writeShort(part.size()); for (byte[] b : part) o.write(b); }
        });
    }

    /** A loader of assembled classes, by name or all at once. */
    static class Loader extends ClassLoader {
        private final Map<String, byte[]> classes = new HashMap<>();
        Loader() { super(Asm.class.getClassLoader()); }
        Loader add(Asm... all) { for (Asm a : all) classes.put(a.name.replace('/', '.'), a.build()); return this; }
        @Override protected Class<?> findClass(String n) throws ClassNotFoundException {
            byte[] b = classes.get(n);
            if (b == null) throw new ClassNotFoundException(n);
            return defineClass(n, b, 0, b.length);
        }
        /** Calls a static method of an assembled class; throws what it throws. */
        Object call(String cls, String method, Object... args) throws Throwable {
            for (java.lang.reflect.Method m : loadClass(cls).getDeclaredMethods()) {
                if (!m.getName().equals(method)) continue;
                m.setAccessible(true);
                try {
                    return m.invoke(null, args);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    throw e.getCause();
                }
            }
            throw new NoSuchMethodException(method);
        }
    }

    /** Prints what a call gives: a value, or the class and the first line of the message of what it throws. */
    static void show(String what, Loader l, String cls, String method, Object... args) {
        try {
            System.out.println(what + " = " + l.call(cls, method, args));
        } catch (Throwable t) {
            System.out.println(what + " -> " + describe(t));
        }
    }

    static String describe(Throwable t) {
        String m = t.getMessage() == null ? "" : ": " + t.getMessage().lines().findFirst().orElse("").replaceAll("@[0-9a-f]+", "@HASH");
        return t.getClass().getSimpleName() + m + (t.getCause() == null ? "" : " / " + describe(t.getCause()));
    }
}
