//! The options of HotSpot's unified logging, `-Xlog:what:output:decorators`, as far as there is something to log.

use super::config::{Config, LaunchTask};
use super::option::OptionProblem;
use super::xx;
use rjvm_vm::events::{Decorator, EventSet, Log, Output};

/// What can be logged: tags, and the events.
const TAGS: [(&str, EventSet); 3] = [
    ("gc", EventSet::COLLECTIONS),
    ("class+load", EventSet::CLASSES),
    ("class+unload", EventSet::UNLOADING),
];
/// Tags that lines of HotSpot about loaded classes have besides, of which there are none here.
const MORE_TAGS: &str = "class+load+cause";
/// Levels at which the lines are shown, all of which are of level `info`.
const SHOWN: [&str; 3] = ["trace", "debug", "info"];
/// Levels at which they are not.
const HIDDEN: [&str; 3] = ["warning", "error", "off"];

/// How many tags a selection can have.
const MOST_TAGS: usize = 5;
/// HotSpot 17's decorators, with their short names, and what they are here.
const DECORATORS: [(&str, &str, Option<Decorator>); 12] = [
    ("time", "t", None),
    ("utctime", "utc", None),
    ("uptime", "u", Some(Decorator::Uptime)),
    ("timemillis", "tm", None),
    ("uptimemillis", "um", Some(Decorator::UptimeMillis)),
    ("timenanos", "tn", None),
    ("uptimenanos", "un", Some(Decorator::UptimeNanos)),
    ("hostname", "hn", None),
    ("pid", "p", None),
    ("tid", "ti", None),
    ("level", "l", Some(Decorator::Level)),
    ("tags", "tg", Some(Decorator::Tags)),
];
/// HotSpot's tags, in versions 17 to 25.
const KNOWN: &str = "\
    add age alloc annotation aot arguments array attach barrier biasedlocking blocks bot breakpoint bytecode cause cds census \
    class classhisto cleanup codecache compaction compilation condy constantpool constraints container continuations coops \
    cpu cset data datacreation dcmd decoder defaultmethods deoptimization dependencies director dump dynamic ergo event \
    exceptions exit fastlock finalizer fingerprint free freelist gc handshake hashtables heap heapdump humongous ihop iklass \
    indy init inlinecache inlining install interpreter itables jfr jit jmethod jni jvmci jvmti lambda library link liveness \
    load loader logging malloc map mark marking membername memops metadata metaspace methodcomparator methodhandles \
    methodtrace mirror mmu module monitorinflation monitormismatch monitortable native nestmates nmethod nmt normalize numa \
    objecttagging obsolete oldobject oom oopmap oops oopstorage os owner page pagesize parser patch path perf periodic phases \
    plab placeholders preempt preorder preview promotion protectiondomain ptrqueue purge record redefine ref refine region \
    reloc remset resolve safepoint sampling scavenge sealed setting smr stackbarrier stackmap stacktrace stackwalk start \
    startup startuptime state stats streaming stringdedup stringtable stubs subclass survivor suspend sweep symboltable \
    system table task thread throttle time timer tlab tracking training trimnative unload unmap unshareable update \
    valuebasedclasses verification verify vmmutex vmoperation vmthread vtables vtablestubs workgang";

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

/// `-Xloggc:file`
pub fn xloggc(config: &mut Config, file: &str) -> Result<(), OptionProblem> {
    let message = format!("-Xloggc is deprecated. Will use -Xlog:gc:{file} instead.");
    config.xx.print(&format!("[0.000s][warning][gc] {message}"));
    xlog(config, &format!("gc:{file}"))
}

/// `-Xlog:value`.
pub fn xlog(config: &mut Config, value: &str) -> Result<(), OptionProblem> {
    match value {
        "disable" => {
            config.vm.logs.clear();
            return Ok(());
        }
        // lines are written at once
        "async" => return Ok(()),
        "help" => {
            config.task = LaunchTask::LogHelp;
            return Ok(());
        }
        _ => {}
    }
    configure(config, value).map_err(|lines| {
        for line in lines {
            config.xx.print(&format!("[0.000s][error][logging] {line}"));
        }
        OptionProblem::Vm(format!(
            "Invalid -Xlog option '-Xlog:{value}', see error log for details."
        ))
    })
}

