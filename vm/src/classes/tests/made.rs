//! Classes made here byte by byte: definition errors, overriding across packages, initialization.

use super::vm;
use crate::classes::{DefineOptions, InitState, acc};
use crate::ids::{ClassId, LoaderId};
use crate::throw::{Next, Upcall};
use crate::{Throw, Vm};

/// A class file under construction; every method's body is a lone `return`.
struct TestClassFile {
    name: &'static str,
    super_name: &'static str,
    access: u16,
    interfaces: &'static [&'static str],
    methods: &'static [(u16, &'static str)],
}

impl TestClassFile {
    fn new(name: &'static str, super_name: &'static str) -> TestClassFile {
        TestClassFile {
            name,
            super_name,
            access: acc::PUBLIC | acc::SUPER,
            interfaces: &[],
            methods: &[],
        }
    }
    fn access(self, access: u16) -> TestClassFile {
        TestClassFile { access, ..self }
    }
    fn interfaces(self, interfaces: &'static [&'static str]) -> TestClassFile {
        TestClassFile { interfaces, ..self }
    }
    /// Methods without parameters and result: flags and name.
    fn methods(self, methods: &'static [(u16, &'static str)]) -> TestClassFile {
        TestClassFile { methods, ..self }
    }
    fn bytes(&self) -> Vec<u8> {
        let mut pool: Vec<Vec<u8>> = Vec::new();
        let mut utf8 = |s: &str| {
            let len = (s.len() as u16).to_be_bytes();
            pool.push([&[1], &len[..], s.as_bytes()].concat());
            pool.len() as u16
        };
        let names: Vec<u16> = [self.name, self.super_name]
            .iter()
            .chain(self.interfaces)
            .map(|s| utf8(s))
            .collect();
        let methods: Vec<u16> = self.methods.iter().map(|m| utf8(m.1)).collect();
        let (desc, code) = (utf8("()V"), utf8("Code"));
        let mut class = |i: usize| {
            pool.push([&[7], &names[i].to_be_bytes()[..]].concat());
            pool.len() as u16
        };
        let classes: Vec<u16> = (0..names.len()).map(&mut class).collect();
        let mut out = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61];
        let mut u2 = |v: u16| out.extend(v.to_be_bytes());
        u2(pool.len() as u16 + 1);
        out.extend(pool.concat());
        let mut u2 = |v: u16| out.extend(v.to_be_bytes());
        u2(self.access);
        u2(classes[0]);
        u2(classes[1]);
        u2(self.interfaces.len() as u16);
        classes[2..].iter().for_each(|&c| u2(c));
        u2(0);
        u2(methods.len() as u16);
        for (&name, m) in methods.iter().zip(self.methods) {
            let mut u2 = |v: u16| out.extend(v.to_be_bytes());
            for v in [m.0, name, desc] {
                u2(v);
            }
            if m.0 & acc::ABSTRACT != 0 {
                u2(0);
                continue;
            }
            for v in [1, code, 0, 13, 0, 1, 0, 1] {
                u2(v);
            }
            out.extend([0xb1, 0, 0, 0, 0]);
        }
        out.extend([0, 0]);
        out
    }
    fn define(&self, vm: &mut Vm) -> Result<ClassId, String> {
        let o = DefineOptions::default();
        vm.define_class(LoaderId::BOOT, Some(self.name), &self.bytes(), o)
            .map_err(|t| text(&t))
    }
}

fn text(t: &Throw) -> String {
    match t {
        Throw::New { class, message, .. } => {
            format!("{class}: {}", message.as_deref().unwrap_or(""))
        }
        other => panic!("{other:?}"),
    }
}

const OBJECT: &str = "java/lang/Object";

