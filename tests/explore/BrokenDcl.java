/** Double-checked locking without volatile: who finds the object without the lock need not find what is in it. */
public class BrokenDcl {
    static class Settings {
        int size = 42;
    }

    static Settings settings;

    static Settings get() {
        Settings found = settings;
        if (found == null) {
            synchronized (BrokenDcl.class) {
                found = settings;
                if (found == null) {
                    settings = found = new Settings();
                }
            }
        }
        return found;
    }

    public static void main(String[] args) {
        Runnable use = () -> {
            int size = get().size;
            if (size != 42) {
                throw new IllegalStateException("size is " + size);
            }
        };
        new Thread(use, "a").start();
        new Thread(use, "b").start();
    }
}
