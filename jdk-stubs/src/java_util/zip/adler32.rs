//! Natives of `java.util.zip.Adler32`.

use super::checksum::{of_array, of_memory};
use super::stream::adler32;
use rjvm_vm::{Env, R, Ref, natives};

natives! { "java/util/zip/Adler32";
    update "(II)I" => update;
    updateBytes "(I[BII)I" => update_bytes;
    updateByteBuffer "(IJII)I" => update_byte_buffer;
}

fn update(_: &mut Env, adler: i32, b: i32) -> R<i32> {
    Ok(adler32(adler, &[b as u8]))
}

fn update_bytes(vm: &mut Env, adler: i32, array: Ref, off: i32, len: i32) -> R<i32> {
    of_array(vm, adler32, adler, array, (off, len))
}

fn update_byte_buffer(vm: &mut Env, adler: i32, address: i64, off: i32, len: i32) -> R<i32> {
    of_memory(vm, adler32, adler, address, (off, len))
}
