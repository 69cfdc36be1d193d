//! Requests to a host as bytes, for comparing two runs: in full, but a digest of long contents.

use super::wire::{Reader, Wire, put_number};
use rjvm_vm::host::{Address, Lock, Poll, SeekOrigin, Spawn, Times};
use rjvm_vm::offheap::Access;
use std::net::IpAddr;

/// Contents up to this many bytes are stored as they are.
const SHORT: usize = 64;

/// An argument of a request.
pub trait Ask {
    /// Appends what it asks.
    fn encode(&self, to: &mut Vec<u8>);
    /// Takes that off, as text.
    fn describe(from: &mut Reader) -> Option<String>;
    /// Appends what the answer has filled in: of bytes at most `n`.
    fn give(&self, _n: usize, _to: &mut Vec<u8>) {}
    /// Takes that off.
    fn accept(&mut self, _n: usize, _from: &mut Reader) -> Option<()> {
        Some(())
    }
    /// The descriptor, if it is a number of 32 bits.
    fn fd(&self) -> Option<i32> {
        None
    }
    /// Bytes of it, or the requested number, if it is a transfer.
    fn size(&self) -> Option<usize> {
        None
    }
    /// The same for no more than `n` bytes.
    fn short(self, _n: usize) -> Self
    where
        Self: Sized,
    {
        self
    }
    /// The contents, if it is some.
    fn contents(&self) -> Option<&[u8]> {
        None
    }
}

macro_rules! values {
    ($($t:ty)*) => { $( impl Ask for $t {
        fn encode(&self, to: &mut Vec<u8>) {
            self.put(to);
        }
        fn describe(from: &mut Reader) -> Option<String> {
            <$t>::get(from).map(|v| format!("{v:?}"))
        }
    } )* };
}
values! { i64 u32 u64 bool IpAddr Option<i64> }

impl Ask for usize {
    fn encode(&self, to: &mut Vec<u8>) {
        self.put(to);
    }
    fn describe(from: &mut Reader) -> Option<String> {
        usize::get(from).map(|v| v.to_string())
    }
    fn size(&self) -> Option<usize> {
        Some(*self)
    }
    fn short(self, n: usize) -> usize {
        self.min(n)
    }
}

impl Ask for i32 {
    fn encode(&self, to: &mut Vec<u8>) {
        self.put(to);
    }
    fn describe(from: &mut Reader) -> Option<String> {
        i32::get(from).map(|v| v.to_string())
    }
    fn fd(&self) -> Option<i32> {
        Some(*self)
    }
}

impl Ask for &[u8] {
    fn encode(&self, to: &mut Vec<u8>) {
        put_number(to, self.len() as u64);
        to.extend_from_slice(&self[..self.len().min(SHORT)]);
        if self.len() > SHORT {
            to.extend_from_slice(&digest(self).to_le_bytes());
        }
    }
    fn describe(from: &mut Reader) -> Option<String> {
        let n = usize::try_from(from.number()?).ok()?;
        let text = from.bytes(n.min(SHORT))?.escape_ascii().to_string();
        if n <= SHORT {
            return Some(format!("\"{text}\""));
        }
        let digest = <[u8; 4]>::get(from)?;
        let digest = u32::from_le_bytes(digest);
        Some(format!("\"{text}\"... ({n} bytes, digest {digest:08x})"))
    }
    fn size(&self) -> Option<usize> {
        Some(self.len())
    }
    fn short(self, n: usize) -> Self {
        &self[..n.min(self.len())]
    }
    fn contents(&self) -> Option<&[u8]> {
        Some(self)
    }
}

