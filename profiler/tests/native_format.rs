//! The native format: a written profile reads back the same, and any other input is an error.

use rjvm_profiler::cct::{Arena, NO_SITE, Walk};
use rjvm_profiler::export::Settings;
use rjvm_profiler::export::paths;
use rjvm_profiler::origin::{Body, Scope, Step};
use rjvm_profiler::samples::{Frame, Recorder};
use rjvm_profiler::{Builder, Extra, Filter, Kind, MethodInfo, Profile, Threads, View, rjp};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn written(profile: &Profile) -> Vec<u8> {
    let mut out = Vec::new();
    rjp::write(profile, &mut out).unwrap();
    out
}

fn read(bytes: &[u8]) -> Result<Profile, rjp::RjpError> {
    rjp::read(&mut { bytes })
}

fn expected(suffix: &str) -> Vec<(PathBuf, Profile)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/oracle/expected");
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(suffix))
        .collect();
    files.sort();
    let profile = |path: PathBuf| {
        let profile = Profile::read_file(&path).unwrap();
        (path, profile)
    };
    files.into_iter().map(profile).collect()
}

/// Two threads, with every column, and what no other format keeps.
fn everything() -> Profile {
    let mut arena = Arena::new();
    // SAFETY: all nodes are of this arena.
    let root = unsafe {
        let root = arena
            .new_node(std::ptr::null_mut(), 0, NO_SITE, 0)
            .expect("memory");
        for (i, site) in [3u32, 70_000, u32::MAX - 1].into_iter().enumerate() {
            let child = arena.new_node(root, 1 + i as u32, site, 0).expect("memory");
            (*child).invocations = u64::MAX >> i;
            (*child).inclusive = 1 << (20 * i);
        }
        (*root).inclusive = 1 << 60;
        root
    };
    let resolve = |id| match id {
        0 => MethodInfo::new("p/A$$Lambda$1/0x1", "run", "()V", false, true),
        1 => MethodInfo::new("p/Ä", "f\tg", "(Lx/Y;)V", false, false)
            .with_source("Ä.java", &[(0, 9), (7, 65535), (9, 0), (65535, 10)]),
        2 => MethodInfo::new("p/Äb", "f", "()V", true, false),
        _ => MethodInfo::new("java/lang/Object", "f", "()V", false, false)
            .with_source("Object.java", &[]),
    };
    let fill = |visit: &rjvm_profiler::cct::Visit, extra: &mut Extra| {
        extra.objects = u64::from(visit.method);
        extra.bytes = u64::MAX - 5;
        extra.counts.extend([(0, 1), (65535, u64::MAX), (9, 3)]);
    };
    let mut builder = Builder::new(Kind::Exact, true, resolve).with_extra(fill);
    for (id, name) in [(1, "main"), (u64::MAX, "other; [x]")] {
        // SAFETY: the arena is alive and nobody changes it.
        let walk = unsafe { Walk::new(root) };
        builder.thread(name, id, [walk]);
    }
    let mut profile = builder.finish().unwrap();
    profile.threads[1].remainder = 77;
    profile.thread_count = 9;
    profile
}

#[test]
fn everything_comes_back() {
    let profile = everything();
    assert_eq!(read(&written(&profile)).unwrap(), profile);
    let merged = profile.view(&View::default()).unwrap();
    assert_eq!(read(&written(&merged)).unwrap(), merged);
    let plain = View {
        call_sites: false,
        threads: Threads::Apart,
        ..View::default()
    };
    let plain = profile.view(&plain).unwrap();
    assert_eq!(read(&written(&plain)).unwrap(), plain);
    // What callees have executed that are not shown is known by the later version alone.
    let shown = Filter {
        exclude: vec!["p..".parse().unwrap()],
        ..Filter::default()
    };
    let all = profile.filter(&shown).unwrap();
    assert!(!all.has_caused());
    assert_eq!(written(&all)[8], 2);
    let shown = Filter {
        exclude: vec!["p.Ä".parse().unwrap()],
        ..Filter::default()
    };
    let part = profile.filter(&shown).unwrap();
    let tree = &part.threads[1].tree;
    assert_eq!(tree.caused(0).collect::<Vec<_>>(), [(3, 1)]);
    let mut file = written(&part);
    assert_eq!(file[8], 3);
    assert_eq!(read(&file).unwrap(), part);
    file[8] = 2;
    read(&file).unwrap_err();
    let mut recorder = Recorder::new(true);
    let frame = |method| Frame {
        method,
        bci: 1,
        upcall: false,
    };
    recorder.sample(4, [frame(0), frame(1)], 9).unwrap();
    recorder.remainder(4, 3);
    let sampled = recorder
        .profile(|id| MethodInfo::new("A", &id.to_string(), "()V", false, false))
        .unwrap();
    assert_eq!(read(&written(&sampled)).unwrap(), sampled);
    let about = |name: &str, text: &str| (name.to_string(), text.to_string());
    let reported = Profile {
        about: vec![about("Program", "Demo \u{e9}"), about("Seed", "")],
        ..sampled
    };
    assert_eq!(read(&written(&reported)).unwrap(), reported);
    let empty = Profile::default();
    assert_eq!(read(&written(&empty)).unwrap(), empty);
}

