//! Visits the contexts of several trees as one tree, in the order of profiles, without a copy of them.

use super::{Links, Node, Visit, Walk};
use crate::tree::{Extra, TreeError, site_order};

/// A node that will be part of a context.
struct Part {
    order: u64,
    method: u32,
    site: u32,
    node: *const Node,
}

/// A context: nodes of equal method and call site below equal ones.
pub(crate) struct Merged<'a> {
    /// Distance from the root.
    pub depth: usize,
    /// The method's new number.
    pub method: u32,
    /// See [`Node::site`].
    pub site: u32,
    /// Sum of the nodes' invocations.
    pub invocations: u64,
    /// Bytecodes executed in the context itself.
    pub bytecodes: u64,
    /// The same with everything below it.
    pub inclusive: u64,
    parts: &'a [Part],
}

impl Merged<'_> {
    /// The sums of the nodes' optional columns; `of_node` is room to work in.
    pub fn columns(
        &self,
        mut fill: impl FnMut(&Visit, &mut Extra),
        of_node: &mut Extra,
        sums: &mut Extra,
    ) {
        sums.clear();
        let mut allocation = sums.allocation();
        for visit in self.visits() {
            of_node.clear();
            fill(&visit, of_node);
            allocation.add(of_node.allocation());
            sums.counts.append(&mut of_node.counts);
        }
        sums.set_allocation(allocation);
        sums.normalise();
    }

    /// The nodes.
    pub fn visits(&self) -> impl Iterator<Item = Visit> {
        // SAFETY: the nodes are those of walks, by whose contract they are live.
        self.parts.iter().map(|part| unsafe {
            Visit {
                depth: self.depth,
                inclusive: (*part.node).inclusive,
                invocations: (*part.node).invocations,
                method: (*part.node).method,
                site: (*part.node).site(),
                node: part.node,
            }
        })
    }
}

/// Visits the trees of `walks` as one: parents before their children, these in the order of call site and
/// method. `key` says for a node's method and site by which ones it is known, `each` whether what is below a context
/// is to be visited.
pub(crate) fn merged<E: From<TreeError>>(
    walks: impl IntoIterator<Item = Walk>,
    key: impl Fn(u32, u32) -> (u32, u32),
    links: &Links,
    mut each: impl FnMut(&Merged<'_>) -> Result<bool, E>,
) -> Result<(), E> {
    // SAFETY: by the contract of `Walk::new` the nodes are live, and nobody changes them.
    let part = |node: *const Node| unsafe {
        let (method, site) = key((*node).method, (*node).site());
        Part {
            order: site_order(site),
            method,
            site,
            node,
        }
    };
    let roots = walks.into_iter().filter_map(|walk| walk.root());
    let mut parts: Vec<Part> = roots.map(part).collect();
    sort(&mut parts);
    // For each depth the range of `parts` that holds the siblings there, and how far it is done.
    let mut levels: Vec<(usize, usize, usize)> = vec![(0, 0, parts.len())];
    while let Some(&(begin, from, to)) = levels.last() {
        if from == to {
            parts.truncate(begin);
            levels.pop();
            continue;
        }
        let depth = levels.len() - 1;
        let (site, method) = (parts[from].site, parts[from].method);
        let alike = |p: &&Part| p.site == site && p.method == method;
        let end = from + parts[from..to].iter().take_while(alike).count();
        levels[depth].1 = end;
        let (mut invocations, mut bytecodes, mut inclusive) = (0u64, 0u64, 0u64);
        for at in from..end {
            let node = parts[at].node;
            // SAFETY: as above.
            unsafe {
                let mut own = (*node).inclusive;
                inclusive = inclusive.saturating_add(own as u64);
                let mut child = Node::first_child(node);
                while !child.is_null() {
                    links.prefetch(child);
                    own = own.wrapping_sub((*child).inclusive);
                    parts.push(part(child));
                    child = Node::next_sibling(child);
                }
                let own = u64::try_from(own).map_err(|_| TreeError::Unbalanced {
                    method: (*node).method,
                    depth,
                    inclusive: (*node).inclusive,
                })?;
                bytecodes = bytecodes.saturating_add(own);
                invocations = invocations.saturating_add((*node).invocations);
            }
        }
        let below = each(&Merged {
            depth,
            method,
            site,
            invocations,
            bytecodes,
            inclusive,
            parts: &parts[from..end],
        })?;
        if !below {
            parts.truncate(to);
        } else if parts.len() > to {
            sort(&mut parts[to..]);
            levels.push((to, to, parts.len()));
        }
    }
    Ok(())
}

fn sort(parts: &mut [Part]) {
    if parts.len() > 1 {
        parts.sort_unstable_by_key(|part| (part.order, part.method));
    }
}
