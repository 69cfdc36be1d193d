//! Host functions: closures as native methods, and what they may do.

use crate::common;
use crate::common::embed::{HOST, builder, failure};
use rjvm::{Caller, Context, Error, HostFunction, Object, Vm, VmBuilder};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

#[test]
fn closures_take_and_return_values() -> Result<(), Error> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = lines.clone();
    let vm = &mut builder()
        .host_fn(HOST, "add", |_: &mut Caller, a: i32, b: i32| a + b)
        .host_fn(HOST, "greet", |_: &mut Caller, name: Option<String>| {
            Ok(name.map(|n| format!("hello, {n}")))
        })
        .host_fn(HOST, "log", move |_: &mut Caller, line: String| {
            kept.lock().expect("no panic").push(line);
        })
        .host_fn(HOST, "doubled", |_: &mut Caller, v: Vec<i32>| {
            v.iter().map(|n| n * 2).collect::<Vec<i32>>()
        })
        .host_fn(HOST, "any", |_: &mut Caller, o: Option<Object>| o)
        .build()?;
    assert_eq!(vm.call::<i32>(HOST, "add", (40, 2))?, 42);
    assert_eq!(vm.call::<String>(HOST, "greet", ("you",))?, "hello, you");
    assert_eq!(
        vm.call::<Option<String>>(HOST, "greet", (None::<String>,))?,
        None
    );
    vm.call::<()>(HOST, "log", ("one",))?;
    vm.call::<()>(HOST, "log", ("two",))?;
    assert_eq!(*lines.lock().expect("no panic"), ["one", "two"]);
    assert_eq!(vm.call::<Vec<i32>>(HOST, "doubled", ([1, 2],))?, [2, 4]);
    let object = vm.new_object("java.lang.Object", ())?;
    let same: Object = vm.call(HOST, "any", (&object,))?;
    assert!(same.is_same(vm, &object)?);
    assert!(
        vm.call::<Option<Object>>(HOST, "any", (None::<Object>,))?
            .is_none()
    );
    Ok(())
}

#[test]
fn methods_of_objects_get_the_object_if_they_want_it() -> Result<(), Error> {
    let vm = &mut builder()
        .host_fn(HOST, "bump", |c: &mut Caller, this: Object, by: i32| {
            let state: i32 = this.get(c, "state")?;
            this.set(c, "state", state + by)?;
            Ok(state)
        })
        .host_fn(HOST, "ignoring", |_: &mut Caller, by: i32| by * 3)
        .build()?;
    assert_eq!(vm.call::<i32>(HOST, "bumped", (5,))?, 25);
    let host = vm.new_object(HOST, ())?;
    assert_eq!(host.call::<i32>(vm, "ignoring", (5,))?, 15);
    Ok(())
}

#[test]
fn what_no_closure_fits_is_not_linked() -> Result<(), Error> {
    // none for a native method is found when that is called
    let vm = &mut builder()
        .host_fn(HOST, "any", |_: &mut Caller, _: Object| 1)
        .build()?;
    let text = failure(vm.call::<i32>(HOST, "fails", (1,)));
    let want = "java.lang.UnsatisfiedLinkError: '";
    assert!(
        text.starts_with(want) && text.contains("fails(int)"),
        "{text}"
    );
    // an int becomes an object where one is wanted
    assert_eq!(vm.call::<i32>(HOST, "any", ("x",))?, 1);
    let text = failure(vm.call::<i32>(HOST, "any", (None::<Object>,)));
    assert!(text.contains("null is not an object"), "{text}");
    Ok(())
}

/// What the first use of a class says that is linked with a host function of it.
fn unsuited<P, R>(name: &str, f: impl HostFunction<P, R>) -> String {
    let vm = builder().host_fn(HOST, name, f).build();
    let mut vm = vm.expect("the class is not loaded yet");
    failure(vm.call::<i32>(HOST, "thrower", (0,)))
}

#[test]
fn functions_without_a_method_are_found_when_the_class_is_linked() -> Result<(), Error> {
    let types = "app.Host.add: the types of the host function do not match";
    let one = |_: &mut Caller, a: i32| a;
    for (text, want) in [
        (unsuited("add", |_: &mut Caller, a: i32, _: i64| a), types),
        (
            unsuited("add", |_: &mut Caller, a: Object, _: i32, _: i32| a),
            types,
        ),
        (unsuited("add(II)I", one), types),
        (unsuited("add(I)I", one), types),
        (
            unsuited("adds", one),
            "app.Host.adds: the host function has no matching method",
        ),
        (
            unsuited("thrower", one),
            "app.Host.thrower: the method of the host function is not native",
        ),
    ] {
        let line = format!("java.lang.UnsatisfiedLinkError: {want}");
        assert_eq!(text.lines().next(), Some(&*line), "{text}");
    }
    let vm = builder().host_fn("java.lang.Math", "max", |_: &mut Caller, a: i32, _: i32| a);
    let Err(Error::Setup(text)) = vm.build().map(drop) else {
        panic!("the class is loaded");
    };
    let want = "java.lang.Math.max: the method of the host function is not native";
    assert_eq!(text, want);
    // what nobody uses nobody looks at
    builder().host_fn("app.Nowhere", "f", one).build()?;
    Ok(())
}

