//! How much was judged.
//!
//! A *yes* about what happened is worth as much as was judged, and nothing if nothing was.
//! So the count is made by judging and in no other way: [`Judging`] counts things that can be judged, each shown to it,
//! and gives a [`Judged`] once there was one.

use std::num::NonZeroU64;

/// How much was judged: observations, windows, messages, tests; at least one.
///
/// It cannot be made from a number:
///
/// ```compile_fail
/// let judged = choros_model::Judged { count: 3.try_into().unwrap() };
/// ```
///
/// nor from things that no one can judge:
///
/// ```compile_fail
/// let mut judging = choros_model::Judging::default();
/// judging.count(&3);
/// ```
///
/// but only by judging:
///
/// ```
/// use choros_model::Judging;
/// use choros_model::observation::Observation;
/// use choros_model::stg::Direction;
///
/// let mut judging = Judging::default();
/// assert!(judging.judged().is_none());
/// judging.count(&Observation::new("ask", "a", "b", Direction::Send));
/// assert_eq!(judging.judged().map(|it| it.count()), Some(1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Judged {
    count: NonZeroU64,
}

impl Judged {
    /// How much.
    pub fn count(self) -> u64 {
        self.count.get()
    }
}

/// Something that happened and can be judged: an observation, a window of a property, a test that was run.
pub trait Judgeable {}

/// Counts what is judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Judging {
    count: u64,
}

impl Judging {
    /// All of these are judged.
    pub fn of<'t, T: Judgeable + 't>(things: impl IntoIterator<Item = &'t T>) -> Judging {
        let mut judging = Judging::default();
        things.into_iter().for_each(|thing| judging.count(thing));
        judging
    }

    /// What an earlier run had judged when it saved its state.
    pub fn resumed(count: u64) -> Judging {
        Judging { count }
    }

    /// One more thing is judged.
    pub fn count(&mut self, _thing: &impl Judgeable) {
        self.count += 1;
    }

    /// What was judged elsewhere is judged.
    pub fn add(&mut self, other: Judging) {
        self.count += other.count;
    }

    /// How much was judged, if anything was.
    pub fn judged(self) -> Option<Judged> {
        NonZeroU64::new(self.count).map(|count| Judged { count })
    }

    /// How many things were judged so far.
    pub fn total(self) -> u64 {
        self.count
    }
}
