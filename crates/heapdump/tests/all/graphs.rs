//! Dominators, retained sizes and paths, compared with what removing each object shows.

use crate::common::{ARRAY, Builder, FIRST, NODE, Random};
use rjvm_heapdump::{
    Dominators, Dump, Histogram, Holder, Paths, RootKind, class_growth, holder_growth,
    retained_set, sites,
};

fn bytes(dump: &Dump, set: &[bool]) -> u64 {
    let all = (0..dump.objects()).filter(|&o| set[o as usize]);
    all.map(|o| dump.size(o)).sum()
}

#[test]
fn retained_sizes_are_what_goes_with_an_object() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for round in 0..300 {
        let n = 2 + random.below(40);
        let id = if round % 2 == 0 { 8 } else { 4 };
        let mut b = Builder::new(2, id);
        let fields = 1 + random.below(3) as usize;
        b.library(fields);
        let place = |i: u64| FIRST + 64 * i;
        for i in 0..n {
            let to: Vec<u64> = (0..fields)
                .map(|_| match random.below(4) {
                    0 => 0,
                    _ => place(random.below(n)),
                })
                .collect();
            b.instance(place(i), 1, NODE, &to);
        }
        for _ in 0..1 + random.below(3) {
            b.root(place(random.below(n)));
        }
        b.segment();
        let dump = b.read().expect("a dump");
        let tree = Dominators::new(&dump);
        let paths = Paths::new(&dump);
        let mut total = 0;
        for o in 0..dump.objects() {
            let set = retained_set(&dump, |x| x == o);
            assert_eq!(tree.retained(o), bytes(&dump, &set), "{round}: {o}");
            assert_eq!(tree.reachable(o), paths.reachable(o));
            if let Some(d) = tree.dominator(o) {
                let above = retained_set(&dump, |x| x == d);
                assert!(above[o as usize] && d != o);
                assert!(tree.dominated(Some(d)).contains(&o));
            }
            if tree.reachable(o) {
                total += dump.size(o);
            }
        }
        assert_eq!(tree.bytes(), total);
        let node = dump.classes().iter().position(|c| c.name == "a.Node");
        let node = node.expect("the class") as u32;
        // the union of all nodes is at least what the tree says: what several of them keep together is not below one
        let set = retained_set(&dump, |x| dump.class_of(x) == node);
        assert_eq!(
            bytes(&dump, &set),
            tree.retained_by_class(&dump)[node as usize]
        );
    }
}

#[test]
fn long_chains_cost_no_stack_and_no_square() {
    let n = 200_000u64;
    let mut b = Builder::new(1, 8);
    b.library(2);
    let place = |i: u64| FIRST + 24 * i;
    for i in 0..n {
        let next = if i + 1 < n { place(i + 1) } else { 0 };
        b.instance(place(i), 1, NODE, &[next, place(i / 2)]);
    }
    b.root(FIRST);
    b.segment();
    let mut dump = b.read().expect("a dump");
    let tree = Dominators::new(&dump);
    let first = dump.at_address(FIRST).expect("the first");
    let last = dump.at_address(place(n - 1)).expect("the last");
    assert_eq!(tree.retained(first), 24 * n);
    let paths = Paths::new(&dump);
    assert_eq!(paths.length(last), Some(n as usize - 1));
    let path = paths.path(&mut dump, last).unwrap().expect("a path");
    assert_eq!(path.steps.len() as u64, n);
    assert_eq!(paths.alike(&dump, |o| tree.reachable(o)).len(), 5);
}

