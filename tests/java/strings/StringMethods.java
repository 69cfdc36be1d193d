import java.util.*;
import java.util.stream.Collectors;

/** Methods of String on latin and wide strings. */
public class StringMethods {
    public static void main(String[] args) {
        for (String s : new String[] {"Hello, World", "", "  trim me\t\n", "ÄöÜß éà", "日本語 text", "a😀b", "\u2000space\u2000", "İIıi"}) {
            System.out.println("[" + s + "] " + s.length() + " " + s.hashCode() + " " + s.toUpperCase(Locale.ROOT) + " " + s.toLowerCase(Locale.ROOT) + " [" + s.trim() + "] [" + s.strip() + "] [" + s.stripLeading() + "] [" + s.stripTrailing() + "] " + s.isBlank() + s.isEmpty());
            System.out.println(s.codePointCount(0, s.length()) + " " + s.chars().sum() + " " + s.codePoints().max().orElse(-1) + " " + s.indexOf('o') + " " + s.lastIndexOf("t") + " " + s.indexOf(0x1f600) + " " + s.contains("ä") + s.contains("") + " " + s.replace('l', 'Ω') + " " + s.replace("e", "<e>") + " " + s.repeat(2).length());
        }
        String t = "one,two,,three,,";
        System.out.println(Arrays.toString(t.split(",")) + Arrays.toString(t.split(",", -1)) + Arrays.toString(t.split(",", 2)) + Arrays.toString("".split(",")) + Arrays.toString("a1b22c".split("\\d+")) + Arrays.toString("abc".split("")) + Arrays.toString(".a.b".split("\\.")));
        System.out.println(String.join("-", "a", "b", null) + String.join("|", List.of("x", "y")) + " " + "abcabc".indexOf("bc", 2) + "abcabc".lastIndexOf("bc", 3) + "abc".indexOf("", 10) + "abc".lastIndexOf("") + " " + "abc".compareTo("abd") + "abc".compareTo("ab") + "a".compareTo("é") + "日".compareTo("a") + " " + "HeLLo".equalsIgnoreCase("hEllO") + "ß".equalsIgnoreCase("SS") + "Abc".compareToIgnoreCase("aBD"));
        System.out.println("hello".regionMatches(1, "ell", 0, 3) + " " + "hello".regionMatches(true, 1, "ELL", 0, 3) + " " + "hello".startsWith("ll", 2) + "hello".endsWith("") + " " + "hello".substring(2) + "hello".substring(1, 1) + "hello".subSequence(1, 3) + " " + "a-b-c".replaceAll("-", "\\$") + "a-b-c".replaceFirst("[ab]", "$0$0") + "x.y".replace(".", "\\"));
        System.out.println("line1\nline2\r\nline3\rline4".lines().collect(Collectors.toList()) + " " + "  a\n b\n   c".stripIndent().replace("\n", "/") + " " + "a\\tb\\n\\101\\s".translateEscapes().replace("\n", "N").replace("\t", "T") + " " + "x\ny".indent(2).replace("\n", "/") + "  x\n y".indent(-1).replace("\n", "/") + " " + "t".transform(x -> x + "!"));
        System.out.println(String.valueOf(new char[] {'a', 'b', 'c'}, 1, 2) + String.copyValueOf(new char[] {'x'}) + new String(new int[] {0x1f600, 65}, 0, 2) + new String("a😀b".toCharArray(), 1, 2) + " " + "a😀b".codePointAt(1) + " " + "a😀b".codePointAt(2) + " " + "a😀b".codePointBefore(3) + " " + "a😀b".offsetByCodePoints(0, 2) + " " + (int) "a😀b".charAt(1));
        char[] buf = "........".toCharArray();
        "abcdef".getChars(1, 4, buf, 2);
        System.out.println(new String(buf) + " " + "abc".contentEquals(new StringBuilder("abc")) + "abc".contentEquals("abd") + " " + "b".compareTo("a") + " " + "abc".matches("[a-c]+") + " " + "é".equals("e\u0301") + " " + "a,b;c".split("[,;]").length + " " + "x".equals(null) + " " + "a".concat("Ω").concat(""));
        String big = "ab".repeat(1000) + "日" + "cd".repeat(1000);
        System.out.println(big.length() + " " + big.indexOf("日") + " " + big.indexOf("dc") + " " + big.hashCode() + " " + big.substring(0, 10).equals("ababababab") + " " + big.substring(2001).length() + " " + big.replace("b", "").length() + " " + big.lastIndexOf('b') + " " + big.strip().equals(big));
        StringBuilder order = new StringBuilder();
        String[] names = {"banana", "Apple", "cherry", "apple", "Éclair", "eclair", "10", "9"};
        Arrays.sort(names);
        order.append(Arrays.toString(names));
        Arrays.sort(names, String.CASE_INSENSITIVE_ORDER);
        System.out.println(order + Arrays.toString(names));
        System.out.println("%s=%d".formatted("k", 5) + " " + "a".describeConstable().get() + " " + "interned".intern().equals("interned") + " " + (new String("q") == "q"));
        int h = 0;
        for (int i = 0; i < 2000; i++) h = h * 31 + ("" + i * 7919).hashCode() + Integer.toString(i, 36).length();
        System.out.println(h);
    }
}
