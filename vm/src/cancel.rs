//! Stopping a VM from outside, at a moment of the real world's: another OS thread's request, or the end of its time.
//!
//! A request is a byte that the VM looks at, and a bell that ends its sleep. The interpreter looks at the byte
//! whenever it looks at anything else (at the latest after some ten thousand bytecodes), after each native and each
//! slow path, before and after the VM sleeps, and between the pieces of long work. So a bytecode costs no more, and no signal is
//! needed. [`Halt`] has the reason of a stop; the VM continues from there when it is run again, as after the end of the fuel:
//! nothing of the program's is changed or lost, except that real time has passed. *Where* it stops is a matter of real time and
//! differs from run to run.

use crate::host::{Host, Waker};
use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// Why a VM has stopped though its program has not come to an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Halt {
    /// [`Canceller::cancel`] was called.
    Cancelled,
    /// The time of [`Vm::set_wall_time`](crate::Vm::set_wall_time) has ended.
    WallTime,
    /// A limit of the embedder's or its host's, which has this name: see [`Canceller::exceeded`].
    Limit(&'static str),
    /// The debugger has something to do: see [`Canceller::attend`]. No other code sees this.
    Debugger,
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Halt::Cancelled => f.write_str("cancelled"),
            Halt::WallTime => f.write_str("the wall-clock limit is exceeded"),
            Halt::Limit(name) => write!(f, "the limit on {name} is exceeded"),
            Halt::Debugger => f.write_str("the debugger has requested a stop"),
        }
    }
}

/// Stops a VM from wherever it is held: another OS thread, a host, a signal handler's thread. Clones stop the same
/// VM. One that outlives its VM does nothing any more.
#[derive(Clone, Default)]
pub struct Canceller(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// Not zero: there is a request.
    requested: AtomicU8,
    state: Mutex<CancelState>,
}

#[derive(Default)]
struct CancelState {
    why: Option<Halt>,
    waker: Option<Waker>,
}

/// No code panics while holding these locks, and the protected data is consistent at any time.
fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Canceller {
    /// Has the VM stop with [`Halt::Cancelled`], within milliseconds wherever it is; if it is not running, as soon as
    /// it runs, before its first call or loop. One request stops it once: afterwards it may be run again.
    ///
    /// A collection is stopped half-way, and finished when the VM continues or is inspected; so is the work of natives
    /// on large arrays and blocks of memory. Work that cannot be cut off is finished first: one request to the host that
    /// does not go through [`Host::wait`] (opening a file, looking up a name), zlib's work on one buffer where it stores or
    /// changes its level, an embedder's own native or agent, and a collection that the VM needs to make an exception's message
    /// or while it comes up. The translation of a method, and the reading of its stack map, begin again when they were
    /// stopped; so that they come to an end, a second request waits until they are further than before.
    pub fn cancel(&self) {
        self.ask(Halt::Cancelled);
    }
    /// The same with [`Halt::Limit`]: for hosts that count what a program takes from them.
    pub fn exceeded(&self, limit: &'static str) {
        self.ask(Halt::Limit(limit));
    }
    /// Has the VM let its debugger do something ([`Vm::set_debugger`](crate::Vm::set_debugger)), and continue without a new call.
    pub fn attend(&self) {
        self.ask(Halt::Debugger);
    }
    /// The first request is the one that counts until the VM has stopped for it.
    fn ask(&self, why: Halt) {
        let mut state = lock(&self.0.state);
        match state.why {
            // nobody's request is lost for the debugger's sake, which is seen to at every stop
            None | Some(Halt::Debugger) => state.why = Some(why),
            Some(_) => {}
        }
        self.0.requested.store(1, SeqCst);
        if let Some(wake) = &state.waker {
            wake();
        }
    }
    /// Whether there is a request that the VM has not stopped for yet.
    #[inline(always)]
    pub fn is_requested(&self) -> bool {
        self.0.requested.load(SeqCst) != 0
    }
    /// Where the byte is that reports whether there is a request. It stays there as long as there is a clone.
    pub(crate) fn flag(&self) -> *const AtomicU8 {
        &raw const self.0.requested
    }
    /// Takes the request: the VM stops for it.
    pub(crate) fn take(&self) -> Option<Halt> {
        if !self.is_requested() {
            return None;
        }
        let mut state = lock(&self.0.state);
        self.0.requested.store(0, SeqCst);
        state.why.take()
    }
    /// Takes a request back, if it is this one.
    fn retract(&self, why: Halt) {
        let mut state = lock(&self.0.state);
        if state.why == Some(why) {
            state.why = None;
            self.0.requested.store(0, SeqCst);
        }
    }
    /// What ends the VM's sleep.
    fn set_waker(&self, waker: Option<Waker>) {
        lock(&self.0.state).waker = waker;
    }
}

