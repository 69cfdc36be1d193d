//! A tree in parts, which several threads can visit.

use super::merged::{ContextPart, HiddenNodes, Merged, sort, visit_parts};
use super::{ChildLinks, ContextNode, Walk};
use crate::tree::TreeError;
use std::collections::BinaryHeap;
use std::ops::Range;

/// A part of a tree: a context with everything below it, or a context alone.
pub(crate) struct TreePart {
    depth: usize,
    nodes: Vec<ContextPart>,
    is_alone: bool,
}

// SAFETY: the nodes are those of walks: by the contract of `Walk::new` they are live, and nobody changes them.
unsafe impl Send for TreePart {}
// SAFETY: as above.
unsafe impl Sync for TreePart {}

impl TreePart {
    /// Visits its contexts as [`merged`](super::merged()) does, with nothing hidden.
    pub fn visit<E: From<TreeError>>(
        &self,
        key: impl Fn(u32, u32) -> (u32, u32),
        links: &ChildLinks,
        mut each: impl FnMut(&Merged<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (nodes, hidden) = (self.nodes.clone(), HiddenNodes::default());
        visit_parts(nodes, self.depth, hidden, key, None, links, |context| {
            each(context)?;
            Ok(!self.is_alone)
        })
    }
}

/// A context whose callees may be parts by themselves.
struct Candidate {
    part: TreePart,
    callees: Range<usize>,
}

/// Divides the tree of `walks`: at least so many parts, if there are as many contexts. Together and in this order they are
/// visited as the whole tree is. Contexts that have executed most are divided first.
pub(crate) fn parted(
    walks: impl IntoIterator<Item = Walk>,
    key: impl Fn(u32, u32) -> (u32, u32),
    least: usize,
) -> Vec<TreePart> {
    // SAFETY: by the contract of `Walk::new` the nodes are live, and nobody changes them.
    let part = |node: *const ContextNode| unsafe {
        ContextPart::new(node, key((*node).method, (*node).site()))
    };
    let mut all: Vec<Candidate> = Vec::new();
    let mut largest: BinaryHeap<(i64, usize)> = BinaryHeap::new();
    let roots = walks.into_iter().filter_map(|walk| walk.root());
    let roots = add(&mut all, &mut largest, roots.map(part).collect(), 0);
    while all.len() < least
        && let Some((_, next)) = largest.pop()
    {
        let Candidate { part: of, .. } = &all[next];
        let (mut callees, depth) = (Vec::new(), of.depth + 1);
        for node in of.nodes.iter().map(|n| n.node) {
            // SAFETY: as above.
            unsafe {
                let mut child = ContextNode::first_child(node);
                while !child.is_null() {
                    callees.push(part(child));
                    child = ContextNode::next_sibling(child);
                }
            }
        }
        all[next].part.is_alone = true;
        all[next].callees = add(&mut all, &mut largest, callees, depth);
    }
    in_preorder(all, roots)
}

/// Adds the contexts of siblings; their indices.
fn add(
    all: &mut Vec<Candidate>,
    largest: &mut BinaryHeap<(i64, usize)>,
    mut siblings: Vec<ContextPart>,
    depth: usize,
) -> Range<usize> {
    sort(&mut siblings);
    let begin = all.len();
    for nodes in siblings.chunk_by(ContextPart::is_alike) {
        // SAFETY: as in `parted`.
        let executed = nodes.iter().map(|n| unsafe { (*n.node).inclusive });
        largest.push((executed.fold(0, i64::saturating_add), all.len()));
        all.push(Candidate {
            part: TreePart {
                depth,
                nodes: nodes.to_vec(),
                is_alone: false,
            },
            callees: 0..0,
        });
    }
    begin..all.len()
}

fn in_preorder(all: Vec<Candidate>, roots: Range<usize>) -> Vec<TreePart> {
    let mut all: Vec<Option<Candidate>> = all.into_iter().map(Some).collect();
    let mut parts = Vec::with_capacity(all.len());
    let mut to_come = vec![roots];
    while let Some(range) = to_come.last_mut() {
        match range.next() {
            Some(next) => {
                let context = all[next].take().expect("each context is the callee of one");
                to_come.push(context.callees);
                parts.push(context.part);
            }
            None => {
                to_come.pop();
            }
        }
    }
    parts
}
