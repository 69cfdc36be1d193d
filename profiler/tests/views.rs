//! Profiles built from the interpreter's nodes, their views, and what the exporters make of them.

use rjvm_profiler::cct::{Arena, ContextNode, NO_SITE, Walk};
use rjvm_profiler::export::{FORMATS, Settings, by_extension, paths};
use rjvm_profiler::summary::{self, Summary};
use rjvm_profiler::{Builder, Flat, Kind, MethodInfo, Profile, Threads, TreeError, View};
use std::ptr;

/// A tree of calling contexts to be: method, call site, invocations, exclusive bytecodes.
struct Call(u32, u32, u64, i64, Vec<Call>);

fn call(method: u32, site: u32, invocations: u64, bytecodes: i64, below: Vec<Call>) -> Call {
    Call(method, site, invocations, bytecodes, below)
}

fn grow(arena: &mut Arena, parent: *mut ContextNode, call: &Call) -> *mut ContextNode {
    let Call(method, site, invocations, bytecodes, below) = call;
    // SAFETY: all nodes are of this arena.
    unsafe {
        let node = arena.new_node(parent, *method, *site, 2).expect("memory");
        (*node).invocations = *invocations;
        (*node).inclusive = *bytecodes;
        for call in below {
            let child = grow(arena, node, call);
            (*node).inclusive += (*child).inclusive;
        }
        node
    }
}

const MAIN: u32 = 0;
const RUN: u32 = 1;
const FOR_EACH: u32 = 2;
const PROXY: u32 = 3;
const LAMBDA: u32 = 4;
const INVOKE0: u32 = 5;
const COPY: u32 = 6;
const PROXY_AGAIN: u32 = 7;

fn resolve(id: u32) -> MethodInfo {
    let method = |class, name, descriptor| MethodInfo::new(class, name, descriptor, false, false);
    let native = |class, name, descriptor| MethodInfo::new(class, name, descriptor, true, false);
    let hidden = |class, name, descriptor| MethodInfo::new(class, name, descriptor, false, true);
    match id {
        MAIN => method("app/Main", "main", "([Ljava/lang/String;)V"),
        RUN => method("java/lang/Thread", "run", "()V"),
        FOR_EACH => method(
            "java/util/List",
            "forEach",
            "(Ljava/util/function/Consumer;)V",
        ),
        PROXY => hidden(
            "app/Main$$Lambda$1/0x0000000800000a00",
            "accept",
            "(Ljava/lang/Object;)V",
        ),
        PROXY_AGAIN => hidden(
            "app/Main$$Lambda$9/0x0000000800000f00",
            "accept",
            "(Ljava/lang/Object;)V",
        ),
        LAMBDA => method("app/Main", "lambda$main$0", "(I)V"),
        INVOKE0 => native("jdk/internal/reflect/Native", "invoke0", "()V"),
        COPY => native("java/lang/System", "arraycopy", "()V"),
        id => panic!("no method {id}"),
    }
}

/// [`roots`] as a profile.
fn example() -> Profile {
    let mut arena = Arena::new();
    let mut builder = Builder::new(Kind::Exact, true, resolve);
    for (name, id, root) in roots(&mut arena) {
        // SAFETY: the root is of the arena, which nobody changes meanwhile.
        let walk = unsafe { Walk::new(root) };
        builder.thread(name, id, [walk]);
    }
    builder.finish().unwrap()
}

