/** StringBuilder and StringBuffer: append, insert, delete, replace, reverse with surrogates, growth, widening to UTF-16. */
public class Builders {
    interface Body { Object run(); }
    static void show(Body b) {
        try {
            System.out.println(b.run());
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        StringBuilder s = new StringBuilder();
        s.append(1).append('c').append(2L).append(3.5f).append(-4.25).append(true).append((String) null).append((Object) "o").append(new char[] {'x', 'y'}).append("substring", 3, 6).append(new char[] {'1', '2', '3'}, 1, 2).appendCodePoint(0x1f600).append(new StringBuffer("buf"));
        System.out.println(s + " " + s.length());
        System.out.println(s.insert(0, "start ").insert(3, 9).insert(2, 'Ω').insert(s.length(), false).insert(0, 1.5));
        System.out.println(s.reverse());
        System.out.println(s.delete(0, 5).deleteCharAt(1).replace(2, 4, "<replaced>").length());
        System.out.println(s.indexOf("e") + " " + s.lastIndexOf("e") + " " + s.indexOf("zz") + " " + s.charAt(3) + " " + s.codePointAt(2) + " " + s.substring(4, 9) + " " + s.subSequence(0, 2));
        s.setCharAt(0, '語');
        s.setLength(6);
        System.out.println(s + " " + s.length());
        s.setLength(8);
        System.out.println((int) s.charAt(7) + " " + s.length() + " " + s.toString().length());
        show(() -> s.deleteCharAt(8));
        show(() -> s.charAt(-1));
        show(() -> s.insert(9, "x"));
        show(() -> s.substring(3, 2));
        show(() -> s.replace(9, 10, ""));
        show(() -> s.delete(5, 4));
        show(() -> { s.setLength(-1); return 0; });
        show(() -> { s.setCharAt(20, 'x'); return 0; });
        show(() -> new StringBuilder(-1));
        show(() -> s.append("abc", 2, 1));
        show(() -> s.appendCodePoint(-1));
        show(() -> s.delete(3, 1000).length());
        StringBuilder grow = new StringBuilder(1);
        for (int i = 0; i < 3000; i++) {
            grow.append((char) ('a' + i % 26));
            if (i == 1500) grow.append('€');
            if (i % 7 == 0) grow.insert(i / 2, i);
            if (i % 11 == 0) grow.deleteCharAt(i / 3);
        }
        System.out.println(grow.length() + " " + grow.toString().hashCode() + " " + grow.indexOf("€"));
        System.out.println(new StringBuilder("a😀b\ud83d").reverse().equals(null) + " " + new StringBuilder("a😀b").reverse() + " " + new StringBuilder("abc").compareTo(new StringBuilder("abd")) + " " + new StringBuilder("x").equals(new StringBuilder("x")));
        StringBuffer b = new StringBuffer("sync");
        b.append(b).insert(4, b).reverse().append(b.length());
        System.out.println(b + " " + b.capacity() + " " + new StringBuilder("12345").capacity() + " " + new StringBuilder(5).append("123456").capacity());
        StringBuilder t = new StringBuilder("trim");
        t.ensureCapacity(100);
        t.trimToSize();
        System.out.println(t.capacity() + " " + t.chars().sum() + " " + t.isEmpty());
        CharSequence cs = new StringBuilder("seq");
        System.out.println(CharSequence.compare(cs, "ser") + " " + cs.chars().count() + " " + "seq".contentEquals(cs));
        java.util.StringJoiner j = new java.util.StringJoiner(", ", "{", "}").setEmptyValue("none");
        System.out.println(j + " " + j.add("a").add(null).add("c") + " " + j.length() + " " + new java.util.StringJoiner("-").add("1").merge(j));
    }
}
