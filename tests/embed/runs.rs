//! The VM as a library: fuel, abandoned calls, programs, output, profiles, threads.

use crate::common;
use crate::common::embed::{CALC, builder, failure, vm};
use rjvm::{Context, Error, Object, Stdin, Stdio, Vm};
use std::sync::{Arc, Mutex};

#[test]
fn fuel_ends_and_is_resumed_at_any_bytecode() -> Result<(), Error> {
    let whole = {
        let vm = &mut vm();
        let before = vm.executed().bytecodes;
        let slow: i32 = vm.get_static("app.Calc$Slow", "value")?;
        assert_eq!(vm.call::<i64>(CALC, "run", (1000,))?, 499_500);
        (slow, vm.executed().bytecodes - before, vm.profile()?)
    };
    for cut in [1, 7, 1_000, 99_991, 1_000_003] {
        let vm = &mut vm();
        let before = vm.executed().bytecodes;
        vm.set_fuel(cut);
        let mut stops = 0;
        let mut slow = vm.get_static::<i32>("app.Calc$Slow", "value");
        while let Err(Error::OutOfFuel) = slow {
            stops += 1;
            assert_eq!(vm.fuel(), Some(0));
            assert_eq!(
                vm.executed().bytecodes - before,
                cut * stops.min(50) + stops.saturating_sub(50) * 1_000_003
            );
            assert!(vm.is_suspended());
            assert!(matches!(
                vm.call::<i64>(CALC, "run", (1,)),
                Err(Error::Suspended)
            ));
            vm.add_fuel(if stops < 50 { cut } else { 1_000_003 });
            slow = vm.resume();
        }
        assert!(stops > 3, "{stops}");
        assert_eq!(slow?, whole.0);
        vm.set_fuel(None);
        assert_eq!(vm.call::<i64>(CALC, "run", (1000,))?, 499_500);
        assert_eq!(vm.executed().bytecodes - before, whole.1);
        whole.2.assert_same_contexts(&vm.profile()?);
        assert!(matches!(vm.resume::<i32>(), Err(Error::NotSuspended)));
        assert!(vm.abandon().is_ok(), "there is nothing to give up");
    }
    Ok(())
}

#[test]
fn a_call_can_be_abandoned() -> Result<(), Error> {
    let vm = &mut vm();
    vm.set_fuel(1_000_000);
    assert!(matches!(
        vm.call::<i32>(CALC, "forever", ()),
        Err(Error::OutOfFuel)
    ));
    let profile = vm.profile()?;
    assert!(profile.bytecodes_of("app.Calc.forever") > 900_000);
    // what it shows is stopped
    assert!(vm.get_static::<i32>(CALC, "calls").is_err());
    vm.abandon()?;
    vm.set_fuel(None);
    // its monitors are free, for its thread and for others
    assert_eq!(vm.call::<i32>(CALC, "afterForever", ())?, 5);
    assert_eq!(vm.call::<String>(CALC, "fromOtherThread", ())?, "free");
    // an initialization that was abandoned has failed
    vm.set_fuel(500_000);
    assert!(matches!(
        vm.get_static::<i32>("app.Calc$Slow", "value"),
        Err(Error::OutOfFuel)
    ));
    vm.abandon()?;
    vm.set_fuel(None);
    let text = failure(vm.get_static::<i32>("app.Calc$Slow", "value"));
    assert!(
        text.contains("Could not initialize class app.Calc$Slow"),
        "{text}"
    );
    vm.collect_garbage();
    assert_eq!(vm.call::<i64>(CALC, "run", (4,))?, 6);
    assert_eq!(
        vm.profile()?.bytecodes_of("app.Calc.forever"),
        profile.bytecodes_of("app.Calc.forever")
    );
    Ok(())
}

#[test]
fn a_deadlock_is_reported_and_the_vm_goes_on() -> Result<(), Error> {
    let vm = &mut vm();
    let Err(Error::Deadlock(report)) = vm.call::<()>(CALC, "stuck", ()) else {
        panic!("it waits for nobody");
    };
    assert!(report.contains("app.Calc.stuck(Calc.java:"), "{report}");
    assert_eq!(vm.call::<i32>(CALC, "afterForever", ())?, 5);
    assert_eq!(vm.call::<String>(CALC, "fromOtherThread", ())?, "free");
    Ok(())
}

