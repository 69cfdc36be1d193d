//! Agents in Java: their notifications are exact, and the program executes the same whatever they do.

use crate::common::run::{Outcome, Run, vm};
use crate::common::{self, root};
use crate::common::{jdk, work_dir};
use rjvm::profiler::Profile;
use rjvm_vm::classpath::Jar;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const JAR: &str = "java/agent-api/rjvm-agent.jar";

/// The API's classes as the JDK's compiler makes them now.
fn api_classes() -> PathBuf {
    let sources = common::files_with_extension(&root().join("java/agent-api/rjvm/agent"), "java");
    jdk::compile(
        "agent-api",
        &sources,
        &["--release", "17"],
        &root().join("none"),
    )
}

#[test]
fn the_jar_has_the_classes_of_the_sources() {
    let classes = api_classes();
    let jar = root().join(JAR);
    if common::switch("BLESS") {
        let made = Command::new(jdk::tool("jar"))
            .args([
                "--create",
                "--no-manifest",
                "--date=2000-01-01T00:00:00Z",
                "--file",
            ])
            .arg(&jar)
            .arg("-C")
            .arg(&classes)
            .arg("rjvm")
            .status();
        assert!(made.is_ok_and(|s| s.success()), "jar fails");
    }
    let jar = Jar::open(jar).expect("the jar is committed");
    let mut names = jar.names();
    names.retain(|n| n.ends_with(".class"));
    let folder = classes.join("rjvm/agent");
    let files = common::files_with_extension(&folder, "class");
    assert_eq!(names.len(), files.len(), "{names:?}");
    for file in files {
        let name = format!("rjvm/agent/{}.class", common::stem(&file));
        let packed = jar.find(&name).expect("the jar is sound");
        let stale = packed.as_deref() != std::fs::read(&file).ok().as_deref();
        assert!(
            !stale,
            "{name} is stale in {JAR}: BLESS=1 cargo test --test java_apis agents"
        );
    }
}

/// The folder with the program and all agents, compiled with the jar that rjvm writes.
fn classes() -> PathBuf {
    let api = work_dir().join("agent-api-written.jar");
    std::fs::create_dir_all(work_dir()).expect("the target directory is writable");
    let written = Command::new(vm())
        .arg(format!("--agent-api={}", api.display()))
        .status();
    assert!(written.is_ok_and(|s| s.success()));
    let mut sources =
        common::files_with_extension(&common::tests_dir().join("java_apis/agents"), "java");
    sources.extend(common::files_with_extension(
        &root().join("examples/agents"),
        "java",
    ));
    let class_path = api.display().to_string();
    jdk::compile(
        "agents",
        &sources,
        &["-cp", &class_path],
        &root().join("none"),
    )
}

/// The folder's name has always the same length: the program's properties report it, and the work with
/// them is counted.
fn run(name: &str, options: &[&str]) -> (Outcome, PathBuf) {
    let run = Run::new(&vm(), &format!("agents-{name:-<20}"))
        .arg("-cp")
        .arg(classes())
        .args(options)
        .arg("Work");
    let dir = run.dir();
    (run.finish(), dir)
}

