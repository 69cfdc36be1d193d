//! Memory for compiled code: a file without a name, mapped once to be written and once to be executed.
//!
//! A copy of the process (a checkpoint of `rjvm debug`) shares the file with its original, which runs the same code. So each gets
//! its own file when it writes next, at the same addresses: the original, too, would write over code that it has discarded, and
//! the copy still runs.

use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that the compiled code of a VM may take. Pages that nothing was written to take no memory.
const ROOM: usize = 64 << 20;
/// What pieces begin at multiples of.
const ALIGN: usize = 32;

/// See the module.
pub(in crate::interp) struct CodeSpace {
    writable: *mut u8,
    executable: *const u8,
    /// Free stretches by ascending offset, none next to another: offset and bytes.
    free: Vec<(usize, usize)>,
    /// Bytes of blocks, and of their tables of entries; and how many they may be.
    held: usize,
    limit: usize,
    /// Nothing was written behind this offset.
    used: usize,
    /// Bytes that the last block without room wanted.
    refused: usize,
    /// The process that the file belongs to; 0: several.
    process: u32,
}

// SAFETY: the mappings are the value's own, and bound to no thread.
unsafe impl Send for CodeSpace {}

/// A stretch of it, which is free again when this goes.
pub(in crate::interp) struct CodeBlock {
    space: Arc<Mutex<CodeSpace>>,
    offset: usize,
    bytes: usize,
    /// Bytes of its table of entries.
    beside: usize,
}

/// Accesses of the mapping that is written to.
const WRITABLE: libc::c_int = libc::PROT_READ | libc::PROT_WRITE;
/// Accesses of the mapping that is executed.
const EXECUTABLE: libc::c_int = libc::PROT_READ | libc::PROT_EXEC;

fn map(file: &OwnedFd, access: libc::c_int) -> Option<*mut u8> {
    let file = file.as_raw_fd();
    // SAFETY: a new mapping of a file that is as long, anywhere.
    let p = unsafe { libc::mmap(ptr::null_mut(), ROOM, access, libc::MAP_SHARED, file, 0) };
    (p != libc::MAP_FAILED).then_some(p.cast())
}

/// A new file of `ROOM` bytes.
fn file() -> Option<OwnedFd> {
    // SAFETY: a string that ends, and flags.
    let file = unsafe { libc::memfd_create(c"rjvm-code".as_ptr(), libc::MFD_CLOEXEC) };
    if file < 0 {
        return None;
    }
    // SAFETY: a file that has just been opened.
    let file = unsafe { OwnedFd::from_raw_fd(file) };
    // SAFETY: as above.
    let sized = unsafe { libc::ftruncate(file.as_raw_fd(), ROOM as libc::off_t) } == 0;
    sized.then_some(file)
}

