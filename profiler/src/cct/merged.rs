//! Visits the contexts of several trees as one tree, in the order of profiles, without a copy of them.

use super::links::prefetch;
use super::{ChildLinks, ContextNode, NO_SITE, UPCALL, Visit, Walk};
use crate::lens::{Lens, Placement};
use crate::tree::{Allocation, Extra, PreorderContext, TreeError, add_caused, site_order};

/// A node that becomes part of a context.
#[derive(Clone, Copy)]
pub(super) struct ContextPart {
    order: u64,
    pub method: u32,
    pub site: u32,
    pub node: *const ContextNode,
}

impl ContextPart {
    /// A node that is known by this method and call site.
    pub fn new(node: *const ContextNode, (method, site): (u32, u32)) -> ContextPart {
        ContextPart {
            order: site_order(site),
            method,
            site,
            node,
        }
    }
    /// Whether both are parts of one context, if they are siblings.
    pub fn is_alike(&self, other: &ContextPart) -> bool {
        self.site == other.site && self.method == other.method
    }
}

/// A context: nodes of equal method and call site below equal ones.
pub(crate) struct Merged<'a> {
    /// Distance from the root.
    pub depth: usize,
    /// The method's new number.
    pub method: u32,
    /// See [`ContextNode::site`].
    pub site: u32,
    /// Sum of the nodes' invocations.
    pub invocations: u64,
    /// Bytecodes executed in the context itself.
    pub bytecodes: u64,
    /// The same with everything below it.
    pub inclusive: u64,
    parts: &'a [ContextPart],
    /// Hidden nodes whose allocations are the context's.
    folded: &'a [*const ContextNode],
    /// What hidden nodes have executed, by call site.
    caused: &'a [(u16, u64)],
}

impl Merged<'_> {
    /// The context, with no columns.
    #[inline]
    pub fn without_columns(&self) -> PreorderContext {
        PreorderContext {
            depth: self.depth,
            method: self.method,
            site: self.site,
            invocations: self.invocations,
            bytecodes: self.bytecodes,
            allocation: Allocation::NONE,
        }
    }

    /// What hidden nodes have executed, as the only column.
    pub fn caused(&self, sums: &mut Extra) {
        sums.clear();
        sums.caused.extend_from_slice(self.caused);
        sums.normalise();
    }

    /// The sums of the nodes' optional columns, hidden ones having no counts of single bytecodes; `of_node` is room to work in.
    pub fn columns(
        &self,
        mut fill: impl FnMut(&Visit, &mut Extra),
        of_node: &mut Extra,
        sums: &mut Extra,
    ) {
        sums.clear();
        sums.caused.extend_from_slice(self.caused);
        if let ([part], []) = (self.parts, self.folded) {
            fill(&self.visit(part.node), sums);
            return sums.normalise();
        }
        let mut allocation = sums.allocation();
        for visit in self.visits() {
            of_node.clear();
            fill(&visit, of_node);
            allocation.add(of_node.allocation());
            sums.counts.append(&mut of_node.counts);
        }
        for &node in self.folded {
            of_node.clear();
            fill(&self.visit(node), of_node);
            allocation.add(of_node.allocation());
        }
        sums.set_allocation(allocation);
        sums.normalise();
    }

    /// The nodes.
    pub fn visits(&self) -> impl Iterator<Item = Visit> {
        self.parts.iter().map(|part| self.visit(part.node))
    }

    fn visit(&self, node: *const ContextNode) -> Visit {
        // SAFETY: the nodes are those of walks, by whose contract they are live.
        unsafe {
            Visit {
                depth: self.depth,
                inclusive: (*node).inclusive,
                invocations: (*node).invocations,
                method: (*node).method,
                site: (*node).site(),
                node,
            }
        }
    }
}

