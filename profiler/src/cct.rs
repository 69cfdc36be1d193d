//! The hot calling-context tree: the arena of nodes that the interpreter writes through raw
//! pointers while the program runs. This is the crate's only unsafe room; everything else works
//! on `Profile`, which is plain data.
//!
//! # Invariants
//! * A node lives in the stretch of memory of one [`Arena`] and is never moved. A `*mut Node` is valid until
//!   its arena is dropped or its context is folded (see [`Arena::fold`]).
//! * Links are distances from the node that holds them to the one they lead to, in units of 8 bytes; 0 means no link. So they
//!   have 32 bits, and no code needs to know where the arena is.
//! * Fresh memory is zero: counters start at 0, links at none.
//! * **The sibling chain is the truth.** Every child is in its parent's chain exactly once; the link of the
//!   last one leads to the parent, and a bit of it says so. The order in a chain means nothing: look-ups
//!   reorder it, outputs are sorted.
//! * Child links ([`ContextNode::callee`]) are a cache that belongs to the interpreter; one holds nothing or a child of
//!   this node.
//! * One chain never holds two nodes with equal `(method, site)`.
//! * Only the owner of the arena writes links while a [`Walk`] is alive.

mod fold;
mod index;
mod links;
mod merged;
mod node;
mod pages;
mod parted;
#[cfg(test)]
mod tests;
mod walk;

pub use fold::{Folded, Live};
use index::Index;
pub use links::ChildLinks;
use memmap2::{MmapMut, MmapOptions, MmapRaw};
pub(crate) use merged::merged;
pub use node::{ContextNode, NodePlaces};
use node::{LAST, WIDE, bit, link};
use pages::ContextPages;
pub(crate) use parted::{TreePart, parted};
use std::ptr;
use std::sync::Arc;
pub use walk::{Visit, Walk};

/// The call site of a node that has none: a root, a method entered from native code where natives
/// are nodes, and every node of a mode that merges call sites.
pub const NO_SITE: u32 = u32::MAX;

/// The call site of a node that a native method or the VM itself has called, if such nodes are to
/// become roots of the profile, as the profiler JP has it. No call can be at this index: it would
/// reach beyond the longest code.
pub const UPCALL: u32 = u16::MAX as u32 - 1;

/// The method of a node that represents contexts which were folded for lack of memory.
pub const TRUNCATED: u32 = u32::MAX - 1;

/// Children from which on they are in the index: chains longer than this are not searched.
const MANY: usize = 16;
/// How much unused memory is taken at once.
const STRETCH: usize = 64 << 10;
/// Larger nodes do not make the arena pass over small holes.
const LARGE: usize = 1 << 10;
/// The most memory an arena can have: what links reach. Miri interprets each access, so its arenas are small.
const MOST: usize = if cfg!(miri) { 16 << 20 } else { 16 << 30 };
/// Memory beyond the budget for contexts that are open, which cannot be folded.
const BEYOND: usize = 256 << 20;
/// The same with a small budget.
const LEAST_BEYOND: usize = 32 << 20;

/// Address space that is kept free for each byte of nodes, since the profile made of them needs memory
/// when there is no more: a sorted [`Tree`](crate::Tree) and possibly a view of it, in vectors that double.
const KEPT_FREE: usize = 4;
/// The same if most of a node is counters of single bytecodes, which are not as compact there.
const KEPT_FREE_FOR_COUNTERS: usize = 10;
/// Address space kept free beside that.
const KEPT_FREE_FIRST: usize = 64 << 20;

/// There is no memory for another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for more than {nodes} calling contexts, which take {bytes} bytes")]
pub struct NoMemory {
    /// Nodes that there are.
    pub nodes: u64,
    /// Memory they take.
    pub bytes: u64,
}

