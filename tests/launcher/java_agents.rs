//! Java agents: what `-javaagent`, `Launcher-Agent-Class`, `-agentlib` and attaching print and return is what `java` of the same
//! JDK prints and returns, on each supported JDK that is installed; runs with an agent are the same each time.
//!
//! The agents are classes of `tests/launcher/instrument/Agents.java`, in jars that are made here.
#![cfg(unix)]

use crate::common::run::{Outcome, Run, vm};
use crate::common::{self, jdk, tests_dir, work_dir};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A folder with the classes and jars.
fn folder() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let java = tests_dir().join("java/instrument");
        let sources = [
            tests_dir().join("launcher/instrument/Agents.java"),
            java.join("Redefine.java"),
            java.join("Transform.java"),
            java.join("Storm.java"),
            java.join("lib/OwnAgent.java"),
        ];
        let classes = jdk::compile(
            "java-agents",
            &sources,
            &[],
            &tests_dir().join("launcher/instrument/none"),
        );
        let dir = work_dir().join("java-agents-jars");
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(dir.join("main")).expect("the target directory is writable");
        std::fs::copy(classes.join("Agents.class"), dir.join("main/Agents.class"))
            .expect("compiled");
        let all = "Can-Redefine-Classes: true\nCan-Retransform-Classes: true\n";
        jar(
            &dir,
            &classes,
            "both",
            &format!("Premain-Class: Both\nAgent-Class: Both\n{all}"),
            &["Both"],
        );
        jar(&dir, &classes, "one", "Premain-Class: One\n", &["One"]);
        jar(&dir, &classes, "plain", "Agent-Class: Both\n", &["Both"]);
        jar(&dir, &classes, "missing", "Premain-Class: Missing\n", &[]);
        jar(
            &dir,
            &classes,
            "hidden",
            "Premain-Class: Hidden\n",
            &["Hidden"],
        );
        jar(
            &dir,
            &classes,
            "without",
            "Premain-Class: Without\n",
            &["Without"],
        );
        let boot = "Premain-Class: Booted\nBoot-Class-Path: o%6ee.jar\n";
        jar(&dir, &classes, "boot", boot, &["Booted"]);
        let launched = "Main-Class: Launched\nLauncher-Agent-Class: Launched\n";
        jar(&dir, &classes, "launched", launched, &["Launched"]);
        std::fs::write(dir.join("bad.jar"), "no jar").expect("written");
        std::fs::write(
            dir.join("args"),
            "-javaagent:both.jar=file\n-cp main Agents\n",
        )
        .expect("written");
        dir
    })
}

fn jar(dir: &Path, classes: &Path, name: &str, manifest: &str, content: &[&str]) {
    let text = dir.join("manifest");
    std::fs::write(&text, manifest).expect("written");
    let mut jar = Command::new(jdk::tool("jar"));
    jar.arg("cfm")
        .arg(dir.join(format!("{name}.jar")))
        .arg(&text);
    for class in content {
        jar.arg("-C").arg(classes).arg(format!("{class}.class"));
    }
    if content.is_empty() {
        jar.arg("-C").arg(dir).arg("manifest");
    }
    assert!(jar.status().expect("jar starts").success(), "{name}");
}

fn start(vm: &Path, options: &[String], args: &[&str], name: &str) -> Outcome {
    let run = Run::new(vm, name)
        .args(options)
        .args(args.iter().map(|a| a.to_string()));
    run.current_dir(folder()).finish()
}

/// The compared output: without messages of C code, and without reports of a crash.
fn seen(outcome: &Outcome) -> (i32, String, String) {
    let text = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let own = [
            "#",
            "V  [",
            "C  [",
            "Native frames",
            "*** java.lang.instrument",
            "Picked up",
            "NOTE: Picked",
        ];
        let lines = text.lines();
        let kept = lines.filter(|l| !l.is_empty() && !own.iter().any(|o| l.starts_with(o)));
        kept.collect::<Vec<_>>().join("\n")
    };
    let code = outcome.exit;
    (code, text(&outcome.stdout), text(&outcome.stderr))
}

#[test]
fn agents_of_the_command_line_print_and_return_what_they_do_with_java() {
    let cases: &[&[&str]] = &[
        &["-javaagent:both.jar", "-cp", "main", "Agents", "a"],
        &[
            "-javaagent:both.jar=x=1,y",
            "-javaagent:one.jar=",
            "-cp",
            "main",
            "Agents",
        ],
        &["-javaagent:nowhere.jar", "-cp", "main", "Agents"],
        &["-javaagent:bad.jar", "-cp", "main", "Agents"],
        &["-javaagent:plain.jar", "-cp", "main", "Agents"],
        &["-javaagent:missing.jar", "-cp", "main", "Agents"],
        &["-javaagent:hidden.jar", "-cp", "main", "Agents"],
        &["-javaagent:without.jar", "-cp", "main", "Agents"],
        &["-javaagent:both.jar=throw", "-cp", "main", "Agents"],
        &["-javaagent:both.jar=exit", "-cp", "main", "Agents"],
        &["-javaagent:both.jar=upper", "-cp", "main", "Agents"],
        &["-javaagent:boot.jar", "-cp", "main", "Agents"],
        &["-javaagent:both.jar", "-cp", "main", "Nowhere"],
        &[
            "-agentlib:nowhere=1",
            "-javaagent:nowhere.jar",
            "-cp",
            "main",
            "Agents",
        ],
        &["-agentpath:/nowhere/libx.so", "-cp", "main", "Agents"],
        &["@args"],
        &["-jar", "launched.jar"],
        &["-Dthrow=1", "-jar", "launched.jar"],
    ];
    for jdk in jdk::supported() {
        let home = format!("--java-home={}", jdk.home().display());
        for (i, args) in cases.iter().enumerate() {
            let name = |vm: &str| format!("agents-{vm}-{}-{i}", jdk.feature());
            let want = start(&jdk.home().join("bin/java"), &[], args, &name("java"));
            let got = start(&vm(), std::slice::from_ref(&home), args, &name("rjvm"));
            assert_eq!(seen(&got), seen(&want), "JDK {}: {args:?}", jdk.feature());
        }
    }
}

