//! Outputs of exact counts that are written as the contexts are visited, without a copy of the tree.

use super::config::Config;
use super::outputs;
use super::report::{
    WrittenFiles, broken, hidden, is_exact, keeps_threads, lacks, print_summary, report_methods,
    settings, shows_all, unmatched, wanted, with_settings,
};
use rjvm_profiler::cct::Visit;
use rjvm_profiler::export::{self, CallGraph, Output};
use rjvm_profiler::{
    Extra, Flat, Limits, Profile, Pruned, RecordedError, Report, Threads, TreeError,
    VisibleContexts,
};
use rjvm_run::profile::{self, Ready};
use rjvm_vm::Vm;
use std::io::{self, Write};
use std::slice;

/// How an output is written.
enum WriteMode {
    /// In the native format.
    Native,
    /// As JSON.
    Json,
    /// As a page.
    Page,
    /// As a table of methods.
    Table,
    /// By the call graph, with this function of the format.
    Graph(Graph),
    /// In another format, what these limits leave of it.
    Pruned(Limits),
}

type Graph = fn(&CallGraph<'_>, &export::Settings<'_>, &mut dyn Write) -> io::Result<()>;

fn way(config: &Config, output: &Output) -> Option<WriteMode> {
    let Some(limits) = output.format.limits(&settings(config)) else {
        return (output.format.extension == "flat").then_some(WriteMode::Table);
    };
    match output.format.extension {
        _ if limits == Limits::NONE && output.format.graph.is_some() => {
            output.format.graph.map(WriteMode::Graph)
        }
        "rjp" if limits == Limits::NONE => Some(WriteMode::Native),
        "json" if limits == Limits::NONE => Some(WriteMode::Json),
        "html" if limits == Limits::NONE => Some(WriteMode::Page),
        _ if limits == Limits::NONE => None,
        _ => Some(WriteMode::Pruned(limits)),
    }
}

/// Can all outputs be written so? What filters have taken while the program ran is no longer in the contexts, and recursion is
/// folded in a separate tree.
pub fn is_possible(config: &Config) -> bool {
    is_exact(config)
        && config
            .outputs
            .iter()
            .all(|output| way(config, output).is_some())
        && !config.filter.fold_recursion
        && config.taken.is_none()
}

/// Writes the profiles and the summary; false if one could not be written.
pub fn report(vm: &mut Vm, config: &Config) -> bool {
    let ready = Ready::new(vm);
    let mut written = WrittenFiles::default();
    // Whoever visits the contexts in order may also add up what the summary reports.
    let mut table = None;
    let vm_now = &*vm;
    let shown = ready.shown(vm_now, wanted(vm_now, config, config.view.threads));
    for output in &config.outputs {
        let (target, message) = outputs::output(config, output);
        let result = write(&ready, vm_now, config, &shown, &target, &mut table);
        let result = match result {
            Err(RecordedError::Io(e)) if target.is_left(&e) => Ok(None),
            Err(RecordedError::Tree(e)) => return broken(&e),
            result => result,
        };
        let failed = result.is_err();
        let result =
            result.map_err(|e| format!("{}: cannot write the profile: {e}", target.name()));
        written.note(config, &output.path, message, result);
        if failed {
            written.elsewhere(config, |out| shown.write(out));
        }
    }
    let reported = config.quiet
        || match shows_all(config)
            && config.view.threads == Threads::Merged
            && !config.vm.upcalls_to_root
        {
            true => {
                drop(shown);
                report_methods(vm, config, table, &written.names)
            }
            false => summary(vm_now, config, &shown, table, &written.names),
        };
    reported && written.all
}

/// Writes an output; the messages about it.
fn write<X: Fn(&Visit, &mut Extra)>(
    ready: &Ready,
    vm: &Vm,
    config: &Config,
    shown: &VisibleContexts<X>,
    to: &Output,
    table: &mut Option<Flat>,
) -> Result<Option<String>, RecordedError> {
    match way(config, to) {
        Some(WriteMode::Pruned(limits)) => {
            let apart = keeps_threads(to)
                && !config.threads_given
                && config.view.threads == Threads::Merged;
            let (profile, what) = match apart {
                true => pruned(
                    &ready.shown(vm, wanted(vm, config, Threads::Apart)),
                    &limits,
                )?,
                false => pruned(shown, &limits)?,
            };
            return write_pruned(vm, config, &profile, what, to);
        }
        Some(WriteMode::Page) => {
            let page = shown.report()?;
            if !config.quiet && table.is_none() {
                *table = Some(page.flat());
            }
            to.write_with(|out| write_page(vm, config, page, out))?;
        }
        Some(WriteMode::Table) => {
            let flat = shown.flat()?;
            let allocations = shown.has_allocations();
            to.write_with(|out| {
                export::flat::write_table(&flat, shown.about(), allocations, &settings(config), out)
            })?;
            *table = Some(flat);
        }
        Some(WriteMode::Json) => to.write_with(|out| shown.write_json(out))?,
        Some(WriteMode::Graph(write)) => write_graph(vm, config, shown.graph()?, write, to)?,
        _ => to.write_with(|out| shown.write(out))?,
    }
    Ok(None)
}

fn summary<X: Fn(&Visit, &mut Extra)>(
    vm: &Vm,
    config: &Config,
    shown: &VisibleContexts<X>,
    table: Option<Flat>,
    written: &[String],
) -> bool {
    match table.map_or_else(|| shown.flat(), Ok) {
        Ok(table) => {
            let mut notes = lacks(vm);
            notes.extend(unmatched(vm, config));
            notes.extend(hidden(shown.about(), shown.methods(), config));
            print_summary(&table, shown.has_allocations(), &notes, written);
            true
        }
        Err(e) => broken(&e),
    }
}

fn write_page(vm: &Vm, config: &Config, page: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let listings = match page.has_counts() {
        true => profile::listings(vm, page.methods(), page.costly()),
        false => Vec::new(),
    };
    let settings = export::Settings {
        listings: &listings,
        sources: Some(&config.all_sources()),
        ..settings(config)
    };
    page.write(&settings, out)
}

fn write_graph(
    vm: &Vm,
    config: &Config,
    graph: CallGraph<'_>,
    write: Graph,
    to: &Output,
) -> io::Result<()> {
    let code = match to.format.uses_code() {
        true => profile::code(vm, graph.methods()),
        false => Vec::new(),
    };
    let settings = export::Settings {
        code: &code,
        ..settings(config)
    };
    to.write_with(|out| write(&graph, &settings, out))
}

/// What the limits leave, and what became of the rest, if there is any.
fn pruned<X: Fn(&Visit, &mut Extra)>(
    shown: &VisibleContexts<X>,
    limits: &Limits,
) -> Result<(Profile, Option<Pruned>), TreeError> {
    match shown.pruned(limits)? {
        Some((profile, what)) => Ok((profile, Some(what))),
        // It is small.
        None => Ok((shown.profile()?, None)),
    }
}

/// Writes a profile that was pruned already; returns the note about that.
fn write_pruned(
    vm: &Vm,
    config: &Config,
    profile: &Profile,
    what: Option<Pruned>,
    to: &Output,
) -> Result<Option<String>, RecordedError> {
    with_settings(vm, config, profile, slice::from_ref(to), |settings| {
        to.write_with(|out| (to.format.write)(profile, settings, out))?;
        Ok(what.map(|what| settings.reported(&what)))
    })
}
