//! The one owner of the handler words of translated code: all code that writes them goes through this module, and code that
//! needs the original handler of an instruction asks here.
//!
//! Over an instruction's own handler lie, in this order, each with what it hides kept beside the code:
//!
//! 1. an *entry* of compiled code ([`Entries`]), or the handler of a return that notifies (`RareTables::returns`);
//! 2. an instrument's (`RareTables::sites`);
//! 3. a breakpoint, of which there is one in a VM ([`Breakpoint`]).
//!
//! Entries and the others exclude each other: a method in which returns notify, with instruments, or with a careful copy, has
//! no compiled code, and while there is a breakpoint in a method its entries are lifted. So a thread runs compiled code when it
//! comes to an entry, and leaves it before any patch over a word could be meant to stop it. Careful copies have a separate word
//! for each instruction, the stepping handler's, and read here what to step to.
#![cfg_attr(not(tier), allow(dead_code, reason = "for compiled code alone"))]

use super::entries::{CallAddress, CompiledEntry, Entries};
use super::translated::{Breakpoint, RareTables, Translated};
use crate::interp::frame::Ip;
use crate::interp::insn::word;
use crate::interp::{Handler, insn, instrumented, slow};

fn handler(word: &u64) -> Handler {
    // SAFETY: the word is a handler's: what an instruction began with.
    unsafe { *std::ptr::from_ref(word).cast::<Handler>() }
}

