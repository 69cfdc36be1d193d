//! Recordings without a VM: a list of requests is recorded and replayed, the file damaged in all kinds of ways.

use super::chunks::{ChunkSource, MAGIC, Sink};
use super::{End, Header, RecordingError};
use crate::record::Recorder;
use crate::replay::{Replayer, Stopped};
use rjvm_vm::fault::contain;
use rjvm_vm::host::*;
use rjvm_vm::offheap::{Access, Mapped, Mapping};
use std::io::{self, Cursor};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A host whose answers are made up, never the same twice.
#[derive(Default)]
struct ChangingHost {
    state: u64,
    memory: Arc<Mutex<Vec<u8>>>,
}

impl ChangingHost {
    fn draw(&mut self) -> u64 {
        self.state = self
            .state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(1);
        self.state >> 33
    }
    fn fill(&mut self, buf: &mut [u8]) -> usize {
        let n = (self.draw() as usize % (buf.len() + 1)).max(1);
        buf[..n].fill_with(|| self.draw() as u8);
        n
    }
}

impl Host for ChangingHost {
    fn nano_time(&mut self) -> i64 {
        self.draw() as i64
    }
    fn wall_clock(&mut self) -> (i64, u32) {
        (self.draw() as i64, 5)
    }
    fn entropy(&mut self, buf: &mut [u8]) {
        self.fill(buf);
    }
    fn wait(&mut self, fds: &[(i32, u8)], _: Option<i64>) -> Vec<usize> {
        (0..fds.len())
            .filter(|_| self.draw().is_multiple_of(2))
            .collect()
    }
    fn take_signal(&mut self) -> Option<i32> {
        self.draw().is_multiple_of(3).then_some(15)
    }
    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
    own_parts! {}
}

impl Files for ChangingHost {}
impl Processes for ChangingHost {}
impl Descriptors for ChangingHost {
    fn read(&mut self, _: i32, buf: &mut [u8]) -> Io<usize> {
        Ok(self.fill(buf))
    }
    fn write(&mut self, _: i32, buf: &[u8]) -> Io<usize> {
        Ok((self.draw() as usize % (buf.len() + 1)).max(1))
    }
    fn poll(&mut self, fds: &mut [Poll]) -> Io<usize> {
        for p in &mut *fds {
            p.revents = p.events & self.draw() as i16;
        }
        Ok(fds.iter().filter(|p| p.revents != 0).count())
    }
    fn map(&mut self, _: i32, _: i64, len: usize, _: Access) -> Io<Mapping> {
        *self.memory.lock().unwrap() = vec![7; len];
        Ok(Mapping::of_host(Box::new(SharedMemory(
            self.memory.clone(),
        ))))
    }
    /// Changes a mapped file behind the program's back.
    fn truncate(&mut self, _: i32, len: i64) -> Io<()> {
        let mut memory = self.memory.lock().unwrap();
        match usize::try_from(len) {
            Ok(0) => memory.clear(),
            Ok(at) => {
                if let Some(b) = memory.get_mut(at) {
                    *b = 1;
                }
            }
            Err(_) => return Err(Errno(libc::EINVAL)),
        }
        Ok(())
    }
}

impl Network for ChangingHost {
    fn resolve(&mut self, host: &str) -> Result<Vec<SocketAddr>, String> {
        match self.draw() % 2 {
            0 => Err(format!("{host}?")),
            _ => Ok(vec![SocketAddr::from(([127, 0, 0, 1], self.draw() as u16))]),
        }
    }
    fn receive_from(&mut self, _: i32, buf: &mut [u8], _: i32) -> Io<(usize, Address)> {
        Ok((self.fill(buf), Address::Unix(vec![1, 2])))
    }
}

/// Memory that others change.
struct SharedMemory(Arc<Mutex<Vec<u8>>>);

impl Mapped for SharedMemory {
    fn len(&self) -> usize {
        10_000
    }
    fn read(&self, at: usize, to: &mut [u8]) -> Option<()> {
        to.copy_from_slice(self.0.lock().unwrap().get(at..at + to.len())?);
        Some(())
    }
    fn write(&self, at: usize, from: &[u8]) -> Option<()> {
        let mut memory = self.0.lock().unwrap();
        memory.get_mut(at..at + from.len())?.copy_from_slice(from);
        Some(())
    }
    fn sync(&self, _: usize, _: usize) -> io::Result<()> {
        Err(io::Error::from_raw_os_error(libc::EIO))
    }
    fn advise(&self, _: usize, _: usize, _: bool) -> io::Result<()> {
        Ok(())
    }
    fn is_resident(&self, _: usize, _: usize) -> io::Result<bool> {
        Ok(true)
    }
}

