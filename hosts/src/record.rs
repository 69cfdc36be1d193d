//! A host that records every answer of another one, for [`replay`](crate::replay).

use crate::forward;
use crate::mapped::Recorded;
use crate::recording::ask::Ask;
use crate::recording::log::{Log, Writing};
use crate::recording::wire::Wire;
use crate::recording::{End, Header};
use rjvm_vm::host::*;
use rjvm_vm::offheap::{Access, Mapping};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::ops::{Deref, DerefMut};
use std::path::Path;

/// Nanoseconds for which records may wait to be written while the program sleeps.
const NAP: i64 = 20_000_000;
/// Turns of threads between two looks at how long records have waited to be written.
const TURNS: u32 = 16;

/// A host that answers as another one does, and records it.
pub struct Recorder {
    inner: Inner,
    executed: i64,
}

/// The recording, for whoever knows when the run is over.
pub struct Recording(Log);

impl Recording {
    /// The run has ended like this. Gives the number of bytes of the recording, or why it is not whole.
    pub fn finish(&self, end: End) -> io::Result<u64> {
        self.0.finish(end)
    }
}

impl Recorder {
    /// Records what `inner` answers in a file that begins with `header`.
    pub fn create(
        inner: Box<dyn Host>,
        path: &Path,
        header: &Header,
    ) -> io::Result<(Recorder, Recording)> {
        let log = Log::create(path, header)?;
        let recorder = Recorder {
            inner: Inner {
                host: inner,
                log: log.clone(),
                turns: 0,
            },
            executed: 0,
        };
        Ok((recorder, Recording(log)))
    }
}

/// The host that is recorded. Where requests may last long, or come at each turn of threads, it sees to it that
/// records do not wait to be written for ever.
struct Inner {
    host: Box<dyn Host>,
    log: Log,
    turns: u32,
}

impl Deref for Inner {
    type Target = dyn Host;
    fn deref(&self) -> &(dyn Host + 'static) {
        &*self.host
    }
}

impl DerefMut for Inner {
    fn deref_mut(&mut self) -> &mut (dyn Host + 'static) {
        &mut *self.host
    }
}

impl Inner {
    /// It itself, as [`Host::files`] and the others are its parts.
    fn host(&mut self) -> &mut Inner {
        self
    }
    fn wait(&mut self, fds: &[(i32, u8)], deadline: Option<i64>) -> Vec<usize> {
        if deadline != Some(i64::MIN) && self.log.lock().holds_back() {
            let soon = self.host.nano_time().saturating_add(NAP);
            if deadline.is_none_or(|d| d > soon) {
                let ready = self.host.wait(fds, Some(soon));
                if !ready.is_empty() || self.host.nano_time() < soon {
                    return ready;
                }
                self.log.lock().flush();
            }
        }
        self.host.wait(fds, deadline)
    }
    fn take_signal(&mut self) -> Option<i32> {
        self.turns += 1;
        if self.turns >= TURNS {
            self.turns = 0;
            self.log.lock().flush_old();
        }
        self.host.take_signal()
    }
}

/// What is answered: it is appended to the recording, and given to the VM.
trait Answer: Sized {
    fn record(self, w: &mut Writing, log: &Log) -> Self;
    fn filled(&self) -> usize {
        usize::MAX
    }
}

impl<T: Wire> Answer for T {
    fn record(self, w: &mut Writing, _: &Log) -> T {
        self.put(w.bytes());
        self
    }
    fn filled(&self) -> usize {
        Wire::filled(self)
    }
}

/// What is in mapped memory is recorded when it is touched.
impl Answer for Io<Mapping> {
    fn record(self, w: &mut Writing, log: &Log) -> Io<Mapping> {
        let known: Io<usize> = self.as_ref().map(Mapping::len).map_err(|e| *e);
        known.put(w.bytes());
        let mapping = self?;
        let recorded = Recorded::new(mapping, w.mapping(), log.clone());
        Ok(Mapping::of_host(Box::new(recorded)))
    }
}

macro_rules! methods {
    ($module:ident $( fn $name:ident($($a:ident: $t:ty),*) -> $r:ty; )*) => { $(
        fn $name(&mut self, $($a: $t),*) -> $r {
            let answer = self.inner.$module().$name($($a),*);
            let _filled = Answer::filled(&answer);
            let log = &self.inner.log;
            let mut w = log.lock();
            if !w.begin(forward::$module::$name, self.executed) {
                return answer;
            }
            $( $a.ask(w.bytes()); )*
            let answer = answer.record(&mut w, log);
            $( $a.give(_filled, w.bytes()); )*
            w.end();
            answer
        }
    )* };
}

macro_rules! record {
    (Host host $($requests:tt)*) => {
        impl Host for Recorder {
            fn as_any(&mut self) -> &mut dyn std::any::Any {
                self.inner.as_any()
            }
            fn counts_bytecodes(&self) -> bool {
                true
            }
            fn at_bytecode(&mut self, executed: i64) {
                self.executed = executed;
                self.inner.at_bytecode(executed);
            }
            fn waker(&mut self) -> Option<Waker> {
                self.inner.waker()
            }
            fn peek_time(&mut self) -> i64 {
                self.inner.peek_time()
            }
            fn peek_cpu_time(&mut self) -> CpuTime {
                self.inner.peek_cpu_time()
            }
            own_parts! {}
            methods! { host $($requests)* }
        }
    };
    ($part:ident $module:ident $($requests:tt)*) => {
        impl $part for Recorder {
            methods! { $module $($requests)* }
        }
    };
}
each_part! { record! }
