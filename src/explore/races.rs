//! Data races of a schedule (JLS 17.4.5): accesses of two threads to one variable, one of them a write, neither
//! of which happens before the other.

use rjvm_explore::races::{Access, Detector};
use rjvm_explore::result::{RaceAccess, RaceFound, Thread};
use rjvm_explore::{Op, OpKind, Order, Place, ThreadNo};
use rjvm_vm::threads::control::Step;
use rjvm_vm::{MethodId, ThreadId, Vm};
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

/// Frames of an access that are kept.
const FRAMES: usize = 16;

/// Where an access is done: a number for each different stack, and its thread's.
type Site = (u32, u32);

/// Looks for races.
#[derive(Default)]
pub struct Races {
    order: Order,
    detector: Detector<Site>,
    stacks: Vec<Vec<(MethodId, i32)>>,
    numbers: HashMap<Vec<(MethodId, i32)>, u32>,
    /// Threads that have ended since there was one only.
    ended: Vec<ThreadNo>,
    /// What the variables of races are called, in the order of the races.
    places: Vec<String>,
}

impl Races {
    /// A thread is alone. What it does is not told, so that how it knows of the end of the others is not known: by its
    /// looks at what they have left, like as not.
    pub fn alone(&mut self, t: ThreadNo) {
        for other in self.ended.drain(..) {
            self.order.executed(t, Op::plain(OpKind::Join(other)));
        }
    }
    /// A thread has done something. `order`: what happens before what, if somebody else is told of it.
    pub fn done(&mut self, vm: &mut Vm, step: &Step, order: Option<&mut Order>) {
        let t = step.thread;
        let told = order.is_some();
        let order = order.unwrap_or(&mut self.order);
        if !told {
            if let Some(class) = step.class {
                // what its initializer did comes before each use of a class
                order.executed(t, Op::new(OpKind::InitBegin, class));
            }
            order.executed(t, step.op);
        }
        if step.op.kind == OpKind::End {
            self.ended.push(t);
        }
        if step.op.kind.access().is_none() {
            return;
        }
        let site = (stack(&mut self.stacks, &mut self.numbers, vm), t.0);
        let new = self.detector.executed(order, t, step.op, site);
        for _ in 0..new {
            self.places.push(super::shown::place(vm, step));
        }
    }
    /// Places that are no more.
    pub fn forget(&mut self, is_gone: impl Fn(Place) -> bool) {
        self.order.forget(&is_gone);
        self.detector.forget(is_gone);
    }
    /// What was found in the schedule of this number.
    pub fn found(&self, vm: &mut Vm, names: &BTreeMap<u32, String>, number: u64) -> Vec<RaceFound> {
        let mut found = Vec::new();
        for (i, race) in self.detector.found().iter().enumerate() {
            let access = |a: &Access<Site>| {
                let name = names.get(&a.thread.0);
                let stack = self.stacks[a.site.0 as usize].clone();
                RaceAccess {
                    thread: Thread {
                        number: a.thread.0,
                        name: name.map_or_else(|| format!("thread {}", a.thread), Clone::clone),
                    },
                    write: a.write,
                    stack: stack
                        .into_iter()
                        .map(|(m, bci)| vm.frame_line(m, bci))
                        .collect(),
                }
            };
            found.push(RaceFound {
                place: self.places.get(i).cloned().unwrap_or_default(),
                first: access(&race.first),
                second: access(&race.second),
                number,
                count: 1,
            });
        }
        found
    }
}

/// The number of the running thread's stack.
fn stack(
    stacks: &mut Vec<Vec<(MethodId, i32)>>,
    numbers: &mut HashMap<Vec<(MethodId, i32)>, u32>,
    vm: &mut Vm,
) -> u32 {
    let mut frames = Vec::new();
    let current: ThreadId = vm.current();
    vm.walk_stack(current, |_, m, bci| {
        frames.push((m, bci));
        match frames.len() < FRAMES {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    let next = stacks.len() as u32;
    *numbers.entry(frames).or_insert_with_key(|frames| {
        stacks.push(frames.clone());
        next
    })
}
