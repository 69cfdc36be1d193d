//! The values remembered between entry and exit of methods, by thread.

use super::State;
use crate::hit::{Hit, Number};
use crate::value::Val;
use hashbrown::HashMap;

/// A frame of a method that is to be left, with what one of the bodies remembers of it.
struct Entered {
    frame: i64,
    body: u32,
    /// Where its values begin.
    at: usize,
    /// The method has been left.
    over: bool,
}

/// Those of a thread, the outermost first.
#[derive(Default)]
struct EnteredFrames {
    list: Vec<Entered>,
    values: Vec<Val>,
}

/// Those of all threads.
#[derive(Default)]
pub(super) struct Remembered {
    threads: HashMap<i64, EnteredFrames>,
    /// The thread that was requested last, which is not among them.
    current: i64,
    frames: EnteredFrames,
    /// How many methods are to be left.
    entries: usize,
}

/// Bytes that an entry takes with so many values, in lists that grow by doubling.
fn bytes(values: usize) -> usize {
    2 * (size_of::<Entered>() + values * size_of::<Val>())
}

impl Remembered {
    #[inline]
    fn turn_to(&mut self, thread: i64) {
        if self.current != thread {
            let other = self.threads.remove(&thread).unwrap_or_default();
            let old = std::mem::replace(&mut self.frames, other);
            if !old.list.is_empty() {
                self.threads.insert(self.current, old);
            }
            self.current = thread;
        }
    }

    /// Takes the last entry away.
    fn pop(&mut self, memory: &mut usize) {
        if let Some(last) = self.frames.list.pop() {
            let values = self.frames.values.len() - last.at;
            self.frames.values.truncate(last.at);
            self.entries -= usize::from(!last.over);
            *memory += bytes(values);
        }
    }

    /// A method has been entered. False: so many are that one more is too many, by number or by the bytes that may still be
    /// taken.
    pub fn enter(
        &mut self,
        thread: i64,
        frame: i64,
        body: u32,
        values: &[Val],
        most: usize,
        memory: &mut usize,
    ) -> bool {
        self.turn_to(thread);
        // What was there has been left in a way that nobody requested.
        let is_gone =
            |e: &Entered| e.frame > frame || e.frame == frame && (e.over || e.body == body);
        while self.frames.list.last().is_some_and(is_gone) {
            self.pop(memory);
        }
        let bytes = bytes(values.len());
        if self.entries >= most || bytes > *memory {
            return false;
        }
        *memory -= bytes;
        self.entries += 1;
        self.frames.list.push(Entered {
            frame,
            body,
            at: self.frames.values.len(),
            over: false,
        });
        self.frames.values.extend_from_slice(values);
        true
    }

    /// A method is left: appends the values remembered for it.
    pub fn leave(
        &mut self,
        thread: i64,
        frame: i64,
        body: u32,
        into: &mut Vec<Val>,
        memory: &mut usize,
    ) {
        self.turn_to(thread);
        let is_over = |e: &Entered| e.frame > frame || e.over;
        while self.frames.list.last().is_some_and(is_over) {
            self.pop(memory);
        }
        let mut end = self.frames.values.len();
        for entered in self.frames.list.iter_mut().rev() {
            if entered.frame != frame {
                return;
            }
            if entered.body == body && !entered.over {
                into.extend_from_slice(&self.frames.values[entered.at..end]);
                entered.over = true;
                self.entries -= 1;
                return;
            }
            end = entered.at;
        }
    }

    /// A thread has ended.
    pub fn forget(&mut self, thread: i64, memory: &mut usize) {
        self.turn_to(thread);
        while !self.frames.list.is_empty() {
            self.pop(memory);
        }
    }
}

impl State {
    /// The values remembered at the entry of the method that is left now.
    #[inline]
    pub(super) fn leave<H: Hit>(&mut self, body: u32, hit: &mut H) {
        self.remembered.clear();
        if let (Some(thread), Some(frame)) =
            (hit.number(Number::ThreadId), hit.number(Number::Frame))
        {
            let (into, memory) = (&mut self.remembered, &mut self.memory);
            self.entered.leave(thread, frame, body, into, memory);
        }
    }
}
