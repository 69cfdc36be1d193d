//! What makes rjvm at home on a machine: `rjvm java-home`, `rjvm completion`, `rjvm man`.

use super::flags::FLAGS;
use super::help;
use super::option::{Form, Group};
use crate::messages;
use crate::subcommands;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};
use rjvm_vm::classpath::Search;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// The command line of `java-home`.
pub fn java_home_command() -> Command {
    subcommands::JAVA_HOME.command()
        .after_help(
            "The folder links to the files of a JDK: javac and the other tools are the JDK's. Each VM that is started from the\n\
             folder also takes the options of the variable RJVM_OPTIONS.\n\n\
             Examples:\n\
             \x20 rjvm java-home ~/rjvm-home\n\
             \x20 JAVA_HOME=~/rjvm-home RJVM_OPTIONS='--profile=exact -o /tmp/test-%p.rjp' mvn test\n\
             \n\
             Exit codes: 0; 1 if rjvm cannot create the folder; 2 for an invalid command line\n\
             See docs/recipes.md",
        )
        .arg(
            Arg::new("DIR")
                .help("The folder to create; a folder that this command created before is replaced")
                .required(true)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("java-home")
                .long("java-home")
                .value_name("JDK")
                .help("The JDK to link to; default: the JDK that rjvm runs programs with")
                .value_parser(value_parser!(PathBuf)),
        )
}

/// Makes a home; the exit code.
pub fn java_home(matches: &ArgMatches) -> i32 {
    let dir: &PathBuf = matches.get_one("DIR").expect("required");
    let option = matches.get_one::<PathBuf>("java-home").cloned();
    let jdk = match Search::usual(option, |name| std::env::var_os(name)).find() {
        Ok(jdk) => jdk,
        Err(e) => {
            messages::error(&e);
            return 1;
        }
    };
    let made = fs::canonicalize(jdk.home()).and_then(|home| make_home(&home, dir));
    match made {
        Ok(()) => {
            println!(
                "{}: java is rjvm, with the class library of {}",
                dir.display(),
                jdk.home().display()
            );
            0
        }
        Err(e) => {
            messages::error(&format_args!("{}: {e}", dir.display()));
            1
        }
    }
}

/// The first line after `#!` of the `java` in a home made here, by which it is known again.
const MARK: &str = "# made by rjvm java-home";

fn make_home(jdk: &Path, dir: &Path) -> io::Result<()> {
    let java = dir.join("bin/java");
    let ours = fs::read_to_string(&java).is_ok_and(|text| text.contains(MARK));
    let other = |what: &str| Err(io::Error::other(what.to_owned()));
    if fs::canonicalize(dir).is_ok_and(|dir| dir == jdk) {
        return other("this folder is the JDK itself");
    }
    if dir.exists() && !ours && fs::read_dir(dir)?.next().is_some() {
        return other("the folder is not empty");
    }
    if ours {
        unmake(dir, &java)?;
    }
    fs::create_dir_all(dir.join("bin"))?;
    let link_all = |from: &Path, to: &Path, but: &str| -> io::Result<()> {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            if entry.file_name() != but {
                symlink(entry.path(), to.join(entry.file_name()))?;
            }
        }
        Ok(())
    };
    link_all(jdk, dir, "bin")?;
    link_all(&jdk.join("bin"), &dir.join("bin"), "java")?;
    let (rjvm, home) = (std::env::current_exe()?, fs::canonicalize(dir)?);
    // The home is this folder, so that a program that starts `java` from `java.home` starts rjvm too.
    let script = format!(
        "#!/bin/sh\n{MARK}\nexec {} --java-home={} \"$@\"\n",
        quoted(&rjvm),
        quoted(&home)
    );
    fs::write(&java, script)?;
    fs::set_permissions(&java, fs::Permissions::from_mode(0o755))
}

/// Removes what a former [`make_home`] has made, links and one script, and nothing else: other files there are an error, before
/// anything is removed.
fn unmake(dir: &Path, java: &Path) -> io::Result<()> {
    let bin = dir.join("bin");
    let mut made = Vec::new();
    for folder in [dir, &bin] {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_symlink() || path == java {
                made.push(path);
            } else if path != bin {
                let text = format!("{} was not created by this command", path.display());
                return Err(io::Error::other(text));
            }
        }
    }
    made.iter().try_for_each(fs::remove_file)
}

/// A word of a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

/// The command line of `man`.
pub fn man_command() -> Command {
    subcommands::MAN.command()
}

/// Prints the manual page.
pub fn man(_: &ArgMatches) -> i32 {
    print(&help::manual())
}

/// The command line of `completion`.
pub fn completion_command() -> Command {
    subcommands::COMPLETION
        .command()
        .after_help(
            "bash: source <(rjvm completion bash)\n\
             zsh:  source <(rjvm completion zsh)\n\
             fish: rjvm completion fish | source",
        )
        .arg(
            Arg::new("SHELL")
                .required(true)
                .value_parser(PossibleValuesParser::new(["bash", "zsh", "fish"])),
        )
}

/// Prints a completion script.
pub fn completion(matches: &ArgMatches) -> i32 {
    match matches.get_one::<String>("SHELL").map(String::as_str) {
        Some("fish") => print(&fish()),
        Some("zsh") => print(&format!(
            "autoload -U +X bashcompinit && bashcompinit\n{}",
            bash()
        )),
        _ => print(&bash()),
    }
}

