//! Panics inside a VM: in natives, cold handlers, agents and the host. The VM is dead then and says
//! why; its process, and other VMs in it, continue; the launcher writes the counts.

#[path = "../common/mod.rs"]
mod common;

use common::guest::{Guest, Steady, options};
use common::{jdk, tests_dir, work_dir};
use rjvm_cli::launcher;
use rjvm_jdk_stubs::os::OsHost;
use rjvm_vm::events::{Event, EventSet, EventView, Log, Observer, OnSample, Output};
use rjvm_vm::fault::FaultKind;
use rjvm_vm::host::{Descriptors, Files, Host, Network, Processes};
use rjvm_vm::interp::Outcome;
use rjvm_vm::natives::Natives;
use rjvm_vm::startup::{CallResult, CallStop};
use rjvm_vm::vm::{Options, ProfileMode};
use rjvm_vm::{Env, R, Ref, Vm, natives};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

natives! { "Faults";
    fail "()V" => fail;
    failLocked "()V" => fail;
    arm "()V" => arm;
}
fn fail(_: &mut Env) -> R<()> {
    panic!("a native's panic")
}

/// What of the host panics.
#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
enum At {
    Never,
    Clock,
    Write,
    Wait,
}

/// A host that panics at a chosen request, once one is chosen.
struct Panicky<H> {
    os: H,
    at: &'static AtomicU8,
}

impl<H> Panicky<H> {
    fn check(&self, at: At) {
        assert!(self.at.load(Relaxed) != at as u8, "the host's panic");
    }
}

impl<H: Host> Host for Panicky<H> {
    fn nano_time(&mut self) -> i64 {
        self.check(At::Clock);
        self.os.nano_time()
    }
    fn wall_clock(&mut self) -> (i64, u32) {
        self.os.wall_clock()
    }
    fn entropy(&mut self, buf: &mut [u8]) {
        self.os.entropy(buf)
    }
    fn wait(&mut self, fds: &[(i32, u8)], deadline: Option<i64>) -> Vec<usize> {
        self.check(At::Wait);
        self.os.wait(fds, deadline)
    }
    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self.os.as_any()
    }
    fn descriptors(&mut self) -> &mut dyn Descriptors {
        self.check(At::Write);
        self.os.descriptors()
    }
    fn files(&mut self) -> &mut dyn Files {
        self.os.files()
    }
    fn network(&mut self) -> &mut dyn Network {
        self.os.network()
    }
    fn processes(&mut self) -> &mut dyn Processes {
        self.os.processes()
    }
}

fn classes() -> PathBuf {
    let dir = tests_dir().join("embedding");
    jdk::compile("faults", &[dir.join("Faults.java")], &[], &dir.join("none"))
}

fn natives() -> Natives {
    let mut natives = rjvm_jdk_stubs::natives();
    // SAFETY: what they return they have been given, or have just made.
    unsafe { natives.add(&[&NATIVES]) };
    natives
}

/// A VM that has come up, and where its host panics.
fn guest(set: impl FnOnce(&mut Options)) -> (Guest, &'static AtomicU8) {
    let mut options = options(Some(&classes()));
    set(&mut options);
    let at: &AtomicU8 = Box::leak(Box::new(AtomicU8::new(At::Never as u8)));
    let host = Panicky {
        os: Steady::new(),
        at,
    };
    let mut vm = Vm::new(options, Box::new(host), natives()).expect("a VM");
    let main = vm.start_up().expect("boot");
    (Guest { vm, main }, at)
}

/// The expected report of a VM that has ended in `Faults.name`.
struct End<'a> {
    name: &'a str,
    message: &'a str,
    thread: &'a str,
    /// Innermost frames.
    stack: &'a [&'a str],
}

