//! Copies from and to mapped files, which others may cut: the pages behind a file's end cannot be
//! touched, and the system says so with SIGBUS. Copies from and to memory of native code, too: where there is
//! none, or none that may be written, the system says so with SIGSEGV.
//!
//! Only the instructions of `copy` here ever touch either. When one of them faults, the handler lets the thread continue in
//! `failed`, and the copy says that it has failed: nothing is patched, nothing is kept, a later access faults or succeeds as the
//! file then is. Any other fault is passed on to whatever handled it before. The handler belongs to the process and is set when
//! the first file is mapped, or native code is used. A SIGBUS that a process has sent is not a fault: a program may handle it
//! ([`on_sent`]).
//!
//! On other processors than x86-64 there is no such copy yet, and a cut file ends the process.

/// Copies `n` bytes; false if a page of either side cannot be touched, after a part has been copied.
///
/// # Safety
/// The ranges don't overlap, and writing to the one at `to` breaks nothing. (Either may be beyond the end of a mapped
/// file, or no memory at all.)
pub unsafe fn copy(to: *mut u8, from: *const u8, n: usize) -> bool {
    imp::copy(to, from, n)
}

pub use imp::install;
use std::sync::OnceLock;

/// A fault that no guarded copy has brought about.
#[derive(Clone, Copy)]
pub struct MemoryFault {
    /// The signal.
    pub signal: i32,
    /// The address that could not be reached.
    pub address: usize,
    /// The instruction.
    pub pc: usize,
}

/// Where a thread continues after a fault, and on which stack; `None`: whatever handled faults before does.
pub type OnFault = fn(MemoryFault) -> Option<(usize, usize)>;

/// Who is asked about faults, in the signals' handler.
static ON_FAULT: OnceLock<OnFault> = OnceLock::new();

/// Faults in native code, which has been granted, are treated like this. It belongs to the process, and is set once.
pub fn on_fault(f: OnFault) {
    let _ = ON_FAULT.set(f);
    imp::install();
}

