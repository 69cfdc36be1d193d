//! Natives of `java.lang.Object` on its monitor.

use rjvm_vm::{Env, R, Ref, natives};

natives! { "java/lang/Object";
    wait "(J)V" until 20 => wait;
    wait0 "(J)V" since 19 => wait;
    notify "()V" => notify;
    notifyAll "()V" => notify_all;
}

fn wait(vm: &mut Env, this: Ref, millis: i64) -> R<()> {
    vm.object_wait(this, millis)
}

fn notify(vm: &mut Env, this: Ref) -> R<()> {
    vm.object_notify(this)
}

fn notify_all(vm: &mut Env, this: Ref) -> R<()> {
    vm.object_notify_all(this)
}
