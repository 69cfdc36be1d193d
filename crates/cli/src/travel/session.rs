//! A session: commands with the words of gdb, and what they show.

use super::moves::{Move, Moves};
use super::origin::{self, OriginAsker};
use super::seen::Assignment;
use super::timeline::{Arrival, Timeline, TravelError};
use super::wire::{DebugStop, NumberedStop, StopFilter, View};
use crate::invalid::InvalidValue;
use rjvm_profiler::summary::grouped;
use std::io::{self, BufRead, Write};

/// Reads a place: `Class.method`, `Class.method:line`, `Class:line`, `Class.method@index`. If it is none, the expected forms.
pub type ReadPlace = fn(&str) -> Result<DebugStop, InvalidValue>;

/// What a session shows of its commands.
pub const HELP: &str = "\
Stops
  break PLACE (b)           stop at a place: Class.method, Class.method:line, Class:line, Class.method@index
  watch Class.field         stop before a field is written
  catch CLASS               stop where an exception of this class, or a class below it, is thrown
  delete [N]                remove stop N, or all stops
  info break                list the stops
Forward
  continue (c), run (r)     run to the next stop
  step (s), next (n)        run to the next line; next does not enter calls
  finish                    run to the end of this call
  stepi (si)                execute one bytecode of any thread
Backward
  reverse-continue (rc)     go back to the last stop before here
  reverse-step (rs), reverse-next (rn)
                            go back to where a line began; reverse-next does not enter calls
  reverse-finish            go back to the call of this method
  reverse-stepi (rsi)       go back by one bytecode
  goto N                    go to the position at which N bytecodes have been executed
Look
  where (bt)                the frames of the thread that runs next
  info locals               the locals of its top frame
  print EXPR (p)            an expression of Java; calls run in a copy, and the program does not change
  set TARGET = EXPR         change a local, field or element: a separate run begins here; go back to leave it
  list (l)                  the source lines around this one
  threads                   all threads
  state                     all threads with frames, locals and operands, as --stop-at shows them
  origin EXPR               go to the last write of this value, and show it. $0 is the top operand
  origin, origin #N         the same for the source of that value, or for its operand N
  origin -n K [EXPR]        a chain of K questions; --json for programs
  calls FROM..TO            the calls between two positions, and what each returned; --library for those of the class library
  info checkpoints          the positions of the checkpoints, and their memory
quit (q)
";

/// A session with one program.
pub struct DebugSession {
    timeline: Timeline,
    stops: Vec<NumberedStop>,
    next_number: u32,
    read_place: ReadPlace,
    /// The thread of `main`.
    main: Option<u32>,
    origin: OriginAsker,
}

/// What becomes of a session after a command.
enum Next {
    GoOn,
    Quit,
}

