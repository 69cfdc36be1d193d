//! A process of the program: a VM that is stopped at a count of bytecodes and waits for orders.

use super::errors::LookError;
use super::evaluations;
use super::looks::Looks;
use super::mark::Mark;
use super::origin;
use super::query::PlacedQuery;
use super::values;
use super::wire::{
    Found, MethodKey, Order, Place, PlaceThread, PrintedText, Reply, View, Watched, Wire,
};
use crate::explore::own_files;
use crate::explore::process::{KeptOutput, Output, can_be_ended, leave};
use crate::sources::SourcePath;
use rjvm_hosts::record::Recording;
use rjvm_profiler::export::Sources;
use rjvm_vm::Vm;
use rjvm_vm::debug::{Debugger, StepAction, StepAt};
use rjvm_vm::inspect::{FrameInfo, InspectLimits, Thread};
use rjvm_vm::instruments::MethodView;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;

/// Lines around the present one that are listed.
const AROUND: usize = 5;

/// The process's end of the way to the session, and what it keeps.
pub struct Worker {
    wire: Wire,
    socket: PathBuf,
    /// None of a live program, whose output the session reads at once.
    output: Option<KeptOutput>,
    /// Bytes that the program has printed and the session has, on each stream.
    printed: [u64; 2],
    placed: Option<PlacedQuery>,
    /// The parts that were looked at since the program stopped.
    looks: Looks,
    sources: SourcePath,
    /// Of a live program: called where it stops.
    live: Option<LiveHooks>,
}

/// What a live program has besides.
struct LiveHooks {
    /// The session rings here to have the program stop.
    bell: Option<UnixStream>,
    /// Where the run is recorded.
    recording: Option<Recording>,
}

/// A worker that the VM's hook shares with the wait for the program's end.
#[derive(Clone)]
pub struct SharedWorker(Arc<Mutex<Worker>>);

impl SharedWorker {
    /// Connects this process, which has just been copied off a session, with that.
    pub fn begin(
        socket: &Path,
        input: Option<&Path>,
        sources: SourcePath,
    ) -> io::Result<SharedWorker> {
        let wire = connect(socket)?;
        let output = Some(KeptOutput::begin(input)?);
        Ok(SharedWorker::of(wire, socket, output, sources, None))
    }
    /// The same for a live program, which writes its output and error output to these pipes.
    pub fn begin_live(
        socket: &Path,
        input: Option<&Path>,
        output: &[OwnedFd; 2],
        sources: SourcePath,
    ) -> io::Result<SharedWorker> {
        let wire = connect(socket)?;
        let bell = Some(UnixStream::connect(socket)?);
        let input = File::open(input.unwrap_or(Path::new("/dev/null")))?;
        rustix::stdio::dup2_stdin(input)?;
        rustix::stdio::dup2_stdout(&output[0])?;
        rustix::stdio::dup2_stderr(&output[1])?;
        let hooks = LiveHooks {
            bell,
            recording: None,
        };
        Ok(SharedWorker::of(wire, socket, None, sources, Some(hooks)))
    }
    fn of(
        wire: Wire,
        socket: &Path,
        output: Option<KeptOutput>,
        sources: SourcePath,
        live: Option<LiveHooks>,
    ) -> SharedWorker {
        SharedWorker(Arc::new(Mutex::new(Worker {
            wire,
            socket: socket.into(),
            output,
            printed: [0; 2],
            placed: None,
            looks: Looks::default(),
            sources,
            live,
        })))
    }
    /// From now on the VM waits for orders where it stops.
    pub fn install(&self, vm: &mut Vm) {
        let worker = self.clone();
        vm.on_stop(Box::new(move |vm, _| {
            let mut worker = worker.0.lock().unwrap_or_else(PoisonError::into_inner);
            // a session that is gone has no use for the process
            if worker.stopped(vm).is_err() {
                leave();
            }
            true
        }));
    }
    /// Of a live program, which is recorded: the VM also stops when the session rings, or a query has a hit.
    ///
    /// # Errors
    /// As from starting a thread.
    pub fn install_live(&self, vm: &mut Vm, recording: &Recording) -> io::Result<()> {
        self.install(vm);
        vm.set_debugger(Some(Box::new(self.clone())));
        let mut worker = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(live) = &mut worker.live else {
            return Ok(());
        };
        live.recording = Some(recording.clone());
        if let Some(mut bell) = live.bell.take() {
            let canceller = vm.canceller();
            let ring = move || {
                while let Ok(1..) = bell.read(&mut [0]) {
                    canceller.attend();
                }
                // the session is gone
                leave()
            };
            Builder::new().name("bell".into()).spawn(ring)?;
        }
        Ok(())
    }
    /// The program has ended with this code: reports that, and is gone.
    /// `parted`: why a replay could not follow its recording, and the position.
    pub fn ended(&self, vm: &mut Vm, code: i32, begun: bool, parted: Option<(String, i64)>) -> ! {
        let mut worker = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let position = vm.bytecodes();
        let found = worker.placed.as_ref().map(|p| p.found(vm));
        if let Ok(printed) = worker.take_printed() {
            // a session that is gone need not know
            let _ = worker.wire.send(&Reply::Ended {
                position,
                code,
                begun,
                found: found.unwrap_or_default(),
                printed,
                parted,
            });
        }
        leave()
    }
}

