//! Soft time: when a unit of the model's time can have passed, and when it must have.
//!
//! The model counts ticks; a service has a clock that no one sees.
//! All that is known of a branch is an interval in which it came to its node, and a moment before which no timer can
//! tick: a unit after the first moment at which a timer that still runs can have begun, or after the last tick.
//! A timer continues while a scope works, so it may have begun before the branch came to its node; but it cannot have
//! begun before the last node in which time could pass and no tick is drawn, for where a timer runs and time can pass,
//! there is a tick.

/// Microseconds of the tester's clock.
pub type Moment = u64;

/// How the tester's clock and the model's time relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// Length of a tick.
    pub unit: Moment,
    /// By how much a service may be early or late without being blamed for it.
    pub tolerance: Moment,
    /// How long an answer that is due may take.
    pub answer: Moment,
    /// How long to listen for what must not come, at the end of a test.
    pub quiet: Moment,
}

/// When a branch came to its node, and when it may tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) earliest: Moment,
    pub(crate) latest: Moment,
    /// No tick comes before.
    pub(crate) floor: Moment,
}

/// Whether a timer that runs in a node may still run in the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timers {
    /// It may: the node ticks, or no time passes in it.
    GoOn,
    /// None runs there.
    Begin,
}

impl Window {
    /// At the beginning.
    pub(crate) fn start(now: Moment, tempo: Timing) -> Window {
        Window {
            earliest: now,
            latest: now,
            floor: now + tempo.unit,
        }
    }

    /// After the tick that follows, as far as it can have happened until now.
    pub(crate) fn after_tick(self, now: Moment, tempo: Timing) -> Option<Window> {
        if self.floor > now + tempo.tolerance {
            return None;
        }
        let earliest = self
            .earliest
            .max(self.floor.saturating_sub(tempo.tolerance));
        let latest = (self.latest + tempo.unit).min(now + tempo.tolerance);
        Some(Window {
            earliest,
            latest: latest.max(earliest),
            floor: self.floor + tempo.unit,
        })
    }

    /// After a step that takes no time of its own.
    pub(crate) fn after_step(self, timers: Timers, tempo: Timing) -> Window {
        self.moved(self.earliest, self.latest, timers, tempo)
    }

    /// After a step whose moment no one knows: an answer of a partner that the tester does not play.
    pub(crate) fn after_wait(self, now: Moment, timers: Timers, tempo: Timing) -> Window {
        self.moved(self.earliest, self.latest.max(now), timers, tempo)
    }

    /// After the reception of what was sent at that moment and was there by that other.
    pub(crate) fn after_input(
        self,
        sent: Moment,
        there_by: Moment,
        timers: Timers,
        tempo: Timing,
    ) -> Window {
        let (earliest, latest) = (self.earliest.max(sent), self.latest.max(there_by));
        self.moved(earliest, latest, timers, tempo)
    }

    fn moved(self, earliest: Moment, latest: Moment, timers: Timers, tempo: Timing) -> Window {
        Window {
            earliest,
            latest,
            floor: match timers {
                // A timer may begin here, too, and after a tick that was early it begins early.
                Timers::GoOn => self.floor.min(earliest + tempo.unit),
                Timers::Begin => earliest + tempo.unit,
            },
        }
    }

    /// Whether the next tick must have happened.
    pub(crate) fn is_overdue(self, now: Moment, tempo: Timing) -> bool {
        now > self.latest + tempo.unit + tempo.tolerance
    }

    /// The smallest window that contains both.
    pub(crate) fn hull(self, other: Window) -> Window {
        Window {
            earliest: self.earliest.min(other.earliest),
            latest: self.latest.max(other.latest),
            floor: self.floor.min(other.floor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPO: Timing = Timing {
        unit: 1_000,
        tolerance: 100,
        answer: 5_000,
        quiet: 100,
    };

    #[test]
    fn two_ticks_after_a_message() {
        let entered = Window::start(0, TEMPO).after_input(10_000, 10_100, Timers::Begin, TEMPO);
        assert_eq!(entered.after_tick(10_800, TEMPO), None);
        let once = entered.after_tick(10_900, TEMPO).expect("within tolerance");
        assert_eq!(once.after_tick(11_500, TEMPO), None);
        assert!(once.after_tick(12_000, TEMPO).is_some());
        assert!(!entered.is_overdue(11_200, TEMPO));
        assert!(entered.is_overdue(11_201, TEMPO));
    }

    #[test]
    fn a_timer_that_runs_is_not_wound_up_by_a_message() {
        let entered = Window::start(0, TEMPO).after_input(10_000, 10_100, Timers::Begin, TEMPO);
        let again = entered.after_input(10_600, 10_700, Timers::GoOn, TEMPO);
        assert!(again.after_tick(11_000, TEMPO).is_some());
        let anew = entered.after_input(10_600, 10_700, Timers::Begin, TEMPO);
        assert_eq!(anew.after_tick(11_000, TEMPO), None);
    }

    #[test]
    fn a_timer_may_begin_right_after_a_tick_that_was_early() {
        let entered = Window::start(0, TEMPO).after_input(10_000, 10_100, Timers::Begin, TEMPO);
        let early = entered.after_tick(10_900, TEMPO).expect("within tolerance");
        let anew = early.after_step(Timers::GoOn, TEMPO);
        assert_eq!(anew.after_tick(11_799, TEMPO), None);
        assert!(anew.after_tick(11_800, TEMPO).is_some());
    }

    #[test]
    fn a_hull_allows_what_either_allows() {
        let early = Window {
            earliest: 5,
            latest: 10,
            floor: 30,
        };
        let late = Window {
            earliest: 7,
            latest: 20,
            floor: 25,
        };
        let both = early.hull(late);
        assert_eq!((both.earliest, both.latest, both.floor), (5, 20, 25));
    }
}
