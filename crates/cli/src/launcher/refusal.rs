//! Why a command line is refused.

use super::option::Problem;

/// Why a command line can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No VM can be made: these lines say why.
    Vm(String),
    /// The same where `java` writes the lines to standard output.
    VmOut(String),
    /// The VM can't be initialized: this line says why.
    Init(String),
    /// One of rjvm's own options is wrong.
    Own(String),
    /// Something is missing; the usage helps.
    Usage(String),
    /// An argument file can't be read, or something else of the launcher's.
    Launcher(String),
}

impl Refusal {
    /// What is wrong.
    pub fn text(&self) -> &str {
        match self {
            Refusal::Vm(t) | Refusal::VmOut(t) | Refusal::Init(t) => t,
            Refusal::Own(t) | Refusal::Usage(t) | Refusal::Launcher(t) => t,
        }
    }
}

impl From<Problem> for Refusal {
    fn from(p: Problem) -> Refusal {
        match p {
            Problem::Vm(t) => Refusal::Vm(t),
            Problem::VmOut(t) => Refusal::VmOut(t),
            Problem::Init(t) => Refusal::Init(t),
            Problem::Own(t) => Refusal::Own(t),
        }
    }
}
