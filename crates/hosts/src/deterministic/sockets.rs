//! Sockets that exist in memory: their addresses, listeners and connections.
//!
//! Sockets of IPv6 are of both protocols. They meet those of IPv4 here, so all addresses are stored in their plain form, IPv4
//! ones without the clothes of IPv6 in which such a socket is notified of them ([`Socket::shown`]).

use super::channels::CONNECTION;
use super::known::FileId;
use super::table::{DescriptorKind, OpenId, Table};
use rjvm_vm::host::{Address, Errno, Io};
use std::collections::{BTreeMap, VecDeque};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The first of the ports that are given to who asks for none, as on Linux.
pub const FIRST_PORT: u16 = 32768;
/// The last.
const LAST_PORT: u16 = 60999;
/// Bytes of datagrams that wait for a reader; later ones are lost.
pub const DATAGRAMS: usize = 208 << 10;

/// The state of a socket.
pub enum SocketState {
    /// Nothing.
    Fresh,
    /// Waiting for connections: those that wait to be accepted.
    Listening(VecDeque<OpenId>),
    /// A connection: the channels it reads from and writes to.
    Connected {
        /// From the other side.
        rx: u64,
        /// To the other side.
        tx: u64,
    },
    /// Datagrams that have come, each with its sender.
    Datagrams(VecDeque<(Address, Vec<u8>)>),
}

/// A socket.
pub struct Socket {
    /// Family.
    pub domain: i32,
    /// A stream; else datagrams.
    pub stream: bool,
    /// Options that were set.
    pub options: BTreeMap<(i32, i32), Vec<u8>>,
    /// Its own address.
    pub local: Option<Address>,
    /// That was requested: no other socket may have it.
    pub bound: bool,
    /// The other side's.
    pub peer: Option<Address>,
    /// The file in the place of a port.
    pub file: Option<FileId>,
    /// Why a connection failed for which no thread waited; 0: it has not failed, or the failure has been reported.
    pub error: i32,
    /// Its state.
    pub state: SocketState,
}

impl Socket {
    /// A new one.
    pub fn new(domain: i32, stream: bool) -> Socket {
        Socket {
            domain,
            stream,
            options: BTreeMap::new(),
            local: None,
            bound: false,
            peer: None,
            file: None,
            error: 0,
            state: match stream {
                true => SocketState::Fresh,
                false => SocketState::Datagrams(VecDeque::new()),
            },
        }
    }
    /// What it shows before it has an address.
    pub fn no_address(&self) -> Address {
        match self.domain {
            libc::AF_UNIX => Address::Unix(Vec::new()),
            _ => Address::Inet(SocketAddr::new(self.anywhere(), 0)),
        }
    }
    /// No address in particular, of its family.
    pub fn anywhere(&self) -> IpAddr {
        match self.domain {
            libc::AF_INET6 => Ipv6Addr::UNSPECIFIED.into(),
            _ => Ipv4Addr::UNSPECIFIED.into(),
        }
    }
    /// An address in the form that this socket reports.
    pub fn shown(&self, a: &Address) -> Address {
        match a {
            Address::Inet(SocketAddr::V4(v4)) if self.domain == libc::AF_INET6 => {
                Address::Inet((v4.ip().to_ipv6_mapped(), v4.port()).into())
            }
            a => a.clone(),
        }
    }
    /// An address that this socket was given, plainly; an error if it is of another family.
    pub fn own_kind(&self, a: SocketAddr) -> Io<SocketAddr> {
        match (self.domain, a) {
            (libc::AF_INET, SocketAddr::V4(_)) | (libc::AF_INET6, SocketAddr::V6(_)) => {
                Ok(plain(a))
            }
            _ => Err(Errno(libc::EAFNOSUPPORT)),
        }
    }
    /// The address it gets to with this one: nowhere in particular is here.
    pub fn target(&self, a: SocketAddr) -> Io<SocketAddr> {
        let mut a = self.own_kind(a)?;
        if a.ip().is_unspecified() {
            a.set_ip(loopback(a.ip()));
        }
        Ok(a)
    }
    /// Undoes a connection of datagrams: it keeps its port, and the address it was bound to.
    pub fn disconnect(&mut self) {
        self.peer = None;
        if let (false, Some(port)) = (self.bound, self.port()) {
            self.local = Some(Address::Inet(SocketAddr::new(self.anywhere(), port)));
        }
    }
    /// The error that waits to be said, which is reported once.
    pub fn take_error(&mut self) -> Io<()> {
        match std::mem::take(&mut self.error) {
            0 => Ok(()),
            e => Err(Errno(e)),
        }
    }
    /// `SOCK_STREAM` or `SOCK_DGRAM`.
    pub fn kind(&self) -> i32 {
        match self.stream {
            true => libc::SOCK_STREAM,
            false => libc::SOCK_DGRAM,
        }
    }
    /// Value of an option, as it was set or as on Linux; `None`: 0.
    pub fn option(&self, level: i32, name: i32) -> Option<Vec<u8>> {
        let initial: i32 = match (level, name) {
            (libc::SOL_SOCKET, libc::SO_ERROR) => self.error,
            (libc::SOL_SOCKET, libc::SO_TYPE) => self.kind(),
            _ if self.options.contains_key(&(level, name)) => {
                return self.options.get(&(level, name)).cloned();
            }
            (libc::SOL_SOCKET, libc::SO_SNDBUF | libc::SO_RCVBUF) => CONNECTION as i32,
            (libc::IPPROTO_IP, libc::IP_MULTICAST_TTL | libc::IP_MULTICAST_LOOP) => {
                return Some(vec![1]);
            }
            (libc::IPPROTO_IPV6, libc::IPV6_MULTICAST_HOPS | libc::IPV6_MULTICAST_LOOP) => 1,
            (libc::IPPROTO_TCP, libc::TCP_KEEPIDLE) => 7200,
            (libc::IPPROTO_TCP, libc::TCP_KEEPINTVL) => 75,
            (libc::IPPROTO_TCP, libc::TCP_KEEPCNT) => 9,
            (libc::IPPROTO_TCP, libc::TCP_QUICKACK) => 1,
            _ => return None,
        };
        Some(initial.to_ne_bytes().to_vec())
    }
    /// Its port, if it has one.
    pub fn port(&self) -> Option<u16> {
        match &self.local {
            Some(Address::Inet(a)) => Some(a.port()),
            _ => None,
        }
    }
    fn ip(&self) -> Option<IpAddr> {
        match &self.local {
            Some(Address::Inet(a)) => Some(a.ip()),
            _ => None,
        }
    }
    /// Whether data sent to this address arrives here.
    fn hears(&self, to: SocketAddr) -> bool {
        self.port() == Some(to.port()) && self.ip().is_some_and(|ip| covers(ip, to.ip()))
    }
    /// Whether an option that is a number is set.
    pub fn has(&self, level: i32, name: i32) -> bool {
        let value = self.options.get(&(level, name));
        value.is_some_and(|v| v.iter().any(|&b| b != 0))
    }
    /// Whether closing resets the connection (`SO_LINGER` with no time).
    pub fn resets(&self) -> bool {
        let value = self.options.get(&(libc::SOL_SOCKET, libc::SO_LINGER));
        value.is_some_and(|v| v.len() == 8 && v[..4] != [0; 4] && v[4..] == [0; 4])
    }
}

