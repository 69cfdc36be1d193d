//! Values and frames of the reference: operand stack, locals, and what instructions do with them alone.

use rjvm_classfile::opcodes as o;

/// A value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum V {
    I(i32),
    J(i64),
    F(f32),
    D(f64),
    /// A reference: 0 is null.
    A(u32),
    /// A return address of a subroutine.
    Ret(usize),
}

impl V {
    pub fn wide(self) -> bool {
        matches!(self, V::J(_) | V::D(_))
    }
    pub fn zero(desc: u8) -> V {
        match desc {
            b'J' => V::J(0),
            b'F' => V::F(0.0),
            b'D' => V::D(0.0),
            b'L' | b'[' => V::A(0),
            _ => V::I(0),
        }
    }
}

/// A method under way.
pub struct Frame {
    pub m: u16,
    pub context: usize,
    pub locals: Vec<V>,
    pub stack: Vec<V>,
    pub pc: usize,
}

impl Frame {
    pub fn pop(&mut self) -> V {
        self.stack.pop().expect("an operand")
    }
    pub fn int(&mut self) -> i32 {
        let V::I(v) = self.pop() else {
            panic!("an int")
        };
        v
    }
    pub fn long(&mut self) -> i64 {
        let V::J(v) = self.pop() else {
            panic!("a long")
        };
        v
    }
    pub fn float(&mut self) -> f32 {
        let V::F(v) = self.pop() else {
            panic!("a float")
        };
        v
    }
    pub fn double(&mut self) -> f64 {
        let V::D(v) = self.pop() else {
            panic!("a double")
        };
        v
    }
    pub fn obj(&mut self) -> u32 {
        let V::A(v) = self.pop() else {
            panic!("a reference")
        };
        v
    }
    pub fn store(&mut self, x: usize) {
        self.locals[x] = self.pop();
    }
    pub fn inc(&mut self, x: usize, n: i32) {
        let V::I(v) = self.locals[x] else {
            panic!("an int")
        };
        self.locals[x] = V::I(v.wrapping_add(n));
    }
    pub fn address(&self, x: usize) -> usize {
        let V::Ret(to) = self.locals[x] else {
            panic!("a return address")
        };
        to
    }
    /// dup to swap, by slots: the top one or two slots are inserted below the slots under them.
    pub fn shuffle(&mut self, op: u8) {
        let (take, under) = match op {
            o::DUP => (1, 0),
            o::DUP_X1 => (1, 1),
            o::DUP_X2 => (1, 2),
            o::DUP2 => (2, 0),
            o::DUP2_X1 => (2, 1),
            o::DUP2_X2 => (2, 2),
            _ => {
                let (b, a) = (self.pop(), self.pop());
                return self.stack.extend([b, a]);
            }
        };
        let mut group = |n: usize| {
            let (mut got, mut slots) = (Vec::new(), 0);
            while slots < n {
                let v = self.pop();
                slots += 1 + v.wide() as usize;
                got.insert(0, v);
            }
            got
        };
        let (top, below) = (group(take), group(under));
        self.stack.extend(&top);
        self.stack.extend(below);
        self.stack.extend(top);
    }
}

pub fn holds(cond: u8, a: i32, b: i32) -> bool {
    [a == b, a != b, a < b, a >= b, a > b, a <= b][cond as usize]
}

pub fn narrow(desc: u8, v: V) -> V {
    match (desc, v) {
        (b'Z', V::I(v)) => V::I(v & 1),
        (b'B', V::I(v)) => V::I(v as i8 as i32),
        (b'C', V::I(v)) => V::I(v as u16 as i32),
        (b'S', V::I(v)) => V::I(v as i16 as i32),
        (_, v) => v,
    }
}

pub fn unary(op: u8, v: V) -> V {
    match (op, v) {
        (o::INEG, V::I(v)) => V::I(v.wrapping_neg()),
        (o::LNEG, V::J(v)) => V::J(v.wrapping_neg()),
        (o::FNEG, V::F(v)) => V::F(-v),
        (o::DNEG, V::D(v)) => V::D(-v),
        (o::I2L, V::I(v)) => V::J(v.into()),
        (o::I2F, V::I(v)) => V::F(v as f32),
        (o::I2D, V::I(v)) => V::D(v.into()),
        (o::L2I, V::J(v)) => V::I(v as i32),
        (o::L2F, V::J(v)) => V::F(v as f32),
        (o::L2D, V::J(v)) => V::D(v as f64),
        (o::F2I, V::F(v)) => V::I(v as i32),
        (o::F2L, V::F(v)) => V::J(v as i64),
        (o::F2D, V::F(v)) => V::D(v.into()),
        (o::D2I, V::D(v)) => V::I(v as i32),
        (o::D2L, V::D(v)) => V::J(v as i64),
        (o::D2F, V::D(v)) => V::F(v as f32),
        (o::I2B, V::I(v)) => V::I(v as i8 as i32),
        (o::I2C, V::I(v)) => V::I(v as u16 as i32),
        (o::I2S, V::I(v)) => V::I(v as i16 as i32),
        (op, v) => panic!("{} of {v:?}", o::name(op)),
    }
}
