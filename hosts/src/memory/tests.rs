//! Files in memory: what a disk would do.

use super::node::{Held, Kind};
use super::{MemoryFiles, OpenFile, ROOT, Tree};
use rjvm_vm::host::{Errno, Lock, Whence};
use rjvm_vm::offheap::Access;
use std::collections::BTreeMap;

fn folder() -> Kind {
    Kind::Folder(BTreeMap::new())
}

fn file() -> Kind {
    Kind::File(Vec::new())
}

#[test]
fn what_is_put_in_is_read_back() {
    let files = MemoryFiles::new()
        .with("/a/b.txt", "one")
        .unwrap()
        .with("c", "two")
        .unwrap();
    files.write("/a/../a/b.txt", "longer").unwrap();
    assert_eq!(files.list(), ["/a/b.txt", "/c"]);
    assert_eq!(files.read("a/b.txt").unwrap(), b"longer");
    let error = |r: std::io::Result<Vec<u8>>| r.unwrap_err().raw_os_error();
    assert_eq!(error(files.read("/a")), Some(libc::EISDIR));
    assert_eq!(error(files.read("/c/d")), Some(libc::ENOTDIR));
    assert_eq!(error(files.read("/none")), Some(libc::ENOENT));
    assert!(files.write("/a", "x").is_err());
    assert!(files.write("/", "x").is_err());
}

#[test]
fn room_is_counted_to_the_byte_and_given_back() {
    let mut t = Tree::new(1000);
    let f = t.create(ROOT, b"f", file(), 0o666).unwrap();
    let before = t.used();
    assert_eq!(t.write(f, 0, &[1; 2000]), Ok(1000 - 257));
    assert_eq!(t.used(), 1000);
    assert_eq!(t.write(f, 5000, &[1]), Err(Errno(libc::ENOSPC)));
    assert_eq!(t.write(f, u64::MAX, &[1]), Err(Errno(libc::EFBIG)));
    assert_eq!(t.resize(f, 1 << 40), Err(Errno(libc::ENOSPC)));
    // what is there can be written again
    assert_eq!(t.write(f, 10, &[2; 20]), Ok(20));
    let full = t.create(ROOT, b"g", file(), 0o666);
    assert_eq!(full, Err(Errno(libc::ENOSPC)));
    t.resize(f, 0).unwrap();
    assert_eq!(t.used(), before);
    t.open(f).unwrap();
    t.write(f, 0, b"lives on").unwrap();
    t.remove(ROOT, b"f", false).unwrap();
    assert_eq!((t.used(), t.content(f)), (8, Ok(b"lives on".to_vec())));
    t.close(f);
    assert_eq!((t.used(), t.stat(f).err()), (0, Some(Errno(libc::ENOENT))));
}

#[test]
fn names_move_as_on_a_disk() {
    let mut t = Tree::new(1 << 20);
    let a = t.create(ROOT, b"a", folder(), 0o777).unwrap();
    let b = t.create(a, b"b", folder(), 0o777).unwrap();
    let f = t.create(b, b"f", file(), 0o666).unwrap();
    assert_eq!(t.rename((ROOT, b"a"), (b, b"x")), Err(Errno(libc::EINVAL)));
    assert_eq!(t.rename((ROOT, b"a"), (a, b"x")), Err(Errno(libc::EINVAL)));
    assert_eq!(t.remove(a, b"b", true), Err(Errno(libc::ENOTEMPTY)));
    assert_eq!(t.remove(a, b"b", false), Err(Errno(libc::EISDIR)));
    assert_eq!(t.remove(b, b"f", true), Err(Errno(libc::ENOTDIR)));
    assert_eq!(t.rename((b, b"f"), (ROOT, b"a")), Err(Errno(libc::EISDIR)));
    t.link(f, ROOT, b"g").unwrap();
    assert_eq!(t.stat(f).unwrap().nlink, 2);
    assert_eq!(t.link(a, ROOT, b"h"), Err(Errno(libc::EPERM)));
    // two names of one file
    t.rename((ROOT, b"g"), (b, b"f")).unwrap();
    assert_eq!(t.stat(f).unwrap().nlink, 2);
    t.remove(b, b"f", false).unwrap();
    t.rename((a, b"b"), (ROOT, b"moved")).unwrap();
    assert_eq!(t.lookup(ROOT, b"moved"), Ok(b));
    assert_eq!(t.names(ROOT).unwrap(), [&b"a"[..], b"g", b"moved"]);
    t.rename((ROOT, b"g"), (ROOT, b"moved")).unwrap_err();
    for bad in [&b""[..], b".", b"..", &[b'n'; 256], b"z\0"] {
        assert!(t.create(ROOT, bad, file(), 0o666).is_err(), "{bad:?}");
    }
    for name in [&b"a"[..], b"moved"] {
        t.remove(ROOT, name, true).unwrap();
    }
    t.remove(ROOT, b"g", false).unwrap();
    assert_eq!(t.used(), 0);
}

