//! Why a program cannot be run, or its runs cannot be compared.

use crate::file_error::FileError;
use rjvm_run::assembly::NotMade;
use rjvm_vm::classpath;
use std::io;
use std::sync::Arc;
use thiserror::Error;

/// Why a program is not run, or not compared.
#[derive(Clone, Debug, Error)]
pub enum RunError {
    /// There is no JDK, or it cannot be read.
    #[error("{0}")]
    Jdk(Arc<classpath::Error>),
    /// Reading the JDK has ended in a panic.
    #[error("{0}")]
    Panic(String),
    /// There is no VM; why.
    #[error("{0}")]
    NotMade(String),
    /// The VM of a run has ended by a fault.
    #[error("a run failed: {0}")]
    Fault(String),
    /// The thread of a run cannot be started, or has no result.
    #[error("{0}")]
    Thread(String),
    /// A file that is read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The value of an option: the option with it, and why.
    #[error("{0}: {1}")]
    Option(String, String),
    /// A side of a comparison cannot be run: its name, and why.
    #[error("cannot run {0}:\n{1}")]
    Side(&'static str, String),
    /// The user has ended the comparison.
    #[error("interrupted")]
    Interrupted,
    /// A rule of the comparison that the runs break.
    #[error("{0}")]
    Unfit(&'static str),
    /// Two runs that should be the same differ after this bytecode.
    #[error(
        "two interpreted runs differ after bytecode {0}, so rjvm cannot compare compiled code with them"
    )]
    Unsteady(String),
    /// The program has thrown an exception, or ended, while it was prepared.
    #[error("{0}")]
    Stopped(String),
    /// There is no such class or method.
    #[error("{0}: no such method")]
    Missing(String),
    /// The program `objdump` fails.
    #[error("objdump: {0}")]
    Objdump(String),
}

impl From<classpath::Error> for RunError {
    fn from(e: classpath::Error) -> RunError {
        RunError::Jdk(Arc::new(e))
    }
}

impl From<NotMade> for RunError {
    fn from(e: NotMade) -> RunError {
        RunError::NotMade(e.to_string())
    }
}

impl RunError {
    /// A thread that cannot be started.
    pub fn thread(e: io::Error) -> RunError {
        RunError::Thread(e.to_string())
    }
}
