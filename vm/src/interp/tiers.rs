//! When methods are compiled: what the VM has to do with its compiled tier (`tier`), which there is on x86-64 Linux.
//!
//! The trigger is a function of executed bytecodes. Every N bytecodes of all threads (N grows as the program runs), in the
//! order in which they have their turns, the look that comes next gives points to the method on top of the stack and to its caller; with
//! enough of them a method is compiled. These looks do nothing else: other looks find the same, at the same time, as without
//! them.
#![cfg_attr(not(tier), allow(dead_code, reason = "for compiled code alone"))]

use super::look::PollKind;
#[cfg(tier)]
use super::tiers_state::{Compilation, CompiledCode, NotCompiled};
use super::tiers_state::{InterpretedMode, OnCompilation, TierUse};
use crate::classes::Method;
use crate::ids::MethodId;
#[cfg(tier)]
use crate::ids::ThreadId;
#[cfg(tier)]
use crate::jdk;
#[cfg(tier)]
use crate::vm::TierFault;
use crate::vm::{TierMode, Vm};

#[cfg(tier)]
use super::tier::compile::{CodePlace, Compiled, compile};
#[cfg(tier)]
use super::tier::space::CodeSpace;
#[cfg(tier)]
use super::translate::CallAddress;
#[cfg(tier)]
use std::ptr::NonNull;

/// Bytecodes between two looks that give points, at least, and at most.
const BETWEEN: std::ops::RangeInclusive<i64> = 10_007..=100_003;
/// The part of all executed bytecodes that lies between two looks: one in this many.
const PART: i64 = 1024;
/// Points for a method on top of the stack, for its caller, and points with which a method is compiled.
const ON_TOP: u8 = 2;
const CALLER: u8 = 1;
const ENOUGH: u8 = 4;

/// With `--tier=all`: instructions of a method that are resolved before it is compiled again, at least, and the words of code for
/// each of them.
const PATCHES: usize = 6;
const WORDS_A_PATCH: usize = 32;

