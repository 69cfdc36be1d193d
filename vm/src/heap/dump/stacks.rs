//! Stacks in a dump: those of the threads with the objects that each slot holds, and those that allocated objects.

use super::out::{Out, PutBytes};
use super::{NO_TRACE, tag};
use crate::events::TracePlace;
use crate::heap::sites::Sites;
use crate::ids::{Ref, ThreadId};
use crate::interp::each_frame_slot;
use crate::vm::Vm;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Serial number of the first thread's stack; traces of allocations have smaller ones.
const STACKS: u32 = 1 << 30;

/// An object that a frame of a thread holds.
pub(super) struct FrameRoot {
    pub object: Ref,
    /// Index of the frame, the top one being 0.
    pub frame: u32,
    /// Number of the slot and name of the local variable, or that it is an operand.
    slot: Option<(u32, Option<String>)>,
}

/// A thread's stack.
pub(super) struct ThreadStack {
    pub thread: ThreadId,
    frames: Vec<TracePlace>,
    pub held: Vec<FrameRoot>,
}

impl ThreadStack {
    pub fn serial(&self) -> u32 {
        self.thread.0 + 1
    }
    pub fn trace(&self) -> u32 {
        STACKS + self.thread.0
    }
}

impl Vm {
    pub(super) fn stacks_to_dump(&mut self) -> Vec<ThreadStack> {
        let live: Vec<ThreadId> = self.sched.live.values().copied().collect();
        let mut stacks = Vec::new();
        for thread in live {
            if self.threads[thread.0 as usize].object.is_null() {
                continue;
            }
            let mut at = Vec::new();
            self.walk_stack(thread, |_, m, bci| {
                at.push((m, bci));
                ControlFlow::Continue(())
            });
            let frames = at.iter().map(|&(m, bci)| self.line_at(m, bci));
            let frames = frames.collect();
            let mut slots = Vec::new();
            each_frame_slot(self, thread, &mut |slot, r| slots.push((slot, *r)));
            let held = slots.into_iter().filter(|(_, r)| !r.is_null());
            let held = held.map(|(slot, object)| FrameRoot {
                object,
                frame: slot.frame,
                slot: slot.slot.zip(at.get(slot.frame as usize)).map(|(n, f)| {
                    let method = self.method(f.0);
                    let code = method.code();
                    let locals = match method.is_native() {
                        true => method.arg_slots,
                        false => code.map_or(0, |c| c.attr().max_locals),
                    };
                    if n >= u32::from(locals) {
                        return (u32::MAX, None);
                    }
                    let bci = u16::try_from(f.1).ok();
                    let name = code.zip(bci);
                    let name = name.and_then(|(c, bci)| c.local_variable(n as u16, bci));
                    let this = (n == 0 && !method.is_static()).then(|| "this".to_string());
                    (n, name.map(|n| n.0).or(this))
                }),
            });
            let held = held.collect();
            stacks.push(ThreadStack {
                thread,
                frames,
                held,
            });
        }
        stacks
    }
}

/// Names and frames that records refer to, each written once.
#[derive(Default)]
pub(super) struct WrittenRecords {
    texts: BTreeMap<String, u64>,
    frames: u64,
    /// Serial numbers of classes by name.
    pub classes: BTreeMap<String, u32>,
    /// The last serial number of a class.
    pub last_class: u32,
}

/// Identifiers of texts that are not symbols of the VM.
const TEXTS: u64 = 3 << 61;

