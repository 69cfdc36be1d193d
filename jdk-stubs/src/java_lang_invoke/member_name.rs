//! `java.lang.invoke.MemberName`: how the VM reads and fills one.

use crate::java_lang_reflect::{executable, field};
use rjvm_vm::classes::acc;
use rjvm_vm::classes::method::vindex;
use rjvm_vm::{ClassId, Env, MethodId, R, Ref, jdk};

/// Bits of `flags` (`MethodHandleNatives.Constants`).
pub mod flag {
    /// A method.
    pub const IS_METHOD: i32 = 0x0001_0000;
    /// A constructor.
    pub const IS_CONSTRUCTOR: i32 = 0x0002_0000;
    /// A field.
    pub const IS_FIELD: i32 = 0x0004_0000;
    /// All of the kinds, nested types included.
    pub const ALL_KINDS: i32 = 0x000f_0000;
    /// `@CallerSensitive`
    pub const CALLER_SENSITIVE: i32 = 0x0010_0000;
    /// A final field that may not be changed by reflection.
    pub const TRUSTED_FINAL: i32 = 0x0020_0000;
    /// Where the reference kind is.
    pub const REF_KIND_SHIFT: i32 = 24;
}

/// Reference kinds (JVMS table 5.4.3.5-A).
pub mod kind {
    /// `REF_getField`
    pub const GET_FIELD: i32 = 1;
    /// `REF_getStatic`
    pub const GET_STATIC: i32 = 2;
    /// `REF_putField`
    pub const PUT_FIELD: i32 = 3;
    /// `REF_putStatic`
    pub const PUT_STATIC: i32 = 4;
    /// `REF_invokeVirtual`
    pub const INVOKE_VIRTUAL: i32 = 5;
    /// `REF_invokeStatic`
    pub const INVOKE_STATIC: i32 = 6;
    /// `REF_invokeSpecial`
    pub const INVOKE_SPECIAL: i32 = 7;
    /// `REF_newInvokeSpecial`
    pub const NEW_INVOKE_SPECIAL: i32 = 8;
    /// `REF_invokeInterface`
    pub const INVOKE_INTERFACE: i32 = 9;
}

/// The method a resolved `MemberName` represents.
pub fn target(vm: &mut Env, name: Ref) -> Option<MethodId> {
    let resolved = vm.get(name, jdk::member_name::METHOD);
    if resolved.is_null() {
        return None;
    }
    vm.resolved_method(resolved)
}

/// `flags` of a `MemberName`.
pub fn flags(vm: &mut Env, name: Ref) -> i32 {
    vm.get(name, jdk::member_name::FLAGS)
}

/// The reference kind in `flags`.
pub fn ref_kind(flags: i32) -> i32 {
    flags >> flag::REF_KIND_SHIFT & 0xf
}

/// `$vmindex` of a `MemberName`.
pub fn vmindex(vm: &mut Env, name: Ref) -> i32 {
    vm.get(name, jdk::member_name::VMINDEX)
}

/// The class a `MemberName` names.
pub fn clazz(vm: &mut Env, name: Ref) -> Option<ClassId> {
    let mirror = vm.get(name, jdk::member_name::CLAZZ);
    mirror.non_null().map(|m| vm.of_mirror(m))
}

fn set(vm: &mut Env, name: Ref, class: ClassId, flags: i32, resolved: Ref, vmindex: i32) {
    vm.set(name, jdk::member_name::FLAGS, flags);
    vm.set(name, jdk::member_name::METHOD, resolved);
    vm.set(name, jdk::member_name::VMINDEX, vmindex);
    let mirror = vm.mirror(class);
    vm.set(name, jdk::member_name::CLAZZ, mirror);
}

/// Makes the `MemberName` represent a method as its declaring class has it.
pub fn init_method(vm: &mut Env, name: Ref, m: MethodId) -> R<()> {
    let class = vm.method(m).class;
    init_method_of(vm, name, m, class)
}

/// Makes the `MemberName` represent a method found by way of class `via`: the kind belongs to a call that reaches all
/// implementations, or to a direct one when there is just this.
pub fn init_method_of(vm: &mut Env, name: Ref, m: MethodId, via: ClassId) -> R<()> {
    let method = vm.method(m);
    let (holder, vindex) = (method.class, method.vindex);
    let mut flags = i32::from(method.access & executable::MODIFIERS);
    if method.caller_sensitive {
        flags |= flag::CALLER_SENSITIVE;
    }
    let init = **vm.symbols().str(method.name) == *"<init>";
    let (mut class, mut vmindex) = (holder, -1);
    let kind = if vindex == vindex::DIRECT {
        if method.is_static() {
            kind::INVOKE_STATIC
        } else {
            kind::INVOKE_SPECIAL
        }
    } else if vm.class(holder).is_interface() && vm.class(via).is_interface() {
        vmindex = 0;
        kind::INVOKE_INTERFACE
    } else {
        if vm.class(holder).is_interface() {
            class = via;
        }
        vmindex = vindex.max(0);
        kind::INVOKE_VIRTUAL
    };
    flags |= if init {
        flag::IS_CONSTRUCTOR
    } else {
        flag::IS_METHOD
    };
    let resolved = vm.new_resolved_method_name(m)?;
    set(
        vm,
        name,
        class,
        flags | kind << flag::REF_KIND_SHIFT,
        resolved,
        vmindex,
    );
    Ok(())
}

/// Makes the `MemberName` represent a field, to be written if `setter`.
pub fn init_field(vm: &mut Env, name: Ref, class: ClassId, i: u32, setter: bool) {
    let f = &vm.class(class).fields[i as usize];
    let is_static = f.access & acc::STATIC != 0;
    let mut flags = i32::from(f.access & 0x50df) | flag::IS_FIELD;
    let offset = f.offset as i32;
    let kind = match (is_static, setter) {
        (false, false) => kind::GET_FIELD,
        (true, false) => kind::GET_STATIC,
        (false, true) => kind::PUT_FIELD,
        (true, true) => kind::PUT_STATIC,
    };
    if field::is_trusted_final(vm, class, i) {
        flags |= flag::TRUSTED_FINAL;
    }
    set(
        vm,
        name,
        class,
        flags | kind << flag::REF_KIND_SHIFT,
        Ref::NULL,
        offset,
    );
}

/// The declared field of `class` at this offset, static or not.
pub fn field_at(vm: &Env, class: ClassId, offset: i32, is_static: bool) -> Option<u32> {
    let fields = &vm.class(class).fields;
    let hit = |f: &rjvm_vm::classes::Field| {
        f.offset as i32 == offset && (f.access & acc::STATIC != 0) == is_static
    };
    fields.iter().position(hit).map(|i| i as u32)
}

/// What `flags` say of a method in a frame (since 22).
pub fn flags_of(vm: &Env, m: MethodId) -> i32 {
    const HIDDEN: i32 = 0x0040_0000;
    let method = vm.method(m);
    let mut flags = i32::from(method.access & executable::MODIFIERS);
    if method.caller_sensitive {
        flags |= flag::CALLER_SENSITIVE;
    }
    if method.hidden {
        flags |= HIDDEN;
    }
    let init = **vm.symbols().str(method.name) == *"<init>";
    flags
        | if init {
            flag::IS_CONSTRUCTOR
        } else {
            flag::IS_METHOD
        }
}
