//! Data races: two accesses to a variable, one of them a store, at least one of them plain, neither of which happens before the other
//! (JLS 17.4.5). After FastTrack (Flanagan and Freund, PLDI 2009): while the accesses to a variable are ordered, the latest of
//! them is all that has to be known, as a thread and a time; more than one only where there are more that are not ordered.
//!
//! Every race that is reported is one. Of each variable that has races in a run at least one is reported; after it, those between accesses that
//! follow one another.

use crate::clock::Epoch;
use crate::{Mode, Op, Order, Place, ThreadNo};
use hashbrown::{HashMap, HashSet};
use smallvec::SmallVec;
use std::hash::Hash;

/// One of the two accesses of a race. `S` is the type of stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Access<S> {
    /// Who.
    pub thread: ThreadNo,
    /// Where in the program.
    pub site: S,
    /// Whether it stores.
    pub write: bool,
    /// How it takes part in the memory model.
    pub mode: Mode,
}

/// A race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race<S> {
    /// The variable.
    pub place: Place,
    /// The access that came first in this run.
    pub first: Access<S>,
    /// The other.
    pub second: Access<S>,
}

/// Finds races. `S` is the caller's small number for a stack.
#[derive(Clone, Debug)]
pub struct Detector<S> {
    variables: HashMap<Place, RecentAccesses<S>>,
    found: Vec<Race<S>>,
    /// The pairs of accesses of `found`, whichever came first, without their threads.
    pairs: HashSet<[(S, bool); 2]>,
}

/// The accesses to a variable that a later one can still race with.
#[derive(Clone, Debug)]
struct RecentAccesses<S> {
    writes: SmallVec<[Entry<S>; 1]>,
    reads: SmallVec<[Entry<S>; 1]>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<S> {
    at: Epoch,
    site: S,
    mode: Mode,
    /// The place of the code, independent of its caller.
    line: u64,
    /// For a store to a final field: how often its thread had frozen fields.
    freezes: u32,
}

impl<S: Copy> Entry<S> {
    fn access(&self, write: bool) -> Access<S> {
        Access {
            thread: self.at.thread,
            site: self.site,
            write,
            mode: self.mode,
        }
    }
}

impl<S> Default for RecentAccesses<S> {
    fn default() -> Self {
        RecentAccesses {
            writes: SmallVec::new(),
            reads: SmallVec::new(),
        }
    }
}

impl<S> Default for Detector<S> {
    fn default() -> Self {
        Detector {
            variables: HashMap::new(),
            found: Vec::new(),
            pairs: HashSet::new(),
        }
    }
}

impl<S: Copy + Eq + Hash + Ord> Detector<S> {
    /// A thread has performed an operation at a place of the code, `line` (0: none is known). To be called after `order` has
    /// been notified of it: a load that acquires comes after the store that it sees. Operations that do not access memory are
    /// ignored. Returns the number of races that were not known before.
    ///
    /// `site` is not asked if the thread has done the same at this place just before, without synchronising with another thread
    /// since: the stack of the first time represents both.
    pub fn executed(
        &mut self,
        order: &mut Order,
        thread: ThreadNo,
        op: Op,
        line: u64,
        site: impl FnOnce() -> S,
    ) -> usize {
        let Some(mode) = op.kind.access() else {
            return 0;
        };
        let mut at = order.now(thread);
        let freezes = order.freezes(thread);
        let writes = op.kind.writes();
        if writes {
            // a store that releases is itself released by it
            at.time -= u32::from(mode.releases());
        }
        let variable = self.variables.entry(op.place).or_default();
        let same = |e: &Entry<S>| {
            line != 0 && (e.at, e.mode, e.line, e.freezes) == (at, mode, line, freezes)
        };
        let known = match writes {
            true => {
                variable.reads.is_empty() && variable.writes.len() == 1 && same(&variable.writes[0])
            }
            false => variable.reads.iter().any(same),
        };
        if known {
            return 0;
        }
        let before = self.found.len();
        let entry = Entry {
            at,
            site: site(),
            mode,
            line,
            freezes,
        };
        if writes {
            self.write(order, op.place, entry);
        } else {
            self.read(order, op.place, entry);
        }
        self.found.len() - before
    }

    /// All races so far, each pair of accesses once.
    pub fn found(&self) -> &[Race<S>] {
        &self.found
    }

    /// Variables that are no more, and whose numbers may be used again.
    pub fn forget(&mut self, is_gone: impl Fn(Place) -> bool) {
        self.variables.retain(|&p, _| !is_gone(p));
    }

    fn read(&mut self, order: &Order, place: Place, entry: Entry<S>) {
        let thread = entry.at.thread;
        let variable = self.variables.entry(place).or_default();
        for write in &variable.writes {
            if !order.knows(thread, write.at) && may_race(write.mode, entry.mode) {
                let frozen = (write.mode, entry.mode) == (Mode::Final, Mode::Final)
                    && order.freezes(write.at.thread) > write.freezes;
                if !frozen {
                    let race = (place, write.access(true), entry.access(false));
                    report(&mut self.found, &mut self.pairs, race);
                }
            }
        }
        keep_unordered(&mut variable.reads, order, &entry);
        variable.reads.push(entry);
    }

    fn write(&mut self, order: &Order, place: Place, entry: Entry<S>) {
        let thread = entry.at.thread;
        let variable = self.variables.entry(place).or_default();
        for (others, write) in [(&variable.writes, true), (&variable.reads, false)] {
            for other in others {
                if !order.knows(thread, other.at) && may_race(other.mode, entry.mode) {
                    let race = (place, other.access(write), entry.access(true));
                    report(&mut self.found, &mut self.pairs, race);
                }
            }
        }
        keep_unordered(&mut variable.writes, order, &entry);
        keep_unordered(&mut variable.reads, order, &entry);
        variable.writes.push(entry);
    }
}

/// Two accesses that both synchronise are not a race.
fn may_race(a: Mode, b: Mode) -> bool {
    a.is_plain() || b.is_plain()
}

/// Leaves what the access `now` does not represent: what races with one that happens before it also races with it,
/// unless it is synchronisation where the other was not.
fn keep_unordered<S>(entries: &mut SmallVec<[Entry<S>; 1]>, order: &Order, now: &Entry<S>) {
    let stands_for = |m: Mode| m == now.mode || now.mode == Mode::Plain || !m.is_plain();
    entries.retain(|e| !(order.knows(now.at.thread, e.at) && stands_for(e.mode)));
}

fn report<S: Copy + Eq + Hash + Ord>(
    found: &mut Vec<Race<S>>,
    pairs: &mut HashSet<[(S, bool); 2]>,
    (place, first, second): (Place, Access<S>, Access<S>),
) {
    let mut pair = [(first.site, first.write), (second.site, second.write)];
    pair.sort();
    if pairs.insert(pair) {
        found.push(Race {
            place,
            first,
            second,
        });
    }
}
