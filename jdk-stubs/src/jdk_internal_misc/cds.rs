//! Natives of `jdk.internal.misc.CDS`: there is no archive of classes.

use rjvm_vm::{Env, R, Ref, natives};

natives! { "jdk/internal/misc/CDS";
    isDumpingClassList0 "()Z" until 24 => no;
    isDumpingArchive0 "()Z" until 24 => no;
    isSharingEnabled0 "()Z" until 24 => no;
    getCDSConfigStatus "()I" since 22 => status;
    needsClassInitBarrier0 "(Ljava/lang/Class;)Z" since 24 => no_barrier;
    getRandomSeedForDumping "()J" => seed;
    initializeFromArchive "(Ljava/lang/Class;)V" => initialize_from_archive;
    defineArchivedModules "(Ljava/lang/ClassLoader;Ljava/lang/ClassLoader;)V" => define_archived_modules;
}

fn no(_: &mut Env) -> R<bool> {
    Ok(false)
}

/// What orders `Set.of` and `Map.of`: the clock where this is 0, else this, so that a run can be repeated.
fn seed(vm: &mut Env) -> R<i64> {
    Ok((vm.options().seed as i64).max(1))
}

/// Leaves the static fields as they are: nothing is archived.
fn initialize_from_archive(_: &mut Env, _class: Ref) -> R<()> {
    Ok(())
}

/// There are no archived modules to be given their loaders.
fn define_archived_modules(_: &mut Env, _platform: Ref, _system: Ref) -> R<()> {
    Ok(())
}

/// No bit of it is set: neither is an archive read nor is one written.
fn status(_: &mut Env) -> R<i32> {
    Ok(0)
}

/// Classes are never initialized before the program runs.
fn no_barrier(_: &mut Env, _class: Ref) -> R<bool> {
    Ok(false)
}
