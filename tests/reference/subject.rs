//! The VM under test, in one of its modes of execution.

use crate::common::guest::{Guest, options, report_end};
use crate::program::{Program, throwables};
use rjvm_profiler::cct::ContextNode;
use rjvm_vm::classes::DefineOptions;
use rjvm_vm::events::OnSample;
use rjvm_vm::interp::Sample;
use rjvm_vm::startup::CallStop;
use rjvm_vm::threads::schedule::RoundRobin;
use rjvm_vm::vm::TierMode;
use rjvm_vm::{LoaderId, MethodId, Ref, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// How the VM executes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Never stopped.
    Fast,
    /// The same, with the classes verified.
    Verified,
    /// A sample at every bytecode.
    Traced,
    /// Fuel for a few bytecodes at a time.
    Steps,
    /// A collection at every allocation.
    Stress,
    /// Both.
    StressSteps,
    /// In turns with a thread that runs the program before, a few bytecodes each; call sites apart;
    /// a collection at every allocation.
    Turns,
}

/// The same, and which methods are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct How {
    mode: Mode,
    tier: TierMode,
}

impl From<Mode> for How {
    fn from(mode: Mode) -> How {
        let tier = TierMode::Off;
        How { mode, tier }
    }
}

impl How {
    /// All methods are compiled at their first call.
    pub fn compiled(mode: Mode) -> How {
        let tier = TierMode::All;
        How { mode, tier }
    }
}

/// What a run shows.
pub struct Seen {
    /// Value or exception.
    pub outcome: String,
    /// Static fields of numbers.
    pub statics: Vec<String>,
    /// Paths with invocations and bytecodes, sorted.
    pub contexts: Vec<(String, u64, u64)>,
    /// Method and bytecode index of each bytecode.
    pub trace: Vec<(String, u16)>,
}

impl Seen {
    /// The first difference. An empty trace has not been recorded.
    pub fn differs(&self, want: &Seen) -> Option<String> {
        if !self.trace.is_empty() {
            let n = self.trace.len().max(want.trace.len());
            if let Some(i) = (0..n).find(|&i| self.trace.get(i) != want.trace.get(i)) {
                return Some(format!(
                    "bytecode {i} is {:?}, not {:?}; before: {:?}",
                    self.trace.get(i),
                    want.trace.get(i),
                    &want.trace[i.saturating_sub(4)..i]
                ));
            }
        }
        if self.outcome != want.outcome {
            return Some(format!("{}, not {}", self.outcome, want.outcome));
        }
        if self.statics != want.statics {
            return Some(format!("{:?}, not {:?}", self.statics, want.statics));
        }
        let n = self.contexts.len().max(want.contexts.len());
        (0..n)
            .find(|&i| self.contexts.get(i) != want.contexts.get(i))
            .map(|i| {
                format!(
                    "context {:?}, not {:?}",
                    self.contexts.get(i),
                    want.contexts.get(i)
                )
            })
    }
}

/// A float as text, all NaNs alike.
pub fn float(v: f32) -> String {
    if v.is_nan() {
        "float NaN".into()
    } else {
        format!("float {:#x}", v.to_bits())
    }
}

/// The same of a double.
pub fn double(v: f64) -> String {
    if v.is_nan() {
        "double NaN".into()
    } else {
        format!("double {:#x}", v.to_bits())
    }
}

/// A VM that runs programs.
pub struct Subject {
    mode: Mode,
    guest: Guest,
    samples: Arc<Mutex<Vec<(u32, u32)>>>,
    names: HashMap<u32, Option<String>>,
    last: Option<MethodId>,
    runs: i64,
}

