//! A session: commands with the words of gdb, and what they show.

use super::expressions;
use super::moves::{Move, Moves};
use super::origin::{self, OriginAsker};
use super::seen::{Assignment, FrameAt};
use super::terminal::{CommandLines, Paint};
use super::timeline::{Arrival, Timeline, TravelError};
use super::wire::{ArrivalRule, DebugStop, NumberedStop, StopFilter, View};
use crate::invalid::InvalidValue;
use rjvm_profiler::summary::grouped;
use std::cell::RefCell;
use std::rc::Rc;

/// Reads a place: `Class.method`, `Class.method:line`, `Class:line`, `Class.method@index`. If it is none, the expected forms.
pub type ReadPlace = fn(&str) -> Result<DebugStop, InvalidValue>;

/// What a session shows of its commands.
pub const HELP: &str = "\
Stops
  break PLACE (b)           stop at a place: Class.method, Class.method:line, Class:line, Class.method@index
  break PLACE if EXPR       stop there only if the expression is true; it cannot call methods
  watch Class.field         stop before a field is written
  catch CLASS               stop where an exception of this class, or a class below it, is thrown
  condition N [EXPR]        stop at N only if the expression is true; without one, always
  ignore N COUNT            pass the first COUNT arrivals at stop N
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
  frame N, up, down         select a frame: print, set, list and info locals are about it until the program moves
  info locals               the locals of the frame
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
Session
  help (h), quit (q)
";

