//! The translated code against a reference: random programs must have the same results, exceptions,
//! calling contexts, counts and traces of bytecodes in a tiny interpreter of class-file bytes and in
//! the VM: at full speed, sampled at every bytecode, in small steps of fuel, and with a collection at
//! every allocation; each interpreted, and with every method compiled.
//!
//! `RJVM_REFERENCE_SEED=N` (and `RJVM_REFERENCE_SIZE`) runs one program and prints its classes;
//! `RJVM_REFERENCE_FIRST` and `RJVM_REFERENCE_COUNT` set the first seed and the number of programs.
//! `differential` compares runs of the command with each other, for longer programs.

#[path = "../common/mod.rs"]
mod common;

mod asm;
mod differential;
mod frame;
mod machine;
mod method;
mod program;
mod random;
mod subject;

use frame::V;
use machine::{Machine, Stop};
use program::{Program, throwables};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use subject::{How, Mode, Seen, Subject};

/// Bytecodes a program may execute in the reference.
const LIMIT: usize = 20_000;
/// Programs for each VM: classes are never unloaded from the boot loader.
const BATCH: usize = 200;

fn text(v: V) -> String {
    match v {
        V::I(v) => format!("int {v}"),
        V::J(v) => format!("long {v}"),
        V::F(v) => subject::float(v),
        V::D(v) => subject::double(v),
        V::A(0) => "null".into(),
        V::A(_) => "object".into(),
        V::Ret(_) => unreachable!("a return address is no value of a program"),
    }
}

/// Two runs of a program in the reference: what a VM must show. `None`: too long.
fn expected(p: &Program) -> Option<Vec<Seen>> {
    let mut m = Machine::new(LIMIT);
    for (_, bytes) in throwables().iter().chain(&p.classes) {
        m.define(bytes);
    }
    let desc = p.names.method_desc(&p.entry);
    let mut all = Vec::new();
    for _ in 0..2 {
        let r = m.run(&p.names.r, "m0", &desc, &[]);
        let outcome = match r {
            Err(Stop::Limit) => return None,
            Err(Stop::Throw(e)) => format!("throws {}", m.class_of(e)),
            Ok(None) => "returns".into(),
            Ok(Some(V::A(r))) if r != 0 => format!("object {}", m.class_of(r)),
            Ok(Some(v)) => text(v),
        };
        let name = |i: usize| format!("{}.{}", m.methods[i].class, m.methods[i].name);
        let mut contexts = Vec::new();
        let mut todo = vec![(0usize, String::new())];
        while let Some((at, path)) = todo.pop() {
            let c = &m.contexts[at];
            let path = format!("{path};{}", name(c.method));
            todo.extend(c.children.iter().map(|&k| (k, path.clone())));
            contexts.push((path, c.invocations, c.bytecodes));
        }
        contexts.sort();
        let trace = m
            .trace
            .iter()
            .map(|&(i, pc)| (name(i as usize), pc))
            .collect();
        let mut statics = Vec::new();
        for class in [&p.names.r, &p.names.q] {
            for name in ["si", "sj", "sf", "sd"] {
                statics.push(text(m.static_field(class, name)));
            }
        }
        all.push(Seen {
            outcome,
            statics,
            contexts,
            trace,
        });
    }
    Some(all)
}

/// Runs a program in a VM and says what differs.
fn differs(vm: &mut Subject, p: &Program, want: &[Seen]) -> Option<String> {
    if let Err(e) = vm.define(p) {
        return Some(e);
    }
    // in turns, the second run would meet the first one's thread in its statics
    let rounds = if vm.is_in_turns() { 1 } else { want.len() };
    for (round, want) in want.iter().take(rounds).enumerate() {
        let run = AssertUnwindSafe(|| vm.run(p, want.trace.len()));
        let got = match catch_unwind(run) {
            Ok(Ok(got)) => got,
            Ok(Err(e)) => return Some(format!("round {round}: {e}")),
            // a VM that panics is not used again
            Err(_) => return Some(format!("round {round}: panic")),
        };
        if let Some(text) = got.differs(want) {
            return Some(format!("round {round}: {text}"));
        }
    }
    None
}

