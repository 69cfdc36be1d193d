//! Exceptions as control flow: many are made, and each costs its stack trace.

use super::{RuleInput, figure, figure_each};
use crate::claim::{Claim, Confidence, Evidence, Saving, grouped};
use crate::cost;
use crate::tree::Tree;
use std::collections::BTreeMap;

/// Places that make many exceptions.
pub fn control_flow(input: &RuleInput<'_>) -> Vec<Claim> {
    let tree = input.tree;
    // the constructor that makes the exception, those of its superclasses below it
    let mut makers = Vec::new();
    let mut frames: BTreeMap<u32, u64> = BTreeMap::new();
    for c in tree.all() {
        let m = tree.method(c);
        if !m.is("java.lang.Throwable", "<init>") {
            continue;
        }
        let mut top = c;
        while let Some(p) = tree.parent(top) {
            if tree.method(p).name != "<init>" || tree.context(top).method == tree.context(p).method
            {
                break;
            }
            top = p;
        }
        let traced = tree
            .children(c)
            .iter()
            .any(|&k| tree.method(k).name == "fillInStackTrace");
        let depth = u64::from(tree.depth[top as usize]).min(cost::MOST_TRACED);
        let made = tree.did(c).calls;
        *frames.entry(top).or_default() += if traced { depth * made } else { 0 };
        makers.push(top);
    }
    makers.sort_unstable();
    makers.dedup();
    let mut found = Vec::new();
    for mut group in input.groups(&makers) {
        if group.calls < 50 {
            continue;
        }
        let frames: u64 = group
            .tops
            .iter()
            .map(|c| frames.get(c).copied().unwrap_or(0))
            .sum();
        let work = frames * cost::TRACED_FRAME + group.calls * cost::THROW;
        // a method of the class library that is called for nothing but this
        let mut entries: Vec<u32> = group.tops.iter().map(|&c| tree.entry(c)).collect();
        entries.sort_unstable();
        entries.dedup();
        let tried: u64 = entries
            .iter()
            .filter(|&&e| !group.tops.contains(&e))
            .map(|&e| tree.did(e).calls)
            .sum();
        let all = group.cost() + work;
        if !input.matters(all) {
            continue;
        }
        let mut classes: BTreeMap<String, u64> = BTreeMap::new();
        for &c in &group.tops {
            *classes.entry(tree.method(c).class.clone()).or_default() += tree.did(c).calls;
        }
        let classes = Tree::ranked(classes);
        let class = classes.first().map_or("", |c| &c.0);
        let class = class.rsplit('.').next().unwrap_or(class);
        let title = format!(
            "{} exceptions are created for control flow: {class}",
            grouped(group.calls)
        );
        let mut claim = input.claim(
            ["interpretation", "exceptions as control flow"],
            title,
            Confidence::Counted,
            group.site,
            group.tops.clone(),
        );
        claim.figures = vec![
            figure("exceptions", grouped(group.calls)),
            figure_each(
                "bytecodes of their constructors",
                group.inclusive,
                group.calls,
                "exception",
            ),
            figure_each(
                "frames of their stack traces",
                frames,
                group.calls,
                "exception",
            ),
        ];
        if tried > 0 {
            claim
                .figures
                .push(figure("calls that may throw them", grouped(tried)));
        }
        claim.evidence = vec![
            Evidence {
                what: "classes".into(),
                rows: classes
                    .iter()
                    .take(4)
                    .map(|c| format!("{} {}", grouped(c.1), c.0))
                    .collect(),
            },
            input.ways(&group.tops),
        ];
        let bytecodes = std::mem::take(&mut group.inclusive);
        let objects = cost::of_objects(group.objects, group.bytes);
        claim.saving = Saving {
            cost: bytecodes + objects + work,
            bytecodes,
            objects: group.objects,
            bytes: group.bytes,
            how: format!(
                "without them: their constructors, {} for each frame of a stack trace, {} for each throw",
                cost::TRACED_FRAME,
                cost::THROW
            ),
            ..Saving::default()
        };
        found.push(claim);
    }
    found
}
