//! What commands name: objects, classes, methods, fields, threads, frames and values, looked up and written.

use super::codes::{Code, tag};
use super::wire::{Reader, Writer};
use crate::engine::{Location, NULL, ObjectId, Shown, World, descriptor_of};
use rjvm_vm::classes::{ClassKind, InitState};
use rjvm_vm::debug::DebugFrame;
use rjvm_vm::{ClassId, MethodId, Ref, ThreadId, Value, Vm};

/// Of interfaces' types.
pub(super) const INTERFACE: u8 = 2;

/// A command, its data and the reply.
pub(super) struct Context<'a, 'w> {
    pub w: &'a mut World<'w>,
    pub r: Reader<'a>,
    pub out: Writer,
    pub virtual_threads: bool,
}

/// What a command or its part comes to.
pub(super) type Done<T = ()> = Result<T, Code>;

impl<'a, 'w> Context<'a, 'w> {
    pub fn new(w: &'a mut World<'w>, data: &'a [u8], virtual_threads: bool) -> Context<'a, 'w> {
        Context {
            w,
            r: Reader::new(data),
            out: Writer::new(),
            virtual_threads,
        }
    }
    pub fn written(self) -> Vec<u8> {
        self.out.done()
    }
    pub fn vm(&mut self) -> &mut Vm {
        self.w.vm
    }

    // --- What is read ---

    /// An object, which may be null.
    pub fn object_or_null(&mut self) -> Done<Ref> {
        let id = self.r.u64()?;
        self.object_of(id)
    }
    pub fn object_of(&mut self, id: ObjectId) -> Done<Ref> {
        match id {
            NULL => Ok(Ref::NULL),
            id => self
                .w
                .engine
                .objects
                .get(self.w.vm, id)
                .ok_or(Code::INVALID_OBJECT),
        }
    }
    /// An object.
    pub fn object(&mut self) -> Done<Ref> {
        self.object_or_null()?
            .non_null()
            .ok_or(Code::INVALID_OBJECT)
    }
    /// A class, by its mirror's number.
    pub fn class(&mut self) -> Done<ClassId> {
        let id = self.r.u64()?;
        self.class_of(id)
    }
    pub fn class_of(&mut self, id: ObjectId) -> Done<ClassId> {
        let r = self.object_of(id)?.non_null().ok_or(Code::INVALID_CLASS)?;
        match self.w.vm.class_of(r) == self.w.vm.known().class {
            true => Ok(self.w.vm.of_mirror(r)),
            false => Err(Code::INVALID_CLASS),
        }
    }
    /// A method of a class (or of one that it inherits from).
    pub fn method(&mut self) -> Done<MethodId> {
        let id = self.r.u64()?;
        method_of(self.w.vm, id).ok_or(Code::INVALID_METHODID)
    }
    /// A method with the class that is named before it.
    pub fn class_and_method(&mut self) -> Done<(ClassId, MethodId)> {
        let class = self.class()?;
        Ok((class, self.method()?))
    }
    /// A field: the class that declares it, and which one it is.
    pub fn field(&mut self) -> Done<(ClassId, usize)> {
        let id = self.r.u64()?;
        let class = ClassId((id >> 16) as u32);
        let index = (id & 0xffff) as usize;
        if !self.w.vm.heap().is_class(class) {
            return Err(Code::INVALID_FIELDID);
        }
        let known = self.w.vm.class(class).fields.get(index.wrapping_sub(1));
        known
            .filter(|f| f.index != u16::MAX)
            .map(|_| (class, index - 1))
            .ok_or(Code::INVALID_FIELDID)
    }
    /// The object of a thread.
    pub fn thread_object(&mut self) -> Done<Ref> {
        let id = self.r.u64()?;
        let r = self.object_of(id)?.non_null().ok_or(Code::INVALID_THREAD)?;
        let thread = self.w.vm.known().thread;
        match self.w.vm.instance_of(r, thread) {
            true => Ok(r),
            false => Err(Code::INVALID_THREAD),
        }
    }
    /// A thread that is alive.
    pub fn thread(&mut self) -> Done<ThreadId> {
        let object = self.thread_object()?;
        self.alive(object).ok_or(Code::INVALID_THREAD)
    }
    pub fn alive(&mut self, object: Ref) -> Option<ThreadId> {
        self.w.thread_of(object)
    }
    /// One that is suspended, too.
    pub fn suspended(&mut self) -> Done<ThreadId> {
        let t = self.thread()?;
        match self.w.suspend_count(t) {
            0 => Err(Code::THREAD_NOT_SUSPENDED),
            _ => Ok(t),
        }
    }
    /// A frame of a thread: its number from the top.
    pub fn frame(&mut self, t: ThreadId) -> Done<(usize, DebugFrame)> {
        let id = self.r.u64()?;
        let number = (id & 0xffff_ffff) as usize;
        if (id >> 32) as u32 != self.w.generation(t) || number == 0 {
            return Err(Code::INVALID_FRAMEID);
        }
        let mut frames = self.w.vm.debug_frames(t);
        match number <= frames.len() {
            true => Ok((number - 1, frames.swap_remove(number - 1))),
            false => Err(Code::INVALID_FRAMEID),
        }
    }
    /// A value of a type, by the first letter of its descriptor, without a tag.
    pub fn untagged(&mut self, letter: u8) -> Done<Value> {
        Ok(match letter {
            b'Z' => Value::Int((self.r.u8()? != 0).into()),
            b'B' => Value::Int((self.r.u8()? as i8).into()),
            b'C' => Value::Int(self.r.u16()?.into()),
            b'S' => Value::Int((self.r.u16()? as i16).into()),
            b'I' => Value::Int(self.r.i32()?),
            b'J' => Value::Long(self.r.u64()? as i64),
            b'F' => Value::Float(f32::from_bits(self.r.u32()?)),
            b'D' => Value::Double(f64::from_bits(self.r.u64()?)),
            b'V' => Value::Void,
            b'L' | b'[' => Value::Ref(self.object_or_null()?),
            _ => return Err(Code::INVALID_TAG),
        })
    }
    /// A value after its tag, and the letter of its type.
    pub fn tagged(&mut self) -> Done<(u8, Value)> {
        let letter = letter_of(self.r.u8()?).ok_or(Code::INVALID_TAG)?;
        Ok((letter, self.untagged(letter)?))
    }
    /// A place: the class, its method, and the bytecode.
    pub fn location(&mut self) -> Done<Location> {
        let _type_tag = self.r.u8()?;
        let (_, method) = self.class_and_method()?;
        let index = self.r.u64()?;
        Ok(Location {
            method,
            bci: u16::try_from(index).ok(),
        })
    }

