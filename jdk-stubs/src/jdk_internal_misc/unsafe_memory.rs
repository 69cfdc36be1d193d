//! Natives of `jdk.internal.misc.Unsafe` that read and write: fields and elements of objects, and
//! memory outside the heap. Threads switch only between bytecodes, so plain accesses are volatile too.

use crate::io::fault;
use rjvm_vm::heap::Prim;
use rjvm_vm::{Env, R, Ref, Throw, natives};
use std::borrow::Cow;

natives! { "jdk/internal/misc/Unsafe";
    getBoolean "(Ljava/lang/Object;J)Z" => get_boolean;
    getBooleanVolatile "(Ljava/lang/Object;J)Z" => get_boolean;
    getByte "(Ljava/lang/Object;J)B" => get_byte;
    getByteVolatile "(Ljava/lang/Object;J)B" => get_byte;
    getChar "(Ljava/lang/Object;J)C" => get_char;
    getCharVolatile "(Ljava/lang/Object;J)C" => get_char;
    getShort "(Ljava/lang/Object;J)S" => get_short;
    getShortVolatile "(Ljava/lang/Object;J)S" => get_short;
    getInt "(Ljava/lang/Object;J)I" => get_int;
    getIntVolatile "(Ljava/lang/Object;J)I" => get_int;
    getLong "(Ljava/lang/Object;J)J" => get_long;
    getLongVolatile "(Ljava/lang/Object;J)J" => get_long;
    getFloat "(Ljava/lang/Object;J)F" => get_float;
    getFloatVolatile "(Ljava/lang/Object;J)F" => get_float;
    getDouble "(Ljava/lang/Object;J)D" => get_double;
    getDoubleVolatile "(Ljava/lang/Object;J)D" => get_double;
    getReference "(Ljava/lang/Object;J)Ljava/lang/Object;" => get_reference, inlined ReferenceAt;
    getReferenceVolatile "(Ljava/lang/Object;J)Ljava/lang/Object;" => get_reference, inlined ReferenceAt;
    putBoolean "(Ljava/lang/Object;JZ)V" => put_boolean;
    putBooleanVolatile "(Ljava/lang/Object;JZ)V" => put_boolean;
    putByte "(Ljava/lang/Object;JB)V" => put_byte;
    putByteVolatile "(Ljava/lang/Object;JB)V" => put_byte;
    putChar "(Ljava/lang/Object;JC)V" => put_char;
    putCharVolatile "(Ljava/lang/Object;JC)V" => put_char;
    putShort "(Ljava/lang/Object;JS)V" => put_short;
    putShortVolatile "(Ljava/lang/Object;JS)V" => put_short;
    putInt "(Ljava/lang/Object;JI)V" => put_int;
    putIntVolatile "(Ljava/lang/Object;JI)V" => put_int;
    putLong "(Ljava/lang/Object;JJ)V" => put_long;
    putLongVolatile "(Ljava/lang/Object;JJ)V" => put_long;
    putFloat "(Ljava/lang/Object;JF)V" => put_float;
    putFloatVolatile "(Ljava/lang/Object;JF)V" => put_float;
    putDouble "(Ljava/lang/Object;JD)V" => put_double;
    putDoubleVolatile "(Ljava/lang/Object;JD)V" => put_double;
    putReference "(Ljava/lang/Object;JLjava/lang/Object;)V" => put_reference;
    putReferenceVolatile "(Ljava/lang/Object;JLjava/lang/Object;)V" => put_reference;
    compareAndSetInt "(Ljava/lang/Object;JII)Z" => compare_and_set_int;
    compareAndSetLong "(Ljava/lang/Object;JJJ)Z" => compare_and_set_long;
    compareAndSetReference "(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z" => compare_and_set_reference;
    compareAndExchangeInt "(Ljava/lang/Object;JII)I" => compare_and_exchange_int;
    compareAndExchangeLong "(Ljava/lang/Object;JJJ)J" => compare_and_exchange_long;
    compareAndExchangeReference "(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;" => compare_and_exchange_reference;
    copyMemory0 "(Ljava/lang/Object;JLjava/lang/Object;JJ)V" => copy_memory;
    copySwapMemory0 "(Ljava/lang/Object;JLjava/lang/Object;JJJ)V" => copy_swap_memory;
    setMemory0 "(Ljava/lang/Object;JJB)V" => set_memory;
    allocateMemory0 "(J)J" => allocate_memory;
    reallocateMemory0 "(JJ)J" => reallocate_memory;
    freeMemory0 "(J)V" => free_memory;
    fullFence "()V" => fence;
    loadFence "()V" until 20 => fence;
    storeFence "()V" until 20 => fence;
}

