//! ReferenceType, ClassType, ArrayType, InterfaceType and Method.

use super::super::codes::Code;
use super::super::world::{Context, Done, field_number, method_number, signature, status_of};
use super::objects;
use rjvm_classfile::ClassFile;
use rjvm_classfile::attributes::LocalVariable;
use rjvm_vm::classes::{ClassKind, acc};
use rjvm_vm::{ClassId, LoaderId, MethodId, Ref, Value, Vm};
use std::sync::Arc;

/// In the flags of what compilers have made.
const SYNTHETIC: u32 = 0xf000_0000;

pub(super) fn carry_out(c: &mut Context<'_, '_>, set: u8, number: u8) -> Done {
    match (set, number) {
        (2, _) => reference_type(c, number),
        (3, 1) => {
            let class = c.class()?;
            let up = match c.vm().class(class).is_interface() {
                true => None,
                false => c.vm().class(class).super_class,
            };
            c.put_class_or_null(up);
            Ok(())
        }
        (3, 2) => set_values(c),
        (4, 1) => new_array(c),
        (6, _) => method(c, number),
        _ => Err(Code::NOT_IMPLEMENTED),
    }
}

fn reference_type(c: &mut Context<'_, '_>, number: u8) -> Done {
    let class = c.class()?;
    match number {
        1 | 13 => {
            let text = signature(c.w.vm, class);
            c.out.text(&text);
            if number == 13 {
                let generic = generic_of_class(c.w.vm, class);
                c.out.text(&generic);
            }
        }
        2 => {
            let loader = loader_of(c.w.vm, class);
            c.put_object(loader);
        }
        3 => {
            let modifiers = modifiers(c.w.vm, class);
            c.out.u32(modifiers);
        }
        4 | 14 => fields(c, class, number == 14),
        5 | 15 => methods(c, class, number == 15),
        6 => get_values(c)?,
        7 => {
            let file = crate::engine::source_file(c.w.vm, class).ok_or(Code::ABSENT_INFORMATION)?;
            c.out.text(&file);
        }
        8 => nested_types(c, class),
        9 => {
            let status = status_of(c.w.vm, class);
            c.out.u32(status);
        }
        10 => {
            let all = c.vm().class(class).interfaces.clone();
            c.out.u32(all.len() as u32);
            all.iter().for_each(|&k| c.put_class(k));
        }
        11 => c.put_class(class),
        12 => {
            let cf = class_file(c, class)?;
            let extension = cf.attributes.source_debug_extension.as_deref();
            let extension = extension.ok_or(Code::ABSENT_INFORMATION)?;
            c.out.bytes(extension);
        }
        16 => {
            let most = c.r.i32()?;
            let all = objects::instances(c, class, most)?;
            objects::put_all(c, all);
        }
        17 => {
            let cf = class_file(c, class)?;
            c.out.u32(cf.major.into()).u32(cf.minor.into());
        }
        18 => {
            let bytes = c
                .vm()
                .class_file_of(class)
                .ok_or(Code::ABSENT_INFORMATION)?;
            let (count, pool) = constant_pool(&bytes).ok_or(Code::INTERNAL)?;
            c.out.u32(count.into()).bytes(pool);
        }
        19 => {
            let module = c.vm().env().module_of(class);
            c.put_object(module);
        }
        _ => return Err(Code::NOT_IMPLEMENTED),
    }
    Ok(())
}

/// The loader of a class; null for the boot loader. Arrays have the loader of their elements.
pub(super) fn loader_of(vm: &Vm, class: ClassId) -> Ref {
    match vm.class(class).loader {
        LoaderId::BOOT => Ref::NULL,
        loader => vm.loader_object(loader),
    }
}

fn modifiers(vm: &Vm, class: ClassId) -> u32 {
    let k = vm.class(class);
    let own = match k.kind {
        ClassKind::Instance => k.access & acc::SUPER,
        _ => 0,
    };
    u32::from(vm.declared_modifiers(class) | own)
}

/// The signature of a class as sources have it; empty if it is the same as its descriptor.
pub(super) fn generic_of_class(vm: &Vm, class: ClassId) -> String {
    let text = || {
        let cf = vm.class(class).cf.as_ref()?;
        Some(
            cf.constant_pool
                .str(cf.attributes.signature?)
                .ok()?
                .to_owned(),
        )
    };
    text().unwrap_or_default()
}

fn flags(access: u16, synthetic: bool) -> u32 {
    match synthetic || access & acc::SYNTHETIC != 0 {
        true => u32::from(access) | SYNTHETIC,
        false => access.into(),
    }
}

