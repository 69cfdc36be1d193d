//! A host that records every answer of another host, for [`replay`](crate::replay).

use crate::forward::{self, Around};
use crate::mapped::Recorded;
use crate::recording::encode::Ask;
use crate::recording::log::{Log, Writing};
use crate::recording::wire::Wire;
use crate::recording::{End, Header};
use rjvm_vm::host::*;
use rjvm_vm::offheap::{Access, Mapping};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;

/// Nanoseconds for which records may wait to be written while the program sleeps.
const NAP: i64 = 20_000_000;
/// Turns of threads between two looks at how long records have waited to be written.
const TURNS: u32 = 16;

/// A host that answers as another host does, and records the answers.
pub struct Recorder {
    inner: Timely,
    executed: i64,
}

/// The recording, for the code that knows when the run has ended.
#[derive(Clone)]
pub struct Recording(Log);

impl Recording {
    /// The run has ended like this. Gives the number of bytes of the recording, or why it is not whole.
    pub fn finish(&self, end: End) -> io::Result<u64> {
        self.0.finish(end)
    }
    /// Writes the pending records: who reads the file sees all answers up to here.
    pub fn flush(&self) {
        self.0.lock().flush();
    }
    /// Bounds the bytes of records, before compression. Beyond that `exceeded` is called on the VM's thread, by each request
    /// again, which is recorded all the same.
    pub fn set_limit(&self, bytes: u64, exceeded: impl Fn() + Send + 'static) {
        self.0.lock().set_limit(bytes, Box::new(exceeded));
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
            inner: Timely {
                host: inner,
                log: log.clone(),
                turns: 0,
            },
            executed: 0,
        };
        Ok((recorder, Recording(log)))
    }
}

/// The host that is recorded. Where requests may last long, or come at each turn of threads, it ensures that records do not wait
/// forever to be written.
struct Timely {
    host: Box<dyn Host>,
    log: Log,
    turns: u32,
}

impl Timely {
    fn wait_in_pieces(&mut self, fds: &[(i32, u8)], deadline: Option<i64>) -> Vec<usize> {
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
    fn look_for_signal(&mut self) -> Option<i32> {
        self.turns += 1;
        if self.turns >= TURNS {
            self.turns = 0;
            self.log.lock().flush_old();
        }
        self.host.take_signal()
    }
}

impl Around for Timely {
    fn inner(&mut self) -> &mut dyn Host {
        &mut *self.host
    }
    fn executed(&mut self) -> Option<&mut i64> {
        None
    }
    fn counts(&self) -> bool {
        self.host.counts_bytecodes()
    }
}

macro_rules! timely {
    (host wait($($a:ident: $t:ty),*) -> $r:ty) => {
        fn wait(&mut self, $($a: $t),*) -> $r {
            self.wait_in_pieces($($a),*)
        }
    };
    (host take_signal() -> $r:ty) => {
        fn take_signal(&mut self) -> $r {
            self.look_for_signal()
        }
    };
    ($($request:tt)*) => {
        pass! { $($request)* }
    };
}
each_part! { around! Timely timely }

/// An answer: it is appended to the recording, and given to the VM.
trait RecordAnswer: Sized {
    fn record(self, w: &mut Writing, log: &Log) -> Self;
    fn filled(&self) -> usize {
        usize::MAX
    }
}

impl<T: Wire> RecordAnswer for T {
    fn record(self, w: &mut Writing, _: &Log) -> T {
        self.put(w.bytes());
        self
    }
    fn filled(&self) -> usize {
        Wire::filled(self)
    }
}

/// The contents of mapped memory are recorded when they are touched.
impl RecordAnswer for Io<Mapping> {
    fn record(self, w: &mut Writing, log: &Log) -> Io<Mapping> {
        let known: Io<usize> = self.as_ref().map(Mapping::len).map_err(|e| *e);
        known.put(w.bytes());
        let mapping = self?;
        let recorded = Recorded::new(mapping, w.mapping(), log.clone());
        Ok(Mapping::of_host(Box::new(recorded)))
    }
}

impl Around for Recorder {
    fn inner(&mut self) -> &mut dyn Host {
        &mut self.inner
    }
    fn executed(&mut self) -> Option<&mut i64> {
        Some(&mut self.executed)
    }
    fn counts(&self) -> bool {
        true
    }
}

macro_rules! record {
    ($module:ident $name:ident($($a:ident: $t:ty),*) -> $r:ty) => {
        fn $name(&mut self, $($a: $t),*) -> $r {
            let answer = forward::inside::$module(&mut self.inner).$name($($a),*);
            let _filled = RecordAnswer::filled(&answer);
            let log = &self.inner.log;
            let mut w = log.lock();
            if !w.begin(forward::$module::$name, self.executed) {
                return answer;
            }
            $( $a.encode(w.bytes()); )*
            let answer = answer.record(&mut w, log);
            $( $a.give(_filled, w.bytes()); )*
            w.end();
            answer
        }
    };
}
each_part! { around! Recorder record }
