//! One calling context, and the links between contexts.

use super::NO_SITE;
use std::ptr;

/// One calling context. Its slots follow the fixed part in memory: 8 bytes each, for a counter or two
/// child links.
#[repr(C)]
#[derive(Debug)]
pub struct ContextNode {
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
    pub(super) site: u16,
    /// A bit for each method among the children, shared by many methods: where it is 0 there is no
    /// such child, and the chain need not be searched. The upper two are [`WIDE`] and [`LAST`].
    pub(super) filter: u16,
    /// To the head of the chain of children.
    pub(super) first: i32,
    /// To the next child of the same parent; from the last one to the parent, from a root nowhere.
    pub(super) next: i32,
    slots: [u64; 0],
}

/// The parts of a node for compiled code: offsets, and bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodePlaces {
    /// Two bytes with the call site; `u16::MAX`: any.
    pub site: usize,
    /// Two bytes with bits.
    pub filter: usize,
    /// The bit of a node with so many children that the chain is not to be searched.
    pub wide: u16,
    /// The bit of the last child in a chain.
    pub last: u16,
    /// The link to the first child.
    pub first: usize,
    /// The link to the next child of the same parent.
    pub next: usize,
}

/// Where a link leads; null if there is none.
#[inline(always)]
fn target(node: *const ContextNode, link: i32) -> *mut ContextNode {
    match link {
        0 => ptr::null_mut(),
        link => node.cast_mut().wrapping_byte_offset(link as isize * 8),
    }
}

/// The link that leads from a node to another node of its arena.
#[inline(always)]
pub(super) fn link(from: *const ContextNode, to: *const ContextNode) -> i32 {
    match to.is_null() {
        true => 0,
        // an arena has less than 2^31 units of 8 bytes
        false => ((to as isize - from as isize) >> 3) as i32,
    }
}

/// The same pointer, which the compiler treats as a separate value, and not as a sum to compute wherever it is used: in the
/// handlers of calls that would take one register too many.
#[inline(always)]
fn in_register(node: *mut ContextNode) -> *mut ContextNode {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let same;
        // SAFETY: no instruction at all.
        #[allow(
            clippy::pointers_in_nomem_asm_block,
            reason = "nothing is read through it"
        )]
        unsafe {
            std::arch::asm!("/* {0} */", inout(reg) node => same, options(pure, nomem, nostack, preserves_flags));
        }
        same
    }
    #[cfg(any(not(target_arch = "x86_64"), miri))]
    node
}

impl ContextNode {
    /// Offset of the first slot from the node's address.
    pub const SLOTS: usize = std::mem::offset_of!(ContextNode, slots);
    /// Where compiled code finds what [`is_called`](Self::is_called), [`is_wide`](Self::is_wide), [`first_link`](Self::first_link) and
    /// [`next_link`](Self::next_link) read.
    pub const PLACES: NodePlaces = NodePlaces {
        site: std::mem::offset_of!(ContextNode, site),
        filter: std::mem::offset_of!(ContextNode, filter),
        wide: WIDE,
        last: LAST,
        first: std::mem::offset_of!(ContextNode, first),
        next: std::mem::offset_of!(ContextNode, next),
    };
    /// Size of a child link.
    pub const LINK: usize = size_of::<i32>();

    /// Size in bytes of a node with that many slots.
    pub const fn size(slots: u32) -> usize {
        Self::SLOTS + slots as usize * 8
    }

    /// Slots that hold so many child links.
    pub const fn slots_of_links(links: u32) -> u32 {
        links.div_ceil(2)
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
        (self.filter | WIDE | LAST) & bit(method) != 0
    }

    /// Whether there are so many children that `Arena::find_wide` is to be asked instead of the chain.
    #[inline(always)]
    pub fn is_wide(&self) -> bool {
        self.filter & WIDE != 0
    }

    /// The link to the head of the chain of children; 0 if there are none.
    #[inline(always)]
    pub fn first_link(&self) -> i32 {
        self.first
    }

