//! Odd jars: each is run, and searched by the boot loader, as by `java`, or refused with its words.

use crate::common::same::{self, Case};
use crate::common::{jdk, tests_dir, work_dir};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A jar with a manifest, `J.class` and `K.class`, and where its records are.
struct Plain {
    bytes: Vec<u8>,
    end: usize,
    /// Directory entries, and the local headers they lead to, in the order manifest, J, K.
    entries: Vec<usize>,
    locals: Vec<usize>,
}

fn word(bytes: &[u8], at: usize, size: usize) -> usize {
    let bytes = bytes[at..at + size].iter().rev();
    bytes.fold(0, |n, b| n << 8 | usize::from(*b))
}

impl Plain {
    fn new(bytes: Vec<u8>) -> Plain {
        let end = bytes.len() - 22;
        let mut at = word(&bytes, end + 16, 4);
        let mut entries = Vec::new();
        while bytes[at..].starts_with(b"PK\x01\x02") {
            entries.push(at);
            at += 46
                + (28..34)
                    .step_by(2)
                    .map(|f| word(&bytes, at + f, 2))
                    .sum::<usize>();
        }
        let locals = entries.iter().map(|e| word(&bytes, e + 42, 4)).collect();
        Plain {
            bytes,
            end,
            entries,
            locals,
        }
    }

    /// The jar with the field of `size` bytes at `at` changed.
    fn with(&self, at: usize, size: usize, change: impl Fn(u64) -> u64) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        let new = change(word(&bytes, at, size) as u64);
        bytes[at..at + size].copy_from_slice(&new.to_le_bytes()[..size]);
        bytes
    }

    /// With a 64-bit end record, to which the old one refers or not.
    fn wide(&self, refers: bool) -> Vec<u8> {
        let (mut bytes, old) = (self.bytes[..self.end].to_vec(), &self.bytes[self.end..]);
        let field = |at, size| word(old, at, size) as u64;
        bytes.extend(b"PK\x06\x06");
        bytes.extend(44u64.to_le_bytes());
        bytes.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        for value in [field(8, 2), field(10, 2), field(12, 4), field(16, 4)] {
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend(b"PK\x06\x07\0\0\0\0");
        bytes.extend((self.end as u64).to_le_bytes());
        bytes.extend(1u32.to_le_bytes());
        let end = bytes.len();
        bytes.extend(old);
        if refers {
            bytes[end + 8..end + 20].fill(0xff);
        }
        bytes
    }
}

