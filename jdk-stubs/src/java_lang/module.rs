//! Natives of `java.lang.Module`.

use crate::support::non_null;
use rjvm_vm::modules::{ModuleDef, ModuleError};
use rjvm_vm::{Env, LoaderId, R, Ref, Sym, Throw, jdk, natives};

natives! { "java/lang/Module";
    defineModule0 "(Ljava/lang/Module;ZLjava/lang/String;Ljava/lang/String;[Ljava/lang/Object;)V" => define_module;
    addReads0 "(Ljava/lang/Module;Ljava/lang/Module;)V" => add_reads;
    addExports0 "(Ljava/lang/Module;Ljava/lang/String;Ljava/lang/Module;)V" => add_exports;
    addExportsToAll0 "(Ljava/lang/Module;Ljava/lang/String;)V" => add_exports_to_all;
    addExportsToAllUnnamed0 "(Ljava/lang/Module;Ljava/lang/String;)V" => add_exports_to_all_unnamed;
}

fn illegal(m: impl Into<String>) -> Box<Throw> {
    Throw::msg("java/lang/IllegalArgumentException", m)
}

/// Whether an object is the platform's class loader.
pub fn is_platform_loader(vm: &Env, loader: Ref) -> bool {
    *vm.class(vm.class_of(loader)).name == *"jdk/internal/loader/ClassLoaders$PlatformClassLoader"
}

fn define_module(
    vm: &mut Env,
    module: Ref,
    open: bool,
    version: Ref,
    location: Ref,
    packages: Ref,
) -> R<()> {
    if module.is_null() {
        return Err(Throw::msg(
            "java/lang/NullPointerException",
            "Null module object",
        ));
    }
    let name = vm.get(module, jdk::module::NAME);
    if name.is_null() {
        return Err(illegal("Module name cannot be null"));
    }
    let name = vm.string(name);
    let loader_object = vm.get(module, jdk::module::LOADER);
    let loader = vm.loader_id(loader_object);
    let mut list = Vec::new();
    if !packages.is_null() {
        for i in 0..vm.heap().len(packages) {
            let p = vm.heap().elem_ref(packages, i);
            if p.is_null() || vm.class_of(p) != vm.known().string {
                return Err(illegal("Bad package name"));
            }
            let p = vm.string(p).replace('.', "/");
            if !rjvm_classfile::descriptor::is_binary_name(&p) {
                return Err(illegal(format!(
                    "Invalid package name: {p} for module: {name}"
                )));
            }
            if loader != LoaderId::BOOT
                && (p == "java" || p.starts_with("java/"))
                && !is_platform_loader(vm, loader_object)
            {
                let class = vm.class(vm.class_of(loader_object)).dotted();
                return Err(illegal(format!(
                    "Class loader (instance of): {class} tried to define prohibited package name: {}",
                    p.replace('/', ".")
                )));
            }
            list.push(p);
        }
    }
    let def = ModuleDef {
        object: module,
        name: name.clone(),
        version: version.non_null().map(|s| vm.string(s)),
        location: location.non_null().map(|s| vm.string(s)),
        open,
        loader,
        packages: list,
    };
    match vm.define_module(def) {
        Ok(_) => Ok(()),
        Err(ModuleError::Defined) => Err(Throw::msg(
            "java/lang/IllegalStateException",
            format!("Module {name} is already defined"),
        )),
        Err(ModuleError::Package(p, other)) => {
            let p = p.replace('/', ".");
            let m = match other {
                Some(o) => format!(
                    "Package {p} for module {name} is already in another module, {o}, defined to the class loader"
                ),
                None => format!(
                    "Package {p} for module {name} is already in the unnamed module defined to the class loader"
                ),
            };
            Err(Throw::msg("java/lang/IllegalStateException", m))
        }
    }
}

fn add_reads(vm: &mut Env, from: Ref, to: Ref) -> R<()> {
    if from.is_null() {
        return Err(Throw::msg(
            "java/lang/NullPointerException",
            "from_module is null",
        ));
    }
    vm.add_reads(from, to);
    Ok(())
}

/// The package named by Java code, which must be one of the module's.
fn package(vm: &mut Env, from: Ref, name: Ref) -> R<Sym> {
    if from.is_null() {
        return Err(Throw::msg(
            "java/lang/NullPointerException",
            "from_module is null",
        ));
    }
    if name.is_null() {
        return Err(Throw::msg(
            "java/lang/NullPointerException",
            "package is null",
        ));
    }
    let dotted = vm.string(name);
    let p = vm.symbol(&dotted.replace('.', "/"));
    if !vm.module_is_defined(from) || vm.module_has_package(from, p) {
        return Ok(p);
    }
    let module = vm.module_name(from).map_or_else(String::new, |(n, _)| n);
    Err(illegal(format!(
        "Package {dotted} not found in from_module {module}"
    )))
}

fn add_exports(vm: &mut Env, from: Ref, name: Ref, to: Ref) -> R<()> {
    let p = package(vm, from, name)?;
    if to.is_null() {
        return Err(Throw::msg(
            "java/lang/NullPointerException",
            "to_module is null",
        ));
    }
    vm.add_exports(from, p, to);
    Ok(())
}

fn add_exports_to_all(vm: &mut Env, from: Ref, name: Ref) -> R<()> {
    let p = package(vm, from, name)?;
    vm.add_exports(from, p, Ref::NULL);
    Ok(())
}

fn add_exports_to_all_unnamed(vm: &mut Env, from: Ref, name: Ref) -> R<()> {
    let p = package(vm, non_null(from)?, name)?;
    vm.add_exports_to_all_unnamed(from, p);
    Ok(())
}
