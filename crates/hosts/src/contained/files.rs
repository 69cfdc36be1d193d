//! The file system by name, as a contained program sees it.

use super::folder;
use super::space::{PairedTargets, Target, number};
use super::world::{World, locked};
use crate::memory::{NodeKind, USER};
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{Errno, FileStore, Files, Io, Stat, Times};
use std::collections::BTreeMap;

/// What the owner of files in memory is called.
const USER_NAME: &[u8] = b"user";

impl World {
    /// Does something new under a name: in memory or in a real folder.
    fn make(&mut self, path: &[u8], kind: NodeKind, mode: u32) -> Io<()> {
        let target = self.walk(HERE, path, false)?;
        match self.space.place(&target) {
            PairedTargets::Memory(_, _, None) => Err(Errno(libc::EEXIST)),
            PairedTargets::Memory(mount, folder, Some(name)) => {
                let mut tree = self.space.memory(mount)?.0.tree();
                tree.create(folder, name, kind, mode).map(|_| ())
            }
            PairedTargets::Folder(_, spot) => match &kind {
                NodeKind::Link(target) => spot.symlink(target),
                _ => spot.create_dir(mode),
            },
        }
    }
    /// The two mounts of an operation on two names, if it is one and the same.
    fn both(
        &self,
        a: &Target,
        b: &Target,
        f: impl FnOnce(PairedTargets, PairedTargets) -> Io<()>,
    ) -> Io<()> {
        let (a, b) = (self.space.place(a), self.space.place(b));
        let mount = |k: &PairedTargets| match k {
            PairedTargets::Memory(mount, ..) | PairedTargets::Folder(mount, _) => *mount,
        };
        match mount(&a) == mount(&b) {
            true => f(a, b),
            false => Err(Errno(libc::EXDEV)),
        }
    }
}

