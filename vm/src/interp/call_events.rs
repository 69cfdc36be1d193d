//! Calls and returns reported, while an observer wants them.
//!
//! Methods are entered by a stub then, which reports and continues at the method's own entry, and each return instruction has a
//! handler that reports and runs the return's own. Both represent no bytecode. When no observer wants them any more, entries
//! and handlers are as before.

use super::Handler;
use super::frame::Ip;
use super::insn::word;
use super::table;
use crate::events::{Event, EventSet};
use crate::ids::{MethodId, Ref};
use crate::vm::Vm;

/// The handlers of all returns, as words of code.
pub(super) fn returns() -> Box<[u64]> {
    table::returns().into_iter().flatten().map(word).collect()
}

impl Vm {
    /// Whether methods are entered by the stub that reports.
    fn reports_methods(&self) -> bool {
        self.wants(EventSet::METHOD_ENTRY | EventSet::METHOD_EXIT)
    }
    /// Whether an observer is notified of calls or returns.
    pub(super) fn reports_calls(&self) -> bool {
        self.reports_methods() || self.instruments.reports_exits()
    }
    /// The entry that calls use for a method whose code begins at `own`: it notifies observers of calls, if there are any.
    pub(crate) fn notified_entry(&self, own: Ip) -> Ip {
        match self.reports_methods() && own != self.code.stubs.abstract_ {
            true => self.code.stubs.reported,
            false => own,
        }
    }
    /// The entry that calls use for this method, whose code begins at `own`.
    pub(crate) fn entry_of(&self, id: MethodId, own: Ip) -> Ip {
        match self.notified_entry(own) {
            entry
                if entry == own
                    && own != self.code.stubs.abstract_
                    && self.instruments.enters(id) =>
            {
                self.code.stubs.instrumented
            }
            entry if entry == own && self.is_intrinsic(id) => self.code.stubs.intrinsic,
            entry => entry,
        }
    }
    /// Where a method begins.
    pub(crate) fn own_entry(&self, id: MethodId) -> Ip {
        let m = self.method(id);
        match m.translated() {
            Some(x) => x.start(),
            None if m.is_abstract() => self.code.stubs.abstract_,
            // the other one does not report when it is through
            None if m.is_native()
                && (self.options.explored.is_some()
                    || self.wants(EventSet::METHOD_EXIT)
                    || self.instruments.leaves(id)) =>
            {
                self.code.stubs.native_asking
            }
            None if m.is_native() => self.code.stubs.native,
            None => self.code.stubs.translate,
        }
    }
    /// The handlers of the returns that notify in this method: those of an intrinsic do so when it has been learned.
    pub(super) fn notified_returns(&self, id: MethodId) -> &[u64] {
        match self.wants(EventSet::METHOD_EXIT) || self.is_intrinsic(id) {
            true => &self.code.stubs.returns,
            false => &[],
        }
    }
    /// An observer wants to know of calls or returns now, or none does any more; `exits`: the same for returns.
    pub(crate) fn switch_method_events(&mut self, exits: bool) {
        self.disarm();
        let methods: Vec<MethodId> = self.loaded.methods.iter().map(|m| m.id).collect();
        for id in methods {
            let returns = self.notified_returns(id).to_vec();
            let m = self.method_mut(id);
            if exits && let Some(x) = m.translated_mut() {
                x.notify_returns(&returns);
            }
            if m.original == m.id && m.entry != self.code.stubs.abstract_ {
                let own = self.own_entry(id);
                self.set_entry(id, own);
            }
        }
    }
    /// A method has been entered: reports, and continues at its own entry.
    pub(super) fn notify_entered(&mut self) -> bool {
        // SAFETY: `cs` is the top frame, that of the method.
        let method = unsafe { (*(*self.regs().cs).method).id };
        // what cannot be translated is not entered
        self.ensure_translated(method);
        self.regs().ip = self.own_entry(method);
        let shown = self.original(method);
        if self.wants(EventSet::METHOD_ENTRY) {
            self.emit(Event::MethodEntry { method: shown });
        }
        if self.instruments.enters(method) {
            self.instruments_at_entry(method);
        }
        !self.limits.debugged
    }
    /// A return is about to run: reports; the handler that does what it does.
    pub(super) fn notify_return(&mut self) -> Handler {
        let r = *self.regs();
        // SAFETY: `cs` is the top frame, whose method is translated, and `ip` in its code or careful copy.
        let own = unsafe {
            let x = (*(*r.cs).method).translated().expect("translated");
            x.own_return(x.offset(r.ip).expect("an instruction"))
        };
        self.learned_at_return();
        self.notify_left(false);
        own
    }
    /// The method of the top frame is left.
    pub(super) fn notify_left(&mut self, exception: bool) {
        if self.wants(EventSet::METHOD_EXIT) {
            // SAFETY: `cs` is the top frame; methods are loaded as long as they have frames.
            let Some(m) = (unsafe { (*self.regs().cs).method.as_ref() }) else {
                return;
            };
            let method = m.original;
            self.emit(Event::MethodExit { method, exception });
        }
    }
    /// The same by an exception, if it has been entered.
    #[inline]
    pub(super) fn notify_thrown_out(&mut self, exc: Option<Ref>, exact: bool) {
        if self.instruments.reports_exits() || self.wants(EventSet::METHOD_EXIT) {
            self.notify_thrown(exc, exact);
        }
    }
    fn notify_thrown(&mut self, exc: Option<Ref>, exact: bool) {
        if self.instruments.reports_exits() {
            self.instruments_at_throw(exc, exact);
        }
        let r = *self.regs();
        // SAFETY: as above.
        let is_abstract = unsafe { (*r.cs).method.as_ref() }.is_some_and(|m| m.is_abstract());
        if ![self.code.stubs.reported, self.code.stubs.instrumented].contains(&r.ip) && !is_abstract
        {
            self.notify_left(true);
        }
    }
}
