//! A failure as one HTML file that needs nothing else: a column for each thread, and where in the program each of them is at
//! the step that is looked at. The page's code is in `html/`.

use super::Failure;
use std::fmt::{self, Display, Formatter, Write};

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/app.js");

/// The page.
pub fn html(failure: &Failure) -> String {
    let mut out = String::new();
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        out += before;
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        match name {
            "title" => {
                let _ = write!(out, "{}", Escaped(&failure.outcome.headline()));
            }
            "outcome" => {
                let _ = write!(out, "{}", Escaped(&failure.outcome.text()));
            }
            "replay" => {
                let _ = write!(out, "{}", Escaped(&failure.replay));
            }
            "switches" => {
                let _ = write!(out, "{}", Escaped(&failure.switches_in_words()));
            }
            "facts" => facts(&mut out, failure),
            "printed" => printed(&mut out, failure),
            "style" => out += STYLE,
            "script" => out += SCRIPT,
            _ => data(&mut out, failure),
        }
        rest = after;
    }
    out + rest
}

fn facts(out: &mut String, failure: &Failure) {
    for (name, value) in &failure.facts {
        let (name, value) = (Escaped(name), Escaped(value));
        let _ = write!(out, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
}

fn printed(out: &mut String, failure: &Failure) {
    for (title, text) in [
        ("output", &failure.output),
        ("error output", &failure.errors),
    ] {
        if !text.is_empty() {
            let text = Escaped(text);
            *out += "\n  <details class=\"text\"><summary>Its ";
            let _ = write!(out, "{title}</summary><pre>{text}</pre></details>");
        }
    }
}

/// The failure as JSON in which nothing ends the element that it is in.
fn data(out: &mut String, failure: &Failure) {
    let json = serde_json::to_string(failure);
    let json = json.expect("all keys are strings or numbers");
    // `<` is in strings only
    *out += &json.replace('<', "\\u003c");
}

/// Character data or the value of an attribute.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}
