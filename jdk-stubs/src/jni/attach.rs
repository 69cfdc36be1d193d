//! Threads that C code has made and that attach themselves (JNI specification, chapter 5).
//!
//! Each is a green thread of the VM for as long as it is attached. Its requests go through a *port*: the OS thread waits
//! while the VM's, in the green thread's turn, does the requested work. A *queue* has the requests to look at between turns.
//!
//! Native methods that such a thread's Java code calls run on it, too: it waits at its port, and is asked there to call them. So
//! what C code keeps for each of its threads, locks above all, is the thread's own. Where C code has created the VM, native methods
//! of other threads of Java have an *assistant* each, a thread of the operating system that only does that: they may wait for
//! a lock whose owner waits for the VM.

use super::JniState;
use super::bound::Bound;
use super::creation::Creator;
use super::env::{JavaVm, JniEnv};
use super::fibers::{self, Suspension};
use super::types::{JNI_ERR, JNI_OK};
use rjvm_vm::host::Waker;
use rjvm_vm::natives::NativeThreadHooks;
use rjvm_vm::threads::Wake;
use rjvm_vm::throw::{Cont, Next};
use rjvm_vm::{Env, Ref, Value};
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// How long the VM waits for the next request of a thread that it has just answered.
const PATIENCE: Duration = Duration::from_micros(50);

/// What a thread of C code has posted.
pub enum AttachMessage {
    Nothing,
    Request(Suspension),
    /// The native method that it has been asked to call has returned.
    Returned,
    /// It detaches itself.
    Leaves,
}

/// A native method that the waiting thread is to call. The VM keeps what this points to until it has returned.
pub struct PortCall {
    pub function: *const Bound,
    pub result: *mut c_void,
    pub arguments: *mut *mut c_void,
    /// Where the environment is among the arguments, if it is: the thread's own goes there.
    pub env: Option<*mut u64>,
}

/// Where a thread of C code asks.
#[derive(Default)]
pub struct Port {
    state: Mutex<AttachState>,
    changed: Condvar,
    /// Its number among the calls that wait.
    number: AtomicU64,
    /// Native methods that it is in.
    depth: AtomicU64,
    /// Its thread is an assistant.
    assists: bool,
}

#[derive(Default)]
struct AttachState {
    post: Option<AttachMessage>,
    /// The VM has taken the post and owes an answer.
    owes: bool,
    answered: bool,
    /// The VM has refused to attach it.
    refused: bool,
    /// The native method that it calls while it waits.
    call: Option<PortCall>,
    /// It has just been asked.
    called: bool,
}

