//! Runs benchmarks, each in a VM of its own.

use super::super::alike::Scratch;
use super::super::args;
use super::super::config::Config;
use super::compare::{BenchmarkSet, MeasuredBenchmark};
use super::error::BenchError;
use super::find::{self, Bench};
use crate::file_error::FileError;
use crate::testing::jar;
use crate::tools::diff::gate::Gate;
use rjvm_profiler::{Pattern, Profile};
use rjvm_vm::classpath::{ClassPath, Search, expand_wildcards};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What runs a benchmark.
const MAIN: &str = "rjvm.test.BenchMain";

/// Lines of what a benchmark that fails has printed.
const LINES: usize = 30;

/// What is run.
enum BenchTarget {
    /// A whole program.
    Program(String),
    /// Methods.
    Methods(BTreeMap<String, Bench>),
}

/// What a command line asks for.
pub struct BenchPlan {
    words: Vec<String>,
    class_path: String,
    jdk: String,
    what: BenchTarget,
}

/// How it is run.
pub struct BenchSettings {
    /// Calls before the one that counts.
    pub warmups: u32,
    /// Contexts are distinguished by call site.
    pub call_sites: bool,
    /// VMs at a time.
    pub jobs: Option<usize>,
    /// Standard input.
    pub stdin: Option<PathBuf>,
}

/// Makes a plan: a main class makes it a whole program.
///
/// # Errors
/// The words are no command line, a method cannot be a benchmark, there is no JDK.
pub fn plan(
    words: &[String],
    patterns: &[Pattern],
    name: Option<&String>,
) -> Result<BenchPlan, BenchError> {
    // so that a command line without a main class can be read as well
    let mut all = words.to_vec();
    all.push(MAIN.into());
    let typed = args::read(all.clone(), |_| None, |_| {});
    if typed.is_ok_and(|config| !config.outputs.is_empty()) {
        return Err(BenchError::Options(
            "-o among the VM's options names a profile; put -o FILE for the results before them",
        ));
    }
    let env = |name: &str| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned());
    let config = args::read(all, env, |_| {})
        .map_err(|refusal| BenchError::Words(refusal.text().to_owned()))?;
    let is_program = config.what.as_deref() != Some(MAIN);
    let class_path = expand_wildcards(config.class_path.as_deref().unwrap_or("."));
    let class_path = class_path.to_string_lossy().into_owned();
    if is_program && !patterns.is_empty() {
        return Err(BenchError::Options(
            "--methods cannot be combined with a main class",
        ));
    }
    let what = match is_program {
        true => BenchTarget::Program(name.cloned().unwrap_or_else(|| config.program())),
        false => {
            let found = find::find(&ClassPath::open(&class_path), patterns)?;
            BenchTarget::Methods(found.into_iter().map(|b| (b.name.clone(), b)).collect())
        }
    };
    Ok(BenchPlan {
        words: words.to_vec(),
        class_path,
        jdk: jdk(&config)?,
        what,
    })
}

/// The version of the JDK that a run has.
pub fn jdk(config: &Config) -> Result<String, BenchError> {
    let search = Search::usual(config.java_home.clone(), |n| std::env::var_os(n));
    Ok(search.find()?.version())
}

impl BenchPlan {
    /// The names of all benchmarks, in order.
    pub fn names(&self) -> Vec<String> {
        match &self.what {
            BenchTarget::Program(name) => vec![name.clone()],
            BenchTarget::Methods(all) => all.keys().cloned().collect(),
        }
    }

    /// The limits that a benchmark has itself.
    pub fn limits(&self, name: &str) -> Result<Vec<Gate>, BenchError> {
        match &self.what {
            BenchTarget::Program(_) => Ok(Vec::new()),
            BenchTarget::Methods(all) => {
                let own = all.get(name).into_iter().flat_map(|b| &b.limits);
                own.map(|text| Ok(text.parse::<Gate>()?)).collect()
            }
        }
    }

    /// Runs these.
    ///
    /// # Errors
    /// One fails.
    pub fn run(
        &self,
        names: &[String],
        settings: &BenchSettings,
    ) -> Result<BenchmarkSet, BenchError> {
        let scratch = Scratch::new().map_err(BenchError::System)?;
        let api = jar::placed().map_err(|e| BenchError::Api("benchmarks", e))?;
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = settings.jobs.unwrap_or_else(processors).min(names.len());
        let next = AtomicUsize::new(0);
        let results = Mutex::new(BTreeMap::new());
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(name) = names.get(number) else { break };
                        let file = scratch.path().join(format!("{number:06}.rjp"));
                        let result = self.run_one(name, settings, &api, &file);
                        let mut all = results.lock().unwrap_or_else(|e| e.into_inner());
                        all.insert(name.clone(), result);
                    }
                });
            }
        });
        let results = results.into_inner().unwrap_or_else(|e| e.into_inner());
        let mut set = BenchmarkSet {
            jdk: self.jdk.clone(),
            ..BenchmarkSet::default()
        };
        let mut failures = Vec::new();
        for (name, result) in results {
            match result {
                Ok(measured) => {
                    set.all.insert(name, measured);
                }
                Err(why) => failures.push((name, why)),
            }
        }
        match failures.is_empty() {
            true => Ok(set),
            false => Err(BenchError::Several(failures)),
        }
    }

    fn run_one(
        &self,
        name: &str,
        settings: &BenchSettings,
        api: &Path,
        file: &Path,
    ) -> Result<MeasuredBenchmark, BenchError> {
        let profile = match settings.call_sites {
            true => "--profile=callsites",
            false => "--profile=exact",
        };
        let own = ["--quiet", "--deterministic", profile, "--allocations"];
        let mut words: Vec<String> = own.map(str::to_owned).to_vec();
        match &self.what {
            BenchTarget::Program(_) => {
                words.extend(["-o".to_owned(), file.display().to_string()]);
                words.extend(self.words.iter().cloned());
            }
            BenchTarget::Methods(all) => {
                let bench = &all[name];
                let class_path = format!("{}:{}", self.class_path, api.display());
                words.extend(self.words.iter().cloned());
                words.extend(["-cp".to_owned(), class_path, MAIN.to_owned()]);
                words.push(file.display().to_string());
                words.extend([&bench.class, &bench.method, &bench.descriptor].map(Clone::clone));
                words.push(bench.warmups.unwrap_or(settings.warmups).to_string());
                words.extend(bench.argument.clone());
            }
        }
        let rjvm = std::env::current_exe().map_err(BenchError::System)?;
        let mut command = Command::new(rjvm);
        command.args(words).stdin(match &settings.stdin {
            Some(input) => Stdio::from(File::open(input).map_err(FileError::at(input))?),
            None => Stdio::null(),
        });
        let output = command.output().map_err(BenchError::System)?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            let lines: Vec<&str> = text.lines().take(LINES).collect();
            return Err(BenchError::Failed(output.status, lines.join("\n")));
        }
        let profile = Profile::read_file(file)?;
        Ok(MeasuredBenchmark::of(profile))
    }
}
