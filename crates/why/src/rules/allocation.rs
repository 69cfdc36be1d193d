//! Objects: numbers in boxes, and the places that allocate most.

use super::{Group, RuleInput, figure, figure_each, strings};
use crate::claim::{Claim, Confidence, Evidence, Saving, each, grouped, percent};
use crate::cost;
use crate::recording::{Kind, Method};
use crate::tree::{Site, Tree};
use std::collections::BTreeMap;

const BOXES: [&str; 8] = [
    "Integer",
    "Long",
    "Double",
    "Float",
    "Short",
    "Byte",
    "Character",
    "Boolean",
];

/// The class of boxes that a method belongs to.
fn of_box(m: &Method) -> Option<&str> {
    let class = m.class.strip_prefix("java.lang.")?;
    BOXES.contains(&class).then_some(class)
}

fn is_boxing(m: &Method) -> bool {
    // one argument of a primitive type
    let from_number = m.descriptor.len() >= 3
        && m.descriptor.as_bytes()[2] == b')'
        && m.descriptor.as_bytes()[1] != b'L';
    of_box(m).is_some() && (m.name == "valueOf" || m.name == "<init>") && from_number
}

fn is_unboxing(m: &Method) -> bool {
    of_box(m).is_some() && m.name.ends_with("Value") && m.descriptor.starts_with("()")
}

/// Numbers that are put into boxes, and taken out.
pub fn boxing(input: &RuleInput<'_>) -> Vec<Claim> {
    let tree = input.tree;
    let mut unboxed: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for group in input.groups(&tree.tops(is_unboxing)) {
        let sum = unboxed.entry(group.site.method).or_default();
        sum.0 += group.calls;
        sum.1 += group.inclusive;
    }
    // by method: a loop boxes on several lines
    let mut methods: BTreeMap<u32, Vec<Group>> = BTreeMap::new();
    for group in input.groups(&tree.tops(is_boxing)) {
        methods.entry(group.site.method).or_default().push(group);
    }
    let mut found = Vec::new();
    for (method, groups) in methods {
        let sum = |f: fn(&Group) -> u64| groups.iter().map(f).sum::<u64>();
        let (calls, objects, bytes) = (sum(|g| g.calls), sum(|g| g.objects), sum(|g| g.bytes));
        let (taken, taking) = unboxed.get(&method).copied().unwrap_or_default();
        let bytecodes = sum(|g| g.inclusive) + taking;
        let all = bytecodes + cost::of_objects(objects, bytes);
        if calls < 100 || !input.matters(all) {
            continue;
        }
        let tops: Vec<u32> = groups.iter().flat_map(|g| g.tops.clone()).collect();
        let mut classes: BTreeMap<&str, u64> = BTreeMap::new();
        for &c in &tops {
            *classes
                .entry(of_box(tree.method(c)).unwrap_or(""))
                .or_default() += tree.did(c).calls;
        }
        let classes = Tree::ranked(classes);
        let title = format!("{} numbers are boxed ({})", grouped(calls), classes[0].0);
        let mut claim = input.claim(
            ["allocation and collection", "boxing"],
            title,
            Confidence::Counted,
            groups[0].site,
            tops,
        );
        claim.figures = vec![
            figure("boxed", grouped(calls)),
            figure("unboxed in the same method", grouped(taken)),
            figure_each("bytes allocated", bytes, objects, "object"),
            figure("objects allocated", grouped(objects)),
            figure("bytecodes", grouped(bytecodes)),
        ];
        let row = |g: &Group| format!("{} at {}", grouped(g.calls), tree.show(g.site));
        claim.evidence = vec![
            Evidence {
                what: "boxed at".into(),
                rows: groups.iter().take(4).map(row).collect(),
            },
            input.ways(&claim.tops),
        ];
        claim.saving = Saving {
            cost: all,
            bytecodes,
            objects,
            bytes,
            how: "with arrays or collections of primitive types: calls of valueOf and …Value, and the objects".into(),
            ..Saving::default()
        };
        found.push(claim);
    }
    found
}

