//! Natives of `jdk.internal.perf.Perf`: counters live outside the heap and are seen by nobody else.

use crate::support::{direct_buffer, non_null};
use rjvm_vm::{Env, R, Ref, Throw, natives};

natives! { "jdk/internal/perf/Perf";
    registerNatives "()V" => register_natives;
    createLong "(Ljava/lang/String;IIJ)Ljava/nio/ByteBuffer;" => create_long;
    createByteArray "(Ljava/lang/String;II[BI)Ljava/nio/ByteBuffer;" => create_byte_array;
    highResCounter "()J" => high_res_counter;
    highResFrequency "()J" => high_res_frequency;
}

/// Tables are bound by name, so there is nothing to register.
fn register_natives(_: &mut Env) -> R<()> {
    Ok(())
}

fn no_room() -> Box<Throw> {
    Throw::msg("java/lang/OutOfMemoryError", "Unable to allocate a counter")
}

/// A direct buffer on new memory with these contents.
fn buffer(vm: &mut Env, contents: &[u8]) -> R<Ref> {
    let address = vm.offheap_mut().alloc(contents.len());
    let address = address.ok_or_else(no_room)?;
    vm.offheap_mut()
        .write(address, contents)
        .ok_or_else(crate::io::fault)?;
    direct_buffer(vm, address, contents.len() as u64)
}

fn create_long(
    vm: &mut Env,
    _this: Ref,
    name: Ref,
    _variability: i32,
    _units: i32,
    value: i64,
) -> R<Ref> {
    non_null(name)?;
    buffer(vm, &value.to_ne_bytes())
}

fn create_byte_array(
    vm: &mut Env,
    _this: Ref,
    name: Ref,
    _variability: i32,
    _units: i32,
    value: Ref,
    max: i32,
) -> R<Ref> {
    non_null(name)?;
    let (value, max) = (vm.heap().bytes(non_null(value)?), max.max(0) as usize);
    let mut bytes = Vec::new();
    let room = bytes.try_reserve_exact(max);
    room.map_err(|_| no_room())?;
    bytes.extend_from_slice(&value[..value.len().min(max)]);
    bytes.resize(max, 0);
    buffer(vm, &bytes)
}

fn high_res_counter(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.clock_ns())
}

fn high_res_frequency(_: &mut Env, _this: Ref) -> R<i64> {
    Ok(1_000_000_000)
}