impl CodeSpace {
    /// For so many bytes of code and of tables of entries. `None`: the system refuses memory that is written to and executed.
    pub fn new(limit: usize) -> Option<Arc<Mutex<CodeSpace>>> {
        let limit = limit.min(ROOM) / ALIGN * ALIGN;
        // mappings stay when it is closed
        let file = file()?;
        let writable = map(&file, WRITABLE);
        let executable = writable.and_then(|_| map(&file, EXECUTABLE));
        let Some((writable, executable)) = writable.zip(executable) else {
            if let Some(p) = writable {
                // SAFETY: what has just been mapped.
                unsafe { libc::munmap(p.cast(), ROOM) };
            }
            return None;
        };
        Some(Arc::new(Mutex::new(CodeSpace {
            writable,
            executable,
            free: if limit == 0 {
                Vec::new()
            } else {
                vec![(0, limit)]
            },
            held: 0,
            limit,
            used: 0,
            refused: 0,
            process: std::process::id(),
        })))
    }
    /// The process has been copied: the file belongs to both.
    pub fn share(&mut self) {
        self.process = 0;
    }
    /// Makes sure that no other process sees writes: `false` if that is impossible.
    fn own(&mut self) -> bool {
        let process = std::process::id();
        if self.process == process {
            return true;
        }
        let Some(file) = file() else {
            return false;
        };
        // SAFETY: the first bytes of the mapping; code is written with the lock on this value, which the caller has.
        let code = unsafe { std::slice::from_raw_parts(self.executable, self.used) };
        let file = File::from(file);
        if file.write_all_at(code, 0).is_err() {
            return false;
        }
        let both = [
            (self.writable, WRITABLE),
            (self.executable.cast_mut(), EXECUTABLE),
        ];
        for (at, access) in both {
            let flags = libc::MAP_SHARED | libc::MAP_FIXED;
            // SAFETY: it takes the place of this value's own mapping, and has the same bytes: code that runs goes on.
            let p = unsafe { libc::mmap(at.cast(), ROOM, access, flags, file.as_raw_fd(), 0) };
            // with one mapping of each file nothing can be compiled, and what is compiled stays as it is
            if p == libc::MAP_FAILED {
                return false;
            }
        }
        self.process = process;
        true
    }
    /// Whether so many bytes are within the limit.
    pub fn has(space: &Arc<Mutex<CodeSpace>>, bytes: usize) -> bool {
        let s = space.lock().unwrap_or_else(PoisonError::into_inner);
        s.held + bytes <= s.limit
    }
    /// Bytes that the last block without room wanted.
    pub fn refused(space: &Arc<Mutex<CodeSpace>>) -> usize {
        space.lock().unwrap_or_else(PoisonError::into_inner).refused
    }
    fn take(&mut self, bytes: usize) -> Option<usize> {
        let i = self.free.iter().position(|f| f.1 >= bytes)?;
        let (offset, all) = self.free[i];
        match all == bytes {
            true => drop(self.free.remove(i)),
            false => self.free[i] = (offset + bytes, all - bytes),
        }
        Some(offset)
    }
    fn give_back(&mut self, offset: usize, bytes: usize) {
        let i = self.free.partition_point(|f| f.0 < offset);
        self.free.insert(i, (offset, bytes));
        if self
            .free
            .get(i + 1)
            .is_some_and(|next| offset + bytes == next.0)
        {
            self.free[i].1 += self.free.remove(i + 1).1;
        }
        if i > 0 && self.free[i - 1].0 + self.free[i - 1].1 == offset {
            self.free[i - 1].1 += self.free.remove(i).1;
        }
    }
}

impl Drop for CodeSpace {
    fn drop(&mut self) {
        // SAFETY: both are what was mapped, and no piece is left: each has a share in this.
        unsafe {
            libc::munmap(self.writable.cast(), ROOM);
            libc::munmap(self.executable.cast_mut().cast(), ROOM);
        }
    }
}

