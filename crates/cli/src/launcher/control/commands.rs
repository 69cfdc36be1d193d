//! Diagnostic commands, those of `jcmd`: one table with name, help and effect.

use super::date::date;
use super::error::{CommandError, CommandLineError, NoLevel};
use super::known::{CommandContext, CommandOutcome, CommandSource};
use super::operations::{dump_heap, gzip_level, histogram, threads};
use super::parse::{CommandArguments, CommandSyntax, Parameter, argument, option, switch, text};
use super::probes;
use super::profile;
use super::properties;
use super::samples;
use crate::invalid::InvalidValue;
use crate::launcher::config::Config;
use crate::launcher::event_log::EventLog;
use crate::launcher::jfr;
use crate::launcher::probes::ProbeError;
use rjvm_jdk_stubs::com_sun_management::flag::{self, NotSet};
use rjvm_vm::Vm;
use rjvm_vm::jdk::{self, JdkMethod, calls};
use rjvm_vm::threads::pending_requests::{CommandInfo, LibraryCall, ParameterInfo};
use std::fmt::Write;
use std::path::Path;

/// A command.
struct Command {
    name: &'static str,
    /// What it does, for people.
    about: &'static str,
    /// How much it disturbs the program.
    impact: &'static str,
    takes: CommandSyntax,
    run: CommandAction,
}

/// What a command does.
enum CommandAction {
    /// Its answer is ready at once.
    Here(fn(&mut Vm, &mut CommandContext, &CommandArguments) -> Result<String, CommandError>),
    /// A thread of the system's calls methods of the class library, for who asks from outside only.
    InJava(fn(&CommandArguments) -> Vec<LibraryCall>),
    /// An agent is loaded: its file and its options. For who asks from outside only.
    Agent(fn(&CommandArguments) -> (String, Option<String>)),
}

macro_rules! commands {
    ($( $name:literal, $about:literal, $impact:literal, [$($argument:expr),*], [$($option:expr),*], $how:ident $run:expr; )*) => {
        /// All commands by name.
        static COMMANDS: &[Command] = &[$( Command {
            name: $name, about: $about, impact: $impact,
            takes: CommandSyntax {
                arguments: { const A: &[Parameter] = &[$($argument),*]; A },
                options: { const O: &[Parameter] = &[$($option),*]; O },
            },
            run: CommandAction::$how($run),
        } ),*];
    };
}

/// The answer of a command that is to do something. `jcmd` has its own words for it.
const DONE: &str = "";

