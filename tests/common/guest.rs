//! VMs inside the test's own process: a host whose clock is the test's, boot, calls, profiles.

use super::{jdk, tests_dir};
use rjvm_jdk_stubs::os::{OsHost, StandardStreams};
use rjvm_profiler::cct::{ContextNode, Walk};
use rjvm_profiler::{Builder, Kind, MethodInfo, Profile};
use rjvm_vm::host::{Descriptors, Files, Host, Network, Processes};
use rjvm_vm::jdk::throwable;
use rjvm_vm::startup::{CallResult, CallStop};
use rjvm_vm::vm::{Options, ProfileMode};
use rjvm_vm::{MethodId, ThreadId, Value, Vm};
use std::path::{Path, PathBuf};

/// The operating system except for the clock, which moves only when all threads wait, and entropy,
/// which is the same in every run.
pub struct Steady {
    os: OsHost,
    now: i64,
}

impl Steady {
    /// The clock is at one second.
    pub fn new() -> Steady {
        Steady {
            os: OsHost {
                signals: None,
                ..OsHost::with(StandardStreams::null())
            },
            now: 1_000_000_000,
        }
    }
}

impl Host for Steady {
    fn nano_time(&mut self) -> i64 {
        self.now
    }
    fn wall_clock(&mut self) -> (i64, u32) {
        (1_700_000_000 + self.now / 1_000_000_000, 0)
    }
    fn entropy(&mut self, buf: &mut [u8]) {
        buf.fill(7);
    }
    fn wait(&mut self, _fds: &[(i32, u8)], deadline: Option<i64>) -> Vec<usize> {
        self.now = self.now.max(deadline.unwrap_or(0));
        Vec::new()
    }
    fn as_any(&mut self) -> &mut dyn std::any::Any {
        &mut self.os
    }
    fn descriptors(&mut self) -> &mut dyn Descriptors {
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

/// The folder with the compiled classes of `embedding/Guest.java`.
pub fn guest_classes() -> PathBuf {
    let dir = tests_dir().join("embedding");
    let sources = [dir.join("Guest.java")];
    jdk::compile("embedding", &sources, &[], &dir.join("resources"))
}

/// Options for a small VM that finds classes in `classes`.
pub fn options(classes: Option<&Path>) -> Options {
    Options {
        max_heap: 64 << 20,
        quantum: 1000,
        profile: ProfileMode::Exact,
        sample_all: true,
        boot_append: classes.iter().map(|p| p.display().to_string()).collect(),
        ..Options::new(jdk::java_home())
    }
}

/// Options for a VM that runs `events/Seen.java`.
pub fn notified_options() -> Options {
    let dir = tests_dir().join("events");
    let classes = jdk::compile(
        "events",
        &[dir.join("Seen.java")],
        &[],
        &dir.join("resources"),
    );
    Options {
        // paths of a stack that overflows are long
        stack_bytes: 96 << 10,
        ..options(Some(&classes))
    }
}

/// A VM and its main thread.
pub struct Guest {
    pub vm: Box<Vm>,
    pub main: ThreadId,
}

impl Guest {
    /// A VM whose class library is up.
    pub fn boot(options: Options) -> Guest {
        Self::boot_with(options, |_| ())
    }
    /// The same with something done to the VM before it runs.
    pub fn boot_with(options: Options, set: impl FnOnce(&mut Vm)) -> Guest {
        Self::boot_vm(Self::vm(options, Box::new(Steady::new())), set)
    }
    /// A VM with this host, whose class library is up.
    pub fn boot_on(options: Options, host: Box<dyn Host>) -> Guest {
        Self::boot_vm(Self::vm(options, host), |_| ())
    }
    fn boot_vm(mut vm: Box<Vm>, set: impl FnOnce(&mut Vm)) -> Guest {
        set(&mut vm);
        let main = match vm.start_up() {
            Ok(main) => main,
            Err(stop) => panic!("boot: {}", report_end(&mut vm, stop)),
        };
        Guest { vm, main }
    }
    /// A VM in which no Java code has run; classes are initialized when they are used.
    pub fn raw(options: Options) -> Guest {
        let mut vm = Self::vm(options, Box::new(Steady::new()));
        let stack = vm.options().stack_bytes;
        let main = vm
            .attach_thread(rjvm_vm::Ref::NULL, stack)
            .expect("memory for a stack");
        vm.init_method_handle_offsets();
        Guest { vm, main }
    }
    fn vm(options: Options, host: Box<dyn Host>) -> Box<Vm> {
        let natives = rjvm_jdk_stubs::natives();
        Vm::new(options, host, natives).expect("a VM")
    }
    /// Looks up a static method of a class of the boot loader and initializes the class.
    pub fn method(&mut self, class: &str, name: &str, desc: &str) -> MethodId {
        let c = self.vm.boot_class(class);
        let r = self.vm.init_on(self.main, c);
        self.value(r);
        self.vm.method_named(c, name, desc)
    }
    /// Calls `name()I` of class `Guest`, to its end.
    pub fn run(&mut self, name: &str) -> i32 {
        self.run_of("Guest", name)
    }
    /// Calls static `name()I` of a class, to its end.
    pub fn run_of(&mut self, class: &str, name: &str) -> i32 {
        let m = self.method(class, name, "()I");
        let r = self.vm.call_on(self.main, m, &[]);
        self.value(r).int()
    }
    /// The value of a call that has returned one.
    pub fn value(&mut self, r: CallResult) -> Value {
        r.unwrap_or_else(|stop| panic!("{}", report_end(&mut self.vm, stop)))
    }
    /// The exact profile of everything so far.
    pub fn profile(&mut self) -> Profile {
        self.vm.flush_open_frames();
        let roots: Vec<(u64, *mut ContextNode)> = self
            .vm
            .all_threads()
            .filter(|t| !t.root().is_null())
            .map(|t| (t.id.0 as u64, t.root()))
            .collect();
        let vm = &self.vm;
        let mut b = Builder::new(
            Kind::Exact,
            vm.options().profile == ProfileMode::CallSites,
            |id| describe(vm, id),
        );
        for (id, root) in roots {
            // SAFETY: the nodes are the VM's, which is borrowed; nothing runs meanwhile.
            let walks: Vec<Walk> = unsafe { children(root).map(|n| Walk::new(n)).collect() };
            b.thread(&format!("t{id}"), id, walks);
        }
        b.finish().expect("a profile")
    }
    /// The samples so far.
    pub fn samples(&mut self) -> Profile {
        self.vm.settle_samples();
        let recorder = self.vm.samples().expect("a recorder");
        let profile = recorder.profile(|id| describe(&self.vm, id));
        profile.expect("a profile")
    }
    /// Bytecodes the VM has executed.
    pub fn executed(&self) -> i64 {
        self.vm.bytecodes()
    }
}

unsafe fn children(root: *mut ContextNode) -> impl Iterator<Item = *mut ContextNode> {
    // SAFETY: nodes live as long as their VM, and nothing links new ones while they are walked.
    let mut next = unsafe { ContextNode::first_child(root) };
    std::iter::from_fn(move || {
        let n = next;
        if n.is_null() {
            return None;
        }
        // SAFETY: as above; `n` is not null.
        next = unsafe { ContextNode::next_sibling(n) };
        Some(n)
    })
}

/// A method as a profile names it.
pub fn describe(vm: &Vm, id: u32) -> MethodInfo {
    if id == u32::MAX {
        return MethodInfo::new("", "root", "()V", false, false);
    }
    let m = vm.method(MethodId(id));
    let name = vm.name(m.class);
    let hidden = vm.class(m.class).hidden;
    MethodInfo::new(
        &name,
        vm.symbols().str(m.name),
        vm.symbols().str(m.desc),
        m.is_native(),
        hidden,
    )
}

/// Reports the reason of a stop.
pub fn report_end(vm: &mut Vm, stop: CallStop) -> String {
    match stop {
        CallStop::Threw(e) => {
            let class = vm.class(vm.class_of(e)).dotted();
            let m = vm.get(e, throwable::DETAIL_MESSAGE);
            let m = if m.is_null() {
                String::new()
            } else {
                vm.string(m)
            };
            format!("threw {class}: {m}")
        }
        other => format!("{other:?}"),
    }
}

/// A profile as text, one line a context.
pub fn text(p: &Profile) -> String {
    let mut out = Vec::new();
    rjvm_profiler::export::paths::write(p, &rjvm_profiler::export::Settings::default(), &mut out)
        .expect("memory takes all");
    String::from_utf8(out).expect("paths are text")
}

/// Resident memory of this process in bytes.
pub fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    let pages: usize = statm
        .split(' ')
        .nth(1)
        .and_then(|n| n.parse().ok())
        .expect("a number");
    pages * 4096
}
