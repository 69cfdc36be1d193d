//! Code without `unsafe` cannot bring a VM to undefined behaviour: invented values are refused, and VMs may be
//! moved and exchanged as other values are. Nor can Java code by way of `Unsafe`.

#[path = "../common/mod.rs"]
mod common;

mod typed;

use common::guest::{Guest, guest_classes, options};
use common::run::{self, Run};
use common::{jdk, tests_dir};
use rjvm_vm::classes::{DefineOptions, Resolved};
use rjvm_vm::heap::ELEMS;
use rjvm_vm::throw::{Cont, Next};
use rjvm_vm::{ClassId, LoaderId, Ref, Value};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn guest() -> Guest {
    Guest::boot(options(Some(&guest_classes())))
}

/// What `f` panics with.
fn refused<T>(f: impl FnOnce() -> T) -> String {
    let Err(e) = catch_unwind(AssertUnwindSafe(f)) else {
        return String::new();
    };
    let text = e.downcast_ref::<String>().cloned();
    text.or_else(|| e.downcast_ref::<&str>().map(|s| s.to_string()))
        .unwrap_or_default()
}

#[test]
fn vms_may_change_places_between_runs() {
    let mut still = guest();
    let want = [still.run("calls"), still.run("all")];
    let (mut a, mut b) = (guest(), guest());
    assert_eq!([a.run("calls"), b.run("calls")], [want[0]; 2]);
    std::mem::swap(&mut *a.vm, &mut *b.vm);
    // neither the box it was made in nor what is there now matters
    let mut moved = Guest {
        main: a.main,
        vm: Box::new(*a.vm),
    };
    assert_eq!([moved.run("all"), b.run("all")], [want[1]; 2]);
}

#[test]
fn no_vm_gets_the_heap_of_another() {
    let (mut a, mut b) = (guest(), guest());
    let want = guest().run("all");
    // all that changes places is what they are lent
    let (mut one, mut other) = (a.vm.heap_mut(), b.vm.heap_mut());
    std::mem::swap(&mut one, &mut other);
    let (mut one, mut other) = (a.vm.rooms(), b.vm.rooms());
    std::mem::swap(&mut one.heap, &mut other.heap);
    drop(b);
    let string = a.vm.known().string;
    assert_eq!(a.vm.class(string).dotted(), "java.lang.String");
    assert_eq!(a.run("all"), want);
}

#[test]
fn arrays_hold_what_they_say() {
    let mut g = guest();
    let known = g.vm.known();
    let (object, string) = (known.object, known.string);
    let integer = g.vm.boot_class("java/lang/Integer");
    let mut array = |class| g.vm.new_array_of(class, 2).expect("room");
    let [objects, strings, integers] = [object, string, integer].map(&mut array);
    let s = g.vm.new_string("a string").expect("room");
    let mut heap = g.vm.heap_mut();
    let text = refused(|| heap.set_elem_ref(integers, 0, s));
    assert!(text.contains("no element of"), "{text}");
    for (r, i) in [(objects, 0), (strings, 1)] {
        heap.set_elem_ref(r, i, s);
        assert_eq!(heap.elem_ref(r, i), s);
    }
    // a string has fields where arrays have a length and elements
    let text = refused(|| heap.set_elem_ref(s, 0, objects));
    assert!(text.contains("no array of references"), "{text}");
    let text = refused(|| heap.copy_elems((objects, 0), (integers, 0), 1));
    assert!(text.contains("no elements of"), "{text}");
    heap.copy_elems((objects, 1), (integers, 0), 1);
    heap.copy_elems((objects, 0), (strings, 0), 1);
    heap.copy_elems((strings, 0), (objects, 0), 2);
    assert_eq!([0, 1].map(|i| heap.elem_ref(objects, i)), [s; 2]);
    assert!(heap.elem_ref(integers, 0).is_null());
}

#[test]
fn cells_of_the_vm_are_its_own() {
    let mut g = guest();
    g.run("all");
    let number = g.vm.new_string("no constant").expect("room");
    let loaded = g.vm.env().all_classes().to_vec();
    let cells: Vec<u32> = loaded
        .iter()
        .flat_map(|&c| g.vm.class(c).resolved.iter())
        .filter_map(|r| match r {
            Resolved::Cell(cell) => Some(cell),
            _ => None,
        })
        .collect();
    assert!(!cells.is_empty());
    for cell in cells {
        assert!(!g.vm.heap().cell(cell).is_null());
        let text = refused(|| g.vm.heap_mut().set_cell(cell, number));
        assert!(text.contains("no root cell"), "{text}");
        let text = refused(|| g.vm.heap_mut().free_cell(cell));
        assert!(text.contains("no root cell"), "{text}");
    }
    let mine = g.vm.heap_mut().new_cell(number);
    g.vm.heap_mut().set_cell(mine, Ref::NULL);
    g.vm.heap_mut().free_cell(mine);
    let text = refused(|| g.vm.heap_mut().set_cell(mine, number));
    assert!(text.contains("no root cell"), "{text}");
}

