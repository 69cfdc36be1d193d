//! `rjvm explore`: the schedules of a program, run one after the other until one fails.

mod oracle;
pub mod page;
pub mod process;
mod schedule_result;
pub mod session;
mod settings;
mod under_way;

pub use process::Capture;
pub use settings::{ANY, ExploreSettings, LAST, PRELUDE};
pub use under_way::{RunningExploration, own_files};

use rjvm_explore::result::{Outcome, Thread, Waiting};
use rjvm_vm::startup::CallStop;
use rjvm_vm::{ThreadId, Vm};
use std::ops::ControlFlow;

/// How a program has ended that may execute so many bytecodes.
pub fn outcome(vm: &mut Vm, ended: Result<i32, CallStop>, max_bytecodes: u64) -> Outcome {
    let died = |message: String| Outcome::Died { message };
    match ended {
        Ok(0) | Err(CallStop::Exit(0)) => Outcome::Ok,
        Ok(code) | Err(CallStop::Exit(code)) => Outcome::Exit { code },
        Err(CallStop::Deadlock(_)) => match &vm.deadlocked_threads()[..] {
            [] => Outcome::Stuck {
                waiting: all_waiting(vm),
            },
            circle => Outcome::Deadlock {
                cycle: circle.iter().map(|&t| waits(vm, t)).collect(),
            },
        },
        Err(CallStop::OutOfFuel) => Outcome::Livelock {
            bytecodes: max_bytecodes,
            running: all_waiting(vm),
        },
        Err(CallStop::Fault(fault)) => {
            died(format!("{}\n{}", fault.message, fault.stack.join("\n")))
        }
        Err(CallStop::Threw(_)) => died("the VM could not end".into()),
        Err(CallStop::Halted(_)) => died("the VM was stopped".into()),
    }
}

/// What each thread of the program waits for.
fn all_waiting(vm: &mut Vm) -> Vec<Waiting> {
    let threads = vm.program_threads();
    threads.into_iter().map(|t| waits(vm, t)).collect()
}

fn waits(vm: &mut Vm, t: ThreadId) -> Waiting {
    let (object, owner) = vm.waits_for(t);
    let mut frames = Vec::new();
    vm.walk_stack(t, |_, m, bci| {
        frames.push((m, bci));
        ControlFlow::Continue(())
    });
    let what = match object.is_null() {
        true => (vm.waits_otherwise(t)).unwrap_or_else(|| "to continue".into()),
        false => {
            let class = vm.class(vm.class_of(object)).dotted();
            let number = vm.object_number(object);
            match owner {
                Some(_) => format!("for a {class} (#{number})"),
                None => format!("to be woken in a {class} (#{number})"),
            }
        }
    };
    Waiting {
        thread: Thread {
            number: vm.thread_no(t).0,
            name: vm.thread_name(t),
        },
        what,
        held_by: owner.map(|o| vm.thread_no(o).0),
        stack: frames
            .into_iter()
            .map(|(m, bci)| vm.frame_line(m, bci))
            .collect(),
    }
}
