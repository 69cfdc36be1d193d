//! The memory model in a process that runs a schedule: what stores there were, and which of them a read finds.
//!
//! Values of references are the numbers of their objects, which stay the same when the collector moves these.

use hashbrown::HashMap;
use rjvm_explore::memory::{DEFAULT_BOUND, Memory};
use rjvm_explore::schedule::Schedule;
use rjvm_explore::{Op, OpKind, Order, Place, ThreadNo};
use rjvm_vm::classes::acc;
use rjvm_vm::threads::control::Step;
use rjvm_vm::{ClassId, Ref, Vm};
use std::collections::BTreeSet;

/// Reads in a row at one place of the code that find one variable's old value, while no other thread does anything but read,
/// after which the thread waits for a value that it need never see.
const STALE: u32 = 1_000;

/// The low half of a `long` or `double`.
const LOW: u64 = u32::MAX as u64;

/// The stores of a schedule.
pub struct WeakMemory {
    memory: Memory<u64>,
    /// Objects, by their numbers, that a read may find: what the VM keeps them by.
    kept: HashMap<u64, u32>,
    /// Threads whose last weak compare and set has failed without a reason: the next one does not.
    failed: BTreeSet<ThreadNo>,
    /// By thread, where it has found an old value last, of what, and how often in a row.
    stale: Vec<(u64, Place, u32)>,
}

impl Default for WeakMemory {
    fn default() -> WeakMemory {
        WeakMemory {
            memory: Memory::new(DEFAULT_BOUND),
            kept: HashMap::new(),
            failed: BTreeSet::new(),
            stale: Vec::new(),
        }
    }
}

