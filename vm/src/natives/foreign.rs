//! Native methods that are functions of native libraries: how they are found, and what the room that calls them needs of
//! the VM.
//!
//! Which function a method is, is looked up as HotSpot does, in Java (`ClassLoader.findNative`), once a library with such
//! functions has been loaded. Before that a method without a native fails at once.

use super::{NativeFn, Natives, symbol};
use crate::classes::NativeEntry;
use crate::host::Waker;
use crate::ids::{MethodId, Ref};
use crate::jdk::calls;
use crate::throw::{Call, Cont, Next, R, Resume, Throw, Upcall};
use crate::value::Value;
use crate::vm::{Env, Vm};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Who calls functions of native libraries as native methods.
#[derive(Clone, Copy)]
pub struct Foreign {
    /// The native of every such method: it asks which one is under way.
    pub call: NativeFn,
    /// A method is the function at this address from now on; `false` if there can be none.
    pub bind: fn(&mut Env, MethodId, i64) -> bool,
    /// Threads of native code want something: called between the turns of two threads.
    pub wake_vm: fn(&mut Env),
}

/// How threads of native code, which are none of the VM's, get a hearing.
#[derive(Clone)]
pub struct NativeThreadHooks {
    /// It has been set, and the host's waker has been called.
    pub wanted: Arc<AtomicBool>,
    /// Whether there are such threads, which may let the program's threads continue.
    pub expects: Arc<dyn Fn() -> bool + Send + Sync>,
}

/// Names that are looked for, one after the other: HotSpot looks for each twice, with and without what a system puts
/// around names, which is nothing here.
const ATTEMPTS: u64 = 4;

impl Natives {
    /// Sets who calls functions of native libraries.
    ///
    /// # Safety
    /// The native takes the arguments of whatever method it has been bound to, and keeps to the contract of [`Natives::add`].
    pub unsafe fn add_foreign(&mut self, foreign: Foreign) {
        self.foreign = Some(foreign);
    }
    /// Whether a library may have natives.
    pub(crate) fn has_foreign(&self) -> bool {
        self.foreign_open
    }
    /// Whether threads of native code may want something.
    pub(crate) fn hears(&self) -> bool {
        self.hearing.is_some()
    }
    /// Whether there are any, which may let the program's threads continue.
    pub(crate) fn expects_strangers(&self) -> bool {
        self.hearing.as_ref().is_some_and(|h| (h.expects)())
    }
}

impl Vm {
    /// Gives threads of native code a hearing, if they want one.
    pub(crate) fn hear_strangers(&mut self) {
        let wanted = |h: &NativeThreadHooks| h.wanted.swap(false, Relaxed);
        if self.natives.hearing.as_ref().is_some_and(wanted)
            && let Some(foreign) = self.natives.foreign
        {
            (foreign.wake_vm)(Env::of(self));
        }
    }
    /// Looks for the function of a native method in the libraries of its class's loader.
    pub(crate) fn find_foreign(&mut self, id: MethodId) -> R<Upcall> {
        let call = self.look_for(id, 0)?;
        Ok(Upcall {
            call: Some(call),
            cont: Some(Cont::own(
                foreign_found,
                [id.0.into(), 0, 0],
                [Ref::NULL; 3],
            )),
            resume: Resume::Again,
        })
    }
    fn look_for(&mut self, id: MethodId, attempt: u64) -> R<Call> {
        let loaders = self.loaded.known.class_loader;
        self.ensure_initialized(loaders)?;
        let wrapper = self.wrapper_name(id).filter(|_| attempt >= ATTEMPTS);
        let m = self.method(id);
        let class = self.class(m.class);
        let name = wrapper.unwrap_or_else(|| self.syms.str(m.name).to_string());
        let mut text = symbol(&class.name, &name);
        if attempt % 2 == 1 {
            let desc = self.syms.str(m.desc).clone();
            let parameters = desc.split(')').next().unwrap_or_default();
            text.push_str("__");
            text.push_str(&super::symbols::mangled(&parameters[1..]));
        }
        let (loader, mirror) = (class.loader, m.class);
        let text = self.new_string(&text)?;
        let of_class = self.has_method(calls::class_loader::FIND_NATIVE_OF_CLASS);
        let find = of_class.or(self.has_method(calls::class_loader::FIND_NATIVE));
        let find = self.jdk_method(loaders, find.expect("each JDK has one of the two"));
        let loader = self.loader_object(loader);
        let args = match of_class {
            Some(_) => {
                let (mirror, name) = (self.mirror(mirror), self.new_string(&name)?);
                smallvec::smallvec![loader.slot(), mirror.slot(), text.slot(), name.slot()]
            }
            None => smallvec::smallvec![loader.slot(), text.slot()],
        };
        Ok(Call {
            made: None,
            method: find,
            args,
        })
    }
}

