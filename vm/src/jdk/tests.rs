//! The table against the installed JDK, and against JDKs that lack something.

use super::check::{lacking, problems};
use super::{CLASSES, FIELDS, Versions};
use crate::Vm;
use crate::classes::tests::vm_with;
use crate::classpath::SystemModules;
use crate::classpath::tests::{TempFolder, jdk};
use crate::ids::{ClassId, LoaderId, Ref};
use crate::throw::{R, Throw};

/// The message of an InternalError.
fn internal_error<T: std::fmt::Debug>(r: R<T>) -> String {
    match *r.expect_err("an InternalError") {
        Throw::New {
            class: "java/lang/InternalError",
            message: Some(text),
            ..
        } => text,
        other => panic!("{other:?}"),
    }
}

/// An instance of a class that is loaded when this is called.
fn instance(vm: &mut Vm, name: &str) -> Ref {
    let c: ClassId = vm.load_class(LoaderId::BOOT, name).unwrap();
    vm.alloc_object(c).unwrap()
}

/// The class files of `java.base`'s packages `java.*` as an exploded build has them, with another text of
/// the same length in one of them.
fn patched(name: &str, class: &str, from: &str, to: &str) -> TempFolder {
    assert_eq!(from.len(), to.len());
    let temp = TempFolder::new(name);
    let modules = SystemModules::open(&jdk()).unwrap();
    let mut found = 0;
    for r in modules.resources("java.base").unwrap() {
        if !r.starts_with("java/") {
            continue;
        }
        let mut bytes = modules.find("java.base", &r).unwrap().unwrap().to_vec();
        if r == format!("{class}.class") {
            // a `Utf8` entry of the constant pool
            let mut entry = vec![1, 0, from.len() as u8];
            entry.extend(from.bytes());
            let at = bytes.windows(entry.len()).position(|w| w == entry);
            let at = at.expect("the name is there") + 3;
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
            found += 1;
        }
        temp.write(&format!("modules/java.base/{r}"), bytes);
    }
    assert_eq!(found, 1, "{class} is there");
    temp
}

fn home(temp: &TempFolder) -> std::path::PathBuf {
    temp.path("").canonicalize().unwrap()
}

#[test]
fn methods_that_reach_outside_are_those_of_the_jdk() {
    use super::check::missing_methods;
    use super::outside::{Bytes, NamedBy, OUTSIDE, OutsideRow, outside};
    let jdk = jdk();
    let modules = SystemModules::open(&jdk).expect("a class library");
    assert_eq!(missing_methods(&modules, OUTSIDE, 17), [""; 0]);
    let row = outside("java.io.FileInputStream", "read0").expect("it is in the table");
    let lacking = [
        OutsideRow {
            method: "read9",
            ..*row
        },
        OutsideRow {
            reported: NamedBy::Field("paths"),
            bytes: Bytes::One,
            ..*row
        },
        OutsideRow {
            class: "java.io.FileInputStreams",
            ..*row
        },
    ];
    assert_eq!(
        missing_methods(&modules, &lacking, 17),
        [
            "there is no method java.io.FileInputStream.read9",
            "there is no field java.io.FileInputStream.paths",
            "method java.io.FileInputStreams.read0: there is no such class",
        ]
    );
    // each once
    for row in OUTSIDE {
        assert_eq!(outside(row.class, row.method), Some(row));
    }
}

#[test]
fn the_installed_jdk_has_all_of_the_table() {
    let jdk = jdk();
    let modules = SystemModules::open(&jdk).unwrap();
    assert_eq!(problems(&modules, jdk.feature()), [""; 0]);
}

#[test]
fn classes_stand_once_and_have_their_own_fields() {
    let mut next = 0;
    for (i, row) in CLASSES.iter().enumerate() {
        assert!(CLASSES[..i].iter().all(|c| c.name != row.name), "{row:?}");
        assert_eq!(row.first, next);
        next += row.len;
        let fields = row.fields();
        for (i, f) in fields.iter().enumerate() {
            // one whose type has changed has a row for each, of versions apart, unless updates of a version differ
            let others = fields[..i].iter().filter(|g| g.name == f.name);
            for other in others {
                let both = |v| f.versions.contains(v) && other.versions.contains(v);
                let apart = !(0..100).any(both) || f.optional && other.optional;
                assert!(other.desc != f.desc && apart, "{f:?}");
            }
            assert_eq!(f.injected, f.name.starts_with('$'), "{f:?}");
        }
    }
    assert_eq!(next, FIELDS.len());
}

#[test]
fn ranges_of_versions() {
    let both = Versions::of(&[19], &[21]);
    assert_eq!(
        [18, 19, 21, 22].map(|v| both.contains(v)),
        [false, true, true, false]
    );
    assert!(Versions::of(&[], &[18]).contains(17) && !Versions::of(&[], &[18]).contains(19));
    assert!(Versions::of(&[19], &[]).contains(99) && !Versions::of(&[19], &[]).contains(18));
    assert_eq!(Versions::of(&[], &[]), Versions::ALL);
}

#[test]
fn a_field_is_its_classs_own() {
    let mut vm = vm_with(|_| ());
    let thread = instance(&mut vm, "java/lang/Thread");
    vm.set(thread, super::thread::TID, 7);
    vm.set(thread, super::thread::INTERRUPTED, true);
    assert_eq!(vm.get(thread, super::thread::TID), 7);
    assert!(vm.get(thread, super::thread::INTERRUPTED));
    assert!(vm.get(thread, super::thread::NAME).is_null());
}

#[test]
#[should_panic(
    expected = "field java.lang.Thread.tid of type long is not in an instance of java/lang/Object"
)]
fn another_classs_instance_is_a_fault() {
    let mut vm = vm_with(|_| ());
    let object = instance(&mut vm, "java/lang/Object");
    vm.get(object, super::thread::TID);
}

