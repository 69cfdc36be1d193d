//! Translates a method: one linear pass from its bytecode to register code.

use super::super::handler::Handler;
use super::super::insn::{self, FrameCheck, LimitCheck, Lock, edge_to_next};
use super::buffers::Buffers;
use super::compact::{Compact, NAMEABLE};
use super::covers::{Cover, TableLayout};
use super::scan::{Scan, initial_locals};
use super::shape::Shapes;
use super::translated::{Edge, ExHandler, RareTables, ReturnTarget, Translated};
use super::values::{Ent, LARGE, V};
use super::{locking, scan, sub};
use crate::classes::RareData;
use crate::ids::{ClassId, MethodId};
use crate::interp::insn::Layout;
use crate::throw::{R, Throw};
use crate::verify::infer::{FrameTypes, SlotKind, WorkBudget, frames_of};
use crate::vm::Vm;
use rjvm_classfile::CodeAttribute;
use rjvm_profiler::cct::ContextNode;
use smallvec::SmallVec;

pub(super) type E<T> = Result<T, String>;

/// The translation under way.
pub(super) struct Tr<'a> {
    pub(super) vm: &'a mut Vm,
    pub(super) id: MethodId,
    pub(super) class: ClassId,
    pub(super) prof: bool,
    pub(super) count: bool,
    pub(super) sync: bool,
    pub(super) object_init: bool,
    pub(super) tracked: bool,
    pub(super) code: &'a [u8],
    pub(super) cf: &'a rjvm_classfile::ClassFile,
    /// The number of the class's pool that its code names entries of.
    pub(super) pool: u16,
    pub(super) scan: Scan,
    pub(super) frames: Vec<(u16, FrameTypes)>,
    pub(super) out: Vec<u64>,
    pub(super) covers: Vec<Cover>,
    pub(super) maps: Vec<u64>,
    pub(super) map_words: usize,
    pub(super) st: Vec<Ent>,
    /// Type of each local (`A`: reference, `I`…, 0: unusable).
    pub(super) loc: Vec<u8>,
    pub(super) depth: u16,
    pub(super) base: u16,
    pub(super) max_locals: u16,
    pub(super) scratch: u16,
    /// Slot whose value the accumulator holds too.
    pub(super) acc: Option<u16>,
    /// Slot whose value the floating accumulator holds too.
    pub(super) facc: Option<u16>,
    /// Producer of the entry that is in the accumulator alone: instruction and its storing variant.
    pub(super) patch: Option<(usize, Handler)>,
    pub(super) fpatch: Option<(usize, Handler)>,
    /// Word index of the instruction emitted last.
    pub(super) last: usize,
    /// Number of the bytecode being translated.
    pub(super) idx: u16,
    /// Word offset of each bytecode that is a label, by number.
    pub(super) label_off: Vec<u32>,
    /// (half-word of the edge's offset, base word, edge).
    pub(super) fixups: Vec<(usize, usize, Edge)>,
    /// Slots of a node before its child links, and child links.
    pub(super) fixed: u32,
    pub(super) kids: u32,
    pub(super) pending_map: u32,
    /// Map of the locals alone; 0: to be made.
    pub(super) loc_map: u32,
    /// The references among the lowest `firm` operands, as a map.
    pub(super) firm_refs: Vec<u64>,
    pub(super) firm: usize,
    /// The references among the locals, as a map; empty: to be found.
    pub(super) loc_refs: Vec<u64>,
    pub(super) body_start: u32,
    /// Locals that wait for the end of subroutines.
    pub(super) kept: Vec<sub::PendingLocal>,
    /// The maps have their slots.
    pub(super) kept_live: bool,
    /// Where subroutines return to, if not to the label itself: bytecode number, word offset.
    pub(super) returns: Vec<(u16, u32)>,
    /// Number of the first bytecode that no instruction covers yet.
    pub(super) uncovered: u16,
    pub(super) reachable: bool,
    /// The next bytecode was translated together with this one.
    pub(super) skip: bool,
    /// An operand lies beyond what operands of instructions can name.
    pub(super) deep: bool,
    /// The contents of the frame at each bytecode, in a VM that can be inspected: then each bytecode has its own instructions,
    /// before which all values are in their own slots.
    pub(super) shapes: Option<Shapes>,
    /// Bytecodes at which the VM is notified, and the number for it.
    pub(super) watched: Vec<(u16, u32)>,
    /// Those are where rounds of a loop begin that can be passed over (see `intrinsics`).
    pub(super) passes: bool,
    /// Each block begins with an instruction that notes it.
    pub(super) traced: Option<u64>,
    /// There are points, and monitors are left to the VM.
    pub(super) explored: Option<crate::vm::Explored>,
    /// The VM may stop before each bytecode, which needs to know the references there.
    pub(super) debuggable: bool,
}

