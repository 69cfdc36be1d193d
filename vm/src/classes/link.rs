//! Linking (JVMS 5.4): verification, preparation, and the checks on superclasses.

use crate::classes::vtable::VtableOwner;
use crate::classes::{InitState, VtableEntry, acc, names};
use crate::events::{Event, EventSet};
use crate::ids::{ClassId, LoaderId, MethodId};
use crate::throw::{R, Throw};
use crate::vm::Vm;
use rjvm_classfile::ClassFile;

impl Vm {
    /// Where the initialization of a class is.
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
    /// Links (verifies and prepares) a class, after its superclass and its superinterfaces. Their chains may be long.
    pub(crate) fn link_class(&mut self, c: ClassId) -> R<()> {
        if self.init_state(c) != InitState::Loaded {
            return Ok(());
        }
        // classes and how many of those they need have been seen to
        let mut path = vec![(c, 0)];
        while let Some((c, seen)) = path.last_mut() {
            let (k, c) = (self.class(*c), *c);
            let mut needed = k.super_class.iter().chain(&*k.interfaces);
            let next = needed.nth(*seen).copied();
            *seen += 1;
            match next {
                Some(s) if self.init_state(s) == InitState::Loaded => path.push((s, 0)),
                Some(_) => {}
                None => {
                    self.link_alone(c)?;
                    path.pop();
                }
            }
        }
        Ok(())
    }
    /// Links a class whose superclass and superinterfaces are linked.
    fn link_alone(&mut self, c: ClassId) -> R<()> {
        // HotSpot's verifier takes an identity hash, which moves the sequence on for the program
        let mirror = self.mirror(c);
        self.identity_hash(mirror);
        if !self.class(c).verified {
            self.in_domain_of(c, |vm| super::verification::verify_class(vm, c))?;
            self.heap.class_mut(c).verified = true;
        }
        if self.class(c).loader != LoaderId::BOOT {
            self.check_table_constraints(c)?;
        }
        self.natives.suit(self, c)?;
        if self.init_state(c) == InitState::Loaded {
            self.set_init_state(c, InitState::Linked);
            if self.wants(EventSet::PREPARED) {
                self.emit(Event::ClassPrepared(c));
            }
        }
        Ok(())
    }
    /// Changes a method's entry address, also in every virtual method table it is in.
    pub(crate) fn set_entry(&mut self, method: MethodId, entry: *const u8) {
        let entry = self.entry_of(method, entry);
        self.method_changes(method);
        let m = self.method_mut(method);
        m.entry = entry;
        if let Some(x) = m.translated_mut() {
            x.set_leads_here(std::ptr::eq(entry, x.start()));
        }
        if m.is_static() || m.is_private() {
            return;
        }
        let (callee, class) = (&raw const *m, m.class);
        let mut slot = 0;
        while let Some(fat) = self.class(class).vtable().get(slot) {
            if std::ptr::eq(fat.callee, callee) {
                self.set_slot_entry(class, slot, method, entry);
            }
            slot += 1;
        }
    }
    fn set_slot_entry(&mut self, class: ClassId, slot: usize, method: MethodId, entry: *const u8) {
        let mut todo = vec![class];
        while let Some(c) = todo.pop() {
            // an override hides the method from all further subclasses
            if self.class(c).virtual_method(slot) != Some(method) {
                continue;
            }
            // SAFETY: the table has such an entry.
            unsafe {
                let table: *mut VtableEntry = (&raw mut (*self.heap.hot(c)).vtable).cast();
                (*table.add(slot)).entry = entry;
            }
            todo.extend(self.class(c).subclasses.get().into_iter().flatten());
        }
    }

    /// What a class's superclass and superinterfaces must be (JVMS 5.3.5).
    pub(super) fn check_supers(
        &mut self,
        o: &VtableOwner,
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
            self.check_reflective_super(o, s)?;
            self.check_super_access(o, s, "superclass", "superclass access")?;
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
            self.check_super_access(o, i, "superinterface", "superinterface")?;
        }
        Ok(())
    }
    /// Accessors that reflection generates extend classes their module doesn't export to them; no accessor extends classes of
    /// other loaders.
    fn check_reflective_super(&mut self, o: &VtableOwner, s: ClassId) -> R<()> {
        if o.loader == LoaderId::BOOT
            || **self.syms.str(self.class(s).package) != *"jdk/internal/reflect"
        {
            return Ok(());
        }
        let loader = self.class_of(self.loader_object(o.loader));
        let delegating = "jdk/internal/reflect/DelegatingClassLoader";
        if self
            .find_loaded(LoaderId::BOOT, delegating)
            .is_some_and(|d| self.is_subclass(loader, d))
        {
            return Ok(());
        }
        Err(Throw::msg(
            "java/lang/IllegalAccessError",
            format!(
                "class {} loaded by {} cannot access jdk/internal/reflect superclass {}",
                names::dotted(o.name),
                self.loader_name(o.loader),
                self.external_class(s)
            ),
        ))
    }
    /// Access of a class being made to its superclass or a superinterface (JVMS 5.4.4).
    fn check_super_access(
        &mut self,
        o: &VtableOwner,
        s: ClassId,
        what: &str,
        check: &str,
    ) -> R<()> {
        let k = self.class(s);
        let public = k.access & acc::PUBLIC != 0;
        if k.loader == o.loader && k.package == o.package
            || o.super_class.is_some_and(|s| self.is_magic(s))
        {
            return Ok(());
        }
        let name = names::dotted(o.name);
        let text = if public {
            let module = self.module_of_package(o.loader, o.package);
            // before the boot loader's module is defined there is nothing to ask
            if self.mirror(s).is_null() {
                return Ok(());
            }
            match self.module_lets(module, s, |_| name.clone()) {
                Ok(()) => return Ok(()),
                Err(text) => format!("{check} check failed: {text}"),
            }
        } else {
            let places = self.joint_place(&name, o.loader, o.package, s);
            let kind = match self.class(s).is_abstract() && !self.class(s).is_interface() {
                true => "abstract ",
                false => "",
            };
            format!(
                "class {name} cannot access its {kind}{what} {} ({places})",
                self.external_class(s)
            )
        };
        Err(Throw::msg("java/lang/IllegalAccessError", text))
    }
    /// The module of a class; null for one that has no mirror yet, early in the boot.
    fn module_or_null(&mut self, c: ClassId) -> crate::Ref {
        match self.mirror(c).non_null() {
            Some(_) => self.module_of(c),
            None => crate::Ref::NULL,
        }
    }
    /// PermittedSubclasses of `s` (JVMS 4.7.31).
    fn check_sealed(&mut self, o: &VtableOwner, s: ClassId, kind: &str, cf: &ClassFile) -> R<()> {
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
