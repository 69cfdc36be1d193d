/** Integer switches: dense, sparse, fall-through, extreme keys, on char, byte, short and boxes. */
public class Switches {
    static int dense(int i) {
        switch (i) {
            case -2: return 20;
            case -1: return 10;
            case 0: return 0;
            case 1:
            case 2: return 12;
            case 4: return 44;
            default: return 99;
        }
    }

    static int sparse(int i) {
        switch (i) {
            case Integer.MIN_VALUE: return 1;
            case -1000: return 2;
            case 0: return 3;
            case 1000: return 4;
            case 1000000: return 5;
            case Integer.MAX_VALUE: return 6;
        }
        return 7;
    }

    static int edges(int i) {
        switch (i) {
            case Integer.MAX_VALUE: return 1;
            case Integer.MAX_VALUE - 1: return 2;
            case Integer.MAX_VALUE - 2: return 3;
            default: return 0;
        }
    }

    static String fall(int i) {
        StringBuilder s = new StringBuilder();
        switch (i) {
            case 3: s.append("three ");
            case 2: s.append("two ");
            default: s.append("default ");
            case 1: s.append("one ");
                break;
            case 0: s.append("zero ");
        }
        return s.toString();
    }

    static char grade(char c) {
        switch (c) {
            case 'a': case 'e': case 'i': case 'o': case 'u': return 'V';
            case '\uffff': return 'M';
            case '0': return 'D';
            default: return c >= 'a' && c <= 'z' ? 'C' : '?';
        }
    }

    static int small(byte b, short s) {
        int r = 0;
        switch (b) {
            case -128: r = 1; break;
            case 127: r = 2; break;
        }
        switch (s) {
            case -32768: r += 10; break;
            case 32767: r += 20; break;
            default: r += 30;
        }
        return r;
    }

    static int nested(int a, int b) {
        switch (a) {
            case 1:
                switch (b) {
                    case 1: return 11;
                    case 2: break;
                    default: return 19;
                }
                return 12;
            case 2:
                for (int i = 0; ; i++) {
                    switch (i) {
                        case 3: return i * 100 + b;
                        default: continue;
                    }
                }
        }
        return -1;
    }

    public static void main(String[] args) {
        int min = Integer.MIN_VALUE, max = Integer.MAX_VALUE;
        for (int i : new int[] {min, -3, -2, -1, 0, 1, 2, 3, 4, 5, max}) System.out.print(dense(i) + " ");
        System.out.println();
        for (int i : new int[] {min, min + 1, -1001, -1000, -999, 0, 1000, 1000000, max - 1, max}) System.out.print(sparse(i) + " ");
        System.out.println();
        for (int i : new int[] {min, min + 1, min + 2, -1, 0, max - 3, max - 2, max - 1, max}) System.out.print(edges(i) + " ");
        System.out.println();
        for (int i = -1; i < 5; i++) System.out.println(fall(i));
        for (char c : "hello0X\uffff".toCharArray()) System.out.print(grade(c));
        System.out.println();
        System.out.println(small((byte) 128, (short) 32768) + " " + small((byte) 127, (short) -1) + " " + small((byte) 0, (short) 32767));
        System.out.println(nested(1, 1) + " " + nested(1, 2) + " " + nested(1, 3) + " " + nested(2, 5) + " " + nested(3, 0));
        Integer boxed = 1000;
        switch (boxed) {
            case 1000: System.out.println("boxed");
        }
        try {
            boxed = null;
            switch (boxed) {
                default: System.out.println("not reached");
            }
        } catch (NullPointerException e) {
            System.out.println("null");
        }
    }
}