/// Checks that `n` bytes at `offset` lie in the object, behind its header.
#[inline]
fn inside(vm: &Env, object: Ref, offset: i64, n: usize) -> R<usize> {
    match usize::try_from(offset) {
        Ok(o) if vm.heap().is_inside(object, o, n) => Ok(o),
        _ => Err(fault()),
    }
}

/// The same, for writing: no number may come where a reference is.
#[inline]
fn plain(vm: &Env, object: Ref, offset: i64, n: usize) -> R<usize> {
    match usize::try_from(offset) {
        Ok(o) if vm.heap().is_plain(object, o, n) => Ok(o),
        _ => Err(fault()),
    }
}

#[inline]
fn get<T: Prim>(vm: &Env, object: Ref, offset: i64) -> R<T> {
    if object.is_null() {
        return vm.offheap().get(offset as u64).ok_or_else(fault);
    }
    let off = inside(vm, object, offset, size_of::<T>())?;
    Ok(vm.heap().get(object, off))
}

#[inline]
fn put<T: Prim>(vm: &mut Env, object: Ref, offset: i64, v: T) -> R<()> {
    if object.is_null() {
        return vm.offheap_mut().put(offset as u64, v).ok_or_else(fault);
    }
    let off = plain(vm, object, offset, size_of::<T>())?;
    vm.heap_mut().put(object, off, v);
    Ok(())
}

macro_rules! accessors {
    ($($get:ident $put:ident $t:ty;)*) => { $(
        fn $get(vm: &mut Env, _this: Ref, object: Ref, offset: i64) -> R<$t> {
            get(vm, object, offset)
        }
        fn $put(vm: &mut Env, _this: Ref, object: Ref, offset: i64, v: $t) -> R<()> {
            put(vm, object, offset, v)
        }
    )* };
}
accessors! {
    get_byte put_byte i8;
    get_char put_char u16;
    get_short put_short i16;
    get_int put_int i32;
    get_long put_long i64;
    get_float put_float f32;
    get_double put_double f64;
}

fn get_boolean(vm: &mut Env, _this: Ref, object: Ref, offset: i64) -> R<bool> {
    get::<u8>(vm, object, offset).map(|b| b != 0)
}

fn put_boolean(vm: &mut Env, _this: Ref, object: Ref, offset: i64, v: bool) -> R<()> {
    put::<u8>(vm, object, offset, u8::from(v))
}

/// Where a reference is; there are none outside the heap.
#[inline]
fn reference_at(vm: &Env, object: Ref, offset: i64) -> R<usize> {
    match usize::try_from(offset) {
        Ok(o) if !object.is_null() && vm.heap().is_reference(object, o) => Ok(o),
        _ => Err(fault()),
    }
}

fn get_reference(vm: &mut Env, _this: Ref, object: Ref, offset: i64) -> R<Ref> {
    let off = reference_at(vm, object, offset)?;
    Ok(vm.heap().get_ref(object, off))
}

/// Nothing comes where the declared type says otherwise.
#[inline]
fn set_reference(vm: &mut Env, object: Ref, off: usize, v: Ref) -> R<()> {
    match vm.put_reference(object, off, v) {
        true => Ok(()),
        false => Err(fault()),
    }
}

