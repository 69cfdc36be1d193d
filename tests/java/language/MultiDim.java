/** Arrays of arrays: multianewarray, partial dimensions, ragged rows, negative sizes, zero sizes. */
public class MultiDim {
    static int n(int v) {
        System.out.print("[" + v + "]");
        return v;
    }

    public static void main(String[] args) {
        int[][] grid = new int[3][4];
        long[][][] cube = new long[2][3][4];
        String[][][] partial = new String[2][2][];
        System.out.println(grid.length + " " + grid[2].length + " " + cube[1][2].length + " " + partial[1].length + " " + partial[1][1]);
        for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) grid[i][j] = i * 10 + j;
        long sum = 0;
        for (int[] row : grid) for (int v : row) sum += v;
        System.out.println(sum + " " + (grid[0] != grid[1]));
        for (int i = 0; i < 24; i++) cube[i / 12][i / 4 % 3][i % 4] = i * 1L << i;
        for (long[][] plane : cube) for (long[] row : plane) for (long v : row) sum ^= v;
        System.out.println(sum);
        int[][] ragged = {{1}, {2, 3}, {}, null, {4, 5, 6}};
        for (int[] row : ragged) System.out.print(row == null ? "null " : row.length + " ");
        System.out.println();
        int[][] deep = grid.clone();
        deep[0][0] = 77;
        deep[1] = new int[] {5};
        System.out.println(grid[0][0] + " " + grid[1].length + " " + deep[1].length);
        Object[] view = grid;
        view[2] = ragged[4];
        System.out.println(grid[2][2]);
        try {
            view[0] = new long[1];
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        int[][] empty = new int[0][n(5)];
        System.out.println(empty.length);
        int[][] zeros = new int[n(5)][0];
        System.out.println(zeros[4].length);
        try {
            int[][][] bad = new int[n(2)][n(-3)][n(4)];
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        try {
            int[][] bad = new int[n(0)][n(-7)];
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        try {
            int[][] bad = new int[n(-1)][];
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        byte[][][][][] five = new byte[1][2][1][2][3];
        five[0][1][0][1][2] = -9;
        System.out.println(five[0][1][0][1][2] + " " + five[0][0][0][0].length + " " + five.getClass().getName());
        boolean[][] seen = new boolean[8][8];
        int at = 0, visited = 0;
        while (!seen[at / 8][at % 8]) {
            seen[at / 8][at % 8] = true;
            visited++;
            at = (at * 5 + 3) % 64;
        }
        System.out.println(visited);
        Object o = new int[2][3];
        System.out.println((o instanceof Object[]) + " " + (o instanceof int[][]) + " " + (((Object[]) o)[0] instanceof int[]));
        try {
            int[] wrong = (int[]) o;
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }
}
