//! What an event costs in the evaluator alone. `--nocapture` shows it.

use crate::common::{Moment, session};
use rjvm_probes::Datum;
use std::time::Instant;

/// Nanoseconds of an event, the least of several rounds.
fn nanoseconds(probe: &str) -> f64 {
    const EVENTS: u32 = 100_000;
    let mut session = session(probe);
    let mut moments: Vec<Moment> = (0..64)
        .map(|n| Moment {
            args: vec![Datum::Int(n)],
            stack: vec![(n as u32 % 8, 1), (9, 2)],
            ..Moment::default()
        })
        .collect();
    let mut best = f64::MAX;
    for _ in 0..15 {
        let start = Instant::now();
        for i in 0..EVENTS {
            session.fire(0, &mut moments[i as usize % 64]);
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(EVENTS));
    }
    best
}

#[test]
fn an_event_costs_some_nanoseconds() {
    // Bounds are many times what was measured, since other things may run meanwhile.
    for (probe, most) in [
        ("entry:M::f { @ = count() }", 1000.0),
        ("entry:M::f /arg0 > 10/ { @ = count() }", 15000.0),
        ("entry:M::f { @[method] = count() }", 2000.0),
        ("entry:M::f { @[arg0, method] = count() }", 25000.0),
        ("entry:M::f { @ = hist(arg0) }", 15000.0),
        ("entry:M::f { @[caller, arg0 & 7] = sum(arg0) }", 3000.0),
        ("entry:M::f { @[stack(2)] = count() }", 5000.0),
    ] {
        let cost = nanoseconds(probe);
        eprintln!("{cost:6.1} ns  {probe}");
        if !cfg!(debug_assertions) {
            assert!(cost < most, "{cost} ns: {probe}");
        }
    }
}