impl Vm {
    /// Why all methods are interpreted, if they are: the one place that knows which runs are. Those are: runs that ask for it; those that
    /// count executions of single bytecodes, whose edges count; those that note the path of the program or can
    /// come under control, whose translations have instructions between bytecodes.
    pub fn interpreted(&self) -> Option<InterpretedMode> {
        let o = &self.options;
        let modes = [
            (o.tier == TierMode::Off, InterpretedMode::Chosen),
            (cfg!(not(tier)), InterpretedMode::Platform),
            (self.code.tier.found.refused, InterpretedMode::Refused),
            (self.counts_blocks(), InterpretedMode::Blocks),
            (o.traces_path, InterpretedMode::Path),
            (o.debuggable, InterpretedMode::Debugger),
            (o.explored.is_some(), InterpretedMode::Explored),
        ];
        modes.into_iter().find_map(|(is, mode)| is.then_some(mode))
    }
    /// Whether methods may be compiled.
    pub(super) fn may_compile(&self) -> bool {
        self.interpreted().is_none()
    }
    /// From now on `f` receives each method that is compiled, and each one that could not be, once for each reason.
    pub fn on_compilation(&mut self, f: OnCompilation) {
        self.code.tier.on_compilation = Some(f);
    }
    /// Figures of the compiled tier.
    pub fn tier_use(&self) -> TierUse {
        self.code.tier.found
    }
    /// The process has just been copied, in the original and in the copy: neither writes to compiled code that the other one runs.
    pub fn process_copied(&mut self) {
        #[cfg(tier)]
        if let Some(space) = &self.code.tier.space {
            let mut space = space
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            space.share();
        }
    }
    /// A thread has its turn, which has executed so many bytecodes.
    pub(super) fn tier_begins(&mut self, ticks: i64) {
        self.code.tier.next = match self.may_compile() && self.options.tier == TierMode::On {
            true => ticks.saturating_add(self.code.tier.left),
            false => i64::MAX,
        };
    }
    /// Its turn has ended.
    pub(super) fn tier_ends(&mut self, ticks: i64) {
        let tier = &mut self.code.tier;
        if tier.next != i64::MAX {
            tier.left = (tier.next - ticks).max(0);
        }
    }
    /// The limit, which is this one except for the tier.
    pub(super) fn limit_with_tier(&mut self, plain: i64) -> i64 {
        self.code.tier.plain = plain;
        plain.min(self.code.tier.next)
    }
    /// Whether a look would not be one without the tier; `sampled`: a sample was taken at it.
    pub(super) fn is_for_tier(&mut self, sampled: bool) -> bool {
        let ticks = self.regs().ticks;
        let tier = &self.code.tier;
        ticks >= tier.next
            && ticks < tier.plain
            && !self.attention
            && (!sampled || self.samples_are_quick())
    }
    /// At such a look: points are given.
    pub(super) fn look_for_tier(&mut self, look: PollKind) {
        let r = *self.regs();
        let every = (self.bytecodes / PART).clamp(*BETWEEN.start(), *BETWEEN.end());
        self.code.tier.next = r.ticks + every;
        let bottom = self.thread().stack_bottom();
        // SAFETY: the top frame, the one below it, unless a thread's first method has returned, and the one that was just left.
        let [top, below, left] = unsafe {
            let left = match look {
                PollKind::Return(..) => (*r.cs.sub(1)).method,
                _ => std::ptr::null_mut(),
            };
            let below = match r.cs.add(1) < bottom {
                true => (*r.cs.add(1)).method,
                false => std::ptr::null_mut(),
            };
            [(*r.cs).method, below, left]
        };
        self.give_points(top, ON_TOP);
        self.give_points(left, ON_TOP);
        self.give_points(below, CALLER);
        let plain = self.code.tier.plain;
        self.limit_is(plain);
    }
    fn give_points(&mut self, m: *mut Method, n: u8) {
        // SAFETY: null, or a method that has a frame, or had one just now.
        let Some(m) = (unsafe { m.as_mut() }) else {
            return;
        };
        let id = m.id;
        let Some(x) = m.translated_mut() else {
            return;
        };
        if x.patched_since() == Some(0) {
            return;
        }
        if x.add_points(n, ENOUGH) {
            self.compile(id);
        }
    }
    /// A method has been translated.
    pub(super) fn tier_translated(&mut self, id: MethodId) {
        if self.options.tier == TierMode::All {
            self.compile(id);
        }
    }
    /// An instruction of the method has been resolved.
    pub(super) fn tier_patched(&mut self, m: *mut Method) {
        if self.options.tier != TierMode::All {
            return;
        }
        // SAFETY: a method that has a frame is loaded.
        let m = unsafe { &*m };
        let Some(x) = m.translated() else { return };
        // not each time: methods with many instructions have many of these, and each compilation has all instructions
        let enough = (x.words_of_code().len() / WORDS_A_PATCH).max(PATCHES);
        if x.patched_since().is_none_or(|n| n as usize >= enough) {
            self.compile(m.id);
        }
    }
    /// Compiles a method, if nothing is in the way.
    #[cfg(tier)]
    fn compile(&mut self, id: MethodId) {
        if !self.may_compile() || !self.checked_compilation(id) {
            return;
        }
        let outcome = self.compiled(id);
        if let Ok(code) = outcome {
            let tier = &mut self.code.tier.found;
            tier.compiled += 1;
            tier.instructions.0 += code.instructions.1 as u64;
            tier.instructions.1 += code.instructions.0 as u64;
            tier.bytes += code.bytes as u64;
        }
        self.report_compilation(id, outcome);
    }
    /// Whether a check of the tier lets the method be compiled. Its name is left there.
    #[cfg(tier)]
    fn checked_compilation(&mut self, id: MethodId) -> bool {
        let tier = &mut self.code.tier;
        let number = tier.attempts;
        tier.attempts += 1;
        let Some(check) = &self.options.tier_check else {
            return true;
        };
        if check.most.is_some_and(|most| number >= most) {
            return false;
        }
        let name = self.method_name(id);
        *check
            .last
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = (number + 1, name);
        true
    }
    #[cfg(tier)]
    fn report_compilation(&mut self, id: MethodId, outcome: Result<CompiledCode, NotCompiled>) {
        let tier = &mut self.code.tier;
        if tier.on_compilation.is_none()
            || outcome.is_err_and(|why| !tier.refused.insert((id.0, why)))
        {
            return;
        }
        let mut hook = self.code.tier.on_compilation.take();
        let at = self.bytecodes_now();
        let m = self.method(id);
        let (name, desc) = (self.symbols().str(m.name), self.symbols().str(m.desc));
        let compilation = Compilation {
            at,
            class: &self.class(m.class).dotted(),
            method: &format!("{name}{desc}"),
            bytecode: m.code().map_or(0, |code| code.bytes().len()),
            outcome,
        };
        if let Some(hook) = &mut hook {
            hook(&compilation);
        }
        self.code.tier.on_compilation = hook;
    }
    #[cfg(tier)]
    fn compiled(&mut self, id: MethodId) -> Result<CompiledCode, NotCompiled> {
        self.leaves_careful(id)?;
        if self.code.tier.changed.contains(&id) {
            return Err(NotCompiled::Stopped);
        }
        if self.code.tier.space.is_none() {
            self.code.tier.space = CodeSpace::new(self.options.max_compiled);
            self.code.tier.found.refused = self.code.tier.space.is_none();
        }
        // methods are looked at often, and compiling takes time even if it is for nothing
        if self.code.tier.has_no_room(id) {
            return Err(NotCompiled::NoRoom);
        }
        let fault = self.injected_fault(id);
        let place = self.code_place(id, fault);
        let breakpoint = self.code.breakpoint.as_ref();
        let tier = &mut self.code.tier;
        let Some(space) = &tier.space else {
            return Err(NotCompiled::Refused);
        };
        let table = tier.table.get_or_insert_with(super::table::table);
        let m = &mut *self.loaded.methods[id.0 as usize];
        let (entry, call) = (m.entry, NonNull::from(&mut m.call));
        let x = m.translated_mut().expect("translated");
        if breakpoint.is_some_and(|b| b.is_in(x)) {
            return Err(NotCompiled::Stopped);
        }
        let Compiled {
            entries,
            called,
            piece,
            instructions,
            inlined,
            ..
        } = match compile(x, table, space, &place) {
            Ok(compiled) => compiled,
            Err(why) => {
                if why == NotCompiled::NoRoom {
                    tier.note_no_room(id);
                }
                return Err(why);
            }
        };
        let code = CompiledCode {
            address: piece.address(),
            bytes: piece.bytes(),
            instructions,
        };
        // SAFETY: that is what `compile` makes, and the place is in the method.
        unsafe {
            let call = called.map(|code| CallAddress::new(call, super::uncompiled(), code));
            x.set_entries(entries, call, Box::new(piece));
        }
        x.set_leads_here(std::ptr::eq(entry, x.start()));
        tier.found.inlined += inlined as u64;
        let inlined = place.inlinees.values().flatten();
        let callees: Vec<MethodId> = inlined.flat_map(|i| i.methods()).collect();
        self.note_inlined(id, callees);
        Ok(code)
    }
    /// A frame of the method has other values than its bytecode gave it: compiled code would rely on an object where there is null now.
    pub(super) fn note_changed_frame(&mut self, id: MethodId) {
        self.code.tier.changed.insert(id);
        if let Some(x) = self.method_mut(id).translated_mut() {
            x.drop_entries();
        }
    }
    /// The method is entered in another way, or does something else from now on: compiled code that relies on it goes.
    pub(crate) fn method_changes(&mut self, id: MethodId) {
        let callers = self.code.tier.inliners.remove(&id);
        for caller in callers.into_iter().flatten() {
            if let Some(x) = self
                .loaded
                .methods
                .find_mut(caller)
                .and_then(Method::translated_mut)
            {
                x.drop_entries();
            }
        }
    }
    /// The place for which the code of a method is made.
    #[cfg(tier)]
    pub(super) fn code_place(&mut self, id: MethodId, fault: Option<TierFault>) -> CodePlace {
        let inlinees = self.inlinees(id);
        let m = self.method(id);
        CodePlace {
            base: self.hot() as u64,
            contexts: self.profiling(),
            mirror: m.is_static().then(|| self.mirror(m.class).0),
            referent: match self.loaded.known.reference.is_none() {
                true => 0,
                false => self.offset_of(jdk::reference::REFERENT),
            },
            inlinees,
            fault,
        }
    }
    /// The fault that the method's compiled code is to have, for tests.
    #[cfg(tier)]
    fn injected_fault(&self, id: MethodId) -> Option<TierFault> {
        let check = self.options.tier_check.as_ref()?;
        let (fault, method) = check.fault.as_ref()?;
        (self.method_name(id).starts_with(method)).then_some(*fault)
    }
    #[cfg(not(tier))]
    fn compile(&mut self, _: MethodId) {}
    /// A method's compiled code, which there is none of here.
    ///
    /// # Errors
    /// None.
    #[cfg(not(tier))]
    pub fn list_compiled(
        &mut self,
        _: MethodId,
    ) -> crate::throw::R<Option<super::CompiledListing>> {
        Ok(None)
    }
    /// Whether nothing lies over the method's instructions that compiled code may not replace. Drops a careful copy that no frame
    /// uses any more.
    #[cfg(tier)]
    fn leaves_careful(&mut self, id: MethodId) -> Result<(), NotCompiled> {
        let m: *const Method = &raw const *self.loaded.methods[id.0 as usize];
        let x = self.method(id).translated().expect("translated");
        if x.has_careful() {
            let mut found = false;
            for t in 0..self.threads.len() as u32 {
                self.each_frame(ThreadId(t), |_, w| {
                    // SAFETY: methods are loaded as long as they have frames.
                    let x = std::ptr::eq(w.method, m).then(|| unsafe { (*w.method).translated() });
                    found |= x.flatten().is_some_and(|x| x.is_careful(w.ip));
                    !found
                });
            }
            if found {
                return Err(NotCompiled::Stopped);
            }
            // what was noted of its frames may name the copy
            self.settle_samples();
            self.method_mut(id)
                .translated_mut()
                .expect("translated")
                .drop_careful();
        }
        match self.method(id).translated() {
            Some(x) if x.may_be_entered() => Ok(()),
            _ => Err(NotCompiled::Notifies),
        }
    }
}
