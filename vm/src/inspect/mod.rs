//! A stopped VM as data: its threads with their frames, locals, operands and monitors, and the objects they show.
//! Looking changes nothing: no object is made, no identity hash drawn, no code run.

mod frames;
mod objects;
mod text;

use crate::ids::{MethodId, ThreadId};
use crate::interp::FrameSlot;
use crate::jdk;
use crate::threads::status::{bits, status_of};
use crate::threads::{ThreadState, Wait};
use crate::value::Value;
use crate::vm::Vm;
use objects::Objects;

/// How much of a VM is shown.
#[derive(Clone, Copy, Debug)]
pub struct InspectLimits {
    /// Frames of a thread; half of them from the top, half from the bottom.
    pub frames: usize,
    /// Elements of an array.
    pub elements: usize,
    /// Fields of an object.
    pub fields: usize,
    /// UTF-16 units of a string.
    pub text: usize,
    /// How many references lead from a local to an object whose contents are shown; 1: the local itself.
    pub depth: usize,
    /// Objects whose contents are shown.
    pub objects: usize,
}

impl InspectLimits {
    /// What fits a screen or two.
    pub const DEFAULT: InspectLimits = InspectLimits {
        frames: 64,
        elements: 8,
        fields: 12,
        text: 80,
        depth: 2,
        objects: 10_000,
    };
}

impl Default for InspectLimits {
    fn default() -> InspectLimits {
        InspectLimits::DEFAULT
    }
}

/// A VM that is stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct VmState {
    /// Bytecodes that all threads have executed.
    pub bytecodes: i64,
    /// The threads that are alive, in the order in which they came up.
    pub threads: Vec<Thread>,
    /// The objects that these show, in that order. An object's number is its place here, counted from 1.
    pub objects: Vec<Object>,
}

/// A thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Thread {
    /// Its number in the VM.
    pub id: ThreadId,
    /// Its name.
    pub name: String,
    /// What `Thread.getId` says.
    pub tid: Option<i64>,
    /// Whether it is a daemon.
    pub daemon: bool,
    /// It is the one that runs when the VM continues.
    pub current: bool,
    /// Its `Thread.State`, with the cause, as thread dumps have it.
    pub state: &'static str,
    /// What it waits for.
    pub waits_for: Option<WaitInfo>,
    /// Bytecodes it has executed.
    pub executed: i64,
    /// Objects whose monitors it holds: those that its frames show.
    pub holds: Vec<InspectedValue>,
    /// Its frames, the top one first.
    pub frames: Vec<FrameInfo>,
    /// Frames that are left out, in the middle.
    pub left_out: usize,
}

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitInfo {
    /// In words.
    pub what: String,
    /// The object.
    pub object: Option<InspectedValue>,
    /// The name of the thread that has it.
    pub owner: Option<String>,
    /// Until when at most: nanoseconds of the VM's clock since it was made.
    pub until: Option<i64>,
}

/// A frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameInfo {
    /// The method.
    pub id: MethodId,
    /// Its class, as `Class.getName` has it.
    pub class: String,
    /// Its name.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// The source file.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u16>,
    /// Whether it is a native method.
    pub native: bool,
    /// Index of the bytecode; none in a native method.
    pub bci: Option<u16>,
    /// The bytecode comes next; else it is under way.
    pub next: bool,
    /// The bytecode: mnemonic and operands.
    pub instruction: Option<String>,
    /// Whether locals and operands are known: the VM is one that can be inspected
    /// ([`Options::inspectable`](crate::vm::Options::inspectable)).
    pub known: bool,
    /// The locals, by slot; of a native method the arguments.
    pub locals: Vec<Local>,
    /// The operands, the lowest first, without the arguments of a call that is under way.
    pub stack: Vec<InspectedValue>,
    /// What the synchronized method has locked.
    pub locked: Option<InspectedValue>,
}

/// A local variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// Its slot.
    pub slot: u16,
    /// Its name, if the class file reports.
    pub name: Option<String>,
    /// Its value.
    pub value: InspectedValue,
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InspectedValue {
    /// Nothing that can be used: not assigned, or out of scope.
    Unset,
    /// `boolean`
    Boolean(bool),
    /// `byte`
    Byte(i8),
    /// `char`
    Char(u16),
    /// `short`
    Short(i16),
    /// `int`, and everything smaller where the class file does not report them apart.
    Int(i32),
    /// `long`
    Long(i64),
    /// `float`
    Float(f32),
    /// `double`
    Double(f64),
    /// `null`
    Null,
    /// The object with this number.
    Object(usize),
    /// Bytecode index to which a subroutine returns.
    ReturnAddress(u32),
}

/// An object.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Its class: `java.lang.String`, `int[]`.
    pub class: String,
    /// Length of an array.
    pub length: Option<usize>,
    /// Its contents.
    pub contents: ObjectContents,
}

/// The contents of an object.
#[derive(Clone, Debug, PartialEq)]
pub enum ObjectContents {
    /// Not shown: too far from a local.
    Deferred,
    /// A string: its first characters, and how many there are in all if these are not all.
    Text(String, Option<usize>),
    /// A boxed value.
    Boxed(InspectedValue),
    /// A class: its name.
    Class(String),
    /// An array: the first elements.
    Elements(Vec<InspectedValue>),
    /// Names and values of the first fields, the class's own before inherited ones, and how many more there are.
    Fields(Vec<(String, InspectedValue)>, usize),
}

