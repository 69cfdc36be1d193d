//! `--stop-at`: stopping at bytecodes and places, and showing the program there.

use super::config::Config;
use super::option::OptionProblem;
use super::settings::places::{EXPECTED, Format, StopAt, StopRequest, StopSettings, read};
use super::state_json;
use super::tool::{ProgramRun, Tool, ToolFailure};
use crate::messages;
use rjvm_profiler::summary::grouped;
use rjvm_vm::Vm;
use rjvm_vm::events::{Event, EventSet, EventView, Observer};
use rjvm_vm::inspect::InspectLimits;
use rjvm_vm::interp::{StopPlace, StopReason};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// `--stop-at`
pub fn add(c: &mut Config, text: &str) -> Result<(), OptionProblem> {
    let wrong = || OptionProblem::Own(format!("--stop-at={text}: {EXPECTED}"));
    let (what, place) = read(text, c.vm.places.len()).ok_or_else(wrong)?;
    c.vm.places.extend(place);
    c.vm.inspectable = true;
    c.stops.push(StopAt {
        text: text.into(),
        what,
    });
    Ok(())
}

/// `--stop-output`
pub fn set_output(c: &mut Config, text: &str) -> Result<(), OptionProblem> {
    let (format, file) = match text.split_once(':') {
        Some(("json", file)) => (Format::Json, file),
        Some(("text", file)) => (Format::Text, file),
        _ if text.ends_with(".json") => (Format::Json, text),
        _ => (Format::Text, text),
    };
    if file.is_empty() {
        let message =
            format!("--stop-output={text}: expected a file name, or - for standard output");
        return Err(OptionProblem::Own(message));
    }
    if (format, file) == (Format::Json, "-") {
        let message = format!(
            "--stop-output={text}: the program's output would mix with the JSON; name a file, such as /dev/fd/3"
        );
        return Err(OptionProblem::Own(message));
    }
    c.stop_output = Some(StopSettings {
        format,
        file: (file != "-").then(|| file.into()),
        out: file == "-",
    });
    Ok(())
}

/// The stops that the program has not reached yet.
#[derive(Default)]
struct Progress {
    /// Stops by the count of bytecodes at which they are, with the text about them, and the number of the stop.
    counts: BTreeMap<i64, Vec<(String, usize)>>,
    /// By number of the stop: whether it has been reached.
    reached: Vec<bool>,
}

/// Stops that a VM has been asked to make.
#[derive(Clone, Default)]
pub struct Stops(Arc<Mutex<Progress>>);

impl Tool for Stops {
    fn name(&self) -> &'static str {
        "the report on stops"
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        start(self, vm, &run.config).map_err(|e| ToolFailure::of("--stop-output", &e))
    }
    fn finish(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> bool {
        self.all_reached(vm, &run.config)
    }
}

/// Makes the VM stop where the options say.
fn start(stops: &Stops, vm: &mut Vm, config: &Config) -> io::Result<()> {
    let mut progress = Progress {
        reached: vec![false; config.stops.len()],
        ..Progress::default()
    };
    for (i, stop) in config.stops.iter().enumerate() {
        if let StopRequest::Bytecode(n) = stop.what {
            progress
                .counts
                .entry(n)
                .or_default()
                .push((String::new(), i));
        }
    }
    stops.with(|p| *p = progress);
    if config.stops.is_empty() {
        return Ok(());
    }
    let shown = config.stop_output.clone();
    let file = match shown.as_ref().and_then(|s| s.file.as_ref()) {
        Some(file) => Some(File::create(file)?),
        None => None,
    };
    let mut shower = StopPrinter {
        format: shown.as_ref().map_or(Format::Text, |s| s.format),
        out: shown.is_some_and(|s| s.out),
        file,
        any: false,
    };
    if !config.quiet {
        vm.observe(Box::new(Warner {
            stops: config.stops.clone(),
            places: config.vm.places.clone(),
        }));
    }
    let (all, goes_on) = (config.stops.clone(), config.stops_go_on);
    let repeats = config.vm.places.iter().any(|p| p.arrival == 0);
    let progress = stops.clone();
    vm.set_fuel(stops.next(0));
    vm.on_stop(Box::new(move |vm, reached| {
        let labels = progress.reached(vm.bytecodes(), reached, &all);
        if !labels.is_empty() {
            shower.show(vm, &labels);
        }
        vm.set_fuel(progress.next(vm.bytecodes()));
        goes_on || repeats || !progress.is_done()
    }));
    Ok(())
}