#[test]
fn profiles_of_real_programs_come_back_much_smaller() {
    let (mut texts, mut files) = (0, 0);
    for (path, profile) in expected(".sites.txt") {
        let bytes = written(&profile);
        assert_eq!(read(&bytes).unwrap(), profile, "{}", path.display());
        texts += path.metadata().unwrap().len() as usize;
        files += bytes.len();
    }
    assert!(files * 3 < texts, "{files} of {texts} bytes");
}

#[test]
fn the_content_reports_the_format() {
    let profile = Profile::read(&mut &b"A.m()V\t1\t2\n"[..]).unwrap();
    assert_eq!(Profile::read(&mut &written(&profile)[..]).unwrap(), profile);
    let error = Profile::read(&mut &b"\x89PNG\r\n\x1a\n"[..]).unwrap_err();
    assert!(error.to_string().contains("the first bytes differ"));
    let error = Profile::read(&mut &b"a;b 7\n"[..]).unwrap_err().to_string();
    assert!(error.starts_with("neither a native profile (.rjp) nor a profile of paths"));
    let error = Profile::read_file(Path::new("no/such.rjp")).unwrap_err();
    assert!(error.to_string().starts_with("no/such.rjp: "), "{error}");
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = written(&everything());
    for length in 0..bytes.len() {
        let error = read(&bytes[..length]).unwrap_err().to_string();
        let expected = match length {
            ..8 => "the first bytes differ",
            _ => "the file is truncated",
        };
        assert!(error.contains(expected), "{length}: {error}");
    }
    let longer = [&bytes[..], b"\n"].concat();
    let error = read(&longer).unwrap_err().to_string();
    assert!(error.contains("something follows the profile"), "{error}");
}

#[test]
fn every_flipped_bit_is_an_error() {
    let bytes = written(&everything());
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            read(&damaged).unwrap_err();
        }
    }
    let mut newer = bytes;
    newer[8] = 5;
    let error = read(&newer).unwrap_err().to_string();
    assert_eq!(
        error,
        "version 5 of the native format; this program reads versions 1 to 4"
    );
}

/// CRC-32, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

/// A file with a payload, all checksums right, as the documentation describes it.
fn file(payload: &[u8]) -> Vec<u8> {
    file_of(2, payload)
}

fn file_of(version: u8, payload: &[u8]) -> Vec<u8> {
    let mut file = [&rjp::MAGIC[..], &[version, 0]].concat();
    let mut seen = file.clone();
    for chunk in payload.chunks(1000) {
        seen.extend(chunk);
        file.extend((chunk.len() as u16).to_le_bytes());
        file.extend(crc(&seen).to_le_bytes());
        file.extend(chunk);
    }
    file.extend([0, 0]);
    file.extend(crc(&seen).to_le_bytes());
    file
}

/// Method `A.m()V`, a thread without name whose nodes follow.
fn one_method(thread_flags: u8, nodes: &[u8]) -> Vec<u8> {
    let head = b"\x02\x01\x01\x04\x00\x01A\x01m\x03()V\x01";
    file(&[&head[..], &[thread_flags, 7, 0], nodes].concat())
}

#[test]
fn a_file_made_by_the_documentation_is_read() {
    let nodes = [
        2, /* nodes */
        0, 0, 0, 3, 0x80, 1, 2, 0, 3, 4, 1, /* a root: 0:3, 5:1 */
        0, 0, 6, 1, 0, 0, /* called at 5 */
    ];
    let profile = read(&one_method(4, &nodes)).unwrap();
    let mut text = Vec::new();
    paths::write(&profile, &Settings::default(), &mut text).unwrap();
    assert_eq!(
        String::from_utf8(text).unwrap(),
        "@-1:A.m()V\t3\t128\t0:3,5:1\n@-1:A.m()V;@5:A.m()V\t1\t0\t-\n"
    );
    assert_eq!(profile.threads[0].id, 7);
    // The same with a mark at the end instead of their number.
    let marked = [1, 0, 0, 3, 0x80, 1, 2, 0, 3, 4, 1, 1, 0, 6, 1, 0, 0, 0];
    assert_eq!(read(&one_method(4 + 8, &marked)).unwrap(), profile);
    let error = read(&one_method(4 + 8, &marked[..17])).unwrap_err();
    assert!(error.to_string().contains("ends too early"), "{error}");
}

