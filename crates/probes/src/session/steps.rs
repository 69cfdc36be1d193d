//! The loop that runs steps, and the steps that are frequent: compiled for each kind of [`Hit`], so that its answers are at hand.

use super::{EvaluationError, State};
use crate::ast::Binary;
use crate::code::{Code, Compiled};
use crate::gathered::{Num, Slot};
use crate::hit::{Datum, Hit, Text};
use crate::source::Span;
use crate::steps::{Operand, Step};
use crate::value::{Part, Val, mix};

use super::run::datum;

/// Threads' names that are known, by what goes with them.
#[derive(Default)]
pub(super) struct Names {
    /// The one that was requested last.
    last: Option<(u64, Val)>,
    all: Vec<Option<(u64, Val)>>,
}

/// Rooms for names: a power of two.
const ROOMS: usize = 64;

impl Names {
    /// The name that goes with this, if it is known.
    #[inline(always)]
    pub fn known(&mut self, stamp: u64) -> Option<Val> {
        match self.last {
            Some((known, name)) if known == stamp => Some(name),
            _ => self.find(stamp),
        }
    }

    #[inline(never)]
    fn find(&mut self, stamp: u64) -> Option<Val> {
        let found = self.all.get(mix(stamp) as usize % ROOMS).copied();
        let found = found.flatten().filter(|(known, _)| *known == stamp)?;
        self.last = Some(found);
        Some(found.1)
    }
}

impl State {
    /// Runs a piece of code. Its value is the rest of the stack.
    #[inline]
    pub(super) fn run<H: Hit>(
        &mut self,
        compiled: &Compiled,
        code: &Code,
        unit: usize,
        hit: &mut H,
    ) {
        let mut at = 0;
        while let Some(step) = code.steps.steps.get(at) {
            let here = at;
            at += 1;
            match step {
                Step::Unless(op, a, b, to) => {
                    let b = self.operand(b, code, here, hit);
                    let a = self.operand(a, code, here, hit);
                    let holds = match compare(*op, a, b) {
                        Some(holds) => holds,
                        None => self.binary(*op, a, b, code.span(here), hit) == Val::Bool(true),
                    };
                    if !holds {
                        at = *to as usize;
                    }
                }
                Step::Count(map) => {
                    let (slot, _) = self.slot(compiled, *map, &[]);
                    if let Some(Slot::Count(n)) = slot {
                        *n += 1;
                    }
                }
                Step::CountOf(map, key) => {
                    let key = self.operand(key, code, here, hit);
                    let Some(key) = self.part(key, hit) else {
                        continue;
                    };
                    let (slot, _) = self.slot(compiled, *map, &[key]);
                    if let Some(Slot::Count(n)) = slot {
                        *n += 1;
                    }
                }
                Step::Gather(map, value) => {
                    let value = self.operand(value, code, here, hit);
                    if let Some(n) = self.number_at(value, code, here, hit) {
                        let (slot, info) = self.slot(compiled, *map, &[]);
                        slot.into_iter().for_each(|slot| slot.add(info, n));
                    }
                }
                Step::GatherOf(map, key, value) => {
                    let value = self.operand(value, code, here, hit);
                    let key = self.operand(key, code, here, hit);
                    let n = self.number_at(value, code, here, hit);
                    // a key is made though nothing comes of it: strings that are stored are numbered in order
                    let (Some(key), Some(n)) = (self.part(key, hit), n) else {
                        continue;
                    };
                    let (slot, info) = self.slot(compiled, *map, &[key]);
                    slot.into_iter().for_each(|slot| slot.add(info, n));
                }
                Step::Push(operand) => {
                    let value = self.operand(operand, code, here, hit);
                    self.stack.push(value);
                }
                Step::Binary(op, a, b) => {
                    let b = self.operand(b, code, here, hit);
                    let a = self.operand(a, code, here, hit);
                    let value = match quick(*op, a, b) {
                        Some(value) => value,
                        None => self.binary(*op, a, b, code.span(here), hit),
                    };
                    self.stack.push(value);
                }
                Step::JumpUnless(to) => {
                    if self.pop() != Val::Bool(true) {
                        at = *to as usize;
                    }
                }
                Step::Jump(to) => at = *to as usize,
                Step::JumpFalse(to) | Step::JumpTrue(to) => {
                    let wanted = matches!(step, Step::JumpTrue(_));
                    if self.stack.last() == Some(&Val::Bool(wanted)) {
                        at = *to as usize;
                    } else {
                        self.pop();
                    }
                }
                Step::Op(op) => self.operation(compiled, *op, code.span(here), unit, hit),
            }
        }
    }

