//! Transfers between memory outside the heap and files. A file that is open with `O_DIRECT` only takes memory that is
//! aligned as its device asks for. Java code aligns by the VM's addresses, which are names: the memory behind one lies
//! in its page as the allocator chose. So a transfer that is refused is made again through memory that lies there as
//! the address says; a transfer refused then would be refused by any VM.

use crate::io::IoTarget;
use rjvm_vm::host::{Descriptors, Errno, Io};

/// Where memory lies in a page is all that a device can ask for.
pub const PAGE: usize = 4096;
/// The most that is copied before it is transferred; whole pages.
const CHUNK: usize = 256 * PAGE;

/// Reads at the current position, or at a given one; `buf` is the memory at `place`.
pub fn read(
    d: &mut dyn Descriptors,
    fd: i32,
    place: IoTarget,
    buf: &mut [u8],
    at: Option<i64>,
) -> Io<usize> {
    let one = |d: &mut dyn Descriptors, buf: &mut [u8], moved: usize| match at {
        Some(at) => d.pread(fd, buf, at + moved as i64),
        None => d.read(fd, buf),
    };
    let r = one(d, buf, 0);
    let Some(mut memory) = Aligned::after(&r, d, fd, place, buf.len()) else {
        return r;
    };
    in_chunks(buf.chunks_mut(CHUNK), |chunk, moved| {
        let part = memory.first(chunk.len());
        let n = one(d, part, moved)?;
        chunk[..n].copy_from_slice(&part[..n]);
        Ok((n, chunk.len()))
    })
}

/// Writes at the current position, or at a given one; `buf` is the memory at `place`.
pub fn write(
    d: &mut dyn Descriptors,
    fd: i32,
    place: IoTarget,
    buf: &[u8],
    at: Option<i64>,
) -> Io<usize> {
    let one = |d: &mut dyn Descriptors, buf: &[u8], moved: usize| match at {
        Some(at) => d.pwrite(fd, buf, at + moved as i64),
        None => d.write(fd, buf),
    };
    let r = one(d, buf, 0);
    let Some(mut memory) = Aligned::after(&r, d, fd, place, buf.len()) else {
        return r;
    };
    in_chunks(buf.chunks(CHUNK), |chunk, moved| {
        let part = memory.first(chunk.len());
        part.copy_from_slice(chunk);
        Ok((one(d, part, moved)?, chunk.len()))
    })
}

/// Transfers chunks until one is not moved as a whole: `(moved, of)` each. An error counts if nothing was moved before.
fn in_chunks<C>(
    chunks: impl Iterator<Item = C>,
    mut transfer: impl FnMut(C, usize) -> Io<(usize, usize)>,
) -> Io<usize> {
    let mut moved = 0;
    for chunk in chunks {
        match transfer(chunk, moved) {
            Ok((n, of)) => {
                moved += n;
                if n < of {
                    break;
                }
            }
            Err(e) if moved == 0 => return Err(e),
            Err(_) => break,
        }
    }
    Ok(moved)
}

/// Where the data of several ranges has to start in a page, if one block represents them all: where the
/// range does that is aligned least.
pub fn least_aligned(addresses: impl Iterator<Item = i64>) -> usize {
    let in_page = addresses.map(|a| a as usize % PAGE);
    in_page
        .min_by_key(|r| r.trailing_zeros().min(PAGE.trailing_zeros()))
        .unwrap_or(0)
}

/// Memory that lies in its pages as some other does.
struct Aligned {
    bytes: Vec<u8>,
    start: usize,
}

impl Aligned {
    /// For `len` bytes at `place`, if the result says that the transfer has to be made again.
    fn after(
        r: &Io<usize>,
        d: &mut dyn Descriptors,
        fd: i32,
        place: IoTarget,
        len: usize,
    ) -> Option<Aligned> {
        let (Err(Errno(libc::EINVAL)), IoTarget::Memory(address)) = (r, place) else {
            return None;
        };
        let direct = d.flags(fd).is_ok_and(|f| f & libc::O_DIRECT != 0);
        (direct && len > 0).then(|| Aligned::like(address, len.min(CHUNK)))
    }
    fn like(address: i64, len: usize) -> Aligned {
        let bytes = vec![0; len + PAGE];
        let start = (address as usize).wrapping_sub(bytes.as_ptr().addr()) % PAGE;
        Aligned { bytes, start }
    }
    fn first(&mut self, len: usize) -> &mut [u8] {
        &mut self.bytes[self.start..self.start + len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_lies_in_its_page_as_its_model() {
        for address in [0, 1, 16, 511, 512, 4095, 3 << 40, (1 << 40) + 4097] {
            let mut m = Aligned::like(address, 5000);
            let at = m.first(5000).as_ptr().addr();
            assert_eq!(at % PAGE, address as usize % PAGE);
        }
        assert_eq!(least_aligned([1 << 40, 2 << 40].into_iter()), 0);
        assert_eq!(least_aligned([1 << 40, (2 << 40) + 512].into_iter()), 512);
        assert_eq!(least_aligned([512, 4096, 4096 + 48, 64].into_iter()), 48);
        assert_eq!(least_aligned([].into_iter()), 0);
    }

    #[test]
    fn chunks_end_with_one_that_is_not_moved_whole() {
        let run = |results: [Io<usize>; 3]| {
            let mut starts = Vec::new();
            let r = in_chunks(results.into_iter(), |r, moved| {
                starts.push(moved);
                r.map(|n| (n, 4))
            });
            (r, starts)
        };
        let e = Errno(libc::EIO);
        assert_eq!(run([Ok(4), Ok(4), Ok(2)]), (Ok(10), vec![0, 4, 8]));
        assert_eq!(run([Ok(4), Ok(1), Ok(4)]), (Ok(5), vec![0, 4]));
        assert_eq!(run([Ok(4), Err(e), Ok(4)]), (Ok(4), vec![0, 4]));
        assert_eq!(run([Err(e), Ok(4), Ok(4)]), (Err(e), vec![0]));
    }
}
