//! The facts at hand when a method is entered or returns, so that an observer that needs no more is notified at once.

use super::ids::Index;
use super::shown::{End, FastEvent, FastOutcome};
use crate::events::ObserverId;
use crate::ids::MethodId;
use crate::jdk;
use crate::vm::Vm;

/// An integer, of a type of which it is known that it is one.
#[inline(always)]
fn whole(letter: u8, bits: u64) -> Option<i64> {
    if letter == b'I' {
        return Some((bits as i32).into());
    }
    match letter {
        b'S' | b'B' => Some((bits as i32).into()),
        b'J' => Some(bits as i64),
        _ => None,
    }
}

impl FastEvent<'_> {
    /// Argument `n` at the entry, `this` not counted, if it is a `byte`, `short`, `int` or `long`.
    #[inline(always)]
    pub fn whole_argument(&self, n: usize) -> Option<i64> {
        let &(slot, letter) = self.parameters.get(n)?;
        whole(letter, *self.end.passed.get(usize::from(slot))?)
    }
    /// The result at a return, if it is of such a type.
    #[inline(always)]
    pub fn whole_value(&self) -> Option<i64> {
        whole(self.end.value.0, self.end.value.1)
    }
    /// The method.
    #[inline(always)]
    pub fn method(&self) -> MethodId {
        self.end.method
    }
    /// Its caller.
    #[inline]
    pub fn caller(&self) -> Option<MethodId> {
        self.vm.caller_below(self.end.cs)
    }
    /// See [`Hit::thread_name_stamp`](super::Hit::thread_name_stamp).
    #[inline]
    pub fn thread_name_stamp(&self) -> Option<u64> {
        self.vm.thread_name_stamp()
    }
}

impl Vm {
    /// See [`FastEvent::thread_name_stamp`].
    #[inline]
    pub(super) fn thread_name_stamp(&self) -> Option<u64> {
        let thread = &self.threads[self.cur.0 as usize];
        if thread.name.is_some() {
            return None;
        }
        let name = self.get(thread.object.non_null()?, jdk::thread::NAME);
        // a string does not change, and no other one is at its place before the next collection
        let collections = self.heap().gc.collections as u32;
        Some(u64::from(name.non_null()?.0) << 32 | u64::from(collections))
    }
    /// A method has been entered: handles it on the fast path if possible. False: nothing has been done.
    #[inline(always)]
    pub(crate) fn entry_soon(&mut self, end: &End<'_>) -> bool {
        let Some((i, placed)) = self.instruments.sole(end.method) else {
            return false;
        };
        if placed.only_counts {
            placed.reading.hits += 1;
            return true;
        }
        match placed.observer {
            Some(observer) if placed.has_fast_path => {
                placed.reading.hits += 1;
                self.notify_fast(i, observer, end)
            }
            _ => placed.calls.is_some() && self.count_call_again(i, end),
        }
    }
    /// The same of one of the instruments of an entry or a return.
    #[inline(always)]
    pub(crate) fn handled_fast(&mut self, i: Index, end: &End<'_>) -> bool {
        match self.instruments.get_mut(i) {
            Some(placed) if placed.has_fast_path => match placed.observer {
                Some(observer) => {
                    placed.reading.hits += 1;
                    self.notify_fast(i, observer, end)
                }
                None => false,
            },
            _ => false,
        }
    }
    /// Whether an instrument notifies an observer that first sees a fast event.
    #[inline(always)]
    pub(crate) fn has_fast_path(&self, i: Index) -> bool {
        self.instruments
            .get(i)
            .is_some_and(|placed| placed.has_fast_path)
    }
    /// Shows an observer the data at hand. False: it needs a full notification, which is counted then.
    #[inline(always)]
    fn notify_fast(&mut self, i: Index, (id, number): (ObserverId, u32), end: &End<'_>) -> bool {
        let fast_outcome = match self.observers.take(id) {
            Some(mut observer) => {
                let of = match end.passed.is_empty() {
                    true => None,
                    false => self.instruments.of(end.method),
                };
                let fast_event = FastEvent {
                    vm: self,
                    end,
                    parameters: of.map_or(&[], |of| &of.parameters),
                };
                let fast_outcome = observer.fast_event(&fast_event, number);
                self.observers.put(id, observer);
                fast_outcome
            }
            None => FastOutcome::Look,
        };
        if fast_outcome != FastOutcome::Done {
            self.skip_report(i, fast_outcome);
        }
        fast_outcome == FastOutcome::Done
    }
    #[cold]
    fn skip_report(&mut self, i: Index, fast_outcome: FastOutcome) {
        if let Some(placed) = self.instruments.get_mut(i) {
            placed.reading.hits -= 1;
            placed.has_fast_path &= fast_outcome != FastOutcome::Never;
        }
    }
}