#[test]
fn failures_become_exceptions() -> Result<(), Error> {
    let vm = &mut builder()
        .host_fn(
            HOST,
            "fails",
            |c: &mut Caller, how: i32| -> Result<i32, Error> {
                match how {
                    0 => Ok(0),
                    1 => Err(Error::throw("java.io.IOException", "disk full")),
                    2 => c.call("app.Host", "thrower", (2,)),
                    3 => c.call("app.Nowhere", "f", ()),
                    4 => Err(Error::throw("app.Nowhere", "?")),
                    5 => Err(Error::throw("java.lang.String", "no throwable")),
                    6 => {
                        let error = c.new_object("java.lang.Error", ("made",))?;
                        error.call(c, "initCause", (&error,))
                    }
                    7 => match c.call::<i32>("app.Host", "thrower", (7,)) {
                        Err(Error::Exception(e)) if e.message.as_deref() == Some("thrower 7") => {
                            Ok(70)
                        }
                        other => other,
                    },
                    _ => Err(Error::OutOfFuel),
                }
            },
        )
        .build()?;
    for (how, want) in [
        (0, "returned 0"),
        (1, "java.io.IOException: disk full at fails"),
        (
            2,
            "java.lang.IllegalArgumentException: thrower 2 at thrower",
        ),
        (
            3,
            "java.lang.RuntimeException: there is no class app.Nowhere at fails",
        ),
        (
            4,
            "java.lang.RuntimeException: there is no class app.Nowhere at fails",
        ),
        (
            5,
            "java.lang.RuntimeException: a host function fails with an object that is not a Throwable at fails",
        ),
        (
            6,
            "java.lang.IllegalArgumentException: Self-causation not permitted at initCause",
        ),
        (7, "returned 70"),
        (8, "java.lang.RuntimeException: out of fuel at fails"),
    ] {
        assert_eq!(vm.call::<String>(HOST, "caught", (how,))?, want);
    }
    let text = failure(vm.call::<i32>(HOST, "fails", (1,)));
    assert!(
        text.starts_with("java.io.IOException: disk full\n\tat app.Host.fails(Native Method)"),
        "{text}"
    );
    Ok(())
}

fn back_and_forth() -> VmBuilder {
    builder().host_fn(HOST, "back", |c: &mut Caller, depth: i32| {
        let twice: i64 = c.call(HOST, "again", (depth,))?;
        Ok(twice + 1)
    })
}

#[test]
fn closures_call_java_which_calls_closures() -> Result<(), Error> {
    let vm = &mut back_and_forth().build()?;
    assert_eq!(
        vm.call::<i64>(HOST, "again", (3,))?,
        2 * (2 * (2 * (1 + 1) + 1) + 1)
    );
    let profile = vm.profile()?;
    assert_eq!(
        (
            profile.calls_of("app.Host.back"),
            profile.calls_of("app.Host.again")
        ),
        (3, 4)
    );
    let deepest = profile
        .contexts()
        .map(|c| c.path().matches("Host.").count())
        .max();
    assert_eq!(deepest, Some(7));
    Ok(())
}

#[test]
fn fuel_ends_below_closures_and_is_resumed_there() -> Result<(), Error> {
    let want = {
        let vm = &mut back_and_forth().build()?;
        let n = vm.call::<i64>(HOST, "again", (20,))?;
        (n, vm.executed().bytecodes, vm.profile()?)
    };
    for cut in [1, 3, 17] {
        let vm = &mut back_and_forth().build()?;
        vm.set_fuel(cut);
        let mut n = vm.call::<i64>(HOST, "again", (20,));
        let mut stops = 0;
        while let Err(Error::OutOfFuel) = n {
            stops += 1;
            // loading the class takes most of them
            vm.add_fuel(if vm.executed().bytecodes + 2000 < want.1 {
                1000
            } else {
                cut
            });
            n = vm.resume();
        }
        assert!(stops > 20, "{stops}");
        assert_eq!((n?, vm.executed().bytecodes), (want.0, want.1));
        want.2.assert_same_contexts(&vm.profile()?);
    }
    Ok(())
}

