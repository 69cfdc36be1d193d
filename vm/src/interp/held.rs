//! Things that a VM holds besides heap, metadata and memory outside the heap. Their numbers are compared with their limits at
//! looks, so they cost nothing per bytecode. All of it is a function of the program, and so is where it
//! stops.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// The known sizes of the memory that a VM holds.
#[derive(Default)]
pub(crate) struct HeldMemory {
    /// Bytes of translated code.
    pub(super) code: Arc<AtomicUsize>,
    /// Bytes of what stays: errors that are to be thrown again, what a profile names of threads and classes that are gone.
    pub(super) stays: Arc<AtomicUsize>,
    /// The VM has stopped for lack of memory for contexts, and they are to be folded when it continues.
    pub(super) folds: bool,
    /// A collection was requested, which forgets names.
    pub(super) collected: bool,
}

/// Memory of a translation, or of what stays of something else, counted as long as it is there.
#[derive(Debug)]
pub(crate) struct HeldBytes {
    all: Arc<AtomicUsize>,
    bytes: usize,
}

impl HeldBytes {
    /// One of those that are counted there, which takes so many bytes.
    pub(super) fn among(all: &Arc<AtomicUsize>, bytes: usize) -> HeldBytes {
        all.fetch_add(bytes, Relaxed);
        HeldBytes {
            all: all.clone(),
            bytes,
        }
    }
}

impl Drop for HeldBytes {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Relaxed);
    }
}
