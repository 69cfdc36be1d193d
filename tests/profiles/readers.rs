//! A program with three bugs, read by each reader of profiles: the right files, lines, names and sums.
//! Readers that are not installed are named.

mod gate;
mod pages;
mod printed;

use crate::common::{jdk, run, tests_dir};
use crate::programs;
use pages::browsed;
use rjvm::profiler::export::by_line;
use rjvm::profiler::{Profile, readable_names};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn examples() -> PathBuf {
    tests_dir().join("../examples")
}

fn classes() -> PathBuf {
    let source = examples().join("ThreeBugs.java");
    jdk::compile("examples/ThreeBugs", &[source], &[], Path::new("none"))
}

/// Formats that have a place for files and lines, and those that report them on request.
const FORMATS: [&str; 12] = [
    "rjp",
    "html",
    "json",
    "pb.gz",
    "pprof",
    "speedscope.json",
    "callgrind",
    "txt",
    "flat",
    "folded",
    "paths",
    "xml",
];

/// The folder with the program's profiles `exact.*`, `callsites.*` and `blocks.*`.
fn profiles() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let mut folder = PathBuf::new();
        for mode in ["blocks", "callsites", "exact"] {
            let run = run::Run::new(&run::vm(), &format!("readers-{mode}"));
            let here = run.dir();
            let outputs = FORMATS
                .iter()
                .flat_map(|f| ["-o".to_owned(), format!("{mode}.{f}")]);
            let ended = run
                .args([&format!("--profile={mode}"), "--lines", "--quiet"])
                .arg(format!("--source-path={}", examples().display()))
                .args(outputs)
                .arg("-cp")
                .arg(classes())
                .arg("ThreeBugs")
                .finish();
            assert_eq!(ended.out(), "300\n449985000\n303\n", "{}", ended.err());
            if mode == "blocks" {
                folder = here;
                continue;
            }
            for format in FORMATS {
                let name = format!("{mode}.{format}");
                std::fs::rename(here.join(&name), folder.join(&name)).expect("a profile");
            }
        }
        folder
    })
}

/// What a program writes; `None`, and a word about it, if it is not installed.
fn reader(program: &str, args: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    command.args(args).current_dir(profiles());
    let temporary = profiles().join("pprof");
    programs::output(command.env("PPROF_TMPDIR", temporary))
}

/// What `rjvm profile` writes.
fn tool(args: &[&str]) -> String {
    let rjvm = env!("CARGO_BIN_EXE_rjvm");
    reader(rjvm, &[&["profile"], args].concat()).expect("rjvm starts")
}

