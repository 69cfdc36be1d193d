//! Tables of a class in as little memory as most classes need of them.

use crate::ids::{MethodId, Sym};

/// So many methods are skipped one by one.
pub(super) const FEW: usize = 16;

/// The methods that a class declares, if they are many, by name and descriptor.
#[derive(Default)]
pub(super) struct MethodIndex(Box<[(Sym, Sym, MethodId)]>);

impl MethodIndex {
    /// Bytes of the index of so many methods.
    pub fn bytes(methods: usize) -> usize {
        match methods {
            0..=FEW => 0,
            _ => methods * size_of::<(Sym, Sym, MethodId)>(),
        }
    }
    /// Of methods in the order of their declaration; of several with the same name and descriptor the first counts.
    pub fn new(methods: impl ExactSizeIterator<Item = (Sym, Sym, MethodId)>) -> MethodIndex {
        if methods.len() <= FEW {
            return MethodIndex::default();
        }
        let mut all: Vec<_> = methods.collect();
        all.sort_by_key(|&(name, desc, _)| key(name, desc));
        all.dedup_by_key(|&mut (name, desc, _)| key(name, desc));
        MethodIndex(all.into())
    }
    /// The method with this name and descriptor.
    pub fn get(&self, name: Sym, desc: Sym) -> Option<MethodId> {
        let of = |&(name, desc, _): &(Sym, Sym, MethodId)| key(name, desc);
        let at = self.0.binary_search_by_key(&key(name, desc), of).ok()?;
        Some(self.0[at].2)
    }
}

fn key(name: Sym, desc: Sym) -> u64 {
    u64::from(name.0) << 32 | u64::from(desc.0)
}

/// A table that is empty in most classes: a pointer until something is put in.
pub struct RareData<T>(Option<Box<T>>);

impl<T> Default for RareData<T> {
    fn default() -> RareData<T> {
        RareData(None)
    }
}

impl<T: Default> RareData<T> {
    /// The table, if anything was ever put in.
    pub fn get(&self) -> Option<&T> {
        self.0.as_deref()
    }
    /// The same, to be changed.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }
    /// The table, to put something in.
    pub fn make(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_methods_declared_twice_the_first_is_found() {
        let row = |name, desc, m| (Sym(name), Sym(desc), MethodId(m));
        let mut all = vec![row(7, 1, 0), row(2, 9, 1), row(7, 1, 2), row(7, 0, 3)];
        assert!(MethodIndex::new(all.iter().copied()).0.is_empty());
        all.extend((0..FEW as u32).map(|i| row(3, i, 4 + i)));
        let index = MethodIndex::new(all.into_iter());
        let found = |name, desc| index.get(Sym(name), Sym(desc)).map(|m| m.0);
        let some = [found(7, 1), found(2, 9), found(7, 0), found(3, 5)];
        assert_eq!(some, [Some(0), Some(1), Some(3), Some(9)]);
        assert_eq!([found(9, 2), found(1, 7), found(7, 2)], [None; 3]);
    }

    #[test]
    fn what_was_put_in_is_there() {
        let mut table: RareData<Vec<u8>> = RareData::default();
        assert_eq!(
            (table.get(), size_of_val(&table)),
            (None, size_of::<usize>())
        );
        table.make().push(3);
        assert_eq!(table.get(), Some(&vec![3]));
    }
}
