//! The one table of options: name, value, help and effect side by side.

use super::agent_options::add_native;
use super::config::{Config, LaunchTask, Stream};
use super::option::Form::{Bare, Colon, Equals, Joined, Maybe, Next};
use super::option::Group::{Extra, Hidden, Java, Own, Report};
use super::option::{Flag, OptionProblem};
use super::settings::agents::Native;
use super::sizes::size;
use super::values::{choice, heap, number, output, own, patterns, picoseconds, stack, vm};
use super::{event_log, log, xx};
use crate::sources::SourcePath;
use rjvm_profiler::{Limits, Part};
use rjvm_run::profile::Scope;
use rjvm_vm::boot::PATCHES;
use rjvm_vm::events::EventSet;
use rjvm_vm::vm::TierMode;

macro_rules! flags {
    ($( $group:ident $form:expr, [$($name:literal),+], $help:literal, $set:expr; )*) => {
        /// All options except `-XX:` ones, in the order of the help.
        pub static FLAGS: &[Flag] = &[$( Flag {
            names: &[$($name),+], form: $form, group: $group, help: $help, set: $set,
        } ),*];
    };
}

/// The requirement in the message about an option that lists modules.
pub const MODULES: &str = "modules to be specified";

flags! {
    Java Next("path", "class path specification"), ["-cp", "-classpath", "--class-path"],
        "directories, jar files and dir/* to load application classes from", |c, v| { c.class_path = Some(v.into()); Ok(()) };
    Java Next("module[/class]", "module name"), ["-m", "--module"], "run the main class of a module", |_, _| Ok(());
    Java Next("path", "module path specification"), ["-p", "--module-path"],
        "directories with modules", |c, v| { c.property("jdk.module.path", v); Ok(()) };
    Java Next("path", "module path specification"), ["--upgrade-module-path"],
        "directories with modules that replace modules of the JDK", |c, v| { c.property("jdk.module.upgrade.path", v); Ok(()) };
    Java Next("module,...", MODULES), ["--add-modules"],
        "root modules in addition to the initial one; ALL-DEFAULT, ALL-SYSTEM, ALL-MODULE-PATH", |c, v| { c.numbered("jdk.module.addmods", v); Ok(()) };
    Java Next("module,...", MODULES), ["--enable-native-access"],
        "modules that may use restricted methods", |c, v| { c.numbered("jdk.module.enable.native.access", v); Ok(()) };
    Java Equals("allow|warn|debug|deny"), ["--sun-misc-unsafe-memory-access"],
        "how to treat calls of sun.misc.Unsafe's memory methods; since JDK 23", |c, v| {
        since(c, 23, "--sun-misc-unsafe-memory-access", v)?;
        if !["allow", "warn", "debug", "deny"].contains(&v) {
            return Err(OptionProblem::Vm(format!("Value specified to --sun-misc-unsafe-memory-access not recognized: '{v}'")));
        }
        c.property("sun.misc.unsafe.memory.access", v);
        Ok(())
    };
    Java Equals("allow|warn|deny"), ["--illegal-native-access"],
        "how to treat native access by modules without --enable-native-access; since JDK 24", |c, v| {
        since(c, 24, "--illegal-native-access", v)?;
        c.property("jdk.module.illegal.native.access", v);
        Ok(())
    };
    Java Equals("enabled|disabled"), ["--finalization"], "whether objects are finalized; since JDK 18", |c, v| {
        since(c, 18, "--finalization", v)?;
        c.vm.finalization = match v {
            "enabled" => true,
            "disabled" => false,
            _ => return Err(OptionProblem::Vm(format!("Invalid finalization value '{v}', must be 'disabled' or 'enabled'."))),
        };
        Ok(())
    };
    Java Bare, ["--list-modules"], "list the observable modules and exit", |c, _| { c.task = LaunchTask::ListModules; Ok(()) };
    Java Next("module", "module name"), ["-d", "--describe-module"], "describe a module and exit",
        |c, v| { c.task = LaunchTask::DescribeModule(v.into()); Ok(()) };
    Java Bare, ["--dry-run"], "load the main class but do not run it", |c, _| { c.task = LaunchTask::DryRun; Ok(()) };
    Java Bare, ["--validate-modules"], "check all modules on the module path and exit",
        |c, _| { c.property("jdk.module.validation", "true"); c.task = LaunchTask::ValidateModules; Ok(()) };
    Java Joined("<name>=<value>"), ["-D"], "set a system property", |c, v| {
        let given = v.contains('=');
        let (k, v) = v.split_once('=').unwrap_or((v, ""));
        match k {
            // without a value it is instead of another, but not of the default
            "java.class.path" if !given && c.class_path.is_none() => {}
            "java.class.path" => c.class_path = Some(v.into()),
            "java.ext.dirs" | "java.endorsed.dirs" if !v.is_empty() => return Err(OptionProblem::VmOut(gone_directories(k, v))),
            _ if of_module_option(k) => c.notes.push(format!("-D{k} has no effect: this is set by an option for modules")),
            _ => {
                if k.starts_with("com.sun.management") {
                    super::control::options::want_agent(c);
                }
                c.property(k, v);
            }
        }
        Ok(())
    };
    Java Colon("class|gc|module|jni"), ["-verbose"], "report loaded classes, or collections", |c, v| {
        match v {
            "" | "class" => log::verbose(c, EventSet::CLASSES | EventSet::UNLOADING),
            "gc" => log::verbose(c, EventSet::COLLECTIONS),
            _ => c.notes.push(format!("-verbose:{v} has no effect")),
        }
        Ok(())
    };
    Java Bare, ["-version"], "print the version to the error stream and exit", |c, _| { c.task = LaunchTask::Version(Stream::Err); Ok(()) };
    Java Bare, ["--version"], "print the version to the output stream and exit", |c, _| { c.task = LaunchTask::Version(Stream::Out); Ok(()) };
    Java Bare, ["-fullversion"], "print the JDK's full version to the error stream and exit", |c, _| { c.task = LaunchTask::FullVersion(Stream::Err); Ok(()) };
    Java Bare, ["--full-version"], "print the JDK's full version to the output stream and exit", |c, _| { c.task = LaunchTask::FullVersion(Stream::Out); Ok(()) };
    Java Bare, ["-showversion"], "print the version to the error stream and continue", |c, _| { c.show_version = Some(Stream::Err); Ok(()) };
    Java Bare, ["--show-version"], "print the version to the output stream and continue", |c, _| { c.show_version = Some(Stream::Out); Ok(()) };
    Java Bare, ["--show-module-resolution"], "report how modules are resolved", |c, _| { c.property("jdk.module.showModuleResolution", "true"); Ok(()) };
    Java Bare, ["-h", "-help", "-?"], "print help to the error stream and exit", |c, _| { c.task = LaunchTask::Help(Stream::Err); Ok(()) };
    Java Bare, ["--help"], "print help to the output stream and exit", |c, _| { c.task = LaunchTask::Help(Stream::Out); Ok(()) };
    Java Bare, ["--help-all"], "print all options to the output stream and exit", |c, _| { c.task = LaunchTask::AllHelp(Stream::Out); Ok(()) };
    Java Bare, ["-X"], "print help on extra options to the error stream and exit", |c, _| { c.task = LaunchTask::ExtraHelp(Stream::Err); Ok(()) };
    Java Bare, ["--help-extra"], "print help on extra options to the output stream and exit", |c, _| { c.task = LaunchTask::ExtraHelp(Stream::Out); Ok(()) };
    Java Joined("<jar>[=<options>]"), ["-javaagent:"], "start the Java agent in a jar before the program; may be repeated", super::agent_options::add;
    Java Colon("[package]...|:class"), ["-ea", "-enableassertions"], "enable assertions", |c, v| { c.vm.assertions.push((true, v.into())); Ok(()) };
    Java Colon("[package]...|:class"), ["-da", "-disableassertions"], "disable assertions", |c, v| { c.vm.assertions.push((false, v.into())); Ok(()) };
    Java Bare, ["-esa", "-enablesystemassertions"], "enable assertions of the JDK's classes", |c, _| { c.vm.system_assertions = true; Ok(()) };
    Java Bare, ["-dsa", "-disablesystemassertions"], "disable assertions of the JDK's classes", |c, _| { c.vm.system_assertions = false; Ok(()) };
    Java Bare, ["--enable-preview"], "let classes use preview features", |c, _| { c.vm.enable_preview = true; Ok(()) };

    Own Equals("dir"), ["--java-home"], "use the class library of this JDK; default: the JDK of JAVA_HOME, of java on PATH, or the newest in the usual folders", |c, v| { c.java_home = Some(v.into()); Ok(()) };
    Report Equals("exact|callsites|blocks|locks"), ["--profile"],
        "count every bytecode in its calling context; callsites: with a context for each call site; blocks: also count how often each bytecode is executed; locks: report contention instead, that is how long threads wait for each other",
        super::sampling::set_profile;
    Report Equals("kind,..."), ["--events"],
        "write a line for each event of these kinds: thread, class, gc, monitor, park, method, object, all, or single events (thread-start, ...)", event_log::set;
    Report Equals("file"), ["--events-file"], "write events to this file instead of standard error", |c, v| { c.events_file = Some(v.into()); Ok(()) };
    Report Equals("n"), ["--events-depth"], "write n frames of the stack below each event",
        |c, v| { c.events_depth = number("--events-depth", v, 0, 10_000)? as usize; Ok(()) };
    Report Equals("file"), ["--locks"], "with --profile=locks: write the table to this file", |c, v| { c.locks_file = Some(v.into()); Ok(()) };
    Report Equals("place"), ["--profile-from"], "begin the profile at this place (see --stop-at), or when the program calls rjvm.agent.Profile.start() (api)", super::window::set_from;
    Report Equals("N"), ["--profile-window"], "end the profile N bytecodes (of all threads) after --profile-from, or after main has begun", super::window::set_length;
    Report Equals("probe"), ["--probe"], "run a probe and print its result at the end, such as 'around:a.Db::query { @[arg0] = sum(elapsed) }'; =help: show the language", super::probes::add;
    Report Equals("file"), ["--probe-file"], "read probes from a file", super::probes::add_file;
    Report Equals("file"), ["--probe-output"], "write the results of probes to this file instead of standard error; as data if it ends with .json", super::probes::set_output;
    Report Equals("limit=N,..."), ["--probe-limits"], "change the limits of probes: keys, string, memory, frames, lines, entries", super::probes::set_limits;
    Report Bare, ["--allocations"], "also count objects and bytes allocated in each context", |c, _| { c.vm.allocations = true; Ok(()) };
    Report Equals("N[+r]"), ["--sample-gran"],
        "sample the stack at every Nth bytecode of each thread; +r: lengthen each interval by a random number of bytecodes, at least 0 and less than r",
        super::sampling::set_granularity;
    Report Equals("thread|global"), ["--sample-clock"], "measure the interval between samples in bytecodes of each thread, or of all threads together", |c, v| {
        use rjvm_vm::interp::SampleClock;
        c.vm.sample_clock = choice("--sample-clock", v, &[("thread", SampleClock::Thread), ("global", SampleClock::Global)])?;
        Ok(())
    };
    Report Equals("caller|root"), ["--upcalls"],
        "show upcalls of native methods and the VM (class initializers, class loaders, ...) below the method that caused them, or as roots, as the profiler JP does; default: caller", |c, v| {
        c.vm.upcalls_to_root = choice("--upcalls", v, &[("caller", false), ("root", true)])?;
        Ok(())
    };
    Report Equals("default|precise"), ["--bba"],
        "with --profile=blocks: report how many bytecodes JP's basic block analysis would count, and its relative error", |c, v| {
        use rjvm_run::blocks::Bba;
        c.bba = Some(choice("--bba", v, &[("default", Bba::Default), ("precise", Bba::Precise)])?);
        Ok(())
    };
    Report Equals("dir"), ["--dump-classes"], "write all loaded classes to dir/<loader>/<name>.class", |c, v| {
        c.dump_classes = Some(v.into());
        c.vm.keep_class_files = true;
        Ok(())
    };
    Report Bare, ["--sample-sites"], "distinguish sampled contexts by call site", |c, _| { c.sample_sites = true; Ok(()) };
    Report Next("[format:]file", "a file name"), ["-o"],
        "write the profile to a file, in the given format or the one of its extension, or to standard output (-); may be repeated; in the name, %p is the process, %t the time, %n a number that makes the name unique; with both --profile and --sample-gran the samples go to <file>.samples.<extension>", |c, v| {
        c.outputs.push(output("-o", v)?);
        Ok(())
    };
    Report Equals("file"), ["--sample-output"], "write the samples to this file instead; may be repeated", |c, v| {
        c.sample_outputs.push(output("--sample-output", v)?);
        Ok(())
    };
    Report Equals("file"), ["--sample-log"], "write a line for each sample: thread, position, stack", |c, v| { c.sample_log = Some(v.into()); Ok(()) };
    Report Equals("full|app|app-only"), ["--view"], "show all methods (full), the application's methods with the cost of the class library (app), or only their own cost (app-only)", |c, v| {
        c.view.part = choice("--view", v, &[("full", Part::All), ("app", Part::Application), ("app-only", Part::ApplicationOnly)])?;
        Ok(())
    };
    Report Equals("main|all"), ["--scope"], "profile main and the threads that it starts, or everything", |c, v| {
        c.scope = choice("--scope", v, &[("main", Scope::Main), ("all", Scope::All)])?;
        Ok(())
    };
    Report Equals("on|off"), ["--natives"], "show native methods as nodes; default: on in the full view, off in the app views", |c, v| {
        c.view.natives = choice("--natives", v, &[("on", true), ("off", false)])?;
        c.natives_given = true;
        Ok(())
    };
    Report Equals("pattern,..."), ["--include"], "show only methods of these classes: a.B, a.*, a.. (and subpackages), a.B::m; others are folded into their callers", |c, v| {
        c.filter.include.extend(patterns("--include", v)?);
        Ok(())
    };
    Report Equals("pattern,..."), ["--exclude"], "fold methods of these classes into their callers", |c, v| {
        c.filter.exclude.extend(patterns("--exclude", v)?);
        Ok(())
    };
    Report Equals("N"), ["--max-depth"], "fold contexts deeper than N into their callers", |c, v| {
        c.filter.max_depth = Some(number("--max-depth", v, 1, u64::from(u32::MAX))? as u32);
        Ok(())
    };
    Report Equals("size"), ["--profile-memory"], "fold the coldest contexts into [truncated] when contexts take more memory than this; default: a quarter of the machine's memory", |c, v| {
        match size(v).and_then(|n| usize::try_from(n).ok()) {
            Some(bytes @ 65_536..) => { c.vm.profile_memory = bytes; Ok(()) }
            _ => own(format!("--profile-memory={v}: expected a size from 64k, such as 512m or 2g")),
        }
    };
    Report Equals("P"), ["--min-percent"], "group contexts with a total of less than P percent of the bytecodes by package; .flat leaves out methods with less", |c, v| {
        c.least = Limits::percentage(v).or_else(|e| own(format!("--min-percent={v}: {e}")))?;
        Ok(())
    };
    Report Equals("N"), ["--max-nodes"], "write at most N contexts, those with the largest totals, and group the others by package; .flat lists N methods; default: the number that readers of the format can handle", |c, v| {
        c.most = Some(number("--max-nodes", v, 1, u64::MAX)?);
        Ok(())
    };
    Report Bare, ["--no-prune"], "write all contexts, even if they are too many for readers of the format", |c, _| { c.unpruned = true; Ok(()) };
    Report Equals("path"), ["--source-path"],
        "directories, jars and zips with source files for the .html report, in addition to the class path and the JDK's src.zip", |c, v| {
        if let Err(e) = SourcePath::open(v) {
            return own(format!("--source-path={v}: {e}"));
        }
        c.source_path = Some(v.into());
        Ok(())
    };
    Report Bare, ["--lines"], "show source files and lines also in .txt, .flat, .folded, .paths and .xml; the other formats always have them", |c, _| { c.lines = true; Ok(()) };
    Report Bare, ["--fold-recursion"], "fold recursive cycles: no method occurs twice in a path", |c, _| { c.filter.fold_recursion = true; Ok(()) };
    Report Equals("merged|name|apart"), ["--threads"], "write one tree for all threads, for each thread name, or for each thread; default: merged, in .speedscope.json apart", |c, v| {
        use rjvm_profiler::Threads;
        c.view.threads = choice("--threads", v, &[("merged", Threads::Merged), ("name", Threads::ByName), ("apart", Threads::Apart)])?;
        c.threads_given = true;
        Ok(())
    };
    Report Equals("class"), ["--agent"], "run this agent, a class on the class path that is an rjvm.agent.Profiler or SamplingProfiler",
        |c, v| { c.agent = Some(v.into()); Ok(()) };
    Report Maybe("option=value,..."), ["-agentlib:hprof"], "HPROF as in JDK 8: heap=dump|sites|all, cpu=samples|times|old, monitor=y, format=a|b, file=, depth=, and others; =help lists them", super::hprof::set;
    Report Colon("option=value,..."), ["-Xrunhprof"], "the same as -agentlib:hprof", super::hprof::set;
    Report Maybe("option=value,..."), ["-agentlib:jdwp"], "let a debugger attach (jdb, IntelliJ, Eclipse): transport=dt_socket, server=y|n, suspend=y|n, address=[HOST:]PORT, and others; =help lists them", super::debugger::set;
    Report Colon("option=value,..."), ["-Xrunjdwp"], "the same as -agentlib:jdwp", super::debugger::set;
    Own Equals("file"), ["--agent-api"], "write the jar that agents are compiled against, and exit", |c, v| { c.task = LaunchTask::Api(v.into(), crate::agent::java::API); Ok(()) };
    Own Equals("file"), ["--test-api"], "write the jar with rjvm.test, which tests and benchmarks are compiled and run with, and exit", |c, v| { c.task = LaunchTask::Api(v.into(), crate::testing::API); Ok(()) };
    Report Equals("place"), ["--stop-at"],
        "stop at a bytecode and show all threads with their locals, operands, monitors and objects; N (bytecodes executed by all threads), main, Class.method, Class.method:line, Class:line or Class.method@index; #k: at the k-th arrival (#*: at each one), +n: n bytecodes later; may be repeated", super::stops::add;
    Report Equals("[format:]file"), ["--stop-output"], "write the output of --stop-at to a file, or to standard output (-), as text or json; default: text on standard error", super::stops::set_output;
    Report Equals("end|continue"), ["--stop-then"], "end or continue the program after the last --stop-at; default: end", |c, v| {
        c.stops_go_on = choice("--stop-then", v, &[("end", false), ("continue", true)])?;
        Ok(())
    };
    Report Bare, ["--status"], "show bytecodes, their rate, contexts and memory on standard error while the program runs: every second on a terminal, otherwise every ten seconds", |c, _| { c.status = true; Ok(()) };
    Own Maybe("PORT"), ["--serve"], "show the running program in a browser: rjvm serves a page on loopback, and prints its address on standard error", super::control::options::set_serve;
    Report Bare, ["--quiet"], "print no summary at the end, and no notes", |c, _| { c.quiet = true; Ok(()) };
    Own Equals("N"), ["--seed"], "seed for identity hash codes, the order of Set.of and Map.of, the class library's own random numbers, new Random() and random sampling intervals", |c, v| { c.vm.seed = number("--seed", v, 0, u64::MAX)?; c.vm.seeds_random = true; Ok(()) };
    Own Equals("N"), ["--quantum"], "number of bytecodes that a thread executes before the next thread runs; default: 100000",
        |c, v| { c.vm.quantum = number("--quantum", v, 1, 1 << 40)? as i64; Ok(()) };
    Own Equals("NS"), ["--virtual-clock"],
        "derive time from executed bytecodes, NS nanoseconds (such as 1 or 0.5) each; when no thread can run, it jumps to the next deadline", |c, v| {
        c.vm.virtual_clock = Some(picoseconds("--virtual-clock", v)?); Ok(())
    };
    Own Maybe("SEED"), ["--deterministic"],
        "make everything that the program observes a function of the program, its input and SEED (default: 1); time follows executed bytecodes (1 ns each, unless --virtual-clock sets another value), entropy follows the seed; environment, user, host, folders, file times, memory, processes and loopback connections are the same everywhere", |c, v| {
        c.deterministic = Some(match v { "" => 1, _ => number("--deterministic", v, 0, u64::MAX)? }); Ok(())
    };
    Own Maybe("N"), ["--check-determinism"],
        "run the program N times (default: 2) and compare the executed bytecodes, with --deterministic also every value; if two runs diverge, report the first different bytecode, its thread and its stack, with exit code 76; output is printed once; files that a run writes exist in the next run", |c, v| {
        c.check = Some(match v { "" => 2, _ => number("--check-determinism", v, 2, 1000)? as u32 }); Ok(())
    };
    Own Equals("NAME[=VALUE]"), ["--env"], "with --deterministic: add a variable to the program's environment; without a value, take it from the environment of rjvm", |c, v| {
        let (name, value) = match v.split_once('=') {
            Some(("", _)) => return own(format!("--env={v}: expected a name")),
            Some((name, value)) => (name, Some(value.into())),
            None => (v, std::env::var_os(v)),
        };
        if let Some(value) = value {
            use std::os::unix::ffi::OsStringExt;
            c.environment.push((name.into(), value.into_vec()));
        }
        Ok(())
    };
    Own Equals("file"), ["--record"], "record all input that the program gets from outside, for `rjvm replay`", |c, v| { c.record = Some(v.into()); Ok(()) };
    Own Equals("file"), ["--replay"], "run under a schedule that `rjvm explore` wrote; without a main class, run the program that the schedule names", |c, v| {
        super::replay::choose(c, v)?;
        c.deterministic = c.deterministic.or(Some(0));
        // as it was when it was explored
        c.signals = false;
        Ok(())
    };
    Own Bare, ["--explorable"], "run tests with @Explore under many schedules; `rjvm test` adds this option if there are such tests", |c, _| {
        (c.explorable, c.vm.explored) = (true, Some(rjvm_vm::vm::Explored { memory: true }));
        // a process with one thread can be copied
        c.signals = false;
        Ok(())
    };
    Own Equals("fault,..."), ["--faults"], "make requests to the outside fail: disk-full@SIZE, denied:P%, denied:NAME, short-io:P%, reset:P%, clock-jump@TIME[:TIME]; or the N-th allocation after main begins: oom@N; --seed decides which requests fail, and rjvm reports each failure", |c, v| {
        c.faults = Some(rjvm_hosts::faults::Plan::parse(v).or_else(|e| own(format!("--faults: {e}")))?);
        Ok(())
    };
    Own Bare, ["--no-intrinsics"], "execute the bytecodes of digests, ciphers, large numbers and square roots; by default they run as native code, with the same counts", |c, _| { c.vm.intrinsics = false; Ok(()) };
    Own Equals("off|on|all|verify"), ["--tier"], "compile methods that execute many bytecodes (on, the default), no methods (off), or all methods at their first call (all, for tests); profiles are the same. verify: run the program interpreted, then compiled, and compare values and counts", |c, v| {
        c.tier_verify = v == "verify";
        c.vm.tier = match v {
            "off" => TierMode::Off,
            "on" => TierMode::On,
            "all" | "verify" => TierMode::All,
            _ => return own(format!("--tier={v}: expected off, on, all or verify")),
        };
        c.vm.interpreted_mode = v == "off";
        Ok(())
    };
    Own Bare, ["--tier-report"], "print at the end how many methods were compiled", |c, _| { c.tier_report = true; Ok(()) };
    Own Bare, ["--perf-map"], "write the names of compiled methods to /tmp/perf-PID.map while the program runs, for `perf`", |c, _| { c.perf_map = true; Ok(()) };
    Own Bare, ["--gc-stress"], "collect at every allocation and poison freed memory (slow: for tests of the VM)", |c, _| { c.vm.gc_stress = true; Ok(()) };

    Extra Joined("<size>"), ["-Xmx"], "maximum size of the heap (suffixes k, m, g); by default a quarter of the memory and at least 1 GB, with --deterministic 1 GB", |c, v| heap(c, &format!("-Xmx{v}"), v);
    Extra Joined("<size>"), ["-Xms"], "initial size of the heap: the maximum is at least as large, otherwise without effect", |c, v| match size(v) {
        Some(n) => { c.initial_heap = Some(n); Ok(()) } None => vm(format!("Invalid initial heap size: -Xms{v}"))
    };
    Extra Joined("<size>"), ["-Xmn"], "size of the young generation: without effect", |c, v| match size(v) {
        Some(_) => { c.notes.push(format!("-Xmn{v} has no effect")); Ok(()) } None => vm(format!("Invalid initial young generation size: -Xmn{v}"))
    };
    Extra Joined("<size>"), ["-Xss"], "stack size of threads", |c, v| { c.vm.stack_bytes = stack(&format!("-Xss{v}"), v)?; c.vm.given.push("ThreadStackSize".into()); Ok(()) };
    Extra Joined("<path>"), ["-Xbootclasspath/a:"], "append to the classes of the boot loader", |c, v| {
        c.vm.boot_append.extend(v.split(':').filter(|p| !p.is_empty()).map(str::to_string)); Ok(())
    };
    Extra Colon("all|remote|none"), ["-Xverify"], "which classes to verify: all, those of applications, none", |c, v| {
        (c.vm.verify_boot, c.vm.verify_app) = match v {
            "" | "all" => (true, true),
            "remote" => (false, true),
            "none" => (false, false),
            _ => return vm(format!("Unrecognized verification option: -Xverify:{v}")),
        };
        Ok(())
    };
    Extra Colon("category"), ["-XshowSettings"], "show settings and continue", |c, v| {
        c.show_settings = Some(if v.is_empty() { "-XshowSettings".into() } else { format!("-XshowSettings:{v}") });
        Ok(())
    };
    Extra Colon("tags:output:decorators"), ["-Xlog"], "log collections (gc) or classes (class+load, class+unload), also to a file; other tags are ignored", log::xlog;
    Extra Bare, ["-Xrs"], "do not handle signals", |c, _| { c.reduce_signals(true); Ok(()) };
    Extra Bare, ["-Xint"], "interpret only", |c, _| {
        (c.vm.tier, c.vm.interpreted_mode) = (TierMode::Off, true);
        Ok(())
    };
    Extra Next("module/package=module,...", MODULES), ["--add-exports"], "export a package to other modules", |c, v| { c.numbered("jdk.module.addexports", v); Ok(()) };
    Extra Next("module/package=module,...", MODULES), ["--add-opens"], "open a package to other modules", |c, v| { c.numbered("jdk.module.addopens", v); Ok(()) };
    Extra Next("module=module,...", MODULES), ["--add-reads"], "let a module read other modules", |c, v| { c.numbered("jdk.module.addreads", v); Ok(()) };
    Extra Next("module,...", MODULES), ["--limit-modules"], "limit the observable modules", |c, v| { c.property("jdk.module.limitmods", v); Ok(()) };
    Extra Next("module=path", MODULES), ["--patch-module"], "override or add classes of a module", patch_module;
    Extra Joined("<option>"), ["-XX:"], "HotSpot's options for the virtual machine, as far as they apply to rjvm", xx::set;

    Hidden Joined("<name>[=<options>]"), ["-agentlib:"], "", |c, v| add_native(c, Native::Name, v);
    Hidden Joined("<path>[=<options>]"), ["-agentpath:"], "", |c, v| add_native(c, Native::Path, v);
    Hidden Next("version", "source version"), ["--source"], "", |c, v| {
        c.property("jdk.internal.javac.source", v);
        c.mode = super::config::Mode::Source;
        Ok(())
    };
    Hidden Equals("value"), ["--illegal-access"], "", |c, v| {
        c.xx.warn(&format!("Ignoring option --illegal-access={v}; support was removed in 17.0"));
        Ok(())
    };
    Hidden Joined("path"), ["-splash:"], "", |_, _| Ok(());
    Hidden Bare, ["-Xmixed"], "", |c, _| { c.notes.push("-Xmixed has no effect".into()); Ok(()) };
    Hidden Bare, ["-Xcomp"], "", |c, _| { c.notes.push("-Xcomp has no effect".into()); Ok(()) };
    Hidden Bare, ["-Xbatch"], "", |_, _| Ok(());
    Hidden Bare, ["-Xnoclassgc"], "", |_, _| Ok(());
    Hidden Bare, ["-Xdiag"], "", |_, _| Ok(());
    Hidden Bare, ["-Xfuture"], "", |c, _| {
        until(c, 21, "-Xfuture")?;
        (c.vm.verify_boot, c.vm.verify_app) = (true, true);
        c.xx.say("Warning: -Xfuture option is deprecated and may be removed in a future release.");
        Ok(())
    };
    Hidden Bare, ["-Xprof"], "", |c, _| { c.xx.warn("Ignoring option -Xprof; support was removed in 10.0"); Ok(()) };
    Hidden Equals("value|count@METHOD"), ["--tier-fault"], "", super::tier_fault::set;
    Hidden Bare, ["-checksource"], "", |c, _| no_longer(c, "-checksource");
    Hidden Bare, ["-cs"], "", |c, _| no_longer(c, "-cs");
    Hidden Bare, ["-noasyncgc"], "", |c, _| no_longer(c, "-noasyncgc");
    Hidden Bare, ["-native"], "", |_, _| Ok(());
    Hidden Bare, ["-green"], "", |_, _| vm("Green threads support not available".into());
    Hidden Bare, ["-Xinternalversion"], "", |c, _| { c.task = LaunchTask::InternalVersion; Ok(()) };
    Hidden Joined("version"), ["-version:"], "", |_, v| vm(format!(
        "Error: Specifying an alternate JDK/JRE version is no longer supported.\n  The use of the flag '-version:' is no longer valid.\n  \
         Please download and execute the appropriate version.\nUnrecognized option: -version:{v}"
    ));
    Hidden Bare, ["-jre-restrict-search"], "", |_, _| no_other_jre("-jre-restrict-search");
    Hidden Bare, ["-jre-no-restrict-search"], "", |_, _| no_other_jre("-jre-no-restrict-search");
    Hidden Joined("size"), ["-Xmaxjitcodesize"], "", |_, v| match xx::size(v) {
        Some(_) => Ok(()),
        None => vm(format!("Invalid maximum code cache size: -Xmaxjitcodesize{v}.")),
    };
    Hidden Joined("fraction"), ["-Xmaxf"], "", |c, v| free_ratio(c, "max", "-Xmaxf", v);
    Hidden Joined("fraction"), ["-Xminf"], "", |c, v| free_ratio(c, "min", "-Xminf", v);
    Extra Joined("<file>"), ["-Xloggc:"], "log collections to a file; use -Xlog:gc:file", log::xloggc;
    Extra Bare, ["-Xcheck:jni"], "check what native code passes to JNI", |c, _| { c.vm.check_jni = true; Ok(()) };
    Hidden Colon("mode"), ["-Xshare"], "", |_, v| match v {
        "auto" | "on" | "off" | "dump" => Ok(()),
        "" => Err(unrecognized("-Xshare")),
        _ => Err(unrecognized(&format!("-Xshare:{v}"))),
    };
    Hidden Bare, ["-Xdebug"], "", |c, _| {
        if c.xx.version() >= 22 {
            c.xx.warn("Option -Xdebug was deprecated in JDK 22 and will likely be removed in a future release.");
        }
        Ok(())
    };
    Hidden Bare, ["-Xnoagent"], "", |c, _| until(c, 21, "-Xnoagent");
    Hidden Joined("path"), ["-Xbootclasspath:"], "", |_, _| gone("-Xbootclasspath");
    Hidden Joined("path"), ["-Xbootclasspath/p:"], "", |_, _| gone("-Xbootclasspath/p");
    Hidden Bare, ["-server"], "", |_, _| Ok(());
    Hidden Bare, ["-client"], "", |_, _| Ok(());
}

