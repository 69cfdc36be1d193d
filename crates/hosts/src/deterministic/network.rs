//! Sockets: connections within the program in memory, others by the host inside.

use super::Deterministic;
use super::channels::CONNECTION;
use super::known;
use super::sockets::{self, DATAGRAMS, FIRST_PORT, Socket, SocketState};
use super::streams::Lines;
use super::table::{DescriptorKind, OpenId};
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{Address, Errno, Interface, InterfaceAddress, Io, Network};
use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Name of the machine.
const HOST_NAME: &str = "rjvm";
/// The one interface is up.
const LOOPBACK_FLAGS: i32 = libc::IFF_UP | libc::IFF_LOOPBACK | libc::IFF_RUNNING;

/// The state of a socket, for requests that depend on it.
enum Side {
    /// The host inside.
    Outside(i32),
    /// Memory.
    Inside(OpenId),
}

impl Deterministic {
    fn side(&mut self, fd: i32) -> Io<Side> {
        let id = self.table.id(fd)?;
        match self.table.kind(fd)? {
            DescriptorKind::Stream { fd, .. } => Ok(Side::Outside(*fd)),
            DescriptorKind::Socket(_) => Ok(Side::Inside(id)),
            _ => Err(Errno(libc::ENOTSOCK)),
        }
    }
    fn socket_of(&mut self, id: OpenId) -> Io<&mut Socket> {
        match self.table.open(id).map(|o| &mut o.kind) {
            Some(DescriptorKind::Socket(s)) => Ok(s),
            _ => Err(Errno(libc::ENOTSOCK)),
        }
    }
    /// Two sockets that are connected to each other.
    pub(super) fn pair(&mut self) -> (i32, i32) {
        let (a, b) = (self.ends(CONNECTION), self.ends(CONNECTION));
        let end = |rx, tx| {
            let mut s = Socket::new(libc::AF_UNIX, true);
            s.local = Some(Address::Unix(Vec::new()));
            s.peer = Some(Address::Unix(Vec::new()));
            s.state = SocketState::Connected { rx, tx };
            DescriptorKind::Socket(Box::new(s))
        };
        let first = self.table.add(end(a, b));
        (first, self.table.add(end(b, a)))
    }
    /// Whether the host inside has IPv6. Where it has not, sockets there are those of IPv4.
    fn reaches_ipv6(&mut self) -> bool {
        let inner = &mut self.inner;
        *self
            .reaches_ipv6
            .get_or_insert_with(|| inner.network().has_ipv6())
    }
    /// An address as the host inside knows it.
    fn outward(&mut self, to: &Address) -> Address {
        match to {
            Address::Inet(a) if !self.reaches_ipv6() => {
                let mut a = sockets::plain(*a);
                if a.ip().is_unspecified() {
                    a.set_ip(Ipv4Addr::UNSPECIFIED.into());
                }
                Address::Inet(a)
            }
            to => to.clone(),
        }
    }
    fn bind_outside(&mut self, fd: i32, to: &Address) -> Io<()> {
        let to = self.outward(to);
        self.inner.network().bind(fd, &to)
    }
    fn connect_outside(&mut self, fd: i32, to: &Address) -> Io<()> {
        let to = self.outward(to);
        self.inner.network().connect(fd, &to)
    }
    fn send_outside(&mut self, fd: i32, buf: &[u8], to: &Address) -> Io<usize> {
        let to = self.outward(to);
        self.inner.network().send_to(fd, buf, &to)
    }
    /// Turns a socket into one of the host inside, which others can be reached by.
    fn go_outside(&mut self, id: OpenId) -> Io<i32> {
        let reaches_ipv6 = self.reaches_ipv6();
        let s = self.socket_of(id)?;
        let (kind, options) = (s.kind(), s.options.clone());
        let domain = match s.domain {
            libc::AF_INET6 if !reaches_ipv6 => libc::AF_INET,
            domain => domain,
        };
        let bound = s.local.as_ref().filter(|_| s.bound).map(|a| s.shown(a));
        let network = self.inner.network();
        let fd = network.socket(domain, kind, 0)?;
        for ((level, name), value) in &options {
            // what is refused there was a wish only
            let _ = network.set_option(fd, *level, *name, value);
        }
        if let Some(Address::Inet(a)) = bound
            && a.port() < FIRST_PORT
        {
            self.bind_outside(fd, &Address::Inet(a))?;
        }
        self.lead_to(id, fd)?;
        Ok(fd)
    }
    /// From now on, the open file refers to this descriptor of the host inside.
    pub(super) fn lead_to(&mut self, id: OpenId, fd: i32) -> Io<()> {
        if let Some(open) = self.table.open(id) {
            open.kind = DescriptorKind::Stream {
                fd,
                lines: Lines::default(),
                granted: false,
            };
            if open.nonblocking {
                self.inner.descriptors().set_blocking(fd, false)?;
            }
        }
        Ok(())
    }
    /// The socket's own address, with the next port if it has none.
    fn own_address(&mut self, id: OpenId) -> Io<SocketAddr> {
        match self.socket_of(id)?.local {
            Some(Address::Inet(a)) => Ok(a),
            _ => {
                let any = self.socket_of(id)?.anywhere();
                self.next_port(id, any)
            }
        }
    }
    /// Gives a socket the next port.
    fn next_port(&mut self, id: OpenId, ip: IpAddr) -> Io<SocketAddr> {
        let stream = self.socket_of(id)?.stream;
        let port = sockets::free_port(&self.table, &mut self.last_port, stream);
        let a = SocketAddr::new(ip, port.ok_or(Errno(libc::EADDRNOTAVAIL))?);
        self.socket_of(id)?.local = Some(Address::Inet(a));
        Ok(a)
    }
    /// The address from which a socket reaches another socket of this machine.
    fn source(&mut self, id: OpenId, to: SocketAddr) -> Io<SocketAddr> {
        let own = self.own_address(id)?;
        match own.ip() {
            ip if ip.is_unspecified() => {
                Ok(SocketAddr::new(sockets::loopback(to.ip()), own.port()))
            }
            ip if ip.is_ipv4() == to.is_ipv4() => Ok(own),
            // as Linux has it
            IpAddr::V4(_) => Err(Errno(libc::EAFNOSUPPORT)),
            IpAddr::V6(_) => Err(Errno(libc::ENETUNREACH)),
        }
    }
    /// Connects to who listens.
    fn join(&mut self, id: OpenId, listener: OpenId, own: Address, to: Address) -> Io<()> {
        let (up, down) = (self.ends(CONNECTION), self.ends(CONNECTION));
        let s = self.socket_of(id)?;
        s.state = SocketState::Connected { rx: down, tx: up };
        (s.local, s.peer) = (Some(own.clone()), Some(to.clone()));
        let s = self.socket_of(listener)?;
        let mut other = Socket::new(s.domain, true);
        other.options = s.options.clone();
        other.state = SocketState::Connected { rx: up, tx: down };
        (other.local, other.peer) = (Some(to), Some(own));
        let other = self.table.make(DescriptorKind::Socket(Box::new(other)));
        if let SocketState::Listening(waiting) = &mut self.socket_of(listener)?.state {
            waiting.push_back(other);
        }
        Ok(())
    }
    /// Connects a socket within the program. Who does not wait, by a socket that is not to block, is answered as a kernel
    /// answers: it is under way, even if it is done or refused already, which is found out by looking.
    fn connect_inside(&mut self, id: OpenId, a: SocketAddr) -> Io<()> {
        let r = match sockets::listener(&self.table, a) {
            Some(listener) => {
                let own = self.source(id, a)?;
                self.join(id, listener, Address::Inet(own), Address::Inet(a))
            }
            None => Err(Errno(libc::ECONNREFUSED)),
        };
        let waits = self.table.look(id).is_none_or(|o| !o.nonblocking);
        match r {
            r if waits => r,
            Err(Errno(e)) if e != libc::ECONNREFUSED => Err(Errno(e)),
            r => {
                self.socket_of(id)?.error = r.err().map_or(0, |e| e.0);
                Err(Errno(libc::EINPROGRESS))
            }
        }
    }
    fn connect_stream(&mut self, id: OpenId, to: &Address) -> Io<()> {
        self.socket_of(id)?.take_error()?;
        match self.socket_of(id)?.state {
            SocketState::Fresh => {}
            SocketState::Connected { .. } => return Err(Errno(libc::EISCONN)),
            _ => return Err(Errno(libc::EINVAL)),
        }
        match to {
            Address::Inet(a) => {
                let a = self.socket_of(id)?.target(*a)?;
                // a port that was the program's own is nobody else's
                let inside = |s: &Deterministic| {
                    a.port() >= FIRST_PORT
                        || s.ports.contains(&a.port())
                        || sockets::listener(&s.table, a).is_some()
                };
                if a.ip().is_loopback() && inside(self) {
                    return self.connect_inside(id, a);
                }
                let to = match a.ip().is_loopback() {
                    true => self.socket_of(id)?.shown(&Address::Inet(a)),
                    false => to.clone(),
                };
                let fd = self.go_outside(id)?;
                self.connect_outside(fd, &to)
            }
            Address::Unix(name) => {
                let path = self.real_here(name)?;
                let s = self.inner.files().stat(HERE, &path, true)?;
                match sockets::at_file(&self.table, known::id(&s)) {
                    Some(listener) => {
                        let own = self.socket_of(id)?;
                        let own = own.local.clone().unwrap_or_else(|| own.no_address());
                        self.join(id, listener, own, to.clone())
                    }
                    None => {
                        let fd = self.go_outside(id)?;
                        self.inner.network().connect(fd, &Address::Unix(path))
                    }
                }
            }
            Address::Other(_) => Err(Errno(libc::EAFNOSUPPORT)),
        }
    }
    pub(super) fn socket_receive(&mut self, fd: i32, buf: &mut [u8], flags: i32) -> Io<usize> {
        let s = self.table.socket(fd)?;
        s.take_error()?;
        match &mut s.state {
            SocketState::Connected { rx, .. } => {
                let rx = *rx;
                self.channels.read(rx, buf, flags & libc::MSG_PEEK != 0)
            }
            SocketState::Datagrams(_) => self.datagram(fd, buf, flags).map(|(n, _)| n),
            _ => Err(Errno(libc::ENOTCONN)),
        }
    }
    pub(super) fn socket_send(&mut self, fd: i32, buf: &[u8]) -> Io<usize> {
        let s = self.table.socket(fd)?;
        s.take_error()?;
        match (&s.state, s.peer.clone()) {
            (SocketState::Connected { tx, .. }, _) => {
                let tx = *tx;
                self.channels.write(tx, buf)
            }
            (SocketState::Datagrams(_), Some(to)) => {
                let to = s.shown(&to);
                self.send_to(fd, buf, &to)
            }
            (SocketState::Datagrams(_), None) => Err(Errno(libc::EDESTADDRREQ)),
            _ => Err(Errno(libc::ENOTCONN)),
        }
    }
    fn datagram(&mut self, fd: i32, buf: &mut [u8], flags: i32) -> Io<(usize, Address)> {
        let s = self.table.socket(fd)?;
        let SocketState::Datagrams(queue) = &mut s.state else {
            return Err(Errno(libc::EOPNOTSUPP));
        };
        let (from, data) = match flags & libc::MSG_PEEK != 0 {
            true => queue.front().cloned(),
            false => queue.pop_front(),
        }
        .ok_or(Errno(libc::EAGAIN))?;
        let n = data.len().min(buf.len());
        buf[..n].copy_from_slice(&data[..n]);
        Ok((n, s.shown(&from)))
    }
}

