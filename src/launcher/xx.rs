//! The `-XX:` options: those with an effect, and HotSpot's that are accepted without one.

use super::config::Config;
use super::flags::{self, Problem};

/// An `-XX:` option's value and effect.
enum Kind {
    /// `+name` or `-name`.
    Switch(fn(&mut Config, bool)),
    /// `name=value`.
    Value(fn(&mut Config, &str, &str) -> Result<(), Problem>),
}
use Kind::{Switch, Value};

/// Options with an effect.
static KNOWN: &[(&str, Kind)] = &[
    (
        "BytecodeVerificationLocal",
        Switch(|c, on| c.vm.verify_boot = on),
    ),
    (
        "BytecodeVerificationRemote",
        Switch(|c, on| c.vm.verify_app = on),
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
    ("ReduceSignalUsage", Switch(|c, on| c.signals = !on)),
    (
        "MaxHeapSize",
        Value(|c, option, v| {
            c.vm.max_heap = flags::heap(option, v)?;
            Ok(())
        }),
    ),
    (
        "ThreadStackSize",
        Value(|c, option, v| {
            c.vm.stack_bytes = flags::stack(option, &format!("{v}k"))?;
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
        Value(|c, option, v| match flags::size(v) {
            Some(n) => {
                c.vm.max_direct_memory = Some(n).filter(|&n| n != 0);
                Ok(())
            }
            None => Err(Problem::Vm(format!(
                "Improperly specified VM option '{}'",
                option.trim_start_matches("-XX:")
            ))),
        }),
    ),
];

/// HotSpot's switches that tune what rjvm has not, or is always on here.
const SWITCHES: &str = "AlwaysPreTouch BackgroundCompilation ClassUnloading CompactStrings CrashOnOutOfMemoryError \
 DebugNonSafepoints DisableAttachMechanism DoEscapeAnalysis EliminateLocks ExplicitGCInvokesConcurrent FlightRecorder \
 InlineSynchronizedMethods OmitStackTraceInFastThrow OptimizeStringConcat ParallelRefProcEnabled PerfDisableSharedMem \
 PreserveFramePointer PrintCommandLineFlags PrintGC PrintGCDetails RewriteBytecodes RewriteFrequentPairs \
 ScavengeBeforeFullGC TieredCompilation UnlockCommercialFeatures UnlockDiagnosticVMOptions \
 UnlockExperimentalVMOptions UseAdaptiveSizePolicy UseBiasedLocking UseCompressedClassPointers UseCompressedOops \
 UseContainerSupport UseEpsilonGC UseFastAccessorMethods UseG1GC UseGCOverheadLimit UseInterpreter UseLargePages UseNUMA \
 UseParallelGC UseParallelOldGC UseConcMarkSweepGC UsePerfData UseSerialGC UseShenandoahGC UseStringDeduplication \
 UseTLAB UseTransparentHugePages UseZGC ZGenerational";

/// HotSpot's values likewise.
const VALUES: &str = "ActiveProcessorCount AllocatePrefetchStyle CICompilerCount CompileCommand CompileThreshold \
 ConcGCThreads ErrorFile FreqInlineSize G1HeapRegionSize G1ReservePercent GCLogFileSize \
 GCTimeRatio InitialCodeCacheSize InitialHeapSize InitialRAMPercentage InitiatingHeapOccupancyPercent \
 LogFile MaxGCPauseMillis MaxHeapFreeRatio MaxInlineLevel MaxInlineSize MaxJavaStackTraceDepth MaxNewSize \
 MaxRAM MaxRAMPercentage MaxTenuringThreshold MinHeapFreeRatio MinHeapSize MinRAMPercentage NewRatio NewSize \
 OnError OnOutOfMemoryError ParallelGCThreads ReservedCodeCacheSize SharedArchiveFile SoftRefLRUPolicyMSPerMB \
 StackShadowPages SurvivorRatio TieredStopAtLevel VMThreadStackSize";

/// A number of bytes of class metadata.
fn metadata(option: &str, v: &str) -> Result<usize, Problem> {
    let bytes = flags::size(v).and_then(|n| usize::try_from(n).ok());
    bytes.ok_or_else(|| {
        let option = option.trim_start_matches("-XX:");
        Problem::Vm(format!("Improperly specified VM option '{option}'"))
    })
}

/// Takes what follows `-XX:`.
pub fn set(c: &mut Config, text: &str) -> Result<(), Problem> {
    let (sign, rest) = match text.as_bytes().first() {
        Some(b'+') => (Some(true), &text[1..]),
        Some(b'-') => (Some(false), &text[1..]),
        _ => (None, text),
    };
    let (name, value) = match rest.split_once('=') {
        Some((n, v)) => (n, Some(v)),
        None => (rest, None),
    };
    let improper = || {
        let t = if sign.is_some() { rest } else { text };
        Err(Problem::Vm(format!("Improperly specified VM option '{t}'")))
    };
    if let Some((_, kind)) = KNOWN.iter().find(|k| k.0 == name) {
        return match (kind, sign, value) {
            (Switch(f), Some(on), None) => {
                f(c, on);
                Ok(())
            }
            (Value(f), None, Some(v)) => f(c, &format!("-XX:{text}"), v),
            _ => improper(),
        };
    }
    let listed = |list: &str| list.split_whitespace().any(|n| n == name);
    let fits = match (listed(SWITCHES), listed(VALUES)) {
        (true, _) => sign.is_some() && value.is_none(),
        (_, true) => sign.is_none() && value.is_some(),
        _ if c.ignore_unrecognized => return Ok(()),
        _ => return Err(Problem::Vm(format!("Unrecognized VM option '{rest}'"))),
    };
    if !fits {
        return improper();
    }
    c.notes.push(format!("-XX:{text} has no effect"));
    Ok(())
}