/// Allocator of [`ContextNode`]s in one stretch of address space.
#[derive(Debug)]
pub struct Arena {
    /// None before the first node. Nodes are reached by raw pointers alone, so no reference to this memory is formed.
    map: Option<Arc<MmapRaw>>,
    pages: ContextPages,
    /// Most of a node is counters.
    counters: bool,
    /// What keeps address space free; no page of it is ever touched.
    kept_free: Option<MmapMut>,
    /// Memory that nodes may take before some are to be folded.
    budget: usize,
    /// Memory that nodes may take before the owner has to act: the budget, or less.
    step: usize,
    /// Bytes from the start of the map that are or were in use.
    top: usize,
    /// Where the next node goes, if there is room up to `end`.
    at: usize,
    end: usize,
    /// The memory there was in use before.
    used: bool,
    /// Memory of nodes that were folded: offsets of begin and end, the lowest last.
    holes: Vec<(u32, u32)>,
    /// A bit for each unit of 8 bytes: a node, or a stretch of memory without nodes, begins there.
    starts: Vec<u64>,
    /// Memory to be taken before nodes are to be folded.
    left: usize,
    nodes: u64,
    /// By method, how many nodes with a parent were made.
    by_method: Vec<u32>,
    /// Nodes were folded.
    swept: bool,
    /// Offsets of the nodes without a parent.
    roots: Vec<u32>,
    index: Index,
    folded: Folded,
}

/// The budget of [`Arena::new`].
const BUDGET: usize = 4 << 30;

impl Default for Arena {
    fn default() -> Self {
        Self::new()
    }
}

impl Arena {
    /// An arena without memory and with a budget of 4 GB; the first node reserves address space.
    pub fn new() -> Self {
        Self::with_budget(BUDGET)
    }

    /// The same with a budget of so many bytes: when nodes take more, [`Arena::is_full`] asks for
    /// [`Arena::fold`].
    pub fn with_budget(bytes: usize) -> Self {
        let budget = bytes.clamp(STRETCH, MOST);
        Arena {
            map: None,
            pages: ContextPages::default(),
            counters: false,
            kept_free: None,
            budget,
            step: budget,
            top: 0,
            at: 0,
            end: 0,
            used: false,
            holes: Vec::new(),
            starts: Vec::new(),
            left: budget,
            nodes: 0,
            by_method: Vec::new(),
            swept: false,
            roots: Vec::new(),
            index: Index::default(),
            folded: Folded::default(),
        }
    }

    /// The same for nodes that are counters for the most part.
    pub fn with_counters(self) -> Self {
        Arena {
            counters: true,
            ..self
        }
    }

    /// Lets another thread of the operating system take memory for nodes before it is used. It ends with the arena.
    pub fn take_pages_ahead(&mut self, may: bool) {
        self.pages.may_be_ahead = may;
    }

    /// Number of nodes that there are.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Bytes in use for nodes.
    pub fn bytes(&self) -> u64 {
        self.top as u64
    }

    /// Do the nodes take so much memory that some are to be folded?
    #[inline]
    pub fn is_full(&self) -> bool {
        self.left == 0
    }

    /// From now on [`Arena::is_full`] says so each time that nodes have taken so many bytes, or the budget; `None`:
    /// the budget.
    pub fn ask_every(&mut self, bytes: Option<usize>) {
        self.step = bytes.map_or(self.budget, |bytes| bytes.clamp(STRETCH, self.budget));
        self.left = self.step.saturating_sub(self.top);
    }

    /// How many nodes there are of each method, those without a caller left out. `None`: some were folded, and it
    /// is not known any more.
    pub fn nodes_by_method(&self) -> Option<&[u32]> {
        (!self.swept).then_some(&self.by_method)
    }

    /// Notes that there is another node of a method.
    #[inline(always)]
    fn note(&mut self, method: u32) {
        let method = method as usize;
        if method >= self.by_method.len() {
            self.room_for(method);
        }
        self.by_method[method] += 1;
    }

    #[cold]
    fn room_for(&mut self, method: usize) {
        self.by_method.resize(method + 1, 0);
    }

