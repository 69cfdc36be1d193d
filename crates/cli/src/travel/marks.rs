//! Marks of a run at its positions: a run that is not the same the next time is noticed where it arrives.
//!
//! A program that runs again does the same, as long as it gets the same from outside. If a file has changed meanwhile, or a recording
//! does not have what a replay requests, the run diverges: all positions after that mean something else.

use super::copies::{TravelError, Travelled};
use super::mark::Mark;
use super::wire::ProgramEnd;
use rjvm_profiler::summary::grouped;
use std::collections::BTreeMap;

/// Positions that are known at a time.
const MOST_MARKS: usize = 4096;

/// The marks of a run, and its end.
#[derive(Clone, Default)]
pub struct Marks {
    at: BTreeMap<i64, Mark>,
    end: Option<ProgramEnd>,
}

impl Marks {
    fn diverged<T>(&self, position: i64, before: &str, now: &str) -> Travelled<T> {
        let same = self.at.range(..position).next_back().map_or(0, |m| *m.0);
        let text = format!(
            "the program does not run as it did before: it diverges between bytecodes {} and {}\n  \
             before: {before}\n  now: {now}\n  A file that it reads may have changed.",
            grouped(same as u64),
            grouped(position as u64),
        );
        Err(TravelError::Diverged { text, at: same })
    }
    /// A run has arrived at a position.
    ///
    /// # Errors
    /// It is not as it was there before.
    pub fn arrive(&mut self, position: i64, mark: Mark) -> Travelled<()> {
        if let Some(end) = self.end.filter(|end| end.position < position) {
            let before = format!(
                "it ended at {}, with exit code {}",
                grouped(end.position as u64),
                end.code
            );
            return self.diverged(end.position, &before, "it continues");
        }
        match self.at.get(&position) {
            Some(known) if *known != mark => {
                let (before, now) = known.differences(&mark);
                return self.diverged(position, &before, &now);
            }
            Some(_) => {}
            None => {
                if self.at.len() >= MOST_MARKS {
                    self.at.pop_first();
                }
                self.at.insert(position, mark);
            }
        }
        Ok(())
    }
    /// A run whose values cannot be read has arrived at a position.
    ///
    /// # Errors
    /// It is not as it was there before.
    pub fn pass(&self, position: i64, mut mark: Mark) -> Travelled<()> {
        let Some(known) = self.at.get(&position) else {
            return Ok(());
        };
        mark.numbers.clone_from(&known.numbers);
        if *known == mark {
            return Ok(());
        }
        let (before, now) = known.differences(&mark);
        self.diverged(position, &before, &now)
    }
    /// A run has ended.
    ///
    /// # Errors
    /// It ended elsewhere, or went on, before.
    pub fn end(&mut self, end: ProgramEnd) -> Travelled<()> {
        let now = format!(
            "it ends at {}, with exit code {}",
            grouped(end.position as u64),
            end.code
        );
        if let Some(known) = self.end.filter(|known| *known != end) {
            let before = format!(
                "it ended at {}, with exit code {}",
                grouped(known.position as u64),
                known.code
            );
            return self.diverged(known.position.min(end.position), &before, &now);
        }
        if let Some((position, mark)) = self.at.range(end.position + 1..).next() {
            let before = format!("it was in {} at {}", mark.at, grouped(*position as u64));
            return self.diverged(end.position, &before, &now);
        }
        self.end = Some(end);
        Ok(())
    }
    /// The run is different after a position.
    pub fn forget_after(&mut self, position: i64) {
        self.at.split_off(&(position + 1));
        self.end = None;
    }
    /// Also at the position.
    pub fn forget_from(&mut self, position: i64) {
        self.forget_after(position - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(at: &str, n: i64) -> Mark {
        Mark {
            thread: "1".into(),
            at: at.into(),
            numbers: vec![n],
            executed: vec![(1, n)],
            ..Mark::default()
        }
    }

    fn text(done: Travelled<()>) -> (String, i64) {
        match done {
            Err(TravelError::Diverged { text, at }) => (text, at),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_run_that_is_another_one_is_noticed_where_it_arrives() {
        let mut marks = Marks::default();
        for (position, at) in [(10, "A.a@0"), (20, "A.a@4"), (30, "A.a@8")] {
            marks
                .arrive(position, mark(at, position))
                .expect("the first run");
            marks
                .arrive(position, mark(at, position))
                .expect("the same");
        }
        let (reported, at) = text(marks.arrive(20, mark("A.b@0", 20)));
        assert!(
            reported.contains("between bytecodes 10 and 20"),
            "{reported}"
        );
        assert!(
            reported.contains("before: A.a@4\n  now: A.b@0"),
            "{reported}"
        );
        assert_eq!(at, 10);
        // one without values is compared by the rest
        let passed = |at: &str| Mark {
            numbers: Vec::new(),
            ..mark(at, 20)
        };
        marks.pass(20, passed("A.a@4")).expect("the same");
        marks.pass(25, passed("A.b@0")).expect("nothing is known");
        let (reported, _) = text(marks.pass(20, passed("A.b@0")));
        assert!(reported.contains("now: A.b@0"), "{reported}");
        // it ended before, where it went on
        let end = |position, code| ProgramEnd { position, code };
        assert!(
            text(marks.end(end(25, 0)))
                .0
                .contains("it was in A.a@8 at 30")
        );
        marks.end(end(40, 0)).expect("the first end");
        marks.end(end(40, 0)).expect("the same");
        assert_eq!(text(marks.end(end(40, 3))).1, 30);
        assert!(
            text(marks.arrive(50, mark("A.a@0", 50)))
                .0
                .contains("it ended at 40")
        );
        // another run begins
        marks.forget_after(20);
        marks
            .arrive(30, mark("A.c@0", 30))
            .expect("nothing is known there");
    }
}
