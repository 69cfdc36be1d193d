//! Prunes profiles: the contexts with most bytecodes stay, and `[pruned]` represents the others.
//!
//! A context has at least as many bytecodes, callees included, as each of its callees, so whatever the limits,
//! the callers of a kept context stay too, and only whole subtrees are folded.
//!
//! The subtrees folded below a context are a callee `[pruned]` of it, and below that are the methods, each with all it
//! has there; those with few bytecodes are part of `[pruned]` itself. It is no option to add the counts to the caller's: a
//! compiler has millions of contexts, so that most bytecodes are in those which are folded.

mod trunk;

use crate::cct::NO_SITE;
use crate::export::percent;
use crate::method::MethodInfo;
use crate::numbers::grouped;
use crate::profile::{About, Profile, ThreadProfile};
use crate::tree::{Extra, PreorderContext, Tree, TreeError, TreeWriter};
use std::cmp::Reverse;
use std::fmt;
use trunk::{Trunk, TrunkContext};

/// The size to which a profile is pruned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Contexts with less than so many hundredths of a percent of all bytecodes, callees included, are folded.
    pub least: u64,
    /// The greatest number of contexts, `[pruned]` and the contexts below it included.
    pub contexts: Option<u64>,
    /// The greatest number of frames in the stacks of all contexts: formats with a stack for each context grow with it.
    pub frames: Option<u64>,
}

impl Limits {
    /// Everything is kept.
    pub const NONE: Limits = Limits {
        least: 0,
        contexts: None,
        frames: None,
    };

    /// The least bytecodes of a context that is kept: the share of these, rounded half up, is as great as requested.
    fn threshold(&self, total: u64) -> u64 {
        let (least, total) = (u128::from(self.least), u128::from(total));
        let least = (least * total).saturating_sub(total / 2).div_ceil(10_000);
        u64::try_from(least).unwrap_or(u64::MAX)
    }

    /// The hundredths of a text such as `0.05`.
    pub fn percentage(text: &str) -> Result<u64, &'static str> {
        match text.parse::<f64>() {
            Ok(percent @ 0.0..=100.0) => Ok((percent * 100.0).round() as u64),
            _ => Err("expected a percentage from 0 to 100"),
        }
    }
}

/// What became of a profile that was pruned. Its text says it to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pruned {
    /// Number of contexts that were kept.
    pub kept: u64,
    /// Number of contexts there were.
    pub of: u64,
    /// Bytecodes of the others: those that are below `[pruned]` now.
    pub folded: u64,
    /// All bytecodes.
    pub bytecodes: u64,
    /// Bytecodes of `[pruned]` itself: of the others, but not of methods that are reported there.
    pub unattributed: u64,
}

impl Pruned {
    /// The name of its text in [`Profile::about`].
    pub const NAME: &'static str = "Pruned";
}

impl fmt::Display for Pruned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} contexts, the others ({}% of the bytecodes) are folded into [pruned], by method except for {}%",
            grouped(self.kept),
            grouped(self.of),
            percent(self.folded, self.bytecodes),
            percent(self.unattributed, self.bytecodes),
        )
    }
}

/// What `profile.about` says of pruning.
pub(crate) fn about(about: &About) -> impl Iterator<Item = &str> {
    let own = about.iter().filter(|(name, _)| name == Pruned::NAME);
    own.map(|(_, text)| text.as_str())
}

