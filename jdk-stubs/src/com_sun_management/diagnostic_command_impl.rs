//! Natives of `com.sun.management.internal.DiagnosticCommandImpl`: there are no commands.

use crate::support::string_array;
use rjvm_vm::{Env, LoaderId, R, Ref, natives};

natives! { "com/sun/management/internal/DiagnosticCommandImpl";
    setNotificationEnabled "(Z)V" => set_notification_enabled;
    getDiagnosticCommands "()[Ljava/lang/String;" => get_diagnostic_commands;
    getDiagnosticCommandInfo "([Ljava/lang/String;)[Lcom/sun/management/internal/DiagnosticCommandInfo;" => get_info;
}

/// The set of commands never changes, so nobody is ever to be told.
fn set_notification_enabled(_: &mut Env, _this: Ref, _on: bool) -> R<()> {
    Ok(())
}

fn get_diagnostic_commands(vm: &mut Env, _this: Ref) -> R<Ref> {
    string_array(vm, &[])
}

fn get_info(vm: &mut Env, _this: Ref, _commands: Ref) -> R<Ref> {
    let name = "com/sun/management/internal/DiagnosticCommandInfo";
    let class = vm.load_class(LoaderId::BOOT, name)?;
    vm.new_array_of(class, 0)
}
