//! `diff`: the objects that grew in number between two dumps, and their holders.

use super::super::input::limited;
use super::super::json::Json;
use super::super::show::TextTable;
use super::held::{path_json, write_path};
use super::{ToolProblem, name, open};
use clap::ArgMatches;
use rjvm_heapdump::{Dominators, Histogram, Paths, class_growth, holder_growth};
use std::io::Write;
use std::path::PathBuf;

/// Suspects that are reported, and their classes.
const SUSPECTS: usize = 5;
/// Growth, in parts of all growth, from which a holder is suspect.
const PART: u64 = 10;

/// `diff`
pub fn diff(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let files = matches.get_many::<PathBuf>("FILE").unwrap_or_default();
    let [old, new] = files.collect::<Vec<_>>()[..] else {
        return Err(ToolProblem::Message("expected two dumps".into()));
    };
    let (old, mut new) = (open(old)?, open(new)?);
    let (old_tree, new_tree) = (Dominators::new(&old), Dominators::new(&new));
    let old_counts = Histogram::new(&old, |o| old_tree.reachable(o));
    let new_counts = Histogram::new(&new, |o| new_tree.reachable(o));
    let classes = class_growth((&old, &old_counts), (&new, &new_counts));
    let growth = new_tree.bytes().saturating_sub(old_tree.bytes());
    let least = (growth / PART).max(1024);
    let mut suspects = holder_growth((&old, &old_tree), (&new, &new_tree), least);
    suspects.truncate(SUSPECTS);
    let paths = Paths::new(&new);
    let shown = &classes[..classes.len().min(limited(matches))];
    if matches.get_flag("json") {
        let rows = shown.iter().map(|r| {
            Json::Object(vec![
                ("name", Json::Text(r.name.clone())),
                ("objectsBefore", r.objects.0.into()),
                ("objects", r.objects.1.into()),
                ("bytesBefore", r.bytes.0.into()),
                ("bytes", r.bytes.1.into()),
            ])
        });
        let rows = rows.collect();
        let mut list = Vec::new();
        for s in &suspects {
            let grown = s.grown.iter().take(SUSPECTS).map(|(name, before, after)| {
                Json::Object(vec![
                    ("name", Json::Text(name.clone())),
                    ("objectsBefore", (*before).into()),
                    ("objects", (*after).into()),
                ])
            });
            let grown = grown.collect();
            let path = match paths.path(&mut new, s.object)? {
                Some(path) => path_json(&mut new, &path)?,
                None => Json::Null,
            };
            list.push(Json::Object(vec![
                ("object", Json::Text(name::object(&mut new, s.object)?)),
                ("retainedBefore", s.retained.0.into()),
                ("retained", s.retained.1.into()),
                ("grown", Json::List(grown)),
                ("path", path),
            ]));
        }
        Json::Object(vec![
            ("bytesBefore", old_tree.bytes().into()),
            ("bytes", new_tree.bytes().into()),
            ("classes", Json::List(rows)),
            ("suspects", Json::List(list)),
        ])
        .write(out)?;
        return Ok(0);
    }
    writeln!(
        out,
        "reachable: {} objects of {} bytes before, {} of {} bytes now",
        old_tree.count(),
        old_tree.bytes(),
        new_tree.count(),
        new_tree.bytes()
    )?;
    let mut table = TextTable::new(&["objects", "bytes", "objects now", "bytes now"], "class");
    for r in shown {
        let signed = |(a, b): (u64, u64)| format!("{:+}", b as i128 - a as i128);
        let cells = vec![
            signed(r.objects),
            signed(r.bytes),
            r.objects.1.to_string(),
            r.bytes.1.to_string(),
        ];
        table.row(cells, r.name.clone());
    }
    table.write(out)?;
    if shown.len() < classes.len() {
        writeln!(out, "and {} more classes", classes.len() - shown.len())?;
    }
    if suspects.is_empty() {
        writeln!(out, "no holder grew by {least} bytes or more")?;
    }
    for (n, s) in (1..).zip(&suspects) {
        writeln!(
            out,
            "suspect {n}: {} retains {} bytes, {} before",
            name::object(&mut new, s.object)?,
            s.retained.1,
            s.retained.0
        )?;
        for (name, before, after) in s.grown.iter().take(SUSPECTS) {
            writeln!(out, "    holds {after} {name}, {before} before")?;
        }
        if let Some(path) = paths.path(&mut new, s.object)? {
            writeln!(out, "  kept by")?;
            write_path(&mut new, &path, out)?;
        }
    }
    Ok(0)
}