impl Files for World {
    fn current_dir(&mut self) -> Io<Vec<u8>> {
        Ok(self.current_dir.clone())
    }
    fn open(&mut self, dir: i32, path: &[u8], flags: i32, mode: u32) -> Io<i32> {
        // with both flags, a link is in the way
        let new = libc::O_CREAT | libc::O_EXCL;
        let follow = flags & libc::O_NOFOLLOW == 0 && flags & new != new;
        let target = self.walk(dir, path, follow)?;
        self.open_target(&target, flags, mode)
    }
    fn stat(&mut self, dir: i32, path: &[u8], follow: bool) -> Io<Stat> {
        let target = self.walk(dir, path, follow)?;
        match self.space.place(&target) {
            PairedTargets::Memory(mount, folder, name) => {
                let tree = self.space.memory(mount)?.0.tree();
                tree.stat(number(&tree, folder, name)?)
            }
            PairedTargets::Folder(_, spot) => spot.stat(),
        }
    }
    fn stat_store(&mut self, path: &[u8]) -> Io<FileStore> {
        let target = self.walk(HERE, path, true)?;
        match self.space.place(&target) {
            PairedTargets::Memory(mount, folder, name) => {
                let tree = self.space.memory(mount)?.0.tree();
                number(&tree, folder, name).map(|_| tree.store())
            }
            PairedTargets::Folder(_, spot) => Ok(spot.store()?.0),
        }
    }
    fn access(&mut self, path: &[u8], mode: i32) -> Io<()> {
        let target = self.walk(HERE, path, true)?;
        match self.space.place(&target) {
            PairedTargets::Memory(mount, folder, name) => {
                let tree = self.space.memory(mount)?.0.tree();
                let id = number(&tree, folder, name)?;
                tree.node(id)?.check(mode as u32 & 7)
            }
            PairedTargets::Folder(_, spot) => spot.access(mode),
        }
    }
    fn read_dir(&mut self, path: &[u8]) -> Io<Vec<Vec<u8>>> {
        let target = self.walk(HERE, path, true)?;
        match self.space.place(&target) {
            PairedTargets::Memory(mount, folder, name) => {
                let tree = self.space.memory(mount)?.0.tree();
                tree.names(number(&tree, folder, name)?)
            }
            PairedTargets::Folder(_, spot) => {
                folder::names(spot.dir, spot.name, spot.grant.trusted)
            }
        }
    }
    fn read_dir_of(&mut self, fd: i32) -> Io<Vec<Vec<u8>>> {
        match self.in_memory(fd) {
            Some(file) => {
                let file = locked(&file);
                file.files().tree().names(file.id())
            }
            None => self.os_files.read_dir_of(fd),
        }
    }
    fn create_dir(&mut self, path: &[u8], mode: u32) -> Io<()> {
        self.make(path, NodeKind::Folder(BTreeMap::new()), mode)
    }
    fn symlink(&mut self, target: &[u8], link: &[u8]) -> Io<()> {
        if target.is_empty() || target.contains(&0) {
            return Err(Errno(libc::ENOENT));
        }
        if target.len() >= libc::PATH_MAX as usize {
            return Err(Errno(libc::ENAMETOOLONG));
        }
        self.make(link, NodeKind::Link(target.to_vec()), 0o777)
    }
    fn remove(&mut self, dir: i32, path: &[u8], directory: bool) -> Io<()> {
        let target = self.walk(dir, path, false)?;
        self.space.movable(&target)?;
        match self.space.place(&target) {
            PairedTargets::Memory(mount, folder, name) => {
                let name = name.ok_or(Errno(libc::EBUSY))?;
                let mut tree = self.space.memory(mount)?.0.tree();
                tree.remove(folder, name, directory)
            }
            PairedTargets::Folder(_, spot) => spot.remove(directory),
        }
    }
    fn rename(&mut self, from_dir: i32, from: &[u8], to_dir: i32, to: &[u8]) -> Io<()> {
        let (from, to) = (
            self.walk(from_dir, from, false)?,
            self.walk(to_dir, to, false)?,
        );
        self.space.movable(&from)?;
        self.space.movable(&to)?;
        self.both(&from, &to, |a, b| match (a, b) {
            (PairedTargets::Memory(mount, f, Some(n)), PairedTargets::Memory(_, g, Some(m))) => {
                self.space.memory(mount)?.0.tree().rename((f, n), (g, m))
            }
            (PairedTargets::Folder(_, a), PairedTargets::Folder(_, b)) => a.rename(&b),
            _ => Err(Errno(libc::EBUSY)),
        })
    }
    fn link(&mut self, existing: &[u8], link: &[u8]) -> Io<()> {
        let (from, to) = (
            self.walk(HERE, existing, false)?,
            self.walk(HERE, link, false)?,
        );
        self.both(&from, &to, |a, b| match (a, b) {
            (PairedTargets::Memory(mount, f, n), PairedTargets::Memory(_, g, Some(m))) => {
                let mut tree = self.space.memory(mount)?.0.tree();
                let id = number(&tree, f, n)?;
                tree.link(id, g, m)
            }
            (PairedTargets::Folder(_, a), PairedTargets::Folder(_, b)) => a.link(&b),
            _ => Err(Errno(libc::EEXIST)),
        })
    }
    fn read_link(&mut self, path: &[u8]) -> Io<Vec<u8>> {
        let target = self.walk(HERE, path, false)?;
        match self.space.place(&target) {
            PairedTargets::Memory(mount, folder, name) => {
                let tree = self.space.memory(mount)?.0.tree();
                match &tree.node(number(&tree, folder, name)?)?.kind {
                    NodeKind::Link(target) => Ok(target.clone()),
                    _ => Err(Errno(libc::EINVAL)),
                }
            }
            PairedTargets::Folder(_, spot) => folder::read_link(spot.dir, spot.name),
        }
    }
    fn real_path(&mut self, path: &[u8]) -> Io<Vec<u8>> {
        let target = self.walk(HERE, path, true)?;
        match self.space.place(&target) {
            PairedTargets::Memory(mount, folder, name) => {
                number(&self.space.memory(mount)?.0.tree(), folder, name)?;
            }
            PairedTargets::Folder(_, spot) => {
                spot.stat()?;
            }
        }
        Ok(self.space.path(&target))
    }
    fn make_node(&mut self, _path: &[u8], _mode: u32, _device: u64) -> Io<()> {
        Err(Errno(libc::EPERM))
    }
    fn chmod(&mut self, path: &[u8], mode: u32) -> Io<()> {
        let target = self.walk(HERE, path, true)?;
        match self.space.place(&target) {
            PairedTargets::Memory(mount, folder, name) => {
                let mut tree = self.space.memory(mount)?.0.tree();
                let id = number(&tree, folder, name)?;
                tree.set_mode(id, mode)?;
                tree.notify(name.map(|n| (folder, n)), id, libc::IN_ATTRIB);
                Ok(())
            }
            PairedTargets::Folder(_, spot) => spot.chmod(mode),
        }
    }
    /// Files stay with their owners.
    fn chown(&mut self, path: &[u8], uid: i32, gid: i32, follow: bool) -> Io<()> {
        let stat = self.stat(HERE, path, follow)?;
        keeps_owner(&stat, uid, gid)
    }
    fn set_times(&mut self, path: &[u8], times: Times, follow: bool) -> Io<()> {
        let target = self.walk(HERE, path, follow)?;
        match self.space.place(&target) {
            PairedTargets::Memory(mount, folder, name) => {
                let mut tree = self.space.memory(mount)?.0.tree();
                let id = number(&tree, folder, name)?;
                tree.set_times(id, times)?;
                tree.notify(name.map(|n| (folder, n)), id, libc::IN_ATTRIB);
                Ok(())
            }
            PairedTargets::Folder(_, spot) => spot.set_times(times),
        }
    }
    fn name_max(&mut self, path: &[u8]) -> Io<i64> {
        let target = self.walk(HERE, path, true)?;
        match self.space.place(&target) {
            PairedTargets::Memory(..) => Ok(255),
            PairedTargets::Folder(_, spot) => Ok(spot.store()?.1),
        }
    }
    fn watcher(&mut self) -> Io<i32> {
        self.new_watcher()
    }
    fn watch(&mut self, watcher: i32, path: &[u8], mask: u32) -> Io<i32> {
        let target = self.walk(HERE, path, true)?;
        self.watch_target(watcher, &target, mask)
    }
    fn unwatch(&mut self, watcher: i32, number: i32) -> Io<()> {
        self.unwatch_number(watcher, number)
    }
    fn user_name(&mut self, uid: u32) -> Option<Vec<u8>> {
        (uid == USER).then(|| USER_NAME.to_vec())
    }
    fn group_name(&mut self, gid: u32) -> Option<Vec<u8>> {
        self.user_name(gid)
    }
    fn user_id(&mut self, name: &[u8]) -> Option<u32> {
        (name == USER_NAME).then_some(USER)
    }
    fn group_id(&mut self, name: &[u8]) -> Option<u32> {
        self.user_id(name)
    }
}

/// That a change of owner and group (-1: as it is) changes nothing.
pub fn keeps_owner(stat: &Stat, uid: i32, gid: i32) -> Io<()> {
    let same = |new: i32, old: u32| new == -1 || new as u32 == old;
    match same(uid, stat.uid) && same(gid, stat.gid) {
        true => Ok(()),
        false => Err(Errno(libc::EPERM)),
    }
}
