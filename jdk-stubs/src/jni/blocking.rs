//! Functions of the C library that wait: native code that calls one would keep all threads of Java waiting, since they share
//! a thread of the operating system. So a library's references to them are bound to functions here, which look whether the
//! awaited thing is there. If not, they have the VM run other threads for a while. A downcall of `java.lang.foreign` that names
//! one calls that here, too.
//!
//! Other code of a library (its own system calls, locks, blocking descriptors) waits as it always does.

use super::cx::look;
use super::env::JniEnv;
use super::fibers::running;
use crate::foreign::calls;
use rjvm_vm::threads::Wait;
use std::ffi::c_void;
use std::time::{Duration, Instant};

/// How long is waited between looks: ever longer.
const NAPS: [Duration; 2] = [Duration::from_micros(50), Duration::from_millis(2)];

/// The native code that waits.
#[derive(Clone, Copy)]
enum Waiter {
    /// A native method, by its environment.
    Method(*mut JniEnv),
    /// A function that `java.lang.foreign` calls.
    Function,
}

/// The native code of this thread; `None` on threads of C code.
fn waiter() -> Option<Waiter> {
    match running() {
        0 => calls::is_running().then_some(Waiter::Function),
        env => Some(Waiter::Method(std::ptr::with_exposed_provenance_mut(env))),
    }
}

/// Lets others run for so long.
///
/// # Safety
/// The waiter is this thread's.
unsafe fn nap(waiter: Waiter, time: Duration) {
    let Waiter::Method(env) = waiter else {
        return calls::nap(time);
    };
    let mut slept = false;
    look::<()>(env, |cx| {
        if std::mem::replace(&mut slept, true) {
            return Ok(());
        }
        let nanos = i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        let deadline = cx.vm.deadline_after(nanos);
        Err(cx.vm.block_on(Wait::Sleep, Some(deadline)))
    })
}

/// A time in milliseconds; `None` (without end) if it is negative.
fn millis(n: i32) -> Option<Duration> {
    u64::try_from(n).ok().map(Duration::from_millis)
}

/// Looks until there is something other than 0, or the time has ended.
unsafe fn wait(waiter: Waiter, time: Option<Duration>, mut look: impl FnMut() -> i32) -> i32 {
    let (begun, mut next) = (Instant::now(), NAPS[0]);
    loop {
        let found = look();
        let left = time.map_or(NAPS[1], |time| time.saturating_sub(begun.elapsed()));
        if found != 0 || left.is_zero() {
            return found;
        }
        nap(waiter, next.min(left));
        next = (next * 2).min(NAPS[1]);
    }
}

unsafe extern "C" fn epoll_wait(
    fd: i32,
    events: *mut libc::epoll_event,
    most: i32,
    time: i32,
) -> i32 {
    match waiter() {
        None => libc::epoll_wait(fd, events, most, time),
        Some(waiter) => wait(waiter, millis(time), || {
            libc::epoll_wait(fd, events, most, 0)
        }),
    }
}

unsafe extern "C" fn poll(fds: *mut libc::pollfd, n: libc::nfds_t, time: i32) -> i32 {
    match waiter() {
        None => libc::poll(fds, n, time),
        Some(waiter) => wait(waiter, millis(time), || libc::poll(fds, n, 0)),
    }
}

unsafe extern "C" fn nanosleep(time: *const libc::timespec, left: *mut libc::timespec) -> i32 {
    let (seconds, nanos) = ((*time).tv_sec, (*time).tv_nsec);
    match (waiter(), u64::try_from(seconds), u32::try_from(nanos)) {
        (Some(waiter), Ok(s), Ok(n)) if n < 1_000_000_000 => {
            nap(waiter, Duration::new(s, n));
            0
        }
        _ => libc::nanosleep(time, left),
    }
}

unsafe extern "C" fn usleep(micros: libc::c_uint) -> i32 {
    match waiter() {
        None => libc::usleep(micros),
        Some(waiter) => {
            nap(waiter, Duration::from_micros(micros.into()));
            0
        }
    }
}

unsafe extern "C" fn sleep(seconds: libc::c_uint) -> libc::c_uint {
    match waiter() {
        None => libc::sleep(seconds),
        Some(waiter) => {
            nap(waiter, Duration::from_secs(seconds.into()));
            0
        }
    }
}

