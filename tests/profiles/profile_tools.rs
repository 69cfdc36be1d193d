//! `rjvm profile`: each tool on profiles of known programs, and on one that was just written.

use crate::common;
use crate::common::{jdk, tests_dir, work_dir};
use rjvm::profiler::Profile;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a tool: exit code, standard output, standard error.
fn tool(args: &[&str]) -> (i32, String, String) {
    let (out, err, code) = common::tool::profile_tool(args);
    (code, out, err)
}

/// The output of a tool that succeeds.
fn done(args: &[&str]) -> String {
    let (code, out, err) = tool(args);
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
    out
}

fn expected(name: &str) -> String {
    let file = tests_dir().join("oracle/expected").join(name);
    std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

fn file(name: &str) -> PathBuf {
    let dir = work_dir().join("profile-tools");
    std::fs::create_dir_all(&dir).expect("the work folder can be made");
    dir.join(name)
}

fn classes(name: &str) -> PathBuf {
    let source = tests_dir().join(format!("oracle/{name}.java"));
    jdk::compile(&format!("oracle/{name}"), &[source], &[], Path::new("none"))
}

#[test]
fn blocks_equal_those_of_the_oracle() {
    let mut compared = 0;
    for entry in common::files_with_extension(&tests_dir().join("oracle"), "java") {
        let name = common::stem(&entry);
        let sites = format!("{name}.sites.txt");
        if !tests_dir().join("oracle/expected").join(&sites).exists() {
            continue;
        }
        let classes = classes(&name);
        let classes = format!("--classes={}", classes.display());
        let blocks = done(&["blocks", &sites, &classes]);
        assert_eq!(blocks, expected(&format!("{name}.blocks.txt")), "{name}");
        // With precise blocks the sum is the number of bytecodes.
        for line in done(&["blocks", "--bba=precise", &sites, &classes]).lines() {
            let columns: Vec<&str> = line.split('\t').collect();
            assert_eq!(columns[2], columns[5], "{name}: {line}");
        }
        compared += 1;
    }
    assert_eq!(compared, 22);
}

/// The value of a row `name  value`.
fn value<'a>(text: &'a str, name: &str) -> &'a str {
    let row = text.lines().find_map(|line| line.strip_prefix(name));
    row.unwrap_or_else(|| panic!("no {name} in\n{text}")).trim()
}

#[test]
fn metrics_report_the_error_of_default_blocks() {
    let classes_of = |name| format!("--classes={}", classes(name).display());
    let text = done(&["metrics", "Exceptions.sites.txt", &classes_of("Exceptions")]);
    assert_eq!(value(&text, "Bytecodes by default BBA"), "1225");
    // (1225 - 983) / 983
    assert_eq!(value(&text, "Relative error of that"), "2.46e-1");
    let precise = done(&[
        "metrics",
        "--bba=precise",
        "Exceptions.sites.txt",
        &classes_of("Exceptions"),
    ]);
    assert_eq!(value(&precise, "Bytecodes by precise BBA"), "983");
    assert_eq!(value(&precise, "Relative error of that"), "0.00e0");

    // JP, figure 5: the blocks of f have 2, 3, 7 and 1 bytecodes; no exception, no error.
    let foo = done(&["metrics", "JpFoo.sites.txt", &classes_of("JpFoo")]);
    assert_eq!(value(&foo, "Bytecodes by default BBA"), "624");
    assert_eq!(value(&foo, "Relative error of that"), "0.00e0");
}

#[test]
fn metrics_of_the_example_of_jp2() {
    let classes = format!("--classes={}", classes("Demo").display());
    let text = done(&["metrics", "Demo.sites.txt", &classes]);
    for (name, expected) in [
        ("Bytecodes ", "128"),
        ("Calls  ", "9"),
        ("Contexts  ", "8"),
        ("Greatest depth", "4"),
        ("Average depth", "2.62"),
    ] {
        assert_eq!(value(&text, name), expected, "{name}");
    }
    // In sumAreas one call site has two targets, which are called three times.
    assert!(text.contains("1  33.33      3  60.00  2 targets"), "{text}");
    assert!(
        text.contains("2      3  Demo.sumAreas(Shape[])@19"),
        "{text}"
    );
    assert!(text.contains("      22  17.19  aload_0"), "{text}");
    let json = done(&["metrics", "--json", "Demo.sites.txt", &classes]);
    assert!(
        json.contains("\"call_sites_by_targets\": [2, 1, 0, 0]"),
        "{json}"
    );
    // Without class files there is no mix, and no blocks.
    let text = done(&["metrics", "Demo.sites.txt"]);
    assert!(!text.contains("block") && !text.contains("instruction"));
    let (code, _, err) = tool(&["metrics", "Demo.txt", &classes]);
    assert_eq!(code, 1);
    assert!(err.contains("no counts of single bytecodes"), "{err}");
}

