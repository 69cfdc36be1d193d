//! The names in the code: no two types of a crate have one name, and no identifier has a word that only this project would use.

use super::{File, assert_none, root, rust_files};
use std::collections::BTreeMap;

/// Types of one name that are alternatives: one of them is compiled.
const ALTERNATIVES: [(&str, &str, &str); 3] = [
    ("vm", "Handler", "with tail calls, and with a loop"),
    (
        "crates/rjvm",
        "ProbeTexts",
        "with the feature `probes`, and without",
    ),
    (
        "crates/rjvm",
        "VmProbes",
        "with the feature `probes`, and without",
    ),
];

/// Words that identifiers avoid, with the words of the field.
const AVOIDED: [(&str, &str); 24] = [
    ("asked", "requested"),
    ("asks", "requests"),
    ("audience", "observer"),
    ("audiences", "observers"),
    ("born", "created"),
    ("desk", "queue"),
    ("errand", "task, pending call"),
    ("errands", "tasks, pending calls"),
    ("forsake", "force release"),
    ("glance", "fast event"),
    ("glanced", "fast outcome"),
    ("glances", "has a fast path"),
    ("knock", "poll, wake"),
    ("said", "message, printed"),
    ("seldom", "rare"),
    ("shelf", "registry"),
    ("tell", "notify, report"),
    ("telling", "notifying"),
    ("tells", "reports"),
    ("told", "reported"),
    ("unsaid", "unreported"),
    ("untold", "unattributed"),
    ("whence", "origin"),
    ("whoever", "name who"),
];

/// Names that other libraries gave.
const FOREIGN: [(&str, &str); 2] = [
    ("crates/cli/src/explore/process.rs", "tell"),
    ("jdk-stubs/src/os/descriptors.rs", "l_whence"),
];

/// The code without comments, and with empty strings.
fn code(text: &str) -> String {
    split(text).0
}

/// The strings of code with their lines.
pub fn strings(text: &str) -> Vec<(usize, &str)> {
    split(text).1
}

fn split(text: &str) -> (String, Vec<(usize, &str)>) {
    let (mut out, mut all) = (String::with_capacity(text.len()), Vec::new());
    let (mut rest, mut at) = (text, 1);
    while let Some(c) = rest.chars().next() {
        let raw = ["r\"", "r#", "br\"", "br#"]
            .iter()
            .any(|p| rest.starts_with(p));
        let before = out.chars().last();
        let starts_word = !before.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let (length, is_text) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), false)
        } else if rest.starts_with("/*") {
            (rest.find("*/").map_or(rest.len(), |at| at + 2), false)
        } else if raw
            && starts_word
            && let Some(length) = raw_string(rest)
        {
            (length, true)
        } else if c == '"' {
            (string(rest), true)
        } else if c == '\'' {
            (character(rest), false)
        } else {
            at += usize::from(c == '\n');
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        let part = &rest[..length];
        if is_text {
            all.push((at, part));
        }
        let breaks = part.chars().filter(|&c| c == '\n');
        at += breaks.clone().count();
        out.extend(breaks);
        out.push(' ');
        rest = &rest[length..];
    }
    (out, all)
}

/// The length of the raw string that begins here, if one does: `r#name` is an identifier.
fn raw_string(text: &str) -> Option<usize> {
    let marks = text.trim_start_matches(['b', 'r']);
    let hashes = marks.len() - marks.trim_start_matches('#').len();
    let inside = marks[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = inside.find(&end)?;
    Some(text.len() - inside.len() + length + end.len())
}

fn string(text: &str) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return i + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// The length of a character, or 1 for a lifetime's mark.
fn character(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some((i, c))) => text[i + c.len_utf8()..]
            .find('\'')
            .map_or(1, |at| i + c.len_utf8() + at + 1),
        (Some(_), Some((i, '\''))) => i + 1,
        _ => 1,
    }
}

