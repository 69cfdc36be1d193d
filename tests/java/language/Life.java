/** Conway's Game of Life and the Mandelbrot set in characters: boolean grids, double arithmetic, char buffers. */
public class Life {
    static boolean[][] step(boolean[][] g) {
        int h = g.length, w = g[0].length;
        boolean[][] next = new boolean[h][w];
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                int n = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        if ((dy | dx) != 0 && g[(y + dy + h) % h][(x + dx + w) % w]) n++;
                next[y][x] = n == 3 || n == 2 && g[y][x];
            }
        return next;
    }

    static void print(boolean[][] g) {
        for (boolean[] row : g) {
            char[] line = new char[row.length];
            for (int i = 0; i < line.length; i++) line[i] = row[i] ? '#' : '.';
            System.out.println(line);
        }
    }

    public static void main(String[] args) {
        boolean[][] g = new boolean[8][16];
        for (int[] p : new int[][] {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}, {5, 9}, {5, 10}, {5, 11}}) g[p[0]][p[1]] = true;
        for (int i = 0; i < 11; i++) g = step(g);
        print(g);
        String shades = " .:-=+*#%@";
        for (int y = 0; y < 16; y++) {
            StringBuilder line = new StringBuilder();
            for (int x = 0; x < 48; x++) {
                double cr = x / 16.0 - 2.1, ci = y / 7.0 - 1.1, zr = 0, zi = 0;
                int n = 0;
                while (n < 60 && zr * zr + zi * zi < 4) {
                    double t = zr * zr - zi * zi + cr;
                    zi = 2 * zr * zi + ci;
                    zr = t;
                    n++;
                }
                line.append(shades.charAt(n == 60 ? 9 : n % 9));
            }
            System.out.println(line);
        }
    }
}
