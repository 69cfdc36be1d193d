//! Natives of `jdk.internal.misc.PreviewFeatures`.

use rjvm_vm::{Env, R, natives};

natives! { "jdk/internal/misc/PreviewFeatures";
    isPreviewEnabled "()Z" since 19 => is_preview_enabled;
}

fn is_preview_enabled(vm: &mut Env) -> R<bool> {
    Ok(vm.options().enable_preview)
}
