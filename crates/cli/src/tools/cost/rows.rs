//! Tables of costs: methods, contexts or lines, with the models side by side.

use super::super::ToolProblem;
use super::super::input::{self, limited, percent};
use super::super::json::Json;
use super::super::show::TextTable;
use super::WeighedProfile;
use clap::ArgMatches;
use rjvm_profiler::export::by_line;
use rjvm_profiler::{Profile, readable_names};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;

/// What a row says by each model: its own cost, and the cost with callees if it is known.
struct CostRow {
    name: String,
    costs: Vec<(u64, Option<u64>)>,
}

/// Writes the table that is requested.
pub fn write(
    all: &[WeighedProfile],
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<(), ToolProblem> {
    let by = input::chosen(matches, "by");
    let of = match by {
        "context" => contexts,
        "line" => lines,
        _ => methods,
    };
    let mut rows: BTreeMap<(usize, u32, u32), CostRow> = BTreeMap::new();
    for (index, weighed) in all.iter().enumerate() {
        for (key, name, own, inclusive) in of(&weighed.profile) {
            let row = rows.entry(key).or_insert_with(|| CostRow {
                name,
                costs: vec![(0, None); all.len()],
            });
            row.costs[index] = (own, inclusive);
        }
    }
    let mut rows: Vec<CostRow> = rows.into_values().collect();
    rows.retain(|row| row.costs.iter().any(|c| c.0 > 0 || c.1.unwrap_or(0) > 0));
    rows.sort_by_cached_key(|row| {
        let costs: Vec<_> = row.costs.iter().map(|c| Reverse((c.0, c.1))).collect();
        costs
    });
    let shown = &rows[..rows.len().min(limited(matches))];
    match matches.get_flag("json") {
        true => Ok(json(all, by, shown).write(out)?),
        false => text(all, by, shown, rows.len(), out),
    }
}

fn text(
    all: &[WeighedProfile],
    by: &str,
    shown: &[CostRow],
    rows: usize,
    out: &mut dyn Write,
) -> Result<(), ToolProblem> {
    for weighed in all {
        let total = weighed.profile.totals().bytecodes;
        writeln!(out, "{}: {total} {}", weighed.label, weighed.unit)?;
    }
    let inclusive = shown
        .iter()
        .any(|row| row.costs.iter().any(|c| c.1.is_some()));
    let headings: Vec<String> = all
        .iter()
        .flat_map(|weighed| {
            let label = &weighed.label;
            let mut columns = vec![format!("{label} %"), format!("{label} self")];
            if inclusive {
                columns.push(format!("{label} total"));
            }
            columns
        })
        .collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table = TextTable::new(&headings, by);
    for row in shown {
        let mut cells = Vec::new();
        for (weighed, (own, with_callees)) in all.iter().zip(&row.costs) {
            let total = weighed.profile.totals().bytecodes;
            cells.extend([percent(*own, total), own.to_string()]);
            if inclusive {
                cells.push(with_callees.map_or(String::new(), |n| n.to_string()));
            }
        }
        table.row(cells, row.name.clone());
    }
    writeln!(out)?;
    table.write(out)?;
    if shown.len() < rows {
        writeln!(out, "and {} more", rows - shown.len())?;
    }
    Ok(())
}

fn json(all: &[WeighedProfile], by: &str, rows: &[CostRow]) -> Json {
    let models = all.iter().map(|weighed| {
        let costs = &weighed.costs;
        Json::Object(vec![
            ("model", Json::Text(weighed.label.clone())),
            ("unit", Json::Text(weighed.unit.clone())),
            ("total", weighed.profile.totals().bytecodes.into()),
            ("unknown_bytecodes", costs.unknown.into()),
            ("unknown_methods", costs.unknown_methods.into()),
        ])
    });
    let models = models.collect();
    let rows = rows.iter().map(|row| {
        let optional = |n: Option<u64>| n.map_or(Json::Null, Json::from);
        let own = row.costs.iter().map(|c| c.0.into()).collect();
        let inclusive = row.costs.iter().map(|c| optional(c.1)).collect();
        Json::Object(vec![
            ("name", Json::Text(row.name.clone())),
            ("self", Json::List(own)),
            ("inclusive", Json::List(inclusive)),
        ])
    });
    Json::Object(vec![
        ("models", Json::List(models)),
        ("by", by.into()),
        ("rows", Json::List(rows.collect())),
    ])
}

/// Rows of a profile: what reports them apart, name, own cost, that with callees.
type Rows = Vec<((usize, u32, u32), String, u64, Option<u64>)>;

fn methods(profile: &Profile) -> Rows {
    let names = readable_names(&profile.methods);
    let rows = profile.flat().into_iter();
    let row = |row: rjvm_profiler::MethodTotals| {
        let name = names[row.method as usize].clone();
        let key = (0, row.method, 0);
        (key, name, row.bytecodes, Some(row.inclusive))
    };
    rows.map(row).collect()
}

fn contexts(profile: &Profile) -> Rows {
    let names = readable_names(&profile.methods);
    let mut rows = Vec::new();
    for (index, thread) in profile.threads.iter().enumerate() {
        let sums = thread.tree.inclusive();
        let label = thread.label();
        let mut path: Vec<String> = Vec::new();
        for (node_index, (depth, node)) in (0u32..).zip(thread.tree.preorder()) {
            path.truncate(depth);
            path.push(names[node.method as usize].clone());
            let all = label.iter().chain(&path).cloned().collect::<Vec<_>>();
            let sum = sums[node_index as usize];
            if sum > 0 {
                let key = (index, node_index, 0);
                rows.push((key, all.join(" > "), node.bytecodes, Some(sum)));
            }
        }
    }
    rows
}

fn lines(profile: &Profile) -> Rows {
    let names = readable_names(&profile.methods);
    let mut rows = Vec::new();
    for (method, lines) in (0u32..).zip(by_line(profile)) {
        for (line, costs) in lines {
            let info = &profile.methods[method as usize];
            let place = info.source.as_ref();
            let place = place.map_or("unknown".into(), |s| s.place((line > 0).then_some(line)));
            let name = format!("{place} {}", names[method as usize]);
            rows.push(((0, method, line), name, costs.own, Some(costs.inclusive())));
        }
    }
    rows
}