/// The same; an error describes the mistake in HotSpot's words.
fn configure(config: &mut Config, value: &str) -> Result<(), Vec<String>> {
    let parts = split(value);
    let part = |i: usize| parts.get(i).copied().unwrap_or_default();
    let what = if part(0).is_empty() { "all" } else { part(0) };
    let selections: Vec<_> = what.split(',').map(selection).collect::<Result<_, _>>()?;
    let output = match part(1) {
        "" | "stdout" | "#0" => Output::Out,
        "stderr" | "#1" => Output::Err,
        file => {
            let path = file.strip_prefix("file=").unwrap_or(file);
            let path = path.trim_matches('"');
            writable(path, part(3))?;
            Output::File(path.into())
        }
    };
    let decorators = decorators(config, part(2))?;
    if !part(3).is_empty() && !matches!(output, Output::File(_)) {
        let message = "Output options for existing outputs are ignored.";
        config
            .xx
            .print(&format!("[0.000s][warning][logging] {message}"));
    }
    for (tags, level) in selections {
        let shown = SHOWN.contains(&level);
        let mut any = selects(&tags, MORE_TAGS);
        if any {
            let logs = config.vm.logs.iter_mut();
            let same = logs.filter(|l| l.events.meets(EventSet::CLASSES) && l.output == output);
            same.for_each(|l| l.more_tags = shown);
        }
        for (_, events) in TAGS.iter().filter(|(name, _)| selects(&tags, name)) {
            any = true;
            let mut log = Log::new(*events, output.clone());
            log.more_tags = selects(&tags, MORE_TAGS);
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
        if !any && level != "off" {
            config.notes.push(format!("-Xlog:{tags} has no effect"));
        }
    }
    Ok(())
}

/// The decorators of a list; `None`: the usual ones.
fn decorators(config: &mut Config, list: &str) -> Result<Option<Vec<Decorator>>, Vec<String>> {
    match list {
        "" => return Ok(None),
        "none" => return Ok(Some(Vec::new())),
        _ => {}
    }
    let mut chosen = Vec::new();
    for name in list.split(',') {
        match DECORATORS.iter().find(|d| d.0 == name || d.1 == name) {
            None => return Err(vec![format!("Invalid decorator '{name}'.")]),
            Some((_, _, Some(decorator))) => chosen.push(*decorator),
            Some((name, ..)) => config
                .notes
                .push(format!("-Xlog's decorator {name} has no effect")),
        }
    }
    Ok(Some(chosen))
}

/// Reads tags with their level: `gc+heap*=debug`.
fn selection(text: &str) -> Result<(String, &str), Vec<String>> {
    let (tags, level) = text.split_once('=').unwrap_or((text, "info"));
    let level = level.to_ascii_lowercase();
    let level = SHOWN.iter().chain(&HIDDEN).find(|l| **l == level);
    let tags = tags.to_ascii_lowercase();
    let names: Vec<&str> = tags.trim_end_matches('*').split('+').collect();
    if tags != "all" {
        for (i, name) in names.iter().enumerate() {
            if i == MOST_TAGS {
                return Err(vec![format!(
                    "Too many tags in log selection '{}' (can only have up to {MOST_TAGS} tags).",
                    names[0]
                )]);
            }
            if !KNOWN.split_whitespace().any(|tag| tag == *name) {
                let tags = KNOWN.split_whitespace();
                let meant = xx::alike(name, tags, 0.5);
                let meant = meant.map_or(String::new(), |tag| format!(" Did you mean '{tag}'?"));
                return Err(vec![format!(
                    "Invalid tag '{name}' in log selection.{meant}"
                )]);
            }
        }
        let twice = names
            .iter()
            .enumerate()
            .find(|(i, n)| names[..*i].contains(n));
        if let Some((_, name)) = twice {
            return Err(vec![format!(
                "Log selection contains duplicates of tag {name}."
            )]);
        }
    }
    match level {
        Some(level) => Ok((tags, level)),
        None => {
            let level = text.split_once('=').map_or("", |t| t.1);
            Err(vec![format!("Invalid level '{level}' in log selection.")])
        }
    }
}

/// Whether a file can be written, and its options make sense.
fn writable(path: &str, options: &str) -> Result<(), Vec<String>> {
    let shown = if options.is_empty() {
        "(null)"
    } else {
        options
    };
    let failed = |line: String| {
        let last =
            format!("Initialization of output 'file={path}' using options '{shown}' failed.");
        Err(vec![line, last])
    };
    for option in options.split(',').filter(|o| !o.is_empty()) {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        match (name, xx::size(value)) {
            ("filecount", Some(0..=1000)) | ("filesize", Some(_)) => {}
            ("filecount", _) => {
                return failed("Invalid option: filecount must be in range [0, 1000]".into());
            }
            ("filesize", _) => {
                return failed("Invalid option: filesize must be a size".into());
            }
            _ => return failed(format!("Invalid option '{name}' for log file output.")),
        }
    }
    let folder = std::path::Path::new(path).parent();
    let there = |f: &std::path::Path| f.as_os_str().is_empty() || f.is_dir();
    if path.is_empty() || !folder.is_none_or(there) {
        return failed(format!(
            "Error opening log file '{path}': No such file or directory"
        ));
    }
    Ok(())
}

/// `-Xlog:help`
pub fn help() -> String {
    let logged: Vec<&str> = TAGS.iter().map(|t| t.0).collect();
    let names = |shown: bool| {
        let chosen = DECORATORS.iter().filter(|d| d.2.is_some() == shown);
        let written = chosen.map(|d| format!("{} ({})", d.0, d.1));
        written.collect::<Vec<_>>().join(", ")
    };
    format!(
        "Usage: -Xlog[:[tags[*][=level],...][:[output][:[decorators][:options]]]]\n\
         Levels: off, trace, debug, info, warning, error\n\
         Outputs: stdout, stderr, file=<name>\n\
         Decorators: {}; none\n\
         Decorators without effect: {}\n\
         Tags with effect: {}\n\
         Tags without effect:{}\n",
        names(true),
        names(false),
        logged.join(", "),
        KNOWN
            .split_whitespace()
            .collect::<Vec<_>>()
            .chunks(12)
            .map(|line| format!("\n  {}", line.join(" ")))
            .collect::<String>()
    )
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
