//! Natives of `java.lang.Throwable`: the backtrace, an `int[]` with method number and bytecode
//! index of each frame; the upper half of the latter says which of its bodies the method had. If some of
//! the methods' classes can be unloaded, it is an `Object[]` with that and the classes, which have to stay.

use rjvm_vm::heap::ELEMS;
use rjvm_vm::heap::units::UnitId;
use rjvm_vm::{Env, MethodId, R, Ref, jdk, natives};
use std::ops::ControlFlow;

natives! { "java/lang/Throwable";
    fillInStackTrace "(I)Ljava/lang/Throwable;" => fill_in_stack_trace;
}

/// Ends the backtrace of a throwable that a hidden frame made.
const HIDDEN_TOP: i32 = -1;

/// Frames kept at most (`-XX:MaxJavaStackTraceDepth`).
const MAX_DEPTH: usize = 1024;
/// Most stacks are not deeper.
const USUAL_DEPTH: usize = 32;

fn fill_in_stack_trace(vm: &mut Env, this: Ref, _dummy: i32) -> R<Ref> {
    let class = vm.class_of(this);
    let mut words: Vec<i32> = Vec::with_capacity(USUAL_DEPTH * 2);
    // the frames of the construction itself are left out: fillInStackTrace, then constructors
    let (mut in_fill, mut in_init) = (true, true);
    let mut hidden_top = false;
    let mut holders: Vec<Ref> = Vec::new();
    let thread = vm.current();
    vm.walk_stack(thread, |vm, m, bci| {
        let method = vm.method(m);
        let (holder, name, hidden) = (method.class, method.name, method.hidden);
        if in_fill {
            if &**vm.symbols().str(name) == "fillInStackTrace" && vm.is_subtype(class, holder) {
                return ControlFlow::Continue(());
            }
            in_fill = false;
        }
        if in_init {
            if &**vm.symbols().str(name) == "<init>" && vm.is_subtype(class, holder) {
                return ControlFlow::Continue(());
            }
            in_init = false;
        }
        if hidden {
            hidden_top |= words.is_empty();
        } else {
            words.extend(packed(vm, m, bci));
            let mirror = vm.mirror(holder);
            if vm.heap().unit_of(holder) != UnitId::PERMANENT && !holders.contains(&mirror) {
                holders.push(mirror);
            }
        }
        if words.len() == MAX_DEPTH * 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    let depth = words.len() / 2;
    if hidden_top {
        words.push(HIDDEN_TOP);
    }
    let int = vm.primitive(b'I');
    let backtrace = vm.new_array_of(int, words.len())?;
    let mut heap = vm.heap_mut();
    let bytes = heap.raw_mut(backtrace, ELEMS, words.len() * size_of::<i32>());
    for (to, word) in bytes.as_chunks_mut().0.iter_mut().zip(&words) {
        *to = word.to_ne_bytes();
    }
    let backtrace = match holders.is_empty() {
        true => backtrace,
        false => {
            // an array of both: a native that allocates twice runs again from its beginning
            let both = vm.new_array_of(vm.known().object, holders.len() + 1)?;
            vm.heap_mut().set_elem_ref(both, 0, backtrace);
            for (i, &holder) in holders.iter().enumerate() {
                vm.heap_mut().set_elem_ref(both, i + 1, holder);
            }
            both
        }
    };
    vm.set(this, jdk::throwable::BACKTRACE, backtrace);
    vm.set(this, jdk::throwable::DEPTH, depth as i32);
    Ok(this)
}

/// The words of a throwable's backtrace; null if it has none.
fn words(vm: &mut Env, throwable: Ref) -> Ref {
    let backtrace = vm.get(throwable, jdk::throwable::BACKTRACE);
    match !backtrace.is_null() && vm.heap().is_ref_array(backtrace) {
        true => vm.heap().elem_ref(backtrace, 0),
        false => backtrace,
    }
}

/// Two words of a backtrace. A method may get a new body before line numbers are requested.
fn packed(vm: &Env, m: MethodId, bci: i32) -> [i32; 2] {
    match bci {
        0.. => [m.0 as i32, bci | i32::from(vm.method(m).body) << 16],
        _ => [m.0 as i32, bci],
    }
}

fn unpacked(vm: &Env, [m, bci]: [i32; 2]) -> (MethodId, i32) {
    let m = MethodId(m as u32);
    match bci {
        0.. => (vm.of_body(m, (bci >> 16) as u16), bci & 0xffff),
        _ => (m, bci),
    }
}

/// The frame that made a throwable; `None` if it is not in the backtrace.
pub fn top_frame(vm: &mut Env, throwable: Ref) -> Option<(MethodId, i32)> {
    let backtrace = words(vm, throwable);
    if backtrace.is_null() || vm.heap().len(backtrace) % 2 == 1 {
        return None;
    }
    frames(vm, throwable).first().copied()
}

/// The frames of a throwable's backtrace.
pub fn frames(vm: &mut Env, throwable: Ref) -> Vec<(MethodId, i32)> {
    let backtrace = words(vm, throwable);
    if backtrace.is_null() {
        return Vec::new();
    }
    let word = |i: usize| vm.heap().elem::<i32>(backtrace, i);
    (0..vm.heap().len(backtrace) / 2)
        .map(|i| unpacked(vm, [word(2 * i), word(2 * i + 1)]))
        .collect()
}

/// The frames of a backtrace.
pub fn frames_of(vm: &mut Env, backtrace: Ref) -> Vec<(MethodId, i32)> {
    let backtrace = match vm.heap().is_ref_array(backtrace) {
        true => vm.heap().elem_ref(backtrace, 0),
        false => backtrace,
    };
    let word = |i: usize| vm.heap().elem::<i32>(backtrace, i);
    (0..vm.heap().len(backtrace) / 2)
        .map(|i| unpacked(vm, [word(2 * i), word(2 * i + 1)]))
        .collect()
}
