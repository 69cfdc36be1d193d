//! Files in memory: what a disk would do.

use super::node::{HeldLock, NodeKind};
use super::{FIRST_WATCH, MemoryFiles, OpenFile, ROOT, Tree, Watcher};
use rjvm_vm::host::{Errno, Lock, SeekOrigin};
use rjvm_vm::offheap::Access;
use std::collections::BTreeMap;

fn folder() -> NodeKind {
    NodeKind::Folder(BTreeMap::new())
}

fn file() -> NodeKind {
    NodeKind::File(Vec::new())
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
    let open = t.open(f, None).unwrap();
    t.write(f, 0, b"lives on").unwrap();
    t.remove(ROOT, b"f", false).unwrap();
    assert_eq!((t.used(), t.content(f)), (8, Ok(b"lives on".to_vec())));
    t.close(f, open);
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
    let held = |owner, start, end, shared| HeldLock {
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
    OpenFile::new(files, id, None, flags, 1).unwrap()
}

#[test]
fn open_files_have_positions_and_modes() {
    let files = MemoryFiles::new().with("f", "0123456789").unwrap();
    let mut f = open(&files, "f", libc::O_RDWR);
    let mut buf = [0; 4];
    assert_eq!((f.read(&mut buf), &buf), (Ok(4), b"0123"));
    assert_eq!((f.write(b"xy"), f.available()), (Ok(2), Ok(4)));
    assert_eq!(f.seek(-1, SeekOrigin::Start), Err(Errno(libc::EINVAL)));
    assert_eq!(f.seek(-3, SeekOrigin::End), Ok(7));
    assert_eq!((f.pread(&mut buf, 4), &buf), (Ok(4), b"xy67"));
    let end = f.seek(i64::MAX, SeekOrigin::Current);
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

/// Watch, mask and name of the events that wait.
fn events(w: &Watcher) -> Vec<(i32, u32, String)> {
    let mut buf = vec![0; 1 << 20];
    let n = w.read(&mut buf).unwrap_or(0);
    let mut rest = &buf[..n];
    let mut found = Vec::new();
    while let Some((head, tail)) = rest.split_first_chunk::<16>() {
        let word = |i: usize| u32::from_ne_bytes(head[i..i + 4].try_into().unwrap());
        let (name, tail) = tail.split_at(word(12) as usize);
        let text: Vec<u8> = name.iter().copied().take_while(|&b| b != 0).collect();
        assert_eq!(name.len() % 16, 0);
        let text = String::from_utf8(text).unwrap();
        found.push((word(0) as i32, word(4), text));
        rest = tail;
    }
    found
}

#[test]
fn watchers_see_what_the_kernel_reports() {
    const ALL: u32 = libc::IN_ALL_EVENTS;
    let mut t = Tree::new(1 << 24);
    let (w, _ready) = Watcher::new().unwrap();
    let a = t.create(ROOT, b"a", folder(), 0o777).unwrap();
    let sub = t.create(a, b"sub", folder(), 0o777).unwrap();
    assert_eq!(events(&w), []);
    let (n, m) = (t.watch(a, &w, ALL).unwrap(), t.watch(sub, &w, ALL).unwrap());
    assert_eq!((n, m), (FIRST_WATCH, FIRST_WATCH + 1));
    assert_eq!(t.watch(a, &w, ALL), Ok(n));
    let reported = |watch, mask, name: &str| (watch, mask, name.to_string());
    t.set_mode(sub, 0o700).unwrap();
    t.notify(Some((a, b"sub")), sub, libc::IN_ATTRIB);
    let attributes = libc::IN_ATTRIB | libc::IN_ISDIR;
    assert_eq!(
        events(&w),
        [reported(n, attributes, "sub"), reported(m, attributes, "")]
    );
    // the same once more is not reported while the first waits
    let f = t.create(a, b"f", file(), 0o666).unwrap();
    let open = t.open(f, Some((a, b"f"))).unwrap();
    t.notify_open(f, open, libc::IN_MODIFY);
    t.notify_open(f, open, libc::IN_MODIFY);
    t.rename((a, b"f"), (sub, b"g")).unwrap();
    t.notify_open(f, open, libc::IN_MODIFY);
    t.remove(sub, b"g", false).unwrap();
    t.notify_open(f, open, libc::IN_MODIFY);
    t.close(f, open);
    assert_eq!(
        events(&w),
        [
            reported(n, libc::IN_CREATE, "f"),
            reported(n, libc::IN_MODIFY, "f"),
            reported(n, libc::IN_MOVED_FROM, "f"),
            reported(m, libc::IN_MOVED_TO, "g"),
            reported(m, libc::IN_MODIFY, "g"),
            reported(m, libc::IN_DELETE, "g"),
            reported(m, libc::IN_MODIFY, "g"),
        ]
    );
    t.remove(a, b"sub", true).unwrap();
    let gone = [
        reported(m, libc::IN_IGNORED, ""),
        reported(n, libc::IN_DELETE | libc::IN_ISDIR, "sub"),
    ];
    assert_eq!(events(&w), gone);
    // only what was requested, and nothing after the end
    assert_eq!(t.watch(a, &w, libc::IN_DELETE), Ok(n));
    t.create(a, b"h", file(), 0o666).unwrap();
    t.remove(a, b"h", false).unwrap();
    assert!(t.unwatch(&w, n) && !t.unwatch(&w, n));
    t.create(a, b"h", file(), 0o666).unwrap();
    assert_eq!(
        events(&w),
        [
            reported(n, libc::IN_DELETE, "h"),
            reported(n, libc::IN_IGNORED, "")
        ]
    );
    assert_eq!(w.read(&mut [0; 64]), Err(Errno(libc::EAGAIN)));
}

#[test]
fn watchers_take_no_more_room_than_the_kernels() {
    let mut t = Tree::new(1 << 24);
    let (w, _ready) = Watcher::new().unwrap();
    t.watch(ROOT, &w, libc::IN_CREATE | libc::IN_DELETE)
        .unwrap();
    let churn = |t: &mut Tree, name: &[u8], times: usize| {
        for _ in 0..times {
            t.create(ROOT, name, file(), 0o666).unwrap();
            t.remove(ROOT, name, false).unwrap();
        }
    };
    churn(&mut t, b"f", 10_000);
    assert_eq!(w.read(&mut [0; 16]), Err(Errno(libc::EINVAL)));
    let all = events(&w);
    assert_eq!(all.len(), 16385);
    assert_eq!(all[16384], (-1, libc::IN_Q_OVERFLOW, String::new()));
    // long names
    churn(&mut t, &[b'n'; 250], 3_000);
    let (mut n, mut last) = (0, None);
    loop {
        let some = events(&w);
        let Some(end) = some.last() else { break };
        n += some.len();
        last = Some(end.clone());
    }
    assert_eq!(n, (1 << 20) / 250 + 1);
    assert_eq!(last.map(|e| e.1), Some(libc::IN_Q_OVERFLOW));
    churn(&mut t, b"f", 1);
    assert_eq!(events(&w).len(), 2);
    let (other, _ready) = Watcher::new().unwrap();
    let mut made = 0;
    let full = loop {
        let name = format!("d{made}");
        let id = t.create(ROOT, name.as_bytes(), file(), 0o666).unwrap();
        match t.watch(id, &other, libc::IN_MODIFY) {
            Ok(_) => made += 1,
            Err(e) => break e,
        }
    };
    assert_eq!((full, made), (Errno(libc::ENOSPC), 8191));
    // whoever is closed watches nothing
    drop(other);
    let (other, _ready) = Watcher::new().unwrap();
    assert!(t.watch(ROOT, &other, libc::IN_MODIFY).is_ok());
}
