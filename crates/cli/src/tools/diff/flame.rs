//! The differential flame graph: one HTML page with the contexts of both profiles.

use super::Report;
use rjvm_profiler::Change;
use rjvm_profiler::export::{JsonString, XmlText};
use std::io::{self, Write};

/// The page; `{title}`, `{program}`, `{verdicts}` and `{data}` are filled in.
const PAGE: &str = include_str!("flame.html");

/// Contexts with less than one in so many of all bytecodes, before and after, are not drawn: they would
/// be narrower than a pixel.
const NARROWEST: u64 = 5_000;

/// Writes the page.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let Change { before, after } = report.bytecodes;
    let program = XmlText(&report.program).to_string();
    let title = format!(
        "{program}: {before} | {after} {} ({})",
        XmlText(&report.unit),
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
        // "</" would end the script.
        let name = JsonString(&report.names[method as usize])
            .to_string()
            .replace("</", "<\\/");
        methods.push_str(&name);
        methods.push(',');
    }
    let verdicts = report.verdicts.iter().map(|v| {
        let class = if v.passed { "kept" } else { "exceeded" };
        let reasons = v.reasons().join("; ");
        format!(
            "<li class=\"{class}\"><b>{}</b> {}</li>",
            XmlText(&v.gate),
            XmlText(&reasons)
        )
    });
    let verdicts: String = verdicts.collect();
    let data = format!(
        "{{\"unit\":{},\"before\":{before},\"after\":{after},\"hidden\":{hidden},\"narrowest\":{NARROWEST},\n\
         \"methods\":[{}],\n\"nodes\":[{}]}}",
        JsonString(super::capital(&report.unit))
            .to_string()
            .replace("</", "<\\/"),
        methods.trim_end_matches(','),
        nodes.trim_end().trim_end_matches(',')
    );
    // In this order, so that nothing that is filled in is looked at for another place.
    let [head, rest] = split(PAGE, "{title}");
    let [style, rest] = split(rest, "{program}");
    let [tools, rest] = split(rest, "{verdicts}");
    let [script, tail] = split(rest, "{data}");
    for part in [
        head, &title, style, &program, tools, &verdicts, script, &data, tail,
    ] {
        out.write_all(part.as_bytes())?;
    }
    Ok(())
}

fn split<'a>(text: &'a str, at: &str) -> [&'a str; 2] {
    match text.split_once(at) {
        Some((before, after)) => [before, after],
        None => [text, ""],
    }
}
