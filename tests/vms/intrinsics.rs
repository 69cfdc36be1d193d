//! Methods that run as Rust code count what their bytecodes count: profiles with and without it are the same bytes.

use crate::common::guest::{Guest, options, text};
use crate::common::run::{Run, vm};
use crate::common::{self, in_parallel, jdk, tests_dir};
use rjvm_profiler::samples::Recorder;
use rjvm_vm::classpath::{FoundBy, Jdk, SystemModules};
use rjvm_vm::instruments::{Action, MethodFilter, Point, Spec};
use rjvm_vm::startup::CallStop;
use rjvm_vm::vm::Options;
use std::path::PathBuf;

/// The classes of the programs that use all of them.
fn classes() -> PathBuf {
    let sources = [
        "security/Intrinsics",
        "security/IntrinsicsOfCiphers",
        "security/IntrinsicsOfCurves",
        "security/IntrinsicsOfKeys",
        "security/IntrinsicsOfPowers",
        "math/IntrinsicsOfRoots",
    ];
    let sources = sources.map(|s| tests_dir().join(format!("java/{s}.java")));
    jdk::compile("intrinsics", &sources, &[], &tests_dir().join("resources"))
}

/// What a program leaves behind: standard output, profile, samples and their log.
fn files(name: &str, options: &[&str], program: &[&str]) -> Vec<Vec<u8>> {
    let run = Run::new(&vm(), &format!("intrinsics-{name}"));
    let dir = run.dir().to_path_buf();
    let got = run
        .arg("--quiet")
        .args(options)
        .args(["-o", "p.rjp", "--sample-output=s.rjp", "--sample-log=s.log"])
        .arg("-cp")
        .arg(classes())
        .args(program)
        .finish();
    assert_eq!((got.exit, got.err().as_str()), (0, ""), "{name}");
    let read = |file: &str| std::fs::read(dir.join(file)).expect("a file of the run");
    let mut all = vec![got.out().into_bytes()];
    all.extend(["p.rjp", "s.rjp", "s.log"].map(read));
    all
}

/// A program's runs with and without Rust code leave the same behind.
fn are_the_same(program: &[&str], runs: &[&[&str]]) {
    let runs: Vec<_> = runs.iter().enumerate().collect();
    // other tests run the same program at the same time
    let test = std::thread::current().name().map(|n| n.replace("::", "-"));
    let test = test.expect("a test has a name");
    in_parallel(&runs, |(i, options)| {
        // in one directory: the class library looks at its path
        let name = format!("{test}-{}-{}-{i}", program[0], program[1]);
        let with = files(&name, options, program);
        let plain = [options.to_vec(), vec!["--no-intrinsics"]].concat();
        let without = files(&name, &plain, program);
        for (with, without) in with.iter().zip(&without) {
            assert!(
                with == without,
                "{options:?}: {} bytes, {}",
                with.len(),
                without.len()
            );
        }
    });
}

#[test]
fn profiles_and_samples_are_the_same_without_them() {
    // two threads beside main
    are_the_same(
        &["Intrinsics", "a", "b"],
        &[
            &["--profile=exact", "--sample-gran=9973"],
            &[
                "--profile=callsites",
                "--allocations",
                "--sample-gran=10007+50",
            ],
            &["--profile=blocks", "--sample-gran=9973", "--sample-sites"],
            &["--profile=exact", "--sample-gran=97", "--quantum=61"],
            &[
                "--profile=exact",
                "--sample-gran=5003",
                "--sample-clock=global",
                "--quantum=1013",
            ],
        ],
    );
}

#[test]
fn those_of_ciphers_are_the_same_too() {
    are_the_same(
        &["IntrinsicsOfCiphers", "16"],
        &[
            &["--profile=exact", "--sample-gran=9973", "--deterministic"],
            &["--profile=exact", "--sample-gran=997"],
            &[
                "--profile=callsites",
                "--allocations",
                "--sample-gran=100003",
            ],
            &["--profile=blocks", "--sample-gran=100003"],
            &["--profile=exact", "--sample-gran=9973", "--quantum=61"],
        ],
    );
}

#[test]
fn those_of_curves_are_the_same_too() {
    are_the_same(
        &["IntrinsicsOfCurves", "1"],
        &[
            &["--profile=exact", "--sample-gran=10000", "--deterministic"],
            &[
                "--profile=callsites",
                "--allocations",
                "--sample-gran=5003",
                "--deterministic",
            ],
            &[
                "--profile=blocks",
                "--sample-gran=100003",
                "--deterministic",
            ],
            &[
                "--profile=exact",
                "--sample-gran=9973",
                "--deterministic",
                "--quantum=1013",
                "--tier=off",
            ],
            &[
                "--profile=exact",
                "--sample-gran=99991",
                "--deterministic",
                "--tier=all",
            ],
        ],
    );
}

