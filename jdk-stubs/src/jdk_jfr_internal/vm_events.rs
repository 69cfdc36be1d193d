//! Events that the VM itself emits when the library asks for them: at the beginning of a chunk, at its end, or every now and then.

use super::recorder::{Recorder, add_events};
use rjvm_jfr::{Given, put_long};
use rjvm_vm::{Env, R};

/// Emits the events of a type at a time; false if the VM has none of the type.
pub fn emit(vm: &mut Env, number: i64, at: i64) -> R<bool> {
    let recorder = Recorder::of(vm);
    let enabled = recorder.settings.get(&number).is_some_and(|s| s.enabled);
    let Some(name) = recorder.layouts.name(number).map(str::to_owned) else {
        return Ok(false);
    };
    if !enabled {
        return Ok(false);
    }
    let text = |text: &str| Given::Text(Some(text.to_owned()));
    let all: Vec<Vec<(&'static str, Given)>> = match &*name {
        "jdk.JVMInformation" => {
            let property = |vm: &Env, name: &str| {
                let all = &vm.options().properties;
                all.iter()
                    .find(|p| p.0 == name)
                    .map_or(String::new(), |p| p.1.clone())
            };
            let (name, version) = (
                property(vm, "java.vm.name"),
                property(vm, "java.vm.version"),
            );
            let words = property(vm, "sun.java.command");
            let arguments = vm.options().arguments.join(" ");
            let started = vm.started();
            let began = super::recorder::now_of_world(vm) - (vm.clock_ns() - started);
            let pid = vm.host().processes().own_id();
            vec![vec![
                ("jvmName", text(&name)),
                ("jvmVersion", text(&version)),
                ("jvmArguments", text(&arguments)),
                ("javaArguments", text(&words)),
                ("jvmStartTime", Given::Long(began / 1_000_000)),
                ("pid", Given::Long(pid)),
            ]]
        }
        "jdk.InitialSystemProperty" => {
            let all = vm.options().properties.clone();
            let row = |(key, value): (String, String)| {
                vec![
                    ("key", Given::Text(Some(key))),
                    ("value", Given::Text(Some(value))),
                ]
            };
            all.into_iter().map(row).collect()
        }
        "jdk.JavaThreadStatistics" => {
            let active = vm.live_threads().len() as i64;
            let all = vm.threads_started() as i64;
            vec![vec![
                ("activeCount", Given::Long(active)),
                ("accumulatedCount", Given::Long(all)),
            ]]
        }
        "jdk.ClassLoadingStatistics" => {
            let (loaded, unloaded) = vm.class_counts();
            vec![vec![
                ("loadedClassCount", Given::Long(loaded as i64)),
                ("unloadedClassCount", Given::Long(unloaded as i64)),
            ]]
        }
        _ => return Ok(false),
    };
    let mut out = Vec::new();
    for mut values in all {
        values.push(("startTime", Given::Long(at)));
        let mut body = Vec::new();
        put_long(&mut body, number);
        Recorder::of(vm).layouts.value(number, &values, &mut body);
        rjvm_jfr::put_event(&mut out, &body);
    }
    add_events(vm, out);
    Ok(true)
}