/// All jars by name.
fn variants(p: &Plain, stored: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let (m, j, k) = (p.entries[0], p.entries[1], p.entries[2]);
    let end = p.end;
    let concat = |parts: &[&[u8]]| parts.concat();
    let commented = |text: &[u8]| {
        let mut bytes = p.with(end + 20, 2, |_| text.len() as u64);
        bytes.extend(text);
        bytes
    };
    let mut renamed = p.bytes.clone();
    let name = p.entries[0] + 46;
    renamed[name..name + 20].copy_from_slice(b"meta-inf/manifest.mf");
    let mut twice = p.bytes.clone();
    // K's entry is called J too: two entries with one name
    twice[k + 46..k + 53].copy_from_slice(b"J.class");
    vec![
        ("plain", p.bytes.clone()),
        ("stored", stored.to_vec()),
        ("comment", commented(b"a comment")),
        ("long-comment", commented(&[b'x'; 65535])),
        (
            "signature-in-comment",
            commented(&concat(&[b"PK\x05\x06", &[0; 18], b"tail"])),
        ),
        ("comment-cut", p.with(end + 20, 2, |_| 5)),
        ("prefix", concat(&[b"#!/bin/sh\nexit\n", &p.bytes])),
        ("newline-behind", concat(&[&p.bytes, b"\n"])),
        ("much-behind", concat(&[&p.bytes, &[0; 70_000]])),
        ("no-entries-told", p.with(end + 8, 4, |_| 0)),
        ("one-entry-told", p.with(end + 8, 4, |_| 0x0001_0001)),
        ("all-entries-told", p.with(end + 8, 4, |_| 0xffff_ffff)),
        ("other-disk", p.with(end + 4, 2, |_| 1)),
        ("directory-longer", p.with(end + 12, 4, |n| n + 1)),
        ("directory-shorter", p.with(end + 12, 4, |n| n - 1)),
        ("directory-empty", p.with(end + 12, 4, |_| 0)),
        ("directory-later", p.with(end + 16, 4, |n| n + 1)),
        ("directory-far", p.with(end + 16, 4, |_| 0x7fff_ffff)),
        ("wide", p.wide(true)),
        ("wide-unused", p.wide(false)),
        ("wide-prefix", concat(&[b"abc", &p.wide(true)])),
        ("checksum", p.with(k + 16, 4, |n| n ^ 1)),
        ("checksum-of-manifest", p.with(m + 16, 4, |n| n ^ 1)),
        ("encrypted", p.with(k + 8, 2, |n| n | 1)),
        ("method", p.with(k + 10, 2, |_| 12)),
        ("method-of-local", p.with(p.locals[2] + 8, 2, |_| 0)),
        ("signature", p.with(j, 4, |n| n ^ 0x100)),
        ("signature-first", p.with(m, 4, |n| n ^ 0x100)),
        ("local-signature", p.with(p.locals[2], 4, |n| n ^ 0x100)),
        (
            "local-signature-of-manifest",
            p.with(p.locals[0], 4, |n| n ^ 0x100),
        ),
        ("local-far", p.with(k + 42, 4, |_| 0x7fff_fff0)),
        ("size-larger", p.with(k + 24, 4, |n| n + 10)),
        ("compressed-huge", p.with(k + 20, 4, |_| 0x7fff_fff0)),
        (
            "compressed-huge-of-manifest",
            p.with(m + 20, 4, |_| 0x7fff_fff0),
        ),
        ("name-long", p.with(k + 28, 2, |_| 60_000)),
        ("extra-long", p.with(k + 30, 2, |_| 60_000)),
        ("manifest-in-lower-case", renamed),
        ("same-name-twice", twice),
        ("cut", p.bytes[..p.bytes.len() - 10].to_vec()),
        ("half", p.bytes[..p.bytes.len() / 2].to_vec()),
        ("end-only", p.bytes[end..].to_vec()),
        ("tiny", b"PK".to_vec()),
        ("empty", Vec::new()),
    ]
}

/// Jars whose manifests are odd, from the bytes of the manifest.
const MANIFESTS: &[(&str, &[u8])] = &[
    (
        "manifest-without-newline",
        b"Manifest-Version: 1.0\nMain-Class: J",
    ),
    ("manifest-without-version", b"Main-Class: J\n"),
    (
        "manifest-carriage-return",
        b"Manifest-Version: 1.0\rMain-Class: J\r",
    ),
    (
        "manifest-continued",
        b"Manifest-Version: 1.0\nMain-Class: \n J\n",
    ),
    (
        "manifest-without-colon",
        b"Manifest-Version: 1.0\nzork\nMain-Class: J\n",
    ),
    (
        "manifest-without-blank",
        b"Manifest-Version: 1.0\nMain-Class:J\n",
    ),
    (
        "manifest-blank-first",
        b" Manifest-Version: 1.0\nMain-Class: J\n",
    ),
    (
        "manifest-sections",
        b"Manifest-Version: 1.0\n\nName: x\nMain-Class: J\n",
    ),
    (
        "manifest-mark",
        b"\xef\xbb\xbfManifest-Version: 1.0\nMain-Class: J\n",
    ),
    ("manifest-empty", b""),
    (
        "path-plain",
        b"Manifest-Version: 1.0\nMain-Class: J\nClass-Path: k.jar\n",
    ),
    (
        "path-escaped",
        b"Manifest-Version: 1.0\nMain-Class: J\nClass-Path: sp%20ace/k.jar\n",
    ),
    (
        "path-blank",
        b"Manifest-Version: 1.0\nMain-Class: J\nClass-Path: sp ace/k.jar\n",
    ),
    (
        "path-url",
        b"Manifest-Version: 1.0\nMain-Class: J\nClass-Path: file:k.jar\n",
    ),
    (
        "path-remote",
        b"Manifest-Version: 1.0\nMain-Class: J\nClass-Path: http://127.0.0.1/k.jar k.jar\n",
    ),
    (
        "path-up",
        b"Manifest-Version: 1.0\nMain-Class: J\nClass-Path: sp%20ace/../k.jar\n",
    ),
    (
        "path-folder",
        b"Manifest-Version: 1.0\nMain-Class: J\nClass-Path: classes/\n",
    ),
    (
        "path-no-folder",
        b"Manifest-Version: 1.0\nMain-Class: J\nClass-Path: classes\n",
    ),
    (
        "path-nonsense",
        b"Manifest-Version: 1.0\nMain-Class: J\nClass-Path: %zz k.jar?x\n",
    ),
];

