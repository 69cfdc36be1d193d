//! `--events=KINDS` and `jcmd PID Events.enable`: events as lines of text, in a file or on standard error. Kinds are
//! switched while the program runs.

use super::config::Config;
use super::option::OptionProblem;
use super::outputs;
use super::suggest::nearest;
use super::tool::{ProgramRun, Tool, ToolFailure};
use crate::invalid::InvalidValue;
use crate::messages;
use rjvm_profiler::summary::grouped;
use rjvm_vm::Vm;
use rjvm_vm::events::{Event, EventSet, EventView, Observer, ObserverId};
use rjvm_vm::{MethodId, Ref};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// The kinds by their names. Those of the groups come last.
const KINDS: [(&str, EventSet); 32] = [
    ("vm", EventSet::VM),
    ("thread-start", EventSet::THREAD_START),
    ("thread-end", EventSet::THREAD_END),
    ("class-load", EventSet::CLASSES),
    ("class-prepare", EventSet::PREPARED),
    ("class-unload", EventSet::UNLOADING),
    ("class-file", EventSet::CLASS_FILES),
    ("object-alloc", EventSet::ALLOCATIONS),
    ("object-move", EventSet::MOVES),
    ("object-free", EventSet::FREES),
    ("arena", EventSet::ARENAS),
    ("gc", EventSet::COLLECTIONS),
    ("method-entry", EventSet::METHOD_ENTRY),
    ("method-exit", EventSet::METHOD_EXIT),
    ("instruction-start", EventSet::INSTRUCTIONS),
    ("monitor-contended-enter", EventSet::MONITOR_CONTENDED_ENTER),
    (
        "monitor-contended-entered",
        EventSet::MONITOR_CONTENDED_ENTERED,
    ),
    ("monitor-contended-exit", EventSet::MONITOR_CONTENDED_EXIT),
    ("monitor-wait", EventSet::MONITOR_WAIT),
    ("monitor-waited", EventSet::MONITOR_WAITED),
    ("park", EventSet::PARK),
    ("parked", EventSet::PARKED),
    ("sample", EventSet::SAMPLES),
    ("heap-dump", EventSet::HEAP_DUMP),
    ("thread", EventSet::THREADS),
    ("class", EventSet::CLASSES.and(EventSet::UNLOADING)),
    (
        "object",
        EventSet::ALLOCATIONS
            .and(EventSet::MOVES)
            .and(EventSet::FREES),
    ),
    ("method", EventSet::METHOD_ENTRY.and(EventSet::METHOD_EXIT)),
    (
        "monitor",
        EventSet::MONITOR_CONTENDED_ENTER
            .and(EventSet::MONITOR_CONTENDED_ENTERED)
            .and(EventSet::MONITOR_CONTENDED_EXIT)
            .and(EventSet::MONITOR_WAIT)
            .and(EventSet::MONITOR_WAITED),
    ),
    ("lock", EventSet::LOCKS),
    (
        "quiet",
        EventSet::VM
            .and(EventSet::THREADS)
            .and(EventSet::CLASSES)
            .and(EventSet::UNLOADING)
            .and(EventSet::COLLECTIONS)
            .and(EventSet::LOCKS),
    ),
    ("all", EventSet::EVERY_EVENT),
];

/// How many of them are no groups.
const SINGLE: usize = 24;

/// The kinds of a list like `thread-start,gc`.
pub fn kinds(list: &str) -> Result<EventSet, InvalidValue> {
    let mut set = EventSet::NONE;
    for name in list.split(',').map(str::trim).filter(|n| !n.is_empty()) {
        let Some((_, kinds)) = KINDS.iter().find(|(n, _)| *n == name) else {
            let names = KINDS.iter().map(|(n, _)| *n);
            let meant = nearest(name, names.clone(), |n| n);
            return Err(InvalidValue::Unknown {
                kind: "kind of event",
                name: name.into(),
                meant,
                list: "kinds",
                all: names.collect(),
            });
        };
        set = set | *kinds;
    }
    match set == EventSet::NONE {
        true => Err(InvalidValue::Expected("kinds of events, such as thread,gc")),
        false => Ok(set),
    }
}

