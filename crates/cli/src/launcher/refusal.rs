//! Why a command line is refused.

use super::option::OptionProblem;

/// Why a command line cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No VM can be made: these lines say why.
    Vm(String),
    /// The same where `java` writes the lines to standard output.
    VmOut(String),
    /// The VM cannot be initialized: this line says why.
    Init(String),
    /// One of rjvm's own options is wrong.
    Own(String),
    /// Something is missing; the usage helps.
    Usage(String),
    /// An argument file cannot be read, or something else of the launcher's.
    Launcher(String),
}

impl Refusal {
    /// The reason.
    pub fn text(&self) -> &str {
        match self {
            Refusal::Vm(t) | Refusal::VmOut(t) | Refusal::Init(t) => t,
            Refusal::Own(t) | Refusal::Usage(t) | Refusal::Launcher(t) => t,
        }
    }
}

impl From<OptionProblem> for Refusal {
    fn from(p: OptionProblem) -> Refusal {
        match p {
            OptionProblem::Vm(t) => Refusal::Vm(t),
            OptionProblem::VmOut(t) => Refusal::VmOut(t),
            OptionProblem::Init(t) => Refusal::Init(t),
            OptionProblem::Own(t) => Refusal::Own(t),
        }
    }
}
