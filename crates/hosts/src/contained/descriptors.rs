//! What a contained program can do with what it has open: files in memory here, the rest by the system.

use super::files::keeps_owner;
use super::folder::permissions;
use super::world::{Entry, SharedFile, World, locked};
use crate::memory::Device;
use rjvm_vm::host::{Descriptors, Errno, FileStore, Io, Lock, Poll, SeekOrigin, Stat, Times};
use rjvm_vm::offheap::{Access, Mapping};

impl World {
    /// The number is abandoned: other owners of the file keep it.
    fn forget(&mut self, fd: i32) -> Option<Entry> {
        self.forget_watcher(fd);
        let entry = self.entries.remove(&fd);
        if let Some(file) = entry.as_ref().and_then(|e| e.memory.as_ref()) {
            locked(file).unlock();
        }
        entry
    }
    fn read_device(&self, device: Device, buf: &mut [u8]) -> usize {
        match device {
            Device::Null => return 0,
            Device::Zero => buf.fill(0),
            Device::Random => self.entropy.fill(buf),
        }
        buf.len()
    }
    fn attribute_may_change(&self, fd: i32, name: &[u8]) -> Io<()> {
        self.changeable(fd)?;
        match name.starts_with(b"user.") {
            true => Ok(()),
            false => Err(Errno(libc::EPERM)),
        }
    }
}

/// Reads from a device, if it is one.
fn device(file: &SharedFile, write: bool) -> Io<Option<Device>> {
    let file = locked(file);
    let device = file.device();
    if device.is_some() {
        file.may(write)?;
    }
    Ok(device)
}

