//! Where a contained program's randomness comes from.

use crate::deterministic::entropy::Entropy as Numbers;
use std::sync::{Arc, Mutex};

/// Entropy of the system, or what looks like it; copies draw from one source.
#[derive(Clone)]
pub struct Entropy(Arc<Mutex<Source>>);

enum Source {
    System,
    Seeded(Numbers),
}

impl Entropy {
    /// The system's.
    pub fn system() -> Entropy {
        Entropy(Arc::new(Mutex::new(Source::System)))
    }
    /// Numbers that depend on a seed alone.
    pub fn seeded(seed: u64) -> Entropy {
        Entropy(Arc::new(Mutex::new(Source::Seeded(Numbers::new(seed)))))
    }
    /// Fills a buffer.
    pub fn fill(&self, buf: &mut [u8]) {
        let mut source = self.0.lock().unwrap_or_else(|e| e.into_inner());
        match &mut *source {
            Source::System => rjvm_jdk_stubs::os::entropy(buf),
            Source::Seeded(numbers) => numbers.fill(buf),
        }
    }
}
