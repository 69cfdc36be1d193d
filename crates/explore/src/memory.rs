//! The Java memory model, as far as it can be run: which stores a load may see (JLS 17.4, 17.5; the access modes of
//! `VarHandle`).
//!
//! Threads take turns, each store is performed when its thread gets to it, and the latest stores of each variable are remembered.
//! A load may see one that is not the newest:
//!
//! * a plain load, each store that happens before it or is not ordered with it, unless it has been overwritten by one that
//!   happens before the load (JLS 17.4.5). Of two plain loads the second may see the older store.
//! * an opaque or acquire load in the same way, but none older than a value that its thread has seen, or knows that another
//!   thread has seen: loads are coherent. A load that acquires synchronises with the store that it sees.
//! * a volatile load the newest volatile store or a later store by other means. There is one exception: later actions of
//!   a thread without synchronisation may be seen before its volatile store.
//! * an atomic update the newest store.
//! * a load of a final field the value it was frozen with, and with it all that was stored before the latest freeze of its thread.
//!
//! The stores to a variable are in one order. A new one is the newest, or, unless it is a volatile one or an update, it takes its place
//! below such stores of other threads as its thread does not know.
//!
//! No load sees a value that no thread has stored: there are no values out of thin air. A later store of a thread is not seen
//! earlier; so all runs are permitted ones, but not all permitted ones are runs (load buffering is not).
//!
//! Plain loads of `long` and `double` may see one half each of two stores (JLS 17.7): a caller that wants this
//! asks twice and joins the halves.

use crate::clock::{Clock, Epoch};
use crate::order::joined;
use crate::{Mode, Op, OpKind, Order, Place, ThreadNo};
use hashbrown::HashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// How many stores of a variable are held by default.
pub const DEFAULT_BOUND: usize = 8;

/// Old stores that loads of a thread other than plain ones may see of a variable one after the other. Without an end, a loop that waits
/// for a value need not end, which the modes other than plain promise.
const PATIENCE: u8 = 16;

/// The latest stores of each variable. `V` is the value of a variable as its owner keeps it.
#[derive(Clone, Debug)]
pub struct Memory<V> {
    order: Order,
    variables: HashMap<Place, StoredVariable<V>>,
    bound: usize,
    /// By thread: how many synchronising operations it has performed.
    synchronised: Vec<u32>,
    load: Option<Load<V>>,
}

#[derive(Clone, Debug)]
struct StoredVariable<V> {
    /// Oldest first.
    stores: SmallVec<[Store<V>; 2]>,
    /// How many stores were there before the oldest one.
    dropped: u32,
    /// What all volatile stores published that have been performed for certain.
    volatile: Clock,
    /// Which thread has seen which store, other than by plain loads: the moment, and the number of the store.
    seen: SmallVec<[(Epoch, u32); 2]>,
    /// Old stores seen in a row, by thread.
    stale: SmallVec<[(ThreadNo, u8); 1]>,
}

#[derive(Clone, Debug)]
struct Store<V> {
    value: V,
    at: Epoch,
    mode: Mode,
    /// What who acquires it learns.
    published: Option<Arc<Clock>>,
    /// For a volatile store that others may not have seen yet: the number of synchronising operations of its thread up to it.
    /// With the next one it is certain.
    pending: Option<u32>,
    /// How often its thread had frozen final fields.
    freezes: u32,
    /// Whether an update stored it, which follows immediately on what it replaced.
    update: bool,
}

/// A load between [`Memory::read`] and [`Memory::take`].
#[derive(Clone, Debug)]
struct Load<V> {
    thread: ThreadNo,
    place: Place,
    mode: Mode,
    current: V,
    /// Indices of the stores it may see, the newest first; none if there are no stores.
    permitted: SmallVec<[u8; 8]>,
}

