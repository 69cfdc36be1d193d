//! An observer's view of the place where it is notified. Questions change nothing.

use super::ids::InstrumentId;
use super::kinds::{HitKind, StackFrame, Typed};
use super::moment::{HitMoment, HitSubject};
use super::opened::Elapsed;
use super::place::slots_of_parameters;
use super::shown::{ClassView, Hit, MethodView};
use super::spec::Spec;
use crate::classes::ClassKind;
use crate::events::EventView;
use crate::ids::{ClassId, MethodId, Ref, ThreadId};
use crate::jdk;
use crate::value::Value;
use crate::vm::Vm;
use rjvm_classfile::descriptor::parameter_letters;
use rjvm_profiler::cct::NO_SITE;

impl<'a> Hit<'a> {
    pub(super) fn new(vm: &'a mut Vm, id: InstrumentId, moment: &'a HitMoment) -> Hit<'a> {
        Hit { vm, id, moment }
    }
    /// The VM, to be read.
    pub fn vm(&self) -> &Vm {
        self.vm
    }
    /// The instrument.
    pub fn instrument(&self) -> InstrumentId {
        self.id
    }
    /// The kind of the hit.
    #[inline]
    pub fn kind(&self) -> HitKind {
        self.moment.kind
    }

    // --- Requests ---

    /// Places another instrument: when all who are notified of this have been.
    pub fn place(&mut self, spec: Spec) -> InstrumentId {
        self.vm.place_instrument(spec)
    }
    /// Removes an instrument, which may be this one: after all observers have been notified of this hit.
    pub fn remove(&mut self, id: InstrumentId) {
        let _ = self.vm.remove_instrument(id);
    }
    /// The VM stops after this turn of the thread, as if it had been asked to from outside.
    pub fn stop(&mut self) {
        self.vm.canceller().cancel();
    }

    /// The VM lets its debugger do something: before the program does anything more, where that is possible (at an instruction,
    /// at the entry of a method, before an exception goes anywhere), else when the thread next comes to the end of a call, a
    /// return or a jump.
    pub fn attend(&mut self) {
        let at_once = match self.moment.kind {
            HitKind::Entry | HitKind::Call | HitKind::Block | HitKind::Line | HitKind::Bytecode => {
                true
            }
            HitKind::Read | HitKind::Write | HitKind::Exception => true,
            HitKind::Return => self.moment.bci.is_some(),
            _ => false,
        };
        match at_once {
            true => self.vm.limits.debugged = true,
            false => self.vm.canceller().attend(),
        }
    }
    /// A snapshot is taken as if it had been requested from outside: before the next turn of a thread, if the host takes
    /// any.
    pub fn snapshot(&mut self) {
        self.vm.want_snapshot();
    }
    /// A number by which an object is known as long as it is there: it is not kept.
    ///
    /// # Panics
    /// It is not an object, or the heap is being collected.
    pub fn watch_object(&mut self, r: Ref) -> u32 {
        self.vm.heap.watch(r)
    }
    /// The number of an object is no longer in use.
    pub fn forget_object(&mut self, n: u32) {
        self.vm.heap.watched.forget(n)
    }
    /// What an observer may ask during an event.
    pub fn seen(&mut self) -> EventView<'_> {
        EventView::of(self.vm)
    }

    // --- Where ---

    /// The running thread.
    #[inline]
    pub fn thread(&self) -> ThreadId {
        self.vm.cur
    }
    /// Its name.
    pub fn thread_name(&mut self) -> String {
        let t = self.vm.cur;
        self.vm.thread_name(t)
    }
    /// A number that changes when the name may have changed: as long as it is the same, so is the name. `None`: unknown.
    #[inline]
    pub fn thread_name_stamp(&self) -> Option<u64> {
        self.vm.thread_name_stamp()
    }
    /// What `Thread.getId` says of it; 0 before it has an object.
    #[inline]
    pub fn thread_number(&mut self) -> i64 {
        let object = self.vm.threads[self.vm.cur.0 as usize].object;
        match object.is_null() {
            true => 0,
            false => self.vm.get(object, jdk::thread::TID),
        }
    }
    /// The method that runs: the one entered or left; at a call the caller.
    pub fn method(&self) -> Option<MethodId> {
        self.moment.method
    }
    /// The same, as a view with its name and more.
    pub fn method_view(&self) -> Option<MethodView<'_>> {
        Some(MethodView::new(self.vm, self.moment.method?))
    }
    /// A method.
    pub fn view_of(&self, m: MethodId) -> MethodView<'_> {
        MethodView::new(self.vm, m)
    }
    /// A class.
    pub fn class_view(&self, c: ClassId) -> ClassView<'_> {
        ClassView::new(self.vm, c)
    }
    /// Index of the bytecode that the running method is at; none in a native.
    pub fn bci(&self) -> Option<u16> {
        let top = self.moment.top.as_ref();
        self.moment.bci.or_else(|| self.vm.bci_of(top?))
    }
    /// Its line; 0 if it is not known.
    pub fn line(&self) -> u16 {
        let at = self.moment.method.zip(self.bci());
        at.map_or(0, |(m, bci)| self.view_of(m).line(bci))
    }
    /// How many frames of methods the running thread has.
    pub fn depth(&self) -> usize {
        let top = self.moment.top.as_ref();
        top.map_or(0, |top| self.vm.depth_from(top))
    }
    /// Where the running method's frame is, in bytes from the bottom of its thread's stack: the same at its entry and its exit,
    /// greater for those that it calls.
    #[inline]
    pub fn frame(&self) -> usize {
        let top = self.moment.top.as_ref();
        top.map_or(0, |top| self.vm.height_of(top))
    }
    /// Appends the innermost frames of the running thread, at most that many, the running method's first.
    pub fn stack(&self, most: usize, into: &mut Vec<StackFrame>) {
        let Some(top) = &self.moment.top else { return };
        let mut frames = Vec::new();
        self.vm.frames_from(top, self.moment.bci, most, &mut frames);
        into.extend(frames.iter().map(|f| StackFrame {
            method: MethodId(f.method),
            bci: u16::try_from(f.bci).ok().filter(|_| f.bci != NO_SITE),
        }));
    }
    /// The method `n` frames below the running one; 1: its caller.
    pub fn caller(&self, n: usize) -> Option<StackFrame> {
        let top = self.moment.top.as_ref()?;
        let (method, bci) = self.vm.frame_below(top, self.moment.bci, n)?;
        Some(StackFrame { method, bci })
    }

    /// Of [`Action::Calls`](super::Action::Calls): the caller, as it is counted.
    pub fn caller_counted(&self) -> Option<MethodId> {
        match self.moment.subject {
            HitSubject::CalledBy(caller) => caller,
            _ => None,
        }
    }

    // --- How much ---

    /// Bytecodes that the running thread has executed: at an entry without any of the method's, at a return with its last one,
    /// before a bytecode without that.
    pub fn executed(&self) -> i64 {
        self.moment.executed
    }
    /// The same of all threads together.
    pub fn bytecodes(&mut self) -> i64 {
        let t = self.vm.cur;
        let at_turn = self.vm.threads[t.0 as usize].executed;
        match self.moment.top.is_some() {
            true => self.vm.bytecodes() + self.moment.executed - at_turn,
            false => self.vm.bytecodes_now(),
        }
    }
    /// Bytes that the running thread has allocated.
    pub fn allocated(&self) -> u64 {
        self.vm.bytes_allocated_by(self.vm.cur)
    }
    /// Nanoseconds since the VM was made, by its clock. In a replay, when the program last read the clock.
    pub fn wall(&mut self) -> i64 {
        self.vm.peek_uptime()
    }
    /// Nanoseconds of processor time that the running thread has used.
    pub fn cpu(&mut self) -> i64 {
        let t = self.vm.cur;
        self.vm.peek_cpu_time_of(t).total
    }
    /// What the call that ends has used; of [`Point::Around`](super::Point::Around), at [`HitKind::Return`] and [`HitKind::Throw`].
    pub fn elapsed(&self) -> Option<Elapsed> {
        self.moment.elapsed
    }

    // --- What with ---

    /// Argument `n` of the running method, `this` not counted; at [`HitKind::Call`] of the method that is about to be called. After
    /// the entry it is the present value of the argument's variable. `None` if there is no such argument, or something else has
    /// taken its variable.
    #[inline]
    pub fn argument(&self, n: usize) -> Option<Typed> {
        let is_call = matches!(self.moment.subject, HitSubject::Call(_));
        let of = match is_call {
            true => None,
            false => self.vm.instruments.of(self.moment.method?),
        };
        let (slot, letter) = match of {
            Some(of) => *of.parameters.get(n)?,
            None => self.find_argument(n)?,
        };
        self.slot(slot.into(), letter)
    }
    /// Slot and first letter of the type of an argument where instruments know no parameters.
    #[cold]
    fn find_argument(&self, n: usize) -> Option<(u16, u8)> {
        let parameters = match self.moment.subject {
            HitSubject::Call(constant) => {
                let (_, _, descriptor) = self.named(constant)?;
                slots_of_parameters(descriptor, self.calls_static())
            }
            _ => {
                let m = self.method_view()?;
                slots_of_parameters(m.descriptor(), m.is_static())
            }
        };
        parameters.get(n).copied()
    }
    /// How many arguments there are, `this` not counted.
    pub fn arguments(&self) -> usize {
        let descriptor = match self.moment.subject {
            HitSubject::Call(constant) => self.named(constant).map(|n| n.2),
            _ => self.method_view().map(|m| m.descriptor()),
        };
        descriptor.map_or(0, |d| parameter_letters(d).count())
    }
    #[inline]
    fn slot(&self, n: usize, letter: u8) -> Option<Typed> {
        let top = self.moment.top.as_ref()?;
        let bits = match self.moment.subject {
            HitSubject::Call(_) => self.vm.outgoing(top, n),
            _ => self
                .vm
                .slot_at(top, n, matches!(letter, b'L' | b'['), true)?,
        };
        Some(Typed::of(letter, bits))
    }
    /// `this` of the running method, as long as its variable has not been written to; at [`HitKind::Call`] the receiver, and
    /// at [`HitKind::Read`] and [`HitKind::Write`] the object whose field it is, at [`HitKind::Element`] the array. `None`: a static one.
    pub fn this(&self) -> Option<Ref> {
        match self.moment.subject {
            HitSubject::Field { object, .. } => object,
            HitSubject::Element(array, ..) => array.non_null(),
            HitSubject::Call(_) if self.calls_static() => None,
            HitSubject::Call(_) => self.slot(0, b'L')?.object(),
            _ => match self.method_view()?.is_static() {
                true => None,
                false => self.slot(0, b'L')?.object(),
            },
        }
    }
    /// The index of the element that is about to be written, at [`HitKind::Element`]: it may lie outside the array.
    pub fn index(&self) -> Option<i32> {
        match self.moment.subject {
            HitSubject::Element(_, index, _) => Some(index),
            _ => None,
        }
    }
    /// Whether the bytecode at [`HitKind::Element`] is going to write: it throws if there is no such element, or if the array does
    /// not take the value.
    pub fn stores(&self) -> bool {
        let HitSubject::Element(array, index, value) = self.moment.subject else {
            return false;
        };
        if array.is_null() || index as u32 as usize >= self.vm.heap.len(array) {
            return false;
        }
        let value = Ref(value as u32);
        match self.vm.class(self.vm.class_of(array)).kind {
            ClassKind::Array(of) => match self.vm.class(of).kind {
                ClassKind::Primitive(_) => true,
                _ => value.is_null() || self.vm.instance_of(value, of),
            },
            _ => false,
        }
    }
    /// A local variable of the running method by its slot, where it is known what it holds: an argument, one that the class file
    /// reports, or any reference.
    pub fn local(&self, slot: u16) -> Option<Typed> {
        let top = self.moment.top.as_ref()?;
        let m = self.moment.method?;
        let code = self.vm.method(m).code();
        let known = code
            .and_then(|c| c.local_variable(slot, self.bci()?))
            .map(|k| k.1);
        let letter = known.or_else(|| {
            let view = self.view_of(m);
            if slot == 0 && !view.is_static() {
                return Some(b'L');
            }
            let parameters = slots_of_parameters(view.descriptor(), view.is_static());
            let found = parameters.iter().find(|p| p.0 == slot);
            found.map(|p| p.1)
        });
        let (letter, declared) = (letter.unwrap_or(b'L'), letter.is_some());
        let reference = matches!(letter, b'L' | b'[');
        let bits = self.vm.slot_at(top, slot.into(), reference, declared)?;
        Some(Typed::of(letter, bits))
    }
    /// The value of the hit: at [`HitKind::Return`] the result, at [`HitKind::Throw`] and [`HitKind::Exception`] the exception,
    /// at [`HitKind::Alloc`] the object, at the hits of monitors the monitor, at [`HitKind::Read`] the field's value, at
    /// [`HitKind::Write`] its next value.
    #[inline]
    pub fn value(&self) -> Option<Typed> {
        match self.moment.subject {
            HitSubject::Value(b'V', _) => None,
            HitSubject::Value(letter, bits) => Some(Typed::of(letter, bits)),
            HitSubject::Object(o) | HitSubject::Allocated(o, _) => Some(Typed {
                letter: b'L',
                value: Value::Ref(o),
            }),
            HitSubject::Field { .. } => self.value_of_field(),
            _ => None,
        }
    }
    fn value_of_field(&self) -> Option<Typed> {
        let HitSubject::Field {
            constant,
            object,
            value,
        } = self.moment.subject
        else {
            return None;
        };
        let letter = *self.named(constant)?.2.as_bytes().first()?;
        match value {
            Some(bits) => Some(Typed::of(letter, bits)),
            None => self.accessed(constant, object),
        }
    }
    /// What the field holds that an instruction names.
    fn accessed(&self, constant: u16, object: Option<Ref>) -> Option<Typed> {
        let (class, name, descriptor) = self.named(constant)?;
        let syms = &self.vm.syms;
        let (class, name, descriptor) =
            (syms.find(class)?, syms.find(name)?, syms.find(descriptor)?);
        let loader = self
            .vm
            .class(self.vm.method(self.moment.method?).class)
            .loader;
        let class = *self.vm.loaded.loaders[loader.0 as usize]
            .classes
            .get(&class)?;
        let (holder, i) = self.vm.find_field(class, name, descriptor)?;
        let field = &self.vm.class(holder).fields[i as usize];
        let of = match object {
            Some(object) => object.non_null()?,
            None => self.vm.mirror(holder),
        };
        Some(Typed::of(field.ty, self.vm.read_field(of, field)))
    }
    /// Bytes of the object that has been allocated.
    pub fn bytes(&self) -> Option<usize> {
        match self.moment.subject {
            HitSubject::Allocated(_, bytes) => Some(bytes),
            _ => None,
        }
    }
    /// The class that has been defined.
    pub fn class(&self) -> Option<ClassView<'_>> {
        match self.moment.subject {
            HitSubject::Class(c) => Some(self.class_view(c)),
            _ => None,
        }
    }
    /// Of a collection that has ended: whether it was one of the whole heap, bytes in use before and after it, and its nanoseconds by
    /// the VM's clock.
    pub fn collection(&self) -> Option<(bool, usize, usize, i64)> {
        match self.moment.subject {
            HitSubject::Collection {
                full,
                before,
                after,
                pause,
                ..
            } => Some((full, before, after, pause)),
            _ => None,
        }
    }
    /// What requested the collection that has ended, in HotSpot's words (`Allocation Failure`, `System.gc()`).
    pub fn cause(&self) -> Option<&'static str> {
        match self.moment.subject {
            HitSubject::Collection { cause, .. } => Some(cause),
            _ => None,
        }
    }
    /// What the instruction names, at [`HitKind::Call`], [`HitKind::Read`] and [`HitKind::Write`]: class (with dots), name, descriptor.
    pub fn member(&self) -> Option<(String, &str, &str)> {
        let constant = match self.moment.subject {
            HitSubject::Call(c) | HitSubject::Field { constant: c, .. } => c,
            _ => return None,
        };
        let (class, name, descriptor) = self.named(constant)?;
        Some((class.replace('/', "."), name, descriptor))
    }
    fn named(&self, constant: u16) -> Option<(&str, &str, &str)> {
        let m = self.vm.method(self.moment.method?);
        let pool = &m.code()?.cf.constant_pool;
        let named = pool.member_ref(constant).ok()?;
        Some((named.class, named.name, named.descriptor))
    }
    fn calls_static(&self) -> bool {
        use rjvm_classfile::opcodes::INVOKESTATIC;
        let m = self.moment.method.map(|m| self.vm.method(m));
        let code = m.and_then(|m| m.code());
        let op = code
            .zip(self.moment.bci)
            .map(|(c, bci)| c.bytes()[usize::from(bci)]);
        op == Some(INVOKESTATIC)
    }
}
