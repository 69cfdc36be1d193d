//! What a process of the program shows of itself as data: threads, frames, values, bytecodes. Objects have numbers until it goes on.

use super::errors::LookError;
use super::query::is_of_source;
use super::reading::{self, FieldPlace};
use super::seen::{
    FrameAt, Look, Seen, SeenCode, SeenFrame, SeenThread, SeenThrown, SeenValue, ValueHolder,
};
use super::values::{self, Part};
use super::{expressions, words};
use hashbrown::HashMap;
use rjvm_classfile::{dis, opcodes};
use rjvm_vm::debug::DebugFrame;
use rjvm_vm::inspect::{FrameInfo, InspectLimits, InspectedValue, ObjectContents, VmState};
use rjvm_vm::instruments::{ClassView, MethodView, Typed};
use rjvm_vm::{ClassId, MethodId, Ref, ThreadId, Value, Vm};
use std::collections::BTreeSet;

/// Objects that have numbers at a time.
const MOST_OBJECTS: usize = 1 << 20;
/// Frames or values in one answer.
pub const MOST_SEEN: usize = 10_000;

/// The parts that were looked at since the program stopped.
#[derive(Default)]
pub struct Looks {
    pub(super) state: Option<VmState>,
    frames: HashMap<u32, Vec<DebugFrame>>,
    objects: Vec<Ref>,
    numbers: HashMap<Ref, u32>,
}

pub(super) type Looked<T> = Result<T, LookError>;

