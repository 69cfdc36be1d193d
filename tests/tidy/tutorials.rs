//! The tutorials of the book, and a how-to guide: each command in them is run, one after the other in one folder, and prints the
//! text below it, except for numbers. The program of the tutorial on embedding is the example that is built and run.

use super::common;
use super::common::run::Run;
use super::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The mark for lines that are left out.
const LEFT_OUT: &str = "…";

/// The commands of a page, each with the lines that it prints.
fn commands(page: &str) -> Vec<(&str, Vec<&str>)> {
    let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
    for block in page.split("```console\n").skip(1) {
        let block = block.split("\n```").next().expect("a block has an end");
        for line in block.lines() {
            match (line.strip_prefix("$ "), all.last_mut()) {
                (Some(command), _) => all.push((command, Vec::new())),
                (None, Some(last)) => last.1.push(line),
                (None, None) => panic!("{line}: no command before it"),
            }
        }
    }
    all
}

/// A line without its numbers, and with single blanks.
fn words(line: &str) -> String {
    let line = line.replace(|c: char| c.is_ascii_digit() || ",+-.%".contains(c), " ");
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn page(name: &str) -> String {
    let path = root().join(format!("docs/{name}.md"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Runs a page's commands in a copy of a folder of the repository.
fn run(name: &str, sources: &str) {
    let vm = Path::new(env!("CARGO_BIN_EXE_rjvm"));
    let place = Run::new(vm, &format!("page-{}", name.replace('/', "-")));
    let folder = place.dir();
    common::jdk::copy_tree(&root().join(sources), &folder);
    let path = std::env::var("PATH").unwrap_or_default();
    let jdk: PathBuf = common::jdk::java_home().join("bin");
    let bin = vm.parent().expect("a folder").display();
    let page = page(name);
    let commands = commands(&page);
    assert!(commands.len() >= 5, "{name}: {} commands", commands.len());
    let mut code = 0;
    for (i, (command, printed)) in commands.iter().enumerate() {
        // which schedule fails first is a matter of the JDK's build
        let command = match folder
            .read_dir()
            .into_iter()
            .flatten()
            .flatten()
            .find_map(|file| {
                file.file_name()
                    .into_string()
                    .ok()
                    .filter(|n| n.ends_with(".schedule"))
            }) {
            Some(file) => command.replace("Tickets-14.schedule", &file),
            None => command.to_string(),
        };
        let mut shell = Command::new("sh");
        for name in [
            "JAVA_TOOL_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "_JAVA_OPTIONS",
            "RJVM_OPTIONS",
            "CLASSPATH",
            "LD_LIBRARY_PATH",
        ] {
            shell.env_remove(name);
        }
        let output = shell
            .args(["-c", &format!("(exit {code}); {{ {command}\n}} 2>&1")])
            .env("PATH", format!("{bin}:{}:{path}", jdk.display()))
            .env("JAVA_HOME", common::jdk::java_home())
            .env("LC_ALL", "C.UTF-8")
            .current_dir(&folder)
            .output()
            .expect("a shell");
        code = output.status.code().expect("it ends by itself");
        let got = String::from_utf8_lossy(&output.stdout).into_owned();
        let requested = commands
            .get(i + 1)
            .is_some_and(|(next, _)| *next == "echo $?");
        assert!(
            code == 0 || requested,
            "{name}: {command}: exit code {code}\n{got}"
        );
        if command == "echo $?" {
            assert_eq!(
                got.trim(),
                printed.join("\n"),
                "{name}: the exit code of the command before"
            );
            continue;
        }
        let mut lines = got.lines().map(words);
        let mut before = LEFT_OUT;
        for line in printed.iter().copied() {
            let wanted = words(line);
            if line == LEFT_OUT || wanted.is_empty() {
            } else if before == LEFT_OUT {
                let found = lines.any(|line| line == wanted);
                assert!(found, "{name}: {command}: {line} is not in\n{got}");
            } else {
                let next = lines.find(|line| !line.is_empty());
                assert_eq!(next, Some(wanted), "{name}: {command}: {line}, in\n{got}");
            }
            if line == LEFT_OUT || !line.is_empty() {
                before = line;
            }
        }
    }
}

#[test]
fn a_slow_program_is_found_and_mended() {
    run("tutorial/slow-program", "examples/tutorial");
}

#[test]
fn a_build_is_gated() {
    run("tutorial/gate", "examples/tutorial");
}

#[test]
fn a_flaky_test_is_reproduced() {
    run("tutorial/flaky-test", "examples/tutorial");
}

#[test]
fn wrong_values_are_followed_to_their_origin() {
    run("howto/origin", "tests/causes/origin");
}

#[test]
fn tutorials_show_the_programs_that_are_run() {
    let source = |path: &str| {
        let path = root().join("examples").join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (name, fence, sources, least) in [
        ("embed", "```rust,ignore\n", vec!["embed/plugin.rs"], 7),
        ("gate", "```java\n", vec!["tutorial/OrdersBench.java"], 1),
        (
            "slow-program",
            "```java\n",
            vec!["tutorial/fixed/Orders.java"],
            2,
        ),
        (
            "flaky-test",
            "```java\nvoid",
            vec!["tutorial/Tickets.java"],
            1,
        ),
    ] {
        let page = page(&format!("tutorial/{name}"));
        let text: String = sources.iter().map(|path| source(path)).collect();
        // comments of the sources' own are not shown
        let text: String = text
            .lines()
            .filter(|l| !l.starts_with("/**"))
            .fold(String::new(), |t, l| t + l + "\n");
        let text = squeezed(&text);
        let blocks: Vec<&str> = page.split(fence).skip(1).collect();
        assert!(
            blocks.len() >= least,
            "{name}: {} pieces of the program",
            blocks.len()
        );
        for block in blocks {
            let block = squeezed(block.split("\n```").next().expect("an end"));
            assert!(
                text.contains(&block),
                "{name}: not in {sources:?}:\n{block}"
            );
        }
    }
}
