//! `rjvm check-jdk HOME`: compares rjvm's tables of the JDK (classes, fields, methods, natives) with an installed JDK.

use crate::messages;
use crate::run_error::RunError;
use crate::subcommands;
use clap::{Arg, ArgMatches, Command, value_parser};
use rjvm_vm::classpath::{FoundBy, Jdk, SystemModules};
use std::path::{Path, PathBuf};

/// The command line.
pub fn command() -> Command {
    subcommands::CHECK_JDK.command()
        .after_help("Prints a line for each class, field, method or native that differs.\n\nExample:\n  rjvm check-jdk /usr/lib/jvm/java-21-openjdk-amd64\n\nExit codes: 0 if all entries match; 1 if an entry differs, or if rjvm cannot read the JDK; 2 for an invalid command line\nSee docs/contributing/how-to-add.md")
        .arg_required_else_help(true)
        .arg(
            Arg::new("home")
                .value_name("HOME")
                .help("The JDK's folder")
                .required(true)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("lacking")
                .long("lacking")
                .help("Also print the natives that rjvm does not have, with the reasons")
                .num_args(0),
        )
}

/// Compares them; the exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    let home = matches.get_one::<PathBuf>("home").expect("it is required");
    match check(home, matches.get_flag("lacking")) {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(e) => {
            messages::error(&e);
            1
        }
    }
}

/// Whether all fits.
fn check(home: &Path, lacking: bool) -> Result<bool, RunError> {
    let jdk = Jdk::open(home, FoundBy::Option)?;
    let modules = SystemModules::open(&jdk)?;
    let feature = jdk.feature();
    let natives = rjvm_jdk_stubs::check::check(&modules, feature).map_err(RunError::NotMade)?;
    let mut problems = rjvm_vm::jdk::check::problems(&modules, feature);
    problems.extend(natives.problems);
    for (native, why) in &natives.lacking {
        match why {
            None => problems.push(format!("native {native}: rjvm does not have it")),
            Some(why) if lacking => println!("missing: {native}: {why}"),
            Some(_) => {}
        }
    }
    for problem in &problems {
        println!("{problem}");
    }
    for class in natives.absent {
        println!(
            "note: {}: its package is not in this JDK",
            class.replace('/', ".")
        );
    }
    for line in rjvm_vm::interp::unknown_bodies(&modules) {
        println!("note: {line}");
    }
    let what = match problems.len() {
        0 => "all fits".to_string(),
        n => format!("{n} entries differ"),
    };
    let support = match jdk.is_supported() {
        true => "",
        false => "; rjvm does not run on this version",
    };
    println!(
        "Java {} in {}: {what}{support}",
        jdk.version(),
        home.display()
    );
    Ok(problems.is_empty())
}