// SAFETY: the closure of a request is the VM's until it has answered: its thread waits for that. So does the VM until a call has
// returned.
unsafe impl Send for AttachState {}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Port {
    /// Posts a request, and waits for its end.
    pub fn ask(&self, queue: &AttachQueue, suspension: Suspension) {
        self.post(queue, AttachMessage::Request(suspension));
    }
    /// Posts something, and waits for the answer; whether the VM has not refused.
    fn post(&self, queue: &AttachQueue, post: AttachMessage) {
        let mut state = lock(&self.state);
        state.post = Some(post);
        self.changed.notify_all();
        drop(state);
        queue.call(self.number.load(Relaxed));
        self.wait(Some(queue));
    }
    /// Waits for the answer, and calls native methods meanwhile; whether the VM has not refused.
    pub fn wait(&self, queue: Option<&AttachQueue>) -> bool {
        let mut state = lock(&self.state);
        while !state.answered {
            state = match (state.call.take(), queue) {
                (Some(call), Some(queue)) => {
                    drop(state);
                    // SAFETY: the VM asks for it, and waits.
                    unsafe { self.visit(&call) };
                    let mut state = lock(&self.state);
                    state.post = Some(AttachMessage::Returned);
                    self.changed.notify_all();
                    queue.call(self.number.load(Relaxed));
                    state
                }
                _ => {
                    let changed = self.changed.wait(state);
                    changed.unwrap_or_else(PoisonError::into_inner)
                }
            };
        }
        state.answered = false;
        !state.refused
    }
    /// Calls a native method on this thread.
    unsafe fn visit(&self, call: &PortCall) {
        if let Some(env) = call.env {
            *env = own().expose_provenance() as u64;
        }
        self.depth.fetch_add(1, Relaxed);
        (*call.function).call(call.result, call.arguments);
        self.depth.fetch_sub(1, Relaxed);
    }
    /// Has the waiting thread call a native method: [`Port::next`] returns its requests, and its return.
    pub fn call(&self, call: PortCall) {
        let mut state = lock(&self.state);
        // what it waits for is answered once it has returned
        state.owes = false;
        state.called = true;
        state.call = Some(call);
        self.changed.notify_all();
    }
    /// Whether it is an assistant's.
    pub fn assists(&self) -> bool {
        self.assists
    }
    /// The number among the calls that wait that it has now.
    pub fn known_as(&self) -> u64 {
        self.number.load(Relaxed)
    }
    /// The VM has finished a request; returns the next one.
    pub fn next(&self) -> AttachMessage {
        let mut state = lock(&self.state);
        let answers = std::mem::take(&mut state.owes);
        if answers {
            state.answered = true;
            self.changed.notify_all();
        }
        if std::mem::take(&mut state.called) || answers {
            let waited = self
                .changed
                .wait_timeout_while(state, PATIENCE, |s| s.post.is_none());
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        match state.post.take() {
            None => AttachMessage::Nothing,
            Some(post) => {
                state.owes = true;
                post
            }
        }
    }
    /// The thread is detached, or has been refused.
    pub fn leave(&self) {
        let mut state = lock(&self.state);
        state.answered = true;
        self.changed.notify_all();
    }
    /// The VM refuses to attach it.
    pub fn refuse(&self) {
        lock(&self.state).refused = true;
        self.leave();
    }
    /// It has this number among the calls that wait.
    pub fn number(&self, number: u64) {
        self.number.store(number, Relaxed);
    }
}

/// What threads of C code have to say to a VM.
#[derive(Default)]
pub struct AttachQueue {
    wanted: Arc<AtomicBool>,
    waker: Mutex<Option<Waker>>,
    mail: Mutex<PostedRequest>,
    /// The thread that has created the VM, if it is one of C code.
    creator: Arc<OnceLock<Creator>>,
}

#[derive(Default)]
struct PostedRequest {
    newcomers: Vec<AttachingThread>,
    /// Numbers of those who have posted something.
    calls: Vec<u64>,
}

struct AttachingThread {
    port: Arc<Port>,
    name: Option<String>,
    daemon: bool,
}

impl AttachQueue {
    fn call(&self, number: u64) {
        lock(&self.mail).calls.push(number);
        self.ring();
    }
    /// Has the VM look at the requests.
    pub fn ring(&self) {
        self.wanted.store(true, Relaxed);
        let waker = lock(&self.waker).clone();
        if let Some(wake) = waker {
            wake();
        }
    }
    /// C code has created the VM; `false` if it had been created before.
    pub fn created(&self, creator: Creator) -> bool {
        self.creator.set(creator).is_ok()
    }
    /// The thread that has created the VM.
    pub fn creator(&self) -> Option<Creator> {
        self.creator.get().cloned()
    }
    /// The VM listens from now on.
    pub fn open(&self, vm: &mut Env) {
        let before = threads();
        let creator = self.creator.clone();
        let hearing = NativeThreadHooks {
            wanted: self.wanted.clone(),
            expects: Arc::new(move || creator.get().is_some() || threads() > before),
        };
        *lock(&self.waker) = vm.hear(hearing);
    }
}

/// Threads of the process.
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

/// Looks at the requests in the queue, between the turns of two threads.
pub fn wake_vm(vm: &mut Env) {
    JniState::with(vm, |vm, jni| {
        let mail = std::mem::take(&mut *lock(&jni.queue().mail));
        for newcomer in mail.newcomers {
            let port = newcomer.port.clone();
            let number = jni.keep(fibers::of_port(newcomer.port));
            port.number(number);
            let data = [number, 0, newcomer.daemon.into()];
            match vm.start_stranger(newcomer.name.as_deref(), newcomer.daemon, begin, data) {
                Ok(t) => jni.serves(number, t, &port),
                Err(_) => {
                    jni.runs.remove(&number);
                    port.refuse();
                }
            }
        }
        for number in mail.calls {
            if let Some(t) = jni.runs.get(&number).and_then(|run| run.thread) {
                vm.wake(t, Wake::Ready);
            }
        }
        if let Some(t) = jni.queue().creator().and_then(|c| c.to_wake()) {
            vm.wake(t, Wake::Ready);
        }
    });
}

/// The bottom of an attached thread: its object is constructed, then it serves requests.
fn begin(vm: &mut Env, cont: &mut Cont, input: Result<Value, Ref>) -> Next {
    let [object, group, name] = cont.refs;
    let stage = cont.data[1];
    if stage < 3
        && let Err(e) = input
    {
        return Next::Throw(rjvm_vm::Throw::object(e));
    }
    cont.data[1] = (stage + 1).min(3);
    match stage {
        0 => Next::Call(vm.construct_stranger(object, group, name)),
        1 => match vm.stranger_is_constructed(object, group, cont.data[2] != 0) {
            Ok(Some(add)) => Next::Call(add),
            Ok(None) => begin(vm, cont, Ok(Value::Void)),
            Err(t) => Next::Throw(t),
        },
        2 => fibers::step(vm, cont, Ok(Value::Void)),
        _ => fibers::step(vm, cont, input),
    }
}

thread_local! {
    /// The environment of this thread of C code, if it is attached.
    static ATTACHED: Cell<*mut JniEnv> = const { Cell::new(null_mut()) };
}

/// The environment of this thread of C code.
pub fn here(vm: *const JavaVm) -> Option<*mut JniEnv> {
    let env = ATTACHED.get();
    // SAFETY: an environment is this thread's until it is detached.
    (!env.is_null() && unsafe { (*env).vm } == vm).then_some(env)
}

/// The environment of this thread of C code; null if it is not attached.
pub fn own() -> *mut JniEnv {
    ATTACHED.get()
}

/// Whether this thread of C code is in a native method that its Java code has called.
pub fn in_native_method() -> bool {
    let env = ATTACHED.get();
    // SAFETY: an environment is this thread's until it is detached.
    let port = (!env.is_null()).then(|| unsafe { (*env).port.as_ref() });
    port.flatten()
        .is_some_and(|port| port.depth.load(Relaxed) > 0)
}

/// Attaches this thread.
///
/// # Safety
/// The VM has given this to C code.
pub unsafe fn attach(vm: *const JavaVm, name: Option<String>, daemon: bool) -> Option<*mut JniEnv> {
    let port = owed_port();
    let queue = &(*vm).queue;
    let newcomer = AttachingThread {
        port: port.clone(),
        name,
        daemon,
    };
    lock(&queue.mail).newcomers.push(newcomer);
    queue.ring();
    port.wait(Some(queue)).then(|| enter(vm, port))
}

/// Bytes of an assistant's stack: as many as a program's first thread has.
const ASSISTANT_STACK: usize = 8 << 20;

/// A new assistant's port, on which it has no number yet; `None` if the system has no thread for it.
pub fn assistant(vm: *const JavaVm) -> Option<Arc<Port>> {
    let port = Arc::new(Port {
        assists: true,
        ..Port::default()
    });
    let (theirs, vm) = (port.clone(), vm.expose_provenance());
    let assist = move || {
        let vm: *const JavaVm = std::ptr::with_exposed_provenance(vm);
        // SAFETY: the part of the VM that C code sees is never freed; the environment is this thread's alone.
        unsafe {
            let env = enter(vm, theirs.clone());
            theirs.wait(Some(&(*vm).queue));
            ATTACHED.set(null_mut());
            drop(Box::from_raw(env));
        }
    };
    let thread = std::thread::Builder::new().stack_size(ASSISTANT_STACK);
    thread.spawn(assist).ok()?;
    Some(port)
}

/// The VM that a thread leaves when it ends.
struct LeavesAtEnd(Cell<*const JavaVm>);

impl Drop for LeavesAtEnd {
    fn drop(&mut self) {
        let vm = self.0.get();
        if !vm.is_null() {
            // SAFETY: the VM that this thread was attached to, which is never freed for C code.
            unsafe { detach(vm) };
        }
    }
}

thread_local! {
    static ATTACHED_UNTIL_END: LeavesAtEnd = const { LeavesAtEnd(Cell::new(null())) };
}

/// Attaches this thread as a daemon; it is detached when it ends.
///
/// # Safety
/// As [`attach`].
pub unsafe fn attach_until_end(vm: *const JavaVm) -> Option<*mut JniEnv> {
    let env = attach(vm, None, true)?;
    ATTACHED_UNTIL_END.with(|leaves| leaves.0.set(vm));
    Some(env)
}

/// A port whose VM owes the answer that the thread is attached.
pub fn owed_port() -> Arc<Port> {
    let port = Port::default();
    lock(&port.state).owes = true;
    Arc::new(port)
}

/// This thread is attached from now on, by this port.
///
/// # Safety
/// The VM has given this to C code.
pub unsafe fn enter(vm: *const JavaVm, port: Arc<Port>) -> *mut JniEnv {
    let env = Box::into_raw(Box::new(JniEnv {
        table: (*(*vm).env).table,
        vm,
        port: Some(port),
    }));
    ATTACHED.set(env);
    env
}

/// Detaches this thread.
///
/// # Safety
/// As [`attach`].
pub unsafe fn detach(vm: *const JavaVm) -> i32 {
    let Some(env) = here(vm).filter(|_| !in_native_method()) else {
        return JNI_ERR;
    };
    ATTACHED.set(null_mut());
    let env = Box::from_raw(env);
    if let Some(port) = &env.port {
        port.post(&(*vm).queue, AttachMessage::Leaves);
    }
    JNI_OK
}
