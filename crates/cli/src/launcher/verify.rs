//! `--tier=verify`: runs a program interpreted, then with all methods compiled, and compares the runs. If they differ, a search by
//! halves finds the method: the first one with which the runs differ when only it and those compiled before it are compiled. A second
//! search finds the bytecode.

use super::check::RepeatedRuns;
use super::codes::PARTED;
use super::config::Config;
use super::parts::Parts;
use super::probed::Probed;
use crate::divergence::{self, ComparisonMode, Trace};
use crate::messages;
use crate::run_error::RunError;
use rjvm_profiler::summary::grouped;
use rjvm_vm::vm::{ProfileMode, TierCheck, TierMode};
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// What the runs are compared by.
const BY: ComparisonMode = ComparisonMode::Counted;

/// The two ways of running the program.
struct Sides {
    programs: [Probed; 2],
    /// How many methods have been compiled in the last run, and the name of the last one.
    last: Arc<Mutex<(u64, String)>>,
}

impl Sides {
    fn new(config: &Config) -> Result<Sides, RunError> {
        let side = |tier| {
            let mut config = config.clone();
            config.vm.tier = tier;
            // the contexts are compared
            config.vm.profile = match config.vm.allocations {
                true => ProfileMode::CallSites,
                false => ProfileMode::Exact,
            };
            Probed::new(config)
        };
        let mut programs = [side(TierMode::Off)?, side(TierMode::All)?];
        let check = &mut programs[1].config.vm.tier_check;
        let last = check.get_or_insert_with(TierCheck::default).last.clone();
        Ok(Sides { programs, last })
    }
    /// How many methods are compiled in runs from now on.
    fn compile(&mut self, most: u64) {
        let check = self.programs[1].config.vm.tier_check.as_mut();
        check.expect("made above").most = Some(most);
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = (0, String::new());
    }
    fn compiled(&self) -> (u64, String) {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.clone()
    }
}

/// Fails for a subcommand, whose runs are its own, if the program's options demand a verification.
///
/// # Errors
/// They do.
pub fn not_here(config: &Config) -> Result<(), RunError> {
    match config.tier_verify {
        true => Err(RunError::Unfit(
            "subcommands cannot be combined with --tier=verify",
        )),
        false => Ok(()),
    }
}

/// Compares; the exit code.
pub fn verify(config: &Config, parts: &dyn Fn() -> Parts) -> i32 {
    let found = Sides::new(config).and_then(|mut sides| {
        let mut code = None;
        let found = compare(&mut sides, parts, &mut code)?;
        Ok((found, code.unwrap_or_default()))
    });
    match found {
        Err(problem) => {
            messages::error(&problem);
            1
        }
        Ok((VerifyOutcome::Same(executed), code)) => {
            if !config.quiet {
                messages::note(&format_args!(
                    "{} bytecodes: compiled and interpreted runs are the same",
                    grouped(executed.max(0) as u64)
                ));
            }
            code
        }
        Ok((VerifyOutcome::Parted(difference), _)) => {
            eprint!("{}{difference}", messages::ERROR);
            PARTED
        }
    }
}

/// What a comparison has found.
enum VerifyOutcome {
    /// Both do the same in so many bytecodes.
    Same(i64),
    /// Where they differ.
    Parted(String),
}

/// Runs both, until it is known where they differ.
fn compare(
    sides: &mut Sides,
    parts: &dyn Fn() -> Parts,
    code: &mut Option<i32>,
) -> Result<VerifyOutcome, RunError> {
    let mut runs = RepeatedRuns::new([&sides.programs[0], &sides.programs[1]], parts, None);
    let interpreted = divergence::trace(&mut runs, BY)?;
    let executed = interpreted.end.map_or(0, |end| end.executed);
    let mut parted = divergence::second(&mut runs, BY, &interpreted)?;
    *code = runs.code;
    let same_output = runs.outputs_are_same();
    let input = runs.input.clone();
    let Some(_) = parted else {
        return Ok(match same_output {
            true => VerifyOutcome::Same(executed),
            false => VerifyOutcome::Parted("compiled code writes other output\n".into()),
        });
    };
    let (mut less, (mut more, _)) = (0, sides.compiled());
    // a program that does not repeat itself is no fault of compiled code
    sides.compile(0);
    let mut again = RepeatedRuns::new(
        [&sides.programs[0], &sides.programs[1]],
        parts,
        Some(input.clone()),
    );
    if let Some((_, unlike)) = divergence::second(&mut again, BY, &interpreted)? {
        let at = grouped(unlike.max(0) as u64);
        return Err(RunError::Unsteady(at));
    }
    // with `less` methods compiled, the runs are the same; with `more` of them they differ
    while less + 1 < more {
        let half = less + (more - less) / 2;
        sides.compile(half);
        let mut again = RepeatedRuns::new(
            [&sides.programs[0], &sides.programs[1]],
            parts,
            Some(input.clone()),
        );
        match divergence::second(&mut again, BY, &interpreted)? {
            Some(found) => (more, parted) = (half, Some(found)),
            None => less = half,
        }
    }
    sides.compile(more);
    let mut again = RepeatedRuns::new(
        [&sides.programs[0], &sides.programs[1]],
        parts,
        Some(input.clone()),
    );
    parted = divergence::second(&mut again, BY, &interpreted)?.or(parted);
    let (_, method) = sides.compiled();
    let (alike, unlike) = parted.expect("found above");
    let text = place(sides, parts, &input, alike, unlike)?;
    Ok(VerifyOutcome::Parted(format!(
        "the compiled code of {method} differs from the interpreter (method {more} of those compiled)\n{text}"
    )))
}

/// The first bytecode, after `alike` and up to `unlike`, after which the runs differ.
fn place(
    sides: &Sides,
    parts: &dyn Fn() -> Parts,
    input: &Arc<Mutex<Vec<u8>>>,
    mut alike: i64,
    mut unlike: i64,
) -> Result<String, RunError> {
    let at = |n: i64| -> Result<[Trace; 2], RunError> {
        let programs = [&sides.programs[0], &sides.programs[1]];
        let mut runs = RepeatedRuns::new(programs, parts, Some(input.clone()));
        divergence::at(&mut runs, BY, n)
    };
    let mut shown = at(unlike)?;
    while alike + 1 < unlike {
        let half = alike + (unlike - alike) / 2;
        let traces = at(half)?;
        match traces[0].is_like(&traces[1]) {
            true => alike = half,
            false => (unlike, shown) = (half, traces),
        }
    }
    let mut text = String::new();
    let _ = writeln!(
        text,
        "the first difference is seen after bytecode {}",
        grouped(unlike.max(0) as u64)
    );
    let [interpreted, compiled] = shown.map(|t| t.standing_last());
    match interpreted == compiled {
        true => {
            let _ = write!(
                text,
                "values or counts differ; both runs are in {}",
                interpreted.unwrap_or_else(|| "no thread\n".into())
            );
        }
        false => {
            for (name, standing) in [("interpreted", interpreted), ("compiled", compiled)] {
                let standing = standing.unwrap_or_else(|| "no thread: it has ended\n".into());
                let _ = write!(text, "{name}: {standing}");
            }
        }
    }
    Ok(text)
}
