//! What comes before the first bytecode of a method: parsing, loading and linking, translation; and
//! the start of a whole VM.

mod bed;
mod common;

use bed::{Bed, options, vm};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rjvm_classfile::ClassFile;
use rjvm_vm::LoaderId;
use rjvm_vm::vm::ProfileMode;

/// Classes with much code that boot doesn't load.
const CLASSES: [&str; 3] = [
    "java/util/concurrent/ConcurrentSkipListMap",
    "java/math/BigDecimal",
    "java/util/GregorianCalendar",
];

fn parse(c: &mut Criterion) {
    let file = bed::classes().join("Work.class");
    let bytes = std::fs::read(file).expect("it has been compiled");
    let mut group = c.benchmark_group("class");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("parse", |b| {
        b.iter(|| ClassFile::parse(&bytes).expect("a class file"))
    });
    group.finish();
}

fn load(c: &mut Criterion) {
    let mut group = c.benchmark_group("class");
    group.sample_size(10);
    group.bench_function("load and link 3, with their superclasses", |b| {
        b.iter_batched(
            || vm(options(ProfileMode::Off)),
            |mut vm| {
                for name in CLASSES {
                    let class = vm.load_class(LoaderId::BOOT, name).expect("it exists");
                    vm.env().link_class(class).expect("it is valid");
                }
                vm
            },
            BatchSize::PerIteration,
        )
    });
    group.finish();
}

fn translate(c: &mut Criterion) {
    let mut bed = Bed::new(ProfileMode::Off);
    let mut methods = Vec::new();
    for name in CLASSES {
        let class = bed.vm.load_class(LoaderId::BOOT, name).expect("it exists");
        bed.vm.env().link_class(class).expect("it is valid");
        methods.extend(bed.vm.class(class).methods.iter().copied());
    }
    methods.retain(|&m| bed.vm.method(m).has_code());
    let mut bytecodes = 0;
    for &m in &methods {
        bed.vm.translate(m).expect("valid code");
        let translated = bed.vm.method(m).translated().expect("translated");
        bytecodes += translated.bytecodes().len() as u64;
    }
    let mut group = c.benchmark_group("translate");
    group.throughput(Throughput::Elements(bytecodes));
    group.bench_function("3 classes", |b| {
        b.iter(|| {
            for &m in &methods {
                assert!(bed.vm.discard_translation(m), "it does not run");
                bed.vm.translate(m).expect("valid code");
            }
        })
    });
    group.finish();
}

fn start(c: &mut Criterion) {
    let mut group = c.benchmark_group("startup");
    group.sample_size(10);
    group.bench_function("class library up", |b| {
        b.iter(|| Bed::new(ProfileMode::Off))
    });
    group.bench_function("class library up, exact", |b| {
        b.iter(|| Bed::new(ProfileMode::Exact))
    });
    group.finish();
}

criterion_group!(benches, parse, load, translate, start);
criterion_main!(benches);
