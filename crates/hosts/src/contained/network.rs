//! The network with a policy in front.

use crate::grants::Network as Policy;
use rjvm_jdk_stubs::os::{Open, OsNetwork};
use rjvm_vm::host::{Address, Errno, Interface, Io, Network};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The name of this machine when nothing but itself may be reached.
const LOCAL_NAME: &str = "localhost";

/// Options that join or leave groups of the network: `IP_MULTICAST_IF` to `IP_DROP_SOURCE_MEMBERSHIP`, and the `MCAST_`
/// ones of both protocols.
const GROUPS: [(i32, std::ops::RangeInclusive<i32>); 4] = [
    (libc::IPPROTO_IP, 35..=48),
    (
        libc::IPPROTO_IPV6,
        libc::IPV6_ADD_MEMBERSHIP..=libc::IPV6_DROP_MEMBERSHIP,
    ),
    (libc::IPPROTO_IPV6, 27..=28),
    (libc::IPPROTO_IPV6, 42..=48),
];

/// Sockets of a contained program: TCP and UDP, to where the policy allows. Names in the file system are not addresses:
/// sockets of the Unix domain are denied.
pub struct Guarded {
    os: OsNetwork,
    policy: Policy,
}

impl Guarded {
    /// For the VM with this table.
    pub fn new(open: &Open, policy: Policy) -> Guarded {
        Guarded {
            os: OsNetwork::new(open),
            policy,
        }
    }
    fn allowed(&self) -> Io<()> {
        match self.policy {
            Policy::Off => Err(Errno::DENIED),
            Policy::Loopback | Policy::All => Ok(()),
        }
    }
    fn local_only(&self) -> bool {
        self.policy != Policy::All
    }
    /// An address as it may be reached: "any" means this machine, and this machine only.
    fn address(&self, a: &Address) -> Io<Address> {
        self.allowed()?;
        match a {
            Address::Unix(_) => Err(Errno::DENIED),
            Address::Inet(a) if self.local_only() => {
                let mut a = *a;
                if a.ip().to_canonical().is_unspecified() {
                    a.set_ip(loopback(&a));
                }
                match is_local(a.ip()) {
                    true => Ok(Address::Inet(a)),
                    false => Err(Errno::DENIED),
                }
            }
            a => Ok(a.clone()),
        }
    }
    /// Ties a socket that would listen everywhere to this machine.
    fn tie(&mut self, fd: i32) -> Io<()> {
        if !self.local_only() {
            return Ok(());
        }
        match self.os.local_address(fd)? {
            Address::Inet(a) if a.ip().is_unspecified() => {
                if a.port() != 0 {
                    // it was bound without us
                    return Err(Errno::DENIED);
                }
                self.bind(fd, &Address::Inet(a))
            }
            _ => Ok(()),
        }
    }
}

/// Whether an address means this machine.
fn is_local(ip: IpAddr) -> bool {
    ip.to_canonical().is_loopback()
}

/// This machine, for a socket of the address's family. One of IPv6 is reached at the IPv4 address, as at any.
fn loopback(a: &SocketAddr) -> IpAddr {
    match a {
        SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        SocketAddr::V6(_) => Ipv4Addr::LOCALHOST.to_ipv6_mapped().into(),
    }
}

