//! Natives of `com.sun.management.internal.GarbageCollectorExtImpl`: collections that listeners are notified of.

use super::gc_info_builder::new_info;
use crate::sun_management::memory::{POOLS, boot_class, collector};
use crate::support::non_null;
use rjvm_vm::jdk::calls::garbage_collector_ext_impl as calls;
use rjvm_vm::throw::{Call, Cont, Next};
use rjvm_vm::{Env, R, Ref, Throw, Value, jdk, natives};

natives! { "com/sun/management/internal/GarbageCollectorExtImpl";
    setNotificationEnabled "(Lcom/sun/management/GarbageCollectorMXBean;Z)V" => set_notification_enabled;
}

fn set_notification_enabled(vm: &mut Env, _this: Ref, bean: Ref, on: bool) -> R<()> {
    let bean = non_null(bean)?;
    let full = collector::is_full(vm, bean)?;
    match on {
        true => vm.begin_notices(full, bean, |vm, c, input| {
            notify(vm, c, input).unwrap_or_else(Next::Throw)
        }),
        false => {
            vm.end_notices(full);
            Ok(())
        }
    }
}

/// Makes the bean report its listeners of a collection: asks for the builder of its `GcInfo`, constructs that, and hands it
/// over. `refs` are the bean, the builder and the `GcInfo`; `data` says how far this is. A step without the memory it needs is
/// taken again, without what it was handed.
fn notify(vm: &mut Env, c: &mut Cont, input: Result<Value, Ref>) -> R<Next> {
    let input = input.map_err(Throw::object)?;
    let Some(notice) = vm.notice() else {
        return Ok(Next::Return(Value::Void));
    };
    let [bean, _, info] = c.refs;
    let class = boot_class(vm, jdk::garbage_collector_ext_impl::CLASS)?;
    let call = match c.data[0] {
        0 => {
            let method = vm.jdk_method(class, calls::GET_GC_INFO_BUILDER);
            Call::new(vm, method, &[bean.into()])
        }
        1 => {
            if let Value::Ref(builder) = input {
                c.refs[1] = builder;
            }
            let usage = boot_class(vm, jdk::memory_usage::CLASS)?;
            let object = vm.known().object;
            let arrays = [
                vm.new_array_of(usage, POOLS.len())?,
                vm.new_array_of(usage, POOLS.len())?,
                vm.new_array_of(object, 1)?,
            ];
            let (call, info) = new_info(vm, c.refs[1], notice.past, arrays, 1)?;
            c.refs[2] = info;
            call
        }
        2 => {
            let action = match notice.full {
                true => "end of major GC",
                false => "end of minor GC",
            };
            let name = vm.get(bean, jdk::memory_manager_impl::NAME)?;
            let (action, cause) = (vm.new_string(action)?, vm.new_string(notice.cause)?);
            let method = vm.jdk_method(class, calls::CREATE_GC_NOTIFICATION);
            let strings = [name, action, cause, info].map(Value::Ref);
            let args = [&[bean.into(), Value::Long(notice.millis)], &strings[..]].concat();
            Call::new(vm, method, &args)
        }
        _ => return Ok(Next::Return(Value::Void)),
    };
    c.data[0] += 1;
    Ok(Next::Call(call))
}
