//! Tests of scheduling and monitors on a VM with its own clock; no Java code runs: the tests
//! call, on behalf of each thread, what its natives and instructions would.

use super::sched::HostAction;
use super::{ThreadState, Wait};
use crate::classpath::Search;
use crate::heap::{MARK, mark};
use crate::host::Host;
use crate::natives::Natives;
use crate::throw::{R, Throw};
use crate::vm::Options;
use crate::{Ref, ThreadId, Vm};

/// A clock that advances only by waiting, and one descriptor that becomes readable at a time.
#[derive(Default)]
pub(super) struct Clockwork {
    now: i64,
    pub(super) fd_ready: Option<(i32, i64)>,
}

impl Host for Clockwork {
    fn nano_time(&mut self) -> i64 {
        self.now
    }
    fn wall_clock(&mut self) -> (i64, u32) {
        (1, 0)
    }
    fn entropy(&mut self, buf: &mut [u8]) {
        buf.fill(0);
    }
    fn wait(&mut self, fds: &[(i32, u8)], deadline: Option<i64>) -> Vec<usize> {
        let watched = |fd| fds.iter().position(|f| f.0 == fd);
        if let Some((fd, at)) = self.fd_ready
            && let Some(i) = watched(fd)
            && deadline.is_none_or(|d| at <= d)
        {
            self.now = self.now.max(at);
            return vec![i];
        }
        self.now = self.now.max(deadline.expect("waits for ever"));
        Vec::new()
    }
    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
}

fn vm_with(threads: usize) -> (Box<Vm>, Vec<ThreadId>) {
    let jdk = Search::usual(None, |name| std::env::var_os(name));
    let options = Options {
        max_heap: 16 << 20,
        stack_bytes: 64 << 10,
        quantum: 1000,
        verify_app: false,
        ..Options::new(jdk.find().unwrap().home())
    };
    let mut vm = Vm::new(options, Box::<Clockwork>::default(), Natives::default()).unwrap();
    let list: Vec<ThreadId> = (0..threads)
        .map(|_| vm.attach_thread(Ref::NULL, 64 << 10).unwrap())
        .collect();
    for &t in &list {
        vm.enqueue(t);
    }
    (vm, list)
}

fn object(vm: &mut Vm) -> Ref {
    vm.alloc_object(vm.loaded.known.object).unwrap()
}

fn blocks(r: R<()>) -> bool {
    matches!(r, Err(t) if matches!(*t, Throw::Block))
}

fn throws(r: R<()>, expected: &str) -> bool {
    matches!(r, Err(t) if matches!(*t, Throw::New { class, .. } if class == expected))
}

fn next(vm: &mut Vm) -> ThreadId {
    match vm.next_thread() {
        HostAction::Run(t) => t,
        other => panic!("{other:?}"),
    }
}

fn mark_of(vm: &Vm, r: Ref) -> u32 {
    vm.heap.get(r, MARK)
}

#[test]
fn runnable_threads_take_turns_in_order() {
    let (mut vm, t) = vm_with(3);
    for round in 0..3 {
        for &expected in &t {
            assert_eq!(next(&mut vm), expected, "round {round}");
            vm.preempt();
        }
    }
}

#[test]
fn sleepers_wake_by_deadline_then_in_order() {
    let (mut vm, t) = vm_with(3);
    for millis in [20, 10, 10] {
        next(&mut vm);
        assert!(blocks(vm.env().thread_sleep(millis)));
    }
    for (expected, millis) in [(t[1], 10), (t[2], 10), (t[0], 20)] {
        assert_eq!(next(&mut vm), expected);
        assert!(vm.env().thread_sleep(0).is_ok(), "the native runs again");
        assert_eq!(vm.clock_ns(), millis * 1_000_000);
        assert!(blocks(vm.env().thread_sleep(1000)), "and sleeps anew");
    }
}

#[test]
fn a_thread_that_was_woken_early_sleeps_on() {
    let (mut vm, t) = vm_with(1);
    next(&mut vm);
    assert!(blocks(vm.env().thread_sleep(10)));
    vm.wake(t[0], super::Wake::Ready);
    next(&mut vm);
    assert!(blocks(vm.env().thread_sleep(10)));
    next(&mut vm);
    assert!(vm.env().thread_sleep(10).is_ok());
    assert_eq!(vm.clock_ns(), 10_000_000);
}

#[test]
fn a_contended_monitor_goes_to_the_waiters_in_order_and_deflates() {
    let (mut vm, t) = vm_with(3);
    let o = object(&mut vm);
    next(&mut vm);
    for _ in 0..100 {
        vm.monitor_enter(o).unwrap();
    }
    let hash = vm.identity_hash(o);
    assert_eq!(mark::state(mark_of(&vm, o)), mark::FAT);
    vm.preempt();
    for _ in 0..2 {
        next(&mut vm);
        assert!(blocks(vm.monitor_enter(o)));
        assert!(throws(
            vm.monitor_exit(o),
            "java/lang/IllegalMonitorStateException"
        ));
    }
    assert_eq!(next(&mut vm), t[0]);
    for _ in 0..100 {
        vm.monitor_exit(o).unwrap();
    }
    assert!(throws(
        vm.monitor_exit(o),
        "java/lang/IllegalMonitorStateException"
    ));
    assert!(blocks(vm.env().thread_sleep(1)));
    for expected in [t[1], t[2]] {
        assert_eq!(next(&mut vm), expected);
        vm.monitor_enter(o).unwrap();
        assert!(vm.holds_lock(o));
        vm.monitor_exit(o).unwrap();
        assert!(blocks(vm.env().thread_sleep(1)));
    }
    assert_eq!(mark_of(&vm, o), mark::neutral(hash as u32));
    assert_eq!(vm.monitors.used().count(), 0);
    assert_eq!(vm.identity_hash(o), hash);
}

