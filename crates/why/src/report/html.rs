//! A report as an interactive page: one file, which loads nothing from elsewhere.

use super::text::{saves, where_is};
use crate::claim::{Claim, Report, grouped, percent, permille};
use rjvm_pages::{Escaped, Head, Scripts, THEME_BUTTON};
use std::collections::BTreeMap;
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Text as it may be in a page.
pub(crate) fn escaped(text: &str) -> String {
    Escaped(text).to_string()
}

/// The page.
pub fn html(report: &Report) -> String {
    let mut out = String::new();
    let title = format!("Why {} is slow", report.program);
    let _ = write!(
        out,
        "{}\n<body>\n<header>{THEME_BUTTON}<h1>{}</h1></header>\n<main>\n",
        Head {
            title: &title,
            style: STYLE,
            connects: false
        },
        escaped(&title)
    );
    let _ = writeln!(
        out,
        "<p class=\"sums\">{} bytecodes &middot; {} objects of {} bytes &middot; {} collections &middot; {} classes &middot; {} &middot; {} calling contexts</p>",
        grouped(report.bytecodes),
        grouped(report.objects),
        grouped(report.bytes),
        grouped(report.collections),
        grouped(report.classes),
        super::text::number(report.threads, "thread"),
        grouped(report.contexts)
    );
    when(&mut out, report);
    branches(&mut out, report);
    out.push_str("<h2>Where and why, largest saving first</h2>\n<div id=\"claims\">\n");
    for (i, claim) in report.claims.iter().enumerate() {
        show(&mut out, i + 1, claim);
    }
    if report.claims.is_empty() {
        out.push_str("<p>rjvm found no large saving.</p>\n");
    }
    let _ = write!(
        out,
        "</div>\n</main>\n{}\n</body>\n</html>\n",
        Scripts(&[SCRIPT])
    );
    out
}

/// The run as a bar: phases to click, and below them its windows by the method that executes most.
fn when(out: &mut String, report: &Report) {
    out.push_str(
        "<h2>When</h2>\n<div class=\"bar phases\" role=\"group\" aria-label=\"Phases\">\n",
    );
    let whole = report.phases.last().map_or(1, |p| p.to).max(1);
    for p in &report.phases {
        let _ = writeln!(
            out,
            "<button class=\"phase\" aria-pressed=\"false\" data-phase=\"{0}\" style=\"flex-grow:{1}\" title=\"phase {0}: bytecodes {2} to {3}\">{0}</button>",
            p.number,
            permille(p.to - p.from, whole).max(1),
            grouped(p.from),
            grouped(p.to)
        );
    }
    out.push_str("</div>\n<div class=\"bar windows\" aria-hidden=\"true\">\n");
    // colours by how much of the run a method is first in
    let mut first: BTreeMap<&str, u64> = BTreeMap::new();
    let mut from = 0;
    for w in &report.windows {
        *first.entry(&w.method).or_default() += w.end - from;
        from = w.end;
    }
    let ranked = crate::tree::Tree::ranked(first);
    let colour = |method: &str| {
        ranked
            .iter()
            .position(|m| m.0 == method)
            .map_or(8, |i| i.min(8))
    };
    from = 0;
    for w in &report.windows {
        let _ = write!(
            out,
            "<i class=\"c{}\" style=\"flex-grow:{}\" title=\"{} to {}: {}\"></i>",
            colour(&w.method),
            (w.end - from).max(1),
            grouped(from),
            grouped(w.end),
            escaped(&w.method)
        );
        from = w.end;
    }
    out.push_str("\n</div>\n<p class=\"key\" aria-label=\"Methods by colour\">");
    for (i, (method, _)) in ranked.iter().take(8).enumerate() {
        let _ = write!(
            out,
            "<span><i class=\"c{i}\"></i>{}</span>",
            escaped(method)
        );
    }
    out.push_str("</p>\n<div class=\"wide\"><table id=\"phases\"><thead><tr><th>phase</th><th>bytecodes</th><th>below</th><th>most in</th><th>why</th></tr></thead><tbody>\n");
    let list = |all: &[(String, u64)]| {
        let one = |p: &(String, u64)| format!("{} {}", escaped(&p.0), percent(p.1));
        all.iter().map(one).collect::<Vec<_>>().join("<br>")
    };
    for p in &report.phases {
        let _ = writeln!(
            out,
            "<tr data-phase=\"{0}\"><td>{0}<td data-value=\"{1}\">{2} to {3}<td>{4}<td>{5}<td>{6}</tr>",
            p.number,
            p.to - p.from,
            grouped(p.from),
            grouped(p.to),
            match p.within.as_str() {
                "" => String::new(),
                name => format!("{} {}", escaped(name), percent(p.within_permille)),
            },
            list(&p.methods),
            list(&p.why)
        );
    }
    out.push_str("</tbody></table></div>\n");
}

