//! Natives of `sun.management.ThreadImpl`.

use crate::java_lang::thread;
use crate::support::{non_null, ref_array};
use rjvm_vm::threads::{ThreadState, Wait, WaitCounts};
use rjvm_vm::throw::{Call, Cont, Next, Resume, Upcall};
use rjvm_vm::{ClassId, Env, LoaderId, R, Ref, ThreadId, Throw, Value, jdk, natives};

natives! { "sun/management/ThreadImpl";
    getThreads "()[Ljava/lang/Thread;" => thread::get_threads;
    getThreadInfo1 "([JI[Ljava/lang/management/ThreadInfo;)V" => get_thread_info;
    findMonitorDeadlockedThreads0 "()[Ljava/lang/Thread;" => find_monitor_deadlocked_threads;
    findDeadlockedThreads0 "()[Ljava/lang/Thread;" => find_deadlocked_threads;
    resetPeakThreadCount0 "()V" => reset_peak_thread_count;
    getThreadTotalCpuTime0 "(J)J" => total_cpu_time;
    getThreadTotalCpuTime1 "([J[J)V" => total_cpu_times;
    getThreadUserCpuTime0 "(J)J" => user_cpu_time;
    getThreadUserCpuTime1 "([J[J)V" => user_cpu_times;
    getThreadAllocatedMemory0 "(J)J" => allocated_memory;
    getThreadAllocatedMemory1 "([J[J)V" => allocated_memories;
    getTotalThreadAllocatedMemory "()J" => total_allocated_memory;
    setThreadCpuTimeEnabled0 "(Z)V" => set_cpu_time_enabled;
    setThreadAllocatedMemoryEnabled0 "(Z)V" => set_allocated_memory_enabled;
    setThreadContentionMonitoringEnabled0 "(Z)V" => set_contention_enabled;
    resetContentionTimes0 "(J)V" => reset_contention_times;
    dumpThreads0 "([JZZI)[Ljava/lang/management/ThreadInfo;" => dump_threads;
}

const INFO: &str = "java/lang/management/ThreadInfo";

fn info_class(vm: &mut Env) -> R<ClassId> {
    let c = vm.load_class(LoaderId::BOOT, INFO)?;
    vm.ensure_initialized(c)?;
    Ok(c)
}

/// The requested facts about each thread.
#[derive(Clone, Copy)]
struct ThreadQuery {
    /// Frames of the stack, at most.
    depth: usize,
    monitors: bool,
    synchronizers: bool,
}

/// Facts about a thread at a moment, in an `Object[]`: its parts in this order, the last one a `long[]` of
/// [`Number`]s.
#[repr(usize)]
#[derive(Clone, Copy)]
enum Part {
    Thread,
    Lock,
    Owner,
    Trace,
    Monitors,
    Depths,
    Synchronizers,
    Numbers,
}

#[repr(usize)]
enum Number {
    State,
    BlockedCount,
    BlockedTime,
    WaitedCount,
    WaitedTime,
}

const PARTS: usize = Part::Numbers as usize + 1;
const NUMBERS: usize = Number::WaitedTime as usize + 1;
/// Bits of a state beside the thread's status.
const SUSPENDED: i32 = 0x0010_0000;
const IN_NATIVE: i32 = 0x0040_0000;

/// Fills `result` with facts about the threads `ids`. All of them are looked at in one moment; then constructors run.
fn fill(vm: &mut Env, ids: &[i64], requested: ThreadQuery, result: Ref) -> R<()> {
    if ids.iter().any(|&id| id <= 0) {
        let message = "Invalid thread ID entry";
        return Err(Throw::msg("java/lang/IllegalArgumentException", message));
    }
    let class = vm.known().object;
    let several = vm.array_of(class);
    let known = vm.new_array_of(several, ids.len())?;
    let owned = match requested.synchronizers {
        true => vm.owned_synchronizers(),
        false => Vec::new(),
    };
    for (i, &id) in ids.iter().enumerate() {
        if let Some(t) = by_id(vm, id) {
            let parts = look_at(vm, t, requested, &owned)?;
            vm.heap_mut().set_elem_ref(known, i, parts);
        }
    }
    Err(Box::new(Throw::Upcall(Upcall {
        call: None,
        cont: Some(Cont::new(filled, [0; 3], [known, result, Ref::NULL])),
        resume: Resume::Value,
    })))
}

