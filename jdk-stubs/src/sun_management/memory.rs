//! Natives of `sun.management.MemoryImpl`, and of the beans it makes: pools of class metadata and of the heap, and
//! a collector each for young and full collections, under the names that HotSpot's serial collector has for them.

use crate::support::non_null;
use rjvm_vm::heap::history::{self, HEAP, InUse};
use rjvm_vm::heap::sensors::Measure;
use rjvm_vm::jdk::{JdkMethod, calls};
use rjvm_vm::throw::{Call, Cont, Next, Resume, Upcall};
use rjvm_vm::{ClassId, Env, R, Ref, Throw, Value, jdk, natives};
use std::ops::Range;

natives! { "sun/management/MemoryImpl";
    getMemoryPools0 "()[Ljava/lang/management/MemoryPoolMXBean;" => get_memory_pools;
    getMemoryManagers0 "()[Ljava/lang/management/MemoryManagerMXBean;" => get_memory_managers;
    getMemoryUsage0 "(Z)Ljava/lang/management/MemoryUsage;" => get_memory_usage;
    setVerboseGC "(Z)V" => set_verbose_gc;
}

/// Names of the pools, in HotSpot's order.
pub const POOLS: [&str; history::POOLS] = [
    "Metaspace",
    "Compressed Class Space",
    "Eden Space",
    "Survivor Space",
    "Tenured Gen",
];
/// The one of them that only full collections are about, and whose use may have a threshold, as it is not emptied by the next one.
const OLD: usize = 4;
const YOUNG: &str = "Copy";
const FULL: &str = "MarkSweepCompact";
/// The manager of memory that is not collected.
const METADATA: &str = "Metaspace Manager";
/// The managers, in the order of their beans.
const MANAGERS: [&str; 3] = [METADATA, YOUNG, FULL];

/// One of the library's classes, initialized.
pub fn boot_class(vm: &mut Env, name: jdk::ClassName<false>) -> R<ClassId> {
    let c = vm.jdk_class(name)?;
    vm.ensure_initialized(c)?;
    Ok(c)
}

/// An array of these beans, which Java code makes one by one.
fn make(vm: &mut Env, elem: jdk::ClassName<false>, count: usize, pools: bool) -> R<Ref> {
    let elem = boot_class(vm, elem)?;
    boot_class(vm, jdk::management_factory_helper::CLASS)?;
    boot_class(vm, jdk::garbage_collector_ext_impl::CLASS)?;
    let array = vm.new_array_of(elem, count)?;
    Err(Box::new(Throw::Upcall(Upcall {
        call: None,
        cont: Some(Cont::new(
            made,
            [0, count as u64, pools.into()],
            [array, Ref::NULL, Ref::NULL],
        )),
        resume: Resume::Value,
    })))
}

/// Takes the bean just made and asks for the next: `data` is how many have been requested and how many are wanted, and whether
/// they are pools.
fn made(vm: &mut Env, c: &mut Cont, input: Result<Value, Ref>) -> Next {
    let array = c.refs[0];
    match input {
        Err(e) => return Next::Throw(Throw::object(e)),
        Ok(bean) if c.data[0] > 0 => {
            let i = c.data[0] as usize - 1;
            vm.heap_mut().set_elem_ref(array, i, bean.reference());
        }
        Ok(_) => {}
    }
    if c.data[0] == c.data[1] {
        return Next::Return(array.into());
    }
    match bean(vm, c.data[2] == 1, c.data[0]) {
        Ok(call) => {
            c.data[0] += 1;
            Next::Call(call)
        }
        Err(t) => Next::Throw(t),
    }
}

