//! HotSpot 17's own `-XX:` options as data: types, kinds, defaults and ranges, from `hotspot-flags.txt`.
//!
//! A row has type, kind, name, default, and for numbers the least and greatest value. Of the options that only a debug build
//! of HotSpot has, it has whether they are switches, kind and name.

use crate::launcher::sizes::shift_of;

/// The options, by name.
const TEXT: &str = include_str!("hotspot-flags.txt");

/// All rows.
fn rows() -> impl Iterator<Item = Row> {
    TEXT.lines().filter_map(Row::parse)
}

/// Options that HotSpot 17 warns of: since when, and what takes their place.
const DEPRECATED: [(&str, &str, Option<&str>); 19] = [
    ("AllowRedefinitionToAddDeleteMethods", "13.0", None),
    ("AlwaysLockClassLoader", "17.0", None),
    ("BiasedLockingBulkRebiasThreshold", "15.0", None),
    ("BiasedLockingBulkRevokeThreshold", "15.0", None),
    ("BiasedLockingDecayTime", "15.0", None),
    ("BiasedLockingStartupDelay", "15.0", None),
    (
        "CreateMinidumpOnCrash",
        "9.0",
        Some("CreateCoredumpOnCrash"),
    ),
    ("CriticalJNINatives", "16.0", None),
    ("DefaultMaxRAMFraction", "8.0", Some("MaxRAMFraction")),
    ("FlightRecorder", "13.0", None),
    ("InitialRAMFraction", "10.0", None),
    ("MaxGCMinorPauseMillis", "8.0", None),
    ("MaxRAMFraction", "10.0", None),
    ("MinRAMFraction", "10.0", None),
    ("PrintBiasedLockingStatistics", "15.0", None),
    ("PrintPreciseBiasedLockingStatistics", "15.0", None),
    ("TLABStats", "12.0", None),
    ("UseBiasedLocking", "15.0", None),
    ("UseOptoBiasInlining", "15.0", None),
];

/// Options that HotSpot 17 passes over with a warning: since when.
const OBSOLETE: [(&str, &str); 4] = [
    ("AssertOnSuspendWaitFailure", "17.0"),
    ("SuspendRetryCount", "17.0"),
    ("SuspendRetryDelay", "17.0"),
    ("TraceSuspendWaitFailures", "17.0"),
];

/// The version that removed the option, if HotSpot still knows its name.
pub fn obsolete(name: &str) -> Option<&'static str> {
    let row = OBSOLETE.iter().find(|o| o.0 == name);
    row.map(|o| o.1)
}

/// The name that an option is set by, and what HotSpot warns of.
pub fn real_name(name: &str) -> (&str, Option<String>) {
    let Some((_, since, instead)) = DEPRECATED.iter().find(|d| d.0 == name) else {
        return (name, None);
    };
    let mut warning = format!(
        "Option {name} was deprecated in version {since} and will likely be removed in a future release."
    );
    if let Some(instead) = instead {
        warning.push_str(&format!(" Use option {instead} instead."));
    }
    (instead.unwrap_or(name), Some(warning))
}

/// What an option's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Bool,
    /// Text; of a list, further values are appended.
    Text {
        list: bool,
    },
    Double,
    /// A number with a sign, or without one, of so many bits.
    Number {
        signed: bool,
        bits: u32,
    },
    /// Of an option that only a debug build has: whether it is a switch.
    Debug {
        switch: bool,
    },
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    /// The type's name.
    pub type_name: &'static str,
    pub value: Type,
    /// What HotSpot prints in braces.
    pub kind: &'static str,
    /// The default, as HotSpot writes it.
    pub default: &'static str,
    /// Least and greatest value; empty texts where there is a range, but none that HotSpot prints.
    pub range: Option<(&'static str, &'static str)>,
}

impl Row {
    fn parse(line: &'static str) -> Option<Row> {
        let mut fields = line.split('\t');
        let (type_name, kind, name) = (fields.next()?, fields.next()?, fields.next()?);
        let number = |signed, bits| Type::Number { signed, bits };
        let value = match type_name {
            "bool" => Type::Bool,
            "ccstr" => Type::Text { list: false },
            "ccstrlist" => Type::Text { list: true },
            "double" => Type::Double,
            "int" => number(true, 32),
            "uint" => number(false, 32),
            "intx" => number(true, 64),
            "uintx" | "size_t" | "uint64_t" => number(false, 64),
            name => Type::Debug {
                switch: name == "debug-bool",
            },
        };
        let default = fields.next().unwrap_or_default();
        let range = fields.next().zip(fields.next());
        Some(Row {
            name,
            type_name,
            value,
            kind,
            default,
            range,
        })
    }

    /// Whether only a debug build has it.
    pub fn is_debug(&self) -> bool {
        matches!(self.value, Type::Debug { .. })
    }

