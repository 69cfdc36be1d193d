//! A program reaches its granted files and nothing else, whatever links, `..` and other processes do.

use crate::{Entropy, Environment, Grants, MemoryFiles, Network, StandardStreams};
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{Address, Errno, Host, Io, SeekOrigin, Spawn};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A folder that is removed with this value.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// With `jdk/` and what it needs, and `open/` to be granted, beside `secret`.
    fn new(name: &str) -> TemporaryFolder {
        let dir = std::env::temp_dir().join(format!("rjvm-hosts-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        for folder in ["jdk/lib", "elsewhere/conf", "open/sub"] {
            std::fs::create_dir_all(dir.join(folder)).unwrap();
        }
        for file in [
            "jdk/lib/modules",
            "elsewhere/conf/a",
            "elsewhere/b",
            "open/f",
        ] {
            std::fs::write(dir.join(file), file).unwrap();
        }
        std::fs::write(dir.join("secret"), "secret").unwrap();
        symlink(dir.join("elsewhere/conf"), dir.join("jdk/conf")).unwrap();
        symlink("../../elsewhere/b", dir.join("jdk/lib/b")).unwrap();
        TemporaryFolder(dir)
    }
    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
    fn host(&self, grants: &Grants) -> Box<dyn Host> {
        let jdk = self.path("jdk");
        grants.host(&jdk, StandardStreams::null()).unwrap()
    }
    /// A name below the JDK's folder.
    fn jdk(&self, name: &str) -> String {
        self.path("jdk").join(name).display().to_string()
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn open(host: &mut dyn Host, path: &str, flags: i32) -> Io<i32> {
    host.files().open(HERE, path.as_bytes(), flags, 0o666)
}

fn read(host: &mut dyn Host, path: &str) -> Io<String> {
    let fd = open(host, path, libc::O_RDONLY)?;
    let mut buf = [0; 100];
    let r = host.descriptors().read(fd, &mut buf);
    host.descriptors().close(fd)?;
    Ok(String::from_utf8_lossy(&buf[..r?]).into_owned())
}

const MISSING: Errno = Errno(libc::ENOENT);

#[test]
fn the_jdk_can_be_read_through_its_links_and_not_be_changed() {
    let t = TemporaryFolder::new("jdk");
    let mut host = t.host(&Grants::none());
    let host = &mut *host;
    for (name, content) in [
        ("lib/modules", "jdk/lib/modules"),
        ("conf/a", "elsewhere/conf/a"),
        ("conf/../lib/b", "elsewhere/b"),
        ("lib/b", "elsewhere/b"),
    ] {
        assert_eq!(read(host, &t.jdk(name)).as_deref(), Ok(content), "{name}");
        let path = t.jdk(name);
        let changed = open(host, &path, libc::O_WRONLY);
        assert_eq!(changed, Err(Errno(libc::EROFS)), "{name}");
        let removed = host.files().remove(HERE, path.as_bytes(), false);
        assert_eq!(removed, Err(Errno(libc::EROFS)), "{name}");
        let fd = open(host, &path, libc::O_RDONLY).unwrap();
        let changed = host.descriptors().chmod(fd, 0o777);
        assert_eq!(changed, Err(Errno(libc::EROFS)), "{name}");
    }
    let stat = |host: &mut dyn Host, follow| {
        let path = t.jdk("lib/b");
        host.files().stat(HERE, path.as_bytes(), follow).unwrap()
    };
    assert!(stat(host, true).is_regular());
    assert_eq!(stat(host, false).kind(), libc::S_IFLNK);
    let names = host.files().read_dir(t.jdk("conf").as_bytes());
    assert_eq!(names.unwrap(), [b"a"]);
    // where the links of the JDK lead is not where `..` leads from there
    assert_eq!(read(host, &t.jdk("conf/../../secret")), Err(Errno::DENIED));
    assert_eq!(read(host, &t.jdk("../secret")), Err(Errno::DENIED));
}

#[test]
fn links_mean_what_they_say_to_the_program() {
    let t = TemporaryFolder::new("links");
    let files = MemoryFiles::new().with("/secret", "mine").unwrap();
    let grants = Grants::none()
        .memory_files(&files)
        .read_dir(t.path("open"), "/in")
        .write_dir(t.path("elsewhere"), "/in/deeper");
    symlink(t.path("secret"), t.path("open/absolute")).unwrap();
    symlink("../secret", t.path("open/relative")).unwrap();
    symlink("/secret", t.path("open/same-name")).unwrap();
    symlink("loop", t.path("open/loop")).unwrap();
    symlink("f/", t.path("open/file-as-folder")).unwrap();
    let mut host = t.host(&grants);
    let host = &mut *host;
    assert_eq!(read(host, "/in/absolute"), Err(MISSING));
    // one up from /in is the program's own root
    assert_eq!(read(host, "/in/relative").as_deref(), Ok("mine"));
    assert_eq!(read(host, "/in/same-name").as_deref(), Ok("mine"));
    assert_eq!(read(host, "/in/loop"), Err(Errno(libc::ELOOP)));
    let expected = Err(Errno(libc::ENOTDIR));
    assert_eq!(read(host, "/in/file-as-folder"), expected);
    assert_eq!(read(host, "/in/f/x"), Err(Errno(libc::ENOTDIR)));
    // a mount in a mount, with rights of its own
    assert_eq!(read(host, "/in/deeper/b").as_deref(), Ok("elsewhere/b"));
    let new = libc::O_WRONLY | libc::O_CREAT;
    assert!(open(host, "/in/deeper/new", new).is_ok());
    assert_eq!(open(host, "/in/new", new), Err(Errno(libc::EROFS)));
    let real = host.files().real_path(b"/in/deeper/../relative");
    assert_eq!(real.as_deref(), Ok(&b"/secret"[..]));
    // from an open folder
    let folder = open(host, "/in/sub", libc::O_RDONLY).unwrap();
    let up = host.files().open(folder, b"../f", libc::O_RDONLY, 0);
    assert!(up.is_ok());
    let far = host
        .files()
        .open(folder, b"../../../../../etc/passwd", 0, 0);
    assert_eq!(far, Err(MISSING));
    let file = open(host, "/in/f", libc::O_RDONLY).unwrap();
    let from = host.files().open(file, b"x", libc::O_RDONLY, 0);
    assert_eq!(from, Err(Errno(libc::ENOTDIR)));
    let long = format!("/{}", "x/".repeat(3000));
    assert_eq!(read(host, &long), Err(Errno(libc::ENAMETOOLONG)));
    assert_eq!(read(host, "/in/f\0"), Err(MISSING));
    assert_eq!(read(host, ""), Err(MISSING));
}

#[test]
fn who_exchanges_folders_for_links_meanwhile_gains_nothing() {
    let t = TemporaryFolder::new("race");
    std::fs::write(t.path("open/sub/secret"), "mine").unwrap();
    symlink(&t.0, t.path("open/link")).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let exchange = {
        let (stop, dir) = (stop.clone(), t.path("open"));
        std::thread::spawn(move || {
            let exchange = rustix::fs::RenameFlags::EXCHANGE;
            let (a, b) = (dir.join("sub"), dir.join("link"));
            while !stop.load(Ordering::Relaxed) {
                rustix::fs::renameat_with(rustix::fs::CWD, &a, rustix::fs::CWD, &b, exchange)
                    .unwrap();
            }
        })
    };
    let grants = Grants::none().write_dir(t.path("open"), "/");
    let mut host = t.host(&grants);
    let mut seen = [0; 2];
    for _ in 0..5000 {
        match read(&mut *host, "/sub/secret") {
            Ok(content) => {
                assert_eq!(content, "mine");
                seen[0] += 1;
            }
            Err(_) => seen[1] += 1,
        }
        let _ = open(&mut *host, "/sub/new", libc::O_WRONLY | libc::O_CREAT);
    }
    stop.store(true, Ordering::Relaxed);
    exchange.join().unwrap();
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
    assert!(!t.path("new").exists());
}

#[test]
fn numbers_are_shared_by_files_in_memory_and_others() {
    let t = TemporaryFolder::new("numbers");
    let files = MemoryFiles::new().with("/m", "memory").unwrap();
    let grants = Grants::none()
        .memory_files(&files)
        .read_dir(t.path("open"), "/in");
    let mut host = t.host(&grants);
    let m = open(&mut *host, "/m", libc::O_RDONLY).unwrap();
    let f = open(&mut *host, "/in/f", libc::O_RDONLY).unwrap();
    assert_eq!((m, f), (3, 4));
    let d = host.descriptors();
    let (m2, f2) = (d.dup(m).unwrap(), d.dup(f).unwrap());
    let mut buf = [0; 3];
    for (fd, content) in [(m, b"mem"), (m2, b"ory"), (f, b"ope"), (f2, b"n/f")] {
        assert_eq!((d.read(fd, &mut buf), &buf), (Ok(3), content));
    }
    // each over the other
    d.dup2(m, f).unwrap();
    d.dup2(f2, m).unwrap();
    assert_eq!(d.seek(f, 0, SeekOrigin::Start), Ok(0));
    assert_eq!((d.read(f, &mut buf), &buf), (Ok(3), b"mem"));
    assert_eq!(d.read(m, &mut buf), Ok(0));
    assert_eq!(d.dup2(m, 1000), Err(Errno(libc::EBADF)));
    for fd in [m, m2, f, f2] {
        d.close(fd).unwrap();
        assert_eq!(d.close(fd), Err(Errno(libc::EBADF)));
        assert_eq!(d.read(fd, &mut buf), Err(Errno(libc::EBADF)));
    }
    assert_eq!(d.open_count(), 0);
}

#[test]
fn devices_and_randomness() {
    let t = TemporaryFolder::new("devices");
    let bytes = |grants: &Grants| {
        let mut host = t.host(grants);
        let mut all = [1; 24];
        let fd = open(&mut *host, "/dev/urandom", libc::O_RDONLY).unwrap();
        host.descriptors().read(fd, &mut all[..8]).unwrap();
        host.entropy(&mut all[8..16]);
        let zero = open(&mut *host, "/dev/zero", libc::O_RDWR).unwrap();
        host.descriptors().read(zero, &mut all[16..]).unwrap();
        assert_eq!(host.descriptors().write(zero, &[1; 5]), Ok(5));
        let null = open(&mut *host, "/dev/null", libc::O_RDONLY).unwrap();
        assert_eq!(host.descriptors().read(null, &mut [0; 9]), Ok(0));
        let written = host.descriptors().write(null, &[0]);
        assert_eq!(written, Err(Errno(libc::EBADF)));
        all
    };
    let a = bytes(&Grants::none());
    assert_eq!(a, bytes(&Grants::none()));
    assert_ne!(a, bytes(&Grants::none().entropy(Entropy::Seeded(1))));
    let real = Grants::none().entropy(Entropy::Real);
    assert_ne!(bytes(&real), bytes(&real));
    assert!(a[..8] != a[8..16] && a[16..] == [0; 8]);
    // nobody changes what all have
    let mut host = t.host(&Grants::none());
    for path in ["/", "/dev", "/dev/null"] {
        let denied = host.files().chmod(path.as_bytes(), 0o777);
        assert_eq!(denied, Err(Errno::DENIED), "{path}");
    }
    let denied = host.files().create_dir(b"/dev/new", 0o777);
    assert_eq!(denied, Err(Errno::DENIED));
}

#[test]
fn sockets_stay_on_this_machine() {
    let t = TemporaryFolder::new("sockets");
    let mut host = t.host(&Grants::none().network(Network::Loopback));
    let n = host.network();
    let at = |ip: Ipv4Addr, port| Address::Inet(SocketAddr::from((ip, port)));
    let denied = Err(Errno::DENIED);
    let fd = n.socket(libc::AF_INET, libc::SOCK_STREAM, 0).unwrap();
    for far in [Ipv4Addr::new(192, 0, 2, 1), Ipv4Addr::BROADCAST] {
        assert_eq!(n.connect(fd, &at(far, 80)), denied);
        assert_eq!(n.bind(fd, &at(far, 80)), denied);
    }
    let mapped = SocketAddr::from((Ipv4Addr::new(192, 0, 2, 1).to_ipv6_mapped(), 80));
    assert_eq!(n.connect(fd, &Address::Inet(mapped)), denied);
    assert_eq!(n.connect(fd, &Address::Unix(b"/run/x".to_vec())), denied);
    assert!(n.socket(libc::AF_UNIX, libc::SOCK_STREAM, 0).is_err());
    assert!(n.socket(libc::AF_INET, libc::SOCK_RAW, 1).is_err());
    let local = |a: Address| match a {
        Address::Inet(a) => a.ip().to_canonical().is_loopback() && a.port() != 0,
        _ => false,
    };
    // one that is bound nowhere, and one that is bound anywhere
    n.listen(fd, 1).unwrap();
    assert!(local(n.local_address(fd).unwrap()));
    for (domain, any) in [
        (libc::AF_INET, SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0))),
        (libc::AF_INET6, SocketAddr::from((Ipv6Addr::UNSPECIFIED, 0))),
    ] {
        let Ok(fd) = n.socket(domain, libc::SOCK_DGRAM, 0) else {
            continue;
        };
        n.bind(fd, &Address::Inet(any)).unwrap();
        assert!(local(n.local_address(fd).unwrap()), "{any}");
    }
    let fd = n.socket(libc::AF_INET, libc::SOCK_DGRAM, 0).unwrap();
    n.send_to(fd, b"x", &at(Ipv4Addr::LOCALHOST, 9)).unwrap();
    assert!(local(n.local_address(fd).unwrap()));
    assert!(n.resolve("example.com").is_err());
    assert_eq!(n.resolve("localhost").unwrap()[0].ip(), Ipv4Addr::LOCALHOST);
}

