//! `rjvm debug`: expressions with calls, changed values, and runs that are not the same again.
//!
//! `tests/causes/travel/Expressions.java` prints expressions with the values that the compiled program has; the debugger evaluates the
//! same texts.

use super::travel::session;
use crate::common::run::Run;
use crate::common::{jdk, work_dir};

/// Lines of a session that follow a command, up to the next one.
fn answer<'a>(out: &'a str, command: &str) -> Vec<&'a str> {
    let line = format!("(rjvm) {command}");
    let mut rest = out.lines().skip_while(|l| *l != line);
    assert!(rest.next().is_some(), "no {command} in\n{out}");
    rest.take_while(|l| !l.starts_with("(rjvm) ")).collect()
}

#[test]
fn expressions_have_the_values_that_the_program_has() {
    let classes = super::travel::classes();
    let classes = classes.to_string_lossy();
    let java = jdk::java_home().join("bin/java");
    let run = Run::new(&java, "travel-expressions-hotspot");
    let program = run.args(["-cp", &*classes, "Expressions"]).finish();
    assert_eq!(program.exit, 0, "{}", program.err());
    let printed = program.out();
    let pairs: Vec<(&str, &str)> = printed
        .lines()
        .filter_map(|l| l.split_once(" = "))
        .collect();
    assert!(pairs.len() > 70, "{printed}");
    let mut commands = vec!["break Expressions.here".to_owned(), "continue".into()];
    commands.extend(pairs.iter().map(|(e, _)| format!("print \"\" + ({e})")));
    commands.push("print Expressions.count".into());
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    let got = session("expressions", &[], &["Expressions"], &commands);
    let out = got.out();
    assert_eq!(got.exit, 0, "{}", got.err());
    for (expression, want) in pairs {
        let found = answer(&out, &format!("print \"\" + ({expression})"));
        assert_eq!(found, [format!("\"{want}\"")], "{expression}");
    }
    // nothing of this has changed the program
    assert_eq!(answer(&out, "print Expressions.count"), ["3"]);
}

#[test]
fn expressions_change_nothing_and_say_why_they_have_no_value() {
    let commands = [
        "break Expressions.here",
        "continue",
        "print adds()",
        "print adds() + count",
        "print count",
        "print prints()",
        "print fails(3)",
        "print forever()",
        "print text.nothing()",
        "print pick(null)",
        "print twice(\"a\")",
        "print ((String) any).length()",
        "print list.get(9)",
        "print array[3]",
        "print System.exit(3)",
        "print new Shape()",
        "print i / 0",
        "stepi",
        "print i",
        "break Expressions.end",
        "continue",
        "print cyclic",
        "print nested",
        "print text",
        "print node",
        "print many",
        "print many.subList(2, 4)",
        "print e.small",
        "continue",
    ];
    let got = session("expressions-apart", &[], &["Expressions"], &commands);
    let out = got.out();
    assert_eq!((got.exit, &*got.err()), (0, ""), "{out}");
    let one = |command: &str| {
        let found = answer(&out, &format!("print {command}"));
        assert_eq!(found.len(), 1, "{command}: {found:?}");
        found[0].to_owned()
    };
    assert_eq!(one("adds()"), "4");
    assert_eq!(one("adds() + count"), "8");
    assert_eq!(one("count"), "3");
    assert_eq!(one("prints()"), "5");
    assert!(!out.contains("printed by an expression"), "{out}");
    assert_eq!(one("fails(3)"), "java.lang.IllegalStateException: no 3");
    assert_eq!(one("forever()"), "it takes more than 500000000 bytecodes");
    assert_eq!(
        one("text.nothing()"),
        "java.lang.String has no method nothing"
    );
    assert!(
        one("pick(null)").contains("cast an argument"),
        "{}",
        one("pick(null)")
    );
    assert_eq!(
        one("twice(\"a\")"),
        "no method twice fits the arguments: (I)"
    );
    let cast = one("((String) any).length()");
    assert!(
        cast.starts_with("java.lang.ClassCastException: Expressions$Square"),
        "{cast}"
    );
    let outside = "java.lang.IndexOutOfBoundsException: Index 9 out of bounds for length 4";
    assert_eq!(one("list.get(9)"), outside);
    assert_eq!(one("array[3]"), "array[3]: index 3 of an array of length 3");
    assert_eq!(
        one("System.exit(3)"),
        "it ends the program with exit code 3"
    );
    assert_eq!(one("new Shape()"), "Shape is abstract");
    assert_eq!(one("i / 0"), "java.lang.ArithmeticException: / by zero");
    assert_eq!(one("i"), "7");
    assert_eq!(
        one("cyclic"),
        "java.util.ArrayList(2) {\"first\", java.util.ArrayList}"
    );
    assert_eq!(
        one("nested"),
        "java.util.HashMap(1) {\"self\": java.util.HashMap}"
    );
    let text = one("text");
    assert!(
        text.len() < 3000 && text.contains("5000"),
        "{} {text}",
        text.len()
    );
    let node = answer(&out, "print node").join("\n");
    assert!(
        node.contains("Expressions$Node") && node.len() < 300,
        "{node}"
    );
    let many = "java.util.ArrayList(100) {0, 1, 2, 3, 4, 5, 6, 7, ... 92 more}";
    assert_eq!(unboxed(&one("many")), many);
    assert!(one("many.subList(2, 4)").contains("(2) {"));
    assert_eq!(one("e.small"), "(byte) -7");
    // the program goes on as it would have
    let end = answer(&out, "continue");
    assert!(!end.is_empty());
    assert!(
        out.contains("\n3\n") && out.contains("has ended with exit code 0"),
        "{out}"
    );
}

