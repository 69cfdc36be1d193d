//! Natives of `jdk.internal.misc.CDS`: there is no archive of classes.

use rjvm_vm::{R, Ref, Vm, natives};

natives! { "jdk/internal/misc/CDS";
    isDumpingClassList0 "()Z" => no;
    isDumpingArchive0 "()Z" => no;
    isSharingEnabled0 "()Z" => no;
    getRandomSeedForDumping "()J" => no_seed;
    initializeFromArchive "(Ljava/lang/Class;)V" => initialize_from_archive;
    defineArchivedModules "(Ljava/lang/ClassLoader;Ljava/lang/ClassLoader;)V" => define_archived_modules;
}

fn no(_: &mut Vm) -> R<bool> {
    Ok(false)
}

/// 0: nothing is being dumped.
fn no_seed(_: &mut Vm) -> R<i64> {
    Ok(0)
}

/// Leaves the static fields as they are: nothing is archived.
fn initialize_from_archive(_: &mut Vm, _class: Ref) -> R<()> {
    Ok(())
}

/// There are no archived modules to be given their loaders.
fn define_archived_modules(_: &mut Vm, _platform: Ref, _system: Ref) -> R<()> {
    Ok(())
}
