//! The first bytecode at which two runs part.
//!
//! Each run is a process of its own that writes down, at certain bytecodes, a hash of its whole path so far
//! ([`rjvm_vm::Vm::path`]) and where it is. The first time that is each [`COARSE`] bytecodes; then, between the last bytecode
//! at which both were the same and the first at which they were not, each [`FINE`]; then each single one. So a search takes
//! three runs of each, and no run is longer than up to where they part. A run that is not the same a second time is
//! noticed.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

/// Bytecodes between records of the first pass.
pub const COARSE: u64 = 1 << 20;
/// Bytecodes between records of the second pass.
pub const FINE: u64 = 1 << 10;

/// How much of what a run writes to its standard error is kept.
const KEPT: usize = 4096;

/// Which records a run writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Bytecodes between them.
    pub every: u64,
    /// Bytecodes up to the first; 0: as many as between them.
    pub from: u64,
    /// Bytecodes up to the last, at which the run ends.
    pub until: u64,
    /// From the first bytecode on; else from that of `main`.
    pub whole: bool,
}

/// Where a run is after some bytecodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Bytecodes all threads have executed.
    pub bytecodes: u64,
    /// The hash of the path.
    pub path: u64,
    /// A hash of what comes next: thread, method and bytecode index.
    pub place: u64,
    /// The run is over.
    pub ended: bool,
}

impl Record {
    const BYTES: usize = 24;
    const ENDED: u64 = 1 << 63;

    /// As it stands in a log.
    pub fn bytes(&self) -> [u8; Record::BYTES] {
        let first = self.bytecodes | if self.ended { Record::ENDED } else { 0 };
        let mut bytes = [0; Record::BYTES];
        for (to, word) in bytes
            .chunks_exact_mut(8)
            .zip([first, self.path, self.place])
        {
            to.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
    fn of(bytes: &[u8]) -> Record {
        let word = |i: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[8 * i..8 * i + 8]);
            u64::from_le_bytes(word)
        };
        Record {
            bytecodes: word(0) & !Record::ENDED,
            path: word(1),
            place: word(2),
            ended: word(0) & Record::ENDED != 0,
        }
    }
}

/// One of the two runs: the words of its command line after the program's name.
#[derive(Clone, Debug)]
pub struct Side {
    /// The words.
    pub words: Vec<String>,
    /// Its standard input; none: empty.
    pub input: Option<PathBuf>,
}

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The runs are the same, over so many bytecodes.
    Same(u64),
    /// They are the same for so many bytecodes; what comes next differs.
    Parted(u64),
}

/// Why a search came to nothing.
#[derive(Debug)]
pub enum Failure {
    /// This run, 0 or 1, is not the same a second time; none: one of them.
    Unsteady(Option<usize>),
    /// This run, 0 or 1, has failed: what it said.
    Run(usize, String),
    /// Something else.
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Failure {
        Failure::Io(e)
    }
}

/// A folder of this process alone, removed in the end.
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes one.
    ///
    /// # Errors
    /// As from making a folder.
    pub fn new() -> io::Result<Scratch> {
        let base = std::env::temp_dir();
        // the name is seen by the runs, and is the same each time, if nobody else has it
        for n in 0u32.. {
            let dir = base.join(format!("rjvm-{n:03}"));
            match std::fs::create_dir(&dir) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Scratch(dir)),
            }
        }
        Err(io::Error::other("no name for a folder is free"))
    }
    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Finds where two runs part, at the latest after `until` bytecodes, counted from `main` on or, with `whole`, from the
/// first.
///
/// # Errors
/// One of them fails, or is not the same each time.
pub fn first(
    sides: &[Side; 2],
    until: u64,
    whole: bool,
    scratch: &Scratch,
) -> Result<Found, Failure> {
    let mut spec = Spec {
        every: COARSE,
        from: 0,
        until,
        whole,
    };
    let mut known: [Option<Record>; 2] = [None; 2];
    loop {
        let logs = compare(sides, spec, scratch)?;
        // what has been seen at this bytecode before
        for (side, (known, log)) in known.iter().zip(&logs).enumerate() {
            if known.is_some_and(|k| log.records.first() != Some(&k)) {
                return Err(Failure::Unsteady(Some(side)));
            }
        }
        let single = spec.every == 1;
        let [a, b] = &logs;
        let Some(i) = differing(&a.records, &b.records, spec) else {
            let last = a.records.last().map_or(0, |r| r.bytecodes);
            let whole = a.records.len() == b.records.len();
            return match (whole, known[0]) {
                (true, None) => Ok(Found::Same(last)),
                // they parted before
                _ => Err(Failure::Unsteady(None)),
            };
        };
        let (differs, before) = (
            a.records[i].bytecodes.min(b.records[i].bytecodes),
            i.checked_sub(1),
        );
        if single {
            return Ok(Found::Parted(differs));
        }
        known = [before.map(|i| a.records[i]), before.map(|i| b.records[i])];
        let from = known[0].map_or(0, |r| r.bytecodes);
        let upto = a.records[i].bytecodes.max(b.records[i].bytecodes);
        spec = Spec {
            every: if spec.every == COARSE { FINE } else { 1 },
            from,
            until: upto,
            whole,
        };
    }
}

/// The first record that differs. Single bytecodes are compared by place: the path is known from one block on only.
fn differing(a: &[Record], b: &[Record], spec: Spec) -> Option<usize> {
    let differ = |(a, b): (&Record, &Record)| match spec.every {
        1 => (a.place, a.ended) != (b.place, b.ended),
        _ => a != b,
    };
    a.iter().zip(b).position(differ)
}