#[test]
fn differences_are_shown_and_can_fail() {
    let changed = file("changed.paths");
    let text = expected("Loops.sites.txt").replace("\t5007\t", "\t5107\t");
    std::fs::write(&changed, text).expect("the work folder is writable");
    let changed = changed.to_str().expect("the path is text");
    let same = done(&[
        "diff",
        "Loops.sites.txt",
        "Loops.sites.txt",
        "--fail-above=0",
    ]);
    assert_eq!(
        same,
        "Bytecodes:   12286|12286 (No change)\n\
         Calls:       341|341 (No change)\n\
         Contexts:    17|17 (No change)\n\
         \n\
         PASS  0\n      bytecodes of the program: 12,286|12,286 (No change)\n\
         All limits met: 1\n"
    );
    let text = done(&["diff", "Loops.sites.txt", changed]);
    assert!(
        text.starts_with("Bytecodes:   12286|12386 (+0.81%)\n"),
        "{text}"
    );
    assert!(
        text.contains("1 context changed, 0 of them new, 0 gone"),
        "{text}"
    );
    assert!(
        text.contains("+100     +2.00%     5007|5107   +100  +2.00%     5007|5107     +0           1|1  Loops.count(int)"),
        "{text}"
    );
    assert!(text.contains("Loops.main(java.lang.String[]) > @11:Loops.count(int)"));
    assert_eq!(
        tool(&["diff", "Loops.sites.txt", changed, "--fail-above=0.5"]).0,
        3
    );
    assert_eq!(
        tool(&["diff", "Loops.sites.txt", changed, "--fail-above=1"]).0,
        0
    );
    assert_eq!(
        tool(&["diff", changed, "Loops.sites.txt", "--fail-above=0"]).0,
        0
    );
    let json = done(&["diff", "--json", "Loops.sites.txt", changed]);
    assert!(json.contains("\"contexts_changed\": 1"), "{json}");
    assert!(
        json.contains(
            "{\"method\": \"Loops.count(I)I\", \"bytecodes\": {\"before\": 5007, \"after\": 5107}"
        ),
        "{json}"
    );
}

#[test]
fn limits_are_for_methods_contexts_metrics_and_threads() {
    let changed = file("limits.paths");
    let text = expected("Loops.sites.txt").replace("\t5007\t", "\t5107\t");
    std::fs::write(&changed, text).expect("the work folder is writable");
    let changed = changed.to_str().expect("the path is text");
    let verdict = |limit: &str| {
        let (code, out, err) = tool(&["diff", "Loops.sites.txt", changed, "--fail-above", limit]);
        let lines = out
            .lines()
            .skip_while(|l| !l.starts_with("PASS") && !l.starts_with("FAIL"));
        (code, lines.take(2).collect::<Vec<_>>().join("\n"), err)
    };
    for (limit, passes, printed) in [
        (
            "0.9%",
            true,
            "bytecodes of the program: 12,286|12,386 (+0.81%)",
        ),
        (
            "+99",
            false,
            "bytecodes of the program: 12,286|12,386 (+0.81%)",
        ),
        (
            "1% Loops::count",
            false,
            "bytecodes of Loops.count(int): 5,007|5,107 (+2.00%)",
        ),
        (
            "2% Loops::count",
            true,
            "bytecodes of Loops.count(int): 5,007|5,107 (+2.00%)",
        ),
        (
            "=5007 self Loops::count",
            false,
            "self of Loops.count(int): 5,007|5,107 (+2.00%)",
        ),
        (
            "<=5107 self Loops::count",
            true,
            "self of Loops.count(int): 5,007|5,107 (+2.00%)",
        ),
        (
            "0% calls Loops::count",
            true,
            "calls of Loops.count(int): 1|1 (No change)",
        ),
        (
            "1% Loops::main > Loops::count",
            false,
            "bytecodes of Loops.main(java.lang.String[]) > @11:Loops.count(int): 5,007|5,107 (+2.00%)",
        ),
        (
            "1% Loops::gone",
            false,
            "it matches nothing in either profile",
        ),
    ] {
        let (code, text, err) = verdict(limit);
        let word = if passes { "PASS" } else { "FAIL" };
        assert_eq!(text, format!("{word}  {limit}\n      {printed}"), "{err}");
        assert_eq!(code, if passes { 0 } else { 3 }, "{limit}");
    }
    assert!(verdict("1% in main").2.contains("--threads=apart"));
    assert_eq!(verdict("1%% x").0, 2);
    let limits = file("limits.txt");
    std::fs::write(&limits, "# two\n1%\n\n0% calls Loops..\n")
        .expect("the work folder is writable");
    let limits = format!("--limits={}", limits.display());
    let [page, tests, markdown] = ["limits.html", "limits.xml", "limits.md"].map(file);
    let mut args = vec!["diff", "Loops.sites.txt", changed, &limits];
    for file in [&page, &tests, &markdown] {
        args.extend(["-o", file.to_str().expect("the path is text")]);
    }
    assert_eq!(tool(&args).0, 3, "the second one means nothing");
    let read = |file: &Path| std::fs::read_to_string(file).expect("the file was written");
    let (page, tests, markdown) = (read(&page), read(&tests), read(&markdown));
    assert!(tests.contains("tests=\"2\" failures=\"1\""), "{tests}");
    assert!(markdown.contains("| `1%` | PASS |"), "{markdown}");
    assert!(page.contains("\"before\":12286,\"after\":12386"), "{page}");
    let other = ["diff", "Loops.sites.txt", changed, "-o", "x.svg"];
    assert!(
        tool(&other)
            .2
            .contains("a comparison can be written as .txt, .json")
    );
}

