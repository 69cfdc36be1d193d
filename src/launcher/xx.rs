//! The `-XX:` options: those with an effect, and HotSpot's that are accepted without one.

use super::config::Config;
use super::flags;
use super::option::Problem;
use super::{jfr, suggest};

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
        "HeapDumpGzipLevel",
        Value(|c, written, v| {
            let option = written.trim_start_matches("-XX:");
            let wrong = || Problem::Vm(format!("Improperly specified VM option '{option}'"));
            let level: i64 = v.parse().map_err(|_| wrong())?;
            if !(0..=9).contains(&level) {
                return Err(Problem::Vm(format!(
                    "intx HeapDumpGzipLevel={level} is outside the allowed range [ 0 ... 9 ]\n\
                     Improperly specified VM option '{option}'"
                )));
            }
            c.vm.heap_dump_gzip = level as u32;
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
    ("DisableAttachMechanism", Switch(|c, on| c.attachable = !on)),
    ("FlightRecorderOptions", Value(jfr::common)),
    ("UsePerfData", Switch(|c, on| c.perf_data = on)),
    ("ReduceSignalUsage", Switch(|c, on| c.signals = !on)),
    ("MaxHeapSize", Value(flags::heap)),
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
const SWITCHES: &str = include_str!("hotspot-switches.txt");

/// HotSpot's values likewise.
const VALUES: &str = include_str!("hotspot-values.txt");

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
    if let Some(done) = jfr::set(c, text) {
        return done;
    }
    let (sign, rest) = match text.as_bytes().first() {
        Some(b'+') => (Some(true), &text[1..]),
        Some(b'-') => (Some(false), &text[1..]),
        _ => (None, text),
    };
    // this one takes a colon too, as recordings do
    let common = "FlightRecorderOptions";
    let colon = rest.strip_prefix(common).and_then(|r| r.strip_prefix(':'));
    let (name, value) = match (colon, rest.split_once('=')) {
        (Some(v), _) => (common, Some(v)),
        (None, Some((n, v))) => (n, Some(v)),
        (None, None) => (rest, None),
    };
    let said = |text: String| Err(Problem::Vm(text));
    // what is wrong with a switch's value, and with a value's sign
    let no_switch = || match sign {
        None => said(format!("Missing +/- setting for VM option '{rest}'")),
        _ => said(format!("Improperly specified VM option '{rest}'")),
    };
    let no_value = || match sign {
        Some(_) => said(format!("Unexpected +/- setting in VM option '{rest}'")),
        None => said(format!("Improperly specified VM option '{rest}'")),
    };
    if let Some((_, kind)) = KNOWN.iter().find(|k| k.0 == name) {
        c.vm.given.push(name.into());
        return match (kind, sign, value) {
            (Switch(f), Some(on), None) => {
                f(c, on);
                Ok(())
            }
            (Value(f), None, Some(v)) => f(c, &format!("-XX:{text}"), v),
            (Switch(_), ..) => no_switch(),
            (Value(_), ..) => no_value(),
        };
    }
    let listed = |list: &str| list.split_whitespace().any(|n| n == name);
    match (listed(SWITCHES), listed(VALUES)) {
        (true, _) if sign.is_none() || value.is_some() => return no_switch(),
        (false, true) if sign.is_some() || value.is_none() => return no_value(),
        (false, false) if c.ignore_unrecognized => return Ok(()),
        (false, false) => {
            let meant = match nearest(name) {
                Some(option) => format!("\nDid you mean '{option}'?"),
                None => String::new(),
            };
            return said(format!("Unrecognized VM option '{rest}'{meant}"));
        }
        _ => {}
    }
    c.notes.push(format!("-XX:{text} has no effect"));
    Ok(())
}

/// The option whose name is most like `name`, as it is written.
fn nearest(name: &str) -> Option<String> {
    let known = KNOWN
        .iter()
        .map(|(n, kind)| (*n, matches!(kind, Switch(_))));
    let switches = SWITCHES.split_whitespace().map(|n| (n, true));
    let values = VALUES.split_whitespace().map(|n| (n, false));
    let all = known.chain(switches).chain(values);
    let (name, switch) = suggest::nearest(name, all, |(n, _)| n)?;
    Some(match switch {
        true => format!("(+/-){name}"),
        false => format!("{name}=<value>"),
    })
}