impl DebugSession {
    /// A session with a program at the beginning of `main`.
    pub fn new(timeline: Timeline, read_place: ReadPlace) -> DebugSession {
        DebugSession {
            timeline,
            stops: Vec::new(),
            next_number: 1,
            read_place,
            main: None,
            origin: OriginAsker::default(),
        }
    }
    /// Reads commands to their end. `at`: the position to begin at. `prompts`: somebody types.
    ///
    /// # Errors
    /// The session cannot go on.
    pub fn run(&mut self, at: Option<i64>, prompts: bool) -> Result<(), TravelError> {
        let place = self.timeline.place();
        let main = self.report(place)?.and_then(|place| place.thread);
        self.main = main.map(|t| t.id);
        let began = match at {
            Some(at) => self.timeline.go_to(at).and_then(|()| self.show_place()),
            None => self.show_place(),
        };
        self.report(began)?;
        let mut last = String::new();
        for line in (CommandLines { prompts }) {
            let line = line?;
            // as in gdb, an empty line repeats the last one; in a script it is only empty
            let command = match line.trim() {
                "" if prompts => last.clone(),
                text => text.to_owned(),
            };
            last.clone_from(&command);
            if command.is_empty() || command.starts_with('#') {
                continue;
            }
            if !prompts {
                println!("(rjvm) {command}");
            }
            let done = self.command(&command);
            if let Next::Quit = self.report(done)?.unwrap_or(Next::GoOn) {
                break;
            }
        }
        Ok(())
    }
    /// Shows what could not be done.
    fn report<T>(&mut self, done: Result<T, TravelError>) -> Result<Option<T>, TravelError> {
        match done {
            Ok(done) => Ok(Some(done)),
            Err(e @ (TravelError::Refused(_) | TravelError::Interrupted)) => {
                println!("{e}");
                Ok(None)
            }
            Err(TravelError::Diverged { text, .. }) => {
                println!("{text}");
                let place = self.show_place();
                self.report(place)?;
                Ok(None)
            }
            Err(e @ TravelError::Broken(_)) => Err(e),
        }
    }
    fn command(&mut self, text: &str) -> Result<Next, TravelError> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match (word, rest) {
            ("break" | "b", place) => {
                let at =
                    (self.read_place)(place).map_err(|e| TravelError::Refused(e.to_string()))?;
                self.add("break", place, at);
            }
            ("watch", field) if is_member(field) => {
                self.add("watch", field, DebugStop::Write(field.into()))
            }
            ("watch", _) => return refused("watch: expected Class.field"),
            ("catch", class) if is_name(class) => {
                self.add("catch", class, DebugStop::Throw(class.into()))
            }
            ("catch", _) => return refused("catch: expected the name of a class of exceptions"),
            ("delete" | "d", which) => self.delete(which)?,
            ("info", "break" | "breakpoints" | "b") => self.list_stops(),
            ("info", "checkpoints") => {
                let all = self.timeline.checkpoints();
                for (position, bytes) in all {
                    println!("{:>18}  {:>6} MiB", grouped(position as u64), bytes >> 20);
                }
            }
            ("info", "locals") => self.view(View::Locals)?,
            ("info", "threads") | ("threads", "") => self.view(View::Threads)?,
            ("continue" | "c" | "run" | "r", "") => self.travel(Move::Continue, true)?,
            ("reverse-continue" | "rc", "") => self.travel(Move::Continue, false)?,
            ("step" | "s", "") => self.travel(Move::Into, true)?,
            ("reverse-step" | "rs", "") => self.travel(Move::Into, false)?,
            ("next" | "n", "") => self.travel(Move::Over, true)?,
            ("reverse-next" | "rn", "") => self.travel(Move::Over, false)?,
            ("finish", "") => self.travel(Move::Out, true)?,
            ("reverse-finish", "") => self.travel(Move::Out, false)?,
            ("stepi" | "si", "") => self.travel(Move::Bytecode, true)?,
            ("reverse-stepi" | "rsi", "") => self.travel(Move::Bytecode, false)?,
            ("goto", n) => {
                let plain: String = n.chars().filter(|c| !matches!(c, ',' | '_')).collect();
                let Ok(n) = plain.parse::<i64>() else {
                    return refused("goto: expected a number of bytecodes");
                };
                self.timeline.go_to(n)?;
                self.show_place()?;
            }
            ("where" | "bt" | "backtrace", "") => self.view(View::Frames)?,
            ("print" | "p", expression) if !expression.is_empty() => {
                let text = self.timeline.print(expression)?;
                print!("{text}");
            }
            ("set", assignment) => self.set(assignment)?,
            ("print" | "p", _) => return refused("print: expected an expression"),
            ("origin", what) => print!("{}", self.origin.command(&mut self.timeline, what)?),
            ("calls", range) => print!("{}", origin::calls(&mut self.timeline, range)?),
            ("list" | "l", "") => self.view(View::List)?,
            ("state", "") => self.view(View::State)?,
            ("help" | "h", _) => print!("{HELP}"),
            ("quit" | "q" | "exit", "") => return Ok(Next::Quit),
            _ => return refused(&format!("{text}: no such command; help lists them")),
        }
        Ok(Next::GoOn)
    }
    fn add(&mut self, kind: &str, text: &str, at: DebugStop) {
        let number = self.next_number;
        self.next_number += 1;
        let text = format!("{kind} {text}");
        println!("{number}: {text}");
        let only = StopFilter::default();
        self.stops.push(NumberedStop {
            number,
            text,
            at,
            only,
        });
    }
    fn delete(&mut self, which: &str) -> Result<(), TravelError> {
        if which.is_empty() {
            self.stops.clear();
            return Ok(());
        }
        let number = which.parse::<u32>().ok();
        let known = self.stops.iter().position(|s| Some(s.number) == number);
        let none = || TravelError::Refused(format!("delete: there is no stop {which}"));
        self.stops.remove(known.ok_or_else(none)?);
        Ok(())
    }
    fn list_stops(&self) {
        if self.stops.is_empty() {
            println!("no stops");
        }
        for stop in &self.stops {
            println!("{}: {}", stop.number, stop.text);
        }
    }
    fn view(&mut self, view: View) -> Result<(), TravelError> {
        let text = self.timeline.view(view)?;
        print!("{text}");
        Ok(())
    }
    /// `set TARGET = EXPR`, also as gdb has it: `set var`.
    fn set(&mut self, text: &str) -> Result<(), TravelError> {
        let text = text.strip_prefix("var ").unwrap_or(text);
        let is_assignment = |&(i, c): &(usize, char)| {
            let before = text[..i].chars().next_back();
            c == '='
                && !text[i + 1..].starts_with('=')
                && !matches!(before, Some('=' | '!' | '<' | '>'))
        };
        let at = text.char_indices().find(is_assignment).map(|found| found.0);
        let Some(at) = at else {
            return refused("set: expected a local, field or element, =, and an expression");
        };
        self.timeline.assign(Assignment {
            frame: None,
            target: text[..at].trim().into(),
            value: text[at + 1..].trim().into(),
        })?;
        println!("another run begins here: to leave it, go back to before this position");
        self.show_place()
    }
    /// Where the program is.
    fn show_place(&mut self) -> Result<(), TravelError> {
        if let Some(end) = self.timeline.end() {
            println!(
                "{}  the program has ended with exit code {}",
                grouped(end.position as u64),
                end.code
            );
            return Ok(());
        }
        let place = self.timeline.place()?;
        let position = grouped(place.position as u64);
        match &place.thread {
            Some(t) => {
                println!("{position}  \"{}\"  {}", t.name, t.at);
                if let Some((line, text)) = &t.source {
                    println!("{line:<5} {text}");
                }
            }
            None => println!("{position}  no thread runs next"),
        }
        Ok(())
    }
    fn arrived(&mut self, arrival: &Arrival, forward: bool) -> Result<(), TravelError> {
        match arrival {
            Arrival::Hit(hit) => {
                for stop in self.stops.iter().filter(|s| hit.stops.contains(&s.number)) {
                    println!("{}: {}", stop.number, stop.text);
                }
            }
            Arrival::Place => {}
            Arrival::Edge if forward => {}
            Arrival::Edge if self.timeline.branch_depth() > 0 => {
                println!("the value was changed here: going back once more leaves this run");
            }
            Arrival::Edge => println!("the beginning of main: nothing before it is recorded"),
        }
        self.show_place()
    }
    fn travel(&mut self, how: Move, forward: bool) -> Result<(), TravelError> {
        let moves = Moves {
            timeline: &mut self.timeline,
            stops: &self.stops,
            main: self.main,
            thread: None,
        };
        let arrival = moves.go(how, forward)?;
        self.arrived(&arrival, forward)
    }
}

fn refused<T>(why: &str) -> Result<T, TravelError> {
    Err(TravelError::Refused(why.into()))
}

/// `package.Class`
pub fn is_name(text: &str) -> bool {
    let word = |w: &str| {
        !w.is_empty() && !w.contains(|c: char| c.is_whitespace() || "()[]:;@#/".contains(c))
    };
    text.split('.').all(word)
}

/// `package.Class.member`
fn is_member(text: &str) -> bool {
    is_name(text) && text.contains('.')
}

/// The lines of standard input, each after a prompt if somebody types.
struct CommandLines {
    prompts: bool,
}

impl Iterator for CommandLines {
    type Item = io::Result<String>;
    fn next(&mut self) -> Option<io::Result<String>> {
        if self.prompts {
            print!("(rjvm) ");
            let _ = io::stdout().flush();
        }
        let mut line = String::new();
        match io::stdin().lock().read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => Some(Ok(line)),
            Err(e) => Some(Err(e)),
        }
    }
}
