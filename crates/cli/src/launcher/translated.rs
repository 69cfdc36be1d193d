//! `rjvm dis --translated [options] CLASS[.METHOD]...`: what the interpreter makes of bytecode; `--compiled`: the machine code.

use super::config::Config;
use super::parts::Parts;
use super::{args, compiled, complete::complete};
use crate::messages;
use crate::run_error::RunError;
use rjvm_vm::classpath::Search;
use rjvm_vm::interp::TIER;
use rjvm_vm::jdk::calls;
use rjvm_vm::startup::CallStop;
use rjvm_vm::throw::Throw;
use rjvm_vm::{ClassId, MethodId, ThreadId, Vm};

/// The code that is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListedCode {
    /// The interpreter's.
    Translated,
    /// The processor's.
    Compiled,
}

impl ListedCode {
    /// The one of that option.
    pub fn named(option: &str) -> Option<ListedCode> {
        match option {
            "--translated" => Some(ListedCode::Translated),
            "--compiled" => Some(ListedCode::Compiled),
            _ => None,
        }
    }
}

/// Prints the code of methods, without running them; the exit code.
pub fn main(form: ListedCode, line: Vec<String>, parts: Parts) -> i32 {
    let env = |name: &str| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned());
    let listed = match args::read(line, env, |line| eprintln!("{line}")) {
        // it is the command line of a program: the main class, and its arguments
        Ok(mut config) if config.what.is_some() => {
            complete(&mut config);
            list(form, config, parts)
        }
        _ => Err(RunError::Unfit(
            "Usage: rjvm dis --translated|--compiled [options] <class>[.<method>]...",
        )),
    };
    match listed {
        Ok(text) => {
            print!("{text}");
            0
        }
        Err(problem) => {
            messages::error(&problem);
            1
        }
    }
}

/// The printed code of a method; `None`: it has none.
fn listed(
    vm: &mut Vm,
    id: MethodId,
    form: ListedCode,
    reads: bool,
) -> Result<Option<String>, RunError> {
    let problem =
        |vm: &Vm, e: Box<Throw>| RunError::Stopped(format!("{}: {e:?}", vm.method_name(id)));
    match form {
        ListedCode::Translated => vm.list_translation(id).map_err(|e| problem(vm, e)),
        ListedCode::Compiled => {
            let listing = vm.list_compiled(id).map_err(|e| problem(vm, e))?;
            listing.map(|l| compiled::text(&l, reads)).transpose()
        }
    }
}

fn list(form: ListedCode, config: Config, (host, natives): Parts) -> Result<String, RunError> {
    let reads = form == ListedCode::Compiled && compiled::objdump();
    if form == ListedCode::Compiled && !TIER {
        return Err(RunError::Unfit("rjvm compiles on x86-64 Linux only"));
    }
    if form == ListedCode::Compiled && !reads && !config.quiet {
        messages::note(&"there is no objdump: rjvm prints machine code as bytes");
    }
    let search = Search::usual(config.java_home.clone(), |n| std::env::var_os(n));
    let jdk = search.find()?;
    let mut options = config.vm;
    options.java_home = jdk.home().to_path_buf();
    let mut vm = Vm::new(options, host, natives).map_err(RunError::NotMade)?;
    let started = vm.start_up();
    let main = started.map_err(|stop| reported(&mut vm, &stop))?;
    let mut text = String::new();
    for what in config.what.iter().chain(&config.args) {
        let (class, method) = class_and_method(&mut vm, main, what)?;
        let methods = vm.class(class).methods.clone();
        let mut found = false;
        for id in methods {
            let name = vm.symbols().str(vm.method(id).name).to_string();
            if method.as_deref().is_some_and(|m| *m != name) {
                continue;
            }
            found = true;
            match listed(&mut vm, id, form, reads)? {
                Some(listing) => text += &(listing + "\n"),
                None => text += &format!("{}: no code\n\n", vm.method_name(id)),
            }
        }
        if !found {
            return Err(RunError::Missing(what.clone()));
        }
    }
    Ok(text)
}

/// The class that `what` names, or the class and the method's name behind the last dot.
fn class_and_method(
    vm: &mut Vm,
    main: ThreadId,
    what: &str,
) -> Result<(ClassId, Option<String>), RunError> {
    let whole = load(vm, main, what);
    match (whole, what.rsplit_once('.')) {
        (Ok(class), _) => Ok((class, None)),
        (Err(_), Some((class, method))) => Ok((load(vm, main, class)?, Some(method.to_string()))),
        (Err(problem), None) => Err(problem),
    }
}

/// Loads a class with the loader of the class path and links it.
fn load(vm: &mut Vm, main: ThreadId, name: &str) -> Result<ClassId, RunError> {
    let loader = vm.call_jdk(main, calls::class_loader::GET_SYSTEM_CLASS_LOADER, &[]);
    let loader = loader.map_err(|stop| reported(vm, &stop))?;
    let text = vm
        .new_string(name)
        .map_err(|_| RunError::Unfit("no memory"))?;
    let args = [text.into(), false.into(), loader];
    let mirror = vm.call_jdk(main, calls::class::FOR_NAME, &args);
    let mirror = mirror.map_err(|stop| reported(vm, &stop))?;
    let class = vm.of_mirror(mirror.reference());
    let linked = vm.link_on(main, class);
    linked.map_err(|stop| reported(vm, &stop))?;
    Ok(class)
}

/// Why the VM did not do it.
fn reported(vm: &mut Vm, stop: &CallStop) -> RunError {
    RunError::Stopped(match stop {
        CallStop::Threw(e) => super::program::describe(vm, *e),
        other => format!("{other:?}"),
    })
}
