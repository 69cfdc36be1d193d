//! Random bodies of methods. The kinds on the operand stack and in the locals are known at every
//! point, so what comes out verifies. Some locals keep their kind throughout; scratch locals take
//! any kind and are forgotten at labels.

mod effects;
mod flow;
mod values;

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
}