fn print(text: &str) -> i32 {
    match io::stdout().write_all(text.as_bytes()) {
        Ok(()) => 0,
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(e) => {
            messages::error(&e);
            1
        }
    }
}

/// The options of running programs as words: one with a choice of values is a word for each of them.
fn option_words() -> Vec<(String, &'static str)> {
    let mut words = Vec::new();
    for flag in FLAGS.iter().filter(|f| f.group != Group::Hidden) {
        for name in flag.names {
            match flag.form {
                Form::Equals(values) if values.contains('|') => {
                    words.extend(
                        values
                            .split('|')
                            .map(|v| (format!("{name}={v}"), flag.help)),
                    );
                }
                Form::Equals(_) => words.push((format!("{name}="), flag.help)),
                _ => words.push(((*name).to_owned(), flag.help)),
            }
        }
    }
    words
}

/// For each command path (`profile diff`) the words that may follow: commands below it and its options.
fn command_words() -> Vec<(String, Vec<(String, String)>)> {
    fn add(command: &Command, path: &str, all: &mut Vec<(String, Vec<(String, String)>)>) {
        let path = format!("{path} {}", command.get_name()).trim().to_owned();
        let text = |about: Option<&clap::builder::StyledStr>| {
            about.map(ToString::to_string).unwrap_or_default()
        };
        let below = command
            .get_subcommands()
            .map(|c| (c.get_name().to_owned(), text(c.get_about())));
        let options = command.get_arguments().filter_map(|a| {
            let takes_value =
                a.get_num_args().is_none_or(|n| n.takes_values()) && a.get_action().takes_values();
            let name = a.get_long()?;
            Some((
                format!("--{name}{}", if takes_value { "=" } else { "" }),
                text(a.get_help()),
            ))
        });
        all.push((path.clone(), below.chain(options).collect()));
        for command in command.get_subcommands() {
            add(command, &path, all);
        }
    }
    let mut all = Vec::new();
    for command in super::commands::all() {
        add(&command, "", &mut all);
    }
    all
}

fn bash() -> String {
    let mut cases = String::new();
    let commands = command_words();
    for (path, words) in &commands {
        let words: Vec<&str> = words.iter().map(|(w, _)| w.as_str()).collect();
        let _ = writeln!(cases, "    '{path}') words='{}' ;;", words.join(" "));
    }
    let mut words: Vec<String> = option_words().into_iter().map(|(w, _)| w).collect();
    let first: Vec<&str> = commands
        .iter()
        .map(|(p, _)| p.as_str())
        .filter(|p| !p.contains(' '))
        .collect();
    words.extend(first.iter().map(|w| (*w).to_owned()));
    format!(
        "_rjvm() {{\n\
         \x20 local cur=\"${{COMP_LINE:0:$COMP_POINT}}\" at= words\n\
         \x20 cur=\"${{cur##* }}\"\n\
         \x20 case \"${{COMP_WORDS[1]}}\" in {first})\n\
         \x20   at=\"${{COMP_WORDS[1]}}\"\n\
         \x20   [[ $at = profile && $COMP_CWORD -gt 2 ]] && at=\"$at ${{COMP_WORDS[2]}}\" ;;\n\
         \x20 esac\n\
         \x20 case \"$at\" in\n{cases}\
         \x20   *) words='{words}' ;;\n\
         \x20 esac\n\
         \x20 COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n\
         \x20 # bash takes = for the end of a word.\n\
         \x20 if [[ -n $BASH_VERSION && $cur = *=* ]]; then COMPREPLY=(\"${{COMPREPLY[@]#\"${{cur%=*}}=\"}}\"); fi\n\
         \x20 [[ ${{#COMPREPLY[@]}} -eq 1 && ${{COMPREPLY[0]}} = *= ]] && compopt -o nospace 2>/dev/null\n\
         \x20 return 0\n\
         }}\n\
         complete -o default -F _rjvm rjvm\n",
        first = first.join("|"),
        words = words.join(" "),
    )
}

fn fish() -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
    let commands = command_words();
    let first: Vec<&str> = commands
        .iter()
        .map(|(p, _)| p.as_str())
        .filter(|p| !p.contains(' '))
        .collect();
    let first = first.join(" ");
    let mut out = String::new();
    for (word, help) in option_words() {
        let _ = writeln!(
            out,
            "complete -c rjvm -n 'not __fish_seen_subcommand_from {first}' -a {} -d {}",
            quoted(&word),
            quoted(help)
        );
    }
    for command in super::commands::all() {
        let about = command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        let _ = writeln!(
            out,
            "complete -c rjvm -n __fish_use_subcommand -a {} -d {}",
            command.get_name(),
            quoted(&about)
        );
    }
    for (path, words) in commands {
        let condition: Vec<String> = path
            .split(' ')
            .map(|w| format!("__fish_seen_subcommand_from {w}"))
            .collect();
        for (word, help) in words {
            let _ = writeln!(
                out,
                "complete -c rjvm -n '{}' -a {} -d {}",
                condition.join("; and "),
                quoted(&word),
                quoted(&help)
            );
        }
    }
    out
}
