//! The form of the repository: what review would otherwise have to look for. Each rule names every
//! place that breaks it.

#[path = "../common/mod.rs"]
mod common;

mod cycles;
mod errors;
mod names;
mod package;
mod rooms;
mod steps;
mod tutorials;
mod words;

use common::root;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use rjvm_classfile::opcodes::OPCODES;

/// Lines a Rust file may have; a longer one has several purposes.
const LONGEST_FILE: usize = 600;

/// One `match` over all opcodes may be longer.
const DISPATCH: [&str; 2] = ["tests/reference/machine.rs", "vm/src/jdk/table.rs"];

struct File {
    path: String,
    text: String,
}

impl File {
    /// Places whose line satisfies `bad`.
    fn lines_where(&self, bad: impl Fn(&str) -> bool) -> Vec<String> {
        let numbered = self.text.lines().enumerate();
        numbered
            .filter(|(_, line)| bad(line))
            .map(|(i, line)| format!("{}:{}: {}", self.path, i + 1, line.trim()))
            .collect()
    }
}

/// The text files of the repository: everything but build outputs and the version control's own.
fn files() -> Vec<File> {
    let mut found = Vec::new();
    let mut dirs = vec![root().to_path_buf()];
    while let Some(dir) = dirs.pop() {
        for path in common::entries(&dir) {
            let name = path.file_name().unwrap_or_default();
            if name == "target" || name == ".git" {
                continue;
            }
            if path.is_dir() {
                dirs.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                let relative = path.strip_prefix(root()).expect("found under the root");
                found.push(File {
                    path: relative.to_string_lossy().replace('\\', "/"),
                    text,
                });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn rust_files() -> Vec<File> {
    let mut files = files();
    files.retain(|f| f.path.ends_with(".rs"));
    assert!(
        files.len() > 200,
        "only {} Rust files are found",
        files.len()
    );
    files
}

fn assert_none(rule: &str, places: Vec<String>) {
    assert!(places.is_empty(), "{rule}:\n{}", places.join("\n"));
}

#[test]
fn every_file_says_what_it_is_for() {
    let bad = rust_files()
        .into_iter()
        .filter(|f| !f.text.starts_with("//! "));
    assert_none(
        "files that don't open with `//!`",
        bad.map(|f| f.path).collect(),
    );
}

#[test]
fn files_have_one_purpose_each() {
    let long = rust_files()
        .into_iter()
        .filter(|f| f.text.lines().count() > LONGEST_FILE)
        .filter(|f| !DISPATCH.contains(&f.path.as_str()));
    assert_none("files that are too long", long.map(|f| f.path).collect());
}

#[test]
fn unsafe_blocks_say_why_they_may() {
    let mut bad = Vec::new();
    for file in rust_files() {
        let lines: Vec<&str> = file.text.lines().collect();
        for (i, line) in lines.iter().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            let opens =
                code.contains(concat!("unsafe", " {")) || code.contains(concat!("unsafe", " impl"));
            let near = &lines[i.saturating_sub(5)..=i];
            if opens
                && !near
                    .iter()
                    .any(|l| l.contains("SAFETY") || l.contains("# Safety"))
            {
                bad.push(format!("{}:{}", file.path, i + 1));
            }
        }
    }
    assert_none("unsafe without a SAFETY note in the five lines above", bad);
}

/// If `autotests` is off, tests that no program names do not run.
#[test]
fn every_file_of_tests_is_part_of_a_program() {
    let mut bad = Vec::new();
    for (package, room) in [
        ("crates/cli", ""),
        ("profiler", "profiler"),
        ("crates/probes", "crates/probes"),
    ] {
        let manifest = std::fs::read_to_string(root().join(package).join("Cargo.toml"));
        let manifest = manifest.expect("a package has a manifest");
        let room = root().join(room);
        let text = |path: &str| std::fs::read_to_string(room.join(path)).unwrap_or_default();
        let mut parts = BTreeSet::new();
        for rest in manifest.split("[[test]]\nname = ").skip(1) {
            let program = rest.split('"').nth(1).expect("a name").to_string();
            let folder = room.join("tests").join(&program);
            let lines =
                text(&format!("tests/{program}.rs")) + &text(&format!("tests/{program}/main.rs"));
            let modules = lines.lines().filter_map(|l| l.strip_prefix("mod "));
            let modules = modules.map(|l| l.trim_end_matches(';'));
            for module in modules {
                parts.extend(
                    [room.join("tests"), folder.clone()]
                        .map(|at| at.join(module).with_extension("rs")),
                );
            }
            parts.extend([folder.with_extension("rs"), folder.join("main.rs")]);
        }
        let mut files = common::files_with_extension(&room.join("tests"), "rs");
        for folder in common::entries(&room.join("tests")) {
            if folder.join("main.rs").exists() {
                files.extend(common::files_with_extension(&folder, "rs"));
            }
        }
        files.retain(|file| !parts.contains(file));
        bad.extend(files.iter().map(|file| file.display().to_string()));
    }
    assert_none("tests that nothing runs", bad);
}

#[test]
fn nothing_is_left_for_later() {
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("HA", "CK"),
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
        concat!("#[ig", "nore"),
    ];
    let bad = |line: &str| words.iter().any(|w| line.contains(w));
    let places = rust_files().into_iter().flat_map(|f| f.lines_where(bad));
    assert_none(
        "unfinished places, or tests that don't run",
        places.collect(),
    );
}

#[test]
fn allowed_lints_have_a_reason() {
    let mut bad = Vec::new();
    for file in rust_files() {
        for (at, _) in file.text.match_indices("[allow(") {
            let end = file.text[at..]
                .find(")]")
                .map_or(file.text.len(), |e| at + e);
            if file.text[..at].ends_with(['#', '!']) && !file.text[at..end].contains("reason =") {
                let line = file.text[..at].lines().count();
                bad.push(format!("{}:{line}", file.path));
            }
        }
    }
    assert_none("`allow` without `reason`", bad);
}

#[test]
fn no_file_names_a_place_on_somebodys_machine() {
    let homes =
        ["/ro#ot/", "/wo#rk/", "/fa#rm/", "/ho#me/", "/Us#ers/"].map(|h| h.replace('#', ""));
    let bad = |line: &str| {
        homes.iter().any(|home| {
            // a path of its own, not the middle of a longer one
            line.match_indices(home.as_str()).any(|(at, _)| {
                let before = line[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || "_-.}>".contains(c))
            })
        })
    };
    let texts = files();
    let of_ours = texts.iter().filter(|f| !f.path.starts_with("tests/java/"));
    assert_none(
        "absolute paths",
        of_ours.flat_map(|f| f.lines_where(bad)).collect(),
    );
}

#[test]
fn the_virtual_machine_has_no_state_outside_a_vm() {
    let shared = [
        "Mutex<",
        "RwLock<",
        "Atomic",
        "OnceLock<",
        "LazyLock<",
        "Cell<",
    ];
    let bad = |line: &str| {
        let line = line.trim_start();
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.starts_with("thread_local!")
            || line.starts_with("static mut ")
            || line.starts_with("static ") && shared.iter().any(|s| line.contains(s))
    };
    let files = rust_files();
    let places = files.iter().filter(|f| {
        let library = ["classfile/", "profiler/", "vm/", "jdk-stubs/", "crates/"];
        // what happens on signals belongs to the process whatever we do, and so does what it was started with,
        // and the hook that alone is told where a panic was; the embedding tells the VMs of a process apart, and an OS
        // thread has the closures that began on it, and the native method or function that runs on it, or the thread of C code it is;
        // the tables of JNI's functions are constants, and the dynamic linker and the JDK's libraries know one process
        let rooms = [
            "jdk-stubs/src/os/signals.rs",
            "jdk-stubs/src/os/open.rs",
            "vm/src/offheap/guard.rs",
            "vm/src/fault.rs",
            "crates/rjvm/src/state.rs",
            "crates/rjvm/src/host.rs",
            "jdk-stubs/src/foreign/calls.rs",
            "jdk-stubs/src/jni/fibers.rs",
            "jdk-stubs/src/jni/attach.rs",
            "jdk-stubs/src/jni/ends.rs",
            "jdk-stubs/src/jni/functions/mod.rs",
            "jdk-stubs/src/jni/libjvm/mod.rs",
        ];
        !rooms.contains(&f.path.as_str())
            && library.iter().any(|l| f.path.starts_with(l))
            && !f.path.contains("/tests/")
    });
    assert_none(
        "mutable state of the process",
        places.flat_map(|f| f.lines_where(bad)).collect(),
    );
}

#[test]
fn opcodes_are_named_in_one_table() {
    let constants: BTreeSet<String> = OPCODES.iter().map(|o| o.mnemonic.to_uppercase()).collect();
    assert!(constants.len() > 200);
    let mut bad = Vec::new();
    for file in rust_files() {
        if file.path.starts_with("classfile/src/opcodes/") {
            continue;
        }
        // a constant of its own, or a quoted mnemonic that is no ordinary word
        bad.extend(file.lines_where(|line| {
            let declared = line.trim_start().strip_prefix("pub ").unwrap_or(line);
            declared
                .trim_start()
                .strip_prefix("const ")
                .and_then(|rest| rest.split_once(": u8"))
                .is_some_and(|(name, _)| constants.contains(name))
        }));
        let product = file.path.contains("src/") && !file.path.contains("tests");
        if product {
            bad.extend(file.lines_where(|line| {
                OPCODES.iter().any(|o| {
                    let ordinary = !o.mnemonic.contains('_') && o.mnemonic.len() < 9;
                    !ordinary && line.contains(&format!("\"{}\"", o.mnemonic))
                })
            }));
        }
    }
    assert_none("opcodes named outside the table", bad);
}

#[test]
fn crates_depend_in_one_direction() {
    const LIBRARY: &[&str] = &[
        "classfile",
        "profiler",
        "vm",
        "jdk-stubs",
        "hosts",
        "probes",
    ];
    const OF_EMBEDDERS: &[&str] = &[
        "classfile",
        "profiler",
        "vm",
        "jdk-stubs",
        "hosts",
        "probes",
        "run",
    ];
    const OF_PROGRAM: &[&str] = &[
        "classfile",
        "profiler",
        "vm",
        "jdk-stubs",
        "hosts",
        "probes",
        "run",
        "explore",
        "explorer",
        "heapdump",
        "jfr",
        "costs",
        "pages",
        "why",
        "debug",
    ];
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("classfile", &[][..]),
        ("profiler", &["jfr", "pages"][..]),
        ("vm", &["classfile", "profiler", "ops"][..]),
        ("jdk-stubs", &["classfile", "jfr", "vm"][..]),
        ("crates/hosts", &["vm", "jdk-stubs"][..]),
        ("crates/explore", &["ops", "pages"][..]),
        (
            "crates/explorer",
            &["explore", "hosts", "jdk-stubs", "run", "vm"][..],
        ),
        ("crates/heapdump", &[][..]),
        ("crates/probes", &["profiler"][..]),
        ("crates/jfr", &[][..]),
        ("crates/ops", &[][..]),
        ("crates/pages", &[][..]),
        ("crates/costs", &["classfile", "profiler"][..]),
        ("crates/why", &["pages"][..]),
        ("crates/debug", &["classfile", "vm"][..]),
        ("crates/run", LIBRARY),
        ("crates/rjvm", OF_EMBEDDERS),
        ("crates/cli", OF_PROGRAM),
        ("crates/libjvm", &["cli", "jdk-stubs"][..]),
    ]);
    for (name, may) in &allowed {
        let manifest = std::fs::read_to_string(root().join(name).join("Cargo.toml"))
            .expect("every crate has a manifest");
        let (_, rest) = manifest
            .split_once("[dependencies]")
            .expect("a manifest has dependencies");
        let own = rest.split("\n[").next().unwrap_or("");
        for line in own.lines() {
            if let Some(other) = line.strip_prefix("rjvm-") {
                let other = other.split(['.', ' ']).next().unwrap_or("");
                assert!(may.contains(&other), "{name} depends on {other}");
            }
        }
        assert!(
            manifest.contains("[lints]\nworkspace = true"),
            "{name} takes the workspace's lints"
        );
    }
}

