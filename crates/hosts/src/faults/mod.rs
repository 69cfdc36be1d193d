//! A host around another host. It lets requests fail as they sometimes do in reality: a full disk, denied files, short reads
//! and writes, broken connections, a clock that is set. Which requests they are follows from a seed; each is
//! reported.

mod plan;
#[cfg(test)]
mod tests;

pub use plan::{Jump, Plan, PlanError};

use crate::forward::{
    self, Around, RequestKind, descriptors as d, files as f, host as h, network as n,
};
use crate::recording::encode::Ask;
use crate::recording::wire::Reader;
use rjvm_vm::host::*;
use rjvm_vm::offheap::{Access, Mapping};
use std::any::Any;
use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// Receives each fault: its name in the plan, the request, and the bytecodes executed until then.
pub type Report = Arc<dyn Fn(&str, &str, i64) + Send + Sync>;

/// A host some of whose requests fail.
pub struct Faulty {
    inner: Box<dyn Host>,
    plan: Plan,
    random: u64,
    /// Bytes written to files.
    written: u64,
    /// Descriptors of files that are written.
    files: BTreeSet<i32>,
    /// Descriptors of stream sockets.
    sockets: BTreeSet<i32>,
    /// Those of them whose connection is broken.
    broken: BTreeSet<i32>,
    /// Nanoseconds since 1970 when the program first looked.
    began: Option<i128>,
    jumped: bool,
    executed: i64,
    report: Report,
}

