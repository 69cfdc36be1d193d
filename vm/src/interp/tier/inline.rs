//! Small callees in the code of their callers: which there are, and what they add.
//!
//! An inlined callee has no loop and no handler of exceptions, and all that it calls is inlined, too. Its frame is where it would be
//! without: its slots are those of the caller from the first argument on. So its instructions are compiled by the same templates, with
//! other slots (`inlined`). Calls that were not executed yet, calls that are rare, and `athrow` are left to their handlers.
//! Some natives are done by the code of their callers (`leaves`).

use super::ins::{CLEARED, FRAME, Ins};
use crate::classes::Method;
use crate::ids::MethodId;
use crate::interp::code::K;
use crate::interp::insn::{Call, Layout, Operand, word};
use crate::interp::instruction::{ENDS, InsnTable, TemplateOp};
use crate::interp::ops_mem::UNCOUNTED;
use crate::interp::slow;
use crate::natives::InlinedNative;
use std::collections::BTreeMap;

/// Instructions of the largest callee that is inlined, and of all that is inlined in it, with its own.
const LARGEST: usize = 20;
const WITH_INNER: usize = 60;
/// Instructions of callees in one method, at most.
const ALL: usize = 1500;

/// A method that may be inlined.
pub(in crate::interp) struct Inlinee {
    /// Its address, and its number.
    pub method: u64,
    pub id: u32,
    /// Address of its translated code, and its words.
    pub start: u64,
    words: Vec<u64>,
    /// Offset and handler of each instruction.
    instructions: Vec<(u32, u64)>,
    /// The calls in it, by offset, with what they lead to; none: the call is left to its handler.
    inner: BTreeMap<u32, Option<Inlinee>>,
    /// The most that the ticks are more than at its beginning.
    pub most: i32,
    /// What they are more at its end, if that is always the same.
    pub fixed: Option<i32>,
    /// Its ways meet where it is not known what they have added.
    pub adjusts: bool,
    /// Its branches of which one way is expected, by offset: the one that is taken, or the other. The other way is left to the handler.
    pub expected: BTreeMap<u32, bool>,
    /// Its result is in the accumulator of whole numbers, too.
    in_acc: bool,
    /// It is a native that does this.
    pub native: Option<InlinedNative>,
}

/// The calls of a method that may be inlined, by offset, with what they may lead to.
pub(in crate::interp) type Inlinees = BTreeMap<u32, Vec<Inlinee>>;

