//! Claims about a run, as plain data for reports.

use serde::Serialize;

/// The findings about a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Name of the program.
    pub program: String,
    /// Bytecodes executed.
    pub bytecodes: u64,
    /// Objects allocated.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Collections of garbage.
    pub collections: u64,
    /// Classes loaded.
    pub classes: u64,
    /// Threads that executed something.
    pub threads: u64,
    /// What all this costs, in bytecodes (see [`crate::cost`]).
    pub cost: u64,
    /// Calling contexts that the claims were found in.
    pub contexts: u64,
    /// Contexts that were folded for lack of memory.
    pub folded: u64,
    /// When.
    pub phases: Vec<Phase>,
    /// Where and why, most to be saved first.
    pub claims: Vec<Claim>,
    /// The run window by window.
    pub windows: Vec<WindowShown>,
}

/// A phase of the run.
#[derive(Clone, Debug, Serialize)]
pub struct Phase {
    /// From 1.
    pub number: usize,
    /// Bytecodes of all threads at its beginning.
    pub from: u64,
    /// And at its end.
    pub to: u64,
    /// The method that causes most of it: a method of the program, with the part of the phase.
    pub within: String,
    /// Thousandths of the phase that are below that.
    pub within_permille: u64,
    /// The methods that execute most in it, with thousandths of the phase.
    pub methods: Vec<(String, u64)>,
    /// Branches of the hierarchy of why, with thousandths of the phase.
    pub why: Vec<(String, u64)>,
}

/// A window, as a page draws it.
#[derive(Clone, Debug, Serialize)]
pub struct WindowShown {
    /// Bytecodes of all threads at its end.
    pub end: u64,
    /// The method that executes most in it.
    pub method: String,
    /// Objects allocated.
    pub objects: u64,
    /// Collections of garbage.
    pub collections: u64,
}

/// Where something is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Empty for the unnamed package.
    pub package: String,
    /// With its package.
    pub class: String,
    /// Its name.
    pub method: String,
    /// Source file, if it is known.
    pub file: String,
    /// Line, if it is known.
    pub line: Option<u32>,
    /// Threads, the one with most of it first.
    pub threads: Vec<String>,
    /// The method that serves requests it is below, if there is one.
    pub request: Option<String>,
}

/// How sure a cause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// The figures show cost, not its purpose.
    Possible,
    /// They fit no other cause as well.
    Likely,
    /// They are the cause itself, counted.
    Counted,
}

impl Confidence {
    /// Hundredths by which what could be saved counts for the order.
    pub fn weight(self) -> u64 {
        match self {
            Confidence::Possible => 30,
            Confidence::Likely => 80,
            Confidence::Counted => 100,
        }
    }
    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            Confidence::Possible => "possible",
            Confidence::Likely => "likely",
            Confidence::Counted => "counted",
        }
    }
}

/// What could be saved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Saving {
    /// All of it, in the common measure of [`crate::cost`].
    pub cost: u64,
    /// Thousandths of the run's cost.
    pub permille: u64,
    /// Bytecodes.
    pub bytecodes: u64,
    /// Objects.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Bytecodes of others that threads wait for.
    pub waiting: u64,
    /// How it is estimated.
    pub how: String,
}

/// Something behind a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// The subject.
    pub what: String,
    /// Line by line.
    pub rows: Vec<String>,
}

/// A cause.
#[derive(Clone, Debug, Serialize)]
pub struct Claim {
    /// Its way down the hierarchy of why, as `interpretation`, `quadratic loop`.
    pub why: Vec<String>,
    /// In a sentence.
    pub title: String,
    /// Where.
    pub place: Place,
    /// When: numbers of phases, with thousandths of what it executes.
    pub phases: Vec<(usize, u64)>,
    /// How sure it is.
    pub sure: Confidence,
    /// Figures with their names.
    pub figures: Vec<(String, String)>,
    /// The evidence for it.
    pub evidence: Vec<Evidence>,
    /// What could be saved.
    pub saving: Saving,
    /// The contexts it is about, each with all below it.
    #[serde(skip)]
    pub tops: Vec<u32>,
}

impl Claim {
    /// The score that ranks it.
    pub fn score(&self) -> u64 {
        self.saving.cost / 100 * self.sure.weight()
    }
}

/// A number in groups of three digits.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(d);
    }
    out
}

/// A number of times.
pub fn times(n: u64) -> String {
    match n {
        1 => "once".into(),
        n => format!("{} times", grouped(n)),
    }
}

/// Thousandths as per cent.
pub fn percent(permille: u64) -> String {
    match permille {
        p if p.is_multiple_of(10) || p >= 100 => format!("{} %", (p + 5) / 10),
        p => format!("{}.{} %", p / 10, p % 10),
    }
}

/// Thousandths that a part is of a whole.
pub fn permille(part: u64, whole: u64) -> u64 {
    match whole {
        0 => 0,
        whole => (u128::from(part) * 1000 / u128::from(whole)) as u64,
    }
}

/// `per` as a decimal number with one digit.
pub fn each(sum: u64, n: u64) -> String {
    let tenths = u128::from(sum) * 10 / u128::from(n.max(1));
    match tenths {
        t if t >= 1000 => grouped((t / 10) as u64),
        t => format!("{}.{}", t / 10, t % 10),
    }
}
