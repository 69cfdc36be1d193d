//! Strings and stacks by number. Stored ones have one number for each content; those that last for one event are not looked up.

use crate::value::{Sym, mix};
use hashbrown::HashTable;

/// Strings.
#[derive(Default)]
pub struct Strings {
    kept: Vec<Box<str>>,
    index: HashTable<u32>,
    temporary: String,
    ends: Vec<usize>,
}

/// Bytes that a string or stack takes besides its own: what the allocator adds, and its places in list and table.
const ENTRY: usize = 56;

fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut eight = [0; 8];
        eight[..chunk.len()].copy_from_slice(chunk);
        hash = mix(hash ^ u64::from_le_bytes(eight)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    }
    mix(hash)
}

impl Strings {
    pub fn get(&self, sym: Sym) -> &str {
        if sym.is_temporary() {
            let i = (sym.0 & !Sym::TEMPORARY) as usize;
            let start = if i == 0 {
                0
            } else {
                self.ends.get(i - 1).copied().unwrap_or(0)
            };
            let end = self.ends.get(i).copied().unwrap_or(start);
            self.temporary.get(start..end).unwrap_or_default()
        } else {
            self.kept.get(sym.0 as usize).map_or("", |s| s)
        }
    }

    /// A string that lasts for the event; `write` appends its characters and may say that there is none.
    pub fn temporary(&mut self, write: impl FnOnce(&mut String) -> bool) -> Option<Sym> {
        let start = self.temporary.len();
        if !write(&mut self.temporary) {
            self.temporary.truncate(start);
            return None;
        }
        self.ends.push(self.temporary.len());
        Some(Sym(Sym::TEMPORARY | (self.ends.len() - 1) as u32))
    }

    /// The event has ended.
    #[inline]
    pub fn forget(&mut self) {
        if !self.ends.is_empty() {
            self.temporary.clear();
            self.ends.clear();
        }
    }

    /// A string that is kept. `None`: there is no memory for it in `room`, the bytes that may still be taken.
    pub fn keep(&mut self, sym: Sym, room: &mut usize) -> Option<Sym> {
        if !sym.is_temporary() {
            return Some(sym);
        }
        let text = self.get(sym).to_owned();
        self.intern(&text, room)
    }

    /// The number of a string of the script's own, for which there is room.
    pub fn own(&mut self, text: &str) -> Option<Sym> {
        let mut room = usize::MAX;
        self.intern(text, &mut room)
    }

    /// The number of a string, as [`Strings::keep`].
    pub fn intern(&mut self, text: &str, room: &mut usize) -> Option<Sym> {
        let hash = hash_bytes(text.as_bytes());
        let kept = &self.kept;
        if let Some(&i) = self.index.find(hash, |&i| &*kept[i as usize] == text) {
            return Some(Sym(i));
        }
        let bytes = text.len() + ENTRY;
        if bytes > *room || self.kept.len() >= Sym::TEMPORARY as usize {
            return None;
        }
        *room -= bytes;
        let i = self.kept.len() as u32;
        self.kept.push(text.into());
        let kept = &self.kept;
        self.index
            .insert_unique(hash, i, |&i| hash_bytes(kept[i as usize].as_bytes()));
        Some(Sym(i))
    }
}

/// A stack's frames as names and lines, innermost first.
pub type StackNames = Box<[(Sym, u16)]>;

/// Stacks.
#[derive(Default)]
pub struct Stacks {
    kept: Vec<StackNames>,
    index: HashTable<u32>,
}

fn hash_frames(frames: &[(Sym, u16)]) -> u64 {
    frames
        .iter()
        .fold(frames.len() as u64, |hash, (sym, line)| {
            mix(hash ^ (u64::from(sym.0) << 16 | u64::from(*line)))
                .wrapping_add(0x9E37_79B9_7F4A_7C15)
        })
}

impl Stacks {
    pub fn get(&self, stack: u32) -> &[(Sym, u16)] {
        self.kept.get(stack as usize).map_or(&[], |s| s)
    }

    /// The number of a stack. `None`: there is no memory for it in `room`.
    pub fn intern(&mut self, frames: &[(Sym, u16)], room: &mut usize) -> Option<u32> {
        let hash = hash_frames(frames);
        let kept = &self.kept;
        if let Some(&i) = self.index.find(hash, |&i| &*kept[i as usize] == frames) {
            return Some(i);
        }
        let bytes = size_of_val(frames) + ENTRY;
        if bytes > *room {
            return None;
        }
        *room -= bytes;
        let i = self.kept.len() as u32;
        self.kept.push(frames.into());
        let kept = &self.kept;
        self.index
            .insert_unique(hash, i, |&i| hash_frames(&kept[i as usize]));
        Some(i)
    }
}
