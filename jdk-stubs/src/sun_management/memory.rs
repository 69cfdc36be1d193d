//! Natives of `sun.management.MemoryImpl`, and of the beans it makes: pools of the heap and of class
//! metadata, and a collector each for young and full collections under the names of HotSpot's serial ones.

use rjvm_vm::heap::history::InUse;
use rjvm_vm::throw::{Call, Cont, Next, Resume, Upcall};
use rjvm_vm::{ClassId, Env, R, Ref, Throw, Value, jdk, natives};

natives! { "sun/management/MemoryImpl";
    getMemoryPools0 "()[Ljava/lang/management/MemoryPoolMXBean;" => get_memory_pools;
    getMemoryManagers0 "()[Ljava/lang/management/MemoryManagerMXBean;" => get_memory_managers;
    getMemoryUsage0 "(Z)Ljava/lang/management/MemoryUsage;" => get_memory_usage;
    setVerboseGC "(Z)V" => set_verbose_gc;
}

/// Names of the pools, the heap first.
pub const POOLS: [&str; 3] = ["Heap", "Metaspace", "Compressed Class Space"];
const YOUNG: &str = "Copy";
const FULL: &str = "MarkSweepCompact";

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

/// Takes the bean just made and asks for the next: `data` is how many are asked for and wanted, and whether
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
        let desc = "(Ljava/lang/String;ZJJ)Ljava/lang/management/MemoryPoolMXBean;";
        let method = vm.method_named(helper, "createMemoryPool", desc);
        let no_threshold = Value::Long(-1);
        let first = Value::from(index == 0);
        let args = [name.into(), first, no_threshold, no_threshold];
        return Ok(Call::new(vm, method, &args));
    }
    let name = vm.intern_str(if index == 0 { YOUNG } else { FULL })?;
    let helper = boot_class(vm, jdk::garbage_collector_ext_impl::CLASS)?;
    let desc =
        "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/management/GarbageCollectorMXBean;";
    let method = vm.method_named(helper, "createGarbageCollector", desc);
    Ok(Call::new(vm, method, &[name, Ref::NULL].map(Value::Ref)))
}

fn get_memory_pools(vm: &mut Env) -> R<Ref> {
    make(vm, jdk::memory_pool_mx_bean::CLASS, POOLS.len(), true)
}

fn get_memory_managers(vm: &mut Env) -> R<Ref> {
    make(vm, jdk::memory_manager_mx_bean::CLASS, 2, false)
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

/// The `MemoryUsage` of pool `i` with so much in use.
pub fn pool_usage(vm: &mut Env, i: usize, in_use: InUse) -> R<Ref> {
    let used = in_use[i];
    match i {
        0 => {
            let (total, max) = (vm.heap_total(), vm.heap_max());
            let total = total.max(used);
            usage(vm, used, total, max.max(total) as i64)
        }
        1 => {
            let committed = vm.heap().metaspace().committed();
            let max = vm.options().max_metaspace.map_or(-1, |n| n as i64);
            usage(vm, used, committed, max)
        }
        _ => {
            let max = vm.options().class_space as i64;
            usage(vm, used, used, max)
        }
    }
}

/// Of the heap, or of what is not the heap: the metaspace.
fn get_memory_usage(vm: &mut Env, _this: Ref, heap: bool) -> R<Ref> {
    let in_use = vm.memory_in_use();
    pool_usage(vm, usize::from(!heap), in_use)
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

    /// Null says that this is not known.
    fn get_collection_usage(_: &mut Env, _this: Ref) -> R<Ref> {
        Ok(Ref::NULL)
    }

    fn managers(vm: &mut Env, this: Ref) -> R<Ref> {
        if index(vm, this)? != 0 {
            let elem = boot_class(vm, jdk::memory_manager_mx_bean::CLASS)?;
            return vm.new_array_of(elem, 0);
        }
        let c = boot_class(vm, jdk::memory_impl::CLASS)?;
        let desc = "()[Ljava/lang/management/MemoryManagerMXBean;";
        let m = vm.method_named(c, "getMemoryManagers", desc);
        Err(Call::new(vm, m, &[]).tail())
    }
}

pub mod manager {
    //! Natives of `sun.management.MemoryManagerImpl`.
    use super::*;

    natives! { "sun/management/MemoryManagerImpl";
        getMemoryPools0 "()[Ljava/lang/management/MemoryPoolMXBean;" => pools;
    }

    fn pools(vm: &mut Env, _this: Ref) -> R<Ref> {
        let c = boot_class(vm, jdk::memory_impl::CLASS)?;
        let desc = "()[Ljava/lang/management/MemoryPoolMXBean;";
        let m = vm.method_named(c, "getMemoryPools", desc);
        let elem = boot_class(vm, jdk::memory_pool_mx_bean::CLASS)?;
        let heap = vm.new_array_of(elem, 1)?;
        let cont = Cont::new(
            |vm, c, input| match input {
                Ok(all) => {
                    let pool = vm.heap().elem_ref(all.reference(), 0);
                    vm.heap_mut().set_elem_ref(c.refs[0], 0, pool);
                    Next::Return(c.refs[0].into())
                }
                Err(e) => Next::Throw(Throw::object(e)),
            },
            [0; 3],
            [heap, Ref::NULL, Ref::NULL],
        );
        Err(Call::new(vm, m, &[]).then(cont, Resume::Value))
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
