//! `dominators`, `retained` and `paths`: who keeps what alive.

use super::super::input::{limited, percent};
use super::super::json::Json;
use super::super::show::TextTable;
use super::name::{self, ObjectSelection};
use super::{ToolProblem, opened};
use clap::ArgMatches;
use rjvm_heapdump::{Dominators, Dump, Histogram, ObjectId, Path, Paths, retained_set};
use std::io::Write;

/// The dominated of an object that a level of the tree shows, and how many it leaves out with how many bytes.
fn level(tree: &Dominators, of: Option<ObjectId>, limit: usize) -> (Vec<ObjectId>, usize, u64) {
    let mut below = tree.dominated(of).to_vec();
    below.sort_by_key(|&o| (std::cmp::Reverse(tree.retained(o)), o));
    let rest = below.split_off(below.len().min(limit));
    let bytes = rest.iter().map(|&o| tree.retained(o)).sum();
    (below, rest.len(), bytes)
}

/// `dominators`
pub fn dominators(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let mut dump = opened(matches)?;
    let tree = Dominators::new(&dump);
    let limit = limited(matches);
    let depth = matches.get_one::<u32>("depth").copied().unwrap_or(3);
    if matches.get_flag("json") {
        let rows = rows(&mut dump, &tree, None, limit, depth)?;
        Json::Object(vec![
            ("bytes", tree.bytes().into()),
            ("dominated", Json::List(rows)),
        ])
        .write(out)?;
        return Ok(0);
    }
    writeln!(out, "{:>14} {:>7}  object", "retained", "%")?;
    // what is still to be shown, the next one last
    enum Line {
        Object(ObjectId, u32),
        Rest(usize, u64, u32),
    }
    let mut open = Vec::new();
    let push = |open: &mut Vec<Line>, of, level_of: u32| {
        let (shown, rest, bytes) = level(&tree, of, limit);
        if rest > 0 {
            open.push(Line::Rest(rest, bytes, level_of));
        }
        open.extend(shown.into_iter().rev().map(|o| Line::Object(o, level_of)));
    };
    push(&mut open, None, 0);
    while let Some(line) = open.pop() {
        match line {
            Line::Object(o, l) => {
                let bytes = tree.retained(o);
                let part = percent(bytes, tree.bytes());
                let name = name::object(&mut dump, o)?;
                let indent = 2 * l as usize;
                writeln!(out, "{bytes:>14} {part:>7}  {:indent$}{name}", "")?;
                if l + 1 < depth {
                    push(&mut open, Some(o), l + 1);
                }
            }
            Line::Rest(n, bytes, l) => {
                let part = percent(bytes, tree.bytes());
                let indent = 2 * l as usize;
                writeln!(out, "{bytes:>14} {part:>7}  {:indent$}and {n} more", "")?;
            }
        }
    }
    Ok(0)
}

/// As deep as the command line says, which is at most 100.
fn rows(
    dump: &mut Dump,
    tree: &Dominators,
    of: Option<ObjectId>,
    limit: usize,
    depth: u32,
) -> Result<Vec<Json>, ToolProblem> {
    if depth == 0 {
        return Ok(Vec::new());
    }
    let (shown, _, _) = level(tree, of, limit);
    let mut list = Vec::new();
    for o in shown {
        let below = rows(dump, tree, Some(o), limit, depth - 1)?;
        list.push(Json::Object(vec![
            ("object", Json::Text(name::object(dump, o)?)),
            ("bytes", dump.size(o).into()),
            ("retained", tree.retained(o).into()),
            ("dominates", (tree.dominated(Some(o)).len() as u64).into()),
            ("dominated", Json::List(below)),
        ]));
    }
    Ok(list)
}

fn find(matches: &ArgMatches, dump: &Dump) -> Result<ObjectSelection, ToolProblem> {
    let what = matches.get_one::<String>("WHAT");
    name::find(dump, what.map_or("", String::as_str))
}

