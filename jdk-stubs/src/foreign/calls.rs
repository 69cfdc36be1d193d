//! Calls of native functions by libffi, and from them back into Java.
//!
//! A native function may call Java, and Java code never runs on top of Rust or C frames. So the function is called on a
//! coroutine, on its own stack: a call of Java suspends it, becomes a continuation of the VM as every upcall of a native, and the
//! end of that call resumes it. Other threads may run meanwhile, and call native functions too.
//!
//! Frames of native code are never unwound. A call that is never resumed, because its VM ends, loses its stack.

use super::Granted;
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use libffi_sys as ffi;
use rjvm_vm::{Env, R, Throw};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::with_exposed_provenance_mut as at;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::Duration;

/// Bytes of the stack of a native function, as many as a program of the system has. Only the used part takes memory.
const STACK: usize = 8 << 20;
/// Stacks of functions that have returned, kept for the next.
const SPARE_STACKS: usize = 8;

/// Types of libffi, by libffi's names.
pub mod types {
    use libffi_sys as ffi;
    macro_rules! types {
        ($($name:ident $of:ident;)*) => { $(
            /// Its address.
            pub fn $name() -> i64 {
                (&raw const ffi::$of).expose_provenance() as i64
            }
        )* };
    }
    types! {
        void ffi_type_void;
        uint8 ffi_type_uint8;
        sint8 ffi_type_sint8;
        uint16 ffi_type_uint16;
        sint16 ffi_type_sint16;
        uint32 ffi_type_uint32;
        sint32 ffi_type_sint32;
        uint64 ffi_type_uint64;
        sint64 ffi_type_sint64;
        float ffi_type_float;
        double ffi_type_double;
        pointer ffi_type_pointer;
    }
}

/// Bytes of the description of a call.
pub const SIZE_OF_CIF: usize = size_of::<ffi::ffi_cif>();
/// The calling convention of C.
pub const DEFAULT_ABI: u32 = ffi::ffi_abi_FFI_DEFAULT_ABI;
/// The type of a structure.
pub const STRUCT: u16 = ffi::ffi_type_enum_STRUCT;

/// A function's parameters: the number of those that are not variable, if others are, and of all; their types.
pub struct Parameters {
    pub fixed: Option<i32>,
    pub all: i32,
    pub types: i64,
}

/// Describes a call at `cif`; libffi's status.
pub fn prepare(_: Granted, cif: i64, abi: i32, parameters: &Parameters, result: i64) -> i32 {
    let (cif, abi, all) = (at(cif as usize), abi as u32, parameters.all as u32);
    let (result, types) = (at(result as usize), at(parameters.types as usize));
    // SAFETY: the class library has made room for the description, and has made the types.
    let status = unsafe {
        match parameters.fixed {
            None => ffi::ffi_prep_cif(cif, abi, all, result, types),
            Some(fixed) => ffi::ffi_prep_cif_var(cif, abi, fixed as u32, all, result, types),
        }
    };
    status as i32
}

/// Where the members of a structure are; libffi's status.
pub fn struct_offsets(_: Granted, abi: i32, ty: i64, offsets: i64) -> i32 {
    // SAFETY: the class library has made the type, and room for as many offsets as it has members.
    unsafe { ffi::ffi_get_struct_offsets(abi as u32, at(ty as usize), at(offsets as usize)) as i32 }
}

/// A call, by addresses.
#[derive(Clone, Copy)]
pub struct Call {
    pub cif: i64,
    pub function: i64,
    /// Where the result goes; 0 if there is none.
    pub result: i64,
    /// Addresses of the arguments.
    pub arguments: i64,
}

/// Room for a result that is not a structure: libffi writes whole registers.
type ResultRegisters = [u64; 4];

impl Call {
    /// Calls the function; the error number that it leaves.
    fn run(self) -> i32 {
        let cif: *mut ffi::ffi_cif = at(self.cif as usize);
        let mut room = ResultRegisters::default();
        // SAFETY: the class library has prepared the description and keeps it, and the arguments are as that says. The
        // function is what the program says it is: that is what it has been granted.
        unsafe {
            let ty = (*cif).rtype;
            let (size, plain) = ((*ty).size, (*ty).type_ != STRUCT);
            let plain = plain && size <= size_of::<ResultRegisters>();
            let to: *mut u8 = at(self.result as usize);
            let result = match plain {
                true => (&raw mut room).cast::<u8>(),
                false => to,
            };
            let function: *const c_void = at(self.function as usize);
            let function =
                std::mem::transmute::<*const c_void, Option<unsafe extern "C" fn()>>(function);
            ffi::ffi_call(cif, function, result.cast(), at(self.arguments as usize));
            let errno = std::io::Error::last_os_error().raw_os_error().unwrap_or(0);
            if plain && !to.is_null() {
                std::ptr::copy_nonoverlapping(result, to, size);
            }
            errno
        }
    }
}

