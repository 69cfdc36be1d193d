//! Services of the VM that natives ask for: stack walking, references, memory figures, signals.

use crate::ids::{MethodId, Ref, ThreadId};
use crate::natives::Env;
use crate::throw::{R, Throw};
use crate::vm::Vm;
use std::marker::PhantomData;
use std::ops::ControlFlow;

/// The identity of a frame in memory: only comparison for equality has a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RawFrame {
    method: MethodId,
    ip: usize,
    exact: bool,
}

/// A frame seen by a stack walk, while it is being visited.
#[derive(Clone, Copy)]
pub struct FrameView<'a> {
    /// Method of the frame.
    pub method: MethodId,
    /// Bytecode index it is at (a caller: at its invoke instruction); -1 for a native.
    pub bci: i32,
    /// Local variable 0.
    locals: *const u64,
    walk: PhantomData<&'a u64>,
}

impl FrameView<'_> {
    /// The reference in local variable `i`; null if there is none. It must be one that the method's code keeps
    /// alive: a variable that is no longer used may hold a reference to a freed object.
    pub fn local_ref(&self, env: &Env, i: usize) -> Ref {
        self.local_in(&env.0, i)
    }
    /// [`FrameView::local_ref`] for the VM itself.
    pub(crate) fn local_in(&self, vm: &Vm, i: usize) -> Ref {
        let m = vm.method(self.method);
        let locals = m.code().map_or(m.arg_slots, |c| c.attr().max_locals);
        if i >= locals.into() {
            return Ref::NULL;
        }
        // SAFETY: the frame is live while its view is being visited, and has that many locals.
        let slot = unsafe { self.locals.add(i).read() };
        match vm.heap.may_be_object(slot) {
            true => Ref(slot as u32),
            false => Ref::NULL,
        }
    }
}

impl Vm {
    /// Between the pieces of a native's long work: stops the VM at a request from outside. The native hands the
    /// throw on, and runs again when the VM does; its progress is in its [`Env::native_state`].
    #[inline]
    pub(crate) fn breathe(&mut self) -> R<()> {
        self.limits.halted = self.limits.canceller.take();
        match self.limits.halted {
            Some(_) => Err(Box::new(Throw::Block)),
            None => Ok(()),
        }
    }
    /// The Java method that called the native under way; `None` if the VM did.
    pub(crate) fn caller(&mut self) -> Option<MethodId> {
        let top = self.regs().cs;
        let bottom = self.thread().stack_bottom();
        // SAFETY: the running thread's control frames lie from `cs`, the native's, to `bottom`; their
        // methods stay loaded.
        unsafe {
            let frame = top.add(1);
            let method = if frame < bottom {
                (*frame).method
            } else {
                return None;
            };
            (!method.is_null()).then(|| (*method).id)
        }
    }
    /// The native method that is called, to be asked by its function.
    pub(crate) fn native_under_way(&mut self) -> MethodId {
        // SAFETY: the top control frame is the native's while its function runs.
        unsafe { (*(*self.regs().cs).method).id }
    }
    /// [`Env::walk_frames`], for the VM itself.
    pub(crate) fn walk_frames(
        &mut self,
        thread: ThreadId,
        visit: impl for<'a> FnMut(&mut Vm, FrameView<'a>) -> ControlFlow<()>,
    ) {
        let mut visit = visit;
        self.each_frame(thread, |vm, w| {
            if w.method.is_null() {
                return true;
            }
            let bci = vm.frame_bci(&w);
            // SAFETY: methods are loaded as long as they have frames.
            let method = unsafe { (*w.method).id };
            let locals = w.fp.cast_const();
            visit(
                vm,
                FrameView {
                    method,
                    bci,
                    locals,
                    walk: PhantomData,
                },
            )
            .is_continue()
        });
    }
    /// The innermost frames of the running thread, `most` of them, as what they are in memory: where they are equal, so is what
    /// [`Vm::walk_stack`] visits first, as long as this returns the same number.
    pub fn raw_frames(&mut self, most: usize, frames: &mut Vec<RawFrame>) -> u64 {
        frames.clear();
        let current = self.cur;
        self.each_frame(current, |_, w| {
            if !w.method.is_null() {
                // SAFETY: methods are loaded as long as they have frames.
                let method = unsafe { (*w.method).id };
                frames.push(RawFrame {
                    method,
                    ip: w.ip.addr(),
                    exact: w.exact,
                });
            }
            frames.len() < most
        });
        self.code.age
    }
    /// [`Env::walk_frames`] with what most need.
    pub fn walk_stack(
        &mut self,
        thread: ThreadId,
        mut visit: impl FnMut(&mut Vm, MethodId, i32) -> ControlFlow<()>,
    ) {
        self.walk_frames(thread, |vm, f| visit(vm, f.method, f.bci));
    }
}

impl Env {
    /// Visits the Java frames of a thread from the top: the native under way first, continuations
    /// and stubs left out, hidden methods included.
    pub fn walk_frames(
        &mut self,
        thread: ThreadId,
        mut visit: impl for<'a> FnMut(&mut Env, FrameView<'a>) -> ControlFlow<()>,
    ) {
        self.0.walk_frames(thread, |vm, f| visit(Env::of(vm), f));
    }
    /// [`Env::walk_frames`] with what most need.
    pub fn walk_stack(
        &mut self,
        thread: ThreadId,
        mut visit: impl FnMut(&mut Env, MethodId, i32) -> ControlFlow<()>,
    ) {
        self.walk_frames(thread, |env, f| visit(env, f.method, f.bci));
    }
    /// Between the pieces of a native's long work: an error that the native hands on when a stop of the VM is requested. It runs
    /// again when the VM does; its progress is in its [`Env::native_state`].
    pub fn breathe(&mut self) -> R<()> {
        self.0.breathe()
    }
    /// Does long work on `n` of something, `piece` of them at once, for a native that does nothing else afterwards: `f` receives
    /// the start and the number. The progress is in the first word of its [`Env::native_state`].
    pub fn in_pieces(
        &mut self,
        n: usize,
        piece: usize,
        mut f: impl FnMut(&mut Env, usize, usize) -> R<()>,
    ) -> R<()> {
        while let done = self.native_state()[0] as usize
            && done < n
        {
            if done > 0 {
                self.0.breathe()?;
            }
            let piece = piece.min(n - done);
            f(self, done, piece)?;
            self.native_state()[0] = (done + piece) as u64;
        }
        Ok(())
    }
    /// Collects everything that can be collected, then continues: a native calls this and, as with
    /// every `Throw`, runs again from its beginning; the second time it returns `Ok`.
    pub fn full_collection(&mut self) -> R<()> {
        let t = self.0.thread();
        if t.native_state[0] != 0 {
            t.native_state[0] = 0;
            return Ok(());
        }
        t.native_state[0] = 1;
        Err(Box::new(Throw::Collect(0)))
    }
}
