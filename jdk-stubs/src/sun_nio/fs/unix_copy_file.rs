//! Natives of `sun.nio.fs.UnixCopyFile`.

use super::error::{OrThrow, unix_exception};
use crate::io;
use rjvm_vm::host::Errno;
use rjvm_vm::{Env, R, natives};

natives! { "sun/nio/fs/UnixCopyFile";
    transfer "(IIJ)V" until 20 => transfer;
}

/// Copies all of `from` to `to` as long as the `int` at `cancel` (if there is one) is zero.
fn transfer(vm: &mut Env, to: i32, from: i32, cancel: i64) -> R<()> {
    let mut buf = vec![0; 64 << 10];
    loop {
        if cancel != 0
            && vm
                .offheap()
                .get::<i32>(cancel as u64)
                .ok_or_else(io::fault)?
                != 0
        {
            return Err(unix_exception(vm, Errno(libc::ECANCELED)));
        }
        let n = vm.host().descriptors().read(from, &mut buf).or_throw(vm)?;
        if n == 0 {
            return Ok(());
        }
        let mut done = 0;
        while done < n {
            done += vm
                .host()
                .descriptors()
                .write(to, &buf[done..n])
                .or_throw(vm)?;
        }
    }
}

/// Where it is since 20.
pub mod file_system {
    use super::transfer;
    use rjvm_vm::{Env, R};
    rjvm_vm::natives! { "sun/nio/fs/UnixFileSystem";
        bufferedCopy0 "(IIJIJ)V" since 19 => copy;
    }
    fn copy(vm: &mut Env, to: i32, from: i32, _buffer: i64, _len: i32, cancel: i64) -> R<()> {
        transfer(vm, to, from, cancel)
    }
}
