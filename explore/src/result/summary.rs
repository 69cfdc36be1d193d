//! What all schedules of an exploration, or of a part of it, came to.

use super::{Outcome, Shard};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of the file.
const VERSION: u32 = 1;

/// What is explored: the same for all parts of an exploration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exploration {
    /// The arguments that say what is run.
    pub arguments: Vec<String>,
    /// The strategy.
    pub strategy: String,
    /// The seed.
    pub seed: u64,
    /// Where the scheduling points are.
    pub points: String,
    /// The memory model.
    pub memory: String,
    /// The version of the JDK.
    pub jdk: String,
    /// Of all that decides what the program does.
    pub digest: String,
    /// Whether schedules that write something else than others fail.
    pub same_output: bool,
}

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
pub struct Found {
    /// The first of them.
    pub number: u64,
    /// How many there are.
    pub count: u64,
    /// How the first ended.
    pub outcome: Outcome,
    /// Its schedule, as a file; empty if it was not kept.
    pub schedule: String,
    /// Whether the schedule is the smallest that was found to fail so.
    pub minimised: bool,
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

    /// Two races between the same places in the program are the same.
    fn key(&self) -> [(&[String], bool); 2] {
        let mut key = [&self.first, &self.second].map(|a| (&a.stack[..], a.write));
        key.sort();
        key
    }
}

/// What schedules wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// The first that wrote it.
    pub number: u64,
    /// How many did.
    pub count: u64,
    /// What it was, as far as it is kept.
    pub text: String,
}

/// What all schedules came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    version: u32,
    /// What was explored.
    pub exploration: Exploration,
    /// Which parts of it.
    pub shards: BTreeSet<Shard>,
    /// How many schedules.
    pub schedules: u64,
    /// How many of them were left off because they would have repeated others.
    pub redundant: u64,
    /// Whether there are no others, within the limits.
    pub exhausted: bool,
    /// Scheduling points by schedule.
    pub points: Range,
    /// Bytecodes by schedule.
    pub bytecodes: Range,
    /// How many schedules ended how, by [`Outcome::signature`].
    pub outcomes: BTreeMap<String, u64>,
    /// What failed, by the first schedule.
    pub failures: Vec<Found>,
    /// Data races, by the first schedule.
    pub races: Vec<RaceFound>,
    /// What schedules wrote, by digest.
    pub outputs: BTreeMap<String, Output>,
}

/// A text that is no summary.
#[derive(Debug, thiserror::Error)]
pub enum SummaryError {
    /// It is no JSON, or has other members.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// It was written by another version.
    #[error("version {0} of summaries is not known, only {VERSION}")]
    Version(u64),
}

