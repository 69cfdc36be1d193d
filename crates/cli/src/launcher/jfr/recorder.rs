//! A recording that is under way: the events since its last chunk was full, and the chunks before.

use super::facts::ChunkContents;
use super::options::RecorderOptions;
use super::settings::JfrSettings;
use super::store::{Store, StoreLimits};
use crate::file_error::FileError;
use rjvm_jfr::{Chunk, Clock, Id, Kind, Numbers, Value};
use rjvm_profiler::export;
use rjvm_vm::events::{EventSet, EventView};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What a recording reports itself and of the VM in each chunk.
#[derive(Clone, Default, Debug)]
pub struct RecordingInfo {
    /// Its number and name.
    pub id: i64,
    /// See there.
    pub name: String,
    /// Where it is to be written.
    pub file: Option<PathBuf>,
    /// Nanoseconds it lasts, if that is limited.
    pub duration: Option<i64>,
    /// The VM: name, version, its options, the program's words, its process.
    pub vm: [String; 4],
    /// See there.
    pub process: i64,
    /// The operating system.
    pub system: Option<String>,
    /// System properties that the VM begins with.
    pub properties: Vec<(String, String)>,
}

/// What times are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Times {
    /// Nanoseconds of the VM's clock.
    Nanos,
    /// Bytecodes that all threads have executed.
    Bytecodes,
}

/// How far a recording is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordingState {
    /// It begins later.
    Delayed,
    /// It is under way.
    Running,
    /// It has ended.
    Stopped,
}

/// The recording.
pub struct Recorder {
    pub(super) chunk: Chunk,
    pub(super) facts: ChunkContents,
    pub(super) settings: JfrSettings,
    pub(super) common: RecorderOptions,
    pub(super) state: RecordingState,
    pub(super) about: RecordingInfo,
    pub(super) times: Times,
    store: Store,
    limits: StoreLimits,
    clock: Clock,
    /// When it begins and ends.
    begin: i64,
    end: Option<i64>,
    /// The time it was last told of something.
    pub(super) now: i64,
    /// How many chunks there were before this one.
    pub(super) chunks: u64,
    /// The VM takes samples by itself.
    pub(super) sampled: bool,
    /// What became of its file, when it was over.
    pub(super) written: Option<Result<(), FileError>>,
    /// Why it cannot go on.
    pub(super) failed: Option<String>,
    /// What threads are in, and other things that are not over.
    pub(super) open: super::listener::PendingEvents,
}

const NOBODY: (Id, Id) = (Id::NONE, Id::NONE);

