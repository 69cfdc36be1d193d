//! The links and the words of the documentation: links lead to files; phrases of `docs/style-words.txt` are not in the README, the pages of
//! the book, the program's help and messages, and the documentation of public items.

use super::names::strings;
use super::{assert_none, files, root, rust_files};
use std::path::PathBuf;
use std::process::Command;

/// A phrase that is to be avoided: its parts, between which one to five other words stand, and what to write instead.
struct Phrase {
    parts: Vec<Vec<String>>,
    advice: String,
    /// It is right as a part of these.
    unless: Vec<Vec<String>>,
    /// It is looked for in pages, help and messages of the program, not in comments or other strings.
    pages_only: bool,
}

/// The line of the list after which phrases are for pages, help and messages.
const PAGES_ONLY: &str = "# Only in pages, help and messages:";

/// The most words that " … " stands for.
const BETWEEN: usize = 5;

/// A word, in small letters and without marks around it, and its line.
type Word = (String, usize);

fn words(text: &str) -> Vec<String> {
    let words = text.split_whitespace().map(bare);
    words.filter(|word| !word.is_empty()).collect()
}

fn bare(word: &str) -> String {
    let mark = |c: char| !c.is_alphanumeric() && c != '`';
    word.trim_matches(mark).to_lowercase().replace('’', "'")
}

fn phrases() -> Vec<Phrase> {
    let text = std::fs::read_to_string(root().join("docs/style-words.txt"));
    let text = text.expect("there is a list of words");
    let (both, pages) = text.split_once(PAGES_ONLY).expect("two parts");
    let mut all = Vec::new();
    for (text, pages_only) in [(both, false), (pages, true)] {
        let lines = text.lines();
        for line in lines.filter(|l| !l.starts_with('#') && !l.is_empty()) {
            let mut columns = line.split('\t');
            let mut next = || columns.next();
            let phrase = next().expect("a phrase");
            all.push(Phrase {
                parts: phrase.split(" … ").map(words).collect(),
                advice: next().expect("a tab, what to write").to_string(),
                unless: next().map_or(Vec::new(), |all| all.split(", ").map(words).collect()),
                pages_only,
            });
        }
    }
    all
}

impl Phrase {
    /// Whether it begins at this word of a sentence, and is not a part of something that is right.
    fn is_at(&self, sentence: &[Word], at: usize) -> bool {
        let right = |whole: &Vec<String>| {
            let begins = |&i: &usize| {
                let found = sentence[i..].iter().map(|w| &w.0).take(whole.len());
                found.eq(whole)
            };
            ((at + 1).saturating_sub(whole.len())..=at).any(|i| begins(&i))
        };
        self.begins(&sentence[at..]) && !self.unless.iter().any(right)
    }

    /// Whether it begins at the first of these words.
    fn begins(&self, sentence: &[Word]) -> bool {
        fn here(parts: &[Vec<String>], at: &[Word]) -> bool {
            let Some((part, rest)) = parts.split_first() else {
                return true;
            };
            let same = at.len() >= part.len() && part.iter().zip(at).all(|(a, b)| *a == b.0);
            let after = || &at[part.len()..];
            same && (rest.is_empty()
                || (1..=BETWEEN).any(|n| after().get(n..).is_some_and(|at| here(rest, at))))
        }
        here(&self.parts, sentence)
    }

    fn text(&self) -> String {
        let parts: Vec<String> = self.parts.iter().map(|p| p.join(" ")).collect();
        parts.join(" … ")
    }
}

