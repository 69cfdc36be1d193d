//! Depth is limited by memory only: a recursion of a million levels, as a VM with a large stack
//! makes it, goes through everything on a small stack.

use rjvm_profiler::cct::{Arena, NO_SITE, Walk};
use rjvm_profiler::export::{FORMATS, Settings, flat, folded, paths, tree};
use rjvm_profiler::samples::{Frame, Recorder};
use rjvm_profiler::summary::{self, Summary};
use rjvm_profiler::{
    Builder, Comparison, Filter, Kind, MethodInfo, OverlapBy, Pattern, Profile, Threads, View, rjp,
};
use std::io::{self, Write};
use std::ptr;

const DEPTH: u32 = 1_000_000;

fn resolve(id: u32) -> MethodInfo {
    // Every third method is hidden by one view or another.
    match id {
        0 => MethodInfo::new("app/A", "f", "()V", false, false),
        1 => MethodInfo::new("java/util/B", "g", "()V", false, false),
        _ => MethodInfo::new("java/util/C", "h", "()V", true, false),
    }
}

/// A chain that repeats methods 0, 1, 2; each node of method 0 executed one bytecode.
fn chain(depth: u32) -> Profile {
    let mut arena = Arena::new();
    let mut builder = Builder::new(Kind::Exact, true, resolve);
    let mut node = ptr::null_mut();
    let mut root = ptr::null_mut();
    for level in 0..depth {
        // SAFETY: all nodes are of this arena.
        unsafe {
            let site = if level == 0 { NO_SITE } else { 5 };
            node = arena.new_node(node, level % 3, site, 1).expect("memory");
            (*node).invocations = 1;
            if level == 0 {
                root = node;
            }
        }
    }
    let mut below = 0;
    while !node.is_null() {
        // SAFETY: as above.
        unsafe {
            below += i64::from((*node).method == 0);
            (*node).inclusive = below;
            node = rjvm_profiler::cct::ContextNode::parent(node);
        }
    }
    // SAFETY: the root is of the arena, which nobody changes meanwhile.
    builder.thread("main", 1, [unsafe { Walk::new(root) }]);
    builder.finish().unwrap()
}

/// Runs on a stack on which a recursion of a million levels would overflow.
fn on_small_stack(test: fn()) {
    let thread = std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(test)
        .unwrap();
    thread.join().unwrap();
}

/// Counts bytes, and fails after so many.
struct Limited(u64);

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(bytes.len() as u64)
            .ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn operations() {
    on_small_stack(|| {
        let profile = chain(DEPTH);
        let total = u64::from(DEPTH.div_ceil(3));
        assert_eq!(profile.totals().bytecodes, total);
        assert_eq!(profile.totals().nodes, u64::from(DEPTH));
        assert_eq!(profile.method("app.A.f").unwrap().inclusive, total);
        let app = View {
            part: rjvm_profiler::Part::ApplicationOnly,
            ..View::default()
        };
        for (view, nodes) in [
            (View::default(), DEPTH),
            (app, total as u32),
            (
                View {
                    natives: false,
                    ..View::default()
                },
                DEPTH - DEPTH / 3,
            ),
            (
                View {
                    natives: false,
                    call_sites: false,
                    ..app
                },
                total as u32,
            ),
            (
                View {
                    threads: Threads::ByName,
                    ..View::default()
                },
                DEPTH,
            ),
        ] {
            let shown = profile.view(&view).unwrap();
            assert_eq!(shown.totals().nodes, u64::from(nodes), "{view:?}");
            assert_eq!(shown.totals().bytecodes, total, "{view:?}");
            let tree = &shown.threads[0].tree;
            assert_eq!(tree.preorder().last().unwrap().0, nodes as usize - 1);
        }
    });
}