commands! {
    "Events.disable", "Stops writing events of these kinds, or all events.", "Low",
        [argument("kinds", false, "thread-start,gc ...; default: all kinds")], [],
        Here |vm, known, given| Ok(known.events.clone().with(|log| EventLog::disable(vm, log, given.value("kinds")))?);
    "Events.enable", "Starts writing a line for each event of these kinds.",
        "Depends on the number of events: low for threads, classes, gc, monitors; high for methods and objects.",
        [argument("kinds", true, "thread, class, gc, monitor, park, method, object, all, or single events: thread-start,gc")],
        [option("filename", "STRING", None, "The file; default: standard error of the program"),
         option("depth", "INT", None, "Frames of the stack below each event")],
        Here enable_events;
    "Events.status", "Shows which events are written, and to which file.", "Low", [], [],
        Here |_, known, _| Ok(known.events.with(|log| EventLog::status(log.as_ref())));
    "GC.class_histogram", "Counts the objects of each class and their bytes.",
        "High: walks through the heap, after a full collection without -all.",
        [],
        [switch("-all", "Also count unreachable objects, without a collection first"),
         option("-parallel", "INT", Some("0"), "Number of threads that count; rjvm always uses one")],
        Here |vm, _, given| Ok(histogram(vm, !given.is_on("-all")));
    "GC.heap_dump", "Writes all objects to a file in HPROF's binary format.",
        "High: walks through the heap, after a full collection without -all.",
        [argument("filename", true, "The file")],
        [switch("-all", "Also write unreachable objects, without a collection first"),
         option("-gz", "INT", None, "Compress the file with this level, from 1 (fastest) to 9; rjvm heap reads compressed dumps"),
         switch("-overwrite", "Replace an existing file")],
        Here |vm, _, given| {
            let gzip = match given.value("-gz").map(gzip_level).transpose() {
                Ok(gzip) => gzip,
                // HotSpot says that as if it were the result
                Err(e @ NoLevel::Range(_)) => return Ok(format!("{e}\n")),
                Err(NoLevel::Number(text)) => return Err(CommandLineError::Value("Integer", "-gz", text).into()),
            };
            let file = given.value("filename").unwrap_or_default();
            if given.is_on("-overwrite") {
                // if that is refused, the dump says why
                let _ = std::fs::remove_file(file);
            }
            Ok(dump_heap(vm, file, !given.is_on("-all"), gzip))
        };
    "GC.heap_info", "Shows the size and use of the heap's spaces and of class metadata.", "Low",
        [], [], Here |vm, _, _| Ok(vm.heap_spaces());
    "GC.run", "Collects all unreachable objects, as java.lang.System.gc() does.",
        "Medium: depends on the size of live objects.",
        [], [], Here |vm, _, _| { vm.collect_garbage(true); Ok(DONE.into()) };
    "JFR.check", "Shows the active flight recordings.", "Low",
        [], [option("name", "STRING", None, "Show only this recording"), switch("verbose", "Show the settings of each event")],
        Here |_, known, given| Ok(jfr::check(&known.config, given.value("name"), given.is_on("verbose"))?);
    "JFR.dump", "Writes the data of a flight recording so far to a file.", "Low",
        [], [option("name", "STRING", None, "The recording; needed if there are several"),
             option("filename", "STRING", None, "The file"),
             option("maxage", "STRING", None, "Leave out older data: 10m"),
             option("maxsize", "STRING", None, "Limit the data to this size: 100M")],
        Here |vm, known, given| {
            let limits = (given.value("maxage"), given.value("maxsize"));
            Ok(jfr::dump(vm, &known.config, given.value("name"), given.value("filename"), limits)?)
        };
    "JFR.start", "Starts a flight recording.", "Medium: depends on the recorded events.",
        [argument("event settings", false, "jdk.ThreadPark#threshold=10ms,...")],
        [option("name", "STRING", None, "A name for it"),
         option("settings", "STRING", None, "default, profile, none or a .jfc file; default: all events"),
         option("filename", "STRING", None, "File to write when the recording ends"),
         option("delay", "STRING", None, "Delay before it starts: 10s"),
         option("duration", "STRING", None, "Duration: 60s"),
         option("maxage", "STRING", None, "Keep only data of this age: 10m"),
         option("maxsize", "STRING", None, "Keep at most this much data: 250M"),
         option("dumponexit", "STRING", None, "Write it when the program ends; default: true if it has a file"),
         option("disk", "STRING", None, "Accepted, without effect: full chunks are always in a file"),
         option("flush-interval", "STRING", None, "Accepted"),
         option("path-to-gc-roots", "STRING", None, "Accepted: see GC.heap_dump")],
        Here |vm, known, given| {
            let written = |(name, value): (&str, &str)| match name {
                "event settings" => value.to_owned(),
                name => format!("{name}={value}"),
            };
            let words: Vec<String> = given.all().map(written).collect();
            Ok(jfr::start_by_command(vm, &known.config, &words.join(","))?)
        };
    "JFR.stop", "Stops a flight recording, and writes it if it has a file.", "Low",
        [], [option("name", "STRING", None, "The recording; needed if there are several"),
             option("filename", "STRING", None, "The file")],
        Here |vm, known, given| Ok(jfr::stop(vm, &known.config, given.value("name"), given.value("filename"))?);
    "JVMTI.agent_load", "Loads an agent in a jar.", "Low",
        [argument("library path", true, "The jar"), argument("agent option", false, "Options for the agent")], [],
        Agent |given| (given.value("library path").unwrap_or_default().into(), given.value("agent option").map(str::to_owned));
    "ManagementAgent.start", "Starts the management agent for remote connections.", "Low: requests of clients take time from the program.",
        [], [option("config.file", "STRING", None, "File with settings: com.sun.management.config.file"),
             option("jmxremote.host", "STRING", None, "Address to listen on"),
             option("jmxremote.port", "STRING", None, "The port of the registry"),
             option("jmxremote.rmi.port", "STRING", None, "The port of the connector"),
             option("jmxremote.ssl", "STRING", None, "Encrypt connections"),
             option("jmxremote.registry.ssl", "STRING", None, "Encrypt connections of the registry"),
             option("jmxremote.authenticate", "STRING", None, "Require a password from clients"),
             option("jmxremote.password.file", "STRING", None, "The file with passwords"),
             option("jmxremote.access.file", "STRING", None, "File with the permissions of each user"),
             option("jmxremote.login.config", "STRING", None, "JAAS entry that authenticates, instead of a file"),
             option("jmxremote.ssl.enabled.cipher.suites", "STRING", None, "Cipher suites"),
             option("jmxremote.ssl.enabled.protocols", "STRING", None, "Protocols"),
             option("jmxremote.ssl.need.client.auth", "STRING", None, "Require a certificate from clients"),
             option("jmxremote.ssl.config.file", "STRING", None, "A file with settings of SSL"),
             option("jmxremote.autodiscovery", "STRING", None, "Announce the agent by multicast"),
             option("jdp.port", "STRING", None, "Port of the announcements"),
             option("jdp.address", "STRING", None, "Their address"),
             option("jdp.source_addr", "STRING", None, "Source address of the announcements"),
             option("jdp.ttl", "STRING", None, "Time to live of the announcements"),
             option("jdp.pause", "STRING", None, "Seconds between announcements"),
             option("jdp.name", "STRING", None, "Name in the announcements")],
        InJava |given| agent(calls::agent::START_REMOTE, Some(agent_options(given)));
    "ManagementAgent.start_local", "Starts the management agent for connections from this machine.", "Low: requests of clients take time from the program.",
        [], [], InJava |_| agent(calls::agent::START_LOCAL, None);
    "ManagementAgent.status", "Shows whether the management agent runs, and with which settings.", "Low",
        [], [], InJava |_| agent(calls::agent::STATUS, None);
    "ManagementAgent.stop", "Stops the management agent for remote connections.", "Low",
        [], [], InJava |_| agent(calls::agent::STOP_REMOTE, None);
    "Probe.add", "Adds a probe to the running program, in the language of --probe.",
        "Depends on the probe: each event takes tens of nanoseconds.",
        [text("probe", "The probe: entry:com.x.Shop::order { @[arg0] = count() }")], [],
        Here |vm, known, given| {
            let added = probes::add(vm, known, "Probe.add", given.value("probe").unwrap_or_default());
            // jcmd makes one line of all
            Ok(added.map_err(ProbeError::in_one_line)?)
        };
    "Probe.list", "Lists the probes by number.", "Low", [], [],
        Here |_, known, _| Ok(probes::list(known));
    "Probe.print", "Shows the results of probes so far.", "Low",
        [argument("number", false, "Number of the probe; default: all probes")], [],
        Here |vm, known, given| Ok(probes::reported(vm, known, given.value("number"))?);
    "Probe.remove", "Removes a probe from the program, and shows its results.", "Low",
        [argument("number", true, "Number of the probe")], [],
        Here |vm, known, given| Ok(known.probes.remove(vm, given.value("number").unwrap_or_default())?);
    "Profile.dump", "Writes the profile so far to a file, in the format of its extension.",
        "Medium: depends on the number of contexts.",
        [argument("filename", true, "The file: x.html, x.rjp, x.txt, x.folded, x.pb.gz ...")],
        [option("include", "STRING", None, "Show only methods of these classes: a.B, a.*, a.., a.B::m"),
         option("exclude", "STRING", None, "Fold methods of these classes into their callers"),
         option("max-depth", "STRING", None, "Fold deeper contexts into their callers"),
         option("view", "STRING", None, "full, app or app-only"),
         option("scope", "STRING", None, "main or all"),
         option("threads", "STRING", None, "merged, name or apart"),
         option("natives", "STRING", None, "on or off"),
         option("min-percent", "STRING", None, "Group contexts with a smaller percentage by package"),
         option("max-nodes", "STRING", None, "Write at most this number of contexts")],
        Here profile::dump;
    "Profile.reset", "Resets all counts of the profile to 0.", "Low", [], [], Here |vm, known, _| profile::reset(vm, known);
    "Profile.start", "Starts recording calling contexts, also for calls in progress.",
        "Low: the program takes up to a third more time until Profile.stop.",
        [], [option("mode", "STRING", Some("exact"), "exact, or callsites: a context for each call site")],
        Here |vm, _, given| profile::start(vm, given);
    "Profile.status", "Shows whether contexts are recorded, and their number.", "Low", [], [],
        Here |vm, _, _| Ok(profile::status(vm));
    "Profile.stop", "Stops recording contexts; counts so far stay.", "Low", [], [], Here |vm, known, _| profile::stop(vm, known);
    "Samples.dump", "Writes the samples so far to a file, in the format of their extension.",
        "Medium: depends on the number of contexts.",
        [argument("filename", true, "The file: x.html, x.rjp, x.txt, x.folded, x.pb.gz ...")], [],
        Here samples::dump;
    "Samples.granularity", "Shows or changes the number of bytecodes between samples.", "Low",
        [argument("granularity", false, "N; or N+r, which adds a random number below r; or off")], [],
        Here samples::granularity;
    "Thread.dump_to_file", "Writes all threads, also virtual ones, with their stacks to a file. Since JDK 21.",
        "Medium: depends on the number of threads.",
        [argument("filepath", true, "The file")],
        [switch("-overwrite", "Replace an existing file"), option("-format", "STRING", Some("plain"), "plain or json")],
        InJava dump_threads;
    "Thread.vthread_pollers", "Shows the threads that wait for sockets on behalf of virtual threads. Since JDK 24.", "Low",
        [], [], InJava |_| virtual_threads(calls::jcmd_vthread_commands::PRINT_POLLERS.callee());
    "Thread.vthread_scheduler", "Shows the scheduler of virtual threads. Since JDK 24.", "Low",
        [], [], InJava |_| virtual_threads(calls::jcmd_vthread_commands::PRINT_SCHEDULER.callee());
    "Thread.print", "Shows all threads with their stacks, their locks and their waits.",
        "Medium: depends on the number of threads and the depth of their stacks.",
        [],
        [switch("-l", "Also show the locks of java.util.concurrent that each thread holds"),
         switch("-e", "Accepted, without effect: all details of threads are always shown")],
        Here |vm, _, given| Ok(threads(vm, given.is_on("-l")));
    "VM.command_line", "Shows the command line of the VM.", "Low",
        [], [], Here |_, known, _| Ok(command_line(&known.config));
    "VM.flags", "Shows HotSpot's options that apply to rjvm and differ from their defaults.", "Low",
        [], [switch("-all", "Show all of them")], Here |vm, _, given| Ok(flags(vm, given.is_on("-all")));
    "VM.metaspace", "Shows the size and use of class metadata.", "Low",
        [], [switch("basic", "Accepted, without effect: rjvm always shows these figures")],
        Here |vm, _, _| Ok(vm.metadata_spaces());
    "VM.set_flag", "Changes the value of a writeable option while the program runs.", "Low",
        [argument("flag name", true, "The option"), argument("string value", false, "Its value")], [],
        Here |vm, _, given| Ok(set_flag(vm, given));
    "VM.system_properties", "Shows the system properties.", "Low",
        [], [], Here |vm, _, _| Ok(properties::of_system(vm));
    "VM.uptime", "Shows how long the VM has been running.", "Low",
        [], [switch("-date", "Also print the current time")], Here |vm, _, given| Ok(uptime(vm, given));
    "VM.version", "Shows the version of the VM and of the class library.", "Low",
        [], [], Here |_, known, _| Ok(version(known));
    "help", "Lists all commands, or shows help on one.", "Low",
        [argument("command name", false, "The command")], [switch("-all", "Also show what each command does")],
        Here |_, known, given| Ok(help(known, given));
}

