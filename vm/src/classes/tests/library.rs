//! The whole of `java.base`: every class loads and links, every reference among them resolves.

use super::{base_classes, vm};
use crate::classes::{ClassKind, InitState, VtableEntry, acc, layout};
use crate::ids::{ClassId, LoaderId};
use crate::{Throw, Vm};
use rjvm_classfile::Constant;
use std::time::Instant;

fn message(t: &Throw) -> String {
    match t {
        Throw::New { class, message, .. } => {
            format!("{class}: {}", message.as_deref().unwrap_or(""))
        }
        other => format!("{other:?}"),
    }
}

/// Fields must be aligned, lie behind the superclass's and not overlap.
fn check_layout(vm: &Vm, c: ClassId) {
    let k = vm.class(c);
    let class_end = vm.class(vm.loaded.known.class).fields_end;
    for is_static in [false, true] {
        let start = match (is_static, k.super_class) {
            (true, _) => class_end,
            (_, Some(s)) => vm.class(s).fields_end,
            _ => crate::heap::FIELDS,
        };
        let mut spans: Vec<(u32, u32)> = k
            .fields
            .iter()
            .filter(|f| (f.access & acc::STATIC != 0) == is_static)
            .map(|f| (f.offset, layout::size_of_type(f.ty)))
            .collect();
        spans.sort_unstable();
        let mut at = start;
        for (offset, size) in spans {
            assert!(offset >= at && offset % size == 0, "{}: {offset}", k.name);
            at = offset + size;
        }
        // SAFETY: the class is installed.
        let hot = unsafe { &*k.hot };
        let end = if is_static {
            k.mirror_size
        } else {
            hot.instance_size
        };
        assert!(at <= end && end % 8 == 0, "{}", k.name);
    }
}

/// Every entry of the virtual method table is an instance method that the class inherits or declares.
fn check_vtable(vm: &Vm, c: ClassId) {
    let k = vm.class(c);
    // SAFETY: the class is installed.
    let hot = unsafe { &*k.hot };
    for (i, m) in k.vtable().iter().map(VtableEntry::method).enumerate() {
        let method = vm.method(m);
        assert!(!method.is_static() && vm.is_subclass(c, method.class));
        let own = vm.class(method.class).virtual_method(i);
        assert_eq!(own, Some(m));
        // SAFETY: `vtable_len` entries lie behind the block.
        let fat = unsafe { *hot.vtable.as_ptr().add(i) };
        assert_eq!(fat.entry, method.entry);
        assert!(std::ptr::eq(fat.callee, method));
    }
}

#[test]
fn java_base_loads_links_and_resolves() {
    let mut vm = vm();
    let names = base_classes(&vm);
    assert!(names.len() > 5000, "{}", names.len());
    let start = Instant::now();
    for name in &names {
        let c = match vm.load_class(LoaderId::BOOT, name) {
            Ok(c) => c,
            Err(t) => panic!("{name}: {}", message(&t)),
        };
        vm.link_class(c).unwrap();
        assert!(vm.init_state(c) >= InitState::Linked);
    }
    let loaded = start.elapsed();
    println!(
        "{} classes, {} methods loaded and linked in {loaded:?}; metaspace {} KiB",
        vm.loaded.classes.len(),
        vm.loaded.methods.len(),
        vm.heap.metaspace.used() >> 10
    );
    let all = vm.loaded.classes.clone();
    let (mut resolved, mut failed) = (0, Vec::new());
    for c in all {
        if !matches!(vm.class(c).kind, ClassKind::Instance) {
            continue;
        }
        check_layout(&vm, c);
        check_vtable(&vm, c);
        assert_eq!(vm.of_mirror(vm.mirror(c)), c);
        let cf = vm.class(c).cf.clone().unwrap();
        for i in 1..cf.constant_pool.len() as u16 {
            let r = match cf.constant_pool.get(i) {
                Ok(Constant::Class { .. }) => vm.resolve_class(c, vm.class(c).entry(i)).map(drop),
                Ok(Constant::Fieldref { .. }) => {
                    vm.resolve_field(c, vm.class(c).entry(i)).map(drop)
                }
                Ok(Constant::Methodref { .. } | Constant::InterfaceMethodref { .. }) => {
                    vm.resolve_method(c, vm.class(c).entry(i)).map(drop)
                }
                _ => continue,
            };
            match r {
                Ok(()) => resolved += 1,
                // entries that only the InnerClasses attribute uses may name inaccessible classes
                Err(t) if message(&t).contains("failed to access class") => {}
                Err(t) => failed.push(format!("{} #{i}: {}", vm.name(c), message(&t))),
            }
        }
    }
    println!(
        "{resolved} references resolved in {:?}",
        start.elapsed() - loaded
    );
    assert!(
        failed.is_empty(),
        "{} failed: {:#?}",
        failed.len(),
        &failed[..failed.len().min(20)]
    );
    assert!(resolved > 200_000, "{resolved}");
}
