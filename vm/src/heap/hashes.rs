//! Identity hashes: the sequence of numbers that HotSpot gives (`-XX:hashCode=5`, its default), so that
//! a program prints the same `Object.toString()`, and walks its identity-keyed tables in the same order,
//! as on `java -Xshare:off`.

/// The generator that each thread's [`Hashes`] starts from: Park and Miller's minimal standard one.
#[derive(Debug, Clone)]
pub struct Seeds(u32);

impl Seeds {
    /// The VM's own; `seed` 1, the default, is HotSpot's sequence.
    pub fn new(seed: u64) -> Seeds {
        let modulus = u64::from(Self::MODULUS);
        match seed.wrapping_add(1_234_566) % modulus {
            0 => Seeds(1),
            s => Seeds(s as u32),
        }
    }
    const MODULUS: u32 = i32::MAX as u32;
    /// The next number.
    pub fn draw(&mut self) -> u32 {
        self.0 = (u64::from(self.0) * 16_807 % u64::from(Self::MODULUS)) as u32;
        self.0
    }
}

/// Identity hashes of the objects that one thread asks first: Marsaglia's xor-shift generator of period
/// 2¹²⁸ − 1.
#[derive(Debug)]
pub struct Hashes([u32; 4]);

impl Hashes {
    /// The sequence of a thread whose number from [`Seeds`] is `seed`.
    pub fn new(seed: u32) -> Hashes {
        Hashes([seed, 842_502_087, 0x8767, 273_326_509])
    }
    /// The next identity hash: 31 bits, never 0.
    pub fn draw(&mut self) -> u32 {
        let [x, y, z, w] = self.0;
        let t = x ^ x << 11;
        let v = w ^ w >> 19 ^ t ^ t >> 8;
        self.0 = [y, z, w, v];
        match v & i32::MAX as u32 {
            0 => 0xbad,
            h => h,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_thread_gives_the_hashes_of_java() {
        // `new Object().hashCode()` and `String.class.hashCode()` in main, printed by JDK 17 -Xshare:off
        let mut hashes = Hashes::new(Seeds::new(1).draw());
        let sequence: Vec<u32> = (0..409).map(|_| hashes.draw()).collect();
        assert_eq!((sequence[15], sequence[408]), (0x18b4_aac2, 0x4cdf_35a9));
    }

    #[test]
    fn seeds_and_threads_differ() {
        let mut seeds = Seeds::new(1);
        let (a, b) = (seeds.draw(), seeds.draw());
        assert_ne!(Hashes::new(a).draw(), Hashes::new(b).draw());
        assert_ne!(Seeds::new(2).draw(), a);
        // a seed that would make the generator are still
        let still = u64::from(Seeds::MODULUS) - 1_234_566;
        assert_ne!(Seeds::new(still).draw(), 0);
    }
}
