//! Bytes of a class file that its parts keep alive together, perhaps in a mapped file.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A stretch of bytes with several owners.
#[derive(Clone)]
pub struct SharedBytes {
    owner: Arc<dyn AsRef<[u8]> + Send + Sync>,
    range: Range<usize>,
    /// Bytes of memory that were taken for the owner; 0 of those in a mapped file.
    memory: u32,
}

impl SharedBytes {
    /// The bytes of `owner` at `range`; `None` if there are none.
    pub fn new(
        owner: Arc<dyn AsRef<[u8]> + Send + Sync>,
        range: Range<usize>,
    ) -> Option<SharedBytes> {
        (*owner).as_ref().get(range.clone())?;
        let memory = 0;
        Some(SharedBytes {
            owner,
            range,
            memory,
        })
    }

    /// The bytes at `range` of these; none beyond their end.
    pub fn part(&self, range: Range<usize>) -> SharedBytes {
        let at = |i: usize| self.range.start.saturating_add(i).min(self.range.end);
        SharedBytes {
            owner: self.owner.clone(),
            range: at(range.start)..at(range.end),
            memory: self.memory,
        }
    }

    /// Bytes of memory that are given back with the last of the owners.
    pub(crate) fn memory(&self) -> usize {
        self.memory as usize
    }
}

impl From<Vec<u8>> for SharedBytes {
    fn from(bytes: Vec<u8>) -> SharedBytes {
        SharedBytes {
            range: 0..bytes.len(),
            memory: bytes.len() as u32,
            owner: Arc::new(bytes),
        }
    }
}

impl Default for SharedBytes {
    fn default() -> SharedBytes {
        Vec::new().into()
    }
}

impl Deref for SharedBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        // an owner whose bytes come and go would break its promise, but not this program
        let all: &[u8] = (*self.owner).as_ref();
        all.get(self.range.clone()).unwrap_or_default()
    }
}

impl fmt::Debug for SharedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}
