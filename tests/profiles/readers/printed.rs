//! The examples of the documentation: their commands work and write the text printed there, except for the numbers, which
//! are those of one JDK.

use super::{classes, examples, run, tests_dir};
use std::path::Path;
use std::process::Command;

/// The commands of a page's block of code, each with the lines that are printed below it.
fn commands(block: &str) -> Vec<(&str, Vec<&str>)> {
    let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), all.last_mut()) {
            (Some(command), _) => all.push((command, Vec::new())),
            (None, Some(last)) => last.1.push(line),
            // A block without prompts is commands alone.
            (None, None) if line.starts_with("rjvm ") => {
                return block.lines().map(|l| (l, vec![])).collect();
            }
            (None, None) => {}
        }
    }
    all
}

/// A line without its numbers, and with single blanks.
fn words(line: &str) -> String {
    let line = line.replace(|c: char| c.is_ascii_digit() || ",+-".contains(c), " ");
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn blocks(page: &str) -> String {
    let path = tests_dir().join("..").join(page);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn the_examples_of_the_tools_work_as_printed() {
    let run = run::Run::new(&run::vm(), "readers-printed");
    let here = run.dir();
    for file in std::fs::read_dir(classes()).expect("the classes") {
        let file = file.expect("a file").path();
        let to = here.join(file.file_name().expect("a name"));
        std::fs::copy(&file, to).expect("a class");
    }
    std::fs::create_dir_all(here.join("examples")).expect("a folder");
    let source = "examples/ThreeBugs.java";
    std::fs::copy(examples().join("ThreeBugs.java"), here.join(source)).expect("the source");
    let vm = Path::new(env!("CARGO_BIN_EXE_rjvm"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", vm.parent().expect("a folder").display());
    let (mut ran, mut compared) = (0, 0);
    for (page, from) in [
        ("docs/tools.md", "javac -g -d ."),
        ("README.md", "$ rjvm profile diff"),
    ] {
        let text = blocks(page);
        let at = text
            .find(from)
            .unwrap_or_else(|| panic!("{page} has no {from}"));
        let at = text[..at].rfind("```").expect("a block");
        for block in text[at..].split("```").skip(1).step_by(2) {
            let block = block.trim_start_matches(|c| c != '\n').trim_start();
            let block = block
                .strip_prefix("javac -g -d . examples/ThreeBugs.java\n")
                .unwrap_or(block);
            for (command, printed) in commands(block) {
                // Other programs and servers have pages of their own.
                let known = ["ThreeBugs", "before.rjp", "blocks.rjp"]
                    .iter()
                    .any(|word| command.contains(word));
                if !known {
                    continue;
                }
                let output = Command::new("sh")
                    .args(["-c", command])
                    .env("PATH", &path)
                    .current_dir(&here)
                    .output();
                let output = output.expect("a shell");
                let got = String::from_utf8_lossy(&output.stdout).into_owned();
                let message = String::from_utf8_lossy(&output.stderr);
                let exceeded = printed.iter().any(|line| line.starts_with("FAIL"));
                let code = output.status.code();
                assert_eq!(
                    code,
                    Some(if exceeded { 3 } else { 0 }),
                    "{command}\n{got}{message}"
                );
                ran += 1;
                let mut lines = got.lines().map(words);
                for line in printed.iter().filter(|line| **line != "...") {
                    let wanted = words(line);
                    assert!(
                        lines.any(|line| line == wanted),
                        "{page}: {command}: {line} is not in\n{got}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(ran > 9 && compared > 40, "{ran} {compared}");
}
