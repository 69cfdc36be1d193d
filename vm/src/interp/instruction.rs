//! An instruction of translated code with its operands, and the table from the address of a handler to it.

use super::call_kind::CallKind;
use super::code::K;
use super::condition::C;
use super::insn::*;
use hashbrown::HashMap;
use rjvm_classfile::opcodes as o;

/// It may throw.
pub(crate) const THROWS: u8 = 1;

/// It may go elsewhere than to the next instruction.
pub(crate) const BRANCHES: u8 = 2;

/// It enters a method.
pub(crate) const CALLS: u8 = 4;

/// It may allocate, and so collect.
pub(crate) const ALLOCATES: u8 = 8;

/// It ends the frame, or the straight code.
pub(crate) const ENDS: u8 = 16;

/// What an instruction does, for which there are templates (`tier`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TemplateOp {
    /// Two operands, one result; by the bytecode's opcode.
    Binary(u8),
    /// The same of comparisons.
    Compare(u8),
    /// One operand; the opcode, or the number of the lower half of a long.
    Unary(u8),
    Move,
    MoveFloat,
    MoveTwo,
    MoveAdd,
    Add,
    Constant,
    Cell,
    /// By the letter of the field's or element's type, as below.
    GetField(u8),
    PutField(u8),
    GetStatic(u8),
    PutStatic(u8),
    ArrayLength,
    Load(u8),
    Store(u8),
    CheckCast,
    InstanceOf,
    /// What allocations count in.
    New(u8),
    NewArray(u8),
    RegisterFinalizer,
    IfInt(C),
    IfLong(C),
    IfFloat {
        double: bool,
        condition: C,
        /// Taken if an operand is not a number.
        nan: bool,
    },
    /// Adds, compares and branches.
    AddIf(C),
    Jump,
    CheckLimit,
    TableSwitch,
    LookupSwitch,
    Call {
        kind: CallKind,
        /// It knows calling contexts.
        contexts: bool,
    },
    Return {
        letter: u8,
        contexts: bool,
    },
    CheckFrame,
    MonitorEnter,
    MonitorExit,
    /// Of a synchronized method.
    Lock,
    Unlock,
    /// An instruction that is left to its handler.
    Other,
}

/// An instruction with a choice of places.
#[derive(Clone, Debug)]
pub(crate) struct Insn {
    pub name: String,
    /// Operands by name with their places, in the order in which they are shown.
    pub places: Vec<(&'static str, K)>,
    /// Whether there is a result, and whether it has a slot.
    pub result: Option<bool>,
    /// See [`Layout`].
    pub fields: &'static [OperandField],
    pub bytes: usize,
    /// [`THROWS`], [`BRANCHES`], …
    pub does: u8,
    #[cfg_attr(not(tier), allow(dead_code, reason = "for compiled code alone"))]
    pub op: TemplateOp,
}

pub(super) type InsnMap = HashMap<u64, Insn>;

/// See the module.
pub(crate) struct InsnTable(pub(super) InsnMap);

impl Insn {
    /// Bytes of the instruction at the beginning of `words`, with all its ways.
    pub fn len(&self, words: &[u64]) -> usize {
        let count = || words[1] >> 32;
        let more = match self.name.as_str() {
            name if name == o::name(o::TABLESWITCH) => (count() as usize + 1) * TABLE_ENTRY,
            name if name == o::name(o::LOOKUPSWITCH) => count() as usize * LOOKUP_ENTRY,
            _ => 0,
        };
        self.bytes + more
    }
    /// What it may do, as words.
    pub fn does_text(&self) -> String {
        let names = [
            (THROWS, "throws "),
            (BRANCHES, "branches "),
            (CALLS, "calls "),
            (ALLOCATES, "allocates "),
            (ENDS, "ends "),
        ];
        let named = names.iter().filter(|n| self.does & n.0 != 0);
        named.map(|n| n.1).collect()
    }
    /// Half-words in which its edges begin.
    pub fn edges(&self, words: &[u64]) -> Vec<usize> {
        let mut at: Vec<usize> = self
            .fields
            .iter()
            .filter(|f| f.what == Operand::Edge)
            .map(|f| f.at / 4)
            .collect();
        let (from, len) = (self.bytes / 4, self.len(words) / 4);
        match self.name.as_str() {
            name if name == o::name(o::TABLESWITCH) => {
                at.extend((from..len).step_by(TABLE_ENTRY / 4))
            }
            name if name == o::name(o::LOOKUPSWITCH) => {
                at.extend((from + 1..len).step_by(LOOKUP_ENTRY / 4))
            }
            _ => {}
        }
        at
    }
    /// Its operands as text: slots as `s3`, the accumulator as `acc`, constants as `#3`.
    pub fn operands(&self, words: &[u64]) -> String {
        let value = |f: &OperandField| {
            let bits = words[f.at / 8] >> (f.at % 8 * 8);
            let unused = 64 - 8 * f.bytes;
            ((bits << unused) as i64) >> unused
        };
        let unsigned = |f: &OperandField| value(f) as u64 & (u64::MAX >> (64 - 8 * f.bytes));
        let find = |name: &str| self.fields.iter().find(|f| f.name == name);
        let mut text = Vec::new();
        for &(name, place) in &self.places {
            let Some(f) = find(name) else {
                text.push("acc".to_string());
                continue;
            };
            text.push(match (place, f.what) {
                (K::A, _) => "acc".to_string(),
                (K::S, _) => format!("s{}", unsigned(f)),
                (K::I, Operand::Offset | Operand::Cell) => format!("@{:#x}", unsigned(f)),
                (K::I, _) => format!("#{}", value(f)),
            });
        }
        let named = |f: &&OperandField| !self.places.iter().any(|p| p.0 == f.name);
        for f in self.fields.iter().filter(named) {
            match f.what {
                Operand::Slot => text.push(format!("{}=s{}", f.name, unsigned(f))),
                Operand::Number | Operand::Ticks => text.push(format!("{}={}", f.name, value(f))),
                Operand::Class => text.push(format!("{}=@{:#x}", f.name, unsigned(f))),
                Operand::Kid => text.push(format!("{}=+{}", f.name, unsigned(f))),
                _ => {}
            }
        }
        let dest = self.fields.iter().find(|f| f.at == 10);
        let result = match (self.result, dest) {
            (Some(true), Some(f)) => format!(" -> s{}", unsigned(f)),
            (Some(_), _) => " -> acc".to_string(),
            (None, _) => String::new(),
        };
        text.join(", ") + &result
    }
}
