//! Sockets, name resolution and interfaces over system calls.

use super::call::{done, last, retry};
use super::open::Open;
use super::sockaddr::RawAddress;
use rjvm_vm::host::{Address, Interface, InterfaceAddress, Io, Network};
use std::ffi::{CStr, CString};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::os::fd::AsRawFd;

/// The network of this machine. Sockets go to the VM's table.
pub struct OsNetwork {
    open: Open,
}

impl OsNetwork {
    /// For the VM with this table.
    pub fn new(open: &Open) -> OsNetwork {
        OsNetwork { open: open.clone() }
    }
}

impl Network for OsNetwork {
    fn socket(&mut self, domain: i32, kind: i32, protocol: i32) -> Io<i32> {
        // SAFETY: no pointers; the result is new.
        unsafe {
            let raw = retry(|| libc::socket(domain, kind | libc::SOCK_CLOEXEC, protocol))?;
            Ok(self.open.add_raw(raw))
        }
    }
    fn bind(&mut self, fd: i32, to: &Address) -> Io<()> {
        let a = RawAddress::encode(to)?;
        let f = self.open.get(fd)?;
        // SAFETY: `a` is a valid address of its length.
        done(|| unsafe { libc::bind(f.as_raw_fd(), a.ptr(), a.len) })
    }
    fn listen(&mut self, fd: i32, backlog: i32) -> Io<()> {
        let f = self.open.get(fd)?;
        // SAFETY: no pointers.
        done(|| unsafe { libc::listen(f.as_raw_fd(), backlog) })
    }
    fn connect(&mut self, fd: i32, to: &Address) -> Io<()> {
        let a = RawAddress::encode(to)?;
        let f = self.open.get(fd)?;
        // SAFETY: `a` is a valid address of its length. Not repeated: an interrupted connect goes on.
        if unsafe { libc::connect(f.as_raw_fd(), a.ptr(), a.len) } == 0 {
            Ok(())
        } else {
            Err(last())
        }
    }
    fn accept(&mut self, fd: i32) -> Io<(i32, Address)> {
        let mut a = RawAddress::empty();
        let f = self.open.get(fd)?;
        // SAFETY: `a` is writable for its length.
        let n = retry(|| unsafe {
            libc::accept4(f.as_raw_fd(), a.ptr_mut(), &mut a.len, libc::SOCK_CLOEXEC)
        })?;
        // SAFETY: accepted just now.
        Ok((unsafe { self.open.add_raw(n) }, a.decode()))
    }
    fn local_address(&mut self, fd: i32) -> Io<Address> {
        let mut a = RawAddress::empty();
        let f = self.open.get(fd)?;
        // SAFETY: `a` is writable for its length.
        done(|| unsafe { libc::getsockname(f.as_raw_fd(), a.ptr_mut(), &mut a.len) })?;
        Ok(a.decode())
    }
    fn peer_address(&mut self, fd: i32) -> Io<Address> {
        let mut a = RawAddress::empty();
        let f = self.open.get(fd)?;
        // SAFETY: `a` is writable for its length.
        done(|| unsafe { libc::getpeername(f.as_raw_fd(), a.ptr_mut(), &mut a.len) })?;
        Ok(a.decode())
    }
    fn receive(&mut self, fd: i32, buf: &mut [u8], flags: i32) -> Io<usize> {
        let f = self.open.get(fd)?;
        // SAFETY: `buf` is writable for its length.
        retry(|| unsafe { libc::recv(f.as_raw_fd(), buf.as_mut_ptr().cast(), buf.len(), flags) })
            .map(|n| n as usize)
    }
    fn receive_from(&mut self, fd: i32, buf: &mut [u8], flags: i32) -> Io<(usize, Address)> {
        let mut a = RawAddress::empty();
        let f = self.open.get(fd)?;
        // SAFETY: `buf` and `a` are writable for their lengths.
        let n = retry(|| unsafe {
            libc::recvfrom(
                f.as_raw_fd(),
                buf.as_mut_ptr().cast(),
                buf.len(),
                flags,
                a.ptr_mut(),
                &mut a.len,
            )
        })?;
        Ok((n as usize, a.decode()))
    }
    fn send(&mut self, fd: i32, buf: &[u8], flags: i32) -> Io<usize> {
        let flags = flags | libc::MSG_NOSIGNAL;
        let f = self.open.get(fd)?;
        // SAFETY: `buf` is readable for its length.
        retry(|| unsafe { libc::send(f.as_raw_fd(), buf.as_ptr().cast(), buf.len(), flags) })
            .map(|n| n as usize)
    }
    fn send_to(&mut self, fd: i32, buf: &[u8], to: &Address) -> Io<usize> {
        let a = RawAddress::encode(to)?;
        let f = self.open.get(fd)?;
        // SAFETY: `buf` is readable for its length, `a` a valid address.
        retry(|| unsafe {
            libc::sendto(
                f.as_raw_fd(),
                buf.as_ptr().cast(),
                buf.len(),
                libc::MSG_NOSIGNAL,
                a.ptr(),
                a.len,
            )
        })
        .map(|n| n as usize)
    }
    fn shutdown(&mut self, fd: i32, how: i32) -> Io<()> {
        let f = self.open.get(fd)?;
        // SAFETY: no pointers.
        done(|| unsafe { libc::shutdown(f.as_raw_fd(), how) })
    }
    fn option(&mut self, fd: i32, level: i32, name: i32, value: &mut [u8]) -> Io<usize> {
        let mut n = value.len() as libc::socklen_t;
        let f = self.open.get(fd)?;
        // SAFETY: `value` is writable for `n` bytes.
        done(|| unsafe {
            libc::getsockopt(
                f.as_raw_fd(),
                level,
                name,
                value.as_mut_ptr().cast(),
                &mut n,
            )
        })?;
        Ok(n as usize)
    }
    fn set_option(&mut self, fd: i32, level: i32, name: i32, value: &[u8]) -> Io<()> {
        let f = self.open.get(fd)?;
        // SAFETY: `value` is readable for its length.
        done(|| unsafe {
            libc::setsockopt(
                f.as_raw_fd(),
                level,
                name,
                value.as_ptr().cast(),
                value.len() as u32,
            )
        })
    }
    fn host_name(&mut self) -> Io<String> {
        let mut buf = [0u8; 256];
        // SAFETY: `buf` is writable for its length; the last byte stays zero.
        done(|| unsafe { libc::gethostname(buf.as_mut_ptr().cast(), buf.len() - 1) })?;
        Ok(CStr::from_bytes_until_nul(&buf)
            .map_or(String::new(), |s| s.to_string_lossy().into_owned()))
    }
    fn interfaces(&mut self) -> Io<Vec<Interface>> {
        let mut head: *mut libc::ifaddrs = std::ptr::null_mut();
        // SAFETY: getifaddrs gives a list that lives until freeifaddrs; addresses may be null.
        unsafe {
            done(|| libc::getifaddrs(&mut head))?;
            let mut v: Vec<Interface> = Vec::new();
            let mut p = head;
            while !p.is_null() {
                let e = &*p;
                p = e.ifa_next;
                add_interface(&mut v, e);
            }
            libc::freeifaddrs(head);
            v.sort_by_key(|i| i.index);
            let order = ipv6_order();
            for i in &mut v {
                i.addresses.sort_by_key(|a| match a.address.ip() {
                    IpAddr::V4(_) => 0,
                    IpAddr::V6(a) => 1 + order.iter().position(|&o| o == a).unwrap_or(order.len()),
                });
            }
            Ok(v)
        }
    }
    fn resolve(&mut self, host: &str) -> Result<Vec<SocketAddr>, String> {
        let Ok(h) = CString::new(host) else {
            return Err("Name or service not known".into());
        };
        // SAFETY: a zeroed addrinfo is valid; the list lives until freeaddrinfo.
        unsafe {
            let mut hints: libc::addrinfo = std::mem::zeroed();
            hints.ai_flags = libc::AI_CANONNAME;
            hints.ai_socktype = libc::SOCK_STREAM;
            hints.ai_family = libc::AF_UNSPEC;
            let mut head = std::ptr::null_mut();
            let e = libc::getaddrinfo(h.as_ptr(), std::ptr::null(), &hints, &mut head);
            if e != 0 {
                return Err(match e {
                    libc::EAI_SYSTEM => super::strerror(last().0),
                    _ => CStr::from_ptr(libc::gai_strerror(e))
                        .to_string_lossy()
                        .into_owned(),
                });
            }
            let mut v = Vec::new();
            let mut p: *mut libc::addrinfo = head;
            while !p.is_null() {
                if let Some(Address::Inet(a)) = address_at((*p).ai_addr)
                    && !v.contains(&a)
                {
                    v.push(a);
                }
                p = (*p).ai_next;
            }
            libc::freeaddrinfo(head);
            Ok(v)
        }
    }
    fn reverse(&mut self, address: IpAddr) -> Option<String> {
        let a = RawAddress::encode(&Address::Inet(SocketAddr::new(address, 0))).ok()?;
        let mut buf = [0u8; 1025];
        // SAFETY: `a` is a valid address, `buf` writable for its length and terminated by the call.
        let e = unsafe {
            libc::getnameinfo(
                a.ptr(),
                a.len,
                buf.as_mut_ptr().cast(),
                buf.len() as u32,
                std::ptr::null_mut(),
                0,
                libc::NI_NAMEREQD,
            )
        };
        if e != 0 {
            return None;
        }
        Some(
            CStr::from_bytes_until_nul(&buf)
                .ok()?
                .to_string_lossy()
                .into_owned(),
        )
    }
    fn has_ipv6(&mut self) -> bool {
        match self.socket(libc::AF_INET6, libc::SOCK_STREAM, 0) {
            Ok(fd) => {
                let _ = self.open.close(fd);
                std::fs::read_to_string("/proc/net/if_inet6").is_ok_and(|s| !s.is_empty())
            }
            Err(_) => false,
        }
    }
}

