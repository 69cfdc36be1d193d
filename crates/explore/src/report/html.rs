//! A failure as one HTML file that needs nothing else: a column for each thread, and where in the program each of them is at
//! the step that is looked at. The page's code is in `html/`.

use super::Failure;
use rjvm_pages::{Escaped, Head, Scripts, THEME_BUTTON};
use std::fmt::{self, Write};

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
        let title = failure.outcome.headline();
        let _ = match name {
            "head" => write!(
                out,
                "{}",
                Head {
                    title: &title,
                    style: STYLE,
                    connects: false
                }
            ),
            "theme" => out.write_str(THEME_BUTTON),
            "title" => write!(out, "{}", Escaped(&title)),
            "outcome" => write!(out, "{}", Escaped(&failure.outcome.text())),
            "replay" => write!(out, "{}", Escaped(&failure.replay)),
            "switches" => write!(out, "{}", Escaped(&failure.switches_in_words())),
            "facts" => facts(&mut out, failure),
            "printed" => printed(&mut out, failure),
            "script" => write!(out, "{}", Scripts(&[SCRIPT])),
            _ => data(&mut out, failure),
        };
        rest = after;
    }
    out + rest
}

fn facts(out: &mut String, failure: &Failure) -> fmt::Result {
    for (name, value) in &failure.facts {
        let (name, value) = (Escaped(name), Escaped(value));
        write!(out, "<div><dt>{name}</dt><dd>{value}</dd></div>")?;
    }
    Ok(())
}

fn printed(out: &mut String, failure: &Failure) -> fmt::Result {
    for (title, text) in [
        ("output", &failure.output),
        ("error output", &failure.errors),
    ] {
        if !text.is_empty() {
            let text = Escaped(text);
            *out += "\n  <details class=\"text\"><summary>Its ";
            write!(out, "{title}</summary><pre>{text}</pre></details>")?;
        }
    }
    Ok(())
}

/// The failure as JSON in which nothing ends the element that it is in.
fn data(out: &mut String, failure: &Failure) -> fmt::Result {
    let json = serde_json::to_string(failure);
    let json = json.expect("all keys are strings or numbers");
    // `<` is in strings only
    out.write_str(&json.replace('<', "\\u003c"))
}
