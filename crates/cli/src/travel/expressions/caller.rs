//! Runs the calls of an expression in a process that was copied for it, or whose run is to be another one from here on.
//!
//! The thread that runs next makes the call before it goes on, as for a debugger over JDWP: it holds its monitors, and other threads run
//! only if it has to wait.

use super::store::store;
use super::{CallingWorld, Computed, ExpressionError, ExpressionWorld, Held};
use crate::travel::expression_error::UnfinishedCall;
use crate::travel::reading::type_name;
use rjvm_vm::debug::{CallEnded, CallRequest, DebugFrame, Debugger, StepAction, StepAt};
use rjvm_vm::instruments::{ClassView, Typed};
use rjvm_vm::interp::Outcome;
use rjvm_vm::jdk::calls as rows;
use rjvm_vm::{ClassId, LoaderId, Ref, ThreadId, Value, Vm};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytecodes of all calls of an expression.
pub const MOST_EVALUATED: i64 = 500_000_000;

/// A stopped VM in which code may run.
pub struct Caller<'a> {
    vm: &'a mut Vm,
    /// The thread that makes calls.
    thread: ThreadId,
    /// The frame whose names are meant: the thread, and how many frames are above it.
    frame: Option<(ThreadId, usize)>,
    /// Names and places of the frame's locals: slot and letter of the type; values are read anew after each call.
    locals: Vec<(String, u16, u8)>,
    class: Option<ClassId>,
    ended: Arc<Mutex<Option<CallEnded>>>,
    /// Bytecodes at which evaluation ends.
    until: i64,
}

/// Stops the VM when a call has ended.
struct EndOfCall(Arc<Mutex<Option<CallEnded>>>);

impl Debugger for EndOfCall {
    fn stopped(&mut self, vm: &mut Vm) {
        if let Some(ended) = vm.calls_ended().pop() {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
            vm.set_fuel(Some(0));
        }
    }
    fn step(&mut self, _: &mut Vm, _: StepAt) -> StepAction {
        StepAction::Leave
    }
}

impl<'a> Caller<'a> {
    /// A world with the names of a frame.
    pub fn new(
        vm: &'a mut Vm,
        thread: ThreadId,
        frame: Option<(ThreadId, usize)>,
        locals: Vec<(String, u16, u8)>,
        class: Option<ClassId>,
    ) -> Caller<'a> {
        let ended = Arc::new(Mutex::new(None));
        vm.set_debugger(Some(Box::new(EndOfCall(ended.clone()))));
        let until = vm.bytecodes() + MOST_EVALUATED;
        Caller {
            vm,
            thread,
            frame,
            locals,
            class,
            ended,
            until,
        }
    }
    /// Nothing more is called.
    pub fn done(self) {
        self.vm.set_debugger(None);
    }
    fn run(&mut self) -> Result<CallEnded, ExpressionError> {
        let left = self.until - self.vm.bytecodes();
        self.vm.set_fuel(Some(left.max(1)));
        loop {
            let outcome = self.vm.resume();
            if let Some(ended) = self
                .ended
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take()
            {
                return Ok(ended);
            }
            return Err(ExpressionError::Unfinished(match outcome {
                Outcome::Idle | Outcome::Halted(_) if self.vm.bytecodes() < self.until => continue,
                Outcome::OutOfFuel | Outcome::Idle | Outcome::Halted(_) => {
                    UnfinishedCall::TooLong(MOST_EVALUATED)
                }
                Outcome::Exit(code) => UnfinishedCall::Exit(code),
                Outcome::Deadlock(_) => UnfinishedCall::Deadlock,
                Outcome::Fault(fault) => UnfinishedCall::Fault(fault.to_string()),
                Outcome::AllDone | Outcome::Returned(_) => UnfinishedCall::Ended,
            }));
        }
    }
    /// The class of an internal name, from its loader.
    fn for_name(
        &mut self,
        loader: LoaderId,
        name: &str,
        initialize: bool,
    ) -> Result<Typed, ExpressionError> {
        let row = rows::class::FOR_NAME;
        let class = self.vm.known().class;
        let method = self.vm.env().jdk_method(class, row);
        let text = self.vm.debug_string(&name.replace('/', "."));
        let text = text.ok_or(ExpressionError::NoRoom("a string"))?;
        let loader = self.vm.loader_object(loader);
        self.call(CallRequest {
            number: 0,
            method,
            initializes: None,
            makes: None,
            arguments: vec![Value::Ref(text), initialize.into(), Value::Ref(loader)],
        })
    }
    /// An exception in words: what its `toString` returns, or its class.
    fn thrown(&mut self, r: Ref) -> String {
        let name = ClassView::new(self.vm, self.vm.class_of(r)).name();
        let held = self.hold(r);
        let found = super::calls::call_row(self, rows::object::TO_STRING, held);
        let text = found.ok().map(|v| self.computed(v));
        match text {
            Some(Computed::Text(text, _)) => text,
            _ => name,
        }
    }
}

