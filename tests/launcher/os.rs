//! What programs meet outside: closed and few descriptors, limits, signals, files that others cut, and
//! descriptors that are none of theirs.

use crate::common;
use crate::common::{jdk, tests_dir, work_dir};
use rjvm_jdk_stubs::os::{OsFiles, OsHost, StandardStreams};
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{Address, Errno, Host, Lock, Poll, SeekOrigin, Times};
use rjvm_vm::offheap::Access;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn classes() -> PathBuf {
    let sources = ["Outside", "Direct"].map(|s| tests_dir().join(format!("launcher/os/{s}.java")));
    jdk::compile("os", &sources, &["-nowarn"], &work_dir().join("none"))
}

/// A separate folder for a run.
fn folder(name: &str) -> PathBuf {
    let dir = work_dir().join("run").join(format!("os-{name}"));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    dir
}

/// Runs `Outside` under a shell: `around` is a line of it with `VM` for the command.
fn under(name: &str, around: &str, options: &[&str], args: &[&str]) -> Output {
    let line = around.replace("VM", "\"$0\" \"$@\"");
    Command::new("bash")
        .args(["-c", &line])
        .arg(common::run::vm())
        .args(options)
        .arg("-cp")
        .arg(classes())
        .arg("Outside")
        .args(args)
        .current_dir(folder(name))
        .env("JAVA_HOME", jdk::java_home())
        .stdin(Stdio::null())
        .output()
        .expect("a shell")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_closed_standard_output_is_an_error() {
    let ran = under("closed", "exec VM >&-", &[], &["error"]);
    assert_eq!(text(&ran.stderr), "error true\n");
    assert!(ran.status.success());
    let ran = under("open", "exec VM", &[], &["error"]);
    assert_eq!(text(&ran.stderr), "error false\n");
    let null = under("null", "exec VM 1<>/dev/null", &[], &["error"]);
    assert_eq!(text(&null.stderr), "error false\n");
}

#[test]
fn five_descriptors_are_enough() {
    let ran = under("few", "ulimit -n 5; exec VM", &[], &["hello"]);
    assert_eq!(
        (text(&ran.stdout), text(&ran.stderr)),
        ("hello\n".into(), String::new())
    );
}

#[test]
fn files_that_get_too_large_are_errors_and_profiles_are_not_cut_silently() {
    let ran = under("large", "ulimit -f 100; exec VM", &[], &["large", "it"]);
    assert_eq!(
        text(&ran.stdout),
        "large java.io.IOException: File too large\n"
    );
    for file in ["p.rjp", "p.json", "p.html", "p.txt"] {
        let option = file.to_string();
        let options = ["--profile=callsites", "--quiet", "-o", &option];
        let ran = under("cut-profile", "ulimit -f 2; exec VM", &options, &["hello"]);
        let message = text(&ran.stderr);
        assert!(
            message.contains(file) && message.contains("File too large"),
            "{message}"
        );
        assert_eq!(ran.status.code(), Some(1), "{message}");
    }
}

#[test]
fn the_end_of_memory_for_contexts_leaves_a_whole_profile() {
    // contexts of frames that are open cannot be folded
    let options = [
        "-Xss1g",
        "--profile=exact",
        "--profile-memory=64k",
        "--quiet",
        "-o",
        "p.rjp",
    ];
    let ran = under("contexts", "exec VM", &options, &["deep"]);
    let message = text(&ran.stderr);
    assert_eq!(ran.status.code(), Some(71), "{message}");
    assert!(message.contains("no memory for more than "), "{message}");
    let path = work_dir().join("run/os-contexts/p.rjp");
    let profile = rjvm::profiler::Profile::read_file(&path).expect("a whole profile");
    let reported = profile.about.iter().find(|a| a.0 == "Incomplete");
    assert!(reported.expect("marked").1.contains("calling contexts"));
    assert!(profile.totals().bytecodes > 1_000_000);
}

#[test]
fn contexts_without_end_take_no_more_memory_than_there_is() {
    // a shell's `timeout` ends the program as a user would
    let options = ["-Xmx64m", "--profile=callsites", "--quiet", "-o", "p.rjp"];
    let limit = "ulimit -v 2500000; exec timeout -s TERM --preserve-status 6 VM";
    let ran = under("endless", limit, &options, &["contexts"]);
    assert_eq!(ran.status.code(), Some(143), "{}", text(&ran.stderr));
    let path = work_dir().join("run/os-endless/p.rjp");
    let profile = rjvm::profiler::Profile::read_file(&path).expect("a whole profile");
    assert!(
        profile.about.iter().any(|a| a.0 == "Truncated"),
        "{:?}",
        profile.about
    );
    let totals = profile.totals();
    assert!(totals.invocations > 10 * totals.nodes, "{totals:?}");
}

#[test]
fn a_profile_that_cannot_be_written_is_put_elsewhere() {
    for file in ["p.rjp", "p.html"] {
        let option = file.to_string();
        let options = ["--profile=exact", "--quiet", "-o", &option];
        let line = format!("ln -s /dev/full {file}; mkdir t; TMPDIR=$PWD/t exec VM");
        let ran = under("elsewhere", &line, &options, &["hello"]);
        let message = text(&ran.stderr);
        assert_eq!(ran.status.code(), Some(1), "{message}");
        assert!(
            message.contains(&format!(
                "rjvm: error: {file}: cannot write the profile: No space"
            )),
            "{message}"
        );
        let folder = work_dir().join("run/os-elsewhere/t");
        let mut files = std::fs::read_dir(folder).expect("the folder").flatten();
        let path = files.next().expect("a file").path();
        assert!(
            message.contains(&format!("the profile is in {} instead", path.display())),
            "{message}"
        );
        let profile = rjvm::profiler::Profile::read_file(&path).expect("a whole profile");
        assert!(profile.totals().bytecodes > 0);
        assert!(files.next().is_none(), "nothing else is left");
    }
}

/// What the device and the file system ask for is theirs, so HotSpot is run beside it.
#[test]
fn direct_transfers_are_those_of_hotspot() {
    let run = |vm: PathBuf, options: &[&str]| {
        let mut command = Command::new(vm);
        command.args(options).arg("-cp").arg(classes());
        command.arg("Direct").current_dir(folder("direct"));
        command.env("JAVA_HOME", jdk::java_home());
        let ran = command.output().expect("a VM");
        assert_eq!(
            (ran.status.code(), text(&ran.stderr)),
            (Some(0), String::new())
        );
        text(&ran.stdout)
    };
    let want = run(jdk::tool("java"), &[]);
    if want.starts_with("refused: ") {
        common::not_checked(&format!("direct transfers in the target directory: {want}"));
    }
    for options in [&[][..], &["--deterministic"]] {
        let got = run(common::run::vm(), options);
        assert_eq!(got, want, "{options:?}");
    }
    let refused = want.starts_with("refused: ");
    assert!(refused || want.contains("many: 4 blocks\n"), "{want}");
}

/// The class file of a class or an interface without members.
fn class_file(name: &str, before: Option<&str>, is_interface: bool) -> Vec<u8> {
    let object = "java/lang/Object";
    let superclass = before.filter(|_| !is_interface).unwrap_or(object);
    let interface = before.filter(|_| is_interface);
    let mut pool = vec![name, superclass];
    pool.extend(interface);
    let mut b = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 49];
    let u2 = |b: &mut Vec<u8>, n: usize| b.extend((n as u16).to_be_bytes());
    u2(&mut b, pool.len() * 2 + 1);
    for (i, text) in pool.iter().enumerate() {
        b.push(1);
        u2(&mut b, text.len());
        b.extend(text.bytes());
        b.push(7);
        u2(&mut b, 2 * i + 1);
    }
    u2(&mut b, if is_interface { 0x601 } else { 0x21 });
    u2(&mut b, 2);
    u2(&mut b, 4);
    u2(&mut b, interface.iter().len());
    if interface.is_some() {
        u2(&mut b, 6);
    }
    b.extend([0; 6]);
    b
}