impl Profile {
    /// The profile with those contexts that have most bytecodes, callees included, as far as the limits allow; of
    /// equals, the first in the order of the profile. The counts of the others are below `[pruned]`, so all sums stay
    /// as they are, and those of each method that is reported there; only counts of single bytecodes vanish without
    /// their methods. `None` if all contexts are within the limits.
    ///
    /// ```
    /// use rjvm_profiler::{Limits, export::paths};
    ///
    /// let text = "A.a()V\t1\t5\nA.a()V;A.b()V\t1\t20\nA.a()V;A.b()V;A.c()V\t1\t2\nA.a()V;A.c()V\t1\t3\n";
    /// let profile = paths::read(&mut text.as_bytes())?;
    /// let limits = Limits { least: 1000, ..Limits::NONE };
    /// let (pruned, what) = profile.pruned(&limits).unwrap();
    /// assert_eq!(pruned.method("A.b()V").unwrap().bytecodes, 20);
    /// assert_eq!(pruned.method("[pruned].contexts()V").unwrap().bytecodes, 2);
    /// assert_eq!(pruned.totals().bytecodes, profile.totals().bytecodes);
    /// assert_eq!((what.kept, what.of, what.folded), (3, 4, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pruned(&self, limits: &Limits) -> Option<(Profile, Pruned)> {
        if *limits == Limits::NONE {
            return None;
        }
        // What a reader sees decides: of samples that is estimated.
        let seen = self.estimated();
        let all = Trees {
            profile: self,
            sums: seen.threads.iter().map(|t| t.tree.inclusive()).collect(),
        };
        let total = seen.totals().bytecodes;
        drop(seen);
        let (trees, what, methods) = prune(&all, total, limits).expect(SMALLER)?;
        let threads = self.threads.iter().zip(trees);
        let threads = threads.map(|(thread, tree)| ThreadProfile {
            name: thread.name.clone(),
            tree,
            ..*thread
        });
        let profile = Profile {
            threads: threads.collect(),
            methods,
            about: self.about.clone(),
            ..*self
        };
        Some(finished(profile, what))
    }
}

/// What is pruned: contexts that are visited several times.
pub(crate) trait ContextSource {
    /// All methods, in the order of their labels.
    fn methods(&self) -> &[MethodInfo];
    /// How many trees there are.
    fn trees(&self) -> usize;
    /// Visits the contexts of a tree in preorder. What is below one is passed over if `each` says so.
    fn visit(&self, tree: usize, each: &mut Each<'_>) -> Result<(), TreeError>;
}

/// Is given a context, of which the allocation is not told, the bytecodes of itself and all below it, and what fills in
/// the optional columns; reports whether what is below is to be visited.
pub(crate) type Each<'a> =
    dyn FnMut(&PreorderContext, u64, &mut dyn FnMut(&mut Extra)) -> bool + 'a;

struct Trees<'a> {
    profile: &'a Profile,
    sums: Vec<Vec<u64>>,
}

impl ContextSource for Trees<'_> {
    fn methods(&self) -> &[MethodInfo] {
        &self.profile.methods
    }

    fn trees(&self) -> usize {
        self.sums.len()
    }

    fn visit(&self, tree: usize, each: &mut Each<'_>) -> Result<(), TreeError> {
        let (tree, sums) = (&self.profile.threads[tree].tree, &self.sums[tree]);
        tree.visit(|index, context| {
            each(context, sums[index as usize], &mut |extra| {
                tree.extra(index, extra);
            })
        });
        Ok(())
    }
}

/// The pruned trees, what became of the contexts, and the methods, `[pruned]` among them; `None` if all contexts are within
/// the limits. All bytecodes are `total`.
pub(crate) type Trunks = (Vec<Tree>, Pruned, Vec<MethodInfo>);

