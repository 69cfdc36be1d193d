//! Selection, subtyping, entries and initialization.

use super::vm;
use crate::classes::method::{intrinsic, vindex};
use crate::classes::{InitState, acc};
use crate::ids::{ClassId, LoaderId, MethodId};
use crate::{Throw, Vm};

fn load(vm: &mut Vm, name: &str) -> ClassId {
    vm.load_class(LoaderId::BOOT, name).unwrap()
}

/// The name of the class whose method a call of `declared` on a `receiver` runs.
fn selected(vm: &mut Vm, receiver: &str, declared: (&str, &str, &str)) -> String {
    let (c, d) = (load(vm, receiver), load(vm, declared.0));
    let m = vm.method_named(d, declared.1, declared.2);
    let s = vm.select_method(c, m).unwrap();
    vm.name(vm.method(s).class).to_string()
}

#[test]
fn selection_finds_overrides_and_defaults() {
    let vm = &mut vm();
    let for_each = (
        "java/lang/Iterable",
        "forEach",
        "(Ljava/util/function/Consumer;)V",
    );
    assert_eq!(
        selected(vm, "java/util/ArrayList", for_each),
        "java/util/ArrayList"
    );
    assert_eq!(
        selected(vm, "java/util/HashSet", for_each),
        "java/lang/Iterable"
    );
    let hash = ("java/lang/Object", "hashCode", "()I");
    assert_eq!(
        selected(vm, "java/util/ArrayList", hash),
        "java/util/ArrayList"
    );
    assert_eq!(selected(vm, "[I", hash), "java/lang/Object");
    let spliterator = (
        "java/util/Collection",
        "spliterator",
        "()Ljava/util/Spliterator;",
    );
    // Set's default is more specific than Collection's
    assert_eq!(
        selected(vm, "java/util/TreeMap$Values", spliterator),
        "java/util/TreeMap$Values"
    );
    assert_eq!(
        selected(vm, "java/util/AbstractSet", spliterator),
        "java/util/Set"
    );
}

#[test]
fn an_abstract_method_is_an_error_that_names_it() {
    let vm = &mut vm();
    let (c, d) = (
        load(vm, "java/util/AbstractList"),
        load(vm, "java/util/List"),
    );
    let m = vm.method_named(d, "size", "()I");
    let t = vm.select_method(c, m).unwrap_err();
    let Throw::New { class, message, .. } = *t else {
        panic!("{t:?}")
    };
    assert_eq!(class, "java/lang/AbstractMethodError");
    assert_eq!(
        message.unwrap(),
        "Receiver class java.util.AbstractList does not define or inherit an implementation of \
         the resolved method 'abstract int size()' of interface java.util.List. Selected method \
         is 'abstract int java.util.AbstractCollection.size()'."
    );
}

#[test]
fn subtypes_of_arrays() {
    let vm = &mut vm();
    let yes = [
        ("[Ljava/lang/String;", "[Ljava/lang/Object;"),
        ("[Ljava/lang/String;", "[Ljava/lang/Comparable;"),
        ("[[I", "[Ljava/lang/Object;"),
        ("[[I", "[Ljava/lang/Cloneable;"),
        ("[I", "java/io/Serializable"),
        ("[I", "java/lang/Object"),
        ("java/util/ArrayList", "java/util/Collection"),
        ("java/util/List", "java/lang/Object"),
    ];
    let no = [
        ("[I", "[J"),
        ("[I", "[Ljava/lang/Object;"),
        ("[Ljava/lang/Object;", "[Ljava/lang/String;"),
        ("java/lang/Object", "[I"),
        ("java/util/Collection", "java/util/List"),
    ];
    for (pairs, expected) in [(&yes[..], true), (&no[..], false)] {
        for &(a, b) in pairs {
            let (ca, cb) = (load(vm, a), load(vm, b));
            assert_eq!(vm.is_subtype(ca, cb), expected, "{a} {b}");
        }
    }
}

#[test]
fn a_changed_entry_reaches_inherited_tables_but_no_override() {
    let vm = &mut vm();
    let object = vm.loaded.known.object;
    let m = vm.method_named(object, "toString", "()Ljava/lang/String;");
    let at = vm.method(m).vindex as usize;
    vm.set_entry(m, 77 as *const u8);
    let entry = |vm: &Vm, c: ClassId| {
        // SAFETY: the class is installed and inherits Object's table.
        unsafe { (*(*vm.class(c).hot).vtable.as_ptr().add(at)).entry as usize }
    };
    let (thread, string, ints) = (
        load(vm, "java/lang/ThreadGroup"),
        vm.loaded.known.string,
        load(vm, "[I"),
    );
    assert_eq!(entry(vm, object), 77);
    assert_eq!(entry(vm, ints), 77);
    assert_ne!(entry(vm, thread), 77);
    assert_ne!(entry(vm, string), 77);
    let later = load(vm, "java/util/Random");
    assert_eq!(entry(vm, later), 77);
}