/// Copies an address out of the C library's memory.
unsafe fn address_at(p: *const libc::sockaddr) -> Option<Address> {
    if p.is_null() {
        return None;
    }
    let n = match (*p).sa_family as i32 {
        libc::AF_INET => size_of::<libc::sockaddr_in>(),
        libc::AF_INET6 => size_of::<libc::sockaddr_in6>(),
        _ => return None,
    };
    let mut r = RawAddress::empty();
    std::ptr::copy_nonoverlapping(p.cast::<u8>(), r.ptr_mut().cast::<u8>(), n);
    r.len = n as u32;
    Some(r.decode())
}

/// The IPv6 addresses of all interfaces in the order of the kernel's table, which is the one that HotSpot reads.
fn ipv6_order() -> Vec<Ipv6Addr> {
    let table = std::fs::read_to_string("/proc/net/if_inet6").unwrap_or_default();
    let address = |line: &str| u128::from_str_radix(line.split_whitespace().next()?, 16).ok();
    table
        .lines()
        .filter_map(address)
        .map(Ipv6Addr::from)
        .collect()
}

unsafe fn add_interface(v: &mut Vec<Interface>, e: &libc::ifaddrs) {
    let name = CStr::from_ptr(e.ifa_name).to_string_lossy().into_owned();
    let i = match v.iter().position(|i| i.name == name) {
        Some(i) => i,
        None => {
            let index = libc::if_nametoindex(e.ifa_name) as i32;
            let mtu = std::fs::read_to_string(format!("/sys/class/net/{name}/mtu"))
                .ok()
                .and_then(|s| s.trim().parse().ok())
                .unwrap_or(if e.ifa_flags & libc::IFF_LOOPBACK as u32 != 0 {
                    65536
                } else {
                    1500
                });
            v.push(Interface {
                name,
                index,
                flags: e.ifa_flags,
                hardware: None,
                mtu,
                addresses: Vec::new(),
            });
            v.len() - 1
        }
    };
    if e.ifa_addr.is_null() {
        return;
    }
    if (*e.ifa_addr).sa_family as i32 == libc::AF_PACKET {
        let l = &*e.ifa_addr.cast::<libc::sockaddr_ll>();
        let mac: [u8; 6] = l.sll_addr[..6].try_into().expect("six of eight bytes");
        if l.sll_halen == 6 && mac != [0; 6] {
            v[i].hardware = Some(mac);
        }
        return;
    }
    let Some(Address::Inet(address)) = address_at(e.ifa_addr) else {
        return;
    };
    let prefix = match address_at(e.ifa_netmask) {
        Some(Address::Inet(m)) => match m.ip() {
            IpAddr::V4(m) => u32::from(m).count_ones() as u8,
            IpAddr::V6(m) => u128::from(m).count_ones() as u8,
        },
        _ => 0,
    };
    let broadcast = match address_at(e.ifa_ifu) {
        Some(Address::Inet(SocketAddr::V4(b))) if e.ifa_flags & libc::IFF_BROADCAST as u32 != 0 => {
            Some(*b.ip())
        }
        _ => None,
    };
    v[i].addresses.push(InterfaceAddress {
        address,
        prefix,
        broadcast,
    });
}
