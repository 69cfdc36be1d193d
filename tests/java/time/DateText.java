import java.time.*;
import java.time.format.*;
import java.time.temporal.*;
import java.util.*;

/** DateTimeFormatter: patterns, built-in formats, locales, builders, parsing with resolver styles, errors. */
public class DateText {
    interface Body { Object run(); }
    static void show(String what, Body b) {
        try {
            System.out.println(what + " = " + b.run());
        } catch (DateTimeException | IllegalArgumentException e) {
            System.out.println(what + " -> " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        ZonedDateTime z = ZonedDateTime.of(2024, 2, 5, 7, 8, 9, 120_000_000, ZoneId.of("Europe/Paris"));
        for (String p : new String[] {"yyyy-MM-dd HH:mm:ss.SSS", "yy/M/d H:m:s", "EEEE d MMMM uuuu", "EEE MMM", "hh:mm a", "D w e", "'quoted' ''yyyy''", "XXX xx Z O VV z", "QQQ q G", "kk KK n", "MMMMM", "yyyyy", "[yyyy][ 'opt']", "B", "ccc"})
            show(p, () -> DateTimeFormatter.ofPattern(p, Locale.US).format(z));
        for (DateTimeFormatter f : new DateTimeFormatter[] {DateTimeFormatter.ISO_DATE_TIME, DateTimeFormatter.BASIC_ISO_DATE, DateTimeFormatter.ISO_WEEK_DATE, DateTimeFormatter.ISO_ORDINAL_DATE, DateTimeFormatter.RFC_1123_DATE_TIME, DateTimeFormatter.ISO_INSTANT, DateTimeFormatter.ISO_OFFSET_TIME}) System.out.println(f.format(z));
        for (Locale l : new Locale[] {Locale.US, Locale.GERMANY, Locale.FRANCE}) System.out.println(l + " " + DateTimeFormatter.ofLocalizedDate(FormatStyle.FULL).withLocale(l).format(z) + " | " + DateTimeFormatter.ofLocalizedDate(FormatStyle.SHORT).withLocale(l).format(z) + " | " + Month.MARCH.getDisplayName(TextStyle.SHORT, l) + " | " + DayOfWeek.MONDAY.getDisplayName(TextStyle.FULL, l));
        show("date", () -> LocalDate.parse("2024-02-30"));
        show("date", () -> LocalDate.parse("2024-2-03"));
        show("date", () -> LocalDate.parse("05 Feb 2024", DateTimeFormatter.ofPattern("dd MMM uuuu", Locale.US)));
        show("case", () -> LocalDate.parse("05 FEB 2024", new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern("dd MMM uuuu").toFormatter(Locale.US)));
        show("smart", () -> LocalDate.parse("31/02/2024", DateTimeFormatter.ofPattern("dd/MM/uuuu")));
        show("lenient", () -> LocalDate.parse("31/02/2024", DateTimeFormatter.ofPattern("dd/MM/uuuu").withResolverStyle(ResolverStyle.LENIENT)));
        show("strict", () -> LocalDate.parse("31/02/2024", DateTimeFormatter.ofPattern("dd/MM/uuuu").withResolverStyle(ResolverStyle.STRICT)));
        show("trailing", () -> LocalTime.parse("10:15:30x"));
        show("instant", () -> Instant.parse("2024-01-01T24:00:00Z"));
        show("zoned", () -> ZonedDateTime.parse("2024-07-01T10:00+02:00[Europe/Berlin]").toInstant());
        show("offset", () -> OffsetDateTime.parse("2024-07-01T10:00"));
        show("default", () -> LocalDateTime.parse("2024", new DateTimeFormatterBuilder().appendPattern("uuuu").parseDefaulting(ChronoField.MONTH_OF_YEAR, 6).parseDefaulting(ChronoField.DAY_OF_MONTH, 7).parseDefaulting(ChronoField.HOUR_OF_DAY, 8).toFormatter()));
        show("fraction", () -> new DateTimeFormatterBuilder().appendValue(ChronoField.SECOND_OF_MINUTE, 2).appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true).toFormatter().format(z));
        show("reduced", () -> LocalDate.parse("050299", DateTimeFormatter.ofPattern("ddMMyy")) + " " + LocalDate.parse("050265", new DateTimeFormatterBuilder().appendPattern("ddMM").appendValueReduced(ChronoField.YEAR, 2, 2, 1950).toFormatter()));
        show("best", () -> DateTimeFormatter.ofPattern("uuuu-MM-dd[ HH:mm]").parseBest("2024-05-06", LocalDateTime::from, LocalDate::from));
        show("unsupported", () -> DateTimeFormatter.ISO_TIME.format(LocalDate.EPOCH));
        show("pattern", () -> DateTimeFormatter.ofPattern("bbb"));
        show("pattern", () -> DateTimeFormatter.ofPattern("yyyy['x"));
        
        show("pad", () -> new DateTimeFormatterBuilder().padNext(6, '*').appendValue(ChronoField.HOUR_OF_DAY).appendLiteral('!').appendText(ChronoField.AMPM_OF_DAY, Map.of(0L, "morning", 1L, "evening")).toFormatter().format(z));
        show("text", () -> DateTimeFormatter.ISO_LOCAL_DATE + " " + DateTimeFormatter.ofPattern("dd").withZone(ZoneOffset.UTC));
        show("query", () -> z.query(TemporalQueries.precision()) + " " + z.query(TemporalQueries.zone()) + " " + z.query(TemporalQueries.chronology()));
        show("duration", () -> Duration.parse("PT1.5M"));
        show("duration", () -> Duration.parse("P2DT3H4.025S").toNanos());
    }
}