/// A class with one method, `static Object forge()`, that returns the number 7.
fn forger() -> Vec<u8> {
    let mut file = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0, 8];
    for text in [
        "Forger",
        "java/lang/Object",
        "forge",
        "()Ljava/lang/Object;",
        "Code",
    ] {
        file.extend([1, 0, text.len() as u8]);
        file.extend(text.bytes());
    }
    file.extend([7, 0, 1, 7, 0, 2]);
    // public, this class, superclass; no interfaces and fields; a public static method
    file.extend([0, 0x21, 0, 6, 0, 7, 0, 0, 0, 0, 0, 1]);
    file.extend([0, 9, 0, 3, 0, 4, 0, 1, 0, 5, 0, 0, 0, 15]);
    // one operand, no locals: bipush 7, areturn
    file.extend([0, 1, 0, 0, 0, 0, 0, 3, 0x10, 7, 0xB0, 0, 0, 0, 0, 0, 0]);
    file
}

#[test]
fn code_that_nobody_verified_is_not_run() {
    let mut g = guest();
    let o = DefineOptions {
        given: true,
        ..DefineOptions::default()
    };
    let class =
        g.vm.env()
            .define_class(LoaderId::BOOT, Some("Forger"), &forger(), o);
    let class = class.expect("well-formed");
    let forge = g.vm.method_named(class, "forge", "()Ljava/lang/Object;");
    for _ in 0..2 {
        let text = refused(|| g.vm.call_on(g.main, forge, &[]).is_ok());
        assert!(text.contains("not linked"), "{text}");
        let linked = g.vm.link_on(g.main, class);
        assert!(linked.is_err(), "a VerifyError");
    }
}

#[test]
fn hosts_leave_no_references_for_the_collector() {
    let mut g = guest();
    let text = refused(|| g.vm.env().native_refs().len());
    assert!(text.contains("no native"), "{text}");
    let stale = g.vm.new_string("gone soon").expect("room");
    g.vm.collect_garbage(true);
    let text = refused(|| {
        let cont = Cont::of_host(
            &g.vm,
            |_, _, _| Next::Return(Value::Void),
            [0; 3],
            [stale, Ref::NULL, Ref::NULL],
        );
        g.vm.run_cont(g.main, cont);
    });
    assert!(text.contains("no longer an object"), "{text}");
}

#[test]
fn invented_classes_are_refused() {
    let g = guest();
    let real = g.vm.known().string;
    assert!(g.vm.heap().is_class(real));
    for word in (0..=u32::MAX)
        .step_by(99_991)
        .chain(real.0 - 60..real.0 + 60)
    {
        let class = ClassId(word);
        if !g.vm.heap().is_class(class) {
            let text = refused(|| g.vm.class(class).name.len());
            assert!(text.contains("not a class"), "{class:?}: {text}");
        }
    }
    let around = real.0 - 60..real.0 + 60;
    let near = around.filter(|&w| g.vm.heap().is_class(ClassId(w))).count();
    assert!((1..10).contains(&near), "{near} classes in a kilobyte");
}

#[test]
fn slots_hold_objects_or_are_refused() {
    let mut g = guest();
    let s = g.vm.new_string("a string").expect("room");
    let mirror = g.vm.mirror(g.vm.known().string);
    for r in [s, mirror] {
        assert_eq!(g.vm.heap().object_at(r.slot()), Some(r));
        for other in [1, u64::from(u32::MAX), u64::MAX, 1 << 32 | r.slot()] {
            assert_eq!(g.vm.heap().object_at(other), None);
        }
        assert_eq!(g.vm.heap().object_at(r.slot() + 1), None);
    }
    // the same when they are old
    let cell = g.vm.heap_mut().new_cell(s);
    g.vm.collect_garbage(true);
    let s = g.vm.heap().cell(cell);
    assert_eq!(g.vm.heap().object_at(s.slot()), Some(s));
    assert_eq!(g.vm.heap().object_at(s.slot() + 1), None);
    let text = refused(|| g.vm.heap().cell(cell + 4));
    assert!(text.contains("no root cell"), "{text}");
    let m =
        g.vm.method_named(g.vm.known().object, "equals", "(Ljava/lang/Object;)Z");
    let (this, object) = (Value::Ref(s), Value::Ref(mirror));
    for (args, want) in [
        (&[this][..], "takes 2 arguments"),
        (&[this, object, object], "takes 2 arguments"),
        (&[this, Value::Int(77)], "is no Ljava/lang/Object;"),
        (&[this, Value::Void], "is no Ljava/lang/Object;"),
        (&[Value::Int(77), object], "is not a reference"),
        (&[Value::Ref(Ref::NULL), object], "`this` is no object"),
    ] {
        let text = refused(|| g.vm.call_on(g.main, m, args).is_ok());
        assert!(text.contains(want), "{args:?}: {text}");
    }
}

