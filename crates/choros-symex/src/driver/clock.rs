//! Soft time: when a unit of the model's time can have passed, and when it must have.
//!
//! The model counts ticks; a service has a clock that nobody sees.
//! All that is known of a branch is an interval in which it came to its node.
//! A timer that began some time before need not begin anew at that node (the deadline of a scope goes on while its
//! body works), so the first tick there can come at once, and comes at the latest one unit after the branch came;
//! ticks that follow each other are a unit apart.
//! Both bounds contain what a service does whose timer begins at the node, which is the usual case.

/// Microseconds of the tester's clock.
pub type Moment = u64;

/// How the tester's clock and the model's time relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tempo {
    /// Length of a tick.
    pub unit: Moment,
    /// By how much a service may be early or late without being blamed for it.
    pub tolerance: Moment,
    /// How long an answer that is due may take.
    pub answer: Moment,
    /// How long to listen for what must not come, at the end of a test.
    pub quiet: Moment,
}

/// When a branch came to its node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) earliest: Moment,
    pub(crate) latest: Moment,
    /// Whether it came by a tick.
    pub(crate) by_tick: bool,
}

impl Window {
    /// From the very beginning.
    pub(crate) const START: Window = Window {
        earliest: 0,
        latest: 0,
        by_tick: false,
    };

    /// After the tick that follows, as far as it can have happened until now.
    pub(crate) fn after_tick(self, now: Moment, tempo: Tempo) -> Option<Window> {
        let earliest = match self.by_tick {
            true => self.earliest + tempo.unit,
            false => self.earliest,
        };
        let latest = (self.latest + tempo.unit).min(now + tempo.tolerance);
        (earliest <= now + tempo.tolerance).then_some(Window {
            earliest,
            latest: latest.max(earliest),
            by_tick: true,
        })
    }

    /// After a step that takes no time of its own.
    pub(crate) fn after_step(self) -> Window {
        Window {
            by_tick: false,
            ..self
        }
    }

    /// After a step whose moment nobody knows: an answer of a partner that the tester does not play.
    pub(crate) fn after_wait(self, now: Moment) -> Window {
        Window {
            latest: self.latest.max(now),
            by_tick: false,
            ..self
        }
    }

    /// After the reception of what was sent at that moment.
    pub(crate) fn after_input(self, sent: Moment, tempo: Tempo) -> Window {
        Window {
            earliest: self.earliest.max(sent),
            latest: self.latest.max(sent + tempo.tolerance),
            by_tick: false,
        }
    }

    /// Whether the next tick must have happened.
    pub(crate) fn is_overdue(self, now: Moment, tempo: Tempo) -> bool {
        now > self.latest + tempo.unit + tempo.tolerance
    }

    /// The smallest window that contains both.
    pub(crate) fn hull(self, other: Window) -> Window {
        Window {
            earliest: self.earliest.min(other.earliest),
            latest: self.latest.max(other.latest),
            // A tick that does not wait for a unit can come earlier: the weaker of the two.
            by_tick: self.by_tick && other.by_tick,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPO: Tempo = Tempo {
        unit: 1_000,
        tolerance: 100,
        answer: 5_000,
        quiet: 100,
    };

    #[test]
    fn two_ticks_after_a_message() {
        let entered = Window::START.after_input(10_000, TEMPO);
        // A timer that went on from before may tick at once.
        let once = entered.after_tick(10_000, TEMPO).expect("possible");
        assert_eq!(once.after_tick(10_500, TEMPO), None);
        assert!(once.after_tick(11_000, TEMPO).is_some());
        // One that begins with the message has ticked after a unit and its tolerance, and not before.
        assert!(!entered.is_overdue(11_200, TEMPO));
        assert!(entered.is_overdue(11_201, TEMPO));
    }

    #[test]
    fn a_hull_allows_what_either_allows() {
        let early = Window {
            earliest: 5,
            latest: 10,
            by_tick: true,
        };
        let late = Window {
            earliest: 7,
            latest: 20,
            by_tick: false,
        };
        let both = early.hull(late);
        assert_eq!((both.earliest, both.latest, both.by_tick), (5, 20, false));
    }
}
