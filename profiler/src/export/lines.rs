//! Costs by source line, as far as a profile reports them: call sites have lines if contexts are stored
//! apart by them, and so have callees that are not shown; bytecodes have if their executions were counted. Everything else is at the method's
//! first line. Line 0 means an unknown line.

use super::CallGraph;
use crate::method::MethodInfo;
use crate::profile::{Kind, Profile};
use std::collections::BTreeMap;

/// The costs of a source line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineCosts {
    /// Bytecodes of the method itself.
    pub own: u64,
    /// Those among them that callees have executed which are not shown.
    pub caused: u64,
    /// Callees, with how often the line called them, and the bytecodes executed below these calls; in
    /// recursion they belong to the innermost invocation.
    pub callees: BTreeMap<u32, (u64, u64)>,
}

impl LineCosts {
    /// Bytecodes of the line and what it calls.
    pub fn inclusive(&self) -> u64 {
        let below = self.callees.values().map(|callee| callee.1);
        below.fold(self.own, u64::saturating_add)
    }
}

/// For each method, the costs of its lines. The costs of one method add up to its inclusive bytecodes.
pub fn by_line(profile: &Profile) -> Vec<BTreeMap<u32, LineCosts>> {
    let mut all = vec![BTreeMap::<u32, LineCosts>::new(); profile.methods.len()];
    let graph = CallGraph::of(profile);
    for (index, own) in graph.executed() {
        let method = &profile.methods[index as usize];
        let lines = &mut all[index as usize];
        for (line, at) in executed(method, own.bytecodes, own.reported()) {
            lines.entry(line).or_default().own = at.bytecodes;
        }
        for (&site, &bytecodes) in &own.caused {
            let line = lines.entry(of_site(method, Some(site.into()))).or_default();
            line.caused = line.caused.saturating_add(bytecodes).min(line.own);
        }
    }
    for edge in &graph.edges {
        let line = of_site(&profile.methods[edge.caller as usize], edge.site);
        let line = all[edge.caller as usize].entry(line).or_default();
        let (calls, below) = line.callees.entry(edge.callee).or_default();
        *calls = calls.saturating_add(edge.calls);
        *below = below.saturating_add(edge.inclusive[0]);
    }
    all
}

/// What a profile does not report by line, in words; `None` if that is nothing.
pub fn unattributed(kind: Kind, call_sites: bool, counts: bool) -> Option<&'static str> {
    match (kind, call_sites, counts) {
        (Kind::Exact, _, true) => None,
        (Kind::Exact, true, false) => Some(
            "self counts are at the method's first line (for counts by line, use --profile=blocks)",
        ),
        (Kind::Exact, false, false) => Some(
            "all counts are at the method's first line (for calls by line, use --profile=callsites; for all counts by line, --profile=blocks)",
        ),
        (Kind::Samples, true, _) => Some("self counts are at the method's first line"),
        (Kind::Samples, false, _) => Some("all counts are at the method's first line"),
    }
}

/// The execution at a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LineExecutions {
    /// Bytecodes.
    pub bytecodes: u64,
    /// The least index of a bytecode that was executed there.
    pub index: u16,
}

/// The line of a method's first bytecode.
pub(super) fn first(method: &MethodInfo) -> u32 {
    method.first_line().unwrap_or(0)
}

/// The line that a method calls from at a call site, if that is known, else its first one.
pub(super) fn of_site(method: &MethodInfo, site: Option<u32>) -> u32 {
    method.line(site).unwrap_or_else(|| first(method))
}

/// A method's own bytecodes by line: `counts` are the executions of each of its bytecodes, and of hidden callees by call. The
/// bytecodes that they do not cover go to the first line, which always exists.
pub(super) fn executed(
    method: &MethodInfo,
    bytecodes: u64,
    counts: impl Iterator<Item = (u16, u64)>,
) -> BTreeMap<u32, LineExecutions> {
    let mut lines = BTreeMap::new();
    let mut reported = 0u64;
    for (index, count) in counts {
        reported = reported.saturating_add(count);
        let line = of_site(method, Some(index.into()));
        let new = LineExecutions {
            bytecodes: 0,
            index,
        };
        let at = lines.entry(line).or_insert(new);
        at.bytecodes = at.bytecodes.saturating_add(count);
    }
    if reported > bytecodes {
        // They are of something else than this profile.
        lines.clear();
        reported = 0;
    }
    let rest = lines.entry(first(method)).or_default();
    rest.bytecodes = rest.bytecodes.saturating_add(bytecodes - reported);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_do_not_report_is_at_the_first_line() {
        let plain = MethodInfo::new("A", "m", "()V", false, false);
        let placed = plain.clone().with_source("A.java", &[(0, 5), (3, 6)]);
        let lines = |method, bytecodes, counts: &[(u16, u64)]| {
            executed(method, bytecodes, counts.iter().copied())
                .into_iter()
                .map(|(line, at)| (line, at.bytecodes, at.index))
                .collect::<Vec<_>>()
        };
        assert_eq!(lines(&placed, 7, &[]), [(5, 7, 0)]);
        let counts = [(1, 2), (3, 1), (4, 3)];
        assert_eq!(lines(&placed, 7, &counts), [(5, 3, 1), (6, 4, 3)]);
        assert_eq!(lines(&placed, 5, &counts), [(5, 5, 0)]);
        assert_eq!(lines(&plain, 7, &counts), [(0, 7, 1)]);
        assert_eq!(of_site(&placed, None), 5);
        assert_eq!(of_site(&placed, Some(9)), 6);
    }
}
