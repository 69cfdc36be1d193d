//! What a command line asks for, once it is read.

use super::jfr::options::{RecorderOptions, RequestedRecording};
use super::jfr::recordings::Recordings;
use super::names::EarlierFile;
use super::settings::places::{StopAt, StopSettings};
use super::settings::{probes, search, why, window};
use super::taken::sum::FilteredSamples;
use super::xx::state::{COMMAND_LINE, OptionState};
use crate::sources::SourcePath;
use rjvm_jdk_stubs::creation::Creator;
use rjvm_profiler::export::Output;
use rjvm_profiler::{Filter, Threads, View};
use rjvm_run::profile::Scope;
use rjvm_vm::events::EventSet;
use rjvm_vm::vm::{Options, ProfileMode, TierMode};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The program to start, and the meaning of its name (`sun.launcher.LauncherHelper`'s modes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// A class of the class path.
    #[default]
    Class = 1,
    /// A jar file's main class.
    Jar = 2,
    /// `module[/class]`.
    Module = 3,
    /// A source file.
    Source = 4,
}

/// A task instead of running a program, or before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchTask {
    /// Run the program.
    Run,
    /// Load and check the main class only.
    DryRun,
    /// Check the modules only.
    ValidateModules,
    /// Print the version: to standard error (`-version`) or output (`--version`).
    Version(Stream),
    /// Write one of the jars inside the program, and end.
    Api(PathBuf, &'static [u8]),
    /// Print the JDK's full version and end.
    FullVersion(Stream),
    /// Print the version of this VM and end.
    InternalVersion,
    /// Print the defaults of the `-XX:` options and end.
    Flags,
    /// Print what can be logged and end.
    LogHelp,
    /// Print the usage and end.
    Help(Stream),
    /// Print the extra options and end.
    ExtraHelp(Stream),
    /// Print all options.
    AllHelp(Stream),
    /// Print the options of HPROF and end.
    HprofHelp,
    /// Print what `-agentlib:jdwp` takes.
    DebuggerHelp,
    /// Print the language of probes and end.
    ProbeHelp,
    /// Print the observable modules and end.
    ListModules,
    /// Describe a module and end.
    DescribeModule(String),
}

impl LaunchTask {
    /// Whether options after the one that asks for this are not looked at.
    pub fn ends_reading(&self) -> bool {
        matches!(
            self,
            LaunchTask::Version(_)
                | LaunchTask::FullVersion(_)
                | LaunchTask::InternalVersion
                | LaunchTask::Flags
                | LaunchTask::LogHelp
                | LaunchTask::Help(_)
                | LaunchTask::ExtraHelp(_)
                | LaunchTask::AllHelp(_)
                | LaunchTask::HprofHelp
                | LaunchTask::DebuggerHelp
                | LaunchTask::Api(..)
        )
    }
}

/// Where text for people goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// Which options have an effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OptionScope {
    /// All.
    #[default]
    All,
    /// Those of reports; others are refused: for a replay.
    Reports,
    /// Those that are not for reports: of a recorded command line.
    Execution,
}

