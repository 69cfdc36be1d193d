//! Moments as tools show them.

/// A moment in seconds since 1970, in UTC.
pub fn date(seconds: i64, of_days: &str, before_time: &str) -> String {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = crate::launcher::names::civil(days);
    let (hours, minutes, seconds) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!(
        "{year:04}{of_days}{month:02}{of_days}{day:02}{before_time}{hours:02}:{minutes:02}:{seconds:02}"
    )
}
