//! Files mapped into memory. Other processes may write and cut them at any time, so no code ever gets a slice of one: contents
//! are copied in and out. A host may keep what it maps itself, and sees each access then.

use super::guard;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};

/// What may be done to a mapping.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// It is only read.
    Read,
    /// Changes go to the file.
    Write,
    /// Changes stay in memory.
    Private,
}

/// The memory behind a [`Mapping`]: bytes that a host holds. The length never changes.
pub trait Mapped: Send {
    /// Bytes.
    fn len(&self) -> usize;
    /// Bytes of memory that it may take.
    fn memory(&self) -> usize {
        self.len()
    }
    /// Never: there are no empty mappings.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Copies bytes out, all of which are inside; `None` if the mapped file has been cut.
    fn read(&self, at: usize, to: &mut [u8]) -> Option<()>;
    /// Copies bytes in, all of which are inside; `None` as above, and if they may only be read.
    fn write(&self, at: usize, from: &[u8]) -> Option<()>;
    /// Forces a range to where it comes from.
    fn sync(&self, _at: usize, _n: usize) -> io::Result<()> {
        Ok(())
    }
    /// Asks that a range be brought to memory (or may be dropped from it).
    fn advise(&self, _at: usize, _n: usize, _needed: bool) -> io::Result<()> {
        Ok(())
    }
    /// Whether a range is in memory: always, unless it comes from elsewhere.
    fn is_resident(&self, _at: usize, _n: usize) -> io::Result<bool> {
        Ok(true)
    }
}

/// A range of a file in memory, for as long as this value lives.
pub struct Mapping(Backing);

enum Backing {
    File(Pages),
    Host(Box<dyn Mapped>),
}

/// Pages of a file.
struct Pages {
    ptr: *mut u8,
    len: usize,
    writable: bool,
}

// SAFETY: it owns its pages, which are tied to no OS thread; it is touched through `guard` only.
unsafe impl Send for Pages {}

