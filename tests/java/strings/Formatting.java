import java.math.*;
import java.util.*;

/** Formatter: flags, widths, precisions of all conversions, indexes, locales, errors. */
public class Formatting {
    static void f(String pattern, Object... args) {
        try {
            System.out.println(pattern + " -> [" + String.format(Locale.ROOT, pattern, args) + "]");
        } catch (IllegalFormatException e) {
            System.out.println(pattern + " -> " + e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        f("%d %5d %-5d| %05d %+d %(d %,d % d", 1, 2, 3, 4, 5, -6, 1234567, 7);
        f("%d %d %d %d", (byte) -1, (short) -2, 3L, new BigInteger("123456789012345678901234567890"));
        f("%x %X %#x %08x %o %#o %x %x", 255, 255, 255, 255, 8, 8, -1, -1L);
        f("%x %x %X", (byte) -1, (short) -1, new BigInteger("-255"));
        f("%f %.2f %10.3f %-10.1f| %+.0f %,.2f %(.1f %010.2f", 1.5, 2.345, 3.14159, 2.25, 2.5, 1234567.891, -3.25, -4.5);
        f("%e %.3E %g %.3g %g %a %a", 12345.678, 0.00012345, 0.0001, 123456.0, 1e-5, 1.0, 0.1f);
        f("%f %f %f %e %g %5.1f", Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN, Double.POSITIVE_INFINITY, -0.0);
        f("%.1f %.1f %.1f %.1f %.0f %.0f %.0f", 0.25, 0.35, 0.45, 0.05, 0.5, 1.5, 2.5);
        f("%.3f %s %.20f", new BigDecimal("1234.56789"), new BigDecimal("1E+5"), 0.1);
        f("%s %S %10s %-10s| %.2s %10.3s", "str", "str", "right", "left", "precision", "both");
        f("%s %s %s %s", null, true, 'c', List.of(1, 2));
        f("%b %B %b %b %.1b", true, false, null, "x", true);
        f("%c %C %c %c %5c %-3c|", 'a', 'b', 65, 0x1f600, 'd', 'e');
        f("%h %H %h", "hello", "hello", null);
        f("%2$s %1$s %s %s %<s %2$s", "a", "b");
        f("%n%%%5%|%-5%|");
        f("%tY-%<tm-%<td %<tH:%<tM:%<tS.%<tL %<tB %<tA %<tj %<tZ", new GregorianCalendar(2024, Calendar.FEBRUARY, 29, 13, 5, 9));
        f("%tF %<tT %<tR %<tD %<tr %<tc", new GregorianCalendar(1999, Calendar.DECEMBER, 31, 0, 0, 1));
        f("%te %<tb %<ty %<tp %<tI %<tl %<tk %<ts %<tQ %<tN", new Date(86400000L));
        f("%s %d", "only");
        f("%d", "text");
        f("%d", 1.5);
        f("%f", 1);
        f("%c", "s");
        f("%z", 1);
        f("%-d", 1);
        f("%+s", "x");
        f("%-05d", 1);
        f("%.2d", 1);
        f("%,x", 1);
        f("%5n");
        f("%");
        f("%1$");
        f("%c", 0x110000);
        f("%#d", 1);
        f("%<s", 1);
        Formattable own = (fmt, flags, width, precision) -> fmt.format("own:%d:%d:%d", flags, width, precision);
        f("%s %10s %-#8.3S", own, own, own);
        System.out.println(String.format(Locale.GERMANY, "%,.2f %,d", 1234567.891, 1234567) + " " + String.format(Locale.FRANCE, "%.3f", 0.5) + " " + String.format(Locale.US, "%,.1f", 9999.95));
        StringBuilder out = new StringBuilder();
        Formatter fmt = new Formatter(out, Locale.ROOT);
        fmt.format("%d-", 1).format("%s", "two");
        System.out.println(out + " " + fmt.locale().toString().isEmpty());
        fmt.close();
        try {
            fmt.format("x");
        } catch (FormatterClosedException e) {
            System.out.println("closed");
        }
        System.out.printf(Locale.ROOT, "%s%n", "printf");
    }
}
