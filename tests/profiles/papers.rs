//! The worked examples of the papers on JP and JP2, with the paper's numbers, and options that show a profile as
//! JP has it. (Figures 2 and 5 of the paper on JP2 are in `xquery.rs`.)

use crate::common;
use crate::common::example_classes;
use crate::common::run::{self, Outcome};
use rjvm::profiler::Profile;
use rjvm::profiler::export::xml::Code;
use rjvm_classfile::ClassFile;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// [`common::example`] with the runs of this file kept apart.
fn profiled(class: &str, run_name: &str, options: &[&str]) -> (Outcome, PathBuf) {
    common::example(class, &format!("papers-{run_name}"), options)
}

fn lines(dir: &Path, name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(dir.join(name)).expect("the file is written");
    let columns = |line: &str| line.split('\t').map(str::to_string).collect();
    text.lines().map(columns).collect()
}

/// Invocations and bytecodes of the context whose path ends so.
fn of(paths: &[Vec<String>], end: &str) -> (u64, u64) {
    let mut found = paths.iter().filter(|line| line[0].ends_with(end));
    let line = found.next().expect("the context is there");
    assert!(found.next().is_none(), "{end} occurs twice");
    let number = |column: usize| line[column].parse().expect("a number");
    (number(1), number(2))
}

#[test]
fn figure_4_of_the_jp_paper() {
    let options = [
        "--quiet",
        "--profile=exact",
        "--view=app-only",
        "-o",
        "x.paths",
    ];
    let (_, dir) = profiled("JpFoo", "figure-4", &options);
    let paths = lines(&dir, "x.paths");
    let main = "JpFoo.main([Ljava/lang/String;)V;";
    let calls = |path: &str| of(&paths, &format!("{main}{path}")).0;
    assert_eq!(calls("Foo.f()V"), 1);
    assert_eq!(calls("Foo.f()V;Foo.h()V"), 10);
    assert_eq!(calls("Foo.f()V;Foo.g(I)V"), 10);
    assert_eq!(calls("Foo.f()V;Foo.g(I)V;Foo.h()V"), 55);
}

