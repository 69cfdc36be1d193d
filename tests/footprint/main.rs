//! VMs that come and go leave no memory behind. Alone in its process, whose memory it measures.

#[path = "../common/mod.rs"]
mod common;

use common::guest::{Guest, guest_classes, options, resident};
use rjvm_vm::startup::CallStop;

#[test]
fn vms_leave_no_memory_behind() {
    let boot = || {
        let mut o = options(Some(&guest_classes()));
        o.max_heap = 16 << 20;
        Guest::boot(o)
    };
    let cycle = |n: i32| {
        let mut g = boot();
        let r = g.run("initialisers");
        if n % 3 == 0 {
            // dropped in the middle of a call
            let m = g.method("Guest", "all", "()I");
            g.vm.set_fuel(Some(10_000));
            assert!(matches!(
                g.vm.call_on(g.main, m, &[]),
                Err(CallStop::OutOfFuel)
            ));
        }
        r
    };
    let first = cycle(0);
    for n in 1..20 {
        assert_eq!(cycle(n), first);
    }
    let before = resident();
    for n in 0..80 {
        assert_eq!(cycle(n), first);
    }
    let after = resident();
    assert!(
        after < before + (8 << 20),
        "resident memory grew from {before} to {after} bytes"
    );
}
