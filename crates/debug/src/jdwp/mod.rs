//! The Java Debug Wire Protocol (version 17 and later), as a front end of the engine.
//!
//! [`wire`] is bytes, `transport` sockets, [`options`] the command line, `session` a connection with its replies and events.
//! The command sets are in `commands`, a file for each group.

mod codes;
mod commands;
mod events;
pub mod options;
mod session;
mod transport;
pub mod wire;
mod world;

pub use options::{HELP, Options, OptionsError};
use session::Session;

use crate::engine::{self, Policy, Shared};
use rjvm_vm::{ThreadId, Vm};
use std::sync::Arc;
use std::sync::atomic::AtomicU16;
use std::sync::atomic::Ordering::Relaxed;

/// A debugger that waits for its moment.
#[derive(Clone)]
pub struct Agent {
    options: Options,
    shared: Shared,
    /// Where it listens; 0: nowhere.
    port: Arc<AtomicU16>,
}

impl Agent {
    /// Gives a VM an engine that speaks JDWP. No client can connect yet.
    pub fn install(vm: &mut Vm, options: Options) -> Agent {
        let canceller = vm.canceller();
        let port = Arc::default();
        let session = Session::new(options.clone(), canceller, Arc::clone(&port));
        Agent {
            shared: engine::install(vm, Box::new(session)),
            options,
            port,
        }
    }
    /// The port at which it listens, once it does.
    pub fn port(&self) -> Option<u16> {
        Some(self.port.load(Relaxed)).filter(|&port| port > 0)
    }
    /// The class library is up, and the program about to begin in this thread: opens the transport and, with `suspend=y`, waits.
    pub fn begin(&self, vm: &mut Vm, main: ThreadId) {
        let policy = match self.options.suspend {
            true => Policy::All,
            false => Policy::None,
        };
        self.shared.vm_starts(vm, main, policy);
    }
    /// The program has ended.
    pub fn end(&self, vm: &mut Vm) {
        self.shared.vm_ends(vm);
    }
}
