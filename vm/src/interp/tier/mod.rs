//! A compiled tier: machine code of whole methods that counts exactly what handlers count.
//!
//! Compiled code is made of the translated code of a method, a template for each instruction (`template`, `arithmetic`, `memory`, `flow`), by an assembler of
//! rjvm's own (`asm`), into memory that is mapped twice (`space`). It runs in the registers and frames of handlers. Where it is
//! entered, at the beginning of a method, where branches lead, and after calls and instructions left to handlers, the first word
//! of the instruction is its address instead of a handler's (`translate::patcher`).
//!
//! # Invariants (of all that is unsafe here)
//! * Between two instructions, slots and accumulators are what the handlers would have left, and the other registers, too. So
//!   any instruction can be left to its handler: with its address in rdi, through its first word, or where that leads to compiled
//!   code, directly.
//!   A copy of a slot may be missing within inlined code (`copies`): it is made before compiled code is left.
//! * Compiled code calls nothing and pushes nothing: it is left by jumps. So no address in it is ever on a stack, nothing
//!   unwinds through it, and it can be freed whenever Rust code runs.
//! * Copies of slots are in registers that functions keep for their callers (`homes`). The entry of the interpreter keeps them
//!   (`enter`), and handlers neither know nor need them.
//! * Nothing is looked at and no count changes but where handlers do it, with the same `ticks`, and by handing over to the same
//!   functions. So profiles, samples, schedules and stops are the same bytes with and without.
//! * Callees that are inlined have no control frame until they are left (`inline`, `inlined`). When such a method is entered in another way, the
//!   code of its callers goes first.
//! * A constant in it is an operand of the instruction that only changes with the whole translation. Interface calls read theirs
//!   when they are executed.

mod arithmetic;
mod asm;
mod calls;
pub(super) mod compile;
mod copies;
mod division;
mod facts;
mod flow;
mod homes;
pub(super) mod inline;
mod inlined;
mod ins;
mod leaves;
mod listing;
mod memory;
pub(super) mod space;
mod template;
