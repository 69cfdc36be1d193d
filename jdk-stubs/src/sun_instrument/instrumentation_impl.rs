//! Natives of `sun.instrument.InstrumentationImpl`, whose objects know their agent by a number.

use super::manifest::{self, AgentRole};
use super::object_size::object_size;
use crate::support::{class_array, non_null, string_arg};
use rjvm_vm::classes::ClassKind;
use rjvm_vm::throw::{Cont, Next, Resume, Upcall};
use rjvm_vm::{ClassId, Env, R, Ref, Throw, Value, jdk, natives};
use std::path::Path;

natives! { "sun/instrument/InstrumentationImpl";
    jarFile "(J)Ljava/lang/String;" since 21 => jar_file;
    isModifiableClass0 "(JLjava/lang/Class;)Z" => is_modifiable_class;
    isRetransformClassesSupported0 "(J)Z" => is_retransform_classes_supported;
    setHasTransformers "(JZ)V" => set_has_transformers;
    setHasRetransformableTransformers "(JZ)V" => set_has_retransformable_transformers;
    retransformClasses0 "(J[Ljava/lang/Class;)V" => retransform_classes;
    redefineClasses0 "(J[Ljava/lang/instrument/ClassDefinition;)V" => redefine_classes;
    getAllLoadedClasses0 "(J)[Ljava/lang/Class;" => get_all_loaded_classes;
    getInitiatedClasses0 "(JLjava/lang/ClassLoader;)[Ljava/lang/Class;" => get_initiated_classes;
    getObjectSize0 "(JLjava/lang/Object;)J" => get_object_size;
    appendToClassLoaderSearch0 "(JLjava/lang/String;Z)V" => append_to_class_loader_search;
    setNativeMethodPrefixes "(J[Ljava/lang/String;Z)V" => set_native_method_prefixes;
    loadAgent0 "(Ljava/lang/String;)V" => load_agent;
}

fn jar_file(vm: &mut Env, _: Ref, agent: i64) -> R<Ref> {
    match vm.agent_jar(agent) {
        Some(jar) => vm.new_string(&jar),
        None => Ok(Ref::NULL),
    }
}

fn is_modifiable_class(vm: &mut Env, _: Ref, _: i64, class: Ref) -> R<bool> {
    let class = vm.of_mirror(non_null(class)?);
    Ok(vm.is_modifiable(class))
}

fn is_retransform_classes_supported(vm: &mut Env, _: Ref, agent: i64) -> R<bool> {
    Ok(vm.agent_permits(agent).retransform)
}

fn set_has_transformers(vm: &mut Env, _: Ref, agent: i64, has: bool) -> R<()> {
    vm.set_agent_transforms(agent, false, has);
    Ok(())
}

fn set_has_retransformable_transformers(vm: &mut Env, _: Ref, agent: i64, has: bool) -> R<()> {
    vm.set_agent_transforms(agent, true, has);
    Ok(())
}

/// The elements of an array of references, none of which may be null.
fn elements(vm: &Env, array: Ref) -> R<Vec<Ref>> {
    let array = non_null(array)?;
    let all = (0..vm.heap().len(array)).map(|i| non_null(vm.heap().elem_ref(array, i)));
    all.collect()
}

fn retransform_classes(vm: &mut Env, _: Ref, _: i64, classes: Ref) -> R<()> {
    let classes = elements(vm, classes)?;
    let all: Vec<_> = classes.iter().map(|&c| (vm.of_mirror(c), None)).collect();
    vm.redefine_classes(&all)
}

fn redefine_classes(vm: &mut Env, _: Ref, _: i64, definitions: Ref) -> R<()> {
    let mut all = Vec::new();
    for definition in elements(vm, definitions)? {
        let class = non_null(vm.get(definition, jdk::class_definition::CLASS_OF_IT)?)?;
        let bytes = non_null(vm.get(definition, jdk::class_definition::CLASS_FILE)?)?;
        let bytes = vm.heap().bytes(bytes).to_vec();
        all.push((vm.of_mirror(class), Some(bytes)));
    }
    vm.redefine_classes(&all)
}

