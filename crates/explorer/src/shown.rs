//! Operations in words: the action, its target, the value and the place.

use crate::controller::TraceStep;
use rjvm_explore::{Mode, Op, OpKind, ThreadNo};
use rjvm_vm::threads::control::Step;
use rjvm_vm::{ClassId, MethodId, Ref, Vm};
use std::ops::ControlFlow;

/// Frames of an operation that are shown.
const FRAMES: usize = 24;

/// A thread's name.
pub fn name_of(vm: &mut Vm, t: ThreadNo) -> String {
    let found = vm.live_threads().find(|&l| vm.thread_no(l) == t);
    match found {
        Some(t) => vm.thread_name(t),
        None => format!("thread {t}"),
    }
}

/// What a thread that was started has to do.
pub fn task_of(vm: &Vm, t: ThreadNo) -> Option<ClassId> {
    let mut live = vm.live_threads();
    vm.task_of(live.find(|&l| vm.thread_no(l) == t)?)
}

/// The frames of the running thread.
fn frames(vm: &mut Vm) -> Vec<(String, String, u32)> {
    let mut found: Vec<(MethodId, i32)> = Vec::new();
    let cur = vm.current();
    vm.walk_stack(cur, |_, m, bci| {
        found.push((m, bci));
        match found.len() < FRAMES {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    let frame = |(m, bci): (MethodId, i32)| {
        let method = vm.method(m);
        let k = vm.class(method.class);
        let name = format!("{}.{}", k.dotted(), vm.symbols().str(method.name));
        let file = k.cf.as_ref().and_then(|cf| {
            let file = cf.constant_pool.str(cf.attributes.source_file?).ok()?;
            Some(file.to_string())
        });
        let line = rjvm_jdk_stubs::java_lang::stack_trace_element::line_number(method, bci);
        (
            name,
            file.unwrap_or_default(),
            u32::try_from(line).unwrap_or(0),
        )
    };
    found.into_iter().map(frame).collect()
}

/// An operation, to be shown.
pub fn shown(vm: &mut Vm, step: &Step, at: u64) -> TraceStep {
    TraceStep {
        thread: step.thread.0,
        op: match step.op.kind == OpKind::Timeout && step.update {
            true => "wakes up spuriously".into(),
            false => word(step.op),
        },
        place: place(vm, step),
        value: value(vm, step),
        frames: frames(vm),
        at,
    }
}

fn word(op: Op) -> String {
    let mode = |m: Mode| match m {
        Mode::Plain | Mode::Final => "",
        Mode::Opaque => " (opaque)",
        Mode::Acquire => " (acquire)",
        Mode::Release => " (release)",
        Mode::AcquireRelease => " (acquire and release)",
        Mode::Volatile => " (volatile)",
    };
    match op.kind {
        OpKind::Read(m) => format!("reads{}", mode(m)),
        OpKind::Write(m) => format!("writes{}", mode(m)),
        OpKind::Update(m) => format!("updates{}", mode(m)),
        OpKind::Fence(m) => format!("fence{}", mode(m)),
        OpKind::Begin => "begins".into(),
        OpKind::End => "ends".into(),
        OpKind::Enter => "locks".into(),
        OpKind::Exit => "unlocks".into(),
        OpKind::Wait => "waits in".into(),
        OpKind::Notify => "notifies one of".into(),
        OpKind::NotifyAll => "notifies all of".into(),
        OpKind::Park => "parks".into(),
        OpKind::Unpark(t) => format!("unparks thread {t}"),
        OpKind::Sleep => "sleeps".into(),
        OpKind::Yield => "yields".into(),
        OpKind::Start(t) => format!("starts thread {t}"),
        OpKind::Join(t) => format!("sees that thread {t} has ended"),
        OpKind::Interrupt(t) => format!("interrupts thread {t}"),
        OpKind::Interrupted(_) => "sees that it is interrupted".into(),
        OpKind::Freeze => "is constructed".into(),
        OpKind::InitBegin => "begins to initialize".into(),
        OpKind::InitEnd => "has initialized".into(),
        OpKind::InitUse => "finds initialized".into(),
        OpKind::Resume => "locks again".into(),
        OpKind::Timeout => "its time has expired".into(),
        OpKind::Step => "goes on".into(),
    }
}

/// The target of an operation, as a name.
pub fn place(vm: &mut Vm, step: &Step) -> String {
    if step.object.is_null() {
        return String::new();
    }
    let class = vm.class_of(step.object);
    if matches!(
        step.op.kind,
        OpKind::InitBegin | OpKind::InitEnd | OpKind::InitUse
    ) {
        return vm.class(vm.of_mirror(step.object)).dotted();
    }
    if step.ty == 0 {
        return of_object(vm, step.object);
    }
    if vm.class(class).is_array() {
        let shift = match step.ty {
            b'J' | b'D' => 3,
            b'B' | b'Z' => 0,
            b'C' | b'S' => 1,
            _ => 2,
        };
        let index = (step.offset - 16) >> shift;
        return format!("{}[{index}]", of_object(vm, step.object));
    }
    let mirrored = vm.class(class).dotted() == "java.lang.Class";
    let (mut holder, is_static) = match mirrored {
        true => (Some(vm.of_mirror(step.object)), true),
        false => (Some(class), false),
    };
    while let Some(c) = holder {
        let k = vm.class(c);
        let field = k.fields.iter().find(|f| {
            f.offset == step.offset && (f.access & rjvm_vm::classes::acc::STATIC != 0) == is_static
        });
        if let Some(f) = field {
            let name = vm.symbols().str(f.name).to_string();
            return match is_static {
                true => format!("{}.{name}", k.dotted()),
                false => format!("{}.{name}", of_object(vm, step.object)),
            };
        }
        holder = k.super_class;
    }
    format!("{}+{}", of_object(vm, step.object), step.offset)
}

/// An object as `Class#n`.
fn of_object(vm: &mut Vm, r: Ref) -> String {
    let class = vm.class(vm.class_of(r)).dotted();
    let short = class.rsplit('.').next().unwrap_or(&class);
    format!("{short}#{}", vm.object_number(r))
}

fn value(vm: &mut Vm, step: &Step) -> String {
    match step.ty {
        0 => String::new(),
        b'L' => match step.reference().non_null() {
            None => "null".into(),
            Some(r) => of_object(vm, r),
        },
        b'Z' => (step.value as u8 != 0).to_string(),
        b'J' => (step.value as i64).to_string(),
        b'D' => f64::from_bits(step.value).to_string(),
        b'F' => f32::from_bits(step.value as u32).to_string(),
        b'C' => format!("{:?}", char::from_u32(step.value as u32).unwrap_or('?')),
        _ => (step.value as i32).to_string(),
    }
}
