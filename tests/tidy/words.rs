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
}

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
    let lines = text
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty());
    lines
        .map(|line| {
            let (phrase, advice) = line
                .split_once('\t')
                .expect("a phrase, a tab, what to write");
            Phrase {
                parts: phrase.split(" … ").map(words).collect(),
                advice: advice.to_string(),
            }
        })
        .collect()
}

impl Phrase {
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
            for phrase in phrases.iter().filter(|p| p.begins(&sentence[at..])) {
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
    let phrases = phrases();
    let mut bad = Vec::new();
    for file in rust_files() {
        bad.extend(faults(&file.path, &docs(&file.text), true, &phrases));
    }
    assert_none("words that docs/style-words.txt lists", bad);
}

/// Phrases that are right in messages: parts of names and of sentences of HotSpot.
const IN_MESSAGES: [&str; 3] = ["can't", "please", "will"];

#[test]
fn messages_avoid_the_words_of_the_list() {
    let mut phrases = phrases();
    phrases.retain(|p| !IN_MESSAGES.contains(&p.text().as_str()));
    let mut bad = Vec::new();
    for file in rust_files() {
        if !file.path.starts_with("crates/cli/src") {
            continue;
        }
        for (line, text) in strings(&file.text) {
            if text.split_whitespace().count() < 3 {
                continue;
            }
            // a line that goes on, and breaks within
            let text = text.replace("\\\n", " ").replace("\\n", "\n");
            let name = format!("{}:{line}", file.path);
            bad.extend(faults(&name, &text, true, &phrases));
        }
    }
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
