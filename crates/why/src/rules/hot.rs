//! The rest: methods that execute much, for which no rule knows a better reason.

use super::superlinear::loops;
use super::{RuleInput, figure, figure_each};
use crate::claim::{Claim, Confidence, Evidence, Saving, grouped, percent, permille};
use crate::tree::{Site, Tree};
use std::collections::BTreeMap;

/// The part of such a place that a close look may save: a tenth.
const FOUND: u64 = 10;

/// The methods of the program that most is executed in, what they call of the class library included, without the contexts
/// that other causes cover.
pub fn rest(input: &RuleInput<'_>, covered: &[bool]) -> Vec<Claim> {
    let tree = input.tree;
    let mut sums: BTreeMap<u32, (u64, u64, u64, Vec<u32>)> = BTreeMap::new();
    for c in tree.all().filter(|&c| !covered[c as usize]) {
        let did = tree.did(c);
        let near = tree.near(c);
        let sum = sums.entry(tree.context(near).method).or_default();
        if near == c {
            sum.0 += did.own;
            sum.2 += did.calls;
            sum.3.push(c);
        } else {
            sum.1 += did.own;
        }
    }
    let mut found = Vec::new();
    for (method, (own, library, calls, contexts)) in sums {
        let all = own + library;
        if all < input.cost / 20 {
            continue;
        }
        let m = &tree.run.methods[method as usize];
        let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
        for insn in &m.code {
            if let Some(line) = m.line(insn.bci) {
                *lines.entry(line).or_default() += insn.executed;
            }
        }
        for &c in &contexts {
            for &k in tree.children(c) {
                if !tree.method(k).app
                    && !covered[k as usize]
                    && let Some(line) = tree.context(k).site.and_then(|s| m.line(s))
                {
                    *lines.entry(line).or_default() += tree.did(k).inclusive;
                }
            }
        }
        let lines = Tree::ranked(lines);
        let line = lines.first().map(|l| l.0).or(m.first_line());
        let hottest = loops(&m.code)
            .into_iter()
            .max_by_key(|l| (l.rounds, l.from));
        let in_loop = hottest.is_some_and(|l| l.rounds >= 10 * calls.max(1));
        let (leaf, what) = match in_loop {
            true => ("hot loop", "a hot loop"),
            false => ("hot method", "much executed code"),
        };
        let title = format!(
            "{what} in {}: {} of all bytecodes",
            m.short(),
            percent(permille(all, tree.bytecodes))
        );
        let site = Site { method, line };
        let mut claim = input.claim(
            ["interpretation", leaf],
            title,
            Confidence::Possible,
            site,
            contexts,
        );
        claim.figures = vec![
            figure_each("self bytecodes", own, calls, "call"),
            figure("in its calls of the class library", grouped(library)),
            figure("calls", grouped(calls)),
        ];
        if let Some(l) = hottest {
            claim
                .figures
                .push(figure("rounds of its hottest loop", grouped(l.rounds)));
        }
        let row = |l: &(u32, u64)| format!("{} bytecodes at line {}", grouped(l.1), l.0);
        claim.evidence = vec![
            Evidence {
                what: "lines".into(),
                rows: lines.iter().take(5).map(row).collect(),
            },
            input.ways(&claim.tops),
        ];
        claim.saving = Saving {
            cost: all / FOUND,
            bytecodes: all / FOUND,
            how: "no cause is known; the estimate is a tenth, as for any code that you optimize"
                .into(),
            ..Saving::default()
        };
        found.push(claim);
    }
    found
}
