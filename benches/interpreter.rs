//! What dispatch, memory accesses and calls cost, with counting off, exact, and by call site.
//! The throughput is in bytecodes.

mod bed;
mod common;

use bed::Bed;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rjvm_vm::vm::ProfileMode;

const MODES: [(&str, ProfileMode); 3] = [
    ("off", ProfileMode::Off),
    ("exact", ProfileMode::Exact),
    ("callsites", ProfileMode::CallSites),
];

const METHODS: [(&str, &str); 5] = [
    ("dispatch", "arithmetic"),
    ("arrays", "memory"),
    ("call/static", "staticCalls"),
    ("call/interface", "interfaceCalls"),
    ("call/recursion", "recursion"),
];

fn interpreter(c: &mut Criterion) {
    for (mode, profile) in MODES {
        let mut bed = Bed::new(profile);
        for (what, name) in METHODS {
            let method = bed.method(name);
            let (_, bytecodes) = bed.run(method);
            let mut group = c.benchmark_group(what);
            group.throughput(Throughput::Elements(bytecodes as u64));
            group.bench_function(mode, |b| b.iter(|| bed.run(method)));
            group.finish();
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = interpreter
}
criterion_main!(benches);
