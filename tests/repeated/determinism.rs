//! `--deterministic`: programs that look at everything around them, and wait in all ways there are, print the same and
//! execute the same, for every user, in any folder and environment, and however busy the machine is.

use crate::common;
use crate::common::run::vm;
use crate::common::{jdk, tests_dir, work_dir};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

fn classes() -> PathBuf {
    let own = [
        "Everything",
        "Timers",
        "Lines",
        "Parting",
        "Six",
        "Connecting",
    ];
    let mut sources: Vec<PathBuf> = own
        .map(|s| tests_dir().join(format!("repeated/determinism/{s}.java")))
        .into();
    sources.push(tests_dir().join("java/io/PlainSockets.java"));
    jdk::compile(
        "determinism",
        &sources,
        &[],
        &tests_dir().join("repeated/determinism/none"),
    )
}

/// A separate folder with the classes and some files.
fn folder(name: &str, names: &[&str]) -> PathBuf {
    let dir = work_dir().join("determinism-runs").join(name);
    let _ = std::fs::remove_dir_all(&dir);
    for below in ["classes", "in"] {
        std::fs::create_dir_all(dir.join(below)).expect("a folder");
    }
    jdk::copy_tree(&classes(), &dir.join("classes"));
    for n in names {
        std::fs::write(dir.join("in").join(n), n).expect("a file");
    }
    dir
}

/// The surroundings of a run.
struct Surroundings<'a> {
    dir: PathBuf,
    environment: &'a [(&'a str, &'a str)],
    /// Pieces of input, which come some time after each other.
    input: &'a [&'a str],
    options: &'a [&'a str],
}

/// Standard output and exact profile.
fn run(class: &str, s: &Surroundings<'_>) -> (String, Vec<u8>) {
    let profile = s.dir.join("profile.paths");
    let mut command = Command::new(vm());
    command
        .current_dir(&s.dir)
        .env_clear()
        .env("JAVA_HOME", jdk::java_home())
        .envs(s.environment.iter().copied())
        .args(["--profile=exact", "--view=full", "--quiet"])
        .arg("-o")
        .arg(&profile)
        .args(s.options)
        .args(["-cp", "classes", class])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the VM starts");
    let mut input = child.stdin.take().expect("a pipe");
    for (i, piece) in s.input.iter().enumerate() {
        if i > 0 {
            std::thread::sleep(Duration::from_millis(300));
        }
        input
            .write_all(piece.as_bytes())
            .expect("the program reads");
    }
    drop(input);
    let out = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!((out.status.code(), err.as_str()), (Some(0), ""));
    let profile = std::fs::read(profile).expect("a profile");
    (String::from_utf8_lossy(&out.stdout).into_owned(), profile)
}

/// The first line in which two outputs differ.
fn assert_same(got: &(String, Vec<u8>), want: &(String, Vec<u8>), what: &str) {
    let pair = got.0.lines().zip(want.0.lines()).find(|(a, b)| a != b);
    assert_eq!(pair, None, "{what}");
    assert!(got == want, "{what}: the profiles differ");
}

const SEEDED: &[&str] = &["--deterministic"];

#[test]
fn a_program_that_looks_at_everything_sees_the_same() {
    let files = ["b", "a", "c", "zz", "file10", "file2"];
    let mut backwards = files;
    backwards.reverse();
    let other = folder("another/folder/that/lies/deeper", &backwards);
    // the files are older there, and others may write to them
    for file in std::fs::read_dir(other.join("in"))
        .expect("a folder")
        .flatten()
    {
        use std::os::unix::fs::PermissionsExt;
        let f = std::fs::File::open(file.path()).expect("a file");
        f.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(1_000_000_007))
            .expect("its owner may");
        f.set_permissions(std::fs::Permissions::from_mode(0o666))
            .expect("its owner may");
    }
    let plain = Surroundings {
        dir: folder("here", &files),
        environment: &[("PATH", "/usr/bin:/bin")],
        input: &["line 1\nline 2\n"],
        options: SEEDED,
    };
    let unlike = Surroundings {
        dir: other,
        environment: &[
            ("FOO", "bar"),
            ("LC_ALL", "de_DE.UTF-8"),
            ("TZ", "Asia/Tokyo"),
            ("HOME", "/nowhere"),
            ("USER", "somebody"),
        ],
        input: &["line 1\n", "line 2\n"],
        options: SEEDED,
    };
    let want = run("Everything", &plain);
    assert!(want.0.lines().count() > 100, "{}", want.0);
    assert!(!want.0.contains("Exception") || want.0.contains("NoSuchFile"));
    assert_same(&run("Everything", &unlike), &want, "elsewhere");
    // runs beside each other; a thread sleeps, so that input has to be there in time
    let unlike = Surroundings {
        input: plain.input,
        ..unlike
    };
    let both = common::in_parallel(&[0, 1], |i| {
        run("Lines", if *i == 0 { &plain } else { &unlike })
    });
    assert_same(&both[0], &both[1], "side by side");
    // another seed, other numbers
    let seeded = Surroundings {
        options: &["--deterministic=7"],
        ..plain
    };
    let line = |text: &str, what: &str| {
        let mut lines = text.lines();
        lines.find(|l| l.starts_with(what)).map(str::to_owned)
    };
    let other = run("Everything", &seeded).0;
    for what in ["secure:", "uuid:", "math:", "hash:"] {
        assert_ne!(line(&other, what), line(&want.0, what));
        assert!(line(&other, what).is_some());
    }
    assert_eq!(line(&other, "process:"), line(&want.0, "process:"));
}

