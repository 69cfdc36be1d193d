//! The differential flame graph: one HTML page with the contexts of both profiles.

use super::Report;
use rjvm_pages::{Escaped, Head, Scripts, THEME_BUTTON};
use rjvm_profiler::Change;
use rjvm_profiler::export::JsonString;
use std::io::{self, Write};

/// The page; `{{head}}`, `{{program}}`, `{{verdicts}}`, `{{theme}}`, `{{data}}` and `{{script}}` are filled in.
const PAGE: &str = include_str!("flame/page.html");
const STYLE: &str = include_str!("flame/page.css");
const SCRIPT: &str = include_str!("flame/page.js");

/// Contexts with less than one in so many of all bytecodes, before and after, are not drawn: they would
/// be narrower than a pixel.
const NARROWEST: u64 = 5_000;

/// Writes the page.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let Change { before, after } = report.bytecodes;
    let title = format!(
        "{}: {before} | {after} {} ({})",
        report.program,
        report.unit,
        super::growth_text(report.bytecodes)
    );
    let least = before.max(after) / NARROWEST;
    let both = &report.both;
    let mut used = vec![u32::MAX; both.methods.len()];
    let mut names = Vec::new();
    let (mut nodes, mut hidden) = (String::new(), 0u64);
    for pair in both.contexts() {
        let (own, inclusive, calls) = (
            both.bytecodes(pair),
            both.inclusive(pair),
            both.invocations(pair),
        );
        if inclusive.before.max(inclusive.after) < least.max(1) {
            hidden += 1;
            continue;
        }
        let mut callers = both.callers(pair);
        let Some((_, method)) = callers.next() else {
            continue;
        };
        let depth = callers.count();
        let name = &mut used[method as usize];
        if *name == u32::MAX {
            *name = names.len() as u32;
            names.push(method);
        }
        let numbers = [
            depth as u64,
            u64::from(*name),
            inclusive.before,
            inclusive.after,
            own.before,
            own.after,
            calls.before,
            calls.after,
        ];
        for number in numbers {
            nodes.push_str(&number.to_string());
            nodes.push(',');
        }
        nodes.push('\n');
    }
    let mut methods = String::new();
    for &method in &names {
        let name = json(&report.names[method as usize]);
        methods.push_str(&name);
        methods.push(',');
    }
    let verdicts = report.verdicts.iter().map(|v| {
        let class = if v.passed { "kept" } else { "exceeded" };
        let reasons = v.reasons().join("; ");
        format!(
            "<li class=\"{class}\"><b>{}</b> {}</li>",
            Escaped(&v.gate),
            Escaped(&reasons)
        )
    });
    let verdicts: String = verdicts.collect();
    let data = format!(
        "{{\"unit\":{},\"before\":{before},\"after\":{after},\"hidden\":{hidden},\"narrowest\":{NARROWEST},\n\
         \"methods\":[{}],\n\"nodes\":[{}]}}",
        json(super::capital(&report.unit)),
        methods.trim_end_matches(','),
        nodes.trim_end().trim_end_matches(',')
    );
    let mut rest = PAGE;
    while let Some((part, after)) = rest.split_once("{{") {
        out.write_all(part.as_bytes())?;
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        match name {
            "head" => {
                let head = Head {
                    title: &title,
                    style: STYLE,
                    connects: false,
                };
                write!(out, "{head}")?;
            }
            "program" => write!(out, "{}", Escaped(&report.program))?,
            "verdicts" => out.write_all(verdicts.as_bytes())?,
            "theme" => out.write_all(THEME_BUTTON.as_bytes())?,
            "script" => write!(out, "{}", Scripts(&[SCRIPT]))?,
            _ => out.write_all(data.as_bytes())?,
        }
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

/// A string as JSON in which nothing ends the element that it is in.
fn json(text: &str) -> String {
    JsonString(text).to_string().replace('<', "\\u003c")
}