#[test]
fn a_process_gets_what_is_granted() {
    let t = TemporaryFolder::new("process");
    let variables = vec![("GIVEN".to_string(), "value".to_string())];
    let grants = Grants::none()
        .processes(true)
        .environment(Environment::Given(variables))
        .write_dir(t.path("open"), "/job")
        .current_dir("/job");
    let mut host = t.host(&grants);
    let new = libc::O_WRONLY | libc::O_CREAT;
    let out = open(&mut *host, "/job/out", new).unwrap();
    let null = open(&mut *host, "/job/f", libc::O_RDONLY).unwrap();
    let mut spawn = Spawn {
        program: b"/bin/sh".to_vec(),
        args: vec![b"-c".to_vec(), b"env | grep ^GIVEN; pwd".to_vec()],
        stdio: [null, out, out],
        ..Spawn::default()
    };
    let pid = host.processes().spawn(&spawn).unwrap();
    while host.processes().try_wait(pid, true).unwrap().is_none() {
        std::thread::yield_now();
    }
    let dir = t.path("open").canonicalize().unwrap();
    let expected = format!("GIVEN=value\n{}\n", dir.display());
    assert_eq!(read(&mut *host, "/job/out").unwrap(), expected);
    spawn.dir = Some(b"/dev".to_vec());
    assert_eq!(host.processes().spawn(&spawn), Err(Errno::DENIED));
    let mut bare = t.host(&Grants::none());
    assert_eq!(bare.processes().spawn(&spawn), Err(Errno::DENIED));
    assert_eq!(bare.processes().kill(1, 0), Err(Errno::DENIED));
    assert_eq!(bare.raise_signal(libc::SIGTERM), Err(Errno::DENIED));
    assert!(bare.environment().is_empty());
}

