//! The Java programs of `tests/java_apis/newer`, and of `tests/java/jfr`, on each JDK after 17 that is installed: they print what HotSpot
//! of the same version prints.
//!
//! `NAME.java` says in its first comment since which version it runs (`Since 25 with previews`: on that one only); `NAME.out` is what HotSpot printed, `NAME.onV.out` what version V
//! printed where it differs; `NAME.opts` has options for the VM. `BLESS=1` writes both again. The newest JDK compiles them. A version that is missing is
//! reported; `RJVM_TEST_JDKS` names JDKs outside the usual places, like a path.

use crate::common::run::{Outcome, Run};
use crate::common::{self, files_with_extension, golden, jdk, run, stem, tests_dir, work_dir};
use rjvm_vm::classpath::Jdk;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Program {
    source: PathBuf,
    since: u32,
    /// It uses what its version previews.
    previews: bool,
}

impl Program {
    fn runs_on(&self, version: u32) -> bool {
        match self.previews {
            true => self.since == version,
            false => self.since <= version,
        }
    }
}

fn programs() -> Vec<Program> {
    let mut sources = files_with_extension(&tests_dir().join("java_apis/newer"), "java");
    // what is new is the class library's side of the VM's interface
    sources.extend(files_with_extension(&tests_dir().join("java/jfr"), "java"));
    let program = |source: PathBuf| {
        let text = std::fs::read_to_string(&source).expect("a source that can be read");
        let (_, since) = text.split_once("/** Since ").expect("a version");
        let digits = since.split(|c: char| !c.is_ascii_digit()).next();
        let digits = digits.expect("a version");
        let previews = since[digits.len()..].starts_with(" with previews");
        let since = digits.parse().expect("a version");
        Program {
            source,
            since,
            previews,
        }
    };
    let all = sources.into_iter().map(program);
    all.filter(|p| common::selected(&format!("newer/{}", stem(&p.source))))
        .collect()
}

/// Compiles what runs on a version with the newest JDK's javac, into a folder for this kind of programs.
fn compile(javac: &Path, programs: &[&Program], version: u32, kind: &str) -> PathBuf {
    let classes = work_dir().join(format!("newer-{version}{kind}"));
    let _ = std::fs::remove_dir_all(&classes);
    std::fs::create_dir_all(&classes).expect("the target directory is writable");
    if programs.is_empty() {
        return classes;
    }
    let output = Command::new(javac)
        .args(["-encoding", "UTF-8", "-nowarn", "-Xlint:none", "--release"])
        .arg(version.to_string())
        .args(programs.iter().any(|p| p.previews).then_some(PREVIEWS))
        .arg("-d")
        .arg(&classes)
        .args(programs.iter().map(|p| &p.source))
        .output()
        .expect("javac starts");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "javac fails:\n{messages}");
    classes
}

const PREVIEWS: &str = "--enable-preview";

fn run_on(vm: &Path, options: &[String], classes: &Path, program: &Program, name: &str) -> Outcome {
    let run = Run::new(vm, name);
    let tmp = run.tmpdir_option();
    let main = stem(&program.source);
    // without a warning that names the folder
    let native = "--enable-native-access=ALL-UNNAMED";
    let own = std::fs::read_to_string(program.source.with_extension("opts")).unwrap_or_default();
    run.args(options)
        .args(own.split_whitespace())
        .args([native.to_string(), tmp])
        .args(program.previews.then_some(PREVIEWS))
        .arg("-cp")
        .arg(classes)
        .arg(main)
        .finish()
}

/// The name under which a version's golden files are if they are its own.
fn own(source: &Path, version: u32) -> PathBuf {
    source.with_extension(format!("on{version}.java"))
}

fn check(program: &Program, classes: &Path, jdk: &Jdk, newest: bool) -> Result<(), String> {
    let (version, main) = (jdk.feature(), stem(&program.source));
    let name = format!("newer-{version}-{main}");
    let own = own(&program.source, version);
    if common::switch("BLESS") {
        let java = jdk.home().join("bin/java");
        let got = run_on(&java, &[], classes, program, &name);
        if newest {
            golden::bless(&program.source, &got);
        } else if golden::compare(&program.source, &got).is_err() {
            golden::bless(&own, &got);
        }
        return Ok(());
    }
    let mut options = run::extra_args();
    options.push(format!("--java-home={}", jdk.home().display()));
    let got = run_on(&run::vm(), &options, classes, program, &name);
    let golden = match own.with_extension("out").is_file() {
        true => own,
        false => program.source.clone(),
    };
    golden::compare(&golden, &got)
}

#[test]
fn programs_behave_as_on_newer_jdks() {
    let jdks = jdk::newer();
    let javac = jdks.iter().rev().map(|jdk| jdk.home().join("bin/javac"));
    let Some(javac) = javac.into_iter().find(|javac| javac.is_file()) else {
        common::not_checked("no JDK after 17 with a compiler is installed");
        return;
    };
    let programs = programs();
    // the newest first: `BLESS=1` compares the others with it
    for (i, jdk) in jdks.iter().rev().enumerate() {
        let version = jdk.feature();
        let all: Vec<&Program> = programs.iter().filter(|p| p.runs_on(version)).collect();
        if all.is_empty() {
            continue;
        }
        let (previewing, others): (Vec<&Program>, Vec<&Program>) =
            all.iter().partition(|p| p.previews);
        let classes = compile(&javac, &others, version, "");
        let with_previews = compile(&javac, &previewing, version, "-previews");
        let results = common::in_parallel(&all, |p| {
            let name = format!("newer/{} on {version}", stem(&p.source));
            let classes = if p.previews { &with_previews } else { &classes };
            (name, check(p, classes, jdk, i == 0))
        });
        golden::report("programs on newer JDKs", &results);
    }
}

#[test]
fn native_functions_are_refused_where_runs_repeat() {
    let jdks = jdk::newer();
    let Some(jdk) = jdks.last().filter(|jdk| jdk.feature() >= 22) else {
        common::not_checked("no JDK after 21 is installed");
        return;
    };
    let program = Program {
        source: tests_dir().join("java_apis/newer/refused/Refused.java"),
        since: 22,
        previews: false,
    };
    let classes = compile(&jdk.home().join("bin/javac"), &[&program], 22, "-refused");
    let mut options = run::extra_args();
    options.push(format!("--java-home={}", jdk.home().display()));
    options.push("--deterministic".into());
    let got = run_on(&run::vm(), &options, &classes, &program, "newer-refused");
    golden::compare(&program.source, &got).unwrap();
}