impl CodeBlock {
    /// With this code, which may be anywhere, and a table of entries of `beside` bytes. `None`: there is no room left.
    pub fn new(space: &Arc<Mutex<CodeSpace>>, code: &[u8], beside: usize) -> Option<CodeBlock> {
        let bytes = code.len().next_multiple_of(ALIGN);
        let mut s = space.lock().unwrap_or_else(PoisonError::into_inner);
        s.refused = bytes + beside;
        if s.held + s.refused > s.limit || !s.own() {
            return None;
        }
        let offset = s.take(bytes)?;
        s.held += bytes + beside;
        s.used = s.used.max(offset + bytes);
        // SAFETY: the stretch is inside of the mapping, and nobody else's.
        unsafe { ptr::copy_nonoverlapping(code.as_ptr(), s.writable.add(offset), code.len()) };
        drop(s);
        Some(CodeBlock {
            space: space.clone(),
            offset,
            bytes,
            beside,
        })
    }
    /// Address of the code.
    pub fn address(&self) -> u64 {
        let s = self.space.lock().unwrap_or_else(PoisonError::into_inner);
        s.executable as u64 + self.offset as u64
    }
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for CodeBlock {
    fn drop(&mut self) {
        let mut s = self.space.lock().unwrap_or_else(PoisonError::into_inner);
        s.held -= self.bytes + self.beside;
        s.give_back(self.offset, self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_is_one_stretch_again() {
        let space = CodeSpace::new(ROOM).expect("memory for code");
        let pieces: Vec<CodeBlock> = [1, 40, 100]
            .iter()
            .map(|&n| CodeBlock::new(&space, &vec![0xc3; n], 0).expect("room"))
            .collect();
        let offsets: Vec<usize> = pieces.iter().map(|p| p.offset).collect();
        assert_eq!(offsets, [0, 32, 96]);
        let [a, b, c] = <[CodeBlock; 3]>::try_from(pieces).ok().expect("three");
        drop(b);
        assert_eq!(
            CodeBlock::new(&space, &[0; 64], 0).expect("room").offset,
            32
        );
        drop(a);
        drop(c);
        assert_eq!(space.lock().expect("alone").free, [(0, ROOM)]);
        assert!(CodeBlock::new(&space, &vec![0; ROOM + 1], 0).is_none());
    }

    #[test]
    fn there_is_a_limit() {
        let space = CodeSpace::new(1000).expect("memory for code");
        // 992 bytes: both count
        assert!(CodeBlock::new(&space, &[0xc3; 900], 100).is_none());
        let most = CodeBlock::new(&space, &[0xc3; 800], 192).expect("room");
        assert!(CodeBlock::new(&space, &[0xc3; 1], 0).is_none());
        drop(most);
        let again = CodeBlock::new(&space, &[0xc3; 992], 0).expect("room");
        assert_eq!((again.offset, again.bytes()), (0, 992));
        let none = CodeSpace::new(0).expect("memory for code");
        assert!(CodeBlock::new(&none, &[0xc3], 0).is_none());
    }

    #[test]
    fn a_copy_of_the_process_writes_into_a_file_of_its_own() {
        let space = CodeSpace::new(ROOM).expect("memory for code");
        let mov = |n: u8| [0xb8, n, 0, 0, 0, 0xc3];
        let first = CodeBlock::new(&space, &mov(1), 0).expect("room");
        // what a copy of the process would find
        space.lock().expect("alone").process = 0;
        let original = {
            let s = space.lock().expect("alone");
            // SAFETY: the mapping is as long; the copy of it is read before the original goes.
            let p = unsafe { libc::mremap(s.writable.cast(), 0, ROOM, libc::MREMAP_MAYMOVE) };
            assert_ne!(p, libc::MAP_FAILED);
            p.cast::<u8>()
        };
        let second = CodeBlock::new(&space, &mov(2), 0).expect("room");
        assert_eq!(space.lock().expect("alone").process, std::process::id());
        for (block, expected) in [(&first, 1), (&second, 2)] {
            // SAFETY: the code keeps to the convention.
            let f: extern "sysv64" fn() -> u32 = unsafe { std::mem::transmute(block.address()) };
            assert_eq!(f(), expected);
        }
        // SAFETY: a mapping of the original file, where nothing follows the first block.
        unsafe {
            assert_eq!(*original, 0xb8);
            assert_eq!(*original.add(second.offset), 0);
            libc::munmap(original.cast(), ROOM);
        }
    }

    #[test]
    fn a_copied_process_writes_over_no_code_of_its_copy() {
        let space = CodeSpace::new(ROOM).expect("memory for code");
        let mov = |n: u8| [0xb8, n, 0, 0, 0, 0xc3];
        let discarded = CodeBlock::new(&space, &mov(1), 0).expect("room");
        let offset = discarded.offset;
        let of_copy = {
            let s = space.lock().expect("alone");
            // SAFETY: a second mapping of the file, as long, as a copy of the process has it.
            let p = unsafe { libc::mremap(s.writable.cast(), 0, ROOM, libc::MREMAP_MAYMOVE) };
            assert_ne!(p, libc::MAP_FAILED);
            p.cast::<u8>()
        };
        space.lock().expect("alone").share();
        drop(discarded);
        let next = CodeBlock::new(&space, &mov(2), 0).expect("room");
        assert_eq!(next.offset, offset);
        // SAFETY: the mapping from above, in which the first block is at that offset.
        unsafe {
            assert_eq!(*of_copy.add(offset + 1), 1);
            libc::munmap(of_copy.cast(), ROOM);
        }
    }

    #[test]
    fn code_is_executed() {
        let space = CodeSpace::new(ROOM).expect("memory for code");
        // mov eax, 42; ret
        let piece = CodeBlock::new(&space, &[0xb8, 42, 0, 0, 0, 0xc3], 0).expect("room");
        // SAFETY: the code keeps to the convention.
        let f: extern "sysv64" fn() -> u32 = unsafe { std::mem::transmute(piece.address()) };
        assert_eq!(f(), 42);
    }
}
