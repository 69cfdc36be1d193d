//! `rjvm test`: runs tests of JUnit 5, JUnit 4 and TestNG in a deterministic VM, with the annotations of `rjvm.test`.

mod explain;
mod jars;
mod seeds;

use super::alike::Scratch;
use super::args;
use super::bench::{self, BenchmarkSet, MeasuredBenchmark, Shard, store};
use super::codes::WRONG_USE;
use crate::launcher::bench::BenchError;
use crate::messages;
use crate::subcommands;
use crate::testing::jar;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use rjvm_profiler::Profile;
use rjvm_vm::classpath::{ClassPath, expand_wildcards};
use std::collections::BTreeSet;
use std::fs;
use std::io::{IsTerminal as _, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process;

pub use explain::NATIVES as EXPLANATIONS;

/// The seed of tests that name none.
const SEED: u64 = 1;

/// Exit code of the console launcher that finds no test.
const NO_TEST: i32 = 2;

/// The annotation of tests that run under many schedules.
const EXPLORE: &str = "Lrjvm/test/Explore;";

/// The command line.
pub fn command() -> Command {
    subcommands::TEST.command()
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .help("Seed of random numbers, identity hashes and similar values in tests without @Deterministic")
                .value_parser(value_parser!(u64).range(..=i64::MAX as u64)),
        )
        .arg(
            Arg::new("as-is")
                .long("as-is")
                .help("Do not add --deterministic: tests see the real clock, environment and network")
                .action(ArgAction::SetTrue),
        )
        .next_help_heading("Baseline")
        .arg(bench::baseline().help("Counts of an earlier run: if a test exceeds its budget, rjvm shows the changes since then; default: rjvm-test.txt, if it exists"))
        .args(of_counts())
        .next_help_heading("Runs")
        .arg(bench::shard().help("Run the I-th of N parts of the test classes"))
        .next_help_heading("Test frameworks")
        .arg(
            Arg::new("testng")
                .long("testng")
                .help("Run TestNG: test classes, or after -- the arguments of org.testng.TestNG")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("junit")
                .long("junit")
                .value_name("PATH")
                .help("Jars of the JUnit console launcher and its engines, or of TestNG; needed if they are neither on the class path nor in /usr/share/java"),
        )
        .arg(
            Arg::new("COMMAND")
                .help_heading(None::<&'static str>)
                .help("Options of the VM (such as -cp), and test classes; after --, options of the console launcher")
                .required(true)
                .num_args(1..)
                .allow_hyphen_values(true)
                .trailing_var_arg(true),
        )
        .after_help(
            "Without test classes, and without a selection after --, rjvm searches the folders of the class path for tests.\n\
             It records contexts and allocations, which budgets need. Tests with @Deterministic(seed = N) run in a separate VM\n\
             for each seed.\n\n\
             Examples:\n\
             \x20 rjvm test -cp target/classes:target/test-classes\n\
             \x20 rjvm test --save -cp target/classes:target/test-classes com.acme.ParserTest\n\
             \x20 rjvm test --shard=2/4 -cp classes -- --scan-class-path --reports-dir=reports\n\
             \n\
             Exit codes (as of the console launcher): 0; 1 if a test fails; 2 if there is no test, or for an invalid command line\n\
             See docs/testing.md",
        )
}

/// What is counted of tests, and where that goes.
fn of_counts() -> [Arg; 3] {
    [
            Arg::new("save")
                .long("save")
                .help("Write the counts of the tests to the baseline; tests that do not run keep their entries")
                .action(ArgAction::SetTrue),
            Arg::new("save-as")
                .long("save-as")
                .value_name("FILE")
                .help("Write the counts to another file, in the format of the baseline; rjvm bench compares and merges such files")
                .value_parser(value_parser!(PathBuf)),
            Arg::new("measure")
                .long("measure")
                .help("Measure all tests, not only tests with a budget")
                .action(ArgAction::SetTrue),
    ]
}

/// Runs the tests; the exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    let failed = |message: BenchError, code| {
        messages::error(&message);
        code
    };
    match TestPlan::of(matches) {
        Ok(plan) => plan.run().unwrap_or_else(|e| failed(e, 1)),
        Err(message) => failed(message, WRONG_USE),
    }
}

