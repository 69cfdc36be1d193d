//! Natives of `java.util.TimeZone`.

use rjvm_vm::{Env, R, Ref, natives, sysprops};

natives! { "java/util/TimeZone";
    getSystemTimeZoneID "(Ljava/lang/String;)Ljava/lang/String;" => system_time_zone_id;
    getSystemGMTOffsetID "()Ljava/lang/String;" => system_gmt_offset_id;
}

fn system_time_zone_id(vm: &mut Env, _java_home: Ref) -> R<Ref> {
    match vm.host().time_zone() {
        Some(id) => vm.new_string(&id),
        None => Ok(Ref::NULL),
    }
}

fn system_gmt_offset_id(vm: &mut Env) -> R<Ref> {
    let id = sysprops::gmt_offset_id(vm.host().utc_offset() as i64);
    vm.new_string(&id)
}
