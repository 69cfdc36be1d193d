//! Natives of `com.sun.management.internal.OperatingSystemImpl`, as far as the host tells.

use rjvm_vm::{R, Ref, Vm, natives};

natives! { "com/sun/management/internal/OperatingSystemImpl";
    initialize0 "()V" => initialize;
    getProcessCpuTime0 "()J" => get_process_cpu_time;
    getProcessCpuLoad0 "()D" => unknown_load;
    getCpuLoad0 "()D" => unknown_load;
    getSingleCpuLoad0 "(I)D" => unknown_load_of;
    getHostConfiguredCpuCount0 "()I" => processors;
    getHostOnlineCpuCount0 "()I" => processors;
    getTotalMemorySize0 "()J" => total_memory;
    getFreeMemorySize0 "()J" => free_memory;
    getTotalSwapSpaceSize0 "()J" => total_swap;
    getFreeSwapSpaceSize0 "()J" => free_swap;
    getCommittedVirtualMemorySize0 "()J" => committed_memory;
    getHostTotalCpuTicks0 "()J" => unknown_ticks;
    getMaxFileDescriptorCount0 "()J" => max_descriptors;
    getOpenFileDescriptorCount0 "()J" => open_descriptors;
}

/// Nothing to prepare.
fn initialize(_: &mut Vm) -> R<()> {
    Ok(())
}

fn get_process_cpu_time(vm: &mut Vm, _this: Ref) -> R<i64> {
    Ok(vm.process_cpu_time())
}

/// Negative: not known.
fn unknown_load(_: &mut Vm, _this: Ref) -> R<f64> {
    Ok(-1.0)
}

fn unknown_load_of(_: &mut Vm, _this: Ref, _cpu: i32) -> R<f64> {
    Ok(-1.0)
}

fn total_memory(vm: &mut Vm, _this: Ref) -> R<i64> {
    Ok(vm.host().processes().memory().total as i64)
}

fn free_memory(vm: &mut Vm, _this: Ref) -> R<i64> {
    Ok(vm.host().processes().memory().free as i64)
}

fn total_swap(vm: &mut Vm, _this: Ref) -> R<i64> {
    Ok(vm.host().processes().memory().swap as i64)
}

fn free_swap(vm: &mut Vm, _this: Ref) -> R<i64> {
    Ok(vm.host().processes().memory().free_swap as i64)
}

fn committed_memory(vm: &mut Vm, _this: Ref) -> R<i64> {
    Ok(vm.host().processes().memory().committed as i64)
}

/// Negative: not known.
fn unknown_ticks(_: &mut Vm, _this: Ref) -> R<i64> {
    Ok(-1)
}

fn max_descriptors(vm: &mut Vm, _this: Ref) -> R<i64> {
    Ok(vm.host().descriptors().limit().into())
}

/// Those of this VM.
fn open_descriptors(vm: &mut Vm, _this: Ref) -> R<i64> {
    Ok(vm.host().descriptors().open_count())
}

fn processors(_: &mut Vm, _this: Ref) -> R<i32> {
    Ok(crate::java_lang::PROCESSORS)
}
