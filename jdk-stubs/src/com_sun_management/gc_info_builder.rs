//! Natives of `com.sun.management.internal.GcInfoBuilder`: facts about a collector's last collection.

use crate::boxing::{Prim, new_box};
use crate::sun_management::memory::{POOLS, collector, pool_usage};
use crate::support::non_null;
use rjvm_vm::heap::history::PastCollection;
use rjvm_vm::throw::{Call, Cont, Next, Resume};
use rjvm_vm::{Env, R, Ref, Throw, Value, jdk, natives};

natives! { "com/sun/management/internal/GcInfoBuilder";
    getNumGcExtAttributes "(Ljava/lang/management/GarbageCollectorMXBean;)I" => attributes;
    fillGcAttributeInfo "(Ljava/lang/management/GarbageCollectorMXBean;I[Ljava/lang/String;[C[Ljava/lang/String;)V" => describe;
    getLastGcInfo0 "(Ljava/lang/management/GarbageCollectorMXBean;I[Ljava/lang/Object;[C[Ljava/lang/management/MemoryUsage;[Ljava/lang/management/MemoryUsage;)Lcom/sun/management/GcInfo;" => last;
}

/// The one attribute there is, as on HotSpot: how many threads collected.
const NAME: &str = "GcThreadCount";
const DESCRIPTION: &str = "Number of GC threads";

fn attributes(_: &mut Env, _this: Ref, _collector: Ref) -> R<i32> {
    Ok(1)
}

fn describe(
    vm: &mut Env,
    _this: Ref,
    _collector: Ref,
    count: i32,
    names: Ref,
    types: Ref,
    descriptions: Ref,
) -> R<()> {
    if count < 1 {
        return Ok(());
    }
    let (name, description) = (vm.new_string(NAME)?, vm.new_string(DESCRIPTION)?);
    let first = |vm: &Env, a: Ref| match non_null(a) {
        Ok(a) if vm.heap().len(a) > 0 => Ok(a),
        _ => Err(Throw::npe()),
    };
    let names = first(vm, names)?;
    let types = first(vm, types)?;
    let descriptions = first(vm, descriptions)?;
    vm.heap_mut().set_elem_ref(names, 0, name);
    vm.heap_mut().set_elem::<u16>(types, 0, u16::from(b'I'));
    vm.heap_mut().set_elem_ref(descriptions, 0, description);
    Ok(())
}

/// A `GcInfo`; null if there was no collection.
#[expect(clippy::too_many_arguments, reason = "as the class library has it")]
fn last(
    vm: &mut Env,
    this: Ref,
    gc: Ref,
    count: i32,
    values: Ref,
    _types: Ref,
    before: Ref,
    after: Ref,
) -> R<Ref> {
    let full = collector::is_full(vm, non_null(gc)?)?;
    let Some(past) = vm.past_collections(full).0 else {
        return Ok(Ref::NULL);
    };
    let call = new_info(vm, this, past, [before, after, values], count)?;
    let info = call.1;
    let cont = Cont::new(
        |_, c, input| match input {
            Ok(_) => Next::Return(c.refs[0].into()),
            Err(e) => Next::Throw(Throw::object(e)),
        },
        [0; 3],
        [info, Ref::NULL, Ref::NULL],
    );
    Err(call.0.then(cont, Resume::Value))
}

/// The call that constructs a `GcInfo`, and that object. The arrays, of usages before and after and of so many attributes, are filled.
pub(super) fn new_info(
    vm: &mut Env,
    builder: Ref,
    past: PastCollection,
    [before, after, values]: [Ref; 3],
    count: i32,
) -> R<(Call, Ref)> {
    let class = vm.jdk_class(jdk::gc_info::CLASS)?;
    vm.ensure_initialized(class)?;
    for (to, in_use) in [(before, past.in_use.0), (after, past.in_use.1)] {
        let to = non_null(to)?;
        for i in 0..POOLS.len().min(vm.heap().len(to)) {
            let usage = pool_usage(vm, i, in_use)?;
            vm.heap_mut().set_elem_ref(to, i, usage);
        }
    }
    if count > 0 && vm.heap().len(non_null(values)?) > 0 {
        let boxes = vm.box_class(b'I');
        vm.ensure_initialized(boxes)?;
        let one = new_box(vm, Prim { ty: b'I', slot: 1 })?;
        vm.heap_mut().set_elem_ref(values, 0, one);
    }
    let info = vm.alloc_object(class)?;
    let millis = |nanos: i64| Value::Long(nanos / 1_000_000);
    let method = vm.jdk_method(class, jdk::calls::gc_info::INIT);
    let args = [
        info.into(),
        builder.into(),
        Value::Long(past.number as i64),
        millis(past.span.0),
        millis(past.span.1),
        before.into(),
        after.into(),
        values.into(),
    ];
    Ok((Call::new(vm, method, &args), info))
}
