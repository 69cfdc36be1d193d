//! A VM as its embedder has it.

use super::context::{Context, Request, RequestBody, Sealed};
use super::error::{Error, parted};
use super::exception;
use super::folder::Folder;
use super::host;
use super::job;
use super::probes::VmProbes;
use super::state::{State, VmId};
use super::stdio::Captured;
use super::value::{FromJava, Value};
use rjvm_profiler::{Profile, Totals};
use rjvm_run::assembly::FreshVm;
use rjvm_run::profile::{self, Scope};
use rjvm_run::program::{Program, Running};
use rjvm_run::tape::{Tape, Unfinished};
use rjvm_vm::cancel::Canceller;
use rjvm_vm::interp::Outcome;
use rjvm_vm::{ThreadId, Vm as Core};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A Java virtual machine. It runs only during calls of its methods, on the calling OS thread. Between calls, you can
/// move it to another thread. Dropping it frees all its resources.
pub struct Vm {
    pub(super) core: Box<Core>,
    id: VmId,
    main: ThreadId,
    /// What has been stopped: at the end of the fuel, or by a request.
    suspended: Option<Suspended>,
    /// The program has ended with this code.
    exited: Option<i32>,
    captured: [Captured; 2],
    tape: Tape,
    faults: Reported,
    pub(super) probes: VmProbes,
    /// What the class path names has to be there as long as the VM.
    _folders: Vec<Folder>,
}

/// An injected failure of a request to the outside, or of an allocation: see
/// [`VmBuilder::faults`](crate::VmBuilder::faults).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InjectedFault {
    /// The part of the plan that caused it, such as `disk-full`.
    pub kind: String,
    /// The request with its arguments, or the number of the allocation and its bytes.
    pub request: String,
    /// The bytecodes executed before it.
    pub bytecode: u64,
}

/// Faults so far.
pub(super) type Reported = Arc<Mutex<Vec<InjectedFault>>>;

enum Suspended {
    /// This job.
    Job(u64),
    /// The program of [`Vm::run_main`].
    Program(Program),
}

/// Sums of bytecodes and allocations so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Executed {
    /// Bytecodes of all threads since the start of the VM.
    pub bytecodes: u64,
    /// Threads started so far.
    pub threads: u64,
    /// Bytes allocated for objects.
    pub allocated: u64,
    /// Bytes of objects in the heap, including unreachable ones that are not collected yet.
    pub heap_used: u64,
    /// Collections of the young generation so far.
    pub young_collections: u64,
    /// Collections of the whole heap so far.
    pub full_collections: u64,
}

impl Sealed for Vm {
    fn request(&mut self, request: Request) -> Result<Value, Error> {
        match request.0 {
            RequestBody::Look(look) => self.core.guarded(look).map_err(Error::Fault)?,
            RequestBody::Job(job) => {
                self.ready()?;
                let main = self.main;
                let begun = self.core.guarded(|core| job::begin(core, job));
                let settled = begun.map_err(Error::Fault).and_then(|(id, cont)| {
                    let outcome = self.core.run_cont(main, cont);
                    self.settle(id, outcome)
                });
                settled.map_err(|e| parted(&self.tape, e))
            }
        }
    }
}

impl Context for Vm {}

impl Vm {
    pub(super) fn new(
        made: FreshVm,
        id: VmId,
        main: ThreadId,
        captured: [Captured; 2],
        faults: Reported,
        folders: Vec<Folder>,
    ) -> Vm {
        Vm {
            core: made.core,
            id,
            main,
            suspended: None,
            exited: None,
            captured,
            tape: made.tape,
            faults,
            probes: VmProbes::default(),
            _folders: folders,
        }
    }
    /// Whether a call may be made.
    fn ready(&self) -> Result<(), Error> {
        match (&self.suspended, self.exited) {
            (Some(_), _) => Err(Error::Suspended),
            (None, Some(code)) => Err(Error::Exit(code)),
            (None, None) => Ok(()),
        }
    }
    /// Runs a job until it has ended, or the VM cannot go on.
    fn settle(&mut self, id: u64, mut outcome: Outcome) -> Result<Value, Error> {
        while matches!(outcome, Outcome::Idle) {
            outcome = self.core.resume();
        }
        let ended = match outcome {
            Outcome::Returned(Ok(_)) => {
                let result = State::of(&mut self.core).take_result(id);
                result.unwrap_or(Ok(Value::Void))
            }
            Outcome::Returned(Err(e)) => Err(self.exception(e)),
            Outcome::OutOfFuel => {
                self.suspended = Some(Suspended::Job(id));
                return Err(Error::OutOfFuel);
            }
            Outcome::Halted(why) => {
                self.suspended = Some(Suspended::Job(id));
                return Err(why.into());
            }
            other => Err(self.stopped(other)),
        };
        drop(State::of(&mut self.core).take_job(id));
        ended
    }
    fn exception(&mut self, e: rjvm_vm::Ref) -> Error {
        let captured = self.core.guarded(|core| exception::capture(core, e));
        captured.map_or_else(Error::Fault, Error::Exception)
    }
    /// Why the VM has stopped other than at the end of a call or of the fuel.
    fn stopped(&mut self, outcome: Outcome) -> Error {
        match outcome {
            Outcome::Exit(code) => {
                self.exited = Some(code);
                Error::Exit(code)
            }
            Outcome::Deadlock(report) => {
                self.give_up();
                Error::Deadlock(report)
            }
            Outcome::Fault(fault) => Error::Fault(fault),
            // there is no thread left but daemons
            Outcome::AllDone | Outcome::Idle => Error::Exit(0),
            Outcome::OutOfFuel => Error::OutOfFuel,
            Outcome::Halted(why) => why.into(),
            Outcome::Returned(_) => Error::NotSuspended,
        }
    }
    /// Takes the frames of the embedder's thread off its stack.
    fn give_up(&mut self) {
        self.core.abandon_call(self.main);
        host::forget(self.id, Some(self.main));
    }

