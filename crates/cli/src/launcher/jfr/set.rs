//! The options of the command line for flight recordings.

use super::error::RecordingError;
use super::options::{RequestedRecording, pairs};
use crate::launcher::config::Config;
use crate::launcher::option::OptionProblem;
use crate::launcher::sizes::size;

/// `-XX:StartFlightRecording[:=]…`, or `None` if it is another option.
pub fn set(c: &mut Config, text: &str) -> Option<Result<(), OptionProblem>> {
    let rest = text.strip_prefix("StartFlightRecording")?;
    let rest = match rest.as_bytes().first() {
        None => "",
        Some(b':' | b'=') => &rest[1..],
        Some(_) => return None,
    };
    let message = |e: RecordingError| OptionProblem::Own(format!("-XX:StartFlightRecording: {e}"));
    Some(match RequestedRecording::read(pairs(rest)) {
        Ok(mut wanted) => {
            if wanted.at_exit && wanted.file.is_none() {
                wanted.file = Some("rjvm-pid-%p-%t.jfr".into());
            }
            c.flight_recordings.push(wanted);
            Ok(())
        }
        Err(e) => Err(message(e)),
    })
}

/// `-XX:FlightRecorderOptions=…`
pub fn common(c: &mut Config, written: &str, text: &str) -> Result<(), OptionProblem> {
    for (key, value) in pairs(text) {
        let value = value.unwrap_or_default();
        let wrong = |what| OptionProblem::Own(format!("{written}: {key}: expected {what}"));
        match key.as_str() {
            "stackdepth" => {
                let depth = value.parse().ok().filter(|n| (1..=2048).contains(n));
                c.flight_recorder.depth = depth.ok_or_else(|| wrong("a number from 1 to 2048"))?;
            }
            "maxchunksize" => {
                let bytes = size(&value).filter(|n| (1 << 20..=1 << 30).contains(n));
                let bytes = bytes.ok_or_else(|| wrong("a size from 1M to 1g"))?;
                c.flight_recorder.chunk = bytes as usize;
            }
            _ => c.notes.push(format!("{written}: {key} has no effect")),
        }
    }
    Ok(())
}
