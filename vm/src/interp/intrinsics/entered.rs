//! The entry of an intrinsic.

use super::super::code::slot;
use super::super::frame::Ip;
use super::super::insn::leave;
use super::super::slow::notified_return;
use super::super::translate::{MARGIN, Translated};
use super::armed::{Armed, Intrinsics};
use super::effect::{Advice, EffectPlace, Effects};
use super::loops::LOOPS;
use super::names::names_of;
use super::pieces::PIECED;
use super::sums::SUMMED;
use super::table::INTRINSICS;
use crate::classes::Method;
use crate::events::EventSet;
use crate::ids::{LoaderId, MethodId};
use crate::interp::Handler;
use crate::threads::stack::RED_ZONE;
use crate::vm::Vm;
use hashbrown::{HashMap, HashSet};

/// Bytes of stack that all frames below an intrinsic method fit in. None of these methods recurs.
const STACK: usize = 16 << 10;

/// Rows of all tables.
pub(super) const ROWS: usize = INTRINSICS.len() + LOOPS.len() + PIECED.len() + SUMMED.len();

impl Default for Intrinsics {
    fn default() -> Intrinsics {
        Intrinsics {
            armed: HashMap::default(),
            reviewed: HashSet::default(),
            effects: Effects::default(),
            learning: None,
            given_up: false,
            loops: Vec::new(),
            done: vec![0; ROWS].into(),
            returns: None,
        }
    }
}

