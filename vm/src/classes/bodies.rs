//! Digests of what methods and classes do, whatever numbers their compiler gave to lambdas, accessors and anonymous
//! classes, and wherever in the file they are: no lines, no constant-pool indices, no byte offsets are in them.

use rjvm_classfile::opcodes::{self as op, Insn, Operand, insns};
use rjvm_classfile::{ClassFile, Constant, MethodInfo, access};
use rjvm_profiler::origin::{Digest, unnumbered};
use std::collections::BTreeMap;

/// Constants within constants that are looked at: those of a malformed class may be in a circle.
const DEPTH: u32 = 8;

/// The name of a method.
pub(super) fn name<'a>(cf: &'a ClassFile, m: &MethodInfo) -> &'a str {
    cf.constant_pool.str(m.name).unwrap_or("")
}

/// The descriptor of a method.
pub(super) fn descriptor<'a>(cf: &'a ClassFile, m: &MethodInfo) -> &'a str {
    cf.constant_pool.str(m.descriptor).unwrap_or("")
}

/// Did the compiler make the method up, under a number?
pub(super) fn is_numbered(cf: &ClassFile, m: &MethodInfo) -> bool {
    let synthetic = m.access_flags & access::SYNTHETIC != 0 && m.access_flags & access::BRIDGE == 0;
    synthetic && stem(name(cf, m)).is_some() && m.attributes.has_code()
}

/// A name without the number it ends with: `lambda$main$` of `lambda$main$12`.
pub(super) fn stem(name: &str) -> Option<&str> {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem.len() < name.len() && stem.contains('$')).then_some(stem)
}

/// What a digest says of the numbered methods that code names.
pub(super) type Numbered<'a> = BTreeMap<(&'a str, &'a str), u64>;

/// The digest of a method's code; of the numbered methods of its class that it names it has what `numbered` says.
pub(super) fn of_code(cf: &ClassFile, m: &MethodInfo, numbered: &Numbered<'_>) -> u64 {
    let attributes = m.attributes.once();
    let mut look = BodyDigest {
        cf,
        numbered,
        digest: Digest::default(),
    };
    let Some(code) = attributes.code.as_deref() else {
        look.digest.number(m.access_flags.into());
        return look.digest.finish();
    };
    // where instructions are, by their number
    let mut at = vec![u64::MAX; code.code.len()];
    for (number, insn) in (0u64..).zip(insns(&code.code)) {
        let Ok(insn) = insn else { break };
        at[insn.pc] = number;
    }
    let number = |pc: i64| {
        let number = usize::try_from(pc).ok().and_then(|pc| at.get(pc));
        number.copied().unwrap_or(u64::MAX)
    };
    for insn in insns(&code.code) {
        let Ok(insn) = insn else { break };
        look.insn(&insn, &number);
    }
    for e in &code.exceptions {
        for pc in [e.start_pc, e.end_pc, e.handler_pc] {
            look.digest.number(number(pc.into()));
        }
        look.constant(e.catch_type, 0);
    }
    look.digest.finish()
}

struct BodyDigest<'a> {
    cf: &'a ClassFile,
    numbered: &'a Numbered<'a>,
    digest: Digest,
}

