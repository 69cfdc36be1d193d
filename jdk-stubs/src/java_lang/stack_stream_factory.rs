//! Natives of `java.lang.StackStreamFactory` and its `AbstractStackWalker` (the machinery of `StackWalker`).

use super::thread;
use crate::java_lang_invoke::member_name;
use rjvm_vm::throw::Call;
use rjvm_vm::{ClassId, Env, MethodId, R, Ref, Throw, Value, jdk, natives};
use std::ops::ControlFlow;

natives! { "java/lang/StackStreamFactory";
    checkStackWalkModes "()Z" => check_stack_walk_modes;
}

/// The nested class's table.
pub mod walker {
    use super::{
        call_stack_walk, call_stack_walk_19, call_stack_walk_22, fetch_stack_frames,
        fetch_stack_frames_22, set_continuation,
    };
    rjvm_vm::natives! { "java/lang/StackStreamFactory$AbstractStackWalker";
        callStackWalk "(JIII[Ljava/lang/Object;)Ljava/lang/Object;" until 20 => call_stack_walk;
        fetchStackFrames "(JJII[Ljava/lang/Object;)I" until 21 => fetch_stack_frames;
        callStackWalk "(JILjdk/internal/vm/ContinuationScope;Ljdk/internal/vm/Continuation;II[Ljava/lang/Object;)Ljava/lang/Object;" since 19 until 21 => call_stack_walk_19;
        callStackWalk "(IILjdk/internal/vm/ContinuationScope;Ljdk/internal/vm/Continuation;II[Ljava/lang/Object;)Ljava/lang/Object;" since 22 => call_stack_walk_22;
        fetchStackFrames "(IJIII[Ljava/lang/Object;)I" since 22 => fetch_stack_frames_22;
        setContinuation "(J[Ljava/lang/Object;Ljdk/internal/vm/Continuation;)V" since 19 => set_continuation;
    }
}

/// The modes as `StackStreamFactory` numbers them.
mod mode {
    pub const FILL_CLASS_REFS_ONLY: i64 = 0x2;
    pub const GET_CALLER_CLASS: i64 = 0x4;
    pub const SHOW_HIDDEN_FRAMES: i64 = 0x20;
}

/// rjvm uses the class's own numbers.
fn check_stack_walk_modes(_: &mut Env) -> R<bool> {
    Ok(true)
}

/// A frame of the stack that is walked.
struct Frame {
    method: MethodId,
    bci: i32,
}

/// The continuation that is walked, if it is not the current thread.
fn continuation_of(vm: &mut Env, this: Ref) -> R<Option<Ref>> {
    match vm.has_field(jdk::abstract_stack_walker::CONTINUATION) {
        Some(field) => Ok(vm.get(this, field)?.non_null()),
        None => Ok(None),
    }
}

/// All frames of the current thread, or of the continuation that is walked, top first.
fn all_frames(vm: &mut Env, this: Ref) -> R<Vec<Frame>> {
    let mut frames: Vec<Frame> = Vec::new();
    let thread = match continuation_of(vm, this)? {
        Some(continuation) => match vm.stack_of_continuation(continuation)? {
            Some(thread) => thread,
            None => return Ok(frames),
        },
        None => vm.current(),
    };
    vm.walk_frames(thread, |vm, f| {
        if !(frames.is_empty() && thread::is_yield(vm, f.method)) {
            frames.push(Frame {
                method: f.method,
                bci: f.bci,
            });
        }
        ControlFlow::Continue(())
    });
    Ok(frames)
}

