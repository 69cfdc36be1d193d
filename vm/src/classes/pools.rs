//! The constant pools of a class: the one of its class file, and those of earlier class files in which methods still
//! have code.
//!
//! A class that was redefined has a new class file, but methods whose code is the same keep theirs, and frames run old
//! bodies on. So each pool stores the results of its resolved constants.

use crate::classes::resolutions::Resolutions;
use rjvm_classfile::ClassFile;
use std::sync::Arc;

/// An entry of one of the constant pools of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PoolEntry {
    /// The pool's number: the class's first one is 0.
    pub pool: u16,
    /// The entry's index.
    pub index: u16,
}

impl PoolEntry {
    /// Another entry of the same pool.
    pub fn beside(self, index: u16) -> PoolEntry {
        PoolEntry { index, ..self }
    }
    /// As a number.
    pub(crate) fn pack(self) -> u32 {
        u32::from(self.pool) << 16 | u32::from(self.index)
    }
    /// From the number.
    pub(crate) fn unpack(n: u32) -> PoolEntry {
        PoolEntry {
            pool: (n >> 16) as u16,
            index: n as u16,
        }
    }
}

/// What agents have made of a class.
#[derive(Default)]
pub struct Changed {
    /// Its constant pools, if it was redefined.
    pub(super) pools: Pools,
    /// The class file that transformers which can do so transform again, where that is not the one of the class.
    pub(super) initial: Option<Arc<[u8]>>,
}

/// The pools of a class that was redefined.
#[derive(Default)]
pub struct Pools {
    /// The number of the present class file's.
    pub(super) current: u16,
    pub(super) older: Vec<OldPool>,
}

impl Pools {
    /// The number of the present class file's.
    pub(super) fn current(&self) -> u16 {
        self.current
    }
}

/// A pool that the class's file is not of any more.
pub(super) struct OldPool {
    pub(super) number: u16,
    pub(super) file: Arc<ClassFile>,
    pub(super) resolved: Resolutions,
}
