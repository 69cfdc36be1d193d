//! Natives of `java.nio.MappedMemoryUtils`.

use crate::io::{fault, io_exception};
use rjvm_vm::{R, Ref, Vm, natives};

natives! { "java/nio/MappedMemoryUtils";
    isLoaded0 "(JJJ)Z" => is_loaded;
    load0 "(JJ)V" => load;
    unload0 "(JJ)V" => unload;
    force0 "(Ljava/io/FileDescriptor;JJ)V" => force;
}

/// The machine address of a mapped range.
fn machine(vm: &Vm, address: i64, len: i64) -> R<usize> {
    let p = vm.offheap.pointer(address as u64, 0).ok_or_else(fault)?;
    // lengths are rounded up to pages by the Java side, so they may reach beyond the mapping's own
    let rest = vm.offheap.rest(address as u64).unwrap_or(0);
    if len < 0 || len as usize > rest.next_multiple_of(4096) {
        return Err(fault());
    }
    Ok(p as usize)
}

fn is_loaded(vm: &mut Vm, address: i64, len: i64, _pages: i64) -> R<bool> {
    let p = machine(vm, address, len)?;
    let r = vm.host.descriptors().is_map_resident(p, len as usize);
    r.map_err(io_exception)
}

fn load(vm: &mut Vm, address: i64, len: i64) -> R<()> {
    let p = machine(vm, address, len)?;
    let r = vm.host.descriptors().advise_map(p, len as usize, true);
    r.map_err(io_exception)
}

fn unload(vm: &mut Vm, address: i64, len: i64) -> R<()> {
    let p = machine(vm, address, len)?;
    let r = vm.host.descriptors().advise_map(p, len as usize, false);
    r.map_err(io_exception)
}

fn force(vm: &mut Vm, _fd: Ref, address: i64, len: i64) -> R<()> {
    let p = machine(vm, address, len)?;
    let r = vm.host.descriptors().sync_map(p, len as usize);
    r.map_err(io_exception)
}
