//! Where translated code reports instruments (see `instruments`): at the entry of a method, through a stub; inside of it,
//! through a handler that is instead of an instruction's own; where it is left by an exception or a native returns, by
//! a look at the cold paths there.

use super::code::{go, handler_fn, save, slot};
use super::debugging::leave_at_site;
use super::frame::{Cs, Fp, Hot, Ip};
use super::handler::Handler;
use super::insn::call;
use super::owner::vm;
use super::top::EventFrame;
use super::translate::{InstrumentSite, SiteReport, Translated, ValueSource};
use crate::classes::Method;
use crate::ids::{MethodId, Ref, ThreadId};
use crate::instruments::{End, HitKind, HitMoment, HitSubject};
use crate::vm::Vm;
use rjvm_profiler::cct::NO_SITE;
use rjvm_profiler::samples::Frame;

handler_fn! {
    [/// An instruction at which instruments are told; then it runs as it would have.
    #[inline(never)]
    pub(crate)] site(ip: Ip, fp: Fp, cs: Cs, tk: i64, acc: u64, hot: *mut Hot, fa: f64) {
        save!(ip fp cs tk acc hot fa);
        let h = vm(hot).at_site();
        h(ip, fp, cs, tk, acc, hot, fa)
    }
}

handler_fn! {
    [/// First instruction of a method at whose entry instruments are told.
    #[inline(never)]
    pub(crate)] entered(ip: Ip, fp: Fp, cs: Cs, tk: i64, acc: u64, hot: *mut Hot, fa: f64) {
        save!(ip fp cs tk acc hot fa);
        if !vm(hot).at_entry() {
            (*hot).running = false;
            return;
        }
        (*hot).methods = vm(hot).loaded.methods.as_ptr().cast();
        // what has been saved, rather than keep it in other registers meanwhile
        let r = (*hot).regs;
        go!(r.ip, r.fp, r.cs, r.ticks, r.acc, hot, r.facc)
    }
}