/// Boxes as numbers.
fn unboxed(text: &str) -> String {
    let mut out = text.to_owned();
    while let Some(at) = out.find("java.lang.Integer {") {
        let end = at + out[at..].find('}').expect("its end");
        out.remove(end);
        out.replace_range(at..at + "java.lang.Integer {".len(), "");
    }
    out
}

#[test]
fn changed_values_make_another_run() {
    let commands = [
        "break Walk:23",
        "continue",
        "set more = 1000",
        "print more",
        "set Walk.total = Walk.total + 5L",
        "set Walk.total = more * 2",
        "print Walk.total",
        "finish",
        "print Walk.total",
        "delete",
        "reverse-continue",
        "reverse-continue",
        "goto 0",
        "reverse-continue",
        "break Walk:23",
        "continue",
        "print more",
        "print Walk.total",
        "set nothing = 3",
        "set more = \"text\"",
        "set more",
    ];
    let got = session("set", &[], &["Walk"], &commands);
    let out = got.out();
    assert_eq!((got.exit, &*got.err()), (0, ""), "{out}");
    let firsts = |command: &str| answer(&out, command).first().map(|s| (*s).to_owned());
    assert_eq!(answer(&out, "print more")[0], "1000");
    assert!(firsts("set more = 1000").is_some_and(|s| s.starts_with("another run begins here")));
    assert_eq!(
        answer(&out, "set Walk.total = Walk.total + 5L"),
        ["a place of type int cannot hold it"]
    );
    assert_eq!(answer(&out, "print Walk.total"), ["2000"]);
    let after = out.split("(rjvm) finish").nth(1).expect("after finish");
    assert_eq!(answer(after, "print Walk.total"), ["3000"]);
    // back to before the change, the values are what they were
    let back = after
        .rsplit("(rjvm) break Walk:23")
        .next()
        .expect("after the branch");
    assert_eq!(answer(back, "print more"), ["0"]);
    assert_eq!(answer(back, "print Walk.total"), ["0"]);
    assert_eq!(
        answer(&out, "set nothing = 3"),
        ["there is no local variable or field nothing here"]
    );
    assert_eq!(
        answer(&out, "set more = \"text\""),
        ["a place of type int cannot hold it"]
    );
    assert_eq!(
        answer(&out, "set more"),
        ["set: expected a local, field or element, =, and an expression"]
    );
}

#[test]
fn a_run_that_diverges_is_reported_and_the_session_stays() {
    let file = work_dir().join("travel-changed.txt");
    std::fs::write(&file, "xx").expect("the target directory is writable");
    let name = file.to_string_lossy().into_owned();
    let commands = [
        "continue",
        "watch Changed.nothing",
        "reverse-continue",
        "print Changed.total >= 0",
        "stepi",
        "print Changed.total >= 0",
    ];
    let got = session(
        "changed",
        &["--checkpoints=2"],
        &["Changed", &name],
        &commands,
    );
    let out = got.out();
    assert_eq!((got.exit, &*got.err()), (0, ""), "{out}");
    let found = "the program does not run as it did before: it diverges between bytecodes ";
    assert!(out.contains(found), "{out}");
    assert!(
        out.contains("\n  before: ") && out.contains("\n  now: "),
        "{out}"
    );
    // the file has been written again by then, so each run is another one
    assert_eq!(answer(&out, "print Changed.total >= 0"), ["true"], "{out}");
}

#[test]
fn a_replay_that_leaves_its_recording_can_be_looked_at() {
    let classes = super::travel::classes();
    let folder = work_dir().join("travel-parted");
    std::fs::create_dir_all(&folder).expect("the target directory is writable");
    let recording = folder.join("run.rec");
    let option = format!("--record={}", recording.display());
    let run = Run::new(&crate::common::run::vm(), "travel-parted-record");
    let run = run.args([&*option, "-cp", &*classes.to_string_lossy(), "Walk"]);
    assert_eq!(run.finish().exit, 0);
    // a value that is changed makes the replay request something else than the recording has
    let option = format!("--recording={}", recording.display());
    let commands = [
        "break Walk:23",
        "continue",
        "set more = 12345",
        "delete",
        "continue",
        "where",
        "goto 0",
        "reverse-continue",
        "print Walk.total",
    ];
    let script = folder.join("commands");
    let text = commands.iter().map(|c| format!("{c}\n"));
    std::fs::write(&script, text.collect::<String>()).expect("the target directory is writable");
    let run = Run::new(&crate::common::run::vm(), "travel-parted").arg("debug");
    let got = run.arg(&option).stdin(Some(script)).finish();
    let out = got.out();
    assert_eq!((got.exit, &*got.err()), (0, ""), "{out}");
    assert!(
        out.contains("the replay diverges from the recording at bytecode "),
        "{out}"
    );
    assert!(
        out.contains("recorded: at bytecode ") && out.contains("replayed: at bytecode "),
        "{out}"
    );
    // the program is before that, and can be looked at
    let place = answer(&out, "where");
    assert!(place.iter().any(|l| l.contains("Walk.main")), "{out}");
}
