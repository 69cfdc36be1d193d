//! Natives of `sun.nio.ch.Net`: sockets. A blocking operation parks the green thread.

use super::epoll::deadline;
use super::net_multicast as multicast;
use super::net_options::{self as options, pending_error};
use super::result::{errno, socket_exception, soft};
use crate::io::{self, Failure, fd_of, io_exception, state, status};
use crate::java_net::objects::{new_address, new_socket_address, target};
use rjvm_vm::host::{Address, Errno, Io};
use rjvm_vm::state::Rooms;
use rjvm_vm::threads::Wake;
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};
use std::collections::BTreeMap;

natives! { "sun/nio/ch/Net";
    isIPv6Available0 "()Z" => has_ipv6;
    isReusePortAvailable0 "()Z" => yes;
    isExclusiveBindAvailable "()I" => is_exclusive_bind_available;
    shouldShutdownWriteBeforeClose0 "()Z" optional => no;
    shouldSetBothIPv4AndIPv6Options0 "()Z" => yes;
    canIPv6SocketJoinIPv4Group0 "()Z" => yes;
    canJoin6WithIPv4Group0 "()Z" => no;
    canUseIPv6OptionsWithIPv4LocalAddress0 "()Z" => yes;
    socket0 "(ZZZZ)I" => socket;
    bind0 "(Ljava/io/FileDescriptor;ZZLjava/net/InetAddress;I)V" => bind;
    listen "(Ljava/io/FileDescriptor;I)V" => listen;
    connect0 "(ZLjava/io/FileDescriptor;Ljava/net/InetAddress;I)I" => connect;
    accept "(Ljava/io/FileDescriptor;Ljava/io/FileDescriptor;[Ljava/net/InetSocketAddress;)I" => accept;
    shutdown "(Ljava/io/FileDescriptor;I)V" => shutdown;
    localPort "(Ljava/io/FileDescriptor;)I" => local_port;
    localInetAddress "(Ljava/io/FileDescriptor;)Ljava/net/InetAddress;" => local_inet_address;
    remotePort "(Ljava/io/FileDescriptor;)I" => remote_port;
    remoteInetAddress "(Ljava/io/FileDescriptor;)Ljava/net/InetAddress;" => remote_inet_address;
    getIntOption0 "(Ljava/io/FileDescriptor;ZII)I" => options::get_int_option;
    setIntOption0 "(Ljava/io/FileDescriptor;ZIIIZ)V" => options::set_int_option;
    poll "(Ljava/io/FileDescriptor;IJ)I" => poll;
    pollConnect "(Ljava/io/FileDescriptor;J)Z" => poll_connect;
    available "(Ljava/io/FileDescriptor;)I" => available;
    sendOOB "(Ljava/io/FileDescriptor;B)I" => send_oob;
    discardOOB "(Ljava/io/FileDescriptor;)Z" => discard_oob;
    joinOrDrop4 "(ZLjava/io/FileDescriptor;III)I" => multicast::join_or_drop4;
    blockOrUnblock4 "(ZLjava/io/FileDescriptor;III)I" => multicast::block_or_unblock4;
    joinOrDrop6 "(ZLjava/io/FileDescriptor;[BI[B)I" => multicast::join_or_drop6;
    blockOrUnblock6 "(ZLjava/io/FileDescriptor;[BI[B)I" => multicast::block_or_unblock6;
    setInterface4 "(Ljava/io/FileDescriptor;I)V" => multicast::set_interface4;
    getInterface4 "(Ljava/io/FileDescriptor;)I" => multicast::get_interface4;
    setInterface6 "(Ljava/io/FileDescriptor;I)V" => multicast::set_interface6;
    getInterface6 "(Ljava/io/FileDescriptor;)I" => multicast::get_interface6;
    initIDs "()V" => init_ids;
    pollinValue "()S" => pollin;
    polloutValue "()S" => pollout;
    pollerrValue "()S" => pollerr;
    pollhupValue "()S" => pollhup;
    pollnvalValue "()S" => pollnval;
    pollconnValue "()S" => pollout;
}

/// Nothing to cache: fields are looked up by name.
fn init_ids(_: &mut Env) -> R<()> {
    Ok(())
}
fn yes(_: &mut Env) -> R<bool> {
    Ok(true)
}
fn no(_: &mut Env) -> R<bool> {
    Ok(false)
}
/// The platform has no exclusive binding.
fn is_exclusive_bind_available(_: &mut Env) -> R<i32> {
    Ok(-1)
}
fn pollin(_: &mut Env) -> R<i16> {
    Ok(libc::POLLIN)
}
fn pollout(_: &mut Env) -> R<i16> {
    Ok(libc::POLLOUT)
}
fn pollerr(_: &mut Env) -> R<i16> {
    Ok(libc::POLLERR)
}
fn pollhup(_: &mut Env) -> R<i16> {
    Ok(libc::POLLHUP)
}
fn pollnval(_: &mut Env) -> R<i16> {
    Ok(libc::POLLNVAL)
}

/// Whether sockets are IPv6 ones; asked of the host once.
#[derive(Default)]
struct HasIpv6(Option<bool>);

