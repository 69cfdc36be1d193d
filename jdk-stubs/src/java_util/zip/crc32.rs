//! Natives of `java.util.zip.CRC32`.

use super::stream;
use crate::io;
use rjvm_vm::heap::ELEMS;
use rjvm_vm::{Env, R, Ref, natives};

natives! { "java/util/zip/CRC32";
    update "(II)I" => update;
    updateBytes0 "(I[BII)I" => update_bytes;
    updateByteBuffer0 "(IJII)I" => update_byte_buffer;
}

fn update(_: &mut Env, crc: i32, b: i32) -> R<i32> {
    Ok(stream::crc32(crc, &[b as u8]))
}

fn update_bytes(vm: &mut Env, crc: i32, array: Ref, off: i32, len: i32) -> R<i32> {
    io::check_range(vm, array, off, len)?;
    stream::in_pieces(vm, crc, len as usize, |vm, crc, at, n| {
        let bytes = vm.heap().raw(array, ELEMS + off as usize + at, n);
        Ok(stream::crc32(crc, bytes))
    })
}

fn update_byte_buffer(vm: &mut Env, crc: i32, address: i64, off: i32, len: i32) -> R<i32> {
    stream::in_pieces(vm, crc, len as usize, |vm, crc, at, n| {
        let bytes = io::memory(vm.offheap(), address + off as i64 + at as i64, n)?;
        Ok(stream::crc32(crc, &bytes))
    })
}
