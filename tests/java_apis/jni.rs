//! Native methods of programs (`tests/native/jni`): C code does through JNI, and Java code sees of it, the same as on HotSpot.
//!
//! All C files make one library; each `NAME.java` with a `NAME.out` is a program. `BLESS=1` runs HotSpot and writes
//! the golden files. Without a C compiler, or headers of JNI in the JDK, nothing is checked.

use crate::common::run::{Outcome, Run};
use crate::common::{self, cc, files_with_extension, golden, jdk, run, stem, tests_dir, work_dir};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Programs for each JDK.
const PROGRAMS: [&str; 6] = ["Calls", "Data", "World", "Threads", "Attached", "Waiting"];

fn room() -> PathBuf {
    tests_dir().join("native/jni")
}

/// The folder with the library, made once; `None` if that cannot be done here.
fn library() -> Option<&'static Path> {
    static LIBRARY: OnceLock<Option<PathBuf>> = OnceLock::new();
    LIBRARY.get_or_init(make_library).as_deref()
}

fn make_library() -> Option<PathBuf> {
    let include = jdk::java_home().join("include");
    if !include.join("jni.h").is_file() {
        common::not_checked("the JDK has no headers of JNI");
        return None;
    }
    let to = work_dir().join("jni");
    std::fs::create_dir_all(&to).expect("the target directory is writable");
    let mut command = cc::cc();
    command
        .args(["-g0", "-shared", "-fPIC"])
        .args(files_with_extension(&room(), "c"))
        .arg("-o")
        .arg(to.join("libjnisuite.so"));
    cc::compiles(command).then_some(to)
}

fn classes() -> PathBuf {
    let mut sources = files_with_extension(&room(), "java");
    sources.retain(|s| !["Virtual", "Wrapped"].contains(&&*stem(s)));
    jdk::compile("jni-classes", &sources, &[], Path::new(""))
}

fn run_on(vm: &Path, options: &[String], class: &str, classes: &Path, name: &str) -> Outcome {
    let library = library().expect("it has been made");
    let run = Run::new(vm, name);
    let tmp = run.tmpdir_option();
    run.args(options)
        .arg(format!("-Djava.library.path={}", library.display()))
        .arg(tmp)
        .arg("-cp")
        .arg(classes)
        .arg(class)
        .finish()
}

/// A program on rjvm, with options.
fn ours(class: &str, options: &[&str], name: &str) -> Outcome {
    let mut all = run::extra_args();
    all.extend(options.iter().map(|o| o.to_string()));
    run_on(
        &run::vm(),
        &all,
        class,
        &classes(),
        &format!("jni-{name}-{class}"),
    )
}

fn check(class: &str, options: &[&str], name: &str) -> Result<(), String> {
    golden::compare(
        &room().join(format!("{class}.java")),
        &ours(class, options, name),
    )
}

#[test]
fn native_methods_do_what_they_do_on_hotspot() {
    if library().is_none() {
        return;
    }
    if common::switch("BLESS") {
        for class in PROGRAMS {
            let got = run_on(&jdk::tool("java"), &[], class, &classes(), "jni-bless");
            golden::bless(&room().join(format!("{class}.java")), &got);
        }
        return;
    }
    let results = common::in_parallel(&PROGRAMS, |class| {
        (format!("jni/{class}"), check(class, &[], "plain"))
    });
    golden::report("programs with native methods", &results);
}

#[test]
fn and_on_newer_jdks() {
    if library().is_none() {
        return;
    }
    let jdks = jdk::newer();
    if jdks.is_empty() {
        common::not_checked("no JDK after 17 is installed");
    }
    // what later JDKs warn of is not what native code does
    let quiet = "--enable-native-access=ALL-UNNAMED";
    for jdk in jdks {
        let home = format!("--java-home={}", jdk.home().display());
        let options = [home.as_str(), quiet];
        let name = jdk.feature().to_string();
        let results = common::in_parallel(&PROGRAMS, |class| {
            let what = format!("jni/{class} on {name}");
            (what, check(class, &options, &name))
        });
        golden::report("programs with native methods", &results);
    }
}

