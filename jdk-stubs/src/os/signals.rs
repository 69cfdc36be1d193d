//! Signals. Their disposition belongs to the process, so what little there is here is shared by all
//! its VMs: a set of arrived signals and a pipe that ends a sleeping [`super::wait`].

use super::call::{done, last};
use rjvm_vm::host::{Errno, Io};
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

static PENDING: AtomicU64 = AtomicU64::new(0);
static WATCHED: AtomicU64 = AtomicU64::new(0);
static WAKE_READ: AtomicI32 = AtomicI32::new(-1);
static WAKE_WRITE: AtomicI32 = AtomicI32::new(-1);

/// Runs in signal context: atomics and `write` only.
extern "C" fn arrived(number: libc::c_int) {
    PENDING.fetch_or(1 << number, Ordering::SeqCst);
    let fd = WAKE_WRITE.load(Ordering::SeqCst);
    if fd >= 0 {
        // SAFETY: one byte of a constant; `errno` is put back for the code that was interrupted.
        unsafe {
            let errno = *libc::__errno_location();
            libc::write(fd, [0u8].as_ptr().cast(), 1);
            *libc::__errno_location() = errno;
        }
    }
}

fn wake_pipe() -> Io<()> {
    if WAKE_READ.load(Ordering::SeqCst) >= 0 {
        return Ok(());
    }
    let mut p = [0; 2];
    // SAFETY: `p` takes the two descriptors.
    done(|| unsafe { libc::pipe2(p.as_mut_ptr(), libc::O_CLOEXEC | libc::O_NONBLOCK) })?;
    if WAKE_READ
        .compare_exchange(-1, p[0], Ordering::SeqCst, Ordering::SeqCst)
        .is_ok()
    {
        WAKE_WRITE.store(p[1], Ordering::SeqCst);
    } else {
        // SAFETY: another thread was first; these two are ours alone.
        unsafe {
            libc::close(p[0]);
            libc::close(p[1]);
        }
    }
    Ok(())
}

fn set(number: i32, handler: libc::sighandler_t) -> Io<()> {
    if !(1..64).contains(&number) {
        return Err(Errno(libc::EINVAL));
    }
    // SAFETY: a zeroed sigaction is valid; the handler is async-signal-safe or a system constant.
    done(|| unsafe {
        let mut a: libc::sigaction = std::mem::zeroed();
        a.sa_sigaction = handler;
        a.sa_flags = libc::SA_RESTART;
        libc::sigaction(number, &a, std::ptr::null_mut())
    })
}

/// Keeps the signal for [`take`]; `false`: it was so before.
pub fn watch(number: i32) -> Io<bool> {
    wake_pipe()?;
    set(
        number,
        arrived as extern "C" fn(libc::c_int) as libc::sighandler_t,
    )?;
    Ok(WATCHED.fetch_or(1 << number, Ordering::SeqCst) & 1 << number == 0)
}

/// Restores the default effect, or has the signal ignored.
pub fn unwatch(number: i32, ignore: bool) -> Io<()> {
    set(number, if ignore { libc::SIG_IGN } else { libc::SIG_DFL })?;
    WATCHED.fetch_and(!(1 << number), Ordering::SeqCst);
    Ok(())
}

/// The signal's present disposition is to be ignored (as `nohup` arranges it).
pub fn is_ignored(number: i32) -> bool {
    // SAFETY: only reads the disposition.
    unsafe {
        let mut a: libc::sigaction = std::mem::zeroed();
        libc::sigaction(number, std::ptr::null(), &mut a) == 0 && a.sa_sigaction == libc::SIG_IGN
    }
}

/// Takes the lowest signal that has arrived.
pub fn take() -> Option<i32> {
    let p = PENDING.load(Ordering::SeqCst);
    if p == 0 {
        return None;
    }
    let n = p.trailing_zeros();
    PENDING.fetch_and(!(1 << n), Ordering::SeqCst);
    let fd = WAKE_READ.load(Ordering::SeqCst);
    let mut buf = [0u8; 64];
    // SAFETY: drains the pipe into `buf`; it does not block.
    while fd >= 0 && unsafe { libc::read(fd, buf.as_mut_ptr().cast(), buf.len()) } > 0 {}
    if PENDING.load(Ordering::SeqCst) != 0 {
        let w = WAKE_WRITE.load(Ordering::SeqCst);
        // SAFETY: one byte of a constant: further signals keep the pipe readable.
        unsafe { libc::write(w, [0u8].as_ptr().cast(), 1) };
    }
    Some(n as i32)
}

/// Whether a signal has arrived that nobody has taken.
pub fn waits() -> bool {
    PENDING.load(Ordering::SeqCst) != 0
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

/// What becomes readable when a watched signal arrives.
pub fn wake_descriptor() -> Option<i32> {
    Some(WAKE_READ.load(Ordering::SeqCst)).filter(|&fd| fd >= 0)
}