#[test]
fn those_of_keys_are_the_same_too() {
    are_the_same(
        &["IntrinsicsOfKeys", "300"],
        &[
            &["--profile=exact", "--sample-gran=5003", "--deterministic"],
            &[
                "--profile=callsites",
                "--allocations",
                "--sample-gran=100003+50",
                "--deterministic",
            ],
            &[
                "--profile=blocks",
                "--allocations",
                "--sample-gran=9973",
                "--deterministic",
            ],
            &[
                "--profile=exact",
                "--sample-gran=9973",
                "--quantum=1013",
                "--tier=all",
            ],
        ],
    );
}

#[test]
fn those_of_powers_are_the_same_too() {
    are_the_same(
        &["IntrinsicsOfPowers", "30"],
        &[
            &["--profile=exact", "--sample-gran=100003", "--deterministic"],
            &[
                "--profile=callsites",
                "--allocations",
                "--sample-gran=9973+50",
                "--deterministic",
                "--tier=all",
            ],
            &[
                "--profile=blocks",
                "--allocations",
                "--sample-gran=1000003",
                "--deterministic",
                "--tier=off",
            ],
            // the ends of slices fall into all pieces
            &[
                "--profile=exact",
                "--sample-gran=1000003",
                "--deterministic",
                "--quantum=1013",
            ],
            &[
                "--profile=blocks",
                "--sample-gran=99991",
                "--quantum=20011",
                "--tier=all",
            ],
        ],
    );
}

#[test]
fn collections_change_nothing() {
    are_the_same(
        &["Intrinsics", "a"],
        &[&["--profile=exact", "--sample-gran=99991", "--gc-stress"]],
    );
    // the rounds in which the young generation is full run as bytecodes
    are_the_same(
        &["IntrinsicsOfKeys", "2000"],
        &[&[
            "--profile=exact",
            "--allocations",
            "--sample-gran=1000003",
            "-Xmx4m",
        ]],
    );
    if common::all() {
        are_the_same(
            &["IntrinsicsOfKeys", "4"],
            &[&["--profile=exact", "--sample-gran=99991", "--gc-stress"]],
        );
    }
}

#[test]
fn newer_jdks_count_the_same() {
    let jdks = jdk::newer();
    if jdks.is_empty() {
        common::not_checked("no JDK after 17 is installed");
    }
    for jdk in jdks {
        let home = format!("--java-home={}", jdk.home().display());
        for program in [
            &["IntrinsicsOfCurves", "2"],
            &["IntrinsicsOfCiphers", "32"],
            &["IntrinsicsOfKeys", "200"],
            &["IntrinsicsOfPowers", "20"],
            &["IntrinsicsOfRoots", "600"],
            &["Intrinsics", "a"],
        ] {
            let runs: [&[&str]; 3] = [
                &[
                    &home,
                    "--profile=exact",
                    "--sample-gran=9973",
                    "--deterministic",
                ],
                &[
                    &home,
                    "--profile=callsites",
                    "--allocations",
                    "--sample-gran=100003",
                    "--deterministic",
                    "--tier=all",
                ],
                &[
                    &home,
                    "--profile=blocks",
                    "--sample-gran=99991",
                    "--deterministic",
                ],
            ];
            match common::all() {
                true => are_the_same(program, &runs),
                false => are_the_same(program, &runs[1..2]),
            }
        }
    }
}

#[test]
fn roots_are_found_by_rust_code() {
    let jdks = jdk::newer();
    if jdks.is_empty() {
        common::not_checked("no JDK after 17 is installed");
    }
    for jdk in jdks {
        let mut g = guest(|o| o.java_home = jdk.home().into());
        let m = g.method("IntrinsicsOfRoots", "silently", "()V");
        assert!(g.vm.call_on(g.main, m, &[]).is_ok());
        // of 2,800 numbers some 300 are negative; few are learned
        let done = g.vm.intrinsics_done_of("java/lang/FdLibm$Sqrt", "compute");
        assert!(done > 2000, "{}: only {done}", jdk.version());
    }
}

#[test]
fn all_bodies_are_known() {
    let mut jdks = jdk::newer();
    jdks.extend(Jdk::open(jdk::java_home(), FoundBy::Option));
    for jdk in jdks {
        let modules = SystemModules::open(&jdk).expect("a class library");
        let unknown = rjvm_vm::interp::unknown_bodies(&modules);
        assert!(unknown.is_empty(), "{}: {unknown:#?}", jdk.version());
    }
}

#[test]
fn deadlines_are_met_at_the_same_bytecode() {
    are_the_same(
        &["IntrinsicsOfCiphers", "0"],
        &[
            &["--profile=exact", "--sample-gran=99991", "--deterministic"],
            &[
                "--profile=exact",
                "--sample-gran=99991",
                "--deterministic",
                "--quantum=1013",
            ],
        ],
    );
}

