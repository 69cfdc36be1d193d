//! Monitors of frames whose locking may be unstructured (JVMS 2.11.10, 6.5.monitorexit): each frame
//! may leave only what it has entered, and a return with a monitor held throws, as HotSpot's
//! interpreter has it.

use super::insn::{object, plain};
use crate::ids::Ref;
use crate::throw::Throw;
use crate::vm::Vm;

const ILLEGAL: &str = "java/lang/IllegalMonitorStateException";

impl Vm {
    /// monitorenter and monitorexit.
    pub(super) fn slow_tracked_monitor(&mut self, enter: bool) -> bool {
        let o = Ref(self.operand(object::object) as u32);
        if o.is_null() {
            return self.deliver(Throw::npe());
        }
        let frame = self.regs().cs as usize;
        let r = match enter {
            true => self.enter_monitor(o),
            false if self.forget_locked(frame, o) => self.monitor_exit(o),
            false => Err(Throw::bare(ILLEGAL)),
        };
        if let Err(t) = r {
            return self.deliver(t);
        }
        if enter {
            // like HotSpot: a synchronized method that has left its own monitor has room for another
            match self.own_lock() {
                // SAFETY: the lock slot is inside the top frame.
                Some(slot) if unsafe { *slot } == 0 => unsafe { *slot = u64::from(o.0) },
                _ => self.thread().locked.push((frame, o)),
            }
        }
        self.regs().ip = self.regs().ip.wrapping_add(object::BYTES);
        true
    }
    /// Forgets that the frame has entered the object's monitor; a synchronized method's own counts.
    fn forget_locked(&mut self, frame: usize, o: Ref) -> bool {
        let locked = &mut self.thread().locked;
        if let Some(i) = locked.iter().rposition(|&l| l == (frame, o)) {
            locked.remove(i);
            return true;
        }
        match self.own_lock() {
            // SAFETY: the lock slot is inside the top frame.
            Some(slot) if unsafe { *slot } == u64::from(o.0) => unsafe {
                *slot = 0;
                true
            },
            _ => false,
        }
    }
    /// The slot of the top frame with the monitor of its method, if that is synchronized.
    fn own_lock(&mut self) -> Option<*mut u64> {
        let r = *self.regs();
        // SAFETY: the top frame is a translated method's; the lock slot is inside it.
        unsafe {
            let m = &*(*r.cs).method;
            let slot = m.translated()?.lock_slot();
            m.is_synchronized().then(|| r.fp.add(slot))
        }
    }
    /// Before a return. A synchronized method leaves its monitor; others must be left.
    pub(super) fn slow_leave_tracked(&mut self) -> bool {
        let r = *self.regs();
        if let Some(slot) = self.own_lock() {
            // SAFETY: the lock slot is inside the top frame.
            let lock = Ref(unsafe { std::mem::take(&mut *slot) } as u32);
            if lock.is_null() {
                return self.deliver(Throw::bare(ILLEGAL));
            }
            if let Err(t) = self.monitor_exit(lock) {
                return self.deliver(t);
            }
        }
        let frame = r.cs as usize;
        if self.thread().locked.iter().any(|l| l.0 == frame) {
            return self.deliver(Throw::bare(ILLEGAL));
        }
        self.regs().ip = r.ip.wrapping_add(plain::BYTES);
        true
    }
    /// The top frame is left by `exc`: the monitors that it still holds are released. The exception that propagates: if
    /// there was something, or a synchronized method's monitor was gone, an IllegalMonitorStateException
    /// made without its constructor, instead of all but ThreadDeath (before 20).
    pub(super) fn release_tracked(&mut self, exc: Ref) -> Ref {
        let r = *self.regs();
        let frame = r.cs as usize;
        let mut illegal = false;
        while let Some(i) = self.thread().locked.iter().rposition(|l| l.0 == frame) {
            let (_, o) = self.thread().locked.remove(i);
            let _ = self.monitor_exit(o);
            illegal = true;
        }
        if let Some(slot) = self.own_lock() {
            // SAFETY: the lock slot is inside the top frame, and the frame's method is translated.
            illegal |= unsafe {
                *slot == 0
                    && !(*(*r.cs).method)
                        .translated()
                        .is_some_and(|x| x.is_prologue(r.ip))
            };
        }
        if !illegal {
            return exc;
        }
        // `Thread.stop` is gone since 20, and the exception made for its error
        let stops = self.feature() < 20;
        if stops && {
            let death = self.boot_class("java/lang/ThreadDeath");
            self.instance_of(exc, death)
        } {
            return exc;
        }
        let class = self.boot_class(ILLEGAL);
        let mut kept = [exc];
        let Some(made) = self.alloc_with_gc(&mut kept, |vm, _| vm.alloc_object(class)) else {
            return kept[0];
        };
        self.fill_in_stack_trace(made)
    }
}
