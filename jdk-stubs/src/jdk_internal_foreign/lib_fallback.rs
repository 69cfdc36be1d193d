//! Natives of `jdk.internal.foreign.abi.fallback.LibFallback`: calls of native functions, and from them, by libffi.
//!
//! The class library asks for them where its linker has no code for a processor, which is so here: see
//! `jdk.internal.vm.ForeignLinkerSupport`. It makes types, descriptions of calls and arguments in memory itself.

use crate::foreign::Granted;
use crate::foreign::calls::{
    self, Call, NativeRequest, Parameters, Progress, UpcallRequest, types,
};
use crate::io::fault;
use crate::jni::{self, upcalls};
use crate::support::non_null;
use rjvm_vm::heap::ELEMS;
use rjvm_vm::jdk::calls::lib_fallback;
use rjvm_vm::threads::Wait;
use rjvm_vm::throw::{self, Cont, Next, Resume, Upcall};
use rjvm_vm::{Env, LoaderId, R, Ref, Throw, Value, natives};
use std::time::Duration;

natives! { "jdk/internal/foreign/abi/fallback/LibFallback";
    init "()Z" since 21 => init;
    sizeofCif "()J" since 21 => size_of_cif;
    createClosure "(JLjava/lang/Object;[J)I" since 21 => create_closure;
    freeClosure "(JJ)V" since 21 => free_closure;
    doDowncall "(JJJJJI)V" since 21 until 21 => do_downcall_21;
    doDowncall "(JJJJLjava/lang/Object;JI[Ljava/lang/Object;I)V" since 24 => do_downcall;
    ffi_prep_cif "(JIIJJ)I" since 21 => prep_cif;
    ffi_prep_cif_var "(JIIIJJ)I" since 21 => prep_cif_var;
    ffi_get_struct_offsets "(IJJ)I" since 21 => get_struct_offsets;
    ffi_default_abi "()I" since 21 => default_abi;
    ffi_type_struct "()S" since 21 => type_struct;
    ffi_type_void "()J" since 21 => type_void;
    ffi_type_uint8 "()J" since 21 => type_uint8;
    ffi_type_sint8 "()J" since 21 => type_sint8;
    ffi_type_uint16 "()J" since 21 => type_uint16;
    ffi_type_sint16 "()J" since 21 => type_sint16;
    ffi_type_uint32 "()J" since 21 => type_uint32;
    ffi_type_sint32 "()J" since 21 => type_sint32;
    ffi_type_uint64 "()J" since 21 => type_uint64;
    ffi_type_sint64 "()J" since 21 => type_sint64;
    ffi_type_float "()J" since 21 => type_float;
    ffi_type_double "()J" since 21 => type_double;
    ffi_type_pointer "()J" since 21 => type_pointer;
    ffi_sizeof_short "()I" since 22 => sizeof_short;
    ffi_sizeof_int "()I" since 22 => sizeof_int;
    ffi_sizeof_long "()I" since 22 => sizeof_long;
    ffi_sizeof_wchar "()I" since 22 => sizeof_wchar;
    alignof_long_long "()I" since 22 => alignof_long_long;
    alignof_double "()I" since 22 => alignof_double;
}

macro_rules! constants {
    ($($name:ident $t:ty = $value:expr;)*) => { $(
        fn $name(_: &mut Env) -> R<$t> {
            Ok($value)
        }
    )* };
}
constants! {
    type_void i64 = types::void();
    type_uint8 i64 = types::uint8();
    type_sint8 i64 = types::sint8();
    type_uint16 i64 = types::uint16();
    type_sint16 i64 = types::sint16();
    type_uint32 i64 = types::uint32();
    type_sint32 i64 = types::sint32();
    type_uint64 i64 = types::uint64();
    type_sint64 i64 = types::sint64();
    type_float i64 = types::float();
    type_double i64 = types::double();
    type_pointer i64 = types::pointer();
    sizeof_short i32 = size_of::<libc::c_short>() as i32;
    sizeof_int i32 = size_of::<libc::c_int>() as i32;
    sizeof_long i32 = size_of::<libc::c_long>() as i32;
    sizeof_wchar i32 = size_of::<libc::wchar_t>() as i32;
    alignof_long_long i32 = align_of::<libc::c_longlong>() as i32;
    alignof_double i32 = align_of::<libc::c_double>() as i32;
}

/// The bit of a mask for the error number, and its place among the requested values.
const ERRNO: i32 = 1 << 2;

fn granted(vm: &Env) -> R<Granted> {
    Granted::of(vm).ok_or_else(|| {
        let text = "native code has not been granted to this program";
        Throw::msg("java/lang/UnsupportedOperationException", text)
    })
}

fn init(vm: &mut Env) -> R<bool> {
    granted(vm)?;
    vm.offheap_mut().open();
    Ok(true)
}

fn size_of_cif(_: &mut Env) -> R<i64> {
    Ok(calls::SIZE_OF_CIF as i64)
}

