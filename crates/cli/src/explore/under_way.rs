//! An exploration under way in a VM: where its schedules begin, and what becomes of each process at its end.

use super::outcome;
use super::process::{Capture, leave};
use super::session::{Role, Session};
use rjvm_explorer::{Explorer, SharedExplorer, StartCallback};
use rjvm_hosts::deterministic::Deterministic;
use rjvm_vm::Vm;
use rjvm_vm::host::Host;
use rjvm_vm::startup::CallStop;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the VM of an exploration and the processes of its schedules keep.
pub struct RunningExploration {
    session: Arc<Mutex<Session>>,
    role: Arc<Mutex<Option<Role>>>,
    /// Decides in this process.
    pub control: SharedExplorer,
    capture: Arc<Capture>,
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// In a copied process: what the program does to its temporary files, and if requested to its working folder, is not seen in others
/// from here on.
pub fn own_files(host: &mut dyn Host, folder: bool) {
    let host = host.as_any().downcast_mut::<Deterministic>();
    if let Some(Err(e)) = host.map(|host| host.copied(folder)) {
        // the process that waits for this one reports what it has printed
        eprintln!("cannot copy the program's files: {e}");
        leave()
    }
}

impl RunningExploration {
    /// An exploration that begins where a program that `control` controls is about to start its first thread. From here on nothing that is
    /// printed is seen.
    pub fn new(session: Session, control: SharedExplorer) -> io::Result<RunningExploration> {
        let input = session.settings.input.as_deref();
        let capture = Capture::begin(input).map_err(|e| {
            let name = input.map_or("/dev/null".into(), |p| p.display().to_string());
            io::Error::new(e.kind(), format!("{name}: {e}"))
        })?;
        let under_way = RunningExploration {
            session: Arc::new(Mutex::new(session)),
            role: Arc::default(),
            control,
            capture: Arc::new(capture),
        };
        let (session, role) = (under_way.session.clone(), under_way.role.clone());
        let control = under_way.control.clone();
        let capture = under_way.capture.clone();
        let begins: StartCallback = Box::new(move |vm| {
            let mut session = locked(&session);
            let decided = session.explore(vm, &control, &capture);
            let goes_on = matches!(decided, Role::Child(_));
            if let Role::Child(run) = &decided {
                own_files(vm.host(), session.settings.own_folder);
                run.begins(vm, &session.settings);
            }
            *locked(&role) = Some(decided);
            goes_on
        });
        let before = {
            let settings = &locked(&under_way.session).settings;
            Explorer::before(settings.points, settings.jmm, begins)
        };
        under_way.control.with(|e| *e = before);
        Ok(under_way)
    }
    /// The VM has come to an end, in this way. The process of a schedule reports that and ends. The process that explores
    /// reports the results, and shows output again. A program that has never started a thread has one schedule.
    pub fn ended(self, vm: &mut Vm, end: Result<i32, CallStop>) -> Session {
        let role = locked(&self.role).take();
        if let Some(Role::Child(run)) = role {
            let max_bytecodes = locked(&self.session).settings.max_bytecodes;
            let outcome = outcome(vm, end, max_bytecodes);
            run.finish(vm, outcome)
        }
        let mut session = locked(&self.session);
        if role.is_none() && matches!(end, Err(CallStop::OutOfFuel)) {
            let n = session.settings.prelude;
            session.problem = Some(io::Error::other(format!(
                "the program has not started a second thread after {n} bytecodes"
            )));
        } else if role.is_none() {
            let outcome = outcome(vm, end, session.settings.max_bytecodes);
            match self.capture.printed() {
                Ok(printed) => session.alone(vm, &self.control, outcome, printed),
                Err(e) => session.problem = Some(e),
            }
        }
        drop(session);
        // the last one to know the session and what was captured
        self.control.with(|e| *e = Explorer::default());
        let session = Arc::into_inner(self.session).expect("the exploration has ended");
        session.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
