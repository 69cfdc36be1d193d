//! Natives of `java.lang.ProcessHandleImpl`.

use crate::io::{park, state};
use rjvm_vm::host::Errno;
use rjvm_vm::threads::Wait;
use rjvm_vm::{Env, R, Ref, Throw, natives};
use std::collections::BTreeMap;

natives! { "java/lang/ProcessHandleImpl";
    initNative "()V" => init_native;
    waitForProcessExit0 "(JZ)I" => wait_for_process_exit;
    getCurrentPid0 "()J" => current_pid;
    parent0 "(JJ)J" => parent;
    getProcessPids0 "(J[J[J[J)I" => process_pids;
    destroy0 "(JJZ)Z" => destroy;
    isAlive0 "(J)J" => is_alive;
}

fn init_native(_: &mut Env) -> R<()> {
    Ok(())
}

/// Descriptors that report the end of a process, by process and waiting thread.
type WatchedProcesses = BTreeMap<(i64, u32), i32>;
const WATCHED: &str = "java.lang.ProcessHandleImpl";
/// `NOT_A_CHILD`
const NOT_A_CHILD: i32 = -2;

/// Waits for a child to end and returns its exit status.
fn wait_for_process_exit(vm: &mut Env, pid: i64, reap: bool) -> R<i32> {
    let key = (pid, vm.current().0);
    let result = match vm.host().processes().try_wait(pid, reap) {
        Ok(Some(status)) => status,
        Err(Errno(libc::ECHILD)) => NOT_A_CHILD,
        Err(_) => -1,
        Ok(None) => {
            let known = state::<WatchedProcesses>(vm.extensions(), WATCHED)
                .get(&key)
                .copied();
            let fd = match known {
                Some(fd) => fd,
                None => match vm.host().processes().exit_descriptor(pid) {
                    Ok(fd) => fd,
                    // somebody else has been notified of its end
                    Err(Errno(libc::ESRCH)) => return Ok(NOT_A_CHILD),
                    Err(_) => return Err(vm.block_on(Wait::Process(pid), None)),
                },
            };
            state::<WatchedProcesses>(vm.extensions(), WATCHED).insert(key, fd);
            return Err(park(vm, fd, libc::POLLIN, None));
        }
    };
    if let Some(fd) = state::<WatchedProcesses>(vm.extensions(), WATCHED).remove(&key) {
        let _ = vm.host().descriptors().close(fd);
    }
    Ok(result)
}

fn current_pid(vm: &mut Env) -> R<i64> {
    Ok(vm.host().processes().own_id())
}

/// Whether a process that started at `found` is the one that was known to start at `known` (0: unknown).
fn same(known: i64, found: i64) -> bool {
    known == found || known == 0 || found == 0
}

/// -1 if there is none, or another process has the number by now.
fn parent(vm: &mut Env, pid: i64, start: i64) -> R<i64> {
    Ok(match vm.host().processes().info(pid) {
        Ok(i) if same(start, i.start_millis) => i.parent,
        _ => -1,
    })
}

/// Processes (`of` 0), or the children of one; the number found, which may be more than the arrays hold.
fn process_pids(vm: &mut Env, of: i64, pids: Ref, parents: Ref, starts: Ref) -> R<i32> {
    let pids = pids.non_null().ok_or_else(Throw::npe)?;
    let room = vm.heap().len(pids);
    for other in [parents, starts] {
        if !other.is_null() && vm.heap().len(other) != room {
            return Err(Throw::msg(
                "java/lang/IllegalArgumentException",
                "array sizes not equal",
            ));
        }
    }
    let all = vm
        .host()
        .processes()
        .list()
        .map_err(|_| Throw::msg("java/lang/RuntimeException", "Unable to open /proc"))?;
    let mut n = 0;
    for pid in all {
        let Ok(i) = vm.host().processes().info(pid) else {
            continue;
        };
        if of != 0 && i.parent != of {
            continue;
        }
        if n < room {
            for (array, v) in [(pids, pid), (parents, i.parent), (starts, i.start_millis)] {
                if !array.is_null() {
                    vm.heap_mut().set_elem::<i64>(array, n, v);
                }
            }
        }
        n += 1;
    }
    Ok(n as i32)
}

fn destroy(vm: &mut Env, pid: i64, start: i64, force: bool) -> R<bool> {
    let p = vm.host().processes();
    match p.info(pid) {
        Ok(i) if same(start, i.start_millis) => {}
        _ => return Ok(false),
    }
    let signal = if force { libc::SIGKILL } else { libc::SIGTERM };
    Ok(p.kill(pid, signal).is_ok())
}

/// When it started; -1 if it does not exist.
fn is_alive(vm: &mut Env, pid: i64) -> R<i64> {
    Ok(vm
        .host()
        .processes()
        .info(pid)
        .map_or(-1, |i| i.start_millis))
}
