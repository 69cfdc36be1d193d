//! Frames seen from outside: stack walks and the collector's roots.

use super::frame::*;
use crate::classes::Method;
use crate::ids::{Ref, ThreadId};
use crate::vm::Vm;
use rjvm_profiler::cct::ContextNode;

/// A frame on a walk.
#[derive(Clone, Copy)]
pub(crate) struct WalkFrame {
    /// Method; null for a stub.
    pub method: *mut Method,
    /// Context (null with profiling off).
    pub node: *mut ContextNode,
    /// Instruction.
    pub ip: Ip,
    /// `ip` is the current instruction (not a return address).
    pub exact: bool,
    /// Frame pointer.
    pub fp: Fp,
    /// Frame pointer of the frame above, which begins in this frame's outgoing arguments.
    pub cut: Option<Fp>,
    /// Address of its control frame, by which a thread knows the monitors of frames with unstructured locking.
    pub at: usize,
}

impl Vm {
    /// Registers of a thread, running or not.
    pub(super) fn regs_of(&mut self, t: ThreadId) -> Regs {
        if t == self.cur && self.in_interpreter {
            *self.regs()
        } else {
            self.threads[t.0 as usize].regs
        }
    }
    /// Visits the frames of a thread from the top, stubs included, until `f` says no.
    pub(crate) fn each_frame(
        &mut self,
        t: ThreadId,
        mut f: impl FnMut(&mut Vm, WalkFrame) -> bool,
    ) {
        let r = self.regs_of(t);
        let th = &self.threads[t.0 as usize];
        let bottom = th.stack_bottom();
        let ret = if t == self.cur && self.in_interpreter {
            None
        } else {
            th.ret_slot
        };
        let (mut ip, mut fp, mut cs) = (r.ip, r.fp, r.cs);
        let (mut exact, mut cut) = match ret {
            Some((slot, _)) => (false, Some(slot)),
            None => (true, None),
        };
        if cs.is_null() {
            return;
        }
        while cs < bottom {
            // SAFETY: `cs` is between the thread's top and bottom control frames.
            let frame = unsafe { *cs };
            if !f(
                self,
                WalkFrame {
                    method: frame.method,
                    node: frame.node,
                    ip,
                    exact,
                    fp,
                    cut,
                    at: cs as usize,
                },
            ) {
                return;
            }
            // a stub keeps its frame's instruction; a method keeps a return address
            exact = frame.method.is_null() || frame.rip == self.code.stubs.ret;
            cut = if frame.method.is_null() {
                None
            } else {
                Some(fp)
            };
            ip = frame.rip;
            fp = frame.fp;
            // SAFETY: as above.
            cs = unsafe { cs.add(1) };
        }
    }
    /// Bytecode index of a frame; -1 for a native or a method that has not begun.
    pub(crate) fn frame_bci(&self, f: &WalkFrame) -> i32 {
        if f.method.is_null() {
            return -1;
        }
        // SAFETY: methods are loaded as long as they have frames.
        let m = unsafe { &*f.method };
        if m.is_native() {
            return -1;
        }
        m.position(f.ip, f.exact).map_or(0, |p| p.bci().into())
    }
}

/// Visits the references in a thread's frames.
pub(crate) fn each_frame_root(vm: &mut Vm, t: ThreadId, f: &mut dyn FnMut(&mut Ref)) {
    each_frame_slot(vm, t, &mut |_, r| f(r));
}

/// A slot of a frame.
#[derive(Clone, Copy)]
pub(crate) struct SlotAt {
    /// Index of the frame among those of methods, the top one first.
    pub frame: u32,
    /// Number of the slot: of a local variable, or of an operand after these; `None` for values outside slots.
    pub slot: Option<u32>,
}

/// Visits the references in a thread's frames, and reports where each is.
pub(crate) fn each_frame_slot(vm: &mut Vm, t: ThreadId, f: &mut dyn FnMut(SlotAt, &mut Ref)) {
    let mut frames = Vec::new();
    vm.each_frame(t, |_, w| {
        frames.push(w);
        true
    });
    let methods = frames.into_iter().filter(|w| !w.method.is_null());
    for (frame, w) in (0u32..).zip(methods) {
        // SAFETY: the slots named by the map lie in the frame; a slot of the map holds a reference.
        unsafe {
            let m = &*w.method;
            vm.keep_class_of(m.id, &mut |r| f(SlotAt { frame, slot: None }, r));
            let limit = w
                .cut
                .map_or(u32::MAX as usize, |c| (c as usize - w.fp as usize) / 8);
            let mut visit = |i: usize| {
                if i < limit {
                    let p = w.fp.add(i);
                    let mut r = Ref(*p as u32);
                    if !r.is_null() {
                        let slot = Some(i as u32);
                        f(SlotAt { frame, slot }, &mut r);
                        *p = r.0 as u64;
                    }
                }
            };
            match m.position(w.ip, w.exact) {
                Some(p) => match p.roots() {
                    Some(slots) => slots.for_each(visit),
                    None => panic!(
                        "no reference map at bytecode {} of {}",
                        p.bci(),
                        vm.method_name(m.id)
                    ),
                },
                None => {
                    // a native, or a method about to be translated: the arguments
                    let mut loc = vec![0u8; m.arg_slots as usize];
                    super::translate::initial_locals(&mut loc, m.is_static(), vm.syms.str(m.desc));
                    for (i, &t) in loc.iter().enumerate() {
                        if t == b'A' {
                            visit(i);
                        }
                    }
                }
            }
        }
    }
    let th = &mut vm.threads[t.0 as usize];
    if let Some((slot, true)) = th.ret_slot {
        // SAFETY: the result slot of a thread suspended at a return.
        unsafe {
            let mut r = Ref(*slot as u32);
            if !r.is_null() {
                let at = SlotAt {
                    frame: 0,
                    slot: None,
                };
                f(at, &mut r);
                *slot = r.0 as u64;
            }
        }
    }
}
