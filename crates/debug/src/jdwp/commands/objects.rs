//! ObjectReference, StringReference, ThreadGroupReference, ArrayReference, ClassLoaderReference, ClassObjectReference and
//! ModuleReference.

use super::super::codes::Code;
use super::super::world::{Context, Done};
use super::types::put_bits;
use hashbrown::HashSet;
use rjvm_vm::classes::{ClassKind, acc};
use rjvm_vm::jdk;
use rjvm_vm::{ClassId, Ref, ThreadId, Value, Vm};

pub(super) fn carry_out(c: &mut Context<'_, '_>, set: u8, number: u8) -> Done {
    match (set, number) {
        (9, _) => object(c, number),
        (10, 1) => {
            let r = c.object()?;
            if c.vm().class_of(r) != c.vm().known().string {
                return Err(Code::INVALID_STRING);
            }
            let text = c.vm().string(r);
            c.out.text(&text);
            Ok(())
        }
        (12, _) => group(c, number),
        (13, _) => array(c, number),
        (14, 1) => visible_classes(c),
        (17, 1) => {
            let class = c.class()?;
            c.put_typed_class(class);
            Ok(())
        }
        (18, _) => module(c, number),
        _ => Err(Code::NOT_IMPLEMENTED),
    }
}

fn object(c: &mut Context<'_, '_>, number: u8) -> Done {
    match number {
        7 | 8 => {
            let id = c.r.u64()?;
            match c.w.engine.objects.keep(c.w.vm, id, number == 7) {
                true => Ok(()),
                false => Err(Code::INVALID_OBJECT),
            }
        }
        9 => {
            let id = c.r.u64()?;
            if !c.w.engine.objects.was_given(id) {
                return Err(Code::INVALID_OBJECT);
            }
            let gone = c.w.engine.objects.get(c.w.vm, id).is_none();
            c.out.flag(gone);
            Ok(())
        }
        _ => {
            let r = c.object()?;
            of_object(c, r, number)
        }
    }
}

fn of_object(c: &mut Context<'_, '_>, r: Ref, number: u8) -> Done {
    match number {
        1 => {
            let class = c.vm().class_of(r);
            c.put_typed_class(class);
        }
        2 => {
            let n = c.r.count(8)?;
            c.out.u32(n as u32);
            for _ in 0..n {
                let (holder, index) = c.field()?;
                let of = field_of(c, r, holder, index)?;
                let f = &c.w.vm.class(holder).fields[index];
                let (letter, bits) = (f.ty, c.w.vm.read_field(of, f));
                put_bits(c, letter, bits);
            }
        }
        3 => {
            for _ in 0..c.r.count(9)? {
                let (holder, index) = c.field()?;
                let of = field_of(c, r, holder, index)?;
                let letter = c.w.vm.class(holder).fields[index].ty;
                let v = c.untagged(letter)?;
                if !c.vm().set_field(holder, index, of, v) {
                    return Err(Code::TYPE_MISMATCH);
                }
            }
        }
        5 => {
            let used = c.vm().monitor_use(r);
            let owner = used.owner;
            put_thread(c, owner);
            c.out.u32(used.entries);
            c.out.u32((used.entering.len() + used.waiting.len()) as u32);
            for t in used.entering.into_iter().chain(used.waiting) {
                put_thread(c, Some(t));
            }
        }
        10 => {
            let most = c.r.i32()?;
            let most = usize::try_from(most).map_err(|_| Code::ILLEGAL_ARGUMENT)?;
            let reached = c.vm().reachable_objects();
            let mut found: Vec<Ref> = { reached.into_iter() }
                .filter(|&o| c.w.vm.references_of(o).contains(&r))
                .collect();
            found.sort_unstable();
            if most > 0 {
                found.truncate(most);
            }
            put_all(c, found);
        }
        _ => return Err(Code::NOT_IMPLEMENTED),
    }
    Ok(())
}

/// The object that holds a field: the mirror for a static one.
fn field_of(c: &mut Context<'_, '_>, r: Ref, holder: ClassId, index: usize) -> Done<Ref> {
    let is_static = c.w.vm.class(holder).fields[index].access & acc::STATIC != 0;
    match is_static {
        true => Ok(c.w.vm.mirror(holder)),
        false if c.w.vm.instance_of(r, holder) => Ok(r),
        false => Err(Code::INVALID_FIELDID),
    }
}

