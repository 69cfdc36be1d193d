import java.text.*;
import java.util.*;

/** java.text: DecimalFormat, MessageFormat, ChoiceFormat, SimpleDateFormat in UTC, BreakIterator, Normalizer, Collator. */
public class Texts {
    public static void main(String[] args) throws Exception {
        DecimalFormatSymbols us = DecimalFormatSymbols.getInstance(Locale.US);
        for (String p : new String[] {"#,##0.00", "0.###E0", "00000", "#.#%", "\u00a4#,##0.00;(\u00a4#)", "##0.##E0", "'#'0", "#,##,##0.0"}) {
            DecimalFormat f = new DecimalFormat(p, us);
            System.out.println(p + " " + f.format(1234567.891) + " " + f.format(-0.5) + " " + f.format(0) + " " + f.format(Long.MIN_VALUE) + " " + f.format(Double.NaN));
        }
        DecimalFormat g = new DecimalFormat("#,##0.##", DecimalFormatSymbols.getInstance(Locale.GERMANY));
        System.out.println(g.format(1234567.891) + " " + g.parse("1.234,5") + " " + NumberFormat.getPercentInstance(Locale.US).format(0.256) + " " + NumberFormat.getIntegerInstance(Locale.US).format(2.5) + NumberFormat.getIntegerInstance(Locale.US).format(3.5));
        ParsePosition pos = new ParsePosition(0);
        System.out.println(new DecimalFormat("0.0", us).parse("12.5abc", pos) + " " + pos.getIndex());
        try {
            NumberFormat.getInstance(Locale.US).parse("abc");
        } catch (ParseException e) {
            System.out.println(e.getMessage() + " " + e.getErrorOffset());
        }
        System.out.println(new MessageFormat("{0} has {1,number,integer} file{1,choice,0#s|1#|1<s} in ''{2}'' {3}", Locale.US).format(new Object[] {"Ann", 1234, "dir", null}));
        System.out.println(new ChoiceFormat("-1#negative|0#zero|1#one|1.0<many").format(-5) + " " + new ChoiceFormat("0#zero|1#one|1<many").format(1.5));
        System.out.println(Arrays.toString(new MessageFormat("{0}-{1}").parse("left-right")));
        SimpleDateFormat sdf = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZ EEE MMM D w G a h", Locale.US);
        sdf.setTimeZone(TimeZone.getTimeZone("UTC"));
        System.out.println(sdf.format(new Date(0)) + " " + sdf.format(new Date(1709211909123L)) + " " + sdf.format(new Date(-1)));
        SimpleDateFormat p = new SimpleDateFormat("dd/MM/yyyy HH:mm", Locale.US);
        p.setTimeZone(TimeZone.getTimeZone("GMT+02:00"));
        System.out.println(p.parse("29/02/2024 13:05").getTime() + " " + p.parse("31/02/2023 25:61").getTime());
        p.setLenient(false);
        try {
            p.parse("31/02/2023 10:00");
        } catch (ParseException e) {
            System.out.println(e.getMessage());
        }
        BreakIterator words = BreakIterator.getWordInstance(Locale.US);
        String text = "Hello, big world. It's 3.14 today! OK?";
        words.setText(text);
        List<String> parts = new ArrayList<>();
        for (int a = words.first(), b = words.next(); b != BreakIterator.DONE; a = b, b = words.next()) if (Character.isLetterOrDigit(text.charAt(a))) parts.add(text.substring(a, b));
        System.out.println(parts);
        BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.US);
        sentences.setText(text);
        int count = 0;
        while (sentences.next() != BreakIterator.DONE) count++;
        System.out.println(count);
        for (Normalizer.Form f : Normalizer.Form.values()) System.out.print(Normalizer.normalize("é ﬁ Å ①", f).length() + (Normalizer.isNormalized("é", f) ? "y " : "n "));
        System.out.println();
        Collator c = Collator.getInstance(Locale.US);
        String[] names = {"zebra", "Éa", "eb", "apple", "Apple", "e"};
        Arrays.sort(names, c);
        c.setStrength(Collator.PRIMARY);
        System.out.println(Arrays.toString(names) + " " + c.compare("É", "e") + c.compare("a", "b"));
        CharacterIterator it = new StringCharacterIterator("abc");
        StringBuilder back = new StringBuilder();
        for (char ch = it.last(); ch != CharacterIterator.DONE; ch = it.previous()) back.append(ch);
        System.out.println(back);
    }
}
