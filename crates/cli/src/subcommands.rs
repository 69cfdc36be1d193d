//! The subcommands as lists show them: names, and what each does.

use clap::{Arg, Command};

/// A subcommand.
#[derive(Clone, Copy, Debug)]
pub struct Subcommand {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
}

impl Subcommand {
    /// The beginning of its command line.
    pub fn command(self) -> Command {
        Command::new(self.name).about(self.about)
    }
}

/// The argument `COMMAND`: the command line of the program.
pub fn program_command_line() -> Arg {
    Arg::new("COMMAND")
        .help_heading(None::<&'static str>)
        .help("Options, main class or -jar file, and the program's arguments")
        .required(true)
        .num_args(1..)
        .allow_hyphen_values(true)
        .trailing_var_arg(true)
}

/// `rjvm profile`
pub const PROFILE: Subcommand = Subcommand {
    name: "profile",
    about: "Tools for profiles: files in the formats .rjp and .paths",
};
/// `rjvm heap`
pub const HEAP: Subcommand = Subcommand {
    name: "heap",
    about: "Tools for heap dumps (HPROF), rjvm's or HotSpot's",
};
/// `rjvm explore`
pub const EXPLORE: Subcommand = Subcommand {
    name: "explore",
    about: "Runs a program under many schedules of its threads",
};
/// `rjvm why`
pub const WHY: Subcommand = Subcommand {
    name: "why",
    about: "Explains when, where and why a program is slow",
};
/// `rjvm search`
pub const SEARCH: Subcommand = Subcommand {
    name: "search",
    about: "Looks for bottlenecks while a program runs",
};
/// `rjvm replay`
pub const REPLAY: Subcommand = Subcommand {
    name: "replay",
    about: "Runs a recorded program again: files, sockets, clock and other input come from the recording",
};
/// `rjvm dis`
pub const DIS: Subcommand = Subcommand {
    name: "dis",
    about: "Prints the contents of class files",
};
/// `rjvm bisect`
pub const BISECT: Subcommand = Subcommand {
    name: "bisect",
    about: "Finds the first bytecode at which two runs diverge: with two class paths, seeds, JDKs or other options",
};
/// `rjvm debug`
pub const DEBUG: Subcommand = Subcommand {
    name: "debug",
    about: "Debugs a program, forward and backward in time: a deterministic run with breakpoints, steps and reverse steps",
};
/// `rjvm origin`
pub const ORIGIN: Subcommand = Subcommand {
    name: "origin",
    about: "Finds who wrote a value: the bytecode, its line, and what the value was made of, back to the cause",
};
/// `rjvm bench`
pub const BENCH: Subcommand = Subcommand {
    name: "bench",
    about: "Counts the bytecodes of benchmarks, with limits for CI",
};
/// `rjvm test`
pub const TEST: Subcommand = Subcommand {
    name: "test",
    about: "Runs tests of JUnit 5, JUnit 4 or TestNG, with budgets",
};
/// `rjvm check-jdk`
pub const CHECK_JDK: Subcommand = Subcommand {
    name: "check-jdk",
    about: "Compares rjvm's tables of the class library with a JDK",
};
/// `rjvm java-home`
pub const JAVA_HOME: Subcommand = Subcommand {
    name: "java-home",
    about: "Creates a JAVA_HOME whose java is rjvm: for Maven, Gradle, Ant, IDEs",
};
/// `rjvm maven-install`
pub const MAVEN_INSTALL: Subcommand = Subcommand {
    name: "maven-install",
    about: "Installs the Maven plugin and rjvm.test for Maven",
};
/// `rjvm completion`
pub const COMPLETION: Subcommand = Subcommand {
    name: "completion",
    about: "Prints a script that completes command lines: for bash, zsh or fish",
};
/// `rjvm man`
pub const MAN: Subcommand = Subcommand {
    name: "man",
    about: "Prints the manual page: rjvm man > rjvm.1",
};

/// All of them, in the order of the help.
pub const ALL: [Subcommand; 17] = [
    PROFILE,
    HEAP,
    EXPLORE,
    WHY,
    SEARCH,
    REPLAY,
    DIS,
    BISECT,
    DEBUG,
    ORIGIN,
    BENCH,
    TEST,
    CHECK_JDK,
    JAVA_HOME,
    MAVEN_INSTALL,
    COMPLETION,
    MAN,
];
