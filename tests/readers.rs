//! A program with three bugs, read by each reader of profiles: the right files, lines, names and sums.
//! Readers that are not installed are named.

mod common;
#[path = "../profiler/tests/readers/mod.rs"]
mod programs;

use common::{jdk, run, tests_dir};
use rjvm::profiler::export::by_line;
use rjvm::profiler::{Profile, readable_names};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

fn examples() -> PathBuf {
    tests_dir().join("../examples")
}

fn classes() -> PathBuf {
    let source = examples().join("ThreeBugs.java");
    jdk::compile("examples/ThreeBugs", &[source], &[], Path::new("none"))
}

/// Formats that have a place for files and lines, and those that tell them on request.
const FORMATS: [&str; 12] = [
    "rjp",
    "html",
    "json",
    "pb.gz",
    "pprof",
    "speedscope.json",
    "callgrind",
    "txt",
    "flat",
    "folded",
    "paths",
    "xml",
];

/// The folder with the program's profiles `exact.*`, `callsites.*` and `blocks.*`.
fn profiles() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let mut folder = PathBuf::new();
        for mode in ["blocks", "callsites", "exact"] {
            let run = run::Run::new(&run::vm(), &format!("readers-{mode}"));
            let here = run.dir();
            let outputs = FORMATS
                .iter()
                .flat_map(|f| ["-o".to_owned(), format!("{mode}.{f}")]);
            let ended = run
                .args([&format!("--profile={mode}"), "--lines", "--quiet"])
                .arg(format!("--source-path={}", examples().display()))
                .args(outputs)
                .arg("-cp")
                .arg(classes())
                .arg("ThreeBugs")
                .finish();
            assert_eq!(ended.out(), "300\n449985000\n303\n", "{}", ended.err());
            if mode == "blocks" {
                folder = here;
                continue;
            }
            for format in FORMATS {
                let name = format!("{mode}.{format}");
                std::fs::rename(here.join(&name), folder.join(&name)).expect("a profile");
            }
        }
        folder
    })
}

/// What a program writes; `None`, and a word about it, if it is not installed.
fn reader(program: &str, args: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    command.args(args).current_dir(profiles());
    let temporary = profiles().join("pprof");
    programs::output(command.env("PPROF_TMPDIR", temporary))
}

/// What `rjvm profile` writes.
fn tool(args: &[&str]) -> String {
    let rjvm = env!("CARGO_BIN_EXE_rjvm");
    reader(rjvm, &[&["profile"], args].concat()).expect("rjvm starts")
}