#[test]
fn a_frame_and_its_local_variable_are_named() {
    let mut b = Builder::new(2, 8);
    b.name(50, "run");
    b.name(51, "()V");
    b.name(52, "Node.java");
    b.name(53, "kept");
    b.library(1);
    // frame 77: Node.run at line 12; the trace 9 of thread 3
    let mut frame = 3u32.to_be_bytes().to_vec();
    frame.extend(12u32.to_be_bytes());
    b.record(0x04, &[77, 50, 51, 52], &frame);
    let mut trace = 9u32.to_be_bytes().to_vec();
    trace.extend(3u32.to_be_bytes());
    trace.extend(1u32.to_be_bytes());
    trace.extend(77u64.to_be_bytes());
    b.record(0x05, &[], &trace);
    let mut slot = 3u32.to_be_bytes().to_vec();
    slot.extend(0u32.to_be_bytes());
    slot.extend(2u32.to_be_bytes());
    slot.extend((FIRST + 64).to_be_bytes());
    slot.extend(53u64.to_be_bytes());
    b.record(rjvm_heapdump::FRAME_SLOTS, &[], &slot);
    b.instance(FIRST, 1, NODE, &[0]);
    b.instance(FIRST + 128, 9, NODE, &[0]);
    b.array(FIRST + 64, ARRAY, &[0, FIRST + 128]);
    b.thread(FIRST, 3, 9);
    b.frame_root(FIRST + 64, 3, 0);
    b.segment();
    let mut dump = b.read().expect("a dump");
    let paths = Paths::new(&dump);
    let held = dump.at_address(FIRST + 128).expect("the object");
    let path = paths.path(&mut dump, held).unwrap().expect("a path");
    assert_eq!(path.root.kind, RootKind::Frame);
    let frame = path.frame.expect("a frame").to_string();
    assert_eq!(frame, "a.Node.run(Node.java:12)");
    assert_eq!(path.local.as_deref(), Some("kept"));
    assert_eq!(path.steps[0].holder, Some(Holder::Element(1)));
    let sites = sites(&mut dump).unwrap();
    let site = sites.iter().find(|s| s.trace == 9).expect("a site");
    assert_eq!((site.objects, site.bytes), (1, dump.size(held)));
}

#[test]
fn weak_references_keep_nothing() {
    let mut b = Builder::new(2, 8);
    b.name(60, "java/lang/ref/Reference");
    b.name(61, "java/lang/ref/WeakReference");
    b.name(62, "referent");
    b.name(63, "next");
    b.load_class(10, 0x500, 60);
    b.load_class(11, 0x600, 61);
    b.library(1);
    b.class(0x500, crate::common::OBJECT, &[62, 63], &[]);
    b.class(0x600, 0x500, &[], &[]);
    b.instance(FIRST, 1, 0x600, &[FIRST + 64, FIRST + 128]);
    b.instance(FIRST + 64, 1, NODE, &[0]);
    b.instance(FIRST + 128, 1, NODE, &[0]);
    b.root(FIRST);
    b.segment();
    let dump = b.read().expect("a dump");
    let paths = Paths::new(&dump);
    let reached = |at| paths.reachable(dump.at_address(at).expect("an object"));
    assert!(!reached(FIRST + 64) && reached(FIRST + 128));
}

fn list_of(n: u64) -> Dump {
    let mut b = Builder::new(2, 8);
    b.library(1);
    let elements: Vec<u64> = (0..n).map(|i| FIRST + 4096 * 64 + 32 * i).collect();
    b.instance(FIRST, 1, NODE, &[FIRST + 32]);
    b.array(FIRST + 32, ARRAY, &elements);
    for &e in &elements {
        b.instance(e, 1, NODE, &[0]);
    }
    b.root(FIRST);
    b.segment();
    b.read().expect("a dump")
}

#[test]
fn the_holder_of_what_grows_is_suspect() {
    let (old, new) = (list_of(10), list_of(1000));
    let (old_tree, new_tree) = (Dominators::new(&old), Dominators::new(&new));
    let suspects = holder_growth((&old, &old_tree), (&new, &new_tree), 1000);
    assert_eq!(suspects.len(), 1);
    assert_eq!(new.address(suspects[0].object), FIRST + 32);
    assert_eq!(suspects[0].grown[0], ("a.Node".to_string(), 10, 1000));
    let counts = |d: &Dump| Histogram::new(d, |_| true);
    let grown = class_growth((&old, &counts(&old)), (&new, &counts(&new)));
    assert_eq!(grown[0].name, "a.Node");
    assert_eq!(grown[0].objects, (11, 1001));
}
