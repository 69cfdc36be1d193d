//! Values as bytes: numbers as varints (signed ones zigzag), lists and texts with their length.

use rjvm_vm::host::{
    Address, CpuTime, Credentials, Errno, FileStore, Interface, InterfaceAddress, LoadAverage,
    MemoryUsage, ProcessInfo, ProcessorTime, Stat, System,
};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

/// Bytes that are taken off one value after another.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    /// So many bytes; `None` if there are fewer.
    pub fn bytes(&mut self, n: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(head)
    }
    /// A byte.
    pub fn byte(&mut self) -> Option<u8> {
        Some(self.bytes(1)?[0])
    }
    /// A number.
    pub fn number(&mut self) -> Option<u64> {
        let mut n = 0u64;
        for shift in (0..64).step_by(7) {
            let b = self.byte()?;
            let bits = u64::from(b & 0x7f);
            if shift == 63 && bits > 1 {
                return None;
            }
            n |= bits << shift;
            if b & 0x80 == 0 {
                return Some(n);
            }
        }
        None
    }
    /// The length of something that follows, each part of which takes a byte at least.
    pub fn length(&mut self) -> Option<usize> {
        let n = usize::try_from(self.number()?).ok()?;
        (n <= self.0.len()).then_some(n)
    }
}

/// Appends a number.
pub fn put_number(to: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        to.push(n as u8 | 0x80);
        n >>= 7;
    }
    to.push(n as u8);
}

/// A value that can be written and read back.
pub trait Wire: Sized {
    /// Appends it.
    fn put(&self, to: &mut Vec<u8>);
    /// Takes a value off; `None` if there is no valid one.
    fn get(from: &mut Reader) -> Option<Self>;
    /// As the answer to a request with room for bytes: how many of them it has filled, as far as there were so many.
    fn filled(&self) -> usize {
        usize::MAX
    }
}

macro_rules! unsigned {
    ($($t:ty)*) => { $( impl Wire for $t {
        fn put(&self, to: &mut Vec<u8>) {
            put_number(to, u64::from(*self));
        }
        fn get(from: &mut Reader) -> Option<$t> {
            <$t>::try_from(from.number()?).ok()
        }
    } )* };
}
unsigned! { u8 u16 u32 u64 }

macro_rules! signed {
    ($($t:ty)*) => { $( impl Wire for $t {
        fn put(&self, to: &mut Vec<u8>) {
            let n = i64::from(*self);
            put_number(to, (n << 1 ^ n >> 63) as u64);
        }
        fn get(from: &mut Reader) -> Option<$t> {
            let n = from.number()?;
            <$t>::try_from((n >> 1) as i64 ^ -((n & 1) as i64)).ok()
        }
    } )* };
}
signed! { i32 i64 }

impl Wire for usize {
    fn put(&self, to: &mut Vec<u8>) {
        put_number(to, *self as u64);
    }
    fn get(from: &mut Reader) -> Option<usize> {
        from.number()?.try_into().ok()
    }
    fn filled(&self) -> usize {
        *self
    }
}

impl Wire for () {
    fn put(&self, _: &mut Vec<u8>) {}
    fn get(_: &mut Reader) -> Option<()> {
        Some(())
    }
}

impl Wire for bool {
    fn put(&self, to: &mut Vec<u8>) {
        to.push(*self as u8);
    }
    fn get(from: &mut Reader) -> Option<bool> {
        match from.byte()? {
            n @ 0..=1 => Some(n == 1),
            _ => None,
        }
    }
}

impl Wire for String {
    fn put(&self, to: &mut Vec<u8>) {
        put_number(to, self.len() as u64);
        to.extend_from_slice(self.as_bytes());
    }
    fn get(from: &mut Reader) -> Option<String> {
        let n = from.length()?;
        String::from_utf8(from.bytes(n)?.to_vec()).ok()
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, to: &mut Vec<u8>) {
        put_number(to, self.len() as u64);
        for item in self {
            item.put(to);
        }
    }
    fn get(from: &mut Reader) -> Option<Vec<T>> {
        let n = from.length()?;
        (0..n).map(|_| T::get(from)).collect()
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, to: &mut Vec<u8>) {
        self.is_some().put(to);
        if let Some(v) = self {
            v.put(to);
        }
    }
    fn get(from: &mut Reader) -> Option<Option<T>> {
        Some(match bool::get(from)? {
            true => Some(T::get(from)?),
            false => None,
        })
    }
}

