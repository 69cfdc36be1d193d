//! Filters and sums of profiles.

use rjvm_profiler::export::Settings;
use rjvm_profiler::export::paths;
use rjvm_profiler::samples::{Frame, Recorder};
use rjvm_profiler::{Filter, MethodInfo, Pattern, Profile, View};
use std::path::Path;

fn read(text: &str) -> Profile {
    paths::read(&mut text.as_bytes()).unwrap()
}

fn written(profile: &Profile) -> String {
    let mut out = Vec::new();
    paths::write(profile, &Settings::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn filtered(profile: &Profile, filter: &Filter) -> String {
    written(&profile.filter(filter).unwrap())
}

const CALLS: &str = "\
@-1:a.M.main()V\t1\t10\t0:4,7:6
@-1:a.M.main()V;@3:a.M.f()V\t2\t4\t0:4
@-1:a.M.main()V;@7:lib.L.each()V\t1\t100\t5:100
@-1:a.M.main()V;@7:lib.L.each()V;@5:a.M.f()V\t3\t6\t0:6
@-1:a.M.main()V;@7:lib.L.each()V;@5:lib.x.H.h()V\t1\t7\t1:7
@-1:lib.T.run()V\t1\t50\t0:50
@-1:lib.T.run()V;@2:a.M.f()V\t1\t2\t0:2
";

#[test]
fn hidden_methods_fold_into_their_caller() {
    let profile = read(CALLS);
    let lib = Filter {
        exclude: Pattern::list("lib..").unwrap(),
        ..Filter::default()
    };
    let expected = "\
@-1:a.M.f()V\t1\t2\t0:2
@-1:a.M.main()V\t1\t117\t0:4,7:6
@-1:a.M.main()V;@3:a.M.f()V\t2\t4\t0:4
@-1:a.M.main()V;@7:a.M.f()V\t3\t6\t0:6
";
    // What a hidden root called is a root at the hidden root's call site, and its bytecodes stay.
    assert_eq!(filtered(&profile, &lib), expected);
    let include = Filter {
        include: Pattern::list("a.*").unwrap(),
        ..Filter::default()
    };
    assert_eq!(filtered(&profile, &include), expected);
    let shown = profile.filter(&lib).unwrap();
    assert_eq!(shown.threads[0].remainder, 50);
    assert_eq!(shown.totals().bytecodes, profile.totals().bytecodes);

    let dropped = Filter {
        drop_hidden: true,
        ..lib
    };
    let text = filtered(&profile, &dropped);
    assert_eq!(text, expected.replace("\t117\t", "\t10\t"));
    assert_eq!(profile.filter(&dropped).unwrap().threads[0].remainder, 0);

    let both = Filter {
        include: Pattern::list("a.M,lib.*").unwrap(),
        exclude: Pattern::list("a.M::f,lib.T").unwrap(),
        ..Filter::default()
    };
    let expected = "\
@-1:a.M.main()V\t1\t14\t0:4,7:6
@-1:a.M.main()V;@7:lib.L.each()V\t1\t113\t5:100
";
    assert_eq!(filtered(&profile, &both), expected);
}

#[test]
fn deep_contexts_fold_into_the_deepest_one_shown() {
    let profile = read(CALLS);
    let depth = |n| Filter {
        max_depth: Some(n),
        ..Filter::default()
    };
    assert_eq!(
        filtered(&profile, &depth(2)),
        "\
@-1:a.M.main()V\t1\t10\t0:4,7:6
@-1:a.M.main()V;@3:a.M.f()V\t2\t4\t0:4
@-1:a.M.main()V;@7:lib.L.each()V\t1\t113\t5:100
@-1:lib.T.run()V\t1\t50\t0:50
@-1:lib.T.run()V;@2:a.M.f()V\t1\t2\t0:2
"
    );
    assert_eq!(
        filtered(&profile, &depth(1)),
        "@-1:a.M.main()V\t1\t127\t0:4,7:6\n@-1:lib.T.run()V\t1\t52\t0:50\n"
    );
    assert_eq!(filtered(&profile, &depth(9)), CALLS);
    // Depth is that of the output.
    let both = Filter {
        exclude: Pattern::list("lib.L").unwrap(),
        ..depth(2)
    };
    assert!(filtered(&profile, &both).contains("main()V;@7:a.M.f()V\t3\t6"));
}

#[test]
fn recursion_folds_into_the_outermost_context() {
    let profile = read(
        "\
@-1:A.a()V\t1\t1\t0:1
@-1:A.a()V;@2:B.b()V\t1\t10\t0:10
@-1:A.a()V;@2:B.b()V;@3:A.a()V\t2\t100\t0:50,2:50
@-1:A.a()V;@2:B.b()V;@3:A.a()V;@2:B.b()V\t4\t1000\t1:1000
@-1:A.a()V;@2:B.b()V;@3:A.a()V;@2:B.b()V;@9:B.b()V\t8\t10000\t1:10000
@-1:A.a()V;@2:B.b()V;@3:A.a()V;@5:C.c()V\t16\t100000\t0:100000
",
    );
    let fold = Filter {
        fold_recursion: true,
        ..Filter::default()
    };
    assert_eq!(
        filtered(&profile, &fold),
        "\
@-1:A.a()V\t3\t101\t0:51,2:50
@-1:A.a()V;@2:B.b()V\t13\t11010\t0:10,1:11000
@-1:A.a()V;@5:C.c()V\t16\t100000\t0:100000
"
    );
    // Recursion through hidden methods is folded too.
    let through = Filter {
        exclude: Pattern::list("B").unwrap(),
        ..fold
    };
    assert_eq!(
        filtered(&profile, &through),
        "@-1:A.a()V\t3\t11111\t0:51,2:50\n@-1:A.a()V;@5:C.c()V\t16\t100000\t0:100000\n"
    );
}

#[test]
fn hidden_samples_count_for_the_caller() {
    let mut recorder = Recorder::new(false);
    let stack = |methods: &[u32]| -> Vec<Frame> {
        let frame = |&method| Frame {
            method,
            bci: 0,
            upcall: false,
        };
        methods.iter().map(frame).collect()
    };
    recorder.sample(1, stack(&[0]), 10).unwrap();
    recorder.sample(1, stack(&[0, 1]), 10).unwrap();
    recorder.sample(1, stack(&[0, 1, 1]), 10).unwrap();
    let class = |id: u32| ["A", "lib.B"][id as usize];
    let profile = recorder
        .profile(|id| MethodInfo::new(class(id), "m", "()V", false, false))
        .unwrap();
    let filter = Filter {
        exclude: Pattern::list("lib.*").unwrap(),
        ..Filter::default()
    };
    let shown = profile.filter(&filter).unwrap();
    let method = shown.method("A.m").unwrap();
    assert_eq!((method.calls, method.bytecodes), (3, 30));
}

#[test]
fn filters_keep_the_sums_of_real_programs() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    for entry in std::fs::read_dir(dir).unwrap() {
        let profile = read(&std::fs::read_to_string(entry.unwrap().path()).unwrap());
        for filter in [
            Filter {
                exclude: Pattern::list("java..,..::<init>").unwrap(),
                ..Filter::default()
            },
            Filter {
                max_depth: Some(3),
                fold_recursion: true,
                ..Filter::default()
            },
        ] {
            let shown = profile.filter(&filter).unwrap();
            assert_eq!(shown.totals().bytecodes, profile.totals().bytecodes);
            let again = shown.view(&View::default()).unwrap();
            assert_eq!(written(&again), written(&shown), "the order is canonical");
            for thread in &shown.threads {
                for (depth, node) in thread.tree.preorder() {
                    let method = &shown.methods[node.method as usize];
                    assert!(filter.shows(method));
                    assert!(filter.max_depth.is_none_or(|max| depth < max as usize));
                }
            }
            if filter.fold_recursion {
                let calls = |p: &Profile| p.totals().invocations;
                assert!(calls(&shown) <= calls(&profile));
            }
        }
        let same = profile.filter(&Filter::default()).unwrap();
        assert_eq!(same, profile);
        let sum = Profile::merge(&[&profile, &profile]).unwrap();
        assert_eq!(sum.totals().bytecodes, 2 * profile.totals().bytecodes);
        assert_eq!(sum.totals().nodes, profile.totals().nodes);
        assert_eq!(Profile::merge(&[&profile]).unwrap(), profile);
    }
}

#[test]
fn sums_of_different_profiles_have_the_methods_of_all() {
    let one = read("[t]\t0\t0\n[t];@-1:A.m()V\t1\t1\t0:1\n[t];@-1:A.m()V;@4:C.m()V\t1\t2\t3:2\n");
    let two = read("[t]\t0\t0\n[t];@-1:A.m()V\t1\t1\t5:1\n[t];@-1:A.m()V;@4:B.m()V\t1\t2\t0:2\n");
    let sum = Profile::merge(&[&one, &two]).unwrap();
    assert_eq!(
        written(&sum),
        "[t]\t0\t0\t-\n[t];@-1:A.m()V\t2\t2\t0:1,5:1\n\
         [t];@-1:A.m()V;@4:B.m()V\t1\t2\t0:2\n[t];@-1:A.m()V;@4:C.m()V\t1\t2\t3:2\n"
    );
    let plain = read("[t]\t0\t0\n[t];A.m()V\t1\t1\n");
    let sum = Profile::merge(&[&one, &plain]).unwrap();
    assert_eq!(
        written(&sum),
        "[t]\t0\t0\t-\n[t];A.m()V\t2\t2\t0:1\n[t];A.m()V;C.m()V\t1\t2\t3:2\n"
    );
    let sampled = Recorder::new(true).profile(|_| unreachable!()).unwrap();
    assert!(Profile::merge(&[&one, &sampled]).is_err());
    assert_eq!(Profile::merge(&[]).unwrap(), Profile::default());
}

#[test]
fn threads_are_chosen_by_name() {
    let text = "[main]\t0\t0\n[main];A.main()V\t1\t5\n[w.1-a]\t0\t0\n[w.1-a];B.run()V\t1\t7\n\
                [w.2-a]\t0\t0\n[w.2-a];B.run()V\t1\t8\n[w.2-b]\t0\t0\n[w.2-b];B.run()V\t1\t9\n";
    let of = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|n| n.to_string()).collect();
        read(text).only_threads(&names)
    };
    let workers = of(&["w*-a"]);
    assert_eq!(
        written(&workers),
        "[w.1-a]\t0\t0\n[w.1-a];B.run()V\t1\t7\n[w.2-a]\t0\t0\n[w.2-a];B.run()V\t1\t8\n"
    );
    // nothing of the others is left
    assert_eq!(workers.methods.len(), 1);
    assert_eq!((workers.thread_count, workers.totals().bytecodes), (2, 15));
    assert_eq!(of(&["main", "w.2-b"]).totals().bytecodes, 14);
    assert_eq!(of(&["*"]).totals(), read(text).totals());
    assert_eq!(of(&["w", "main-*"]).threads, []);
    let about = ("Only threads".to_string(), "main, w.2-b".to_string());
    assert_eq!(of(&["main", "w.2-b"]).about, [about]);
}