fn get_all_loaded_classes(vm: &mut Env, _: Ref, _: i64) -> R<Ref> {
    let all = vm.all_classes().iter().copied();
    let all: Vec<ClassId> = all.filter(|&c| !vm.class(c).is_primitive()).collect();
    class_array(vm, &all)
}

fn get_initiated_classes(vm: &mut Env, _: Ref, _: i64, loader: Ref) -> R<Ref> {
    let loader = vm.loader_id(loader);
    let mut all = vm.initiated_classes(loader);
    // arrays of primitive types are in no table, and HotSpot names them for all loaders
    let arrays =
        vm.all_classes().iter().copied().filter(
            |&c| matches!(vm.class(c).kind, ClassKind::Array(e) if vm.class(e).is_primitive()),
        );
    all.extend(arrays.collect::<Vec<_>>());
    class_array(vm, &all)
}

fn get_object_size(vm: &mut Env, _: Ref, _: i64, object: Ref) -> R<i64> {
    let object = non_null(object)?;
    Ok(object_size(vm, object))
}

fn append_to_class_loader_search(vm: &mut Env, _: Ref, _: i64, jar: Ref, boot: bool) -> R<()> {
    let jar = string_arg(vm, jar)?;
    granted(vm)?;
    if boot {
        vm.append_to_boot_path(Path::new(&jar));
        return Ok(());
    }
    let class = vm.known().class_loader;
    let get = jdk::calls::class_loader::GET_SYSTEM_CLASS_LOADER;
    let method = vm.jdk_method(class, get);
    let call = rjvm_vm::throw::Call::new(vm, method, &[]);
    let jar = vm.new_string(&jar)?;
    let cont = Cont::new(appended, [0; 3], [jar, Ref::NULL, Ref::NULL]);
    Err(call.then(cont, Resume::Value))
}

/// Jars of agents are read past the host: a guest may not have that.
fn granted(vm: &Env) -> R<()> {
    match vm.options().java_agents {
        true => Ok(()),
        false => Err(Throw::msg(
            "java/lang/UnsupportedOperationException",
            "Java agents are not granted",
        )),
    }
}

/// The system class loader is there, or has been asked to look into the jar.
fn appended(vm: &mut Env, c: &mut Cont, input: Result<Value, Ref>) -> Next {
    let value = match input {
        Ok(value) => value,
        Err(e) => return Next::Throw(Throw::object(e)),
    };
    match c.data[0] {
        0 => (c.refs[1], c.data[0]) = (value.reference(), 1),
        2 => return Next::Return(Value::Void),
        _ => {}
    }
    let jar = vm.string(c.refs[0]);
    match vm.append_call(c.refs[1], &jar) {
        Ok(call) => {
            c.data[0] = 2;
            Next::Call(call)
        }
        Err(t) => Next::Throw(t),
    }
}

fn set_native_method_prefixes(
    vm: &mut Env,
    _: Ref,
    agent: i64,
    prefixes: Ref,
    again: bool,
) -> R<()> {
    let mut all = Vec::new();
    for i in 0..vm.heap().len(non_null(prefixes)?) {
        if let Some(prefix) = vm.heap().elem_ref(prefixes, i).non_null() {
            all.push(vm.string(prefix));
        }
    }
    vm.set_agent_prefixes(agent, again, all);
    Ok(())
}

/// Starts the agent in the jar that `java -jar` runs.
fn load_agent(vm: &mut Env, jar: Ref) -> R<()> {
    let jar = string_arg(vm, jar)?;
    granted(vm)?;
    let failed = |text: String| Throw::msg("java/lang/InternalError", text);
    let wanted = AgentRole::Launcher;
    let mut start = match manifest::read(&jar, wanted) {
        Ok(start) => start,
        Err(e) => return Err(failed(e.to_string())),
    };
    start.options = Some(String::new());
    start.reports = Some("main");
    let cont = vm.agent_starter(start);
    let started = Throw::Upcall(Upcall {
        call: None,
        cont: Some(cont),
        resume: Resume::Value,
    });
    Err(Box::new(started))
}