/// Visits the trees of `walks` as one: parents before their children, these in the order of call site and
/// method. `key` says for a node's method and site by which ones it is known, `lens` which contexts are shown if not all, `each`
/// whether the contexts below a context are to be visited.
pub(crate) fn merged<E: From<TreeError>>(
    walks: impl IntoIterator<Item = Walk>,
    key: impl Fn(u32, u32) -> (u32, u32),
    lens: Option<&Lens>,
    links: &ChildLinks,
    each: impl FnMut(&Merged<'_>) -> Result<bool, E>,
) -> Result<(), E> {
    // SAFETY: by the contract of `Walk::new` the nodes are live, and nobody changes them.
    let part_of = |node: *const ContextNode, site: u32| unsafe {
        ContextPart::new(node, key((*node).method, site))
    };
    // SAFETY: as above.
    let part = |node: *const ContextNode| part_of(node, unsafe { (*node).site() });
    let roots = walks.into_iter().filter_map(|walk| walk.root());
    let mut parts: Vec<ContextPart> = Vec::new();
    let mut hidden = HiddenNodes::default();
    match lens {
        None => parts.extend(roots.map(part)),
        Some(lens) => {
            for root in roots {
                // SAFETY: as above.
                let (method, site) = unsafe { ((*root).method, (*root).site()) };
                let site = if site == UPCALL { NO_SITE } else { site };
                let place = lens.place(method, None, 0);
                match place.shown {
                    true => parts.push(part_of(root, site)),
                    false => hidden.todo.push((root, site, place)),
                }
                hidden.look_through(lens, 0, |node, site| parts.push(part_of(node, site)))?;
            }
        }
    }
    sort(&mut parts);
    visit_parts(parts, 0, hidden, key, lens, links, each)
}

/// The same for sorted siblings of that depth and everything below them; nothing is hidden yet.
pub(super) fn visit_parts<E: From<TreeError>>(
    mut parts: Vec<ContextPart>,
    first_depth: usize,
    mut hidden: HiddenNodes,
    key: impl Fn(u32, u32) -> (u32, u32),
    lens: Option<&Lens>,
    links: &ChildLinks,
    mut each: impl FnMut(&Merged<'_>) -> Result<bool, E>,
) -> Result<(), E> {
    // SAFETY: by the contract of `Walk::new` the nodes are live, and nobody changes them.
    let part_of = |node: *const ContextNode, site: u32| unsafe {
        ContextPart::new(node, key((*node).method, site))
    };
    // SAFETY: as above.
    let part = |node: *const ContextNode| part_of(node, unsafe { (*node).site() });
    // For each depth the range of `parts` that holds the siblings there, and how far it is done.
    let mut levels: Vec<(usize, usize, usize)> = vec![(0, 0, parts.len())];
    while let Some(&(begin, from, to)) = levels.last() {
        if from == to {
            parts.truncate(begin);
            levels.pop();
            continue;
        }
        let depth = first_depth + levels.len() - 1;
        let first = parts[from];
        let (site, method) = (first.site, first.method);
        let others = parts[from + 1..to].iter();
        let end = from + 1 + others.take_while(|p| first.is_alike(p)).count();
        levels[depth - first_depth].1 = end;
        let (mut invocations, mut bytecodes, mut inclusive) = (0u64, 0u64, 0u64);
        hidden.bytecodes = 0;
        hidden.nodes.clear();
        hidden.caused.clear();
        for at in from..end {
            let node = parts[at].node;
            // SAFETY: as above.
            unsafe {
                let mut own = (*node).inclusive;
                let mut all = own as u64;
                let mut child = ContextNode::first_child(node);
                match lens {
                    None => {
                        while !child.is_null() {
                            let next = ContextNode::next_sibling(child);
                            // not every callee has a link
                            prefetch(next);
                            links.prefetch(child);
                            own = own.wrapping_sub((*child).inclusive);
                            parts.push(part(child));
                            child = next;
                        }
                    }
                    Some(lens) => {
                        all = all.wrapping_sub(lens.lost.get(&node).copied().unwrap_or(0));
                        let caller = Some(((*node).method, Placement::TOP));
                        while !child.is_null() {
                            links.prefetch(child);
                            own = own.wrapping_sub((*child).inclusive);
                            let (method, site) = ((*child).method, (*child).site());
                            if !lens.upcalls || site != UPCALL {
                                let place = lens.place(method, caller, depth + 1);
                                match place.shown {
                                    true => parts.push(part_of(child, site)),
                                    false => hidden.todo.push((child, site, place)),
                                }
                            }
                            child = ContextNode::next_sibling(child);
                        }
                        hidden.look_through(lens, depth + 1, |node, site| {
                            parts.push(part_of(node, site));
                        })?;
                    }
                }
                inclusive = inclusive.saturating_add(all);
                bytecodes = bytecodes.saturating_add(unsigned(own, node, depth)?);
                invocations = invocations.saturating_add((*node).invocations);
            }
        }
        let below = each(&Merged {
            depth,
            method,
            site,
            invocations,
            bytecodes: bytecodes.saturating_add(hidden.bytecodes),
            inclusive,
            parts: &parts[from..end],
            folded: &hidden.nodes,
            caused: &hidden.caused,
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

/// The bytecodes of a node itself.
///
/// # Safety
/// The node is live.
#[inline(always)]
unsafe fn unsigned(own: i64, node: *const ContextNode, depth: usize) -> Result<u64, TreeError> {
    // SAFETY: by contract.
    u64::try_from(own).map_err(|_| unsafe { unbalanced(node, depth) })
}

/// # Safety
/// The node is live.
#[cold]
unsafe fn unbalanced(node: *const ContextNode, depth: usize) -> TreeError {
    // SAFETY: by contract.
    unsafe {
        TreeError::Unbalanced {
            method: (*node).method,
            depth,
            inclusive: (*node).inclusive,
        }
    }
}

/// Hidden nodes between a context and those that are shown below it.
#[derive(Default)]
pub(super) struct HiddenNodes {
    /// Nodes still to be skipped, which are live, the call site that what they call takes over, and what becomes of them.
    todo: Vec<(*const ContextNode, u32, Placement)>,
    /// What they leave to the context: bytecodes, and the nodes if there are allocations.
    bytecodes: u64,
    nodes: Vec<*const ContextNode>,
    /// The bytecodes by call site, if these are to be reported.
    caused: Vec<(u16, u64)>,
}

impl HiddenNodes {
    /// Finds the contexts of this depth that the nodes lead to.
    fn look_through(
        &mut self,
        lens: &Lens,
        depth: usize,
        mut found: impl FnMut(*const ContextNode, u32),
    ) -> Result<(), TreeError> {
        while let Some((node, site, place)) = self.todo.pop() {
            // SAFETY: the nodes below a live one are live.
            unsafe {
                let mut own = (*node).inclusive;
                let caller = Some(((*node).method, place));
                let mut child = ContextNode::first_child(node);
                while !child.is_null() {
                    own = own.wrapping_sub((*child).inclusive);
                    if !lens.upcalls || (*child).site() != UPCALL {
                        let place = lens.place((*child).method, caller, depth);
                        match place.shown {
                            true => found(child, site),
                            false => self.todo.push((child, site, place)),
                        }
                    }
                    child = ContextNode::next_sibling(child);
                }
                let own = unsigned(own, node, depth)?;
                if place.kept {
                    self.bytecodes = self.bytecodes.saturating_add(own);
                    if lens.sites {
                        add_caused(&mut self.caused, site, own);
                    }
                    if lens.allocations {
                        self.nodes.push(node);
                    }
                }
            }
        }
        Ok(())
    }
}

pub(super) fn sort(parts: &mut [ContextPart]) {
    if parts.len() > 1 {
        parts.sort_unstable_by_key(|part| (part.order, part.method));
    }
}
