import java.util.*;

/** Runtime's figures, many large arrays under a small heap, alternation of sizes, soft references given up before an error. */
public class Memory {
    public static void main(String[] args) {
        Runtime r = Runtime.getRuntime();
        System.out.println((r.maxMemory() <= 40L << 20) + " " + (r.maxMemory() >= 20L << 20) + " " + (r.totalMemory() <= r.maxMemory()) + " " + (r.freeMemory() > 0) + " " + (r.freeMemory() < r.totalMemory()) + " " + (r.availableProcessors() > 0));
        long bytes = 0;
        for (int i = 0; i < 100; i++) {
            byte[] b = new byte[3 << 20];
            b[i] = 1;
            bytes += b.length;
        }
        System.out.println(bytes);
        Object[] slots = new Object[16];
        int x = 1, h = 0;
        for (int i = 0; i < 2000; i++) {
            x = x * 1103515245 + 12345;
            int size = (x >>> 16 & 7) == 0 ? 400_000 : (x >>> 12 & 0xfff);
            int[] a = new int[size / 4 + 1];
            a[a.length - 1] = i;
            slots[x >>> 28 & 15] = a;
        }
        for (Object o : slots) h = h * 31 + (o == null ? 0 : ((int[]) o)[((int[]) o).length - 1]);
        System.out.println(h);
        List<java.lang.ref.SoftReference<byte[]>> soft = new ArrayList<>();
        for (int i = 0; i < 60; i++) soft.add(new java.lang.ref.SoftReference<>(new byte[1 << 20]));
        int cleared = 0;
        for (java.lang.ref.SoftReference<byte[]> s : soft) if (s.get() == null) cleared++;
        System.out.println(cleared > 0);
        int[] counts = new int[3];
        for (int k = 0; k < 3; k++) {
            List<long[]> hold = new ArrayList<>();
            try {
                while (true) hold.add(new long[8192]);
            } catch (OutOfMemoryError e) {
                counts[k] = hold.size();
                hold = null;
            }
        }
        System.out.println((counts[0] > 200) + " " + (counts[1] > 200) + " " + (counts[2] > 200) + " " + (Math.abs(counts[0] - counts[2]) < counts[0] / 2));
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < 200; i++) s.append("more text ");
        System.out.println(s.length());
        try {
            Object[] all = new Object[1000];
            for (int i = 0; i < all.length; i++) all[i] = new byte[1 << 20];
            System.out.println("not reached");
        } catch (OutOfMemoryError e) {
            System.out.println(e);
        }
    }
}
