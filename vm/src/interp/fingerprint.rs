//! A number for the state of a program, by which two runs are compared.

use super::walk::WalkFrame;
use crate::heap::fingerprint::Mix;
use crate::ids::ThreadId;
use crate::value::Value;
use crate::vm::Vm;
use rjvm_profiler::cct::ContextNode;

/// The part of a VM to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fingerprint {
    /// The execution, independent of values: the same if the same threads have executed as many bytecodes each and are
    /// at the same ones, and as much has been allocated.
    Execution,
    /// That, and the values on the stacks.
    Stacks,
    /// That, and all objects.
    State,
    /// The execution, and the locals and operands of the frames on top of each stack. Slots without a value are left out:
    /// compiled code need not leave the same in them.
    Values,
    /// That, and all objects.
    ValuesAndObjects,
}

/// Frames of each stack whose locals and operands are compared.
const ON_TOP: usize = 64;

impl Vm {
    /// The same in two VMs in which the same program, with the same options, is in the same state: as many bytecodes executed,
    /// the same threads at the same bytecodes with the same values on their stacks, the same objects; and very likely in no
    /// others. Deadlines of waits are left out: they count when they have ended. For a VM that has stopped between two bytecodes.
    ///
    /// With less of it ([`Fingerprint`]): the same in more of them.
    pub fn fingerprint(&mut self, of: Fingerprint) -> u64 {
        let mut all = Mix::new();
        all.add(self.bytecodes as u64);
        all.add(u64::from(self.cur.0));
        let live: Vec<ThreadId> = self.live_threads().collect();
        for t in live {
            all.add(u64::from(t.0));
            all.add(self.executed(t) as u64);
            let mut frames: Vec<WalkFrame> = Vec::new();
            self.each_frame(t, |_, f| {
                frames.push(f);
                true
            });
            if matches!(of, Fingerprint::Values | Fingerprint::ValuesAndObjects) {
                for frame in self.debug_frames(t).iter().take(ON_TOP) {
                    for (_, value) in frame.locals.iter().chain(&frame.operands) {
                        all.add(match *value {
                            Value::Int(v) => v as u64,
                            Value::Long(v) => v as u64,
                            Value::Float(v) => v.to_bits().into(),
                            Value::Double(v) => v.to_bits(),
                            Value::Ref(r) => r.0.into(),
                            Value::Void => 0,
                        });
                    }
                }
            }
            for f in frames {
                if f.method.is_null() {
                    continue;
                }
                all.add(self.frame_bci(&f) as u64);
                // SAFETY: methods are loaded as long as they have frames; the slots of a frame, from its locals to
                // the frame above or to the end of what it needs, lie on the thread's stack.
                unsafe {
                    let m = &*f.method;
                    all.add(u64::from(m.id.0));
                    let slots = match f.cut {
                        _ if !matches!(of, Fingerprint::Stacks | Fingerprint::State) => 0,
                        Some(above) => (above as usize).saturating_sub(f.fp as usize) / 8,
                        None if m.is_native() => m.arg_slots as usize,
                        None => m.frame_bytes as usize / 8,
                    };
                    for i in 0..slots {
                        all.add(*f.fp.add(i));
                    }
                }
            }
        }
        let values = matches!(of, Fingerprint::State | Fingerprint::ValuesAndObjects);
        all.add(self.heap.fingerprint(&self.loaded.classes, values));
        all.get()
    }
    /// The same in two VMs that have recorded the same calling contexts in the same order, with the same counts, and very likely in
    /// no others. Open frames' counts are in their stacks.
    pub fn contexts_fingerprint(&self) -> u64 {
        let mut all = Mix::new();
        for thread in &self.threads {
            for (root, _) in thread.roots() {
                // SAFETY: contexts live as long as the VM, and nothing runs.
                unsafe { add_contexts(&mut all, root) };
            }
        }
        all.get()
    }
    /// Name and stack of the thread that runs, a line for each frame.
    pub fn standing(&mut self) -> String {
        let t = self.cur;
        let mut out = format!("thread \"{}\"\n", self.thread_name(t));
        let mut frames = Vec::new();
        self.walk_stack(t, |_, m, bci| {
            frames.push((m, bci));
            std::ops::ControlFlow::Continue(())
        });
        for (m, bci) in frames {
            let line = self.frame_line(m, bci);
            out.push_str(&match bci {
                0.. => format!("    at {line}, bytecode {bci}\n"),
                _ => format!("    at {line}\n"),
            });
        }
        out
    }
}

/// Adds a context and those below it, each before those that it calls.
///
/// # Safety
/// `root` is null or a live node, and no code changes its tree.
unsafe fn add_contexts(all: &mut Mix, root: *const ContextNode) {
    let mut todo = vec![root];
    while let Some(node) = todo.pop() {
        all.add(node.is_null().into());
        if node.is_null() {
            continue;
        }
        // SAFETY: by contract; links lead to live nodes.
        unsafe {
            all.add(u64::from((*node).method));
            all.add((*node).invocations);
            all.add((*node).inclusive as u64);
            if !std::ptr::eq(node, root) {
                todo.push(ContextNode::next_sibling(node));
            }
            todo.push(ContextNode::first_child(node));
        }
    }
}