#[test]
fn definition_errors_are_worded_as_in_hotspot() {
    let vm = &mut vm();
    let interface = acc::PUBLIC | acc::INTERFACE | acc::ABSTRACT;
    TestClassFile::new("A", OBJECT).define(vm).unwrap();
    let last = acc::PUBLIC | acc::FINAL;
    TestClassFile::new("F", OBJECT)
        .access(last)
        .define(vm)
        .unwrap();
    TestClassFile::new("I", OBJECT)
        .access(interface)
        .define(vm)
        .unwrap();
    TestClassFile::new("p/Hidden", OBJECT)
        .access(0)
        .define(vm)
        .unwrap();
    let finals = &[(acc::PUBLIC | acc::FINAL, "m")];
    TestClassFile::new("M", OBJECT)
        .methods(finals)
        .define(vm)
        .unwrap();
    let icce = "java/lang/IncompatibleClassChangeError";
    let cases = [
        (
            TestClassFile::new("A", OBJECT),
            "java/lang/LinkageError: loader 'bootstrap' attempted duplicate class definition for A. (A is in unnamed module of loader 'bootstrap')".to_string(),
        ),
        (TestClassFile::new("B", "F"), format!("{icce}: class B cannot inherit from final class F")),
        (TestClassFile::new("B", "I"), format!("{icce}: class B has interface I as super class")),
        (
            TestClassFile::new("B", OBJECT).interfaces(&["A"]),
            format!("{icce}: class B can not implement A, because it is not an interface (A is in unnamed module of loader 'bootstrap')"),
        ),
        (
            TestClassFile::new("B", "p/Hidden"),
            "java/lang/IllegalAccessError: class B cannot access its superclass p.Hidden (B and p.Hidden are in unnamed module of loader 'bootstrap')".to_string(),
        ),
        (
            TestClassFile::new("B", "M").methods(&[(acc::PUBLIC, "m")]),
            format!("{icce}: class B overrides final method M.m()V"),
        ),
        (TestClassFile::new("B", "q/None"), "java/lang/NoClassDefFoundError: q/None".to_string()),
        (TestClassFile::new("B", "B"), "java/lang/ClassCircularityError: B".to_string()),
    ];
    for (made, expected) in cases {
        assert_eq!(made.define(vm).unwrap_err(), expected);
    }
    let bytes = TestClassFile::new("C", OBJECT).bytes();
    let t = vm.define_class(
        LoaderId::BOOT,
        Some("p/C"),
        &bytes,
        DefineOptions::default(),
    );
    let expected = "java/lang/NoClassDefFoundError: p/C (wrong name: C)";
    assert_eq!(text(&t.unwrap_err()), expected);
    // what failed leaves nothing behind
    TestClassFile::new("B", "A").define(vm).unwrap();
}

/// The class whose `m` a call of `declared.m` on a `receiver` runs.
fn selected(vm: &mut Vm, receiver: ClassId, declared: ClassId) -> String {
    let m = vm.method_named(declared, "m", "()V");
    let s = vm.select_virtual(receiver, m).unwrap();
    vm.name(vm.method(s).class).to_string()
}

#[test]
fn package_private_methods_are_overridden_in_their_package_only() {
    let vm = &mut vm();
    let (package, public) = (&[(0, "m")], &[(acc::PUBLIC, "m")]);
    let a = TestClassFile::new("p/A", OBJECT)
        .methods(package)
        .define(vm)
        .unwrap();
    let b = TestClassFile::new("q/B", "p/A")
        .methods(public)
        .define(vm)
        .unwrap();
    let c = TestClassFile::new("p/C", "q/B")
        .methods(public)
        .define(vm)
        .unwrap();
    let d = TestClassFile::new("r/D", "p/C")
        .methods(public)
        .define(vm)
        .unwrap();
    assert_eq!(selected(vm, b, a), "p/A");
    assert_eq!(selected(vm, b, b), "q/B");
    assert_eq!(selected(vm, c, a), "p/C");
    assert_eq!(selected(vm, c, b), "p/C");
    // r.D overrides p.A's method by way of p.C's
    assert_eq!(selected(vm, d, a), "r/D");
    assert_eq!(selected(vm, d, b), "r/D");
}

#[test]
fn conflicting_defaults_are_errors_unless_a_class_decides() {
    let vm = &mut vm();
    let interface = acc::PUBLIC | acc::INTERFACE | acc::ABSTRACT;
    let m = &[(acc::PUBLIC, "m")];
    let made = |name, supers| {
        TestClassFile::new(name, OBJECT)
            .access(interface)
            .interfaces(supers)
            .methods(m)
    };
    let i = made("I", &[]).define(vm).unwrap();
    made("J", &[]).define(vm).unwrap();
    made("K", &["I"]).define(vm).unwrap();
    let ij = TestClassFile::new("IJ", OBJECT).interfaces(&["I", "J"]);
    let ij = ij.define(vm).unwrap();
    let ik = TestClassFile::new("IK", OBJECT).interfaces(&["I", "K"]);
    let ik = ik.define(vm).unwrap();
    let own = TestClassFile::new("Own", "IJ")
        .methods(m)
        .define(vm)
        .unwrap();
    assert_eq!(selected(vm, ik, i), "K");
    assert_eq!(selected(vm, own, i), "Own");
    let method = vm.method_named(i, "m", "()V");
    assert_eq!(
        text(&vm.select_virtual(ij, method).unwrap_err()),
        "java/lang/IncompatibleClassChangeError: Conflicting default methods: I.m J.m"
    );
    assert_eq!(
        text(&vm.select_method(ij, method).unwrap_err()),
        "java/lang/AbstractMethodError: Receiver class IJ does not define or inherit an \
         implementation of the resolved method 'void m()' of interface I."
    );
}