impl Vm {
    /// Translates a method's bytecode and makes it the method's entry.
    pub fn translate(&mut self, id: MethodId) -> R<()> {
        self.translate_or_stop(id, false)
    }
    /// The same; if it `stops`, requests of others end it.
    pub(crate) fn translate_or_stop(&mut self, id: MethodId, stops: bool) -> R<()> {
        if self.method(id).xlat.is_some() {
            return Ok(());
        }
        let mut buffers = std::mem::take(&mut self.code.translator);
        let m = self.method(id);
        let code = m
            .code()
            .map(|code| code.kept())
            .expect("a method with bytecode");
        let (class, sync, is_static) = (m.class, m.is_synchronized(), m.is_static());
        let pool = m.pool;
        let object_init = class == self.loaded.known.object && &**self.syms.str(m.name) == "<init>";
        let attributes = code.cf.methods[code.index].attributes.once();
        // attributes that turned out to be malformed: no code
        let whole = attributes.code.as_deref().unwrap_or(CodeAttribute::none());
        let name = || self.method_name(id);
        let bad = |e: String| Throw::msg("java/lang/VerifyError", format!("{}: {e}", name()));
        if whole.code.is_empty() {
            return Err(bad("cannot read the Code attribute".into()));
        }
        let declared = usize::from(whole.max_locals) + usize::from(whole.max_stack);
        let compact = match declared > LARGE {
            true => Some(Compact::new(whole).map_err(bad)?),
            false => None,
        };
        let attr = compact.as_ref().map_or(whole, |c| &c.attr);
        let mut scan = buffers.scan;
        let count = self.counts_blocks();
        scan.look(attr, count).map_err(bad)?;
        let canceller = self.limits.canceller.clone();
        let requested = || canceller.is_requested();
        let patience = match stops {
            true => buffers.patience,
            false => usize::MAX,
        };
        let reached = buffers.stopped.take();
        let reached = reached.and_then(|s| s.of(&code.cf, code.index));
        let pace =
            WorkBudget::new(self.options.work_memory, &requested, patience).going_on(reached);
        let mut frames = match scan.has_labels {
            true => match frames_of(&code.cf, code.index, whole, &pace) {
                Ok(frames) => frames,
                Err(e) => {
                    return Err(self.not_translated(id, e, &pace));
                }
            },
            false => Vec::new(),
        };
        if let Some(compact) = &compact
            && let Err(e) = compact.renumber(&mut frames, &pace)
        {
            return Err(self.not_translated(id, e, &pace));
        }
        let mut loc = buffers.loc;
        loc.resize(attr.max_locals as usize, 0);
        initial_locals(&mut loc, is_static, self.syms.str(m.desc));
        let tracked = scan.has_monitors && !locking::is_structured(&scan, attr);
        let kept = sub::kept_locals(&scan, &attr.code, &frames);
        let base = attr.max_locals as usize + sync as usize + kept.len();
        let slots = base + attr.max_stack as usize + 4;
        if base > NAMEABLE {
            return Err(self.too_large(id, slots));
        }
        // operands that nobody pushes have no slots that operands of instructions must name
        let (base, scratch) = match compact {
            Some(_) => (base as u16 + 2, base as u16),
            None => (base as u16, base as u16 + attr.max_stack + 1),
        };
        buffers.label_off.resize(scan.bcis.len() + 1, u32::MAX);
        let prof = self.profiling();
        let fixed = self.fixed_slots();
        let passed = self.passed_in(id, &scan);
        let passes = !passed.is_empty();
        let watched = match passes {
            true => passed,
            false => self.watched_in(id, attr, &scan),
        };
        let explored = self.options.explored;
        let debuggable = self.options.debuggable;
        let plain =
            self.options.inspectable || debuggable || !watched.is_empty() || explored.is_some();
        let shapes = (plain && compact.is_none()).then(Shapes::default);
        let traced = self.options.traces_path.then(|| self.name_hash(id));
        let mut tr = Tr {
            vm: self,
            id,
            class,
            prof,
            count,
            sync,
            object_init,
            tracked,
            code: &attr.code,
            cf: &code.cf,
            pool,
            scan,
            frames,
            out: buffers.out,
            covers: buffers.covers,
            maps: buffers.maps,
            map_words: slots.div_ceil(64),
            st: buffers.st,
            loc,
            depth: 0,
            base,
            max_locals: attr.max_locals,
            scratch,
            acc: None,
            facc: None,
            patch: None,
            fpatch: None,
            last: usize::MAX,
            idx: 0,
            label_off: buffers.label_off,
            fixups: buffers.fixups,
            fixed,
            kids: 0,
            pending_map: 0,
            loc_map: 0,
            firm_refs: buffers.firm_refs,
            firm: 0,
            loc_refs: buffers.loc_refs,
            body_start: 0,
            kept,
            kept_live: false,
            returns: Vec::new(),
            uncovered: 0,
            reachable: true,
            skip: false,
            deep: false,
            shapes,
            watched,
            passes,
            traced,
            explored,
            debuggable,
        };
        tr.prologue(slots);
        let body = tr.body(&pace);
        if tr.deep {
            return Err(self.too_large(id, slots));
        }
        if let Err(e) = body {
            let at = tr.scan.bcis.get(tr.idx as usize).copied().unwrap_or(0);
            return Err(self.not_translated(id, format!("{e} at bytecode {at}"), &pace));
        }
        let kids = tr.kids;
        let (mut x, slots_of_node, buffers) = tr.finish(attr, slots)?;
        x.weight = self.weigh_code(x.bytes());
        self.arm_intrinsic(id);
        x.notify_returns(self.notified_returns(id));
        self.code.translator = buffers;
        self.code.age += 1;
        let m = self.method_mut(id);
        m.frame_bytes = slots as u32 * 8;
        (m.kid_slots, m.kids) = (slots_of_node, kids);
        let entry = x.start();
        m.xlat = Some(Box::new(x));
        self.set_entry(id, entry);
        self.instrument_code(id);
        self.tier_translated(id);
        Ok(())
    }
}

