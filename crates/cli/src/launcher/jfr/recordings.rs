//! The recordings of a VM: all there are, under way or over.

use super::listener::SharedRecorder;
use super::options::RequestedRecording;
use super::recorder::{RecordingState, Times};
use rjvm_jfr::Numbers;
use rjvm_profiler::export;
use rjvm_vm::Vm;
use rjvm_vm::events::ObserverId;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The recordings of a VM. Clones are the same.
#[derive(Clone, Default)]
pub struct Recordings(Arc<Mutex<AllRecordings>>);

/// What they are.
#[derive(Default)]
pub struct AllRecordings {
    /// How many there have been.
    pub(super) number: i64,
    pub(super) list: Vec<JfrRecording>,
    /// What goes into JFR files that profiles are written to.
    pub(super) of_profile: Option<SharedRecorder>,
    /// They are separate from the clocks of the host, which a recorded run would have to show again.
    pub(super) taped: bool,
}

/// A recording.
pub struct JfrRecording {
    pub(super) number: i64,
    pub(super) name: String,
    pub(super) wanted: RequestedRecording,
    pub(super) shared: SharedRecorder,
    pub(super) observer: ObserverId,
}

impl std::fmt::Debug for Recordings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Recordings({})", self.lock().list.len())
    }
}

/// Events of a run, as chunks before those of its profile.
#[derive(Debug)]
pub struct OfProfile(Recordings);

impl export::jfr::Chunks for OfProfile {
    fn write(&self, out: &mut dyn Write) -> io::Result<Numbers> {
        match &self.0.lock().of_profile {
            Some(shared) => shared.lock().write(None, false, out),
            None => Ok(Numbers::default()),
        }
    }
}

impl Recordings {
    /// The list, for a moment.
    pub fn lock(&self) -> MutexGuard<'_, AllRecordings> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// What goes before a profile's own chunks.
    pub fn of_profile(&self) -> Option<OfProfile> {
        let has = self.lock().of_profile.is_some();
        has.then(|| OfProfile(self.clone()))
    }
}

impl JfrRecording {
    /// Records nothing any more.
    pub fn stop(&mut self, vm: &mut Vm) {
        let mut recorder = self.shared.lock();
        if recorder.state == RecordingState::Stopped {
            return;
        }
        let now = match recorder.times {
            Times::Nanos => vm.uptime(),
            Times::Bytecodes => vm.bytecodes_now(),
        };
        recorder.stop(now);
        drop(recorder);
        vm.remove_observer(self.observer);
    }
}