/// The sentences of a page in Markdown that are no questions. Code, headings and the targets of links are left out; a
/// piece of code within a sentence is one word.
fn sentences(page: &str, tables: bool) -> Vec<Vec<Word>> {
    let (mut all, mut now) = (Vec::new(), Vec::new());
    let (mut fenced, mut code) = (false, false);
    for (i, line) in page.lines().enumerate() {
        let start = line.trim_start();
        let fence = start.starts_with("```");
        fenced ^= fence;
        let row = start.starts_with('|');
        if start.is_empty() || fence || row || start.starts_with(['#', '-', '*']) {
            all.push(std::mem::take(&mut now));
            code = false;
        }
        if fence || fenced || start.starts_with('#') || start.starts_with("<!--") || row && !tables
        {
            continue;
        }
        let mut plain = String::new();
        let mut rest = start;
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            if c == '`' {
                code = !code;
                plain.push_str(if code { "`" } else { "" });
            } else if !code && c == ']' && rest.starts_with('(') {
                rest = rest.split_once(')').map_or("", |(_, after)| after);
            } else if !code {
                plain.push(if c == '[' { ' ' } else { c });
            }
        }
        for word in plain.replace('|', " | ").split_whitespace() {
            if word.contains('?') {
                now.clear();
                continue;
            }
            now.push((bare(word), i + 1));
            if word == "|" || word.ends_with(['.', '!', ':', ';']) || word.ends_with(".)") {
                all.push(std::mem::take(&mut now));
            }
        }
    }
    all.push(now);
    all.iter_mut()
        .for_each(|s| s.retain(|(word, _)| !word.is_empty()));
    all
}

fn faults(name: &str, page: &str, tables: bool, phrases: &[Phrase]) -> Vec<String> {
    let mut found = Vec::new();
    for sentence in sentences(page, tables) {
        for at in 0..sentence.len() {
            for phrase in phrases.iter().filter(|p| p.is_at(&sentence, at)) {
                let line = sentence[at].1;
                let text = phrase.text();
                found.push(format!("{name}:{line}: `{text}`: {}", phrase.advice));
            }
        }
    }
    found
}

fn help(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_rjvm")).args(args).output();
    let output = output.expect("rjvm starts");
    assert!(output.status.success(), "rjvm {args:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    // examples are commands
    let lines = text
        .lines()
        .filter(|l| !l.trim_start().starts_with("rjvm "));
    lines.collect::<Vec<_>>().join("\n")
}

/// The help of the program and of each subcommand.
fn helps() -> Vec<(String, String)> {
    let first = help(&["--help"]);
    let commands = first
        .lines()
        .skip_while(|l| !l.contains("<command>"))
        .skip(1);
    let commands = commands.take_while(|l| l.starts_with("      ") && !l.trim().is_empty());
    let mut all = vec![("rjvm --help-all".to_string(), help(&["--help-all"]))];
    for line in commands {
        let command = line.split_whitespace().next().expect("a name");
        all.push((format!("rjvm {command} --help"), help(&[command, "--help"])));
    }
    assert!(all.len() > 10, "{} commands", all.len());
    all
}

#[test]
fn what_is_avoided_is_found() {
    let phrases = phrases();
    assert!(phrases.len() > 40);
    let found = |page: &str| faults("page", page, true, &phrases).len();
    assert_eq!(found("It tells the line."), 1);
    assert_eq!(
        found("It says what of it all is\nreported, which can't\nbe had."),
        3
    );
    assert_eq!(found("| told | shown |"), 1);
    assert_eq!(
        found("# What is told\n```\ntold\n```\nthe option `told`\nis [shown](told.md)."),
        0
    );
    assert_eq!(found("What is it? A storyteller, untold."), 0);
    assert_eq!(found("There is no file. The thread is no longer alive."), 0);
    assert_eq!(
        found("The command is no sandbox, and there is no other."),
        1
    );
    assert_eq!(faults("page", "| told |", false, &phrases).len(), 0);
}

#[test]
fn documents_avoid_the_words_of_the_list() {
    let phrases = phrases();
    let mut pages: Vec<(String, String)> = files()
        .into_iter()
        .filter(|f| {
            let path = f.path.as_str();
            let one = [
                "README.md",
                "CHANGELOG.md",
                "CONTRIBUTING.md",
                "ARCHITECTURE.md",
                "SECURITY.md",
            ];
            let folders = ["docs/", "examples/", ".github/"];
            path.ends_with(".md")
                && (one.contains(&path) || folders.iter().any(|d| path.starts_with(d)))
        })
        .map(|f| (f.path, f.text))
        .collect();
    assert!(pages.len() > 50, "{} pages", pages.len());
    pages.extend(helps());
    let bad = pages.iter().flat_map(|(name, text)| {
        // the tables of the page on style have what not to write
        faults(name, text, name != "docs/STYLE.md", &phrases)
    });
    assert_none("words that docs/style-words.txt lists", bad.collect());
}

/// The doc comments of public items and the heads of files, as pages: a line of a page is that of the file.
fn docs(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let is_doc = |l: &&str| l.starts_with("///") || l.starts_with("#[");
    let mut page = String::new();
    for (i, line) in lines.iter().enumerate() {
        let item = || lines[i..].iter().find(|l| !is_doc(l));
        if let Some(head) = line.strip_prefix("//!") {
            page.push_str(head);
        } else if let Some(doc) = line.strip_prefix("///")
            && item().is_some_and(|l| l.starts_with("pub "))
        {
            page.push_str(doc);
        }
        page.push('\n');
    }
    page
}

#[test]
fn doc_comments_avoid_the_words_of_the_list() {
    let mut phrases = phrases();
    phrases.retain(|p| !p.pages_only);
    let mut bad = Vec::new();
    for file in rust_files() {
        bad.extend(faults(&file.path, &docs(&file.text), true, &phrases));
    }
    assert_none("words that docs/style-words.txt lists", bad);
}

/// A text with a mark for each value that is put into it: their names are no words of it.
fn filled(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        out.push('`');
        rest = match after.split_once('}') {
            Some((name, after)) if !name.contains('\n') => {
                out.push('`');
                after
            }
            _ => after,
        };
    }
    out + rest
}

