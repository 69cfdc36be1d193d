//! The way from Rust code into the handlers. Its raw pointers are those of `run`.

use super::frame::*;
#[cfg(not(all(tail_dispatch, tier)))]
use crate::interp::Handler;

/// Runs until a handler leaves.
///
/// # Safety
/// The registers in `hot` must be those of a suspended thread of its VM.
pub(super) unsafe fn enter(hot: *mut Hot) {
    (*hot).running = true;
    #[cfg(tail_dispatch)]
    {
        let r = (*hot).regs;
        #[cfg(tier)]
        first_handler(r.ip, r.fp, r.cs, r.ticks, r.acc, hot, r.facc);
        #[cfg(not(tier))]
        (*(r.ip as *const Handler))(r.ip, r.fp, r.cs, r.ticks, r.acc, hot, r.facc);
    }
    #[cfg(not(tail_dispatch))]
    while (*hot).running {
        let r = (*hot).regs;
        let h = *(r.ip as *const Handler);
        h(r.ip, r.fp, r.cs, r.ticks, r.acc, hot, r.facc);
    }
}

/// Where compiled code goes that calls a method without compiled code.
pub(crate) fn uncompiled() -> u64 {
    #[cfg(tier)]
    return enter_method as *const () as u64;
    #[cfg(not(tier))]
    0
}

/// Goes to the handler of the first instruction of the method in r11, with the registers of handlers.
///
/// # Safety
/// As of a handler, with a method in r11.
#[cfg(tier)]
#[unsafe(naked)]
unsafe extern "sysv64-unwind" fn enter_method() {
    std::arch::naked_asm!(
        "mov rdi, [r11 + {entry}]",
        "jmp [rdi]",
        entry = const std::mem::offset_of!(crate::classes::Method, entry),
    )
}

/// Calls the handler of the instruction, and keeps all registers that a function keeps: compiled code does not. What unwinds out
/// of a handler finds them by the directives.
///
/// # Safety
/// As of a handler.
#[cfg(tier)]
#[unsafe(naked)]
unsafe extern "sysv64-unwind" fn first_handler(
    ip: Ip,
    fp: Fp,
    cs: Cs,
    ticks: i64,
    acc: u64,
    hot: *mut Hot,
    facc: f64,
) {
    std::arch::naked_asm!(
        ".cfi_startproc",
        "push rbx",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset rbx, 0",
        "push rbp",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset rbp, 0",
        "push r12",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset r12, 0",
        "push r13",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset r13, 0",
        "push r14",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset r14, 0",
        "push r15",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset r15, 0",
        // calls are made with an aligned stack
        "sub rsp, 8",
        ".cfi_adjust_cfa_offset 8",
        "call [rdi]",
        "add rsp, 8",
        ".cfi_adjust_cfa_offset -8",
        "pop r15",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore r15",
        "pop r14",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore r14",
        "pop r13",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore r13",
        "pop r12",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore r12",
        "pop rbp",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore rbp",
        "pop rbx",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore rbx",
        "ret",
        ".cfi_endproc",
    )
}
