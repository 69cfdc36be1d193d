//! VMs with the class `Limits`, which does what limits are for.

use super::guest::{Guest, options, report_end};
use super::{jdk, tests_dir};
use rjvm_jdk_stubs::os::{OsHost, StandardStreams};
use rjvm_vm::Vm;
use rjvm_vm::cancel::Halt;
use rjvm_vm::host::Host;
use rjvm_vm::startup::CallStop;
use rjvm_vm::vm::{Options, ProfileMode};
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The compiled classes of `Limits.java`, `Heaps.java`, `Works.java` and `ClassFiles.java` in `embedding`.
pub fn classes() -> PathBuf {
    let dir = tests_dir().join("embedding");
    let names = ["Limits.java", "Heaps.java", "Works.java", "ClassFiles.java"];
    let sources = names.map(|name| dir.join(name));
    jdk::compile("limits", &sources, &[], &dir.join("none"))
}

/// Options for a VM that finds `Limits`.
pub fn limited() -> Options {
    Options {
        profile: ProfileMode::Off,
        sample_all: false,
        quantum: 100_000,
        ..options(Some(&classes()))
    }
}

/// A VM that has come up on a host.
pub fn boot_on(options: Options, host: Box<dyn Host>) -> Guest {
    let natives = rjvm_jdk_stubs::natives();
    let mut vm = Vm::new(options, host, natives).expect("a VM");
    let main = vm.start_up().expect("boot");
    Guest { vm, main }
}

/// A VM whose clock and sockets are the operating system's.
pub fn real(options: Options) -> Guest {
    boot_on(options, Box::new(OsHost::with(StandardStreams::null())))
}

/// Runs `Limits.name`, to whatever end within 400 million bytecodes.
pub fn end_of(g: &mut Guest, name: &str) -> String {
    let m = match g.vm.method_on(g.main, "Limits", name, "()I") {
        Ok(m) => m,
        Err(stop) => return report_end(&mut g.vm, stop),
    };
    g.vm.set_fuel(Some(400_000_000));
    match g.vm.call_on(g.main, m, &[]) {
        Ok(v) => v.int().to_string(),
        Err(stop) => report_end(&mut g.vm, stop),
    }
}

/// Processor time of an OS thread.
fn cpu_of(clock: libc::clockid_t) -> Duration {
    let mut t = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `t` is writable; the clock is that of a thread that is alive.
    assert_eq!(unsafe { libc::clock_gettime(clock, &mut t) }, 0);
    Duration::new(t.tv_sec as u64, t.tv_nsec as u32)
}

fn own_clock() -> libc::clockid_t {
    let mut clock = 0;
    // SAFETY: the calling thread is alive; `clock` is writable.
    let r = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) };
    assert_eq!(r, 0);
    clock
}

/// Cancels again and again what `begin` begins; how long each took, in real time and in the time that the VM's thread
/// ran. Load of the machine makes the former longer, not the latter.
pub fn cancelled(
    g: &mut Guest,
    tries: u32,
    mut begin: impl FnMut(&mut Guest) -> CallStop,
) -> (Vec<Duration>, Vec<Duration>) {
    let canceller = g.vm.canceller();
    let clock = own_clock();
    let (go, wait) = mpsc::channel::<u64>();
    let (report_end, reported) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        while let Ok(micros) = wait.recv() {
            std::thread::sleep(Duration::from_micros(micros));
            report_end
                .send((cpu_of(clock), Instant::now()))
                .expect("heard");
            canceller.cancel();
        }
    });
    let (mut real, mut ran) = (Vec::new(), Vec::new());
    for i in 0..tries {
        go.send(500 + u64::from(i) * 7919 % 9000).expect("heard");
        let stop = match i {
            0 => begin(g),
            _ => g.vm.go_on().expect_err("it does not end"),
        };
        let (end, end_cpu) = (Instant::now(), cpu_of(clock));
        assert!(
            matches!(stop, CallStop::Halted(Halt::Cancelled)),
            "{stop:?}"
        );
        let (cpu, begun) = reported.recv().expect("the thread reports");
        real.push(end.duration_since(begun));
        ran.push(end_cpu.saturating_sub(cpu));
    }
    drop(go);
    thread.join().expect("it has cancelled all");
    real.sort();
    ran.sort();
    (real, ran)
}

/// Whether these times are too long for a request to stop; reports them.
pub fn late(name: &str, real: &[Duration], ran: &[Duration]) -> bool {
    let at = |v: &[Duration], percent: usize| v[(v.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    println!(
        "{name:14} real p50 {:.2} p90 {:.2} p100 {:.2} ms, running p50 {:.2} p100 {:.2} ms",
        at(real, 50),
        at(real, 90),
        at(real, 100),
        at(ran, 50),
        at(ran, 100)
    );
    // in real time the median
    at(ran, 100) > 10.0 || at(real, 50) > 10.0
}
