//! Objects that code outside knows by number without keeping them alive: the collector moves their references along, and forgets
//! those that are gone.

use super::region::HEAP_START;
use crate::ids::Ref;

/// See the module.
#[derive(Default)]
pub(crate) struct Watched {
    /// By number; null for one that is gone, or not in use.
    list: Vec<Ref>,
    free: Vec<u32>,
}

impl Watched {
    /// A number for an object.
    pub fn add(&mut self, r: Ref) -> u32 {
        match self.free.pop() {
            Some(n) => {
                self.list[n as usize] = r;
                n
            }
            None => {
                self.list.push(r);
                self.list.len() as u32 - 1
            }
        }
    }
    /// The object; null if it is gone.
    pub fn get(&self, n: u32) -> Ref {
        self.list.get(n as usize).copied().unwrap_or_default()
    }
    /// The number is no longer in use, and is given out again.
    pub fn forget(&mut self, n: u32) {
        if let Some(r) = self.list.get_mut(n as usize) {
            *r = Ref::NULL;
            self.free.push(n);
        }
    }
    /// Objects have moved or gone: those of which `concerns` says so.
    pub fn update(
        &mut self,
        concerns: impl Fn(Ref) -> bool,
        f: &mut dyn FnMut(Ref) -> Option<Ref>,
    ) {
        for r in &mut self.list {
            // mirrors never move, and go with their classes
            if !r.is_null() && r.0 as usize * 8 >= HEAP_START && concerns(*r) {
                *r = f(*r).unwrap_or_default();
            }
        }
    }
}
