//! Classes of events (`jdk.jfr.Event`): before one is made, its class file gets the members that the class library expects of the VM,
//! and the library fills them with code. Events of `java.base` have another superclass. They are filled if they are loaded after
//! `jdk.jfr.Event`: a program that does not use it executes nothing of it.
//!
//! The library knows an event by the number of its class, which it needs before there is a class. So numbers belong to names.

use crate::ids::{ClassId, LoaderId, Ref, Sym, ThreadId};
use crate::jdk::{self, calls};
use crate::natives::Env;
use crate::throw::{Call, Cont, Next, R, Resume, Throw};
use crate::value::Value;
use crate::vm::Vm;
use hashbrown::HashMap;
use rjvm_classfile::event_class::{EventMembers, with_event_members, with_open_event_methods};
use rjvm_classfile::{ClassFile, access};
use std::sync::Arc;

/// Class files whose definition never came back are forgotten when there are so many others.
const MOST: usize = 64;
/// The library uses the smaller numbers for its own types.
const FIRST_NUMBER: i64 = 1_000;
/// Since this version of the JDK its own events are filled. Before, the library refuses events that have other fields than their mirrors.
const FILLS_LIBRARY: u32 = 22;

/// The classes of events of a VM.
#[derive(Default)]
pub(crate) struct EventClasses {
    /// `jdk.jfr.Event` is there, or is being made.
    seen: bool,
    /// Numbers of classes by name.
    numbers: HashMap<(LoaderId, Sym), i64>,
    /// Class files that the library fills with code, or has.
    files: Vec<EventFile>,
    last: u64,
    /// The configurations of events of the class library that have no field for it (root cells).
    others: Vec<(ClassId, u32)>,
}

struct EventFile {
    id: u64,
    thread: ThreadId,
    loader: LoaderId,
    name: Box<str>,
    /// With the members of an event; the library's code is in it if `done`.
    bytes: Arc<[u8]>,
    done: bool,
}