/// The line of the example that holds a text.
fn line(text: &str) -> usize {
    let source = std::fs::read_to_string(examples().join("ThreeBugs.java")).expect("the example");
    let at = source.lines().position(|line| line.contains(text));
    at.unwrap_or_else(|| panic!("no {text}")) + 1
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(profiles().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Bytecodes below and in a method.
fn inclusive(profile: &Profile, method: &str) -> u64 {
    let totals = profile.method(method);
    totals.unwrap_or_else(|| panic!("no {method}")).inclusive
}

#[test]
fn each_format_names_the_file() {
    for mode in ["exact", "callsites", "blocks"] {
        for format in FORMATS {
            if ["html", "pb.gz", "pprof"].contains(&format) {
                // They are compressed: their readers are asked below.
                continue;
            }
            let name = format!("{mode}.{format}");
            let found = bytes(&name);
            let has = found.windows(14).any(|part| part == b"ThreeBugs.java");
            assert!(has, "{name} names no file");
        }
    }
}

#[test]
fn converting_loses_nothing() {
    for mode in ["exact", "callsites", "blocks"] {
        let rjp = format!("{mode}.rjp");
        // XML has positions of JP2, for which classes are needed; speedscope's threads are apart, which
        // the merged profile does not tell; the report's sources are found by the class path, too.
        for format in FORMATS {
            if ["xml", "speedscope.json", "html"].contains(&format) {
                continue;
            }
            let to = format!("converted-{mode}.{format}");
            tool(&["convert", "--lines", &rjp, "-o", &to]);
            assert!(bytes(&to) == bytes(&format!("{mode}.{format}")), "{to}");
        }
    }
}

#[test]
fn annotate_shows_lines_and_bytecodes() {
    let sources = format!("--source-path={}", examples().display());
    let classes = format!("--classes={}", classes().display());
    let text = tool(&[
        "annotate",
        "blocks.rjp",
        "--method=ThreeBugs::contains",
        &sources,
        &classes,
    ]);
    let loop_line = line("i < all.size()");
    let row = |number: usize| {
        let number = format!(" {number}  ");
        let row = text.lines().find(|row| row.contains(&number));
        row.unwrap_or_else(|| panic!("no {number} in\n{text}"))
            .split_whitespace()
            .collect()
    };
    let row: Vec<&str> = row(loop_line);
    // 300 calls, i rounds in the i-th: 45150 tests of 4 bytecodes, 44850 steps of 2, 300 * 2 before.
    let own = 45_150 * 4 + 44_850 * 2 + 300 * 2;
    assert_eq!(row[0], own.to_string(), "{text}");
    assert!(
        text.contains("45150 x java.util.ArrayList.size()"),
        "{text}"
    );
    let calls = "44850                           23: invokevirtual Method java/lang/String.equals:(Ljava/lang/Object;)Z";
    assert!(text.contains(calls), "{text}");
    assert!(text.contains("if (all.get(i).equals(wanted)) {"), "{text}");
    // The JDK makes methods without lines of its own.
    let without = tool(&[
        "annotate",
        "blocks.rjp",
        "--method=java.lang.invoke.Invokers$Holder::*",
    ]);
    let line_0 = without
        .lines()
        .filter(|row| row.split_whitespace().nth(2) == Some("0"));
    let blocks = without.lines().filter(|row| row.starts_with("own "));
    assert_eq!(line_0.count(), blocks.count(), "{without}");
    // Long's source is the JDK's, where it is installed.
    let boxed = tool(&["annotate", "exact.rjp", "--method=java.lang.Long::valueOf"]);
    assert!(
        boxed.starts_with("java.lang.Long.valueOf(long) in java/lang/Long.java\n"),
        "{boxed}"
    );
}

/// The sums of a callgrind file's functions: own cost, and that of all calls but those to themselves.
fn callgrind_sums(text: &str) -> BTreeMap<String, (u64, u64)> {
    let mut names = BTreeMap::new();
    let mut name = |text: &str| {
        let (number, name) = text.split_once(')').expect("a number in parentheses");
        if !name.is_empty() {
            names.insert(number.to_owned(), name.trim().to_owned());
        }
        names[number].clone()
    };
    let mut sums: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let (mut caller, mut callee, mut call) = (String::new(), String::new(), false);
    for line in text.lines() {
        if let Some(text) = line.strip_prefix("fn=") {
            caller = name(text);
        } else if let Some(text) = line.strip_prefix("cfn=") {
            callee = name(text);
        } else if line.starts_with("calls=") {
            call = true;
        } else if line.starts_with(|c: char| c.is_ascii_digit()) {
            let (_, cost) = line.split_once(' ').expect("a position and a cost");
            let cost: u64 = cost.parse().expect("a cost");
            let sum = sums.entry(caller.clone()).or_default();
            match std::mem::take(&mut call) {
                false => sum.0 += cost,
                true if caller != callee => sum.1 += cost,
                true => {}
            }
        }
    }
    sums
}

#[test]
fn lines_add_up_to_their_methods() {
    for mode in ["exact", "callsites", "blocks"] {
        let profile =
            Profile::read_file(&profiles().join(format!("{mode}.rjp"))).expect("a profile");
        let text = String::from_utf8(bytes(&format!("{mode}.callgrind"))).expect("text");
        let sums = callgrind_sums(&text);
        let lines = by_line(&profile);
        let names = readable_names(&profile.methods);
        let (mut several, mut recursive) = (0, 0);
        for row in profile.flat() {
            let method = &profile.methods[row.method as usize];
            let name = &names[row.method as usize];
            let costs = &lines[row.method as usize];
            let own: u64 = costs.values().map(|line| line.own).sum();
            let all: u64 = costs.values().map(|line| line.inclusive()).sum();
            assert_eq!((own, all), (row.bytecodes, row.inclusive), "{mode} {name}");
            several += u32::from(costs.len() > 1);
            recursive += u32::from(
                costs
                    .values()
                    .any(|line| line.callees.contains_key(&row.method)),
            );
            let rest = &name[method.class.len() + 1..];
            let sum = sums[&format!("{}::{rest}", method.class)];
            assert_eq!((sum.0, sum.0 + sum.1), (own, all), "{mode} {name}");
        }
        assert!(recursive > 0, "{mode}: {recursive} methods call themselves");
        // Without call sites all is at the first line.
        assert_eq!(several > 100, mode != "exact", "{mode}: {several}");
    }
}

#[test]
fn a_source_path_that_is_not_there_is_an_error() {
    let rjvm = env!("CARGO_BIN_EXE_rjvm");
    let convert = ["profile", "convert", "exact.rjp", "-f", "html"];
    for args in [&["-version"][..], &convert] {
        let mut command = Command::new(rjvm);
        let (first, rest) = args.split_first().expect("arguments");
        // The launcher's option goes first, a tool's last.
        match rest.is_empty() {
            true => command.args(["--source-path=no/such", first]),
            false => command.args(args).arg("--source-path=no/such"),
        };
        let output = command
            .current_dir(profiles())
            .output()
            .expect("rjvm starts");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{args:?}");
        let said = "Error: --source-path=no/such: no/such: there is no such file";
        assert!(error.contains(said), "{args:?}: {error}");
    }
}

#[test]
fn texts_tell_lines_on_request() {
    let top = tool(&["top", "--lines", "exact.rjp", "--view=app"]);
    let contains = format!(
        "ThreeBugs.contains(java.util.List,java.lang.String) (ThreeBugs.java:{})",
        line("i < all.size()")
    );
    assert!(top.contains(&contains), "{top}");
    let tree = tool(&["tree", "--lines", "callsites.rjp", "--view=app"]);
    let call = format!("(ThreeBugs.java:{}):{contains}", line("if (!contains("));
    assert!(tree.contains(&call), "{tree}");
    assert!(!tool(&["top", "exact.rjp"]).contains("ThreeBugs.java"));
}

#[test]
fn pprof_lists_the_source() {
    let profile = Profile::read_file(&profiles().join("blocks.rjp")).expect("a profile");
    let total = profile.totals().bytecodes;
    let sources = format!("-source_path={}", examples().display());
    let list = [
        "tool",
        "pprof",
        "-list=ThreeBugs.(contains|total|numbers)",
        &sources,
    ];
    let Some(text) = reader("go", &[&list[..], &["blocks.pb.gz"]].concat()) else {
        return;
    };
    assert!(text.starts_with(&format!("Total: {total}\n")), "{text}");
    let costs = |text: &str, words: &str| {
        let number = format!("{}:", line(words));
        let row = text
            .lines()
            .find(|row| row.contains(words) && row.contains(&number));
        let row = row.unwrap_or_else(|| panic!("no {words} in\n{text}"));
        let mut cells = row.split_whitespace().map(|cell| cell.parse().unwrap_or(0));
        (cells.next().unwrap_or(0), cells.next().unwrap_or(0u64))
    };
    // The quadratic loop, the boxed sum, the pattern that is compiled again and again.
    let (own, search) = costs(&text, "if (all.get(i).equals(wanted)) {");
    assert_eq!(own, 7 * 44_850);
    let (_, boxing) = costs(&text, "sum += i;");
    let (_, split) = costs(&text, "line.split(");
    let below = |method: &str| inclusive(&profile, method);
    assert!(search < below("ThreeBugs.contains") && 10 * search > 9 * below("ThreeBugs.contains"));
    assert!(boxing < below("ThreeBugs.total") && 10 * boxing > 8 * below("ThreeBugs.total"));
    assert!(split >= below("java.lang.String.split(Ljava/lang/String;)[Ljava/lang/String;"));
    let of_call_sites = reader("go", &[&list[..], &["callsites.pb.gz"]].concat());
    let (own, calls) = costs(
        &of_call_sites.expect("go"),
        "if (all.get(i).equals(wanted)) {",
    );
    assert_eq!((own, calls), (0, search - 7 * 44_850));
}

#[test]
fn callgrind_annotate_shows_the_source() {
    let include = format!("--include={}", examples().display());
    let args = [
        "--auto=yes",
        "--show-percs=no",
        &include,
        "blocks.callgrind",
    ];
    let Some(text) = reader("callgrind_annotate", &args) else {
        return;
    };
    let profile = Profile::read_file(&profiles().join("blocks.rjp")).expect("a profile");
    let total = rjvm::profiler::summary::grouped(profile.totals().bytecodes);
    assert!(text.contains(&format!("{total}  PROGRAM TOTALS")), "{text}");
    for row in [
        "313,950              if (all.get(i).equals(wanted)) {",
        "=> java/lang/String.java:java.lang.String::equals(java.lang.Object) (44,850x)",
        "=> java/lang/Long.java:java.lang.Long::valueOf(long) (30,000x)",
        "=> java/lang/String.java:java.lang.String::split(java.lang.String) (300x)",
    ] {
        assert!(text.contains(row), "no {row} in\n{text}");
    }
}

/// What Chromium makes of a file among the profiles, to which a user's doing is added as a script; none
/// if there is no Chromium. `link` is what follows the file's address.
fn browsed(file: &str, link: &str, user: &str) -> Option<String> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Relaxed);
    let page = [&bytes(file), user.as_bytes()].concat();
    let path = profiles().join(format!("user{number}.html"));
    std::fs::write(&path, page).expect("a page");
    programs::browsed(&path, link, &profiles().join(format!("chromium{number}")))
}