#[test]
fn chains_of_thousands_of_classes_fill_the_stack_without_ending_the_process() {
    for (kind, is_interface) in [("class", false), ("interface", true)] {
        let dir = folder(&format!("chain-{kind}"));
        for i in 0..5000 {
            let before = (i > 0).then(|| format!("D{}", i - 1));
            let bytes = class_file(&format!("D{i}"), before.as_deref(), is_interface);
            std::fs::write(dir.join(format!("D{i}.class")), bytes).expect("a class file");
        }
        let boot = format!("-Xbootclasspath/a:{}", dir.display());
        for (name, want) in [
            ("D4999", "java.lang.StackOverflowError".to_string()),
            ("D300", format!("{kind} D300")),
        ] {
            let ran = under("chains", "exec VM", &[&boot], &["load", name]);
            assert_eq!(text(&ran.stdout), format!("{name} {want}\n"));
            assert_eq!(text(&ran.stderr), "");
        }
    }
}

#[test]
fn a_handler_for_a_signal_is_a_reason_to_wait() {
    for (name, number) in [
        ("TERM", libc::SIGTERM),
        ("USR2", libc::SIGUSR2),
        ("INT", libc::SIGINT),
    ] {
        let mut command = Command::new(common::run::vm());
        common::run::hear_signals(&mut command);
        let mut child = command
            .arg("-cp")
            .arg(classes())
            .args(["Outside", "signal", name])
            .env("JAVA_HOME", jdk::java_home())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the VM");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        assert_eq!(out.next().expect("a line").expect("text"), "ready");
        std::thread::sleep(std::time::Duration::from_millis(100));
        // SAFETY: no pointers; our own child, which has not been waited for.
        unsafe { libc::kill(child.id() as i32, number) };
        let line = out.next().map(|l| l.expect("text"));
        let ran = child.wait_with_output().expect("it ends");
        assert_eq!(
            line,
            Some(format!("got SIG{name}")),
            "{}",
            text(&ran.stderr)
        );
        assert!(ran.status.success(), "{name}");
    }
}