impl<T: Wire, E: Wire> Wire for Result<T, E> {
    fn put(&self, to: &mut Vec<u8>) {
        self.is_ok().put(to);
        match self {
            Ok(v) => v.put(to),
            Err(e) => e.put(to),
        }
    }
    fn get(from: &mut Reader) -> Option<Result<T, E>> {
        Some(match bool::get(from)? {
            true => Ok(T::get(from)?),
            false => Err(E::get(from)?),
        })
    }
    fn filled(&self) -> usize {
        self.as_ref().map_or(0, T::filled)
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn put(&self, to: &mut Vec<u8>) {
        self.0.put(to);
        self.1.put(to);
    }
    fn get(from: &mut Reader) -> Option<(A, B)> {
        Some((A::get(from)?, B::get(from)?))
    }
    fn filled(&self) -> usize {
        self.0.filled()
    }
}

impl<const N: usize> Wire for [u8; N] {
    fn put(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(self);
    }
    fn get(from: &mut Reader) -> Option<[u8; N]> {
        from.bytes(N)?.try_into().ok()
    }
}

impl Wire for Errno {
    fn put(&self, to: &mut Vec<u8>) {
        self.0.put(to);
    }
    fn get(from: &mut Reader) -> Option<Errno> {
        i32::get(from).map(Errno)
    }
}

macro_rules! records {
    ($( $t:ident { $($f:ident),* } )*) => { $( impl Wire for $t {
        fn put(&self, to: &mut Vec<u8>) {
            $( self.$f.put(to); )*
        }
        fn get(from: &mut Reader) -> Option<$t> {
            // in this order
            $( let $f = Wire::get(from)?; )*
            Some($t { $($f),* })
        }
    } )* };
}
pub(crate) use records;

records! {
    Stat { mode, ino, dev, rdev, nlink, uid, gid, size, blksize, atime, mtime, ctime, birthtime }
    FileStore { block_size, blocks, free, available }
    CpuTime { total, user }
    System {
        os_name, os_version, arch, user_name, user_home, current_dir, temp_dir, java_home, ctype, messages, codeset,
        stdout_is_terminal, stderr_is_terminal
    }
    ProcessInfo { parent, start_millis, cpu_nanos, uid, command, args, command_line }
    Credentials { uid, gid, groups }
    MemoryUsage { total, free, swap, free_swap, committed }
    ProcessorTime { used, total }
    LoadAverage { known, one, five, fifteen }
    Interface { name, index, flags, hardware, mtu, addresses }
    InterfaceAddress { address, prefix, broadcast }
}

impl Wire for Ipv4Addr {
    fn put(&self, to: &mut Vec<u8>) {
        self.octets().put(to);
    }
    fn get(from: &mut Reader) -> Option<Ipv4Addr> {
        <[u8; 4]>::get(from).map(Ipv4Addr::from)
    }
}

impl Wire for Ipv6Addr {
    fn put(&self, to: &mut Vec<u8>) {
        self.octets().put(to);
    }
    fn get(from: &mut Reader) -> Option<Ipv6Addr> {
        <[u8; 16]>::get(from).map(Ipv6Addr::from)
    }
}

impl Wire for IpAddr {
    fn put(&self, to: &mut Vec<u8>) {
        self.is_ipv6().put(to);
        match self {
            IpAddr::V4(a) => a.put(to),
            IpAddr::V6(a) => a.put(to),
        }
    }
    fn get(from: &mut Reader) -> Option<IpAddr> {
        Some(match bool::get(from)? {
            false => IpAddr::V4(Wire::get(from)?),
            true => IpAddr::V6(Wire::get(from)?),
        })
    }
}

impl Wire for SocketAddr {
    fn put(&self, to: &mut Vec<u8>) {
        self.ip().put(to);
        self.port().put(to);
        if let SocketAddr::V6(a) = self {
            a.flowinfo().put(to);
            a.scope_id().put(to);
        }
    }
    fn get(from: &mut Reader) -> Option<SocketAddr> {
        let (ip, port) = Wire::get(from)?;
        Some(match ip {
            IpAddr::V4(ip) => SocketAddrV4::new(ip, port).into(),
            IpAddr::V6(ip) => {
                let (flow, scope) = Wire::get(from)?;
                SocketAddrV6::new(ip, port, flow, scope).into()
            }
        })
    }
}

impl Wire for Address {
    fn put(&self, to: &mut Vec<u8>) {
        match self {
            Address::Inet(a) => {
                to.push(0);
                a.put(to);
            }
            Address::Unix(name) => {
                to.push(1);
                name.put(to);
            }
            Address::Other(family) => {
                to.push(2);
                family.put(to);
            }
        }
    }
    fn get(from: &mut Reader) -> Option<Address> {
        Some(match from.byte()? {
            0 => Address::Inet(Wire::get(from)?),
            1 => Address::Unix(Wire::get(from)?),
            2 => Address::Other(Wire::get(from)?),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same<T: Wire + PartialEq + std::fmt::Debug>(v: T) {
        let mut bytes = Vec::new();
        v.put(&mut bytes);
        let mut from = Reader(&bytes);
        assert_eq!(T::get(&mut from), Some(v));
        assert!(from.0.is_empty());
        for n in 0..bytes.len() {
            // a part is another value or none, but no panic
            let _ = T::get(&mut Reader(&bytes[..n]));
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        for n in [0, 1, -1, 63, 64, -64, -65, i64::MAX, i64::MIN] {
            same(n);
            same(n as u64);
        }
        same((-5i32, String::from("ä")));
        same(vec![(vec![1u8, 2], vec![]), (vec![], vec![3])]);
        same::<Result<usize, Errno>>(Err(Errno(11)));
        same(Some(Address::Inet("[fe80::1%3]:80".parse().unwrap())));
        same(Address::Unix(b"x".to_vec()));
        same(System::default());
        same(Stat {
            ino: u64::MAX,
            size: -1,
            ..Stat::default()
        });
        // too long for its type, or for a number
        assert_eq!(u8::get(&mut Reader(&[0x80, 2])), None);
        assert_eq!(u64::get(&mut Reader(&[0xff; 10])), None);
        // more items than bytes
        assert_eq!(<Vec<()>>::get(&mut Reader(&[5])), None);
    }
}
