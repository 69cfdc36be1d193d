//! Socket options for `sun.nio.ch.Net`.

use super::result::socket_exception;
use crate::io::fd_of;
use rjvm_vm::host::{Errno, Io};
use rjvm_vm::{Env, R, Ref};

/// A socket option that is an `int`.
pub fn get(vm: &mut Env, fd: i32, level: i32, name: i32) -> Io<i32> {
    let mut v = [0; 4];
    vm.host().network().option(fd, level, name, &mut v)?;
    Ok(i32::from_ne_bytes(v))
}

/// Sets a socket option that is an `int`.
pub fn set(vm: &mut Env, fd: i32, level: i32, name: i32, v: i32) -> Io<()> {
    vm.host()
        .network()
        .set_option(fd, level, name, &v.to_ne_bytes())
}

/// The error a socket has met since it was last asked, if any.
pub fn pending_error(vm: &mut Env, fd: i32) -> R<Option<Errno>> {
    let n = get(vm, fd, libc::SOL_SOCKET, libc::SO_ERROR).map_err(socket_exception)?;
    Ok((n != 0).then_some(Errno(n)))
}

/// Whether the option's value is a byte.
fn is_byte(level: i32, name: i32) -> bool {
    level == libc::IPPROTO_IP && matches!(name, libc::IP_MULTICAST_TTL | libc::IP_MULTICAST_LOOP)
}

fn is_linger(level: i32, name: i32) -> bool {
    level == libc::SOL_SOCKET && name == libc::SO_LINGER
}

fn is_buffer_size(level: i32, name: i32) -> bool {
    level == libc::SOL_SOCKET && matches!(name, libc::SO_SNDBUF | libc::SO_RCVBUF)
}

/// `Net.getIntOption0`. `convert`: the value is one Java programs know, not the kernel's.
pub fn get_int_option(vm: &mut Env, fd: Ref, convert: bool, level: i32, name: i32) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    if is_byte(level, name) {
        let mut v = [0];
        let r = vm.host().network().option(fd, level, name, &mut v);
        return r.map(|_| v[0] as i32).map_err(socket_exception);
    }
    if is_linger(level, name) {
        let mut v = [0; 8];
        let r = vm.host().network().option(fd, level, name, &mut v);
        r.map_err(socket_exception)?;
        let word = |i: usize| i32::from_ne_bytes([v[i], v[i + 1], v[i + 2], v[i + 3]]);
        return Ok(if word(0) != 0 { word(4) } else { -1 });
    }
    let v = get(vm, fd, level, name).map_err(socket_exception)?;
    // the kernel reports twice the requested size
    Ok(if convert && is_buffer_size(level, name) {
        v / 2
    } else {
        v
    })
}

/// The smallest receive buffer requested: less makes the kernel fail.
const SMALLEST_BUFFER: i32 = 1024;
/// Bits of a type of service that programs may set.
const TOS_BITS: i32 = 0x1e | 0xe0;

/// `Net.setIntOption0`
pub fn set_int_option(
    vm: &mut Env,
    fd: Ref,
    convert: bool,
    level: i32,
    name: i32,
    v: i32,
    v6: bool,
) -> R<()> {
    let fd = fd_of(vm, fd)?;
    if is_byte(level, name) {
        let r = vm.host().network().set_option(fd, level, name, &[v as u8]);
        return r.map_err(socket_exception);
    }
    if is_linger(level, name) {
        let (on, seconds) = if v >= 0 { (1, v) } else { (0, 0) };
        let words = [i32::to_ne_bytes(on), i32::to_ne_bytes(seconds)].concat();
        let r = vm.host().network().set_option(fd, level, name, &words);
        return r.map_err(socket_exception);
    }
    let mut v = v;
    if convert && level == libc::SOL_SOCKET && name == libc::SO_RCVBUF {
        v = v.max(SMALLEST_BUFFER);
    }
    if convert && level == libc::IPPROTO_IP && name == libc::IP_TOS {
        v &= TOS_BITS;
    }
    set(vm, fd, level, name, v).map_err(socket_exception)?;
    if level == libc::IPPROTO_IPV6 && name == libc::IPV6_TCLASS && v6 {
        // such a socket sends to IPv4 addresses too; not all kernels allow it, and then it stays
        let _ = set(vm, fd, libc::IPPROTO_IP, libc::IP_TOS, v);
    }
    Ok(())
}
