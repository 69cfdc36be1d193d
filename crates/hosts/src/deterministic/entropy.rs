//! Numbers that look random and follow from a seed.

/// A stream of them (the generator is SplitMix64). The seed determines them all: keys made from them are not secret.
pub struct EntropyStream(u64);

impl EntropyStream {
    /// The stream of a seed.
    pub fn new(seed: u64) -> EntropyStream {
        EntropyStream(seed)
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
    /// Fills `buf`.
    pub fn fill(&mut self, buf: &mut [u8]) {
        for part in buf.chunks_mut(8) {
            let n = self.next().to_le_bytes();
            part.copy_from_slice(&n[..part.len()]);
        }
    }
}