impl Network for Deterministic {
    fn socket(&mut self, domain: i32, kind: i32, _protocol: i32) -> Io<i32> {
        let stream = match kind & 0xf {
            libc::SOCK_STREAM => true,
            libc::SOCK_DGRAM => false,
            _ => return Err(Errno(libc::EPERM)),
        };
        if !matches!(domain, libc::AF_INET | libc::AF_INET6 | libc::AF_UNIX) {
            return Err(Errno(libc::EAFNOSUPPORT));
        }
        let socket = Box::new(Socket::new(domain, stream));
        Ok(self.table.add(DescriptorKind::Socket(socket)))
    }
    fn bind(&mut self, fd: i32, to: &Address) -> Io<()> {
        let id = match self.side(fd)? {
            Side::Outside(fd) => return self.bind_outside(fd, to),
            Side::Inside(id) => id,
        };
        if self.socket_of(id)?.local.is_some() {
            return Err(Errno(libc::EINVAL));
        }
        match to {
            Address::Inet(a) => {
                let a = self.socket_of(id)?.own_kind(*a)?;
                let ip = a.ip();
                if !(ip.is_unspecified() || ip.is_loopback() || ip.is_multicast()) {
                    return Err(Errno(libc::EADDRNOTAVAIL));
                }
                if a.port() == 0 {
                    self.next_port(id, ip)?;
                } else {
                    let taken = match self.table.look(id).map(|o| &o.kind) {
                        Some(DescriptorKind::Socket(own)) => sockets::is_taken(&self.table, own, a),
                        _ => false,
                    };
                    if taken {
                        return Err(Errno(libc::EADDRINUSE));
                    }
                    self.socket_of(id)?.local = Some(Address::Inet(a));
                }
            }
            Address::Unix(name) => {
                let path = self.real_here(name)?;
                match rjvm_vm::host::Files::make_node(self, name, libc::S_IFSOCK | 0o777, 0) {
                    Err(Errno(libc::EEXIST)) => return Err(Errno(libc::EADDRINUSE)),
                    r => r?,
                }
                let s = self.inner.files().stat(HERE, &path, true)?;
                let socket = self.socket_of(id)?;
                socket.file = Some(known::id(&s));
                socket.local = Some(to.clone());
            }
            Address::Other(_) => return Err(Errno(libc::EAFNOSUPPORT)),
        }
        let socket = self.socket_of(id)?;
        socket.bound = true;
        if let Some(port) = socket.port() {
            self.ports.insert(port);
        }
        Ok(())
    }
    fn listen(&mut self, fd: i32, backlog: i32) -> Io<()> {
        let id = match self.side(fd)? {
            Side::Outside(fd) => return self.inner.network().listen(fd, backlog),
            Side::Inside(id) => id,
        };
        let s = self.socket_of(id)?;
        if !s.stream {
            return Err(Errno(libc::EOPNOTSUPP));
        }
        if s.domain != libc::AF_UNIX {
            self.own_address(id)?;
        }
        let s = self.socket_of(id)?;
        if let SocketState::Fresh = s.state {
            s.bound = true;
            s.state = SocketState::Listening(VecDeque::new());
        }
        Ok(())
    }
    fn connect(&mut self, fd: i32, to: &Address) -> Io<()> {
        let id = match self.side(fd)? {
            Side::Outside(fd) => return self.connect_outside(fd, to),
            Side::Inside(id) => id,
        };
        if self.socket_of(id)?.stream {
            return self.connect_stream(id, to);
        }
        match to {
            Address::Inet(a) => {
                let a = self.socket_of(id)?.target(*a)?;
                if !a.ip().is_loopback() {
                    let fd = self.go_outside(id)?;
                    return self.connect_outside(fd, to);
                }
                let own = self.source(id, a)?;
                let s = self.socket_of(id)?;
                (s.local, s.peer) = (Some(Address::Inet(own)), Some(Address::Inet(a)));
            }
            _ => self.socket_of(id)?.disconnect(),
        }
        Ok(())
    }
    fn accept(&mut self, fd: i32) -> Io<(i32, Address)> {
        let id = match self.side(fd)? {
            Side::Outside(fd) => {
                let (fd, from) = self.inner.network().accept(fd)?;
                let number = self.table.add(DescriptorKind::Stream {
                    fd,
                    lines: Lines::default(),
                    granted: false,
                });
                return Ok((number, from));
            }
            Side::Inside(id) => id,
        };
        let SocketState::Listening(waiting) = &mut self.socket_of(id)?.state else {
            return Err(Errno(libc::EINVAL));
        };
        let new = waiting.pop_front().ok_or(Errno(libc::EAGAIN))?;
        let s = self.socket_of(new)?;
        let from = s.shown(s.peer.as_ref().unwrap_or(&s.no_address()));
        Ok((self.table.number(new), from))
    }
    fn local_address(&mut self, fd: i32) -> Io<Address> {
        match self.side(fd)? {
            Side::Outside(fd) => self.inner.network().local_address(fd),
            Side::Inside(id) => {
                let s = self.socket_of(id)?;
                Ok(s.shown(s.local.as_ref().unwrap_or(&s.no_address())))
            }
        }
    }
    fn peer_address(&mut self, fd: i32) -> Io<Address> {
        match self.side(fd)? {
            Side::Outside(fd) => self.inner.network().peer_address(fd),
            Side::Inside(id) => {
                let s = self.socket_of(id)?;
                let peer = s.peer.as_ref().map(|a| s.shown(a));
                peer.ok_or(Errno(libc::ENOTCONN))
            }
        }
    }
    fn receive(&mut self, fd: i32, buf: &mut [u8], flags: i32) -> Io<usize> {
        match self.side(fd)? {
            Side::Outside(_) => {
                if let DescriptorKind::Stream { fd, granted, .. } = self.table.kind(fd)? {
                    *granted = false;
                    return self.inner.network().receive(*fd, buf, flags);
                }
                Err(Errno(libc::EBADF))
            }
            Side::Inside(_) if flags & libc::MSG_OOB != 0 => Err(Errno(libc::EINVAL)),
            Side::Inside(_) => self.socket_receive(fd, buf, flags),
        }
    }
    fn receive_from(&mut self, fd: i32, buf: &mut [u8], flags: i32) -> Io<(usize, Address)> {
        match self.side(fd)? {
            Side::Outside(inner) => {
                if let DescriptorKind::Stream { granted, .. } = self.table.kind(fd)? {
                    *granted = false;
                }
                self.inner.network().receive_from(inner, buf, flags)
            }
            Side::Inside(_) => self.datagram(fd, buf, flags),
        }
    }
    fn send(&mut self, fd: i32, buf: &[u8], flags: i32) -> Io<usize> {
        match self.side(fd)? {
            Side::Outside(fd) => self.inner.network().send(fd, buf, flags),
            Side::Inside(id) if flags & libc::MSG_OOB != 0 => {
                // nobody reads it out of its turn, and in its turn who has requested that
                if let SocketState::Connected { tx, .. } = self.socket_of(id)?.state
                    && let Some(reader) = sockets::reader(&self.table, tx)
                    && !reader.has(libc::SOL_SOCKET, libc::SO_OOBINLINE)
                {
                    return Ok(buf.len());
                }
                self.socket_send(fd, buf)
            }
            Side::Inside(_) => self.socket_send(fd, buf),
        }
    }
    fn send_to(&mut self, fd: i32, buf: &[u8], to: &Address) -> Io<usize> {
        let id = match self.side(fd)? {
            Side::Outside(fd) => return self.send_outside(fd, buf, to),
            Side::Inside(id) => id,
        };
        let Address::Inet(a) = to else {
            return Err(Errno(libc::EAFNOSUPPORT));
        };
        let a = self.socket_of(id)?.target(*a)?;
        if !a.ip().is_loopback() {
            let fd = self.go_outside(id)?;
            return self.send_outside(fd, buf, to);
        }
        let own = Address::Inet(self.source(id, a)?);
        if let Some(receiver) = sockets::receiver(&self.table, a, &own)
            && let SocketState::Datagrams(queue) = &mut self.socket_of(receiver)?.state
        {
            let waiting: usize = queue.iter().map(|d| d.1.len()).sum();
            if waiting + buf.len() <= DATAGRAMS {
                queue.push_back((own, buf.to_vec()));
            }
        }
        Ok(buf.len())
    }
    fn shutdown(&mut self, fd: i32, how: i32) -> Io<()> {
        let id = match self.side(fd)? {
            Side::Outside(fd) => return self.inner.network().shutdown(fd, how),
            Side::Inside(id) => id,
        };
        let SocketState::Connected { rx, tx } = self.socket_of(id)?.state else {
            return Err(Errno(libc::ENOTCONN));
        };
        if how != libc::SHUT_WR {
            self.channels.close_reader(rx);
        }
        if how != libc::SHUT_RD {
            self.channels.close_writer(tx, false);
        }
        Ok(())
    }
    fn option(&mut self, fd: i32, level: i32, name: i32, value: &mut [u8]) -> Io<usize> {
        let id = match self.side(fd)? {
            Side::Outside(fd) => return self.inner.network().option(fd, level, name, value),
            Side::Inside(id) => id,
        };
        let socket = self.socket_of(id)?;
        let stored = socket.option(level, name);
        if (level, name) == (libc::SOL_SOCKET, libc::SO_ERROR) {
            socket.error = 0;
        }
        let stored = stored.unwrap_or_else(|| vec![0; value.len()]);
        let n = stored.len().min(value.len());
        value[..n].copy_from_slice(&stored[..n]);
        Ok(n)
    }
    fn set_option(&mut self, fd: i32, level: i32, name: i32, value: &[u8]) -> Io<()> {
        let id = match self.side(fd)? {
            Side::Outside(fd) => {
                return self.inner.network().set_option(fd, level, name, value);
            }
            Side::Inside(id) => id,
        };
        // groups are others too
        if let (libc::IPPROTO_IP, libc::IP_ADD_MEMBERSHIP)
        | (libc::IPPROTO_IPV6, libc::IPV6_ADD_MEMBERSHIP) = (level, name)
        {
            let fd = self.go_outside(id)?;
            return self.inner.network().set_option(fd, level, name, value);
        }
        let doubled = match (level, name, <[u8; 4]>::try_from(value)) {
            // as the kernel does, for its own needs
            (libc::SOL_SOCKET, libc::SO_SNDBUF | libc::SO_RCVBUF, Ok(n)) => {
                let n = i32::from_ne_bytes(n).saturating_mul(2);
                n.to_ne_bytes().to_vec()
            }
            _ => value.to_vec(),
        };
        self.socket_of(id)?.options.insert((level, name), doubled);
        Ok(())
    }
    fn host_name(&mut self) -> Io<String> {
        Ok(HOST_NAME.into())
    }
    fn interfaces(&mut self) -> Io<Vec<Interface>> {
        Ok(vec![Interface {
            name: "lo".into(),
            index: 1,
            flags: LOOPBACK_FLAGS as u32,
            hardware: None,
            mtu: 65536,
            addresses: vec![
                InterfaceAddress {
                    address: (Ipv4Addr::LOCALHOST, 0).into(),
                    prefix: 8,
                    broadcast: None,
                },
                InterfaceAddress {
                    address: (Ipv6Addr::LOCALHOST, 0).into(),
                    prefix: 128,
                    broadcast: None,
                },
            ],
        }])
    }
    fn resolve(&mut self, host: &str) -> Result<Vec<SocketAddr>, String> {
        let (four, six) = (Ipv4Addr::LOCALHOST, Ipv6Addr::LOCALHOST);
        match host {
            HOST_NAME => Ok(vec![(four, 0).into()]),
            "localhost" => Ok(vec![(four, 0).into(), (six, 0).into()]),
            _ => self.inner.network().resolve(host),
        }
    }
    fn reverse(&mut self, address: IpAddr) -> Option<String> {
        match address.to_canonical().is_loopback() {
            true => Some("localhost".into()),
            false => self.inner.network().reverse(address),
        }
    }
    fn has_ipv6(&mut self) -> bool {
        true
    }
}