/// See [`Profile::pruned`].
pub(crate) fn prune(
    all: &dyn ContextSource,
    total: u64,
    limits: &Limits,
) -> Result<Option<Trunks>, TreeError> {
    let at = limits.threshold(total);
    let names = LabelledMethods::new(all.methods());
    // Half of the room is for the stored contexts and `[pruned]`, half for methods there.
    let room = [limits.contexts, limits.frames].into_iter().flatten().min();
    let room = room.unwrap_or(u64::MAX);
    let most = usize::try_from(room / 2).unwrap_or(usize::MAX);
    let least = match names.known {
        // Contexts below `[pruned]` are reported again, and take of no room.
        true => at,
        false => total / 64,
    };
    let mut large = Large::find(all, least.max(at), at, |found| {
        found.sums.len() >= most || found.frames > half(limits.frames)
    })?;
    let number = if large.all {
        let few =
            large.sums.len() as u64 <= room && limits.frames.is_none_or(|n| large.frames <= n);
        if few && !large.others {
            return Ok(None);
        }
        large.sums.len().min(most)
    } else {
        let counted = Counted::until(all, at, room, most as u64, limits)?;
        if counted.fit {
            return Ok(None);
        }
        usize::try_from(counted.large).map_or(most, |n| n.min(most))
    };
    let pruner = Pruner { all, names };
    let numbers = std::iter::successors(Some(number), |&n| Some(n / 2));
    let mut found = None;
    for number in numbers.take_while(|&n| n > 0) {
        // Those that were found take more room than there is.
        if number > large.sums.len() {
            continue;
        }
        let cut = Cut::greatest(&mut large.sums, number);
        if pruner.fits(cut, limits)? {
            found = Some(cut);
            break;
        }
    }
    drop(large);
    let made = match found {
        Some(cut) => pruner.trunks(cut, limits)?,
        // The least there can be is `[pruned]` for each thread.
        None => pruner.trunks(Cut::NOTHING, &Limits::NONE)?.map(|mut made| {
            let all = made.trunks.iter().filter(|trunk| !trunk.is_empty()).count() as u64;
            let left = |limit: Option<u64>| limit.map_or(u64::MAX, |n| n.saturating_sub(all));
            (made.contexts, made.frames) = (left(limits.contexts), left(limits.frames));
            made
        }),
    };
    let Some(made) = made else {
        return Ok(None);
    };
    let what = Pruned {
        kept: made.kept,
        of: made.of,
        folded: made.folded,
        bytecodes: total,
        unattributed: 0,
    };
    let trees = pruner.trees(made, at)?;
    Ok(Some((trees, what, pruner.names.methods)))
}

/// The largest contexts.
#[derive(Default)]
struct Large {
    /// The bytecodes of each.
    sums: Vec<u64>,
    /// The frames of all of them.
    frames: u64,
    /// Are there others?
    others: bool,
    /// Are these all that are large enough?
    all: bool,
}

impl Large {
    /// Those with at least `least` bytecodes; with fewer, if that is not enough, down to `at`.
    fn find(
        all: &dyn ContextSource,
        mut least: u64,
        at: u64,
        enough: impl Fn(&Large) -> bool,
    ) -> Result<Large, TreeError> {
        loop {
            let mut found = Large::default();
            for tree in 0..all.trees() {
                all.visit(tree, &mut |context, sum, _| {
                    if sum < least {
                        found.others = true;
                        return false;
                    }
                    found.sums.push(sum);
                    found.frames = found.frames.saturating_add(context.depth as u64 + 1);
                    true
                })?;
            }
            found.all = least <= at || !found.others;
            if found.all || enough(&found) {
                return Ok(found);
            }
            least = (least / 3).max(at);
        }
    }
}

/// How many contexts there are, as far as that matters.
struct Counted {
    /// Those that are large enough.
    large: u64,
    /// Are all of them, and within the limits?
    fit: bool,
}

impl Counted {
    /// Counts until it is known that not all fit and that `most` are large enough.
    fn until(
        all: &dyn ContextSource,
        at: u64,
        room: u64,
        most: u64,
        limits: &Limits,
    ) -> Result<Counted, TreeError> {
        let (mut of, mut large, mut frames) = (0u64, 0u64, 0u64);
        let fit = |of: u64, large: u64, frames: u64| {
            large == of && of <= room && limits.frames.is_none_or(|n| frames <= n)
        };
        for tree in 0..all.trees() {
            all.visit(tree, &mut |context, sum, _| {
                of += 1;
                large += u64::from(sum >= at);
                frames = frames.saturating_add(context.depth as u64 + 1);
                large < most || fit(of, large, frames)
            })?;
        }
        Ok(Counted {
            large,
            fit: fit(of, large, frames),
        })
    }
}

/// A pruned profile, as it is to be shown.
pub(crate) fn finished(mut profile: Profile, mut what: Pruned) -> (Profile, Pruned) {
    let own = MethodInfo::pruned();
    let own = profile.methods.iter().position(|method| *method == own);
    for thread in &profile.estimated().threads {
        let nodes = thread.tree.nodes().iter();
        let own = nodes.filter(|node| Some(node.method as usize) == own);
        what.unattributed = own.fold(what.unattributed, |sum, n| sum.saturating_add(n.bytecodes));
    }
    let about = (Pruned::NAME.to_owned(), what.to_string());
    profile.about.push(about);
    (profile.without_unused_methods(), what)
}

