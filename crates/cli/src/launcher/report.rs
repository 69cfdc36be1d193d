//! What a run leaves behind: files with profiles and samples, and the summary.

use super::config::Config;
use super::{direct, outputs};
use crate::messages;
use rjvm_profiler::export::Output;
use rjvm_profiler::{
    About, Comparison, Flat, Kind, MergeError, MethodInfo, OverlapBy, Part, Profile, RecordedError,
    Threads, TreeError, View, export, summary,
};
use rjvm_run::blocks::Bba;
use rjvm_run::profile::{self, ProfileRequest, Ready, Scope};
use rjvm_vm::Vm;
use rjvm_vm::interp::SampleClock;
use rjvm_vm::vm::ProfileMode;
use std::fmt::Display;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::PoisonError;

/// A profile as the options want it, and with its threads apart, if an output shows them so.
struct ProfileOutputs {
    profile: Profile,
    apart: Option<Profile>,
}

/// Writes the profiles and the summary; false if one could not be written.
pub fn report(vm: &mut Vm, config: &Config) -> bool {
    let silent = config.outputs.is_empty() && config.sample_outputs.is_empty() && config.quiet;
    if silent && config.sample_log.is_none() {
        return true;
    }
    if reports_methods_only(config) {
        return report_methods(vm, config, None, &[]);
    }
    if direct::is_possible(config) {
        return direct::report(vm, config);
    }
    let mut written = WrittenFiles::default();
    let taken = (|| {
        let exact = match config.vm.profile {
            ProfileMode::Off => None,
            _ => Some(exact(vm, config)?),
        };
        let samples = match config.vm.sample_every.is_some() {
            true => Some(sampled(
                match config.goes_on {
                    true => profile::samples_so_far(vm)?,
                    false => profile::samples(vm)?,
                },
                vm,
                config,
            )?),
            false => None,
        };
        Ok::<_, TreeError>((exact, samples))
    })();
    let (exact, samples) = match taken {
        Ok(profiles) => profiles,
        Err(e) => return broken(&e),
    };
    if let Some(exact) = &exact {
        written.files(vm, config, exact, &config.outputs);
    }
    if let Some(samples) = &samples {
        written.files(vm, config, samples, &config.sample_outputs);
    }
    let exact = exact.map(|s| s.profile);
    let samples = samples.map(|s| s.profile);
    if let Some(path) = &config.sample_log {
        written.log(vm, config, path);
    }
    if !config.quiet {
        summarize(vm, config, (exact.as_ref(), samples.as_ref()), &written);
    }
    written.all
}

/// Prints the summary of a profile and of samples.
fn summarize(
    vm: &mut Vm,
    config: &Config,
    (exact, samples): (Option<&Profile>, Option<&Profile>),
    written: &WrittenFiles,
) {
    let Some(profile) = exact.or(samples) else {
        return;
    };
    let mut notes = lacks(vm);
    notes.extend(unmatched(vm, config));
    notes.extend(hidden(&profile.about, &profile.methods, config));
    if let (Some(exact), Some(samples)) = (exact, samples) {
        notes.push(compared(exact, samples));
    }
    if let (Some(exact), Some(bba)) = (exact, config.bba) {
        notes.push(by_blocks(vm, exact, bba));
    }
    print_summary(
        &Flat::of(profile),
        profile.has_allocations(),
        &notes,
        &written.names,
    );
}

/// Writes a profile of samples to the outputs; false if one could not be written.
pub(super) fn write_samples(vm: &Vm, config: &Config, profile: Profile) -> bool {
    let mut written = WrittenFiles::default();
    match sampled(profile, vm, config) {
        Ok(shown) => written.files(vm, config, &shown, &config.outputs),
        Err(e) => return broken(&e),
    }
    for name in &written.names {
        if !config.quiet {
            messages::note(&format_args!("written: {name}"));
        }
    }
    written.all
}

/// Nobody wants to see contexts: they need not be visited in order.
fn reports_methods_only(config: &Config) -> bool {
    config.outputs.is_empty() && is_exact(config) && shows_all(config)
}

/// Nothing is taken but exact counts.
pub(super) fn is_exact(config: &Config) -> bool {
    config.vm.profile != ProfileMode::Off
        && config.vm.sample_every.is_none()
        && config.bba.is_none()
}

/// Is nothing left out?
pub(super) fn shows_all(config: &Config) -> bool {
    config.filter.is_all() && config.view.natives && config.view.part == Part::All
}

