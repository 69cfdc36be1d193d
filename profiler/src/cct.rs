//! The hot calling-context tree: the arena of nodes that the interpreter writes through raw
//! pointers while the program runs. This is the crate's only unsafe room; everything else works
//! on `Profile`, which is plain data.
//!
//! # Invariants
//! * A node lives in one chunk of one [`Arena`], is never moved, and is freed only when the arena
//!   is dropped. A `*mut Node` is therefore valid exactly as long as its arena.
//! * Fresh memory is zero: counters start at 0, pointers (and child slots) at null.
//! * **The sibling chain is the truth.** Every child is in its parent's chain
//!   (`first_child`, `next_sibling`) exactly once and names the parent in `parent`; a root's parent
//!   is null. The order in a chain means nothing: look-ups reorder it, outputs are sorted.
//! * `kids` is a cache that belongs to the interpreter. The arena sets the slots to null and never
//!   reads them; a slot holds null or a child of this node.
//! * One chain never holds two nodes with equal `(method, site)`.
//! * Nobody but the owner of the arena writes links while a [`Walk`] is alive.

mod index;

use index::Index;
use memmap2::{MmapMut, MmapOptions};
use std::ptr;

/// The call site of a node that has none: a root, a method entered from native code where natives
/// are nodes, and every node of a mode that merges call sites.
pub const NO_SITE: u32 = u32::MAX;

/// The call site of a node that a native method or the VM itself has called, if such nodes are to
/// become roots of the profile, as the profiler JP has it. No call can be at this index: it would
/// reach beyond the longest code.
pub const UPCALL: u32 = u16::MAX as u32 - 1;

/// One calling context. Child slots follow the fixed part in memory.
#[repr(C)]
#[derive(Debug)]
pub struct Node {
    /// Bytecodes executed in this context and below. The interpreter adds `ticks - ticks at entry`
    /// whenever a frame of the context is left, so frames still open must be flushed before the
    /// tree is read.
    pub inclusive: i64,
    /// How often the context was entered.
    pub invocations: u64,
    /// The method, as an id given by the VM.
    pub method: u32,
    /// Bytecode index of the call site in the parent's method, `u16::MAX` (no index there is) for
    /// [`NO_SITE`].
    site: u16,
    /// A bit for each method among the children, shared by many methods: where it is 0 there is no
    /// such child, and the chain need not be searched. And [`WIDE`].
    filter: u16,
    /// The calling context, null for a root.
    pub parent: *mut Node,
    /// Head of the chain of children.
    pub first_child: *mut Node,
    /// Next child of the same parent.
    pub next_sibling: *mut Node,
    /// As many child slots as were asked for when the node was made.
    pub kids: [*mut Node; 0],
}

impl Node {
    /// Offset of the first child slot from the node's address.
    pub const KIDS: usize = std::mem::offset_of!(Node, kids);

    /// Size in bytes of a node with that many child slots.
    pub const fn size(slots: u32) -> usize {
        Self::KIDS + slots as usize * size_of::<*mut Node>()
    }

    /// Bytecode index of the call site in the parent's method, or [`NO_SITE`].
    #[inline(always)]
    pub fn site(&self) -> u32 {
        match self.site {
            u16::MAX => NO_SITE,
            site => u32::from(site),
        }
    }

    /// Whether calls of `method` at bytecode index `site` lead to this node.
    #[inline(always)]
    pub fn is_called(&self, method: u32, site: u16) -> bool {
        self.method == method && (self.site == u16::MAX || self.site == site)
    }

    /// Whether a child of that method may be in the chain.
    #[inline(always)]
    pub fn may_call(&self, method: u32) -> bool {
        self.filter & bit(method) != 0
    }

    /// Whether there are so many children that [`Arena::find_wide`] is to be asked instead of the chain.
    #[inline(always)]
    pub fn is_wide(&self) -> bool {
        self.filter & WIDE != 0
    }

    /// Address of child slot `slot`.
    ///
    /// # Safety
    /// `node` is a live node made with more than `slot` slots.
    #[inline(always)]
    pub unsafe fn kid(node: *mut Node, slot: u32) -> *mut *mut Node {
        // SAFETY: the slots lie behind the fixed part in the same chunk; no reference to the node
        // is formed, so the pointer keeps the chunk's provenance.
        unsafe {
            (&raw mut (*node).kids)
                .cast::<*mut Node>()
                .add(slot as usize)
        }
    }
}

/// The bit of a method in [`Node::filter`], one of the lower 15.
#[inline(always)]
fn bit(method: u32) -> u16 {
    1 << (((method.wrapping_mul(0x9e37_79b1) >> 16) * 15) >> 16)
}