/// main calls forEach twice, which call a lambda through two hidden classes, which copies arrays
/// and, through reflection, calls itself; another thread runs the lambda, too.
fn roots(arena: &mut Arena) -> [(&'static str, u64, *mut ContextNode); 2] {
    let lambda = |site, calls| {
        let again = call(LAMBDA, NO_SITE, 2, 6, vec![]);
        call(
            LAMBDA,
            site,
            calls,
            10,
            vec![
                call(COPY, 3, calls, 0, vec![]),
                call(INVOKE0, 7, 2, 0, vec![again]),
            ],
        )
    };
    let main = call(
        MAIN,
        NO_SITE,
        1,
        20,
        vec![
            call(COPY, 30, 1, 0, vec![]),
            call(
                FOR_EACH,
                4,
                1,
                100,
                vec![
                    call(COPY, 9, 5, 0, vec![]),
                    call(PROXY, 11, 3, 15, vec![lambda(2, 3)]),
                ],
            ),
            call(
                FOR_EACH,
                14,
                1,
                50,
                vec![
                    call(PROXY, 11, 1, 5, vec![lambda(2, 1)]),
                    call(PROXY_AGAIN, 11, 4, 20, vec![lambda(2, 4)]),
                ],
            ),
        ],
    );
    let other = call(
        RUN,
        NO_SITE,
        1,
        8,
        vec![call(PROXY, 5, 1, 5, vec![lambda(2, 1)])],
    );
    [("Thread-0", 12, &other), ("main", 1, &main)]
        .map(|(name, id, root)| (name, id, grow(arena, ptr::null_mut(), root)))
}

#[test]
fn totals_need_no_contexts() {
    let mut arena = Arena::new();
    // SAFETY: the roots are of the arena, which nobody changes meanwhile.
    let walks = roots(&mut arena).map(|(_, _, root)| [unsafe { Walk::new(root) }]);
    let mut flat = Flat::of_walks(resolve, walks, |_| (0, 0)).unwrap();
    let mut wanted = Flat::of(&example());
    assert!(flat.totals.nodes > wanted.totals.nodes);
    for table in [&mut flat, &mut wanted] {
        table.totals.nodes = 0;
        table.lines.iter_mut().for_each(|line| line.contexts = 0);
    }
    assert_eq!(flat, wanted);
}

fn written(profile: &Profile, extension: &str) -> String {
    let mut out = Vec::new();
    let write = by_extension(extension).unwrap().write;
    write(profile, &Settings::default(), &mut out).unwrap();
    // Some formats are binary.
    String::from_utf8_lossy(&out).into_owned()
}

fn view(view: View) -> String {
    written(&example().view(&view).unwrap(), "paths")
}

#[test]
fn threads_are_built_in_order_and_counts_become_exclusive() {
    let profile = example();
    let names: Vec<_> = profile
        .threads
        .iter()
        .map(|t| t.name.as_deref().unwrap())
        .collect();
    assert_eq!(names, ["main", "Thread-0"]);
    assert_eq!(profile.methods.len(), 7, "the hidden classes are one");
    let totals = profile.totals();
    assert_eq!(
        totals.bytecodes,
        20 + 100 + 15 + 16 + 50 + 5 + 16 + 20 + 16 + 8 + 5 + 16
    );
    assert_eq!(totals.threads, 2);
    let lambda = profile.method("app.Main.lambda$main$0(I)V").unwrap();
    assert_eq!(
        (lambda.calls, lambda.bytecodes),
        (3 + 1 + 4 + 1 + 4 * 2, 4 * 16)
    );
    assert_eq!(lambda.inclusive, 4 * 16, "recursion counts once");
    assert_eq!(profile.method("app.Main.main").unwrap().inclusive, 258);
    assert_eq!(
        profile
            .method("app.Main.main(java.lang.String[])")
            .unwrap()
            .bytecodes,
        20
    );
    assert_eq!(profile.method("app.Main.nothing"), None);
}

#[test]
fn the_application_view_moves_callees_up_to_the_application() {
    let app = View {
        part: rjvm_profiler::Part::ApplicationOnly,
        ..View::default()
    };
    assert_eq!(
        view(app),
        "\
@-1:app.Main.lambda$main$0(I)V\t1\t10
@-1:app.Main.lambda$main$0(I)V;@3:java.lang.System.arraycopy()V\t1\t0
@-1:app.Main.lambda$main$0(I)V;@7:jdk.internal.reflect.Native.invoke0()V\t2\t0
@-1:app.Main.lambda$main$0(I)V;@7:jdk.internal.reflect.Native.invoke0()V;@-1:app.Main.lambda$main$0(I)V\t2\t6
@-1:app.Main.main([Ljava/lang/String;)V\t1\t20
@-1:app.Main.main([Ljava/lang/String;)V;@14:app.Main.lambda$main$0(I)V\t5\t20
@-1:app.Main.main([Ljava/lang/String;)V;@14:app.Main.lambda$main$0(I)V;@3:java.lang.System.arraycopy()V\t5\t0
@-1:app.Main.main([Ljava/lang/String;)V;@14:app.Main.lambda$main$0(I)V;@7:jdk.internal.reflect.Native.invoke0()V\t4\t0
@-1:app.Main.main([Ljava/lang/String;)V;@14:app.Main.lambda$main$0(I)V;@7:jdk.internal.reflect.Native.invoke0()V;@-1:app.Main.lambda$main$0(I)V\t4\t12
@-1:app.Main.main([Ljava/lang/String;)V;@30:java.lang.System.arraycopy()V\t1\t0
@-1:app.Main.main([Ljava/lang/String;)V;@4:app.Main.lambda$main$0(I)V\t3\t10
@-1:app.Main.main([Ljava/lang/String;)V;@4:app.Main.lambda$main$0(I)V;@3:java.lang.System.arraycopy()V\t3\t0
@-1:app.Main.main([Ljava/lang/String;)V;@4:app.Main.lambda$main$0(I)V;@7:jdk.internal.reflect.Native.invoke0()V\t2\t0
@-1:app.Main.main([Ljava/lang/String;)V;@4:app.Main.lambda$main$0(I)V;@7:jdk.internal.reflect.Native.invoke0()V;@-1:app.Main.lambda$main$0(I)V\t2\t6
"
    );
    assert_eq!(
        view(View {
            natives: false,
            call_sites: false,
            ..app
        }),
        "\
app.Main.lambda$main$0(I)V\t1\t10
app.Main.lambda$main$0(I)V;app.Main.lambda$main$0(I)V\t2\t6
app.Main.main([Ljava/lang/String;)V\t1\t20
app.Main.main([Ljava/lang/String;)V;app.Main.lambda$main$0(I)V\t8\t30
app.Main.main([Ljava/lang/String;)V;app.Main.lambda$main$0(I)V;app.Main.lambda$main$0(I)V\t6\t18
"
    );
}

#[test]
fn callees_of_natives_take_the_call_site_of_the_native() {
    let text = view(View {
        natives: false,
        threads: Threads::ByName,
        ..View::default()
    });
    let last: Vec<&str> = text.lines().take(5).collect();
    assert_eq!(
        last,
        [
            "[Thread-0]\t0\t0",
            "[Thread-0];@-1:java.lang.Thread.run()V\t1\t8",
            "[Thread-0];@-1:java.lang.Thread.run()V;@5:app.Main$$Lambda.accept(Ljava/lang/Object;)V\t1\t5",
            "[Thread-0];@-1:java.lang.Thread.run()V;@5:app.Main$$Lambda.accept(Ljava/lang/Object;)V;@2:app.Main.lambda$main$0(I)V\t1\t10",
            "[Thread-0];@-1:java.lang.Thread.run()V;@5:app.Main$$Lambda.accept(Ljava/lang/Object;)V;@2:app.Main.lambda$main$0(I)V;@7:app.Main.lambda$main$0(I)V\t2\t6",
        ]
    );
    let mut sorted: Vec<&str> = text.lines().collect();
    sorted.sort_unstable();
    assert_eq!(sorted, text.lines().collect::<Vec<_>>());
}

#[test]
fn views_can_be_applied_one_after_the_other() {
    let profile = example();
    let app = View {
        part: rjvm_profiler::Part::ApplicationOnly,
        ..View::default()
    };
    let plain = View {
        natives: false,
        call_sites: false,
        ..View::default()
    };
    let both = View {
        part: rjvm_profiler::Part::ApplicationOnly,
        ..plain
    };
    let by_steps = profile.view(&app).unwrap().view(&plain).unwrap();
    assert_eq!(
        written(&by_steps, "paths"),
        written(&profile.view(&both).unwrap(), "paths")
    );
}

#[test]
fn text_formats_look_like_this() {
    let view = View {
        part: rjvm_profiler::Part::ApplicationOnly,
        natives: false,
        threads: Threads::Apart,
        ..View::default()
    };
    let profile = example().view(&view).unwrap();
    assert_eq!(
        written(&profile, "txt"),
        "\
Calling-context tree (exact): 84 bytecodes, 18 calls, 7 calling contexts, 2 threads

total %  total  self  calls  context
  80.95     68     0      0  [main]
  80.95     68    20      1    app.Main.main(java.lang.String[])
  38.10     32    20      5      @14:app.Main.lambda$main$0(int)
  14.29     12    12      4        @7:app.Main.lambda$main$0(int)
  19.05     16    10      3      @4:app.Main.lambda$main$0(int)
   7.14      6     6      2        @7:app.Main.lambda$main$0(int)
  19.05     16     0      0  [Thread-0]
  19.05     16    10      1    app.Main.lambda$main$0(int)
   7.14      6     6      2      @7:app.Main.lambda$main$0(int)
"
    );
    assert_eq!(
        written(&profile, "flat"),
        "\
Methods (exact): 84 bytecodes, 18 calls, 7 calling contexts, 2 threads

rank  self %  accum %  total %  self  total  calls  method
   1   76.19    76.19    76.19    64     64     17  app.Main.lambda$main$0(int)
   2   23.81   100.00    80.95    20     68      1  app.Main.main(java.lang.String[])
"
    );
    assert_eq!(
        written(&profile, "folded"),
        "\
[main];app.Main.main(java.lang.String[]) 20
[main];app.Main.main(java.lang.String[]);app.Main.lambda$main$0(int)@14 20
[main];app.Main.main(java.lang.String[]);app.Main.lambda$main$0(int)@14;app.Main.lambda$main$0(int)@7 12
[main];app.Main.main(java.lang.String[]);app.Main.lambda$main$0(int)@4 10
[main];app.Main.main(java.lang.String[]);app.Main.lambda$main$0(int)@4;app.Main.lambda$main$0(int)@7 6
[Thread-0];app.Main.lambda$main$0(int) 10
[Thread-0];app.Main.lambda$main$0(int);app.Main.lambda$main$0(int)@7 6
"
    );
    let mut out = Vec::new();
    let written = ["out.txt".to_owned(), "out.flat".to_owned()];
    let summary = Summary {
        allocated: Some((3, 1234)),
        notes: &[],
        written: &written,
        color: false,
    };
    summary::write(&profile, &summary, &mut out).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "\
84 bytecodes, 18 calls, 2 threads, 3 objects (1,234 bytes) allocated
self %  accum %  total %  calls  method
 76.19    76.19    76.19     17  app.Main.lambda$main$0(int)
 23.81   100.00    80.95      1  app.Main.main(java.lang.String[])
profile written to out.txt
profile written to out.flat
"
    );
}

#[test]
fn an_empty_profile_is_written_too() {
    let profile = Builder::new(Kind::Exact, false, resolve).finish().unwrap();
    for format in &FORMATS {
        let text = written(&profile, format.extension);
        assert!(!text.contains("NaN"), "{text}");
        if ["txt", "flat", "folded", "paths"].contains(&format.extension) {
            assert!(text.lines().count() <= 3, "{text}");
        }
    }
    assert_eq!(written(&profile, "paths"), "");
    let mut out = Vec::new();
    summary::write(&profile, &Summary::default(), &mut out).unwrap();
    assert_eq!(out, b"0 bytecodes, 0 calls, 0 threads\n");
}

#[test]
fn the_order_of_siblings_in_memory_does_not_matter() {
    let mut texts = Vec::new();
    for order in [[2, 4, 6], [6, 2, 4], [4, 6, 2]] {
        let mut arena = Arena::new();
        let sites = order
            .iter()
            .map(|&site| call(LAMBDA, site, 1, i64::from(site), vec![]));
        let root = call(MAIN, NO_SITE, 1, 1, sites.collect());
        let root = grow(&mut arena, ptr::null_mut(), &root);
        let mut builder = Builder::new(Kind::Exact, true, resolve);
        // SAFETY: the root is of the arena, which nobody changes meanwhile.
        builder.thread("main", 1, [unsafe { Walk::new(root) }]);
        let profile = builder.finish().unwrap();
        texts.push(FORMATS.map(|format| written(&profile, format.extension)));
    }
    assert_eq!(texts[0], texts[1]);
    assert_eq!(texts[0], texts[2]);
}

#[test]
fn frames_that_were_not_flushed_are_found() {
    let mut arena = Arena::new();
    let root = call(
        MAIN,
        NO_SITE,
        1,
        1,
        vec![call(LAMBDA, 3, 1, -7, vec![call(COPY, 1, 1, 9, vec![])])],
    );
    let root = grow(&mut arena, ptr::null_mut(), &root);
    let mut builder = Builder::new(Kind::Exact, true, resolve);
    // SAFETY: the root is of the arena, which nobody changes meanwhile.
    builder.thread("main", 1, [unsafe { Walk::new(root) }]);
    let error = builder.finish().unwrap_err();
    assert_eq!(
        error,
        TreeError::Unbalanced {
            method: LAMBDA,
            depth: 1,
            inclusive: 2
        }
    );
}

#[test]
fn control_characters_in_thread_names_do_not_break_lines() {
    let mut arena = Arena::new();
    let root = grow(
        &mut arena,
        ptr::null_mut(),
        &call(MAIN, NO_SITE, 1, 1, vec![]),
    );
    let mut builder = Builder::new(Kind::Exact, false, resolve);
    // SAFETY: the root is of the arena, which nobody changes meanwhile.
    builder.thread("a\tb\nc", 1, [unsafe { Walk::new(root) }]);
    let mut out = Vec::new();
    paths::write(&builder.finish().unwrap(), &Settings::default(), &mut out).unwrap();
    assert!(out.starts_with(b"[a\\u0009b\\u000ac]\t0\t0\n"));
}