/// Fills `buffer` from `start` with up to `count` frames; returns the end index and how many frames
/// of `frames` were used up.
fn fill(
    vm: &mut Env,
    mode: i64,
    frames: &[Frame],
    count: i32,
    start: i32,
    buffer: Ref,
) -> R<(i32, usize)> {
    let classes_only = mode & mode::FILL_CLASS_REFS_ONLY != 0;
    let caller = mode & mode::GET_CALLER_CLASS != 0;
    let newer = vm.feature() >= 22;
    let caller = caller && !newer;
    let skip_hidden = caller || mode & mode::SHOW_HIDDEN_FRAMES == 0;
    let (mut end, mut used) = (start, 0);
    for f in frames {
        if end - start == count {
            break;
        }
        used += 1;
        let method = vm.method(f.method);
        if skip_hidden && method.hidden {
            continue;
        }
        if end as usize >= vm.heap().len(buffer) {
            return Err(Throw::msg(
                "java/lang/InternalError",
                "stack walk: buffer too small",
            ));
        }
        if newer {
            let info = vm.heap().elem_ref(buffer, end as usize);
            let flags =
                vm.get(info, jdk::class_frame_info::FLAGS)? | member_name::flags_of(vm, f.method);
            vm.set(info, jdk::class_frame_info::FLAGS, flags)?;
            if classes_only {
                let mirror = vm.mirror(method_class(vm, f.method));
                vm.set(info, jdk::class_frame_info::CLASS_OR_MEMBER_NAME, mirror)?;
            } else {
                let name = vm.new_resolved_method_name(f.method)?;
                vm.set(info, jdk::class_frame_info::CLASS_OR_MEMBER_NAME, name)?;
                vm.set(info, jdk::stack_frame_info::BCI, f.bci)?;
            }
            end += 1;
            continue;
        }
        if classes_only {
            if caller && end == start && method.caller_sensitive {
                let m = format!(
                    "StackWalker::getCallerClass called from @CallerSensitive '{}' method",
                    vm.external_method(f.method)
                );
                return Err(Throw::msg("java/lang/UnsupportedOperationException", m));
            }
            let mirror = vm.mirror(method.class);
            vm.heap_mut().set_elem_ref(buffer, end as usize, mirror);
        } else {
            let info = vm.heap().elem_ref(buffer, end as usize);
            let field = vm
                .has_field(jdk::stack_frame_info::MEMBER_NAME)
                .expect("an older JDK");
            let name = vm.get(info, field)?;
            member_name::init_method(vm, name, f.method)?;
            vm.set(info, jdk::stack_frame_info::BCI, f.bci)?;
        }
        end += 1;
    }
    Ok((end, used))
}

/// Whether the frame belongs to the stack walker itself.
fn is_walker(vm: &Env, c: ClassId) -> bool {
    let name = |c: ClassId| vm.class(c).name.clone();
    let abstract_walker = "java/lang/StackStreamFactory$AbstractStackWalker";
    *name(c) == *"java/lang/StackWalker"
        || *name(c) == *abstract_walker
        || vm
            .class(c)
            .super_class
            .is_some_and(|s| *name(s) == *abstract_walker)
}

/// Fills the first batch, then runs `doStackWalk`. The anchor is the number of frames left below
/// the batch, plus 1: frames are counted from the stack's bottom, so it holds while the walk calls others.
fn call_stack_walk(
    vm: &mut Env,
    this: Ref,
    mode: i64,
    skip: i32,
    count: i32,
    start: i32,
    buffer: Ref,
) -> R<Ref> {
    if buffer.is_null() {
        return Err(Throw::msg(
            "java/lang/NullPointerException",
            "frames_array is NULL",
        ));
    }
    let frames = all_frames(vm, this)?;
    let first = match continuation_of(vm, this)? {
        Some(_) => 0,
        None => frames
            .iter()
            .position(|f| !is_walker(vm, vm.method(f.method).class))
            .unwrap_or(frames.len()),
    };
    let frames = frames
        .get(first + skip.max(0) as usize..)
        .unwrap_or_default();
    let (end, used) = fill(vm, mode, frames, count, start, buffer)?;
    if end == start {
        return Err(Throw::msg(
            "java/lang/InternalError",
            "stack walk: decode failed",
        ));
    }
    let anchor = (frames.len() - used) as i64 + 1;
    let walker = vm.boot_class("java/lang/StackStreamFactory$AbstractStackWalker");
    let next = vm.jdk_method(walker, jdk::calls::abstract_stack_walker::DO_STACK_WALK);
    // since 22 this is how many there are
    let count = if vm.feature() >= 22 {
        end - start
    } else {
        count
    };
    let [skip, count, start, end] = [skip, count, start, end].map(Value::Int);
    let args = [this.into(), Value::Long(anchor), skip, count, start, end];
    Err(Call::new(vm, next, &args).tail())
}

