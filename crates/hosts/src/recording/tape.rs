//! The recording being replayed, shared by the host that answers from it and the memory it has mapped.

use super::chunks::{ChunkSource, Damage};
use super::wire::{Reader, Wire};
use super::{END, End, MAPPED, MappedRead};
use crate::forward::{self, RequestKind};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

/// Why a replay stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// The recorded run was killed, or its recording is cut off: this is as far as it goes.
    CutOff {
        /// Bytecodes that have been executed.
        executed: i64,
        /// Requests that were answered.
        requests: u64,
    },
    /// The recording is damaged from here on.
    Damaged {
        /// Bytecodes that have been executed.
        executed: i64,
        /// The invalid part.
        what: String,
    },
    /// The program did something else than when it was recorded.
    Parted {
        /// The request that differs, counted from 1.
        request: u64,
        /// The recorded request, and after how many bytecodes.
        recorded: (String, i64),
        /// What it did now, and after how many bytecodes.
        now: (String, i64),
    },
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Stopped::CutOff { executed, requests } => write!(
                f,
                "the recording ends here, after {executed} bytecodes and {requests} requests: the recorded run was killed, or the file is incomplete"
            ),
            Stopped::Damaged { executed, what } => write!(
                f,
                "the recording is damaged: after {executed} bytecodes, {what}"
            ),
            Stopped::Parted {
                request,
                recorded,
                now,
            } => write!(
                f,
                "the replay diverges from the recording at bytecode {}, at request {request}\n  \
                 recorded: at bytecode {}, {}\n  \
                 replayed: at bytecode {}, {}",
                recorded.1.min(now.1),
                recorded.1,
                recorded.0,
                now.1,
                now.0
            ),
        }
    }
}

/// The recording being replayed.
#[derive(Clone)]
pub struct Tape(Arc<Mutex<TapeContents>>);

/// What it consists of.
pub struct TapeContents {
    source: ChunkSource,
    chunk: Vec<u8>,
    /// Where in it the next record begins.
    at: usize,
    /// Bytecodes at the last request.
    executed: i64,
    requests: u64,
    /// How often mapped memory has been touched, and at which touch something was last recorded.
    touched: u64,
    reported: u64,
    mappings: u64,
    /// The bytes that are compared with the recording.
    requested: Vec<u8>,
    stopped: Option<Stopped>,
}

impl Tape {
    /// Begins to replay.
    pub fn new(source: ChunkSource) -> Tape {
        Tape(Arc::new(Mutex::new(TapeContents {
            source,
            chunk: Vec::new(),
            at: 0,
            executed: 0,
            requests: 0,
            touched: 0,
            reported: 0,
            mappings: 0,
            requested: Vec::new(),
            stopped: None,
        })))
    }
    /// To be read from.
    pub fn lock(&self) -> MutexGuard<'_, TapeContents> {
        // who has panicked in the middle has left word why
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
    /// Why it stopped.
    pub fn stopped(&self) -> Option<Stopped> {
        self.lock().stopped.clone()
    }
    /// A mapping is touched: the contents recorded there.
    pub fn touch(&self, mapping: u64) -> Vec<MappedRead> {
        self.lock().touch(mapping)
    }
    /// Panics: the recording is damaged.
    pub fn damaged(&self, what: &str) -> ! {
        let mut playing = self.lock();
        playing.damaged(what)
    }
    /// The program has ended like this; an error if it was another end.
    pub fn finish(&self, end: End) -> Result<(), Stopped> {
        let mut playing = self.lock();
        match playing.check_end(end) {
            Some(stopped) => Err(playing.stopped.get_or_insert(stopped).clone()),
            None => Ok(()),
        }
    }
}

