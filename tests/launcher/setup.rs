//! What makes rjvm at home on a machine: `java-home`, completion, the manual, files of many processes, and
//! signs of life.

use crate::common;
use crate::common::run::{Outcome, Run, vm};
use crate::common::work_dir;
use std::path::{Path, PathBuf};

fn rjvm(name: &str, args: &[&str]) -> Outcome {
    Run::new(&vm(), &format!("setup-{name}"))
        .args(args)
        .finish()
}

fn classes() -> PathBuf {
    let sources =
        ["Args", "Ends"].map(|n| common::tests_dir().join(format!("launcher/cli/{n}.java")));
    common::jdk::compile("setup", &sources, &[], Path::new("none"))
}

/// The first interrupt ends the program, and its profile is written; the second one ends the process.
#[test]
fn interrupts_end_the_program_and_then_the_process() {
    let start = |mode: &str| {
        let run = Run::new(&vm(), &format!("setup-{mode}"));
        let file = run.dir().join("x.rjp");
        let args = ["--profile=exact", "-o", "x.rjp", "-cp"];
        let mut running = run.args(args).arg(classes()).args(["Ends", mode]).start();
        assert!(running.wait_for_stdout("ready", common::run::time_limit()));
        (running, file)
    };
    // SAFETY: signals a child that has not been waited for.
    let interrupt = |id: u32| assert_eq!(unsafe { libc::kill(id as i32, libc::SIGINT) }, 0);
    let (running, file) = start("wait");
    interrupt(running.id());
    let got = running.finish(common::run::time_limit());
    assert_eq!((got.exit, got.out().as_str()), (130, "ready\nhook\n"));
    assert!(
        got.err().starts_with("rjvm: note: interrupted; "),
        "{}",
        got.err()
    );
    assert!(rjvm::profiler::Profile::read_file(&file).is_ok());
    let (mut running, file) = start("stubborn");
    interrupt(running.id());
    assert!(running.wait_for_stdout("hook", common::run::time_limit()));
    interrupt(running.id());
    let got = running.finish(common::run::time_limit());
    assert_eq!(got.exit, 130);
    assert!(
        got.err()
            .ends_with("rjvm: note: aborted; rjvm writes no profile\n"),
        "{}",
        got.err()
    );
    assert!(!file.exists());
}

#[test]
fn a_terminal_shows_the_status() {
    let line = format!(
        "{} --status --profile=exact --quiet -cp {} Ends spin",
        vm().display(),
        classes().display()
    );
    // gives its child a terminal
    let shown = std::process::Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .output();
    let shown = String::from_utf8_lossy(&shown.expect("util-linux has it").stdout).into_owned();
    let mark = "\r\u{1b}[Krjvm: 1 s, ";
    assert!(
        shown.contains(mark) && shown.contains(" contexts in "),
        "{shown:?}"
    );
}

