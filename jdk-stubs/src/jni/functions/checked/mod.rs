//! `-Xcheck:jni`: a second table of functions. Each of its entries first looks at what it was passed, with HotSpot's messages
//! ([`rules`]), then continues in the function of the usual table, or in one that gives C code guarded copies ([`guarded`]).
//! The usual table knows nothing of this.

mod guarded;
mod rules;

pub use guarded::GuardedCopies;

use super::{FunctionPointer, tables};
use crate::jni::attach;
use crate::jni::cx::{look, peek};
use crate::jni::ends::fatal;
use crate::jni::env::{FUNCTIONS, FunctionTable, JniEnv};
use crate::jni::fibers::running;

/// The registers of arguments, the environment first.
type Registers = [usize; 6];

/// The table, made from the usual one. On processors without these entries it is the usual table.
pub fn table(usual: &FunctionTable) -> FunctionTable {
    FunctionTable(entries(&usual.0))
}

#[cfg(not(target_arch = "x86_64"))]
fn entries(usual: &[FunctionPointer; FUNCTIONS]) -> [FunctionPointer; FUNCTIONS] {
    let _ = before;
    *usual
}

#[cfg(target_arch = "x86_64")]
fn entries(usual: &[FunctionPointer; FUNCTIONS]) -> [FunctionPointer; FUNCTIONS] {
    macro_rules! tens {
        ($($ten:literal)*) => { [ $(
            entry::<{ $ten * 10 }> as FunctionPointer, entry::<{ $ten * 10 + 1 }> as FunctionPointer,
            entry::<{ $ten * 10 + 2 }> as FunctionPointer, entry::<{ $ten * 10 + 3 }> as FunctionPointer,
            entry::<{ $ten * 10 + 4 }> as FunctionPointer, entry::<{ $ten * 10 + 5 }> as FunctionPointer,
            entry::<{ $ten * 10 + 6 }> as FunctionPointer, entry::<{ $ten * 10 + 7 }> as FunctionPointer,
            entry::<{ $ten * 10 + 8 }> as FunctionPointer, entry::<{ $ten * 10 + 9 }> as FunctionPointer,
        )* ] };
    }
    let entries = tens!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23);
    std::array::from_fn(|at| match usual[at].is_null() {
        true => std::ptr::null(),
        false => entries[at],
    })
}

/// The entry of a function: all arguments stay as they are, for functions with variable arguments too.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn entry<const AT: usize>() {
    core::arch::naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "sub rsp, 192",
        crate::jni::functions::store_arguments!(whole),
        crate::jni::functions::store_arguments!(float),
        "mov [rsp + 176], rax",
        "mov esi, {at}",
        "mov rdx, rsp",
        "call {before}",
        "mov r11, rax",
        "mov rdi, [rsp]",
        "mov rsi, [rsp + 8]",
        "mov rdx, [rsp + 16]",
        "mov rcx, [rsp + 24]",
        "mov r8, [rsp + 32]",
        "mov r9, [rsp + 40]",
        "movaps xmm0, [rsp + 48]",
        "movaps xmm1, [rsp + 64]",
        "movaps xmm2, [rsp + 80]",
        "movaps xmm3, [rsp + 96]",
        "movaps xmm4, [rsp + 112]",
        "movaps xmm5, [rsp + 128]",
        "movaps xmm6, [rsp + 144]",
        "movaps xmm7, [rsp + 160]",
        "mov rax, [rsp + 176]",
        "leave",
        "jmp r11",
        at = const AT,
        before = sym before,
    )
}

/// What comes before a function: checks, and which function follows.
///
/// # Safety
/// C code calls the function of this number with these arguments.
unsafe extern "C" fn before(
    env: *mut JniEnv,
    at: usize,
    arguments: *const Registers,
) -> FunctionPointer {
    match own() {
        None => {
            println!("FATAL ERROR in native method: Using JNIEnv in non-Java thread");
            std::process::abort()
        }
        Some(own) if own != env => look::<()>(own, |_| fatal("Using JNIEnv in the wrong thread")),
        Some(_) => {}
    }
    let arguments = &*arguments;
    peek(env, |cx| rules::check(cx, at, arguments));
    guarded::function(at).unwrap_or(tables().functions.0[at])
}

/// The environment of this thread.
fn own() -> Option<*mut JniEnv> {
    let attached = attach::own();
    match running() {
        _ if !attached.is_null() => Some(attached),
        0 => None,
        env => Some(std::ptr::with_exposed_provenance_mut(env)),
    }
}
