//! Natives that `Deflater` and `Inflater` have alike.

use super::stream::{Step, Zip, code};
use crate::io::{self, Handles, IoTarget, state};
use rjvm_vm::state::Rooms;
use rjvm_vm::{Env, R, Ref, Throw};

/// The streams of one Java class.
pub(super) type StreamHandles<S> = Handles<S>;

/// An exception with zlib's message, if it has one.
pub(super) fn error(class: &'static str, message: Option<String>) -> Box<Throw> {
    match message {
        Some(m) => Throw::msg(class, m),
        None => Throw::bare(class),
    }
}

/// A stream that was made, or why there is none.
pub(super) fn made<S: Zip>(vm: &mut Env, stream: Result<S, (i32, Option<String>)>) -> R<i64> {
    let room = stream.is_err() || vm.offheap_mut().charge(S::MEMORY).is_some();
    match stream {
        Ok(_) if !room => Err(Throw::bare("java/lang/OutOfMemoryError")),
        Ok(s) => Ok(state::<StreamHandles<S>>(vm.extensions(), S::KEY).add(s)),
        Err((code::Z_MEM_ERROR, _)) => Err(Throw::bare("java/lang/OutOfMemoryError")),
        Err((code::Z_STREAM_ERROR, m)) if S::HAS_LEVELS => {
            Err(error("java/lang/IllegalArgumentException", m))
        }
        Err((_, m)) => Err(error("java/lang/InternalError", m)),
    }
}

pub(super) fn with<S: Zip, T>(vm: &mut Env, h: i64, f: impl FnOnce(&mut S) -> T) -> R<T> {
    let s = state::<StreamHandles<S>>(vm.extensions(), S::KEY).get(h);
    Ok(f(s.ok_or_else(Throw::npe)?))
}

fn dictionary<S: Zip>(vm: &mut Env, h: i64, at: IoTarget, len: i32) -> R<()> {
    let room = vm.rooms();
    let d = at.bytes(&room.heap, room.offheap, 0, len as usize)?;
    let s = state::<StreamHandles<S>>(room.extensions, S::KEY)
        .get(h)
        .ok_or_else(Throw::npe)?;
    match s.set_dictionary(&d) {
        code::Z_OK => Ok(()),
        refused if S::REFUSES.contains(&refused) => {
            let message = s.message().filter(|_| !S::HAS_LEVELS);
            Err(error("java/lang/IllegalArgumentException", message))
        }
        _ => Err(error("java/lang/InternalError", s.message())),
    }
}

pub(super) fn set_dictionary<S: Zip>(
    vm: &mut Env,
    h: i64,
    array: Ref,
    off: i32,
    len: i32,
) -> R<()> {
    io::check_range(vm, array, off, len)?;
    dictionary::<S>(vm, h, IoTarget::Array(array, off as usize), len)
}

pub(super) fn set_dictionary_buffer<S: Zip>(vm: &mut Env, h: i64, address: i64, len: i32) -> R<()> {
    dictionary::<S>(vm, h, IoTarget::Memory(address), len)
}

pub(super) fn adler<S: Zip>(vm: &mut Env, h: i64) -> R<i32> {
    with(vm, h, |s: &mut S| s.adler())
}

pub(super) fn reset<S: Zip>(vm: &mut Env, h: i64) -> R<()> {
    match with(vm, h, |s: &mut S| s.reset())? {
        code::Z_OK => Ok(()),
        _ => Err(Throw::bare("java/lang/InternalError")),
    }
}

pub(super) fn end<S: Zip>(vm: &mut Env, h: i64) -> R<()> {
    if state::<StreamHandles<S>>(vm.extensions(), S::KEY)
        .remove(h)
        .is_some()
    {
        vm.offheap_mut().discharge(S::MEMORY);
    }
    Ok(())
}

/// Bytes of an array, which has them.
pub(super) fn array(vm: &Env, array: Ref, off: i32, len: i32) -> R<(IoTarget, usize)> {
    io::check_range(vm, array, off, len)?;
    Ok((IoTarget::Array(array, off as usize), len as usize))
}

/// Bytes outside the heap.
pub(super) fn memory(address: i64, len: i32) -> (IoTarget, usize) {
    (IoTarget::Memory(address), len as usize)
}

