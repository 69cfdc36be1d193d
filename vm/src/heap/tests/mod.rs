//! The collector on graphs of made-up classes, against a model of what must be there.

mod bag;
// these make a whole VM, with stacks in mappings that Miri does not know
#[cfg(not(miri))]
mod in_vm;

use super::arena::Arena;
use super::gc_state::GcState;
use super::layout::POISON;
use super::refs::Soft;
use super::units::UnitId;
use super::{ELEMS, Heap, LENGTH, array_bytes, gc};
use crate::classes::ClassHot;
use crate::ids::{ClassId, Ref};
use bag::TestRoots;
use std::collections::BTreeMap;

/// A heap with a few classes, and its roots.
struct TestHeap {
    heap: Heap,
    bag: TestRoots,
    /// Two references at 8 and 12, a number at 16.
    node: ClassId,
    /// Reference[].
    refs: ClassId,
    /// long[].
    longs: ClassId,
    /// References of kinds soft, weak, final, phantom.
    kinds: [ClassId; 4],
}

fn class(
    h: &mut Heap,
    kind: u8,
    size: u32,
    shift: u8,
    ref_kind: u8,
    oops: &'static [u32],
) -> ClassId {
    let off = h.meta_alloc(UnitId::PERMANENT, size_of::<ClassHot>());
    let c = h.new_class(off);
    let p: *mut ClassHot = h.hot(c);
    // SAFETY: fresh zeroed metaspace of the right size.
    unsafe {
        (*p).kind = kind;
        (*p).instance_size = size;
        (*p).elem_shift = shift;
        (*p).ref_kind = ref_kind;
        (*p).oop_map = oops.as_ptr();
        (*p).oop_map_len = oops.len() as u32;
    }
    c
}

impl TestHeap {
    fn new(max: usize) -> TestHeap {
        let mut h = Heap::new(max).unwrap();
        // made-up classes have no names to ask
        h.inside = true;
        TestHeap {
            node: class(&mut h, 0, 24, 0, 0, &[8, 12]),
            refs: class(&mut h, 2, 0, 2, 0, &[]),
            longs: class(&mut h, 1, 0, 3, 0, &[]),
            kinds: [1, 2, 3, 4].map(|k| class(&mut h, 0, 32, 0, k, &[8, 16, 20])),
            heap: h,
            bag: TestRoots::default(),
        }
    }
    fn base(&self) -> *mut u8 {
        self.heap.region.base()
    }
    fn objects(&self) -> BTreeMap<Ref, (ClassId, usize)> {
        let mut found = BTreeMap::new();
        self.heap.each_object(|r| {
            let class = ClassId(self.heap.get::<u32>(r, super::CLASS));
            found.insert(r, (class, self.heap.size_of(r)));
        });
        found
    }
    /// Collects; of every other collection each object is reported.
    fn collect(&mut self, full: Option<Soft>) {
        let base = self.base();
        let reported = self.heap.gc.collections % 2 == 1;
        self.bag.table = reported.then(|| self.objects());
        let hollow = self.heap.gc.hollow();
        let mut gc = std::mem::replace(&mut self.heap.gc, hollow);
        match full {
            None => gc.collect_young(base, &mut self.bag),
            Some(soft) => gc.collect_full(base, &mut self.bag, soft),
        }
        self.heap.gc = gc;
        if let Some(table) = self.bag.table.take() {
            assert_eq!(table, self.objects());
            let empty = std::mem::take(&mut self.bag.empty);
            assert_eq!((empty.len(), empty[0]), (2, Arena::Eden));
            let in_empty = |r: &Ref| empty.contains(&self.heap.arena_of(*r).expect("no mirror"));
            assert!(!table.keys().any(in_empty));
        }
    }
    fn verify(&self) {
        let roots: Vec<Ref> = self
            .bag
            .strong
            .iter()
            .copied()
            .chain(self.bag.weak.iter().flatten().copied())
            .collect();
        self.heap.gc.verify(self.base(), &roots).unwrap();
    }
    fn raw(&mut self, bytes: usize) -> Ref {
        let base = self.base();
        let gc = &mut self.heap.gc;
        if bytes >= gc.spaces.large() {
            return gc.take_old(base, bytes);
        }
        if gc.bump(base) + bytes > gc.eden_end {
            self.collect(None);
        }
        let gc = &self.heap.gc;
        let at = gc.bump(base);
        gc.publish(base, at + bytes);
        let r = Ref((at / 8) as u32);
        // SAFETY: free memory of the eden.
        unsafe { std::ptr::write_bytes(base.add(at), 0, bytes) }
        r
    }
    fn object(&mut self, c: ClassId) -> Ref {
        // SAFETY: a class of this world.
        let size = unsafe { (*self.heap.hot(c)).instance_size } as usize;
        let r = self.raw(size);
        self.heap.write(r, super::CLASS, c.0);
        r
    }
    fn array(&mut self, c: ClassId, len: usize) -> Ref {
        // SAFETY: a class of this world.
        let shift = unsafe { (*self.heap.hot(c)).elem_shift };
        let r = self.raw(array_bytes(len, shift));
        self.heap.write(r, super::CLASS, c.0);
        self.heap.write(r, LENGTH, len as u32);
        r
    }
}