impl Vm {
    /// The class file to define instead, if the class is `jdk.jfr.Event` or one of its subclasses. Ends in an upcall with
    /// `Resume::Again` as long as the library has not filled it with code.
    pub(super) fn event_class_file(
        &mut self,
        (loader, name): (LoaderId, &Arc<str>),
        domain: Ref,
        cf: &ClassFile,
        bytes: Option<&[u8]>,
    ) -> R<Option<Arc<[u8]>>> {
        let of_event = jdk::CLASSES[usize::from(jdk::jfr_event::CLASS.0)].name;
        if loader == LoaderId::BOOT && **name == *of_event {
            self.loaded.event_classes.seen = true;
            let original = cf.original();
            let bytes = bytes.or(original.as_deref());
            let open = bytes.and_then(|bytes| with_open_event_methods(bytes).ok());
            return Ok(open.map(Arc::from));
        }
        let abstract_one = cf.access_flags & (access::ABSTRACT | access::INTERFACE) != 0;
        if abstract_one || cf.super_class == 0 || !self.booted {
            return Ok(None);
        }
        let of = super::names::class_text(&cf.constant_pool, cf.super_class)?;
        if !self.loaded.event_classes.seen && *of != *of_event {
            return Ok(None);
        }
        if loader == LoaderId::BOOT && is_mirror(cf) {
            return Ok(None);
        }
        let supers = |vm: &mut Vm| vm.supers(loader, name, cf);
        let (Some(super_class), _) = self.in_domain(domain, supers)? else {
            return Ok(None);
        };
        let event = Env::of(self).jdk_class(jdk::jfr_event::CLASS)?;
        let of_library = loader == LoaderId::BOOT
            && self.feature() >= FILLS_LIBRARY
            && self.class(event).super_class == Some(super_class);
        if !of_library && !self.is_subtype(super_class, event) {
            return Ok(None);
        }
        let thread = self.cur;
        let files = &self.loaded.event_classes.files;
        let is = |f: &&EventFile| f.thread == thread && f.loader == loader && *f.name == **name;
        let known = files.iter().find(is);
        if let Some(file) = known.filter(|f| f.done) {
            return Ok(Some(file.bytes.clone()));
        }
        let known = known.map(|f| (f.id, f.bytes.clone()));
        let (id, bytes) = match known {
            Some(known) => known,
            None => {
                let original = cf.original();
                let Some(bytes) = bytes.or(original.as_deref()) else {
                    return Ok(None);
                };
                let Ok(Some(bytes)) = with_event_members(bytes, &self.event_members(of_library))
                else {
                    return Ok(None);
                };
                let bytes: Arc<[u8]> = bytes.into();
                let events = &mut self.loaded.event_classes;
                events.last += 1;
                if events.files.len() == MOST {
                    events.files.remove(0);
                }
                events.files.push(EventFile {
                    id: events.last,
                    thread,
                    loader,
                    name: (**name).into(),
                    bytes: bytes.clone(),
                    done: false,
                });
                (events.last, bytes)
            }
        };
        if self.loaded.linker.plain {
            // who needs the class cannot wait for the library
            return Ok(Some(bytes));
        }
        let number = self.class_number_of(loader, name);
        Err(self.fill_event_class(id, (loader, number), super_class, &bytes)?)
    }
    /// What the class library of this JDK expects; it registers its own events.
    fn event_members(&self, of_library: bool) -> EventMembers<'static> {
        let register = calls::flight_recorder::REGISTER;
        EventMembers {
            configuration: jdk::calls::event_configuration(self.feature()),
            register: (!of_library).then_some((register.class, register.name)),
            unregistered: "Ljdk/jfr/Registered;",
        }
    }
    /// The call of the library.
    fn fill_event_class(
        &mut self,
        id: u64,
        (loader, number): (LoaderId, i64),
        super_class: ClassId,
        bytes: &[u8],
    ) -> R<Box<Throw>> {
        let env = Env::of(self);
        let class = env.jdk_class(jdk::jvm_upcalls::CLASS)?;
        env.link_class(class)?;
        env.ensure_initialized(class)?;
        let byte = env.primitive(b'B');
        let array = env.new_array_of(byte, bytes.len())?;
        env.heap_mut().bytes_mut(array).copy_from_slice(bytes);
        let mirror = env.mirror(super_class);
        let (number, force) = (Value::Long(number), Value::from(true));
        let last = [Value::Ref(mirror), Value::Ref(array)];
        let (method, args) = match env.has_method(calls::jvm_upcalls::FILL_OF_LOADER) {
            Some(method) => {
                let boot = Value::from(loader == LoaderId::BOOT);
                (method, [&[number, force, boot], &last[..]].concat())
            }
            None => {
                let method = calls::jvm_upcalls::FILL;
                let method = env.has_method(method).expect("one of them is there");
                (method, [&[number, force], &last[..]].concat())
            }
        };
        let method = env.jdk_method(class, method);
        let call = Call::new(env, method, &args);
        let cont = Cont::own(filled, [id, 0, 0], [Ref::NULL; 3]);
        Ok(call.then(cont, Resume::Again))
    }
    /// The definition of an event's class has ended.
    pub(super) fn event_class_is_over<T>(&mut self, loader: LoaderId, name: &str, r: &R<T>) {
        let again = |t: &Throw| matches!(t, Throw::Upcall(_) | Throw::Block | Throw::Collect(_));
        if r.as_ref().err().is_some_and(|t| again(t)) {
            return;
        }
        let thread = self.cur;
        let files = &mut self.loaded.event_classes.files;
        files.retain(|f| f.thread != thread || f.loader != loader || *f.name != *name);
    }
    fn class_number_of(&mut self, loader: LoaderId, name: &str) -> i64 {
        let name = self.symbol(name);
        let events = &mut self.loaded.event_classes;
        let next = FIRST_NUMBER + events.numbers.len() as i64;
        *events.numbers.entry((loader, name)).or_insert(next)
    }
}

