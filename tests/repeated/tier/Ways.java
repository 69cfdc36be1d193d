import java.util.Arrays;

/** Callees of which compiled code expects one way, those whose ways add different counts, facts about slots, and copies of bytes. */
public class Ways {
    static boolean up;
    static boolean quiet = true;
    static final boolean FIXED = Integer.getInteger("ways", 1) == 1;

    static int directed(int x) {
        if (up) {
            return x + 3;
        }
        return x - 1;
    }
    static int guarded(int x) {
        if (!quiet) {
            log(x);
        }
        return x * 3;
    }
    static long logged;
    static void log(int x) {
        logged = logged * 31 + x;
    }
    static int constant(int x) {
        return FIXED && x > 5 ? x : 7;
    }
    static int both(int x) {
        return directed(guarded(x)) + constant(x & 15);
    }
    /** Changes what is expected now and then. */
    static long flags(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            up = (i & 1023) > 1000;
            quiet = i % 777 != 5;
            sum = sum * 17 + both(i);
        }
        return sum ^ logged;
    }

    static int index(int i, int n) {
        if (i < 0 || i >= n) {
            throw new IndexOutOfBoundsException(i + " of " + n);
        }
        return i;
    }
    static long wide(long i) {
        if (i < 0L) {
            throw outside(i);
        }
        return i + 1;
    }
    static RuntimeException outside(long i) {
        return new IllegalArgumentException(Long.toString(i));
    }
    static int at(int[] a, int i) {
        assert i >= -1;
        return a[index(i, a.length)] + (int) wide(i);
    }
    static int deep(int[] a, int i) {
        return i % 3 == 0 ? at(a, i) : i % 3 == 1 ? at(a, i - 1) * 2 : one(a, i);
    }
    static int one(int[] a, int i) {
        int k = i & 1;
        k += i > 90 ? i : 1;
        return at(a, k) + k;
    }
    static long thrown(int n) {
        int[] a = new int[100];
        long sum = 0;
        for (int i = 0; i < n; i++) {
            a[i % 100] = i;
            try {
                sum += deep(a, i % 103);
            } catch (IndexOutOfBoundsException e) {
                sum = sum * 31 + e.getMessage().hashCode() + trace(e);
            }
            try {
                sum ^= at(i % 41 == 40 ? null : a, i % 59 - 1);
            } catch (NullPointerException e) {
                sum = sum * 7 + trace(e);
            } catch (RuntimeException e) {
                sum = sum * 5 + e.getMessage().hashCode() + trace(e);
            }
        }
        return sum;
    }
    static int trace(Throwable t) {
        int sum = 0;
        for (StackTraceElement e : t.getStackTrace()) {
            sum = sum * 31 + e.getMethodName().hashCode() + e.getLineNumber();
        }
        return sum;
    }

    static class Text {
        final byte[] bytes;
        final byte coder;
        int hash;
        Text next;
        Text(byte[] bytes, int coder) {
            this.bytes = bytes;
            this.coder = (byte) coder;
        }
        boolean isNarrow() {
            return FIXED && coder == 0;
        }
        int length() {
            return bytes.length >> (isNarrow() ? 0 : 1);
        }
        int charAt(int i) {
            if (isNarrow()) {
                return bytes[index(i, bytes.length)] & 255;
            }
            return wideAt(i);
        }
        int wideAt(int i) {
            return bytes[i * 2] & 255 | (bytes[i * 2 + 1] & 255) << 8;
        }
        /** Three ways that meet. */
        int mixed(int i) {
            int x = i < 3 ? i : i < 7 ? charAt(0) + 1 : 9 * i + 2;
            return x + (isNarrow() ? 1 : length());
        }
        Text self() {
            return this;
        }
        Text with(int h) {
            self().hash += h;
            return self();
        }
    }
    static class Short extends Text {
        Short(byte[] bytes) {
            super(bytes, 0);
        }
        @Override
        int length() {
            return Math.min(3, super.length());
        }
    }
    static long texts(int n) {
        byte[] letters = {65, 66, 67, 68, 69, 70, 71, 72};
        Text[] all = {new Text(letters, 0), new Text(letters, 1), new Short(letters), new Text(new byte[2], 1)};
        for (int i = 0; i < all.length; i++) {
            all[i].next = i + 1 < all.length ? all[i + 1] : null;
        }
        long sum = 0;
        for (int i = 0; i < n; i++) {
            Text t = all[i & 3];
            for (int k = 0; k < t.length(); k++) {
                sum = sum * 31 + t.charAt(k);
            }
            sum += t.mixed(i % 11) + t.with(i).hash;
            sum += chain(all[i & 1], i % 5) + merged(t, i);
        }
        return sum;
    }
    /** An object in a slot that has null later. */
    static int chain(Text t, int n) {
        int sum = 0;
        try {
            for (int i = 0; i <= n; i++) {
                sum += t.hash & 15;
                t = t.next;
                sum += t.length();
            }
        } catch (NullPointerException e) {
            sum += 1000 + trace(e);
        }
        return sum;
    }
    /** An object on one of two ways. */
    static int merged(Text t, int i) {
        Text other = t;
        int sum = other.hash;
        if (i % 13 == 12) {
            other = null;
        } else if (i % 13 == 11) {
            other = t.self().next;
        }
        try {
            return sum + other.length() + other.hash;
        } catch (NullPointerException e) {
            return sum + 5;
        }
    }

    static void copy(Object from, int i, Object to, int k, int n) {
        System.arraycopy(from, i, to, k, n);
    }
    static long copies(int n) {
        byte[] a = new byte[80];
        byte[] b = new byte[90];
        for (int i = 0; i < a.length; i++) {
            a[i] = (byte) (i * 7);
        }
        long sum = 0;
        for (int i = 0; i < n; i++) {
            int length = i % 45;
            int at = i * 5 % 37;
            copy(a, at, b, i % 40, length);
            // overlapping, both ways
            copy(b, i % 31, b, i % 29 + 3, length);
            copy(b, i % 23 + 9, b, i % 19, length);
            a[i % 80] += (byte) i;
            sum = sum * 31 + Arrays.hashCode(b);
        }
        boolean[] flags = {true, false, true};
        boolean[] other = new boolean[3];
        char[] letters = "letters".toCharArray();
        Object[][] wrong = {{a, 70, b, 0, 11}, {a, 0, b, 80, 11}, {a, -1, b, 0, 2}, {a, 0, b, -1, 2}, {a, 0, b, 0, -1}, {null, 0, b, 0, 1},
            {a, 0, null, 0, 1}, {a, 0, letters, 0, 1}, {a, 0, flags, 0, 1}, {"a", 0, b, 0, 1}, {a, 80, b, 90, 0}, {a, 81, b, 0, 0},
            {flags, 1, other, 0, 2}, {letters, 0, letters, 2, 5}, {a, Integer.MAX_VALUE, b, 0, 31}, {a, 0, b, Integer.MIN_VALUE, 31}};
        for (int i = 0; i < n; i += 16) {
            for (Object[] w : wrong) {
                try {
                    copy(w[0], (Integer) w[1], w[2], (Integer) w[3], (Integer) w[4]);
                    sum = sum * 3 + 1;
                } catch (IndexOutOfBoundsException | ArrayStoreException e) {
                    sum = sum * 31 + e.getMessage().hashCode();
                } catch (NullPointerException e) {
                    sum = sum * 31 + 2;
                }
            }
        }
        return sum + Arrays.hashCode(b) + Arrays.hashCode(other) + Arrays.hashCode(letters);
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        for (int i = 0; i < 2; i++) {
            System.out.println(flags(n) + " " + thrown(n / 4) + " " + texts(n) + " " + copies(n / 2));
        }
    }
}
