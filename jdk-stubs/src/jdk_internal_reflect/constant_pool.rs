//! Natives of `jdk.internal.reflect.ConstantPool`. The "pool oop" is the class's mirror.

use crate::java_lang_reflect::{constructor, field, method};
use crate::support::{mirrored, ref_array, string_from_mutf8};
use rjvm_classfile::{ClassFile, Constant};
use rjvm_vm::{ClassId, Env, R, Ref, Throw, natives};
use std::sync::Arc;

natives! { "jdk/internal/reflect/ConstantPool";
    getSize0 "(Ljava/lang/Object;)I" => get_size;
    getClassAt0 "(Ljava/lang/Object;I)Ljava/lang/Class;" => get_class_at;
    getClassAtIfLoaded0 "(Ljava/lang/Object;I)Ljava/lang/Class;" => get_class_at_if_loaded;
    getClassRefIndexAt0 "(Ljava/lang/Object;I)I" => get_class_ref_index_at;
    getMethodAt0 "(Ljava/lang/Object;I)Ljava/lang/reflect/Member;" => get_method_at;
    getMethodAtIfLoaded0 "(Ljava/lang/Object;I)Ljava/lang/reflect/Member;" => get_method_at_if_loaded;
    getFieldAt0 "(Ljava/lang/Object;I)Ljava/lang/reflect/Field;" => get_field_at;
    getFieldAtIfLoaded0 "(Ljava/lang/Object;I)Ljava/lang/reflect/Field;" => get_field_at_if_loaded;
    getMemberRefInfoAt0 "(Ljava/lang/Object;I)[Ljava/lang/String;" => get_member_ref_info_at;
    getNameAndTypeRefIndexAt0 "(Ljava/lang/Object;I)I" => get_name_and_type_ref_index_at;
    getNameAndTypeRefInfoAt0 "(Ljava/lang/Object;I)[Ljava/lang/String;" => get_name_and_type_ref_info_at;
    getIntAt0 "(Ljava/lang/Object;I)I" => get_int_at;
    getLongAt0 "(Ljava/lang/Object;I)J" => get_long_at;
    getFloatAt0 "(Ljava/lang/Object;I)F" => get_float_at;
    getDoubleAt0 "(Ljava/lang/Object;I)D" => get_double_at;
    getStringAt0 "(Ljava/lang/Object;I)Ljava/lang/String;" => get_string_at;
    getUTF8At0 "(Ljava/lang/Object;I)Ljava/lang/String;" => get_utf8_at;
    getTagAt0 "(Ljava/lang/Object;I)B" => get_tag_at;
}

fn wrong_type() -> Box<Throw> {
    Throw::msg(
        "java/lang/IllegalArgumentException",
        "Wrong type at constant pool index",
    )
}

/// The class that such an object represents, and its class file, unless reflection has put something else there.
fn pool(vm: &Env, mirror: Ref) -> R<(ClassId, Arc<ClassFile>)> {
    let class = mirrored(vm, mirror);
    let pool = class.and_then(|c| Some((c, vm.class(c).cf.clone()?)));
    pool.ok_or_else(|| Throw::msg("java/lang/InternalError", "not a constant pool"))
}

/// Class, class file, index and the constant, which must exist.
fn entry(vm: &Env, mirror: Ref, index: i32) -> R<(ClassId, Arc<ClassFile>, u16, Constant)> {
    let (c, cf) = pool(vm, mirror)?;
    let out = || {
        Throw::msg(
            "java/lang/IllegalArgumentException",
            "Constant pool index out of bounds",
        )
    };
    let i = u16::try_from(index).map_err(|_| out())?;
    if usize::from(i) >= cf.constant_pool.len() {
        return Err(out());
    }
    let k = cf.constant_pool.entry(i);
    Ok((c, cf, i, k))
}

fn get_size(vm: &mut Env, _this: Ref, mirror: Ref) -> R<i32> {
    Ok(pool(vm, mirror)?.1.constant_pool.len() as i32)
}

/// The class a `Class` entry names: loaded if `load`, else only if it is known already.
fn class_at(vm: &mut Env, c: ClassId, cf: &ClassFile, i: u16, load: bool) -> R<Option<ClassId>> {
    if load {
        return vm.resolve_class(c, i).map(Some);
    }
    let name = cf.constant_pool.class_name(i).map_err(|_| wrong_type())?;
    let loader = vm.class(c).loader;
    Ok(vm.find_loaded(loader, name))
}

fn class_mirror_at(vm: &mut Env, mirror: Ref, index: i32, load: bool) -> R<Ref> {
    let (c, cf, i, k) = entry(vm, mirror, index)?;
    if !matches!(k, Constant::Class { .. }) {
        return Err(wrong_type());
    }
    Ok(class_at(vm, c, &cf, i, load)?.map_or(Ref::NULL, |k| vm.mirror(k)))
}

fn get_class_at(vm: &mut Env, _this: Ref, mirror: Ref, index: i32) -> R<Ref> {
    class_mirror_at(vm, mirror, index, true)
}

fn get_class_at_if_loaded(vm: &mut Env, _this: Ref, mirror: Ref, index: i32) -> R<Ref> {
    class_mirror_at(vm, mirror, index, false)
}

fn get_class_ref_index_at(vm: &mut Env, _this: Ref, mirror: Ref, index: i32) -> R<i32> {
    let (_, _, _, k) = entry(vm, mirror, index)?;
    k.member().map(|(c, _)| i32::from(c)).ok_or_else(wrong_type)
}

