//! Bytes of a class file that its parts keep alive together. They may be in a mapped file.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A stretch of bytes with several owners.
#[derive(Clone)]
pub struct SharedBytes {
    owner: Owner,
    /// Where they begin among the owner's, and how many they are.
    start: u32,
    len: u32,
}

// one for each class
const _: () = assert!(size_of::<SharedBytes>() == 32);

/// The owner of the bytes.
#[derive(Clone)]
enum Owner {
    /// Another owner, such as a mapped file.
    Other(Arc<dyn AsRef<[u8]> + Send + Sync>),
    /// They were copied.
    Copy(Arc<[u8]>),
}

impl SharedBytes {
    /// The bytes of `owner` at `range`; `None` if there are none, or they lie beyond 4 GB.
    pub fn new(
        owner: Arc<dyn AsRef<[u8]> + Send + Sync>,
        range: Range<usize>,
    ) -> Option<SharedBytes> {
        (*owner).as_ref().get(range.clone())?;
        Some(SharedBytes {
            owner: Owner::Other(owner),
            start: range.start.try_into().ok()?,
            len: range.len().try_into().ok()?,
        })
    }

    /// The bytes at `range` of these; none beyond their end.
    pub fn part(&self, range: Range<usize>) -> SharedBytes {
        let at = |i: usize| i.min(self.len as usize) as u32;
        let (start, end) = (at(range.start), at(range.end));
        SharedBytes {
            owner: self.owner.clone(),
            start: self.start + start,
            len: end.saturating_sub(start),
        }
    }

    /// These bytes with `before` more of the owner's ahead of them, `all` altogether.
    #[inline]
    pub(crate) fn around(&self, before: usize, all: usize) -> Option<&[u8]> {
        let start = (self.start as usize).checked_sub(before)?;
        self.owned().get(start..start.checked_add(all)?)
    }

    /// Bytes of memory that are given back with the last of the owners; 0 of those in a mapped file.
    pub(crate) fn memory(&self) -> usize {
        match &self.owner {
            Owner::Other(_) => 0,
            Owner::Copy(all) => all.len(),
        }
    }

    #[inline]
    fn owned(&self) -> &[u8] {
        match &self.owner {
            Owner::Other(owner) => (**owner).as_ref(),
            Owner::Copy(all) => all,
        }
    }
}

impl From<&[u8]> for SharedBytes {
    /// A copy of at most 4 GB.
    fn from(bytes: &[u8]) -> SharedBytes {
        let len = bytes.len().min(u32::MAX as usize);
        SharedBytes {
            owner: Owner::Copy(bytes[..len].into()),
            start: 0,
            len: len as u32,
        }
    }
}

impl Default for SharedBytes {
    fn default() -> SharedBytes {
        [][..].into()
    }
}

impl Deref for SharedBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        // an owner whose bytes come and go would break its promise, but not this program
        let (start, len) = (self.start as usize, self.len as usize);
        self.owned().get(start..start + len).unwrap_or_default()
    }
}

impl fmt::Debug for SharedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}