#[test]
fn permission_bits_count() {
    let mut t = Tree::new(1 << 20);
    let d = t.create(ROOT, b"d", folder(), 0o777).unwrap();
    assert_eq!(t.stat(d).unwrap().mode, libc::S_IFDIR | 0o755);
    t.create(d, b"f", file(), 0o666).unwrap();
    t.set_mode(d, 0o500).unwrap();
    assert_eq!(t.create(d, b"g", file(), 0), Err(Errno::DENIED));
    assert_eq!(t.remove(d, b"f", false), Err(Errno::DENIED));
    assert!(t.lookup(d, b"f").is_ok());
    t.set_mode(d, 0o300).unwrap();
    assert_eq!(t.names(d), Err(Errno::DENIED));
    t.set_mode(d, 0o600).unwrap();
    assert_eq!(t.lookup(d, b"f"), Err(Errno::DENIED));
}

#[test]
fn times_follow_the_changes() {
    let mut t = Tree::new(1 << 20);
    let a = t.create(ROOT, b"a", file(), 0o666).unwrap();
    let b = t.create(ROOT, b"b", file(), 0o666).unwrap();
    assert!(t.stat(a).unwrap().mtime < t.stat(b).unwrap().mtime);
    t.write(a, 0, b"x").unwrap();
    assert!(t.stat(a).unwrap().mtime > t.stat(b).unwrap().mtime);
    assert!(t.stat(a).unwrap().mtime > t.stat(a).unwrap().birthtime);
}

#[test]
fn locks_of_two_owners_exclude_each_other() {
    let mut t = Tree::new(1 << 20);
    let f = t.create(ROOT, b"f", file(), 0o666).unwrap();
    let held = |owner, start, end, shared| Held {
        owner,
        start,
        end,
        shared,
    };
    assert_eq!(t.lock(f, held(1, 0, 100, false), false), Ok(true));
    assert_eq!(t.lock(f, held(2, 50, 60, true), false), Ok(false));
    assert_eq!(t.lock(f, held(1, 40, 70, false), true), Ok(true));
    assert_eq!(t.lock(f, held(2, 50, 60, true), false), Ok(true));
    assert_eq!(t.lock(f, held(2, 60, 80, true), false), Ok(false));
    assert_eq!(t.lock(f, held(3, 55, 56, true), false), Ok(true));
    assert_eq!(t.lock(f, held(3, 55, 56, false), false), Ok(false));
    t.unlock_all(f, 1);
    assert_eq!(t.lock(f, held(3, 70, 80, false), false), Ok(true));
}

fn open(files: &MemoryFiles, name: &str, flags: i32) -> OpenFile {
    let id = files.tree().find(&[name.as_bytes()]).unwrap();
    OpenFile::new(files, id, flags, 1).unwrap()
}