#[test]
fn references_kept_over_a_collection_are_refused() {
    let mut g = guest();
    let equals =
        g.vm.method_named(g.vm.known().object, "equals", "(Ljava/lang/Object;)Z");
    let class = g.vm.known().object;
    // a young collection leaves other objects where these were, a full one nothing
    for full in [false, true] {
        let array = g.vm.new_array_of(class, 3).expect("room");
        let kept: Vec<Ref> = (0..1000)
            .map(|i| g.vm.new_string(&format!("string {i}")).expect("room"))
            .collect();
        let cells: Vec<u32> = kept.iter().map(|&r| g.vm.heap_mut().new_cell(r)).collect();
        g.vm.collect_garbage(full);
        let bytes = g.vm.new_byte_array(100_000).expect("room");
        let fine = g.vm.heap().cell(cells[0]);
        let mut refused_of = 0;
        for r in kept {
            let texts = [
                refused(|| g.vm.heap_mut().put(r, 12u32, 7)),
                refused(|| g.vm.heap_mut().set_cell(cells[1], r)),
                refused(|| g.vm.heap_mut().new_cell(r)),
                refused(|| g.vm.env().identity_hash(r)),
                refused(|| {
                    g.vm.call_on(g.main, equals, &[fine.into(), r.into()])
                        .is_ok()
                }),
                refused(|| {
                    g.vm.call_on(g.main, equals, &[r.into(), fine.into()])
                        .is_ok()
                }),
            ];
            // where another object begins now it is that one
            let stale = texts
                .iter()
                .filter(|t| t.contains("no longer an object"))
                .count();
            refused_of += usize::from(stale == texts.len());
            assert!(stale == texts.len() || g.vm.heap().object_at(r.slot()).is_some());
        }
        assert!(refused_of > 900, "{refused_of}");
        let text = refused(|| g.vm.heap_mut().set_elem_ref(array, 0, fine));
        assert!(text.contains("no longer an object"), "{text}");
        let third = g.vm.heap().cell(cells[2]);
        assert_eq!(g.vm.string(third), "string 2");
        assert_eq!(g.vm.heap().len(bytes), 100_000);
        let same = g.vm.call_on(g.main, equals, &[fine.into(), fine.into()]);
        assert_eq!(g.value(same), Value::Int(1));
    }
}

#[test]
fn numbers_of_what_was_unloaded_are_refused() {
    let mut g = guest();
    let bytes = std::fs::read(guest_classes().join("Guest.class")).expect("a class file");
    let options = DefineOptions {
        hidden: true,
        ..DefineOptions::default()
    };
    let class =
        g.vm.env()
            .define_class(LoaderId::BOOT, None, &bytes, options)
            .expect("a class");
    let method = g.vm.method_named(class, "all", "()I");
    assert!(g.vm.method_name(method).contains("all"));
    g.vm.collect_garbage(true);
    let text = refused(|| g.vm.class(class).name.len());
    assert!(text.contains("not a class"), "{text}");
    let text = refused(|| g.vm.mirror(class));
    assert!(text.contains("not a class"), "{text}");
    let text = refused(|| g.vm.init_on(g.main, class).is_ok());
    assert!(text.contains("not a class"), "{text}");
    let text = refused(|| g.vm.method_name(method));
    assert!(text.contains("was unloaded"), "{text}");
    let text = refused(|| g.vm.call_on(g.main, method, &[]).is_ok());
    assert!(text.contains("was unloaded"), "{text}");
}

