//! What all schedules of an exploration, or of a part of it, came to.

use super::{Exploration, Outcome, Shard};
use crate::Method;
use crate::report::Failure;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of the file.
const VERSION: u32 = 1;

/// Kinds of failures whose schedules are stored: the first ones.
pub const KEPT: usize = 10;
/// Different outputs that are stored, in the same way.
const OUTPUTS: usize = 100;
/// Characters of an output that are stored.
const SHOWN: usize = 4000;

/// The least, the most and the sum of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    /// The smallest.
    pub least: u64,
    /// The largest.
    pub most: u64,
    /// All together.
    pub sum: u64,
}

/// Schedules that fail in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureGroup {
    /// The first of them.
    pub number: u64,
    /// How many there are.
    pub count: u64,
    /// How the first ended.
    pub outcome: Outcome,
    /// Its schedule, made as short as possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<FailingSchedule>,
}

/// A schedule that fails, to be looked at and run again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailingSchedule {
    /// The name of its file.
    pub file: String,
    /// The content of the file.
    pub schedule: String,
    /// What happens in it.
    pub failure: Failure,
}

/// One of the two accesses of a race.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RaceAccess {
    /// Who.
    pub thread: super::Thread,
    /// Whether it stores.
    pub write: bool,
    /// Where, the innermost frame first.
    pub stack: Vec<String>,
}

/// A data race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaceFound {
    /// The variable.
    pub place: String,
    /// The access that came first in the first schedule that had it.
    pub first: RaceAccess,
    /// The other.
    pub second: RaceAccess,
    /// The first schedule that had it.
    pub number: u64,
    /// How many had it.
    pub count: u64,
}

impl RaceFound {
    /// Whether both accesses are in lines of which this is so.
    pub fn is_in(&self, line: impl Fn(&str) -> bool) -> bool {
        self.lines().iter().all(|l| line(l))
    }

    /// The innermost lines of both, in an order that does not depend on which came first.
    pub fn lines(&self) -> [String; 2] {
        let mut lines =
            [&self.first, &self.second].map(|a| a.stack.first().cloned().unwrap_or_default());
        lines.sort();
        lines
    }
}

/// What schedules wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// The first that wrote it.
    pub number: u64,
    /// How many did.
    pub count: u64,
    /// The beginning of it, of the first ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What all schedules came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    version: u32,
    /// The subject of the exploration.
    pub exploration: Exploration,
    /// Which parts of it.
    pub shards: BTreeSet<Shard>,
    /// How many schedules.
    pub schedules: u64,
    /// How many of them were left off because they would have repeated others.
    pub redundant: u64,
    /// Whether there are no others, within the limits.
    pub exhausted: bool,
    /// Threads of the program, at most.
    pub threads: u32,
    /// Scheduling points by schedule.
    pub points: Range,
    /// Bytecodes by schedule.
    pub bytecodes: Range,
    /// How many schedules ended how, by [`Outcome::signature`].
    pub outcomes: BTreeMap<String, u64>,
    /// What failed, by the first schedule.
    pub failures: Vec<FailureGroup>,
    /// Data races, by the first schedule; each pair of lines once.
    pub races: Vec<RaceFound>,
    /// Pairs of lines of the class library that race.
    pub library_races: BTreeSet<[String; 2]>,
    /// What schedules wrote, by digest.
    pub outputs: BTreeMap<String, Output>,
    /// Hashes of the operations in their order: different hashes are different schedules.
    pub paths: BTreeSet<u64>,
    /// The paths that more than one schedule took.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub repeated: BTreeSet<u64>,
}

/// A text that is not a summary.
#[derive(Debug, thiserror::Error)]
pub enum SummaryError {
    /// It is not JSON, or has other members.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// It was written by another version.
    #[error("unknown version {0} of summaries: expected {VERSION}")]
    Version(u64),
}

/// Summaries that cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// There are none.
    #[error("there is nothing to merge")]
    Nothing,
    /// They are of different explorations.
    #[error("the explorations differ in {0}: {1} and {2}")]
    Differ(String, String, String),
    /// A part is there twice.
    #[error("part {0} occurs twice")]
    Twice(Shard),
    /// They were cut up differently.
    #[error("{0} and {1} are not parts of one exploration")]
    Counts(Shard, Shard),
}