/// What allocates most, for other reasons.
pub fn sites(input: &RuleInput<'_>) -> Vec<Claim> {
    let tree = input.tree;
    let reported = |m: &Method| {
        is_boxing(m) || strings::is_building(m) || m.is("java.lang.Throwable", "fillInStackTrace")
    };
    let mut below = vec![false; tree.run.contexts.len()];
    let mut found: BTreeMap<u32, (u64, u64, Vec<u32>)> = BTreeMap::new();
    for c in tree.all() {
        let above = tree.parent(c).is_some_and(|p| below[p as usize]);
        below[c as usize] = above || reported(tree.method(c));
        let did = tree.did(c);
        if !below[c as usize] && did.objects > 0 {
            let sum = found.entry(tree.context(tree.near(c)).method).or_default();
            sum.0 += did.objects;
            sum.1 += did.bytes;
            sum.2.push(c);
        }
    }
    let mut claims = Vec::new();
    for (method, (objects, bytes, contexts)) in found {
        let all = cost::of_objects(objects, bytes);
        if all < input.cost / 20 {
            continue;
        }
        let m = &tree.run.methods[method as usize];
        let big = bytes / objects >= 4096;
        let short = input.survival.is_some_and(|s| s < 200);
        let (leaf, title) = match (big, short) {
            (true, _) => (
                "big arrays",
                format!(
                    "arrays of {} bytes each are allocated {} times",
                    each(bytes, objects),
                    grouped(objects)
                ),
            ),
            (_, true) => (
                "short-lived objects",
                format!(
                    "{} objects are allocated, and most die young",
                    grouped(objects)
                ),
            ),
            _ => (
                "objects",
                format!("{} objects are allocated", grouped(objects)),
            ),
        };
        // lines of the method itself that allocate, and what it calls that does
        let mut at: BTreeMap<String, u64> = BTreeMap::new();
        for insn in &m.code {
            if let Kind::New(class) = &insn.kind {
                let line = m.line(insn.bci);
                *at.entry(format!("{class} at {}", tree.show(Site { method, line })))
                    .or_default() += insn.executed;
            }
        }
        let mut sites: BTreeMap<Site, u64> = BTreeMap::new();
        for &c in contexts.iter().filter(|&&c| !tree.method(c).app) {
            let did = tree.did(c);
            *sites.entry(tree.site(c)).or_default() += did.objects;
            *at.entry(format!(
                "in {} from {}",
                tree.method(c).short(),
                tree.show(tree.site(c))
            ))
            .or_default() += did.objects;
        }
        let line = Tree::ranked(sites).first().and_then(|s| s.0.line);
        let own = m
            .code
            .iter()
            .filter(|i| matches!(i.kind, Kind::New(_)))
            .max_by_key(|i| (i.executed, i.bci));
        let line = own.and_then(|i| m.line(i.bci)).or(line).or(m.first_line());
        let site = Site { method, line };
        let mut claim = input.claim(
            ["allocation and collection", leaf],
            title,
            Confidence::Possible,
            site,
            contexts,
        );
        claim.figures = vec![
            figure("objects", grouped(objects)),
            figure_each("bytes", bytes, objects, "object"),
        ];
        if let Some(survival) = input.survival {
            claim.figures.push(figure(
                "of the heap, collections found alive",
                percent(survival),
            ));
        }
        let rows = Tree::ranked(at)
            .into_iter()
            .take(5)
            .map(|(what, n)| format!("{} {what}", grouped(n)));
        claim.evidence = vec![Evidence {
            what: "objects".into(),
            rows: rows.collect(),
        }];
        claim.saving = Saving {
            cost: all / 2,
            objects: objects / 2,
            bytes: bytes / 2,
            how: "if half of the objects could be avoided or reused".into(),
            ..Saving::default()
        };
        claims.push(claim);
    }
    claims
}
