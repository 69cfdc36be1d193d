//! The Java programs of `tests/java`: their output, error output and exit code on rjvm are HotSpot's.
//!
//! `tests/java/AREA/NAME.java` is a program; beside it lie `NAME.out`, `NAME.err` and `NAME.exit`
//! (what HotSpot made of it) and, where needed, `NAME.args` (an argument per line), `NAME.in`
//! (standard input) and `NAME.opts` (VM options). `AREA/resources` is added to the class path,
//! `AREA/lib` holds classes that the area's programs share, `AREA/javac.opts` options for javac.
//! Environment:
//!
//! - `RJVM_TEST_FILTER=a,b` runs programs whose `AREA/NAME` contains `a` or `b`;
//! - `RJVM_TEST_ARGS` adds VM options, `RJVM_TEST_TIMEOUT` sets the seconds a program may take;
//! - `RJVM_TEST_VM=java` runs another VM instead of rjvm;
//! - `RJVM_TEST_JDK=DIR` runs them on the library of another JDK. Where its HotSpot, version V, prints something else, the
//!   golden files are `NAME.onV.out` and so on. Known failures there are listed as `AREA/NAME@V`;
//! - `BLESS=1` runs HotSpot, interpreted and compiled, and rewrites the golden files.

#[path = "../common/mod.rs"]
mod common;

use std::path::{Path, PathBuf};

use common::run::{Outcome, Run};
use common::{entries, files_with_extension, golden, jdk, run, stem};

struct Program {
    name: String,
    source: PathBuf,
    classes: PathBuf,
}

impl Program {
    fn lines_of(&self, ext: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.source.with_extension(ext)).unwrap_or_default();
        text.lines().map(str::to_string).collect()
    }

    fn run(&self, vm: &Path, options: &[String]) -> Outcome {
        let input = self.source.with_extension("in");
        let run = Run::new(vm, &self.name).env("JAVA_HOME", jdk::under_test());
        let tmp = run.tmpdir_option();
        run.args(options)
            .args(
                self.lines_of("opts")
                    .iter()
                    .flat_map(|l| l.split_whitespace()),
            )
            .arg(tmp)
            .arg("-cp")
            .arg(&self.classes)
            .arg(stem(&self.source))
            .args(self.lines_of("args"))
            .stdin(input.is_file().then_some(input))
            .finish()
            .without(&common::work_dir())
    }

    /// The golden files that another JDK's version has for itself.
    fn own(&self) -> Option<PathBuf> {
        let version = jdk::other_version()?;
        Some(self.source.with_extension(format!("on{version}.java")))
    }

    /// As the results and `known-failures.txt` name it.
    fn result_name(&self) -> String {
        match jdk::other_version() {
            Some(version) => format!("{}@{version}", self.name),
            None => self.name.clone(),
        }
    }

    fn check(&self) -> Result<(), String> {
        if !common::switch("BLESS") {
            let own = self.own().filter(|own| own.with_extension("out").is_file());
            let golden = own.unwrap_or_else(|| self.source.clone());
            return golden::compare(&golden, &self.run(&run::vm(), &run::extra_args()));
        }
        let java = jdk::under_test().join("bin/java");
        // numbers of threads depend on the compilers' since 21
        let interpreted = (self.own().is_none()).then(|| "-Xint".to_string());
        let first = self.run(&java, interpreted.as_slice());
        let second = self.run(&java, &[]);
        if first != second {
            let out = golden::diff("stdout", &first.stdout, &second.stdout);
            let err = golden::diff("stderr", &first.stderr, &second.stderr);
            return Err(format!("  two runs of HotSpot differ\n{out}{err}"));
        }
        if first.timed_out {
            return Err("  HotSpot doesn't end\n".to_string());
        }
        match self.own() {
            Some(own) if golden::compare(&self.source, &first).is_err() => {
                golden::bless(&own, &first);
            }
            Some(own) => golden::remove(&own),
            None => golden::bless(&self.source, &first),
        }
        Ok(())
    }
}

fn areas() -> Vec<PathBuf> {
    let dir = common::tests_dir().join("java");
    entries(&dir).into_iter().filter(|p| p.is_dir()).collect()
}

fn area_name(area: &Path) -> String {
    area.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The selected programs, compiled.
fn programs() -> Vec<Program> {
    let mut programs = Vec::new();
    for area in areas() {
        let name = area_name(&area);
        let sources = files_with_extension(&area, "java");
        if !sources
            .iter()
            .any(|s| common::selected(&format!("{name}/{}", stem(s))))
        {
            continue;
        }
        let options = std::fs::read_to_string(area.join("javac.opts")).unwrap_or_default();
        let options: Vec<&str> = options.split_whitespace().collect();
        let mut all = sources.clone();
        all.extend(files_with_extension(&area.join("lib"), "java"));
        let classes = jdk::compile(&name, &all, &options, &area.join("resources"));
        for source in sources {
            let name = format!("{name}/{}", stem(&source));
            programs.push(Program {
                name,
                source,
                classes: classes.clone(),
            });
        }
    }
    programs.retain(|p| common::selected(&p.name));
    programs
}

#[test]
fn programs_behave_as_on_hotspot() {
    let programs = programs();
    let results = common::in_parallel(&programs, |p| (p.result_name(), p.check()));
    golden::report("programs", &results);
}

#[test]
fn every_program_has_its_output_and_every_file_its_program() {
    let mut count = 0;
    for area in areas() {
        for file in entries(&area).into_iter().filter(|f| f.is_file()) {
            let ext = file
                .extension()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            match ext.as_str() {
                "java" => {
                    count += 1;
                    let golden = file.with_extension("out");
                    assert!(golden.is_file(), "{} is missing: BLESS=1", golden.display());
                }
                "opts" if stem(&file) == "javac" => {}
                "out" | "err" | "exit" | "args" | "in" | "opts" => {
                    let source = match stem(&file).split_once(".on") {
                        Some((name, _)) => file.with_file_name(format!("{name}.java")),
                        None => file.with_extension("java"),
                    };
                    assert!(source.is_file(), "{} has no program", file.display());
                }
                _ => panic!("{}: what is it for?", file.display()),
            }
        }
    }
    assert!(count >= 150, "only {count} programs");
}

#[test]
fn known_failures_name_programs_and_reasons() {
    for (name, reason) in golden::known_failures() {
        assert!(!reason.is_empty(), "{name}: the reason is missing");
        let Some((area, program)) = name.split_once('/') else {
            panic!("{name}: no area")
        };
        let program = program.split('@').next().unwrap_or(program);
        let dir = match area {
            "oracle" | "kernels" => common::tests_dir().join(area),
            "cli" => continue,
            _ => common::tests_dir().join("java").join(area),
        };
        assert!(
            dir.join(format!("{program}.java")).is_file(),
            "{name}: there is no such program"
        );
    }
}
