import java.util.Arrays;

/** A loop writes one element too many: into the part of the array that is another's. */
public class OffByOne {
    final int[] cells = new int[16];

    void fill(int from, int to, int value) {
        for (int i = from; i <= to; i++) {
            cells[i] = value;
        }
    }

    public static void main(String[] args) {
        OffByOne board = new OffByOne();
        board.fill(8, 12, 2);
        board.fill(0, 8, 1);
        board.fill(13, 15, 3);
        int[] seen = Arrays.copyOf(board.cells, 12);
        if (seen[8] != 2) {
            throw new IllegalStateException(Arrays.toString(seen));
        }
    }
}