fn bean(vm: &mut Env, pool: bool, index: u64) -> R<Call> {
    if pool {
        let name = vm.intern_str(POOLS[index as usize])?;
        let helper = boot_class(vm, jdk::management_factory_helper::CLASS)?;
        let method = vm.jdk_method(helper, calls::management_factory_helper::CREATE_MEMORY_POOL);
        let index = index as usize;
        let heap = HEAP.contains(&index);
        // a negative one says that there cannot be any
        let threshold = |may_be: bool| Value::Long(if may_be { 0 } else { -1 });
        let (usage, left) = (threshold(!heap || index == OLD), threshold(heap));
        let args = [name.into(), Value::from(heap), usage, left];
        return Ok(Call::new(vm, method, &args));
    }
    let name = MANAGERS[index as usize];
    let name_ref = vm.intern_str(name)?;
    if name == METADATA {
        let helper = boot_class(vm, jdk::management_factory_helper::CLASS)?;
        let method = vm.jdk_method(
            helper,
            calls::management_factory_helper::CREATE_MEMORY_MANAGER,
        );
        return Ok(Call::new(vm, method, &[name_ref.into()]));
    }
    let helper = boot_class(vm, jdk::garbage_collector_ext_impl::CLASS)?;
    let method = vm.jdk_method(
        helper,
        calls::garbage_collector_ext_impl::CREATE_GARBAGE_COLLECTOR,
    );
    Ok(Call::new(
        vm,
        method,
        &[name_ref, Ref::NULL].map(Value::Ref),
    ))
}

fn get_memory_pools(vm: &mut Env) -> R<Ref> {
    make(vm, jdk::memory_pool_mx_bean::CLASS, POOLS.len(), true)
}

fn get_memory_managers(vm: &mut Env) -> R<Ref> {
    make(
        vm,
        jdk::memory_manager_mx_bean::CLASS,
        MANAGERS.len(),
        false,
    )
}

/// A `MemoryUsage`.
fn usage(vm: &mut Env, used: usize, committed: usize, max: i64) -> R<Ref> {
    let class = boot_class(vm, jdk::memory_usage::CLASS)?;
    let u = vm.alloc_object(class)?;
    vm.set(u, jdk::memory_usage::INIT, 0)?;
    vm.set(u, jdk::memory_usage::USED, used as i64)?;
    vm.set(u, jdk::memory_usage::COMMITTED, committed.max(used) as i64)?;
    vm.set(u, jdk::memory_usage::MAX, max)?;
    Ok(u)
}

/// Of a part of the heap, which may hold a little more than its limit while errors are made.
fn heap_usage(vm: &mut Env, used: usize, committed: usize, max: usize) -> R<Ref> {
    let committed = committed.max(used);
    usage(vm, used, committed, max.max(committed) as i64)
}

/// The `MemoryUsage` of pool `i` with so much in use.
pub fn pool_usage(vm: &mut Env, i: usize, in_use: InUse) -> R<Ref> {
    let used = in_use[i];
    match i {
        0 => {
            let committed = vm.heap().metaspace().committed();
            let max = vm.options().max_metaspace.map_or(-1, |n| n as i64);
            usage(vm, used, committed, max)
        }
        1 => {
            let max = vm.options().class_space as i64;
            usage(vm, used, used, max)
        }
        _ => {
            let space = vm.spaces_in_use()[i - HEAP.start];
            heap_usage(vm, used, space.committed, space.max)
        }
    }
}

/// The usage of the heap, or of memory outside it: the metaspace.
fn get_memory_usage(vm: &mut Env, _this: Ref, heap: bool) -> R<Ref> {
    if heap {
        let (used, total, max) = (vm.heap_used(), vm.heap_total(), vm.heap_max());
        return heap_usage(vm, used, total, max);
    }
    let in_use = vm.memory_in_use();
    pool_usage(vm, 0, in_use)
}