/// `retained`
pub fn retained(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let mut dump = opened(matches)?;
    let what = find(matches, &dump)?;
    let set = retained_set(&dump, |o| what.is(&dump, o));
    let of = Histogram::new(&dump, |o| what.is(&dump, o));
    let kept = Histogram::new(&dump, |o| set[o as usize]);
    let title = match &what {
        ObjectSelection::Class(c) => dump.classes()[*c as usize].name.clone(),
        ObjectSelection::Object(o) => name::object(&mut dump, *o)?,
    };
    let shown = &kept.rows[..kept.rows.len().min(limited(matches))];
    let class = |c: u32| dump.classes()[c as usize].name.clone();
    if matches.get_flag("json") {
        let row = |r: &rjvm_heapdump::Row| {
            Json::Object(vec![
                ("name", Json::Text(class(r.class))),
                ("objects", r.objects.into()),
                ("bytes", r.bytes.into()),
            ])
        };
        Json::Object(vec![
            ("of", Json::Text(title)),
            ("objects", of.objects().into()),
            ("bytes", of.bytes().into()),
            ("retainedObjects", kept.objects().into()),
            ("retained", kept.bytes().into()),
            ("rows", Json::List(shown.iter().map(row).collect())),
        ])
        .write(out)?;
        return Ok(0);
    }
    writeln!(
        out,
        "{title}: {} objects of {} bytes retain {} objects of {} bytes",
        of.objects(),
        of.bytes(),
        kept.objects(),
        kept.bytes()
    )?;
    let mut table = TextTable::new(&["objects", "bytes", "%"], "class");
    for r in shown {
        let cells = vec![
            r.objects.to_string(),
            r.bytes.to_string(),
            percent(r.bytes, kept.bytes()),
        ];
        table.row(cells, class(r.class));
    }
    table.write(out)?;
    Ok(0)
}

/// The steps of a path, one a line.
pub fn write_path(dump: &mut Dump, path: &Path, out: &mut dyn Write) -> Result<(), ToolProblem> {
    /// Steps of a long path that are shown at both ends.
    const ENDS: usize = 12;
    writeln!(out, "    {}", name::root(dump, path))?;
    let steps = &path.steps;
    for (i, step) in steps.iter().enumerate() {
        if steps.len() > 2 * ENDS && (ENDS..steps.len() - ENDS).contains(&i) {
            if i == ENDS {
                writeln!(out, "      … {} more", steps.len() - 2 * ENDS)?;
            }
            continue;
        }
        let object = name::object(dump, step.object)?;
        let place = step.holder.as_ref().map(name::holder);
        writeln!(
            out,
            "      {object}{}",
            place.map_or(String::new(), |p| format!("  {p}"))
        )?;
    }
    Ok(())
}

/// A path as JSON.
pub fn path_json(dump: &mut Dump, path: &Path) -> Result<Json, ToolProblem> {
    let mut steps = Vec::new();
    for step in &path.steps {
        let mut members = vec![("object", Json::Text(name::object(dump, step.object)?))];
        if let Some(holder) = &step.holder {
            members.push(("by", Json::Text(name::holder(holder).trim().to_string())));
        }
        steps.push(Json::Object(members));
    }
    Ok(Json::Object(vec![
        ("root", Json::Text(name::root(dump, path))),
        ("steps", Json::List(steps)),
    ]))
}

/// `paths`
pub fn paths(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let mut dump = opened(matches)?;
    let what = find(matches, &dump)?;
    let paths = Paths::new(&dump);
    let of = Histogram::new(&dump, |o| what.is(&dump, o));
    let groups = paths.alike(&dump, |o| what.is(&dump, o));
    let alive: u64 = groups.iter().map(|g| g.1).sum();
    let shown = groups.len().min(limited(matches));
    let json = matches.get_flag("json");
    let mut list = Vec::new();
    if !json {
        writeln!(
            out,
            "{} objects, {} of them alive, by {} paths",
            of.objects(),
            alive,
            groups.len()
        )?;
    }
    for &(object, n) in &groups[..shown] {
        let Some(path) = paths.path(&mut dump, object)? else {
            continue;
        };
        if json {
            list.push(Json::Object(vec![
                ("objects", n.into()),
                ("path", path_json(&mut dump, &path)?),
            ]));
            continue;
        }
        let like = if n == 1 {
            "object"
        } else {
            "objects, for instance"
        };
        writeln!(out, "  {n} {like}")?;
        write_path(&mut dump, &path, out)?;
    }
    if json {
        Json::Object(vec![
            ("objects", of.objects().into()),
            ("alive", alive.into()),
            ("ways", Json::List(list)),
        ])
        .write(out)?;
    } else if shown < groups.len() {
        writeln!(out, "and {} more paths", groups.len() - shown)?;
    }
    Ok(0)
}
