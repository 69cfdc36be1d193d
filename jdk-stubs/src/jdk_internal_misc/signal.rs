//! Natives of `jdk.internal.misc.Signal`.

use rjvm_vm::{Env, R, Ref, Throw, natives};
use std::collections::BTreeMap;

natives! { "jdk/internal/misc/Signal";
    findSignal0 "(Ljava/lang/String;)I" => find_signal0;
    handle0 "(IJ)J" => handle0;
    raise0 "(I)V" => raise0;
}

/// "Handlers" as `Signal.handle` numbers them.
mod handler {
    pub const DEFAULT: i64 = 0;
    pub const IGNORE: i64 = 1;
    pub const JAVA: i64 = 2;
    /// The VM's own, which in HotSpot is an address.
    pub const VM: i64 = 3;
    pub const REFUSED: i64 = -1;
}

/// Handlers that the program has set.
#[derive(Default)]
struct Handlers(BTreeMap<i32, i64>);

const NAMES: &[(&str, i32)] = &[
    ("HUP", libc::SIGHUP),
    ("INT", libc::SIGINT),
    ("QUIT", libc::SIGQUIT),
    ("ILL", libc::SIGILL),
    ("TRAP", libc::SIGTRAP),
    ("ABRT", libc::SIGABRT),
    ("IOT", libc::SIGABRT),
    ("BUS", libc::SIGBUS),
    ("FPE", libc::SIGFPE),
    ("KILL", libc::SIGKILL),
    ("USR1", libc::SIGUSR1),
    ("SEGV", libc::SIGSEGV),
    ("USR2", libc::SIGUSR2),
    ("PIPE", libc::SIGPIPE),
    ("ALRM", libc::SIGALRM),
    ("TERM", libc::SIGTERM),
    ("CHLD", libc::SIGCHLD),
    ("CONT", libc::SIGCONT),
    ("STOP", libc::SIGSTOP),
    ("TSTP", libc::SIGTSTP),
    ("TTIN", libc::SIGTTIN),
    ("TTOU", libc::SIGTTOU),
    ("URG", libc::SIGURG),
    ("XCPU", libc::SIGXCPU),
    ("XFSZ", libc::SIGXFSZ),
    ("VTALRM", libc::SIGVTALRM),
    ("PROF", libc::SIGPROF),
    ("WINCH", libc::SIGWINCH),
    ("IO", libc::SIGIO),
    ("SYS", libc::SIGSYS),
    #[cfg(target_os = "linux")]
    ("CLD", libc::SIGCHLD),
    #[cfg(target_os = "linux")]
    ("POLL", libc::SIGPOLL),
    #[cfg(target_os = "linux")]
    ("PWR", libc::SIGPWR),
    #[cfg(target_os = "linux")]
    ("STKFLT", libc::SIGSTKFLT),
];

fn find_signal0(vm: &mut Env, name: Ref) -> R<i32> {
    let name = name.non_null().ok_or_else(Throw::npe)?;
    let name = vm.string(name);
    Ok(NAMES.iter().find(|n| n.0 == name).map_or(-1, |n| n.1))
}

/// The old handler; `REFUSED` for signals the VM or the system keeps to itself.
fn handle0(vm: &mut Env, number: i32, new: i64) -> R<i64> {
    match number {
        libc::SIGFPE | libc::SIGILL | libc::SIGSEGV | libc::SIGQUIT => {
            return Ok(handler::REFUSED);
        }
        libc::SIGHUP | libc::SIGINT | libc::SIGTERM if vm.reduces_signals() => {
            return Ok(handler::REFUSED);
        }
        // a process started to outlive its terminal keeps ignoring the signals that its parent ignored
        libc::SIGHUP | libc::SIGINT | libc::SIGTERM if vm.host().ignores_signal(number) => {
            return Ok(handler::IGNORE);
        }
        _ => {}
    }
    vm.gives_signal(number);
    let set = match new {
        handler::JAVA => vm.host().watch_signal(number).map(|_| ()),
        _ => {
            // the VM's handler does nothing, except that it ends the process where nobody handles SIGBUS
            let ignore = match new {
                handler::VM => number != libc::SIGBUS,
                _ => new == handler::IGNORE,
            };
            vm.host().unwatch_signal(number, ignore)
        }
    };
    if set.is_err() {
        return Ok(handler::REFUSED);
    }
    let handlers = vm
        .extensions()
        .entry("signal handlers")
        .or_insert_with(|| Box::<Handlers>::default());
    let old = handlers
        .downcast_mut::<Handlers>()
        .and_then(|h| h.0.insert(number, new));
    let at_first = match number {
        // the VM sees to it that these have no effect, or HotSpot does
        libc::SIGPIPE | libc::SIGXFSZ | libc::SIGUSR2 | libc::SIGBUS => handler::VM,
        _ => handler::DEFAULT,
    };
    Ok(old.unwrap_or(at_first))
}

fn raise0(vm: &mut Env, number: i32) -> R<()> {
    // only signals with a handler get here; the host has granted them
    let _ = vm.host().raise_signal(number);
    Ok(())
}