impl Inlinee {
    /// Which methods it is made of: itself, and those in it.
    pub fn methods(&self) -> Vec<MethodId> {
        let inner = self.inner.values().flatten();
        let mut all: Vec<MethodId> = inner.flat_map(Inlinee::methods).collect();
        all.push(MethodId(self.id));
        all
    }
    /// Whether a method can be inlined, as far as that does not depend on its instructions.
    pub fn is_small(m: &Method) -> bool {
        m.translated().is_some_and(|x| {
            std::ptr::eq(m.entry, x.start())
                && m.original == m.id
                && x.may_be_entered()
                && x.landings().is_empty()
                && !x.tracks_monitors()
                && x.offsets().len() <= LARGEST
        })
    }
    /// A small method whose calls lead there. `flag` knows static fields of type `boolean` by their place. None: it is not to be inlined.
    pub fn new(
        m: &Method,
        table: &InsnTable,
        inner: BTreeMap<u32, Option<Inlinee>>,
        flag: &dyn Fn(u32) -> bool,
    ) -> Option<Inlinee> {
        let x = m.translated()?;
        let words = x.words_of_code().to_vec();
        let with_handler = x.offsets().into_iter().map(|off| (off, x.own_word(off)));
        let mut found = Inlinee {
            start: x.start() as u64,
            words,
            instructions: with_handler.collect(),
            inner,
            ..Inlinee::empty(m)
        };
        if found.total() > WITH_INNER {
            return None;
        }
        found.measure(table, flag)?;
        Some(found)
    }
    /// A native that does this.
    pub fn of_native(m: &Method, native: InlinedNative) -> Inlinee {
        Inlinee {
            fixed: Some(0),
            in_acc: native.is_in_acc(),
            native: Some(native),
            ..Inlinee::empty(m)
        }
    }
    /// The method without instructions.
    fn empty(m: &Method) -> Inlinee {
        Inlinee {
            method: std::ptr::from_ref(m) as u64,
            id: m.id.0,
            start: 0,
            words: Vec::new(),
            instructions: Vec::new(),
            inner: BTreeMap::new(),
            most: 0,
            fixed: None,
            adjusts: false,
            expected: BTreeMap::new(),
            in_acc: true,
            native: None,
        }
    }
    /// Its instructions, and the instructions inlined in it.
    fn total(&self) -> usize {
        let inner = self.inner.values().flatten().map(Inlinee::total);
        self.instructions.len() + inner.sum::<usize>()
    }
    /// Finds what its ways add to the ticks. None: there is an instruction that is not inlined.
    fn measure(&mut self, table: &InsnTable, flag: &dyn Fn(u32) -> bool) -> Option<()> {
        let all = list(&self.words, &self.instructions, table);
        let returns = self.returns(&all)?;
        // what ways to each instruction add: the most, and the first one found
        let mut most: Vec<Option<(i32, i32)>> = vec![None; all.len()];
        most[0] = Some((0, 0));
        let mut ends = Vec::new();
        for (i, x) in all.iter().enumerate() {
            let Some((mut now, mut first)) = most[i] else {
                continue;
            };
            let insn = match (x.insn, self.inner.get(&x.off)) {
                _ if self.leaves(x) => continue,
                (Some(insn), Some(Some(callee))) => {
                    let ticks = i32::from(Call::read(x.words).ticks);
                    now += ticks + callee.most;
                    first += ticks + callee.fixed.unwrap_or_default();
                    self.most = self.most.max(now);
                    self.adjusts |= callee.fixed.is_none();
                    insn
                }
                (insn, _) => insn.filter(|_| is_inlined(x))?,
            };
            let expected = by_flag(&all[..i], x, flag).or_else(|| by_returns(&all, i, &returns));
            self.expected.extend(expected.map(|taken| (x.off, taken)));
            let mut reach = |to: usize, (now, first): (i32, i32)| {
                let (before, known) = most.get(to).copied()?.unwrap_or((now, first));
                self.adjusts |= known != first;
                most[to] = Some((before.max(now), known));
                Some(())
            };
            let edges = insn.edges(x.words).into_iter();
            for half in edges.filter(|_| expected != Some(false)) {
                let to = edge(&all, x, half)?;
                let ticks = i32::from(x.half(half * 4 + 4) as i16);
                self.most = self.most.max(now + ticks);
                reach(to, (now + ticks, first + ticks))?;
            }
            if insn.does & ENDS == 0 && expected != Some(true) {
                reach(i + 1, (now, first))?;
            }
            if let TemplateOp::Return { letter, .. } = insn.op {
                ends.push(first + x.int(12));
                self.most = self.most.max(now + x.int(12));
                // each of them: returns from slots are of no certain type
                self.in_acc &= !matches!(letter, b'V' | b'F' | b'D');
            }
        }
        let end = *ends.first()?;
        let same = !self.adjusts && ends.iter().all(|&e| e == end);
        self.fixed = Some(end).filter(|_| same);
        Some(())
    }
    /// Whether it leaves the instruction to its handler.
    fn leaves(&self, x: &Ins<'_>) -> bool {
        let is_rare = matches!(self.inner.get(&x.off), Some(None));
        x.insn.is_none() || is_rare || x.handler == word(slow::athrow)
    }
    /// From which instructions on it can return without leaving one to its handler. None: a way leads back.
    fn returns(&self, all: &[Ins<'_>]) -> Option<Vec<bool>> {
        let mut found = vec![false; all.len()];
        for (i, x) in all.iter().enumerate().rev() {
            let Some(insn) = x.insn.filter(|_| !self.leaves(x)) else {
                continue;
            };
            found[i] = x.returns() || insn.does & ENDS == 0 && found.get(i + 1) == Some(&true);
            for half in insn.edges(x.words) {
                let to = edge(all, x, half).filter(|&to| to > i)?;
                found[i] |= found[to];
            }
        }
        Some(found)
    }
    /// Its code with its slots from `first` on, and the code inlined in it. None: there are not as many slots.
    fn placed(&self, table: &InsnTable, first: u16) -> Option<BodyWords<'_>> {
        let words = shifted(self, table, first)?;
        let mut inner = Vec::new();
        for (i, (off, _)) in self.instructions.iter().enumerate() {
            if let Some(Some(callee)) = self.inner.get(off) {
                let first = Call::read(&words[*off as usize / 8..]).first;
                let bodies = vec![callee.placed(table, first)?];
                inner.push(InlinedWords { i, first, bodies });
            }
        }
        Some(BodyWords {
            callee: self,
            words,
            inner,
        })
    }
}

