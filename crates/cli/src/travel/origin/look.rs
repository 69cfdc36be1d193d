//! A stopped program as the search for an origin sees it: what an expression names, what the next bytecode writes, what the bytecode
//! that pushed an operand took it from.

use super::data::{
    FrameKey, OriginLook, OriginSeen, OriginVariable, Question, SourceKind, Stored, ValueSource,
    WriteSite,
};
use super::flow::local_of;
use crate::travel::errors::LookError;
use crate::travel::expression_error::ExpressionError;
use crate::travel::values::{Part, not_found, parts, static_fields};
use crate::travel::wire::MethodKey;
use rjvm_classfile::descriptor::MethodDescriptor;
use rjvm_classfile::dis;
use rjvm_classfile::opcodes::{self as o, Insn, Operand};
use rjvm_vm::classes::InitState;
use rjvm_vm::debug::DebugFrame;
use rjvm_vm::inspect::{FrameInfo, InspectLimits, ObjectContents};
use rjvm_vm::instruments::{ClassView, MethodView};
use rjvm_vm::jdk::moves::{ARRAY_COPY, CLONE, stores_last_argument};
use rjvm_vm::{ClassId, Ref, ThreadId, Value, Vm};

/// A source line's number and text.
type SourceLine<'a> = &'a dyn Fn(&FrameInfo) -> Option<(u16, String)>;

/// Looks.
pub fn look(
    vm: &mut Vm,
    look: &OriginLook,
    source: SourceLine<'_>,
) -> Result<OriginSeen, LookError> {
    Ok(match look {
        OriginLook::Resolve(text) => OriginSeen::Question(resolve(vm, text)?),
        OriginLook::Site(variable) => OriginSeen::Site(Box::new(site(vm, variable, source)?)),
        OriginLook::Leaf(of) => OriginSeen::Leaf {
            question: leaf(vm, of)?,
        },
        OriginLook::Top => {
            let (_, frames) = running(vm)?;
            let top = frames[0].operands.last().copied();
            OriginSeen::Text(top.map_or_else(String::new, |(kind, v)| text(vm, kind, v)))
        }
    })
}

/// The thread that runs next, and its frames.
fn running(vm: &mut Vm) -> Result<(ThreadId, Vec<DebugFrame>), LookError> {
    let none = LookError::NothingRuns;
    let (t, ..) = vm.next_bytecode().ok_or(none.clone())?;
    let frames = vm.debug_frames(t);
    match frames.is_empty() {
        true => Err(none),
        false => Ok((t, frames)),
    }
}

fn text(vm: &mut Vm, kind: u8, value: Value) -> String {
    let limits = InspectLimits {
        depth: 0,
        ..InspectLimits::DEFAULT
    };
    let (value, state) = vm.inspect_value(kind, value, &limits);
    let text = state.value_text(value, 2);
    match state.objects.first().map(|o| &o.contents) {
        None | Some(ObjectContents::Text(..)) => text,
        // there is one object only, so its number says nothing
        Some(_) => text.replacen("#1", "", 1),
    }
}

fn frame_key(vm: &Vm, t: ThreadId, frame: &DebugFrame) -> FrameKey {
    let m = MethodView::new(vm, frame.method);
    FrameKey {
        thread: t.0,
        height: frame.height,
        method: MethodKey {
            class: m.class().name(),
            name: m.name().into(),
            descriptor: m.descriptor().into(),
        },
    }
}

