//! `InetAddress.isReachable`: a connection to the echo port is tried. A refusal also shows that the host is there. (Echo requests
//! need privileges.)

use super::lookup::ip_of;
use crate::io;
use crate::sun_nio::ch::has_ipv6;
use rjvm_vm::host::{Address, Errno};
use rjvm_vm::threads::Wake;
use rjvm_vm::{Env, R, Ref, Throw};
use std::net::{SocketAddr, SocketAddrV6};

const ECHO_PORT: u16 = 7;

fn socket_address(ip: std::net::IpAddr, port: u16, scope: i32) -> SocketAddr {
    match ip {
        std::net::IpAddr::V6(v6) => SocketAddr::V6(SocketAddrV6::new(v6, port, 0, scope as u32)),
        ip => SocketAddr::new(ip, port),
    }
}

/// `from`: the address of the interface to use (null: any); `ttl` 0: the default.
pub fn is_reachable(
    vm: &mut Env,
    address: Ref,
    scope: i32,
    timeout: i32,
    from: Ref,
    ttl: i32,
) -> R<bool> {
    // the socket of a wait that is under way, plus 1
    let fd = match vm.native_state()[0] {
        0 => match begin(vm, address, scope, from, ttl)? {
            Ok(fd) => fd,
            Err(answer) => return Ok(answer),
        },
        n => n as i32 - 1,
    };
    let answer = if io::poll_now(vm, fd, libc::POLLOUT) != 0 {
        let mut v = [0; 4];
        let r = vm
            .host()
            .network()
            .option(fd, libc::SOL_SOCKET, libc::SO_ERROR, &mut v);
        r.is_ok() && matches!(i32::from_ne_bytes(v), 0 | libc::ECONNREFUSED)
    } else if matches!(vm.take_wake(), Some(Wake::Timeout | Wake::Interrupt)) {
        false
    } else {
        if vm.native_state()[1] == 0 {
            let until = vm.deadline_after(timeout as i64 * 1_000_000);
            *vm.native_state() = [fd as u64 + 1, until as u64, 0];
        }
        let until = vm.native_state()[1] as i64;
        return Err(io::park(vm, fd, libc::POLLOUT, Some(until)));
    };
    *vm.native_state() = [0; 3];
    let _ = vm.host().descriptors().close(fd);
    Ok(answer)
}

/// Starts the attempt: a socket to wait for, or the answer.
fn begin(vm: &mut Env, address: Ref, scope: i32, from: Ref, ttl: i32) -> R<Result<i32, bool>> {
    let a = address.non_null().ok_or_else(Throw::npe)?;
    let Some(ip) = ip_of(vm.heap().bytes(a)) else {
        return Ok(Err(false));
    };
    if ip.is_ipv6() && !has_ipv6(vm)? {
        return Ok(Err(false));
    }
    let local = match from.non_null() {
        Some(f) => ip_of(vm.heap().bytes(f)),
        None => None,
    };
    let domain = if ip.is_ipv4() {
        libc::AF_INET
    } else {
        libc::AF_INET6
    };
    let n = vm.host().network();
    let socket = n.socket(domain, libc::SOCK_STREAM | libc::SOCK_NONBLOCK, 0);
    let fd = socket.map_err(|e| io::errno_as("java/net/SocketException", e))?;
    if ttl > 0 {
        let (level, name) = match ip.is_ipv4() {
            true => (libc::IPPROTO_IP, libc::IP_TTL),
            false => (libc::IPPROTO_IPV6, libc::IPV6_UNICAST_HOPS),
        };
        let _ = n.set_option(fd, level, name, &ttl.to_ne_bytes());
    }
    if let Some(l) = local {
        let _ = n.bind(fd, &Address::Inet(SocketAddr::new(l, 0)));
    }
    let to = Address::Inet(socket_address(ip, ECHO_PORT, scope));
    let answer = match n.connect(fd, &to) {
        Err(Errno(libc::EINPROGRESS)) => return Ok(Ok(fd)),
        Ok(()) | Err(Errno(libc::ECONNREFUSED)) => true,
        Err(_) => false,
    };
    let _ = vm.host().descriptors().close(fd);
    Ok(Err(answer))
}
