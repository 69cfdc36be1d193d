//! The kept part of a tree that is pruned as it comes.

use crate::cct::NO_SITE;
use crate::tree::{Allocation, Extra, PreorderContext, site_order};
use std::collections::HashMap;

/// The counts of a context that is kept, or of a method below `[pruned]`.
#[derive(Clone, Copy)]
pub(super) struct TrunkCounts {
    /// The context that is kept and called the others from there; those of roots come after all others.
    of: u32,
    pub method: u32,
    pub invocations: u64,
    pub bytecodes: u64,
}

/// A context that is kept.
pub(super) struct KeptContext {
    pub site: u32,
    pub depth: u32,
    /// It is `of` itself.
    pub counts: TrunkCounts,
}

/// What a pruned tree consists of.
#[derive(Clone, Copy)]
pub(super) enum TrunkPart<'a> {
    /// A context, or what represents some, at this depth with this call site.
    Shown(&'a TrunkCounts, usize, u32),
    /// Counts of hidden contexts: they belong to the last shown context at the depth above.
    Added(&'a TrunkCounts, usize),
}

/// The contexts of one package that are left out below a context.
struct PackageGroup {
    /// The context that is kept.
    of: u32,
    /// The method that represents the package; `[pruned]` for methods without one.
    method: u32,
    /// Where its methods are in [`Trunk::folded`].
    from: usize,
    to: usize,
    /// The sum of these.
    bytecodes: u64,
    shown: bool,
}

/// No context, or the caller of roots.
const NONE: u32 = u32::MAX;

/// Counts of single bytecodes in any order.
type BytecodeCounts = Vec<(u16, u64)>;

/// A tree that is pruned.
pub(super) struct Trunk {
    /// In the order of the profile.
    kept: Vec<KeptContext>,
    /// The omitted contexts, by caller, package and method, after they have been added up.
    folded: Vec<TrunkCounts>,
    /// Which of these are shown.
    shown: Vec<bool>,
    /// The packages of these, in the same order.
    packages: Vec<PackageGroup>,
    /// The number of `[pruned]`.
    pruned: u32,
    /// The contexts that are open.
    path: Vec<u32>,
    /// Contexts below this depth are folded.
    from: Option<usize>,
    /// By method, whose callee it was below `[pruned]` at last, and where that is counted.
    latest: Vec<(u32, u32)>,
    /// Counts of single bytecodes of the remaining contexts, which have no method here, and of methods below `[pruned]`.
    executed: HashMap<(u32, u32), BytecodeCounts>,
    /// What callees of those that are stored have executed and are not shown, by call site.
    caused: HashMap<u32, BytecodeCounts>,
    /// Allocations, in the same way.
    allocated: HashMap<(u32, u32), Allocation>,
    extra: Extra,
}

impl Trunk {
    /// Of a tree of methods with these representatives.
    pub fn new(groups: &[u32]) -> Trunk {
        Trunk {
            kept: Vec::new(),
            folded: Vec::new(),
            shown: Vec::new(),
            packages: Vec::new(),
            pruned: NONE,
            path: Vec::new(),
            from: None,
            // no caller has that number
            latest: vec![(NONE - 1, 0); groups.len()],
            executed: HashMap::new(),
            caused: HashMap::new(),
            allocated: HashMap::new(),
            extra: Extra::default(),
        }
    }

    /// Is nothing there?
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.folded.is_empty()
    }

    /// Is the next context, of this depth, below one that was folded?
    pub fn is_folded(&mut self, depth: usize) -> bool {
        self.from = self.from.filter(|&from| depth > from);
        self.from.is_some()
    }

    /// Keeps a context.
    pub fn keep(
        &mut self,
        context: &PreorderContext,
        columns: &mut dyn FnMut(&mut Extra),
        method: u32,
    ) {
        let number = self.kept.len() as u32;
        self.path.truncate(context.depth);
        self.path.push(number);
        columns(&mut self.extra);
        self.note_executed((number, NONE));
        self.note_allocated((number, NONE));
        if !self.extra.caused.is_empty() {
            let caused = std::mem::take(&mut self.extra.caused);
            self.caused.insert(number, caused);
        }
        let counts = TrunkCounts::of(number, context, method);
        self.kept.push(KeptContext {
            site: context.site,
            depth: context.depth as u32,
            counts,
        });
    }

    /// The next context, of this depth, is folded with all below it.
    pub fn begin_fold(&mut self, depth: usize) {
        self.path.truncate(depth);
        self.from = Some(depth);
    }

    /// Adds a context to those of its method which are left out.
    pub fn fold(
        &mut self,
        context: &PreorderContext,
        columns: &mut dyn FnMut(&mut Extra),
        method: u32,
    ) {
        let caller = self.path.last().copied().unwrap_or(NONE);
        columns(&mut self.extra);
        self.note_executed((caller, method));
        self.note_allocated((caller, method));
        let more = TrunkCounts::of(caller, context, method);
        let (of, at) = self.latest[method as usize];
        if of == caller {
            self.folded[at as usize].add(&more);
            return;
        }
        self.latest[method as usize] = (caller, self.folded.len() as u32);
        self.folded.push(more);
    }

    /// Adds the allocation that came last.
    fn note_allocated(&mut self, to: (u32, u32)) {
        let more = self.extra.allocation();
        if !more.is_none() {
            self.allocated.entry(to).or_default().add(more);
        }
    }

    /// Adds the counts of single bytecodes that came last.
    fn note_executed(&mut self, to: (u32, u32)) {
        if self.extra.counts.is_empty() {
            return;
        }
        let executed = self.executed.entry(to).or_default();
        let before = executed.len();
        executed.append(&mut self.extra.counts);
        if before > 0 {
            let mut sum = Extra {
                counts: std::mem::take(executed),
                ..Extra::default()
            };
            sum.normalise();
            *executed = sum.counts;
        }
    }

    /// Makes one of those that are of one method and caller: all have come. By method, what represents it, and the number
    /// of `[pruned]`.
    pub fn add_up(&mut self, groups: &[u32], pruned: u32) {
        self.latest = Vec::new();
        self.pruned = pruned;
        let group = |counts: &TrunkCounts| groups[counts.method as usize];
        self.folded
            .sort_unstable_by_key(|counts| (counts.of, group(counts), counts.method));
        self.folded.dedup_by(|next, kept| {
            let same = (next.of, next.method) == (kept.of, kept.method);
            if same {
                kept.add(next);
            }
            same
        });
        self.folded.shrink_to_fit();
        self.shown = vec![false; self.folded.len()];
        let mut from = 0;
        let alike = |a: &TrunkCounts, b: &TrunkCounts| (a.of, group(a)) == (b.of, group(b));
        for all in self.folded.chunk_by(alike) {
            let to = from + all.len();
            let sum = |sum: u64, counts: &TrunkCounts| sum.saturating_add(counts.bytecodes);
            self.packages.push(PackageGroup {
                of: all[0].of,
                method: group(&all[0]),
                from,
                to,
                bytecodes: all.iter().fold(0, sum),
                shown: false,
            });
            from = to;
        }
    }

    /// The omitted contexts below a caller, by package.
    fn below(&self, of: u32) -> &[PackageGroup] {
        let from = self.packages.partition_point(|group| group.of < of);
        let rest = &self.packages[from..];
        &rest[..rest.partition_point(|group| group.of == of)]
    }

    /// How many contexts there are with `[pruned]` but without packages and methods, and frames in their stacks.
    pub fn takes(&self) -> (u64, u64) {
        let mut takes = (0, 0);
        let mut take = |depth: u64| {
            takes.0 += 1;
            takes.1 += depth + 1;
        };
        self.kept.iter().for_each(|kept| take(kept.depth.into()));
        let callers = self.packages.chunk_by(|a, b| a.of == b.of);
        callers.for_each(|below| take(self.depth_below(below[0].of) as u64));
        takes
    }

    /// Visits the packages of contexts that are left out, and below each its methods: bytecodes and depth.
    pub fn each_below(&self, mut each: impl FnMut(u64, usize)) {
        for group in &self.packages {
            let depth = self.depth_below(group.of);
            if group.method != self.pruned {
                each(group.bytecodes, depth);
            }
            for counts in &self.folded[group.from..group.to] {
                if counts.method != group.method {
                    each(counts.bytecodes, depth + 1);
                }
            }
        }
    }

    /// Decides by their bytecodes, in the same order, which of them are shown.
    pub fn choose(&mut self, mut keeps: impl FnMut(u64) -> bool) {
        for group in &mut self.packages {
            group.shown = group.method != self.pruned && keeps(group.bytecodes);
            for at in group.from..group.to {
                let counts = &self.folded[at];
                self.shown[at] = counts.method != group.method && keeps(counts.bytecodes);
            }
        }
    }

    /// The depth of the callees of a remaining context.
    fn depth_below(&self, of: u32) -> usize {
        let kept = self.kept.get(of as usize);
        kept.map_or(0, |kept| kept.depth as usize + 1)
    }

    /// By what the optional columns are known.
    fn key(&self, counts: &TrunkCounts) -> (u32, u32) {
        let kept = self.kept.get(counts.of as usize);
        match kept.is_some_and(|kept| std::ptr::eq(&kept.counts, counts)) {
            true => (counts.of, NONE),
            false => (counts.of, counts.method),
        }
    }

    /// The allocations there.
    pub fn allocation(&self, counts: &TrunkCounts) -> Allocation {
        match self.allocated.is_empty() {
            true => Allocation::NONE,
            false => self
                .allocated
                .get(&self.key(counts))
                .copied()
                .unwrap_or_default(),
        }
    }

    /// The optional columns.
    pub fn extra(&self, counts: &TrunkCounts) -> Extra {
        let mut extra = Extra::default();
        extra.set_allocation(self.allocation(counts));
        if let Some(executed) = self.executed.get(&self.key(counts)) {
            extra.counts.clone_from(executed);
        }
        if let (of, NONE) = self.key(counts)
            && let Some(caused) = self.caused.get(&of)
        {
            extra.caused.clone_from(caused);
        }
        extra.normalise();
        extra
    }

    /// All there is, in the order of the profile.
    pub fn each<E>(&self, mut each: impl FnMut(TrunkPart<'_>) -> Result<(), E>) -> Result<(), E> {
        // What represents others below those that are open and is still to come; the caller of roots is first.
        let mut open = vec![self.representatives(NONE)];
        for (number, kept) in (0u32..).zip(&self.kept) {
            let depth = kept.depth as usize;
            while open.len() > depth + 1 {
                let rest = open.pop().unwrap_or_default();
                self.show(rest, &mut each)?;
            }
            let before = |next: &Representative<'_>| {
                (site_order(NO_SITE), next.method) < (site_order(kept.site), kept.counts.method)
            };
            if let Some(waiting) = open.last_mut() {
                let first: Vec<_> = waiting.iter().copied().take_while(before).collect();
                waiting.drain(..first.len());
                self.show(first, &mut each)?;
            }
            each(TrunkPart::Shown(&kept.counts, depth, kept.site))?;
            open.push(self.representatives(number));
        }
        while let Some(rest) = open.pop() {
            self.show(rest, &mut each)?;
        }
        Ok(())
    }

    /// What represents others below a caller, in the order of the profile: packages that are shown, and `[pruned]` if there
    /// are others.
    fn representatives(&self, of: u32) -> Vec<Representative<'_>> {
        let below = self.below(of);
        let mut all: Vec<_> = below
            .iter()
            .filter(|group| group.shown)
            .map(|group| Representative {
                method: group.method,
                of,
                groups: std::slice::from_ref(group),
            })
            .collect();
        if below.iter().any(|group| !group.shown) {
            let at = all.partition_point(|shown| shown.method < self.pruned);
            let pruned = Representative {
                method: self.pruned,
                of,
                groups: below,
            };
            all.insert(at, pruned);
        }
        all
    }

    fn show<E>(
        &self,
        all: Vec<Representative<'_>>,
        each: &mut impl FnMut(TrunkPart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for Representative { method, of, groups } in all {
            let depth = self.depth_below(of);
            let nothing = TrunkCounts {
                of,
                method,
                invocations: 0,
                bytecodes: 0,
            };
            let mine = groups
                .iter()
                .filter(|group| group.shown == (method != self.pruned));
            let mine = mine.flat_map(|group| group.from..group.to);
            let of_method = |&at: &usize| self.folded[at].method == method;
            let itself = mine.clone().find(of_method);
            let itself = itself.map_or(&nothing, |at| &self.folded[at]);
            each(TrunkPart::Shown(itself, depth, NO_SITE))?;
            // What is added comes first: it belongs to this one, and not to what is below.
            let others = mine.filter(|at| !of_method(at));
            let (shown, added): (Vec<usize>, Vec<usize>) = others.partition(|&at| self.shown[at]);
            for at in added {
                each(TrunkPart::Added(&self.folded[at], depth + 1))?;
            }
            for at in shown {
                each(TrunkPart::Shown(&self.folded[at], depth + 1, NO_SITE))?;
            }
        }
        Ok(())
    }
}

/// What represents contexts that are left out: a package, or `[pruned]` for the packages that are not shown.
#[derive(Clone, Copy)]
struct Representative<'a> {
    method: u32,
    /// The context that is kept.
    of: u32,
    groups: &'a [PackageGroup],
}

impl TrunkCounts {
    fn of(of: u32, context: &PreorderContext, method: u32) -> TrunkCounts {
        TrunkCounts {
            of,
            method,
            invocations: context.invocations,
            bytecodes: context.bytecodes,
        }
    }

    fn add(&mut self, more: &TrunkCounts) {
        self.invocations = self.invocations.saturating_add(more.invocations);
        self.bytecodes = self.bytecodes.saturating_add(more.bytecodes);
    }
}