    // --- What is written ---

    pub fn id(&mut self, r: Ref) -> ObjectId {
        self.w.engine.objects.id(self.w.vm, r)
    }
    pub fn put_object(&mut self, r: Ref) {
        let id = self.id(r);
        self.out.u64(id);
    }
    /// The text of a string; an empty one for null.
    pub fn put_text(&mut self, string: Ref) {
        let text = string.non_null().map(|s| self.w.vm.string(s));
        self.out.text(&text.unwrap_or_default());
    }
    pub fn put_class(&mut self, c: ClassId) {
        let mirror = self.w.vm.mirror(c);
        self.put_object(mirror);
    }
    pub fn put_class_or_null(&mut self, c: Option<ClassId>) {
        match c {
            Some(c) => self.put_class(c),
            None => _ = self.out.u64(NULL),
        }
    }
    pub fn put_typed_class(&mut self, c: ClassId) {
        let tag = type_tag(self.w.vm, c);
        self.out.u8(tag);
        self.put_class(c);
    }
    pub fn put_tagged_object(&mut self, r: Ref) {
        let tag = object_tag(self.w.vm, r);
        self.out.u8(tag);
        self.put_object(r);
    }
    /// A value with its tag.
    pub fn put_value(&mut self, letter: u8, v: Value) {
        match v {
            Value::Ref(r) => self.put_tagged_object(r),
            v => {
                self.out.u8(letter);
                put_plain(&mut self.out, letter, v.slot());
            }
        }
    }
    pub fn put_location(&mut self, at: Location) {
        put_location(self.w, &mut self.out, at);
    }
}

/// The number by which a method is known.
pub(super) fn method_number(m: MethodId) -> u64 {
    u64::from(m.0) + 1
}

fn method_of(vm: &Vm, id: u64) -> Option<MethodId> {
    let m = MethodId(u32::try_from(id.checked_sub(1)?).ok()?);
    vm.knows_method(m).then_some(m)
}