/// Where the edge in that half-word leads.
fn edge(all: &[Ins<'_>], x: &Ins<'_>, half: usize) -> Option<usize> {
    let to = x.off.wrapping_add_signed(x.int(half * 4));
    all.binary_search_by_key(&to, |x| x.off).ok()
}

/// Which way of a branch behind these instructions is expected because a static field of type `boolean` decides: it is mostly a
/// constant (`COMPACT_STRINGS`, `$assertionsDisabled`). The answer is whether it is taken.
fn by_flag(before: &[Ins<'_>], x: &Ins<'_>, flag: &dyn Fn(u32) -> bool) -> Option<bool> {
    let (Some(before), Some(branch)) = (before.last(), x.insn) else {
        return None;
    };
    let TemplateOp::IfInt(condition) = branch.op else {
        return None;
    };
    let [(_, K::A), (constant, K::I), ..] = branch.places[..] else {
        return None;
    };
    let field = before.insn?;
    let loads = matches!(field.op, TemplateOp::GetStatic(b'Z')) && field.result == Some(false);
    if !loads || x.target {
        return None;
    }
    let constant = branch.fields.iter().find(|f| f.name == constant)?;
    let constant = match constant.bytes {
        2 => i32::from(x.half(constant.at) as i16),
        _ => x.int(constant.at),
    };
    let value = i32::from(flag(before.int(12) as u32));
    Some(condition.holds(value.cmp(&constant)))
}

/// Which way is expected because only that one returns (`returns`).
fn by_returns(all: &[Ins<'_>], i: usize, returns: &[bool]) -> Option<bool> {
    let x = &all[i];
    let insn = x.insn?;
    if !matches!(insn.op, TemplateOp::IfInt(_) | TemplateOp::IfLong(_)) {
        return None;
    }
    let [half] = insn.edges(x.words)[..] else {
        return None;
    };
    let taken = returns[edge(all, x, half)?];
    (taken != *returns.get(i + 1)?).then_some(taken)
}

fn list<'a>(words: &'a [u64], instructions: &[(u32, u64)], table: &'a InsnTable) -> Vec<Ins<'a>> {
    let mut all: Vec<Ins<'a>> = Vec::new();
    let mut targets = Vec::new();
    for &(off, handler) in instructions {
        let x = Ins {
            off,
            insn: table.find(handler),
            words: &words[off as usize / 8..],
            handler,
            target: false,
            entry: false,
            inlined: None,
        };
        let edges = x.insn.map(|insn| insn.edges(x.words)).unwrap_or_default();
        targets.extend(
            edges
                .into_iter()
                .map(|half| off.wrapping_add_signed(x.int(half * 4))),
        );
        all.push(x);
    }
    for x in &mut all {
        x.target = targets.contains(&x.off);
        x.entry = x.target;
    }
    all
}

/// Whether a callee with this instruction, which is not a call, can be inlined.
pub(super) fn is_inlined(x: &Ins<'_>) -> bool {
    use TemplateOp::*;
    let Some(insn) = x.insn else { return false };
    match insn.op {
        New(counted) => counted == UNCOUNTED && x.int(16) as u32 <= CLEARED,
        NewArray(counted) => counted == UNCOUNTED,
        Binary(_)
        | Compare(_)
        | Unary(_)
        | Move
        | MoveFloat
        | MoveTwo
        | MoveAdd
        | Add
        | Constant
        | Cell
        | GetField(_)
        | PutField(_)
        | GetStatic(_)
        | PutStatic(_)
        | ArrayLength
        | Load(_)
        | Store(_)
        | CheckCast
        | InstanceOf
        | RegisterFinalizer
        | IfInt(_)
        | IfLong(_)
        | IfFloat { .. }
        | AddIf(_)
        | Jump
        | Return { .. } => true,
        TableSwitch
        | LookupSwitch
        | CheckLimit
        | Call { .. }
        | CheckFrame
        | MonitorEnter
        | MonitorExit
        | Lock
        | Unlock
        | Other => false,
    }
}

/// The words of a callee whose slots are those from `first` on. None: there are not as many slots.
fn shifted(of: &Inlinee, table: &InsnTable, first: u16) -> Option<Vec<u64>> {
    let mut words = of.words.clone();
    for &(off, handler) in &of.instructions {
        // left to its handler
        let Some(insn) = table.find(handler) else {
            continue;
        };
        let is_call = matches!(insn.op, TemplateOp::Call { .. });
        let moves = is_call && Call::read(&words[off as usize / 8..]).moved_to != 0;
        // bytes at which slots are named
        let mut places: Vec<usize> = Vec::new();
        for f in insn.fields {
            if is_call && !moves && f.name.starts_with("moved_") {
                continue;
            }
            let place = insn.places.iter().find(|p| p.0 == f.name);
            if place.map_or(f.what == Operand::Slot, |p| p.1 == K::S) {
                places.push(f.at);
            }
        }
        if insn.result == Some(true) {
            places.push(10);
        }
        places.sort_unstable();
        places.dedup();
        for at in places {
            let word = &mut words[(off as usize + at) / 8];
            let shift = at % 8 * 8;
            let slot = (*word >> shift) as u16;
            let new = slot.checked_add(first)?;
            *word = *word & !(0xffff << shift) | u64::from(new) << shift;
        }
    }
    Some(words)
}

/// A call, and the code of what it may lead to.
pub(super) struct InlinedWords<'a> {
    /// Which instruction it is.
    pub i: usize,
    first: u16,
    bodies: Vec<BodyWords<'a>>,
}

/// The code of a callee, and the code of its callees.
struct BodyWords<'a> {
    callee: &'a Inlinee,
    words: Vec<u64>,
    inner: Vec<InlinedWords<'a>>,
}

/// A call and the instructions of what it may lead to.
pub(super) struct InlinedCall<'a> {
    pub bodies: Vec<InlinedBody<'a>>,
    /// The slot that has the result, which is in the accumulator, too.
    pub result: Option<u16>,
    /// How far behind the caller's slot 0 the stack is to be free for what it calls in turn.
    pub room: i32,
}

