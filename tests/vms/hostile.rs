//! Programs that try to reach what they were not granted, and to take more than they were given: each attempt ends in
//! the exception that Java has for it, and the embedder's process is as it was before. The outcome of each attempt is in
//! tests/vms/hostile/*.out; `BLESS=1` rewrites the files: then look at the changes.

use crate::common::guest::{Guest, options, report_end};
use crate::common::{jdk, tests_dir, work_dir};
use rjvm_hosts::{
    Clock, Grants, HostLimit, HostLimits, Limited, MemoryFiles, Network, StandardStreams, Usage,
};
use rjvm_vm::startup::CallStop;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

fn classes() -> PathBuf {
    let sources = [tests_dir().join("vms/hostile/Hostile.java")];
    let exports = ["--add-exports", "java.base/jdk.internal.access=ALL-UNNAMED"];
    jdk::compile("hostile", &sources, &exports, &work_dir().join("none"))
}

/// What a program writes.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().expect("no panic")).into_owned()
    }
}

impl Write for Output {
    fn write(&mut self, buf: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(buf);
        Ok(buf.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Runs `Hostile.name()` with these grants; what it wrote.
fn run(name: &str, grants: &Grants, limits: HostLimits) -> (String, Usage) {
    let output = Output::default();
    let streams = StandardStreams {
        output: Some(Box::new(output.clone())),
        error: Some(Box::new(output.clone())),
        ..StandardStreams::default()
    };
    let java_home = jdk::java_home();
    let host = grants.host(java_home, streams).expect("a host");
    let limited = Limited::new(host, limits);
    let usage = limited.usage();
    let secret = secret();
    let mut o = options(Some(&classes()));
    o.properties
        .push(("hostile.secret".into(), secret.display().to_string()));
    let mut guest = Guest::boot_on(o, Box::new(limited));
    let m = guest.method("Hostile", name, "()I");
    let ended = guest.vm.call_on(guest.main, m, &[]);
    let ended = ended.map_err(|stop| report_end(&mut guest.vm, stop));
    drop(guest);
    let text = output.text();
    assert_eq!(ended.map(|v| v.int()), Ok(0), "{text}");
    assert_eq!(std::fs::read_to_string(&secret).expect("is there"), SECRET);
    let places = [
        (secret.as_path(), "SECRET"),
        (secret.parent().expect("a folder"), "NEAR"),
        (java_home, "JAVA_HOME"),
    ];
    let text = places.iter().fold(text, |text, (path, name)| {
        text.replace(&path.display().to_string(), name)
    });
    (text, usage)
}

const SECRET: &str = "sentinel: nobody reads or changes this\n";

/// A file that no program is granted.
fn secret() -> PathBuf {
    let file = work_dir().join("run/hostile-secret.txt");
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        std::fs::create_dir_all(work_dir().join("run")).expect("the target directory is writable");
        std::fs::write(&file, SECRET).expect("the target directory is writable");
    });
    file
}

/// A folder with all sorts of things a program may run into, and one it may write to.
fn folders(name: &str) -> (PathBuf, PathBuf) {
    let dir = work_dir().join("run").join(format!("hostile-{name}"));
    let _ = std::fs::remove_dir_all(&dir);
    let (inside, outside) = (dir.join("in"), dir.join("out"));
    for folder in [&inside, &outside, &outside.join("sub")] {
        std::fs::create_dir_all(folder).expect("the target directory is writable");
    }
    std::fs::write(inside.join("file.txt"), "in a folder").expect("writable");
    std::fs::write(outside.join("file.txt"), "in a folder").expect("writable");
    let link = |target: &Path, name: &str| {
        std::os::unix::fs::symlink(target, inside.join(name)).expect("the file system has links");
    };
    link(Path::new("file.txt"), "inside");
    link(&secret(), "absolute");
    link(Path::new("../../hostile-secret.txt"), "relative");
    link(Path::new("/"), "folder");
    link(Path::new("/proc"), "proc");
    link(Path::new("/proc/self/cwd"), "self");
    let status = Command::new("mkfifo").arg(inside.join("pipe")).status();
    assert!(status.is_ok_and(|s| s.success()));
    (inside, outside)
}

/// Compares the output of a program with its golden file.
fn check(name: &str, got: &str) {
    let file = tests_dir().join(format!("vms/hostile/{name}.out"));
    if std::env::var_os("BLESS").is_some() {
        return std::fs::write(&file, got).expect("the folder is writable");
    }
    let want = std::fs::read_to_string(&file).expect("a golden file");
    let mut lines = got.lines().zip(want.lines());
    if let Some((got, want)) = lines.find(|(a, b)| a != b) {
        panic!("{name}:\n got {got}\nwant {want}");
    }
    assert_eq!(got, want, "{name}");
}

/// Open descriptors of this process that lead into these folders (other tests have others open at the same time).
fn inside_of(dirs: &[&Path]) -> usize {
    let entries = std::fs::read_dir("/proc/self/fd").expect("Linux");
    let targets = entries.filter_map(|e| std::fs::read_link(e.ok()?.path()).ok());
    targets
        .filter(|t| dirs.iter().any(|d| t.starts_with(d)))
        .count()
}

fn unlimited() -> HostLimits {
    HostLimits::NONE
}

#[test]
fn nothing_is_granted() {
    for name in ["files", "network", "processes"] {
        check(name, &run(name, &Grants::none(), unlimited()).0);
    }
}

#[test]
fn folders_are_not_left() {
    let (inside, outside) = folders("mounts");
    // the path of a socket has at most a hundred bytes: the folder goes by its descriptor
    let folder = std::fs::File::open(&inside).expect("a folder");
    let socket = format!("/proc/self/fd/{}/socket", folder.as_raw_fd());
    let listener = UnixListener::bind(socket).expect("a socket");
    drop(folder);
    let files = MemoryFiles::new();
    let grants = Grants::none()
        .memory_files(&files)
        .read_dir(&inside, "/in")
        .write_dir(&outside, "/out");
    let before = shape(&inside);
    check("mounts", &run("mounts", &grants, unlimited()).0);
    drop(listener);
    assert_eq!(shape(&inside), before);
    let names: Vec<String> = shape(&outside).into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, ["file.txt", "made.txt", "moved.txt", "sub"]);
    assert_eq!(files.list(), [] as [&str; 0]);
}

