//! What probes are compiled to: operations on a stack of values, without ways back, so that each event takes at most as
//! many steps as there are operations.

use crate::ast::{Binary, Unary};
use crate::builtins::{Function, Gather};
use crate::format::Format;
use crate::hit::{Number, Text};
use crate::point::Point;
use crate::source::Span;
use crate::steps::{Steps, steps};
use crate::value::Val;

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// Pushes a constant.
    Const(Val),
    Arg(u32),
    This,
    /// The subject of the event.
    Value,
    Number(Number),
    Text(Text),
    Method,
    Caller(u32),
    Site,
    Stack {
        user: bool,
        most: u32,
    },
    /// A value remembered at entry.
    Captured(u32),
    Var(u32),
    /// Pushes how many keys a map has.
    MapLen(u32),
    /// Pops as many keys as the map has, pushes its value.
    Map(u32),
    /// Pops an object, pushes its field; the number is of the place in the code.
    Field(u32),
    /// Pops an array and an index.
    Index,
    Unary(Unary),
    Binary(Binary),
    /// Pops true or false.
    JumpUnless(u32),
    Jump(u32),
    /// With false on top, keeps it and jumps; otherwise pops it.
    JumpFalse(u32),
    /// With true on top.
    JumpTrue(u32),
    /// Converts the top value to true or false.
    Truth,
    /// Pops that many values.
    Call(Function, u32),
    SetVar(u32),
    /// Pops a value, then keys.
    SetMap(u32),
    /// As `SetMap` for `+=` and similar operators.
    UpdateMap(u32, Binary),
    /// Pops a value, then keys.
    Gather(u32),
    /// Pops keys.
    Count(u32),
    Delete(u32),
    Clear(u32),
    Discard(u32),
    /// Pops how many keys to print.
    PrintMap(u32),
    /// Pops that many values.
    Print(u32),
    /// Pops the values that the format has.
    Printf(u32),
    Snapshot,
    Stop,
}

impl Op {
    /// The map it is about.
    pub fn map(&self) -> Option<u32> {
        match *self {
            Op::MapLen(m)
            | Op::Map(m)
            | Op::SetMap(m)
            | Op::UpdateMap(m, _)
            | Op::Gather(m)
            | Op::Count(m)
            | Op::Delete(m)
            | Op::Clear(m)
            | Op::Discard(m)
            | Op::PrintMap(m) => Some(m),
            _ => None,
        }
    }
}

/// A piece of code, with the place in the source of each operation.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub ops: Vec<Op>,
    pub spans: Vec<Span>,
    /// The same as it runs, when all is known.
    pub steps: Steps,
}

impl Code {
    /// Makes the steps.
    pub fn finish(&mut self, maps: &[MapInfo]) {
        self.steps = steps(self, |map| maps.get(map as usize).map_or(0, |m| m.keys));
    }

    /// The place in the source of a step.
    pub fn span(&self, step: usize) -> Span {
        let op = self.steps.ops.get(step).map(|op| *op as usize);
        op.and_then(|op| self.spans.get(op).copied())
            .unwrap_or_default()
    }
}

/// A map.
#[derive(Clone, Debug)]
pub struct MapInfo {
    /// Without `@`.
    pub name: String,
    pub keys: usize,
    /// None: values are assigned.
    pub gather: Option<Gather>,
    /// Of `lhist`.
    pub range: (i64, i64, i64),
}

/// A point with its actions.
#[derive(Clone, Debug)]
pub struct Unit {
    pub point: Point,
    /// Of the point.
    pub span: Span,
    pub body: u32,
}

/// Predicate and actions, which several points may share.
#[derive(Clone, Debug, Default)]
pub struct Body {
    pub code: Code,
    /// The expressions evaluated when the method is entered; their values are remembered until it is left.
    pub captures: Vec<Code>,
}

impl Body {
    /// Is it asked how long a method took?
    pub fn is_timed(&self) -> bool {
        self.code
            .ops
            .contains(&Op::Number(Number::ElapsedBytecodes))
    }
}

/// All probes.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    pub units: Vec<Unit>,
    pub bodies: Vec<Body>,
    pub maps: Vec<MapInfo>,
    pub vars: Vec<String>,
    /// Names of the fields, by place in the code.
    pub fields: Vec<String>,
    pub formats: Vec<Format>,
    /// Constants, by number of the string.
    pub strings: Vec<String>,
}
