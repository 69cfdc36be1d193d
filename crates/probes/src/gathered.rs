//! The entry of a map's key: a value, or an aggregate of many values.

use crate::builtins::Gather;
use crate::code::MapInfo;
use crate::value::{Part, Val};

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Num {
    Int(i64),
    Float(f64),
}

impl Num {
    pub fn float(self) -> f64 {
        match self {
            Num::Int(n) => n as f64,
            Num::Float(x) => x,
        }
    }

    pub fn int(self) -> i64 {
        match self {
            Num::Int(n) => n,
            Num::Float(x) => x as i64,
        }
    }

    pub fn val(self) -> Val {
        match self {
            Num::Int(n) => Val::Int(n),
            Num::Float(x) => Val::Float(x),
        }
    }

    fn less(self, other: Num) -> bool {
        match (self, other) {
            (Num::Int(a), Num::Int(b)) => a < b,
            (a, b) => a.float() < b.float(),
        }
    }
}

/// A sum: of integers exact, beyond `long` too.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    int: i128,
    float: f64,
    is_float: bool,
}

impl Sum {
    #[inline]
    fn add_int(&mut self, n: i64) {
        self.int += i128::from(n);
    }

    fn add(&mut self, n: Num) {
        match n {
            Num::Int(n) => self.int += i128::from(n),
            Num::Float(x) => {
                self.float += x;
                self.is_float = true;
            }
        }
    }

    pub fn num(self) -> Num {
        match (self.is_float, i64::try_from(self.int)) {
            (false, Ok(n)) => Num::Int(n),
            _ => Num::Float(self.int as f64 + self.float),
        }
    }
}

/// What a key has.
#[derive(Clone, Debug, PartialEq)]
pub enum Slot {
    Value(Part),
    Count(i64),
    Sum(Sum),
    Min(Option<Num>),
    Max(Option<Num>),
    Avg(i64, Sum),
    Stats(Box<Stats>),
    /// Of `hist`, by power of two; of `lhist`, by step; of `quantiles`, by value.
    Buckets(Vec<u64>),
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    pub count: i64,
    pub sum: Sum,
    pub min: Option<Num>,
    pub max: Option<Num>,
}

impl Slot {
    pub fn new(map: &MapInfo) -> Slot {
        match map.gather {
            None => Slot::Value(Part::Null),
            Some(Gather::Count) => Slot::Count(0),
            Some(Gather::Sum) => Slot::Sum(Sum::default()),
            Some(Gather::Min) => Slot::Min(None),
            Some(Gather::Max) => Slot::Max(None),
            Some(Gather::Avg) => Slot::Avg(0, Sum::default()),
            Some(Gather::Stats) => Slot::Stats(Box::default()),
            Some(Gather::Hist | Gather::Lhist | Gather::Quantiles) => Slot::Buckets(Vec::new()),
        }
    }

    /// Bytes that a slot of a map takes at most, beside itself.
    pub fn most_bytes(map: &MapInfo) -> usize {
        match map.gather {
            Some(Gather::Hist) => POWERS * 8,
            Some(Gather::Quantiles) => QUANTILES * 8,
            Some(Gather::Lhist) => (steps(map.range) + 2) * 8,
            Some(Gather::Stats) => size_of::<Stats>(),
            _ => 0,
        }
    }

    /// Adds an integer where that is soon done. False: it is not, and has not been.
    #[inline(always)]
    pub fn add_int(&mut self, gather: Gather, n: i64) -> bool {
        match self {
            Slot::Count(count) => *count += 1,
            Slot::Sum(sum) => sum.add_int(n),
            Slot::Min(Some(Num::Int(min))) => *min = n.min(*min),
            Slot::Max(Some(Num::Int(max))) => *max = n.max(*max),
            Slot::Avg(count, sum) => {
                *count += 1;
                sum.add_int(n);
            }
            Slot::Buckets(buckets) => {
                let at = match gather {
                    Gather::Hist => power_bucket(n),
                    Gather::Quantiles => quantile_bucket(n),
                    _ => return false,
                };
                let Some(count) = buckets.get_mut(at) else {
                    return false;
                };
                *count += 1;
            }
            _ => return false,
        }
        true
    }

    pub fn add(&mut self, map: &MapInfo, n: Num) {
        match self {
            Slot::Value(_) => {}
            Slot::Count(count) => *count += 1,
            Slot::Sum(sum) => sum.add(n),
            Slot::Min(min) => keep(min, n, n),
            Slot::Max(max) => *max = Some(max.filter(|m| !m.less(n)).unwrap_or(n)),
            Slot::Avg(count, sum) => {
                *count += 1;
                sum.add(n);
            }
            Slot::Stats(stats) => {
                stats.count += 1;
                stats.sum.add(n);
                keep(&mut stats.min, n, n);
                stats.max = Some(stats.max.filter(|m| !m.less(n)).unwrap_or(n));
            }
            Slot::Buckets(buckets) => {
                let n = n.int();
                let i = match map.gather {
                    Some(Gather::Lhist) => {
                        let (from, to, step) = map.range;
                        if n < from {
                            0
                        } else if n >= to {
                            steps(map.range) + 1
                        } else {
                            ((i128::from(n) - i128::from(from)) / i128::from(step)) as usize + 1
                        }
                    }
                    Some(Gather::Quantiles) => quantile_bucket(n),
                    _ => power_bucket(n),
                };
                if buckets.len() <= i {
                    buckets.resize(i + 1, 0);
                }
                buckets[i] += 1;
            }
        }
    }

