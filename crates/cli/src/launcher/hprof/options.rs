//! The options of `-agentlib:hprof=…`, as JDK 8 has them.

use super::error::{HprofOption, HprofOptionError};
use rjvm_vm::Vm;

/// The kind of report on CPU usage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cpu {
    /// Nothing.
    Off,
    /// `samples`: stacks at intervals.
    Samples,
    /// `times`: each call.
    Times,
    /// `old`: each call, in the format of `java -prof`.
    Old,
}

/// The options.
#[derive(Clone, Debug)]
pub struct Options {
    /// `help`: the options are printed, and nothing runs.
    pub help: bool,
    /// `heap=dump` or `all`.
    pub dump: bool,
    /// `heap=sites` or `all`.
    pub sites: bool,
    /// `cpu`
    pub cpu: Cpu,
    /// `monitor=y`
    pub monitor: bool,
    /// `format=b`
    pub binary: bool,
    /// `file`
    pub file: Option<String>,
    /// `depth`: frames of a trace.
    pub depth: usize,
    /// `interval` in milliseconds.
    pub interval: u64,
    /// `cutoff`: parts of the whole below which nothing is listed.
    pub cutoff: f64,
    /// `lineno`
    pub lines: bool,
    /// `thread`
    pub threads: bool,
    /// `doe`: the gathered data is written at the end.
    pub at_exit: bool,
    /// `force`: a file that is there is written again.
    pub force: bool,
    /// `verbose`
    pub verbose: bool,
}

/// Bytecodes for a millisecond of `interval`.
pub const PER_MILLISECOND: u64 = 100_000;

impl Default for Options {
    fn default() -> Options {
        Options {
            help: false,
            dump: false,
            sites: false,
            cpu: Cpu::Off,
            monitor: false,
            binary: false,
            file: None,
            depth: 4,
            interval: 10,
            cutoff: 0.0001,
            lines: true,
            threads: false,
            at_exit: true,
            force: true,
            verbose: true,
        }
    }
}

/// What `help` prints.
pub const HELP: &str = "\
HPROF, the heap and CPU profiler of JDK 1.2 to 8, as rjvm has it: exact, and the same in each run.

usage: rjvm -agentlib:hprof[=help|OPTION=VALUE,...] or -Xrunhprof[:help|OPTION=VALUE,...]

option                 meaning                                         default
heap=dump|sites|all    the objects; what each stack has allocated      all, without other options
cpu=samples|times|old  stacks at intervals; each call; as java -prof   off
monitor=y|n            contended monitors                              n
format=a|b             text, or binary (1.0.2)                         a
file=FILE              the file to write                               java.hprof.txt, java.hprof for format=b
net=HOST:PORT          refused: write a file instead
depth=N                frames of a trace                               4
interval=MS            between samples, 100,000 bytecodes each ms      10
cutoff=X               the least share of the whole to list            0.0001
lineno=y|n             lines in traces                                 y
thread=y|n             threads in traces                               n
doe=y|n                write the data at the end                       y
force=y|n              overwrite an existing file                      y
verbose=y|n            report the written file on standard output      y
msa=y|n, gc_okay=y|n   accepted, without effect                        n

format=b is for heap and cpu=samples only.
";

