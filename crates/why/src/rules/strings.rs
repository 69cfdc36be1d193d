//! Strings that are concatenated piece by piece.

use super::{RuleInput, figure, figure_each, grows, quarters};
use crate::claim::{Claim, Confidence, grouped};
use crate::recording::Method;

/// Whether a method puts strings together.
pub(super) fn is_building(m: &Method) -> bool {
    match m.class.as_str() {
        "java.lang.StringConcatHelper" => m.name != "<clinit>",
        "java.lang.AbstractStringBuilder"
        | "java.lang.StringBuilder"
        | "java.lang.StringBuffer" => {
            matches!(
                m.name.as_str(),
                "append"
                    | "insert"
                    | "toString"
                    | "<init>"
                    | "delete"
                    | "deleteCharAt"
                    | "replace"
                    | "reverse"
            )
        }
        "java.lang.String" => matches!(
            m.name.as_str(),
            "format" | "concat" | "join" | "formatted" | "repeat"
        ),
        "java.util.Formatter" => m.name == "format",
        // how javac's concatenation comes to the helper
        class => m.name == "linkToTargetMethod" && class.contains("LambdaForm"),
    }
}

/// Places that build many strings.
pub fn building(input: &RuleInput<'_>) -> Vec<Claim> {
    let tree = input.tree;
    let tops = tree.tops(is_building);
    let mut found = Vec::new();
    for group in input.groups(&tops) {
        // one concatenation leads to several helpers
        let mut entries: Vec<u32> = group.tops.iter().map(|&c| tree.entry(c)).collect();
        entries.sort_unstable();
        entries.dedup();
        let times: u64 = entries.iter().map(|&c| tree.did(c).calls).sum();
        if times < 100 || !input.matters(group.cost() / 2) {
            continue;
        }
        let series = tree.series(&tree.below(&group.tops));
        let calls = tree.series(&entries);
        let both: Vec<_> = series
            .iter()
            .zip(&calls)
            .map(|(s, c)| crate::recording::Delta {
                calls: c.calls,
                ..*s
            })
            .collect();
        let q = quarters(&both, |d| d.bytes).filter(grows);
        let title = match q {
            Some(_) => format!(
                "a string grows piece by piece, and is copied {} times: quadratic cost",
                grouped(times)
            ),
            None => format!("strings are concatenated {} times", grouped(times)),
        };
        let sure = if q.is_some() {
            Confidence::Counted
        } else {
            Confidence::Possible
        };
        let mut claim = input.claim(
            ["allocation and collection", "string building"],
            title,
            sure,
            group.site,
            group.tops.clone(),
        );
        claim.figures = vec![
            figure("times", grouped(times)),
            figure_each("total bytecodes", group.inclusive, times, "time"),
            figure_each("bytes allocated", group.bytes, times, "time"),
        ];
        let how = match q {
            Some(q) => {
                claim.figures.push(figure(
                    "bytes each time, by quarters of the times",
                    q.map(|q| grouped(q as u64)).join(", "),
                ));
                "if the string were built once, in one StringBuilder"
            }
            None => {
                "if half of the cost could be avoided (a builder of the right size, no formats)"
            }
        };
        claim.evidence = vec![input.inside(&group.tops), input.ways(&group.tops)];
        claim.saving = group.saving(if q.is_some() { 950 } else { 500 }, how);
        found.push(claim);
    }
    found
}
