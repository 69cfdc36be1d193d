//! Natives of `com.sun.security.auth.module.UnixSystem`: as whom the host says the process runs.

use crate::io::java_string;
use crate::os::strerror;
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};

natives! { "com/sun/security/auth/module/UnixSystem";
    getUnixInfo "()V" => get_unix_info;
}

/// Fails as HotSpot where the host does not report.
fn get_unix_info(vm: &mut Env, this: Ref) -> R<()> {
    let who = match vm.host().processes().credentials() {
        Ok(who) => who,
        Err(e) => {
            let text = format!("getgroups error: {}", strerror(e.0));
            return Err(Throw::msg("java/lang/RuntimeException", text));
        }
    };
    let name = vm.host().files().user_name(who.uid);
    let long = vm.primitive(b'J');
    let groups = vm.new_array_of(long, who.groups.len())?;
    for (i, g) in who.groups.iter().enumerate() {
        vm.heap_mut().set_elem::<i64>(groups, i, i64::from(*g));
    }
    let name = match name {
        Some(name) => java_string(vm, &name)?,
        None => Ref::NULL,
    };
    vm.set(this, jdk::unix_system::UID, i64::from(who.uid))?;
    vm.set(this, jdk::unix_system::GID, i64::from(who.gid))?;
    vm.set(this, jdk::unix_system::GROUPS, groups)?;
    vm.set(this, jdk::unix_system::USERNAME, name)
}
