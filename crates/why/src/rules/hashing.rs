//! Hash tables whose keys collide: operations that compare with more than one key.

use super::{RuleInput, figure, figure_each};
use crate::claim::{Claim, Confidence, Evidence, Saving, each, grouped};
use crate::recording::Method;
use crate::tree::Tree;
use std::collections::BTreeMap;

/// Bytecodes of an operation whose bucket has one entry, without the comparison of keys.
const USUAL: u64 = 60;

const TABLES: [&str; 3] = [
    "java.util.HashMap",
    "java.util.concurrent.ConcurrentHashMap",
    "java.util.Hashtable",
];

/// Whether a method is an operation on a hash table that looks for a key.
pub(super) fn is_operation(m: &Method) -> bool {
    let inner = |names: &[&str]| names.contains(&m.name.as_str());
    match m.class.as_str() {
        "java.util.HashMap" => inner(&[
            "getNode",
            "get",
            "containsKey",
            "put",
            "putVal",
            "remove",
            "removeNode",
            "computeIfAbsent",
            "computeIfPresent",
            "compute",
            "merge",
            "getOrDefault",
            "putIfAbsent",
        ]),
        "java.util.concurrent.ConcurrentHashMap" => inner(&[
            "get",
            "containsKey",
            "put",
            "putVal",
            "remove",
            "replaceNode",
            "computeIfAbsent",
            "computeIfPresent",
            "compute",
            "merge",
            "getOrDefault",
            "putIfAbsent",
        ]),
        "java.util.Hashtable" => inner(&["get", "containsKey", "put", "remove"]),
        "java.util.HashSet" | "java.util.LinkedHashMap" => {
            inner(&["add", "contains", "remove", "get", "put"])
        }
        _ => false,
    }
}

/// Whether a method belongs to the tables themselves.
fn is_table(m: &Method) -> bool {
    TABLES
        .iter()
        .any(|t| m.class == *t || m.class.strip_prefix(t).is_some_and(|r| r.starts_with('$')))
}

/// Operations that compare many keys.
pub fn collisions(input: &RuleInput<'_>) -> Vec<Claim> {
    let tree = input.tree;
    let tops = tree.tops(is_operation);
    let mut found = Vec::new();
    for group in input.groups(&tops) {
        if group.calls < 100 || !input.matters(group.inclusive) {
            continue;
        }
        let (mut table, mut equals, mut compared, mut trees) = (0, 0, 0, 0);
        let mut keys: BTreeMap<u32, u64> = BTreeMap::new();
        // what is computed for a key that is missing is not the table's
        let mut open: Vec<u32> = group.tops.clone();
        while let Some(c) = open.pop() {
            let (m, did) = (tree.method(c), tree.did(c));
            if is_table(m) || is_operation(m) {
                table += did.own;
                trees += if m.class.contains("$Tree") {
                    did.own
                } else {
                    0
                };
                open.extend_from_slice(tree.children(c));
            } else if m.name == "equals" || m.name == "compareTo" {
                equals += did.calls;
                compared += did.inclusive;
                *keys.entry(tree.context(c).method).or_default() += did.calls;
            } else if m.name == "identityHashCode" || m.name == "getClass" {
                trees += 1;
            }
        }
        // a tree compares hashes and classes where keys have no order
        let compared_keys = equals / group.calls;
        let usual = USUAL + compared / equals.max(1);
        let spent = table + compared;
        if spent < 3 * usual * group.calls || !(compared_keys >= 3 || trees > table / 3) {
            continue;
        }
        let bytecodes = spent - usual * group.calls;
        let keys = Tree::ranked(keys);
        let key = keys
            .first()
            .map(|k| tree.run.methods[k.0 as usize].simple_class().to_string());
        let what = key.clone().unwrap_or("its keys".into());
        let title = match compared_keys >= 2 {
            true => format!(
                "each operation on a hash table compares {} keys: hashCode of {what} makes them collide",
                each(equals, group.calls)
            ),
            false => format!(
                "hash tables have grown trees in their buckets: hashCode of {what} makes keys collide"
            ),
        };
        let mut claim = input.claim(
            ["interpretation", "hashing collisions"],
            title,
            Confidence::Counted,
            group.site,
            group.tops.clone(),
        );
        claim.figures = vec![
            figure("operations", grouped(group.calls)),
            figure_each("keys compared", equals, group.calls, "operation"),
            figure_each("bytecodes", spent, group.calls, "operation"),
            figure("bytecodes in buckets that are trees", grouped(trees)),
        ];
        let row = |k: &(u32, u64)| {
            let m = &tree.run.methods[k.0 as usize];
            format!(
                "{} calls of {}",
                grouped(k.1),
                tree.show(crate::tree::Site {
                    method: k.0,
                    line: m.first_line()
                })
            )
        };
        claim.evidence = vec![
            Evidence {
                what: "keys are compared by".into(),
                rows: keys.iter().take(3).map(row).collect(),
            },
            input.inside(&group.tops),
            input.ways(&group.tops),
        ];
        claim.saving = Saving {
            cost: bytecodes,
            bytecodes,
            how: format!(
                "if each operation took {usual} bytecodes, one comparison of keys among them"
            ),
            ..Saving::default()
        };
        found.push(claim);
    }
    found
}