#[test]
fn no_native_dies_of_a_mapped_file_that_has_been_cut() {
    let ran = under("cut", "exec VM", &[], &["cut"]);
    let out = text(&ran.stdout);
    let fault = "java.lang.InternalError: a fault occurred in a recent unsafe memory access operation in compiled Java code";
    for what in [
        "crc",
        "adler",
        "inflate from",
        "inflate to",
        "deflate from",
        "deflate to",
        "write",
        "write at",
        "gather",
        "read",
    ] {
        let line = format!("{what} {fault}\n");
        assert!(out.contains(&line), "{what}: {out}{}", text(&ran.stderr));
    }
    assert!(
        out.contains("define java.lang.") && out.ends_with("still alive\n"),
        "{out}"
    );
}

#[test]
fn forged_descriptors_reach_nothing() {
    let options = ["--add-opens", "java.base/java.io=ALL-UNNAMED"];
    let line = "exec VM 9>secret 3<secret 77<>secret";
    let ran = under("forged", line, &options, &["forged"]);
    let out = text(&ran.stdout);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 7 * 6 + 1, "{out}{}", text(&ran.stderr));
    for line in &lines[..7 * 6] {
        assert!(
            line.ends_with("Bad file descriptor") || line.contains("SyncFailedException"),
            "{line}"
        );
    }
    assert_eq!(lines[7 * 6], "standard true");
    let secret = work_dir().join("run/os-forged/secret");
    assert_eq!(std::fs::read(secret).expect("made by the shell"), b"");
}

const BAD: Option<Errno> = Some(Errno(libc::EBADF));

/// Every operation on this number fails.
fn nothing_at(host: &mut dyn Host, fd: i32) {
    let mut buf = [0; 8];
    let times = Times {
        access: (0, 0),
        modified: (0, 0),
    };
    let lock = Lock {
        start: 0,
        len: 0,
        shared: None,
    };
    let d = host.descriptors();
    assert_eq!(d.read(fd, &mut buf).err(), BAD);
    assert_eq!(d.write(fd, &buf).err(), BAD);
    assert_eq!(d.pread(fd, &mut buf, 0).err(), BAD);
    assert_eq!(d.pwrite(fd, &buf, 0).err(), BAD);
    assert_eq!(d.seek(fd, 0, SeekOrigin::Current).err(), BAD);
    assert_eq!(d.truncate(fd, 0).err(), BAD);
    assert_eq!(d.stat(fd).err(), BAD);
    assert_eq!(d.stat_store(fd).err(), BAD);
    assert_eq!(d.sync(fd, true).err(), BAD);
    assert_eq!(d.close(fd).err(), BAD);
    assert_eq!(d.dup(fd).err(), BAD);
    assert_eq!(d.dup2(fd, 1).err(), BAD);
    assert_eq!(d.flags(fd).err(), BAD);
    assert_eq!(d.set_blocking(fd, false).err(), BAD);
    assert_eq!(d.set_direct(fd).err(), BAD);
    assert_eq!(d.available(fd).err(), BAD);
    assert_eq!(d.lock(fd, lock).err(), BAD);
    assert_eq!(d.chmod(fd, 0).err(), BAD);
    assert_eq!(d.chown(fd, -1, -1).err(), BAD);
    assert_eq!(d.set_times(fd, times).err(), BAD);
    assert_eq!(d.transfer(fd, 0, 1, fd).err(), BAD);
    assert_eq!(d.map(fd, 0, 1, Access::Read).err(), BAD);
    assert_eq!(d.get_attribute(fd, b"user.x", &mut buf).err(), BAD);
    assert_eq!(d.set_attribute(fd, b"user.x", &buf).err(), BAD);
    assert_eq!(d.remove_attribute(fd, b"user.x").err(), BAD);
    assert_eq!(d.list_attributes(fd, &mut buf).err(), BAD);
    assert_eq!(d.epoll_ready(fd, 1).err(), BAD);
    assert_eq!(d.echo(fd, true).err(), BAD);
    assert!(!d.is_terminal(fd));
    let mut polls = [Poll {
        fd,
        events: libc::POLLIN,
        revents: 0,
    }];
    assert_eq!(d.poll(&mut polls), Ok(1));
    assert_eq!(polls[0].revents, libc::POLLNVAL);
    assert_eq!(host.wait(&[(fd, 1)], None), [0]);
}

