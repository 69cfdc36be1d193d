//! Natives of `java.lang.ProcessHandleImpl$Info`.

use crate::io::java_string;
use rjvm_vm::{Env, R, Ref, jdk, natives};

natives! { "java/lang/ProcessHandleImpl$Info";
    initIDs "()V" => init_ids;
    info0 "(J)V" => info;
}

/// Nothing to cache: fields are looked up by name.
fn init_ids(_: &mut Env) -> R<()> {
    Ok(())
}

/// Fills in the known data of a process; the rest stays as it is.
fn info(vm: &mut Env, this: Ref, pid: i64) -> R<()> {
    let Ok(i) = vm.host().processes().info(pid) else {
        return Ok(());
    };
    vm.set(this, jdk::process_handle_info::START_TIME, i.start_millis)?;
    vm.set(this, jdk::process_handle_info::TOTAL_TIME, i.cpu_nanos)?;
    if let Some(name) = vm.host().files().user_name(i.uid) {
        let s = java_string(vm, &name)?;
        vm.set(this, jdk::process_handle_info::USER, s)?;
    }
    if let Some(c) = &i.command {
        let s = java_string(vm, c)?;
        vm.set(this, jdk::process_handle_info::COMMAND, s)?;
    }
    match (&i.args, &i.command_line) {
        (Some(args), _) => {
            let string = vm.known().string;
            let a = vm.new_array_of(string, args.len())?;
            for (n, arg) in args.iter().enumerate() {
                let s = java_string(vm, arg)?;
                vm.heap_mut().set_elem_ref(a, n, s);
            }
            vm.set(this, jdk::process_handle_info::ARGUMENTS, a)?;
        }
        (None, Some(line)) => {
            let s = java_string(vm, line)?;
            vm.set(this, jdk::process_handle_info::COMMAND_LINE, s)?;
        }
        (None, None) => {}
    }
    Ok(())
}
