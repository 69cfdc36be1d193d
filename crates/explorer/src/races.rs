//! Data races of a schedule (JLS 17.4.5): accesses of two threads to one variable, one of them a write, neither
//! of which happens before the other.

use hashbrown::HashMap;
use rjvm_explore::races::{Access, Detector};
use rjvm_explore::result::{RaceAccess, RaceFound, Thread};
use rjvm_explore::{Op, OpKind, Order, Place, ThreadNo};
use rjvm_vm::services::RawFrame;
use rjvm_vm::threads::control::Step;
use rjvm_vm::{MethodId, ThreadId, Vm};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Frames of an access that are stored.
const FRAMES: usize = 16;

/// Where an access is done: a number for each different stack, and its thread's.
type Site = (u32, u32);

/// Different stacks, each with a number.
#[derive(Default)]
struct Stacks {
    all: Vec<Vec<(MethodId, i32)>>,
    numbers: HashMap<Vec<(MethodId, i32)>, u32>,
    /// Their numbers by what their frames are in memory, as long as no code is made.
    raw: HashMap<Vec<RawFrame>, u32>,
    /// When that was.
    age: u64,
    frames: Vec<RawFrame>,
}

/// Looks for races.
#[derive(Default)]
pub struct Races {
    order: Order,
    detector: Detector<Site>,
    stacks: Stacks,
    /// Threads that have ended since there was one only.
    ended: Vec<ThreadNo>,
    /// What the variables of races are called, in the order of the races.
    places: Vec<String>,
}

impl Races {
    /// A thread is alone. Its operations are not reported, so that its way to learn the end of the others is unknown: by its
    /// looks at what they have left, like as not.
    pub fn alone(&mut self, t: ThreadNo) {
        for other in self.ended.drain(..) {
            self.order.executed(t, Op::plain(OpKind::Join(other)));
        }
    }
    /// A thread has done something. `order`: the happens-before order, if another part notifies it of operations.
    pub fn done(&mut self, vm: &mut Vm, step: &Step, order: Option<&mut Order>) {
        let t = step.thread;
        let reported = order.is_some();
        let order = order.unwrap_or(&mut self.order);
        if !reported {
            if let Some(class) = step.class {
                // what its initializer did comes before each use of a class
                order.executed(t, Op::new(OpKind::InitUse, class));
            }
            order.executed(t, step.op);
        }
        if step.op.kind == OpKind::End {
            self.ended.push(t);
        }
        if step.op.kind.access().is_none() {
            return;
        }
        let stacks = &mut self.stacks;
        let site = || (stacks.running(vm), t.0);
        let new = self.detector.executed(order, t, step.op, step.site, site);
        for _ in 0..new {
            self.places.push(crate::shown::place(vm, step));
        }
    }
    /// Places that are no more.
    pub fn forget(&mut self, is_gone: impl Fn(Place) -> bool) {
        self.order.forget(&is_gone);
        self.detector.forget(is_gone);
    }
    /// The races found in the schedule of this number.
    pub fn found(&self, vm: &mut Vm, names: &BTreeMap<u32, String>, number: u64) -> Vec<RaceFound> {
        let mut found = Vec::new();
        for (i, race) in self.detector.found().iter().enumerate() {
            let access = |a: &Access<Site>| {
                let name = names.get(&a.thread.0);
                let stack = self.stacks.all[a.site.0 as usize].clone();
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

impl Stacks {
    /// The number of the running thread's stack.
    fn running(&mut self, vm: &mut Vm) -> u32 {
        let age = vm.raw_frames(FRAMES, &mut self.frames);
        if age != self.age {
            self.raw.clear();
            self.age = age;
        }
        if let Some(&number) = self.raw.get(&self.frames[..]) {
            return number;
        }
        let mut frames = Vec::new();
        let current: ThreadId = vm.current();
        vm.walk_stack(current, |_, m, bci| {
            frames.push((m, bci));
            match frames.len() < FRAMES {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(frames).or_insert_with_key(|frames| {
            self.all.push(frames.clone());
            next
        });
        self.raw.insert(self.frames.clone(), number);
        number
    }
}
