//! Dispatch by tail calls: the compiler gives them, nothing in the language promises them. So the
//! built binary is disassembled and looked at, and a long run has to do with a small stack. The other
//! back end, the loop, is looked at for the opposite: its handlers return.
#![cfg(target_arch = "x86_64")] // what the listing is read for

#[path = "../common/mod.rs"]
mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use common::jdk;
use rjvm_vm::interp::TAIL_DISPATCH;
use rjvm_vm::vm::{Options, ProfileMode, Vm};

/// The handlers that the sources of the interpreter declare: (module, name).
fn declared_handlers() -> BTreeSet<(String, String)> {
    let room = common::root().join("vm/src/interp");
    let mut found = BTreeSet::new();
    for file in common::files_with_extension(&room, "rs") {
        let module = common::stem(&file);
        if module != "slow" && !module.starts_with("ops_") {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("the sources are readable");
        for line in text.lines() {
            // `name<T: Ty>{const PROF: bool}[ip fp …] {` in `op!`, `name |vm, hot| …` in `cold!`
            if line.contains("[ip fp cs tk acc hot fa] {") || line.contains(" |vm, hot| ") {
                found.insert((module.clone(), identifier(line.trim_start())));
            }
        }
    }
    found.insert(("slow".into(), "step".into()));
    found
}

fn identifier(text: &str) -> String {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    text[..end.unwrap_or(text.len())].to_string()
}

/// Module and name of a function of the interpreter, from its demangled symbol.
fn handler_of(symbol: &str) -> Option<(String, String)> {
    let (module, name) = symbol.strip_prefix("rjvm_vm::interp::")?.split_once("::")?;
    let name_only = identifier(name);
    // `npe::work` is a function inside `npe`; `aload::<…>` is an instance of `aload`
    let rest = &name[name_only.len()..];
    let inner = rest.starts_with("::") && !rest.starts_with("::<");
    (!inner).then(|| (module.to_string(), name_only))
}

/// The symbol between `<` and the last `>` of a line of objdump's.
fn symbol(line: &str) -> Option<&str> {
    line.get(line.find('<')? + 1..line.rfind('>')?)
}

/// The problem with an instruction inside a handler.
fn fault(
    instruction: &str,
    module: &str,
    handlers: &BTreeSet<(String, String)>,
) -> Option<&'static str> {
    let mut words = instruction.split_whitespace();
    let mnemonic = words.next()?;
    if mnemonic.starts_with("ret") && module != "slow" {
        return Some("returns: only the slow handlers leave the interpreter");
    }
    if !mnemonic.starts_with("call") {
        return None;
    }
    let target = words.next().unwrap_or("");
    if target.starts_with('*') {
        // through the table of imported functions is no dispatch
        return (!target.ends_with("(%rip)")).then_some("calls its successor");
    }
    let callee = symbol(instruction).and_then(handler_of)?;
    handlers.contains(&callee).then_some("calls a handler")
}

#[test]
fn handlers_end_as_the_back_end_wants() {
    let output = Command::new("objdump")
        .args(["-d", "-C", "--no-show-raw-insn", env!("CARGO_BIN_EXE_rjvm")])
        .output()
        .expect("objdump runs (package binutils)");
    assert!(output.status.success(), "objdump fails");
    let listing = String::from_utf8_lossy(&output.stdout);
    let handlers = declared_handlers();
    assert!(handlers.len() >= 70, "the handlers' declarations are found");

    let mut seen = BTreeSet::new();
    let mut instances = 0;
    let mut jumps = 0;
    let mut faults: BTreeMap<String, usize> = BTreeMap::new();
    let mut current: Option<(String, String)> = None;
    for line in listing.lines() {
        if line.ends_with(">:") {
            current = symbol(line)
                .and_then(handler_of)
                .filter(|h| handlers.contains(h));
            if let Some(h) = &current {
                instances += 1;
                seen.insert(h.clone());
            }
            continue;
        }
        let Some((module, name)) = &current else {
            continue;
        };
        let Some((_, instruction)) = line.split_once(":\t") else {
            continue;
        };
        jumps += usize::from(instruction.starts_with("jmp") && instruction.contains('*'));
        if let Some(what) = fault(instruction, module, &handlers) {
            *faults
                .entry(format!("{module}::{name} {what}"))
                .or_default() += 1;
        }
    }
    if !TAIL_DISPATCH {
        let returns = faults.keys().filter(|f| f.contains(" returns: ")).count();
        assert!(returns >= 50, "the loop's handlers return: {faults:#?}");
        return;
    }
    assert!(faults.is_empty(), "missing tail calls: {faults:#?}");
    let lost: Vec<_> = handlers.difference(&seen).collect();
    assert!(
        lost.is_empty(),
        "handlers without code in the binary: {lost:?}"
    );
    assert!(
        instances >= 500 && jumps >= instances,
        "{instances} handlers with {jumps} jumps"
    );
}

/// Bytes of the OS thread that runs the VM. At one word lost per thousand bytecodes it overflows.
const SMALL_STACK: usize = 256 << 10;

#[test]
fn a_long_run_needs_little_stack() {
    for profile in [ProfileMode::Off, ProfileMode::Exact] {
        let thread = std::thread::Builder::new().stack_size(SMALL_STACK);
        let run = thread.spawn(move || long_run(profile));
        let (result, ticks) = run.expect("a thread").join().expect("no panic");
        assert_eq!(result, -1_433_536_634, "what HotSpot computes");
        assert!(ticks > 30_000_000, "{ticks} bytecodes");
    }
}

/// Runs `tests/dispatch/LongRun.java`: its result, and how many bytecodes the thread executed.
fn long_run(profile: ProfileMode) -> (i32, i64) {
    let source = common::tests_dir().join("dispatch/LongRun.java");
    let classes = jdk::compile("dispatch", &[source], &[], Path::new("no-resources"));
    let mut options = Options::new(jdk::java_home());
    options.boot_append = vec![classes.to_string_lossy().into_owned()];
    options.profile = profile;
    let natives = rjvm_jdk_stubs::natives();
    let host = Box::new(rjvm_jdk_stubs::os::OsHost::new());
    let mut vm = Vm::new(options, host, natives).expect("a VM");
    let main = vm.start_up().expect("the VM starts");
    let result = vm.call_static(main, "LongRun", "run", "()I", &[]);
    let ticks = vm.a_thread(main).ticks();
    (result.expect("no exception").int(), ticks)
}
