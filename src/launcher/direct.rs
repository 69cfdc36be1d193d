//! Outputs of exact counts that are written as the contexts are visited, without a copy of the tree.

use super::config::Config;
use super::outputs;
use super::report::{
    Written, about_profile, broken, keeps_threads, report_methods, settings, shows_all,
    with_settings,
};
use crate::profile;
use rjvm_profiler::export::{self, CallGraph, Output};
use rjvm_profiler::{
    Kind, Limits, Profile, Pruned, RecordedError, Report, Threads, TreeError, View,
};
use rjvm_vm::Vm;
use std::io::{self, Write};
use std::slice;

/// How an output is written.
enum Way {
    /// In the native format.
    Native,
    /// As JSON.
    Json,
    /// As a page.
    Page,
    /// By the call graph, with this function of the format.
    Graph(Graph),
    /// In another format, what these limits leave of it, threads apart if that says so.
    Pruned(Limits, bool),
}

type Graph = fn(&CallGraph<'_>, &export::Settings<'_>, &mut dyn Write) -> io::Result<()>;

fn way(config: &Config, output: &Output) -> Option<Way> {
    let limits = output.format.limits(&settings(config))?;
    match output.format.extension {
        _ if limits == Limits::NONE && output.format.graph.is_some() => {
            output.format.graph.map(Way::Graph)
        }
        "rjp" if limits == Limits::NONE => Some(Way::Native),
        "json" if limits == Limits::NONE => Some(Way::Json),
        "html" if limits == Limits::NONE => Some(Way::Page),
        _ if limits == Limits::NONE => None,
        _ => {
            let apart = keeps_threads(output) && !config.threads_given;
            Some(Way::Pruned(limits, apart))
        }
    }
}

/// Can all outputs be written so? To prune a profile means to visit its contexts twice, so where that is to be done for
/// several outputs, a copy of the tree takes less time.
pub fn is_possible(config: &Config) -> bool {
    let pruned = |way: &Way| matches!(way, Way::Pruned(..));
    let ways = config.outputs.iter().map(|output| way(config, output));
    let ways: Option<Vec<Way>> = ways.collect();
    ways.is_some_and(|ways| ways.iter().filter(|&way| pruned(way)).count() <= 1)
        && config.view.threads == Threads::Merged
        && !config.vm.upcalls_to_root
        && shows_all(config)
}

/// Writes the profiles and the summary; false if one could not be written.
pub fn report(vm: &mut Vm, config: &Config) -> bool {
    let mut written = Written::default();
    // Whoever visits the contexts in order may also add up what the summary tells.
    let mut table = None;
    for output in &config.outputs {
        let (target, said) = outputs::output(config, output);
        let result = match way(config, output) {
            Some(Way::Pruned(limits, apart)) => match pruned(vm, config, &limits, apart) {
                Ok((profile, what)) => write_pruned(vm, config, &profile, what, &target),
                Err(e) => Err(e.into()),
            },
            Some(Way::Page) => match packed(vm, config) {
                Ok(page) => {
                    table = table.or_else(|| (!config.quiet).then(|| page.flat()));
                    target
                        .write_with(|out| write_page(vm, config, page, out))
                        .map(|()| None)
                        .map_err(RecordedError::Io)
                }
                Err(e) => Err(e.into()),
            },
            Some(Way::Json) => target
                .write_with(|out| {
                    let about = about_profile(vm, config, Kind::Exact);
                    profile::write_json(vm, config.scope, config.view.call_sites, about, out)
                })
                .map(|()| None),
            Some(Way::Graph(write)) => write_graph(vm, config, write, &target).map(|()| None),
            _ => target
                .write_with(|out| write_native(vm, config, out))
                .map(|()| None),
        };
        let result = match result {
            Err(RecordedError::Io(e)) if target.is_left(&e) => Ok(None),
            Err(RecordedError::Tree(e)) => return broken(&e),
            result => result,
        };
        let failed = result.is_err();
        let result =
            result.map_err(|e| format!("{}: cannot write the profile: {e}", target.name()));
        written.note(config, &output.path, said, result);
        if failed {
            written.elsewhere(|out| write_native(vm, config, out));
        }
    }
    let told = config.quiet || report_methods(vm, config, table, &written.names);
    told && written.all
}

fn write_native(vm: &mut Vm, config: &Config, out: &mut dyn Write) -> Result<(), RecordedError> {
    let about = about_profile(vm, config, Kind::Exact);
    profile::write_exact(vm, config.scope, config.view.call_sites, about, out)
}

fn packed(vm: &mut Vm, config: &Config) -> Result<Report, TreeError> {
    let about = about_profile(vm, config, Kind::Exact);
    profile::report_exact(vm, config.scope, config.view.call_sites, about)
}

fn write_page(vm: &Vm, config: &Config, page: Report, out: &mut dyn Write) -> io::Result<()> {
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
    vm: &mut Vm,
    config: &Config,
    write: Graph,
    to: &Output,
) -> Result<(), RecordedError> {
    let about = about_profile(vm, config, Kind::Exact);
    let call_sites = config.view.call_sites;
    let written = profile::with_graph(vm, config.scope, call_sites, about, |vm, graph| {
        let code = match to.format.uses_code() {
            true => profile::code(vm, graph.methods()),
            false => Vec::new(),
        };
        let settings = export::Settings {
            code: &code,
            ..settings(config)
        };
        to.write_with(|out| write(graph, &settings, out))
    })?;
    Ok(written?)
}

/// What the limits leave, and what became of the rest, if there is any.
fn pruned(
    vm: &mut Vm,
    config: &Config,
    limits: &Limits,
    apart: bool,
) -> Result<(Profile, Option<Pruned>), TreeError> {
    let about = about_profile(vm, config, Kind::Exact);
    let call_sites = config.view.call_sites;
    if let Some((profile, what)) =
        profile::pruned_exact(vm, config.scope, call_sites, about.clone(), limits, apart)?
    {
        return Ok((profile, Some(what)));
    }
    // It is small.
    let mut all = profile::exact_of(vm, config.scope, !apart)?;
    all.about = about;
    let view = View {
        threads: match apart {
            true => Threads::Apart,
            false => config.view.threads,
        },
        ..config.view
    };
    Ok((all.into_view(&view)?, None))
}

/// Writes a profile that was pruned already; what is said of that.
fn write_pruned(
    vm: &Vm,
    config: &Config,
    profile: &Profile,
    what: Option<Pruned>,
    to: &Output,
) -> Result<Option<String>, RecordedError> {
    with_settings(vm, config, profile, slice::from_ref(to), |settings| {
        to.write_with(|out| (to.format.write)(profile, settings, out))?;
        Ok(what.map(|what| settings.told(&what)))
    })
}
