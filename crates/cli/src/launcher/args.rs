//! Reading a command line: argument files, variables of the environment, options, the program.

use super::arguments;
use super::config::{Config, LaunchTask, Mode, OptionScope, Stream};
use super::flags::{FLAGS, MODULES, unrecognized};
use super::option::{Flag, Form, Group};
use super::refusal::Refusal;
use super::words::{EARLY, LATE, OPTIONS_VARIABLE, argument_file, old_name, split};
use super::xx;
use std::fmt::Display;
use std::path::Path;

/// Reads a command line with the environment's variables; the lines it notes go to `note`.
pub fn read(
    args: Vec<String>,
    env: impl Fn(&str) -> Option<String>,
    mut note: impl FnMut(String),
) -> Result<Config, Refusal> {
    let mut c = Config {
        class_path: env("CLASSPATH"),
        ..Config::default()
    };
    let result = read_into(&mut c, args, env, &mut note);
    if result.is_err() {
        super::complaints::print(Stream::Out, c.xx.printed());
    }
    match result {
        Ok(()) => Ok(c),
        Err(Refusal::Vm(message)) => Err(Refusal::Vm(c.xx.before(&message))),
        Err(refusal) => {
            let message = c.xx.before("");
            if !message.is_empty() {
                note(message);
            }
            Err(refusal)
        }
    }
}

fn read_into(
    c: &mut Config,
    args: Vec<String>,
    env: impl Fn(&str) -> Option<String>,
    mut note: impl FnMut(String),
) -> Result<(), Refusal> {
    let mut words = Vec::new();
    if let Some(v) = env(OPTIONS_VARIABLE) {
        let refused = |e: &dyn Display| Refusal::Own(format!("{OPTIONS_VARIABLE}: {e}"));
        let own = split(&v).map_err(|e| refused(&e))?;
        if let Some(word) = own.get(options(c, &own)?) {
            return Err(refused(&format_args!("unknown option {word}")));
        }
        if !own.is_empty() {
            c.notes
                .push(format!("options from {OPTIONS_VARIABLE}: {v}"));
        }
        // a process that is started with this one's arguments finds the variable, too
        c.vm.arguments.clear();
        c.vm.own_arguments.clear();
        // Who starts many VMs this way does not know their order: see `outputs`.
        c.outputs_are_shared = !c.outputs.is_empty() || !c.sample_outputs.is_empty();
    }
    if let Some(v) = env("JDK_JAVA_OPTIONS") {
        note(format!("NOTE: Picked up JDK_JAVA_OPTIONS: {v}"));
        for word in split(&v).map_err(|e| Refusal::Launcher(format!("JDK_JAVA_OPTIONS: {e}")))? {
            match word.strip_prefix('@') {
                Some(file) => words.extend(argument_file(file)?),
                None => words.push(word),
            }
        }
        let mut c = Config::default();
        options(&mut c, &words).and_then(|n| match words.get(n) {
            None => Ok(()),
            Some(_) => Err(Refusal::Launcher(
                "Cannot specify main class in environment variable JDK_JAVA_OPTIONS".into(),
            )),
        })?;
    }
    expand(args, &mut words)?;
    let mut of_variable = |name: &str| match env(name) {
        None => Ok(Vec::new()),
        Some(v) => {
            note(format!("Picked up {name}: {v}"));
            split(&v).map_err(|e| Refusal::Launcher(format!("{name}: {e}")))
        }
    };
    let (early, late) = (of_variable(EARLY)?, of_variable(LATE)?);
    program(c, words, &early, &late)
}

/// Reads `own`, the options of a replay, and the `words` of the recorded command line up to the program's arguments, of
/// which those for reports don't count. `schedule` is the text of the one that it followed; `env` knows the variables of the recorded run.
pub fn read_recorded(
    own: &[String],
    words: &[String],
    schedule: Option<String>,
    env: impl Fn(&str) -> Option<String>,
) -> Result<Config, Refusal> {
    let mut c = Config {
        only: OptionScope::Reports,
        schedule,
        ..Config::default()
    };
    if let Some(word) = own.get(options(&mut c, own)?) {
        return Err(Refusal::Own(format!("unknown option {word}")));
    }
    c.only = OptionScope::Execution;
    c.class_path = env("CLASSPATH");
    let of_variable = |name: &str| {
        let words = split(&env(name).unwrap_or_default());
        words.map_err(|e| Refusal::Own(format!("{name}: {e}")))
    };
    options(&mut c, &of_variable(OPTIONS_VARIABLE)?)?;
    let (early, late) = (of_variable(EARLY)?, of_variable(LATE)?);
    program(&mut c, words.to_vec(), &early, &late)?;
    Ok(c)
}

