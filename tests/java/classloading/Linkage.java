import java.io.*;
import java.util.*;

/** Linkage errors by changed class files: missing members, changed kinds, final violations, circular classes, wrong access. */
public class Linkage {
    /** Rewrites the UTF-8 constants of a class file, keeping everything else. */
    static byte[] rename(byte[] in, Map<String, String> names) throws IOException {
        DataInputStream d = new DataInputStream(new ByteArrayInputStream(in));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream o = new DataOutputStream(bytes);
        o.writeInt(d.readInt());
        o.writeInt(d.readInt());
        int n = d.readUnsignedShort();
        o.writeShort(n);
        for (int i = 1; i < n; i++) {
            int tag = d.readUnsignedByte();
            o.writeByte(tag);
            if (tag == 1) { String s = d.readUTF(); o.writeUTF(names.getOrDefault(s, s)); }
            else { int len = switch (tag) { case 5, 6 -> 8; case 7, 8, 16, 19, 20 -> 2; case 15 -> 3; default -> 4; }; o.write(d.readNBytes(len)); if (len == 8) i++; }
        }
        o.write(d.readAllBytes());
        return bytes.toByteArray();
    }

    static class L extends ClassLoader {
        final Map<String, byte[]> classes = new HashMap<>();
        L() throws IOException { super(Linkage.class.getClassLoader()); add("LinkAbs", Map.of()); }
        L add(String name, Map<String, String> changes) throws IOException {
            try (InputStream in = Linkage.class.getResourceAsStream(name + ".class")) { classes.put(changes.getOrDefault(name, name), rename(in.readAllBytes(), changes)); }
            return this;
        }
        @Override protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            Class<?> c = findLoadedClass(n);
            if (c != null) return c;
            byte[] b = classes.get(n);
            return b == null ? super.loadClass(n, r) : defineClass(n, b, 0, b.length);
        }
    }

    static void show(String what, L l, String user) {
        try {
            java.lang.reflect.Method go = l.loadClass(user).getDeclaredMethod("go");
            go.setAccessible(true);
            System.out.println(what + " = " + go.invoke(null));
        } catch (java.lang.reflect.InvocationTargetException e) {
            Throwable t = e.getCause();
            System.out.println(what + " -> " + t.getClass().getSimpleName() + ": " + message(t) + (t.getCause() == null ? "" : " / " + t.getCause().getClass().getSimpleName()));
        } catch (ReflectiveOperationException | LinkageError t) {
            System.out.println(what + " => " + t.getClass().getSimpleName() + ": " + message(t));
        }
    }

    static String message(Throwable t) { return String.valueOf(t.getMessage()).lines().findFirst().orElse("").replaceAll("@[0-9a-f]+", "@HASH"); }

    static byte[] patch(byte[] b, int at, int v) { b[at] = (byte) v; return b; }

    public static void main(String[] args) throws Exception {
        Map<String, String> none = Map.of();
        show("unchanged", new L().add("LinkTarget", none).add("LinkUser", none), "LinkUser");
        show("no field", new L().add("LinkTarget", Map.of("field", "gone")).add("LinkUser", none), "LinkUser");
        show("field type", new L().add("LinkTarget", Map.of("I", "S")).add("LinkUser", none), "LinkUser");
        show("no method", new L().add("LinkTarget", Map.of("method", "gone")).add("LinkUser", none), "LinkUser");
        show("no static", new L().add("LinkTarget", Map.of("stat", "gone")).add("LinkUser", none), "LinkUser");
        show("no class", new L().add("LinkUser", Map.of("LinkTarget", "LinkMissing")), "LinkUser");
        show("other super", new L().add("LinkTarget", none).add("LinkUser", Map.of("LinkTarget", "java/lang/String")), "LinkUser");
        show("abstract", new L().add("LinkTarget", Map.of("abs", "different")).add("LinkUser", none), "LinkUser");
        L circular = new L().add("LinkTarget", Map.of("LinkAbs", "LinkTarget"));
        show("own super", circular, "LinkTarget");
        show("final super", new L().add("LinkSub", Map.of("LinkTarget", "java/lang/String")), "LinkSub");
        show("interface as super", new L().add("LinkSub", Map.of("LinkTarget", "java/lang/Runnable")), "LinkSub");
        show("class as interface", new L().add("LinkTarget", none).add("LinkSub", Map.of("java/io/Serializable", "java/lang/Thread")), "LinkSub");
        show("missing super", new L().add("LinkSub", Map.of("LinkTarget", "LinkNowhere")), "LinkSub");
        show("final method", new L().add("LinkTarget", Map.of("fin", "over")).add("LinkSub", none), "LinkSub");
        show("private", new L().add("LinkTarget", Map.of("hidden", "stat", "stat", "hidden")).add("LinkUser", none), "LinkUser");
        show("static turned instance", new L().add("LinkTarget", Map.of("stat", "inst", "inst", "stat")).add("LinkUser", none), "LinkUser");
        show("duplicate method", new L().add("LinkTarget", Map.of("inst", "stat")).add("LinkUser", none), "LinkUser");
        show("bad name", new L().add("LinkTarget", Map.of("method", "a.b")).add("LinkUser", none), "LinkUser");
        show("bad descriptor", new L().add("LinkTarget", Map.of("()I", "(I")).add("LinkUser", none), "LinkUser");
        show("no such class for instanceof", new L().add("LinkCheck", Map.of("LinkTarget", "LinkAbsent")), "LinkCheck");
    }
}

abstract class LinkAbs { abstract int abs(); }

class LinkTarget extends LinkAbs {
    public int field = 1;
    public int method() { return 10; }
    public static int stat() { return 100; }
    public int inst() { return 0; }
    private static int hidden() { return 5; }
    public final int fin() { return 7; }
    int abs() { return 1000; }
}

class LinkUser {
    static Object go() {
        LinkTarget t = new LinkTarget();
        LinkAbs a = t;
        return t.field + t.method() + LinkTarget.stat() + a.abs();
    }
}

class LinkSub extends LinkTarget implements java.io.Serializable {
    public int over() { return 8; }
    static Object go() { return new LinkSub().over(); }
}

class LinkCheck {
    static Object go() {
        Object o = "s";
        return (o instanceof LinkTarget) + " " + (null instanceof LinkTarget) + " " + new LinkTarget[0].length;
    }
}
