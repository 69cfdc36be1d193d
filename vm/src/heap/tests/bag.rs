//! Roots of the tests' heaps, and a listener to what collections do with each object.

use crate::events::Event;
use crate::heap::arena::Arena;
use crate::heap::gc::{Reach, RootSet, Roots};
use crate::heap::refs::Offsets;
use crate::heap::units::Unit;
use crate::ids::{ClassId, Ref};
use std::collections::BTreeMap;

/// Roots of a test.
#[derive(Default)]
pub(super) struct TestRoots {
    pub strong: Vec<Ref>,
    pub weak: Vec<Option<Ref>>,
    pub pending: Ref,
    /// Class and size of each object there is, for a collection of which each object is reported; a table as its listeners
    /// may keep it.
    pub table: Option<BTreeMap<Ref, (ClassId, usize)>>,
    /// Emptied arenas.
    pub empty: Vec<Arena>,
}

const OFFSETS: Offsets = Offsets {
    referent: 8,
    next: 16,
    discovered: 20,
    timestamp: 24,
    loader: 8,
};

impl Roots for TestRoots {
    fn reached(&mut self, _: usize, _: &mut dyn Reach) -> (Option<usize>, usize) {
        (None, 0)
    }
    fn lose_unreached(&mut self) {}
    fn wants_objects(&self) -> bool {
        self.table.is_some()
    }
    fn notify(&mut self, event: Event<'_>) {
        let table = self.table.as_mut().expect("it is wanted");
        match event {
            Event::Freed {
                object,
                class,
                bytes,
            } => assert_eq!(table.remove(&object), Some((class, bytes))),
            Event::Moved {
                from,
                to,
                class,
                bytes,
            } => {
                assert_eq!(table.remove(&from), Some((class, bytes)));
                assert_eq!(table.insert(to, (class, bytes)), None);
            }
            Event::DeleteArena(arena) => self.empty.push(arena),
            Event::NewArena(arena) => assert_eq!(self.empty.last(), Some(&arena)),
            _ => panic!("{event:?}"),
        }
    }
    fn strong(&mut self, _: RootSet, f: &mut dyn FnMut(&mut Ref)) {
        self.strong.iter_mut().for_each(&mut *f);
        f(&mut self.pending);
    }
    fn unload(&mut self, dead: Vec<Unit>) {
        assert!(dead.is_empty(), "nothing here can be unloaded");
    }
    fn weak(&mut self, _: Option<(u32, u32)>, f: &mut dyn FnMut(Ref) -> Option<Ref>) {
        for r in &mut self.weak {
            *r = r.and_then(&mut *f);
        }
    }
    fn pending(&mut self) -> Ref {
        self.pending
    }
    fn set_pending(&mut self, r: Ref) {
        self.pending = r;
    }
    fn offsets(&mut self) -> Option<Offsets> {
        Some(OFFSETS)
    }
}