#[test]
fn exporters() {
    on_small_stack(|| {
        let profile = chain(DEPTH);
        let mut text = Vec::new();
        tree::write(&profile, &Settings::default(), &mut text).unwrap();
        assert_eq!(
            text.iter().filter(|&&c| c == b'\n').count(),
            DEPTH as usize + 4
        );
        assert!(text.ends_with(b"<depth 1000000> @5:app.A.f()\n"));
        text.clear();
        flat::write(&profile, &Settings::default(), &mut text).unwrap();
        assert_eq!(text.iter().filter(|&&c| c == b'\n').count(), 6);
        text.clear();
        paths::write_by_depth(&profile, &mut text).unwrap();
        assert!(text.ends_with(b"1000001\t@5:app.A.f()V\t1\t1\n"));
        text.clear();
        summary::write(&profile, &Summary::default(), &mut text).unwrap();
        assert!(text.starts_with(b"333,334 bytecodes, 1,000,000 calls, 1 thread\n"));

        // Full paths of a million levels are terabytes: enough to see them streaming, and to see
        // that an error stops them.
        let error =
            paths::write(&profile, &Settings::default(), &mut Limited(50 << 20)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        // The others hold a context in a few bytes, however deep it is.
        for format in FORMATS
            .iter()
            .filter(|f| !["paths", "txt", "flat", "pb.gz", "pprof"].contains(&f.extension))
        {
            (format.write)(&profile, &Settings::default(), &mut Limited(800 << 20))
                .unwrap_or_else(|error| panic!("{}: {error}", format.extension));
        }
        let mut recorder = Recorder::new(true);
        let stack = || {
            (0..DEPTH).map(|level| Frame {
                method: level % 3,
                bci: 5,
                upcall: false,
            })
        };
        text.clear();
        folded::write(&profile, &Settings::default(), &mut text).unwrap();
        let sum = |text: &[u8]| -> u64 {
            let lines = std::str::from_utf8(text).unwrap().lines();
            lines
                .map(|l| l.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap())
                .sum()
        };
        assert_eq!(sum(&text), profile.totals().bytecodes);
        let last = text[..text.len() - 1]
            .rsplit(|&c| c == b'\n')
            .next()
            .unwrap();
        assert_eq!(last.iter().filter(|&&c| c == b';').count() + 1, 4096 + 1);
        for _ in 0..2 {
            recorder.sample(1, stack(), 1000).unwrap();
        }
        let samples = recorder.profile(resolve).unwrap();
        let mut text = Vec::new();
        folded::write(&samples, &Settings::default(), &mut text).unwrap();
        assert_eq!(text.iter().filter(|&&c| c == b'\n').count(), 1);
        assert!(text.ends_with(b";java.util.C.h()@5;app.A.f()@5 2000\n"));
    });
}

#[test]
fn paths_are_read_back() {
    let profile = chain(1_000);
    let mut text = Vec::new();
    paths::write(&profile, &Settings::default(), &mut text).unwrap();
    let mut again = Vec::new();
    paths::write(
        &paths::read(&mut &text[..]).unwrap(),
        &Settings::default(),
        &mut again,
    )
    .unwrap();
    assert!(text == again);
}

#[test]
fn tools() {
    on_small_stack(|| {
        let profile = chain(DEPTH);
        let total = profile.totals().bytecodes;
        let mut file = Vec::new();
        rjp::write(&profile, &mut file).unwrap();
        assert!(file.len() < 6 * DEPTH as usize, "{} bytes", file.len());
        assert!(Profile::read(&mut &file[..]).unwrap() == profile);

        let fold = Filter {
            fold_recursion: true,
            ..Filter::default()
        };
        let folded = profile.filter(&fold).unwrap();
        assert_eq!(folded.totals().nodes, 3);
        assert_eq!(folded.totals().bytecodes, total);
        assert_eq!(folded.totals().invocations, u64::from(DEPTH));
        let shallow = Filter {
            max_depth: Some(2),
            ..Filter::default()
        };
        assert_eq!(profile.filter(&shallow).unwrap().totals().bytecodes, total);
        let one_method = Filter {
            include: Pattern::list("app..").unwrap(),
            ..Filter::default()
        };
        let shown = profile.filter(&one_method).unwrap();
        assert_eq!(shown.totals().nodes, total);

        let twice = Profile::merge(&[&profile, &profile]).unwrap();
        assert_eq!(twice.totals().bytecodes, 2 * total);
        assert_eq!(twice.totals().nodes, u64::from(DEPTH));
        let both = Comparison::new(&profile, &twice).unwrap();
        assert_eq!(both.overlap(OverlapBy::Contexts), 1.0);
        assert_eq!(both.contexts().count(), DEPTH as usize);
        assert_eq!(profile.shape().max_depth, u64::from(DEPTH));
        assert_eq!(profile.call_site_targets().len(), 3);
        let deepest = profile.contexts().last().unwrap();
        assert!(deepest.path().len() > 10 * DEPTH as usize);
    });
}

/// Half a cache line for each context, when there are tens of millions of them.
#[test]
fn nodes_are_small() {
    assert_eq!(size_of::<rjvm_profiler::Node>(), 32);
}
