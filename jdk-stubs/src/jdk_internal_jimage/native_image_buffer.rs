//! Natives of `jdk.internal.jimage.NativeImageBuffer`.

use crate::support::{direct_buffer, string_arg};
use rjvm_vm::offheap::Access;
use rjvm_vm::{Env, R, Ref, natives};

natives! { "jdk/internal/jimage/NativeImageBuffer";
    getNativeMap "(Ljava/lang/String;)Ljava/nio/ByteBuffer;" => get_native_map;
}

/// A direct buffer over the JDK's image, if that is the one requested and the host lets it be mapped. Else
/// null: the class library reads the file itself.
fn get_native_map(vm: &mut Env, path: Ref) -> R<Ref> {
    let path = string_arg(vm, path)?;
    let shown = vm.host().system().java_home;
    let home = shown.map_or_else(|| vm.options().java_home.clone(), Into::into);
    if std::path::Path::new(&path) != home.join("lib").join("modules") {
        return Ok(Ref::NULL);
    }
    // the class library may have waited for something, and the native run again
    let [address, size, _] = *vm.native_state();
    if address != 0 {
        return direct_buffer(vm, address, size);
    }
    let flags = libc::O_RDONLY | libc::O_CLOEXEC;
    let Ok(fd) = vm.host().files().open(-100, path.as_bytes(), flags, 0) else {
        return Ok(Ref::NULL);
    };
    let descriptors = vm.host().descriptors();
    let size = descriptors.stat(fd).map_or(0, |s| s.size);
    let map = match usize::try_from(size) {
        Ok(size) if size > 0 => descriptors.map(fd, 0, size, Access::Read).ok(),
        _ => None,
    };
    let _ = descriptors.close(fd);
    let Some(address) = map.and_then(|map| vm.offheap_mut().lend(map)) else {
        return Ok(Ref::NULL);
    };
    *vm.native_state() = [address, size as u64, 0];
    direct_buffer(vm, address, size as u64)
}
