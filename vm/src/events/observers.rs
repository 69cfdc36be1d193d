//! The observers of a VM: all of them, those of events and those of instruments.

use super::observer_id::ObserverId;
use super::{EventSet, Observer};

#[derive(Default)]
struct Entry {
    generation: u32,
    wants: EventSet,
    /// Absent while it is notified of something: it does not see events of that time.
    observer: Option<Box<dyn Observer>>,
}

/// The observers of a VM.
#[derive(Default)]
pub(crate) struct Observers {
    entries: Vec<Entry>,
    free: Vec<u32>,
    /// Those that may want events, in the order in which they were added, which is the order in which they are notified.
    of_events: Vec<ObserverId>,
}

impl Observers {
    /// Adds one, which wants no events yet.
    pub fn add(&mut self, observer: Box<dyn Observer>) -> ObserverId {
        let id = self.add_of_instrument(observer);
        self.of_events.push(id);
        id
    }
    /// Adds one that an instrument alone notifies: it never wants events.
    pub fn add_of_instrument(&mut self, observer: Box<dyn Observer>) -> ObserverId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.entries.push(Entry::default());
            self.entries.len() as u32 - 1
        });
        let entry = &mut self.entries[index as usize];
        entry.observer = Some(observer);
        ObserverId {
            index,
            generation: entry.generation,
        }
    }
    /// Takes one out for good. The inner `None`: it is being notified, and is dropped then.
    pub fn remove(&mut self, id: ObserverId) -> Option<Option<Box<dyn Observer>>> {
        let entry = self.entry_mut(id)?;
        let observer = entry.observer.take();
        (entry.generation, entry.wants) = (id.generation + 1, EventSet::NONE);
        // a place whose generations are all used is not used again
        if id.generation + 1 < u32::MAX {
            self.free.push(id.index);
        }
        self.of_events.retain(|&other| other != id);
        Some(observer)
    }
    #[inline(always)]
    fn entry(&self, id: ObserverId) -> Option<&Entry> {
        let entry = self.entries.get(id.index as usize)?;
        (entry.generation == id.generation).then_some(entry)
    }
    #[inline(always)]
    fn entry_mut(&mut self, id: ObserverId) -> Option<&mut Entry> {
        let entry = self.entries.get_mut(id.index as usize)?;
        (entry.generation == id.generation).then_some(entry)
    }
    /// Takes one out, to be notified.
    #[inline(always)]
    pub fn take(&mut self, id: ObserverId) -> Option<Box<dyn Observer>> {
        self.entry_mut(id)?.observer.take()
    }
    /// Puts it back.
    #[inline(always)]
    pub fn put(&mut self, id: ObserverId, observer: Box<dyn Observer>) {
        match self.entry_mut(id) {
            // nothing is there that would have to be dropped
            Some(entry) => std::mem::forget(entry.observer.replace(observer)),
            None => removed(observer),
        }
    }
    /// One that is there and not being notified.
    pub fn get(&self, id: ObserverId) -> Option<&dyn Observer> {
        self.entry(id)?.observer.as_deref()
    }
    /// The same, to be changed.
    pub fn get_mut(&mut self, id: ObserverId) -> Option<&mut dyn Observer> {
        self.entry_mut(id)?.observer.as_deref_mut()
    }
    /// How many there are of events.
    pub fn len_of_events(&self) -> usize {
        self.of_events.len()
    }
    /// One of those, and what it wants.
    #[inline]
    pub fn of_events(&self, k: usize) -> (ObserverId, EventSet) {
        let id = self.of_events[k];
        (id, self.wants(id))
    }
    /// All of those.
    pub fn ids_of_events(&self) -> &[ObserverId] {
        &self.of_events
    }
    /// Whether it has not been removed.
    pub fn has(&self, id: ObserverId) -> bool {
        self.entry(id).is_some()
    }
    /// The events that one wants.
    #[inline]
    pub fn wants(&self, id: ObserverId) -> EventSet {
        self.entry(id).map_or(EventSet::NONE, |entry| entry.wants)
    }
    /// Changes that: what it wanted before. `None`: it is gone.
    pub fn set_wants(&mut self, id: ObserverId, wants: EventSet) -> Option<EventSet> {
        Some(std::mem::replace(&mut self.entry_mut(id)?.wants, wants))
    }
    /// What at least one of them wants.
    pub fn wanted(&self) -> EventSet {
        let all = self.of_events.iter().map(|&id| self.wants(id));
        all.fold(EventSet::NONE, |a, b| a | b)
    }
}

/// It has been removed while it was notified.
#[cold]
fn removed(observer: Box<dyn Observer>) {
    drop(observer);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::OnSample;
    use crate::interp::Sample;

    fn some() -> Box<dyn Observer> {
        Box::new(OnSample(|_: Sample<'_>| ()))
    }

    #[test]
    fn names_are_not_used_again() {
        let mut all = Observers::default();
        let (a, b, own) = (
            all.add(some()),
            all.add(some()),
            all.add_of_instrument(some()),
        );
        assert_eq!(all.ids_of_events(), [a, b]);
        assert!(all.remove(own).flatten().is_some());
        assert!(all.remove(a).flatten().is_some());
        assert!(all.remove(a).is_none() && all.take(a).is_none());
        let c = all.add(some());
        assert!(c != a && c != own && !all.has(a) && all.has(c));
        assert_eq!(all.ids_of_events(), [b, c]);
        assert_eq!(all.set_wants(a, EventSet::VM), None);
        assert_eq!(all.set_wants(c, EventSet::VM), Some(EventSet::NONE));
        assert_eq!(all.wanted(), EventSet::VM);
        all.remove(c);
        assert_eq!(all.wanted(), EventSet::NONE);
    }

    #[test]
    fn what_is_removed_while_it_is_notified_does_not_come_back() {
        let mut all = Observers::default();
        let a = all.add(some());
        let away = all.take(a).expect("it is there");
        assert!(all.get(a).is_none() && all.has(a));
        assert!(matches!(all.remove(a), Some(None)));
        let b = all.add(some());
        all.put(a, away);
        assert!(all.get(a).is_none() && all.get(b).is_some());
    }
}
