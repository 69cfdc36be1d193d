//! What the process of one schedule tells the one that started it: plain data, as bytes. Both are the same program.

use super::controller::{Key, TraceStep};
use rjvm_explore::ThreadNo;
use rjvm_explore::result::{RaceFound, Waiting};
use rjvm_explore::schedule::{Action, Line};

/// How a schedule ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// All threads have come to their end.
    #[default]
    Well,
    /// An exception came out of a thread.
    Exception {
        /// The thread's name.
        thread: String,
        /// Class and message.
        what: String,
        /// As `Throwable.printStackTrace` prints it.
        trace: String,
    },
    /// Threads wait for each other in a circle.
    Deadlock(String),
    /// All threads wait, and not in a circle: a notification or permit came too early, or never.
    Stuck(String),
    /// It was not over after so many bytecodes.
    Endless(u64),
    /// `System.exit` or `Runtime.halt` with a code other than 0.
    Exit(i32),
    /// The VM itself has failed, or the process died.
    Fault(String),
    /// Its output is not the first schedule's: that, and its own.
    Output(String, String),
}

/// What is known of a schedule when it is over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// How it ended.
    pub ending: Ending,
    /// Choices that were not the default.
    pub lines: Vec<Line>,
    /// Their places in their threads.
    pub keys: Vec<Key>,
    /// Bytecodes executed since `main` began.
    pub bytecodes: u64,
    /// Choices between several threads.
    pub choices: u64,
    /// Threads other than the class library's.
    pub threads: u32,
    /// Places of the code that others could notice.
    pub sites: Vec<u64>,
    /// A hash of who did what in which order.
    pub path: u64,
    /// The replay did not find what its schedule says.
    pub parted: Option<String>,
    /// The operations, if they were asked for.
    pub trace: Vec<TraceStep>,
    /// Data races, if they were looked for.
    pub races: Vec<RaceFound>,
    /// The threads that wait, if that is how it ended.
    pub waiting: Vec<Waiting>,
    /// The threads' names, by number.
    pub names: Vec<(u32, String)>,
    /// Methods of the class library that it has translated, if that was asked for.
    pub methods: Vec<[String; 3]>,
}

/// Writes plain data.
#[derive(Default)]
pub struct Writer(pub Vec<u8>);

impl Writer {
    pub fn number(&mut self, n: u64) {
        self.0.extend(n.to_le_bytes());
    }
    pub fn text(&mut self, s: &str) {
        self.number(s.len() as u64);
        self.0.extend(s.as_bytes());
    }
    pub fn list<T>(&mut self, items: &[T], mut f: impl FnMut(&mut Writer, &T)) {
        self.number(items.len() as u64);
        for item in items {
            f(self, item);
        }
    }
}

/// Reads what a [`Writer`] wrote; `None`: it is cut off.
pub struct Reader<'a>(pub &'a [u8]);

impl Reader<'_> {
    pub fn number(&mut self) -> Option<u64> {
        let (n, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*n))
    }
    pub fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }
    pub fn text(&mut self) -> Option<String> {
        let n = usize::try_from(self.number()?).ok()?;
        let (s, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(String::from_utf8_lossy(s).into_owned())
    }
    pub fn list<T>(&mut self, mut f: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let n = self.number()?;
        (0..n).map(|_| f(self)).collect()
    }
}

