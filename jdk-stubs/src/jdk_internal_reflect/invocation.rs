//! Reflective calls: arguments from an `Object[]`, the call, its result as an object, and what it
//! throws in an `InvocationTargetException`.

use crate::boxing::{self, Prim, mismatch, unbox, widen};
use crate::support::type_char;
use rjvm_vm::throw::{Call, Cont, Next, Resume};
use rjvm_vm::{Env, MethodId, R, Ref, Throw, Value};

/// What a call yields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Result {
    /// Its result, boxed; null for `void`.
    Boxed,
    /// The receiver: a new object.
    Receiver,
}

/// The exception that carries what a called method throws.
pub const WRAPPER: &str = "java/lang/reflect/InvocationTargetException";

/// The native's result is the result of a call of `m`. `parameters` is the `Class[]` of declared types.
pub fn call(
    vm: &mut Env,
    m: MethodId,
    receiver: Option<Ref>,
    parameters: Ref,
    args: Ref,
    result: Result,
) -> R<Ref> {
    let mut slots = vec![];
    slots.extend(receiver.map(Value::Ref));
    arguments(vm, parameters, args, &mut slots)?;
    let ret = vm.method(m).ret;
    // what the continuation makes must not need initialization any more
    if !matches!(ret, b'V' | b'L' | b'[') {
        let class = boxing::wrapper(vm, ret);
        vm.ensure_initialized(class)?;
    }
    let kept = match result {
        Result::Boxed => Ref::NULL,
        Result::Receiver => receiver.unwrap_or_default(),
    };
    let cont = Cont::new(
        returned,
        [u64::from(ret), 0, 0],
        [kept, Ref::NULL, Ref::NULL],
    );
    Err(Call::new(vm, m, &slots).then(cont, Resume::Value))
}

fn arguments(vm: &mut Env, parameters: Ref, args: Ref, slots: &mut Vec<Value>) -> R<()> {
    let n = vm.heap().len(parameters);
    let given = if args.is_null() {
        0
    } else {
        vm.heap().len(args)
    };
    if n != given {
        return Err(Throw::msg(
            "java/lang/IllegalArgumentException",
            "wrong number of arguments",
        ));
    }
    for i in 0..n {
        let class = vm.of_mirror(vm.heap().elem_ref(parameters, i));
        let arg = vm.heap().elem_ref(args, i);
        match type_char(vm, class) {
            b'L' => {
                if !arg.is_null() && !vm.instance_of(arg, class) {
                    return Err(mismatch());
                }
                slots.push(arg.into());
            }
            ty => {
                if arg.is_null() {
                    return Err(Throw::bare("java/lang/IllegalArgumentException"));
                }
                let v = unbox(vm, arg)
                    .and_then(|v| widen(v, ty))
                    .ok_or_else(mismatch)?;
                slots.push(v.into());
            }
        }
    }
    Ok(())
}

/// The call has ended.
fn returned(vm: &mut Env, cont: &mut Cont, result: std::result::Result<Value, Ref>) -> Next {
    match result {
        Ok(_) if !cont.refs[0].is_null() => Next::Return(cont.refs[0].into()),
        Ok(v) => match cont.data[0] as u8 {
            b'V' => Next::Return(Ref::NULL.into()),
            b'L' | b'[' => Next::Return(v),
            ty => match boxing::new_box(vm, Prim { ty, slot: v.slot() }) {
                Ok(r) => Next::Return(r.into()),
                Err(e) => Next::Throw(e),
            },
        },
        Err(thrown) => Next::Throw(Throw::caused(WRAPPER, None, thrown)),
    }
}
