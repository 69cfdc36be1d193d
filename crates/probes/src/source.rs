//! Sources of probes, places in them, and the mistakes there.

use std::fmt;

/// Bytes of all sources together.
pub const MAX_SOURCE: usize = 1 << 18;

/// A text with probes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its name in messages: the option, or a file.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Source {
    /// A source.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source {
            name: name.into(),
            text: text.into(),
        }
    }
}

/// Part of a source, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub(crate) source: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) fn to(self, end: Span) -> Span {
        Span {
            end: end.end.max(self.start),
            ..self
        }
    }
}

/// A mistake in a probe, and its place.
///
/// ```
/// use rjvm_probes::{Limits, Script, Source};
///
/// let source = Source::new("--probe", "entyr:Main::run { @ = count() }");
/// let mistake = Script::compile(&[source], Limits::default()).unwrap_err();
/// assert_eq!(
///     mistake.to_string(),
///     "--probe:1:1: unknown point 'entyr'; did you mean 'entry'?\n    entyr:Main::run { @ = count() }\n    ^^^^^"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The source's name.
    pub source: String,
    /// Its line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The description of the mistake.
    pub message: String,
    /// The line's text.
    pub text: String,
    /// Characters that are wrong.
    pub width: usize,
}

/// A mistake that does not know its source's text.
#[derive(Debug)]
pub(crate) struct SpannedMistake {
    pub span: Span,
    pub message: String,
}

impl SpannedMistake {
    pub fn new<T>(span: Span, message: impl Into<String>) -> Result<T, SpannedMistake> {
        Err(SpannedMistake {
            span,
            message: message.into(),
        })
    }

    /// With the text around it.
    pub fn shown(self, sources: &[Source]) -> Mistake {
        let empty = Source::new("", "");
        let source = sources.get(self.span.source as usize).unwrap_or(&empty);
        let (line, column) = place(&source.text, self.span.start as usize);
        let text = source.text.split('\n').nth(line - 1).unwrap_or_default();
        let inside = source
            .text
            .get(self.span.start as usize..self.span.end as usize)
            .unwrap_or_default();
        let inside = inside.split('\n').next().unwrap_or_default();
        Mistake {
            source: source.name.clone(),
            line,
            column,
            message: self.message,
            text: text.to_owned(),
            width: inside.chars().count().max(1),
        }
    }
}

/// Line and column of a byte, from 1.
pub(crate) fn place(text: &str, at: usize) -> (usize, usize) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

/// Characters of a line shown at most.
const SHOWN: usize = 110;

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mistake {
            source,
            line,
            column,
            message,
            ..
        } = self;
        writeln!(f, "{source}:{line}:{column}: {message}")?;
        // Of a long line, the part around the mistake.
        let skipped = (column - 1).saturating_sub(SHOWN / 2);
        let skipped = if self.text.chars().count() <= SHOWN {
            0
        } else {
            skipped
        };
        let shown: String = self
            .text
            .chars()
            .skip(skipped)
            .take(SHOWN)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let before = if skipped > 0 { "…" } else { "" };
        let indent = " ".repeat(column - 1 - skipped + before.chars().count());
        let room = SHOWN.saturating_sub(column - 1 - skipped).max(1);
        write!(
            f,
            "    {before}{}\n    {indent}{}",
            shown.trim_end(),
            "^".repeat(self.width.min(room))
        )
    }
}

impl std::error::Error for Mistake {}

/// The name among `known` that `wrong` may have been meant to be, as part of a sentence.
pub(crate) fn meant<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let lower = wrong.to_lowercase();
    let best = known
        .into_iter()
        .map(|name| {
            (
                strsim::damerau_levenshtein(&lower, &name.to_lowercase()),
                name,
            )
        })
        .min();
    match best {
        Some((distance, name)) if distance <= 1 + name.len() / 4 && wrong.len() < 64 => {
            format!("; did you mean '{name}'?")
        }
        _ => String::new(),
    }
}
