//! System properties of a running program, read from its heap: no code of the program's runs for that.

use super::date::date;
use crate::launcher::config::Config;
use crate::launcher::debugger;
use rjvm_vm::{R, Ref, Vm, jdk};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The system properties in the form of `java.util.Properties.store`, sorted.
pub fn of_system(vm: &mut Vm) -> String {
    let (now, _) = vm.rooms().host.wall_clock();
    let mut all = BTreeMap::new();
    // a VM that is only coming up has none yet
    let _ = gather(vm, &mut all);
    format!("#{}\n{}", date(now, "-", " "), written(all))
}

/// What tools for agents ask for.
pub fn of_agents(vm: &mut Vm, config: &Config) -> String {
    let command = |p: &&(String, String)| p.0 == "sun.java.command";
    let command = config.vm.properties.iter().find(command);
    let command = command.map_or("", |p| &p.1);
    let args = config.vm.arguments.join(" ");
    let mut all = BTreeMap::new();
    for (key, value) in [
        ("sun.jvm.args", args.as_str()),
        ("sun.jvm.flags", ""),
        ("sun.java.command", command),
    ] {
        all.insert(key.into(), value.into());
    }
    if let Some(address) = debugger::listener_address(vm) {
        all.insert("sun.jdwp.listenerAddress".into(), address);
    }
    // where the management agent listens, once it does
    if vm.is_loaded(jdk::vm_support::CLASS) {
        let own = vm.get_static(jdk::vm_support::AGENT_PROPS);
        let _ = own.and_then(|own| entries(vm, own, &mut all));
    }
    written(all)
}

fn written(all: BTreeMap<String, String>) -> String {
    let mut out = String::new();
    for (key, value) in all {
        let _ = writeln!(out, "{}={}", escaped(&key, true), escaped(&value, false));
    }
    out
}

fn gather(vm: &mut Vm, all: &mut BTreeMap<String, String>) -> R<()> {
    let props = vm.get_static(jdk::system::PROPS);
    entries(vm, props, all)
}

/// The strings of a `Properties`.
fn entries(vm: &mut Vm, props: Ref, all: &mut BTreeMap<String, String>) -> R<()> {
    use jdk::concurrent_hash_map as map;
    let Some(props) = props.non_null() else {
        return Ok(());
    };
    let Some(table) = vm.get(props, jdk::properties::MAP)?.non_null() else {
        return Ok(());
    };
    // of a table that grows, one part is in each
    for array in [vm.get(table, map::TABLE)?, vm.get(table, map::NEXT_TABLE)?] {
        let Some(array) = array.non_null() else {
            continue;
        };
        for i in 0..vm.heap().len(array) {
            let bin = vm.heap().elem_ref(array, i);
            chain(vm, bin, all)?;
        }
    }
    Ok(())
}

fn chain(vm: &mut Vm, bin: Ref, all: &mut BTreeMap<String, String>) -> R<()> {
    use jdk::concurrent_hash_map_node as node;
    use jdk::concurrent_hash_map_tree_bin as tree;
    let mut next = bin;
    if !bin.is_null() && vm.is_a(bin, tree::CLASS) {
        next = vm.get(bin, tree::ROOT)?;
    }
    while let Some(n) = next.non_null() {
        let (key, value) = (vm.get(n, node::KEY)?, vm.get(n, node::VAL)?);
        let string = vm.known().string;
        if [key, value]
            .iter()
            .all(|o| !o.is_null() && vm.instance_of(*o, string))
        {
            all.insert(vm.string(key), vm.string(value));
        }
        next = vm.get(n, node::NEXT)?;
    }
    Ok(())
}

/// As `Properties.store` writes it.
fn escaped(text: &str, key: bool) -> String {
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        match c {
            ' ' if key || i == 0 => out.push_str("\\ "),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\x0c' => out.push_str("\\f"),
            '=' | ':' | '#' | '!' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            ' '..='~' => out.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04X}");
                }
            }
        }
    }
    out
}
