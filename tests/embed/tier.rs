//! Compiled code in embedded VMs: the same results, contexts and stops, within its limit.

use crate::common::embed::{CALC, builder};
use rjvm::{Context, Error, Limits, Tier, Vm};
use rjvm_vm::interp::TIER;

/// Long enough for methods to be compiled by themselves.
const LONG: i32 = 600_000;

fn with(tier: Tier) -> Vm {
    builder().tier(tier).build().expect("a VM")
}

#[test]
fn results_and_contexts_are_the_same() -> Result<(), Error> {
    let mut plain = with(Tier::Off);
    let expected = plain.call::<i64>(CALC, "run", (LONG,))?;
    assert_eq!(plain.compiled(), (0, 0));
    let profile = plain.profile()?;
    for tier in [Tier::On, Tier::All] {
        let mut vm = with(tier);
        assert_eq!(vm.call::<i64>(CALC, "run", (LONG,))?, expected);
        assert_eq!(vm.executed(), plain.executed());
        profile.assert_same_contexts(&vm.profile()?);
        let (methods, bytes) = vm.compiled();
        if TIER {
            assert!(methods > 0 && bytes >= 32 * methods, "{tier:?}: {methods}");
        }
    }
    Ok(())
}

#[test]
fn stops_are_the_same() -> Result<(), Error> {
    for fuel in [99_991, 3_000_017] {
        let [plain, compiled] = [Tier::Off, Tier::All].map(|tier| {
            let mut vm = with(tier);
            vm.set_fuel(fuel);
            let mut seen = Vec::new();
            let mut result = vm.call::<i64>(CALC, "run", (LONG,));
            while let Err(Error::OutOfFuel) = result {
                let totals = vm.profile().expect("a profile").totals();
                seen.push((vm.executed(), vm.thread_dump(), totals.bytecodes));
                match seen.len() {
                    20 => break,
                    _ => vm.add_fuel(fuel),
                }
                result = vm.resume();
            }
            (seen, vm.abandon().is_ok())
        });
        assert!(!plain.0.is_empty());
        assert_eq!(plain, compiled);
    }
    Ok(())
}

/// Beyond the limit, methods are interpreted: nothing else changes.
#[test]
fn code_has_a_limit() -> Result<(), Error> {
    if !TIER {
        return Ok(());
    }
    let run = |compiled: usize| -> Result<_, Error> {
        let mut limits = Limits::within(96 << 20);
        limits.compiled = compiled;
        let mut vm = builder().limits(limits).tier(Tier::All).build()?;
        let result = vm.call::<i64>(CALC, "run", (LONG,))?;
        Ok((result, vm.executed(), vm.compiled()))
    };
    let all = run(Limits::within(96 << 20).compiled)?;
    let few = run(20_000)?;
    let none = run(0)?;
    assert_eq!((all.0, all.1), (few.0, few.1));
    assert_eq!((all.0, all.1), (none.0, none.1));
    assert_eq!(none.2, (0, 0));
    let (few, all) = (few.2, all.2);
    assert!(
        few.0 > 0 && few.0 < all.0 && few.1 < all.1,
        "{few:?} {all:?}"
    );
    Ok(())
}
