//! Requests for recordings: `-XX:StartFlightRecording`, `-XX:FlightRecorderOptions`, and `jcmd PID JFR.start`, which have the
//! same keys.

use super::error::RecordingError;
use super::settings::{JfrSettings, nanos};
use crate::launcher::sizes::size;
use std::path::{Path, PathBuf};

/// Frames of a stack, by default.
const DEPTH: usize = 64;

/// Bytes of a recording's chunks that are stored, by default: HotSpot's 250 MB.
pub const MOST: u64 = 250 << 20;

/// A recording that is requested.
#[derive(Clone, Debug)]
pub struct RequestedRecording {
    /// `name`
    pub name: Option<String>,
    /// `filename`
    pub file: Option<PathBuf>,
    /// Nanoseconds: `delay`, `duration`, `maxage`.
    pub delay: i64,
    /// See there.
    pub duration: Option<i64>,
    /// See there.
    pub max_age: Option<i64>,
    /// `maxsize`
    pub max_size: Option<u64>,
    /// `dumponexit`
    pub at_exit: bool,
    settings: Vec<String>,
    /// `event#setting=value`
    single: Vec<(String, String)>,
    /// Messages.
    pub notes: Vec<String>,
}

/// How all recordings are made: `-XX:FlightRecorderOptions`.
#[derive(Clone, Copy, Debug)]
pub struct RecorderOptions {
    /// Frames of a stack.
    pub depth: usize,
    /// Bytes of a chunk.
    pub chunk: usize,
}

impl Default for RecorderOptions {
    fn default() -> RecorderOptions {
        RecorderOptions {
            depth: DEPTH,
            chunk: rjvm_jfr::FULL,
        }
    }
}

/// Splits at commas that are not within quotes, then at the first `=`.
pub fn pairs(text: &str) -> Vec<(String, Option<String>)> {
    let mut parts = vec![String::new()];
    let mut quote = None;
    for c in text.chars() {
        match (c, quote) {
            (',', None) => parts.push(String::new()),
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(q)) if c == q => quote = None,
            (c, _) => parts.last_mut().expect("there is one").push(c),
        }
    }
    let parts = parts.into_iter().filter(|p| !p.is_empty());
    parts
        .map(|p| match p.split_once('=') {
            Some((key, value)) => (key.to_owned(), Some(value.to_owned())),
            None => (p, None),
        })
        .collect()
}

/// Options of HotSpot's that say how it records, not what.
const WITHOUT_EFFECT: [&str; 4] = [
    "disk",
    "flush-interval",
    "path-to-gc-roots",
    "report-on-exit",
];