/// A digest of contents.
pub fn digest(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

impl Ask for &str {
    fn encode(&self, to: &mut Vec<u8>) {
        self.as_bytes().encode(to);
    }
    fn describe(from: &mut Reader) -> Option<String> {
        <&[u8]>::describe(from)
    }
}

impl Ask for &mut [u8] {
    fn encode(&self, to: &mut Vec<u8>) {
        self.len().put(to);
    }
    fn describe(from: &mut Reader) -> Option<String> {
        Some(format!("of {} bytes", from.number()?))
    }
    fn size(&self) -> Option<usize> {
        Some(self.len())
    }
    fn short(self, n: usize) -> Self {
        let n = n.min(self.len());
        &mut self[..n]
    }
    fn give(&self, n: usize, to: &mut Vec<u8>) {
        to.extend_from_slice(&self[..n.min(self.len())]);
    }
    fn accept(&mut self, n: usize, from: &mut Reader) -> Option<()> {
        let n = n.min(self.len());
        self[..n].copy_from_slice(from.bytes(n)?);
        Some(())
    }
}

impl Ask for &mut [Poll] {
    fn encode(&self, to: &mut Vec<u8>) {
        self.len().put(to);
        for p in self.iter() {
            (p.fd, i32::from(p.events)).put(to);
        }
    }
    fn describe(from: &mut Reader) -> Option<String> {
        let all = <Vec<(i32, i32)>>::get(from)?;
        Some(format!("{all:?}"))
    }
    fn give(&self, _: usize, to: &mut Vec<u8>) {
        for p in self.iter() {
            (p.revents as u16).put(to);
        }
    }
    fn accept(&mut self, _: usize, from: &mut Reader) -> Option<()> {
        for p in self.iter_mut() {
            p.revents = u16::get(from)? as i16;
        }
        Some(())
    }
}

impl Ask for &[(i32, u8)] {
    fn encode(&self, to: &mut Vec<u8>) {
        self.len().put(to);
        for pair in self.iter() {
            pair.put(to);
        }
    }
    fn describe(from: &mut Reader) -> Option<String> {
        let all = <Vec<(i32, u8)>>::get(from)?;
        Some(format!("{all:?}"))
    }
}

impl Ask for SeekOrigin {
    fn encode(&self, to: &mut Vec<u8>) {
        to.push(*self as u8);
    }
    fn describe(from: &mut Reader) -> Option<String> {
        let names = ["Start", "Current", "End"];
        let name = names.get(usize::from(from.byte()?));
        Some(name.copied().unwrap_or("?").into())
    }
}

impl Ask for Access {
    fn encode(&self, to: &mut Vec<u8>) {
        to.push(*self as u8);
    }
    fn describe(from: &mut Reader) -> Option<String> {
        let names = ["Read", "Write", "Private"];
        let name = names.get(usize::from(from.byte()?));
        Some(name.copied().unwrap_or("?").into())
    }
}

impl Ask for Lock {
    fn encode(&self, to: &mut Vec<u8>) {
        (self.start, (self.len, self.shared)).put(to);
    }
    fn describe(from: &mut Reader) -> Option<String> {
        let (start, (len, shared)) = Wire::get(from)?;
        Some(format!("{:?}", Lock { start, len, shared }))
    }
}

impl Ask for Times {
    fn encode(&self, to: &mut Vec<u8>) {
        (self.access, self.modified).put(to);
    }
    fn describe(from: &mut Reader) -> Option<String> {
        let (access, modified) = Wire::get(from)?;
        Some(format!("{:?}", Times { access, modified }))
    }
}

impl Ask for &Address {
    fn encode(&self, to: &mut Vec<u8>) {
        self.put(to);
    }
    fn describe(from: &mut Reader) -> Option<String> {
        Some(match Address::get(from)? {
            Address::Inet(a) => a.to_string(),
            Address::Unix(name) => format!("\"{}\"", name.escape_ascii()),
            Address::Other(family) => format!("of family {family}"),
        })
    }
}

impl Ask for &Spawn {
    fn encode(&self, to: &mut Vec<u8>) {
        self.program.put(to);
        self.args.put(to);
        self.dir.put(to);
        for fd in self.stdio {
            fd.put(to);
        }
        let mut environment = Vec::new();
        self.environment.put(&mut environment);
        digest(&environment).put(to);
    }
    fn describe(from: &mut Reader) -> Option<String> {
        let program = <Vec<u8>>::get(from)?;
        let args = <Vec<Vec<u8>>>::get(from)?;
        let dir = <Option<Vec<u8>>>::get(from)?;
        let stdio = [i32::get(from)?, i32::get(from)?, i32::get(from)?];
        let environment = u32::get(from)?;
        let words = std::iter::once(&program).chain(&args);
        let words: Vec<String> = words.map(|w| w.escape_ascii().to_string()).collect();
        let dir = dir.map_or(String::new(), |d| format!(" in {}", d.escape_ascii()));
        Some(format!(
            "`{}`{dir} with {stdio:?}, environment {environment:08x}",
            words.join(" ")
        ))
    }
}
