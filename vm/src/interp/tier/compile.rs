//! Compiles a method's translated code: a template after the other, in its order.

use super::asm::{Label, R8, RDI, RDX, at};
use super::facts::KnownObjects;
use super::homes::{Homes, all_ways};
use super::inline::{InlinedCall, Inlinees, choose};
use super::ins::{Ins, goes_on};
use super::space::{CodeBlock, CodeSpace};
use super::template::{CodeBuilder, LOAD_CONTEXT, NODE, Rdi};
use crate::interp::instruction::{CALLS, ENDS, InsnTable, TemplateOp};
use crate::interp::tiers_state::NotCompiled;
use crate::interp::translate::{CompiledEntry, Translated};
use crate::vm::TierFault;
use std::sync::{Arc, Mutex};

/// Bytes of translated code of the largest method that is compiled.
const LARGEST: usize = 256 << 10;

/// A method's compiled code.
pub(in crate::interp) struct Compiled {
    pub entries: Vec<CompiledEntry>,
    /// Where compiled code goes that calls it, with its context in rdi if contexts are recorded.
    pub called: Option<u64>,
    pub piece: CodeBlock,
    /// Where the code of each instruction begins: its byte offset in the translated code, and in this.
    pub places: Vec<(u32, u32)>,
    /// Where the code of the last one ends.
    pub exits: u32,
    /// The code.
    pub bytes: Vec<u8>,
    /// Instructions with a template, and all.
    pub instructions: (usize, usize),
    /// Calls that are inlined.
    pub inlined: usize,
}

/// The place for which the code of a method is made.
pub(in crate::interp) struct CodePlace {
    /// Where the region begins.
    pub base: u64,
    /// Whether contexts are recorded.
    pub contexts: bool,
    /// The class's mirror, for a static method.
    pub mirror: Option<u32>,
    /// Offset of the referent in a `java.lang.ref.Reference`; 0 before that class is loaded.
    pub referent: u32,
    /// What its calls may lead to.
    pub inlinees: Inlinees,
    /// Makes it wrong, for tests.
    pub fault: Option<TierFault>,
}