/// A range of the beans that a method of `MemoryImpl` returns, in a new array.
fn some_beans(
    vm: &mut Env,
    elem: jdk::ClassName<false>,
    all: JdkMethod,
    which: Range<usize>,
) -> R<Ref> {
    let c = boot_class(vm, jdk::memory_impl::CLASS)?;
    let m = vm.jdk_method(c, all);
    let elem = boot_class(vm, elem)?;
    let some = vm.new_array_of(elem, which.len())?;
    let cont = Cont::new(
        |vm, c, input| match input {
            Ok(all) => {
                let some = c.refs[0];
                for i in 0..vm.heap().len(some) {
                    let bean = vm.heap().elem_ref(all.reference(), c.data[0] as usize + i);
                    vm.heap_mut().set_elem_ref(some, i, bean);
                }
                Next::Return(some.into())
            }
            Err(e) => Next::Throw(Throw::object(e)),
        },
        [which.start as u64, 0, 0],
        [some, Ref::NULL, Ref::NULL],
    );
    Err(Call::new(vm, m, &[]).then(cont, Resume::Value))
}

fn set_verbose_gc(vm: &mut Env, _this: Ref, on: bool) -> R<()> {
    vm.set_verbose_gc(on);
    Ok(())
}

pub mod pool {
    //! Natives of `sun.management.MemoryPoolImpl`.
    use super::*;

    natives! { "sun/management/MemoryPoolImpl";
        getUsage0 "()Ljava/lang/management/MemoryUsage;" => get_usage;
        getPeakUsage0 "()Ljava/lang/management/MemoryUsage;" => get_peak_usage;
        resetPeakUsage0 "()V" => reset_peak_usage;
        getCollectionUsage0 "()Ljava/lang/management/MemoryUsage;" => get_collection_usage;
        setUsageThreshold0 "(JJ)V" => set_usage_threshold;
        setCollectionThreshold0 "(JJ)V" => set_collection_threshold;
        setPoolUsageSensor "(Lsun/management/Sensor;)V" => set_usage_sensor;
        setPoolCollectionSensor "(Lsun/management/Sensor;)V" => set_collection_sensor;
        getMemoryManagers0 "()[Ljava/lang/management/MemoryManagerMXBean;" => managers;
    }

    /// Number of the pool in [`POOLS`].
    fn index(vm: &mut Env, this: Ref) -> R<usize> {
        let name = vm.get(this, jdk::memory_pool_impl::NAME)?;
        let name = vm.string(name);
        Ok(POOLS.iter().position(|p| *p == name).unwrap_or(0))
    }

    fn get_usage(vm: &mut Env, this: Ref) -> R<Ref> {
        let i = index(vm, this)?;
        let used = vm.memory_in_use();
        pool_usage(vm, i, used)
    }

    fn get_peak_usage(vm: &mut Env, this: Ref) -> R<Ref> {
        let i = index(vm, this)?;
        let peak = vm.memory_peak();
        pool_usage(vm, i, peak)
    }

    fn reset_peak_usage(vm: &mut Env, this: Ref) -> R<()> {
        let i = index(vm, this)?;
        vm.reset_memory_peak(i);
        Ok(())
    }

    /// The usage after the last collection; null for a pool that is not collected.
    fn get_collection_usage(vm: &mut Env, this: Ref) -> R<Ref> {
        let i = index(vm, this)?;
        if !HEAP.contains(&i) {
            return Ok(Ref::NULL);
        }
        let left = vm.memory_left();
        match left[i] {
            Some(_) => pool_usage(vm, i, left.map(Option::unwrap_or_default)),
            None => {
                let max = vm.spaces_in_use()[i - HEAP.start].max;
                usage(vm, 0, 0, max as i64)
            }
        }
    }

    fn set_threshold(vm: &mut Env, this: Ref, measure: Measure, bytes: i64) -> R<()> {
        let i = index(vm, this)?;
        // the library has refused what is negative
        vm.set_pool_threshold(i, measure, usize::try_from(bytes).unwrap_or(0));
        Ok(())
    }

    fn set_usage_threshold(vm: &mut Env, this: Ref, _before: i64, bytes: i64) -> R<()> {
        set_threshold(vm, this, Measure::Usage, bytes)
    }

    fn set_collection_threshold(vm: &mut Env, this: Ref, _before: i64, bytes: i64) -> R<()> {
        set_threshold(vm, this, Measure::Collection, bytes)
    }

