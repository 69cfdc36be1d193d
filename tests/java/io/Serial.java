import java.io.*;
import java.util.*;

/** Serialization: graphs, cycles, custom methods, replacement, externalizable, enums, records, filters, failures. */
public class Serial {
    static class Node implements Serializable { private static final long serialVersionUID = 1; int v; Node next; transient int skipped = 5; String name; Node(int v, String n) { this.v = v; name = n; } }
    static class Base { int base = 10; Base() { base = 11; } }
    static class Child extends Base implements Serializable { int own = 7; }
    static class Custom implements Serializable {
        transient int[] data = {1, 2, 3};
        private void writeObject(ObjectOutputStream o) throws IOException { o.defaultWriteObject(); o.writeInt(data.length); for (int d : data) o.writeInt(d * 2); }
        private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException { i.defaultReadObject(); data = new int[i.readInt()]; for (int k = 0; k < data.length; k++) data[k] = i.readInt(); }
    }
    static class Single implements Serializable { static final Single ONE = new Single(); private Object readResolve() { return ONE; } }
    static class Proxy implements Serializable { final String text; Proxy(Real r) { text = r.a + ":" + r.b; } private Object readResolve() { String[] p = text.split(":"); return new Real(p[0], Integer.parseInt(p[1])); } }
    static class Real implements Serializable { final String a; final int b; Real(String a, int b) { this.a = a; this.b = b; } private Object writeReplace() { return new Proxy(this); } }
    public static class Ext implements Externalizable { int x = 1; public Ext() { x = 100; } Ext(int x) { this.x = x; } public void writeExternal(ObjectOutput o) throws IOException { o.writeInt(x); o.writeObject("s"); } public void readExternal(ObjectInput i) throws IOException, ClassNotFoundException { x += i.readInt() + ((String) i.readObject()).length(); } }
    enum E { A, B { void m() { } } }
    record R(int i, String s) implements Serializable { R { if (i < 0) throw new IllegalArgumentException("negative"); } }
    static class Fields implements Serializable { private static final ObjectStreamField[] serialPersistentFields = {new ObjectStreamField("alias", String.class)}; transient String real = "r"; private void writeObject(ObjectOutputStream o) throws IOException { ObjectOutputStream.PutField p = o.putFields(); p.put("alias", real + "!"); o.writeFields(); } private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException { real = (String) i.readFields().get("alias", "none"); } }
    static class NotSer { }
    static class Holder implements Serializable { Object o; Holder(Object o) { this.o = o; } }

    static byte[] write(Object... os) throws IOException {
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        try (ObjectOutputStream o = new ObjectOutputStream(b)) { for (Object x : os) o.writeObject(x); }
        return b.toByteArray();
    }
    static Object read(byte[] b) throws Exception { return new ObjectInputStream(new ByteArrayInputStream(b)).readObject(); }
    @SuppressWarnings("unchecked") static <T> T copy(T t) throws Exception { return (T) read(write(t)); }

    public static void main(String[] args) throws Exception {
        Node a = new Node(1, "n"), b = new Node(2, "n");
        a.next = b;
        b.next = a;
        Node c = copy(a);
        System.out.println(c.v + " " + c.next.v + " " + (c.next.next == c) + " " + c.skipped + " " + (c.name == c.next.name));
        Child ch = new Child();
        ch.base = 50;
        ch.own = 60;
        System.out.println(copy(ch).base + " " + copy(ch).own + " " + Arrays.toString(copy(new Custom()).data) + " " + (copy(Single.ONE) == Single.ONE) + " " + copy(new Real("k", 9)).b + " " + copy(new Ext(7)).x + " " + (copy(E.B) == E.B) + " " + copy(new R(3, "t")) + " " + copy(new Fields()).real);
        System.out.println(Arrays.deepToString(copy(new int[][] {{1}, {2, 3}})) + " " + copy(new ArrayList<>(List.of(1, "x", 2.5))) + " " + copy(new TreeMap<>(Map.of("k", List.of(1)))) + " " + copy("string") + " " + copy(new Object[] {null, 'c'}).length + " " + copy(new java.math.BigInteger("123456789012345678901234567890")) + " " + copy(Optional.class) + " " + copy(new Date(5)).getTime() + " " + copy(new BitSet()).size() + " " + copy(EnumSet.of(E.A)) + " " + copy(new HashSet<>(List.of(5))) + copy(java.time.LocalDate.of(2024, 2, 29)) + copy(new ArrayDeque<>(List.of(1, 2))));
        byte[] bytes = write(new Node(5, "x"));
        System.out.println(HexFormat.of().formatHex(bytes, 0, 30) + " " + bytes.length + " " + ObjectStreamClass.lookup(Node.class).getSerialVersionUID() + " " + ObjectStreamClass.lookup(R.class).getSerialVersionUID() + " " + ObjectStreamClass.lookup(Child.class).getSerialVersionUID() + " " + ObjectStreamClass.lookup(NotSer.class));
        for (Object bad : new Object[] {new NotSer(), new Holder(new NotSer()), new Holder(new Object[] {new NotSer()})}) {
            try {
                write(bad);
            } catch (NotSerializableException e) {
                System.out.println(e.getMessage());
            }
        }
        for (int i = 0; i < 5; i++) {
            byte[] x = bytes.clone();
            if (i == 0) x[0] = 0;
            if (i == 1) x = Arrays.copyOf(x, 20);
            if (i == 2) x[10]++;
            if (i == 3) x[4] = 0x7f;
            if (i == 4) x[5 + 14 + 6]++;
            try {
                System.out.println(read(x));
            } catch (IOException | ClassNotFoundException e) {
                System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
            }
        }
        byte[] rec = write(new R(0x01020304, "t"));
        for (int i = 0; i < rec.length - 3; i++) if (rec[i] == 1 && rec[i + 1] == 2 && rec[i + 2] == 3 && rec[i + 3] == 4) rec[i] = -1;
        try { read(rec); } catch (InvalidObjectException e) { System.out.println(e.getMessage()); }
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(write(new Node(1, "a"), "second", E.A)));
        in.setObjectInputFilter(ObjectInputFilter.Config.createFilter("!Serial$E;*"));
        System.out.println(((Node) in.readObject()).v + " " + in.readObject());
        try { in.readObject(); } catch (InvalidClassException e) { System.out.println(e.getMessage()); }
        Node deep = null;
        for (int i = 0; i < 300; i++) { Node n = new Node(i, "d"); n.next = deep; deep = n; }
        int len = 0;
        for (Node n = copy(deep); n != null; n = n.next) len += n.v;
        System.out.println(len);
        ByteArrayOutputStream o = new ByteArrayOutputStream();
        ObjectOutputStream oo = new ObjectOutputStream(o);
        Node m = new Node(1, "m");
        oo.writeObject(m);
        m.v = 2;
        oo.writeObject(m);
        oo.reset();
        oo.writeObject(m);
        oo.writeUnshared("u");
        oo.flush();
        ObjectInputStream i = new ObjectInputStream(new ByteArrayInputStream(o.toByteArray()));
        System.out.println(((Node) i.readObject()).v + " " + ((Node) i.readObject()).v + " " + ((Node) i.readObject()).v + " " + i.readUnshared());
        try { i.readObject(); } catch (EOFException e) { System.out.println("end"); }
    }
}
