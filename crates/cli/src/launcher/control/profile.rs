//! Commands that switch the profile of a running program, and write what it has counted.

use super::error::CommandError;
use super::known::CommandContext;
use super::parse::CommandArguments;
use crate::invalid::InvalidValue;
use crate::launcher::config::Config;
use crate::launcher::flags;
use crate::launcher::report;
use rjvm_profiler::export::Output;
use rjvm_profiler::summary::grouped;
use rjvm_vm::Vm;
use rjvm_vm::vm::ProfileMode;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Options of `Profile.dump` that are those of the command line, without the dashes.
const OF_COMMAND_LINE: [&str; 9] = [
    "include",
    "exclude",
    "max-depth",
    "view",
    "scope",
    "threads",
    "natives",
    "min-percent",
    "max-nodes",
];

/// A mode as the commands name it.
pub fn described(mode: ProfileMode) -> &'static str {
    match mode {
        ProfileMode::Off => "off",
        ProfileMode::Exact => "exact",
        ProfileMode::CallSites => "callsites",
        ProfileMode::Blocks => "blocks",
    }
}

/// `Profile.start`
pub fn start(vm: &mut Vm, given: &CommandArguments) -> Result<String, CommandError> {
    let mode = match given.value("mode") {
        Some("callsites") => ProfileMode::CallSites,
        Some("exact") | None => ProfileMode::Exact,
        Some(other) => {
            let mode = format!("mode={other}");
            return Err(InvalidValue::Named(mode, "one of exact, callsites").into());
        }
    };
    let now = vm.recorded_contexts();
    if now != ProfileMode::Off {
        return Ok(format!("The profile is on: {}\n", described(now)));
    }
    vm.record_contexts(mode)?;
    let at = grouped(vm.bytecodes_now() as u64);
    Ok(format!(
        "Contexts are recorded from bytecode {at} on: {}\n",
        described(mode)
    ))
}

/// HPROF's figures are of the whole run.
fn belongs_to_nobody(known: &CommandContext) -> Result<(), CommandError> {
    match known.config.hprof {
        Some(_) => Err(CommandError::Unfit(
            "HPROF needs these counts: the profile cannot be switched",
        )),
        None => Ok(()),
    }
}

/// `Profile.stop`
pub fn stop(vm: &mut Vm, known: &CommandContext) -> Result<String, CommandError> {
    belongs_to_nobody(known)?;
    if vm.recorded_contexts() == ProfileMode::Off {
        return Ok("The profile is off\n".into());
    }
    vm.record_contexts(ProfileMode::Off)?;
    let at = grouped(vm.bytecodes_now() as u64);
    Ok(format!("Contexts are not recorded from bytecode {at} on\n"))
}

/// `Profile.reset`
pub fn reset(vm: &mut Vm, known: &mut CommandContext) -> Result<String, CommandError> {
    belongs_to_nobody(known)?;
    if vm.options().profile == ProfileMode::Blocks {
        return Err(CommandError::Unfit(
            "counts of single bytecodes cannot be reset",
        ));
    }
    vm.reset_contexts();
    known.config.taken.clear();
    let at = grouped(vm.bytecodes_now() as u64);
    Ok(format!("All counts are 0 at bytecode {at}\n"))
}

/// `Profile.status`
pub fn status(vm: &mut Vm) -> String {
    let (contexts, bytes) = vm.contexts_recorded();
    format!(
        "Profile: {}\nBytecodes executed: {}\nContexts: {} in {} KB\nSwitched: {} times\n",
        described(vm.recorded_contexts()),
        grouped(vm.bytecodes_now() as u64),
        grouped(contexts),
        bytes >> 10,
        vm.switches_of_contexts(),
    )
}

/// The options of the profile so far: those of the command line, unless given here.
pub fn wanted(
    vm: &Vm,
    known: &CommandContext,
    given: &CommandArguments,
) -> Result<Config, CommandError> {
    let mut config = known.config.clone();
    let mode = vm.switchable_contexts();
    config.vm.profile = mode;
    config.view.call_sites = matches!(mode, ProfileMode::CallSites | ProfileMode::Blocks);
    (config.sample_outputs, config.sample_log) = (Vec::new(), None);
    config.vm.sample_every = None;
    config.before.clear();
    (config.quiet, config.goes_on) = (true, true);
    let named = OF_COMMAND_LINE.iter();
    for (name, value) in named.filter_map(|n| Some((n, given.value(n)?))) {
        let flag = format!("--{name}");
        let flag = flags::FLAGS.iter().find(|f| f.names.contains(&&*flag));
        let set = flag.expect("an option").set;
        set(&mut config, value)?;
    }
    if !config.natives_given {
        config.view.natives = config.view.part == rjvm_profiler::Part::All;
    }
    Ok(config)
}

/// `Profile.dump`
pub fn dump(
    vm: &mut Vm,
    known: &mut CommandContext,
    given: &CommandArguments,
) -> Result<String, CommandError> {
    if vm.recorded_contexts() == ProfileMode::Off && vm.switches_of_contexts() == 0 {
        return Err(CommandError::Unfit(
            "nothing is recorded: run Profile.start first",
        ));
    }
    let mut config = wanted(vm, known, given)?;
    config.outputs = vec![output(given)?];
    written(vm, &config, given)
}

/// The file that a command has to write.
pub fn output(given: &CommandArguments) -> Result<Output, CommandError> {
    let file = given.value("filename").unwrap_or_default();
    let output = Output::of(Path::new(file))?;
    match output.is_stdout() {
        true => Err(InvalidValue::Expected("a file name").into()),
        false => Ok(output),
    }
}

/// Writes that file.
pub fn written(
    vm: &mut Vm,
    config: &Config,
    given: &CommandArguments,
) -> Result<String, CommandError> {
    let file = given.value("filename").unwrap_or_default();
    let problems = Arc::new(Mutex::new(Vec::new()));
    let config = Config {
        problems: Some(problems.clone()),
        ..config.clone()
    };
    if report::report(vm, &config) {
        return Ok(format!("Profile written to {file}\n"));
    }
    let problems = problems.lock().unwrap_or_else(PoisonError::into_inner);
    match problems.is_empty() {
        true => Err(CommandError::NotWritten(vec![format!(
            "{file}: cannot write the profile"
        )])),
        false => Err(CommandError::NotWritten(problems.clone())),
    }
}
