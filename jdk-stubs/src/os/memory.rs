//! The memory of the process outside the Java heap.

/// Reports the C library's allocator that a VM is about to run: it needs some ten megabytes for
/// classes and translated code soon, which cost less in large pages than in thousands of small ones.
/// For programs; a library leaves its process's allocator alone.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn expect_a_vm() {
    /// How much the heap grows by; untouched memory costs nothing.
    const STEP: usize = 64 << 20;
    /// From this size on, blocks are mapped on their own.
    const LARGE: i32 = 4 << 20;
    const PAGE: usize = 2 << 20;
    /// Two of these don't fit into what the allocator has got at its start.
    const BLOCK: usize = 120 << 10;
    // SAFETY: the options are documented, and refused ones change nothing. The blocks are freed as they
    // came. The advice is for memory of the break, which the allocator keeps, and changes no contents.
    unsafe {
        libc::mallopt(libc::M_TOP_PAD, STEP as i32);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 2 * STEP as i32);
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        let start = libc::sbrk(0) as usize;
        // the compiler would see that nobody needs them
        let a = std::hint::black_box(libc::malloc(BLOCK));
        let b = std::hint::black_box(libc::malloc(BLOCK));
        let end = libc::sbrk(0) as usize;
        libc::free(b);
        libc::free(a);
        let (from, to) = (start.next_multiple_of(PAGE), end & !(PAGE - 1));
        if from < to {
            libc::madvise(from as *mut _, to - from, libc::MADV_HUGEPAGE);
        }
    }
}

/// Other allocators need no advice.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn expect_a_vm() {}
