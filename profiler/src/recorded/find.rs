//! The facts about recorded contexts that must be known before a visit in order.

use super::Recorded;
use crate::cct::{ContextNode, UPCALL, Visit, Walk};
use crate::lens::{Lens, Placement};
use crate::method::{MethodInfo, printable};
use crate::profile::{About, Ids, Kind, MethodNames, Part, Threads, thread_label};
use crate::tree::{Extra, HiddenCounts, index_of};

/// The found contexts.
pub(super) struct FoundContexts {
    /// Those that are shown, in the order of their labels.
    pub methods: Vec<MethodInfo>,
    pub ids: Ids,
    /// `None` if everything is shown as it was recorded.
    pub lens: Option<Lens>,
    /// The trees.
    pub groups: Vec<RecordedTree>,
    /// Facts about the run and about the shown part of it.
    pub about: About,
}

/// A tree.
pub(super) struct RecordedTree {
    /// `None` if it is of several threads merged.
    pub name: Option<String>,
    pub id: u64,
    /// Of which it is made.
    pub walks: Vec<Walk>,
    /// Bytecodes that belong to no context that is shown.
    pub remainder: u64,
    /// Has any of the contexts allocations, or counts of bytecodes?
    pub allocated: bool,
    pub counted: bool,
    /// Has any of them bytecodes of contexts that are not shown, with a call site?
    pub caused: bool,
}

impl FoundContexts {
    /// Has any context allocations?
    pub fn allocated(&self) -> bool {
        self.groups.iter().any(|group| group.allocated)
    }

    /// Has any of them bytecodes of contexts that are not shown, with a call site?
    pub fn caused(&self) -> bool {
        self.groups.iter().any(|group| group.caused)
    }

    /// Has any of them counts of bytecodes?
    pub fn counted(&self) -> bool {
        self.groups.iter().any(|group| group.counted)
    }
}

impl Recorded {
    /// `resolve` describes the method of an id, `extra` fills in the optional columns of a node.
    pub(super) fn find(
        &self,
        resolve: impl FnMut(u32) -> MethodInfo,
        mut extra: impl FnMut(&Visit, &mut Extra),
    ) -> FoundContexts {
        let mut names = MethodNames::new(resolve);
        match &self.methods {
            Some(methods) => methods.iter().for_each(|&method| {
                names.index(method);
            }),
            None => self.walks().flatten().for_each(|visit| {
                names.index(visit.method);
            }),
        }
        let (methods, _, ids) = names.finish_with_ids();
        let mut found = FoundContexts {
            methods,
            ids,
            lens: None,
            groups: self.groups(),
            about: self.about.clone(),
        };
        found.about.extend(self.view.about());
        let natives = || found.methods.iter().any(|method| method.native);
        let hides = self.view.part != Part::All || !self.view.natives && natives();
        if hides || self.upcalls || !self.filter.is_all() {
            self.look(&mut found, &mut extra);
        } else {
            self.find_columns(&mut found.groups, &mut extra);
        }
        if !self.filter.is_all() {
            found.about.extend(self.filter.about());
        }
        found
    }

    /// Which columns there are, where everything is shown.
    fn find_columns(&self, groups: &mut [RecordedTree], extra: &mut dyn FnMut(&Visit, &mut Extra)) {
        let mut columns = Extra::default();
        for group in groups {
            for visit in group.walks.clone().into_iter().flatten() {
                if !group.lacks_columns(self) {
                    break;
                }
                columns.clear();
                extra(&visit, &mut columns);
                group.note(&columns, true);
            }
        }
    }

    /// Looks at all contexts for what becomes of them.
    fn look(&self, found: &mut FoundContexts, extra: &mut dyn FnMut(&Visit, &mut Extra)) {
        let mut look = ContextScan {
            recorded: self,
            ids: &found.ids,
            lens: Lens::new(&self.view, &self.filter, &found.methods, &found.ids),
            used: vec![false; found.methods.len()],
            hidden: HiddenCounts::default(),
            uncaused: 0,
            extra,
            columns: Extra::default(),
        };
        look.lens.upcalls = self.upcalls;
        for group in &mut found.groups {
            let mut roots = Vec::new();
            for walk in group.walks.clone() {
                look.tree(walk, group, &mut roots);
            }
            group.walks.extend(roots);
        }
        let ContextScan {
            mut lens,
            used,
            hidden,
            uncaused,
            ..
        } = look;
        lens.allocations = found.allocated();
        lens.sites = found.caused();
        found.lens = Some(lens);
        let mut next = 0;
        let renamed = used.iter().map(|&used| {
            next += u32::from(used);
            match used {
                true => next - 1,
                false => u32::MAX,
            }
        });
        found.ids.rename(&renamed.collect::<Vec<u32>>());
        let mut each = used.iter();
        found.methods.retain(|_| each.next() == Some(&true));
        let message = self.view.about_hidden(Kind::Exact, hidden, uncaused);
        found.about.extend(message);
    }

