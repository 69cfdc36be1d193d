//! The launcher: what rjvm prints, and its exit code, are those of `java` for the same command line;
//! input that cannot be run is refused with a clear message.
//!
//! The programs are in `tests/launcher/cli`. `RJVM_TEST_FILTER` selects cases by name.

use crate::common;
use crate::common::run::{Outcome, Run, vm};
use crate::common::same::{self, Case, case, env};
use crate::common::{jdk, work_dir};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

/// What the cases run on: `classes`, `app.jar` with `lib/helper.jar`, `mods/greeting`, a source
/// file, argument files, broken things.
fn fixtures() -> &'static Path {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        let dir = work_dir().join("cli-fixtures");
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(dir.join("lib")).expect("the target directory is writable");
        let source = common::tests_dir().join("launcher/cli");
        let sources = common::files_with_extension(&source, "java");
        let none = dir.join("none");
        let classes = jdk::compile("cli", &sources, &[], &none);
        jdk::copy_tree(&classes, &make_dir(&dir, "classes"));
        let newer = jdk::compile("cli-newer", &[source.join("newer/Version.java")], &[], &none);
        let module = [
            source.join("module/module-info.java"),
            source.join("module/greet/Main.java"),
        ];
        let module = jdk::compile("cli-module", &module, &[], &none);
        jdk::copy_tree(&module, &make_dir(&dir, "mods/greeting"));
        let copy = |from: &Path, to: &str| {
            std::fs::copy(from, dir.join(to)).expect("fixtures can be copied");
        };
        copy(&source.join("Single.java.txt"), "Single.java");
        copy(&classes.join("ClassPath.class"), "ClassPath.class");
        let write = |name: &str, content: &[u8]| {
            std::fs::write(dir.join(name), content).expect("the target directory is writable");
        };
        write(
            "Preview.java",
            b"class Preview {\n    public static void main(String[] args) {\n        Object o = args.length;\n        \
              System.out.println(switch (o) { case Integer i -> new Other().twice(i); default -> 0; });\n    }\n}\n\
              class Other { int twice(int i) { return 2 * i; } }\n",
        );
        write(
            "Inner.java",
            b"class Inner {\n    public static void main(String[] args) {\n        \
              System.out.println(jdk.internal.misc.VM.isBooted());\n    }\n}\n",
        );
        write("source-argfile", b"--source 17 --enable-preview -Dx=1\nPreview.java a");
        write(
            "shebang",
            b"#!/usr/bin/java --source 17\nclass Shebang { public static void main(String[] a) { System.out.println(a.length); } }\n",
        );
        write(
            "manifest",
            b"Main-Class: JarMain\nClass-Path: lib/helper.jar\nAdd-Opens: java.base/java.lang\nMulti-Release: true\n",
        );
        write("no-main", b"Created-By: hand\n");
        let c = classes.to_string_lossy().into_owned();
        let n = newer.to_string_lossy().into_owned();
        jar(&dir, &["--create", "--file", "lib/helper.jar", "-C", &c, "Helper.class"]);
        jar(
            &dir,
            &[
                "--create", "--file", "app.jar", "--manifest", "manifest", "-C", &c, "JarMain.class",
                "-C", &c, "Version.class", "--release", "11", "-C", &n, "Version.class",
            ],
        );
        jar(
            &dir,
            &["--create", "--file", "nomain.jar", "--manifest", "no-main", "-C", &c, "Args.class"],
        );
        write("argfile", b"# a comment\n-Dmy=\"with blank\" -Dother='x\\ty'\n-cp classes\n");
        write("argfile2", b"-cp classes Args one \"two three\" \\\nfour\n");
        let args = std::fs::read(classes.join("Args.class")).expect("it was compiled");
        std::fs::create_dir_all(dir.join("bad")).expect("the target directory is writable");
        write("bad/Args.class", &args[..args.len() / 2]);
        let noise: Vec<u8> = (0..4000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        write("bad/Noise.class", &noise);
        write("bad/noise.jar", &noise);
        let mut magic = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61];
        magic.extend(&noise);
        write("bad/Magic.class", &magic);
        let mut future = args.clone();
        future[6..8].copy_from_slice(&[0, 99]);
        write("bad/Future.class", &future);
        write("bad/Other.class", &args);
        write("bad/empty.jar", b"");
        jar(
            &dir,
            &[
                "--create",
                "--no-manifest",
                "--file",
                "bad/bare.jar",
                "-C",
                &c,
                "Args.class",
            ],
        );
        dir
    })
}

