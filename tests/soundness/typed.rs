//! A typed place holds objects of its type, whatever code stores them: fields, copies, thrown and returned objects, arguments of
//! calls by method handles. References that hosts hold over collections are refused while the interpreter runs, too.

use super::{forger, guest, refused};
use crate::common::guest::{Guest, Steady, guest_classes, options};
use crate::common::{jdk, tests_dir};
use rjvm_vm::classes::DefineOptions;
use rjvm_vm::debug::{Debugger, StepAction, StepAt};
use rjvm_vm::events::{Event, EventSet, EventView, Observer};
use rjvm_vm::interp::Outcome;
use rjvm_vm::jdk::{class, member_name, method_type, string, system, thread};
use rjvm_vm::natives::HostNatives;
use rjvm_vm::startup::{CallResult, CallStop};
use rjvm_vm::throw::{Cont, Next, OwnFn};
use rjvm_vm::vm::Options;
use rjvm_vm::{LoaderId, MethodId, R, Ref, Throw, Value, Vm};
use std::sync::{Arc, Mutex};

#[test]
fn fields_of_the_table_hold_what_they_say() {
    let mut g = guest();
    let s = g.vm.new_string("a string").expect("room");
    let other = g.vm.new_string("another").expect("room");
    let number = g.vm.env().box_value(b'J', 0x4141_4141).expect("room");
    let (bytes, mirror) = (g.vm.get(s, string::VALUE), g.vm.mirror(g.vm.known().string));
    let text = refused(|| g.vm.env().set(s, string::VALUE, number));
    assert!(
        text.contains("value of type byte[] cannot hold an instance of java.lang.Long"),
        "{text}"
    );
    let chars = g.vm.env().primitive(b'C');
    let chars = g.vm.new_array_of(chars, 2).expect("room");
    let text = refused(|| g.vm.env().set(s, string::VALUE, chars));
    assert!(text.contains("cannot hold an instance of [C"), "{text}");
    let text = refused(|| g.vm.env().set(mirror, class::COMPONENT_TYPE, s));
    assert!(
        text.contains("cannot hold an instance of java.lang.String"),
        "{text}"
    );
    let text = refused(|| g.vm.env().set_static(system::OUT, s));
    assert!(
        text.contains("cannot hold an instance of java.lang.String"),
        "{text}"
    );
    assert_eq!(g.vm.string(s), "a string");
    // what fits is stored, whatever was stored before
    for _ in 0..2 {
        g.vm.env().set(other, string::VALUE, bytes);
        g.vm.env().set(other, string::VALUE, Ref::NULL);
        let text = refused(|| g.vm.env().set(other, string::VALUE, s));
        assert!(text.contains("cannot hold"), "{text}");
    }
    g.vm.env().set(other, string::VALUE, bytes);
    assert_eq!(g.vm.string(other), "a string");
    // any object, a subclass
    g.vm.env().set(mirror, class::PROTECTION_DOMAIN, Ref::NULL);
    let object = g.vm.a_thread(g.main).object;
    let class = g.vm.boot_class("jdk/internal/misc/InnocuousThread");
    let t = g.vm.alloc_object(class).expect("room");
    let of_group =
        g.vm.has_field(thread::GROUP)
            .expect("JDK 17 keeps it there");
    let group = g.vm.get(object, of_group);
    g.vm.env().set(t, of_group, group);
}

#[test]
fn bodies_are_copied_without_what_is_one_objects_own() {
    let mut g = guest();
    let (a, b) = (g.vm.known().string, g.vm.known().object);
    let (a, b) = (g.vm.mirror(a), g.vm.mirror(b));
    let mirrors = [a, b, g.vm.mirror(g.vm.known().thread)];
    for from in mirrors {
        for to in mirrors {
            let text = refused(|| g.vm.heap_mut().copy_body(from, to));
            assert!(text.contains("like objects"), "{text}");
        }
    }
    let loader =
        g.vm.boot_class("jdk/internal/loader/ClassLoaders$AppClassLoader");
    let [one, other] = [0; 2].map(|_| g.vm.alloc_object(loader).expect("room"));
    let [first, second] = [one, other].map(|l| g.vm.loader_id(l));
    assert_ne!(first, second);
    g.vm.heap_mut().copy_body(one, other);
    assert_eq!([one, other].map(|l| g.vm.loader_id(l)), [first, second]);
}

/// Runs a continuation of a host, which is given a string: what the VM says of it.
fn ends_in(step: OwnFn) -> String {
    let mut g = guest();
    let string = g.vm.new_string("no exception").expect("room");
    let cont = Cont::of_host(&g.vm, step, [0; 3], [string, Ref::NULL, Ref::NULL]);
    match g.vm.run_cont(g.main, cont) {
        Outcome::Fault(fault) => fault.to_string(),
        Outcome::Returned(result) => format!("{result:?}"),
        _ => "something else".to_string(),
    }
}