/// Makes all kinds of requests; the answers. `other` changes one of the requests.
fn requests(h: &mut dyn Host, rounds: i64, other: Option<i64>) -> Vec<String> {
    let mut seen = Vec::new();
    let mut mapping = None;
    for i in 0..rounds {
        h.at_bytecode(i * i * 1000);
        let requested = if other == Some(i) { 9 } else { 10 };
        let mut bytes = [0; 100];
        let read = h.descriptors().read(5, &mut bytes[..requested]);
        seen.push(format!("{read:?} {bytes:?}"));
        let mut key = [0; 16];
        h.entropy(&mut key);
        seen.push(format!("{key:?} {} {:?}", h.nano_time(), h.wall_clock()));
        let written = h.descriptors().write(1, format!("line {i}\n").as_bytes());
        seen.push(format!(
            "{written:?} {:?} {:?}",
            h.take_signal(),
            h.files().stat(3, b"x", true)
        ));
        let mut polls = [Poll {
            fd: 3,
            events: -1,
            revents: 0,
        }; 2];
        let ready = h.descriptors().poll(&mut polls);
        seen.push(format!(
            "{ready:?} {polls:?} {:?}",
            h.wait(&[(3, 1), (4, 2)], Some(i64::MIN))
        ));
        seen.push(format!(
            "{:?} {:?}",
            h.network().resolve("host"),
            h.system()
        ));
        let from = h.network().receive_from(4, &mut bytes, 0);
        seen.push(format!("{from:?} {bytes:?}"));
        let m = mapping.get_or_insert_with(|| h.descriptors().map(5, 0, 10_000, Access::Write));
        if let Ok(m) = m {
            if i > 0 {
                let _ = m.write(8190, &[i as u8; 5]);
            }
            seen.push(format!(
                "{:?} {:?} {:?}",
                m.get::<u64>(8188),
                m.sync(0, 9),
                m.is_resident(1, 1).ok()
            ));
            seen.push(format!("{:?}", m.get::<u8>(i as usize)));
        }
        let changed = if i == 30 { 0 } else { i + 1 };
        seen.push(format!("{:?}", h.descriptors().truncate(5, changed)));
    }
    seen
}

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("rjvm-{name}-{}", std::process::id()))
}

/// Bytes of a recording, and the answers.
fn recorded(name: &str, rounds: i64) -> (Vec<u8>, Vec<String>) {
    let path = file(name);
    let header = Header {
        version: "1".into(),
        ..Header::default()
    };
    let (mut host, recording) =
        Recorder::create(Box::new(ChangingHost::default()), &path, &header).unwrap();
    let seen = requests(&mut host, rounds, None);
    let size = recording.finish(END).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(bytes.len() as u64, size);
    std::fs::remove_file(&path).unwrap();
    (bytes, seen)
}

#[test]
fn a_recording_beyond_its_limit_is_reported_at_each_request_and_is_whole() {
    let path = file("limited");
    let (mut host, recording) =
        Recorder::create(Box::new(ChangingHost::default()), &path, &Header::default()).unwrap();
    let notified = Arc::new(Mutex::new(0));
    let count = notified.clone();
    // a request is some bytes long, an answer of the clock up to ten
    recording.set_limit(1000, move || *count.lock().unwrap() += 1);
    let mut unnoticed = 0;
    while *notified.lock().unwrap() == 0 {
        host.nano_time();
        unnoticed += 1;
    }
    assert!((50..500).contains(&unnoticed), "{unnoticed}");
    for _ in 0..3 {
        host.nano_time();
    }
    assert_eq!(*notified.lock().unwrap(), 4);
    recording.finish(END).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let (source, _) =
        ChunkSource::of(Box::new(Cursor::new(bytes.clone())), bytes.len() as u64).unwrap();
    let (mut host, replay) = Replayer::new(source, Box::new(|_, _| ()));
    for _ in 0..unnoticed + 3 {
        host.nano_time();
    }
    assert_eq!(replay.finish(END), Ok(()));
}

const END: End = End {
    bytecodes: 77,
    code: 3,
};

/// The answers from a recording, and how that ended.
fn replayed(
    bytes: &[u8],
    rounds: i64,
    other: Option<i64>,
) -> Result<(Vec<String>, Result<(), Stopped>), RecordingError> {
    let len = bytes.len() as u64;
    let (source, _) = ChunkSource::of(Box::new(Cursor::new(bytes.to_vec())), len)?;
    let (mut host, replay) = Replayer::new(source, Box::new(|_, _| ()));
    let seen = contain(|| requests(&mut host, rounds, other));
    let end = match (&seen, replay.stopped()) {
        (Err(_), Some(why)) => Err(why),
        (Err(panic), None) => panic!("a panic of its own: {panic}"),
        (Ok(_), _) => replay.finish(END),
    };
    Ok((seen.unwrap_or_default(), end))
}

#[test]
fn answers_come_back() {
    let (bytes, seen) = recorded("answers-come", 60);
    let (again, end) = replayed(&bytes, 60, None).unwrap();
    assert_eq!(again, seen);
    assert_eq!(end, Ok(()));
}

