//! Calls counted by caller: a table of pairs of caller and callee, without a look at any other frame and without an
//! observer, but where a pair is come to for the first time.

use super::call_table::Calls;
use super::ids::{Index, InstrumentId};
use super::shown::End;
use crate::ids::MethodId;
use crate::interp::EventFrame;
use crate::vm::Vm;

/// Frames of methods that the instrument is not in, between a call and who made it.
const BETWEEN: usize = 64;

impl Vm {
    /// A method of an instrument that counts calls has been entered. Its caller, if the observer is to be notified.
    #[inline]
    pub(super) fn count_call(
        &mut self,
        i: Index,
        m: MethodId,
        top: &EventFrame,
    ) -> Option<Option<MethodId>> {
        let all = &self.instruments;
        let is_in = |m| all.of(m).is_some_and(|of| of.entry.contains(&i));
        let caller = self.nearest_below(Vm::control_of(top), BETWEEN, is_in);
        let (below, direct) = self.caller_of(top);
        let table = self.instruments.get_mut(i)?.calls.as_mut()?;
        let reports = table.add(caller, m);
        if let Some(caller) = caller.filter(|_| caller == direct) {
            table.remember(below, caller, m);
        }
        reports.then_some(caller)
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
    /// The observer of an instrument of [`Action::Calls`](super::Action::Calls) is notified again when this method next calls
    /// another method: once for each.
    pub fn notify_calls_of(&mut self, id: InstrumentId, caller: MethodId) {
        let i = self.instruments.find(id);
        let placed = i.and_then(|i| self.instruments.get_mut(i));
        let Some(table) = placed.and_then(|p| p.calls.as_mut()) else {
            return;
        };
        let of_caller = table.all.iter_mut().filter(|c| c.caller == Some(caller));
        of_caller.for_each(|c| c.reported = false);
        table.last.clear();
    }
    /// Whether an instrument is in a method.
    pub fn is_instrumented_by(&self, id: InstrumentId, m: MethodId) -> bool {
        let i = self.instruments.find(id);
        let of = self.instruments.of(m);
        i.zip(of).is_some_and(|(i, of)| of.entry.contains(&i))
    }
}
