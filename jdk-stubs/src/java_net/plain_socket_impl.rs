//! Natives of `java.net.PlainSocketImpl`, which JDK 17 still has.

use super::objects::{new_address, target};
use super::plain::{self, SOCKET_EXCEPTION, Waited, closed, failed};
use crate::io::{fd_of, io_exception};
use crate::sun_nio::ch::{self, has_ipv6};
use rjvm_vm::host::{Address, Errno, Io};
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};

natives! { "java/net/PlainSocketImpl";
    initProto "()V" until 17 => init;
    socketCreate "(ZZ)V" until 17 => create;
    socketConnect "(Ljava/net/InetAddress;II)V" until 17 => connect;
    socketBind "(Ljava/net/InetAddress;I)V" until 17 => bind;
    socketListen "(I)V" until 17 => listen;
    socketAccept "(Ljava/net/SocketImpl;)V" until 17 => accept;
    socketAvailable "()I" until 17 => available;
    socketClose0 "(Z)V" until 17 => close;
    socketShutdown "(I)V" until 17 => shutdown;
    socketSetOption0 "(IZLjava/lang/Object;)V" until 17 => set_option;
    socketGetOption "(ILjava/lang/Object;)I" until 17 => get_option;
    socketSendUrgentData "(I)V" until 17 => send_urgent_data;
}

fn init(_: &mut Env) -> R<()> {
    Ok(())
}

/// The number of its descriptor.
fn own_fd(vm: &mut Env, this: Ref) -> R<i32> {
    let d = vm.get(this, jdk::socket_impl::FD)?;
    plain::open(vm, d)
}

fn create(vm: &mut Env, this: Ref, stream: bool, is_server: bool) -> R<()> {
    let d = vm.get(this, jdk::socket_impl::FD)?;
    let d = d
        .non_null()
        .ok_or_else(|| Throw::msg(SOCKET_EXCEPTION, "null fd object"))?;
    let v6 = has_ipv6(vm)?;
    let domain = if v6 { libc::AF_INET6 } else { libc::AF_INET };
    let kind = match stream {
        true => libc::SOCK_STREAM,
        false => libc::SOCK_DGRAM,
    };
    let fd = vm.host().network().socket(domain, kind, 0);
    let fd = fd.map_err(|e| crate::io::errno_as(SOCKET_EXCEPTION, e))?;
    if let Err(e) = prepare(vm, fd, v6, is_server) {
        let _ = vm.host().descriptors().close(fd);
        return Err(crate::io::errno_as(SOCKET_EXCEPTION, e));
    }
    vm.set(d, jdk::file_descriptor::FD, fd)
}

/// Options a new socket gets.
fn prepare(vm: &mut Env, fd: i32, v6: bool, is_server: bool) -> Io<()> {
    if v6 {
        put(vm, fd, (libc::IPPROTO_IPV6, libc::IPV6_V6ONLY), 0)?;
    }
    if is_server {
        vm.host().descriptors().set_blocking(fd, false)?;
        put(vm, fd, (libc::SOL_SOCKET, libc::SO_REUSEADDR), 1)?;
    }
    Ok(())
}

fn put(vm: &mut Env, fd: i32, (level, name): (i32, i32), v: i32) -> Io<()> {
    let v = v.to_ne_bytes();
    vm.host().network().set_option(fd, level, name, &v)
}

fn number(vm: &mut Env, fd: i32, (level, name): (i32, i32)) -> Io<i32> {
    let mut v = [0; 4];
    vm.host().network().option(fd, level, name, &mut v)?;
    Ok(i32::from_ne_bytes(v))
}

/// How connecting has ended, for a thread that waits for it.
enum Connected {
    Done(Io<()>),
    /// In time, which has ended.
    Late,
    /// Nothing was begun: the exception has its own words.
    NotBegun(Errno),
}

fn connect(vm: &mut Env, this: Ref, address: Ref, port: i32, timeout: i32) -> R<()> {
    let fd = own_fd(vm, this)?;
    if address.is_null() {
        let class = "java/lang/NullPointerException";
        return Err(Throw::msg(class, "inet address argument null."));
    }
    let v6 = has_ipv6(vm)?;
    let to = Address::Inet(target(vm, address, port, v6)?);
    let how = match timeout > 0 {
        true => connect_in_time(vm, fd, &to, timeout)?,
        false => connect_at_last(vm, fd, &to)?,
    };
    let r = match how {
        Connected::Done(r) => r,
        Connected::Late => {
            let class = "java/net/SocketTimeoutException";
            return Err(Throw::msg(class, "connect timed out"));
        }
        Connected::NotBegun(e) => {
            return Err(failed("java/net/ConnectException", e, "connect failed"));
        }
    };
    r.map_err(not_connected)?;
    vm.set(this, jdk::socket_impl::ADDRESS, address)?;
    vm.set(this, jdk::socket_impl::PORT, port)?;
    if vm.get(this, jdk::socket_impl::LOCALPORT)? == 0 {
        let own = local_port(vm, fd)?;
        vm.set(this, jdk::socket_impl::LOCALPORT, own)?;
    }
    Ok(())
}

