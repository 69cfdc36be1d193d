//! The recorder of a VM: the events of a chunk on their way into its file.

use super::constants::{Constants, StackFilter};
use super::writers::{self, Writer};
use crate::io;
use rjvm_jfr::{Clock, GrowingChunk, Layouts, STATE_AT, UPDATING};
use rjvm_vm::host::Errno;
use rjvm_vm::host::files::HERE;
use rjvm_vm::{Env, R};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The name of the recorder among the VM's extensions.
const NAME: &str = "jdk.jfr recorder";
/// Bytes of events that stay in memory before they are written to the file.
const BEFORE_WRITE: usize = 1 << 20;
/// Bytes of events that are stored without a file.
const IN_MEMORY: usize = 10 << 20;
/// Bytes of a chunk after which the library begins another.
const CHUNK: i64 = 12 << 20;
/// Frames of a stack.
const DEPTH: usize = 64;

/// What settings say of events of the VM.
#[derive(Clone, Copy)]
pub struct EventSetting {
    pub enabled: bool,
    pub stack: bool,
    /// The shortest duration, in nanoseconds.
    pub threshold: i64,
}

impl Default for EventSetting {
    fn default() -> EventSetting {
        EventSetting {
            enabled: false,
            stack: true,
            threshold: 0,
        }
    }
}

/// A virtual thread that blocks its carrier.
#[derive(Clone, Copy)]
pub struct PinnedSince {
    pub since: i64,
    /// `Continuation.doYield`'s result.
    pub reason: i32,
}

/// A chunk that is being written.
struct OpenChunk {
    fd: i32,
    chunk: GrowingChunk,
}

/// The recorder.
pub struct Recorder {
    pub recording: bool,
    chunk: Option<OpenChunk>,
    /// Events that are not in a file yet, whole ones.
    events: VecDeque<Vec<u8>>,
    kept: usize,
    /// The types, as the library has described them last, and whether the chunk has them.
    metadata: Vec<u8>,
    pub layouts: Layouts,
    new_metadata: bool,
    pub constants: Constants,
    pub writers: BTreeMap<u32, Writer>,
    /// Threads that record no events.
    pub excluded: BTreeSet<i64>,
    pub settings: BTreeMap<i64, EventSetting>,
    /// By the numbers of their threads.
    pub pinned: BTreeMap<i64, PinnedSince>,
    pub filters: BTreeMap<i64, StackFilter>,
    pub depth: usize,
    pub chunk_size: i64,
    pub memory: usize,
    /// When the chunk began, in nanoseconds since 1970.
    pub began: i64,
    /// No chunk follows the one that ends next.
    pub last: bool,
    pub dump_path: Option<String>,
}

impl Default for Recorder {
    fn default() -> Recorder {
        Recorder {
            recording: false,
            chunk: None,
            events: VecDeque::new(),
            kept: 0,
            metadata: Vec::new(),
            layouts: Layouts::default(),
            new_metadata: false,
            constants: Constants::default(),
            writers: BTreeMap::new(),
            excluded: BTreeSet::new(),
            settings: BTreeMap::new(),
            pinned: BTreeMap::new(),
            filters: BTreeMap::new(),
            depth: DEPTH,
            chunk_size: CHUNK,
            memory: IN_MEMORY,
            began: 0,
            last: false,
            dump_path: None,
        }
    }
}

impl Recorder {
    /// The VM's.
    pub fn of(vm: &mut Env) -> &mut Recorder {
        io::state(vm.extensions(), NAME)
    }
    /// Its constants.
    pub fn constants_of(vm: &mut Env) -> &mut Constants {
        &mut Recorder::of(vm).constants
    }
    /// The types of events and constants.
    pub fn set_metadata(&mut self, bytes: Vec<u8>) {
        if let Some(layouts) = Layouts::parse(&bytes) {
            self.layouts = layouts;
            self.metadata = bytes;
            self.new_metadata = true;
        }
    }
    /// Bytes of the chunk.
    pub fn size(&self) -> i64 {
        let file = self.chunk.as_ref().map_or(0, |c| c.chunk.size());
        file as i64 + self.kept as i64
    }
    fn keep(&mut self, bytes: Vec<u8>) {
        self.kept += bytes.len();
        self.events.push_back(bytes);
        // without a file, the oldest go
        while self.chunk.is_none() && self.kept > self.memory {
            let Some(old) = self.events.pop_front() else {
                break;
            };
            self.kept -= old.len();
        }
    }
    fn take_events(&mut self) -> Vec<u8> {
        let mut all = Vec::with_capacity(self.kept);
        self.events.drain(..).for_each(|b| all.extend(b));
        self.kept = 0;
        all
    }
}

/// Nanoseconds since 1970.
pub fn now_of_world(vm: &mut Env) -> i64 {
    let (seconds, nanos) = vm.wall_clock();
    seconds
        .saturating_mul(1_000_000_000)
        .saturating_add(nanos.into())
}

