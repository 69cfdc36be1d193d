//! What a search has found: as text, JSON, and the coloured call graph as a page and for Graphviz.

use super::{Bottleneck, Effort, Search, Settings, Via};
use crate::claim::{grouped, percent};
use crate::report::escaped;
use rjvm_pages::{Head, Scripts, THEME_BUTTON};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Facts besides the search itself.
pub struct RunFacts<'a> {
    /// Name of the program.
    pub program: &'a str,
    /// The metric of the search.
    pub metric: &'a str,
    /// Names of methods by their numbers, with their descriptors: `a.B.m(I)V`.
    pub names: &'a BTreeMap<u32, String>,
    /// Bytecodes of the run.
    pub bytecodes: u64,
}

impl RunFacts<'_> {
    /// Name and descriptor.
    fn parts(&self, method: u32) -> Option<(&str, &str)> {
        let full = self.names.get(&method)?;
        Some(full.split_at(full.find('(').unwrap_or(full.len())))
    }
    fn name(&self, method: u32) -> String {
        match self.parts(method) {
            Some((name, _)) => name.to_owned(),
            None => format!("method {method}"),
        }
    }
}

fn part(n: u64, of: u64) -> String {
    percent(crate::claim::permille(n, of).min(1000))
}

/// As text: the bottlenecks, the most specific ones first, the order of discovery, and what it took.
pub fn text(search: &Search, reported: &RunFacts<'_>) -> String {
    let mut out = String::new();
    let found = search.finish();
    let stay = found.iter().filter(|b| b.stays).count();
    let ways = search.graph().ways();
    let _ = writeln!(
        out,
        "rjvm search: {}: {stay} bottlenecks of {} at {} or more, in {} bytecodes",
        reported.program,
        reported.metric,
        percent(search.settings.threshold),
        grouped(reported.bytecodes)
    );
    for b in found.iter().filter(|b| b.stays) {
        let _ = writeln!(
            out,
            "\n{} {}{}",
            percent(b.share),
            reported.name(b.method),
            if b.leaf { "" } else { " (calls others)" }
        );
        let way: Vec<String> = ways
            .to(b.method)
            .iter()
            .map(|&m| reported.name(m))
            .collect();
        let _ = writeln!(out, "   way    {}", way.join(" > "));
        let by = match b.via {
            Via::Callgraph => "from its caller",
            Via::Starter => "on the way to a deep starter",
        };
        let _ = writeln!(
            out,
            "   found  at bytecode {} ({}), {by}; {}{} of {} bytecodes then",
            grouped(b.found),
            part(b.found, reported.bytecodes),
            if b.lower_bound { "at least " } else { "" },
            percent(b.permille),
            grouped(b.timed)
        );
    }
    if stay < found.len() {
        out.push_str("\nTemporary bottlenecks\n");
    }
    for b in found.iter().filter(|b| !b.stays) {
        let _ = writeln!(
            out,
            "  {}  {} when found at bytecode {}, {} of the run; a bottleneck until {}",
            reported.name(b.method),
            percent(b.permille),
            grouped(b.found),
            percent(b.share),
            grouped(b.until)
        );
    }
    let e = search.effort();
    out.push_str("\nOrder of discovery\n");
    for (i, b) in search.found().iter().enumerate() {
        let _ = writeln!(
            out,
            "  {:>3}. {:>16}  {}",
            i + 1,
            grouped(b.found),
            reported.name(b.method)
        );
    }
    let _ = writeln!(
        out,
        "\nInstruments: {} timers in all, {} at a time, {} of them late, {} to look again, read {} times; counters in {} methods, read {} times; {} deep starters",
        grouped(e.timers),
        grouped(e.most),
        grouped(e.late),
        grouped(e.again),
        grouped(e.timed),
        grouped(e.counters),
        grouped(e.counted),
        grouped(e.starters)
    );
    out
}

