//! `rjvm maven-install`: the Maven plugin and the API for tests in a local Maven repository, as `mvn install` would put them there.

use crate::messages;
use crate::subcommands;
use crate::testing;
use clap::{Arg, ArgMatches, Command, value_parser};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What both are called there, and their version: the program's own.
const GROUP: &str = "rjvm";
const PLUGIN: &str = "rjvm-maven-plugin";
const API: &str = "rjvm-test";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The plugin, compiled from the sources in `java/maven-plugin`.
static PLUGIN_JAR: &[u8] = include_bytes!("../../java/maven-plugin/rjvm-maven-plugin.jar");

/// The command line of `maven-install`.
pub fn command() -> Command {
    subcommands::MAVEN_INSTALL
        .command()
        .after_help(
            "It writes two artifacts, rjvm:rjvm-maven-plugin and rjvm:rjvm-test, of the version of this program. Both are inside\n\
             rjvm; nothing is downloaded. Files of this version that are there already are replaced.\n\n\
             Example:\n\
             \x20 rjvm maven-install && mvn rjvm:rjvm-maven-plugin:profile -Drjvm.mainClass=com.example.Main\n\
             \n\
             Exit codes: 0; 1 if rjvm cannot write the files; 2 for an invalid command line\n\
             See docs/howto/maven.md",
        )
        .arg(
            Arg::new("DIR")
                .help("The local repository; default: ~/.m2/repository")
                .value_parser(value_parser!(PathBuf)),
        )
}

/// Installs; the exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    let given = matches.get_one::<PathBuf>("DIR").cloned();
    let usual = || {
        let home = std::env::var_os("HOME").filter(|home| !home.is_empty());
        home.map(|home| Path::new(&home).join(".m2/repository"))
    };
    let Some(repository) = given.or_else(usual) else {
        messages::error(&"HOME is not set: name the folder of the local Maven repository");
        return 1;
    };
    let plugin_pom = include_str!("../../java/maven-plugin/pom.xml");
    let api_pom = include_str!("../../java/test-api/pom.xml");
    let written = install(&repository, PLUGIN, PLUGIN_JAR, plugin_pom)
        .and_then(|()| install(&repository, API, testing::API, api_pom));
    match written {
        Ok(()) => {
            println!(
                "{}: {GROUP}:{PLUGIN}:{VERSION}, {GROUP}:{API}:{VERSION}",
                repository.display()
            );
            0
        }
        Err(e) => {
            messages::error(&format_args!("{}: {e}", repository.display()));
            1
        }
    }
}

/// Writes an artifact where Maven looks for it.
fn install(repository: &Path, artifact: &str, jar: &[u8], pom: &str) -> io::Result<()> {
    let folder = repository.join(GROUP).join(artifact).join(VERSION);
    fs::create_dir_all(&folder)?;
    let write = |extension: &str, bytes: &[u8]| {
        fs::write(
            folder.join(format!("{artifact}-{VERSION}.{extension}")),
            bytes,
        )
    };
    write("pom", pom.as_bytes())?;
    write("jar", jar)
}

#[cfg(test)]
mod tests {
    use super::{API, GROUP, PLUGIN, VERSION};

    #[test]
    fn the_poms_have_the_names_and_the_version_of_the_program() {
        let poms = [
            (PLUGIN, include_str!("../../java/maven-plugin/pom.xml")),
            (API, include_str!("../../java/test-api/pom.xml")),
        ];
        for (artifact, pom) in poms {
            let own = format!(
                "  <groupId>{GROUP}</groupId>\n  <artifactId>{artifact}</artifactId>\n  <version>{VERSION}</version>\n"
            );
            assert!(pom.contains(&own), "{own}is not in\n{pom}");
        }
    }
}
