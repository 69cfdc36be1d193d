//! Classes get other class files while all threads of the program are stopped.

use super::CallStop;
use crate::ids::{ClassId, Ref};
use crate::jdk;
use crate::throw::{Cont, Next, Throw};
use crate::value::Value;
use crate::vm::Vm;

impl Vm {
    /// Gives classes other class files, on a thread of the VM's own while all others are stopped.
    ///
    /// # Errors
    /// The class (internal name) and the message of the exception that says why not.
    pub fn redefine_now(
        &mut self,
        classes: Vec<(ClassId, Vec<u8>)>,
    ) -> Result<(), (String, String)> {
        let stopped = self.limits.stopped.take();
        let running = self.current();
        let thread = self.host_thread("Debugger", true, 5);
        let done = thread.and_then(|t| {
            let all = classes.into_iter().map(|(c, bytes)| (c, Some(bytes)));
            self.debugged.redefining = all.collect();
            let none = [Ref::NULL; 3];
            let cont = Cont::own(redefine_step, [0; 3], none);
            let done = self.run_on(t, cont);
            let thrown = match done {
                Err(CallStop::Threw(e)) => Some(self.heap_mut().new_cell(e)),
                _ => None,
            };
            self.make_current(t);
            self.end_thread(Ok(Value::Void));
            match thrown {
                Some(cell) => {
                    let e = self.heap().cell(cell);
                    self.heap_mut().free_cell(cell);
                    Err(CallStop::Threw(e))
                }
                None => done,
            }
        });
        self.debugged.redefining.clear();
        if running != self.current() {
            self.make_current(running);
        }
        self.limits.stopped = stopped;
        match done {
            Ok(_) => Ok(()),
            Err(CallStop::Threw(e)) => {
                let class = self.name(self.class_of(e)).to_string();
                let message = self.get(e, jdk::throwable::DETAIL_MESSAGE);
                let message = message.non_null().map(|m| self.string(m));
                Err((class, message.unwrap_or_default()))
            }
            Err(other) => Err(("java/lang/InternalError".into(), format!("{other:?}"))),
        }
    }
}

fn redefine_step(vm: &mut Vm, c: &mut Cont, input: Result<Value, Ref>) -> Next {
    if let Err(e) = input {
        return Next::Throw(Throw::object(e));
    }
    let all = vm.debugged.redefining.clone();
    let mut state = c.data[0];
    let done = vm.redefine(&mut state, &all);
    c.data[0] = state;
    match done {
        Ok(()) => Next::Return(Value::Void),
        Err(t) => Next::Throw(t),
    }
}
