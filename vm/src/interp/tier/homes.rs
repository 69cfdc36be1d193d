//! Which slots have registers, and where: copies of slots in memory, so that code waits for no store to be read back.
//!
//! All stores to slots happen as without: memory is right at every instruction, and a register is only ever read instead of it.
//! So what leaves compiled code needs nothing, a collection may change slots, and where compiled code is entered, registers are
//! loaded. Registers are chosen for each loop, for the slots that it reads most. Calls, and instructions left to handlers, lose them.

use super::asm::*;
use super::ins::{Ins, goes_on};
use crate::interp::code::K;
use crate::interp::insn::{Call, Layout};
use crate::interp::instruction::{CALLS, TemplateOp};
use crate::interp::ops_arith::LLOW;
use rjvm_classfile::opcodes as o;

/// Registers for whole slots.
pub(super) const GENERAL: [Gpr; 6] = [RBX, RBP, R12, R13, R14, R15];
/// The first of those for floating-point numbers; the others follow.
pub(super) const FIRST_FLOAT: u8 = 4;
/// Registers of both kinds: the general ones come first.
const HOMES: usize = GENERAL.len() + 12;
/// No slot.
const NONE: u16 = u16::MAX;
/// Slots from this one on have no registers.
const SLOTS: u16 = 64;
/// Instructions and loops of the largest method whose slots get registers.
const LARGEST: (usize, usize) = (6000, 100);
/// Loops in loops that count.
const DEEPEST: u32 = 4;

/// The slot of each register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Homes([u16; HOMES]);

/// How a value is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    General,
    Float,
    /// It is moved.
    Either,
}

/// Sets of slots: those with a general register, those with the other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Slots([u64; 2]);

impl Slots {
    pub fn has(self, slot: u16, float: bool) -> bool {
        slot < SLOTS && self.0[usize::from(float)] >> slot & 1 != 0
    }
    fn add(&mut self, slot: u16, float: bool) {
        if slot < SLOTS {
            self.0[usize::from(float)] |= 1 << slot;
        }
    }
    fn remove(&mut self, slot: u16) {
        if slot < SLOTS {
            self.0.iter_mut().for_each(|s| *s &= !(1 << slot));
        }
    }
    fn join(&mut self, other: Slots) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }
}

impl Homes {
    pub const EMPTY: Homes = Homes([NONE; HOMES]);
    fn places(float: bool) -> std::ops::Range<usize> {
        match float {
            false => 0..GENERAL.len(),
            true => GENERAL.len()..HOMES,
        }
    }
    /// Which register has a slot.
    pub fn of(&self, slot: u16, float: bool) -> Option<usize> {
        Self::places(float).find(|&h| self.0[h] == slot && slot != NONE)
    }
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }
    pub fn set(&mut self, home: usize, slot: u16) {
        self.0[home] = slot;
    }
    /// No register has that slot any more.
    pub fn remove(&mut self, slot: u16) {
        self.0
            .iter_mut()
            .filter(|s| **s == slot)
            .for_each(|s| *s = NONE);
    }
    /// No register has that slot, or one behind it.
    pub fn remove_from(&mut self, slot: u16) {
        self.0
            .iter_mut()
            .filter(|s| **s >= slot)
            .for_each(|s| *s = NONE);
    }
    /// What these have that `other` has not: registers with their slots.
    pub fn missing(self, other: Homes) -> impl Iterator<Item = (usize, u16)> {
        let pairs = self.0.into_iter().zip(other.0).enumerate();
        pairs
            .filter(|(_, (a, b))| *a != NONE && a != b)
            .map(|(h, (a, _))| (h, a))
    }
    fn only(mut self, slots: Slots) -> Homes {
        for (h, s) in self.0.iter_mut().enumerate() {
            if !slots.has(*s, h >= GENERAL.len()) {
                *s = NONE;
            }
        }
        self
    }
}

/// What an instruction does with slots, as far as registers are concerned.
#[derive(Default, Debug)]
pub(super) struct SlotUse {
    pub reads: Vec<(u16, Kind)>,
    pub writes: Vec<(u16, Kind)>,
    /// Registers are lost.
    pub loses: bool,
}

fn by_letter(t: u8) -> Kind {
    match t {
        b'F' | b'D' => Kind::Float,
        _ => Kind::General,
    }
}

/// The kinds of operands and result.
fn kinds(op: TemplateOp) -> (Kind, Kind) {
    use Kind::*;
    match op {
        TemplateOp::Binary(op) => match op {
            o::IADD..=o::DREM if (op - o::IADD) % 4 >= 2 => (Float, Float),
            _ => (General, General),
        },
        TemplateOp::Compare(op) if op != o::LCMP => (Float, General),
        TemplateOp::Unary(op) => match op {
            o::FNEG | o::DNEG | o::F2D | o::D2F => (Float, Float),
            o::I2F | o::I2D | o::L2F | o::L2D => (General, Float),
            o::F2I | o::F2L | o::D2I | o::D2L if op != LLOW => (Float, General),
            _ => (General, General),
        },
        TemplateOp::Move | TemplateOp::Constant => (Either, Either),
        TemplateOp::MoveFloat => (Float, Float),
        TemplateOp::GetField(t) | TemplateOp::Load(t) | TemplateOp::GetStatic(t) => {
            (General, by_letter(t))
        }
        TemplateOp::IfFloat { .. } => (Float, General),
        _ => (General, General),
    }
}

