//! Natives of `sun.management.ThreadImpl`.

use crate::java_lang::thread;
use crate::support::{non_null, ref_array};
use rjvm_vm::threads::Spell;
use rjvm_vm::threads::status::status_of;
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

/// Fills `result` with what is known about the threads `ids`, each stack up to `depth` frames.
fn fill(ids: Ref, depth: i32, result: Ref) -> Box<Throw> {
    Box::new(Throw::Upcall(Upcall {
        call: None,
        cont: Some(Cont::new(
            filled,
            [0, depth as u32 as u64, 0],
            [ids, result, Ref::NULL],
        )),
        resume: Resume::Value,
    }))
}

/// Constructors run one after the other; `data[0]` threads are done.
fn filled(vm: &mut Env, c: &mut Cont, input: Result<Value, Ref>) -> Next {
    if let Err(e) = input {
        return Next::Throw(Throw::object(e));
    }
    let [ids, result, info] = c.refs;
    if !info.is_null() {
        vm.heap_mut()
            .set_elem_ref(result, c.data[0] as usize - 1, info);
        c.refs[2] = Ref::NULL;
    }
    while (c.data[0] as usize) < vm.heap().len(ids) {
        let id = vm.heap().elem::<i64>(ids, c.data[0] as usize);
        if let Some(t) = by_id(vm, id) {
            return match describe(vm, t, c.data[1] as u32 as i32) {
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
    let live: Vec<ThreadId> = vm.live_threads().collect();
    live.into_iter().find(|t| {
        let object = vm.a_thread(*t).object;
        !object.is_null() && vm.get(object, jdk::thread::TID) == id
    })
}

/// An unfinished `ThreadInfo` and the call of its constructor.
fn describe(vm: &mut Env, t: ThreadId, depth: i32) -> R<(Ref, Call)> {
    let class = info_class(vm)?;
    let info = vm.alloc_object(class)?;
    let max = usize::try_from(depth).unwrap_or(usize::MAX);
    let trace = match max {
        0 => ref_array(vm, vm.known().stack_trace_element, &[])?,
        _ => thread::stack_trace(vm, t, max)?,
    };
    let (lock, owner) = vm.waits_for(t);
    let owner = owner.map_or(Ref::NULL, |o| vm.a_thread(o).object);
    let thread = &vm.a_thread(t);
    let state = status_of(&thread.state);
    let measured = vm.measures_contention();
    let contention = vm.contention_of(t);
    let millis = |spell: Spell| {
        Value::Long(if measured {
            spell.nanos / 1_000_000
        } else {
            -1
        })
    };
    let (blocked, waited) = (contention.blocked, contention.waited);
    let args = [
        info.into(),
        thread.object.into(),
        Value::Int(state),
        lock.into(),
        owner.into(),
        Value::Long(blocked.count),
        millis(blocked),
        Value::Long(waited.count),
        millis(waited),
        trace.into(),
    ];
    let desc = "(Ljava/lang/Thread;ILjava/lang/Object;Ljava/lang/Thread;JJJJ[Ljava/lang/StackTraceElement;)V";
    let method = vm.method_named(class, "<init>", desc);
    Ok((info, Call::new(vm, method, &args)))
}

fn get_thread_info(vm: &mut Env, ids: Ref, depth: i32, result: Ref) -> R<()> {
    info_class(vm)?;
    Err(fill(ids, depth, result))
}

/// The flags ask for owned monitors and synchronizers, which are not supported.
fn dump_threads(vm: &mut Env, ids: Ref, _monitors: bool, _syncs: bool, depth: i32) -> R<Ref> {
    let class = info_class(vm)?;
    let ids = match ids.non_null() {
        Some(ids) => ids,
        None => {
            let live: Vec<ThreadId> = vm.live_threads().collect();
            let long = vm.primitive(b'J');
            let objects: Vec<Ref> = live
                .into_iter()
                .filter_map(|t| vm.a_thread(t).object.non_null())
                .collect();
            let ids = vm.new_array_of(long, objects.len())?;
            for (i, o) in objects.into_iter().enumerate() {
                let id = vm.get(o, jdk::thread::TID);
                vm.heap_mut().set_elem::<i64>(ids, i, id);
            }
            ids
        }
    };
    let n = vm.heap().len(ids);
    let result = vm.new_array_of(class, n)?;
    Err(fill(ids, depth, result))
}

/// The threads in deadlock; null if there are none.
fn deadlocked(vm: &mut Env, monitors_only: bool) -> R<Ref> {
    let threads = vm.deadlocked_threads(monitors_only);
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
        0 => vm.live_threads().collect(),
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
