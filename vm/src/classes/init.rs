//! Initialization of classes (JVMS 5.5), with the initializers run as upcalls.
//!
//! The instruction that needs the class runs again after each initializer; the state kept in the
//! class reports such a second attempt from a recursive request made by an initializer.

use crate::classes::failures::INITIALIZERS;
use crate::classes::{InitState, Linker, acc, init_failure};
use crate::events::EventSet;
use crate::ids::{ClassId, Ref, ThreadId};
use crate::threads::Wait;
use crate::throw::{Cont, Next, R, Resume, Throw};
use crate::vm::Vm;
use rjvm_classfile::{Constant, mutf8};

/// A class that is being initialized.
pub(crate) struct Initializing {
    pub class: ClassId,
    /// Who initializes it.
    thread: ThreadId,
    /// Whether superclasses and superinterfaces are still to be initialized.
    supers: bool,
    /// The superclass or superinterface whose initializer runs because of this class.
    waits_for: Option<ClassId>,
    /// The subclass whose initialization began this one's.
    pub waiter: Option<ClassId>,
}

impl Linker {
    /// The state of a class while it is being initialized.
    pub(crate) fn initializing(&self, c: ClassId) -> Option<&Initializing> {
        // it has begun not long ago
        self.initializing.iter().rfind(|i| i.class == c)
    }
}

