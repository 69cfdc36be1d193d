//! Calls counted by who has called: a table of pairs of caller and callee, without a look at any other frame and without a
//! listener, but where a pair is come to for the first time.

use super::glance::End;
use super::table::{Index, InstrumentId};
use crate::ids::MethodId;
use crate::interp::Top;
use crate::vm::Vm;
use hashbrown::HashMap;

/// Pairs of caller and callee that an instrument keeps. Calls of other pairs are counted as of unknown callers, as many pairs again.
const MOST: usize = 1 << 16;
/// Frames of methods that the instrument is not in, between a call and who made it.
const BETWEEN: usize = 64;

/// Calls of one method by another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Calls {
    /// Who called: the nearest method below that the instrument is in, too. None if there is none, or the table is full.
    pub caller: Option<MethodId>,
    /// Who was called.
    pub callee: MethodId,
    /// How often.
    pub times: u64,
    /// Whether the listener knows.
    told: bool,
}

/// What an instrument that counts calls has counted.
#[derive(Default)]
pub(super) struct CallTable {
    by_pair: HashMap<u64, u32>,
    /// In the order in which they were come to.
    all: Vec<Calls>,
    /// By callee.
    last: Vec<Last>,
}

/// Callers that a method is known to have, by the addresses of their methods, and where their calls are counted. Only of calls
/// without other frames between; of which the listener knows.
#[derive(Clone, Copy, Default)]
struct Last {
    callers: [usize; WAYS],
    at: [u32; WAYS],
    /// The one to be replaced next.
    next: u32,
}

const WAYS: usize = 4;

#[inline]
fn key(caller: Option<MethodId>, callee: MethodId) -> u64 {
    u64::from(caller.map_or(u32::MAX, |c| c.0)) << 32 | u64::from(callee.0)
}

impl CallTable {
    /// One call more if it is one of the pairs of the callee's of which everything is known; otherwise false.
    #[inline]
    fn add_again(&mut self, caller: usize, callee: MethodId) -> bool {
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
    fn remember(&mut self, address: usize, caller: MethodId, callee: MethodId) {
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
    /// One call more; true if the listener is to be told of it.
    #[inline]
    fn add(&mut self, caller: Option<MethodId>, callee: MethodId) -> bool {
        let at = match self.by_pair.get(&key(caller, callee)) {
            Some(&at) => at,
            None => self.come_to(caller, callee),
        };
        let Some(calls) = self.all.get_mut(at as usize) else {
            return false;
        };
        calls.times += 1;
        !std::mem::replace(&mut calls.told, true)
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
                told: false,
            });
        }
        at
    }
}

impl Vm {
    /// A method of an instrument that counts calls has been entered. Its caller, if the listener is to be told.
    #[inline]
    pub(super) fn count_call(
        &mut self,
        i: Index,
        m: MethodId,
        top: &Top,
    ) -> Option<Option<MethodId>> {
        let all = &self.instruments;
        let is_in = |m| all.of(m).is_some_and(|of| of.entry.contains(&i));
        let caller = self.nearest_below(Vm::control_of(top), BETWEEN, is_in);
        let (below, direct) = self.caller_of(top);
        let table = self.instruments.get_mut(i)?.calls.as_mut()?;
        let tells = table.add(caller, m);
        if let Some(caller) = caller.filter(|_| caller == direct) {
            table.remember(below, caller, m);
        }
        tells.then_some(caller)
    }
    /// Counts the call if it is like one of the last.
    #[inline]
    pub(super) fn count_call_again(&mut self, i: Index, end: &End<'_>) -> bool {
        let caller = self.address_below(end.cs);
        let placed = self.instruments.get_mut(i);
        let table = placed.and_then(|placed| placed.calls.as_mut());
        caller != 0 && table.is_some_and(|table| table.add_again(caller, end.method))
    }
    /// What an instrument of [`Action::Calls`](super::Action::Calls) has counted so far: pairs in the order in which they were
    /// first come to, which stay where they are.
    pub fn calls_counted(&self, id: InstrumentId) -> &[Calls] {
        let i = self.instruments.find(id);
        let placed = i.and_then(|i| self.instruments.get(i));
        let table = placed.and_then(|p| p.calls.as_ref());
        table.map_or(&[], |table| &table.all)
    }
    /// The listener of an instrument of [`Action::Calls`](super::Action::Calls) is told again when this method next calls another
    /// one: once of each.
    pub fn tell_calls_of(&mut self, id: InstrumentId, caller: MethodId) {
        let i = self.instruments.find(id);
        let placed = i.and_then(|i| self.instruments.get_mut(i));
        let Some(table) = placed.and_then(|p| p.calls.as_mut()) else {
            return;
        };
        let of_caller = table.all.iter_mut().filter(|c| c.caller == Some(caller));
        of_caller.for_each(|c| c.told = false);
        table.last.clear();
    }
    /// Whether an instrument is in a method.
    pub fn is_instrumented_by(&self, id: InstrumentId, m: MethodId) -> bool {
        let i = self.instruments.find(id);
        let of = self.instruments.of(m);
        i.zip(of).is_some_and(|(i, of)| of.entry.contains(&i))
    }
}
