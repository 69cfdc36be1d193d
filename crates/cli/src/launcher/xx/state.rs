//! What the `-XX:` options of a command line have come to.

use super::table::Flags;
use crate::messages::WARNING;
use rjvm_vm::classpath::Search;
use rjvm_vm::jdk::SUPPORTED;
use std::path::PathBuf;
use std::sync::OnceLock;

/// A table of options that is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagTable {
    /// `PrintFlagsInitial`: the defaults.
    Initial,
    /// `PrintFlagsFinal`: the values.
    Final,
    /// `PrintFlagsRanges`
    Ranges,
    /// `PrintCommandLineFlags`: options that are not at their default, on one line.
    CommandLine,
}

/// An option that was given.
#[derive(Clone, Debug)]
pub struct GivenOption {
    pub(super) name: &'static str,
    pub(super) value: String,
    /// Where, in HotSpot's words.
    pub(super) origin: &'static str,
}

/// What the `-XX:` options of a command line have come to so far.
#[derive(Clone, Debug, Default)]
pub struct OptionState {
    /// The options that were given, in their order.
    pub(super) values: Vec<GivenOption>,
    /// Warnings and faults, as lines of standard error.
    pub(super) output: String,
    /// Tables to be printed before the program runs.
    pub(super) tables: Vec<FlagTable>,
    /// `-XX:Flags`: the file.
    pub(super) settings: Option<String>,
    /// For standard output.
    pub(super) printed: String,
    /// A file of options has been read.
    pub(super) has_file: bool,
    /// The file that options come from.
    pub(super) in_file: Option<String>,
    /// The JDK that options or variables name.
    pub(super) java_home: Option<PathBuf>,
    /// The version of the JDK for the program: it is looked up at the first use.
    version: OnceLock<u32>,
}

impl OptionState {
    /// The version of the JDK whose options these are. Where none is found, which is an error later: the first one.
    pub fn version(&self) -> u32 {
        let find = || {
            let search = Search::usual(self.java_home.clone(), |n| std::env::var_os(n));
            search.find().map_or(SUPPORTED[0], |jdk| jdk.feature())
        };
        *self.version.get_or_init(find)
    }
    /// The options that HotSpot of that JDK has.
    pub(super) fn flags(&self) -> Flags {
        Flags::of(self.version())
    }
    /// Whether a switch is on.
    pub fn is_on(&self, name: &str) -> bool {
        match self.given(name) {
            Some(value) => value == "true",
            None => (self.flags().find(name)).is_some_and(|row| row.default == "true"),
        }
    }
    /// The value that an option was given last.
    pub fn given(&self, name: &str) -> Option<&str> {
        let given = self.values.iter().rev().find(|v| v.name == name);
        given.map(|v| &*v.value)
    }
    /// A warning, as HotSpot begins it with its name.
    pub fn warn(&mut self, text: &str) {
        if self.is_on("PrintWarnings") {
            self.output.push_str(&format!("{WARNING}{text}\n"));
        }
    }
    /// A line for standard error.
    pub fn say(&mut self, line: &str) {
        self.output.push_str(line);
        self.output.push('\n');
    }
    /// The messages before an error, and the error: without the end of its last line.
    pub fn before(&mut self, error: &str) -> String {
        let output = self.take_output() + error;
        output.trim_end_matches('\n').into()
    }
    /// The messages so far, for standard error.
    pub fn take_output(&mut self) -> String {
        std::mem::take(&mut self.output)
    }
    /// The text printed on standard output before the program runs.
    pub fn printed(&self) -> &str {
        &self.printed
    }
    /// A line for standard output.
    pub fn print(&mut self, line: &str) {
        self.printed.push_str(line);
        self.printed.push('\n');
    }
    /// The options of a file end.
    pub fn end_of_file(&mut self) {
        self.in_file = None;
    }
    /// The tables that are requested.
    pub fn tables(&self) -> &[FlagTable] {
        &self.tables
    }
}

/// The origins, in HotSpot's words.
pub const COMMAND_LINE: &str = "command line";
/// See there.
pub const ENVIRONMENT: &str = "environment";
/// See there.
pub const CONFIG_FILE: &str = "config file";
