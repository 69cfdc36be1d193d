//! Natives of `rjvm.test.Explorer`: a test under many schedules of its threads.
//!
//! The process is copied where the test begins. The copy runs the test to where it starts a thread, explores from there as `rjvm
//! explore` does, tells what it has found, and is gone; the VM that asked goes on as if nothing had been run.

use super::meter::implementation;
use crate::explore::process::{self, Side};
use crate::explore::session::{Session, Settings};
use crate::explore::{Capture, Explorer, Points, Shared, UnderWay, memory, own_files};
use rjvm_explore::dpor::Limits;
use rjvm_explore::report::summary;
use rjvm_explore::result::{Exploration, Shard, Summary};
use rjvm_explore::schedule::Schedule;
use rjvm_explore::{Method, ThreadNo};
use rjvm_profiler::export::Sources;
use rjvm_vm::startup::Stop;
use rjvm_vm::threads::control::Control;
use rjvm_vm::throw::{Call, Cont, Next, Resume};
use rjvm_vm::{R, Ref, Throw, Value, Vm, natives};
use std::fs::File;
use std::io::{self, Write};

natives! { "rjvm/test/Explorer";
    supported0 "()Z" => supported;
    explore0 "(Lrjvm/test/Body;Ljava/lang/String;ILjava/lang/String;Ljava/lang/String;J)Ljava/lang/String;" => explore;
}

const EXPLORER: &str = "rjvm/test/Explorer";
/// What a test runs.
const BODY: [&str; 3] = ["rjvm/test/Body", "run", "()Ljava/lang/Object;"];
/// Bytecodes after which a schedule counts as endless, and those of what comes before the first thread is started.
const MAX_BYTECODES: u64 = 100_000_000;
/// What a test throws that finds that it can't be run here.
const ABORTED: [&str; 2] = [
    "org.opentest4j.TestAbortedException",
    "org.junit.AssumptionViolatedException",
];
/// Columns of a text.
const WIDTH: usize = 132;

/// What explorations of tests need to know of the VM's command line.
pub struct Ground {
    /// The arguments that run the tests again.
    pub arguments: Vec<String>,
    /// The version of the JDK.
    pub jdk: String,
    /// Where the lines of the program are.
    pub sources: Box<dyn Sources + Send>,
    /// What is to be run again, instead.
    pub replay: Option<Schedule>,
}

/// What the VM keeps.
struct Kept {
    ground: Ground,
    /// An exploration, in its process or that of one of its schedules, and where it tells what it has found.
    under_way: Option<(UnderWay, File)>,
    /// The tests that have failed.
    failed: Vec<String>,
    /// The test that is run again.
    replayed: Option<Shared>,
}

/// From now on this VM can explore its tests.
pub fn install(vm: &mut Vm, ground: Ground) {
    let kept = Kept {
        ground,
        under_way: None,
        failed: Vec::new(),
        replayed: None,
    };
    vm.extensions().insert(EXPLORER, Box::new(kept));
}

fn kept(vm: &mut Vm) -> Option<&mut Kept> {
    let kept = vm.extensions().get_mut(EXPLORER)?;
    kept.downcast_mut()
}

/// Whether this VM can run a test under many schedules.
fn supported(vm: &mut Vm) -> R<bool> {
    Ok(kept(vm).is_some())
}

fn wrong(problem: impl Into<String>) -> Box<Throw> {
    Throw::msg("java/lang/IllegalArgumentException", problem)
}

fn broken(e: io::Error) -> Box<Throw> {
    Throw::msg("java/lang/IllegalStateException", e.to_string())
}

