//! Allocation spaces and collection.

/// Offset in a `java.lang.Class` object of the injected field that names the class it stands for.
pub const MIRROR_CLASS: u32 = 8;

/// Bytes of address space for a heap of `max_bytes`.
pub fn reservation(max_bytes: usize) -> usize {
    max_bytes + (64 << 20)
}

/// State of the collector.
pub struct GcState {
    /// Collections so far.
    pub collections: u64,
    /// Collect at every allocation and poison freed memory.
    pub stress: bool,
}

impl GcState {
    /// For a heap of `_max_bytes`.
    pub fn new(_max_bytes: usize) -> GcState {
        GcState {
            collections: 0,
            stress: false,
        }
    }
}

impl crate::vm::Vm {
    /// `bytes` zeroed bytes (a multiple of 8) of the heap.
    pub fn alloc_raw(&mut self, bytes: usize) -> crate::throw::R<crate::ids::Ref> {
        let hot = self.hot();
        // SAFETY: `hot` is the live VM state; bump..bump_end is free zeroed heap memory.
        unsafe {
            let p = (*hot).bump;
            if ((*hot).bump_end as usize) - (p as usize) < bytes {
                return Err(Box::new(crate::throw::Throw::Collect(bytes)));
            }
            (*hot).bump = p.add(bytes);
            std::ptr::write_bytes(p, 0, bytes);
            Ok(crate::ids::Ref(
                ((p as usize - self.heap.region.base() as usize) / 8) as u32,
            ))
        }
    }
}