#[test]
fn numbers_do_not_become_references() {
    let mut g = guest();
    let s = g.vm.new_string("a string").expect("room");
    let string = g.vm.known().string;
    let mut field = |name, desc| {
        let (n, d) = (g.vm.env().symbol(name), g.vm.env().symbol(desc));
        let class = g.vm.class(string);
        let index = class.find_field(n, d).expect("a field of String");
        class.fields[index as usize].offset
    };
    let (value, hash) = (field("value", "[B"), field("hash", "I"));
    g.vm.heap_mut().put::<u32>(s, hash, 7);
    assert_eq!(g.vm.heap().get::<u32>(s, hash), 7);
    let end = g.vm.heap().size_of(s);
    let mut heap = g.vm.heap_mut();
    for off in [
        0,
        4,
        value as usize - 2,
        value as usize + 2,
        end,
        end - 2,
        1 << 40,
        usize::MAX,
    ] {
        let text = refused(|| heap.put::<u32>(s, off, 7));
        assert!(text.contains("no number"), "{off}: {text}");
        let text = refused(|| heap.raw_mut(s, off, 4).len());
        assert!(text.contains("numbers"), "{off}: {text}");
    }
    for off in [0, 4, hash as usize, end, usize::MAX] {
        let text = refused(|| heap.get_ref(s, off));
        assert!(text.contains("no reference"), "{off}: {text}");
    }
    let bytes = heap.get_ref(s, value);
    let text = refused(|| heap.copy(bytes, ELEMS, s, value, 4));
    assert!(text.contains("numbers"), "{text}");
    let text = refused(|| heap.copy_elems((bytes, 0), (bytes, 5), 4));
    assert!(text.contains("4 elements from 5 of 8"), "{text}");
    for off in [0, 4, hash as usize, end, usize::MAX] {
        assert!(!g.vm.put_reference(s, off, Ref::NULL), "{off}");
    }
    assert!(
        !g.vm.put_reference(s, value as usize, s),
        "of another class"
    );
    assert!(g.vm.put_reference(s, value as usize, bytes));
    let object = g.vm.known().object;
    let array = g.vm.env().array_of(object);
    for class in [array, g.vm.known().class, g.vm.primitive(b'I')] {
        let text = refused(|| g.vm.alloc_object(class).is_ok());
        assert!(text.contains("no instances"), "{class:?}: {text}");
    }
    let text = refused(|| g.vm.env().alloc_array(object, 1).is_ok());
    assert!(text.contains("no class of arrays"), "{text}");
}

#[test]
fn java_code_forges_no_references_with_unsafe() {
    let dir = tests_dir().join("embedding");
    let classes = jdk::compile(
        "soundness",
        &[dir.join("Forge.java")],
        &[],
        &dir.join("resources"),
    );
    let got = Run::new(&run::vm(), "soundness-forge")
        .arg("-cp")
        .arg(classes)
        .arg("Forge")
        .finish();
    assert_eq!(got.exit, 0, "{}", got.err());
    let want = ": a fault occurred in ";
    let lines: Vec<String> = got.out().lines().map(str::to_string).collect();
    let (last, refused) = lines.split_last().expect("lines");
    assert_eq!(refused.len(), 13, "{lines:?}");
    for line in refused {
        assert!(line.contains(want), "{line}");
    }
    assert_eq!(last, "text 7 8 [null, text]");
}

#[test]
fn java_code_confuses_no_classes_with_unsafe() {
    let dir = tests_dir().join("embedding");
    let classes = jdk::compile(
        "confuse",
        &[dir.join("Confuse.java")],
        &[],
        &dir.join("resources"),
    );
    let got = Run::new(&run::vm(), "soundness-confuse")
        .arg("-cp")
        .arg(classes)
        .arg("Confuse")
        .finish();
    assert_eq!(got.exit, 0, "{}", got.err());
    let fault = "a fault occurred in ";
    let want = [
        ("a field", fault),
        ("a field above", fault),
        ("a static field", fault),
        ("an array in a field", fault),
        ("an array of arrays", fault),
        ("an exchange", fault),
        ("an element", fault),
        ("its own class", "done"),
        ("a subclass", "done"),
        ("null", "done"),
        ("anything where Object is declared", "done"),
        ("an interface", "done"),
        ("the method of a name", fault),
        ("a method's holder", fault),
        ("a blank entry", "done"),
        ("calling it", "NullPointerException"),
        ("a loader's numbers", "true"),
        ("a module's numbers", "true"),
        ("a method's numbers", "fine"),
        ("all as it was", "[text] 1 [2] fine"),
    ];
    let out = got.out();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), want.len(), "{lines:#?}");
    for (line, (what, result)) in lines.iter().zip(want) {
        let (left, right) = line.split_once(": ").expect("two halves");
        assert!(left == what && right.starts_with(result), "{line}");
    }
}
