//! Options of profiles and sampling: the unit that is counted, the granularity, and where samples go beside an exact profile.

use super::config::Config;
use super::option::OptionProblem;
use crate::invalid::InvalidValue;
use rjvm_profiler::export::Output;
use rjvm_vm::vm::ProfileMode;

/// The greatest distance of two samples.
const MAX_GRANULARITY: u64 = 1 << 50;

/// `--profile=...`
pub fn set_profile(config: &mut Config, text: &str) -> Result<(), OptionProblem> {
    config.locks = text == "locks";
    config.vm.profile = match text {
        "locks" => ProfileMode::Off,
        "exact" => ProfileMode::Exact,
        "callsites" => ProfileMode::CallSites,
        "blocks" => ProfileMode::Blocks,
        _ => {
            return Err(OptionProblem::Own(format!(
                "--profile={text}: expected exact, callsites, blocks or locks"
            )));
        }
    };
    config.view.call_sites |= matches!(text, "callsites" | "blocks");
    Ok(())
}

/// `--sample-gran=N[+r]`
pub fn set_granularity(config: &mut Config, text: &str) -> Result<(), OptionProblem> {
    let (every, random) = granularity(text)
        .map_err(|problem| OptionProblem::Own(format!("--sample-gran={text}: {problem}")))?;
    (config.vm.sample_every, config.vm.sample_random) = (Some(every), random);
    Ok(())
}

/// `N` or `N+r`
pub fn granularity(text: &str) -> Result<(u64, u64), InvalidValue> {
    let number = |text: &str| {
        // `parse` alone would take a sign
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        match (digits, text.parse()) {
            (true, Ok(n @ 1..=MAX_GRANULARITY)) => Ok(n),
            (true, Ok(0)) => Err(InvalidValue::Rule("N and r must be at least 1")),
            (true, _) => Err(InvalidValue::Above("the granularity", MAX_GRANULARITY)),
            (false, _) => Err(InvalidValue::Expected(
                "N or N+r: a sample every N bytecodes, plus a random number below r",
            )),
        }
    };
    match text.split_once('+') {
        None => Ok((number(text)?, 0)),
        Some((every, random)) => Ok((number(every)?, number(random)?)),
    }
}

/// Completes where samples go: where the exact profile goes, if that is not taken and no place is given; beside it, if both are
/// taken and no place is given.
pub fn complete(config: &mut Config) {
    if config.vm.sample_every.is_none() {
        return;
    }
    let outputs = match config.vm.profile {
        ProfileMode::Off => std::mem::take(&mut config.outputs),
        _ if config.sample_outputs.is_empty() => config.outputs.iter().map(beside).collect(),
        _ => Vec::new(),
    };
    config.sample_outputs.extend(outputs);
}

/// `x.samples.txt` for `x.txt`.
fn beside(output: &Output) -> Output {
    let Output { format, path } = output;
    if output.is_stdout() {
        return output.clone();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = match name.strip_suffix(format.extension) {
        Some(stem) => format!("{stem}samples.{}", format.extension),
        // callgrind.out.N
        None => format!("{name}.samples"),
    };
    Output {
        format,
        path: path.with_file_name(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn granularities_and_what_is_none() {
        for (text, meant) in [
            ("1", (1, 0)),
            ("10000", (10_000, 0)),
            ("500+100", (500, 100)),
            ("1+1", (1, 1)),
            ("1125899906842624", (MAX_GRANULARITY, 0)),
        ] {
            assert_eq!(granularity(text), Ok(meant), "{text}");
        }
        for (text, problem) in [
            ("0", "must be at least 1"),
            ("500+0", "must be at least 1"),
            ("0+5", "must be at least 1"),
            ("1125899906842625", "at most"),
            ("500+99999999999999999999999", "at most"),
            ("99999999999999999999999", "at most"),
            ("-1", "expected N or N+r"),
            ("+5", "expected N or N+r"),
            ("5+", "expected N or N+r"),
            ("5++5", "expected N or N+r"),
            ("5+-5", "expected N or N+r"),
            ("1.5", "expected N or N+r"),
            ("10k", "expected N or N+r"),
            ("1e4", "expected N or N+r"),
            ("", "expected N or N+r"),
        ] {
            let message = granularity(text).unwrap_err();
            assert!(message.to_string().contains(problem), "{text}: {message}");
        }
    }

    #[test]
    fn samples_go_beside_the_exact_profile() {
        for (path, name) in [
            ("a/x.rjp", "a/x.samples.rjp"),
            ("x.dcg.xml", "x.samples.dcg.xml"),
            ("callgrind.out.7", "callgrind.out.7.samples"),
            ("callgrind.out", "callgrind.out.samples"),
        ] {
            let samples = beside(&Output::of(Path::new(path)).unwrap());
            assert_eq!(samples.path, Path::new(name));
            let again = Output::of(&samples.path).unwrap();
            assert_eq!(again.format.extension, samples.format.extension, "{path}");
        }
    }
}
