//! Ends that native code brings about: `FatalError`, what breaks the rules of JNI, and crashes of C code.
//!
//! Where the VM can go on, it reports where the program is and ends as if the program had requested it, so that
//! profiles are written; the exit code is HotSpot's after `abort`.

use super::cx::{c_bytes, look};
use super::fibers::running;
use rjvm_vm::offheap::{MemoryFault, on_fault};
use rjvm_vm::{Env, Throw};
use std::cell::Cell;
use std::sync::Once;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// Exit code of a program that has been aborted.
const ABORTED: i32 = 134;

/// Why a request ends the VM: what its closure unwinds with.
pub struct Fatal(String);

/// Ends the VM. To be called in requests.
#[cold]
pub fn fatal(text: &str) -> ! {
    let text = format!("FATAL ERROR in native method: {text}\n");
    std::panic::resume_unwind(Box::new(Fatal(text)))
}

/// Ends the process: there is no VM at hand.
#[cold]
pub fn die(text: &str) -> ! {
    eprintln!("FATAL ERROR in native method: {text}");
    std::process::abort()
}

impl Fatal {
    /// C code breaks the rule for what it may do while it has the elements of an array.
    pub fn of_lent() -> Fatal {
        let text = "a JNI function that needs Java code or memory was called before ReleasePrimitiveArrayCritical";
        Fatal(format!("FATAL ERROR in native method: {text}\n"))
    }
    /// Reports it, with the frames of the Java code that the running thread is in.
    pub fn end(self, vm: &mut Env) -> Box<Throw> {
        let text = self.0 + &vm.stack_text();
        let _ = vm.host().descriptors().write(1, text.as_bytes());
        Box::new(Throw::Exit(ABORTED))
    }
}

/// Bytes of the stack on which a crash is reported: the one it came about on may be full.
const STACK: usize = 256 << 10;
/// Seconds until a report that does not come to an end is abandoned: the crash may have been within the allocator.
const LATEST: u32 = 20;

/// Where that stack ends; 0 while it is in use, or there is none.
static STACK_END: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The crash of this OS thread.
    static CRASH: Cell<MemoryFault> = const { Cell::new(MemoryFault { signal: 0, address: 0, pc: 0 }) };
}

/// Crashes of C code are reported from now on.
pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let stack = vec![0u128; STACK / 16].leak();
        let end = stack.as_mut_ptr_range().end;
        STACK_END.store(end.expose_provenance(), Relaxed);
        on_fault(crash);
    });
}

/// A fault that is none of the VM's own: where its thread is to go on, and on which stack, if native code has brought it
/// about. This runs in a signal's handler.
fn crash(fault: MemoryFault) -> Option<(usize, usize)> {
    if running() == 0 {
        return None;
    }
    match STACK_END.swap(0, Relaxed) {
        0 => None,
        end => {
            CRASH.set(fault);
            // as a call leaves it
            Some((crashed as *const () as usize, end - 8))
        }
    }
}

/// Where a thread goes on whose C code has crashed: it asks the VM to end, and never comes back.
extern "C" fn crashed() -> ! {
    extern "C" fn late(_: i32) {
        std::process::abort()
    }
    // SAFETY: the handler does what a handler may; the environment belongs to the native method that runs on this thread,
    // whose coroutine is suspended from another stack than its own and not resumed.
    unsafe {
        libc::signal(libc::SIGALRM, late as *const () as libc::sighandler_t);
        libc::alarm(LATEST);
        let env = std::ptr::with_exposed_provenance_mut(running());
        look::<()>(env, |cx| {
            let text = report(&CRASH.get()) + &cx.vm.stack_text();
            let _ = cx.vm.host().descriptors().write(1, text.as_bytes());
            libc::alarm(0);
            Err(Box::new(Throw::Exit(ABORTED)))
        });
    }
    std::process::abort()
}

/// What crashed where.
fn report(fault: &MemoryFault) -> String {
    let name = match fault.signal {
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        _ => "SIGSEGV",
    };
    format!(
        "#\n# Native code has crashed:\n#\n#  {name} ({:#x}) at pc={:#018x}, pid={}, address {:#x}\n#\n# Problematic frame:\n# C  {}\n#\n",
        fault.signal,
        fault.pc,
        std::process::id(),
        fault.address,
        place(fault.pc)
    )
}

/// Library and symbol of an address.
fn place(pc: usize) -> String {
    // SAFETY: a record of pointers, which may be null.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: the linker looks at addresses only.
    let found = unsafe { libc::dladdr(std::ptr::without_provenance(pc), &mut info) } != 0;
    // SAFETY: what the linker has found are strings that end, of a library that is loaded.
    let text = |p| unsafe { c_bytes(p) }.map(|b| String::from_utf8_lossy(b).into_owned());
    let Some(file) = text(info.dli_fname.cast()).filter(|_| found) else {
        return format!("{pc:#018x}");
    };
    let file = file.rsplit('/').next().unwrap_or_default().to_owned();
    let mut place = format!("[{file}+{:#x}]", pc - info.dli_fbase.addr());
    if let Some(symbol) = text(info.dli_sname.cast()) {
        place += &format!("  {symbol}+{:#x}", pc - info.dli_saddr.addr());
    }
    place
}
