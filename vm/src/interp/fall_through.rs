//! Whether control continues behind a bytecode.

use rjvm_classfile::opcodes as o;

/// Whether control can go from the bytecode at `pc` to the next one.
pub(super) fn falls_through(code: &[u8], pc: usize) -> bool {
    let op = code[pc];
    !(matches!(
        op,
        o::GOTO
            | o::GOTO_W
            | o::JSR
            | o::JSR_W
            | o::RET
            | o::TABLESWITCH
            | o::LOOKUPSWITCH
            | o::IRETURN..=o::RETURN | o::ATHROW
    ) || op == o::WIDE && code.get(pc + 1) == Some(&o::RET))
}
