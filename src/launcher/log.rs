//! The options of HotSpot's unified logging, `-Xlog:what:output:decorators`, as far as there is something to log.

use super::config::Config;
use super::flags::unrecognized;
use super::option::Problem;
use rjvm_vm::events::{Decorator, EventSet, Log, Output};

/// What can be logged: tags, and the events.
const TAGS: [(&str, EventSet); 3] = [
    ("gc", EventSet::COLLECTIONS),
    ("class+load", EventSet::CLASSES),
    ("class+unload", EventSet::UNLOADING),
];
/// Levels at which the lines are shown, all of which are of level `info`.
const SHOWN: [&str; 3] = ["trace", "debug", "info"];
/// Levels at which they are not.
const HIDDEN: [&str; 3] = ["warning", "error", "off"];

/// `-verbose:gc`, `-verbose:class`.
pub fn verbose(config: &mut Config, events: EventSet) {
    add(config, Log::new(events, Output::Out));
}

/// A log takes the place of one of the same events to the same output.
fn add(config: &mut Config, log: Log) {
    let logs = &mut config.vm.logs;
    logs.retain(|l| (l.events, &l.output) != (log.events, &log.output));
    logs.push(log);
}

/// `-Xlog:value`.
pub fn xlog(config: &mut Config, value: &str) -> Result<(), Problem> {
    if value == "disable" {
        config.vm.logs.clear();
        return Ok(());
    }
    let refused = || unrecognized(&format!("-Xlog:{value}"));
    let mut parts = split(value).into_iter();
    let what = parts.next().unwrap_or_default();
    let output = match parts.next().unwrap_or_default() {
        "" | "stdout" => Output::Out,
        "stderr" => Output::Err,
        file => Output::File(
            file.strip_prefix("file=")
                .unwrap_or(file)
                .trim_matches('"')
                .into(),
        ),
    };
    let decorators = match parts.next().unwrap_or_default() {
        "" => None,
        "none" => Some(Vec::new()),
        list => Some(
            list.split(',')
                .map(decorator)
                .collect::<Option<_>>()
                .ok_or_else(refused)?,
        ),
    };
    let what = if what.is_empty() { "all" } else { what };
    for selection in what.split(',') {
        let (tags, level) = selection.split_once('=').unwrap_or((selection, "info"));
        let shown = SHOWN.contains(&level);
        if !shown && !HIDDEN.contains(&level) {
            return Err(refused());
        }
        let mut any = false;
        for (_, events) in TAGS.iter().filter(|(name, _)| selects(tags, name)) {
            any = true;
            let mut log = Log::new(*events, output.clone());
            if let Some(decorators) = &decorators {
                log.decorators = decorators.clone();
            }
            match shown {
                true => add(config, log),
                false => config
                    .vm
                    .logs
                    .retain(|l| (l.events, &l.output) != (*events, &output)),
            }
        }
        if !any {
            config
                .notes
                .push(format!("-Xlog:{selection} has no effect"));
        }
    }
    Ok(())
}

/// Whether a selection of tags (`gc`, `gc*`, `class+load`, `all`) includes the lines with these.
fn selects(selection: &str, tags: &str) -> bool {
    let Some(start) = selection.strip_suffix('*') else {
        return selection == tags || selection == "all";
    };
    // in any order, and perhaps with more of them
    start
        .split('+')
        .all(|tag| tags.split('+').any(|t| t == tag))
}

/// At colons that are not in quotes.
fn split(value: &str) -> Vec<&str> {
    let mut quoted = false;
    value
        .split(move |c| {
            quoted ^= c == '"';
            c == ':' && !quoted
        })
        .collect()
}

fn decorator(name: &str) -> Option<Decorator> {
    Some(match name {
        "uptime" | "u" => Decorator::Uptime,
        "uptimemillis" | "um" => Decorator::UptimeMillis,
        "uptimenanos" | "un" => Decorator::UptimeNanos,
        "level" | "l" => Decorator::Level,
        "tags" | "tg" => Decorator::Tags,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_selected_as_in_hotspot() {
        for (selection, gc, class) in [
            ("gc", true, false),
            ("gc*", true, false),
            ("gc+heap", false, false),
            ("class+load", false, true),
            ("load+class*", false, true),
            ("class*", false, true),
            ("class", false, false),
            ("all", true, true),
        ] {
            assert_eq!(selects(selection, "gc"), gc, "{selection}");
            assert_eq!(selects(selection, "class+load"), class, "{selection}");
        }
        assert_eq!(split("gc:file=\"a:b\":u"), ["gc", "file=\"a:b\"", "u"]);
    }
}