impl Looks {
    /// Shows a part of the program.
    ///
    /// # Errors
    /// There is no such part; why.
    pub fn look(&mut self, vm: &mut Vm, look: &Look) -> Looked<Seen> {
        let state = self.begun(vm);
        match look {
            Look::Threads => {
                let threads = state.threads.iter().map(|t| SeenThread {
                    id: t.id.0,
                    name: t.name.clone(),
                    current: t.current,
                });
                Ok(Seen::Threads(threads.collect()))
            }
            Look::Frames {
                thread,
                start,
                count,
            } => {
                let t = state.threads.iter().find(|t| t.id.0 == *thread);
                let t = t.ok_or(LookError::NoThread(*thread))?;
                let count = (*count).min(MOST_SEEN);
                let shown = t.frames.iter().skip(*start).take(count);
                let shown = shown.map(|f| seen_frame(vm, f)).collect();
                Ok(Seen::Frames(shown, t.frames.len()))
            }
            Look::Values { of, start, count } => self.values(vm, *of, *start, *count),
            Look::Value { frame, text } => self.value(vm, *frame, text).map(Seen::Value),
            Look::Lines(path) => Ok(Seen::Lines(lines(vm, path))),
            Look::Code { method } => code(vm, *method).map(Seen::Code),
            Look::Thrown => Ok(Seen::Thrown(thrown(vm))),
            Look::Words { frame, of, word } => self.words(vm, *frame, of, word).map(Seen::Words),
            Look::Files => Ok(Seen::Files(words::files(vm))),
            Look::Calls(at) => {
                let (info, _) = self.frame(vm, *at)?;
                Ok(Seen::Calls(words::calls(vm, &info)))
            }
        }
    }
    /// The state of the program.
    pub(super) fn begun(&mut self, vm: &mut Vm) -> &VmState {
        // it also ends a collection that is half-way, so that objects stay where they are from here on
        self.state.get_or_insert_with(|| {
            vm.inspect(&InspectLimits {
                frames: usize::MAX,
                elements: 0,
                fields: 0,
                depth: 0,
                objects: 0,
                ..InspectLimits::DEFAULT
            })
        })
    }
    /// The value to which names lead in the top frame of the thread that runs next; whether the first one is a local there if they
    /// lead to none.
    pub(super) fn found(&mut self, vm: &mut Vm, parts: &[Part]) -> Result<Typed, bool> {
        let state = self.begun(vm);
        let thread = state.threads.iter().find(|t| t.current).map(|t| t.id.0);
        let at = thread.map(|thread| FrameAt { thread, frame: 0 });
        let known = at.and_then(|at| self.frame(vm, at).ok());
        let known = known.map_or_else(Vec::new, |(info, frame)| locals(&info, &frame));
        let local = |name: &str| known.iter().find(|l| l.0 == name).map(|l| l.1);
        let is_local = matches!(parts.first(), Some(Part::Field(name)) if local(name).is_some());
        reading::path(vm, parts, local).map_err(|_| is_local)
    }
    pub(super) fn frame(&mut self, vm: &mut Vm, at: FrameAt) -> Looked<(FrameInfo, DebugFrame)> {
        let none = LookError::NoFrame;
        let state = self.state.as_ref().ok_or(none.clone())?;
        let thread = state.threads.iter().find(|t| t.id.0 == at.thread);
        let info = thread.and_then(|t| t.frames.get(at.frame));
        let info = info.ok_or(none.clone())?.clone();
        let of = |vm: &mut Vm| vm.debug_frames(ThreadId(at.thread));
        let frames = self.frames.entry(at.thread).or_insert_with(|| of(vm));
        Ok((info, frames.get(at.frame).ok_or(none)?.clone()))
    }
    fn values(&mut self, vm: &mut Vm, of: ValueHolder, start: usize, count: usize) -> Looked<Seen> {
        let range = |n: usize| start.min(n)..start.saturating_add(count.min(MOST_SEEN)).min(n);
        match of {
            ValueHolder::Locals(at) => {
                let (info, frame) = self.frame(vm, at)?;
                let all = locals(&info, &frame);
                let shown = all[range(all.len())].to_vec();
                let shown = shown
                    .into_iter()
                    .map(|(name, v)| self.seen(vm, name, v, None));
                Ok(Seen::Values(shown.collect::<Looked<_>>()?, all.len()))
            }
            ValueHolder::Operands(at) => {
                let (info, _) = self.frame(vm, at)?;
                let Some(state) = &self.state else {
                    return Err(LookError::NoState);
                };
                let shown = range(info.stack.len()).map(|i| SeenValue {
                    name: i.to_string(),
                    text: state.value_text(info.stack[i], 0),
                    kind: String::new(),
                    object: 0,
                    named: 0,
                    indexed: 0,
                    field: None,
                    collection: false,
                });
                Ok(Seen::Values(shown.collect(), info.stack.len()))
            }
            ValueHolder::Statics(at) => {
                let (info, _) = self.frame(vm, at)?;
                let class = vm.method(info.id).class;
                let all = reading::fields(vm, class, true);
                let shown = self.fields(vm, Ref::NULL, &all[range(all.len())])?;
                Ok(Seen::Values(shown, all.len()))
            }
            ValueHolder::Object(number) => {
                let r = self.object(number)?;
                if let Some(length) = reading::length(vm, r) {
                    let shown = range(length).filter_map(|i| {
                        let value = reading::element(vm, r, i)?;
                        Some((format!("[{i}]"), value))
                    });
                    let shown: Vec<(String, Typed)> = shown.collect();
                    let shown = shown
                        .into_iter()
                        .map(|(name, v)| self.seen(vm, name, v, None));
                    return Ok(Seen::Values(shown.collect::<Looked<_>>()?, length));
                }
                let all = reading::fields(vm, vm.class_of(r), false);
                let shown = self.fields(vm, r, &all[range(all.len())])?;
                Ok(Seen::Values(shown, all.len()))
            }
        }
    }
    fn fields(&mut self, vm: &Vm, object: Ref, which: &[FieldPlace]) -> Looked<Vec<SeenValue>> {
        let all = which.iter().map(|&at| {
            let (name, descriptor) = reading::field_type(vm, at);
            let value = reading::field(vm, object, at);
            let field = field_name(vm, at);
            let mut seen = self.seen(vm, name, value, Some(field))?;
            if seen.kind.is_empty() {
                seen.kind = reading::type_name(&descriptor);
            }
            Ok(seen)
        });
        all.collect()
    }
    pub(super) fn seen(
        &mut self,
        vm: &Vm,
        name: String,
        value: Typed,
        field: Option<String>,
    ) -> Looked<SeenValue> {
        let mut seen = SeenValue {
            name,
            text: reading::text(vm, value),
            kind: reading::kind(vm, value),
            object: 0,
            named: 0,
            indexed: 0,
            field,
            collection: false,
        };
        if let Some(r) = value.object().filter(|&r| !reading::is_plain(vm, r)) {
            match reading::length(vm, r) {
                Some(length) => seen.indexed = length,
                None => seen.named = reading::fields(vm, vm.class_of(r), false).len(),
            }
            seen.collection = expressions::is_collection(vm, r);
            if seen.named + seen.indexed > 0 || seen.collection {
                seen.object = self.number(r)?;
            }
        }
        Ok(seen)
    }
    /// An object by its number.
    pub(super) fn object(&self, number: u32) -> Looked<Ref> {
        let known = self.objects.get((number as usize).wrapping_sub(1));
        known.copied().ok_or(LookError::Gone)
    }
    fn number(&mut self, r: Ref) -> Looked<u32> {
        if let Some(&known) = self.numbers.get(&r) {
            return Ok(known);
        }
        if self.objects.len() >= MOST_OBJECTS {
            return Err(LookError::TooMany(MOST_OBJECTS));
        }
        self.objects.push(r);
        let number = self.objects.len() as u32;
        self.numbers.insert(r, number);
        Ok(number)
    }
    fn value(&mut self, vm: &mut Vm, frame: Option<FrameAt>, text: &str) -> Looked<SeenValue> {
        let known = match frame {
            Some(at) => {
                let (info, frame) = self.frame(vm, at)?;
                locals(&info, &frame)
            }
            None => Vec::new(),
        };
        let local = |name: &str| known.iter().find(|l| l.0 == name).map(|l| l.1);
        let trimmed = text.trim();
        let parts = values::parts(trimmed)?;
        let (value, field) = reading::path_and_field(vm, &parts, local)?;
        let field = field.map(|at| field_name(vm, at));
        self.seen(vm, trimmed.into(), value, field)
    }
}

