//! Folds contexts when they take too much memory.

use super::node::{LAST, WIDE, bit};
use super::{Arena, ContextNode, MANY, TRUNCATED, Walk};
use std::ops::Range;
use std::ptr;

/// The counts folded so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Folded {
    /// Contexts whose nodes were abandoned.
    pub contexts: u64,
    /// Memory that nodes may take, in bytes.
    pub budget: u64,
}

/// Which nodes there still are after contexts were folded.
#[derive(Debug)]
pub struct Live {
    base: usize,
    bits: Bits,
}

impl Live {
    /// Is there still a node at this address?
    pub fn has(&self, node: *const ContextNode) -> bool {
        self.bits.has(((node as usize - self.base) / 8) as u32)
    }
}

/// A bit for each unit of memory.
#[derive(Debug)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(words: usize) -> Option<Bits> {
        let mut bits = Vec::new();
        bits.try_reserve_exact(words).ok()?;
        bits.resize(words, 0);
        Some(Bits(bits))
    }
    fn has(&self, unit: u32) -> bool {
        self.0[unit as usize / 64] & (1 << (unit % 64)) != 0
    }
    fn set(&mut self, unit: u32) {
        self.0[unit as usize / 64] |= 1 << (unit % 64);
    }
}

/// Buckets of counts: exact ones below 16, then eight for each power of two.
const BUCKETS: usize = 16 + 60 * 8;

/// The bucket of a count; greater counts are in the same one or a later one.
fn bucket(inclusive: i64) -> usize {
    let count = inclusive.max(0) as u64;
    match count {
        0..16 => count as usize,
        _ => {
            let log = count.ilog2() as usize;
            16 + (log - 4) * 8 + ((count >> (log - 3)) & 7) as usize
        }
    }
}

/// What contexts that are folded have counted.
#[derive(Default)]
struct FoldedCounts {
    inclusive: i64,
    invocations: u64,
    counters: [u64; 2],
    contexts: u64,
}

/// The contexts to fold: those that are not open and count no more than a bucket holds.
struct Choice {
    open: Bits,
    most: usize,
    /// A context represents them.
    stand_in: bool,
}

impl Choice {
    unsafe fn takes(&self, arena: &Arena, node: *const ContextNode) -> bool {
        // SAFETY: the node is live.
        unsafe {
            (*node).method != TRUNCATED
                && bucket((*node).inclusive) <= self.most
                && !self.open.has(arena.offset(node))
        }
    }
}

impl Arena {
    /// Folds the coldest contexts, so that half of the budget is free: those that have executed least, with
    /// all they call, become part of one child of the context that called them, a node of the method
    /// [`TRUNCATED`]. Its counts are the sums of theirs, so that the tree's totals stay as they are. When one of
    /// them is called again, it counts from 0.
    ///
    /// What a root calls stays, and so do the nodes of open frames: `open`. `links` reports for a method how many
    /// bytes from a node's address its child links begin and end. `counters`: the nodes' first two slots are
    /// counters of allocations.
    ///
    /// Which contexts are folded depends on the tree alone. `None`: there is no memory to find it out, and
    /// nothing has changed.
    ///
    /// # Safety
    /// `open` are live nodes. No code holds other nodes except those and the roots, or asks [`Live`] for their state.
    pub unsafe fn fold(
        &mut self,
        open: &[*mut ContextNode],
        counters: bool,
        links: &dyn Fn(u32) -> Range<usize>,
    ) -> Option<Live> {
        // SAFETY: by contract.
        unsafe { self.fold_with(open, counters, links, true) }
    }

    /// Sets all counts to 0 and abandons all nodes except those that [`Arena::fold`] lets stay: for when their counts are known
    /// elsewhere. They have no counters but those of allocations.
    ///
    /// # Safety
    /// As for [`Arena::fold`].
    pub unsafe fn empty(
        &mut self,
        open: &[*mut ContextNode],
        counters: bool,
        links: &dyn Fn(u32) -> Range<usize>,
    ) -> Option<Live> {
        // SAFETY: roots are live, and nobody looks at the counts meanwhile; the rest by contract.
        unsafe {
            for &root in &self.roots {
                for visit in Walk::new(self.node_at(root)) {
                    let node = visit.node.cast_mut();
                    ((*node).inclusive, (*node).invocations) = (0, 0);
                    if counters {
                        (
                            *ContextNode::counter(node, 0),
                            *ContextNode::counter(node, 1),
                        ) = (0, 0);
                    }
                }
            }
            self.fold_with(open, counters, links, false)
        }
    }