fn fields(c: &mut Context<'_, '_>, class: ClassId, generic: bool) {
    let k = c.vm().class(class);
    // what the VM has added is nobody's business
    let own = k
        .fields
        .iter()
        .enumerate()
        .filter(|f| f.1.index != u16::MAX);
    let mut rows: Vec<_> = own
        .map(|(i, f)| (f.index, i, f.name, f.desc, f.access))
        .collect();
    rows.sort_unstable_by_key(|r| r.0);
    let cf = k.cf.clone();
    c.out.u32(rows.len() as u32);
    for (index, i, name, desc, access) in rows {
        let symbols = c.w.vm.symbols();
        c.out
            .u64(field_number(class, i))
            .text(symbols.str(name))
            .text(symbols.str(desc));
        let attributes = cf
            .as_ref()
            .and_then(|cf| Some((cf, cf.fields.get(usize::from(index))?)));
        if generic {
            let text =
                attributes.and_then(|(cf, f)| cf.constant_pool.str(f.attributes.signature?).ok());
            c.out.text(text.unwrap_or(""));
        }
        c.out.u32(flags(access, false));
    }
}

fn class_file(c: &mut Context<'_, '_>, class: ClassId) -> Done<Arc<ClassFile>> {
    let file = c.vm().class(class).cf.clone();
    file.ok_or(Code::ABSENT_INFORMATION)
}

fn methods(c: &mut Context<'_, '_>, class: ClassId, generic: bool) {
    let all = c.vm().class(class).methods.clone();
    let cf = c.vm().class(class).cf.clone();
    let own: Vec<(usize, MethodId)> = match &cf {
        Some(cf) => {
            let all = all.iter().copied().take(cf.methods.len()).enumerate();
            all.filter(|&(_, m)| !c.vm().method(m).deleted).collect()
        }
        None => Vec::new(),
    };
    c.out.u32(own.len() as u32);
    for (i, m) in own {
        let method = c.w.vm.method(m);
        let symbols = c.w.vm.symbols();
        c.out
            .u64(method_number(m))
            .text(symbols.str(method.name))
            .text(symbols.str(method.desc));
        if generic {
            let text = cf.as_ref().and_then(|cf| {
                let signature = cf.methods.get(i)?.attributes.once().signature?;
                cf.constant_pool.str(signature).ok()
            });
            c.out.text(text.unwrap_or(""));
        }
        c.out.u32(flags(method.access, false));
    }
}

/// Static fields.
fn get_values(c: &mut Context<'_, '_>) -> Done {
    let n = c.r.count(8)?;
    c.out.u32(n as u32);
    for _ in 0..n {
        let (holder, index) = c.field()?;
        let f = &c.w.vm.class(holder).fields[index];
        if f.access & acc::STATIC == 0 {
            return Err(Code::INVALID_FIELDID);
        }
        let (letter, mirror) = (f.ty, c.w.vm.mirror(holder));
        let bits = c.w.vm.read_field(mirror, f);
        put_bits(c, letter, bits);
    }
    Ok(())
}

/// A value that a field or an element holds.
pub(super) fn put_bits(c: &mut Context<'_, '_>, letter: u8, bits: u64) {
    match letter {
        b'L' | b'[' => {
            let r = c.w.vm.heap().object_at(bits).unwrap_or(Ref::NULL);
            c.put_tagged_object(r);
        }
        letter => {
            c.out.u8(letter);
            super::super::world::put_plain(&mut c.out, letter, bits);
        }
    }
}

fn set_values(c: &mut Context<'_, '_>) -> Done {
    let _class = c.class()?;
    for _ in 0..c.r.count(9)? {
        let (holder, index) = c.field()?;
        let f = &c.w.vm.class(holder).fields[index];
        let (letter, is_static) = (f.ty, f.access & acc::STATIC != 0);
        let v = c.untagged(letter)?;
        if !is_static {
            return Err(Code::INVALID_FIELDID);
        }
        if !c.vm().set_field(holder, index, Ref::NULL, v) {
            return Err(Code::TYPE_MISMATCH);
        }
    }
    Ok(())
}

fn nested_types(c: &mut Context<'_, '_>, class: ClassId) {
    let name = format!("{}$", c.vm().class(class).name);
    let loader = c.vm().class(class).loader;
    let all = c.vm().debug_classes();
    let nested: Vec<ClassId> = { all.into_iter() }
        .filter(|&k| {
            let class = c.w.vm.class(k);
            let rest = class.name.strip_prefix(&*name);
            class.loader == loader
                && matches!(class.kind, ClassKind::Instance)
                && rest.is_some_and(|r| !r.is_empty())
        })
        .collect();
    c.out.u32(nested.len() as u32);
    nested.into_iter().for_each(|k| c.put_typed_class(k));
}

