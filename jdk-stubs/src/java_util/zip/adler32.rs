//! Natives of `java.util.zip.Adler32`.

use super::stream;
use crate::io;
use rjvm_vm::heap::ELEMS;
use rjvm_vm::{Env, R, Ref, natives};

natives! { "java/util/zip/Adler32";
    update "(II)I" => update;
    updateBytes "(I[BII)I" => update_bytes;
    updateByteBuffer "(IJII)I" => update_byte_buffer;
}

fn update(_: &mut Env, adler: i32, b: i32) -> R<i32> {
    Ok(stream::adler32(adler, &[b as u8]))
}

fn update_bytes(vm: &mut Env, adler: i32, array: Ref, off: i32, len: i32) -> R<i32> {
    io::check_range(vm, array, off, len)?;
    stream::in_pieces(vm, adler, len as usize, |vm, adler, at, n| {
        let bytes = vm.heap().raw(array, ELEMS + off as usize + at, n);
        Ok(stream::adler32(adler, bytes))
    })
}

fn update_byte_buffer(vm: &mut Env, adler: i32, address: i64, off: i32, len: i32) -> R<i32> {
    stream::in_pieces(vm, adler, len as usize, |vm, adler, at, n| {
        let bytes = io::memory(vm.offheap(), address + off as i64 + at as i64, n)?;
        Ok(stream::adler32(adler, &bytes))
    })
}