/// Marks where control may come from elsewhere, and where compiled code is entered.
fn mark(x: &Translated, all: &mut [Ins<'_>]) {
    let mut targets = x.landings();
    for ins in all.iter() {
        if let Some(insn) = ins.insn {
            let edges = insn.edges(ins.words).into_iter();
            targets.extend(edges.map(|half| {
                let offset = (ins.words[half / 2] >> (half % 2 * 32)) as i32;
                ins.off.wrapping_add_signed(offset)
            }));
        }
    }
    targets.sort_unstable();
    let mut entered = true;
    for ins in all {
        ins.target = targets.binary_search(&ins.off).is_ok();
        ins.entry = ins.target || entered;
        // where control comes back after what was left to a handler
        entered = ins.insn.is_none_or(|i| {
            let often = matches!(
                i.op,
                TemplateOp::Other
                    | TemplateOp::CheckCast
                    | TemplateOp::InstanceOf
                    | TemplateOp::Store(b'L')
            );
            often || i.does & CALLS != 0
        });
    }
}

/// Compiles it.
pub(in crate::interp) fn compile(
    x: &Translated,
    table: &InsnTable,
    space: &Arc<Mutex<CodeSpace>>,
    place: &CodePlace,
) -> Result<Compiled, NotCompiled> {
    let CodePlace { base, contexts, .. } = *place;
    if x.words_of_code().len() * 8 > LARGEST {
        return Err(NotCompiled::Large);
    }
    let mut all: Vec<Ins<'_>> = Vec::new();
    for off in x.offsets() {
        let handler = x.own_word(off);
        all.push(Ins {
            off,
            insn: table.find(handler),
            words: &x.words_of_code()[off as usize / 8..],
            handler,
            target: false,
            entry: false,
            inlined: None,
        });
    }
    mark(x, &mut all);
    let chosen = choose(&all, &place.inlinees, table);
    let calls: Vec<InlinedCall<'_>> = chosen.iter().map(|c| c.call(table, 0)).collect();
    for (n, c) in chosen.iter().enumerate() {
        all[c.i].inlined = Some(n);
    }
    let ways = all_ways(&all);
    let landings = x.landings();
    let landings = landings
        .iter()
        .filter_map(|&off| all.binary_search_by_key(&off, |x| x.off).ok());
    let mut first = KnownObjects::default();
    first.set(0, place.mirror.is_none());
    let objects = first.at_all(&all, &ways, landings);
    let mut m = CodeBuilder::new(&all, &ways, x.start() as u64, base);
    m.mirror = place.mirror;
    m.referent = place.referent;
    m.calls = &calls;
    m.fault = place.fault;
    m.objects = objects;
    let mut falls = false;
    let mut entries: Vec<(usize, Label, Homes, Option<u16>)> = Vec::new();
    // the slot with the result of the call before, which the accumulator has
    let mut result = None;
    for (i, x) in all.iter().enumerate() {
        m.i = i;
        let label = m.labels[i];
        if x.entry && falls {
            m.make_all_copies();
        }
        if x.entry || !falls {
            m.copies.clear();
        }
        if x.target
            && let Some(plan) = &m.plan
        {
            let wanted = plan.at_target(i);
            if falls {
                m.load_missing(wanted);
            }
            m.homes = wanted;
        }
        m.a.bind(label);
        if x.entry {
            m.forget();
            m.acc = result.filter(|_| !x.target);
            entries.push((i, label, m.homes, m.acc));
        }
        if i == 0 && contexts {
            m.a.load(true, RDI, at(RDX, NODE));
            assert_eq!(m.a.here(), LOAD_CONTEXT as u32);
            m.rdi = Rdi::Context;
        }
        m.compiled[i] = m.template();
        if !m.compiled[i] {
            m.make_all_copies();
            m.leave(i);
        }
        let ends = x.insn.is_none_or(|x| x.does & (ENDS | CALLS) != 0);
        let inlined = x.inlined.filter(|_| m.compiled[i]);
        result = inlined.and_then(|n| calls[n].result);
        if !m.compiled[i] || ends && inlined.is_none() {
            m.forget();
            m.homes = Homes::EMPTY;
        }
        falls = m.compiled[i] && goes_on(x);
    }
    m.copies.clear();
    let exits = m.a.here();
    // where registers are to have slots, they are loaded first
    for (_, entry, homes, acc) in &mut entries {
        if !homes.is_empty() || acc.is_some() {
            let inside = std::mem::replace(entry, m.a.label());
            m.a.bind(*entry);
            m.homes = Homes::EMPTY;
            if let Some(n) = *acc {
                m.a.load(true, R8, CodeBuilder::slot(n));
            }
            m.load_missing(*homes);
            m.a.jump(inside);
        }
    }
    // nothing comes after the last instruction, which goes elsewhere
    m.emit_calls();
    m.emit_exits();
    m.emit_looks();
    m.a.finish().ok_or(NotCompiled::Large)?;
    let done = m.compiled.iter().filter(|&&c| c).count();
    if done == 0 {
        return Err(NotCompiled::NoTemplates);
    }
    let beside = entries.len() * size_of::<CompiledEntry>();
    let piece = CodeBlock::new(space, &m.a.bytes, beside).ok_or(NotCompiled::NoRoom)?;
    let address = piece.address();
    // callers have its context in rdi already
    let passed = if contexts { LOAD_CONTEXT as u64 } else { 0 };
    let entries = entries.into_iter().filter(|&(i, ..)| m.compiled[i]);
    let called = m.compiled[0].then_some(address + passed);
    let entries = entries.map(|(i, label, ..)| {
        let code = address + u64::from(m.a.offset(label));
        CompiledEntry::new(all[i].off / 8, code)
    });
    let entries = entries.collect();
    let places = all.iter().zip(&m.labels);
    let places = places.map(|(x, &label)| (x.off, m.a.offset(label)));
    Ok(Compiled {
        entries,
        called,
        places: places.collect(),
        exits,
        piece,
        bytes: m.a.bytes,
        instructions: (done, all.len()),
        inlined: calls.len(),
    })
}

impl CodeBuilder<'_> {
    /// The instruction by its template. False: there is none, and nothing was made.
    pub(super) fn template(&mut self) -> bool {
        let Some(insn) = self.ins().insn else {
            return false;
        };
        self.make_copies_before();
        self.load_homes();
        if insn.result.is_some() {
            self.keep();
        }
        match insn.op {
            TemplateOp::Binary(op) => return self.binary(op),
            TemplateOp::Compare(op) => self.compare(op),
            TemplateOp::Unary(op) => return self.unary(op),
            TemplateOp::Move => self.move_one(),
            TemplateOp::MoveFloat => self.move_float_acc(),
            TemplateOp::MoveTwo => self.move_two(),
            TemplateOp::MoveAdd => self.move_add(),
            TemplateOp::Add => {
                let x = self.ins();
                self.add_to(x.half(10), x.int(12));
            }
            TemplateOp::Constant => self.constant(),
            TemplateOp::Cell => return self.cell(),
            TemplateOp::GetField(t) => self.get_field(t),
            TemplateOp::PutField(t) => self.put_field(t),
            TemplateOp::GetStatic(t) => return self.get_static(t),
            TemplateOp::PutStatic(t) => return self.put_static(t),
            TemplateOp::ArrayLength => self.array_length(),
            TemplateOp::Load(t) => self.load_element(t),
            TemplateOp::Store(t) => self.store_element(t),
            TemplateOp::CheckCast => self.check_cast(),
            TemplateOp::InstanceOf => self.instance_of(),
            TemplateOp::New(counted) => return self.new_object(counted),
            TemplateOp::NewArray(counted) => return self.new_array(counted),
            TemplateOp::RegisterFinalizer => self.register_finalizer(),
            TemplateOp::IfInt(c) => self.branch(false, c),
            TemplateOp::IfLong(c) => self.branch(true, c),
            TemplateOp::IfFloat {
                double,
                condition,
                nan,
            } => self.branch_float(double, condition, nan),
            TemplateOp::AddIf(c) => self.add_and_branch(c),
            TemplateOp::Jump => self.jump(),
            TemplateOp::CheckLimit => self.check_limit(),
            TemplateOp::TableSwitch => self.table_switch(),
            TemplateOp::LookupSwitch => self.lookup_switch(),
            TemplateOp::Call { kind, contexts } => return self.call(kind, contexts),
            TemplateOp::Return { letter, contexts } => self.leave_method(letter, contexts),
            TemplateOp::CheckFrame => self.check_frame(),
            TemplateOp::MonitorEnter => self.monitor(true),
            TemplateOp::MonitorExit => self.monitor(false),
            TemplateOp::Lock => self.lock(),
            TemplateOp::Unlock => self.unlock(),
            TemplateOp::Other => return false,
        }
        true
    }
}
