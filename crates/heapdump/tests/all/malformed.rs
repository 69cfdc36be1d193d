//! Dumps that are not what they should be: an error that says where, never a panic, a hang or unbounded memory.

use crate::common::{ARRAY, Builder, FIRST, NODE, Random};
use rjvm_heapdump::{Dominators, Dump, Error, Paths, sites};
use std::io::Cursor;

fn whole(id: usize) -> Builder {
    let mut b = Builder::new(2, id);
    b.library(2);
    b.name(50, "run");
    b.record(0x04, &[77, 50, 50, 50], &[0, 0, 0, 3, 0, 0, 0, 12]);
    let mut trace = vec![0, 0, 0, 9, 0, 0, 0, 3, 0, 0, 0, 1];
    trace.extend(&77u64.to_be_bytes()[8 - id..]);
    b.record(0x05, &[], &trace);
    let mut allocated = vec![0; 30];
    allocated.extend([0, 0, 0, 1]);
    allocated.extend([0, 0, 0, 0, 3, 0, 0, 0, 9]);
    allocated.extend([0; 16]);
    b.record(rjvm_heapdump::ALLOCATED, &[], &allocated);
    b.instance(FIRST, 9, NODE, &[FIRST + 64, 0]);
    b.array(FIRST + 64, ARRAY, &[FIRST, FIRST + 128]);
    b.bytes(FIRST + 128, b"some bytes");
    b.thread(FIRST, 3, 9);
    b.frame_root(FIRST + 64, 3, 0);
    b.segment();
    b.record(0x2C, &[], &[]);
    b
}

/// Everything that can be asked.
fn ask(bytes: &[u8]) -> Result<(), Error> {
    let mut dump = Dump::from_source(Box::new(Cursor::new(bytes.to_vec())))?;
    let tree = Dominators::new(&dump);
    let paths = Paths::new(&dump);
    for o in 0..dump.objects() {
        dump.string(o)?;
        dump.fields(o)?;
        paths.path(&mut dump, o)?;
        assert_eq!(tree.reachable(o), paths.reachable(o));
    }
    sites(&mut dump)?;
    Ok(())
}

#[test]
fn what_ends_too_early_is_an_error_that_says_where() {
    for id in [4, 8] {
        let b = whole(id);
        ask(&b.out).expect("the whole");
        let mut wrong = 0;
        for end in 0..b.out.len() {
            match ask(&b.out[..end]) {
                Ok(()) => {
                    // a heap, and no record cut
                    assert!(b.starts.contains(&end), "{end} of {}", b.out.len());
                }
                Err(Error::Malformed { at, .. }) => {
                    assert!(at <= end as u64);
                    wrong += 1;
                }
                Err(e) => panic!("{e}"),
            }
        }
        assert!(wrong > 300, "{wrong}");
    }
    let text = ask(&whole(8).out[..40]).expect_err("cut").to_string();
    assert_eq!(text, "a record ends too early at byte 31");
    let text = ask(b"not a dump at all, however long it is").expect_err("no dump");
    assert!(text.to_string().starts_with("not a heap dump"), "{text}");
}

#[test]
fn a_heap_without_an_end_is_cut() {
    let mut b = whole(8);
    let end = b.starts.last().copied().expect("the end of the heap");
    let text = ask(&b.out[..end]).expect_err("cut").to_string();
    assert!(text.starts_with("the dump is incomplete"), "{text}");
    // a second heap
    b.bytes(FIRST + 512, b"more");
    b.segment();
    let text = ask(&b.out).expect_err("cut").to_string();
    assert!(text.starts_with("the dump is incomplete"), "{text}");
}

#[test]
fn compressed_files_are_read() {
    let bytes = whole(8).out;
    let path = std::env::temp_dir().join(format!("rjvm-heapdump-test-{}.gz", std::process::id()));
    let packed = |bytes: &[u8]| {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut out, bytes).expect("memory");
        out.finish().expect("memory")
    };
    // HotSpot writes many members, one after the other
    let all = [packed(&bytes[..100]), packed(&bytes[100..])].concat();
    std::fs::write(&path, &all).expect("a file");
    let dump = Dump::open(&path).expect("the whole");
    let plain = Dump::from_source(Box::new(Cursor::new(bytes))).expect("the whole");
    assert_eq!(dump.objects(), plain.objects());
    std::fs::write(&path, &all[..all.len() - 9]).expect("a file");
    let text = Dump::open(&path).err().expect("cut").to_string();
    assert_eq!(text, "the compressed dump ends too early");
    std::fs::remove_file(&path).expect("it is there");
}

#[test]
fn no_mutation_panics() {
    let mut random = Random(88_172_645_463_325_252);
    let (mut good, mut bad) = (0, 0);
    for round in 0..20_000 {
        let mut bytes = whole(if round % 2 == 0 { 4 } else { 8 }).out;
        for _ in 0..1 + random.below(4) {
            let at = 31 + random.below(bytes.len() as u64 - 31) as usize;
            match random.below(5) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes[at] ^= 1 << random.below(8),
                2 => bytes[at] = 0xFF,
                3 => {
                    bytes.remove(at);
                }
                _ => bytes.insert(at, random.below(256) as u8),
            }
        }
        match ask(&bytes) {
            Ok(()) => good += 1,
            Err(_) => bad += 1,
        }
    }
    assert!(good > 1000 && bad > 1000, "{good} {bad}");
}

#[test]
fn circles_and_twins_are_reported() {
    let mut b = Builder::new(2, 8);
    b.library(1);
    b.class(0x500, 0x600, &[], &[]);
    b.class(0x600, 0x500, &[], &[]);
    b.segment();
    let text = b.read().err().expect("a circle").to_string();
    assert!(text.contains("form a cycle"), "{text}");
    let mut b = Builder::new(2, 8);
    b.library(1);
    b.instance(FIRST, 1, NODE, &[0]);
    b.instance(FIRST, 1, NODE, &[0]);
    b.segment();
    let text = b.read().err().expect("twins").to_string();
    assert!(text.contains("object 0x1000 occurs twice"), "{text}");
    let mut b = Builder::new(2, 8);
    b.library(1);
    b.instance(FIRST, 1, 0x999, &[0]);
    b.segment();
    let text = b.read().err().expect("no class").to_string();
    assert!(text.contains("of class 0x999"), "{text}");
}