/// What is to be run.
struct TestPlan {
    /// Options of the VM.
    options: Vec<String>,
    class_path: String,
    jdk: String,
    /// What runs the tests, and its arguments.
    main: &'static str,
    arguments: Vec<String>,
    seed: u64,
    /// Those of tests with the annotation.
    other_seeds: BTreeSet<u64>,
    as_is: bool,
    measure: bool,
    shard: Option<Shard>,
    baseline: Option<PathBuf>,
    save: Vec<PathBuf>,
    /// Some of the tests are run only.
    is_part: bool,
    /// There are tests that are to run under many schedules.
    explores: bool,
}

impl TestPlan {
    fn of(matches: &ArgMatches) -> Result<TestPlan, BenchError> {
        let words: Vec<String> = matches
            .get_many("COMMAND")
            .unwrap_or_default()
            .cloned()
            .collect();
        let end = words.iter().position(|w| w == "--").unwrap_or(words.len());
        let rest: Vec<String> = words.iter().skip(end + 1).cloned().collect();
        // what would be the main class and its arguments are test classes
        let mut line = words[..end].to_vec();
        line.push(".".into());
        let env = |name: &str| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned());
        let config = args::read(line, env, |_| {})
            .map_err(|refusal| BenchError::Words(refusal.text().to_owned()))?;
        let mut classes: Vec<String> = config.what.iter().chain(&config.args).cloned().collect();
        classes.pop();
        let options = words[..end - classes.len()].to_vec();
        let class_path = expand_wildcards(config.class_path.as_deref().unwrap_or("."));
        let class_path = class_path.to_string_lossy().into_owned();
        let testng = matches.get_flag("testng");
        let path = matches.get_one::<String>("junit").map(String::as_str);
        let open = ClassPath::open(&class_path);
        let tool = if testng { &jars::TESTNG } else { &jars::JUNIT };
        nothing_to_run(&open, &class_path, &classes, &rest)?;
        let (main, found) = tool.find(&open, path)?;
        let seed = matches.get_one("seed").copied().unwrap_or(SEED);
        let as_is = matches.get_flag("as-is");
        let saves = matches.get_flag("save");
        let baseline = baseline_file(matches.get_one("baseline"), saves)?;
        let mut save: Vec<PathBuf> = matches.get_one("save-as").cloned().into_iter().collect();
        save.extend(saves.then(|| baseline.clone()));
        let shard: Option<Shard> = matches.get_one("shard").copied();
        if let (true, Some(shard)) = (testng, shard) {
            classes = part(classes, shard)?;
        }
        Ok(TestPlan {
            is_part: !classes.is_empty() || !rest.is_empty() || shard.is_some(),
            options,
            jdk: bench::jdk(&config)?,
            main,
            arguments: match testng {
                true => testng_arguments(classes, rest),
                false => junit_arguments(classes, rest),
            },
            seed,
            other_seeds: match as_is || testng {
                true => BTreeSet::new(),
                false => other_seeds(&open, seed)?,
            },
            as_is,
            explores: seeds::mention(&open, EXPLORE)?,
            measure: matches.get_flag("measure"),
            shard,
            baseline: baseline.is_file().then_some(baseline),
            save,
            class_path: [vec![class_path], found].concat().join(":"),
        })
    }

    fn run(&self) -> Result<i32, BenchError> {
        let api = jar::placed().map_err(|e| BenchError::Api("tests", e))?;
        if self.save.is_empty() && self.other_seeds.is_empty() {
            // nothing is left to be done afterwards: this process becomes the VM
            let error = self.command(self.seed, true, &api, None)?.exec();
            return Err(BenchError::System(error));
        }
        let scratch = Scratch::new().map_err(BenchError::System)?;
        let out = (!self.save.is_empty()).then(|| scratch.path());
        let run_with = |seed, main| ended(&mut self.command(seed, main, &api, out)?);
        let mut code = run_with(self.seed, true)?;
        for &seed in &self.other_seeds {
            // who has closed it does not want to know
            let _ = writeln!(std::io::stdout(), "\nrjvm: tests with seed {seed}");
            let other = run_with(seed, false)?;
            // without tests for one seed there may be some for another
            if code == 0 && other != NO_TEST || code == NO_TEST {
                code = other;
            }
        }
        if !self.save.is_empty() {
            let set = self.collect(scratch.path())?;
            for file in &self.save {
                let mut set = set.clone();
                if self.is_part && file.is_file() && Some(file) == self.baseline.as_ref() {
                    let message = |e| BenchError::Results(file.clone(), format!("{e:?}"));
                    for (name, measured) in store::read(file).map_err(message)?.all {
                        set.all.entry(name).or_insert(measured);
                    }
                }
                store::write(file, &set)
                    .map_err(|e| BenchError::Results(file.clone(), format!("{e:?}")))?;
            }
        }
        Ok(code)
    }

    /// What runs the tests of a seed, in a VM of their own, with profiles written to a folder.
    fn command(
        &self,
        seed: u64,
        main: bool,
        api: &Path,
        out: Option<&Path>,
    ) -> Result<process::Command, BenchError> {
        let mut words: Vec<String> = ["--quiet", "--profile=exact", "--allocations"]
            .map(str::to_owned)
            .to_vec();
        if !self.as_is {
            words.push(format!("--deterministic={seed}"));
            words.extend(self.explores.then(|| "--explorable".to_owned()));
        }
        words.extend(self.options.iter().cloned());
        words.extend([
            "-cp".to_owned(),
            format!("{}:{}", self.class_path, api.display()),
        ]);
        let mut property =
            |name: &str, value: &str| words.push(format!("-Drjvm.test.{name}={value}"));
        if let Some(out) = out {
            property("after", &out.display().to_string());
        }
        if let Some(file) = &self.baseline {
            let folder = fs::canonicalize(store::folder(file));
            if let Ok(folder) = folder {
                property("before", &folder.display().to_string());
            }
        }
        if self.measure {
            property("measure", "all");
        }
        if let Some(shard) = self.shard {
            property("shard", &shard.to_string());
        }
        if !self.other_seeds.is_empty() {
            property("seed", &seed.to_string());
            property("main", &main.to_string());
        }
        words.push(self.main.to_owned());
        words.extend(self.arguments.iter().cloned());
        // A gate that finds no test would be open. A part of the tests may be none.
        let option = "--fail-if-no-tests";
        let whole = self.shard.is_none();
        if self.main == jars::JUNIT.main() && whole && !self.arguments.iter().any(|a| a == option) {
            words.push(option.into());
        }
        let rjvm = std::env::current_exe().map_err(BenchError::System)?;
        let mut command = process::Command::new(rjvm);
        command.args(words);
        Ok(command)
    }

    /// What the tests have counted.
    fn collect(&self, folder: &Path) -> Result<BenchmarkSet, BenchError> {
        let mut set = BenchmarkSet {
            jdk: self.jdk.clone(),
            ..BenchmarkSet::default()
        };
        let entries = fs::read_dir(folder).map_err(BenchError::System)?;
        for entry in entries.flatten() {
            let path = entry.path();
            if path.extension().is_none_or(|e| e != "name") {
                continue;
            }
            let name = fs::read_to_string(&path).map_err(BenchError::System)?;
            let profile = Profile::read_file(&path.with_extension(""))?;
            set.all.insert(name, MeasuredBenchmark::of(profile));
        }
        Ok(set)
    }
}

