//! Natives of `rjvm.test.Explorer`: a test under many schedules of its threads.
//!
//! The process is copied where the test begins. The copy runs the test to where it starts a thread, explores from there as `rjvm
//! explore` does, reports its findings, and ends; the VM that asked continues as if nothing had been run.

use super::ground::{self, ExplorerState, MAX_BYTECODES};
use super::meter::implementation;
use crate::explore::process::{self, ForkSide};
use crate::explore::session::Session;
use crate::explore::{ANY, Capture, ExploreSettings, LAST, PRELUDE, RunningExploration, own_files};
use rjvm_explore::Method;
use rjvm_explore::dpor::Limits;
use rjvm_explore::report::summary;
use rjvm_explore::result::{Exploration, Shard, Summary};
use rjvm_explorer::{Explorer, SchedulingPoints, memory};
use rjvm_vm::throw::{Call, Cont, Next, Resume};
use rjvm_vm::{Env, R, Ref, Throw, Value, natives};
use std::fs::File;
use std::io;

natives! { "rjvm/test/Explorer";
    supported0 "()Z" => supported;
    explore0 "(Lrjvm/test/Body;Ljava/lang/String;ILjava/lang/String;Ljava/lang/String;Ljava/lang/String;J)Ljava/lang/String;" => explore;
}

/// What a test runs.
const BODY: [&str; 3] = ["rjvm/test/Body", "run", "()Ljava/lang/Object;"];
/// What a test throws that finds that it cannot be run here.
const ABORTED: [&str; 2] = [
    "org.opentest4j.TestAbortedException",
    "org.junit.AssumptionViolatedException",
];
/// Columns of a text.
const WIDTH: usize = 132;

fn kept(vm: &mut Env) -> Option<&mut ExplorerState> {
    ground::kept(vm.extensions())
}

/// Whether this VM can run a test under many schedules.
fn supported(vm: &mut Env) -> R<bool> {
    Ok(kept(vm).is_some())
}

fn wrong(problem: impl Into<String>) -> Box<Throw> {
    Throw::msg("java/lang/IllegalArgumentException", problem)
}

fn broken(e: io::Error) -> Box<Throw> {
    Throw::msg("java/lang/IllegalStateException", e.to_string())
}

/// Explores the test; the failures, in words.
fn explore(
    vm: &mut Env,
    code: Ref,
    name: Ref,
    iterations: i32,
    strategy: Ref,
    memory: Ref,
    timeouts: Ref,
    seed: i64,
) -> R<Ref> {
    let texts = [name, strategy, memory, timeouts];
    let [name, strategy, memory, timeouts] = texts.map(|s| match s.is_null() {
        true => String::new(),
        false => vm.string(s),
    });
    let run = match code.is_null() {
        true => None,
        false => implementation(vm, code, &BODY)?,
    };
    let run = run.ok_or_else(|| Throw::bare("java/lang/IllegalArgumentException"))?;
    let call = Call::new(vm, run, &[code.into()]);
    let cont = Cont::new(ended, [0; 3], [Ref::NULL; 3]);
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
    let late = match &timeouts[..] {
        LAST => true,
        ANY => false,
        _ => {
            return Err(wrong(format!(
                "@Explore(timeouts): {timeouts:?} is not {ANY} or {LAST}"
            )));
        }
    };
    let iterations = u64::try_from(iterations).ok().filter(|&n| n > 0);
    let iterations = iterations.ok_or_else(|| wrong("@Explore(iterations): must be at least 1"))?;
    let Some(ExplorerState {
        ground,
        control,
        is_replayed,
        failed,
        ..
    }) = kept(vm)
    else {
        return Err(wrong("this VM cannot explore schedules"));
    };
    if let Some(schedule) = &ground.replay {
        if schedule.header.test != name {
            // what comes of a failure is executed as it was
            return match schedule.header.failed.contains(&name) {
                true => vm.new_string("failed, as it did before the replayed schedule"),
                false => Ok(Ref::NULL),
            };
        }
        control.with(|e| *e = Explorer::replay(schedule));
        *is_replayed = true;
        vm.begin_control();
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
        points: SchedulingPoints::default().to_string(),
        memory,
        timeouts,
        max_bytecodes: MAX_BYTECODES,
        ..Exploration::default()
    };
    let settings = ExploreSettings {
        method,
        iterations,
        time: None,
        seed: seed as u64,
        shard: Shard::WHOLE,
        points: SchedulingPoints::default(),
        jmm,
        limits: Limits::default(),
        max_bytecodes: MAX_BYTECODES,
        prelude: PRELUDE,
        keep_going: false,
        same_output: false,
        late,
        input: None,
        own_folder: false,
        spurious: false,
        random: false,
        races: false,
        all_races: false,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        oracle: None,
        test: Some(failed),
    };
    process::alone().map_err(broken)?;
    let capture = Capture::begin(None).map_err(broken)?;
    match capture.fork().map_err(broken)? {
        ForkSide::Parent(child) => {
            let ended = child.wait().map_err(broken)?;
            drop(capture);
            let found: Result<Summary, String> = serde_json::from_slice(&ended.data)
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
        ForkSide::Child(data) => {
            // where the VM that asked prints is no concern of this process any more
            std::mem::forget(capture);
            own_files(vm.host(), false);
            begin(vm, Session::new(settings, exploration), data)?;
            Err(call.then(cont, Resume::Value))
        }
    }
}

/// In the process of an exploration: from here on the test is under control.
fn begin(vm: &mut Env, session: Session, data: File) -> R<()> {
    let kept = kept(vm).expect("it is explored");
    let exploration = RunningExploration::new(session, kept.control.clone()).map_err(broken)?;
    kept.under_way = Some((exploration, data));
    vm.begin_control();
    match vm.is_alone() {
        true => Ok(()),
        // other tests may have left threads behind
        false => vm.before_start(),
    }
}

/// The test has ended.
fn ended(vm: &mut Env, _: &mut Cont, result: Result<Value, Ref>) -> Next {
    let Some(kept) = kept(vm) else {
        return Next::Throw(wrong("this VM cannot explore schedules"));
    };
    let is_explored = kept.under_way.is_some();
    if std::mem::take(&mut kept.is_replayed) {
        let control = kept.control.clone();
        vm.end_control();
        if let Err(thrown) = result {
            return Next::Throw(Throw::object(thrown));
        }
        let (parting, uncaught) = control.with(|e| (e.parting(), e.uncaught.take()));
        let parting = parting.map(|how| format!("the run does not follow the schedule: {how}"));
        let message = uncaught.map(|o| o.text()).or(parting);
        return match message.map(|text| vm.new_string(&text)).transpose() {
            Ok(text) => Next::Return(text.unwrap_or(Ref::NULL).into()),
            Err(thrown) => Next::Throw(thrown),
        };
    }
    if let Err(thrown) = result {
        let class = vm.class_of(thrown);
        let class = vm.class(class).dotted();
        if !ABORTED.contains(&&class[..]) {
            vm.notify_control(thrown);
        }
    }
    match is_explored {
        // the host reports what was found, as for a VM that ends otherwise
        true => Next::Throw(Box::new(Throw::Exit(0))),
        false => Next::Return(Ref::NULL.into()),
    }
}
