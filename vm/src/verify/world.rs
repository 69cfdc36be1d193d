//! What the verifiers need to know of other classes, and where they get it from.

use super::types::Question;
use crate::classes::acc;
use crate::ids::{ClassId, LoaderId};
use crate::throw::R;
use crate::vm::Vm;
use std::sync::Arc;

/// The classes around the one being verified, as its defining loader sees them.
pub trait World {
    /// A loaded class.
    type Class: Copy + PartialEq;
    /// Loads a class that isn't an array. Fails with what the program is to see, or with an upcall
    /// after which verification runs again.
    fn load(&mut self, name: &str) -> R<Self::Class>;
    /// Whether it is an interface.
    fn is_interface(&self, c: Self::Class) -> bool;
    /// Its superclass.
    fn super_class(&self, c: Self::Class) -> Option<Self::Class>;
    /// Its internal name.
    fn name(&self, c: Self::Class) -> Arc<str>;
    /// The class being verified.
    fn this(&self) -> Self::Class;
    /// Names of its direct superinterfaces.
    fn interfaces(&self) -> Vec<Arc<str>>;
    /// Whether look-up of a member in this superclass of it finds a protected one, declared in
    /// another run-time package.
    fn is_protected(&self, superclass: &str, name: &str, descriptor: &str, method: bool) -> bool;

    /// Names of its superclasses, nearest first.
    fn supers(&self) -> Vec<Arc<str>> {
        let mut names = Vec::new();
        let mut c = self.super_class(self.this());
        while let Some(s) = c {
            names.push(self.name(s));
            c = self.super_class(s);
        }
        names
    }
    /// Whether `b` is `a` or a superclass of it.
    fn is_subclass(&self, a: Self::Class, b: Self::Class) -> bool {
        let mut c = Some(a);
        while let Some(k) = c {
            if k == b {
                return true;
            }
            c = self.super_class(k);
        }
        false
    }
}

/// Answers a question by loading the classes it is about. Values of any type can be assigned to an
/// interface type: what they are is seen at `invokeinterface`.
pub fn answer<W: World>(w: &mut W, q: &Question) -> R<bool> {
    match q {
        Question::Load(name) => w.load(name).map(|_| true),
        Question::Assignable {
            to,
            from,
            from_array,
            protected,
        } => {
            let target = w.load(to)?;
            if w.is_interface(target) && !(*protected && **from == *"java/lang/Object") {
                let of_arrays = ["java/lang/Cloneable", "java/io/Serializable"];
                return Ok(!from_array || of_arrays.contains(&&**to));
            }
            if *from_array {
                return Ok(false);
            }
            let source = w.load(from)?;
            Ok(w.is_subclass(source, target))
        }
    }
}

/// The classes of a VM.
pub struct VmWorld<'v> {
    vm: &'v mut Vm,
    class: ClassId,
    loader: LoaderId,
}

impl VmWorld<'_> {
    /// As `class` sees them.
    pub fn new(vm: &mut Vm, class: ClassId) -> VmWorld<'_> {
        let loader = vm.class(class).loader;
        VmWorld { vm, class, loader }
    }
}

impl World for VmWorld<'_> {
    type Class = ClassId;

    fn load(&mut self, name: &str) -> R<ClassId> {
        let this = self.vm.class(self.class);
        if this.hidden && *this.name == *name {
            return Ok(self.class);
        }
        self.vm.load_class_linked(self.loader, name)
    }
    fn is_interface(&self, c: ClassId) -> bool {
        self.vm.class(c).is_interface()
    }
    fn super_class(&self, c: ClassId) -> Option<ClassId> {
        self.vm.class(c).super_class
    }
    fn name(&self, c: ClassId) -> Arc<str> {
        self.vm.class(c).name.clone()
    }
    fn this(&self) -> ClassId {
        self.class
    }
    fn interfaces(&self) -> Vec<Arc<str>> {
        let k = self.vm.class(self.class);
        k.interfaces.iter().map(|&i| self.name(i)).collect()
    }
    fn is_protected(&self, superclass: &str, name: &str, descriptor: &str, method: bool) -> bool {
        let vm = &*self.vm;
        let mut c = vm.class(self.class).super_class;
        while let Some(k) = c
            && *vm.class(k).name != *superclass
        {
            c = vm.class(k).super_class;
        }
        let Some(from) = c else {
            return false;
        };
        let (Some(name), Some(descriptor)) = (vm.syms.find(name), vm.syms.find(descriptor)) else {
            return false;
        };
        let (holder, access) = if method {
            let mut c = Some(from);
            loop {
                let Some(k) = c else {
                    return false;
                };
                if let Some(m) = vm.declared_method(k, name, descriptor) {
                    break (k, vm.method(m).access);
                }
                c = vm.class(k).super_class;
            }
        } else {
            match vm.find_field(from, name, descriptor) {
                Some((k, i)) => (k, vm.class(k).fields[i as usize].access),
                None => return false,
            }
        };
        access & acc::PROTECTED != 0 && !vm.same_package(self.class, holder)
    }
}