/// Whether IPv6 sockets can be made, and `java.net.preferIPv4Stack` does not forbid them.
pub fn has_ipv6(vm: &mut Env) -> R<bool> {
    let properties = vm.options().properties.iter();
    let only4 = properties
        .rev()
        .find(|p| p.0 == "java.net.preferIPv4Stack")
        .is_some_and(|p| p.1.eq_ignore_ascii_case("true"));
    let Rooms {
        extensions: ext,
        host,
        ..
    } = vm.rooms();
    let known = &mut state::<HasIpv6>(ext, "sun.nio.ch.Net IPv6").0;
    Ok(*known.get_or_insert_with(|| !only4 && host.network().has_ipv6()))
}

fn socket(
    vm: &mut Env,
    prefer_v6: bool,
    stream: bool,
    reuse: bool,
    _fast_loopback: bool,
) -> R<i32> {
    let v6 = prefer_v6 && has_ipv6(vm)?;
    let domain = if v6 { libc::AF_INET6 } else { libc::AF_INET };
    let kind = if stream {
        libc::SOCK_STREAM
    } else {
        libc::SOCK_DGRAM
    };
    let fd = vm
        .host()
        .network()
        .socket(domain, kind, 0)
        .map_err(socket_exception)?;
    prepare(vm, fd, v6, stream, reuse).map_err(|e| {
        let _ = vm.host().descriptors().close(fd);
        socket_exception(e)
    })?;
    Ok(fd)
}

/// Not in the `libc` crate.
const IPV6_MULTICAST_ALL: i32 = 29;

/// Options a new socket gets.
fn prepare(vm: &mut Env, fd: i32, v6: bool, stream: bool, reuse: bool) -> Io<()> {
    if v6 {
        options::set(vm, fd, libc::IPPROTO_IPV6, libc::IPV6_V6ONLY, 0)?;
    }
    if reuse {
        options::set(vm, fd, libc::SOL_SOCKET, libc::SO_REUSEADDR, 1)?;
    }
    if !stream {
        // only groups this very socket has joined; older kernels don't know it
        let (level, name) = match v6 {
            true => (libc::IPPROTO_IPV6, IPV6_MULTICAST_ALL),
            false => (libc::IPPROTO_IP, libc::IP_MULTICAST_ALL),
        };
        match options::set(vm, fd, level, name, 0) {
            Ok(()) | Err(Errno(libc::ENOPROTOOPT)) => {}
            Err(e) => return Err(e),
        }
        if v6 {
            options::set(vm, fd, libc::IPPROTO_IPV6, libc::IPV6_MULTICAST_HOPS, 1)?;
        }
    }
    Ok(())
}

fn bind(
    vm: &mut Env,
    fd: Ref,
    prefer_v6: bool,
    _exclusive: bool,
    address: Ref,
    port: i32,
) -> R<()> {
    let fd = fd_of(vm, fd)?;
    let v6 = prefer_v6 && has_ipv6(vm)?;
    let a = target(vm, address, port, v6)?;
    vm.host()
        .network()
        .bind(fd, &Address::Inet(a))
        .map_err(socket_exception)
}

fn listen(vm: &mut Env, fd: Ref, backlog: i32) -> R<()> {
    let fd = fd_of(vm, fd)?;
    vm.host()
        .network()
        .listen(fd, backlog)
        .map_err(socket_exception)
}

/// Connects without waiting, whatever the descriptor's mode: who wants to wait polls.
pub fn begin_connect(vm: &mut Env, fd: i32, to: &Address) -> Io<()> {
    let blocking = vm.host().descriptors().flags(fd)? & libc::O_NONBLOCK == 0;
    if blocking {
        vm.host().descriptors().set_blocking(fd, false)?;
    }
    let r = vm.host().network().connect(fd, to);
    if blocking {
        vm.host().descriptors().set_blocking(fd, true)?;
        // within the machine it is done at once, and who waits is answered so, as by a kernel in which he waits
        if r == Err(Errno(libc::EINPROGRESS)) && io::poll_now(vm, fd, libc::POLLOUT) != 0 {
            return match options::get(vm, fd, libc::SOL_SOCKET, libc::SO_ERROR)? {
                0 => Ok(()),
                e => Err(Errno(e)),
            };
        }
    }
    r
}

/// 1 connected, -2 under way.
fn connect(vm: &mut Env, prefer_v6: bool, fd: Ref, address: Ref, port: i32) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    let v6 = prefer_v6 && has_ipv6(vm)?;
    let a = target(vm, address, port, v6)?;
    match begin_connect(vm, fd, &Address::Inet(a)) {
        Ok(()) => Ok(1),
        Err(Errno(libc::EINPROGRESS | libc::EAGAIN)) => Ok(status::UNAVAILABLE),
        Err(Errno(libc::EINTR)) => Ok(status::INTERRUPTED),
        Err(e) => Err(socket_exception(e)),
    }
}

/// Connections taken from the kernel for which there was no memory yet, by listening descriptor.
pub type AcceptedConnections = BTreeMap<i32, (i32, Address)>;