    /// The trees, in the order in which they are shown.
    fn groups(&self) -> Vec<RecordedTree> {
        let group = |name: Option<String>, id: u64, walks: Vec<Walk>| RecordedTree {
            name,
            id,
            walks,
            remainder: 0,
            allocated: false,
            counted: false,
            caused: false,
        };
        if self.view.threads == Threads::Merged {
            let ids = self.threads.iter().map(|thread| thread.id);
            let walks = self.walks().collect();
            return vec![group(None, ids.min().unwrap_or(0), walks)];
        }
        let each = self.threads.iter().map(|thread| {
            let name = printable(&thread.name);
            group(Some(name), thread.id, thread.walks.clone())
        });
        let mut all: Vec<RecordedTree> = each.collect();
        all.sort_by(|a, b| (a.id, &a.name).cmp(&(b.id, &b.name)));
        if self.view.threads == Threads::ByName {
            all.sort_by_cached_key(|group| group.name.as_deref().map(thread_label));
            all.dedup_by(|next, kept| {
                let same = next.name == kept.name;
                if same {
                    kept.walks.append(&mut next.walks);
                    kept.id = kept.id.min(next.id);
                }
                same
            });
        }
        all
    }
}

impl RecordedTree {
    /// Has any of the contexts optional columns?
    pub fn has_columns(&self) -> bool {
        self.allocated || self.counted || self.caused
    }

    /// Might it have columns that have not been found yet?
    fn lacks_columns(&self, recorded: &Recorded) -> bool {
        recorded.allocations && !self.allocated || recorded.counts && !self.counted
    }

    /// Notes the columns of a node whose counts are reported: those of single bytecodes too if it is shown.
    fn note(&mut self, columns: &Extra, shown: bool) {
        self.allocated |= !columns.allocation().is_none();
        self.counted |= shown && columns.counts.iter().any(|count| count.1 > 0);
    }
}

/// A look at all contexts.
struct ContextScan<'a> {
    recorded: &'a Recorded,
    ids: &'a Ids,
    lens: Lens,
    /// Which methods have contexts that are shown.
    used: Vec<bool>,
    /// What the view hides.
    hidden: HiddenCounts,
    /// The bytecodes among that which nothing the view shows has called.
    uncaused: u64,
    extra: &'a mut dyn FnMut(&Visit, &mut Extra),
    columns: Extra,
}

/// A context that is open.
struct OpenContext {
    node: *const ContextNode,
    method: u32,
    /// Where the nearest context that is shown called it, or called what led to it.
    site: u32,
    place: Placement,
    /// Shown contexts in its path, itself among them.
    depth: usize,
    /// Does the view show any of its path?
    caused: bool,
    /// Is it shown without its callers?
    upcall: bool,
    /// Its bytecodes with callees, and without the visited callees.
    inclusive: i64,
    own: i64,
    /// Those that vanish or are shown elsewhere.
    lost: u64,
}

impl ContextScan<'_> {
    /// Looks at a tree of a group, and finds the contexts to show without callers.
    fn tree(&mut self, mut walk: Walk, group: &mut RecordedTree, roots: &mut Vec<Walk>) {
        let mut open: Vec<OpenContext> = Vec::new();
        loop {
            let below = walk.below();
            let Some(visit) = walk.next() else { break };
            self.leave_to(visit.depth, &mut open, group);
            let caller = open.last_mut();
            let upcall = caller.is_some() && self.lens.upcalls && visit.site == UPCALL;
            if upcall {
                roots.push(below);
            }
            let caller = caller.map(|caller| {
                caller.own = caller.own.wrapping_sub(visit.inclusive);
                &*caller
            });
            let caller = caller.filter(|_| !upcall);
            let depth = caller.map_or(0, |caller| caller.depth);
            let by = caller.map(|caller| (caller.method, caller.place));
            let place = self.lens.place(visit.method, by, depth);
            let frame = OpenContext {
                node: visit.node,
                method: visit.method,
                site: match caller {
                    Some(caller) if !caller.place.shown => caller.site,
                    _ => visit.site,
                },
                place,
                depth: depth + usize::from(place.shown),
                caused: place.viewed || caller.is_some_and(|caller| caller.caused),
                upcall,
                inclusive: visit.inclusive,
                own: visit.inclusive,
                lost: 0,
            };
            if place.shown {
                self.used[self.ids.index(visit.method) as usize] = true;
            }
            if !place.viewed {
                self.hidden.add(HiddenCounts {
                    invocations: visit.invocations,
                    bytecodes: 0,
                });
            }
            if group.lacks_columns(self.recorded) && place.kept && frame.depth > 0 {
                self.columns.clear();
                (self.extra)(&visit, &mut self.columns);
                group.note(&self.columns, place.shown);
            }
            open.push(frame);
        }
        self.leave_to(0, &mut open, group);
    }

    fn leave_to(&mut self, depth: usize, open: &mut Vec<OpenContext>, group: &mut RecordedTree) {
        while open.len() > depth
            && let Some(frame) = open.pop()
        {
            // One that is negative is refused when the contexts are visited.
            let own = u64::try_from(frame.own).unwrap_or(0);
            let mut lost = frame.lost;
            if frame.place.shown {
                if lost > 0 {
                    self.lens.lost.insert(frame.node, lost);
                }
            } else if !frame.place.kept {
                lost = lost.saturating_add(own);
            } else if frame.depth == 0 {
                group.remainder = group.remainder.saturating_add(own);
            } else if own > 0 && self.recorded.call_sites {
                group.caused |= index_of(frame.site).is_some();
            }
            if !frame.place.viewed {
                self.hidden.add(HiddenCounts {
                    invocations: 0,
                    bytecodes: own,
                });
                if frame.place.kept && !frame.caused {
                    self.uncaused = self.uncaused.saturating_add(own);
                }
            }
            if let Some(caller) = open.last_mut() {
                caller.lost = caller.lost.saturating_add(match frame.upcall {
                    true => frame.inclusive as u64,
                    false => lost,
                });
            }
        }
    }
}
