//! Random bodies of methods. The kinds on the operand stack and in the locals are known at every
//! point, so what comes out verifies. Some locals keep their kind throughout; scratch locals take
//! any kind and are forgotten at labels.

use super::asm::{Class, Code, Label};
use super::program::{BANG, BOOM, Call, FIELDS, Names, STATIC_FIELDS, Sig};
use super::random::Random;
use rjvm_classfile::opcodes as o;
use std::collections::BTreeMap;

/// Kind of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum K {
    I,
    J,
    F,
    D,
    /// `R` or null.
    R,
    /// A throwable or null.
    X,
    /// `R[]` or null.
    Rs,
    /// An array of this primitive type, or null.
    Array(u8),
    /// An object whose constructor has not run.
    New,
    /// A return address.
    Ret,
}

impl K {
    fn slots(self) -> usize {
        1 + matches!(self, K::J | K::D) as usize
    }
    fn is_ref(self) -> bool {
        !matches!(self, K::I | K::J | K::F | K::D | K::New | K::Ret)
    }
    /// Offset from `iload`, `istore`, `ireturn`.
    fn nth(self) -> u8 {
        match self {
            K::I => 0,
            K::J => 1,
            K::F => 2,
            K::D => 3,
            _ => 4,
        }
    }
    fn of_element(t: u8) -> K {
        match t {
            b'J' => K::J,
            b'F' => K::F,
            b'D' => K::D,
            _ => K::I,
        }
    }
}

const NUMBERS: [K; 4] = [K::I, K::J, K::F, K::D];
const ANY: [K; 15] = [
    K::Array(b'Z'),
    K::Array(b'S'),
    K::Array(b'F'),
    K::I,
    K::J,
    K::F,
    K::D,
    K::R,
    K::X,
    K::Rs,
    K::Array(b'I'),
    K::Array(b'J'),
    K::Array(b'B'),
    K::Array(b'C'),
    K::Array(b'D'),
];

struct Loop {
    exit: Label,
    shape: Vec<K>,
}

struct Sub {
    label: Label,
    shape: Vec<K>,
    local: usize,
}

/// A body in the making.
pub struct Gen<'a> {
    rng: &'a mut Random,
    class: &'a mut Class,
    names: &'a Names,
    sigs: &'a [Sig],
    me: usize,
    ret: Option<K>,
    code: Code,
    stack: Vec<K>,
    max_stack: usize,
    locals: Vec<(usize, K)>,
    scratch: BTreeMap<usize, K>,
    scratch_base: usize,
    counters: Vec<usize>,
    max_locals: usize,
    loops: Vec<Loop>,
    subs: Vec<Sub>,
    in_sub: bool,
    budget: isize,
    depth: usize,
    recursive: bool,
    deep: bool,
    /// Values below this depth are operands of an expression that is being made.
    floor: usize,
}