/// The link of a page whose user has put it into the body's attribute `data-link`.
fn link_of(text: &str) -> String {
    let (_, after) = text.split_once("data-link=\"").expect("a link");
    let (link, _) = after.split_once('"').expect("the attribute ends");
    link.replace("&amp;", "&")
}

#[test]
fn the_link_tells_what_the_report_shows() {
    // Somebody weighs by calls, searches, goes to the first hit, zooms, and sends the link to another.
    let user = "<script>setTimeout(() => {
        const $ = (id) => document.getElementById(id);
        $('metric').value = 1;
        $('metric').dispatchEvent(new Event('change'));
        $('search').value = 'Matcher';
        $('search').dispatchEvent(new Event('input', { bubbles: true }));
        setTimeout(() => $('next').click(), 500);
        const plus = new KeyboardEvent('keydown', { key: '+', bubbles: true });
        setTimeout(() => $('canvas').dispatchEvent(plus), 1000);
        setTimeout(() => document.body.dataset.link = location.hash, 2000);
    }, 1000)</script>";
    let Some(text) = browsed("blocks.html", "", user) else {
        return;
    };
    assert!(text.contains("<title>ThreeBugs</title>"), "{text}");
    assert!(text.contains(">ThreeBugs</h1>"), "{text}");
    let link = link_of(&text);
    for part in ["#metric=calls&search=Matcher&", "&frame=", "&zoom="] {
        assert!(link.contains(part), "{link}");
    }
    let shown = |text: &str| {
        let (_, status) = text.split_once("id=\"status\"").expect("the status");
        let (status, _) = status.split_once("</div>").expect("its end");
        status.to_owned()
    };
    assert!(shown(&text).contains("java.util.regex.Matcher."), "{text}");
    // The other one sees the same: turned upside down, the rest of the link is made anew, and going
    // back leads to where it was.
    let user = "<script>setTimeout(() => {
        document.getElementById('flip').click();
        setTimeout(() => {
            document.body.dataset.link = location.hash;
            history.back();
        }, 1000);
    }, 1000)</script>";
    let again = browsed("blocks.html", &link, user).expect("Chromium is still there");
    let turned = link.replace("&search=", "&grow=up&search=");
    assert_eq!(link_of(&again), turned);
    assert_eq!(shown(&again), shown(&text));
    assert!(again.contains("id=\"flip\" class=\"tool\" aria-pressed=\"false\""));
    // A link that means nothing shows everything.
    let user = "<script>setTimeout(() => document.body.dataset.link = '', 1000)</script>";
    let wrong = "#metric=x&tree=x&thread=9&frame=99999999&zoom=9-1&method=x";
    let all = browsed("blocks.html", wrong, user).expect("Chromium is still there");
    assert!(shown(&all).contains("click zooms"), "{all}");
    assert!(all.contains("id=\"busy\" role=\"status\" hidden"), "{all}");
}

