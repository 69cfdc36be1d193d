//! Natives of `java.lang.reflect.Array`.

use crate::boxing::{self, Prim, mismatch, primitive_component, unbox, widen};
use crate::support::{class_arg, non_null, type_char};
use rjvm_vm::classes::ClassKind;
use rjvm_vm::heap::ELEMS;
use rjvm_vm::{ClassId, Env, R, Ref, Throw, natives};

natives! { "java/lang/reflect/Array";
    getLength "(Ljava/lang/Object;)I" => get_length;
    get "(Ljava/lang/Object;I)Ljava/lang/Object;" => get;
    getBoolean "(Ljava/lang/Object;I)Z" => get_boolean;
    getByte "(Ljava/lang/Object;I)B" => get_byte;
    getChar "(Ljava/lang/Object;I)C" => get_char;
    getShort "(Ljava/lang/Object;I)S" => get_short;
    getInt "(Ljava/lang/Object;I)I" => get_int;
    getLong "(Ljava/lang/Object;I)J" => get_long;
    getFloat "(Ljava/lang/Object;I)F" => get_float;
    getDouble "(Ljava/lang/Object;I)D" => get_double;
    set "(Ljava/lang/Object;ILjava/lang/Object;)V" => set;
    setBoolean "(Ljava/lang/Object;IZ)V" => set_boolean;
    setByte "(Ljava/lang/Object;IB)V" => set_byte;
    setChar "(Ljava/lang/Object;IC)V" => set_char;
    setShort "(Ljava/lang/Object;IS)V" => set_short;
    setInt "(Ljava/lang/Object;II)V" => set_int;
    setLong "(Ljava/lang/Object;IJ)V" => set_long;
    setFloat "(Ljava/lang/Object;IF)V" => set_float;
    setDouble "(Ljava/lang/Object;ID)V" => set_double;
    newArray "(Ljava/lang/Class;I)Ljava/lang/Object;" => new_array;
    multiNewArray "(Ljava/lang/Class;[I)Ljava/lang/Object;" => multi_new_array;
}

fn illegal(m: &str) -> Box<Throw> {
    Throw::msg("java/lang/IllegalArgumentException", m)
}

fn array(vm: &Env, a: Ref) -> R<Ref> {
    let a = non_null(a)?;
    if vm.is_array(a) {
        Ok(a)
    } else {
        Err(illegal("Argument is not an array"))
    }
}

fn index(vm: &Env, a: Ref, i: i32) -> R<usize> {
    match usize::try_from(i) {
        Ok(i) if i < vm.heap().len(a) => Ok(i),
        _ => Err(Throw::bare("java/lang/ArrayIndexOutOfBoundsException")),
    }
}

fn get_length(vm: &mut Env, a: Ref) -> R<i32> {
    let a = array(vm, a)?;
    Ok(vm.heap().len(a) as i32)
}

fn element(vm: &Env, a: Ref, ty: u8, i: usize) -> Prim {
    let off = ELEMS + (i << boxing::shift(ty));
    Prim {
        ty,
        slot: boxing::load(vm, a, off, ty),
    }
}

fn get(vm: &mut Env, a: Ref, i: i32) -> R<Ref> {
    let a = array(vm, a)?;
    let i = index(vm, a, i)?;
    match primitive_component(vm, a) {
        None => Ok(vm.heap().elem_ref(a, i)),
        Some(ty) => {
            let class = boxing::wrapper(vm, ty);
            vm.ensure_initialized(class)?;
            let v = element(vm, a, ty, i);
            boxing::new_box(vm, v)
        }
    }
}

/// An element of a primitive array, widened to `to`.
fn get_primitive(vm: &Env, a: Ref, i: i32, to: u8) -> R<u64> {
    let a = array(vm, a)?;
    let ty = primitive_component(vm, a)
        .ok_or_else(|| illegal("Argument is not an array of primitive type"))?;
    let v = element(vm, a, ty, index(vm, a, i)?);
    widen(v, to).map(|p| p.slot).ok_or_else(mismatch)
}

fn put(vm: &mut Env, a: Ref, ty: u8, i: usize, v: Prim) -> R<()> {
    let v = widen(v, ty).ok_or_else(mismatch)?;
    let off = ELEMS + (i << boxing::shift(ty));
    boxing::store(vm, a, off, v);
    Ok(())
}