    /// Folds contexts, into one that represents them or none.
    unsafe fn fold_with(
        &mut self,
        open: &[*mut ContextNode],
        counters: bool,
        links: &dyn Fn(u32) -> Range<usize>,
        stand_in: bool,
    ) -> Option<Live> {
        // as long as nothing else is known, there is nothing to be folded again soon
        self.left = self.step;
        let words = self.starts.len();
        let mut live = Bits::new(words)?;
        // SAFETY: roots and open nodes are live, and links lead to live nodes.
        unsafe {
            let mut choice = Choice {
                open: self.with_callers(open, words)?,
                most: BUCKETS,
                stand_in,
            };
            if stand_in {
                choice.most = self.coldest(&choice)?;
            }
            self.index.clear();
            for root in 0..self.roots.len() {
                let root = self.node_at(self.roots[root]);
                self.fold_below(root, &choice, counters, links, &mut live);
            }
        }
        let kept = self.sweep(&live);
        self.left = self.step.saturating_sub(kept).max(kept);
        Some(Live {
            base: self.base() as usize,
            bits: live,
        })
    }

    /// Marks nodes and all that they are called from.
    unsafe fn with_callers(&self, nodes: &[*mut ContextNode], words: usize) -> Option<Bits> {
        let mut marked = Bits::new(words)?;
        for &node in nodes {
            let mut at = node;
            while !at.is_null() && !marked.has(self.offset(at)) {
                marked.set(self.offset(at));
                // SAFETY: nodes on the way to a root are live.
                at = unsafe { ContextNode::parent(at) };
            }
        }
        Some(marked)
    }

    /// The bucket up to which contexts are to be folded: three quarters of those that can be, so that with
    /// the nodes that represent them half of all go.
    unsafe fn coldest(&self, choice: &Choice) -> Option<usize> {
        let mut nodes = [0u64; BUCKETS];
        for &root in &self.roots {
            // SAFETY: roots are live, nobody changes links.
            for visit in unsafe { Walk::new(self.node_at(root)) } {
                let foldable = visit.depth > 1 && visit.method != TRUNCATED;
                if foldable && !choice.open.has(self.offset(visit.node)) {
                    nodes[bucket(visit.inclusive)] += 1;
                }
            }
        }
        let wanted = nodes.iter().sum::<u64>() * 3 / 4;
        let mut sum = 0;
        let found = nodes.iter().position(|n| {
            sum += n;
            sum >= wanted
        });
        found.filter(|_| sum > 0)
    }

    /// Folds what `choice` takes of all below a root, and marks what stays.
    unsafe fn fold_below(
        &mut self,
        root: *mut ContextNode,
        choice: &Choice,
        counters: bool,
        links: &dyn Fn(u32) -> Range<usize>,
        live: &mut Bits,
    ) {
        let mut kept: Vec<*mut ContextNode> = Vec::new();
        let mut node = root;
        // SAFETY: all links lead to live nodes; those that are folded are in no chain from then on.
        unsafe {
            loop {
                live.set(self.offset(node));
                if node != root && (*node).first != 0 {
                    self.fold_children(node, choice, counters, links, &mut kept);
                } else if (*node).is_wide() {
                    self.index_children(node);
                }
                let first = ContextNode::first_child(node);
                if !first.is_null() {
                    node = first;
                    continue;
                }
                while node != root && (*node).filter & LAST != 0 {
                    node = ContextNode::parent(node);
                }
                if node == root {
                    return;
                }
                node = ContextNode::next_sibling(node);
            }
        }
    }

    unsafe fn index_children(&mut self, node: *mut ContextNode) {
        // SAFETY: as in `fold_below`. The index has room for all that was in it.
        unsafe {
            let mut child = ContextNode::first_child(node);
            while !child.is_null() {
                if (*child).method != TRUNCATED {
                    self.index.insert(node, child);
                }
                child = ContextNode::next_sibling(child);
            }
        }
    }

