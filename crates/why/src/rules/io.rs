//! Input and output in small pieces.

use super::{RuleInput, figure, figure_each};
use crate::claim::{Claim, Confidence, Evidence, Saving, grouped};
use crate::cost;
use crate::tree::{Site, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// Pieces that one call could take at once, as buffers have room for many.
const AT_ONCE: u64 = 64;

/// All calls of the operating system of a run.
pub fn system_calls(tree: &Tree<'_>) -> u64 {
    let counted: Vec<bool> = tree
        .run
        .methods
        .iter()
        .map(|m| m.outside.is_some())
        .collect();
    let of = |c: &u32| counted[tree.context(*c).method as usize];
    tree.all().filter(of).map(|c| tree.did(c).calls).sum()
}

/// Places that ask the operating system often.
pub fn chatty(input: &RuleInput<'_>) -> Vec<Claim> {
    let tree = input.tree;
    let mut sites: BTreeMap<Site, (BTreeMap<&str, u64>, BTreeMap<u32, u64>, BTreeSet<u32>)> =
        BTreeMap::new();
    for c in tree.all() {
        let m = tree.method(c);
        if let Some(kind) = m.outside {
            let sum = sites.entry(tree.called_from(c)).or_default();
            let calls = tree.did(c).calls;
            *sum.0.entry(kind).or_default() += calls;
            *sum.1.entry(tree.context(c).method).or_default() += calls;
            sum.2.insert(tree.entry(c));
        }
    }
    let mut found = Vec::new();
    for (site, (kinds, natives, entries)) in sites {
        let calls: u64 = kinds.values().sum();
        let tops: Vec<u32> = entries.into_iter().collect();
        let inclusive: u64 = tops.iter().map(|&c| tree.did(c).inclusive).sum();
        let entered: u64 = tops.iter().map(|&c| tree.did(c).calls).sum();
        if calls < 100 || !input.matters(calls * cost::SYSTEM_CALL) {
            continue;
        }
        let kinds = Tree::ranked(kinds);
        let what = match kinds[0].0 {
            "read" => "reads",
            "write" => "writes",
            "stat" => "questions about files",
            "open" => "files opened or closed",
            "seek" => "moves in files",
            "sync" => "waits for the disk",
            "connect" => "connections",
            _ => "changes of folders",
        };
        let title = format!(
            "{} {what}, one call of the operating system each",
            grouped(kinds[0].1)
        );
        let mut claim = input.claim(
            ["input and output", "chatty"],
            title,
            Confidence::Counted,
            site,
            tops,
        );
        claim.figures = vec![
            figure("calls of the operating system", grouped(calls)),
            figure("calls of the program that lead to them", grouped(entered)),
            figure_each(
                "total bytecodes that lead to the calls",
                inclusive,
                calls,
                "call",
            ),
        ];
        let row = |n: &(u32, u64)| {
            format!(
                "{} {}",
                grouped(n.1),
                tree.run.methods[n.0 as usize].short()
            )
        };
        claim.evidence = vec![
            Evidence {
                what: "natives".into(),
                rows: Tree::ranked(natives).iter().take(4).map(row).collect(),
            },
            input.ways(&claim.tops),
        ];
        let saved = calls - calls / AT_ONCE;
        let bytecodes = inclusive / 2;
        claim.saving = Saving {
            cost: saved * cost::SYSTEM_CALL + bytecodes,
            bytecodes,
            how: format!(
                "if one call did the work of {AT_ONCE} (a buffer around the stream): {} fewer calls at {} each, and half of the bytecodes that lead to them",
                grouped(saved),
                grouped(cost::SYSTEM_CALL)
            ),
            ..Saving::default()
        };
        found.push(claim);
    }
    found
}
