//! Commands about samples of a running program.

use super::error::CommandError;
use super::known::CommandContext;
use super::parse::CommandArguments;
use super::profile::{output, written};
use crate::launcher::sampling;
use rjvm_profiler::samples::Recorder;
use rjvm_profiler::summary::grouped;
use rjvm_vm::Vm;
use rjvm_vm::vm::ProfileMode;

/// `Samples.granularity`
pub fn granularity(
    vm: &mut Vm,
    known: &mut CommandContext,
    given: &CommandArguments,
) -> Result<String, CommandError> {
    let Some(text) = given.value("granularity") else {
        return Ok(shown(vm));
    };
    if known.config.hprof.is_some() {
        return Err(CommandError::Unfit(
            "HPROF takes the samples: its option interval sets their number",
        ));
    }
    if text == "off" {
        vm.sample_no_more();
        return Ok(shown(vm));
    }
    let (every, random) =
        sampling::granularity(text).map_err(|e| CommandError::ValueOf(text.into(), e))?;
    if vm.samples().is_none() {
        let recorder = Recorder::new(known.config.view.call_sites);
        vm.record_samples(recorder.upcalls_to_root(vm.options().upcalls_to_root));
    }
    vm.sample_every(every, random)
        .map_err(CommandError::Unfit)?;
    Ok(shown(vm))
}

fn shown(vm: &mut Vm) -> String {
    let at = grouped(vm.bytecodes_now() as u64);
    let options = vm.options();
    match (options.sample_every, options.sample_random) {
        (None, _) => format!("At bytecode {at}, sampling is off\n"),
        (Some(n), 0) => format!(
            "At bytecode {at}, a sample every {} bytecodes\n",
            grouped(n)
        ),
        (Some(n), r) => format!(
            "At bytecode {at}, a sample every {} bytecodes, plus a random number below {}\n",
            grouped(n),
            grouped(r)
        ),
    }
}

/// `Samples.dump`
pub fn dump(
    vm: &mut Vm,
    known: &mut CommandContext,
    given: &CommandArguments,
) -> Result<String, CommandError> {
    if vm.samples().is_none() {
        return Err(CommandError::Unfit(
            "there are no samples: run Samples.granularity N first",
        ));
    }
    let mut config = known.config.clone();
    config.vm.profile = ProfileMode::Off;
    let options = vm.options();
    (config.vm.sample_every, config.vm.sample_random) =
        (options.sample_every.or(Some(1)), options.sample_random);
    (config.quiet, config.goes_on) = (true, true);
    config.sample_log = None;
    config.before.clear();
    config.outputs.clear();
    config.sample_outputs = vec![output(given)?];
    written(vm, &config, given)
}
