//! Full chunks of a recording that is under way: in a file that has no name, so that nothing is left if the VM is killed.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// Where a chunk is in the file.
struct ChunkLocation {
    start: u64,
    length: u64,
    /// When it ends.
    end: i64,
}

/// The chunks, the oldest first.
#[derive(Default)]
pub struct Store {
    file: Option<File>,
    kept: VecDeque<ChunkLocation>,
    /// Bytes written so far, those of chunks that are gone too.
    written: u64,
}

/// How much of a recording is stored.
#[derive(Clone, Copy, Default, Debug)]
pub struct StoreLimits {
    /// Bytes.
    pub size: Option<u64>,
    /// Time before the end, in ticks.
    pub age: Option<i64>,
}

impl Store {
    /// Bytes of the chunks.
    pub fn size(&self) -> u64 {
        self.kept.iter().map(|k| k.length).sum()
    }
    /// Adds a chunk that `write` writes and that ends at `end`; old ones beyond the limits go.
    pub fn add(
        &mut self,
        end: i64,
        limits: StoreLimits,
        write: impl FnOnce(&mut dyn Write) -> io::Result<u64>,
    ) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(nameless()?),
        };
        file.seek(SeekFrom::Start(self.written))?;
        let mut out = io::BufWriter::new(&mut *file);
        let length = write(&mut out)?;
        out.flush()?;
        drop(out);
        self.kept.push_back(ChunkLocation {
            start: self.written,
            length,
            end,
        });
        self.written += length;
        self.forget(end, limits)
    }
    /// Lets go of chunks that are beyond the limits, but the newest.
    fn forget(&mut self, now: i64, limits: StoreLimits) -> io::Result<()> {
        while self.kept.len() > 1 && self.is_beyond(0, now, limits) {
            let Some(gone) = self.kept.pop_front() else {
                break;
            };
            if let Some(file) = &self.file {
                free(file, gone.start, gone.length)?;
            }
        }
        Ok(())
    }
    /// Whether the chunk at an index, and those before it, are not wanted.
    fn is_beyond(&self, index: usize, now: i64, limits: StoreLimits) -> bool {
        let size: u64 = self.kept.iter().skip(index).map(|k| k.length).sum();
        let old = limits
            .age
            .is_some_and(|age| self.kept[index].end < now.saturating_sub(age));
        limits.size.is_some_and(|most| size > most) || old
    }
    /// Copies the chunks that are within the limits.
    pub fn copy(&self, now: i64, limits: StoreLimits, out: &mut dyn Write) -> io::Result<()> {
        let Some(mut file) = self.file.as_ref() else {
            return Ok(());
        };
        let wanted = (0..self.kept.len()).filter(|&i| !self.is_beyond(i, now, limits));
        for i in wanted {
            let chunk = &self.kept[i];
            file.seek(SeekFrom::Start(chunk.start))?;
            let copied = io::copy(&mut file.take(chunk.length), out)?;
            if copied != chunk.length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(())
    }
}

/// A file in the folder for temporary ones, which is gone when it is closed.
fn nameless() -> io::Result<File> {
    for n in 0u32.. {
        let name = format!("rjvm-{}-{n}.jfr.part", std::process::id());
        let path: PathBuf = std::env::temp_dir().join(name);
        let mut options = OpenOptions::new();
        match options.read(true).write(true).create_new(true).open(&path) {
            Ok(file) => {
                std::fs::remove_file(&path)?;
                return Ok(file);
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Gives back the disk's space of a part of a file. Where the system cannot, the file only stays larger.
#[cfg(target_os = "linux")]
fn free(file: &File, start: u64, length: u64) -> io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    use rustix::io::Errno;
    let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
    match fallocate(file, flags, start, length) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        done => Ok(done?),
    }
}

#[cfg(not(target_os = "linux"))]
fn free(_: &File, _: u64, _: u64) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(store: &Store, limits: StoreLimits) -> String {
        let mut out = Vec::new();
        store.copy(100, limits, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn old_chunks_go() {
        let mut store = Store::default();
        let limits = StoreLimits {
            size: Some(25),
            age: None,
        };
        for (end, c) in [(10, 'a'), (20, 'b'), (90, 'c')] {
            let add = store.add(end, limits, |out| {
                out.write_all(c.to_string().repeat(10).as_bytes())?;
                Ok(10)
            });
            add.unwrap();
        }
        assert_eq!(store.size(), 20);
        assert_eq!(
            copied(&store, StoreLimits::default()),
            "bbbbbbbbbbcccccccccc"
        );
        let young = StoreLimits {
            size: None,
            age: Some(50),
        };
        assert_eq!(copied(&store, young), "cccccccccc");
        assert_eq!(copied(&Store::default(), young), "");
    }
}