#[derive(Serialize)]
struct Json<'a> {
    program: &'a str,
    metric: &'a str,
    bytecodes: u64,
    settings: &'a Settings,
    bottlenecks: Vec<Named>,
    for_a_time: Vec<Named>,
    discovered: Vec<String>,
    effort: Effort,
    graph: Vec<(String, String)>,
}

#[derive(Serialize)]
struct Named {
    name: String,
    descriptor: String,
    way: Vec<String>,
    calls: u64,
    #[serde(flatten)]
    bottleneck: Bottleneck,
}

/// As JSON.
pub fn json(search: &Search, reported: &RunFacts<'_>) -> String {
    let ways = search.graph().ways();
    let named = |b: Bottleneck| Named {
        name: reported.name(b.method),
        descriptor: reported.parts(b.method).map_or("", |p| p.1).to_owned(),
        way: ways
            .to(b.method)
            .iter()
            .map(|&m| reported.name(m))
            .collect(),
        calls: search.graph().calls_of(b.method),
        bottleneck: b,
    };
    let (stay, left): (Vec<_>, Vec<_>) = search.finish().into_iter().partition(|b| b.stays);
    let json = Json {
        program: reported.program,
        metric: reported.metric,
        bytecodes: reported.bytecodes,
        settings: &search.settings,
        bottlenecks: stay.into_iter().map(named).collect(),
        for_a_time: left.into_iter().map(named).collect(),
        discovered: search
            .found()
            .iter()
            .map(|b| reported.name(b.method))
            .collect(),
        effort: search.effort(),
        graph: search
            .graph()
            .edges()
            .map(|(a, b)| (reported.name(a), reported.name(b)))
            .collect(),
    };
    let mut text = serde_json::to_string_pretty(&json).unwrap_or_default();
    text.push('\n');
    text
}

/// The part of the call graph that is shown: what was timed, and the ways to it.
fn shown(search: &Search) -> BTreeSet<u32> {
    let ways = search.graph().ways();
    let mut shown: BTreeSet<u32> = BTreeSet::from([search.graph().root()]);
    for (&method, _) in search.states.iter().filter(|s| search.word(*s.0) != "seen") {
        shown.extend(ways.to(method));
    }
    shown
}

type Found = BTreeMap<u32, Bottleneck>;

fn by_method(search: &Search) -> Found {
    let all = search.finish().into_iter();
    all.map(|b| (b.method, b)).collect()
}

/// A colour from yellow to red for a share.
fn colour(search: &Search, found: &Found, method: u32) -> String {
    match (found.get(&method), search.word(method)) {
        (Some(b), _) if b.stays => {
            let green = 215 - (b.share.min(1000) * 175 / 1000);
            format!("#ff{green:02x}50")
        }
        (Some(_), _) => "#fff3c4".into(),
        (_, "bottleneck") => "#ff2850".into(),
        (_, "timed" | "waits") => "#cfe3ff".into(),
        (_, "rejected") => "#dddddd".into(),
        _ => "#ffffff".into(),
    }
}

fn label(search: &Search, found: &Found, reported: &RunFacts<'_>, method: u32) -> (String, String) {
    let under = match found.get(&method) {
        Some(b) if b.stays => percent(b.share),
        Some(b) => format!("{}, for a time {}", percent(b.share), percent(b.permille)),
        None if search.word(method) == "bottleneck" => "root".into(),
        None => search.word(method).into(),
    };
    (reported.name(method), under)
}

/// For Graphviz.
pub fn dot(search: &Search, reported: &RunFacts<'_>) -> String {
    let mut out = String::from(
        "digraph search {\n  node [shape=box, style=filled, fontname=\"sans-serif\"];\n",
    );
    let (shown, found) = (shown(search), by_method(search));
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    for &m in &shown {
        let (name, under) = label(search, &found, reported, m);
        let border = if search.started.contains(&m) {
            ", peripheries=2"
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "  m{m} [label=\"{}\\n{}\", fillcolor=\"{}\"{border}];",
            quoted(&name),
            quoted(&under),
            colour(search, &found, m)
        );
    }
    for (a, b) in search
        .graph()
        .edges()
        .filter(|e| shown.contains(&e.0) && shown.contains(&e.1))
    {
        let hot = found.get(&b).is_some_and(|b| b.stays);
        let _ = writeln!(
            out,
            "  m{a} -> m{b}{};",
            if hot {
                " [color=\"#d9480f\", penwidth=2]"
            } else {
                ""
            }
        );
    }
    out.push_str("}\n");
    out
}