#[test]
fn the_link_tells_what_the_comparison_shows() {
    let file = |name: &str| profiles().join(name).display().to_string();
    let (one, page) = (file("exact.rjp"), file("diff.html"));
    let vm = env!("CARGO_BIN_EXE_rjvm");
    reader(vm, &["profile", "diff", &one, &one, "-o", &page]).expect("rjvm is there");
    let user = "<script>setTimeout(() => {
        const colour = document.getElementById('colour');
        colour.value = 's';
        colour.dispatchEvent(new Event('change'));
        document.body.dataset.link = location.hash;
        document.body.dataset.found = document.getElementById('search').value;
    }, 1000)</script>";
    let link = "#width=2&search=contains&context=1";
    let Some(text) = browsed("diff.html", link, user) else {
        return;
    };
    assert!(text.contains("<title>ThreeBugs: "), "{text}");
    assert!(text.contains("<h1>ThreeBugs</h1>"), "{text}");
    assert!(text.contains("data-found=\"contains\""), "{text}");
    assert_eq!(
        link_of(&text),
        "#width=2&colour=s&search=contains&context=1"
    );
}

#[test]
fn a_deep_comparison_is_drawn_where_it_is_looked_at() {
    let (mut path, mut text) = (String::new(), String::new());
    for depth in 0..600 {
        if depth > 0 {
            path.push(';');
        }
        path.push_str(&format!("A.f{depth}()V"));
        text.push_str(&format!("{path}\t1\t5\n"));
    }
    let file = |name: &str| profiles().join(name);
    std::fs::write(file("deep.paths"), text).expect("a profile");
    let name = |file: PathBuf| file.display().to_string();
    let (one, page) = (name(file("deep.paths")), name(file("deep.html")));
    let vm = env!("CARGO_BIN_EXE_rjvm");
    reader(vm, &["profile", "diff", &one, &one, "-o", &page]).expect("rjvm is there");
    // Somebody goes to the end, points at the last row, and clicks on it; each context has 5 bytecodes of its own.
    let user = "<script>setTimeout(() => {
        const $ = (id) => document.getElementById(id), told = document.body.dataset;
        scrollTo(0, 1e6);
        setTimeout(() => {
            const box = $('graph').getBoundingClientRect();
            const at = { clientX: box.left + 0.5, clientY: box.top + 599.5 * 19, bubbles: true };
            $('canvas').dispatchEvent(new MouseEvent('mousemove', at));
            told.note = $('note').textContent;
            told.fits = $('canvas').clientHeight <= innerHeight && at.clientY < innerHeight;
            $('canvas').dispatchEvent(new MouseEvent('click', at));
            told.link = location.hash;
        }, 500);
    }, 1000)</script>";
    let Some(text) = browsed("deep.html", "", user) else {
        return;
    };
    assert!(
        text.contains("data-note=\"A.f599(): with callees 5 | 5 (no change)"),
        "{text}"
    );
    assert!(text.contains("data-fits=\"true\""), "{text}");
    assert_eq!(link_of(&text), "#context=599");
}