impl RequestedRecording {
    /// Reads keys with values.
    pub fn read(
        given: impl IntoIterator<Item = (String, Option<String>)>,
    ) -> Result<RequestedRecording, RecordingError> {
        let mut w = RequestedRecording {
            name: None,
            file: None,
            delay: 0,
            duration: None,
            max_age: None,
            max_size: None,
            at_exit: false,
            settings: Vec::new(),
            single: Vec::new(),
            notes: Vec::new(),
        };
        let mut at_exit = None;
        for (key, value) in given {
            let text = value.as_deref().unwrap_or_default();
            let wrong = |what| RecordingError::Value(key.clone(), text.into(), what);
            let span = || nanos(text).ok_or_else(|| wrong("a time such as 30s, 5m or 1h"));
            let flag = || match text {
                "" | "true" => Ok(true),
                "false" => Ok(false),
                _ => Err(wrong("true or false")),
            };
            match key.as_str() {
                "name" if text.parse::<i32>().is_ok() => {
                    return Err(RecordingError::Keys("Name of recording can't be numeric"));
                }
                "name" => w.name = Some(text.into()),
                "filename" if text.is_empty() => {}
                "filename" => w.file = Some(text.into()),
                "settings" if text.is_empty() => return Err(wrong("a name or none")),
                "settings" => w.settings.push(text.into()),
                "delay" => w.delay = span()?,
                "duration" => w.duration = Some(span()?).filter(|n| *n > 0),
                "maxage" => w.max_age = Some(span()?).filter(|n| *n > 0),
                "maxsize" => {
                    let bytes = size(text).ok_or_else(|| wrong("a size such as 500M or 1g"))?;
                    w.max_size = Some(bytes);
                }
                "dumponexit" => at_exit = Some(flag()?),
                known if WITHOUT_EFFECT.contains(&known) => {
                    w.notes.push(format!("{key} has no effect on recordings"));
                }
                event if event.contains('#') => {
                    let event = event.trim_start_matches('+');
                    w.single.push((event.into(), text.into()));
                }
                _ => w
                    .notes
                    .push(format!("The .jfc option/setting '{key}' doesn't exist.")),
            }
        }
        w.check(at_exit)?;
        if w.duration.is_none() && w.max_age.is_none() && w.max_size.is_none() {
            w.max_size = Some(MOST);
        }
        w.max_size = w.max_size.filter(|n| *n > 0);
        w.at_exit = at_exit.unwrap_or(w.file.is_some());
        Ok(w)
    }
    /// What is wrong with the keys together.
    fn check(&self, at_exit: Option<bool>) -> Result<(), RecordingError> {
        const SECOND: i64 = 1_000_000_000;
        if self.duration.is_some_and(|n| n < SECOND) {
            return Err(RecordingError::Keys(
                "Could not start recording, duration must be at least 1 second.",
            ));
        }
        if (1..SECOND).contains(&self.delay) {
            return Err(RecordingError::Keys(
                "Could not start recording, delay must be at least 1 second.",
            ));
        }
        if self.duration.is_none() && at_exit == Some(false) && self.file.is_some() {
            return Err(RecordingError::Keys(
                "Filename can only be set for a time bound recording or if \
                 dumponexit=true. Set duration/dumponexit or omit filename.",
            ));
        }
        Ok(())
    }
    /// Which events are recorded.
    pub fn settings(&mut self, java_home: &Path) -> Result<JfrSettings, RecordingError> {
        let mut settings = match self.settings.is_empty() {
            true => JfrSettings::everything(),
            false => JfrSettings::nothing(),
        };
        for name in self.settings.iter().filter(|name| *name != "none") {
            settings.read(name, java_home)?;
        }
        for (key, value) in &self.single {
            let (event, setting) = key.split_once('#').unwrap_or((key, ""));
            if !settings.set(event, setting, value)? {
                let note = format!("The .jfc option/setting '{key}' doesn't exist.");
                self.notes.push(note);
            }
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<RequestedRecording, RecordingError> {
        RequestedRecording::read(pairs(text))
    }

    #[test]
    fn keys_are_those_of_hotspot() {
        let w = read("filename=\"a,b.jfr\",duration=30s,name=x,maxsize=1g,disk=true").unwrap();
        assert_eq!(w.file.as_deref(), Some(Path::new("a,b.jfr")));
        assert_eq!(
            (w.duration, w.max_size),
            (Some(30_000_000_000), Some(1 << 30))
        );
        assert!(w.at_exit && w.name.as_deref() == Some("x"));
        assert_eq!(w.notes, ["disk has no effect on recordings"]);
        let w = read("").unwrap();
        assert!(!w.at_exit);
        assert_eq!(w.max_size, Some(MOST));
        assert_eq!(read("maxsize=0").unwrap().max_size, None);
    }

    #[test]
    fn what_is_wrong_is_reported() {
        for (text, part) in [
            ("duration=abc", "duration=abc: expected a time"),
            ("duration=100ms", "at least 1 second"),
            ("delay=1ms", "at least 1 second"),
            ("maxsize=x", "maxsize=x: expected a size"),
            ("name=5", "numeric"),
            ("dumponexit=perhaps", "true or false"),
            ("filename=a,dumponexit=false", "time bound"),
            ("settings=", "a name"),
        ] {
            let e = read(text).unwrap_err();
            assert!(e.to_string().contains(part), "{text}: {e}");
        }
        let notes = read("foo=bar").unwrap().notes;
        assert_eq!(notes, ["The .jfc option/setting 'foo' doesn't exist."]);
    }
}
