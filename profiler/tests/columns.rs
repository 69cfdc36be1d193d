//! The optional columns: allocations and counts of single bytecodes, from the VM's nodes through
//! views to the path format.

use rjvm_profiler::cct::{Arena, NO_SITE, Walk};
use rjvm_profiler::export::{Settings, by_line, paths};
use rjvm_profiler::{Allocation, Builder, Filter, Kind, MethodInfo, Profile, Threads, View};
use std::path::Path;
use std::ptr;

fn written(profile: &Profile) -> String {
    let mut out = Vec::new();
    paths::write(profile, &Settings::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn resolve(id: u32) -> MethodInfo {
    let class = ["app/A", "java/util/B", "app/C"][id as usize % 3];
    MethodInfo::new(class, "m", "()V", false, false)
}

/// A.m calls B.m at 4 (which calls C.m) and C.m at 7; two threads do.
fn example() -> Profile {
    let mut arena = Arena::new();
    let mut nodes = Vec::new();
    // SAFETY: all nodes are of this arena.
    unsafe {
        for _ in 0..2 {
            let a = arena
                .new_node(ptr::null_mut(), 0, NO_SITE, 0)
                .expect("memory");
            let b = arena.new_node(a, 1, 4, 0).expect("memory");
            let c = arena.new_node(b, 2, 1, 0).expect("memory");
            let d = arena.new_node(a, 2, 7, 0).expect("memory");
            for (node, inclusive) in [(a, 40), (b, 20), (c, 9), (d, 6)] {
                (*node).inclusive = inclusive;
                (*node).invocations = 1;
            }
            nodes.push([a, b, c, d]);
        }
    }
    let at = nodes.clone();
    let place = move |node: *const _| {
        let same = |&n: &*mut _| std::ptr::eq(n, node);
        at.iter().find_map(|thread| thread.iter().position(same))
    };
    let mut builder = Builder::new(Kind::Exact, true, resolve).with_extra(|visit, extra| {
        // Out of order, and twice for one index: the builder puts it right.
        match place(visit.node) {
            Some(0) => extra.counts.extend([(7, 1), (4, 1), (0, 10), (4, 3)]),
            Some(1) => (extra.objects, extra.bytes) = (2, 48),
            Some(2) => (extra.objects, extra.bytes) = (1, 16),
            _ => extra.counts.push((65535, 6)),
        }
    });
    for (id, thread) in (1..).zip(&nodes) {
        // SAFETY: the arena is alive and nobody changes it.
        builder.thread("t", id, [unsafe { Walk::new(thread[0]) }]);
    }
    builder.finish().unwrap()
}

#[test]
fn a_vm_fills_in_columns_and_views_add_them_up() {
    let profile = example();
    assert!(profile.has_counts() && profile.has_allocations());
    let merged = profile.view(&View::default()).unwrap();
    assert_eq!(
        written(&merged),
        "@-1:app.A.m()V\t2\t28\t0:20,4:8,7:2\n\
         @-1:app.A.m()V;@4:java.util.B.m()V\t2\t22\t-\n\
         @-1:app.A.m()V;@4:java.util.B.m()V;@1:app.C.m()V\t2\t18\t-\n\
         @-1:app.A.m()V;@7:app.C.m()V\t2\t12\t65535:12\n"
    );
    let tree = &merged.threads[0].tree;
    let bytes: Vec<u64> = (0..4).map(|i| tree.allocation(i).bytes).collect();
    assert_eq!(bytes, [0, 96, 32, 0]);
    let inclusive: Vec<u64> = tree
        .inclusive_allocations()
        .iter()
        .map(|a| a.bytes)
        .collect();
    assert_eq!(inclusive, [128, 128, 32, 0]);
    assert_eq!(tree.counts(0).at(4), 8);
    assert_eq!(tree.counts(3).total(), 12);
    let all = Allocation {
        objects: 6,
        bytes: 128,
    };
    assert_eq!(profile.totals().allocated, all);
    assert_eq!(profile.method("app.C.m").unwrap().allocated.objects, 2);
}

#[test]
fn what_is_left_out_takes_its_columns_along() {
    let app = View {
        part: rjvm_profiler::Part::ApplicationOnly,
        threads: Threads::ByName,
        ..View::default()
    };
    let view = example().view(&app).unwrap();
    assert_eq!(
        written(&view),
        "[t]\t0\t0\t-\n\
         [t];@-1:app.A.m()V\t2\t28\t0:20,4:8,7:2\n\
         [t];@-1:app.A.m()V;@4:app.C.m()V\t2\t18\t-\n\
         [t];@-1:app.A.m()V;@7:app.C.m()V\t2\t12\t65535:12\n"
    );
    assert_eq!(view.totals().allocated.bytes, 32);
}

#[test]
fn what_is_folded_is_reported_by_the_call_that_caused_it() {
    let text = "@-1:app.A.m()V\t1\t30\t0:20,4:8,7:2\n\
                @-1:app.A.m()V;@4:java.util.B.m()V\t8\t22\t1:22\n\
                @-1:app.A.m()V;@4:java.util.B.m()V;@1:app.C.m()V\t2\t18\t0:18\n\
                @-1:app.A.m()V;@4:java.util.B.m()V;@1:java.util.D.m()V\t2\t5\t0:5\n\
                @-1:app.A.m()V;@7:app.C.m()V\t2\t12\t9:12\n";
    let mut profile = paths::read(&mut text.as_bytes()).unwrap();
    for method in &mut profile.methods {
        *method = method
            .clone()
            .with_source("A.java", &[(0, 1), (4, 2), (7, 3)]);
    }
    let shown = |filter: &Filter| profile.filter(filter).unwrap();
    let app = Filter {
        exclude: vec!["java..".parse().unwrap()],
        ..Filter::default()
    };
    let view = shown(&app);
    let tree = &view.threads[0].tree;
    assert_eq!(tree.nodes()[0].bytecodes, 30 + 22 + 5);
    assert_eq!(tree.caused(0).collect::<Vec<_>>(), [(4, 22 + 5)]);
    // What was executed is what was executed.
    assert_eq!(tree.counts(0).total(), 30);
    let reported: Vec<(u32, u64, u64)> = by_line(&view)[tree.nodes()[0].method as usize]
        .iter()
        .map(|(&line, costs)| (line, costs.own, costs.caused))
        .collect();
    assert_eq!(reported, [(1, 20, 0), (2, 8 + 27, 27), (3, 2, 0)]);
    // What is below the deepest contexts that are shown is folded in the same way, with recursion and without.
    for fold_recursion in [false, true] {
        let flat = shown(&Filter {
            max_depth: Some(1),
            fold_recursion,
            ..Filter::default()
        });
        let caused: Vec<_> = flat.threads[0].tree.caused(0).collect();
        assert_eq!(caused, [(4, 22 + 18 + 5), (7, 12)]);
        // Twice folded is reported as if it had been folded once.
        let less = profile.filter(&app).unwrap();
        let less = less
            .filter(&Filter {
                max_depth: Some(1),
                ..Filter::default()
            })
            .unwrap();
        let caused: Vec<_> = less.threads[0].tree.caused(0).collect();
        assert_eq!(caused, [(4, 22 + 18 + 5), (7, 12)]);
    }
    // What was dropped has not been caused by anything.
    let dropped = shown(&Filter {
        drop_hidden: true,
        ..app
    });
    assert!(!dropped.has_caused());
    // Without call sites nobody knows.
    let merged = View {
        call_sites: false,
        ..View::default()
    };
    assert!(!view.view(&merged).unwrap().has_caused());
    assert!(view.view(&View::default()).unwrap().has_caused());
    // Other counts of the same contexts don't belong to them.
    let weighed = view.weighed(|_, tree, node, _| 2 * tree.nodes()[node as usize].bytecodes);
    assert!(!weighed.has_caused());
}

#[test]
fn absent_columns_make_no_difference() {
    let text = "A.m()V\t1\t2\nA.m()V;B.m()V\t1\t0\n";
    let read = |text: &str| paths::read(&mut text.as_bytes()).unwrap();
    let plain = read(text);
    assert!(!plain.has_counts() && !plain.has_allocations());
    assert_eq!(plain, read("A.m()V\t1\t2\t-\nA.m()V;B.m()V\t1\t0\t-\n"));
    assert_eq!(plain, read("A.m()V\t1\t2\t5:0\nA.m()V;B.m()V\t1\t0\t\n"));
    assert_ne!(plain, read("A.m()V\t1\t2\t5:2\nA.m()V;B.m()V\t1\t0\n"));
}

#[test]
fn profiles_with_counts_of_bytecodes_are_read_and_written() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/oracle/expected");
    let mut compared = 0;
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if !path.to_string_lossy().ends_with(".sites.txt") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let profile = paths::read(&mut text.as_bytes()).unwrap();
        assert_eq!(written(&profile), text, "{}", path.display());
        let reversed: Vec<&str> = text.lines().rev().collect();
        let again = paths::read(&mut reversed.join("\n").as_bytes()).unwrap();
        assert_eq!(again, profile, "{}", path.display());
        for thread in &profile.threads {
            for (index, node) in (0..).zip(thread.tree.nodes()) {
                assert_eq!(thread.tree.counts(index).total(), node.bytecodes);
            }
        }
        compared += 1;
    }
    assert_eq!(compared, 22);
}