#[test]
fn natives_do_not_name_the_vm() {
    // what they are given of it is an `Env`: who has a `Vm` can run it
    let names_it = |line: &str| {
        let code = line.split("//").next().unwrap_or("");
        let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word == "Vm")
    };
    let mut files = rust_files();
    files.retain(|f| {
        let tables = f.path.starts_with("crates/") && f.text.contains("\nnatives! {");
        tables || f.path.starts_with("jdk-stubs/src/")
    });
    assert!(files.iter().any(|f| f.path.starts_with("crates/")));
    assert_none(
        "natives that name the VM",
        files.iter().flat_map(|f| f.lines_where(names_it)).collect(),
    );
}

#[test]
fn parts_of_the_program_do_not_know_its_launcher() {
    let launcher = ["launcher", "tools"].map(|m| format!("crate::{m}"));
    let files = rust_files();
    let parts = files.iter().filter(|f| {
        let Some(path) = f.path.strip_prefix("crates/cli/src/") else {
            return false;
        };
        !["launcher/", "tools/", "main.rs"]
            .iter()
            .any(|p| path.starts_with(p))
    });
    let places = parts.flat_map(|f| f.lines_where(|l| launcher.iter().any(|p| l.contains(p))));
    assert_none("uses of the launcher or the tools", places.collect());
}

