/** Natives of a host that keeps references for too long. */
public class Kept {
    static final long[][] filler = new long[3][];

    static native void keep(Object o);

    static native Object kept();

    static native String text(Object o);

    /** Hands over an object, which moves, and asks for it again. */
    public static int over() {
        keep(new int[] {1, 2, 3});
        // where it was there is something else now, in the middle of which it would begin
        for (int i = 0; i < 3; i++) {
            System.gc();
            filler[i] = new long[200_000];
        }
        return kept().hashCode();
    }

    public static int once() {
        Object o = new int[3];
        keep(o);
        return kept() == o ? 1 : 0;
    }

    public static int length() {
        return text(1234).length();
    }
}
