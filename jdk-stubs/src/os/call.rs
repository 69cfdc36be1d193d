//! Small change for system calls: results, retries, strings.

use rjvm_vm::host::{CpuTime, Errno, Io};
use std::ffi::{CStr, CString};

/// The error number of the call that has just failed.
pub fn last() -> Errno {
    std::io::Error::last_os_error().into()
}

/// Result of a call that returns -1 for failure, repeated while a signal interrupts it.
pub fn retry<T: Copy + PartialEq + From<i8>>(mut f: impl FnMut() -> T) -> Io<T> {
    loop {
        let r = f();
        if r != T::from(-1) {
            return Ok(r);
        }
        match last() {
            Errno(libc::EINTR) => {}
            e => return Err(e),
        }
    }
}

/// [`retry`] for calls without a useful result.
pub fn done<T: Copy + PartialEq + From<i8>>(f: impl FnMut() -> T) -> Io<()> {
    retry(f).map(|_| ())
}

/// A name for the kernel; one with a zero inside names nothing.
pub fn c_path(path: &[u8]) -> Io<CString> {
    CString::new(path).map_err(|_| Errno(libc::ENOENT))
}

/// The C library's text for an error number.
pub fn strerror(errno: i32) -> String {
    let mut buf = [0; 256];
    // SAFETY: `buf` is writable for its length; the POSIX variant leaves a terminated text in it.
    let r = unsafe { libc::strerror_r(errno, buf.as_mut_ptr(), buf.len()) };
    if r != 0 {
        return format!("Unknown error {errno}");
    }
    // SAFETY: terminated, see above.
    unsafe { CStr::from_ptr(buf.as_ptr()) }
        .to_string_lossy()
        .into_owned()
}

/// Fills `buf` from the kernel's generator.
pub fn entropy(mut buf: &mut [u8]) {
    while !buf.is_empty() {
        // SAFETY: `buf` is writable for its length.
        match retry(|| unsafe { libc::getrandom(buf.as_mut_ptr().cast(), buf.len(), 0) }) {
            Ok(n) => buf = &mut buf[n as usize..],
            // a kernel without the call: hash keys of the standard library are seeded by the system too
            Err(_) => {
                use std::hash::{BuildHasher, RandomState};
                for chunk in buf.chunks_mut(8) {
                    let n = RandomState::new().hash_one(chunk.len()).to_ne_bytes();
                    chunk.copy_from_slice(&n[..chunk.len()]);
                }
                return;
            }
        }
    }
}

/// Processor time of the calling thread.
pub fn cpu_time() -> CpuTime {
    // SAFETY: `rusage` is integers, for which zeros are valid, and writable.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_THREAD, &mut usage);
        usage
    };
    let nanos = |t: libc::timeval| t.tv_sec * 1_000_000_000 + t.tv_usec * 1000;
    let user = nanos(usage.ru_utime);
    CpuTime {
        total: user + nanos(usage.ru_stime),
        user,
    }
}