    #[inline(always)]
    fn operand<H: Hit>(&mut self, operand: &Operand, code: &Code, here: usize, hit: &mut H) -> Val {
        match *operand {
            Operand::Const(value) => value,
            Operand::Arg(n) => match hit.arg(n) {
                Datum::Absent => self.no_argument(n, code.span(here)),
                known => datum(known),
            },
            Operand::Value => datum(hit.value()),
            Operand::Stack => self.pop(),
            Operand::This => match hit.this() {
                Datum::Absent => self.no_this(code.span(here)),
                known => datum(known),
            },
            Operand::Method => match hit.method() {
                Some(method) => Val::Str(self.method(method, hit).0),
                None => Val::Null,
            },
            Operand::Thread => self.thread_name(hit),
            Operand::Captured(i) => match self.remembered.get(i as usize) {
                Some(value) => *value,
                None => self.not_remembered(code.span(here)),
            },
        }
    }

    #[cold]
    fn not_remembered(&mut self, span: Span) -> Val {
        self.trouble(EvaluationError::NoEntry, span, String::new);
        Val::Null
    }

    #[cold]
    fn no_argument(&mut self, n: u32, span: Span) -> Val {
        self.trouble(EvaluationError::NoArgument(n), span, String::new);
        Val::Null
    }

    #[cold]
    fn no_this(&mut self, span: Span) -> Val {
        self.trouble(EvaluationError::NoThis, span, String::new);
        Val::Null
    }

    #[inline]
    fn number_at<H: Hit>(
        &mut self,
        value: Val,
        code: &Code,
        here: usize,
        hit: &mut H,
    ) -> Option<Num> {
        match value {
            Val::Int(n) => Some(Num::Int(n)),
            Val::Null => None,
            value => self.number(value, code.span(here), hit),
        }
    }

    /// What a map has for a key.
    #[inline(always)]
    pub(super) fn slot<'a, 'c>(
        &'a mut self,
        compiled: &'c Compiled,
        map: u32,
        key: &[Part],
    ) -> (Option<&'a mut Slot>, &'c crate::code::MapInfo) {
        let info = &compiled.maps[map as usize];
        let slot = self.maps[map as usize].slot(key, info, self.limits.keys, &mut self.memory);
        (slot, info)
    }

    /// The name of the running thread.
    #[inline]
    pub(super) fn thread_name<H: Hit>(&mut self, hit: &mut H) -> Val {
        let Some(stamp) = hit.stamp(Text::Thread) else {
            return self.new_name(hit);
        };
        match self.names.known(stamp) {
            Some(name) => name,
            None => self.other_name(stamp, hit),
        }
    }

    #[inline(never)]
    fn other_name(&mut self, stamp: u64, hit: &mut dyn Hit) -> Val {
        let room = mix(stamp) as usize % ROOMS;
        let name = self.new_name(hit);
        if let Val::Str(sym) = name
            && let Some(kept) = self.kept(sym)
        {
            self.names.all.resize(ROOMS, None);
            self.names.all[room] = Some((stamp, Val::Str(kept)));
            self.names.last = self.names.all[room];
        }
        name
    }

    fn new_name(&mut self, hit: &mut dyn Hit) -> Val {
        let text = self.strings.temporary(|into| hit.text(Text::Thread, into));
        text.map_or(Val::Null, Val::Str)
    }
}

/// A comparison, if both are integers.
#[inline]
fn compare(op: Binary, a: Val, b: Val) -> Option<bool> {
    match (a, b) {
        (Val::Int(a), Val::Int(b)) => holds(op, a, b),
        _ => None,
    }
}

/// Whether a comparison of integers holds; `None`: the operation is none.
#[inline]
pub(super) fn holds(op: Binary, a: i64, b: i64) -> Option<bool> {
    Some(match op {
        Binary::Equal => a == b,
        Binary::Unequal => a != b,
        Binary::Less => a < b,
        Binary::LessEqual => a <= b,
        Binary::Greater => a > b,
        Binary::GreaterEqual => a >= b,
        _ => return None,
    })
}

/// The usual operations on integers.
#[inline]
fn quick(op: Binary, a: Val, b: Val) -> Option<Val> {
    let (Val::Int(x), Val::Int(y)) = (a, b) else {
        return None;
    };
    match whole(op, x, y) {
        Some(n) => Some(Val::Int(n)),
        None => holds(op, x, y).map(Val::Bool),
    }
}

/// Operators on integers that make an integer; `None`: a different operator, or no integer results.
#[inline]
pub(super) fn whole(op: Binary, x: i64, y: i64) -> Option<i64> {
    Some(match op {
        Binary::Add => x.wrapping_add(y),
        Binary::Subtract => x.wrapping_sub(y),
        Binary::Multiply => x.wrapping_mul(y),
        Binary::BitAnd => x & y,
        Binary::Divide if y > 0 => x / y,
        Binary::Remainder if y > 0 => x % y,
        _ => return None,
    })
}