/// The part of the test classes that a shard runs.
fn part(classes: Vec<String>, shard: Shard) -> Result<Vec<String>, BenchError> {
    if classes.is_empty() {
        return Err(BenchError::Options(
            "--shard with --testng: expected test classes, to run a part of them",
        ));
    }
    let classes = shard.of(classes);
    match classes.is_empty() {
        true => Err(BenchError::FewClasses(shard)),
        false => Ok(classes),
    }
}

/// The seeds that tests name, except for this one.
fn other_seeds(open: &ClassPath, seed: u64) -> Result<BTreeSet<u64>, BenchError> {
    let mut all = seeds::of(open)?;
    all.remove(&seed);
    Ok(all)
}

/// Where the baseline is; one that is named has to be there, unless it is made.
fn baseline_file(given: Option<&PathBuf>, saves: bool) -> Result<PathBuf, BenchError> {
    match given {
        Some(file) if !saves && !file.is_file() => Err(BenchError::NoBaseline(file.clone())),
        _ => Ok(given.cloned().unwrap_or_else(|| "rjvm-test.txt".into())),
    }
}

/// An error if there can be no test: a class that is not there, or no class that knows a framework for tests.
fn nothing_to_run(
    open: &ClassPath,
    class_path: &str,
    classes: &[String],
    rest: &[String],
) -> Result<(), BenchError> {
    for class in classes {
        let name = class.split_once("::").map_or(&**class, |c| c.0);
        let file = format!("{}.class", name.replace('.', "/"));
        if open.find(&file)?.is_none() {
            return Err(BenchError::NoClass(name.into(), class_path.into()));
        }
    }
    if !classes.is_empty() || !rest.is_empty() {
        return Ok(());
    }
    for framework in ["org/junit/", "junit/framework/", "org/testng/"] {
        if seeds::mention(open, framework)? {
            return Ok(());
        }
    }
    Err(BenchError::NoTests(class_path.into()))
}

