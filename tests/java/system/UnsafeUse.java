import java.lang.reflect.Field;
import sun.misc.Unsafe;

/** sun.misc.Unsafe as libraries use it: offsets, compare and set, raw memory, instances without constructors, copies. */
@SuppressWarnings({"deprecation", "removal"})
public class UnsafeUse {
    static class Point { int x = 1; long y = 2; Object o = "o"; byte b = 3; boolean z; double d = 4.5; volatile int v; float f = 1.5f; short s = 7; char c = 'c'; Point() { x = 100; } }
    static int stat = 9;

    public static void main(String[] args) throws Exception {
        Field f = Unsafe.class.getDeclaredField("theUnsafe");
        f.setAccessible(true);
        Unsafe u = (Unsafe) f.get(null);
        Class<Point> k = Point.class;
        long ox = u.objectFieldOffset(k.getDeclaredField("x")), oy = u.objectFieldOffset(k.getDeclaredField("y")), oo = u.objectFieldOffset(k.getDeclaredField("o")), ob = u.objectFieldOffset(k.getDeclaredField("b")), ov = u.objectFieldOffset(k.getDeclaredField("v")), od = u.objectFieldOffset(k.getDeclaredField("d"));
        Point p = new Point();
        System.out.println(u.getInt(p, ox) + " " + u.getLong(p, oy) + " " + u.getObject(p, oo) + " " + u.getByte(p, ob) + " " + u.getDouble(p, od));
        u.putInt(p, ox, -5);
        u.putLong(p, oy, Long.MIN_VALUE);
        u.putObject(p, oo, new int[] {1});
        u.putByte(p, ob, (byte) -1);
        System.out.println(p.x + " " + p.y + " " + ((int[]) p.o)[0] + " " + p.b + " " + p.z + " " + p.d + " " + p.f + " " + p.s + p.c);
        System.out.println(u.compareAndSwapInt(p, ox, -5, 6) + " " + u.compareAndSwapInt(p, ox, -5, 7) + " " + u.compareAndSwapLong(p, oy, Long.MIN_VALUE, 8) + " " + u.compareAndSwapObject(p, oo, p.o, "swapped") + " " + p.x + p.y + p.o + " " + u.getAndAddInt(p, ov, 5) + u.getAndSetInt(p, ov, 50) + p.v + u.getAndSetObject(p, oo, null) + p.o);
        u.putIntVolatile(p, ov, 77);
        u.putOrderedInt(p, ox, 78);
        System.out.println(u.getIntVolatile(p, ov) + " " + p.x);
        Field sf = UnsafeUse.class.getDeclaredField("stat");
        u.putInt(u.staticFieldBase(sf), u.staticFieldOffset(sf), 90);
        System.out.println(stat);
        Point raw = (Point) u.allocateInstance(Point.class);
        System.out.println(raw.x + " " + raw.o + " " + raw.d);
        int[] ints = {1, 2, 3, 4};
        long base = u.arrayBaseOffset(int[].class), scale = u.arrayIndexScale(int[].class);
        u.putInt(ints, base + 2 * scale, 33);
        System.out.println(ints[2] + " " + scale + " " + u.arrayIndexScale(byte[].class) + u.arrayIndexScale(long[].class) + " " + u.getLong(ints, base) + " " + (base == Unsafe.ARRAY_INT_BASE_OFFSET));
        Object[] refs = {"a", "b"};
        long rb = u.arrayBaseOffset(Object[].class), rs = u.arrayIndexScale(Object[].class);
        u.putObject(refs, rb + rs, "c");
        System.out.println(refs[1] + " " + u.getObject(refs, rb));
        long m = u.allocateMemory(64);
        u.setMemory(m, 64, (byte) 0x11);
        u.putLong(m + 8, 0x0102030405060708L);
        u.putShort(m + 1, (short) -2);
        u.putFloat(m + 20, 2.5f);
        u.putAddress(m + 32, m);
        u.copyMemory(m + 8, m + 40, 8);
        byte[] bytes = new byte[8];
        u.copyMemory(null, m + 40, bytes, u.arrayBaseOffset(byte[].class), 8);
        System.out.println(u.getLong(m + 40) + " " + u.getByte(m) + " " + u.getShort(m + 1) + " " + u.getFloat(m + 20) + " " + (u.getAddress(m + 32) == m) + " " + bytes[0] + bytes[7] + " " + u.addressSize() + " " + Integer.bitCount(u.pageSize()));
        m = u.reallocateMemory(m, 1024);
        System.out.println(u.getLong(m + 40));
        u.freeMemory(m);
        u.loadFence();
        u.fullFence();
        try {
            u.throwException(new java.io.IOException("undeclared"));
        } catch (Exception e) {
            System.out.println(e);
        }
        u.park(false, 1);
        u.unpark(Thread.currentThread());
        u.park(false, 0L);
        System.out.println(u.shouldBeInitialized(Late.class));
        u.ensureClassInitialized(Late.class);
        System.out.println(u.shouldBeInitialized(Late.class));
        try {
            u.objectFieldOffset(R.class.getDeclaredField("i"));
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage().split(":")[0]);
        }
    }

    record R(int i) { }
    static class Late { static { System.out.println("Late"); } }
}
