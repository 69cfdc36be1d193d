//! Values of options: reads them, and describes mistakes.

use super::config::Config;
use super::option::OptionProblem;
use super::sizes::size;
use rjvm_profiler::export::Output;

/// The VM cannot be made: this says why.
///
/// # Errors
/// Always.
pub fn vm<T>(text: String) -> Result<T, OptionProblem> {
    Err(OptionProblem::Vm(text))
}

/// One of rjvm's own options is wrong: this says how.
///
/// # Errors
/// Always.
pub fn own<T>(text: String) -> Result<T, OptionProblem> {
    Err(OptionProblem::Own(text))
}

/// The one of `choices` that has the name `value`.
pub fn choice<T: Copy>(name: &str, value: &str, choices: &[(&str, T)]) -> Result<T, OptionProblem> {
    if let Some(c) = choices.iter().find(|c| c.0 == value) {
        return Ok(c.1);
    }
    let all: Vec<&str> = choices.iter().map(|c| c.0).collect();
    own(format!(
        "{name}={value}: expected one of {}",
        all.join(", ")
    ))
}

/// Where a profile is written to.
pub fn output(name: &str, value: &str) -> Result<Output, OptionProblem> {
    Output::of(value.as_ref()).or_else(|e| own(format!("{name} {e}")))
}

/// A list of patterns for classes and methods.
pub fn patterns(name: &str, value: &str) -> Result<Vec<rjvm_profiler::Pattern>, OptionProblem> {
    rjvm_profiler::Pattern::list(value).or_else(|e| own(format!("{name}={value}: {e}")))
}

/// A number within limits.
pub fn number(name: &str, value: &str, min: u64, max: u64) -> Result<u64, OptionProblem> {
    match value.parse() {
        Ok(n) if (min..=max).contains(&n) => Ok(n),
        _ => own(format!(
            "{name}={value}: expected a number from {min} to {max}"
        )),
    }
}

/// Nanoseconds with up to three decimal places, in picoseconds.
pub fn picoseconds(name: &str, value: &str) -> Result<u64, OptionProblem> {
    let wrong = || {
        own(format!(
            "{name}={value}: expected nanoseconds from 0.001 to 1000000"
        ))
    };
    let (whole, part) = value.split_once('.').unwrap_or((value, "0"));
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(part) || whole.len() > 7 || part.len() > 3 {
        return wrong();
    }
    let number = |s: &str| s.parse::<u64>().expect("a few digits");
    match number(whole) * 1000 + number(&format!("{part:0<3}")) {
        n @ 1..=1_000_000_000 => Ok(n),
        _ => wrong(),
    }
}

/// The least heap the class library comes up in, and the most that references reach.
pub const HEAP: std::ops::RangeInclusive<u64> = 2 << 20..=30 << 30;

/// Takes the size of the heap that `option` asks for.
pub fn heap(c: &mut Config, option: &str, value: &str) -> Result<(), OptionProblem> {
    match size(value) {
        None | Some(0) => vm(format!("Invalid maximum heap size: {option}")),
        Some(n) if n < *HEAP.start() => Err(OptionProblem::Init("Too small maximum heap".into())),
        Some(n) if n > *HEAP.end() => vm(format!(
            "Invalid maximum heap size: {option}\nThe specified size exceeds the maximum representable size."
        )),
        Some(n) => {
            c.vm.max_heap = n as usize;
            c.max_heap_given = true;
            c.vm.given.push("MaxHeapSize".into());
            Ok(())
        }
    }
}

/// The least and greatest stack of a thread.
const STACK: std::ops::RangeInclusive<u64> = 136 << 10..=64 << 30;

/// Size of a thread's stack that `option` asks for; 0 means the default.
pub fn stack(option: &str, value: &str) -> Result<usize, OptionProblem> {
    match size(value) {
        None => vm(format!("Invalid thread stack size: {option}")),
        Some(0) => Ok(Config::default().vm.stack_bytes),
        Some(n) if n < *STACK.start() => {
            let message =
                "\nThe Java thread stack size specified is too small. Specify at least 136k";
            Err(OptionProblem::VmOut(message.into()))
        }
        Some(n) if n > *STACK.end() => vm(format!("Invalid thread stack size: {option}")),
        Some(n) => Ok(n as usize),
    }
}
