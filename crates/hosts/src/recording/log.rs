//! The recording being written, shared by the host that records and the memory it has mapped.

use super::chunks::Sink;
use super::header::Header;
use super::wire::{Wire, put_number};
use super::{END, End, MAPPED, MappedRead};
use crate::forward::RequestKind;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Bytes of a chunk before compression.
const CHUNK: usize = 256 << 10;
/// How much of a run a kill may cost, as long as the program runs.
const AGE: Duration = Duration::from_millis(200);

/// Called when a recording is longer than it may be.
pub type Exceeded = Box<dyn Fn() + Send>;

/// The recording being written.
#[derive(Clone)]
pub struct Log(Arc<SharedLog>);

struct SharedLog {
    writing: Mutex<Writing>,
    /// How often mapped memory has been touched. Only the VM's thread counts.
    touched: AtomicU64,
}

/// What it consists of.
pub struct Writing {
    sink: Sink,
    chunk: Vec<u8>,
    /// Bytecodes at the last request.
    executed: i64,
    /// How often mapped memory had been touched when something of it was last recorded.
    reported: u64,
    mappings: u64,
    requests: u64,
    flushed: Instant,
    /// Bytes of chunks that have been written, before compression.
    whole: u64,
    /// How many there may be, and who is notified of each request beyond.
    limit: Option<(u64, Exceeded)>,
    /// Nothing is recorded any more: the run has ended, or the recording could not be written.
    over: bool,
    failed: Option<io::Error>,
}

impl Log {
    /// Begins a recording.
    pub fn create(path: &Path, header: &Header) -> io::Result<Log> {
        let writing = Writing {
            sink: Sink::create(path, header)?,
            chunk: Vec::with_capacity(CHUNK + 4096),
            executed: 0,
            reported: 0,
            mappings: 0,
            requests: 0,
            flushed: Instant::now(),
            whole: 0,
            limit: None,
            over: false,
            failed: None,
        };
        Ok(Log(Arc::new(SharedLog {
            writing: Mutex::new(writing),
            touched: AtomicU64::new(0),
        })))
    }
    /// To be written to.
    pub fn lock(&self) -> MutexGuard<'_, Writing> {
        // a half-written record is the end of what can be replayed, nothing worse
        self.0.writing.lock().unwrap_or_else(|e| e.into_inner())
    }
    /// Mapped memory is touched.
    #[inline]
    pub fn touch(&self) {
        let touched = &self.0.touched;
        touched.store(touched.load(Relaxed) + 1, Relaxed);
    }
    /// Records the contents found in a mapping when it was last touched.
    pub fn found(&self, mapping: u64, what: &MappedRead) {
        self.lock()
            .found(self.0.touched.load(Relaxed), mapping, what);
    }
    /// The run has ended; the bytes of the recording.
    pub fn finish(&self, end: End) -> io::Result<u64> {
        let mut w = self.lock();
        if !w.over {
            w.chunk.push(END);
            end.put(&mut w.chunk);
            w.flush();
            w.over = true;
        }
        match w.failed.take() {
            Some(e) => Err(e),
            None => Ok(w.sink.written),
        }
    }
}

impl Writing {
    /// Writes the pending records.
    pub fn flush(&mut self) {
        self.flushed = Instant::now();
        if self.chunk.is_empty() {
            return;
        }
        if let Err(e) = self.sink.write(&self.chunk) {
            // the program is not to blame: it goes on, and is reported at the end
            (self.failed, self.over) = (Some(e), true);
        }
        self.whole += self.chunk.len() as u64;
        self.chunk.clear();
        if self.chunk.capacity() > 2 * CHUNK {
            // one answer was a large one
            self.chunk.shrink_to(CHUNK);
        }
    }
    /// Bounds the bytes of records, before compression: records beyond the limit are still written, and `exceeded` is called
    /// each time.
    pub fn set_limit(&mut self, bytes: u64, exceeded: Exceeded) {
        self.limit = Some((bytes, exceeded));
    }
    /// Something has been recorded.
    fn check(&self) {
        if let Some((most, exceeded)) = &self.limit
            && self.whole + self.chunk.len() as u64 > *most
        {
            exceeded();
        }
    }
    /// Whether something waits to be written.
    pub fn holds_back(&self) -> bool {
        !self.chunk.is_empty()
    }
    /// Writes the pending records if there are many, or some of them are old.
    pub fn flush_old(&mut self) {
        if self.chunk.len() >= CHUNK || self.flushed.elapsed() >= AGE {
            self.flush();
        }
    }
    /// Begins the record of a request; `false`: nothing is recorded any more.
    #[inline]
    pub fn begin(&mut self, kind: RequestKind, executed: i64) -> bool {
        if self.over {
            return false;
        }
        self.chunk.push(kind);
        put_number(&mut self.chunk, executed.wrapping_sub(self.executed) as u64);
        self.executed = executed;
        true
    }
    /// Ends it.
    #[inline]
    pub fn end(&mut self) {
        self.requests += 1;
        self.check();
        if self.chunk.len() >= CHUNK
            || self.requests.is_multiple_of(256) && self.flushed.elapsed() >= AGE
        {
            self.flush();
        }
    }
    /// Where records are appended.
    pub fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.chunk
    }
    /// The number of the next mapping.
    pub fn mapping(&mut self) -> u64 {
        self.mappings += 1;
        self.mappings
    }
    fn found(&mut self, touched: u64, mapping: u64, what: &MappedRead) {
        if self.over {
            return;
        }
        self.chunk.push(MAPPED);
        put_number(&mut self.chunk, touched - self.reported);
        self.reported = touched;
        put_number(&mut self.chunk, mapping);
        what.put(&mut self.chunk);
        self.check();
        if self.chunk.len() >= CHUNK {
            self.flush();
        }
    }
}