fn put_thread(c: &mut Context<'_, '_>, t: Option<ThreadId>) {
    let object = t.map_or(Ref::NULL, |t| c.w.vm.a_thread(t).object);
    c.put_object(object);
}

/// Objects with their tags, after their number.
pub(super) fn put_all(c: &mut Context<'_, '_>, all: Vec<Ref>) {
    c.out.u32(all.len() as u32);
    all.into_iter().for_each(|r| c.put_tagged_object(r));
}

/// The objects of a class (not of its subclasses) that are reachable; at most so many, unless that is 0.
pub(super) fn instances(c: &mut Context<'_, '_>, class: ClassId, most: i32) -> Done<Vec<Ref>> {
    let most = usize::try_from(most).map_err(|_| Code::ILLEGAL_ARGUMENT)?;
    let reached: HashSet<Ref> = c.vm().reachable_objects();
    let mut found: Vec<Ref> = { reached.into_iter() }
        .filter(|&r| c.w.vm.class_of(r) == class)
        .collect();
    found.sort_unstable();
    if most > 0 {
        found.truncate(most);
    }
    Ok(found)
}

/// The group at the top.
pub(super) fn top_group(c: &mut Context<'_, '_>) -> Ref {
    let threads = c.w.threads();
    let groups = threads.into_iter().map(|t| {
        let object = c.w.vm.a_thread(t).object;
        c.w.vm.group_of_thread(object)
    });
    let Some(mut group) = groups.into_iter().find(|g| !g.is_null()) else {
        return Ref::NULL;
    };
    while let Some(up) = c.w.vm.get(group, jdk::thread_group::PARENT).non_null() {
        group = up;
    }
    group
}

fn group(c: &mut Context<'_, '_>, number: u8) -> Done {
    let id = c.r.u64()?;
    let r = c
        .object_of(id)?
        .non_null()
        .ok_or(Code::INVALID_THREAD_GROUP)?;
    let class = c.vm().known().thread_group;
    if !c.vm().instance_of(r, class) {
        return Err(Code::INVALID_THREAD_GROUP);
    }
    match number {
        1 => {
            let name = c.vm().get(r, jdk::thread_group::NAME);
            c.put_text(name);
        }
        2 => {
            let parent = c.vm().get(r, jdk::thread_group::PARENT);
            c.put_object(parent);
        }
        3 => {
            let platform = c.vm().env().platform_threads();
            let threads = c.w.shown_threads();
            let threads = threads.into_iter().filter(|t| platform.contains(t));
            let threads: Vec<Ref> = { threads }
                .map(|t| c.w.vm.a_thread(t).object)
                .filter(|&o| c.w.vm.group_of_thread(o) == r)
                .collect();
            c.out.u32(threads.len() as u32);
            threads.into_iter().for_each(|t| c.put_object(t));
            let groups = c.vm().child_groups(r);
            c.out.u32(groups.len() as u32);
            groups.into_iter().for_each(|g| c.put_object(g));
        }
        _ => return Err(Code::NOT_IMPLEMENTED),
    }
    Ok(())
}

fn array(c: &mut Context<'_, '_>, number: u8) -> Done {
    let id = c.r.u64()?;
    let r = c.object_of(id)?.non_null().ok_or(Code::INVALID_OBJECT)?;
    let class = c.vm().class_of(r);
    let ClassKind::Array(element) = c.vm().class(class).kind else {
        return Err(Code::INVALID_ARRAY);
    };
    let letter = match c.vm().class(element).kind {
        ClassKind::Primitive(letter) => letter,
        _ => b'L',
    };
    let length = c.vm().heap().len(r);
    if number == 1 {
        c.out.u32(length as u32);
        return Ok(());
    }
    let (first, n) = (c.r.i32()?, c.r.i32()?);
    let first = usize::try_from(first).map_err(|_| Code::INVALID_INDEX)?;
    if first > length || number == 2 && first == length && n != 0 {
        return Err(Code::INVALID_INDEX);
    }
    let n = match (number, n) {
        (2, -1) => length - first,
        (_, n) => usize::try_from(n).map_err(|_| Code::INVALID_LENGTH)?,
    };
    if n > length - first {
        return Err(Code::INVALID_LENGTH);
    }
    match number {
        2 => {
            let component = match (letter, c.vm().class(element).kind) {
                (b'L', ClassKind::Array(_)) => b'[',
                (letter, _) => letter,
            };
            c.out.u8(component).u32(n as u32);
            for i in first..first + n {
                match letter {
                    b'L' => {
                        let e = c.w.vm.heap().elem_ref(r, i);
                        c.put_tagged_object(e);
                    }
                    letter => {
                        let bits = element_bits(c, r, i, letter);
                        super::super::world::put_plain(&mut c.out, letter, bits);
                    }
                }
            }
        }
        3 => {
            for i in first..first + n {
                let v = c.untagged(letter)?;
                set_element(c, r, i, letter, v, element)?;
            }
        }
        _ => return Err(Code::NOT_IMPLEMENTED),
    }
    Ok(())
}