impl Recorder {
    /// A recording that begins at `begin`, and ends at `end` if that is given.
    pub fn new(
        (settings, common): (JfrSettings, RecorderOptions),
        about: RecordingInfo,
        (clock, times): (Clock, Times),
        limits: StoreLimits,
        (now, begin, end): (i64, i64, Option<i64>),
    ) -> Recorder {
        let mut recorder = Recorder {
            chunk: Chunk::new(clock, begin, Numbers::default()),
            facts: ChunkContents::default(),
            settings,
            common,
            state: if begin > now {
                RecordingState::Delayed
            } else {
                RecordingState::Running
            },
            about,
            times,
            store: Store::default(),
            limits,
            clock,
            begin,
            end,
            now: begin,
            chunks: 0,
            sampled: false,
            written: None,
            failed: None,
            open: Default::default(),
        };
        recorder.head();
        recorder
    }
    /// The time.
    pub fn time(&self, seen: &mut EventView<'_>) -> i64 {
        match self.times {
            Times::Nanos => seen.uptime(),
            Times::Bytecodes => seen.bytecodes(),
        }
    }
    /// It is that late: whether something that happens now is recorded.
    pub fn arrive(&mut self, now: i64) -> bool {
        match self.state {
            RecordingState::Stopped => return false,
            RecordingState::Delayed if now < self.begin => return false,
            RecordingState::Delayed => self.state = RecordingState::Running,
            RecordingState::Running => {}
        }
        if let Some(end) = self.end.filter(|&end| now > end) {
            self.now = end;
            self.state = RecordingState::Stopped;
            return false;
        }
        self.now = self.now.max(now);
        true
    }
    /// It has ended now.
    pub fn stop(&mut self, now: i64) {
        if self.arrive(now) {
            self.state = RecordingState::Stopped;
        }
    }
    /// An event that belongs to no thread.
    pub(super) fn plain(&mut self, kind: Kind, values: &[Value<'_>]) {
        if self.settings.has(kind) {
            let at = self.now.max(self.chunk.begin());
            self.chunk.event(kind, at, 0, NOBODY, values);
        }
    }
    /// What is at the beginning of each chunk.
    fn head(&mut self) {
        let about = std::mem::take(&mut self.about);
        let millis = |nanos: Option<i64>| Value::Long(nanos.map_or(i64::MAX, |n| n / 1_000_000));
        let began = self.clock.began / 1_000_000;
        let ticks = |n: i64| i128::from(n) * 1_000 / i128::from(self.clock.frequency.max(1));
        let start = began + ticks(self.begin) as i64;
        let file = about.file.as_ref().map(|f| f.display().to_string());
        let size = self.limits.size.map_or(0, |n| n as i64);
        self.plain(
            Kind::ActiveRecording,
            &[
                Value::Long(about.id),
                Value::Text(Some(&about.name)),
                Value::Text(file.as_deref()),
                millis(self.limits.age),
                Value::Long(i64::MAX),
                Value::Long(size),
                Value::Long(start),
                millis(about.duration),
            ],
        );
        for (kind, name, value) in self.settings.list() {
            let values = [
                Value::Long(Chunk::number_of(kind)),
                Value::Text(Some(name)),
                Value::Text(Some(&value)),
            ];
            self.plain(Kind::ActiveSetting, &values);
        }
        let [name, version, options, words] = &about.vm;
        self.plain(
            Kind::VmInformation,
            &[
                Value::Text(Some(name)),
                Value::Text(Some(version)),
                Value::Text(Some(options)),
                Value::Text(None),
                Value::Text(Some(words)),
                Value::Long(began),
                Value::Long(about.process),
            ],
        );
        if about.system.is_some() {
            let values = [Value::Text(about.system.as_deref())];
            self.plain(Kind::OsInformation, &values);
        }
        for (key, value) in &about.properties {
            let values = [Value::Text(Some(key)), Value::Text(Some(value))];
            self.plain(Kind::SystemProperty, &values);
        }
        self.about = about;
    }
    /// Begins a new chunk if this one is full.
    pub fn turn_over(&mut self) {
        if self.chunk.size() < self.common.chunk || self.failed.is_some() {
            return;
        }
        let numbers = self.chunk.take_numbers();
        // Readers distinguish chunks by the times at which they begin.
        let begin = self.now.max(self.chunk.begin() + 1);
        let next = Chunk::new(self.clock, begin, numbers);
        let full = std::mem::replace(&mut self.chunk, next);
        self.facts = ChunkContents::default();
        self.chunks += 1;
        let (now, limits) = (self.now, self.limits);
        let added = self
            .store
            .add(now, limits, |out| full.write(now, false, out));
        if let Err(e) = added {
            self.failed = Some(format!("cannot keep chunks: {e}"));
            self.state = RecordingState::Stopped;
        }
        self.head();
    }
    /// Bytes that it has, about.
    pub fn size(&self) -> u64 {
        self.store.size() + self.chunk.size() as u64
    }
    /// Writes all that is within the limits, or within others; `last` if there is no more to come. The numbers of
    /// its constants.
    pub fn write(
        &self,
        limits: Option<StoreLimits>,
        last: bool,
        out: &mut dyn Write,
    ) -> io::Result<Numbers> {
        self.store
            .copy(self.now, limits.unwrap_or(self.limits), out)?;
        self.chunk.write(self.now, last, out)?;
        Ok(self.chunk.numbers().clone())
    }
    /// Writes the same to a file.
    pub fn write_file(
        &mut self,
        file: &Path,
        limits: Option<StoreLimits>,
        last: bool,
    ) -> Result<(), FileError> {
        let written = export::write_whole(file, |out| self.write(limits, last, out).map(|_| ()));
        let written = written.map_err(FileError::doing(file, "cannot write the recording: "));
        if last {
            self.written = Some(written.clone());
        }
        written
    }
    /// Its time has ended: it is written where it is to be.
    pub fn finish(&mut self) {
        if let (Some(file), None) = (self.about.file.clone(), &self.written) {
            // what went wrong is told when the program ends
            let _ = self.write_file(&file, None, true);
        }
    }
    /// What the VM has to report.
    pub fn wants(&self) -> EventSet {
        let s = &self.settings;
        let groups: [(&[Kind], EventSet); 8] = [
            (&[Kind::ThreadStart], EventSet::THREAD_START),
            (&[Kind::ClassLoad, Kind::ClassDefine], EventSet::CLASSES),
            (&[Kind::ThreadPark], EventSet::PARK | EventSet::PARKED),
            (
                &[Kind::MonitorEnter],
                EventSet::MONITOR_CONTENDED_ENTER | EventSet::MONITOR_CONTENDED_ENTERED,
            ),
            (
                &[Kind::MonitorWait, Kind::ThreadSleep],
                EventSet::MONITOR_WAIT | EventSet::MONITOR_WAITED,
            ),
            (
                &[
                    Kind::Collection,
                    Kind::HeapSummary,
                    Kind::YoungCollection,
                    Kind::OldCollection,
                    Kind::SystemCollection,
                ],
                EventSet::COLLECTIONS,
            ),
            (&[Kind::AllocationSample], EventSet::ALLOCATIONS),
            (
                &[Kind::ExecutionSample],
                match self.sampled {
                    true => EventSet::SAMPLES,
                    false => EventSet::PROFILED,
                },
            ),
        ];
        // names of classes and threads may be given again
        let always = EventSet::VM | EventSet::THREAD_END | EventSet::UNLOADING;
        let wanted = groups.into_iter().filter(|(kinds, _)| s.has_one_of(kinds));
        let wanted = wanted.fold(always, |all, (_, set)| all | set);
        // something has to look at the clock
        match self.end {
            Some(_) => wanted | EventSet::PROFILED,
            None => wanted,
        }
    }
}