/// What the instruction does with slots.
pub(super) fn slot_use(x: &Ins<'_>) -> SlotUse {
    let mut found = SlotUse::default();
    let Some(insn) = x.insn else {
        found.loses = true;
        return found;
    };
    let (read, written) = kinds(insn.op);
    match insn.op {
        TemplateOp::MoveTwo => {
            found.reads = vec![(x.half(8), Kind::Either), (x.half(12), Kind::Either)];
            found.writes = vec![(x.half(10), Kind::Either), (x.half(14), Kind::Either)];
            return found;
        }
        TemplateOp::MoveAdd => {
            found.reads = vec![(x.half(8), read)];
            found.writes = vec![(x.half(8), read), (x.half(10), read)];
            return found;
        }
        TemplateOp::Add | TemplateOp::AddIf(_) => {
            found.reads.push((x.half(10), read));
            found.writes.push((x.half(10), read));
        }
        TemplateOp::Call { .. } => {
            let call = Call::read(x.words);
            if call.moved_to != 0 {
                found.writes.push((call.moved_to, Kind::Either));
            }
            match x.inlined {
                Some(_) => found
                    .writes
                    .extend((call.first..SLOTS).map(|n| (n, Kind::Either))),
                None => found.loses = true,
            }
            return found;
        }
        TemplateOp::Lock | TemplateOp::Unlock => {
            found.writes.push((x.half(10), read));
            return found;
        }
        TemplateOp::Return { .. } | TemplateOp::MonitorEnter | TemplateOp::MonitorExit => {
            return found;
        }
        TemplateOp::Other | TemplateOp::RegisterFinalizer => {
            found.loses = true;
            return found;
        }
        _ => {}
    }
    for &(name, place) in &insn.places {
        if place == K::S
            && let Some(f) = insn.fields.iter().find(|f| f.name == name)
        {
            let kind = match insn.op {
                TemplateOp::PutField(t) | TemplateOp::PutStatic(t) | TemplateOp::Store(t)
                    if name == "value" =>
                {
                    by_letter(t)
                }
                _ => read,
            };
            found.reads.push((x.half(f.at), kind));
        }
    }
    if insn.result == Some(true) {
        found.writes.push((x.half(10), written));
    }
    found
}

/// Instructions between a branch back and where it leads, by number, with both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct LoopRange {
    first: usize,
    last: usize,
}

/// Which slots have which registers where.
pub(super) struct Plan {
    /// For each instruction those of its loop.
    regions: Vec<Homes>,
    of: Vec<u16>,
    pub uses: Vec<SlotUse>,
    /// Slots that are read from registers before they are lost: before each instruction, and after it.
    live: Vec<Slots>,
    live_after: Vec<Slots>,
}