/// Those that were taken.
pub fn taken(vm: &mut Env) -> &mut AcceptedConnections {
    state::<AcceptedConnections>(vm.extensions(), "sun.nio.ch accepted connections")
}

/// Accepts a connection: `address` hands the peer's address on. A collection that this makes
/// necessary runs the native again, which must not take the next connection then.
pub fn accepted(
    vm: &mut Env,
    listener: Ref,
    new: Ref,
    address: impl FnOnce(&mut Env, &Address) -> R<()>,
) -> R<i32> {
    let fd = fd_of(vm, listener)?;
    while !taken(vm).contains_key(&fd) {
        if let Err(e) = io::ready(vm, fd, libc::POLLIN)? {
            return soft(e).ok_or_else(|| socket_exception(errno(e)));
        }
        match vm.host().network().accept(fd) {
            Ok(c) => {
                taken(vm).insert(fd, c);
            }
            // it was abandoned before it was accepted
            Err(Errno(libc::ECONNABORTED)) => {}
            Err(e) => return soft(Failure::from(e)).ok_or_else(|| socket_exception(e)),
        }
    }
    let (connection, peer) = taken(vm)[&fd].clone();
    address(vm, &peer)?;
    taken(vm).remove(&fd);
    vm.set(new, jdk::file_descriptor::FD, connection)?;
    Ok(1)
}

fn accept(vm: &mut Env, fd: Ref, new: Ref, addresses: Ref) -> R<i32> {
    accepted(vm, fd, new, |vm, a| {
        if let Address::Inet(a) = a {
            let isa = new_socket_address(vm, a)?;
            vm.heap_mut().set_elem_ref(addresses, 0, isa);
        }
        Ok(())
    })
}

fn shutdown(vm: &mut Env, fd: Ref, how: i32) -> R<()> {
    let fd = fd_of(vm, fd)?;
    match vm.host().network().shutdown(fd, how) {
        Ok(()) | Err(Errno(libc::ENOTCONN)) => Ok(()),
        Err(e) => Err(socket_exception(e)),
    }
}

fn port(a: Address) -> i32 {
    match a {
        Address::Inet(a) => a.port() as i32,
        _ => 0,
    }
}

fn inet_address(vm: &mut Env, a: Address) -> R<Ref> {
    match a {
        Address::Inet(a) => new_address(vm, &a, Ref::NULL),
        _ => Err(Throw::msg(
            "java/net/SocketException",
            "Protocol family not supported",
        )),
    }
}

fn local(vm: &mut Env, fd: Ref) -> R<Address> {
    let fd = fd_of(vm, fd)?;
    vm.host()
        .network()
        .local_address(fd)
        .map_err(socket_exception)
}

fn remote(vm: &mut Env, fd: Ref) -> R<Address> {
    let fd = fd_of(vm, fd)?;
    vm.host()
        .network()
        .peer_address(fd)
        .map_err(socket_exception)
}

fn local_port(vm: &mut Env, fd: Ref) -> R<i32> {
    local(vm, fd).map(port)
}

fn local_inet_address(vm: &mut Env, fd: Ref) -> R<Ref> {
    let a = local(vm, fd)?;
    inet_address(vm, a)
}

fn remote_port(vm: &mut Env, fd: Ref) -> R<i32> {
    remote(vm, fd).map(port)
}

fn remote_inet_address(vm: &mut Env, fd: Ref) -> R<Ref> {
    let a = remote(vm, fd)?;
    inet_address(vm, a)
}

/// Waits up to `timeout` milliseconds (negative: forever) for events; those there are, 0 if none came.
fn poll_fd(vm: &mut Env, fd: i32, events: i16, timeout: i64) -> R<i16> {
    let wake = vm.take_wake();
    let found = io::poll_now(vm, fd, events);
    if found != 0 || timeout == 0 || matches!(wake, Some(Wake::Timeout | Wake::Interrupt)) {
        return Ok(found);
    }
    let until = deadline(vm, timeout);
    Err(io::park(vm, fd, events, until))
}

fn poll(vm: &mut Env, fd: Ref, events: i32, timeout: i64) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    poll_fd(vm, fd, events as i16, timeout).map(i32::from)
}

/// Whether a connection that is under way has come about.
fn poll_connect(vm: &mut Env, fd: Ref, timeout: i64) -> R<bool> {
    let fd = fd_of(vm, fd)?;
    if poll_fd(vm, fd, libc::POLLOUT, timeout)? == 0 {
        return Ok(false);
    }
    match pending_error(vm, fd)? {
        None => Ok(true),
        Some(e) => Err(socket_exception(e)),
    }
}

fn available(vm: &mut Env, fd: Ref) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    vm.host()
        .descriptors()
        .available(fd)
        .map_err(socket_exception)
}

fn send_oob(vm: &mut Env, fd: Ref, b: i8) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    match vm.host().network().send(fd, &[b as u8], libc::MSG_OOB) {
        Ok(n) => Ok(n as i32),
        Err(e) => soft(Failure::from(e)).ok_or_else(|| io_exception(e)),
    }
}

/// The kernel keeps urgent data apart by itself.
fn discard_oob(_: &mut Env, _fd: Ref) -> R<bool> {
    Ok(false)
}