#[test]
fn virtual_threads_call_native_code_that_calls_them() {
    let Some(jdk) = jdk::newer().pop() else {
        common::not_checked("no JDK after 17 is installed");
        return;
    };
    let javac = jdk.home().join("bin/javac");
    if library().is_none() || !javac.is_file() {
        common::not_checked("no newer javac, or no C compiler");
        return;
    }
    let to = work_dir().join("jni-virtual");
    std::fs::create_dir_all(&to).expect("the target directory is writable");
    let made = Command::new(javac)
        .args(["--release", "21", "-cp"])
        .arg(classes())
        .arg("-d")
        .arg(&to)
        .arg(room().join("Virtual.java"))
        .output()
        .expect("javac starts");
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    let path = std::env::join_paths([to, classes()]).expect("a class path");
    for jdk in jdk::newer() {
        let options = [
            format!("--java-home={}", jdk.home().display()),
            "--enable-native-access=ALL-UNNAMED".to_string(),
        ];
        let got = run_on(
            &run::vm(),
            &options,
            "Virtual",
            path.as_ref(),
            "jni-virtual",
        );
        assert_eq!(got.out(), "5000000 false true false\n", "{}", got.err());
    }
}

#[test]
fn objects_move_under_native_code() {
    if library().is_none() {
        return;
    }
    let programs = ["Calls", "Data", "World"];
    let results = common::in_parallel(&programs, |class| {
        (
            format!("jni/{class} under GC stress"),
            check(class, &["--gc-stress"], "stress"),
        )
    });
    golden::report("programs with native methods", &results);
}