    /// The link to the next child of the same parent; none in the last one.
    #[inline(always)]
    pub fn next_link(&self) -> Option<i32> {
        (self.filter & LAST == 0).then_some(self.next)
    }

    /// Head of the chain of children; null if there are none.
    ///
    /// # Safety
    /// `node` is live.
    #[inline(always)]
    pub unsafe fn first_child(node: *const ContextNode) -> *mut ContextNode {
        // SAFETY: by contract.
        unsafe { target(node, (*node).first) }
    }

    /// The next child of the same parent; null after the last one.
    ///
    /// # Safety
    /// `node` is live.
    #[inline(always)]
    pub unsafe fn next_sibling(node: *const ContextNode) -> *mut ContextNode {
        // SAFETY: by contract.
        unsafe {
            match (*node).next_link() {
                Some(next) => Self::linked(node.cast_mut(), next),
                None => ptr::null_mut(),
            }
        }
    }

    /// The calling context, null for a root. Takes as long as there are siblings.
    ///
    /// # Safety
    /// `node` is live.
    pub unsafe fn parent(node: *const ContextNode) -> *mut ContextNode {
        let mut at = node;
        // SAFETY: by contract; links lead to live nodes.
        unsafe {
            while (*at).filter & LAST == 0 {
                at = Self::linked(at.cast_mut(), (*at).next);
            }
            target(at, (*at).next)
        }
    }

    /// The child link `at` bytes from the node's address, 0 if it leads to nothing yet.
    ///
    /// # Safety
    /// `node` is live and has a link there.
    #[inline(always)]
    pub unsafe fn link(node: *const ContextNode, at: usize) -> i32 {
        // SAFETY: the slots lie behind the fixed part in the same stretch of memory.
        unsafe { *node.byte_add(at).cast::<i32>() }
    }

    /// The node that a link of `node` leads to.
    ///
    /// # Safety
    /// `link` is of this live node, and not 0.
    #[inline(always)]
    pub unsafe fn linked(node: *mut ContextNode, link: i32) -> *mut ContextNode {
        // SAFETY: both are in one stretch of memory.
        let linked = unsafe { node.byte_offset(link as isize * 8) };
        in_register(linked)
    }

    /// What the child link `at` bytes from the node's address leads to; null if to nothing yet.
    ///
    /// # Safety
    /// `node` is live and has a link there.
    #[inline(always)]
    pub unsafe fn callee(node: *const ContextNode, at: usize) -> *mut ContextNode {
        // SAFETY: by contract.
        unsafe { target(node, Self::link(node, at)) }
    }

    /// Sets that link; null: to nothing.
    ///
    /// # Safety
    /// `node` is live and has a link there; `child` is null or its child.
    #[inline(always)]
    pub unsafe fn set_callee(node: *mut ContextNode, at: usize, child: *const ContextNode) {
        // SAFETY: as above.
        unsafe { *node.byte_add(at).cast::<i32>() = link(node, child) }
    }

    /// Address of the counter in slot `slot`.
    ///
    /// # Safety
    /// `node` is a live node made with more than `slot` slots.
    #[inline(always)]
    pub unsafe fn counter(node: *mut ContextNode, slot: u32) -> *mut u64 {
        // SAFETY: the slots lie behind the fixed part in the same stretch of memory; no reference to the node
        // is formed, so the pointer keeps its provenance.
        unsafe { (&raw mut (*node).slots).cast::<u64>().add(slot as usize) }
    }
}

/// The bit of a method in [`ContextNode::filter`]. Where it is one of the upper two, the filter knows nothing.
#[inline(always)]
pub(super) fn bit(method: u32) -> u16 {
    1 << (method.wrapping_mul(0x9e37_79b1) >> 28)
}

/// The bit of [`ContextNode::filter`] that says the children are in the arena's index.
pub(super) const WIDE: u16 = 1 << 15;
/// The bit of [`ContextNode::filter`] that says the node is the last one in its chain.
pub(super) const LAST: u16 = 1 << 14;
