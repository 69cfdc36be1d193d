//! Plans of faults, as text: `disk-full@1m,short-io:10%,reset:1%,denied:/etc,clock-jump@5s:-1h,oom@1000`.

/// The faults to inject.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Bytes that files may be written in all: `disk-full@SIZE`.
    pub disk: Option<u64>,
    /// How many in a million requests that change files are denied: `denied:P%`.
    pub denied: u32,
    /// Files whose names begin like this are denied: `denied:NAME`.
    pub denied_names: Vec<Vec<u8>>,
    /// How many in a million reads and writes get only a part: `short-io:P%`.
    pub short: u32,
    /// How many in a million requests to connections find them reset by the other side: `reset:P%`.
    pub reset: u32,
    /// When the wall clock is set: `clock-jump@AFTER[:BY]`.
    pub jump: Option<Jump>,
    /// Numbers of the allocations, counted from `main` on, that find the heap full: `oom@N`. No host sees to these, but
    /// the VM ([`rjvm_vm::Vm::fail_allocations`]).
    pub oom: Vec<u64>,
}

/// A wall clock that is set while the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// Nanoseconds after the program has first looked at it.
    pub after: i128,
    /// By so many nanoseconds.
    pub by: i128,
}

/// By how much the clock is set by default.
const HOUR: i128 = 3_600_000_000_000;

/// A fault that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}: {problem}")]
pub struct PlanError {
    /// The fault as it is written.
    pub fault: String,
    /// The expected form.
    pub problem: &'static str,
}

impl Plan {
    /// Reads a plan.
    ///
    /// # Errors
    /// The first fault that cannot be read.
    pub fn parse(text: &str) -> Result<Plan, PlanError> {
        let mut plan = Plan::default();
        for item in text.split(',') {
            let wrong = |problem| PlanError {
                fault: item.to_owned(),
                problem,
            };
            let at = item.find(['@', ':']).unwrap_or(item.len());
            let (name, rest) = item.split_at(at);
            let mark = rest.chars().next();
            let value = rest.get(1..).unwrap_or_default();
            match (name, mark) {
                ("disk-full", Some('@')) => {
                    let n = size(value)
                        .ok_or_else(|| wrong("expected a size, such as disk-full@1m"))?;
                    plan.disk = Some(n);
                }
                ("denied", Some(':')) if value.ends_with('%') => {
                    plan.denied = share(value).ok_or_else(|| wrong(SHARE))?;
                }
                ("denied", Some(':')) if !value.is_empty() => {
                    plan.denied_names.push(value.as_bytes().to_vec());
                }
                ("short-io", Some(':')) => plan.short = share(value).ok_or_else(|| wrong(SHARE))?,
                ("reset", Some(':')) => plan.reset = share(value).ok_or_else(|| wrong(SHARE))?,
                ("clock-jump", Some('@')) => {
                    let (after, by) = value.split_once(':').unwrap_or((value, "1h"));
                    let times = time(after).filter(|&n| n >= 0).zip(time(by));
                    let (after, by) = times.ok_or_else(|| {
                        wrong("expected times, such as clock-jump@5s or clock-jump@5s:-1h")
                    })?;
                    plan.jump = Some(Jump { after, by });
                }
                ("oom", Some('@')) => {
                    let n = value.parse().ok().filter(|&n| n > 0);
                    let n = n.ok_or_else(|| wrong("expected a number, such as oom@1000"))?;
                    plan.oom.push(n);
                }
                _ => {
                    return Err(wrong(
                        "unknown fault; the faults are disk-full@SIZE, denied:P%, denied:NAME, short-io:P%, reset:P%, clock-jump@TIME[:TIME] and oom@N",
                    ));
                }
            }
        }
        Ok(plan)
    }
}

const SHARE: &str = "expected a percentage, such as 10% or 0.5%";

/// A percentage as millionths.
fn share(text: &str) -> Option<u32> {
    let percent: f64 = text.strip_suffix('%')?.parse().ok()?;
    (0.0..=100.0)
        .contains(&percent)
        .then(|| (percent * 10_000.0).round() as u32)
}

fn size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match &text[digits.len()..] {
        "" => 1,
        "k" | "K" => 1 << 10,
        "m" | "M" => 1 << 20,
        "g" | "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// A time in nanoseconds.
fn time(text: &str) -> Option<i128> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => HOUR / 60,
        "h" => HOUR,
        "d" => 24 * HOUR,
        _ => return None,
    };
    let n: i32 = digits.parse().ok()?;
    Some(i128::from(n) * unit)
}
