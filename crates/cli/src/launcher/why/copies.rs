//! What `System.arraycopy` moves in large pieces, by the place of the program that it is done for: an instrument at the entry
//! of the native reports, since no bytecode does.

use hashbrown::HashMap;
use rjvm_vm::instruments::{Hit, MethodFilter, Point, Spec, StackFrame};
use rjvm_vm::{MethodId, Value, Vm};
use rjvm_why::recording::Copied;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes from which on a copy is looked at: below that, bytecodes around it cost more.
const BIG: usize = 256;
/// Frames within which the program is looked for.
const FRAMES: usize = 64;
/// Where its length is among the arguments.
const LENGTH: usize = 4;

/// A place: a method of the program, the bytecode that leads to copies, and the method that it calls there.
type CopySite = (MethodId, u16, MethodId);

#[derive(Default)]
struct CopyState {
    places: BTreeMap<CopySite, Copied>,
    app: HashMap<MethodId, bool>,
    frames: Vec<StackFrame>,
}

/// The copies so far.
#[derive(Clone, Default)]
pub struct Copies(Arc<Mutex<CopyState>>);

impl Copies {
    /// Begins to look.
    pub fn watch(vm: &mut Vm) -> Copies {
        let copies = Copies::default();
        let reported = copies.clone();
        let at = Point::Entry(MethodFilter::named("java.lang.System.arraycopy"));
        vm.place_instrument(Spec::notify(at, move |hit: &mut Hit<'_>| {
            reported.copied(hit)
        }));
        copies
    }
    fn copied(&self, hit: &Hit<'_>) {
        let Some(Value::Int(n)) = hit.argument(LENGTH).map(|n| n.value) else {
            return;
        };
        let Some(source) = hit.argument(0).and_then(|a| a.object()) else {
            return;
        };
        let heap = hit.vm().heap();
        let bytes = heap.elem_bytes(source) * usize::try_from(n).unwrap_or(0);
        // one that is refused copies nothing
        if bytes < BIG || n as usize > heap.len(source) {
            return;
        }
        let state = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut frames = std::mem::take(&mut state.frames);
        hit.stack(FRAMES, &mut frames);
        let mut is_app = |m: MethodId| {
            let requested = || rjvm_run::profile::method(hit.vm(), m.0).app;
            *state.app.entry(m).or_insert_with(requested)
        };
        let found = frames.iter().position(|f| is_app(f.method));
        if let Some(i) = found.filter(|&i| i > 0)
            && let Some(bci) = frames[i].bci
        {
            let place = (frames[i].method, bci, frames[i - 1].method);
            let copied = state.places.entry(place).or_default();
            copied.times += 1;
            copied.bytes += bytes as u64;
            copied.most = copied.most.max(bytes as u64);
        }
        frames.clear();
        state.frames = frames;
    }
    /// The copies, by methods as the recording numbers them.
    pub fn rows(&self, numbers: &BTreeMap<u32, u32>) -> Vec<Copied> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let row = |(&(method, bci, callee), copied): (&CopySite, &Copied)| {
            Some(Copied {
                method: *numbers.get(&method.0)?,
                bci: bci.into(),
                callee: *numbers.get(&callee.0)?,
                ..copied.clone()
            })
        };
        state.places.iter().filter_map(row).collect()
    }
}
