//! Natives of `jdk.internal.loader.BootLoader`.

use crate::support::{non_null, string_arg, string_array};
use rjvm_vm::{Env, LoaderId, R, Ref, natives};
use std::collections::BTreeMap;

natives! { "jdk/internal/loader/BootLoader";
    setBootLoaderUnnamedModule0 "(Ljava/lang/Module;)V" => set_boot_loader_unnamed_module;
    getSystemPackageNames "()[Ljava/lang/String;" => get_system_package_names;
    getSystemPackageLocation "(Ljava/lang/String;)Ljava/lang/String;" => get_system_package_location;
}

fn set_boot_loader_unnamed_module(vm: &mut Env, module: Ref) -> R<()> {
    vm.set_boot_unnamed_module(non_null(module)?);
    Ok(())
}

/// Packages the boot loader has classes of (internal form), each with the location of one.
fn packages(vm: &mut Env) -> BTreeMap<String, Option<String>> {
    let mut all = BTreeMap::new();
    for c in vm.all_classes().to_vec() {
        let class = vm.class(c);
        if class.loader != LoaderId::BOOT || class.cf.is_none() {
            continue;
        }
        let (package, source) = (class.package, class.source.clone());
        let name = vm.symbols().str(package).to_string();
        if name.is_empty() || all.contains_key(&name) {
            continue;
        }
        let module = vm.module_of_package(LoaderId::BOOT, package);
        let location = match module.non_null() {
            Some(m) => vm.module_location(m),
            None => None,
        };
        all.insert(name, location.or_else(|| source.map(|s| s.to_string())));
    }
    all
}

fn get_system_package_names(vm: &mut Env) -> R<Ref> {
    let names: Vec<String> = packages(vm).into_keys().collect();
    string_array(vm, &names)
}

fn get_system_package_location(vm: &mut Env, name: Ref) -> R<Ref> {
    let name = string_arg(vm, name)?.replace('.', "/");
    match packages(vm).remove(&name).flatten() {
        Some(location) => vm.new_string(&location),
        None => Ok(Ref::NULL),
    }
}