fn done(r: i32) -> io::Result<()> {
    match r {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Bytes of a page.
fn page() -> usize {
    // SAFETY: no pointers.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(4096) as usize
}

impl Mapping {
    /// Maps `len` bytes at `at`, a multiple of the page size, of an open file.
    pub fn of_file(
        file: BorrowedFd<'_>,
        at: i64,
        len: usize,
        access: Access,
    ) -> io::Result<Mapping> {
        let pages = Pages::of_file(file, at, len, access)?;
        Ok(Mapping(Backing::File(pages)))
    }
    /// What a host keeps itself.
    pub fn of_host(mapped: Box<dyn Mapped>) -> Mapping {
        Mapping(Backing::Host(mapped))
    }
    /// Bytes.
    pub fn len(&self) -> usize {
        match &self.0 {
            Backing::File(pages) => pages.len,
            Backing::Host(mapped) => mapped.len(),
        }
    }
    /// Bytes of memory that it may take: whole pages, and more if a host keeps the bytes it has seen.
    pub(super) fn memory(&self) -> usize {
        let bytes = match &self.0 {
            Backing::File(pages) => pages.len,
            Backing::Host(mapped) => mapped.memory(),
        };
        bytes.checked_next_multiple_of(4096).unwrap_or(bytes)
    }
    /// Never: the system maps no empty ranges.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Where its pages are in the machine's memory, if it has any there.
    pub(super) fn pages(&self) -> Option<*mut u8> {
        match &self.0 {
            Backing::File(pages) => Some(pages.ptr),
            Backing::Host(_) => None,
        }
    }
    fn inside(&self, at: usize, n: usize) -> bool {
        let len = self.len();
        at <= len && n <= len - at
    }
    /// Copies bytes out; `None` if they are not all inside, or the file has been cut.
    pub fn read(&self, at: usize, to: &mut [u8]) -> Option<()> {
        if !self.inside(at, to.len()) {
            return None;
        }
        match &self.0 {
            // SAFETY: inside the mapping; `to` is writable for its length.
            Backing::File(pages) => unsafe { pages.read_to(at, to.as_mut_ptr(), to.len()) },
            Backing::Host(mapped) => mapped.read(at, to),
        }
    }
    /// Copies bytes in; `None` as above, and if it may only be read.
    pub fn write(&self, at: usize, from: &[u8]) -> Option<()> {
        if !self.inside(at, from.len()) {
            return None;
        }
        match &self.0 {
            Backing::File(pages) if !pages.writable => None,
            // SAFETY: inside the mapping, which may be written.
            Backing::File(pages) => unsafe {
                guard::copy(pages.ptr.add(at), from.as_ptr(), from.len()).then_some(())
            },
            Backing::Host(mapped) => mapped.write(at, from),
        }
    }
    /// A value, read in one piece.
    pub fn get<T: crate::prim::Prim>(&self, at: usize) -> Option<T> {
        if !self.inside(at, size_of::<T>()) {
            return None;
        }
        let mut v = MaybeUninit::<T>::zeroed();
        // SAFETY: inside the mapping; `v` has room for a `T`, and of its bits every pattern is valid.
        unsafe {
            let to = v.as_mut_ptr().cast();
            match &self.0 {
                Backing::File(pages) => pages.read_to(at, to, size_of::<T>())?,
                Backing::Host(mapped) => {
                    let to = std::slice::from_raw_parts_mut(to, size_of::<T>());
                    mapped.read(at, to)?
                }
            }
            Some(v.assume_init())
        }
    }
    /// Stores a value in one piece.
    pub fn put<T: crate::prim::Prim>(&self, at: usize, v: T) -> Option<()> {
        // SAFETY: a primitive value is nothing but its bytes.
        let bytes =
            unsafe { std::slice::from_raw_parts((&raw const v).cast::<u8>(), size_of::<T>()) };
        self.write(at, bytes)
    }
    /// Forces a range to the file.
    pub fn sync(&self, at: usize, n: usize) -> io::Result<()> {
        match &self.0 {
            Backing::File(pages) => pages.sync(at, n),
            Backing::Host(mapped) => mapped.sync(at, n),
        }
    }
    /// Asks that a range be brought to memory (or may be dropped from it).
    pub fn advise(&self, at: usize, n: usize, needed: bool) -> io::Result<()> {
        match &self.0 {
            Backing::File(pages) => pages.advise(at, n, needed),
            Backing::Host(mapped) => mapped.advise(at, n, needed),
        }
    }
    /// Whether a range is in memory.
    pub fn is_resident(&self, at: usize, n: usize) -> io::Result<bool> {
        match &self.0 {
            Backing::File(pages) => pages.is_resident(at, n),
            Backing::Host(mapped) => mapped.is_resident(at, n),
        }
    }
}

impl Pages {
    fn of_file(file: BorrowedFd<'_>, at: i64, len: usize, access: Access) -> io::Result<Pages> {
        let (protection, flags) = match access {
            Access::Read => (libc::PROT_READ, libc::MAP_SHARED),
            Access::Write => (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED),
            Access::Private => (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE),
        };
        guard::install();
        // SAFETY: a new mapping where the system likes.
        let p = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                len,
                protection,
                flags,
                file.as_raw_fd(),
                at,
            )
        };
        if p == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Pages {
            ptr: p.cast(),
            len,
            writable: access != Access::Read,
        })
    }
    /// # Safety
    /// `n` bytes at `at` are inside, and `to` is writable for them.
    unsafe fn read_to(&self, at: usize, to: *mut u8, n: usize) -> Option<()> {
        guard::copy(to, self.ptr.add(at), n).then_some(())
    }
    /// The whole pages around a range, as address and length; `None` for pages that are not its own.
    fn pages(&self, at: usize, n: usize) -> io::Result<(*mut libc::c_void, usize)> {
        let page = page();
        let start = at & !(page - 1);
        let len = n
            .checked_add(at - start)
            .filter(|len| start + len <= self.len.next_multiple_of(page));
        match len {
            // SAFETY: inside the mapping.
            Some(len) => Ok((unsafe { self.ptr.add(start) }.cast(), len)),
            None => Err(io::Error::from_raw_os_error(libc::EINVAL)),
        }
    }
    fn sync(&self, at: usize, n: usize) -> io::Result<()> {
        let (a, n) = self.pages(at, n)?;
        // SAFETY: pages of this mapping.
        done(unsafe { libc::msync(a, n, libc::MS_SYNC) })
    }
    fn advise(&self, at: usize, n: usize, needed: bool) -> io::Result<()> {
        let (a, n) = self.pages(at, n)?;
        let advice = match needed {
            true => libc::MADV_WILLNEED,
            false => libc::MADV_DONTNEED,
        };
        // SAFETY: pages of this mapping, of which nobody has a slice.
        done(unsafe { libc::madvise(a, n, advice) })
    }
    fn is_resident(&self, at: usize, n: usize) -> io::Result<bool> {
        let (a, n) = self.pages(at, n)?;
        let mut v = vec![0u8; n.div_ceil(page())];
        // SAFETY: pages of this mapping; `v` has a byte for each.
        done(unsafe { libc::mincore(a, n, v.as_mut_ptr().cast()) })?;
        Ok(v.iter().all(|b| b & 1 != 0))
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: our own mapping, of which nobody has a slice.
        unsafe { libc::munmap(self.ptr.cast(), self.len) };
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use super::{Access, Mapping};
    use std::os::fd::AsFd;

    fn file(name: &str, len: u64) -> std::fs::File {
        let path = std::env::temp_dir().join(format!("rjvm-{name}-{}", std::process::id()));
        let f = std::fs::File::create_new(&path).unwrap();
        drop(f);
        let f = std::fs::File::options()
            .read(true)
            .write(true)
            .open(&path)
            .unwrap();
        std::fs::remove_file(&path).unwrap();
        f.set_len(len).unwrap();
        f
    }

    #[test]
    fn a_cut_file_fails_and_a_regrown_one_is_there_again() {
        let f = file("cut", 3 * 4096);
        let m = Mapping::of_file(f.as_fd(), 0, 3 * 4096, Access::Write).unwrap();
        m.put::<u64>(4096, 0x0102030405060708).unwrap();
        f.set_len(4096).unwrap();
        m.put::<u8>(4095, 7).unwrap();
        for n in [1, 2, 4, 8, 100, 5000] {
            assert!(m.read(4096, &mut vec![0; n]).is_none(), "{n}");
            assert!(m.write(4096, &vec![0; n]).is_none(), "{n}");
        }
        assert_eq!(m.get::<u64>(4096), None);
        // a range that begins inside the file
        let mut b = [1; 10];
        assert!(m.read(4090, &mut b).is_none());
        assert_eq!(b, [0, 0, 0, 0, 0, 7, 1, 1, 1, 1]);
        f.set_len(3 * 4096).unwrap();
        assert_eq!(m.get::<u64>(4096), Some(0));
    }

    #[test]
    fn what_may_only_be_read_is_not_written_and_ends_are_checked() {
        let f = file("read", 100);
        let m = Mapping::of_file(f.as_fd(), 0, 100, Access::Read).unwrap();
        assert_eq!(m.put::<u8>(0, 1), None);
        assert_eq!(m.get::<u8>(99), Some(0));
        assert_eq!(m.get::<u8>(100), None);
        assert_eq!(m.get::<u16>(99), None);
        assert_eq!(m.get::<u16>(usize::MAX), None);
        let private = Mapping::of_file(f.as_fd(), 0, 100, Access::Private).unwrap();
        for n in [1, 2, 3, 4, 7, 8, 9] {
            let text: Vec<u8> = (1..=n).collect();
            private.write(50, &text).unwrap();
            let mut back = vec![0; n as usize];
            private.read(50, &mut back).unwrap();
            assert_eq!(back, text);
        }
        assert_eq!(m.get::<u8>(50), Some(0));
    }
}