#[test]
fn variables_are_passed_on_request() {
    let s = Surroundings {
        dir: folder("variables", &[]),
        environment: &[("MINE", "from outside"), ("OTHER", "x")],
        input: &["a\n"],
        options: &[
            "--deterministic",
            "--env=MINE",
            "--env=LANG=de_AT.UTF-8",
            "--env=NOT_SET",
        ],
    };
    let got = run("Lines", &s).0;
    let first = got.lines().next().unwrap_or_default();
    assert_eq!(
        first,
        "{HOME=/rjvm/home, LANG=de_AT.UTF-8, LOGNAME=user, MINE=from outside, \
         PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin, SHELL=/bin/sh, TZ=UTC, USER=user} de_AT"
    );
}

/// Nothing stays behind of the folder for temporary files, and the program's files are where it was started.
#[test]
fn files_are_real_and_temporary_ones_are_gone() {
    let s = Surroundings {
        dir: folder("files", &[]),
        environment: &[],
        input: &["x\n"],
        options: SEEDED,
    };
    run("Lines", &s);
    let text = |name: &str| std::fs::read_to_string(s.dir.join(name)).expect("written");
    assert_eq!(text("lines.txt"), "/rjvm/work/lines.txt");
    let temporary = text("temporary.txt");
    assert!(!Path::new(temporary.trim()).exists(), "{temporary}");
}

/// A program that is named by an absolute class path does not see whether it was started in that folder.
#[test]
fn absolute_names_do_not_report_the_folder() {
    let dir = folder("absolute", &[]);
    let classes = dir.join("classes");
    let [inside, below, outside] = [&dir, &dir.join("in"), &std::env::temp_dir()]
        .map(|from| profile_of_timers(from, &classes));
    assert!(inside.contains("java.lang.Object.wait"), "{inside}");
    assert_eq!((&below, &outside), (&inside, &inside));
}

/// Nor does one whose classes lie beside the folder that it was started in.
#[test]
fn names_beside_the_working_folder_do_not_report_it() {
    let [one, other] = ["beside", "beside-another"].map(|name| {
        let dir = folder(name, &[]);
        profile_of_timers(&dir.join("in"), Path::new("../classes"))
    });
    assert!(one.contains("java.lang.Object.wait"), "{one}");
    assert_eq!(one, other);
}