impl Translated {
    /// The handler word of the instruction at byte offset `off`, with or without notifications there.
    pub(crate) fn own_word(&self, off: u32) -> u64 {
        match self.site(off as usize) {
            Some(site) => site.own,
            None => *self.below_entry(off as usize),
        }
    }
    /// The word of the instruction at byte offset `off`, except for an entry of compiled code.
    fn below_entry(&self, off: usize) -> &u64 {
        let entries = self.rest.get().and_then(|r| r.entries.as_deref());
        match entries.and_then(|e| Some(&e.list[e.find(off)?])) {
            Some(entry) => &entry.own,
            None => &self.code()[off / 8],
        }
    }
    /// Handler of the instruction at byte offset `off`, or an instrument's.
    pub(crate) fn handler_at(&self, off: usize) -> Handler {
        assert!(self.tables().find(off).is_some(), "an instruction");
        handler(self.below_entry(off))
    }
    /// The handler of a return that notifies, at byte offset `off`.
    pub(crate) fn own_return(&self, off: usize) -> Handler {
        let at = (off / 8) as u32;
        let returns = self.rest.get().map_or(&[][..], |r| &r.returns);
        let i = returns.binary_search_by_key(&at, |r| r.0);
        handler(&returns[i.expect("a return")].1)
    }
    /// Gives the instruction at byte offset `off` another handler: the one it had. There are no entries.
    pub(super) fn put_word(
        &mut self,
        off: u32,
        new: u64,
        breakpoint: &mut Option<&mut Breakpoint>,
    ) -> u64 {
        let word = &mut self.code_mut()[off as usize / 8];
        match breakpoint {
            Some(b) if std::ptr::eq(b.word, word) => std::mem::replace(&mut b.handler, new),
            _ => std::mem::replace(word, new),
        }
    }
    /// Does something with the code while neither entries nor instruments' handlers are in it; the entries are gone then.
    /// There is no breakpoint.
    fn without_sites<T>(&mut self, f: impl FnOnce(&mut Translated) -> T) -> T {
        self.drop_entries();
        let sites = self.rest.get_mut().and_then(|r| r.sites.take());
        for site in sites.iter().flat_map(|s| &s.list) {
            self.code_mut()[site.off as usize / 8] = site.own;
        }
        let done = f(self);
        if let Some(mut sites) = sites {
            for site in &mut sites.list {
                let at = &mut self.code_mut()[site.off as usize / 8];
                site.own = std::mem::replace(at, word(instrumented::site));
            }
            self.rest.make().sites = Some(sites);
        }
        done
    }
    /// The saved handler of the instruction at byte offset `off`, if something lies over it.
    fn hidden(&mut self, off: usize) -> Option<&mut u64> {
        let rest: &mut RareTables = self.rest.get_mut()?;
        if let Some(sites) = &mut rest.sites {
            let i = usize::from(sites.index[off / 8]).checked_sub(1)?;
            return Some(&mut sites.list[i].own);
        }
        let entries = rest.entries.as_deref_mut()?;
        let i = entries.find(off)?;
        Some(&mut entries.list[i].own)
    }
    /// Does something with the code while nothing lies over the instruction at byte offset `off`.
    fn uncovered<T>(&mut self, off: usize, f: impl FnOnce(&mut Translated) -> T) -> T {
        let Some(own) = self.hidden(off).copied() else {
            return f(self);
        };
        let over = std::mem::replace(&mut self.code_mut()[off / 8], own);
        let done = f(self);
        let now = std::mem::replace(&mut self.code_mut()[off / 8], over);
        *self.hidden(off).expect("it is there") = now;
        done
    }
    /// Gives instructions other handlers, where `other` has one for theirs.
    pub(crate) fn replace_handlers(&mut self, other: impl Fn(u64) -> Option<u64>) {
        self.without_sites(|x| x.exchange_handlers(other));
    }
    fn exchange_handlers(&mut self, other: impl Fn(u64) -> Option<u64>) {
        let (code, tables, rest) = self.parts();
        for cover in tables.iter() {
            // the careful copy steps, and reads the handler here
            let word = &mut code[cover.off as usize / 8];
            if let Some(handler) = other(*word) {
                *word = handler;
            }
        }
        let returns = rest.get_mut().map_or(&mut [][..], |r| &mut r.returns);
        for (_, own) in returns {
            if let Some(handler) = other(*own) {
                *own = handler;
            }
        }
    }
    /// Changes operands (and the handler) of the instruction at `ip`, in the code and in the careful copy.
    ///
    /// # Safety
    /// `f` writes to the instruction alone, and leaves one there.
    pub(crate) unsafe fn patch(&mut self, ip: Ip, f: impl Fn(*mut u8)) {
        let off = self.offset(ip).expect("an instruction of this method");
        // SAFETY: `off` is an instruction's in both; by contract.
        unsafe {
            self.uncovered(off, |x| f(x.code_mut().as_mut_ptr().cast::<u8>().add(off)));
            let Some(rest) = self.rest.get_mut() else {
                return;
            };
            if let Some(c) = rest.careful.as_mut() {
                let p = c.as_mut_ptr().cast::<u8>().add(off);
                let step = *p.cast::<u64>();
                f(p);
                *p.cast::<u64>() = step;
            }
            if let Some(entries) = &mut rest.entries {
                entries.patched += 1;
            }
        }
    }
    /// Instructions with these handlers, those of returns, notify from now on, and no others. There is no breakpoint in the code.
    pub(crate) fn notify_returns(&mut self, handlers: &[u64]) {
        self.without_sites(|x| x.returns_notify(handlers));
    }
    fn returns_notify(&mut self, handlers: &[u64]) {
        let notifying = self.rest.get_mut().map(|r| std::mem::take(&mut r.returns));
        for (at, own) in notifying.unwrap_or_default() {
            self.code_mut()[at as usize] = own;
        }
        if handlers.is_empty() {
            return;
        }
        let (code, tables, rest) = self.parts();
        for cover in tables.iter() {
            let word = &mut code[cover.off as usize / 8];
            if handlers.contains(word) {
                let own = std::mem::replace(word, insn::word(slow::notified_return));
                rest.make().returns.push((cover.off / 8, own));
            }
        }
    }
    /// Whether nothing but entries of compiled code may lie over instructions.
    pub(crate) fn may_be_entered(&self) -> bool {
        let rest = self.rest.get();
        rest.is_none_or(|r| r.sites.is_none() && r.returns.is_empty() && r.careful.is_none())
    }
    /// Drops the careful copy: no frame is in it, or returns to it.
    pub(crate) fn drop_careful(&mut self) {
        if let Some(rest) = self.rest.get_mut() {
            rest.careful = None;
            rest.stepping = Default::default();
        }
    }
    /// Whether `ip` is in the careful copy.
    pub(crate) fn is_careful(&self, ip: Ip) -> bool {
        let start = self.code().as_ptr() as usize;
        let fast = (ip as usize).wrapping_sub(start) <= self.code().len() * 8;
        !fast && self.offset(ip).is_some()
    }
    /// Whether there is a careful copy.
    pub(crate) fn has_careful(&self) -> bool {
        self.rest.get().is_some_and(|r| r.careful.is_some())
    }
    /// Compiled code is entered from now on, and no other: `entries` by ascending word, `memory` the memory of the code.
    ///
    /// # Safety
    /// At its addresses is code that does, with the registers of a handler, what the instructions from the entry's on do, as long as
    /// `memory` is there. At the address of `call` is code that does what the first ones do, with the registers that compiled code has
    /// when it calls a method; it is the address of the method that owns this.
    pub(crate) unsafe fn set_entries(
        &mut self,
        entries: Vec<CompiledEntry>,
        call: Option<CallAddress>,
        memory: Box<dyn Send>,
    ) {
        assert!(self.may_be_entered());
        self.drop_entries();
        self.rest.make().entries = Some(Box::new(Entries {
            list: entries,
            laid: false,
            patched: 0,
            call,
            _memory: memory,
        }));
        self.lay_entries();
    }
    /// Puts the entries into the code, if they are not there.
    pub(super) fn lay_entries(&mut self) {
        let Some(mut entries) = self.rest.get_mut().and_then(|r| r.entries.take()) else {
            return;
        };
        if !std::mem::replace(&mut entries.laid, true) {
            for e in &mut entries.list {
                e.own = std::mem::replace(&mut self.code_mut()[e.word as usize], e.code);
            }
        }
        if let Some(call) = &mut entries.call {
            call.set(true);
        }
        self.rest.make().entries = Some(entries);
    }
    /// Takes the entries out of the code.
    pub(super) fn lift_entries(&mut self) {
        let Some(mut entries) = self.rest.get_mut().and_then(|r| r.entries.take()) else {
            return;
        };
        if std::mem::replace(&mut entries.laid, false) {
            for e in &entries.list {
                self.code_mut()[e.word as usize] = e.own;
            }
        }
        if let Some(call) = &mut entries.call {
            call.set(false);
        }
        self.rest.make().entries = Some(entries);
    }
    /// Calls of the method lead to its translated code from now on, or elsewhere.
    pub(crate) fn set_leads_here(&mut self, leads_here: bool) {
        let rest = self.rest.get_mut();
        if let Some(entries) = rest.and_then(|r| r.entries.as_deref_mut())
            && let Some(call) = &mut entries.call
        {
            call.leads_here = leads_here;
            call.set(entries.laid);
        }
    }
    /// Drops the compiled code. No frame under way is in it: it is entered from handlers and left for them.
    pub(crate) fn drop_entries(&mut self) {
        self.lift_entries();
        if let Some(rest) = self.rest.get_mut() {
            rest.entries = None;
        }
    }
    /// How many instructions were resolved since the method was compiled; none: it is not.
    pub(crate) fn patched_since(&self) -> Option<u32> {
        Some(self.rest.get()?.entries.as_ref()?.patched)
    }
    /// More speaks for compiling it. Whether that is enough now; then it begins again.
    pub(crate) fn add_points(&mut self, n: u8, enough: u8) -> bool {
        let points = &mut self.rest.make().points;
        *points = points.saturating_add(n);
        let reached = *points >= enough;
        if reached {
            *points = 0;
        }
        reached
    }
    /// Byte offsets of the instructions, ascending.
    pub(crate) fn offsets(&self) -> Vec<u32> {
        self.tables().iter().map(|c| c.off).collect()
    }
    /// The words of the instructions.
    pub(crate) fn words_of_code(&self) -> &[u64] {
        self.code()
    }
    /// Byte offsets that handlers of exceptions and returns of subroutines lead to.
    pub(crate) fn landings(&self) -> Vec<u32> {
        let handlers = self.handlers().iter().map(|h| h.off);
        handlers
            .chain(self.labels().iter().map(|l| l.off))
            .collect()
    }
}