/// Constructors run one after the other; `data[0]` threads are done.
fn filled(vm: &mut Env, c: &mut Cont, input: Result<Value, Ref>) -> Next {
    if let Err(e) = input {
        return Next::Throw(Throw::object(e));
    }
    let [known, result, info] = c.refs;
    if !info.is_null() {
        vm.heap_mut()
            .set_elem_ref(result, c.data[0] as usize - 1, info);
        c.refs[2] = Ref::NULL;
    }
    while (c.data[0] as usize) < vm.heap().len(known) {
        let parts = vm.heap().elem_ref(known, c.data[0] as usize);
        if let Some(parts) = parts.non_null() {
            return match describe(vm, parts) {
                Ok((info, call)) => {
                    c.refs[2] = info;
                    c.data[0] += 1;
                    Next::Call(call)
                }
                Err(t) => Next::Throw(t),
            };
        }
        c.data[0] += 1;
    }
    Next::Return(result.into())
}

fn by_id(vm: &mut Env, id: i64) -> Option<ThreadId> {
    let live: Vec<ThreadId> = vm.platform_threads();
    live.into_iter().find(|t| {
        let object = vm.a_thread(*t).object;
        !object.is_null() && vm.get(object, jdk::thread::TID) == id
    })
}

/// The present facts about a thread, in their parts.
fn look_at(vm: &mut Env, t: ThreadId, requested: ThreadQuery, owned: &[(ThreadId, Ref)]) -> R<Ref> {
    let object = vm.known().object;
    let parts = vm.new_array_of(object, PARTS)?;
    let set = |vm: &mut Env, part: Part, r: Ref| {
        vm.heap_mut().set_elem_ref(parts, part as usize, r);
    };
    let blocker = vm.blocker_of(t);
    let of_thread = vm.a_thread(t).object;
    set(vm, Part::Thread, of_thread);
    set(vm, Part::Lock, blocker.object);
    set(vm, Part::Owner, blocker.owner);
    let trace = match requested.depth {
        0 => ref_array(vm, vm.known().stack_trace_element, &[])?,
        _ => thread::stack_trace(vm, t, requested.depth)?,
    };
    set(vm, Part::Trace, trace);
    if requested.monitors {
        let mut locked = vm.locked_monitors(t);
        locked.retain(|l| l.0 < requested.depth);
        let objects: Vec<Ref> = locked.iter().map(|l| l.1).collect();
        let monitors = ref_array(vm, object, &objects)?;
        set(vm, Part::Monitors, monitors);
        let int = vm.primitive(b'I');
        let depths = vm.new_array_of(int, locked.len())?;
        for (i, l) in locked.iter().enumerate() {
            vm.heap_mut().set_elem::<i32>(depths, i, l.0 as i32);
        }
        set(vm, Part::Depths, depths);
    }
    if requested.synchronizers {
        let own = owned.iter().filter(|o| o.0 == t);
        let own: Vec<Ref> = own.map(|o| o.1).collect();
        let synchronizers = ref_array(vm, object, &own)?;
        set(vm, Part::Synchronizers, synchronizers);
    }
    let numbers = numbers(vm, t, blocker.status)?;
    set(vm, Part::Numbers, numbers);
    Ok(parts)
}

