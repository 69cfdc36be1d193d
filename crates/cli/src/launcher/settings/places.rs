//! Places where a program is to stop, and how it is shown there.

use rjvm_vm::interp::{StopPlace, StopPosition};

/// Where the program is to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopAt {
    /// As it was given.
    pub text: String,
    /// What that asks for.
    pub what: StopRequest,
}

/// What a text asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopRequest {
    /// When all threads together have executed so many bytecodes.
    Bytecode(i64),
    /// So many bytecodes after the place with this number in the VM's options.
    Place(usize, i64),
}

/// Where and how the stopped program is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopSettings {
    /// How.
    pub format: Format,
    /// A file; else a standard stream.
    pub file: Option<String>,
    /// Standard output, not standard error.
    pub out: bool,
}

/// How a stopped program is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Text for people.
    #[default]
    Text,
    /// JSON.
    Json,
}

/// What places look like.
pub const EXPECTED: &str = "expected N (bytecodes), main, Class.method, Class.method:line, Class:line or Class.method@index, optionally with #k (the k-th arrival there; *: every one) and +n (n bytecodes after that)";

fn number(text: &str) -> Option<i64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// What a text asks for, and the place, which gets the number `next`.
pub fn read(text: &str, next: usize) -> Option<(StopRequest, Option<StopPlace>)> {
    let plain: String = text.chars().filter(|c| !matches!(c, ',' | '_')).collect();
    if let Some(n) = number(&plain) {
        return (n > 0).then_some((StopRequest::Bytecode(n), None));
    }
    let (text, after) = match text.rsplit_once('+') {
        Some((text, n)) => (text, number(n)?),
        None => (text, 0),
    };
    let (text, arrival) = match text.rsplit_once('#') {
        Some((text, "*")) => (text, 0),
        Some((text, n)) => (text, number(n).filter(|&n| n > 0)? as u64),
        None => (text, 1),
    };
    let small = |n: &str| number(n).and_then(|n| u16::try_from(n).ok());
    let (name, at) = match (text.rsplit_once('@'), text.rsplit_once(':')) {
        (Some((name, bci)), _) => (name, StopPosition::Index(small(bci)?)),
        (_, Some((name, line))) => (name, StopPosition::Line(small(line)?)),
        (None, None) if text == "main" => (text, StopPosition::Main),
        (None, None) => (text, StopPosition::Entry),
    };
    let parts = name.split('.').count();
    let named = name.split('.').all(|part| !part.is_empty());
    if !named || parts < 2 && !matches!(at, StopPosition::Line(_) | StopPosition::Main) {
        return None;
    }
    let name = name.replace('/', ".");
    let place = StopPlace { name, at, arrival };
    Some((StopRequest::Place(next, after), Some(place)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read() {
        let place = |name: &str, at, arrival| StopPlace {
            name: name.into(),
            at,
            arrival,
        };
        for (text, want, after) in [
            ("a.B.m", place("a.B.m", StopPosition::Entry, 1), 0),
            ("main+5", place("main", StopPosition::Main, 1), 5),
            ("a/B.m", place("a.B.m", StopPosition::Entry, 1), 0),
            ("B:12", place("B", StopPosition::Line(12), 1), 0),
            ("a.B.m:12#3", place("a.B.m", StopPosition::Line(12), 3), 0),
            (
                "B.<init>@7#*",
                place("B.<init>", StopPosition::Index(7), 0),
                0,
            ),
            ("B$C.m#2+100", place("B$C.m", StopPosition::Entry, 2), 100),
        ] {
            let read = read(text, 5);
            assert_eq!(
                read,
                Some((StopRequest::Place(5, after), Some(want))),
                "{text}"
            );
        }
        for (text, n) in [("1", 1), ("1_000", 1000), ("1,234,567", 1_234_567)] {
            assert_eq!(
                read(text, 0),
                Some((StopRequest::Bytecode(n), None)),
                "{text}"
            );
        }
        for text in [
            "",
            "0",
            "-1",
            "B",
            "B.",
            ".m",
            "B.m:",
            "B.m:x",
            "B.m#0",
            "B.m#",
            "B.m@70000",
            "B@1",
            "B.m+",
            "B:1#x",
        ] {
            assert_eq!(read(text, 0), None, "{text}");
        }
    }
}
