//! All options together: contradictions, and settings that follow from them.

use super::config::{Config, LaunchTask, Mode, SOURCE_LAUNCHER, expanded};
use super::{control, debugger, heap_size, sampling, window};
use rjvm_profiler::Part;
use rjvm_run::profile::Scope;
use rjvm_vm::events::EventSet;
use rjvm_vm::vm::ProfileMode;

/// A contradiction among the options on profiles.
pub fn contradiction(config: &Config) -> Option<String> {
    if config.bba.is_some() && config.vm.profile != ProfileMode::Blocks {
        return Some("--bba requires --profile=blocks".into());
    }
    let others = [
        window::contradiction,
        control::contradiction,
        debugger::contradiction,
    ];
    if let Some(problem) = others.iter().find_map(|c| c(config)) {
        return Some(problem);
    }
    let given = |names: &[&'static str]| config.given.iter().copied().find(|g| names.contains(g));
    let of_samples = [
        "--sample-output",
        "--sample-log",
        "--sample-sites",
        "--sample-clock",
    ];
    if config.vm.sample_every.is_none()
        && let Some(option) = given(&of_samples)
    {
        return Some(format!("{option} requires --sample-gran=N"));
    }
    if !config.locks && given(&["--locks"]).is_some() {
        return Some("--locks requires --profile=locks".into());
    }
    if config.events == EventSet::NONE
        && let Some(option) = given(&["--events-file", "--events-depth"])
    {
        return Some(format!("{option} requires --events=KINDS"));
    }
    // with a page, the profile may be switched on later
    if config.profiles() || config.serve.is_some() {
        return None;
    }
    let of_profiles = [
        "-o",
        "--allocations",
        "--view",
        "--natives",
        "--include",
        "--exclude",
        "--max-depth",
        "--profile-memory",
        "--min-percent",
        "--max-nodes",
        "--no-prune",
        "--fold-recursion",
        "--threads",
    ];
    // an agent sees what these say
    let of_agents = ["--scope", "--upcalls"].as_slice();
    let of_agents = if config.agent.is_some() {
        &[]
    } else {
        of_agents
    };
    given(&of_profiles).or_else(|| given(of_agents)).map(|option| {
        format!(
            "{option} requires --profile=exact, --profile=callsites, --profile=blocks, --profile=locks or --sample-gran=N"
        )
    })
}

/// Derives what follows from all options together: the properties of class path, module and
/// command, the defaults of the view.
pub fn complete(config: &mut Config) {
    without_profile(config);
    name_program(config);
    if !config.natives_given {
        config.view.natives = config.view.part == Part::All;
    }
    config.vm.sample_all = config.scope == Scope::All;
    config.view.call_sites |= config.sample_sites;
    choose_seed(config);
    heap_size::choose(config);
    config.vm.pages_ahead = true;
    sampling::complete(config);
    window::complete(config);
}

/// Runs that are compared with each other write no profile.
fn without_profile(config: &mut Config) {
    if config.tier_verify {
        config.deterministic = config.deterministic.or(Some(0));
    }
    if config.check.is_none() && !config.tier_verify {
        return;
    }
    let option = match config.tier_verify {
        true => "--tier=verify",
        false => "--check-determinism",
    };
    let writes = config.profiles() || config.agent.is_some() || !config.outputs.is_empty();
    if config.task != LaunchTask::Run {
        (config.check, config.tier_verify) = (None, false);
    } else if writes {
        config
            .notes
            .push(format!("{option} cannot write a profile"));
    }
    config.vm.profile = ProfileMode::Off;
    (config.vm.sample_every, config.agent, config.sample_log) = (None, None, None);
    config.hprof = None;
    config.outputs.clear();
    config.sample_outputs.clear();
}

/// Sets the properties that name the program.
fn name_program(config: &mut Config) {
    let what = config.what.clone().unwrap_or_default();
    let path = match (config.mode, &config.class_path) {
        (Mode::Jar, _) => Some(what.clone()),
        (_, Some(p)) => Some(expanded(p)),
        _ => None,
    };
    if let Some(p) = path {
        config.property("java.class.path", &p);
    }
    let entry = match config.mode {
        Mode::Source => {
            config.numbered("jdk.module.addmods", "ALL-DEFAULT");
            config.vm.arguments.push("--add-modules=ALL-DEFAULT".into());
            if let Some(file) = config.what.take() {
                config.args.insert(0, file);
            }
            config.what = Some(SOURCE_LAUNCHER.into());
            SOURCE_LAUNCHER.to_string()
        }
        _ => what.clone(),
    };
    if matches!(config.mode, Mode::Module | Mode::Source) {
        let module = entry.split_once('/').map_or(&*entry, |e| e.0);
        config.property("jdk.module.main", module);
    }
    let mut command = entry;
    for a in &config.args {
        command.push(' ');
        command.push_str(a);
    }
    if config.what.is_some() {
        config.property("sun.java.command", &command);
    }
    config.property("sun.java.launcher", "SUN_STANDARD");
}

/// A deterministic run has a seed.
fn choose_seed(config: &mut Config) {
    if let Some(seed) = config.deterministic {
        if !config.vm.seeds_random {
            (config.vm.seed, config.vm.seeds_random) = (seed, true);
        }
    } else if !config.environment.is_empty() {
        config
            .notes
            .push("--env has no effect without --deterministic".into());
    }
}