struct TestRandom(u64);
impl TestRandom {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % n
    }
}

/// What an object of the random test should hold: its number, kind and references by number.
struct Model {
    array: bool,
    slots: Vec<Option<usize>>,
}

fn mutate(seed: u64, steps: usize, stress: bool) {
    let mut w = TestHeap::new(16 << 20);
    w.heap.gc.stress = stress;
    let mut x = TestRandom(seed);
    let mut model: Vec<Model> = Vec::new();
    // root i of the world holds object `roots[i]` of the model
    let mut roots: Vec<Option<usize>> = vec![None; 40];
    w.bag.strong = vec![Ref::NULL; 40];
    for step in 0..steps {
        let i = x.below(40);
        match x.below(10) {
            0..4 => {
                let number = model.len();
                let n = match x.below(200) {
                    0 => 1 + x.below(400_000),
                    1..30 => 1 + x.below(300),
                    _ => 0,
                };
                // collections happen inside allocation: objects are found again through roots
                let r = if n == 0 {
                    let r = w.object(w.node);
                    w.heap.put(r, 16u32, number as u64);
                    r
                } else {
                    let r = w.array(w.refs, n);
                    w.heap.write(r, super::MARK, (number as u32) << 2);
                    r
                };
                model.push(Model {
                    array: n != 0,
                    slots: vec![None; if n == 0 { 2 } else { n }],
                });
                (w.bag.strong[i], roots[i]) = (r, Some(number));
            }
            4 => (w.bag.strong[i], roots[i]) = (Ref::NULL, None),
            5..8 => {
                let j = x.below(40);
                if let Some(a) = roots[i] {
                    let k = x.below(model[a].slots.len());
                    model[a].slots[k] = roots[j];
                    let off = if model[a].array { ELEMS } else { 8 } + 4 * k;
                    let v = w.bag.strong[j];
                    w.heap.put_ref(w.bag.strong[i], off, v);
                }
            }
            _ => {
                // a root moves along a reference
                if let Some(a) = roots[i] {
                    let k = x.below(model[a].slots.len());
                    let off = if model[a].array { ELEMS } else { 8 } + 4 * k;
                    w.bag.strong[i] = w.heap.get_ref(w.bag.strong[i], off);
                    roots[i] = model[a].slots[k];
                }
            }
        }
        let every = if stress { 50 } else { 20_000 };
        if step % every == 0 || w.heap.gc.old_used() > 12 << 20 {
            let full = step % (4 * every) == 0 || w.heap.gc.old_used() > 12 << 20;
            w.collect(full.then_some(Soft::Clear));
            w.verify();
            compare(&w, &model, &roots);
        }
    }
}

