/** The main thread is in its group once, and gone from it when it has ended. */
public class MainInGroup {
    static void show(String what, ThreadGroup g) {
        Thread[] all = new Thread[9];
        int n = g.enumerate(all, false);
        StringBuilder b = new StringBuilder(what + ": " + n);
        for (int i = 0; i < n; i++) b.append(' ').append(all[i]);
        System.out.println(b);
    }
    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        ThreadGroup g = main.getThreadGroup();
        System.out.println(Thread.activeCount() + " " + g.activeCount() + " " + g.activeGroupCount());
        show("at first", g);
        g.list();
        Thread t = new Thread(() -> { });
        System.out.println("unstarted: " + Thread.activeCount());
        t.start();
        t.join();
        show("after another", g);
        Thread other = new Thread(() -> {
            try { main.join(); } catch (InterruptedException e) { }
            boolean there = false;
            Thread[] all = new Thread[9];
            for (int i = g.enumerate(all) - 1; i >= 0; i--) there |= all[i] == main;
            System.out.println("after main: " + main.getState() + " " + main.getThreadGroup() + " " + there);
        }, "other");
        other.start();
        show("with another", g);
    }
}