impl Range {
    /// Takes in a number.
    fn add(&mut self, n: u64, first: bool) {
        self.join(
            Range {
                least: n,
                most: n,
                sum: n,
            },
            first,
        );
    }

    fn join(&mut self, other: Range, first: bool) {
        self.least = if first {
            other.least
        } else {
            self.least.min(other.least)
        };
        self.most = self.most.max(other.most);
        self.sum += other.sum;
    }
}

impl Summary {
    /// Of no schedules yet.
    pub fn new(exploration: Exploration, shard: Shard) -> Summary {
        Summary {
            version: VERSION,
            exploration,
            shards: BTreeSet::from([shard]),
            schedules: 0,
            redundant: 0,
            exhausted: false,
            threads: 0,
            paths: BTreeSet::new(),
            repeated: BTreeSet::new(),
            points: Range::default(),
            bytecodes: Range::default(),
            outcomes: BTreeMap::new(),
            failures: Vec::new(),
            races: Vec::new(),
            library_races: BTreeSet::new(),
            outputs: BTreeMap::new(),
        }
    }

    /// Takes in the path of a schedule.
    pub fn took(&mut self, path: u64) {
        if !self.paths.insert(path) {
            self.repeated.insert(path);
        }
    }

    /// The probability that one more schedule takes a new path: the share of the schedules whose path no other took (Good
    /// and Turing's estimate). `None` if the next schedule is not drawn like these: all have been run, or they were planned.
    pub fn unseen(&self) -> Option<f64> {
        let drawn = self.schedules > 1
            && !self.exhausted
            && self.exploration.strategy != Method::Exhaustive.to_string();
        let once = self.paths.len().saturating_sub(self.repeated.len());
        drawn.then(|| once as f64 / self.schedules as f64)
    }

    /// Takes in a schedule. Whether it failed as none with a lower number did, so that it should be shown.
    pub fn add(&mut self, number: u64, outcome: &Outcome, points: u64, bytecodes: u64) -> bool {
        self.points.add(points, self.schedules == 0);
        self.bytecodes.add(bytecodes, self.schedules == 0);
        self.schedules += 1;
        *self.outcomes.entry(outcome.signature()).or_default() += 1;
        outcome.is_failure()
            && self.found(FailureGroup {
                number,
                count: 1,
                outcome: outcome.clone(),
                shown: None,
            })
    }

    /// Takes in a schedule that was left off because it would have repeated another.
    pub fn add_redundant(&mut self) {
        self.redundant += 1;
    }

