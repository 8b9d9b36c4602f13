//! Random numbers that are the same everywhere, and the seed they start from.

use std::hash::{BuildHasher, RandomState};

/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood: "Fast splittable pseudorandom number generators", 2014).
///
/// A generator of our own, because the models made from a seed must stay the same when a dependency changes.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    pub fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which must not be 0.
    ///
    /// Small numbers come up more often by a factor of at most `1 + bound / 2⁶⁴`, which no test will notice.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is no number below 0");
        (self.number() % bound as u64) as usize
    }

    /// A number of a closed interval.
    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        assert!(least <= most, "the interval is empty");
        least + self.below((most - least) as usize + 1) as i64
    }

    /// Whether something happens that happens `percent` times out of a hundred.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }

    /// An element of a list, which must not be empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The seed of a random test: `CHOROS_SEED` where it is set, otherwise another one each time.
///
/// It is printed, so that the output of a failed test says how to run the same test again:
/// `CHOROS_SEED=1234 cargo test name_of_the_test`.
/// Numbers are decimal, or hexadecimal after `0x`.
#[expect(
    clippy::print_stderr,
    reason = "test runners show what a failed test printed"
)]
pub fn seed_from_env() -> u64 {
    let seed = match std::env::var("CHOROS_SEED") {
        Ok(text) => {
            read_seed(&text).unwrap_or_else(|| panic!("CHOROS_SEED={text} is not a number"))
        }
        // The keys of a new hash state are random, which saves a dependency.
        Err(_) => RandomState::new().hash_one(0),
    };
    eprintln!("CHOROS_SEED={seed}");
    seed
}

/// How many rounds a random test goes: as many as usual, times `CHOROS_SOAK` where that is set, as `make soak` does.
pub fn rounds(usual: usize) -> usize {
    let times = std::env::var("CHOROS_SOAK").ok();
    usual * times.and_then(|it| it.parse().ok()).unwrap_or(1)
}

fn read_seed(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs for seed 1234567, as published with the reference implementation of SplitMix64.
    #[test]
    fn it_is_split_mix_64() {
        let mut random = Random::new(1_234_567);
        let numbers: Vec<u64> = (0..5).map(|_| random.number()).collect();
        assert_eq!(
            numbers,
            [
                6457827717110365317,
                3203168211198807973,
                9817491932198370423,
                4593380528125082431,
                16408922859458223821
            ]
        );
    }

    #[test]
    fn bounds_are_kept_and_reached() {
        let mut random = Random::new(1);
        let numbers: Vec<i64> = (0..1000).map(|_| random.between(-2, 2)).collect();
        for number in -2..=2 {
            assert!(numbers.contains(&number));
        }
        assert!(numbers.iter().all(|number| (-2..=2).contains(number)));
        assert!((0..100).all(|_| !random.percent(0) && random.percent(100)));
    }

    #[test]
    fn seeds_are_read() {
        assert_eq!(read_seed("42"), Some(42));
        assert_eq!(read_seed("0xff"), Some(255));
        assert_eq!(read_seed("-1"), None);
        assert_eq!(read_seed(""), None);
    }
}
