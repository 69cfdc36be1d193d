//! Signals. What happens on one belongs to the process, so this is the one place where VMs meet:
//!
//! * every VM that watches a signal gets each one that arrives;
//! * while one does, the signal has no other effect; else it is ignored if a VM has requested that, else it has its
//!   default effect if a VM has requested that;
//! * when the last VM that has requested anything is gone, the signal is handled as before the first one asked.

use super::call::{done, last, retry};
use rjvm_vm::host::{Errno, Io};
use rjvm_vm::offheap::on_sent;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Mutex;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering::SeqCst};

/// Signals have numbers below this.
const LIMIT: usize = 64;

/// Where the handler leaves signals for one VM. It may run at any time, in any thread, so mailboxes are never freed:
/// one that a VM has abandoned serves the next.
struct Mailbox {
    taken: AtomicBool,
    watched: AtomicU64,
    arrived: [AtomicU32; LIMIT],
    /// An event counter, readable while something has arrived.
    bell: AtomicI32,
    next: AtomicPtr<Mailbox>,
}

static MAILBOXES: AtomicPtr<Mailbox> = AtomicPtr::new(std::ptr::null_mut());

fn mailboxes() -> impl Iterator<Item = &'static Mailbox> {
    let mut next = MAILBOXES.load(SeqCst);
    std::iter::from_fn(move || {
        // SAFETY: mailboxes are leaked when they are linked in.
        let m = unsafe { next.as_ref() }?;
        next = m.next.load(SeqCst);
        Some(m)
    })
}

/// Runs in signal context: atomics and `write` only.
extern "C" fn arrived(number: libc::c_int) {
    for m in mailboxes() {
        if m.watched.load(SeqCst) & 1 << number == 0 {
            continue;
        }
        m.arrived[number as usize].fetch_add(1, SeqCst);
        let one = 1u64.to_ne_bytes();
        // SAFETY: eight bytes of a local; `errno` is put back for the code that was interrupted.
        unsafe {
            let errno = *libc::__errno_location();
            libc::write(m.bell.load(SeqCst), one.as_ptr().cast(), one.len());
            *libc::__errno_location() = errno;
        }
    }
}

impl Mailbox {
    /// A free one, or a new one.
    fn take() -> Io<&'static Mailbox> {
        let free = |m: &&Mailbox| {
            m.taken
                .compare_exchange(false, true, SeqCst, SeqCst)
                .is_ok()
        };
        if let Some(m) = mailboxes().find(free) {
            return Ok(m);
        }
        // SAFETY: no pointers.
        let bell = retry(|| unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) })?;
        let m = Box::leak(Box::new(Mailbox {
            taken: AtomicBool::new(true),
            watched: AtomicU64::new(0),
            arrived: [const { AtomicU32::new(0) }; LIMIT],
            bell: AtomicI32::new(bell),
            next: AtomicPtr::new(std::ptr::null_mut()),
        }));
        let linked = MAILBOXES.fetch_update(SeqCst, SeqCst, |first| {
            m.next.store(first, SeqCst);
            Some(m)
        });
        debug_assert!(linked.is_ok());
        Ok(m)
    }
    fn any(&self) -> bool {
        self.arrived.iter().any(|n| n.load(SeqCst) != 0)
    }
    fn take_one(&self) -> Option<i32> {
        let mut count = [0u8; 8];
        // SAFETY: reads the counter into `count`; it does not block.
        unsafe {
            libc::read(
                self.bell.load(SeqCst),
                count.as_mut_ptr().cast(),
                count.len(),
            )
        };
        let n = self.arrived.iter().position(|n| n.load(SeqCst) != 0)?;
        self.arrived[n].fetch_sub(1, SeqCst);
        if self.any() {
            let one = 1u64.to_ne_bytes();
            // SAFETY: eight bytes of a local: what is left keeps the counter readable.
            unsafe { libc::write(self.bell.load(SeqCst), one.as_ptr().cast(), one.len()) };
        }
        Some(n as i32)
    }
}

/// What a VM has requested.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SignalRequest {
    Watch,
    Ignore,
    Default,
}

/// How a signal was handled before the first request of a VM, and how many VMs request which handling.
struct Shared {
    before: libc::sigaction,
    wishes: [usize; 3],
}

static SHARED: Mutex<BTreeMap<i32, Shared>> = Mutex::new(BTreeMap::new());

fn action(handler: libc::sighandler_t) -> libc::sigaction {
    // SAFETY: a zeroed sigaction is valid.
    let mut a: libc::sigaction = unsafe { std::mem::zeroed() };
    a.sa_sigaction = handler;
    a.sa_flags = libc::SA_RESTART;
    a
}

