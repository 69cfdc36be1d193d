//! Where the running thread is, in the middle of an instruction.

use super::context::Context;
use super::spot::ThreadPosition;
use crate::ids::ThreadId;
use crate::vm::Vm;
use rjvm_profiler::cct::NO_SITE;
use rjvm_profiler::samples::Frame;

impl Vm {
    /// Where the running thread is.
    pub(crate) fn spot(&self) -> Option<ThreadPosition> {
        if !self.in_interpreter {
            return None;
        }
        // SAFETY: `Hot` lies at the region's base.
        let regs = unsafe { (*self.hot()).regs };
        let bottom = self.threads[self.cur.0 as usize].stack_bottom();
        (!regs.cs.is_null() && regs.cs < bottom).then(|| ThreadPosition {
            regs,
            // SAFETY: the top control frame of the running thread.
            top: unsafe { *regs.cs },
        })
    }
    /// Bytecodes the running thread had executed there, the one it was at included.
    pub(crate) fn executed_at(&self, spot: &ThreadPosition) -> i64 {
        let ticks = spot.regs.ticks;
        // SAFETY: methods are loaded as long as they have frames.
        let Some(x) = unsafe { spot.top.method.as_ref() }.and_then(|m| m.translated()) else {
            return ticks;
        };
        let here = x.position(spot.regs.ip, true);
        let here = here.filter(|p| p.is_at(spot.regs.ip) && !x.is_prologue(spot.regs.ip));
        ticks + here.map_or(0, |p| p.begun())
    }
    /// The stack there, at most that many frames from its top, root first.
    pub(crate) fn stack_at(&self, spot: &ThreadPosition, most: usize) -> Vec<Frame> {
        let bottom = self.threads[self.cur.0 as usize].stack_bottom();
        let mut frames: Vec<Frame> = Vec::new();
        let (mut frame, mut cs) = (spot.top, spot.regs.cs);
        let (mut ip, mut exact) = (spot.regs.ip, true);
        loop {
            // SAFETY: methods are loaded as long as they have frames.
            match unsafe { frame.method.as_mut() } {
                // what the VM or a native has called
                None => {
                    if let Some(above) = frames.last_mut() {
                        above.upcall = true;
                    }
                }
                Some(m) => {
                    m.in_profile = true;
                    let bci = match m.is_native() {
                        true => NO_SITE,
                        false => m.position(ip, exact).map_or(0, |p| p.bci().into()),
                    };
                    frames.push(Frame {
                        method: m.original.0,
                        bci,
                        upcall: false,
                    });
                }
            }
            exact = frame.method.is_null() || frame.rip == self.code.stubs.ret;
            ip = frame.rip;
            cs = cs.wrapping_add(1);
            if cs >= bottom || frames.len() >= most {
                break;
            }
            // SAFETY: a control frame of the running thread, between the top and the bottom.
            frame = unsafe { *cs };
        }
        frames.reverse();
        frames
    }
    /// The stack of a thread that is alive, root first.
    pub fn stack_of(&mut self, t: ThreadId) -> Vec<Frame> {
        let mut frames: Vec<Frame> = Vec::new();
        self.each_frame(t, |vm, w| {
            // SAFETY: methods are loaded as long as they have frames.
            match unsafe { w.method.as_mut() } {
                None => {
                    if let Some(above) = frames.last_mut() {
                        above.upcall = true;
                    }
                }
                Some(m) => {
                    m.in_profile = true;
                    frames.push(Frame {
                        method: m.original.0,
                        bci: u32::try_from(vm.frame_bci(&w)).unwrap_or(NO_SITE),
                        upcall: false,
                    });
                }
            }
            true
        });
        frames.reverse();
        frames
    }
    /// The calling context there.
    pub(crate) fn context_at(&self, spot: &ThreadPosition) -> Option<Context<'_>> {
        match self.profiling() {
            true => Context::of(self, spot.top.node),
            false => None,
        }
    }
}
