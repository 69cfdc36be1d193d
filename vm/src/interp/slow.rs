//! Cold handlers: faults, traps at the limit, and everything that needs the VM. Each stores the
//! registers in `Hot`, lets a safe method of [`Vm`] do the work, and continues from the registers that it left there.

use super::code::arguments;
use super::code::*;
use super::frame::*;
use super::insn::{call, edge, frame_check, object, replaced};
use super::look::PollKind;
use super::owner::vm;
use super::translate::{MARGIN, Stepping};
use crate::classes::{Method, NativeEntry};
use crate::ids::{ClassId, MethodId, Ref};
use crate::interp::Handler;
use crate::natives::Env;
use crate::throw::{R, Throw};
use crate::vm::Vm;
use rjvm_profiler::cct::ContextNode;
use std::sync::atomic::Ordering::Relaxed;

/// Leaves the interpreter, or lets it continue with the stored registers.
macro_rules! settle {
    ($hot:ident, $on:expr) => {{
        if !$on {
            (*$hot).running = false;
            return;
        }
        if is_requested($hot) {
            vm($hot).request_attention();
        }
        (*$hot).methods = vm($hot).loaded.methods.as_ptr().cast();
        if (*$hot).regs.ticks >= (*$hot).limit {
            vm($hot).approach();
        }
    }};
}
/// Continues with the stored registers, or leaves the interpreter.
macro_rules! resume {
    ($hot:ident, $on:expr) => {{
        settle!($hot, $on);
        let r = (*$hot).regs;
        go!(r.ip, r.fp, r.cs, r.ticks, r.acc, $hot, r.facc)
    }};
}
/// Whether a request from outside asks the VM to stop: checked wherever much time may have passed since the last bytecode.
#[inline(always)]
unsafe fn is_requested(hot: *mut Hot) -> bool {
    // SAFETY: the flag is the canceller's, which the VM keeps.
    unsafe { (*(*hot).requested).load(Relaxed) != 0 }
}

/// Before the work of a cold handler.
macro_rules! begins {
    ($hot:ident, $begun:expr) => {{
        vm($hot).note_under_way($begun);
        if $begun && (*$hot).regs.ticks + MARGIN >= (*$hot).due {
            vm($hot).catch_up();
        }
    }};
}