/// The summary, with a table if it is known already.
pub(super) fn report_methods(
    vm: &mut Vm,
    config: &Config,
    table: Option<Flat>,
    written: &[String],
) -> bool {
    match table.map_or_else(|| profile::flat(vm, config.scope), Ok) {
        Ok(table) => {
            let notes = lacks(vm);
            print_summary(&table, config.vm.allocations, &notes, written);
            true
        }
        Err(e) => broken(&e),
    }
}

pub(super) fn broken(e: &TreeError) -> bool {
    messages::error(&format_args!("the profile is inconsistent: {e}"));
    false
}

/// What the options want to see of what has been counted.
pub(super) fn wanted(vm: &Vm, config: &Config, threads: Threads) -> ProfileRequest {
    ProfileRequest {
        scope: config.scope,
        view: View {
            threads,
            ..config.view
        },
        filter: config.filter.clone(),
        about: about_profile(vm, config, Kind::Exact),
    }
}

/// The same, and with the threads apart, if outputs keep them so.
fn exact(vm: &mut Vm, config: &Config) -> Result<ProfileOutputs, TreeError> {
    let ready = Ready::new(vm);
    let shown = |threads: Threads| {
        let all = ready.shown(vm, wanted(vm, config, threads)).profile()?;
        match config.taken.with(all) {
            Ok(all) => Ok(all),
            Err(MergeError::Tree(e)) => Err(e),
            Err(MergeError::Kinds) => unreachable!("both are exact"),
        }
    };
    let apart = !merges_threads(config) && config.view.threads == Threads::Merged;
    Ok(ProfileOutputs {
        apart: apart.then(|| shown(Threads::Apart)).transpose()?,
        profile: shown(config.view.threads)?,
    })
}

/// What the options and the outputs of samples want to see of these.
fn sampled(mut all: Profile, vm: &Vm, config: &Config) -> Result<ProfileOutputs, TreeError> {
    let unit = all.unit().to_owned();
    all.about = about_profile(vm, config, all.kind);
    all.set_unit(&unit);
    let filtered = |profile: Profile| match config.filter.is_all() {
        true => Ok(profile),
        false => profile.filter(&config.filter),
    };
    let apart = !config.threads_given && config.sample_outputs.iter().any(keeps_threads);
    let apart = apart.then_some(View {
        threads: Threads::Apart,
        ..config.view
    });
    let apart = match apart {
        Some(view) => Some(filtered(all.view(&view)?)?),
        None => None,
    };
    Ok(ProfileOutputs {
        profile: filtered(all.into_view(&config.view)?)?,
        apart,
    })
}

/// Is no tree of a single thread asked for?
pub(super) fn merges_threads(config: &Config) -> bool {
    let apart = !config.threads_given && config.outputs.iter().any(keeps_threads);
    config.view.threads == Threads::Merged && !apart
}

/// Does this format have a place for each thread?
pub(super) fn keeps_threads(output: &Output) -> bool {
    ["speedscope.json", "jfr"].contains(&output.format.extension)
}

/// What a profile reports the run, and of what it lacks.
pub(super) fn about_profile(vm: &Vm, config: &Config, kind: Kind) -> About {
    let mut about = about_run(config, kind);
    about.extend(cut_short(vm).map(|why| ("Incomplete".into(), why)));
    if config.goes_on {
        let text = "only bytecodes executed before the snapshot";
        about.push(("Incomplete".into(), text.into()));
    }
    if kind == Kind::Exact && vm.switches_of_contexts() > 0 {
        let text = "contexts were recorded for a part of the run: frames that were open at its start have no invocation";
        about.push(("Window".into(), text.into()));
    }
    if kind == Kind::Exact {
        about.extend(truncated(vm).map(|what| ("Truncated".into(), what)));
    }
    about
}

/// What a profile reports the run. No paths, no times: equal runs give equal files. What is shown
/// of it, the profile adds itself.
fn about_run(config: &Config, kind: Kind) -> About {
    let options = &config.vm;
    let what = config.program();
    let mut about = vec![("Program", what), ("JDK", config.jdk_version.clone())];
    let scope = match config.scope {
        Scope::Main => "main and the threads started in it",
        Scope::All => "everything from the start of the VM",
    };
    about.push(("Scope", scope.into()));
    about.push(("Seed", options.seed.to_string()));
    about.push(("Quantum", format!("{} bytecodes", options.quantum)));
    if let Some(ps) = options.virtual_clock {
        let ns = ps as f64 / 1000.0;
        about.push(("Clock", format!("{ns} nanoseconds per bytecode")));
    }
    if options.upcalls_to_root {
        let text = "calls from native methods and the VM are shown as roots";
        about.push(("Upcalls", text.into()));
    }
    if let (Kind::Samples, Some(every)) = (kind, options.sample_every) {
        let random = match options.sample_random {
            0 => String::new(),
            r => format!(", plus a random number below {r}"),
        };
        let of = match options.sample_clock {
            SampleClock::Thread => "each thread",
            SampleClock::Global => "all threads together",
        };
        about.push((
            "Samples",
            format!("every {every} bytecodes of {of}{random}"),
        ));
    }
    let about = about.into_iter();
    about.map(|(name, text)| (name.into(), text)).collect()
}