/// Phrases that are right in messages: parts of names and of sentences of HotSpot.
const IN_MESSAGES: [&str; 3] = ["can't", "please", "will"];

#[test]
fn messages_avoid_the_words_of_the_list() {
    let list = |pages_only| {
        let mut list = phrases();
        list.retain(|p| {
            let is_right = IN_MESSAGES.contains(&p.text().as_str());
            !is_right && (pages_only || !p.pages_only)
        });
        list
    };
    let (all, for_all) = (list(true), list(false));
    let (mut bad, mut read) = (Vec::new(), 0);
    for file in rust_files() {
        let Some((_, rest)) = file.path.split_once("/src/") else {
            continue;
        };
        if rest.starts_with("tests") || rest.ends_with("tests.rs") {
            continue;
        }
        // those of other crates are for developers, too
        let phrases = match file.path.starts_with("crates/cli/") {
            true => &all,
            false => &for_all,
        };
        for (line, text) in strings(&file.text) {
            if text.split_whitespace().count() < 3 {
                continue;
            }
            read += 1;
            // a line that goes on, and breaks within
            let text = text.replace("\\\n", " ").replace("\\n", "\n");
            let name = format!("{}:{line}", file.path);
            bad.extend(faults(&name, &filled(&text), true, phrases));
        }
    }
    assert!(read > 2000, "{read} strings");
    assert_none("words that docs/style-words.txt lists", bad);
}

#[test]
fn documents_link_to_what_exists() {
    let mut broken = Vec::new();
    for file in files().iter().filter(|f| f.path.ends_with(".md")) {
        let dir: PathBuf = root().join(&file.path).parent().expect("a folder").into();
        for link in file.text.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap_or("");
            if !target.is_empty() && !target.contains("://") && !dir.join(target).exists() {
                broken.push(format!("{}: {target}", file.path));
            }
        }
    }
    assert_none("broken links", broken);
}
