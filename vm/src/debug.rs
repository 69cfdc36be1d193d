//! A stopped VM as a debugger sees and changes it: frames with their values, objects that are known by number, catch clauses,
//! who refers to whom, new
//! objects.

use crate::classes::{ClassKind, acc};
use crate::ids::{ClassId, MethodId, Ref, ThreadId};
pub use crate::interp::{CallEnded, CallRequest, CannotPop, Debugger, StepAction, StepAt};
use crate::jdk;
use crate::threads::status::{bits, status_of};
use crate::value::Value;
use crate::vm::Vm;

/// A frame of a method.
#[derive(Clone, Debug)]
pub struct DebugFrame {
    /// The body of the method that runs; an old one if the method has got another body since.
    pub method: MethodId,
    /// Index of its bytecode; none for a native method.
    pub bci: Option<u16>,
    /// Whether its values are known.
    pub known: bool,
    /// Kind (`I`, `J`, `F`, `D`, `A`, `R`; 0: no value) and value of each local.
    pub locals: Vec<(u8, Value)>,
    /// The same of each operand, the lowest first, without those that a call has taken.
    pub operands: Vec<(u8, Value)>,
    /// How far the frame is from the bottom of the thread's stack, in bytes.
    pub height: usize,
}

/// The state of an object's monitor.
#[derive(Clone, Debug, Default)]
pub struct MonitorUse {
    /// Its owner.
    pub owner: Option<ThreadId>,
    /// How often.
    pub entries: u32,
    /// Who waits to enter it.
    pub entering: Vec<ThreadId>,
    /// Who waits to be notified.
    pub waiting: Vec<ThreadId>,
}

