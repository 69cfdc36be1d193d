/** All loop forms, labelled break and continue, loops that never run, nested exits through finally. */
public class Loops {
    static int find(int[][] grid, int want) {
        int steps = 0;
        outer:
        for (int r = 0; r < grid.length; r++) {
            for (int c = 0; c < grid[r].length; c++) {
                steps++;
                if (grid[r][c] < 0) continue outer;
                if (grid[r][c] == want) break outer;
            }
        }
        return steps;
    }

    static String primes(int limit) {
        StringBuilder s = new StringBuilder();
        next:
        for (int i = 2; i < limit; i++) {
            for (int j = 2; j * j <= i; j++) if (i % j == 0) continue next;
            s.append(i).append(' ');
        }
        return s.toString();
    }

    static int finallyCount;

    static int exits(int mode) {
        int n = 0;
        loop:
        while (true) {
            do {
                try {
                    n++;
                    if (mode == 0 && n == 3) break loop;
                    if (mode == 1 && n == 4) return -n;
                    if (mode == 2 && n % 2 == 0) continue loop;
                    if (n > 20) break;
                } finally {
                    finallyCount++;
                    if (mode == 3 && n == 7) break loop;
                }
            } while (n < 10);
            if (n >= 10) break;
        }
        return n;
    }

    public static void main(String[] args) {
        int[][] grid = {{1, 2, 3}, {4, -1, 5}, {}, {6, 7}};
        for (int w = 0; w < 9; w++) System.out.print(find(grid, w) + " ");
        System.out.println();
        System.out.println(primes(60));
        for (int mode = 0; mode < 5; mode++) System.out.println(exits(mode) + " " + finallyCount);
        int i = 0;
        while (i > 0) i = 100;
        do i++; while (i < 0);
        for (; ; ) if (++i > 5) break;
        System.out.println(i);
        for (int a = 0, b = 10; a < b; a++, b -= 2) i += a * b;
        System.out.println(i);
        for (i = 10; i-- > 0; ) ;
        System.out.println(i);
        block: {
            if (i < 0) break block;
            System.out.println("not reached");
        }
        long big = 0;
        for (byte b = 0; b >= 0; b++) big += b;
        System.out.println(big);
        for (char c = 'a'; c <= 'e'; c++) System.out.print(c);
        System.out.println();
        for (float f = 0; f < 1; f += 0.25f) big++;
        for (double d = 1; d > 0; d /= 2) big++;
        for (long l = 1; l > 0; l <<= 1) big++;
        System.out.println(big);
        int collatz = 27, steps = 0;
        while (collatz != 1) {
            collatz = (collatz & 1) == 0 ? collatz / 2 : 3 * collatz + 1;
            steps++;
        }
        System.out.println(steps);
    }
}
