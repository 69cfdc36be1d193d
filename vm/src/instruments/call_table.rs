//! The table of calls by caller and callee.

use crate::ids::MethodId;
use hashbrown::HashMap;

/// Calls of one method by another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Calls {
    /// Who called: the nearest method below that the instrument is in, too. None if there is none, or the table is full.
    pub caller: Option<MethodId>,
    /// Who was called.
    pub callee: MethodId,
    /// How often.
    pub times: u64,
    /// Whether the observer knows.
    pub(super) reported: bool,
}

/// What an instrument that counts calls has counted.
#[derive(Default)]
pub(super) struct CallTable {
    by_pair: HashMap<u64, u32>,
    /// In the order in which they were come to.
    pub(super) all: Vec<Calls>,
    /// By callee.
    pub(super) last: Vec<Last>,
}

/// Callers that a method is known to have, by the addresses of their methods, and where their calls are counted. Only of calls
/// without other frames between; of which the observer knows.
#[derive(Clone, Copy, Default)]
pub(super) struct Last {
    callers: [usize; WAYS],
    at: [u32; WAYS],
    /// The one to be replaced next.
    next: u32,
}

impl CallTable {
    /// One call more if it is one of the pairs of the callee's of which everything is known; otherwise false.
    #[inline]
    pub(super) fn add_again(&mut self, caller: usize, callee: MethodId) -> bool {
        let Some(last) = self.last.get(callee.0 as usize) else {
            return false;
        };
        let Some(way) = last.callers.iter().position(|&c| c == caller) else {
            return false;
        };
        match self.all.get_mut(last.at[way] as usize) {
            Some(calls) => {
                calls.times += 1;
                true
            }
            None => false,
        }
    }
    /// Remembers a pair for the next calls.
    pub(super) fn remember(&mut self, address: usize, caller: MethodId, callee: MethodId) {
        let at = callee.0 as usize;
        if self.last.len() <= at {
            self.last.resize(at + 1, Last::default());
        }
        if let Some(&n) = self.by_pair.get(&key(Some(caller), callee)) {
            let last = &mut self.last[at];
            let way = last.next as usize % WAYS;
            (last.callers[way], last.at[way]) = (address, n);
            last.next = last.next.wrapping_add(1);
        }
    }
    /// The method is gone; its number may be given again.
    pub fn forget(&mut self, m: MethodId) {
        self.last.clear();
        self.by_pair
            .retain(|&key, _| key as u32 != m.0 && (key >> 32) as u32 != m.0);
    }
    /// All calls.
    pub fn sum(&self) -> u64 {
        self.all.iter().map(|c| c.times).sum()
    }
    /// One call more; true if the observer is to be notified of it.
    #[inline]
    pub(super) fn add(&mut self, caller: Option<MethodId>, callee: MethodId) -> bool {
        let at = match self.by_pair.get(&key(caller, callee)) {
            Some(&at) => at,
            None => self.come_to(caller, callee),
        };
        let Some(calls) = self.all.get_mut(at as usize) else {
            return false;
        };
        calls.times += 1;
        !std::mem::replace(&mut calls.reported, true)
    }
    /// Where a pair is counted that has not been come to before.
    #[cold]
    fn come_to(&mut self, caller: Option<MethodId>, callee: MethodId) -> u32 {
        let caller = caller.filter(|_| self.all.len() < MOST);
        let next = self.all.len() as u32;
        if self.all.len() >= 2 * MOST {
            return next;
        }
        let at = *self.by_pair.entry(key(caller, callee)).or_insert(next);
        if at == next {
            self.all.push(Calls {
                caller,
                callee,
                times: 0,
                reported: false,
            });
        }
        at
    }
}

/// Pairs of caller and callee that an instrument keeps. Calls of other pairs are counted as of unknown callers, as many pairs again.
pub(super) const MOST: usize = 1 << 16;

pub(super) const WAYS: usize = 4;

#[inline]
pub(super) fn key(caller: Option<MethodId>, callee: MethodId) -> u64 {
    u64::from(caller.map_or(u32::MAX, |c| c.0)) << 32 | u64::from(callee.0)
}