/// An address without the clothes of IPv6, or a scope, which matters to those of single links only.
pub fn plain(a: SocketAddr) -> SocketAddr {
    match a.ip().to_canonical() {
        ip if ip.is_loopback() || ip.is_unspecified() || ip.is_ipv4() => {
            SocketAddr::new(ip, a.port())
        }
        _ => a,
    }
}

/// This machine's own address, of the same family.
pub fn loopback(like: IpAddr) -> IpAddr {
    match like {
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    }
}

/// Whether a socket bound to `own` gets data sent to `to`. The unspecified address of IPv6 covers IPv4 as well.
fn covers(own: IpAddr, to: IpAddr) -> bool {
    own == to || own.is_unspecified() && (own.is_ipv6() || to.is_ipv4())
}

/// All sockets of a table.
fn all(table: &Table) -> impl Iterator<Item = (OpenId, &Socket)> {
    table.all().filter_map(|(id, o)| match &o.kind {
        DescriptorKind::Socket(s) => Some((id, &**s)),
        _ => None,
    })
}

/// Who listens there.
pub fn listener(table: &Table, at: SocketAddr) -> Option<OpenId> {
    let listens = |s: &Socket| matches!(s.state, SocketState::Listening(_));
    all(table)
        .find(|(_, s)| listens(s) && s.hears(at))
        .map(|(id, _)| id)
}

/// Who reads from this channel.
pub fn reader(table: &Table, channel: u64) -> Option<&Socket> {
    let reads = |s: &Socket| matches!(s.state, SocketState::Connected { rx, .. } if rx == channel);
    all(table).map(|(_, s)| s).find(|s| reads(s))
}

/// Who listens at a file, or takes datagrams there.
pub fn at_file(table: &Table, file: FileId) -> Option<OpenId> {
    all(table)
        .find(|(_, s)| s.file == Some(file))
        .map(|(id, _)| id)
}

/// Who takes datagrams there from this sender.
pub fn receiver(table: &Table, at: SocketAddr, from: &Address) -> Option<OpenId> {
    let takes = |s: &Socket| !s.stream && s.hears(at) && s.peer.as_ref().is_none_or(|p| p == from);
    // who is connected goes first
    let connected = all(table).find(|(_, s)| takes(s) && s.peer.is_some());
    connected
        .or_else(|| all(table).find(|(_, s)| takes(s)))
        .map(|(id, _)| id)
}

/// Whether another socket has this address.
pub fn is_taken(table: &Table, own: &Socket, at: SocketAddr) -> bool {
    let reuse = |s: &Socket| s.has(libc::SOL_SOCKET, libc::SO_REUSEADDR);
    all(table).any(|(_, s)| {
        let both = reuse(s) && reuse(own) && !matches!(s.state, SocketState::Listening(_));
        s.bound
            && s.stream == own.stream
            && s.port() == Some(at.port())
            && s.ip()
                .is_some_and(|ip| covers(ip, at.ip()) || covers(at.ip(), ip))
            && !both
    })
}

/// The next free port: they are given in their order, none again before all have had their turn.
pub fn free_port(table: &Table, last: &mut u16, stream: bool) -> Option<u16> {
    let used = |port| all(table).any(|(_, s)| s.stream == stream && s.port() == Some(port));
    for _ in FIRST_PORT..=LAST_PORT {
        *last = match *last {
            0 | LAST_PORT => FIRST_PORT,
            p => p + 1,
        };
        if !used(*last) {
            return Some(*last);
        }
    }
    None
}