/// Declares a cold handler whose body is an expression of the VM `$vm` reporting whether to continue. `begun`: the
/// instruction has begun, so that samples up to it are due.
macro_rules! cold {
    (begun: $begun:expr; $($(#[$at:meta])* $name:ident |$vm:ident, $hot:ident| $e:expr;)*) => { $(
        handler_fn! { [$(#[$at])*
        #[cold]
        #[inline(never)]
        pub(crate)] $name(ip: Ip, fp: Fp, cs: Cs, tk: i64, acc: u64, hot: *mut Hot, fa: f64) {
            // a function of its own: a local whose address escapes would turn the tail call into a call
            #[inline(never)]
            #[allow(unused_variables, reason = "not every body reads the hot block")]
            unsafe fn work($hot: *mut Hot) -> bool {
                begins!($hot, $begun);
                let node = (*(*$hot).regs.cs).node;
                let $vm = vm($hot);
                let on = $e;
                vm($hot).commit_allocations(node);
                on
            }
            save!(ip fp cs tk acc hot fa);
            let on = work(hot);
            resume!(hot, on)
        } }
    )* };
}

cold! {
    begun: false;
    /// Taken branch or long straight code at the limit; `ip` is where to continue.
    trap_at_limit |vm, hot| vm.on_limit(PollKind::Branch);
    /// Call at the limit; `ip` is the callee's first instruction.
    call_at_limit |vm, hot| vm.on_limit(PollKind::Call);
    /// Return at the limit; whether the result is a reference is in `fault`.
    return_at_limit |vm, hot| {
        let r = (*hot).regs;
        // the callee's frame began with its arguments, but the VM puts them into a frame of their own
        let slot = match (*r.cs).method.is_null() {
            true => r.fp,
            false => arguments(r.ip.sub(call::BYTES), r.fp),
        };
        vm.on_limit(PollKind::Return(slot, (*hot).fault[0] != 0))
    };
    /// At a bytecode that is watched.
    watch |vm, hot| vm.at_watched();
    /// At the beginning of a loop's round that can be passed over.
    pass |vm, hot| vm.at_pass();
    /// Before an access to memory.
    point |vm, hot| vm.at_memory_point();
    /// After an access to memory.
    amend |vm, hot| vm.amend_access();
}

cold! {
    begun: true;
    npe |vm, hot| vm.deliver(Throw::npe());
    div_zero |vm, hot| vm.deliver(Throw::msg("java/lang/ArithmeticException", "/ by zero"));
    index_oob |vm, hot| {
        let [i, n] = (*hot).fault;
        vm.deliver(Throw::msg("java/lang/ArrayIndexOutOfBoundsException", format!("Index {} out of bounds for length {}", i as i32, n as i32)))
    };
    class_cast |vm, hot| {
        let [a, b] = (*hot).fault;
        let m = vm.class_cast_message(ClassId(a as u32), ClassId(b as u32));
        vm.deliver(Throw::msg("java/lang/ClassCastException", m))
    };
    /// The receiver's class does not implement the interface that the call is for.
    wrong_receiver |vm, hot| {
        let [rc, c] = (*hot).fault.map(|class| ClassId(class as u32));
        let t = vm.wrong_receiver(call::opcode.get((*hot).regs.ip), rc, c);
        vm.deliver(t)
    };
    stack_overflow |vm, hot| vm.throw_stack_overflow();
    /// The frame of the current method does not fit: undone, then thrown in the caller.
    frame_overflow |vm, hot| vm.throw_frame_overflow();
    /// aastore whose fast test failed; the value is in the accumulator.
    aastore |vm, hot| vm.slow_aastore();
    new_object |vm, hot| vm.slow_new();
    new_array |vm, hot| vm.slow_new_array();
    /// The first context of a method's callee, or one that is made while something is due.
    first_child |vm, hot| vm.slow_new_child();
    interface_miss |vm, hot| vm.slow_interface();
    /// A throw is waiting in `Vm::pending_throw`.
    pending |vm, hot| {
        let t = vm.pending_throw.take().expect("a pending throw");
        vm.deliver(t)
    };
    /// First instruction of a method that is not translated yet.
    translate_stub |vm, hot| vm.slow_translate();
    /// First instruction of a native method.
    native_stub |vm, hot| vm.slow_native();
    /// First instruction of each method while an observer wants to know which are entered, or left.
    entered |vm, hot| vm.notify_entered();
    /// First instruction of an abstract or conflicting method.
    abstract_stub |vm, hot| vm.slow_abstract();
    /// Where a Java method called by a continuation returns to.
    stub_return |vm, hot| {
        let v = *(*hot).regs.fp;
        vm.cont_returned(v)
    };
    /// Runs the top continuation (again).
    stub_reenter |vm, hot| vm.cont_step(Ok(crate::Value::Void));
    /// An instruction that is not resolved yet.
    unresolved |vm, hot| vm.slow_unresolved();
    monitor_enter |vm, hot| vm.slow_monitor(true);
    monitor_exit |vm, hot| vm.slow_monitor(false);
    /// Monitors of methods whose locking may be unstructured.
    enter_tracked |vm, hot| vm.slow_tracked_monitor(true);
    exit_tracked |vm, hot| vm.slow_tracked_monitor(false);
    /// Before the return of such a method.
    leave_tracked |vm, hot| vm.slow_leave_tracked();
    /// Entry of a synchronized method: locks, then continues.
    sync_enter |vm, hot| vm.slow_sync_enter();
    /// Before the return of a synchronized method.
    sync_exit |vm, hot| vm.slow_sync_exit();
    athrow |vm, hot| {
        let r = Ref(*slot((*hot).regs.fp, object::object.get((*hot).regs.ip)) as u32);
        if r.is_null() { vm.deliver(Throw::npe()) } else { vm.unwind(r) }
    };
    multianewarray |vm, hot| vm.slow_multianewarray();
    /// Before the return of `Object.<init>`.
    register_finalizer |vm, hot| vm.slow_register_finalizer();
    ret_subroutine |vm, hot| vm.slow_ret_subroutine();
}

handler_fn! {
    [/// At a breakpoint, or in a careful copy at a trigger or far from one: see [`Vm::slow_step`].
    #[cold]
    #[inline(never)]]
    step_closely(ip: Ip, fp: Fp, cs: Cs, tk: i64, acc: u64, hot: *mut Hot, fa: f64) {
        save!(ip fp cs tk acc hot fa);
        vm(hot).note_under_way(false);
        if !vm(hot).slow_step() {
            (*hot).running = false;
            return;
        }
        let r = (*hot).regs;
        if let Some(h) = vm(hot).code.step_handler.take() {
            return h(r.ip, r.fp, r.cs, r.ticks, r.acc, hot, r.facc);
        }
        go!(r.ip, r.fp, r.cs, r.ticks, r.acc, hot, r.facc)
    }
}

handler_fn! {
    [/// First instruction of an intrinsic method.
    #[cold]
    #[inline(never)]
    pub(crate)] intrinsic(ip: Ip, fp: Fp, cs: Cs, tk: i64, acc: u64, hot: *mut Hot, fa: f64) {
        #[inline(never)]
        unsafe fn work(hot: *mut Hot) -> Option<Handler> {
            begins!(hot, true);
            let node = (*(*hot).regs.cs).node;
            let returns = vm(hot).enter_intrinsic();
            vm(hot).commit_allocations(node);
            returns
        }
        save!(ip fp cs tk acc hot fa);
        let returns = work(hot);
        settle!(hot, true);
        let r = (*hot).regs;
        // at the limit, the return may be another one's that looks at each bytecode
        match returns.filter(|_| r.ticks < (*hot).limit) {
            Some(h) => h(r.ip, r.fp, r.cs, r.ticks, r.acc, hot, r.facc),
            None => go!(r.ip, r.fp, r.cs, r.ticks, r.acc, hot, r.facc),
        }
    }
}

handler_fn! {
    [/// Any return, while somebody wants to know which methods are left.
    #[cold]
    #[inline(never)]
    pub(crate)] notified_return(ip: Ip, fp: Fp, cs: Cs, tk: i64, acc: u64, hot: *mut Hot, fa: f64) {
        save!(ip fp cs tk acc hot fa);
        let h = vm(hot).notify_return();
        h(ip, fp, cs, tk, acc, hot, fa)
    }
}

op! {
    /// An instruction with a breakpoint, at which a trigger is due (see [`Vm::slow_step`]).
    #[inline(never)]
    breakpoint[ip fp cs tk acc hot fa] { return step_closely(ip, fp, cs, tk, acc, hot, fa); }
}

/// Calls the native of the top frame, which is bound and not synchronized.
#[inline(never)]
unsafe fn call_native(native: NativeEntry, cs: Cs, fp: Fp, hot: *mut Hot) -> R<u64> {
    let vm = vm(hot);
    // SAFETY: the arguments of the native are from its frame's first slot on.
    let args = std::slice::from_raw_parts(fp, (*(*cs).method).arg_slots as usize);
    let result = native.function()(Env::of(vm), args);
    vm.is_still_at(hot);
    vm.debug_result((*(*cs).method).id, &result);
    let v = result?;
    vm.thread().end_native();
    vm.commit_allocations((*cs).node);
    Ok(v)
}

/// The number that the top frame's method returns instead of the one in a slot: see [`crate::natives::ResultRow`].
#[inline(never)]
unsafe fn replaced_result(ip: Ip, fp: Fp, hot: *mut Hot) -> u64 {
    // SAFETY: the method's arguments are in its first slots, and its frame has four.
    let [a, b, computed] = [0, 2, replaced::result.get(ip)].map(|s| f64::from_bits(*slot(fp, s)));
    let natives = &vm(hot).natives;
    natives
        .result(replaced::number.get(ip), computed, a, b)
        .to_bits()
}

op! {
    /// Before the return of a method of the class library that returns another number than its bytecode computes.
    #[inline(never)]
    replace_result[ip fp cs tk acc hot fa] {
        *slot(fp, replaced::result.get(ip)) = replaced_result(ip, fp, hot);
        go!(ip.add(replaced::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// First instruction of a native method. What most calls of natives need not do is left to
    /// `native_stub`.
    #[inline(never)]
    native[ip fp cs tk acc hot fa] {
        let f = *cs;
        let Some(native) = (*f.method).native else {
            return native_stub(ip, fp, cs, tk, acc, hot, fa);
        };
        if (*f.method).is_synchronized() {
            return native_stub(ip, fp, cs, tk, acc, hot, fa);
        }
        save!(ip fp cs tk acc hot fa);
        match call_native(native, cs, fp, hot) {
            Ok(v) => {
                *fp = v;
                acc = v;
                fa = f64::from_bits(v);
            }
            Err(t) => {
                vm(hot).pending_throw = Some(t);
                return pending(ip, fp, cs, tk, acc, hot, fa);
            }
        }
        // what is left in the frame of contexts that are not recorded any more means nothing
        if vm(hot).profiling() {
            (*(*cs).node).inclusive += tk - (*cs).ticks;
        }
        (ip, fp, cs) = (f.rip, f.fp, cs.add(1));
        if tk >= (*hot).limit || is_requested(hot) {
            save!(ip fp cs tk acc hot fa);
            resume!(hot, true)
        }
        (*hot).methods = vm(hot).loaded.methods.as_ptr().cast();
        go!(ip, fp, cs, tk, acc, hot, fa)
    }
}

/// Makes the context of `callee`, which has others already, for the call at `ip` in the top frame. `false`: the
/// VM is dead.
#[inline(never)]
unsafe fn make_child(hot: *mut Hot, callee: *const Method, cs: Cs, ip: Ip) -> bool {
    let (id, slots) = ((*callee).id, (*callee).kid_slots);
    let (parent, site) = ((*cs).node, call::bci.get(ip).into());
    match vm(hot).context_below(parent, id, slots, site) {
        Some(child) => {
            ContextNode::set_callee(parent, call::kid.get(ip) as usize, child);
            true
        }
        None => false,
    }
}

op! {
    /// The callee in `fault[0]` has no context here yet: it is made, and the call runs again.
    #[inline(never)]
    new_child[ip fp cs tk acc hot fa] {
        let callee = (*hot).fault[0] as *const Method;
        let known = (*callee).in_profile && ((*callee).translated().is_some() || (*callee).native.is_some());
        if !known || tk + MARGIN >= (*hot).due || tk >= (*hot).limit {
            return first_child(ip, fp, cs, tk, acc, hot, fa);
        }
        // where a fault is reported to be
        save!(ip fp cs tk acc hot fa);
        if !make_child(hot, callee, cs, ip) {
            (*hot).running = false;
            return;
        }
        go!(ip, fp, cs, tk, acc, hot, fa)
    }
}

/// Near the limit, control having come from frame `$from` after `$begun` bytecodes: nothing is due yet, or
/// samples only, or there is more to do.
macro_rules! look_closer {
    ($from:expr, $begun:expr, $at_limit:ident, $ip:ident $fp:ident $cs:ident $tk:ident $acc:ident $hot:ident $fa:ident) => {{
        if $begun < (*$hot).due {
            go!($ip, $fp, $cs, $tk, $acc, $hot, $fa)
        }
        if $tk < (*$hot).other {
            (*$hot).fault = [$from as u64, $begun as u64];
            return quick_sample($ip, $fp, $cs, $tk, $acc, $hot, $fa);
        }
        return $at_limit($ip, $fp, $cs, $tk, $acc, $hot, $fa);
    }};
}

op! {
    /// Taken branch or long straight code near the limit.
    #[inline(never)]
    trap[ip fp cs tk acc hot fa] {
        let begun = tk + edge::last.get((*hot).edge) as i64;
        look_closer!(cs, begun, trap_at_limit, ip fp cs tk acc hot fa)
    }
    /// Call near the limit.
    #[inline(never)]
    trap_call[ip fp cs tk acc hot fa] {
        look_closer!(cs.add(1), tk, call_at_limit, ip fp cs tk acc hot fa)
    }
    /// Return near the limit.
    #[inline(never)]
    trap_return[ip fp cs tk acc hot fa] {
        look_closer!(cs.sub(1), tk, return_at_limit, ip fp cs tk acc hot fa)
    }
    /// Samples are due, and nothing else: the frame they are in and the bytecodes begun are in `fault`.
    #[inline(never)]
    quick_sample[ip fp cs tk acc hot fa] {
        let [from, begun] = (*hot).fault;
        // where a fault is reported to be
        save!(ip fp cs tk acc hot fa);
        vm(hot).take_quickly(from as Cs, begun as i64);
        go!(ip, fp, cs, tk, acc, hot, fa)
    }
    /// Careful copy: counts up to the trigger, then runs the instruction with its own handler; what
    /// follows it in the copy steps again.
    step[ip fp cs tk acc hot fa] {
        let at = *stepping((*cs).method);
        let off = ip as usize - at.careful as usize;
        let done = tk + *(at.done.add(off) as *const i64);
        if ((*hot).trigger - done - 1) as u64 >= MARGIN as u64 {
            return step_closely(ip, fp, cs, tk, acc, hot, fa);
        }
        let h = *(at.code.add(off) as *const Handler);
        return h(ip, fp, cs, tk, acc, hot, fa);
    }
}

/// Of a method that is in its careful copy.
#[inline(always)]
unsafe fn stepping(method: *const Method) -> *const Stepping {
    // SAFETY: the method is translated, or it would have no careful copy.
    unsafe { (*method).translated().unwrap_unchecked().stepping() }
}

op! {
    /// Whether a large frame fits.
    check_frame[ip fp cs tk acc hot fa] {
        if fp as usize + frame_check::bytes.get(ip) as usize + crate::threads::stack::RED_ZONE > cs as usize {
            return frame_overflow(ip, fp, cs, tk, acc, hot, fa);
        }
        go!(ip.add(frame_check::BYTES), fp, cs, tk, acc, hot, fa)
    }
}

/// Full subtype test.
#[cold]
#[inline(never)]
pub(crate) unsafe fn is_subtype(hot: *mut Hot, c: u32, t: u32) -> bool {
    let v = vm(hot);
    let yes = v.is_subtype(ClassId(c), ClassId(t));
    if yes {
        (*v.heap.hot(ClassId(c))).secondary_cache = ClassId(t);
    }
    yes
}

/// The implementation of an interface method for `linkToInterface`; null with a pending throw. (The
/// handle has checked its receiver and names no method, as HotSpot's does: it throws without a message. Of conflicts one of
/// the versions since 22 was the first to have one.)
#[inline(never)]
pub(crate) unsafe fn link_interface(hot: *mut Hot, class: u32, m: *mut Method) -> *mut Method {
    let v = vm(hot);
    let selected = v.select_method(ClassId(class), (*m).id);
    let selected = selected.map_err(|t| match *t {
        Throw::New { class, .. } if v.feature() < 22 || class == ABSTRACT => Throw::bare(class),
        _ => t,
    });
    linked(v, selected)
}
/// The implementation, for `linkToVirtual`, of an interface method that the class named in the handle
/// inherits; null with a pending throw.
#[inline(never)]
pub(crate) unsafe fn link_inherited(hot: *mut Hot, class: u32, m: *mut Method) -> *mut Method {
    let v = vm(hot);
    let id = (*m).id;
    let selected = v.select_virtual(ClassId(class), id).map_err(|t| match *t {
        // the handle does not report its receiver, unless the class has a method made for that
        Throw::New { class, .. } if class == ABSTRACT && v.method(id).is_abstract() => {
            v.abstract_error(id, None, None)
        }
        _ => t,
    });
    linked(v, selected)
}
const ABSTRACT: &str = "java/lang/AbstractMethodError";
fn linked(v: &mut Vm, selected: R<MethodId>) -> *mut Method {
    match selected {
        Ok(id) => &raw mut *v.loaded.methods[id.0 as usize],
        Err(t) => {
            v.pending_throw = Some(t);
            std::ptr::null_mut()
        }
    }
}
