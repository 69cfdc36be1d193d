//! Natives of `jdk.internal.loader.BootLoader`.

use crate::support::{non_null, string_arg, string_array};
use rjvm_vm::{Env, LoaderId, R, Ref, natives};
use std::collections::BTreeSet;

natives! { "jdk/internal/loader/BootLoader";
    setBootLoaderUnnamedModule0 "(Ljava/lang/Module;)V" => set_boot_loader_unnamed_module;
    getSystemPackageNames "()[Ljava/lang/String;" => get_system_package_names;
    getSystemPackageLocation "(Ljava/lang/String;)Ljava/lang/String;" => get_system_package_location;
}

fn set_boot_loader_unnamed_module(vm: &mut Env, module: Ref) -> R<()> {
    vm.set_boot_unnamed_module(non_null(module)?);
    Ok(())
}

/// Packages the boot loader has classes of.
fn get_system_package_names(vm: &mut Env) -> R<Ref> {
    let classes = vm.all_classes().iter().map(|&c| vm.class(c));
    let own = classes.filter(|k| k.loader == LoaderId::BOOT && k.cf.is_some());
    let names: BTreeSet<&str> = own.map(|k| &**vm.symbols().str(k.package)).collect();
    let names = names.into_iter().filter(|n| !n.is_empty());
    let names: Vec<String> = names.map(str::to_owned).collect();
    string_array(vm, &names)
}

/// Where the first class of a package comes from.
fn get_system_package_location(vm: &mut Env, name: Ref) -> R<Ref> {
    let name = string_arg(vm, name)?.replace('.', "/");
    let Some(package) = vm.symbols().find(&name).filter(|_| !name.is_empty()) else {
        return Ok(Ref::NULL);
    };
    let mut classes = vm.all_classes().iter().map(|&c| vm.class(c));
    let first =
        classes.find(|k| k.package == package && k.loader == LoaderId::BOOT && k.cf.is_some());
    let Some(source) = first.map(|k| k.source.clone()) else {
        return Ok(Ref::NULL);
    };
    let module = vm.module_of_package(LoaderId::BOOT, package);
    let location = module.non_null().and_then(|m| vm.module_location(m));
    match location.or_else(|| source.map(|s| s.to_string())) {
        Some(location) => vm.new_string(&location),
        None => Ok(Ref::NULL),
    }
}
