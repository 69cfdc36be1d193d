//! The limits of probes. The results name each limit that was reached.

/// Limits of a [`Session`](crate::Session).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Keys of a map.
    pub keys: usize,
    /// Characters of a string of the program.
    pub string: usize,
    /// Bytes of all stored data: maps, strings, stacks, and the values remembered until methods are left.
    pub memory: usize,
    /// Frames of a stack.
    pub frames: usize,
    /// Lines printed while the program runs.
    pub lines: usize,
    /// Method entries of which something is remembered until the method is left.
    pub entries: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            keys: 10_000,
            string: 200,
            memory: 64 << 20,
            frames: 64,
            lines: 10_000,
            entries: 1 << 20,
        }
    }
}

/// Why a text sets no limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LimitError {
    /// There is no such limit.
    #[error("unknown limit '{0}': the limits are {names}", names = Limits::names())]
    Unknown(String),
    /// The limit has another range.
    #[error("'{part}': expected a number from {least} to {most}")]
    OutOfRange {
        /// Name and value.
        part: String,
        /// The smallest number.
        least: usize,
        /// The largest number.
        most: usize,
    },
}

impl Limits {
    /// What they are called, the least and the greatest value of each.
    pub const NAMES: [(&'static str, usize, usize); 6] = [
        ("keys", 1, 10_000_000),
        ("string", 1, 65_536),
        ("memory", 1 << 16, 1 << 34),
        ("frames", 1, 1024),
        ("lines", 0, 100_000_000),
        ("entries", 1, 1 << 26),
    ];

    fn names() -> String {
        let names: Vec<&str> = Limits::NAMES.iter().map(|(n, ..)| *n).collect();
        names.join(", ")
    }

    fn named(&mut self, name: &str) -> Option<&mut usize> {
        Some(match name {
            "keys" => &mut self.keys,
            "string" => &mut self.string,
            "memory" => &mut self.memory,
            "frames" => &mut self.frames,
            "lines" => &mut self.lines,
            "entries" => &mut self.entries,
            _ => return None,
        })
    }

    /// Sets limits as in `keys=1000,string=80`.
    ///
    /// # Errors
    /// The part that is not a limit.
    pub fn set(&mut self, text: &str) -> Result<(), LimitError> {
        for part in text.split(',') {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let Some(&(_, least, most)) = Limits::NAMES.iter().find(|(n, ..)| *n == name) else {
                return Err(LimitError::Unknown(part.to_owned()));
            };
            let n = value.parse::<usize>().ok();
            match (n.filter(|n| (least..=most).contains(n)), self.named(name)) {
                (Some(n), Some(limit)) => *limit = n,
                _ => {
                    return Err(LimitError::OutOfRange {
                        part: part.to_owned(),
                        least,
                        most,
                    });
                }
            }
        }
        Ok(())
    }
}