impl Subject {
    pub fn new(how: impl Into<How>) -> Subject {
        let How { mode, tier } = how.into();
        let mut o = options(None);
        let stress = matches!(mode, Mode::Stress | Mode::StressSteps | Mode::Turns);
        o.gc_stress = stress;
        o.max_heap = 8 << 20;
        o.tier = tier;
        o.verify_boot = mode == Mode::Verified;
        if mode == Mode::Traced {
            o.sample_every = Some(1);
        }
        let mut guest = Guest::raw(o);
        // stress begins when the library is up, which it never is here
        guest.vm.take_as_booted(stress);
        let samples = Arc::new(Mutex::new(Vec::new()));
        let sink = samples.clone();
        if mode == Mode::Traced {
            guest.vm.observe(Box::new(OnSample(move |s: Sample<'_>| {
                let top = s.stack.last().expect("a frame");
                sink.lock().expect("no panic").push((top.method, top.bci));
            })));
        }
        let mut subject = Subject {
            mode,
            guest,
            samples,
            names: HashMap::new(),
            last: None,
            runs: 0,
        };
        for (name, bytes) in throwables() {
            subject.define_class(&name, &bytes).expect("a class");
        }
        subject
    }
    /// Whether other threads run meanwhile.
    pub fn is_in_turns(&self) -> bool {
        self.mode == Mode::Turns
    }
    fn define_class(&mut self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let o = DefineOptions::default();
        self.guest
            .vm
            .env()
            .define_class(LoaderId::BOOT, Some(name), bytes, o)
            .map(|_| ())
            .map_err(|t| format!("{name} is not defined: {t:?}"))
    }
    pub fn define(&mut self, p: &Program) -> Result<(), String> {
        p.classes
            .iter()
            .try_for_each(|(name, bytes)| self.define_class(name, bytes))
    }
    /// Name of a method of a program; `None` for the class library's.
    fn name(&mut self, id: u32) -> Option<String> {
        let vm = &self.guest.vm;
        self.names
            .entry(id)
            .or_insert_with(|| {
                let m = vm.method(MethodId(id));
                let class = vm.name(m.class);
                (!class.contains('/')).then(|| format!("{class}.{}", vm.symbols().str(m.name)))
            })
            .clone()
    }
    /// Calls the entry. `expected` bytecodes are executed if all goes well.
    pub fn run(&mut self, p: &Program, expected: usize) -> Result<Seen, String> {
        let desc = p.names.method_desc(&p.entry);
        let g = &mut self.guest;
        let class = g.vm.boot_class(&p.names.r);
        if let Err(stop) = g.vm.init_on(g.main, class) {
            return Err(report_end(&mut g.vm, stop));
        }
        let m = g.vm.method_named(class, "m0", &desc);
        let before = self.contexts(m);
        let g = &mut self.guest;
        self.runs += 1;
        if self.mode == Mode::Turns {
            g.vm.set_schedule(Box::new(RoundRobin {
                quantum: 1 + self.runs % 11,
            }));
            if let Some(last) = self.last.replace(m) {
                let stack = g.vm.options().stack_bytes;
                g.vm.spawn_thread(Ref::NULL, last, &[], stack)
                    .map_err(|t| format!("no thread: {t:?}"))?;
            }
        }
        self.samples.lock().expect("no panic").clear();
        let mut step = 0;
        let mut stops = 0;
        let mut next = || {
            step = step % 7 + 1;
            step
        };
        let steps = matches!(self.mode, Mode::Steps | Mode::StressSteps);
        if steps {
            g.vm.set_fuel(Some(next()));
        }
        let mut r = g.vm.call_on(g.main, m, &[]);
        while let Err(CallStop::OutOfFuel) = r {
            if g.vm.fuel() != Some(0) {
                return Err(format!("{:?} bytecodes left at a stop", g.vm.fuel()));
            }
            stops += 1;
            g.vm.set_fuel(Some(next()));
            r = g.vm.go_on();
        }
        g.vm.set_fuel(None);
        if steps && stops < expected / 8 {
            return Err(format!("{stops} stops in {expected} bytecodes"));
        }
        let outcome = match (r, p.entry.ret.map(|k| p.names.desc(k).as_bytes()[0])) {
            (Err(CallStop::Threw(e)), _) => format!("throws {}", g.vm.name(g.vm.class_of(e))),
            (Err(stop), _) => return Err(format!("{stop:?}")),
            (Ok(_), None) => "returns".into(),
            (Ok(Value::Int(v)), Some(b'I')) => format!("int {v}"),
            (Ok(Value::Long(v)), Some(b'J')) => format!("long {v}"),
            (Ok(Value::Float(v)), Some(b'F')) => float(v),
            (Ok(Value::Double(v)), Some(b'D')) => double(v),
            (Ok(v), _) if v == Ref::NULL.into() => "null".into(),
            (Ok(v), _) => {
                let object = v.reference();
                let class = g.vm.name(g.vm.class_of(object));
                let array = class.starts_with('[');
                format!("object {}", if array { "[]" } else { &class })
            }
        };
        let trace: Vec<(u32, u32)> = std::mem::take(&mut *self.samples.lock().expect("no panic"));
        let trace = trace
            .into_iter()
            .filter_map(|(m, bci)| self.name(m).map(|n| (n, bci as u16)))
            .collect();
        let mut contexts = self.contexts(m);
        for (path, (invocations, bytecodes)) in before {
            let c = contexts.get_mut(&path).expect("contexts stay");
            c.0 -= invocations;
            c.1 -= bytecodes;
        }
        let mut contexts: Vec<(String, u64, u64)> = contexts
            .into_iter()
            .filter(|c| c.1.0 > 0)
            .map(|(path, (i, b))| (path, i, b))
            .collect();
        contexts.sort();
        let mut statics = Vec::new();
        for class in [&p.names.r, &p.names.q] {
            let vm = &mut self.guest.vm;
            let c = vm.boot_class(class);
            let m = vm.mirror(c);
            let [i, j, f, d] = [("si", "I"), ("sj", "J"), ("sf", "F"), ("sd", "D")]
                .map(|(name, desc)| vm.offset_in(c, name, desc).expect("a field made above"));
            statics.push(format!("int {}", vm.heap().get::<i32>(m, i)));
            statics.push(format!("long {}", vm.heap().get::<i64>(m, j)));
            statics.push(float(f32::from_bits(vm.heap().get(m, f))));
            statics.push(double(f64::from_bits(vm.heap().get(m, d))));
        }
        Ok(Seen {
            outcome,
            statics,
            contexts,
            trace,
        })
    }
    /// The contexts below an entry method: invocations and bytecodes. The library's are left out.
    fn contexts(&mut self, entry: MethodId) -> HashMap<String, (u64, u64)> {
        let mut out = HashMap::new();
        let root = self.guest.vm.a_thread(self.guest.main).root();
        if root.is_null() {
            return out;
        }
        // SAFETY: the nodes are the VM's, and nothing runs meanwhile.
        unsafe {
            let mut todo: Vec<(*mut ContextNode, String)> = children(root)
                .into_iter()
                .filter(|&n| (*n).method == entry.0)
                .map(|n| (n, String::new()))
                .collect();
            while let Some((node, path)) = todo.pop() {
                let Some(name) = self.name((*node).method) else {
                    continue;
                };
                let path = format!("{path};{name}");
                let kids = children(node);
                let below: i64 = kids.iter().map(|&k| (*k).inclusive).sum();
                let own = ((*node).inclusive - below) as u64;
                out.insert(path.clone(), ((*node).invocations, own));
                todo.extend(kids.into_iter().map(|k| (k, path.clone())));
            }
        }
        out
    }
}

/// # Safety
/// `node` is a live node that no code changes.
unsafe fn children(node: *mut ContextNode) -> Vec<*mut ContextNode> {
    let mut all = Vec::new();
    // SAFETY: links lead to live nodes.
    unsafe {
        let mut next = ContextNode::first_child(node);
        while !next.is_null() {
            all.push(next);
            next = ContextNode::next_sibling(next);
        }
    }
    all
}
