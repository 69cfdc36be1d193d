//! Random control flow: conditions, loops, switches, handlers, subroutines.

use super::*;

impl Gen<'_> {
    pub(super) fn if_else(&mut self) -> bool {
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
    pub(super) fn loop_(&mut self) -> bool {
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
    pub(super) fn has_branch(&mut self, exit: Label) -> bool {
        self.scratch.clear();
        self.code.is_target(exit)
    }
    pub(super) fn switch(&mut self) -> bool {
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
    pub(super) fn try_catch(&mut self) -> bool {
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
    pub(super) fn jsr(&mut self) {
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
