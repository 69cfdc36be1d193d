//! Names of files that a run writes: placeholders in them are replaced, and no file of others is overwritten.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A file of a run, as it was when the run began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierFile {
    pub(super) path: PathBuf,
    pub(super) stamp: Option<Stamp>,
}

/// What distinguishes a file from one that is written later under its name.
pub type Stamp = (u64, u64, u64, i64, i64);

/// The stamp of the file that is under a name now.
pub fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((
        file.dev(),
        file.ino(),
        file.len(),
        file.mtime(),
        file.mtime_nsec(),
    ))
}

/// The first of the paths that `name` makes of 1, 2, ... under which there is no file: made empty, so
/// that no other process takes it.
pub fn reserve(name: impl Fn(u32) -> Option<PathBuf>) -> std::io::Result<PathBuf> {
    for n in 1.. {
        let Some(path) = name(n) else { break };
        match File::create_new(&path) {
            Ok(_) => return Ok(path),
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// `x.2.rjp` for `x.rjp`: the whole extension (`.pb.gz`) stays at the end.
pub fn numbered(path: &Path, n: u32) -> PathBuf {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let known = rjvm_profiler::export::by_path(path).map(|f| format!(".{}", f.extension));
    let at = known
        .ok()
        .and_then(|e| Some(name.len() - name.strip_suffix(&e).map(|_| e.len())?));
    let at = at
        .or_else(|| name.rfind('.').filter(|&at| at > 0))
        .unwrap_or(name.len());
    path.with_file_name(format!("{}.{n}{}", &name[..at], &name[at..]))
}

/// Replaces the placeholders in a name.
pub fn named(path: &Path, began: &str) -> std::io::Result<PathBuf> {
    let Some(text) = path.to_str().filter(|t| t.contains('%')) else {
        return Ok(path.to_path_buf());
    };
    let with = |n: u32| {
        let mut name = OsString::new();
        let mut rest = text;
        while let Some(at) = rest.find('%') {
            name.push(&rest[..at]);
            let value = match rest[at + 1..].chars().next() {
                Some('p') => std::process::id().to_string(),
                Some('t') => began.to_owned(),
                Some('n') => n.to_string(),
                Some('%') => "%".into(),
                _ => {
                    name.push("%");
                    rest = &rest[at + 1..];
                    continue;
                }
            };
            name.push(value);
            rest = &rest[at + 2..];
        }
        name.push(rest);
        PathBuf::from(name)
    };
    if with(1) == with(2) {
        return Ok(with(1));
    }
    reserve(|n| Some(with(n)))
}

/// `20260131-235959`.
pub fn time_text(time: std::time::SystemTime) -> String {
    let seconds = time
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |d| d.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days as i64);
    format!(
        "{year:04}{month:02}{day:02}-{:02}{:02}{:02}",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

/// Year, month and day of so many days after 1970-01-01.
pub fn civil(days: i64) -> (i64, i64, i64) {
    // Days from 0000-03-01 in eras of 400 years: leap days are at the end of a year that begins in March.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (era * 400 + year + next, month, date)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn times_are_written_as_dates() {
        for (seconds, text) in [
            (0, "19700101-000000"),
            (951_782_399, "20000228-235959"),
            (951_868_800, "20000301-000000"),
            (1_709_164_800, "20240229-000000"),
            (4_102_444_799, "20991231-235959"),
        ] {
            assert_eq!(time_text(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn numbers_stand_before_the_extension() {
        for (path, with_number) in [
            ("a/x.rjp", "a/x.2.rjp"),
            ("x.pb.gz", "x.2.pb.gz"),
            ("x.speedscope.json", "x.2.speedscope.json"),
            ("samples.log", "samples.2.log"),
            ("none", "none.2"),
        ] {
            assert_eq!(numbered(Path::new(path), 2), Path::new(with_number));
        }
    }

    #[test]
    fn signs_in_names_are_replaced() {
        let name = |text: &str| named(Path::new(text), "T").unwrap().display().to_string();
        let process = std::process::id();
        assert_eq!(name("a-%p-%t%%n%x%"), format!("a-{process}-T%n%x%"));
    }
}
