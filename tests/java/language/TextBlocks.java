/** Text blocks: indentation, escapes, line continuation, trailing blanks; string literals and escapes besides. */
public class TextBlocks {
    static final String BLOCK = """
        {
          "name": "block",
          "quote": "\"",
          "triple": \"""
        }
        """;

    static void show(String s) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == '\n') b.append("\\n");
            else if (c == '\t') b.append("\\t");
            else if (c < 32 || c > 126) b.append("\\u").append(Integer.toHexString(c));
            else b.append(c);
        }
        System.out.println(s.length() + " [" + b + "]");
    }

    public static void main(String[] args) {
        show(BLOCK);
        show("""
            one\
             line""");
        show("""
              keep\s\s
            trailing   \s
            tab\there
            """);
        show("""

            blank lines

            """);
        show("""
            a
                b
              c""");
        show("""
            unicode \u00e9 \101 \0 end\r
            """);
        show("\b\f\n\r\t\\\'\"\7\47\377");
        show("\uD83D\uDE00" + '\u0000');
        System.out.println("""
            x""" == "x");
        System.out.println(("a" + "b" == "ab") + " " + ("a" + 1 + 'c' + true + 2.0 == "a1ctrue2.0"));
        final String half = "ha";
        String other = "ha";
        System.out.println((half + "lf" == "half") + " " + (other + "lf" == "half") + " " + ((other + "lf").intern() == "half"));
        String sum = 1 + 2 + "3" + 4 + 5;
        System.out.println(sum + ('a' + 'b') + (char) ('a' + 1) + null + 1.0f + 1e10 + -0.0);
        sum += 'x';
        sum += 1L;
        sum += null;
        sum += new char[0].length;
        System.out.println(sum);
        String none = null;
        none += "t";
        System.out.println(none + (String) null);
        System.out.println("Grüße, Ω, 日本, 😀");
    }
}
