//! Socket addresses in the kernel's form.

use rjvm_vm::host::{Address, Errno, Io};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

/// An address with room for every family.
pub struct RawAddress {
    pub storage: libc::sockaddr_storage,
    pub len: libc::socklen_t,
}

impl RawAddress {
    pub fn empty() -> RawAddress {
        // SAFETY: all-zero is a valid sockaddr_storage.
        RawAddress {
            storage: unsafe { std::mem::zeroed() },
            len: size_of::<libc::sockaddr_storage>() as u32,
        }
    }
    fn from<T>(v: T, len: usize) -> RawAddress {
        let mut r = RawAddress::empty();
        // SAFETY: every sockaddr type fits the storage and has its alignment.
        unsafe { std::ptr::write((&raw mut r.storage).cast::<T>(), v) };
        r.len = len as u32;
        r
    }
    pub fn ptr(&self) -> *const libc::sockaddr {
        (&raw const self.storage).cast()
    }
    pub fn ptr_mut(&mut self) -> *mut libc::sockaddr {
        (&raw mut self.storage).cast()
    }
    /// To the kernel's form.
    pub fn encode(a: &Address) -> Io<RawAddress> {
        Ok(match a {
            Address::Inet(SocketAddr::V4(a)) => {
                // SAFETY: all-zero is valid.
                let mut s: libc::sockaddr_in = unsafe { std::mem::zeroed() };
                s.sin_family = libc::AF_INET as u16;
                s.sin_port = a.port().to_be();
                s.sin_addr.s_addr = u32::from_ne_bytes(a.ip().octets());
                RawAddress::from(s, size_of::<libc::sockaddr_in>())
            }
            Address::Inet(SocketAddr::V6(a)) => {
                // SAFETY: all-zero is valid.
                let mut s: libc::sockaddr_in6 = unsafe { std::mem::zeroed() };
                s.sin6_family = libc::AF_INET6 as u16;
                s.sin6_port = a.port().to_be();
                s.sin6_addr.s6_addr = a.ip().octets();
                s.sin6_flowinfo = a.flowinfo();
                s.sin6_scope_id = a.scope_id();
                RawAddress::from(s, size_of::<libc::sockaddr_in6>())
            }
            Address::Unix(name) => {
                // SAFETY: all-zero is valid.
                let mut s: libc::sockaddr_un = unsafe { std::mem::zeroed() };
                s.sun_family = libc::AF_UNIX as u16;
                if name.len() >= s.sun_path.len() {
                    return Err(Errno(libc::ENAMETOOLONG));
                }
                for (d, b) in s.sun_path.iter_mut().zip(name) {
                    *d = *b as libc::c_char;
                }
                let used = if name.is_empty() { 0 } else { name.len() + 1 };
                RawAddress::from(s, std::mem::offset_of!(libc::sockaddr_un, sun_path) + used)
            }
            Address::Other(family) => {
                // SAFETY: all-zero is valid.
                let mut s: libc::sockaddr = unsafe { std::mem::zeroed() };
                s.sa_family = *family as u16;
                RawAddress::from(s, size_of::<libc::sockaddr>())
            }
        })
    }
    /// From the kernel's form.
    pub fn decode(&self) -> Address {
        let family = self.storage.ss_family as i32;
        match family {
            libc::AF_INET => {
                // SAFETY: the family says so, and the storage is large enough.
                let s = unsafe { &*self.ptr().cast::<libc::sockaddr_in>() };
                let ip = Ipv4Addr::from(s.sin_addr.s_addr.to_ne_bytes());
                Address::Inet(SocketAddr::V4(SocketAddrV4::new(
                    ip,
                    u16::from_be(s.sin_port),
                )))
            }
            libc::AF_INET6 => {
                // SAFETY: the family says so, and the storage is large enough.
                let s = unsafe { &*self.ptr().cast::<libc::sockaddr_in6>() };
                let ip = Ipv6Addr::from(s.sin6_addr.s6_addr);
                let port = u16::from_be(s.sin6_port);
                Address::Inet(SocketAddr::V6(SocketAddrV6::new(
                    ip,
                    port,
                    s.sin6_flowinfo,
                    s.sin6_scope_id,
                )))
            }
            libc::AF_UNIX => {
                // SAFETY: the family says so, and the storage is large enough.
                let s = unsafe { &*self.ptr().cast::<libc::sockaddr_un>() };
                let head = std::mem::offset_of!(libc::sockaddr_un, sun_path);
                let n = (self.len as usize)
                    .saturating_sub(head)
                    .min(s.sun_path.len());
                let path: Vec<u8> = s.sun_path[..n].iter().map(|&c| c as u8).collect();
                // an abstract name starts with a zero; Java knows none of those
                let end = path.iter().position(|&b| b == 0).unwrap_or(n);
                Address::Unix(path[..end].to_vec())
            }
            f => Address::Other(f),
        }
    }
}
