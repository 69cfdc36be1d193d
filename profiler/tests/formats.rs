//! Each exporter's file of a small profile, compared with `golden/small.EXTENSION`; `BLESS=1` writes
//! these again. What the readers of the formats make of such files is checked as far as they are
//! installed.

use crate::protobuf::{PROFILE, decode, varint};
use rjvm_profiler::cct::{Arena, NO_SITE, Visit, Walk};
use rjvm_profiler::export::{CallGraph, Settings, by_extension, callgrind, paths, pprof, xml};
use rjvm_profiler::{Builder, Extra, Filter, Kind, MethodInfo, Profile, Threads, View};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn read(path: &str) -> Profile {
    let text = std::fs::read_to_string(tests().join(path)).unwrap();
    paths::read(&mut text.as_bytes()).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Two threads, call sites that call several methods, recursion, names that need escapes.
fn small() -> Profile {
    read("golden/small.paths")
}

/// A method that allocates and whose bytecodes are counted; an exception left its second block.
/// It calls another method from the instruction at index 4.
fn columns() -> Profile {
    let mut arena = Arena::new();
    // SAFETY: the nodes are of this arena.
    let root = unsafe {
        let root = arena
            .new_node(ptr::null_mut(), 0, NO_SITE, 0)
            .expect("memory");
        (*root).invocations = 1;
        (*root).inclusive = 16 + 3;
        let callee = arena.new_node(root, 1, 4, 0).expect("memory");
        (*callee).invocations = 3;
        (*callee).inclusive = 3;
        root
    };
    let resolve = |id| match id {
        0 => MethodInfo::new("A.C", "f", "()V", false, false)
            .with_source("C.java", &[(0, 7), (4, 8), (8, 7), (13, 9)]),
        _ => MethodInfo::new("B", "<init>", "()V", false, false).with_source("B.java", &[(0, 3)]),
    };
    let mut builder =
        Builder::new(Kind::Exact, true, resolve).with_extra(|visit: &Visit, extra: &mut Extra| {
            match visit.method {
                0 => {
                    (extra.objects, extra.bytes) = (3, 72);
                    let counts = [(0, 1), (1, 4), (4, 3), (7, 3), (8, 3), (10, 2)];
                    extra.counts.extend(counts);
                }
                _ => extra.counts.push((0, 3)),
            }
        });
    // SAFETY: the root is of the arena, which nobody changes meanwhile.
    builder.thread("main", 1, [unsafe { Walk::new(root) }]);
    builder.finish().unwrap().view(&View::default()).unwrap()
}

fn merged() -> Profile {
    small().view(&View::default()).unwrap()
}

fn written(profile: &Profile, extension: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let format = by_extension(extension).unwrap();
    (format.write)(profile, &Settings::default(), &mut out).unwrap();
    out
}

fn assert_golden(name: &str, found: &[u8]) {
    let path = tests().join("golden").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    let golden = std::fs::read(&path).unwrap_or_default();
    assert!(
        golden == found,
        "{name} differs; BLESS=1 writes it anew. Found:\n{}",
        String::from_utf8_lossy(found)
    );
}

/// A program's output; none if it is not installed.
fn run(program: &str, args: &[&str]) -> Option<String> {
    crate::readers::output(Command::new(program).args(args))
}

/// A file in the tests' own directory.
fn temporary(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn text_formats() {
    for extension in ["json", "xml", "dcg.xml", "speedscope.json", "callgrind"] {
        assert_golden(&format!("small.{extension}"), &written(&small(), extension));
    }
    let folded = Filter {
        exclude: vec!["B".parse().unwrap()],
        ..Filter::default()
    };
    let folded = columns().filter(&folded).unwrap();
    for extension in ["json", "callgrind"] {
        assert_golden(&format!("folded.{extension}"), &written(&folded, extension));
    }
}

#[test]
fn merged_threads_without_call_sites() {
    let view = View {
        call_sites: false,
        ..View::default()
    };
    let profile = small().view(&view).unwrap();
    for extension in ["json", "xml", "dcg.xml", "speedscope.json", "callgrind"] {
        assert_golden(
            &format!("merged.{extension}"),
            &written(&profile, extension),
        );
    }
}

#[test]
fn allocations_and_counts_are_written_where_they_fit() {
    let profile = columns();
    for extension in ["json", "xml", "dcg.xml", "callgrind"] {
        assert_golden(
            &format!("columns.{extension}"),
            &written(&profile, extension),
        );
    }
    let mut plain = Vec::new();
    pprof::write_plain(&profile, &mut plain).unwrap();
    let mut text = String::new();
    decode(&plain, PROFILE, 0, &mut text);
    assert_golden("columns.pprof.txt", text.as_bytes());
}

#[test]
fn texts_show_what_was_allocated() {
    for format in ["txt", "flat"] {
        let name = format!("columns.{format}");
        assert_golden(&name, &written(&columns(), format));
    }
}

#[test]
fn texts_report_lines_if_they_are_wanted() {
    let settings = Settings {
        lines: true,
        ..Settings::default()
    };
    let mut all = Vec::new();
    for extension in ["txt", "flat", "folded", "paths", "xml", "dcg.xml"] {
        let format = by_extension(extension).unwrap();
        (format.write)(&columns(), &settings, &mut all).unwrap();
        all.push(b'\n');
    }
    assert_golden("columns.lines.txt", &all);
    // What is more than paths is passed over.
    let mut text = Vec::new();
    paths::write(&columns(), &settings, &mut text).unwrap();
    let without = paths::read(&mut &written(&columns(), "paths")[..]).unwrap();
    assert_eq!(paths::read(&mut &text[..]).unwrap(), without);
}

#[test]
fn positions_of_jp2_need_the_code() {
    let f = xml::Code {
        instructions: vec![0, 1, 4, 7, 8, 10, 13, 14],
        blocks: vec![0, 1, 4, 13],
    };
    let init = xml::Code {
        instructions: vec![0],
        blocks: vec![0],
    };
    let settings = Settings {
        code: &[Some(f), Some(init)],
        ..Settings::default()
    };
    let mut out = Vec::new();
    xml::write(&columns(), &settings, &mut out).unwrap();
    assert_golden("positions.xml", &out);
}

#[test]
fn pprof_is_a_protocol_buffer() {
    let mut plain = Vec::new();
    pprof::write_plain(&small(), &mut plain).unwrap();
    let mut text = String::new();
    decode(&plain, PROFILE, 0, &mut text);
    assert_golden("small.pprof.txt", text.as_bytes());
    for extension in ["pb.gz", "pprof"] {
        let packed = written(&small(), extension);
        assert_eq!(packed[..4], [0x1f, 0x8b, 8, 0], "gzip, without a name");
        assert_eq!(packed[4..8], [0; 4], "no time");
        let mut unpacked = Vec::new();
        let mut reader = flate2::read::GzDecoder::new(&packed[..]);
        std::io::Read::read_to_end(&mut reader, &mut unpacked).unwrap();
        assert!(unpacked == plain);
    }
}

/// What the page's script reads, as text.
fn unpacked_page(profile: &Profile) -> String {
    let page = String::from_utf8(written(profile, "html")).unwrap();
    let (_, after) = page.split_once("id=\"data\">").unwrap();
    let (base64, after) = after.split_once('<').unwrap();
    assert!(after.starts_with("/script>"));
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => panic!("{c} is no digit"),
    };
    let mut packed = Vec::new();
    for group in base64.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = group
            .iter()
            .fold(0u32, |n, &c| n << 6 | u32::from(digit(c)));
        let bits = bits << (6 * (4 - group.len()));
        packed.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    let mut bytes = Vec::new();
    let mut reader = flate2::read::GzDecoder::new(&packed[..]);
    std::io::Read::read_to_end(&mut reader, &mut bytes).unwrap();
    let mut rest = &bytes[..];
    let length = varint(&mut rest) as usize;
    let (json, mut rest) = rest.split_at(length);
    let mut text = String::from_utf8(json.to_vec()).unwrap();
    text.push('\n');
    while !rest.is_empty() {
        text.push_str(&format!("{} ", varint(&mut rest)));
    }
    text.push('\n');
    text
}

#[test]
fn pages_hold_the_profile() {
    assert_golden("small.html.txt", unpacked_page(&small()).as_bytes());
    assert_golden("columns.html.txt", unpacked_page(&columns()).as_bytes());
    let mut profile = small();
    profile.about.push(("Program".into(), "a \"b\"".into()));
    assert!(unpacked_page(&profile).contains(r#""run":[["Program","a \"b\""]],"#));
}

#[test]
fn a_browser_shows_the_page() {
    // somebody searches, and goes to the first hit
    let user = "<script>setTimeout(() => {
        const search = document.getElementById('search');
        search.value = 'b.<';
        search.dispatchEvent(new Event('input', { bubbles: true }));
        setTimeout(() => document.getElementById('next').click(), 500);
    }, 1000)</script>";
    let page = [&written(&columns(), "html"), user.as_bytes()].concat();
    let file = temporary("report.html", &page);
    let scratch = temporary("chromium.txt", b"").with_extension("profile");
    let Some(page) = crate::readers::browsed(&file, "", &scratch) else {
        return;
    };
    assert!(
        page.contains("exact · 19 bytecodes · 4 calls · 2 contexts · 1 thread"),
        "{page}"
    );
    assert!(page.contains(">15.79 %, 1 of 1</output>"), "{page}");
    assert!(page.contains("<b>B.&lt;init&gt;()</b>"), "{page}");
    assert!(
        page.contains("call site line 8, bytecode 4 of the caller"),
        "{page}"
    );
    let rows = page.matches("class=\"row").count();
    assert_eq!(rows, 1, "a row for each method that is found");
}

/// The sums of a callgrind file's functions: self cost, and the cost of calls from and to it, without calls to itself.
#[derive(Default)]
struct Costs {
    own: u64,
    out: u64,
    into: u64,
    calls: u64,
}

fn callgrind_costs(text: &str) -> BTreeMap<String, Costs> {
    let mut names = BTreeMap::new();
    let mut costs: BTreeMap<String, Costs> = BTreeMap::new();
    let mut name = |text: &str| {
        let (number, name) = text.split_once(')').unwrap();
        if !name.is_empty() {
            names.insert(number.to_owned(), name.trim().to_owned());
        }
        names[number].clone()
    };
    let (mut caller, mut callee, mut calls) = (String::new(), String::new(), None);
    for line in text.lines() {
        if let Some(text) = line.strip_prefix("fn=") {
            caller = name(text);
        } else if let Some(text) = line.strip_prefix("cfn=") {
            callee = name(text);
        } else if let Some(text) = line.strip_prefix("calls=") {
            calls = Some(text.split(' ').next().unwrap().parse::<u64>().unwrap());
        } else if let Some(cost) = line.strip_prefix("0 ") {
            let cost: u64 = cost.parse().unwrap();
            match calls.take() {
                None => costs.entry(caller.clone()).or_default().own += cost,
                Some(calls) => {
                    costs.entry(callee.clone()).or_default().calls += calls;
                    if caller != callee {
                        costs.entry(caller.clone()).or_default().out += cost;
                        costs.entry(callee.clone()).or_default().into += cost;
                    }
                }
            }
        }
    }
    costs
}

#[test]
fn callgrind_costs_add_up_in_spite_of_recursion() {
    let mut compared = 0;
    for entry in std::fs::read_dir(tests().join("data")).unwrap() {
        let name = entry.unwrap().file_name();
        let profile = read(&format!("data/{}", name.to_str().unwrap()));
        let mut out = Vec::new();
        callgrind::write(&CallGraph::of(&profile), &mut out).unwrap();
        let costs = callgrind_costs(std::str::from_utf8(&out).unwrap());
        for totals in profile.flat() {
            let method = &profile.methods[totals.method as usize];
            let names = rjvm_profiler::readable_names(&profile.methods);
            let name = names[totals.method as usize].replacen(
                &format!("{}.", method.class),
                &format!("{}::", method.class),
                1,
            );
            let found = &costs[&name];
            assert_eq!(found.own, totals.bytecodes, "{name}");
            assert_eq!(found.own + found.out, totals.inclusive, "{name}");
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn callgrind_annotate_reads_it() {
    let file = temporary("callgrind.out.small", &written(&small(), "callgrind"));
    let file = file.to_str().unwrap();
    let output = Command::new("callgrind_annotate").arg(file).output();
    if let Ok(output) = output {
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!errors.contains("WARNING"), "{errors}");
    }
    let common = ["--threshold=100", "--show-percs=no", "--tree=both"];
    let Some(text) = run("callgrind_annotate", &[&common[..], &[file]].concat()) else {
        return;
    };
    assert!(text.contains("Events recorded:  Bytecodes"), "{text}");
    assert!(text.contains("103  PROGRAM TOTALS"), "{text}");
    let text = run(
        "callgrind_annotate",
        &["--inclusive=yes", "--threshold=100", file],
    )
    .unwrap();
    let cost = |method: &str| {
        let line = text.lines().find(|l| l.contains(method));
        let line = line.unwrap_or_else(|| panic!("{method}: {text}"));
        line.split_whitespace().next().unwrap().to_owned()
    };
    assert_eq!(cost("app.Main::main("), "68");
    assert_eq!(cost("app.Main::fib("), "32");
    assert_eq!(cost("[main]"), "68");
    assert_eq!(cost("java.lang.Thread::run()"), "35");
}

#[test]
fn xml_is_well_formed() {
    let deep: String = (1..200)
        .map(|depth| format!("{}\t1\t1\n", vec!["A.f<&\">()V"; depth].join(";")))
        .collect();
    let deep = paths::read(&mut deep.as_bytes()).unwrap();
    for (name, profile) in [("small", small()), ("merged", merged()), ("deep", deep)] {
        for extension in ["xml", "dcg.xml"] {
            let bytes = written(&profile, extension);
            assert_well_formed(std::str::from_utf8(&bytes).unwrap());
            let file = temporary(&format!("{name}.{extension}"), &bytes);
            run("xmllint", &["--noout", "--huge", file.to_str().unwrap()]);
        }
    }
}

/// Tags match, attributes are quoted, nothing is left unescaped.
fn assert_well_formed(text: &str) {
    let body = text
        .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        .expect("a declaration");
    let mut open: Vec<&str> = Vec::new();
    let mut parts = body.split('<');
    assert_eq!(parts.next(), Some(""));
    for part in parts {
        let (tag, text) = part.split_once('>').expect("a tag ends");
        assert!(!text.contains('>'), "{part}");
        let entities = ["amp;", "lt;", "gt;", "quot;"];
        for after in part.split('&').skip(1) {
            assert!(entities.iter().any(|e| after.starts_with(e)), "{part}");
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else {
            let name = tag.split(' ').next().unwrap();
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            open.push(name);
        }
        assert_eq!(
            open.is_empty(),
            text == "\n" && part.starts_with("/") && open.is_empty()
        );
    }
    assert!(open.is_empty());
}

#[test]
fn stacks_of_pprof_are_cut_but_nothing_is_lost() {
    let mut text = String::new();
    let mut path = String::from("A.f()V");
    for _ in 0..pprof::DEEPEST + 10 {
        text.push_str(&format!("{path}\t1\t2\n"));
        path.push_str(";A.f()V");
    }
    let profile = paths::read(&mut text.as_bytes()).unwrap();
    let mut plain = Vec::new();
    pprof::write_plain(&profile, &mut plain).unwrap();
    let mut text = String::new();
    decode(&plain, PROFILE, 0, &mut text);
    let mut sums = [0, 0];
    for line in text.lines() {
        if let Some(values) = line.strip_prefix("  value: ") {
            for (sum, value) in sums.iter_mut().zip(values.split(' ')) {
                *sum += value.parse::<u64>().unwrap();
            }
        }
    }
    let frames = pprof::DEEPEST as u64 + 10;
    assert_eq!(sums, [2 * frames, frames]);
    assert!(text.contains("comment: "));
    assert_eq!(text.matches("sample {").count(), pprof::DEEPEST);
}

#[test]
fn bytecodes_without_context_are_written_too() {
    let mut profile = small()
        .view(&View {
            threads: Threads::ByName,
            ..View::default()
        })
        .unwrap();
    profile.kind = Kind::Samples;
    profile.threads[0].remainder = 1000;
    let text = |extension| String::from_utf8(written(&profile, extension)).unwrap();
    assert!(text("json").contains("\"remainder\":1000"));
    assert!(text("speedscope.json").contains("\"endValue\":1035"));
    assert!(text("callgrind").contains("[Worker \"1\"]\n0 1000\n"));
    assert!(text("callgrind").contains("summary: 1103\n"));
}
