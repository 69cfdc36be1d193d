//! Runs a program on a VM: the steps of `java`'s launcher, then the profile.

use super::config::{Config, Task};
use super::parts::Parts;
use super::probed::Probed;
use super::program::{assembly, bad_jar, faults, find_jdk, program, stopped};
use super::record::{self, Replayed, recording};
use super::replay::Replay;
use super::report::{self, report};
use super::{
    check, codes, control, dump, event_log, hprof, jfr, locks, outputs, probes, search, stops,
    taken, test, watch, why, window,
};
use crate::agent::java::JavaAgent;
use crate::testing::ground;
use rjvm_run::assembly::NotMade;
use rjvm_run::tape::Tape;
use rjvm_vm::Vm;
use rjvm_vm::fault::contain;
use rjvm_vm::startup::Stop;
use rjvm_vm::threads::signals::Snapshot;
use rjvm_vm::vm::ProfileMode;
use std::fmt::Display;

/// Where a run has its host from.
pub enum Source<'a> {
    /// From here.
    Parts(&'a dyn Fn() -> Parts),
    /// From a recording.
    Recording(Replayed),
}

/// Runs what the command line asks for; the exit code.
pub fn run(config: Config, parts: impl Fn() -> Parts) -> i32 {
    if let Some(problem) = bad_jar(&config) {
        eprintln!("Error: {problem}");
        return 1;
    }
    if let Some(times) = config.check {
        return match Probed::new(config) {
            Ok(program) => check::check(&program, times, &parts),
            Err(problem) => {
                eprintln!("Error: {problem}");
                1
            }
        };
    }
    run_with(config, Source::Parts(&parts))
}

