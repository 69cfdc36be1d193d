//! Host functions: closures of the embedder as the native methods of Java classes.
//!
//! A closure that calls Java has to wait for what it calls, while the VM must be able to stop at any bytecode, to let
//! other threads run and to unwind stacks. So it runs as a coroutine, on a stack of its own: a request of it
//! suspends it, becomes a continuation of the VM as every upcall of a native, and the result resumes it. Closures never
//! hold the VM itself, only what they have been given by value.
//!
//! Values on a coroutine's stack may be tied to the OS thread it began on. So suspended coroutines are stored by that
//! thread, not by the VM: elsewhere they can be neither resumed nor dropped.

use super::context::{Context, Request, RequestBody, Sealed};
use super::convert;
use super::error::Error;
use super::exception;
use super::handle::Object;
use super::job::ClassRef;
use super::job::{self, Invoke, Job, StepFailure, Target};
use super::state::{State, VmId, unique};
use super::value::{FromJava, IntoJava, Type, Value};
use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult, Yielder};
use rjvm_vm::natives::{HostNatives, UnsuitableNative};
use rjvm_vm::throw::{Cont, Next, Resume, Upcall};
use rjvm_vm::{ClassId, LoaderId, MethodId, R, Ref, ThreadId, Throw, Value as Slot, Vm as Core};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Stacks of closures that have returned, kept for the next.
const SPARE_STACKS: usize = 8;

/// Bytes of a closure's stack. Only what is used takes memory.
const STACK: usize = 1 << 20;
/// Bytes of it that have to be left when a closure calls Java: for what that needs, and for the closure's own error.
const RESERVE: usize = 64 << 10;
const OVERFLOW: &str = "java.lang.StackOverflowError";

/// The VM, as a host function sees it during a call: with the methods of [`Context`] and of handles.
pub struct Caller<'a> {
    yielder: &'a Yielder<Answer, Request>,
    /// The lowest address of the closure's stack.
    floor: usize,
    /// The closure's stack is being unwound, since nobody will ever resume it.
    lost: bool,
}

impl Sealed for Caller<'_> {
    fn request(&mut self, request: Request) -> Result<Value, Error> {
        struct Unwinding<'a>(&'a mut bool);
        impl Drop for Unwinding<'_> {
            fn drop(&mut self) {
                *self.0 = std::thread::panicking();
            }
        }
        if self.lost || std::thread::panicking() {
            return Err(Error::Exit(0));
        }
        let here = (&raw const self).addr();
        if here.saturating_sub(self.floor) < RESERVE {
            return Err(Error::throw(OVERFLOW, "of a host function"));
        }
        // a closure that catches the unwinding must not wait for an answer again
        let _unwinding = Unwinding(&mut self.lost);
        self.yielder.suspend(request)
    }
}

impl Context for Caller<'_> {}

type Answer = Result<Value, Error>;