fn put_reference(vm: &mut Env, _this: Ref, object: Ref, offset: i64, v: Ref) -> R<()> {
    let off = reference_at(vm, object, offset)?;
    set_reference(vm, object, off, v)
}

fn compare_and_exchange_int(
    vm: &mut Env,
    _this: Ref,
    object: Ref,
    offset: i64,
    expected: i32,
    v: i32,
) -> R<i32> {
    let old = get::<i32>(vm, object, offset)?;
    if old == expected {
        put(vm, object, offset, v)?;
    }
    Ok(old)
}

fn compare_and_set_int(
    vm: &mut Env,
    this: Ref,
    object: Ref,
    offset: i64,
    expected: i32,
    v: i32,
) -> R<bool> {
    Ok(compare_and_exchange_int(vm, this, object, offset, expected, v)? == expected)
}

fn compare_and_exchange_long(
    vm: &mut Env,
    _this: Ref,
    object: Ref,
    offset: i64,
    expected: i64,
    v: i64,
) -> R<i64> {
    let old = get::<i64>(vm, object, offset)?;
    if old == expected {
        put(vm, object, offset, v)?;
    }
    Ok(old)
}

fn compare_and_set_long(
    vm: &mut Env,
    this: Ref,
    object: Ref,
    offset: i64,
    expected: i64,
    v: i64,
) -> R<bool> {
    Ok(compare_and_exchange_long(vm, this, object, offset, expected, v)? == expected)
}

fn compare_and_exchange_reference(
    vm: &mut Env,
    _this: Ref,
    object: Ref,
    offset: i64,
    expected: Ref,
    v: Ref,
) -> R<Ref> {
    let off = reference_at(vm, object, offset)?;
    let old = vm.heap().get_ref(object, off);
    if old == expected {
        set_reference(vm, object, off, v)?;
    }
    Ok(old)
}

fn compare_and_set_reference(
    vm: &mut Env,
    this: Ref,
    object: Ref,
    offset: i64,
    expected: Ref,
    v: Ref,
) -> R<bool> {
    Ok(compare_and_exchange_reference(vm, this, object, offset, expected, v)? == expected)
}

/// Checks that `n` bytes lie in the object or in one block outside the heap.
fn check_range(vm: &Env, object: Ref, offset: i64, n: usize) -> R<()> {
    if object.is_null() {
        let rest = vm.offheap().rest(offset as u64);
        return rest.filter(|&rest| rest >= n).map(drop).ok_or_else(fault);
    }
    inside(vm, object, offset, n).map(drop)
}

/// `n` bytes of an array of primitives or outside the heap.
fn range(vm: &Env, object: Ref, offset: i64, n: usize) -> R<Cow<'_, [u8]>> {
    if object.is_null() {
        return vm.offheap().bytes(offset as u64, n).ok_or_else(fault);
    }
    let off = inside(vm, object, offset, n)?;
    Ok(vm.heap().raw(object, off, n).into())
}

fn put_range(vm: &mut Env, object: Ref, offset: i64, bytes: &[u8]) -> R<()> {
    if object.is_null() {
        return vm
            .offheap_mut()
            .write(offset as u64, bytes)
            .ok_or_else(fault);
    }
    let off = plain(vm, object, offset, bytes.len())?;
    vm.heap_mut()
        .raw_mut(object, off, bytes.len())
        .copy_from_slice(bytes);
    Ok(())
}

fn size(bytes: i64) -> R<usize> {
    usize::try_from(bytes).map_err(|_| Throw::bare("java/lang/IllegalArgumentException"))
}

/// Bytes copied at a time between the heap and memory outside.
const PIECE: usize = 1 << 20;