#[test]
fn programs_run_as_the_launcher_runs_them() -> Result<(), Error> {
    let run = |args: &[&str]| -> Result<_, Error> {
        let mut vm = builder().stdin(Stdin::bytes("typed in\nmore\n")).build()?;
        let code = vm.run_main("app.Main", args)?;
        assert!(matches!(vm.call::<i64>(CALC, "run", (1,)), Err(Error::Exit(c)) if c == code));
        assert!(matches!(vm.run_main("app.Main", args), Err(Error::Exit(c)) if c == code));
        Ok((code, vm.stdout_text(), vm.stderr_text()))
    };
    assert_eq!(
        run(&["a", "ü"])?,
        (0, "a,ü\nother thread\nhook\n".into(), String::new())
    );
    assert_eq!(
        run(&["echo"])?,
        (
            0,
            "echo\nother thread\ntyped in\nhook\n".into(),
            String::new()
        )
    );
    let (code, out, err) = run(&["exit"])?;
    assert_eq!((code, &*err), (7, ""));
    assert!(
        out.starts_with("exit\n") && out.ends_with("hook\n"),
        "{out}"
    );
    let (code, out, err) = run(&["throw"])?;
    assert_eq!((code, &*out), (1, "throw\nother thread\nhook\n"));
    assert!(err.starts_with("Exception in thread \"main\" java.lang.IllegalStateException: for the launcher\n\tat app.Main.main(Main.java:"), "{err}");
    let mut vm = vm();
    assert_eq!(vm.run_main("app.Nowhere", [""; 0])?, 1);
    assert!(
        vm.stderr_text()
            .contains("Could not find or load main class app.Nowhere")
    );
    Ok(())
}

#[test]
fn a_program_is_resumed_wherever_it_was_stopped() -> Result<(), Error> {
    let whole = {
        let mut vm = vm();
        vm.run_main("app.Main", ["a"])?;
        (vm.stdout(), vm.executed().bytecodes, vm.profile()?)
    };
    for cut in [997, 10_007] {
        let mut vm = vm();
        vm.set_fuel(cut);
        let mut stops = 0;
        let mut code = vm.run_main("app.Main", ["a"]);
        while let Err(Error::OutOfFuel) = code {
            stops += 1;
            vm.add_fuel(cut);
            code = vm.resume();
        }
        assert_eq!(code?, 0);
        assert!(stops > 10);
        assert_eq!(
            (vm.stdout(), vm.executed().bytecodes),
            (whole.0.clone(), whole.1)
        );
        whole.2.assert_same_contexts(&vm.profile()?);
    }
    Ok(())
}

#[test]
fn output_is_captured_streamed_or_dropped() -> Result<(), Error> {
    let pieces = Arc::new(Mutex::new(Vec::new()));
    let kept = pieces.clone();
    let mut vm = builder()
        .stdout(Stdio::call(move |bytes| {
            kept.lock().expect("no panic").extend_from_slice(bytes)
        }))
        .stderr(Stdio::null())
        .build()?;
    assert_eq!(vm.run_main("app.Main", ["throw"])?, 1);
    assert_eq!(
        *pieces.lock().expect("no panic"),
        b"throw\nother thread\nhook\n"
    );
    assert_eq!((vm.stdout(), vm.stderr()), (Vec::new(), Vec::new()));
    let mut vm = vm_taking()?;
    assert_eq!(vm.take_stdout(), b"x\n");
    assert_eq!(vm.take_stdout(), b"");
    Ok(())
}

fn vm_taking() -> Result<Vm, Error> {
    let mut vm = vm();
    let out: Object = vm.get_static("java.lang.System", "out")?;
    out.call::<()>(&mut vm, "println", ("x",))?;
    Ok(vm)
}

#[test]
fn profiles_are_of_the_embedders_calls() -> Result<(), Error> {
    let vm = &mut builder().allocations(true).sampling(1000).build()?;
    assert!(vm.profile()?.flat().is_empty());
    vm.call::<i64>(CALC, "run", (10,))?;
    vm.call::<i64>(CALC, "run", (20,))?;
    let profile = vm.profile()?;
    let run = profile.method("app.Calc.run").expect("it ran");
    assert_eq!(run.calls, 2);
    // 8 before and after the loop, 8 in each round, 3 to leave it
    let rounds = |n: u64| (run.bytecodes - n * 30) / 2;
    assert_eq!(rounds(7) * 2 + 7 * 30, run.bytecodes);
    assert!(profile.method("java.lang.System.initPhase1").is_none());
    assert!(
        vm.profile_of_all()?
            .method("java.lang.System.initPhase1")
            .is_some()
    );
    assert_eq!(vm.totals()?.bytecodes, profile.totals().bytecodes);
    vm.call::<i32>(CALC, "churn", (1000,))?;
    let profile = vm.profile()?;
    let churn = profile.method("app.Calc.churn").expect("it ran");
    assert_eq!(
        (churn.allocated.objects, churn.allocated.bytes),
        (1000, 1000 * (8 + 8 + 400))
    );
    let samples = vm.samples()?;
    assert!(samples.calls_of("app.Calc.churn") > 3);
    Ok(())
}