/// The programs of a range of seeds in VMs of one mode.
fn check(how: How, seeds: std::ops::Range<u64>, size: impl Fn(u64) -> usize) {
    let start = Instant::now();
    let (mut ran, mut threw, mut bytecodes, mut skipped) = (0, 0, 0, 0);
    let mut vm = Subject::new(how);
    let mut in_vm = 0;
    for seed in seeds {
        let Ok(p) = Program::new(seed, size(seed)) else {
            skipped += 1;
            continue;
        };
        let Some(want) = expected(&p) else {
            skipped += 1;
            continue;
        };
        if in_vm == BATCH {
            vm = Subject::new(how);
            in_vm = 0;
        }
        in_vm += 1;
        if let Some(text) = differs(&mut vm, &p, &want) {
            let (seed, size) = smaller(how, seed, size(seed));
            panic!("{how:?}, seed {seed}, size {size}: {text}");
        }
        ran += 1;
        threw += want[0].outcome.starts_with("throws") as u64;
        bytecodes += want.iter().map(|s| s.trace.len()).sum::<usize>();
    }
    eprintln!(
        "{how:?}: {ran} programs ({threw} throw), {bytecodes} bytecodes, {skipped} skipped, {:?}",
        start.elapsed()
    );
    assert!(ran > skipped, "most programs run");
}

/// The smallest size for which this seed, or one of the seeds after it, fails.
fn smaller(how: How, seed: u64, size: usize) -> (u64, usize) {
    for s in 1..size {
        for n in seed..seed + 40 {
            let Ok(p) = Program::new(n, s) else { continue };
            let Some(want) = expected(&p) else { continue };
            let mut vm = Subject::new(how);
            if vm.is_in_turns() {
                let _ = differs(&mut vm, &p, &want);
                let Ok(p) = Program::new(n + 1, s) else {
                    continue;
                };
                let Some(want) = expected(&p) else { continue };
                if let Some(text) = differs(&mut vm, &p, &want) {
                    eprintln!("smaller: after seed {n}, size {s}: {text}");
                    return (n + 1, s);
                }
                continue;
            }
            if let Some(text) = differs(&mut vm, &p, &want) {
                eprintln!("smaller: seed {n}, size {s}: {text}");
                return (n, s);
            }
        }
    }
    (seed, size)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn all(how: impl Into<How>, first: u64, count: u64) {
    let how = how.into();
    let size = |seed: u64| 2 + (seed % 23) as usize;
    if let Some(seed) = number("RJVM_REFERENCE_SEED") {
        let size = number("RJVM_REFERENCE_SIZE").map_or(size(seed), |n| n as usize);
        let p = Program::new(seed, size).expect("a program");
        for (_, bytes) in &p.classes {
            let cf = rjvm_classfile::ClassFile::parse(bytes).expect("a class file");
            rjvm_classfile::dis::disassemble(&cf, &mut std::io::stderr()).expect("stderr takes it");
        }
        return check(how, seed..seed + 1, |_| size);
    }
    let first = number("RJVM_REFERENCE_FIRST").unwrap_or(first);
    let usual = if common::all() { count } else { count / 3 };
    let count = number("RJVM_REFERENCE_COUNT").unwrap_or(usual);
    check(how, first..first + count, size);
}

#[test]
fn at_full_speed() {
    all(Mode::Fast, 0, 2000);
}

#[test]
fn verified() {
    all(Mode::Verified, 0, 200);
}

#[test]
fn sampled_at_every_bytecode() {
    all(Mode::Traced, 0, 1000);
}

#[test]
fn in_small_steps() {
    all(Mode::Steps, 10_000, 600);
}

#[test]
fn in_small_steps_with_collections() {
    all(Mode::StressSteps, 40_000, 200);
}

#[test]
fn in_turns_with_another_thread() {
    all(Mode::Turns, 50_000, 400);
}

#[test]
fn with_a_collection_at_every_allocation() {
    all(Mode::Stress, 20_000, 600);
}

#[test]
fn compiled() {
    all(How::compiled(Mode::Fast), 60_000, 1500);
}

#[test]
fn compiled_and_sampled_at_every_bytecode() {
    all(How::compiled(Mode::Traced), 70_000, 600);
}

#[test]
fn compiled_and_in_small_steps() {
    all(How::compiled(Mode::Steps), 80_000, 400);
}

#[test]
fn compiled_and_in_small_steps_with_collections() {
    all(How::compiled(Mode::StressSteps), 90_000, 200);
}

#[test]
fn compiled_and_in_turns_with_another_thread() {
    all(How::compiled(Mode::Turns), 100_000, 300);
}

#[test]
fn compiled_and_with_a_collection_at_every_allocation() {
    all(How::compiled(Mode::Stress), 110_000, 600);
}