#[test]
fn figures_5_and_8_of_the_jp_paper() {
    let options = [
        "--profile=blocks",
        "--view=app-only",
        "--bba=default",
        "-o",
        "x.paths",
    ];
    let (got, dir) = profiled("JpFoo", "figure-5", &options);
    let classes = format!("--classes={}", example_classes("JpFoo").display());
    let output = std::process::Command::new(run::vm())
        .args(["profile", "blocks", "--bba=default", &classes])
        .arg(dir.join("x.paths"))
        .output()
        .expect("rjvm starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let f: Vec<&str> = text
        .lines()
        .find(|line| line.contains("Foo.f()V\t"))
        .expect("f is there")
        .split('\t')
        .collect();
    let numbers = |column: usize| -> Vec<u64> {
        let numbers = f[column].split(',').map(|n| n.parse().expect("a number"));
        numbers.collect()
    };
    // f's blocks in Figure 5 add 2, 3, 7 and 1 to the counter
    assert_eq!(numbers(4), [2, 3, 7, 1]);
    assert_eq!(numbers(3), [1, 11, 10, 1]);
    let (entry, test, body, end) = (2, 3, 7, 1);
    // Figure 8: a round of the loop is a path of 10 bytecodes, the way out one of 4
    assert_eq!((test + body, test + end), (10, 4));
    let executed = entry + 10 * (test + body) + (test + end);
    assert_eq!(of(&lines(&dir, "x.paths"), "Foo.f()V").1, executed);
    // without exceptions JP counts exactly
    let total: u64 = lines(&dir, "x.paths")
        .iter()
        .map(|line| line[2].parse::<u64>().expect("a number"))
        .sum();
    let line = format!("{total} bytecodes by default BBA, relative error 0.00e0");
    assert!(got.err().contains(&line), "{}", got.err());
}

/// Where the instructions and blocks of a program's methods begin, by the methods' labels.
fn layouts(folder: &Path) -> BTreeMap<String, Code> {
    let mut layouts = BTreeMap::new();
    for file in common::files_with_extension(folder, "class") {
        let class = ClassFile::parse(&std::fs::read(&file).expect("a class")).expect("a class");
        for method in &class.methods {
            let text = |index| {
                let bytes = class.constant_pool.utf8(index).expect("a name");
                String::from_utf8_lossy(bytes).into_owned()
            };
            let (name, descriptor) = (text(method.name), text(method.descriptor));
            let label = format!("{}.{name}{descriptor}", common::stem(&file));
            if let Some(code) = &method.attributes.code {
                layouts.insert(label, rjvm_run::profile::layout(code).expect("sound code"));
            }
        }
    }
    layouts
}

/// The program computes itself what JP2 keeps, as Figure 3 instruments it; its tree, and the order in which it
/// enters blocks, are those that rjvm sees in the program that is not instrumented.
#[test]
fn figure_3_of_the_jp2_paper() {
    let source = common::tests_dir().join("profiles/papers/Jp2Demo.java");
    let classes = common::jdk::compile("papers", &[source], &[], Path::new("none"));
    let run = run::Run::new(&run::vm(), "papers-figure-3");
    let reported = run.arg("-cp").arg(classes).arg("Jp2Demo").finish();
    let reported = reported.out();
    let lines_of = |kind: &str| -> Vec<&str> {
        reported
            .lines()
            .filter_map(|line| line.strip_prefix(kind))
            .collect()
    };
    let (mut nodes, trace) = (lines_of("node "), lines_of("block "));

    let options = [
        "--quiet",
        "--profile=blocks",
        "--view=app-only",
        "-o",
        "x.paths",
        "--sample-gran=1",
        "--sample-log=x.log",
    ];
    let (_, dir) = profiled("Demo", "figure-3-demo", &options);
    let layouts = layouts(&example_classes("Demo"));
    // `@index:label;...` with positions instead of indices
    let positions = |path: &str| -> String {
        let mut caller: Option<&Code> = None;
        let frames = path.split(';').fold(Vec::<String>::new(), |mut all, part| {
            // a descriptor has semicolons too
            match all.last_mut() {
                Some(frame) if !part.starts_with('@') => *frame += &format!(";{part}"),
                _ => all.push(part.into()),
            }
            all
        });
        let mut shown = Vec::new();
        for frame in frames {
            let (site, label) = frame[1..].split_once(':').expect("a call site");
            let index = caller.map(|code| {
                let index = site.parse().expect("a bytecode index");
                code.instructions.binary_search(&index).expect("a call") + 1
            });
            let position = index.map_or("-1".to_string(), |i| i.to_string());
            shown.push(format!("@{position}:{label}"));
            caller = layouts.get(label);
        }
        shown.join(";")
    };
    let mut seen: Vec<String> = Vec::new();
    for line in lines(&dir, "x.paths") {
        let label = line[0]
            .rsplit_once('@')
            .and_then(|(_, frame)| frame.split_once(':'));
        let (_, label) = label.expect("a call site");
        let blocks = &layouts[label].blocks;
        let mut counts = vec!["0"; blocks.len()];
        for (index, count) in line[3].split(',').filter_map(|pair| pair.split_once(':')) {
            if let Ok(block) = blocks.binary_search(&index.parse().expect("an index")) {
                counts[block] = count;
            }
        }
        seen.push(format!(
            "{}\t{}\t{}",
            positions(&line[0]),
            line[1],
            counts.join(",")
        ));
    }
    nodes.sort();
    seen.sort();
    assert_eq!(seen, nodes);
    let sum_areas = "@-1:Demo.main([Ljava/lang/String;)V;@26:Demo.sumAreas([LShape;)F";
    let numbers = format!("{sum_areas}\t1\t1,4,1,3");
    assert!(nodes.contains(&&*numbers), "{nodes:?}");
    let square = format!("{sum_areas};@16:Square.area()F\t2\t2");
    assert!(nodes.contains(&&*square), "{nodes:?}");

    // the position of every single bytecode, in order
    let mut entered = Vec::new();
    for line in lines(&dir, "x.log").iter().skip(1) {
        let frame = line[6]
            .rsplit_once('@')
            .and_then(|(_, frame)| frame.split_once(':'));
        if let Some((_, label)) = frame
            && let Some(code) = layouts.get(label)
            && let Ok(block) = code
                .blocks
                .binary_search(&line[5].parse().expect("an index"))
        {
            entered.push(format!("{label} {block}"));
        }
    }
    assert_eq!(entered, trace);
    let in_sum_areas = trace
        .iter()
        .filter_map(|line| line.strip_prefix("Demo.sumAreas([LShape;)F "));
    assert_eq!(in_sum_areas.collect::<String>(), "013131312");
}

#[test]
fn the_error_of_default_blocks_is_reported() {
    let options = ["--profile=blocks", "--view=app-only", "--natives=on"];
    let (got, _) = profiled(
        "Exceptions",
        "default",
        &[&options[..], &["--bba=default"]].concat(),
    );
    // (1225 - 983) / 983, as the oracle's blocks have it
    let line = "1,225 bytecodes by default BBA, relative error 2.46e-1";
    assert!(got.err().contains(line), "{}", got.err());
    let (got, _) = profiled(
        "Exceptions",
        "precise",
        &[&options[..], &["--bba=precise"]].concat(),
    );
    assert!(
        got.err()
            .contains("983 bytecodes by precise BBA, relative error 0.00e0"),
        "{}",
        got.err()
    );
    let (got, _) = profiled(
        "Exceptions",
        "bba-alone",
        &["--profile=exact", "--bba=default"],
    );
    assert_eq!(got.exit, 1);
    assert!(
        got.err().contains("--bba requires --profile=blocks"),
        "{}",
        got.err()
    );
}

#[test]
fn what_the_vm_calls_can_be_roots() {
    for profile in ["exact", "callsites", "blocks"] {
        let profile = format!("--profile={profile}");
        let run = |upcalls: &str| {
            let option = format!("--upcalls={upcalls}");
            let options = [
                &*profile,
                &option,
                "--quiet",
                "--no-prune",
                "-o",
                "x.rjp",
                "-o",
                "x.paths",
            ];
            let (_, dir) = profiled("StaticInit", upcalls, &options);
            (
                Profile::read_file(&dir.join("x.rjp")).expect("a profile"),
                lines(&dir, "x.paths"),
            )
        };
        let (caller, below) = run("caller");
        let (root, above) = run("root");
        let totals = |p: &Profile| (p.totals().bytecodes, p.totals().invocations);
        assert_eq!(totals(&caller), totals(&root), "{profile}");
        let initializer = "StaticInit$ByGet.<clinit>()V";
        let path = |paths: &[Vec<String>]| -> String {
            let all = paths.iter().map(|line| line[0].clone());
            let mut found = all.filter(|path| path.ends_with(initializer));
            found.next().expect("the initializer is there")
        };
        assert!(
            path(&below).contains("StaticInit.main("),
            "{}",
            path(&below)
        );
        let alone = path(&above);
        assert_eq!(alone.strip_prefix("@-1:").unwrap_or(&alone), initializer);
        let same = |p: &Profile| -> Vec<(String, u64, u64)> {
            let names = p.flat().into_iter();
            let row = |m: rjvm::profiler::MethodTotals| {
                (p.methods[m.method as usize].label(), m.calls, m.bytecodes)
            };
            let mut rows: Vec<_> = names.map(row).collect();
            rows.sort();
            rows
        };
        assert_eq!(
            same(&caller),
            same(&root),
            "methods have the same counts, {profile}"
        );
    }
}

#[test]
fn loaded_classes_can_be_dumped() {
    let (got, dir) = profiled("Lambdas", "dump", &["--dump-classes=out/classes"]);
    assert_eq!(got.exit, 0, "{}", got.err());
    let out = dir.join("out/classes");
    for (path, source) in [
        (
            "app/Lambdas.class",
            Some(example_classes("Lambdas").join("Lambdas.class")),
        ),
        ("bootstrap/java/lang/Object.class", None),
    ] {
        let bytes = std::fs::read(out.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
        let parsed = rjvm_classfile::ClassFile::parse(&bytes);
        assert!(parsed.is_ok(), "{path}");
        if let Some(source) = source {
            assert_eq!(
                bytes,
                std::fs::read(source).expect("the original"),
                "{path}"
            );
        }
    }
    let hidden = || -> Vec<PathBuf> {
        let mut all = common::entries(&out.join("app"));
        all.retain(|p| p.to_string_lossy().contains("Lambdas$$Lambda"));
        all
    };
    let first = hidden();
    assert!(!first.is_empty(), "lambdas are hidden classes");
    profiled("Lambdas", "dump", &["--dump-classes=out/classes"]);
    assert_eq!(first, hidden(), "their names are stable");
    let (got, _) = profiled("Lambdas", "no-dump", &["--dump-classes=/dev/null/x"]);
    assert_eq!((got.exit, got.out().as_str()), (1, ""));
    assert!(
        got.err()
            .starts_with("rjvm: error: --dump-classes: /dev/null/x: cannot write"),
        "{}",
        got.err()
    );
}

#[test]
fn small_shares_can_be_left_out_of_text() {
    let options = [
        "--quiet",
        "--profile=exact",
        "--view=app-only",
        "-o",
        "x.txt",
        "-o",
        "x.flat",
    ];
    let rows = |options: &[&str], name: &str| {
        let (_, dir) = profiled("Recursion", "least", options);
        lines(&dir, name).len()
    };
    for name in ["x.txt", "x.flat"] {
        let all = rows(&options, name);
        let some = rows(&[&options[..], &["--min-percent=2.5"]].concat(), name);
        let none = rows(&[&options[..], &["--min-percent=100"]].concat(), name);
        assert!(none < some && some < all, "{name}: {none} {some} {all}");
    }
    let (got, _) = profiled("Recursion", "percent", &["--min-percent=101"]);
    assert!(
        got.err().contains("a percentage from 0 to 100"),
        "{}",
        got.err()
    );
}
