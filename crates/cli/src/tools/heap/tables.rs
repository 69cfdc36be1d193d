//! `summary`, `histogram` and `sites`: how much there is.

use super::super::input::{limited, percent};
use super::super::json::Json;
use super::super::show::TextTable;
use super::{ToolProblem, name, opened, written};
use clap::ArgMatches;
use rjvm_heapdump::{Dominators, Dump, Histogram, RootKind, sites as all_sites};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

/// The largest holders in a summary.
const LARGEST: usize = 5;

/// `summary`
pub fn summary(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let mut dump = opened(matches)?;
    let tree = Dominators::new(&dump);
    let mut kinds: BTreeMap<RootKind, u64> = BTreeMap::new();
    for r in dump.roots() {
        *kinds.entry(r.kind).or_default() += 1;
    }
    let classes = dump.classes().iter().filter(|c| c.id != 0).count();
    let mut largest = tree.dominated(None).to_vec();
    largest.sort_by_key(|&o| (std::cmp::Reverse(tree.retained(o)), o));
    largest.truncate(LARGEST);
    let mut holders = Vec::new();
    for &o in &largest {
        holders.push((name::object(&mut dump, o)?, tree.retained(o)));
    }
    let layout = dump.layout();
    if matches.get_flag("json") {
        let kinds = kinds
            .iter()
            .map(|(k, n)| Json::Object(vec![("kind", k.name().into()), ("roots", (*n).into())]));
        let threads = dump.threads().iter().map(|t| {
            let frames = dump.stack(t.trace);
            let frames = frames.iter().map(|f| Json::Text(f.to_string()));
            Json::Object(vec![
                ("name", t.name.as_str().into()),
                ("stack", Json::List(frames.collect())),
            ])
        });
        let holders = holders.into_iter().map(|(name, bytes)| {
            Json::Object(vec![
                ("object", Json::Text(name)),
                ("retained", bytes.into()),
            ])
        });
        Json::Object(vec![
            ("version", Json::Text(format!("1.0.{}", dump.version()))),
            ("millis", dump.millis().into()),
            ("fileBytes", dump.bytes().into()),
            ("idBytes", u64::from(dump.id_width()).into()),
            ("referenceBytes", u64::from(layout.reference).into()),
            ("objects", u64::from(dump.objects()).into()),
            ("bytes", dump.heap_bytes().into()),
            ("references", dump.references().into()),
            ("reachable", (tree.count() as u64).into()),
            ("reachableBytes", tree.bytes().into()),
            ("classes", (classes as u64).into()),
            ("roots", Json::List(kinds.collect())),
            ("threads", Json::List(threads.collect())),
            ("largest", Json::List(holders.collect())),
        ])
        .write(out)?;
        return Ok(0);
    }
    writeln!(
        out,
        "JAVA PROFILE 1.0.{}, {} bytes, identifiers of {} bytes each",
        dump.version(),
        dump.bytes(),
        dump.id_width()
    )?;
    writeln!(
        out,
        "objects:     {} of {} classes, {} bytes (headers of {} bytes, references of {})",
        dump.objects(),
        classes,
        dump.heap_bytes(),
        layout.header,
        layout.reference
    )?;
    writeln!(out, "references:  {}", dump.references())?;
    writeln!(
        out,
        "reachable:   {} objects, {} bytes",
        tree.count(),
        tree.bytes()
    )?;
    let kinds = kinds.iter().map(|(k, n)| format!("{n} {}", k.name()));
    writeln!(out, "roots:       {}", kinds.collect::<Vec<_>>().join(", "))?;
    writeln!(out, "threads:     {}", dump.threads().len())?;
    for t in dump.threads() {
        let top = dump.stack(t.trace).first().map(ToString::to_string);
        writeln!(out, "  \"{}\" {}", t.name, top.unwrap_or_default())?;
    }
    writeln!(out, "largest holders:")?;
    for (name, bytes) in holders {
        writeln!(
            out,
            "  {:>12} bytes {:>6} %  {name}",
            bytes,
            percent(bytes, tree.bytes())
        )?;
    }
    Ok(0)
}

/// A row of a histogram: name, objects, bytes, retained bytes.
type HistogramRow = (String, u64, u64, u64);

