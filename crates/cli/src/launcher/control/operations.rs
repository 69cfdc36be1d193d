//! The operations of HotSpot's attach protocol: what `jstack`, `jmap`, `jinfo` and `jcmd` ask for.

use super::commands;
use super::date::date;
use super::error::{NoLevel, OperationError};
use super::known::{CommandContext, CommandOutcome, CommandSource, OperationResult};
use super::properties;
use crate::file_error::FileError;
use crate::launcher::config::Config;
use rjvm_jdk_stubs::com_sun_management::flag;
use rjvm_jdk_stubs::os::strerror;
use rjvm_jdk_stubs::sun_instrument::manifest::{self, AgentRole};
use rjvm_vm::Vm;
use rjvm_vm::threads::pending_requests::LibraryCall;
use std::fmt::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::mpsc::Sender;

/// An operation by its name.
struct Operation {
    name: &'static str,
    run: fn(&mut Vm, &mut CommandContext, &[&str]) -> Result<String, OperationError>,
}

static OPERATIONS: &[Operation] = &[
    Operation {
        name: "threaddump",
        run: |vm, _, args| Ok(threads(vm, args.iter().any(|a| a.contains('l')))),
    },
    Operation {
        name: "inspectheap",
        run: |vm, _, args| inspect_heap(vm, args),
    },
    Operation {
        name: "dumpheap",
        run: |vm, _, args| match args {
            ["", ..] => Err(OperationError::NoFile),
            [file, which, level, ..] if !level.is_empty() => {
                let gzip = gzip_level(level)?;
                Ok(dump_heap(vm, file, live(which, "-live")?, Some(gzip)))
            }
            [file, which, ..] => Ok(dump_heap(vm, file, live(which, "-live")?, None)),
            _ => Err(OperationError::Arguments),
        },
    },
    Operation {
        name: "properties",
        run: |vm, _, _| Ok(properties::of_system(vm)),
    },
    Operation {
        name: "agentProperties",
        run: |vm, known, _| Ok(properties::of_agents(vm, &known.config)),
    },
    Operation {
        name: "printflag",
        run: |vm, _, args| print_flag(vm, args[0]),
    },
    Operation {
        name: "setflag",
        run: |vm, _, args| set_flag(vm, args[0], args[1]),
    },
];

/// Does what a tool asks for, an operation and its arguments. The answer may be sent later.
pub fn run(
    vm: &mut Vm,
    known: &mut CommandContext,
    (name, args): (&str, &[String]),
    reply: Sender<OperationResult>,
) {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    // who has gone away does not wait
    let send = move |done: Result<String, OperationError>| {
        let _ = reply.send(match done {
            Ok(text) => OperationResult { code: 0, text },
            Err(why) => OperationResult {
                code: -1,
                text: why.to_string(),
            },
        });
    };
    if name == "jcmd" {
        return match commands::run(vm, known, args[0], CommandSource::Tool) {
            Ok(CommandOutcome::Text(text)) => send(Ok(text)),
            Ok(CommandOutcome::Calls(calls)) => call(vm, calls, send),
            Ok(CommandOutcome::Agent(file, options)) => {
                let options = match file.ends_with(".jar") {
                    true => [
                        "instrument",
                        "false",
                        &options.map_or(file.clone(), |o| format!("{file}={o}")),
                    ]
                    .map(str::to_owned),
                    false => [file, "false".into(), options.unwrap_or_default()],
                };
                let args = options.each_ref().map(String::as_str);
                // for jcmd, a refusal is an answer, too
                load(vm, &known.config, &args, move |done| {
                    send(Ok(done.unwrap_or_else(|why| why.to_string())));
                });
            }
            Err(why) => send(Err(why.into())),
        };
    }
    if name == "load" {
        return load(vm, &known.config, &args, send);
    }
    let done = match OPERATIONS.iter().find(|o| o.name == name) {
        Some(operation) => (operation.run)(vm, known, &args),
        None => Err(OperationError::Unknown(name.into())),
    };
    send(done);
}

/// Numbers that `libinstrument` answers with.
const STARTED: i32 = 0;
const BAD_JAR: i32 = 100;
const NOT_STARTED: i32 = 102;

/// Loads an agent: Java's own in a jar, which is written `instrument`, or a library.
fn load(
    vm: &mut Vm,
    config: &Config,
    args: &[&str],
    send: impl FnOnce(Result<String, OperationError>) + Send + 'static,
) {
    if !config.vm.dynamic_agents {
        return send(Err(OperationError::NoAgents));
    }
    let [library, _, options] = args else {
        return send(Err(OperationError::Arguments));
    };
    if *library != "instrument" {
        return send(Err(OperationError::Native((*library).into())));
    }
    let code = |code: i32| Ok(format!("return code: {code}\n"));
    let (jar, options) = match options.split_once('=') {
        Some((jar, options)) => (jar, Some(options.to_owned())),
        None => (*options, None),
    };
    let mut start = match manifest::read(jar, AgentRole::Attach) {
        Ok(start) => start,
        Err(why) => {
            let text = why.to_string();
            let text = text.replace("missing : ", "missing: ");
            let text = text.replace("attribute in ", "attribute from ");
            vm.print_error(&(text + "\n"));
            return send(code(BAD_JAR));
        }
    };
    start.options = options;
    let given = &config.vm.given;
    start.warns = !given.iter().any(|name| name == "EnableDynamicAgentLoading");
    start.reports = Some("Attach Listener");
    // it may need room for a thread
    vm.collect_garbage(false);
    let then = Box::new(move |vm: &mut Vm, done: Result<Option<String>, String>| {
        if done.is_err() {
            vm.print_error("Agent failed to start!\n");
        }
        send(code(match done {
            Ok(_) => STARTED,
            Err(_) => NOT_STARTED,
        }));
    });
    // without room for a thread the client is answered as when the program has ended
    let _ = vm.start_agent_there(start, then);
}