/// Lets the signal arrive in this thread: a process inherits blocked signals, SIGQUIT from another VM among them.
fn unblock(number: i32) -> Io<()> {
    let mut one = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: `sigemptyset` fills the set before it is read. The number is one of a signal, or there is an error.
    let r = unsafe {
        libc::sigemptyset(one.as_mut_ptr());
        libc::sigaddset(one.as_mut_ptr(), number);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, one.as_ptr(), std::ptr::null_mut())
    };
    match r {
        0 => Ok(()),
        n => Err(Errno(n)),
    }
}

/// Sets how a signal is handled.
fn set(number: i32, a: &libc::sigaction) -> Io<()> {
    // SAFETY: the handler is async-signal-safe, a constant of the system, or what was there before.
    done(|| unsafe { libc::sigaction(number, a, std::ptr::null_mut()) })
}

/// How a signal is handled now.
fn present(number: i32) -> Io<libc::sigaction> {
    let mut a = action(libc::SIG_DFL);
    // SAFETY: fills `a`.
    done(|| unsafe { libc::sigaction(number, std::ptr::null(), &mut a) })?;
    Ok(a)
}

/// Handles SIGBUS as the wishes have it where a process has sent it; faults keep their effect. False where nothing distinguishes them.
fn keeps_faults(wishes: [usize; 3]) -> bool {
    on_sent(match wishes {
        [0, 0, 0] => None,
        [0, 0, _] => Some(default_effect),
        [0, _, _] => Some(nothing),
        _ => Some(arrived),
    })
}

/// Runs in signal context.
extern "C" fn default_effect(number: libc::c_int) {
    // what cannot be set stays as it is
    if set(number, &action(libc::SIG_DFL)).is_ok() {
        // SAFETY: no pointers. The signal comes when its handler has returned.
        unsafe { libc::raise(number) };
    }
}

/// Replaces one wish by another and handles the signal as those that are left have it.
fn change(number: i32, old: Option<SignalRequest>, new: Option<SignalRequest>) -> Io<()> {
    let mut shared = SHARED.lock().unwrap_or_else(|e| e.into_inner());
    let s = match shared.entry(number) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(new) => new.insert(Shared {
            before: present(number)?,
            wishes: [0; 3],
        }),
    };
    let mut wishes = s.wishes;
    if let Some(w) = old {
        wishes[w as usize] -= 1;
    }
    if let Some(w) = new {
        wishes[w as usize] += 1;
    }
    let r = match number {
        libc::SIGBUS if keeps_faults(wishes) => Ok(()),
        _ => match wishes {
            [0, 0, 0] => set(number, &s.before),
            [0, 0, _] => set(number, &action(libc::SIG_DFL)),
            [0, _, _] => set(number, &action(libc::SIG_IGN)),
            _ => {
                let f: extern "C" fn(libc::c_int) = arrived;
                set(number, &action(f as libc::sighandler_t))
            }
        },
    };
    if r.is_ok() {
        s.wishes = wishes;
    }
    if s.wishes == [0; 3] {
        shared.remove(&number);
    }
    r
}

/// The signals of one VM.
#[derive(Default)]
pub struct Signals {
    mailbox: Option<&'static Mailbox>,
    wishes: BTreeMap<i32, SignalRequest>,
}

impl Signals {
    fn wish(&mut self, number: i32, w: SignalRequest) -> Io<bool> {
        if !(1..LIMIT as i32).contains(&number) {
            return Err(Errno(libc::EINVAL));
        }
        let m = match self.mailbox {
            Some(m) => m,
            None => *self.mailbox.insert(Mailbox::take()?),
        };
        let old = self.wishes.get(&number).copied();
        // one that arrives from now on is not lost
        if w == SignalRequest::Watch {
            m.watched.fetch_or(1 << number, SeqCst);
        }
        let r = change(number, old, Some(w));
        if r.is_ok() {
            self.wishes.insert(number, w);
        }
        if self.wishes.get(&number) != Some(&SignalRequest::Watch) {
            m.watched.fetch_and(!(1 << number), SeqCst);
        }
        r.map(|()| old != Some(w))
    }
    /// Keeps the signal for [`Signals::take`]; `false`: it was so before.
    pub fn watch(&mut self, number: i32) -> Io<bool> {
        let r = self.wish(number, SignalRequest::Watch)?;
        unblock(number)?;
        Ok(r)
    }
    /// Asks for the default effect, or that the signal be ignored.
    pub fn unwatch(&mut self, number: i32, ignore: bool) -> Io<()> {
        let w = if ignore {
            SignalRequest::Ignore
        } else {
            SignalRequest::Default
        };
        self.wish(number, w).map(|_| ())
    }
    /// Takes the lowest signal that has arrived.
    pub fn take(&mut self) -> Option<i32> {
        self.mailbox.filter(|m| m.any())?.take_one()
    }
    /// What becomes readable when a watched signal arrives.
    pub fn bell(&self) -> Option<i32> {
        self.mailbox.map(|m| m.bell.load(SeqCst))
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        let Some(m) = self.mailbox else { return };
        m.watched.store(0, SeqCst);
        for (number, w) in std::mem::take(&mut self.wishes) {
            // nothing can be done about a refusal: it was handled a moment ago
            let _ = change(number, Some(w), None);
        }
        while m.any() {
            m.take_one();
        }
        m.taken.store(false, SeqCst);
    }
}

