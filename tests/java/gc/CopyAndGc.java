import java.util.*;

/** arraycopy, clone, reflection and native calls mixed with collections; old objects that point to young ones. */
public class CopyAndGc {
    static Object[] old = new Object[64];
    static List<Object> statics = new ArrayList<>();

    static class Cell { Object ref; volatile Object vref; static Object sref; int n; }

    static String make(int i) { return new StringBuilder("made").append(i).toString(); }

    public static void main(String[] args) throws Exception {
        System.gc();
        System.gc();
        for (int round = 0; round < 20; round++) {
            Object[] fresh = new Object[64];
            for (int i = 0; i < 64; i++) fresh[i] = make(round * 64 + i);
            System.arraycopy(fresh, 0, old, 32, 32);
            System.arraycopy(old, 16, old, 0, 40);
            for (int i = 0; i < 100; i++) statics.add(new byte[100]);
            if (round % 5 == 4) { statics.clear(); System.gc(); }
        }
        int h = 0;
        for (Object o : old) h = h * 31 + Objects.hashCode(o);
        System.out.println(h);
        Cell cell = new Cell();
        System.gc();
        System.gc();
        for (int i = 0; i < 1000; i++) {
            cell.ref = make(i);
            cell.vref = new Object[] {cell.ref, make(-i)};
            Cell.sref = new Cell();
            ((Cell) Cell.sref).ref = cell.vref;
            if (i % 250 == 0) System.gc();
        }
        System.out.println(cell.ref + " " + ((Object[]) cell.vref)[1] + " " + (((Object[]) ((Cell) Cell.sref).ref)[0] == cell.ref));
        java.lang.reflect.Field f = Cell.class.getDeclaredField("ref");
        for (int i = 0; i < 300; i++) { f.set(cell, make(i)); if (i % 100 == 0) System.gc(); }
        System.out.println(f.get(cell));
        Object[] clones = new Object[100];
        Object[] template = {make(1), new int[] {5}, null};
        for (int i = 0; i < 100; i++) { clones[i] = template.clone(); if (i == 50) System.gc(); }
        System.out.println(((Object[]) clones[0])[0] == ((Object[]) clones[99])[0]);
        java.util.concurrent.atomic.AtomicReferenceArray<String> atomic = new java.util.concurrent.atomic.AtomicReferenceArray<>(10);
        for (int i = 0; i < 500; i++) { atomic.compareAndSet(i % 10, atomic.get(i % 10), make(i)); if (i % 100 == 0) System.gc(); }
        System.out.println(atomic);
        StringBuilder b = new StringBuilder();
        for (String s : make(7).split("")) b.append(s).append(new String(new char[] {'.'}));
        System.gc();
        System.out.println(b);
        Thread[] ts = new Thread[3];
        int[] sums = new int[3];
        for (int k = 0; k < 3; k++) {
            int id = k;
            ts[k] = new Thread(() -> {
                List<int[]> mine = new ArrayList<>();
                for (int i = 0; i < 2000; i++) { mine.add(new int[] {i, id}); if (mine.size() > 100) mine.subList(0, 50).clear(); if (i % 700 == 0) System.gc(); }
                for (int[] a : mine) sums[id] += a[0] * (a[1] + 1);
            });
            ts[k].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(Arrays.toString(sums));
        Object hidden = new Object() { final Object outerCapture = old; @Override public String toString() { return "captured " + ((Object[]) outerCapture).length; } };
        old = null;
        System.gc();
        System.out.println(hidden);
    }
}