#[test]
fn exceptions_are_what_is_thrown() {
    let text = ends_in(|_, c, _| Next::Throw(Throw::object(c.refs[0])));
    assert!(text.contains("is no java.lang.Throwable"), "{text}");
    let text = ends_in(|_, _, _| Next::Throw(Throw::object(Ref::NULL)));
    assert!(text.contains("nothing is thrown"), "{text}");
    let text = ends_in(|_, c, input| match input {
        Ok(_) => Next::Throw(Throw::caused("java/lang/Error", None, c.refs[0])),
        Err(e) => Next::Throw(Throw::object(e)),
    });
    assert!(text.contains("is no java.lang.Throwable"), "{text}");
    let text = ends_in(|_, _, input| match input {
        Ok(_) => Next::Throw(Throw::bare("java/lang/String")),
        Err(e) => Next::Throw(Throw::object(e)),
    });
    assert!(text.contains("java/lang/String can't be thrown"), "{text}");
    let mut g = guest();
    let s = g.vm.new_string("no exception").expect("room");
    let text = refused(|| g.vm.end_thread(Err(s)));
    assert!(text.contains("is no java.lang.Throwable"), "{text}");
    let object = g.vm.a_thread(g.main).object;
    let text = refused(|| g.vm.env().thread_stop(object, s).is_ok());
    assert!(text.contains("is no java.lang.Throwable"), "{text}");
    let text = refused(|| g.vm.attach_thread(s, 1 << 17).is_ok());
    assert!(text.contains("is no java.lang.Thread"), "{text}");
}

#[test]
fn what_a_host_defines_is_verified() {
    let mut g = guest();
    for hidden in [false, true] {
        let o = DefineOptions {
            hidden,
            ..DefineOptions::default()
        };
        let env = g.vm.env();
        let class = env.define_class(LoaderId::BOOT, Some("Forger"), &forger(), o);
        let class = class.expect("well-formed");
        let linked = g.vm.link_on(g.main, class);
        assert!(matches!(linked, Err(CallStop::Threw(_))), "a VerifyError");
    }
    let s = g.vm.new_string("no domain").expect("room");
    let o = DefineOptions {
        protection_domain: s,
        ..DefineOptions::default()
    };
    let text = refused(|| {
        let env = g.vm.env();
        env.define_class(LoaderId::BOOT, None, &forger(), o).is_ok()
    });
    assert!(text.contains("is no ProtectionDomain"), "{text}");
}

#[test]
fn calls_by_method_handles_are_not_a_hosts_to_change() {
    let mut g = guest();
    let member_name = g.vm.known().member_name;
    let void = g.vm.mirror(g.vm.primitive(b'V'));
    let find = "(Ljava/lang/Class;)Ljava/lang/invoke/MethodType;";
    let find = g.method("java/lang/invoke/MethodType", "methodType", find);
    let ty = g.vm.call_on(g.main, find, &[void.into()]);
    let ty = g.value(ty).reference();
    let string = g.vm.mirror(g.vm.known().string);
    let text = refused(|| g.vm.env().set(ty, method_type::RTYPE, string));
    assert!(text.contains("the class library's own"), "{text}");
    let rtype = (8..g.vm.heap().size_of(ty))
        .find(|&off| g.vm.heap().is_reference(ty, off) && g.vm.heap().get_ref(ty, off) == void);
    let rtype = rtype.expect("a field with the result's class");
    assert!(!g.vm.put_reference(ty, rtype, string));
    let name = g.vm.alloc_object(member_name).expect("room");
    let text = refused(|| g.vm.env().set(name, member_name::VMINDEX, 99_999));
    assert!(text.contains("the class library's own"), "{text}");
    for off in (8..g.vm.heap().size_of(name)).step_by(4) {
        let text = refused(|| g.vm.heap_mut().put::<u32>(name, off, 99_999));
        assert!(text.contains("no number"), "{text}");
    }
    let other = g.vm.alloc_object(member_name).expect("room");
    let text = refused(|| g.vm.heap_mut().copy_body(name, other));
    assert!(text.contains("method handles"), "{text}");
    let names = g.vm.new_array_of(member_name, 1).expect("room");
    let text = refused(|| g.vm.heap_mut().set_elem_ref(names, 0, name));
    assert!(text.contains("no element"), "{text}");
    let text = refused(|| g.vm.heap_mut().copy_elems((names, 0), (names, 0), 1));
    assert!(text.contains("no elements"), "{text}");
}

/// Natives of class `Kept`: one keeps its argument, the others return the kept value, and their argument.
#[derive(Default)]
struct Keeper(Mutex<Option<Ref>>);

impl HostNatives for Keeper {
    fn has(&self, class: &str, _: &str, _: &str) -> bool {
        class == "Kept"
    }
    fn call(&self, vm: &mut Vm, method: MethodId, args: &[Value]) -> R<Value> {
        let mut kept = self.0.lock().expect("no call has panicked");
        match &*vm.method_info(method).name {
            "keep" => *kept = Some(args[0].reference()),
            "text" => return Ok(args[0]),
            _ => return Ok(Value::Ref(kept.expect("it was kept before"))),
        }
        Ok(Value::Void)
    }
}