impl<V: Copy + PartialEq> Memory<V> {
    /// A memory that keeps so many stores of each variable, from 1 to 255.
    pub fn new(bound: usize) -> Memory<V> {
        Memory {
            order: Order::default(),
            variables: HashMap::new(),
            bound: bound.clamp(1, 255),
            synchronised: Vec::new(),
            load: None,
        }
    }

    /// What happens before what, for instance for a race detector.
    pub fn order(&mut self) -> &mut Order {
        &mut self.order
    }

    /// A thread has performed an operation that is not an access to memory.
    pub fn synchronised(&mut self, thread: ThreadNo, op: Op) {
        let orders = !matches!(
            op.kind,
            OpKind::Step | OpKind::Yield | OpKind::Freeze | OpKind::Begin
        );
        if orders {
            self.settle(thread);
        }
        self.order.synchronised(thread, op);
    }

    /// The stores of this thread are now certain.
    fn settle(&mut self, thread: ThreadNo) {
        if self.synchronised.len() <= thread.index() {
            self.synchronised.resize(thread.index() + 1, 0);
        }
        self.synchronised[thread.index()] += 1;
    }

    /// A thread loads a variable. How many stores it may see: at least one. `current` is what the variable holds, the newest store. To
    /// be followed by [`Memory::take`].
    pub fn read(&mut self, thread: ThreadNo, place: Place, mode: Mode, current: V) -> usize {
        if mode.acquires() {
            self.settle(thread);
        }
        let mut permitted = SmallVec::new();
        if let Some(variable) = self.variables.get_mut(&place) {
            variable.notice(current);
            permitted = variable.permitted(&self.order, thread, mode, &self.synchronised);
        }
        let n = permitted.len().max(1);
        self.load = Some(Load {
            thread,
            place,
            mode,
            current,
            permitted,
        });
        n
    }

    /// The values that the load may see, the newest store's first.
    pub fn permitted(&self) -> impl Iterator<Item = V> {
        let load = self.load.iter();
        load.flat_map(|load| {
            let none = load.permitted.is_empty().then_some(load.current);
            let stores = self.variables.get(&load.place).map(|v| &v.stores);
            let of_store = move |&i: &u8| stores.map(|s| s[usize::from(i)].value);
            none.into_iter()
                .chain(load.permitted.iter().filter_map(of_store))
        })
    }

    /// The load sees the `choice`-th of the stores it may see; the value.
    ///
    /// # Panics
    ///
    /// If there was no [`Memory::read`] before, or it did not permit so many.
    pub fn take(&mut self, choice: usize) -> V {
        let load = self.load.take().expect("a load was begun");
        let Some(variable) = self.variables.get_mut(&load.place) else {
            assert_eq!(choice, 0, "one value is permitted");
            return load.current;
        };
        let index = usize::from(load.permitted[choice]);
        let newest = index + 1 == variable.stores.len();
        variable.count_stale(load.thread, load.mode, newest);
        if newest {
            variable.settle();
        }
        if !load.mode.is_plain() && index > 0 {
            let number = variable.dropped + index as u32;
            let at = self.order.now(load.thread);
            variable.saw(at, number);
        }
        if load.mode == Mode::Volatile {
            self.order
                .saw(load.thread, Mode::Volatile, &variable.volatile);
        }
        let store = &variable.stores[index];
        if let Some(published) = &store.published {
            self.order.saw(load.thread, load.mode, published);
        }
        if load.mode == Mode::Final && !self.order.knows(load.thread, store.at) {
            self.order
                .saw_frozen(load.thread, store.at.thread, store.freezes);
        }
        store.value
    }

    /// How many places a store to a variable that holds `old` can take among those that there are: at least one, the place of
    /// the newest.
    pub fn positions(&mut self, thread: ThreadNo, place: Place, mode: Mode, old: V) -> usize {
        let Some(variable) = self.variables.get_mut(&place) else {
            return 1;
        };
        variable.notice(old);
        match mode {
            Mode::Volatile => 1,
            _ => variable.positions(&self.order, thread),
        }
    }

