//! The options of `rjvm search`.

use rjvm_why::search::Settings;

/// The requested search.
#[derive(Clone, Debug)]
pub struct SearchSettings {
    /// How the search decides.
    pub settings: Settings,
    /// What bottlenecks use.
    pub metric: SearchMetric,
    /// Whether methods of the class library are searched.
    pub library: bool,
    /// Bytecodes between two decisions.
    pub interval: i64,
    /// Files for the results.
    pub outputs: Vec<String>,
}

/// What bottlenecks use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMetric {
    /// Bytecodes executed.
    Bytecodes,
    /// Bytes allocated.
    Allocations,
    /// Bytecodes that others execute while a thread waits for a lock.
    Contention,
    /// Nanoseconds.
    Wall,
}

impl SearchMetric {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            SearchMetric::Bytecodes => "bytecodes",
            SearchMetric::Allocations => "bytes allocated",
            SearchMetric::Contention => "bytecodes waited for",
            SearchMetric::Wall => "nanoseconds",
        }
    }
}