impl WrittenRecords {
    /// The identifier of a text.
    pub fn text(&mut self, out: &mut Out, text: &str) -> u64 {
        if let Some(&id) = self.texts.get(text) {
            return id;
        }
        let id = TEXTS | (self.texts.len() as u64 + 1);
        self.texts.insert(text.to_string(), id);
        let mut body = Vec::new();
        body.u8(id);
        body.extend(text.as_bytes());
        out.record(tag::UTF8, &body);
        id
    }
    /// The serial number of a class, one that is unloaded too.
    fn class(&mut self, out: &mut Out, name: &str) -> u32 {
        if let Some(&serial) = self.classes.get(name) {
            return serial;
        }
        self.last_class += 1;
        self.classes.insert(name.to_string(), self.last_class);
        let text = self.text(out, name);
        let mut body = Vec::new();
        body.u4(self.last_class);
        body.u8(0);
        body.u4(NO_TRACE);
        body.u8(text);
        out.record(tag::LOAD_CLASS, &body);
        self.last_class
    }
    /// Writes a trace and its frames.
    fn trace<'p>(
        &mut self,
        out: &mut Out,
        serial: u32,
        thread: u32,
        places: impl Iterator<Item = &'p TracePlace>,
    ) {
        let mut ids = Vec::new();
        for place in places {
            let class = self.class(out, &place.class);
            let names = [
                Some(&place.method),
                Some(&place.descriptor),
                place.source.as_ref(),
            ];
            let names = names.map(|n| n.map_or(0, |n| self.text(out, n)));
            let mut frame = Vec::new();
            self.frames += 1;
            frame.u8(self.frames);
            names.into_iter().for_each(|n| frame.u8(n));
            frame.u4(class);
            frame.u4(place.line as u32);
            out.record(tag::FRAME, &frame);
            ids.push(self.frames);
        }
        let mut body = Vec::new();
        body.u4(serial);
        body.u4(thread);
        body.u4(ids.len() as u32);
        ids.into_iter().for_each(|id| body.u8(id));
        out.record(tag::TRACE, &body);
    }
    /// The threads' stacks, and which of their slots hold what.
    pub fn stacks(&mut self, out: &mut Out, stacks: &[ThreadStack]) {
        self.trace(out, NO_TRACE, 0, std::iter::empty());
        let mut slots = Vec::new();
        for s in stacks {
            self.trace(out, s.trace(), s.serial(), s.frames.iter());
            for h in &s.held {
                let Some((slot, name)) = &h.slot else {
                    continue;
                };
                let name = name.as_ref().map_or(0, |n| self.text(out, n));
                slots.u4(s.serial());
                slots.u4(h.frame);
                slots.u4(*slot);
                slots.object(h.object);
                slots.u8(name);
            }
        }
        out.record(tag::FRAME_SLOTS, &slots);
    }
    /// The stacks that allocated objects, and how much.
    pub fn sites(&mut self, out: &mut Out, sites: &mut Sites) {
        for serial in sites.traces().serials() {
            let (thread, places) = sites.traces().frames(serial);
            let thread = thread.map_or(0, |t| t.0 + 1);
            self.trace(out, serial, thread, places.into_iter());
        }
        let (allocated, live) = sites.totals();
        let mut body = Vec::new();
        let mut lives = Vec::new();
        let short = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        body.u2(0);
        body.u4(0);
        body.u4(short(live.bytes));
        body.u4(short(live.objects));
        body.u8(allocated.bytes);
        body.u8(allocated.objects);
        body.u4(sites.sites().len() as u32);
        for s in sites.sites() {
            let class = self.class(out, &s.class);
            body.u1(match s.class.as_bytes() {
                [b'[', ty] => super::type_code(*ty),
                [b'[', ..] => 1,
                _ => 0,
            });
            body.u4(class);
            body.u4(s.trace);
            body.u4(short(s.live.bytes));
            body.u4(short(s.live.objects));
            body.u4(short(s.allocated.bytes));
            body.u4(short(s.allocated.objects));
            lives.u4(class);
            lives.u4(s.trace);
            lives.u8(s.allocated.objects);
            lives.u8(s.allocated.bytes);
            lives.u8(s.live.objects);
            lives.u8(s.lived_bytecodes);
            lives.u8(s.lived_collections);
        }
        out.record(tag::ALLOC_SITES, &body);
        out.record(tag::LIFETIMES, &lives);
    }
}
