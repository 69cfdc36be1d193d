//! Why benchmarks or tests are not found, or not run.

use crate::file_error::FileError;
use crate::tools::diff::gate::GateError;
use rjvm_explore::result::Shard;
use rjvm_profiler::ReadFileError;
use rjvm_vm::classpath;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use thiserror::Error;

/// Why benchmarks or tests are not found, or not run.
#[derive(Debug, Error)]
pub enum BenchError {
    /// The words are no command line of the VM.
    #[error("{0}")]
    Words(String),
    /// Options that do not go together.
    #[error("{0}")]
    Options(&'static str),
    /// There is no JDK, or a part of the class path cannot be read.
    #[error(transparent)]
    ClassPath(#[from] classpath::Error),
    /// A class file: its place, its name, what is wrong.
    #[error("{}: {}: {}", .0.display(), .1, .2)]
    ClassFile(PathBuf, String, rjvm_classfile::Error),
    /// A pattern names no method.
    #[error("no method on the class path has the name {0}")]
    NoMethod(String),
    /// A method that is no benchmark, and why.
    #[error("{0} cannot be a benchmark: {1}")]
    Unfit(String, &'static str),
    #[error("two benchmarks have the name {0}")]
    Twice(String),
    /// A limit of a benchmark is none.
    #[error(transparent)]
    Limit(#[from] GateError),
    /// The jar with the API cannot be placed: what it is for, and why.
    #[error("the API for {0}: {1}")]
    Api(&'static str, io::Error),
    /// A process of the VM cannot be run, or a folder for it is not there.
    #[error("{0}")]
    System(io::Error),
    #[error(transparent)]
    File(#[from] FileError),
    /// A benchmark's process has failed, with the first lines of its error output.
    #[error("it failed ({0})\n{1}")]
    Failed(ExitStatus, String),
    /// Benchmarks by name, and why they failed.
    #[error("{}", lines(.0))]
    Several(Vec<(String, BenchError)>),
    /// The profile of a benchmark cannot be read.
    #[error(transparent)]
    Profile(#[from] ReadFileError),
    /// A file with results cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    Results(PathBuf, String),
    /// There are fewer test classes than parts.
    #[error("--shard={0}: there are fewer test classes")]
    FewClasses(Shard),
    /// A baseline that should be there.
    #[error("{}: no such file", .0.display())]
    NoBaseline(PathBuf),
    /// The class and the class path.
    #[error("there is no class {0} in {1}")]
    NoClass(String, String),
    #[error("there is no test in {0}: no class there mentions JUnit or TestNG")]
    NoTests(String),
    /// The jars that --junit names have no such class.
    #[error("--junit={0}: {1} is missing")]
    NoLauncher(String, &'static str),
    /// The program that runs tests is not installed: its class, the folder of jars, the package that has it.
    #[error(
        "{0} is neither on the class path nor in {1}: name its jars with --junit, or install the package {2}"
    )]
    NotInstalled(&'static str, &'static str, &'static str),
    /// Counts cannot be explained.
    #[error("{0}")]
    Comparison(String),
}

fn lines(failures: &[(String, BenchError)]) -> String {
    let line = |(name, e): &(String, BenchError)| format!("{name}: {e}");
    let all: Vec<String> = failures.iter().map(line).collect();
    all.join("\n")
}