    /// As a value in expressions.
    pub fn val(&self) -> Val {
        match self {
            Slot::Value(part) => part.val(),
            Slot::Count(n) => Val::Int(*n),
            Slot::Sum(sum) => sum.num().val(),
            Slot::Min(n) | Slot::Max(n) => n.map_or(Val::Null, Num::val),
            Slot::Avg(count, sum) => average(*count, *sum).map_or(Val::Null, Val::Float),
            Slot::Stats(_) | Slot::Buckets(_) => Val::Null,
        }
    }

    /// By what keys are sorted, largest first.
    pub fn weight(&self) -> f64 {
        match self {
            Slot::Value(Part::Bool(b)) => f64::from(u8::from(*b)),
            Slot::Stats(stats) => stats.count as f64,
            Slot::Buckets(buckets) => buckets.iter().sum::<u64>() as f64,
            slot => match slot.val() {
                Val::Int(n) => n as f64,
                Val::Float(x) => x,
                _ => 0.0,
            },
        }
    }
}

fn keep(min: &mut Option<Num>, n: Num, otherwise: Num) {
    *min = Some(min.filter(|m| !n.less(*m)).unwrap_or(otherwise));
}

pub fn average(count: i64, sum: Sum) -> Option<f64> {
    (count > 0).then(|| sum.num().float() / count as f64)
}

/// Steps of a linear histogram.
pub fn steps((from, to, step): (i64, i64, i64)) -> usize {
    let span = i128::from(to) - i128::from(from);
    ((span + i128::from(step) - 1) / i128::from(step.max(1))) as usize
}

/// Buckets by powers of two: below 0, 0, 1, 2 and 3, 4 to 7, …
const POWERS: usize = 66;

#[inline]
fn power_bucket(n: i64) -> usize {
    match n {
        ..0 => 0,
        0 => 1,
        n => 2 + n.ilog2() as usize,
    }
}

/// Buckets of quantiles: below 0, each number up to 63, then 32 for each power of two.
const QUANTILES: usize = 1 + 64 + 58 * 32;

#[inline]
fn quantile_bucket(n: i64) -> usize {
    match n {
        ..0 => 0,
        0..64 => 1 + n as usize,
        n => {
            let shift = n.ilog2() - 5;
            65 + (shift as usize - 1) * 32 + ((n >> shift) - 32) as usize
        }
    }
}

/// The greatest number in a bucket of quantiles.
fn quantile_value(bucket: usize) -> i64 {
    match bucket {
        0 => -1,
        1..65 => bucket as i64 - 1,
        _ => {
            let (power, part) = ((bucket - 65) / 32, (bucket - 65) % 32);
            let shift = power as u32 + 1;
            ((part as i64 + 33) << shift).wrapping_sub(1)
        }
    }
}

/// Quantiles: per mille, and what so many are at most.
pub fn quantiles(buckets: &[u64]) -> Vec<(u32, i64)> {
    let total: u64 = buckets.iter().sum();
    [500, 900, 990, 1000]
        .into_iter()
        .map(|mille: u32| {
            let rank = (u128::from(total) * u128::from(mille))
                .div_ceil(1000)
                .max(1) as u64;
            let mut seen = 0;
            let bucket = buckets.iter().position(|n| {
                seen += n;
                seen >= rank
            });
            (mille, bucket.map_or(0, quantile_value))
        })
        .collect()
}

/// Labels of the buckets that are shown, with their counts: from the first that is not empty to the last.
pub fn shown(map: &MapInfo, buckets: &[u64]) -> Vec<(String, u64)> {
    let first = buckets.iter().position(|n| *n > 0).unwrap_or(0);
    let labels = (first..buckets.len()).map(|i| match map.gather {
        Some(Gather::Lhist) => {
            let (from, to, step) = map.range;
            match i {
                0 => format!("(..., {from})"),
                i if i > steps(map.range) => format!("[{to}, ...)"),
                i => {
                    let low = i128::from(from) + (i as i128 - 1) * i128::from(step);
                    let high = (low + i128::from(step)).min(i128::from(to));
                    format!("[{low}, {high})")
                }
            }
        }
        _ => match i {
            0 => "(..., 0)".to_owned(),
            1 => "[0]".to_owned(),
            2 => "[1]".to_owned(),
            i => format!("[{}, {})", short(i - 2), short(i - 1)),
        },
    });
    labels
        .zip(buckets[first.min(buckets.len())..].iter().copied())
        .collect()
}

/// A power of two.
fn short(power: usize) -> String {
    let units = ["", "K", "M", "G", "T", "P", "E"];
    format!("{}{}", 1_u64 << (power % 10), units[(power / 10).min(6)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_of_quantiles_are_within_three_percent() {
        let mut last = 0;
        for n in (0..70_000).chain([1 << 40, (1 << 40) + 12_345, i64::MAX / 3, i64::MAX]) {
            let bucket = quantile_bucket(n);
            assert!(bucket >= last || n == 1 << 40, "{n}");
            last = bucket;
            let most = quantile_value(bucket);
            assert!(
                most >= n && most as f64 <= n as f64 * 1.032 + 0.5,
                "{n} {most}"
            );
            assert!(bucket < QUANTILES);
        }
        assert_eq!(quantile_bucket(-5), 0);
        assert!(power_bucket(i64::MAX) < POWERS);
    }

    #[test]
    fn quantiles_of_a_hundred_numbers() {
        let mut buckets = vec![0; QUANTILES];
        for n in 1..=100 {
            buckets[quantile_bucket(n)] += 1;
        }
        // 90, 99 and 100 share their buckets with their neighbours.
        assert_eq!(
            quantiles(&buckets),
            [(500, 50), (900, 91), (990, 99), (1000, 101)]
        );
    }
}
