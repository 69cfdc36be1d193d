//! `-XX:+HeapDumpOnOutOfMemoryError`: a full heap is dumped once, in HotSpot's format.

use crate::common;
use crate::common::jdk;
use crate::common::run::{Run, vm};
use std::path::Path;

#[test]
fn a_full_heap_is_dumped_once() {
    let source = common::tests_dir().join("launcher/cli/Ends.java");
    let classes = jdk::compile("heap-dump", &[source], &[], Path::new("none"));
    let run = Run::new(&vm(), "heap-dump");
    let path = format!("-XX:HeapDumpPath={}", run.dir().display());
    let got = run
        .args(["-Xmx32m", "-XX:+HeapDumpOnOutOfMemoryError", &path, "-cp"])
        .arg(classes)
        .args(["Ends", "oom"])
        .finish();
    assert_eq!(got.exit, 1, "{}", got.err());
    let out = got.out();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3, "{out}");
    assert_eq!(lines[0], "java.lang.OutOfMemoryError: Java heap space");
    let file = lines[1].strip_prefix("Dumping heap to ");
    let file = file.and_then(|l| l.strip_suffix(" ...")).expect(lines[1]);
    assert!(
        file.contains("java_pid") && file.ends_with(".hprof"),
        "{file}"
    );
    let bytes = std::fs::read(file).expect("the dump can be read");
    let reported = format!("Heap dump file created [{} bytes in ", bytes.len());
    assert!(lines[2].starts_with(&reported), "{out}");
    check_dump(&bytes);
    let _ = std::fs::remove_file(file);
}

/// Walks a dump's records: the program's list of `long[]` must be in it.
fn check_dump(bytes: &[u8]) {
    let head = b"JAVA PROFILE 1.0.2\0";
    assert!(bytes.starts_with(head));
    let u4 = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("in range"));
    assert_eq!(u4(head.len()), 8, "bytes of an identifier");
    let mut at = head.len() + 12;
    let (mut longs, mut objects, mut ended, mut names) = (0, 0, false, 0);
    while at < bytes.len() {
        assert!(!ended, "nothing follows the end");
        let (tag, len) = (bytes[at], u4(at + 5) as usize);
        let (start, end) = (at + 9, at + 9 + len);
        match tag {
            0x01 => names += usize::from(&bytes[start + 8..end] == b"java/util/ArrayList"),
            0x1C => walk_segment(&bytes[start..end], &mut longs, &mut objects),
            0x2C => ended = true,
            // what each slot of a frame holds is reported in a record of our own
            0x02 | 0x04 | 0x05 | 0x65 => {}
            _ => panic!("record {tag:#x} at {at}"),
        }
        at = end;
    }
    assert!(ended && at == bytes.len());
    assert!(
        names == 1 && longs > 20 && objects > 1000,
        "{names} {longs} {objects}"
    );
}

fn walk_segment(b: &[u8], longs: &mut u32, objects: &mut u32) {
    let u2 = |at: usize| u16::from_be_bytes([b[at], b[at + 1]]) as usize;
    let u4 = |at: usize| u32::from_be_bytes(b[at..at + 4].try_into().expect("in range")) as usize;
    let width = |ty: u8| match ty {
        4 | 8 => 1,
        5 | 9 => 2,
        6 | 10 => 4,
        2 | 7 | 11 => 8,
        _ => panic!("type {ty}"),
    };
    let mut at = 0;
    while at < b.len() {
        let tag = b[at];
        at += 1;
        at += match tag {
            0x05 | 0x07 | 0xFF => 8,
            0x03 | 0x08 => 16,
            0x20 => {
                let mut to = at + 8 + 4 + 48 + 4;
                assert_eq!(u2(to), 0, "constants");
                let statics = u2(to + 2);
                to += 4;
                for _ in 0..statics {
                    to += 9 + width(b[to + 8]);
                }
                to + 2 + 9 * u2(to) - at
            }
            0x21 => {
                *objects += 1;
                24 + u4(at + 20)
            }
            0x22 => 24 + 8 * u4(at + 12),
            0x23 => {
                *longs += u32::from(b[at + 16] == 11 && u4(at + 12) == 1 << 16);
                17 + width(b[at + 16]) * u4(at + 12)
            }
            _ => panic!("sub-record {tag:#x} at {at}"),
        };
    }
    assert_eq!(at, b.len());
}