/// Has Java code called, and sends what it returns.
fn call(
    vm: &mut Vm,
    calls: Vec<LibraryCall>,
    send: impl FnOnce(Result<String, OperationError>) + Send + 'static,
) {
    // it may need room for a thread
    vm.collect_garbage(false);
    let then = Box::new(|_: &mut Vm, done: Result<Option<String>, String>| {
        send(match done {
            Ok(text) => Ok(text.map_or(String::new(), |text| text + "\n")),
            Err(why) => Err(OperationError::Thrown(why)),
        });
    });
    // without room for one the client is answered as when the program has ended
    let _ = vm.call_library(calls, then);
}

/// Whether a word requests the reachable objects, rather than all.
fn live(word: &str, default: &str) -> Result<bool, OperationError> {
    match if word.is_empty() { default } else { word } {
        "-live" => Ok(true),
        "-all" => Ok(false),
        _ => Err(OperationError::Live(word.into())),
    }
}

/// What `jstack` shows.
pub fn threads(vm: &mut Vm, synchronizers: bool) -> String {
    let (now, _) = vm.rooms().host.wall_clock();
    let dump = vm.thread_dump(synchronizers);
    format!("{}\n{dump}", date(now, "-", " "))
}

/// What `jmap -histo` shows.
pub fn histogram(vm: &mut Vm, live: bool) -> String {
    if live {
        vm.collect_garbage(true);
    }
    let mut out = String::from(
        " num     #instances         #bytes  class name (module)\n\
         -------------------------------------------------------\n",
    );
    let (mut instances, mut bytes) = (0, 0);
    for (number, row) in (1..).zip(vm.histogram()) {
        let module = match row.module {
            None => String::new(),
            Some((name, None)) => format!(" ({name})"),
            Some((name, Some(version))) => format!(" ({name}@{version})"),
        };
        let _ = writeln!(
            out,
            "{number:4}: {:13} {:14}  {}{module}",
            row.instances, row.bytes, row.class
        );
        instances += row.instances;
        bytes += row.bytes;
    }
    let _ = writeln!(out, "Total {instances:12} {bytes:14}");
    out
}

fn inspect_heap(vm: &mut Vm, args: &[&str]) -> Result<String, OperationError> {
    let live = live(args[0], "-live")?;
    let file = args[1];
    if file.is_empty() {
        return Ok(histogram(vm, live));
    }
    let mut options = std::fs::OpenOptions::new();
    let options = options.write(true).create(true).truncate(true).mode(0o600);
    let refused = FileError::at(file);
    let mut to = options.open(file).map_err(&refused)?;
    std::io::Write::write_all(&mut to, histogram(vm, live).as_bytes()).map_err(refused)?;
    Ok(format!("Heap inspection file created: {file}\n"))
}

/// A level of compression.
pub fn gzip_level(text: &str) -> Result<u32, NoLevel> {
    match text.parse::<i64>() {
        Ok(level @ 1..=9) => Ok(level as u32),
        Ok(level) => Err(NoLevel::Range(level)),
        Err(_) => Err(NoLevel::Number(text.to_owned())),
    }
}

/// Dumps the heap, with `live` only the reachable objects; returns the message about it.
pub fn dump_heap(vm: &mut Vm, file: &str, live: bool, gzip: Option<u32>) -> String {
    if live {
        vm.collect_garbage(true);
    }
    let begun = std::time::Instant::now();
    let message = match vm.dump_heap_as(file.as_bytes(), gzip) {
        Ok(dumped) => format!(
            "Heap dump file created [{} bytes in {:.3} secs]",
            dumped.bytes,
            begun.elapsed().as_secs_f64()
        ),
        Err(e) => format!("Unable to create {file}: {}", strerror(e.0)),
    };
    format!("Dumping heap to {file} ...\n{message}\n")
}

fn print_flag(vm: &mut Vm, name: &str) -> Result<String, OperationError> {
    let found = flag::shown(vm.env()).into_iter().find(|f| f.name == name);
    match found {
        Some(flag) => Ok(format!("{}\n", flag.written())),
        None => Err(OperationError::NoFlag(name.into())),
    }
}

fn set_flag(vm: &mut Vm, name: &str, value: &str) -> Result<String, OperationError> {
    match flag::set_text(vm.env(), name, value) {
        Ok(()) => Ok(String::new()),
        Err(e) => Err(OperationError::NotSet(e, name.into(), value.into())),
    }
}
