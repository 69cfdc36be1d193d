//! Verification of the VM's classes: which ones are verified, how far that has come, and the classes around them.

use super::acc;
use crate::ids::{ClassId, LoaderId};
use crate::throw::{R, Throw};
use crate::verify::world::World;
use crate::verify::{Progress, verify};
use crate::vm::{Extensions, Vm};
use hashbrown::HashMap;
use rjvm_classfile::ClassFile;
use std::sync::Arc;

/// Where [`Progress`] of classes is kept in the VM.
const JOBS: &str = "verify";

/// Verifies a class that is about to be linked: throws VerifyError or ClassFormatError. May end in
/// an upcall (a class has to be loaded) with `Resume::Again`.
pub fn verify_class(vm: &mut Vm, c: ClassId) -> R<()> {
    let Some(cf) = vm.class(c).cf.clone() else {
        return Ok(());
    };
    if !is_eligible(vm, c) {
        return Ok(());
    }
    let name = vm.name(c);
    let cf = vm.loaded.linker.take_unverified(c, &cf);
    let mut job = jobs(vm).remove(&c).unwrap_or_default();
    match verify(&mut VmWorld::new(vm, c), &cf, &name, &mut job) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(f)) => Err(Throw::msg(f.class, f.message)),
        Err(e) => {
            jobs(vm).insert(c, job);
            vm.loaded.linker.keep_unverified(c, cf);
            Err(e)
        }
    }
}

/// Forgets classes that are being unloaded.
pub(crate) fn forget(ext: &mut Extensions, lives: impl Fn(ClassId) -> bool) {
    if let Some(jobs) = ext.get_mut(JOBS)
        && let Some(jobs) = jobs.downcast_mut::<HashMap<ClassId, Progress<ClassId>>>()
    {
        jobs.retain(|&c, _| lives(c));
    }
}

/// Verifies a class file that is to give class `c` new code. May end in an upcall as [`verify_class`]; it
/// begins again then.
pub(crate) fn verify_file(vm: &mut Vm, c: ClassId, cf: &ClassFile) -> R<()> {
    let name = vm.name(c);
    let mut world = VmWorld::new(vm, c);
    // it would begin again each time, and never come to an end
    world.stops = false;
    match verify(&mut world, cf, &name, &mut Progress::default())? {
        Ok(()) => Ok(()),
        Err(f) => Err(Throw::msg(f.class, f.message)),
    }
}

fn jobs(vm: &mut Vm) -> &mut HashMap<ClassId, Progress<ClassId>> {
    let any = vm
        .ext
        .entry(JOBS)
        .or_insert_with(|| Box::new(HashMap::<ClassId, Progress<ClassId>>::new()));
    if !any.is::<HashMap<ClassId, Progress<ClassId>>>() {
        *any = Box::new(HashMap::<ClassId, Progress<ClassId>>::new());
    }
    any.downcast_mut().expect("just made sure of")
}

/// Whether a class is verified: not the JDK's own of the boot loader unless requested, and not the accessors that
/// reflection generates, which break the rules of access on purpose.
fn is_eligible(vm: &Vm, c: ClassId) -> bool {
    let k = vm.class(c);
    let trusted = k.loader == LoaderId::BOOT && !k.given;
    let wanted = match trusted {
        true => vm.options.verify_boot,
        false => vm.options.verify_app,
    };
    let mut s = vm.class(c).super_class;
    while wanted && let Some(k) = s {
        let k = vm.class(k);
        if k.loader == LoaderId::BOOT && &*k.name == "jdk/internal/reflect/MagicAccessorImpl" {
            return false;
        }
        s = k.super_class;
    }
    wanted
}

/// The classes of a VM.
struct VmWorld<'v> {
    vm: &'v mut Vm,
    class: ClassId,
    loader: LoaderId,
    /// It can be stopped.
    stops: bool,
}

impl VmWorld<'_> {
    /// As `class` sees them.
    fn new(vm: &mut Vm, class: ClassId) -> VmWorld<'_> {
        let loader = vm.class(class).loader;
        VmWorld {
            vm,
            class,
            loader,
            stops: true,
        }
    }
}

impl World for VmWorld<'_> {
    type Class = ClassId;
    type Error = Box<Throw>;

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
    fn memory(&self) -> usize {
        self.vm.options.work_memory
    }
    fn is_requested(&self) -> bool {
        self.stops && self.vm.in_interpreter && self.vm.limits.canceller.is_requested()
    }
    fn breathe(&mut self) -> R<()> {
        match self.is_requested() {
            true => self.vm.breathe(),
            false => Ok(()),
        }
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