/// Files are never taken from another VM: numbers are made new, and what another process wrote meanwhile stays.
#[test]
fn names_of_outputs_are_made_for_each_process() {
    let folder = |name: &str| {
        let folder = work_dir().join("cli-outputs").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("the target directory is writable");
        folder
    };
    let run = |dir: &Path, env: &str, options: &[&str]| {
        let classes = classes();
        Run::new(&vm(), "cli-outputs")
            .current_dir(dir)
            .env("RJVM_OPTIONS", env)
            .args(options)
            .arg("-cp")
            .arg(classes)
            .arg("Args")
            .finish()
    };
    let there = |dir: &Path| {
        let files = std::fs::read_dir(dir).expect("a folder").flatten();
        let names = files.map(|f| f.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    let dir = folder("numbers");
    let options = [
        "--quiet",
        "--profile=exact",
        "-o",
        "a-%n.rjp",
        "-o",
        "b%%.txt",
    ];
    run(&dir, "", &options);
    assert_eq!(there(&dir), ["a-1.rjp", "b%.txt"]);
    run(&dir, "", &options);
    assert_eq!(there(&dir), ["a-1.rjp", "a-2.rjp", "b%.txt"]);
    // The environment is for all VMs: none takes the file of another.
    let dir = folder("shared");
    for _ in 0..3 {
        let message = run(&dir, "--profile=exact -o shared.rjp", &[]).err();
        let note = "rjvm: note: options from RJVM_OPTIONS: --profile=exact -o shared.rjp\n";
        assert!(message.starts_with(note), "{message}");
    }
    assert_eq!(there(&dir), ["shared.2.rjp", "shared.3.rjp", "shared.rjp"]);
    // One that is named again is written again, and that is reported.
    let options = ["--profile=exact", "-o", "again.rjp"];
    run(&dir, "", &options);
    let again = run(&dir, "", &options);
    assert!(
        again
            .err()
            .contains("profile written to again.rjp (replaced)"),
        "{}",
        again.err()
    );
}

#[test]
fn a_java_home_runs_rjvm_in_child_processes_too() {
    let home = work_dir().join("rjvm-home");
    let _ = std::fs::remove_dir_all(&home);
    let path = home.to_str().expect("text");
    let made = rjvm("java-home", &["java-home", path]);
    assert_eq!(made.exit, 0, "{}", made.err());
    // Made again, but not over files of somebody else.
    assert_eq!(rjvm("java-home", &["java-home", path]).exit, 0);
    let mine = home.join("mine.txt");
    std::fs::write(&mine, "kept").expect("the folder is writable");
    let refused = rjvm("java-home", &["java-home", path]);
    assert_eq!(refused.exit, 1, "{}", refused.err());
    assert!(
        refused
            .err()
            .contains("mine.txt was not created by this command")
    );
    assert!(home.join("bin/java").exists() && mine.exists());
    std::fs::remove_file(&mine).expect("it can be removed");
    let other = work_dir().join("not-a-home");
    std::fs::create_dir_all(other.join("x")).expect("a folder can be made");
    let refused = rjvm("java-home", &["java-home", other.to_str().expect("text")]);
    assert_eq!(refused.exit, 1);
    assert!(
        refused.err().contains("the folder is not empty"),
        "{}",
        refused.err()
    );
    let version = std::process::Command::new(home.join("bin/java"))
        .arg("-version")
        .output();
    let version = version.expect("the script runs");
    assert!(String::from_utf8_lossy(&version.stderr).contains("17"));
    let requested = std::process::Command::new(home.join("bin/java"))
        .args(["-XshowSettings:properties", "-version"])
        .output()
        .expect("the script runs");
    let settings = String::from_utf8_lossy(&requested.stderr).into_owned();
    assert!(
        settings.contains(&format!("java.home = {path}")),
        "{settings}"
    );
    assert!(home.join("bin/javac").exists() && home.join("lib/modules").exists());
}

#[test]
fn completion_and_manual_know_the_options() {
    for (args, parts) in [
        (
            &["completion", "bash"][..],
            &[
                "--profile=exact",
                "complete -o default -F _rjvm rjvm",
                "'profile diff') words=",
            ][..],
        ),
        (&["completion", "zsh"], &["bashcompinit", "--sample-gran="]),
        (
            &["completion", "fish"],
            &["-a '--view=app'", "__fish_seen_subcommand_from diff"],
        ),
        (
            &["man"],
            &[
                ".TH RJVM 1",
                ".B \\-\\-profile=exact|callsites|blocks",
                ".SH EXIT STATUS",
            ],
        ),
    ] {
        let got = rjvm("completion", args);
        assert_eq!((got.exit, got.err().as_str()), (0, ""), "{args:?}");
        for part in parts {
            assert!(got.out().contains(part), "{args:?}: {part}");
        }
    }
    // What the shell itself makes of it.
    let script = rjvm("completion", &["completion", "bash"]).out();
    let requested = format!(
        "{script}\nCOMP_WORDS=(rjvm profile diff --lim); COMP_CWORD=3; COMP_LINE='rjvm profile diff --lim'; COMP_POINT=23\n\
         _rjvm; echo \"${{COMPREPLY[*]}}\"\n\
         COMP_WORDS=(rjvm --profile = ex); COMP_CWORD=3; COMP_LINE='rjvm --profile=ex'; COMP_POINT=17\n\
         _rjvm; echo \"${{COMPREPLY[*]}}\"\n"
    );
    let shell = std::process::Command::new("bash")
        .args(["-c", &requested])
        .output()
        .expect("bash runs");
    assert_eq!(
        String::from_utf8_lossy(&shell.stdout),
        "--limit= --limits=\nexact\n",
        "{shell:?}"
    );
}