    fn set_sensor(vm: &mut Env, this: Ref, measure: Measure, sensor: Ref) -> R<()> {
        let i = index(vm, this)?;
        let sensor = non_null(sensor)?;
        vm.begin_signals(i, measure, sensor, |vm, c, input| {
            signal(vm, c, input).unwrap_or_else(Next::Throw)
        })
    }

    fn set_usage_sensor(vm: &mut Env, this: Ref, sensor: Ref) -> R<()> {
        set_sensor(vm, this, Measure::Usage, sensor)
    }

    fn set_collection_sensor(vm: &mut Env, this: Ref, sensor: Ref) -> R<()> {
        set_sensor(vm, this, Measure::Collection, sensor)
    }

    /// Calls the sensor in `refs`, which counts and reports listeners; `data` says whether it has been called. A step without the memory
    /// it needs is taken again.
    fn signal(vm: &mut Env, c: &mut Cont, input: Result<Value, Ref>) -> R<Next> {
        input.map_err(Throw::object)?;
        let (Some(signal), 0) = (vm.pool_signal(), c.data[0]) else {
            return Ok(Next::Return(Value::Void));
        };
        let class = boot_class(vm, jdk::sensor::CLASS)?;
        let (sensor, count) = (c.refs[0].into(), Value::Int(signal.count as i32));
        let call = match signal.in_use {
            Some(in_use) => {
                let usage = pool_usage(vm, signal.pool, in_use)?;
                let method = vm.jdk_method(class, calls::sensor::TRIGGER);
                Call::new(vm, method, &[sensor, count, usage.into()])
            }
            None => {
                let method = vm.jdk_method(class, calls::sensor::CLEAR);
                Call::new(vm, method, &[sensor, count])
            }
        };
        c.data[0] = 1;
        Ok(Next::Call(call))
    }

    fn managers(vm: &mut Env, this: Ref) -> R<Ref> {
        let managers = match index(vm, this)? {
            OLD => 2..3,
            i if HEAP.contains(&i) => 1..3,
            _ => 0..1,
        };
        let elem = jdk::memory_manager_mx_bean::CLASS;
        some_beans(vm, elem, calls::memory_impl::GET_MEMORY_MANAGERS, managers)
    }
}

pub mod manager {
    //! Natives of `sun.management.MemoryManagerImpl`.
    use super::*;

    natives! { "sun/management/MemoryManagerImpl";
        getMemoryPools0 "()[Ljava/lang/management/MemoryPoolMXBean;" => pools;
    }

    fn pools(vm: &mut Env, this: Ref) -> R<Ref> {
        let name = vm.get(this, jdk::memory_manager_impl::NAME)?;
        let pools = match &*vm.string(name) {
            METADATA => 0..HEAP.start,
            YOUNG => HEAP.start..OLD,
            _ => HEAP,
        };
        let elem = jdk::memory_pool_mx_bean::CLASS;
        some_beans(vm, elem, calls::memory_impl::GET_MEMORY_POOLS, pools)
    }
}

pub mod collector {
    //! Natives of `sun.management.GarbageCollectorImpl`.
    use super::*;

    natives! { "sun/management/GarbageCollectorImpl";
        getCollectionCount "()J" => get_collection_count;
        getCollectionTime "()J" => get_collection_time;
    }

    /// Whether this is the collector of the whole heap.
    pub fn is_full(vm: &mut Env, this: Ref) -> R<bool> {
        let name = vm.get(this, jdk::memory_manager_impl::NAME)?;
        Ok(vm.string(name) != YOUNG)
    }

    fn get_collection_count(vm: &mut Env, this: Ref) -> R<i64> {
        let (all, full) = vm.collections();
        Ok(match is_full(vm, this)? {
            true => full as i64,
            false => (all - full) as i64,
        })
    }

    fn get_collection_time(vm: &mut Env, this: Ref) -> R<i64> {
        let full = is_full(vm, this)?;
        Ok(vm.past_collections(full).1 / 1_000_000)
    }
}