/// `epoll_pwait2`, for which old C libraries have no function.
unsafe extern "C" fn epoll_pwait2(
    fd: i32,
    events: *mut libc::epoll_event,
    most: i32,
    time: *const libc::timespec,
    signals: *const libc::sigset_t,
) -> i32 {
    let ask = |time: *const libc::timespec| {
        let bytes = 8usize;
        libc::syscall(
            libc::SYS_epoll_pwait2,
            fd,
            events,
            most,
            time,
            signals,
            bytes,
        ) as i32
    };
    match waiter() {
        // with a mask of signals it is left to the system
        Some(waiter) if signals.is_null() => {
            let duration = |t: &libc::timespec| {
                let seconds = u64::try_from(t.tv_sec).unwrap_or_default();
                Duration::new(seconds, t.tv_nsec as u32)
            };
            let now = libc::timespec {
                tv_sec: 0,
                tv_nsec: 0,
            };
            wait(waiter, time.as_ref().map(duration), || ask(&raw const now))
        }
        _ => ask(time),
    }
}

/// Waits until there is something to read or accept, unless the descriptor does not wait; `false` if its time has ended.
unsafe fn readable(waiter: Waiter, fd: i32, flags: i32) -> bool {
    let ready = || {
        let mut fd = libc::pollfd {
            fd,
            events: libc::POLLIN,
            revents: 0,
        };
        libc::poll(&raw mut fd, 1, 0)
    };
    let never_waits = || {
        flags & libc::MSG_DONTWAIT != 0 || libc::fcntl(fd, libc::F_GETFL) & libc::O_NONBLOCK != 0
    };
    if ready() != 0 || never_waits() {
        return true;
    }
    let mut limit = libc::timeval {
        tv_sec: 0,
        tv_usec: 0,
    };
    let mut bytes = size_of::<libc::timeval>() as libc::socklen_t;
    let to = (&raw mut limit).cast();
    libc::getsockopt(fd, libc::SOL_SOCKET, libc::SO_RCVTIMEO, to, &raw mut bytes);
    let seconds = u64::try_from(limit.tv_sec).unwrap_or_default();
    let time = Duration::new(seconds, limit.tv_usec as u32 * 1000);
    let found = wait(waiter, Some(time).filter(|t| !t.is_zero()), ready);
    if found == 0 {
        *libc::__errno_location() = libc::EAGAIN;
    }
    found != 0
}

/// Functions that wait for something to read or accept: name, parameters, the flags among them or 0, result.
macro_rules! readers {
    ($($name:ident($($p:ident: $t:ty),*) $flags:expr => $r:ty;)*) => { $(
        unsafe extern "C" fn $name(fd: i32, $($p: $t),*) -> $r {
            match waiter() {
                Some(waiter) if !readable(waiter, fd, $flags) => -1,
                _ => libc::$name(fd, $($p),*),
            }
        }
    )* };
}
readers! {
    accept(address: *mut libc::sockaddr, len: *mut libc::socklen_t) 0 => i32;
    accept4(address: *mut libc::sockaddr, len: *mut libc::socklen_t, flags: i32) 0 => i32;
    read(to: *mut c_void, len: usize) 0 => isize;
    recv(to: *mut c_void, len: usize, flags: i32) flags => isize;
    recvfrom(to: *mut c_void, len: usize, flags: i32, address: *mut libc::sockaddr, bytes: *mut libc::socklen_t) flags => isize;
    recvmsg(message: *mut libc::msghdr, flags: i32) flags => isize;
}

unsafe extern "C" fn pthread_join(thread: libc::pthread_t, result: *mut *mut c_void) -> i32 {
    let Some(waiter) = waiter() else {
        return libc::pthread_join(thread, result);
    };
    let mut done = libc::EBUSY;
    wait(waiter, None, || {
        done = libc::pthread_tryjoin_np(thread, result);
        i32::from(done != libc::EBUSY)
    });
    done
}

unsafe extern "C" fn sem_wait(semaphore: *mut libc::sem_t) -> i32 {
    let Some(waiter) = waiter() else {
        return libc::sem_wait(semaphore);
    };
    let mut done = 0;
    wait(waiter, None, || {
        done = libc::sem_trywait(semaphore);
        i32::from(done == 0 || *libc::__errno_location() != libc::EAGAIN)
    });
    done
}

/// Returns after a while: callers look again whether their condition holds, since a wait may end for no reason (POSIX).
unsafe extern "C" fn pthread_cond_wait(
    condition: *mut libc::pthread_cond_t,
    mutex: *mut libc::pthread_mutex_t,
) -> i32 {
    let Some(waiter) = waiter() else {
        return libc::pthread_cond_wait(condition, mutex);
    };
    let unlocked = libc::pthread_mutex_unlock(mutex);
    if unlocked != 0 {
        return unlocked;
    }
    nap(waiter, NAPS[0]);
    // whoever has it now may need a turn of Java code to leave it
    let mut done = libc::EBUSY;
    wait(waiter, None, || {
        done = libc::pthread_mutex_trylock(mutex);
        i32::from(done != libc::EBUSY)
    });
    done
}

