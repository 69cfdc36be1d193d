//! The open files of a VM. Java code names descriptors by numbers; they are entries of this table, not numbers of the
//! process, so that whatever number a program makes up, it reaches only files opened for it.
//! The numbers are the lowest that are free, from 3 on: the same in every run, whatever else is open in the process.

use super::call::done;
use rjvm_vm::host::{Errno, Io};
use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// A descriptor of the process behind a number.
#[derive(Clone)]
pub(super) enum Fd {
    /// Opened for this VM.
    Own(Arc<OwnedFd>),
    /// A standard descriptor of the process: never closed.
    Standard(RawFd),
}

impl AsFd for Fd {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Fd::Own(fd) => fd.as_fd(),
            // SAFETY: a process keeps its standard descriptors.
            Fd::Standard(n) => unsafe { BorrowedFd::borrow_raw(*n) },
        }
    }
}

impl AsRawFd for Fd {
    fn as_raw_fd(&self) -> RawFd {
        self.as_fd().as_raw_fd()
    }
}

/// Standard descriptors the process was started without, a bit each. Rust's own start puts null devices
/// in their place, so that they have to be looked at before.
static MISSING: AtomicU8 = AtomicU8::new(0);

#[cfg(target_os = "linux")]
#[used]
// SAFETY: an array of functions that run before `main`; this one makes three system calls and needs
// nothing that would have to be prepared.
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

#[cfg(target_os = "linux")]
extern "C" fn look() {
    for n in 0..3 {
        // SAFETY: asks about a descriptor.
        if unsafe { libc::fcntl(n, libc::F_GETFD) } == -1 {
            MISSING.fetch_or(1 << n, Ordering::Relaxed);
        }
    }
}

#[derive(Default)]
struct DescriptorTable {
    entries: BTreeMap<i32, Fd>,
    /// Numbers of other things than descriptors of the process.
    reserved: BTreeSet<i32>,
    /// Numbers below `next` that are free.
    free: BTreeSet<i32>,
    next: i32,
}

impl DescriptorTable {
    /// The lowest number that is free.
    fn number(&mut self) -> i32 {
        self.free.pop_first().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        })
    }
}

/// The open descriptors of one VM, shared by the parts of its host.
#[derive(Clone)]
pub struct Open(Arc<Mutex<DescriptorTable>>);

impl Open {
    /// Nothing at all.
    pub fn nothing() -> Open {
        let table = DescriptorTable {
            next: 3,
            ..DescriptorTable::default()
        };
        Open(Arc::new(Mutex::new(table)))
    }
    /// The standard descriptors of the process, except for those it was started without.
    pub fn standard() -> Open {
        let open = Open::nothing();
        let missing = MISSING.load(Ordering::Relaxed);
        let standard = (0..3).filter(|n| missing & 1 << n == 0);
        let standard = standard.map(|n| (n, Fd::Standard(n)));
        open.table().entries.extend(standard);
        open
    }
    fn table(&self) -> MutexGuard<'_, DescriptorTable> {
        // no code that can panic runs under the lock
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
    /// Gives the VM an open descriptor; its number there.
    pub fn add(&self, fd: OwnedFd) -> i32 {
        let mut t = self.table();
        let n = t.number();
        t.entries.insert(n, Fd::Own(Arc::new(fd)));
        n
    }
    /// A number for an object that is not a descriptor of the process, such as a file in memory. The caller knows the object;
    /// here the number is as good as closed.
    pub fn reserve(&self) -> i32 {
        let mut t = self.table();
        let n = t.number();
        t.reserved.insert(n);
        n
    }
    /// Gives such a number up; `false` if it is none.
    pub fn release(&self, n: i32) -> bool {
        let mut t = self.table();
        let was = t.reserved.remove(&n);
        if was {
            t.free.insert(n);
        }
        was
    }
    /// Makes a number that has been in use before, and is not a standard one, a number for something else; its earlier object is
    /// closed.
    pub fn reserve_at(&self, n: i32) -> Io<()> {
        let mut t = self.table();
        if !(3..t.next).contains(&n) {
            return Err(Errno(libc::EBADF));
        }
        t.free.remove(&n);
        t.reserved.insert(n);
        let old = t.entries.remove(&n);
        drop(t);
        drop(old);
        Ok(())
    }
    /// The same with what a system call has just returned.
    ///
    /// # Safety
    /// `raw` is open, and has no other owner.
    pub(super) unsafe fn add_raw(&self, raw: RawFd) -> i32 {
        self.add(OwnedFd::from_raw_fd(raw))
    }
    /// The descriptor of a number; `EBADF` if there is none.
    pub(super) fn get(&self, n: i32) -> Io<Fd> {
        self.table()
            .entries
            .get(&n)
            .cloned()
            .ok_or(Errno(libc::EBADF))
    }
    /// Gives a number up: the descriptor is closed, unless it is a standard one.
    pub fn close(&self, n: i32) -> Io<()> {
        let mut t = self.table();
        let gone = t.entries.remove(&n).ok_or(Errno(libc::EBADF))?;
        if n >= 3 {
            t.free.insert(n);
        }
        drop(t);
        match gone {
            Fd::Standard(_) => Ok(()),
            Fd::Own(fd) => match Arc::try_unwrap(fd) {
                Ok(fd) => {
                    use std::os::fd::IntoRawFd;
                    let raw = fd.into_raw_fd();
                    // SAFETY: abandoned just now. Not repeated: after EINTR the descriptor is gone.
                    match unsafe { libc::close(raw) } {
                        0 => Ok(()),
                        _ => Err(super::call::last()),
                    }
                }
                // whoever is using it closes it
                Err(_) => Ok(()),
            },
        }
    }
    /// Makes the number `to`, which has been in use before, mean what `from` means.
    pub(super) fn replace(&self, from: i32, to: i32) -> Io<()> {
        let copy = duplicate(&self.get(from)?)?;
        let mut t = self.table();
        if !(0..t.next).contains(&to) {
            return Err(Errno(libc::EBADF));
        }
        if from == to {
            return Ok(());
        }
        t.free.remove(&to);
        t.reserved.remove(&to);
        let old = t.entries.insert(to, Fd::Own(Arc::new(copy)));
        drop(t);
        drop(old);
        Ok(())
    }
    /// How many there are.
    pub fn count(&self) -> usize {
        let t = self.table();
        t.entries.len() + t.reserved.len()
    }
}

