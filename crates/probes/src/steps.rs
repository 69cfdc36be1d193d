//! Code in the form in which it runs: steps that name their operands, where those are at hand, instead of pushing them first. A
//! step does what several operations do, in their order.

use crate::ast::{Binary, Unary};
use crate::code::{Code, Op};
use crate::hit::Text;
use crate::value::Val;

/// Where a step has a value from. Asking twice gives the same, so it does not matter when it is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// The top of the stack, from which it is taken.
    Stack,
    Const(Val),
    Arg(u32),
    This,
    /// The subject of the event.
    Value,
    Method,
    Thread,
    Captured(u32),
}

/// A step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Does an operation.
    Op(Op),
    Push(Operand),
    /// Pushes the result.
    Binary(Binary, Operand, Operand),
    /// Jumps unless the comparison holds.
    Unless(Binary, Operand, Operand, u32),
    /// Counts in a map without keys, or with one.
    Count(u32),
    CountOf(u32, Operand),
    /// Gathers a value in a map without keys, or with one, which comes first.
    Gather(u32, Operand),
    GatherOf(u32, Operand, Operand),
    /// Jumps: if the popped value is not true; in any case; with true or false on top, which stays.
    JumpUnless(u32),
    Jump(u32),
    JumpFalse(u32),
    JumpTrue(u32),
}

/// Steps, each with the operation whose place in the source it has.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    pub steps: Vec<Step>,
    pub ops: Vec<u32>,
}

fn target(op: &Op) -> Option<u32> {
    match *op {
        Op::JumpUnless(to) | Op::Jump(to) | Op::JumpFalse(to) | Op::JumpTrue(to) => Some(to),
        _ => None,
    }
}

fn operand(op: &Op) -> Option<Operand> {
    Some(match *op {
        Op::Const(value) => Operand::Const(value),
        Op::Arg(n) => Operand::Arg(n),
        Op::This => Operand::This,
        Op::Value => Operand::Value,
        Op::Method => Operand::Method,
        Op::Text(Text::Thread) => Operand::Thread,
        Op::Captured(n) => Operand::Captured(n),
        _ => return None,
    })
}

fn is_comparison(op: Binary) -> bool {
    matches!(
        op,
        Binary::Equal
            | Binary::Unequal
            | Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
    )
}

struct Writer {
    out: Steps,
    /// Operands to be pushed, each with its operation, which no step has taken yet.
    pending: Vec<(Operand, u32)>,
    op: u32,
}

impl Writer {
    fn step(&mut self, step: Step) {
        self.out.steps.push(step);
        self.out.ops.push(self.op);
    }

    /// Pushes pending operands, except for the last `but`.
    fn push_pending(&mut self, but: usize) {
        let many = self.pending.len().saturating_sub(but);
        for (operand, op) in self.pending.drain(..many) {
            self.out.steps.push(Step::Push(operand));
            self.out.ops.push(op);
        }
    }

    /// The last operands. Operands that are not pending are on the stack.
    fn operands<const N: usize>(&mut self) -> [Operand; N] {
        self.push_pending(N);
        let mut all = [Operand::Stack; N];
        for place in all.iter_mut().rev() {
            let Some((operand, _)) = self.pending.pop() else {
                break;
            };
            *place = operand;
        }
        all
    }
}

