//! Pruned profiles: all sums are what they were, the largest contexts are there, the limits hold, and every format
//! that has a place for it reports.

use rjvm_profiler::export::{FORMATS, Settings, by_extension, paths};
use rjvm_profiler::{Limits, Profile, Pruned};
use std::collections::HashMap;
use std::fmt::Write;

fn profile(text: &str) -> Profile {
    paths::read(&mut text.as_bytes()).expect("paths are read")
}

fn written(profile: &Profile) -> String {
    let mut out = Vec::new();
    paths::write(profile, &Settings::default(), &mut out).expect("memory takes everything");
    String::from_utf8(out).expect("paths are text")
}

/// Two threads with a few thousand contexts of thirty methods, down to a depth of nine, with equal counts among
/// them.
fn example() -> Profile {
    let mut seed = 42u64;
    let mut next = |n: u64| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) % n
    };
    let mut all: HashMap<String, (u64, u64)> = HashMap::new();
    for _ in 0..4_000 {
        let mut path = format!("[t{}]", next(2));
        for _ in 0..=next(9) {
            let m = next(30);
            write!(path, ";a.C{}.m{m}()V", m % 4).expect("memory takes everything");
            all.entry(path.clone()).or_default();
        }
        let own = all.entry(path).or_default();
        *own = (own.0 + 1, own.1 + next(5) * next(5) * next(50));
    }
    let mut lines: Vec<String> = all
        .iter()
        .map(|(p, n)| format!("{p}\t{}\t{}\n", n.0, n.1))
        .collect();
    lines.push("[t0]\t0\t0\n".into());
    lines.push("[t1]\t0\t0\n".into());
    lines.sort();
    profile(&lines.concat())
}

fn frames(profile: &Profile) -> u64 {
    let trees = profile.threads.iter().map(|t| t.tree.preorder());
    trees.flatten().map(|(depth, _)| depth as u64 + 1).sum()
}

/// Paths of contexts that represent no others, with bytecodes and those of callees.
fn own(profile: &Profile) -> HashMap<String, (u64, u64, u64)> {
    let contexts = profile
        .contexts()
        .filter(|c| !c.path().contains("].contexts()V"));
    let counts = contexts.map(|c| {
        let thread = c.thread().name.clone().unwrap_or_default();
        (
            format!("{thread};{}", c.path()),
            (c.invocations(), c.bytecodes(), c.inclusive()),
        )
    });
    counts.collect()
}

#[test]
fn limits_hold_and_the_largest_contexts_stay_as_they_are() {
    let all = example();
    let before = own(&all);
    assert!(before.len() > 5_000);
    let contexts = [8, 100, 1_000, 4_000].map(|n| Limits {
        contexts: Some(n),
        ..Limits::NONE
    });
    let frames_ = [60, 3_000, 20_000].map(|n| Limits {
        frames: Some(n),
        ..Limits::NONE
    });
    let least = [1, 10, 200].map(|least| Limits {
        least,
        ..Limits::NONE
    });
    let both = [Limits {
        least: 5,
        contexts: Some(500),
        frames: Some(2_000),
        ..Limits::NONE
    }];
    for limits in contexts.into_iter().chain(frames_).chain(least).chain(both) {
        let (pruned, what) = all.pruned(&limits).expect("it does not fit");
        let (sums, were) = (pruned.totals(), all.totals());
        assert_eq!(
            (sums.bytecodes, sums.invocations),
            (were.bytecodes, were.invocations),
            "{limits:?}"
        );
        assert!(
            limits.contexts.is_none_or(|n| sums.nodes <= n),
            "{limits:?}: {}",
            sums.nodes
        );
        assert!(
            limits.frames.is_none_or(|n| frames(&pruned) <= n),
            "{limits:?}"
        );
        let kept = own(&pruned);
        assert_eq!(
            (kept.len() as u64, before.len() as u64),
            (what.kept, what.of)
        );
        for (path, counts) in &kept {
            assert_eq!(before.get(path), Some(counts), "{limits:?} {path}");
        }
        let smallest = kept.values().map(|c| c.2).min().unwrap_or(u64::MAX);
        let others = before.iter().filter(|(path, _)| !kept.contains_key(*path));
        let largest = others
            .clone()
            .map(|(_, c)| c.2)
            .max()
            .expect("some are left out");
        assert!(largest <= smallest, "{limits:?}: {largest} {smallest}");
        assert_eq!(
            what.folded,
            others.map(|(_, c)| c.1).sum::<u64>(),
            "{limits:?}"
        );
        if limits.least > 0 {
            let share = |n: u64| (n * 10_000 + were.bytecodes / 2) / were.bytecodes;
            assert!(share(smallest) >= limits.least);
            assert!(limits.contexts.is_some() || share(largest) < limits.least);
        }
        let unattributed = pruned
            .method("[pruned].contexts()V")
            .map_or(0, |m| m.bytecodes);
        assert_eq!(unattributed, what.unattributed);
        // In canonical order, and the same each time.
        assert_eq!(
            written(&profile(&written(&pruned))),
            written(&pruned),
            "{limits:?}"
        );
        assert_eq!(all.pruned(&limits), Some((pruned.clone(), what)));
        // What fits stays as it is.
        let fits = Limits { least: 0, ..limits };
        assert_eq!(pruned.pruned(&fits), None, "{limits:?}");
    }
}