/// The number by which a field is known.
pub(super) fn field_number(holder: ClassId, index: usize) -> u64 {
    u64::from(holder.0) << 16 | (index as u64 + 1)
}

/// The letter of a descriptor for the tag of a value.
pub(super) fn letter_of(tag: u8) -> Option<u8> {
    match tag {
        tag::ARRAY
        | tag::OBJECT
        | tag::STRING
        | tag::THREAD
        | tag::THREAD_GROUP
        | tag::CLASS_LOADER
        | tag::CLASS_OBJECT => Some(b'L'),
        b'Z' | b'B' | b'C' | b'S' | b'I' | b'J' | b'F' | b'D' | b'V' => Some(tag),
        _ => None,
    }
}

/// The tag of a class: 1 class, 2 interface, 3 array.
pub(super) fn type_tag(vm: &Vm, c: ClassId) -> u8 {
    let class = vm.class(c);
    match class.kind {
        ClassKind::Array(_) => 3,
        _ if class.is_interface() => INTERFACE,
        _ => 1,
    }
}

/// The tag of an object.
pub(super) fn object_tag(vm: &Vm, r: Ref) -> u8 {
    if r.is_null() {
        return tag::OBJECT;
    }
    let known = vm.known();
    let (string, class, thread) = (known.string, known.class, known.thread);
    let (group, loader) = (known.thread_group, known.class_loader);
    let of = vm.class_of(r);
    let is = |c: ClassId| !c.is_none() && vm.instance_of(r, c);
    match of {
        _ if matches!(vm.class(of).kind, ClassKind::Array(_)) => tag::ARRAY,
        c if c == string => tag::STRING,
        c if c == class => tag::CLASS_OBJECT,
        _ if is(thread) => tag::THREAD,
        _ if is(group) => tag::THREAD_GROUP,
        _ if is(loader) => tag::CLASS_LOADER,
        _ => tag::OBJECT,
    }
}

/// A value of a primitive type, without its tag.
pub(super) fn put_plain(out: &mut Writer, letter: u8, bits: u64) {
    match letter {
        b'V' => out,
        b'Z' => out.u8((bits & 1) as u8),
        b'B' => out.u8(bits as u8),
        b'C' | b'S' => out.u16(bits as u16),
        b'J' | b'D' => out.u64(bits),
        _ => out.u32(bits as u32),
    };
}

/// A value that is reported, with its tag.
pub(super) fn put_shown(w: &mut World<'_>, out: &mut Writer, v: Shown) {
    match v {
        Shown::Plain(letter, bits) => {
            out.u8(letter);
            put_plain(out, letter, bits);
        }
        Shown::Object(id) => {
            let r = w.engine.objects.get(w.vm, id).unwrap_or(Ref::NULL);
            out.u8(object_tag(w.vm, r)).u64(id);
        }
    }
}

/// A place. One in a body that the method does not have any more is one of no method.
pub(super) fn put_location(w: &mut World<'_>, out: &mut Writer, at: Location) {
    let m = w.vm.method(at.method);
    let (class, original) = (m.class, m.original);
    let number = match original == at.method {
        true => method_number(at.method),
        false => 0,
    };
    let tag = type_tag(w.vm, class);
    let mirror = w.vm.mirror(class);
    let id = w.engine.objects.id(w.vm, mirror);
    out.u8(tag).u64(id).u64(number);
    out.u64(at.bci.map_or(u64::MAX, u64::from));
}

/// What of a class has been done: verified, prepared, initialized, or failed.
pub(super) fn status_of(vm: &Vm, c: ClassId) -> u32 {
    if !matches!(vm.class(c).kind, ClassKind::Instance) {
        return 0;
    }
    match vm.init_state(c) {
        InitState::Loaded => 0,
        InitState::Linked | InitState::InProgress => 3,
        InitState::Initialized => 7,
        InitState::Erroneous => 11,
    }
}

/// Whether a debugger is shown a class: primitive types are no classes, and others have to be linked.
pub(super) fn is_shown(vm: &Vm, c: ClassId) -> bool {
    match vm.class(c).kind {
        ClassKind::Array(_) => true,
        ClassKind::Primitive(_) => false,
        ClassKind::Instance => vm.init_state(c) != InitState::Loaded,
    }
}

/// The signature of a class: its descriptor.
pub(super) fn signature(vm: &Vm, c: ClassId) -> String {
    descriptor_of(vm, c)
}
