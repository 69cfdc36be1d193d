//! What a client sees of a stopped program: stacks, scopes, variables, expressions, bytecodes, sources.

use super::super::seen::{
    Evaluation, FrameAt, Look, Seen, SeenCode, SeenFrame, SeenValue, ValueHolder,
};
use super::super::timeline::TravelError;
use super::super::values;
use super::super::wire::View;
use super::error::DapError;
use super::frames::DapRequest;
use super::link::thread_of;
use super::server::{Answer, DapServer};
use crate::sources::SourcePath;
use rjvm_profiler::export::Sources;
use serde_json::{Value, json};

/// Variables in an answer, where the client requests no number of them.
const MOST_VARIABLES: usize = 1000;
/// Instructions in an answer.
const MOST_INSTRUCTIONS: usize = 10_000;
/// Numbers of frames and variables; beyond it they begin again.
const MOST_NUMBERS: usize = 1 << 30;
/// Files whose text the client can request.
const MOST_FILES: usize = 100_000;
/// The frame of a program that has ended.
const END_FRAME: i64 = i32::MAX as i64;

/// The numbers by which the client knows files, and frames and variables until the program continues.
#[derive(Default)]
pub struct ViewNumbers {
    first: usize,
    numbered: Vec<Numbered>,
    files: Vec<String>,
}

/// Something that has a number.
#[derive(Clone)]
pub(super) enum Numbered {
    Frame(FrameAt),
    Holder(NumberedHolder),
    /// Where a frame is.
    Position(FrameAt),
}

/// What holds values.
#[derive(Clone)]
pub(super) struct NumberedHolder {
    pub of: ValueHolder,
    /// The expression that has it, if one does.
    pub name: Option<String>,
    /// The frame of the expression.
    pub frame: Option<FrameAt>,
    /// The process that has it: 0 is the present.
    pub in_copy: u32,
    /// A collection, which is shown by its elements.
    pub collection: bool,
}

impl NumberedHolder {
    fn of_frame(of: ValueHolder, at: FrameAt, name: Option<&str>) -> NumberedHolder {
        NumberedHolder {
            of,
            name: name.map(str::to_owned),
            frame: Some(at),
            in_copy: 0,
            collection: false,
        }
    }
}

impl ViewNumbers {
    fn add(&mut self, what: Numbered) -> usize {
        self.numbered.push(what);
        self.first + self.numbered.len()
    }
    pub(super) fn get(&self, number: Option<i64>) -> Option<&Numbered> {
        let at = usize::try_from(number?).ok()?.checked_sub(self.first + 1)?;
        self.numbered.get(at)
    }
    fn forget(&mut self) {
        self.first += self.numbered.len();
        self.numbered.clear();
        if self.first > MOST_NUMBERS {
            self.first = 0;
        }
    }
    fn known_file(&self, name: &str) -> Option<usize> {
        let at = self.files.iter().position(|f| f == name)?;
        Some(at + 1)
    }
    /// The number of another file, whose text the client can request then; 0: there are too many.
    fn file(&mut self, name: &str) -> usize {
        if self.files.len() >= MOST_FILES {
            return 0;
        }
        self.files.push(name.into());
        self.files.len()
    }
}