/// Writes the jars; their names.
fn fixtures() -> (PathBuf, Vec<&'static str>) {
    let dir = work_dir().join("jars-fixtures");
    let _ = std::fs::remove_dir_all(&dir);
    let made = |name: &str| {
        let dir = dir.join(name);
        std::fs::create_dir_all(&dir).expect("the target directory is writable");
        dir
    };
    let source = tests_dir().join("launcher/jars");
    let sources = ["J", "K", "L"].map(|n| source.join(format!("{n}.java")));
    let classes = jdk::compile("jars", &sources, &[], Path::new("none"));
    jdk::copy_tree(&classes, &made("classes"));
    jdk::copy_tree(&classes, &made("app"));
    std::fs::remove_file(dir.join("app/K.class")).expect("it was compiled");
    std::fs::remove_file(dir.join("app/J.class")).expect("it was compiled");
    made("sp ace");
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(dir.join(name), bytes).expect("the target directory is writable");
    };
    let jar = |args: &[&str]| {
        let done = Command::new(jdk::tool("jar"))
            .args(args)
            .current_dir(&dir)
            .status();
        assert!(done.is_ok_and(|s| s.success()), "jar fails");
    };
    write("m", b"Manifest-Version: 1.0\nMain-Class: J\n");
    let both = ["-C", "classes", "J.class", "-C", "classes", "K.class"];
    jar(&[
        &["--create", "--file", "plain.jar", "--manifest", "m"][..],
        &both,
    ]
    .concat());
    jar(&[
        &["--create", "-0", "--file", "stored.jar", "--manifest", "m"][..],
        &both,
    ]
    .concat());
    jar(&[
        "--create",
        "--file",
        "k.jar",
        "--no-manifest",
        "-C",
        "classes",
        "K.class",
    ]);
    std::fs::copy(dir.join("k.jar"), dir.join("sp ace/k.jar")).expect("as above");
    let read = |name: &str| std::fs::read(dir.join(name)).expect("jar wrote it");
    let mut plain = read("plain.jar");
    // without the folder's entry, which jar puts before the manifest
    std::fs::create_dir_all(dir.join("META-INF")).expect("as above");
    std::fs::copy(dir.join("m"), dir.join("META-INF/MANIFEST.MF")).expect("as above");
    let with_manifest = |name: &str| {
        let file = format!("{name}.jar");
        let manifest = [
            "--create",
            "--file",
            &file,
            "--no-manifest",
            "META-INF/MANIFEST.MF",
        ];
        jar(&[&manifest[..], &both].concat());
    };
    if Plain::new(plain.clone()).entries.len() != 3 {
        with_manifest("plain");
        plain = read("plain.jar");
    }
    let mut names = Vec::new();
    for (name, bytes) in variants(&Plain::new(plain), &read("stored.jar")) {
        write(&format!("{name}.jar"), &bytes);
        names.push(name);
    }
    for (name, manifest) in MANIFESTS {
        write("META-INF/MANIFEST.MF", manifest);
        let file = format!("{name}.jar");
        let mut args = vec!["--create", "--file", &file, "--no-manifest"];
        args.extend(["META-INF/MANIFEST.MF", "-C", "classes", "J.class"]);
        jar(&args);
        names.push(name);
    }
    (dir, names)
}

/// The tests' cases are made once and live as long as the process.
fn words(words: Vec<String>) -> &'static [&'static str] {
    let words: Vec<&'static str> = words.into_iter().map(|w| &*w.leak()).collect();
    words.leak()
}

#[test]
fn odd_jars_are_read_as_by_java() {
    let (dir, names) = fixtures();
    let mut cases = Vec::new();
    for name in names {
        let text = |words: &[&str]| words.iter().map(|w| w.replace("{}", name)).collect();
        let case = |name: String, args| Case {
            name: name.leak(),
            args: words(args),
            env: &[],
        };
        cases.push(case(
            format!("{name}-run"),
            text(&["-jar", "{}.jar", "K", "p.K"]),
        ));
        if !name.starts_with("path") {
            let boot = text(&["-Xbootclasspath/a:{}.jar", "-cp", "app", "L", "K", "p.K"]);
            cases.push(case(format!("{name}-boot"), boot));
        }
    }
    same::check("jars", &dir, &cases);
}
