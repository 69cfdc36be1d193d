//! A list that instructions change entry by entry. Its entries are side by side, so that they are quick to read and
//! write. It knows the [`SlotList`] that it was taken from, and where it has changed since: with thousands of entries, a
//! comparison with another list looks only at what the two do not share.

use super::slots::SlotList;

/// Lists of so many entries are compared and copied whole: that is quicker than to find out where they differ.
const SHORT: usize = 64;

/// The list.
#[derive(Clone)]
pub struct ChangingList<T> {
    entries: Vec<T>,
    /// What it was taken from, if that is long; else empty.
    base: SlotList<T>,
    /// This many entries are the base's, except for the changed ones.
    shared: usize,
    /// Where entries were set that were shared, in no order, each place once.
    changed: Vec<u32>,
    /// The same by place; as long as the base.
    is_changed: Vec<bool>,
}

impl<T> Default for ChangingList<T> {
    fn default() -> ChangingList<T> {
        ChangingList {
            entries: Vec::new(),
            base: SlotList::default(),
            shared: 0,
            changed: Vec::new(),
            is_changed: Vec::new(),
        }
    }
}

impl<T: Copy + PartialEq> ChangingList<T> {
    /// How many entries there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.entries.len()
    }
    /// The entry at `i`.
    #[inline]
    pub fn get(&self, i: usize) -> Option<T> {
        self.entries.get(i).copied()
    }
    /// All entries.
    #[inline]
    pub fn entries(&self) -> &[T] {
        &self.entries
    }
    /// Sets the entry at `i`, which there is.
    #[inline]
    pub fn set(&mut self, i: usize, t: T) {
        self.entries[i] = t;
        if i < self.shared {
            self.note(i);
        }
    }
    #[inline(never)]
    fn note(&mut self, i: usize) {
        if !std::mem::replace(&mut self.is_changed[i], true) {
            self.changed.push(i as u32);
        }
    }
    /// Adds an entry.
    #[inline]
    pub fn push(&mut self, t: T) {
        self.entries.push(t);
    }
    /// Leaves the first `len` entries, if there are more.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.entries.truncate(len);
        self.shared = self.shared.min(len);
    }
    /// Takes the last entry away.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        let last = self.entries.pop();
        self.shared = self.shared.min(self.entries.len());
        last
    }
    /// Makes it so long, with `t` where there was nothing, if it is not longer.
    pub fn grow(&mut self, len: usize, t: T) {
        if self.entries.len() < len {
            self.entries.resize(len, t);
        }
    }
    /// Becomes a copy of `list`.
    pub fn take(&mut self, list: &SlotList<T>) {
        if list.len() <= SHORT {
            if !self.base.is_empty() {
                *self = ChangingList {
                    entries: std::mem::take(&mut self.entries),
                    ..ChangingList::default()
                };
            }
            self.entries.clear();
            list.copy_from(0, &mut self.entries);
            return;
        }
        for i in self.changed.drain(..) {
            let i = i as usize;
            self.is_changed[i] = false;
            if i < self.shared
                && let Some(t) = self.base.get(i)
            {
                self.entries[i] = t;
            }
        }
        for (i, _, t) in self.base.differences(list) {
            if i < self.shared {
                self.entries[i] = t;
            }
        }
        self.entries.truncate(self.shared.min(list.len()));
        list.copy_from(self.entries.len(), &mut self.entries);
        self.is_changed.resize(list.len(), false);
        self.base = list.clone();
        self.shared = list.len();
    }
    /// A list of the same entries. It shares the unchanged ones with the list that this was taken from.
    pub fn to_list(&self) -> SlotList<T> {
        let mut list = self.base.clone();
        list.truncate(self.shared);
        for &i in self.changed.iter().filter(|&&i| (i as usize) < self.shared) {
            list.set(i as usize, self.entries[i as usize]);
        }
        list.extend(self.entries[self.shared..].iter().copied());
        list
    }
    /// Finds a place at which this and another list differ, and at which `is` says so of the entry here, `missing` beyond the
    /// end, and the other one. It is asked in order.
    pub fn find_difference(
        &self,
        list: &SlotList<T>,
        missing: T,
        mut is: impl FnMut(usize, T, T) -> bool,
    ) -> Option<usize> {
        let mut check = |i: usize, other: T| {
            let own = self.get(i).unwrap_or(missing);
            own != other && is(i, own, other)
        };
        if self.base.is_empty() {
            return list.leaves(0).find_map(|(at, leaf)| {
                let mut entries = leaf.iter().enumerate().map(|(k, &t)| (at + k, t));
                entries.find(|&(i, t)| check(i, t)).map(|(i, _)| i)
            });
        }
        let differences = self.base.differences(list);
        let mut places: Vec<usize> = differences.iter().map(|d| d.0).collect();
        places.extend(self.changed.iter().map(|&i| i as usize));
        let common = self.shared.min(list.len());
        places.retain(|&i| i < common);
        places.sort_unstable();
        places.dedup();
        places.extend(common..list.len());
        let entry = |i: usize| list.get(i).unwrap_or(missing);
        places.into_iter().find(|&i| check(i, entry(i)))
    }
    /// The first place at which `fits` does not hold of the entry here, `missing` beyond the end, and the one of `list`.
    /// It is not asked of entries that both share.
    pub fn misfit(
        &self,
        list: &SlotList<T>,
        missing: T,
        mut fits: impl FnMut(T, T) -> bool,
    ) -> Option<usize> {
        self.find_difference(list, missing, |_, own, other| !fits(own, other))
    }
}

impl<T: Copy + PartialEq> Extend<T> for ChangingList<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, entries: I) {
        self.entries.extend(entries);
    }
}

#[cfg(test)]
#[path = "tests/changing.rs"]
mod tests;
