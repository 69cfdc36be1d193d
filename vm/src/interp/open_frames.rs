//! The frames of a thread as they are now: at which bytecode, with which locals and operands.

use super::translate::{Position, initial_locals};
use super::walk::WalkFrame;
use crate::classes::Method;
use crate::ids::{MethodId, Ref, ThreadId};
use crate::vm::Vm;
use rjvm_classfile::opcodes as o;
use std::ops::Range;

/// A slot's content: its number, its kind (`I`, `J`, `F`, `D`, `A`, `R`, or 0: nothing that can be used), its bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameSlot {
    pub number: u16,
    pub kind: u8,
    pub bits: u64,
}

impl FrameSlot {
    /// The object it holds.
    pub fn reference(&self) -> Option<Ref> {
        Ref(self.bits as u32)
            .non_null()
            .filter(|_| self.kind == b'A')
    }
}

/// A frame.
#[derive(Clone, Debug)]
pub(crate) struct OpenFrame {
    pub method: MethodId,
    /// Index of its bytecode; none for a native method.
    pub bci: Option<u16>,
    /// The bytecode comes next; else it is under way: it has called the frame above, or the VM works for it.
    pub next: bool,
    /// The locals; of native methods the arguments.
    pub locals: Vec<FrameSlot>,
    /// The operands, the lowest first, without those that a call has taken.
    pub stack: Vec<FrameSlot>,
    /// Whether locals and operands are known.
    pub known: bool,
    /// What a synchronized method has locked.
    pub lock: Option<Ref>,
    /// The objects whose other monitors the frame holds, the last one first; none where they are not noted, since
    /// its locking is structured.
    pub noted: Option<Vec<Ref>>,
}

/// Which bytecode a frame is at.
struct FramePosition {
    number: u16,
    next: bool,
    /// Bytecodes before it that only load operands, and that no instruction has executed.
    ahead: Range<u16>,
}

impl Vm {
    /// The frames of a thread, the top one first.
    pub(crate) fn open_frames(&mut self, t: ThreadId) -> Vec<OpenFrame> {
        let mut walked = Vec::new();
        self.each_frame(t, |_, w| {
            walked.push(w);
            true
        });
        let (ticks, executed) = (self.regs_of(t).ticks, self.executed(t));
        let frame = |(i, w): (usize, &WalkFrame)| {
            // SAFETY: methods are loaded as long as they have frames.
            let m = unsafe { w.method.as_ref() }?;
            Some(match m.position(w.ip, w.exact) {
                None => self.frame_without_code(m, w),
                Some(p) => {
                    let at = where_is(p, m, i == 0, w.exact, ticks, executed);
                    let mut open = open_frame(m, w, p, at);
                    if m.translated().is_some_and(|x| x.tracks_monitors()) {
                        let of_thread = self.threads[t.0 as usize].locked.iter().rev();
                        let noted = of_thread.filter(|l| l.0 == w.at).map(|l| l.1);
                        open.noted = Some(noted.collect());
                    }
                    open
                }
            })
        };
        walked.iter().enumerate().filter_map(frame).collect()
    }
    /// The thread that has its turn when the stopped VM continues, and the bytecode that it is at: method and index.
    pub fn next_bytecode(&mut self) -> Option<(ThreadId, MethodId, u16)> {
        let t = self.stopped_thread()?;
        let mut top = None;
        self.each_frame(t, |_, w| {
            top = Some(w);
            w.method.is_null()
        });
        let w = top?;
        let (ticks, executed) = (self.regs_of(t).ticks, self.executed(t));
        // SAFETY: methods are loaded as long as they have frames.
        let m = unsafe { w.method.as_ref() }?;
        let bci = match m.position(w.ip, w.exact) {
            None => 0,
            Some(p) => {
                let at = where_is(p, m, true, w.exact, ticks, executed);
                let x = m.translated()?;
                x.find_bci(at.number)?
            }
        };
        Some((t, m.id, bci))
    }
    /// A native method, or one that is about to be translated.
    fn frame_without_code(&self, m: &Method, w: &WalkFrame) -> OpenFrame {
        let mut kinds = vec![0; m.arg_slots.into()];
        initial_locals(&mut kinds, m.is_static(), self.syms.str(m.desc));
        OpenFrame {
            method: m.id,
            bci: m.has_code().then_some(0),
            next: m.has_code(),
            // SAFETY: the arguments are from the frame's first slot on.
            locals: unsafe { slots(w, kinds.into_iter().enumerate()) },
            stack: Vec::new(),
            known: true,
            lock: None,
            noted: None,
        }
    }
}