    /// Contexts that were folded, and the budget.
    pub fn folded(&self) -> Folded {
        Folded {
            budget: self.budget as u64,
            ..self.folded
        }
    }

    /// Makes a node with `slots` empty slots and, unless `parent` is null, puts it at the
    /// head of the parent's chain. The caller knows that no equal child is there.
    ///
    /// # Errors
    /// Nothing has changed when there is no memory.
    ///
    /// # Safety
    /// `parent` is null or a live node of this arena.
    pub unsafe fn new_node(
        &mut self,
        parent: *mut ContextNode,
        method: u32,
        site: u32,
        slots: u32,
    ) -> Result<*mut ContextNode, NoMemory> {
        let site = u16::try_from(site).unwrap_or(u16::MAX);
        // SAFETY: by contract.
        let node = unsafe { self.add(parent, method, site, slots) };
        self.made(node)
    }

    /// A node that was made, unless it is null.
    #[inline(always)]
    fn made(&self, node: *mut ContextNode) -> Result<*mut ContextNode, NoMemory> {
        match node.is_null() {
            true => Err(self.no_memory()),
            false => Ok(node),
        }
    }

    /// [`Arena::new_node`]; null if there is no memory.
    #[inline(always)]
    unsafe fn add(
        &mut self,
        parent: *mut ContextNode,
        method: u32,
        site: u16,
        slots: u32,
    ) -> *mut ContextNode {
        // SAFETY: `parent` is live by contract, as are the nodes in the index. What `bump` returns is aligned,
        // zeroed memory for the node, which is nobody else's yet.
        unsafe {
            let wide = !parent.is_null() && (*parent).is_wide();
            if wide && self.index.reserve(1).is_err() {
                return ptr::null_mut();
            }
            let node = self.bump(ContextNode::size(slots));
            if node.is_null() {
                return node;
            }
            (*node).method = method;
            (*node).site = site;
            if parent.is_null() {
                (*node).filter = LAST;
                let root = self.offset(node);
                self.roots.push(root);
            } else {
                self.note(method);
                (*parent).filter |= bit(method) & !(WIDE | LAST);
                self.prepend(parent, node);
                if wide {
                    self.index.insert(parent, node);
                }
            }
            self.nodes += 1;
            node
        }
    }

    /// A node becomes one of another method, which has no node with the same parent and call site.
    ///
    /// # Safety
    /// It is a live node of this arena.
    pub unsafe fn give_method(&mut self, node: *mut ContextNode, method: u32) {
        // SAFETY: by contract, and a parent lives as long as its children.
        unsafe {
            let parent = ContextNode::parent(node);
            let old = std::mem::replace(&mut (*node).method, method);
            if !parent.is_null() {
                if let Some(number) = self.by_method.get_mut(old as usize) {
                    *number = number.saturating_sub(1);
                }
                self.note(method);
                (*parent).filter |= bit(method) & !(WIDE | LAST);
            }
        }
    }

    /// Puts a node at the head of a chain.
    ///
    /// # Safety
    /// Both are live, and `node` is in no chain.
    #[inline(always)]
    unsafe fn prepend(&self, parent: *mut ContextNode, node: *mut ContextNode) {
        // SAFETY: by contract.
        unsafe {
            let head = ContextNode::first_child(parent);
            if head.is_null() {
                (*node).filter |= LAST;
                (*node).next = link(node, parent);
            } else {
                (*node).filter &= !LAST;
                (*node).next = link(node, head);
            }
            (*parent).first = link(parent, node);
        }
    }

    /// The child of a wide node that calls of `method` at bytecode index `site` lead to (see
    /// [`ContextNode::is_called`]), or null. It may be missed where some children have call sites and some
    /// have none; [`Arena::find_or_add_child`] then finds it.
    ///
    /// # Safety
    /// `parent` is a live wide node of this arena.
    pub unsafe fn find_wide(
        &self,
        parent: *mut ContextNode,
        method: u32,
        site: u16,
    ) -> *mut ContextNode {
        // SAFETY: `parent` is live and has children.
        unsafe {
            let site = match (*ContextNode::first_child(parent)).site {
                u16::MAX => u16::MAX,
                _ => site,
            };
            self.index.find(parent, method, site)
        }
    }

