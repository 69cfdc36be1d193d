//! A VM on its host and the hosts around it, for an embedder or the launcher.

use crate::tape::Tape;
use rjvm_hosts::deterministic::{self, Deterministic, RunFolder};
use rjvm_hosts::faults::{Faulty, Plan, Report};
use rjvm_hosts::record::Recorder;
use rjvm_hosts::recording::Header;
use rjvm_hosts::replay::Stopped;
use rjvm_jdk_stubs::os::OsHost;
use rjvm_profiler::samples;
use rjvm_vm::Vm as Core;
use rjvm_vm::boot::InstalledJdk;
use rjvm_vm::host::Host;
use rjvm_vm::natives::Natives;
use rjvm_vm::vm::Options;
use std::io;
use std::path::PathBuf;

/// The parts of a VM.
pub struct Assembly {
    /// Settings of the VM.
    pub options: Options,
    /// The host that the program reaches: the system's, one with the granted resources, or one that replays.
    pub host: Box<dyn Host>,
    /// Native methods.
    pub natives: Natives,
    /// The host is to be the same in every run.
    pub deterministic: Option<Fixed>,
    /// Requests that are to fail, and who is notified of them.
    pub faults: Option<(Plan, Report)>,
    /// The run is to be recorded in this file.
    pub record: Option<(PathBuf, Header)>,
    /// Bytes that the recording may have.
    pub recording: Option<u64>,
    /// The host replays.
    pub tape: Tape,
    /// A quarter of the machine's memory bounds the profile.
    pub measures_memory: bool,
    /// What takes the samples that the options ask for.
    pub samples: samples::Recorder,
}

/// The free choices of a deterministic host.
#[derive(Default)]
pub struct Fixed {
    /// The seed of its entropy.
    pub seed: u64,
    /// Environment variables beside the fixed ones, or in their place.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// The folder of the program's files with its home and temporary files; none: one of this machine is made.
    pub folder: Option<PathBuf>,
}

/// A VM that has run nothing yet.
pub struct FreshVm {
    /// The VM.
    pub core: Box<Core>,
    /// What it has to do with recordings.
    pub tape: Tape,
    /// A folder to be removed in the end.
    pub temporary: Option<RunFolder>,
}

/// Why a VM could not be made.
pub enum NotMade {
    /// The recording cannot be written.
    Recording(PathBuf, io::Error),
    /// The replay cannot continue.
    Replay(Stopped),
    /// The VM does not come up.
    Vm(String),
}

impl std::fmt::Display for NotMade {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            NotMade::Recording(path, e) => {
                write!(f, "{}: cannot write the recording: {e}", path.display())
            }
            NotMade::Replay(why) => why.fmt(f),
            NotMade::Vm(why) => f.write_str(why),
        }
    }
}

impl Assembly {
    /// Makes the VM. The hosts are, from inside out: the one that is given, one that is the same in every run, one with
    /// faults, one that records. A replay has none of them, since its host answers what they did.
    pub fn make(self, library: &InstalledJdk) -> Result<FreshVm, NotMade> {
        let Assembly {
            mut options,
            mut host,
            natives,
            mut tape,
            ..
        } = self;
        let (mut clock, mut temporary) = (None, None);
        if let Some(fixed) = self.deterministic {
            let rate = options.virtual_clock.unwrap_or(deterministic::PICOSECONDS);
            let driven = deterministic::clock(rate);
            if !tape.is_replay() {
                let settings = deterministic::Settings {
                    seed: fixed.seed,
                    environment: fixed.environment,
                    java_home: options.java_home.clone(),
                    folder: fixed.folder,
                    face: driven.face(),
                };
                let around = Deterministic::new(host, settings);
                temporary = Some(around.temporary());
                host = Box::new(around);
            }
            clock = Some(driven);
        }
        let oom = self
            .faults
            .as_ref()
            .filter(|(plan, _)| !plan.oom.is_empty());
        let oom = oom.map(|(plan, report)| (plan.oom.clone(), report.clone()));
        if let Some((plan, report)) = self.faults.filter(|_| !tape.is_replay()) {
            host = Box::new(Faulty::new(host, plan, options.seed, report));
        }
        if self.measures_memory {
            // what a replay has for its profile does not depend on the recorded machine
            let memory = match tape.is_replay() {
                true => OsHost::new().processes().memory(),
                false => host.processes().memory(),
            };
            options.profile_memory = usize::try_from(memory.total / 4).unwrap_or(usize::MAX);
        }
        if let Some((path, header)) = self.record {
            match Recorder::create(host, &path, &header) {
                Ok((recorder, recording)) => {
                    host = Box::new(recorder);
                    tape = Tape::Recording(recording);
                }
                Err(e) => return Err(NotMade::Recording(path, e)),
            }
        }
        let sampled = options.sample_every.is_some();
        let core = Core::with_library(options, library, host, natives);
        let mut core = core.map_err(|e| match tape.stopped() {
            Some(why) => NotMade::Replay(why),
            None => NotMade::Vm(e),
        })?;
        if let (Tape::Recording(recording), Some(bytes)) = (&tape, self.recording) {
            let canceller = core.canceller();
            recording.set_limit(bytes, move || canceller.exceeded("recording"));
        }
        if let Some(clock) = clock {
            core.set_clock(Box::new(clock));
        }
        if sampled {
            core.record_samples(self.samples);
        }
        if let Some((numbers, report)) = oom {
            let reported = move |n, bytes, at| {
                report("oom", &format!("allocation {n}, of {bytes} bytes"), at);
            };
            core.fail_allocations(numbers, Box::new(reported));
        }
        Ok(FreshVm {
            core,
            tape,
            temporary,
        })
    }
}