impl Network for Guarded {
    fn socket(&mut self, domain: i32, kind: i32, protocol: i32) -> Io<i32> {
        self.allowed()?;
        let plain = kind & !(libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC);
        if ![libc::AF_INET, libc::AF_INET6].contains(&domain) {
            return Err(Errno::DENIED);
        }
        if ![libc::SOCK_STREAM, libc::SOCK_DGRAM].contains(&plain) {
            return Err(Errno(libc::EPERM));
        }
        self.os.socket(domain, kind, protocol)
    }
    fn bind(&mut self, fd: i32, to: &Address) -> Io<()> {
        let a = self.address(to)?;
        match (self.os.bind(fd, &a), to, a) {
            // a socket that is for IPv6 only has no IPv4 address
            (Err(e), Address::Inet(SocketAddr::V6(to)), Address::Inet(mut a))
                if to.ip().is_unspecified()
                    && self.local_only()
                    && e != Errno(libc::EADDRINUSE) =>
            {
                a.set_ip(Ipv6Addr::LOCALHOST.into());
                self.os.bind(fd, &Address::Inet(a))
            }
            (r, ..) => r,
        }
    }
    fn listen(&mut self, fd: i32, backlog: i32) -> Io<()> {
        self.allowed()?;
        self.tie(fd)?;
        self.os.listen(fd, backlog)
    }
    fn connect(&mut self, fd: i32, to: &Address) -> Io<()> {
        let to = self.address(to)?;
        self.os.connect(fd, &to)
    }
    fn accept(&mut self, fd: i32) -> Io<(i32, Address)> {
        self.allowed()?;
        self.os.accept(fd)
    }
    fn local_address(&mut self, fd: i32) -> Io<Address> {
        self.os.local_address(fd)
    }
    fn peer_address(&mut self, fd: i32) -> Io<Address> {
        self.os.peer_address(fd)
    }
    fn receive(&mut self, fd: i32, buf: &mut [u8], flags: i32) -> Io<usize> {
        self.os.receive(fd, buf, flags)
    }
    fn receive_from(&mut self, fd: i32, buf: &mut [u8], flags: i32) -> Io<(usize, Address)> {
        self.os.receive_from(fd, buf, flags)
    }
    fn send(&mut self, fd: i32, buf: &[u8], flags: i32) -> Io<usize> {
        self.os.send(fd, buf, flags)
    }
    fn send_to(&mut self, fd: i32, buf: &[u8], to: &Address) -> Io<usize> {
        let to = self.address(to)?;
        // sending gives a socket a port, everywhere
        self.tie(fd)?;
        self.os.send_to(fd, buf, &to)
    }
    fn shutdown(&mut self, fd: i32, how: i32) -> Io<()> {
        self.os.shutdown(fd, how)
    }
    fn option(&mut self, fd: i32, level: i32, name: i32, value: &mut [u8]) -> Io<usize> {
        self.os.option(fd, level, name, value)
    }
    fn set_option(&mut self, fd: i32, level: i32, name: i32, value: &[u8]) -> Io<()> {
        let joins = |(l, names): &(i32, std::ops::RangeInclusive<i32>)| {
            level == *l && names.contains(&name)
        };
        if self.local_only() && GROUPS.iter().any(joins) {
            return Err(Errno::DENIED);
        }
        self.os.set_option(fd, level, name, value)
    }
    fn host_name(&mut self) -> Io<String> {
        self.allowed()?;
        match self.local_only() {
            true => Ok(LOCAL_NAME.into()),
            false => self.os.host_name(),
        }
    }
    fn interfaces(&mut self) -> Io<Vec<Interface>> {
        self.allowed()?;
        let mut all = self.os.interfaces()?;
        if self.local_only() {
            all.retain(|i| i.flags & libc::IFF_LOOPBACK as u32 != 0);
        }
        Ok(all)
    }
    fn resolve(&mut self, host: &str) -> Result<Vec<SocketAddr>, String> {
        match self.policy {
            Policy::All => self.os.resolve(host),
            Policy::Loopback if host.eq_ignore_ascii_case(LOCAL_NAME) => {
                let mut all = vec![SocketAddr::from((Ipv4Addr::LOCALHOST, 0))];
                if self.has_ipv6() {
                    all.push((Ipv6Addr::LOCALHOST, 0).into());
                }
                Ok(all)
            }
            _ => Err("Name or service not known".into()),
        }
    }
    fn reverse(&mut self, address: IpAddr) -> Option<String> {
        match self.policy {
            Policy::All => self.os.reverse(address),
            Policy::Loopback if is_local(address) => Some(LOCAL_NAME.into()),
            _ => None,
        }
    }
    fn has_ipv6(&mut self) -> bool {
        self.policy != Policy::Off && self.os.has_ipv6()
    }
}
