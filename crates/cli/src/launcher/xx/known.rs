//! The `-XX:` options that have an effect here.

use crate::launcher::config::Config;
use crate::launcher::jfr;
use crate::launcher::option::OptionProblem;
use crate::launcher::sizes::size;
use crate::launcher::values;

/// An `-XX:` option's value and effect.
pub enum OptionKind {
    /// `+name` or `-name`.
    Switch(fn(&mut Config, bool)),
    /// `name=value`.
    Value(fn(&mut Config, &str, &str) -> Result<(), OptionProblem>),
}
use OptionKind::{Switch, Value};

/// Options with an effect.
pub static KNOWN: &[(&str, OptionKind)] = &[
    (
        "BytecodeVerificationLocal",
        Switch(|c, on| c.vm.verify_boot = on),
    ),
    (
        "BytecodeVerificationRemote",
        Switch(|c, on| c.vm.verify_app = on),
    ),
    (
        "EnableDynamicAgentLoading",
        Switch(|c, on| c.dynamic_agents = Some(on)),
    ),
    (
        "HeapDumpOnOutOfMemoryError",
        Switch(|c, on| c.vm.heap_dump_on_oom = on),
    ),
    (
        "HeapDumpPath",
        Value(|c, _, v| {
            c.vm.heap_dump_path = Some(v.into());
            Ok(())
        }),
    ),
    (
        "HeapDumpGzipLevel",
        // the table has its range
        Value(|c, _, v| {
            c.vm.heap_dump_gzip = v.parse().unwrap_or(0);
            Ok(())
        }),
    ),
    (
        "ExitOnOutOfMemoryError",
        Switch(|c, on| c.vm.exit_on_oom = on),
    ),
    (
        "IgnoreUnrecognizedVMOptions",
        Switch(|c, on| c.ignore_unrecognized = on),
    ),
    (
        "ShowCodeDetailsInExceptionMessages",
        Switch(|c, on| c.vm.null_pointer_messages = on),
    ),
    (
        "PrintConcurrentLocks",
        Switch(|c, on| c.vm.print_concurrent_locks = on),
    ),
    ("DisableAttachMechanism", Switch(|c, on| c.attachable = !on)),
    ("FlightRecorderOptions", Value(jfr::common)),
    ("UsePerfData", Switch(|c, on| c.perf_data = on)),
    ("ReduceSignalUsage", Switch(|c, on| c.reduce_signals(on))),
    ("MaxHeapSize", Value(values::heap)),
    (
        "ThreadStackSize",
        Value(|c, option, v| {
            c.vm.stack_bytes = values::stack(option, &format!("{v}k"))?;
            Ok(())
        }),
    ),
    (
        "MaxMetaspaceSize",
        Value(|c, option, v| {
            c.vm.max_metaspace = Some(metadata(option, v)?);
            Ok(())
        }),
    ),
    (
        "MetaspaceSize",
        Value(|c, option, v| {
            c.vm.metaspace_size = metadata(option, v)?;
            Ok(())
        }),
    ),
    (
        "CompressedClassSpaceSize",
        Value(|c, option, v| {
            c.vm.class_space = metadata(option, v)?;
            Ok(())
        }),
    ),
    (
        "MaxDirectMemorySize",
        Value(|c, option, v| match size(v) {
            Some(n) => {
                c.vm.max_direct_memory = Some(n).filter(|&n| n != 0);
                Ok(())
            }
            None => Err(OptionProblem::Vm(format!(
                "Improperly specified VM option '{}'",
                option.trim_start_matches("-XX:")
            ))),
        }),
    ),
];

/// A number of bytes of class metadata.
fn metadata(option: &str, v: &str) -> Result<usize, OptionProblem> {
    let bytes = size(v).and_then(|n| usize::try_from(n).ok());
    bytes.ok_or_else(|| {
        let option = option.trim_start_matches("-XX:");
        OptionProblem::Vm(format!("Improperly specified VM option '{option}'"))
    })
}
