//! Functions of the C library that wait: a native method that calls one would keep all threads of Java waiting, since they share
//! a thread of the operating system. So a library's references to them are bound to functions here, which look whether the
//! awaited thing is there. If not, they have the VM run other threads for a while.
//!
//! Other code of a library (its own system calls, locks, blocking descriptors) waits as it always does.

use super::cx::look;
use super::env::JniEnv;
use super::fibers::running;
use rjvm_vm::threads::Wait;
use std::ffi::c_void;
use std::time::{Duration, Instant};

/// How long is waited between looks: ever longer.
const NAPS: [Duration; 2] = [Duration::from_micros(50), Duration::from_millis(2)];

/// The environment of the native method that waits; `None` on threads of C code.
fn env() -> Option<*mut JniEnv> {
    let env = running();
    (env != 0).then(|| std::ptr::with_exposed_provenance_mut(env))
}

/// Lets others run for so long.
///
/// # Safety
/// The environment belongs to the native method that runs on this thread.
unsafe fn nap(env: *mut JniEnv, time: Duration) {
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
unsafe fn wait(env: *mut JniEnv, time: Option<Duration>, mut look: impl FnMut() -> i32) -> i32 {
    let (begun, mut next) = (Instant::now(), NAPS[0]);
    loop {
        let found = look();
        let left = time.map_or(NAPS[1], |time| time.saturating_sub(begun.elapsed()));
        if found != 0 || left.is_zero() {
            return found;
        }
        nap(env, next.min(left));
        next = (next * 2).min(NAPS[1]);
    }
}

unsafe extern "C" fn epoll_wait(
    fd: i32,
    events: *mut libc::epoll_event,
    most: i32,
    time: i32,
) -> i32 {
    match env() {
        None => libc::epoll_wait(fd, events, most, time),
        Some(env) => wait(env, millis(time), || libc::epoll_wait(fd, events, most, 0)),
    }
}

unsafe extern "C" fn poll(fds: *mut libc::pollfd, n: libc::nfds_t, time: i32) -> i32 {
    match env() {
        None => libc::poll(fds, n, time),
        Some(env) => wait(env, millis(time), || libc::poll(fds, n, 0)),
    }
}

unsafe extern "C" fn nanosleep(time: *const libc::timespec, left: *mut libc::timespec) -> i32 {
    let (seconds, nanos) = ((*time).tv_sec, (*time).tv_nsec);
    match (env(), u64::try_from(seconds), u32::try_from(nanos)) {
        (Some(env), Ok(s), Ok(n)) if n < 1_000_000_000 => {
            nap(env, Duration::new(s, n));
            0
        }
        _ => libc::nanosleep(time, left),
    }
}

unsafe extern "C" fn usleep(micros: libc::c_uint) -> i32 {
    match env() {
        None => libc::usleep(micros),
        Some(env) => {
            nap(env, Duration::from_micros(micros.into()));
            0
        }
    }
}

unsafe extern "C" fn sleep(seconds: libc::c_uint) -> libc::c_uint {
    match env() {
        None => libc::sleep(seconds),
        Some(env) => {
            nap(env, Duration::from_secs(seconds.into()));
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
    match env() {
        // with a mask of signals it is left to the system
        Some(env) if signals.is_null() => {
            let duration = |t: &libc::timespec| {
                let seconds = u64::try_from(t.tv_sec).unwrap_or_default();
                Duration::new(seconds, t.tv_nsec as u32)
            };
            let now = libc::timespec {
                tv_sec: 0,
                tv_nsec: 0,
            };
            wait(env, time.as_ref().map(duration), || ask(&raw const now))
        }
        _ => ask(time),
    }
}

/// Waits until there is something to read or accept, unless the descriptor does not wait; `false` if its time has ended.
unsafe fn readable(env: *mut JniEnv, fd: i32, flags: i32) -> bool {
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
    let found = wait(env, Some(time).filter(|t| !t.is_zero()), ready);
    if found == 0 {
        *libc::__errno_location() = libc::EAGAIN;
    }
    found != 0
}

/// Functions that wait for something to read or accept: name, parameters, the flags among them or 0, result.
macro_rules! readers {
    ($($name:ident($($p:ident: $t:ty),*) $flags:expr => $r:ty;)*) => { $(
        unsafe extern "C" fn $name(fd: i32, $($p: $t),*) -> $r {
            match env() {
                Some(env) if !readable(env, fd, $flags) => -1,
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
    let Some(env) = env() else {
        return libc::pthread_join(thread, result);
    };
    let mut done = libc::EBUSY;
    wait(env, None, || {
        done = libc::pthread_tryjoin_np(thread, result);
        i32::from(done != libc::EBUSY)
    });
    done
}

unsafe extern "C" fn sem_wait(semaphore: *mut libc::sem_t) -> i32 {
    let Some(env) = env() else {
        return libc::sem_wait(semaphore);
    };
    let mut done = 0;
    wait(env, None, || {
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
    let Some(env) = env() else {
        return libc::pthread_cond_wait(condition, mutex);
    };
    let unlocked = libc::pthread_mutex_unlock(mutex);
    if unlocked != 0 {
        return unlocked;
    }
    nap(env, NAPS[0]);
    // whoever has it now may need a turn of Java code to leave it
    let mut done = libc::EBUSY;
    wait(env, None, || {
        done = libc::pthread_mutex_trylock(mutex);
        i32::from(done != libc::EBUSY)
    });
    done
}

/// Binds a library's references to functions that wait to those here.
///
/// # Safety
/// The library has been loaded, and none of its code runs yet but its constructors.
pub unsafe fn bind(handle: i64) {
    let functions: [(&[u8], *const ()); 15] = [
        (b"accept", accept as *const ()),
        (b"accept4", accept4 as *const ()),
        (b"read", read as *const ()),
        (b"recv", recv as *const ()),
        (b"recvfrom", recvfrom as *const ()),
        (b"recvmsg", recvmsg as *const ()),
        (b"epoll_wait", epoll_wait as *const ()),
        (b"poll", poll as *const ()),
        (b"nanosleep", nanosleep as *const ()),
        (b"usleep", usleep as *const ()),
        (b"sleep", sleep as *const ()),
        (b"epoll_pwait2", epoll_pwait2 as *const ()),
        (b"pthread_join", pthread_join as *const ()),
        (b"sem_wait", sem_wait as *const ()),
        (b"pthread_cond_wait", pthread_cond_wait as *const ()),
    ];
    imp::bind(handle, &functions)
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

    pub unsafe fn bind(handle: i64, functions: &[(&[u8], *const ())]) {
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
    pub unsafe fn bind(_: i64, _: &[(&[u8], *const ())]) {}
}