impl WeakMemory {
    /// The happens-before order of the reported operations.
    pub fn order(&mut self) -> &mut Order {
        self.memory.order()
    }
    /// Places that are no more.
    pub fn forget(&mut self, is_gone: impl Fn(Place) -> bool) {
        self.memory.forget(is_gone);
    }
    /// The thread only looks at an old value, again and again.
    pub fn is_stuck(&self, t: ThreadNo) -> bool {
        let stale = self.stale.get(t.index());
        stale.is_some_and(|s| s.2 >= STALE)
    }
    /// A thread has found an old value.
    fn was_stale(&mut self, step: &Step) {
        let i = step.thread.index();
        if self.stale.len() <= i {
            self.stale.resize(i + 1, (0, Place::NONE, 0));
        }
        let (site, place, n) = &mut self.stale[i];
        let same = (*site, *place) == (step.site, step.op.place);
        *n = if same { *n + 1 } else { 1 };
        (*site, *place) = (step.site, step.op.place);
    }
    /// A thread has done something that others may wait for.
    fn goes_on(&mut self, t: ThreadNo) {
        let others = self.stale.iter_mut().enumerate();
        for (_, s) in others.filter(|o| o.0 != t.index()) {
            s.2 = 0;
        }
    }
    /// A read: the value it finds, if that differs from the value in memory. `choose` is asked to provide one of so many, the
    /// newest being 0.
    pub fn read(
        &mut self,
        vm: &mut Vm,
        step: &Step,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Option<u64> {
        let OpKind::Read(mode) = step.op.kind else {
            return None;
        };
        self.uses(step);
        let (current, _) = self.values(vm, step);
        let (t, place) = (step.thread, step.op.place);
        let n = self.memory.read(t, place, mode, current);
        // the halves of a long may be of two stores (JLS 17.7)
        let halves = mode.is_plain() && matches!(step.ty, b'J' | b'D');
        let chosen = match n {
            1 => 0,
            _ if is_linking(vm, step) => 0,
            _ if halves => choose(n * n),
            _ => choose(n),
        };
        let (high, low) = stores(chosen, n);
        let mut found = self.memory.take(high);
        if high != low {
            self.memory.read(t, place, mode, current);
            found = found & !LOW | self.memory.take(low) & LOW;
        }
        if found == current {
            return None;
        }
        self.was_stale(step);
        Some(match step.ty {
            b'L' if found != 0 => vm.kept(self.kept[&found]),
            _ => found,
        })
    }
    /// A write: whether the value in memory stays, as the newer one.
    pub fn write(
        &mut self,
        vm: &mut Vm,
        step: &Step,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> bool {
        let OpKind::Write(mode) = step.op.kind else {
            return false;
        };
        self.uses(step);
        self.goes_on(step.thread);
        let (new, old) = self.values(vm, step);
        let n = (self.memory).positions(step.thread, step.op.place, mode, old);
        let below = choose(n);
        (self.memory).write(step.thread, step.op.place, mode, (old, new), below);
        below > 0
    }
    /// Whether a weak compare and set of a thread fails without a reason.
    pub fn fails(&mut self, t: ThreadNo, choose: &mut dyn FnMut(usize) -> usize) -> bool {
        let fails = !self.failed.remove(&t) && choose(2) > 0;
        if fails {
            self.failed.insert(t);
        }
        fails
    }
    /// An operation has been done, other than a read or write of which it was asked before.
    pub fn done(&mut self, vm: &mut Vm, step: &Step) {
        let (t, place) = (step.thread, step.op.place);
        match step.op.kind {
            OpKind::Update(mode) => {
                self.goes_on(t);
                let (new, old) = self.values(vm, step);
                self.memory.update(t, place, mode, old);
                self.memory.updated(t, place, mode, old, new);
            }
            OpKind::Read(mode) if step.update => {
                let (current, _) = self.values(vm, step);
                self.memory.update(t, place, mode, current);
            }
            OpKind::Read(_) | OpKind::Write(_) => {}
            _ => {
                self.goes_on(t);
                self.memory.synchronised(t, step.op);
            }
        }
    }
    /// What the initializer of its class did comes before an access.
    fn uses(&mut self, step: &Step) {
        if let Some(class) = step.class {
            let begin = Op::new(OpKind::InitUse, class);
            self.memory.order().executed(step.thread, begin);
        }
    }
    /// The value that is written or found, and the one before.
    fn values(&mut self, vm: &mut Vm, step: &Step) -> (u64, u64) {
        match step.ty {
            b'L' => (
                self.number(vm, step.reference()),
                self.number(vm, step.old_reference()),
            ),
            _ => (step.value, step.old),
        }
    }
    /// The number of an object, which is kept from here on.
    fn number(&mut self, vm: &mut Vm, r: Ref) -> u64 {
        if r.is_null() {
            return 0;
        }
        let number = vm.object_number(r).into();
        self.kept.entry(number).or_insert_with(|| vm.keep(r));
        number
    }
}

/// Which of `n` stores the halves of a value are of: first those choices for which it is one store.
fn stores(choice: usize, n: usize) -> (usize, usize) {
    match choice.checked_sub(n) {
        None => (choice, choice),
        Some(pair) => {
            let (high, low) = (pair / (n - 1), pair % (n - 1));
            (high, low + usize::from(low >= high))
        }
    }
}

/// Whether an access belongs to how the VM and the class library put code together. The VM does a part of that itself,
/// which is ordered with all uses of what it has made: no reported operation shows that.
fn is_linking(vm: &mut Vm, step: &Step) -> bool {
    let links = |c: ClassId| vm.class(c).name.starts_with("java/lang/invoke/");
    let code = step.at.map(|(m, _)| vm.method(m));
    if code.is_some_and(|m| m.access & acc::NATIVE == 0 && links(m.class)) {
        return true;
    }
    let class = vm.class_of(step.object);
    let k = vm.class(class);
    let own = |f: &rjvm_vm::classes::Field| f.offset == step.offset && f.access & acc::STATIC == 0;
    links(class) || &*k.name == "java/lang/Class" && k.fields.iter().any(own)
}

/// The memory model's name on a command line and in a schedule.
pub const JMM: &str = "jmm";
/// Sequential consistency's.
pub const SC: &str = "sc";

/// Whether reads find what the memory model permits, in a schedule that was noted.
pub fn is_weak(schedule: &Schedule) -> bool {
    schedule.header.memory == JMM
}
