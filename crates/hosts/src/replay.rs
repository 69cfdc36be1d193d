//! A host that answers from a recording, made by [`record`](crate::record). It touches nothing outside: no files, no
//! network, no processes, no clock. Only what the program writes to its standard streams is written to those of the
//! process again.

use crate::forward::{self, RequestKind};
use crate::mapped::Replayed;
use crate::recording::encode::Ask;
use crate::recording::tape::{Tape, TapeContents};
use crate::recording::wire::Wire;
use crate::recording::{ChunkSource, End};
use rjvm_vm::host::*;
use rjvm_vm::offheap::{Access, Mapping};
use std::any::Any;
use std::io::Write;
use std::net::{IpAddr, SocketAddr};

pub use crate::recording::tape::Stopped;

/// Takes what the program writes to its standard output (1) and error (2).
pub type Screen = Box<dyn FnMut(i32, &[u8]) + Send>;

/// Standard output and error of the process. Output without a reader is not compared.
pub fn own_screen() -> Screen {
    Box::new(|stream, bytes| {
        let _ = match stream {
            1 => std::io::stdout().write_all(bytes),
            _ => std::io::stderr().write_all(bytes),
        };
        let _ = std::io::stdout().flush();
    })
}

/// A host that answers from a recording. A request that was not recorded, or elsewhere, is a panic, which the VM contains:
/// [`Replay::stopped`] knows what it was.
pub struct Replayer {
    tape: Tape,
    executed: i64,
    screen: Screen,
    /// The last answers about the time, and about processor time.
    time: i64,
    cpu_time: CpuTime,
    /// The streams of descriptors 1 and 2.
    streams: [Option<i32>; 3],
}

/// The replay, for the code that knows when the program has ended.
pub struct Replay(Tape);

impl Replay {
    /// The program has ended like this; an error if the recorded one had another end.
    pub fn finish(&self, end: End) -> Result<(), Stopped> {
        self.0.finish(end)
    }
    /// Why it stopped before the program's end.
    pub fn stopped(&self) -> Option<Stopped> {
        self.0.stopped()
    }
}

impl Replayer {
    /// Answers from a recording whose header has been read.
    pub fn new(source: ChunkSource, screen: Screen) -> (Replayer, Replay) {
        let tape = Tape::new(source);
        let replayer = Replayer {
            tape: tape.clone(),
            executed: 0,
            screen,
            time: 0,
            cpu_time: CpuTime::default(),
            streams: [None, Some(1), Some(2)],
        };
        (replayer, Replay(tape))
    }
    fn stream(&self, fd: i32) -> Option<i32> {
        *self.streams.get(usize::try_from(fd).ok()?)?
    }
    /// Stores the answers about time.
    fn note_times(&mut self, kind: RequestKind, answer: &dyn Any) {
        match (kind, answer.downcast_ref(), answer.downcast_ref()) {
            (forward::host::nano_time, Some(&now), _) => self.time = now,
            (forward::host::cpu_time, _, Some(&now)) => self.cpu_time = now,
            _ => {}
        }
    }
    /// After a request whose arguments were descriptors or contents, of which `n` bytes were taken.
    fn answered(
        &mut self,
        kind: RequestKind,
        requested: &[(Option<i32>, Option<&[u8]>)],
        n: usize,
    ) {
        match (kind, requested) {
            (forward::descriptors::write, &[(Some(fd), _), (_, Some(bytes))]) => {
                if let Some(stream) = self.stream(fd) {
                    (self.screen)(stream, &bytes[..n.min(bytes.len())]);
                }
            }
            (forward::descriptors::dup2, &[(Some(from), _), (Some(to), _)]) if n > 0 => {
                let stream = self.stream(from);
                if let Some(known) = usize::try_from(to)
                    .ok()
                    .and_then(|i| self.streams.get_mut(i))
                {
                    *known = stream;
                }
            }
            _ => {}
        }
    }
}

/// The recorded answer.
trait ReplayAnswer: Sized {
    fn replay(playing: &mut TapeContents, tape: &Tape) -> Self;
    fn filled(&self) -> usize {
        usize::MAX
    }
}

impl<T: Wire> ReplayAnswer for T {
    fn replay(playing: &mut TapeContents, _: &Tape) -> T {
        playing.answer(T::get)
    }
    fn filled(&self) -> usize {
        Wire::filled(self)
    }
}

impl ReplayAnswer for Io<Mapping> {
    fn replay(playing: &mut TapeContents, tape: &Tape) -> Io<Mapping> {
        let len = playing.answer(<Io<usize>>::get)?;
        let replayed = Replayed::new(len, playing.mapping(), tape.clone());
        Ok(Mapping::of_host(Box::new(replayed)))
    }
}

macro_rules! methods {
    ($module:ident $( fn $name:ident($($a:ident: $t:ty),*) -> $r:ty; )*) => { $(
        fn $name(&mut self, $($a: $t),*) -> $r {
            let tape = self.tape.clone();
            let mut playing = tape.lock();
            let kind = forward::$module::$name;
            playing.request(kind, self.executed, |_to| {
                $( $a.encode(_to); )*
            });
            let answer = <$r as ReplayAnswer>::replay(&mut playing, &tape);
            let filled = ReplayAnswer::filled(&answer);
            $(
                #[allow(unused_mut, reason = "only those with room are filled")]
                let mut $a = $a;
                playing.answer(|from| $a.accept(filled, from));
            )*
            drop(playing);
            let seen: &[(Option<i32>, Option<&[u8]>)] = &[$( ($a.fd(), $a.contents()) ),*];
            self.answered(kind, seen, filled);
            self.note_times(kind, &answer);
            answer
        }
    )* };
}

macro_rules! replay {
    (Host host $($requests:tt)*) => {
        impl Host for Replayer {
            fn as_any(&mut self) -> &mut dyn std::any::Any {
                self
            }
            fn counts_bytecodes(&self) -> bool {
                true
            }
            fn at_bytecode(&mut self, executed: i64) {
                self.executed = executed;
            }
            /// The last value that the program saw.
            fn peek_time(&mut self) -> i64 {
                self.time
            }
            fn peek_cpu_time(&mut self) -> CpuTime {
                self.cpu_time
            }
            own_parts! {}
            methods! { host $($requests)* }
        }
    };
    ($part:ident $module:ident $($requests:tt)*) => {
        impl $part for Replayer {
            methods! { $module $($requests)* }
        }
    };
}
each_part! { replay! }