#[test]
fn profiles_show_what_native_methods_call() {
    if library().is_none() {
        return;
    }
    let profile = work_dir().join("jni-profile.paths");
    let profile = profile.display().to_string();
    let options = ["--profile=exact", "--quiet", "-o", &profile];
    let got = ours("Threads", &options, "profile");
    assert_eq!(got.out(), "4995000\n", "{}", got.err());
    let text = std::fs::read_to_string(&profile).expect("a profile");
    let native = "World.upcalls(Ljava/util/function/IntUnaryOperator;I)I";
    let of = |end: &str| {
        let line = text
            .lines()
            .find(|l| l.split('\t').next().is_some_and(|p| p.ends_with(end)));
        let line = line.unwrap_or_else(|| panic!("no path ends with {end}"));
        line.split('\t')
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(of(native), ["1000", "0"], "calls, and bytecodes of its own");
    let below = format!("{native};Threads$$Lambda.applyAsInt(I)I");
    assert_eq!(of(&below)[0], "5000", "five calls of Java by each");
}

#[test]
fn native_code_that_ends_the_vm_is_reported_and_profiled() {
    if library().is_none() {
        return;
    }
    let message = [
        "FATAL ERROR in native method: no way on",
        "FATAL ERROR in native method: Bad global or local ref passed to JNI",
        "SIGSEGV",
        "SIGSEGV",
        "SIGSEGV",
    ];
    let stack = "\tat Misuse.end(Native Method)\n\tat Misuse.main(Misuse.java:8)\n";
    for (how, message) in message.iter().enumerate() {
        let profile = work_dir().join(format!("jni-end-{how}.paths"));
        let _ = std::fs::remove_file(&profile);
        let mut options = run::extra_args();
        options.extend(["--profile=exact", "--quiet", "-o"].map(str::to_owned));
        options.push(profile.display().to_string());
        options.push(format!("-Dhow={how}"));
        let name = format!("jni-end-{how}");
        let got = run_on(&run::vm(), &options, "Misuse", &classes(), &name);
        let (out, text) = (got.out(), std::fs::read_to_string(&profile));
        assert_eq!(got.exit, 134, "{how}: {out}{}", got.err());
        assert_eq!(out.matches(message).count(), 1, "{how}: {out}");
        assert!(
            out.starts_with("before\n") && out.ends_with(stack),
            "{how}: {out}"
        );
        assert!(out.contains("Java_Misuse_end+") || how < 3, "{how}: {out}");
        assert!(text.expect("a profile").contains("Misuse.end(I)V"), "{how}");
    }
}

#[test]
fn natives_of_the_class_library_are_not_replaced_in_silence() {
    let Some(library) = library() else {
        return;
    };
    let got = ours("Platform", &[], "platform");
    let (out, text) = (
        got.out(),
        "][jni,resolve] Re-registering of platform native method: \
         java.lang.Runtime.availableProcessors()I from code in a different classloader\n",
    );
    assert!(out.ends_with(text) && out.lines().count() == 1, "{out}");
    let boot = format!("-Xbootclasspath/a:{}", classes().display());
    let path = format!("-Dsun.boot.library.path={}", library.display());
    let got = ours("Platform", &[&boot, &path], "platform-boot");
    assert_eq!(got.out(), "", "{}", got.err());
    assert_eq!(got.exit, 0, "{}", got.err());
}

#[test]
fn functions_are_found_behind_prefixes_of_agents() {
    let Some(library) = library() else {
        return;
    };
    let agent = tests_dir().join("java/instrument/lib/OwnAgent.java");
    let sources = [room().join("Wrapped.java"), agent];
    let classes = jdk::compile("jni-wrapped", &sources, &[], Path::new(""));
    let got = Run::new(&run::vm(), "jni-wrapped")
        .args([
            "-Djdk.attach.allowAttachSelf=true",
            "-XX:+AllowRedefinitionToAddDeleteMethods",
        ])
        .arg(format!("-Djava.library.path={}", library.display()))
        .arg("-cp")
        .arg(classes)
        .arg("Wrapped")
        .finish();
    // as of HotSpot
    assert_eq!(got.out(), "2\n30\n", "{}", got.err());
}

/// What `-Xcheck:jni` ends the VM for, by the number of the case in `checked.c`; `NULL` is `null` from JDK 21 on. Case 2 and 23 pass
/// HotSpot's checks, which are laxer there: it compares the offsets of fields, and does not see each write before a copy.
const ENDS: [(u32, &str); 37] = [
    (0, "Static field ID passed to JNI"),
    (1, "Non-static field ID passed to JNI"),
    (2, "Wrong field ID passed to JNI"),
    (
        3,
        "Field type (instance) mismatch in JNI get/set field operations",
    ),
    (
        4,
        "Field type (static) mismatch in JNI get/set field operations",
    ),
    (5, "Wrong static field ID passed to JNI"),
    (6, "Null object passed to JNI"),
    (
        7,
        "Field type (instance) mismatch in JNI get/set field operations",
    ),
    (8, "Non-array passed to JNI array operations"),
    (9, "Array element type mismatch in JNI"),
    (
        10,
        "Primitive type array expected but not received for JNI array operation",
    ),
    (
        11,
        "Object array expected but not received for JNI array operation",
    ),
    (12, "JNI string operation received a non-string"),
    (13, "JNI received a class argument that is not a class"),
    (14, "Bad global or local ref passed to JNI"),
    (
        15,
        "JNI Throw or ThrowNew received a class argument that is not a Throwable or Throwable subclass",
    ),
    (
        16,
        "JNI Throw or ThrowNew received a class argument that is not a Throwable or Throwable subclass",
    ),
    (17, "Bad global or local ref passed to JNI"),
    (18, "Invalid local JNI handle passed to DeleteLocalRef"),
    (19, "Invalid global JNI handle passed to DeleteGlobalRef"),
    (20, "negative capacity"),
    (21, "negative capacity"),
    (
        22,
        "checked_jni_ReleaseByteArrayElements: failed bounds check",
    ),
    (
        23,
        "checked_jni_ReleaseByteArrayElements: failed bounds check",
    ),
    (24, "Elements vector NULL"),
    (25, "Unrecognized array release mode"),
    (
        26,
        "ReleaseStringUTFChars: release chars failed bounds check.",
    ),
    (27, "ReleaseStringChars: release chars failed bounds check."),
    (
        28,
        "ReleaseStringUTFChars called on something not allocated by GetStringUTFChars",
    ),
    (
        29,
        "ReleaseStringChars called on something not allocated by GetStringChars",
    ),
    (30, "ReleasePrimitiveArrayCritical: failed bounds check"),
    (33, "JNI received a class argument that is not a class"),
    (34, "Bad global or local ref passed to JNI"),
    (
        35,
        "Invalid weak global JNI handle passed to DeleteWeakGlobalRef",
    ),
    (
        36,
        "Primitive type array expected but not received for JNI array operation",
    ),
    (37, "Wrong static field ID passed to JNI"),
    (
        38,
        "JNI class name is not a valid UTF8 string \"\u{fffd}\u{18}\"",
    ),
];

/// Cases of threads: the frames of Java code are not those of the caller.
const THREADS: [(u32, &str); 2] = [
    (31, "Using JNIEnv in non-Java thread"),
    (32, "Using JNIEnv in the wrong thread"),
];

/// Names, and options, of the JDKs that are tried.
fn with_checks() -> Vec<(u32, Vec<String>)> {
    let mut all = vec![(17, vec!["-Xcheck:jni".to_owned()])];
    for jdk in jdk::newer() {
        let home = format!("--java-home={}", jdk.home().display());
        let options = [&home, "-Xcheck:jni", "--enable-native-access=ALL-UNNAMED"];
        all.push((jdk.feature(), options.map(str::to_owned).to_vec()));
    }
    all
}

fn borrowed(options: &[String]) -> Vec<&str> {
    options.iter().map(String::as_str).collect()
}

#[test]
fn checks_warn_as_on_hotspot() {
    if library().is_none() {
        return;
    }
    if common::switch("BLESS") {
        let options = ["-Xcheck:jni", "-XX:+UseSerialGC"].map(str::to_owned);
        let java = jdk::tool("java");
        let got = run_on(&java, &options, "Checked", &classes(), "jni-bless");
        golden::bless(&room().join("Checked.java"), &got);
        return;
    }
    let results = common::in_parallel(&with_checks(), |(jdk, options)| {
        let name = format!("checks-{jdk}");
        (name.clone(), check("Checked", &borrowed(options), &name))
    });
    golden::report("programs whose calls of JNI are checked", &results);
}

#[test]
fn checks_end_programs_as_hotspot_does() {
    if library().is_none() {
        return;
    }
    let stack = "\tat Checked.fatal(Native Method)\n\tat Checked.main(Checked.java:29)\n";
    for (jdk, options) in with_checks() {
        let cases: Vec<(u32, &str)> = ENDS.iter().chain(&THREADS).copied().collect();
        let results = common::in_parallel(&cases, |&(how, message)| {
            let mut options = options.clone();
            options.push(format!("-Dhow={how}"));
            let name = format!("checked-{jdk}-{how}");
            let out = ours("Checked", &borrowed(&options), &name).out();
            let message = match jdk {
                17 => message.to_owned(),
                _ => message.replace("NULL", "null"),
            };
            let of_thread = THREADS.iter().any(|t| t.0 == how);
            let stack = if of_thread { "" } else { stack };
            let line = format!("FATAL ERROR in native method: {message}\n{stack}");
            let right = out.starts_with("before\n")
                && out.contains(&line)
                && (of_thread || out.ends_with(&line));
            (
                format!("case {how} on {jdk}"),
                if right { Ok(()) } else { Err(out) },
            )
        });
        golden::report("calls that break the rules of JNI", &results);
    }
}

#[test]
fn checks_change_nothing_of_what_is_right() {
    if library().is_none() {
        return;
    }
    let got = ours("Data", &["-Xcheck:jni"], "checked");
    let golden = std::fs::read_to_string(room().join("Data.out")).expect("a golden file");
    // reports stand between the program's own lines
    let reports = ["WARNING in native method: ", "Warning: ", "\tat "];
    let out = got.out();
    let own = out.lines();
    let own = own.filter(|line| !reports.iter().any(|r| line.starts_with(r)));
    assert!(own.eq(golden.lines()), "{out}");
}

#[test]
fn native_code_is_refused_where_runs_repeat() {
    if library().is_none() {
        return;
    }
    let got = ours("Calls", &["--deterministic"], "refused");
    assert!(
        got.err().contains("java.lang.UnsatisfiedLinkError"),
        "{}",
        got.err()
    );
    assert_eq!(got.exit, 1);
}
