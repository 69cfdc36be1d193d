//! Linking (JVMS 5.4): verification, preparation, and the checks on superclasses.

use crate::classes::vtable::Owner;
use crate::classes::{Fat, InitState, acc, names};
use crate::ids::{ClassId, LoaderId, MethodId};
use crate::throw::{R, Throw};
use crate::vm::Vm;
use rjvm_classfile::ClassFile;

impl Vm {
    /// Where the initialization of a class stands.
    pub fn init_state(&self, c: ClassId) -> InitState {
        // SAFETY: a ClassId names an initialised hot block.
        match unsafe { (*self.heap.hot(c)).state } {
            0 => InitState::Loaded,
            1 => InitState::Linked,
            2 => InitState::InProgress,
            3 => InitState::Initialized,
            _ => InitState::Erroneous,
        }
    }
    pub(super) fn set_init_state(&mut self, c: ClassId, s: InitState) {
        // SAFETY: a ClassId names an initialised hot block.
        unsafe { (*self.heap.hot(c)).state = s as u32 }
    }
    /// Links (verifies and prepares) a class.
    pub fn link_class(&mut self, c: ClassId) -> R<()> {
        if self.init_state(c) != InitState::Loaded {
            return Ok(());
        }
        if let Some(s) = self.class(c).super_class {
            self.link_class(s)?;
        }
        for i in self.class(c).interfaces.clone() {
            self.link_class(i)?;
        }
        if !self.class(c).verified {
            crate::verify::verify_class(self, c)?;
            self.heap.class_mut(c).verified = true;
        }
        if self.class(c).loader != LoaderId::BOOT {
            self.check_table_constraints(c)?;
        }
        if self.init_state(c) == InitState::Loaded {
            self.set_init_state(c, InitState::Linked);
        }
        Ok(())
    }
    /// Changes a method's entry address, also in every virtual method table it stands in.
    pub fn set_entry(&mut self, method: MethodId, entry: *const u8) {
        let m = self.method_mut(method);
        m.entry = entry;
        let (class, slots) = (m.class, m.vtable_slots.clone());
        for &slot in &slots {
            self.set_slot_entry(class, slot as usize, method, entry);
        }
    }
    fn set_slot_entry(&mut self, class: ClassId, slot: usize, method: MethodId, entry: *const u8) {
        let mut todo = vec![class];
        while let Some(c) = todo.pop() {
            // an override hides the method from all further subclasses
            if self.class(c).vtable.get(slot) != Some(&method) {
                continue;
            }
            // SAFETY: the hot table has the same length as the cold one.
            unsafe {
                let table: *mut Fat = (&raw mut (*self.heap.hot(c)).vtable).cast();
                (*table.add(slot)).entry = entry;
            }
            todo.extend(&self.class(c).subclasses);
        }
    }

    /// What a class's superclass and superinterfaces must be (JVMS 5.3.5).
    pub(super) fn check_supers(
        &mut self,
        o: &Owner,
        interfaces: &[ClassId],
        cf: &ClassFile,
    ) -> R<()> {
        let icce = |text: String| Err(Throw::msg("java/lang/IncompatibleClassChangeError", text));
        let name = names::dotted(o.name);
        if let Some(s) = o.super_class {
            let k = self.class(s);
            if k.is_interface() {
                return icce(format!(
                    "class {name} has interface {} as super class",
                    self.external_class(s)
                ));
            }
            if k.access & acc::FINAL != 0 || k.is_array() {
                return icce(format!(
                    "class {name} cannot inherit from final class {}",
                    self.external_class(s)
                ));
            }
            self.check_sealed(o, s, "class", cf)?;
            if !self.super_accessible(o, s) {
                return Err(self.inaccessible_super(o, s, "superclass"));
            }
        }
        for &i in interfaces {
            if !self.class(i).is_interface() {
                let places = self.class_in_module(i);
                return icce(format!(
                    "class {name} can not implement {}, because it is not an interface ({places})",
                    self.external_class(i)
                ));
            }
            self.check_sealed(o, i, "interface", cf)?;
            if !self.super_accessible(o, i) {
                return Err(self.inaccessible_super(o, i, "superinterface"));
            }
        }
        Ok(())
    }
    fn inaccessible_super(&mut self, o: &Owner, s: ClassId, what: &str) -> Box<Throw> {
        let name = names::dotted(o.name);
        let places = self.joint_place(&name, o.loader, o.package, s);
        Throw::msg(
            "java/lang/IllegalAccessError",
            format!(
                "class {name} cannot access its {what} {} ({places})",
                self.external_class(s)
            ),
        )
    }
    /// The module of a class; null for one that has no mirror yet, early in the boot.
    fn module_or_null(&mut self, c: ClassId) -> crate::Ref {
        match self.mirror(c).non_null() {
            Some(_) => self.module_of(c),
            None => crate::Ref::NULL,
        }
    }
    fn super_accessible(&self, o: &Owner, s: ClassId) -> bool {
        let k = self.class(s);
        k.access & acc::PUBLIC != 0 || k.loader == o.loader && k.package == o.package
    }
    /// PermittedSubclasses of `s` (JVMS 4.7.31).
    fn check_sealed(&mut self, o: &Owner, s: ClassId, kind: &str, cf: &ClassFile) -> R<()> {
        let k = self.class(s);
        let Some(sup) = k.cf.clone() else {
            return Ok(());
        };
        let Some(permitted) = &sup.attributes.permitted_subclasses else {
            return Ok(());
        };
        let listed = permitted
            .iter()
            .any(|&i| names::class_text(&sup.constant_pool, i).is_ok_and(|n| n == o.name));
        let (same_loader, same_package) = (k.loader == o.loader, k.package == o.package);
        let near = same_loader && same_package || cf.access_flags & acc::PUBLIC != 0;
        let same_module = self.module_of_package(o.loader, o.package) == self.module_or_null(s);
        if listed && same_module && near {
            return Ok(());
        }
        let verb = match (kind, o.access & acc::INTERFACE != 0) {
            ("class", _) => "inherit from",
            (_, true) => "extend",
            _ => "implement",
        };
        Err(Throw::msg(
            "java/lang/IncompatibleClassChangeError",
            format!(
                "class {} cannot {verb} sealed {kind} {}",
                names::dotted(o.name),
                self.external_class(s)
            ),
        ))
    }
}
