//! The Java Native Interface: native libraries of programs, their functions as native methods, and what these ask of the VM.
//!
//! C code runs on coroutines ([`fibers`]), each function of the interface is a closure that the VM runs for it ([`cx`]), and
//! objects are handles ([`handles`]). `functions` has what C code can call, a file for each group of the specification.
//! All that is unsafe about native code is here and in [`crate::foreign`], and needs the same grant: see [`Granted`].

mod attach;
mod blocking;
mod bound;
pub mod creation;
mod cx;
mod ends;
mod env;
mod fibers;
mod functions;
mod handles;
mod history;
mod ids;
pub mod libjvm;
pub mod library;
mod types;
pub mod upcalls;
mod utf;

pub use blocking::instead_of;

use crate::foreign::of_jdk::is_of_jdk;
use crate::foreign::{Granted, libraries};
use attach::Port;
use bound::Bound;
use corosensei::stack::DefaultStack;
use env::{JavaVm, JniEnv};
use fibers::FiberRun;
use handles::{HandleTable, Locals};
use hashbrown::HashMap;
use rjvm_classfile::descriptor::parameters;
use rjvm_vm::natives::{Foreign, Natives};
use rjvm_vm::{Env, MethodId, R, Ref, ThreadId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a VM keeps of native code.
struct JniState {
    /// The part of the VM that C code sees. It is never freed: threads of C code may outlive the VM.
    env: *const JniEnv,
    java_vm: *const JavaVm,
    handles: HandleTable,
    /// Functions of native methods.
    bound: HashMap<MethodId, Arc<Bound>>,
    /// Calls that wait for Java code.
    runs: BTreeMap<u64, Box<FiberRun>>,
    /// Threads of C code that are attached.
    ports: BTreeMap<ThreadId, Arc<Port>>,
    next: u64,
    stacks: Vec<DefaultStack>,
    /// What the JDK's libraries have in common is ready.
    of_jdk: bool,
    /// Copies between guards, for `-Xcheck:jni`.
    guarded: functions::checked::GuardedCopies,
}

impl Drop for JniState {
    fn drop(&mut self) {
        libjvm::ends(self.java_vm);
        self.dismiss(|_| true);
    }
}

// SAFETY: what C code is given is never changed, and calls are resumed on the OS thread that they began on only. To be dropped
// elsewhere does nothing but give stacks back.
unsafe impl Send for JniState {}

/// Where a VM keeps it: not here while it is in use.
#[derive(Default)]
enum StateSlot {
    #[default]
    None,
    Here(Box<JniState>),
    InUse,
}

impl JniState {
    fn new(vm: &mut Env) -> JniState {
        let tables = functions::tables();
        let queue = Arc::new(attach::AttachQueue::default());
        queue.open(vm);
        let java_vm = Box::leak(Box::new(JavaVm {
            table: &tables.invocation,
            env: std::ptr::null(),
            feature: vm.feature(),
            queue,
        }));
        let table = match vm.options().check_jni {
            true => &raw const tables.checked,
            false => &raw const tables.functions,
        };
        let env = Box::leak(Box::new(JniEnv {
            table,
            vm: java_vm,
            port: None,
        }));
        java_vm.env = env;
        libjvm::begins(java_vm);
        ends::install();
        JniState {
            env,
            java_vm,
            handles: HandleTable::default(),
            bound: HashMap::new(),
            runs: BTreeMap::new(),
            ports: BTreeMap::new(),
            next: 0,
            stacks: Vec::new(),
            of_jdk: false,
            guarded: Default::default(),
        }
    }
    /// Lends what the VM keeps of native code.
    fn with<T>(vm: &mut Env, f: impl FnOnce(&mut Env, &mut JniState) -> T) -> T {
        let place = crate::io::state::<StateSlot>(vm.extensions(), "JNI");
        let mut jni = match std::mem::replace(place, StateSlot::InUse) {
            StateSlot::Here(jni) => jni,
            StateSlot::None => Box::new(JniState::new(vm)),
            StateSlot::InUse => unreachable!("native code is not called from within a request"),
        };
        let out = f(vm, &mut jni);
        *crate::io::state::<StateSlot>(vm.extensions(), "JNI") = StateSlot::Here(jni);
        out
    }
    fn queue(&self) -> &attach::AttachQueue {
        // SAFETY: it is never freed.
        unsafe { &(*self.java_vm).queue }
    }
    /// A green thread serves a thread of C code, by the call with this number.
    fn serves(&mut self, number: u64, thread: ThreadId, port: &Arc<Port>) {
        let run = self.runs.get_mut(&number).expect("it has just been kept");
        run.thread = Some(thread);
        self.ports.insert(thread, port.clone());
    }
    /// The thread of the operating system on which a thread of Java calls native methods, if not on the VM's.
    fn port_of(&mut self, vm: &Env, thread: ThreadId) -> Option<Arc<Port>> {
        if let Some(port) = self.ports.get(&thread) {
            return Some(port.clone());
        }
        self.queue().creator()?;
        // native methods of virtual threads do not end in the order in which they begin
        if vm.current_thread_object() != vm.current_carrier() {
            return None;
        }
        self.dismiss(|t| !vm.a_thread(t).is_alive());
        let port = attach::assistant(self.java_vm)?;
        self.ports.insert(thread, port.clone());
        Some(port)
    }
    /// Ends the assistants of these threads.
    fn dismiss(&mut self, of: impl Fn(ThreadId) -> bool) {
        self.ports.retain(|t, port| {
            let ends = port.assists() && of(*t);
            if ends {
                port.leave();
            }
            !ends
        });
    }
    /// Calls that wait for Java code.
    fn depth(&self) -> usize {
        self.runs.len()
    }
    /// Keeps a call that waits; its number.
    fn keep(&mut self, run: Box<FiberRun>) -> u64 {
        self.next += 1;
        self.runs.insert(self.next, run);
        self.next
    }
}

/// Lets native methods be functions of libraries.
pub fn add(natives: &mut Natives) {
    // SAFETY: `call` takes the arguments by the descriptor of the method that is under way, and its results are made by it.
    unsafe { natives.add_foreign(FOREIGN) }
}

const FOREIGN: Foreign = Foreign {
    call,
    bind,
    wake_vm: attach::wake_vm,
};

/// Addresses below are none: the numbers of built-in libraries' natives.
const LOWEST: i64 = 4096;

/// A native method is the function at this address.
fn bind(vm: &mut Env, m: MethodId, address: i64) -> bool {
    let Some(granted) = Granted::of(vm).filter(|_| address >= LOWEST) else {
        return false;
    };
    let file = libraries::file(granted, address);
    let of_jdk = file.is_some_and(|file| is_of_jdk(vm, &file));
    let method = vm.method(m);
    let desc = vm.symbols().str(method.desc).clone();
    let first = |d: &str| d.as_bytes()[0];
    let (parameters, result) = (parameters(&desc).map(first).collect(), method.ret);
    let bound = Bound::new(address as usize, 2, parameters, result, method.is_static());
    let bound = bound.of_jdk(of_jdk);
    JniState::with(vm, |_, jni| jni.bound.insert(m, Arc::new(bound)));
    true
}

/// Calls the C function of the native method that is under way.
///
/// # Safety
/// As [`rjvm_vm::natives::NativeFn`].
unsafe fn call(vm: &mut Env, slots: &[u64]) -> R<u64> {
    let m = vm.native_under_way();
    JniState::with(vm, |vm, jni| {
        let bound = jni.bound.get(&m).cloned();
        let bound = bound.expect("a method is bound to its function");
        let mut locals = Locals::default();
        let mut values = Vec::with_capacity(bound.parameters.len() + 2);
        values.push(jni.env.expose_provenance() as u64);
        let mut at = 0;
        let receiver = match bound.is_static {
            true => vm.mirror(vm.method(m).class),
            false => {
                at = 1;
                // SAFETY: the slot of `this`.
                unsafe { Ref::from_slot(slots[0]) }
            }
        };
        values.push(locals.add(vm, &mut jni.handles, receiver) as u64);
        for &ty in &bound.parameters {
            values.push(match ty {
                b'L' | b'[' => {
                    // SAFETY: the slot of an argument of this type.
                    let r = unsafe { Ref::from_slot(slots[at]) };
                    locals.add(vm, &mut jni.handles, r) as u64
                }
                _ => slots[at],
            });
            at += if matches!(ty, b'J' | b'D') { 2 } else { 1 };
        }
        let purpose = fibers::Purpose::Method;
        let run = fibers::begin(vm, jni, bound, values, locals, purpose, Some(m))?;
        fibers::drive(vm, jni, run).map(|v| v.slot())
    })
}

use ends::fatal;

const BAD_HANDLE: &str = "Bad global or local ref passed to JNI";

#[cold]
fn bad_handle() -> ! {
    fatal(BAD_HANDLE)
}