/// The bytecode that a frame is at.
fn with_insn<T>(vm: &Vm, frame: &DebugFrame, f: impl FnOnce(&Insn<'_>) -> T) -> Option<T> {
    let code = vm.method(frame.method).code()?;
    let at = usize::from(frame.bci?);
    let mut insns = o::insns(code.bytes()).flatten();
    insns.find(|insn| insn.pc == at).map(|insn| f(&insn))
}

/// Class, name and descriptor that the bytecode of a frame names.
fn member(vm: &Vm, frame: &DebugFrame) -> Option<[String; 3]> {
    let constant = with_insn(vm, frame, |insn| match insn.operand {
        Operand::Constant(c) => Some(c),
        Operand::Interface { index, .. } => Some(index),
        _ => None,
    })??;
    let pool = &vm.method(frame.method).code()?.cf.constant_pool;
    let named = pool.member_ref(constant).ok()?;
    Some([named.class, named.name, named.descriptor].map(str::to_owned))
}

// --- Variables ---

/// The name of a local, as expressions have it, and the first letter of its type.
fn local_name(vm: &Vm, frame: &DebugFrame, slot: u16) -> (String, Option<u8>) {
    let m = vm.method(frame.method);
    let known = m.code().zip(frame.bci);
    match known.and_then(|(code, bci)| code.local_variable(slot, bci)) {
        Some((name, letter)) => (name, Some(letter)),
        None if slot == 0 && !m.is_static() => ("this".into(), None),
        None => (format!("slot{slot}"), None),
    }
}

/// A local of a frame.
fn local(vm: &mut Vm, t: ThreadId, frame: &DebugFrame, slot: u16) -> Option<Question> {
    let &(kind, value) = frame.locals.get(usize::from(slot))?;
    let (name, letter) = local_name(vm, frame, slot);
    let value = match kind {
        0 => return None,
        _ => text(vm, letter.unwrap_or(kind), value),
    };
    let m = vm.method(frame.method);
    let insns = m
        .code()
        .into_iter()
        .flat_map(|c| o::insns(c.bytes()).flatten());
    let stores = insns.filter(|insn| {
        let writes = insn.opcode == o::IINC || (o::ISTORE..=o::ASTORE_3).contains(&insn.opcode);
        writes && local_of(insn) == Some(slot)
    });
    let stores = stores.map(|insn| insn.pc as u16).collect();
    let view = MethodView::new(vm, frame.method);
    let parameters = MethodDescriptor::parse(view.descriptor());
    let parameters = parameters.map_or(0, |d| d.argument_slots(view.is_static()));
    Some(Question {
        variable: OriginVariable::Local {
            frame: frame_key(vm, t, frame),
            slot,
            stores,
            parameter: slot < parameters,
        },
        before: vm.bytecodes(),
        name,
        value,
    })
}

fn class_named(vm: &Vm, name: &str) -> Option<ClassId> {
    let mut all = vm.debug_classes().into_iter();
    all.find(|&c| ClassView::new(vm, c).name() == name)
}

fn static_field(vm: &mut Vm, class: &str, name: &str) -> Option<(Question, Value)> {
    let class = class_named(vm, class)?;
    let (holder, index) = vm.field_named(class, name, true)?;
    let (letter, value) = vm.field_value(holder, index, Ref::NULL)?;
    let class = ClassView::new(vm, holder).name();
    let question = Question {
        name: format!("{class}.{name}"),
        value: text(vm, letter, value),
        variable: OriginVariable::Static {
            class,
            name: name.into(),
        },
        before: vm.bytecodes(),
    };
    Some((question, value))
}

fn field(vm: &mut Vm, object: Ref, of: &str, name: &str) -> Result<(Question, Value), LookError> {
    let none = |vm: &Vm| {
        let class = object
            .non_null()
            .map(|r| ClassView::new(vm, vm.class_of(r)).name());
        let class = class.unwrap_or_else(|| "null".into());
        ExpressionError::NoFieldOf(class, name.into())
    };
    let class = object.non_null().map(|r| vm.class_of(r));
    let found = class.and_then(|c| vm.field_named(c, name, false));
    let value = found.and_then(|(holder, index)| {
        let (letter, value) = vm.field_value(holder, index, object)?;
        Some((holder, letter, value))
    });
    let (holder, letter, value) = value.ok_or_else(|| none(vm))?;
    let question = Question {
        variable: OriginVariable::Field {
            object: object.slot(),
            class: ClassView::new(vm, holder).name(),
            name: name.into(),
        },
        before: vm.bytecodes(),
        name: format!("{of}.{name}"),
        value: text(vm, letter, value),
    };
    Ok((question, value))
}

fn element(
    vm: &mut Vm,
    array: Ref,
    of: &str,
    index: usize,
) -> Result<(Question, Value), LookError> {
    let found = vm.element_value(array, index);
    let none = || LookError::NoElement(of.into(), index);
    let (letter, value) = found.ok_or_else(none)?;
    let question = Question {
        variable: OriginVariable::Element {
            array: array.slot(),
            class: ClassView::new(vm, vm.class_of(array)).name(),
            index,
        },
        before: vm.bytecodes(),
        name: format!("{of}[{index}]"),
        value: text(vm, letter, value),
    };
    Ok((question, value))
}

/// What an expression names in the top frame; if that is one of the class library, perhaps in the first frame of the program.
fn resolve(vm: &mut Vm, expression: &str) -> Result<Question, LookError> {
    let (t, frames) = running(vm)?;
    if let Some(n) = expression.strip_prefix('$') {
        return operand(vm, t, &frames[0], expression, n);
    }
    let library = |f: &&DebugFrame| MethodView::new(vm, f.method).class().is_library();
    let own = frames.iter().find(|f| !library(f) && f.bci.is_some());
    let own = own.filter(|_| library(&&frames[0]));
    match (resolve_in(vm, t, &frames[0], expression), own.cloned()) {
        (Err(_), Some(own)) => resolve_in(vm, t, &own, expression),
        (resolved, _) => resolved,
    }
}

fn operand(
    vm: &mut Vm,
    t: ThreadId,
    frame: &DebugFrame,
    name: &str,
    n: &str,
) -> Result<Question, LookError> {
    let n: usize = n.parse().map_err(|_| LookError::NotOperand(name.into()))?;
    let place = frame.operands.len().checked_sub(n + 1);
    let none = || LookError::NoOperand(name.into(), frame.operands.len());
    let place = place.ok_or_else(none)?;
    let slots = |kind: u8| if matches!(kind, b'J' | b'D') { 2 } else { 1 };
    let above = frame.operands[place + 1..].iter().map(|v| slots(v.0));
    let (kind, value) = frame.operands[place];
    Ok(Question {
        variable: OriginVariable::Operand {
            frame: frame_key(vm, t, frame),
            depth: above.sum(),
        },
        before: vm.bytecodes(),
        name: name.into(),
        value: text(vm, kind, value),
    })
}

fn resolve_in(
    vm: &mut Vm,
    t: ThreadId,
    frame: &DebugFrame,
    expression: &str,
) -> Result<Question, LookError> {
    let parts = parts(expression)?;
    let of_text = |e| LookError::Of(expression.into(), e);
    let Some(Part::Field(first)) = parts.first() else {
        return Err(of_text(ExpressionError::Expected("a name")));
    };
    let slots = 0..frame.locals.len() as u16;
    let mut named = slots.filter(|&slot| local_name(vm, frame, slot).0 == *first);
    let (mut found, mut done) = (None, 0);
    if let Some(slot) = named.next() {
        let question = local(vm, t, frame, slot);
        let question = question.ok_or_else(|| LookError::NotSet(first.clone()))?;
        found = Some((question, frame.locals[usize::from(slot)].1));
        done = 1;
    } else {
        for (class, name, rest) in static_fields(&parts) {
            found = static_field(vm, &class, name);
            if found.is_some() {
                done = parts.len() - rest.len();
                break;
            }
        }
    }
    let none = || of_text(not_found(&parts));
    let (mut question, mut value) = found.ok_or_else(none)?;
    for part in &parts[done..] {
        let Value::Ref(r) = value else {
            return Err(of_text(ExpressionError::NoMembers(question.value)));
        };
        let of = std::mem::take(&mut question.name);
        (question, value) = match part {
            Part::Field(name) => field(vm, r, &of, name)?,
            Part::Element(index) => element(vm, r, &of, *index)?,
        };
    }
    Ok(question)
}

/// The value that a source pushes next, as a question for its origin.
fn leaf(vm: &mut Vm, of: &ValueSource) -> Result<Option<Question>, LookError> {
    let (t, frames) = running(vm)?;
    let top = &frames[0];
    let position = vm.bytecodes();
    if let SourceKind::Caught { ended } = of.kind {
        let (kind, value) = top.operands.last().copied().unwrap_or_default();
        return Ok(Some(Question {
            variable: OriginVariable::Exception { thread: t.0 },
            before: ended,
            name: of.name.clone(),
            value: text(vm, kind, value),
        }));
    }
    let late = matches!(of.kind, SourceKind::Static { ended } if ended == position);
    if !late && top.bci != Some(of.index) {
        let place = vm.bytecodes();
        return Err(LookError::Elsewhere(of.index, place));
    }
    let operand = |n: usize| {
        let i = top.operands.len().checked_sub(n + 1)?;
        Some(top.operands[i].1)
    };
    Ok(match &of.kind {
        SourceKind::Local(slot) => local(vm, t, top, *slot).map(|mut question| {
            question.name.clone_from(&of.name);
            question
        }),
        SourceKind::Static { .. } => {
            let (class, name) = of.name.rsplit_once('.').unwrap_or_default();
            let class_id = class_named(vm, class);
            // reading the field may initialize its class first
            let ready = class_id.is_some_and(|c| match vm.init_state(c) {
                InitState::Initialized => true,
                InitState::InProgress => initializes(vm, &frames, class),
                _ => false,
            });
            match late || ready {
                true => static_field(vm, class, name).map(|f| f.0),
                false => None,
            }
        }
        SourceKind::Field => match (operand(0), member(vm, top)) {
            (Some(Value::Ref(r)), Some([_, name, _])) => {
                field(vm, r, &of.name, &name).ok().map(|f| f.0)
            }
            _ => None,
        },
        SourceKind::Element => match (operand(0), operand(1)) {
            (Some(Value::Int(i)), Some(Value::Ref(r))) => {
                let index = usize::try_from(i).ok();
                index.and_then(|i| element(vm, r, &of.name, i).ok().map(|e| e.0))
            }
            _ => None,
        },
        SourceKind::Call { ended, method } => Some(Question {
            variable: OriginVariable::Result {
                frame: frame_key(vm, t, top),
                begun: of.position,
                ended: *ended,
                name: method.clone(),
            },
            before: *ended,
            name: of.name.clone(),
            value: String::new(),
        }),
        _ => None,
    })
}

/// Whether one of the frames initializes the class.
fn initializes(vm: &Vm, frames: &[DebugFrame], class: &str) -> bool {
    frames.iter().any(|f| {
        let m = MethodView::new(vm, f.method);
        m.name() == "<clinit>" && m.class().name() == class
    })
}

// --- Sites ---

fn site(
    vm: &mut Vm,
    variable: &OriginVariable,
    source: SourceLine<'_>,
) -> Result<WriteSite, LookError> {
    let (t, frames) = running(vm)?;
    let limits = InspectLimits {
        depth: 0,
        ..InspectLimits::DEFAULT
    };
    let state = vm.inspect(&limits);
    let thread = state.threads.iter().find(|of| of.id == t);
    let thread = thread.ok_or(LookError::NothingRuns)?;
    let info = thread.frames.first().ok_or(LookError::NoFrames)?;
    let top = &frames[0];
    let calls = |insn: &Insn<'_>| (o::INVOKEVIRTUAL..=o::INVOKEDYNAMIC).contains(&insn.opcode);
    let caller = frames.get(1).map(|f| {
        let by_call = f.bci.is_some() && with_insn(vm, f, calls) == Some(true);
        (frame_key(vm, t, f), by_call)
    });
    Ok(WriteSite {
        position: vm.bytecodes(),
        thread: t.0,
        thread_name: thread.name.clone(),
        frame: frame_key(vm, t, top),
        file: info.file.clone(),
        line: info.line,
        index: info.bci,
        instruction: info.instruction.clone().unwrap_or_default(),
        place: info.place(),
        source: source(info).map(|s| s.1),
        library: MethodView::new(vm, top.method).class().is_library(),
        stack: thread.frames.iter().map(FrameInfo::place).collect(),
        frames: frames
            .iter()
            .map(|f| (frame_key(vm, t, f), f.bci))
            .collect(),
        caller,
        stores: stored(vm, t, top, variable),
    })
}

/// What the next bytecode of a frame stores in a variable.
fn stored(vm: &mut Vm, t: ThreadId, top: &DebugFrame, variable: &OriginVariable) -> Stored {
    let at = with_insn(vm, top, |insn| {
        let delta = match insn.operand {
            Operand::Iinc { local, delta } => Some((local, delta)),
            _ => None,
        };
        (insn.opcode, delta)
    });
    let Some((op, increment)) = at else {
        return Stored::Other;
    };
    match op {
        o::IINC => {
            let (slot, delta) = increment.unwrap_or_default();
            let local = local(vm, t, top, slot);
            Stored::Increment { local, delta }
        }
        o::ISTORE..=o::SASTORE
        | o::PUTFIELD
        | o::PUTSTATIC
        | o::IRETURN..=o::ARETURN
        | o::ATHROW => Stored::Top,
        o::NEW..=o::ANEWARRAY | o::MULTIANEWARRAY => {
            let code = vm.method(top.method).code().map(|c| c.kept());
            let made = code.and_then(|c| with_insn(vm, top, |i| dis::instruction(&c.cf, i)));
            Stored::Default(made.unwrap_or_default())
        }
        o::INVOKEVIRTUAL..=o::INVOKEINTERFACE => native(vm, top, variable),
        _ => Stored::Other,
    }
}

/// What the native does that a frame is about to call.
fn native(vm: &mut Vm, top: &DebugFrame, variable: &OriginVariable) -> Stored {
    let Some([class, name, descriptor]) = member(vm, top) else {
        return Stored::Other;
    };
    let operand = |n: usize| {
        let i = top.operands.len().checked_sub(n + 1)?;
        Some(top.operands[i].1)
    };
    let named = |vm: &Vm, r: Ref| {
        let slots = 0..top.locals.len();
        let mut same = slots.filter(|&i| top.locals[i].1 == Value::Ref(r));
        same.next().map_or_else(
            || ClassView::new(vm, vm.class_of(r)).name(),
            |i| local_name(vm, top, i as u16).0,
        )
    };
    let copied = match variable {
        OriginVariable::Element { index, .. } if descriptor == ARRAY_COPY => {
            let ints = (operand(1), operand(3), operand(4));
            match ints {
                (Some(Value::Int(to)), Some(Value::Int(from)), Some(Value::Ref(r))) => {
                    let i = *index as i64 - i64::from(to) + i64::from(from);
                    let i = usize::try_from(i).ok();
                    let of = r.non_null().map(|r| named(vm, r));
                    i.zip(of).and_then(|(i, of)| element(vm, r, &of, i).ok())
                }
                _ => None,
            }
        }
        OriginVariable::Element { index, .. } if (&*name, &*descriptor) == CLONE => {
            match operand(0) {
                Some(Value::Ref(r)) if !r.is_null() => {
                    let of = named(vm, r);
                    element(vm, r, &of, *index).ok()
                }
                _ => None,
            }
        }
        OriginVariable::Field {
            name: field_name, ..
        } if (&*name, &*descriptor) == CLONE => match operand(0) {
            Some(Value::Ref(r)) if !r.is_null() => {
                let of = named(vm, r);
                field(vm, r, &of, field_name).ok()
            }
            _ => None,
        },
        _ => None,
    };
    match copied {
        Some((question, _)) => Stored::Copied(question),
        None if stores_last_argument(&class, &name) => Stored::Top,
        None => Stored::Native(format!("{}.{name}", class.replace('/', "."))),
    }
}
