//! The one tree of names that a program sees, and where its parts come from. Links and `..` are followed here, in that
//! tree: a link leads to the file that its target names for the program, independently of its creator.

use super::folder::{self, FolderEntry, Grant, RealEntry};
use crate::memory::{self, MemoryFiles, NodeKind, ROOT};
use rjvm_vm::host::{Errno, Io};
use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::sync::Arc;

/// Links on the way to a file, as Linux counts them.
const MOST_LINKS: usize = 40;

/// The contents of a mount point.
pub enum Mount {
    /// Files in memory.
    Memory {
        /// They.
        files: MemoryFiles,
        /// As whom this host takes locks there.
        owner: u64,
        /// Whether files that do not exist are denied instead of missing, so that a program cannot probe for them.
        closed: bool,
    },
    /// A folder of the real file system.
    Folder {
        /// It, open.
        root: Arc<OwnedFd>,
        /// How it is granted.
        grant: Grant,
    },
}

/// A folder, in the mount with this number.
#[derive(Clone)]
pub enum FolderLocation {
    /// A folder in memory.
    Memory(usize, u64),
    /// A real one.
    Folder(usize, Arc<OwnedFd>),
}

/// A folder on the way to another folder.
#[derive(Clone)]
struct TrailStep {
    name: Vec<u8>,
    place: FolderLocation,
    /// Its number among the [`Point`]s, if something is mounted on it or below.
    point: Option<usize>,
}

/// The folders from the root to one.
#[derive(Clone)]
pub struct Trail(Vec<TrailStep>);

impl Trail {
    fn end(&self) -> &TrailStep {
        self.0.last().expect("a trail begins with the root")
    }
    fn last(&self) -> &FolderLocation {
        &self.end().place
    }
    /// The names without the root's.
    fn names(&self) -> impl Iterator<Item = &Vec<u8>> {
        self.0[1..].iter().map(|leg| &leg.name)
    }
}

/// A name on the way to a mount.
#[derive(Default)]
struct Point {
    /// The mount at this point.
    mount: Option<usize>,
    /// The points one name further.
    below: BTreeMap<Vec<u8>, usize>,
}

/// Where a path has led: a name in a folder that need not be there, or the folder itself.
pub struct Target {
    trail: Trail,
    name: Option<Vec<u8>>,
    /// The name is a link that the system is to follow.
    trusted: bool,
}

