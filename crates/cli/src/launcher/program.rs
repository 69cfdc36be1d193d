//! A program from a VM to its exit code: the steps of `java`'s launcher.

use super::config::{Config, LaunchTask, Mode, Stream};
use super::parts::Parts;
use super::probes::ProbeRegistry as Probes;
use super::{complaints, control, debugger, event_log, fault, java_agents, record};
use crate::messages;
use crate::run_error::RunError;
use rjvm_hosts::faults::{Plan, Report};
use rjvm_jdk_stubs::creation::Creator;
use rjvm_jdk_stubs::java_lang::stack_trace_element;
use rjvm_profiler::samples::Recorder;
use rjvm_run::assembly::{Assembly, Fixed};
use rjvm_run::program::{AtMain, Program, Running, Start};
use rjvm_run::tape::Tape;
use rjvm_vm::boot::InstalledJdk;
use rjvm_vm::classpath::{Search, launchable};
use rjvm_vm::fault::contain;
use rjvm_vm::interp::Outcome;
use rjvm_vm::jdk::{self, calls};
use rjvm_vm::startup::CallStop;
use rjvm_vm::{Ref, ThreadId, Value, Vm};
use std::sync::Arc;

/// Settles which JDK it is, and opens it.
pub fn find_jdk(config: &mut Config) -> Result<InstalledJdk, RunError> {
    let found = Search::usual(config.java_home.clone(), |n| std::env::var_os(n)).find();
    let jdk = found?;
    config.vm.java_home = jdk.home().to_path_buf();
    config.jdk_version = jdk.version();
    config.settle(jdk.feature());
    java_agents::prepare(config);
    let open = || InstalledJdk::of(jdk).map_err(RunError::from);
    contain(open).unwrap_or_else(|panic| Err(RunError::Panic(panic.to_string())))
}

/// The parts of a run's VM, as far as they are the same for each run.
pub fn assembly(config: &Config, (host, natives): Parts) -> Assembly {
    let fixed = |seed| Fixed {
        seed,
        environment: config.environment.clone(),
        folder: None,
    };
    let samples = match config.sample_log {
        Some(_) => Recorder::with_log(),
        None => Recorder::new(config.view.call_sites),
    };
    Assembly {
        options: config.vm.clone(),
        host,
        natives,
        deterministic: config.deterministic.map(fixed),
        faults: None,
        record: None,
        recording: None,
        tape: Tape::None,
        measures_memory: false,
        samples: samples.upcalls_to_root(config.vm.upcalls_to_root),
    }
}

/// The faults that are requested, and perhaps reported.
pub fn faults(config: &Config, reported: bool) -> Option<(Plan, Report)> {
    let report: Report = Arc::new(move |fault, request, at| {
        if reported {
            messages::note(&format_args!("fault: {fault}: {request} at bytecode {at}"));
        }
    });
    Some((config.faults.clone()?, report))
}

/// The problem with the jar file that is to be run.
pub fn bad_jar(config: &Config) -> Option<String> {
    let path = config
        .what
        .as_deref()
        .filter(|_| config.mode == Mode::Jar)?;
    if std::fs::File::open(path).is_err() {
        return Some(format!("Unable to access jarfile {path}"));
    }
    match launchable(path.as_ref()) {
        Ok(true) => None,
        _ => Some(format!("Invalid or corrupt jarfile {path}")),
    }
}

/// The exit code of a VM that came to its end in the middle.
pub fn stopped(vm: &mut Vm, config: &Config, stop: CallStop, tape: &Tape) -> i32 {
    match stop {
        CallStop::Exit(code) => code,
        CallStop::Threw(e) => {
            let what = describe(vm, e);
            let frames = stack_trace_element::lines(vm.env(), e);
            let text = format!("Error occurred during initialization of VM\n{what}\n{frames}\n");
            complaints::print(Stream::Out, &text);
            1
        }
        CallStop::Deadlock(report) => {
            eprintln!("{report}");
            1
        }
        CallStop::Fault(what) => {
            let of_replay = record::stopped(tape, &what);
            of_replay.unwrap_or_else(|| fault::report_end(&what, config))
        }
        // at the last place where it was to stop
        CallStop::OutOfFuel => 0,
        CallStop::Halted(_) => unreachable!("the launcher sets no time"),
    }
}

/// Class and message of an exception whose own methods may not work.
pub fn describe(vm: &mut Vm, e: Ref) -> String {
    let class = vm.class(vm.class_of(e)).dotted();
    let message = vm.get(e, jdk::throwable::DETAIL_MESSAGE);
    match message.is_null() {
        true => class,
        false => format!("{class}: {}", vm.string(message)),
    }
}

