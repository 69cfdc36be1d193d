//! Natives of `rjvm.test.Meter`: the exact counts of what a call executes, allocates and calls.
//!
//! The counters are read where the call begins and where it ends, by the native that makes it, so that nothing of the
//! measuring is in them. Contexts come as a profile in the native format, an array of bytes like any other: who drops it
//! has dropped it all.

use rjvm_hosts::deterministic::Deterministic;
use rjvm_profiler::{About, Filter, MethodInfo, Pattern, Profile, Recorded, Roots, View, rjp};
use rjvm_vm::throw::{Call, Cont, Next, Resume};
use rjvm_vm::vm::ProfileMode;
use rjvm_vm::{Env, MethodId, R, Ref, Throw, Value, natives};
use std::collections::BTreeMap;

natives! { "rjvm/test/Meter";
    supported0 "()Z" => supported;
    contexts0 "()Z" => contexts;
    seed0 "()J" => seed;
    restartHashes0 "(I)V" => restart_hashes;
    measured0 "(Ljava/lang/Object;I[J)Ljava/lang/Object;" => measured;
    profile0 "(J)[B" => profile;
    counts0 "([B[J)V" => counts;
    below0 "([BLjava/lang/String;Ljava/lang/String;)[B" => below;
    steady0 "([B)[B" => steady;
    calls0 "([BLjava/lang/String;)J" => calls;
}

const METER: &str = "rjvm/test/Meter";

/// Calls under way, and calls that have ended and whose counts were not read.
#[derive(Default)]
struct Measurements {
    next: u64,
    before: BTreeMap<u64, Option<Profile>>,
    ended: BTreeMap<u64, Vec<u8>>,
}

fn measurements(vm: &mut Env) -> &mut Measurements {
    let all = vm
        .extensions()
        .entry(METER)
        .or_insert_with(|| Box::new(Measurements::default()));
    all.downcast_mut().expect("the key is this file's")
}

fn supported(_: &mut Env) -> R<bool> {
    Ok(true)
}

/// Are contexts and allocations counted?
fn contexts(vm: &mut Env) -> R<bool> {
    Ok(vm.options().profile != ProfileMode::Off && vm.options().allocations)
}

/// The seed of a deterministic VM; -1 for another VM.
fn seed(vm: &mut Env) -> R<i64> {
    let seed = vm.options().seed as i64;
    let host = vm.host();
    Ok(match host.as_any().is::<Deterministic>() {
        true => seed,
        false => -1,
    })
}

/// Identity hashes continue as if none had been requested; those of each phase are others, so that objects of one have no hash
/// of another one's.
fn restart_hashes(vm: &mut Env, phase: i32) -> R<()> {
    vm.restart_identity_hashes(phase as u32);
    Ok(())
}

/// Bytecodes that the running thread and all threads have executed.
fn executed(vm: &mut Env) -> [i64; 2] {
    let thread = vm.current();
    [vm.executed(thread), vm.bytecodes_now()]
}

/// What can be measured: interface, method, descriptor.
const KINDS: [[&str; 3]; 3] = [
    ["java/lang/Runnable", "run", "()V"],
    [
        "java/util/concurrent/Callable",
        "call",
        "()Ljava/lang/Object;",
    ],
    ["rjvm/test/Body", "run", "()Ljava/lang/Object;"],
];

/// Runs the code. `counts` gets the bytecodes of the thread, of all threads, and the number of the profile, 0 if
/// there is none.
fn measured(vm: &mut Env, code: Ref, kind: i32, counts: Ref) -> R<Ref> {
    let kind = usize::try_from(kind).ok().and_then(|i| KINDS.get(i));
    let run = match kind {
        Some(kind) if !code.is_null() => implementation(vm, code, kind)?,
        _ => None,
    };
    let (Some(run), true) = (run, !counts.is_null() && vm.heap().len(counts) >= 3) else {
        return Err(Throw::bare("java/lang/IllegalArgumentException"));
    };
    let before = snapshot(vm);
    let all = measurements(vm);
    all.next += 1;
    let number = all.next;
    all.before.insert(number, before);
    let call = Call::new(vm, run, &[code.into()]);
    let [thread, every] = executed(vm);
    let cont = Cont::new(
        ended,
        [thread as u64, every as u64, number],
        [counts, Ref::NULL, Ref::NULL],
    );
    Err(call.then(cont, Resume::Value))
}

/// What the class of `code` has for the method of an interface, if it implements that.
pub(super) fn implementation(
    vm: &mut Env,
    code: Ref,
    [interface, name, desc]: &[&str; 3],
) -> R<Option<MethodId>> {
    let class = vm.class_of(code);
    let symbols = vm.symbols();
    let (Some(name), Some(desc)) = (symbols.find(name), symbols.find(desc)) else {
        return Ok(None);
    };
    let found = vm.class(class).all_interfaces.iter();
    let found = found
        .filter(|&&i| *vm.class(i).name == **interface)
        .find_map(|&i| vm.find_method(i, name, desc));
    found.map(|m| vm.select_method(class, m)).transpose()
}

fn ended(vm: &mut Env, cont: &mut Cont, result: Result<Value, Ref>) -> Next {
    let [thread, every] = executed(vm);
    let [began, all_began, number] = cont.data;
    let before = measurements(vm).before.remove(&number).flatten();
    let profile = before.and_then(|before| {
        let part = snapshot(vm)?.since(&before).and_then(|p| p.without_roots());
        // a profile that is too large to be made is none
        Some(bytes_of(&part.ok()?))
    });
    let found = i64::from(profile.is_some()) * number as i64;
    if let Some(bytes) = profile {
        measurements(vm).ended.insert(number, bytes);
    }
    let counted = [thread - began as i64, every - all_began as i64, found];
    for (i, count) in counted.into_iter().enumerate() {
        vm.heap_mut().set_elem::<i64>(cont.refs[0], i, count);
    }
    match result {
        Ok(Value::Void) => Next::Return(Ref::NULL.into()),
        Ok(value) => Next::Return(value),
        Err(thrown) => Next::Throw(Throw::object(thrown)),
    }
}

