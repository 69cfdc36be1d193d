//! Natives of `java.nio.MappedMemoryUtils`.

use crate::io::{fault, io_exception};
use rjvm_vm::offheap::Mapping;
use rjvm_vm::{Env, R, Ref, natives};

natives! { "java/nio/MappedMemoryUtils";
    isLoaded0 "(JJJ)Z" => is_loaded;
    load0 "(JJ)V" => load;
    unload0 "(JJ)V" => unload;
    force0 "(Ljava/io/FileDescriptor;JJ)V" => force;
}

/// Does something with a range of a mapped file. Lengths are rounded up to pages by the Java side, so they
/// may reach beyond the mapping's own.
fn with<T>(
    vm: &Env,
    address: i64,
    len: i64,
    f: impl FnOnce(&Mapping, usize, usize) -> std::io::Result<T>,
) -> R<T> {
    let (m, at) = vm.offheap().mapping(address as u64).ok_or_else(fault)?;
    let len = usize::try_from(len).map_err(|_| fault())?;
    f(m, at, len).map_err(|e| io_exception(e.into()))
}

fn is_loaded(vm: &mut Env, address: i64, len: i64, _pages: i64) -> R<bool> {
    with(vm, address, len, Mapping::is_resident)
}

fn load(vm: &mut Env, address: i64, len: i64) -> R<()> {
    with(vm, address, len, |m, at, n| m.advise(at, n, true))
}

fn unload(vm: &mut Env, address: i64, len: i64) -> R<()> {
    with(vm, address, len, |m, at, n| m.advise(at, n, false))
}

fn force(vm: &mut Env, _fd: Ref, address: i64, len: i64) -> R<()> {
    with(vm, address, len, Mapping::sync)
}
