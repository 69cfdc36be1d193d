//! From a recording to a report: phases, causes by all rules, their order, and when each of them is.

use crate::claim::{Claim, Phase, Report, WindowShown, permille};
use crate::cost;
use crate::phases::{Mix, split};
use crate::recording::Recording;
use crate::rules::{RuleInput, all};
use crate::tree::Tree;
use std::collections::BTreeMap;

/// Causes that are reported at most.
const MOST: usize = 25;
/// Thousandths of the run's cost below which a cause is not worth reporting.
const LEAST: u64 = 5;

/// Finds phases and causes.
pub fn analyse(run: &Recording) -> Report {
    let tree = Tree::new(run);
    let mixes = tree.mixes();
    let ends = split(&lumped(&mixes));
    let roots = || tree.all().filter(|&c| tree.parent(c).is_none());
    let objects = roots().map(|c| tree.did(c).all_objects).sum();
    let bytes = roots().map(|c| tree.did(c).all_bytes).sum();
    let waiting: u64 = idle(run);
    let system_calls = crate::rules::io::system_calls(&tree);
    let cost = tree.bytecodes
        + cost::of_objects(objects, bytes)
        + run.classes.len() as u64 * cost::CLASS
        + system_calls * cost::SYSTEM_CALL
        + crate::rules::copies::cost(&run.copied)
        + waiting;
    let mut threads: Vec<u32> = roots().map(|c| tree.context(c).thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let input = RuleInput {
        tree: &tree,
        cost: cost.max(1),
        threads: threads.len() as u64,
        survival: survival(run),
    };
    let mut claims: Vec<Claim> = all().iter().flat_map(|rule| rule(&input)).collect();
    claims.retain(|c| permille(c.saving.cost, cost) >= LEAST);
    let covered = covered(&tree, &claims);
    claims.extend(crate::rules::hot::rest(&input, &covered));
    for claim in &mut claims {
        claim.saving.cost = claim.saving.cost.min(cost);
        claim.saving.permille = permille(claim.saving.cost, cost);
    }
    claims.retain(|c| c.saving.permille >= LEAST);
    claims.sort_by(|a, b| {
        (b.score().cmp(&a.score()))
            .then_with(|| b.sure.cmp(&a.sure))
            .then_with(|| {
                (&a.place.class, &a.place.method, a.place.line).cmp(&(
                    &b.place.class,
                    &b.place.method,
                    b.place.line,
                ))
            })
            .then_with(|| a.title.cmp(&b.title))
    });
    claims.truncate(MOST);
    for claim in &mut claims {
        claim.phases = when(&tree, &ends, claim);
    }
    let phases = phases(&tree, &mixes, &ends, &claims);
    Report {
        program: run.program.clone(),
        bytecodes: tree.bytecodes,
        objects,
        bytes,
        collections: run.windows.iter().map(|w| w.collections).sum(),
        classes: run.classes.len() as u64,
        threads: threads.len() as u64,
        cost,
        contexts: run.contexts.len() as u64,
        folded: run.folded,
        windows: windows(&tree, &mixes),
        phases,
        claims,
    }
}

/// Mixes in which all methods that are next to nothing in the whole run are one.
fn lumped(mixes: &[Mix]) -> Vec<Mix> {
    let mut sums = Mix::new();
    for (&method, n) in mixes.iter().flatten() {
        *sums.entry(method).or_default() += n;
    }
    let all: u64 = sums.values().sum();
    let lump = |mix: &Mix| {
        let mut lumped = Mix::new();
        for (&method, &n) in mix {
            let small = sums[&method] < all / 1000;
            *lumped
                .entry(if small { u32::MAX } else { method })
                .or_default() += n;
        }
        lumped
    };
    mixes.iter().map(lump).collect()
}

/// The contexts that claims are about, each with the contexts below it in the class library.
fn covered(tree: &Tree<'_>, claims: &[Claim]) -> Vec<bool> {
    let mut covered = vec![false; tree.run.contexts.len()];
    let reported = claims
        .iter()
        .filter(|c| c.sure > crate::claim::Confidence::Possible);
    for &c in reported.flat_map(|c| &c.tops) {
        covered[c as usize] = true;
    }
    for c in tree.all() {
        let above = tree.parent(c).is_some_and(|p| covered[p as usize]);
        covered[c as usize] |= above && !tree.method(c).app;
    }
    covered
}

/// What waiting costs the run: what locks keep apart, as if the threads could run at the same time.
fn idle(run: &Recording) -> u64 {
    let nobody_ran = |w: &&crate::recording::Wait| w.others == 0;
    run.waits
        .iter()
        .filter(nobody_ran)
        .map(|w| w.nanos / cost::NANOSECONDS)
        .sum()
}

/// Thousandths of the heap that collections found alive.
fn survival(run: &Recording) -> Option<u64> {
    let sum = |f: fn(&crate::recording::Window) -> u64| run.windows.iter().map(f).sum::<u64>();
    let (before, after) = (sum(|w| w.before), sum(|w| w.after));
    (before > 0).then(|| permille(after, before))
}

/// In which phases a claim's contexts execute.
fn when(tree: &Tree, ends: &[usize], claim: &Claim) -> Vec<(usize, u64)> {
    if claim.tops.is_empty() {
        return Vec::new();
    }
    let series = tree.series(&claim.tops);
    let whole: u64 = series.iter().map(|d| d.inclusive.max(d.calls)).sum();
    let mut begin = 0;
    let mut found = Vec::new();
    for (i, &end) in ends.iter().enumerate() {
        let part: u64 = series[begin..end]
            .iter()
            .map(|d| d.inclusive.max(d.calls))
            .sum();
        let part = permille(part, whole);
        if part >= 10 {
            found.push((i + 1, part));
        }
        begin = end;
    }
    found
}

fn windows(tree: &Tree, mixes: &[Mix]) -> Vec<WindowShown> {
    let of = |(w, mix): (&crate::recording::Window, &Mix)| WindowShown {
        end: w.end,
        method: ranked(mix).first().map_or(String::new(), |&(m, _)| {
            tree.run.methods[m as usize].short()
        }),
        objects: w.deltas.iter().map(|d| d.objects).sum(),
        collections: w.collections,
    };
    tree.run.windows.iter().zip(mixes).map(of).collect()
}

fn ranked(mix: &Mix) -> Vec<(u32, u64)> {
    Tree::ranked(mix.clone())
}

fn phases(tree: &Tree, mixes: &[Mix], ends: &[usize], claims: &[Claim]) -> Vec<Phase> {
    let windows = &tree.run.windows;
    // bytecodes below each claim, by window
    let by_claim: Vec<(String, Vec<u64>)> = claims
        .iter()
        .filter(|c| !c.tops.is_empty() && !c.why[1].starts_with("hot "))
        .map(|c| {
            let series = tree.series(&c.tops);
            (
                c.why.join(" > "),
                series.iter().map(|d| d.inclusive).collect(),
            )
        })
        .collect();
    let mut begin = 0;
    let mut found = Vec::new();
    for (i, &end) in ends.iter().enumerate() {
        let from = match begin {
            0 => 0,
            b => windows[b - 1].end,
        };
        let mut mix = Mix::new();
        for m in &mixes[begin..end] {
            for (&method, n) in m {
                *mix.entry(method).or_default() += n;
            }
        }
        let bytecodes: u64 = mix.values().sum();
        let methods = ranked(&mix).into_iter().take(3);
        let methods =
            methods.map(|(m, n)| (tree.run.methods[m as usize].short(), permille(n, bytecodes)));
        let (within, within_permille) = within(tree, begin, end, bytecodes);
        let mut why: BTreeMap<String, u64> = BTreeMap::new();
        for (branch, series) in &by_claim {
            let part = permille(series[begin..end].iter().sum(), bytecodes).min(1000);
            let known = why.entry(branch.clone()).or_default();
            *known = (*known + part).min(1000);
        }
        let mut why = Tree::ranked(why);
        why.retain(|w| w.1 >= 50);
        why.truncate(4);
        found.push(Phase {
            number: i + 1,
            from,
            to: windows[end - 1].end,
            within,
            within_permille,
            methods: methods.collect(),
            why,
        });
        begin = end;
    }
    found
}

/// The deepest method of the program that most of a phase is below.
fn within(tree: &Tree, begin: usize, end: usize, bytecodes: u64) -> (String, u64) {
    let mut sums: BTreeMap<u32, u64> = BTreeMap::new();
    for d in tree.run.windows[begin..end].iter().flat_map(|w| &w.deltas) {
        *sums.entry(d.context).or_default() += d.inclusive;
    }
    let most = |c: &&(u32, u64)| c.1 >= bytecodes / 5 * 3 && tree.method(c.0).app;
    let sums: Vec<(u32, u64)> = sums.into_iter().collect();
    let deepest = sums
        .iter()
        .filter(most)
        .max_by_key(|c| (tree.depth[c.0 as usize], u32::MAX - c.0));
    match deepest {
        Some(&(c, n)) => {
            let m = tree.method(c);
            (m.short(), permille(n, bytecodes).min(1000))
        }
        None => (String::new(), 0),
    }
}
