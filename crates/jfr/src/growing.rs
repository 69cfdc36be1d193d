//! A chunk in a file that readers follow while it grows: segments of events, each with the constants that are new, and a header that
//! is brought up to date after each.

use crate::chunk::{
    CHECKPOINT, COMPRESSED, Clock, FINAL, HEADER, MAGIC, METADATA, VERSION, append,
};
use crate::leb;

/// Readers wait while the header has this state.
pub const UPDATING: u8 = 255;
/// The place of the state in the header.
pub const STATE_AT: u64 = 64;

/// Appends an event: its type and fields, with its size before it.
pub fn put_event(out: &mut Vec<u8>, body: &[u8]) {
    append(out, body);
}

/// How far a chunk is.
#[derive(Debug)]
pub struct GrowingChunk {
    clock: Clock,
    begin: i64,
    end: i64,
    /// Bytes in the file.
    size: u64,
    constants_at: u64,
    metadata_at: u64,
    /// How many metadata there have been.
    metadata: i64,
    state: u8,
}

impl GrowingChunk {
    /// An empty one that begins at a time. Its file begins with [`GrowingChunk::header`].
    pub fn new(clock: Clock, begin: i64) -> GrowingChunk {
        GrowingChunk {
            clock,
            begin,
            end: begin,
            size: HEADER as u64,
            constants_at: 0,
            metadata_at: 0,
            metadata: 0,
            state: 1,
        }
    }
    /// Bytes in the file.
    pub fn size(&self) -> u64 {
        self.size
    }
    /// Whether metadata have been written.
    pub fn has_metadata(&self) -> bool {
        self.metadata > 0
    }
    /// Events that are in the file, behind its last byte, without a header that reports them yet.
    pub fn add(&mut self, bytes: usize) {
        self.size += bytes as u64;
    }
    /// The end of a segment, to be written behind the last byte: constants (number of pools, then pools), and metadata if they are
    /// new. `flush` if the chunk continues.
    pub fn segment(
        &mut self,
        now: i64,
        flush: bool,
        (pools, constants): (usize, &[u8]),
        metadata: Option<&[u8]>,
    ) -> Vec<u8> {
        self.end = self.end.max(now);
        let mut out = Vec::new();
        let mut body = Vec::new();
        let at = self.size;
        leb::long(&mut body, CHECKPOINT);
        leb::long(&mut body, self.end);
        leb::long(&mut body, 0);
        let delta = match self.constants_at {
            0 => 0,
            last => last as i64 - at as i64,
        };
        leb::long(&mut body, delta);
        body.push(flush.into());
        leb::long(&mut body, pools as i64);
        body.extend(constants);
        append(&mut out, &body);
        self.constants_at = at;
        if let Some(metadata) = metadata {
            self.metadata_at = at + out.len() as u64;
            self.metadata += 1;
            body.clear();
            leb::long(&mut body, METADATA);
            leb::long(&mut body, self.end);
            leb::long(&mut body, 0);
            leb::long(&mut body, self.metadata);
            body.extend(metadata);
            append(&mut out, &body);
        }
        self.size += out.len() as u64;
        out
    }
    /// The header now; `done` if no segment follows, `last` if no chunk does.
    pub fn header(&mut self, done: bool, last: bool) -> Vec<u8> {
        self.state = match (done, self.state) {
            (true, _) => 0,
            (false, 254) => 1,
            (false, state) => state + 1,
        };
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.0.to_be_bytes());
        out.extend(VERSION.1.to_be_bytes());
        for n in [
            self.size as i64,
            self.constants_at as i64,
            self.metadata_at as i64,
            self.clock.began + self.clock.nanos(self.begin),
            self.clock.nanos(self.end - self.begin),
            self.begin,
            self.clock.frequency,
        ] {
            out.extend(n.to_be_bytes());
        }
        let flags = if last { COMPRESSED | FINAL } else { COMPRESSED };
        out.extend(flags.to_be_bytes());
        out[STATE_AT as usize] = self.state;
        assert_eq!(out.len(), HEADER);
        out
    }
}
