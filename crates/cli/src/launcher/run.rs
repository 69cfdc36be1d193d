//! Runs a program on a VM: the steps of `java`'s launcher, with the tools around them.

use super::complaints::complain;
use super::config::Config;
use super::parts::Parts;
use super::probed::Probed;
use super::probes::ProbeRegistry;
use super::program::{assembly, bad_jar, faults, find_jdk, program, stopped};
use super::record::{self, Replayed};
use super::refusal::Refusal;
use super::tool::{ProgramRun, ToolFailure};
use super::tools::Tools;
use super::{check, verify};
use crate::messages::failed;
use crate::testing::ground;
use rjvm_hosts::replay::Stopped;
use rjvm_run::assembly::{FreshVm, NotMade};
use rjvm_run::tape::Tape;
use rjvm_vm::Vm;
use rjvm_vm::startup::CallStop;

/// Where a run has its host from.
pub enum Source<'a> {
    /// From here.
    Parts(&'a dyn Fn() -> Parts),
    /// From a recording.
    Recording(Replayed),
}

/// Why no program runs.
enum NotBegun {
    /// A tool, or the VM, cannot do its work.
    Failed(ToolFailure),
    /// The replay cannot continue.
    Replay(Stopped),
}

impl<T: Into<ToolFailure>> From<T> for NotBegun {
    fn from(problem: T) -> NotBegun {
        NotBegun::Failed(problem.into())
    }
}

/// Runs what the command line asks for; the exit code.
pub fn run(config: Config, parts: impl Fn() -> Parts) -> i32 {
    if let Some(problem) = bad_jar(&config) {
        complain(&Refusal::Launcher(problem));
        return 1;
    }
    if config.tier_verify {
        return verify::verify(&config, &parts);
    }
    if let Some(times) = config.check {
        return match Probed::new(config) {
            Ok(program) => check::check(&program, times, &parts),
            Err(problem) => failed(&problem),
        };
    }
    run_with(config, Source::Parts(&parts))
}

/// The same; it may be a replay.
pub fn run_with(config: Config, source: Source) -> i32 {
    let probes = ProbeRegistry::default();
    let mut tools = Tools::new(&probes);
    let (mut made, mut run) = match begin(config, source, &mut tools) {
        Ok(begun) => begun,
        Err(NotBegun::Replay(why)) => return record::report_end(&why),
        Err(NotBegun::Failed(failure)) => return failed(&failure),
    };
    let vm = &mut made.core;
    run.code = code(vm, &mut run, &probes);
    let good = tools.finish(vm, &mut run);
    if let Some(temporary) = made.temporary {
        temporary.remove();
    }
    // the process ends now, and its memory with it: nothing is gained by freeing each object
    std::mem::forget(made.core);
    match run.code {
        0 if !good => 1,
        code => code,
    }
}

/// Makes the VM, with all tools at work.
fn begin(
    mut config: Config,
    source: Source,
    tools: &mut Tools,
) -> Result<(FreshVm, ProgramRun), NotBegun> {
    tools.each("prepare", |tool| tool.prepare(&mut config))?;
    rjvm_jdk_stubs::os::memory::expect_a_vm();
    let library = find_jdk(&mut config)?;
    let (waited, (parts, tape)) = match source {
        Source::Parts(parts) => (None, (parts(), Tape::None)),
        Source::Recording(replayed) => (Some(replayed.snapshots), replayed.parts()),
    };
    let mut assembly = assembly(&config, parts);
    assembly.tape = tape;
    assembly.faults = faults(&config, !config.quiet);
    assembly.measures_memory = !config.given.contains(&"--profile-memory");
    tools.each("assemble", |tool| {
        tool.assemble(&config, &library, &mut assembly)
    })?;
    let mut made = assembly.make(&library).map_err(|problem| match problem {
        NotMade::Replay(why) => NotBegun::Replay(why),
        problem => problem.to_string().into(),
    })?;
    let mut run = ProgramRun {
        config,
        tape: std::mem::replace(&mut made.tape, Tape::None),
        waited,
        at_main: None,
        code: 0,
    };
    tools.each("start", |tool| tool.start(&mut made.core, &mut run))?;
    Ok((made, run))
}

/// Runs the program; its exit code.
fn code(vm: &mut Vm, run: &mut ProgramRun, probes: &ProbeRegistry) -> i32 {
    let at_main = run.at_main.take();
    let ended = vm.guarded(|vm| program(vm, &run.config, at_main, probes));
    let ended = ended.unwrap_or_else(|fault| Err(CallStop::Fault(fault)));
    match ground::over(vm, ended) {
        Ok(code) => code,
        Err(CallStop::Halted(_)) if probes.have_stopped(vm) => 0,
        Err(stop) => stopped(vm, &run.config, stop, &run.tape),
    }
}