/// The four natives that call `$run`, between arrays and memory outside the heap; `$more`: further parameters.
/// A step of the stream `h`.
pub fn stepped<T: Zip>(
    vm: &mut Env,
    h: i64,
    from: Span,
    to: Span,
    f: impl FnOnce(&mut T, &[u8], &mut [u8]) -> Step,
) -> R<Step> {
    let Rooms {
        mut heap,
        offheap,
        extensions: ext,
        ..
    } = vm.rooms();
    let s = state::<StreamHandles<T>>(ext, T::KEY)
        .get(h)
        .ok_or_else(Throw::npe)?;
    io::in_out(&mut heap, offheap, from, to, |input, output| {
        f(s, input, output)
    })
}

/// The text of the stream's last error.
pub fn message<T: Zip>(vm: &mut Env, h: i64) -> Option<String> {
    let s = state::<StreamHandles<T>>(vm.extensions(), T::KEY).get(h)?;
    s.message()
}

/// The target of a place, and its length.
pub type Span = (IoTarget, usize);

/// A step of a stream from one place to another, done in smaller ones, so that a request to stop the VM need not wait for all of
/// it: each takes `most` bytes of input and gives as many of output, at most. `step` gets from where and to
/// where, and whether it has the last of the input. The outcome is the outcome of the whole.
pub fn in_steps(
    vm: &mut Env,
    from: Span,
    to: Span,
    most: (usize, usize),
    mut step: impl FnMut(&mut Env, Span, Span, bool) -> R<Step>,
) -> R<Step> {
    if from.0.may_overlap(to.0) {
        // what is written may be what is still to be read
        return step(vm, from, to, true);
    }
    loop {
        let [read, written, _] = vm.native_state().map(|n| n as usize);
        let input = most.0.min(from.1 - read);
        let output = most.1.min(to.1 - written);
        let last = read + input == from.1;
        let places = (from.0.skip(read), to.0.skip(written));
        let s = step(vm, (places.0, input), (places.1, output), last)?;
        let all = Step {
            code: s.code,
            read: read + s.read,
            written: written + s.written,
        };
        match s.code {
            code::Z_OK => {}
            // the ones before have done all there was to do
            code::Z_BUF_ERROR if read + written > 0 => {
                return Ok(Step {
                    code: code::Z_OK,
                    ..all
                });
            }
            _ => return Ok(all),
        }
        let stuck = s.read + s.written == 0;
        if all.written == to.1 || last && s.written < output || stuck {
            return Ok(all);
        }
        *vm.native_state() = [all.read, all.written, 0].map(|n| n as u64);
        vm.breathe()?;
    }
}

macro_rules! between_places {
    ($run:path $(; $($more:ident),*)?) => {
        fn bytes_bytes(
            vm: &mut Env, this: Ref, h: i64, input: Ref, input_off: i32, input_len: i32,
            output: Ref, output_off: i32, output_len: i32 $(, $($more: i32),*)?
        ) -> R<i64> {
            let from = $crate::java_util::zip::twins::array(vm, input, input_off, input_len)?;
            let to = $crate::java_util::zip::twins::array(vm, output, output_off, output_len)?;
            $run(vm, this, h, from, to $(, $($more),*)?)
        }
        fn bytes_buffer(
            vm: &mut Env, this: Ref, h: i64, input: Ref, input_off: i32, input_len: i32,
            output: i64, output_len: i32 $(, $($more: i32),*)?
        ) -> R<i64> {
            let from = $crate::java_util::zip::twins::array(vm, input, input_off, input_len)?;
            let to = $crate::java_util::zip::twins::memory(output, output_len);
            $run(vm, this, h, from, to $(, $($more),*)?)
        }
        fn buffer_bytes(
            vm: &mut Env, this: Ref, h: i64, input: i64, input_len: i32,
            output: Ref, output_off: i32, output_len: i32 $(, $($more: i32),*)?
        ) -> R<i64> {
            let from = $crate::java_util::zip::twins::memory(input, input_len);
            let to = $crate::java_util::zip::twins::array(vm, output, output_off, output_len)?;
            $run(vm, this, h, from, to $(, $($more),*)?)
        }
        fn buffer_buffer(
            vm: &mut Env, this: Ref, h: i64, input: i64, input_len: i32,
            output: i64, output_len: i32 $(, $($more: i32),*)?
        ) -> R<i64> {
            let from = $crate::java_util::zip::twins::memory(input, input_len);
            let to = $crate::java_util::zip::twins::memory(output, output_len);
            $run(vm, this, h, from, to $(, $($more),*)?)
        }
    };
}
pub(super) use between_places;
