//! VMs that C code creates (JNI specification, chapter 5).
//!
//! `JNI_CreateJavaVM` starts a thread of the operating system for the VM. The thread that has called it is the VM's main thread: its
//! requests come through a port, like those of a thread that attaches itself (`attach`). The main thread lasts until
//! `DestroyJavaVM`, whatever attaches and detaches itself meanwhile.

use super::attach::{self, Port};
use super::env::{JavaVm, JniEnv};
use super::fibers::{self, running};
use super::types::{JNI_ERR, JNI_OK};
use super::{JniState, libjvm};
use crate::foreign::Granted;
use rjvm_vm::threads::Wait;
use rjvm_vm::throw::{Cont, Next};
use rjvm_vm::{Env, Ref, ThreadId, Value};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

/// Bytes of the stack of a VM's thread: as many as a program's first thread has.
const STACK: usize = 8 << 20;

/// The thread of C code that creates a VM, as the VM's side knows it.
#[derive(Clone)]
pub struct Creator(Arc<Creation>);

struct Creation {
    port: Arc<Port>,
    /// The address of the part of the VM that C code sees, and the main thread, once they exist.
    vm: OnceLock<(usize, ThreadId)>,
    destroyed: AtomicBool,
    /// Nothing but the end of the VM is left for the main thread.
    waits: AtomicBool,
    /// The VM's thread.
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl std::fmt::Debug for Creator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Creator")
    }
}

/// Creates a VM: `run` makes it on a new thread, has its main thread serve the creator ([`Creator::main_thread`]), and returns
/// the exit code. Nothing if it does not come so far.
pub fn create(
    run: impl FnOnce(Creator) -> i32 + Send + 'static,
) -> Option<(*const JavaVm, *mut JniEnv)> {
    libjvm::share();
    let port = attach::owed_port();
    let creator = Creator(Arc::new(Creation {
        port: port.clone(),
        vm: OnceLock::new(),
        destroyed: AtomicBool::new(false),
        waits: AtomicBool::new(false),
        thread: Mutex::new(None),
    }));
    let theirs = creator.clone();
    let thread = std::thread::Builder::new().stack_size(STACK);
    let thread = thread.spawn(move || {
        let code = run(theirs.clone());
        match theirs.0.vm.get() {
            None => theirs.0.port.refuse(),
            Some(_) if theirs.is_destroyed() => {}
            // the program has ended the VM: nobody goes on with the threads of C code that wait for it
            Some(_) => std::process::exit(code),
        }
    });
    *creator.thread() = Some(thread.ok()?);
    if !port.wait(None) {
        creator.join();
        return None;
    }
    let (vm, _) = creator.0.vm.get()?;
    let vm = std::ptr::with_exposed_provenance(*vm);
    // SAFETY: the VM has just been made, and serves this port.
    Some((vm, unsafe { attach::enter(vm, port) }))
}

impl Creator {
    fn thread(&self) -> std::sync::MutexGuard<'_, Option<JoinHandle<()>>> {
        self.0.thread.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn join(&self) {
        let thread = self.thread().take();
        // it reports its own failure
        let _ = thread.map(JoinHandle::join);
    }
    fn is_destroyed(&self) -> bool {
        self.0.destroyed.load(SeqCst)
    }
    /// The work of the main thread, which is the creator's until the VM is destroyed. Nothing if native code is not granted.
    pub fn main_thread(&self, vm: &mut Env, main: ThreadId) -> Option<Cont> {
        Granted::of(vm)?;
        vm.offheap_mut().open();
        vm.look_for_natives_in_libraries();
        let number = JniState::with(vm, |_, jni| {
            let number = jni.keep(fibers::of_port(self.0.port.clone()));
            self.0.port.number(number);
            jni.serves(number, main, &self.0.port);
            let known = jni.queue().created(self.clone());
            let vm = (jni.java_vm.expose_provenance(), main);
            assert!(known && self.0.vm.set(vm).is_ok(), "a VM has one creator");
            number
        });
        Some(Cont::new(serve, [number, 0, 0], [Ref::NULL; 3]))
    }
    /// The main thread, if nothing but the end is left for it, and that has come.
    pub fn to_wake(&self) -> Option<ThreadId> {
        let due = self.is_destroyed() && self.0.waits.load(SeqCst);
        self.0.vm.get().filter(|_| due).map(|vm| vm.1)
    }
}

/// The main thread: requests of C code, then the wait for the end.
fn serve(vm: &mut Env, cont: &mut Cont, input: Result<Value, Ref>) -> Next {
    if cont.data[1] == 0 {
        match fibers::step(vm, cont, input) {
            Next::Return(_) => cont.data[1] = 1,
            other => return other,
        }
    }
    let creator = JniState::with(vm, |_, jni| jni.queue().creator());
    let creator = creator.expect("the main thread serves it");
    creator.0.waits.store(true, SeqCst);
    match creator.is_destroyed() {
        true => Next::Return(Value::Void),
        false => Next::Throw(vm.block_on(Wait::Event("DestroyJavaVM"), None)),
    }
}

/// `DestroyJavaVM`: the other threads of Java end, then the VM.
///
/// # Safety
/// The VM has given this to C code.
pub unsafe fn destroy(vm: *const JavaVm) -> i32 {
    let queue = &(*vm).queue;
    let Some(creator) = queue.creator() else {
        // it is not C code that has made this VM
        return JNI_ERR;
    };
    // a native method cannot wait for the end of the VM that has called it
    let in_native_method = running() != 0 || attach::in_native_method();
    if in_native_method || creator.0.destroyed.swap(true, SeqCst) {
        return JNI_ERR;
    }
    if attach::here(vm).is_some() {
        attach::detach(vm);
    }
    queue.ring();
    creator.join();
    JNI_OK
}
