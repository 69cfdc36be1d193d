//! The command sets.

mod calls;
mod machine;
mod objects;
mod redefine;
mod requests;
mod threads;
mod types;

pub(super) use calls::Calls;

use super::codes::Code;
use super::world::{Context, Done};

/// The result of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// The written data is the reply.
    Reply,
    /// It is replied to when a call has ended.
    Later,
    /// The connection ends.
    Dispose,
    /// The VM ends with this code.
    Exit(i32),
}

/// Carries a command out.
pub(super) fn carry_out(
    c: &mut Context<'_, '_>,
    calls: &mut Calls,
    id: u32,
    set: u8,
    number: u8,
) -> Done<Answer> {
    match (set, number) {
        (1, 6) => return Ok(Answer::Dispose),
        (1, 10) => return Ok(Answer::Exit(c.r.i32()?)),
        (3, 3) => return calls::of_class(c, calls, id, false),
        (3, 4) => return calls::new_instance(c, calls, id),
        (5, 1) => return calls::of_class(c, calls, id, true),
        (9, 6) => return calls::of_object(c, calls, id),
        (1, _) => machine::carry_out(c, number),
        (2..=6, _) => types::carry_out(c, set, number),
        (9..=10 | 12..=14 | 17..=18, _) => objects::carry_out(c, set, number),
        (11 | 16, _) => threads::carry_out(c, set, number),
        (15, _) => requests::carry_out(c, number),
        _ => Err(Code::NOT_IMPLEMENTED),
    }?;
    Ok(Answer::Reply)
}
