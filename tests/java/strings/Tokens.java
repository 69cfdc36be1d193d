import java.io.*;
import java.util.*;

/** Scanner on standard input, StringTokenizer, StreamTokenizer, arguments of main. */
public class Tokens {
    public static void main(String[] args) throws IOException {
        System.out.println(args.length + " " + Arrays.toString(args));
        for (String a : args) System.out.println("[" + a + "] " + a.length());
        Scanner in = new Scanner(System.in).useLocale(Locale.ROOT);
        int n = in.nextInt();
        long sum = 0;
        for (int i = 0; i < n; i++) sum += in.nextLong();
        System.out.println(n + " " + sum + " " + in.nextDouble() + " " + in.nextBoolean() + " " + in.next() + " " + in.hasNextInt());
        System.out.println("[" + in.nextLine() + "] [" + in.nextLine() + "]");
        System.out.println(in.nextInt(16) + " " + in.nextBigInteger() + " " + in.nextBigDecimal() + " " + in.next("[a-z]+\\d") + " " + in.hasNext("x.*"));
        try {
            in.nextInt();
        } catch (InputMismatchException e) {
            System.out.println("mismatch " + e.getMessage() + " then " + in.next());
        }
        in.useDelimiter("[,;\n]+");
        while (in.hasNext()) System.out.print("<" + in.next().trim() + ">");
        System.out.println();
        try {
            in.next();
        } catch (NoSuchElementException e) {
            System.out.println("end " + e.getMessage());
        }
        in.close();
        try {
            in.hasNext();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        Scanner s = new Scanner("key = value; other=5 end");
        System.out.println(s.findInLine("(\\w+)\\s*=\\s*(\\w+)") + " " + s.match().group(2) + " " + s.skip(";\\s*").next() + " " + s.tokens().count());
        StringTokenizer t = new StringTokenizer("a b\tc,d", " \t,", true);
        StringBuilder b = new StringBuilder();
        b.append(t.countTokens()).append(' ');
        while (t.hasMoreTokens()) b.append('[').append(t.nextToken()).append(']');
        System.out.println(b);
        StreamTokenizer st = new StreamTokenizer(new StringReader("x = 3.5 + 'quoted' // comment\n\"two\\n\" -7 /* c */ y_1 $"));
        st.slashSlashComments(true);
        st.slashStarComments(true);
        st.eolIsSignificant(true);
        st.wordChars('_', '_');
        b.setLength(0);
        while (st.nextToken() != StreamTokenizer.TT_EOF) b.append(st.ttype == StreamTokenizer.TT_WORD ? "w:" + st.sval : st.ttype == StreamTokenizer.TT_NUMBER ? "n:" + st.nval : st.ttype == StreamTokenizer.TT_EOL ? "eol" : st.sval != null ? "q:" + st.sval.trim() : "c:" + (char) st.ttype).append(' ');
        System.out.println(b + " line " + st.lineno());
    }
}
