//! Messages about wrong probes: `mistakes.txt` has probes, each followed by its message. `BLESS=1` writes it again.

use rjvm_probes::{Limits, Script, Source};
use std::fmt::Write;

#[test]
fn mistakes_are_reported_with_place_and_advice() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mistakes.txt");
    let golden = std::fs::read_to_string(path).expect("mistakes.txt can be read");
    let mut message = String::new();
    let mut count = 0;
    for block in golden.split("\n\n").filter(|b| !b.trim().is_empty()) {
        let probe: Vec<&str> = block
            .lines()
            .map_while(|line| line.strip_prefix("> "))
            .collect();
        let probe = probe.join("\n");
        assert!(!probe.is_empty(), "{block}");
        count += 1;
        for line in probe.lines() {
            writeln!(message, "> {line}").unwrap();
        }
        match Script::compile(&[Source::new("--probe", probe)], Limits::default()) {
            Ok(_) => writeln!(message, "(good)\n").unwrap(),
            Err(e) => writeln!(message, "{e}\n").unwrap(),
        }
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &message).expect("mistakes.txt can be written");
    }
    assert!(count > 60);
    assert!(!message.contains("(good)"), "{message}");
    assert_eq!(message, golden);
}