impl Vm {
    /// The running thread's top frame.
    #[inline]
    pub(crate) fn top(&self) -> Option<EventFrame> {
        if !self.in_interpreter {
            return None;
        }
        let hot = self.hot();
        // one by one: a load of both would wait until each has been written
        // SAFETY: `Hot` lies at the region's base.
        let (cs, fp, ip) = unsafe {
            let fp = (&raw const (*hot).regs.fp).read_volatile();
            ((*hot).regs.cs, fp, (*hot).regs.ip)
        };
        let bottom = self.threads[self.cur.0 as usize].stack_bottom();
        if cs.is_null() || cs >= bottom {
            return None;
        }
        // SAFETY: the top control frame of the running thread.
        let method = unsafe { (*cs).method };
        Some(EventFrame {
            method,
            fp,
            cs,
            ip,
            exact: true,
            fresh: false,
        })
    }
    /// A method has been entered whose instruments want to know; whether it continues at once. Never a part of the handler:
    /// values that it keeps on the machine's stack would be in the way of the handler's last call.
    #[inline(never)]
    fn at_entry(&mut self) -> bool {
        let r = self.regs();
        let (cs, fp) = (r.cs, r.fp);
        // SAFETY: the top frame is that of the method, and has slots for what is passed.
        let (id, ready, passed) = unsafe {
            let m = (*cs).method;
            let slots = usize::from((*m).arg_slots);
            let passed = std::slice::from_raw_parts(fp.cast_const(), slots);
            ((*m).id, (*m).xlat.is_some(), passed)
        };
        if !ready {
            // what cannot be translated is not entered
            self.ensure_translated(id);
        }
        let end = End {
            method: id,
            cs,
            passed,
            value: (b'V', 0),
        };
        if !self.entry_soon(&end) {
            self.instruments_at_entry(id);
        }
        // SAFETY: as above.
        let own = unsafe { (*(*cs).method).translated() }.map(Translated::start);
        self.regs().ip = own.unwrap_or_else(|| self.own_entry(id));
        if self.limits.debugged {
            return false;
        }
        let ticks = self.regs().ticks;
        // SAFETY: `Hot` lies at the region's base.
        if ticks >= unsafe { (*self.hot()).limit } {
            self.approach();
        }
        true
    }
    /// This method has been entered: its frame is the top one, and nothing of it has been executed.
    pub(super) fn instruments_at_entry(&mut self, id: MethodId) {
        let Some(mut top) = self.top() else { return };
        top.fresh = true;
        let ticks = self.regs().ticks;
        self.notify_entry(id, top, ticks);
    }
    /// The instruction that the registers are at runs again, after its call: its instruments have been notified.
    pub(super) fn note_runs_again(&mut self) {
        if self.instruments.is_empty() {
            return;
        }
        let r = *self.regs();
        // SAFETY: `cs` is the top frame; methods are loaded as long as they have frames.
        let x = unsafe { (*r.cs).method.as_ref() }.and_then(|m| m.translated());
        if let Some((x, off)) = x.and_then(|x| Some((x, x.offset(r.ip)?))) {
            self.thread().reported_at = (r.ticks, x.at(off) as usize);
        }
    }
    /// An instruction at which instruments are notified is about to run: returns its own handler.
    fn at_site(&mut self) -> Handler {
        let r = self.regs();
        let (ip, cs, ticks) = (r.ip, r.cs, r.ticks);
        // SAFETY: `cs` is the top frame, whose method is translated, and `ip` in its code or careful copy; nobody who is notified
        // changes either before all are.
        unsafe {
            let m = (*cs).method;
            let x = (*m).translated().unwrap_unchecked();
            let off = x.offset(ip).expect("an instruction");
            // one that runs again has notified: nothing else the thread does leaves the count as it is
            let mark = (ticks, x.at(off) as usize);
            let thread = self.thread();
            if thread.reported_at != mark {
                thread.reported_at = mark;
                if let Some((reported, own)) = x.sole_report(off) {
                    if self.site_soon(&reported) {
                        return own;
                    }
                    self.notify_site(reported);
                } else {
                    self.notify_all(m, off);
                }
                self.settle_instruments();
                if self.limits.debugged {
                    // the same instruction comes next, and counts as reported
                    let x = (*m).translated().expect("translated");
                    self.regs().ip = x.at(off);
                    return leave_at_site;
                }
            }
            (*m).translated().expect("translated").own_handler(off)
        }
    }
    /// Reports all of a site in the method of the top frame.
    ///
    /// # Safety
    /// It is this method, which is translated.
    #[inline(never)]
    unsafe fn notify_all(&mut self, m: *mut Method, off: usize) {
        let mut k = 0;
        // SAFETY: methods are loaded as long as they have frames. Observers may change the instruments.
        while let Some(reported) = unsafe { (*m).translated().and_then(|x| x.reported(off, k)) } {
            k += 1;
            if !self.site_soon(&reported) {
                self.notify_site(reported);
            }
        }
    }
    /// The values at the site, in the top frame.
    ///
    /// # Safety
    /// It is of a site at the instruction that the registers are at.
    #[inline(always)]
    unsafe fn value_at(&mut self, s: ValueSource) -> u64 {
        let r = self.regs();
        match s {
            ValueSource::None => 0,
            // SAFETY: the translator keeps slot numbers inside the frame.
            ValueSource::Slot(n) => unsafe { *slot(r.fp, n) },
            ValueSource::Acc => r.acc,
            ValueSource::Facc => r.facc.to_bits(),
            ValueSource::Bits(v) => v,
        }
    }
    /// Handles a site on the fast path if possible. False: nothing has been done.
    #[inline]
    fn site_soon(&mut self, reported: &SiteReport) -> bool {
        if self.only_counts(reported.instrument, reported.kind) {
            return true;
        }
        if reported.kind != HitKind::Return || !self.has_fast_path(reported.instrument) {
            return false;
        }
        let cs = self.regs().cs;
        // SAFETY: the top frame is that of the method whose site it is.
        let (method, value) = unsafe {
            let m = (*cs).method;
            let value = ((*m).ret, self.value_at(reported.value));
            ((*m).original, value)
        };
        let end = End {
            method,
            cs,
            passed: &[],
            value,
        };
        self.handled_fast(reported.instrument, &end)
    }
    fn notify_site(&mut self, reported: SiteReport) {
        let top = self.top().expect("a frame");
        let (fp, ticks) = (top.fp, self.regs().ticks);
        // SAFETY: the site is the instruction's at `ip`; `this` is in the first slot.
        let (subject, id) = unsafe {
            let mut of = |s: ValueSource| self.value_at(s);
            let m = &*top.method;
            let subject = match reported.kind {
                HitKind::Return => HitSubject::Value(m.ret, of(reported.value)),
                HitKind::Call => HitSubject::Call(reported.constant),
                HitKind::Read | HitKind::Write => HitSubject::Field {
                    constant: reported.constant,
                    object: match reported.object {
                        ValueSource::None => None,
                        s => Some(Ref(of(s) as u32)),
                    },
                    value: (reported.kind == HitKind::Write).then(|| of(reported.value)),
                },
                HitKind::Element => {
                    let (array, index) = (of(reported.object), of(reported.value));
                    // the index has one slot, and the value's is the next
                    let value = match reported.value {
                        ValueSource::Slot(s) => of(ValueSource::Slot(s + 1)),
                        _ => 0,
                    };
                    HitSubject::Element(Ref(array as u32), index as i32, value)
                }
                HitKind::MonitorEnter | HitKind::MonitorExit => match reported.object {
                    ValueSource::None if m.is_static() => HitSubject::Object(self.mirror(m.class)),
                    ValueSource::None => HitSubject::Object(Ref(*fp as u32)),
                    s => HitSubject::Object(Ref(of(s) as u32)),
                },
                _ => HitSubject::None,
            };
            (subject, m.original)
        };
        if let HitSubject::Object(o) = subject
            && (o.is_null() || !self.is_about(reported.instrument, self.class_of(o)))
        {
            return;
        }
        let mut moment = HitMoment {
            kind: reported.kind,
            method: Some(id),
            bci: Some(reported.bci),
            top: Some(top),
            executed: ticks + i64::from(reported.begun),
            subject,
            elapsed: None,
        };
        match reported.kind {
            HitKind::Return => self.notify_exit_to(reported.instrument, &mut moment),
            _ => self.notify_moment(reported.instrument, &moment),
        }
    }
    /// A synchronized method or native on top abandons its monitor.
    pub(super) fn unlock_reported(&mut self, lock: Ref) {
        if self.instruments.reports_locks() {
            self.instruments_at_lock(lock, false);
        }
        let _ = self.monitor_exit(lock);
    }
    /// The native on top is about to return this.
    pub(super) fn instruments_at_native_return(&mut self, v: u64) {
        let Some(top) = self.top() else { return };
        // SAFETY: the top frame is the native's.
        let (id, ret) = unsafe { ((*top.method).id, (*top.method).ret) };
        let ticks = self.regs().ticks;
        self.notify_exit(id, top, ticks, HitKind::Return, HitSubject::Value(ret, v));
    }
    /// The method of the top frame is left by an exception, which is not known if it is still to be made; `exact`: the
    /// registers are at the instruction that has thrown it, not at a call of it.
    pub(super) fn instruments_at_throw(&mut self, exc: Option<Ref>, exact: bool) {
        let Some(mut top) = self.top() else { return };
        // SAFETY: `cs` is the top frame; a stub has no method.
        let Some(m) = (unsafe { top.method.as_ref() }) else {
            return;
        };
        if m.is_abstract()
            || [self.code.stubs.reported, self.code.stubs.instrumented].contains(&top.ip)
        {
            return;
        }
        top.exact = exact;
        let ticks = self.regs().ticks;
        let subject = exc.map_or(HitSubject::None, HitSubject::Object);
        let id = m.id;
        self.notify_exit(id, top, ticks, HitKind::Throw, subject);
    }
    /// Address of a thread's top control frame; 0 if it has none.
    pub(crate) fn stack_top(&mut self, t: ThreadId) -> usize {
        self.regs_of(t).cs as usize
    }
    /// Addresses of a thread's control frames of these methods, the top one first.
    pub(crate) fn frames_of(&mut self, t: ThreadId, methods: &[MethodId]) -> Vec<usize> {
        let mut cs = self.regs_of(t).cs;
        let bottom = self.threads[t.0 as usize].stack_bottom();
        let mut found = Vec::new();
        while !cs.is_null() && cs < bottom {
            // SAFETY: `cs` is between the thread's top and bottom control frames; methods are loaded as long as they have
            // frames.
            unsafe {
                if let Some(m) = (*cs).method.as_ref()
                    && methods.contains(&m.original)
                {
                    found.push(cs as usize);
                }
                cs = cs.add(1);
            }
        }
        found
    }
    /// Where the running thread was at the event that is being reported, if it is further now.
    pub(crate) fn event_top(&mut self) -> Option<(EventFrame, i64)> {
        let spot = self.event_spot()?;
        let executed = self.executed_at(&spot);
        let (r, frame) = spot.parts();
        let top = EventFrame {
            method: frame.method,
            fp: r.fp,
            cs: r.cs,
            ip: r.ip,
            exact: true,
            fresh: false,
        };
        Some((top, executed))
    }
    /// Address of a frame's control frame.
    pub(crate) fn control_of(top: &EventFrame) -> Cs {
        top.cs
    }
    /// Index of the bytecode that a frame is at; none in a native.
    pub(crate) fn bci_of(&self, top: &EventFrame) -> Option<u16> {
        // SAFETY: a method that has a frame is loaded.
        let m = unsafe { top.method.as_ref() }?;
        m.code()?;
        Some(m.position(top.ip, top.exact).map_or(0, |p| p.bci()))
    }
    /// Bytecodes the running thread has begun, at a frame's instruction.
    pub(crate) fn begun_at(&mut self) -> i64 {
        match self.spot() {
            Some(spot) => self.executed_at(&spot),
            None => self.executed(self.cur),
        }
    }
    /// The method of a frame, as others know it.
    pub(crate) fn method_of(&self, top: &EventFrame) -> Option<MethodId> {
        // SAFETY: as above.
        let m = unsafe { top.method.as_ref() }?;
        Some(m.original)
    }
    /// The arguments, by slot, of a frame that has executed nothing; nothing for other frames.
    #[inline]
    pub(crate) fn passed(top: &EventFrame) -> &[u64] {
        // SAFETY: the frame of a method has slots for what is passed.
        unsafe {
            let slots = if top.fresh {
                (*top.method).arg_slots
            } else {
                0
            };
            std::slice::from_raw_parts(top.fp, slots.into())
        }
    }
    /// The value in slot `n` of a frame. It is a reference or not, by the method's arguments or, if `argument` is false, by all
    /// that is known. `None`: it is not known to be the requested one.
    #[inline]
    pub(crate) fn slot_at(
        &self,
        top: &EventFrame,
        n: usize,
        reference: bool,
        argument: bool,
    ) -> Option<u64> {
        // SAFETY: as above; the slots of arguments and locals lie in the frame, and those in the map hold references.
        unsafe {
            let m = top.method.as_ref()?;
            if top.fresh {
                return (argument && n < usize::from(m.arg_slots)).then(|| *top.fp.add(n));
            }
        }
        self.slot_known(top, n, reference, argument)
    }
    /// The same of a frame that has executed something.
    fn slot_known(
        &self,
        top: &EventFrame,
        n: usize,
        reference: bool,
        argument: bool,
    ) -> Option<u64> {
        // SAFETY: as above.
        unsafe {
            let m = top.method.as_ref()?;
            let x = m.translated();
            let position = x.and_then(|x| x.position(top.ip, top.exact));
            let is_reference = match (x, position) {
                (Some(_), Some(p)) => p.roots()?.any(|r| r == n),
                // a native: the arguments are its own
                _ if !argument => return None,
                _ => reference,
            };
            let inside = match (x, m.code()) {
                (Some(_), Some(c)) => n < usize::from(c.attr().max_locals),
                _ => n < usize::from(m.arg_slots),
            };
            (inside && is_reference == reference).then(|| *top.fp.add(n))
        }
    }
    /// What the call at a frame's instruction is given in slot `n`, and where they begin.
    pub(crate) fn outgoing(&self, top: &EventFrame, n: usize) -> u64 {
        // SAFETY: the instrument is notified at a call, whose arguments are in the frame.
        unsafe {
            let first = call::first.get(top.ip);
            let at = first + n as u16;
            match call::moved_to.get(top.ip) {
                to if to != 0 && to == at => *slot(top.fp, call::moved_from.get(top.ip)),
                _ => *slot(top.fp, at),
            }
        }
    }
    /// The innermost frames of the running thread, at most that many, the top one first.
    pub(crate) fn frames_from(
        &self,
        top: &EventFrame,
        bci: Option<u16>,
        most: usize,
        into: &mut Vec<Frame>,
    ) {
        let bottom = self.threads[self.cur.0 as usize].stack_bottom();
        let (mut cs, mut ip, mut exact) = (top.cs, top.ip, top.exact);
        let mut n = 0;
        while cs < bottom && n < most {
            // SAFETY: a control frame of the running thread, between the top and the bottom; methods are loaded as long as
            // they have frames.
            unsafe {
                let frame = *cs;
                match frame.method.as_mut() {
                    None => {
                        if let Some(above) = into.last_mut() {
                            above.upcall = true;
                        }
                    }
                    Some(m) => {
                        m.in_profile = true;
                        let at = match bci {
                            Some(bci) if n == 0 => bci.into(),
                            _ if m.is_native() => NO_SITE,
                            _ => m.position(ip, exact).map_or(0, |p| p.bci().into()),
                        };
                        into.push(Frame {
                            method: m.original.0,
                            bci: at,
                            upcall: false,
                        });
                        n += 1;
                    }
                }
                exact = frame.method.is_null() || frame.rip == self.code.stubs.ret;
                ip = frame.rip;
                cs = cs.add(1);
            }
        }
    }
    /// The method whose frame is the next one below `cs` on the running thread's stack; null if there is none.
    #[inline]
    fn below(&self, cs: Cs) -> *const Method {
        let cs = cs.wrapping_add(1);
        if cs >= self.threads[self.cur.0 as usize].stack_bottom() {
            return std::ptr::null();
        }
        // SAFETY: a control frame of the running thread, above its bottom.
        unsafe { (*cs).method }
    }
    /// The same: its address, 0 if there is none.
    #[inline]
    pub(crate) fn address_below(&self, cs: Cs) -> usize {
        self.below(cs) as usize
    }
    /// The same of the top frame, with the method.
    pub(crate) fn caller_of(&self, top: &EventFrame) -> (usize, Option<MethodId>) {
        let m = self.below(top.cs);
        // SAFETY: methods are loaded as long as they have frames.
        let id = unsafe { m.as_ref() }.map(|m| m.original);
        (m as usize, id)
    }
    /// The innermost method below a control frame of the running thread.
    #[inline]
    pub(crate) fn caller_below(&self, cs: Cs) -> Option<MethodId> {
        self.nearest_below(cs, usize::MAX, |_| true)
    }
    /// The innermost method below a control frame of the running thread of which `is` says so, at most that many frames down.
    #[inline]
    pub(crate) fn nearest_below(
        &self,
        cs: Cs,
        most: usize,
        is: impl Fn(MethodId) -> bool,
    ) -> Option<MethodId> {
        let bottom = self.threads[self.cur.0 as usize].stack_bottom();
        let mut cs = cs.wrapping_add(1);
        for _ in 0..most {
            if cs >= bottom {
                break;
            }
            // SAFETY: a control frame of the running thread, between the top and the bottom; methods are loaded as long as they
            // have frames.
            unsafe {
                if let Some(m) = (*cs).method.as_ref() {
                    let id = m.original;
                    if is(id) {
                        return Some(id);
                    }
                }
            }
            cs = cs.wrapping_add(1);
        }
        None
    }
    /// How far a frame of the running thread is from the bottom of its control stack, in bytes.
    pub(crate) fn height_of(&self, top: &EventFrame) -> usize {
        let bottom = self.threads[self.cur.0 as usize].stack_bottom();
        (bottom as usize).saturating_sub(top.cs as usize)
    }
    /// The method so many frames of methods below a frame of the running thread, and the bytecode it is at (none in a native).
    pub(crate) fn frame_below(
        &self,
        top: &EventFrame,
        bci: Option<u16>,
        n: usize,
    ) -> Option<(MethodId, Option<u16>)> {
        let bottom = self.threads[self.cur.0 as usize].stack_bottom();
        let (mut cs, mut ip, mut exact) = (top.cs, top.ip, top.exact);
        let mut below = 0;
        while cs < bottom {
            // SAFETY: a control frame of the running thread, between the top and the bottom; methods are loaded as long as
            // they have frames.
            unsafe {
                let frame = *cs;
                if let Some(m) = frame.method.as_ref() {
                    if below == n {
                        let at = match bci {
                            Some(bci) if n == 0 => Some(bci),
                            _ if m.is_native() => None,
                            _ => Some(m.position(ip, exact).map_or(0, |p| p.bci())),
                        };
                        return Some((m.original, at));
                    }
                    below += 1;
                }
                exact = frame.method.is_null() || frame.rip == self.code.stubs.ret;
                ip = frame.rip;
                cs = cs.add(1);
            }
        }
        None
    }
    /// How many frames of methods the running thread has.
    pub(crate) fn depth_from(&self, top: &EventFrame) -> usize {
        let bottom = self.threads[self.cur.0 as usize].stack_bottom();
        let mut cs = top.cs;
        let mut n = 0;
        while cs < bottom {
            // SAFETY: as above.
            unsafe {
                n += usize::from(!(*cs).method.is_null());
                cs = cs.add(1);
            }
        }
        n
    }
    /// Puts instruments into the translated code of a method, and takes all others out.
    pub(crate) fn set_sites(&mut self, id: MethodId, sites: Vec<InstrumentSite>) {
        let breakpoint = self.code.breakpoint.as_mut();
        if let Some(x) = self.loaded.methods[id.0 as usize].translated_mut() {
            x.set_sites(sites, breakpoint);
        }
    }
}