/// A target in one of the two worlds.
pub enum PairedTargets<'a> {
    /// In memory: the mount, the folder, the name in it.
    Memory(usize, u64, Option<&'a [u8]>),
    /// Real: the mount, and the place.
    Folder(usize, RealEntry<'a>),
}

/// All that is granted, by the names a program has for it.
pub struct Space {
    mounts: Vec<Mount>,
    /// Where they are; the root is the first one.
    points: Vec<Point>,
}

enum Step {
    Into(FolderLocation),
    Link(Vec<u8>),
    TrustedLink,
    Other,
    Missing,
}

impl Space {
    /// With something in the place of the root.
    pub fn new(root: Mount) -> Space {
        Space {
            mounts: vec![root],
            points: vec![Point {
                mount: Some(0),
                ..Point::default()
            }],
        }
    }
    /// Puts something in the place of a folder, which is made if its surroundings are in memory.
    pub fn mount(&mut self, at: &[&[u8]], what: Mount) -> Io<()> {
        let mut point = 0;
        // what is around it, and how many names further it is mounted
        let mut around = (0, 0);
        for (n, name) in at.iter().enumerate() {
            if let Some(mount) = self.points[point].mount {
                around = (mount, n);
            }
            let new = self.points.len();
            point = *self.points[point].below.entry(name.to_vec()).or_insert(new);
            if point == new {
                self.points.push(Point::default());
            }
        }
        if let (mount, n) = around
            && n < at.len()
            && let Mount::Memory { files, .. } = &self.mounts[mount]
        {
            files.tree().folder(&at[n..])?;
        }
        self.points[point].mount = Some(self.mounts.len());
        self.mounts.push(what);
        Ok(())
    }
    fn root_of(&self, mount: usize) -> FolderLocation {
        match &self.mounts[mount] {
            Mount::Memory { .. } => FolderLocation::Memory(mount, ROOT),
            Mount::Folder { root, .. } => FolderLocation::Folder(mount, root.clone()),
        }
    }
    /// The root.
    pub fn start(&self) -> Trail {
        let mount = self.points[0].mount.unwrap_or(0);
        Trail(vec![TrailStep {
            name: Vec::new(),
            place: self.root_of(mount),
            point: Some(0),
        }])
    }
    /// The files in memory of a mount, and as whom locks are taken there.
    pub fn memory(&self, mount: usize) -> Io<(&MemoryFiles, u64)> {
        match &self.mounts[mount] {
            Mount::Memory { files, owner, .. } => Ok((files, *owner)),
            Mount::Folder { .. } => Err(Errno(libc::EXDEV)),
        }
    }
    /// All files in memory.
    pub fn in_memory(&self) -> impl Iterator<Item = &MemoryFiles> {
        self.mounts.iter().filter_map(|m| match m {
            Mount::Memory { files, .. } => Some(files),
            Mount::Folder { .. } => None,
        })
    }
    /// The point of a name in the folder that a trail leads to.
    fn point(&self, trail: &Trail, name: &[u8]) -> Option<usize> {
        self.points[trail.end().point?].below.get(name).copied()
    }
    /// Goes one folder further.
    fn push(&self, trail: &mut Trail, name: Vec<u8>, place: FolderLocation) {
        let point = self.point(trail, &name);
        trail.0.push(TrailStep { name, place, point });
    }
    /// The file of a name in a folder.
    fn step(&self, at: &FolderLocation, name: &[u8]) -> Io<Step> {
        match at {
            FolderLocation::Memory(mount, folder) => {
                let Mount::Memory { files, closed, .. } = &self.mounts[*mount] else {
                    return Err(Errno(libc::ENOENT));
                };
                let tree = files.tree();
                let id = match tree.lookup(*folder, name) {
                    Ok(id) => id,
                    Err(Errno(libc::ENOENT)) if *closed => return Err(Errno::DENIED),
                    Err(Errno(libc::ENOENT)) => return Ok(Step::Missing),
                    Err(e) => return Err(e),
                };
                Ok(match &tree.node(id)?.kind {
                    NodeKind::Folder(_) => Step::Into(FolderLocation::Memory(*mount, id)),
                    NodeKind::Link(target) => Step::Link(target.clone()),
                    _ => Step::Other,
                })
            }
            FolderLocation::Folder(mount, dir) => {
                let trusted = self.grant(*mount).trusted;
                Ok(match folder::look(dir, name) {
                    Ok(FolderEntry::Folder) => {
                        let inner = folder::descend(dir, name, false)?;
                        Step::Into(FolderLocation::Folder(*mount, Arc::new(inner)))
                    }
                    Ok(FolderEntry::Link(_)) if trusted => match folder::descend(dir, name, true) {
                        Ok(inner) => Step::Into(FolderLocation::Folder(*mount, Arc::new(inner))),
                        Err(_) => Step::TrustedLink,
                    },
                    Ok(FolderEntry::Link(target)) => Step::Link(target),
                    Ok(FolderEntry::Other) => Step::Other,
                    Err(Errno(libc::ENOENT)) => Step::Missing,
                    Err(e) => return Err(e),
                })
            }
        }
    }
    fn grant(&self, mount: usize) -> Grant {
        match &self.mounts[mount] {
            Mount::Folder { grant, .. } => *grant,
            Mount::Memory { .. } => Grant {
                writes: true,
                trusted: false,
            },
        }
    }
    /// Follows a path; `follow`: also the link it ends with.
    pub fn walk(&self, from: &Trail, path: &[u8], follow: bool) -> Io<Target> {
        if path.is_empty() || path.contains(&0) {
            return Err(Errno(libc::ENOENT));
        }
        if path.len() >= libc::PATH_MAX as usize {
            return Err(Errno(libc::ENAMETOOLONG));
        }
        let mut trail = from.clone();
        // names to be followed, the next one last
        let mut todo: Vec<Vec<u8>> = Vec::new();
        let mut links = 0;
        // whether the path says that it ends with a folder
        let mut folder = false;
        let push = |path: &[u8], trail: &mut Trail, todo: &mut Vec<Vec<u8>>| {
            if path.starts_with(b"/") {
                trail.0.truncate(1);
            }
            let names = path.split(|&b| b == b'/').rev();
            let names = names.filter(|n| !n.is_empty() && *n != b".");
            let ends = path.ends_with(b"/") || path.ends_with(b"/.");
            let last = todo.is_empty();
            todo.extend(names.map(<[u8]>::to_vec));
            ends && last
        };
        folder |= push(path, &mut trail, &mut todo);
        while let Some(name) = todo.pop() {
            if name == b".." {
                if trail.0.len() > 1 {
                    trail.0.pop();
                }
                continue;
            }
            let point = self.point(&trail, &name);
            if let Some(mount) = point.and_then(|p| self.points[p].mount) {
                self.push(&mut trail, name, self.root_of(mount));
                continue;
            }
            let last = todo.is_empty();
            let end = |trail, name, trusted| {
                Ok(Target {
                    trail,
                    name: Some(name),
                    trusted,
                })
            };
            match self.step(trail.last(), &name)? {
                // a link of the JDK that is removed or read is meant itself, and may only be read
                Step::Into(_) if last && !folder => return end(trail, name, follow),
                Step::Into(place) => self.push(&mut trail, name, place),
                Step::Link(_) if last && !follow && !folder => return end(trail, name, false),
                Step::Link(target) => {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(Errno(libc::ELOOP));
                    }
                    if target.is_empty() {
                        return Err(Errno(libc::ENOENT));
                    }
                    folder |= push(&target, &mut trail, &mut todo);
                }
                Step::TrustedLink if last && !folder => return end(trail, name, follow),
                Step::Missing if last => return end(trail, name, false),
                Step::Missing => return Err(Errno(libc::ENOENT)),
                Step::Other if last && !folder => return end(trail, name, false),
                Step::TrustedLink | Step::Other => return Err(Errno(libc::ENOTDIR)),
            }
        }
        Ok(Target {
            trail,
            name: None,
            trusted: false,
        })
    }
    /// A target where it is.
    pub fn place<'a>(&self, target: &'a Target) -> PairedTargets<'a> {
        match target.trail.last() {
            FolderLocation::Memory(mount, folder) => {
                PairedTargets::Memory(*mount, *folder, target.name.as_deref())
            }
            FolderLocation::Folder(mount, dir) => {
                let grant = self.grant(*mount);
                let spot = RealEntry {
                    dir,
                    name: target.name.as_deref().unwrap_or(b"."),
                    grant: Grant {
                        trusted: grant.trusted && target.trusted,
                        ..grant
                    },
                };
                PairedTargets::Folder(*mount, spot)
            }
        }
    }
    /// The trail to a target that is a folder.
    pub fn enter(&self, target: &Target) -> Io<Trail> {
        let mut trail = target.trail.clone();
        if let Some(name) = &target.name {
            match self.step(trail.last(), name)? {
                Step::Into(place) => self.push(&mut trail, name.clone(), place),
                _ => return Err(Errno(libc::ENOTDIR)),
            }
        }
        Ok(trail)
    }
    /// The absolute name of a target.
    pub fn path(&self, target: &Target) -> Vec<u8> {
        let mut path = Vec::new();
        for name in target.trail.names().chain(&target.name) {
            path.push(b'/');
            path.extend_from_slice(name);
        }
        if path.is_empty() {
            path.push(b'/');
        }
        path
    }
    /// That a target is, or has inside, no mount: it may be moved and removed. It has to have a name.
    pub fn movable(&self, target: &Target) -> Io<()> {
        let Some(name) = &target.name else {
            return Err(Errno(libc::EBUSY));
        };
        match self.point(&target.trail, name) {
            Some(_) => Err(Errno(libc::EBUSY)),
            None => Ok(()),
        }
    }
}

/// The number of a target in memory.
pub fn number(tree: &memory::Tree, folder: u64, name: Option<&[u8]>) -> Io<u64> {
    match name {
        None => Ok(folder),
        Some(name) => tree.lookup(folder, name),
    }
}