impl Tr<'_> {
    /// Instructions before the first bytecode: large frames are checked, synchronized methods lock.
    fn prologue(&mut self, slots: usize) {
        let m = self.map_now();
        self.pending_map = m;
        if slots * 8 > crate::threads::stack::RED_ZONE / 2 {
            let bytes = (slots * 8) as u32;
            self.emit(super::super::slow::check_frame, FrameCheck { bytes });
            self.pending_map = m;
        }
        if self.sync {
            let lock = self.max_locals;
            let enter = match self.explored {
                None => super::super::ops_sync::sync_enter,
                Some(_) => super::super::slow::sync_enter,
            };
            self.emit(enter, Lock { lock });
            self.pending_map = self.map_now();
        }
        self.body_start = (self.out.len() * 8) as u32;
        self.clear_kept();
        self.uncovered = 0;
    }
    fn body(&mut self, pace: &WorkBudget<'_>) -> Result<(), String> {
        let n = self.scan.bcis.len();
        let mut fi = 0;
        // whether instructions beside those of the bytecodes may be wanted
        let more = self.traced.is_some()
            || self.shapes.is_some()
            || !self.watched.is_empty()
            || self.explored.is_some()
            || self.debuggable;
        for i in 0..n {
            self.idx = i as u16;
            pace.look()?;
            if self.deep {
                return Err("too many operands".into());
            }
            if std::mem::take(&mut self.skip) {
                continue;
            }
            let bci = self.scan.bcis[i];
            let marks = self.scan.marks[i];
            if self.reachable && marks & scan::CHECK != 0 {
                self.spill_all();
                self.forget();
                let lag = self.scan.lag(i);
                self.pending_map = self.map_now();
                let edge = edge_to_next(LimitCheck::BYTES, lag as i32);
                self.emit(super::super::ops_flow::check, LimitCheck { edge });
                // it represents what has run before it
                let cover = self.covers.last_mut().expect("emitted");
                cover.idx = i as u16 - 1;
                cover.first = cover.first.min(cover.idx);
                cover.before = cover.idx - cover.first;
                cover.pot = lag as u16 - 1;
                self.uncovered = i as u16;
                self.pending_map = self.map_now();
            }
            if marks & scan::LABEL != 0 {
                if self.reachable {
                    self.flush();
                }
                while fi < self.frames.len() && self.frames[fi].0 < bci {
                    fi += 1;
                }
                let f = if fi < self.frames.len() && self.frames[fi].0 == bci {
                    Some(fi)
                } else {
                    None
                };
                match f {
                    Some(f) => self.set_frame(f)?,
                    None if self.reachable => {}
                    None => {
                        // only dead code jumps here
                        continue;
                    }
                }
                self.reachable = true;
                self.forget();
                self.restore_locals(i as u16);
                self.label_off[i] = self.out.len() as u32;
                self.uncovered = i as u16;
                self.pending_map = self.map_now();
            } else if !self.reachable {
                continue;
            } else if marks & scan::PSEUDO != 0 {
                self.flush();
                self.forget();
                self.label_off[i] = self.out.len() as u32;
                self.uncovered = i as u16;
                self.pending_map = self.map_now();
            }
            if more {
                self.before(i, bci);
            }
            self.bytecode(i, bci)?;
            if more {
                self.settle();
                self.amend(bci);
            }
        }
        if self.reachable {
            return Err("control flow falls through code end".into());
        }
        Ok(())
    }
    /// What may be wanted before a bytecode.
    fn before(&mut self, i: usize, bci: u16) {
        self.trace(i, bci);
        self.note_shape(i);
        self.watch(i);
        self.point(i, bci);
        if self.debuggable {
            self.pending_map = self.map_now();
        }
    }
    /// Takes the types of frame `f`.
    fn set_frame(&mut self, f: usize) -> Result<(), String> {
        self.locals_changed();
        let FrameTypes { locals, stack } = &self.frames[f].1;
        let letter = |k: SlotKind| match k {
            SlotKind::Top => 0,
            SlotKind::Int => b'I',
            SlotKind::Float => b'F',
            SlotKind::Long => b'J',
            SlotKind::Double => b'D',
            SlotKind::Ref => b'A',
            SlotKind::RetAddr(_) => b'R',
        };
        self.loc.fill(0);
        for (i, k) in locals.iter().enumerate() {
            if let Some(l) = self.loc.get_mut(i) {
                *l = letter(k);
            }
        }
        self.st.clear();
        self.firm = 0;
        self.depth = 0;
        let types: SmallVec<[u8; 16]> = stack.iter().map(letter).collect();
        for t in types {
            self.push(V::Tmp, t);
        }
        Ok(())
    }
    /// Slots of a context's node before the counters of its edges.
    fn first_edge(&self) -> u32 {
        self.fixed + ContextNode::slots_of_links(self.kids)
    }
    fn finish(mut self, attr: &CodeAttribute, slots: usize) -> R<(Translated, u32, Buffers)> {
        let count = self.count;
        for (i, &(at, from, edge)) in self.fixups.iter().enumerate() {
            let to = self.label_off[edge.target as usize];
            let to = if to == u32::MAX {
                self.out.len() as u32
            } else {
                to
            };
            let off = (to as i64 - from as i64) * 8;
            let last = if count && !edge.free {
                let slot = self.first_edge() as u64 + i as u64;
                u16::try_from(slot).map_err(|_| {
                    Throw::msg("java/lang/InternalError", "too many branches to count")
                })?
            } else {
                self.scan.pot[edge.target as usize] as u16
            };
            insn::set_edge(&mut self.out, at, off as i32, last);
        }
        let edges: Box<[Edge]> = match count {
            true => self.fixups.iter().map(|f| f.2).collect(),
            false => Box::default(),
        };
        let mut handlers = Vec::new();
        for e in &attr.exceptions {
            let Some(i) = self.scan.number(e.handler_pc) else {
                continue;
            };
            let off = self.label_off[i as usize];
            if off == u32::MAX {
                continue;
            }
            handlers.push(ExHandler {
                start: e.start_pc,
                end: e.end_pc,
                catch_type: e.catch_type,
                off: off * 8,
                number: i,
                pot: self.scan.pot[i as usize],
            });
        }
        let mut labels = Vec::new();
        if self.scan.has_jsr {
            for (i, &b) in self.scan.bcis.iter().enumerate() {
                if self.label_off[i] != u32::MAX {
                    labels.push(ReturnTarget {
                        bci: b,
                        off: self.return_offset(i) * 8,
                        number: i as u16,
                        pot: self.scan.pot[i],
                    });
                }
            }
        }
        let shapes = self.shapes.take().map(Box::new);
        let mut rest = RareData::default();
        if !(handlers.is_empty() && labels.is_empty() && edges.is_empty()) || shapes.is_some() {
            *rest.make() = RareTables {
                handlers: handlers.into_boxed_slice(),
                labels: labels.into_boxed_slice(),
                edges,
                shapes,
                ..RareTables::default()
            };
        }
        let (words, shape) =
            TableLayout::pack(&self.out, &self.scan.bcis, &self.covers, &self.maps, slots);
        let x = Translated {
            words,
            instructions: self.out.len() as u32,
            shape,
            rest,
            first_edge: self.first_edge(),
            stack_base: self.base,
            lock_slot: self.max_locals,
            tracked: self.tracked,
            body_start: self.body_start,
            weight: None,
        };
        let slots = self.first_edge() + x.edges().len() as u32;
        let mut buffers = Buffers {
            scan: self.scan,
            out: self.out,
            covers: self.covers,
            maps: self.maps,
            st: self.st,
            loc: self.loc,
            firm_refs: self.firm_refs,
            loc_refs: self.loc_refs,
            label_off: self.label_off,
            fixups: self.fixups,
            patience: 0,
            stopped: None,
        };
        buffers.clear();
        Ok((x, slots, buffers))
    }
}
