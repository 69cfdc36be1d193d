//! `WatchService`: the events of folders in memory equal HotSpot's for folders on a disk (`Watch.out`), and are the same in
//! every run.

use crate::common::embed::engine;
use crate::common::run::vm;
use crate::common::{jdk, tests_dir, work_dir};
use rjvm::{Context, Error, Grants, MemoryFiles, Vm};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

fn classes() -> PathBuf {
    let dir = tests_dir().join("repeated/watch");
    jdk::compile("watch", &[dir.join("Watch.java")], &[], &dir.join("none"))
}

fn reported_by_hotspot() -> String {
    std::fs::read_to_string(tests_dir().join("repeated/watch/Watch.out")).expect("a file")
}

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let dir = work_dir().join("run").join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a folder");
    dir
}

fn assert_lines(got: &str, want: &str, what: &str) {
    let differ = got.lines().zip(want.lines()).find(|(a, b)| a != b);
    assert_eq!(differ, None, "{what}");
    assert_eq!(got.lines().count(), want.lines().count(), "{what}");
}

#[test]
fn folders_of_the_machine_are_watched() {
    for (name, options) in [("watch", &[][..]), ("watch-det", &["--deterministic"])] {
        let out = Command::new(vm())
            .args(options)
            .arg("-cp")
            .arg(classes())
            .arg("Watch")
            .arg(folder(name))
            .output()
            .expect("the VM starts");
        assert_eq!(String::from_utf8_lossy(&out.stderr), "");
        let text = String::from_utf8_lossy(&out.stdout);
        assert_lines(&text, &reported_by_hotspot(), name);
    }
}

/// Runs the program in a VM that is granted this.
fn run(grants: Grants, at: &str) -> Result<Vm, Error> {
    let vm = engine().vm().heap(64 << 20).class_path([classes()]);
    let mut vm = vm.grants(grants).build()?;
    let code = vm.run_main("Watch", [at])?;
    assert_eq!((code, &*vm.stderr_text()), (0, ""));
    Ok(vm)
}

#[test]
fn folders_in_memory_are_watched_like_those_on_a_disk() -> Result<(), Error> {
    let watch = || {
        let files = MemoryFiles::new().with("/dir/here", "").expect("room");
        let mut vm = run(Grants::none().memory_files(&files), "/dir")?;
        Ok::<_, Error>((vm.stdout_text(), vm.executed().bytecodes, vm.profile()?))
    };
    let first = watch()?;
    assert_lines(&first.0, &reported_by_hotspot(), "in memory");
    let again = watch()?;
    assert_eq!((&first.0, first.1), (&again.0, again.1));
    first.2.assert_same_contexts(&again.2);
    // contained, on a disk
    let real = Grants::none().write_dir(folder("watch-granted"), "/dir");
    assert_lines(&run(real, "/dir")?.stdout_text(), &first.0, "granted");
    Ok(())
}

#[test]
fn one_service_watches_memory_and_disk() -> Result<(), Error> {
    let source = r#"
        import java.nio.file.*;
        import static java.nio.file.StandardWatchEventKinds.*;
        class Both {
            static WatchService service;
            static void start() throws Exception {
                service = FileSystems.getDefault().newWatchService();
                for (String dir : new String[] {"/memory", "/disk"}) Path.of(dir).register(service, ENTRY_CREATE, ENTRY_DELETE);
            }
            static String next() throws Exception {
                WatchKey key = service.take();
                String told = key.watchable() + "";
                for (WatchEvent<?> e : key.pollEvents()) told += " " + e.kind() + " " + e.context();
                key.reset();
                return told;
            }
            static void stop() throws Exception {
                service.close();
            }
        }
    "#;
    let classes = engine().compile([("Both.java", source)])?;
    let disk = folder("watch-both");
    let files = MemoryFiles::new();
    let grants = Grants::none()
        .memory_dir(&files, "/memory")
        .write_dir(&disk, "/disk");
    let mut vm = engine().vm().classes(classes).grants(grants).build()?;
    vm.call::<()>("Both", "start", ())?;
    // from outside, while the program waits
    let meanwhile = |f: Box<dyn FnOnce() + Send>| {
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            f();
        })
    };
    let other = files.clone();
    let t = meanwhile(Box::new(move || other.write("/f", "f").expect("room")));
    let next = |vm: &mut Vm| vm.call::<String>("Both", "next", ());
    assert_eq!(next(&mut vm)?, "/memory ENTRY_CREATE f");
    t.join().expect("no panic");
    let file = disk.join("g");
    let t = meanwhile(Box::new(move || {
        std::fs::write(file, "g").expect("writable")
    }));
    assert_eq!(next(&mut vm)?, "/disk ENTRY_CREATE g");
    t.join().expect("no panic");
    vm.call::<()>("Both", "stop", ())
}
