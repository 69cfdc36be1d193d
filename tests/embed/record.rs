//! The VM as a library: runs that are recorded and replayed, and faults.

use crate::common::embed::{CALC, builder, class_path, engine, failure};
use crate::common::run::{Run, vm};
use crate::common::work_dir;
use rjvm::{Context, Error, Faults, Grants, MemoryFiles, Stdin, Vm, VmBuilder};
use std::path::PathBuf;

/// A place for a recording.
fn file(name: &str) -> PathBuf {
    let dir = work_dir().join("run");
    std::fs::create_dir_all(&dir).expect("a folder");
    dir.join(format!("embedded-{name}.rec"))
}

/// All that a run shows.
fn seen(vm: &mut Vm, code: i32) -> (i32, String, String, u64, String) {
    let profile = vm.profile_of_all().expect("a profile");
    let contexts = format!("{:?}", profile.totals());
    let executed = vm.executed().bytecodes;
    (code, vm.stdout_text(), vm.stderr_text(), executed, contexts)
}

#[test]
fn a_program_is_replayed_without_what_it_had() -> Result<(), Error> {
    for (name, deterministic) in [("program", true), ("undetermined", false)] {
        let file = file(name);
        let recorded = {
            let grants = Grants::launcher();
            let recorded = builder().grants(grants).deterministic(deterministic);
            let recorded = recorded.property("app.own", "yes").seed(77).quantum(5_000);
            let mut vm = recorded
                .stdin(Stdin::bytes("typed in\nmore\n"))
                .record(&file)
                .build()?;
            let code = vm.run_main("app.Main", ["echo"])?;
            vm.finish()?;
            vm.finish()?;
            seen(&mut vm, code)
        };
        assert!(recorded.1.contains("typed in"), "{}", recorded.1);
        // fuel and what is recorded of contexts are no part of it
        let mut vm = engine().vm().replay(&file).build()?;
        vm.set_fuel(vm.executed().bytecodes / 2);
        let mut ended = vm.run_main("app.Main", ["echo"]);
        while let Err(Error::OutOfFuel) = ended {
            vm.add_fuel(100_000);
            ended = vm.resume();
        }
        vm.finish()?;
        assert_eq!(seen(&mut vm, ended?), recorded);
    }
    Ok(())
}

#[test]
fn what_parts_from_a_recording_is_an_error() -> Result<(), Error> {
    let file = file("parts");
    let calc = |b: VmBuilder| {
        b.build()
            .and_then(|mut vm| vm.call::<i64>(CALC, "run", (9,)))
    };
    let time = |vm: &mut Vm| vm.call::<i64>("java.lang.System", "nanoTime", ());
    let mut vm = builder().deterministic(false).record(&file).build()?;
    let then = time(&mut vm)?;
    drop(vm);
    // the same call, then one more
    let mut vm = engine().vm().replay(&file).build()?;
    assert_eq!(time(&mut vm)?, then);
    let Err(Error::Replay(text)) = time(&mut vm) else {
        panic!("there was one look at the clock");
    };
    assert!(text.contains("the end, with exit code 0"), "{text}");
    assert!(text.contains("Host::nano_time()"), "{text}");
    assert!(matches!(time(&mut vm), Err(Error::Replay(_))));
    assert!(matches!(vm.finish(), Err(Error::Replay(_))));
    // an end too early
    let mut vm = engine().vm().replay(&file).build()?;
    assert!(matches!(vm.finish(), Err(Error::Replay(_))));
    // a file that is cut
    let whole = std::fs::read(&file).expect("a recording");
    std::fs::write(&file, &whole[..whole.len() - 20]).expect("a file");
    let text = failure(calc(engine().vm().replay(&file)));
    assert!(text.contains("the recording ends here"), "{text}");
    std::fs::write(&file, "something else").expect("a file");
    let text = failure(calc(engine().vm().replay(&file)));
    assert!(text.contains("cannot replay"), "{text}");
    Ok(())
}

#[test]
fn recordings_of_the_command_and_of_embedded_vms_are_distinguished() -> Result<(), Error> {
    let (embedded, own) = (file("embedded"), file("command"));
    drop(builder().record(&embedded).build()?);
    let refused = Run::new(&vm(), "replay-embedded")
        .arg("replay")
        .arg(&embedded)
        .finish();
    assert_eq!(refused.exit, 1);
    assert!(refused.err().contains("embedded"), "{}", refused.err());
    let recorded = Run::new(&vm(), "record-command")
        .arg(format!("--record={}", own.display()))
        .arg("-cp")
        .arg(class_path())
        .args(["app.Main", "exit"])
        .finish();
    assert_eq!(recorded.exit, 7, "{}", recorded.err());
    let text = failure(engine().vm().replay(&own).build().map(drop));
    assert!(text.contains("rjvm replay"), "{text}");
    let nowhere = file("no-folder").join("x");
    let text = failure(builder().record(nowhere).build().map(drop));
    assert!(text.contains("cannot write the recording"), "{text}");
    Ok(())
}

