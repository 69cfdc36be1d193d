//! Errors of resolution: kept, and thrown again at every later attempt (JVMS 5.4.3, 5.4.3.6).
//!
//! As in HotSpot, class and message of the error and of its cause are stored. Each attempt gets new objects of them; call sites
//! store no cause.

use super::failure::{RethrownError, Thrown};
use crate::classes::{PoolEntry, Resolved};
use crate::ids::{ClassId, LoaderId, MethodId, Ref};
use crate::interp::exceptions::exception_upcall;
use crate::jdk;
use crate::natives::Env;
use crate::throw::{Cont, Next, R, Resume, Throw, Upcall};
use crate::vm::Vm;
use rjvm_classfile::descriptor::FieldType;
use rjvm_classfile::{Constant as Q, opcodes as o};
use std::sync::Arc;

const LINKAGE_ERROR: &str = "java/lang/LinkageError";
/// Dynamic constants that are arguments of each other, classes that are loaded for their subclasses: how many at most
/// before the stack counts as full.
pub(crate) const NESTED: usize = 400;
/// Superclasses that are initialized for their subclasses, which take less of the stack.
pub(super) const INITIALIZERS: usize = 1500;

/// Errors of resolution that are stored, as far as the VM makes them itself.
const LINKAGE_ERRORS: [&str; 16] = [
    LINKAGE_ERROR,
    "java/lang/NoClassDefFoundError",
    "java/lang/IllegalAccessError",
    "java/lang/IncompatibleClassChangeError",
    "java/lang/NoSuchFieldError",
    "java/lang/NoSuchMethodError",
    "java/lang/AbstractMethodError",
    "java/lang/ClassCircularityError",
    "java/lang/ClassFormatError",
    "java/lang/UnsupportedClassVersionError",
    "java/lang/VerifyError",
    "java/lang/UnsatisfiedLinkError",
    "java/lang/InstantiationError",
    "java/lang/ExceptionInInitializerError",
    "java/lang/BootstrapMethodError",
    "java/lang/GenericSignatureFormatError",
];

