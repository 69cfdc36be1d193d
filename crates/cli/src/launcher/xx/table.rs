//! HotSpot's own `-XX:` options as data: types, kinds, defaults and ranges, from a file for each supported JDK.
//!
//! A row has type, kind, name, default, and for numbers the least and greatest value. Of the options that only a debug build
//! of HotSpot has, it has whether they are switches, kind and name. The last rows are `deprecated`, the version since when, name, and
//! what takes its place, if something does; and `obsolete`, since when, and the name: HotSpot passes over those with a
//! warning.

use crate::launcher::sizes::shift_of;

/// The options of a HotSpot, by name.
#[derive(Clone, Copy, Debug)]
pub struct Flags(&'static str);

/// Each version's, in ascending order.
const VERSIONS: [(u32, Flags); 3] = [
    (17, Flags(include_str!("hotspot-flags-17.txt"))),
    (21, Flags(include_str!("hotspot-flags-21.txt"))),
    (25, Flags(include_str!("hotspot-flags-25.txt"))),
];

impl Flags {
    /// Those of a supported version.
    pub fn of(version: u32) -> Flags {
        let known = VERSIONS.iter().find(|v| v.0 >= version);
        known.unwrap_or(&VERSIONS[VERSIONS.len() - 1]).1
    }

    /// All rows of options.
    fn rows(self) -> impl Iterator<Item = OptionRow> {
        self.0.lines().filter_map(OptionRow::parse)
    }

    /// All options that a product build of HotSpot has.
    pub fn product(self) -> impl Iterator<Item = OptionRow> {
        self.rows().filter(|row| !row.is_debug())
    }

    /// The option of this name.
    pub fn find(self, name: &str) -> Option<OptionRow> {
        let named = |line: &&str| line.split('\t').nth(2) == Some(name);
        self.0.lines().filter(named).find_map(OptionRow::parse)
    }

    /// The option whose name is most like `name`, as HotSpot decides it.
    pub fn nearest(self, name: &str) -> Option<OptionRow> {
        nearest_of(name, self.rows(), 0.7, |row| row.name)
    }

    /// The row of this mark that has the name: since when, and the text behind the name.
    fn marked(self, mark: &str, name: &str) -> Option<(&'static str, Option<&'static str>)> {
        self.0.lines().rev().find_map(|line| {
            let mut fields = line.split('\t');
            let (is, since) = (fields.next()? == mark, fields.next()?);
            (is && fields.next() == Some(name)).then(|| (since, fields.next()))
        })
    }

    /// The version that removed the option, if HotSpot still knows its name.
    pub fn obsolete(self, name: &str) -> Option<&'static str> {
        self.marked(OBSOLETE, name).map(|(since, _)| since)
    }

    /// The name that an option is set by, and what HotSpot warns of.
    pub fn real_name(self, name: &str) -> (&str, Option<String>) {
        let Some((since, instead)) = self.marked(DEPRECATED, name) else {
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
}

const OBSOLETE: &str = "obsolete";
const DEPRECATED: &str = "deprecated";

/// The type of an option's value.
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
pub struct OptionRow {
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

impl OptionRow {
    fn parse(line: &'static str) -> Option<OptionRow> {
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
            OBSOLETE | DEPRECATED => return None,
            name => Type::Debug {
                switch: name == "debug-bool",
            },
        };
        let default = fields.next().unwrap_or_default();
        let range = fields.next().zip(fields.next());
        Some(OptionRow {
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
        for (version, flags) in VERSIONS {
            let names: Vec<_> = flags.rows().map(|row| row.name).collect();
            assert!(names.is_sorted() && names.len() > 1200, "{version}");
            for row in flags.product() {
                match row.value {
                    Type::Bool => assert!(["true", "false"].contains(&row.default), "{row:?}"),
                    _ if ["CICompilerCount", "TypeProfileLevel"].contains(&row.name) => {}
                    _ => assert!(row.read(row.default).is_ok(), "{row:?}"),
                }
            }
            let marked = |line: &&str| line.starts_with(DEPRECATED);
            let mut deprecated = flags.0.lines().filter(marked).peekable();
            assert!(deprecated.peek().is_some());
            for line in deprecated {
                let name = line.split('\t').nth(2).expect("a name");
                let (real, _) = flags.real_name(name);
                assert!(flags.find(real).is_some(), "{version}: {name}");
            }
        }
        let defaults = [17, 21, 25].map(|v| Flags::of(v).find("UseCompressedClassPointers"));
        assert!(defaults.iter().all(Option::is_some));
        assert!(Flags::of(17).find("AOTCache").is_none());
        assert!(Flags::of(25).find("AOTCache").is_some());
        assert_eq!(Flags::of(25).obsolete("ZGenerational"), Some("24.0"));
    }
}
