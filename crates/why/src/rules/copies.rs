//! Large pieces of arrays that are moved again and again: no bytecode reports that, `System.arraycopy` does it.

use super::{RuleInput, figure, figure_each, strings};
use crate::claim::{Claim, Confidence, grouped};
use crate::cost;
use crate::recording::{Copied, Method};
use crate::tree::Site;
use std::collections::{BTreeMap, BTreeSet};

/// How many thousandths of the moved bytes could be saved, by estimate.
const SAVED: u64 = 900;

fn copies(m: &Method) -> bool {
    m.is("java.lang.System", "arraycopy")
}

/// What all large copies of a run cost.
pub fn cost(copied: &[Copied]) -> u64 {
    copied.iter().map(|c| c.bytes).sum::<u64>() / cost::BYTES
}

/// Places that lead to large copies. String concatenation has its own rule.
pub fn big(input: &RuleInput<'_>) -> Vec<Claim> {
    let tree = input.tree;
    let mut rows: BTreeMap<(Site, u32), Copied> = BTreeMap::new();
    for c in &tree.run.copied {
        let line = tree.run.methods[c.method as usize].line(c.bci);
        let site = Site {
            method: c.method,
            line,
        };
        let row = rows.entry((site, c.callee)).or_default();
        row.times += c.times;
        row.bytes += c.bytes;
        row.most = row.most.max(c.most);
    }
    // the topmost of either kind: what is copied below a builder is its affair
    let tops = tree.tops(|m| copies(m) || strings::is_building(m));
    let tops = tops.into_iter().filter(|&c| copies(tree.method(c)));
    let mut found: BTreeMap<(Site, u32), BTreeSet<u32>> = BTreeMap::new();
    for c in tops {
        let callee = tree.context(tree.entry(c)).method;
        let entries = found.entry((tree.site(c), callee)).or_default();
        entries.insert(tree.entry(c));
    }
    let mut claims = Vec::new();
    for (key, entries) in found {
        let Some(row) = rows.get(&key) else { continue };
        let all = row.bytes / cost::BYTES;
        if row.times < 20 || !input.matters(all) {
            continue;
        }
        let tops: Vec<u32> = entries.into_iter().collect();
        let calls: u64 = tops.iter().map(|&c| tree.did(c).calls).sum();
        let bytecodes: u64 = tops.iter().map(|&c| tree.did(c).inclusive).sum();
        let callee = &tree.run.methods[key.1 as usize];
        let title = format!(
            "{} moves {} bytes {} times",
            callee.short(),
            grouped(row.bytes / row.times),
            grouped(row.times)
        );
        let mut claim = input.claim(
            ["allocation and collection", "big copies"],
            title,
            Confidence::Counted,
            key.0,
            tops,
        );
        claim.figures = vec![
            figure_each("bytes copied", row.bytes, row.times, "copy"),
            figure("bytes of the largest", grouped(row.most)),
            figure("calls that lead to the copies", grouped(calls)),
            figure_each("bytecodes beside", bytecodes, calls, "call"),
        ];
        claim.evidence = vec![input.ways(&claim.tops)];
        claim.saving = crate::claim::Saving {
            cost: all / 1000 * SAVED,
            how: format!(
                "if elements were not moved (a deque instead of a list, removal at the end, full capacity from the start): a bytecode for each {} bytes",
                cost::BYTES
            ),
            ..Default::default()
        };
        claims.push(claim);
    }
    claims
}
