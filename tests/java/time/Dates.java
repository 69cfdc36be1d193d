import java.time.*;
import java.time.chrono.*;
import java.time.temporal.*;
import java.util.*;
import java.util.stream.*;

/** java.time: dates, times, zones with transitions, durations, periods, adjusters, other calendars, failures. */
public class Dates {
    interface Body { Object run(); }
    static void show(String what, Body b) {
        try {
            System.out.println(what + " = " + b.run());
        } catch (RuntimeException e) {
            System.out.println(what + " -> " + e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        LocalDate d = LocalDate.of(2024, 2, 29);
        System.out.println(d.plusYears(1) + " " + d.plusMonths(12) + " " + d.minusDays(366) + " " + d.withDayOfYear(100) + " " + d.getDayOfWeek() + " " + d.isLeapYear() + " " + d.lengthOfMonth() + " " + d.toEpochDay() + " " + LocalDate.ofEpochDay(-1) + " " + LocalDate.MIN + " " + d.atStartOfDay() + " " + d.compareTo(LocalDate.of(2023, 1, 1)) + " " + d.hashCode());
        System.out.println(d.with(TemporalAdjusters.firstDayOfNextMonth()) + " " + d.with(TemporalAdjusters.next(DayOfWeek.MONDAY)) + " " + d.with(TemporalAdjusters.lastInMonth(DayOfWeek.FRIDAY)) + " " + d.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR) + " " + d.get(IsoFields.QUARTER_OF_YEAR) + " " + d.range(ChronoField.DAY_OF_MONTH) + " " + d.get(WeekFields.of(Locale.US).weekOfYear()) + " " + d.getLong(ChronoField.PROLEPTIC_MONTH) + " " + d.getLong(JulianFields.JULIAN_DAY));
        System.out.println(ChronoUnit.DAYS.between(LocalDate.of(1900, 1, 1), d) + " " + Period.between(LocalDate.of(2000, 3, 31), d) + " " + d.until(LocalDate.of(2030, 1, 1), ChronoUnit.WEEKS) + " " + d.datesUntil(LocalDate.of(2024, 3, 3)).map(LocalDate::getDayOfMonth).collect(Collectors.toList()) + " " + Period.parse("P1Y2M-3D").normalized() + " " + Period.of(0, 14, 5).normalized() + " " + Period.ofWeeks(2).multipliedBy(-1));
        LocalTime t = LocalTime.of(23, 59, 59, 999_999_999);
        System.out.println(t.plusNanos(1) + " " + t.minusHours(25) + " " + t.truncatedTo(ChronoUnit.MINUTES) + " " + t.toNanoOfDay() + " " + t.withHour(1).isBefore(t) + " " + LocalTime.MIDNIGHT + " " + LocalTime.of(10, 5) + " " + LocalTime.ofSecondOfDay(3661) + " " + t.with(ChronoField.AMPM_OF_DAY, 0));
        Duration u = Duration.ofSeconds(3661, -1);
        System.out.println(u + " " + u.negated() + " " + u.toMinutes() + " " + u.getNano() + " " + u.plus(Duration.ofDays(2)).toHoursPart() + " " + Duration.parse("PT-1H30.5S") + " " + Duration.between(LocalTime.NOON, t).toMillis() + " " + Duration.ofMillis(-1) + " " + Duration.ZERO + " " + u.dividedBy(2) + " " + u.compareTo(Duration.ofHours(1)) + " " + Duration.ofDays(1).dividedBy(Duration.ofMinutes(7)));
        ZoneId ny = ZoneId.of("America/New_York"), berlin = ZoneId.of("Europe/Berlin");
        ZonedDateTime gap = ZonedDateTime.of(2024, 3, 10, 2, 30, 0, 0, ny), overlap = ZonedDateTime.of(2024, 11, 3, 1, 30, 0, 0, ny);
        System.out.println(gap + " " + overlap + " " + overlap.withLaterOffsetAtOverlap() + " " + overlap.plusHours(1) + " " + overlap.plusDays(1) + " " + gap.withZoneSameInstant(berlin) + " " + gap.withZoneSameLocal(ZoneOffset.UTC) + " " + gap.toInstant() + " " + Duration.between(gap, overlap));
        System.out.println(berlin.getRules().getTransition(LocalDateTime.of(2023, 10, 29, 2, 30)) + " " + berlin.getRules().nextTransition(Instant.EPOCH).getInstant() + " " + berlin.getRules().isDaylightSavings(Instant.ofEpochSecond(1_720_000_000)) + " " + ny.getRules().getStandardOffset(Instant.EPOCH) + " " + ZoneId.of("Asia/Kolkata").getRules().getOffset(Instant.EPOCH) + " " + ZoneId.of("UTC+05:30") + " " + ZoneOffset.ofHoursMinutes(-3, -30) + " " + ZoneId.getAvailableZoneIds().contains("Pacific/Apia") + " " + ZoneId.systemDefault());
        Instant i = Instant.ofEpochMilli(1_709_211_909_123L);
        System.out.println(i + " " + i.plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS) + " " + i.getEpochSecond() + " " + Instant.MIN + " " + Instant.ofEpochSecond(-1, 5).toEpochMilli() + " " + i.atOffset(ZoneOffset.ofHours(9)) + " " + OffsetDateTime.parse("2024-01-01T00:00:00+14:00").toEpochSecond() + " " + Instant.parse("1969-12-31T23:59:59.5Z").toEpochMilli());
        System.out.println(Year.of(1900).isLeap() + " " + YearMonth.of(2023, 2).atEndOfMonth() + " " + MonthDay.of(2, 29).atYear(2023) + " " + Month.of(5).plus(10) + " " + DayOfWeek.SUNDAY.plus(1) + " " + Month.FEBRUARY.maxLength() + " " + LocalDateTime.of(2024, 1, 31, 0, 0).plusMonths(1) + " " + Clock.fixed(i, ZoneOffset.UTC).instant().equals(i) + " " + Clock.tick(Clock.fixed(i, ny), Duration.ofHours(1)).instant());
        System.out.println(ThaiBuddhistDate.from(d) + " " + JapaneseDate.from(d) + " " + MinguoDate.from(d) + " " + HijrahDate.from(d) + " " + JapaneseEra.of(2) + " " + IsoChronology.INSTANCE.isLeapYear(2000) + " " + Chronology.of("ThaiBuddhist").date(2567, 1, 1).plus(1, ChronoUnit.MONTHS));
        show("date", () -> LocalDate.of(2023, 2, 29));
        show("month", () -> LocalDate.of(2023, 13, 1));
        show("day", () -> LocalDate.ofYearDay(2023, 366));
        show("time", () -> LocalTime.of(24, 0));
        show("unit", () -> d.plus(1, ChronoUnit.HOURS));
        show("field", () -> d.get(ChronoField.HOUR_OF_DAY));
        show("zone", () -> ZoneId.of("Mars/Base"));
        show("zone", () -> ZoneId.of("?"));
        show("offset", () -> ZoneOffset.ofHours(19));
        show("overflow", () -> LocalDate.MAX.plusDays(1));
        show("overflow", () -> Duration.ofSeconds(Long.MAX_VALUE).plusSeconds(1));
        show("from", () -> LocalDate.from(LocalTime.NOON));
        show("period", () -> Period.parse("P"));
        show("between", () -> ChronoUnit.HOURS.between(d, d));
        GregorianCalendar c = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.US);
        c.clear();
        c.set(2024, Calendar.JANUARY, 31, 12, 0);
        c.add(Calendar.MONTH, 1);
        c.roll(Calendar.DAY_OF_MONTH, 3);
        System.out.println(c.getTimeInMillis() + " " + c.get(Calendar.DAY_OF_WEEK) + " " + c.get(Calendar.WEEK_OF_YEAR) + " " + c.getActualMaximum(Calendar.DAY_OF_MONTH) + " " + c.toZonedDateTime() + " " + new Date(0) + " " + TimeZone.getTimeZone("Europe/London").getOffset(1_720_000_000_000L) + " " + TimeZone.getTimeZone("no/where").getID());
    }
}