    /// The option that makes it visible.
    pub fn lock(&self) -> Option<&'static str> {
        let is = |word: &str| self.kind.split(' ').any(|k| k == word);
        match is("diagnostic") {
            true => Some(UNLOCK_DIAGNOSTIC),
            false => is("experimental").then_some(UNLOCK_EXPERIMENTAL),
        }
    }

    /// The option that it needs to be set.
    pub fn unlocked_by(&self) -> Option<&'static str> {
        match self.name {
            UNLOCK_DIAGNOSTIC | UNLOCK_EXPERIMENTAL => None,
            _ => self.lock(),
        }
    }

    /// Reads a number or text as HotSpot does: the value as HotSpot writes it. Without text, it is none at all; with
    /// text, it is out of range, and the text says so.
    pub fn read(&self, text: &str) -> Result<String, Option<String>> {
        match self.value {
            Type::Bool | Type::Debug { .. } => Err(None),
            Type::Text { .. } => Ok(text.into()),
            Type::Double => {
                let plain = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
                let n = match text.rsplit_once('.') {
                    Some((whole, part)) => {
                        let good =
                            whole.chars().all(plain) && !part.is_empty() && part.chars().all(plain);
                        let number = Some(text).filter(|_| good);
                        number.and_then(|t| t.parse().ok()).ok_or(None)?
                    }
                    None => number(text).ok_or(None)? as f64,
                };
                let bound = |t: &str| t.parse::<f64>().ok();
                self.within(n, bound, |n| format!("{n:.6}"))
            }
            Type::Number { signed, bits } => {
                let (negative, digits) = match text.strip_prefix('-') {
                    Some(rest) if signed => (true, rest),
                    Some(_) => return Err(None),
                    None => (false, text),
                };
                let n = number(digits).ok_or(None)?;
                // as C narrows it
                let n = match (signed, bits) {
                    (true, 32) => i128::from(n as i32),
                    (true, _) => i128::from(n as i64),
                    (false, 32) => i128::from(n as u32),
                    (false, _) => i128::from(n),
                };
                let n = if negative { -n } else { n };
                self.within(n, |t| t.parse::<i128>().ok(), |n| n.to_string())
            }
        }
    }

    fn within<N: PartialOrd>(
        &self,
        n: N,
        bound: impl Fn(&str) -> Option<N>,
        written: impl Fn(&N) -> String,
    ) -> Result<String, Option<String>> {
        let range = self.range.and_then(|(a, b)| bound(a).zip(bound(b)));
        match range {
            Some((least, most)) if n < least || n > most => Err(Some(format!(
                "{} {}={} is outside the allowed range [ {} ... {} ]",
                self.type_name,
                self.name,
                written(&n),
                written(&least),
                written(&most)
            ))),
            _ => Ok(written(&n)),
        }
    }
}

/// The options that unlock others.
pub const UNLOCK_DIAGNOSTIC: &str = "UnlockDiagnosticVMOptions";
/// See there.
pub const UNLOCK_EXPERIMENTAL: &str = "UnlockExperimentalVMOptions";

/// All options that a product build of HotSpot has.
pub fn product() -> impl Iterator<Item = Row> {
    rows().filter(|row| !row.is_debug())
}

/// The option of this name.
pub fn find(name: &str) -> Option<Row> {
    let named = |line: &&str| line.split('\t').nth(2) == Some(name);
    TEXT.lines().find(named).and_then(Row::parse)
}

/// The option whose name is most like `name`, as HotSpot decides it.
pub fn nearest(name: &str) -> Option<Row> {
    nearest_of(name, rows(), 0.7, |row| row.name)
}

/// The first of those that are most like `name`, if they are so much like it.
pub fn nearest_of<'a, T: Copy>(
    name: &str,
    all: impl Iterator<Item = T>,
    least: f64,
    named: impl Fn(T) -> &'a str,
) -> Option<T> {
    let mut best: Option<(f64, T)> = None;
    for item in all {
        let alike = similarity(named(item).as_bytes(), name.as_bytes());
        if alike > best.map_or(0.0, |b| b.0) {
            best = Some((alike, item));
        }
    }
    best.filter(|b| b.0 >= least).map(|b| b.1)
}

/// How many pairs of letters of `a` are in `b`, in relation to both lengths.
fn similarity(a: &[u8], b: &[u8]) -> f64 {
    let hits = a.windows(2).filter(|pair| b.windows(2).any(|p| p == *pair));
    2.0 * hits.count() as f64 / (a.len() + b.len()) as f64
}

/// A number without sign: decimal or hexadecimal, with a suffix for a power of 1024.
pub fn number(text: &str) -> Option<u64> {
    let hex = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    let (digits, radix) = (hex.unwrap_or(text), if hex.is_some() { 16 } else { 10 });
    let end = digits.find(|c: char| !c.is_digit(radix));
    let (digits, suffix) = digits.split_at(end.unwrap_or(digits.len()));
    let shift = shift_of(suffix)?;
    u64::from_str_radix(digits, radix)
        .ok()?
        .checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_order_and_their_defaults_are_values() {
        let names: Vec<_> = rows().map(|row| row.name).collect();
        assert!(names.is_sorted() && names.len() > 1200);
        for row in product() {
            match row.value {
                Type::Bool => assert!(["true", "false"].contains(&row.default), "{row:?}"),
                _ if ["CICompilerCount", "TypeProfileLevel"].contains(&row.name) => {}
                _ => assert!(row.read(row.default).is_ok(), "{row:?}"),
            }
        }
        for (name, _, instead) in DEPRECATED {
            assert!(find(instead.unwrap_or(name)).is_some(), "{name}");
        }
    }
}