impl Told {
    /// The choices that were not the default, by their places in their threads.
    pub fn decisions(&self) -> Vec<(Key, Action)> {
        let actions = self.lines.iter().map(|l| l.action);
        self.keys.iter().copied().zip(actions).collect()
    }
    /// As bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut w = Writer::default();
        let (kind, texts): (u64, [&str; 3]) = match &self.ending {
            Ending::Well => (0, [""; 3]),
            Ending::Exception {
                thread,
                what,
                trace,
            } => (1, [thread, what, trace]),
            Ending::Deadlock(s) => (2, [s, "", ""]),
            Ending::Stuck(s) => (3, [s, "", ""]),
            Ending::Endless(n) => (4, [&n.to_string(), "", ""]),
            Ending::Exit(code) => (5, [&code.to_string(), "", ""]),
            Ending::Fault(s) => (6, [s, "", ""]),
            Ending::Output(first, own) => (7, [first, own, ""]),
        };
        w.number(kind);
        texts.iter().for_each(|t| w.text(t));
        w.list(&self.lines, |w, l| {
            w.number(l.at);
            w.number(l.nth.into());
            let (kind, n) = match l.action {
                Action::Run(t) => (0, t.0),
                Action::Read(k) => (1, k),
                Action::Timeout(t) => (2, t.0),
                Action::Notify(k) => (3, k),
            };
            w.number(kind);
            w.number(n.into());
        });
        w.list(&self.keys, |w, k| {
            w.number(k.0.into());
            w.number(k.1);
            w.number(k.2.into());
        });
        w.number(self.bytecodes);
        w.number(self.choices);
        w.number(self.threads.into());
        w.list(&self.sites, |w, &s| w.number(s));
        w.number(self.path);
        w.text(self.parted.as_deref().unwrap_or_default());
        w.list(&self.trace, |w, s| s.write(w));
        w.text(&serde_json::to_string(&self.races).unwrap_or_default());
        w.text(&serde_json::to_string(&self.waiting).unwrap_or_default());
        w.list(&self.names, |w, (n, s)| {
            w.number((*n).into());
            w.text(s);
        });
        w.list(&self.methods, |w, m| m.iter().for_each(|t| w.text(t)));
        w.0
    }
    /// From bytes.
    pub fn read(bytes: &[u8]) -> Option<Told> {
        let mut r = Reader(bytes);
        let kind = r.number()?;
        let [a, thread_what, trace] = [r.text()?, r.text()?, r.text()?];
        let ending = match kind {
            0 => Ending::Well,
            1 => Ending::Exception {
                thread: a,
                what: thread_what,
                trace,
            },
            2 => Ending::Deadlock(a),
            3 => Ending::Stuck(a),
            4 => Ending::Endless(a.parse().ok()?),
            5 => Ending::Exit(a.parse().ok()?),
            6 => Ending::Fault(a),
            7 => Ending::Output(a, thread_what),
            _ => return None,
        };
        Some(Told {
            ending,
            lines: r.list(|r| {
                let (at, nth) = (r.number()?, r.small()?);
                let action = match (r.number()?, r.small()?) {
                    (0, t) => Action::Run(ThreadNo(t)),
                    (1, k) => Action::Read(k),
                    (2, t) => Action::Timeout(ThreadNo(t)),
                    (3, k) => Action::Notify(k),
                    _ => return None,
                };
                Some(Line { at, nth, action })
            })?,
            keys: r.list(|r| Some((r.small()?, r.number()?, r.small()?)))?,
            bytecodes: r.number()?,
            choices: r.number()?,
            threads: r.small()?,
            sites: r.list(Reader::number)?,
            path: r.number()?,
            parted: Some(r.text()?).filter(|t| !t.is_empty()),
            trace: r.list(TraceStep::read)?,
            races: serde_json::from_str(&r.text()?).ok()?,
            waiting: serde_json::from_str(&r.text()?).ok()?,
            names: r.list(|r| Some((r.small()?, r.text()?)))?,
            methods: r.list(|r| Some([r.text()?, r.text()?, r.text()?]))?,
        })
    }
}

impl Ending {
    /// In one line, without what differs between two schedules that fail in the same way.
    pub fn line(&self) -> String {
        match self {
            Ending::Well => "no failure".into(),
            Ending::Exception { thread, what, .. } => {
                let first = what.lines().next().unwrap_or_default();
                format!("{first} in thread \"{thread}\"")
            }
            Ending::Deadlock(_) => "deadlock: threads wait for each other in a circle".into(),
            Ending::Stuck(_) => {
                "all threads wait for ever: a wake-up was lost or never came".into()
            }
            Ending::Endless(n) => {
                format!("not over after {n} bytecodes (see --max-bytecodes)")
            }
            Ending::Exit(code) => format!("exit code {code}"),
            Ending::Fault(what) => what.lines().next().unwrap_or_default().into(),
            Ending::Output(..) => "other output than the first schedule's".into(),
        }
    }
    /// What two failures of the same kind have in common.
    pub fn kind(&self) -> String {
        match self {
            Ending::Exception { what, trace, .. } => {
                let class = what.split(':').next().unwrap_or_default();
                let frame = trace.lines().find(|l| l.trim_start().starts_with("at "));
                format!("{class} {}", frame.unwrap_or_default().trim())
            }
            other => other.line(),
        }
    }
    /// Whether it is a failure.
    pub fn fails(&self) -> bool {
        *self != Ending::Well
    }
}
