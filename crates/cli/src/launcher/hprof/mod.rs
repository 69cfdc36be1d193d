//! HPROF as it was in JDK 1.2 to 8 (`-agentlib:hprof`, `-Xrunhprof`), out of what the VM knows exactly: allocation sites, samples
//! at bytecodes, counts of each call, contended monitors, heap dumps.

mod cpu;
mod error;
mod heap;
mod monitors;
mod names;
pub mod options;
mod text;

pub use options::{Cpu, HELP, Options, PER_MILLISECOND};

use super::config::{Config, LaunchTask};
use super::option::OptionProblem;
use super::tool::{ProgramRun, Tool, ToolFailure};
use crate::file_error::FileError;
use crate::messages;
use cpu::Samples;
use error::HprofError;
use monitors::Monitors;
use names::serial;
use rjvm_run::assembly::Assembly;
use rjvm_vm::boot::InstalledJdk;
use rjvm_vm::events::{Event, EventSet, EventView, Observer, Traces};
use rjvm_vm::heap::dump::DumpContents;
use rjvm_vm::heap::sites::SharedSites;
use rjvm_vm::vm::{Options as VmOptions, ProfileMode};
use rjvm_vm::{ThreadId, Vm};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// `-agentlib:hprof`, `-Xrunhprof`
pub fn set(config: &mut Config, text: &str) -> Result<(), OptionProblem> {
    let options = Options::parse(text).map_err(|e| OptionProblem::Own(e.to_string()))?;
    if options.help {
        config.task = LaunchTask::HprofHelp;
    }
    config.hprof = Some(options);
    Ok(())
}

/// What the VM has to do so that the options can be fulfilled.
fn ask(options: &Options, vm: &mut VmOptions) {
    vm.sample_all = true;
    match options.cpu {
        Cpu::Off => {}
        Cpu::Samples => {
            let every = options.interval * PER_MILLISECOND;
            vm.sample_every.get_or_insert(every);
        }
        Cpu::Times | Cpu::Old if vm.profile == ProfileMode::Off => vm.profile = ProfileMode::Exact,
        Cpu::Times | Cpu::Old => {}
    }
}

/// HPROF, if it is requested.
#[derive(Default)]
pub struct HprofTool(Option<Hprof>);

impl HprofTool {
    fn options(config: &Config) -> Option<&Options> {
        config.hprof.as_ref().filter(|_| config.runs())
    }
}

impl Tool for HprofTool {
    fn name(&self) -> &'static str {
        "HPROF's file"
    }
    fn assemble(
        &mut self,
        config: &Config,
        _: &InstalledJdk,
        assembly: &mut Assembly,
    ) -> Result<(), ToolFailure> {
        if let Some(options) = HprofTool::options(config) {
            ask(options, &mut assembly.options);
        }
        Ok(())
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        self.0 = HprofTool::options(&run.config).map(|options| Hprof::start(vm, options));
        Ok(())
    }
    fn finish(&mut self, vm: &mut Vm, _: &mut ProgramRun) -> bool {
        let Some(hprof) = self.0.take() else {
            return true;
        };
        let written = hprof.finish(vm);
        if let Err(problem) = &written {
            messages::error(&problem);
        }
        written.is_ok()
    }
}

/// What is gathered while the program runs.
struct HprofData {
    /// Lines about threads and waits, in order.
    lines: String,
    /// Threads without an object yet.
    nameless: Vec<ThreadId>,
    samples: Samples,
    monitors: Monitors,
}

impl HprofData {
    fn started(&mut self, seen: &mut EventView<'_>, t: ThreadId) {
        let (name, group) = (seen.thread_name(t), seen.thread_group(t));
        let object = text::thread_object(seen, t);
        let _ = writeln!(
            self.lines,
            "THREAD START (obj={object:x}, id = {}, name=\"{name}\", group=\"{group}\")",
            serial(t)
        );
    }
}

/// The profiler, while a program runs. Clones are the same one.
#[derive(Clone)]
pub struct Hprof {
    options: Options,
    sites: SharedSites,
    gathered: Arc<Mutex<HprofData>>,
    /// When it began, in seconds since 1970.
    began: i64,
    /// The file.
    path: String,
}

