//! The subject of an exploration, and its method.

use rjvm_explore::dpor::Limits;
use rjvm_explore::result::Shard;
use rjvm_explore::{Method, Random};
use rjvm_explorer::SchedulingPoints;
use std::time::Duration;

/// Bytecodes that may come before a second thread is started: nothing that is explored, but it must have an end.
pub const PRELUDE: u64 = 10_000_000_000;

/// The time of a wait may be over as soon as it has begun.
pub const ANY: &str = "any";
/// It has ended only when nothing else can continue.
pub const LAST: &str = "last";

/// The subject of an exploration, and its method.
#[derive(Clone, Debug)]
pub struct ExploreSettings {
    /// How schedules are chosen.
    pub method: Method,
    /// Schedules at most.
    pub iterations: u64,
    /// Time at most.
    pub time: Option<Duration>,
    /// Everything is a function of it.
    pub seed: u64,
    /// The part of the schedules that is run here.
    pub shard: Shard,
    /// Where the scheduling points are.
    pub points: SchedulingPoints,
    /// Reads find what the memory model permits.
    pub jmm: bool,
    /// The limits of an exhaustive exploration.
    pub limits: Limits,
    /// The time of a wait has ended only when nothing else can continue.
    pub late: bool,
    /// What the program finds on its standard input, each schedule from the beginning of it; none: nothing.
    pub input: Option<std::path::PathBuf>,
    /// Each schedule works in a copy of the working folder.
    pub own_folder: bool,
    /// Threads may be woken for no reason.
    pub spurious: bool,
    /// Each schedule except the first has its own random numbers.
    pub random: bool,
    /// Bytecodes after which a schedule counts as endless.
    pub max_bytecodes: u64,
    /// Bytecodes that may come before the second thread.
    pub prelude: u64,
    /// Continues after a failure.
    pub keep_going: bool,
    /// A schedule whose output is not the first one's fails.
    pub same_output: bool,
    /// Looks for data races.
    pub races: bool,
    /// Those of the class library's own code, too.
    pub all_races: bool,
    /// Processes at once.
    pub jobs: usize,
    /// A command that decides whether the output of a schedule is right.
    pub oracle: Option<String>,
    /// It is a test of a program that is explored; those that have failed before it.
    pub test: Option<Vec<String>>,
}

impl ExploreSettings {
    /// What the random numbers of a schedule are made from; 0: of nothing else than they are otherwise.
    pub(super) fn random_of(&self, number: u64) -> u64 {
        match self.random && number > 0 {
            true => Random::new(self.seed, !number).bits(),
            false => 0,
        }
    }
}
