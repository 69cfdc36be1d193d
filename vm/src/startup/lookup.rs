//! Classes and methods by name, for hosts: a missing or malformed one gives the exception that Java code would get.

use super::CallStop;
use crate::classes::InitState;
use crate::ids::{ClassId, LoaderId, MethodId, Ref, Sym, ThreadId};
use crate::throw::{Cont, Next, OwnFn, R, Throw};
use crate::value::Value;
use crate::vm::Vm;

impl Vm {
    /// Loads a class (internal name) with a loader, on a thread the host owns: NoClassDefFoundError, ClassFormatError,
    /// UnsupportedClassVersionError, or whatever the loader throws.
    pub fn load_on(
        &mut self,
        t: ThreadId,
        loader: LoaderId,
        name: &str,
    ) -> Result<ClassId, CallStop> {
        if let Some(c) = self.find_loaded(loader, name) {
            return Ok(c);
        }
        let step: OwnFn = |vm, c, input| {
            let [loader, name, _] = c.data.map(|d| d as u32);
            done(input, || vm.load_named(LoaderId(loader), name).map(|c| c.0))
        };
        let name = self.symbol(name);
        let found = self.look_up_on(t, step, [loader.0, name.0, 0])?;
        Ok(ClassId(found))
    }
    /// A method of a class of the boot loader, its superclasses included, linked so that it can be called; the class is
    /// not initialized. The exceptions of [`Vm::load_on`] and [`Vm::link_on`], or NoSuchMethodError.
    pub fn method_on(
        &mut self,
        t: ThreadId,
        class: &str,
        name: &str,
        desc: &str,
    ) -> Result<MethodId, CallStop> {
        let m = self.unlinked_method_on(t, class, name, desc)?;
        let class = self.method(m).class;
        if self.init_state(class) == InitState::Loaded {
            self.link_on(t, class)?;
        }
        Ok(m)
    }
    fn unlinked_method_on(
        &mut self,
        t: ThreadId,
        class: &str,
        name: &str,
        desc: &str,
    ) -> Result<MethodId, CallStop> {
        if let Some(m) = self.loaded_method(class, name, desc) {
            return Ok(m);
        }
        let step: OwnFn = |vm, c, input| {
            let names = c.data.map(|d| d as u32);
            done(input, || vm.boot_method(names).map(|m| m.0))
        };
        let names = [class, name, desc].map(|n| self.symbol(n).0);
        let found = self.look_up_on(t, step, names)?;
        Ok(MethodId(found))
    }
    /// The same if the class is loaded and has one.
    pub(super) fn loaded_method(
        &mut self,
        class: &str,
        name: &str,
        desc: &str,
    ) -> Option<MethodId> {
        let c = self.find_loaded(LoaderId::BOOT, class)?;
        let [name, desc] = [name, desc].map(|n| self.symbol(n));
        self.find_method(c, name, desc)
    }
    /// What a continuation that takes these numbers finds.
    fn look_up_on(&mut self, t: ThreadId, step: OwnFn, data: [u32; 3]) -> Result<u32, CallStop> {
        let data = data.map(u64::from);
        let refs = [Ref::NULL; 3];
        let o = self.run_cont(t, Cont::own(step, data, refs));
        match self.drive(o)? {
            Value::Int(found) => Ok(found as u32),
            // only daemon threads are left, and none of them has looked anything up
            _ => Err(CallStop::Exit(1)),
        }
    }
    fn load_named(&mut self, loader: LoaderId, name: u32) -> R<ClassId> {
        let name = self.symbols().str(Sym(name)).clone();
        self.load_class_linked(loader, &name)
    }
    fn boot_method(&mut self, [class, name, desc]: [u32; 3]) -> R<MethodId> {
        let c = self.load_named(LoaderId::BOOT, class)?;
        self.find_method(c, Sym(name), Sym(desc)).ok_or_else(|| {
            let [name, desc] = [name, desc].map(|s| self.symbols().str(Sym(s)).clone());
            let text = format!("{}.{name}{desc}", self.class(c).dotted());
            Throw::msg("java/lang/NoSuchMethodError", text)
        })
    }
}

fn done(input: Result<Value, Ref>, find: impl FnOnce() -> R<u32>) -> Next {
    match input.map_err(Throw::object).and_then(|_| find()) {
        Ok(found) => Next::Return(Value::Int(found as i32)),
        Err(t) => Next::Throw(t),
    }
}
