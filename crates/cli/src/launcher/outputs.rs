//! The files that profiles and samples are to be written to: before the program runs, their names are
//! made, and it is known whether they can be written; afterwards no VM takes the file of another.

use super::config::Config;
use rjvm_profiler::export::Output;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A file of a run, as it was when the run began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    path: PathBuf,
    stamp: Option<Stamp>,
}

/// What distinguishes a file from one that is written later under its name.
type Stamp = (u64, u64, u64, i64, i64);

fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((
        file.dev(),
        file.ino(),
        file.len(),
        file.mtime(),
        file.mtime_nsec(),
    ))
}

/// Makes the names of the files, and says what is wrong with one that is to be written, if anything.
///
/// In a name `%p` is the number of the process, `%t` the time (UTC) at which it began, `%n` the smallest
/// number from 1 on for which there is no file yet, and `%%` a percent sign.
pub fn prepare(config: &mut Config) -> Result<(), String> {
    let began = time_text(std::time::SystemTime::now());
    let profiles = config.outputs.iter_mut().chain(&mut config.sample_outputs);
    let profiles = profiles.map(|output| (output.is_stdout(), &mut output.path, "profile"));
    let log = config.sample_log.iter_mut();
    let recordings = config.flight_recordings.iter_mut();
    let recordings = recordings.filter_map(|r| Some((false, r.file.as_mut()?, "recording")));
    let log = log.map(|path| (false, path, "samples"));
    let files = profiles.chain(log).chain(recordings);
    let mut done: Vec<PathBuf> = Vec::new();
    for (stdout, path, what) in files {
        let refused = |path: &Path, problem: &dyn std::fmt::Display| {
            Err(format!(
                "{}: cannot write the {what}: {problem}",
                path.display()
            ))
        };
        *path = match named(path, &began) {
            Ok(name) => name,
            Err(problem) => return refused(path, &problem),
        };
        if done.contains(path) {
            return refused(path, &"it would be written twice");
        }
        if stdout {
            done.push(path.clone());
            continue;
        }
        if path.is_dir() {
            return refused(path, &"it is a folder");
        }
        if let Some(folder) = path.parent()
            && missing(folder)
        {
            return refused(
                path,
                &format_args!("there is no folder {}", folder.display()),
            );
        }
        if config.outputs_are_shared
            && let Some(stamp) = fs::metadata(&*path).ok().filter(fs::Metadata::is_file)
            && stamp.len() > 0
        {
            *path = reserve(|n| Some(numbered(path, n + 1))).map_err(|e| e.to_string())?;
        }
        done.push(path.clone());
    }
    let before = done.into_iter().map(|path| Before {
        stamp: stamp(&path),
        path,
    });
    config.before = before.collect();
    Ok(())
}

/// Where a file is written now, and what is to be said of that. A file that another process has written
/// since the run began stays as it is.
pub fn target(config: &Config, path: &Path) -> (PathBuf, Option<String>) {
    let before = config
        .before
        .iter()
        .find(|b| b.path == path)
        .and_then(|b| b.stamp);
    let now = stamp(path);
    if now.is_none() || now == before {
        return (path.to_path_buf(), None);
    }
    let reserved = reserve(|n| Some(numbered(path, n + 1)));
    match reserved {
        Ok(other) => {
            let said = format!(
                "{} was written by another process while this program ran, and is left as it is",
                path.display()
            );
            (other, Some(said))
        }
        Err(_) => (path.to_path_buf(), None),
    }
}

/// The same of an output.
pub fn output(config: &Config, output: &Output) -> (Output, Option<String>) {
    if output.is_stdout() {
        return (output.clone(), None);
    }
    let (path, said) = target(config, &output.path);
    let format = output.format;
    (Output { format, path }, said)
}

/// Where a snapshot of what is going to be in a file is written: `x.1.rjp`, `x.2.rjp` for `x.rjp`.
pub fn snapshot(path: &Path) -> PathBuf {
    reserve(|n| Some(numbered(path, n))).unwrap_or_else(|_| numbered(path, 1))
}

/// Was there something else in the file when the run began?
pub fn replaces(config: &Config, path: &Path) -> bool {
    let before = config
        .before
        .iter()
        .find(|b| b.path == path)
        .and_then(|b| b.stamp);
    before.is_some_and(|(_, _, length, ..)| length > 0)
}

/// The first of the paths that `name` makes of 1, 2, ... under which there is no file: made empty, so
/// that no other process takes it.
fn reserve(name: impl Fn(u32) -> Option<PathBuf>) -> std::io::Result<PathBuf> {
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
fn numbered(path: &Path, n: u32) -> PathBuf {
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

/// Replaces what stands for something in a name.
fn named(path: &Path, began: &str) -> std::io::Result<PathBuf> {
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
fn time_text(time: std::time::SystemTime) -> String {
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

fn missing(folder: &Path) -> bool {
    !folder.as_os_str().is_empty() && !folder.is_dir()
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
