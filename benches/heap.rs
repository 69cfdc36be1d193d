//! What allocation and collections cost.

mod bed;
mod common;

use bed::Bed;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rjvm_vm::vm::ProfileMode;

/// Objects that the methods of `Work` make in a run.
const OBJECTS: u64 = 100_000;

fn allocate(c: &mut Criterion) {
    let mut bed = Bed::new(ProfileMode::Off);
    let mut group = c.benchmark_group("allocate");
    group.throughput(Throughput::Elements(OBJECTS));
    for name in ["garbage", "keep"] {
        let method = bed.method(name);
        group.bench_function(name, |b| b.iter(|| bed.run(method)));
    }
    group.finish();
}

fn collect(c: &mut Criterion) {
    let mut bed = Bed::new(ProfileMode::Off);
    let keep = bed.method("keep");
    let mut group = c.benchmark_group("collect");
    group.throughput(Throughput::Elements(OBJECTS));
    for (name, full) in [("young", false), ("full", true)] {
        group.bench_function(name, |b| {
            b.iter_custom(|rounds| {
                let mut spent = std::time::Duration::ZERO;
                for _ in 0..rounds {
                    // a list of that many objects, all in the young generation
                    bed.run(keep);
                    let begin = std::time::Instant::now();
                    bed.vm.collect_garbage(full);
                    spent += begin.elapsed();
                }
                spent
            })
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = allocate, collect
}
criterion_main!(benches);