/// A native function calls Java.
#[derive(Clone, Copy)]
pub struct UpcallRequest {
    /// Where the result goes.
    pub result: i64,
    /// Addresses of the arguments.
    pub arguments: i64,
    /// The root cell of the method handle.
    pub target: u32,
}

/// Why a native function is suspended.
#[derive(Clone, Copy)]
pub enum NativeRequest {
    /// It calls Java.
    Upcall(UpcallRequest),
    /// It waits for so long, at most [`LONGEST_NAP`].
    Nap(Duration),
}

/// A longer wait is several.
pub const LONGEST_NAP: Duration = Duration::from_secs(60);

/// How far a native function is.
pub enum Progress {
    /// It has returned and left this error number.
    Done(i32),
    /// It waits for this; it continues by [`go_on`] with the number.
    Waits(u64, NativeRequest),
}

type CallFiber = Coroutine<(), NativeRequest, i32, DefaultStack>;
type Resumer = Yielder<(), NativeRequest>;

thread_local! {
    /// The coroutine's end of suspensions of the native function that runs on this OS thread, and its VM's [`Current`], by
    /// addresses.
    static RUNNING: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
}

/// The function of a VM that runs now: its coroutine's end of suspensions, by address, and the OS thread. Closures of the VM know
/// where to find it.
#[derive(Default)]
struct Current(Mutex<Option<(usize, ThreadId)>>);

impl Current {
    fn get(&self) -> Option<(usize, ThreadId)> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn set(&self, current: Option<(usize, ThreadId)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = current;
    }
    /// The function that has just begun, or continues.
    fn enter(&self, yielder: &Resumer) {
        let address = std::ptr::from_ref(yielder).expose_provenance();
        let current = std::ptr::from_ref(self).expose_provenance();
        RUNNING.set(Some((address, current)));
        self.set(Some((address, std::thread::current().id())));
    }
    /// Suspends the function.
    ///
    /// # Safety
    /// `yielder` is the address of the function's end of suspensions, on whose coroutine this is called.
    unsafe fn suspend(&self, yielder: usize, request: NativeRequest) {
        let yielder = &*std::ptr::with_exposed_provenance::<Resumer>(yielder);
        yielder.suspend(request);
        self.enter(yielder);
    }
}

/// A native function that has been called.
struct ForeignCall {
    fiber: CallFiber,
    /// Values on its stack may be tied to the OS thread it began on.
    on: ThreadId,
}

impl Drop for ForeignCall {
    fn drop(&mut self) {
        if self.fiber.started() && !self.fiber.done() {
            // SAFETY: frames of native code are on the stack, which go as by `longjmp`; and those of `Call::run` and
            // `enter`, which own nothing.
            unsafe { self.fiber.force_reset() }
        }
    }
}

/// What a VM keeps of native code.
#[derive(Default)]
struct ForeignState {
    current: Arc<Current>,
    next: u64,
    runs: BTreeMap<u64, ForeignCall>,
    stacks: Vec<DefaultStack>,
}

// SAFETY: functions are resumed on the OS thread that they began on only. To be dropped elsewhere does nothing but give
// their stacks back.
unsafe impl Send for ForeignState {}

fn state(vm: &mut Env) -> &mut ForeignState {
    crate::io::state::<ForeignState>(vm.extensions(), "native code")
}

/// Calls a native function.
pub fn begin(_: Granted, vm: &mut Env, call: Call) -> R<Progress> {
    let state = state(vm);
    let stack = match state.stacks.pop() {
        Some(stack) => stack,
        None => DefaultStack::new(STACK).map_err(|e| {
            let text = format!("no stack for a native function: {e}");
            Throw::msg("java/lang/OutOfMemoryError", text)
        })?,
    };
    let current = Arc::as_ptr(&state.current);
    let fiber = CallFiber::with_stack(stack, move |yielder, ()| {
        // SAFETY: the VM, which keeps it, is in this call.
        unsafe { (*current).enter(yielder) };
        call.run()
    });
    let on = std::thread::current().id();
    Ok(resume(state, ForeignCall { fiber, on }))
}

/// Resumes a function whose call of Java has ended.
pub fn go_on(_: Granted, vm: &mut Env, number: u64) -> Progress {
    let state = state(vm);
    let run = state.runs.remove(&number);
    let run = run.expect("the function waits for the call");
    assert!(
        run.on == std::thread::current().id(),
        "a native function that waits for Java code was called on another OS thread"
    );
    resume(state, run)
}

