import java.lang.ref.*;
import java.util.*;

/** Weak, soft and phantom references: cleared when unreachable, kept when reachable, queued once, clear and enqueue by hand. */
public class References {
    static <T> boolean cleared(Reference<T> r) throws InterruptedException {
        for (int i = 0; i < 500 && !r.refersTo(null); i++) {
            System.gc();
            Thread.sleep(1);
        }
        return r.refersTo(null);
    }

    static Reference<?> poll(ReferenceQueue<?> q) throws InterruptedException {
        for (int i = 0; i < 500; i++) {
            System.gc();
            Reference<?> r = q.remove(10);
            if (r != null) return r;
        }
        return null;
    }

    static class Node { Object to; Node(Object to) { this.to = to; } }

    static WeakReference<Object> make(ReferenceQueue<Object> q) { return new WeakReference<>(new Object(), q); }

    static Object strong = new Object();

    public static void main(String[] args) throws Exception {
        ReferenceQueue<Object> q = new ReferenceQueue<>();
        WeakReference<Object> weak = make(q), held = new WeakReference<>(strong, q);
        System.out.println(cleared(weak) + " " + (weak.get() == null) + " " + (held.get() == strong) + " " + held.refersTo(strong) + " " + held.refersTo(null));
        System.out.println((poll(q) == weak) + " " + weak.isEnqueued() + " " + (q.poll() == null));
        SoftReference<Object> soft = new SoftReference<>(new int[10]);
        System.gc();
        System.out.println(soft.get() != null);
        PhantomReference<Object> ph = new PhantomReference<>(new Object(), q), live = new PhantomReference<>(strong, q);
        System.out.println(ph.get() + " " + (poll(q) == ph) + " " + live.refersTo(strong) + " " + live.get());
        System.out.println(held.enqueue() + " " + held.enqueue() + " " + (q.poll() == held) + " " + held.get());
        WeakReference<Object> bare = new WeakReference<>(strong);
        bare.clear();
        System.out.println(bare.get() + " " + bare.enqueue());
        Node a = new Node(null), b = new Node(a);
        a.to = b;
        WeakReference<Object> wa = new WeakReference<>(a), wb = new WeakReference<>(b);
        a = b = null;
        System.out.println("cycle " + cleared(wa) + " " + cleared(wb));
        Node chain = new Node(new WeakReference<>(new Node(strong)));
        WeakReference<?> inner = (WeakReference<?>) chain.to;
        System.out.println("through weak only " + cleared(inner) + " " + (chain.to == inner));
        WeakHashMap<Object, String> map = new WeakHashMap<>();
        Object key = new Object();
        map.put(key, "kept");
        for (int i = 0; i < 20; i++) map.put(new Object(), "lost" + i);
        for (int i = 0; i < 500 && map.size() > 1; i++) { System.gc(); Thread.sleep(1); }
        System.out.println(map.size() + " " + map.get(key));
        List<WeakReference<byte[]>> many = new ArrayList<>();
        byte[][] keep = new byte[10][];
        for (int i = 0; i < 200; i++) { byte[] x = new byte[1000]; if (i % 20 == 0) keep[i / 20] = x; many.add(new WeakReference<>(x)); }
        int alive = 200;
        for (int k = 0; k < 500 && alive > 10; k++) { System.gc(); alive = 0; for (WeakReference<byte[]> w : many) if (w.get() != null) alive++; }
        System.out.println(alive + " " + keep[9].length);
        Reference.reachabilityFence(key);
        try { new PhantomReference<>(strong, null).enqueue(); System.out.println("no queue"); } catch (RuntimeException e) { System.out.println(e); }
        try { q.remove(-1); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        ThreadLocal<Object> tl = new ThreadLocal<>();
        tl.set(new Object());
        WeakReference<Object> wt = new WeakReference<>(tl.get());
        tl.remove();
        System.out.println(cleared(wt));
    }
}