/// The canceller that a VM obeys; nothing of the VM's stays with its clones when the VM is gone.
#[derive(Default)]
pub(crate) struct OwnCanceller {
    canceller: Canceller,
    /// Its waker is set.
    wakes: bool,
}

impl OwnCanceller {
    /// Whether there may be requests of others.
    pub fn is_shared(&self) -> bool {
        self.wakes
    }
    /// A clone for others, who can end the sleep of `host` from now on.
    pub fn share(&mut self, host: &mut dyn Host) -> Canceller {
        if !std::mem::replace(&mut self.wakes, true) {
            self.canceller.set_waker(host.waker());
        }
        self.canceller.clone()
    }
}

impl std::ops::Deref for OwnCanceller {
    type Target = Canceller;
    fn deref(&self) -> &Canceller {
        &self.canceller
    }
}

impl Drop for OwnCanceller {
    fn drop(&mut self) {
        self.canceller.set_waker(None);
    }
}

impl fmt::Debug for Canceller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Canceller")
            .field("asked", &lock(&self.0.state).why)
            .finish_non_exhaustive()
    }
}

/// An OS thread that sleeps until a VM's time has ended, and asks it to stop then.
pub(crate) struct Watchdog {
    shared: Arc<(Mutex<Watch>, Condvar)>,
    thread: Option<JoinHandle<()>>,
    canceller: Canceller,
}

#[derive(Default)]
struct Watch {
    /// When the time has ended; `None`: nothing runs.
    until: Option<Instant>,
    over: bool,
}

impl Watchdog {
    /// Starts the thread.
    pub fn new(canceller: Canceller) -> std::io::Result<Watchdog> {
        let shared: Arc<(Mutex<Watch>, Condvar)> = Arc::default();
        let (watched, request) = (shared.clone(), canceller.clone());
        let thread = Builder::new()
            .name("rjvm-watchdog".into())
            .stack_size(64 << 10)
            .spawn(move || watch(&watched, &request))?;
        Ok(Watchdog {
            shared,
            thread: Some(thread),
            canceller,
        })
    }
    /// The VM begins to run, and may do so for this long.
    pub fn arm(&self, left: Duration) {
        if left.is_zero() {
            return self.canceller.ask(Halt::WallTime);
        }
        // a time too far away to be reported is none
        lock(&self.shared.0).until = Instant::now().checked_add(left);
        self.shared.1.notify_one();
    }
    /// The VM runs no more. A request that came too late is none.
    pub fn disarm(&self) {
        lock(&self.shared.0).until = None;
        self.canceller.retract(Halt::WallTime);
    }
}

fn watch(shared: &(Mutex<Watch>, Condvar), canceller: &Canceller) {
    let (state, changed) = shared;
    let mut watch = lock(state);
    while !watch.over {
        watch = match watch.until {
            None => changed.wait(watch).unwrap_or_else(PoisonError::into_inner),
            Some(until) => {
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    // with the lock held: nobody disarms before it has been asked
                    canceller.ask(Halt::WallTime);
                    watch.until = None;
                    continue;
                }
                let woken = changed.wait_timeout(watch, left);
                woken.unwrap_or_else(PoisonError::into_inner).0
            }
        };
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        lock(&self.shared.0).over = true;
        self.shared.1.notify_one();
        if let Some(thread) = self.thread.take() {
            // it does nothing that could panic
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn the_first_request_counts_and_is_taken_once() {
        let c = Canceller::default();
        let rung = Arc::new(AtomicUsize::new(0));
        let counted = rung.clone();
        c.set_waker(Some(Arc::new(move || {
            counted.fetch_add(1, SeqCst);
        })));
        assert_eq!((c.is_requested(), c.take()), (false, None));
        c.clone().exceeded("output");
        c.cancel();
        assert_eq!((c.is_requested(), rung.load(SeqCst)), (true, 2));
        c.retract(Halt::Cancelled);
        assert_eq!(c.take(), Some(Halt::Limit("output")));
        assert_eq!((c.is_requested(), c.take()), (false, None));
    }

    #[test]
    fn a_watchdog_stops_when_the_time_has_ended_and_not_when_disarmed() {
        let c = Canceller::default();
        let dog = Watchdog::new(c.clone()).unwrap();
        let begin = Instant::now();
        dog.arm(Duration::from_millis(20));
        while !c.is_requested() {
            std::thread::yield_now();
        }
        assert!(begin.elapsed() >= Duration::from_millis(20));
        dog.disarm();
        assert!(!c.is_requested(), "it is taken back");
        dog.arm(Duration::from_millis(5));
        dog.disarm();
        std::thread::sleep(Duration::from_millis(30));
        assert!(!c.is_requested());
        dog.arm(Duration::ZERO);
        assert_eq!(c.take(), Some(Halt::WallTime));
        dog.arm(Duration::MAX);
    }
}
