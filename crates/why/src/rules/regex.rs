//! Regular expressions that are compiled again and again.

use super::{RuleInput, figure, figure_each};
use crate::claim::{Claim, Confidence, grouped};

/// Places that compile more than a few patterns.
pub fn compiled_again(input: &RuleInput<'_>) -> Vec<Claim> {
    let tree = input.tree;
    let tops = tree.tops(|m| m.is("java.util.regex.Pattern", "compile"));
    let mut found = Vec::new();
    for group in input.groups(&tops) {
        if group.calls < 20 || !input.matters(group.cost()) {
            continue;
        }
        let entry = tree.method(tree.entry(group.tops[0])).short();
        let title = format!(
            "a regular expression is compiled {} times by {entry}",
            grouped(group.calls)
        );
        let mut claim = input.claim(
            ["interpretation", "regex compiled in a loop"],
            title,
            Confidence::Counted,
            group.site,
            group.tops.clone(),
        );
        claim.figures = vec![
            figure("compiled", format!("{} times", grouped(group.calls))),
            figure_each("total bytecodes", group.inclusive, group.calls, "time"),
            figure_each("objects", group.objects, group.calls, "time"),
        ];
        claim.evidence = vec![input.inside(&group.tops), input.ways(&group.tops)];
        let left = 1000 / group.calls;
        claim.saving = group.saving(1000 - left, "if it were compiled once (a static Pattern)");
        found.push(claim);
    }
    found
}