/// Explores the test; what has failed, in words.
fn explore(
    vm: &mut Vm,
    code: Ref,
    name: Ref,
    iterations: i32,
    strategy: Ref,
    memory: Ref,
    seed: i64,
) -> R<Ref> {
    let [name, strategy, memory] = [name, strategy, memory].map(|s| match s.is_null() {
        true => String::new(),
        false => vm.string(s),
    });
    let run = match code.is_null() {
        true => None,
        false => implementation(vm, code, &BODY)?,
    };
    let run = run.ok_or_else(|| Throw::bare("java/lang/IllegalArgumentException"))?;
    let call = Call::new(vm, run, &[code.into()]);
    let cont = Cont {
        step: ended,
        data: [0; 3],
        refs: [Ref::NULL; 3],
    };
    let method: Method = strategy
        .parse()
        .map_err(|e| wrong(format!("@Explore(strategy): {e}")))?;
    let jmm = match &memory[..] {
        memory::SC => false,
        memory::JMM => true,
        _ => {
            let names = format!("{} or {}", memory::SC, memory::JMM);
            return Err(wrong(format!(
                "@Explore(memory): {memory:?} is not {names}"
            )));
        }
    };
    let iterations = u64::try_from(iterations).ok().filter(|&n| n > 0);
    let iterations = iterations.ok_or_else(|| wrong("@Explore(iterations): at least 1"))?;
    let Some(Kept { ground, failed, .. }) = kept(vm) else {
        return Err(wrong("this VM can't explore schedules"));
    };
    if let Some(schedule) = &ground.replay {
        if schedule.header.test != name {
            // what comes of a failure is executed as it was
            return match schedule.header.failed.contains(&name) {
                true => vm.new_string("failed, as before the schedule that is replayed"),
                false => Ok(Ref::NULL),
            };
        }
        let control = Shared::default();
        control.with(|e| *e = Explorer::replay(schedule));
        kept(vm).expect("as above").replayed = Some(control.clone());
        vm.set_control(Box::new(control));
        return Err(call.then(cont, Resume::Value));
    }
    let failed = failed.clone();
    let exploration = Exploration {
        arguments: ground.arguments.clone(),
        jdk: ground.jdk.clone(),
        program: name,
        strategy: method.to_string(),
        iterations,
        seed: seed as u64,
        points: Points::default().to_string(),
        memory,
        max_bytecodes: MAX_BYTECODES,
        ..Exploration::default()
    };
    let settings = Settings {
        method,
        iterations,
        time: None,
        seed: seed as u64,
        shard: Shard::WHOLE,
        points: Points::default(),
        jmm,
        limits: Limits::default(),
        max_bytecodes: MAX_BYTECODES,
        keep_going: false,
        same_output: false,
        late: false,
        races: false,
        all_races: false,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        oracle: None,
        test: Some(failed),
    };
    process::alone().map_err(broken)?;
    let capture = Capture::begin().map_err(broken)?;
    match capture.fork().map_err(broken)? {
        Side::Parent(child) => {
            let ended = child.wait().map_err(broken)?;
            drop(capture);
            let found: Result<Summary, String> = serde_json::from_slice(&ended.told)
                .unwrap_or_else(|_| {
                    let printed = String::from_utf8_lossy(&ended.printed.errors);
                    Err(format!("the exploration ended early:\n{printed}"))
                });
            let found = found.map_err(|e| Throw::msg("java/lang/IllegalStateException", e))?;
            if !found.has_failed() {
                return Ok(Ref::NULL);
            }
            found.write_schedules().map_err(broken)?;
            let kept = kept(vm).expect("as above");
            kept.failed.push(found.exploration.program.clone());
            vm.new_string(&summary(&found, None, WIDTH))
        }
        Side::Child(told) => {
            // where the VM that asked prints is no concern of this process any more
            std::mem::forget(capture);
            own_files(vm);
            begin(vm, Session::new(settings, exploration), told).map_err(broken)?;
            Err(call.then(cont, Resume::Value))
        }
    }
}

/// In the process of an exploration: from here on the test is under control.
fn begin(vm: &mut Vm, session: Session, told: File) -> io::Result<()> {
    let exploration = UnderWay::new(session)?;
    let control = exploration.control.clone();
    vm.set_control(Box::new(control.clone()));
    vm.limit_bytecodes(MAX_BYTECODES as i64);
    kept(vm).expect("it is explored").under_way = Some((exploration, told));
    // other tests may have left threads behind
    if !vm.is_alone() && !{ control }.begins(vm) {
        over(vm, Ok(0)).ok();
    }
    Ok(())
}

/// The test has come to its end.
fn ended(vm: &mut Vm, _: &mut Cont, result: Result<Value, Ref>) -> Next {
    if let Some(control) = kept(vm).and_then(|k| k.replayed.take()) {
        vm.take_control();
        if let Err(thrown) = result {
            return Next::Throw(Throw::object(thrown));
        }
        let (parting, uncaught) = control.with(|e| (e.parting(), e.uncaught.take()));
        let parting = parting.map(|how| format!("the run is not that of the schedule: {how}"));
        let said = uncaught.map(|o| o.text()).or(parting);
        return match said.map(|text| vm.new_string(&text)).transpose() {
            Ok(text) => Next::Return(text.unwrap_or(Ref::NULL).into()),
            Err(thrown) => Next::Throw(thrown),
        };
    }
    if let Err(thrown) = result {
        let class = vm.class_of(thrown);
        let class = vm.class(class).dotted();
        if !ABORTED.contains(&&class[..]) {
            let thread: ThreadNo = vm.thread_no(vm.current());
            let under_way = kept(vm).and_then(|k| k.under_way.as_ref());
            if let Some(mut control) = under_way.map(|(e, _)| e.control.clone()) {
                control.uncaught(vm, thread, thrown);
            }
        }
    }
    match over(vm, Ok(0)) {
        Ok(_) => Next::Return(Ref::NULL.into()),
        Err(_) => Next::Throw(Throw::bare("java/lang/InternalError")),
    }
}

/// The VM has come to an end, in this way. If this is the process of an exploration or of one of its schedules, it tells what it has to tell,
/// and is over; otherwise nothing is done.
pub fn over(vm: &mut Vm, end: Result<i32, Stop>) -> Result<i32, Stop> {
    let Some((exploration, mut told)) = kept(vm).and_then(|k| k.under_way.take()) else {
        return end;
    };
    let mut session = exploration.ended(vm, end);
    let kept = kept(vm).expect("as above");
    session.show(&*kept.ground.sources);
    let found = match &session.problem {
        None => Ok(&session.found),
        Some(problem) => Err(problem.to_string()),
    };
    // if it can't be told, the other process sees that nothing was
    let text = serde_json::to_vec(&found).unwrap_or_default();
    let _ = told.write_all(&text);
    process::leave()
}
