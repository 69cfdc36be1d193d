//! Natives of `java.util.zip.Inflater`.

use super::stream::{Inflate, Step, code};
use super::twins::{self, between_places, error, stepped};
use crate::io::IoTarget;
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};

natives! { "java/util/zip/Inflater";
    initIDs "()V" => init_ids;
    init "(Z)J" => init;
    setDictionary "(J[BII)V" => twins::set_dictionary::<Inflate>;
    setDictionaryBuffer "(JJI)V" => twins::set_dictionary_buffer::<Inflate>;
    inflateBytesBytes "(J[BII[BII)J" => bytes_bytes;
    inflateBytesBuffer "(J[BIIJI)J" => bytes_buffer;
    inflateBufferBytes "(JJI[BII)J" => buffer_bytes;
    inflateBufferBuffer "(JJIJI)J" => buffer_buffer;
    getAdler "(J)I" => twins::adler::<Inflate>;
    reset "(J)V" => twins::reset::<Inflate>;
    end "(J)V" => twins::end::<Inflate>;
}

/// Nothing to cache: fields are looked up by name.
fn init_ids(_: &mut Env) -> R<()> {
    Ok(())
}

fn init(vm: &mut Env, raw: bool) -> R<i64> {
    twins::made(vm, Inflate::new(raw))
}

/// Bytes that come out at once: some milliseconds of work.
const PIECE: usize = 512 << 10;

/// Packs the outcome as the Java class unpacks it.
fn inflate(
    vm: &mut Env,
    this: Ref,
    h: i64,
    from: (IoTarget, usize),
    to: (IoTarget, usize),
) -> R<i64> {
    let step = |vm: &mut Env, from, to, _last: bool| {
        stepped(vm, h, from, to, |s: &mut Inflate, input, output| {
            s.run(input, output)
        })
    };
    let Step {
        code,
        read,
        written,
    } = twins::in_steps(vm, from, to, (usize::MAX, PIECE), step)?;
    let counts = read as i64 | (written as i64) << 31;
    match code {
        code::Z_OK => Ok(counts),
        code::Z_STREAM_END => Ok(counts | 1 << 62),
        code::Z_NEED_DICT => Ok(counts | 1 << 63),
        code::Z_BUF_ERROR => Ok(0),
        code::Z_DATA_ERROR => {
            let m = twins::message::<Inflate>(vm, h);
            vm.set(this, jdk::inflater::INPUT_CONSUMED, read as i32)?;
            vm.set(this, jdk::inflater::OUTPUT_CONSUMED, written as i32)?;
            Err(error("java/util/zip/DataFormatException", m))
        }
        code::Z_MEM_ERROR => Err(Throw::bare("java/lang/OutOfMemoryError")),
        _ => {
            let message = twins::message::<Inflate>(vm, h);
            Err(error("java/lang/InternalError", message))
        }
    }
}

between_places!(inflate);