fn copy_memory(
    vm: &mut Env,
    _this: Ref,
    src: Ref,
    src_off: i64,
    dst: Ref,
    dst_off: i64,
    bytes: i64,
) -> R<()> {
    let n = size(bytes)?;
    if n == 0 {
        return Ok(());
    }
    // all of both ranges is checked before anything is written
    match (src.is_null(), dst.is_null()) {
        (false, false) => {
            inside(vm, src, src_off, n)?;
            plain(vm, dst, dst_off, n)?;
        }
        _ => {
            check_range(vm, src, src_off, n)?;
            check_range(vm, dst, dst_off, n)?;
        }
    }
    // from the end, if the beginning of the source would be overwritten by then
    let backwards = src == dst && src_off < dst_off;
    vm.in_pieces(n, PIECE, |vm, done, piece| {
        let at = match backwards {
            true => n - done - piece,
            false => done,
        };
        let (src_off, dst_off) = (src_off + at as i64, dst_off + at as i64);
        match (src.is_null(), dst.is_null()) {
            (true, true) => {
                let off_heap = vm.offheap_mut();
                let copied = off_heap.copy(src_off as u64, dst_off as u64, piece);
                copied.ok_or_else(fault)
            }
            (false, false) => {
                let s = inside(vm, src, src_off, piece)?;
                let d = plain(vm, dst, dst_off, piece)?;
                vm.heap_mut().copy(src, s, dst, d, piece);
                Ok(())
            }
            _ => {
                let from = range(vm, src, src_off, piece)?.into_owned();
                put_range(vm, dst, dst_off, &from)
            }
        }
    })
}

fn copy_swap_memory(
    vm: &mut Env,
    _this: Ref,
    src: Ref,
    src_off: i64,
    dst: Ref,
    dst_off: i64,
    bytes: i64,
    elem: i64,
) -> R<()> {
    let (n, elem) = (size(bytes)?, size(elem)?);
    if n == 0 {
        return Ok(());
    }
    if !matches!(elem, 2 | 4 | 8) || n % elem != 0 {
        return Err(Throw::bare("java/lang/IllegalArgumentException"));
    }
    let mut data = range(vm, src, src_off, n)?.into_owned();
    for e in data.chunks_exact_mut(elem) {
        e.reverse();
    }
    put_range(vm, dst, dst_off, &data)
}

fn set_memory(vm: &mut Env, _this: Ref, object: Ref, offset: i64, bytes: i64, value: i8) -> R<()> {
    let n = size(bytes)?;
    if n == 0 {
        return Ok(());
    }
    match object.is_null() {
        true => check_range(vm, object, offset, n)?,
        false => plain(vm, object, offset, n).map(drop)?,
    }
    vm.in_pieces(n, PIECE, |vm, at, n| {
        let (offset, fill) = (offset + at as i64, |bytes: &mut [u8]| {
            bytes.fill(value as u8)
        });
        if object.is_null() {
            let filled = vm.offheap_mut().change(offset as u64, n, fill);
            return filled.ok_or_else(fault);
        }
        let off = plain(vm, object, offset, n)?;
        fill(vm.heap_mut().raw_mut(object, off, n));
        Ok(())
    })
}

/// 0 makes the caller throw OutOfMemoryError.
fn allocate_memory(vm: &mut Env, _this: Ref, bytes: i64) -> R<i64> {
    Ok(vm.offheap_mut().alloc(size(bytes)?).map_or(0, |a| a as i64))
}

fn reallocate_memory(vm: &mut Env, _this: Ref, address: i64, bytes: i64) -> R<i64> {
    if address != 0 && vm.offheap().rest(address as u64).is_none() {
        return Err(fault());
    }
    Ok(vm
        .offheap_mut()
        .realloc(address as u64, size(bytes)?)
        .map_or(0, |a| a as i64))
}

fn free_memory(vm: &mut Env, _this: Ref, address: i64) -> R<()> {
    match vm.offheap_mut().release(address as u64) {
        Some(_) => Ok(()),
        None => Err(fault()),
    }
}

/// Threads switch only between bytecodes: there is nothing to order.
fn fence(_: &mut Env, _this: Ref) -> R<()> {
    Ok(())
}
