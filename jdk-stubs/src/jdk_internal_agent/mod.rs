//! Natives of package `jdk.internal.agent`.

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&file_system_impl::NATIVES]);
}

mod file_system_impl {
    //! Natives of `jdk.internal.agent.FileSystemImpl`.

    use crate::io::{io_exception, native_string};
    use rjvm_vm::host::files::HERE;
    use rjvm_vm::{Env, R, Ref, natives};

    natives! { "jdk/internal/agent/FileSystemImpl";
        isAccessUserOnly0 "(Ljava/lang/String;)Z" => is_access_user_only;
    }

    /// Whether neither the file's group nor others may do anything with it.
    fn is_access_user_only(vm: &mut Env, path: Ref) -> R<bool> {
        let path = native_string(vm, path)?;
        let stat = vm.host().files().stat(HERE, &path, true);
        Ok(stat.map_err(io_exception)?.mode & 0o077 == 0)
    }
}