/// A function is not resumed any more.
pub fn give_up(vm: &mut Env, number: u64) {
    drop(state(vm).runs.remove(&number));
}

fn resume(state: &mut ForeignState, mut run: ForeignCall) -> Progress {
    let result = run.fiber.resume(());
    state.current.set(None);
    RUNNING.set(None);
    match result {
        CoroutineResult::Return(errno) => {
            // its destructor has nothing to do, and the stack goes elsewhere
            let run = std::mem::ManuallyDrop::new(run);
            // SAFETY: the run is neither used nor dropped afterwards.
            let fiber = unsafe { std::ptr::read(&run.fiber) };
            if state.stacks.len() < SPARE_STACKS {
                state.stacks.push(fiber.into_stack());
            }
            Progress::Done(errno)
        }
        CoroutineResult::Yield(request) => {
            state.next += 1;
            let number = state.next;
            state.runs.insert(number, run);
            Progress::Waits(number, request)
        }
    }
}

/// Calls Java for native code that no call of this file has begun; `false` if the VM does not take part.
pub type CallFromOutside = Box<dyn Fn(UpcallRequest) -> bool + Send + Sync>;

/// The target of a closure.
struct Target {
    current: Arc<Current>,
    cell: u32,
    outside: CallFromOutside,
}

/// A machine function that calls Java: the closure, its code, and its target. An error is libffi's status.
pub fn closure(
    _: Granted,
    vm: &mut Env,
    cif: i64,
    cell: u32,
    outside: CallFromOutside,
) -> Result<[i64; 3], i32> {
    let current = state(vm).current.clone();
    let mut code: *mut c_void = std::ptr::null_mut();
    // SAFETY: room for a closure, which libffi makes there; the class library keeps the description of the call. The target
    // lives as long as the closure.
    unsafe {
        let closure = ffi::ffi_closure_alloc(size_of::<ffi::ffi_closure>(), &mut code);
        if closure.is_null() {
            return Err(ffi::ffi_status_FFI_BAD_ABI as i32);
        }
        let target = Box::into_raw(Box::new(Target {
            current,
            cell,
            outside,
        }));
        let cif = at(cif as usize);
        let (enter, user) = (Some(enter as _), target.cast());
        let status = ffi::ffi_prep_closure_loc(closure.cast(), cif, enter, user, code);
        if status != ffi::ffi_status_FFI_OK {
            drop(Box::from_raw(target));
            ffi::ffi_closure_free(closure);
            return Err(status as i32);
        }
        let all = [closure, code, target.cast()];
        Ok(all.map(|p| p.expose_provenance() as i64))
    }
}

/// Frees a closure that native code has no more use for; returns the root cell of its target.
pub fn free_closure(_: Granted, closure: i64, target: i64) -> u32 {
    // SAFETY: both are of one closure, which the class library frees once.
    unsafe {
        ffi::ffi_closure_free(at(closure as usize));
        Box::from_raw(at::<Target>(target as usize)).cell
    }
}

/// Native code calls a closure.
unsafe extern "C" fn enter(
    _: *mut ffi::ffi_cif,
    result: *mut c_void,
    arguments: *mut *mut c_void,
    target: *mut c_void,
) {
    // SAFETY: the closure's own target, which lives as long.
    let target = unsafe { &*target.cast::<Target>() };
    let request = UpcallRequest {
        result: result.expose_provenance() as i64,
        arguments: arguments.expose_provenance() as i64,
        target: target.cell,
    };
    let here = std::thread::current().id();
    let Some((yielder, _)) = target.current.get().filter(|(_, on)| *on == here) else {
        if !(target.outside)(request) {
            eprintln!("rjvm: native code calls Java on a thread that the VM has refused");
            std::process::abort();
        }
        return;
    };
    // the closure may be freed meanwhile
    let current = Arc::as_ptr(&target.current);
    // SAFETY: the coroutine that this OS thread is on; and the VM, which keeps the other, resumes it.
    unsafe { (*current).suspend(yielder, NativeRequest::Upcall(request)) };
}

/// Whether a native function that a downcall has begun runs on this OS thread.
pub fn is_running() -> bool {
    RUNNING.get().is_some()
}

/// Has other threads of Java run for so long while the native function that runs on this OS thread waits.
pub fn nap(time: Duration) {
    let mut left = time;
    while let Some((yielder, current)) = RUNNING.get().filter(|_| !left.is_zero()) {
        let part = left.min(LONGEST_NAP);
        left -= part;
        // SAFETY: the coroutine that this OS thread is on, and its VM's.
        unsafe {
            let current = std::ptr::with_exposed_provenance::<Current>(current);
            (*current).suspend(yielder, NativeRequest::Nap(part));
        }
    }
}
