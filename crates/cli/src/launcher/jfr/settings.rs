//! Which events are recorded: all that there are, or what a settings file of the JDK (`default.jfc`, `profile.jfc`) says.

use super::error::{RecordingError, SettingsError};
use crate::file_error::FileError;
use rjvm_jfr::{EVENTS, Kind};
use std::path::{Path, PathBuf};

/// Bytecodes for a millisecond of a sampling period: as for HPROF's intervals.
const PER_MILLISECOND: u64 = crate::launcher::hprof::PER_MILLISECOND;

/// Bytecodes from a sample to the next by default: 20 milliseconds.
const DISTANCE: u64 = 20 * PER_MILLISECOND;

/// What is recorded of a kind of events.
#[derive(Clone, Copy, Debug)]
struct Setting {
    enabled: bool,
    /// Nanoseconds that an event takes at least.
    threshold: i64,
    stack: bool,
}

/// The settings of a recording.
#[derive(Clone, Debug)]
pub struct JfrSettings {
    all: Vec<Setting>,
    /// Bytecodes from a sample to the next.
    pub distance: u64,
}

impl JfrSettings {
    /// All events, however short.
    pub fn everything() -> JfrSettings {
        JfrSettings::each(true)
    }
    /// No events except rjvm's own and those about the recording.
    pub fn nothing() -> JfrSettings {
        JfrSettings::each(false)
    }
    fn each(enabled: bool) -> JfrSettings {
        let always = |kind: Kind| {
            matches!(kind, Kind::ActiveRecording | Kind::ActiveSetting)
                || EVENTS[kind as usize].name.starts_with("rjvm.")
        };
        let setting = |&kind: &Kind| Setting {
            enabled: enabled || always(kind),
            threshold: 0,
            stack: true,
        };
        JfrSettings {
            all: Kind::ALL.iter().map(setting).collect(),
            distance: DISTANCE,
        }
    }
    /// Whether a kind is recorded.
    pub fn has(&self, kind: Kind) -> bool {
        self.all[kind as usize].enabled
    }
    /// Whether one of these is.
    pub fn has_one_of(&self, kinds: &[Kind]) -> bool {
        kinds.iter().any(|&kind| self.has(kind))
    }
    /// Records a kind, or does not.
    pub fn enable(&mut self, kind: Kind, enabled: bool) {
        self.all[kind as usize].enabled = enabled;
    }
    /// Whether an event of so many nanoseconds is recorded.
    pub fn takes(&self, kind: Kind, nanos: i64) -> bool {
        self.has(kind) && nanos >= self.all[kind as usize].threshold
    }
    /// Whether events of a kind have their stack.
    pub fn has_stack(&self, kind: Kind) -> bool {
        self.all[kind as usize].stack
    }
    /// All settings that a file reports: kind, name, value.
    pub fn list(&self) -> Vec<(Kind, &'static str, String)> {
        let mut list = Vec::new();
        for (&kind, setting) in Kind::ALL.iter().zip(&self.all) {
            let event = &EVENTS[kind as usize];
            list.push((kind, "enabled", setting.enabled.to_string()));
            if !setting.enabled {
                continue;
            }
            if event.lasts && event.has_thread {
                list.push((kind, "threshold", format!("{} ns", setting.threshold)));
            }
            if event.has_stack {
                list.push((kind, "stackTrace", setting.stack.to_string()));
            }
            if kind == Kind::ExecutionSample {
                list.push((kind, "period", format!("{} bytecodes", self.distance)));
            }
        }
        list
    }
    /// Changes a setting. False if there is no such event or setting here.
    pub fn set(&mut self, event: &str, name: &str, value: &str) -> Result<bool, RecordingError> {
        let Some(at) = EVENTS.iter().position(|e| e.name == event) else {
            return Ok(false);
        };
        let wrong = || RecordingError::Setting(event.into(), name.into(), value.into());
        let flag = || value.parse::<bool>().map_err(|_| wrong());
        let setting = &mut self.all[at];
        match name {
            "enabled" => setting.enabled = flag()?,
            "stackTrace" => setting.stack = flag()?,
            "threshold" => setting.threshold = nanos(value).ok_or_else(wrong)?,
            "period" if Kind::ALL[at] == Kind::ExecutionSample => {
                if value == "everyChunk" {
                    return Ok(true);
                }
                let bytecodes = match value.strip_suffix(" bytecodes") {
                    Some(n) => n.trim().parse().ok(),
                    None => nanos(value).map(|ns| ns as u64 / 1_000 * PER_MILLISECOND / 1_000),
                };
                self.distance = bytecodes.filter(|n| *n > 0).ok_or_else(wrong)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
    /// Changes what a settings file says; how it is called: `profile`, `default.jfc`, or with a folder.
    pub fn read(&mut self, name: &str, java_home: &Path) -> Result<(), RecordingError> {
        let named = |name: &str| match name.ends_with(".jfc") {
            true => name.to_owned(),
            false => format!("{name}.jfc"),
        };
        let path = match name.contains('/') {
            true => PathBuf::from(name),
            false => java_home.join("lib/jfr").join(named(name)),
        };
        let path = match path.exists() {
            true => path,
            false => PathBuf::from(named(name)),
        };
        let wrong = |e| RecordingError::Settings(name.into(), e);
        let text = std::fs::read_to_string(&path)
            .map_err(|e| wrong(SettingsError::File(FileError::at(&path)(e))))?;
        let document = roxmltree::Document::parse(&text)
            .map_err(|e| wrong(SettingsError::Xml(path.clone(), e)))?;
        let elements = |n: &roxmltree::Node<'_, '_>, tag| n.has_tag_name(tag);
        let all = document.descendants();
        for event in all.filter(|n| elements(n, "event")) {
            let Some(event_name) = event.attribute("name") else {
                continue;
            };
            for setting in event.children().filter(|n| elements(n, "setting")) {
                if let (Some(key), Some(value)) = (setting.attribute("name"), setting.text()) {
                    self.set(event_name, key, value.trim())
                        .map_err(|e| wrong(SettingsError::Setting(Box::new(e))))?;
                }
            }
        }
        Ok(())
    }
}

/// A span of time as JFR's options have it: `20 ms`, `5s`, `1 h`.
pub fn nanos(text: &str) -> Option<i64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let unit: i64 = match unit.trim() {
        "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "d" => 86_400_000_000_000,
        "" if number == "0" => 0,
        _ => return None,
    };
    number.parse::<i64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_time() {
        for (text, want) in [
            ("20 ms", Some(20_000_000)),
            ("5s", Some(5_000_000_000)),
            ("1 h", Some(3_600_000_000_000)),
            ("0", Some(0)),
            ("5", None),
            ("s", None),
            ("-1s", None),
            ("99999999999999d", None),
        ] {
            assert_eq!(nanos(text), want, "{text}");
        }
    }

    fn set(s: &mut JfrSettings, event: &str, name: &str, value: &str) -> Option<bool> {
        s.set(event, name, value).ok()
    }

    #[test]
    fn settings_are_set_by_name() {
        let mut s = JfrSettings::nothing();
        assert!(!s.has(Kind::ThreadPark) && s.has(Kind::ActiveRecording));
        assert_eq!(set(&mut s, "jdk.ThreadPark", "enabled", "true"), Some(true));
        assert_eq!(
            set(&mut s, "jdk.ThreadPark", "threshold", "10 ms"),
            Some(true)
        );
        assert!(s.takes(Kind::ThreadPark, 10_000_000) && !s.takes(Kind::ThreadPark, 9_999_999));
        assert_eq!(
            set(&mut s, "jdk.ExecutionSample", "period", "10 ms"),
            Some(true)
        );
        assert_eq!(s.distance, 1_000_000);
        assert_eq!(
            set(&mut s, "jdk.ExecutionSample", "period", "777 bytecodes"),
            Some(true)
        );
        assert_eq!(s.distance, 777);
        assert_eq!(
            set(&mut s, "jdk.SocketRead", "enabled", "true"),
            Some(false)
        );
        assert_eq!(set(&mut s, "jdk.ThreadPark", "colour", "red"), Some(false));
        assert!(s.set("jdk.ThreadPark", "enabled", "yes").is_err());
        assert!(s.set("jdk.ExecutionSample", "period", "0 ms").is_err());
    }
}