/// What a profile lacks because the VM came to no end of its own.
fn cut_short(vm: &Vm) -> Option<String> {
    let fault = vm.fault()?;
    Some(format!(
        "incomplete: only bytecodes executed before the VM ended ({})",
        fault.message
    ))
}

/// Patterns of filters that name no method that was executed.
pub(super) fn unmatched(vm: &Vm, config: &Config) -> Vec<String> {
    let (include, exclude) = (&config.filter.include, &config.filter.exclude);
    if include.is_empty() && exclude.is_empty() {
        return Vec::new();
    }
    let methods: Vec<MethodInfo> = vm.profiled_methods().collect();
    config.filter.unmatched(&methods)
}

/// What the view of the application says of the class library, and why it may be empty.
pub(super) fn hidden(about: &About, methods: &[MethodInfo], config: &Config) -> Vec<String> {
    if config.view.part == Part::All {
        return Vec::new();
    }
    let library = |(name, _): &&(String, String)| name == View::LIBRARY;
    let reported = about.iter().find(library);
    let mut notes: Vec<String> = reported.map(|(_, text)| text.clone()).into_iter().collect();
    if methods.is_empty() {
        notes.push(
            "no method of the application was executed: classes of the packages java, javax, jdk, sun and \
             com.sun belong to the class library; --view=full shows them"
                .into(),
        );
    }
    notes
}

/// What contexts were folded for lack of memory.
fn truncated(vm: &Vm) -> Option<String> {
    let folded = vm.folded_contexts();
    (folded.contexts > 0).then(|| {
        format!(
            "{} contexts, the coldest, were folded into [truncated] to take no more than {} MB (--profile-memory)",
            summary::grouped(folded.contexts),
            folded.budget >> 20
        )
    })
}

/// What a summary has to say about what is not in the profile.
pub(super) fn lacks(vm: &Vm) -> Vec<String> {
    let interpreted = super::tier::interpreted(vm);
    let lacks = cut_short(vm).into_iter().chain(truncated(vm));
    lacks.chain(interpreted).collect()
}

/// How well samples report what an exact profile of the same run does.
fn compared(exact: &Profile, samples: &Profile) -> String {
    let taken = samples.totals().invocations;
    let samples_taken = match taken {
        1 => "1 sample".into(),
        n => format!("{} samples", summary::grouped(n)),
    };
    match Comparison::of_one_run(exact, samples) {
        Ok(both) => format!(
            "{samples_taken}, overlap with the exact profile: {:.2}% by context, {:.2}% by method",
            both.overlap(OverlapBy::Contexts) * 100.0,
            both.overlap(OverlapBy::Methods) * 100.0
        ),
        Err(_) => samples_taken,
    }
}

/// What JP's analysis of basic blocks makes of a profile.
fn by_blocks(vm: &Vm, exact: &Profile, bba: Bba) -> String {
    let (counted, executed) = (profile::by_blocks(vm, exact, bba), exact.totals().bytecodes);
    let name = match bba {
        Bba::Default => "default",
        Bba::Precise => "precise",
    };
    let error = match executed {
        0 => 0.0,
        n => (counted as f64 - n as f64) / n as f64,
    };
    format!(
        "{} bytecodes by {name} BBA, relative error {error:.2e}",
        summary::grouped(counted)
    )
}

/// The settings for outputs of a profile.
pub(super) fn with_settings<R>(
    vm: &Vm,
    config: &Config,
    profile: &Profile,
    outputs: &[Output],
    then: impl FnOnce(&export::Settings<'_>) -> R,
) -> R {
    let code = match outputs.iter().any(|output| output.format.uses_code()) {
        true => profile::code(vm, &profile.methods),
        false => Vec::new(),
    };
    let sources = match outputs.iter().any(|output| output.format.shows_sources()) {
        true => Some(config.all_sources()),
        false => None,
    };
    let listings = match sources.is_some() && profile.has_counts() {
        true => profile::listings(vm, &profile.methods, export::costly(profile)),
        false => Vec::new(),
    };
    let events = config.recordings.of_profile();
    let known = match outputs.iter().any(|output| output.format.uses_classes()) {
        true => Some(profile::known_methods(vm, &profile.methods)),
        false => None,
    };
    then(&export::Settings {
        code: &code,
        events: events.as_ref().map(|e| e as &dyn export::jfr::Chunks),
        known: known.as_ref().map(|k| k as &dyn export::jfr::KnownMethods),
        listings: &listings,
        sources: sources.as_ref().map(|found| found as &dyn export::Sources),
        ..settings(config)
    })
}

/// The same as far as the options report it.
pub(super) fn settings(config: &Config) -> export::Settings<'static> {
    export::Settings {
        least: config.least,
        most: config.most,
        all: config.unpruned,
        lines: config.lines,
        ..export::Settings::default()
    }
}

