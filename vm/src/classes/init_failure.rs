//! What becomes of a class whose initialization fails (JVMS 5.5, steps 10 to 12), and of the subclasses
//! whose initialization had begun it.
//!
//! As in HotSpot, each failed class keeps an ExceptionInInitializerError that names the thrown exception, its thread and its
//! place; later NoClassDefFoundErrors have it as their cause. It is made, and the trace
//! requested, in Java: programs may override `getStackTrace`.

use crate::classes::InitState;
use crate::ids::{ClassId, Ref};
use crate::interp::exceptions::exception_upcall;
use crate::jdk::{self, calls};
use crate::throw::{Call, Cont, Next, R, Resume, Throw, Upcall};
use crate::vm::Vm;

/// Steps, in the second word of the continuation. The first word is the class, [`OWN`] added if it
/// threw itself; the third the subclass that waits for it, plus 1. The references are the
/// exception and the error that is kept.
mod step {
    /// A superclass failed without an exception so far: make it (its class is the third word,
    /// message and cause are in the references).
    pub const MAKE: u64 = 0;
    /// The exception that leaves the initialization is there.
    pub const THROWN: u64 = 1;
    /// Make the error that is kept.
    pub const BEGIN: u64 = 2;
    /// It is made: ask for the trace.
    pub const TRACE: u64 = 3;
    /// Keep it; the class is erroneous from here.
    pub const KEEP: u64 = 4;
    /// Continue with the subclass that waits, or throw.
    pub const NEXT: u64 = 5;
}

const OWN: u64 = 1 << 32;
const ERROR: &str = "java/lang/ExceptionInInitializerError";

/// The initializer of `class` threw `e`: turns its continuation into the failure's.
pub(super) fn own(vm: &mut Vm, cont: &mut Cont, class: ClassId, e: Ref) -> Next {
    *cont = Cont::own(
        advance,
        [u64::from(class.0) | OWN, step::BEGIN, 0],
        [e, Ref::NULL, Ref::NULL],
    );
    advance(vm, cont, Ok(crate::Value::Void))
}

/// A superclass or superinterface of `class` could not be initialized.
pub(super) fn inherited(vm: &mut Vm, class: ClassId, why: Throw) -> R<Box<Throw>> {
    let (step, data, refs) = match why {
        Throw::Object(e) => (step::BEGIN, 0, [e, Ref::NULL, Ref::NULL]),
        Throw::New {
            class,
            message,
            cause,
        } => {
            let message = match message {
                Some(m) => vm.new_string(&m)?,
                None => Ref::NULL,
            };
            let exception = vm.boot_class(class);
            let refs = [message, cause, Ref::NULL];
            (step::MAKE, exception.0.into(), refs)
        }
        other => return Ok(Box::new(other)),
    };
    Ok(Box::new(Throw::Upcall(Upcall {
        call: None,
        cont: Some(Cont::own(advance, [class.0.into(), step, data], refs)),
        resume: Resume::Again,
    })))
}

fn advance(vm: &mut Vm, cont: &mut Cont, input: Result<crate::Value, Ref>) -> Next {
    steps(vm, cont, input).unwrap_or_else(Next::Throw)
}

/// An exception made in Java, which comes back as if thrown.
fn make(class: ClassId, message: Ref, cause: Ref) -> R<Next> {
    Err(Box::new(Throw::Upcall(exception_upcall(
        class, message, cause,
    ))))
}

fn steps(vm: &mut Vm, cont: &mut Cont, input: Result<crate::Value, Ref>) -> R<Next> {
    let error = vm.boot_class(ERROR);
    loop {
        let class = ClassId(cont.data[0] as u32);
        match cont.data[1] {
            step::MAKE => {
                cont.data[1] = step::THROWN;
                let exception = ClassId(cont.data[2] as u32);
                cont.data[2] = 0;
                return make(exception, cont.refs[0], cont.refs[1]);
            }
            step::THROWN => {
                cont.refs[0] = input.expect_err("an exception was to be made");
                cont.data[1] = match cont.data[0] & OWN {
                    0 => step::BEGIN,
                    _ => step::NEXT,
                };
            }
            step::BEGIN => {
                let text = vm.thrown_text(cont.refs[0]);
                let text = vm.new_string(&text)?;
                cont.data[1] = step::TRACE;
                return make(error, text, Ref::NULL);
            }
            step::TRACE => {
                cont.data[1] = step::KEEP;
                let made = input.expect_err("an exception was to be made");
                if vm.class_of(made) != error {
                    continue;
                }
                cont.refs[1] = made;
                let e = cont.refs[0];
                let get =
                    vm.jdk_method(vm.loaded.known.throwable, calls::throwable::GET_STACK_TRACE);
                return Ok(Next::Call(Call {
                    made: None,
                    method: vm.select_virtual(vm.class_of(e), get)?,
                    args: [e.0 as u64].as_slice().into(),
                }));
            }
            step::KEEP => {
                let kept = cont.refs[1];
                if !kept.is_null() {
                    if let Ok(trace) = input {
                        let trace = trace.reference();
                        vm.set(kept, jdk::throwable::STACK_TRACE, trace);
                        vm.set(kept, jdk::throwable::BACKTRACE, Ref::NULL);
                    }
                    let cell = vm.heap.new_cell_of(vm.heap.unit_of(class), kept);
                    vm.heap.class_mut(class).init_cause = cell;
                }
                let waiter = vm.loaded.linker.initializing(class).and_then(|i| i.waiter);
                vm.end_init(class, InitState::Erroneous);
                cont.data[2] = waiter.map_or(0, |w| u64::from(w.0) + 1);
                let fault = vm.boot_class("java/lang/Error");
                if cont.data[0] & OWN != 0 && !vm.instance_of(cont.refs[0], fault) {
                    cont.data[1] = step::THROWN;
                    return make(error, Ref::NULL, cont.refs[0]);
                }
                cont.data[1] = step::NEXT;
            }
            _ => {
                if cont.data[2] == 0 {
                    return Ok(Next::Throw(Throw::object(cont.refs[0])));
                }
                cont.refs[1] = Ref::NULL;
                cont.data = [cont.data[2] - 1, step::BEGIN, 0];
            }
        }
    }
}

impl Vm {
    /// `Exception java.lang.RuntimeException: message [in thread "main"]`
    fn thrown_text(&mut self, e: Ref) -> String {
        let class = self.external_class(self.class_of(e));
        let message = self.get(e, jdk::throwable::DETAIL_MESSAGE);
        let message = match message.non_null() {
            Some(m) => format!(": {}", self.string(m)),
            None => String::new(),
        };
        let thread = self.threads.get(self.cur.0 as usize).map(|t| t.object);
        let name = match thread {
            Some(t) if !t.is_null() => self.get(t, jdk::thread::NAME),
            _ => Ref::NULL,
        };
        let thread = match name.non_null() {
            Some(n) => self.string(n),
            None => "main".into(),
        };
        format!("Exception {class}{message} [in thread \"{thread}\"]")
    }
}