/// The bit of [`Node::filter`] that says the children are in the arena's index.
const WIDE: u16 = 1 << 15;
/// Children from which on they are in the index: chains longer than this are not searched.
const MANY: usize = 16;

const FIRST_CHUNK: usize = 64 << 10;
const LAST_CHUNK: usize = 32 << 20;

/// Address space that is kept free for each byte of nodes, since the profile made of them needs memory
/// when there is no more: a [`Tree`](crate::Tree), a sorted copy and a view, in vectors that double.
const KEPT_FREE: usize = 6;
/// The same if most of a node is counters of single bytecodes, which are not as compact there.
const KEPT_FREE_FOR_COUNTERS: usize = 14;
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

/// Bump allocator of [`Node`]s. Nothing is freed before the arena is dropped.
#[derive(Debug, Default)]
pub struct Arena {
    chunks: Vec<MmapMut>,
    /// Most of a node is counters.
    counters: bool,
    /// What keeps address space free; no page of it is ever touched.
    kept_free: Vec<MmapMut>,
    /// Bytes of the last chunk that are in use.
    used: usize,
    nodes: u64,
    reserved: u64,
    index: Index,
}

impl Arena {
    /// An arena without memory; the first node reserves the first chunk.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same for nodes that are counters for the most part.
    pub fn with_counters() -> Self {
        Arena {
            counters: true,
            ..Self::default()
        }
    }

    /// Number of nodes made so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Bytes reserved from the system for nodes.
    pub fn bytes(&self) -> u64 {
        self.reserved
    }

    /// Makes a node with `slots` empty child slots and, unless `parent` is null, puts it at the
    /// head of the parent's chain. The caller knows that no equal child is there.
    ///
    /// # Errors
    /// Nothing has changed when there is no memory.
    ///
    /// # Safety
    /// `parent` is null or a live node of this arena.
    pub unsafe fn new_node(
        &mut self,
        parent: *mut Node,
        method: u32,
        site: u32,
        slots: u32,
    ) -> Result<*mut Node, NoMemory> {
        // SAFETY: `parent` is live by contract, as are the nodes in the index.
        unsafe {
            if !parent.is_null() && (*parent).is_wide() {
                self.index.reserve(1).map_err(|_| self.no_memory())?;
            }
        }
        let node = self.bump(Node::size(slots))?.cast::<Node>();
        // SAFETY: `bump` returned aligned, zeroed memory for the node, which is nobody else's yet;
        // `parent` is live by contract.
        unsafe {
            (*node).method = method;
            (*node).site = u16::try_from(site).unwrap_or(u16::MAX);
            (*node).parent = parent;
            if !parent.is_null() {
                (*parent).filter |= bit(method);
                (*node).next_sibling = (*parent).first_child;
                (*parent).first_child = node;
                if (*parent).is_wide() {
                    self.index.insert(node);
                }
            }
        }
        self.nodes += 1;
        Ok(node)
    }

    /// The child of a wide node that calls of `method` at bytecode index `site` lead to (see
    /// [`Node::is_called`]), or null. It may be missed where some children have call sites and some
    /// have none; [`Arena::find_or_add_child`] then finds it.
    ///
    /// # Safety
    /// `parent` is a live wide node of this arena.
    pub unsafe fn find_wide(&self, parent: *mut Node, method: u32, site: u16) -> *mut Node {
        // SAFETY: `parent` is live and has children.
        unsafe {
            let site = match (*(*parent).first_child).site {
                u16::MAX => u16::MAX,
                _ => site,
            };
            self.index.find(parent, method, site)
        }
    }

    /// Puts the children of `parent` into the index.
    unsafe fn widen(&mut self, parent: *mut Node, children: usize) -> Result<(), NoMemory> {
        // SAFETY: all links lead to live nodes of this arena.
        unsafe {
            // and the one that is about to be added
            let room = self.index.reserve(children + 1);
            room.map_err(|_| self.no_memory())?;
            (*parent).filter |= WIDE;
            let mut child = (*parent).first_child;
            while !child.is_null() {
                self.index.insert(child);
                child = (*child).next_sibling;
            }
        }
        Ok(())
    }