impl Vm {
    /// The name of the method around a native one whose name has prefixes of agents: its function is the native's.
    fn wrapper_name(&self, id: MethodId) -> Option<String> {
        let m = self.method(id);
        let own = self.without_prefixes(self.syms.str(m.name))?;
        let around = self.declared_method(m.class, self.syms.find(own)?, m.desc)?;
        (!self.method(around).is_native()).then(|| own.to_owned())
    }
}

/// The search for a native's function has ended, with its address or 0.
fn foreign_found(vm: &mut Vm, c: &mut Cont, result: Result<Value, Ref>) -> Next {
    let id = MethodId(c.data[0] as u32);
    match result {
        Err(e) => return Next::Throw(Throw::object(e)),
        Ok(Value::Long(address)) => {
            let foreign = vm.natives.foreign.expect("it is set before a search");
            if (foreign.bind)(Env::of(vm), id, address) {
                vm.method_mut(id).native = Some(NativeEntry::new(foreign.call));
                return Next::Return(Value::Void);
            }
            c.data[1] += 1;
        }
        // after a collection that the next search needed
        Ok(_) => {}
    }
    let most = match vm.wrapper_name(id) {
        Some(_) => 2 * ATTEMPTS,
        None => ATTEMPTS,
    };
    if c.data[1] == most {
        return Next::Throw(vm.unsatisfied_link(id));
    }
    match vm.look_for(id, c.data[1]) {
        Ok(call) => Next::Call(call),
        Err(t) => Next::Throw(t),
    }
}

impl Env {
    /// From now on a native method without a function is looked for in libraries.
    pub fn look_for_natives_in_libraries(&mut self) {
        self.0.natives.foreign_open = self.0.natives.foreign.is_some();
    }
    /// From now on threads of native code get a hearing. What wakes the VM for it, if its host can be woken.
    pub fn hear(&mut self, hearing: NativeThreadHooks) -> Option<Waker> {
        self.0.natives.hearing = Some(hearing);
        self.0.host().waker()
    }
    /// The native method that is called, to be asked by its function.
    pub fn native_under_way(&mut self) -> MethodId {
        self.0.native_under_way()
    }
    /// A native method is called by [`Foreign::call`], or (`false`) by nothing, so that it is looked for at its next call.
    ///
    /// # Panics
    /// If it is not native, or no caller of library functions is set.
    pub fn set_foreign(&mut self, m: MethodId, bound: bool) {
        let foreign = self.0.natives.foreign.expect("set by the table of natives");
        assert!(self.0.method(m).is_native(), "a method without bytecode");
        let entry = bound.then(|| NativeEntry::new(foreign.call));
        self.0.method_changes(m);
        self.0.method_mut(m).native = entry;
    }
    /// What the native under way has allocated counts as allocated, whatever comes of the rest: it does not run again.
    pub fn settle_allocations(&mut self) {
        // SAFETY: the top frame is the native's or its continuation's, and has a node while contexts are recorded.
        let node = unsafe { (*self.0.regs().cs).node };
        self.0.commit_allocations(node);
    }
    /// The frames of the running thread as text, a line for each.
    pub fn stack_text(&mut self) -> String {
        let (mut text, current) = (String::new(), self.0.cur);
        self.0.walk_stack(current, |vm, m, bci| {
            text += &Env::of(vm).frame_text(m, bci);
            ControlFlow::Continue(())
        });
        text
    }
    /// A frame as text, a line.
    pub fn frame_text(&mut self, m: MethodId, bci: i32) -> String {
        format!("\tat {}\n", self.0.frame_line_in_module(m, bci))
    }
    /// `monitorenter`; [`Throw::Block`] when another thread has the monitor: who asked asks again then.
    pub fn monitor_enter(&mut self, r: Ref) -> R<()> {
        self.0.enter_monitor(r)?;
        self.0.native_has_entered(r);
        Ok(())
    }
    /// `monitorexit`
    pub fn monitor_exit(&mut self, r: Ref) -> R<()> {
        self.0.monitor_exit(r)
    }
}