/// The initializer that has to run next for the initialization of `c`.
fn next_initializer(vm: &mut Vm, c: ClassId) -> (ClassId, Upcall) {
    let t = vm.ensure_initialized(c).unwrap_err();
    let Throw::Upcall(u) = *t else {
        panic!("{t:?}")
    };
    let m = u.call.as_ref().unwrap().method;
    (vm.method(m).class, u)
}

fn end_initializer(vm: &mut Vm, u: Upcall) {
    let mut cont = u.cont.unwrap();
    let step = cont.step;
    assert!(matches!(
        step.call(vm, &mut cont, Ok(crate::Value::Void)),
        Next::Return(_)
    ));
}

#[test]
fn superclasses_and_default_interfaces_are_initialized_in_order() {
    let vm = &mut vm();
    let interface = acc::PUBLIC | acc::INTERFACE | acc::ABSTRACT;
    let clinit = &[(acc::STATIC, "<clinit>")];
    let with_default = &[(acc::STATIC, "<clinit>"), (acc::PUBLIC, "m")];
    let plain = TestClassFile::new("Plain", OBJECT)
        .access(interface)
        .methods(clinit);
    let plain = plain.define(vm).unwrap();
    let def = TestClassFile::new("Def", OBJECT).access(interface);
    let def = def.methods(with_default).define(vm).unwrap();
    let a = TestClassFile::new("A", OBJECT)
        .methods(clinit)
        .define(vm)
        .unwrap();
    let b = TestClassFile::new("B", "A").define(vm).unwrap();
    let c = TestClassFile::new("C", "B").interfaces(&["Plain", "Def"]);
    let c = c.methods(clinit).define(vm).unwrap();
    let (first, u) = next_initializer(vm, c);
    assert_eq!(first, a);
    // requests of A's initializer for its subclasses are recursive ones
    vm.ensure_initialized(c).unwrap();
    vm.ensure_initialized(b).unwrap();
    vm.ensure_initialized(a).unwrap();
    end_initializer(vm, u);
    assert_eq!(vm.init_state(b), InitState::InProgress);
    let (second, u) = next_initializer(vm, c);
    assert_eq!(second, def);
    assert_eq!(vm.init_state(b), InitState::Initialized);
    end_initializer(vm, u);
    let (third, u) = next_initializer(vm, c);
    assert_eq!(third, c);
    vm.ensure_initialized(c).unwrap();
    end_initializer(vm, u);
    vm.ensure_initialized(c).unwrap();
    assert_eq!(vm.init_state(c), InitState::Initialized);
    assert!(vm.init_state(plain) < InitState::InProgress);
}

#[test]
fn a_superclass_that_is_initializing_already_does_not_hold_up_its_subclass() {
    let vm = &mut vm();
    let clinit = &[(acc::STATIC, "<clinit>")];
    let a = TestClassFile::new("A", OBJECT)
        .methods(clinit)
        .define(vm)
        .unwrap();
    let b = TestClassFile::new("B", "A")
        .methods(clinit)
        .define(vm)
        .unwrap();
    let (_, of_a) = next_initializer(vm, a);
    // A's initializer uses B
    let (next, of_b) = next_initializer(vm, b);
    assert_eq!(next, b);
    end_initializer(vm, of_b);
    end_initializer(vm, of_a);
    assert_eq!(vm.init_state(a), InitState::Initialized);
    assert_eq!(vm.init_state(b), InitState::Initialized);
}

#[test]
fn hidden_classes_have_a_name_of_their_own_and_no_entry() {
    let vm = &mut vm();
    let bytes = TestClassFile::new("p/H", OBJECT).bytes();
    let mut define = || {
        let o = DefineOptions {
            hidden: true,
            ..DefineOptions::default()
        };
        vm.define_class(LoaderId::BOOT, Some("p/H"), &bytes, o)
            .unwrap()
    };
    let (a, b) = (define(), define());
    assert_ne!(a, b);
    assert_eq!(vm.class(a).dotted(), "p.H/0x0000000000000001");
    assert_eq!(vm.find_loaded(LoaderId::BOOT, "p/H"), None);
    assert!(vm.same_package(a, b));
}
