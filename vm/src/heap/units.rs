//! Units that are unloaded together: the classes of a loader, or a hidden class that does not belong to its
//! loader for life, with what they own in the metaspace.
//!
//! A full collection finds out which units are live. A unit is, when something live is an instance of
//! one of its classes, is the mirror of one or is its loader, when a frame executes one of its methods,
//! or when a live unit depends on it: by superclass, by a resolved constant, by a linked call. Classes
//! of the loaders that the VM begins with are in unit 0, which is always live.

use crate::ids::{ClassId, LoaderId};

/// A unit's number; used again when the unit is gone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct UnitId(pub u32);

impl UnitId {
    /// The unit that is never unloaded.
    pub const PERMANENT: UnitId = UnitId(0);
    /// Of a class that is being unloaded.
    pub(crate) const DEAD: UnitId = UnitId(u32::MAX);
}

/// What lives and dies together.
pub(crate) struct Unit {
    /// The loader; of a hidden class its defining loader.
    pub loader: LoaderId,
    /// A hidden class, and arrays of it; the loader is not part of it.
    pub hidden: bool,
    /// Its classes, in order of creation.
    pub classes: Vec<ClassId>,
    /// Its root cells.
    pub cells: Vec<u32>,
    /// Units that live as long as it does, ascending.
    deps: Vec<UnitId>,
    /// Memory in the metaspace: offset and bytes.
    pub blocks: Vec<(u32, u32)>,
    /// A unit that is never unloaded depends on it.
    pinned: bool,
}

/// All units.
#[derive(Default)]
pub struct Units {
    /// By number minus 1.
    list: Vec<Option<Box<Unit>>>,
    free: Vec<u32>,
    /// Units of loaders by the loaders' numbers.
    of_loaders: Vec<UnitId>,
}

impl Units {
    /// A new unit. Unless it is for a hidden class, the loader's unit is this one from now on.
    pub(crate) fn add(&mut self, loader: LoaderId, hidden: bool) -> UnitId {
        let unit = Some(Box::new(Unit {
            loader,
            hidden,
            classes: Vec::new(),
            cells: Vec::new(),
            deps: Vec::new(),
            blocks: Vec::new(),
            pinned: false,
        }));
        let id = match self.free.pop() {
            Some(i) => {
                self.list[i as usize] = unit;
                UnitId(i + 1)
            }
            None => {
                self.list.push(unit);
                UnitId(self.list.len() as u32)
            }
        };
        if !hidden {
            let i = loader.0 as usize;
            if i >= self.of_loaders.len() {
                self.of_loaders.resize(i + 1, UnitId::PERMANENT);
            }
            self.of_loaders[i] = id;
        }
        id
    }
    /// The unit of a loader.
    pub(crate) fn of_loader(&self, l: LoaderId) -> UnitId {
        self.of_loaders
            .get(l.0 as usize)
            .copied()
            .unwrap_or_default()
    }
    /// A unit that can be unloaded.
    pub(crate) fn get(&self, u: UnitId) -> Option<&Unit> {
        self.list.get((u.0 as usize).wrapping_sub(1))?.as_deref()
    }
    /// A unit that can be unloaded.
    pub(crate) fn get_mut(&mut self, u: UnitId) -> Option<&mut Unit> {
        self.list
            .get_mut((u.0 as usize).wrapping_sub(1))?
            .as_deref_mut()
    }
    /// From now on `to` lives at least as long as `from`.
    pub(crate) fn depend(&mut self, from: UnitId, to: UnitId) {
        if from == to || to == UnitId::PERMANENT {
            return;
        }
        match self.get_mut(from) {
            Some(unit) => {
                if let Err(at) = unit.deps.binary_search(&to) {
                    unit.deps.insert(at, to);
                }
            }
            None => {
                if let Some(unit) = self.get_mut(to) {
                    unit.pinned = true;
                }
            }
        }
    }
    /// The units that `u` depends on.
    pub(super) fn deps(&self, u: UnitId) -> &[UnitId] {
        self.get(u).map_or(&[], |unit| &unit.deps)
    }
    /// Those that something permanent depends on.
    pub(super) fn pinned(&self) -> impl Iterator<Item = UnitId> + '_ {
        let pinned = |unit: &Option<Box<Unit>>| unit.as_ref().is_some_and(|u| u.pinned);
        (1..)
            .zip(&self.list)
            .filter(move |(_, unit)| pinned(unit))
            .map(|(i, _)| UnitId(i))
    }
    /// Largest number in use.
    pub(super) fn last(&self) -> UnitId {
        UnitId(self.list.len() as u32)
    }
    /// Takes those out that are not among the live, by number; in ascending order.
    pub(super) fn take_dead(&mut self, live: &[bool]) -> Vec<Unit> {
        let mut dead = Vec::new();
        for (i, slot) in self.list.iter_mut().enumerate() {
            if !live[i + 1]
                && let Some(unit) = slot.take()
            {
                dead.push(*unit);
                self.free.push(i as u32);
            }
        }
        // the lowest number is given out first
        self.free.sort_unstable_by(|a, b| b.cmp(a));
        for unit in dead.iter().filter(|u| !u.hidden) {
            self.of_loaders[unit.loader.0 as usize] = UnitId::PERMANENT;
        }
        dead
    }
    /// All root cells of units.
    pub(crate) fn cells(&self) -> impl Iterator<Item = u32> + '_ {
        self.list
            .iter()
            .flatten()
            .flat_map(|u| u.cells.iter().copied())
    }
}
