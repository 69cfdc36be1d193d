//! Threads that look again and again for the work of another thread: progress is what others can see.

use crate::{Op, OpKind, Place, ThreadNo};
use hashbrown::HashMap;

/// Threads that only look, again and again, and so should let others run: what a strategy with fixed priorities needs in
/// order not to run a spinning thread forever.
///
/// A thread spins that has done many operations which changed nothing, or that has looked many times at one place which no thread
/// has changed meanwhile, whatever else it did in between: a loop that waits for a variable may count its rounds, write to
/// objects that no other thread knows, or take and release a lock.
#[derive(Clone, Debug, Default)]
pub struct Spinning {
    threads: Vec<SpinningThread>,
    /// By place: how often it has been changed.
    changes: HashMap<Place, u32>,
    /// Some thread spins.
    some: bool,
}

#[derive(Clone, Debug, Default)]
struct SpinningThread {
    /// How many operations in a row have changed nothing.
    idle: u32,
    /// Places that it has looked at: how often they had been changed then, and how many looks have found them so.
    looks: HashMap<Place, (u32, u32)>,
    /// It is in a loop of looks: no thread has changed the places that it looks at since that was found.
    spins: bool,
}

/// Operations in a row that change nothing, and looks at an unchanged place, after which a thread counts as spinning.
const PATIENCE: u32 = 200;

impl Spinning {
    fn thread(&mut self, thread: ThreadNo) -> &mut SpinningThread {
        if self.threads.len() <= thread.index() {
            self.threads
                .resize_with(thread.index() + 1, SpinningThread::default);
        }
        &mut self.threads[thread.index()]
    }

    /// Whether `thread`, which has performed `op`, gives way. `changed`: of a write, another value is there than before.
    pub fn gives_way(&mut self, thread: ThreadNo, op: Op, changed: bool) -> bool {
        let spins = self.spins(thread, op, changed);
        // who waits for a time, again and again, lets others go on meanwhile
        spins || op.kind.gives_way() || op.kind == OpKind::Timeout
    }

    /// Whether `thread`, which has performed `op`, has just been found to spin.
    pub fn spins(&mut self, thread: ThreadNo, op: Op, changed: bool) -> bool {
        let changes = changes_something(op, changed);
        if changes && op.place != Place::NONE {
            *self.changes.entry(op.place).or_default() += 1;
        }
        let now = self.changes.get(&op.place).copied().unwrap_or_default();
        let t = self.thread(thread);
        t.idle = if changes { 0 } else { t.idle + 1 };
        let mut looks = 0;
        if is_look(op, changes) {
            let look = t.looks.entry(op.place).or_insert((now, 0));
            *look = match *look {
                (then, n) if then == now => (now, n + 1),
                _ => (now, 1),
            };
            looks = look.1;
        }
        let found = t.idle >= PATIENCE || looks >= PATIENCE;
        if found {
            t.idle = 0;
            t.looks.values_mut().for_each(|look| look.1 = 0);
            t.spins = true;
            self.some = true;
        } else if changes && self.some {
            self.report(thread, op);
        }
        found
    }

    /// What they look for may be there now.
    fn report(&mut self, by: ThreadNo, op: Op) {
        self.some = false;
        for (i, t) in self.threads.iter_mut().enumerate() {
            let concerns = match op.kind.target() {
                Some(target) => target.index() == i,
                None => op.place == Place::NONE || t.looks.contains_key(&op.place),
            };
            t.spins &= by.index() == i || !concerns;
            self.some |= t.spins;
        }
    }

    /// Whether a thread can only spin until another thread changes something.
    pub fn is_spinning(&self, thread: ThreadNo) -> bool {
        (self.threads.get(thread.index())).is_some_and(|t| t.spins)
    }
}

fn changes_something(op: Op, changed: bool) -> bool {
    use OpKind::*;
    match op.kind {
        Write(_) | Update(_) => changed,
        // entering and leaving a monitor around a look is a look
        Read(_) | Fence(_) | Yield | Sleep | Step | Enter | Exit | Timeout | Interrupted(_)
        | InitUse => false,
        _ => true,
    }
}

fn is_look(op: Op, changes: bool) -> bool {
    let looks = matches!(
        op.kind,
        OpKind::Read(_) | OpKind::Write(_) | OpKind::Update(_) | OpKind::Enter
    );
    looks && !changes && op.place != Place::NONE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mode;

    const A: ThreadNo = ThreadNo(0);
    const B: ThreadNo = ThreadNo(1);

    fn op(kind: fn(Mode) -> OpKind, place: u64) -> Op {
        Op::new(kind(Mode::Volatile), Place(place))
    }

    /// Runs rounds of a loop; in which the thread is first found to spin.
    fn found(s: &mut Spinning, round: impl Fn(u64) -> Vec<(Op, bool)>) -> Option<u64> {
        (0..1000).find(|&i| {
            let ops = round(i);
            ops.into_iter()
                .fold(false, |is, (op, changed)| is | s.gives_way(A, op, changed))
        })
    }

    #[test]
    fn what_nobody_else_sees_is_no_progress() {
        let looks = |_| vec![(op(OpKind::Read, 1), false)];
        assert_eq!(found(&mut Spinning::default(), looks), Some(199));
        // a node of its own, that is another one each time, or the same
        let writes = |i| {
            vec![
                (op(OpKind::Read, 1), false),
                (op(OpKind::Write, 100 + i), true),
                (op(OpKind::Update, 99), true),
            ]
        };
        assert_eq!(found(&mut Spinning::default(), writes), Some(199));
        // test and set, which writes what is there
        let sets = |_| vec![(op(OpKind::Update, 1), false)];
        assert_eq!(found(&mut Spinning::default(), sets), Some(199));
        // a lock around a look
        let locks = |_| {
            vec![
                (op(OpKind::Update, 1), true),
                (op(OpKind::Read, 2), false),
                (op(OpKind::Write, 1), true),
            ]
        };
        assert_eq!(found(&mut Spinning::default(), locks), Some(199));
    }

    #[test]
    fn what_changes_is_progress() {
        let counts = |_| vec![(op(OpKind::Read, 1), false), (op(OpKind::Update, 1), true)];
        assert_eq!(found(&mut Spinning::default(), counts), None);
        let elsewhere = |i| vec![(op(OpKind::Read, i), false), (op(OpKind::Write, i), true)];
        assert_eq!(found(&mut Spinning::default(), elsewhere), None);
        // a place that another thread changes
        let mut s = Spinning::default();
        for _ in 0..1000 {
            assert!(!s.gives_way(B, op(OpKind::Write, 1), true));
            assert!(!s.gives_way(A, op(OpKind::Read, 1), false));
            assert!(!s.gives_way(A, op(OpKind::Write, 2), true));
        }
    }

    #[test]
    fn a_thread_spins_until_another_one_changes_something() {
        let mut s = Spinning::default();
        let look = |s: &mut Spinning, t| {
            for _ in 0..PATIENCE {
                s.gives_way(t, op(OpKind::Read, 1), false);
                s.gives_way(t, op(OpKind::Write, 2), true);
            }
        };
        look(&mut s, A);
        look(&mut s, B);
        assert!(s.is_spinning(A) && s.is_spinning(B), "they see each other");
        s.gives_way(ThreadNo(2), op(OpKind::Read, 1), false);
        assert!(s.is_spinning(A) && s.is_spinning(B));
        s.gives_way(ThreadNo(2), op(OpKind::Write, 1), true);
        assert!(!s.is_spinning(A) && !s.is_spinning(B));
    }
}
