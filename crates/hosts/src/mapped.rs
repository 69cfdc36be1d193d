//! Mapped memory that is recorded, and replayed. A page is recorded when it is first touched. Each later look compares it, and
//! records the changes that the program did not make. So an untouched page takes no room, and data that other processes write
//! into a file arrives in a replay where the program first saw it.

use crate::recording::MappedRead;
use crate::recording::log::Log;
use crate::recording::tape::Tape;
use hashbrown::HashMap;
use rjvm_vm::offheap::{Mapped, Mapping};
use std::cell::RefCell;
use std::io;

/// Bytes that are recorded together. It is the system's page or a part of it, of which all can be touched or nothing.
const PAGE: usize = 4096;

/// The pages that have been seen, by number, as the program must have them in mind.
#[derive(Default)]
struct Pages(HashMap<usize, Box<[u8]>>);

/// The parts of a range by pages: number of the page, and the range in it.
fn parts(at: usize, n: usize) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
    let end = at + n;
    (at / PAGE..end.div_ceil(PAGE)).map(move |page| {
        let start = page * PAGE;
        (page, at.max(start) - start..end.min(start + PAGE) - start)
    })
}

/// Bytes of memory of a mapping of that length, and of the pages of it that have been seen: as many in a replay as when it
/// was recorded.
fn pages_and(len: usize) -> usize {
    len.saturating_mul(2)
}

impl Pages {
    /// A range of a page, if that has been seen.
    #[inline]
    fn get(&self, page: usize, range: std::ops::Range<usize>) -> Option<&[u8]> {
        self.0.get(&page)?.get(range)
    }
    fn has(&self, page: usize) -> bool {
        self.0.contains_key(&page)
    }
    /// A page is seen for the first time.
    fn add(&mut self, page: usize, contents: Vec<u8>) {
        self.0.insert(page, contents.into());
    }
    /// Copies bytes out; `false` if a page of them has not been seen.
    fn read(&self, at: usize, to: &mut [u8]) -> bool {
        let mut rest = to;
        for (page, range) in parts(at, rest.len()) {
            let Some(known) = self.get(page, range) else {
                return false;
            };
            let (head, tail) = rest.split_at_mut(known.len());
            head.copy_from_slice(known);
            rest = tail;
        }
        true
    }
    /// Takes bytes into the pages that have been seen.
    fn write(&mut self, at: usize, from: &[u8]) {
        let mut rest = from;
        for (page, range) in parts(at, from.len()) {
            let (head, tail) = rest.split_at(range.len());
            if let Some(known) = self.0.get_mut(&page).and_then(|p| p.get_mut(range)) {
                known.copy_from_slice(head);
            }
            rest = tail;
        }
    }
}

/// Mapped memory whose contents are recorded.
pub struct Recorded {
    inner: Mapping,
    number: u64,
    log: Log,
    seen: RefCell<Pages>,
    /// Room for a page that is looked at.
    now: RefCell<Vec<u8>>,
}

impl Recorded {
    /// Records the contents of `inner`, the mapping of this number.
    pub fn new(inner: Mapping, number: u64, log: Log) -> Recorded {
        Recorded {
            inner,
            number,
            log,
            seen: RefCell::default(),
            now: RefCell::new(vec![0; PAGE]),
        }
    }
    fn found(&self, what: &MappedRead) {
        self.log.found(self.number, what);
    }
    /// Copies a few bytes out, as most reads do; `false` if they differ from the bytes seen before.
    #[inline]
    fn is_as_seen(&self, at: usize, to: &mut [u8]) -> bool {
        let (page, from) = (at / PAGE, at % PAGE);
        let seen = self.seen.borrow();
        match seen.get(page, from..from + to.len()) {
            Some(known) => self.inner.read(at, to).is_some() && *known == *to,
            None => false,
        }
    }
    /// Compares a range with the bytes seen before, and records new ones.
    fn look(&self, at: usize, n: usize) -> Option<()> {
        let seen = &mut *self.seen.borrow_mut();
        let mut now = self.now.borrow_mut();
        for (page, range) in parts(at, n) {
            let start = page * PAGE;
            let range = match seen.has(page) {
                true => range,
                false => 0..PAGE.min(self.inner.len() - start),
            };
            let now = &mut now[range.clone()];
            let begins = start + range.start;
            if self.inner.read(begins, now).is_none() {
                self.found(&MappedRead::Cut);
                return None;
            }
            let known = seen.get(page, range);
            if known != Some(&*now) {
                self.found(&MappedRead::Bytes {
                    at: begins,
                    bytes: now.to_vec(),
                });
                match known.is_some() {
                    true => seen.write(begins, now),
                    false => seen.add(page, now.to_vec()),
                }
            }
        }
        Some(())
    }
    fn result(&self, r: io::Result<bool>) -> io::Result<bool> {
        self.log.touch();
        let reported = match &r {
            Ok(b) => Ok(*b),
            Err(e) => Err(e.raw_os_error().unwrap_or(libc::EIO)),
        };
        self.found(&MappedRead::Result(reported));
        r
    }
}

