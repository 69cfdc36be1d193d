//! Natives of `jdk.internal.jimage.NativeImageBuffer`.

use rjvm_vm::{R, Ref, Vm, natives};

natives! { "jdk/internal/jimage/NativeImageBuffer";
    getNativeMap "(Ljava/lang/String;)Ljava/nio/ByteBuffer;" => get_native_map;
}

/// Null: the VM's own map of `lib/modules` isn't lent out, the class library reads the file itself.
fn get_native_map(_: &mut Vm, _path: Ref) -> R<Ref> {
    Ok(Ref::NULL)
}