/// A callee's instructions, and its calls.
pub(super) struct InlinedBody<'a> {
    pub callee: &'a Inlinee,
    pub all: Vec<Ins<'a>>,
    pub inner: Vec<InlinedCall<'a>>,
}

/// Which calls of a method are inlined.
pub(super) fn choose<'a>(
    all: &[Ins<'_>],
    inlinees: &'a Inlinees,
    table: &InsnTable,
) -> Vec<InlinedWords<'a>> {
    let mut left = ALL;
    let mut chosen = Vec::new();
    for (i, x) in all.iter().enumerate() {
        let Some(callees) = inlinees.get(&x.off) else {
            continue;
        };
        let first = Call::read(x.words).first;
        let mut bodies = Vec::new();
        for callee in callees {
            let n = callee.total();
            if n <= left
                && let Some(body) = callee.placed(table, first)
            {
                left -= n;
                bodies.push(body);
            }
        }
        if !bodies.is_empty() {
            chosen.push(InlinedWords { i, first, bodies });
        }
    }
    chosen
}

impl<'a> InlinedWords<'a> {
    /// Its instructions; it is a call in code with so many callees around it.
    pub fn call(&'a self, table: &'a InsnTable, depth: i32) -> InlinedCall<'a> {
        let bodies: Vec<InlinedBody<'a>> = self
            .bodies
            .iter()
            .map(|b| b.body(table, depth + 1))
            .collect();
        let inner = bodies.iter().flat_map(|b| &b.inner).map(|c| c.room);
        let own = i32::from(self.first) * 8 + depth * FRAME;
        InlinedCall {
            result: self
                .bodies
                .iter()
                .all(|b| b.callee.in_acc)
                .then_some(self.first),
            room: inner.fold(own, i32::max),
            bodies,
        }
    }
}

impl<'a> BodyWords<'a> {
    fn body(&'a self, table: &'a InsnTable, depth: i32) -> InlinedBody<'a> {
        let mut all = list(&self.words, &self.callee.instructions, table);
        for (n, c) in self.inner.iter().enumerate() {
            all[c.i].inlined = Some(n);
        }
        InlinedBody {
            callee: self.callee,
            all,
            inner: self.inner.iter().map(|c| c.call(table, depth)).collect(),
        }
    }
}