/// Counts values that are dropped.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn counting(dropped: &Arc<AtomicUsize>) -> VmBuilder {
    let dropped = dropped.clone();
    builder().host_fn(HOST, "back", move |c: &mut Caller, depth: i32| {
        let _kept = Counted(dropped.clone());
        if depth == 0 {
            return c.call::<i32>("app.Calc", "forever", ()).map(i64::from);
        }
        c.call::<i64>(HOST, "again", (depth,))
    })
}

#[test]
fn what_suspended_closures_own_is_dropped() -> Result<(), Error> {
    let dropped = Arc::new(AtomicUsize::new(0));
    let vm = &mut counting(&dropped).build()?;
    vm.set_fuel(3_000_000);
    assert!(matches!(
        vm.call::<i64>(HOST, "again", (5,)),
        Err(Error::OutOfFuel)
    ));
    assert_eq!(dropped.load(Ordering::Relaxed), 0);
    vm.abandon()?;
    assert_eq!(dropped.load(Ordering::Relaxed), 5);
    vm.set_fuel(1_000_000);
    assert!(matches!(
        vm.call::<i64>(HOST, "again", (2,)),
        Err(Error::OutOfFuel)
    ));
    vm.abandon()?;
    assert_eq!(dropped.load(Ordering::Relaxed), 7);
    // or with the VM
    let mut other = counting(&dropped).build()?;
    other.set_fuel(3_000_000);
    assert!(matches!(
        other.call::<i64>(HOST, "again", (3,)),
        Err(Error::OutOfFuel)
    ));
    drop(other);
    assert_eq!(dropped.load(Ordering::Relaxed), 10);
    Ok(())
}

#[test]
fn a_suspended_closure_goes_on_where_it_began_or_not_at_all() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let mut vm = counting(&dropped).build().expect("a VM");
    vm.set_fuel(3_000_000);
    assert!(matches!(
        vm.call::<i64>(HOST, "again", (1,)),
        Err(Error::OutOfFuel)
    ));
    let mut vm = std::thread::spawn(move || {
        vm.set_fuel(1000);
        // Java code goes on anywhere
        assert!(matches!(vm.resume::<i64>(), Err(Error::OutOfFuel)));
        vm
    })
    .join()
    .expect("no panic");
    vm.set_fuel(1000);
    assert!(matches!(vm.resume::<i64>(), Err(Error::OutOfFuel)));
    let kept = dropped.clone();
    let ended = std::thread::spawn(move || {
        let mut vm = back_and_forth().build().expect("a VM");
        assert_eq!(vm.call::<i64>(HOST, "again", (1,)).expect("a number"), 4);
        vm.set_fuel(1);
        let mut depth = vm.call::<i64>(HOST, "again", (1,));
        // stop in what the closure calls
        while vm.profile().expect("a profile").calls_of("app.Host.again") < 4 {
            assert!(matches!(depth, Err(Error::OutOfFuel)));
            vm.set_fuel(1);
            depth = vm.resume();
        }
        let mut vm = std::thread::spawn(move || {
            vm.set_fuel(None);
            let text = failure(vm.resume::<i64>());
            assert!(text.contains("another OS thread"), "{text}");
            vm
        })
        .join()
        .expect("no panic");
        matches!(vm.call::<i32>(HOST, "locked", (1,)), Err(Error::Fault(_)))
    });
    assert!(ended.join().expect("no panic"));
    // elsewhere, nothing is dropped that may belong to its thread
    std::thread::spawn(move || drop(vm))
        .join()
        .expect("no panic");
    assert_eq!(kept.load(Ordering::Relaxed), 0);
}

#[test]
fn a_panic_is_the_end_of_the_vm_alone() -> Result<(), Error> {
    let build = || {
        builder()
            .host_fn(HOST, "panics", |_: &mut Caller| -> i32 {
                panic!("on purpose")
            })
            .build()
    };
    let (vm, other) = (&mut build()?, &mut build()?);
    assert_eq!(vm.call::<i32>(HOST, "locked", (1,))?, 2);
    let Err(Error::Fault(fault)) = vm.call::<i32>(HOST, "panics", ()) else {
        panic!("it is a fault");
    };
    assert_eq!(fault.message, "on purpose");
    assert!(fault.stack[0].starts_with("app.Host.panics("), "{fault}");
    assert!(matches!(
        vm.call::<i32>(HOST, "locked", (1,)),
        Err(Error::Fault(_))
    ));
    assert!(matches!(vm.class(HOST), Err(Error::Fault(_))));
    assert!(matches!(
        vm.run_main("app.Main", [""; 0]),
        Err(Error::Fault(_))
    ));
    assert_eq!(vm.profile()?.calls_of("app.Host.locked"), 1);
    assert_eq!(other.call::<i32>(HOST, "locked", (1,))?, 2);
    Ok(())
}

