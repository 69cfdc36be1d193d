import java.util.*;

/** Identity hash codes, monitors and identity maps survive moving collections; interned strings and constants stay the same. */
public class Identity {
    static int garbage() {
        int n = 0;
        for (int i = 0; i < 2000; i++) n += new byte[500].length + new Object[i % 50].length;
        System.gc();
        return n;
    }

    public static void main(String[] args) throws Exception {
        Object[] objects = new Object[500];
        int[] hashes = new int[500];
        for (int i = 0; i < 500; i++) {
            objects[i] = i % 3 == 0 ? new Object() : i % 3 == 1 ? new int[i] : "s" + i;
            if (i % 2 == 0) hashes[i] = System.identityHashCode(objects[i]);
        }
        IdentityHashMap<Object, Integer> map = new IdentityHashMap<>();
        for (int i = 0; i < 500; i++) map.put(objects[i], i);
        System.out.println(garbage());
        int changed = 0, lost = 0;
        for (int i = 0; i < 500; i++) {
            if (i % 2 == 0 && System.identityHashCode(objects[i]) != hashes[i]) changed++;
            if (map.get(objects[i]) != i) lost++;
        }
        System.out.println(changed + " " + lost);
        Set<Integer> distinct = new HashSet<>();
        for (Object o : objects) distinct.add(System.identityHashCode(o));
        System.out.println(distinct.size() > 400);
        Object lock = objects[0];
        synchronized (lock) {
            garbage();
            int h = System.identityHashCode(lock);
            garbage();
            System.out.println(Thread.holdsLock(lock) + " " + (h == System.identityHashCode(lock)) + " " + (h == hashes[0]));
            synchronized (lock) { garbage(); }
            System.out.println(Thread.holdsLock(lock));
        }
        System.out.println(Thread.holdsLock(lock) + " " + (System.identityHashCode(lock) == hashes[0]) + " " + System.identityHashCode(null));
        String a = new String("interned").intern();
        garbage();
        System.out.println((a == "interned") + " " + ("inter" + "ned" == a) + " " + (new String("fresh" + args.length).intern() == "fresh0"));
        Class<?> c = Identity.class;
        int ch = c.hashCode();
        garbage();
        System.out.println((c == Class.forName("Identity")) + " " + (ch == Identity.class.hashCode()) + " " + (int[].class == new int[0].getClass()) + " " + (Identity[].class == new Identity[1].getClass()));
        Object waiter = new Object();
        boolean[] done = new boolean[1];
        Thread t = new Thread(() -> { synchronized (waiter) { while (!done[0]) try { waiter.wait(); } catch (InterruptedException e) { return; } System.out.println("woken"); } });
        t.start();
        while (t.getState() != Thread.State.WAITING) Thread.sleep(1);
        garbage();
        synchronized (waiter) { done[0] = true; waiter.notify(); }
        t.join();
        int[] copy = (int[]) ((int[]) objects[1]).clone();
        System.out.println(copy.length + " " + (System.identityHashCode(copy) == hashes[1]));
        Object o = new Object();
        String text = o.toString();
        garbage();
        System.out.println(text.equals(o.toString()) + " " + o.equals(o) + " " + (o.hashCode() == System.identityHashCode(o)));
    }
}
