//! Methods whose names are numbers of a compiler's, and classes of one name: profiles compare like with like.

use crate::common::tool::{folder, profile_tool, rjvm};
use crate::common::{jdk, tests_dir, work_dir};
use rjvm::profiler::{Comparison, MethodInfo, Profile};
use std::path::{Path, PathBuf};

fn classes(name: &str, source: &str, options: &[&str]) -> PathBuf {
    let source = tests_dir().join("profiles/numbered").join(source);
    let name = format!("numbered/{name}");
    std::fs::create_dir_all(work_dir().join("numbered")).expect("a folder");
    jdk::compile(&name, &[source], options, Path::new("none"))
}

fn profile(dir: &Path, file: &str, args: &[&str]) -> (PathBuf, Profile) {
    let mut all = vec!["--quiet", "-o", file];
    all.extend(args);
    let (_, err, code) = rjvm(dir, &all);
    assert_eq!((code, &*err), (0, ""), "{args:?}");
    let path = dir.join(file);
    let profile = Profile::read_file(&path).expect("a profile");
    (path, profile)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

/// What each numbered method of the application is called now and was called before.
fn renamed(before: &Profile, after: &Profile) -> Vec<(String, String)> {
    let both = Comparison::new(before, after).expect("few contexts");
    assert!(!both.by_number);
    assert!(both.numbered.values().all(|r| !r.in_doubt));
    let name = |m: &Option<MethodInfo>| {
        let name = m.as_ref().map(|m| format!("{}.{}", m.class, m.name));
        name.unwrap_or_default()
    };
    let app = |m: &Option<MethodInfo>| m.as_ref().is_none_or(|m| m.class.starts_with('N'));
    let all = both.numbered.values().filter(|r| r.names.iter().all(app));
    let mut all: Vec<_> = all
        .map(|r| (name(&r.names[1]), name(&r.names[0])))
        .collect();
    all.retain(|(now, before)| now != before);
    all.sort();
    all
}

#[test]
fn lambdas_and_anonymous_classes_are_matched_by_what_they_are() {
    let dir = folder("numbered", "lambdas");
    let run = |which: &str, options: &[&str], name: &str| {
        let classes = classes(name, &format!("{which}/N.java"), options);
        let file = format!("{name}.rjp");
        let args = ["--profile=exact", "-cp", text(&classes), "N"];
        profile(&dir, &file, &args)
    };
    let (before_file, before) = run("before", &[], "before17");
    let (after_file, after) = run("after", &[], "after17");
    let found = renamed(&before, &after);
    let was = |now: &str| {
        let mut all = found.iter().filter(|(n, _)| n == now);
        all.next().map(|(_, before)| before.as_str())
    };
    assert_eq!(was("N.lambda$main$8"), Some("N.lambda$main$4"), "{found:?}");
    assert_eq!(was("N.lambda$main$9"), Some("N.lambda$main$5"));
    assert_eq!(was("N$4.a"), Some("N$2.a"));
    assert_eq!(was("N$2Local.go"), Some("N$1Local.go"));
    assert_eq!(was("N$1Local.go"), Some(""));
    assert_eq!(was("N$2.a"), Some(""));
    // the same program compiled for an older version has accessors
    let (_, before8) = run("before", &["-source", "8", "-target", "8"], "before8");
    let (_, after8) = run("after", &["-source", "8", "-target", "8"], "after8");
    assert!(!renamed(&before8, &after8).is_empty());
    assert_eq!(renamed(&before, &before8), []);

    let limit = |limit: &str| {
        let limit = format!("--fail-above={limit}");
        let (out, err, code) = profile_tool(&[
            "diff",
            text(&before_file),
            text(&after_file),
            "--view=app",
            &limit,
        ]);
        assert_eq!(err, "", "{out}");
        (code, out)
    };
    let (code, out) = limit("0% N$2::a");
    assert_eq!(code, 3, "{out}");
    assert!(
        out.contains("N$2::a is N$4::a now: its number cannot name it"),
        "{out}"
    );
    let (code, out) = limit("0% calls N$4::a");
    assert_eq!(code, 3, "{out}");
    // in both, the one of the field
    let (code, out) = limit("0% calls N$1::a");
    assert_eq!(code, 0, "{out}");
    let (code, out) = limit("0% calls N$*Local::go");
    assert_eq!(code, 3, "N$1Local is new: {out}");
    assert!(
        out.contains("N.lambda$main$8(int) [N.java:18, before: lambda$main$4]"),
        "{out}"
    );

    // sums of both
    let merged = dir.join("merged.rjp");
    let (_, err, code) = profile_tool(&[
        "merge",
        text(&before_file),
        text(&after_file),
        "-o",
        text(&merged),
    ]);
    assert_eq!((code, &*err), (0, ""));
    let merged = Profile::read_file(&merged).expect("a profile");
    assert_eq!(merged.method("N$4.a").expect("a method").calls, 2 * 10);
    assert_eq!(
        merged.totals().bytecodes,
        before.totals().bytecodes + after.totals().bytecodes
    );
}

#[test]
fn classes_of_one_name_do_not_share_lines() {
    let dir = folder("numbered", "same-name");
    let two = classes("two", "Two.java", &[]);
    let first = classes("first", "first/P.java", &[]);
    let second = classes("second", "second/P.java", &[]);
    let args = [
        "--profile=blocks",
        "-cp",
        text(&two),
        "Two",
        text(&first),
        text(&second),
    ];
    let (file, of_two) = profile(&dir, "two.rjp", &args);
    for (name, calls, bytecodes) in [
        ("P.run", 100, 300),
        ("P[2].run", 100, 10_000),
        ("P.a", 100, 100),
        ("P[2].a", 100, 500_600),
    ] {
        let method = of_two.method(name).unwrap_or_else(|| panic!("no {name}"));
        assert_eq!(
            (method.calls, method.bytecodes),
            (calls, bytecodes),
            "{name}"
        );
    }
    let (classes, sources) = (
        [&first, &second].map(|dir| format!("--classes={}", dir.display())),
        format!(
            "--source-path={}",
            tests_dir().join("profiles/numbered/second").display()
        ),
    );
    let (out, err, code) = profile_tool(&[
        "annotate",
        text(&file),
        "--method=P::run",
        &classes[0],
        &classes[1],
        &sources,
    ]);
    assert_eq!((code, &*err), (0, ""));
    assert!(
        out.contains("P[2].run() in P.java[2]\nself 10000 "),
        "{out}"
    );
    assert!(
        out.contains("9700           9700      7      int s = 0;"),
        "{out}"
    );
    assert!(out.contains("P.run() in P.java\nself 300 "), "{out}");
    // one text can't be both
    assert_eq!(out.matches("several classes P; the text may be").count(), 2);
    assert!(
        out.contains("  100                            6: return\n"),
        "{out}"
    );
    // two loaders of the same file
    let args = [
        "--profile=blocks",
        "-cp",
        text(&two),
        "Two",
        text(&first),
        text(&first),
    ];
    let (_, of_one) = profile(&dir, "one.rjp", &args);
    assert_eq!(of_one.method("P.run").expect("a method").calls, 200);
    assert!(of_one.method("P[2].run").is_none());
}