/// What SIGBUS does from now on if a process has sent it; `None`: it has the effect that it had before. Runs in signal context.
/// False where faults are not looked at, so that SIGBUS can be handled as other signals are.
pub fn on_sent(f: Option<extern "C" fn(i32)>) -> bool {
    imp::on_sent(f)
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod imp {
    use super::{MemoryFault, ON_FAULT};
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};

    /// A function of [`super::on_sent`], or null.
    static ON_SENT: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

    pub fn on_sent(f: Option<extern "C" fn(i32)>) -> bool {
        install();
        let f = f.map_or(std::ptr::null_mut(), |f| f as *mut ());
        ON_SENT.store(f, SeqCst);
        true
    }

    /// Bytes of [`guarded`]: the handler looks whether the faulting instruction is one of them.
    const CODE: usize = 96;

    /// Copies; 0, or 1 by way of [`failed`]. Values of 1, 2, 4 and 8 bytes are moved in one piece.
    #[unsafe(naked)]
    unsafe extern "sysv64" fn guarded(to: *mut u8, from: *const u8, n: usize) -> u64 {
        core::arch::naked_asm!(
            "2:",
            "cmp rdx, 8",
            "je 8f",
            "cmp rdx, 4",
            "je 4f",
            "cmp rdx, 2",
            "je 6f",
            "mov rcx, rdx",
            "rep movsb",
            "3:",
            "xor eax, eax",
            "ret",
            "8:",
            "mov rax, [rsi]",
            "mov [rdi], rax",
            "jmp 3b",
            "4:",
            "mov eax, [rsi]",
            "mov [rdi], eax",
            "jmp 3b",
            "6:",
            "mov ax, [rsi]",
            "mov [rdi], ax",
            "jmp 3b",
            ".org 2b + {code}",
            code = const CODE,
        )
    }

    /// Where a thread continues that has faulted in [`guarded`], which keeps nothing on the stack.
    #[unsafe(naked)]
    unsafe extern "sysv64" fn failed() -> u64 {
        core::arch::naked_asm!("mov eax, 1", "ret")
    }

    pub unsafe fn copy(to: *mut u8, from: *const u8, n: usize) -> bool {
        guarded(to, from, n) == 0
    }

    /// The signals, and what handled them before.
    static BEFORE: [(i32, OnceLock<libc::sigaction>); 4] = [
        (libc::SIGBUS, OnceLock::new()),
        (libc::SIGSEGV, OnceLock::new()),
        (libc::SIGFPE, OnceLock::new()),
        (libc::SIGILL, OnceLock::new()),
    ];

    /// Sets the handler, once in a process.
    pub fn install() {
        for (signal, before) in &BEFORE {
            before.get_or_init(|| {
                // SAFETY: zeroed records are valid; the handler does what a handler may.
                unsafe {
                    let mut old: libc::sigaction = std::mem::zeroed();
                    let mut new: libc::sigaction = std::mem::zeroed();
                    let f: extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) = faulted;
                    new.sa_sigaction = f as libc::sighandler_t;
                    new.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
                    libc::sigaction(*signal, &new, &mut old);
                    old
                }
            });
        }
    }

    extern "C" fn faulted(signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
        // SAFETY: the system gives the registers of the interrupted thread.
        let registers = unsafe { &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
        let at = &mut registers[libc::REG_RIP as usize];
        if (*at as usize).wrapping_sub(guarded as *const () as usize) < CODE {
            *at = failed as *const () as i64;
            return;
        }
        let sent = ON_SENT.load(SeqCst);
        // SAFETY: the system gives the signal's information. Faults have codes above 0.
        if signal == libc::SIGBUS && !sent.is_null() && unsafe { (*info).si_code } <= 0 {
            // SAFETY: `on_sent` has stored a function of this type.
            let sent = unsafe { std::mem::transmute::<*mut (), extern "C" fn(i32)>(sent) };
            sent(signal);
            return;
        }
        // SAFETY: the system gives the signal's information.
        let address = unsafe { (*info).si_addr() }.addr();
        let fault = MemoryFault {
            signal,
            address,
            pc: *at as usize,
        };
        if let Some((pc, sp)) = ON_FAULT.get().and_then(|f| f(fault)) {
            registers[libc::REG_RIP as usize] = pc as i64;
            registers[libc::REG_RSP as usize] = sp as i64;
            return;
        }
        // SAFETY: what was registered with these flags takes these arguments. With the default effect
        // put back, the signal sent again ends the process as soon as this returns.
        unsafe {
            let before = BEFORE.iter().find(|b| b.0 == signal);
            match before.and_then(|b| b.1.get()) {
                Some(old) if old.sa_sigaction == libc::SIG_IGN && (*info).si_code <= 0 => {}
                Some(old)
                    if old.sa_sigaction != libc::SIG_DFL && old.sa_sigaction != libc::SIG_IGN =>
                {
                    if old.sa_flags & libc::SA_SIGINFO != 0 {
                        type Full = extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void);
                        std::mem::transmute::<usize, Full>(old.sa_sigaction)(signal, info, context)
                    } else {
                        std::mem::transmute::<usize, extern "C" fn(i32)>(old.sa_sigaction)(signal)
                    }
                }
                _ => {
                    let mut default: libc::sigaction = std::mem::zeroed();
                    default.sa_sigaction = libc::SIG_DFL;
                    libc::sigaction(signal, &default, std::ptr::null_mut());
                    libc::raise(signal);
                }
            }
        }
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod imp {
    pub unsafe fn copy(to: *mut u8, from: *const u8, n: usize) -> bool {
        std::ptr::copy_nonoverlapping(from, to, n);
        true
    }
    pub fn install() {}
    pub fn on_sent(_: Option<extern "C" fn(i32)>) -> bool {
        false
    }
}