/// Which contexts stay: those with more bytecodes than `at`, and the first ones with as many.
#[derive(Clone, Copy)]
struct Cut {
    at: u64,
    first: u64,
}

impl Cut {
    const NOTHING: Cut = Cut {
        at: u64::MAX,
        first: 0,
    };

    /// Keeps so many of the sums.
    fn greatest(sums: &mut [u64], number: usize) -> Cut {
        let Some(last) = number.checked_sub(1) else {
            return Cut::NOTHING;
        };
        let (more, &mut at, _) = sums.select_nth_unstable_by_key(last, |&sum| Reverse(sum));
        let equal = more.iter().filter(|&&sum| sum == at).count();
        Cut {
            at,
            first: equal as u64 + 1,
        }
    }

    /// Is a context kept? Asked in the order of the profile, and once for each context whose callers are kept.
    fn keeps(&mut self, sum: u64) -> bool {
        let first = sum == self.at && self.first > 0;
        self.first -= u64::from(first);
        first || sum > self.at
    }
}

/// Methods with `[pruned]` among them, in the order of their labels.
struct LabelledMethods {
    methods: Vec<MethodInfo>,
    pruned: u32,
    /// Was it among them?
    known: bool,
}

impl LabelledMethods {
    fn new(methods: &[MethodInfo]) -> LabelledMethods {
        let pruned = MethodInfo::pruned();
        let label = pruned.label();
        let mut methods = methods.to_vec();
        let at = methods.partition_point(|method| method.label() < label);
        let known = methods.get(at).is_some_and(|method| *method == pruned);
        if !known {
            methods.insert(at, pruned);
        }
        LabelledMethods {
            methods,
            pruned: at as u32,
            known,
        }
    }

    /// The new index of a method.
    fn of(&self, method: u32) -> u32 {
        method + u32::from(!self.known && method >= self.pruned)
    }
}

struct Pruner<'a> {
    all: &'a dyn ContextSource,
    names: LabelledMethods,
}

/// What is left of all trees.
struct PrunedTrees {
    trunks: Vec<Trunk>,
    kept: u64,
    of: u64,
    folded: u64,
    /// How many contexts and frames there may be yet.
    contexts: u64,
    frames: u64,
}