impl Descriptors for World {
    fn read(&mut self, fd: i32, buf: &mut [u8]) -> Io<usize> {
        if self.watchers.contains_key(&fd) {
            return self.read_events(fd, buf);
        }
        let Some(file) = self.in_memory(fd) else {
            return self.os.read(fd, buf);
        };
        match device(&file, false)? {
            Some(device) => Ok(self.read_device(device, buf)),
            None => locked(&file).read(buf),
        }
    }
    fn write(&mut self, fd: i32, buf: &[u8]) -> Io<usize> {
        let Some(file) = self.in_memory(fd) else {
            return self.os.write(fd, buf);
        };
        match device(&file, true)? {
            Some(_) => Ok(buf.len()),
            None => locked(&file).write(buf),
        }
    }
    fn pread(&mut self, fd: i32, buf: &mut [u8], at: i64) -> Io<usize> {
        let Some(file) = self.in_memory(fd) else {
            return self.os.pread(fd, buf, at);
        };
        match device(&file, false)? {
            Some(device) => Ok(self.read_device(device, buf)),
            None => locked(&file).pread(buf, at),
        }
    }
    fn pwrite(&mut self, fd: i32, buf: &[u8], at: i64) -> Io<usize> {
        let Some(file) = self.in_memory(fd) else {
            return self.os.pwrite(fd, buf, at);
        };
        match device(&file, true)? {
            Some(_) => Ok(buf.len()),
            None => locked(&file).pwrite(buf, at),
        }
    }
    fn seek(&mut self, fd: i32, offset: i64, origin: SeekOrigin) -> Io<i64> {
        match self.in_memory(fd) {
            Some(file) => locked(&file).seek(offset, origin),
            None => self.os.seek(fd, offset, origin),
        }
    }
    fn truncate(&mut self, fd: i32, len: i64) -> Io<()> {
        match self.in_memory(fd) {
            Some(file) => locked(&file).truncate(len),
            None => self.os.truncate(fd, len),
        }
    }
    fn stat(&mut self, fd: i32) -> Io<Stat> {
        match self.in_memory(fd) {
            Some(file) => locked(&file).stat(),
            None => self.os.stat(fd),
        }
    }
    fn stat_store(&mut self, fd: i32) -> Io<FileStore> {
        match self.in_memory(fd) {
            Some(file) => Ok(locked(&file).files().tree().store()),
            None => self.os.stat_store(fd),
        }
    }
    fn sync(&mut self, fd: i32, data_only: bool) -> Io<()> {
        match self.in_memory(fd) {
            Some(_) => Ok(()),
            None => self.os.sync(fd, data_only),
        }
    }
    fn close(&mut self, fd: i32) -> Io<()> {
        match self.forget(fd) {
            Some(Entry {
                memory: Some(_), ..
            }) => {
                self.open.release(fd);
                Ok(())
            }
            _ => self.os.close(fd),
        }
    }
    fn dup(&mut self, fd: i32) -> Io<i32> {
        let entry = self.entries.get(&fd).cloned();
        let new = match &entry {
            Some(Entry {
                memory: Some(_), ..
            }) => self.open.reserve(),
            _ => self.os.dup(fd)?,
        };
        if let Some(entry) = entry {
            self.entries.insert(new, entry);
        }
        Ok(new)
    }
    fn dup2(&mut self, from: i32, to: i32) -> Io<()> {
        if from == to {
            return self.flags(from).map(|_| ());
        }
        let entry = self.entries.get(&from).cloned();
        match &entry {
            Some(Entry {
                memory: Some(_), ..
            }) => self.open.reserve_at(to)?,
            _ => self.os.dup2(from, to)?,
        }
        self.forget(to);
        if let Some(entry) = entry {
            self.entries.insert(to, entry);
        }
        Ok(())
    }
    fn pipe(&mut self) -> Io<(i32, i32)> {
        self.os.pipe()
    }
    fn socket_pair(&mut self) -> Io<(i32, i32)> {
        self.os.socket_pair()
    }
    fn flags(&mut self, fd: i32) -> Io<i32> {
        match self.in_memory(fd) {
            Some(file) => Ok(locked(&file).flags()),
            None => self.os.flags(fd),
        }
    }
    fn set_blocking(&mut self, fd: i32, blocking: bool) -> Io<()> {
        match self.in_memory(fd) {
            Some(file) => {
                locked(&file).set_blocking(blocking);
                Ok(())
            }
            None => self.os.set_blocking(fd, blocking),
        }
    }
    fn set_direct(&mut self, fd: i32) -> Io<i32> {
        match self.in_memory(fd) {
            Some(_) => Err(Errno(libc::EINVAL)),
            None => self.os.set_direct(fd),
        }
    }
    fn available(&mut self, fd: i32) -> Io<i32> {
        match self.in_memory(fd) {
            Some(file) => locked(&file).available(),
            None => self.os.available(fd),
        }
    }
    fn poll(&mut self, fds: &mut [Poll]) -> Io<usize> {
        self.os.poll(fds)?;
        for f in fds.iter_mut() {
            if self.in_memory(f.fd).is_some() {
                // as regular files are
                f.revents = f.events & (libc::POLLIN | libc::POLLOUT);
            }
        }
        Ok(fds.iter().filter(|f| f.revents != 0).count())
    }
    fn lock(&mut self, fd: i32, lock: Lock) -> Io<bool> {
        match self.in_memory(fd) {
            Some(file) => locked(&file).lock(lock),
            None => self.os.lock(fd, lock),
        }
    }
    fn chmod(&mut self, fd: i32, mode: u32) -> Io<()> {
        match self.in_memory(fd) {
            Some(file) => locked(&file).chmod(mode),
            None => {
                self.changeable(fd)?;
                self.os.chmod(fd, permissions(mode))
            }
        }
    }
    fn chown(&mut self, fd: i32, uid: i32, gid: i32) -> Io<()> {
        let stat = Descriptors::stat(self, fd)?;
        keeps_owner(&stat, uid, gid)
    }
    fn set_times(&mut self, fd: i32, times: Times) -> Io<()> {
        match self.in_memory(fd) {
            Some(file) => locked(&file).set_times(times),
            None => {
                self.changeable(fd)?;
                self.os.set_times(fd, times)
            }
        }
    }
    fn transfer(&mut self, from: i32, at: i64, count: usize, to: i32) -> Io<usize> {
        match self.in_memory(from).or(self.in_memory(to)) {
            // whoever asks copies then
            Some(_) => Err(Errno(libc::EINVAL)),
            None => self.os.transfer(from, at, count, to),
        }
    }
    fn map(&mut self, fd: i32, at: i64, len: usize, access: Access) -> Io<Mapping> {
        match self.in_memory(fd) {
            Some(file) => match device(&file, false)? {
                Some(_) => Err(Errno(libc::ENODEV)),
                None => locked(&file).map(at, len, access),
            },
            None => self.os.map(fd, at, len, access),
        }
    }
    fn get_attribute(&mut self, fd: i32, name: &[u8], buf: &mut [u8]) -> Io<usize> {
        match self.in_memory(fd) {
            Some(file) => locked(&file).get_attribute(name, buf),
            None => self.os.get_attribute(fd, name, buf),
        }
    }
    fn set_attribute(&mut self, fd: i32, name: &[u8], value: &[u8]) -> Io<()> {
        match self.in_memory(fd) {
            Some(file) => locked(&file).set_attribute(name, value),
            None => {
                self.attribute_may_change(fd, name)?;
                self.os.set_attribute(fd, name, value)
            }
        }
    }
    fn remove_attribute(&mut self, fd: i32, name: &[u8]) -> Io<()> {
        match self.in_memory(fd) {
            Some(file) => locked(&file).remove_attribute(name),
            None => {
                self.attribute_may_change(fd, name)?;
                self.os.remove_attribute(fd, name)
            }
        }
    }
    fn list_attributes(&mut self, fd: i32, buf: &mut [u8]) -> Io<usize> {
        match self.in_memory(fd) {
            Some(file) => locked(&file).list_attributes(buf),
            None => self.os.list_attributes(fd, buf),
        }
    }
    fn epoll_create(&mut self) -> Io<i32> {
        self.os.epoll_create()
    }
    fn epoll_control(&mut self, epoll: i32, operation: i32, fd: i32, events: u32) -> Io<()> {
        match self.in_memory(fd) {
            // as for regular files
            Some(_) => Err(Errno(libc::EPERM)),
            None => self.os.epoll_control(epoll, operation, fd, events),
        }
    }
    fn epoll_ready(&mut self, epoll: i32, max: usize) -> Io<Vec<(i32, u32)>> {
        self.os.epoll_ready(epoll, max)
    }
    fn event(&mut self) -> Io<i32> {
        self.os.event()
    }
    fn echo(&mut self, fd: i32, on: bool) -> Io<bool> {
        match self.in_memory(fd) {
            Some(_) => Err(Errno(libc::ENOTTY)),
            None => self.os.echo(fd, on),
        }
    }
    fn is_terminal(&mut self, fd: i32) -> bool {
        self.in_memory(fd).is_none() && self.os.is_terminal(fd)
    }
    fn limit(&mut self) -> i32 {
        self.os.limit()
    }
    fn open_count(&mut self) -> i64 {
        self.os.open_count()
    }
}
