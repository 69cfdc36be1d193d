//! `-agentlib:hprof`: the layout of JDK 8, and numbers that equal those of other sources.

use crate::common;
use crate::common::jdk;
use crate::common::run::{Outcome, Run, vm, vm_is_rjvm};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn classes() -> PathBuf {
    let source = common::tests_dir().join("profiles/hprof/Work.java");
    jdk::compile("hprof", &[source], &[], Path::new("none"))
}

/// Runs `Work` with HPROF's options; the file, which is `name` in the run's folder.
fn work(name: &str, options: &str) -> (Outcome, PathBuf) {
    let run = Run::new(&vm(), &format!("hprof-{name}"));
    let file = run.dir().join(name);
    let agent = format!(
        "-agentlib:hprof={options},verbose=n,file={}",
        file.display()
    );
    let run = run.args(["--deterministic", "--quiet", &agent, "-cp"]);
    let got = run.arg(classes()).arg("Work").finish();
    assert_eq!(got.exit, 0, "{}", got.err());
    assert_eq!(got.out(), "104724400\n");
    (got, file)
}

fn text(name: &str, options: &str) -> String {
    std::fs::read_to_string(work(name, options).1).expect("the file is written")
}

/// The exact profile of `Work`.
fn profiled(name: &str, options: &[&str]) -> rjvm_profiler::Profile {
    let run = Run::new(&vm(), &format!("hprof-{name}"));
    let file = run.dir().join("all.rjp");
    let run = run.args([
        "--deterministic",
        "--quiet",
        "--profile=exact",
        "--scope=all",
    ]);
    let run = run.args(options.iter().copied()).arg("-o").arg(&file);
    let got = run.arg("-cp").arg(classes()).arg("Work").finish();
    assert_eq!(got.exit, 0, "{}", got.err());
    rjvm_profiler::Profile::read_file(&file).expect("a profile")
}

/// The lines of a section, without its first and last.
fn section<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let begin = format!("{name} BEGIN ");
    let lines = text.lines().skip_while(|l| !l.starts_with(&begin)).skip(1);
    lines.take_while(|l| *l != format!("{name} END")).collect()
}

/// The traces by number.
fn traces(text: &str) -> BTreeMap<u32, Vec<&str>> {
    let mut found: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    let mut at = None;
    for line in text.lines().skip_while(|l| *l != "--------") {
        match (line.strip_prefix("TRACE "), line.strip_prefix('\t')) {
            (Some(rest), _) => {
                let number = rest.split(':').next().expect("a number");
                at = number.parse().ok();
                found.insert(at.expect("a number"), Vec::new());
            }
            (None, Some(frame)) => {
                if let Some(n) = at {
                    found.entry(n).or_default().push(frame);
                }
            }
            _ => at = None,
        }
    }
    found
}

/// Rank, percentages, then numbers, then a name.
fn row(line: &str) -> (Vec<u64>, &str) {
    let mut words = line.split_whitespace().skip(3);
    let mut numbers = Vec::new();
    for word in words.by_ref() {
        match word.parse() {
            Ok(n) => numbers.push(n),
            Err(_) => {
                let at = line.rfind(word).expect("it is there");
                return (numbers, &line[at..]);
            }
        }
    }
    (numbers, "")
}