impl Stops {
    fn with<T>(&self, f: impl FnOnce(&mut Progress) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
    /// Bytecodes up to the next stop.
    fn next(&self, now: i64) -> Option<i64> {
        self.with(|p| p.counts.keys().next().map(|n| n - now))
    }
    fn is_done(&self) -> bool {
        self.with(|p| p.reached.iter().all(|r| *r))
    }
    /// The stops that the VM is at after `now` bytecodes, in words.
    fn reached(&self, now: i64, reached: &StopReason, all: &[StopAt]) -> Vec<String> {
        self.with(|p| {
            let mut labels = Vec::new();
            if reached.places.is_empty() {
                // The bytecodes with which the VM prepares the shutdown hooks count, but nothing stops at them.
                let later = p.counts.split_off(&(now + 1));
                for (n, stops) in std::mem::replace(&mut p.counts, later) {
                    for (label, stop) in stops {
                        p.reached[stop] = true;
                        labels.push(match label.is_empty() && n < now {
                            true => {
                                format!("the first place behind bytecode {}", grouped(n as u64))
                            }
                            false => label,
                        });
                    }
                }
            }
            for &(place, arrival) in &reached.places {
                let is = |s: &StopAt| matches!(s.what, StopRequest::Place(n, _) if n == place);
                let Some(i) = all.iter().position(is) else {
                    continue;
                };
                let StopRequest::Place(_, after) = all[i].what else {
                    continue;
                };
                let name = all[i].text.split(['#', '+']).next().unwrap_or_default();
                let label = format!("{name}, arrival {}", grouped(arrival));
                if after == 0 {
                    p.reached[i] = true;
                    labels.push(label);
                } else {
                    let label = format!("{} bytecodes after {label}", grouped(after as u64));
                    p.counts.entry(now + after).or_default().push((label, i));
                }
            }
            labels
        })
    }
    /// Whether all have been reached; reports those that have not.
    fn all_reached(&self, vm: &Vm, config: &Config) -> bool {
        let reached = self.with(|p| p.reached.clone());
        let missed = config.stops.iter().zip(reached).filter(|(_, r)| !r);
        let mut all = true;
        for (stop, _) in missed {
            all = false;
            let ended = grouped(vm.bytecodes() as u64);
            let arrivals = match stop.what {
                StopRequest::Place(i, _) => match vm.arrivals(i) {
                    0 => match vm.lacking(i) {
                        Some(lacking) => format!(": {lacking}"),
                        None => "; execution never reached this place".into(),
                    },
                    n => format!("; execution reached this place {} times", grouped(n)),
                },
                StopRequest::Bytecode(_) => String::new(),
            };
            messages::error(&format_args!(
                "--stop-at={} was not reached: the program ended after {ended} bytecodes{arrivals}",
                stop.text
            ));
        }
        all
    }
}

/// Warns of a stop as soon as a class is loaded that lacks its method or line.
struct Warner {
    stops: Vec<StopAt>,
    places: Vec<StopPlace>,
}

impl Observer for Warner {
    fn events(&self) -> EventSet {
        EventSet::CLASSES
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        let Event::ClassLoaded(class) = event else {
            return;
        };
        let class = seen.class(class).dotted();
        for stop in &self.stops {
            // a line without a method may be in a class within the class
            let StopRequest::Place(i, _) = stop.what else {
                continue;
            };
            let of_class = self.places[i].name.rsplit_once('.');
            if of_class.is_some_and(|(c, _)| c == class)
                && let Some(lacking) = seen.lacking(i)
            {
                messages::note(&format_args!("--stop-at={}: {lacking}", stop.text));
            }
        }
    }
}

/// Shows the program at each stop.
struct StopPrinter {
    format: Format,
    out: bool,
    file: Option<File>,
    any: bool,
}

impl StopPrinter {
    fn show(&mut self, vm: &mut Vm, labels: &[String]) {
        let state = vm.inspect(&InspectLimits::default());
        let labels: Vec<&str> = labels
            .iter()
            .map(|l| &**l)
            .filter(|l| !l.is_empty())
            .collect();
        let mut text = Vec::new();
        let made = match self.format {
            Format::Json => state_json::of(&state, &labels).write(&mut text),
            Format::Text => {
                let at = grouped(state.bytecodes as u64);
                let why = match labels.is_empty() {
                    true => String::new(),
                    false => format!(" ({})", labels.join("; ")),
                };
                let gap = if self.any { "\n" } else { "" };
                writeln!(text, "{gap}Stopped at bytecode {at}{why}\n\n{state}")
            }
        };
        self.any = true;
        let written = made.and_then(|()| match (&mut self.file, self.out) {
            (Some(file), _) => file.write_all(&text),
            (None, true) => io::stdout().write_all(&text),
            (None, false) => io::stderr().write_all(&text),
        });
        if let Err(e) = written {
            messages::error(&format_args!("--stop-output: {e}"));
        }
    }
}