/// What comes of `name()I` of class `Kept`.
fn kept(name: &str) -> Result<Value, String> {
    let dir = tests_dir().join("embedding");
    let resources = dir.join("resources");
    let classes = jdk::compile("kept", &[dir.join("Kept.java")], &[], &resources);
    let mut natives = rjvm_jdk_stubs::natives();
    natives.host(Arc::new(Keeper::default()));
    let made = Vm::new(options(Some(&classes)), Box::new(Steady::new()), natives);
    let mut vm = made.expect("a VM");
    let Ok(main) = vm.start_up() else {
        panic!("the class library does not come up");
    };
    let mut g = Guest { vm, main };
    let method = g.method("Kept", name, "()I");
    let ended: CallResult = g.vm.call_on(g.main, method, &[]);
    ended.map_err(|stop| match stop {
        CallStop::Fault(fault) => fault.to_string(),
        _ => "something else".to_string(),
    })
}

#[test]
fn what_a_hosts_native_keeps_over_a_collection_is_refused() {
    assert_eq!(kept("once"), Ok(Value::Int(1)));
    let text = kept("over").expect_err("the array has moved");
    assert!(text.contains("no longer an object"), "{text}");
    let text = kept("length").expect_err("an Integer is no String");
    assert!(text.contains("is no Ljava/lang/String;"), "{text}");
}

#[test]
fn what_a_hosts_continuation_keeps_over_a_collection_is_refused() {
    let mut g = guest();
    static KEPT: Mutex<Option<Ref>> = Mutex::new(None);
    let array = g.vm.new_byte_array(5).expect("room");
    *KEPT.lock().expect("no test has panicked") = Some(array);
    g.vm.collect_garbage(true);
    let step: OwnFn = |vm, _, _| {
        let r = KEPT.lock().expect("no test has panicked").expect("kept");
        vm.heap_mut().set_elem::<u8>(r, 0, 1);
        Next::Return(Value::Void)
    };
    let cont = Cont::of_host(&g.vm, step, [0; 3], [Ref::NULL; 3]);
    let Outcome::Fault(fault) = g.vm.run_cont(g.main, cont) else {
        panic!("it is no longer an object");
    };
    let text = fault.to_string();
    assert!(text.contains("no longer an object"), "{text}");
}

/// The fault that ends a call.
fn fault_of(g: &mut Guest, method: MethodId) -> String {
    match g.vm.call_on(g.main, method, &[]) {
        Err(CallStop::Fault(fault)) => fault.to_string(),
        Err(_) => "something else".to_string(),
        Ok(_) => "nothing".to_string(),
    }
}

/// Keeps objects, and asks about one of them when they have moved.
#[derive(Default)]
struct Hoarder(Vec<Ref>, u64);

impl Observer for Hoarder {
    fn events(&self) -> EventSet {
        EventSet::ALLOCATIONS
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        let Event::Allocated { object, .. } = event else {
            return;
        };
        let collections = seen.collections_so_far();
        match self.0.is_empty() || self.1 == collections {
            true => {
                self.0.push(object);
                seen.watch_object(object);
            }
            // what is there now is empty but for the new object
            false => _ = seen.watch_object(self.0[self.0.len() / 2]),
        }
        self.1 = collections;
    }
}

#[test]
fn what_an_observer_keeps_over_a_collection_is_refused() {
    let mut g = guest();
    let all = g.method("Guest", "all", "()I");
    let id = g.vm.observe(Box::new(Hoarder::default()));
    g.run("all");
    let kept = g.vm.observer::<Hoarder>(id).map(|o| o.0.len());
    assert!(kept > Some(100), "{kept:?}");
    g.vm.collect_garbage(false);
    let text = fault_of(&mut g, all);
    assert!(text.contains("no longer an object"), "{text}");
}

/// Stores into an array that it has from before.
struct LateWriter(Ref);

impl Debugger for LateWriter {
    fn stopped(&mut self, _: &mut Vm) {}
    fn step(&mut self, vm: &mut Vm, _: StepAt) -> StepAction {
        vm.heap_mut().set_elem::<u8>(self.0, 0, 1);
        StepAction::Follow
    }
}

#[test]
fn what_a_debugger_keeps_over_a_collection_is_refused_at_a_step() {
    for collects in [false, true] {
        let mut g = Guest::boot(Options {
            debuggable: true,
            ..options(Some(&guest_classes()))
        });
        let all = g.method("Guest", "all", "()I");
        let array = g.vm.new_byte_array(5).expect("room");
        let cell = g.vm.heap_mut().new_cell(array);
        if collects {
            g.vm.collect_garbage(true);
        }
        g.vm.set_debugger(Some(Box::new(LateWriter(array))));
        g.vm.follow_next(g.main);
        let text = fault_of(&mut g, all);
        match collects {
            true => assert!(text.contains("no longer an object"), "{text}"),
            false => {
                assert_eq!(text, "nothing");
                let array = g.vm.heap().cell(cell);
                assert_eq!(g.vm.heap().elem::<u8>(array, 0), 1);
            }
        }
    }
}
