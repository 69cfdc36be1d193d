//! Which steps of a run depend on which, and which of them could have come in the other order.

use crate::clock::Clock;
use crate::trace::Step;
use crate::{Candidate, OpKind, Place, ThreadNo, dependent};
use hashbrown::HashMap;
use rjvm_ops::Domain;
use smallvec::SmallVec;

/// Two steps that are dependent and could have come in the other order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReversibleRace {
    /// The first of the two.
    pub step: usize,
    /// The threads that can run there instead, so that the second comes first; the second's thread is first among them.
    pub initials: SmallVec<[ThreadNo; 4]>,
}

/// The dependencies of the steps so far.
#[derive(Default)]
pub(crate) struct Causality {
    events: Vec<Event>,
    /// By thread: its latest step.
    latest: Vec<Option<usize>>,
    /// Steps at a place, in order.
    at_place: HashMap<(Domain, Place), Vec<usize>>,
    /// Steps that are about a thread: those of others, and its own that others can decide about.
    about: HashMap<ThreadNo, Vec<usize>>,
    /// Who holds a monitor, or initializes a class, or did last: the step at which it was entered, and how often it has been
    /// entered and not left.
    monitors: HashMap<Place, (usize, u32)>,
}

struct Event {
    thread: ThreadNo,
    /// The thread's time at the step: the past of a later step contains it if the clock is as far.
    time: u32,
    clock: Clock,
}

impl Event {
    fn is_before(&self, clock: &Clock) -> bool {
        clock.get(self.thread) >= self.time
    }
}

impl Causality {
    /// Adds the next step of `steps`. Its races with earlier ones.
    pub fn add(&mut self, steps: &[Step]) -> SmallVec<[ReversibleRace; 2]> {
        let index = self.events.len();
        let event = steps[index].event();
        let races = self.next(steps, event);
        let thread = event.thread.index();
        if self.latest.len() <= thread {
            self.latest.resize(thread + 1, None);
        }
        self.latest[thread] = Some(index);
        self.remember(event, index);
        races
    }

    /// The races of what a thread would have done after the last step.
    pub fn would_add(&mut self, steps: &[Step], event: Candidate) -> SmallVec<[ReversibleRace; 2]> {
        let races = self.next(steps, event);
        self.events.pop();
        races
    }

    fn next(&mut self, steps: &[Step], event: Candidate) -> SmallVec<[ReversibleRace; 2]> {
        let index = self.events.len();
        let (thread, op) = (event.thread, event.op);
        let latest = self.latest.get(thread.index()).copied().flatten();
        let before = latest.map(|l| self.events[l].clock.clone());
        let mut clock = before.unwrap_or_default();
        let mut reversible: SmallVec<[(usize, bool); 4]> = SmallVec::new();
        if (acquires(op.kind) || op.kind == OpKind::InitUse)
            && let Some(&(entered, _)) = self.monitors.get(&op.place)
            && !self.events[entered].is_before(&clock)
        {
            // what has to come before is that the monitor is left; what can come in the other order is who enters first
            reversible.push((entered, false));
        }
        if op.kind == OpKind::Resume {
            // its time could have been over before it was notified, although that was in a monitor that was left since
            let since = latest.map_or(0, |l| l + 1);
            let list = self.at_place.get(&(Domain::Monitor, op.place));
            let list = list.into_iter().flatten().rev().copied();
            let notifies = |i: usize| steps[i].op.kind.notifies();
            let list = list.take_while(|&i| i >= since).filter(|&i| notifies(i));
            reversible.extend(list.map(|i| (i, true)));
        }
        for earlier in self.dependent_on(steps, event) {
            let other = &self.events[earlier];
            if !other.is_before(&clock) {
                let enables = enables(steps[earlier].op.kind, op.kind);
                reversible.push((earlier, enables));
                clock.join(&other.clock);
            }
        }
        clock.tick(thread);
        self.events.push(Event {
            thread,
            time: clock.get(thread),
            clock,
        });
        let races = reversible
            .into_iter()
            .map(|(step, enables)| self.race(step, index, enables));
        races.collect()
    }

    fn race(&self, step: usize, later: usize, enables: bool) -> ReversibleRace {
        let initials = if enables {
            // it can only have been first by doing something else, if it could do that: time out
            SmallVec::from_slice(&[self.events[later].thread])
        } else {
            self.initials(step, later)
        };
        ReversibleRace { step, initials }
    }