    unsafe fn fold_children(
        &mut self,
        node: *mut ContextNode,
        choice: &Choice,
        counters: bool,
        links: &dyn Fn(u32) -> Range<usize>,
        kept: &mut Vec<*mut ContextNode>,
    ) {
        // SAFETY: as in `fold_below`.
        unsafe {
            kept.clear();
            let (mut truncated, mut first): (*mut ContextNode, *mut ContextNode) =
                (ptr::null_mut(), ptr::null_mut());
            let mut sum = FoldedCounts::default();
            let mut child = ContextNode::first_child(node);
            while !child.is_null() {
                if choice.takes(self, child) {
                    if first.is_null() {
                        first = child;
                        // while it can be told what the links lead to
                        self.forget_links(node, choice, links);
                    }
                    sum.inclusive += (*child).inclusive;
                    for visit in Walk::new(child) {
                        sum.contexts += u64::from(visit.method != TRUNCATED);
                        sum.invocations = sum.invocations.saturating_add(visit.invocations);
                        if counters {
                            let at = visit.node.cast_mut();
                            sum.counters[0] += *ContextNode::counter(at, 0);
                            sum.counters[1] += *ContextNode::counter(at, 1);
                        }
                    }
                } else if (*child).method == TRUNCATED {
                    truncated = child;
                } else {
                    kept.push(child);
                }
                child = ContextNode::next_sibling(child);
            }
            if first.is_null() {
                if (*node).is_wide() {
                    self.index_children(node);
                }
                return;
            }
            if truncated.is_null() && choice.stand_in {
                // the memory of one of them stands for all
                truncated = first;
                (*truncated).method = TRUNCATED;
                (*truncated).site = u16::MAX;
                (*truncated).filter = 0;
                (*truncated).first = 0;
                (*truncated).inclusive = 0;
                (*truncated).invocations = 0;
                if counters {
                    *ContextNode::counter(truncated, 0) = 0;
                    *ContextNode::counter(truncated, 1) = 0;
                }
                self.nodes += 1;
            }
            if choice.stand_in {
                (*truncated).inclusive += sum.inclusive;
                let calls = (*truncated).invocations;
                (*truncated).invocations = calls.saturating_add(sum.invocations);
                if counters {
                    *ContextNode::counter(truncated, 0) += sum.counters[0];
                    *ContextNode::counter(truncated, 1) += sum.counters[1];
                }
                self.folded.contexts += sum.contexts;
            }
            // the one that is never called is the last one in the chain
            let wide = (*node).is_wide() && kept.len() >= MANY;
            let mut filter = (*node).filter & LAST;
            (*node).first = 0;
            if !truncated.is_null() {
                self.prepend(node, truncated);
            }
            for &child in kept.iter().rev() {
                self.prepend(node, child);
                filter |= bit((*child).method) & !(WIDE | LAST);
                if wide {
                    self.index.insert(node, child);
                }
            }
            (*node).filter = filter | if wide { WIDE } else { 0 };
        }
    }

    /// Makes the links of `node` lead to nothing that is to be folded.
    unsafe fn forget_links(
        &self,
        node: *mut ContextNode,
        choice: &Choice,
        links: &dyn Fn(u32) -> Range<usize>,
    ) {
        // SAFETY: as in `fold_below`; the node has links there.
        unsafe {
            for at in links((*node).method).step_by(ContextNode::LINK) {
                let callee = ContextNode::callee(node, at);
                if !callee.is_null() && choice.takes(self, callee) {
                    ContextNode::set_callee(node, at, ptr::null());
                }
            }
        }
    }

    /// Makes holes of the memory that has no live nodes; how many bytes have some.
    fn sweep(&mut self, live: &Bits) -> usize {
        self.leave_stretch();
        self.swept = true;
        self.holes.clear();
        let (mut free, mut kept, mut nodes) = (None, 0usize, 0u64);
        let mut from = 0u32;
        for word in 0..self.starts.len() {
            let mut bits = self.starts[word];
            while bits != 0 {
                let unit = word as u32 * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                if free.is_none() {
                    kept += (unit - from) as usize * 8;
                }
                match (live.has(unit), free) {
                    (true, begin) => {
                        nodes += 1;
                        if let Some(begin) = begin {
                            self.holes.push((begin, unit));
                        }
                        free = None;
                    }
                    (false, None) => free = Some(unit),
                    // one hole with the one before
                    (false, Some(_)) => self.starts[word] &= !(1 << (unit % 64)),
                }
                from = unit;
            }
        }
        let end = (self.top / 8) as u32;
        match free {
            Some(begin) => self.holes.push((begin, end)),
            None => kept += (end - from) as usize * 8,
        }
        self.nodes = nodes;
        // the lowest is used first
        self.holes.reverse();
        (self.at, self.end, self.used) = (0, 0, true);
        kept
    }
}