impl Mapped for Recorded {
    fn len(&self) -> usize {
        self.inner.len()
    }
    fn memory(&self) -> usize {
        pages_and(self.inner.len())
    }
    fn read(&self, at: usize, to: &mut [u8]) -> Option<()> {
        self.log.touch();
        if self.is_as_seen(at, to) {
            return Some(());
        }
        self.look(at, to.len())?;
        // what was compared, even if it has changed since
        self.seen.borrow().read(at, to).then_some(())
    }
    fn write(&self, at: usize, from: &[u8]) -> Option<()> {
        self.log.touch();
        if self.inner.write(at, from).is_none() {
            self.found(&MappedRead::Cut);
            return None;
        }
        self.seen.borrow_mut().write(at, from);
        Some(())
    }
    fn sync(&self, at: usize, n: usize) -> io::Result<()> {
        self.result(self.inner.sync(at, n).map(|()| true)).map(drop)
    }
    fn advise(&self, at: usize, n: usize, needed: bool) -> io::Result<()> {
        let r = self.inner.advise(at, n, needed);
        self.result(r.map(|()| true)).map(drop)
    }
    fn is_resident(&self, at: usize, n: usize) -> io::Result<bool> {
        self.result(self.inner.is_resident(at, n))
    }
}

/// Mapped memory as it was when it was recorded.
pub struct Replayed {
    len: usize,
    number: u64,
    tape: Tape,
    seen: RefCell<Pages>,
}

impl Replayed {
    /// The mapping of this number and length.
    pub fn new(len: usize, number: u64, tape: Tape) -> Replayed {
        Replayed {
            len,
            number,
            tape,
            seen: RefCell::default(),
        }
    }
    /// Takes the bytes found at this touch; `None`: the file had been cut.
    fn look(&self) -> Option<()> {
        for found in self.tape.touch(self.number) {
            match found {
                MappedRead::Cut => return None,
                MappedRead::Bytes { at, bytes } => {
                    let page = at / PAGE;
                    let seen = &mut *self.seen.borrow_mut();
                    let end = at.checked_add(bytes.len());
                    let inside = end.is_some_and(|end| end <= self.len && end <= (page + 1) * PAGE);
                    match (seen.has(page), inside) {
                        (true, true) => seen.write(at, &bytes),
                        (false, true) if at % PAGE == 0 => seen.add(page, bytes),
                        _ => self.tape.damaged("contents of mapped memory"),
                    }
                }
                MappedRead::Result(_) => self.tape.damaged("contents of mapped memory"),
            }
        }
        Some(())
    }
    fn result(&self) -> io::Result<bool> {
        match &self.tape.touch(self.number)[..] {
            [MappedRead::Result(r)] => r.map_err(io::Error::from_raw_os_error),
            _ => self.tape.damaged("a result for mapped memory"),
        }
    }
}

impl Mapped for Replayed {
    fn len(&self) -> usize {
        self.len
    }
    fn memory(&self) -> usize {
        pages_and(self.len)
    }
    fn read(&self, at: usize, to: &mut [u8]) -> Option<()> {
        self.look()?;
        if !self.seen.borrow().read(at, to) {
            self.tape.damaged("contents of mapped memory");
        }
        Some(())
    }
    fn write(&self, at: usize, from: &[u8]) -> Option<()> {
        self.look()?;
        self.seen.borrow_mut().write(at, from);
        Some(())
    }
    fn sync(&self, _: usize, _: usize) -> io::Result<()> {
        self.result().map(drop)
    }
    fn advise(&self, _: usize, _: usize, _: bool) -> io::Result<()> {
        self.result().map(drop)
    }
    fn is_resident(&self, _: usize, _: usize) -> io::Result<bool> {
        self.result()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_fall_into_pages() {
        let all = |at, n| parts(at, n).collect::<Vec<_>>();
        assert_eq!(all(0, PAGE), [(0, 0..PAGE)]);
        assert_eq!(all(10, 5), [(0, 10..15)]);
        assert_eq!(
            all(PAGE - 1, PAGE + 2),
            [(0, PAGE - 1..PAGE), (1, 0..PAGE), (2, 0..1)]
        );
        assert_eq!(all(PAGE, 0), []);
    }

    #[test]
    fn pages_take_what_is_written_where_they_are_known() {
        let mut pages = Pages::default();
        pages.add(1, vec![0; PAGE]);
        pages.write(PAGE - 2, &[1, 2, 3, 4]);
        let mut out = [9; 3];
        assert!(pages.read(PAGE, &mut out));
        assert_eq!(out, [3, 4, 0]);
        assert!(!pages.read(PAGE - 1, &mut out));
        // the last page may be short
        pages.add(2, vec![7; 10]);
        assert!(pages.read(2 * PAGE + 7, &mut out));
        assert!(!pages.read(2 * PAGE + 8, &mut out));
    }
}
