//! Where a contained program's randomness comes from.

use crate::deterministic::entropy::EntropyStream as Numbers;
use std::sync::{Arc, Mutex};

/// Entropy of the system, or what looks like it; copies draw from one source.
#[derive(Clone)]
pub struct SharedEntropy(Arc<Mutex<EntropySource>>);

enum EntropySource {
    System,
    Seeded(Numbers),
}

impl SharedEntropy {
    /// The system's.
    pub fn system() -> SharedEntropy {
        SharedEntropy(Arc::new(Mutex::new(EntropySource::System)))
    }
    /// Numbers that depend on a seed alone.
    pub fn seeded(seed: u64) -> SharedEntropy {
        SharedEntropy(Arc::new(Mutex::new(EntropySource::Seeded(Numbers::new(
            seed,
        )))))
    }
    /// Fills a buffer.
    pub fn fill(&self, buf: &mut [u8]) {
        let mut source = self.0.lock().unwrap_or_else(|e| e.into_inner());
        match &mut *source {
            EntropySource::System => rjvm_jdk_stubs::os::entropy(buf),
            EntropySource::Seeded(numbers) => numbers.fill(buf),
        }
    }
}
