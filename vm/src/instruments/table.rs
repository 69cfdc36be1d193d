//! Which instruments there are, and of which methods.

use super::call_table::CallTable;
use super::ids::{Index, InstrumentId};
use super::spec::{Action, Point, Reading, Spec};
use crate::events::{EventSet, ObserverId, Observers};
use crate::ids::{ClassId, MethodId};
use hashbrown::HashMap;
use std::collections::BTreeMap;

/// An instrument that is placed.
pub(super) struct PlacedInstrument {
    pub id: InstrumentId,
    pub at: Point,
    pub clocks: bool,
    pub timed: bool,
    /// It counts and does nothing else.
    pub only_counts: bool,
    /// It sees both ends of methods.
    pub around: bool,
    /// Calls by who calls, if it counts these.
    pub calls: Option<Box<CallTable>>,
    /// The observer to notify, and the number for it.
    pub observer: Option<(ObserverId, u32)>,
    /// It is the instrument's own, and goes with it.
    pub owns_observer: bool,
    /// The observer sees the facts at hand first.
    pub has_fast_path: bool,
    pub reading: Reading,
    /// Whether classes are among those it is about, once it has been asked.
    pub classes: HashMap<ClassId, bool>,
    /// The methods it is in.
    pub methods: Vec<MethodId>,
    /// Of [`Point::Every`]: the count at which it is notified next.
    pub next: i64,
}

impl PlacedInstrument {
    /// What it has found out.
    pub fn reading(&self) -> Reading {
        let hits = self.calls.as_ref().map(|table| table.sum());
        Reading {
            hits: hits.unwrap_or(self.reading.hits),
            ..self.reading
        }
    }
}

/// The instruments of a method.
#[derive(Default, Clone)]
pub(super) struct OfMethod {
    /// Those that are notified of its entry.
    pub entry: Vec<Index>,
    /// Those that are notified of a return.
    pub returns: Vec<Index>,
    /// Those that are notified of an exception.
    pub throws: Vec<Index>,
    /// Those inside of its code.
    pub inside: Vec<Index>,
    /// Slot and first letter of the type of each of its parameters.
    pub parameters: Box<[(u16, u8)]>,
}

impl OfMethod {
    fn all(&mut self) -> [&mut Vec<Index>; 4] {
        [
            &mut self.entry,
            &mut self.returns,
            &mut self.throws,
            &mut self.inside,
        ]
    }
    pub fn is_empty(&mut self) -> bool {
        self.all().iter().all(|v| v.is_empty())
    }
    /// Takes an instrument out.
    pub fn remove(&mut self, i: Index) -> bool {
        let mut found = false;
        for list in self.all() {
            let before = list.len();
            list.retain(|&j| j != i);
            found |= list.len() < before;
        }
        found
    }
}

/// A change to apply when all observers have been notified.
pub(super) enum Change {
    Place(InstrumentId, Box<Spec>),
    Remove(InstrumentId),
}

/// A method's place among those that have instruments.
#[derive(Default, Clone, Copy)]
struct MethodRow {
    /// Which of `of` it is, plus 1.
    of: u32,
    /// The instrument of its entry, plus 1, if there is no other one and it does not wait for the exit.
    sole: u32,
}

/// The instruments of a VM.
#[derive(Default)]
pub(crate) struct Instruments {
    list: Vec<Option<Box<PlacedInstrument>>>,
    free: Vec<Index>,
    by_id: BTreeMap<InstrumentId, Index>,
    next: u64,
    /// By method number.
    by_method: Vec<MethodRow>,
    of: Vec<OfMethod>,
    of_free: Vec<u32>,
    /// A notification is under way.
    pub(super) notifying: bool,
    pub(super) changes: Vec<Change>,
    /// An observer wants to know of methods that are left.
    pub(super) exits: usize,
    /// An observer is notified of exceptions.
    pub(super) exceptions: Vec<Index>,
    /// Those that are notified of monitors.
    pub(super) unlocks: Vec<Index>,
    /// Those of events, with the kinds they are of.
    pub(super) of_events: Vec<(EventSet, Index)>,
    /// Those of numbers of bytecodes.
    pub(super) every: Vec<Index>,
    /// There is such a one, or was.
    pub(super) counts: bool,
    /// What instructions are, once it was asked.
    pub(super) kinds: Option<Box<crate::interp::InsnTable>>,
}