impl End<'_> {
    fn new<'a>(name: &'a str, message: &'a str, stack: &'a [&'a str]) -> End<'a> {
        End {
            name,
            message,
            thread: "main",
            stack,
        }
    }
    /// Calls `Faults.name`, which ends the VM, and checks the state afterwards.
    fn check(&self, mut g: Guest, at: &AtomicU8, host: At) {
        let name = self.name;
        let m = g.method("Faults", name, "()I");
        let sum = g.vm.boot_class("Faults");
        let sum = g.vm.method_named(sum, "sum", "()I");
        let before = g.executed();
        at.store(host as u8, Relaxed);
        let fault = match g.vm.call_on(g.main, m, &[]) {
            Err(CallStop::Fault(fault)) => fault,
            other => panic!("{name}: {other:?}"),
        };
        at.store(At::Never as u8, Relaxed);
        assert_eq!(fault.kind, FaultKind::Panic, "{name}");
        assert_eq!(fault.message, self.message, "{name}");
        let place = fault.place.as_deref().expect("the hook is the VM's");
        assert!(place.starts_with(concat!(file!(), ":")), "{name}: {place}");
        assert_eq!(fault.thread.as_deref(), Some(self.thread), "{name}");
        let top = &fault.stack[..self.stack.len().min(fault.stack.len())];
        assert_eq!(top, self.stack, "{name}: {fault}");
        assert!(
            g.executed() > before + 100,
            "{name}: what was executed counts"
        );
        assert_eq!(g.vm.fault().expect("dead").message, self.message);

        // it runs nothing any more
        let dead = |stop: CallStop| match stop {
            CallStop::Fault(same) => assert!(Arc::ptr_eq(&same, &fault), "{name}"),
            other => panic!("{name}: {other:?}"),
        };
        dead(g.vm.call_on(g.main, sum, &[]).expect_err("dead"));
        dead(g.vm.go_on().expect_err("dead"));
        dead(g.vm.call_main(g.main, sum, Ref::NULL).expect_err("dead"));
        dead(g.vm.start_up().expect_err("dead"));
        dead(g.vm.shut_down().expect_err("dead"));
        dead(g.vm.host_thread("late", false, 5).expect_err("dead"));
        dead(
            g.vm.call_static(g.main, "Faults", "sum", "()I", &[])
                .expect_err("dead"),
        );
        assert!(matches!(g.vm.resume(), Outcome::Fault(_)), "{name}");

        // but reports its counts, which are complete
        if g.vm.options().profile != ProfileMode::Off {
            let counted = g.profile().totals().bytecodes;
            assert_eq!(counted as i64, g.executed(), "{name}");
        }
        if g.vm.samples().is_some() {
            g.vm.finish_samples();
            g.samples();
        }
        for id in g.vm.observers() {
            g.vm.remove_observer(id);
        }
    }
}

#[test]
fn a_native_that_panics_ends_its_vm_alone() {
    let (mut other, _) = guest(|_| ());
    let sum = other.method("Faults", "sum", "()I");
    let want = other.vm.call_on(other.main, sum, &[]).expect("a sum");
    for profile in [
        ProfileMode::Off,
        ProfileMode::Exact,
        ProfileMode::CallSites,
        ProfileMode::Blocks,
    ] {
        let (g, at) = guest(|o| o.profile = profile);
        let stack = [
            "Faults.fail(Native Method)",
            "Faults.deeper(Faults.java:34)",
            "Faults.deeper(Faults.java:36)",
        ];
        End::new("inNative", "a native's panic", &stack).check(g, at, At::Never);
        let (g, at) = guest(|o| o.profile = profile);
        let stack = ["Faults.failLocked(Native Method)"];
        End::new("inLockedNative", "a native's panic", &stack).check(g, at, At::Never);
    }
    let again = other.vm.call_on(other.main, sum, &[]).expect("a sum");
    assert_eq!(again, want);
    assert!(other.vm.fault().is_none());
}

#[test]
fn a_host_that_panics_ends_the_vm() {
    let message = "the host's panic";
    let (g, at) = guest(|_| ());
    let stack = ["java.lang.System.nanoTime(Native Method)"];
    End::new("inClock", message, &stack).check(g, at, At::Clock);
    // outside the interpreter: no thread can run
    let (g, at) = guest(|_| ());
    let stack = ["java.lang.Thread.sleep(Native Method)"];
    End::new("inWait", message, &stack).check(g, at, At::Wait);
}