impl TapeContents {
    /// The program cannot continue.
    fn stop(&mut self, why: Stopped) -> ! {
        let why = self.stopped.get_or_insert(why);
        // the VM that runs the program contains it; nothing is wrong with it
        std::panic::panic_any(why.to_string())
    }
    pub fn damaged(&mut self, what: &str) -> ! {
        let why = Stopped::Damaged {
            executed: self.executed,
            what: format!("invalid {what}"),
        };
        self.stop(why)
    }
    /// What follows; nothing at the end.
    fn rest(&mut self) -> Result<Option<Reader<'_>>, Stopped> {
        while self.at == self.chunk.len() {
            match self.source.next_chunk() {
                Ok(Some(chunk)) => (self.chunk, self.at) = (chunk, 0),
                Ok(None) | Err(Damage::CutOff) => return Ok(None),
                Err(Damage::At(byte)) => {
                    return Err(Stopped::Damaged {
                        executed: self.executed,
                        what: format!("the digest of the chunk at byte {byte} is wrong"),
                    });
                }
            }
        }
        Ok(Some(Reader(&self.chunk[self.at..])))
    }
    fn cut_off(&self) -> Stopped {
        Stopped::CutOff {
            executed: self.executed,
            requests: self.requests,
        }
    }
    /// The first byte of what follows.
    fn next(&mut self) -> RequestKind {
        match self.rest() {
            Ok(Some(from)) => from.0[0],
            Ok(None) => {
                let why = self.cut_off();
                self.stop(why)
            }
            Err(why) => self.stop(why),
        }
    }
    /// Compares a request with the recorded one. `encode` appends what it asks.
    pub fn request(&mut self, kind: RequestKind, executed: i64, encode: impl FnOnce(&mut Vec<u8>)) {
        if let Some(why) = self.stopped.clone() {
            self.stop(why);
        }
        self.next();
        let mut requested = std::mem::take(&mut self.requested);
        requested.clear();
        requested.push(kind);
        let passed = executed.wrapping_sub(self.executed) as u64;
        super::wire::put_number(&mut requested, passed);
        let head = requested.len();
        encode(&mut requested);
        self.requests += 1;
        if !self.chunk[self.at..].starts_with(&requested) {
            let now = forward::describe(kind, &mut Reader(&requested[head..]));
            let why = self.parted((now, executed));
            self.stop(why);
        }
        self.at += requested.len();
        self.executed = executed;
        self.requested = requested;
    }
    /// The program does this, and something else is recorded.
    fn parted(&mut self, now: (String, i64)) -> Stopped {
        let (request, executed) = (self.requests, self.executed);
        let mut from = Reader(&self.chunk[self.at..]);
        let recorded = match from.byte() {
            Some(END) => End::get(&mut from)
                .map(|e| (format!("the end, with exit code {}", e.code), e.bytecodes)),
            Some(MAPPED) => Some(("a look at mapped memory".into(), executed)),
            Some(kind) => from.number().map(|passed| {
                let at = executed.wrapping_add(passed as i64);
                (forward::describe(kind, &mut from), at)
            }),
            None => None,
        };
        match recorded {
            Some(recorded) => Stopped::Parted {
                request,
                recorded,
                now,
            },
            None => Stopped::Damaged {
                executed,
                what: "a record is incomplete".into(),
            },
        }
    }
    /// Takes a part of the answer off.
    pub fn answer<T>(&mut self, get: impl FnOnce(&mut Reader) -> Option<T>) -> T {
        let mut from = Reader(&self.chunk[self.at..]);
        let Some(answer) = get(&mut from) else {
            self.damaged("answer to a request");
        };
        self.at = self.chunk.len() - from.0.len();
        answer
    }
    /// The number of the next mapping.
    pub fn mapping(&mut self) -> u64 {
        self.mappings += 1;
        self.mappings
    }
    fn touch(&mut self, mapping: u64) -> Vec<MappedRead> {
        if let Some(why) = self.stopped.clone() {
            self.stop(why);
        }
        self.touched += 1;
        let mut all = Vec::new();
        loop {
            // at the end of a chunk something may follow; at the end of the recording nothing does
            let next = match self.rest() {
                Ok(Some(mut from)) if from.0[0] == MAPPED => {
                    let _ = from.byte();
                    let reported = from.number();
                    let of = from.number();
                    reported.zip(of).map(|n| (n, from.0.len()))
                }
                Ok(_) => return all,
                Err(why) => self.stop(why),
            };
            let Some(((passed, of), left)) = next else {
                self.damaged("record of mapped memory");
            };
            if self.reported.checked_add(passed) != Some(self.touched) {
                return all;
            }
            if of != mapping {
                let now = ("a look at other mapped memory".to_string(), self.executed);
                let why = self.parted(now);
                self.stop(why);
            }
            self.reported = self.touched;
            self.at = self.chunk.len() - left;
            all.push(self.answer(MappedRead::get));
        }
    }
    fn check_end(&mut self, end: End) -> Option<Stopped> {
        if let Some(why) = &self.stopped {
            return Some(why.clone());
        }
        let recorded = match self.rest() {
            Err(why) => return Some(why),
            Ok(None) => return Some(self.cut_off()),
            Ok(Some(mut from)) => match from.byte() {
                Some(END) => End::get(&mut from),
                _ => None,
            },
        };
        if recorded == Some(end) {
            return None;
        }
        self.requests += 1;
        let now = format!("the end, with exit code {}", end.code);
        Some(self.parted((now, end.bytecodes)))
    }
}