/// Whether a class of the library only describes an event of `java.base`, whose class has other members. It is marked by an annotation,
/// or by its superclass.
fn is_mirror(cf: &ClassFile) -> bool {
    let mark = jdk::CLASSES[usize::from(jdk::jfr_mirror_event::CLASS.0)].name;
    let of_mark = |text: &[u8]| text.windows(mark.len()).any(|part| part == mark.as_bytes());
    cf.original().is_some_and(|bytes| of_mark(&bytes))
}

/// The library has made the class file, or has failed: then it has no code.
fn filled(vm: &mut Vm, c: &mut Cont, input: Result<Value, Ref>) -> Next {
    let made = input.ok().and_then(|v| v.reference().non_null());
    let made: Option<Arc<[u8]>> = made.map(|array| vm.heap.bytes(array).into());
    let files = &mut vm.loaded.event_classes.files;
    if let Some(file) = files.iter_mut().find(|f| f.id == c.data[0]) {
        file.done = true;
        if let Some(made) = made {
            file.bytes = made;
        }
    }
    Next::Return(Value::Void)
}

impl Env {
    /// The number by which flight recordings know a class. Another class of the same name and loader has the same, later on.
    pub fn class_number(&mut self, c: ClassId) -> i64 {
        let k = self.0.class(c);
        let (loader, name) = (k.loader, k.name.clone());
        self.0.class_number_of(loader, &name)
    }
    /// All classes of events: subclasses of `jdk.jfr.Event`, abstract ones left out, and those of the class library that have been
    /// configured.
    pub fn event_classes(&mut self) -> R<Vec<ClassId>> {
        if !self.0.loaded.event_classes.seen {
            return Ok(Vec::new());
        }
        let others = &self.0.loaded.event_classes.others;
        let others: Vec<ClassId> = others.iter().map(|o| o.0).collect();
        let event = self.jdk_class(jdk::jfr_event::CLASS)?;
        let of_library = self.class(event).super_class;
        let all = self.all_classes().iter().copied();
        let is = |&c: &ClassId| {
            let k = self.class(c);
            let own = k.super_class == of_library && self.is_filled_event(c);
            k.access & access::ABSTRACT == 0 && (own || self.is_subtype(c, event))
        };
        Ok(all.filter(is).chain(others).collect())
    }
    /// Where the mirror of an event's class has its configuration.
    fn configuration_of_event(&self, c: ClassId) -> Option<usize> {
        let (name, descriptor) = jdk::calls::event_configuration(self.feature());
        self.0.offset_in(c, name, descriptor).map(|at| at as usize)
    }
    /// How an event is configured: null if it has not been registered, or is none.
    pub fn event_configuration(&self, c: ClassId) -> Ref {
        match self.configuration_of_event(c) {
            Some(at) => self.heap().get_ref(self.mirror(c), at),
            None => {
                let others = &self.0.loaded.event_classes.others;
                let cell = others.iter().find(|o| o.0 == c);
                cell.map_or(Ref::NULL, |o| self.heap().cell(o.1))
            }
        }
    }
    /// Whether the class library has filled the class of an event with code.
    pub fn is_filled_event(&self, c: ClassId) -> bool {
        self.configuration_of_event(c).is_some()
    }
    /// Sets how an event is configured; false if the class cannot hold it.
    pub fn set_event_configuration(&mut self, c: ClassId, to: Ref) -> bool {
        match self.configuration_of_event(c) {
            Some(at) => {
                let mirror = self.mirror(c);
                self.put_reference(mirror, at, to)
            }
            // classes of the boot loader stay
            None if self.0.class(c).loader == LoaderId::BOOT => {
                let cell = self.heap_mut().new_cell(to);
                let others = &mut self.0.loaded.event_classes.others;
                match others.iter_mut().find(|o| o.0 == c) {
                    Some(other) => {
                        let old = std::mem::replace(&mut other.1, cell);
                        self.heap_mut().free_cell(old);
                    }
                    None => others.push((c, cell)),
                }
                true
            }
            None => false,
        }
    }
}