fn read(dir: &Path, name: &str) -> Vec<u8> {
    std::fs::read(dir.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn assert_undisturbed(what: &str, got: &Outcome, want: &Outcome) {
    assert_eq!(got.out(), want.out(), "{what}: {}", got.err());
    assert_eq!(got.exit, want.exit, "{what}: {}", got.err());
}

fn make_dir(name: &str) -> PathBuf {
    let dir = work_dir().join(name);
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    dir
}

/// However the program is started, its agent comes from the class path.
#[test]
fn every_kind_of_program_may_have_an_agent() {
    let dir = make_dir("agent-launch");
    let greeting = jdk::compile(
        "agent-module",
        &["module-info.java", "greet/Main.java"]
            .map(|name| common::tests_dir().join("launcher/cli/module").join(name)),
        &[],
        &root().join("none"),
    );
    let jar = dir.join("work.jar");
    let program = make_dir("agent-launch/program");
    for class in common::files_with_extension(&classes(), "class") {
        let name = class.file_name().expect("a file").to_owned();
        if common::stem(&class).starts_with("Work") {
            std::fs::copy(&class, program.join(name)).expect("the folder is writable");
        }
    }
    let made = Command::new(jdk::tool("jar"))
        .args(["--create", "--main-class", "Work", "--file"])
        .args([&jar, &PathBuf::from("-C"), &program, &PathBuf::from(".")])
        .status();
    assert!(made.is_ok_and(|s| s.success()), "jar fails");
    let text = |path: &Path| path.display().to_string();
    let source = text(&common::tests_dir().join("java_apis/agents/Work.java"));
    let (modules, jar) = (text(&greeting), text(&jar));
    for (name, gran, program) in [
        ("jar", 20_000, &["-jar", &jar][..]),
        ("source", 200_000, &[&source]),
        (
            "module",
            500,
            &["-p", &modules, "-m", "greeting/greet.Main", "a"],
        ),
        ("stress", 20_000, &["--gc-stress", "Work"]),
    ] {
        // properties are part of what the program executes
        let gran = format!("-Dgran={gran}");
        let run = |agent: &[&str], name: &str| {
            let run = Run::new(&vm(), &format!("agents-{name:-<20}"))
                .arg("-cp")
                .arg(classes())
                .args(["--profile=exact", "-o", "x.rjp", &gran])
                .args(agent)
                .args(program);
            let dir = run.dir();
            (run.finish(), dir)
        };
        let (plain, plain_dir) = run(&[], &format!("launch-{name}"));
        assert!(!plain.out().is_empty(), "{name}: {}", plain.err());
        let (got, dir) = run(&["--agent=Positions"], &format!("with-{name}"));
        assert_undisturbed(name, &got, &plain);
        assert!(!tops(&got).is_empty(), "{name}: {}", got.err());
        assert!(
            !got.err().contains("rjvm: warning: agent"),
            "{name}: {}",
            got.err()
        );
        assert!(read(&dir, "x.rjp") == read(&plain_dir, "x.rjp"), "{name}");
    }
}

/// The number before ` bytecodes` in the summary.
fn total(outcome: &Outcome) -> u64 {
    let err = outcome.err();
    let line = err.lines().find(|l| l.contains(" bytecodes,"));
    let number = line.and_then(|l| l.split(' ').next()).unwrap_or_default();
    number.replace(',', "").parse().expect("a summary")
}

#[test]
fn reports_add_up_to_the_exact_profile_which_is_the_same_without_an_agent() {
    let profile = ["--profile=exact", "-o", "x.rjp"];
    let (plain, plain_dir) = run("plain", &profile);
    assert_eq!(plain.exit, 7, "{}", plain.err());
    let with =
        |name: &str, more: &[&str]| run(name, &[&profile[..], &["--agent=Sums"], more].concat());
    let (got, dir) = with("sums", &[]);
    assert_undisturbed("Sums", &got, &plain);
    assert_eq!(read(&dir, "x.rjp"), read(&plain_dir, "x.rjp"));
    let err = got.err();
    assert!(err.contains("register main false 5\n"), "{err}");
    assert!(err.contains("register other true 3\n"), "{err}");
    assert!(err.contains(&format!(" sum {}\n", total(&plain))), "{err}");
    assert!(err.contains("Work.main([Ljava/lang/String;)V "), "{err}");
    let (again, _) = with("sums-again", &[]);
    assert_eq!(again.err(), err);
    // exact counting starts by itself
    let (alone, _) = run("sums-alone", &["--agent=Sums"]);
    assert_undisturbed("Sums", &alone, &plain);
    let reported = |text: &str| text[text.find("reports ").unwrap_or(0)..].to_string();
    assert_eq!(reported(&alone.err()), reported(&err));
    if !common::all() {
        return;
    }
    // the mode of the profile does not matter to the agent
    let (sites, _) = run(
        "sums-sites",
        &["--profile=callsites", "--agent=Sums", "--quiet"],
    );
    assert_eq!(reported(&sites.err()), reported(&err));
    let (all, _) = with("sums-all", &["--scope=all"]);
    let sum = format!(" sum {}\n", total(&all));
    assert!(all.err().contains(&sum), "{sum}{}", all.err());
}

/// Samples by method on top of the stack, as `Positions` reports them.
fn tops(outcome: &Outcome) -> BTreeMap<String, u64> {
    let err = outcome.err();
    let lines = err.lines().filter_map(|l| l.strip_prefix("top "));
    lines
        .filter_map(|l| l.rsplit_once(' '))
        .map(|(top, n)| (top.to_string(), n.parse().expect("a number")))
        .collect()
}

#[test]
fn samples_are_where_the_granularity_puts_them() {
    for gran in [500, 101] {
        let option = format!("--sample-gran={gran}");
        let property = format!("-Dgran={gran}");
        let (plain, dir) = run(
            &format!("gran-{gran}"),
            &[&option, "-o", "x.rjp", "--quiet", &property],
        );
        let profile = Profile::read_file(&dir.join("x.rjp")).expect("a profile");
        let mut want = BTreeMap::new();
        for context in profile.contexts() {
            *want.entry(context.method().label()).or_insert(0) += context.bytecodes() / gran;
        }
        want.retain(|_, n| *n > 0);
        let (got, _) = run(&format!("tops-{gran}"), &["--agent=Positions", &property]);
        assert_undisturbed("samples", &got, &plain);
        let got = tops(&got);
        assert!(got.len() > 50, "{}", got.len());
        assert_eq!(got, want, "every {gran}");
    }
}

#[test]
fn the_granularity_may_change_with_each_sample() {
    let options = ["--agent=Positions", "-Dgran=300", "-Dchange=true"];
    let (plain, _) = run("changing-plain", &[]);
    let (got, _) = run("changing", &options);
    assert_undisturbed("changing", &got, &plain);
    assert!(!got.err().contains("AssertionError"), "{}", got.err());
    assert!(tops(&got).contains_key("Work$Late.<clinit>()V"));
    let (again, _) = run("changing-again", &options);
    assert_eq!(again.err(), got.err());
}

#[test]
fn a_class_may_be_both_and_make_identifiers_of_its_own() {
    let (plain, _) = run("both-plain", &[]);
    let (got, _) = run("both", &["--agent=Ids", "-Dorg.jp.MIDFactory=Ids"]);
    assert_undisturbed("both", &got, &plain);
    let err = got.err();
    assert!(err.contains(" samples, fib true\n"), "{err}");
    let options = ["--agent=Ids", "-Dorg.jp.MIDFactory=Ids", "-Drefuse=true"];
    let (refused, _) = run("refused", &options);
    assert_undisturbed("refused", &refused, &plain);
    let reported = refused.err();
    assert!(
        reported.contains("IllegalStateException: fib(I)I\n"),
        "{reported}"
    );
    assert!(
        reported.contains("methods have no identifiers;"),
        "{reported}"
    );
    assert!(!err.contains("AssertionError"), "{err}");
}

#[test]
fn an_agent_that_misbehaves_does_no_harm() {
    let (plain, plain_dir) = run(
        "bad-plain",
        &["--profile=exact", "-o", "x.rjp", "-Dbad=none"],
    );
    let cases = [
        ("none", ""),
        (
            "throw",
            "Exception in thread \"main\" java.lang.IllegalStateException: boom\n",
        ),
        (
            "throw",
            "rjvm: warning: agent: rjvm no longer calls the agent in thread \"main\"\n",
        ),
        ("register", "java.lang.IllegalStateException: no other\n"),
        ("memory", "java.lang.OutOfMemoryError"),
        ("stack", "java.lang.StackOverflowError"),
        ("negative", "-5 is not a granularity"),
        ("zero", "0 is not a granularity"),
        ("exit", "the agent has exited with code 3"),
        ("halt", "the agent has exited with code 4"),
        ("wait", "the agent is deadlocked"),
        ("input", ""),
        ("thread", ""),
        ("clear", ""),
        (
            "deadlock",
            "the agent is deadlocked; the program continues without it\n",
        ),
        ("close", ""),
        ("threadexit", "the agent has exited with code 5"),
        ("threadthrow", "java.lang.IllegalStateException: not mine\n"),
        ("threadmemory", "java.lang.OutOfMemoryError"),
        ("hook", "java.lang.IllegalStateException: hook\n"),
        ("hookwait", "the agent is deadlocked"),
        ("registerexit", "the agent has exited with code 6"),
        ("daemon", ""),
    ];
    for (bad, message) in cases {
        let property = format!("-Dbad={bad}");
        let options = [
            "--profile=exact",
            "-o",
            "x.rjp",
            "-Xmx32m",
            &property,
            "--agent=Bad",
        ];
        let (got, dir) = run(&format!("bad-{bad}"), &options);
        assert_undisturbed(bad, &got, &plain);
        assert!(got.err().contains(message), "{bad}: {}", got.err());
        if bad.len() == 4 {
            // as long a property as the other's: it is part of what the program executes
            assert!(read(&dir, "x.rjp") == read(&plain_dir, "x.rjp"), "{bad}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_call_that_goes_on_for_ever() {
    for bad in ["loop", "sleep"] {
        let mut child = Run::new(&vm(), &format!("agents-{bad:-<20}"))
            .arg("-cp")
            .arg(classes())
            .arg(format!("-Dbad={bad}"))
            .args(["--agent=Bad", "Work"])
            .start();
        let limit = common::run::time_limit();
        assert!(child.wait_for_stdout("looping", limit), "{bad}");
        // SAFETY: a signal to a child that has not been waited for.
        assert_eq!(unsafe { libc::kill(child.id() as i32, libc::SIGINT) }, 0);
        let got = child.finish(limit);
        assert_eq!(got.exit, 130, "{bad}: {}", got.err());
        assert!(got.err().contains("a signal ended a call"), "{}", got.err());
    }
}

/// The modes that keep more in the contexts than counts.
#[test]
fn an_agent_leaves_every_mode_as_it_is() {
    let modes: [&[&str]; 3] = [
        &["--profile=blocks", "--allocations"],
        &[
            "--profile=callsites",
            "--allocations",
            "--sample-gran=999+7",
        ],
        &[
            "--sample-gran=300",
            "--sample-clock=global",
            "--quantum=777",
        ],
    ];
    for (i, mode) in modes.iter().enumerate() {
        let files = ["-o", "x.rjp", "-Dorg.jp.MIDFactory=Ids"];
        let (plain, plain_dir) = run(&format!("mode-{i}"), &[mode, &files[..]].concat());
        let (got, dir) = run(
            &format!("with-{i}"),
            &[mode, &files[..], &["--agent=Ids"]].concat(),
        );
        assert_undisturbed(mode[0], &got, &plain);
        for file in common::files_with_extension(&plain_dir, "rjp") {
            let name = file.file_name().expect("a file").to_string_lossy();
            assert!(
                read(&dir, &name) == read(&plain_dir, &name),
                "{mode:?}: {name}"
            );
        }
    }
}

#[test]
fn an_agent_that_cannot_be_made_is_an_error_before_the_program() {
    for (options, message) in [
        (
            &["--agent=Nowhere"][..],
            "rjvm: error: cannot create the agent Nowhere: it is not on the class path\n",
        ),
        (
            &["--agent=Work"],
            "cannot create the agent Work: it is not a Profiler, SamplingProfiler or EventListener",
        ),
        (
            &["--agent=Bad", "-Dbad=constructor"],
            "java.lang.IllegalStateException: not today",
        ),
        (
            &["--agent-api=no/such/folder/x.jar"],
            "rjvm: error: no/such/folder/x.jar: ",
        ),
    ] {
        let (got, _) = run("unmade", options);
        assert_eq!((got.exit, got.out().as_str()), (1, ""), "{options:?}");
        assert!(got.err().contains(message), "{options:?}: {}", got.err());
    }
}

#[test]
fn the_examples_write_what_the_profiler_knows() {
    let (exact, _) = run("spa-plain", &["--profile=exact", "-Dspa.granularity=9999"]);
    let (got, dir) = run("spa", &["--agent=SPA", "-Dspa.granularity=9999"]);
    assert_undisturbed("SPA", &got, &exact);
    let text = String::from_utf8(read(&dir, "spa.txt")).expect("text");
    let column = |line: &str, n| line.split(' ').nth(n).and_then(|f| f.parse::<u64>().ok());
    let sum: u64 = text.lines().filter_map(|l| column(l, 2)).sum();
    assert_eq!(sum, total(&exact));
    let fibs = text.lines().filter(|l| l.ends_with(" Work.fib(I)I"));
    let calls: u64 = fibs.filter_map(|l| column(l, 1)).sum();
    assert_eq!(calls, 3193 + 465, "calls of fib(16) and fib(12)");

    let (got, dir) = run("sa", &["--agent=SA", "-Dsa.granularity=1000"]);
    assert_undisturbed("SA", &got, &exact);
    let text = String::from_utf8(read(&dir, "sa.folded")).expect("text");
    let count = |l: &str| l.rsplit_once(' ').and_then(|(_, n)| n.parse::<u64>().ok());
    let sum: u64 = text.lines().filter_map(count).sum();
    assert!(
        got.err()
            .contains(&format!("SA: {sum} samples, {}000 bytecodes", sum)),
        "{}",
        got.err()
    );
}