/// Events of a thread, whole ones.
pub fn add_events(vm: &mut Env, bytes: Vec<u8>) {
    let recorder = Recorder::of(vm);
    if recorder.recording {
        recorder.keep(bytes);
    }
    if Recorder::of(vm).chunk.is_some() && Recorder::of(vm).kept > BEFORE_WRITE {
        // what cannot be written is lost, as is the rest of the chunk
        let _ = write_events(vm);
    }
}

fn write_all(vm: &mut Env, fd: i32, mut bytes: &[u8], mut at: u64) -> Result<(), Errno> {
    while !bytes.is_empty() {
        let n = vm.host().descriptors().pwrite(fd, bytes, at as i64)?;
        bytes = &bytes[n.min(bytes.len())..];
        at += n as u64;
    }
    Ok(())
}

fn write_events(vm: &mut Env) -> Result<(), Errno> {
    let recorder = Recorder::of(vm);
    let Some(open) = &recorder.chunk else {
        return Ok(());
    };
    let (fd, at) = (open.fd, open.chunk.size());
    let events = recorder.take_events();
    write_all(vm, fd, &events, at)?;
    if let Some(open) = &mut Recorder::of(vm).chunk {
        open.chunk.add(events.len());
    }
    Ok(())
}

/// Writes all that there is to the file, for readers that follow it; `done` if the chunk ends.
fn write_segment(vm: &mut Env, done: bool) -> Result<(), Errno> {
    write_events(vm)?;
    let now = vm.clock_ns();
    let recorder = Recorder::of(vm);
    let (pools, constants) = recorder.constants.take(&recorder.layouts);
    let Some(open) = &mut recorder.chunk else {
        return Ok(());
    };
    let metadata = match recorder.new_metadata || !open.chunk.has_metadata() {
        true => Some(&recorder.metadata[..]),
        false => None,
    };
    let (fd, at) = (open.fd, open.chunk.size());
    let segment = open
        .chunk
        .segment(now, !done, (pools, &constants), metadata);
    let header = open.chunk.header(done, done && recorder.last);
    recorder.new_metadata = false;
    write_all(vm, fd, &segment, at)?;
    write_all(vm, fd, &[UPDATING], STATE_AT)?;
    let state = STATE_AT as usize;
    let mut updating = header.clone();
    updating[state] = UPDATING;
    write_all(vm, fd, &updating, 0)?;
    write_all(vm, fd, &header[state..state + 1], STATE_AT)
}

/// Brings the file up to date, for readers that follow it.
pub fn flush(vm: &mut Env) -> R<()> {
    writers::take_all(vm)?;
    if Recorder::of(vm).chunk.is_some() {
        write_segment(vm, false).map_err(io::io_exception)?;
    }
    Ok(())
}

fn end_chunk(vm: &mut Env) -> R<()> {
    let written = write_segment(vm, true);
    let recorder = Recorder::of(vm);
    recorder.last = false;
    if let Some(open) = recorder.chunk.take() {
        let closed = vm.host().descriptors().close(open.fd);
        written.and(closed).map_err(io::io_exception)?;
    }
    Ok(())
}

/// Ends the chunk, and begins another in a file; without a file, events stay in memory.
pub fn set_output(vm: &mut Env, path: Option<Vec<u8>>) -> R<()> {
    writers::take_all(vm)?;
    let ended = Recorder::of(vm).chunk.is_some();
    if ended {
        end_chunk(vm)?;
        Recorder::of(vm).constants.begin_chunk();
        writers::restart_all(vm)?;
    }
    let began = now_of_world(vm);
    let ticks = vm.clock_ns();
    let recorder = Recorder::of(vm);
    let first = recorder.events.is_empty() && recorder.constants.len() == 0;
    if ended || first || recorder.began == 0 {
        recorder.began = began;
    }
    // what was kept in memory is older than the file
    let begin = ticks - (began - recorder.began);
    let Some(path) = path else {
        return Ok(());
    };
    let flags = libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC;
    let opened = vm.host().files().open(HERE, &path, flags, 0o644);
    let fd = opened.map_err(io::io_exception)?;
    let clock = Clock {
        began: began - ticks,
        frequency: 1_000_000_000,
    };
    let mut chunk = GrowingChunk::new(clock, begin);
    let header = chunk.header(false, false);
    Recorder::of(vm).chunk = Some(OpenChunk { fd, chunk });
    write_all(vm, fd, &header, 0).map_err(io::io_exception)
}

/// Recording ends: events in memory are gone.
pub fn end(vm: &mut Env) -> R<()> {
    writers::take_all(vm)?;
    if Recorder::of(vm).chunk.is_some() {
        end_chunk(vm)?;
    }
    let recorder = Recorder::of(vm);
    recorder.recording = false;
    recorder.pinned.clear();
    recorder.take_events();
    recorder.constants.begin_chunk();
    recorder.began = 0;
    writers::restart_all(vm)
}