    /// Puts the children of `parent` into the index, if there is memory for it.
    #[cold]
    unsafe fn widen(&mut self, parent: *mut ContextNode, children: usize) -> bool {
        // SAFETY: all links lead to live nodes of this arena.
        unsafe {
            // and the one that is about to be added
            if self.index.reserve(children + 1).is_err() {
                return false;
            }
            (*parent).filter |= WIDE;
            let mut child = ContextNode::first_child(parent);
            while !child.is_null() {
                self.index.insert(parent, child);
                child = ContextNode::next_sibling(child);
            }
        }
        true
    }

    /// The child of `parent` with that method and call site, made with `slots` slots if it
    /// is not there yet. A child that is found in a chain moves to its head.
    ///
    /// # Errors
    /// There is no memory for the node.
    ///
    /// # Safety
    /// `parent` is a live node of this arena.
    #[inline]
    pub unsafe fn find_or_add_child(
        &mut self,
        parent: *mut ContextNode,
        method: u32,
        site: u32,
        slots: u32,
    ) -> Result<*mut ContextNode, NoMemory> {
        let site = u16::try_from(site).unwrap_or(u16::MAX);
        // SAFETY: by contract.
        let node = unsafe { self.child(parent, method, site, slots) };
        self.made(node)
    }

    /// [`Arena::find_or_add_child`]; null if there is no memory.
    unsafe fn child(
        &mut self,
        parent: *mut ContextNode,
        method: u32,
        site: u16,
        slots: u32,
    ) -> *mut ContextNode {
        // SAFETY: all links lead to live nodes of this arena.
        unsafe {
            if (*parent).is_wide() {
                let child = self.index.find(parent, method, site);
                if !child.is_null() {
                    return child;
                }
            } else if (*parent).may_call(method) {
                let mut before: *mut ContextNode = ptr::null_mut();
                let mut child = ContextNode::first_child(parent);
                let mut seen = 0;
                while !child.is_null() {
                    if (*child).method == method && (*child).site == site {
                        if !before.is_null() {
                            self.unchain(parent, before, child);
                            self.prepend(parent, child);
                        }
                        return child;
                    }
                    before = child;
                    child = ContextNode::next_sibling(child);
                    seen += 1;
                }
                if seen >= MANY && !self.widen(parent, seen) {
                    return ptr::null_mut();
                }
            }
            self.add(parent, method, site, slots)
        }
    }

    /// Takes a child out of its chain, in which it comes after `before`.
    unsafe fn unchain(
        &self,
        parent: *mut ContextNode,
        before: *mut ContextNode,
        child: *mut ContextNode,
    ) {
        // SAFETY: all three are live.
        unsafe {
            if (*child).filter & LAST != 0 {
                (*before).filter |= LAST;
                (*before).next = link(before, parent);
            } else {
                (*before).next = link(before, ContextNode::next_sibling(child));
            }
        }
    }

    /// Address of the arena's first node.
    fn base(&self) -> *mut u8 {
        let map = self.map.as_ref();
        map.map_or(ptr::null_mut(), |map| map.as_mut_ptr())
    }

    /// Where a node is, in units of 8 bytes from the first one.
    fn offset(&self, node: *const ContextNode) -> u32 {
        ((node as usize - self.base() as usize) / 8) as u32
    }

    /// The node at an offset.
    fn node_at(&self, offset: u32) -> *mut ContextNode {
        self.base().wrapping_add(offset as usize * 8).cast()
    }