/// Another descriptor for the same open file.
pub(super) fn duplicate(fd: &Fd) -> Io<OwnedFd> {
    Ok(fd.as_fd().try_clone_to_owned()?)
}

/// Puts `O_NONBLOCK` on or off.
pub(super) fn set_flags(fd: &Fd, flags: i32) -> Io<()> {
    // SAFETY: no pointers.
    done(|| unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, flags) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn null() -> OwnedFd {
        std::fs::File::open("/dev/null").unwrap().into()
    }

    #[test]
    fn numbers_are_a_vms_own_and_the_lowest_free() {
        let (a, b) = (Open::standard(), Open::nothing());
        assert_eq!((a.add(null()), a.add(null()), b.add(null())), (3, 4, 3));
        let raw = a.get(3).unwrap().as_raw_fd();
        assert_ne!(raw, b.get(3).unwrap().as_raw_fd());
        assert_eq!(b.get(4).err(), Some(Errno(libc::EBADF)));
        assert_eq!(b.get(1).err(), Some(Errno(libc::EBADF)));
        for forged in [-1, -5, 5, 1000, i32::MAX, i32::MIN] {
            assert_eq!(a.get(forged).err(), Some(Errno(libc::EBADF)));
            assert_eq!(a.close(forged), Err(Errno(libc::EBADF)));
            assert_eq!(a.replace(3, forged), Err(Errno(libc::EBADF)));
        }
        assert_eq!(a.close(3), Ok(()));
        assert_eq!(a.close(3), Err(Errno(libc::EBADF)));
        assert_eq!(a.add(null()), 3);
        assert_eq!((a.count(), b.count()), (5, 1));
    }

    #[test]
    fn numbers_for_something_else_stand_for_no_descriptor() {
        let a = Open::nothing();
        assert_eq!((a.reserve(), a.add(null()), a.count()), (3, 4, 2));
        assert_eq!(a.get(3).err(), Some(Errno(libc::EBADF)));
        assert_eq!(a.close(3), Err(Errno(libc::EBADF)));
        assert!(!a.release(4));
        a.replace(4, 3).unwrap();
        assert!(a.get(3).is_ok() && !a.release(3));
        a.reserve_at(4).unwrap();
        assert_eq!(a.get(4).err(), Some(Errno(libc::EBADF)));
        for forged in [-1, 1, 5, i32::MAX] {
            assert_eq!(a.reserve_at(forged), Err(Errno(libc::EBADF)));
        }
        assert!(a.release(4) && !a.release(4));
        assert_eq!((a.count(), a.reserve()), (1, 4));
    }

    #[test]
    fn a_standard_descriptor_is_given_up_and_stays_open() {
        let a = Open::standard();
        a.close(2).unwrap();
        assert!(a.get(2).is_err());
        // SAFETY: asks about a descriptor.
        assert!(unsafe { libc::fcntl(2, libc::F_GETFD) } >= 0);
        let n = a.add(null());
        a.replace(n, 1).unwrap();
        assert!(matches!(a.get(1), Ok(Fd::Own(_))));
    }
}
