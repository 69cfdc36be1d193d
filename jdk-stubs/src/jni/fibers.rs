//! Calls of native methods on coroutines, and how C code asks the VM for something.
//!
//! C code that is a native method runs on its own stack. A function of the interface suspends that with a *request*, a
//! closure on the suspended stack, which the VM runs on its own stack with its [`Env`] and then resumes the C code. What
//! needs Java code, a collection or a wait is asked by a continuation of the VM above the native's frame, as all upcalls
//! are: so no frame of Rust or C is between the interpreter and its caller, and other threads may run meanwhile.
//!
//! Frames of native code are never unwound. A call that is never resumed, because its VM ends, loses its stack.

use super::JniState;
use super::attach::{AttachMessage, Port, PortCall};
use super::bound::Bound;
use super::cx::Cx;
use super::ends::{Fatal, die};
use super::env::{JniEnv, Yielder};
use super::handles::{HandleTable, Locals};
use super::history::CallHistory;
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult};
use rjvm_vm::interp::exceptions::exception_upcall;
use rjvm_vm::threads::Wait;
use rjvm_vm::throw::{Call, Cont, Next, Resume, Upcall};
use rjvm_vm::{Env, MethodId, R, Ref, ThreadId, Throw, Value};
use std::cell::Cell;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// Bytes of the stack of a native method: more than HotSpot gives a thread. Only the used part takes memory.
const STACK: usize = 2 << 20;
/// Stacks of calls that have returned, kept for the next.
const SPARE_STACKS: usize = 64;
/// Native methods that may be under way, below which is Java code that they call: HotSpot's stacks end before.
const DEEPEST: usize = 16 << 10;

/// The state of a request: it is done, or this Java method has to be called, and then the request is run again with the
/// result. An exception that it throws is pending in the C code then. A request that waits, or needs Java code or memory, runs
/// again without a result after these are provided.
pub type Answer = R<Option<Call>>;

/// A request: a closure on the stack of the C code that waits for it.
type Request<'a> = dyn FnMut(&mut Cx<'_>, Option<Value>) -> Answer + 'a;

/// Why C code is suspended.
#[derive(Clone, Copy)]
pub struct Suspension {
    request: *mut Request<'static>,
    /// The request neither waits, nor needs Java code or memory of the heap.
    plain: bool,
}

