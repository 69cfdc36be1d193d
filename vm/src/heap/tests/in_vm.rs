//! The collector in a VM with the real class library: limits, figures, strings, hashes, references.

use crate::classes::tests::vm_with;
use crate::heap::mark;
use crate::ids::{ClassId, Ref};
use crate::jdk;
use crate::throw::{R, Throw};
use crate::vm::Vm;

fn vm(max_heap: usize) -> Box<Vm> {
    vm_with(|o| o.max_heap = max_heap)
}

/// What the interpreter does with an allocation; `None`: out of memory.
fn make(vm: &mut Vm, mut f: impl FnMut(&mut Vm) -> R<Ref>) -> Option<Ref> {
    // SAFETY: the hot VM state lies at the base. An instruction begins.
    unsafe { (*vm.hot()).regs.ticks += 1 }
    loop {
        match f(vm).map_err(|t| *t) {
            Ok(r) => return Some(r),
            Err(Throw::Collect(n)) => {
                if !vm.collect(n, false) {
                    return None;
                }
            }
            Err(Throw::New {
                class: "java/lang/OutOfMemoryError",
                ..
            }) => return None,
            Err(t) => panic!("{t:?}"),
        }
    }
}
fn bytes(vm: &mut Vm, n: usize) -> Option<Ref> {
    make(vm, |vm| vm.new_byte_array(n))
}
/// A linked list in a root cell: `Object[] {next, byte[n]}`.
fn push(vm: &mut Vm, list: u32, n: usize) -> bool {
    let Some(b) = bytes(vm, n) else {
        return false;
    };
    let held = vm.heap.new_cell(b);
    let node = make(vm, |vm| vm.new_object_array(2));
    let (next, b) = (vm.heap.cell(list), vm.heap.cell(held));
    vm.heap.set_cell(held, Ref::NULL);
    let Some(node) = node else { return false };
    vm.heap.set_elem_ref(node, 0, next);
    vm.heap.set_elem_ref(node, 1, b);
    vm.heap.set_cell(list, node);
    true
}

#[test]
fn the_whole_heap_is_usable_and_running_out_of_it_is_survivable() {
    let max = 32 << 20;
    let mut vm = vm(max);
    for n in [100, 3000, 200_000] {
        let list = vm.heap.new_cell(Ref::NULL);
        let mut pushed = 0;
        while push(&mut vm, list, n) {
            pushed += 1;
        }
        let live = pushed * (crate::heap::array_bytes(n, 0) + 24);
        assert!(live > max - max / 40, "{n}: {live} of {max} used");
        assert!(live < max + max / 20, "{n}: {live} of {max} used");
        // an error and its stack trace fit
        for _ in 0..100 {
            let error = vm.beyond_the_limit(false, |vm| vm.new_byte_array(1000));
            error.expect("room for the error");
        }
        let (_, before) = vm.collections();
        vm.heap.set_cell(list, Ref::NULL);
        for _ in 0..100 {
            bytes(&mut vm, 5 << 20).expect("room again");
        }
        assert!(vm.collections().1 - before < 50, "{:?}", vm.collections());
        vm.verify_heap().unwrap();
    }
    assert!(bytes(&mut vm, max).is_none());
    assert!(bytes(&mut vm, 1 << 40).is_none());
}

#[test]
fn a_native_whose_needs_never_fit_together_ends_out_of_memory() {
    let mut vm = vm(16 << 20);
    let r = make(&mut vm, |vm| {
        vm.new_byte_array(9 << 20)?;
        vm.new_byte_array(9 << 20)
    });
    assert_eq!(r, None);
    assert!(bytes(&mut vm, 9 << 20).is_some());
}

#[test]
fn garbage_never_runs_out_of_memory_nor_grows_the_heap() {
    let mut vm = vm(8 << 20);
    let (mut made, mut n) = (0, 1);
    while made < 400 << 20 {
        n = n * 7919 % 100_003;
        bytes(&mut vm, n).expect("garbage is collected");
        made += n;
        assert!(vm.heap_used() <= vm.env().heap_total() && vm.env().heap_total() <= vm.heap_max());
    }
    assert!(vm.heap_allocated() >= made as u64);
    let (all, full) = vm.collections();
    assert!(all > 50 && full < all / 2, "{full} of {all}");
}

#[test]
fn interned_strings_live_as_long_as_somebody_holds_them() {
    let mut vm = vm(16 << 20);
    let kept = vm.intern_str("kept").unwrap();
    let cell = vm.heap.new_cell(kept);
    vm.intern_str("lost").unwrap();
    let before = vm.strings.iter().count();
    for round in 0..4 {
        vm.collect(0, false);
        bytes(&mut vm, 1000);
        let r = vm.heap.cell(cell);
        assert_eq!(vm.string(r), "kept", "{round}");
        assert_eq!(vm.intern_str("kept").unwrap(), r, "{round}");
    }
    assert!(vm.strings.iter().count() < before);
    let again = vm.intern_str("lost").unwrap();
    assert_eq!(vm.string(again), "lost");
}