/// The same, perhaps of a replay.
pub fn run_with(mut config: Config, source: Source) -> i32 {
    let failed = |problem: &dyn Display| {
        eprintln!("Error: {problem}");
        1
    };
    if config.task == Task::Run
        && let Err(problem) = outputs::prepare(&mut config)
    {
        return failed(&problem);
    }
    if let Some(dir) = &config.dump_classes
        && let Err(problem) = dump::prepare(dir)
    {
        return failed(&problem);
    }
    let asked = match probes::read(&config) {
        Ok(asked) => asked,
        Err(problem) => return failed(&problem),
    };
    rjvm_jdk_stubs::os::memory::expect_a_vm();
    let library = match find_jdk(&mut config) {
        Ok(library) => library,
        Err(problem) => return failed(&problem),
    };
    asked.of_library(&library);
    let record = match recording(&config) {
        Ok(record) => record,
        Err(problem) => return failed(&problem),
    };
    let own = report::of_snapshot(&config)
        .map(|config| -> Snapshot { Box::new(move |vm: &mut Vm| report::snapshot(vm, &config)) });
    let (snapshot, (parts, tape)) = match source {
        Source::Parts(parts) => (own, (parts(), Tape::None)),
        Source::Recording(replayed) => (replayed.snapshot(own), replayed.parts()),
    };
    let agent = match config.agent.as_deref() {
        None => None,
        Some(_) if config.task != Task::Run => None,
        Some(class) => match JavaAgent::start_with(class, &config.of_agent(), parts.1.clone()) {
            Ok(agent) => Some(agent),
            Err(problem) => return failed(&problem),
        },
    };
    let mut assembly = assembly(&config, parts);
    (assembly.tape, assembly.record) = (tape, record);
    assembly.faults = faults(&config, !config.quiet);
    assembly.measures_memory = !config.given.contains(&"--profile-memory");
    let mode = &mut assembly.options.profile;
    if *mode == ProfileMode::Off && agent.as_ref().is_some_and(JavaAgent::is_profiler) {
        *mode = ProfileMode::Exact;
    }
    if config.window.begins_later() {
        *mode = ProfileMode::Off;
    }
    let hprof = config.hprof.as_ref().filter(|_| config.task == Task::Run);
    if let Some(options) = hprof {
        hprof::ask(options, &mut assembly.options);
    }
    let made = match assembly.make(&library) {
        Ok(made) => made,
        Err(NotMade::Replay(why)) => return record::tell(&why),
        Err(problem) => return failed(&problem),
    };
    let (mut vm, tape) = (made.core, made.tape);
    if let Some(snapshot) = snapshot {
        vm.on_snapshot(snapshot);
    }
    if config.task == Task::Run {
        taken::start(&mut vm, &config);
        watch::start(&mut vm, &config);
    }
    let stops = match stops::start(&mut vm, &config) {
        Ok(stops) => stops,
        Err(e) => return failed(&format!("--stop-output: {e}")),
    };
    window::start(&mut vm, &config);
    let events = match event_log::Shelf::start(&mut vm, &config) {
        Ok(events) => events,
        Err(e) => return failed(&e),
    };
    let looked = why::start(&mut vm, &config);
    let searching = search::start(&mut vm, &config);
    let known = control::offer(&mut vm, &config, tape.is_replay(), (&events, &asked));
    let control = match tape.is_replay() {
        true => Ok(control::Control::default()),
        false => control::start(&mut vm, &config, known),
    };
    let control = match control {
        Ok(control) => control,
        Err(e) => return failed(&e),
    };
    let locks = locks::start(
        &mut vm,
        &config,
        tape.is_replay() || config.record.is_some(),
    );
    let taped = tape.is_replay() || config.record.is_some();
    if let Err(e) = jfr::start(&mut vm, &config, taped) {
        return failed(&format!("-XX:StartFlightRecording: {e}"));
    }
    let of_agent = agent.as_ref().map_or(Vec::new(), JavaAgent::subscribers);
    let subscribed: Vec<_> = Vec::into_iter(of_agent).map(|s| vm.subscribe(s)).collect();
    if let Some(agent) = &agent {
        agent.place_instruments(&mut vm);
    }
    if config.explorable {
        ground::install(&mut vm, test::ground(&config));
    }
    let hprof = hprof.map(|options| hprof::Hprof::start(&mut vm, options));
    let (replay, at_main) = Replay::of(&config);
    let ended = vm.guarded(|vm| program(vm, &config, at_main, &asked));
    let ended = ended.unwrap_or_else(|fault| Err(Stop::Fault(fault)));
    let code = match ground::over(&mut vm, ended) {
        Ok(code) => code,
        Err(Stop::Halted(_)) if asked.have_stopped(&vm) => 0,
        Err(stop) => stopped(&mut vm, &config, stop, &tape),
    };
    let answered = finished("what probes found", || asked.finish(&mut vm, &config));
    let code = match replay.parted() {
        None => code,
        Some(how) => {
            eprintln!("rjvm: the run is not that of the schedule: {how}");
            codes::PARTED
        }
    };
    control.close();
    let stopped = stops.finish(&vm, &config);
    if let Some(missed) = window::missed(&vm, &config) {
        eprintln!("rjvm note: {missed}");
    }
    let code = record::finish(&tape, &mut vm, &config, code);
    let told = hprof.is_none_or(|hprof| {
        finished("HPROF's file", || match hprof.finish(&mut vm) {
            Ok(()) => true,
            Err(problem) => {
                eprintln!("Error: {problem}");
                false
            }
        })
    });
    let logged = finished("the log of events", || events.finish(&mut vm));
    let recorded = finished("a recording", || jfr::finish(&mut vm, &config));
    let profiled = config.task == Task::Run && (config.profiles() || switched_on(&vm, &mut config));
    let reported = if let Some(looked) = looked {
        finished("the report", || why::finish(looked, &mut vm, &config))
    } else if let Some(searching) = &searching {
        finished("the report", || search::finish(searching, &mut vm, &config))
    } else {
        !profiled || {
            if !tape.is_replay() {
                watch::writing(&mut vm, &config);
            }
            let reported = finished("the profile", || match &locks {
                Some(locks) => locks::report(&mut vm, &config, locks),
                None => report(&mut vm, &config),
            });
            watch::written(&config);
            reported
        }
    };
    let dumped = config.dump_classes.as_ref().is_none_or(|dir| {
        finished("the class files", || match dump::write(&mut vm, dir) {
            Ok(()) => true,
            Err(problem) => {
                eprintln!("Error: {problem}");
                false
            }
        })
    });
    if let Some(agent) = agent {
        finished("the agent", || {
            for id in subscribed {
                vm.unsubscribe(id);
            }
            agent.finish();
            true
        });
    }
    if let Some(temporary) = made.temporary {
        temporary.remove();
    }
    // the process ends now, and its memory with it: nothing is gained by freeing each object
    std::mem::forget(vm);
    match code {
        0 if !(reported && dumped && stopped && told && logged && recorded && answered) => 1,
        _ => code,
    }
}

/// Whether the profile that `-o` is for was switched on from outside while the program ran.
fn switched_on(vm: &Vm, config: &mut Config) -> bool {
    if config.serve.is_none() || config.outputs.is_empty() {
        return false;
    }
    if vm.switches_of_contexts() == 0 {
        eprintln!("rjvm: no profile is written: it was never switched on");
        return false;
    }
    config.vm.profile = vm.switchable_contexts();
    config.view.call_sites |= config.vm.profile == ProfileMode::CallSites;
    true
}

/// Runs `f`, one of the last steps; what a panic leaves undone is told, and the others follow.
fn finished(what: &str, f: impl FnOnce() -> bool) -> bool {
    contain(f).unwrap_or_else(|panic| {
        eprintln!("Error: {what} could not be finished: {panic}");
        false
    })
}