/// The hierarchy of why, as far as the run has it.
fn branches(out: &mut String, report: &Report) {
    let mut tree: BTreeMap<&str, BTreeMap<&str, (usize, u64)>> = BTreeMap::new();
    for claim in &report.claims {
        let [branch, leaf, ..] = &claim.why[..] else {
            continue;
        };
        let sum = tree.entry(branch).or_default().entry(leaf).or_default();
        sum.0 += 1;
        sum.1 = sum.1.max(claim.saving.permille);
    }
    out.push_str(
        "<h2>Why</h2>\n<div class=\"why\" role=\"group\" aria-label=\"Causes\"><button data-why=\"\" aria-pressed=\"true\">all causes</button>\n",
    );
    for (branch, leaves) in tree {
        let _ = write!(
            out,
            "<div><button data-why=\"{0}\" aria-pressed=\"false\">{0}</button>",
            escaped(branch)
        );
        for (leaf, (n, most)) in leaves {
            let _ = write!(
                out,
                "<button data-why=\"{} &gt; {1}\" aria-pressed=\"false\">{1} <small>{n}, up to {2}</small></button>",
                escaped(branch),
                escaped(leaf),
                percent(most)
            );
        }
        out.push_str("</div>\n");
    }
    out.push_str("</div>\n");
}

fn show(out: &mut String, rank: usize, claim: &Claim) {
    let p = &claim.place;
    let phases: Vec<String> = claim.phases.iter().map(|p| p.0.to_string()).collect();
    let _ = write!(
        out,
        "<details data-why=\"{}\" data-phases=\"{}\"{}><summary><b>{rank}</b> <span>{}</span> <meter max=\"1000\" value=\"{}\" aria-label=\"saves\"></meter> <em>{}</em></summary>\n<dl>",
        escaped(&claim.why.join(" > ")),
        phases.join(" "),
        if rank == 1 { " open" } else { "" },
        escaped(&claim.title),
        claim.saving.permille,
        percent(claim.saving.permille)
    );
    let mut row = |name: &str, value: &str| {
        let _ = write!(out, "<dt>{name}<dd>{}", escaped(value));
    };
    row(
        "why",
        &format!("{} ({})", claim.why.join(" > "), claim.sure.word()),
    );
    row("where", &where_is(claim));
    if !p.threads.is_empty() {
        row("threads", &p.threads.join(", "));
    }
    if let Some(request) = &p.request {
        row("request", request);
    }
    if !claim.phases.is_empty() {
        let part = |(n, part): &(usize, u64)| format!("phase {n} {}", percent(*part));
        row(
            "when",
            &claim.phases.iter().map(part).collect::<Vec<_>>().join(", "),
        );
    }
    row("saves", &saves(claim));
    row("estimate", &claim.saving.how);
    out.push_str("</dl>\n<table class=\"figures\">");
    for (name, value) in &claim.figures {
        let _ = write!(out, "<tr><td>{}<td>{}</tr>", escaped(name), escaped(value));
    }
    out.push_str("</table>\n");
    for evidence in claim.evidence.iter().filter(|e| !e.rows.is_empty()) {
        let _ = write!(out, "<h3>{}</h3><pre>", escaped(&evidence.what));
        for row in &evidence.rows {
            let _ = writeln!(out, "{}", escaped(row));
        }
        out.push_str("</pre>\n");
    }
    out.push_str("</details>\n");
}