/// Names, sizes, permissions and times in a folder.
fn shape(dir: &Path) -> Vec<(String, u64, u32, i64)> {
    let entries = std::fs::read_dir(dir).expect("a folder").flatten();
    let mut all: Vec<_> = entries
        .map(|e| {
            let m = e.path().symlink_metadata().expect("is there");
            let name = e.file_name().to_string_lossy().into_owned();
            (name, m.len(), m.permissions().mode(), m.mtime())
        })
        .collect();
    all.sort();
    all
}

#[test]
fn loopback_reaches_this_machine_only() {
    let grants = Grants::none().network(Network::Loopback).clock(Clock::Real);
    check("loopback", &run("loopback", &grants, unlimited()).0);
}

#[test]
fn bombs_end_at_their_limits() {
    let files = MemoryFiles::with_limit(1 << 20);
    let grants = Grants::none().memory_files(&files);
    check("fileBomb", &run("fileBomb", &grants, unlimited()).0);
    assert!(files.exceeded() && files.used() <= 1 << 20);

    let limits = HostLimits {
        open_files: Some(40),
        ..unlimited()
    };
    let (text, usage) = run("descriptorBomb", &Grants::none(), limits);
    check("descriptorBomb", &text);
    assert_eq!(usage.hit(), [HostLimit::OpenFiles]);

    let (_, outside) = folders("output");
    let limits = HostLimits {
        output_bytes: Some(100_000),
        ..unlimited()
    };
    let grants = Grants::none().write_dir(&outside, "/out");
    let (text, usage) = run("outputBomb", &grants, limits);
    assert_eq!((text.len(), usage.written()), (100_000, 100_000));
    assert_eq!(usage.hit(), [HostLimit::OutputBytes]);
    // making a file is output, too
    assert!(!outside.join("full.txt").exists());
}

#[test]
fn wild_addresses_are_errors() {
    check("wild", &run("wild", &Grants::none(), unlimited()).0);
}

#[test]
fn a_program_that_may_exit_ends_its_vm_only() {
    let host = Grants::none()
        .exit(true)
        .host(jdk::java_home(), StandardStreams::null());
    let mut guest = Guest::boot_on(options(Some(&classes())), host.expect("a host"));
    let m = guest.method("Hostile", "exit", "()I");
    let ended = guest.vm.call_on(guest.main, m, &[]);
    assert!(matches!(ended, Err(CallStop::Exit(3))), "{ended:?}");
}

#[test]
fn nothing_stays_open() {
    let (inside, outside) = folders("open");
    let files = MemoryFiles::new();
    let grants = Grants::none()
        .memory_files(&files)
        .read_dir(&inside, "/in")
        .write_dir(&outside, "/out");
    let mut counts = Vec::new();
    for name in ["leave", "leave", "descriptorBomb"] {
        let limits = HostLimits {
            open_files: Some(100),
            ..unlimited()
        };
        run(name, &grants, limits);
        counts.push(inside_of(&[&inside, &outside]));
    }
    assert_eq!(counts, [0, 0, 0]);
    // files in memory that are open without a name are gone as well
    assert_eq!(files.list(), ["/kept"]);
    assert_eq!(files.read("/kept").expect("is there"), b"kept");
}