impl<'a> Gen<'a> {
    /// Adds the body of method `me` to `class`.
    pub fn method(
        rng: &'a mut Random,
        class: &'a mut Class,
        names: &'a Names,
        sigs: &'a [Sig],
        me: usize,
        size: usize,
    ) -> Result<(), String> {
        let sig = &sigs[me];
        let mut locals = Vec::new();
        let mut at = 0;
        if sig.kind != Call::Static {
            locals.push((0, K::R));
            at = 1;
        }
        let first = at;
        for &k in &sig.params {
            // the counter of the recursion is not written
            if !(sig.recursive && at == first) {
                locals.push((at, k));
            }
            at += k.slots();
        }
        let mut g = Gen::new(rng, class, names, sigs, me, size, locals, at);
        g.ret = sig.ret;
        if sig.recursive {
            let on = g.code.label();
            g.load(first, K::I);
            g.pop(1);
            g.code.branch(o::IFGT, on);
            g.leave();
            g.stack.clear();
            g.code.bind(on);
        }
        g.recursive = sig.recursive;
        g.body()?;
        let flags = match sig.kind {
            Call::Static => 9,
            Call::Virtual => 1,
            Call::Private => 2,
        } | if sig.synchronized { 0x20 } else { 0 };
        let desc = names.method_desc(sig);
        let (stack, locals) = (g.max_stack as u16, g.max_locals as u16);
        let code = g.code;
        class.method(flags, &sig.name, &desc, stack, locals, code)
    }
    /// Adds a class initializer.
    pub fn initializer(
        rng: &'a mut Random,
        class: &'a mut Class,
        names: &'a Names,
        sigs: &'a [Sig],
        size: usize,
    ) -> Result<(), String> {
        let me = sigs.len();
        let mut g = Gen::new(rng, class, names, sigs, me, size.min(6), Vec::new(), 0);
        g.body()?;
        let (stack, locals) = (g.max_stack as u16, g.max_locals as u16);
        let code = g.code;
        class.method(8, "<clinit>", "()V", stack, locals, code)
    }
    fn new(
        rng: &'a mut Random,
        class: &'a mut Class,
        names: &'a Names,
        sigs: &'a [Sig],
        me: usize,
        size: usize,
        locals: Vec<(usize, K)>,
        max_locals: usize,
    ) -> Gen<'a> {
        let budget = 4 + rng.below(size * 40 + 1) as isize;
        let deep = rng.one_in(10);
        Gen {
            rng,
            class,
            names,
            sigs,
            me,
            ret: None,
            code: Code::default(),
            stack: Vec::new(),
            max_stack: 2,
            locals,
            scratch: BTreeMap::new(),
            scratch_base: 0,
            counters: Vec::new(),
            max_locals,
            loops: Vec::new(),
            subs: Vec::new(),
            in_sub: false,
            budget,
            depth: 0,
            recursive: false,
            deep,
            floor: 0,
        }
    }
    fn body(&mut self) -> Result<(), String> {
        if self.rng.one_in(8) {
            // locals that need `wide`
            self.max_locals += 250;
        }
        for _ in 0..2 + self.rng.below(5) {
            let k = self.rng.pick(&ANY);
            let x = self.new_local(k);
            if self.rng.one_in(4) {
                self.constant(k);
            } else {
                self.make(k);
            }
            self.store(x);
            self.locals.push((x, k));
        }
        self.scratch_base = self.max_locals;
        self.max_locals += 5;
        if self.block() {
            self.observe_locals();
            self.leave();
        }
        self.stack.clear();
        self.in_sub = true;
        self.loops.clear();
        let mut i = 0;
        while i < self.subs.len() {
            let (label, shape, local) = {
                let s = &self.subs[i];
                (s.label, s.shape.clone(), s.local)
            };
            self.code.bind(label);
            self.scratch.clear();
            self.counters.clear();
            self.stack = shape.clone();
            self.push(K::Ret);
            self.store(local);
            self.budget = 1 + self.rng.below(6) as isize;
            if self.block() {
                self.shape(&shape);
                self.local_op(o::RET, None, local);
            }
            self.stack.clear();
            i += 1;
        }
        Ok(())
    }
    fn new_local(&mut self, k: K) -> usize {
        let x = self.max_locals;
        self.max_locals += k.slots();
        x
    }
    fn push(&mut self, k: K) {
        self.stack.push(k);
        let slots: usize = self.stack.iter().map(|k| k.slots()).sum();
        self.max_stack = self.max_stack.max(slots);
    }
    fn pop(&mut self, n: usize) {
        self.stack.truncate(self.stack.len() - n);
    }
    fn op(&mut self, op: u8, pops: usize, pushes: Option<K>) {
        self.code.op(op);
        self.pop(pops);
        if let Some(k) = pushes {
            self.push(k);
        }
    }
    /// `op`, or its short form for locals 0 to 3, or its wide form.
    fn local_op(&mut self, op: u8, short: Option<u8>, x: usize) {
        if let Some(s) = short
            && x < 4
            && !self.rng.one_in(4)
        {
            self.code.op(s + x as u8);
        } else if x > 255 || self.rng.one_in(12) {
            self.code.op(o::WIDE);
            self.code.op2(op, x as u16);
        } else {
            self.code.op1(op, x as u8);
        }
    }
    fn load(&mut self, x: usize, k: K) {
        let n = k.nth();
        self.local_op(o::ILOAD + n, Some(o::ILOAD_0 + 4 * n), x);
        self.push(k);
    }
    fn store(&mut self, x: usize) {
        let k = self.stack.pop().expect("a value");
        let n = k.nth();
        self.local_op(o::ISTORE + n, Some(o::ISTORE_0 + 4 * n), x);
    }
    fn inc(&mut self, x: usize, n: i32) {
        if x > 255 || !(-128..128).contains(&n) || self.rng.one_in(8) {
            self.code.op(o::WIDE);
            self.code.op2(o::IINC, x as u16);
            self.code.bytes.extend((n as i16).to_be_bytes());
        } else {
            self.code.op1(o::IINC, x as u8);
            self.code.bytes.push(n as i8 as u8);
        }
    }
    fn int(&mut self, v: i32) {
        match v {
            -1..=5 if !self.rng.one_in(6) => self.code.op((o::ICONST_0 as i32 + v) as u8),
            -128..=127 => self.code.op1(o::BIPUSH, v as i8 as u8),
            -32768..=32767 => self.code.op2(o::SIPUSH, v as i16 as u16),
            _ => {
                let i = self.class.int(v);
                self.ldc(i);
            }
        }
        self.push(K::I);
    }
    fn ldc(&mut self, i: u16) {
        if i < 256 {
            self.code.op1(o::LDC, i as u8);
        } else {
            self.code.op2(o::LDC_W, i);
        }
    }
    fn constant(&mut self, k: K) {
        match k {
            K::I => {
                let v = match self.rng.below(6) {
                    0..3 => self.rng.below(8) as i32 - 2,
                    3 => self.rng.below(60_000) as i32 - 30_000,
                    4 => self
                        .rng
                        .pick(&[i32::MIN, i32::MAX, 1 << 16, -129, 31, 32, 33]),
                    _ => self.rng.next() as i32,
                };
                self.int(v);
            }
            K::J => {
                match self.rng.below(4) {
                    0 => {
                        let v = self.rng.below(2) as u8;
                        self.code.op(o::LCONST_0 + v);
                    }
                    n => {
                        let v = match n {
                            1 => self.rng.below(100) as i64 - 50,
                            2 => self.rng.pick(&[
                                i64::MIN,
                                i64::MAX,
                                1 << 31,
                                (1 << 31) - 1,
                                -(1 << 31),
                                1 << 32,
                                0xffff_ffff,
                            ]),
                            _ => self.rng.next() as i64,
                        };
                        let i = self.class.long(v);
                        self.code.op2(o::LDC2_W, i);
                    }
                }
                self.push(K::J);
            }
            K::F => {
                if self.rng.one_in(2) {
                    let v = self.rng.below(3) as u8;
                    self.code.op(o::FCONST_0 + v);
                } else {
                    let v = self
                        .rng
                        .pick(&[-0.0, 1.5, f32::NAN, f32::INFINITY, 1e30, -7.25, 0.1]);
                    let i = self.class.float(v);
                    self.ldc(i);
                }
                self.push(K::F);
            }
            K::D => {
                if self.rng.one_in(2) {
                    let v = self.rng.below(2) as u8;
                    self.code.op(o::DCONST_0 + v);
                } else {
                    let v =
                        self.rng
                            .pick(&[-0.0, 1.5, f64::NAN, f64::NEG_INFINITY, 1e300, -7.25, 0.1]);
                    let i = self.class.double(v);
                    self.code.op2(o::LDC2_W, i);
                }
                self.push(K::D);
            }
            _ => {
                self.code.op(o::ACONST_NULL);
                self.push(k);
            }
        }
    }
    /// Pushes some value of this kind.
    fn value(&mut self, k: K) {
        self.budget -= 1;
        self.depth += 1;
        let floor = std::mem::replace(&mut self.floor, self.stack.len());
        let deep = self.depth > 4 || self.budget < 0;
        match self.rng.below(if deep { 4 } else { 12 }) {
            0 if k.is_ref() && !self.rng.one_in(4) => self.make(k),
            0 => self.constant(k),
            1 if k == K::I && !self.counters.is_empty() => {
                let x = self.rng.pick(&self.counters);
                self.load(x, K::I);
            }
            1..4 => self.any_local(k),
            4 => self.static_field(k),
            5 | 6 if NUMBERS.contains(&k) => self.arithmetic(k),
            5 | 6 => self.make(k),
            7 if NUMBERS.contains(&k) => self.field(k),
            8 if NUMBERS.contains(&k) => self.element(k),
            9 => self.call(Some(k)),
            10 => self.choose(k),
            _ if k == K::R => {
                // a field or an element
                if self.rng.one_in(2) {
                    self.value(K::R);
                    let (r, d) = (self.names.r.clone(), self.names.desc(K::R));
                    let i = self.class.field_ref(&r, "next", &d);
                    self.code.op2(o::GETFIELD, i);
                    self.pop(1);
                } else {
                    self.value(K::Rs);
                    self.index();
                    self.code.op(o::AALOAD);
                    self.pop(2);
                }
                self.push(K::R);
            }
            _ => self.any_local(k),
        }
        if k.is_ref() && !self.rng.one_in(8) {
            // mostly no null
            let on = self.code.label();
            self.op(o::DUP, 0, Some(k));
            self.code.branch(o::IFNONNULL, on);
            self.pop(1);
            self.op(o::POP, 1, None);
            self.make(k);
            self.code.bind(on);
            self.scratch.clear();
        }
        self.depth -= 1;
        self.floor = floor;
    }
    fn any_local(&mut self, k: K) {
        let mut found: Vec<usize> = self
            .locals
            .iter()
            .filter(|l| l.1 == k)
            .map(|l| l.0)
            .collect();
        found.extend(self.scratch.iter().filter(|l| *l.1 == k).map(|l| *l.0));
        if found.is_empty() {
            return match self.rng.below(3) {
                0 => self.constant(k),
                _ => self.make(k),
            };
        }
        let x = self.rng.pick(&found);
        self.load(x, k);
    }
    fn static_field(&mut self, k: K) {
        let Some(&(name, _)) = STATIC_FIELDS.iter().find(|f| f.1 == k) else {
            return self.constant(k);
        };
        let i = self.static_ref(name, k);
        self.code.op2(o::GETSTATIC, i);
        self.push(k);
    }
    fn static_ref(&mut self, name: &str, k: K) -> u16 {
        let class = match self.rng.below(4) {
            0 => &self.names.q,
            _ => &self.names.r,
        }
        .clone();
        let d = self.names.desc(k);
        self.class.field_ref(&class, name, &d)
    }
    /// Has `kinds` on top of the stack: what is there, or new values.
    fn need(&mut self, kinds: &[K]) {
        let there = self.stack.len() >= self.floor + kinds.len();
        if there && self.stack.ends_with(kinds) && !self.rng.one_in(3) {
            return;
        }
        for &k in kinds {
            self.value(k);
        }
    }
    fn arithmetic(&mut self, k: K) {
        let n = k.nth();
        match self.rng.below(10) {
            0 => {
                self.need(&[k]);
                self.op(o::INEG + n, 1, Some(k));
            }
            1 => {
                // a conversion
                let from = self.rng.pick(&NUMBERS);
                self.need(&[from]);
                let op = match (from, k) {
                    (K::I, K::J) => o::I2L,
                    (K::I, K::F) => o::I2F,
                    (K::I, K::D) => o::I2D,
                    (K::J, K::I) => o::L2I,
                    (K::J, K::F) => o::L2F,
                    (K::J, K::D) => o::L2D,
                    (K::F, K::I) => o::F2I,
                    (K::F, K::J) => o::F2L,
                    (K::F, K::D) => o::F2D,
                    (K::D, K::I) => o::D2I,
                    (K::D, K::J) => o::D2L,
                    (K::D, K::F) => o::D2F,
                    (K::I, _) => self.rng.pick(&[o::I2B, o::I2C, o::I2S]),
                    _ => o::INEG + n,
                };
                self.op(op, 1, Some(k));
            }
            2 if k == K::I => {
                let of = self.rng.pick(&[K::J, K::F, K::D]);
                self.need(&[of, of]);
                let op = match of {
                    K::J => o::LCMP,
                    K::F => self.rng.pick(&[o::FCMPL, o::FCMPG]),
                    _ => self.rng.pick(&[o::DCMPL, o::DCMPG]),
                };
                self.op(op, 2, Some(K::I));
            }
            2 | 3 if matches!(k, K::I | K::J) => {
                self.need(&[k, K::I]);
                let op = self.rng.pick(&[o::ISHL, o::ISHR, o::IUSHR]);
                self.op(op + n, 2, Some(k));
            }
            4 | 5 if matches!(k, K::I | K::J) => {
                self.need(&[k, k]);
                let op = self.rng.pick(&[o::IAND, o::IOR, o::IXOR]);
                self.op(op + n, 2, Some(k));
            }
            6 if k == K::I => {
                self.need(&[K::R]);
                let c = self.class.class(&self.names.s.clone());
                self.code.op2(o::INSTANCEOF, c);
                self.pop(1);
                self.push(K::I);
            }
            _ => {
                self.need(&[k, k]);
                let op = self
                    .rng
                    .pick(&[o::IADD, o::IADD, o::ISUB, o::IMUL, o::IDIV, o::IREM]);
                self.op(op + n, 2, Some(k));
            }
        }
    }
    /// A new object or array.
    fn make(&mut self, k: K) {
        match k {
            K::R | K::X => {
                let class = match (k, self.rng.below(3)) {
                    (K::R, 0) => self.names.s.clone(),
                    (K::R, _) => self.names.r.clone(),
                    (_, 0) => BANG.into(),
                    (_, 1) => BOOM.into(),
                    _ => "java/lang/ArithmeticException".into(),
                };
                let c = self.class.class(&class);
                self.code.op2(o::NEW, c);
                self.push(K::New);
                self.code.op(o::DUP);
                self.push(K::New);
                let init = self.class.method_ref(&class, "<init>", "()V");
                self.code.op2(o::INVOKESPECIAL, init);
                self.pop(2);
                self.push(k);
            }
            K::Rs => {
                self.length();
                let class = if self.rng.one_in(3) {
                    &self.names.s
                } else {
                    &self.names.r
                }
                .clone();
                let c = self.class.class(&class);
                self.code.op2(o::ANEWARRAY, c);
                self.pop(1);
                self.push(k);
            }
            K::Array(t) => {
                self.length();
                let at = b"ZCFDBSIJ".iter().position(|&x| x == t).expect("a type");
                self.code.op1(o::NEWARRAY, 4 + at as u8);
                self.pop(1);
                self.push(k);
            }
            _ => self.constant(k),
        }
    }
    fn length(&mut self) {
        if self.rng.one_in(30) {
            // large, or below zero
            self.value(K::I);
            self.code.op1(o::BIPUSH, 24);
            self.push(K::I);
            self.op(o::ISHR, 2, Some(K::I));
        } else {
            let n = 3 + self.rng.below(4) as i32;
            self.int(n);
        }
    }
    fn index(&mut self) {
        if self.rng.one_in(3) {
            let n = self.rng.below(4) as i32;
            self.int(n);
        } else {
            self.value(K::I);
            if !self.rng.one_in(12) {
                self.int(3);
                self.op(o::IAND, 2, Some(K::I));
            }
        }
    }
    fn field_of(&mut self, k: K) -> Option<(&'static str, &'static str)> {
        let all: Vec<_> = FIELDS.iter().filter(|f| f.2 == k).collect();
        if all.is_empty() {
            return None;
        }
        let f = self.rng.pick(&all);
        Some((f.0, f.1))
    }
    fn field(&mut self, k: K) {
        self.need(&[K::R]);
        let (name, desc) = self.field_of(k).expect("fields of all numbers");
        let i = self.class.field_ref(&self.names.r.clone(), name, desc);
        self.code.op2(o::GETFIELD, i);
        self.pop(1);
        self.push(k);
    }
    fn array_of(&mut self, k: K) -> u8 {
        match k {
            K::I => self.rng.pick(b"IBCSZ"),
            K::J => b'J',
            K::F => b'F',
            _ => b'D',
        }
    }
    fn access(t: u8) -> u8 {
        match t {
            b'I' => 0,
            b'J' => 1,
            b'F' => 2,
            b'D' => 3,
            b'B' | b'Z' => 5,
            b'C' => 6,
            _ => 7,
        }
    }
    fn element(&mut self, k: K) {
        let t = self.array_of(k);
        self.value(K::Array(t));
        if self.rng.one_in(5) && k == K::I {
            return self.op(o::ARRAYLENGTH, 1, Some(K::I));
        }
        self.index();
        self.op(o::IALOAD + Self::access(t), 2, Some(k));
    }
    /// `cond ? a : b`
    fn choose(&mut self, k: K) {
        let (other, end) = (self.code.label(), self.code.label());
        self.condition(other);
        let base = self.stack.len();
        self.scratch.clear();
        self.value(k);
        self.code.branch(o::GOTO, end);
        self.stack.truncate(base);
        self.scratch.clear();
        self.code.bind(other);
        self.value(k);
        self.code.bind(end);
        self.scratch.clear();
    }
    /// Pushes operands and branches to `to` or falls through.
    fn condition(&mut self, to: Label) {
        match self.rng.below(8) {
            0..3 => {
                self.need(&[K::I]);
                self.pop(1);
                let n = self.rng.below(6) as u8;
                self.code.branch(o::IFEQ + n, to);
            }
            3 | 4 => {
                self.need(&[K::I, K::I]);
                self.pop(2);
                let n = self.rng.below(6) as u8;
                self.code.branch(o::IF_ICMPEQ + n, to);
            }
            5 => {
                let k = self.rng.pick(&[K::R, K::X, K::Array(b'I')]);
                self.need(&[k]);
                self.pop(1);
                let op = self.rng.pick(&[o::IFNULL, o::IFNONNULL]);
                self.code.branch(op, to);
            }
            6 => {
                self.need(&[K::R, K::R]);
                self.pop(2);
                let op = self.rng.pick(&[o::IF_ACMPEQ, o::IF_ACMPNE]);
                self.code.branch(op, to);
            }
            _ => {
                let k = self.rng.pick(&[K::J, K::F, K::D]);
                self.need(&[k, k]);
                let op = match k {
                    K::J => o::LCMP,
                    K::F => self.rng.pick(&[o::FCMPL, o::FCMPG]),
                    _ => self.rng.pick(&[o::DCMPL, o::DCMPG]),
                };
                self.op(op, 2, Some(K::I));
                self.pop(1);
                let n = self.rng.below(6) as u8;
                self.code.branch(o::IFEQ + n, to);
            }
        }
    }
    /// A call; with `want`, of a method of that result if there is one, else a constant.
    fn call(&mut self, want: Option<K>) {
        let from = if self.recursive { self.me } else { self.me + 1 };
        let all: Vec<usize> = (from..self.sigs.len())
            .filter(|&i| want.is_none() || self.sigs[i].ret == want)
            .collect();
        if all.is_empty() {
            if let Some(k) = want {
                self.constant(k);
            }
            return;
        }
        let sigs = self.sigs;
        let i = self.rng.pick(&all);
        let sig = &sigs[i];
        // private methods only from their own class
        if sig.kind == Call::Private && self.class.name != self.names.r {
            if let Some(k) = want {
                self.constant(k);
            }
            return;
        }
        let base = self.stack.len();
        if sig.kind != Call::Static {
            if self.rng.one_in(2) {
                self.value(K::R);
            } else {
                self.make(K::R);
            }
        }
        for (n, &k) in sig.params.iter().enumerate() {
            if sig.recursive && n == 0 {
                if i == self.me {
                    let x = (sig.kind != Call::Static) as usize;
                    self.load(x, K::I);
                    let d = 1 + self.rng.below(2) as i32;
                    self.int(d);
                    self.op(o::ISUB, 2, Some(K::I));
                } else {
                    let d = self.rng.below(4) as i32;
                    self.int(d);
                }
            } else if sig.params.len() > 20 {
                self.any_local(k);
            } else {
                self.value(k);
            }
        }
        let desc = self.names.method_desc(sig);
        let m = self.class.method_ref(&sig.class, &sig.name, &desc);
        let op = match sig.kind {
            Call::Static => o::INVOKESTATIC,
            Call::Virtual => o::INVOKEVIRTUAL,
            Call::Private => o::INVOKESPECIAL,
        };
        self.code.op2(op, m);
        self.stack.truncate(base);
        if let Some(k) = sig.ret {
            self.push(k);
        }
    }
    /// Makes the stack this one.
    fn shape(&mut self, want: &[K]) {
        let same = self
            .stack
            .iter()
            .zip(want)
            .take_while(|(a, b)| a == b)
            .count();
        while self.stack.len() > same {
            self.drop_top();
        }
        for &k in &want[same..] {
            if self.rng.one_in(2) {
                self.any_local(k);
            } else {
                self.constant(k);
            }
        }
    }
    fn drop_top(&mut self) {
        let n = self.stack.len();
        let k = self.stack[n - 1];
        if k.slots() == 2 {
            self.op(o::POP2, 1, None);
        } else {
            self.op(o::POP, 1, None);
        }
    }
    /// Returns some value.
    fn leave(&mut self) {
        match self.ret {
            None => self.code.op(o::RETURN),
            Some(k) => {
                self.need(&[k]);
                self.code.op(o::IRETURN + k.nth());
                self.pop(1);
            }
        }
    }
    /// Statements; false if the end is not reached.
    fn block(&mut self) -> bool {
        let most = if self.loops.len() + self.depth == 0 {
            30
        } else {
            6
        };
        let n = 1 + self.rng.below(most);
        for _ in 0..n {
            if self.budget < 0 {
                break;
            }
            if !self.statement() {
                return false;
            }
        }
        true
    }
    fn statement(&mut self) -> bool {
        self.budget -= 1;
        let most = if self.deep { 90 } else { 9 };
        while self.stack.len() > most {
            self.drop_top();
        }
        let nested = self.loops.len() + self.depth;
        if nested == 0 && !self.in_sub && self.rng.one_in(2) {
            return self.try_catch();
        }
        match self.rng.below(40) {
            0..3 if nested < 6 => return self.if_else(),
            3 | 4 if nested < 3 => return self.loop_(),
            5 if nested < 6 => return self.switch(),
            6 | 7 if nested < 6 => return self.try_catch(),
            8 if self.rng.one_in(3) => {
                self.need(&[K::X]);
                self.code.op(o::ATHROW);
                return false;
            }
            9 if !self.loops.is_empty() && self.rng.one_in(2) => {
                let n = self.rng.below(self.loops.len());
                let (exit, shape) = (self.loops[n].exit, self.loops[n].shape.clone());
                self.shape(&shape);
                self.code.branch(o::GOTO, exit);
                return false;
            }
            10 if !self.in_sub && self.rng.one_in(3) => {
                self.leave();
                return false;
            }
            11 | 12 if !self.in_sub => self.jsr(),
            13..15 => self.call(None),
            15..19 => {
                let k = self.rng.pick(&ANY);
                self.value(k);
            }
            19..24 => self.shuffle(),
            24..27 => self.store_local(),
            27 | 28 => {
                let ints: Vec<usize> = self
                    .locals
                    .iter()
                    .filter(|l| l.1 == K::I)
                    .map(|l| l.0)
                    .collect();
                if !ints.is_empty() {
                    let x = self.rng.pick(&ints);
                    // the old value waits on the stack
                    if self.rng.one_in(2) {
                        self.load(x, K::I);
                    }
                    let n = self.rng.pick(&[1, -1, 2, 100, -128, 127, 300, -3000]);
                    self.inc(x, n);
                }
            }
            29 | 30 => self.put_static(),
            31 | 32 => self.put_field(),
            33 | 34 => self.put_element(),
            35 if self.rng.one_in(3) => self.code.op(o::NOP),
            36 => {
                let k = self.rng.pick(&[K::R, K::X]);
                self.need(&[k]);
                let c = match k {
                    K::R => self.rng.pick(&[&self.names.s, &self.names.r]).clone(),
                    _ => "java/lang/Throwable".into(),
                };
                let c = self.class.class(&c);
                self.code.op2(o::CHECKCAST, c);
            }
            35 | 38 => {
                for _ in 0..1 + self.rng.below(3) {
                    self.observe();
                }
            }
            37 => {
                // an aligned place and nothing more: jumps to the next bytecode
                let l = self.code.label();
                self.code.branch(
                    if self.rng.one_in(4) {
                        o::GOTO_W
                    } else {
                        o::GOTO
                    },
                    l,
                );
                self.code.bind(l);
                self.scratch.clear();
            }
            _ => {
                let k = self.rng.pick(&NUMBERS);
                self.arithmetic(k);
            }
        }
        true
    }
    /// Mixes the value on top, or another, into the static `sj`, which the test compares.
    fn observe(&mut self) {
        let k = match self.stack.last() {
            Some(&k) if k != K::Ret => k,
            _ => {
                let k = self.rng.pick(&NUMBERS);
                self.value(k);
                k
            }
        };
        match k {
            K::I => self.op(o::I2L, 1, Some(K::J)),
            K::F => self.op(o::F2L, 1, Some(K::J)),
            K::D => {
                self.code.op(o::DUP2);
                self.push(K::D);
                let i = self.class.double(1e9);
                self.code.op2(o::LDC2_W, i);
                self.push(K::D);
                self.op(o::DMUL, 2, Some(K::D));
                self.op(o::DADD, 2, Some(K::D));
                self.op(o::D2L, 1, Some(K::J));
            }
            K::J => {}
            _ => {
                let (null, end) = (self.code.label(), self.code.label());
                self.code.branch(o::IFNULL, null);
                self.pop(1);
                self.op(o::LCONST_1, 0, Some(K::J));
                self.code.branch(o::GOTO, end);
                self.code.bind(null);
                self.op(o::LCONST_0, 1, Some(K::J));
                self.code.bind(end);
                self.scratch.clear();
            }
        }
        let i = self.class.field_ref(&self.names.r.clone(), "sj", "J");
        self.code.op2(o::GETSTATIC, i);
        self.push(K::J);
        self.int(31);
        self.op(o::I2L, 1, Some(K::J));
        self.op(o::LMUL, 2, Some(K::J));
        self.op(o::LADD, 2, Some(K::J));
        self.code.op2(o::PUTSTATIC, i);
        self.pop(1);
    }
    fn observe_locals(&mut self) {
        for (x, k) in self.locals.clone() {
            self.load(x, k);
            self.observe();
        }
        while !self.stack.is_empty() {
            self.observe();
        }
    }
    fn store_local(&mut self) {
        let k = match self.stack.last() {
            Some(&k) if !self.rng.one_in(3) => k,
            _ => {
                let k = self.rng.pick(&ANY);
                self.value(k);
                k
            }
        };
        let typed: Vec<usize> = self
            .locals
            .iter()
            .filter(|l| l.1 == k)
            .map(|l| l.0)
            .collect();
        if !typed.is_empty() && self.rng.one_in(2) {
            let x = self.rng.pick(&typed);
            return self.store(x);
        }
        let x = self.scratch_base + self.rng.below(5 + 1 - k.slots());
        self.store(x);
        // a value of two slots takes the next local, and loses its second half to this one
        if k.slots() == 2 {
            self.scratch.remove(&(x + 1));
        }
        if x > self.scratch_base && self.scratch.get(&(x - 1)).is_some_and(|k| k.slots() == 2) {
            self.scratch.remove(&(x - 1));
        }
        self.scratch.insert(x, k);
    }
    fn put_static(&mut self) {
        let &(name, k) = &STATIC_FIELDS[self.rng.below(STATIC_FIELDS.len())];
        self.need(&[k]);
        let i = self.static_ref(name, k);
        self.code.op2(o::PUTSTATIC, i);
        self.pop(1);
    }
    fn put_field(&mut self) {
        if self.rng.one_in(5) {
            self.need(&[K::R, K::R]);
            let d = self.names.desc(K::R);
            let i = self.class.field_ref(&self.names.r.clone(), "next", &d);
            self.code.op2(o::PUTFIELD, i);
        } else {
            let k = self.rng.pick(&NUMBERS);
            self.need(&[K::R, k]);
            let (name, desc) = self.field_of(k).expect("fields of all numbers");
            let i = self.class.field_ref(&self.names.r.clone(), name, desc);
            self.code.op2(o::PUTFIELD, i);
        }
        self.pop(2);
    }
    fn put_element(&mut self) {
        if self.rng.one_in(4) {
            self.value(K::Rs);
            self.index();
            self.value(K::R);
            return self.op(o::AASTORE, 3, None);
        }
        let k = self.rng.pick(&NUMBERS);
        let t = self.array_of(k);
        self.value(K::Array(t));
        self.index();
        let k = K::of_element(t);
        let back = self.rng.one_in(2);
        if back {
            // array, index, array, index: read again what is written
            self.code.op(o::DUP2);
            self.push(K::Array(t));
            self.push(K::I);
        }
        self.value(k);
        self.op(o::IASTORE + Self::access(t), 3, None);
        if back {
            self.op(o::IALOAD + Self::access(t), 2, Some(k));
        }
    }
    /// dup, dup_x1, …, as the kinds on top allow.
    fn shuffle(&mut self) {
        while self.stack.len() < 4 {
            let k = self.rng.pick(&ANY);
            self.value(k);
        }
        let n = self.stack.len();
        let w = |i: usize| self.stack[n - i].slots() == 2;
        let mut can: Vec<(u8, usize, usize)> = Vec::new();
        // (opcode, values taken, values under)
        let takes: &[(usize, usize)] = if w(1) {
            &[(2, 1)]
        } else if w(2) {
            &[(1, 1)]
        } else {
            &[(1, 1), (2, 2)]
        };
        for &(slots, values) in takes {
            let ops = if slots == 1 {
                [o::DUP, o::DUP_X1, o::DUP_X2]
            } else {
                [o::DUP2, o::DUP2_X1, o::DUP2_X2]
            };
            can.push((ops[0], values, 0));
            if w(values + 1) {
                can.push((ops[2], values, 1));
            } else {
                can.push((ops[1], values, 1));
                if values + 2 <= n && !w(values + 2) {
                    can.push((ops[2], values, 2));
                }
            }
        }
        if !w(1) && !w(2) {
            can.push((o::SWAP, 0, 0));
        }
        let (op, take, under) = self.rng.pick(&can);
        self.code.op(op);
        if op == o::SWAP {
            return self.stack.swap(n - 1, n - 2);
        }
        let top = self.stack.split_off(n - take);
        let below = self.stack.split_off(n - take - under);
        for k in top.iter().chain(&below).chain(&top) {
            self.push(*k);
        }
    }
    fn if_else(&mut self) -> bool {
        self.depth += 1;
        let (other, end) = (self.code.label(), self.code.label());
        self.condition(other);
        let before = self.stack.clone();
        self.scratch.clear();
        let mut shape = None;
        if self.block() {
            if self.stack.len() > before.len() + 3 || self.rng.one_in(2) {
                self.shape(&before);
            }
            shape = Some(self.stack.clone());
        }
        let has_else = shape.as_ref().is_some_and(|s| *s != before) || self.rng.one_in(2);
        if has_else && shape.is_some() {
            let far = self.rng.one_in(10);
            self.code.branch(if far { o::GOTO_W } else { o::GOTO }, end);
        }
        self.stack = before.clone();
        self.scratch.clear();
        self.code.bind(other);
        let mut reached = true;
        if has_else {
            reached = self.block();
        }
        match &shape {
            Some(s) if reached => {
                let s = s.clone();
                self.shape(&s);
            }
            Some(s) => {
                self.stack = s.clone();
                reached = true;
            }
            None => {}
        }
        self.code.bind(end);
        self.scratch.clear();
        self.depth -= 1;
        reached
    }
    fn loop_(&mut self) -> bool {
        let c = self.new_local(K::I);
        if self.rng.one_in(2) {
            self.shape(&[]);
        }
        let (top, exit, check) = (self.code.label(), self.code.label(), self.code.label());
        let rounds = self.rng.below(5) as i32;
        let down = self.rng.one_in(3);
        let start = if down { rounds } else { 0 };
        self.int(start);
        self.store(c);
        // the bound: a constant or a local
        let bound = if down || self.rng.one_in(2) {
            None
        } else {
            let x = self.new_local(K::I);
            self.int(rounds);
            self.store(x);
            Some(x)
        };
        let shape = self.stack.clone();
        let kind = self.rng.below(3);
        let test = |g: &mut Self, to: Label, go_on: bool| {
            let swapped = !down && g.rng.one_in(6);
            if !swapped {
                g.load(c, K::I);
            }
            if down {
                g.pop(1);
                let op = g.rng.pick(&[(o::IFGT, o::IFLE), (o::IFNE, o::IFEQ)]);
                g.code.branch(if go_on { op.0 } else { op.1 }, to);
                return;
            }
            match bound {
                Some(x) => g.load(x, K::I),
                None => g.int(rounds),
            }
            if swapped {
                g.load(c, K::I);
            }
            g.pop(2);
            let (on, off) = if swapped {
                (o::IF_ICMPGT, o::IF_ICMPLE)
            } else {
                g.rng
                    .pick(&[(o::IF_ICMPLT, o::IF_ICMPGE), (o::IF_ICMPNE, o::IF_ICMPEQ)])
            };
            g.code.branch(if go_on { on } else { off }, to);
        };
        self.scratch.clear();
        if kind == 1 {
            self.code.branch(o::GOTO, check);
        }
        self.code.bind(top);
        if kind == 0 {
            test(self, exit, false);
        }
        self.scratch.clear();
        self.counters.push(c);
        self.loops.push(Loop {
            exit,
            shape: shape.clone(),
        });
        self.depth += 1;
        let reached = self.block();
        self.depth -= 1;
        self.loops.pop();
        if reached {
            self.shape(&shape);
            let step = if down { -1 } else { 1 };
            if self.rng.one_in(4) {
                self.load(c, K::I);
                self.int(step);
                self.op(o::IADD, 2, Some(K::I));
                self.store(c);
            } else {
                self.inc(c, step);
            }
            if self.rng.one_in(6) {
                self.code.op(o::NOP);
            }
        }
        self.counters.pop();
        self.stack = shape.clone();
        self.scratch.clear();
        match kind {
            0 => {
                if reached {
                    self.code.branch(o::GOTO, top);
                }
                self.code.bind(check);
            }
            1 => {
                self.code.bind(check);
                test(self, top, true);
            }
            _ => {
                self.code.bind(check);
                if reached {
                    // at least one round
                    test(self, exit, false);
                    self.code.branch(o::GOTO, top);
                } else {
                    self.code.bind(exit);
                    return self.has_branch(exit);
                }
            }
        }
        self.code.bind(exit);
        self.scratch.clear();
        true
    }
    /// Whether the last loop could be left: nothing fell out of its end.
    fn has_branch(&mut self, exit: Label) -> bool {
        self.scratch.clear();
        self.code.is_target(exit)
    }
    fn switch(&mut self) -> bool {
        self.depth += 1;
        self.need(&[K::I]);
        if !self.rng.one_in(4) {
            self.int(7);
            self.op(o::IAND, 2, Some(K::I));
        }
        self.pop(1);
        let n = self.rng.below(5);
        let labels: Vec<Label> = (0..n).map(|_| self.code.label()).collect();
        let (default, end) = (self.code.label(), self.code.label());
        let shape = self.stack.clone();
        if self.rng.one_in(2) && n > 0 {
            let low = self.rng.below(4) as i32 - 1;
            self.code.tableswitch(low, default, &labels);
        } else {
            let mut key = self.rng.below(3) as i32 - 1;
            let rows: Vec<(i32, Label)> = labels
                .iter()
                .map(|&l| {
                    key += 1 + self.rng.below(3) as i32;
                    (key, l)
                })
                .collect();
            self.code.lookupswitch(default, &rows);
        }
        let mut all = labels;
        all.push(default);
        let mut reached = false;
        for l in all {
            self.stack = shape.clone();
            self.scratch.clear();
            self.code.bind(l);
            reached = self.block();
            if reached {
                self.shape(&shape);
                if self.rng.one_in(2) {
                    self.code.branch(o::GOTO, end);
                    reached = false;
                }
            }
        }
        self.code.bind(end);
        self.stack = shape;
        self.scratch.clear();
        self.depth -= 1;
        reached || self.code.is_target(end)
    }
    fn try_catch(&mut self) -> bool {
        self.depth += 1;
        let start = self.code.here();
        self.code.op(o::NOP);
        let reached = self.block();
        if reached && self.rng.one_in(2) {
            while self.stack.len() > 4 {
                self.drop_top();
            }
        }
        let mut shape = reached.then(|| self.stack.clone());
        let end = self.code.here();
        let join = self.code.label();
        if reached {
            self.code.branch(o::GOTO, join);
        }
        for _ in 0..1 + self.rng.below(2) {
            let handler = self.code.here();
            let catch = match self.rng.below(12) {
                0 => "java/lang/Throwable",
                1 | 2 => BOOM,
                3 => BANG,
                4 => "java/lang/ArithmeticException",
                5 => "java/lang/RuntimeException",
                6 => "java/lang/IndexOutOfBoundsException",
                _ => "",
            };
            let c = if catch.is_empty() {
                0
            } else {
                self.class.class(catch)
            };
            self.code.exceptions.push((start, end, handler, c));
            self.stack.clear();
            self.scratch.clear();
            self.push(K::X);
            if !self.block() {
                continue;
            }
            if self.rng.one_in(6) {
                self.need(&[K::X]);
                self.code.op(o::ATHROW);
                continue;
            }
            match &shape {
                Some(s) => {
                    let s = s.clone();
                    self.shape(&s);
                }
                None => shape = Some(self.stack.clone()),
            }
            self.code.branch(o::GOTO, join);
        }
        self.code.bind(join);
        self.scratch.clear();
        self.depth -= 1;
        match shape {
            Some(s) => {
                self.stack = s;
                true
            }
            None => false,
        }
    }
    fn jsr(&mut self) {
        let stack = self.stack.clone();
        let found = self.subs.iter().position(|s| s.shape == stack);
        let i = match found {
            Some(i) => i,
            None if self.subs.len() < 3 => {
                let local = self.new_local(K::Ret);
                let label = self.code.label();
                self.subs.push(Sub {
                    label,
                    shape: stack,
                    local,
                });
                self.subs.len() - 1
            }
            None => return,
        };
        let label = self.subs[i].label;
        self.push(K::Ret);
        self.pop(1);
        let far = self.rng.one_in(6);
        self.code.branch(if far { o::JSR_W } else { o::JSR }, label);
        self.scratch.clear();
    }
}
