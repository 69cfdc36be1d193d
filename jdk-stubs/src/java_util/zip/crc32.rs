//! Natives of `java.util.zip.CRC32`.

use super::checksum::{of_array, of_memory};
use super::stream::crc32;
use rjvm_vm::{Env, R, Ref, natives};

natives! { "java/util/zip/CRC32";
    update "(II)I" => update;
    updateBytes0 "(I[BII)I" => update_bytes;
    updateByteBuffer0 "(IJII)I" => update_byte_buffer;
}

fn update(_: &mut Env, crc: i32, b: i32) -> R<i32> {
    Ok(crc32(crc, &[b as u8]))
}

fn update_bytes(vm: &mut Env, crc: i32, array: Ref, off: i32, len: i32) -> R<i32> {
    of_array(vm, crc32, crc, array, (off, len))
}

fn update_byte_buffer(vm: &mut Env, crc: i32, address: i64, off: i32, len: i32) -> R<i32> {
    of_memory(vm, crc32, crc, address, (off, len))
}