impl DapServer {
    /// The program continues: frames and variables change.
    pub(super) fn forget_numbers(&mut self) {
        self.numbers.forget();
        self.caught = None;
    }
    pub(super) fn look(&mut self, look: Look) -> Result<Seen, DapError> {
        self.look_in(0, look)
    }
    fn look_in(&mut self, in_copy: u32, look: Look) -> Result<Seen, DapError> {
        self.ready()?;
        let program = self.program.as_mut().ok_or(DapError::NO_PROGRAM)?;
        Ok(program.timeline.look_in(in_copy, look)?)
    }
    /// Evaluates something in a copy of a process; the client may cancel it.
    fn evaluate_apart(
        &mut self,
        request: &DapRequest,
        evaluation: Evaluation,
        in_copy: u32,
    ) -> Result<(Seen, u32), DapError> {
        self.ready()?;
        let program = self.program.as_mut().ok_or(DapError::NO_PROGRAM)?;
        self.link.borrow_mut().evaluates(Some(request.seq));
        // the client may have taken it back in the same breath
        let cancelled = self.link.borrow().is_cancelled();
        let done = match cancelled {
            true => Err(TravelError::Interrupted),
            false => program.timeline.evaluate(evaluation, in_copy),
        };
        self.link.borrow_mut().evaluates(None);
        done.map_err(|e| match e {
            TravelError::Interrupted => DapError::Unfit("cancelled"),
            e => e.into(),
        })
    }
    fn position(&self) -> Result<i64, DapError> {
        let program = self.program.as_ref().ok_or(DapError::NO_PROGRAM)?;
        Ok(program.timeline.position())
    }
    fn ended(&self) -> Option<i32> {
        let program = self.program.as_ref()?;
        program.timeline.end().map(|end| end.code)
    }
    /// Answers a request that only looks.
    pub(super) fn view(&mut self, request: &DapRequest) -> Answer {
        match &*request.command {
            "stackTrace" => self.stack(request),
            "scopes" => self.scopes(request),
            "variables" => self.variables(request),
            "dataBreakpointInfo" => self.data_info(request),
            "exceptionInfo" => self.exception_info(),
            "disassemble" => self.disassemble(request),
            "source" => self.source(request),
            "loadedSources" => self.loaded_sources(),
            "completions" => self.completions(request),
            "stepInTargets" => self.step_in_targets(request),
            "setVariable" => self.set_variable(request),
            "setExpression" => self.set_expression(request),
            "rjvm/position" => {
                self.ready()?;
                Ok(json!({"position": self.position()?}))
            }
            other => Err(DapError::NoRequest(other.into())),
        }
    }
    fn stack(&mut self, request: &DapRequest) -> Answer {
        if let Some(code) = self.ended() {
            let name = format!("the program has ended with exit code {code}");
            let frame = json!({
                "id": END_FRAME, "name": name, "line": 0, "column": 0, "presentationHint": "label",
            });
            return Ok(json!({"stackFrames": [frame], "totalFrames": 1}));
        }
        let thread =
            thread_of(request).ok_or_else(|| DapError::expected("threadId", "a number"))?;
        let start = request.count("startFrame").unwrap_or(0);
        let count = request.count("levels").filter(|&n| n > 0);
        let count = count.unwrap_or(usize::MAX);
        let look = Look::Frames {
            thread,
            start,
            count,
        };
        let Seen::Frames(frames, total) = self.look(look)? else {
            return Err(DapError::UNEXPECTED);
        };
        let shown: Vec<Value> = { frames.iter().enumerate() }
            .map(|(i, f)| {
                let frame = start + i;
                self.frame(FrameAt { thread, frame }, f)
            })
            .collect();
        Ok(json!({"stackFrames": shown, "totalFrames": total}))
    }
    fn frame(&mut self, at: FrameAt, f: &SeenFrame) -> Value {
        let id = self.numbers.add(Numbered::Frame(at));
        let mut shown = json!({"id": id, "name": f.name, "line": 0, "column": 0});
        if let Some(bci) = f.bci {
            let address = (u64::from(f.method) << 16) + u64::from(bci);
            shown["instructionPointerReference"] = format!("{address:#x}").into();
        }
        if f.library {
            shown["presentationHint"] = "subtle".into();
        }
        let source = f.file.as_deref().and_then(|file| self.source_of(file));
        if let Some((mut source, line)) = source.zip(f.line) {
            if f.library {
                source["presentationHint"] = "deemphasize".into();
            }
            shown["source"] = source;
            shown["line"] = (i64::from(line) - 1 + self.first_line).into();
            shown["column"] = self.first_column.into();
        }
        shown
    }
    /// A source file as the protocol has it: its path, or a number if it is in an archive.
    pub(super) fn source_of(&mut self, file: &str) -> Option<Value> {
        let sources: &SourcePath = &self.program.as_ref()?.sources;
        let name = file.rsplit('/').next().unwrap_or(file);
        if let Some(number) = self.numbers.known_file(file) {
            return Some(json!({"name": name, "path": file, "sourceReference": number}));
        }
        if let Some(path) = sources.path(file) {
            return Some(json!({"name": name, "path": path.to_string_lossy()}));
        }
        sources.has(file).then(|| {
            let number = self.numbers.file(file);
            json!({"name": name, "path": file, "sourceReference": number})
        })
    }
    fn source(&mut self, request: &DapRequest) -> Answer {
        let inner = request.arguments.get("source");
        let inner = inner.and_then(|s| s.get("sourceReference")?.as_i64());
        let number = inner
            .filter(|n| *n > 0)
            .or_else(|| request.number("sourceReference"));
        let at = number.and_then(|n| usize::try_from(n).ok()?.checked_sub(1));
        let file = at.and_then(|at| self.numbers.files.get(at));
        let file = file.ok_or(DapError::Unfit("there is no such source"))?;
        let sources = &self.program.as_ref().ok_or(DapError::NO_PROGRAM)?.sources;
        let text = sources.text(file);
        let text = text.ok_or_else(|| DapError::NoSource(file.clone()))?;
        Ok(json!({"content": text, "mimeType": "text/x-java"}))
    }
    pub(super) fn known_frame(&self, number: Option<i64>) -> Result<FrameAt, DapError> {
        match self.numbers.get(number) {
            Some(Numbered::Frame(at)) => Ok(*at),
            _ => Err(DapError::Unfit("the frame no longer exists")),
        }
    }
    fn scopes(&mut self, request: &DapRequest) -> Answer {
        if request.number("frameId") == Some(END_FRAME) {
            return Ok(json!({"scopes": []}));
        }
        let at = self.known_frame(request.number("frameId"))?;
        let mut scopes = Vec::new();
        let holder = |of, name| Numbered::Holder(NumberedHolder::of_frame(of, at, name));
        for (name, hint, what) in [
            (
                "Locals",
                Some("locals"),
                holder(ValueHolder::Locals(at), Some("")),
            ),
            (
                "Operands",
                Some("registers"),
                holder(ValueHolder::Operands(at), None),
            ),
            (
                "Static fields",
                None,
                holder(ValueHolder::Statics(at), None),
            ),
            ("Position", None, Numbered::Position(at)),
        ] {
            let number = self.numbers.add(what);
            let mut scope = json!({"name": name, "variablesReference": number, "expensive": false});
            if let Some(hint) = hint {
                scope["presentationHint"] = hint.into();
            }
            scopes.push(scope);
        }
        Ok(json!({ "scopes": scopes }))
    }
    fn variables(&mut self, request: &DapRequest) -> Answer {
        let known = self.numbers.get(request.number("variablesReference"));
        let known = known
            .ok_or(DapError::Unfit("the variables no longer exist"))?
            .clone();
        let holder = match known {
            Numbered::Holder(holder) => holder,
            Numbered::Position(at) => return self.position_variables(at),
            Numbered::Frame(_) => return Err(DapError::Unfit("a frame has scopes, not variables")),
        };
        let start = request.count("start").unwrap_or(0);
        let given = request.count("count").filter(|&n| n > 0);
        let count = given.unwrap_or(MOST_VARIABLES);
        let (of, name) = (holder.of, &holder.name);
        let elements = match of {
            ValueHolder::Object(object) if holder.collection => Some(Evaluation::Elements {
                object,
                start,
                count,
            }),
            _ => None,
        };
        let (seen, in_copy) = match elements {
            Some(elements) if request.text("filter") != Some("named") => {
                self.evaluate_apart(request, elements, holder.in_copy)?
            }
            _ => (
                self.look_in(holder.in_copy, Look::Values { of, start, count })?,
                holder.in_copy,
            ),
        };
        let Seen::Values(values, total) = seen else {
            return Err(DapError::UNEXPECTED);
        };
        let indexed = holder.collection || values.first().is_some_and(|v| v.name.starts_with('['));
        match request.text("filter") {
            Some("named") if indexed => return Ok(json!({"variables": []})),
            Some("indexed") if !indexed => return Ok(json!({"variables": []})),
            _ => {}
        }
        let mut shown: Vec<Value> = { values.iter() }
            .map(|v| {
                let expression = name.as_ref().and_then(|parent| match &*v.name {
                    part if parent.is_empty() => (!part.contains(' ')).then(|| part.to_owned()),
                    part if part.starts_with('[') => Some(format!("{parent}{part}")),
                    part => Some(format!("{parent}.{part}")),
                });
                let expression = expression.or_else(|| v.field.clone().filter(|_| name.is_none()));
                // what a collection's method returned has no name in the program
                let expression = expression.filter(|_| !holder.collection && in_copy == 0);
                self.variable(v, expression, "value", (holder.frame, in_copy))
            })
            .collect();
        if holder.collection && start == 0 {
            let plain = NumberedHolder {
                collection: false,
                ..holder.clone()
            };
            let number = self.numbers.add(Numbered::Holder(plain));
            shown.push(json!({
                "name": "fields", "value": "", "variablesReference": number,
                "presentationHint": {"kind": "virtual"},
            }));
        }
        let left = total.saturating_sub(start + values.len());
        if given.is_none() && left > 0 {
            let text = format!("{left} more");
            shown.push(json!({"name": "...", "value": text, "variablesReference": 0}));
        }
        Ok(json!({ "variables": shown }))
    }
    /// A value as the protocol has it, under this name.
    pub(super) fn variable(
        &mut self,
        v: &SeenValue,
        expression: Option<String>,
        text: &str,
        (frame, in_copy): (Option<FrameAt>, u32),
    ) -> Value {
        let mut shown = json!({ "variablesReference": 0 });
        shown[text] = v.text.as_str().into();
        if text == "value" {
            shown["name"] = v.name.as_str().into();
            if let Some(expression) = &expression {
                shown["evaluateName"] = expression.as_str().into();
            }
        }
        if !v.kind.is_empty() {
            shown["type"] = v.kind.as_str().into();
        }
        if v.object > 0 {
            let holder = Numbered::Holder(NumberedHolder {
                of: ValueHolder::Object(v.object),
                name: expression,
                frame,
                in_copy,
                collection: v.collection,
            });
            shown["variablesReference"] = self.numbers.add(holder).into();
            // how many elements a collection has is known when it is asked for them
            let counts = if v.collection {
                (0, 0)
            } else {
                (v.named, v.indexed)
            };
            for (name, n) in [("namedVariables", counts.0), ("indexedVariables", counts.1)] {
                if n > 0 {
                    shown[name] = n.into();
                }
            }
        }
        shown
    }
    fn position_variables(&mut self, at: FrameAt) -> Answer {
        let look = Look::Frames {
            thread: at.thread,
            start: at.frame,
            count: 1,
        };
        let Seen::Frames(frames, _) = self.look(look)? else {
            return Err(DapError::UNEXPECTED);
        };
        let bytecode = frames
            .into_iter()
            .next()
            .map_or(String::new(), |f| f.bytecode);
        let variable = |name: &str, value: String| json!({"name": name, "value": value, "variablesReference": 0});
        let shown = [
            variable("position", self.position()?.to_string()),
            variable("bytecode", bytecode),
        ];
        Ok(json!({ "variables": shown }))
    }
    /// The value of an expression; in the console, also what a few words of the terminal show.
    pub(super) fn evaluated(&mut self, request: &DapRequest, text: &str, console: bool) -> Answer {
        self.ready()?;
        let plain = |text: String| Ok(json!({"result": text, "variablesReference": 0}));
        if text == "$position" {
            return plain(self.position()?.to_string());
        }
        let view = match text {
            "where" | "bt" => Some(View::Frames),
            "info locals" => Some(View::Locals(0)),
            "info threads" => Some(View::Threads),
            "list" => Some(View::List(0)),
            "state" => Some(View::State),
            _ => None,
        };
        let program = self.program.as_mut().ok_or(DapError::NO_PROGRAM)?;
        if let Some(view) = view.filter(|_| console) {
            let text = program.timeline.view(view)?;
            return plain(text.trim_end().into());
        }
        let frame = match request.number("frameId") {
            Some(END_FRAME) => return Err(DapError::Unfit("the program has ended")),
            Some(number) => Some(self.known_frame(Some(number))?),
            None => program.current.map(|thread| FrameAt { thread, frame: 0 }),
        };
        let text = text.to_owned();
        let look = Look::Value {
            frame,
            text: text.clone(),
        };
        let names = values::parts(&text).ok().map(|_| self.look(look));
        let (seen, in_copy) = match names {
            Some(Ok(seen)) => (seen, 0),
            // a name may also be of a field, and all else may call methods
            _ => {
                let text = text.clone();
                self.evaluate_apart(request, Evaluation::Value { frame, text }, 0)?
            }
        };
        let Seen::Value(value) = seen else {
            return Err(DapError::UNEXPECTED);
        };
        let expression = Some(text).filter(|_| in_copy == 0);
        Ok(self.variable(&value, expression, "result", (frame, in_copy)))
    }
    fn data_info(&mut self, request: &DapRequest) -> Answer {
        let name = request.expect_text("name")?;
        let value = match request.number("variablesReference").filter(|n| *n > 0) {
            Some(number) => {
                let Some(Numbered::Holder(holder)) = self.numbers.get(Some(number)) else {
                    return Err(DapError::Unfit("the variables no longer exist"));
                };
                let (of, start, in_copy) = (holder.of, 0, holder.in_copy);
                let count = usize::MAX;
                match self.look_in(in_copy, Look::Values { of, start, count })? {
                    Seen::Values(all, _) => all.into_iter().find(|v| v.name == name),
                    _ => None,
                }
            }
            None => {
                let frame = match request.number("frameId") {
                    Some(number) => Some(self.known_frame(Some(number))?),
                    None => None,
                };
                let text = name.into();
                match self.look(Look::Value { frame, text }) {
                    Ok(Seen::Value(value)) => Some(value),
                    _ => None,
                }
            }
        };
        let Some(field) = value.and_then(|v| v.field) else {
            let why = format!("{name}: only writes to fields can be watched");
            return Ok(json!({"dataId": null, "description": why}));
        };
        Ok(json!({
            "dataId": field,
            "description": format!("{field}, of any object"),
            "accessTypes": ["write"],
            "canPersist": true,
        }))
    }
    fn exception_info(&mut self) -> Answer {
        let mode = match self.caught {
            Some(true) => "always",
            Some(false) => "unhandled",
            None => {
                return Err(DapError::Unfit(
                    "the program has not stopped for an exception",
                ));
            }
        };
        let Seen::Thrown(Some(thrown)) = self.look(Look::Thrown)? else {
            return Err(DapError::Unfit("the exception is not known"));
        };
        let short = thrown.class.rsplit('.').next().unwrap_or_default();
        let mut details = json!({"typeName": short, "fullTypeName": thrown.class});
        let mut info = json!({"exceptionId": thrown.class, "breakMode": mode});
        if let Some(message) = thrown.message {
            details["message"] = message.as_str().into();
            info["description"] = message.into();
        }
        info["details"] = details;
        Ok(info)
    }
    fn disassemble(&mut self, request: &DapRequest) -> Answer {
        let reference = request.text("memoryReference").unwrap_or_default();
        let address = reference.strip_prefix("0x");
        let address = address.and_then(|a| i64::from_str_radix(a, 16).ok());
        let address = address.ok_or_else(|| DapError::expected("memoryReference", "an address"))?;
        let address = address.saturating_add(request.number("offset").unwrap_or(0));
        let count = request.count("instructionCount");
        let count = count.ok_or_else(|| DapError::expected("instructionCount", "a number"))?;
        if count > MOST_INSTRUCTIONS {
            return Err(DapError::TooMany(
                MOST_INSTRUCTIONS,
                "instructions are shown at a time",
            ));
        }
        let method =
            u32::try_from(address >> 16).map_err(|_| DapError::Unfit("there is no such method"))?;
        let Seen::Code(code) = self.look(Look::Code { method })? else {
            return Err(DapError::UNEXPECTED);
        };
        let at = code.partition_point(|c| i64::from(c.bci) < (address & 0xffff));
        let first = request.number("instructionOffset").unwrap_or(0);
        let first = first.saturating_add(at as i64);
        let base = i64::from(method) << 16;
        let all = (0..count as i64).map(|i| self.instruction(&code, base, first.saturating_add(i)));
        let all: Vec<Value> = all.collect();
        Ok(json!({ "instructions": all }))
    }
    fn instruction(&self, code: &[SeenCode], base: i64, i: i64) -> Value {
        let known = usize::try_from(i).ok().and_then(|i| code.get(i));
        let Some(c) = known else {
            // before or after the method
            let end = code
                .last()
                .map_or(0, |c| i64::from(c.bci) + c.bytes.len() as i64);
            let at = if i < 0 {
                i
            } else {
                end.saturating_add(i - code.len() as i64)
            };
            let address = base.saturating_add(at).max(0);
            return json!({
                "address": format!("{address:#x}"), "instruction": "", "presentationHint": "invalid",
            });
        };
        let bytes: Vec<String> = c.bytes.iter().map(|b| format!("{b:02x}")).collect();
        let mut shown = json!({
            "address": format!("{:#x}", base + i64::from(c.bci)),
            "instruction": format!("{}: {}", c.bci, c.text),
            "instructionBytes": bytes.join(" "),
        });
        if let Some(line) = c.line {
            shown["line"] = (i64::from(line) - 1 + self.first_line).into();
        }
        shown
    }
}