#[test]
fn polymorphic_methods_resolve_with_any_descriptor() {
    let vm = &mut vm();
    let mh = vm.loaded.known.method_handle;
    let mut resolve = |name: &str, desc: &str| -> MethodId {
        let (n, d) = (vm.syms.intern(name), vm.syms.intern(desc));
        vm.resolve_method_in(None, mh, n, d).unwrap()
    };
    let a = resolve("linkToStatic", "(IJLjava/lang/invoke/MemberName;)I");
    let b = resolve("linkToStatic", "(IJLjava/lang/invoke/MemberName;)I");
    let c = resolve("linkToStatic", "(ILjava/lang/invoke/MemberName;)I");
    let d = resolve("invokeBasic", "(I)V");
    let e = resolve("invokeExact", "(I)V");
    assert_eq!(a, b);
    assert_ne!(a, c);
    let k = vm.method(a);
    assert_eq!(
        (k.intrinsic, k.arg_slots, k.ret),
        (intrinsic::LINK_TO_STATIC, 4, b'I')
    );
    let k = vm.method(d);
    assert_eq!(
        (k.intrinsic, k.arg_slots, k.ret),
        (intrinsic::INVOKE_BASIC, 2, b'V')
    );
    assert_eq!(vm.method(e).intrinsic, intrinsic::INVOKE_GENERIC);
}

#[test]
fn special_classes_and_fields() {
    let vm = &mut vm();
    let class = vm.loaded.known.class;
    assert_eq!(
        vm.offset_of(crate::jdk::class::RJVM_CLASS),
        crate::heap::layout::MIRROR_CLASS
    );
    let hot = |vm: &Vm, c: ClassId| {
        // SAFETY: the class is installed.
        unsafe { std::ptr::read(vm.class(c).hot) }
    };
    assert_eq!(hot(vm, class).kind, 4);
    let (soft, cleaner) = (
        vm.loaded.known.soft_reference,
        load(vm, "jdk/internal/ref/Cleaner"),
    );
    assert_eq!((hot(vm, soft).ref_kind, hot(vm, cleaner).ref_kind), (1, 4));
    let object = vm.loaded.known.object;
    assert_eq!(hot(vm, object).finalizable, 0);
    let m = vm.method_named(object, "wait", "(J)V");
    assert_eq!(vm.method(m).vindex, vindex::DIRECT);
    let list = load(vm, "java/util/List");
    let m = vm.method_named(list, "size", "()I");
    assert_eq!(vm.method(m).vindex, vindex::INTERFACE);
    assert_eq!(vm.class(list).vtable().len(), 0);
    let reflection = load(vm, "java/lang/Class");
    let m = vm.method_named(
        reflection,
        "forName",
        "(Ljava/lang/String;)Ljava/lang/Class;",
    );
    assert!(vm.method(m).caller_sensitive);
    let longs = load(vm, "[J");
    assert_eq!((hot(vm, longs).kind, hot(vm, longs).elem_shift), (1, 3));
    assert_eq!(vm.class(longs).access & acc::ABSTRACT, acc::ABSTRACT);
}

#[test]
fn initialization_begins_with_the_superclass() {
    let vm = &mut vm();
    // constants only: initialized at once
    let c = load(vm, "java/lang/Comparable");
    vm.ensure_initialized(c).unwrap();
    assert_eq!(vm.init_state(c), InitState::Initialized);
    // Math has an initializer
    let c = load(vm, "java/lang/StrictMath");
    let t = vm.ensure_initialized(c).unwrap_err();
    let Throw::Upcall(u) = *t else {
        panic!("{t:?}")
    };
    let call = u.call.unwrap();
    assert_eq!(vm.method(call.method).class, c);
    assert_eq!(vm.init_state(c), InitState::InProgress);
    // the initializer itself may use the class
    vm.ensure_initialized(c).unwrap();
    let mut cont = u.cont.unwrap();
    let step = cont.step;
    assert!(matches!(
        step.call(vm, &mut cont, Ok(crate::Value::Void)),
        crate::throw::Next::Return(_)
    ));
    assert_eq!(vm.init_state(c), InitState::Initialized);
}

#[test]
fn a_missing_class_is_reported_by_its_internal_name() {
    let vm = &mut vm();
    let t = vm.load_class(LoaderId::BOOT, "no/Such").unwrap_err();
    let Throw::New { class, message, .. } = *t else {
        panic!("{t:?}")
    };
    assert_eq!(
        (class, message.as_deref()),
        ("java/lang/ClassNotFoundException", Some("no/Such"))
    );
}