    /// Memory for a node; null if there is none.
    #[inline(always)]
    fn bump(&mut self, size: usize) -> *mut ContextNode {
        if self.end - self.at < size && !self.find_room(size) {
            return ptr::null_mut();
        }
        let at = self.at;
        self.at += size;
        self.left = self.left.saturating_sub(size);
        let unit = at / 8;
        self.starts[unit / 64] |= 1 << (unit % 64);
        let node = self.base().wrapping_add(at);
        if self.used {
            // SAFETY: the memory is the map's, and no live node's.
            unsafe { ptr::write_bytes(node, 0, size) };
        }
        node.cast()
    }

    /// Finds room for a node of that size, if there is any.
    #[cold]
    fn find_room(&mut self, size: usize) -> bool {
        if self.map.is_none() && !self.reserve(size) {
            return false;
        }
        if size <= LARGE {
            while let Some((begin, end)) = self.holes.pop() {
                self.leave_stretch();
                (self.at, self.end) = (begin as usize * 8, end as usize * 8);
                self.used = true;
                if self.end - self.at >= size {
                    return true;
                }
            }
        }
        let length = self.map.as_ref().map_or(0, |map| map.len());
        let stretch = STRETCH.max(size.next_multiple_of(8));
        if length - self.top < stretch {
            return false;
        }
        let words = (self.top + stretch).div_ceil(8 * 64);
        let more = words.saturating_sub(self.starts.len());
        if self.starts.try_reserve(more).is_err() {
            return false;
        }
        self.starts.resize(words, 0);
        if self.end == self.top && !self.used {
            // it goes on where the last one ends
            self.end += stretch;
        } else {
            let rest = (self.at, self.end);
            self.leave_stretch();
            (self.at, self.end) = (self.top, self.top + stretch);
            if self.used && rest.0 < rest.1 {
                self.holes.push(((rest.0 / 8) as u32, (rest.1 / 8) as u32));
            }
            self.used = false;
        }
        self.top += stretch;
        #[cfg(all(target_os = "linux", not(miri)))]
        if let Some(map) = &self.map {
            self.pages.take(map, self.top, stretch);
        }
        true
    }

    /// The rest of the stretch from which nodes are taken has no nodes.
    fn leave_stretch(&mut self) {
        if self.at < self.end {
            let unit = self.at / 8;
            self.starts[unit / 64] |= 1 << (unit % 64);
        }
    }

    /// Reserves the address space, at most half of the available space.
    fn reserve(&mut self, size: usize) -> bool {
        let map = |bytes: usize| {
            let mut options = MmapOptions::new();
            options.len(bytes);
            // Miri knows no such mapping; its memory is the host's, which comes as it is touched
            if !cfg!(miri) {
                options.no_reserve_swap();
            }
            options.map_anon()
        };
        // open contexts are as many as stacks are deep, which does not depend on the budget, but who sets a small one means it
        let beyond = (4 * self.budget).clamp(LEAST_BEYOND, BEYOND);
        let mut bytes = (2 * self.budget + beyond).min(MOST);
        let factor = match self.counters {
            false => KEPT_FREE,
            true => KEPT_FREE_FOR_COUNTERS,
        };
        loop {
            let keep = bytes * factor + KEPT_FREE_FIRST;
            if map(2 * (bytes + keep)).is_ok()
                && let (Ok(nodes), Ok(keep)) = (map(bytes), map(keep))
            {
                (self.map, self.kept_free) = (Some(Arc::new(nodes.into())), Some(keep));
                break;
            }
            bytes /= 2;
            if bytes < 4 * STRETCH.max(size) {
                return false;
            }
        }
        if bytes / 2 < self.budget {
            self.budget = bytes / 2;
            self.step = self.step.min(self.budget);
            self.left = self.left.min(self.budget);
        }
        true
    }

    #[cold]
    fn no_memory(&self) -> NoMemory {
        NoMemory {
            nodes: self.nodes,
            bytes: self.top as u64,
        }
    }

    /// Releases the address space reserved for results made of the nodes.
    pub fn release_kept_free(&mut self) {
        self.kept_free = None;
    }
}
