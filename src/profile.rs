//! From a VM's counters to a profile.

use crate::launcher::Scope;
use crate::tools::{Bba, blocks};
use rjvm_classfile::CodeAttribute;
use rjvm_classfile::opcodes::insns;
use rjvm_profiler::export::xml;
use rjvm_profiler::{Builder, Kind, MethodInfo, Profile, TreeError};
use rjvm_vm::vm::ProfileMode;
use rjvm_vm::{MethodId, ThreadId, Vm};
use std::collections::HashMap;
use std::io::{self, Write};

/// Class, name and descriptor of a method by its id.
pub fn method(vm: &Vm, id: u32) -> MethodInfo {
    let m = vm.method(MethodId(id));
    let class = vm.class(m.class);
    MethodInfo::new(
        &class.name,
        vm.syms.str(m.name),
        vm.syms.str(m.desc),
        m.is_native(),
        class.hidden,
    )
}

/// The exact profile of what has been executed so far.
pub fn exact(vm: &mut Vm, scope: Scope) -> Result<Profile, TreeError> {
    vm.flush_open_frames();
    let names: Vec<String> = (0..vm.threads.len() as u32)
        .map(|t| vm.thread_name(ThreadId(t)))
        .collect();
    let vm = &*vm;
    let call_sites = vm.options.profile != ProfileMode::Exact;
    let blocks = vm.options.profile == ProfileMode::Blocks;
    let mut builder =
        Builder::new(Kind::Exact, call_sites, |id| method(vm, id)).with_extra(|visit, extra| {
            (extra.objects, extra.bytes) = vm.allocations(visit);
            if blocks {
                extra.counts = vm.bytecode_counts(visit);
            }
        });
    for (t, roots) in vm.contexts(scope == Scope::All) {
        builder.thread(&names[t.0 as usize], t.0 as u64, roots)?;
    }
    builder.finish()
}

/// The samples taken so far.
pub fn samples(vm: &mut Vm) -> Result<Profile, TreeError> {
    vm.finish_samples();
    let vm = &*vm;
    match &vm.samples {
        Some(r) => r.profile(|id| method(vm, id)),
        None => Ok(Profile::default()),
    }
}

/// Writes a line for each sample, if the recorder keeps them.
pub fn sample_log(vm: &Vm, out: &mut dyn Write) -> io::Result<()> {
    match &vm.samples {
        Some(r) => r.write_log(|id| method(vm, id), out),
        None => Ok(()),
    }
}

/// Where instructions and basic blocks of the profile's methods begin, as JP2 numbers and divides
/// them. Classes of one name are one in a profile; the code is that of the first.
pub fn code(vm: &Vm, profile: &Profile) -> Vec<Option<xml::Code>> {
    let mut codes: Vec<Option<xml::Code>> = vec![None; profile.methods.len()];
    let known: HashMap<&MethodInfo, usize> = profile.methods.iter().zip(0..).collect();
    for (id, linked) in (0u32..).zip(&vm.methods) {
        if let Some(code) = &linked.code
            && let Some(&index) = known.get(&method(vm, id))
            && codes[index].is_none()
        {
            codes[index] = layout(code.attr());
        }
    }
    codes
}

/// `None` if the code can't be decoded.
pub fn layout(code: &CodeAttribute) -> Option<xml::Code> {
    let instructions = insns(&code.code).map(|insn| Some(insn.ok()?.pc as u16));
    let blocks = blocks(code, Bba::Default).ok()?;
    Some(xml::Code {
        instructions: instructions.collect::<Option<_>>()?,
        blocks: blocks.iter().map(|block| block.start).collect(),
    })
}
