//! `--profile-from` and `--profile-window`: a profile of a part of the run, which begins and ends at exact bytecodes.

use super::config::Config;
use super::option::OptionProblem;
use super::settings::places::{EXPECTED, StopRequest, read};
use super::settings::window::WindowStart;
use super::tool::{ProgramRun, Tool, ToolFailure};
use super::values::number;
use crate::messages;
use rjvm_run::assembly::Assembly;
use rjvm_vm::Vm;
use rjvm_vm::boot::InstalledJdk;
use rjvm_vm::interp::{StopPosition, StopReason};
use rjvm_vm::vm::ProfileMode;

/// `--profile-from`
pub fn set_from(c: &mut Config, text: &str) -> Result<(), OptionProblem> {
    if text == "api" {
        c.window.from = Some(WindowStart::Requested);
        return Ok(());
    }
    let wrong = || {
        OptionProblem::Own(format!(
            "--profile-from={text}: expected api, or a place as in --stop-at: {EXPECTED}"
        ))
    };
    let (what, place) = read(text, c.vm.places.len()).ok_or_else(wrong)?;
    if place.as_ref().is_some_and(|p| p.arrival == 0) {
        return Err(wrong());
    }
    c.vm.places.extend(place);
    c.window.from = Some(WindowStart::Place(what));
    Ok(())
}

/// `--profile-window`
pub fn set_length(c: &mut Config, text: &str) -> Result<(), OptionProblem> {
    let n = number("--profile-window", text, 1, 1 << 60)?;
    c.window.length = Some(n as i64);
    Ok(())
}

/// A contradiction among the options.
pub fn contradiction(config: &Config) -> Option<String> {
    let window = &config.window;
    let option = match (&window.from, window.length) {
        (None, None) => return None,
        (Some(_), _) => "--profile-from",
        (None, Some(_)) => "--profile-window",
    };
    let mode = config.vm.profile;
    if !matches!(mode, ProfileMode::Exact | ProfileMode::CallSites) || config.vm.allocations {
        return Some(format!(
            "{option} requires --profile=exact or --profile=callsites, without --allocations"
        ));
    }
    if !config.stops.is_empty() {
        return Some(format!("{option} cannot be combined with --stop-at"));
    }
    if window.from == Some(WindowStart::Requested) && window.length.is_some() {
        return Some("--profile-window requires a place for --profile-from, not api".into());
    }
    None
}

/// A length alone is one from the beginning of `main`.
pub fn complete(config: &mut Config) {
    if config.window.length.is_some() && config.window.from.is_none() {
        // it is a place
        let _ = set_from(config, "main");
    }
}

/// The window that the options ask for.
pub struct Windowed;

impl Tool for Windowed {
    fn name(&self) -> &'static str {
        "the window of the profile"
    }
    fn assemble(
        &mut self,
        config: &Config,
        _: &InstalledJdk,
        assembly: &mut Assembly,
    ) -> Result<(), ToolFailure> {
        if config.window.begins_later() {
            assembly.options.profile = ProfileMode::Off;
        }
        Ok(())
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        start(vm, &run.config);
        Ok(())
    }
    fn finish(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> bool {
        let waited = matches!(run.config.window.from, Some(WindowStart::Place(_)));
        if waited && vm.switches_of_contexts() == 0 {
            messages::note(&"execution never reached the place of --profile-from");
        }
        true
    }
}

/// Has the VM begin and end recording where the options say.
fn start(vm: &mut Vm, config: &Config) {
    if config.window.begins_later() {
        vm.will_record(config.vm.profile);
    }
    let Some(WindowStart::Place(what)) = config.window.from.clone() else {
        return;
    };
    let (mode, length) = (config.vm.profile, config.window.length);
    // whether the place is the first bytecode of a method that is being called
    let entry = match what {
        StopRequest::Place(i, 0) => matches!(
            config.vm.places[i].at,
            StopPosition::Main | StopPosition::Entry
        ),
        _ => false,
    };
    if let StopRequest::Bytecode(n) = what {
        vm.set_fuel(Some(n));
    }
    let mut inside = false;
    let switch = |vm: &mut Vm, mode| {
        if let Err(e) = vm.record_contexts(mode) {
            messages::error(&format_args!("--profile-from: {e}"));
        }
    };
    vm.on_stop(Box::new(move |vm, reached: &StopReason| {
        let after = match what {
            StopRequest::Place(_, after) if !reached.places.is_empty() => after,
            _ => 0,
        };
        vm.set_fuel(None);
        if inside {
            switch(vm, ProfileMode::Off);
        } else if after > 0 {
            vm.set_fuel(Some(after));
        } else {
            inside = true;
            switch(vm, mode);
            if entry {
                vm.count_open_call();
            }
            vm.set_fuel(length);
        }
        true
    }));
}