fn set(vm: &mut Env, a: Ref, i: i32, value: Ref) -> R<()> {
    let a = array(vm, a)?;
    let Some(ty) = primitive_component(vm, a) else {
        let i = index(vm, a, i)?;
        let ClassKind::Array(elem) = vm.class(vm.class_of(a)).kind else {
            unreachable!("checked to be an array")
        };
        if !value.is_null() && !vm.instance_of(value, elem) {
            return Err(illegal("array element type mismatch"));
        }
        vm.heap_mut().set_elem_ref(a, i, value);
        return Ok(());
    };
    if value.is_null() {
        return Err(Throw::bare("java/lang/IllegalArgumentException"));
    }
    let v = unbox(vm, value);
    let i = index(vm, a, i)?;
    put(vm, a, ty, i, v.ok_or_else(mismatch)?)
}

fn set_primitive(vm: &mut Env, a: Ref, i: i32, v: Prim) -> R<()> {
    let a = array(vm, a)?;
    let ty = primitive_component(vm, a)
        .ok_or_else(|| illegal("Argument is not an array of primitive type"))?;
    let i = index(vm, a, i)?;
    put(vm, a, ty, i, v)
}

macro_rules! accessors {
    ($($get:ident $set:ident $t:ty, $ty:literal;)*) => { $(
        fn $get(vm: &mut Env, a: Ref, i: i32) -> R<$t> {
            // SAFETY: an element widened to this type, which is no reference
            get_primitive(vm, a, i, $ty).map(|v| unsafe { <$t as rjvm_vm::natives::Arg>::from_slot(v) })
        }
        fn $set(vm: &mut Env, a: Ref, i: i32, v: $t) -> R<()> {
            set_primitive(vm, a, i, Prim { ty: $ty, slot: rjvm_vm::natives::Ret::into_slot(v) })
        }
    )* };
}
accessors! {
    get_boolean set_boolean bool, b'Z';
    get_byte set_byte i8, b'B';
    get_char set_char u16, b'C';
    get_short set_short i16, b'S';
    get_int set_int i32, b'I';
    get_long set_long i64, b'J';
    get_float set_float f32, b'F';
    get_double set_double f64, b'D';
}

/// Dimensions an array type may have (JVMS 4.4.1).
const MAX_DIMENSIONS: usize = 255;

fn dimensions(vm: &Env, mut c: ClassId) -> usize {
    let mut n = 0;
    while let ClassKind::Array(e) = vm.class(c).kind {
        n += 1;
        c = e;
    }
    n
}

fn component(vm: &Env, class: Ref, more: usize) -> R<ClassId> {
    let c = class_arg(vm, class)?;
    if type_char(vm, c) == b'V' || dimensions(vm, c) + more > MAX_DIMENSIONS {
        return Err(Throw::bare("java/lang/IllegalArgumentException"));
    }
    Ok(c)
}

fn length(n: i32) -> R<usize> {
    usize::try_from(n)
        .map_err(|_| Throw::msg("java/lang/NegativeArraySizeException", n.to_string()))
}

fn new_array(vm: &mut Env, class: Ref, len: i32) -> R<Ref> {
    let class = non_null(class)?;
    let len = length(len)?;
    let c = component(vm, class, 1)?;
    vm.new_array_of(c, len)
}

fn multi_new_array(vm: &mut Env, class: Ref, dims: Ref) -> R<Ref> {
    let (class, dims) = (non_null(class)?, non_null(dims)?);
    let n = vm.heap().len(dims);
    if n == 0 || n > MAX_DIMENSIONS {
        return Err(Throw::bare("java/lang/IllegalArgumentException"));
    }
    let mut c = component(vm, class, n)?;
    let lens: Vec<i32> = (0..n).map(|i| vm.heap().elem::<i32>(dims, i)).collect();
    let lens = lens.into_iter().map(length).collect::<R<Vec<usize>>>()?;
    for _ in 0..n {
        c = vm.array_of(c);
    }
    multi(vm, c, &lens)
}

/// An array of class `c` with the sub-arrays its further dimensions ask for.
fn multi(vm: &mut Env, c: ClassId, lens: &[usize]) -> R<Ref> {
    let a = vm.alloc_array(c, lens[0])?;
    if lens.len() > 1
        && let ClassKind::Array(elem) = vm.class(c).kind
    {
        for i in 0..lens[0] {
            let sub = multi(vm, elem, &lens[1..])?;
            vm.heap_mut().set_elem_ref(a, i, sub);
        }
    }
    Ok(a)
}