#[test]
fn the_view_of_the_application_keeps_the_total() {
    let run = |view: &str| {
        let native = file(&format!("{view}.rjp"));
        let output = Command::new(env!("CARGO_BIN_EXE_rjvm"))
            .args(["--profile=exact", &format!("--view={view}"), "-o"])
            .arg(&native)
            .arg("-cp")
            .arg(classes("Concat"))
            .arg("Concat")
            .output()
            .expect("rjvm starts");
        let profile = Profile::read_file(&native).expect("a profile");
        (profile, String::from_utf8(output.stderr).expect("text"))
    };
    let ((full, _), (app, printed), (own, left_out)) = (run("full"), run("app"), run("app-only"));
    assert_eq!(app.totals().bytecodes, full.totals().bytecodes);
    assert!(app.methods.iter().all(|m| m.app));
    let main = "Concat.main";
    let inclusive = |p: &Profile| p.method(main).expect("main was executed").inclusive;
    assert_eq!(inclusive(&app), inclusive(&full));
    assert!(inclusive(&own) < inclusive(&full));
    let library = full.totals().bytecodes - own.totals().bytecodes;
    let library = rjvm::profiler::summary::grouped(library);
    let calls = |text: &str| text.contains(&format!("\n{library} bytecodes in "));
    assert!(
        calls(&printed) && printed.contains("counted at the application's methods"),
        "{printed}"
    );
    assert!(
        calls(&left_out) && left_out.contains("library methods are left out"),
        "{left_out}"
    );
    // Each file says so too.
    let reported = |p: &Profile| {
        p.about
            .iter()
            .any(|(name, text)| name == "Library" && text.contains(&library))
    };
    assert!(reported(&app) && reported(&own));
}

#[test]
fn conversion_keeps_everything_both_ways() {
    let native = file("loops.rjp");
    let native = native.to_str().expect("the path is text");
    assert_eq!(done(&["convert", "Loops.sites.txt", "-o", native]), "");
    let text = done(&["convert", native, "-f", "paths"]);
    assert_eq!(text, expected("Loops.sites.txt"));
    // Without call sites and natives: the plain profile.
    let plain = done(&[
        "convert",
        native,
        "-f",
        "paths",
        "--no-call-sites",
        "--natives=off",
    ]);
    let columns = |text: &str| -> Vec<String> {
        let three = |line: &str| line.split('\t').take(3).collect::<Vec<_>>().join("\t");
        text.lines().map(three).collect()
    };
    assert_eq!(columns(&plain), columns(&expected("Loops.txt")));
    let (code, _, err) = tool(&["convert", native, "-o", "x.unknown"]);
    assert_eq!(code, 1);
    assert!(err.contains("unknown profile format '.unknown'"), "{err}");
    assert_eq!(tool(&["convert", native]).0, 2);
}

