//! Natives of `java.util.zip.Deflater`.

use super::stream::{Deflate, Step, code};
use super::twins::{self, between_places, error, stepped};
use crate::io::IoTarget;
use rjvm_vm::{Env, R, Ref, natives};

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

/// Bytes that are compressed at once: at worst some milliseconds of work, as zlib may look at thousands of places for each.
const PIECE: usize = 512;

/// `params`: bit 0 set to change strategy (bits 1 and 2) and level (the others). Packs the outcome
/// as the Java class unpacks it; bit 63: the change has still to be made.
fn deflate(
    vm: &mut Env,
    _this: Ref,
    h: i64,
    from: (IoTarget, usize),
    to: (IoTarget, usize),
    flush: i32,
    params: i32,
) -> R<i64> {
    let change = params & 1 != 0;
    let step = |vm: &mut Env, from, to, last: bool| {
        // what is kept back until there is more does not end the block either
        let flush = if last { flush } else { code::Z_NO_FLUSH };
        stepped(
            vm,
            h,
            from,
            to,
            |s: &mut Deflate, input, output| match change {
                true => s.set_params(input, output, params >> 3, params >> 1 & 3),
                false => s.run(input, output, flush),
            },
        )
    };
    // blocks of bytes that are stored end where the input does, and nothing is looked for
    let piece = match !change && twins::with(vm, h, |s: &mut Deflate| s.stores())? {
        true => usize::MAX,
        false => PIECE,
    };
    let Step {
        code,
        read,
        written,
    } = match change {
        true => step(vm, from, to, true)?,
        false => twins::in_steps(vm, from, to, (piece, usize::MAX), step)?,
    };
    let counts = read as i64 | (written as i64) << 31;
    match code {
        code::Z_OK => Ok(counts),
        code::Z_BUF_ERROR if change => Ok(counts | 1 << 63),
        code::Z_STREAM_END if !change => Ok(counts | 1 << 62),
        code::Z_BUF_ERROR => Ok(0),
        _ => {
            let message = twins::message::<Deflate>(vm, h);
            Err(error("java/lang/InternalError", message))
        }
    }
}

between_places!(deflate; flush, params);