#[test]
fn all_methods_are_reported_where_there_is_room() {
    let all = example();
    let limits = Limits {
        contexts: Some(4_000),
        ..Limits::NONE
    };
    let (pruned, what) = all.pruned(&limits).expect("it does not fit");
    assert!(what.folded > 0);
    assert_eq!(what.unattributed, 0);
    let counts = |profile: &Profile| -> Vec<(String, u64)> {
        let named = profile.flat().into_iter();
        let named = named.map(|m| (profile.methods[m.method as usize].label(), m.bytecodes));
        let mut all: Vec<_> = named.filter(|m| !m.0.starts_with('[')).collect();
        all.sort();
        all
    };
    assert_eq!(counts(&pruned), counts(&all));
}

#[test]
fn a_pruned_profile_can_be_pruned_again() {
    let all = example();
    let limits = |n| Limits {
        contexts: Some(n),
        ..Limits::NONE
    };
    let (once, _) = all.pruned(&limits(2_000)).expect("it does not fit");
    let (twice, _) = once.pruned(&limits(200)).expect("it does not fit");
    assert!(twice.totals().nodes <= 200);
    assert_eq!(twice.totals().bytecodes, all.totals().bytecodes);
    assert_eq!(twice.totals().invocations, all.totals().invocations);
    assert!(!written(&twice).contains("].contexts()V;["));
}

#[test]
fn what_is_left_out_has_the_names_of_its_packages() {
    let mut text = String::from("a.A.a()V\t1\t1000\n");
    for n in 0..40 {
        for (package, bytecodes) in [("b.", 20), ("c.d.", 10), ("", 5), ("z.", 0)] {
            writeln!(text, "a.A.a()V;{package}M.m{n:02}()V\t1\t{bytecodes}")
                .expect("memory takes everything");
        }
    }
    let limits = Limits {
        contexts: Some(8),
        ..Limits::NONE
    };
    let (pruned, what) = profile(&text).pruned(&limits).expect("it does not fit");
    // Half of the room is for contexts that stay and `[pruned]`, the rest for packages and their methods.
    let expected = "a.A.a()V\t1\t1000\n\
        a.A.a()V;[b].contexts()V\t37\t740\n\
        a.A.a()V;[b].contexts()V;b.M.m02()V\t1\t20\n\
        a.A.a()V;[c.d].contexts()V\t40\t400\n\
        a.A.a()V;[pruned].contexts()V\t40\t0\n\
        a.A.a()V;[unnamed package].contexts()V\t40\t200\n\
        a.A.a()V;b.M.m00()V\t1\t20\n\
        a.A.a()V;b.M.m01()V\t1\t20\n";
    assert_eq!(written(&pruned), expected);
    assert_eq!((what.kept, what.of, what.unattributed), (3, 161, 0));
    assert_eq!(
        what.to_string(),
        "kept 3 of 161 contexts; the rest, 56.67% of the bytecodes, is grouped by package and method"
    );
    let names = rjvm_profiler::readable_names(&pruned.methods);
    assert!(names.contains(&"[c.d]".to_owned()), "{names:?}");
}