/// The files written so far.
pub(super) struct WrittenFiles {
    pub names: Vec<String>,
    pub all: bool,
    /// What could not be written where it was to be is elsewhere.
    elsewhere: bool,
}

impl Default for WrittenFiles {
    fn default() -> Self {
        WrittenFiles {
            names: Vec::new(),
            all: true,
            elsewhere: false,
        }
    }
}

impl WrittenFiles {
    fn files(&mut self, vm: &Vm, config: &Config, shown: &ProfileOutputs, outputs: &[Output]) {
        with_settings(vm, config, &shown.profile, outputs, |settings| {
            for output in outputs {
                let profile = match &shown.apart {
                    Some(apart) if keeps_threads(output) => apart,
                    _ => &shown.profile,
                };
                let (output, printed) = outputs::output(config, output);
                let written = output.write(profile, settings);
                let failed = written.is_err();
                let pruned = written.map(|pruned| pruned.map(|what| settings.reported(&what)));
                self.note(config, &output.path, printed, pruned);
                if failed {
                    self.elsewhere(config, |out| Ok(rjvm_profiler::rjp::write(profile, out)?));
                }
            }
        });
    }

    fn log(&mut self, vm: &mut Vm, config: &Config, path: &Path) {
        let (path, printed) = outputs::target(config, path);
        let write = || {
            let mut out = BufWriter::with_capacity(1 << 16, File::create(&path)?);
            profile::sample_log(vm, &mut out)?;
            out.flush()
        };
        let failed =
            |e: std::io::Error| format!("{}: cannot write the samples: {e}", path.display());
        let result = write().map(|()| None).map_err(failed);
        self.note(config, &path, printed, result);
    }

    /// Writes a profile that could not be written where it was to be: once, in the native format, to the folder
    /// of temporary files.
    pub fn elsewhere(
        &mut self,
        config: &Config,
        write: impl FnOnce(&mut dyn Write) -> Result<(), RecordedError>,
    ) {
        if std::mem::replace(&mut self.elsewhere, true) {
            return;
        }
        let name = format!("rjvm-{}.rjp", std::process::id());
        let path = std::env::temp_dir().join(name);
        match export::write_whole(&path, write) {
            Ok(()) => {
                let text = format!("the profile is in {} instead", path.display());
                complain(config, messages::NOTE, text);
            }
            Err(e) => {
                let text = format!(
                    "{}: cannot write the profile here either: {e}",
                    path.display()
                );
                complain(config, messages::ERROR, text);
            }
        }
    }

    /// Notes the outcome for a file. `printed`: a message about its name; the result: a message about its content.
    pub fn note<E: Display>(
        &mut self,
        config: &Config,
        path: &Path,
        printed: Option<String>,
        result: Result<Option<String>, E>,
    ) {
        if let Some(printed) = printed {
            messages::note(&format_args!("{printed}; see {}", path.display()));
        }
        let pruned = match result {
            Ok(pruned) => pruned,
            Err(e) => {
                complain(config, messages::ERROR, e.to_string());
                self.all = false;
                return;
            }
        };
        let mut name = Output::name_of(path);
        if outputs::replaces(config, path) {
            name.push_str(" (replaced)");
        }
        if let Some(what) = pruned {
            name.push_str(&format!(" ({what})"));
        }
        self.names.push(name);
    }
}

/// Reports a problem to who has requested the files, or to standard error.
fn complain(config: &Config, head: &str, text: String) {
    match &config.problems {
        Some(all) => all
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(text),
        None => eprintln!("{head}{text}"),
    }
}

pub(super) fn print_summary(table: &Flat, allocations: bool, notes: &[String], written: &[String]) {
    let err = std::io::stderr().lock();
    let color = err.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    let mut out = BufWriter::new(err);
    let about = summary::Summary {
        allocated: allocations
            .then_some((table.totals.allocated.objects, table.totals.allocated.bytes)),
        notes,
        written,
        color,
    };
    // nobody reads: no message
    let _ = summary::write_flat(table, &about, &mut out).and_then(|()| out.flush());
}
