//! Natives of `java.util.zip.Inflater`.

use super::stream::{Inflate, Step, code};
use crate::io::{self, Handles, Place, state};
use rjvm_vm::state::Rooms;
use rjvm_vm::{R, Ref, Throw, Vm, jdk, natives};

natives! { "java/util/zip/Inflater";
    initIDs "()V" => init_ids;
    init "(Z)J" => init;
    setDictionary "(J[BII)V" => set_dictionary;
    setDictionaryBuffer "(JJI)V" => set_dictionary_buffer;
    inflateBytesBytes "(J[BII[BII)J" => bytes_bytes;
    inflateBytesBuffer "(J[BIIJI)J" => bytes_buffer;
    inflateBufferBytes "(JJI[BII)J" => buffer_bytes;
    inflateBufferBuffer "(JJIJI)J" => buffer_buffer;
    getAdler "(J)I" => adler;
    reset "(J)V" => reset;
    end "(J)V" => end;
}

type Streams = Handles<Inflate>;
const KEY: &str = "java.util.zip.Inflater";

/// Nothing to cache: fields are looked up by name.
fn init_ids(_: &mut Vm) -> R<()> {
    Ok(())
}

fn init(vm: &mut Vm, raw: bool) -> R<i64> {
    match Inflate::new(raw) {
        Ok(i) => Ok(state::<Streams>(vm.extensions(), KEY).add(i)),
        Err((code::Z_MEM_ERROR, _)) => Err(Throw::bare("java/lang/OutOfMemoryError")),
        Err((_, m)) => Err(super::deflater::error("java/lang/InternalError", m)),
    }
}

fn with<T>(vm: &mut Vm, h: i64, f: impl FnOnce(&mut Inflate) -> T) -> R<T> {
    let s = state::<Streams>(vm.extensions(), KEY).get(h);
    Ok(f(s.ok_or_else(Throw::npe)?))
}

fn dictionary(vm: &mut Vm, h: i64, at: Place, len: i32) -> R<()> {
    let room = vm.rooms();
    let d = at.bytes(room.heap, room.offheap, 0, len as usize)?;
    let s = state::<Streams>(room.extensions, KEY)
        .get(h)
        .ok_or_else(Throw::npe)?;
    match s.set_dictionary(&d) {
        code::Z_OK => Ok(()),
        code::Z_STREAM_ERROR | code::Z_DATA_ERROR => Err(super::deflater::error(
            "java/lang/IllegalArgumentException",
            s.message(),
        )),
        _ => Err(super::deflater::error(
            "java/lang/InternalError",
            s.message(),
        )),
    }
}

fn set_dictionary(vm: &mut Vm, h: i64, array: Ref, off: i32, len: i32) -> R<()> {
    io::check_range(vm, array, off, len)?;
    dictionary(vm, h, Place::Array(array, off as usize), len)
}

fn set_dictionary_buffer(vm: &mut Vm, h: i64, address: i64, len: i32) -> R<()> {
    dictionary(vm, h, Place::Memory(address), len)
}

/// Packs the outcome as the Java class unpacks it.
fn inflate(vm: &mut Vm, this: Ref, h: i64, from: (Place, i32), to: (Place, i32)) -> R<i64> {
    let Rooms {
        heap,
        offheap,
        extensions: ext,
        ..
    } = vm.rooms();
    let (from, to) = ((from.0, from.1 as usize), (to.0, to.1 as usize));
    let s = state::<Streams>(ext, KEY).get(h).ok_or_else(Throw::npe)?;
    let Step {
        code,
        read,
        written,
    } = io::in_out(heap, offheap, from, to, |input, output| {
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
            Err(super::deflater::error(
                "java/util/zip/DataFormatException",
                m,
            ))
        }
        code::Z_MEM_ERROR => Err(Throw::bare("java/lang/OutOfMemoryError")),
        _ => Err(super::deflater::error(
            "java/lang/InternalError",
            s.message(),
        )),
    }
}

fn bytes_bytes(
    vm: &mut Vm,
    this: Ref,
    h: i64,
    input: Ref,
    input_off: i32,
    input_len: i32,
    output: Ref,
    output_off: i32,
    output_len: i32,
) -> R<i64> {
    io::check_range(vm, input, input_off, input_len)?;
    io::check_range(vm, output, output_off, output_len)?;
    let from = (Place::Array(input, input_off as usize), input_len);
    inflate(
        vm,
        this,
        h,
        from,
        (Place::Array(output, output_off as usize), output_len),
    )
}

fn bytes_buffer(
    vm: &mut Vm,
    this: Ref,
    h: i64,
    input: Ref,
    input_off: i32,
    input_len: i32,
    output: i64,
    output_len: i32,
) -> R<i64> {
    io::check_range(vm, input, input_off, input_len)?;
    let from = (Place::Array(input, input_off as usize), input_len);
    inflate(vm, this, h, from, (Place::Memory(output), output_len))
}

fn buffer_bytes(
    vm: &mut Vm,
    this: Ref,
    h: i64,
    input: i64,
    input_len: i32,
    output: Ref,
    output_off: i32,
    output_len: i32,
) -> R<i64> {
    io::check_range(vm, output, output_off, output_len)?;
    let to = (Place::Array(output, output_off as usize), output_len);
    inflate(vm, this, h, (Place::Memory(input), input_len), to)
}

fn buffer_buffer(
    vm: &mut Vm,
    this: Ref,
    h: i64,
    input: i64,
    input_len: i32,
    output: i64,
    output_len: i32,
) -> R<i64> {
    inflate(
        vm,
        this,
        h,
        (Place::Memory(input), input_len),
        (Place::Memory(output), output_len),
    )
}

fn adler(vm: &mut Vm, h: i64) -> R<i32> {
    with(vm, h, |s| s.adler())
}

fn reset(vm: &mut Vm, h: i64) -> R<()> {
    match with(vm, h, |s| s.reset())? {
        code::Z_OK => Ok(()),
        _ => Err(Throw::bare("java/lang/InternalError")),
    }
}

fn end(vm: &mut Vm, h: i64) -> R<()> {
    state::<Streams>(vm.extensions(), KEY).remove(h);
    Ok(())
}
