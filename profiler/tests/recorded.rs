//! Contexts written while they are visited give the same file as a profile made of them.

use rjvm_profiler::cct::{Arena, ChildLinks, ContextNode, NO_SITE, UPCALL, Visit, Walk};
use rjvm_profiler::export::{Settings, by_extension, html, json};
use rjvm_profiler::{
    Builder, Extra, Filter, Flat, Kind, Limits, MethodInfo, Part, Profile, Recorded, Roots,
    Threads, View, VisibleContexts, rjp,
};
use std::ptr;

/// Numbers that follow from each other, like random ones.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005) + 1;
        (self.0 >> 33) % n
    }
}

/// Method 9 is an overload with the class and name of method 3.
fn resolve(id: u32) -> MethodInfo {
    let same = if id == 9 { 3 } else { id };
    let class = match same % 2 {
        0 => "app/Main",
        _ => "java/util/List",
    };
    let method = MethodInfo::new(class, &format!("m{same}"), "()V", id == 5, false);
    method.with_source(
        "File.java",
        &[(0, 10 * same as u16 + 1), (4, 10 * same as u16 + 3)],
    )
}

fn extra(visit: &Visit, extra: &mut Extra) {
    extra.objects = visit.invocations % 3;
    extra.bytes = 16 * extra.objects;
    extra.counts = vec![(0, visit.invocations), (u16::from(visit.method as u8), 3)];
}

/// Trees of contexts: one large, one small.
fn roots(arena: &mut Arena) -> Vec<(u64, *mut ContextNode)> {
    roots_with(arena, 3)
}

/// The same; the fourth call site is that one.
fn roots_with(arena: &mut Arena, fourth: u32) -> Vec<(u64, *mut ContextNode)> {
    let mut numbers = Numbers(7);
    let mut root = |size| {
        // SAFETY: all nodes are of this arena.
        unsafe {
            let root = arena.new_node(ptr::null_mut(), 0, NO_SITE, 0);
            let mut all = vec![root.expect("memory")];
            for _ in 0..size {
                let parent = all[numbers.below(all.len() as u64) as usize];
                let (method, site) = (numbers.below(12) as u32, numbers.below(4) as u32);
                let site = if site == 3 { fourth } else { site };
                let child = arena.find_or_add_child(parent, method, site, 0);
                let child = child.expect("memory");
                (*child).invocations += numbers.below(300);
                let own = numbers.below(40_000) as i64;
                let mut node = child;
                loop {
                    (*node).inclusive += own;
                    if node == all[0] {
                        break;
                    }
                    node = ContextNode::parent(node);
                }
                all.push(child);
            }
            all[0]
        }
    };
    vec![(5, root(30_000)), (2, root(100))]
}

fn recorded(
    roots: &[(u64, *mut ContextNode)],
    call_sites: bool,
    columns: bool,
    threads: Threads,
) -> VisibleContexts<fn(&Visit, &mut Extra)> {
    let view = View {
        threads,
        ..View::default()
    };
    seen(roots, call_sites, columns, view, Filter::default())
}

fn seen(
    roots: &[(u64, *mut ContextNode)],
    call_sites: bool,
    columns: bool,
    view: View,
    filter: Filter,
) -> VisibleContexts<fn(&Visit, &mut Extra)> {
    // SAFETY: the roots are of the arena, which nobody changes meanwhile.
    let walk = |root| unsafe { Walk::new(root) };
    let threads = roots.iter().map(|&(id, root)| Roots {
        id,
        name: "t".into(),
        walks: vec![walk(root)],
    });
    let recorded = Recorded {
        call_sites: call_sites && view.call_sites,
        allocations: columns,
        counts: columns,
        upcalls: true,
        about: vec![("Program".into(), "p".into())],
        threads: threads.collect(),
        methods: None,
        links: ChildLinks::default(),
        view,
        filter,
    };
    recorded.shown(resolve, extra)
}