    /// Takes in what a schedule wrote.
    pub fn add_output(&mut self, number: u64, written: &[u8]) {
        let digest = written.iter().fold(0xcbf2_9ce4_8422_2325, |h: u64, &b| {
            (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let text = String::from_utf8_lossy(written);
        let output = Output {
            number,
            count: 1,
            text: Some(text.chars().take(SHOWN).collect()),
        };
        self.wrote(format!("{digest:016x}"), output);
        self.keep_first_outputs();
    }

    /// Takes in the races of a schedule.
    pub fn add_races(&mut self, races: Vec<RaceFound>) {
        // different stacks that lead to one pair of lines are one race
        let mut seen = BTreeSet::new();
        for race in races {
            if seen.insert(race.lines()) {
                self.add_race(race);
            }
        }
    }

    fn add_race(&mut self, race: RaceFound) {
        match self.races.iter_mut().find(|r| r.lines() == race.lines()) {
            Some(known) => {
                let count = known.count + race.count;
                if race.number < known.number {
                    *known = race;
                }
                known.count = count;
            }
            None => self.races.push(race),
        }
        self.races.sort_by_cached_key(|r| (r.number, r.lines()));
    }

    /// Shows a failure.
    pub fn show(&mut self, signature: &str, shown: FailingSchedule) {
        let mut failures = self.failures.iter_mut();
        if let Some(found) = failures.find(|f| f.outcome.signature() == signature) {
            found.shown = Some(shown);
        }
    }

    /// Writes the schedules that failed into the current folder.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write_schedules(&self) -> std::io::Result<()> {
        for shown in self.failures.iter().filter_map(|f| f.shown.as_ref()) {
            // a name, not a path: files of others say nothing of where things are written here
            let name = shown.file.rsplit('/').next().unwrap_or_default();
            std::fs::write(name, &shown.schedule)?;
        }
        Ok(())
    }

    /// How many schedules failed.
    pub fn failed(&self) -> u64 {
        self.failures.iter().map(|f| f.count).sum()
    }

    /// Whether there is anything wrong.
    pub fn has_failed(&self) -> bool {
        !self.failures.is_empty() || !self.races.is_empty()
    }

    /// Parts of the whole that are not in it.
    pub fn missing(&self) -> Vec<u32> {
        let count = self.shards.iter().map(|s| s.count()).max().unwrap_or(0);
        let has = |i: &u32| self.shards.iter().any(|s| s.index() == *i);
        (1..=count).filter(|i| !has(i)).collect()
    }

    fn found(&mut self, found: FailureGroup) -> bool {
        let signature = found.outcome.signature();
        let known = self.failures.iter_mut();
        let first = match known
            .into_iter()
            .find(|f| f.outcome.signature() == signature)
        {
            Some(known) => {
                let count = known.count + found.count;
                let first = found.number < known.number;
                if first {
                    *known = found;
                }
                known.count = count;
                first
            }
            None => {
                self.failures.push(found);
                true
            }
        };
        let key = |f: &FailureGroup| (f.number, f.outcome.signature());
        self.failures.sort_by_cached_key(key);
        for late in self.failures.iter_mut().skip(KEPT) {
            late.shown = None;
        }
        first
    }

    fn wrote(&mut self, digest: String, output: Output) {
        match self.outputs.get_mut(&digest) {
            Some(known) => {
                let count = known.count + output.count;
                if output.number < known.number {
                    *known = output;
                }
                known.count = count;
            }
            None => {
                self.outputs.insert(digest, output);
            }
        }
    }

    /// Outputs by the first schedule, the texts of the first ones only.
    fn keep_first_outputs(&mut self) {
        let mut kept: Vec<&mut Output> = self.outputs.values_mut().collect();
        kept.retain(|o| o.text.is_some());
        if kept.len() > OUTPUTS {
            kept.sort_by_key(|o| o.number);
            kept.into_iter()
                .skip(OUTPUTS)
                .for_each(|late| late.text = None);
        }
    }

    /// Joins parts of an exploration. The result does not depend on their order.
    pub fn merge(parts: impl IntoIterator<Item = Summary>) -> Result<Summary, MergeError> {
        let mut parts = parts.into_iter();
        let mut whole = parts.next().ok_or(MergeError::Nothing)?;
        for part in parts {
            whole.join(part)?;
        }
        if whole.missing().is_empty() {
            whole.shards = BTreeSet::from([Shard::WHOLE]);
        }
        Ok(whole)
    }

    fn join(&mut self, part: Summary) -> Result<(), MergeError> {
        self.exploration.same(&part.exploration)?;
        for &shard in &part.shards {
            if let Some(&other) = self.shards.iter().find(|s| s.count() != shard.count()) {
                return Err(MergeError::Counts(other.min(shard), other.max(shard)));
            }
            if !self.shards.insert(shard) {
                return Err(MergeError::Twice(shard));
            }
        }
        if part.schedules > 0 {
            self.points.join(part.points, self.schedules == 0);
            self.bytecodes.join(part.bytecodes, self.schedules == 0);
        }
        self.schedules += part.schedules;
        self.redundant += part.redundant;
        self.exhausted &= part.exhausted;
        self.threads = self.threads.max(part.threads);
        self.repeated.extend(part.repeated);
        part.paths.into_iter().for_each(|path| self.took(path));
        self.library_races.extend(part.library_races);
        for (signature, n) in part.outcomes {
            *self.outcomes.entry(signature).or_default() += n;
        }
        for found in part.failures {
            self.found(found);
        }
        for race in part.races {
            self.add_race(race);
        }
        for (digest, output) in part.outputs {
            self.wrote(digest, output);
        }
        self.keep_first_outputs();
        Ok(())
    }

    /// As JSON, its members in order, two spaces a level.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        json.expect("all keys are strings") + "\n"
    }

    /// Reads what [`Summary::to_json`] writes.
    pub fn from_json(text: &str) -> Result<Summary, SummaryError> {
        // of another version nothing else need be as it is here
        #[derive(Deserialize)]
        struct Version {
            version: u64,
        }
        let Version { version } = serde_json::from_str(text)?;
        if version != u64::from(VERSION) {
            return Err(SummaryError::Version(version));
        }
        Ok(serde_json::from_str(text)?)
    }
}