/// Names of the kinds in a set.
fn names(set: EventSet) -> String {
    let single = KINDS[..SINGLE].iter();
    let names: Vec<&str> = single.filter(|k| set.meets(k.1)).map(|k| k.0).collect();
    match names.is_empty() {
        true => "none".into(),
        false => names.join(", "),
    }
}

/// Why events are not written.
#[derive(Debug, Error)]
pub enum EventsError {
    /// A list of kinds is none.
    #[error(transparent)]
    Kinds(#[from] InvalidValue),
    /// Those so far go elsewhere.
    #[error("events are written to another file: run Events.disable first")]
    OtherFile,
    /// The file cannot be made.
    #[error("{0}")]
    File(io::Error),
    /// Some of them are lost.
    #[error("cannot write events: {0}")]
    NotWritten(io::Error),
}

/// `--events`
pub fn set(c: &mut Config, list: &str) -> Result<(), OptionProblem> {
    let more = kinds(list).map_err(|why| OptionProblem::Own(format!("--events={list}: {why}")))?;
    c.events = c.events | more;
    Ok(())
}

struct Lines {
    wants: EventSet,
    /// Frames of the stack below each line.
    depth: usize,
    out: Box<dyn Write + Send>,
    /// Where that is.
    file: Option<PathBuf>,
    written: u64,
    /// What went wrong; nothing is written any more.
    broken: Option<io::Error>,
}

/// A log of events. Clones are the same log.
#[derive(Clone)]
pub struct EventLog(Arc<Mutex<Lines>>, Option<ObserverId>);

/// Where the log is that there is, if any. Clones are the same place.
#[derive(Clone, Default)]
pub struct EventLogSlot(Arc<Mutex<Option<EventLog>>>);

impl EventLogSlot {
    /// Makes `f` of it.
    pub fn with<T>(&self, f: impl FnOnce(&mut Option<EventLog>) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Tool for EventLogSlot {
    fn name(&self) -> &'static str {
        "the log of events"
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        let log = EventLog::start(vm, &run.config)?;
        self.with(|l| *l = log);
        Ok(())
    }
    fn finish(&mut self, vm: &mut Vm, _: &mut ProgramRun) -> bool {
        self.with(Option::take).is_none_or(|log| log.finish(vm))
    }
}

impl EventLog {
    fn new(wants: EventSet, depth: usize, file: Option<PathBuf>) -> io::Result<EventLog> {
        let out: Box<dyn Write + Send> = match &file {
            Some(path) => Box::new(BufWriter::new(File::create(path)?)),
            None => Box::new(io::stderr()),
        };
        let lines = Lines {
            wants,
            depth,
            out,
            file,
            written: 0,
            broken: None,
        };
        Ok(EventLog(Arc::new(Mutex::new(lines)), None))
    }
    fn begin(mut self, vm: &mut Vm) -> EventLog {
        self.1 = Some(vm.observe(Box::new(self.clone())));
        self
    }
    fn lines(&self) -> MutexGuard<'_, Lines> {
        // a line that a panic has cut is the last
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn start(vm: &mut Vm, config: &Config) -> Result<Option<EventLog>, ToolFailure> {
        if config.events == EventSet::NONE {
            return Ok(None);
        }
        let file = config.events_file.as_ref().map(|path| {
            let (path, message) = outputs::target(config, path);
            if let Some(message) = message {
                messages::note(&format_args!("{message}; see {}", path.display()));
            }
            path
        });
        let shown = file
            .as_ref()
            .map_or(String::new(), |f| f.display().to_string());
        let log = EventLog::new(config.events, config.events_depth, file)
            .map_err(|e| ToolFailure::of(&format!("--events-file={shown}"), &e))?;
        Ok(Some(log.begin(vm)))
    }
    fn finish(self, vm: &mut Vm) -> bool {
        let ended = self.end(vm);
        if let Err(e) = &ended {
            messages::error(&e);
        }
        ended.is_ok()
    }
    /// The same; why not all of them could be written.
    fn end(self, vm: &mut Vm) -> Result<(), EventsError> {
        if let Some(id) = self.1 {
            vm.remove_observer(id);
        }
        let mut lines = self.lines();
        lines.flush();
        match lines.broken.take() {
            // who has read enough closes the pipe
            Some(e) if lines.file.is_some() || e.kind() != io::ErrorKind::BrokenPipe => {
                Err(EventsError::NotWritten(e))
            }
            _ => Ok(()),
        }
    }
    /// `Events.enable`: these kinds from now on as well, to this file (by default, to the one there is, or standard error).
    pub fn enable(
        vm: &mut Vm,
        log: &mut Option<EventLog>,
        list: &str,
        file: Option<&Path>,
        depth: Option<usize>,
    ) -> Result<String, EventsError> {
        let more = kinds(list)?;
        let elsewhere = |l: &EventLog| file.is_some_and(|f| l.lines().file.as_deref() != Some(f));
        if log.as_ref().is_some_and(elsewhere) {
            return Err(EventsError::OtherFile);
        }
        let now = match log {
            None => {
                let new = EventLog::new(more, depth.unwrap_or(0), file.map(Path::to_path_buf));
                let new = new.map_err(EventsError::File)?;
                *log = Some(new.begin(vm));
                more
            }
            Some(log) => {
                let mut lines = log.lines();
                lines.wants = lines.wants | more;
                lines.depth = depth.unwrap_or(lines.depth);
                let now = lines.wants;
                drop(lines);
                if let Some(id) = log.1 {
                    vm.want(id, now);
                }
                now
            }
        };
        let at = grouped(vm.bytecodes_now() as u64);
        Ok(format!("From bytecode {at} on: {}\n", names(now)))
    }
    /// `Events.disable`: these kinds no longer, or none at all.
    pub fn disable(
        vm: &mut Vm,
        log: &mut Option<EventLog>,
        list: Option<&str>,
    ) -> Result<String, EventsError> {
        let less = list.map_or(Ok(EventSet::EVERY_EVENT), kinds)?;
        let Some(here) = log.as_ref() else {
            return Ok("Events are not written\n".into());
        };
        let mut lines = here.lines();
        lines.wants = lines.wants.without(less);
        let now = lines.wants;
        lines.flush();
        drop(lines);
        if now != EventSet::NONE {
            if let Some(id) = here.1 {
                vm.want(id, now);
            }
            return Ok(format!("Events: {}\n", names(now)));
        }
        let written = here.lines().written;
        log.take().map_or(Ok(()), |log| log.end(vm))?;
        Ok(format!("Events: none; {} written\n", grouped(written)))
    }
    /// `Events.status`
    pub fn status(log: Option<&EventLog>) -> String {
        let Some(log) = log else {
            return "Events: none\n".into();
        };
        let mut lines = log.lines();
        lines.flush();
        let file = lines.file.as_ref();
        let file = file.map_or("standard error".into(), |f| f.display().to_string());
        let (kinds, written) = (names(lines.wants), grouped(lines.written));
        format!("Events: {kinds}\nWritten: {written} to {file}\n")
    }
}

impl Observer for EventLog {
    fn events(&self) -> EventSet {
        self.lines().wants
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        let Some(what) = described(seen, event) else {
            return;
        };
        let mut lines = self.lines();
        let at = seen.bytecodes();
        let thread = seen.thread().map_or("-".into(), |t| seen.thread_name(t));
        let mut text = format!("{at} \"{thread}\" {what}\n");
        // a heap that is being collected has no stacks to be looked at
        if lines.depth > 0 && !seen.is_in_collection() {
            for f in seen.top_frames(lines.depth) {
                let bci = i32::try_from(f.bci).unwrap_or(-1);
                let _ = writeln!(text, "\tat {}", seen.frame_line(MethodId(f.method), bci));
            }
        }
        lines.line(&text);
    }
}

impl Lines {
    fn line(&mut self, text: &str) {
        if self.broken.is_some() {
            return;
        }
        self.written += 1;
        self.broken = self.out.write_all(text.as_bytes()).err();
    }
    fn flush(&mut self) {
        if self.broken.is_none() {
            self.broken = self.out.flush().err();
        }
    }
}

/// An event in words.
fn described(seen: &mut EventView<'_>, event: Event<'_>) -> Option<String> {
    Some(match event {
        Event::Started => "vm-start".into(),
        Event::Initialized => "vm-init".into(),
        Event::Ended => "vm-end".into(),
        Event::ThreadStarted(t) => format!("thread-start \"{}\"", seen.thread_name(t)),
        Event::ThreadEnded(t) => format!("thread-end \"{}\"", seen.thread_name(t)),
        Event::ClassLoaded(c) => format!("class-load {}", seen.class(c).dotted()),
        Event::ClassPrepared(c) => format!("class-prepare {}", seen.class(c).dotted()),
        Event::ClassUnloaded(c) => format!("class-unload {}", seen.class(c).dotted()),
        Event::ClassFile(file) => {
            let name = file.name.unwrap_or("-").replace('/', ".");
            format!("class-file {name} {} bytes", file.bytes.len())
        }
        Event::NewArena(a) => format!("arena-new {}", a.name()),
        Event::DeleteArena(a) => format!("arena-delete {}", a.name()),
        Event::CollectionStarted => "gc-start".into(),
        Event::CollectionEnded(c) => format!(
            "gc-end {} ({}) {} to {} of {} bytes",
            c.kind, c.cause, c.before, c.after, c.capacity
        ),
        Event::MethodEntry { method } => format!("method-entry {}", seen.method_name(method)),
        Event::MethodExit { method, exception } => {
            let how = if exception { " by an exception" } else { "" };
            format!("method-exit {}{how}", seen.method_name(method))
        }
        Event::Instruction(at) => {
            let top = at.stack.last()?;
            let method = seen.method_name(MethodId(top.method));
            format!("instruction-start {method} {}", top.bci)
        }
        Event::Sampled(sample) => {
            let top = sample.stack.last()?;
            let bci = i32::try_from(top.bci).unwrap_or(-1);
            format!("sample {}", seen.frame_line(MethodId(top.method), bci))
        }
        event => return object_described(seen, event),
    })
}

/// The same of an event of objects and the heap.
fn object_described(seen: &mut EventView<'_>, event: Event<'_>) -> Option<String> {
    Some(match event {
        Event::Allocated { object, bytes } => {
            format!("object-alloc {} {bytes} bytes", called(seen, object))
        }
        Event::Moved {
            from,
            to,
            bytes,
            class,
        } => {
            let class = seen.class(class).dotted();
            format!(
                "object-move {class}@{:x} to {:x} {bytes} bytes",
                from.slot(),
                to.slot()
            )
        }
        Event::Freed {
            object,
            bytes,
            class,
        } => {
            let class = seen.class(class).dotted();
            format!("object-free {class}@{:x} {bytes} bytes", object.slot())
        }
        Event::HeapDumped(path, result) => {
            let path = String::from_utf8_lossy(path);
            match result {
                Ok(bytes) => format!("heap-dump {path} {bytes} bytes"),
                Err(e) => format!("heap-dump {path} {}", io::Error::from_raw_os_error(e)),
            }
        }
        event => return wait_described(seen, event),
    })
}

/// The same of an event of monitors and parking.
fn wait_described(seen: &mut EventView<'_>, event: Event<'_>) -> Option<String> {
    let limit = |t: Option<i64>| t.map_or(String::new(), |n| format!(" at most {n} ns"));
    let over = |timed_out: bool| if timed_out { " timed out" } else { "" };
    Some(match event {
        Event::MonitorContendedEnter { object, owner } => {
            let owner = owner.map_or("-".into(), |t| seen.thread_name(t));
            format!(
                "monitor-contended-enter {} of \"{owner}\"",
                called(seen, object)
            )
        }
        Event::MonitorContendedEntered { object } => {
            format!("monitor-contended-entered {}", called(seen, object))
        }
        Event::MonitorContendedExit { object } => {
            format!("monitor-contended-exit {}", called(seen, object))
        }
        Event::MonitorWait { object, timeout } => {
            format!("monitor-wait {}{}", called(seen, object), limit(timeout))
        }
        Event::MonitorWaited { object, timed_out } => {
            format!("monitor-waited {}{}", called(seen, object), over(timed_out))
        }
        Event::Park { blocker, timeout } => {
            format!("park {}{}", called(seen, blocker), limit(timeout))
        }
        Event::Parked { blocker, timed_out } => {
            format!("parked {}{}", called(seen, blocker), over(timed_out))
        }
        _ => return None,
    })
}

/// What an object is called: its class, and its place in the heap.
fn called(seen: &mut EventView<'_>, r: Ref) -> String {
    match r.is_null() {
        true => "-".to_string(),
        false => format!("{}@{:x}", seen.class(seen.class_of(r)).dotted(), r.slot()),
    }
}