#[test]
fn malformed_counts_are_errors() {
    for column in ["1", "1:", ":1", "1:2,", "65536:1", "1:-1", "-,1:2"] {
        let text = format!("A.m()V\t1\t1\t{column}\n");
        let error = paths::read(&mut text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("line 1: '"), "{column}: {error}");
        assert!(
            error.ends_with("' is not the index:count of a bytecode"),
            "{error}"
        );
    }
}

#[test]
fn pruning_keeps_allocations_and_counts_of_what_is_reported() {
    let profile = example();
    for contexts in 2..8 {
        let limits = rjvm_profiler::Limits {
            contexts: Some(contexts),
            ..rjvm_profiler::Limits::NONE
        };
        let (pruned, _) = profile.pruned(&limits).unwrap();
        assert_eq!(pruned.totals().allocated, profile.totals().allocated);
        assert_eq!(pruned.totals().bytecodes, profile.totals().bytecodes);
        assert!(pruned.totals().nodes <= contexts);
    }
    let limits = rjvm_profiler::Limits {
        least: 3000,
        ..rjvm_profiler::Limits::NONE
    };
    let (pruned, _) = profile.pruned(&limits).unwrap();
    assert!(written(&pruned).contains("app.A.m()V\t1\t14\t0:10,4:4,7:1\n"));
}
