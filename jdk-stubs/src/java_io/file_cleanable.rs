//! Natives of `java.io.FileCleanable`.

use crate::io;
use rjvm_vm::{Env, R, natives};

natives! { "java/io/FileCleanable";
    cleanupClose0 "(IJ)V" => cleanup_close;
}

fn cleanup_close(vm: &mut Env, fd: i32, _handle: i64) -> R<()> {
    if fd < 0 {
        return Ok(());
    }
    vm.host().descriptors().close(fd).map_err(io::io_exception)
}