impl ExpressionWorld for Caller<'_> {
    fn vm(&self) -> &Vm {
        self.vm
    }
    fn local(&mut self, name: &str) -> Option<Typed> {
        let (_, slot, letter) = *self.locals.iter().find(|l| l.0 == name)?;
        let (thread, n) = self.frame?;
        let frames = self.vm.debug_frames(thread);
        // what is called leaves no frame behind
        let (_, value) = *frames.get(n)?.locals.get(usize::from(slot))?;
        Some(Typed { letter, value })
    }
    fn class(&self) -> Option<ClassId> {
        self.class
    }
    fn hold(&mut self, r: Ref) -> Held {
        Held::Cell(self.vm.heap_mut().new_cell(r))
    }
    fn caller(&mut self) -> Result<&mut dyn CallingWorld, ExpressionError> {
        Ok(self)
    }
}

impl CallingWorld for Caller<'_> {
    fn vm_mut(&mut self) -> &mut Vm {
        self.vm
    }
    fn call(&mut self, request: CallRequest) -> Result<Typed, ExpressionError> {
        if !self.vm.ask_call(self.thread, request) {
            return Err(ExpressionError::NotHere);
        }
        let ended = self.run()?;
        match ended.result {
            Ok((b'L' | b'[', cell)) => {
                let r = self.vm.heap().cell(cell as u32);
                Ok(Typed {
                    letter: b'L',
                    value: Value::Ref(r),
                })
            }
            Ok((letter, bits)) => Ok(Typed {
                letter,
                value: value_of(letter, bits),
            }),
            Err(cell) => {
                let r = self.vm.heap().cell(cell);
                Err(ExpressionError::Thrown(self.thrown(r)))
            }
        }
    }
    fn load(&mut self, name: &str) -> Option<ClassId> {
        let loader = self
            .class
            .map_or(LoaderId::BOOT, |c| self.vm.class(c).loader);
        if let Some(found) = self.vm.env().find_loaded(loader, name) {
            return Some(found);
        }
        if let Some(found) = self.vm.env().find_loaded(LoaderId::BOOT, name) {
            return Some(found);
        }
        let found = self.for_name(loader, name, false).ok()?.object()?;
        Some(self.vm.of_mirror(found))
    }
    fn initialize(&mut self, class: ClassId) -> Result<(), ExpressionError> {
        if ClassView::new(self.vm, class).is_initialized() {
            return Ok(());
        }
        let class = self.vm.class(class);
        let (loader, name) = (class.loader, class.name.to_string());
        self.for_name(loader, &name, true).map(|_| ())
    }
    fn store_local(&mut self, name: &str, v: Computed) -> Result<(), ExpressionError> {
        let missing = || ExpressionError::NoLocal(name.into());
        let local = self
            .locals
            .iter()
            .find(|l| l.0 == name)
            .ok_or_else(missing)?;
        let (slot, letter) = (local.1, local.2);
        let (thread, n) = self.frame.ok_or_else(missing)?;
        let frames = self.vm.debug_frames(thread);
        let frame = frames.get(n).ok_or_else(missing)?;
        let declared = declared(self.vm, frame, slot);
        let descriptor = match (letter, declared) {
            (b'L', Some(declared)) => declared,
            (b'L', None) => {
                return Err(ExpressionError::NoType(name.into()));
            }
            (letter, _) => char::from(letter).to_string(),
        };
        let method = frame.method;
        let new = store(self, v, &descriptor)?;
        let class = self.vm.method(method).class;
        let loader = self.vm.class(class).loader;
        let kind = match new.letter {
            b'L' | b'[' => b'A',
            b'Z' | b'B' | b'S' | b'C' => b'I',
            letter => letter,
        };
        let fits = self.vm.may_pass(new.value, &descriptor, loader);
        match fits && self.vm.set_local(thread, n, slot, kind, new.value) {
            true => Ok(()),
            false => Err(ExpressionError::CannotHold(
                name.into(),
                type_name(&descriptor),
            )),
        }
    }
    fn plain(&mut self) -> &mut dyn ExpressionWorld {
        self
    }
}

/// The descriptor of a local, from the method's table of them.
fn declared(vm: &Vm, frame: &DebugFrame, slot: u16) -> Option<String> {
    let code = vm.method(frame.method).code()?;
    let bci = u32::from(frame.bci?);
    let row = code.attr().local_variables.iter().find(|v| {
        let begin = u32::from(v.start_pc);
        v.index == slot && (begin..begin + u32::from(v.length)).contains(&bci)
    })?;
    code.cf
        .constant_pool
        .str(row.descriptor)
        .ok()
        .map(str::to_owned)
}

fn value_of(letter: u8, bits: u64) -> Value {
    match letter {
        b'V' => Value::Void,
        b'J' => Value::Long(bits as i64),
        b'F' => Value::Float(f32::from_bits(bits as u32)),
        b'D' => Value::Double(f64::from_bits(bits)),
        _ => Value::Int(bits as i32),
    }
}