/// The identifiers of code with their lines.
fn identifiers(code: &str) -> Vec<(usize, &str)> {
    let mut all = Vec::new();
    for (i, line) in code.lines().enumerate() {
        let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        let names = words.filter(|w| w.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        all.extend(names.map(|name| (i + 1, name)));
    }
    all
}

/// The words of an identifier, in small letters.
fn words(name: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut small = false;
    for c in name.chars() {
        if c == '_' || c.is_uppercase() && small {
            all.push(String::new());
        }
        small = c.is_lowercase() || c.is_ascii_digit();
        if c != '_' {
            all.last_mut().expect("one").extend(c.to_lowercase());
        }
    }
    all.retain(|w| !w.is_empty());
    all
}

/// The types that a line of code defines: not those of traits and their implementations.
fn defined(line: &str) -> Option<&str> {
    let mut start = line.trim_start();
    let indented = start.len() < line.len();
    if let Some(rest) = start.strip_prefix("pub") {
        start = match rest.strip_prefix('(') {
            Some(rest) => rest.split_once(')')?.1,
            None => rest,
        };
    }
    let (keyword, rest) = start.trim_start().split_once(' ')?;
    let (keyword, rest) = match keyword {
        "unsafe" => rest.split_once(' ')?,
        _ => (keyword, rest),
    };
    let defines = match keyword {
        "struct" | "enum" | "union" | "trait" => true,
        "type" => !indented,
        _ => false,
    };
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    let name = &rest[..end.unwrap_or(rest.len())];
    (defines && name.starts_with(char::is_uppercase)).then_some(name)
}

/// The folder of the crate that a source file is of.
fn crate_of(path: &str) -> Option<&str> {
    path.split_once("/src/").map(|(folder, _)| folder)
}

/// The places of types that share their names, and the exceptions that there are no such types for.
fn shared(files: &[File]) -> (Vec<String>, Vec<String>) {
    let mut all: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
    for file in files {
        let Some(of) = crate_of(&file.path) else {
            continue;
        };
        for (i, line) in code(&file.text).lines().enumerate() {
            if let Some(name) = defined(line) {
                let place = format!("{}:{}", file.path, i + 1);
                all.entry((of, name.into())).or_default().push(place);
            }
        }
    }
    all.retain(|_, places| places.len() > 1);
    let idle = ALTERNATIVES.iter().filter(|(of, name, _)| {
        let known = all.remove(&(*of, name.to_string()));
        known.is_none()
    });
    let idle = idle.map(|(of, name, _)| format!("{of}: {name}")).collect();
    let named = all
        .iter()
        .map(|((_, n), places)| format!("{n}: {}", places.join(", ")));
    (named.collect(), idle)
}

#[test]
fn code_is_read_without_comments_and_texts() {
    let text = "fn a() { let told = b\"said\"; } // asks\nlet c = ['\\'', '\"', 'x']; r#\"a \"told\" b\"#; r#type 'a";
    let code = code(text);
    let names: Vec<&str> = identifiers(&code).into_iter().map(|n| n.1).collect();
    assert_eq!(
        names,
        ["fn", "a", "let", "told", "b", "let", "c", "r", "type", "a"]
    );
    assert_eq!(
        words("BTreeMap_of2Things"),
        ["btree", "map", "of2", "things"]
    );
    assert_eq!(defined("pub(crate) struct Told<'a>(u8);"), Some("Told"));
    assert_eq!(defined("    pub unsafe trait Told {"), Some("Told"));
    assert_eq!(defined("    type Told = u8;"), None);
    assert_eq!(defined("type Told = u8;"), Some("Told"));
}

#[test]
fn types_of_one_name_are_found() {
    let file = |path: &str, text: &str| File {
        path: path.into(),
        text: text.into(),
    };
    let files = [
        file("vm/src/a.rs", "//! A\nstruct A;\n"),
        file("vm/src/b.rs", "enum A {}\n"),
        file("profiler/src/b.rs", "enum A {}\n"),
    ];
    assert_eq!(shared(&files).0, ["A: vm/src/a.rs:2, vm/src/b.rs:1"]);
}

#[test]
fn types_of_a_crate_have_names_of_their_own() {
    let (places, idle) = shared(&rust_files());
    assert_none("types of one crate that share a name", places);
    assert_none("exceptions that are none any more", idle);
}

/// The rows of a page on renamed types: the folder of the heading above, old name, new name.
fn renamed(page: &str) -> Vec<(&str, &str, &str)> {
    let (mut folder, mut rows) = ("", Vec::new());
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            folder = heading.split('`').nth(3).unwrap_or_default();
        }
        let names: Vec<&str> = line.split('`').collect();
        if !folder.is_empty()
            && let ["| ", old, " | ", new, _] = names[..]
        {
            rows.push((folder, old, new));
        }
    }
    rows
}

#[test]
fn the_page_of_renamed_types_names_those_that_there_are() {
    let page = std::fs::read_to_string(root().join("docs/explanation/renamed.md"));
    let page = page.expect("a page");
    let rows = renamed(&page);
    assert!(rows.len() > 400, "{} rows", rows.len());
    let mut there = std::collections::BTreeSet::new();
    for file in rust_files() {
        let Some(folder) = crate_of(&file.path) else {
            continue;
        };
        for line in code(&file.text).lines() {
            if let Some(name) = defined(line) {
                there.insert((folder.to_string(), name.to_string()));
            }
        }
    }
    let gone = rows
        .iter()
        .filter(|(folder, _, new)| !there.contains(&(folder.to_string(), new.to_string())));
    let gone = gone.map(|(folder, old, new)| format!("{folder}: {old}, {new}"));
    assert_none("names of types that are gone", gone.collect());
}

#[test]
fn identifiers_are_made_of_common_words() {
    let mut bad = Vec::new();
    let mut foreign: Vec<(&str, &str)> = FOREIGN.to_vec();
    for file in rust_files() {
        // words that the rules are about
        if file.path.starts_with("tests/tidy") {
            continue;
        }
        for (line, name) in identifiers(&code(&file.text)) {
            let words = words(name);
            let found = AVOIDED
                .iter()
                .find(|(word, _)| words.iter().any(|w| w == word));
            let Some((word, advice)) = found else {
                continue;
            };
            if FOREIGN.contains(&(&file.path, name)) {
                foreign.retain(|known| *known != (&file.path, name));
                continue;
            }
            bad.push(format!("{}:{line}: {name}: `{word}`: {advice}", file.path));
        }
    }
    assert_none("words to avoid in names", bad);
    let idle = foreign.iter().map(|(path, name)| format!("{path}: {name}"));
    assert_none("exceptions that are none any more", idle.collect());
}
