//! A deterministic mutation fuzzer. It runs for `RJVM_FUZZ_SECONDS` (3 unless set), which the processors share; a
//! failure names its case, which `RJVM_FUZZ_CASE` runs alone.

mod common;

use common::{Random, build};
use std::panic::{catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

#[test]
fn mutated_class_files_are_survived() {
    let number = |name| {
        std::env::var(name)
            .ok()
            .and_then(|value| value.parse::<u64>().ok())
    };
    let seeds = seeds();
    if let Some(case) = number("RJVM_FUZZ_CASE") {
        let _ = common::exercise(&mutated(&seeds, case));
        return;
    }
    let seconds = Duration::from_secs(number("RJVM_FUZZ_SECONDS").unwrap_or(3));
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let (seeds, share) = (&seeds, seconds / threads as u32);
    let (cases, parsed) = std::thread::scope(|scope| {
        let begun: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || fuzz(seeds, share, first, threads as usize)))
            .collect();
        let ended = begun.into_iter().map(|thread| match thread.join() {
            Ok(counts) => counts,
            Err(panic) => resume_unwind(panic),
        });
        ended.fold((0, 0), |sum, n| (sum.0 + n.0, sum.1 + n.1))
    });
    common::assert_little_memory_was_used();
    println!("{cases} cases, {parsed} of them parsed");
    assert!(parsed > 0 || seconds.is_zero());
}

/// Runs every `step`th case from `first` on for some time; how many there were, and how many of them were parsed.
fn fuzz(seeds: &[Vec<u8>], time: Duration, first: u64, step: usize) -> (u64, u64) {
    let start = Instant::now();
    let (mut cases, mut parsed) = (0, 0);
    for case in (first..).step_by(step) {
        if start.elapsed() >= time {
            break;
        }
        let bytes = mutated(seeds, case);
        let begin = Instant::now();
        match catch_unwind(|| common::exercise(&bytes)) {
            Ok(result) => parsed += u64::from(result.is_ok()),
            Err(_) => panic!("RJVM_FUZZ_CASE={case} panics"),
        }
        let taken = begin.elapsed();
        assert!(
            taken < Duration::from_secs(5),
            "RJVM_FUZZ_CASE={case} takes {taken:?}"
        );
        cases += 1;
    }
    (cases, parsed)
}

/// Well-formed files to begin with.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![build::everything().bytes(), build::module().bytes()];
    let mut n = 0;
    common::each_jdk_class("java.logging", |name, bytes| {
        n += 1;
        if bytes.len() < 8000 && (n % 10 == 0 || name.ends_with("module-info.class")) {
            seeds.push(bytes.to_vec());
        }
    });
    seeds
}

/// The input of a case: a few changes to a seed. Without a JDK the cases are others.
fn mutated(seeds: &[Vec<u8>], case: u64) -> Vec<u8> {
    let mut random = Random(case.wrapping_mul(0xD134_2543_DE82_EF95));
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(6) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        let end = (at + random.below(40)).min(bytes.len());
        match random.below(9) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.number() as u8,
            2 => bytes[at] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF][random.below(6)],
            // 16- and 32-bit numbers at their limits: counts, lengths, indices.
            3 | 4 => {
                let limits = [0u32, 1, 0x7FFF, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, 0xFFFF_FFFF];
                let limit = limits[random.below(limits.len())].to_be_bytes();
                let limit = &limit[2 * random.below(2)..];
                for (byte, new) in bytes[at..].iter_mut().zip(limit) {
                    *byte = *new;
                }
            }
            5 => drop(bytes.drain(at..end)),
            6 => {
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, copy);
            }
            7 => {
                let other = &seeds[random.below(seeds.len())];
                let from = random.below(other.len());
                let copy = other[from..(from + random.below(200)).min(other.len())].to_vec();
                bytes.splice(at..end, copy);
            }
            _ => {
                // A 16-bit index moved by one: still valid, but of another kind.
                if let Some([high, low]) = bytes[at..].first_chunk_mut::<2>() {
                    let index = u16::from_be_bytes([*high, *low]).wrapping_add(1);
                    [*high, *low] = index.to_be_bytes();
                }
            }
        }
    }
    bytes
}