/// `Class.field`
fn field_name(vm: &Vm, at: FieldPlace) -> String {
    let (name, _) = reading::field_type(vm, at);
    format!("{}.{name}", ClassView::new(vm, at.0).name())
}

/// The locals that have a value, by name.
pub(super) fn locals(info: &FrameInfo, frame: &DebugFrame) -> Vec<(String, Typed)> {
    let set = { info.locals.iter() }.filter(|l| l.value != InspectedValue::Unset);
    let all = set.filter_map(|l| {
        let typed = |letter: u8, value: Value| Typed { letter, value };
        let value = match l.value {
            InspectedValue::Boolean(v) => typed(b'Z', v.into()),
            InspectedValue::Byte(v) => typed(b'B', i32::from(v).into()),
            InspectedValue::Char(v) => typed(b'C', i32::from(v).into()),
            InspectedValue::Short(v) => typed(b'S', i32::from(v).into()),
            InspectedValue::Int(v) => typed(b'I', v.into()),
            InspectedValue::Long(v) => typed(b'J', v.into()),
            InspectedValue::Float(v) => typed(b'F', Value::Float(v)),
            InspectedValue::Double(v) => typed(b'D', Value::Double(v)),
            InspectedValue::Null => typed(b'L', Value::Ref(Ref::NULL)),
            InspectedValue::Object(_) => {
                let (_, value) = frame.locals.get(usize::from(l.slot))?;
                typed(b'L', *value)
            }
            InspectedValue::Unset | InspectedValue::ReturnAddress(_) => return None,
        };
        Some((l.label(), value))
    });
    all.collect()
}

fn seen_frame(vm: &Vm, f: &FrameInfo) -> SeenFrame {
    let package =
        { f.class.rsplit_once('.') }.map_or(String::new(), |p| p.0.replace('.', "/") + "/");
    SeenFrame {
        method: f.id.0,
        name: format!("{}.{}", f.class, f.method),
        file: f.file.as_ref().map(|file| format!("{package}{file}")),
        line: f.line,
        bci: f.bci,
        bytecode: f.bytecode(),
        library: MethodView::new(vm, f.id).class().is_library(),
    }
}

/// The lines that have code in loaded classes of a source file.
fn lines(vm: &Vm, path: &str) -> Vec<u16> {
    let mut lines: BTreeSet<u16> = BTreeSet::new();
    for class in vm.debug_classes() {
        for &m in &vm.class(class).methods {
            let view = MethodView::new(vm, m);
            if view.source_file().is_none_or(|file| !path.ends_with(file)) {
                continue;
            }
            if is_of_source(&view, path)
                && let Some(code) = vm.method(m).code()
            {
                lines.extend(code.attr().line_numbers.iter().map(|row| row.1));
            }
        }
    }
    lines.into_iter().collect()
}

fn code(vm: &Vm, method: u32) -> Looked<Vec<SeenCode>> {
    let classes = vm.debug_classes();
    let is = |&c: &ClassId| vm.class(c).methods.contains(&MethodId(method));
    let known = classes.into_iter().any(|c| is(&c));
    let code = known.then(|| vm.method(MethodId(method)).code());
    let code = code.flatten().ok_or(LookError::NoMethod)?;
    let bytes = code.bytes();
    let insns = opcodes::insns(bytes).flatten().map(|insn| SeenCode {
        bci: insn.pc as u16,
        text: dis::instruction(code.cf, &insn),
        line: code.attr().line_of(insn.pc as u16),
        bytes: bytes[insn.pc..(insn.pc + insn.len).min(bytes.len())].to_vec(),
    });
    Ok(insns.collect())
}

/// The exception of the top frame: its last operand, or `this` in the constructor of one that the VM throws.
fn thrown(vm: &mut Vm) -> Option<SeenThrown> {
    let state = vm.inspect(&InspectLimits {
        frames: 1,
        depth: 2,
        fields: 64,
        ..InspectLimits::DEFAULT
    });
    let top = state.threads.iter().find(|t| t.current)?.frames.first()?;
    let this = { top.locals.iter() }.find(|l| l.name.as_deref() == Some("this"));
    let value = match top.method.as_str() {
        "<init>" if top.stack.is_empty() => this.map(|l| l.value),
        _ => top.stack.last().copied(),
    };
    let Some(InspectedValue::Object(n)) = value else {
        return None;
    };
    let object = state.objects.get(n.checked_sub(1)?)?;
    let ObjectContents::Fields(fields, _) = &object.contents else {
        return None;
    };
    // of the fields that all exceptions have, one is a string
    let known = vm.known();
    let string = format!("L{};", vm.class(known.string).name);
    let mut own = reading::fields(vm, known.throwable, false)
        .into_iter()
        .map(|at| reading::field_type(vm, at));
    let (name, _) = own.find(|(_, descriptor)| *descriptor == string)?;
    // one of that name in a subclass comes before it
    let message = fields.iter().rfind(|f| f.0 == name)?;
    let message = match message.1 {
        InspectedValue::Object(n) => match &state.objects.get(n.checked_sub(1)?)?.contents {
            ObjectContents::Text(text, _) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    };
    Some(SeenThrown {
        class: object.class.clone(),
        message,
    })
}