const STYLE: &str = include_str!("page.css");
const WIDE: usize = 230;
const HIGH: usize = 46;

/// The call graph as a page: methods in rows by their distance from the root.
pub fn html(search: &Search, reported: &RunFacts<'_>) -> String {
    let (shown, found) = (shown(search), by_method(search));
    let ways = search.graph().ways();
    let mut rows: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for &m in &shown {
        rows.entry(ways.to(m).len() - 1).or_default().push(m);
    }
    // the hottest in the middle of each row
    let mut place: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    let most = rows.values().map(Vec::len).max().unwrap_or(1);
    for (row, methods) in rows.values_mut().enumerate() {
        methods.sort_by_key(|&m| (std::cmp::Reverse(found.get(&m).map_or(0, |b| b.share)), m));
        let left = (most - methods.len()) * (WIDE + 20) / 2;
        for (i, &m) in methods.iter().enumerate() {
            place.insert(m, (20 + left + i * (WIDE + 20), 20 + row * (HIGH + 50)));
        }
    }
    let (width, height) = (40 + most * (WIDE + 20), 20 + rows.len() * (HIGH + 50));
    let mut out = String::new();
    let title = format!("Bottlenecks of {}", reported.program);
    let _ = write!(
        out,
        "{}\n<body>\n<header>{THEME_BUTTON}<h1>{}</h1></header>\n<main>\n<p>Red: uses most. Pale yellow: was a bottleneck for a time. Blue: still timed at the end. Grey: timed, and not a bottleneck. Double border: a deep starter.</p>\n<div id=\"graph\" tabindex=\"0\" role=\"region\" aria-label=\"Call graph; the text below lists its bottlenecks\"><svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n",
        Head {
            title: &title,
            style: STYLE,
            connects: false
        },
        escaped(&title)
    );
    for (a, b) in search.graph().edges().filter(|e| e.0 != e.1) {
        let (Some(from), Some(to)) = (place.get(&a), place.get(&b)) else {
            continue;
        };
        let (x1, y1, x2, y2) = (from.0 + WIDE / 2, from.1 + HIGH, to.0 + WIDE / 2, to.1);
        let hot = if found.get(&b).is_some_and(|b| b.stays) {
            " class=\"hot\""
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "<path{hot} d=\"M{x1} {y1} C{x1} {} {x2} {} {x2} {y2}\"/>",
            y1 + 30,
            y2.saturating_sub(30)
        );
    }
    for (&m, &(x, y)) in &place {
        let (name, under) = label(search, &found, reported, m);
        let shortened = match name.char_indices().rev().nth(33) {
            Some((at, _)) => format!("…{}", &name[at..]),
            None => name.clone(),
        };
        let _ = writeln!(
            out,
            "<g><title>{}: {} calls</title><rect x=\"{x}\" y=\"{y}\" width=\"{WIDE}\" height=\"{HIGH}\" rx=\"4\" fill=\"{}\"{}/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text></g>",
            escaped(&name),
            grouped(search.graph().calls_of(m)),
            colour(search, &found, m),
            if search.started.contains(&m) {
                " stroke-width=\"4\""
            } else {
                ""
            },
            x + WIDE / 2,
            y + 19,
            escaped(&shortened),
            x + WIDE / 2,
            y + 37,
            escaped(&under)
        );
    }
    let _ = write!(
        out,
        "</svg></div>\n<pre>{}</pre>\n</main>\n{}\n</body>\n</html>\n",
        escaped(&text(search, reported)),
        Scripts(&[])
    );
    out
}