#[test]
fn faults_follow_the_seed_and_are_reported() -> Result<(), Error> {
    let run = |plan: &str, seed| -> Result<_, Error> {
        let files = MemoryFiles::new();
        let grants = Grants::none().memory_files(&files);
        let plan = Faults::parse(plan).expect("a plan");
        let mut vm = builder().grants(grants).faults(plan).seed(seed).build()?;
        let out = vm.new_object("java.io.FileOutputStream", ("/f",))?;
        let written = out.call::<()>(&mut vm, "write", (vec![7u8; 100],));
        let written = written.map_err(|e| e.exception().expect("thrown").message.clone());
        Ok((written, vm.faults(), files.read("/f").unwrap_or_default()))
    };
    let (written, faults, contents) = run("disk-full@10", 1)?;
    assert_eq!(
        written.unwrap_err().as_deref(),
        Some("No space left on device")
    );
    assert_eq!(contents, [7; 10]);
    let kinds: Vec<&str> = faults.iter().map(|f| &*f.kind).collect();
    assert_eq!(kinds, ["disk-full", "disk-full"]);
    assert!(faults[0].request.starts_with("Descriptors::write("));
    assert!(faults[0].bytecode > 0);
    let (written, faults, contents) = run("short-io:70%", 2)?;
    assert_eq!((written, contents), (Ok(()), vec![7; 100]));
    assert!(!faults.is_empty());
    assert_eq!(run("short-io:70%", 2)?.1, faults);
    assert_ne!(run("short-io:70%", 3)?.1, faults);
    Ok(())
}

#[test]
fn allocations_fail_by_number() -> Result<(), Error> {
    let file = file("oom");
    let run = |vm: &mut Vm| -> Result<_, Error> {
        let list = vm.new_object("java.util.ArrayList", ())?;
        let mut added = 0;
        let failed = loop {
            match list.call::<bool>(vm, "add", (added,)) {
                Ok(_) => added += 1,
                Err(e) => break e.exception().expect("thrown").class.clone(),
            }
        };
        // there is room again
        assert!(list.call::<bool>(vm, "add", (added,))?);
        Ok((failed, added, vm.faults()))
    };
    let plan = |n| Faults::parse(&format!("oom@{n}")).expect("a plan");
    let mut vm = builder().faults(plan(2000)).record(&file).build()?;
    let (failed, added, faults) = run(&mut vm)?;
    assert_eq!(failed, "java.lang.OutOfMemoryError");
    assert!(faults[0].request.starts_with("allocation 2000, of "));
    vm.finish()?;
    let mut again = engine().vm().replay(&file).build()?;
    assert_eq!(run(&mut again)?, (failed.clone(), added, faults));
    again.finish()?;
    let mut vm = builder().faults(plan(2100)).build()?;
    assert!(run(&mut vm)?.1 > added + 50);
    Ok(())
}

#[test]
fn each_limit_of_the_builder_holds() -> Result<(), Error> {
    let refused = |result: Result<(), Error>, what: &str| {
        let Err(Error::Exception(e)) = result else {
            panic!("{what}: {result:?}");
        };
        assert_eq!(e.class, "java.lang.OutOfMemoryError", "{what}");
    };
    // classes of the JDK are not refused
    let mut vm = builder().metaspace(1 << 20).build()?;
    refused(vm.class(CALC).map(drop), "metaspace");
    let mut vm = builder().off_heap(16 << 20).build()?;
    let buffers = "java.nio.ByteBuffer";
    refused(vm.call(buffers, "allocateDirect", (64 << 20,)), "off-heap");
    // a native's, which says no more
    let mut vm = builder().off_heap(4 << 20).build()?;
    let error = loop {
        if let Err(e) = vm.new_object("java.util.zip.Deflater", ()) {
            break e;
        }
    };
    let e = error.exception().expect("thrown");
    let reported = (e.class.as_str(), e.message.as_deref());
    assert_eq!(reported, ("java.lang.OutOfMemoryError", None));
    let mut vm = builder().threads(3).build()?;
    let thread = vm.new_object("java.lang.Thread", ("one too many",))?;
    refused(thread.call(&mut vm, "start", ()), "threads");
    Ok(())
}