#[test]
fn a_panic_in_a_cold_handler_ends_the_vm() {
    let message = "the host's panic";
    // the allocation's collection reads the clock
    let (g, at) = guest(|_| ());
    let stack = ["Faults.inCollector(Faults.java:52)"];
    End::new("inCollector", message, &stack).check(g, at, At::Clock);
    // loading a class prints its name
    let (g, at) = guest(|o| o.logs = vec![Log::new(EventSet::CLASSES, Output::Out)]);
    let stack = ["Faults.inResolution(Faults.java:58)"];
    End::new("inResolution", message, &stack).check(g, at, At::Write);
}

#[test]
fn the_fault_names_the_thread_that_ran() {
    let (g, at) = guest(|_| ());
    let mut end = End::new(
        "inOtherThread",
        "a native's panic",
        &["Faults.fail(Native Method)"],
    );
    end.thread = "other";
    end.check(g, at, At::Never);
}

/// Panics at its third call.
struct Bad(u32);

impl Observer for Bad {
    fn events(&self) -> EventSet {
        EventSet::PROFILED
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        if let Event::Reached(_) = event {
            self.0 += 1;
            assert!(self.0 < 3, "the agent's panic");
        }
        seen.call_after(500);
    }
}

/// Panics when a thread begins, or ends.
struct BadThreads(bool);

impl Observer for BadThreads {
    fn events(&self) -> EventSet {
        EventSet::PROFILED
    }
    fn event(&mut self, _: &mut EventView<'_>, event: Event<'_>) {
        match event {
            Event::ProfileBegins(thread) => {
                assert!(!self.0 || thread.name != "other", "a beginning");
            }
            Event::ProfileEnds(_) => panic!("an end"),
            _ => {}
        }
    }
}

#[test]
fn an_agent_that_panics_ends_the_vm() {
    let agents: [(Box<dyn Observer>, &str); 2] = [
        (Box::new(Bad(0)), "the agent's panic"),
        (
            Box::new(OnSample({
                let mut calls = 0;
                move |_: rjvm_vm::interp::Sample<'_>| {
                    calls += 1;
                    assert!(calls < 3, "the sampler's panic");
                }
            })),
            "the sampler's panic",
        ),
    ];
    for (agent, message) in agents {
        let (mut g, at) = guest(|o| o.sample_every = Some(700));
        // classes are initialized before the agent is there
        g.method("Faults", "sum", "()I");
        g.vm.observe(agent);
        End::new("inWait", message, &[]).check(g, at, At::Never);
    }
    let (mut g, at) = guest(|_| ());
    g.vm.observe(Box::new(BadThreads(true)));
    End::new("inOtherThread", "a beginning", &[]).check(g, at, At::Never);
    // it has nobody to call after its end
    let (mut g, _) = guest(|_| ());
    let id = g.vm.observe(Box::new(BadThreads(false)));
    g.vm.remove_observer(id);
    assert_eq!(g.vm.fault().expect("dead").message, "an end");
    assert!(matches!(g.vm.resume(), Outcome::Fault(_)));
}

#[test]
fn no_vm_is_made_by_a_host_that_panics() {
    let host = Panicky {
        os: Steady::new(),
        at: Box::leak(Box::new(AtomicU8::new(At::Clock as u8))),
    };
    let made = Vm::new(options(None), Box::new(host), natives());
    let problem = made.err().expect("no VM");
    assert!(
        problem.starts_with(concat!("the host's panic (", file!(), ":")),
        "{problem}"
    );
}

/// Names the case that [`child`] is to run.
const CASE: &str = "RJVM_FAULTS_CASE";
/// The words of its command line, a line each.
const ARGS: &str = "RJVM_FAULTS_ARGS";

/// Not a separate test: the tests below run it in a separate process.
#[test]
fn child() {
    let Ok(case) = std::env::var(CASE) else {
        return;
    };
    if case == "hook" {
        own_hook();
        std::process::exit(0);
    }
    let args = std::env::var(ARGS).expect("arguments");
    let args = args.split('\n').map(String::from).collect();
    let code = launcher::run_command(args, || {
        let host = Panicky {
            os: OsHost::new(),
            at: &ARMED,
        };
        (Box::new(host), natives())
    });
    std::process::exit(code);
}

