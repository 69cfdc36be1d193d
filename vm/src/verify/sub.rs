//! Subroutines (`jsr`, `ret`) as the analyses of older class files see them (JVMS 4.10.2.5).

/// A subroutine that is being executed, and which locals it has touched so far.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Sub {
    /// Where it begins.
    pub entry: u16,
    touched: Vec<u64>,
}

impl Sub {
    /// The subroutine that begins there, nothing touched.
    pub fn new(entry: u16) -> Sub {
        Sub {
            entry,
            touched: Vec::new(),
        }
    }
    /// Notes that a local is touched.
    pub fn touch(&mut self, local: usize) {
        if self.touched.len() <= local / 64 {
            self.touched.resize(local / 64 + 1, 0);
        }
        self.touched[local / 64] |= 1 << (local % 64);
    }
    /// Whether a local has been touched.
    pub fn has(&self, local: usize) -> bool {
        self.touched
            .get(local / 64)
            .is_some_and(|w| w & (1 << (local % 64)) != 0)
    }
    /// Adds the other's touched locals; whether that changed anything.
    pub fn join(&mut self, other: &Sub) -> bool {
        let mut changed = false;
        if self.touched.len() < other.touched.len() {
            self.touched.resize(other.touched.len(), 0);
        }
        for (w, o) in self.touched.iter_mut().zip(&other.touched) {
            changed |= *o & !*w != 0;
            *w |= o;
        }
        changed
    }
}