fn code(m: &Method) -> &[u8] {
    m.code().map_or(&[], |c| c.bytes())
}

fn where_is(
    p: Position<'_>,
    m: &Method,
    top: bool,
    exact: bool,
    ticks: i64,
    n: i64,
) -> FramePosition {
    let (number, ahead) = match (top, exact) {
        (true, true) => p.next(code(m), ticks, n),
        // suspended at the return from what it has called
        (true, false) => (p.number() + 1, 0..0),
        _ => (p.number(), 0..0),
    };
    FramePosition {
        number,
        next: top,
        ahead,
    }
}

fn open_frame(m: &Method, w: &WalkFrame, p: Position<'_>, at: FramePosition) -> OpenFrame {
    let x = m.translated().expect("it has positions");
    let shape = x.shape(at.number);
    let bci = x.find_bci(at.number);
    let known = shape.is_some();
    let shape = shape.unwrap_or_default();
    let cut = w.cut.map_or(usize::MAX, |c| {
        (c as usize).saturating_sub(w.fp as usize) / size_of::<u64>()
    });
    let stack = shape.stack.iter().filter(|s| {
        // what the frame above has taken as its arguments
        usize::from(s.0) < cut || at.next
    });
    let locked = m.is_synchronized() && !(p.is_at(w.ip) && x.is_prologue(w.ip));
    // SAFETY: the shape names slots of the frame that have been written when control is there.
    let (locals, mut stack, lock) = unsafe {
        let lock = locked.then(|| Ref(*w.fp.add(x.lock_slot()) as u32));
        (
            slots(w, shape.locals.iter().copied().enumerate()),
            slots(w, stack.map(|&(n, t)| (n.into(), t))),
            lock.filter(|r| !r.is_null()),
        )
    };
    for (operand, i) in stack.iter_mut().zip(at.ahead) {
        if let Some(bci) = x.find_bci(i) {
            operand.bits = loaded(code(m), bci.into(), &locals);
        }
    }
    OpenFrame {
        method: m.id,
        bci,
        next: at.next,
        locals,
        stack,
        known,
        lock,
        noted: None,
    }
}

/// The slots of a frame with these numbers and kinds.
///
/// # Safety
/// They are the frame's, and those with a kind have been written.
unsafe fn slots(w: &WalkFrame, slots: impl Iterator<Item = (usize, u8)>) -> Vec<FrameSlot> {
    let slot = |(number, kind): (usize, u8)| FrameSlot {
        number: number as u16,
        kind,
        bits: match kind {
            0 => 0,
            _ => *w.fp.add(number),
        },
    };
    slots.map(slot).collect()
}

/// What the bytecode at `pc` loads: an int, from a local or its own operand.
fn loaded(code: &[u8], pc: usize, locals: &[FrameSlot]) -> u64 {
    let local = |x: usize| locals.get(x).map_or(0, |l| l.bits);
    match code[pc] {
        op @ o::ICONST_M1..=o::ICONST_5 => (i32::from(op) - i32::from(o::ICONST_0)) as u32 as u64,
        o::BIPUSH => i32::from(code[pc + 1] as i8) as u32 as u64,
        o::SIPUSH => i32::from(i16::from_be_bytes([code[pc + 1], code[pc + 2]])) as u32 as u64,
        o::ILOAD => local(code[pc + 1].into()),
        op => local(usize::from(op - o::ILOAD_0)),
    }
}