fn profile(roots: &[(u64, *mut ContextNode)], call_sites: bool, columns: bool) -> Profile {
    let all = made(roots, call_sites, columns);
    all.into_view(&View::default()).unwrap()
}

fn made(roots: &[(u64, *mut ContextNode)], call_sites: bool, columns: bool) -> Profile {
    let mut builder = Builder::new(Kind::Exact, call_sites, resolve).with_extra(|visit, to| {
        if columns {
            extra(visit, to);
        }
    });
    for &(id, root) in roots {
        // SAFETY: as above.
        builder.thread("t", id, [unsafe { Walk::new(root) }]);
    }
    let mut profile = builder.finish().unwrap();
    profile.about = vec![("Program".into(), "p".into())];
    profile
}

/// All views of these contexts, each with several filters.
fn views_and_filters() -> Vec<(View, Filter)> {
    let list = |text: &str| text.parse().map(|pattern| vec![pattern]).unwrap();
    let all = Filter::default();
    let filters = [
        all.clone(),
        Filter {
            exclude: list("java.util.List::m3"),
            ..all.clone()
        },
        Filter {
            include: list("app.Main"),
            max_depth: Some(3),
            drop_hidden: true,
            ..all.clone()
        },
        Filter {
            exclude: list("app.Main::m0"),
            drop_hidden: true,
            ..all.clone()
        },
        Filter {
            max_depth: Some(2),
            ..all.clone()
        },
        Filter {
            fold_recursion: true,
            max_depth: Some(2),
            drop_hidden: true,
            ..all.clone()
        },
        Filter {
            fold_recursion: true,
            max_depth: Some(4),
            ..all
        },
    ];
    let mut found = Vec::new();
    for part in [Part::All, Part::Application, Part::ApplicationOnly] {
        for (natives, call_sites) in [(true, true), (false, true), (true, false)] {
            for threads in [Threads::Merged, Threads::ByName, Threads::Apart] {
                let view = View {
                    part,
                    natives,
                    call_sites,
                    threads,
                };
                found.extend(filters.iter().map(|filter| (view, filter.clone())));
            }
        }
    }
    found
}

#[test]
fn views_and_filters_show_of_contexts_what_they_show_of_a_profile() {
    let everything = std::env::var("RJVM_TEST_ALL").is_ok_and(|v| !v.is_empty() && v != "0");
    // half of the cases with each of the two trees
    let step = if everything { 1 } else { 2 };
    for (first, fourth) in [3, UPCALL].into_iter().enumerate() {
        let mut arena = Arena::new();
        let roots = roots_with(&mut arena, fourth);
        for (call_sites, columns) in [(true, false), (false, true), (true, true)] {
            // two of the six show most
            if !everything && (call_sites != (fourth == 3) || call_sites == columns) {
                continue;
            }
            let all = made(&roots, call_sites, columns);
            let cases = views_and_filters().into_iter().skip(first % step);
            for (view, filter) in cases.step_by(step) {
                let mut wanted = all.view(&view).unwrap();
                if !filter.is_all() {
                    wanted = wanted.filter(&filter).unwrap();
                }
                let case = format!("{view:?}, {filter:?}, {fourth}, {call_sites}, {columns}");
                let shown = seen(&roots, call_sites, columns, view, filter.clone());
                assert!(shown.profile().unwrap() == wanted, "{case}");
                if filter.fold_recursion {
                    continue;
                }
                assert_eq!(shown.flat().unwrap(), Flat::of(&wanted), "{case}");
                let (mut file, mut got) = (Vec::new(), Vec::new());
                rjp::write(&wanted, &mut file).unwrap();
                shown.write(&mut got).unwrap();
                assert!(got == file, "{case}");
                let limits = Limits {
                    contexts: Some(500),
                    ..Limits::NONE
                };
                assert_eq!(
                    shown.pruned(&limits).unwrap(),
                    wanted.pruned(&limits),
                    "{case}"
                );
            }
        }
    }
}