/// State, and what the thread has lost to others.
fn numbers(vm: &mut Env, t: ThreadId, status: i32) -> R<Ref> {
    let measured = vm.measures_contention();
    let contention = vm.contention_of(t);
    let millis = |spell: WaitCounts| match measured {
        true => spell.nanos / 1_000_000,
        false => -1,
    };
    let thread = vm.a_thread(t);
    let outside = matches!(
        thread.state,
        ThreadState::Waiting {
            on: Wait::Fd(..) | Wait::Process(_),
            ..
        }
    );
    let bit = |set: bool, bit: i32| if set { bit } else { 0 };
    let state = status | bit(thread.suspended, SUSPENDED) | bit(outside, IN_NATIVE);
    let long = vm.primitive(b'J');
    let array = vm.new_array_of(long, NUMBERS)?;
    let (blocked, waited) = (contention.blocked, contention.waited);
    for (number, value) in [
        (Number::State, state.into()),
        (Number::BlockedCount, blocked.count),
        (Number::BlockedTime, millis(blocked)),
        (Number::WaitedCount, waited.count),
        (Number::WaitedTime, millis(waited)),
    ] {
        vm.heap_mut().set_elem::<i64>(array, number as usize, value);
    }
    Ok(array)
}

/// An unfinished `ThreadInfo` and the call of its constructor.
fn describe(vm: &mut Env, parts: Ref) -> R<(Ref, Call)> {
    let class = info_class(vm)?;
    let info = vm.alloc_object(class)?;
    let part = |part: Part| Value::Ref(vm.heap().elem_ref(parts, part as usize));
    let numbers = part(Part::Numbers).reference();
    let number = |number: Number| vm.heap().elem::<i64>(numbers, number as usize);
    let args = [
        info.into(),
        part(Part::Thread),
        Value::Int(number(Number::State) as i32),
        part(Part::Lock),
        part(Part::Owner),
        Value::Long(number(Number::BlockedCount)),
        Value::Long(number(Number::BlockedTime)),
        Value::Long(number(Number::WaitedCount)),
        Value::Long(number(Number::WaitedTime)),
        part(Part::Trace),
        part(Part::Monitors),
        part(Part::Depths),
        part(Part::Synchronizers),
    ];
    let method = vm.jdk_method(class, jdk::calls::thread_info::INIT);
    Ok((info, Call::new(vm, method, &args)))
}

/// The numbers in a `long[]`.
fn longs(vm: &mut Env, array: Ref) -> Vec<i64> {
    let n = vm.heap().len(array);
    (0..n).map(|i| vm.heap().elem::<i64>(array, i)).collect()
}

/// Any stack is below a depth that is negative.
fn get_thread_info(vm: &mut Env, ids: Ref, depth: i32, result: Ref) -> R<()> {
    info_class(vm)?;
    let requested = ThreadQuery {
        depth: usize::try_from(depth).unwrap_or(usize::MAX),
        monitors: false,
        synchronizers: false,
    };
    let (ids, result) = (non_null(ids)?, non_null(result)?);
    let ids = longs(vm, ids);
    fill(vm, &ids, requested, result)
}

/// Of all threads, without identifiers.
fn dump_threads(vm: &mut Env, ids: Ref, monitors: bool, synchronizers: bool, depth: i32) -> R<Ref> {
    let class = info_class(vm)?;
    let ids = match ids.non_null() {
        Some(ids) => longs(vm, ids),
        None => {
            let live: Vec<ThreadId> = vm.platform_threads();
            let objects = live
                .into_iter()
                .filter_map(|t| vm.a_thread(t).object.non_null());
            let objects: Vec<Ref> = objects.collect();
            let id = |o| vm.get(o, jdk::thread::TID);
            objects.into_iter().map(id).collect()
        }
    };
    let result = vm.new_array_of(class, ids.len())?;
    let requested = ThreadQuery {
        depth: usize::try_from(depth).unwrap_or(usize::MAX),
        monitors,
        synchronizers,
    };
    fill(vm, &ids, requested, result)?;
    Ok(result)
}

/// The threads in deadlock; null if there are none.
fn deadlocked(vm: &mut Env, monitors_only: bool) -> R<Ref> {
    let threads = vm.reported_deadlocks(monitors_only);
    if threads.is_empty() {
        return Ok(Ref::NULL);
    }
    let objects: Vec<Ref> = threads.into_iter().map(|t| vm.a_thread(t).object).collect();
    ref_array(vm, vm.known().thread, &objects)
}

fn find_monitor_deadlocked_threads(vm: &mut Env) -> R<Ref> {
    deadlocked(vm, true)
}

