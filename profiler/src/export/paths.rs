//! The path format: a line for each calling context, made to be compared by `diff` and read by
//! scripts.
//!
//! ```text
//! path<TAB>invocations<TAB>bytecodes[<TAB>index:count,index:count,...]
//! ```
//! A path is the label `Class.name(desc)return` of each frame, root first, joined by `;`. If
//! contexts are separate by call site, `@index:` precedes each label, with -1 where there is no
//! call site. Threads that are separate are roots `[name]`. If single bytecodes were counted, the fourth
//! column has how often the bytecode at each index was executed in the context, `-` if none. Lines are in the order of
//! `LC_ALL=C sort`. Descriptors contain `;` too, so a path is not to be split at each `;`.

use super::Settings;
use crate::cct::NO_SITE;
use crate::method::{self, MethodInfo, is_application};
use crate::profile::{Builder, Kind, Profile, ThreadProfile};
use crate::tree::{Counts, Extra, GrowingTree, TreeError};
use std::collections::HashMap;
use std::io::{self, BufRead, Write};

/// Writes every context with its full path. The size of the output grows with the square of the
/// depth; [`write_by_depth`] does not. If lines are wanted, two columns follow: where the method begins, as
/// `folder/File.java:12`, and the line in the caller that it is called from. `-` means unknown.
pub fn write(profile: &Profile, settings: &Settings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let labels: Vec<String> = profile.methods.iter().map(MethodInfo::label).collect();
    let mut path = String::new();
    let mut ends: Vec<usize> = Vec::new();
    let with_counts = profile.has_counts();
    let with_counts = with_counts || settings.lines;
    let none = match (with_counts, settings.lines) {
        (_, true) => "\t-\t-\t-",
        (true, false) => "\t-",
        (false, false) => "",
    };
    for thread in by_label(profile) {
        path.clear();
        if let Some(label) = thread.label() {
            path.push_str(&label);
            writeln!(out, "{path}\t0\t0{none}")?;
        }
        let base = path.len();
        ends.clear();
        for (index, (depth, node)) in (0..).zip(thread.tree.preorder()) {
            ends.truncate(depth);
            path.truncate(ends.last().copied().unwrap_or(base));
            if !path.is_empty() {
                path.push(';');
            }
            push_element(
                &mut path,
                profile.call_sites,
                node.site(),
                &labels[node.method as usize],
            );
            ends.push(path.len());
            write!(out, "{path}\t{}\t{}", node.invocations, node.bytecodes)?;
            if with_counts {
                write_counts(thread.tree.counts(index), out)?;
            }
            if settings.lines {
                let method = &profile.methods[node.method as usize];
                let nodes = thread.tree.nodes();
                let caller = node.parent().map(|caller| nodes[caller as usize].method);
                let caller = caller.map(|caller| &profile.methods[caller as usize]);
                let site = node.site().filter(|_| profile.call_sites);
                write_places(method, caller.and_then(|caller| caller.line(site)), out)?;
            }
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

/// Writes the fifth and the sixth column.
fn write_places(method: &MethodInfo, call: Option<u32>, out: &mut dyn Write) -> io::Result<()> {
    match (&method.source, method.first_line()) {
        (Some(source), Some(line)) => write!(out, "\t{}:{line}", source.file())?,
        (Some(source), None) => write!(out, "\t{}", source.file())?,
        (None, _) => out.write_all(b"\t-")?,
    }
    match call {
        Some(line) => write!(out, "\t{line}"),
        None => out.write_all(b"\t-"),
    }
}

/// Writes the fourth column.
fn write_counts(counts: Counts<'_>, out: &mut dyn Write) -> io::Result<()> {
    if counts.is_empty() {
        return out.write_all(b"\t-");
    }
    let mut separator = '\t';
    for (index, count) in counts {
        write!(out, "{separator}{index}:{count}")?;
        separator = ',';
    }
    Ok(())
}

/// Writes every context as `depth<TAB>label<TAB>invocations<TAB>bytecodes`, in the same order and
/// with the same optional column. For deep trees.
pub fn write_by_depth(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let labels: Vec<String> = profile.methods.iter().map(MethodInfo::label).collect();
    let mut text = String::new();
    let with_counts = profile.has_counts();
    let none = if with_counts { "\t-" } else { "" };
    for thread in by_label(profile) {
        let mut base = 1;
        if let Some(label) = thread.label() {
            writeln!(out, "1\t{label}\t0\t0{none}")?;
            base = 2;
        }
        for (index, (depth, node)) in (0..).zip(thread.tree.preorder()) {
            text.clear();
            push_element(
                &mut text,
                profile.call_sites,
                node.site(),
                &labels[node.method as usize],
            );
            write!(
                out,
                "{}\t{text}\t{}\t{}",
                depth + base,
                node.invocations,
                node.bytecodes
            )?;
            if with_counts {
                write_counts(thread.tree.counts(index), out)?;
            }
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

fn by_label(profile: &Profile) -> Vec<&ThreadProfile> {
    let mut threads: Vec<&ThreadProfile> = profile.threads.iter().collect();
    threads.sort_by_cached_key(|thread| thread.label());
    threads
}

/// An element of a path.
pub fn element(call_sites: bool, site: Option<u32>, method: &MethodInfo) -> String {
    let mut text = String::new();
    push_element(&mut text, call_sites, site, &method.label());
    text
}

/// Appends an element of a path to a text.
pub fn push_element(text: &mut String, call_sites: bool, site: Option<u32>, label: &str) {
    if call_sites {
        text.push('@');
        match site {
            Some(site) => text.push_str(&site.to_string()),
            None => text.push_str("-1"),
        }
        text.push(':');
    }
    text.push_str(label);
}

/// Why a file is not in the path format.
#[derive(Debug, thiserror::Error)]
pub enum PathsError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not in the format.
    #[error("line {line}: {problem}")]
    Syntax {
        /// Number of the line, from 1.
        line: usize,
        /// The mistake in it.
        problem: String,
    },
    /// There are too many contexts.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

/// Reads a profile. Lines may come in any order; equal paths add up; columns after the fourth are
/// passed over. The format does not say which methods are native: those are taken for native that
/// were invoked and never executed a bytecode.
pub fn read(input: &mut dyn BufRead) -> Result<Profile, PathsError> {
    let mut reader = Reader::default();
    let mut line = String::new();
    let mut number = 0;
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            break;
        }
        number += 1;
        let text = line.strip_suffix('\n').unwrap_or(&line);
        match reader.line(text) {
            Ok(()) => {}
            Err(LineError::Tree(error)) => return Err(error.into()),
            Err(LineError::Syntax(problem)) => {
                return Err(PathsError::Syntax {
                    line: number,
                    problem,
                });
            }
        }
    }
    Ok(reader.finish()?)
}

enum LineError {
    Tree(TreeError),
    Syntax(String),
}

#[derive(Default)]
struct Reader {
    call_sites: Option<bool>,
    methods: Vec<Method>,
    known: HashMap<String, u32>,
    threads: Vec<(Option<String>, GrowingTree)>,
    stack: Vec<(u32, u32)>,
    extra: Extra,
}

struct Method {
    class: String,
    name: String,
    descriptor: String,
    invocations: u64,
    bytecodes: u64,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), LineError> {
        let mut columns = line.split('\t');
        let path = columns.next().unwrap_or_default();
        let mut count = |what: &str| {
            let text = columns
                .next()
                .ok_or_else(|| syntax(format!("no column of {what}")))?;
            text.parse::<u64>()
                .map_err(|_| syntax(format!("'{text}' is not a number of {what}")))
        };
        let (invocations, bytecodes) = (count("calls")?, count("bytecodes")?);
        self.extra.clear();
        if let Some(text) = columns.next() {
            counts(text, &mut self.extra)?;
        }
        let (thread, rest) = thread_name(path);
        self.elements(rest)?;
        if let Some(&(method, _)) = self.stack.last() {
            let method = &mut self.methods[method as usize];
            method.invocations = method.invocations.saturating_add(invocations);
            method.bytecodes = method.bytecodes.saturating_add(bytecodes);
        } else if thread.is_none() {
            return Err(syntax("no path".to_owned()));
        }
        if self
            .threads
            .last()
            .is_none_or(|(name, _)| name.as_deref() != thread)
        {
            let same = |(name, _): &(Option<String>, GrowingTree)| name.as_deref() == thread;
            match self.threads.iter().position(same) {
                Some(at) => {
                    let last = self.threads.len() - 1;
                    self.threads.swap(at, last);
                }
                None => {
                    self.threads
                        .push((thread.map(str::to_owned), GrowingTree::default()));
                }
            }
        }
        let (_, tree) = self
            .threads
            .last_mut()
            .expect("the thread was just put there");
        let node = tree
            .add(self.stack.iter().copied(), invocations, bytecodes)
            .map_err(LineError::Tree)?;
        if let Some(node) = node {
            tree.add_extra(node, &self.extra);
        }
        Ok(())
    }

    /// Splits a path into `stack`.
    fn elements(&mut self, path: &str) -> Result<(), LineError> {
        self.stack.clear();
        let mut rest = path;
        while !rest.is_empty() {
            let (site, label) = site(rest)?;
            if *self.call_sites.get_or_insert(site.is_some()) != site.is_some() {
                return Err(syntax(
                    "some elements have call sites, others have none".to_owned(),
                ));
            }
            let Some((dot, open, end)) = method::element(label) else {
                return Err(syntax(format!("no Class.name(desc)return at '{label}'")));
            };
            let text = &label[..end];
            let method = match self.known.get(text) {
                Some(&method) => method,
                None => {
                    let index = self.methods.len() as u32;
                    self.known.insert(text.to_owned(), index);
                    self.methods.push(Method {
                        class: label[..dot].to_owned(),
                        name: label[dot + 1..open].to_owned(),
                        descriptor: label[open..end].to_owned(),
                        invocations: 0,
                        bytecodes: 0,
                    });
                    index
                }
            };
            self.stack.push((method, site.unwrap_or(NO_SITE)));
            rest = match label[end..].strip_prefix(';') {
                Some("") => return Err(syntax("the path ends with ';'".to_owned())),
                Some(more) => more,
                None if label.len() == end => "",
                None => return Err(syntax(format!("no ';' at '{}'", &label[end..]))),
            };
        }
        Ok(())
    }

    fn finish(self) -> Result<Profile, TreeError> {
        let resolve = |id: u32| {
            let m = &self.methods[id as usize];
            // The file has names as they were normalised.
            let hidden = m.class.ends_with("$$Lambda");
            MethodInfo {
                class: m.class.clone(),
                name: m.name.clone(),
                descriptor: m.descriptor.clone(),
                native: m.invocations > 0 && m.bytecodes == 0,
                hidden,
                app: is_application(&m.class, hidden),
                source: None,
                origin: None,
            }
        };
        let mut builder = Builder::new(Kind::Exact, self.call_sites.unwrap_or(false), resolve);
        let mut threads = self.threads;
        threads.sort_by(|a, b| a.0.cmp(&b.0));
        for (id, (name, tree)) in (1..).zip(threads) {
            builder.tree(name.as_deref(), id, tree.tree()?, 0);
        }
        builder.finish()
    }
}

fn syntax(problem: String) -> LineError {
    LineError::Syntax(problem)
}

/// Reads the fourth column.
fn counts(column: &str, extra: &mut Extra) -> Result<(), LineError> {
    if column == "-" || column.is_empty() {
        return Ok(());
    }
    for pair in column.split(',') {
        let (index, count) = pair
            .split_once(':')
            .and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)))
            .ok_or_else(|| syntax(format!("'{pair}' is not the index:count of a bytecode")))?;
        extra.counts.push((index, count));
    }
    extra.normalise();
    Ok(())
}

/// Splits `[name];rest`.
fn thread_name(path: &str) -> (Option<&str>, &str) {
    let Some(inside) = path.strip_prefix('[') else {
        return (None, path);
    };
    match (inside.find("];"), inside.strip_suffix(']')) {
        (Some(end), _) => (Some(&inside[..end]), &inside[end + 2..]),
        (None, Some(name)) => (Some(name), ""),
        (None, None) => (None, path),
    }
}

/// Splits `@site:rest`.
fn site(element: &str) -> Result<(Option<u32>, &str), LineError> {
    let Some(text) = element.strip_prefix('@') else {
        return Ok((None, element));
    };
    let wrong = || syntax(format!("no call site at '{element}'"));
    let (number, rest) = text.split_once(':').ok_or_else(wrong)?;
    match number {
        "-1" => Ok((Some(NO_SITE), rest)),
        _ => Ok((Some(number.parse().map_err(|_| wrong())?), rest)),
    }
}