#[test]
fn runs_repeat_and_vms_share_an_engine_on_many_threads() {
    let run = || -> Result<_, Error> {
        let mut vm = builder().build()?;
        let code = vm.run_main("app.Main", ["a"])?;
        let random: f64 = {
            let mut other = builder().seed(9).build()?;
            other.call("java.lang.Math", "random", ())?
        };
        let text = common::guest::text(&vm.profile_of_all()?);
        Ok((code, vm.stdout(), vm.executed(), random.to_bits(), text))
    };
    let want = run().expect("it runs");
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(run)).collect();
    for thread in threads {
        let got = thread.join().expect("no panic").expect("it runs");
        assert!(got == want);
    }
}

#[test]
fn a_vm_may_move_to_another_thread_between_calls() {
    let mut vm = vm();
    let object = vm.new_object(CALC, ("a", 1)).expect("an object");
    let (mut vm, object) = std::thread::spawn(move || {
        assert_eq!(object.call::<i32>(&mut vm, "add", (1,)).expect("a sum"), 2);
        vm.set_fuel(1000);
        assert!(matches!(
            vm.call::<i64>(CALC, "run", (1000,)),
            Err(Error::OutOfFuel)
        ));
        (vm, object)
    })
    .join()
    .expect("no panic");
    vm.set_fuel(None);
    assert_eq!(vm.resume::<i64>().expect("a sum"), 499_500);
    assert_eq!(object.get::<i32>(&mut vm, "count").expect("a field"), 2);
}

#[test]
fn a_call_is_abandoned_while_another_thread_runs() -> Result<(), Error> {
    for cut in (0..8).map(|n| 2_000_000 + n * 337_117) {
        let vm = &mut vm();
        vm.set_fuel(cut);
        assert!(matches!(
            vm.call::<()>(CALC, "overtaken", ()),
            Err(Error::OutOfFuel)
        ));
        vm.abandon()?;
        vm.set_fuel(None);
        vm.collect_garbage();
        assert_eq!(vm.call::<i32>(CALC, "churn", (50_000,))?, 5_000_000);
        assert_eq!(vm.call::<i32>(CALC, "churn", (50_000,))?, 5_000_000);
        assert_eq!(vm.call::<i32>(CALC, "joined", ())?, 3);
    }
    Ok(())
}

#[test]
fn a_call_is_cancelled_from_another_thread() -> Result<(), Error> {
    let vm = &mut vm();
    let canceller = vm.canceller();
    let asking = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(300));
        canceller.cancel();
    });
    let error = vm.call::<i32>(CALC, "forever", ());
    assert!(matches!(error, Err(Error::Cancelled)), "{error:?}");
    asking.join().expect("no panic");
    vm.abandon()?;
    assert_eq!(vm.call::<i32>(CALC, "afterForever", ())?, 5);
    vm.set_wall_time(std::time::Duration::from_millis(100))?;
    let error = vm.call::<i32>(CALC, "forever", ());
    assert!(matches!(error, Err(Error::Limit(_))), "{error:?}");
    vm.set_wall_time(None)?;
    vm.abandon()?;
    assert_eq!(vm.call::<i32>(CALC, "afterForever", ())?, 5);
    Ok(())
}

/// Deterministic, and with nothing granted.
#[test]
fn a_program_has_folders_of_its_own() -> Result<(), Error> {
    let vm = &mut vm();
    let file: Object = vm.call("java.io.File", "createTempFile", ("xyz", ".txt"))?;
    let path: String = file.call(vm, "getPath", ())?;
    assert!(path.starts_with("/rjvm/tmp/xyz"), "{path}");
    for folder in ["java.io.tmpdir", "user.home"] {
        let folder: String = vm.call("java.lang.System", "getProperty", (folder,))?;
        let name = format!("{folder}/own");
        let out = vm.new_object("java.io.FileOutputStream", (&*name,))?;
        out.call::<()>(vm, "write", (b"text".to_vec(),))?;
        out.call::<()>(vm, "close", ())?;
        let file = vm.new_object("java.io.File", (&*name,))?;
        assert_eq!(file.call::<i64>(vm, "length", ())?, 4, "{name}");
        assert_eq!(file.call::<String>(vm, "getCanonicalPath", ())?, name);
    }
    // nothing is made elsewhere
    let elsewhere = vm.new_object("java.io.FileOutputStream", ("/own",));
    assert!(failure(elsewhere.map(drop)).contains("Permission denied"));
    Ok(())
}