/// A function that waits: its name, the one here, and the one of the C library.
type Known = (&'static [u8], *const (), *const ());

fn functions() -> [Known; 15] {
    macro_rules! known {
        ($($name:ident)*) => {
            [
                $((stringify!($name).as_bytes(), $name as *const (), libc::$name as *const ()),)*
                (b"epoll_pwait2", epoll_pwait2 as *const (), std::ptr::null()),
            ]
        };
    }
    known! {
        accept accept4 read recv recvfrom recvmsg epoll_wait poll nanosleep usleep sleep pthread_join sem_wait pthread_cond_wait
    }
}

/// Binds a library's references to functions that wait to those here.
///
/// # Safety
/// The library has been loaded, and none of its code runs yet but its constructors.
pub unsafe fn bind(handle: i64) {
    imp::bind(handle, &functions())
}

/// The function here for one of the C library that waits; any other function is itself.
pub fn instead_of(function: i64) -> i64 {
    let known = functions();
    let known = known.iter().find(|f| f.2.addr() as i64 == function);
    known.map_or(function, |f| f.1.expose_provenance() as i64)
}

#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod imp {
    use std::ffi::{CStr, c_void};

    /// The head of the dynamic linker's description of a library (`link.h`).
    #[repr(C)]
    struct LinkMap {
        base: usize,
        _name: *const i8,
        dynamic: *const DynamicEntry,
    }
    /// `Elf64_Dyn`
    #[repr(C)]
    struct DynamicEntry {
        tag: i64,
        value: usize,
    }
    /// `Elf64_Rela`
    #[repr(C)]
    struct Relocation {
        offset: usize,
        info: u64,
        _addend: i64,
    }
    /// `Elf64_Sym`
    #[repr(C)]
    struct Symbol {
        name: u32,
        _rest: [u8; 20],
    }

    const PLT_BYTES: i64 = 2;
    const STRINGS: i64 = 5;
    const SYMBOLS: i64 = 6;
    const RELOCATIONS: i64 = 7;
    const RELOCATION_BYTES: i64 = 8;
    const PLT: i64 = 23;
    /// Relocations that are the address of a function.
    const OF_FUNCTIONS: [u32; 2] = [6, 7];
    const PAGE: usize = 4096;

    pub unsafe fn bind(handle: i64, functions: &[super::Known]) {
        let handle = std::ptr::with_exposed_provenance_mut(handle as usize);
        let mut map: *const LinkMap = std::ptr::null();
        let to = (&raw mut map).cast::<c_void>();
        if libc::dlinfo(handle, libc::RTLD_DI_LINKMAP, to) != 0 || (*map).dynamic.is_null() {
            return;
        }
        let value = |tag: i64| {
            let mut at = (*map).dynamic;
            while (*at).tag != 0 && (*at).tag != tag {
                at = at.add(1);
            }
            if (*at).tag == tag { (*at).value } else { 0 }
        };
        let (symbols, strings) = (value(SYMBOLS), value(STRINGS));
        let tables = [(PLT, PLT_BYTES), (RELOCATIONS, RELOCATION_BYTES)];
        for (table, bytes) in tables.map(|(t, b)| (value(t), value(b))) {
            let table: *const Relocation = std::ptr::with_exposed_provenance(table);
            for i in 0..bytes / size_of::<Relocation>() {
                let r = &*table.add(i);
                if !OF_FUNCTIONS.contains(&(r.info as u32)) {
                    continue;
                }
                let symbol = std::ptr::with_exposed_provenance::<Symbol>(symbols);
                let symbol = symbol.add((r.info >> 32) as usize);
                let name =
                    std::ptr::with_exposed_provenance::<i8>(strings + (*symbol).name as usize);
                let name = CStr::from_ptr(name).to_bytes();
                if let Some(f) = functions.iter().find(|f| f.0 == name) {
                    set((*map).base + r.offset, f.1.expose_provenance());
                }
            }
        }
    }

    /// Writes a pointer into memory that may have been made read-only once it was relocated.
    unsafe fn set(at: usize, function: usize) {
        let page = std::ptr::with_exposed_provenance_mut::<c_void>(at & !(PAGE - 1));
        if libc::mprotect(page, PAGE, libc::PROT_READ | libc::PROT_WRITE) == 0 {
            std::ptr::with_exposed_provenance_mut::<usize>(at).write(function);
        }
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")))]
mod imp {
    pub unsafe fn bind(_: i64, _: &[super::Known]) {}
}
