//! The subject of an exploration. Parts made on several machines belong together if it is the same.

use super::MergeError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The subject of an exploration: the same for all its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exploration {
    /// The name of the program.
    pub program: String,
    /// The arguments that name the program to run.
    pub arguments: Vec<String>,
    /// The strategy.
    pub strategy: String,
    /// How many schedules at most.
    pub iterations: u64,
    /// The seed.
    pub seed: u64,
    /// Where the scheduling points are.
    pub points: String,
    /// The memory model.
    pub memory: String,
    /// When the time of a wait may be over.
    pub timeouts: String,
    /// Whether threads may be woken for no reason.
    #[serde(default)]
    pub spurious: bool,
    /// Whether each schedule has its own random numbers.
    #[serde(default)]
    pub random: bool,
    /// How many bytecodes a schedule may have.
    pub max_bytecodes: u64,
    /// Whether all schedules are run even if one fails.
    pub keep_going: bool,
    /// Whether schedules that write something else than the first one fail.
    pub same_output: bool,
    /// Whose data races are looked for; empty: nobody's.
    pub races: String,
    /// The oracle that checks the output of a schedule; empty: none.
    pub oracle: String,
    /// The version of the JDK.
    pub jdk: String,
    /// Of all that decides what the program does.
    pub digest: String,
}

impl Exploration {
    /// Whether the other is the same; if not, in what they differ.
    pub(super) fn same(&self, other: &Exploration) -> Result<(), MergeError> {
        let members = |e: &Exploration| match serde_json::to_value(e) {
            Ok(Value::Object(members)) => members,
            _ => serde_json::Map::new(),
        };
        let (own, others) = (members(self), members(other));
        let shown = |v: &Value| match v {
            Value::String(text) => text.clone(),
            Value::Array(words) => {
                let words = words.iter().filter_map(Value::as_str);
                words.collect::<Vec<_>>().join(" ")
            }
            other => other.to_string(),
        };
        for (name, value) in own {
            let there = &others[&name];
            if *there != value {
                let name = name.replace('_', " ");
                return Err(MergeError::Differ(name, shown(&value), shown(there)));
            }
        }
        Ok(())
    }
}