    /// The child of `parent` with that method and call site, made with `slots` child slots if it
    /// is not there yet. A child that is found in a chain moves to its head.
    ///
    /// # Errors
    /// There is no memory for the node.
    ///
    /// # Safety
    /// `parent` is a live node of this arena.
    pub unsafe fn find_or_add_child(
        &mut self,
        parent: *mut Node,
        method: u32,
        site: u32,
        slots: u32,
    ) -> Result<*mut Node, NoMemory> {
        // SAFETY: all links lead to live nodes of this arena.
        unsafe {
            if (*parent).is_wide() {
                let site = u16::try_from(site).unwrap_or(u16::MAX);
                let child = self.index.find(parent, method, site);
                return match child.is_null() {
                    true => self.new_node(parent, method, site.into(), slots),
                    false => Ok(child),
                };
            }
            let mut before: *mut Node = ptr::null_mut();
            let mut child = match (*parent).may_call(method) {
                true => (*parent).first_child,
                false => ptr::null_mut(),
            };
            let mut seen = 0;
            while !child.is_null() {
                if (*child).method == method && (*child).site() == site {
                    if !before.is_null() {
                        (*before).next_sibling = (*child).next_sibling;
                        (*child).next_sibling = (*parent).first_child;
                        (*parent).first_child = child;
                    }
                    return Ok(child);
                }
                before = child;
                child = (*child).next_sibling;
                seen += 1;
            }
            if seen >= MANY {
                self.widen(parent, seen)?;
            }
            self.new_node(parent, method, site, slots)
        }
    }

    fn bump(&mut self, size: usize) -> Result<*mut u8, NoMemory> {
        if self
            .chunks
            .last()
            .is_none_or(|c| c.len() - self.used < size)
        {
            self.grow(size)?;
        }
        let chunk = self.chunks.last_mut().expect("a chunk with room");
        // SAFETY: `used + size` is within the chunk.
        let at = unsafe { chunk.as_mut_ptr().add(self.used) };
        self.used += size;
        Ok(at)
    }

    #[cold]
    fn grow(&mut self, size: usize) -> Result<(), NoMemory> {
        let grown = (self.reserved as usize / 2).next_power_of_two();
        let bytes = grown.clamp(FIRST_CHUNK, LAST_CHUNK).max(size);
        let no_memory = self.no_memory();
        let factor = match self.counters {
            false => KEPT_FREE,
            true => KEPT_FREE_FOR_COUNTERS,
        };
        let mut wanted = bytes * factor;
        if self.kept_free.is_empty() {
            // all of it, if it has been let go since
            wanted = wanted.saturating_add(self.reserved as usize * factor + KEPT_FREE_FIRST);
        }
        let mut keep = MmapOptions::new();
        let kept = keep.len(wanted).no_reserve_swap().map_anon();
        let chunk = kept.and_then(|kept| Ok((kept, MmapMut::map_anon(bytes)?)));
        let (kept, chunk) = chunk.map_err(|_| no_memory)?;
        self.kept_free.push(kept);
        self.reserved += bytes as u64;
        self.used = 0;
        self.chunks.push(chunk);
        Ok(())
    }

    #[cold]
    fn no_memory(&self) -> NoMemory {
        NoMemory {
            nodes: self.nodes,
            bytes: self.reserved,
        }
    }

    /// Lets go the address space that was kept free for what is made of the nodes.
    pub fn release_kept_free(&mut self) {
        self.kept_free.clear();
    }
}

/// What [`Walk`] tells about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Distance from the root of the walk.
    pub depth: usize,
    /// See [`Node::inclusive`].
    pub inclusive: i64,
    /// See [`Node::invocations`].
    pub invocations: u64,
    /// See [`Node::method`].
    pub method: u32,
    /// See [`Node::site`].
    pub site: u32,
    /// The node itself, for whoever keeps more in it. Valid as long as the arena.
    pub node: *const Node,
}

/// Visits a tree in preorder without a stack: the parent links lead back.
#[derive(Debug)]
pub struct Walk {
    next: *const Node,
    depth: usize,
}

impl Walk {
    /// A walk over `root` and everything below it.
    ///
    /// # Safety
    /// `root` is null or a live node; the arena outlives the walk and nobody changes links
    /// meanwhile.
    pub unsafe fn new(root: *const Node) -> Self {
        Walk {
            next: root,
            depth: 0,
        }
    }
}

impl Iterator for Walk {
    type Item = Visit;