impl Vm {
    /// The frames of a thread that is not running, the top one first.
    pub fn debug_frames(&mut self, t: ThreadId) -> Vec<DebugFrame> {
        let heights = self.frame_heights(t);
        let open = self.open_frames(t);
        let frame = |(f, height): (crate::interp::OpenFrame, usize)| DebugFrame {
            method: f.method,
            bci: f.bci,
            known: f.known,
            locals: values(&f.locals),
            operands: values(&f.stack),
            height,
        };
        open.into_iter().zip(heights).map(frame).collect()
    }
    /// Bytecodes that a thread has executed.
    pub fn executed_by(&mut self, t: ThreadId) -> i64 {
        self.executed(t)
    }
    /// All classes, in order of creation, arrays and primitive types included.
    pub fn debug_classes(&self) -> Vec<ClassId> {
        self.all_classes().to_vec()
    }
    /// The classes that a loader has been recorded as an initiating loader of, by number.
    pub fn visible_classes(&mut self, loader: crate::LoaderId) -> Vec<ClassId> {
        self.env().initiated_classes(loader)
    }
    /// Where an exception thrown in a thread that has stopped for it is caught: the method and index of the handler. `None`: by no
    /// method on the stack.
    pub fn catcher(&mut self, t: ThreadId, exception: Ref) -> Option<(MethodId, u16)> {
        let frames = self.debug_frames(t);
        for f in frames {
            let Some(bci) = f.bci else { continue };
            let m = self.method(f.method);
            let class = m.class;
            let Some(code) = m.code().map(|c| c.kept()) else {
                continue;
            };
            for h in &code.attr().exceptions {
                if !(h.start_pc..h.end_pc).contains(&bci) {
                    continue;
                }
                let catches = h.catch_type == 0 || {
                    let name = code.cf.constant_pool.class_name(h.catch_type);
                    name.is_ok_and(|name| self.is_caught_as(exception, class, name))
                };
                if catches {
                    return Some((f.method, h.handler_pc));
                }
            }
        }
        None
    }
    /// Whether a class of that name that `by` would find is a superclass of the exception's. Nothing is loaded: its loader finds
    /// the same one (JVMS 5.3.4).
    fn is_caught_as(&self, exception: Ref, by: ClassId, name: &str) -> bool {
        let up = |&c: &ClassId| self.class(c).super_class;
        let mut all = std::iter::successors(Some(self.class_of(exception)), up);
        let sym = self.symbols().find(name);
        let loader = self.class(by).loader;
        let found = sym.and_then(|s| self.loaded.loaders[loader.0 as usize].classes.get(&s));
        all.any(|c| match found {
            Some(found) => c == *found,
            None => &*self.class(c).name == name,
        })
    }
    /// A number by which an object is known as long as it is there: it is not kept.
    ///
    /// # Panics
    /// It is no object.
    pub fn watch_object(&mut self, r: Ref) -> u32 {
        self.heap.watch(r)
    }
    /// The object of a number; null if it is gone.
    pub fn watched_object(&self, n: u32) -> Ref {
        self.heap.watched.get(n)
    }
    /// Nobody uses the number any more.
    pub fn forget_object(&mut self, n: u32) {
        self.heap.watched.forget(n)
    }
    /// How many collections there have been: references are good as long as it stays.
    pub fn collections_so_far(&self) -> u64 {
        self.heap.gc.collections
    }
    /// A new string. `None`: the heap has no room.
    pub fn debug_string(&mut self, s: &str) -> Option<Ref> {
        self.alloc_with_gc(&mut [], |vm, _| vm.new_string(s))
    }
    /// A new array of an array class. `None`: the heap has no room.
    pub fn debug_array(&mut self, class: ClassId, len: usize) -> Option<Ref> {
        self.alloc_with_gc(&mut [], |vm, _| vm.alloc_array(class, len))
    }
    /// Visits all objects of the heap, garbage that has not been collected among them.
    pub fn debug_objects(&mut self, f: impl FnMut(Ref)) {
        self.settle_heap();
        self.each_object_of_heap(f);
    }
    /// The objects that an object refers to by its fields, static ones for a class, or elements.
    pub fn references_of(&self, r: Ref) -> Vec<Ref> {
        let class = self.class_of(r);
        let mut found = Vec::new();
        if let ClassKind::Array(_) = self.class(class).kind {
            if self.heap.is_ref_array(r) {
                found.extend((0..self.heap.len(r)).map(|i| self.heap.elem_ref(r, i)));
            }
        } else {
            let up = |&c: &ClassId| self.class(c).super_class;
            for c in std::iter::successors(Some(class), up) {
                let own = self.class(c).fields.iter();
                let own =
                    own.filter(|f| f.access & acc::STATIC == 0 && matches!(f.ty, b'L' | b'['));
                found.extend(own.map(|f| self.heap.get_ref(r, f.offset)));
            }
            if class == self.loaded.known.class {
                let of = self.class(self.of_mirror(r));
                let own = of.fields.iter();
                let own =
                    own.filter(|f| f.access & acc::STATIC != 0 && matches!(f.ty, b'L' | b'['));
                found.extend(own.map(|f| self.heap.get_ref(r, f.offset)));
            }
        }
        found.retain(|r| !r.is_null());
        found
    }
    /// The objects that can be reached from the threads, classes and what the VM itself holds: not garbage.
    pub fn reachable_objects(&mut self) -> hashbrown::HashSet<Ref> {
        self.settle_heap();
        let mut found = hashbrown::HashSet::new();
        let mut todo = Vec::new();
        self.each_root(&mut |r| todo.push(*r));
        todo.extend(self.all_classes().iter().map(|&c| self.mirror(c)));
        while let Some(r) = todo.pop() {
            if !r.is_null() && found.insert(r) {
                todo.extend(self.strong_references_of(r));
            }
        }
        found
    }
    fn strong_references_of(&self, r: Ref) -> Vec<Ref> {
        let mut all = self.references_of(r);
        let reference = self.loaded.known.reference;
        if !reference.is_none() && self.instance_of(r, reference) {
            let referent = self.get(r, jdk::reference::REFERENT);
            all.retain(|&o| o != referent);
        }
        all
    }
    /// The state of an object's monitor.
    pub fn monitor_use(&mut self, object: Ref) -> MonitorUse {
        let dump = self.monitor_dump();
        let found = dump.monitors.into_iter().find(|m| m.object == object);
        found.map_or(MonitorUse::default(), |m| MonitorUse {
            owner: m.owner,
            entries: m.entries,
            entering: m.entering,
            waiting: m.waiting,
        })
    }
    /// The class file that a class was defined from, or got last.
    pub fn class_file_of(&self, c: ClassId) -> Option<Vec<u8>> {
        self.class_file_bytes(c)
    }
    /// The groups in a `ThreadGroup`, in the order in which it knows them.
    pub fn child_groups(&self, group: Ref) -> Vec<Ref> {
        use jdk::thread_group as fields;
        let first = |n: i32, array: Ref| {
            let n = usize::try_from(n).unwrap_or(0);
            let array = array.non_null();
            let of = array.map(|a| (a, n.min(self.heap.len(a))));
            let all = of
                .into_iter()
                .flat_map(|(a, n)| (0..n).map(move |i| (a, i)));
            all.filter_map(|(a, i)| self.heap.elem_ref(a, i).non_null())
                .collect::<Vec<Ref>>()
        };
        let mut all = first(
            self.get(group, fields::NGROUPS),
            self.get(group, fields::GROUPS),
        );
        if let (Some(n), Some(weak)) = (
            self.has_field(fields::NWEAKS),
            self.has_field(fields::WEAKS),
        ) {
            let weak = first(self.get(group, n), self.get(group, weak));
            all.extend(
                weak.into_iter()
                    .filter_map(|w| self.get(w, jdk::reference::REFERENT).non_null()),
            );
        }
        all
    }
    /// The object whose monitor a thread waits to enter, or to be notified of; null if there is none.
    pub fn contended_monitor(&mut self, t: ThreadId) -> Ref {
        match self.a_thread(t).state {
            crate::threads::ThreadState::Waiting {
                on: crate::threads::Wait::Notify(i) | crate::threads::Wait::Monitor(i),
                ..
            } => self.monitors.get(i).object,
            _ => Ref::NULL,
        }
    }
    /// Whether a `Thread` is a virtual one.
    pub fn is_virtual_thread(&self, object: Ref) -> bool {
        self.threads_have_holders() && self.thread_holder(object).is_none()
    }
    /// The version of the JDK whose class library runs.
    pub fn java_version(&self) -> String {
        self.library().version().to_owned()
    }
    /// The code that the VM ends with, if it is about to.
    pub fn debug_exit(&self) -> Option<i32> {
        self.exit
    }
    /// The VM ends with this code instead of going on.
    pub fn end_with(&mut self, code: i32) {
        self.exit.get_or_insert(code);
    }
    /// The status of a thread, in the bits of `Thread.threadStatus`.
    pub fn debug_status(&self, t: ThreadId) -> i32 {
        status_of(&self.a_thread(t).state)
    }
    /// Whether a `Thread` has been started. Of virtual ones it is not known: they count as started.
    pub fn has_begun(&self, object: Ref) -> bool {
        self.is_virtual_thread(object) || self.thread_status_bits(object) != bits::NEW
    }
    /// The group of a `Thread`; null if it has none.
    pub fn group_of_thread(&self, object: Ref) -> Ref {
        self.thread_group_of(object)
    }
    /// Whether a `Thread` is interrupted is set, and the thread woken: what `Thread.interrupt` does.
    pub fn interrupt_thread(&mut self, t: ThreadId) {
        let object = self.a_thread(t).object;
        if !object.is_null() {
            self.set(object, jdk::thread::INTERRUPTED, true);
            self.env().interrupt(t);
        }
    }
    /// The field of that name that a class declares or inherits: the class that declares it, and its index there.
    pub fn field_named(
        &self,
        class: ClassId,
        name: &str,
        is_static: bool,
    ) -> Option<(ClassId, usize)> {
        let name = self.symbols().find(name)?;
        let up = |&c: &ClassId| self.class(c).super_class;
        std::iter::successors(Some(class), up).find_map(|c| {
            let mut fields = self.class(c).fields.iter();
            let index = fields.position(|f| {
                f.name == name && f.index != u16::MAX && (f.access & acc::STATIC != 0) == is_static
            })?;
            Some((c, index))
        })
    }
    /// What a field of an object holds, or a static one: first letter of its type, and the value.
    pub fn field_value(&self, holder: ClassId, index: usize, object: Ref) -> Option<(u8, Value)> {
        let f = self.class(holder).fields.get(index)?;
        let of = match f.access & acc::STATIC != 0 {
            true => self.mirror(holder),
            false => object.non_null()?,
        };
        self.heap.check(of);
        Some((f.ty, Value::of(f.ty, self.read_field(of, f))))
    }
    /// The same of an element of an array. `None`: it is none, or has no such element.
    pub fn element_value(&self, array: Ref, index: usize) -> Option<(u8, Value)> {
        let class = self.class(self.class_of(array.non_null()?));
        let ClassKind::Array(of) = class.kind else {
            return None;
        };
        let heap = &self.heap;
        if index >= heap.len(array) {
            return None;
        }
        let letter = match self.class(of).kind {
            ClassKind::Primitive(letter) => letter,
            _ => b'L',
        };
        let value = match letter {
            b'Z' | b'B' => Value::Int(heap.elem::<i8>(array, index).into()),
            b'C' => Value::Int(heap.elem::<u16>(array, index).into()),
            b'S' => Value::Int(heap.elem::<i16>(array, index).into()),
            b'J' | b'D' => Value::of(letter, heap.elem::<u64>(array, index)),
            b'L' => Value::Ref(heap.elem_ref(array, index)),
            _ => Value::of(letter, heap.elem::<u32>(array, index).into()),
        };
        Some((letter, value))
    }
    /// Writes a field of an object, or a static one; false if it cannot hold that.
    pub fn set_field(&mut self, holder: ClassId, index: usize, object: Ref, v: Value) -> bool {
        let Some(f) = self.class(holder).fields.get(index) else {
            return false;
        };
        let (ty, offset, is_static) = (f.ty, f.offset, f.access & acc::STATIC != 0);
        let at = if is_static {
            self.mirror(holder)
        } else {
            object
        };
        self.heap.check(at);
        let heap = &mut self.heap;
        match (ty, v) {
            (b'Z', Value::Int(v)) => heap.put(at, offset, u8::from(v & 1 != 0)),
            (b'B', Value::Int(v)) => heap.put(at, offset, v as u8),
            (b'C' | b'S', Value::Int(v)) => heap.put(at, offset, v as u16),
            (b'I', Value::Int(v)) => heap.put(at, offset, v as u32),
            (b'J', Value::Long(v)) => heap.put(at, offset, v as u64),
            (b'F', Value::Float(v)) => heap.put(at, offset, v.to_bits()),
            (b'D', Value::Double(v)) => heap.put(at, offset, v.to_bits()),
            (b'L' | b'[', Value::Ref(r)) => return self.put_reference(at, offset as usize, r),
            _ => return false,
        }
        true
    }
}

fn values(slots: &[crate::interp::FrameSlot]) -> Vec<(u8, Value)> {
    let value = |s: &crate::interp::FrameSlot| {
        let v = match s.kind {
            b'A' => Value::Ref(Ref(s.bits as u32)),
            0 => Value::Void,
            b'R' => Value::Int(s.bits as i32),
            kind => Value::of(kind, s.bits),
        };
        (s.kind, v)
    };
    slots.iter().map(value).collect()
}
