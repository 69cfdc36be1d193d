//! Random statements without control flow: observations, stores, stack shuffles.

use super::*;

impl Gen<'_> {
    /// Mixes the value on top, or another, into the static `sj`, which the test compares.
    pub(super) fn observe(&mut self) {
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
    pub(super) fn observe_locals(&mut self) {
        for (x, k) in self.locals.clone() {
            self.load(x, k);
            self.observe();
        }
        while !self.stack.is_empty() {
            self.observe();
        }
    }
    pub(super) fn store_local(&mut self) {
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
    pub(super) fn put_static(&mut self) {
        let &(name, k) = &STATIC_FIELDS[self.rng.below(STATIC_FIELDS.len())];
        self.need(&[k]);
        let i = self.static_ref(name, k);
        self.code.op2(o::PUTSTATIC, i);
        self.pop(1);
    }
    pub(super) fn put_field(&mut self) {
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
    pub(super) fn put_element(&mut self) {
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
    pub(super) fn shuffle(&mut self) {
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
}
