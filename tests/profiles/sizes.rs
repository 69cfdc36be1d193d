//! How much of a profile is written, and where to: `--min-percent`, `--max-nodes`, `--no-prune`, standard output.

use crate::common;
use crate::common::work_dir;
use rjvm::profiler::{Profile, export};
use std::fmt::Write;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn file(name: &str) -> PathBuf {
    let dir = work_dir().join("sizes");
    fs::create_dir_all(&dir).expect("the work folder can be made");
    dir.join(name)
}

/// Runs `rjvm profile convert`: standard output, standard error.
fn convert(args: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_rjvm"))
        .args(["profile", "convert"])
        .args(args)
        .output()
        .expect("rjvm starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is text");
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(0), "{args:?}: {err}");
    (out, err)
}

fn read(text: &str) -> Profile {
    export::paths::read(&mut text.as_bytes()).expect("paths are read")
}

#[test]
fn formats_are_pruned_as_requested_or_to_what_their_readers_bear() {
    // 110,001 contexts
    let mut text = String::from("A.a()V\t1\t1000000\n");
    for n in 0..110_000 {
        writeln!(text, "A.a()V;B.m{n:06}()V\t2\t{}", n % 9).expect("memory takes everything");
    }
    let totals = read(&text).totals();
    let source = file("large.paths");
    fs::write(&source, &text).expect("the file can be written");
    let source = source.to_str().expect("the path is text");
    let xml = file("large.xml");
    let xml = xml.to_str().expect("the path is text");
    let (out, err) = convert(&[source, "-o", xml]);
    assert_eq!(out, "");
    let message = "of 110,001 contexts; the rest, ";
    assert!(
        err.starts_with(&format!("rjvm: note: {xml}: ")) && err.contains(message),
        "{err}"
    );
    assert!(err.ends_with(": --no-prune writes all\n"), "{err}");
    let pruned = fs::read_to_string(xml).expect("the file is there");
    assert!(pruned.contains(message) && pruned.contains("[unnamed package]"));
    assert_eq!(
        convert(&[source, "-o", xml, "--no-prune"]),
        Default::default()
    );
    let all = fs::read_to_string(xml).expect("the file is there");
    assert_eq!(all.matches("<method ").count(), 110_001);
    // paths have as many contexts as fit into the limit of frames
    assert_eq!(convert(&[source, "-f", "paths"]), (text, String::new()));
    for options in [
        &["--max-nodes=100"][..],
        &["--min-percent=0.01"],
        &["--max-nodes=10", "--no-prune"],
    ] {
        let (out, err) = convert(&[&[source, "-o", "paths:-"], options].concat());
        assert!(
            err.starts_with("rjvm: note: standard output: ") && err.contains(message),
            "{err}"
        );
        assert!(!err.contains("--no-prune"), "{err}");
        let some = read(&out);
        assert!(
            some.totals().nodes <= 100 && some.method("[unnamed package].contexts()V").is_some()
        );
        assert_eq!(some.totals().bytecodes, totals.bytecodes);
        assert_eq!(some.totals().invocations, totals.invocations);
    }
    let wrong = Command::new(env!("CARGO_BIN_EXE_rjvm"))
        .args(["profile", "convert", source, "-o", "-", "--min-percent=101"])
        .output()
        .expect("rjvm starts");
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn standard_output_takes_any_format() {
    let program = |options: &[&str]| {
        let (got, _) = common::example("Recursion", "sizes-stdout", options);
        assert_eq!(got.exit, 0, "{}", got.err());
        (got.out(), got.err())
    };
    let plain = program(&["--profile=exact", "--quiet"]).0;
    let (out, err) = program(&["--profile=exact", "-o", "-"]);
    let profile = out
        .strip_prefix(&plain)
        .expect("the program's output comes first");
    assert!(
        profile.starts_with("Calling-context tree (exact): "),
        "{profile}"
    );
    assert!(
        err.contains("profile written to standard output\n"),
        "{err}"
    );
    for (name, begin) in [
        ("json:-", "{\"format\":\"rjvm-profile\""),
        ("html:/dev/stdout", "<!DOCTYPE html>"),
        ("paths:-", "recursion.main("),
    ] {
        let (out, _) = program(&["--profile=exact", "--quiet", "--upcalls=root", "-o", name]);
        let profile = out
            .strip_prefix(&plain)
            .expect("the program's output comes first");
        let profile = profile.to_ascii_lowercase();
        assert!(
            profile.contains(&begin.to_ascii_lowercase()),
            "{name}: {}",
            &profile[..60]
        );
    }
    // the limits of the launcher
    let whole = read(
        program(&["--profile=exact", "--quiet", "-o", "paths:-"])
            .0
            .strip_prefix(&plain)
            .expect("a profile"),
    );
    let options = ["--profile=exact", "--max-nodes=20", "-o", "paths:-"];
    let (out, err) = program(&options);
    let some = read(out.strip_prefix(&plain).expect("a profile"));
    assert!(some.totals().nodes <= 20 && whole.totals().nodes > 20);
    assert_eq!(some.totals().bytecodes, whole.totals().bytecodes);
    assert!(
        err.contains("profile written to standard output (")
            && err.contains(" contexts; the rest, "),
        "{err}"
    );
}

#[test]
fn what_is_in_a_file_already_stays_there() {
    let source = file("small.paths");
    fs::write(&source, "A.a()V\t1\t5\n").expect("the file can be written");
    for name in ["/dev/stdout", "txt:-", "-"] {
        let to = file("appended");
        fs::write(&to, "before\n").expect("the file can be written");
        let appended = File::options()
            .append(true)
            .open(&to)
            .expect("the file is there");
        let status = Command::new(env!("CARGO_BIN_EXE_rjvm"))
            .args(["profile", "convert", "-o", name])
            .arg(&source)
            .stdout(Stdio::from(appended))
            .status()
            .expect("rjvm starts");
        assert!(status.success());
        let text = fs::read_to_string(&to).expect("the file is there");
        assert!(
            text.starts_with("before\nCalling-context tree"),
            "{name}: {text}"
        );
    }
}

#[test]
fn it_is_no_error_if_nobody_reads_to_the_end() {
    for name in ["rjp:-", "html:-", "txt:-"] {
        let mut rjvm = Command::new(env!("CARGO_BIN_EXE_rjvm"))
            .args(["--profile=exact", "--quiet", "-o", name, "-cp"])
            .arg(common::example_classes("Recursion"))
            .arg("Recursion")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("rjvm starts");
        drop(rjvm.stdout.take());
        let output = rjvm.wait_with_output().expect("rjvm ends");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*err), (Some(0), ""), "{name}");
    }
}