/// A command line, read.
#[derive(Clone, Debug)]
pub struct Config {
    /// Settings of the VM; its properties are complete only after [`Config::complete`].
    pub vm: Options,
    /// `--java-home`
    pub java_home: Option<PathBuf>,
    /// Bytes of the heap that `-Xms` asks for.
    pub initial_heap: Option<u64>,
    /// `-Xmx` was given.
    pub max_heap_given: bool,
    /// `-XX:MaxRAMPercentage`
    pub heap_share: Option<f64>,
    /// Value of `-cp`, or of `CLASSPATH`, wildcards not yet expanded.
    pub class_path: Option<String>,
    /// How `what` is meant.
    pub mode: Mode,
    /// Main class, jar file, module or source file.
    pub what: Option<String>,
    /// The program's arguments.
    pub args: Vec<String>,
    /// The program is C code, which has created the VM.
    pub creator: Option<Creator>,
    /// The task.
    pub task: LaunchTask,
    /// What the `-XX:` options have come to.
    pub xx: OptionState,
    /// Where the options that are being read come from.
    pub origin: &'static str,
    /// Print the version first (`-showversion`, `--show-version`).
    pub show_version: Option<Stream>,
    /// `-XshowSettings[:category]`: the option as given.
    pub show_settings: Option<String>,
    /// Serve signals (not with `-Xrs`).
    pub signals: bool,
    /// The management agent starts with the VM (`-Dcom.sun.management...`).
    pub management: bool,
    /// The JDK's tools may attach (not with `-XX:+DisableAttachMechanism`).
    pub attachable: bool,
    /// `--serve`: the port, 0 for any.
    pub serve: Option<u16>,
    /// A file reports `jps` of the VM (not with `-XX:-UsePerfData`).
    pub perf_data: bool,
    /// Options of the VM that are unknown are passed over.
    pub ignore_unrecognized: bool,
    /// What the profile shows.
    pub view: View,
    /// The contexts to hide in it.
    pub filter: Filter,
    /// `--natives` was given.
    pub natives_given: bool,
    /// Whose execution the profile shows.
    pub scope: Scope,
    /// Show a status line while the program runs.
    pub status: bool,
    /// Files the profile is written to.
    pub outputs: Vec<Output>,
    /// Do their names come from the environment, and so for other VMs as well? Files that are there are
    /// not overwritten then.
    pub outputs_are_shared: bool,
    /// The files that are to be written, as they are when the program begins.
    pub before: Vec<EarlierFile>,
    /// What filters have made of contexts while the program ran.
    pub taken: FilteredSamples,
    /// Questions that probes answer.
    pub probes: probes::ProbeSettings,
    /// Files the samples are written to.
    pub sample_outputs: Vec<Output>,
    /// File that each single sample is written to.
    pub sample_log: Option<PathBuf>,
    /// Whether contention is reported, and where its table is written to.
    pub locks: bool,
    /// See there.
    pub locks_file: Option<PathBuf>,
    /// Events that are written as lines of text, where, and with how many frames of the stack each.
    pub events: EventSet,
    /// See there.
    pub events_file: Option<PathBuf>,
    /// See there.
    pub events_depth: usize,
    /// Version of the JDK that was found.
    pub jdk_version: String,
    /// `--threads` was given.
    pub threads_given: bool,
    /// `--min-percent` in hundredths
    pub least: u64,
    /// `--max-nodes`
    pub most: Option<u64>,
    /// `--no-prune`
    pub unpruned: bool,
    /// `--source-path`
    pub source_path: Option<String>,
    /// `--lines`
    pub lines: bool,
    /// `--bba`
    pub bba: Option<rjvm_run::blocks::Bba>,
    /// `--replay`
    pub replay: Option<rjvm_explore::schedule::Schedule>,
    /// `--explorable`
    pub explorable: bool,
    /// The text of that schedule; of a recorded run it is known before.
    pub schedule: Option<String>,
    /// `--faults`
    pub faults: Option<rjvm_hosts::faults::Plan>,
    /// `--record`
    pub record: Option<PathBuf>,
    /// Which options have an effect.
    pub only: OptionScope,
    /// `--dump-classes`
    pub dump_classes: Option<PathBuf>,
    /// `--sample-sites`
    pub sample_sites: bool,
    /// No summary, no notes.
    pub quiet: bool,
    /// `--tier-report`
    pub tier_report: bool,
    /// `--tier=verify`
    pub tier_verify: bool,
    /// `-XX:+PrintCompilation`
    pub print_compilation: bool,
    /// `--perf-map`
    pub perf_map: bool,
    /// `-XX:+DumpPerfMapAtExit`
    pub perf_map_at_exit: bool,
    /// The program continues after the report.
    pub goes_on: bool,
    /// Files that could not be written are reported here; by default on standard error.
    pub problems: Option<Arc<Mutex<Vec<String>>>>,
    /// `--stop-at`
    pub stops: Vec<StopAt>,
    /// `--profile-from`, `--profile-window`
    pub window: window::Window,
    /// `--stop-output`
    pub stop_output: Option<StopSettings>,
    /// `--stop-then=continue`
    pub stops_go_on: bool,
    /// Names of rjvm's own options that were given.
    pub given: Vec<&'static str>,
    /// The options of `rjvm search`.
    pub search: Option<search::SearchSettings>,
    /// The options of `rjvm why`.
    pub why: Option<why::WhySettings>,
    /// The debugger that may attach.
    pub debugger: Option<rjvm_debug::jdwp::Options>,
    /// The requested HPROF output.
    pub hprof: Option<super::hprof::options::Options>,
    /// Java agents, and others, in their order.
    pub agents: Vec<super::settings::agents::AgentOption>,
    /// Flight recordings that begin with the VM.
    pub flight_recordings: Vec<RequestedRecording>,
    /// `-XX:FlightRecorderOptions`
    pub flight_recorder: RecorderOptions,
    /// Flight recordings that are under way.
    pub recordings: Recordings,
    /// Class of the profiling agent.
    pub agent: Option<String>,
    /// The words of the command line up to the program's arguments.
    pub command: Vec<String>,
    /// Notes for the user: options without effect.
    pub notes: Vec<String>,
    /// `--deterministic`: the seed.
    pub deterministic: Option<u64>,
    /// `--check-determinism`: how often the program is run.
    pub check: Option<u32>,
    /// `--env`: variables of the program's environment.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// Numbers of the repeatable module options used so far, by property.
    pub counters: Vec<(&'static str, usize)>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            vm: Options {
                java_agents: true,
                tier: TierMode::On,
                interpreted_mode: false,
                ..Options::new("")
            },
            java_home: None,
            initial_heap: None,
            max_heap_given: false,
            heap_share: None,
            class_path: None,
            mode: Mode::Class,
            creator: None,
            what: None,
            args: Vec::new(),
            task: LaunchTask::Run,
            xx: Default::default(),
            origin: COMMAND_LINE,
            show_version: None,
            show_settings: None,
            signals: true,
            management: false,
            attachable: true,
            perf_data: true,
            serve: None,
            ignore_unrecognized: false,
            view: View {
                call_sites: false,
                threads: Threads::Merged,
                ..View::default()
            },
            filter: Filter::default(),
            natives_given: false,
            scope: Scope::Main,
            status: false,
            outputs: Vec::new(),
            outputs_are_shared: false,
            before: Vec::new(),
            taken: Default::default(),
            probes: Default::default(),
            sample_outputs: Vec::new(),
            sample_log: None,
            locks: false,
            locks_file: None,
            events: EventSet::NONE,
            events_file: None,
            events_depth: 0,
            jdk_version: String::new(),
            threads_given: false,
            least: 0,
            most: None,
            unpruned: false,
            source_path: None,
            lines: false,
            bba: None,
            replay: None,
            explorable: false,
            schedule: None,
            faults: None,
            record: None,
            only: OptionScope::All,
            dump_classes: None,
            sample_sites: false,
            quiet: false,
            tier_report: false,
            tier_verify: false,
            print_compilation: false,
            perf_map: false,
            perf_map_at_exit: false,
            goes_on: false,
            problems: None,
            stops: Vec::new(),
            window: Default::default(),
            stop_output: None,
            stops_go_on: false,
            given: Vec::new(),
            search: None,
            why: None,
            debugger: None,
            hprof: None,
            agents: Vec::new(),
            flight_recordings: Vec::new(),
            flight_recorder: Default::default(),
            recordings: Default::default(),
            agent: None,
            command: Vec::new(),
            notes: Vec::new(),
            deterministic: None,
            check: None,
            environment: Vec::new(),
            counters: Vec::new(),
        }
    }
}