    /// Runs the program whose `main` method is in this class, as the launcher does: the main thread, then the other
    /// threads until only daemons are left, then the shutdown hooks. The exit code is the argument of `System.exit`; 1
    /// after an uncaught exception, whose trace is on the standard error; otherwise 0.
    pub fn run_main<S: AsRef<str>>(
        &mut self,
        class: &str,
        args: impl IntoIterator<Item = S>,
    ) -> Result<i32, Error> {
        self.ready()?;
        let args = args.into_iter().map(|a| a.as_ref().to_owned()).collect();
        let mut program = Program::of_class(self.main, class, args);
        self.core.set_scope(self.main, false);
        self.core.count_allocations(false);
        let outcome = program.begin(&mut self.core);
        let followed = self.follow(program, outcome);
        followed.map_err(|e| parted(&self.tape, e))
    }
    fn follow(&mut self, mut program: Program, outcome: Outcome) -> Result<i32, Error> {
        match program.follow(&mut self.core, outcome) {
            Running::Ended(code) => {
                self.exited = Some(code);
                Ok(code)
            }
            Running::Stopped(Outcome::OutOfFuel) => {
                self.suspended = Some(Suspended::Program(program));
                Err(Error::OutOfFuel)
            }
            Running::Stopped(Outcome::Halted(why)) => {
                self.suspended = Some(Suspended::Program(program));
                Err(why.into())
            }
            Running::Stopped(Outcome::Exit(code)) => {
                self.exited = Some(code);
                Ok(code)
            }
            Running::Stopped(Outcome::Deadlock(report)) => {
                self.exited = Some(1);
                Err(Error::Deadlock(report))
            }
            Running::Stopped(Outcome::Returned(Err(e))) => Err(self.exception(e)),
            Running::Stopped(other) => Err(self.stopped(other)),
        }
    }

    /// The bytecodes that the VM may still execute; `None`: any number.
    pub fn fuel(&self) -> Option<u64> {
        self.core.fuel().map(|f| f.max(0) as u64)
    }
    /// Sets how many bytecodes the VM may still execute. It stops when exactly that many have begun:
    /// [`Error::OutOfFuel`]. By default there is no limit.
    pub fn set_fuel(&mut self, bytecodes: impl Into<Option<u64>>) {
        let fuel = bytecodes.into();
        let fuel = fuel.map(|f| i64::try_from(f).unwrap_or(i64::MAX));
        self.core.set_fuel(fuel);
    }
    /// Adds bytecodes to the fuel, if there is a limit.
    pub fn add_fuel(&mut self, bytecodes: u64) {
        if let Some(fuel) = self.fuel() {
            self.set_fuel(fuel.saturating_add(bytecodes));
        }
    }
    /// A handle that stops the VM from another OS thread: the running call, or the next one, ends with
    /// [`Error::Cancelled`] within milliseconds. The call is then suspended, as after the end of the fuel.
    pub fn canceller(&mut self) -> Canceller {
        self.core.canceller()
    }
    /// The real time that calls may still take; `None`: any. Afterwards there is an [`Error::Limit`], and the call is
    /// suspended, as after the end of the fuel; but the bytecode differs from run to run.
    pub fn wall_time(&self) -> Option<Duration> {
        self.core.wall_time()
    }
    /// Sets the real time that calls may still take in total. An OS thread watches it; the system may refuse to start
    /// one.
    pub fn set_wall_time(&mut self, left: impl Into<Option<Duration>>) -> Result<(), Error> {
        let set = self.core.set_wall_time(left.into());
        set.map_err(|e| Error::Setup(format!("a limit of time: {e}")))
    }
    /// Continues the suspended call at the same bytecode, and returns its result. For [`Vm::run_main`] this is the exit
    /// code, an `i32`.
    pub fn resume<R: FromJava>(&mut self) -> Result<R, Error> {
        let value = match self.suspended.take() {
            None => return Err(Error::NotSuspended),
            Some(Suspended::Job(id)) => {
                let outcome = self.core.resume();
                self.settle(id, outcome)
            }
            Some(Suspended::Program(program)) => {
                let outcome = self.core.resume();
                self.follow(program, outcome).map(Value::Int)
            }
        };
        R::from_java(value.map_err(|e| parted(&self.tape, e))?)
    }
    /// Whether a suspended call is pending: resume or abandon it.
    pub fn is_suspended(&self) -> bool {
        self.suspended.is_some()
    }
    /// Abandons the suspended call. It removes the frames of the call without running handlers or `finally` blocks, and
    /// releases their monitors. Classes that the call was initializing become erroneous. All other changes stay. Other
    /// threads continue with the next call. Without a suspended call, it does nothing.
    pub fn abandon(&mut self) -> Result<(), Error> {
        match self.suspended.take() {
            None => {}
            Some(Suspended::Job(id)) => {
                self.give_up();
                drop(State::of(&mut self.core).take_job(id));
            }
            Some(Suspended::Program(_)) => self.give_up(),
        }
        Ok(())
    }

