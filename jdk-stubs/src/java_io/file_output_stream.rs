//! Natives of `java.io.FileOutputStream`.

use super::stream;
use rjvm_vm::{Env, R, Ref, natives};

natives! { "java/io/FileOutputStream";
    open0 "(Ljava/lang/String;Z)V" => open;
    write "(IZ)V" => write;
    writeBytes "([BIIZ)V" => write_bytes;
    initIDs "()V" => init_ids;
}

/// Nothing to cache: fields are looked up by name.
fn init_ids(_: &mut Env) -> R<()> {
    Ok(())
}

fn open(vm: &mut Env, this: Ref, path: Ref, append: bool) -> R<()> {
    let how = if append {
        libc::O_APPEND
    } else {
        libc::O_TRUNC
    };
    stream::open(vm, this, path, libc::O_WRONLY | libc::O_CREAT | how)
}

/// `append` is the descriptor's own affair here.
fn write(vm: &mut Env, this: Ref, b: i32, _append: bool) -> R<()> {
    stream::write_byte(vm, this, b)
}

fn write_bytes(vm: &mut Env, this: Ref, array: Ref, off: i32, len: i32, _append: bool) -> R<()> {
    stream::write_bytes(vm, this, array, off, len)
}