/// The programs of `tests/java/instrument` on later JDKs, with class files of 17.
#[test]
fn classes_are_transformed_and_redefined_alike_on_later_jdks() {
    let classes = {
        folder();
        work_dir().join("java-agents")
    };
    let options = [
        "-Djdk.attach.allowAttachSelf=true",
        "-XX:+EnableDynamicAgentLoading",
        "-Xshare:off",
        "-Drounds=300",
    ];
    for jdk in jdk::newer() {
        for program in ["Redefine", "Transform", "Storm"] {
            let mut args: Vec<&str> = options.to_vec();
            let path = classes.display().to_string();
            args.extend(["-cp", &path, program]);
            let name = |vm: &str| format!("agents-{vm}-{}-{program}", jdk.feature());
            let want = start(&jdk.home().join("bin/java"), &[], &args, &name("java"));
            let home = format!("--java-home={}", jdk.home().display());
            let got = start(&vm(), &[home], &args, &name("rjvm"));
            assert_eq!(seen(&got), seen(&want), "JDK {}: {program}", jdk.feature());
        }
    }
}

/// Thousands of bodies of one class, and some with a collection at every allocation.
#[test]
fn thousands_of_bodies_are_each_seen_by_calls_and_not_by_older_frames() {
    folder();
    let classes = work_dir().join("java-agents").display().to_string();
    let (rounds, sum) = match common::all() {
        true => (10_000u64, 10_000_051_075_000u64),
        false => (2_000, 2_000_002_055_000),
    };
    for (rounds, more, sum) in [(rounds, None, sum), (100, Some("--gc-stress"), 0)] {
        let rounds_option = format!("-Drounds={rounds}");
        let mut options: Vec<String> =
            vec!["-Djdk.attach.allowAttachSelf=true".into(), rounds_option];
        options.extend(more.map(str::to_owned));
        let args = ["-cp", &classes, "Storm"];
        let got = start(&vm(), &options, &args, &format!("agents-storm-{rounds}"));
        let out = String::from_utf8_lossy(&got.stdout).into_owned();
        let says = match sum {
            0 => format!("{rounds} rounds, sum "),
            sum => format!("{rounds} rounds, sum {sum}, "),
        };
        assert!(
            got.exit == 0 && out.starts_with(&says),
            "{out}{}",
            String::from_utf8_lossy(&got.stderr)
        );
    }
}

#[test]
fn a_deterministic_run_with_an_agent_has_one_profile_that_shows_the_agent() {
    let dir = folder();
    let mut all = Vec::new();
    for i in 0..if common::all() { 5 } else { 2 } {
        let profile = dir.join(format!("deterministic{i}.paths"));
        let options = [
            "--deterministic",
            "--profile=exact",
            "--scope=all",
            "--no-prune",
            "-o",
        ]
        .map(str::to_owned);
        let options = [&options[..], &[profile.display().to_string()]].concat();
        let args = ["-javaagent:both.jar=upper", "-cp", "main", "Agents"];
        let got = start(&vm(), &options, &args, &format!("agents-deterministic-{i}"));
        assert_eq!(got.exit, 0, "{}", String::from_utf8_lossy(&got.stderr));
        all.push((
            got.stdout,
            std::fs::read_to_string(profile).expect("a profile"),
        ));
    }
    assert!(all.iter().all(|run| *run == all[0]), "runs differ");
    for method in ["Both.premain", "Both.transform"] {
        assert!(all[0].1.contains(method), "{method} is in no context");
    }
}

/// The new method calls others, which have contexts below it; a native method's context has no room for links to them.
#[test]
fn a_method_around_a_native_one_counts_in_contexts_of_its_own() {
    let java = tests_dir().join("java/instrument");
    let exports = "--add-exports=java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED";
    let classes = jdk::compile(
        "java-agents-wrap",
        &[java.join("Wrap.java"), java.join("lib/OwnAgent.java")],
        &[exports],
        &tests_dir().join("launcher/instrument/none"),
    );
    let profile = folder().join("wrap.paths").display().to_string();
    let options = [
        "--profile=exact",
        "--no-prune",
        "-o",
        &profile,
        exports,
        "-Djdk.attach.allowAttachSelf=true",
        "-XX:+AllowRedefinitionToAddDeleteMethods",
    ]
    .map(str::to_owned);
    let args = ["-cp", &classes.display().to_string(), "Wrap"];
    let got = start(&vm(), &options, &args, "agents-wrap");
    assert_eq!(got.exit, 0, "{}", String::from_utf8_lossy(&got.stderr));
    let paths = std::fs::read_to_string(profile).expect("a profile");
    let around = "Wrap.main([Ljava/lang/String;)V;Wrap.held(Ljava/lang/Object;I)I;java.lang.Thread.holdsLock(Ljava/lang/Object;)Z";
    // the native method, and the one around it with its 15 bytecodes
    for line in [
        format!("{around}\t100\t0"),
        format!("{around}\t1100\t16500"),
        format!("{around};java.lang.Integer.signum(I)I\t1100\t9900"),
        format!("{around};java.lang.Thread.wrapped_holdsLock(Ljava/lang/Object;)Z\t1100\t0"),
    ] {
        assert!(paths.lines().any(|l| l == line), "{line} is missing");
    }
}
