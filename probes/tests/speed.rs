//! What an event costs in the evaluator alone. `--nocapture` shows it.

mod common;

use common::{Moment, session};
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
        ("entry:M::f { @ = count() }", 100.0),
        ("entry:M::f /arg0 > 10/ { @ = count() }", 150.0),
        ("entry:M::f { @[method] = count() }", 200.0),
        ("entry:M::f { @[arg0, method] = count() }", 250.0),
        ("entry:M::f { @ = hist(arg0) }", 150.0),
        ("entry:M::f { @[caller, arg0 & 7] = sum(arg0) }", 300.0),
        ("entry:M::f { @[stack(2)] = count() }", 500.0),
    ] {
        let cost = nanoseconds(probe);
        eprintln!("{cost:6.1} ns  {probe}");
        if !cfg!(debug_assertions) {
            assert!(cost < most, "{cost} ns: {probe}");
        }
    }
}
