//! Random expressions: what leaves a value of a wanted kind on the operand stack.

use super::*;

impl Gen<'_> {
    /// Pushes some value of this kind.
    pub(super) fn value(&mut self, k: K) {
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
    pub(super) fn any_local(&mut self, k: K) {
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
    pub(super) fn static_field(&mut self, k: K) {
        let Some(&(name, _)) = STATIC_FIELDS.iter().find(|f| f.1 == k) else {
            return self.constant(k);
        };
        let i = self.static_ref(name, k);
        self.code.op2(o::GETSTATIC, i);
        self.push(k);
    }
    pub(super) fn static_ref(&mut self, name: &str, k: K) -> u16 {
        let class = match self.rng.below(4) {
            0 => &self.names.q,
            _ => &self.names.r,
        }
        .clone();
        let d = self.names.desc(k);
        self.class.field_ref(&class, name, &d)
    }
    /// Puts `kinds` on top of the stack: the present values, or new ones.
    pub(super) fn need(&mut self, kinds: &[K]) {
        let there = self.stack.len() >= self.floor + kinds.len();
        if there && self.stack.ends_with(kinds) && !self.rng.one_in(3) {
            return;
        }
        for &k in kinds {
            self.value(k);
        }
    }
    pub(super) fn arithmetic(&mut self, k: K) {
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
    pub(super) fn make(&mut self, k: K) {
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
    pub(super) fn length(&mut self) {
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
    pub(super) fn index(&mut self) {
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
    pub(super) fn field_of(&mut self, k: K) -> Option<(&'static str, &'static str)> {
        let all: Vec<_> = FIELDS.iter().filter(|f| f.2 == k).collect();
        if all.is_empty() {
            return None;
        }
        let f = self.rng.pick(&all);
        Some((f.0, f.1))
    }
    pub(super) fn field(&mut self, k: K) {
        self.need(&[K::R]);
        let (name, desc) = self.field_of(k).expect("fields of all numbers");
        let i = self.class.field_ref(&self.names.r.clone(), name, desc);
        self.code.op2(o::GETFIELD, i);
        self.pop(1);
        self.push(k);
    }
    pub(super) fn array_of(&mut self, k: K) -> u8 {
        match k {
            K::I => self.rng.pick(b"IBCSZ"),
            K::J => b'J',
            K::F => b'F',
            _ => b'D',
        }
    }
    pub(super) fn access(t: u8) -> u8 {
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
    pub(super) fn element(&mut self, k: K) {
        let t = self.array_of(k);
        self.value(K::Array(t));
        if self.rng.one_in(5) && k == K::I {
            return self.op(o::ARRAYLENGTH, 1, Some(K::I));
        }
        self.index();
        self.op(o::IALOAD + Self::access(t), 2, Some(k));
    }
    /// `cond ? a : b`
    pub(super) fn choose(&mut self, k: K) {
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
    pub(super) fn condition(&mut self, to: Label) {
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
    pub(super) fn call(&mut self, want: Option<K>) {
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
    pub(super) fn shape(&mut self, want: &[K]) {
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
    pub(super) fn drop_top(&mut self) {
        let n = self.stack.len();
        let k = self.stack[n - 1];
        if k.slots() == 2 {
            self.op(o::POP2, 1, None);
        } else {
            self.op(o::POP, 1, None);
        }
    }
    /// Returns some value.
    pub(super) fn leave(&mut self) {
        match self.ret {
            None => self.code.op(o::RETURN),
            Some(k) => {
                self.need(&[k]);
                self.code.op(o::IRETURN + k.nth());
                self.pop(1);
            }
        }
    }
}