/// Summaries that can't be joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// There are none.
    #[error("there is nothing to merge")]
    Nothing,
    /// They are of different explorations.
    #[error("the explorations differ in {0}: {1} and {2}")]
    Differ(&'static str, String, String),
    /// A part is there twice.
    #[error("part {0} is there twice")]
    Twice(Shard),
    /// They were cut up differently.
    #[error("{0} and {1} are not parts of one whole")]
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
            points: Range::default(),
            bytecodes: Range::default(),
            outcomes: BTreeMap::new(),
            failures: Vec::new(),
            races: Vec::new(),
            outputs: BTreeMap::new(),
        }
    }

    /// Takes in a schedule. Whether it failed as none before it, by number or in time, so that its schedule should be kept.
    pub fn add(&mut self, number: u64, outcome: &Outcome, points: u64, bytecodes: u64) -> bool {
        self.points.add(points, self.schedules == 0);
        self.bytecodes.add(bytecodes, self.schedules == 0);
        self.schedules += 1;
        *self.outcomes.entry(outcome.signature()).or_default() += 1;
        outcome.is_failure()
            && self.found(Found {
                number,
                count: 1,
                outcome: outcome.clone(),
                schedule: String::new(),
                minimised: false,
            })
    }

    /// Takes in a schedule that was left off because it would have repeated another.
    pub fn add_redundant(&mut self) {
        self.redundant += 1;
    }

    /// Takes in what a schedule wrote: the text's digest, and the text as far as it is to be kept.
    pub fn add_output(&mut self, number: u64, digest: &str, text: &str) {
        let output = Output {
            number,
            count: 1,
            text: text.into(),
        };
        self.wrote(digest.into(), output);
    }

    /// Takes in a race of a schedule.
    pub fn add_race(&mut self, race: RaceFound) {
        match self.races.iter_mut().find(|r| r.key() == race.key()) {
            Some(known) => {
                let count = known.count + race.count;
                if race.number < known.number {
                    *known = race;
                }
                known.count = count;
            }
            None => self.races.push(race),
        }
        self.races
            .sort_by(|a, b| (a.number, a.key()).cmp(&(b.number, b.key())));
    }

    /// Keeps the schedule of a failure.
    pub fn keep(&mut self, signature: &str, schedule: String, minimised: bool) {
        let mut failures = self.failures.iter_mut();
        if let Some(found) = failures.find(|f| f.outcome.signature() == signature) {
            found.schedule = schedule;
            found.minimised = minimised;
        }
    }

    /// Schedules that wrote something else than the first one; what the first one wrote is expected. Only if the exploration asks for
    /// the same output.
    pub fn different_outputs(&self) -> Vec<(u64, Outcome)> {
        if !self.exploration.same_output {
            return Vec::new();
        }
        let mut outputs: Vec<&Output> = self.outputs.values().collect();
        outputs.sort_by_key(|o| o.number);
        let Some((first, others)) = outputs.split_first() else {
            return Vec::new();
        };
        let different = others.iter().map(|o| {
            let outcome = Outcome::Output {
                other: first.number,
                expected: first.text.clone(),
                got: o.text.clone(),
            };
            (o.number, outcome)
        });
        different.collect()
    }

    /// Whether anything failed.
    pub fn has_failed(&self) -> bool {
        !self.failures.is_empty() || !self.different_outputs().is_empty()
    }

    /// Parts of the whole that are not in it.
    pub fn missing(&self) -> Vec<u32> {
        let count = self.shards.iter().map(|s| s.count()).max().unwrap_or(0);
        let has = |i: &u32| self.shards.iter().any(|s| s.index() == *i);
        (1..=count).filter(|i| !has(i)).collect()
    }

    fn found(&mut self, found: Found) -> bool {
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
        let key = |f: &Found| (f.number, f.outcome.signature());
        self.failures.sort_by_key(key);
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

    /// Joins parts of an exploration. The result does not depend on their order.
    pub fn merge(parts: impl IntoIterator<Item = Summary>) -> Result<Summary, MergeError> {
        let mut parts = parts.into_iter();
        let mut whole = parts.next().ok_or(MergeError::Nothing)?;
        for part in parts {
            whole.join(part)?;
        }
        Ok(whole)
    }

    fn join(&mut self, part: Summary) -> Result<(), MergeError> {
        same(&self.exploration, &part.exploration)?;
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

fn same(a: &Exploration, b: &Exploration) -> Result<(), MergeError> {
    let differ = |what, a: String, b: String| match a == b {
        true => Ok(()),
        false => Err(MergeError::Differ(what, a, b)),
    };
    differ("what is run", a.arguments.join(" "), b.arguments.join(" "))?;
    differ("the strategy", a.strategy.clone(), b.strategy.clone())?;
    differ("the seed", a.seed.to_string(), b.seed.to_string())?;
    differ("the scheduling points", a.points.clone(), b.points.clone())?;
    differ("the memory model", a.memory.clone(), b.memory.clone())?;
    differ("the JDK", a.jdk.clone(), b.jdk.clone())?;
    differ("the digest", a.digest.clone(), b.digest.clone())?;
    let output = |e: &Exploration| match e.same_output {
        true => "the same",
        false => "any",
    };
    differ("the output asked for", output(a).into(), output(b).into())
}