fn default_abi(_: &mut Env) -> R<i32> {
    Ok(calls::DEFAULT_ABI as i32)
}

fn type_struct(_: &mut Env) -> R<i16> {
    Ok(calls::STRUCT as i16)
}

fn prep_cif(vm: &mut Env, cif: i64, abi: i32, all: i32, result: i64, types: i64) -> R<i32> {
    let parameters = Parameters {
        fixed: None,
        all,
        types,
    };
    Ok(calls::prepare(granted(vm)?, cif, abi, &parameters, result))
}

fn prep_cif_var(
    vm: &mut Env,
    cif: i64,
    abi: i32,
    fixed: i32,
    all: i32,
    result: i64,
    types: i64,
) -> R<i32> {
    let parameters = Parameters {
        fixed: Some(fixed),
        all,
        types,
    };
    Ok(calls::prepare(granted(vm)?, cif, abi, &parameters, result))
}

fn get_struct_offsets(vm: &mut Env, abi: i32, ty: i64, offsets: i64) -> R<i32> {
    Ok(calls::struct_offsets(granted(vm)?, abi, ty, offsets))
}

/// Closure, code and the closure's target go to `pointers`.
fn create_closure(vm: &mut Env, cif: i64, target: Ref, pointers: Ref) -> R<i32> {
    let (granted, pointers) = (granted(vm)?, non_null(pointers)?);
    let cell = vm.heap_mut().new_cell(target);
    let outside = upcalls::from_outside(granted, vm, upcall);
    match calls::closure(granted, vm, cif, cell, outside) {
        Ok(made) => {
            for (i, pointer) in made.into_iter().enumerate() {
                vm.heap_mut().set_elem(pointers, i, pointer);
            }
            Ok(0)
        }
        Err(status) => {
            vm.heap_mut().free_cell(cell);
            Ok(status)
        }
    }
}

fn free_closure(vm: &mut Env, closure: i64, target: i64) -> R<()> {
    let cell = calls::free_closure(granted(vm)?, closure, target);
    vm.heap_mut().free_cell(cell);
    Ok(())
}

/// Where the error number goes.
struct ErrnoTarget {
    /// An array, or null: the address is the machine's.
    base: Ref,
    address: i64,
    /// Bits for the requested values.
    mask: i32,
}

impl ErrnoTarget {
    fn capture(&self, vm: &mut Env, errno: i32) -> R<()> {
        if self.mask & ERRNO == 0 {
            return Ok(());
        }
        let Some(array) = self.base.non_null() else {
            let put = vm.offheap_mut().put(self.address as u64, errno);
            return put.ok_or_else(fault);
        };
        let off = ELEMS + self.address as usize;
        let mut heap = vm.heap_mut();
        let room = heap.raw_mut(array, off, size_of::<i32>());
        room.copy_from_slice(&errno.to_ne_bytes());
        Ok(())
    }
}

fn do_downcall_21(
    vm: &mut Env,
    cif: i64,
    function: i64,
    result: i64,
    arguments: i64,
    address: i64,
    mask: i32,
) -> R<()> {
    let call = Call {
        cif,
        function,
        result,
        arguments,
    };
    let state = ErrnoTarget {
        base: Ref::NULL,
        address,
        mask,
    };
    downcall(vm, call, &state, Ref::NULL)
}

fn do_downcall(
    vm: &mut Env,
    cif: i64,
    function: i64,
    result: i64,
    arguments: i64,
    base: Ref,
    address: i64,
    mask: i32,
    arrays: Ref,
    _count: i32,
) -> R<()> {
    let call = Call {
        cif,
        function,
        result,
        arguments,
    };
    let state = ErrnoTarget {
        base,
        address,
        mask,
    };
    downcall(vm, call, &state, arrays)
}

/// Calls a function; arrays of the heap among its arguments are lent to it as copies.
fn downcall(vm: &mut Env, call: Call, state: &ErrnoTarget, arrays: Ref) -> R<()> {
    let granted = granted(vm)?;
    let call = Call {
        function: jni::instead_of(call.function),
        ..call
    };
    let lent = lend(vm, arrays, call.arguments)?;
    let mut progress = calls::begin(granted, vm, call)?;
    // it has the contents of arrays, so all wait for it
    while let Progress::Waits(number, NativeRequest::Nap(time)) = progress
        && !lent.is_empty()
    {
        std::thread::sleep(time);
        progress = calls::go_on(granted, vm, number);
    }
    match progress {
        Progress::Done(errno) => {
            for (array, bytes) in lent {
                let mut heap = vm.heap_mut();
                let room = heap.raw_mut(array, ELEMS, bytes.len());
                room.copy_from_slice(&bytes);
            }
            state.capture(vm, errno)
        }
        Progress::Waits(number, _) if !lent.is_empty() => {
            calls::give_up(vm, number);
            Err(Throw::msg(
                "java/lang/IllegalStateException",
                "a native function that was called with Linker.Option.critical calls Java",
            ))
        }
        Progress::Waits(number, request) => {
            let data = [number, state.address as u64, state.mask as u32 as u64];
            let mut cont = Cont::new(step, data, [state.base, Ref::NULL, Ref::NULL]);
            Err(match request {
                NativeRequest::Upcall(request) => upcall(vm, request).then(cont, Resume::Value),
                NativeRequest::Nap(time) => {
                    plan_nap(&mut cont, time);
                    Box::new(Throw::Upcall(Upcall {
                        call: None,
                        cont: Some(cont),
                        resume: Resume::Value,
                    }))
                }
            })
        }
    }
}

