/** Two classes that need each other: a deadlock if two threads begin to initialize them at a time. */
public class ClassInits {
    static class Base {
        static final Base FIRST = new Derived();

        static void touch() {
        }
    }

    static class Derived extends Base {
        static void reach() {
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(Base::touch, "a"), b = new Thread(Derived::reach, "b");
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