fn get_name_and_type_ref_index_at(vm: &mut Env, _this: Ref, mirror: Ref, index: i32) -> R<i32> {
    match entry(vm, mirror, index)?.3 {
        Constant::InvokeDynamic { name_and_type, .. } | Constant::Dynamic { name_and_type, .. } => {
            Ok(i32::from(name_and_type))
        }
        k => k.member().map(|(_, n)| i32::from(n)).ok_or_else(wrong_type),
    }
}

fn member_at(vm: &mut Env, mirror: Ref, index: i32, load: bool, want_field: bool) -> R<Ref> {
    let (c, cf, i, k) = entry(vm, mirror, index)?;
    let is_field = matches!(k, Constant::Fieldref { .. });
    let (class, _) = k
        .member()
        .filter(|_| is_field == want_field)
        .ok_or_else(wrong_type)?;
    let Some(holder) = class_at(vm, c, &cf, class, load)? else {
        return Ok(Ref::NULL);
    };
    let r = cf.constant_pool.member_ref(i).map_err(|_| wrong_type())?;
    let (name, desc) = (vm.symbol(r.name), vm.symbol(r.descriptor));
    if want_field {
        return match vm.find_field(holder, name, desc) {
            Some((c, i)) => field::new(vm, c, i),
            None => Err(Throw::msg(
                "java/lang/RuntimeException",
                "Unable to look up field in target class",
            )),
        };
    }
    match vm.find_method(holder, name, desc) {
        Some(m) if r.name == "<init>" => constructor::new(vm, m),
        Some(m) => method::new(vm, m),
        None => Err(Throw::msg(
            "java/lang/RuntimeException",
            "Unable to look up method in target class",
        )),
    }
}

fn get_method_at(vm: &mut Env, _this: Ref, mirror: Ref, index: i32) -> R<Ref> {
    member_at(vm, mirror, index, true, false)
}

fn get_method_at_if_loaded(vm: &mut Env, _this: Ref, mirror: Ref, index: i32) -> R<Ref> {
    member_at(vm, mirror, index, false, false)
}

fn get_field_at(vm: &mut Env, _this: Ref, mirror: Ref, index: i32) -> R<Ref> {
    member_at(vm, mirror, index, true, true)
}

fn get_field_at_if_loaded(vm: &mut Env, _this: Ref, mirror: Ref, index: i32) -> R<Ref> {
    member_at(vm, mirror, index, false, true)
}

fn strings(vm: &mut Env, texts: &[&str]) -> R<Ref> {
    let mut items = Vec::new();
    for t in texts {
        items.push(vm.new_string(t)?);
    }
    let elem = vm.known().string;
    ref_array(vm, elem, &items)
}

fn get_member_ref_info_at(vm: &mut Env, _this: Ref, mirror: Ref, index: i32) -> R<Ref> {
    let (_, cf, i, _) = entry(vm, mirror, index)?;
    let r = cf.constant_pool.member_ref(i).map_err(|_| wrong_type())?;
    strings(vm, &[r.class, r.name, r.descriptor])
}

fn get_name_and_type_ref_info_at(vm: &mut Env, _this: Ref, mirror: Ref, index: i32) -> R<Ref> {
    let (_, cf, i, _) = entry(vm, mirror, index)?;
    let (name, desc) = cf
        .constant_pool
        .name_and_type(i)
        .map_err(|_| wrong_type())?;
    strings(vm, &[name, desc])
}

macro_rules! numbers {
    ($($name:ident $variant:ident $t:ty;)*) => { $(
        fn $name(vm: &mut Env, _this: Ref, mirror: Ref, index: i32) -> R<$t> {
            match entry(vm, mirror, index)?.3 {
                Constant::$variant(v) => Ok(v),
                _ => Err(wrong_type()),
            }
        }
    )* };
}
numbers! {
    get_int_at Integer i32;
    get_long_at Long i64;
    get_float_at Float f32;
    get_double_at Double f64;
}

fn get_string_at(vm: &mut Env, _this: Ref, mirror: Ref, index: i32) -> R<Ref> {
    let (_, cf, _, k) = entry(vm, mirror, index)?;
    let Constant::String { utf8 } = k else {
        return Err(wrong_type());
    };
    let bytes = cf.constant_pool.utf8(utf8).map_err(|_| wrong_type())?;
    crate::support::intern_mutf8(vm, bytes)
}

fn get_utf8_at(vm: &mut Env, _this: Ref, mirror: Ref, index: i32) -> R<Ref> {
    let (_, cf, i, _) = entry(vm, mirror, index)?;
    let bytes = cf.constant_pool.utf8(i).map_err(|_| wrong_type())?;
    string_from_mutf8(vm, bytes)
}

/// The tag as in the class file; 0 for an index that isn't used.
fn get_tag_at(vm: &mut Env, _this: Ref, mirror: Ref, index: i32) -> R<i8> {
    Ok(match entry(vm, mirror, index)?.3 {
        Constant::Unused => 0,
        Constant::Utf8 { .. } => 1,
        Constant::Integer(_) => 3,
        Constant::Float(_) => 4,
        Constant::Long(_) => 5,
        Constant::Double(_) => 6,
        Constant::Class { .. } => 7,
        Constant::String { .. } => 8,
        Constant::Fieldref { .. } => 9,
        Constant::Methodref { .. } => 10,
        Constant::InterfaceMethodref { .. } => 11,
        Constant::NameAndType { .. } => 12,
        Constant::MethodHandle { .. } => 15,
        Constant::MethodType { .. } => 16,
        Constant::Dynamic { .. } => 17,
        Constant::InvokeDynamic { .. } => 18,
        Constant::Module { .. } => 19,
        Constant::Package { .. } => 20,
    })
}