#[test]
fn the_report_shows_the_source() {
    // Somebody searches for a method, chooses it, and opens its file.
    let user = "<script>setTimeout(() => {
        const search = document.getElementById('search');
        search.value = 'ThreeBugs.contains';
        search.dispatchEvent(new Event('input', { bubbles: true }));
        setTimeout(() => document.querySelector('.row').click(), 500);
        setTimeout(() => document.querySelector('#details .link').click(), 1000);
    }, 1000)</script>";
    let Some(text) = browsed("blocks.html", "", user) else {
        return;
    };
    let text = &text[..text.find("id=\"data\"").expect("the data follow")];
    assert!(text.contains("ThreeBugs.java:39</button>"), "{text}");
    let row = format!("<span class=\"number\">{}</span>", line("i < all.size()"));
    assert!(text.contains(&row), "{text}");
    assert!(text.contains(">270,900</span>"), "{text}");
    assert!(text.contains(">invokeinterface InterfaceMethod java/util/List.size:()I</span>"));
    // The whole file, with the lines of its other methods.
    let (_, file) = text
        .split_once("<dialog id=\"source\"")
        .expect("the dialog");
    assert!(file.starts_with(" open"), "{file}");
    assert!(file.contains("compiled for each line"), "{file}");
}

#[test]
fn lines_of_classes_that_are_gone() {
    let source = tests_dir().join("java/classloading/Unloaded.java");
    let classes = jdk::compile("readers/Unloaded", &[source], &[], Path::new("none"));
    for mode in ["exact", "blocks"] {
        let run = run::Run::new(&run::vm(), &format!("readers-unloaded-{mode}"));
        let file = run.dir().join("profile.rjp");
        let ended = run
            .args([
                &format!("--profile={mode}"),
                "-o",
                "profile.rjp",
                "--quiet",
                "-cp",
            ])
            .arg(&classes)
            .arg("Unloaded")
            .finish();
        assert_eq!(ended.out(), "45\ngone\n", "{}", ended.err());
        let profile = Profile::read_file(&file).expect("a profile");
        let guest = profile
            .methods
            .iter()
            .find(|m| m.class == "Unloaded$Guest" && m.name == "run");
        let source = guest.and_then(|m| m.source.as_ref()).expect("its source");
        assert_eq!(source.file(), "Unloaded.java");
        assert_eq!(source.first_line(), Some(11));
        assert_eq!(source.lines().len(), 6, "{:?}", source.lines());
    }
}