#[test]
fn wait_gives_the_monitor_up_and_takes_it_back_with_its_recursions() {
    let (mut vm, t) = vm_with(3);
    let o = object(&mut vm);
    for _ in 0..2 {
        next(&mut vm);
        assert!(throws(
            vm.env().object_wait(o, 0),
            "java/lang/IllegalMonitorStateException"
        ));
        for _ in 0..3 {
            vm.monitor_enter(o).unwrap();
        }
        assert!(throws(
            vm.env().object_wait(o, -1),
            "java/lang/IllegalArgumentException"
        ));
        assert!(blocks(vm.env().object_wait(o, 0)));
    }
    next(&mut vm);
    assert!(throws(
        vm.env().object_notify(o),
        "java/lang/IllegalMonitorStateException"
    ));
    vm.monitor_enter(o).unwrap();
    vm.object_notify_all(o).unwrap();
    assert!(
        !vm.others_runnable(),
        "the notifier still holds the monitor"
    );
    vm.monitor_exit(o).unwrap();
    assert!(blocks(vm.env().thread_sleep(1)));
    for expected in [t[0], t[1]] {
        assert_eq!(next(&mut vm), expected);
        vm.env().object_wait(o, 0).unwrap();
        for _ in 0..3 {
            assert!(vm.holds_lock(o));
            vm.monitor_exit(o).unwrap();
        }
        assert!(!vm.holds_lock(o));
        assert!(blocks(vm.env().thread_sleep(1)));
    }
}

#[test]
fn a_timed_wait_ends_without_a_notifier() {
    let (mut vm, t) = vm_with(1);
    let o = object(&mut vm);
    next(&mut vm);
    vm.monitor_enter(o).unwrap();
    assert!(blocks(vm.env().object_wait(o, 5)));
    assert_eq!(next(&mut vm), t[0]);
    vm.env().object_wait(o, 5).unwrap();
    assert_eq!(vm.clock_ns(), 5_000_000);
    assert!(vm.holds_lock(o));
    vm.monitor_exit(o).unwrap();
    assert_eq!(vm.monitors.used().count(), 0);
}

#[test]
fn park_takes_a_permit_or_waits_for_it() {
    let (mut vm, t) = vm_with(2);
    next(&mut vm);
    vm.env().unpark(t[0]);
    vm.env().unpark(t[0]);
    vm.env().thread_park(false, 0).unwrap();
    assert!(
        blocks(vm.env().thread_park(false, 0)),
        "permits don't add up"
    );
    next(&mut vm);
    vm.env().unpark(t[0]);
    assert!(blocks(vm.env().thread_park(false, 7)));
    assert_eq!(next(&mut vm), t[0]);
    vm.env().thread_park(false, 0).unwrap();
    assert!(
        blocks(vm.env().thread_park(true, 2000)),
        "the wall clock shows 1 s"
    );
    assert_eq!(next(&mut vm), t[1]);
    vm.env().thread_park(false, 7).unwrap();
    assert_eq!(vm.clock_ns(), 7);
    assert!(blocks(vm.env().thread_sleep(5000)));
    assert_eq!(next(&mut vm), t[0]);
    vm.env().thread_park(true, 2000).unwrap();
    assert_eq!(vm.clock_ns(), 1_000_000_007 - 7);
}

#[test]
fn descriptors_are_watched_while_others_run_and_when_none_does() {
    let (mut vm, t) = vm_with(2);
    vm.host
        .as_any()
        .downcast_mut::<Clockwork>()
        .unwrap()
        .fd_ready = Some((5, i64::MIN));
    next(&mut vm);
    let _ = vm.block_on(Wait::Fd(5, 1), None);
    let mut slices = 0;
    while next(&mut vm) != t[0] {
        vm.preempt();
        slices += 1;
        assert!(slices < 100, "never polled");
    }
    assert_eq!(vm.env().take_wake(), Some(super::Wake::Ready));
    let _ = vm.block_on(Wait::Sleep, Some(10));
    assert_eq!(next(&mut vm), t[1]);
    vm.host
        .as_any()
        .downcast_mut::<Clockwork>()
        .unwrap()
        .fd_ready = Some((6, 4));
    let _ = vm.block_on(Wait::Fd(6, 1), None);
    assert_eq!(next(&mut vm), t[1]);
    assert_eq!(vm.clock_ns(), 4);
}

#[test]
fn a_cycle_of_monitors_is_reported() {
    let (mut vm, t) = vm_with(2);
    let (a, b) = (object(&mut vm), object(&mut vm));
    for o in [a, b] {
        next(&mut vm);
        vm.monitor_enter(o).unwrap();
        vm.preempt();
    }
    for o in [b, a] {
        next(&mut vm);
        assert!(blocks(vm.monitor_enter(o)));
    }
    let HostAction::Deadlock(report) = vm.next_thread() else {
        panic!("no deadlock");
    };
    assert!(report.contains("Found one Java-level deadlock"), "{report}");
    assert!(report.contains("Found 1 deadlock."), "{report}");
    for t in t {
        let held = format!("which is held by \"thread {}\"", t.0);
        assert!(report.contains(&held), "{report}");
    }
}

#[test]
fn all_is_done_when_the_last_thread_has_ended() {
    let (mut vm, t) = vm_with(2);
    for t in t {
        assert_eq!(next(&mut vm), t);
        vm.end_thread(Ok(crate::Value::Void));
        assert_eq!(vm.threads[t.0 as usize].state, ThreadState::Dead);
    }
    assert_eq!(vm.next_thread(), HostAction::AllDone);
}
