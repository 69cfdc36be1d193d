import java.io.*;

/** Flags of classes and of inner classes that are illegal together, or those of a module. */
public class InnerFlags {
    static void show(int major, int own, int inner, String name) {
        Asm a = new Asm(major, name, "java/lang/Object", own);
        int in = a.cls("p/X$Q"), n = a.utf8("Q");
        byte[] b = a.attribute("InnerClasses", Asm.bytes(o -> { o.writeShort(1); o.writeShort(in); o.writeShort(0); o.writeShort(n); o.writeShort(inner); })).build();
        String s;
        try { s = new ClassLoader() { Class<?> def(byte[] x) { return defineClass(null, x, 0, x.length); } }.def(b).toString(); } catch (Throwable t) { s = t.toString(); }
        System.out.printf("%d %04x %04x: %s%n", major, own, inner, s);
    }
    public static void main(String[] args) {
        for (int major : new int[] {48, 52, 53, 61})
            for (int f : new int[] {0, 1, 0x8000, 0x8001, 0xff19, 0x7f19, 0x0410, 0x8410, 0x0200, 0x8200, 0xffff, 0x01c0}) {
                show(major, 0x21, f, "p/X");
                show(major, f | 0x20, 1, "p/X");
            }
        show(61, 0x21, 0x8000, "Y");
    }
}