#[test]
fn sites_are_exact() {
    if !vm_is_rjvm() {
        return;
    }
    let text = text("sites.txt", "heap=sites,cutoff=0");
    assert!(text.starts_with("JAVA PROFILE 1.0.1, created Sat Jan  1 00:00:00 2000\n"));
    assert!(text.contains("\nTHREAD START (obj="), "threads are told");
    assert!(
        text.contains("name=\"main\", group=\"main\")\n"),
        "the first thread too"
    );
    let rows = section(&text, "SITES");
    assert_eq!(
        rows[0],
        "          percent          live          alloc'ed  stack class"
    );
    assert_eq!(
        rows[1],
        " rank   self  accum     bytes objs     bytes  objs trace name"
    );
    let traces = traces(&text);
    let mut sums = [0u64; 4];
    let mut own = Vec::new();
    let mut nowhere = 0;
    for line in &rows[2..] {
        let (n, name) = row(line);
        (0..4).for_each(|i| sums[i] += n[i]);
        let trace = &traces[&(n[4] as u32)];
        if trace == &["<empty>"] {
            nowhere += n[2];
        }
        if name == "Work$Box" {
            own.push((trace[1], n[1], n[3], n[2]));
        }
    }
    own.sort();
    assert_eq!(
        own,
        [
            ("Work.drop(Work.java:28)", 0, 700, 700 * 16),
            ("Work.keep(Work.java:22)", 300, 300, 300 * 16),
        ]
    );
    // the counters of calling contexts have all but what the VM itself allocated
    let profile = profiled("counters", &["--allocations"]);
    assert_eq!(sums[2] - nowhere, profile.totals().allocated.bytes);
}

#[test]
fn times_are_exact() {
    if !vm_is_rjvm() {
        return;
    }
    let text = text("times.txt", "cpu=times,cutoff=0,depth=100");
    let rows = section(&text, "CPU TIME (ms)");
    assert_eq!(rows[0], "rank   self  accum   count trace method");
    let totals = profiled("times", &[]).totals();
    let begin = format!("CPU TIME (ms) BEGIN (total = {}) ", totals.bytecodes);
    assert!(text.contains(&begin), "{begin}");
    let calls: u64 = rows[1..].iter().map(|l| row(l).0[0]).sum();
    assert_eq!(calls, totals.invocations);
    let spins: u64 = rows[1..]
        .iter()
        .map(|l| row(l))
        .filter(|r| r.1 == "Work.spin")
        .map(|r| r.0[0])
        .sum();
    assert_eq!(spins, 53);
    let old = self::text("old.txt", "cpu=old");
    assert!(
        old.starts_with("count callee caller time\n"),
        "{}",
        &old[..100]
    );
    assert!(old.contains("\n50 Work.spin(I)I Work.main([Ljava/lang/String;)V "));
}

#[test]
fn samples_and_monitors_are_reported() {
    if !vm_is_rjvm() {
        return;
    }
    let text = text("samples.txt", "cpu=samples,interval=1,monitor=y,thread=y");
    let rows = section(&text, "CPU SAMPLES");
    assert_eq!(rows[0], "rank   self  accum   count trace method");
    let spin: u64 = rows[1..]
        .iter()
        .map(|l| row(l))
        .filter(|r| r.1 == "Work.spin")
        .map(|r| r.0[0])
        .sum();
    assert!(spin >= 20, "{spin} samples in spin");
    let traces = traces(&text);
    let monitors = section(&text, "MONITOR TIME");
    let waits: u64 = monitors[1..].iter().map(|l| row(l).0[0]).sum();
    assert_eq!(waits, 2, "two of three threads wait");
    for line in &monitors[1..] {
        assert!(line.ends_with(" java.lang.Object (Java)"), "{line}");
        let trace = &traces[&(row(line).0[1] as u32)];
        let at = "Work.lambda$main$0(Work.java:";
        assert!(trace[0].starts_with(at), "{trace:?}");
    }
    assert!(
        text.contains("\nMONITOR DUMP BEGIN\n    THREAD "),
        "a monitor dump"
    );
    assert!(text.contains("WAIT: MONITOR java.lang.Thread, timeout=0, thread 200001\n"));
}

