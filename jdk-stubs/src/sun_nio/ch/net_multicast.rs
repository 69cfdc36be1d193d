//! Multicast for `sun.nio.ch.Net`: the kernel's request structures are built byte by byte.

use super::net_options::{get, set};
use super::result::socket_exception;
use crate::io::{fd_of, status};
use rjvm_vm::host::{Errno, Io};
use rjvm_vm::{Env, R, Ref};

// options of <netinet/in.h> that take a `group_source_req`
const MCAST_BLOCK_SOURCE: i32 = 43;
const MCAST_UNBLOCK_SOURCE: i32 = 44;
const MCAST_JOIN_SOURCE_GROUP: i32 = 46;
const MCAST_LEAVE_SOURCE_GROUP: i32 = 47;

fn request(vm: &mut Env, fd: Ref, level: i32, name: i32, value: &[u8]) -> R<Io<()>> {
    let fd = fd_of(vm, fd)?;
    Ok(vm.host().network().set_option(fd, level, name, value))
}

/// 0, or the code for "not supported here".
fn result(r: Io<()>) -> R<i32> {
    match r {
        Ok(()) => Ok(0),
        Err(Errno(libc::ENOPROTOOPT | libc::EOPNOTSUPP)) => Ok(status::UNAVAILABLE),
        Err(e) => Err(socket_exception(e)),
    }
}

/// Addresses as the Java side has them: the first byte on top.
fn words(v: &[i32]) -> Vec<u8> {
    v.iter().flat_map(|w| w.to_be_bytes()).collect()
}

/// `Net.joinOrDrop4`
pub fn join_or_drop4(
    vm: &mut Env,
    join: bool,
    fd: Ref,
    group: i32,
    interface: i32,
    source: i32,
) -> R<i32> {
    let (name, value) = match (source, join) {
        (0, true) => (libc::IP_ADD_MEMBERSHIP, words(&[group, interface])),
        (0, false) => (libc::IP_DROP_MEMBERSHIP, words(&[group, interface])),
        (s, true) => (
            libc::IP_ADD_SOURCE_MEMBERSHIP,
            words(&[group, interface, s]),
        ),
        (s, false) => (
            libc::IP_DROP_SOURCE_MEMBERSHIP,
            words(&[group, interface, s]),
        ),
    };
    let r = request(vm, fd, libc::IPPROTO_IP, name, &value)?;
    result(r)
}

/// `Net.blockOrUnblock4`
pub fn block_or_unblock4(
    vm: &mut Env,
    block: bool,
    fd: Ref,
    group: i32,
    interface: i32,
    source: i32,
) -> R<i32> {
    let name = if block {
        libc::IP_BLOCK_SOURCE
    } else {
        libc::IP_UNBLOCK_SOURCE
    };
    let r = request(
        vm,
        fd,
        libc::IPPROTO_IP,
        name,
        &words(&[group, interface, source]),
    )?;
    result(r)
}

/// A `sockaddr_storage` with an IPv6 address.
fn storage6(address: &[u8]) -> [u8; 128] {
    let mut s = [0; 128];
    s[..2].copy_from_slice(&(libc::AF_INET6 as u16).to_ne_bytes());
    s[8..24].copy_from_slice(address);
    s
}

fn group_source(vm: &Env, index: i32, group: Ref, source: Ref) -> Vec<u8> {
    let mut v = i32::to_ne_bytes(index).to_vec();
    v.extend([0; 4]);
    v.extend(storage6(&vm.heap().bytes(group)[..16]));
    v.extend(storage6(&vm.heap().bytes(source)[..16]));
    v
}

/// `Net.joinOrDrop6`
pub fn join_or_drop6(
    vm: &mut Env,
    join: bool,
    fd: Ref,
    group: Ref,
    index: i32,
    source: Ref,
) -> R<i32> {
    let (name, value) = if source.is_null() {
        let mut v = vm.heap().bytes(group)[..16].to_vec();
        v.extend(i32::to_ne_bytes(index));
        (
            if join {
                libc::IPV6_ADD_MEMBERSHIP
            } else {
                libc::IPV6_DROP_MEMBERSHIP
            },
            v,
        )
    } else {
        let v = group_source(vm, index, group, source);
        (
            if join {
                MCAST_JOIN_SOURCE_GROUP
            } else {
                MCAST_LEAVE_SOURCE_GROUP
            },
            v,
        )
    };
    let r = request(vm, fd, libc::IPPROTO_IPV6, name, &value)?;
    result(r)
}

/// `Net.blockOrUnblock6`
pub fn block_or_unblock6(
    vm: &mut Env,
    block: bool,
    fd: Ref,
    group: Ref,
    index: i32,
    source: Ref,
) -> R<i32> {
    let name = if block {
        MCAST_BLOCK_SOURCE
    } else {
        MCAST_UNBLOCK_SOURCE
    };
    let value = group_source(vm, index, group, source);
    let r = request(vm, fd, libc::IPPROTO_IPV6, name, &value)?;
    result(r)
}

/// `Net.setInterface4`
pub fn set_interface4(vm: &mut Env, fd: Ref, interface: i32) -> R<()> {
    let r = request(
        vm,
        fd,
        libc::IPPROTO_IP,
        libc::IP_MULTICAST_IF,
        &interface.to_be_bytes(),
    )?;
    r.map_err(socket_exception)
}

/// `Net.getInterface4`
pub fn get_interface4(vm: &mut Env, fd: Ref) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    let v = get(vm, fd, libc::IPPROTO_IP, libc::IP_MULTICAST_IF).map_err(socket_exception)?;
    Ok(i32::from_be_bytes(v.to_ne_bytes()))
}

/// `Net.setInterface6`
pub fn set_interface6(vm: &mut Env, fd: Ref, index: i32) -> R<()> {
    let fd = fd_of(vm, fd)?;
    set(vm, fd, libc::IPPROTO_IPV6, libc::IPV6_MULTICAST_IF, index).map_err(socket_exception)
}

/// `Net.getInterface6`
pub fn get_interface6(vm: &mut Env, fd: Ref) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    get(vm, fd, libc::IPPROTO_IPV6, libc::IPV6_MULTICAST_IF).map_err(socket_exception)
}
