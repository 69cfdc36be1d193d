import java.util.*;
import java.util.regex.*;
import java.util.stream.*;

/** java.util.regex: groups, quantifiers, look-around, flags, classes, replacement, splitting, errors. */
public class Regexes {
    static void all(String regex, String text, int... flags) {
        Matcher m = Pattern.compile(regex, flags.length > 0 ? flags[0] : 0).matcher(text);
        StringBuilder s = new StringBuilder();
        while (m.find()) {
            s.append('[').append(m.group()).append('@').append(m.start()).append('-').append(m.end());
            for (int g = 1; g <= m.groupCount(); g++) s.append(' ').append(m.group(g));
            s.append(']');
        }
        System.out.println(regex.replace("\n", "\\n") + " : " + s);
    }

    public static void main(String[] args) {
        all("a*", "baac");
        all("(\\w+)@(\\w+)\\.com", "joe@site.com, ann@work.com x@y.org");
        all("(a)|(b)|c", "abc");
        all("<.+>", "<a><b>");
        all("<.+?>", "<a><b>");
        all("<[^>]++>", "<a><b>");
        all("(?<=\\$)\\d+", "cost $45 or 99 or $7");
        all("\\b\\w+(?=ing\\b)", "sing running rings");
        all("(?!un)\\b\\w+", "undo redo");
        all("(\\w)\\1", "aabbcdd hello");
        all("(?<year>\\d{4})-(?<month>\\d\\d)", "2024-05 and 1999-12");
        all("hello", "Hello HELLO hello", Pattern.CASE_INSENSITIVE);
        all("É", "é É", Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        all("^\\w+$", "one\ntwo\nthree", Pattern.MULTILINE);
        all("a.b", "a\nb axb", Pattern.DOTALL);
        all("a b # comment", "ab", Pattern.COMMENTS);
        all("a.b", "a.b axb", Pattern.LITERAL);
        all("[a-c&&[^b]]+", "abcacb");
        all("\\p{Lu}\\p{Ll}*", "Hello World Éa ßx");
        all("[\\p{IsGreek}\\d]+", "abc αβγ 12 δ");
        all("\\x41\\u0042\\t?\\Q.*\\E", "AB.* AB\t.*");
        all("x{2,3}", "x xx xxx xxxxx");
        all("(?i:a)b", "Ab AB ab");
        all("(?>a+)ab", "aaab");
        all("(a+)+$", "aaaaaaaaaaaaaa");
        all("\\R", "a\r\nb\nc\u2028");
        all("😀+", "x😀😀y");
        all("\\G\\d", "123a45");
        Matcher m = Pattern.compile("(?<k>\\w)=(?<v>\\d+)").matcher("a=1 b=22 c=333");
        System.out.println(m.replaceAll("${v}:$1") + " " + m.replaceFirst("<$0>") + " " + m.replaceAll(r -> String.valueOf(Integer.parseInt(r.group(2)) * 2)) + " " + Matcher.quoteReplacement("$1\\"));
        StringBuilder b = new StringBuilder();
        m.reset();
        while (m.find()) m.appendReplacement(b, m.group("k").toUpperCase());
        System.out.println(m.appendTail(b) + " " + m.reset().results().map(r -> r.group(1) + r.start(2)).collect(Collectors.toList()));
        System.out.println(Arrays.toString(Pattern.compile("\\s*,\\s*").split("a , b,c ,, d")) + Pattern.compile("-").splitAsStream("x-y-z").collect(Collectors.joining("+")) + Pattern.matches("\\d{3}", "123") + Pattern.compile("b").asPredicate().test("abc") + Pattern.compile("b").asMatchPredicate().test("abc"));
        Matcher region = Pattern.compile("^a$").matcher("bab").region(1, 2);
        System.out.println(region.matches() + " " + region.useAnchoringBounds(false).find(1) + " " + region.hitEnd() + " " + Pattern.compile("ab").matcher("a").lookingAt() + " " + Pattern.quote("a.b"));
        Matcher hit = Pattern.compile("abc|ab").matcher("abx");
        System.out.println(hit.lookingAt() + " " + hit.end() + " " + hit.toMatchResult().group() + " " + hit.groupCount() + " " + Pattern.compile("x", Pattern.CASE_INSENSITIVE).flags());
        for (String bad : new String[] {"(", "[a", "a{2", "*a", "\\", "(?<n>a)(?<n>b)", "\\k<none>", "[z-a]", "(?<=a*)b", "a{3,2}", "\\p{None}", "(?z)"}) {
            try {
                Pattern.compile(bad);
                System.out.println(bad + " compiles");
            } catch (PatternSyntaxException e) {
                System.out.println(e.getDescription() + " " + e.getIndex() + " " + e.getPattern());
            }
        }
        try {
            m.reset();
            m.group();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            "a".replaceAll("(a)", "$2");
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("a".repeat(300).matches("(a|b)*") + " " + "ab".repeat(2000).replaceAll("(?:ab){100}", "x").length());
    }
}