/// What the launcher's help says about profiles: rjvm's own options, and the formats.
fn help_on_profiles() -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_rjvm"))
        .arg("--help-all")
        .output()
        .expect("rjvm starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let begin = text.find(" Profiles and determinism:");
    let end = text.find(" Options that java has too:");
    let (begin, end) = begin.zip(end).expect("the help has its sections");
    text[begin..end].trim_end().to_string()
}

#[test]
fn the_documents_quote_the_help() {
    let path = root().join("docs/options.md");
    let readme = std::fs::read_to_string(&path).expect("there is a page of options");
    let (before, rest) = readme.split_once("<!-- help -->\n").expect("a mark");
    let (_, after) = rest
        .split_once("<!-- end of help -->")
        .expect("an end for it");
    let help = help_on_profiles();
    let wanted = format!("{before}<!-- help -->\n```\n{help}\n```\n<!-- end of help -->{after}");
    if common::switch("BLESS") {
        std::fs::write(&path, &wanted).expect("the README is writable");
    } else {
        assert!(
            readme == wanted,
            "docs/options.md quotes another help: BLESS=1 cargo test --test tidy"
        );
    }
}

#[test]
fn fields_of_the_jdk_are_named_in_one_table() {
    // what a look-up by name and descriptor would be given: "name:descriptor"
    let key = |text: &str| {
        let Some((name, desc)) = text.split_once(':') else {
            return false;
        };
        let named = !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || "_$".contains(c));
        let base = desc.trim_start_matches('[');
        let reference = base.strip_prefix('L').and_then(|b| b.strip_suffix(';'));
        let primitive = base.len() == 1 && "ZBCSIJFD".contains(base);
        named && (primitive || reference.is_some_and(|name| !name.is_empty()))
    };
    assert!(key(concat!("value", ":[B")) && key(concat!("this$0", ":Ljava/net/Inet6Address;")));
    assert!(!key("field:") && !key("a: I") && !key("x:IJ"));
    let files = rust_files();
    let places = files
        .iter()
        .flat_map(|f| f.lines_where(|line| line.split('"').skip(1).step_by(2).any(key)));
    assert_none(
        "keys of fields outside vm/src/jdk/table.rs",
        places.collect(),
    );
}