impl Vm {
    /// Initializes a class (JVMS 5.5); an upcall with `Resume::Again` while its initializer has to run,
    /// `Block` while another thread runs it, NoClassDefFoundError when it failed before.
    pub fn ensure_initialized(&mut self, c: ClassId) -> R<()> {
        match self.init_state(c) {
            InitState::Initialized => {
                self.class_used(c);
                Ok(())
            }
            InitState::Erroneous => {
                self.class_point_passed(c);
                Err(self.failed_before(c))
            }
            // a request from within the initialization, or the instruction that began it again
            InitState::InProgress if self.is_initializing(c) => Ok(()),
            InitState::InProgress if self.initializer_of(c) == Some(self.cur) => {
                self.continue_init(c)
            }
            InitState::InProgress => {
                self.before_init(c)?;
                let block = self.block_on(Wait::ClassInit(c), None);
                self.leave_carrier(crate::threads::mount::UnmountReason::Blocked)?;
                Err(block)
            }
            InitState::Loaded | InitState::Linked => {
                let linked = self.init_state(c) == InitState::Linked;
                self.link_class(c)?;
                if !linked && self.wants(EventSet::PREPARED) {
                    // a debugger has its say before anything is initialized
                    self.breathe()?;
                }
                self.before_init(c)?;
                self.set_constants(c)?;
                let thread = self.cur;
                self.loaded.linker.initializing.push(Initializing {
                    class: c,
                    thread,
                    supers: true,
                    waits_for: None,
                    waiter: None,
                });
                self.set_init_state(c, InitState::InProgress);
                self.continue_init(c)
            }
        }
    }
    /// The thread that is initializing a class.
    pub(crate) fn initializer_of(&self, c: ClassId) -> Option<ThreadId> {
        self.loaded.linker.initializing(c).map(|i| i.thread)
    }
    fn initializing_mut(&mut self, c: ClassId) -> Option<&mut Initializing> {
        let mut all = self.loaded.linker.initializing.iter_mut();
        all.rfind(|i| i.class == c)
    }
    /// Whether the current thread is running the initializer of `c`, or of a superclass on behalf of `c`.
    fn is_initializing(&self, c: ClassId) -> bool {
        let mut c = c;
        loop {
            match self.loaded.linker.initializing(c) {
                Some(i) if i.thread != self.cur => return false,
                Some(i) if !i.supers => return true,
                Some(Initializing {
                    waits_for: Some(s), ..
                }) => c = *s,
                _ => return false,
            }
        }
    }
    /// Steps 7 and 9: superclass and superinterfaces, then the class's own initializer.
    fn continue_init(&mut self, c: ClassId) -> R<()> {
        self.set_waits_for(c, None);
        for s in self.init_order(c) {
            let Err(t) = self.nest(INITIALIZERS, |vm| vm.ensure_initialized(s)) else {
                continue;
            };
            if let Throw::Upcall(_) = *t {
                self.set_waits_for(c, Some(s));
                if let Some(s) = self.initializing_mut(s) {
                    s.waiter = Some(c);
                }
                return Err(t);
            }
            return Err(init_failure::inherited(self, c, *t)?);
        }
        if let Some(c) = self.initializing_mut(c) {
            c.supers = false;
        }
        let (name, desc) = (self.syms.intern("<clinit>"), self.syms.intern("()V"));
        match self.declared_method(c, name, desc) {
            Some(m) if self.method(m).is_static() => {
                let cont = Cont::own(initializer_done, [c.0.into(), 0, 0], [Ref::NULL; 3]);
                Err(Throw::call(m, &[], cont, Resume::Again))
            }
            _ => {
                self.end_init(c, InitState::Initialized);
                Ok(())
            }
        }
    }
    fn set_waits_for(&mut self, c: ClassId, s: Option<ClassId>) {
        if let Some(c) = self.initializing_mut(c) {
            c.waits_for = s;
        }
    }
    /// The superclass and the superinterfaces with default methods, in the order of 5.5, step 7.
    fn init_order(&self, c: ClassId) -> Vec<ClassId> {
        let k = self.class(c);
        if k.is_interface() {
            return Vec::new();
        }
        let mut order: Vec<ClassId> = k.super_class.into_iter().collect();
        for &i in &*k.interfaces {
            self.default_supers(i, &mut order);
        }
        order
    }
    fn default_supers(&self, i: ClassId, order: &mut Vec<ClassId>) {
        // interfaces and how many of their superinterfaces have been seen to
        let mut path = vec![(i, 0)];
        while let Some((i, seen)) = path.last_mut() {
            let k = self.class(*i);
            if let Some(&j) = k.interfaces.get(*seen) {
                *seen += 1;
                path.push((j, 0));
                continue;
            }
            if k.has_defaults && !order.contains(i) {
                order.push(*i);
            }
            path.pop();
        }
    }
    /// Static fields with a ConstantValue attribute (JVMS 4.7.2).
    fn set_constants(&mut self, c: ClassId) -> R<()> {
        let Some(cf) = self.class(c).cf.clone() else {
            return Ok(());
        };
        let mirror = self.mirror(c);
        for (f, info) in cf.fields.iter().enumerate() {
            let Some(i) = info.attributes.constant_value else {
                continue;
            };
            let field = &self.class(c).fields[f];
            if field.access & acc::STATIC == 0 {
                continue;
            }
            let (ty, at) = (field.ty, field.offset);
            match (cf.constant_pool.get(i), ty) {
                (Ok(Constant::Integer(v)), b'I') => self.heap.put::<i32>(mirror, at, v),
                (Ok(Constant::Integer(v)), b'C' | b'S') => {
                    self.heap.put::<u16>(mirror, at, v as u16)
                }
                (Ok(Constant::Integer(v)), b'B') => self.heap.put::<u8>(mirror, at, v as u8),
                (Ok(Constant::Integer(v)), b'Z') => self.heap.put::<u8>(mirror, at, v as u8 & 1),
                (Ok(Constant::Float(v)), b'F') => self.heap.put::<u32>(mirror, at, v.to_bits()),
                (Ok(Constant::Long(v)), b'J') => self.heap.put::<i64>(mirror, at, v),
                (Ok(Constant::Double(v)), b'D') => self.heap.put::<u64>(mirror, at, v.to_bits()),
                (Ok(Constant::String { utf8 }), b'L') => {
                    let bytes = cf.constant_pool.utf8(utf8).unwrap_or_default();
                    let text = mutf8::to_utf16(bytes).unwrap_or_default();
                    let s = self.intern_utf16(&text)?;
                    self.heap.put_ref(mirror, at, s);
                }
                _ => {
                    return Err(Throw::msg(
                        "java/lang/ClassFormatError",
                        format!(
                            "Inconsistent constant value type in class file {}",
                            self.name(c)
                        ),
                    ));
                }
            }
        }
        Ok(())
    }
    /// Step 10, and the end of step 12: the lock is let go.
    pub(super) fn end_init(&mut self, c: ClassId, state: InitState) {
        self.set_init_state(c, state);
        self.loaded.linker.initializing.retain(|i| i.class != c);
        self.class_initialized(c);
        self.wake_all(&Wait::ClassInit(c));
    }
    /// The classes that a thread is loading and initializing are abandoned: the thread is taken off the stack.
    pub(crate) fn abandon_classes_of(&mut self, t: ThreadId) {
        self.loaded.linker.defining.retain(|d| d.0 != t);
        let begun = self
            .loaded
            .linker
            .initializing
            .iter()
            .filter(|i| i.thread == t);
        let begun: Vec<ClassId> = begun.map(|i| i.class).collect();
        for c in begun {
            self.end_init(c, InitState::Erroneous);
        }
    }
    /// The error of a class whose initialization failed before.
    fn failed_before(&mut self, c: ClassId) -> Box<Throw> {
        let k = self.class(c);
        let cause = match k.init_cause {
            0 => Ref::NULL,
            cell => self.heap.cell(cell),
        };
        let text = format!("Could not initialize class {}", self.external_class(c));
        Throw::caused("java/lang/NoClassDefFoundError", Some(text), cause)
    }
}

/// `<clinit>` has returned or thrown.
fn initializer_done(vm: &mut Vm, cont: &mut Cont, result: Result<crate::Value, Ref>) -> Next {
    let c = ClassId(cont.data[0] as u32);
    match result {
        Ok(_) => {
            vm.end_init(c, InitState::Initialized);
            Next::Return(crate::Value::Void)
        }
        Err(e) => init_failure::own(vm, cont, c, e),
    }
}
