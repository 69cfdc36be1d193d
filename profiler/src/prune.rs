//! Prunes profiles: the contexts with most bytecodes stay, and packages represent the others.
//!
//! A context has at least as many bytecodes, callees included, as each of its callees, so whatever the limits,
//! the callers of a kept context stay too, and only whole subtrees are folded.
//!
//! The subtrees folded below a context become callees of it that are named after packages, `[java.util]`, and below these are
//! the methods, each with all it has there. Methods with few bytecodes are part of their package, packages with few of
//! `[pruned]`. Adding the counts to the caller's is not an option: a compiler has millions of contexts, so that most bytecodes
//! are in those which are folded. Most of them are recursive; where the limits say so, recursion is folded first.

mod labelled;
mod largest;
mod trunk;

use crate::export::percent;
use crate::method::MethodInfo;
use crate::numbers::grouped;
use crate::profile::{About, Profile, ThreadProfile};
use crate::tree::{Extra, PreorderContext, Tree, TreeError, TreeWriter};
use labelled::LabelledMethods;
use largest::{Counted, Cut, Large};
use std::cmp::Reverse;
use std::fmt;
use trunk::{Trunk, TrunkPart};

/// The size to which a profile is pruned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Contexts with less than so many hundredths of a percent of all bytecodes, callees included, are folded.
    pub least: u64,
    /// The greatest number of contexts, `[pruned]` and the contexts below it included.
    pub contexts: Option<u64>,
    /// The greatest number of frames in the stacks of all contexts: formats with a stack for each context grow with it.
    pub frames: Option<u64>,
    /// Whether recursion is folded, if the profile does not fit, before contexts are left out: see
    /// [`Filter::fold_recursion`](crate::Filter::fold_recursion).
    pub fold_recursion: bool,
}

impl Limits {
    /// Everything is kept.
    pub const NONE: Limits = Limits {
        least: 0,
        contexts: None,
        frames: None,
        fold_recursion: false,
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
    /// Number of contexts there were, after recursion was folded if it was.
    pub of: u64,
    /// Number of contexts before recursion was folded, if it was.
    pub recursive: Option<u64>,
    /// Bytecodes of the others: those that are below packages and `[pruned]` now.
    pub folded: u64,
    /// All bytecodes.
    pub bytecodes: u64,
    /// Bytecodes of `[pruned]` itself: of the others, but not of packages that are reported.
    pub unattributed: u64,
}

impl Pruned {
    /// The name of its text in [`Profile::about`].
    pub const NAME: &'static str = "Pruned";
}

impl fmt::Display for Pruned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |bytecodes| percent(bytecodes, self.bytecodes);
        write!(
            f,
            "kept {} of {} contexts",
            grouped(self.kept),
            grouped(self.of)
        )?;
        if let Some(recursive) = self.recursive {
            write!(f, " ({} before recursion was folded)", grouped(recursive))?;
        }
        if self.kept == self.of {
            return Ok(());
        }
        write!(
            f,
            "; the rest, {}% of the bytecodes, is grouped by package and method",
            share(self.folded)
        )?;
        match self.unattributed {
            0 => Ok(()),
            few => write!(f, ", {}% under [pruned]", share(few)),
        }
    }
}

/// What `profile.about` says of pruning.
pub(crate) fn about(about: &About) -> impl Iterator<Item = &str> {
    let own = about.iter().filter(|(name, _)| name == Pruned::NAME);
    own.map(|(_, text)| text.as_str())
}