/// Walks model and heap side by side.
fn compare(w: &TestHeap, model: &[Model], roots: &[Option<usize>]) {
    let mut place = vec![None; model.len()];
    let mut work: Vec<(Option<usize>, Ref)> = roots
        .iter()
        .copied()
        .zip(w.bag.strong.iter().copied())
        .collect();
    while let Some((m, r)) = work.pop() {
        let Some(m) = m else {
            assert!(r.is_null());
            continue;
        };
        assert!(!r.is_null(), "object {m} is lost");
        if let Some(p) = place[m] {
            assert_eq!(p, r, "object {m} is in two places");
            continue;
        }
        place[m] = Some(r);
        let first = if model[m].array {
            assert_eq!(w.heap.class_of(r), w.refs);
            assert_eq!(w.heap.get::<u32>(r, super::MARK), (m as u32) << 2);
            assert_eq!(w.heap.len(r), model[m].slots.len());
            ELEMS
        } else {
            assert_eq!(w.heap.class_of(r), w.node);
            assert_eq!(w.heap.get::<u64>(r, 16u32), m as u64);
            8
        };
        for (k, &s) in model[m].slots.iter().enumerate() {
            work.push((s, w.heap.get_ref(r, first + 4 * k)));
        }
    }
}

#[test]
fn random_graphs_survive_collections() {
    let steps = if cfg!(miri) { 300 } else { 100_000 };
    for seed in 1..4 {
        mutate(seed * 0x9E37_79B9, steps, false);
    }
}

#[test]
fn random_graphs_survive_constant_collection_with_poison() {
    let steps = if cfg!(miri) { 100 } else { 20_000 };
    for seed in 1..4 {
        mutate(seed * 0x85EB_CA6B, steps, true);
    }
}

#[test]
#[cfg_attr(miri, ignore = "a million nodes take Miri too long")]
fn a_list_of_a_million_nodes_needs_no_stack() {
    let mut w = TestHeap::new(64 << 20);
    w.bag.strong = vec![Ref::NULL];
    for i in 0..1_000_000u64 {
        let n = w.object(w.node);
        w.heap.put(n, 16u32, i);
        let head = w.bag.strong[0];
        w.heap.put_ref(n, 8u32, head);
        w.bag.strong[0] = n;
    }
    w.collect(Some(Soft::Clear));
    w.collect(None);
    w.verify();
    let (mut r, mut n) = (w.bag.strong[0], 1_000_000u64);
    while !r.is_null() {
        n -= 1;
        assert_eq!(w.heap.get::<u64>(r, 16u32), n);
        r = w.heap.get_ref(r, 8u32);
    }
    assert_eq!(n, 0);
    assert_eq!(w.heap.gc.old_used(), 24_000_000);
}

#[test]
fn dead_memory_is_reused_and_poisoned_under_stress() {
    let mut w = TestHeap::new(16 << 20);
    w.heap.gc.stress = true;
    let r = w.object(w.node);
    w.bag.weak = vec![Some(r)];
    w.collect(None);
    assert_eq!(w.bag.weak, [None]);
    // SAFETY: free memory of the heap.
    let freed = unsafe { std::slice::from_raw_parts(w.base().add(r.0 as usize * 8), 24) };
    assert!(freed.iter().all(|&b| b == POISON));
    let base = w.base();
    assert_eq!(w.heap.gc.bump(base), w.heap.gc.spaces.eden);
}

#[test]
fn survivors_age_once_and_are_then_promoted() {
    let mut w = TestHeap::new(16 << 20);
    w.bag.strong = vec![w.object(w.node)];
    let base = w.base();
    w.collect(None);
    assert_eq!((w.heap.gc.survivor_used(), w.heap.gc.old_used()), (24, 0));
    w.collect(None);
    assert_eq!((w.heap.gc.survivor_used(), w.heap.gc.old_used()), (0, 24));
    let mut seen = 0;
    w.heap.gc.each_object(base, |_| seen += 1);
    assert_eq!(seen, 1);
}

/// For each kind: a Reference in `strong[0..4]`, its referent with a value that nothing else holds.
fn references(w: &mut TestHeap) {
    for (i, c) in w.kinds.into_iter().enumerate() {
        let r = w.object(c);
        w.bag.strong.push(r);
        let n = w.object(w.node);
        w.heap.put(n, 16u32, 100 + i as u64);
        w.heap.put_ref(r, 8u32, n);
    }
}
fn pending(w: &TestHeap) -> Vec<Ref> {
    let (mut v, mut r) = (Vec::new(), w.bag.pending);
    while !r.is_null() {
        v.push(r);
        r = w.heap.get_ref(r, 20u32);
    }
    v
}