/// Reads the options of the command line itself, and what follows them; before and after it those of variables.
fn program(
    c: &mut Config,
    mut words: Vec<String>,
    early: &[String],
    late: &[String],
) -> Result<(), Refusal> {
    let of_vm: Vec<&str> = [early, &words[..end_of_options(&words)], late]
        .iter()
        .flat_map(|words| words.iter().map(String::as_str))
        .collect();
    xx::first(c, &of_vm);
    if c.task == LaunchTask::Flags {
        return Ok(());
    }
    xx::settings(c)?;
    of_the_vm(c, early, xx::ENVIRONMENT)?;
    let mut rest = options(c, &words)?;
    if c.what.is_none()
        && rest == words.len()
        && let Some(schedule) = &c.replay
    {
        words.extend(schedule.header.arguments.iter().cloned());
        rest += options(c, &words[rest..])?;
    }
    of_the_vm(c, late, xx::COMMAND_LINE)?;
    c.command = words.clone();
    let mut rest = words.drain(rest..);
    if c.what.is_none() {
        c.what = rest.next();
        if c.mode == Mode::Class && c.what.is_some() {
            c.class_path.get_or_insert_with(|| ".".into());
        }
        if let (Mode::Class, Some(w)) = (c.mode, &c.what)
            && w.ends_with(".java")
            && Path::new(w).is_file()
        {
            c.mode = Mode::Source;
        }
    }
    c.args.extend(rest);
    c.command.truncate(c.command.len() - c.args.len());
    // the source launcher says itself that it has no file
    let runs = matches!(c.task, LaunchTask::Run | LaunchTask::DryRun) && c.mode != Mode::Source;
    if c.what.is_none() && runs {
        return Err(Refusal::Usage(match c.mode {
            Mode::Jar => "Error: -jar requires jar file specification".into(),
            _ => String::new(),
        }));
    }
    check_heap(c)?;
    xx::check(c)?;
    Ok(())
}

/// Takes words that only a VM is given: none of the launcher's own options is among them.
fn of_the_vm(c: &mut Config, words: &[String], origin: &'static str) -> Result<(), Refusal> {
    let of_launcher = |word: &&String| {
        let separate = |(flag, inline): (&Flag, Option<&str>)| {
            inline.is_none() && matches!(flag.form, Form::Next(..)) && !flag.is_own()
                || flag.names.iter().any(|name| LAUNCHERS.contains(name))
        };
        *word == "-jar" || find(word).is_some_and(separate)
    };
    if let Some(word) = words.iter().find(of_launcher) {
        return Err(unrecognized(word).into());
    }
    let before = std::mem::replace(&mut c.origin, origin);
    let end = options(c, words)?;
    c.origin = before;
    match words.get(end) {
        Some(word) => Err(unrecognized(word).into()),
        None => Ok(()),
    }
}

/// Options of which a VM knows nothing.
const LAUNCHERS: [&str; 14] = [
    "-version",
    "--version",
    "-showversion",
    "--show-version",
    "-fullversion",
    "--full-version",
    "--help",
    "-h",
    "-X",
    "--help-extra",
    "--list-modules",
    "--dry-run",
    "-splash:",
    "-XshowSettings",
];

/// What can be said of the heap once all options are known.
fn check_heap(c: &Config) -> Result<(), Refusal> {
    let least = c.initial_heap.unwrap_or(0);
    if (1..1 << 20).contains(&least) {
        return Err(Refusal::Init("Too small initial heap".into()));
    }
    if c.max_heap_given && least > c.vm.max_heap as u64 {
        let message = "Initial heap size set to a larger value than the maximum heap size";
        return Err(Refusal::Init(message.into()));
    }
    Ok(())
}

/// Applies the options at the start of `words`; the number of words they take.
fn options(c: &mut Config, words: &[String]) -> Result<usize, Refusal> {
    let mut i = 0;
    while let Some(word) = words.get(i) {
        if !word.starts_with('-') || c.what.is_some() {
            break;
        }
        i += 1;
        if word == "-jar" {
            c.mode = main_mode(c, Mode::Jar, word)?;
            continue;
        }
        if let Some(file) = word.strip_prefix("-XX:VMOptionsFile=") {
            let words = xx::options_file(c, file)?;
            of_the_vm(c, &words, xx::COMMAND_LINE)?;
            c.xx.end_of_file();
            continue;
        }
        let newer = old_name(word);
        let word = newer.as_ref().unwrap_or(word);
        let Some((flag, inline)) = find(word) else {
            no_option(c, word)?;
            continue;
        };
        let value = match inline {
            None => of_next_word(flag, word, words.get(i), &mut i)?,
            Some("") if !flag.may_be_empty() && matches!(flag.form, Form::Next(..)) => {
                return Err(requires(flag, word, true));
            }
            Some(value) => value,
        };
        if flag.names.contains(&"--module") {
            c.mode = main_mode(c, Mode::Module, word)?;
            c.what = Some(value.into());
            c.vm.arguments.push(arguments::of_main_module(value));
            continue;
        }
        if !counts(c, flag, word, value)? {
            continue;
        }
        (flag.set)(c, value)?;
        if c.task.ends_reading() {
            break;
        }
    }
    Ok(i)
}