thread_local! {
    /// The environment and the coroutine's end of suspensions of the native method that runs on this OS thread, by addresses.
    static RUNNING: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Request the VM for something.
///
/// # Safety
/// `env` is what the VM has given to the C code that this is called from.
pub unsafe fn ask(env: *mut JniEnv, plain: bool, request: &mut Request<'_>) {
    let request: *mut Request<'_> = request;
    // the closure outlives the suspension: its frame waits for the end of that
    let request = std::mem::transmute::<*mut Request<'_>, *mut Request<'static>>(request);
    let suspension = Suspension { request, plain };
    if let Some(port) = &(*env).port {
        return port.ask(&(*(*env).vm).queue, suspension);
    }
    let (here, yielder) = RUNNING.get();
    if here != env.addr() {
        die(
            "a function of JNI was called on a thread that is not attached, or after its native method had returned",
        );
    }
    (*std::ptr::with_exposed_provenance::<Yielder>(yielder)).suspend(suspension);
    RUNNING.set((here, yielder));
}

/// The environment of the native method that runs on this OS thread, by address; 0 if none does.
pub fn running() -> usize {
    RUNNING.get().0
}

/// The OS thread.
fn this_thread() -> u64 {
    // SAFETY: it always succeeds.
    unsafe { libc::pthread_self() }
}

type Fiber = Coroutine<(), Suspension, (), DefaultStack>;

/// The purpose of a call.
pub enum Purpose {
    /// A native method.
    Method,
    /// `JNI_OnLoad` of a library; what becomes of its result.
    OnLoad(super::library::Loading),
    /// `JNI_OnUnload`; the library is closed then.
    OnUnload(i64),
    /// What a thread of C code does while it is attached.
    Attached,
}

/// What the next input of a call's continuation is.
enum Awaits {
    /// Nothing: the C code begins, or continues.
    Nothing,
    /// Its request runs again.
    Again,
    /// The result of the Java method that its request has requested.
    Result,
    /// Memory for this exception.
    Room(PendingException),
    /// The exception.
    Exception,
}

/// Where C code runs.
enum Side {
    /// On a coroutine; values on its stack may be tied to the OS thread it began on.
    Fiber(Fiber, u64),
    /// On a separate thread, which waits while the VM fulfils its requests.
    Port(Arc<Port>),
    /// A native method on such a thread, whose Java code has called it.
    Visit(Visit),
    /// Nowhere any more.
    Over,
}

/// A native method on a thread of C code.
struct Visit {
    port: Arc<Port>,
    /// The thread's number among the calls that wait, without this.
    outer: u64,
    begun: bool,
}

/// What C code does next.
enum Resumed {
    /// It asks for something.
    Request,
    /// It has returned, or its thread is detached.
    Over,
    /// Its thread continues by itself.
    Idle,
}

/// An exception that is to be made: class, message, and a handle of the cause.
struct PendingException {
    class: &'static str,
    message: Option<String>,
    cause: usize,
}

/// A call of a C function, or a thread of C code.
pub struct FiberRun {
    side: Side,
    awaits: Awaits,
    request: Option<Suspension>,
    bound: Option<Arc<Bound>>,
    /// Arguments, and then the result: libffi writes whole registers.
    room: Box<CallBuffer>,
    /// The thread of Java, once it is known.
    pub thread: Option<ThreadId>,
    pub purpose: Purpose,
    /// The method, or the class whose loader finds classes.
    pub method: Option<MethodId>,
    pub locals: Locals,
    /// Handle of the exception that C code has not cleared; 0 if there is none.
    pub pending: usize,
    /// What `-Xcheck:jni` looks at.
    pub history: CallHistory,
    /// Arrays whose elements C code has, where they are: until it gives them back nothing may be collected.
    lent: usize,
}

/// What libffi reads and writes.
#[derive(Default)]
struct CallBuffer {
    result: [u64; 4],
    values: Vec<u64>,
    pointers: Vec<*mut u64>,
}

impl Drop for FiberRun {
    fn drop(&mut self) {
        // its thread may be in the function, and write the result, when the VM has gone
        if matches!(self.side, Side::Visit(Visit { begun: true, .. })) {
            std::mem::forget(std::mem::take(&mut self.room));
            std::mem::forget(self.bound.take());
        }
        if let Side::Fiber(fiber, _) = &mut self.side
            && fiber.started()
            && !fiber.done()
        {
            // SAFETY: frames of C code are on the stack, which go as by `longjmp`; and those of `ask` and of functions of the
            // interface, which own nothing while they wait.
            unsafe { fiber.force_reset() }
        }
    }
}

/// How far a call is.
enum Turn {
    /// The C code has returned.
    Over,
    /// It waits for this.
    Wait(Next),
    /// Its request is not possible for a native that is not a continuation.
    Later,
}

/// Calls a C function with arguments that the VM's side has made; `locals` has their handles.
pub fn begin(
    vm: &Env,
    jni: &mut JniState,
    bound: Arc<Bound>,
    values: Vec<u64>,
    locals: Locals,
    purpose: Purpose,
    method: Option<MethodId>,
) -> R<Box<FiberRun>> {
    if jni.depth() >= DEEPEST {
        return Err(Throw::bare("java/lang/StackOverflowError"));
    }
    // the JDK's libraries keep nothing for each thread, and use elements of arrays where they are
    let port = match bound.of_jdk {
        true => None,
        false => jni.port_of(vm, vm.current()),
    };
    let visit = port.map(|port| Visit {
        outer: port.known_as(),
        port,
        begun: false,
    });
    let mut room = Box::new(CallBuffer {
        values,
        ..CallBuffer::default()
    });
    let start = room.values.as_mut_ptr();
    room.pointers = (0..room.values.len())
        .map(|i| start.wrapping_add(i))
        .collect();
    let side = match visit {
        Some(visit) => Side::Visit(visit),
        None => fiber(jni, &bound, &mut room)?,
    };
    let mut run = FiberRun::on(side, purpose);
    run.bound = Some(bound);
    (run.room, run.locals, run.method) = (room, locals, method);
    run.thread = Some(vm.current());
    Ok(Box::new(run))
}

/// A coroutine that calls a function. Function and arguments last as long.
fn fiber(jni: &mut JniState, bound: &Arc<Bound>, room: &mut CallBuffer) -> R<Side> {
    let stack = match jni.stacks.pop() {
        Some(stack) => stack,
        None => DefaultStack::new(STACK).map_err(|e| {
            let text = format!("no stack for a native method: {e}");
            Throw::msg("java/lang/OutOfMemoryError", text)
        })?,
    };
    let env = jni.env.addr();
    let (function, result) = (Arc::as_ptr(bound), &raw mut room.result);
    let pointers = room.pointers.as_mut_ptr();
    let fiber = Fiber::with_stack(stack, move |yielder, ()| {
        // SAFETY: the run keeps function and room while this stack exists.
        unsafe {
            RUNNING.set((env, std::ptr::from_ref(yielder).expose_provenance()));
            (*function).call(result.cast(), pointers.cast());
        }
    });
    Ok(Side::Fiber(fiber, this_thread()))
}

/// What a thread of C code that is to be attached does.
pub fn of_port(port: Arc<Port>) -> Box<FiberRun> {
    Box::new(FiberRun::on(Side::Port(port), Purpose::Attached))
}

impl FiberRun {
    fn on(side: Side, purpose: Purpose) -> FiberRun {
        FiberRun {
            side,
            awaits: Awaits::Nothing,
            request: None,
            bound: None,
            room: Box::default(),
            thread: None,
            purpose,
            method: None,
            locals: Locals::default(),
            pending: 0,
            history: CallHistory::default(),
            lent: 0,
        }
    }
    /// Whether C code may be given the elements of an array where they are. Then it has them.
    pub fn lend(&mut self) -> bool {
        let may = self.bound.as_ref().is_some_and(|bound| bound.of_jdk);
        self.lent += usize::from(may);
        may
    }
    /// It gives them back.
    pub fn give_back(&mut self) {
        self.lent = self.lent.saturating_sub(1);
    }
    /// Whether an answer is impossible while C code has elements of arrays, because other code has to run for it.
    fn has_to_leave(&self, answer: &Answer) -> bool {
        self.lent > 0
            && match answer {
                Ok(call) => call.is_some(),
                Err(t) => !matches!(**t, Throw::Object(_) | Throw::Exit(_)),
            }
    }
    /// Runs the C code until it returns or waits for something. `inline`: in a native that is not a continuation.
    fn advance(
        &mut self,
        vm: &mut Env,
        jni: &mut JniState,
        input: Result<Value, Ref>,
        inline: bool,
    ) -> Turn {
        let mut result = None;
        match (std::mem::replace(&mut self.awaits, Awaits::Nothing), input) {
            (Awaits::Nothing | Awaits::Again, Ok(_)) => {}
            (Awaits::Result, Ok(v)) => result = Some(v),
            (Awaits::Room(made), Ok(_)) => return self.make(vm, jni, made),
            (_, Err(e)) => {
                self.set_pending(vm, &mut jni.handles, e);
                self.request = None;
            }
            (Awaits::Exception, Ok(_)) => unreachable!("an exception is thrown once it is made"),
        }
        loop {
            let Some(suspension) = self.request else {
                match self.resume() {
                    Resumed::Request => continue,
                    Resumed::Over => return Turn::Over,
                    Resumed::Idle => {
                        let wait = vm.block_on(Wait::Event("native thread"), None);
                        return Turn::Wait(Next::Throw(wait));
                    }
                }
            };
            if inline && !suspension.plain && self.lent == 0 {
                return Turn::Later;
            }
            let mut cx = Cx {
                vm: &mut *vm,
                jni: &mut *jni,
                run: self,
            };
            let given = result.take();
            // SAFETY: the closure is on a stack that waits for its end; nobody else has it.
            let serve = || unsafe { (*suspension.request)(&mut cx, given) };
            let answer = match std::panic::catch_unwind(AssertUnwindSafe(serve)) {
                Ok(answer) => answer,
                Err(why) => match why.downcast::<Fatal>() {
                    Ok(fatal) => return Turn::Wait(Next::Throw(fatal.end(vm))),
                    Err(other) => std::panic::resume_unwind(other),
                },
            };
            if self.has_to_leave(&answer) {
                return Turn::Wait(Next::Throw(Fatal::of_lent().end(vm)));
            }
            match answer {
                Ok(None) => {
                    if !suspension.plain {
                        vm.settle_allocations();
                    }
                    self.request = None;
                }
                Ok(Some(call)) => {
                    vm.settle_allocations();
                    self.awaits = Awaits::Result;
                    return Turn::Wait(Next::Call(call));
                }
                Err(t) => match *t {
                    Throw::Object(e) => {
                        self.set_pending(vm, &mut jni.handles, e);
                        self.request = None;
                    }
                    Throw::New {
                        class,
                        message,
                        cause,
                    } => {
                        let cause = self.locals.add(vm, &mut jni.handles, cause);
                        let made = PendingException {
                            class,
                            message,
                            cause,
                        };
                        if inline {
                            self.awaits = Awaits::Room(made);
                            return Turn::Later;
                        }
                        return self.make(vm, jni, made);
                    }
                    Throw::Upcall(u) => {
                        self.awaits = match u.resume {
                            Resume::Again => Awaits::Again,
                            Resume::Value => Awaits::Result,
                        };
                        return Turn::Wait(Next::Throw(Box::new(Throw::Upcall(u))));
                    }
                    other => {
                        self.awaits = Awaits::Again;
                        return Turn::Wait(Next::Throw(Box::new(other)));
                    }
                },
            }
        }
    }
    /// Lets the C code continue.
    fn resume(&mut self) -> Resumed {
        match &mut self.side {
            Side::Fiber(fiber, on) => {
                assert!(
                    *on == this_thread(),
                    "a native method that waits for Java code was called on another OS thread"
                );
                let result = fiber.resume(());
                RUNNING.set((0, 0));
                match result {
                    CoroutineResult::Return(()) => Resumed::Over,
                    CoroutineResult::Yield(suspension) => {
                        self.request = Some(suspension);
                        Resumed::Request
                    }
                }
            }
            Side::Port(port) => {
                let message = port.next();
                self.heard(message)
            }
            Side::Visit(visit) => {
                if !std::mem::replace(&mut visit.begun, true) {
                    let env = &raw mut self.room.values[0];
                    let function = self.bound.as_ref().map(Arc::as_ptr);
                    visit.port.call(PortCall {
                        function: function.expect("a native method has a function"),
                        result: (&raw mut self.room.result).cast(),
                        arguments: self.room.pointers.as_mut_ptr().cast(),
                        env: matches!(self.purpose, Purpose::Method).then_some(env),
                    });
                }
                let message = visit.port.next();
                self.heard(message)
            }
            Side::Over => Resumed::Over,
        }
    }
    /// What a thread of C code has posted.
    fn heard(&mut self, message: AttachMessage) -> Resumed {
        match message {
            AttachMessage::Request(suspension) => {
                self.request = Some(suspension);
                Resumed::Request
            }
            AttachMessage::Leaves | AttachMessage::Returned => Resumed::Over,
            AttachMessage::Nothing => Resumed::Idle,
        }
    }
    /// Makes an exception, which is pending then.
    fn make(&mut self, vm: &mut Env, jni: &JniState, made: PendingException) -> Turn {
        let text = match &made.message {
            None => Ok(Ref::NULL),
            Some(m) => vm.new_string(m),
        };
        let text = match text {
            Ok(text) => text,
            Err(t) => {
                self.awaits = Awaits::Room(made);
                return Turn::Wait(Next::Throw(t));
            }
        };
        let class = vm.boot_class(made.class);
        let cause = jni.handles.get(vm, made.cause).unwrap_or_default();
        self.awaits = Awaits::Exception;
        let make = exception_upcall(class, text, cause);
        Turn::Wait(Next::Throw(Box::new(Throw::Upcall(make))))
    }
    /// An exception is pending.
    pub fn set_pending(&mut self, vm: &mut Env, handles: &mut HandleTable, e: Ref) {
        handles.remove(vm, self.pending);
        self.pending = handles.add(vm, e, super::handles::HandleKind::Local);
    }
    /// What a call has come to; its handles and its stack are given back.
    fn finish(mut self: Box<Self>, vm: &mut Env, jni: &mut JniState) -> R<Value> {
        let thrown = jni.handles.get(vm, self.pending).unwrap_or_default();
        let value = match thrown.non_null() {
            None => self.bound.as_ref().map_or(Value::Void, |bound| {
                let object = |handle| jni.handles.get(vm, handle);
                bound.result(self.room.result[0], |h| {
                    object(h).unwrap_or_else(|| die(super::BAD_HANDLE))
                })
            }),
            Some(_) => Value::Void,
        };
        jni.handles.remove(vm, self.pending);
        self.locals.clear(vm, &mut jni.handles);
        let purpose = std::mem::replace(&mut self.purpose, Purpose::Method);
        match &self.side {
            Side::Port(port) => {
                self.thread.and_then(|t| jni.ports.remove(&t));
                port.leave();
            }
            Side::Visit(visit) => visit.port.number(visit.outer),
            _ => {}
        }
        self.keep_stack(jni);
        match (purpose, thrown.non_null()) {
            (Purpose::Method | Purpose::Attached, Some(e)) => Err(Throw::object(e)),
            (Purpose::Method | Purpose::Attached, None) => Ok(value),
            (Purpose::OnLoad(loading), thrown) => loading.end(vm, value, thrown),
            (Purpose::OnUnload(handle), _) => {
                super::library::close(vm, handle);
                Ok(Value::Void)
            }
        }
    }
    fn keep_stack(mut self: Box<Self>, jni: &mut JniState) {
        if let Side::Fiber(fiber, _) = std::mem::replace(&mut self.side, Side::Over)
            && jni.stacks.len() < SPARE_STACKS
        {
            jni.stacks.push(fiber.into_stack());
        }
    }
}

/// Runs a call that has begun: its result, or how the native that made it continues.
pub fn drive(vm: &mut Env, jni: &mut JniState, mut run: Box<FiberRun>) -> R<Value> {
    if let Side::Visit(visit) = &run.side {
        let port = visit.port.clone();
        let (number, waits) = later(jni, run);
        port.number(number);
        return Err(waits);
    }
    match run.advance(vm, jni, Ok(Value::Void), true) {
        Turn::Over => run.finish(vm, jni),
        // a request that ends the VM: nobody goes on with the call
        Turn::Wait(Next::Throw(t)) => Err(t),
        Turn::Wait(_) | Turn::Later => Err(later(jni, run).1),
    }
}

/// A call that waits, or begins, as a continuation: its number, and how the native ends for now.
fn later(jni: &mut JniState, run: Box<FiberRun>) -> (u64, Box<Throw>) {
    let number = jni.keep(run);
    let cont = Cont::new(step, [number, 0, 0], [Ref::NULL; 3]).taking_no_room();
    let upcall = Upcall {
        call: None,
        cont: Some(cont),
        resume: Resume::Value,
    };
    (number, Box::new(Throw::Upcall(upcall)))
}

/// The continuation of a native method that waits, or of a thread of C code.
pub fn step(vm: &mut Env, cont: &mut Cont, input: Result<Value, Ref>) -> Next {
    JniState::with(vm, |vm, jni| {
        let number = cont.data[0];
        let mut run = jni
            .runs
            .remove(&number)
            .expect("the call waits for its continuation");
        match run.advance(vm, jni, input, false) {
            Turn::Wait(next) => {
                jni.runs.insert(number, run);
                next
            }
            Turn::Over => match run.finish(vm, jni) {
                Ok(value) => Next::Return(value),
                Err(t) => Next::Throw(t),
            },
            Turn::Later => unreachable!("a continuation sees to every request"),
        }
    })
}
