//! Natives of `sun.nio.fs.LinuxWatchService`.

use super::error::OrThrow;
use crate::io::{self, c_string, poll_now, state};
use rjvm_vm::host::Poll;
use rjvm_vm::{Env, R, Ref, natives};
use std::collections::BTreeMap;

natives! { "sun/nio/fs/LinuxWatchService";
    eventSize "()I" => event_size;
    eventOffsets "()[I" => event_offsets;
    inotifyInit "()I" => inotify_init;
    inotifyAddWatch "(IJI)I" => inotify_add_watch;
    inotifyRmWatch "(II)V" => inotify_rm_watch;
    configureBlocking "(IZ)V" => configure_blocking;
    socketpair "([I)V" => socketpair;
    poll "(II)I" => poll;
}

/// Bytes of `struct inotify_event` before the name.
fn event_size(_: &mut Env) -> R<i32> {
    Ok(16)
}

/// Offsets of watch, mask, cookie, length and name.
fn event_offsets(vm: &mut Env) -> R<Ref> {
    let int = vm.primitive(b'I');
    let a = vm.new_array_of(int, 5)?;
    for (i, o) in [0, 4, 8, 12, 16].into_iter().enumerate() {
        vm.heap_mut().set_elem::<i32>(a, i, o);
    }
    Ok(a)
}

fn inotify_init(vm: &mut Env) -> R<i32> {
    vm.host().files().watcher().or_throw(vm)
}

fn inotify_add_watch(vm: &mut Env, fd: i32, path: i64, mask: i32) -> R<i32> {
    let path = c_string(vm, path)?;
    vm.host().files().watch(fd, &path, mask as u32).or_throw(vm)
}

fn inotify_rm_watch(vm: &mut Env, fd: i32, watch: i32) -> R<()> {
    vm.host().files().unwatch(fd, watch).or_throw(vm)
}

fn configure_blocking(vm: &mut Env, fd: i32, blocking: bool) -> R<()> {
    vm.host()
        .descriptors()
        .set_blocking(fd, blocking)
        .or_throw(vm)
}

fn socketpair(vm: &mut Env, two: Ref) -> R<()> {
    let (a, b) = vm.host().descriptors().socket_pair().or_throw(vm)?;
    vm.heap_mut().set_elem::<i32>(two, 0, a);
    vm.heap_mut().set_elem::<i32>(two, 1, b);
    Ok(())
}

/// Epoll instances that combine two descriptors, so that a thread can wait for both.
type Pairs = BTreeMap<(i32, i32), i32>;

/// Waits until one of the two is readable; how many are.
fn poll(vm: &mut Env, a: i32, b: i32) -> R<i32> {
    let p = |fd| Poll {
        fd,
        events: libc::POLLIN,
        revents: 0,
    };
    let n = vm
        .host()
        .descriptors()
        .poll(&mut [p(a), p(b)])
        .or_throw(vm)?;
    if n > 0 {
        return Ok(n as i32);
    }
    const KEY: &str = "sun.nio.fs.LinuxWatchService";
    let known = state::<Pairs>(vm.extensions(), KEY).get(&(a, b)).copied();
    let pair = match known {
        Some(p) => p,
        None => {
            let d = vm.host().descriptors();
            let made = d.epoll_create().or_throw(vm)?;
            state::<Pairs>(vm.extensions(), KEY).insert((a, b), made);
            made
        }
    };
    for fd in [a, b] {
        // fails when it is in already, which is as good
        let d = vm.host().descriptors();
        let _ = d.epoll_control(pair, libc::EPOLL_CTL_ADD, fd, libc::EPOLLIN as u32);
    }
    if poll_now(vm, pair, libc::POLLIN) != 0 {
        return Ok(1);
    }
    Err(io::park(vm, pair, libc::POLLIN, None))
}