/// Nobody knows this option: it is passed over, or refused.
fn no_option(c: &mut Config, word: &str) -> Result<(), Refusal> {
    if c.ignore_unrecognized && !word.starts_with("--") {
        c.vm.arguments.push(word.into());
        return Ok(());
    }
    Err(match misused(word) {
        Some(message) => Refusal::Own(message),
        None => unrecognized(word).into(),
    })
}

/// The value of an option that has none in its own word: the next word, which is taken then, or nothing.
fn of_next_word<'a>(
    flag: &Flag,
    word: &str,
    next: Option<&'a String>,
    taken: &mut usize,
) -> Result<&'a str, Refusal> {
    if !matches!(flag.form, Form::Next(..)) {
        return Ok("");
    }
    // as for java, a word that looks like an option is no value
    let value = |v: &&String| !v.starts_with('-') || *v == "-" && flag.may_be_dash();
    match next.filter(value) {
        Some(v) if !v.is_empty() || flag.may_be_empty() => {
            *taken += 1;
            Ok(v)
        }
        _ => Err(requires(flag, word, false)),
    }
}

/// An option lacks its value; `given`: it has an empty one.
fn requires(flag: &Flag, word: &str, given: bool) -> Refusal {
    let what = match flag.form {
        Form::Next(..) if given && flag.is_module_list() => MODULES,
        Form::Next(_, what) => what,
        _ => "a value",
    };
    Refusal::Launcher(format!("{word} requires {what}"))
}

/// Notes what the VM is given of an option. Whether the option has an effect: in a replay not all have one.
fn counts(c: &mut Config, flag: &Flag, word: &str, value: &str) -> Result<bool, Refusal> {
    // a replay shows what the recorded run was given
    if c.only != OptionScope::Reports {
        let first = c.vm.arguments.len();
        c.vm.arguments.extend(arguments::of(flag, word, value));
        if flag.is_own() {
            c.vm.own_arguments.extend(first..c.vm.arguments.len());
        }
    }
    match c.only {
        OptionScope::Reports if flag.group != Group::Report => {
            return Err(Refusal::Own(format!(
                "{word}: a replay accepts only options for profiles and other reports; all other options are those of the recorded run"
            )));
        }
        OptionScope::Execution if flag.group == Group::Report => return Ok(false),
        _ => {}
    }
    if flag.is_own() {
        if let (Form::Equals(form), "") = (flag.form, value) {
            return Err(Refusal::Own(without_value(word, flag.names[0], form)));
        }
        c.given.push(flag.names[0]);
    }
    Ok(true)
}

/// The mode that `option` asks for; `--source` goes with a source file only.
fn main_mode(c: &Config, mode: Mode, option: &str) -> Result<Mode, Refusal> {
    match c.mode {
        Mode::Source => Err(Refusal::Launcher(format!(
            "Option {option} is not allowed with --source"
        ))),
        _ => Ok(mode),
    }
}

/// What is wrong with a word that has the name of one of rjvm's own options.
fn misused(word: &str) -> Option<String> {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    let own = |flag: &&Flag| flag.is_own() && flag.names.contains(&name);
    match FLAGS.iter().find(own)?.form {
        Form::Equals(form) | Form::Maybe(form) => Some(without_value(word, name, form)),
        Form::Bare => Some(format!("{word}: {name} does not take a value")),
        Form::Next(form, _) => Some(format!("{word}: expected {name} <{form}>")),
        _ => None,
    }
}

fn without_value(word: &str, name: &str, form: &str) -> String {
    format!("{word}: expected a value, {name}={form}")
}

/// The flag of a word, and the value that is part of the word.
fn find(word: &str) -> Option<(&'static Flag, Option<&str>)> {
    for flag in FLAGS {
        for name in flag.names {
            let Some(rest) = word.strip_prefix(name) else {
                continue;
            };
            let found = match flag.form {
                Form::Bare if rest.is_empty() => Some(None),
                Form::Joined(_) => Some(Some(rest)),
                Form::Colon(_) if rest.is_empty() => Some(None),
                Form::Colon(_) => rest.strip_prefix(':').map(Some),
                Form::Next(..) if rest.is_empty() => Some(None),
                Form::Next(..) if name.starts_with("--") => rest.strip_prefix('=').map(Some),
                Form::Equals(_) => rest.strip_prefix('=').map(Some),
                Form::Maybe(_) if rest.is_empty() => Some(None),
                Form::Maybe(_) => rest.strip_prefix('=').filter(|v| !v.is_empty()).map(Some),
                _ => None,
            };
            if let Some(value) = found {
                return Some((flag, value));
            }
        }
    }
    None
}

