//! Natives of `sun.management.VMManagementImpl`.

use super::thread_impl::Enabled;
use crate::support::string_array;
use rjvm_vm::{Env, R, Ref, jdk, natives};

natives! { "sun/management/VMManagementImpl";
    getVersion0 "()Ljava/lang/String;" => get_version;
    initOptionalSupportFields "()V" => init_optional_support_fields;
    isThreadContentionMonitoringEnabled "()Z" => contention_measured;
    isThreadCpuTimeEnabled "()Z" => cpu_time_enabled;
    isThreadAllocatedMemoryEnabled "()Z" => allocated_memory_enabled;
    getTotalClassCount "()J" => get_total_class_count;
    getUnloadedClassCount "()J" => get_unloaded_class_count;
    getVerboseClass "()Z" => get_verbose_class;
    getVerboseGC "()Z" => get_verbose_gc;
    getProcessId "()I" => get_process_id;
    getVmArguments0 "()[Ljava/lang/String;" => get_vm_arguments;
    getStartupTime "()J" => get_startup_time;
    getUptime0 "()J" => get_uptime;
    getAvailableProcessors "()I" => get_available_processors;
    getTotalThreadCount "()J" => get_total_thread_count;
    getLiveThreadCount "()I" => get_live_thread_count;
    getPeakThreadCount "()I" => get_peak_thread_count;
    getDaemonThreadCount "()I" => get_daemon_thread_count;
}

/// The management interface's version.
fn get_version(vm: &mut Env) -> R<Ref> {
    let version = match vm.feature() {
        ..21 => "3.0",
        _ => "4.0",
    };
    vm.new_string(version)
}

/// All optional parts are supported; diagnostic commands if the host offers some.
fn init_optional_support_fields(vm: &mut Env) -> R<()> {
    use jdk::vm_management_impl as known;
    vm.set_static(known::CURRENT_THREAD_CPU_TIME_SUPPORT, true)?;
    vm.set_static(known::OTHER_THREAD_CPU_TIME_SUPPORT, true)?;
    vm.set_static(known::THREAD_ALLOCATED_MEMORY_SUPPORT, true)?;
    vm.set_static(known::THREAD_CONTENTION_MONITORING_SUPPORT, true)?;
    vm.set_static(known::COMP_TIME_MONITORING_SUPPORT, true)?;
    vm.set_static(known::OBJECT_MONITOR_USAGE_SUPPORT, true)?;
    let commands = vm.has_commands();
    vm.set_static(known::REMOTE_DIAGNOSTIC_COMMANDS_SUPPORT, commands)?;
    vm.set_static(known::SYNCHRONIZER_USAGE_SUPPORT, true)
}

fn contention_measured(vm: &mut Env, _this: Ref) -> R<bool> {
    Ok(vm.measures_contention())
}

fn cpu_time_enabled(vm: &mut Env, _this: Ref) -> R<bool> {
    Ok(Enabled::of(vm).cpu_time)
}

fn allocated_memory_enabled(vm: &mut Env, _this: Ref) -> R<bool> {
    Ok(Enabled::of(vm).allocated_memory)
}

fn get_total_class_count(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.class_counts().0 as i64)
}

fn get_unloaded_class_count(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.class_counts().1 as i64)
}

fn get_verbose_class(vm: &mut Env, _this: Ref) -> R<bool> {
    Ok(vm.verbose_class())
}

fn get_verbose_gc(vm: &mut Env, _this: Ref) -> R<bool> {
    Ok(vm.verbose_gc())
}

fn get_process_id(vm: &mut Env, _this: Ref) -> R<i32> {
    Ok(vm.host().processes().own_id() as i32)
}

fn get_vm_arguments(vm: &mut Env, _this: Ref) -> R<Ref> {
    let args = vm.options().arguments.clone();
    string_array(vm, &args)
}

fn now_millis(vm: &mut Env) -> i64 {
    let (seconds, nanos) = vm.wall_clock();
    seconds * 1000 + i64::from(nanos) / 1_000_000
}

fn get_uptime(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok((vm.clock_ns() - vm.started()) / 1_000_000)
}

fn get_startup_time(vm: &mut Env, this: Ref) -> R<i64> {
    Ok(now_millis(vm) - get_uptime(vm, this)?)
}

fn get_available_processors(_: &mut Env, _this: Ref) -> R<i32> {
    Ok(crate::java_lang::PROCESSORS)
}

fn get_total_thread_count(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.threads_started() as i64)
}

fn get_live_thread_count(vm: &mut Env, _this: Ref) -> R<i32> {
    Ok(vm.platform_threads().len() as i32)
}

fn get_peak_thread_count(vm: &mut Env, _this: Ref) -> R<i32> {
    Ok(vm.peak_of_threads() as i32)
}

fn get_daemon_thread_count(vm: &mut Env, _this: Ref) -> R<i32> {
    let live = vm.platform_threads().into_iter();
    Ok(live.filter(|t| vm.a_thread(*t).daemon).count() as i32)
}
