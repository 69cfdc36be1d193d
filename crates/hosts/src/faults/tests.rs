//! Plans, and the requests that reach an inner host under them.

use super::plan::Jump;
use super::{Faulty, Plan};
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::*;
use std::sync::{Arc, Mutex};

/// A world in which everything succeeds.
#[derive(Default)]
struct SucceedingHost {
    seconds: i64,
    next: i32,
}

impl Host for SucceedingHost {
    fn nano_time(&mut self) -> i64 {
        0
    }
    fn wall_clock(&mut self) -> (i64, u32) {
        self.seconds += 1;
        (self.seconds, 5)
    }
    fn entropy(&mut self, _: &mut [u8]) {}
    fn wait(&mut self, _: &[(i32, u8)], _: Option<i64>) -> Vec<usize> {
        Vec::new()
    }
    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
    own_parts! {}
}
impl Descriptors for SucceedingHost {
    fn read(&mut self, _: i32, buf: &mut [u8]) -> Io<usize> {
        Ok(buf.len())
    }
    fn write(&mut self, _: i32, buf: &[u8]) -> Io<usize> {
        Ok(buf.len())
    }
    fn transfer(&mut self, _: i32, _: i64, count: usize, _: i32) -> Io<usize> {
        Ok(count)
    }
    fn stat(&mut self, _: i32) -> Io<Stat> {
        Ok(Stat {
            mode: libc::S_IFREG,
            ..Stat::default()
        })
    }
    fn close(&mut self, _: i32) -> Io<()> {
        Ok(())
    }
}
impl Files for SucceedingHost {
    fn open(&mut self, _: i32, _: &[u8], _: i32, _: u32) -> Io<i32> {
        self.next += 1;
        Ok(self.next + 10)
    }
    fn create_dir(&mut self, _: &[u8], _: u32) -> Io<()> {
        Ok(())
    }
}
impl Processes for SucceedingHost {}
impl Network for SucceedingHost {
    fn socket(&mut self, _: i32, _: i32, _: i32) -> Io<i32> {
        Ok(100)
    }
}

type Reports = Arc<Mutex<Vec<String>>>;

fn host(plan: &str, seed: u64) -> (Faulty, Reports) {
    let reports = Reports::default();
    let kept = reports.clone();
    let report = move |name: &str, request: &str, at: i64| {
        kept.lock()
            .unwrap()
            .push(format!("{name} {request} at {at}"));
    };
    let plan = Plan::parse(plan).unwrap();
    let host = Faulty::new(
        Box::new(SucceedingHost::default()),
        plan,
        seed,
        Arc::new(report),
    );
    (host, reports)
}

#[test]
fn plans_are_read_and_refused() {
    let all =
        "disk-full@1m,short-io:10%,reset:0.5%,denied:3%,denied:/etc,clock-jump@5s:-1h,oom@7,oom@1";
    let plan = Plan {
        disk: Some(1 << 20),
        short: 100_000,
        reset: 5_000,
        denied: 30_000,
        denied_names: vec![b"/etc".to_vec()],
        jump: Some(Jump {
            after: 5_000_000_000,
            by: -3_600_000_000_000,
        }),
        oom: vec![7, 1],
    };
    assert_eq!(Plan::parse(all), Ok(plan));
    for (wrong, message) in [
        ("", "unknown fault"),
        ("x", "unknown fault"),
        ("disk-full:1", "unknown fault"),
        ("disk-full@", "a size"),
        ("short-io:10", "a percentage"),
        ("reset:101%", "a percentage"),
        ("denied:-1%", "a percentage"),
        ("clock-jump@5", "times"),
        ("clock-jump@-5s", "times"),
        ("reset:1%,", "unknown fault"),
        ("oom@0", "a number"),
        ("oom@-1", "a number"),
        ("short-io:ä", "a percentage"),
    ] {
        let refused = Plan::parse(wrong).unwrap_err().to_string();
        assert!(refused.contains(message), "{wrong}: {refused}");
    }
}

#[test]
fn a_disk_is_full_after_its_last_byte() {
    let (mut h, reports) = host("disk-full@10", 1);
    h.at_bytecode(7);
    let fd = h.files().open(HERE, b"f", libc::O_WRONLY, 0).unwrap();
    let d = h.descriptors();
    assert_eq!(d.write(fd, b"12345678"), Ok(8));
    // what is no file is not on the disk
    assert_eq!(d.write(1, b"12345678"), Ok(8));
    assert_eq!(d.write(fd, b"12345678"), Ok(2));
    assert_eq!(d.write(fd, b"1"), Err(Errno(libc::ENOSPC)));
    assert_eq!(d.write(fd, b""), Ok(0));
    assert_eq!(d.transfer(9, 0, 5, fd), Err(Errno(libc::ENOSPC)));
    d.close(fd).unwrap();
    assert_eq!(d.write(fd, b"1"), Ok(1));
    let reported = reports.lock().unwrap();
    assert_eq!(
        reported[..2],
        [
            "disk-full Descriptors::write(fd 11, buf \"12345678\") at 7",
            "disk-full Descriptors::write(fd 11, buf \"1\") at 7"
        ]
    );
}

#[test]
fn connections_break_for_good_and_files_are_denied_by_name() {
    let (mut h, _) = host("reset:100%,denied:/secret", 1);
    let s = h
        .network()
        .socket(2, libc::SOCK_STREAM | libc::SOCK_NONBLOCK, 0)
        .unwrap();
    let d = h.descriptors();
    assert_eq!(d.read(s, &mut [0; 4]), Err(Errno(libc::ECONNRESET)));
    assert_eq!(d.write(s, b"x"), Err(Errno(libc::EPIPE)));
    assert_eq!(d.read(0, &mut [0; 4]), Ok(4));
    let f = h.files();
    let denied = Err(Errno(libc::EACCES));
    assert_eq!(f.open(HERE, b"/secret/x", libc::O_RDONLY, 0), denied);
    assert_eq!(f.create_dir(b"/secret", 0), Err(Errno(libc::EACCES)));
    assert_eq!(f.create_dir(b"/other", 0), Ok(()));
}

#[test]
fn chance_follows_the_seed() {
    let lengths = |seed| {
        let (mut h, _) = host("short-io:30%", seed);
        let read = |_| h.descriptors().read(0, &mut [0; 1000]).unwrap();
        (0..1000).map(read).collect::<Vec<usize>>()
    };
    assert_eq!(lengths(1), lengths(1));
    assert_ne!(lengths(1), lengths(2));
    let short = lengths(3).iter().filter(|&&n| n < 1000).count();
    assert!((200..400).contains(&short), "{short}");
    assert!(!lengths(3).contains(&0));
}

#[test]
fn the_clock_is_set_once() {
    let (mut h, reports) = host("clock-jump@2s:-1h", 1);
    let seen: Vec<i64> = (0..4).map(|_| h.wall_clock().0).collect();
    assert_eq!(seen, [1, 2, 3 - 3600, 4 - 3600]);
    assert_eq!(
        *reports.lock().unwrap(),
        ["clock-jump Host::wall_clock() at 0"]
    );
}