/// What it counts, started in a folder.
fn profile_of_timers(from: &Path, classes: &Path) -> String {
    let out = Command::new(vm())
        .current_dir(from)
        .args(["--deterministic", "--profile=exact", "--scope=all"])
        .args(["--view=full", "--quiet", "-o", "flat:-", "-cp"])
        .arg(classes)
        .arg("Timers")
        .output()
        .expect("the VM starts");
    assert_eq!((out.status.code(), &out.stderr[..]), (Some(0), &b""[..]));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// Runs [`vm`] on `Parting` with these options: exit code, standard output and error.
fn check(name: &str, options: &[&str], args: &[&str]) -> (Option<i32>, String, String) {
    let out = Command::new(vm())
        .current_dir(folder(name, &[]))
        .args(options)
        .args(["-cp", "classes", "Parting"])
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("the VM starts");
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (out.status.code(), text(&out.stdout), text(&out.stderr))
}

#[test]
fn the_bytecode_at_which_two_runs_part_is_named() {
    // what depends on the clock
    let (code, out, err) = check("check-clock", &["--check-determinism"], &["clock"]);
    assert_eq!((code, out.lines().count()), (Some(76), 1), "{err}");
    let place = |text: &str| text.lines().position(|l| l.contains("Parting.branch("));
    assert!(
        err.starts_with("rjvm: error: runs 1 and 2 diverge at bytecode "),
        "{err}"
    );
    assert!(
        err.contains("\nbefore it, both runs are in thread \"parts\"\n"),
        "{err}"
    );
    assert!(place(&err).is_some_and(|line| line < 4), "{err}");
    // the same program by a clock that is the program's own
    let both = ["--deterministic", "--check-determinism=3", "--quiet"];
    let (code, out, err) = check("check-both", &both, &["clock"]);
    assert_eq!((code, err.as_str()), (Some(3), ""), "{out}");
    // a value that decides nothing; what is left behind by the run before is an input that differs
    let (code, _, err) = check("check-value", &["--check-determinism"], &["file"]);
    assert_eq!(code, Some(3), "{err}");
    let (code, _, err) = check("check-state", &both, &["file"]);
    assert_eq!(code, Some(76), "{err}");
    assert!(
        err.contains("after it, values (or counts of other threads) differ"),
        "{err}"
    );
    assert!(err.contains("Parting.length("), "{err}");
}

/// Under load and without, with several rates and quanta.
#[test]
fn threads_that_wait_for_a_time_are_woken_alike() {
    for options in [
        &["--deterministic"][..],
        &["--deterministic", "--quantum=777", "--virtual-clock=2.5"],
    ] {
        let runs: Vec<usize> = (0..8).collect();
        let all = common::in_parallel(&runs, |i| {
            let s = Surroundings {
                dir: folder(&format!("timers-{i}"), &[]),
                environment: &[],
                input: &[],
                options,
            };
            run("Timers", &s)
        });
        assert!(all[0].0.lines().count() > 90);
        for other in &all[1..] {
            assert_same(other, &all[0], "Timers");
        }
    }
}

/// Sockets of both protocols do what HotSpot's did on a Linux with IPv6 (`Six.out`), whatever this machine has; names
/// and addresses of the machine apart, which are fixed.
#[test]
fn sockets_of_ipv6_are_those_of_linux() {
    let want =
        std::fs::read_to_string(tests_dir().join("repeated/determinism/Six.out")).expect("a file");
    let six = |name, options, environment| Surroundings {
        dir: folder(name, &[]),
        environment,
        input: &[],
        options,
    };
    let ordered = &["--deterministic", "-Dorder=true"];
    let runs = [
        six("six", ordered, &[]),
        six("another/six", ordered, &[("LC_ALL", "de_DE.UTF-8")]),
    ];
    let both = common::in_parallel(&[0, 1], |&i| run("Six", &runs[i]));
    assert_same(&both[0], &both[1], "elsewhere");
    let lines = both[0].0.lines();
    let (order, got): (Vec<&str>, Vec<&str>) = lines.partition(|l| l.starts_with("in order: "));
    assert_eq!(order.len(), 1);
    assert_eq!(got.join("\n"), want.trim_end());
    // IPv4 alone: the interface has one address
    let only4 = &["--deterministic", "-Djava.net.preferIPv4Stack=true"];
    let out = run("Six", &six("only4/six", only4, &[])).0;
    assert!(
        out.contains("lo has /127.0.0.1/8") && !out.contains("lo has /0:"),
        "{out}"
    );
}

/// Connections for which no thread waits are under way first, with sockets in memory as with those of the machine
/// (`Connecting.out` is what HotSpot printed).
#[test]
fn connections_come_about_while_nobody_waits() {
    let want = tests_dir().join("repeated/determinism/Connecting.out");
    let want = std::fs::read_to_string(want).expect("a file");
    let kinds: [&[&str]; 5] = [
        &["--deterministic"],
        &["--deterministic", "--quantum=777"],
        &["--deterministic"],
        &["--virtual-clock=1"],
        &[],
    ];
    let places: Vec<usize> = (0..kinds.len()).collect();
    let all = common::in_parallel(&places, |&i| {
        let s = Surroundings {
            dir: folder(&format!("connecting-{i}"), &[]),
            environment: &[],
            input: &[],
            options: kinds[i],
        };
        run("Connecting", &s)
    });
    for (got, kind) in all.iter().zip(kinds) {
        assert_eq!(got.0, want, "{kind:?}");
    }
    assert_same(&all[2], &all[0], "Connecting");
}

/// The sockets of before NIO do in memory what they do elsewhere.
#[test]
fn plain_sockets_are_in_memory_as_well() {
    let options = &[
        "--deterministic",
        "-Djdk.net.usePlainSocketImpl",
        "-Dmemory=true",
    ];
    let plain = |name| Surroundings {
        dir: folder(name, &[]),
        environment: &[],
        input: &[],
        options,
    };
    let runs = [plain("plain"), plain("another/plain")];
    let both = common::in_parallel(&[0, 1], |&i| run("PlainSockets", &runs[i]));
    assert_same(&both[0], &both[1], "elsewhere");
    let all = tests_dir().join("java/io/PlainSockets.out");
    let all = std::fs::read_to_string(all).expect("a file");
    let got = &both[0].0;
    assert!(all.starts_with(got.as_str()), "{got}");
    assert!(got.ends_with("forgotten: -1\n"), "{got}");
}
