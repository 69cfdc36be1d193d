//! Which callees compiled code has in it (`tier::inline`), and when it has to go because they are entered in another way.

use super::tier::inline::{Inlinee, Inlinees};
use crate::classes::Method;
use crate::heap::units::UnitId;
use crate::ids::MethodId;
use crate::interp::call_kind::CallKind;
use crate::interp::insn::{Call, Layout};
use crate::interp::instruction::TemplateOp;
use crate::vm::Vm;
use rjvm_profiler::cct::ContextNode;

/// Receivers' methods that one call compares with.
const RECEIVERS: usize = 3;
/// Frames in which a context of a method is looked for, and children of it.
const FRAMES: usize = 16;
const CHILDREN: usize = 64;

impl Vm {
    /// What calls of a method may lead to, as far as that can be inlined.
    pub(super) fn inlinees(&mut self, id: MethodId) -> Inlinees {
        let mut found = Inlinees::new();
        let node = self.context_of(id);
        let make = super::table::table;
        self.code.tier.table.get_or_insert_with(make);
        let Some(table) = &self.code.tier.table else {
            return found;
        };
        let m = &*self.loaded.methods[id.0 as usize];
        let Some(x) = m.translated() else {
            return found;
        };
        for off in x.offsets() {
            let insn = table.find(x.own_word(off));
            let Some(TemplateOp::Call { kind, .. }) = insn.map(|i| i.op) else {
                continue;
            };
            let call = Call::read(&x.words_of_code()[off as usize / 8..]);
            // SAFETY: a method that a resolved call names lives as long as the caller.
            let named = || unsafe { &*(call.method as *const Method) };
            let callees = match kind {
                CallKind::Static | CallKind::Special => vec![named().id],
                CallKind::Virtual | CallKind::Interface => self.receivers(node, &call, m, named()),
                _ => continue,
            };
            let mut inlined = Vec::new();
            for callee in callees.into_iter().filter(|&c| c != id) {
                let Some(callee) = self.loaded.methods.find(callee) else {
                    continue;
                };
                let stops = self.code.breakpoint.as_ref().zip(callee.translated());
                if stops.is_none_or(|(b, x)| !b.is_in(x)) {
                    inlined.extend(Inlinee::new(callee, table));
                }
            }
            if !inlined.is_empty() {
                found.insert(off, inlined);
            }
        }
        found
    }
    /// A context of the method that is open in the running thread.
    fn context_of(&mut self, id: MethodId) -> Option<*mut ContextNode> {
        if !self.profiling() || !self.in_interpreter {
            return None;
        }
        let method = &raw const *self.loaded.methods[id.0 as usize];
        let mut cs = self.regs().cs;
        let bottom = self.thread().stack_bottom();
        for _ in 0..FRAMES {
            if cs.is_null() || cs >= bottom {
                break;
            }
            // SAFETY: control frames between top and bottom are valid.
            let frame = unsafe { &*cs };
            if std::ptr::eq(frame.method, method) && !frame.node.is_null() {
                return Some(frame.node);
            }
            cs = cs.wrapping_add(1);
        }
        None
    }
    /// The methods that a call has led to in a context, the most frequent ones first.
    fn receivers(
        &self,
        node: Option<*mut ContextNode>,
        call: &Call,
        caller: &Method,
        named: &Method,
    ) -> Vec<MethodId> {
        let mut found: Vec<(u64, MethodId)> = Vec::new();
        let Some(node) = node else {
            return Vec::new();
        };
        // compiled code compares with its address: there must be no other method later
        let stays = |m: &Method| {
            let unit = self.heap.unit_of(m.class);
            unit == UnitId::PERMANENT || unit == self.heap.unit_of(caller.class)
        };
        // SAFETY: the node of a frame is live, and so are its children.
        unsafe {
            let mut child = ContextNode::first_child(node);
            for _ in 0..CHILDREN {
                if child.is_null() {
                    break;
                }
                let k = &*child;
                if k.is_called(k.method, call.bci)
                    && self.loaded.methods.retired(MethodId(k.method)).is_none()
                    && let Some(m) = self.loaded.methods.find(MethodId(k.method))
                    && (m.name, m.desc) == (named.name, named.desc)
                    && !m.is_static()
                    && stays(m)
                {
                    found.push((k.invocations, m.id));
                }
                child = ContextNode::next_sibling(child);
            }
        }
        found.sort_by_key(|&(n, id)| (std::cmp::Reverse(n), id.0));
        found.into_iter().map(|f| f.1).take(RECEIVERS).collect()
    }
    /// `caller` has these methods inlined.
    pub(super) fn note_inlined(
        &mut self,
        caller: MethodId,
        callees: impl Iterator<Item = MethodId>,
    ) {
        for callee in callees {
            let callers = self.code.tier.inliners.entry(callee).or_default();
            if !callers.contains(&caller) {
                callers.push(caller);
            }
        }
    }
}