/// A closure as the VM calls it.
type Closure = Arc<dyn Fn(&mut Caller<'_>, Vec<Value>) -> Result<Value, Error> + Send + Sync>;

/// A host function: a closure that takes a [`Caller`] and up to eight values with [`FromJava`], and returns a value or a
/// `Result` of one.
pub trait HostFunction<P, R>: Send + Sync + 'static {
    #[doc(hidden)]
    fn parameters() -> Vec<Type>;
    #[doc(hidden)]
    fn result() -> Type;
    #[doc(hidden)]
    fn run(&self, caller: &mut Caller<'_>, args: Vec<Value>) -> Result<Value, Error>;
}

/// The result of a host function: a value with [`IntoJava`], or a `Result` of one. An [`Error::Exception`] or
/// [`Error::throw`] is thrown in Java; any other error is thrown as a `RuntimeException`.
pub trait HostResult {
    #[doc(hidden)]
    const TYPE: Type;
    #[doc(hidden)]
    fn value(self) -> Result<Value, Error>;
}

impl<T: IntoJava> HostResult for T {
    const TYPE: Type = T::TYPE;
    fn value(self) -> Result<Value, Error> {
        Ok(self.into_java())
    }
}

impl<T: IntoJava> HostResult for Result<T, Error> {
    const TYPE: Type = T::TYPE;
    fn value(self) -> Result<Value, Error> {
        self.map(T::into_java)
    }
}

macro_rules! functions {
    ($($p:ident)*) => {
        impl<F, Z, $($p),*> HostFunction<($($p,)*), Z> for F
        where
            F: Fn(&mut Caller<'_>, $($p),*) -> Z + Send + Sync + 'static,
            Z: HostResult,
            $($p: FromJava),*
        {
            fn parameters() -> Vec<Type> {
                vec![$($p::TYPE),*]
            }
            fn result() -> Type {
                Z::TYPE
            }
            #[allow(unused_variables, unused_mut, non_snake_case, reason = "made for none to eight parameters, named by their types")]
            fn run(&self, caller: &mut Caller<'_>, args: Vec<Value>) -> Result<Value, Error> {
                let mut args = args.into_iter();
                $( let $p = $p::from_java(args.next().unwrap_or(Value::Void))?; )*
                self(caller, $($p),*).value()
            }
        }
    };
}

functions!();
functions!(A);
functions!(A B);
functions!(A B C);
functions!(A B C D);
functions!(A B C D E);
functions!(A B C D E G);
functions!(A B C D E G H);
functions!(A B C D E G H I);

/// A host function under the name of its native method.
#[derive(Clone)]
struct NamedFunction {
    /// The descriptor, if it was given.
    desc: Option<String>,
    parameters: Vec<Type>,
    result: Type,
    closure: Closure,
}

impl NamedFunction {
    /// Whether it is meant for the native method with this descriptor.
    fn fits(&self, desc: &str) -> bool {
        match &self.desc {
            Some(own) => own == desc,
            None => self.is_typed(desc),
        }
    }
    /// Whether it can be that method. One that takes a value more gets `this`, if there is one.
    fn suits(&self, desc: &str, is_static: bool) -> bool {
        let takes = super::members::parameters(desc).count();
        self.fits(desc) && self.is_typed(desc) && !(is_static && self.parameters.len() > takes)
    }
    /// Whether it takes and returns values of these types. One that takes a value more gets `this`.
    fn is_typed(&self, desc: &str) -> bool {
        let takes: Vec<&str> = super::members::parameters(desc).collect();
        let extra = self.parameters.len().wrapping_sub(takes.len());
        extra <= 1
            && takes
                .iter()
                .zip(&self.parameters[extra..])
                .all(|(d, t)| t.fits(d))
            && desc.rsplit(')').next().is_some_and(|d| match self.result {
                // an object of whatever class
                Type::Void => d == "V",
                other => d != "V" && other.fits(d),
            })
    }
}

/// All host functions of a VM, by class (internal name) and method.
#[derive(Clone, Default)]
pub(super) struct Functions(BTreeMap<String, BTreeMap<String, Vec<NamedFunction>>>);

impl Functions {
    /// Adds one; `name` may have a descriptor.
    pub(super) fn add<P, Z, F: HostFunction<P, Z>>(&mut self, class: &str, name: &str, f: F) {
        let (bare, desc) = match name.find('(') {
            Some(at) => (&name[..at], Some(name[at..].to_owned())),
            None => (name, None),
        };
        let f = NamedFunction {
            desc,
            parameters: F::parameters(),
            result: F::result(),
            closure: Arc::new(move |caller, args| f.run(caller, args)),
        };
        let class = self.0.entry(class.replace('.', "/")).or_default();
        class.entry(bare.into()).or_default().push(f);
    }
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// The classes that have been loaded have such native methods; if not, what they lack.
    pub(super) fn check_loaded(&self, core: &mut Core) -> Result<(), UnsuitableNative> {
        for class in self.0.keys() {
            if let Some(id) = core.env().find_loaded(LoaderId::BOOT, class) {
                HostNatives::suits(self, core, id)?;
            }
        }
        Ok(())
    }
    /// Why a function is no native method of a class.
    fn why_not(
        core: &Core,
        class: ClassId,
        name: &str,
        f: &NamedFunction,
    ) -> Option<UnsuitableNative> {
        let k = core.class(class);
        let methods = k.methods.iter().map(|&m| core.method(m));
        let symbols = core.symbols();
        let mut of_name = methods
            .filter(|m| **symbols.str(m.name) == *name)
            .peekable();
        let method = format!("{}.{name}", k.dotted());
        if of_name.peek().is_none() {
            return Some(UnsuitableNative::NoMethod(method));
        }
        let mut has_code = false;
        for m in of_name {
            let suits = f.suits(symbols.str(m.desc), m.is_static());
            match (suits, m.is_native()) {
                (true, true) => return None,
                (true, false) => has_code = true,
                (false, _) => {}
            }
        }
        Some(match has_code {
            true => UnsuitableNative::NotNative(method),
            false => UnsuitableNative::Types(method),
        })
    }
    fn find(&self, class: &str, name: &str, desc: &str) -> Option<&NamedFunction> {
        let functions = self.0.get(class)?.get(name)?;
        functions.iter().find(|f| f.fits(desc))
    }
}

impl HostNatives for Functions {
    fn suits(&self, core: &Core, class: ClassId) -> Result<(), UnsuitableNative> {
        let functions = self.0.get(&*core.class(class).name);
        for (name, functions) in functions.into_iter().flatten() {
            let mut why = functions
                .iter()
                .filter_map(|f| Self::why_not(core, class, name, f));
            if let Some(why) = why.next() {
                return Err(why);
            }
        }
        Ok(())
    }
    fn has(&self, class: &str, name: &str, desc: &str) -> bool {
        self.find(class, name, desc).is_some()
    }
    fn call(&self, core: &mut Core, method: MethodId, args: &[Slot]) -> R<Slot> {
        let m = core.method(method);
        let (class, instance) = (core.name(m.class), !m.is_static());
        let symbols = core.symbols();
        let (name, desc) = (symbols.str(m.name).clone(), symbols.str(m.desc).clone());
        let function = self.find(&class, &name, &desc);
        let function = function.expect("the method is bound to it").clone();
        let mut types: Vec<&str> = super::members::parameters(&desc).collect();
        let mut args = args;
        match (instance, function.parameters.len() > types.len()) {
            (true, true) => types.insert(0, "Ljava/lang/Object;"),
            (true, false) => args = &args[1..],
            (false, true) => return Err(no_this()),
            (false, false) => {}
        }
        let mut values = Vec::with_capacity(args.len());
        for ((&slot, desc), want) in args.iter().zip(types).zip(&function.parameters) {
            match convert::lift(core, desc, slot, *want) {
                Ok(value) => values.push(value),
                Err(e) => return Err(Throw::msg("java/lang/ClassCastException", e.to_string())),
            }
        }
        let run = Run::new(core, function.closure, values, &desc)?;
        let id = run.id;
        RUNS.with_borrow_mut(|runs| runs.insert(id, run));
        Err(Box::new(Throw::Upcall(Upcall {
            call: None,
            cont: Some(Cont::of_host(core, step, [id, 0, 0], [Ref::NULL; 3])),
            resume: Resume::Value,
        })))
    }
}

#[cold]
fn no_this() -> Box<Throw> {
    let text = "the host function takes an object, but the method is static";
    Throw::msg("java/lang/UnsatisfiedLinkError", text)
}

type Fiber = Coroutine<Answer, Request, Result<Value, Error>, DefaultStack>;

/// What a closure waits for.
enum Waits {
    /// To be resumed with this.
    Answer(Option<Answer>),
    /// The end of this job.
    Job(u64),
    /// It has returned this value, which is to become one of Java's.
    Returned(Value),
    /// It has failed, and the exception is being made.
    Throwing(u64),
}

/// A closure that has been called.
struct Run {
    id: u64,
    vm: VmId,
    thread: ThreadId,
    fiber: Fiber,
    waits: Waits,
    /// Descriptor of the method's result.
    result: String,
    /// Who declares the method, for the types of its result.
    loader: rjvm_vm::LoaderId,
}

thread_local! {
    /// Closures that began on this OS thread and have not returned.
    static RUNS: RefCell<BTreeMap<u64, Run>> = const { RefCell::new(BTreeMap::new()) };
    static STACKS: RefCell<Vec<DefaultStack>> = const { RefCell::new(Vec::new()) };
}

impl Run {
    fn new(core: &mut Core, closure: Closure, args: Vec<Value>, desc: &str) -> R<Run> {
        let (vm, loader) = {
            let state = State::of(core);
            (state.id, state.loader)
        };
        let stack = match STACKS.with_borrow_mut(Vec::pop) {
            Some(stack) => stack,
            None => DefaultStack::new(STACK).map_err(|e| {
                Throw::msg(
                    "java/lang/StackOverflowError",
                    format!("of a host function: {e}"),
                )
            })?,
        };
        let floor = stack.limit().get();
        let fiber = Fiber::with_stack(stack, move |yielder, _| {
            let mut caller = Caller {
                yielder,
                floor,
                lost: false,
            };
            closure(&mut caller, args)
        });
        Ok(Run {
            id: unique(),
            vm,
            thread: core.current(),
            fiber,
            waits: Waits::Answer(Some(Ok(Value::Void))),
            result: desc.rsplit(')').next().unwrap_or("V").to_owned(),
            loader,
        })
    }
    /// Goes on with a closure.
    fn step(&mut self, core: &mut Core, input: Result<Slot, Ref>) -> Next {
        match &mut self.waits {
            Waits::Answer(_) => {}
            Waits::Job(id) => {
                let answer = ended(core, *id, input);
                self.waits = Waits::Answer(Some(answer));
            }
            Waits::Returned(_) => return self.answer(core),
            Waits::Throwing(id) => {
                return Next::Throw(match ended(core, *id, input) {
                    Ok(Value::Object(made)) => thrown(core, &made),
                    Err(Error::Exception(e)) => thrown(core, &e.object),
                    Ok(_) => Throw::bare("java/lang/RuntimeException"),
                    Err(e) => Throw::msg("java/lang/RuntimeException", e.to_string()),
                });
            }
        }
        loop {
            let Waits::Answer(answer) = &mut self.waits else {
                unreachable!("all other states are handled");
            };
            let answer = answer.take().unwrap_or(Ok(Value::Void));
            match self.fiber.resume(answer) {
                CoroutineResult::Yield(Request(RequestBody::Look(look))) => {
                    self.waits = Waits::Answer(Some(look(core)));
                }
                CoroutineResult::Yield(Request(RequestBody::Job(job))) => {
                    return self.wait(core, job, false);
                }
                CoroutineResult::Return(Ok(value)) => {
                    self.waits = Waits::Returned(value);
                    return self.answer(core);
                }
                CoroutineResult::Return(Err(e)) => return self.fail(core, e),
            }
        }
    }
    /// Has a job done, then comes back.
    fn wait(&mut self, core: &mut Core, job: Box<dyn Job>, throwing: bool) -> Next {
        let (id, cont) = job::begin(core, job);
        self.waits = match throwing {
            true => Waits::Throwing(id),
            false => Waits::Job(id),
        };
        Next::Throw(Box::new(Throw::Upcall(Upcall {
            call: None,
            cont: Some(cont),
            resume: Resume::Again,
        })))
    }
    /// Hands the closure's result to Java.
    fn answer(&mut self, core: &mut Core) -> Next {
        let Waits::Returned(value) = &self.waits else {
            unreachable!("it has returned");
        };
        match convert::lower(core, self.loader, &self.result, value) {
            Ok(slot) => Next::Return(slot),
            Err(StepFailure::Throw(t)) => Next::Throw(t),
            Err(StepFailure::Error(e)) => {
                Next::Throw(Throw::msg("java/lang/ClassCastException", e.to_string()))
            }
        }
    }
    /// Throws what the closure has failed with.
    fn fail(&mut self, core: &mut Core, e: Error) -> Next {
        match e {
            Error::Exception(e) => match e.object.at(core) {
                Ok(object) => Next::Throw(Throw::object(object)),
                Err(_) => self.fail(
                    core,
                    Error::throw(&e.class, e.message.clone().unwrap_or_default()),
                ),
            },
            Error::Throw { class, message } => {
                let class = ClassRef::Name(class);
                let message = vec![Value::String(message)];
                let make = Invoke::new(Target::New(class), "<init>", message, Type::Object);
                self.wait(core, make, true)
            }
            other => Next::Throw(Throw::msg("java/lang/RuntimeException", other.to_string())),
        }
    }
}

/// The result of a job, which has thrown an exception if there is none.
fn ended(core: &mut Core, id: u64, input: Result<Slot, Ref>) -> Answer {
    let state = State::of(core);
    drop(state.take_job(id));
    match (state.take_result(id), input) {
        (Some(result), Ok(_)) => result,
        (_, Err(e)) => Err(Error::Exception(exception::capture(core, e))),
        (None, Ok(_)) => Ok(Value::Void),
    }
}

/// Throws an object, if it can be thrown.
fn thrown(core: &mut Core, object: &Object) -> Box<Throw> {
    let throwable = core.boot_class("java/lang/Throwable");
    match object.at(core) {
        Ok(object) if core.instance_of(object, throwable) => Throw::object(object),
        _ => Throw::msg(
            "java/lang/RuntimeException",
            "a host function fails with an object that is not a Throwable",
        ),
    }
}

fn step(core: &mut Core, cont: &mut Cont, input: Result<Slot, Ref>) -> Next {
    let id = cont.data[0];
    let run = RUNS.with_borrow_mut(|runs| runs.remove(&id));
    let Some(mut run) = run else {
        panic!("a host function that waits for Java code was begun on another OS thread");
    };
    let next = run.step(core, input);
    let over = match &next {
        Next::Return(_) => true,
        Next::Throw(t) => matches!(**t, Throw::Object(_) | Throw::New { .. }),
        Next::Call(_) => false,
    };
    match over {
        true => {
            keep_stack(run.fiber);
            State::forget_dropped(core);
        }
        false => RUNS.with_borrow_mut(|runs| drop(runs.insert(id, run))),
    }
    next
}

fn keep_stack(fiber: Fiber) {
    if !fiber.done() {
        return;
    }
    let stack = fiber.into_stack();
    STACKS.with_borrow_mut(|stacks| {
        if stacks.len() < SPARE_STACKS {
            stacks.push(stack);
        }
    });
}

/// Drops the closures of a VM that will not be resumed, if they began on this OS thread: all of them, or those that
/// one Java thread has called.
pub(super) fn forget(vm: VmId, thread: Option<ThreadId>) {
    let gone: Vec<Run> = RUNS.with_borrow_mut(|runs| {
        let gone = |r: &Run| r.vm == vm && thread.is_none_or(|t| t == r.thread);
        let ids: Vec<u64> = runs.values().filter(|r| gone(r)).map(|r| r.id).collect();
        ids.iter().rev().filter_map(|id| runs.remove(id)).collect()
    });
    match std::thread::panicking() {
        // frames cannot be unwound while others are: what they own stays
        true => std::mem::forget(gone),
        // what their frames own is dropped, the innermost first
        false => drop(gone),
    }
}
