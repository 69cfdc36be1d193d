//! The gate of the recipes: it stops a method that executes one percent more, and lets an equal one pass.

use super::{jdk, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The classes of a parser that looks at so many characters for the same text.
fn parser(folder: &Path, name: &str, looks: u32) -> PathBuf {
    let source = folder.join(name).join("Parser.java");
    std::fs::create_dir_all(source.parent().expect("a folder")).expect("a folder");
    let text = format!(
        "public class Parser {{
            static long parse() {{
                long sum = 0;
                for (int i = 0; i < {looks}; i++) sum += 31 * i;
                return sum;
            }}
            static long rest() {{
                long sum = 0;
                for (int i = 0; i < 40000; i++) sum ^= i;
                return sum;
            }}
            public static void main(String[] args) {{
                System.out.println(parse() != rest());
            }}
        }}"
    );
    std::fs::write(&source, text).expect("a source");
    jdk::compile(
        &format!("readers/{name}"),
        &[source],
        &[],
        Path::new("none"),
    )
}

#[test]
fn a_regression_of_one_percent_stops_the_build() {
    let folder = run::Run::new(&run::vm(), "readers-gate").dir();
    let limits = folder.join("limits.txt");
    std::fs::write(
        &limits,
        "0.5% Parser::parse # the whole program has less than that\n0.5%\n",
    )
    .expect("limits");
    let record = |name: &str, classes: &Path| {
        let run = run::Run::new(&run::vm(), &format!("readers-gate-{name}"));
        let file = run.dir().join("x.rjp");
        let options = [
            "--profile=exact",
            "--seed=1",
            "--virtual-clock=1",
            "--quiet",
            "-o",
            "x.rjp",
            "-cp",
        ];
        let ended = run.args(options).arg(classes).arg("Parser").finish();
        assert_eq!(ended.out(), "true\n", "{}", ended.err());
        file
    };
    let gate = |before: &Path, after: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rjvm"));
        command
            .args(["profile", "diff", "--view=app"])
            .args([before, after]);
        command.arg(format!("--limits={}", limits.display()));
        let output = command.output().expect("rjvm starts");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let (old, new) = (
        parser(&folder, "old", 10_000),
        parser(&folder, "new", 10_100),
    );
    let before = record("before", &old);
    let again = record("again", &old);
    let bytes = |file: &Path| std::fs::read(file).expect("a profile");
    assert!(bytes(&before) == bytes(&again));
    let (code, text) = gate(&before, &again);
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = gate(&before, &record("after", &new));
    assert_eq!(code, Some(3), "{text}");
    for reported in [
        "FAIL  0.5% Parser::parse",
        "(+1.00%)",
        "PASS  0.5%\n",
        "Limits exceeded: 1 of 2",
    ] {
        assert!(text.contains(reported), "{reported} is not in\n{text}");
    }
}
