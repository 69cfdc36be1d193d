//! A program that is run to be compared with another run of it, or with another program.

use super::config::Config;
use super::parts::Parts;
use super::probes;
use super::program::{assembly, faults, find_jdk, program, stopped};
use crate::divergence::Probe;
use crate::run_error::RunError;
use rjvm_jdk_stubs::os::{OsDescriptors, OsHost, StandardStreams};
use rjvm_run::tape::Tape;
use rjvm_vm::boot::InstalledJdk;
use rjvm_vm::startup::CallStop;

/// A program as a command line has it, and its JDK.
pub struct Probed {
    pub config: Config,
    library: InstalledJdk,
}

impl Probed {
    /// The error says why there is no JDK for it.
    pub fn new(mut config: Config) -> Result<Probed, RunError> {
        let library = find_jdk(&mut config)?;
        Ok(Probed { config, library })
    }
    /// Runs it with these streams instead of the process's own; the exit code, `None` if the probe has stopped it. Its faults
    /// are `reported` or not.
    pub fn run(
        &self,
        (mut host, natives): Parts,
        streams: StandardStreams,
        probe: &Probe,
        reported: bool,
    ) -> Result<Option<i32>, RunError> {
        if let Some(os) = host.as_any().downcast_mut::<OsHost>() {
            os.descriptors = Box::new(OsDescriptors::new(&os.open, streams));
        }
        let mut assembly = assembly(&self.config, (host, natives));
        assembly.faults = faults(&self.config, reported && !self.config.quiet);
        assembly.options.inspectable |= probe.inspects();
        let made = assembly.make(&self.library);
        let mut vm = made?.core;
        probe.install(&mut vm);
        let ended =
            vm.guarded(|vm| program(vm, &self.config, None, &probes::ProbeRegistry::default()));
        let code = match ended.unwrap_or_else(|fault| Err(CallStop::Fault(fault))) {
            Ok(code) => code,
            Err(CallStop::OutOfFuel) => return Ok(None),
            Err(stop) if reported => stopped(&mut vm, &self.config, stop, &Tape::None),
            Err(CallStop::Exit(code)) => code,
            Err(CallStop::Fault(fault)) => return Err(RunError::Fault(fault.to_string())),
            Err(CallStop::Threw(_) | CallStop::Deadlock(_) | CallStop::Halted(_)) => 1,
        };
        probe.ended(&mut vm, code);
        Ok(Some(code))
    }
}
