/** synchronized without contention: nesting, exceptions, returns and IllegalMonitorStateException, holdsLock. */
public class Monitors {
    static final Object lock = new Object();
    int count;

    synchronized int recurse(int n) {
        count++;
        return n == 0 ? count : recurse(n - 1);
    }

    static synchronized void thrower(int n) {
        if (n == 0) throw new IllegalStateException("held " + Thread.holdsLock(Monitors.class));
        thrower(n - 1);
    }

    static int early(int n) {
        for (int i = 0; ; i++) {
            synchronized (lock) {
                if (i == 2) continue;
                if (i == n) return i;
                synchronized (Monitors.class) {
                    if (i == 5) break;
                }
            }
        }
        return -1;
    }

    static String held() {
        return Thread.holdsLock(lock) + " " + Thread.holdsLock(Monitors.class);
    }

    public static void main(String[] args) throws Exception {
        Monitors m = new Monitors();
        System.out.println(m.recurse(100) + " " + Thread.holdsLock(m));
        try {
            thrower(5);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + held());
        }
        System.out.println(early(4) + " " + early(9) + " " + held());
        synchronized (lock) {
            synchronized (lock) {
                System.out.println(held());
            }
            System.out.println(held());
            try {
                synchronized (m) {
                    throw new Exception("inside");
                }
            } catch (Exception e) {
                System.out.println(e.getMessage() + " " + Thread.holdsLock(m));
            }
        }
        System.out.println(held());
        for (int i = 0; i < 4; i++) {
            try {
                switch (i) {
                    case 0: lock.wait(); break;
                    case 1: lock.notify(); break;
                    case 2: lock.notifyAll(); break;
                    default: lock.wait(5, -1);
                }
            } catch (IllegalMonitorStateException e) {
                System.out.println("not owner: " + e.getMessage());
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        synchronized (lock) {
            lock.notify();
            lock.notifyAll();
            lock.wait(1);
            System.out.println("waited " + held());
        }
        try {
            Object none = null;
            synchronized (none) {
                System.out.println("not reached");
            }
        } catch (NullPointerException e) {
            System.out.println("null monitor");
        }
        int[] array = new int[1];
        synchronized (array) {
            synchronized (array.getClass()) {
                array[0] = m.hashCode() == m.hashCode() ? 1 : 0;
            }
        }
        synchronized (m) {
            int h = m.hashCode();
            synchronized (m) {
                System.out.println((h == m.hashCode()) + " " + (h == System.identityHashCode(m)) + " " + array[0]);
            }
        }
    }
}