struct HprofListener {
    wants: EventSet,
    sites: SharedSites,
    gathered: Arc<Mutex<HprofData>>,
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hprof {
    /// Begins. The VM has been made with what [`ask`] requested, and has not started yet.
    pub fn start(vm: &mut Vm, options: &Options) -> Hprof {
        let traces = Traces::new(options.depth, options.lines, options.threads);
        let sites = match options.sites {
            true => vm.keep_sites(traces),
            false => vm.number_traces(traces),
        };
        let gathered = Arc::new(Mutex::new(HprofData {
            lines: String::new(),
            nameless: Vec::new(),
            samples: Samples::default(),
            monitors: Monitors::default(),
        }));
        let mut wants = EventSet::VM | EventSet::THREADS | EventSet::UNLOADING;
        if options.cpu == Cpu::Samples {
            wants = wants | EventSet::SAMPLES | EventSet::AT_SAMPLES;
        }
        if options.monitor {
            wants = wants
                | EventSet::MONITOR_CONTENDED_ENTER
                | EventSet::MONITOR_CONTENDED_ENTERED
                | EventSet::MONITOR_WAIT
                | EventSet::MONITOR_WAITED;
        }
        vm.observe(Box::new(HprofListener {
            wants,
            sites: sites.clone(),
            gathered: gathered.clone(),
        }));
        let hprof = Hprof {
            options: options.clone(),
            sites,
            gathered,
            began: vm.wall_clock().0,
            path: options.path(vm),
        };
        let at_quit = hprof.clone();
        vm.on_quit(Box::new(move |vm| {
            if let Err(problem) = at_quit.write(vm, true) {
                messages::error(&problem);
            }
        }));
        hprof
    }
    /// The program has ended: writes the gathered data. Returns the failure, if there was one.
    pub fn finish(self, vm: &mut Vm) -> Result<(), HprofError> {
        self.write(vm, self.options.at_exit)
    }
    /// Writes the file, with what was gathered so far or without.
    fn write(&self, vm: &mut Vm, all: bool) -> Result<(), HprofError> {
        let path = &self.path;
        if self.options.sites || self.options.dump {
            vm.collect_garbage(true);
        }
        let verbose = |text: &str| {
            if self.options.verbose && all {
                print!("{text}");
            }
        };
        let mut reported = String::new();
        if self.options.dump {
            reported.push_str(" Java heap ...");
        }
        if self.options.sites {
            reported.push_str(" allocation sites ...");
        }
        match self.options.cpu {
            Cpu::Samples => reported.push_str(" CPU usage by sampling running threads ..."),
            Cpu::Times => reported.push_str(" CPU usage by timing methods ..."),
            Cpu::Old => reported.push_str(" CPU usage in old prof format ..."),
            Cpu::Off => {}
        }
        if self.options.monitor {
            reported.push_str(" contended monitor usage ...");
        }
        verbose(&format!("Dumping{reported}"));
        let written = match self.options.binary {
            true => self.binary(vm, path, all),
            false => {
                let text = self.text(vm, path, all)?;
                std::fs::write(path, text).map_err(|e| HprofError::File(FileError::at(path)(e)))
            }
        };
        verbose(" done.\n");
        written
    }
    fn binary(&self, vm: &mut Vm, path: &str, all: bool) -> Result<(), HprofError> {
        let samples = (self.options.cpu == Cpu::Samples).then(|| {
            let rows = held(&self.gathered).samples.rows();
            rows.into_iter().map(|(trace, n)| (n, trace)).collect()
        });
        let contents = DumpContents {
            heap: self.options.dump && all,
            samples,
            gzip: None,
        };
        heap::write(vm, path, &contents)
    }
    /// The samples of each trace.
    fn sampled(&self) -> Vec<text::TraceCost> {
        let rows = held(&self.gathered).samples.rows().into_iter();
        let cost = |(trace, n)| text::TraceCost {
            trace,
            count: n,
            cost: n,
        };
        rows.map(cost).collect()
    }
    fn text(&self, vm: &mut Vm, path: &str, all: bool) -> Result<String, HprofError> {
        let now = vm.wall_clock().0;
        let mut out = String::new();
        if self.options.cpu == Cpu::Old {
            if all {
                cpu::old(vm, &mut out);
            }
            return Ok(out);
        }
        text::header(&mut out, self.began);
        out.push_str(&held(&self.gathered).lines);
        if !all {
            return Ok(out);
        }
        let mut sites = self.sites.lock();
        // all that is counted has its trace, before any is written
        let times = match self.options.cpu {
            Cpu::Times => cpu::times(vm, sites.traces()),
            _ => Vec::new(),
        };
        text::traces(&mut out, sites.traces());
        if self.options.dump {
            drop(sites);
            heap::text(vm, path, now, &mut out)?;
            sites = self.sites.lock();
        }
        if self.options.sites {
            text::sites(&mut out, &sites, self.options.cutoff, now);
        }
        let costs = match self.options.cpu {
            Cpu::Samples => Some(("CPU SAMPLES", self.sampled())),
            Cpu::Times => Some(("CPU TIME (ms)", times)),
            Cpu::Off | Cpu::Old => None,
        };
        if let Some((name, rows)) = costs {
            let (traces, cutoff) = (sites.traces(), self.options.cutoff);
            text::costs(&mut out, name, &rows, traces, cutoff, now);
        }
        if self.options.monitor {
            let gathered = held(&self.gathered);
            gathered.monitors.write(&mut out, self.options.cutoff, now);
            drop(gathered);
            monitors::dump(vm, sites.traces(), &mut out);
        }
        Ok(out)
    }
}

impl Observer for HprofListener {
    fn events(&self) -> EventSet {
        self.wants
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        let mut gathered = held(&self.gathered);
        let g = &mut *gathered;
        match event {
            // the first thread has no object, and no name, until the class library has started
            Event::ThreadStarted(t) if text::thread_object(seen, t) == 0 => g.nameless.push(t),
            Event::Initialized => {
                for t in std::mem::take(&mut g.nameless) {
                    g.started(seen, t);
                }
            }
            Event::ThreadStarted(t) => g.started(seen, t),
            Event::ThreadEnded(t) => {
                let _ = writeln!(g.lines, "THREAD END (id = {})", serial(t));
            }
            Event::ClassUnloaded(_) => self.sites.lock().traces().forget_methods(),
            Event::Sampled(sample) => {
                let frames = sample.stack.iter().rev().copied();
                let trace = self
                    .sites
                    .lock()
                    .traces()
                    .trace(seen, sample.thread, frames);
                g.samples.count(trace);
            }
            event => g.monitors.event(seen, &self.sites, event, &mut g.lines),
        }
    }
}