fn fetch_stack_frames(
    vm: &mut Env,
    this: Ref,
    mode: i64,
    anchor: i64,
    count: i32,
    start: i32,
    buffer: Ref,
) -> R<i32> {
    let frames = all_frames(vm, this)?;
    let left = usize::try_from(anchor - 1)
        .ok()
        .filter(|&n| n <= frames.len());
    let Some(left) = left else {
        return Err(Throw::msg(
            "java/lang/InternalError",
            "doStackWalk: corrupted buffers",
        ));
    };
    let frames = &frames[frames.len() - left..];
    let (end, used) = fill(vm, mode, frames, count, start, buffer)?;
    vm.set(
        this,
        jdk::abstract_stack_walker::ANCHOR,
        (left - used) as i64 + 1,
    )?;
    Ok(end)
}

fn method_class(vm: &Env, m: MethodId) -> ClassId {
    vm.method(m).class
}

fn call_stack_walk_19(
    vm: &mut Env,
    this: Ref,
    mode: i64,
    skip: i32,
    _scope: Ref,
    _continuation: Ref,
    count: i32,
    start: i32,
    buffer: Ref,
) -> R<Ref> {
    call_stack_walk(vm, this, mode, skip, count, start, buffer)
}

fn call_stack_walk_22(
    vm: &mut Env,
    this: Ref,
    mode: i32,
    skip: i32,
    _scope: Ref,
    _continuation: Ref,
    count: i32,
    start: i32,
    buffer: Ref,
) -> R<Ref> {
    call_stack_walk(vm, this, mode.into(), skip, count - start, start, buffer)
}

fn fetch_stack_frames_22(
    vm: &mut Env,
    this: Ref,
    mode: i32,
    anchor: i64,
    _last: i32,
    count: i32,
    start: i32,
    buffer: Ref,
) -> R<i32> {
    let end = fetch_stack_frames(vm, this, mode.into(), anchor, count - start, start, buffer)?;
    Ok(end - start)
}

fn set_continuation(
    _: &mut Env,
    _this: Ref,
    _anchor: i64,
    _frames: Ref,
    _continuation: Ref,
) -> R<()> {
    Ok(())
}

/// `StackFrameInfo` since 22.
pub mod frame_info {
    use super::expand_stack_frame_info;
    rjvm_vm::natives! { "java/lang/StackFrameInfo";
        expandStackFrameInfo "()V" since 22 => expand_stack_frame_info;
    }
}

fn expand_stack_frame_info(vm: &mut Env, this: Ref) -> R<()> {
    let name = vm.get(this, jdk::class_frame_info::CLASS_OR_MEMBER_NAME)?;
    let m = vm.resolved_method(name).expect("a frame has a method");
    let (name, desc) = (vm.method(m).name, vm.method(m).desc);
    let name = vm.symbols().str(name).clone();
    let desc = vm.symbols().str(desc).clone();
    let name = vm.intern_str(&name)?;
    let field = vm
        .has_field(jdk::stack_frame_info::NAME)
        .expect("a newer JDK");
    vm.set(this, field, name)?;
    let desc = vm.intern_str(&desc)?;
    let field = vm
        .has_field(jdk::stack_frame_info::TYPE)
        .expect("a newer JDK");
    vm.set(this, field, desc)
}