impl BodyDigest<'_> {
    fn insn(&mut self, insn: &Insn<'_>, number: &dyn Fn(i64) -> u64) {
        // how long a constant's index or a branch is depends on what else is in the class
        let opcode = match insn.opcode {
            op::LDC_W => op::LDC,
            op::GOTO_W => op::GOTO,
            opcode => opcode,
        };
        self.digest.number(opcode.into());
        match insn.operand {
            Operand::None => {}
            Operand::Immediate(n) => self.digest.number(n as u64),
            Operand::Local(n) => self.digest.number(n.into()),
            Operand::Iinc { local, delta } => {
                self.digest.number(local.into());
                self.digest.number(delta as u64);
            }
            Operand::Constant(index) | Operand::Interface { index, .. } => self.constant(index, 0),
            Operand::MultiArray { index, dimensions } => {
                self.constant(index, 0);
                self.digest.number(dimensions.into());
            }
            Operand::ArrayType(n) => self.digest.number(n.into()),
            Operand::Branch(to) => self.digest.number(number(to.into())),
            Operand::Switch(switch) => {
                self.digest.number(number(switch.default.into()));
                for (key, to) in switch.cases() {
                    self.digest.number(key as u64);
                    self.digest.number(number(to.into()));
                }
            }
        }
    }

    fn text(&mut self, index: u16) {
        let text = self.cf.constant_pool.str(index).unwrap_or("");
        self.digest.add(unnumbered(text).as_bytes());
    }

    fn constant(&mut self, index: u16, depth: u32) {
        if depth > DEPTH {
            return;
        }
        let pool = &self.cf.constant_pool;
        let constant = pool.entry(index);
        self.digest.add(constant.kind_name().as_bytes());
        match constant {
            Constant::Integer(n) => self.digest.number(n as u64),
            Constant::Long(n) => self.digest.number(n as u64),
            Constant::Float(x) => self.digest.number(x.to_bits().into()),
            Constant::Double(x) => self.digest.number(x.to_bits()),
            // its own name may be a number
            Constant::Class { .. } if self.is_own(index) => {}
            Constant::Class { name } => self.text(name),
            Constant::MethodType { descriptor } => self.text(descriptor),
            Constant::String { utf8 } => self.digest.add(pool.utf8(utf8).unwrap_or_default()),
            Constant::NameAndType { name, descriptor } => {
                self.digest.add(pool.utf8(name).unwrap_or_default());
                self.text(descriptor);
            }
            Constant::MethodHandle { kind, reference } => {
                self.digest.number(kind.into());
                self.constant(reference, depth + 1);
            }
            Constant::Dynamic {
                bootstrap,
                name_and_type,
            }
            | Constant::InvokeDynamic {
                bootstrap,
                name_and_type,
            } => {
                self.constant(name_and_type, depth + 1);
                let all = self.cf.attributes.bootstrap_methods.as_deref();
                if let Some(b) = all.and_then(|all| all.get(usize::from(bootstrap))) {
                    self.constant(b.method, depth + 1);
                    for &argument in &b.arguments {
                        self.constant(argument, depth + 1);
                    }
                }
            }
            other => self.member(other, depth),
        }
    }

    fn is_own(&self, class: u16) -> bool {
        let name = self.cf.constant_pool.class_name(class);
        name.is_ok_and(|name| self.cf.name().is_ok_and(|own| own == name))
    }

    fn member(&mut self, constant: Constant, depth: u32) {
        let pool = &self.cf.constant_pool;
        let Some((class, name_and_type)) = constant.member() else {
            return;
        };
        let Ok((name, descriptor)) = pool.name_and_type(name_and_type) else {
            return;
        };
        match self.numbered.get(&(name, descriptor)) {
            Some(&digest) if self.is_own(class) => self.digest.number(digest),
            _ => {
                self.constant(class, depth + 1);
                // an accessor of another class
                match stem(name).filter(|_| name.starts_with("access$")) {
                    Some(stem) => self.digest.add(stem.as_bytes()),
                    None => self.digest.add(name.as_bytes()),
                }
                self.digest.add(unnumbered(descriptor).as_bytes());
            }
        }
    }
}

/// The digests of a class: with its numbered methods, without them, and of its supertypes and the methods it declares.
pub(super) fn of_class(cf: &ClassFile) -> [u64; 3] {
    let pool = &cf.constant_pool;
    let numbered = numbered_methods(cf);
    let text = |text: &str| unnumbered(text);
    let mut shape = Digest::default();
    shape.add(text(cf.super_name().ok().flatten().unwrap_or("")).as_bytes());
    for name in cf.interface_names().flatten() {
        shape.add(text(name).as_bytes());
    }
    for m in cf.methods.iter() {
        if m.access_flags & access::SYNTHETIC == 0 && name(cf, m) != "<init>" {
            shape.add(name(cf, m).as_bytes());
            shape.add(text(descriptor(cf, m)).as_bytes());
        }
    }
    let shape = shape.finish();
    let mut own = Digest::default();
    own.number(shape);
    for field in cf.fields.iter() {
        own.add(pool.utf8(field.name).unwrap_or_default());
        own.add(text(pool.str(field.descriptor).unwrap_or("")).as_bytes());
    }
    let mut deep = own;
    for m in cf.methods.iter() {
        let is_numbered = numbered.contains_key(&(name(cf, m), descriptor(cf, m)));
        let code = of_code(cf, m, &numbered);
        let digests = if is_numbered {
            &mut [&mut deep][..]
        } else {
            &mut [&mut own, &mut deep]
        };
        for digest in digests {
            if !is_numbered {
                digest.add(name(cf, m).as_bytes());
            }
            digest.add(text(descriptor(cf, m)).as_bytes());
            digest.number(code);
        }
    }
    [deep.finish(), own.finish(), shape]
}

/// The numbered methods of a class, as if all were one.
pub(super) fn numbered_methods(cf: &ClassFile) -> Numbered<'_> {
    let all = cf.methods.iter().filter(|m| is_numbered(cf, m));
    all.map(|m| ((name(cf, m), descriptor(cf, m)), 1)).collect()
}
