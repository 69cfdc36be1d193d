//! The table of interned strings.

use crate::ids::Ref;
use hashbrown::HashMap;

/// Interned strings by contents. The collector updates the references, and forgets strings that
/// nobody else holds.
#[derive(Default)]
pub struct StringTable {
    /// UTF-16 contents to the interned object.
    map: HashMap<Box<[u16]>, Ref>,
    /// Contents of those that may be in the young generation.
    recent: Vec<Box<[u16]>>,
}

impl StringTable {
    /// The string with these contents.
    pub(crate) fn get(&self, contents: &[u16]) -> Option<Ref> {
        self.map.get(contents).copied()
    }
    /// Enters one that is not there.
    pub(crate) fn insert(&mut self, contents: &[u16], r: Ref) {
        self.map.insert(contents.into(), r);
        self.recent.push(contents.into());
    }
    /// All interned strings, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Ref> + '_ {
        self.map.values().copied()
    }
    /// Where each string has gone (`None`: it is dead), for all or for those that were young;
    /// `is_young` tells whether it still is.
    pub(crate) fn update(
        &mut self,
        all: bool,
        is_young: impl Fn(Ref) -> bool,
        f: &mut dyn FnMut(Ref) -> Option<Ref>,
    ) {
        if all {
            self.recent.clear();
            self.map.retain(|_, r| f(*r).map(|n| *r = n).is_some());
            return;
        }
        self.recent.retain(|k| {
            let Some(r) = self.map.get_mut(k) else {
                return false;
            };
            match f(*r) {
                Some(n) => {
                    *r = n;
                    is_young(n)
                }
                None => {
                    self.map.remove(k);
                    false
                }
            }
        });
    }
}
