//! The terminal of a session: lines with editing, history and completion, interrupts of searches, colours.

use super::attention::Attention;
use super::seen::{FrameAt, Look, Seen};
use super::session::HELP;
use super::timeline::Timeline;
use super::words::last_word;
use rustix::fd::BorrowedFd;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::cell::{Cell, RefCell};
use std::io::{self, BufRead, IsTerminal, Read};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::rc::Rc;

const PROMPT: &str = "(rjvm) ";

/// The commands of the help, which complete the first words of a line: `break PLACE (b)` is about `break`.
fn commands() -> impl Iterator<Item = String> {
    let lines = HELP.lines().filter_map(|line| line.strip_prefix("  "));
    let lines = lines.filter(|line| !line.starts_with(' '));
    let heads = lines.map(|line| line.split("  ").next().unwrap_or(line));
    heads.flat_map(|head| head.split(',')).map(|command| {
        let is_word = |w: &&str| w.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        let words = command.split_whitespace();
        let words: Vec<&str> = words
            .take_while(|w| is_word(w) && !w.starts_with('-'))
            .collect();
        words.join(" ")
    })
}

/// Colours, for a terminal.
#[derive(Clone, Copy, Default)]
pub struct Paint(bool);

impl Paint {
    /// Colours if standard output is a terminal, and `NO_COLOR` is not set.
    pub fn of_output() -> Paint {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        Paint(wanted && io::stdout().is_terminal())
    }
    fn with(self, code: &str, text: &str) -> String {
        match self.0 {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.into(),
        }
    }
    pub fn position(self, text: &str) -> String {
        self.with("1", text)
    }
    pub fn source(self, text: &str) -> String {
        self.with("36", text)
    }
    /// CommandLines, of which the present one is marked.
    pub fn text(self, text: &str) -> String {
        let lines = text.split_inclusive('\n');
        let painted = lines.map(|line| match line.strip_suffix('\n') {
            Some(line) if line.starts_with("->") => self.source(line) + "\n",
            _ => line.into(),
        });
        painted.collect()
    }
}

/// Ctrl-C while the program runs: a byte for each.
struct Interrupts(UnixStream);

impl Interrupts {
    /// Forgets those that have come. Whether there were any.
    fn take(&mut self) -> bool {
        let mut bytes = [0; 64];
        matches!(self.0.read(&mut bytes), Ok(n) if n > 0)
    }
}

impl Attention for Interrupts {
    fn source(&self) -> Option<BorrowedFd<'_>> {
        Some(self.0.as_fd())
    }
    fn look(&mut self) -> bool {
        self.take()
    }
}

/// Completes commands, and names of the program behind them.
struct Words {
    timeline: Rc<RefCell<Timeline>>,
    frame: Cell<usize>,
}

impl Words {
    /// The names of the program that complete a word; none where it has ended.
    fn names(&self, of: &str, word: &str) -> Option<Vec<String>> {
        let timeline = &mut *self.timeline.try_borrow_mut().ok()?;
        let thread = timeline.place().ok()?.thread?.id;
        let look = Look::Words {
            frame: Some(FrameAt {
                thread,
                frame: self.frame.get(),
            }),
            of: of.into(),
            word: word.into(),
        };
        match timeline.look(look) {
            Ok(Seen::Words(words)) => Some(words.into_iter().map(|w| w.name).collect()),
            _ => None,
        }
    }
}

impl Completer for Words {
    type Candidate = String;
    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = &line[..at];
        let commands = commands().filter(|c| c.starts_with(before));
        let mut commands: Vec<String> = commands.map(|c| c + " ").collect();
        commands.dedup();
        if !commands.is_empty() {
            return Ok((0, commands));
        }
        let (of, begin) = last_word(before);
        let names = self.names(of, &before[begin..]);
        Ok((begin, names.unwrap_or_default()))
    }
}

impl Hinter for Words {
    type Hint = String;
}
impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

/// Where commands come from.
pub struct CommandLines(LineSource);

enum LineSource {
    /// A person types them.
    Typed(Box<Editor<Words, MemHistory>>, Interrupts),
    /// A file or a program.
    Read,
}

impl CommandLines {
    /// The lines of standard input. `typed`: a person types, and may interrupt what the program does.
    ///
    /// # Errors
    /// The system's.
    pub fn new(typed: bool, timeline: &Rc<RefCell<Timeline>>) -> io::Result<CommandLines> {
        if !typed {
            return Ok(CommandLines(LineSource::Read));
        }
        let (here, there) = UnixStream::pair()?;
        here.set_nonblocking(true)?;
        let late = Interrupts(here.try_clone()?);
        signal_hook::low_level::pipe::register(signal_hook::consts::SIGINT, there)?;
        timeline.borrow_mut().attend(Box::new(Interrupts(here)));
        let config = Config::builder().completion_type(CompletionType::List);
        let editor = Editor::with_history(config.build(), MemHistory::new());
        let mut editor = editor.map_err(io::Error::other)?;
        editor.set_helper(Some(Words {
            timeline: timeline.clone(),
            frame: Cell::default(),
        }));
        Ok(CommandLines(LineSource::Typed(Box::new(editor), late)))
    }
    /// The next line, completed by the names of a frame; none at the end.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn next(&mut self, frame: usize) -> io::Result<Option<String>> {
        let LineSource::Typed(editor, late) = &mut self.0 else {
            let mut line = String::new();
            let length = io::stdin().lock().read_line(&mut line)?;
            return Ok((length > 0).then_some(line));
        };
        if let Some(words) = editor.helper() {
            words.frame.set(frame);
        }
        loop {
            match editor.readline(PROMPT) {
                Ok(line) => {
                    // a history that does not take it is none the worse
                    let _ = editor.add_history_entry(line.as_str());
                    // one that came when nothing ran any more is not for the next command
                    late.take();
                    return Ok(Some(line));
                }
                // the line is given up, as in a shell
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(None),
                Err(ReadlineError::Io(e)) => return Err(e),
                Err(e) => return Err(io::Error::other(e)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_commands_are_those_of_the_help() {
        let all: Vec<String> = super::commands().collect();
        for command in [
            "break",
            "condition",
            "info break",
            "info checkpoints",
            "print",
            "reverse-next",
            "up",
            "origin",
            "quit",
        ] {
            assert!(all.iter().any(|c| c == command), "{command}: {all:?}");
        }
        let is_command = |c: &String| c.starts_with(|c: char| c.is_ascii_lowercase());
        assert!(all.iter().all(is_command), "{all:?}");
    }
}
