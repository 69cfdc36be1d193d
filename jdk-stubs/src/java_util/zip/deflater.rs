//! Natives of `java.util.zip.Deflater`.

use super::stream::{Deflate, Step, Zip, code};
use super::twins::{self, Streams, between_places, error};
use crate::io::{self, Place, state};
use rjvm_vm::state::Rooms;
use rjvm_vm::{Env, R, Ref, Throw, natives};

natives! { "java/util/zip/Deflater";
    init "(IIZ)J" => init;
    setDictionary "(J[BII)V" => twins::set_dictionary::<Deflate>;
    setDictionaryBuffer "(JJI)V" => twins::set_dictionary_buffer::<Deflate>;
    deflateBytesBytes "(J[BII[BIIII)J" => bytes_bytes;
    deflateBytesBuffer "(J[BIIJIII)J" => bytes_buffer;
    deflateBufferBytes "(JJI[BIIII)J" => buffer_bytes;
    deflateBufferBuffer "(JJIJIII)J" => buffer_buffer;
    getAdler "(J)I" => twins::adler::<Deflate>;
    reset "(J)V" => twins::reset::<Deflate>;
    end "(J)V" => twins::end::<Deflate>;
}

fn init(vm: &mut Env, level: i32, strategy: i32, raw: bool) -> R<i64> {
    twins::made(vm, Deflate::new(level, strategy, raw))
}

/// `params`: bit 0 set to change strategy (bits 1 and 2) and level (the others). Packs the outcome
/// as the Java class unpacks it; bit 63: the change has still to be made.
fn deflate(
    vm: &mut Env,
    _this: Ref,
    h: i64,
    from: (Place, usize),
    to: (Place, usize),
    flush: i32,
    params: i32,
) -> R<i64> {
    let Rooms {
        mut heap,
        offheap,
        extensions: ext,
        ..
    } = vm.rooms();
    let s = state::<Streams<Deflate>>(ext, Deflate::KEY)
        .get(h)
        .ok_or_else(Throw::npe)?;
    let change = params & 1 != 0;
    let Step {
        code,
        read,
        written,
    } = io::in_out(&mut heap, offheap, from, to, |input, output| match change {
        true => s.set_params(input, output, params >> 3, params >> 1 & 3),
        false => s.run(input, output, flush),
    })?;
    let counts = read as i64 | (written as i64) << 31;
    match code {
        code::Z_OK => Ok(counts),
        code::Z_BUF_ERROR if change => Ok(counts | 1 << 63),
        code::Z_STREAM_END if !change => Ok(counts | 1 << 62),
        code::Z_BUF_ERROR => Ok(0),
        _ => Err(error("java/lang/InternalError", s.message())),
    }
}

between_places!(deflate; flush, params);
