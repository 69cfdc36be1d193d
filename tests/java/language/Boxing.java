/** Boxing: the Integer cache, identity and equality, unboxing null, promotion in mixed expressions. */
public class Boxing {
    static Integer nothing;

    static Object cond(boolean b) {
        return b ? 1 : 2.0;
    }

    static Object same(boolean b, Integer i, Double d) {
        return b ? i : d;
    }

    static Object apart(boolean b) {
        return b ? (Object) 1 : (Object) 2.0;
    }

    public static void main(String[] args) {
        Integer a = 127, b = 127, c = 1000, d = 1000;
        System.out.println((a == b) + " " + c.equals(d) + " " + (c == 1000) + " " + (c <= d && c >= d) + " " + a.equals(127L));
        Long l = 127L, m = 127L;
        System.out.println((l == m) + " " + l.equals(127) + " " + l.equals(127L) + " " + (l == 127));
        Character ch = 'x', dh = 'x';
        Byte by = -128, bz = -128;
        Short sh = 100, si = 100;
        Boolean t = true, u = Boolean.valueOf("TRUE");
        System.out.println((ch == dh) + " " + (by == bz) + " " + (sh == si) + " " + (t == u));
        System.out.println(cond(true) + " " + cond(false) + " " + same(true, 5, 1.5) + " " + apart(true) + " " + apart(false));
        try {
            int i = nothing;
            System.out.println(i);
        } catch (NullPointerException e) {
            System.out.println("unboxing null");
        }
        try {
            System.out.println(same(true, null, 1.0));
        } catch (NullPointerException e) {
            System.out.println("null in conditional");
        }
        Integer count = 0;
        for (int i = 0; i < 300; i++) count++;
        count += count--;
        System.out.println(count + " " + -count + " " + ~count + " " + (count << 2) + " " + (count & 0xff));
        Object[] all = {1, 1L, 1f, 1.0, 'a', (byte) 1, (short) 1, true};
        StringBuilder s = new StringBuilder();
        for (Object o : all) s.append(o.getClass().getSimpleName()).append('=').append(o).append(o.hashCode()).append(' ');
        System.out.println(s);
        Double nan = Double.NaN, zero = 0.0, minus = -0.0;
        System.out.println(nan.equals(Double.NaN) + " " + (nan == (double) nan) + " " + zero.equals(minus) + " " + (zero == (double) minus) + " " + zero.compareTo(minus) + " " + nan.compareTo(1.0));
        System.out.println(Integer.valueOf(5).hashCode() + " " + Long.valueOf(1L << 32 | 3).hashCode() + " " + Boolean.TRUE.hashCode() + " " + Character.valueOf('a').hashCode());
        System.out.println(Integer.parseInt("-2147483648") + " " + Integer.valueOf("+77") + " " + Long.parseLong("-9223372036854775808") + " " + Integer.parseInt("zz", 36) + " " + Short.parseShort("-32768") + " " + Byte.parseByte("7f", 16));
        for (String bad : new String[] {"", "2147483648", "1_0", "0x10", "-", " 1", "９9x"}) {
            try {
                System.out.println(Integer.parseInt(bad));
            } catch (NumberFormatException e) {
                System.out.println(e.getMessage());
            }
        }
        long total = 0;
        for (Long x : new Long[] {1L, 2L, 3L}) total += x;
        for (Object o : new Object[] {4, 5}) total += (int) o;
        for (Object o : new Object[] {'6'}) total += (char) o;
        System.out.println(total);
        try {
            long wrong = (Long) (Object) 5;
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }
}
