//! Which callees compiled code has in it (`tier::inline`), and when it has to go because they are entered in another way.

use super::tier::inline::{Inlinee, Inlinees};
use crate::classes::Method;
use crate::heap::units::UnitId;
use crate::ids::{MethodId, Ref};
use crate::interp::call_kind::CallKind;
use crate::interp::insn::{Call, Layout};
use crate::interp::instruction::{InsnTable, TemplateOp};
use crate::interp::translate::Translated;
use crate::natives::InlinedNative;
use crate::vm::Vm;
use rjvm_profiler::cct::ContextNode;
use std::collections::BTreeMap;

/// Receivers' methods that one call compares with.
const RECEIVERS: usize = 3;
/// Frames in which a context of a method is looked for, and children of it.
const FRAMES: usize = 16;
const CHILDREN: usize = 64;
/// Callees in callees, at most.
const DEEPEST: usize = 4;
/// A call that is executed less than once in so many invocations is left to its handler where all else is inlined.
const RARE: u64 = 16;

/// What a call may lead to, with its context if there is one.
struct Callees {
    found: Vec<(MethodId, Option<*mut ContextNode>)>,
    /// It is rare in its context.
    rare: bool,
}

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
            let Some(callees) = self.callees(m, x, off, node, table) else {
                continue;
            };
            let mut inlined = Vec::new();
            for (callee, child) in callees.found {
                inlined.extend(self.inlinee(callee, child, &mut vec![id], table));
            }
            if !inlined.is_empty() {
                found.insert(off, inlined);
            }
        }
        found
    }
    /// A method to be inlined in `around`, with all that it calls; none if it is not to be.
    fn inlinee(
        &self,
        id: MethodId,
        node: Option<*mut ContextNode>,
        around: &mut Vec<MethodId>,
        table: &InsnTable,
    ) -> Option<Inlinee> {
        let m = self.loaded.methods.find(id)?;
        if let Some(native) = self.inlined_native(m) {
            return Some(Inlinee::of_native(m, native));
        }
        let x = m.translated()?;
        let stopped = self.code.breakpoint.as_ref().is_some_and(|b| b.is_in(x));
        if stopped || around.contains(&id) || !Inlinee::is_small(m) {
            return None;
        }
        let mut inner = BTreeMap::new();
        around.push(id);
        for off in x.offsets() {
            let Some(callees) = self.callees(m, x, off, node, table) else {
                continue;
            };
            let inlined = match callees.found[..] {
                [(callee, child)] if !callees.rare && around.len() <= DEEPEST => {
                    self.inlinee(callee, child, around, table)
                }
                _ => None,
            };
            if inlined.is_some() || callees.rare {
                inner.insert(off, inlined);
            }
        }
        around.pop();
        let flag = |place: u32| self.heap.get::<u8>(Ref(place / 8), place % 8) != 0;
        Inlinee::new(m, table, inner, &flag)
    }
    /// What compiled code may do instead of calling a native, if nothing has to know of the call.
    fn inlined_native(&self, m: &Method) -> Option<InlinedNative> {
        let bound = m.native?;
        let plain = std::ptr::eq(m.entry, self.code.stubs.native) && m.original == m.id;
        if !plain || m.is_synchronized() {
            return None;
        }
        let [name, desc] = [m.name, m.desc].map(|s| &**self.syms.str(s));
        let class = &*self.class(m.class).name;
        self.natives
            .inlined((class, name, desc), m.is_static(), bound)
    }
    /// What the instruction at that offset may lead to, if it is a call that can be inlined.
    fn callees(
        &self,
        m: &Method,
        x: &Translated,
        off: u32,
        node: Option<*mut ContextNode>,
        table: &InsnTable,
    ) -> Option<Callees> {
        let insn = table.find(x.own_word(off));
        let TemplateOp::Call { kind, .. } = insn?.op else {
            return None;
        };
        let call = Call::read(&x.words_of_code()[off as usize / 8..]);
        let children = node.map(|node| Self::children_at(node, call.bci));
        // SAFETY: a method that a resolved call names lives as long as the caller.
        let named = unsafe { &*(call.method as *const Method) };
        let found = match kind {
            CallKind::Static | CallKind::Special => {
                let children = children.iter().flatten();
                let child = children.filter(|k| k.1 == named.id).map(|k| k.2).next();
                vec![(named.id, child)]
            }
            CallKind::Virtual | CallKind::Interface => {
                self.receivers(children.as_deref().unwrap_or_default(), m, named)
            }
            _ => return None,
        };
        let calls = children.map(|c| c.iter().map(|k| k.0).sum::<u64>());
        // SAFETY: the node of a frame is live, and so are its children.
        let all = node.map_or(0, |node| unsafe { (*node).invocations });
        Some(Callees {
            found,
            rare: calls.is_some_and(|n| n.saturating_mul(RARE) < all),
        })
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
    /// What a call has led to in a context: how often, which method, and its context.
    fn children_at(node: *mut ContextNode, bci: u16) -> Vec<(u64, MethodId, *mut ContextNode)> {
        let mut found = Vec::new();
        // SAFETY: the node of a frame is live, and so are its children.
        unsafe {
            let mut child = ContextNode::first_child(node);
            for _ in 0..CHILDREN {
                if child.is_null() {
                    break;
                }
                let k = &*child;
                if k.is_called(k.method, bci) {
                    found.push((k.invocations, MethodId(k.method), child));
                }
                child = ContextNode::next_sibling(child);
            }
        }
        found
    }
    /// The methods that a call of the named one has led to, the most frequent ones first.
    fn receivers(
        &self,
        children: &[(u64, MethodId, *mut ContextNode)],
        caller: &Method,
        named: &Method,
    ) -> Vec<(MethodId, Option<*mut ContextNode>)> {
        // compiled code compares with its address: there must be no other method later
        let stays = |m: &Method| {
            let unit = self.heap.unit_of(m.class);
            unit == UnitId::PERMANENT || unit == self.heap.unit_of(caller.class)
        };
        let mut found = children.to_vec();
        found.retain(|&(_, id, _)| {
            self.loaded.methods.retired(id).is_none()
                && self.loaded.methods.find(id).is_some_and(|m| {
                    (m.name, m.desc) == (named.name, named.desc) && !m.is_static() && stays(m)
                })
        });
        found.sort_by_key(|&(n, id, _)| (std::cmp::Reverse(n), id.0));
        let found = found.into_iter().map(|(_, id, child)| (id, Some(child)));
        found.take(RECEIVERS).collect()
    }
    /// `caller` has these methods inlined.
    pub(super) fn note_inlined(
        &mut self,
        caller: MethodId,
        callees: impl IntoIterator<Item = MethodId>,
    ) {
        for callee in callees {
            let callers = self.code.tier.inliners.entry(callee).or_default();
            if !callers.contains(&caller) {
                callers.push(caller);
            }
        }
    }
}