impl Command {
    /// Whether HotSpot of this version has it, or it is rjvm's own.
    fn is_of(&self, feature: u32) -> bool {
        match self.name {
            "Thread.dump_to_file" => feature >= 21,
            "Thread.vthread_pollers" | "Thread.vthread_scheduler" => feature >= 24,
            _ => true,
        }
    }
    /// Whether HotSpot has none of this name, or one that is about how the run is looked at.
    fn is_report(&self) -> bool {
        let of = ["Events.", "JFR.", "Probe.", "Profile.", "Samples."];
        of.iter().any(|prefix| self.name.starts_with(prefix))
    }
    /// Whether it may be given; HotSpot keeps some from programs.
    fn is_for(&self, asker: CommandSource) -> bool {
        match asker {
            CommandSource::Tool => true,
            CommandSource::Program { repeatable } => {
                let outside = match self.run {
                    CommandAction::Here(_) => self.name == "GC.heap_dump",
                    CommandAction::InJava(_) | CommandAction::Agent(_) => true,
                };
                !(outside || repeatable && self.is_report())
            }
        }
    }
    /// The permission for it, as on HotSpot.
    fn permission(&self) -> Option<[&'static str; 3]> {
        const MANAGEMENT: &str = "java.lang.management.ManagementPermission";
        const PROPERTY: &str = "java.util.PropertyPermission";
        match self.name {
            "GC.run" | "help" | "VM.uptime" => None,
            "VM.version" => Some([PROPERTY, "java.vm.version", "read"]),
            "VM.system_properties" => Some([PROPERTY, "*", "read"]),
            "VM.set_flag" => Some([MANAGEMENT, "control", ""]),
            _ => Some([MANAGEMENT, "monitor", ""]),
        }
    }
}

