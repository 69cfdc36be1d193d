//! Comparisons, metrics and queries.

use rjvm_profiler::samples::{Frame, Recorder};
use rjvm_profiler::{Change, Comparison, MethodInfo, OverlapBy, Profile};
use std::path::Path;

fn read(text: &str) -> Profile {
    Profile::read(&mut text.as_bytes()).unwrap()
}

fn example(name: &str) -> Profile {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/oracle/expected");
    Profile::read_file(&dir.join(name)).unwrap()
}

#[test]
fn contexts_are_matched_in_one_scan() {
    let a = read(
        "@-1:A.m()V\t1\t1\n@-1:A.m()V;@1:B.m()V\t1\t2\n@-1:A.m()V;@1:B.m()V;@0:C.m()V\t1\t3\n\
         @-1:A.m()V;@12:C.m()V\t1\t4\n@-1:A.m()V;@2:B.m()V\t1\t5\n",
    );
    let b = read(
        "@-1:A.m()V\t1\t1\n@-1:A.m()V;@12:B.m()V\t2\t6\n@-1:A.m()V;@12:C.m()V\t3\t4\n\
         @-1:A.m()V;@12:C.m()V;@1:D.m()V\t1\t9\n@-1:Z.m()V\t1\t7\n",
    );
    let both = Comparison::new(&a, &b).unwrap();
    let seen: Vec<String> = both
        .contexts()
        .map(|pair| {
            let path: Vec<String> = both
                .path(pair)
                .iter()
                .map(|&(_, method)| both.methods[method as usize].class.clone())
                .collect();
            let Change { before, after } = both.bytecodes(pair);
            format!("{} {before} {after}", path.join(";"))
        })
        .collect();
    assert_eq!(
        seen,
        [
            "A 1 1",
            "A;B 0 6",
            "A;C 4 4",
            "A;C;D 0 9",
            "A;B 2 0",
            "A;B;C 3 0",
            "A;B 5 0",
            "Z 0 7"
        ]
    );
    let changes = both.method_changes();
    assert_eq!(changes.len(), 5);
    let change = |before, after| Change { before, after };
    assert_eq!(changes[1].bytecodes, change(7, 6));
    assert_eq!(changes[1].invocations, change(2, 2));
    assert_eq!(changes[1].bytecodes.difference(), -1);
}

#[test]
fn overlap_is_the_sum_of_the_smaller_shares() {
    for name in ["Recursion.sites.txt", "Loops.txt"] {
        let profile = example(name);
        let same = Comparison::new(&profile, &profile).unwrap();
        assert_eq!(same.overlap(OverlapBy::Contexts), 1.0);
        assert_eq!(same.overlap(OverlapBy::Methods), 1.0);
        let twice = Profile::merge(&[&profile, &profile]).unwrap();
        let shares = Comparison::new(&profile, &twice).unwrap();
        assert_eq!(shares.overlap(OverlapBy::Contexts), 1.0);
    }
    let sites = example("Recursion.sites.txt");
    let plain = example("Recursion.txt");
    let both = Comparison::new(&plain, &sites).unwrap();
    assert!(!both.call_sites);
    // The natives are in one of them only, and execute nothing.
    assert_eq!(both.overlap(OverlapBy::Contexts), 1.0);
    let nothing = Comparison::new(&plain, &Profile::default()).unwrap();
    assert_eq!(nothing.overlap(OverlapBy::Contexts), 0.0);
    let two = Profile::default();
    let nothing = Comparison::new(&two, &two).unwrap();
    assert_eq!(nothing.overlap(OverlapBy::Methods), 1.0);
}

#[test]
fn samples_are_compared_by_their_number() {
    let exact = read("A.m()V\t1\t60\nA.m()V;B.m()V\t1\t40\n");
    let mut recorder = Recorder::new(false);
    let class = |id: u32| ["A", "B"][id as usize];
    let frame = |method| Frame {
        method,
        bci: 0,
        upcall: false,
    };
    for top in [false, true, true, true] {
        let stack = [frame(0), frame(1)];
        let stack = &stack[..1 + usize::from(top)];
        recorder.sample(1, stack.iter().copied(), 1000).unwrap();
    }
    let sampled = recorder
        .profile(|id| MethodInfo::new(class(id), "m", "()V", false, false))
        .unwrap();
    let both = Comparison::new(&exact, &sampled).unwrap();
    assert_eq!(both.overlap(OverlapBy::Contexts), 0.25 + 0.4);
}

#[test]
fn shape_and_call_sites() {
    let demo = example("Demo.sites.txt");
    let shape = demo.shape();
    assert_eq!((shape.contexts, shape.max_depth, shape.roots), (8, 4, 1));
    assert_eq!((shape.methods, shape.depths), (6, 21));
    assert_eq!(shape.leaves, 5);
    assert!((shape.mean_depth() - 2.5).abs() < 0.5, "{shape:?}");
    let sites = demo.call_site_targets();
    let label = |method: u32| demo.methods[method as usize].readable();
    // JP2, section 3: the call site in sumAreas has two targets.
    let polymorphic: Vec<_> = sites.iter().filter(|s| s.targets.len() > 1).collect();
    assert_eq!(polymorphic.len(), 1);
    assert!(label(polymorphic[0].caller).starts_with("Demo.sumAreas"));
    assert_eq!(polymorphic[0].calls(), 3);
    assert!(example("Demo.txt").call_site_targets().is_empty());
    let counts = demo.counts_by_method();
    for (method, counts) in (0..).zip(&counts) {
        let sum: u64 = counts.iter().map(|c| c.1).sum();
        assert_eq!(sum, demo.bytecodes_of(&demo.methods[method].label()));
    }
}

#[test]
fn queries_and_assertions() {
    let loops = example("Loops.sites.txt");
    let counts = loops.contexts_at(&["Loops.main", "Loops.count(int)"]);
    assert_eq!(counts.len(), 1);
    assert_eq!(counts[0].counts().at(2), 1001);
    assert_eq!(counts[0].site(), Some(11));
    assert_eq!(counts[0].caller().unwrap().method().name, "main");
    assert_eq!(loops.contexts_at(&["Loops.main", "Loops.doWhile"]).len(), 2);
    let at = loops.contexts_at(&["@-1:Loops.main", "@35:Loops.doWhile(I)I", "Loops.getter"]);
    assert_eq!(at[0].invocations(), 51);
    assert!(loops.contexts_at(&["Loops.count"]).is_empty());
    assert!(loops.contexts_at(&[]).is_empty());
    assert_eq!(loops.contexts().count() as u64, loops.totals().nodes);
    for context in loops.contexts() {
        let below: u64 = context.callees().map(|c| c.inclusive()).sum();
        assert_eq!(context.inclusive(), context.bytecodes() + below);
    }
    loops.assert_calls("Loops.doWhile", 2);
    loops.assert_bytecodes("Loops.count", 5007);
    loops.assert_at_most("Loops.count", 5007);
    loops.assert_same_contexts(&loops);
    let fails = |test: &dyn Fn()| {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(test));
        *result.unwrap_err().downcast::<String>().unwrap()
    };
    assert_eq!(
        fails(&|| loops.assert_at_most("Loops.count", 5006)),
        "Loops.count executed 5007 bytecodes, more than 5006"
    );
    let message = fails(&|| loops.assert_at_most("Loops.cuont", 9));
    assert_eq!(message, "Loops.cuont executed no bytecode");
    let message = fails(&|| loops.assert_same_contexts(&example("Demo.sites.txt")));
    assert!(
        message.starts_with("contexts differ:\n  @-1:Demo.main"),
        "{message}"
    );
}
