//! Which protection domains may see which classes: with a security manager the class loader is asked
//! when a class is resolved, once for each class and domain (JDK: `ClassLoader.checkPackageAccess`).

use crate::classes::Resolved;
use crate::classes::load::Mode;
use crate::ids::{ClassId, LoaderId, Ref};
use crate::jdk::calls;
use crate::natives::Env;
use crate::throw::{Cont, Next, R, Resume, Throw};
use crate::vm::Vm;
use hashbrown::HashSet;

/// The classes that domains (by identity hash) have seen through loaders.
#[derive(Default)]
pub(crate) struct Domains {
    seen: HashSet<(LoaderId, ClassId, i32)>,
    /// The classes resolved before there was a security manager are included.
    filled: bool,
    /// The domain that asks for classes now.
    asking: Ref,
}

impl Domains {
    /// Forgets classes that are unloaded.
    pub(super) fn forget(&mut self, lives: impl Fn(ClassId) -> bool) {
        self.seen.retain(|k| lives(k.1));
    }
    /// Forgets loaders that are gone.
    pub(super) fn forget_loaders(&mut self, dead: &[LoaderId]) {
        self.seen.retain(|k| !dead.contains(&k.0));
    }
}

impl Env {
    /// Loads classes on behalf of a class: its domain has to be allowed to see them.
    pub fn in_domain_of<T>(&mut self, c: ClassId, f: impl FnOnce(&mut Env) -> T) -> T {
        self.0.in_domain_of(c, |vm| f(Env::of(vm)))
    }
}

impl Vm {
    /// Loads classes on behalf of a class: its domain has to be allowed to see them.
    pub(crate) fn in_domain_of<T>(&mut self, c: ClassId, f: impl FnOnce(&mut Vm) -> T) -> T {
        let domain = self.protection_domain(c);
        self.in_domain(domain, f)
    }
    /// The same for a class that is being made.
    pub(super) fn in_domain<T>(&mut self, domain: Ref, f: impl FnOnce(&mut Vm) -> T) -> T {
        let outer = std::mem::replace(&mut self.loaded.linker.domains.asking, domain);
        let r = f(self);
        self.loaded.linker.domains.asking = outer;
        r
    }
    /// The class, if who asks for it may see it; the upcall that finds out.
    pub(super) fn seen(&mut self, loader: LoaderId, c: ClassId, mode: Mode) -> R<ClassId> {
        if loader == LoaderId::BOOT || !self.booted {
            return Ok(c);
        }
        let manager = self.has_field(crate::jdk::system::SECURITY);
        if manager.is_none_or(|f| self.get_static(f).is_null()) {
            return Ok(c);
        }
        let domain = match mode {
            Mode::Resolve(from, _) => self.protection_domain(from),
            _ => self.loaded.linker.domains.asking,
        };
        let mut element = c;
        while let crate::classes::ClassKind::Array(e) = self.class(element).kind {
            element = e;
        }
        // a domain sees its own classes
        let own = |vm: &mut Vm| vm.protection_domain(element) == domain;
        if domain.is_null() || self.class(element).is_primitive() || own(self) {
            return Ok(c);
        }
        self.fill_domains();
        let key = (loader, element, self.identity_hash(domain));
        if self.loaded.linker.domains.seen.contains(&key) {
            return Ok(c);
        }
        if self.is_quiet() {
            return Err(Box::new(Throw::Block));
        }
        let Some(check) = self.has_method(calls::class_loader::CHECK_PACKAGE_ACCESS) else {
            return Ok(c);
        };
        let check = self.jdk_method(self.loaded.known.class_loader, check);
        let args = [self.loader_object(loader), self.mirror(element), domain];
        let args = args.map(|r| u64::from(r.0));
        let cont = Cont::own(
            |vm, c, result| {
                if let Err(e) = result {
                    return Next::Throw(Throw::object(e));
                }
                let [loader, class, hash] = c.data;
                let key = (LoaderId(loader as u32), ClassId(class as u32), hash as i32);
                vm.loaded.linker.domains.seen.insert(key);
                Next::Return(crate::Value::Void)
            },
            [loader.0.into(), element.0.into(), key.2 as u32 as u64],
            [Ref::NULL; 3],
        );
        Err(Throw::call(check, &args, cont, Resume::Again))
    }
    /// Takes in what classes have resolved before there was a security manager.
    fn fill_domains(&mut self) {
        if std::mem::replace(&mut self.loaded.linker.domains.filled, true) {
            return;
        }
        for from in self.loaded.classes.clone() {
            let loader = self.class(from).loader;
            if loader == LoaderId::BOOT || self.class(from).cf.is_none() {
                continue;
            }
            let domain = self.protection_domain(from);
            if domain.is_null() {
                continue;
            }
            let hash = self.identity_hash(domain);
            let resolved = self.class(from).all_states();
            let classes: Vec<ClassId> = resolved
                .filter_map(|r| match r {
                    Resolved::Class(k) => Some(k),
                    _ => None,
                })
                .collect();
            let supers = self.class(from).interfaces.iter().copied();
            let supers: Vec<ClassId> = supers.chain(self.class(from).super_class).collect();
            for k in classes.into_iter().chain(supers) {
                self.loaded.linker.domains.seen.insert((loader, k, hash));
            }
        }
    }
}