impl Vm {
    /// How many executions of methods, and rounds of loops, were done by Rust code instead of their bytecodes.
    pub fn intrinsics_done(&self) -> u64 {
        self.code.intrinsics.done.iter().sum()
    }
    /// The same for those of one method, by internal name of the class.
    pub fn intrinsics_done_of(&self, class: &str, method: &str) -> u64 {
        let methods = INTRINSICS.iter().map(|i| i.method);
        methods
            .chain(LOOPS.iter().map(|l| l.method))
            .chain(PIECED.iter().map(|p| p.method))
            .chain(SUMMED.iter().map(|s| s.method))
            .zip(self.code.intrinsics.done.iter().copied())
            .filter(|(m, _)| m[..2] == [class, method])
            .map(|(_, n)| n)
            .sum()
    }
    /// A method has been translated: it is entered by the stub from now on if it is an intrinsic.
    pub(crate) fn arm_intrinsic(&mut self, id: MethodId) {
        let whole = self.rows_of(id, INTRINSICS, |i| i.method);
        let pieced = self.rows_of(id, PIECED, |p| p.method);
        let whole = whole.first().map(|&row| Armed::Whole(row));
        let pieced = pieced.first().map(|&row| Armed::Pieced(row));
        let summed = self.rows_of(id, SUMMED, |s| s.method);
        let summed = summed.first().map(|&row| Armed::Summed(row));
        match whole.or(pieced).or(summed) {
            Some(armed) => self.code.intrinsics.armed.insert(id, armed),
            None => self.code.intrinsics.armed.remove(&id),
        };
    }
    /// The rows of a table that are about a method, if methods run as Rust code.
    pub(super) fn rows_of<T>(
        &self,
        id: MethodId,
        rows: &'static [T],
        method: impl Fn(&T) -> [&'static str; 3],
    ) -> Vec<usize> {
        let m = self.method(id);
        let class = self.class(m.class);
        let mine = class.loader == LoaderId::BOOT && m.original == id;
        if !self.options.intrinsics || !mine || !rows.iter().any(|r| method(r)[0] == &*class.name) {
            return Vec::new();
        }
        let [name, desc] = [m.name, m.desc].map(|s| &**self.syms.str(s));
        if !self.intrinsic_is_on(&class.name, name) {
            return Vec::new();
        }
        let named = |&i: &usize| method(&rows[i]) == [&*class.name, name, desc];
        (0..rows.len()).filter(named).collect()
    }
    /// Whether HotSpot's options leave the intrinsic on that has that name.
    pub(super) fn intrinsic_is_on(&self, class: &str, method: &str) -> bool {
        let off = &self.options.intrinsics_off;
        off.allow(names_of(class, method))
    }
    /// Whether the stub enters this method.
    pub(crate) fn is_intrinsic(&self, id: MethodId) -> bool {
        self.code.intrinsics.armed.contains_key(&id)
    }
    /// A method has another body from now on. That is rare, so that none of them is an intrinsic any more.
    pub(crate) fn give_up_intrinsics(&mut self) {
        self.code.intrinsics.given_up = true;
        self.code.intrinsics.effects.clear();
        self.stop_learning();
    }
    /// Contexts are gone, or count otherwise: nothing is known of them.
    pub(crate) fn forget_intrinsic_contexts(&mut self) {
        self.code.intrinsics.effects.clear();
        self.stop_learning();
    }
    /// Whether no observer looks at single bytecodes, calls or accesses.
    pub(super) fn runs_intrinsics(&self) -> bool {
        let o = &self.options;
        let seen = o.inspectable
            || o.debuggable
            || o.traces_path
            || o.explored.is_some()
            || !o.places.is_empty();
        let events = EventSet::METHOD_ENTRY
            .and(EventSet::METHOD_EXIT)
            .and(EventSet::INSTRUCTIONS);
        !self.code.intrinsics.given_up
            && !seen
            && !self.wants(events)
            && self.instruments.is_empty()
    }
    /// An intrinsic method has been entered: does its work and continues at its return, or enters its bytecodes. The handler of the
    /// return, which has nothing to notify of.
    pub(crate) fn enter_intrinsic(&mut self) -> Option<Handler> {
        self.do_intrinsic();
        self.code.intrinsics.returns.take()
    }
    /// The same. The handler of the return is noted.
    fn do_intrinsic(&mut self) {
        let r = *self.regs();
        // SAFETY: `cs` is the top frame, the method's; it stays loaded while it runs, as its class is the boot
        // loader's. Its arguments are from the frame's first slot on.
        let (method, node, args, begin) = unsafe {
            let m: &Method = &*(*r.cs).method;
            let args = std::slice::from_raw_parts(r.fp, usize::from(m.arg_slots));
            (
                m.id,
                (*r.cs).node,
                args,
                m.translated().map(Translated::start),
            )
        };
        self.regs().ip = begin.unwrap_or_else(|| self.own_entry(method));
        let node = match self.profiling() {
            true => node,
            false => std::ptr::null_mut(),
        };
        let Some(&armed) = self.code.intrinsics.armed.get(&method) else {
            return;
        };
        if !self.runs_intrinsics() || self.is_learning(None) {
            return;
        }
        let row = match armed {
            Armed::Whole(row) => row,
            Armed::Pieced(row) => {
                let done = self.enter_pieced(&PIECED[row], method, node as usize, args);
                let at = INTRINSICS.len() + LOOPS.len() + row;
                self.code.intrinsics.done[at] += done.unwrap_or(0);
                return;
            }
            Armed::Summed(row) => {
                let done = self.enter_summed(&SUMMED[row], method, node as usize, args);
                let at = INTRINSICS.len() + LOOPS.len() + PIECED.len() + row;
                self.code.intrinsics.done[at] += u64::from(done.is_some());
                return;
            }
        };
        let Some(work) = (INTRINSICS[row].prepare)(self, args) else {
            return;
        };
        let at = EffectPlace::whole(method, work.key, node as usize);
        let code = self.regs().ip as usize;
        match self.code.intrinsics.effects.advice(at, code) {
            Advice::Leave => {}
            Advice::Learn => self.learn(at, 1, work.allocates),
            // an execution in which the heap is collected runs as bytecodes
            Advice::Known(_) if self.quick_allocations(work.allocates) == 0 => {}
            Advice::Known(effect) => {
                let look_at = |ticks| effect.look_at(ticks);
                if let Some(slice_end) = self.passes(effect.cost, look_at) {
                    self.code.intrinsics.done[row] += 1;
                    let result = (INTRINSICS[row].run)(self, &work);
                    effect.count(1);
                    self.leave_intrinsic(effect.leave, effect.cost, result, slice_end);
                }
            }
        }
    }
    /// Whether nothing observable falls into an execution that begins now: then when the slice ends
    /// after it. The execution costs so many bytecodes; see [`Effect::look_at`](super::effect::Effect::look_at).
    pub(super) fn passes(
        &mut self,
        cost: i64,
        look_at: impl Fn(i64) -> Option<i64>,
    ) -> Option<i64> {
        let ticks = self.regs().ticks;
        let end = ticks + cost;
        if end >= self.first_seen()? {
            return None;
        }
        if end < self.slice_end {
            return Some(self.slice_end);
        }
        let (mut slice_end, mut turns) = (self.slice_end, 0);
        while let Some(look) = look_at(slice_end - ticks) {
            if turns == 0 && !self.nobody_wants_a_turn(cost + MARGIN) {
                return None;
            }
            turns += 1;
            slice_end = ticks + look + self.slice_of(self.cur);
        }
        (turns <= self.turns_to_pass()).then(|| {
            self.pass_turns(turns);
            slice_end
        })
    }
    /// The first bytecode of the running thread that may be seen, except for the end of its slice. None: it may be the
    /// next one.
    pub(super) fn first_seen(&mut self) -> Option<i64> {
        let r = *self.regs();
        let room = (r.cs as usize).saturating_sub(r.fp as usize) > RED_ZONE + STACK;
        if self.attention || !room {
            return None;
        }
        let exact = [self.limits.fuel_end, self.next_stop()]
            .into_iter()
            .flatten();
        let exact = exact.map(|n| n - MARGIN);
        let sample = self.thread().next_sample;
        exact.chain(sample).min().or(Some(i64::MAX))
    }
    /// The work is done and counted except for `cost`, the bytecodes: continues at the method's return, which is at that offset.
    pub(super) fn leave_intrinsic(&mut self, leave: usize, cost: i64, result: u64, slice_end: i64) {
        let changed = slice_end != self.slice_end;
        self.slice_end = slice_end;
        let cs = self.regs().cs;
        // SAFETY: the top frame's method is translated, and the effect was learned in this translation: there is a
        // return at that offset. Its operand is a slot of the frame.
        unsafe {
            let m: &Method = &*(*cs).method;
            let code = m.translated().expect("translated");
            let ip: Ip = code.at(leave);
            let returns = m.ret != b'V';
            // nothing is learned, and nobody wants to know of exits
            let notifies = *ip.cast::<u64>() == notified_return as *const () as u64;
            self.code.intrinsics.returns = notifies.then(|| code.own_return(leave));
            let regs = self.regs();
            regs.ip = ip;
            regs.ticks += cost - i64::from(leave::ticks.get(ip));
            if returns {
                *slot(regs.fp, leave::a.get(ip)) = result;
                regs.acc = result;
                regs.facc = f64::from_bits(result);
            }
        }
        if changed {
            self.set_limit();
        }
    }
}
