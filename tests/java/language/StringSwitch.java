/** switch on strings: equal hash codes, the empty string, fall-through, null. */
public class StringSwitch {
    static int kind(String s) {
        switch (s) {
            case "": return 0;
            case "Aa": return 1;
            case "BB": return 2;
            case "AaAa": return 3;
            case "BBBB": return 4;
            case "AaBB": return 5;
            case "\u00e9": return 6;
            case "long text with blanks": return 7;
            default: return -1;
        }
    }

    static String fall(String s) {
        String r = "";
        switch (s) {
            case "a": r += "a";
            default: r += "d";
            case "b": r += "b";
                break;
            case "c": r += "c";
        }
        return r;
    }

    public static void main(String[] args) {
        String[] all = {"", "Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa", "C#", "\u00e9", "e", "long text with blanks", "long text"};
        for (String s : all) System.out.print(kind(s) + (s.hashCode() == "AaAa".hashCode() ? "* " : " "));
        System.out.println();
        for (String s : "a b c d".split(" ")) System.out.print(fall(s) + " ");
        System.out.println();
        StringBuilder b = new StringBuilder("A");
        System.out.println(kind(b.append('a').toString()));
        try {
            kind(null);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        char c = 'x';
        final String constant = "co" + "nst";
        switch ("con" + (c == 'x' ? "st" : "")) {
            case constant: System.out.println("folded");
                break;
            default: System.out.println("wrong");
        }
    }
}
