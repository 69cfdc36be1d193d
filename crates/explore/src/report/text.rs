//! A failure as text: a column for each thread.

use super::{Failure, ReportStep, turns};
use crate::result::Outcome;
use std::fmt::Write;

/// Columns are not narrower; where there is no room for that, threads are distinguished by their names.
const NARROWEST: usize = 28;

/// The failure as text of lines that are at most `width` wide, unless a word is longer.
pub fn text(failure: &Failure, width: usize) -> String {
    let mut out = failure.outcome.text();
    let _ = writeln!(out, "\nThe schedule has {}.", failure.switches_in_words());
    for (name, value) in &failure.facts {
        let _ = writeln!(out, "{name}: {value}");
    }
    let _ = writeln!(out, "To replay it: {}\n", failure.replay);
    if !failure.steps.is_empty() {
        Columns::new(failure, width).write(&mut out);
    }
    // what is printed of an exception is above
    let errors = match failure.outcome {
        Outcome::Exception { .. } => "",
        _ => &failure.errors,
    };
    for (title, text) in [("output", &failure.output[..]), ("error output", errors)] {
        if !text.is_empty() {
            let _ = writeln!(out, "\nIts {title}:");
        }
        for line in text.lines() {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

struct Columns<'a> {
    failure: &'a Failure,
    /// The threads' numbers, a column each; none if they do not fit side by side.
    threads: Vec<u32>,
    /// Of the numbers of bytecodes.
    margin: usize,
    /// Of a column.
    width: usize,
}

impl Columns<'_> {
    fn new(failure: &Failure, width: usize) -> Columns<'_> {
        let last = failure.steps.last().map_or(0, |s| s.at);
        let margin = last.to_string().len().max(5);
        let threads: Vec<u32> = failure.acting().iter().map(|t| t.number).collect();
        let room = width.saturating_sub(margin + 1);
        // two blanks and a line between columns
        let each = (room / threads.len().max(1)).saturating_sub(2);
        match each >= NARROWEST {
            true => Columns {
                failure,
                threads,
                margin,
                width: each,
            },
            false => Columns {
                failure,
                threads: Vec::new(),
                margin,
                width: room.max(NARROWEST),
            },
        }
    }

    fn write(&self, out: &mut String) {
        if !self.threads.is_empty() {
            let names = self.threads.iter().map(|&t| self.failure.name(t));
            self.line(out, "", &names.collect::<Vec<_>>());
            let rules = vec!["─".repeat(self.width); self.threads.len()];
            self.line(out, "", &rules);
        }
        let mut before = None;
        for turn in turns(&self.failure.steps) {
            let thread = turn.steps[0].thread;
            let switch = turn.steps[0].switch.zip(before);
            if let Some((reason, before)) = switch {
                let _ = writeln!(
                    out,
                    "{:>1$} {2} {3}; {4} continues",
                    "──",
                    self.margin,
                    self.failure.name(before),
                    reason.verb(),
                    self.failure.name(thread)
                );
            } else if self.threads.is_empty() {
                let _ = writeln!(
                    out,
                    "{:>1$} {2}",
                    "──",
                    self.margin,
                    self.failure.name(thread)
                );
            }
            let mut place = None;
            for (i, step) in turn.steps.iter().enumerate() {
                if i == turn.head {
                    let words = format!("… {} steps …", turn.tail - turn.head);
                    self.cell(out, "", thread, &[words]);
                    place = None;
                }
                if i < turn.head || i >= turn.tail {
                    let location = (step.method.as_str(), step.line);
                    let lines = self.lines(step, place != Some(location));
                    self.cell(out, &step.at.to_string(), thread, &lines);
                    place = Some(location);
                }
            }
            before = Some(thread);
        }
    }

    /// The text of a step: its line of the program if that differs from the line before, then its operation.
    fn lines(&self, step: &ReportStep, new_line: bool) -> Vec<String> {
        let mut lines = Vec::new();
        if new_line {
            let source = self.failure.source(step).unwrap_or(&step.method);
            lines.extend(wrapped(
                &format!("{}  {source}", step.location()),
                self.width,
                2,
            ));
        }
        let words = wrapped(&step.words(), self.width.saturating_sub(2), 2);
        lines.extend(words.into_iter().map(|l| format!("  {l}")));
        lines
    }

    /// Lines in a thread's column; the first has a number before it.
    fn cell(&self, out: &mut String, number: &str, thread: u32, lines: &[String]) {
        let column = self.threads.iter().position(|&t| t == thread);
        for (i, line) in lines.iter().enumerate() {
            let number = if i == 0 { number } else { "" };
            match column {
                None => self.line(out, number, std::slice::from_ref(line)),
                Some(column) => {
                    let mut cells = vec![String::new(); self.threads.len()];
                    cells[column] = line.clone();
                    self.line(out, number, &cells);
                }
            }
        }
    }

    fn line(&self, out: &mut String, number: &str, cells: &[String]) {
        let mut line = format!("{number:>0$}", self.margin);
        for (i, cell) in cells.iter().enumerate() {
            line += if i == 0 { " " } else { "│ " };
            let _ = write!(line, "{cell:<0$} ", self.width);
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Lines of a text that are at most `width` wide, all but the first indented; a word that is longer is cut.
fn wrapped(text: &str, width: usize, indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        if line.chars().count() + 1 + word.len() > width && !line.trim().is_empty() {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
        } else if !line.is_empty() && !line.ends_with("  ") || line.trim_end().len() < line.len() {
            line.push(' ');
        }
        while line.chars().count() + word.len() > width {
            let room = width.saturating_sub(line.chars().count()).max(1);
            let rest = word.split_off(room.min(word.len()));
            line.extend(word);
            word = rest;
            if word.is_empty() {
                break;
            }
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
        }
        line.extend(word);
    }
    lines.push(line);
    lines.iter().map(|l| l.trim_end().to_string()).collect()
}