/// The commands as programs see them.
pub fn list(known: &CommandContext, asker: CommandSource) -> Vec<CommandInfo> {
    let parameter = |p: &Parameter, option: bool| ParameterInfo {
        name: p.name,
        about: p.about,
        kind: p.kind,
        default: p.default,
        mandatory: p.mandatory,
        option,
    };
    let info = |c: &Command| CommandInfo {
        name: c.name,
        about: c.about,
        impact: c.impact,
        permission: c.permission(),
        parameters: {
            let arguments = c.takes.arguments.iter().map(|p| parameter(p, false));
            arguments
                .chain(c.takes.options.iter().map(|p| parameter(p, true)))
                .collect()
        },
    };
    offered(known, asker).map(info).collect()
}

/// The commands that may be given on this JDK.
fn offered(known: &CommandContext, asker: CommandSource) -> impl Iterator<Item = &'static Command> {
    let feature = known.config.xx.version();
    let offered = move |c: &&Command| c.is_for(asker) && c.is_of(feature);
    COMMANDS.iter().filter(offered)
}

/// Runs a command line. `Err`: why it is refused.
pub fn run(
    vm: &mut Vm,
    known: &mut CommandContext,
    line: &str,
    asker: CommandSource,
) -> Result<CommandOutcome, CommandError> {
    let line = line.trim();
    let (mut name, mut rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    // since JDK 24, a command with one of these words is a request for help
    let helps = |word: &str| ["-h", "-help", "--help"].contains(&word);
    if known.config.xx.version() >= 24 && rest.split_whitespace().any(helps) {
        (name, rest) = ("help", name);
    }
    let Some(command) = offered(known, asker).find(|c| c.name == name) else {
        return Err(CommandError::Unknown);
    };
    let given = command.takes.read(rest)?;
    match command.run {
        CommandAction::Here(run) => {
            known.asker = asker;
            run(vm, known, &given).map(CommandOutcome::Text)
        }
        CommandAction::InJava(calls) => Ok(CommandOutcome::Calls(calls(&given))),
        CommandAction::Agent(agent) => {
            let (file, options) = agent(&given);
            Ok(CommandOutcome::Agent(file, options))
        }
    }
}

/// A call of the management agent's, in a module that may not be there yet.
fn agent(callee: JdkMethod, arg: Option<String>) -> Vec<LibraryCall> {
    let module = LibraryCall {
        class: jdk::modules::CLASS,
        callee: calls::modules::LOAD_MODULE,
        arg: Some(super::options::AGENT_MODULE.into()),
        switch: None,
    };
    let class = jdk::agent::CLASS;
    let call = LibraryCall {
        class,
        callee,
        arg,
        switch: None,
    };
    vec![module, call]
}

/// A dump of all threads by the class library.
fn dump_threads(given: &CommandArguments) -> Vec<LibraryCall> {
    let callee = match given.value("-format") {
        Some("json") => calls::thread_dumper::TO_JSON,
        _ => calls::thread_dumper::TO_TEXT,
    };
    vec![LibraryCall {
        class: jdk::thread_dumper::CLASS,
        callee: callee.callee(),
        arg: Some(given.value("filepath").unwrap_or_default().into()),
        switch: Some(given.is_on("-overwrite")),
    }]
}

/// What the class library says about virtual threads.
fn virtual_threads(callee: JdkMethod) -> Vec<LibraryCall> {
    vec![LibraryCall {
        class: jdk::jcmd_vthread_commands::CLASS,
        callee,
        arg: None,
        switch: None,
    }]
}

/// The options with which the agent is started.
fn agent_options(given: &CommandArguments) -> String {
    let all = given.all().map(|(name, value)| match value {
        "" => format!("com.sun.management.{name}"),
        value => format!("com.sun.management.{name}={value}"),
    });
    all.collect::<Vec<_>>().join(",")
}

fn enable_events(
    vm: &mut Vm,
    known: &mut CommandContext,
    given: &CommandArguments,
) -> Result<String, CommandError> {
    let depth = given.value("depth").map(|d| match d.parse() {
        Ok(n) if n <= 10_000 => Ok(n),
        _ => Err(InvalidValue::Named(
            format!("depth={d}"),
            "a number from 0 to 10000",
        )),
    });
    let kinds = given.value("kinds").unwrap_or_default();
    let file = given.value("filename").map(Path::new);
    let events = known.events.clone();
    let depth = depth.transpose()?;
    Ok(events.with(|log| EventLog::enable(vm, log, kinds, file, depth))?)
}

fn help(known: &CommandContext, given: &CommandArguments) -> String {
    let mut out = String::new();
    let mut all = offered(known, known.asker);
    if given.is_on("-all") {
        for c in all {
            let _ = writeln!(out, "{}\n\t{}\n", c.name, c.about);
        }
        return out;
    }
    let Some(name) = given.value("command name") else {
        out.push_str("The following commands are available:\n");
        for c in all {
            let _ = writeln!(out, "{}", c.name);
        }
        out.push_str("\nFor more information about a specific command use 'help <command>'.\n");
        return out;
    };
    match all.find(|c| c.name == name) {
        None => format!("Help unavailable : '{name}' : No such command\n"),
        Some(c) => format!(
            "{name}\n{}\n\nImpact: {}\n\n{}",
            c.about,
            c.impact,
            c.takes.help(name)
        ),
    }
}

fn command_line(config: &Config) -> String {
    let property = |name: &str| {
        let mut all = config.vm.properties.iter().rev();
        all.find(|p| p.0 == name).map_or("", |p| p.1.as_str())
    };
    let mut out = String::from("VM Arguments:\n");
    let args = &config.vm.arguments;
    if !args.is_empty() {
        let _ = writeln!(out, "jvm_args: {} ", args.join(" "));
    }
    let path = property("java.class.path");
    let path = if path.is_empty() { "<not set>" } else { path };
    let _ = writeln!(
        out,
        "java_command: {}\njava_class_path (initial): {path}\nLauncher Type: SUN_STANDARD",
        property("sun.java.command")
    );
    out
}

fn flags(vm: &mut Vm, all: bool) -> String {
    let flags = flag::shown(vm.env());
    if all {
        let mut out = String::from("[Global flags]\n");
        for f in flags {
            let manageable = if f.manageable {
                "manageable"
            } else {
                "product"
            };
            let _ = writeln!(
                out,
                "{:>9} {:<40} = {:<41} {{{manageable}}} {{{}}}",
                f.kind, f.name, f.value, f.origin
            );
        }
        return out;
    }
    let set = flags.iter().filter(|f| f.is_set);
    let mut written: String = set.map(|f| f.written() + " ").collect();
    written.push('\n');
    written
}

fn set_flag(vm: &mut Vm, given: &CommandArguments) -> String {
    let name = given.value("flag name").unwrap_or_default();
    let Some(value) = given.value("string value") else {
        return "flag value is missing\n".into();
    };
    match flag::set_text(vm.env(), name, value) {
        Ok(()) => DONE.into(),
        Err(NotSet::Unknown) => format!("flag {name} does not exist\n"),
        Err(NotSet::Fixed) => "only 'writeable' flags can be set\n".into(),
        Err(NotSet::Type) => format!("flag {name} does not accept the value {value}\n"),
    }
}

fn uptime(vm: &mut Vm, given: &CommandArguments) -> String {
    let env = vm.env();
    let seconds = (env.clock_ns() - env.started()) as f64 / 1e9;
    let date = match given.is_on("-date") {
        false => String::new(),
        true => {
            let (now, nanos) = vm.rooms().host.wall_clock();
            format!("{}.{:03}+0000: ", date(now, "-", "T"), nanos / 1_000_000)
        }
    };
    format!("{date}{seconds:.3} s\n")
}

fn version(known: &CommandContext) -> String {
    format!(
        "rjvm version {}\nJDK {}\n",
        env!("CARGO_PKG_VERSION"),
        known.config.jdk_version
    )
}