#[test]
fn a_binary_dump_names_the_sites_of_its_objects() {
    if !vm_is_rjvm() {
        return;
    }
    let (_, file) = work("all.hprof", "heap=all,format=b,depth=3");
    let mut dump = rjvm_heapdump::Dump::open(&file).expect("a dump");
    let sites = rjvm_heapdump::sites(&mut dump).expect("sites");
    let boxes: Vec<_> = sites
        .iter()
        .filter(|s| dump.classes()[s.class as usize].name == "Work$Box")
        .collect();
    let mut rows: Vec<_> = boxes
        .iter()
        .map(|s| (dump.stack(s.trace)[1].to_string(), s.objects, s.allocated))
        .collect();
    rows.sort();
    assert_eq!(
        rows,
        [
            ("Work.drop(Work.java:28)".to_string(), 0, Some((700, 11200))),
            (
                "Work.keep(Work.java:22)".to_string(),
                300,
                Some((300, 4800))
            ),
        ]
    );
    let dropped = boxes
        .iter()
        .find(|s| s.objects == 0)
        .expect("the dropped ones");
    let (freed, bytecodes, collections) = dropped.lived.expect("lifetimes");
    assert_eq!(
        (freed, collections),
        (700, 700),
        "the collection at the end freed them"
    );
    assert!(bytecodes > 700 * 100_000, "{bytecodes}");
    // live counts equal the dump's
    for s in sites.iter().filter(|s| s.allocated.is_some()) {
        assert!(s.objects <= s.allocated.expect("it is").0);
    }
    let text = text("dump.txt", "heap=dump");
    let objects = text
        .lines()
        .filter(|l| l.starts_with("OBJ ") && l.contains("class=Work$Box@"))
        .count();
    assert_eq!(objects, 300);
    assert!(text.contains("\nHEAP DUMP END\n"));
}

/// JDK 8 names a source file without the folders of its package.
#[test]
fn files_have_no_folders() {
    let source = common::tests_dir().join("profiles/hprof/pk/Packed.java");
    let classes = jdk::compile("hprof-packed", &[source], &["-g"], Path::new("none"));
    for (kind, places) in [
        (
            "cpu=times",
            [
                "pk.Packed.copy(Packed.java:",
                "java.lang.System.arraycopy(System.java:",
            ],
        ),
        (
            "heap=sites",
            ["pk.Packed.copy(Packed.java:", "pk.Packed.main(Packed.java:"],
        ),
    ] {
        let run = Run::new(&vm(), "hprof-packed");
        let file = run.dir().join("packed.txt");
        let agent = format!(
            "-agentlib:hprof={kind},cutoff=0,depth=9,verbose=n,file={}",
            file.display()
        );
        let got = run
            .args(["--deterministic", &agent, "-cp"])
            .arg(&classes)
            .arg("pk.Packed");
        let got = got.finish();
        assert_eq!(got.exit, 0, "{}", got.err());
        let text = std::fs::read_to_string(&file).expect("the file is written");
        for place in places {
            assert!(text.contains(place), "{kind}: no {place}");
        }
        assert!(!text.contains("(pk/") && !text.contains("(java/"), "{kind}");
    }
}

#[test]
fn three_runs_write_the_same() {
    if !vm_is_rjvm() {
        return;
    }
    for (name, options) in [
        (
            "same.txt",
            "heap=all,cpu=samples,interval=1,monitor=y,thread=y",
        ),
        ("same.hprof", "heap=all,cpu=samples,interval=1,format=b"),
    ] {
        let read = || std::fs::read(work(name, options).1).expect("the file is written");
        let first = read();
        assert!(first.len() > 10_000);
        assert!(read() == first && read() == first, "{name} differs");
    }
}

#[test]
fn options_are_those_of_jdk_8() {
    if !vm_is_rjvm() {
        return;
    }
    let of = |name: &str, option: &str| Run::new(&vm(), name).arg(option).finish();
    let help = of("hprof-help", "-agentlib:hprof=help");
    assert_eq!(help.exit, 0);
    assert!(help.out().contains("heap=dump|sites|all"), "{}", help.out());
    assert_eq!(of("hprof-xrun", "-Xrunhprof:help").out(), help.out());
    let wrong = of("hprof-wrong", "-Xrunhprof:depth=x");
    assert_eq!(wrong.exit, 1);
    assert!(
        wrong
            .err()
            .contains("hprof option error: depth option value must be decimal and >= 0 (depth=x)"),
        "{}",
        wrong.err()
    );
    let text = text("none.txt", "heap=sites,cpu=samples,doe=n");
    assert!(text.contains("THREAD START") && !text.contains("SITES BEGIN"));
}