#[test]
fn references_are_cleared_by_kind_and_enqueued() {
    for old in [false, true] {
        for full in [false, true] {
            let mut w = TestHeap::new(16 << 20);
            references(&mut w);
            if old {
                // the References get old with their referents held
                let held: Vec<Ref> = w
                    .bag
                    .strong
                    .iter()
                    .map(|&r| w.heap.get_ref(r, 8u32))
                    .collect();
                w.bag.strong.extend(held);
                w.collect(None);
                w.collect(None);
                assert!(w.heap.gc.old_used() > 0 && pending(&w).is_empty());
                w.bag.strong.truncate(4);
                // new referents for old References: found through their cards
                for i in 0..4 {
                    let n = w.object(w.node);
                    w.heap.put(n, 16u32, 100 + i as u64);
                    let r = w.bag.strong[i];
                    w.heap.put_ref(r, 8u32, n);
                }
            }
            w.collect(full.then_some(Soft::Clear));
            w.verify();
            let s = w.bag.strong.clone();
            let referent = |i: usize| w.heap.get_ref(s[i], 8u32);
            assert_eq!(referent(0).is_null(), full, "soft");
            assert!(referent(1).is_null(), "weak");
            assert_eq!(w.heap.get::<u64>(referent(2), 16u32), 102, "final");
            assert!(referent(3).is_null(), "phantom");
            let mut expected = s.clone();
            if !full {
                expected.remove(0);
            }
            assert_eq!(pending(&w), expected);
            // a pending Reference is not found again, and its referent stays
            for &r in &s {
                w.heap.put_ref(r, 16u32, r);
            }
            w.collect(None);
            w.collect(Some(Soft::Clear));
            w.verify();
            assert_eq!(pending(&w), expected_after(&w, full));
            assert_eq!(
                w.heap
                    .get::<u64>(w.heap.get_ref(w.bag.strong[2], 8u32), 16u32),
                102
            );
        }
    }
}
fn expected_after(w: &TestHeap, full: bool) -> Vec<Ref> {
    w.bag.strong[if full { 0 } else { 1 }..4].to_vec()
}

#[test]
fn soft_references_stay_while_used_and_strongly_reachable_ones_for_ever() {
    let mut w = TestHeap::new(16 << 20);
    references(&mut w);
    let soft = w.bag.strong[0];
    w.heap.put::<i64>(soft, 24u32, 500);
    w.collect(Some(Soft::UsedSince(500)));
    assert!(!w.heap.get_ref(w.bag.strong[0], 8u32).is_null());
    w.collect(Some(Soft::UsedSince(501)));
    assert!(w.heap.get_ref(w.bag.strong[0], 8u32).is_null());

    let mut w = TestHeap::new(16 << 20);
    references(&mut w);
    let held: Vec<Ref> = w
        .bag
        .strong
        .iter()
        .map(|&r| w.heap.get_ref(r, 8u32))
        .collect();
    w.bag.strong.extend(held);
    for full in [None, Some(Soft::Clear), None] {
        w.collect(full);
        for i in 0..4 {
            assert_eq!(w.heap.get_ref(w.bag.strong[i], 8u32), w.bag.strong[4 + i]);
        }
        assert!(w.bag.pending.is_null());
    }
}