    fn next(&mut self) -> Option<Visit> {
        if self.next.is_null() {
            return None;
        }
        // SAFETY: by the contract of `new`, all links lead to live nodes.
        unsafe {
            let node = self.next;
            let visit = Visit {
                depth: self.depth,
                inclusive: (*node).inclusive,
                invocations: (*node).invocations,
                method: (*node).method,
                site: (*node).site(),
                node,
            };
            if !(*node).first_child.is_null() {
                self.next = (*node).first_child;
                self.depth += 1;
                return Some(visit);
            }
            let mut at = node;
            // Depth 0 is the root of the walk, whose own siblings are not part of it.
            while self.depth > 0 && (*at).next_sibling.is_null() {
                at = (*at).parent;
                self.depth -= 1;
            }
            self.next = if self.depth == 0 {
                ptr::null()
            } else {
                (*at).next_sibling
            };
            Some(visit)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_with_two_slots_is_a_cache_line() {
        assert_eq!(Node::size(0), 48);
        assert_eq!(Node::size(2), 64);
        assert_eq!(Node::KIDS, size_of::<Node>());
    }

    #[test]
    fn children_are_found_again_and_walked_once() {
        let mut arena = Arena::new();
        // SAFETY: all nodes are of this arena, which outlives them.
        unsafe {
            let root = arena
                .new_node(ptr::null_mut(), 1, NO_SITE, 3)
                .expect("memory");
            let a = arena.find_or_add_child(root, 2, 5, 0).expect("memory");
            let b = arena.find_or_add_child(root, 2, 6, 0).expect("memory");
            let c = arena.find_or_add_child(a, 3, 0, 1).expect("memory");
            assert_ne!(a, b);
            assert_eq!(arena.find_or_add_child(root, 2, 5, 0).expect("memory"), a);
            assert_eq!(
                (*root).first_child,
                a,
                "a child that is found moves to the front"
            );
            assert_eq!(arena.find_or_add_child(root, 2, 6, 0).expect("memory"), b);
            assert_eq!(arena.find_or_add_child(a, 3, 0, 1).expect("memory"), c);
            assert!((0..3).all(|slot| (*Node::kid(root, slot)).is_null()));
            *Node::kid(root, 2) = a;
            assert_eq!(*Node::kid(root, 2), a);
            let seen: Vec<_> = Walk::new(root)
                .map(|v| (v.depth, v.method, v.site))
                .collect();
            assert_eq!(seen, [(0, 1, NO_SITE), (1, 2, 6), (1, 2, 5), (2, 3, 0)]);
            let below: Vec<_> = Walk::new(a).map(|v| (v.depth, v.method)).collect();
            assert_eq!(
                below,
                [(0, 2), (1, 3)],
                "siblings of the walk's root are not in it"
            );
            assert_eq!(Walk::new(ptr::null()).count(), 0);
        }
        assert_eq!(arena.nodes(), 4);
    }

    #[test]
    fn many_children_are_found_again() {
        let mut arena = Arena::new();
        // SAFETY: all nodes are of this arena, which outlives them.
        unsafe {
            let root = arena
                .new_node(ptr::null_mut(), 0, NO_SITE, 0)
                .expect("memory");
            let parents: Vec<_> = (0..50)
                .map(|m| arena.new_node(root, m, 3, 0).expect("memory"))
                .collect();
            let mut made = Vec::new();
            for n in 0..200 {
                for &parent in &parents {
                    for (method, site) in [(n, 7), (n, 8), (1000 - n, NO_SITE), (n, UPCALL)] {
                        made.push((parent, method, site));
                        let child = arena
                            .find_or_add_child(parent, method, site, 0)
                            .expect("memory");
                        (*child).invocations += 1;
                    }
                }
            }
            for &(parent, method, site) in &made {
                let child = arena
                    .find_or_add_child(parent, method, site, 0)
                    .expect("memory");
                assert_eq!(((*child).method, (*child).site()), (method, site));
                assert_eq!((*child).parent, parent);
                (*child).invocations += 1;
            }
            assert_eq!(arena.nodes(), 1 + 50 + 50 * 800);
            assert_eq!(
                Walk::new(root).filter(|v| v.invocations == 2).count(),
                40_000
            );
            let wide = parents[7];
            assert!((*wide).is_wide());
            let found = arena.find_wide(wide, 5, 7);
            assert!(found.is_null() || (*found).is_called(5, 7));
            assert!(arena.find_wide(wide, 5, 9).is_null());
        }
    }

    #[test]
    fn chunks_grow_and_big_nodes_fit() {
        let mut arena = Arena::new();
        // SAFETY: all nodes are of this arena, which outlives them.
        unsafe {
            let root = arena
                .new_node(ptr::null_mut(), 0, NO_SITE, 1)
                .expect("memory");
            let wide = arena.new_node(root, 1, NO_SITE, 1 << 20).expect("memory");
            *Node::kid(wide, (1 << 20) - 1) = root;
            let mut at = root;
            for depth in 0..100_000 {
                at = arena
                    .new_node(at, depth, NO_SITE, depth % 4)
                    .expect("memory");
                assert_eq!((*at).invocations, 0);
                (*at).invocations = 1;
            }
            assert_eq!(Walk::new(root).count(), 100_002);
            assert_eq!(Walk::new(root).last().map(|v| v.method), Some(1));
        }
        assert!(
            arena.bytes() > (8 << 20) && arena.bytes() < (18 << 20),
            "{}",
            arena.bytes()
        );
    }
}