fn make_dir(dir: &Path, name: &str) -> PathBuf {
    let made = dir.join(name);
    std::fs::create_dir_all(&made).expect("the target directory is writable");
    made
}

fn jar(dir: &Path, args: &[&str]) {
    let done = Command::new(jdk::tool("jar"))
        .args(args)
        .current_dir(dir)
        .output();
    let done = done.expect("jar starts");
    assert!(
        done.status.success(),
        "jar {args:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
}

/// Both VMs print the same and end with the same exit code.
#[rustfmt::skip]
const SAME: &[Case] = &[
    case("args", &["-cp", "classes", "Args", "a", "", "b c", "-x", "--", "@argfile", "-Dmy=1"]),
    case("class-path-long", &["--class-path", "classes", "Args"]),
    case("class-path-equals", &["--class-path=classes", "Args"]),
    case("classpath", &["-classpath", "nowhere:classes", "Args"]),
    case("last-cp-wins", &["-cp", "nowhere", "-cp", "classes", "Args"]),
    case("wildcard", &["-cp", "classes:lib/*", "Args"]),
    env("environment-class-path", &[("CLASSPATH", "classes")], &["Args"]),
    case("default-class-path", &["ClassPath"]),
    case("class-path-property-without-value", &["-Djava.class.path", "ClassPath"]),
    case("class-path-property-empty", &["-Djava.class.path=", "ClassPath"]),
    case("class-path-property", &["-Djava.class.path=classes:.", "ClassPath"]),
    env("environment-class-path-empty", &[("CLASSPATH", "")], &["ClassPath"]),
    env("environment-and-property", &[("CLASSPATH", "nowhere")], &["-Djava.class.path=classes", "ClassPath"]),
    env("environment-and-property-without-value", &[("CLASSPATH", "classes")], &["-Djava.class.path", "ClassPath"]),
    env("cp-before-environment", &[("CLASSPATH", "nowhere")], &["-cp", "classes", "Args"]),
    case("properties", &["-Dmy=1=2", "-Dother", "-cp", "classes", "Args"]),
    case("ea", &["-ea", "-cp", "classes", "Args"]),
    case("ea-class", &["-ea:Args", "-cp", "classes", "Args"]),
    case("ea-da", &["-ea", "-da:Args", "-cp", "classes", "Args"]),
    case("ea-package", &["-enableassertions:...", "-cp", "classes", "Args"]),
    case("argfile", &["@argfile", "Args", "x"]),
    case("argfile-with-main", &["@argfile2", "five"]),
    case("argfile-escaped", &["-cp", "classes", "@@argfile", "x"]),
    case("argfile-missing", &["@nothing", "Args"]),
    env("jdk-java-options", &[("JDK_JAVA_OPTIONS", "-Dmy=env '-Dother=a b'")], &["-cp", "classes", "Args", "z"]),
    env("jdk-java-options-argfile", &[("JDK_JAVA_OPTIONS", "@argfile")], &["Args"]),
    env("jdk-java-options-main", &[("JDK_JAVA_OPTIONS", "-cp classes Args")], &[]),
    env("java-tool-options", &[("JAVA_TOOL_OPTIONS", "-Dmy=tool -Dother=t")], &["-Dother=line", "-cp", "classes", "Args"]),
    env("both-options", &[("JAVA_TOOL_OPTIONS", "-Dmy=tool"), ("JDK_JAVA_OPTIONS", "-Dother=jdk")], &["-cp", "classes", "Args"]),
    case("jar", &["-jar", "app.jar", "x", "-y"]),
    case("jar-overrides-cp", &["-cp", "nowhere", "-jar", "app.jar"]),
    case("jar-missing", &["-jar", "nothing.jar"]),
    case("jar-without-main", &["-jar", "nomain.jar"]),
    case("jar-noise", &["-jar", "bad/noise.jar"]),
    case("jar-empty", &["-jar", "bad/empty.jar"]),
    case("jar-directory", &["-jar", "classes"]),
    case("jar-without-manifest", &["-jar", "bad/bare.jar"]),
    case("jar-class-of", &["-cp", "app.jar:lib/helper.jar", "--add-opens", "java.base/java.lang=ALL-UNNAMED", "JarMain"]),
    case("jar-name-missing", &["-cp", "classes", "--dry-run", "Args"]),
    case("dry-run-missing", &["-cp", "classes", "--dry-run", "Nothing"]),
    case("module", &["-p", "mods", "-m", "greeting/greet.Main", "1", "2"]),
    case("module-long", &["--module-path=mods", "--module", "greeting/greet.Main"]),
    case("module-missing", &["-p", "mods", "-m", "nothing/greet.Main"]),
    case("module-class-missing", &["-p", "mods", "-m", "greeting/greet.Nothing"]),
    case("module-without-main", &["-p", "mods", "-m", "greeting"]),
    case("list-modules", &["-p", "mods", "--list-modules"]),
    case("describe-module", &["-p", "mods", "-d", "greeting"]),
    case("describe-java-base", &["--describe-module", "java.logging"]),
    case("add-modules-missing", &["--add-modules", "nothing", "-cp", "classes", "Args"]),
    case("source", &["Single.java", "a", "b"]),
    case("source-missing", &["Nothing.java"]),
    case("class-missing", &["-cp", "classes", "Nothing"]),
    case("class-missing-package", &["-cp", "classes", "no.such.Main"]),
    case("class-with-slashes", &["-cp", "classes", "classes/Args"]),
    case("class-without-main", &["-cp", "classes", "NoMain"]),
    case("main-not-static", &["-cp", "classes", "InstanceMain"]),
    case("main-not-void", &["-cp", "classes", "IntMain"]),
    case("initializer-fails", &["-cp", "classes", "BadInit"]),
    case("wrong-name", &["-cp", "bad", "Other"]),
    case("truncated-class", &["-cp", "bad", "Args"]),
    case("noise-class", &["-cp", "bad", "Noise"]),
    case("magic-then-noise", &["-cp", "bad", "Magic"]),
    case("class-of-the-future", &["-cp", "bad", "Future"]),
    case("exit", &["-cp", "classes", "Ends", "exit"]),
    case("halt", &["-cp", "classes", "Ends", "halt"]),
    case("uncaught", &["-cp", "classes", "Ends", "throw"]),
    case("uncaught-in-thread", &["-cp", "classes", "Ends", "thread"]),
    case("hook", &["-cp", "classes", "Ends", "hook"]),
    case("initializer-error", &["-cp", "classes", "Ends", "static"]),
    case("null-pointer", &["-cp", "classes", "Ends", "npe"]),
    case("null-pointer-plain", &["-XX:-ShowCodeDetailsInExceptionMessages", "-cp", "classes", "Ends", "npe"]),
    case("unknown-option", &["-nonsense", "-cp", "classes", "Args"]),
    case("unknown-long-option", &["--nonsense", "-cp", "classes", "Args"]),
    case("unknown-xx-option", &["-XX:+Nonsense", "-cp", "classes", "Args"]),
    case("unknown-xx-ignored", &["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+Nonsense", "-cp", "classes", "Args"]),
    case("bad-heap", &["-Xmxlots", "-cp", "classes", "Args"]),
    case("bad-stack", &["-Xssmuch", "-cp", "classes", "Args"]),
    case("cp-without-value", &["-cp"]),
    case("cp-before-option", &["-cp", "-version"]),
    case("cp-before-argfile", &["-cp", "@argfile"]),
    case("cp-empty", &["-cp", "", "Args"]),
    case("class-path-equals-nothing", &["--class-path=", "Args"]),
    case("module-empty", &["-m", ""]),
    case("module-equals-nothing", &["--module="]),
    case("module-before-option", &["-p", "mods", "-m", "-version"]),
    case("module-path-empty", &["-p", "", "-cp", "classes", "Args"]),
    case("module-path-equals-nothing", &["--module-path=", "-m", "greeting/greet.Main"]),
    case("add-modules-before-option", &["--add-modules", "-cp", "classes", "Args"]),
    case("add-modules-equals-nothing", &["--add-modules=", "-cp", "classes", "Args"]),
    case("native-access", &["--enable-native-access", "x", "-cp", "classes", "Args"]),
    case("describe-nothing", &["-d", ""]),
    case("validate-modules", &["-p", "mods", "--validate-modules", "-m", "greeting"]),
    case("source-preview", &["--enable-preview", "--source", "17", "Preview.java", "a"]),
    case("source-preview-without-source", &["--enable-preview", "Preview.java"]),
    case("source-preview-old", &["--enable-preview", "--source", "16", "Preview.java"]),
    case("source-without-preview", &["--source", "17", "Preview.java"]),
    case("source-argfile", &["@source-argfile", "b"]),
    case("source-shebang", &["--source", "17", "shebang", "z"]),
    case("source-exports", &["--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "-cp", "classes", "Inner.java"]),
    case("source-no-version", &["--source", "99", "Single.java"]),
    case("source-with-jar", &["--source", "17", "-jar", "app.jar"]),
    case("source-with-module", &["--source=17", "-p", "mods", "-m", "greeting/greet.Main"]),
    case("source-without-file", &["--source", "17"]),
    case("at-sign-alone", &["@"]),
    case("jar-before-option", &["-jar", "-cp"]),
    case("describe-then-wrong", &["-d", "java.base", "-cp"]),
    case("no-heap", &["-Xmx0", "-cp", "classes", "Args"]),
    case("tiny-heap", &["-Xmx1k", "-cp", "classes", "Args"]),
    case("initial-heap-larger", &["-Xms64m", "-Xmx32m", "-cp", "classes", "Args"]),
    case("tiny-stack", &["-Xss1", "-cp", "classes", "Args"]),
    case("verify-what", &["-Xverify:some", "-cp", "classes", "Args"]),
    case("share-what", &["-Xshare:some", "-cp", "classes", "Args"]),
    case("share-off", &["-Xshare:off", "-cp", "classes", "Args"]),
    case("boot-class-path", &["-Xbootclasspath:x", "-cp", "classes", "Args"]),
    case("boot-class-path-before", &["-Xbootclasspath/p:x", "-cp", "classes", "Args"]),
    case("verbose-what", &["-verbose:what", "-cp", "classes", "Args"]),
    case("old-debug-options", &["-Xdebug", "-Xnoagent", "-cp", "classes", "Args"]),
    case("xx-value-with-sign", &["-XX:+MaxHeapSize", "-cp", "classes", "Args"]),
    case("xx-switch-without-sign", &["-XX:UseSerialGC", "-cp", "classes", "Args"]),
    case("xx-switch-with-value", &["-XX:+UseSerialGC=1", "-cp", "classes", "Args"]),
    case("xx-value-without-value", &["-XX:NewRatio", "-cp", "classes", "Args"]),
    case("xx-accepted", &["-XX:+UseSerialGC", "-XX:MaxInlineLevel=3", "-XX:LoopUnrollLimit=1", "-cp", "classes", "Args"]),
    case("module-without-value", &["-m"]),
    case("heap", &["-Xmx64m", "-Xms16m", "-Xss1m", "-Xint", "-cp", "classes", "Args"]),
    case("verify", &["-Xverify:all", "-cp", "classes", "Args"]),
];

#[test]
fn command_lines_behave_as_with_java() {
    same::check("cli", fixtures(), SAME);
}

fn rjvm(name: &str, args: &[&str]) -> Outcome {
    Run::new(&vm(), &format!("cli-own-{name}"))
        .current_dir(fixtures())
        .args(args)
        .finish()
}

/// A refusal: exit code 1, nothing on stdout, a message with these words, no panic.
fn refused(name: &str, got: &Outcome, words: &[&str]) {
    let err = got.err();
    assert_eq!(got.exit, 1, "{name}: {err}");
    assert_eq!(got.out(), "", "{name}");
    for word in words {
        assert!(err.contains(word), "{name}: no `{word}` in: {err}");
    }
    assert!(!err.contains("panicked"), "{name}: {err}");
}

#[test]
fn mistyped_words_get_suggestions() {
    for (args, exit, line) in [
        (
            &["--profil=exact", "Args"][..],
            1,
            "Did you mean '--profile=exact|callsites|blocks|locks'?",
        ),
        (
            &["--sample-grain=10", "Args"],
            1,
            "Did you mean '--sample-gran=N[+r]'?",
        ),
        (
            &["-XX:+UseSerialG", "Args"],
            1,
            "Did you mean '(+/-)UseSerialGC'? Error: Could not create the Java Virtual Machine.",
        ),
        (
            &["-XX:MaxHeapSiz=1g", "Args"],
            1,
            "Did you mean 'MaxHeapSize=<value>'? Error: Could not create the Java Virtual Machine.",
        ),
        (
            &["profil", "x"],
            1,
            "rjvm: note: did you mean the command `rjvm profile`?",
        ),
        (
            &["profile", "tpo", "x.rjp"],
            2,
            "  tip: a similar subcommand exists: 'top'",
        ),
        (
            &["profile", "tre", "x.rjp"],
            2,
            "  tip: a similar subcommand exists: 'tree'",
        ),
        (
            &["profile", "top", "--jso", "x.rjp"],
            2,
            "  tip: a similar argument exists: '--json'",
        ),
        (
            &["dis", "--hel"],
            2,
            "  tip: a similar argument exists: '--help'",
        ),
    ] {
        let got = rjvm("mistyped", args);
        assert_eq!((got.exit, got.out().as_str()), (exit, ""), "{args:?}");
        assert!(
            got.err().lines().any(|l| l == line),
            "{args:?}: {}",
            got.err()
        );
    }
    // a class of that name is no mistake
    let named = ["-cp", "classes", "Args", "profil"];
    assert!(!rjvm("not-mistyped", &named).err().contains("note"));
    for args in [&["dis"][..], &["profile"], &["profile", "top"]] {
        let got = rjvm("incomplete", args);
        assert_eq!((got.exit, got.out().as_str()), (2, ""), "{args:?}");
        assert!(
            got.err().contains("Usage: rjvm "),
            "{args:?}: {}",
            got.err()
        );
    }
}

#[test]
fn help_and_version_are_commands_too() {
    for (words, option) in [
        (&["help"][..], &["--help"][..]),
        (&["version"], &["--version"]),
        (&["help", "bisect"], &["bisect", "--help"]),
    ] {
        let (command, option) = (rjvm("word", words), rjvm("option", option));
        assert_eq!((command.exit, command.err().as_str()), (0, ""), "{words:?}");
        assert_eq!(command.out(), option.out(), "{words:?}");
    }
}

#[test]
fn versions_go_to_their_streams() {
    let old = rjvm("version", &["-version"]);
    assert_eq!((old.exit, old.out().as_str()), (0, ""));
    assert!(
        old.err().starts_with("openjdk version \"17"),
        "{}",
        old.err()
    );
    let new = rjvm("version-out", &["--version"]);
    assert_eq!((new.exit, new.err().as_str()), (0, ""));
    assert!(new.out().starts_with("openjdk 17"), "{}", new.out());
    let shown = rjvm("showversion", &["-showversion", "-cp", "classes", "Args"]);
    assert!(shown.err().contains("version") && shown.out().contains("assertions"));
}

#[test]
fn help_fits_on_a_screen() {
    let help = rjvm("short-help", &["--help"]).out();
    assert!(help.lines().count() <= 50, "{}", help.lines().count());
    assert!(help.lines().all(|l| l.len() <= 80), "{help}");
    for command in ["profile", "dis", "java-home", "completion", "man"] {
        assert!(
            help.contains(&format!("\n           {command} ")),
            "{command}: {help}"
        );
    }
}

#[test]
fn help_goes_to_its_stream() {
    for (args, out) in [
        ("-h", false),
        ("-help", false),
        ("-?", false),
        ("--help", true),
        ("--help-all", true),
        ("-X", false),
        ("--help-extra", true),
    ] {
        let got = rjvm("help", &[args]);
        let (shown, silent) = if out {
            (got.out(), got.err())
        } else {
            (got.err(), got.out())
        };
        assert_eq!(got.exit, 0, "{args}");
        assert!(shown.contains("-X"), "{args}: {shown}");
        assert_eq!(silent, "", "{args}");
    }
    let nothing = rjvm("nothing", &[]);
    assert_eq!(nothing.exit, 1);
    assert!(nothing.err().contains("Usage:"), "{}", nothing.err());
}

#[test]
fn out_of_memory_can_end_the_vm() {
    let got = rjvm(
        "oom-exit",
        &[
            "-Xmx32m",
            "-XX:+ExitOnOutOfMemoryError",
            "-cp",
            "classes",
            "Ends",
            "oom",
        ],
    );
    assert_eq!(got.exit, 3, "{}", got.err());
    assert!(
        got.err()
            .contains("Terminating due to java.lang.OutOfMemoryError: Java heap space"),
        "{}",
        got.err()
    );
    let got = rjvm("oom", &["-Xmx32m", "-cp", "classes", "Ends", "oom"]);
    assert_eq!(got.exit, 1);
    assert!(
        got.err()
            .contains("java.lang.OutOfMemoryError: Java heap space"),
        "{}",
        got.err()
    );
}

#[cfg(unix)]
#[test]
fn signals_run_hooks_and_give_their_exit_code() {
    for (name, signal, exit) in [
        ("INT", libc::SIGINT, 130),
        ("TERM", libc::SIGTERM, 143),
        ("HUP", libc::SIGHUP, 129),
    ] {
        let mut running = Run::new(&vm(), &format!("cli-own-{name}"))
            .current_dir(fixtures())
            .args(["-cp", "classes", "Ends", "wait"])
            .start();
        assert!(
            running.wait_for_stdout("ready", Duration::from_secs(60)),
            "{name}"
        );
        // SAFETY: signals a child that has not been waited for.
        unsafe { libc::kill(running.id() as i32, signal) };
        let got = running.finish(Duration::from_secs(60));
        assert_eq!(
            (got.exit, got.out().as_str()),
            (exit, "ready\nhook\n"),
            "{name}: {}",
            got.err()
        );
    }
}

#[cfg(unix)]
#[test]
fn sigquit_dumps_the_threads_and_the_program_goes_on() {
    let mut running = Run::new(&vm(), "cli-own-quit")
        .current_dir(fixtures())
        .args(["-cp", "classes", "Ends", "wait"])
        .start();
    assert!(running.wait_for_stdout("ready", Duration::from_secs(60)));
    // SAFETY: as above.
    unsafe { libc::kill(running.id() as i32, libc::SIGQUIT) };
    assert!(running.wait_for_stdout("Ends.main(Ends.java", Duration::from_secs(60)));
    assert!(running.stdout_so_far().contains("Full thread dump"));
    // SAFETY: as above.
    unsafe { libc::kill(running.id() as i32, libc::SIGTERM) };
    assert_eq!(running.finish(Duration::from_secs(60)).exit, 143);
}

#[test]
fn unusable_jdks_are_refused() {
    let dir = fixtures();
    let home = |name: &str, release: Option<&str>, modules: Option<&[u8]>| {
        let home = make_dir(dir, name);
        make_dir(&home, "lib");
        if let Some(text) = release {
            std::fs::write(home.join("release"), text).expect("the target directory is writable");
        }
        if let Some(bytes) = modules {
            std::fs::write(home.join("lib/modules"), bytes)
                .expect("the target directory is writable");
        }
        format!("--java-home={}", home.display())
    };
    let old = home("jdk11", Some("JAVA_VERSION=\"11.0.2\"\n"), Some(b"x"));
    refused(
        "old JDK",
        &rjvm("jdk11", &[&old, "-cp", "classes", "Args"]),
        &["rjvm: error: ", "11", "17"],
    );
    let none = home("jdk-empty", None, None);
    refused(
        "no JDK",
        &rjvm("jdk-empty", &[&none, "-cp", "classes", "Args"]),
        &["rjvm: error: "],
    );
    let noise: Vec<u8> = (0..100_000u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 9) as u8)
        .collect();
    let broken = home(
        "jdk-broken",
        Some("JAVA_VERSION=\"17.0.1\"\n"),
        Some(&noise),
    );
    refused(
        "broken modules",
        &rjvm("jdk-broken", &[&broken, "-cp", "classes", "Args"]),
        &["rjvm: error: ", "modules"],
    );
    let short = home("jdk-short", Some("JAVA_VERSION=\"17.0.1\"\n"), Some(b""));
    refused(
        "empty modules",
        &rjvm("jdk-short", &[&short, "-cp", "classes", "Args"]),
        &["rjvm: error: ", "modules"],
    );
    // cut in the middle: the header is right, the rest is missing
    let real = std::fs::read(jdk::java_home().join("lib/modules")).expect("the JDK has modules");
    let cut = home(
        "jdk-cut",
        Some("JAVA_VERSION=\"17.0.1\"\n"),
        Some(&real[..200_000]),
    );
    refused(
        "cut modules",
        &rjvm("jdk-cut", &[&cut, "-cp", "classes", "Args"]),
        &["rjvm: error: "],
    );
}

#[test]
fn own_options_that_make_no_sense_are_refused() {
    for args in [
        ["--profile=nonsense", "Args"],
        ["--sample-gran=0", "Args"],
        ["-o", "x.unknown"],
        ["--java-home=", "Args"],
    ] {
        refused(args[0], &rjvm("own", &args), &["rjvm: error: "]);
    }
}

#[test]
fn the_class_library_s_own_random_numbers_follow_the_seed() {
    let with = |name: &str, seed: &str| rjvm(name, &[seed, "-cp", "classes", "Chance"]).stdout;
    let first = with("chance-1", "--seed=1");
    assert_eq!(first, with("chance-2", "--seed=1"));
    assert_ne!(first, with("chance-3", "--seed=2"));
    assert!(String::from_utf8_lossy(&first).ends_with("true\n"));
}

#[cfg(unix)]
#[test]
fn unreadable_files_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let dir = fixtures();
    let file = dir.join("unreadable.jar");
    std::fs::copy(dir.join("app.jar"), &file).expect("the target directory is writable");
    let _ = std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o0));
    if std::fs::read(&file).is_ok() {
        return; // root reads everything
    }
    refused(
        "jar",
        &rjvm("unreadable", &["-jar", "unreadable.jar"]),
        &["Error: Unable to access jarfile unreadable.jar"],
    );
}