#[test]
fn open_files_have_positions_and_modes() {
    let files = MemoryFiles::new().with("f", "0123456789").unwrap();
    let mut f = open(&files, "f", libc::O_RDWR);
    let mut buf = [0; 4];
    assert_eq!((f.read(&mut buf), &buf), (Ok(4), b"0123"));
    assert_eq!((f.write(b"xy"), f.available()), (Ok(2), Ok(4)));
    assert_eq!(f.seek(-1, Whence::Start), Err(Errno(libc::EINVAL)));
    assert_eq!(f.seek(-3, Whence::End), Ok(7));
    assert_eq!((f.pread(&mut buf, 4), &buf), (Ok(4), b"xy67"));
    let end = f.seek(i64::MAX, Whence::Current);
    assert_eq!(end, Err(Errno(libc::EOVERFLOW)));
    let mut append = open(&files, "f", libc::O_WRONLY | libc::O_APPEND);
    append.write(b"!").unwrap();
    assert_eq!(append.read(&mut buf), Err(Errno(libc::EBADF)));
    assert_eq!(files.read("f").unwrap(), b"0123xy6789!");
    let mut only = open(&files, "f", libc::O_RDONLY);
    assert_eq!(only.write(b"x"), Err(Errno(libc::EBADF)));
    assert_eq!(only.truncate(0), Err(Errno(libc::EINVAL)));
    let lock = |f: &OpenFile, start, len| {
        f.lock(Lock {
            start,
            len,
            shared: Some(false),
        })
    };
    assert_eq!(lock(&f, 0, 0), Ok(true));
    assert_eq!(lock(&f, i64::MAX, 2), Err(Errno(libc::EOVERFLOW)));
    assert_eq!(lock(&f, -1, 2), Err(Errno(libc::EINVAL)));
}

#[test]
fn mappings_show_the_file_or_a_copy() {
    let files = MemoryFiles::new().with("f", vec![1; 5000]).unwrap();
    let f = open(&files, "f", libc::O_RDWR);
    let shared = f.map(4096, 4096, Access::Write).unwrap();
    let private = f.map(0, 5000, Access::Private).unwrap();
    shared.put::<u8>(0, 9).unwrap();
    assert_eq!(f.pread(&mut [0; 1], 4096), Ok(1));
    assert_eq!(files.read("f").unwrap()[4096], 9);
    assert_eq!(private.get::<u8>(4096), Some(1));
    private.put::<u8>(0, 7).unwrap();
    assert_eq!(files.read("f").unwrap()[0], 1);
    // the rest of the last page is zeros; behind a cut there is nothing
    assert_eq!(shared.get::<u8>(1000), Some(0));
    f.truncate(10).unwrap();
    assert_eq!(shared.get::<u8>(0), None);
    assert_eq!(shared.put::<u8>(0, 1), None);
    assert_eq!(private.get::<u8>(4999), Some(1));
    let full = MemoryFiles::with_limit(10_000)
        .with("f", vec![1; 5000])
        .unwrap();
    let g = open(&full, "f", libc::O_RDONLY);
    let taken = full.used();
    let first = g.map(0, 4096, Access::Private).unwrap();
    let second = g.map(0, 4096, Access::Private);
    assert_eq!(second.err(), Some(Errno(libc::ENOSPC)));
    drop(first);
    assert_eq!(full.used(), taken);
    let only = open(&files, "f", libc::O_RDONLY);
    assert!(only.map(0, 10, Access::Write).is_err());
    let view = only.map(0, 10, Access::Read).unwrap();
    assert_eq!(view.put::<u8>(0, 1), None);
    // a mapping outlives names and descriptors
    drop((f, only));
    files.tree().remove(ROOT, b"f", false).unwrap();
    assert_eq!(view.get::<u8>(9), Some(1));
    let taken = files.used();
    drop((view, shared));
    assert!(files.used() < taken);
}

#[test]
fn a_deep_tree_is_dropped_without_recursion() {
    let mut t = Tree::new(u64::MAX);
    let mut at = ROOT;
    for _ in 0..200_000 {
        at = t.create(at, b"d", folder(), 0o777).unwrap();
    }
    assert!(t.files().is_empty());
    drop(t);
}
