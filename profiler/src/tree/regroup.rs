//! Puts trees on top of each other and leaves contexts out: what views, filters, merges and the
//! canonical order are made of.

use super::columns::{Allocation, Extra, add_caused};
use super::writer::TreeWriter;
use super::{Node, Tree, TreeError};
use crate::cct::NO_SITE;

/// What happens to the counters of a context that is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LeftOut {
    /// They vanish.
    #[default]
    Drop,
    /// Bytecodes and allocations are added to the nearest shown caller, where they are reported by call site if sites are
    /// recorded. Invocations and the counts of single bytecodes are those of another method and vanish.
    Add,
    /// As `Add`, invocations too: they are samples. Nothing is reported by call site.
    AddSamples,
}

/// Is a context shown? Asked with the source's methods: the node's and its caller's.
pub(crate) type ShowFilter<'a> = &'a dyn Fn(u32, Option<u32>) -> bool;

/// How [`regroup`] changes a tree.
pub(crate) struct Rule<'a> {
    /// For each source the new indices of its methods; if there is none, they stay.
    pub methods: &'a [&'a [u32]],
    /// Is a context shown? What a hidden node calls moves up to the nearest shown caller and takes
    /// the hidden node's call site.
    pub shown: ShowFilter<'a>,
    /// Are call sites kept, as part of a node's identity?
    pub call_sites: bool,
    /// Contexts of this depth (1: roots) are the last ones shown.
    pub max_depth: usize,
    /// What happens to the counters of contexts that are not shown.
    pub left_out: LeftOut,
}

impl Rule<'_> {
    /// Everything is shown.
    pub fn all(call_sites: bool) -> Self {
        Rule {
            methods: &[],
            shown: &|_, _| true,
            call_sites,
            max_depth: usize::MAX,
            left_out: LeftOut::Drop,
        }
    }
}

/// Counters of contexts left out.
#[derive(Clone, Copy, Default)]
struct OmittedCounts {
    invocations: u64,
    bytecodes: u64,
    allocation: Allocation,
}

impl OmittedCounts {
    fn add(&mut self, tree: &Tree, index: u32, left_out: LeftOut) {
        if left_out == LeftOut::Drop {
            return;
        }
        let node = &tree.nodes[index as usize];
        self.bytecodes = self.bytecodes.saturating_add(node.bytecodes);
        self.allocation.add(tree.columns.allocation(index));
        if left_out == LeftOut::AddSamples {
            self.invocations = self.invocations.saturating_add(node.invocations);
        }
    }
}

/// What the contexts that a rule hides executed, whatever became of their counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HiddenCounts {
    pub invocations: u64,
    pub bytecodes: u64,
}

impl HiddenCounts {
    /// Adds others.
    pub fn add(&mut self, other: HiddenCounts) {
        self.invocations = self.invocations.saturating_add(other.invocations);
        self.bytecodes = self.bytecodes.saturating_add(other.bytecodes);
    }
}

/// A source node that becomes part of a node of the result.
struct NodePart {
    order: u64,
    method: u32,
    site: u32,
    source: u32,
    node: u32,
}

/// What [`regroup`] makes.
pub(crate) struct Regrouped {
    /// The new tree.
    pub tree: Tree,
    /// Bytecodes of contexts left out that no shown context called, if they are not to vanish.
    pub unplaced: u64,
    /// What [`Rule::shown`] hid.
    pub hidden: HiddenCounts,
}

/// Puts trees on top of each other: equal contexts become one, counts add up. The result is in
/// canonical order if the (new) method indices are in the order of the methods' labels.
///
/// Works top down: the nodes of all sources that make up one node of the result are known at once,
/// so their children are gathered, sorted, and cut into groups of equal contexts.
pub(crate) fn regroup(sources: &[&Tree], rule: &Rule<'_>) -> Result<Regrouped, TreeError> {
    let mut work = Regroup {
        sources,
        rule,
        todo: Vec::new(),
        parts: Vec::new(),
        folded: OmittedCounts::default(),
        caused: Vec::new(),
        hidden: HiddenCounts::default(),
    };
    for source in 0..sources.len() as u32 {
        work.gather(source, None);
    }
    let unplaced = std::mem::take(&mut work.folded).bytecodes;
    work.caused.clear();
    let mut writer = TreeWriter::default();
    let mut extra = Extra::default();
    let with_counts = sources.iter().any(|tree| tree.has_counts());
    let with_caused = rule.call_sites && sources.iter().any(|tree| tree.has_caused());
    sort(&mut work.parts);
    // For each depth the range of `parts` that holds the siblings there, and how far it is done.
    let mut levels: Vec<(usize, usize, usize)> = vec![(0, 0, work.parts.len())];
    while let Some(&(begin, from, to)) = levels.last() {
        if from == to {
            work.parts.truncate(begin);
            levels.pop();
            continue;
        }
        let depth = levels.len() - 1;
        let (site, method) = (work.parts[from].site, work.parts[from].method);
        let alike = |p: &&NodePart| p.site == site && p.method == method;
        let group = from..from + work.parts[from..to].iter().take_while(alike).count();
        levels[depth].1 = group.end;
        let (mut invocations, mut bytecodes) = (0u64, 0u64);
        let mut allocation = Allocation::NONE;
        extra.clear();
        for part in &work.parts[group.clone()] {
            let tree = sources[part.source as usize];
            let node = &tree.nodes[part.node as usize];
            invocations = invocations.saturating_add(node.invocations);
            bytecodes = bytecodes.saturating_add(node.bytecodes);
            allocation.add(tree.columns.allocation(part.node));
            if with_counts {
                extra.counts.extend(tree.columns.counts(part.node));
            }
            if with_caused {
                extra.caused.extend(tree.columns.caused(part.node));
            }
        }
        writer.leave_to(depth);
        writer.enter(method, site, invocations, bytecodes)?;
        extra.set_allocation(allocation);
        let below = work.parts.len();
        for at in group {
            let NodePart { source, node, .. } = work.parts[at];
            if depth + 1 < rule.max_depth {
                work.gather(source, Some(node));
            } else {
                work.fold_below(source, node);
            }
        }
        extra.caused.append(&mut work.caused);
        extra.normalise();
        writer.set_extra(&extra);
        let folded = std::mem::take(&mut work.folded);
        writer.add(folded.invocations, folded.bytecodes, folded.allocation);
        if work.parts.len() > below {
            sort(&mut work.parts[below..]);
            levels.push((below, below, work.parts.len()));
        }
    }
    Ok(Regrouped {
        tree: writer.finish(),
        unplaced,
        hidden: work.hidden,
    })
}

