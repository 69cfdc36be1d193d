//! Commands that add probes to a running program, ask them and take them away.

use super::known::CommandContext;
use crate::launcher::probes::ProbeError;
use rjvm_vm::Vm;

/// `Probe.add`; `source` is what messages call the text.
pub fn add(
    vm: &mut Vm,
    known: &CommandContext,
    source: &str,
    text: &str,
) -> Result<String, ProbeError> {
    let (number, notes) = known.probes.add(vm, &known.config, source, text)?;
    let notes: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
    Ok(format!("Probe {number} added\n{notes}"))
}

/// `Probe.list`
pub fn list(known: &CommandContext) -> String {
    let all = known.probes.list();
    match all.is_empty() {
        true => NONE.into(),
        false => all
            .iter()
            .map(|(n, text)| format!("{n}: {text}\n"))
            .collect(),
    }
}

/// `Probe.print`
pub fn reported(
    vm: &Vm,
    known: &CommandContext,
    number: Option<&str>,
) -> Result<String, ProbeError> {
    let text = known.probes.reported(vm, number)?;
    Ok(match (number, text.is_empty()) {
        (None, true) => NONE.into(),
        _ => text,
    })
}

const NONE: &str = "There are no probes\n";