    /// Of the steps after `first` that do not depend on it, and of `second`: the threads whose first one depends on none of
    /// the others.
    fn initials(&self, first: usize, second: usize) -> SmallVec<[ThreadNo; 4]> {
        let mut begun: SmallVec<[(ThreadNo, u32); 8]> = SmallVec::new();
        let mut initials: SmallVec<[ThreadNo; 4]> = SmallVec::new();
        let between = first + 1..second;
        let independent = between.filter(|&k| !self.events[first].is_before(&self.events[k].clock));
        for k in independent.chain([second]) {
            let event = &self.events[k];
            if begun.iter().any(|&(t, _)| t == event.thread) {
                continue;
            }
            let mut earlier = begun.iter();
            if !earlier.any(|&(t, time)| event.clock.get(t) >= time) {
                match k == second {
                    true => initials.insert(0, event.thread),
                    false => initials.push(event.thread),
                }
            }
            begun.push((event.thread, event.time));
        }
        let thread = self.events[second].thread;
        if let Some(at) = initials.iter().position(|&t| t == thread) {
            initials.swap(0, at);
        }
        initials
    }

    /// The earlier steps that a step depends on and that no other step between depends on. There may be others, too. The latest
    /// first.
    fn dependent_on(&self, steps: &[Step], event: Candidate) -> SmallVec<[usize; 8]> {
        let mut found: SmallVec<[usize; 8]> = SmallVec::new();
        let domain = event.op.kind.domain();
        if domain != Domain::None
            && let Some(list) = self.at_place.get(&(domain, event.op.place))
        {
            for &earlier in list.iter().rev() {
                let other = steps[earlier].event();
                if dependent(&event, &other) {
                    found.push(earlier);
                }
                if covers(event.op.kind, other.op.kind) {
                    break;
                }
            }
        }
        let own = is_about_itself(event.op.kind).then_some(event.thread);
        for thread in own.into_iter().chain(event.op.kind.target()) {
            let list = self.about.get(&thread).into_iter().flatten();
            found.extend(
                list.copied()
                    .filter(|&e| dependent(&event, &steps[e].event())),
            );
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
        found
    }

    fn remember(&mut self, event: Candidate, index: usize) {
        let (kind, place) = (event.op.kind, event.op.place);
        let domain = kind.domain();
        if domain != Domain::None && place != Place::NONE {
            self.at_place
                .entry((domain, place))
                .or_default()
                .push(index);
        }
        let own = is_about_itself(kind).then_some(event.thread);
        for thread in own.into_iter().chain(kind.target()) {
            self.about.entry(thread).or_default().push(index);
        }
        if acquires(kind) && place != Place::NONE {
            let monitor = self.monitors.entry(place).or_insert((index, 0));
            if monitor.1 == 0 || kind == OpKind::Resume {
                *monitor = (index, 0);
            }
            monitor.1 += 1;
        } else if matches!(kind, OpKind::Exit | OpKind::InitEnd)
            && let Some(monitor) = self.monitors.get_mut(&place)
        {
            monitor.1 = monitor.1.saturating_sub(1);
        } else if kind == OpKind::Wait
            && let Some(monitor) = self.monitors.get_mut(&place)
        {
            monitor.1 = 0;
        }
    }
}

/// Whether all earlier operations at a place that one depends on are known to `other`, an earlier one.
fn covers(kind: OpKind, other: OpKind) -> bool {
    use OpKind::*;
    match other.domain() {
        Domain::Memory => other.writes(),
        Domain::Monitor if kind == Timeout => other.notifies(),
        Domain::Monitor => other != Timeout,
        _ => true,
    }
}

fn acquires(kind: OpKind) -> bool {
    matches!(kind, OpKind::Enter | OpKind::Resume | OpKind::InitBegin)
}

fn is_about_itself(kind: OpKind) -> bool {
    kind.can_be_woken() || matches!(kind, OpKind::Begin | OpKind::End)
}

/// Whether the second cannot be performed unless the first or its like has been.
fn enables(first: OpKind, second: OpKind) -> bool {
    use OpKind::*;
    matches!(
        (first, second),
        (Exit | Wait, Enter | Resume)
            | (InitEnd, InitBegin | InitUse)
            | (Notify | NotifyAll | Timeout, Resume)
            | (Unpark(_) | Interrupt(_), Resume)
            | (End, Join(_))
            | (Start(_), Begin)
    )
}
