//! Natives of `sun.nio.ch.InheritedChannel`: the channel a super-server has started the program with.

use crate::io::{self, byte_array, io_exception};
use crate::java_net::objects::new_address;
use rjvm_vm::host::Address;
use rjvm_vm::host::files::HERE;
use rjvm_vm::{Env, R, Ref, natives};
use std::net::SocketAddr;

natives! { "sun/nio/ch/InheritedChannel";
    initIDs "()V" => init_ids;
    dup "(I)I" => dup;
    dup2 "(II)V" => dup2;
    open0 "(Ljava/lang/String;I)I" => open;
    close0 "(I)V" => close;
    soType0 "(I)I" => socket_type;
    addressFamily "(I)I" => address_family;
    inetPeerAddress0 "(I)Ljava/net/InetAddress;" => inet_peer_address;
    unixPeerAddress0 "(I)[B" => unix_peer_address;
    peerPort0 "(I)I" => peer_port;
    isConnected "(I)Z" => is_connected;
}

/// Nothing to cache: fields are looked up by name.
fn init_ids(_: &mut Env) -> R<()> {
    Ok(())
}

fn dup(vm: &mut Env, fd: i32) -> R<i32> {
    vm.host().descriptors().dup(fd).map_err(io_exception)
}

fn dup2(vm: &mut Env, from: i32, to: i32) -> R<()> {
    vm.host().descriptors().dup2(from, to).map_err(io_exception)
}

/// `how`: 0 read, 1 write, 2 both.
fn open(vm: &mut Env, path: Ref, how: i32) -> R<i32> {
    let p = io::native_string(vm, path)?;
    let flags = match how {
        0 => libc::O_RDONLY,
        1 => libc::O_WRONLY,
        _ => libc::O_RDWR,
    };
    vm.host()
        .files()
        .open(HERE, &p, flags, 0)
        .map_err(io_exception)
}

fn close(vm: &mut Env, fd: i32) -> R<()> {
    vm.host().descriptors().close(fd).map_err(io_exception)
}

/// 1 stream, 2 datagram, -1 no socket.
fn socket_type(vm: &mut Env, fd: i32) -> R<i32> {
    let mut v = [0; 4];
    let r = vm
        .host()
        .network()
        .option(fd, libc::SOL_SOCKET, libc::SO_TYPE, &mut v);
    Ok(match r.map(|_| i32::from_ne_bytes(v)) {
        Ok(libc::SOCK_STREAM) => 1,
        Ok(libc::SOCK_DGRAM) => 2,
        _ => -1,
    })
}

/// 1 IPv4, 2 IPv6, 3 Unix domain, -1 others.
fn address_family(vm: &mut Env, fd: i32) -> R<i32> {
    Ok(match vm.host().network().local_address(fd) {
        Ok(Address::Inet(SocketAddr::V4(_))) => 1,
        Ok(Address::Inet(SocketAddr::V6(_))) => 2,
        Ok(Address::Unix(_)) => 3,
        _ => -1,
    })
}

fn inet_peer_address(vm: &mut Env, fd: i32) -> R<Ref> {
    match vm.host().network().peer_address(fd) {
        Ok(Address::Inet(a)) => new_address(vm, &a, Ref::NULL),
        _ => Ok(Ref::NULL),
    }
}

fn unix_peer_address(vm: &mut Env, fd: i32) -> R<Ref> {
    match vm.host().network().peer_address(fd) {
        Ok(Address::Unix(name)) => byte_array(vm, &name),
        _ => Ok(Ref::NULL),
    }
}

fn peer_port(vm: &mut Env, fd: i32) -> R<i32> {
    Ok(match vm.host().network().peer_address(fd) {
        Ok(Address::Inet(a)) => a.port() as i32,
        _ => -1,
    })
}

fn is_connected(vm: &mut Env, fd: i32) -> R<bool> {
    Ok(vm.host().network().peer_address(fd).is_ok())
}