/// Runs a command to its end; its exit code as a shell reports it.
fn ended(command: &mut process::Command) -> Result<i32, BenchError> {
    let status = command.status().map_err(BenchError::System)?;
    let signal = status.signal().map(|s| 128 + s);
    Ok(status.code().or(signal).unwrap_or(1))
}

/// The arguments of the console launcher.
fn junit_arguments(classes: Vec<String>, rest: Vec<String>) -> Vec<String> {
    const SELECT: [&str; 12] = [
        "-u",
        "-f",
        "-d",
        "-o",
        "-p",
        "-c",
        "-m",
        "-r",
        "-i",
        "-h",
        "--uri",
        "--iteration",
    ];
    let selects = |word: &String| {
        let name = word.split('=').next().unwrap_or_default();
        SELECT.contains(&name)
            || ["--select", "--scan", "--list", "--help"]
                .iter()
                .any(|p| word.starts_with(p))
    };
    let mut arguments = vec![
        "--config=junit.jupiter.extensions.autodetection.enabled=true".to_owned(),
        "--disable-banner".to_owned(),
    ];
    if !std::io::stdout().is_terminal() {
        arguments.push("--disable-ansi-colors".into());
    }
    if classes.is_empty() && !rest.iter().any(selects) {
        arguments.push("--scan-class-path".into());
    }
    let classes = classes.iter().map(|class| match class.split_once("::") {
        Some((class, method)) => format!("--select-method={class}#{method}"),
        None => format!("--select-class={class}"),
    });
    arguments.extend(classes);
    arguments.extend(rest);
    arguments
}

/// The arguments of TestNG.
fn testng_arguments(classes: Vec<String>, rest: Vec<String>) -> Vec<String> {
    let mut arguments = Vec::new();
    if !classes.is_empty() {
        arguments.extend(["-testclass".to_owned(), classes.join(",")]);
    }
    arguments.extend(rest);
    arguments
}
