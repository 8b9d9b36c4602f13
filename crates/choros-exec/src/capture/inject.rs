//! Faults between real services: requests that are lost, delayed, doubled, refused or broken off.
//!
//! What happens to a request depends on the seed and its number alone, so a run with the same requests in the same order
//! has the same faults.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use choros_base::{Choice, nearest};

/// What is done to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum InjectedFault {
    /// It does not reach the service, and the client's connection ends.
    Lose,
    /// It reaches the service later.
    Delay,
    /// It reaches the service twice; the client gets the first answer.
    Duplicate,
    /// It does not reach the service, and the client gets a 500.
    Error,
    /// The service answers, and the client's connection ends without the answer.
    HangUp,
}

impl Choice for InjectedFault {
    const CHOICES: &'static [(&'static str, InjectedFault, &'static str)] = &[
        (
            "lose",
            InjectedFault::Lose,
            "The request does not reach the service, and the client's connection ends",
        ),
        (
            "delay",
            InjectedFault::Delay,
            "The request reaches the service later",
        ),
        (
            "duplicate",
            InjectedFault::Duplicate,
            "The request reaches the service twice",
        ),
        (
            "error",
            InjectedFault::Error,
            "The client gets a 500, and the service nothing",
        ),
        (
            "hangup",
            InjectedFault::HangUp,
            "The service answers, and the client does not hear it",
        ),
    ];
}

/// Which faults, and to how many of a hundred requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Injection {
    /// Each with its share of requests, in percent.
    faults: Vec<(InjectedFault, u32)>,
    delay: Duration,
    pub seed: u64,
}

/// How many requests of a hundred have a fault for which no share is given.
const USUAL_SHARE: u32 = 10;

/// How much later a delayed request is, where that is not said.
const USUAL_DELAY: Duration = Duration::from_secs(1);

impl Injection {
    /// Reads `lose,error:20%,delay:300ms:5%`; the error says what is wrong.
    pub fn parse(text: &str) -> Result<Injection, String> {
        let mut found = Injection {
            faults: Vec::new(),
            delay: USUAL_DELAY,
            seed: 0,
        };
        for part in text.split(',').map(str::trim) {
            let mut words = part.split(':').map(str::trim);
            let word = words.next().unwrap_or_default();
            let Some(fault) = InjectedFault::chosen(word) else {
                let known = InjectedFault::CHOICES.iter().map(|(word, ..)| *word);
                return Err(match nearest(word, known.clone()) {
                    Some(similar) => {
                        format!("there is no fault `{word}`; did you mean `{similar}`?")
                    }
                    None => {
                        let known: Vec<&str> = known.collect();
                        format!(
                            "there is no fault `{word}`; known faults: {}",
                            known.join(", ")
                        )
                    }
                });
            };
            let mut share = USUAL_SHARE;
            for word in words {
                if let Some(percent) = word.strip_suffix('%') {
                    let percent = percent.parse().ok().filter(|it| (1..=100).contains(it));
                    share =
                        percent.ok_or_else(|| format!("`{part}`: write a share as 1% to 100%"))?;
                } else if let (InjectedFault::Delay, Some(delay)) = (fault, milliseconds(word)) {
                    found.delay = delay;
                } else {
                    return Err(format!(
                        "`{part}`: `{word}` is neither a share such as 20% nor, of `delay`, a time such as 300ms"
                    ));
                }
            }
            found.faults.push((fault, share));
        }
        if found.faults.iter().map(|it| it.1).sum::<u32>() > 100 {
            return Err("the shares of all faults together are more than 100%".to_owned());
        }
        Ok(found)
    }

    /// The same with another seed.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Injection {
        Injection { seed, ..self }
    }

    /// What happens to the request with this number.
    pub(super) fn fate(&self, number: u64) -> Option<InjectedFault> {
        let mut drawn = (mixed(self.seed ^ mixed(number)) % 100) as u32;
        for &(fault, share) in &self.faults {
            if drawn < share {
                return Some(fault);
            }
            drawn -= share;
        }
        None
    }

    pub(super) fn delay(&self) -> Duration {
        self.delay
    }
}

fn milliseconds(word: &str) -> Option<Duration> {
    let (digits, factor) = match word.strip_suffix("ms") {
        Some(digits) => (digits, 1),
        None => (word.strip_suffix('s')?, 1_000),
    };
    let number: u64 = digits.parse().ok()?;
    let most = 3_600_000;
    Some(Duration::from_millis(
        number.checked_mul(factor).filter(|it| *it <= most)?,
    ))
}

/// The finaliser of SplitMix64: all bits depend on all bits.
fn mixed(number: u64) -> u64 {
    let mut number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// What was done to requests, counted.
#[derive(Debug, Default)]
pub(super) struct Injected(Mutex<BTreeMap<InjectedFault, u64>>);

impl Injected {
    pub(super) fn note(&self, fault: InjectedFault) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(fault).or_default() += 1;
    }

    /// Each kind with its number: `lose 3`.
    pub(super) fn counts(&self) -> Vec<(&'static str, u64)> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts
            .iter()
            .map(|(fault, count)| (fault.word(), *count))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_kept_and_seeds_repeat() {
        let mut injection = Injection::parse("lose:20%,delay:300ms:30%").expect("faults");
        injection.seed = 7;
        let fates: Vec<_> = (1..=10_000).map(|it| injection.fate(it)).collect();
        let count = |wanted| fates.iter().filter(|&&it| it == wanted).count();
        assert!((1_800..2_200).contains(&count(Some(InjectedFault::Lose))));
        assert!((2_800..3_200).contains(&count(Some(InjectedFault::Delay))));
        let again: Vec<_> = (1..=10_000).map(|it| injection.fate(it)).collect();
        assert_eq!(fates, again);
        assert_eq!(injection.delay(), Duration::from_millis(300));
    }

    #[test]
    fn mistakes_are_told() {
        let said = |text| Injection::parse(text).expect_err(text);
        assert!(said("loose").contains("did you mean `lose`"));
        assert!(said("lose:0%").contains("1% to 100%"));
        assert!(said("lose:300ms").contains("neither a share"));
        assert!(said("lose:60%,error:60%").contains("more than 100%"));
    }
}