impl Config {
    /// Whether a program is run: nothing is only printed or checked.
    pub fn runs(&self) -> bool {
        self.task == LaunchTask::Run
    }
    /// Signals are not served, and the program may not handle those that end it; or both again.
    pub fn reduce_signals(&mut self, on: bool) {
        (self.signals, self.vm.reduce_signals) = (!on, on);
    }
    /// Whether the run yields a profile.
    pub fn profiles(&self) -> bool {
        self.vm.profile != ProfileMode::Off || self.vm.sample_every.is_some() || self.locks
    }
    /// Settings of the VM of an agent. Where the program is a jar file, its agent may come from the
    /// class path, which the program itself does not see.
    pub fn of_agent(&self) -> Options {
        let mut options = self.vm.clone();
        // nobody stops it, or looks at its path
        (options.inspectable, options.traces_path) = (false, false);
        options.places.clear();
        if let (Mode::Jar, Some(path), Some(jar)) = (self.mode, &self.class_path, &self.what) {
            let path = format!("{}:{jar}", expanded(path));
            options.properties.push(("java.class.path".into(), path));
        }
        options
    }
    /// Where source files are looked for: in what `--source-path` names, where the program lies, and in
    /// the JDK.
    pub fn all_sources(&self) -> SourcePath {
        // What cannot be opened any more was there when the command line was read.
        let path = self.source_path.as_deref().unwrap_or_default();
        let mut all = SourcePath::open(path).unwrap_or_default();
        if let (Mode::Source, Some(file)) = (self.mode, self.args.first()) {
            all.add_file(file.into());
        }
        let class_path = |p: &&(String, String)| p.0 == "java.class.path";
        if let Some((_, path)) = self.vm.properties.iter().rev().find(class_path) {
            all.add_class_path(path);
        }
        all.add_jdk(&self.vm.java_home);
        all
    }
    /// The program's name: of a jar or source file without its folder.
    pub fn program(&self) -> String {
        let name = match (self.mode, self.args.first()) {
            (Mode::Source, Some(file)) => file.as_str(),
            _ => self.what.as_deref().unwrap_or_default(),
        };
        match self.mode {
            Mode::Class | Mode::Module => name.into(),
            Mode::Jar | Mode::Source => {
                let file = std::path::Path::new(name).file_name();
                file.unwrap_or_default().to_string_lossy().into_owned()
            }
        }
    }
    /// Whether the main class is one of the class path, and is not there.
    pub fn lacks_main_class(&self) -> bool {
        let (Mode::Class, Some(class)) = (self.mode, &self.what) else {
            return false;
        };
        let file = format!("{}.class", class.replace('.', "/"));
        let path = self.class_path.as_deref().unwrap_or(".");
        let class_path = rjvm_vm::classpath::ClassPath::open(path);
        !matches!(class_path.find(&file), Ok(Some(_)))
    }
    /// Adds a system property.
    pub fn property(&mut self, key: &str, value: &str) {
        self.vm.properties.push((key.into(), value.into()));
    }
    /// Adds the next of the numbered properties `key.0`, `key.1` …
    pub fn numbered(&mut self, key: &'static str, value: &str) {
        let n = match self.counters.iter_mut().find(|c| c.0 == key) {
            Some(c) => {
                c.1 += 1;
                c.1 - 1
            }
            None => {
                self.counters.push((key, 1));
                0
            }
        };
        self.property(&format!("{key}.{n}"), value);
    }
    /// Settles what depends on the JDK that has been found.
    pub fn settle(&mut self, feature: u32) {
        if self.mode != Mode::Source || feature < 22 {
            return;
        }
        self.what = Some(SOURCE_LAUNCHER_22.into());
        let properties = self.vm.properties.iter_mut();
        for (_, value) in properties.filter(|p| p.0 == "sun.java.command") {
            *value = value.replacen(SOURCE_LAUNCHER, SOURCE_LAUNCHER_22, 1);
        }
    }
}

/// A class path with `dir/*` replaced by the jar files there.
pub fn expanded(path: &str) -> String {
    rjvm_vm::classpath::expand_wildcards(path)
        .to_string_lossy()
        .into_owned()
}

/// The main class of source launch, in the module of the JDK's compiler; until 21, and since 22.
pub const SOURCE_LAUNCHER: &str = "jdk.compiler/com.sun.tools.javac.launcher.Main";
const SOURCE_LAUNCHER_22: &str = "jdk.compiler/com.sun.tools.javac.launcher.SourceLauncher";