/// What a run has written.
struct LogFile {
    file: PathBuf,
    records: Vec<Record>,
    /// Bytes of a record that is not whole yet.
    rest: Vec<u8>,
    read: Option<File>,
}

impl LogFile {
    fn new(file: PathBuf) -> LogFile {
        LogFile {
            file,
            records: Vec::new(),
            rest: Vec::new(),
            read: None,
        }
    }
    /// Whether nothing is missing, the run being over.
    fn is_whole(&self, spec: Spec) -> bool {
        let last = self.records.last();
        last.is_some_and(|r| r.ended || r.bytecodes >= spec.until)
    }
    /// Reads what is new.
    fn poll(&mut self) -> io::Result<()> {
        if self.read.is_none() {
            self.read = match File::open(&self.file) {
                Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
                opened => Some(opened?),
            };
        }
        if let Some(file) = &mut self.read {
            file.read_to_end(&mut self.rest)?;
        }
        let whole = self.rest.len() / Record::BYTES * Record::BYTES;
        let new = self.rest.drain(..whole).collect::<Vec<u8>>();
        self.records
            .extend(new.chunks_exact(Record::BYTES).map(Record::of));
        Ok(())
    }
}

/// Runs both until they have ended or differ.
fn compare(sides: &[Side; 2], spec: Spec, scratch: &Scratch) -> Result<[LogFile; 2], Failure> {
    let files = ["a.log", "b.log"].map(|n| scratch.file(n));
    let mut runs = Vec::new();
    for (side, file) in sides.iter().zip(&files) {
        // of the last pass
        let _ = std::fs::remove_file(file);
        let Spec {
            every, from, until, ..
        } = spec;
        let begin = if spec.whole { "start" } else { "main" };
        let option = format!(
            "--path-log={every}:{from}:{until}:{begin}:{}",
            file.display()
        );
        runs.push(Run::start(side, &[option])?);
    }
    let mut logs = files.map(LogFile::new);
    loop {
        let over = [runs[0].is_over()?, runs[1].is_over()?];
        logs[0].poll()?;
        logs[1].poll()?;
        let [a, b] = &logs;
        let differ = differing(&a.records, &b.records, spec).is_some();
        let lost = (0..2).any(|i| over[i] && !logs[i].is_whole(spec));
        if differ || lost || over == [true, true] {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    for (i, (run, log)) in runs.into_iter().zip(&logs).enumerate() {
        let over = run.over;
        let said = run.end();
        if over && !log.is_whole(spec) {
            return Err(Failure::Run(i, said));
        }
    }
    Ok(logs)
}

/// A run under way. It ends with this value.
pub struct Run {
    child: Child,
    errors: Option<JoinHandle<String>>,
    over: bool,
}

impl Run {
    /// Starts a run with further options.
    ///
    /// # Errors
    /// As from starting a process.
    pub fn start(side: &Side, options: &[String]) -> io::Result<Run> {
        let input = match &side.input {
            Some(file) => Stdio::from(File::open(file)?),
            None => Stdio::null(),
        };
        let mut child = Command::new(std::env::current_exe()?)
            .args(options)
            .args(&side.words)
            .stdin(input)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let errors = child.stderr.take().map(|mut from| {
            std::thread::spawn(move || {
                let mut kept = VecDeque::new();
                let mut part = [0; 1024];
                while let Ok(n @ 1..) = from.read(&mut part) {
                    kept.extend(&part[..n]);
                    kept.drain(..kept.len().saturating_sub(KEPT));
                }
                String::from_utf8_lossy(kept.make_contiguous()).into_owned()
            })
        });
        Ok(Run {
            child,
            errors,
            over: false,
        })
    }
    /// Whether it has ended.
    ///
    /// # Errors
    /// As from waiting for a process.
    pub fn is_over(&mut self) -> io::Result<bool> {
        if !self.over {
            self.over = self.child.try_wait()?.is_some();
        }
        Ok(self.over)
    }
    /// Waits for its end; what it has said last on its standard error.
    ///
    /// # Errors
    /// As from waiting for a process.
    pub fn wait(mut self) -> io::Result<String> {
        self.child.wait()?;
        Ok(self.said())
    }
    /// Ends it; what it has said last on its standard error.
    fn end(mut self) -> String {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.said()
    }
    fn said(&mut self) -> String {
        let errors = self.errors.take().map(JoinHandle::join);
        errors.and_then(Result::ok).unwrap_or_default()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What two texts have in common and what only one of them has: lines with the number of the text, none for both.
pub fn differences<'a>(a: &'a str, b: &'a str) -> Vec<(Option<usize>, &'a str)> {
    let (a, b): (Vec<&str>, Vec<&str>) = (a.lines().collect(), b.lines().collect());
    // lengths of the longest common part of what begins at i and j
    let width = b.len() + 1;
    let mut common = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i * width + j] = match a[i] == b[j] {
                true => common[(i + 1) * width + j + 1] + 1,
                false => common[(i + 1) * width + j].max(common[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut out = Vec::new();
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            out.push((None, a[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == b.len()
            || i < a.len() && common[(i + 1) * width + j] >= common[i * width + j + 1]
        {
            out.push((Some(0), a[i]));
            i += 1;
        } else {
            out.push((Some(1), b[j]));
            j += 1;
        }
    }
    out
}

/// Reads a file that a run has written.
///
/// # Errors
/// As from reading a file.
pub fn read(file: &Path) -> io::Result<String> {
    std::fs::read_to_string(file)
}
