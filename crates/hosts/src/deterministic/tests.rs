//! The world in memory, over a host that grants nothing, and over the operating system.

use super::*;
use rjvm_jdk_stubs::os::{OsHost, StandardStreams};
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{Address, Descriptors, Errno, Files, Network, Poll, SeekOrigin};
use std::net::SocketAddr;

fn settings(seed: u64) -> Settings {
    Settings {
        seed,
        environment: Vec::new(),
        java_home: "/nowhere".into(),
        folder: None,
        face: ClockReading::default(),
    }
}

fn host() -> Deterministic {
    Deterministic::new(Box::new(OsHost::with(StandardStreams::null())), settings(1))
}

/// A request that is not answered here would have its default answer, not the inner host's.
#[test]
fn every_request_is_answered() {
    macro_rules! names {
        ($all:ident; $($(#[$m:meta])* $word:ident { $($(#[$n:meta])* fn $name:ident($($a:tt)*) -> $r:ty $(= $d:expr)?;)* })*) => {
            $all.extend([$($(stringify!($name)),*),*]);
        };
    }
    let mut all = Vec::<&str>::with_capacity(200);
    rjvm_vm::host_requests! { names!, all; }
    rjvm_vm::descriptor_requests! { names!, all; }
    rjvm_vm::file_requests! { names!, all; }
    rjvm_vm::network_requests! { names!, all; }
    rjvm_vm::process_requests! { names!, all; }
    assert!(all.len() > 100);
    let sources = [
        include_str!("mod.rs"),
        include_str!("descriptors.rs"),
        include_str!("files.rs"),
        include_str!("network.rs"),
        include_str!("processes.rs"),
    ];
    for name in all {
        let declared = format!("    fn {name}(&mut self");
        assert!(sources.iter().any(|s| s.contains(&declared)), "{name}");
    }
}

#[test]
fn entropy_follows_from_the_seed() {
    let draw = |seed| {
        let mut h = Deterministic::new(
            Box::new(OsHost::with(StandardStreams::null())),
            settings(seed),
        );
        let mut buf = [0; 13];
        h.entropy(&mut buf);
        buf
    };
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
}

#[test]
fn a_pipe_holds_what_it_holds_and_reports_its_end() {
    let mut h = host();
    let d = h.descriptors();
    let (r, w) = d.pipe().unwrap();
    assert_eq!((r, w), (3, 4));
    assert_eq!(d.read(r, &mut [0; 4]), Err(Errno(libc::EAGAIN)));
    assert_eq!(d.write(w, &[7; 100_000]), Ok(65536));
    assert_eq!(d.write(w, &[7]), Err(Errno(libc::EAGAIN)));
    let poll = |d: &mut dyn Descriptors, fd, events| {
        let mut p = [Poll {
            fd,
            events,
            revents: 0,
        }];
        d.poll(&mut p).unwrap();
        p[0].revents
    };
    assert_eq!(poll(d, w, libc::POLLOUT), 0);
    let mut buf = vec![0; 70_000];
    assert_eq!(d.read(r, &mut buf), Ok(65536));
    assert_eq!(poll(d, w, libc::POLLOUT), libc::POLLOUT);
    // a second number keeps it open
    let copy = d.dup(w).unwrap();
    d.close(w).unwrap();
    assert_eq!(poll(d, r, libc::POLLIN), 0);
    d.close(copy).unwrap();
    assert_eq!(d.read(r, &mut buf), Ok(0));
    d.close(r).unwrap();
    assert_eq!(d.close(r), Err(Errno(libc::EBADF)));
    assert_eq!(d.open_count(), 3);
    assert!(h.channels.is_empty(1));
}

#[test]
fn connections_within_the_program_need_no_kernel() {
    let mut h = host();
    let at = |port| Address::Inet(SocketAddr::from(([127, 0, 0, 1], port)));
    let server = h.socket(libc::AF_INET, libc::SOCK_STREAM, 0).unwrap();
    h.bind(server, &at(0)).unwrap();
    h.listen(server, 5).unwrap();
    assert_eq!(h.local_address(server), Ok(at(32768)));
    let epoll = h.epoll_create().unwrap();
    let (add, input) = (libc::EPOLL_CTL_ADD, libc::EPOLLIN as u32);
    h.epoll_control(epoll, add, server, input).unwrap();
    assert!(h.wait(&[(epoll, 1)], Some(i64::MIN)).is_empty());
    let client = h.socket(libc::AF_INET, libc::SOCK_STREAM, 0).unwrap();
    h.connect(client, &at(32768)).unwrap();
    assert_eq!(h.wait(&[(epoll, 1)], None), [0]);
    assert_eq!(h.epoll_ready(epoll, 8), Ok(vec![(server, input)]));
    let (end, from) = h.accept(server).unwrap();
    assert_eq!(from, at(32769));
    assert_eq!(h.accept(server), Err(Errno(libc::EAGAIN)));
    assert_eq!(h.send(client, b"hello", 0), Ok(5));
    let mut buf = [0; 3];
    assert_eq!(h.receive(end, &mut buf, libc::MSG_PEEK), Ok(3));
    assert_eq!(Descriptors::read(&mut h, end, &mut buf), Ok(3));
    assert_eq!(h.available(end), Ok(2));
    assert!(!h.is_outside(end) && !h.is_outside(epoll));
    // closed with input unread: the other side gets an error
    h.close(end).unwrap();
    assert_eq!(h.receive(client, &mut buf, 0), Err(Errno(libc::ECONNRESET)));
    assert_eq!(h.send(client, b"x", 0), Err(Errno(libc::EPIPE)));
    // somebody else has the port, and then nobody
    let other = h.socket(libc::AF_INET, libc::SOCK_STREAM, 0).unwrap();
    assert_eq!(h.bind(other, &at(32768)), Err(Errno(libc::EADDRINUSE)));
    h.close(server).unwrap();
    assert_eq!(h.connect(other, &at(32768)), Err(Errno(libc::ECONNREFUSED)));
}

#[test]
fn who_does_not_wait_for_a_connection_finds_out_by_looking() {
    let mut h = host();
    let at = |port| Address::Inet(SocketAddr::from(([127, 0, 0, 1], port)));
    let stream = |h: &mut Deterministic| h.socket(libc::AF_INET, libc::SOCK_STREAM, 0).unwrap();
    let error = |h: &mut Deterministic, fd| {
        let mut v = [0; 4];
        let n = h.option(fd, libc::SOL_SOCKET, libc::SO_ERROR, &mut v);
        assert_eq!(n, Ok(4));
        i32::from_ne_bytes(v)
    };
    let under_way = Err(Errno(libc::EINPROGRESS));
    let refused = Errno(libc::ECONNREFUSED);
    let server = stream(&mut h);
    h.bind(server, &at(0)).unwrap();
    h.listen(server, 5).unwrap();
    // watched from before it connects
    let (client, epoll) = (stream(&mut h), h.epoll_create().unwrap());
    h.set_blocking(client, false).unwrap();
    let (add, output) = (libc::EPOLL_CTL_ADD, libc::EPOLLOUT as u32);
    h.epoll_control(epoll, add, client, output).unwrap();
    assert_eq!(h.connect(client, &at(32768)), under_way);
    assert_eq!(h.wait(&[(epoll, 1)], None), [0]);
    assert_eq!(h.epoll_ready(epoll, 8), Ok(vec![(client, output)]));
    assert_eq!(error(&mut h, client), 0);
    assert_eq!(h.accept(server).unwrap().1, at(32769));
    // refused: said once, by whatever asks first
    h.close(server).unwrap();
    for way in 0..4 {
        let client = stream(&mut h);
        h.set_blocking(client, false).unwrap();
        assert_eq!(h.connect(client, &at(32768)), under_way);
        let mut p = [Poll {
            fd: client,
            events: libc::POLLOUT,
            revents: 0,
        }];
        assert_eq!(h.poll(&mut p), Ok(1));
        let found = libc::POLLOUT | libc::POLLHUP | libc::POLLERR;
        assert_eq!(p[0].revents, found);
        match way {
            0 => assert_eq!(error(&mut h, client), libc::ECONNREFUSED),
            1 => assert_eq!(h.receive(client, &mut [0], 0), Err(refused)),
            2 => assert_eq!(h.send(client, &[0], 0), Err(refused)),
            _ => assert_eq!(h.connect(client, &at(32768)), Err(refused)),
        }
        assert_eq!(error(&mut h, client), 0);
        let left = Err(Errno(libc::ENOTCONN));
        assert_eq!(h.receive(client, &mut [0], 0), left);
    }
    // who waits is answered at once
    let client = stream(&mut h);
    assert_eq!(h.connect(client, &at(32768)), Err(refused));
    assert_eq!(error(&mut h, client), 0);
}

#[test]
fn who_shuts_its_input_reads_the_end_and_urgent_data_is_read_in_its_turn_on_request() {
    let mut h = host();
    let at = |port| Address::Inet(SocketAddr::from(([127, 0, 0, 1], port)));
    let server = h.socket(libc::AF_INET, libc::SOCK_STREAM, 0).unwrap();
    h.bind(server, &at(0)).unwrap();
    h.listen(server, 5).unwrap();
    let client = h.socket(libc::AF_INET, libc::SOCK_STREAM, 0).unwrap();
    h.connect(client, &at(32768)).unwrap();
    let (end, _) = h.accept(server).unwrap();
    let mut buf = [0; 4];
    assert_eq!(h.send(client, b"a", libc::MSG_OOB), Ok(1));
    let inline = (libc::SOL_SOCKET, libc::SO_OOBINLINE);
    h.set_option(end, inline.0, inline.1, &1i32.to_ne_bytes())
        .unwrap();
    assert_eq!(h.send(client, b"b", libc::MSG_OOB), Ok(1));
    assert_eq!(h.receive(end, &mut buf, 0), Ok(1));
    assert_eq!(buf[0], b'b');
    assert_eq!(h.receive(end, &mut buf, 0), Err(Errno(libc::EAGAIN)));
    assert!(h.wait(&[(end, 1)], Some(i64::MIN)).is_empty());
    h.shutdown(end, libc::SHUT_RD).unwrap();
    assert_eq!(h.wait(&[(end, 1)], Some(i64::MIN)), [0]);
    assert_eq!(h.receive(end, &mut buf, 0), Ok(0));
    assert_eq!(h.send(end, b"c", 0), Ok(1));
    assert_eq!(h.receive(client, &mut buf, 0), Ok(1));
    h.close(end).unwrap();
    let gone = Err(Errno(libc::EPIPE));
    assert_eq!(h.send(client, b"d", libc::MSG_OOB), gone);
}

/// A machine that has no IPv6, and notes its requests.
#[derive(Clone, Default)]
struct OldMachine(std::sync::Arc<std::sync::Mutex<Vec<String>>>);

impl OldMachine {
    fn note<T>(&self, what: String, answer: T) -> Io<T> {
        self.0.lock().unwrap().push(what);
        Ok(answer)
    }
}

impl Host for OldMachine {
    fn nano_time(&mut self) -> i64 {
        0
    }
    fn wall_clock(&mut self) -> (i64, u32) {
        (0, 0)
    }
    fn entropy(&mut self, _: &mut [u8]) {}
    fn wait(&mut self, _: &[(i32, u8)], _: Option<i64>) -> Vec<usize> {
        Vec::new()
    }
    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
    fn network(&mut self) -> &mut dyn Network {
        self
    }
}

impl Network for OldMachine {
    fn socket(&mut self, domain: i32, _: i32, _: i32) -> Io<i32> {
        assert_eq!(domain, libc::AF_INET);
        self.note("socket".into(), 50)
    }
    fn set_option(&mut self, _: i32, level: i32, _: i32, _: &[u8]) -> Io<()> {
        assert_eq!(level, libc::IPPROTO_IPV6);
        Err(Errno(libc::ENOPROTOOPT))
    }
    fn bind(&mut self, fd: i32, to: &Address) -> Io<()> {
        self.note(format!("bind {fd} {to:?}"), ())
    }
    fn connect(&mut self, fd: i32, to: &Address) -> Io<()> {
        self.note(format!("connect {fd} {to:?}"), ())
    }
    fn send_to(&mut self, fd: i32, buf: &[u8], to: &Address) -> Io<usize> {
        self.note(format!("send to {fd} {to:?}"), buf.len())
    }
}

#[test]
fn sockets_of_both_protocols_reach_out_of_a_machine_without_ipv6() {
    let old = OldMachine::default();
    let mut h = Deterministic::new(Box::new(old.clone()), settings(1));
    assert!(h.has_ipv6());
    let at = |a: &str| Address::Inet(a.parse().unwrap());
    let both = |h: &mut Deterministic, kind| h.socket(libc::AF_INET6, kind, 0).unwrap();
    let s = both(&mut h, libc::SOCK_STREAM);
    h.set_option(s, libc::IPPROTO_IPV6, libc::IPV6_V6ONLY, &[0; 4])
        .unwrap();
    h.bind(s, &at("[::]:80")).unwrap();
    h.connect(s, &at("[::ffff:192.0.2.7]:443")).unwrap();
    let d = both(&mut h, libc::SOCK_DGRAM);
    assert_eq!(h.send_to(d, b"abc", &at("[::ffff:192.0.2.8]:53")), Ok(3));
    let want = [
        "socket",
        "bind 50 Inet(0.0.0.0:80)",
        "connect 50 Inet(192.0.2.7:443)",
        "socket",
        "send to 50 Inet(192.0.2.8:53)",
    ];
    assert_eq!(*old.0.lock().unwrap(), want);
}

#[test]
fn sockets_of_both_protocols_meet_those_of_ipv4() {
    let mut h = host();
    let at = |a: &str| Address::Inet(a.parse().unwrap());
    let server = h.socket(libc::AF_INET6, libc::SOCK_STREAM, 0).unwrap();
    assert_eq!(
        h.bind(server, &at("127.0.0.1:0")),
        Err(Errno(libc::EAFNOSUPPORT))
    );
    assert_eq!(
        h.bind(server, &at("[2001:db8::1]:0")),
        Err(Errno(libc::EADDRNOTAVAIL))
    );
    h.listen(server, 5).unwrap();
    assert_eq!(h.local_address(server), Ok(at("[::]:32768")));
    let four = h.socket(libc::AF_INET, libc::SOCK_STREAM, 0).unwrap();
    h.connect(four, &at("127.0.0.1:32768")).unwrap();
    let six = h.socket(libc::AF_INET6, libc::SOCK_STREAM, 0).unwrap();
    h.connect(six, &at("[::1]:32768")).unwrap();
    let (end, from) = h.accept(server).unwrap();
    assert_eq!(from, at("[::ffff:127.0.0.1]:32769"));
    assert_eq!(h.local_address(four), Ok(at("127.0.0.1:32769")));
    assert_eq!(h.local_address(end), Ok(at("[::ffff:127.0.0.1]:32768")));
    assert_eq!(h.accept(server).unwrap().1, at("[::1]:32770"));
    assert_eq!(h.peer_address(six), Ok(at("[::1]:32768")));
}

#[test]
fn names_of_the_four_folders_are_translated() {
    let mut h = host();
    let here = std::env::current_dir().unwrap();
    let real = h.inner.files().real_path(here.to_str().unwrap().as_bytes());
    let real = String::from_utf8(real.unwrap()).unwrap();
    let there = |h: &Deterministic, p: &str| {
        String::from_utf8(h.places.real(p.as_bytes()).unwrap()).unwrap()
    };
    assert_eq!(there(&h, "/rjvm/work/a/../b"), format!("{real}/b"));
    assert_eq!(
        there(&h, "/rjvm/work/../../etc"),
        format!("{real}/../../etc")
    );
    assert_eq!(there(&h, "/rjvmx"), "/rjvmx");
    // what lies beside the working folder
    let (parent, _) = real.rsplit_once('/').unwrap();
    for name in ["/rjvm/other", "/rjvm/work/../other"] {
        assert_eq!(there(&h, name), format!("{parent}/other"));
    }
    assert_eq!(h.places.guest(format!("{real}/x").into()), b"/rjvm/work/x");
    assert_eq!(
        h.places.guest(format!("{real}x").into()),
        format!("/rjvm{}x", &real[parent.len()..]).into_bytes()
    );
    let home = format!("{parent}/home/x").into_bytes();
    assert_eq!(h.places.guest(home.clone()), home, "there is another one");
    assert_eq!(
        h.places
            .real_text(b"-Da=/rjvm/work/x:/rjvm/works:/rjvm/work"),
        format!("-Da={real}/x:{parent}/works:{real}").into_bytes()
    );
    assert_eq!(h.read_dir(b"/rjvm/").unwrap().len(), 4);
    // temporary files are new each time, and go with the host
    let fd = h
        .open(-100, b"/rjvm/tmp/f", libc::O_CREAT | libc::O_RDWR, 0o600)
        .unwrap();
    let s = Descriptors::stat(&mut h, fd).unwrap();
    assert_eq!((s.mode & 0o777, s.uid, s.size), (0o600, 1000, 0));
    let dir = there(&h, "/rjvm/tmp");
    assert!(std::path::Path::new(&dir).join("f").exists());
    drop(h);
    assert!(!std::path::Path::new(&dir).exists());
}

#[test]
fn folders_that_killed_runs_have_left_are_removed() {
    let base = std::env::temp_dir().join(format!("rjvm-places-{}", std::process::id()));
    std::fs::create_dir_all(base.join("rjvm-run-other")).unwrap();
    std::fs::write(base.join("rjvm-run-file"), "not one").unwrap();
    std::fs::create_dir(base.join("other")).unwrap();
    let (first, lock) = places::make(&base).unwrap();
    std::fs::write(first.join("tmp/x"), "x").unwrap();
    let (second, _other) = places::make(&base).unwrap();
    let names = |base| {
        let names = std::fs::read_dir(base).unwrap();
        names.map(|e| e.unwrap().path()).collect::<Vec<_>>()
    };
    assert!(first.join("tmp/x").exists());
    assert_eq!(names(&base).len(), 4, "{:?}", names(&base));
    // a process that is gone holds no lock
    drop(lock);
    let (third, _lock) = places::make(&base).unwrap();
    assert!(second.exists() && third.join("home").exists());
    assert!(first == third && !first.join("tmp/x").exists());
    std::fs::remove_dir_all(base).unwrap();
}

#[test]
fn made_up_files_are_left_alone_by_a_seek_to_nowhere() {
    let mut h = host();
    let fd = h.files().open(HERE, b"/proc/version", libc::O_RDONLY, 0);
    let fd = fd.unwrap();
    let d = h.descriptors();
    let mut first = [0; 5];
    assert_eq!(d.read(fd, &mut first), Ok(5));
    let invalid = Err(Errno(libc::EINVAL));
    for origin in [SeekOrigin::Start, SeekOrigin::Current, SeekOrigin::End] {
        assert_eq!(d.seek(fd, i64::MIN, origin), invalid);
    }
    assert_eq!(d.seek(fd, i64::MAX, SeekOrigin::Current), invalid);
    assert_eq!(d.seek(fd, -1, SeekOrigin::Current), Ok(4));
}
