//! `rjvm explore`: the schedules of a program, run one after the other until one fails.

mod controller;
pub mod page;
mod process;
mod races;
pub mod report;
pub mod session;
mod sharing;
mod told;

pub use controller::{Begins, Explorer, Points, Shared};
pub use process::Capture;
pub use told::Ending;

use rjvm_explore::result::{Thread, Waiting};
use rjvm_vm::{ThreadId, Vm};
use std::ops::ControlFlow;

/// The threads that wait, of a program that has come to an end in which they do; in a deadlock those of the circle.
pub fn waiting(vm: &mut Vm, ending: &Ending) -> Vec<Waiting> {
    let threads: Vec<ThreadId> = match ending {
        Ending::Deadlock(_) => vm.deadlocked_threads(false),
        Ending::Stuck(_) | Ending::Endless(_) => vm.program_threads(),
        _ => Vec::new(),
    };
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
        true => "to go on".into(),
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