/// Waits as long as it takes.
fn connect_at_last(vm: &mut Env, fd: i32, to: &Address) -> R<Connected> {
    if !plain::has_begun(vm) {
        match ch::begin_connect(vm, fd, to) {
            Err(Errno(libc::EINPROGRESS)) => {}
            r => return Ok(Connected::Done(r)),
        }
    }
    Ok(Connected::Done(
        match plain::wait(vm, fd, libc::POLLOUT, 0)? {
            Waited::Closed => Err(Errno(libc::EBADF)),
            _ => outcome(vm, fd),
        },
    ))
}

/// Waits up to `timeout` milliseconds, for which the socket does not block.
fn connect_in_time(vm: &mut Env, fd: i32, to: &Address, timeout: i32) -> R<Connected> {
    if !plain::has_begun(vm) {
        let d = vm.host().descriptors();
        d.set_blocking(fd, false).map_err(io_exception)?;
        let r = vm.host().network().connect(fd, to);
        if r != Err(Errno(libc::EINPROGRESS)) {
            let _ = vm.host().descriptors().set_blocking(fd, true);
            return Ok(match r {
                Ok(()) => Connected::Done(Ok(())),
                Err(e) => Connected::NotBegun(e),
            });
        }
    }
    // what is in the place of a socket that is closed meanwhile is connected: Java code looks at that
    let waited = plain::wait(vm, fd, libc::POLLOUT, timeout)?;
    let r = match waited {
        Waited::TimedOut => Connected::Late,
        _ => Connected::Done(outcome(vm, fd)),
    };
    let _ = vm.host().descriptors().set_blocking(fd, true);
    if waited == Waited::TimedOut {
        let _ = vm.host().network().shutdown(fd, libc::SHUT_RDWR);
    }
    Ok(r)
}

/// What a connection that was under way has come to.
fn outcome(vm: &mut Env, fd: i32) -> Io<()> {
    match number(vm, fd, (libc::SOL_SOCKET, libc::SO_ERROR))? {
        0 => Ok(()),
        e => Err(Errno(e)),
    }
}

#[cold]
fn not_connected(e: Errno) -> Box<Throw> {
    let (class, what) = match e.0 {
        libc::EINVAL => {
            let text = "Invalid argument or cannot assign requested address";
            return Throw::msg(SOCKET_EXCEPTION, text);
        }
        libc::EISCONN | libc::EBADF => return closed(),
        libc::EPROTO => ("java/net/ProtocolException", "Protocol error"),
        libc::ECONNREFUSED => ("java/net/ConnectException", "Connection refused"),
        libc::ETIMEDOUT => ("java/net/ConnectException", "Connection timed out"),
        libc::EHOSTUNREACH => ("java/net/NoRouteToHostException", "Host unreachable"),
        libc::EADDRNOTAVAIL => ("java/net/NoRouteToHostException", "Address not available"),
        _ => (SOCKET_EXCEPTION, "connect failed"),
    };
    failed(class, e, what)
}

fn local_port(vm: &mut Env, fd: i32) -> R<i32> {
    match vm.host().network().local_address(fd) {
        Ok(Address::Inet(a)) => Ok(i32::from(a.port())),
        Ok(_) => Ok(0),
        Err(e) => Err(failed(SOCKET_EXCEPTION, e, "Error getting socket name")),
    }
}

fn bind(vm: &mut Env, this: Ref, address: Ref, port: i32) -> R<()> {
    let fd = own_fd(vm, this)?;
    if address.is_null() {
        let class = "java/lang/NullPointerException";
        return Err(Throw::msg(class, "iaObj is null."));
    }
    let v6 = has_ipv6(vm)?;
    let a = Address::Inet(target(vm, address, port, v6)?);
    if let Err(e) = vm.host().network().bind(fd, &a) {
        let class = match e.0 {
            libc::EADDRINUSE | libc::EADDRNOTAVAIL | libc::EACCES | libc::EPERM => {
                "java/net/BindException"
            }
            _ => SOCKET_EXCEPTION,
        };
        return Err(failed(class, e, "Bind failed"));
    }
    vm.set(this, jdk::socket_impl::ADDRESS, address)?;
    let own = match port {
        0 => local_port(vm, fd)?,
        port => port,
    };
    vm.set(this, jdk::socket_impl::LOCALPORT, own)
}