/// The counts in the context of the running native and below it, if contexts are recorded.
fn snapshot(vm: &mut Env) -> Option<Profile> {
    vm.flush_open_frames();
    let vm = &*vm;
    let context = vm.current_context()?;
    let call_sites = vm.options().profile != ProfileMode::Exact;
    let recorded = Recorded {
        call_sites,
        allocations: vm.options().allocations,
        counts: false,
        upcalls: vm.options().upcalls_to_root,
        about: About::new(),
        threads: vec![Roots {
            id: u64::from(vm.current().0),
            name: String::new(),
            walks: vec![context.walk()],
        }],
        methods: None,
        links: vm.links_of_contexts(),
        view: View::default(),
        filter: Filter::default(),
    };
    let shown = recorded.shown(
        |id| vm.method_info(MethodId(id)),
        |visit, extra| (extra.objects, extra.bytes) = vm.allocations(visit),
    );
    shown.profile().ok()
}

fn bytes_of(profile: &Profile) -> Vec<u8> {
    let mut bytes = Vec::new();
    rjp::write(profile, &mut bytes).expect("memory takes the profile");
    bytes
}

/// A new array with these bytes. Without room for it, the native runs again after a collection.
fn array(vm: &mut Env, bytes: &[u8]) -> R<Ref> {
    let array = vm.new_byte_array(bytes.len())?;
    vm.heap_mut().bytes_mut(array).copy_from_slice(bytes);
    Ok(array)
}

/// The profile of a call that has ended: it is given once.
fn profile(vm: &mut Env, number: i64) -> R<Ref> {
    let Some(bytes) = measurements(vm).ended.remove(&(number as u64)) else {
        return Ok(Ref::NULL);
    };
    let made = array(vm, &bytes);
    if made.is_err() {
        measurements(vm).ended.insert(number as u64, bytes);
    }
    made
}

/// The profile in an array.
fn read(vm: &Env, array: Ref) -> R<Profile> {
    if array.is_null() {
        return Err(Throw::npe());
    }
    let mut bytes: &[u8] = vm.heap().bytes(array);
    let profile = Profile::read(&mut bytes);
    profile.map_err(|e| Throw::msg("java/lang/IllegalArgumentException", e.to_string()))
}

/// Bytecodes, calls, objects, bytes, contexts.
fn counts(vm: &mut Env, array: Ref, counts: Ref) -> R<()> {
    let totals = read(vm, array)?.totals();
    let all = [
        totals.bytecodes,
        totals.invocations,
        totals.allocated.objects,
        totals.allocated.bytes,
        totals.nodes,
    ];
    if counts.is_null() || vm.heap().len(counts) < all.len() {
        return Err(Throw::bare("java/lang/IllegalArgumentException"));
    }
    for (i, count) in all.into_iter().enumerate() {
        vm.heap_mut().set_elem::<i64>(counts, i, count as i64);
    }
    Ok(())
}

/// The part of a profile that a method of a class has caused; its name, with its descriptor if that is given.
fn below(vm: &mut Env, whole: Ref, class: Ref, name: Ref) -> R<Ref> {
    if class.is_null() || name.is_null() {
        return Err(Throw::npe());
    }
    let profile = read(vm, whole)?;
    let (class, name) = (vm.string(class), vm.string(name));
    let is = |m: &MethodInfo| {
        m.class == class
            && name
                .strip_prefix(&*m.name)
                .is_some_and(|rest| rest == m.descriptor)
    };
    let part = profile
        .below(is)
        .map_err(|e| Throw::msg("java/lang/IllegalArgumentException", e.to_string()))?;
    array(vm, &bytes_of(&part))
}

/// What the VM calls once, when something is used for the first time: loading and initializing classes, linking.
fn is_of_first_use(m: &MethodInfo) -> bool {
    let load = ("loadClass", "(Ljava/lang/String;)Ljava/lang/Class;");
    m.name == "<clinit>"
        || (&*m.name, &*m.descriptor) == load
        || m.class == "java.lang.ClassLoader" && m.name == "checkPackageAccess"
        || m.class == "java.lang.invoke.MethodHandleNatives"
            && (m.name.starts_with("link") || m.name == "findMethodHandleType")
}

/// A profile without that.
fn steady(vm: &mut Env, whole: Ref) -> R<Ref> {
    let part = read(vm, whole)?.without(is_of_first_use);
    let part = part.map_err(|e| Throw::msg("java/lang/IllegalArgumentException", e.to_string()))?;
    array(vm, &bytes_of(&part))
}

/// Calls of the methods that a pattern names.
fn calls(vm: &mut Env, array: Ref, pattern: Ref) -> R<i64> {
    if pattern.is_null() {
        return Err(Throw::npe());
    }
    let profile = read(vm, array)?;
    let pattern: Pattern = vm
        .string(pattern)
        .parse()
        .map_err(|e| Throw::msg("java/lang/IllegalArgumentException", format!("{e}")))?;
    let mut sum = 0u64;
    for node in profile.threads.iter().flat_map(|t| t.tree.nodes()) {
        if pattern.matches(&profile.methods[node.method as usize]) {
            sum = sum.saturating_add(node.invocations);
        }
    }
    Ok(i64::try_from(sum).unwrap_or(i64::MAX))
}