impl Instruments {
    /// The number of the next instrument.
    pub(super) fn new_id(&mut self) -> InstrumentId {
        self.next += 1;
        InstrumentId(self.next - 1)
    }
    /// Whether there are none.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.len() == self.free.len()
    }
    /// Whether an observer is notified when methods are left.
    #[inline]
    pub(crate) fn reports_exits(&self) -> bool {
        self.exits > 0
    }
    /// Whether an observer is notified of exceptions that are thrown.
    #[inline]
    pub(crate) fn reports_exceptions(&self) -> bool {
        !self.exceptions.is_empty()
    }
    /// Whether an observer is notified of the monitors of methods and natives that are entered and left.
    #[inline]
    pub(crate) fn reports_locks(&self) -> bool {
        !self.unlocks.is_empty()
    }
    /// Whether an observer is notified when this method is entered.
    #[inline]
    pub(crate) fn enters(&self, m: MethodId) -> bool {
        self.of(m).is_some_and(|of| !of.entry.is_empty())
    }
    /// Whether an observer is notified when this method is left.
    #[inline]
    pub(crate) fn leaves(&self, m: MethodId) -> bool {
        self.of(m)
            .is_some_and(|of| !(of.returns.is_empty() && of.throws.is_empty()))
    }
    /// The kinds of events that an observer wants.
    pub(crate) fn events(&self) -> EventSet {
        let all = self.of_events.iter().map(|e| e.0);
        all.fold(EventSet::NONE, |a, b| a | b)
    }
    pub(super) fn add(&mut self, id: InstrumentId, spec: Spec, observers: &mut Observers) -> Index {
        // calls are those of entries
        let by_caller = matches!(
            (&spec.at, &spec.action),
            (Point::Entry(_), Action::Calls(_))
        );
        let timed = matches!(spec.action, Action::Time);
        let (observer, owns_observer) = match spec.action {
            Action::Count | Action::Time => (None, false),
            Action::Notify(own) | Action::Calls(own) => {
                (Some((observers.add_of_instrument(own), 0)), true)
            }
            Action::NotifyAll(observer, number) => (Some((observer, number)), false),
        };
        let clocks = spec.clocks;
        let placed = Box::new(PlacedInstrument {
            id,
            clocks,
            timed,
            only_counts: !timed && observer.is_none() && !matches!(spec.at, Point::Around(_)),
            around: matches!(spec.at, Point::Around(_)),
            calls: by_caller.then(Box::default),
            has_fast_path: observer.is_some()
                && !owns_observer
                && !matches!(spec.at, Point::Around(_)),
            observer,
            owns_observer,
            reading: Reading::default(),
            classes: HashMap::new(),
            methods: Vec::new(),
            next: i64::MAX,
            at: spec.at,
        });
        let i = match self.free.pop() {
            Some(i) => {
                self.list[i as usize] = Some(placed);
                i
            }
            None => {
                self.list.push(Some(placed));
                self.list.len() as u32 - 1
            }
        };
        self.by_id.insert(id, i);
        i
    }
    /// Takes an instrument out of the list, which nothing names any more.
    pub(super) fn take(&mut self, i: Index) -> Option<Box<PlacedInstrument>> {
        let placed = self.list.get_mut(i as usize)?.take()?;
        self.free.push(i);
        self.by_id.remove(&placed.id);
        Some(placed)
    }
    #[inline]
    pub(super) fn get(&self, i: Index) -> Option<&PlacedInstrument> {
        self.list.get(i as usize)?.as_deref()
    }
    #[inline]
    pub(super) fn get_mut(&mut self, i: Index) -> Option<&mut PlacedInstrument> {
        self.list.get_mut(i as usize)?.as_deref_mut()
    }
    pub(super) fn find(&self, id: InstrumentId) -> Option<Index> {
        self.by_id.get(&id).copied()
    }
    /// All of them, by index.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Index, &PlacedInstrument)> {
        let all = self.list.iter().enumerate();
        all.filter_map(|(i, p)| Some((i as Index, p.as_deref()?)))
    }
    /// Those of a method, if it has any.
    #[inline]
    pub(super) fn of(&self, m: MethodId) -> Option<&OfMethod> {
        let row = self.by_method.get(m.0 as usize)?;
        self.of.get((row.of as usize).wrapping_sub(1))
    }
    /// The instrument of its entry, if there is no other one and it does not wait for the exit.
    #[inline(always)]
    pub(super) fn sole(&mut self, m: MethodId) -> Option<(Index, &mut PlacedInstrument)> {
        let i = self.by_method.get(m.0 as usize)?.sole.checked_sub(1)?;
        Some((i, self.get_mut(i)?))
    }
    /// Which those of a method's entry are has changed.
    pub(super) fn note_sole(&mut self, m: MethodId) {
        let sole = match self.of(m).map(|of| of.entry.as_slice()) {
            Some(&[i]) if self.get(i).is_some_and(|p| !p.around) => i + 1,
            _ => 0,
        };
        if let Some(row) = self.by_method.get_mut(m.0 as usize) {
            row.sole = sole;
        }
    }
    /// Those of a method, to be changed.
    pub(super) fn of_mut(&mut self, m: MethodId) -> &mut OfMethod {
        let at = m.0 as usize;
        if self.by_method.len() <= at {
            self.by_method.resize(at + 1, MethodRow::default());
        }
        if self.by_method[at].of == 0 {
            let i = self.of_free.pop().unwrap_or_else(|| {
                self.of.push(OfMethod::default());
                self.of.len() as u32
            });
            self.by_method[at].of = i;
        }
        &mut self.of[self.by_method[at].of as usize - 1]
    }
    /// The method is gone, or has no instruments any more.
    pub(crate) fn forget_method(&mut self, m: MethodId) {
        if let Some(row) = self.by_method.get_mut(m.0 as usize) {
            let row = std::mem::take(row);
            if row.of != 0 {
                self.of[row.of as usize - 1] = OfMethod::default();
                self.of_free.push(row.of);
            }
            let tables = self.list.iter_mut().flatten();
            for table in tables.filter_map(|p| p.calls.as_mut()) {
                table.forget(m);
            }
        }
    }
    /// The class is gone; its number may be given again.
    pub(crate) fn forget_class(&mut self, c: ClassId) {
        for placed in self.list.iter_mut().flatten() {
            placed.classes.remove(&c);
        }
    }
}