    /// Ends a recording or replay: it does not contain later execution.
    ///
    /// # Errors
    /// A recording could not be written; [`Error::Replay`] if the recorded run ended elsewhere.
    pub fn finish(&mut self) -> Result<(), Error> {
        let ended = self.tape.finish(&mut self.core, self.exited.unwrap_or(0));
        ended.map(drop).map_err(|e| match e {
            Unfinished::Recording(e) => Error::Setup(format!("the recording is incomplete: {e}")),
            Unfinished::Replay(why) => Error::Replay(why.to_string()),
        })
    }
    /// The injected failures so far.
    pub fn faults(&self) -> Vec<InjectedFault> {
        let all = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        all.clone()
    }

    /// The bytes written to the standard output, if it is captured.
    pub fn stdout(&self) -> Vec<u8> {
        self.captured[0].bytes()
    }
    /// The bytes written to the standard error, if it is captured.
    pub fn stderr(&self) -> Vec<u8> {
        self.captured[1].bytes()
    }
    /// The same as [`Vm::stdout`], as text; invalid UTF-8 is replaced.
    pub fn stdout_text(&self) -> String {
        String::from_utf8_lossy(&self.stdout()).into_owned()
    }
    /// The same as [`Vm::stderr`], as text; invalid UTF-8 is replaced.
    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr()).into_owned()
    }
    /// The bytes written to the standard output since the last call.
    pub fn take_stdout(&mut self) -> Vec<u8> {
        self.captured[0].take()
    }
    /// The bytes written to the standard error since the last call.
    pub fn take_stderr(&mut self) -> Vec<u8> {
        self.captured[1].take()
    }

    /// The exact profile of all calls so far, also of a suspended one, and of the threads that they started. For
    /// [`Vm::run_main`], it has the bytecodes that `main` and its threads execute.
    ///
    /// The class library's start is left out; [`Vm::profile_of_all`] has it.
    pub fn profile(&mut self) -> Result<Profile, Error> {
        self.profile_in(Scope::Main)
    }
    /// The exact profile of everything that the VM has executed.
    pub fn profile_of_all(&mut self) -> Result<Profile, Error> {
        self.profile_in(Scope::All)
    }
    fn profile_in(&mut self, scope: Scope) -> Result<Profile, Error> {
        let profile = profile::exact(&mut self.core, scope);
        profile.map_err(|e| Error::Setup(e.to_string()))
    }
    /// The samples so far; an empty profile if the VM takes none.
    pub fn samples(&mut self) -> Result<Profile, Error> {
        let samples = profile::samples(&mut self.core);
        samples.map_err(|e| Error::Setup(e.to_string()))
    }
    /// The totals of [`Vm::profile`].
    pub fn totals(&mut self) -> Result<Totals, Error> {
        Ok(self.profile()?.totals())
    }
    /// Numbers of bytecodes and allocations since the start of the VM.
    pub fn executed(&self) -> Executed {
        let (young, full) = self.core.collections();
        Executed {
            bytecodes: self.core.bytecodes().max(0) as u64,
            threads: self.core.threads_started(),
            allocated: self.core.heap_allocated(),
            heap_used: self.core.heap_used() as u64,
            young_collections: young,
            full_collections: full,
        }
    }
    /// The number of compiled methods (a method counts each time it is compiled), and the bytes of their code
    /// ([`VmBuilder::tier`](crate::VmBuilder::tier)).
    pub fn compiled(&self) -> (u64, u64) {
        let found = self.core.tier_use();
        (found.compiled, found.bytes)
    }
    /// Runs a full collection: frees all unreachable objects.
    pub fn collect_garbage(&mut self) {
        // a fault is reported by the next call
        let _ = self.core.guarded(|core| {
            State::forget_dropped(core);
            core.collect_garbage(true);
        });
    }
    /// All threads with their stacks, as `jstack` shows them.
    pub fn thread_dump(&mut self) -> String {
        let dump = self.core.guarded(|core| core.thread_dump(false));
        dump.unwrap_or_else(|fault| fault.to_string())
    }
}

impl Drop for Vm {
    fn drop(&mut self) {
        if !self.tape.is_replay() {
            // who has to know whether it is whole calls it before
            let _ = self.finish();
        }
        host::forget(self.id, None);
    }
}

impl std::fmt::Debug for Vm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Vm({})", self.id.0)
    }
}

const _: () = {
    const fn sent<T: Send>() {}
    sent::<Vm>();
};