impl Profile {
    /// The profile with those contexts that have most bytecodes, callees included, as far as the limits allow; of
    /// equals, the first in the order of the profile. The counts of the others are below packages, as `[java.util]`, or
    /// `[pruned]`, so all sums stay as they are, and those of each method that is reported there; only counts of single
    /// bytecodes vanish without their methods. `None` if all contexts are within the limits.
    ///
    /// ```
    /// use rjvm_profiler::{Limits, export::paths};
    ///
    /// let text = "a.A.a()V\t1\t5\na.A.a()V;a.A.b()V\t1\t20\na.A.a()V;a.A.b()V;b.C.c()V\t1\t2\na.A.a()V;b.C.c()V\t1\t3\n";
    /// let profile = paths::read(&mut text.as_bytes())?;
    /// let limits = Limits { least: 1000, ..Limits::NONE };
    /// let (pruned, what) = profile.pruned(&limits).unwrap();
    /// assert_eq!(pruned.method("a.A.b()V").unwrap().bytecodes, 20);
    /// assert_eq!(pruned.method("[pruned].contexts()V").unwrap().bytecodes, 2);
    /// assert_eq!(pruned.totals().bytecodes, profile.totals().bytecodes);
    /// assert_eq!((what.kept, what.of, what.folded), (3, 4, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pruned(&self, limits: &Limits) -> Option<(Profile, Pruned)> {
        if *limits == Limits::NONE {
            return None;
        }
        if limits.fold_recursion {
            let sums = self.threads.iter().map(|t| t.tree.inclusive()).collect();
            let all = Trees {
                profile: self,
                sums,
            };
            let totals = self.totals();
            if fits(&all, totals.bytecodes, limits).expect(SMALLER) {
                return None;
            }
            return Some(
                self.without_recursion()
                    .pruned_further(totals.nodes, limits),
            );
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

    /// The profile without recursion.
    fn without_recursion(&self) -> Profile {
        let threads = self.threads.iter().map(|thread| ThreadProfile {
            name: thread.name.clone(),
            tree: thread.tree.fold_recursion().expect(SMALLER),
            ..*thread
        });
        Profile {
            threads: threads.collect(),
            methods: self.methods.clone(),
            about: self.about.clone(),
            ..*self
        }
    }

    /// Of a profile whose recursion has been folded, that part which is within the limits; it had so many contexts before.
    pub(crate) fn pruned_further(self, recursive: u64, limits: &Limits) -> (Profile, Pruned) {
        let rest = Limits {
            fold_recursion: false,
            ..*limits
        };
        let totals = self.totals();
        let all = Pruned {
            kept: totals.nodes,
            of: totals.nodes,
            recursive: Some(recursive),
            folded: 0,
            bytecodes: totals.bytecodes,
            unattributed: 0,
        };
        let (mut profile, mut what) = self.pruned(&rest).unwrap_or_else(|| finished(self, all));
        what.recursive = Some(recursive);
        for (name, text) in &mut profile.about {
            if name == Pruned::NAME {
                *text = what.to_string();
            }
        }
        (profile, what)
    }
}

/// Whether all contexts are within the limits.
pub(crate) fn fits(
    all: &dyn ContextSource,
    total: u64,
    limits: &Limits,
) -> Result<bool, TreeError> {
    let room = [limits.contexts, limits.frames].into_iter().flatten().min();
    let room = room.unwrap_or(u64::MAX);
    Ok(Counted::until(all, limits.threshold(total), room, 0, limits)?.fit)
}

/// The contexts to prune, which are visited several times.
pub(crate) trait ContextSource {
    /// All methods, in the order of their labels.
    fn methods(&self) -> &[MethodInfo];
    /// How many trees there are.
    fn trees(&self) -> usize;
    /// Visits the contexts of a tree in preorder. Contexts below one are skipped if `each` says so.
    fn visit(&self, tree: usize, each: &mut Each<'_>) -> Result<(), TreeError>;
}

/// Gets a context without its allocation, the bytecodes of itself and all below it, and a function that fills in the optional
/// columns. Returns whether the contexts below are to be visited.
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

/// How often the number of remaining contexts is brought nearer to the limit, by half each time.
const REFINEMENTS: usize = 4;

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
    let mut cut = |number: usize| -> Result<Option<Cut>, TreeError> {
        // Those that were found take more room than there is.
        if number > large.sums.len() {
            return Ok(None);
        }
        let cut = Cut::greatest(&mut large.sums, number);
        Ok(pruner.fits(cut, limits)?.then_some(cut))
    };
    let (mut number, mut found) = (number, None);
    while number > 0 && found.is_none() {
        found = cut(number)?;
        if found.is_none() {
            number /= 2;
        }
    }
    // Twice as many were too many.
    let mut step = number / 2;
    for _ in 0..REFINEMENTS {
        if let Some(more) = cut(number + step)? {
            (number, found) = (number + step, Some(more));
        }
        step /= 2;
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
        recursive: None,
        folded: made.folded,
        bytecodes: total,
        unattributed: 0,
    };
    let trees = pruner.trees(made, at)?;
    Ok(Some((trees, what, pruner.names.methods)))
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

struct Pruner<'a> {
    all: &'a dyn ContextSource,
    names: LabelledMethods,
}

/// The rest of all trees.
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
    /// allow? Contexts below others are skipped.
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
                let kept = !self.names.is_group(self.names.of(context.method)) && cut.keeps(sum);
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

