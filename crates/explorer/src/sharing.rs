//! Which accesses to variables and monitors, and which initializations of classes, others could notice: those of what two threads
//! have touched, at least one of them writing, entering or initializing, without a monitor that all of them hold and without the second being started after the first
//! was done. Findings at one place of the code in one schedule hold for that place in later ones, where it may be
//! reached before the other thread has been there.

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use rjvm_explore::{OpKind, Place, ThreadNo};
use rjvm_vm::threads::control::Step;
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// Places of the code (see [`Step::site`]) whose accesses others could notice.
pub type Sites = BTreeSet<u64>;

/// Facts about a variable, or about a monitor, which threads enter.
struct Variable {
    /// The thread that has touched it last; the only one unless it is shared.
    owner: ThreadNo,
    /// Bytecodes that all had executed then.
    at: i64,
    /// Where it has been touched, as far as no other thread could notice it yet: each place of the code once.
    sites: SmallVec<[u64; 2]>,
    /// It has been written to.
    written: bool,
    /// More than one thread has touched it.
    shared: bool,
    /// And one of them has written to it, so that the order matters.
    matters: bool,
    /// The monitors that were held at each access.
    monitors: Vec<Place>,
}

/// The findings about a schedule so far.
#[derive(Default)]
pub struct Sharing {
    variables: HashMap<Place, Variable>,
    /// Who started a thread, and when.
    parents: HashMap<ThreadNo, (ThreadNo, i64)>,
    /// The monitors that a thread holds, by its index.
    held: Vec<Vec<Place>>,
    /// The findings.
    pub found: Sites,
}

impl Sharing {
    /// A thread has started another.
    pub fn started(&mut self, parent: ThreadNo, child: ThreadNo, at: i64) {
        self.parents.insert(child, (parent, at));
    }
    /// A thread has entered a monitor.
    pub fn entered(&mut self, t: ThreadNo, monitor: Place) {
        if self.held.len() <= t.index() {
            self.held.resize_with(t.index() + 1, Vec::new);
        }
        self.held[t.index()].push(monitor);
    }
    /// A thread has left a monitor.
    pub fn left(&mut self, t: ThreadNo, monitor: Place) {
        if let Some(held) = self.held.get_mut(t.index())
            && let Some(i) = held.iter().rposition(|&m| m == monitor)
        {
            held.remove(i);
        }
    }
    /// Places that are no more.
    pub fn forget(&mut self, is_gone: impl Fn(Place) -> bool) {
        self.variables.retain(|&p, _| !is_gone(p));
    }
    /// An access, at a number of bytecodes: whether others could notice it, as far as is known.
    pub fn touch(&mut self, step: &Step, now: i64) -> bool {
        let (t, place) = (step.thread, step.op.place);
        let alters = matches!(step.op.kind, OpKind::Enter | OpKind::InitBegin);
        let writes = step.op.kind.writes() || alters;
        let held = self.held.get(t.index()).map_or(&[][..], |h| h);
        let v = match self.variables.entry(place) {
            Entry::Occupied(v) => v.into_mut(),
            Entry::Vacant(none) => {
                none.insert(Variable {
                    owner: t,
                    at: now,
                    sites: SmallVec::from_slice(&[step.site]),
                    written: writes,
                    shared: false,
                    matters: false,
                    monitors: held.to_vec(),
                });
                return false;
            }
        };
        if v.owner != t && !v.shared {
            if begins_after(&self.parents, t, v.owner, v.at) {
                // it is the thread's own now
                (v.written, v.monitors) = (false, held.to_vec());
                v.sites.clear();
            } else {
                v.shared = true;
            }
        }
        v.monitors.retain(|m| held.contains(m));
        v.matters |= v.shared && (writes || v.written);
        let matters = v.matters && v.monitors.is_empty();
        if !v.sites.contains(&step.site) {
            v.sites.push(step.site);
        }
        if matters {
            // all of them: a schedule in which the other thread comes earlier meets another one than the last
            self.found.extend(v.sites.drain(..).filter(|&s| s != 0));
        }
        (v.owner, v.at) = (t, now);
        v.written |= writes;
        matters
    }
}

/// Whether `t` or a thread that it descends from was started by `other`, or one descending from it, after `at`.
fn begins_after(
    parents: &HashMap<ThreadNo, (ThreadNo, i64)>,
    t: ThreadNo,
    other: ThreadNo,
    at: i64,
) -> bool {
    let mut t = t;
    while let Some(&(parent, started)) = parents.get(&t) {
        if parent == other {
            return started >= at;
        }
        t = parent;
    }
    false
}