/// `histogram`
pub fn histogram(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let dump = opened(matches)?;
    let retained = matches.get_flag("retained");
    let live = retained || matches.get_flag("live");
    let tree = live.then(|| Dominators::new(&dump));
    let counts = |o| tree.as_ref().is_none_or(|t| t.reachable(o));
    let histogram = Histogram::new(&dump, counts);
    let by_class = match (&tree, retained) {
        (Some(tree), true) => tree.retained_by_class(&dump),
        _ => vec![0; dump.classes().len()],
    };
    let mut rows: Vec<HistogramRow> = histogram
        .rows
        .iter()
        .map(|r| {
            let name = dump.classes()[r.class as usize].name.clone();
            (name, r.objects, r.bytes, by_class[r.class as usize])
        })
        .collect();
    if matches
        .get_one::<String>("by")
        .is_some_and(|b| b == "package")
    {
        let mut packages: BTreeMap<String, (u64, u64, u64)> = BTreeMap::new();
        for (name, objects, bytes, retained) in rows {
            let class = name.trim_end_matches("[]");
            let package = match class.rsplit_once('.') {
                Some((package, _)) => package.to_string(),
                None if class.chars().next().is_some_and(char::is_lowercase) => {
                    "(arrays of numbers)".to_string()
                }
                None => "(unnamed)".to_string(),
            };
            let sum = packages.entry(package).or_default();
            sum.0 += objects;
            sum.1 += bytes;
            sum.2 += retained;
        }
        rows = packages
            .into_iter()
            .map(|(name, (o, b, r))| (name, o, b, r))
            .collect();
        rows.sort_by_key(|r| std::cmp::Reverse(r.2));
    }
    if retained {
        rows.sort_by_key(|r| std::cmp::Reverse((r.3, r.2)));
    }
    let shown = &rows[..rows.len().min(limited(matches))];
    if matches.get_flag("json") {
        let row = |(name, objects, bytes, kept): &HistogramRow| {
            let mut members = vec![
                ("name", Json::Text(name.clone())),
                ("objects", (*objects).into()),
                ("bytes", (*bytes).into()),
            ];
            if retained {
                members.push(("retained", (*kept).into()));
            }
            Json::Object(members)
        };
        Json::Object(vec![
            ("objects", histogram.objects().into()),
            ("bytes", histogram.bytes().into()),
            ("rows", Json::List(shown.iter().map(row).collect())),
        ])
        .write(out)?;
        return Ok(0);
    }
    let mut headings = vec!["rank", "objects", "bytes", "%"];
    if retained {
        headings.push("retained");
    }
    let mut table = TextTable::new(&headings, "class");
    for (rank, (name, objects, bytes, kept)) in (1..).zip(shown) {
        let mut cells = vec![
            rank.to_string(),
            objects.to_string(),
            bytes.to_string(),
            percent(*bytes, histogram.bytes()),
        ];
        if retained {
            cells.push(kept.to_string());
        }
        table.row(cells, name.clone());
    }
    table.write(out)?;
    if shown.len() < rows.len() {
        writeln!(out, "and {} more", rows.len() - shown.len())?;
    }
    let (objects, bytes) = (histogram.objects(), histogram.bytes());
    writeln!(out, "total: {objects} objects, {bytes} bytes")?;
    Ok(0)
}

/// `sites`
pub fn sites(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let mut dump = opened(matches)?;
    let mut sites = all_sites(&mut dump)?;
    if let Some(file) = matches.get_one::<PathBuf>("output") {
        written::write(&dump, &sites, matches, file)?;
        return Ok(0);
    }
    let total: u64 = sites.iter().map(|s| s.bytes).sum();
    sites.retain(|s| s.trace != 0 && !dump.stack(s.trace).is_empty());
    if sites.is_empty() {
        return Err(ToolProblem::Message(
            "no object of the dump has an allocation stack".to_string(),
        ));
    }
    let known: u64 = sites.iter().map(|s| s.bytes).sum();
    if let Some(class) = matches.get_one::<String>("class") {
        let of = |c: u32, dump: &Dump| &dump.classes()[c as usize].name == class;
        sites.retain(|s| of(s.class, &dump));
    }
    if matches
        .get_one::<String>("by")
        .is_some_and(|by| by == "allocated")
    {
        if sites.iter().all(|s| s.allocated.is_none()) {
            return Err(ToolProblem::Message(
                "the dump has no data about dead objects: record it with -agentlib:hprof=heap=all"
                    .to_string(),
            ));
        }
        sites.sort_by_key(|s| std::cmp::Reverse(s.allocated.map_or(0, |a| a.1)));
    }
    let shown = &sites[..sites.len().min(limited(matches))];
    if matches.get_flag("json") {
        let row = |s: &rjvm_heapdump::Site| {
            let frames = dump.stack(s.trace);
            let frames = frames.iter().map(|f| Json::Text(f.to_string()));
            let mut members = vec![
                ("trace", u64::from(s.trace).into()),
                (
                    "class",
                    Json::Text(dump.classes()[s.class as usize].name.clone()),
                ),
                ("objects", s.objects.into()),
                ("bytes", s.bytes.into()),
            ];
            if let Some((objects, bytes)) = s.allocated {
                members.push(("allocatedObjects", objects.into()));
                members.push(("allocatedBytes", bytes.into()));
            }
            if let Some((freed, bytecodes, collections)) = s.lived {
                members.push(("freedObjects", freed.into()));
                members.push(("livedBytecodes", bytecodes.into()));
                members.push(("livedCollections", collections.into()));
            }
            members.push(("stack", Json::List(frames.collect())));
            Json::Object(members)
        };
        Json::Object(vec![
            ("bytes", total.into()),
            ("bytesWithSite", known.into()),
            ("sites", Json::List(shown.iter().map(row).collect())),
        ])
        .write(out)?;
        return Ok(0);
    }
    writeln!(out, "{known} of {total} bytes have a site")?;
    for (rank, s) in (1..).zip(shown) {
        let class = &dump.classes()[s.class as usize].name;
        let part = percent(s.bytes, total);
        write!(
            out,
            "{rank}. {} bytes ({part} %) in {} {class}",
            s.bytes, s.objects
        )?;
        if let Some((objects, bytes)) = s.allocated {
            write!(out, "; allocated {bytes} bytes in {objects}")?;
        }
        if let Some((freed @ 1.., bytecodes, collections)) = s.lived {
            let (bytecodes, collections) = (bytecodes / freed, collections as f64 / freed as f64);
            write!(
                out,
                "; freed {freed}, on average after {bytecodes} bytecodes and {collections:.1} collections"
            )?;
        }
        writeln!(out)?;
        for f in dump.stack(s.trace) {
            writeln!(out, "     {f}")?;
        }
    }
    if shown.len() < sites.len() {
        writeln!(out, "and {} more sites", sites.len() - shown.len())?;
    }
    Ok(0)
}
