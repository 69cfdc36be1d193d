//! Natives of `jdk.internal.loader.RawNativeLibraries`: libraries for `java.lang.foreign`, without the Java Native
//! Interface.

use crate::foreign::{Granted, libraries};
use crate::support::{non_null, string_arg};
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};

natives! { "jdk/internal/loader/RawNativeLibraries";
    load0 "(Ljdk/internal/loader/RawNativeLibraries$RawNativeLibraryImpl;Ljava/lang/String;)Z" since 18 => load;
    unload0 "(Ljava/lang/String;J)V" since 18 => unload;
}

/// False if there is no such library.
fn load(vm: &mut Env, library: Ref, name: Ref) -> R<bool> {
    let (library, name) = (non_null(library)?, string_arg(vm, name)?);
    let Some(granted) = Granted::of(vm) else {
        let text = format!("{name}: native code has not been granted to this program");
        return Err(Throw::msg("java/lang/UnsupportedOperationException", text));
    };
    let Ok(handle) = libraries::open(granted, &name) else {
        return Ok(false);
    };
    #[cfg(feature = "native")]
    crate::jni::library::bind_waits(granted, handle);
    vm.offheap_mut().open();
    vm.set(library, jdk::raw_native_library_impl::HANDLE, handle)?;
    Ok(true)
}

fn unload(vm: &mut Env, _name: Ref, handle: i64) -> R<()> {
    if let Some(granted) = Granted::of(vm).filter(|_| handle != 0) {
        libraries::close(granted, handle);
    }
    Ok(())
}
