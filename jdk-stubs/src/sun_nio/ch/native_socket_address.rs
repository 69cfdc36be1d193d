//! Natives of `sun.nio.ch.NativeSocketAddress`: the kernel's socket addresses in memory outside the heap.

use crate::io;
use rjvm_vm::{Env, R, natives};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

natives! { "sun/nio/ch/NativeSocketAddress";
    AFINET "()I" => af_inet;
    AFINET6 "()I" => af_inet6;
    sizeofSockAddr4 "()I" => sizeof4;
    sizeofSockAddr6 "()I" => sizeof6;
    sizeofFamily "()I" => sizeof_family;
    offsetFamily "()I" => offset_family;
    offsetSin4Port "()I" => offset_port;
    offsetSin4Addr "()I" => offset_addr4;
    offsetSin6Port "()I" => offset_port;
    offsetSin6Addr "()I" => offset_addr6;
    offsetSin6ScopeId "()I" => offset_scope;
    offsetSin6FlowInfo "()I" => offset_flow;
}

const SIZE4: usize = 16;
const SIZE6: usize = 28;

fn af_inet(_: &mut Env) -> R<i32> {
    Ok(libc::AF_INET)
}
fn af_inet6(_: &mut Env) -> R<i32> {
    Ok(libc::AF_INET6)
}
fn sizeof4(_: &mut Env) -> R<i32> {
    Ok(SIZE4 as i32)
}
fn sizeof6(_: &mut Env) -> R<i32> {
    Ok(SIZE6 as i32)
}
fn sizeof_family(_: &mut Env) -> R<i32> {
    Ok(2)
}
fn offset_family(_: &mut Env) -> R<i32> {
    Ok(0)
}
fn offset_port(_: &mut Env) -> R<i32> {
    Ok(2)
}
fn offset_addr4(_: &mut Env) -> R<i32> {
    Ok(4)
}
fn offset_addr6(_: &mut Env) -> R<i32> {
    Ok(8)
}
fn offset_scope(_: &mut Env) -> R<i32> {
    Ok(24)
}
fn offset_flow(_: &mut Env) -> R<i32> {
    Ok(4)
}

/// Writes an address.
pub fn put(vm: &mut Env, at: i64, a: &SocketAddr) -> R<()> {
    match a {
        SocketAddr::V4(a) => {
            let mut m = [0; SIZE4];
            m[..2].copy_from_slice(&(libc::AF_INET as u16).to_ne_bytes());
            m[2..4].copy_from_slice(&a.port().to_be_bytes());
            m[4..8].copy_from_slice(&a.ip().octets());
            vm.offheap_mut().write(at as u64, &m).ok_or_else(io::fault)
        }
        SocketAddr::V6(a) => {
            let mut m = [0; SIZE6];
            m[..2].copy_from_slice(&(libc::AF_INET6 as u16).to_ne_bytes());
            m[2..4].copy_from_slice(&a.port().to_be_bytes());
            m[4..8].copy_from_slice(&a.flowinfo().to_ne_bytes());
            m[8..24].copy_from_slice(&a.ip().octets());
            m[24..28].copy_from_slice(&a.scope_id().to_ne_bytes());
            vm.offheap_mut().write(at as u64, &m).ok_or_else(io::fault)
        }
    }
}

/// Reads an address; `None` if its family is neither.
pub fn get(vm: &Env, at: i64) -> R<Option<SocketAddr>> {
    let m = vm.offheap();
    let family = io::memory(m, at, 2)?;
    let family = u16::from_ne_bytes([family[0], family[1]]) as i32;
    let size = match family {
        libc::AF_INET => SIZE4,
        libc::AF_INET6 => SIZE6,
        _ => return Ok(None),
    };
    let b = io::memory(m, at, size)?;
    let port = u16::from_be_bytes([b[2], b[3]]);
    let word = |i: usize| u32::from_ne_bytes([b[i], b[i + 1], b[i + 2], b[i + 3]]);
    Ok(Some(match family {
        libc::AF_INET => {
            let ip = Ipv4Addr::new(b[4], b[5], b[6], b[7]);
            SocketAddr::V4(SocketAddrV4::new(ip, port))
        }
        _ => {
            let mut ip = [0; 16];
            ip.copy_from_slice(&b[8..24]);
            SocketAddr::V6(SocketAddrV6::new(
                Ipv6Addr::from(ip),
                port,
                word(4),
                word(24),
            ))
        }
    }))
}