#[test]
fn sums_and_overlap() {
    let sum = file("sum.rjp");
    let sum = sum.to_str().expect("the path is text");
    let demo = "Demo.sites.txt";
    assert_eq!(
        done(&["merge", demo, demo, "Loops.sites.txt", "-o", sum]),
        ""
    );
    let text = done(&["metrics", sum]);
    assert_eq!(value(&text, "Bytecodes "), (2 * 128 + 12286).to_string());
    assert_eq!(value(&text, "Contexts  "), (8 + 17).to_string());
    assert_eq!(
        done(&["overlap", demo, demo]),
        "contexts: 100.00%\nmethods:  100.00%\n"
    );
    assert_eq!(
        done(&["overlap", demo, "Loops.txt", "--by=methods"]),
        "methods:  0.00%\n"
    );
    // Loops is 12286 of 12542.
    assert_eq!(
        done(&["overlap", sum, "Loops.sites.txt", "--json"]),
        "{\n  \"contexts\": 97.95885823632594,\n  \"methods\": 97.95885823632594\n}\n"
    );
}

#[test]
fn tables_and_trees() {
    let text = done(&["top", "Loops.sites.txt", "--limit=2", "--by=calls"]);
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[1].ends_with("     81  Loops.setter(int)"), "{text}");
    assert_eq!(rows[3], "and 10 more methods");
    let tree = done(&["tree", "Recursion.txt", "--fold-recursion", "--max-depth=2"]);
    assert!(
        tree.contains("  Recursion.main(java.lang.String[])"),
        "{tree}"
    );
    assert!(!tree.contains("    Recursion.fib(int)\n      "), "{tree}");
    let hidden = done(&["top", "Loops.sites.txt", "--exclude=..::count", "--json"]);
    assert!(
        hidden.contains("\"bytecodes\": 5147, \"inclusive\": 12286"),
        "{hidden}"
    );
}

#[test]
fn what_is_no_profile_is_refused() {
    let broken = file("broken.rjp");
    std::fs::write(&broken, b"\x89RJP\r\n\x1a\n\x01\x00\x05").expect("the folder is writable");
    let broken = broken.to_str().expect("the path is text");
    for (args, message) in [
        (vec!["top", "no-such-file"], "rjvm: error: no-such-file: "),
        (
            vec!["top", "../Loops.java"],
            "neither a native profile (.rjp) nor a profile of paths",
        ),
        (vec!["top", broken], "the file is truncated"),
        (
            vec!["top", "Loops.txt", "--thread=main"],
            "does not have threads apart",
        ),
        (
            vec!["top", "Loops.txt", "--exclude=a b"],
            "is not a class pattern",
        ),
        (
            vec!["blocks", "Loops.sites.txt", "--classes=/no/such"],
            "--classes=/no/such: ",
        ),
    ] {
        let (code, out, err) = tool(&args);
        assert_eq!((code, out.as_str()), (1, ""), "{args:?}");
        assert!(err.contains(message), "{args:?}: {err}");
    }
    assert_eq!(tool(&["frobnicate"]).0, 2);
    assert_eq!(tool(&[]).0, 2);
    assert!(done(&["--help"]).contains("overlap"));
}

#[test]
fn a_profile_just_written_is_read() {
    let classes = classes("Loops");
    let native = file("written.rjp");
    let options = [
        "--quiet",
        "--profile=blocks",
        "--view=app-only",
        "--natives=on",
        "-o",
    ];
    let status = Command::new(env!("CARGO_BIN_EXE_rjvm"))
        .args(options)
        .arg(&native)
        .arg("-cp")
        .arg(&classes)
        .arg("Loops")
        .output()
        .expect("rjvm starts")
        .status;
    assert!(status.success());
    let native = native.to_str().expect("the path is text");
    let classes = format!("--classes={}", classes.display());
    assert_eq!(
        done(&["blocks", native, &classes]),
        expected("Loops.blocks.txt")
    );
}

