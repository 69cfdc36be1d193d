//! What a process of the program evaluates that runs code for it: expressions, elements of collections, values to write.

use super::errors::LookError;
use super::expressions::{self, Caller, Computed, ExpressionWorld, Held, Target, elements};
use super::looks::{Looked, Looks, MOST_SEEN};
use super::reading;
use super::seen::{Assignment, Evaluation, FrameAt, Seen, SeenValue};
use super::values;
use rjvm_vm::instruments::{ClassView, Typed};
use rjvm_vm::{ThreadId, Value, Vm};

/// Elements of a collection that are shown where it is named.
const ELEMENTS: usize = 8;

/// A part of a map: its name and value.
type NamedPart = (String, Held);

impl Looks {
    /// A world with the names of a frame, in which code may run.
    fn caller<'a>(&mut self, vm: &'a mut Vm, frame: Option<FrameAt>) -> Looked<Caller<'a>> {
        let thread = vm.stopped_thread().ok_or(LookError::NothingRuns)?;
        self.begun(vm);
        let (locals, class) = match frame {
            Some(at) => {
                let (info, frame) = self.frame(vm, at)?;
                let known = super::looks::locals(&info, &frame);
                let slot = |name: &str| {
                    info.locals
                        .iter()
                        .find(|l| l.label() == name)
                        .map(|l| l.slot)
                };
                let named = known.into_iter();
                let named =
                    named.filter_map(|(name, v)| Some((name.clone(), slot(&name)?, v.letter)));
                (named.collect(), Some(vm.method(info.id).class))
            }
            None => (Vec::new(), None),
        };
        let frame = frame.map(|at| (ThreadId(at.thread), at.frame));
        Ok(Caller::new(vm, thread, frame, locals, class))
    }
    /// The frame that runs next.
    fn top(&mut self, vm: &mut Vm) -> Option<FrameAt> {
        let state = self.begun(vm);
        let thread = state.threads.iter().find(|t| t.current)?;
        let frames = !thread.frames.is_empty();
        let thread = thread.id.0;
        frames.then_some(FrameAt { thread, frame: 0 })
    }
    /// Evaluates what calls methods: the process must be a copy that is used for nothing else.
    ///
    /// # Errors
    /// It has no value; why.
    pub fn evaluate(&mut self, vm: &mut Vm, evaluation: &Evaluation) -> Looked<Seen> {
        match evaluation {
            Evaluation::Value { frame, text } => {
                let text = text.trim();
                let expression = expressions::read(text)?;
                let mut caller = self.caller(vm, *frame)?;
                let value = expressions::evaluate(&mut caller, &expression)?;
                let shown = shown(&mut caller, &value);
                let typed = value.typed(&caller);
                caller.done();
                // objects have moved meanwhile
                *self = Looks::default();
                let name = text.to_owned();
                let seen = match typed {
                    Some(typed) => SeenValue {
                        text: shown,
                        ..self.seen(vm, name, typed, None)?
                    },
                    None => SeenValue {
                        name,
                        text: shown,
                        kind: ClassView::new(vm, vm.known().string).name(),
                        object: 0,
                        named: 0,
                        indexed: 0,
                        field: None,
                        collection: false,
                    },
                };
                Ok(Seen::Value(seen))
            }
            Evaluation::Elements {
                object,
                start,
                count,
            } => {
                let r = self.object(*object)?;
                let mut caller = self.caller(vm, None)?;
                let held = caller.hold(r);
                let found = elements(&mut caller, held, *start, (*count).min(MOST_SEEN))?;
                let parts = { found.shown.iter().enumerate() }.map(|(i, (key, value))| {
                    let name = match key {
                        Some(key) => part_text(&caller, *key),
                        None => format!("[{}]", start + i),
                    };
                    (name, *value)
                });
                let parts: Vec<NamedPart> = parts.collect();
                let parts: Vec<(String, Typed)> = { parts.into_iter() }
                    .map(|(name, held)| (name, object_of(&caller, held)))
                    .collect();
                caller.done();
                *self = Looks::default();
                let shown = parts
                    .into_iter()
                    .map(|(name, v)| self.seen(vm, name, v, None));
                Ok(Seen::Values(shown.collect::<Looked<_>>()?, found.number))
            }
        }
    }
    /// The value of an expression in a frame of the thread that runs next, as text.
    ///
    /// # Errors
    /// As from [`evaluate`](Self::evaluate).
    pub fn printed(&mut self, vm: &mut Vm, frame: usize, text: &str) -> Looked<String> {
        let expression = expressions::read(text)?;
        let frame = self.top(vm).map(|top| FrameAt { frame, ..top });
        let mut caller = self.caller(vm, frame)?;
        let value = expressions::evaluate(&mut caller, &expression)?;
        Ok(shown(&mut caller, &value))
    }
    /// Writes a value. Methods that its expressions call change the run, too.
    ///
    /// # Errors
    /// It cannot be written; why.
    pub fn assign(&mut self, vm: &mut Vm, assignment: &Assignment) -> Looked<()> {
        let target = expressions::read(&assignment.target)?;
        let value = expressions::read(&assignment.value)?;
        let frame = match assignment.frame {
            Some(at) => Some(at),
            None => self.top(vm),
        };
        let mut caller = self.caller(vm, frame)?;
        let target = Target::of(&mut caller, &target)?;
        let value = expressions::evaluate(&mut caller, &value)?;
        let done = target.write(&mut caller, value);
        caller.done();
        *self = Looks::default();
        Ok(done?)
    }
}

fn object_of(w: &dyn ExpressionWorld, held: Held) -> Typed {
    Typed {
        letter: b'L',
        value: Value::Ref(w.object(held)),
    }
}

fn part_text(w: &dyn ExpressionWorld, held: Held) -> String {
    reading::text(w.vm(), object_of(w, held))
}

/// A value in one line, as in Java's source.
fn shown(caller: &mut Caller<'_>, value: &Computed) -> String {
    if let Some(held) = expressions::is_collection_value(caller, value) {
        let name = reading::kind(caller.vm(), object_of(caller, held));
        // a collection whose methods fail is shown as an object
        if let Ok(found) = elements(caller, held, 0, ELEMENTS) {
            return found.text(caller, &name);
        }
        return name;
    }
    match value {
        Computed::Text(text, _) => reading::quoted(text),
        Computed::Void => "no value".into(),
        value => match value.typed(caller) {
            Some(typed) => reading::text(caller.vm(), typed),
            None => String::new(),
        },
    }
}

/// Whether an expression in the top frame of the thread that runs next is more than names, or a collection, whose elements its methods
/// report. A name that is not a local variable may be a field of `this`.
pub fn needs_calls(vm: &mut Vm, text: &str) -> bool {
    let Ok(parts) = values::parts(text) else {
        return true;
    };
    let found = Looks::default().found(vm, &parts);
    match found {
        Ok(value) => { value.object() }.is_some_and(|r| expressions::is_collection(vm, r)),
        // a local that has no such part has none in another process either
        Err(is_local) => !is_local,
    }
}