/// From a VM without a thread to the exit code of its program.
pub fn program(
    vm: &mut Vm,
    config: &Config,
    at_main: Option<AtMain>,
    probes: &Probes,
) -> Result<i32, CallStop> {
    if !vm.env().has_commands() {
        let events = event_log::EventLogSlot::default();
        control::offer(vm, config, true, (&events, probes));
    }
    let agents = match java_agents::look(config, vm.feature()) {
        Ok(agents) => agents,
        Err(code) => return Ok(code),
    };
    let main = vm.start_up()?;
    if config.signals {
        let _ = vm.start_signal_dispatcher();
    }
    let start = Start {
        what: config.what.clone().unwrap_or_default(),
        mode: config.mode as i32,
        args: config.args.clone(),
        dry: config.task == LaunchTask::DryRun,
        main_alone: true,
    };
    let mut program = Program::new(main, start);
    if let Some(f) = at_main {
        program.at_main(f);
    }
    debugger::begin(vm, main);
    probes.place(vm, config);
    java_agents::start(vm, main, agents)?;
    let begun = match &config.creator {
        Some(creator) => of_creator(vm, main, creator, &mut program),
        None => before_main(vm, main, config),
    };
    let outcome = match begun {
        Ok(true) => program.begin(vm),
        Ok(false) => program.ending(vm, Ok(())),
        Err(CallStop::Threw(e)) => program.ending(vm, Err(e)),
        Err(stop) => return Err(stop),
    };
    match program.follow(vm, outcome) {
        Running::Ended(code) => Ok(code),
        Running::Stopped(Outcome::Exit(code)) => Err(CallStop::Exit(code)),
        Running::Stopped(Outcome::Deadlock(report)) => Err(CallStop::Deadlock(report)),
        Running::Stopped(Outcome::Fault(fault)) => Err(CallStop::Fault(fault)),
        Running::Stopped(Outcome::Halted(why)) => Err(CallStop::Halted(why)),
        Running::Stopped(Outcome::OutOfFuel) => Err(CallStop::OutOfFuel),
        Running::Stopped(other) => unreachable!("a program continues after {other:?}"),
    }
}

/// The main thread serves C code, which is the program.
fn of_creator(
    vm: &mut Vm,
    main: ThreadId,
    creator: &Creator,
    program: &mut Program,
) -> Result<bool, CallStop> {
    if !program.is_at_main(vm) {
        return Err(CallStop::OutOfFuel);
    }
    let Some(work) = creator.main_thread(vm.env(), main) else {
        messages::error(&"C code cannot create a VM that refuses native code");
        return Err(CallStop::Exit(1));
    };
    vm.set_scope(main, true);
    vm.count_allocations(true);
    let served = vm.run_on(main, work);
    vm.set_scope(main, false);
    served.map(|_| false)
}

/// What the main thread does before the program; whether there is one.
fn before_main(vm: &mut Vm, t: ThreadId, config: &Config) -> Result<bool, CallStop> {
    if config.management {
        vm.call_jdk(t, calls::agent::START_AGENT, &[])?;
    }
    if let Some(option) = &config.show_settings {
        let option = text(vm, option)?;
        let (heap, stack) = (
            vm.options().max_heap as i64,
            vm.options().stack_bytes as i64,
        );
        // initial heap, maximum heap, stack
        let [initial, heap, stack] = [0, heap, stack].map(Value::Long);
        let args = [true.into(), option.into(), initial, heap, stack];
        vm.call_jdk(t, calls::launcher_helper::SHOW_SETTINGS, &args)?;
    }
    let to_err = |s: Stream| Value::from(s == Stream::Err);
    if let LaunchTask::Version(stream) = config.task {
        let args = [to_err(stream)];
        vm.call_jdk(t, calls::version_props::PRINT, &args)?;
        return Ok(false);
    }
    if let Some(stream) = config.show_version {
        let print = vm.has_method(calls::version_props::PRINTLN);
        let print = print.unwrap_or(calls::version_props::PRINT);
        vm.call_jdk(t, print, &[to_err(stream)])?;
    }
    match &config.task {
        LaunchTask::ValidateModules => return Ok(false),
        LaunchTask::ListModules => {
            vm.call_jdk(t, calls::launcher_helper::LIST_MODULES, &[])?;
            return Ok(false);
        }
        LaunchTask::DescribeModule(name) => {
            let name = text(vm, name)?;
            vm.call_jdk(t, calls::launcher_helper::DESCRIBE_MODULE, &[name.into()])?;
            return Ok(false);
        }
        _ => {}
    }
    Ok(config.what.is_some())
}

fn text(vm: &mut Vm, s: &str) -> Result<Ref, CallStop> {
    vm.new_string(s).map_err(|_| {
        vm.print_error(&format!(
            "{}the heap is too small for the program's arguments\n",
            messages::ERROR
        ));
        CallStop::Exit(1)
    })
}

/// The mode's number is the one `LauncherHelper` expects.
const _: () = assert!(Mode::Class as u8 == 1 && Mode::Source as u8 == 4);
