//! `--probe` and its companions: questions about the running program, answered at its end.

use super::config::{Config, LaunchTask};
use super::option::OptionProblem;
use super::outputs;
use super::tool::{ProgramRun, Tool, ToolFailure};
use crate::messages;
use rjvm_probes::{Mistake, Script, Source};
use rjvm_run::assembly::Assembly;
use rjvm_run::probes::{Probes, Sink};
use rjvm_vm::Vm;
use rjvm_vm::boot::InstalledJdk;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// Why a command on probes does nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProbeError {
    /// A mistake in a probe.
    #[error("{0}")]
    Mistake(Mistake),
    /// The same, without the line that it is in.
    #[error("{}", first_line(.0))]
    Line(Mistake),
    /// No probe has the number; the numbers that there are.
    #[error("There is no probe {number}: {}", known_probes(known))]
    Unknown {
        /// What was given as one.
        number: String,
        /// See there.
        known: Vec<u64>,
    },
}

impl ProbeError {
    /// For those who show one line.
    pub fn in_one_line(self) -> ProbeError {
        match self {
            ProbeError::Mistake(mistake) => ProbeError::Line(mistake),
            other => other,
        }
    }
}

fn first_line(mistake: &Mistake) -> String {
    let text = mistake.to_string();
    text.lines().next().unwrap_or_default().to_owned()
}

fn known_probes(known: &[u64]) -> String {
    if known.is_empty() {
        return "there are no probes".into();
    }
    let known: Vec<String> = known.iter().map(u64::to_string).collect();
    format!("the probes are {}", known.join(", "))
}

/// `--probe`
pub fn add(c: &mut Config, text: &str) -> Result<(), OptionProblem> {
    if text == "help" {
        c.task = LaunchTask::ProbeHelp;
        return Ok(());
    }
    c.probes.sources.push(Source::new("--probe", text));
    Ok(())
}

/// `--probe-file`
pub fn add_file(c: &mut Config, path: &str) -> Result<(), OptionProblem> {
    let read = std::fs::read(path).map(String::from_utf8);
    let text = match read {
        Ok(Ok(text)) => text,
        Ok(Err(_)) => {
            return Err(OptionProblem::Own(format!(
                "--probe-file={path}: the file is not UTF-8 text"
            )));
        }
        Err(e) => return Err(OptionProblem::Own(format!("--probe-file={path}: {e}"))),
    };
    c.probes.sources.push(Source::new(path, text));
    Ok(())
}

/// `--probe-output`
pub fn set_output(c: &mut Config, path: &str) -> Result<(), OptionProblem> {
    if path.is_empty() {
        return Err(OptionProblem::Own(
            "--probe-output: expected a file name".into(),
        ));
    }
    c.probes.outputs.push(path.into());
    Ok(())
}

/// `--probe-limits`
pub fn set_limits(c: &mut Config, text: &str) -> Result<(), OptionProblem> {
    let set = c.probes.limits.set(text);
    set.map_err(|e| OptionProblem::Own(format!("--probe-limits={text}: {e}")))
}

/// The probes of a run: those of the command line, and those that are added while it runs. Clones are the same.
#[derive(Clone, Default)]
pub struct ProbeRegistry(Arc<Mutex<RegisteredProbes>>);

#[derive(Default)]
struct RegisteredProbes {
    /// Those of the command line until they are placed.
    script: Option<Script>,
    sets: BTreeMap<u64, ProbeSet>,
    /// Where methods that reach outside are looked for.
    library: Option<InstalledJdk>,
    /// The greatest number that a set has had.
    last: u64,
}

/// Probes that were requested together.
struct ProbeSet {
    probes: Probes,
    /// As they were written, on a line.
    text: String,
    added: bool,
}

impl Tool for ProbeRegistry {
    fn name(&self) -> &'static str {
        "the results of probes"
    }
    /// Reads the probes of the command line.
    fn prepare(&mut self, config: &mut Config) -> Result<(), ToolFailure> {
        let requested = &config.probes;
        if !requested.sources.is_empty() && config.task == LaunchTask::Run {
            let script = Script::compile(&requested.sources, requested.limits);
            let script = script.map_err(|e| e.to_string())?;
            self.with(|s| s.script = Some(script));
        }
        Ok(())
    }
    fn assemble(
        &mut self,
        _: &Config,
        library: &InstalledJdk,
        _: &mut Assembly,
    ) -> Result<(), ToolFailure> {
        self.with(|s| s.library = Some(library.clone()));
        Ok(())
    }
    /// `END`, then what has been found out.
    fn finish(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> bool {
        let mut good = true;
        self.with(|s| {
            for set in s.sets.values() {
                good &= finish_set(set, vm, &run.config);
            }
        });
        vm.take_last_snapshot();
        good
    }
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "json")
}

