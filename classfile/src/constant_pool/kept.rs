//! Pools that are stored in memory without the texts that many class files have, and the class files that they were made of.

use super::{ConstantPool, FIRST, LAST_WORD, LENGTHS, Offsets, offsets, u2};
use crate::error::Result;
use crate::reader::Reader;
use crate::shared::SharedBytes;
use crate::words::{self, WORDS};
use std::borrow::Cow;
use std::sync::OnceLock;

impl ConstantPool {
    /// The pool of a class file in a copy of this file without the entries that are [`WORDS`]; `None` if the offsets would
    /// not be short.
    pub(crate) fn parse_kept(file: &[u8]) -> Result<Option<(ConstantPool, SharedBytes)>> {
        let mut r = Reader::new(file);
        r.bytes(FIRST - 2)?;
        let count = r.u2()?;
        if count == 0 || file.len() > u32::MAX as usize {
            return Ok(None);
        }
        let list = offsets(&mut r, count, u32::MAX, |at| at as u32)?;
        let mut copy = Vec::with_capacity(file.len());
        copy.extend_from_slice(&file[..FIRST]);
        let mut at = Vec::with_capacity(list.len());
        for from in list {
            let entry = file.get(FIRST + from as usize..).and_then(whole_entry);
            at.push(match entry.map(|entry| (entry, words::find(entry))) {
                None => u16::MAX,
                Some((_, Some(word))) => LAST_WORD - word as u16,
                Some((entry, None)) => {
                    let at = copy.len() - FIRST;
                    if at >= usize::from(LAST_WORD) - WORDS.len() {
                        return Ok(None);
                    }
                    copy.extend_from_slice(entry);
                    at as u16
                }
            });
        }
        let end = copy.len();
        if end - FIRST > usize::from(LAST_WORD) - WORDS.len() {
            return Ok(None);
        }
        copy.extend_from_slice(&file[r.offset()..]);
        let file = SharedBytes::from(&copy[..]);
        let pool = ConstantPool {
            at: Offsets::Short(at.into()),
            bytes: file.part(FIRST..end),
            file: file.len() as u32,
            has_words: true,
            transcoded: OnceLock::new(),
        };
        Ok(Some((pool, file)))
    }

    /// The class file as it was read, if the pool is not a copy.
    pub(crate) fn original(&self) -> Option<Cow<'_, [u8]>> {
        let file = self.file()?;
        if !self.has_words {
            return Some(file.into());
        }
        let mut whole = file[..FIRST].to_vec();
        for i in (0..=u16::MAX).take(self.len()) {
            whole.extend_from_slice(self.raw(i).and_then(whole_entry).unwrap_or_default());
        }
        whole.extend_from_slice(file.get(self.end()..)?);
        Some(whole.into())
    }
}

/// The entry at the beginning of these bytes.
fn whole_entry(bytes: &[u8]) -> Option<&[u8]> {
    let len = match bytes {
        [1, a, b, ..] => 3 + usize::from(u2(*a, *b)),
        [tag, ..] => (*LENGTHS.get(usize::from(*tag))?).into(),
        [] => return None,
    };
    bytes.get(..len)
}