fn element_bits(c: &mut Context<'_, '_>, r: Ref, i: usize, letter: u8) -> u64 {
    let heap = c.vm().heap();
    match letter {
        b'Z' | b'B' => heap.elem::<u8>(r, i).into(),
        b'C' | b'S' => heap.elem::<u16>(r, i).into(),
        b'J' | b'D' => heap.elem::<u64>(r, i),
        _ => heap.elem::<u32>(r, i).into(),
    }
}

fn set_element(
    c: &mut Context<'_, '_>,
    r: Ref,
    i: usize,
    letter: u8,
    v: Value,
    element: ClassId,
) -> Done {
    if let Value::Ref(o) = v
        && !o.is_null()
        && !c.vm().instance_of(o, element)
    {
        return Err(Code::TYPE_MISMATCH);
    }
    let bits = v.slot();
    let mut heap = c.w.vm.heap_mut();
    match (letter, v) {
        (_, Value::Ref(o)) => heap.set_elem_ref(r, i, o),
        (b'Z', _) => heap.set_elem(r, i, (bits & 1) as u8),
        (b'B', _) => heap.set_elem(r, i, bits as u8),
        (b'C' | b'S', _) => heap.set_elem(r, i, bits as u16),
        (b'J' | b'D', _) => heap.set_elem(r, i, bits),
        _ => heap.set_elem(r, i, bits as u32),
    }
    Ok(())
}

fn visible_classes(c: &mut Context<'_, '_>) -> Done {
    let r = c.object_or_null()?;
    if !r.is_null() {
        let class = c.vm().known().class_loader;
        if !c.vm().instance_of(r, class) {
            return Err(Code::INVALID_CLASS_LOADER);
        }
    }
    let loader = c.vm().loader_id(r);
    let mut all: Vec<ClassId> = c.vm().visible_classes(loader);
    // arrays are as visible as what they are arrays of; those of primitive types are so everywhere
    let arrays = c.vm().debug_classes();
    let arrays = arrays.into_iter().filter(|&k| {
        let base = base_of(c.w.vm, k);
        base != k && (is_primitive(c.w.vm, base) || all.contains(&base))
    });
    let arrays: Vec<ClassId> = arrays.filter(|k| !all.contains(k)).collect();
    all.extend(arrays);
    c.out.u32(all.len() as u32);
    all.into_iter().for_each(|k| c.put_typed_class(k));
    Ok(())
}

/// The class at the bottom of an array class; any other class itself.
fn base_of(vm: &Vm, class: ClassId) -> ClassId {
    match vm.class(class).kind {
        ClassKind::Array(of) => base_of(vm, of),
        _ => class,
    }
}

fn is_primitive(vm: &Vm, class: ClassId) -> bool {
    matches!(vm.class(class).kind, ClassKind::Primitive(_))
}

/// The modules of the classes that there are.
pub(super) fn all_modules(c: &mut Context<'_, '_>) -> Vec<Ref> {
    let mut found = Vec::new();
    let class = c.vm().known().module;
    let reached = c.vm().reachable_objects();
    for r in reached {
        if !class.is_none() && c.w.vm.class_of(r) == class {
            found.push(r);
        }
    }
    found.retain(|&r| c.vm().is_module(r));
    found.sort_unstable();
    found
}

fn module(c: &mut Context<'_, '_>, number: u8) -> Done {
    let id = c.r.u64()?;
    let r = c.object_of(id)?.non_null().ok_or(Code::INVALID_MODULE)?;
    let class = c.vm().known().module;
    if c.vm().class_of(r) != class {
        return Err(Code::INVALID_MODULE);
    }
    match number {
        1 => {
            let name = c.vm().get(r, jdk::module::NAME);
            c.put_text(name);
        }
        2 => {
            let loader = c.vm().get(r, jdk::module::LOADER);
            c.put_object(loader);
        }
        _ => return Err(Code::NOT_IMPLEMENTED),
    }
    Ok(())
}