impl Plan {
    /// None if there is no loop, or too much.
    pub fn new(all: &[Ins<'_>], ways: &[Vec<usize>]) -> Option<Plan> {
        let loops = loops(ways);
        if loops.is_empty() || all.len() > LARGEST.0 || loops.len() > LARGEST.1 {
            return None;
        }
        let uses: Vec<SlotUse> = all.iter().map(slot_use).collect();
        let mut depth = vec![0u32; all.len()];
        for l in &loops {
            depth[l.first..=l.last].iter_mut().for_each(|d| *d += 1);
        }
        let mut plan = Plan {
            regions: vec![Homes::EMPTY],
            of: vec![0; all.len()],
            uses,
            live: vec![Slots::default(); all.len()],
            live_after: vec![Slots::default(); all.len()],
        };
        // the outer ones first
        for l in &loops {
            let outer = plan.regions[usize::from(plan.of[l.first])];
            let homes = plan.choose(all, *l, outer, &depth);
            let number = plan.regions.len() as u16;
            plan.regions.push(homes);
            plan.of[l.first..=l.last].fill(number);
        }
        plan.find_live(all, ways);
        Some(plan)
    }
    /// Registers for a loop's slots, where the loop around it has them if it has.
    fn choose(&self, all: &[Ins<'_>], l: LoopRange, outer: Homes, depth: &[u32]) -> Homes {
        let mut counts = [[0u64; SLOTS as usize]; 2];
        let mut moved = [0u64; SLOTS as usize];
        let mut typed = Slots::default();
        for i in l.first..=l.last {
            let u = &self.uses[i];
            for &(slot, kind) in u.reads.iter().chain(&u.writes) {
                if kind != Kind::Either {
                    typed.add(slot, kind == Kind::Float);
                }
            }
            let weight = 1 << (3 * depth[i].min(DEEPEST));
            for &(slot, kind) in u.reads.iter().filter(|r| r.0 < SLOTS) {
                // what has just been computed is in an accumulator
                let before = i.checked_sub(1).filter(|_| !all[i].entry);
                if before.is_some_and(|b| self.uses[b].writes.iter().any(|w| w.0 == slot)) {
                    continue;
                }
                let slot = usize::from(slot);
                match kind {
                    Kind::General => counts[0][slot] += weight,
                    Kind::Float => counts[1][slot] += weight,
                    Kind::Either => moved[slot] += weight,
                }
            }
        }
        for (slot, &n) in moved.iter().enumerate() {
            let is_float = typed.has(slot as u16, true) && !typed.has(slot as u16, false);
            counts[usize::from(is_float)][slot] += n;
        }
        let mut homes = Homes::EMPTY;
        for float in [false, true] {
            let places = Homes::places(float);
            let counts = &counts[usize::from(float)];
            let mut slots: Vec<u16> = (0..SLOTS).filter(|&s| counts[usize::from(s)] > 0).collect();
            slots.sort_by_key(|&s| std::cmp::Reverse(counts[usize::from(s)]));
            slots.truncate(places.len());
            let (kept, new): (Vec<u16>, Vec<u16>) = slots
                .into_iter()
                .partition(|&s| outer.of(s, float).is_some());
            for s in kept {
                homes.set(outer.of(s, float).expect("kept"), s);
            }
            let free: Vec<usize> = places.filter(|&h| homes.0[h] == NONE).collect();
            for (s, h) in new.into_iter().zip(free) {
                homes.set(h, s);
            }
        }
        homes
    }
    fn find_live(&mut self, all: &[Ins<'_>], ways: &[Vec<usize>]) {
        let mut changed = true;
        while changed {
            changed = false;
            for i in (0..all.len()).rev() {
                let mut live = Slots::default();
                if goes_on(&all[i]) && i + 1 < all.len() {
                    live.join(self.live[i + 1]);
                }
                for &to in &ways[i] {
                    live.join(self.live[to]);
                }
                let u = &self.uses[i];
                self.live_after[i] = if u.loses { Slots::default() } else { live };
                let mut live = self.live_after[i];
                u.writes.iter().for_each(|w| live.remove(w.0));
                for &(slot, kind) in &u.reads {
                    for float in [false, true] {
                        let other = if float { Kind::General } else { Kind::Float };
                        if kind != other && self.home(i, slot, float).is_some() {
                            live.add(slot, float);
                        }
                    }
                }
                changed |= live != self.live[i];
                self.live[i] = live;
            }
        }
    }
    /// The general registers that no slot has.
    pub fn free(&self) -> Vec<Gpr> {
        let is_free = |h: &usize| self.regions.iter().all(|r| r.0[*h] == NONE);
        let free = (0..GENERAL.len()).filter(is_free);
        free.map(|h| GENERAL[h]).collect()
    }
    /// The register that a slot has at an instruction.
    pub fn home(&self, i: usize, slot: u16, float: bool) -> Option<usize> {
        self.regions[usize::from(self.of[i])].of(slot, float)
    }
    /// Whether the slot is read from a register after the instruction.
    pub fn is_read_after(&self, i: usize, slot: u16, float: bool) -> bool {
        self.live_after[i].has(slot, float)
    }
    /// What registers have wherever control comes to that instruction from elsewhere.
    pub fn at_target(&self, i: usize) -> Homes {
        match i {
            // it is entered by callers
            0 => Homes::EMPTY,
            _ => self.regions[usize::from(self.of[i])].only(self.live[i]),
        }
    }
}

/// Where instructions lead, except to the next one.
pub(super) fn all_ways(all: &[Ins<'_>]) -> Vec<Vec<usize>> {
    (0..all.len()).map(|i| ways(all, i)).collect()
}

fn ways(all: &[Ins<'_>], i: usize) -> Vec<usize> {
    let x = &all[i];
    let Some(insn) = x.insn.filter(|insn| insn.does & CALLS == 0) else {
        return Vec::new();
    };
    let edges = insn.edges(x.words).into_iter();
    let targets = edges.filter_map(|half| {
        let to = x
            .off
            .wrapping_add_signed((x.words[half / 2] >> (half % 2 * 32)) as i32);
        all.binary_search_by_key(&to, |x| x.off).ok()
    });
    targets.collect()
}

/// The loops, each after those that are around it.
fn loops(ways: &[Vec<usize>]) -> Vec<LoopRange> {
    let mut last = vec![0; ways.len()];
    for (i, ways) in ways.iter().enumerate() {
        for &to in ways.iter().filter(|&&to| to <= i) {
            last[to] = i.max(last[to]);
        }
    }
    let loops = last.iter().enumerate().filter(|l| *l.1 >= l.0 && *l.1 > 0);
    let mut loops: Vec<LoopRange> = loops
        .map(|(first, &last)| LoopRange { first, last })
        .collect();
    loops.sort_by_key(|l| std::cmp::Reverse(l.last - l.first));
    loops
}