/// Where the host of a launched program panics.
static ARMED: AtomicU8 = AtomicU8::new(At::Never as u8);

fn arm(_: &mut Env) -> R<()> {
    ARMED.store(At::Clock as u8, Relaxed);
    Ok(())
}

/// Runs [`child`] with a case and the arguments of a command line; exit code and standard error.
fn in_child(case: &str, args: &[&str]) -> (Option<i32>, String) {
    let (code, _, err) = all_of_child(case, args);
    (code, err)
}

/// The same with standard output, where the test's own lines are too.
fn all_of_child(case: &str, args: &[&str]) -> (Option<i32>, String, String) {
    let this = std::env::current_exe().expect("the test has a path");
    let output = Command::new(this)
        .args(["child", "--exact", "--nocapture"])
        .env(CASE, case)
        .env(ARGS, args.join("\n"))
        .env_remove("RUST_BACKTRACE")
        .output()
        .expect("the test runs");
    let [out, err] =
        [output.stdout, output.stderr].map(|b| String::from_utf8_lossy(&b).into_owned());
    (output.status.code(), out, err)
}

#[test]
fn the_launcher_reports_the_fault_and_writes_the_profile() {
    let dir = work_dir().join("faults-out");
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    let boot = format!("-Xbootclasspath/a:{}", classes().display());
    for (case, message, top) in [
        ("native", "a native's panic", "Faults.fail(Native Method)"),
        (
            "clock",
            "the host's panic",
            "java.lang.System.nanoTime(Native Method)",
        ),
    ] {
        let whole = dir.join(format!("{case}.rjp"));
        let text = dir.join(format!("{case}.paths.txt"));
        let [o, p] = [&whole, &text].map(|path| path.display().to_string());
        let _ = std::fs::remove_file(&whole);
        let args = [
            &boot,
            "--profile=callsites",
            "-o",
            &o,
            "-o",
            &p,
            "Faults",
            case,
            "secret",
        ];
        let (code, err) = in_child(case, &args);
        assert_eq!(code, Some(70), "{case}: {err}");
        let place = concat!("  in ", file!(), ":");
        let frame = format!("  thread \"main\"\n\tat {top}\n");
        let options = format!("  options: {boot} --profile=callsites");
        for part in [
            &format!("rjvm: error: internal error: {message}\n"),
            place,
            &frame,
            "Report it",
            env!("CARGO_PKG_VERSION"),
            &options,
            "incomplete: ",
            " bytecodes, ",
        ] {
            assert!(err.contains(part), "{case}: {part:?} is not in\n{err}");
        }
        assert!(!err.contains("panicked at"), "{case}: {err}");
        assert!(!err.contains("secret"), "{case}: {err}");
        let profile = rjvm_profiler::Profile::read_file(&whole).expect("a whole profile");
        let reported = profile.about.iter().find(|a| a.0 == "Incomplete");
        assert!(reported.expect("marked").1.contains(message), "{case}");
        assert!(profile.totals().bytecodes > 1000, "{case}");
        let text = std::fs::read_to_string(&text).expect("written");
        assert!(text.contains("Faults.sum"), "{case}: {text}");
    }
}