impl Vm {
    /// What threads, frames and objects there are. For a VM that is stopped; locals and operands are known if
    /// [`Options::inspectable`](crate::vm::Options::inspectable) is set.
    pub fn inspect(&mut self, limits: &InspectLimits) -> VmState {
        self.settle_heap();
        let mut objects = Objects::new(*limits);
        let current = self.stopped_thread();
        let live: Vec<ThreadId> = self.live_threads().collect();
        let threads = live
            .into_iter()
            .map(|t| self.inspect_thread(t, current == Some(t), limits, &mut objects))
            .collect();
        VmState {
            bytecodes: self.bytecodes_now(),
            threads,
            objects: objects.take(),
        }
    }
    /// A static field of a loaded class, by its name with dots: in a state without threads. `None`: there is no such one.
    pub fn inspect_static(
        &mut self,
        class: &str,
        field: &str,
        limits: &InspectLimits,
    ) -> Option<(InspectedValue, VmState)> {
        self.settle_heap();
        let mut objects = Objects::new(*limits);
        let of = |c: &&crate::ids::ClassId| self.class(**c).dotted() == class;
        let class = *self.all_classes().iter().find(of)?;
        let value = objects.static_field(self, class, field)?;
        let state = VmState {
            bytecodes: self.bytecodes_now(),
            threads: Vec::new(),
            objects: objects.take(),
        };
        Some((value, state))
    }
    /// A value of a type whose descriptor begins with `letter`: in a state without threads.
    pub fn inspect_value(
        &mut self,
        letter: u8,
        value: Value,
        limits: &InspectLimits,
    ) -> (InspectedValue, VmState) {
        self.settle_heap();
        let mut objects = Objects::new(*limits);
        let value = match value {
            Value::Int(v) => InspectedValue::small(letter, v),
            Value::Long(v) => InspectedValue::Long(v),
            Value::Float(v) => InspectedValue::Float(v),
            Value::Double(v) => InspectedValue::Double(v),
            Value::Ref(r) if r.is_null() => InspectedValue::Null,
            Value::Ref(r) => objects.value(self, r),
            Value::Void => InspectedValue::Unset,
        };
        let state = VmState {
            bytecodes: self.bytecodes_now(),
            threads: Vec::new(),
            objects: objects.take(),
        };
        (value, state)
    }
    fn inspect_thread(
        &mut self,
        t: ThreadId,
        current: bool,
        limits: &InspectLimits,
        objects: &mut Objects,
    ) -> Thread {
        let name = self.thread_name(t);
        let thread = self.a_thread(t);
        let (object, daemon, state) = (thread.object, thread.daemon, thread.state.clone());
        let tid = (!object.is_null()).then(|| self.get(object, jdk::thread::TID));
        let mut open = self.open_frames(t);
        let left_out = open.len().saturating_sub(limits.frames.max(1));
        if left_out > 0 {
            let top = limits.frames.max(1).div_ceil(2);
            open.drain(top..top + left_out);
        }
        let waits_for = self.waiting(t, &state, objects);
        let mut held = Vec::new();
        let frames = open.iter().map(|f| {
            let slots = f.locals.iter().chain(&f.stack);
            let refs = slots.filter_map(FrameSlot::reference).chain(f.lock);
            for r in refs {
                if self.monitor_owner(r) == Some(t) && !held.contains(&r) {
                    held.push(r);
                }
            }
            self.inspect_frame(f, objects)
        });
        let frames = frames.collect();
        Thread {
            id: t,
            name,
            tid,
            daemon,
            current,
            state: bits::describe(status_of(&state)),
            waits_for,
            executed: self.executed(t),
            holds: held.into_iter().map(|r| objects.value(self, r)).collect(),
            frames,
            left_out,
        }
    }
    fn waiting(
        &mut self,
        t: ThreadId,
        state: &ThreadState,
        objects: &mut Objects,
    ) -> Option<WaitInfo> {
        let ThreadState::Waiting { on, deadline } = state else {
            return None;
        };
        let what = match on {
            Wait::Park => "parked".into(),
            Wait::Sleep => "sleeping".into(),
            Wait::Notify(_) => "waiting to be notified".into(),
            Wait::Monitor(_) => "waiting to lock".into(),
            Wait::ClassInit(c) => {
                let class = self.class(*c).dotted();
                format!("waiting for the initialization of {class}")
            }
            Wait::Fd(fd, ops) => {
                let what = ["readable", "writable"][usize::from(ops & 2 != 0)];
                format!("waiting for descriptor {fd} to become {what}")
            }
            Wait::Process(_) => "waiting for a process".into(),
            Wait::Carries(_) => "carrying a virtual thread".into(),
            Wait::Unmounted => "unmounted".into(),
            Wait::Event(name) => format!("waiting for {name}"),
        };
        let (object, owner) = self.waits_for(t);
        Some(WaitInfo {
            what,
            object: (!object.is_null()).then(|| objects.value(self, object)),
            owner: owner.map(|o| self.thread_name(o)),
            until: deadline.map(|d| d.saturating_sub(self.started()).max(0)),
        })
    }
}