#[test]
fn pages_native_files_and_json_are_those_of_a_profile() {
    let mut arena = Arena::new();
    let roots = roots(&mut arena);
    let settings = Settings::default();
    for (call_sites, columns) in [(false, false), (true, false), (true, true)] {
        let wanted = profile(&roots, call_sites, columns);
        assert!(wanted.totals().nodes > 10_000);
        let (mut page, mut file) = (Vec::new(), Vec::new());
        html::write(&wanted, &settings, &mut page).unwrap();
        rjp::write(&wanted, &mut file).unwrap();

        let own = recorded(&roots, call_sites, columns, Threads::Merged);
        let mut got = Vec::new();
        own.write(&mut got).unwrap();
        assert!(got == file, "call sites: {call_sites}, columns: {columns}");
        let (mut file, mut got) = (Vec::new(), Vec::new());
        json::write(&wanted, &mut file).unwrap();
        own.write_json(&mut got).unwrap();
        assert!(got == file, "call sites: {call_sites}, columns: {columns}");
        let report = own.report().unwrap();
        assert_eq!(report.flat(), Flat::of(&wanted));
        assert_eq!(report.has_counts(), columns);
        let mut got = Vec::new();
        report.write(&settings, &mut got).unwrap();
        assert!(got == page, "call sites: {call_sites}, columns: {columns}");
    }
}

#[test]
fn they_are_pruned_as_a_profile_is() {
    let mut arena = Arena::new();
    let roots = roots(&mut arena);
    for (call_sites, columns) in [(false, false), (true, false), (true, true)] {
        let all = profile(&roots, call_sites, columns);
        let own = recorded(&roots, call_sites, columns, Threads::Merged);
        for ((least, contexts, frames), fold_recursion) in [
            (100, None, None),
            (0, Some(5000), None),
            (0, Some(7), None),
            (0, None, Some(50_000)),
            (30, Some(900), Some(4000)),
        ]
        .into_iter()
        .flat_map(|limits| [(limits, false), (limits, true)])
        {
            let limits = Limits {
                least,
                contexts,
                frames,
                fold_recursion,
            };
            let (wanted, what) = all.pruned(&limits).expect("there is more");
            assert!(what.kept > 0 && wanted.totals().nodes < all.totals().nodes / 2);
            assert_eq!(what.recursive.is_some(), fold_recursion);
            let got = own.pruned(&limits).unwrap();
            assert_eq!(got, Some((wanted, what)), "{limits:?}");
            let apart = made(&roots, call_sites, columns);
            let own = recorded(&roots, call_sites, columns, Threads::Apart);
            let got = own.pruned(&limits).unwrap();
            assert_eq!(got, apart.pruned(&limits), "{limits:?}, threads apart");
        }
        let enough = Limits {
            contexts: Some(1_000_000),
            ..Limits::NONE
        };
        assert_eq!(own.pruned(&enough).unwrap(), None);
        assert_eq!(own.pruned(&Limits::NONE).unwrap(), None);
    }
}

#[test]
fn their_call_graph_is_that_of_a_profile() {
    let mut arena = Arena::new();
    let roots = roots(&mut arena);
    let settings = Settings::default();
    for (call_sites, columns) in [(false, false), (true, false), (true, true)] {
        let wanted = profile(&roots, call_sites, columns);
        let own = recorded(&roots, call_sites, columns, Threads::Merged);
        let graph = own.graph().unwrap();
        assert_eq!(graph.methods(), wanted.methods);
        for extension in ["callgrind", "dcg.xml"] {
            let format = by_extension(extension).unwrap();
            let (mut file, mut got) = (Vec::new(), Vec::new());
            (format.write)(&wanted, &settings, &mut file).unwrap();
            format.graph.unwrap()(&graph, &settings, &mut got).unwrap();
            assert!(file.len() > 1000);
            assert!(got == file, "{extension}, {call_sites}, {columns}");
        }
    }
}
