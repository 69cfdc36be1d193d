//! Natives of `java.lang.StringUTF16`.

use rjvm_vm::{Env, R, natives};

natives! { "java/lang/StringUTF16";
    isBigEndian "()Z" until 24 => is_big_endian;
}

fn is_big_endian(_: &mut Env) -> R<bool> {
    Ok(cfg!(target_endian = "big"))
}
