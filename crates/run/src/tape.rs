//! What a VM has to do with recordings.

use rjvm_hosts::record::Recording;
use rjvm_hosts::recording::End;
use rjvm_hosts::replay::{Replay, Stopped};
use rjvm_vm::Vm as Core;
use std::io;

/// What a VM has to do with recordings.
#[derive(Default)]
pub enum Tape {
    /// Nothing.
    #[default]
    None,
    /// It is recorded.
    Recording(Recording),
    /// It is replayed.
    Replay(Replay),
}

/// Why the end of a run is not what it should be.
pub enum Unfinished {
    /// The recording is not whole.
    Recording(io::Error),
    /// The replay could not continue, or ended differently from the recorded run.
    Replay(Stopped),
}

impl Tape {
    /// Whether it is a replay.
    pub fn is_replay(&self) -> bool {
        matches!(self, Tape::Replay(_))
    }
    /// Why a replay could not continue, if that stopped the VM.
    pub fn stopped(&self) -> Option<Stopped> {
        match self {
            Tape::Replay(replay) => replay.stopped(),
            _ => None,
        }
    }
    /// The run has ended with this exit code. Gives the bytes of a recording.
    pub fn finish(&self, core: &mut Core, code: i32) -> Result<Option<u64>, Unfinished> {
        let end = End {
            bytecodes: core.bytecodes_now(),
            code,
        };
        match self {
            Tape::None => Ok(None),
            Tape::Recording(recording) => {
                let bytes = recording.finish(end).map_err(Unfinished::Recording)?;
                Ok(Some(bytes))
            }
            Tape::Replay(replay) => {
                replay.finish(end).map_err(Unfinished::Replay)?;
                Ok(None)
            }
        }
    }
}