#[test]
fn lines_are_read_and_files_of_version_1_know_none() {
    // Two methods; the second one's file is the first one's except for its last letters.
    let methods = b"\x00\x01\x02\x08\x00\x01A\x01m\x03()V\x00\x06p/A.ja\x02\x00\x14\x04\x03\
                    \x08\x01\x00\x01n\x03()V\x04\x02kt\x00\x00";
    let profile = read(&file(methods)).unwrap();
    let place = |i: usize| {
        let source = profile.methods[i].source.as_ref().unwrap();
        (source.file().to_owned(), source.lines().to_vec())
    };
    assert_eq!(place(0), ("p/A.ja".into(), vec![(0, 10), (5, 8)]));
    assert_eq!(place(1), ("p/A.kt".into(), vec![]));
    let error = read(&file_of(1, methods)).unwrap_err().to_string();
    assert!(error.contains("an unknown flag"), "{error}");
    let old = b"\x00\x01\x01\x04\x00\x01A\x01m\x03()V\x00";
    let old = read(&file_of(1, old)).unwrap();
    assert_eq!(
        old.methods,
        [MethodInfo::new("A", "m", "()V", false, false)]
    );
}

#[test]
fn origins_are_read_and_files_of_version_3_know_none() {
    let body = |n: u64| Body {
        deep: n << 40,
        own: n,
        shape: n + 1,
    };
    let scope = Arc::new(Scope {
        place: "p.A.main()V lambda".into(),
        methods: true,
        members: vec![body(1), Body::default(), body(3)],
    });
    let inner = Arc::new(Scope {
        place: "m()V class".into(),
        methods: false,
        members: Vec::new(),
    });
    let step = |scope: &Arc<Scope>, at: u32, body| Step {
        scope: scope.clone(),
        at,
        body,
    };
    let origins = [
        vec![step(&scope, 0, body(1))],
        vec![step(&scope, 1, body(9))],
        vec![step(&scope, 2, body(3)), step(&inner, 7, body(4))],
        Vec::new(),
    ];
    let method = |(i, steps): (usize, Vec<Step>)| {
        let mut method = MethodInfo::new("p.A", &format!("m{i}"), "()V", false, false);
        method.origin = (!steps.is_empty()).then(|| steps.into());
        method
    };
    let profile = Profile {
        methods: origins.into_iter().enumerate().map(method).collect(),
        ..Profile::default()
    };
    let mut bytes = written(&profile);
    assert_eq!(bytes[8], 4);
    assert_eq!(read(&bytes).unwrap(), profile);
    bytes[8] = 3;
    read(&bytes).unwrap_err();
    // as docs/profile-format.md has it: one method, from the second of two places of an unknown scope
    let head = b"\0\0\x01\x10\0\x01A\x01m\x03()V";
    let origin = b"\x01\0\x01s\x01\x02\0\x05\x06\x07\x01\0";
    let read_of = |origin: &[u8]| read(&file_of(4, &[&head[..], origin].concat()));
    let found = read_of(origin).unwrap().methods[0].origin.clone().unwrap();
    assert_eq!((&*found[0].scope.place, found[0].at), ("s", 1));
    assert_eq!((found[0].body.own, found[0].scope.members[0].deep), (6, 0));
    for (origin, message) in [
        (&b"\0\0"[..], "comes from nowhere"),
        (b"\x01\x01\0\0", "never described"),
        (b"\x01\0\x01s\x02\0\0\0\0", "unknown kind"),
        (b"\x01\0\x01s\x01\x01\0\x01\0", "fewer members"),
    ] {
        let error = read_of(origin).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn malformed_files_are_errors() {
    let huge = [0xFF; 9];
    let thread = |nodes: &[u8]| one_method(0, nodes);
    for (file, message) in [
        (file(b""), "the profile ends too early"),
        (file(b"\x08"), "an unknown flag"),
        (file(b"\x04\0\0\0\0"), "is empty"),
        (file(b"\x04\0\x02\x01A\x01B\x01C"), "ends too early"),
        (
            file(&[&[0, 0][..], &huge, &[2]].concat()),
            "more than 64 bits",
        ),
        (
            file(&[&[0, 0][..], &huge, &[1]].concat()),
            "more than 32 bits",
        ),
        // A billion methods, names of exabytes, shared beginnings of nothing.
        (file(b"\0\0\xFF\xFF\xFF\xFF\x0F"), "ends too early"),
        (
            file(b"\0\0\x01\0\0\xFF\xFF\xFF\xFF\xFF\x7F"),
            "a name is too long",
        ),
        (file(b"\0\0\x01\0\0\xF0\xFF\x05"), "ends too early"),
        (file(b"\0\0\x01\0\x01\x01A"), "shares more bytes than"),
        (file(b"\0\0\x01\0\0\x01\xFF"), "not UTF-8"),
        (
            file(b"\0\0\x01\x08\0\x01A\x01m\0\0\x01F\x01\0\x01"),
            "a line number is too large",
        ),
        (
            file(b"\0\0\x01\x08\0\x01A\x01m\0\0\x01F\x02\0\x02\0\0"),
            "a line occurs twice",
        ),
        (
            file(b"\0\0\x01\x08\0\x01A\x01m\0\0\x01F\x01\x80\x80\x04\0"),
            "index is too large",
        ),
        (
            file(b"\0\0\x01\x08\0\x01A\x01m\0\x01\x01F\0"),
            "shares more bytes than",
        ),
        (
            file(b"\0\0\x02\0\0\x01A\x01m\0\0\x01\0\x01m\0"),
            "methods are not in order",
        ),
        (file(b"\0\0\0\0\0"), "something follows"),
        (file(b"\0\0\0\x01\x10"), "an unknown flag"),
        (thread(&[1, 1, 0, 0, 1, 1]), "closed that was never opened"),
        (thread(&[1, 0, 1, 0, 1, 1]), "a method that does not exist"),
        (
            thread(&[2, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1]),
            "contexts are not in order",
        ),
        (
            thread(&[2, 0, 0, 4, 1, 1, 1, 0, 1, 1, 1]),
            "contexts are not in order",
        ),
        (
            thread(&[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 1, 1]),
            "ends too early",
        ),
        (
            one_method(4, &[1, 0, 0, 0, 1, 1, 1, 0, 0]),
            "was not executed",
        ),
        (
            one_method(4, &[1, 0, 0, 0, 1, 1, 1, 0x80, 0x80, 4, 1]),
            "index is too large",
        ),
        (
            one_method(4, &[1, 0, 0, 0, 1, 1, 2, 0xFF, 0xFF, 3, 1, 0, 1]),
            "index is too large",
        ),
    ] {
        let error = read(&file).unwrap_err().to_string();
        assert!(error.contains(message), "{message}: {error}");
    }
}

/// Damage that keeps the checksums right: no panic, and memory in proportion to the file.
#[test]
fn arbitrary_payloads_are_survived() {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    let mut payloads: Vec<Vec<u8>> = Vec::new();
    let mut profiles = vec![everything()];
    profiles.extend(expected(".sites.txt").into_iter().take(3).map(|p| p.1));
    for profile in &profiles {
        let bytes = written(profile);
        let mut payload = Vec::new();
        let mut at = 10;
        while at < bytes.len() {
            let length = usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
            payload.extend(&bytes[at + 6..at + 6 + length]);
            at += 6 + length;
        }
        assert_eq!(&read(&file(&payload)).unwrap(), profile);
        payloads.push(payload);
    }
    let (mut good, mut bad) = (0, 0);
    for _ in 0..3_000 {
        let mut payload = payloads[random(4)].clone();
        payload.truncate(1500);
        for _ in 0..1 + random(4) {
            let at = random(payload.len());
            match random(4) {
                0 => payload[at] = [0, 1, 0x7F, 0x80, 0xFF][random(5)],
                1 => payload[at] = random(256) as u8,
                2 => drop(payload.remove(at)),
                _ => payload.insert(at, random(256) as u8),
            }
        }
        match read(&file(&payload)) {
            Ok(profile) => {
                // What is read keeps what a profile promises.
                assert_eq!(read(&written(&profile)).unwrap(), profile);
                let _ = profile.view(&View::default()).unwrap().flat();
                good += 1;
            }
            Err(_) => bad += 1,
        }
    }
    assert!(good > 10 && bad > 1_000, "{good} good, {bad} bad");
}
