//! Parts of an exploration, each for one machine.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Part `index` of `count`, counted from 1; written `1/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: u32,
    count: u32,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    /// Which part it is, counted from 1.
    pub fn index(self) -> u32 {
        self.index
    }

    /// How many parts there are.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Whether a schedule, by its number, belongs to it.
    pub fn has(self, number: u64) -> bool {
        number % u64::from(self.count) == u64::from(self.index) - 1
    }

    /// Its part of the names: each n-th, in their order.
    pub fn of(self, names: Vec<String>) -> Vec<String> {
        let mine = |(i, name)| self.has(i).then_some(name);
        (0..).zip(names).filter_map(mine).collect()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// The error for a file that is not a part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid part {0:?}: expected I/N, such as 1/4")]
pub struct ShardError(String);

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let number = |s: &str| match s.bytes().all(|b| b.is_ascii_digit()) {
            true => s.parse().ok(),
            false => None,
        };
        let parts = text.split_once('/');
        let parts = parts.and_then(|(i, n)| Some((number(i)?, number(n)?)));
        match parts {
            Some((index, count)) if 1 <= index && index <= count => Ok(Shard { index, count }),
            _ => Err(ShardError(text.into())),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Shard, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_schedule_belongs_to_one_part() {
        let parts: Vec<Shard> = (1..=4)
            .map(|i| format!("{i}/4").parse().expect("a part"))
            .collect();
        for number in 0..100 {
            assert_eq!(parts.iter().filter(|p| p.has(number)).count(), 1);
            assert!(Shard::WHOLE.has(number));
        }
        let names: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        let part = |text: &str| text.parse::<Shard>().expect("a part").of(names.clone());
        assert_eq!(part("1/2"), ["a", "c", "e"]);
        assert_eq!(part("2/2"), ["b", "d"]);
        assert_eq!(part("7/9"), [] as [&str; 0]);
        for wrong in ["", "1", "0/3", "4/3", "1/0", "-1/3", "+1/3", "1/3/5", "a/b"] {
            let error = wrong.parse::<Shard>().unwrap_err().to_string();
            assert_eq!(
                error,
                format!("invalid part {wrong:?}: expected I/N, such as 1/4")
            );
        }
    }
}