impl SharedWorker {
    /// There is no VM; why has been printed: reports that, and is gone.
    pub fn never(&self) -> ! {
        let mut worker = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(printed) = worker.take_printed() {
            // a session that is gone need not know
            let _ = worker.wire.send(&Reply::Ended {
                position: 0,
                code: 1,
                begun: false,
                found: Found::default(),
                printed,
                parted: None,
            });
        }
        leave()
    }
}

impl Debugger for SharedWorker {
    fn stopped(&mut self, vm: &mut Vm) {
        let mut worker = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if worker.stopped(vm).is_err() {
            leave();
        }
    }
    fn step(&mut self, _: &mut Vm, _: StepAt) -> StepAction {
        // no thread is followed
        StepAction::Leave
    }
}

/// Connects this process with its session.
fn connect(socket: &Path) -> io::Result<Wire> {
    can_be_ended();
    // what somebody types at the terminal is for the session, not for the program
    rustix::process::setpgid(None, None)?;
    let mut wire = Wire::new(UnixStream::connect(socket)?);
    wire.send(&hello())?;
    Ok(wire)
}

fn hello() -> Reply {
    Reply::Hello {
        pid: rustix::process::getpid().as_raw_nonzero().get(),
    }
}

impl Worker {
    fn take_printed(&mut self) -> io::Result<PrintedText> {
        let output = match &mut self.output {
            Some(kept) => kept.take()?,
            None => Output::default(),
        };
        let before = self.printed;
        self.printed[0] += output.output.len() as u64;
        self.printed[1] += output.errors.len() as u64;
        Ok(PrintedText {
            before,
            text: [output.output, output.errors],
        })
    }
    /// The VM has stopped: executes orders, until one is to continue.
    fn stopped(&mut self, vm: &mut Vm) -> io::Result<()> {
        let found = match &self.placed {
            Some(placed) => placed.found(vm),
            None => Found::default(),
        };
        if let Some(recording) = self.live.as_ref().and_then(|l| l.recording.as_ref()) {
            // processes that replay it come up to here
            recording.flush();
        }
        let printed = self.take_printed()?;
        let mark = self.mark(vm);
        self.wire.send(&Reply::Stopped {
            position: vm.bytecodes(),
            found,
            printed,
            mark,
        })?;
        loop {
            let Some(order) = self.wire.receive()? else {
                leave();
            };
            let reply = match order {
                Order::Copy => match self.output.as_mut().map(KeptOutput::copy) {
                    None => Reply::Problem("a live program cannot be copied".into()),
                    Some(Ok(false)) => {
                        vm.process_copied();
                        Reply::Copied
                    }
                    Some(Ok(true)) => {
                        vm.process_copied();
                        self.wire = Wire::new(UnixStream::connect(&self.socket)?);
                        own_files(vm.host(), false);
                        hello()
                    }
                    Some(Err(e)) => Reply::Problem(format!("cannot copy the process: {e}")),
                },
                Order::Run(to, watched) => {
                    self.watch(vm, watched);
                    self.looks = Looks::default();
                    vm.set_fuel(Some(to - vm.bytecodes()));
                    return Ok(());
                }
                Order::Place => Reply::Place(self.place(vm)),
                Order::Origin(look) => {
                    let seen = origin::look(vm, &look, &|frame| self.source_line(frame));
                    match seen {
                        Ok(seen) => Reply::Origin(Box::new(seen)),
                        Err(problem) => Reply::Problem(problem.to_string()),
                    }
                }
                Order::Thread(id) => Reply::Thread(self.thread(vm, |t| t.id.0 == id)),
                Order::Look(look) => match self.looks.look(vm, &look) {
                    Ok(seen) => Reply::Seen(seen),
                    Err(problem) => Reply::Problem(problem.to_string()),
                },
                Order::Show(View::Value(text)) if evaluations::needs_calls(vm, &text) => {
                    Reply::Apart
                }
                Order::Show(view) => match self.view(vm, &view) {
                    Ok(text) => Reply::Text(text),
                    Err(problem) => Reply::Problem(problem.to_string()),
                },
                Order::Evaluate(evaluation) => match self.looks.evaluate(vm, &evaluation) {
                    Ok(seen) => Reply::Seen(seen),
                    Err(problem) => Reply::Problem(problem.to_string()),
                },
                Order::Assign(assignment) => match self.looks.assign(vm, &assignment) {
                    Ok(()) => {
                        let printed = self.take_printed()?;
                        let mark = self.mark(vm);
                        Reply::Assigned {
                            position: vm.bytecodes(),
                            printed,
                            mark,
                        }
                    }
                    Err(problem) => Reply::Problem(problem.to_string()),
                },
            };
            self.wire.send(&reply)?;
        }
    }
    fn mark(&self, vm: &mut Vm) -> Mark {
        let current = vm.stopped_thread();
        Mark::of(vm, current, self.printed)
    }
    fn watch(&mut self, vm: &mut Vm, watched: Watched) {
        if matches!(watched, Watched::Same) {
            return;
        }
        if let Some(placed) = self.placed.take() {
            placed.remove(vm);
        }
        if let Watched::New(query) = watched {
            if query.fast {
                vm.end_inspection();
            }
            let halts = query.halts;
            self.placed = Some(PlacedQuery::new(vm, *query));
            if halts {
                // a search that began before may have a hit here
                vm.notify_again();
            }
        }
    }
    fn place(&self, vm: &mut Vm) -> Place {
        Place {
            position: vm.bytecodes(),
            thread: self.thread(vm, |t| t.current),
        }
    }
    /// A thread with its frames, if it has some.
    fn thread(&self, vm: &mut Vm, is: impl Fn(&Thread) -> bool) -> Option<PlaceThread> {
        let limits = InspectLimits {
            depth: 1,
            ..InspectLimits::default()
        };
        let state = vm.inspect(&limits);
        let t = state.threads.iter().find(|t| is(t))?;
        let top = t.frames.first()?;
        let frames = vm.debug_frames(t.id);
        let view = MethodView::new(vm, frames.first()?.method);
        let (library, fresh) = (view.class().is_library(), top.bci == Some(0));
        let keys = frames.iter().map(|f| {
            let m = MethodView::new(vm, f.method);
            let key = MethodKey {
                class: m.class().name(),
                name: m.name().into(),
                descriptor: m.descriptor().into(),
            };
            (f.height, key)
        });
        Some(PlaceThread {
            id: t.id.0,
            name: t.name.clone(),
            at: format!("{}  {}", top.place(), top.bytecode())
                .trim_end()
                .into(),
            source: self.source_line(top),
            fresh,
            library,
            frames: keys.collect(),
        })
    }
    fn source(&self, frame: &FrameInfo) -> Option<String> {
        let package = frame
            .class
            .rsplit_once('.')
            .map_or(String::new(), |p| p.0.replace('.', "/") + "/");
        self.sources
            .text(&format!("{package}{}", frame.file.as_ref()?))
    }
    fn source_line(&self, frame: &FrameInfo) -> Option<(u16, String)> {
        let line = frame.line?;
        let text = self.source(frame)?;
        let text = text.lines().nth(usize::from(line).checked_sub(1)?)?;
        Some((line, text.to_owned()))
    }
    /// The lines to show.
    fn view(&mut self, vm: &mut Vm, view: &View) -> Result<String, LookError> {
        if let View::Evaluated(frame, text) = view {
            let text = self.looks.printed(vm, *frame, text);
            return text.map(|text| text + "\n");
        }
        let limits = InspectLimits::default();
        let state = vm.inspect(&limits);
        let current = state.threads.iter().find(|t| t.current);
        let frame = |number: usize| {
            let thread = current.ok_or(LookError::NothingRuns)?;
            let found = values::frame(thread, number);
            found.ok_or(match number {
                0 => LookError::NoFrames,
                _ => LookError::NoFrame,
            })
        };
        Ok(match view {
            View::State => state.to_string(),
            View::Threads => values::threads(&state),
            View::Frames => values::frames(current.ok_or(LookError::NothingRuns)?),
            View::Frame(number) => {
                let frame = frame(*number)?;
                let mut text = format!("#{number}  {}\n", frame.place());
                if let Some((line, source)) = self.source_line(frame) {
                    text += &format!("{line:<5} {source}\n");
                }
                text
            }
            View::Locals(number) => values::locals(&state, frame(*number)?),
            View::Value(text) | View::Evaluated(_, text) => values::value(vm, text)? + "\n",
            View::List(number) => {
                let frame = frame(*number)?;
                let missing = || LookError::NoSource(frame.place());
                let (text, line) = self.source(frame).zip(frame.line).ok_or_else(missing)?;
                values::listing(&text, line.into(), AROUND)
            }
        })
    }
}
