//! Entries that wait for their exits: the bytecodes used between the two.
//!
//! Each thread has a list of the frames that instruments have seen entered, and that are not left yet. A frame is known by
//! the address of its control frame; an entry whose frame is gone without a report (abandoned with its thread's call, or left
//! after its instrument) is recognised at the next entry or exit, since its address is no longer on the stack.

use super::ids::{Index, InstrumentId};
use super::opened::{Elapsed, Open, Since};
use crate::ids::{MethodId, ThreadId};
use crate::interp::Cs;
use crate::vm::Vm;

impl Vm {
    /// Counts of a thread that has executed so many bytecodes, and clocks if they are wanted.
    pub(super) fn now_of(&mut self, t: ThreadId, executed: i64, clocks: bool) -> Since {
        let (wall, cpu) = match clocks {
            true => (self.peek_uptime(), self.peek_cpu_time_of(t).total),
            false => (0, 0),
        };
        Since {
            executed,
            allocated: self.bytes_allocated_by(t),
            wall,
            cpu,
        }
    }
    /// The frame at `cs` of the running thread has been entered, and the instrument has been notified.
    #[inline]
    pub(super) fn open_entry(&mut self, cs: Cs, i: Index, executed: i64) {
        let (t, cs) = (self.cur, cs as usize);
        let Some(placed) = self.instruments.get(i) else {
            return;
        };
        let (id, clocks, timed) = (placed.id, placed.clocks, placed.timed);
        let open = &mut self.threads[t.0 as usize].open;
        // stacks grow down: what is at or below a new frame is gone
        while open
            .last()
            .is_some_and(|o| o.cs < cs || o.cs == cs && o.instrument == i)
        {
            open.pop();
        }
        let below = open.iter().rev().find(|o| o.instrument == i && o.id == id);
        let outermost = below.is_none();
        if timed && !outermost {
            return;
        }
        let since = self.now_of(t, executed, clocks);
        self.threads[t.0 as usize].open.push(Open {
            cs,
            instrument: i,
            id,
            since,
            late: false,
            outermost,
        });
    }
    /// The frame at `cs` of the running thread is left: what it has used since the instrument has seen it entered.
    #[inline]
    pub(super) fn close_entry(&mut self, cs: Cs, i: Index, executed: i64) -> Option<Elapsed> {
        let (t, cs) = (self.cur, cs as usize);
        let placed = self.instruments.get(i)?;
        let (id, clocks) = (placed.id, placed.clocks);
        let open = &mut self.threads[t.0 as usize].open;
        while open.last().is_some_and(|o| o.cs < cs) {
            open.pop();
        }
        let of_frame = |o: &&Open| o.cs == cs;
        let n = open.iter().rev().take_while(of_frame).count();
        let first = open.len() - n;
        let found = open[first..].iter().position(|o| o.instrument == i)?;
        let was = open.remove(first + found);
        if was.id != id {
            return None;
        }
        let now = self.now_of(t, executed, clocks);
        Some(now.since(&was))
    }
    /// What calls that an instrument of [`Action::Time`](super::Action::Time) has seen entered, and that have not ended, have used
    /// since, by thread.
    pub fn instrument_under_way(&mut self, id: InstrumentId) -> Vec<(ThreadId, Elapsed)> {
        let i = self.instruments.find(id);
        let clocks = i
            .and_then(|i| self.instruments.get(i))
            .is_some_and(|p| p.clocks);
        let mut all = Vec::new();
        for t in (0..self.threads.len() as u32).map(ThreadId) {
            let top = self.stack_top(t);
            let open = &self.threads[t.0 as usize].open;
            let of_instrument = |o: &&Open| o.id == id && o.outermost && o.cs >= top;
            let Some(&was) = open.iter().find(of_instrument) else {
                continue;
            };
            let executed = self.executed(t);
            let now = self.now_of(t, executed, clocks);
            all.push((t, now.since(&was)));
        }
        all
    }
    /// An instrument is in these methods from now on, some of which may be on stacks already: their frames count from here.
    pub(super) fn open_late(&mut self, i: Index, methods: &[MethodId]) {
        let Some(placed) = self.instruments.get(i) else {
            return;
        };
        let (id, clocks, timed) = (placed.id, placed.clocks, placed.timed);
        for t in (0..self.threads.len() as u32).map(ThreadId) {
            // the addresses of frames of these methods, the oldest first
            let mut frames = self.frames_of(t, methods);
            if frames.is_empty() {
                continue;
            }
            frames.reverse();
            if timed {
                frames.truncate(1);
            }
            let executed = self.executed(t);
            let since = self.now_of(t, executed, clocks);
            let open = &mut self.threads[t.0 as usize].open;
            for (n, cs) in frames.into_iter().enumerate() {
                let at = open.partition_point(|o| o.cs >= cs);
                let entry = Open {
                    cs,
                    instrument: i,
                    id,
                    since,
                    late: true,
                    outermost: n == 0,
                };
                open.insert(at, entry);
            }
        }
    }
}