/// A session with one program.
pub struct DebugSession {
    timeline: Rc<RefCell<Timeline>>,
    stops: Vec<NumberedStop>,
    next_number: u32,
    /// The frame that is selected; 0 is the top one.
    frame: usize,
    paint: Paint,
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
            timeline: Rc::new(RefCell::new(timeline)),
            stops: Vec::new(),
            next_number: 1,
            frame: 0,
            paint: Paint::default(),
            read_place,
            main: None,
            origin: OriginAsker::default(),
        }
    }
    /// Reads commands to their end. `at`: the position to begin at. `prompts`: a person types.
    ///
    /// # Errors
    /// The session cannot continue.
    pub fn run(&mut self, at: Option<i64>, prompts: bool) -> Result<(), TravelError> {
        let mut lines = CommandLines::new(prompts, &self.timeline)?;
        self.paint = Paint::of_output();
        let place = self.timeline.borrow_mut().place();
        let main = self.report(place)?.and_then(|place| place.thread);
        self.main = main.map(|t| t.id);
        let began = match at {
            Some(at) => self.go_to(at),
            None => self.show_place(),
        };
        self.report(began)?;
        let mut last = String::new();
        while let Some(line) = lines.next(self.frame)? {
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
            Err(e @ TravelError::Refused(_)) => {
                println!("{e}");
                Ok(None)
            }
            Err(e @ TravelError::Interrupted) => {
                println!("{e}");
                let place = self.show_place();
                self.report(place)?;
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
                let (place, condition) = match place.split_once(" if") {
                    Some((place, condition)) => (place.trim_end(), Some(condition.trim())),
                    None => (place, None),
                };
                let at =
                    (self.read_place)(place).map_err(|e| TravelError::Refused(e.to_string()))?;
                condition.map_or(Ok(()), check)?;
                self.add("break", place, at, condition);
            }
            ("condition", rest) => self.condition(rest)?,
            ("ignore", rest) => self.ignore(rest)?,
            ("frame" | "f", number) => {
                let number = match number {
                    "" => self.frame,
                    n => n
                        .parse()
                        .map_err(|_| expected("frame: expected a number"))?,
                };
                self.select(number)?;
            }
            ("up", "") => self.select(self.frame + 1)?,
            ("down", "") => match self.frame.checked_sub(1) {
                Some(number) => self.select(number)?,
                None => return refused("this is the top frame"),
            },
            ("watch", field) if is_member(field) => {
                self.add("watch", field, DebugStop::Write(field.into()), None)
            }
            ("watch", _) => return refused("watch: expected Class.field"),
            ("catch", class) if is_name(class) => {
                self.add("catch", class, DebugStop::Throw(class.into()), None)
            }
            ("catch", _) => return refused("catch: expected the name of a class of exceptions"),
            ("delete" | "d", which) => self.delete(which)?,
            ("info", "break" | "breakpoints" | "b") => self.list_stops(),
            ("info", "checkpoints") => {
                let all = self.timeline.borrow().checkpoints();
                for (position, bytes) in all {
                    println!("{:>18}  {:>6} MiB", grouped(position as u64), bytes >> 20);
                }
            }
            ("info", "locals") => self.view(View::Locals(self.frame))?,
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
                self.go_to(n)?;
            }
            ("where" | "bt" | "backtrace", "") => self.view(View::Frames)?,
            ("print" | "p", expression) if !expression.is_empty() => {
                let text = self.timeline.borrow_mut().print(expression, self.frame)?;
                print!("{text}");
            }
            ("set", assignment) => self.set(assignment)?,
            ("print" | "p", _) => return refused("print: expected an expression"),
            ("origin", what) => {
                let timeline = &mut self.timeline.borrow_mut();
                print!("{}", self.origin.command(timeline, what)?);
            }
            ("calls", range) => {
                print!("{}", origin::calls(&mut self.timeline.borrow_mut(), range)?);
            }
            ("list" | "l", "") => self.view(View::List(self.frame))?,
            ("state", "") => self.view(View::State)?,
            ("help" | "h", _) => print!("{HELP}"),
            ("quit" | "q" | "exit", "") => return Ok(Next::Quit),
            _ => return refused(&format!("{text}: no such command; help lists them")),
        }
        Ok(Next::GoOn)
    }
    fn add(&mut self, kind: &str, text: &str, at: DebugStop, condition: Option<&str>) {
        let number = self.next_number;
        self.next_number += 1;
        let text = format!("{kind} {text}");
        let only = StopFilter {
            condition: condition.map(str::to_owned),
            ..StopFilter::default()
        };
        println!("{number}: {text}{}", rules(&only));
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
        let number = self.stop("delete", which)?.number;
        self.stops.retain(|s| s.number != number);
        Ok(())
    }
    fn stop(&mut self, command: &str, which: &str) -> Result<&mut NumberedStop, TravelError> {
        let number = which.parse::<u32>().ok();
        let found = self.stops.iter_mut().find(|s| Some(s.number) == number);
        found.ok_or_else(|| expected(&format!("{command}: there is no stop {which}")))
    }
    /// `condition N [EXPR]`
    fn condition(&mut self, rest: &str) -> Result<(), TravelError> {
        let (which, text) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let condition = Some(text.trim()).filter(|t| !t.is_empty());
        condition.map_or(Ok(()), check)?;
        let stop = self.stop("condition", which)?;
        stop.only.condition = condition.map(str::to_owned);
        println!("{}: {}{}", stop.number, stop.text, rules(&stop.only));
        Ok(())
    }
    /// `ignore N COUNT`
    fn ignore(&mut self, rest: &str) -> Result<(), TravelError> {
        let (which, count) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let count = count.trim().parse::<u64>();
        let count =
            count.map_err(|_| expected("ignore: expected the number of a stop, and a count"))?;
        let stop = self.stop("ignore", which)?;
        stop.only.number = (count > 0).then_some(ArrivalRule::After(count));
        println!("{}: {}{}", stop.number, stop.text, rules(&stop.only));
        Ok(())
    }
    fn select(&mut self, number: usize) -> Result<(), TravelError> {
        self.view(View::Frame(number))?;
        self.frame = number;
        Ok(())
    }
    fn go_to(&mut self, position: i64) -> Result<(), TravelError> {
        let went = self.timeline.borrow_mut().go_to(position);
        went.and_then(|()| self.show_place())
    }
    fn list_stops(&self) {
        if self.stops.is_empty() {
            println!("no stops");
        }
        for stop in &self.stops {
            println!("{}: {}{}", stop.number, stop.text, rules(&stop.only));
        }
    }
    fn view(&mut self, view: View) -> Result<(), TravelError> {
        let text = self.timeline.borrow_mut().view(view)?;
        print!("{}", self.paint.text(&text));
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
        let frame = match self.frame {
            0 => None,
            frame => {
                let place = self.timeline.borrow_mut().place()?;
                let thread = place.thread.map(|t| t.id);
                thread.map(|thread| FrameAt { thread, frame })
            }
        };
        self.timeline.borrow_mut().assign(Assignment {
            frame,
            target: text[..at].trim().into(),
            value: text[at + 1..].trim().into(),
        })?;
        println!("another run begins here: to leave it, go back to before this position");
        self.show_place()
    }
    /// Where the program is.
    fn show_place(&mut self) -> Result<(), TravelError> {
        self.frame = 0;
        let end = self.timeline.borrow().end();
        if let Some(end) = end {
            println!(
                "{}  the program has ended with exit code {}",
                grouped(end.position as u64),
                end.code
            );
            return Ok(());
        }
        let place = self.timeline.borrow_mut().place()?;
        let position = self.paint.position(&grouped(place.position as u64));
        match &place.thread {
            Some(t) => {
                println!("{position}  \"{}\"  {}", t.name, t.at);
                if let Some((line, text)) = &t.source {
                    println!("{}", self.paint.source(&format!("{line:<5} {text}")));
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
            Arrival::Edge if self.timeline.borrow().branch_depth() > 0 => {
                println!("the value was changed here: going back once more leaves this run");
            }
            Arrival::Edge => println!("the beginning of main: nothing before it is recorded"),
        }
        self.show_place()
    }
    fn travel(&mut self, how: Move, forward: bool) -> Result<(), TravelError> {
        let arrival = {
            let timeline = &mut self.timeline.borrow_mut();
            let moves = Moves {
                timeline,
                stops: &self.stops,
                main: self.main,
                thread: None,
            };
            moves.go(how, forward)
        };
        self.arrived(&arrival?, forward)
    }
}

fn expected(why: &str) -> TravelError {
    TravelError::Refused(why.into())
}

fn refused<T>(why: &str) -> Result<T, TravelError> {
    Err(expected(why))
}

/// Whether a condition can be read.
fn check(condition: &str) -> Result<(), TravelError> {
    if condition.is_empty() {
        return refused("break: expected a condition after if");
    }
    let read = expressions::read(condition);
    read.map(|_| ())
        .map_err(|e| expected(&format!("{condition}: {e}")))
}

/// The rules of a stop, behind its text.
fn rules(only: &StopFilter) -> String {
    let mut text = String::new();
    if let Some(condition) = &only.condition {
        text += &format!(" if {condition}");
    }
    if let Some(ArrivalRule::After(count)) = only.number {
        text += &format!(", after {count} arrivals");
    }
    text
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
