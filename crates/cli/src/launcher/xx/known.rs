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

/// A switch of HotSpot for a family of intrinsics.
macro_rules! family {
    ($name:literal) => {
        ($name, Switch(|c, on| c.vm.intrinsics_off.switch($name, on)))
    };
}

/// Options with an effect.
pub static KNOWN: &[(&str, OptionKind)] = &[
    (
        "AllowRedefinitionToAddDeleteMethods",
        Switch(|c, on| c.vm.add_methods = on),
    ),
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
        Switch(|c, on| c.vm.dynamic_agents = on),
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
    ("CheckJNICalls", Switch(|c, on| c.vm.check_jni = on)),
    (
        "PrintConcurrentLocks",
        Switch(|c, on| c.vm.print_concurrent_locks = on),
    ),
    ("DisableAttachMechanism", Switch(|c, on| c.attachable = !on)),
    (
        "ControlIntrinsic",
        Value(|c, _, v| {
            // a comma, a space or a new line is between names
            for word in v.split([',', ' ', '\n']) {
                if let Some(name) = word.strip_prefix('-') {
                    c.vm.intrinsics_off.switch(name, false);
                } else if let Some(name) = word.strip_prefix('+') {
                    c.vm.intrinsics_off.switch(name, true);
                }
            }
            Ok(())
        }),
    ),
    (
        "DisableIntrinsic",
        Value(|c, _, v| {
            for name in v.split([',', ' ', '\n']).filter(|n| !n.is_empty()) {
                c.vm.intrinsics_off.switch(name, false);
            }
            Ok(())
        }),
    ),
    family!("UseAES"),
    family!("UseAESCTRIntrinsics"),
    family!("UseAESIntrinsics"),
    family!("UseBASE64Intrinsics"),
    family!("UseCRC32CIntrinsics"),
    family!("UseChaCha20Intrinsics"),
    family!("UseGHASHIntrinsics"),
    family!("UseIntPolyIntrinsics"),
    family!("UseMD5Intrinsics"),
    family!("UseMontgomeryMultiplyIntrinsic"),
    family!("UseMontgomerySquareIntrinsic"),
    family!("UseMulAddIntrinsic"),
    family!("UseMultiplyToLenIntrinsic"),
    family!("UsePoly1305Intrinsics"),
    family!("UseSHA"),
    family!("UseSHA1Intrinsics"),
    family!("UseSHA256Intrinsics"),
    family!("UseSHA3Intrinsics"),
    family!("UseSHA512Intrinsics"),
    family!("UseSquareToLenIntrinsic"),
    ("DumpPerfMapAtExit", Switch(|c, on| c.perf_map_at_exit = on)),
    ("PrintCompilation", Switch(|c, on| c.print_compilation = on)),
    ("FlightRecorderOptions", Value(jfr::common)),
    ("UsePerfData", Switch(|c, on| c.perf_data = on)),
    ("ReduceSignalUsage", Switch(|c, on| c.reduce_signals(on))),
    ("MaxHeapSize", Value(values::heap)),
    (
        "MaxRAMPercentage",
        // the table has its range
        Value(|c, _, v| {
            c.heap_share = v.parse().ok();
            Ok(())
        }),
    ),
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