#[test]
fn a_profile_reports_what_made_it() {
    let classes = classes("Loops");
    let native = file("about.rjp");
    let made = |options: &[&str]| {
        let status = Command::new(env!("CARGO_BIN_EXE_rjvm"))
            .args(["--quiet", "--seed=5", "-cp"])
            .arg(&classes)
            .args(options)
            .arg("-o")
            .arg(&native)
            .args(["Loops", "argument"])
            .output();
        assert!(status.is_ok_and(|o| o.status.success()), "{options:?}");
        let about = Profile::read_file(&native).expect("a profile").about;
        let mut lines: Vec<String> = about.iter().map(|(n, t)| format!("{n}: {t}")).collect();
        let jdk = lines.remove(1);
        assert!(jdk.starts_with("JDK: 17"), "{jdk}");
        // How much that is, other tests say.
        let library = |line: &String| line.starts_with("Library: ");
        for line in lines.iter_mut().filter(|l| library(l)) {
            line.truncate("Library: ".len());
        }
        lines
    };
    let run = |scope: &str| {
        let scope = format!("Scope: {scope}");
        [
            "Program: Loops",
            &scope,
            "Seed: 5",
            "Quantum: 100000 bytecodes",
        ]
        .map(str::to_string)
    };
    let main = run("main and the threads started in it");
    let all = run("everything from the start of the VM");
    assert_eq!(made(&["--profile=exact"]), main);
    let options = [
        "--profile=callsites",
        "--scope=all",
        "--view=app-only",
        "--include=Loops,a.*",
        "--include=b..",
        "--exclude=Loops::x*",
        "--max-depth=9",
        "--fold-recursion",
        "--upcalls=root",
    ];
    let lines = [
        "Upcalls: calls from native methods and the VM are shown as roots",
        "View: the application's methods only",
        "Library: ",
        "Only methods of: Loops, a.*, b..",
        "Without methods of: Loops::x*",
        "Recursion: recursive cycles are folded",
        "Depth: at most 9",
    ];
    assert_eq!(
        made(&options),
        [&all[..], &lines.map(str::to_string)].concat()
    );
    let lines = [
        "Samples: every 70 bytecodes of all threads together, plus a random number below 5",
        "View: all methods except native ones",
    ];
    let options = [
        "--sample-gran=70+5",
        "--sample-clock=global",
        "--natives=off",
    ];
    assert_eq!(
        made(&options),
        [&main[..], &lines.map(str::to_string)].concat()
    );
    // what is made of it later reports it too, and what has been left out then
    let native = native.to_str().expect("the path is text");
    let json = done(&[
        "convert",
        native,
        "-f",
        "json",
        "--view=app-only",
        "--max-depth=2",
    ]);
    for line in [
        r#"["Program","Loops"]"#,
        r#"["View","all methods except native ones"],["View","the application's methods only"],["Library","#,
        r#"samples ("#,
        r#" are left out"],["Depth","at most 2"]]"#,
    ] {
        assert!(json.contains(line), "{line}: {}", &json[..1000]);
    }
}

/// Loops whose body does not lead straight to their end, with ends of all lengths.
#[test]
fn every_bytecode_of_a_loop_is_counted() {
    let dir = work_dir().join("profile-tools-loops");
    std::fs::create_dir_all(&dir).expect("the work folder can be made");
    let mut text = String::from("class Ends {\n");
    let mut main = String::new();
    for n in 0..12 {
        text += &format!(
            "static int f{n}(int n) {{ int s = 0;
                do {{ if (n % 2 == 0) s += 1; else s += 2; n--; }} while (n > 0);
                return s{}; }}\n",
            " + n".repeat(n)
        );
        main += &format!("f{n}(9);");
    }
    text += &format!("public static void main(String[] args) {{ {main} }} }}\n");
    let source = dir.join("Ends.java");
    std::fs::write(&source, text).expect("the folder is writable");
    let classes = jdk::compile("profile-tools-ends", &[source], &[], Path::new("none"));
    let native = file("ends.rjp");
    let output = Command::new(env!("CARGO_BIN_EXE_rjvm"))
        .args(["--quiet", "--profile=blocks", "--view=app-only", "-o"])
        .arg(&native)
        .arg("-cp")
        .arg(&classes)
        .arg("Ends")
        .output()
        .expect("rjvm starts");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    let profile = Profile::read_file(&native).expect("a profile");
    let tree = &profile.threads[0].tree;
    for (index, node) in (0u32..).zip(tree.nodes()) {
        let counts: Vec<(u16, u64)> = tree.counts(index).collect();
        let sum: u64 = counts.iter().map(|c| c.1).sum();
        assert_eq!(sum, node.bytecodes, "{counts:?}");
        let method = &profile.methods[node.method as usize].name;
        if let Some(n) = method.strip_prefix('f') {
            let n: u64 = n.parse().expect("a number");
            // five rounds with an odd number, four with an even one, and the ends
            assert_eq!(sum, 2 + 5 * 8 + 4 * 9 + 2 + 2 * n, "{method}: {counts:?}");
            let round = counts.iter().filter(|c| c.1 == 9).count();
            assert_eq!(round, 7, "{method}: {counts:?}");
        }
    }
}