/// What becomes of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Pass,
    /// It fails.
    Fail(&'static str, i32),
    /// It gets no more than so many bytes.
    Short(&'static str, usize),
}

/// What of a request's arguments matters here.
#[derive(Clone, Copy)]
struct RequestArguments {
    /// The first three numbers, -1 where there are fewer: mostly descriptors.
    numbers: [i32; 3],
    /// The last one: flags, or a descriptor.
    last: i32,
    /// Bytes of the first contents, or room for them.
    size: usize,
}

impl RequestArguments {
    fn of(arguments: &[(Option<i32>, Option<usize>)]) -> RequestArguments {
        let mut numbers = arguments.iter().filter_map(|a| a.0);
        let three = std::array::from_fn(|_| numbers.next().unwrap_or(-1));
        RequestArguments {
            numbers: three,
            last: arguments.iter().rev().find_map(|a| a.0).unwrap_or(-1),
            size: arguments.iter().find_map(|a| a.1).unwrap_or(0),
        }
    }
    fn fd(&self) -> i32 {
        self.numbers[0]
    }
}

const NANOS: i128 = 1_000_000_000;
/// Of the kind of a socket, the part that is not a flag.
const SOCKET_KIND: i32 = 0xf;

impl Faulty {
    /// Around `inner`; random choices follow from `seed`.
    pub fn new(inner: Box<dyn Host>, plan: Plan, seed: u64, report: Report) -> Faulty {
        Faulty {
            inner,
            plan,
            random: seed,
            written: 0,
            files: BTreeSet::new(),
            sockets: BTreeSet::new(),
            broken: BTreeSet::new(),
            began: None,
            jumped: false,
            executed: 0,
            report,
        }
    }
    /// The next number of a sequence (SplitMix64).
    fn draw(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
    /// Whether something happens that does so many times in a million.
    fn happens(&mut self, millionths: u32) -> bool {
        millionths > 0 && self.draw() % 1_000_000 < u64::from(millionths)
    }
    /// What becomes of a request.
    fn verdict(&mut self, kind: RequestKind, args: RequestArguments, name: &[u8]) -> Verdict {
        match kind {
            d::read | d::pread | n::receive => match self.connection(args.fd(), libc::ECONNRESET) {
                Verdict::Pass => self.short(args.size),
                fault => fault,
            },
            d::write | d::pwrite | n::send => match self.connection(args.fd(), libc::EPIPE) {
                Verdict::Pass => match self.disk(args.fd(), args.size) {
                    Verdict::Pass => self.short(args.size),
                    fault => fault,
                },
                fault => fault,
            },
            d::transfer => self.disk(args.last, args.size),
            f::open => {
                let writes = args.last & (libc::O_WRONLY | libc::O_RDWR) != 0;
                self.denied(name, writes)
            }
            f::create_dir
            | f::remove
            | f::rename
            | f::link
            | f::symlink
            | f::make_node
            | f::chmod
            | f::chown
            | f::set_times => self.denied(name, true),
            f::read_dir | f::access => self.denied(name, false),
            _ => Verdict::Pass,
        }
    }
    fn connection(&mut self, fd: i32, later: i32) -> Verdict {
        if self.broken.contains(&fd) {
            return Verdict::Fail("reset", later);
        }
        if self.sockets.contains(&fd) && self.happens(self.plan.reset) {
            self.broken.insert(fd);
            // threads that wait for it are woken, as for a connection that has been reset
            let _ = self.inner.network().shutdown(fd, libc::SHUT_RDWR);
            return Verdict::Fail("reset", libc::ECONNRESET);
        }
        Verdict::Pass
    }
    fn disk(&mut self, fd: i32, size: usize) -> Verdict {
        let Some(room) = self.plan.disk.filter(|_| self.files.contains(&fd)) else {
            return Verdict::Pass;
        };
        let left = usize::try_from(room.saturating_sub(self.written)).unwrap_or(usize::MAX);
        match left {
            0 if size > 0 => Verdict::Fail("disk-full", libc::ENOSPC),
            _ if left < size => Verdict::Short("disk-full", left),
            _ => Verdict::Pass,
        }
    }
    fn short(&mut self, size: usize) -> Verdict {
        if size < 2 || !self.happens(self.plan.short) {
            return Verdict::Pass;
        }
        let n = 1 + self.draw() % (size as u64 - 1);
        Verdict::Short("short-io", n as usize)
    }
    fn denied(&mut self, name: &[u8], writes: bool) -> Verdict {
        let listed = self.plan.denied_names.iter().any(|p| name.starts_with(p));
        match listed || writes && self.happens(self.plan.denied) {
            true => Verdict::Fail("denied", libc::EACCES),
            false => Verdict::Pass,
        }
    }
    /// After a request: keeps track of what descriptors are, and sets the clock.
    fn answered(&mut self, kind: RequestKind, args: RequestArguments, answer: &mut dyn Any) {
        if kind == h::wall_clock
            && let Some(now) = answer.downcast_mut::<(i64, u32)>()
        {
            *now = self.jump(*now);
        }
        let number = match answer.downcast_ref::<Io<i32>>() {
            Some(Ok(fd)) => Some(*fd),
            _ => match answer.downcast_ref::<Io<(i32, Address)>>() {
                Some(Ok((fd, _))) => Some(*fd),
                _ => None,
            },
        };
        match (kind, number) {
            (f::open, Some(fd)) if args.last & (libc::O_WRONLY | libc::O_RDWR) != 0 => {
                let stat = self.inner.descriptors().stat(fd);
                if stat.is_ok_and(|s| s.is_regular()) {
                    self.files.insert(fd);
                }
            }
            (n::accept, Some(fd)) => _ = self.sockets.insert(fd),
            (n::socket, Some(fd)) if args.numbers[1] & SOCKET_KIND == libc::SOCK_STREAM => {
                self.sockets.insert(fd);
            }
            (d::close, _) => {
                for set in [&mut self.files, &mut self.sockets, &mut self.broken] {
                    set.remove(&args.fd());
                }
            }
            (d::write | d::pwrite | d::transfer, _) => {
                let to = if kind == d::transfer {
                    args.last
                } else {
                    args.fd()
                };
                if self.files.contains(&to)
                    && let Some(Ok(n)) = answer.downcast_ref::<Io<usize>>()
                {
                    self.written = self.written.saturating_add(*n as u64);
                }
            }
            _ => {}
        }
    }
    /// The time with the jump that is planned.
    fn jump(&mut self, now: (i64, u32)) -> (i64, u32) {
        let Some(jump) = self.plan.jump else {
            return now;
        };
        let nanos = i128::from(now.0) * NANOS + i128::from(now.1);
        let began = *self.began.get_or_insert(nanos);
        if nanos - began < jump.after {
            return now;
        }
        if !self.jumped {
            self.jumped = true;
            (self.report)("clock-jump", "Host::wall_clock()", self.executed);
        }
        let set = nanos + jump.by;
        let seconds = i64::try_from(set.div_euclid(NANOS)).unwrap_or(i64::MAX);
        (seconds, set.rem_euclid(NANOS) as u32)
    }
}

/// The answer of a request that fails, if it is of a type that can say so.
fn failed<R: Any>(errno: i32) -> Option<R> {
    let e = Errno(errno);
    let all: [Box<dyn Any>; 5] = [
        Box::new(Err::<usize, Errno>(e)),
        Box::new(Err::<i32, Errno>(e)),
        Box::new(Err::<(), Errno>(e)),
        Box::new(Err::<Vec<Vec<u8>>, Errno>(e)),
        Box::new(Err::<i64, Errno>(e)),
    ];
    let found = all.into_iter().find_map(|a| a.downcast::<R>().ok())?;
    Some(*found)
}

impl Around for Faulty {
    fn inner(&mut self) -> &mut dyn Host {
        &mut *self.inner
    }
    fn executed(&mut self) -> Option<&mut i64> {
        Some(&mut self.executed)
    }
    fn counts(&self) -> bool {
        true
    }
}

macro_rules! faulty {
    ($module:ident $name:ident($($a:ident: $t:ty),*) -> $r:ty) => {
        fn $name(&mut self, $($a: $t),*) -> $r {
            const KIND: RequestKind = forward::$module::$name;
            let args = RequestArguments::of(&[$( ($a.fd(), $a.size()) ),*]);
            let verdict = {
                let contents: [Option<&[u8]>; _] = [$( $a.contents() ),*];
                let name = contents.into_iter().flatten().next();
                self.verdict(KIND, args, name.unwrap_or_default())
            };
            let mut _room = usize::MAX;
            if let Verdict::Fail(name, _) | Verdict::Short(name, _) = verdict {
                let mut _text = Vec::new();
                $( $a.encode(&mut _text); )*
                let request = forward::describe(KIND, &mut Reader(&_text));
                (self.report)(name, &request, self.executed);
                match verdict {
                    Verdict::Short(_, n) => _room = n,
                    Verdict::Fail(_, errno) => {
                        if let Some(answer) = failed::<$r>(errno) {
                            return answer;
                        }
                    }
                    Verdict::Pass => {}
                }
            }
            $( let $a = $a.short(_room); )*
            let mut answer = forward::inside::$module(self.inner()).$name($($a),*);
            self.answered(KIND, args, &mut answer);
            answer
        }
    };
}
each_part! { around! Faulty faulty }
