//! Work that grows faster than its input: calls each of which costs more than the one before, and loops within
//! loops.

use super::{RuleInput, figure, figure_each, grows, hashing, quarters, strings};
use crate::claim::{Claim, Confidence, Evidence, Saving, each, grouped};
use crate::recording::{Insn, Kind, Method};
use crate::tree::{Site, Tree};
use std::collections::BTreeMap;

/// Calls of one method of the class library from one place of the program.
type Called = BTreeMap<(Site, u32), Vec<u32>>;

/// Calls of the class library whose cost grows from call to call.
pub fn growing_calls(input: &RuleInput<'_>) -> Vec<Claim> {
    let tree = input.tree;
    let mut called: Called = BTreeMap::new();
    for c in tree.all() {
        let m = tree.method(c);
        let entered =
            tree.entry(c) == c && !m.app && tree.parent(c).is_some_and(|p| tree.method(p).app);
        if entered && !others(m) {
            let key = (tree.site(c), tree.context(c).method);
            called.entry(key).or_default().push(c);
        }
    }
    // the program's own methods, those that are called by themselves left out
    for c in tree.all() {
        let (m, method) = (tree.method(c), tree.context(c).method);
        if m.app && tree.parent(c).is_some() && !is_below_itself(tree, c) {
            let site = Site {
                method,
                line: m.first_line(),
            };
            called.entry((site, method)).or_default().push(c);
        }
    }
    let mut found: Vec<Claim> = Vec::new();
    let mut covered: Vec<u32> = Vec::new();
    let mut called: Vec<_> = called.into_iter().collect();
    let inclusive = |tops: &[u32]| tops.iter().map(|&c| tree.did(c).inclusive).sum::<u64>();
    // of the program's own methods, those that are called by others first: what grows within is the cause
    called.sort_by_key(|(key, tops)| {
        let app = tree.run.methods[key.1 as usize].app;
        let n = inclusive(tops);
        (app, if app { n } else { u64::MAX - n }, *key)
    });
    for ((site, method), tops) in called {
        let all = inclusive(&tops);
        if all < input.cost / 25 {
            continue;
        }
        let series = tree.series(&tops);
        let app = tree.run.methods[method as usize].app;
        // methods of the program may just do other things later: it has to be clear
        let clear = |q: &[f64; 4]| grows(q) && (!app || evenly(q));
        let Some(q) = quarters(&series, |d| d.inclusive).filter(clear) else {
            continue;
        };
        let m = &tree.run.methods[method as usize];
        // the cause is below: a call that grows within
        if m.app
            && covered
                .iter()
                .any(|&c| tops.iter().any(|&t| is_above(tree, t, c)))
        {
            continue;
        }
        let calls: u64 = tops.iter().map(|&c| tree.did(c).calls).sum();
        let cheap = (q[0] / 2.0).max(1.0) as u64;
        let bytecodes = all.saturating_sub(calls * cheap);
        let sure = if m.app {
            Confidence::Possible
        } else {
            Confidence::Likely
        };
        let title = match m.app {
            true => format!("each call of {} costs more than the call before", m.short()),
            false => format!(
                "each call of {} at {} costs more than the call before: quadratic in the number of calls",
                m.short(),
                tree.show(site)
            ),
        };
        let mut claim = input.claim(
            ["interpretation", "quadratic loop"],
            title,
            sure,
            site,
            tops,
        );
        claim.figures = vec![
            figure_each("bytecodes", all, calls, "call"),
            figure("calls", grouped(calls)),
            figure(
                "bytecodes for each call, by quarters of the calls",
                q.map(|q| grouped(q as u64)).join(", "),
            ),
        ];
        claim.evidence = vec![input.inside(&claim.tops), input.ways(&claim.tops)];
        claim.saving = Saving {
            cost: bytecodes,
            bytecodes,
            how: format!(
                "if each of {} calls cost half of what the first quarter's did, {} bytecodes",
                grouped(calls),
                grouped(cheap)
            ),
            ..Saving::default()
        };
        covered.extend_from_slice(&claim.tops);
        found.push(claim);
    }
    found
}

/// Whether it grows by about as much each time.
fn evenly(q: &[f64; 4]) -> bool {
    let steps = [q[1] - q[0], q[2] - q[1], q[3] - q[2]];
    let most = steps.into_iter().fold(0.0, f64::max);
    steps.iter().all(|&s| s > 0.4 * most)
}

/// What other rules have a better name for.
fn others(m: &Method) -> bool {
    hashing::is_operation(m) || strings::is_building(m) || m.name == "<clinit>"
}

fn is_below_itself(tree: &Tree<'_>, c: u32) -> bool {
    let method = tree.context(c).method;
    let mut at = tree.parent(c);
    while let Some(p) = at {
        if tree.context(p).method == method {
            return true;
        }
        at = tree.parent(p);
    }
    false
}

fn is_above(tree: &Tree<'_>, above: u32, c: u32) -> bool {
    let mut at = Some(c);
    while let Some(p) = at {
        if p == above {
            return true;
        }
        at = tree.parent(p);
    }
    false
}

/// A loop of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Loop {
    /// Where it begins, and the last branch back.
    pub from: u32,
    pub to: u32,
    /// How often it branched back.
    pub rounds: u64,
}