fn null() -> StandardStreams {
    StandardStreams::null()
}

#[test]
fn each_vm_of_a_process_has_its_own_descriptors() {
    let dir = folder("two");
    let path = |name: &str| dir.join(name).display().to_string().into_bytes();
    let (mut a, mut b) = (OsHost::with(null()), OsHost::with(null()));
    let flags = libc::O_RDWR | libc::O_CREAT;
    let mine = a
        .files()
        .open(HERE, &path("a"), flags, 0o600)
        .expect("a file");
    assert_eq!(a.descriptors().write(mine, b"a's"), Ok(3));
    nothing_at(&mut b, mine);
    let theirs = b
        .files()
        .open(HERE, &path("b"), flags, 0o600)
        .expect("a file");
    assert_eq!(theirs, mine, "numbers don't depend on what else is open");
    assert_eq!(b.descriptors().write(theirs, b"b"), Ok(1));
    assert_eq!(std::fs::read(dir.join("a")).expect("a file"), b"a's");
    assert_eq!(std::fs::read(dir.join("b")).expect("a file"), b"b");
    // a folder's descriptor is looked up in the same way
    assert_eq!(b.files().open(mine + 1, b"x", flags, 0o600).err(), BAD);
    assert_eq!(b.files().read_dir_of(mine + 1).err(), BAD);
    drop(a);
    assert_eq!(b.descriptors().seek(theirs, 0, SeekOrigin::Current), Ok(1));
}

#[test]
fn a_sandboxed_vm_reaches_none_of_the_process() {
    let dir = folder("sandbox");
    let keep = std::fs::File::create(dir.join("keep")).expect("a file");
    let mut host = OsHost::sandboxed(StandardStreams::default());
    for fd in 3..64 {
        nothing_at(&mut host, fd);
    }
    let mut buf = [0; 8];
    for fd in 0..3 {
        assert_eq!(host.descriptors().read(fd, &mut buf).err(), BAD);
        assert_eq!(host.descriptors().write(fd, &buf).err(), BAD);
        assert_eq!(host.descriptors().dup(fd).err(), BAD);
    }
    assert_eq!(
        host.files().open(HERE, b"/dev/null", 0, 0).err(),
        Some(Errno::DENIED)
    );
    assert_eq!(
        host.network().bind(3, &Address::Unix(Vec::new())).err(),
        Some(Errno::DENIED)
    );
    assert_eq!(host.watch_signal(libc::SIGUSR2).err(), Some(Errno::DENIED));
    assert_eq!(host.raise_signal(libc::SIGUSR2).err(), Some(Errno::DENIED));
    // what is given to it is there
    let fd = host.open.add(keep.into());
    assert_eq!(host.descriptors().write(fd, b"given"), Ok(5));
    host.files = Box::new(OsFiles::new(&host.open));
    let path = dir.join("keep").display().to_string().into_bytes();
    let again = host
        .files()
        .open(HERE, &path, libc::O_RDONLY, 0)
        .expect("a file");
    assert_eq!(host.descriptors().read(again, &mut buf), Ok(5));
}
