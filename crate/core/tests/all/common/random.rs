//! Reproducible random cases: a test prints its seed when it fails.

/// A sequence of numbers that its seed decides (xorshift64*).
pub struct Random(u64);

impl Random {
    /// Begins with a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Begins with the seed in `PACKLENS_SEED`, else with 1, and prints it.
    pub fn from_env(test: &str) -> Random {
        let seed = std::env::var("PACKLENS_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = seed.unwrap_or(1);
        println!("{test}: PACKLENS_SEED={seed}");
        Random::new(seed)
    }

    /// Returns a number from 0 on, below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        number.checked_rem(end).unwrap_or(0)
    }

    /// Puts things in any order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for end in (1..things.len()).rev() {
            things.swap(end, self.below(end as u64 + 1) as usize);
        }
    }
}