/// Arrays among the arguments with their contents, to which the arguments point now: where an argument has one, there
/// stood how far it begins behind the first element.
fn lend(vm: &mut Env, arrays: Ref, arguments: i64) -> R<Vec<(Ref, Vec<u8>)>> {
    let mut lent: Vec<(Ref, Vec<u8>)> = Vec::new();
    let Some(arrays) = arrays.non_null() else {
        return Ok(lent);
    };
    for i in 0..vm.heap().len(arrays) {
        let Some(array) = vm.heap().elem_ref(arrays, i).non_null() else {
            continue;
        };
        let known = lent.iter().position(|(known, _)| *known == array);
        let known = known.unwrap_or_else(|| {
            let n = vm.heap().len(array) * vm.heap().elem_bytes(array);
            lent.push((array, vm.heap().raw(array, ELEMS, n).to_vec()));
            lent.len() - 1
        });
        let start = lent[known].1.as_mut_ptr().expose_provenance() as u64;
        let at = (arguments as u64).wrapping_add(i as u64 * 8);
        let memory = vm.offheap_mut();
        let at: u64 = memory.get(at).ok_or_else(fault)?;
        let offset: u64 = memory.get(at).ok_or_else(fault)?;
        memory
            .put(at, start.wrapping_add(offset))
            .ok_or_else(fault)?;
    }
    Ok(lent)
}

/// The call of Java that a native function asks for.
fn upcall(vm: &mut Env, request: UpcallRequest) -> throw::Call {
    let callee = vm.has_method(lib_fallback::DO_UPCALL);
    let callee = callee.expect("the JDK has the other natives");
    let class = vm.find_loaded(LoaderId::BOOT, callee.class);
    let class = class.expect("a native of the class is under way");
    let method = vm.jdk_method(class, callee);
    let target = vm.heap().cell(request.target);
    let (result, arguments) = (request.result, request.arguments);
    let args = [Value::Long(result), Value::Long(arguments), target.into()];
    throw::Call::new(vm, method, &args)
}

/// The next step waits for so long: the upper half of the mask's word has the microseconds.
fn plan_nap(cont: &mut Cont, time: Duration) {
    const { assert!(calls::LONGEST_NAP.as_micros() <= u32::MAX as u128) };
    cont.data[2] |= (time.as_micros() as u64).max(1) << 32;
}

/// The wait that is planned, once.
fn take_nap(vm: &mut Env, cont: &mut Cont) -> Option<Next> {
    let micros = cont.data[2] >> 32;
    cont.data[2] &= u64::from(u32::MAX);
    (micros != 0).then(|| {
        let deadline = vm.deadline_after(micros as i64 * 1000);
        Next::Throw(vm.block_on(Wait::Sleep, Some(deadline)))
    })
}

/// Java has returned to a native function, or its wait has ended. What Java throws, though its caller catches everything, is
/// thrown again when the function itself has returned.
fn step(vm: &mut Env, cont: &mut Cont, input: Result<Value, Ref>) -> Next {
    if let Err(thrown) = input
        && cont.refs[1].is_null()
    {
        cont.refs[1] = thrown;
    }
    if let Some(nap) = take_nap(vm, cont) {
        return nap;
    }
    let granted = match granted(vm) {
        Ok(granted) => granted,
        Err(t) => return Next::Throw(t),
    };
    match calls::go_on(granted, vm, cont.data[0]) {
        Progress::Waits(number, NativeRequest::Upcall(request)) => {
            cont.data[0] = number;
            Next::Call(upcall(vm, request))
        }
        Progress::Waits(number, NativeRequest::Nap(time)) => {
            cont.data[0] = number;
            plan_nap(cont, time);
            take_nap(vm, cont).expect("it is planned")
        }
        Progress::Done(_) if !cont.refs[1].is_null() => Next::Throw(Throw::object(cont.refs[1])),
        Progress::Done(errno) => {
            let state = ErrnoTarget {
                base: cont.refs[0],
                address: cont.data[1] as i64,
                mask: cont.data[2] as i32,
            };
            match state.capture(vm, errno) {
                Ok(()) => Next::Return(Value::Void),
                Err(t) => Next::Throw(t),
            }
        }
    }
}