#[test]
fn a_profile_reports_what_has_been_filtered() {
    let text = &b"A.main()V\t1\t5\n"[..];
    let profile = Profile::read(&mut { text }).unwrap();
    let filter = Filter {
        exclude: vec!["java..".parse().unwrap(), "x.Y".parse().unwrap()],
        max_depth: Some(7),
        drop_hidden: true,
        ..Filter::default()
    };
    let json = |profile: &Profile| {
        let mut out = Vec::new();
        rjvm_profiler::export::json::write(profile, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert!(!json(&profile).contains("about"));
    let rows = r#"["Without methods of","java.., x.Y"],["Depth","at most 7"],["Dropped","counts of hidden methods are dropped"]"#;
    let filtered = profile.filter(&filter).unwrap();
    assert!(json(&filtered).contains(&format!("\"about\":[{rows}],\n")));
    // what is not shown is not listed either
    let text =
        "A.main()V\t1\t5\nA.main()V;java.B.f()V\t1\t5\nA.main()V;java.B.f()V;x.Z.g()V\t1\t5\n";
    let shown = read(text).filter(&filter).unwrap();
    let names: Vec<String> = shown.methods.iter().map(|m| m.label()).collect();
    assert_eq!(names, ["A.main()V", "x.Z.g()V"]);
    assert_eq!(shown.method("x.Z.g()V").unwrap().bytecodes, 5);
    // a sum reports what is true of all its parts
    let sum = Profile::merge(&[&filtered, &filtered]).unwrap();
    assert_eq!(sum.about, filtered.about);
    let sum = Profile::merge(&[&filtered, &profile]).unwrap();
    assert!(sum.about.is_empty());
}
