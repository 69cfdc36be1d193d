//! The translation of control flow: comparisons, branches, loops, switches and returns.

use super::super::code::K;
use super::super::handler::Handler;
use super::super::insn::{
    Branch, IncBranch, Increment, Jump, LOOKUP_ENTRY, Layout, Leave, LeaveWith, Lock, LookupSwitch,
    Operation, Plain, Replaced, SubroutineReturn, TABLE_ENTRY, TableSwitch, branch, edge_word,
    inc_branch, jump, lookup_entry, lookup_switch, word,
};
use super::super::ops_flow::{self as of, C};
use super::super::{ops_arith as oa, ops_call as oc, ops_mem as om, ops_sync, slow};
use super::scan::{s2, s4};
use super::translated::Edge;
use super::translator::{E, Tr};
use super::values::{Ent, V};
use rjvm_classfile::opcodes as o;

impl Tr<'_> {
    fn is_free(&self, branch: u16, target: u16) -> bool {
        self.count && self.scan.free == Some((branch, target))
    }
    fn edge_from(&self, branch: u16, target: u16) -> Edge {
        Edge {
            free: self.is_free(branch, target),
            ..Edge::new(branch, target)
        }
    }
    /// Whether the edge from a bytecode to the one at index `target` counts.
    fn counts(&self, branch: u16, target: i64) -> bool {
        self.count
            && self
                .scan
                .number(target as u16)
                .is_none_or(|t| !self.is_free(branch, t))
    }
    /// lcmp, fcmpl…: fused with a following `if`.
    pub(super) fn compare(&mut self, i: usize, op: u8) -> E<()> {
        let (b, a) = (self.pop()?, self.pop()?);
        let next = self.scan.bcis.get(i + 1).map(|&p| p as usize);
        if let Some(np) = next
            && self.shapes.is_none()
            && self.scan.marks[i + 1] == 0
            && (o::IFEQ..=o::IFLE).contains(&self.code[np])
        {
            // the `if` is translated here; `bytecode` sees it again and must skip it
            self.idx += 1;
            let c = C::from(self.code[np] - o::IFEQ);
            let target = np as i64 + s2(self.code, np) as i64;
            self.skip = true;
            let count = self.counts(self.idx, target);
            if op == o::LCMP {
                return self.branch(c, a, b, target, |c, a, b| of::branch_long(count, c, a, b));
            }
            let double = matches!(op, o::DCMPL | o::DCMPG);
            // the comparison's result with a NaN is -1 (…l) or 1 (…g)
            let r = if matches!(op, o::FCMPL | o::DCMPL) {
                -1
            } else {
                1
            };
            let nan = match c {
                C::Eq => false,
                C::Ne => true,
                C::Lt | C::Le => r < 0,
                C::Ge | C::Gt => r > 0,
            };
            // with a NaN the comparison itself is false except for Ne
            return self.branch_no_swap(c, a, b, target, |c, ka, kb| {
                of::branch_float(count, double, c, nan && c != C::Ne, ka, kb)
            });
        }
        let (kb, bv) = self.b_op(b);
        let (ka, av) = self.a_op(a);
        let operands = Operation { a: av, d: 0, b: bv };
        self.result(|d| oa::binary(op, ka, kb, d), operands, b'I');
        Ok(())
    }
    pub(super) fn branch_int(&mut self, c: C, a: Ent, b: Ent, target: i64) -> E<()> {
        let count = self.counts(self.idx, target);
        self.branch(c, a, b, target, |c, a, b| of::branch_int(count, c, a, b))
    }
    pub(super) fn branch(
        &mut self,
        c: C,
        a: Ent,
        b: Ent,
        target: i64,
        h: impl Fn(C, K, K) -> Handler,
    ) -> E<()> {
        if matches!(a.v, V::Imm(_)) && !matches!(b.v, V::Imm(_)) {
            return self.branch_no_swap(c.swap(), b, a, target, h);
        }
        self.branch_no_swap(c, a, b, target, h)
    }
    /// Compare and branch; what stays on the stack goes to its slots first.
    pub(super) fn branch_no_swap(
        &mut self,
        c: C,
        a: Ent,
        b: Ent,
        target: i64,
        h: impl Fn(C, K, K) -> Handler,
    ) -> E<()> {
        let t = self.scan.number(target as u16).ok_or("bad branch target")?;
        let (kb, bv) = self.b_op(b);
        let (ka, av) = self.a_op(a);
        // moves do not touch the accumulators, and spills only patch earlier instructions
        if !self.st.is_empty() {
            // a spilled accumulator entry would be another value than the operand: operands come first
            self.flush_keeping_acc();
        }
        let dt = self.edge(self.idx, t);
        let branch = Branch {
            a: av,
            b: bv,
            edge: edge_word(dt),
        };
        let p = self.emit(h(c, ka, kb), branch);
        let edge = self.edge_from(self.idx, t);
        self.fix(branch::edge.half(p), p, edge);
        Ok(())
    }
    pub(super) fn flush_keeping_acc(&mut self) {
        for i in 0..self.st.len() {
            let e = self.st[i];
            if e.v == V::Acc {
                // the operand and this entry cannot both be the accumulator alone
                self.spill(e.float());
            } else {
                self.materialize(i);
            }
        }
    }
    pub(super) fn jump(&mut self, s: u16, target: i64) -> E<()> {
        let t = self.scan.number(target as u16).ok_or("bad branch target")?;
        self.flush();
        let edge = self.edge_from(s, t);
        self.emit_jump(self.edge(s, t), edge);
        self.end();
        Ok(())
    }
    fn emit_jump(&mut self, dt: i32, edge: Edge) {
        let count = self.count && !edge.free;
        let jump = Jump {
            edge: edge_word(dt),
        };
        let p = self.emit(of::jump(count), jump);
        self.fix(jump::edge.half(p), p, edge);
    }
    /// A backward `goto` (bytecode `s`) to a short condition: the condition is repeated here, so a
    /// round of the loop takes one dispatch less. Ticks are those of the way through the `goto`.
    pub(super) fn loop_end(&mut self, s: u16, first: u16, branch: u16) -> E<()> {
        self.watch_ahead(s, first..=branch);
        let (code, bcis) = (self.code, &self.scan.bcis);
        let at = |n: u16| bcis[n as usize] as usize;
        let local = |pc: usize| match code[pc] {
            o::ILOAD => code[pc + 1] as u16,
            op => (op - o::ILOAD_0) as u16,
        };
        let a = local(at(first));
        let bpc = at(branch);
        let (c, kb, bv) = if branch == first + 1 {
            (C::from(code[bpc] - o::IFEQ), K::I, 0)
        } else {
            let pc = at(first + 1);
            let c = C::from(code[bpc] - o::IF_ICMPEQ);
            match code[pc] {
                op @ o::ICONST_M1..=o::ICONST_5 => (c, K::I, op as i32 - o::ICONST_0 as i32),
                o::BIPUSH => (c, K::I, code[pc + 1] as i8 as i32),
                o::SIPUSH => (c, K::I, s2(code, pc)),
                _ => (c, K::S, local(pc) as i32),
            }
        };
        let exit = self
            .scan
            .number((bpc as i64 + s2(code, bpc) as i64) as u16)
            .ok_or("bad branch target")?;
        // the condition's bytecodes count too
        let condition = (branch - first) as i32 + 1;
        let back = self.edge(s, branch + 1) + condition;
        // the way on is that through the `goto` and past the branch, the way out that through both
        let around = Some((s, first));
        let on = Edge {
            before: around,
            target: branch + 1,
            branch: None,
            free: self.is_free(s, first),
        };
        let count = self.count && !on.free;
        let out = Edge {
            before: around,
            ..Edge::new(branch, exit)
        };
        let inverse = match c {
            C::Eq => C::Ne,
            C::Ne => C::Eq,
            C::Lt => C::Ge,
            C::Ge => C::Lt,
            C::Gt => C::Le,
            C::Le => C::Gt,
        };
        // continue in the loop: on to the bytecode after the branch
        let edge = edge_word(back);
        match self
            .last_increment(a)
            .filter(|_| kb != K::S || bv as u16 != a)
        {
            Some(by) => {
                let p = self.last;
                self.out.truncate(p);
                let old = self.covers.pop().expect("the increment");
                self.uncovered = old.first;
                let branch = IncBranch {
                    by,
                    local: a,
                    b: bv,
                    edge,
                };
                let p2 = self.emit(of::inc_branch(count, inverse, kb), branch);
                debug_assert_eq!(p, p2);
                let cover = self.covers.last_mut().expect("emitted");
                cover.map = old.map;
                self.fix(inc_branch::edge.half(p), p, on);
            }
            None => {
                let (ka, av) = if self.acc == Some(a) {
                    (K::A, 0)
                } else {
                    (K::S, a)
                };
                let branch = Branch { a: av, b: bv, edge };
                let p = self.emit(of::branch_int(count, inverse, ka, kb), branch);
                self.fix(branch::edge.half(p), p, on);
            }
        }
        self.covers.last_mut().expect("emitted").more = condition as u16;
        self.emit_jump(self.edge(s, exit) + condition, out);
        let cover = self.covers.last_mut().expect("emitted");
        (cover.idx, cover.first, cover.jump) = (branch, first, s);
        cover.before = branch - first;
        cover.pot = self.scan.pot[s as usize] as u16 + condition as u16;
        self.end();
        Ok(())
    }
    /// What the instruction before adds to local `x`, if it does just that, and it is little.
    fn last_increment(&self, x: u16) -> Option<i16> {
        if self.last == usize::MAX || self.pending_map != 0 || self.out[self.last] != word(oa::iinc)
        {
            return None;
        }
        let last = Increment::read(&self.out[self.last..]);
        i16::try_from(last.by).ok().filter(|_| last.to == x)
    }
    pub(super) fn ret_sub(&mut self, x: u16) -> E<()> {
        self.flush();
        let pot = self.scan.pot[self.idx as usize] as i32;
        let ret = SubroutineReturn {
            address: x,
            ticks: pot + 1,
        };
        self.emit(slow::ret_subroutine, ret);
        self.end();
        Ok(())
    }
    pub(super) fn switch(&mut self, s: u16, pc: usize, op: u8) -> E<()> {
        let code = self.code;
        let v = self.pop()?;
        let (k, a) = self.a_op(v);
        self.flush_keeping_acc();
        let q = (pc + 4) & !3;
        let default = s4(code, q) as i64;
        let target = |t: &Self, off: i64| {
            t.scan
                .number((pc as i64 + off) as u16)
                .ok_or("bad switch target")
        };
        if op == o::TABLESWITCH {
            let (low, high) = (s4(code, q + 4), s4(code, q + 8));
            let n = (high as i64 - low as i64 + 1) as usize;
            let h = of::switch(self.count, true, k == K::S);
            let mut edges = Vec::with_capacity(n + 1);
            let mut targets = Vec::with_capacity(n + 1);
            for j in 0..=n {
                let off = if j == 0 {
                    default
                } else {
                    s4(code, q + 12 + (j - 1) * 4) as i64
                };
                let t = target(self, off)?;
                targets.push(t);
                edges.push(edge_word(self.edge(s, t)));
            }
            let count = n as u32;
            let p = self.emit(h, TableSwitch { a, count, low });
            let first = self.out.len();
            self.out.extend(edges);
            for (j, t) in targets.into_iter().enumerate() {
                self.fix((first + j * TABLE_ENTRY / 8) * 2, p, Edge::new(s, t));
            }
        } else {
            let n = s4(code, q + 4) as usize;
            let h = of::switch(self.count, false, k == K::S);
            let d = target(self, default)?;
            let mut entries = Vec::with_capacity(2 * n);
            let mut targets = Vec::with_capacity(n);
            for j in 0..n {
                let key = s4(code, q + 8 + j * 8);
                let t = target(self, s4(code, q + 12 + j * 8) as i64)?;
                entries.extend(lookup_entry(key, edge_word(self.edge(s, t))));
                targets.push(t);
            }
            let (count, default) = (n as u32, edge_word(self.edge(s, d)));
            let p = self.emit(h, LookupSwitch { a, count, default });
            self.fix(lookup_switch::default.half(p), p, Edge::new(s, d));
            let first = self.out.len();
            self.out.extend(entries);
            for (j, t) in targets.into_iter().enumerate() {
                let at = lookup_entry::edge.half(first + j * LOOKUP_ENTRY / 8);
                self.fix(at, p, Edge::new(s, t));
            }
        }
        self.end();
        Ok(())
    }
    /// Number of the bytecode at `target`, if it is a return that does nothing else.
    pub(super) fn plain_return_at(&self, target: i64) -> Option<u16> {
        let plain = !self.sync && !self.tracked && !self.object_init && !self.scan.has_jsr;
        let op = self.code.get(target as usize)?;
        let number = self.scan.number(target as u16)?;
        (plain && (o::IRETURN..=o::RETURN).contains(op)).then_some(number)
    }
    /// A `goto` (bytecode `s`) to a plain return returns; both count.
    pub(super) fn jump_to_return(&mut self, s: u16, number: u16) -> E<()> {
        self.watch_ahead(s, number..=number);
        let op = self.code[self.scan.bcis[number as usize] as usize];
        let pot = self.scan.pot[s as usize] + 1;
        let edge = self.edge_from(s, number);
        if self.count && !edge.free {
            self.flush();
            let none = Jump { edge: edge_word(0) };
            let p = self.emit(of::count_edge, none);
            self.fix(jump::edge.half(p), p, edge);
        }
        self.return_op(op, pot as i32 + 1)?;
        let cover = self.covers.last_mut().expect("emitted");
        (cover.idx, cover.first, cover.jump) = (number, number, s);
        cover.before += 1;
        cover.pot = pot as u16;
        Ok(())
    }
    /// `ticks`: bytecodes up to the return, it included.
    pub(super) fn return_op(&mut self, op: u8, ticks: i32) -> E<()> {
        if op == o::RETURN {
            let map = self.map_now();
            self.leave_monitor(map);
            if self.object_init {
                self.pending_map = self.map_now();
                self.emit(om::register_finalizer, Plain {});
            }
            self.emit(
                oc::return_handler(b'V', K::S, self.prof),
                Leave { a: 0, ticks },
            );
            self.end();
            return Ok(());
        }
        if self.sync || self.tracked {
            // the monitor's exit may throw; the value waits in its slot, which the map still has
            self.spill_all();
            let map = self.map_now();
            let e = self.pop()?;
            let s = self.slot_of(e);
            self.forget();
            self.leave_monitor(map);
            self.push(V::Slot(s), e.t);
        }
        if op == o::DRETURN
            && let Some(number) = self.replaced_result()
        {
            self.spill_all();
            let result = self.pop()?.at;
            self.forget();
            self.emit(slow::replace_result, Replaced { result, number });
            self.push(V::Tmp, b'D');
        }
        let e = self.pop()?;
        let ty = match op {
            o::IRETURN => b'I',
            o::LRETURN => b'J',
            o::FRETURN => b'F',
            o::DRETURN => b'D',
            _ => b'L',
        };
        if let V::Imm(v) = e.v {
            let value = v as u64;
            self.emit(
                oc::return_handler(ty, K::I, self.prof),
                LeaveWith { ticks, value },
            );
        } else {
            let (k, a) = self.a_op(e);
            self.emit(oc::return_handler(ty, k, self.prof), Leave { a, ticks });
        }
        self.end();
        Ok(())
    }
    /// The number of the result that the method returns instead of what its bytecode computes: it hands its arguments on, and
    /// so still has them.
    fn replaced_result(&self) -> Option<u32> {
        let (one, two) = (
            [o::DLOAD_0, o::INVOKESTATIC].as_slice(),
            [o::DLOAD_0, o::DLOAD_2, o::INVOKESTATIC].as_slice(),
        );
        let hands_on =
            |head: &[u8]| self.code.starts_with(head) && self.code.len() == head.len() + 3;
        if !hands_on(one) && !hands_on(two) {
            return None;
        }
        let m = self.vm.method(self.id);
        let class = self.vm.class(m.class);
        let (name, desc) = (self.vm.syms.str(m.name), self.vm.syms.str(m.desc));
        let boot = class.loader == crate::LoaderId::BOOT;
        let found = || self.vm.natives.find_result(&class.name, name, desc);
        boot.then(found).flatten()
    }
    fn leave_monitor(&mut self, map: u32) {
        if self.tracked {
            self.pending_map = map;
            self.emit(slow::leave_tracked, Plain {});
        } else if self.sync {
            self.pending_map = map;
            let lock = self.max_locals;
            let exit = match self.explored {
                None => ops_sync::sync_exit,
                Some(_) => slow::sync_exit,
            };
            self.emit(exit, Lock { lock });
        }
    }
}