#[test]
#[should_panic(expected = "field java.lang.Thread.tid of type long is not in null")]
fn null_is_a_fault() {
    let vm = vm_with(|_| ());
    vm.get(Ref::NULL, super::thread::TID);
}

#[test]
fn late_classes_are_loaded_when_requested() {
    use super::inet6_address_holder as holder;
    let mut vm = vm_with(|_| ());
    assert!(!vm.is_loaded(holder::CLASS));
    let object = instance(&mut vm, "java/lang/Object");
    assert!(!vm.is_a(object, holder::CLASS));
    let text = internal_error(vm.get(object, holder::SCOPE_ID));
    assert_eq!(
        text,
        "field java.net.Inet6Address$Inet6AddressHolder.scope_id is used before its class is loaded"
    );
    let c = vm.env().jdk_class(holder::CLASS).unwrap();
    assert!(vm.is_loaded(holder::CLASS));
    let r = vm.alloc_object(c).unwrap();
    vm.set(r, holder::SCOPE_ID, 5).unwrap();
    vm.set(r, holder::SCOPE_ID_SET, true).unwrap();
    assert_eq!(vm.get(r, holder::SCOPE_ID).unwrap(), 5);
    assert!(vm.get(r, holder::SCOPE_ID_SET).unwrap());
    let text = internal_error(vm.get(object, holder::SCOPE_ID));
    assert_eq!(
        text,
        "field java.net.Inet6Address$Inet6AddressHolder.scope_id of type int is not in an instance of java/lang/Object"
    );
}

#[test]
fn a_field_that_an_update_has_dropped() {
    use super::inet6_address_holder as holder;
    let class = "java/net/Inet6Address$Inet6AddressHolder";
    let temp = patched("dropped", class, "scope_id", "scope_ix");
    let home = home(&temp);
    let modules = SystemModules::open_home(&home).unwrap();
    let field = "field java.net.Inet6Address$Inet6AddressHolder.scope_id of type int";
    let found = problems(&modules, 17);
    assert!(found.iter().any(|p| p == field), "{found:?}");
    assert!(
        !found.iter().any(|p| p.contains("scope_id_set")),
        "{found:?}"
    );

    let mut vm = vm_with(|o| o.java_home = home.clone());
    let r = instance(&mut vm, class);
    vm.set(r, holder::SCOPE_ID_SET, true).unwrap();
    let wanted = format!(
        "this JDK (17, {}) has no {field}, which rjvm needs",
        home.display()
    );
    // each time, not only at first sight
    for _ in 0..2 {
        assert_eq!(internal_error(vm.get(r, holder::SCOPE_ID)), wanted);
        assert_eq!(internal_error(vm.set(r, holder::SCOPE_ID, 1)), wanted);
    }
}

#[test]
fn a_field_has_one_of_its_types() {
    let rows_of = |class: u16| CLASSES[usize::from(class)].fields().iter().collect();
    let rows: Vec<&super::rows::FieldRow> = rows_of(super::sha3::CLASS.0);
    let descs = |has: &dyn Fn(&str) -> bool| -> Vec<&str> {
        let lacking = lacking(&rows, |f| f.name == "state" && has(f.desc));
        lacking.iter().map(|f| f.desc).collect()
    };
    assert!(rows.len() > 2 && descs(&|d| d == "[B").is_empty());
    assert!(descs(&|d| d == "[J").is_empty());
    // once, by the first of its rows
    assert_eq!(descs(&|_| false), ["[B"]);
    let rows: Vec<&super::rows::FieldRow> = rows_of(super::string::CLASS.0);
    assert!(!lacking(&rows, |_| false).is_empty() && lacking(&rows, |_| true).is_empty());
}

#[test]
fn an_optional_field() {
    use super::inet6_address_holder as holder;
    let mut vm = vm_with(|_| ());
    let c = vm.env().jdk_class(holder::CLASS).unwrap();
    let declared = vm.offset_in(c, "this$0", "Ljava/net/Inet6Address;");
    // updates of JDK 17 differ in it
    assert_eq!(vm.has_field(holder::THIS_0).is_some(), declared.is_some());
    let r = vm.alloc_object(c).unwrap();
    if let Some(outer) = vm.has_field(holder::THIS_0) {
        vm.set(r, outer, r).unwrap();
        assert_eq!(vm.get(r, outer).unwrap(), r);
    }
}

#[test]
fn no_vm_without_an_early_field() {
    for (class, from, to, field) in [
        (
            "java/lang/String",
            "coder",
            "codex",
            "field java.lang.String.coder of type byte",
        ),
        // mirrors are made before all others
        (
            "java/lang/Class",
            "classData",
            "classDatum",
            "field java.lang.Class.classData of type java.lang.Object",
        ),
    ] {
        let to = &to[..from.len()];
        let temp = patched(&format!("early-{from}"), class, from, to);
        let home = home(&temp);
        let error = crate::classes::tests::try_vm(|o| o.java_home = home.clone())
            .err()
            .expect("an error");
        let wanted = format!(
            "this JDK (17, {}) has no {field}, which rjvm needs",
            home.display()
        );
        assert_eq!(error, wanted);
    }
}

#[test]
fn no_vm_on_another_jdk() {
    let temp = TempFolder::new("other");
    temp.write("modules/java.base/java/lang/Object.class", b"none");
    temp.write("release", "JAVA_VERSION=\"23.0.1\"\n");
    let error = crate::classes::tests::try_vm(|o| o.java_home = temp.path(""))
        .err()
        .expect("an error");
    assert!(
        error.starts_with("Java 23.0.1 in ")
            && error.contains("is not supported; supported: Java 17, Java 21, Java 25;"),
        "{error}"
    );
}