fn listen(vm: &mut Env, this: Ref, backlog: i32) -> R<()> {
    let fd = own_fd(vm, this)?;
    let r = vm.host().network().listen(fd, backlog);
    r.map_err(|e| failed(SOCKET_EXCEPTION, e, "Listen failed"))
}

fn accept(vm: &mut Env, this: Ref, new: Ref) -> R<()> {
    let fd = own_fd(vm, this)?;
    let new = new
        .non_null()
        .ok_or_else(|| Throw::msg("java/lang/NullPointerException", "socket is null"))?;
    // a collection that the address makes necessary runs the native again
    while !ch::taken(vm).contains_key(&fd) {
        let timeout = vm.get(this, jdk::abstract_plain_socket_impl::TIMEOUT)?;
        match plain::wait(vm, fd, libc::POLLIN, timeout)? {
            Waited::Ready => {}
            Waited::TimedOut => {
                let class = "java/net/SocketTimeoutException";
                return Err(Throw::msg(class, "Accept timed out"));
            }
            Waited::Closed => return Err(closed()),
        }
        match vm.host().network().accept(fd) {
            Ok(c) => _ = ch::taken(vm).insert(fd, c),
            // it was abandoned, or somebody else has taken it
            Err(Errno(libc::ECONNABORTED | libc::EAGAIN)) => {}
            Err(Errno(libc::EINVAL | libc::EBADF)) => return Err(closed()),
            Err(e) => return Err(failed(SOCKET_EXCEPTION, e, "Accept failed")),
        }
    }
    let (connection, peer) = ch::taken(vm)[&fd].clone();
    if let Address::Inet(a) = &peer {
        let address = new_address(vm, a, Ref::NULL)?;
        vm.set(new, jdk::socket_impl::ADDRESS, address)?;
        vm.set(new, jdk::socket_impl::PORT, i32::from(a.port()))?;
    }
    ch::taken(vm).remove(&fd);
    let d = vm.get(new, jdk::socket_impl::FD)?;
    let d = d.non_null().ok_or_else(Throw::npe)?;
    vm.set(d, jdk::file_descriptor::FD, connection)?;
    let own = vm.get(this, jdk::socket_impl::LOCALPORT)?;
    vm.set(new, jdk::socket_impl::LOCALPORT, own)
}

fn available(vm: &mut Env, this: Ref) -> R<i32> {
    let fd = own_fd(vm, this)?;
    vm.host().descriptors().available(fd).map_err(|e| match e {
        Errno(libc::ECONNRESET) => Throw::msg("sun/net/ConnectionResetException", ""),
        e => failed(SOCKET_EXCEPTION, e, "ioctl FIONREAD failed"),
    })
}

/// Closes the descriptor, or, where threads use it, the socket behind it only.
fn close(vm: &mut Env, this: Ref, deferred: bool) -> R<()> {
    let d = vm.get(this, jdk::socket_impl::FD)?;
    let d = d
        .non_null()
        .ok_or_else(|| Throw::msg(SOCKET_EXCEPTION, "socket already closed"))?;
    let fd = fd_of(vm, d)?;
    if fd == -1 {
        return Ok(());
    }
    if deferred {
        plain::begin_close(vm, fd);
        return ch::pre_close(vm, fd);
    }
    vm.set(d, jdk::file_descriptor::FD, -1)?;
    plain::end_close(vm, fd);
    let _ = vm.host().descriptors().close(fd);
    Ok(())
}

fn shutdown(vm: &mut Env, this: Ref, how: i32) -> R<()> {
    let d = vm.get(this, jdk::socket_impl::FD)?;
    if d.is_null() {
        return Err(Throw::msg(SOCKET_EXCEPTION, "socket already closed"));
    }
    let fd = fd_of(vm, d)?;
    let _ = vm.host().network().shutdown(fd, how);
    Ok(())
}

/// `java.net.SocketOptions.IP_TOS` and others.
mod option {
    pub const TCP_NODELAY: i32 = 0x1;
    pub const IP_TOS: i32 = 0x3;
    pub const SO_REUSEADDR: i32 = 0x4;
    pub const SO_KEEPALIVE: i32 = 0x8;
    pub const SO_REUSEPORT: i32 = 0xe;
    pub const SO_BINDADDR: i32 = 0xf;
    pub const SO_BROADCAST: i32 = 0x20;
    pub const SO_LINGER: i32 = 0x80;
    pub const SO_SNDBUF: i32 = 0x1001;
    pub const SO_RCVBUF: i32 = 0x1002;
    pub const SO_OOBINLINE: i32 = 0x1003;
    pub const SO_TIMEOUT: i32 = 0x1006;
}