/// `keys`: how many each map has.
pub fn steps(code: &Code, keys: impl Fn(u32) -> usize) -> Steps {
    let landings: Vec<u32> = code.ops.iter().filter_map(target).collect();
    let lands = |at: usize| landings.contains(&(at as u32));
    let mut writer = Writer {
        out: Steps::default(),
        pending: Vec::new(),
        op: 0,
    };
    // by operation, the step that it begins with
    let mut begins = Vec::with_capacity(code.ops.len() + 1);
    for (at, op) in code.ops.iter().enumerate() {
        if lands(at) {
            writer.push_pending(0);
        }
        begins.push(writer.out.steps.len() as u32);
        writer.op = at as u32;
        if let Some(operand) = operand(op) {
            writer.pending.push((operand, at as u32));
            continue;
        }
        if let (Op::Unary(Unary::Minus), Some((Operand::Const(Val::Int(n)), _))) =
            (op, writer.pending.last_mut())
        {
            *n = n.wrapping_neg();
            continue;
        }
        // a comparison just before, which nothing jumps behind, is part of the jump
        let compared = match writer.out.steps.last() {
            Some(&Step::Binary(op, a, b))
                if is_comparison(op) && writer.pending.is_empty() && !lands(at) =>
            {
                Some((op, a, b))
            }
            _ => None,
        };
        match *op {
            Op::Binary(op) => {
                let [a, b] = writer.operands();
                writer.step(Step::Binary(op, a, b));
            }
            Op::JumpUnless(to) => match compared {
                Some((op, a, b)) => writer.replace(Step::Unless(op, a, b, to)),
                None => {
                    writer.push_pending(0);
                    writer.step(Step::JumpUnless(to));
                }
            },
            Op::JumpFalse(to) => match (compared, code.ops.get(to as usize)) {
                // false is popped there and leads on
                (Some((op, a, b)), Some(&Op::JumpUnless(end))) => {
                    writer.replace(Step::Unless(op, a, b, end));
                }
                _ => {
                    writer.push_pending(0);
                    writer.step(Step::JumpFalse(to));
                }
            },
            Op::JumpTrue(to) => {
                writer.push_pending(0);
                writer.step(Step::JumpTrue(to));
            }
            Op::Jump(to) => {
                writer.push_pending(0);
                writer.step(Step::Jump(to));
            }
            Op::Count(map) if keys(map) == 0 => {
                writer.push_pending(0);
                writer.step(Step::Count(map));
            }
            Op::Count(map) if keys(map) == 1 => {
                let [key] = writer.operands();
                writer.step(Step::CountOf(map, key));
            }
            Op::Gather(map) if keys(map) == 0 => {
                let [value] = writer.operands();
                writer.step(Step::Gather(map, value));
            }
            Op::Gather(map) if keys(map) == 1 => {
                let [key, value] = writer.operands();
                writer.step(Step::GatherOf(map, key, value));
            }
            other => {
                writer.push_pending(0);
                writer.step(Step::Op(other));
            }
        }
    }
    writer.push_pending(0);
    begins.push(writer.out.steps.len() as u32);
    for step in &mut writer.out.steps {
        if let Step::Unless(_, _, _, to)
        | Step::JumpUnless(to)
        | Step::Jump(to)
        | Step::JumpFalse(to)
        | Step::JumpTrue(to) = step
        {
            *to = begins.get(*to as usize).copied().unwrap_or(u32::MAX);
        }
    }
    writer.out
}

impl Writer {
    /// Replaces the last step.
    fn replace(&mut self, step: Step) {
        if let Some(last) = self.out.steps.last_mut() {
            *last = step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ops: &[Op]) -> Vec<Step> {
        let code = Code {
            ops: ops.to_vec(),
            ..Code::default()
        };
        steps(&code, |map| map as usize).steps
    }

    #[test]
    fn operands_are_named_and_jumps_lead_to_steps() {
        use Binary::{Add, Greater, Less};
        let ten = Operand::Const(Val::Int(10));
        let compare = |n, op| [Op::Arg(n), Op::Const(Val::Int(10)), Op::Binary(op)];
        // arg0 > 10 && arg1 < 10: count, in a map with one key
        let (a, b) = (compare(0, Greater), compare(1, Less));
        let mut ops = a.to_vec();
        ops.push(Op::JumpFalse(7));
        ops.extend(b);
        ops.extend([Op::JumpUnless(10), Op::This, Op::Count(1)]);
        assert_eq!(
            of(&ops),
            [
                Step::Unless(Greater, Operand::Arg(0), ten, 3),
                // something may jump to what comes behind it
                Step::Binary(Less, Operand::Arg(1), ten),
                Step::JumpUnless(4),
                Step::CountOf(1, Operand::This),
            ]
            .map(|step| match step {
                Step::Unless(op, a, b, _) => Step::Unless(op, a, b, 4),
                step => step,
            })
        );
        // what is not taken is pushed before what comes later
        let ops = [
            Op::Arg(0),
            Op::Arg(1),
            Op::Arg(2),
            Op::Binary(Add),
            Op::Gather(1),
        ];
        assert_eq!(
            of(&ops),
            [
                Step::Push(Operand::Arg(0)),
                Step::Binary(Add, Operand::Arg(1), Operand::Arg(2)),
                Step::GatherOf(1, Operand::Stack, Operand::Stack),
            ]
        );
    }
}