/// A VM with the program.
fn guest(set: impl FnOnce(&mut Options)) -> Guest {
    let mut o = options(Some(&classes()));
    o.quantum = 100_000;
    set(&mut o);
    let samples = o.sample_every.map(|_| Recorder::new(false));
    Guest::boot_with(o, |vm| {
        if let Some(r) = samples {
            vm.record_samples(r);
        }
    })
}

#[test]
fn loops_and_blocks_are_done_by_rust_code() {
    let mut g = guest(|_| ());
    for (class, desc) in [
        ("Intrinsics", "()I"),
        ("IntrinsicsOfCiphers", "()V"),
        ("IntrinsicsOfCurves", "()V"),
        ("IntrinsicsOfKeys", "()V"),
        ("IntrinsicsOfPowers", "()V"),
    ] {
        let m = g.method(class, "silently", desc);
        let r = g.vm.call_on(g.main, m, &[]);
        assert!(r.is_ok(), "{class}");
    }
    // names of HotSpot switch off these alone
    let mut without = guest(|o| {
        o.intrinsics_off.switch("UseSHA256Intrinsics", false);
        o.intrinsics_off.switch("_md5_implCompress", false);
        o.intrinsics_off.switch("UseCRC32CIntrinsics", false);
        o.intrinsics_off.switch("UseSHA", false);
        o.intrinsics_off.switch("UseSHA", true);
    });
    run(&mut without, &mut || None);
    for (method, is_on) in [
        (["sun/security/provider/SHA2", "implCompress"], false),
        (["sun/security/provider/MD5", "implCompress"], false),
        (["java/util/zip/CRC32C", "updateBytes"], false),
        (["sun/security/provider/SHA", "implCompress"], true),
    ] {
        let done = without.vm.intrinsics_done_of(method[0], method[1]);
        assert_eq!(done > 0, is_on, "{method:?}: {done}");
    }
    for (class, method, least) in [
        (
            "sun/security/provider/DigestBase",
            "implCompressMultiBlock0",
            300,
        ),
        ("com/sun/crypto/provider/PBKDF2KeyImpl", "deriveKey", 1500),
        ("sun/security/provider/MD5", "implCompress", 3),
        ("sun/security/provider/SHA", "implCompress", 3),
        ("sun/security/provider/SHA2", "implCompress", 3),
        ("sun/security/provider/SHA5", "implCompress", 3),
        ("sun/security/provider/SHA3", "implCompress", 3),
        ("com/sun/crypto/provider/GHASH", "processBlocks", 1000),
        ("com/sun/crypto/provider/CounterMode", "implCrypt", 1000),
        (
            "com/sun/crypto/provider/CipherBlockChaining",
            "implEncrypt",
            150,
        ),
        (
            "com/sun/crypto/provider/CipherBlockChaining",
            "implDecrypt",
            150,
        ),
        (
            "com/sun/crypto/provider/ChaCha20Cipher",
            "chaCha20Block",
            50,
        ),
        ("com/sun/crypto/provider/ChaCha20Cipher", "xor", 20),
        (
            "com/sun/crypto/provider/ChaCha20Cipher",
            "chaCha20Transform",
            50,
        ),
        (
            "com/sun/crypto/provider/ElectronicCodeBook",
            "implECBEncrypt",
            1000,
        ),
        (
            "com/sun/crypto/provider/ElectronicCodeBook",
            "implECBDecrypt",
            1000,
        ),
        ("com/sun/crypto/provider/Poly1305", "engineUpdate", 500),
        (
            "sun/security/util/math/intpoly/IntegerPolynomialP256",
            "mult",
            1000,
        ),
        (
            "sun/security/util/math/intpoly/IntegerPolynomial25519",
            "square",
            1000,
        ),
        ("java/math/BigInteger", "implMultiplyToLen", 20),
        ("java/math/BigInteger", "implSquareToLen", 1000),
        ("java/math/BigInteger", "montReduce", 1000),
        ("java/math/BigInteger", "shiftLeftImplWorker", 1000),
        ("java/math/MutableBigInteger", "mulsub", 1000),
        ("java/util/zip/CRC32C", "updateBytes", 50),
        ("java/util/Base64$Encoder", "encodeBlock", 300),
        ("java/util/Base64$Decoder", "decodeBlock", 300),
    ] {
        let done = g.vm.intrinsics_done_of(class, method);
        assert!(done >= least, "{class}.{method}: only {done}");
    }
}

