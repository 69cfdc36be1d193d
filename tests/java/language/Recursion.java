/** Recursive programs: Ackermann, Hanoi, permutations, queens, mutual recursion, deep but bounded stacks. */
public class Recursion {
    static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }

    static int moves;
    static long trace;
    static void hanoi(int n, int from, int to, int via) {
        if (n == 0) return;
        hanoi(n - 1, from, via, to);
        moves++;
        trace = trace * 7 + from * 3 + to;
        hanoi(n - 1, via, to, from);
    }

    static StringBuilder perms = new StringBuilder();
    static void permute(char[] a, int k) {
        if (k == a.length) perms.append(a).append(' ');
        for (int i = k; i < a.length; i++) {
            char t = a[k]; a[k] = a[i]; a[i] = t;
            permute(a, k + 1);
            a[i] = a[k]; a[k] = t;
        }
    }

    static int queens(int n, int row, int cols, int d1, int d2) {
        if (row == n) return 1;
        int count = 0;
        for (int free = (1 << n) - 1 & ~(cols | d1 | d2); free != 0; free &= free - 1) {
            int bit = free & -free;
            count += queens(n, row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1);
        }
        return count;
    }

    static boolean even(int n) { return n == 0 || odd(n - 1); }
    static boolean odd(int n) { return n != 0 && even(n - 1); }
    static long depth(long n, double pad) { return n == 0 ? 0 : 1 + depth(n - 1, pad + 1); }

    static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

    static long binomial(int n, int k, long[][] memo) {
        if (k == 0 || k == n) return 1;
        if (memo[n][k] != 0) return memo[n][k];
        return memo[n][k] = binomial(n - 1, k - 1, memo) + binomial(n - 1, k, memo);
    }

    static int hof(int n) { return n == 0 ? 0 : n - hof(hof(n - 1)); }

    public static void main(String[] args) {
        System.out.println(ack(2, 3) + " " + ack(1, 20));
        hanoi(8, 0, 2, 1);
        System.out.println(moves + " " + trace);
        permute("abcd".toCharArray(), 0);
        System.out.println(perms);
        for (int n = 1; n <= 6; n++) System.out.print(queens(n, 0, 0, 0, 0) + " ");
        System.out.println();
        System.out.println(even(500) + " " + odd(499) + " " + even(3));
        System.out.println(depth(2000, 0));
        System.out.println(fib(15));
        System.out.println(binomial(60, 30, new long[61][61]));
        System.out.println(hof(40));
    }
}