#[test]
fn the_program_goes_on_when_the_vm_of_its_agent_panics() {
    let dir = tests_dir().join("embedding");
    let boot = classes();
    let jar = tests_dir().with_file_name("java/agent-api/rjvm-agent.jar");
    let path = format!("{}:{}", boot.display(), jar.display());
    let agent = jdk::compile(
        "faulty-agent",
        &[dir.join("FaultyAgent.java")],
        &["-cp", &path],
        &dir.join("none"),
    );
    let out = work_dir().join("faults-agent");
    std::fs::create_dir_all(&out).expect("the target directory is writable");
    let run = |place: &str, with_agent: bool| {
        let whole = out.join(format!("{place}.rjp"));
        let _ = std::fs::remove_file(&whole);
        let boot = format!("-Xbootclasspath/a:{}", boot.display());
        let cp = agent.display().to_string();
        let fail = format!("-Dfail={place}");
        let o = whole.display().to_string();
        let mut args = vec![&*boot, "-cp", &cp, &fail, "--profile=exact", "-o", &o];
        if with_agent {
            args.push("--agent=FaultyAgent");
        }
        args.extend(["Faults", "fine"]);
        (all_of_child("agent", &args), whole)
    };
    let totals = |whole: &PathBuf| {
        let profile = rjvm_profiler::Profile::read_file(whole).expect("a whole profile");
        assert!(!profile.about.iter().any(|a| a.0 == "Incomplete"));
        profile.totals()
    };
    for (place, thread, top) in [
        ("register", "main", "FaultyAgent.register(FaultyAgent.java:"),
        ("report", "main", "FaultyAgent.report(FaultyAgent.java:"),
        (
            "sample",
            "main",
            "FaultyAgent.processSample(FaultyAgent.java:",
        ),
        ("hook", "hook", "FaultyAgent.lambda$new$0(FaultyAgent.java:"),
    ] {
        let ((code, _, err), whole) = run(place, false);
        assert_eq!(code, Some(0), "{place}: {err}");
        assert!(!err.contains("rjvm: "), "{place}: {err}");
        let want = totals(&whole);
        let ((code, text, err), whole) = run(place, true);
        assert_eq!(code, Some(0), "{place}: {err}");
        assert!(text.contains("before\n"), "{place}: {text}");
        assert!(text.contains("after\n"), "{place}: {text}");
        let stack = format!("\n  thread \"{thread}\"\n\tat Faults.fail(Native Method)\n");
        for part in [
            concat!(
                "rjvm: warning: agent: its VM has ended: a native's panic\n  in ",
                file!(),
                ":"
            ),
            &stack,
            &format!("\tat {top}"),
            "\nThe program continues without it.\n",
        ] {
            assert!(err.contains(part), "{place}: {part:?} is not in\n{err}");
        }
        assert_eq!(err.matches("rjvm: ").count(), 1, "{place}: {err}");
        assert!(!err.contains("panicked at"), "{place}: {err}");
        assert_eq!(totals(&whole), want, "{place}: the program's counts");
    }
    // without an agent there is no program
    let ((code, text, err), whole) = run("constructor", true);
    assert_eq!(code, Some(1), "{err}");
    let reported =
        "rjvm: error: cannot create the agent FaultyAgent: its VM has ended: a native's panic\n";
    assert!(err.contains(reported), "{err}");
    assert!(!text.contains("before") && !whole.exists(), "{text}");
}

#[test]
fn the_hook_of_the_process_is_left_to_it() {
    let (code, err) = in_child("hook", &[]);
    assert_eq!(code, Some(0), "{err}");
}

/// An embedder with its own hook, before there is a VM and after.
fn own_hook() {
    static HEARD: AtomicUsize = AtomicUsize::new(0);
    let hook = || {
        std::panic::set_hook(Box::new(|_| {
            HEARD.fetch_add(1, Relaxed);
        }));
    };
    let panics = || std::panic::catch_unwind(|| panic!("outside"));
    hook();
    let (mut g, _) = guest(|_| ());
    assert!(panics().is_err());
    assert_eq!(HEARD.load(Relaxed), 1);
    let m = g.method("Faults", "inNative", "()I");
    let dead = |stop: CallResult| match stop {
        Err(CallStop::Fault(fault)) => fault,
        other => panic!("{other:?}"),
    };
    let fault = dead(g.vm.call_on(g.main, m, &[]));
    assert!(fault.place.is_some());
    assert_eq!(HEARD.load(Relaxed), 1, "what the VM contains is not told");
    assert!(panics().is_err());
    assert_eq!(HEARD.load(Relaxed), 2);
    // the embedder's, from now on: the fault is reported as before, except for its place
    hook();
    let (mut g, _) = guest(|_| ());
    let m = g.method("Faults", "inNative", "()I");
    let fault = dead(g.vm.call_on(g.main, m, &[]));
    assert_eq!(fault.message, "a native's panic");
    assert_eq!(HEARD.load(Relaxed), 3);
}
