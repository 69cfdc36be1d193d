//! Natives of `java.util.zip.Inflater`.

use super::stream::{Inflate, Step, Zip, code};
use super::twins::{self, Streams, between_places, error};
use crate::io::{self, Place, state};
use rjvm_vm::state::Rooms;
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

/// Packs the outcome as the Java class unpacks it.
fn inflate(vm: &mut Env, this: Ref, h: i64, from: (Place, usize), to: (Place, usize)) -> R<i64> {
    let Rooms {
        mut heap,
        offheap,
        extensions: ext,
        ..
    } = vm.rooms();
    let s = state::<Streams<Inflate>>(ext, Inflate::KEY)
        .get(h)
        .ok_or_else(Throw::npe)?;
    let Step {
        code,
        read,
        written,
    } = io::in_out(&mut heap, offheap, from, to, |input, output| {
        s.run(input, output)
    })?;
    let counts = read as i64 | (written as i64) << 31;
    match code {
        code::Z_OK => Ok(counts),
        code::Z_STREAM_END => Ok(counts | 1 << 62),
        code::Z_NEED_DICT => Ok(counts | 1 << 63),
        code::Z_BUF_ERROR => Ok(0),
        code::Z_DATA_ERROR => {
            let m = s.message();
            vm.set(this, jdk::inflater::INPUT_CONSUMED, read as i32)?;
            vm.set(this, jdk::inflater::OUTPUT_CONSUMED, written as i32)?;
            Err(error("java/util/zip/DataFormatException", m))
        }
        code::Z_MEM_ERROR => Err(Throw::bare("java/lang/OutOfMemoryError")),
        _ => Err(error("java/lang/InternalError", s.message())),
    }
}

between_places!(inflate);