/// `--patch-module`: what `java` checks of it before there is a VM.
fn patch_module(c: &mut Config, value: &str) -> Result<(), OptionProblem> {
    let Some((module, _)) = value.split_once('=') else {
        let message = "Missing '=' in --patch-module specification";
        return Err(OptionProblem::VmOut(message.into()));
    };
    let base = |text: &str| text.starts_with("java.base=");
    let patches = |key: &str| key.starts_with(PATCHES);
    if base(value) && c.vm.properties.iter().any(|(k, v)| patches(k) && base(v)) {
        return Err(OptionProblem::Init(format!(
            "Cannot specify {module} more than once to --patch-module"
        )));
    }
    c.numbered(PATCHES, value);
    Ok(())
}

/// Whether a system property is one that an option for modules sets: `-D` cannot.
fn of_module_option(key: &str) -> bool {
    const OF_OPTIONS: [&str; 9] = [
        "addexports",
        "addopens",
        "addreads",
        "addmods",
        "limitmods",
        "path",
        "upgrade.path",
        "patch",
        "enable.native.access",
    ];
    let Some(rest) = key.strip_prefix("jdk.module.") else {
        return false;
    };
    OF_OPTIONS.iter().any(|name| {
        let tail = rest.strip_prefix(name);
        tail.is_some_and(|t| t.is_empty() || t.starts_with('.'))
    })
}

