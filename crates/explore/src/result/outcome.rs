//! How a schedule ended.

use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// A thread of the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Thread {
    /// Its ordinal in the order of creation.
    pub number: u32,
    /// Its name.
    pub name: String,
}

impl fmt::Display for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" (thread {})", self.name, self.number)
    }
}

/// A thread that waits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Waiting {
    /// Who.
    pub thread: Thread,
    /// For what, as a clause: `to enter the monitor of a Queue (#3)`.
    pub what: String,
    /// The holder.
    pub held_by: Option<u32>,
    /// Where, the innermost frame first, each as in a stack trace.
    pub stack: Vec<String>,
}

/// How a schedule ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Outcome {
    /// As it should.
    #[default]
    Ok,
    /// An exception that a thread did not catch.
    Exception {
        /// The thread.
        thread: Thread,
        /// The exception's class.
        class: String,
        /// Its message.
        message: Option<String>,
        /// Its stack trace, the innermost frame first.
        stack: Vec<String>,
    },
    /// Threads wait for one another.
    Deadlock {
        /// Each waits for what the next has, the last for what the first has.
        cycle: Vec<Waiting>,
    },
    /// All threads that are left wait forever: a thread was not woken.
    Stuck {
        /// Those threads.
        waiting: Vec<Waiting>,
    },
    /// More bytecodes than a schedule may have.
    Livelock {
        /// How many it had.
        bytecodes: u64,
        /// Where the threads were that could continue.
        running: Vec<Waiting>,
    },
    /// The program ended itself with a code other than the expected one.
    Exit {
        /// The code.
        code: i32,
    },
    /// The program wrote something else than in another schedule.
    Output {
        /// The first schedule that wrote something else.
        other: u64,
        /// What the other wrote, as far as it is kept.
        expected: String,
        /// What this one wrote.
        got: String,
    },
    /// A check of the user's found a fault.
    Oracle {
        /// What it says.
        message: String,
    },
    /// The virtual machine itself failed.
    Died {
        /// The known reason.
        message: String,
    },
}

impl Outcome {
    /// Whether it is a fault of the program.
    pub fn is_failure(&self) -> bool {
        *self != Outcome::Ok
    }

    /// Changes the stacks of all threads that are reported.
    pub fn each_stack(&mut self, mut f: impl FnMut(&mut Vec<String>)) {
        match self {
            Outcome::Exception { stack, .. } => f(stack),
            Outcome::Deadlock { cycle: all }
            | Outcome::Stuck { waiting: all }
            | Outcome::Livelock { running: all, .. } => {
                all.iter_mut().for_each(|w| f(&mut w.stack));
            }
            _ => {}
        }
    }

    /// In one line.
    pub fn headline(&self) -> String {
        match self {
            Outcome::Ok => "ok".into(),
            Outcome::Exception {
                thread,
                class,
                message,
                ..
            } => {
                let message = message.as_ref().map(|m| format!(": {}", one_line(m)));
                format!("{class}{} in {thread}", message.unwrap_or_default())
            }
            Outcome::Deadlock { cycle } => {
                format!("deadlock of {}", names(cycle))
            }
            Outcome::Stuck { waiting } => match waiting.len() {
                1 => format!("{} waits forever", names(waiting)),
                _ => format!("{} wait forever", names(waiting)),
            },
            Outcome::Livelock { bytecodes, .. } => {
                format!("no end after {bytecodes} bytecodes")
            }
            Outcome::Exit { code } => format!("exit with code {code}"),
            Outcome::Output { other, .. } => {
                format!("output differs from the output of schedule {other}")
            }
            Outcome::Oracle { message } => format!("oracle: {}", one_line(message)),
            Outcome::Died { message } => {
                format!("the virtual machine failed: {}", one_line(message))
            }
        }
    }

    /// What makes two failures the same: the fault and where it is, not who had it and with which values.
    pub fn signature(&self) -> String {
        let places = |waiting: &[Waiting]| {
            let mut places: Vec<&str> = waiting.iter().map(place).collect();
            places.sort_unstable();
            places.join(", ")
        };
        match self {
            Outcome::Ok => "ok".into(),
            Outcome::Exception { class, stack, .. } => {
                let at = stack.first().map(|s| format!(" at {s}"));
                format!("exception {class}{}", at.unwrap_or_default())
            }
            Outcome::Deadlock { cycle } => format!("deadlock at {}", places(cycle)),
            Outcome::Stuck { waiting } => format!("stuck at {}", places(waiting)),
            Outcome::Livelock { running, .. } => format!("livelock of {} threads", running.len()),
            Outcome::Exit { code } => format!("exit {code}"),
            Outcome::Output { .. } => "output".into(),
            Outcome::Oracle { message } => format!("oracle {}", one_line(message)),
            Outcome::Died { .. } => "died".into(),
        }
    }

    /// All that is known, in lines.
    pub fn text(&self) -> String {
        let mut text = self.headline() + "\n";
        match self {
            Outcome::Exception { stack, .. } => frames(&mut text, stack),
            Outcome::Deadlock { cycle } => waits(&mut text, cycle),
            Outcome::Stuck { waiting } => waits(&mut text, waiting),
            Outcome::Livelock { running, .. } => {
                for thread in running {
                    let _ = writeln!(text, "{} runs", thread.thread);
                    frames(&mut text, &thread.stack);
                }
            }
            Outcome::Output { expected, got, .. } => {
                let _ = writeln!(text, "--- expected\n{}", expected.trim_end());
                let _ = writeln!(text, "--- got\n{}", got.trim_end());
            }
            _ => {}
        }
        text
    }
}

/// Where a thread waits: the innermost frame outside the class library's own waiting.
fn place(waiting: &Waiting) -> &str {
    let library = |f: &&String| !f.starts_with("java.") && !f.starts_with("jdk.internal.");
    let own = waiting.stack.iter().find(library);
    own.or(waiting.stack.first()).map_or("", |f| f)
}

fn names(waiting: &[Waiting]) -> String {
    let names: Vec<String> = waiting.iter().map(|w| w.thread.to_string()).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.join(""),
    }
}

fn waits(text: &mut String, waiting: &[Waiting]) {
    for w in waiting {
        let holder = w.held_by.map(|t| format!(", which thread {t} holds"));
        let _ = writeln!(
            text,
            "{} waits {}{}",
            w.thread,
            w.what,
            holder.unwrap_or_default()
        );
        frames(text, &w.stack);
    }
}

fn frames(text: &mut String, stack: &[String]) {
    for frame in stack {
        let _ = writeln!(text, "    at {frame}");
    }
}

fn one_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}