impl Vm {
    /// Runs what may lead to itself again, at most so often.
    pub(super) fn nest<T>(&mut self, most: usize, f: impl FnOnce(&mut Vm) -> R<T>) -> R<T> {
        if self.loaded.linker.nested >= most {
            return Err(Throw::bare("java/lang/StackOverflowError"));
        }
        self.loaded.linker.nested += 1;
        let done = f(self);
        self.loaded.linker.nested -= 1;
        done
    }
    fn thrown(&mut self, e: Ref) -> Thrown {
        let class = self.class(self.class_of(e)).name.clone();
        let message = self.get(e, jdk::throwable::DETAIL_MESSAGE);
        let message = message.non_null().map(|m| self.string(m).into());
        (class, message)
    }
    /// The stored part of an error.
    fn failure_of(&mut self, error: Thrown, cause: Option<Thrown>) -> Arc<RethrownError> {
        let message = |t: &Thrown| t.1.as_ref().map_or(0, |m| m.len());
        let messages = message(&error) + cause.as_ref().map_or(0, message);
        let _weight = self.weigh_rest(size_of::<RethrownError>() + messages);
        Arc::new(RethrownError {
            error,
            cause,
            _weight,
        })
    }
    /// The stored part of a throw, if it is a LinkageError.
    fn failure(&mut self, t: &Throw) -> Option<Arc<RethrownError>> {
        match t {
            Throw::New {
                class,
                message,
                cause,
            } if LINKAGE_ERRORS.contains(class) => {
                let cause = cause.non_null().map(|c| self.thrown(c));
                let error = ((*class).into(), message.as_deref().map(Into::into));
                Some(self.failure_of(error, cause))
            }
            Throw::Object(e) => {
                let linkage = self.find_loaded(LoaderId::BOOT, LINKAGE_ERROR)?;
                if !self.instance_of(*e, linkage) {
                    return None;
                }
                let error = self.thrown(*e);
                let cause = self.get(*e, jdk::throwable::CAUSE);
                let cause = cause.non_null().filter(|c| c != e);
                let cause = cause.map(|c| self.thrown(c));
                Some(self.failure_of(error, cause))
            }
            _ => None,
        }
    }
    /// Remembers that resolution of a constant failed with a LinkageError, whatever else is tried again.
    pub(crate) fn remember_error(&mut self, c: ClassId, i: PoolEntry, t: &Throw) {
        if self.class(c).is_open(i)
            && let Some(f) = self.failure(t)
        {
            let error = Resolved::Error(f);
            self.heap.class_mut(c).set_state(i, error);
        }
    }
    /// Throws the error that resolution failed with before.
    pub(crate) fn throw_again(&mut self, f: &RethrownError) -> Box<Throw> {
        self.made_again(f).unwrap_or_else(|t| t)
    }
    fn made_again(&mut self, f: &RethrownError) -> R<Box<Throw>> {
        let mut make = |t: &Thrown| -> R<(ClassId, Ref)> {
            let class = self.load_class_linked(LoaderId::BOOT, &t.0)?;
            let message = match &t.1 {
                Some(m) => self.new_string(m)?,
                None => Ref::NULL,
            };
            Ok((class, message))
        };
        let (class, message) = make(&f.error)?;
        let Some(cause) = &f.cause else {
            let upcall = exception_upcall(class, message, Ref::NULL);
            return Ok(Box::new(Throw::Upcall(upcall)));
        };
        let (cause, why) = make(cause)?;
        Ok(Box::new(Throw::Upcall(Upcall {
            call: None,
            cont: Some(Cont::own(
                with_cause,
                [u64::from(class.0), u64::from(cause.0), 0],
                [message, why, Ref::NULL],
            )),
            resume: Resume::Again,
        })))
    }
    /// An exception comes from an instruction. If that was to load a constant or to link its call site
    /// (linked, it throws none but StackOverflowError), what failed keeps the error. An exception that is not an Error is wrapped
    /// first (JVMS 6.5, Linking Exceptions): the upcall that does it.
    pub(crate) fn resolution_failed(&mut self, m: MethodId, bci: usize, e: Ref) -> Option<Upcall> {
        let bytes = self.method(m).code()?.bytes();
        let op = bytes[bci];
        let cp = match op {
            o::LDC => u16::from(bytes[bci + 1]),
            o::LDC_W | o::LDC2_W | o::INVOKEDYNAMIC => {
                u16::from_be_bytes([bytes[bci + 1], bytes[bci + 2]])
            }
            _ => return None,
        };
        let class = self.method(m).class;
        let cp = self.method(m).entry_at(cp);
        let site = (op == o::INVOKEDYNAMIC).then_some((self.method(m).site_slot(), bci as u32));
        let k = self.class(class);
        let known = match site {
            Some(key) => k
                .rare
                .get()
                .is_some_and(|r| r.call_sites.contains_key(&key)),
            None => !k.is_open(cp),
        };
        if known {
            return None;
        }
        let mut failed = Vec::new();
        self.failed_constants(class, cp, &mut failed);
        let code = self.method(m).code().map(|code| code.kept())?;
        let pool = code.cf.constant_pool.clone();
        let dynamic = |i: &PoolEntry| matches!(pool.entry(i.index), Q::Dynamic { .. });
        let error = self.boot_class("java/lang/Error");
        if self.instance_of(e, error) || site.is_none() && !failed.iter().any(dynamic) {
            self.keep_failure(class, &failed, site, e);
            return None;
        }
        Some(Upcall {
            call: None,
            cont: Some(Cont::own(
                wrap,
                [u64::from(m.0), bci as u64, u64::from(cp.pack())],
                [e, Ref::NULL, Ref::NULL],
            )),
            resume: Resume::Again,
        })
    }
    fn keep_failure(
        &mut self,
        class: ClassId,
        failed: &[PoolEntry],
        site: Option<(u32, u32)>,
        e: Ref,
    ) {
        // one for all of them
        let Some(f) = self.failure(&Throw::Object(e)) else {
            return;
        };
        for &i in failed {
            if self.class(class).is_open(i) {
                let error = Resolved::Error(f.clone());
                self.heap.class_mut(class).set_state(i, error);
            }
        }
        if let Some(key) = site {
            let f = match f.cause {
                Some(_) => self.failure_of(f.error.clone(), None),
                None => f,
            };
            let rare = self.heap.class_mut(class).rare.make();
            rare.call_sites.entry(key).or_insert(Err(f));
        }
    }
    /// The constants whose resolution is under way during the resolution of constant `cp`: itself, if it is not a call site, then
    /// the argument or method handle it needs next, and so on.
    fn failed_constants(&mut self, class: ClassId, cp: PoolEntry, failed: &mut Vec<PoolEntry>) {
        let loader = self.class(class).loader;
        let Some(cf) = self.class(class).file_of(cp.pool).cloned() else {
            return;
        };
        let pool = &cf.constant_pool;
        let mut next = Some(cp);
        while let Some(i) = next.take() {
            if failed.len() == NESTED {
                return;
            }
            let (bootstrap, nat) = match pool.entry(i.index) {
                Q::InvokeDynamic {
                    bootstrap,
                    name_and_type,
                } => (bootstrap, name_and_type),
                Q::Dynamic {
                    bootstrap,
                    name_and_type,
                } => {
                    failed.push(i);
                    (bootstrap, name_and_type)
                }
                _ => {
                    failed.push(i);
                    return;
                }
            };
            let table = cf.attributes.bootstrap_methods.as_deref().unwrap_or(&[]);
            let Some(b) = table.get(bootstrap as usize) else {
                return;
            };
            let desc = pool.name_and_type(nat).map_or("", |n| n.1);
            let known = self.is_type_known(loader, desc);
            let holder = self.class(class);
            // numbers are never resolved, so nothing about them can fail
            let number = |q| matches!(q, Q::Integer(_) | Q::Float(_) | Q::Long(_) | Q::Double(_));
            let open = |i: u16| holder.is_open(cp.beside(i)) && !number(pool.entry(i));
            let found = match open(b.method) {
                true => Some(b.method),
                false if known => b.arguments.iter().copied().find(|&i| open(i)),
                false => None,
            };
            next = found.map(|i| cp.beside(i));
        }
    }
    /// Whether the type of a call site or dynamic constant is resolved.
    fn is_type_known(&mut self, loader: LoaderId, desc: &str) -> bool {
        match FieldType::parse(desc) {
            Ok(t) => match t.class_name() {
                Some(n) => self.find_loaded(loader, n).is_some(),
                None => true,
            },
            Err(_) => self.has_method_type(loader, desc),
        }
    }
}