#[test]
fn what_a_finalizable_object_reaches_stays_but_weak_references_to_it_are_cleared() {
    let mut w = TestHeap::new(16 << 20);
    references(&mut w);
    // final referent -> child; weak reference -> child
    let child = w.object(w.node);
    w.heap.put(child, 16u32, 7u64);
    let n = w.heap.get_ref(w.bag.strong[2], 8u32);
    w.heap.put_ref(n, 8u32, child);
    w.heap.put_ref(w.bag.strong[1], 8u32, child);
    w.heap.put_ref(w.bag.strong[3], 8u32, child);
    w.collect(None);
    w.verify();
    let n = w.heap.get_ref(w.bag.strong[2], 8u32);
    let child = w.heap.get_ref(n, 8u32);
    assert_eq!(w.heap.get::<u64>(child, 16u32), 7);
    assert!(w.heap.get_ref(w.bag.strong[1], 8u32).is_null(), "weak");
    assert_eq!(
        w.heap.get_ref(w.bag.strong[3], 8u32),
        child,
        "phantom: not yet"
    );
}

#[test]
#[cfg_attr(miri, ignore = "two million elements take Miri too long")]
fn large_arrays_live_in_the_old_space_and_their_cards_are_scanned() {
    let mut w = TestHeap::new(64 << 20);
    let n = 2_000_000;
    let big = w.array(w.refs, n);
    w.bag.strong = vec![big];
    assert!(w.heap.gc.old_used() > 4 * n);
    for k in (0..n).step_by(9_973) {
        let o = w.object(w.node);
        w.heap.put(o, 16u32, k as u64);
        w.heap.set_elem_ref(big, k, o);
    }
    for full in [None, None, Some(Soft::Clear)] {
        w.collect(full);
        w.verify();
        let big = w.bag.strong[0];
        for k in 0..n {
            let e = w.heap.elem_ref(big, k);
            if k % 9_973 == 0 {
                assert_eq!(w.heap.get::<u64>(e, 16u32), k as u64);
            } else {
                assert!(e.is_null());
            }
        }
    }
    w.bag.strong.clear();
    w.collect(Some(Soft::Clear));
    assert_eq!(w.heap.gc.old_used(), 0);
    // memory that held other things comes back zeroed
    let r = w.array(w.longs, 1_000_000);
    assert!(w.heap.raw(r, ELEMS, 8_000_000).iter().all(|&b| b == 0));
}

#[test]
fn the_reservation_covers_every_space() {
    for max in [1 << 20, 64 << 20] {
        let g = GcState::new(max);
        assert_eq!(
            gc::reservation(max),
            g.spaces.end - super::region::HEAP_START
        );
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri takes the memory of a mapping at once")]
fn elements_beyond_4_gb_are_reached_and_scanned() {
    let mut w = TestHeap::new(6 << 30);
    // memory is committed at first touch: this costs a few pages
    let len = 1_200_000_000;
    let a = w.array(w.refs, len);
    // the first element whose offset has 33 bits; cut to 32 it is the object's header
    let wraps = ((1usize << 32) - ELEMS) / 4;
    for i in [0, wraps - 1, wraps, wraps + 1, len - 1] {
        let n = w.object(w.node);
        w.heap.put::<u64>(n, 16u32, i as u64);
        w.heap.set_elem_ref(a, i, n);
    }
    w.bag.strong.push(a);
    w.collect(None);
    w.collect(None);
    assert_eq!(w.heap.class_of(a), w.refs);
    assert_eq!(w.heap.len(a), len);
    for i in [0, wraps - 1, wraps, wraps + 1, len - 1] {
        let n = w.heap.elem_ref(a, i);
        assert_eq!(w.heap.get::<u64>(n, 16u32), i as u64);
    }
    w.heap.copy_elems((a, wraps), (a, 2), 2);
    assert_eq!(w.heap.elem_ref(a, 2), w.heap.elem_ref(a, wraps));
    assert!(
        w.heap
            .raw(a, ELEMS + 1000 * 4, 4000)
            .iter()
            .all(|&b| b == 0)
    );
}

#[test]
fn accesses_outside_the_region_are_refused_wherever_they_point() {
    let mut w = TestHeap::new(1 << 20);
    let r = w.object(w.node);
    let end = w.heap.region.len();
    for (off, n) in [
        (end, 1),
        (usize::MAX, 1),
        (usize::MAX - 7, 16),
        (8, usize::MAX),
    ] {
        let tried =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| w.heap.raw(r, off, n).len()));
        assert!(tried.is_err(), "{off:#x}+{n:#x}");
    }
}
