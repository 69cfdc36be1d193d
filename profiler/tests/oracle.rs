//! Profiles of real programs, measured with another JVM: `data/NAME.paths` is the application part
//! of a program, `data/NAME.sites.paths` the same with call sites and native methods.

use rjvm_profiler::export::Settings;
use rjvm_profiler::export::paths;
use rjvm_profiler::{Profile, Threads, View};
use std::path::{Path, PathBuf};

fn data() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

fn read(path: &Path) -> (String, Profile) {
    let text = std::fs::read_to_string(path).unwrap();
    let profile = paths::read(&mut text.as_bytes())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (text, profile)
}

fn written(profile: &Profile) -> String {
    let mut out = Vec::new();
    paths::write(profile, &Settings::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn reading_and_writing_gives_the_same_bytes() {
    for path in data() {
        let (text, profile) = read(&path);
        assert_eq!(written(&profile), text, "{}", path.display());
        let same = profile.view(&View::default()).unwrap();
        assert_eq!(written(&same), text, "{}", path.display());
    }
}

#[test]
fn lines_may_come_in_any_order() {
    for path in data() {
        let (text, _) = read(&path);
        let reversed: Vec<&str> = text.lines().rev().collect();
        let profile = paths::read(&mut reversed.join("\n").as_bytes()).unwrap();
        assert_eq!(written(&profile), text, "{}", path.display());
    }
}

#[test]
fn without_call_sites_and_natives_the_plain_profile_is_left() {
    let mut compared = 0;
    for path in data() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some(name) = name.strip_suffix(".sites.paths") else {
            continue;
        };
        let (_, sites) = read(&path);
        let (text, plain) = read(&path.with_file_name(format!("{name}.paths")));
        let view = View {
            natives: false,
            call_sites: false,
            ..View::default()
        };
        let projected = sites.view(&view).unwrap();
        assert_eq!(written(&projected), text, "{name}");
        let app = sites
            .view(&View {
                part: rjvm_profiler::Part::ApplicationOnly,
                ..view
            })
            .unwrap();
        assert_eq!(written(&app), text, "{name}");
        assert_eq!(plain.totals(), projected.totals(), "{name}");
        let (a, b) = (plain.flat(), projected.flat());
        let shown = |profile: &Profile, flat: &[rjvm_profiler::MethodTotals]| -> Vec<_> {
            flat.iter()
                .map(|t| {
                    let label = profile.methods[t.method as usize].label();
                    (label, t.calls, t.bytecodes, t.inclusive, t.contexts)
                })
                .collect()
        };
        assert_eq!(shown(&plain, &a), shown(&projected, &b), "{name}");
        compared += 1;
    }
    assert_eq!(compared, 27);
}

#[test]
fn totals_are_those_the_documentation_of_the_data_states() {
    for (name, invocations, bytecodes) in [
        ("JpFoo", 78, 624),
        ("Demo", 9, 128),
        ("Loops", 341, 12286),
        ("Threads", 675, 9506),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{name}.paths"));
        let (_, profile) = read(&path);
        let totals = profile.totals();
        assert_eq!(
            (totals.invocations, totals.bytecodes),
            (invocations, bytecodes),
            "{name}"
        );
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/Recursion.paths");
    let (_, profile) = read(&path);
    let main = profile.method("Recursion.main").unwrap();
    assert_eq!(main.inclusive, profile.totals().bytecodes);
    let recursive: u64 = profile.flat().iter().map(|t| t.bytecodes).sum();
    assert_eq!(recursive, 3041);
    for t in profile.flat() {
        assert!(t.inclusive <= 3041, "recursion counts once");
    }
}

#[test]
fn threads_by_name_are_roots_of_their_own() {
    let text =
        "[a b]\t0\t0\n[a b];A.m()V\t1\t2\n[a]\t0\t0\n[a];A.m()V\t1\t5\n[a];A.m()V;A.n()I\t2\t7\n";
    let profile = paths::read(&mut text.as_bytes()).unwrap();
    assert_eq!(written(&profile), text);
    let by_name = View {
        threads: Threads::ByName,
        ..View::default()
    };
    assert_eq!(written(&profile.view(&by_name).unwrap()), text);
    let merged = profile.view(&View::default()).unwrap();
    assert_eq!(written(&merged), "A.m()V\t2\t7\nA.m()V;A.n()I\t2\t7\n");
    assert_eq!(merged.totals().threads, 2);
}

#[test]
fn malformed_lines_are_errors_with_their_number() {
    for (line, message) in [
        ("A.m()V", "line 2: no column of calls"),
        ("A.m()V\t1", "line 2: no column of bytecodes"),
        ("A.m()V\t1\t-1", "line 2: '-1' is not a number of bytecodes"),
        ("A.m()V\t*\t1", "line 2: '*' is not a number of calls"),
        ("\t1\t1", "line 2: no path"),
        ("", "line 2: no column of calls"),
        (
            "A.m()\t1\t1",
            "line 2: no Class.name(desc)return at 'A.m()'",
        ),
        ("A.m()V;\t1\t1", "line 2: the path ends with ';'"),
        ("A.m()VA.m()V\t1\t1", "line 2: no ';' at 'A.m()V'"),
        (
            "@1:A.m()V\t1\t1",
            "line 2: some elements have call sites, others have none",
        ),
        (
            "A.m()V;@x:A.m()V\t1\t1",
            "line 2: no call site at '@x:A.m()V'",
        ),
        (
            "A.m()V;@-2:A.m()V\t1\t1",
            "line 2: no call site at '@-2:A.m()V'",
        ),
        ("[a\t1\t1", "line 2: no Class.name(desc)return at '[a'"),
    ] {
        let text = format!("A.a()V\t1\t1\n{line}\nA.z()V\t1\t1\n");
        let error = paths::read(&mut text.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), message, "{line}");
    }
    let error = paths::read(&mut &b"A.a()V\t1\t1\n\xff\t1\t1\n"[..]).unwrap_err();
    assert!(error.to_string().contains("UTF-8"), "{error}");
}
