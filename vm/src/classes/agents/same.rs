//! Whether methods of two class files do the same, whatever the numbers of the constants that they name.

use rjvm_classfile::opcodes::{Operand, insns};
use rjvm_classfile::{ClassFile, CodeAttribute, Constant as Q, MethodInfo};

/// Constants within constants that are looked at: those of a malformed class may be in a circle.
const DEPTH: u32 = 300;

/// Two class files.
pub(super) struct Pair<'a> {
    pub old: &'a ClassFile,
    pub new: &'a ClassFile,
}

impl Pair<'_> {
    /// Whether two texts are the same; 0 is none.
    pub(super) fn text(&self, a: u16, b: u16) -> bool {
        let old = self.old.constant_pool.utf8(a);
        let new = self.new.constant_pool.utf8(b);
        match (old, new) {
            (Ok(a), Ok(b)) => a == b,
            (Err(_), Err(_)) => a == 0 && b == 0,
            _ => false,
        }
    }
    /// Whether two methods have the same name and descriptor.
    pub(super) fn method(&self, a: &MethodInfo, b: &MethodInfo) -> bool {
        self.text(a.name, b.name) && self.text(a.descriptor, b.descriptor)
    }
    /// Whether two constants of type `Class` name the same class; 0 is none.
    pub(super) fn class(&self, a: u16, b: u16) -> bool {
        if a == 0 || b == 0 {
            return a == b;
        }
        let name = |cf: &ClassFile, i| cf.constant_pool.class_name_index(i).unwrap_or(0);
        self.text(name(self.old, a), name(self.new, b))
    }
    fn name_and_type(&self, a: u16, b: u16) -> bool {
        let parts = |cf: &ClassFile, i| cf.constant_pool.name_and_type_indices(i);
        match (parts(self.old, a), parts(self.new, b)) {
            (Ok(a), Ok(b)) => self.text(a.0, b.0) && self.text(a.1, b.1),
            _ => false,
        }
    }
    fn bootstrap(&self, a: u16, b: u16, depth: u32) -> bool {
        let row = |cf: &ClassFile, i: u16| {
            let all = cf.attributes.bootstrap_methods.as_deref()?;
            all.get(usize::from(i)).cloned()
        };
        let (Some(a), Some(b)) = (row(self.old, a), row(self.new, b)) else {
            return false;
        };
        let mut arguments = a.arguments.iter().zip(&b.arguments);
        a.arguments.len() == b.arguments.len()
            && self.constant(a.method, b.method, depth + 1)
            && arguments.all(|(&a, &b)| self.constant(a, b, depth + 1))
    }
    fn constant(&self, a: u16, b: u16, depth: u32) -> bool {
        if depth > DEPTH {
            return false;
        }
        let (old, new) = (
            self.old.constant_pool.entry(a),
            self.new.constant_pool.entry(b),
        );
        match (old, new) {
            (Q::Utf8 { .. }, Q::Utf8 { .. }) => self.text(a, b),
            (Q::Integer(a), Q::Integer(b)) => a == b,
            (Q::Float(a), Q::Float(b)) => a.to_bits() == b.to_bits(),
            (Q::Long(a), Q::Long(b)) => a == b,
            (Q::Double(a), Q::Double(b)) => a.to_bits() == b.to_bits(),
            (Q::Class { name: a }, Q::Class { name: b })
            | (Q::String { utf8: a }, Q::String { utf8: b })
            | (Q::MethodType { descriptor: a }, Q::MethodType { descriptor: b }) => self.text(a, b),
            (
                Q::Fieldref {
                    class: a,
                    name_and_type: x,
                },
                Q::Fieldref {
                    class: b,
                    name_and_type: y,
                },
            )
            | (
                Q::Methodref {
                    class: a,
                    name_and_type: x,
                },
                Q::Methodref {
                    class: b,
                    name_and_type: y,
                },
            )
            | (
                Q::InterfaceMethodref {
                    class: a,
                    name_and_type: x,
                },
                Q::InterfaceMethodref {
                    class: b,
                    name_and_type: y,
                },
            ) => self.class(a, b) && self.name_and_type(x, y),
            (Q::NameAndType { .. }, Q::NameAndType { .. }) => self.name_and_type(a, b),
            (
                Q::MethodHandle {
                    kind: k,
                    reference: a,
                },
                Q::MethodHandle {
                    kind: l,
                    reference: b,
                },
            ) => k == l && self.constant(a, b, depth + 1),
            (
                Q::Dynamic {
                    bootstrap: a,
                    name_and_type: x,
                },
                Q::Dynamic {
                    bootstrap: b,
                    name_and_type: y,
                },
            )
            | (
                Q::InvokeDynamic {
                    bootstrap: a,
                    name_and_type: x,
                },
                Q::InvokeDynamic {
                    bootstrap: b,
                    name_and_type: y,
                },
            ) => self.name_and_type(x, y) && self.bootstrap(a, b, depth + 1),
            _ => false,
        }
    }
    fn operand(&self, a: Operand<'_>, b: Operand<'_>) -> bool {
        match (a, b) {
            (Operand::Constant(a), Operand::Constant(b)) => self.constant(a, b, 0),
            (
                Operand::Interface { index: a, count: m },
                Operand::Interface { index: b, count: n },
            ) => m == n && self.constant(a, b, 0),
            (
                Operand::MultiArray {
                    index: a,
                    dimensions: m,
                },
                Operand::MultiArray {
                    index: b,
                    dimensions: n,
                },
            ) => m == n && self.constant(a, b, 0),
            (Operand::Switch(a), Operand::Switch(b)) => {
                a.default == b.default && a.low == b.low && a.cases().eq(b.cases())
            }
            (Operand::None, Operand::None) => true,
            (Operand::Immediate(a), Operand::Immediate(b)) => a == b,
            (Operand::Local(a), Operand::Local(b)) => a == b,
            (Operand::Iinc { local: a, delta: m }, Operand::Iinc { local: b, delta: n }) => {
                a == b && m == n
            }
            (Operand::ArrayType(a), Operand::ArrayType(b)) => a == b,
            (Operand::Branch(a), Operand::Branch(b)) => a == b,
            _ => false,
        }
    }
    /// Whether two methods' code is the same, with lines and names of variables.
    pub(super) fn code(&self, old: &CodeAttribute, new: &CodeAttribute) -> bool {
        let shape = |c: &CodeAttribute| (c.max_stack, c.max_locals, c.code.len());
        if shape(old) != shape(new) || old.line_numbers != new.line_numbers {
            return false;
        }
        let mut handlers = old.exceptions.iter().zip(&new.exceptions);
        let same_handlers = old.exceptions.len() == new.exceptions.len()
            && handlers.all(|(a, b)| {
                (a.start_pc, a.end_pc, a.handler_pc) == (b.start_pc, b.end_pc, b.handler_pc)
                    && self.class(a.catch_type, b.catch_type)
            });
        let mut variables = old.local_variables.iter().zip(&new.local_variables);
        let same_variables = old.local_variables.len() == new.local_variables.len()
            && variables.all(|(a, b)| {
                (a.start_pc, a.length, a.index) == (b.start_pc, b.length, b.index)
                    && self.text(a.name, b.name)
                    && self.text(a.descriptor, b.descriptor)
            });
        same_handlers && same_variables && self.instructions(&old.code, &new.code)
    }
    fn instructions(&self, old: &[u8], new: &[u8]) -> bool {
        let (mut old, mut new) = (insns(old), insns(new));
        loop {
            match (old.next(), new.next()) {
                (None, None) => return true,
                (Some(Ok(a)), Some(Ok(b)))
                    if (a.pc, a.opcode, a.wide, a.len) == (b.pc, b.opcode, b.wide, b.len)
                        && self.operand(a.operand, b.operand) => {}
                _ => return false,
            }
        }
    }
}