impl Env {
    /// Throws a new `error` without message, whose cause is a new `cause`.
    pub fn throw_wrapped(
        &mut self,
        error: &'static str,
        cause: &'static str,
        message: Option<String>,
    ) -> Box<Throw> {
        let cause = Some((cause.into(), message.map(Into::into)));
        let error = (error.into(), None);
        self.0.throw_again(&RethrownError {
            error,
            cause,
            _weight: None,
        })
    }
}

/// Wraps an exception, which the call site and the dynamic constants on the way keep, then throws it.
fn wrap(vm: &mut Vm, c: &mut Cont, input: Result<crate::Value, Ref>) -> Next {
    let Err(made) = input else {
        let wrapper = vm.boot_class("java/lang/BootstrapMethodError");
        let make = exception_upcall(wrapper, Ref::NULL, c.refs[0]);
        return Next::Throw(Box::new(Throw::Upcall(make)));
    };
    let (m, cp) = (
        MethodId(c.data[0] as u32),
        PoolEntry::unpack(c.data[2] as u32),
    );
    let class = vm.method(m).class;
    if let Some(cf) = vm.class(class).file_of(cp.pool).cloned() {
        let pool = &cf.constant_pool;
        let mut failed = Vec::new();
        vm.failed_constants(class, cp, &mut failed);
        failed.retain(|i| matches!(pool.entry(i.index), Q::Dynamic { .. }));
        let linked = matches!(pool.entry(cp.index), Q::InvokeDynamic { .. });
        let site = linked.then_some((vm.method(m).site_slot(), c.data[1] as u32));
        vm.keep_failure(class, &failed, site, made);
    }
    Next::Throw(Throw::object(made))
}

/// Makes the cause, then the error, and throws it.
fn with_cause(_: &mut Vm, c: &mut Cont, input: Result<crate::Value, Ref>) -> Next {
    let make = match (c.data[2], input) {
        (0, _) => exception_upcall(ClassId(c.data[1] as u32), c.refs[1], Ref::NULL),
        (1, Err(cause)) => exception_upcall(ClassId(c.data[0] as u32), c.refs[0], cause),
        (_, Err(e)) => return Next::Throw(Throw::object(e)),
        (_, Ok(_)) => unreachable!("an exception was to be made"),
    };
    c.data[2] += 1;
    Next::Throw(Box::new(Throw::Upcall(make)))
}