/// The line of the example that holds a text.
fn line(text: &str) -> usize {
    let source = std::fs::read_to_string(examples().join("ThreeBugs.java")).expect("the example");
    let at = source.lines().position(|line| line.contains(text));
    at.unwrap_or_else(|| panic!("no {text}")) + 1
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(profiles().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Bytecodes below and in a method.
fn inclusive(profile: &Profile, method: &str) -> u64 {
    let totals = profile.method(method);
    totals.unwrap_or_else(|| panic!("no {method}")).inclusive
}

#[test]
fn each_format_names_the_file() {
    for mode in ["exact", "callsites", "blocks"] {
        for format in FORMATS {
            if ["html", "pb.gz", "pprof"].contains(&format) {
                // They are compressed: their readers are asked below.
                continue;
            }
            let name = format!("{mode}.{format}");
            let found = bytes(&name);
            let has = found.windows(14).any(|part| part == b"ThreeBugs.java");
            assert!(has, "{name} names no file");
        }
    }
}

#[test]
fn converting_loses_nothing() {
    for mode in ["exact", "callsites", "blocks"] {
        let rjp = format!("{mode}.rjp");
        // XML has positions of JP2, for which classes are needed; speedscope's threads are apart, which
        // the merged profile does not report; the report's sources are found by the class path, too.
        for format in FORMATS {
            if ["xml", "speedscope.json", "html"].contains(&format) {
                continue;
            }
            let to = format!("converted-{mode}.{format}");
            tool(&["convert", "--lines", &rjp, "-o", &to]);
            assert!(bytes(&to) == bytes(&format!("{mode}.{format}")), "{to}");
        }
    }
}

#[test]
fn annotate_shows_lines_and_bytecodes() {
    let sources = format!("--source-path={}", examples().display());
    let classes = format!("--classes={}", classes().display());
    let text = tool(&[
        "annotate",
        "blocks.rjp",
        "--method=ThreeBugs::contains",
        &sources,
        &classes,
    ]);
    let loop_line = line("i < all.size()");
    let row = |number: usize| {
        let number = format!(" {number}  ");
        let row = text.lines().find(|row| row.contains(&number));
        row.unwrap_or_else(|| panic!("no {number} in\n{text}"))
            .split_whitespace()
            .collect()
    };
    let row: Vec<&str> = row(loop_line);
    // 300 calls, i rounds in the i-th: 45150 tests of 4 bytecodes, 44850 steps of 2, 300 * 2 before.
    let own = 45_150 * 4 + 44_850 * 2 + 300 * 2;
    assert_eq!(row[0], own.to_string(), "{text}");
    assert!(
        text.contains("45150 x java.util.ArrayList.size()"),
        "{text}"
    );
    let calls = "44850                           23: invokevirtual Method java/lang/String.equals:(Ljava/lang/Object;)Z";
    assert!(text.contains(calls), "{text}");
    assert!(text.contains("if (all.get(i).equals(wanted)) {"), "{text}");
    // The JDK makes methods without lines of its own.
    let without = tool(&[
        "annotate",
        "blocks.rjp",
        "--method=java.lang.invoke.Invokers$Holder::*",
    ]);
    let line_0 = without
        .lines()
        .filter(|row| row.split_whitespace().nth(2) == Some("0"));
    let blocks = without.lines().filter(|row| row.starts_with("self "));
    assert_eq!(line_0.count(), blocks.count(), "{without}");
    // Long's source is the JDK's, where it is installed.
    let boxed = tool(&["annotate", "exact.rjp", "--method=java.lang.Long::valueOf"]);
    assert!(
        boxed.starts_with("java.lang.Long.valueOf(long) in java/lang/Long.java\n"),
        "{boxed}"
    );
}

/// The sums of a callgrind file's functions: self cost, and the cost of all calls except calls to themselves.
fn callgrind_sums(text: &str) -> BTreeMap<String, (u64, u64)> {
    let mut names = BTreeMap::new();
    let mut name = |text: &str| {
        let (number, name) = text.split_once(')').expect("a number in parentheses");
        if !name.is_empty() {
            names.insert(number.to_owned(), name.trim().to_owned());
        }
        names[number].clone()
    };
    let mut sums: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let (mut caller, mut callee, mut call) = (String::new(), String::new(), false);
    for line in text.lines() {
        if let Some(text) = line.strip_prefix("fn=") {
            caller = name(text);
        } else if let Some(text) = line.strip_prefix("cfn=") {
            callee = name(text);
        } else if line.starts_with("calls=") {
            call = true;
        } else if line.starts_with(|c: char| c.is_ascii_digit()) {
            let (_, cost) = line.split_once(' ').expect("a position and a cost");
            let cost: u64 = cost.parse().expect("a cost");
            let sum = sums.entry(caller.clone()).or_default();
            match std::mem::take(&mut call) {
                false => sum.0 += cost,
                true if caller != callee => sum.1 += cost,
                true => {}
            }
        }
    }
    sums
}

#[test]
fn lines_add_up_to_their_methods() {
    for mode in ["exact", "callsites", "blocks"] {
        let profile =
            Profile::read_file(&profiles().join(format!("{mode}.rjp"))).expect("a profile");
        let text = String::from_utf8(bytes(&format!("{mode}.callgrind"))).expect("text");
        let command = text.lines().find_map(|l| l.strip_prefix("cmd: "));
        let program = profile.about.iter().find(|(name, _)| name == "Program");
        assert_eq!(command, program.map(|(_, text)| text.as_str()));
        assert!(command.is_some());
        let sums = callgrind_sums(&text);
        let lines = by_line(&profile);
        let names = readable_names(&profile.methods);
        let (mut several, mut recursive) = (0, 0);
        for row in profile.flat() {
            let method = &profile.methods[row.method as usize];
            let name = &names[row.method as usize];
            let costs = &lines[row.method as usize];
            let own: u64 = costs.values().map(|line| line.own).sum();
            let all: u64 = costs.values().map(|line| line.inclusive()).sum();
            assert_eq!((own, all), (row.bytecodes, row.inclusive), "{mode} {name}");
            several += u32::from(costs.len() > 1);
            recursive += u32::from(
                costs
                    .values()
                    .any(|line| line.callees.contains_key(&row.method)),
            );
            let rest = &name[method.class.len() + 1..];
            let sum = sums[&format!("{}::{rest}", method.class)];
            assert_eq!((sum.0, sum.0 + sum.1), (own, all), "{mode} {name}");
        }
        assert!(recursive > 0, "{mode}: {recursive} methods call themselves");
        // Without call sites all is at the first line.
        assert_eq!(several > 100, mode != "exact", "{mode}: {several}");
    }
}

#[test]
fn a_source_path_that_is_not_there_is_an_error() {
    let rjvm = env!("CARGO_BIN_EXE_rjvm");
    let convert = ["profile", "convert", "exact.rjp", "-f", "html"];
    for args in [&["-version"][..], &convert] {
        let mut command = Command::new(rjvm);
        let (first, rest) = args.split_first().expect("arguments");
        // The launcher's option goes first, a tool's last.
        match rest.is_empty() {
            true => command.args(["--source-path=no/such", first]),
            false => command.args(args).arg("--source-path=no/such"),
        };
        let output = command
            .current_dir(profiles())
            .output()
            .expect("rjvm starts");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{args:?}");
        let message = "rjvm: error: --source-path=no/such: no/such: no such file";
        assert!(error.contains(message), "{args:?}: {error}");
    }
}

#[test]
fn texts_report_lines_on_request() {
    let top = tool(&["top", "--lines", "exact.rjp", "--view=app"]);
    let contains = format!(
        "ThreeBugs.contains(java.util.List,java.lang.String) (ThreeBugs.java:{})",
        line("i < all.size()")
    );
    assert!(top.contains(&contains), "{top}");
    let tree = tool(&["tree", "--lines", "callsites.rjp", "--view=app"]);
    let call = format!("(ThreeBugs.java:{}):{contains}", line("if (!contains("));
    assert!(tree.contains(&call), "{tree}");
    assert!(!tool(&["top", "exact.rjp"]).contains("ThreeBugs.java"));
}

#[test]
fn pprof_lists_the_source() {
    let profile = Profile::read_file(&profiles().join("blocks.rjp")).expect("a profile");
    let total = profile.totals().bytecodes;
    let sources = format!("-source_path={}", examples().display());
    let list = [
        "tool",
        "pprof",
        "-list=ThreeBugs.(contains|total|numbers)",
        &sources,
    ];
    let Some(text) = reader("go", &[&list[..], &["blocks.pb.gz"]].concat()) else {
        return;
    };
    assert!(text.starts_with(&format!("Total: {total}\n")), "{text}");
    let costs = |text: &str, words: &str| {
        let number = format!("{}:", line(words));
        let row = text
            .lines()
            .find(|row| row.contains(words) && row.contains(&number));
        let row = row.unwrap_or_else(|| panic!("no {words} in\n{text}"));
        let mut cells = row.split_whitespace().map(|cell| cell.parse().unwrap_or(0));
        (cells.next().unwrap_or(0), cells.next().unwrap_or(0u64))
    };
    // The quadratic loop, the boxed sum, the pattern that is compiled again and again.
    let (own, search) = costs(&text, "if (all.get(i).equals(wanted)) {");
    assert_eq!(own, 7 * 44_850);
    let (_, boxing) = costs(&text, "sum += i;");
    let (_, split) = costs(&text, "line.split(");
    let below = |method: &str| inclusive(&profile, method);
    assert!(search < below("ThreeBugs.contains") && 10 * search > 9 * below("ThreeBugs.contains"));
    assert!(boxing < below("ThreeBugs.total") && 10 * boxing > 8 * below("ThreeBugs.total"));
    assert!(split >= below("java.lang.String.split(Ljava/lang/String;)[Ljava/lang/String;"));
    let of_call_sites = reader("go", &[&list[..], &["callsites.pb.gz"]].concat());
    let (own, calls) = costs(
        &of_call_sites.expect("go"),
        "if (all.get(i).equals(wanted)) {",
    );
    assert_eq!((own, calls), (0, search - 7 * 44_850));
}

#[test]
fn what_the_view_hides_stands_at_the_line_of_the_call() {
    let convert = |mode: &str, view: &str, format: &str| {
        let (rjp, to) = (format!("{mode}.rjp"), format!("{mode}{view}.{format}"));
        let sources = format!("--source-path={}", examples().display());
        tool(&["convert", view, &sources, &rjp, "-o", &to]);
        to
    };
    let (app, included) = ("--view=app", "--include=ThreeBugs");
    let first = line("new HashMap<>()");
    for (mode, view) in [("callsites", app), ("blocks", app), ("blocks", included)] {
        let whole = Profile::read_file(&profiles().join(format!("{mode}.rjp"))).expect("a profile");
        let split = inclusive(
            &whole,
            "java.lang.String.split(Ljava/lang/String;)[Ljava/lang/String;",
        );
        // What the program has recorded, and what is made of it when it is written.
        let shown = Profile::read_file(&profiles().join(convert(mode, view, "rjp")));
        let shown = shown.expect("a profile");
        let numbers = inclusive(&shown, "ThreeBugs.numbers");
        assert_eq!(numbers, inclusive(&whole, "ThreeBugs.numbers"), "{mode}");
        assert!(10 * split > 7 * numbers, "{mode} {split} {numbers}");
        let lines = |profile: &Profile| {
            let all = by_line(profile);
            let named = profile.methods.iter().position(|m| m.name == "numbers");
            all[named.expect("the method")].clone()
        };
        let own = lines(&shown)[&(line("line.split(") as u32)].clone();
        assert!(
            own.caused >= split && own.own >= own.caused,
            "{mode} {own:?}"
        );
        let rest = lines(&shown)[&(first as u32)].own;
        assert!(rest < numbers / 50, "{mode} {rest}");
        let annotated = tool(&[
            "annotate",
            view,
            &format!("{mode}.rjp"),
            "--method=ThreeBugs::numbers",
        ]);
        let reported = format!(
            "{:>14} {:>14} {:>6}    by callees that are not shown",
            own.caused, "", "->"
        );
        assert!(annotated.contains(&reported), "{annotated}");

        let callgrind = convert(mode, view, "callgrind");
        let text = String::from_utf8(bytes(&callgrind)).expect("text");
        let row = format!("{} {}", line("line.split("), own.own);
        assert!(text.lines().any(|line| line == row), "{row} in {text}");
        let include = format!("--include={}", examples().display());
        let args = ["--auto=yes", "--show-percs=no", &include, &callgrind];
        if let Some(text) = reader("callgrind_annotate", &args) {
            let cost = rjvm::profiler::summary::grouped(own.own);
            let row = text.lines().find(|line| line.contains("line.split("));
            assert!(
                row.is_some_and(|row| row.starts_with(&cost)),
                "{cost} in\n{text}"
            );
        }

        let file = convert(mode, view, "pb.gz");
        let sources = format!("-source_path={}", examples().display());
        let list = ["tool", "pprof", "-list=ThreeBugs.numbers", &sources, &file];
        if let Some(text) = reader("go", &list) {
            let row = text.lines().find(|row| row.contains("line.split("));
            let cost = row.and_then(|row| row.split_whitespace().next());
            assert_eq!(cost, Some(&*own.own.to_string()), "{text}");
        }

        let user = "<script>setTimeout(() => {
            const search = document.getElementById('search');
            search.value = 'ThreeBugs.numbers';
            search.dispatchEvent(new Event('input', { bubbles: true }));
            setTimeout(() => document.querySelector('.row').click(), 500);
        }, 1000)</script>";
        if let Some(text) = browsed(&convert(mode, view, "html"), "", user) {
            let text = &text[..text.find("id=\"data\"").expect("the data follow")];
            let row = text
                .split("<div class=\"line")
                .find(|row| row.contains("split("));
            let cost = rjvm::profiler::summary::grouped(own.own);
            let row = row.unwrap_or_else(|| panic!("no row in\n{text}"));
            assert!(row.contains(&format!(">{cost}</span>")), "{cost} in {row}");
            assert!(
                text.contains("that are not shown are at the lines of the calls"),
                "{text}"
            );
        }
    }
    // Where call sites are not known, it is told where it stands.
    let all = tool(&["annotate", app, "exact.rjp", "--method=ThreeBugs::numbers"]);
    assert!(!all.contains("by callees"), "{all}");
    assert!(
        all.contains("all counts are at the method's first line"),
        "{all}"
    );
}

