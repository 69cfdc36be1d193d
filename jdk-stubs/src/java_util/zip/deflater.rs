//! Natives of `java.util.zip.Deflater`.

use super::stream::{Deflate, Step, code};
use crate::io::{self, Handles, Place, state};
use rjvm_vm::state::Rooms;
use rjvm_vm::{R, Ref, Throw, Vm, natives};

natives! { "java/util/zip/Deflater";
    init "(IIZ)J" => init;
    setDictionary "(J[BII)V" => set_dictionary;
    setDictionaryBuffer "(JJI)V" => set_dictionary_buffer;
    deflateBytesBytes "(J[BII[BIIII)J" => bytes_bytes;
    deflateBytesBuffer "(J[BIIJIII)J" => bytes_buffer;
    deflateBufferBytes "(JJI[BIIII)J" => buffer_bytes;
    deflateBufferBuffer "(JJIJIII)J" => buffer_buffer;
    getAdler "(J)I" => adler;
    reset "(J)V" => reset;
    end "(J)V" => end;
}

type Streams = Handles<Deflate>;
const KEY: &str = "java.util.zip.Deflater";

/// An exception with zlib's message, if it has one.
pub fn error(class: &'static str, message: Option<String>) -> Box<Throw> {
    match message {
        Some(m) => Throw::msg(class, m),
        None => Throw::bare(class),
    }
}

fn init(vm: &mut Vm, level: i32, strategy: i32, raw: bool) -> R<i64> {
    match Deflate::new(level, strategy, raw) {
        Ok(d) => Ok(state::<Streams>(vm.extensions(), KEY).add(d)),
        Err((code::Z_MEM_ERROR, _)) => Err(Throw::bare("java/lang/OutOfMemoryError")),
        Err((code::Z_STREAM_ERROR, m)) => Err(error("java/lang/IllegalArgumentException", m)),
        Err((_, m)) => Err(error("java/lang/InternalError", m)),
    }
}

fn with<T>(vm: &mut Vm, h: i64, f: impl FnOnce(&mut Deflate) -> T) -> R<T> {
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
        code::Z_STREAM_ERROR => Err(error("java/lang/IllegalArgumentException", None)),
        _ => Err(error("java/lang/InternalError", s.message())),
    }
}

fn set_dictionary(vm: &mut Vm, h: i64, array: Ref, off: i32, len: i32) -> R<()> {
    io::check_range(vm, array, off, len)?;
    dictionary(vm, h, Place::Array(array, off as usize), len)
}

fn set_dictionary_buffer(vm: &mut Vm, h: i64, address: i64, len: i32) -> R<()> {
    dictionary(vm, h, Place::Memory(address), len)
}

/// `params`: bit 0 set to change strategy (bits 1 and 2) and level (the others). Packs the outcome
/// as the Java class unpacks it; bit 63: the change has still to be made.
fn deflate(
    vm: &mut Vm,
    h: i64,
    from: (Place, i32),
    to: (Place, i32),
    flush: i32,
    params: i32,
) -> R<i64> {
    let Rooms {
        heap,
        offheap,
        extensions: ext,
        ..
    } = vm.rooms();
    let (from, to) = ((from.0, from.1 as usize), (to.0, to.1 as usize));
    let s = state::<Streams>(ext, KEY).get(h).ok_or_else(Throw::npe)?;
    let change = params & 1 != 0;
    let Step {
        code,
        read,
        written,
    } = io::in_out(heap, offheap, from, to, |input, output| match change {
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

fn bytes_bytes(
    vm: &mut Vm,
    _this: Ref,
    h: i64,
    input: Ref,
    input_off: i32,
    input_len: i32,
    output: Ref,
    output_off: i32,
    output_len: i32,
    flush: i32,
    params: i32,
) -> R<i64> {
    io::check_range(vm, input, input_off, input_len)?;
    io::check_range(vm, output, output_off, output_len)?;
    let from = (Place::Array(input, input_off as usize), input_len);
    let to = (Place::Array(output, output_off as usize), output_len);
    deflate(vm, h, from, to, flush, params)
}

fn bytes_buffer(
    vm: &mut Vm,
    _this: Ref,
    h: i64,
    input: Ref,
    input_off: i32,
    input_len: i32,
    output: i64,
    output_len: i32,
    flush: i32,
    params: i32,
) -> R<i64> {
    io::check_range(vm, input, input_off, input_len)?;
    let from = (Place::Array(input, input_off as usize), input_len);
    deflate(
        vm,
        h,
        from,
        (Place::Memory(output), output_len),
        flush,
        params,
    )
}

fn buffer_bytes(
    vm: &mut Vm,
    _this: Ref,
    h: i64,
    input: i64,
    input_len: i32,
    output: Ref,
    output_off: i32,
    output_len: i32,
    flush: i32,
    params: i32,
) -> R<i64> {
    io::check_range(vm, output, output_off, output_len)?;
    let to = (Place::Array(output, output_off as usize), output_len);
    deflate(vm, h, (Place::Memory(input), input_len), to, flush, params)
}

fn buffer_buffer(
    vm: &mut Vm,
    _this: Ref,
    h: i64,
    input: i64,
    input_len: i32,
    output: i64,
    output_len: i32,
    flush: i32,
    params: i32,
) -> R<i64> {
    let from = (Place::Memory(input), input_len);
    deflate(
        vm,
        h,
        from,
        (Place::Memory(output), output_len),
        flush,
        params,
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
