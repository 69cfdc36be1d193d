//! Numbers that look random and follow from a seed.

/// A stream of them (the generator is SplitMix64): the same on every machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random(u64);

impl Random {
    /// The stream of schedule `number` under `seed`; neighbouring seeds and numbers have nothing in common.
    pub fn new(seed: u64, number: u64) -> Random {
        Random(Random(seed).bits() ^ Random(!number).bits())
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`, all of them equally likely; 0 if there is none.
    pub fn below(&mut self, n: u64) -> u64 {
        // the high half of a product (Lemire), without the few values that would favour some results
        let unfair = n.wrapping_neg().checked_rem(n).unwrap_or(0);
        loop {
            let product = u128::from(self.bits()) * u128::from(n);
            if product as u64 >= unfair {
                return (product >> 64) as u64;
            }
        }
    }

    /// An index below `n`.
    pub(crate) fn index(&mut self, n: usize) -> usize {
        self.below(n as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_from_the_seed_and_reach_all_values() {
        let draw = |seed, number| {
            let mut random = Random::new(seed, number);
            (0..100).map(|_| random.below(7)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
        assert_ne!(draw(1, 2), draw(2, 1));
        for n in 0..7 {
            assert!(draw(1, 2).contains(&n));
        }
        assert_eq!(Random::new(3, 4).below(0), 0);
        assert_eq!(Random::new(3, 4).below(1), 0);
    }
}