/// The loops of a method, by where they begin.
pub(super) fn loops(code: &[Insn]) -> Vec<Loop> {
    let mut found: BTreeMap<u32, Loop> = BTreeMap::new();
    for insn in code {
        let Kind::Branch(target) = insn.kind else {
            continue;
        };
        if target > insn.bci {
            continue;
        }
        let known = found.entry(target).or_insert(Loop {
            from: target,
            to: insn.bci,
            rounds: 0,
        });
        known.to = known.to.max(insn.bci);
        known.rounds += insn.executed;
    }
    found.into_values().collect()
}

/// The smallest loop around another.
fn around(all: &[Loop], inner: &Loop) -> Option<Loop> {
    let outside = |l: &&Loop| *l != inner && l.from <= inner.from && l.to >= inner.to;
    all.iter()
        .filter(outside)
        .min_by_key(|l| l.to - l.from)
        .copied()
}

/// Loops within loops in one method that make about as many rounds each time as the outer one.
pub fn nested_loops(input: &RuleInput<'_>) -> Vec<Claim> {
    let tree = input.tree;
    let mut own: BTreeMap<u32, (u64, u64, u64, Vec<u32>)> = BTreeMap::new();
    for c in tree.all() {
        let sum = own.entry(tree.context(c).method).or_default();
        let did = tree.did(c);
        sum.0 += did.own;
        sum.1 += did.inclusive;
        sum.2 += did.calls;
        sum.3.push(c);
    }
    let mut found = Vec::new();
    for (method, (own, inclusive, calls, contexts)) in own {
        let m = &tree.run.methods[method as usize];
        if !m.app || inclusive < input.cost / 25 {
            continue;
        }
        let loops = loops(&m.code);
        let square = |inner: &Loop| {
            let outer = around(&loops, inner)?;
            let rounds = inner.rounds / outer.rounds.max(1);
            let times = match around(&loops, &outer) {
                Some(l) => outer.rounds / l.rounds.max(1),
                None => outer.rounds / calls.max(1),
            };
            let fits = rounds >= 50 && rounds * 5 >= times && rounds * 10 <= times * 11;
            fits.then_some((outer, rounds, times))
        };
        let best = loops
            .iter()
            .filter_map(|l| Some((l, square(l)?)))
            .max_by_key(|(l, _)| (l.rounds, l.from));
        let Some((inner, (outer, rounds, times))) = best else {
            continue;
        };
        let triangle = rounds * 5 <= times * 3;
        // what is executed in the inner loop, and what that calls
        let executed = |l: &Loop| -> u64 {
            let within = m.code.iter().filter(|i| i.bci >= l.from && i.bci <= l.to);
            within.map(|i| i.executed).sum()
        };
        let mut called = 0;
        for &c in &contexts {
            let in_loop = |&&k: &&u32| {
                tree.context(k)
                    .site
                    .is_some_and(|s| s >= inner.from && s <= inner.to)
            };
            called += tree
                .children(c)
                .iter()
                .filter(in_loop)
                .map(|&k| tree.did(k).inclusive)
                .sum::<u64>();
        }
        let within = executed(inner).min(own) + called;
        if within < input.cost / 25 {
            continue;
        }
        let site = Site {
            method,
            line: m.line(inner.to).or(m.line(inner.from)),
        };
        let title = format!(
            "a loop within a loop: {} rounds for each of {} rounds of the outer one",
            grouped(rounds),
            grouped(times)
        );
        let sure = if triangle {
            Confidence::Likely
        } else {
            Confidence::Possible
        };
        let tops: Vec<u32> = contexts
            .into_iter()
            .filter(|&c| !is_below_itself(tree, c))
            .collect();
        let mut claim = input.claim(
            ["interpretation", "quadratic loop"],
            title,
            sure,
            site,
            tops,
        );
        let line = |bci: u32| {
            m.line(bci)
                .map_or(format!("bytecode {bci}"), |l| format!("line {l}"))
        };
        claim.figures = vec![
            figure(
                "rounds of the inner loop",
                format!("{} at {}", grouped(inner.rounds), line(inner.from)),
            ),
            figure(
                "rounds of the outer loop",
                format!("{} at {}", grouped(outer.rounds), line(outer.from)),
            ),
            figure("calls of the method", grouped(calls)),
            figure(
                "bytecodes in the inner loop",
                format!("{}, {} of them in calls", grouped(within), grouped(called)),
            ),
        ];
        claim.evidence = vec![
            Evidence {
                what: "shape".into(),
                rows: vec![match triangle {
                    true => format!(
                        "{} rounds are about half of {}: each element is compared with each other",
                        grouped(rounds),
                        grouped(times)
                    ),
                    false => format!(
                        "{} rounds are about {}: each element is combined with each",
                        grouped(rounds),
                        grouped(times)
                    ),
                }],
            },
            input.ways(&claim.tops),
        ];
        let bytecodes = within - within / rounds.max(1);
        claim.saving = Saving {
            cost: bytecodes,
            bytecodes,
            how: format!(
                "if one round replaced {} (a set, a map or sorted data instead of the inner loop)",
                each(inner.rounds, outer.rounds)
            ),
            ..Saving::default()
        };
        found.push(claim);
    }
    found
}