#[test]
fn callgrind_annotate_shows_the_source() {
    let include = format!("--include={}", examples().display());
    let args = [
        "--auto=yes",
        "--show-percs=no",
        &include,
        "blocks.callgrind",
    ];
    let Some(text) = reader("callgrind_annotate", &args) else {
        return;
    };
    let profile = Profile::read_file(&profiles().join("blocks.rjp")).expect("a profile");
    let total = rjvm::profiler::summary::grouped(profile.totals().bytecodes);
    assert!(text.contains(&format!("{total}  PROGRAM TOTALS")), "{text}");
    for row in [
        "313,950              if (all.get(i).equals(wanted)) {",
        "=> java/lang/String.java:java.lang.String::equals(java.lang.Object) (44,850x)",
        "=> java/lang/Long.java:java.lang.Long::valueOf(long) (30,000x)",
        "=> java/lang/String.java:java.lang.String::split(java.lang.String) (300x)",
    ] {
        assert!(text.contains(row), "no {row} in\n{text}");
    }
}

#[test]
fn lines_of_classes_that_are_gone() {
    let source = tests_dir().join("java/classloading/Unloaded.java");
    let classes = jdk::compile("readers/Unloaded", &[source], &[], Path::new("none"));
    for mode in ["exact", "blocks"] {
        let run = run::Run::new(&run::vm(), &format!("readers-unloaded-{mode}"));
        let file = run.dir().join("profile.rjp");
        let ended = run
            .args([
                &format!("--profile={mode}"),
                "-o",
                "profile.rjp",
                "--quiet",
                "-cp",
            ])
            .arg(&classes)
            .arg("Unloaded")
            .finish();
        assert_eq!(ended.out(), "45\ngone\n", "{}", ended.err());
        let profile = Profile::read_file(&file).expect("a profile");
        let guest = profile
            .methods
            .iter()
            .find(|m| m.class == "Unloaded$Guest" && m.name == "run");
        let source = guest.and_then(|m| m.source.as_ref()).expect("its source");
        assert_eq!(source.file(), "Unloaded.java");
        assert_eq!(source.first_line(), Some(11));
        assert_eq!(source.lines().len(), 6, "{:?}", source.lines());
    }
}