#[test]
fn identity_hashes_move_with_their_objects() {
    let mut vm = vm(16 << 20);
    let array = make(&mut vm, |vm| vm.new_object_array(100)).unwrap();
    let cell = vm.heap.new_cell(array);
    let mut hashes = Vec::new();
    for i in 0..100 {
        let o = bytes(&mut vm, i).unwrap();
        let array = vm.heap.cell(cell);
        vm.heap.set_elem_ref(array, i, o);
        hashes.push(vm.identity_hash(o));
    }
    let first = vm.heap.cell(cell);
    for _ in 0..3 {
        for _ in 0..100 {
            bytes(&mut vm, 100_000);
        }
        vm.collect(0, false);
        let array = vm.heap.cell(cell);
        for (i, &h) in hashes.iter().enumerate() {
            let o = vm.heap.elem_ref(array, i);
            assert_eq!(vm.heap.len(o), i);
            assert_eq!(vm.identity_hash(o), h);
            assert_eq!(
                mark::state(vm.heap.get::<u32>(o, crate::heap::MARK)),
                mark::NEUTRAL
            );
        }
    }
    assert_ne!(vm.heap.cell(cell), first);
}

/// A Reference to a fresh `byte[n]`, in a root cell.
fn reference(vm: &mut Vm, class: ClassId, n: usize) -> u32 {
    let r = make(vm, |vm| vm.alloc_object(class)).unwrap();
    let cell = vm.heap.new_cell(r);
    let b = bytes(vm, n).unwrap();
    let r = vm.heap.cell(cell);
    vm.set(r, jdk::reference::REFERENT, b);
    cell
}
fn referent(vm: &mut Vm, cell: u32) -> Ref {
    let r = vm.heap.cell(cell);
    vm.get(r, jdk::reference::REFERENT)
}

#[test]
fn root_cells_are_used_again() {
    let mut vm = vm(16 << 20);
    let r = bytes(&mut vm, 10).unwrap();
    let kept = vm.heap.new_cell(r);
    let used = vm.heap.metaspace.used();
    for i in 0..1_000_000 {
        let cell = vm.heap.new_cell(r);
        assert_ne!(cell, kept, "cell {i}");
        vm.heap.free_cell(cell);
    }
    assert_eq!(vm.heap.metaspace.used(), used);
    vm.collect(0, false);
    let r = vm.heap.cell(kept);
    assert_eq!(vm.heap.len(r), 10);
}

#[test]
fn soft_references_give_way_before_memory_runs_out() {
    let mut vm = vm(16 << 20);
    let (soft, weak) = (
        vm.loaded.known.soft_reference,
        vm.loaded.known.weak_reference,
    );
    let w = reference(&mut vm, weak, 10);
    let cells: Vec<u32> = (0..10).map(|_| reference(&mut vm, soft, 1 << 20)).collect();
    vm.collect(0, false);
    assert!(referent(&mut vm, w).is_null());
    for &c in &cells {
        assert!(!referent(&mut vm, c).is_null(), "there is room");
    }
    let big = bytes(&mut vm, 10 << 20).expect("the soft references' room");
    assert_eq!(vm.heap.len(big), 10 << 20);
    let list = vm.pending_references();
    let (mut n, mut r) = (0, list);
    while !r.is_null() {
        n += 1;
        r = vm.get(r, jdk::reference::DISCOVERED);
    }
    assert_eq!(n, 11);
    for &c in &cells {
        assert!(referent(&mut vm, c).is_null());
    }
}

#[test]
fn under_stress_every_collection_moves_and_poisons() {
    let mut vm = vm_with(|o| {
        o.max_heap = 16 << 20;
        o.gc_stress = true;
    });
    let list = vm.heap.new_cell(Ref::NULL);
    for i in 0..500 {
        assert!(push(&mut vm, list, i));
        assert!(vm.collect(64, true));
    }
    let (mut r, mut n) = (vm.heap.cell(list), 500);
    while !r.is_null() {
        n -= 1;
        let b = vm.heap.elem_ref(r, 1);
        assert_eq!(vm.heap.bytes(b), vec![0; n]);
        r = vm.heap.elem_ref(r, 0);
    }
    assert_eq!(n, 0);
    let (all, full) = vm.collections();
    assert!(all >= 500 && full > 3 && full < 100, "{all}, {full} full");
}