#[test]
fn the_first_difference_is_reported() {
    let (bytes, _) = recorded("the-first", 20);
    let (_, end) = replayed(&bytes, 20, Some(7)).unwrap();
    let text = end.unwrap_err().to_string();
    assert_eq!(
        text,
        "the replay diverges from the recording at bytecode 49000, at request 93\n  \
         recorded: at bytecode 49000, Descriptors::read(fd 5, buf of 10 bytes)\n  \
         replayed: at bytecode 49000, Descriptors::read(fd 5, buf of 9 bytes)"
    );
    // it goes on where the recorded one ended
    let (_, end) = replayed(&bytes, 21, None).unwrap();
    let text = end.unwrap_err().to_string();
    assert!(
        text.contains("recorded: at bytecode 77, the end, with exit code 3"),
        "{text}"
    );
    // it ends where the recorded one went on
    let (_, end) = replayed(&bytes, 19, None).unwrap();
    let text = end.unwrap_err().to_string();
    assert!(
        text.ends_with("replayed: at bytecode 77, the end, with exit code 3"),
        "{text}"
    );
}

#[test]
fn whatever_is_in_the_file_is_an_error_or_an_answer() {
    let (bytes, _) = recorded("whatever-is", 40);
    for n in (0..bytes.len()).step_by(7) {
        if let Ok((_, end)) = replayed(&bytes[..n], 40, None) {
            assert!(matches!(end, Err(Stopped::CutOff { .. })), "{n}: {end:?}");
        }
    }
    let mut draw = ChangingHost::default();
    for _ in 0..500 {
        let mut damaged = bytes.clone();
        let at = draw.draw() as usize % damaged.len();
        damaged[at] ^= 1 << (draw.draw() % 8);
        if let Ok((_, end)) = replayed(&damaged, 40, None) {
            assert!(end.is_err(), "byte {at}");
        }
    }
}

/// Behind digests that are right.
#[test]
fn contents_that_make_no_sense_are_an_error_or_an_answer() {
    let (bytes, _) = recorded("contents-that", 40);
    let (mut source, header) =
        ChunkSource::of(Box::new(Cursor::new(bytes.clone())), bytes.len() as u64).unwrap();
    let mut contents = Vec::new();
    while let Some(chunk) = source.next_chunk().unwrap() {
        contents.extend(chunk);
    }
    let path = file("contents");
    let mut draw = ChangingHost::default();
    for i in 0..500 {
        let mut changed = contents.clone();
        for _ in 0..1 + i % 3 {
            let at = draw.draw() as usize % changed.len();
            match draw.draw() % 4 {
                0 => changed[at] = 0xff,
                1 => _ = changed.remove(at),
                2 => changed.insert(at, draw.draw() as u8),
                _ => changed[at] ^= 1 << (draw.draw() % 8),
            }
        }
        let damaged = rewritten(&path, &header, &changed);
        let _ = replayed(&damaged, 40, None).unwrap();
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_file_that_grows_is_read_as_far_as_it_is_whole() {
    let (path, grown) = (file("whole"), file("grown"));
    let mut sink = Sink::create(&path, &Header::default()).unwrap();
    let chunks = [vec![7; 100_000], (0..=255).collect(), vec![9]];
    for chunk in &chunks {
        sink.write(chunk).unwrap();
    }
    let bytes = std::fs::read(&path).unwrap();
    let mut shorter = Sink::create(&path, &Header::default()).unwrap();
    let mut ends = vec![shorter.written as usize];
    for chunk in &chunks {
        shorter.write(chunk).unwrap();
        ends.push(shorter.written as usize);
    }
    std::fs::write(&grown, &bytes[..ends[0]]).unwrap();
    let (mut source, _) = ChunkSource::open(&grown).unwrap();
    source.follow(&grown).unwrap();
    let mut read = Vec::new();
    // whatever is there when it is looked at, also a part of a chunk's head
    for end in ends[0]..=bytes.len() {
        std::fs::write(&grown, &bytes[..end]).unwrap();
        while let Ok(Some(chunk)) = source.next_chunk() {
            read.push(chunk);
        }
        assert_eq!(read.len(), ends[1..].iter().filter(|&&e| e <= end).count());
    }
    assert_eq!(read, chunks);
    for path in [path, grown] {
        std::fs::remove_file(path).unwrap();
    }
}

fn rewritten(path: &Path, header: &Header, contents: &[u8]) -> Vec<u8> {
    let mut sink = Sink::create(path, header).unwrap();
    sink.write(contents).unwrap();
    std::fs::read(path).unwrap()
}

#[test]
fn headers_of_other_versions_are_refused() {
    let (bytes, _) = recorded("headers-of", 1);
    assert!(bytes.starts_with(MAGIC));
    let mut header = Header::default().to_bytes();
    assert_eq!(Header::from_bytes(&header), Ok(Header::default()));
    header[0] += 1;
    let refused = Header::from_bytes(&header).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "it has version 6 of the format; this rjvm reads version 5"
    );
    header[0] -= 1;
    header[1] ^= 1;
    let refused = Header::from_bytes(&header).unwrap_err();
    let refused = refused.to_string();
    let what = "recorded it, and makes different requests to its host";
    assert!(refused.contains(what), "{refused}");
}
