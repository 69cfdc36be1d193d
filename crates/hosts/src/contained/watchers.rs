//! Who watches folders: those in memory report it here, real ones by the system. A watcher's descriptor is a selector of both.

use super::space::{PairedTargets, Target, number};
use super::world::World;
use crate::memory::{FIRST_WATCH, Watcher};
use rjvm_vm::host::{Descriptors, Errno, Files, Io};
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

/// A watcher.
pub struct ContainedWatcher {
    /// What happens in memory.
    memory: Arc<Watcher>,
    /// The descriptor that is ready when something did.
    signal: i32,
    /// The system's watcher, once a real folder is watched.
    real: Option<i32>,
}

impl World {
    pub fn new_watcher(&mut self) -> Io<i32> {
        let (memory, signal) = Watcher::new()?;
        let fd = self.os.epoll_create()?;
        let signal = self.open.add(signal);
        let watching = ContainedWatcher {
            memory,
            signal,
            real: None,
        };
        self.watchers.insert(fd, watching);
        self.select(fd, signal)?;
        Ok(fd)
    }
    fn select(&mut self, watcher: i32, fd: i32) -> Io<()> {
        let input = libc::EPOLLIN as u32;
        self.os
            .epoll_control(watcher, libc::EPOLL_CTL_ADD, fd, input)
    }
    fn watching(&self, watcher: i32) -> Io<&ContainedWatcher> {
        self.watchers.get(&watcher).ok_or(Errno(libc::EINVAL))
    }
    /// The system's watcher of one.
    fn real_watcher(&mut self, watcher: i32) -> Io<i32> {
        if let Some(real) = self.watching(watcher)?.real {
            return Ok(real);
        }
        let real = self.os_files.watcher()?;
        if let Some(w) = self.watchers.get_mut(&watcher) {
            w.real = Some(real);
        }
        self.os.set_blocking(real, false)?;
        self.select(watcher, real)?;
        Ok(real)
    }
    pub fn watch_target(&mut self, watcher: i32, target: &Target, mask: u32) -> Io<i32> {
        if let PairedTargets::Memory(mount, folder, name) = self.space.place(target) {
            let mut tree = self.space.memory(mount)?.0.tree();
            let id = number(&tree, folder, name)?;
            return tree.watch(id, &self.watching(watcher)?.memory, mask);
        }
        let real = self.real_watcher(watcher)?;
        let mut number = Err(Errno(libc::ENOENT));
        if let PairedTargets::Folder(_, spot) = self.space.place(target) {
            let files = &mut self.os_files;
            spot.with_path(|path| {
                number = files.watch(real, path.as_os_str().as_bytes(), mask);
                Ok(())
            })?;
        }
        number
    }
    pub fn unwatch_number(&mut self, watcher: i32, number: i32) -> Io<()> {
        let w = self.watching(watcher)?;
        if number < FIRST_WATCH {
            let real = w.real.ok_or(Errno(libc::EINVAL))?;
            return self.os_files.unwatch(real, number);
        }
        let ended = |files: &crate::MemoryFiles| files.tree().unwatch(&w.memory, number);
        match self.space.in_memory().any(ended) {
            true => Ok(()),
            false => Err(Errno(libc::EINVAL)),
        }
    }
    /// Takes events, those of memory first.
    pub fn read_events(&mut self, watcher: i32, buf: &mut [u8]) -> Io<usize> {
        let w = self.watching(watcher)?;
        match (w.memory.any(), w.real) {
            (false, Some(real)) => self.os.read(real, buf),
            _ => w.memory.read(buf),
        }
    }
    /// It is open no more, if it was a watcher.
    pub fn forget_watcher(&mut self, fd: i32) {
        if let Some(w) = self.watchers.remove(&fd) {
            // descriptors of its own
            let _ = self.os.close(w.signal);
            if let Some(real) = w.real {
                let _ = self.os.close(real);
            }
        }
    }
}