struct Regroup<'a> {
    sources: &'a [&'a Tree],
    rule: &'a Rule<'a>,
    /// Nodes (or the roots) of a source whose children are to be gathered, and the call site they
    /// take over if the node is hidden.
    todo: Vec<(Option<u32>, Option<u32>)>,
    parts: Vec<NodePart>,
    /// Counters of the hidden nodes that were skipped.
    folded: OmittedCounts,
    /// Their bytecodes by the call site in the context that is shown.
    caused: Vec<(u16, u64)>,
    hidden: HiddenCounts,
}

impl Regroup<'_> {
    /// Appends the shown children of a node to `parts`, looking through hidden ones.
    fn gather(&mut self, source: u32, node: Option<u32>) {
        let (tree, rule) = (self.sources[source as usize], self.rule);
        let names = rule.methods.get(source as usize);
        self.todo.push((node, None));
        while let Some((node, site)) = self.todo.pop() {
            let caller = node.map(|node| tree.nodes[node as usize].method);
            for child in node.map_or_else(|| tree.roots(), |node| tree.children(node)) {
                let Node {
                    method,
                    site: own,
                    invocations,
                    bytecodes,
                    ..
                } = tree.nodes[child as usize];
                let site = site.unwrap_or(own);
                if (rule.shown)(method, caller) {
                    let site = if rule.call_sites { site } else { NO_SITE };
                    let method = names.map_or(method, |names| names[method as usize]);
                    self.parts.push(NodePart {
                        order: site_order(site),
                        method,
                        site,
                        source,
                        node: child,
                    });
                } else {
                    self.hidden.add(HiddenCounts {
                        invocations,
                        bytecodes,
                    });
                    self.folded.add(tree, child, rule.left_out);
                    self.caused(site, bytecodes);
                    self.todo.push((Some(child), Some(site)));
                }
            }
        }
    }

    /// Adds up everything below a node.
    fn fold_below(&mut self, source: u32, node: u32) {
        if self.rule.left_out != LeftOut::Drop {
            let tree = self.sources[source as usize];
            for child in tree.children(node) {
                let site = tree.nodes[child as usize].site;
                for below in child..tree.nodes[child as usize].end {
                    self.folded.add(tree, below, self.rule.left_out);
                    self.caused(site, tree.nodes[below as usize].bytecodes);
                }
            }
        }
    }

    /// Notes the bytecodes of a context that is left out.
    #[inline]
    fn caused(&mut self, site: u32, bytecodes: u64) {
        if self.rule.call_sites && self.rule.left_out == LeftOut::Add {
            add_caused(&mut self.caused, site, bytecodes);
        }
    }
}

fn sort(parts: &mut [NodePart]) {
    if parts.len() > 1 {
        parts.sort_unstable_by_key(|p| (p.order, p.method, p.source, p.node));
    }
}

/// A number that sorts as the text `@site:` does in bytes: a digit's nibble, the colon after all
/// digits, and `@-1:` first.
#[inline]
pub(crate) fn site_order(site: u32) -> u64 {
    if site == NO_SITE {
        return 0;
    }
    let (mut order, mut rest) = (11u64 << 60, site);
    loop {
        // The last digit comes first, so each one goes above those before it.
        order = (order >> 4) | (u64::from(rest % 10 + 1) << 60);
        rest /= 10;
        if rest == 0 {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_sort_as_their_text() {
        let sites = [
            0,
            1,
            2,
            9,
            10,
            11,
            19,
            99,
            100,
            110,
            1000,
            65535,
            u32::MAX - 1,
            NO_SITE,
        ];
        let text = |site: u32| match site {
            NO_SITE => "@-1:".to_owned(),
            site => format!("@{site}:"),
        };
        for a in sites {
            for b in sites {
                assert_eq!(
                    site_order(a).cmp(&site_order(b)),
                    text(a).cmp(&text(b)),
                    "{a} {b}"
                );
            }
        }
    }
}
