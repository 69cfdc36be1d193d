//! Natives of `com.sun.management.internal.OperatingSystemImpl`, as far as the host reports.

use crate::io::state;
use rjvm_vm::host::ProcessorTime;
use rjvm_vm::{Env, R, Ref, natives};
use std::collections::BTreeMap;

natives! { "com/sun/management/internal/OperatingSystemImpl";
    initialize0 "()V" => initialize;
    getProcessCpuTime0 "()J" => get_process_cpu_time;
    getProcessCpuLoad0 "()D" => process_load;
    getCpuLoad0 "()D" => machine_load;
    getSingleCpuLoad0 "(I)D" => load_of;
    getHostConfiguredCpuCount0 "()I" => processors;
    getHostOnlineCpuCount0 "()I" => processors;
    getTotalMemorySize0 "()J" => total_memory;
    getFreeMemorySize0 "()J" => free_memory;
    getTotalSwapSpaceSize0 "()J" => total_swap;
    getFreeSwapSpaceSize0 "()J" => free_swap;
    getCommittedVirtualMemorySize0 "()J" => committed_memory;
    getHostTotalCpuTicks0 "()J" => ticks;
    getMaxFileDescriptorCount0 "()J" => max_descriptors;
    getOpenFileDescriptorCount0 "()J" => open_descriptors;
}

/// Processor time and clock when the process's load was last requested.
type LoadSample = Option<(i64, i64)>;
const KEY: &str = "load of the process";
/// What processors had done when their load was last requested.
const LOADS: &str = "load of processors";
/// Instead of the number of a processor.
const ALL: i32 = -1;

fn requested(vm: &mut Env) -> (i64, i64, LoadSample) {
    let (cpu, now) = (vm.process_cpu_time(), vm.clock_ns());
    let last = state::<LoadSample>(vm.extensions(), KEY).replace((cpu, now));
    (cpu, now, last)
}

/// From now on the load is measured.
fn initialize(vm: &mut Env) -> R<()> {
    requested(vm);
    load(vm, ALL);
    Ok(())
}

/// Which part of the processors' time this process has used since the last call.
fn process_load(vm: &mut Env, _this: Ref) -> R<f64> {
    let (cpu, now, last) = requested(vm);
    let (cpu_then, then) = last.unwrap_or((cpu, now));
    let time = (now - then) as f64 * f64::from(crate::java_lang::PROCESSORS);
    let load = (cpu - cpu_then) as f64 / time;
    // no time has passed, or none that a processor's clock has noticed
    Ok(if load.is_finite() {
        load.clamp(0.0, 1.0)
    } else {
        0.0
    })
}

fn get_process_cpu_time(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.process_cpu_time())
}

/// Which part of the time processors have been at work since this was last asked of them; negative: not known.
fn load(vm: &mut Env, number: i32) -> f64 {
    let now = vm.host().processes().processor_time(number);
    if now.total == 0 {
        return -1.0;
    }
    let all = state::<BTreeMap<i32, ProcessorTime>>(vm.extensions(), LOADS);
    let then = all.insert(number, now).unwrap_or(now);
    let (used, total) = (
        now.used.saturating_sub(then.used),
        now.total.saturating_sub(then.total),
    );
    match total {
        0 => 0.0,
        _ => (used as f64 / total as f64).min(1.0),
    }
}

fn machine_load(vm: &mut Env, _this: Ref) -> R<f64> {
    Ok(load(vm, ALL))
}

fn load_of(vm: &mut Env, _this: Ref, cpu: i32) -> R<f64> {
    Ok(match cpu {
        0.. => load(vm, cpu),
        _ => -1.0,
    })
}

fn total_memory(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.host().processes().memory().total as i64)
}

fn free_memory(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.host().processes().memory().free as i64)
}

fn total_swap(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.host().processes().memory().swap as i64)
}

fn free_swap(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.host().processes().memory().free_swap as i64)
}

fn committed_memory(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.host().processes().memory().committed as i64)
}

/// Negative: not known.
fn ticks(vm: &mut Env, _this: Ref) -> R<i64> {
    let total = vm.host().processes().processor_time(ALL).total;
    Ok(if total == 0 { -1 } else { total as i64 })
}

fn max_descriptors(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.host().descriptors().limit().into())
}

/// Those of this VM.
fn open_descriptors(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.host().descriptors().open_count())
}

fn processors(_: &mut Env, _this: Ref) -> R<i32> {
    Ok(crate::java_lang::PROCESSORS)
}