impl Options {
    /// Reads `OPTION=VALUE,…`. The error is one line.
    pub fn parse(text: &str) -> Result<Options, HprofOptionError> {
        let mut o = Options::default();
        if text == "help" {
            o.help = true;
            return Ok(o);
        }
        let wrong = |problem| HprofOptionError {
            problem,
            text: text.into(),
        };
        let rule = |rule| Err(wrong(HprofOption::Rule(rule)));
        let mut to = false;
        for option in text.split(',').filter(|o| !o.is_empty()) {
            let Some((name, value)) = option.split_once('=') else {
                return rule("general syntax error parsing options");
            };
            if matches!(name, "file" | "net") && std::mem::replace(&mut to, true) {
                let twice = "file or net options should only appear once";
                return rule(twice);
            }
            if !o.switch(name, value).map_err(wrong)? {
                o.set(name, value).map_err(wrong)?;
            }
        }
        if !(o.dump || o.sites || o.monitor) && o.cpu == Cpu::Off {
            (o.dump, o.sites) = (true, true);
        }
        if o.binary && o.monitor {
            return rule("cannot use format=b and monitor=y");
        }
        if o.binary && matches!(o.cpu, Cpu::Times | Cpu::Old) {
            return rule("cannot use format=b and cpu=times|old");
        }
        Ok(o)
    }
    /// An option that is `y` or `n`; whether it is one.
    fn switch(&mut self, name: &str, value: &str) -> Result<bool, HprofOption> {
        let target = match name {
            "monitor" => Some(&mut self.monitor),
            "lineno" => Some(&mut self.lines),
            "thread" => Some(&mut self.threads),
            "doe" => Some(&mut self.at_exit),
            "force" => Some(&mut self.force),
            "verbose" => Some(&mut self.verbose),
            // accepted, and nothing comes of them
            "msa" | "gc_okay" => None,
            _ => return Ok(false),
        };
        let on = match value {
            "y" => true,
            "n" => false,
            _ => return Err(HprofOption::Switch(name.into())),
        };
        if let Some(target) = target {
            *target = on;
        }
        Ok(true)
    }
    /// Any other option.
    fn set(&mut self, name: &str, value: &str) -> Result<(), HprofOption> {
        let wrong = |rule| Err(HprofOption::Rule(rule));
        match (name, value) {
            ("file", "") => return wrong("syntax error parsing file=filename"),
            ("file", file) => self.file = Some(file.into()),
            ("net", _) => return wrong("net is not supported; write to a file with file=FILE"),
            ("heap", "dump") => self.dump = true,
            ("heap", "sites") => self.sites = true,
            ("heap", "all") => (self.dump, self.sites) = (true, true),
            ("heap", _) => return wrong("heap option value must be dump|sites|all"),
            ("cpu", "samples" | "y") => self.cpu = Cpu::Samples,
            ("cpu", "times") => self.cpu = Cpu::Times,
            ("cpu", "old") => self.cpu = Cpu::Old,
            ("cpu", _) => return wrong("cpu option value must be y|samples|times|old"),
            ("format", "a") => self.binary = false,
            ("format", "b") => self.binary = true,
            ("format", _) => return wrong("format option value must be a|b"),
            ("depth", n) => match n.parse::<u32>() {
                Ok(n) => self.depth = n as usize,
                Err(_) => return wrong("depth option value must be decimal and >= 0"),
            },
            ("interval", n) => match n.parse::<u32>() {
                Ok(n @ 1..) => self.interval = n.into(),
                _ => return wrong("interval option value must be decimal and > 0"),
            },
            ("cutoff", x) => match x.parse::<f64>() {
                Ok(x) if x >= 0.0 && x.is_finite() => self.cutoff = x,
                _ => return wrong("cutoff option value must be floating point and >= 0"),
            },
            _ => return Err(HprofOption::Unknown(name.into())),
        }
        Ok(())
    }
    /// Where it is written.
    pub fn path(&self, vm: &mut Vm) -> String {
        let path = match (&self.file, self.binary) {
            (Some(file), _) => file.clone(),
            (None, false) => "java.hprof.txt".to_string(),
            (None, true) => "java.hprof".to_string(),
        };
        if self.force || !std::path::Path::new(&path).exists() {
            return path;
        }
        // as the agent did it: the process's number before the suffix
        let pid = vm.rooms().host.processes().own_id();
        match path.strip_suffix(".txt") {
            Some(stem) => format!("{stem}.{pid}.txt"),
            None => format!("{path}.{pid}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_those_of_jdk_8() {
        let of = |text| Options::parse(text).expect(text);
        let all = of("");
        assert!(all.dump && all.sites && all.cpu == Cpu::Off && all.depth == 4);
        let o = of("cpu=samples,interval=20,depth=3,thread=y,file=x.txt,msa=y,doe=n,cutoff=0.5");
        assert!(!o.dump && !o.sites && o.cpu == Cpu::Samples && o.threads && !o.at_exit);
        assert_eq!((o.interval, o.depth, o.cutoff), (20, 3, 0.5));
        assert_eq!(o.file.as_deref(), Some("x.txt"));
        assert!(of("help").help);
        for (text, says) in [
            ("heap", "general syntax error"),
            ("heap=none", "heap option value must be dump|sites|all"),
            ("cpu=z", "cpu option value"),
            ("depth=-1", "depth option value"),
            ("interval=0", "interval option value"),
            ("cutoff=x", "cutoff option value"),
            ("lineno=1", "lineno option value must be y|n"),
            ("file=a,file=b", "should only appear once"),
            ("net=localhost:1", "net is not supported"),
            ("format=b,monitor=y", "format=b and monitor=y"),
            ("format=b,cpu=times", "format=b and cpu=times|old"),
            ("primes=y", "unknown option primes"),
        ] {
            let message = Options::parse(text).expect_err(text).to_string();
            assert!(
                message.contains(says) && message.contains(text),
                "{message}"
            );
        }
    }
}
