import java.util.function.IntUnaryOperator;

/** The class that {@link Scale.Copies} copies. */
public class Copy00000 implements IntUnaryOperator {
    static final String NAME = "Copy00000";
    static int uses;
    final int offset;
    private Copy00000 other;

    public Copy00000(int offset) {
        this.offset = offset;
    }

    @Override
    public int applyAsInt(int x) {
        uses++;
        if (other == null) {
            other = new Copy00000(offset + 1);
        }
        int r = x;
        for (int i = 0; i < 10; i++) {
            r = mix(r) + other.twice(i);
        }
        return r ^ NAME.length();
    }

    private int twice(int i) {
        return (i + offset) * 2;
    }

    private static int mix(int r) {
        return (r << 5) - r + (r >>> 7);
    }
}