#[test]
fn recursion_is_folded_before_contexts_are_left_out() {
    // a tree of calls: each calls itself and another one
    let mut text = String::new();
    let mut paths = vec!["r.R.left()V".to_owned()];
    for _ in 0..10 {
        for path in &paths {
            writeln!(text, "{path}\t1\t3").expect("memory takes everything");
        }
        let below = |path: &String| ["left", "right"].map(|m| format!("{path};r.R.{m}()V"));
        paths = paths.iter().flat_map(below).collect();
    }
    let all = profile(&text);
    let limits = Limits {
        contexts: Some(100),
        fold_recursion: true,
        ..Limits::NONE
    };
    let (folded, what) = all.pruned(&limits).expect("it does not fit");
    let totals = all.totals();
    assert_eq!((totals.nodes, totals.bytecodes), (1023, 3069));
    let expected = "r.R.left()V\t512\t1536\nr.R.left()V;r.R.right()V\t511\t1533\n";
    assert_eq!(written(&folded), expected);
    assert_eq!((what.kept, what.of, what.recursive), (2, 2, Some(1023)));
    assert_eq!(
        what.to_string(),
        "kept 2 of 2 contexts (1,023 before recursion was folded)"
    );
    assert_eq!(
        folded.about.last(),
        Some(&(Pruned::NAME.into(), what.to_string()))
    );
    // What does not fit then is left out; what fits as it is keeps its recursion.
    let few = Limits {
        contexts: Some(1),
        ..limits
    };
    let (least, what) = all.pruned(&few).expect("it does not fit");
    assert_eq!((least.totals().nodes, what.recursive), (1, Some(1023)));
    assert_eq!(least.totals().bytecodes, totals.bytecodes);
    let many = Limits {
        contexts: Some(2_000),
        ..limits
    };
    assert_eq!(all.pruned(&many), None);
}

#[test]
fn limits_that_nothing_keeps_to_leave_the_sums() {
    let all = example();
    let limits = Limits {
        contexts: Some(1),
        ..Limits::NONE
    };
    let (pruned, what) = all.pruned(&limits).expect("it does not fit");
    assert_eq!((what.kept, pruned.totals().nodes), (0, 2));
    assert_eq!(pruned.totals().bytecodes, all.totals().bytecodes);
    assert_eq!(Profile::default().pruned(&limits), None);
}

#[test]
fn formats_report_what_was_pruned() {
    let all = example();
    let settings = Settings {
        most: Some(100),
        ..Settings::default()
    };
    for format in &FORMATS {
        let mut out = Vec::new();
        let what = format
            .write_pruned(&all, &settings, &mut out)
            .expect("memory takes everything");
        let Some(what) = what else {
            assert_eq!(format.extension, "flat");
            let rows = String::from_utf8(out).expect("text").lines().count();
            assert_eq!(rows, 30 + 3);
            continue;
        };
        let message = what.to_string();
        assert!(message.contains(" contexts; the rest, "), "{message}");
        let packed = ["html", "pb.gz", "pprof", "parquet"].contains(&format.extension);
        let silent = ["folded", "paths"].contains(&format.extension);
        let text = String::from_utf8_lossy(&out);
        assert_eq!(
            text.contains(&message),
            !packed && !silent,
            "{}",
            format.extension
        );
    }
    // pprof: a comment
    let (pruned, what) = all
        .pruned(&Limits {
            contexts: Some(100),
            ..Limits::NONE
        })
        .expect("it does not fit");
    let mut plain = Vec::new();
    rjvm_profiler::export::pprof::write_plain(&pruned, &mut plain)
        .expect("memory takes everything");
    assert!(String::from_utf8_lossy(&plain).contains(&what.to_string()));
    let reported: Vec<_> = pruned
        .about
        .iter()
        .filter(|(name, _)| name == Pruned::NAME)
        .collect();
    assert_eq!(reported, [&(Pruned::NAME.to_string(), what.to_string())]);
}

#[test]
fn formats_keep_what_their_readers_bear() {
    let mut text = String::from("A.a()V\t1\t1\n");
    for n in 0..600_000 {
        writeln!(text, "A.a()V;B.m{n:06}()V\t1\t{}", n % 7).expect("memory takes everything");
    }
    let all = profile(&text);
    let sizes = |extension: &str, settings: &Settings<'_>| {
        let mut out = Vec::new();
        let format = by_extension(extension).expect("a format");
        let what = format
            .write_pruned(&all, settings, &mut out)
            .expect("memory takes everything");
        (what.map(|what| what.of), out.len())
    };
    for format in ["txt", "xml", "folded", "paths", "speedscope.json"] {
        let (what, pruned) = sizes(format, &Settings::default());
        assert_eq!(what, Some(600_001), "{format}");
        let (what, whole) = sizes(
            format,
            &Settings {
                all: true,
                ..Settings::default()
            },
        );
        assert!(
            what.is_none() && whole > pruned,
            "{format}: {whole} {pruned}"
        );
    }
    for format in ["rjp", "json", "html", "flat"] {
        assert_eq!(sizes(format, &Settings::default()).0, None, "{format}");
    }
}
