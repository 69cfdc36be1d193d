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
pub(super) enum TrunkContext<'a> {
    /// A context that is kept.
    Kept(&'a KeptContext),
    /// `[pruned]`, at this depth, with what is not reported by method.
    Pruned(&'a TrunkCounts, usize),
    /// A method below it.
    ByMethod(&'a TrunkCounts, usize),
}

/// No context, or the caller of roots.
const NONE: u32 = u32::MAX;

/// Counts of single bytecodes in any order.
type BytecodeCounts = Vec<(u16, u64)>;

/// A tree that is pruned.
pub(super) struct Trunk {
    /// In the order of the profile.
    kept: Vec<KeptContext>,
    /// What is below `[pruned]`, by caller and method when it has been added up.
    folded: Vec<TrunkCounts>,
    /// The contexts that are open.
    path: Vec<u32>,
    /// What is below this depth is folded.
    from: Option<usize>,
    /// By method, whose callee it was below `[pruned]` at last, and where that is counted.
    latest: Vec<(u32, u32)>,
    /// Counts of single bytecodes of what is kept, which has no method here, and of methods below `[pruned]`.
    executed: HashMap<(u32, u32), BytecodeCounts>,
    /// What callees of those that are stored have executed and are not shown, by call site.
    caused: HashMap<u32, BytecodeCounts>,
    /// What was allocated, in the same way.
    allocated: HashMap<(u32, u32), Allocation>,
    extra: Extra,
}

impl Trunk {
    /// Of a tree with so many methods.
    pub fn new(methods: usize) -> Trunk {
        Trunk {
            kept: Vec::new(),
            folded: Vec::new(),
            path: Vec::new(),
            from: None,
            // no caller has that number
            latest: vec![(NONE - 1, 0); methods],
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

    /// Adds a context to those of its method below `[pruned]`; to that itself, if it is of the method `own`.
    pub fn fold(
        &mut self,
        context: &PreorderContext,
        columns: &mut dyn FnMut(&mut Extra),
        method: u32,
        own: u32,
    ) {
        let caller = self.path.last().copied().unwrap_or(NONE);
        columns(&mut self.extra);
        if method != own {
            self.note_executed((caller, method));
        }
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

    /// Makes one of those that are of one method and caller: all have come.
    pub fn add_up(&mut self) {
        self.latest = Vec::new();
        self.folded
            .sort_unstable_by_key(|counts| (counts.of, counts.method));
        self.folded.dedup_by(|next, kept| {
            let same = (next.of, next.method) == (kept.of, kept.method);
            if same {
                kept.add(next);
            }
            same
        });
        self.folded.shrink_to_fit();
    }

    /// What is below `[pruned]` of a caller.
    fn below(&self, of: u32) -> &[TrunkCounts] {
        let from = self.folded.partition_point(|counts| counts.of < of);
        let rest = &self.folded[from..];
        &rest[..rest.partition_point(|counts| counts.of == of)]
    }

    /// How many contexts there are without methods below `[pruned]`, and frames in their stacks.
    pub fn takes(&self) -> (u64, u64) {
        let mut takes = (0, 0);
        let mut take = |depth: u64| {
            takes.0 += 1;
            takes.1 += depth + 1;
        };
        self.kept.iter().for_each(|kept| take(kept.depth.into()));
        let callers = self.folded.chunk_by(|a, b| a.of == b.of);
        callers.for_each(|below| take(self.depth_below(below[0].of) as u64));
        takes
    }

    /// The depth of what a context that is kept has called.
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

    /// All there is, in the order of the profile, where `[pruned]` has this number.
    pub fn each<E>(
        &self,
        own: u32,
        mut each: impl FnMut(TrunkContext<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        // Those that are open, the caller of roots first; is their `[pruned]` still to come?
        let mut open: Vec<(u32, bool)> = vec![(NONE, !self.below(NONE).is_empty())];
        for (number, kept) in (0u32..).zip(&self.kept) {
            while open.len() > kept.depth as usize + 1 {
                self.leave(&mut open, own, &mut each)?;
            }
            if let Some((of, waits)) = open.last_mut()
                && *waits
                && (site_order(kept.site), kept.counts.method) > (site_order(NO_SITE), own)
            {
                *waits = false;
                self.pruned(*of, own, &mut each)?;
            }
            each(TrunkContext::Kept(kept))?;
            open.push((number, !self.below(number).is_empty()));
        }
        while !open.is_empty() {
            self.leave(&mut open, own, &mut each)?;
        }
        Ok(())
    }

    fn leave<E>(
        &self,
        open: &mut Vec<(u32, bool)>,
        own: u32,
        each: &mut impl FnMut(TrunkContext<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        match open.pop() {
            Some((of, true)) => self.pruned(of, own, each),
            _ => Ok(()),
        }
    }

    /// `[pruned]` of a caller, and what is below it.
    fn pruned<E>(
        &self,
        of: u32,
        own: u32,
        each: &mut impl FnMut(TrunkContext<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (below, depth) = (self.below(of), self.depth_below(of));
        let itself = below.iter().find(|counts| counts.method == own);
        let nothing = TrunkCounts {
            of,
            method: own,
            invocations: 0,
            bytecodes: 0,
        };
        each(TrunkContext::Pruned(itself.unwrap_or(&nothing), depth))?;
        let reported = below.iter().filter(|counts| counts.method != own);
        reported
            .into_iter()
            .try_for_each(|reported| each(TrunkContext::ByMethod(reported, depth + 1)))
    }
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
