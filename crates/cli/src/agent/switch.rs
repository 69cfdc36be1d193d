//! Natives of `rjvm.agent.Profile`: a program switches its own profile.

use rjvm_vm::vm::ProfileMode;
use rjvm_vm::{Env, R, natives};

natives! { "rjvm/agent/Profile";
    supported0 "()Z" => supported;
    switch0 "(Z)Z" => switch;
    reset0 "()Z" => reset;
    on0 "()Z" => on;
}

fn supported(_: &mut Env) -> R<bool> {
    Ok(true)
}

/// Contexts of the kind that were recorded before, or else without places of calls. `false`: it cannot be switched.
fn switch(vm: &mut Env, on: bool) -> R<bool> {
    let mode = match on {
        true => vm.switchable_contexts(),
        false => ProfileMode::Off,
    };
    Ok(vm.record_contexts(mode).is_ok())
}

fn reset(vm: &mut Env) -> R<bool> {
    let can = vm.options().profile != ProfileMode::Blocks;
    if can {
        vm.reset_contexts();
    }
    Ok(can)
}

fn on(vm: &mut Env) -> R<bool> {
    Ok(vm.recorded_contexts() != ProfileMode::Off)
}
