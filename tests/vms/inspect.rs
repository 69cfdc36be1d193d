//! A stopped VM as data: the same execution and counts as in a VM without observers, at any bytecode.

use crate::common::guest::{Guest, guest_classes, options, text};
use rjvm_vm::inspect::{InspectLimits, InspectedValue, VmState};
use rjvm_vm::startup::CallStop;
use rjvm_vm::vm::{Options, ProfileMode};

fn guest(set: impl FnOnce(&mut Options)) -> Guest {
    let mut o = options(Some(&guest_classes()));
    set(&mut o);
    Guest::boot(o)
}

/// Result, bytecodes, and profile of `Guest.all`.
fn run(g: &mut Guest) -> (i32, i64, String) {
    (g.run("all"), g.executed(), text(&g.profile()))
}

/// What every state must be.
fn check(state: &VmState, text: &str) {
    let executed: i64 = state.threads.iter().map(|t| t.executed).sum();
    assert!(executed <= state.bytecodes, "{text}");
    for thread in &state.threads {
        for (i, frame) in thread.frames.iter().enumerate() {
            let what = || format!("{} of\n{text}", frame.place());
            assert!(frame.known, "{}", what());
            assert_eq!(frame.native, frame.bci.is_none(), "{}", what());
            assert_eq!(
                frame.bci.is_some(),
                frame.instruction.is_some(),
                "{}",
                what()
            );
            assert_eq!(frame.next, i == 0 && !frame.native, "{}", what());
            for value in frame.stack.iter() {
                assert_ne!(*value, InspectedValue::Unset, "{}", what());
            }
            let this = frame
                .locals
                .first()
                .filter(|l| l.name.as_deref() == Some("this"));
            if let Some(this) = this {
                assert_ne!(this.value, InspectedValue::Null, "{}", what());
            }
        }
    }
}

#[test]
fn what_can_be_inspected_executes_the_same() {
    for profile in [ProfileMode::Exact, ProfileMode::Blocks] {
        for quantum in [1000, 37] {
            let set = |o: &mut Options| {
                o.profile = profile;
                o.quantum = quantum;
            };
            let want = run(&mut guest(set));
            let got = run(&mut guest(|o| {
                set(o);
                o.inspectable = true;
            }));
            assert_eq!((got.0, got.1), (want.0, want.1), "{profile:?} {quantum}");
            assert!(
                got.2 == want.2,
                "{profile:?} {quantum}: the profiles differ"
            );
        }
    }
}

#[test]
fn a_path_is_noted_without_a_trace() {
    let traced = |o: &mut Options| o.traces_path = true;
    let want = run(&mut guest(|_| ()));
    let mut g = guest(traced);
    assert!(run(&mut g) == want, "counts differ");
    let mut again = guest(traced);
    run(&mut again);
    assert_eq!(g.vm.path(), again.vm.path());
    let mut inspected = guest(|o| {
        traced(o);
        o.inspectable = true;
    });
    run(&mut inspected);
    assert_eq!(g.vm.path(), inspected.vm.path());
    again.run("loops");
    assert_ne!(g.vm.path(), again.vm.path());
}

#[test]
fn a_state_at_every_bytecode() {
    let want = run(&mut guest(|_| ()));
    for (start, steps) in [(1, 1500), (40_000, 2000), (150_000, 2000)] {
        let mut g = guest(|o| o.inspectable = true);
        let m = g.method("Guest", "all", "()I");
        g.vm.set_fuel(Some(start));
        let mut r = g.vm.call_on(g.main, m, &[]);
        let mut last = String::new();
        for step in 0..steps {
            assert!(matches!(r, Err(CallStop::OutOfFuel)), "{r:?}");
            let state = g.vm.inspect(&InspectLimits::default());
            let text = state.to_string();
            check(&state, &text);
            assert_eq!(state.bytecodes, g.executed());
            assert_ne!(text, last, "step {step}");
            last = text;
            g.vm.set_fuel(Some(1));
            r = g.vm.go_on();
        }
        g.vm.set_fuel(None);
        r = g.vm.go_on();
        let got = (g.value(r).int(), g.executed(), text(&g.profile()));
        assert!(got == want, "looking has changed something");
    }
}