    /// A thread stores `new` into a variable that holds `old`. `below` is how many of the newest stores stay newer, less than
    /// [`Memory::positions`]; the variable holds `new` only if it is 0, else it stays as it is.
    pub fn write(
        &mut self,
        thread: ThreadNo,
        place: Place,
        mode: Mode,
        (old, new): (V, V),
        below: usize,
    ) {
        if mode.releases() {
            self.settle(thread);
        }
        self.store(thread, place, mode, (old, new), below, None);
    }

    /// A thread begins an atomic update, and sees the newest store. It is followed by [`Memory::updated`] if it stores.
    pub fn update(&mut self, thread: ThreadNo, place: Place, mode: Mode, current: V) {
        self.settle(thread);
        let Some(variable) = self.variables.get_mut(&place) else {
            return;
        };
        variable.notice(current);
        variable.settle();
        let newest = variable.stores.len() - 1;
        if newest > 0 {
            let at = self.order.now(thread);
            variable.saw(at, variable.dropped + newest as u32);
        }
        if mode == Mode::Volatile {
            self.order.saw(thread, mode, &variable.volatile);
        }
        if let Some(published) = &variable.stores[newest].published {
            self.order.saw(thread, mode, published);
        }
    }

    /// The update that a thread began stores `new`; the variable held `old`.
    pub fn updated(&mut self, thread: ThreadNo, place: Place, mode: Mode, old: V, new: V) {
        let before = self.variables.get(&place);
        let before = before.and_then(|v| v.stores.last()?.published.clone());
        self.store(thread, place, mode, (old, new), 0, Some(before));
    }

    fn store(
        &mut self,
        thread: ThreadNo,
        place: Place,
        mode: Mode,
        (old, new): (V, V),
        below: usize,
        replaces: Option<Option<Arc<Clock>>>,
    ) {
        let at = self.order.now(thread);
        let freezes = self.order.freezes(thread);
        let published = self.order.stored(thread, mode);
        // who sees what an update stored has also seen what it replaced
        let update = replaces.is_some();
        let published = match replaces.flatten() {
            Some(before) => Some(joined(published, before)),
            None => published,
        };
        let pending = (mode == Mode::Volatile).then(|| self.synchronised[thread.index()]);
        let variable = self.variables.entry(place).or_insert_with(|| {
            let mut variable = StoredVariable::new();
            variable.stores.push(Store::known_to_all(old));
            variable
        });
        variable.notice(old);
        if below == 0 {
            variable.settle();
        }
        let store = Store {
            value: new,
            at,
            mode,
            published,
            pending,
            freezes,
            update,
        };
        variable.insert(store, below);
        if variable.stores.len() > self.bound {
            variable.stores.remove(0);
            variable.dropped += 1;
            let dropped = variable.dropped;
            variable.seen.retain(|&mut (_, number)| number > dropped);
        }
    }

    /// Places that are no more, and whose numbers may be used again.
    pub fn forget(&mut self, is_gone: impl Fn(Place) -> bool) {
        self.variables.retain(|&p, _| !is_gone(p));
        self.order.forget(is_gone);
    }

    /// All values that are stored, for an owner whose values move.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        let load = self.load.iter_mut().map(|l| &mut l.current);
        let variables = self.variables.values_mut();
        let stores = variables.flat_map(|v| v.stores.iter_mut());
        load.chain(stores.map(|s| &mut s.value))
    }
}

impl<V> Store<V> {
    /// The value before the run, or a value that no thread stored.
    fn known_to_all(value: V) -> Store<V> {
        Store {
            value,
            at: Epoch {
                thread: ThreadNo(0),
                time: 0,
            },
            mode: Mode::Plain,
            published: None,
            pending: None,
            freezes: 0,
            update: false,
        }
    }
}

impl<V: Copy + PartialEq> StoredVariable<V> {
    fn new() -> StoredVariable<V> {
        StoredVariable {
            stores: SmallVec::new(),
            dropped: 0,
            volatile: Clock::default(),
            seen: SmallVec::new(),
            stale: SmallVec::new(),
        }
    }

