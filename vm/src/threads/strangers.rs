//! Threads of the operating system that native code has made, and that become threads of Java: each is a green thread
//! whose bottom is a continuation.

use super::phase::Phase;
use crate::ids::{Ref, ThreadId};
use crate::interp::start_cont;
use crate::jdk::calls;
use crate::natives::Env;
use crate::throw::{Call, Cont, ContFn, R};
use crate::value::Value;
use crate::vm::Vm;

/// What such a thread has at first.
const PRIORITY: i32 = 5;

impl Vm {
    /// The group of the main thread; the system's, if that thread has ended.
    fn main_group(&mut self) -> Ref {
        let object = self.threads[0].object;
        let group = match object.is_null() {
            true => Ref::NULL,
            false => self.thread_group_of(object),
        };
        match group.is_null() {
            true => self.system_group(),
            false => group,
        }
    }
}

impl Env {
    /// Starts a thread for one of native code. Its `Thread` object has not been constructed: the continuation, which has it, its
    /// group and its name (or null) as references, begins with [`Env::construct_stranger`]. To be called between the turns of two threads.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn start_stranger(
        &mut self,
        name: Option<&str>,
        daemon: bool,
        step: ContFn,
        data: [u64; 3],
    ) -> R<ThreadId> {
        let vm = &mut self.0;
        let bare = vm.bare_thread(name, Vm::main_group, PRIORITY);
        let full = || crate::throw::Throw::bare("java/lang/OutOfMemoryError");
        let [object, group, name] = bare.ok_or_else(full)?;
        vm.set_thread_daemon(object, daemon);
        let t = vm.attach_to_main(object, Phase::Host)?;
        vm.threads[t.0 as usize].phase = Phase::Run;
        let cont = Cont::new(step, data, [object, group, name]).taking_no_room();
        start_cont(vm, t, cont);
        vm.enqueue(t);
        Ok(t)
    }
    /// The constructor of the current thread's object.
    pub fn construct_stranger(&mut self, object: Ref, group: Ref, name: Ref) -> Call {
        let class = self.0.loaded.known.thread;
        let init = match name.is_null() {
            true => self.0.jdk_method(class, calls::thread::INIT_OF_TARGET),
            false => self.0.jdk_method(class, calls::thread::INIT),
        };
        let args = [object, group, name].map(Value::Ref);
        Call::new(self, init, &args)
    }
    /// The constructor has returned. Returns the call to make then: the thread's group may have to add it.
    pub fn stranger_is_constructed(
        &mut self,
        object: Ref,
        group: Ref,
        daemon: bool,
    ) -> R<Option<Call>> {
        let vm = &mut self.0;
        vm.set_thread_daemon(object, daemon);
        if vm.threads_have_holders() {
            vm.set_thread_priority(object, PRIORITY);
        }
        let cur = vm.cur;
        vm.show_state(cur);
        let Some(add) = vm.has_method(calls::thread_group::ADD) else {
            return Ok(None);
        };
        let add = vm.jdk_method(vm.loaded.known.thread_group, add);
        let args = [group, object].map(Value::Ref);
        Ok(Some(Call::new(self, add, &args)))
    }
}
