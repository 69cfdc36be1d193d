import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** An object whose fields are final is handed over without anything else that orders. */
public class Finals {

    static final class Point {
        final int x, y;
        final int[] more;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
            more = new int[] {x, y};
        }
    }

    /** Handed over in an opaque variable, which is no race itself and orders nothing. */
    static Point shared;
    static final VarHandle SHARED;

    static {
        try {
            SHARED = MethodHandles.lookup().findStaticVarHandle(Finals.class, "shared", Point.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> SHARED.setOpaque(new Point(1, 2)));
        Thread reader = new Thread(() -> {
            Point p = (Point) SHARED.getOpaque();
            if (p != null && (p.x != 1 || p.y != 2)) throw new AssertionError();
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
    }
}