#[test]
fn the_launcher_has_everything() {
    let t = TemporaryFolder::new("launcher");
    let mut host = t.host(&Grants::launcher());
    let host = &mut *host;
    let path = t.path("open/f").display().to_string();
    assert_eq!(read(host, &path).as_deref(), Ok("open/f"));
    let fd = host.network().socket(libc::AF_UNIX, libc::SOCK_STREAM, 0);
    let name = t.path("s").into_os_string().into_encoded_bytes();
    let bound = host.network().bind(fd.unwrap(), &Address::Unix(name));
    assert!(bound.is_ok() && t.path("s").exists());
    assert_eq!(host.processes().own_id(), i64::from(std::process::id()));
    assert_eq!(host.processes().exit(), Ok(()));
    assert!(host.environment().len() > 1);
    assert!(host.wall_clock().0 > 1_700_000_000);
    assert_ne!(host.system(), t.host(&Grants::none()).system());
    let mut narrowed = t.host(&Grants::launcher().network(Network::Off));
    let denied = narrowed
        .network()
        .socket(libc::AF_INET, libc::SOCK_STREAM, 0);
    assert_eq!(denied, Err(Errno::DENIED));
}

#[test]
fn a_virtual_clock_gets_on_by_looking_and_waiting() {
    let t = TemporaryFolder::new("clock");
    let mut host = t.host(&Grants::none());
    let first = host.nano_time();
    assert!(host.nano_time() > first);
    host.wait(&[], Some(5_000_000_000));
    assert!(host.nano_time() > 5_000_000_000);
    assert_eq!(host.wall_clock().0, 946_684_805);
    host.wait(&[], Some(i64::MIN));
    assert_eq!(host.wall_clock().0, 946_684_805);
}

#[test]
fn what_can_not_be_granted_is_an_error() {
    let t = TemporaryFolder::new("errors");
    let jdk = t.path("jdk");
    let host = |grants: Grants| {
        grants
            .host(&jdk, StandardStreams::null())
            .err()
            .unwrap()
            .to_string()
    };
    let missing = host(Grants::none().read_dir(t.path("none"), "/x"));
    assert!(missing.contains("none: No such file"), "{missing}");
    let file = host(Grants::none().read_dir(t.path("secret"), "/x"));
    assert!(file.contains("Not a directory"), "{file}");
    let relative = host(Grants::none().read_dir(t.path("open"), "x"));
    assert_eq!(relative, "x: the name is not absolute");
    assert!(
        Grants::none()
            .host(Path::new("/none"), StandardStreams::null())
            .is_err()
    );
}
