import java.lang.invoke.*;
import java.nio.*;
import java.util.Arrays;

/** VarHandles: fields, statics, arrays, views of bytes; all access modes; wrong uses. */
public class VarHandles {
    int i = 1;
    volatile long l = 2;
    String s = "s";
    byte b = 3;
    short sh = 9;
    char c = 'c';
    boolean z;
    float f = 1.5f;
    double d = 2.5;
    static int stat = 50;
    final int fin = 7;

    static VarHandle field(String name, Class<?> type) throws Exception { return MethodHandles.lookup().findVarHandle(VarHandles.class, name, type); }

    public static void main(String[] args) throws Throwable {
        VarHandles o = new VarHandles();
        VarHandle i = field("i", int.class), l = field("l", long.class), s = field("s", String.class), b = field("b", byte.class), z = field("z", boolean.class), c = field("c", char.class), f = field("f", float.class), d = field("d", double.class), sh = field("sh", short.class);
        VarHandle stat = MethodHandles.lookup().findStaticVarHandle(VarHandles.class, "stat", int.class), fin = field("fin", int.class);
        i.set(o, 5);
        System.out.println((int) i.get(o) + " " + (int) i.getVolatile(o) + " " + (int) i.getAndAdd(o, 3) + " " + (int) i.getAndSet(o, 100) + " " + i.compareAndSet(o, 99, 1) + " " + i.compareAndSet(o, 100, 1) + " " + o.i);
        System.out.println((int) i.compareAndExchange(o, 7, 8) + " " + (int) i.compareAndExchange(o, 1, 0xf0) + " " + (int) i.getAndBitwiseOr(o, 0x0f) + " " + (int) i.getAndBitwiseAnd(o, 0x3c) + " " + (int) i.getAndBitwiseXor(o, -1) + " " + o.i);
        l.setVolatile(o, 1L << 40);
        System.out.println((long) l.getAcquire(o) + " " + (long) l.getAndAddRelease(o, -1L) + " " + l.weakCompareAndSetPlain(o, 0L, 1L) + " " + o.l);
        s.setRelease(o, "t");
        System.out.println((String) s.getOpaque(o) + s.compareAndSet(o, "t", "u") + (String) s.getAndSet(o, null) + s.compareAndSet(o, null, "w") + o.s);
        System.out.println((byte) b.getAndAdd(o, (byte) 126) + " " + o.b + " " + (boolean) z.getAndBitwiseOr(o, true) + o.z + z.compareAndSet(o, true, false) + o.z + " " + (char) c.getAndAdd(o, (char) 1) + o.c + " " + (short) sh.getAndSet(o, (short) -1) + o.sh);
        System.out.println((float) f.getAndAdd(o, 0.25f) + " " + o.f + " " + f.compareAndSet(o, 1.75f, 2f) + " " + (double) d.compareAndExchange(o, 2.5, Double.NaN) + " " + d.compareAndSet(o, Double.NaN, 1.0) + " " + o.d);
        System.out.println((int) stat.getAndAdd(1) + " " + stat.compareAndSet(51, 52) + " " + stat);
        System.out.println((int) fin.get(o) + " " + fin.isAccessModeSupported(VarHandle.AccessMode.SET) + " " + i.isAccessModeSupported(VarHandle.AccessMode.GET_AND_ADD) + " " + s.isAccessModeSupported(VarHandle.AccessMode.GET_AND_ADD));
        try { fin.set(o, 1); } catch (UnsupportedOperationException e) { System.out.println("final"); }
        try { s.getAndAdd(o, "x"); } catch (UnsupportedOperationException e) { System.out.println("no add for references"); }
        try { i.set(o, "x"); } catch (WrongMethodTypeException e) { System.out.println(e.getMessage()); }
        try { i.get(); } catch (WrongMethodTypeException e) { System.out.println(e.getMessage()); }
        try { i.get((VarHandles) null); } catch (NullPointerException e) { System.out.println("null"); }
        VarHandle ints = MethodHandles.arrayElementVarHandle(int[].class), objs = MethodHandles.arrayElementVarHandle(Object[].class), longs = MethodHandles.arrayElementVarHandle(long[].class);
        int[] a = new int[4];
        for (int k = 0; k < 8; k++) ints.getAndAdd(a, k & 3, k);
        System.out.println(Arrays.toString(a) + ints.compareAndSet(a, 1, 6, -6) + a[1] + ints.varType() + ints.coordinateTypes());
        try { ints.get(a, 4); } catch (IndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
        Object[] strings = new String[2];
        objs.setVolatile(strings, 0, "fine");
        try { objs.set(strings, 1, 5); } catch (ArrayStoreException e) { System.out.println(e.getMessage()); }
        System.out.println(strings[0] + " " + objs.compareAndSet(strings, 0, "fine", "swapped") + strings[0]);
        VarHandle view = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN), little = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
        byte[] bytes = new byte[16];
        view.set(bytes, 3, 0x01020304);
        little.set(bytes, 8, 0x1122334455667788L);
        System.out.println(Arrays.toString(bytes) + Integer.toHexString((int) view.get(bytes, 9)));
        try { view.get(bytes, 13); } catch (IndexOutOfBoundsException e) { System.out.println("bounds"); }
        VarHandle buf = MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
        ByteBuffer bb = ByteBuffer.allocateDirect(8);
        buf.set(bb, 1, (short) 0x7f01);
        System.out.println(bb.get(1) + " " + bb.get(2) + " " + (short) buf.get(bb, 0));
        MethodHandle getter = i.toMethodHandle(VarHandle.AccessMode.GET);
        System.out.println((int) getter.invokeExact(o) + " " + i.accessModeType(VarHandle.AccessMode.COMPARE_AND_SET));
        VarHandle.fullFence();
        System.out.println(field("d", double.class).describeConstable().isPresent());
    }
}