    /// The variable holds `current`. If that differs from the last store, it came there by other means.
    fn notice(&mut self, current: V) {
        if self.stores.last().is_some_and(|s| s.value != current) {
            self.dropped += self.stores.len() as u32;
            self.stores.clear();
            self.seen.clear();
            self.stores.push(Store::known_to_all(current));
        }
    }

    /// The newest store is certain.
    fn settle(&mut self) {
        if let Some(newest) = self.stores.last_mut()
            && newest.pending.take().is_some()
            && let Some(published) = &newest.published
        {
            self.volatile.join(published);
        }
    }

    /// How many places a store of a thread can take.
    fn positions(&self, order: &Order, thread: ThreadNo) -> usize {
        let seen = self.seen.iter().filter(|&&(at, _)| order.knows(thread, at));
        let floor = seen.map(|&(_, number)| (number - self.dropped) as usize);
        let floor = floor.max().unwrap_or(0);
        let above = self.stores.iter().enumerate().skip(1).rev();
        let free = above
            .take_while(|(i, store)| !store.update && *i > floor && !order.knows(thread, store.at));
        1 + free.count()
    }

    fn insert(&mut self, store: Store<V>, below: usize) {
        let index = self.stores.len() - below;
        self.stores.insert(index, store);
        let number = self.dropped + index as u32;
        for (_, seen) in &mut self.seen {
            *seen += u32::from(*seen >= number);
        }
    }

    /// A thread has seen a store with that number.
    fn saw(&mut self, at: Epoch, number: u32) {
        let known =
            |&(e, n): &(Epoch, u32)| e.thread == at.thread && e.time <= at.time && n >= number;
        if !self.seen.iter().any(known) {
            self.seen.push((at, number));
        }
    }

    fn count_stale(&mut self, thread: ThreadNo, mode: Mode, newest: bool) {
        let counted = self.stale.iter().position(|&(t, _)| t == thread);
        match (counted, newest || mode.is_plain()) {
            (Some(i), true) => {
                self.stale.swap_remove(i);
            }
            (Some(i), false) => self.stale[i].1 += 1,
            (None, false) => self.stale.push((thread, 1)),
            (None, true) => {}
        }
    }

    /// The indices of the stores that a load may see, the newest first.
    fn permitted(
        &self,
        order: &Order,
        thread: ThreadNo,
        mode: Mode,
        synchronised: &[u32],
    ) -> SmallVec<[u8; 8]> {
        let newest = self.stores.len() - 1;
        let tired = |&(t, n): &(ThreadNo, u8)| t == thread && n >= PATIENCE;
        let oldest = if order.knows(thread, self.stores[newest].at) || self.stale.iter().any(tired)
        {
            newest
        } else {
            self.oldest(order, thread, mode, synchronised)
        };
        (oldest..=newest).rev().map(|i| i as u8).collect()
    }

    /// The index of the oldest store that a load may see.
    fn oldest(&self, order: &Order, thread: ThreadNo, mode: Mode, synchronised: &[u32]) -> usize {
        // what is known has overwritten what is older
        let overwrites = |store: &Store<V>| {
            order.knows(thread, store.at)
                || match mode {
                    Mode::Volatile => {
                        let certain = |n| synchronised.get(store.at.thread.index()) != Some(&n);
                        store.mode == Mode::Volatile && store.pending.is_none_or(certain)
                    }
                    Mode::Final => {
                        let frozen = order.freezes(store.at.thread) > store.freezes;
                        store.mode == Mode::Final && frozen
                    }
                    _ => false,
                }
        };
        let overwriting = self.stores.iter().rposition(overwrites).unwrap_or(0);
        if mode.is_plain() {
            return overwriting;
        }
        let seen = self.seen.iter().filter(|&&(at, _)| order.knows(thread, at));
        let seen = seen.map(|&(_, number)| (number - self.dropped) as usize);
        seen.fold(overwriting, usize::max)
    }
}
