//! The strategies' names.

use super::Strategy;
use super::{mixed::Mixed, pct::Pct, pos::Pos, preempt::Preempt, quanta::Quanta, walk::RandomWalk};
use std::fmt;
use std::str::FromStr;

/// How schedules are chosen, as a command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// `random`: the uniform random walk.
    Random,
    /// `pct:D`: PCT of depth D; `pct` is of depth 3.
    Pct(u32),
    /// `pos`: partial order sampling.
    Pos,
    /// `preempt:N`: threads are interrupted at N places; `preempt` is 2.
    Preempt(u32),
    /// `mixed`: partial order sampling, PCT of depth 3 and a few preemptions in turns.
    Mixed,
    /// `quanta:N`: round robin, N points on average; `quanta` is 10.
    Quanta(u64),
    /// `dpor` or `exhaustive`: all schedules that differ in the order of dependent operations.
    Exhaustive,
}

impl Method {
    /// The names, for help and errors.
    pub const NAMES: &'static str =
        "mixed, pos, pct[:DEPTH], preempt[:PLACES], random, quanta[:POINTS], dpor";

    /// The strategy; `None` for [`Method::Exhaustive`], whose schedules are planned one after the other.
    pub fn strategy(self) -> Option<Box<dyn Strategy>> {
        match self {
            Method::Random => Some(Box::<RandomWalk>::default()),
            Method::Pct(depth) => Some(Box::new(Pct::new(depth))),
            Method::Preempt(most) => Some(Box::new(Preempt::new(most))),
            Method::Mixed => Some(Box::<Mixed>::default()),
            Method::Pos => Some(Box::<Pos>::default()),
            Method::Quanta(mean) => Some(Box::new(Quanta::new(mean))),
            Method::Exhaustive => None,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Random => f.write_str("random"),
            Method::Pct(depth) => write!(f, "pct:{depth}"),
            Method::Mixed => f.write_str("mixed"),
            Method::Preempt(most) => write!(f, "preempt:{most}"),
            Method::Pos => f.write_str("pos"),
            Method::Quanta(mean) => write!(f, "quanta:{mean}"),
            Method::Exhaustive => f.write_str("dpor"),
        }
    }
}

/// A name that is none of [`Method::NAMES`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MethodError {
    /// Not the name of a strategy.
    #[error("unknown strategy {0:?}: the strategies are {names}", names = Method::NAMES)]
    Unknown(String),
    /// The text behind the colon.
    #[error("strategy {0}: {1:?} is not a number from 1 to {2}")]
    Number(&'static str, String, u64),
}

impl FromStr for Method {
    type Err = MethodError;

    fn from_str(text: &str) -> Result<Method, MethodError> {
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name, Some(number)),
            None => (text, None),
        };
        let within = |name, default, max: u64| match number {
            None => Ok(default),
            Some(digits) => {
                let n = digits.parse().ok().filter(|n| (1..=max).contains(n));
                n.ok_or_else(|| MethodError::Number(name, digits.into(), max))
            }
        };
        match (name, number) {
            ("random", None) => Ok(Method::Random),
            ("mixed", None) => Ok(Method::Mixed),
            ("pos", None) => Ok(Method::Pos),
            ("dpor" | "exhaustive", None) => Ok(Method::Exhaustive),
            ("pct", _) => Ok(Method::Pct(within("pct", 3, 100)? as u32)),
            ("preempt", _) => Ok(Method::Preempt(within("preempt", 2, 100)? as u32)),
            ("quanta", _) => Ok(Method::Quanta(within("quanta", 10, 1 << 40)?)),
            _ => Err(MethodError::Unknown(text.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let all = [
            "random",
            "pct:3",
            "preempt:4",
            "pos",
            "mixed",
            "quanta:25",
            "dpor",
        ];
        for name in all {
            assert_eq!(name.parse::<Method>().unwrap().to_string(), name);
        }
        assert_eq!("pct".parse(), Ok(Method::Pct(3)));
        assert_eq!("exhaustive".parse(), Ok(Method::Exhaustive));
        for (wrong, message) in [
            ("pct:0", "strategy pct: \"0\" is not a number from 1 to 100"),
            (
                "quanta:x",
                "strategy quanta: \"x\" is not a number from 1 to 1099511627776",
            ),
            (
                "pos:1",
                "unknown strategy \"pos:1\": the strategies are mixed, pos, pct[:DEPTH], preempt[:PLACES], random, quanta[:POINTS], dpor",
            ),
        ] {
            assert_eq!(wrong.parse::<Method>().unwrap_err().to_string(), message);
        }
    }
}
