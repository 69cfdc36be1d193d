//! A report for people and machines.

mod html;
mod text;

use crate::claim::Report;
pub(crate) use html::escaped;
pub use html::html;
pub use text::text;

/// As JSON, which `docs/why.md` describes.
pub fn json(report: &Report) -> String {
    // plain data of numbers and strings
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}