    /// The remaining contexts, and all methods below `[pruned]`; `None` if the contexts without the methods take more than half
    /// of the limits.
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
            let mut trunk = Trunk::new(&self.names.groups);
            self.all.visit(tree, &mut |context, sum, columns| {
                made.of += 1;
                let method = self.names.of(context.method);
                if trunk.is_folded(context.depth) {
                    trunk.fold(context, columns, method);
                // What was pruned before is reported again.
                } else if !self.names.is_group(method) && cut.keeps(sum) {
                    trunk.keep(context, columns, method);
                    made.kept += 1;
                } else {
                    made.folded = made.folded.saturating_add(sum);
                    trunk.begin_fold(context.depth);
                    trunk.fold(context, columns, method);
                }
                true
            })?;
            trunk.add_up(&self.names.groups, self.names.pruned);
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

    /// The trees, without the omitted packages and methods that have the fewest bytecodes: all with less than that,
    /// and as many as there is no room for.
    fn trees(&self, mut made: PrunedTrees, least: u64) -> Result<Vec<Tree>, TreeError> {
        let room = usize::try_from(made.contexts).unwrap_or(usize::MAX);
        let reported = |least: u64, found: &mut dyn FnMut(u64, u64)| {
            for trunk in &made.trunks {
                trunk.each_below(|bytecodes, depth| {
                    if bytecodes >= least {
                        found(bytecodes, depth as u64 + 1);
                    }
                });
            }
        };
        // There is no room for those with fewer than so many.
        let mut sums: Vec<u64> = Vec::new();
        reported(least, &mut |bytecodes, _| sums.push(bytecodes));
        let least = match sums.len() > room {
            true => least.max(Cut::greatest(&mut sums, room).at),
            false => least,
        };
        drop(sums);
        let mut all: Vec<(u64, u64)> = Vec::new();
        reported(least, &mut |bytecodes, frames| {
            all.push((bytecodes, frames))
        });
        // Equals stay in the order of the profile, in which a package comes before its methods.
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
        for trunk in &mut made.trunks {
            trunk.choose(|bytecodes| cut.keeps(bytecodes));
        }
        let trees = made.trunks.iter().map(|trunk| {
            let mut writer = TreeWriter::default();
            trunk.each(|part| {
                match part {
                    TrunkPart::Shown(node, depth, site) => {
                        writer.leave_to(depth);
                        writer.enter(node.method, site, node.invocations, node.bytecodes)?;
                        writer.set_extra(&trunk.extra(node));
                    }
                    TrunkPart::Added(node, depth) => {
                        writer.leave_to(depth);
                        writer.add(node.invocations, node.bytecodes, trunk.allocation(node));
                    }
                }
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
