//! The lines of `-verbose` and `-Xlog`: an observer that writes what HotSpot's unified logging writes.

use super::log_form::{Decorator, Log, Output};
use super::{Event, EventSet, EventView, Observer, ObserverId};
use crate::natives::Env;
use crate::vm::Vm;

struct Logger {
    log: Log,
    fd: i32,
}

impl Logger {
    fn line(&self, seen: &mut EventView<'_>, tags: &str, text: &str) {
        let mut line = String::new();
        for decorator in &self.log.decorators {
            let uptime = seen.uptime();
            line += &match decorator {
                Decorator::Uptime => format!("[{:.3}s]", uptime as f64 / 1e9),
                Decorator::UptimeMillis => format!("[{}ms]", uptime / 1_000_000),
                Decorator::UptimeNanos => format!("[{uptime}ns]"),
                // HotSpot makes columns of what has been as wide before; all levels and tags here are as wide
                Decorator::Level => "[info]".to_string(),
                Decorator::Tags => format!("[{tags}]"),
            };
        }
        if !line.is_empty() {
            line.push(' ');
        }
        seen.print(self.fd, &format!("{line}{text}\n"));
    }
}

impl Observer for Logger {
    fn events(&self) -> EventSet {
        match self.log.events.meets(EventSet::COLLECTIONS) {
            // the first line of a log of collections names the collector
            true => self.log.events | EventSet::VM,
            false => self.log.events,
        }
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        match event {
            // Tools that read such logs go by the collector's name: this one reports what HotSpot's serial collector
            // reports, in its words.
            Event::Started => self.line(seen, "gc", "Using Serial"),
            Event::ClassLoaded(c) => {
                let class = seen.class(c);
                let source = class.source.as_deref().unwrap_or("__JVM_DefineClass__");
                let text = format!("{} source: {source}", class.dotted());
                self.line(seen, "class,load", &text);
            }
            Event::ClassUnloaded(c) if !seen.class(c).is_array() => {
                let (name, at) = (seen.class(c).dotted(), u64::from(c.0) * 8);
                let text = format!("unloading class {name} {at:#018x}.");
                self.line(seen, "class,unload", &text);
            }
            Event::CollectionEnded(c) => {
                let m = |bytes: usize| bytes >> 20;
                let text = format!(
                    "GC({}) Pause {} ({}) {}M->{}M({}M) {:.3}ms",
                    c.number,
                    c.kind,
                    c.cause,
                    m(c.before),
                    m(c.after),
                    m(c.capacity),
                    c.pause as f64 / 1e6
                );
                self.line(seen, "gc", &text);
            }
            _ => {}
        }
    }
}

impl Vm {
    /// Begins to log. Says why if the file cannot be made.
    pub(crate) fn add_log(&mut self, log: Log) -> Result<(), String> {
        let fd = match &log.output {
            Output::Out => 1,
            Output::Err => 2,
            Output::File(path) => {
                let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC | libc::O_CLOEXEC;
                let files = self.host().files();
                files
                    .open(libc::AT_FDCWD, path.as_bytes(), flags, 0o666)
                    .map_err(|e| {
                        let why = std::io::Error::from_raw_os_error(e.0);
                        format!("cannot open the log file {path}: {why}")
                    })?
            }
        };
        let classes = log.events.meets(EventSet::CLASSES);
        let collections = log.events.meets(EventSet::COLLECTIONS);
        let more_tags = log.more_tags;
        let id = self.observe(Box::new(Logger { log, fd }));
        let verbose = &mut self.verbose;
        for (subject, logged) in [
            (&mut verbose.collections, collections),
            (&mut verbose.classes, classes),
        ] {
            match fd {
                _ if !logged => {}
                1 => subject.standard = Some(id),
                _ => subject.elsewhere = true,
            }
        }
        if classes && fd == 1 {
            verbose.classes_with_more_tags = more_tags;
        }
        Ok(())
    }
    /// The log on the standard output that is there from now on instead of `old`.
    fn switch_log(
        &mut self,
        old: Option<ObserverId>,
        what: EventSet,
        on: bool,
    ) -> Option<ObserverId> {
        match (on, old) {
            (true, None) => {
                let log = Log::new(what, Output::Out);
                Some(self.observe(Box::new(Logger { log, fd: 1 })))
            }
            (true, same) => same,
            (false, Some(id)) => {
                drop(self.remove_observer(id));
                None
            }
            (false, None) => None,
        }
    }
}

impl Env {
    /// Begins or ends the log of collections that `MemoryMXBean.setVerbose` asks for.
    pub fn set_verbose_gc(&mut self, on: bool) {
        let log = self.0.verbose.collections.standard.take();
        self.0.verbose.collections.standard = self.0.switch_log(log, EventSet::COLLECTIONS, on);
    }
    /// Switches the log of loaded classes on the standard output.
    pub fn set_verbose_class(&mut self, on: bool) {
        let log = self.0.verbose.classes.standard.take();
        self.0.verbose.classes.standard = self.0.switch_log(log, EventSet::CLASSES, on);
        self.0.verbose.classes_with_more_tags = on;
    }
    /// Whether collections are logged.
    pub fn verbose_gc(&self) -> bool {
        self.0.verbose.collections.logged()
    }
    /// Whether loaded classes are logged; since JDK 24, on the standard output with all tags.
    pub fn verbose_class(&self) -> bool {
        let verbose = &self.0.verbose;
        match self.feature() {
            ..24 => verbose.classes.logged(),
            _ => verbose.classes.standard.is_some() && verbose.classes_with_more_tags,
        }
    }
}