/// An option that the launcher only warns of.
fn no_longer(c: &mut Config, option: &str) -> Result<(), OptionProblem> {
    c.xx.say(&format!("Warning: {option} option is no longer supported."));
    Ok(())
}

/// An option that chose among several JREs.
fn no_other_jre(option: &str) -> Result<(), OptionProblem> {
    vm(format!(
        "Error: Specifying an alternate JDK/JRE is no longer supported.\n  The related flags -jre-restrict-search | \
         -jre-no-restrict-search are also no longer valid.\nUnrecognized option: {option}"
    ))
}

/// How much of the heap may or must be free, as a fraction.
fn free_ratio(c: &mut Config, which: &str, option: &str, value: &str) -> Result<(), OptionProblem> {
    let Ok(fraction) = value.parse::<f64>() else {
        return vm(format!(
            "Bad {which} heap free percentage size: {option}{value}"
        ));
    };
    let name = if which == "max" {
        "MaxHeapFreeRatio"
    } else {
        "MinHeapFreeRatio"
    };
    xx::set(c, &format!("{name}={}", (fraction * 100.0) as i64 as u64))
}

/// An option that Java 9 gave up.
fn gone(option: &str) -> Result<(), OptionProblem> {
    Err(OptionProblem::VmOut(format!(
        "{option} is no longer a supported option."
    )))
}