/// Level and name of an option of sockets.
fn option_of(cmd: i32) -> R<(i32, i32)> {
    let socket = libc::SOL_SOCKET;
    Ok(match cmd {
        option::TCP_NODELAY => (libc::IPPROTO_TCP, libc::TCP_NODELAY),
        option::IP_TOS => (libc::IPPROTO_IP, libc::IP_TOS),
        option::SO_REUSEADDR => (socket, libc::SO_REUSEADDR),
        option::SO_KEEPALIVE => (socket, libc::SO_KEEPALIVE),
        option::SO_REUSEPORT => (socket, libc::SO_REUSEPORT),
        option::SO_BROADCAST => (socket, libc::SO_BROADCAST),
        option::SO_LINGER => (socket, libc::SO_LINGER),
        option::SO_SNDBUF => (socket, libc::SO_SNDBUF),
        option::SO_RCVBUF => (socket, libc::SO_RCVBUF),
        option::SO_OOBINLINE => (socket, libc::SO_OOBINLINE),
        _ => return Err(Throw::msg(SOCKET_EXCEPTION, "Invalid option")),
    })
}

/// The smallest receive buffer requested: less makes the kernel fail.
const SMALLEST_BUFFER: i32 = 1024;
/// Bits of a type of service that programs may set.
const TOS_BITS: i32 = 0x1e | 0xe0;

fn set_option(vm: &mut Env, this: Ref, cmd: i32, on: bool, value: Ref) -> R<()> {
    let fd = own_fd(vm, this)?;
    // Java code keeps it
    if cmd == option::SO_TIMEOUT {
        return Ok(());
    }
    let at @ (level, name) = option_of(cmd)?;
    let given = match (cmd, on) {
        (option::IP_TOS | option::SO_LINGER | option::SO_SNDBUF | option::SO_RCVBUF, true) => {
            let boxed = value.non_null().ok_or_else(Throw::npe)?;
            match crate::boxing::unbox(vm, boxed) {
                Some(p) if p.ty == b'I' => p.slot as i32,
                _ => return Err(crate::boxing::mismatch()),
            }
        }
        (_, on) => i32::from(on),
    };
    let r = match cmd {
        option::SO_LINGER => {
            let seconds = if on { given } else { 0 };
            let words = [i32::from(on), seconds].map(i32::to_ne_bytes).concat();
            vm.host().network().set_option(fd, level, name, &words)
        }
        option::SO_RCVBUF => put(vm, fd, at, given.max(SMALLEST_BUFFER)),
        option::IP_TOS => {
            let v6 = has_ipv6(vm)?;
            set_tos(vm, fd, v6, given)
        }
        _ => put(vm, fd, at, given),
    };
    r.map_err(|e| failed(SOCKET_EXCEPTION, e, "Error setting socket option"))
}

/// A socket of IPv6 gets to IPv4 addresses as well.
fn set_tos(vm: &mut Env, fd: i32, v6: bool, v: i32) -> Io<()> {
    if v6 {
        put(vm, fd, (libc::IPPROTO_IPV6, libc::IPV6_TCLASS), v)?;
    }
    put(vm, fd, (libc::IPPROTO_IP, libc::IP_TOS), v & TOS_BITS)
}

fn get_option(vm: &mut Env, this: Ref, cmd: i32, container: Ref) -> R<i32> {
    let fd = own_fd(vm, this)?;
    if cmd == option::SO_BINDADDR {
        let a = vm.host().network().local_address(fd);
        let a = a.map_err(|e| failed(SOCKET_EXCEPTION, e, "Error getting socket name"))?;
        if let (Address::Inet(a), Some(container)) = (a, container.non_null()) {
            let address = new_address(vm, &a, Ref::NULL)?;
            vm.set(container, jdk::inet_address_container::ADDR, address)?;
        }
        return Ok(0);
    }
    let at @ (level, name) = option_of(cmd)?;
    let r = match cmd {
        option::SO_LINGER => {
            let mut v = [0; 8];
            let r = vm.host().network().option(fd, level, name, &mut v);
            let word = |i: usize| i32::from_ne_bytes([v[i], v[i + 1], v[i + 2], v[i + 3]]);
            r.map(|_| if word(0) != 0 { word(4) } else { -1 })
        }
        // the kernel reports twice the requested size
        option::SO_SNDBUF | option::SO_RCVBUF => number(vm, fd, at).map(|n| n / 2),
        option::IP_TOS => number(vm, fd, at),
        _ => number(vm, fd, at).map(|n| if n == 0 { -1 } else { 1 }),
    };
    r.map_err(|e| failed(SOCKET_EXCEPTION, e, "Error getting socket option"))
}

fn send_urgent_data(vm: &mut Env, this: Ref, data: i32) -> R<()> {
    let fd = own_fd(vm, this)?;
    let r = vm.host().network().send(fd, &[data as u8], libc::MSG_OOB);
    r.map(|_| ()).map_err(io_exception)
}