/// Whether a process was started with this signal ignored (as `nohup` arranges it).
pub fn is_ignored(number: i32) -> bool {
    let shared = SHARED.lock().unwrap_or_else(|e| e.into_inner());
    let handler = match shared.get(&number) {
        Some(s) => Ok(s.before.sa_sigaction),
        None => present(number).map(|a| a.sa_sigaction),
    };
    handler == Ok(libc::SIG_IGN)
}

/// Whether a signal has arrived for a VM that has not taken it.
pub fn waits() -> bool {
    mailboxes().any(Mailbox::any)
}

/// Sends the signal to this process.
pub fn raise(number: i32) -> Io<()> {
    // SAFETY: no pointers.
    if unsafe { libc::kill(libc::getpid(), number) } == 0 {
        Ok(())
    } else {
        Err(last())
    }
}

extern "C" fn nothing(_: libc::c_int) {}

/// Lets writes to a pipe without a reader, and beyond the largest size of a file, fail instead of ending the process,
/// unless it has made arrangements itself. Programs that are started have the default effects again.
pub fn survive_writes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for number in [libc::SIGPIPE, libc::SIGXFSZ] {
            if present(number).is_ok_and(|a| a.sa_sigaction == libc::SIG_DFL) {
                let f: extern "C" fn(libc::c_int) = nothing;
                // what is refused stays as it was
                let _ = set(number, &action(f as libc::sighandler_t));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handler(number: i32) -> usize {
        present(number).unwrap().sa_sigaction
    }

    /// The signal arrives in this thread, at once; sent to the process it might in another, later.
    fn arrives(number: i32) {
        // SAFETY: no pointers.
        assert_eq!(unsafe { libc::raise(number) }, 0);
    }

    #[test]
    fn each_vm_gets_each_signal_and_the_first_handler_comes_back() {
        const N: i32 = libc::SIGUSR2;
        extern "C" fn host(_: libc::c_int) {}
        let f: extern "C" fn(libc::c_int) = host;
        set(N, &action(f as libc::sighandler_t)).unwrap();
        let (mut a, mut b) = (Signals::default(), Signals::default());
        assert_eq!(
            (a.watch(N), a.watch(N), b.watch(N)),
            (Ok(true), Ok(false), Ok(true))
        );
        arrives(N);
        arrives(N);
        for s in [&mut a, &mut b] {
            assert_eq!((s.take(), s.take(), s.take()), (Some(N), Some(N), None));
        }
        // what one abandons the other keeps
        b.unwatch(N, false).unwrap();
        arrives(N);
        assert_eq!((a.take(), b.take()), (Some(N), None));
        b.watch(N).unwrap();
        drop(a);
        arrives(N);
        assert!(waits());
        let mut c = Signals::default();
        c.watch(libc::SIGURG).unwrap();
        assert_eq!((b.take(), c.take()), (Some(N), None));
        b.unwatch(N, true).unwrap();
        assert_eq!(handler(N), libc::SIG_IGN);
        assert!(!is_ignored(N));
        c.unwatch(N, false).unwrap();
        assert_eq!(handler(N), libc::SIG_IGN);
        drop(b);
        assert_eq!(handler(N), libc::SIG_DFL);
        drop(c);
        assert_eq!(handler(N), f as usize);
        assert_eq!(handler(libc::SIGURG), libc::SIG_DFL);
        // mailboxes serve again
        for _ in 0..100 {
            Signals::default().watch(N).unwrap();
        }
        assert!(mailboxes().count() < 10);
        assert_eq!(Signals::default().watch(0), Err(Errno(libc::EINVAL)));
        assert!(Signals::default().watch(libc::SIGKILL).is_err());
        set(N, &action(libc::SIG_DFL)).unwrap();
    }

    #[test]
    fn a_bus_error_that_was_sent_is_watched() {
        let mut a = Signals::default();
        assert_eq!(a.watch(libc::SIGBUS), Ok(true));
        let while_watched = handler(libc::SIGBUS);
        arrives(libc::SIGBUS);
        assert_eq!((a.take(), a.take()), (Some(libc::SIGBUS), None));
        a.unwatch(libc::SIGBUS, true).unwrap();
        arrives(libc::SIGBUS);
        assert_eq!(a.take(), None);
        let looks_at_faults = cfg!(all(target_os = "linux", target_arch = "x86_64"));
        assert!(!looks_at_faults || handler(libc::SIGBUS) == while_watched);
    }
}