/// Replaces `@file` by the arguments in the file, up to the main class.
fn expand(args: Vec<String>, out: &mut Vec<String>) -> Result<(), Refusal> {
    let mut args = args.into_iter();
    for arg in args.by_ref() {
        if arg == "--disable-@files" {
            break;
        }
        match arg.strip_prefix('@') {
            Some("") => out.push(arg),
            Some(rest) if rest.starts_with('@') => out.push(rest.into()),
            Some(file) => out.extend(argument_file(file)?),
            None => out.push(arg),
        }
        if names_program(out) {
            break;
        }
    }
    out.extend(args);
    Ok(())
}

/// Whether the words so far hold the main class: what follows belongs to the program.
fn names_program(words: &[String]) -> bool {
    let module = |w: &String| w.starts_with("--module=");
    end_of_options(words) < words.len() || words.iter().any(module)
}

/// How many of the words are options and their values.
fn end_of_options(words: &[String]) -> usize {
    let mut i = 0;
    while let Some(word) = words.get(i) {
        if !word.starts_with('-') {
            return i;
        }
        i += 1;
        // the word after `-m` is the program
        if let Some((flag, None)) = find(word)
            && matches!(flag.form, Form::Next(..))
            && !flag.names.contains(&"--module")
            && words.get(i).is_some_and(|w| !w.starts_with('-'))
        {
            i += 1;
        }
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &[&str]) -> Result<Config, Refusal> {
        read(
            line.iter().map(|s| s.to_string()).collect(),
            |_| None,
            |_| (),
        )
    }

    #[test]
    fn everything_after_the_program_is_its_own() {
        let c = parse(&["-cp", "a:b", "-ea", "Main", "-cp", "--profile=exact", "@x"]).unwrap();
        assert_eq!(c.class_path.as_deref(), Some("a:b"));
        assert_eq!(c.what.as_deref(), Some("Main"));
        assert_eq!(c.args, ["-cp", "--profile=exact", "@x"]);
        assert_eq!(c.vm.assertions, [(true, String::new())]);
        let c = parse(&["-m", "jdk.compiler/M", "-version"]).unwrap();
        assert_eq!(
            (c.mode, &*c.args),
            (Mode::Module, &["-version".to_string()][..])
        );
        let c = parse(&["-jar", "-Dx=1", "a.jar", "-jar"]).unwrap();
        assert_eq!((c.mode, c.what.as_deref()), (Mode::Jar, Some("a.jar")));
        assert_eq!(c.args, ["-jar"]);
    }

    #[test]
    fn sizes_and_their_errors() {
        assert_eq!(parse(&["-Xmx64m", "M"]).unwrap().vm.max_heap, 64 << 20);
        assert_eq!(
            parse(&["-XX:MaxHeapSize=1G", "M"]).unwrap().vm.max_heap,
            1 << 30
        );
        for (option, text) in [
            ("-Xmxfoo", "Invalid maximum heap size: -Xmxfoo"),
            ("-Xmx", "Invalid maximum heap size: -Xmx"),
            ("-Xssx", "Invalid thread stack size: -Xssx"),
            ("-XX:+Foo", "Unrecognized VM option 'Foo'"),
            ("-XX:Foo=1", "Unrecognized VM option 'Foo=1'"),
            (
                "-XX:MaxHeapSize",
                "Improperly specified VM option 'MaxHeapSize'",
            ),
            ("--foo", "Unrecognized option: --foo"),
            ("-Xfoo", "Unrecognized option: -Xfoo"),
            (
                "-Xrunx",
                "Unrecognized option: -Xrunx\nNative agents are not supported. \
                 To observe a program, use '--agent'.",
            ),
        ] {
            assert_eq!(parse(&[option, "M"]).unwrap_err(), Refusal::Vm(text.into()));
        }
        for option in [
            "--sample-gran=0",
            "--sample-gran=-3",
            "--sample-gran=x",
            "--profile=all",
            "-o=x",
        ] {
            assert!(parse(&[option, "M"]).is_err(), "{option}");
        }
    }

    #[test]
    fn missing_values_and_programs() {
        assert_eq!(
            parse(&["-cp"]).unwrap_err(),
            Refusal::Launcher("-cp requires class path specification".into())
        );
        assert_eq!(
            parse(&["-jar"]).unwrap_err(),
            Refusal::Usage("Error: -jar requires jar file specification".into())
        );
        assert_eq!(parse(&[]).unwrap_err(), Refusal::Usage(String::new()));
    }

    #[test]
    fn every_option_has_one_row() {
        let mut names: Vec<_> = FLAGS.iter().flat_map(|f| f.names).collect();
        names.sort();
        let n = names.len();
        names.dedup();
        assert_eq!(names.len(), n);
    }
}