/// The messages about the two lists of directories that Java 9 removed.
fn gone_directories(key: &str, value: &str) -> String {
    match key {
        "java.ext.dirs" => format!("-D{key}={value} is not supported.  Use -classpath instead."),
        _ => format!(
            "-D{key}={value} is not supported. Endorsed standards and standalone APIs\n\
             in modular form will be supported via the concept of upgradeable modules."
        ),
    }
}

/// JDKs before this version don't have the option.
fn since(c: &Config, version: u32, name: &str, value: &str) -> Result<(), OptionProblem> {
    match c.xx.version() >= version {
        true => Ok(()),
        false => Err(unrecognized(&format!("{name}={value}"))),
    }
}

/// JDKs after this version don't have the option any more.
fn until(c: &Config, version: u32, name: &str) -> Result<(), OptionProblem> {
    match c.xx.version() <= version {
        true => Ok(()),
        false => Err(unrecognized(name)),
    }
}

/// An unknown option: `java`'s words, and one of rjvm's own that may have been meant.
pub fn unrecognized(option: &str) -> OptionProblem {
    if option.starts_with("-Xlog") {
        return OptionProblem::Vm(format!(
            "Invalid -Xlog option '{option}', see error log for details."
        ));
    }
    let name = option.split_once('=').map_or(option, |o| o.0);
    let own = FLAGS.iter().filter(|f| f.is_own());
    let all = own.flat_map(|f| f.names.iter().map(move |n| (f, *n)));
    let meant = match super::suggest::nearest(name, all, |(_, n)| n) {
        _ if option.starts_with("-Xrun") => "\nNative agents are not supported. \
             To observe a program, use '--agent'."
            .into(),
        Some((flag, name)) if name != option => {
            format!("\nDid you mean '{}'?", flag.written(name))
        }
        _ => String::new(),
    };
    OptionProblem::Vm(format!("Unrecognized option: {option}{meant}"))
}
