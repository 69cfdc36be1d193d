//! Natives of `java.lang.ProcessHandleImpl$Info`.

use crate::io::java_string;
use rjvm_vm::{R, Ref, Vm, natives};

natives! { "java/lang/ProcessHandleImpl$Info";
    initIDs "()V" => init_ids;
    info0 "(J)V" => info;
}

/// Nothing to cache: fields are looked up by name.
fn init_ids(_: &mut Vm) -> R<()> {
    Ok(())
}

/// Fills in what is known about a process; the rest stays as it is.
fn info(vm: &mut Vm, this: Ref, pid: i64) -> R<()> {
    let Ok(i) = vm.host.processes().info(pid) else {
        return Ok(());
    };
    vm.set_long(this, "startTime:J", i.start_millis);
    vm.set_long(this, "totalTime:J", i.cpu_nanos);
    if let Some(name) = vm.host.files().user_name(i.uid) {
        let s = java_string(vm, &name)?;
        vm.set_ref(this, "user:Ljava/lang/String;", s);
    }
    if let Some(c) = &i.command {
        let s = java_string(vm, c)?;
        vm.set_ref(this, "command:Ljava/lang/String;", s);
    }
    match (&i.args, &i.command_line) {
        (Some(args), _) => {
            let string = vm.known.string;
            let a = vm.new_array_of(string, args.len())?;
            for (n, arg) in args.iter().enumerate() {
                let s = java_string(vm, arg)?;
                vm.heap.set_elem_ref(a, n, s);
            }
            vm.set_ref(this, "arguments:[Ljava/lang/String;", a);
        }
        (None, Some(line)) => {
            let s = java_string(vm, line)?;
            vm.set_ref(this, "commandLine:Ljava/lang/String;", s);
        }
        (None, None) => {}
    }
    Ok(())
}
