//! Typed values become slots here: arguments of calls and results of native methods, when they are what the
//! method takes and returns.

use crate::classes::InitState;
use crate::ids::{LoaderId, MethodId, Ref};
use crate::throw::R;
use crate::value::{ArgumentSlots, Value};
use crate::vm::Vm;
use rjvm_classfile::descriptor::parameters;

impl Vm {
    /// Whether the field descriptor `desc` says so in a class of `loader`: whether the value may be an argument of
    /// that type.
    pub fn may_pass(&mut self, v: Value, desc: &str, loader: LoaderId) -> bool {
        match (desc.as_bytes()[0], v) {
            (b'Z', Value::Int(v)) => v == 0 || v == 1,
            (b'B', Value::Int(v)) => i8::try_from(v).is_ok(),
            (b'S', Value::Int(v)) => i16::try_from(v).is_ok(),
            (b'C', Value::Int(v)) => u16::try_from(v).is_ok(),
            (b'I', Value::Int(_))
            | (b'J', Value::Long(_))
            | (b'F', Value::Float(_))
            | (b'D', Value::Double(_)) => true,
            (b'L' | b'[', Value::Ref(r)) if r.is_null() => true,
            (b'L' | b'[', Value::Ref(r)) => {
                self.heap.check(r);
                self.fits(self.class_of(r), desc, loader)
            }
            _ => false,
        }
    }
    /// The slots of a call's arguments, `this` first.
    ///
    /// # Panics
    /// Unless they are what the method takes, and its class is linked.
    pub(crate) fn argument_slots(&mut self, method: MethodId, args: &[Value]) -> ArgumentSlots {
        let m = self.method(method);
        let (class, desc, instance) = (m.class, m.desc, !m.is_static());
        let k = self.class(class);
        let (loader, trusted) = (k.loader, k.loader == LoaderId::BOOT && !k.given);
        // what nobody has verified could do anything
        let linked = trusted || self.init_state(class) != InitState::Loaded;
        assert!(
            linked,
            "the class of {} is not linked",
            self.method_name(method)
        );
        let desc = self.syms.str(desc).clone();
        let takes = parameters(&desc).count() + usize::from(instance);
        assert!(
            args.len() == takes,
            "{} takes {takes} arguments, not {}",
            self.method_name(method),
            args.len()
        );
        let mut rest = args;
        let mut slots = ArgumentSlots::new();
        if instance {
            let this = args[0].reference();
            self.heap.check(this);
            let fits = !this.is_null() && self.is_subtype(self.class_of(this), class);
            assert!(fits, "`this` is no object for {}", self.method_name(method));
            slots.push(this.slot());
            rest = &args[1..];
        }
        for (&v, ty) in rest.iter().zip(parameters(&desc)) {
            let fits = self.may_pass(v, ty, loader);
            assert!(fits, "{v:?} is no {ty} for {}", self.method_name(method));
            slots.push(v.slot());
            if matches!(v, Value::Long(_) | Value::Double(_)) {
                slots.push(0);
            }
        }
        slots
    }
    /// The slot of a native method's result.
    ///
    /// # Panics
    /// Unless the method returns such values.
    pub(crate) fn result_slot(&mut self, method: MethodId, v: Value) -> u64 {
        let m = self.method(method);
        let (class, desc) = (m.class, m.desc);
        let desc = self.syms.str(desc).clone();
        let (_, ty) = desc.split_once(')').expect("a method's descriptor");
        let loader = self.class(class).loader;
        let fits = ty == "V" || self.may_pass(v, ty, loader);
        assert!(fits, "{v:?} is no {ty} for {}", self.method_name(method));
        v.slot()
    }
    /// With debug assertions: a native has returned what its table promises.
    #[inline(always)]
    pub(crate) fn debug_result(&self, method: MethodId, result: &R<u64>) {
        if cfg!(debug_assertions)
            && let Ok(slot) = result
        {
            self.test_result(method, *slot);
        }
    }
    #[cold]
    fn test_result(&self, method: MethodId, slot: u64) {
        let m = self.method(method);
        let ty = self.syms.str(m.desc).rsplit(')').next().unwrap_or("V");
        if slot == 0 || !matches!(ty.as_bytes()[0], b'L' | b'[') {
            return;
        }
        let object = self.heap.may_be_object(slot);
        assert!(object, "{} returns no object", self.method_name(method));
        let class = self.class_of(Ref(slot as u32));
        let fits = self.is_type(class, ty, self.class(m.class).loader);
        let (is, name) = (self.name(class), self.method_name(method));
        assert!(fits, "{name} returns an instance of {is}");
    }
}