fn find_deadlocked_threads(vm: &mut Env) -> R<Ref> {
    deadlocked(vm, false)
}

fn reset_peak_thread_count(vm: &mut Env) -> R<()> {
    vm.reset_peak_of_threads();
    Ok(())
}

fn set_contention_enabled(vm: &mut Env, on: bool) -> R<()> {
    vm.measure_contention(on);
    Ok(())
}

/// Those of all threads, if the identifier is 0.
fn reset_contention_times(vm: &mut Env, id: i64) -> R<()> {
    let threads: Vec<ThreadId> = match id {
        0 => vm.platform_threads(),
        _ => by_id(vm, id).into_iter().collect(),
    };
    for t in threads {
        vm.reset_contention_times(t);
    }
    Ok(())
}

/// What can be switched off; the class library then answers itself.
pub struct Enabled {
    pub cpu_time: bool,
    pub allocated_memory: bool,
}

impl Enabled {
    pub fn of(vm: &mut Env) -> &mut Enabled {
        let both = || Enabled {
            cpu_time: true,
            allocated_memory: true,
        };
        let it = vm.extensions().entry("measured threads");
        let it = it.or_insert_with(|| Box::new(both()));
        it.downcast_mut().expect("nobody else's")
    }
}

fn set_cpu_time_enabled(vm: &mut Env, on: bool) -> R<()> {
    Enabled::of(vm).cpu_time = on;
    Ok(())
}

fn set_allocated_memory_enabled(vm: &mut Env, on: bool) -> R<()> {
    Enabled::of(vm).allocated_memory = on;
    Ok(())
}

/// Figures of a thread by its identifier: the running one's for 0, -1 for one that is not alive.
type Figure = fn(&mut Env, ThreadId) -> i64;

fn one(vm: &mut Env, id: i64, figure: Figure) -> i64 {
    let t = match id {
        0 => Some(vm.current()),
        _ => by_id(vm, id),
    };
    t.map_or(-1, |t| figure(vm, t))
}

/// Those of the threads `ids`, into `result`. Of threads that are not alive nothing is written.
fn several(vm: &mut Env, ids: Ref, result: Ref, figure: Figure) -> R<()> {
    let (ids, result) = (non_null(ids)?, non_null(result)?);
    if vm.heap().len(ids) != vm.heap().len(result) {
        return Err(Throw::msg(
            "java/lang/IllegalArgumentException",
            "The length of the given long array does not match the length of the given array of thread IDs",
        ));
    }
    for i in 0..vm.heap().len(ids) {
        let id = vm.heap().elem::<i64>(ids, i);
        if let Some(t) = by_id(vm, id) {
            let n = figure(vm, t);
            vm.heap_mut().set_elem::<i64>(result, i, n);
        }
    }
    Ok(())
}

const TOTAL: Figure = |vm, t| vm.cpu_time_of(t).total;
const USER: Figure = |vm, t| vm.cpu_time_of(t).user;
const ALLOCATED: Figure = |vm, t| vm.bytes_allocated_by(t) as i64;

fn total_cpu_time(vm: &mut Env, id: i64) -> R<i64> {
    Ok(one(vm, id, TOTAL))
}

fn total_cpu_times(vm: &mut Env, ids: Ref, result: Ref) -> R<()> {
    several(vm, ids, result, TOTAL)
}

fn user_cpu_time(vm: &mut Env, id: i64) -> R<i64> {
    Ok(one(vm, id, USER))
}

fn user_cpu_times(vm: &mut Env, ids: Ref, result: Ref) -> R<()> {
    several(vm, ids, result, USER)
}

fn allocated_memory(vm: &mut Env, id: i64) -> R<i64> {
    Ok(one(vm, id, ALLOCATED))
}

fn allocated_memories(vm: &mut Env, ids: Ref, result: Ref) -> R<()> {
    several(vm, ids, result, ALLOCATED)
}

/// Threads that have ended count too.
fn total_allocated_memory(vm: &mut Env) -> R<i64> {
    Ok(vm.bytes_allocated() as i64)
}