fn new_array(c: &mut Context<'_, '_>) -> Done {
    let class = c.class()?;
    let n = c.r.i32()?;
    if !c.vm().class(class).is_array() {
        return Err(Code::INVALID_ARRAY);
    }
    let n = usize::try_from(n).map_err(|_| Code::INVALID_LENGTH)?;
    let r = c.vm().debug_array(class, n).ok_or(Code::OUT_OF_MEMORY)?;
    c.put_tagged_object(r);
    Ok(())
}

/// The number of constants of a class file plus 1, and their bytes.
fn constant_pool(file: &[u8]) -> Option<(u16, &[u8])> {
    let u2 = |at: usize| Some(u16::from_be_bytes([*file.get(at)?, *file.get(at + 1)?]));
    let count = u2(8)?;
    let (mut at, mut i) = (10, 1);
    while i < count {
        let size = match *file.get(at)? {
            1 => 3 + usize::from(u2(at + 1)?),
            3 | 4 | 9..=12 | 17 | 18 => 5,
            5 | 6 => 9,
            7 | 8 | 16 | 19 | 20 => 3,
            15 => 4,
            _ => return None,
        };
        i += if size == 9 { 2 } else { 1 };
        at += size;
    }
    Some((count, file.get(10..at)?))
}

fn method(c: &mut Context<'_, '_>, number: u8) -> Done {
    let _class = c.class()?;
    if number == 4 {
        // a body that is obsolete has the number 0
        let id = c.r.u64()?;
        c.out.flag(id == 0);
        return Ok(());
    }
    let m = c.method()?;
    let method = c.w.vm.method(m);
    match number {
        1 | 2 | 5 if method.is_native() => Err(Code::NATIVE_METHOD),
        1 => {
            let Some(code) = method.code().map(|code| code.kept()) else {
                c.out.u64(u64::MAX).u64(u64::MAX).u32(0);
                return Ok(());
            };
            let attr = code.attr();
            let last = attr.code.len().saturating_sub(1);
            c.out.u64(0).u64(last as u64);
            c.out.counted(&attr.line_numbers, |out, &(pc, line)| {
                out.u64(pc.into()).u32(line.into());
            });
            Ok(())
        }
        2 | 5 => variables(c, m, number == 5),
        3 => {
            let bytes = method.code().map(|code| code.bytes().to_vec());
            c.out.bytes(&bytes.unwrap_or_default());
            Ok(())
        }
        _ => Err(Code::NOT_IMPLEMENTED),
    }
}

fn variables(c: &mut Context<'_, '_>, m: MethodId, generic: bool) -> Done {
    let method = c.w.vm.method(m);
    let words = method.arg_slots;
    let code = method
        .code()
        .map(|code| code.kept())
        .ok_or(Code::ABSENT_INFORMATION)?;
    let attr = code.attr();
    // a method without variables has no table, either
    let any = |i: usize| {
        let attributes = code.cf.methods[i].attributes.once();
        let code = attributes.code.as_deref();
        code.is_some_and(|code| !code.local_variables.is_empty())
    };
    if attr.local_variables.is_empty() && !(0..code.cf.methods.len()).any(any) {
        return Err(Code::ABSENT_INFORMATION);
    }
    let pool = &code.cf.constant_pool;
    let text = |i: u16| pool.str(i).unwrap_or("").to_owned();
    let signature = |v: &LocalVariable| {
        let same = attr.local_variable_types.iter().find(|t| {
            t.index == v.index
                && t.start_pc == v.start_pc
                && t.length == v.length
                && t.name == v.name
        });
        same.map_or(String::new(), |t| text(t.signature))
    };
    c.out.u32(words.into());
    c.out.counted(&attr.local_variables, |out, v| {
        out.u64(v.start_pc.into())
            .text(&text(v.name))
            .text(&text(v.descriptor));
        if generic {
            out.text(&signature(v));
        }
        out.u32(v.length.into()).u32(v.index.into());
    });
    Ok(())
}

/// Whether a value may be passed or stored as what a descriptor says, for a class.
pub(super) fn may_be(c: &mut Context<'_, '_>, v: Value, descriptor: &str, class: ClassId) -> bool {
    let loader = c.vm().class(class).loader;
    c.vm().may_pass(v, descriptor, loader)
}