/// A source on a line, cut if it is long.
fn line(source: &str) -> String {
    const SHOWN: usize = 100;
    let words: Vec<&str> = source.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

impl ProbeRegistry {
    fn with<T>(&self, f: impl FnOnce(&mut RegisteredProbes) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What a script is about and this JDK has not.
    fn missing(&self, script: &Script) -> Vec<String> {
        let methods = rjvm_run::probes::outside(script);
        let library = self.with(|s| s.library.clone());
        let missing = library.map_or_else(Vec::new, |library| library.lacks(&methods));
        let reported = |what| format!("io: {what} in this JDK: probes do not see this operation");
        missing.into_iter().map(reported).collect()
    }

    /// Places the probes of the command line.
    pub fn place(&self, vm: &mut Vm, config: &Config) {
        let Some(script) = self.with(|s| s.script.take()) else {
            return;
        };
        let to_file = config.probes.outputs.iter().any(|path| !is_json(path));
        let to_stderr: Sink = Box::new(|text| {
            // if nobody reads it, the program goes on all the same
            let _ = std::io::stderr().write_all(text.as_bytes());
        });
        for note in self.missing(&script) {
            if !config.quiet {
                messages::note(&note);
            }
        }
        let probes = Probes::place(vm, script, (!to_file).then_some(to_stderr));
        let sources: Vec<String> = config
            .probes
            .sources
            .iter()
            .map(|s| line(&s.text))
            .collect();
        self.put(probes, sources.join("; "), false);
    }

    fn put(&self, probes: Probes, text: String, added: bool) -> u64 {
        let set = ProbeSet {
            probes,
            text,
            added,
        };
        self.with(|s| {
            s.last += 1;
            s.sets.insert(s.last, set);
            s.last
        })
    }

    /// Adds probes while the program runs; their number, with notes on what this JDK has not. `source` is what messages call them.
    ///
    /// # Errors
    /// The mistake in a probe.
    pub fn add(
        &self,
        vm: &mut Vm,
        config: &Config,
        source: &str,
        text: &str,
    ) -> Result<(u64, Vec<String>), ProbeError> {
        let source = [Source::new(source, text)];
        let script = Script::compile(&source, config.probes.limits).map_err(ProbeError::Mistake)?;
        let notes = self.missing(&script);
        let number = self.put(Probes::place(vm, script, None), line(text), true);
        Ok((number, notes))
    }

    /// Takes probes away. What they had found out.
    ///
    /// # Errors
    /// There are no such ones.
    pub fn remove(&self, vm: &mut Vm, number: &str) -> Result<String, ProbeError> {
        let set = number.parse().ok();
        let set = set.and_then(|n| self.with(|s| s.sets.remove(&n)));
        let set = set.ok_or_else(|| self.unknown(number))?;
        let text = set.probes.text(vm);
        set.probes.remove(vm);
        Ok(text)
    }

    /// What probes have found out so far: those with a number, or all.
    ///
    /// # Errors
    /// There are no such ones.
    pub fn reported(&self, vm: &Vm, number: Option<&str>) -> Result<String, ProbeError> {
        let Some(number) = number else {
            let reported =
                |(n, set): (&u64, &ProbeSet)| format!("{n}: {}\n{}", set.text, set.probes.text(vm));
            let all: Vec<String> = self.with(|s| s.sets.iter().map(reported).collect());
            return Ok(all.join("\n"));
        };
        let found = self.with(|s| Some(s.sets.get(&number.parse().ok()?)?.probes.text(vm)));
        found.ok_or_else(|| self.unknown(number))
    }

    fn unknown(&self, number: &str) -> ProbeError {
        ProbeError::Unknown {
            number: number.into(),
            known: self.with(|s| s.sets.keys().copied().collect()),
        }
    }

    /// The numbers of all probes, with their texts.
    pub fn list(&self) -> Vec<(u64, String)> {
        self.with(|s| {
            s.sets
                .iter()
                .map(|(n, set)| (*n, set.text.clone()))
                .collect()
        })
    }

    /// Has one of them ended the program?
    pub fn have_stopped(&self, vm: &Vm) -> bool {
        self.with(|s| s.sets.values().any(|set| set.probes.stopped(vm).is_some()))
    }
}

/// `END` of those that were requested together, then their results. False if it could not be written.
fn finish_set(set: &ProbeSet, vm: &mut Vm, config: &Config) -> bool {
    set.probes.end(vm);
    if let Some(place) = set.probes.stopped(vm)
        && !config.quiet
    {
        messages::note(&format_args!(
            "{place}: stop() after {} bytecodes",
            vm.bytecodes_now()
        ));
    }
    let text = set.probes.text(vm);
    let outputs = &config.probes.outputs;
    // files are for those that were requested with them
    if outputs.is_empty() || set.added {
        eprint!("{text}");
        return true;
    }
    let mut good = true;
    for path in outputs {
        let content = match is_json(path) {
            true => format!("{:#}\n", set.probes.json(vm)),
            false => text.clone(),
        };
        let (path, message) = outputs::target(config, path);
        if let Some(message) = message {
            messages::note(&format_args!("{message}; see {}", path.display()));
        }
        if let Err(e) = std::fs::write(&path, content) {
            messages::error(&format_args!(
                "{}: cannot write the results of probes: {e}",
                path.display()
            ));
            good = false;
        }
    }
    good
}