fn on_threads() -> VmBuilder {
    builder()
        .quantum(50)
        .host_fn(HOST, "callsLocked", |c: &mut Caller, n: i32| {
            let a: i32 = c.call(HOST, "locked", (n,))?;
            let b: i32 = c.call(HOST, "locked", (a,))?;
            Ok(a + b)
        })
}

#[test]
fn closures_of_many_java_threads_are_interleaved() -> Result<(), Error> {
    let run = |cut: Option<u64>| -> Result<_, Error> {
        let vm: &mut Vm = &mut on_threads().build()?;
        vm.set_fuel(cut);
        let mut sum = vm.call::<i32>(HOST, "threads", (8,));
        while let Err(Error::OutOfFuel) = sum {
            vm.set_fuel(cut);
            sum = vm.resume();
        }
        Ok((sum?, vm.executed(), common::guest::text(&vm.profile()?)))
    };
    let want = run(None)?;
    let each = |k: i32| (0..20).map(|j| 2 * (k + j) + 3).sum::<i32>();
    assert_eq!(want.0, (0..8).map(each).sum::<i32>());
    for cut in [997, 10_007] {
        assert_eq!(run(Some(cut))?, want);
    }
    Ok(())
}

#[test]
fn closures_may_allocate_until_the_heap_is_full() -> Result<(), Error> {
    let vm = &mut builder()
        .heap(24 << 20)
        .host_fn(HOST, "churns", |c: &mut Caller, n: i32| {
            let kept = c.object("kept over collections")?;
            for i in 0..n {
                let array = c.object(vec![i; 100_000])?;
                assert_eq!(array.to::<Vec<i32>>(c)?[99_999], i);
            }
            kept.call::<i32>(c, "length", ())
        })
        .host_fn(HOST, "fails", |c: &mut Caller, n: i32| {
            let all: Result<Vec<Object>, Error> =
                (0..n).map(|i| c.object(vec![i; 100_000])).collect();
            Ok(all?.len() as i32)
        })
        .build()?;
    assert_eq!(vm.call::<i32>(HOST, "churns", (300,))?, 21);
    let caught = vm.call::<String>(HOST, "caught", (300,))?;
    assert!(
        caught.starts_with("java.lang.OutOfMemoryError: Java heap space"),
        "{caught}"
    );
    assert_eq!(vm.call::<i32>(HOST, "churns", (10,))?, 21);
    Ok(())
}

#[test]
fn a_closure_may_use_another_vm() -> Result<(), Error> {
    let inner = Mutex::new(back_and_forth().build()?);
    let vm = &mut builder()
        .host_fn(HOST, "back", move |c: &mut Caller, depth: i32| {
            let mut inner = inner.lock().expect("no panic");
            let there: i64 = inner.call(HOST, "again", (depth,))?;
            let here: i32 = c.call(HOST, "locked", (1,))?;
            Ok(there + i64::from(here))
        })
        .build()?;
    assert_eq!(vm.call::<i64>(HOST, "back", (1,))?, 4 + 2);
    Ok(())
}

/// How deep a closure calls itself, and Java at each level.
fn deeper(c: &mut Caller, depth: i32) -> Result<i32, Error> {
    let room = std::hint::black_box([depth; 1000]);
    let here: i32 = c.call("java.lang.Math", "abs", (room[999],))?;
    deeper(c, here + 1)
}

#[test]
fn recursion_through_closures_is_a_stack_overflow() -> Result<(), Error> {
    let vm = &mut builder()
        .host_fn(HOST, "add", |c: &mut Caller, a: i32, b: i32| {
            c.call::<i32>(HOST, "add", (a + 1, b))
        })
        .host_fn(HOST, "churns", deeper)
        .build()?;
    for _ in 0..3 {
        for text in [
            failure(vm.call::<i32>(HOST, "add", (0, 0))),
            failure(vm.call::<i32>(HOST, "churns", (0,))),
        ] {
            assert!(text.starts_with("java.lang.StackOverflowError"), "{text}");
        }
        // the VM goes on
        assert_eq!(vm.call::<i32>("java.lang.Math", "abs", (-3,))?, 3);
    }
    Ok(())
}