/// Runs it; the fuel for each piece. Its sum, how many bytecodes it executed, the profile, and how often Rust code ran.
fn run(g: &mut Guest, fuel: &mut dyn FnMut() -> Option<i64>) -> (i32, i64, String, u64) {
    let m = g.method("Intrinsics", "silently", "()I");
    let begin = g.executed();
    g.vm.set_fuel(fuel());
    let mut r = g.vm.call_on(g.main, m, &[]);
    while let Err(CallStop::OutOfFuel) = r {
        g.vm.set_fuel(fuel());
        r = g.vm.go_on();
    }
    g.vm.set_fuel(None);
    let sum = g.value(r).int();
    let profile = text(&g.profile());
    (sum, g.executed() - begin, profile, g.vm.intrinsics_done())
}

#[test]
fn every_stop_finds_the_same() {
    // where fuel ends, in the contexts that are open then, the counts are those of the bytecodes
    let mut guests = [true, false].map(|intrinsics| {
        let mut g = guest(|o| o.intrinsics = intrinsics);
        let m = g.method("IntrinsicsOfCurves", "silently", "()V");
        g.vm.set_fuel(Some(9973));
        let r = g.vm.call_on(g.main, m, &[]);
        (g, r)
    });
    for stop in 0..3000 {
        let [(a, ra), (b, rb)] = &mut guests;
        assert_eq!(a.executed(), b.executed(), "stop {stop}");
        if stop % 499 == 0 {
            assert!(text(&a.profile()) == text(&b.profile()), "stop {stop}");
        }
        match (&ra, &rb) {
            (Err(CallStop::OutOfFuel), Err(CallStop::OutOfFuel)) => {}
            (Ok(_), Ok(_)) => break,
            _ => panic!("only one is over after {stop} stops"),
        }
        for (g, r) in &mut guests {
            g.vm.set_fuel(Some(9973));
            *r = g.vm.go_on();
        }
    }
    let done = guests.map(|(g, _)| g.vm.intrinsics_done());
    assert!(done[0] > 100 && done[1] == 0, "{done:?}");
}

#[test]
fn pieces_by_fuel_change_nothing() {
    let without = run(&mut guest(|o| o.intrinsics = false), &mut || None);
    assert_eq!(without.3, 0);
    for piece in [None, Some(1_000_003), Some(20_011), Some(2503)] {
        let with = run(&mut guest(|_| ()), &mut || piece);
        assert!(with.3 > 100, "only {} executions by Rust code", with.3);
        assert_eq!((with.0, with.1), (without.0, without.1), "{piece:?}");
        assert!(with.2 == without.2, "the profile differs: {piece:?}");
    }
}

#[test]
fn fuel_ends_while_keys_are_derived() {
    let run = |intrinsics: bool, piece: Option<i64>| {
        let mut g = guest(|o| o.intrinsics = intrinsics);
        let m = g.method("IntrinsicsOfKeys", "silently", "()V");
        let begin = g.executed();
        g.vm.set_fuel(piece);
        let mut r = g.vm.call_on(g.main, m, &[]);
        while let Err(CallStop::OutOfFuel) = r {
            g.vm.set_fuel(piece);
            r = g.vm.go_on();
        }
        g.vm.set_fuel(None);
        assert!(r.is_ok(), "{piece:?}");
        let class = "com/sun/crypto/provider/PBKDF2KeyImpl";
        let done = g.vm.intrinsics_done_of(class, "deriveKey");
        (g.executed() - begin, text(&g.profile()), done)
    };
    let without = run(false, None);
    assert_eq!(without.2, 0);
    for piece in [None, Some(1_000_003), Some(50_021)] {
        let with = run(true, piece);
        // few rounds fit into a small piece
        let least = if piece == Some(50_021) { 20 } else { 1000 };
        assert!(with.2 > least, "{piece:?}: only {} rounds", with.2);
        assert_eq!(with.0, without.0, "{piece:?}");
        assert!(with.1 == without.1, "the profile differs: {piece:?}");
    }
}

#[test]
fn who_looks_at_bytecodes_sees_all_of_them() {
    // an instrument in a method that an intrinsic calls
    let counted = |intrinsics: bool| {
        let mut g = guest(|o| o.intrinsics = intrinsics);
        let first = run(&mut g, &mut || None);
        let id = g.vm.place_instrument(Spec {
            at: Point::Entry(MethodFilter::of(|m| m.name() == "reverseBytes")),
            action: Action::Count,
            clocks: false,
        });
        let second = run(&mut g, &mut || None);
        let hits = g.vm.instrument_reading(id).expect("an instrument").hits;
        assert_eq!(second.3, first.3, "Rust code ran although somebody counts");
        (first.1, second.1, second.2, hits)
    };
    let (with, without) = (counted(true), counted(false));
    assert!(with.3 > 500, "{} calls", with.3);
    assert!(with == without, "{} and {} calls", with.3, without.3);
}