impl Pruner<'_> {
    /// Do the contexts that are stored, and `[pruned]` instead of others, take no more than half of what the limits
    /// allow? What is below others is passed over.
    fn fits(&self, mut cut: Cut, limits: &Limits) -> Result<bool, TreeError> {
        let (mut contexts, mut frames) = (half(limits.contexts), half(limits.frames));
        let mut take = |depth: usize| {
            contexts = contexts.checked_sub(1)?;
            frames = frames.checked_sub(depth as u64 + 1)?;
            Some(())
        };
        let mut fits = Some(());
        // Whether something below each of the callers is in `[pruned]`.
        let mut open: Vec<bool> = Vec::new();
        for tree in 0..self.all.trees() {
            open.clear();
            open.push(false);
            self.all.visit(tree, &mut |context, sum, _| {
                open.truncate(context.depth + 1);
                let kept = self.names.of(context.method) != self.names.pruned && cut.keeps(sum);
                if fits.is_none() {
                    return false;
                }
                if kept || !std::mem::replace(&mut open[context.depth], true) {
                    fits = take(context.depth);
                }
                open.push(false);
                kept && fits.is_some()
            })?;
        }
        Ok(fits.is_some())
    }

    /// What is kept, and all methods below `[pruned]`; `None` if that without the methods takes more than half of what the
    /// limits allow.
    fn trunks(&self, mut cut: Cut, limits: &Limits) -> Result<Option<PrunedTrees>, TreeError> {
        let mut made = PrunedTrees {
            trunks: Vec::new(),
            kept: 0,
            of: 0,
            folded: 0,
            contexts: half(limits.contexts),
            frames: half(limits.frames),
        };
        for tree in 0..self.all.trees() {
            let mut trunk = Trunk::new(self.names.methods.len());
            self.all.visit(tree, &mut |context, sum, columns| {
                made.of += 1;
                let method = self.names.of(context.method);
                if trunk.is_folded(context.depth) {
                    trunk.fold(context, columns, method, self.names.pruned);
                // What was pruned before is reported again.
                } else if method != self.names.pruned && cut.keeps(sum) {
                    trunk.keep(context, columns, method);
                    made.kept += 1;
                } else {
                    made.folded = made.folded.saturating_add(sum);
                    trunk.begin_fold(context.depth);
                    trunk.fold(context, columns, method, self.names.pruned);
                }
                true
            })?;
            trunk.add_up();
            let takes = trunk.takes();
            let left = made.contexts.checked_sub(takes.0);
            let Some(left) = left.zip(made.frames.checked_sub(takes.1)) else {
                return Ok(None);
            };
            (made.contexts, made.frames) = left;
            made.trunks.push(trunk);
        }
        let rest = |limit: Option<u64>| limit.map_or(0, |n| n - n / 2);
        made.contexts = made.contexts.saturating_add(rest(limits.contexts));
        made.frames = made.frames.saturating_add(rest(limits.frames));
        Ok(Some(made))
    }

    /// The trees, without the methods below `[pruned]` that have fewest bytecodes: all with less than that, and as many as
    /// there is no room for.
    fn trees(&self, made: PrunedTrees, least: u64) -> Result<Vec<Tree>, TreeError> {
        let own = self.names.pruned;
        let room = usize::try_from(made.contexts).unwrap_or(usize::MAX);
        let reported = |least: u64, found: &mut dyn FnMut(u64, u64)| {
            made.trunks.iter().try_for_each(|trunk| {
                trunk.each(own, |place| {
                    if let TrunkContext::ByMethod(reported, depth) = place
                        && reported.bytecodes >= least
                    {
                        found(reported.bytecodes, depth as u64 + 1);
                    }
                    Ok(())
                })
            })
        };
        // There is no room for those with fewer than so many.
        let mut sums: Vec<u64> = Vec::new();
        reported(least, &mut |bytecodes, _| sums.push(bytecodes))?;
        let least = match sums.len() > room {
            true => least.max(Cut::greatest(&mut sums, room).at),
            false => least,
        };
        drop(sums);
        let mut all: Vec<(u64, u64)> = Vec::new();
        reported(least, &mut |bytecodes, frames| {
            all.push((bytecodes, frames))
        })?;
        // Equals stay in the order of the profile.
        all.sort_by_key(|&(bytecodes, _)| Reverse(bytecodes));
        let mut frames = made.frames;
        let room = all.iter().take(room).take_while(|&&(_, depth)| {
            let left = frames.checked_sub(depth);
            frames = left.unwrap_or(frames);
            left.is_some()
        });
        let number = room.count();
        let mut all: Vec<u64> = all.into_iter().map(|(bytecodes, _)| bytecodes).collect();
        let mut cut = Cut::greatest(&mut all, number);
        drop(all);
        let trees = made.trunks.into_iter().map(|trunk| {
            let mut writer = TreeWriter::default();
            trunk.each(own, |place| {
                let (node, depth, site) = match place {
                    TrunkContext::Kept(kept) => (&kept.counts, kept.depth as usize, kept.site),
                    TrunkContext::Pruned(pruned, depth) => (pruned, depth, NO_SITE),
                    TrunkContext::ByMethod(reported, depth) => (reported, depth, NO_SITE),
                };
                writer.leave_to(depth);
                let (calls, bytecodes) = (node.invocations, node.bytecodes);
                if let TrunkContext::ByMethod(..) = place
                    && !cut.keeps(bytecodes)
                {
                    writer.add(calls, bytecodes, trunk.allocation(node));
                    return Ok(());
                }
                writer.enter(node.method, site, calls, bytecodes)?;
                writer.set_extra(&trunk.extra(node));
                Ok(())
            })?;
            Ok(writer.finish())
        });
        trees.collect()
    }
}

fn half(limit: Option<u64>) -> u64 {
    limit.map_or(u64::MAX, |n| n / 2)
}

const SMALLER: &str = "a pruned tree is no larger than others";
