//! Durations and the unit of time.

use std::fmt;

use choros_xml::document::Element;
use jiff::fmt::temporal::SpanParser;

use super::reader::is_bpel;

/// A length of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration {
    pub milliseconds: u64,
}

impl Duration {
    /// Reads `P…` as ISO 8601 has it; a month is taken to have 30 days, and a year 365.
    pub fn read(text: &str) -> Option<Duration> {
        let text = text.trim();
        // The standard's letters are capitals, and a process cannot wait for less than nothing.
        if !text.starts_with('P') || text.contains(|it: char| it.is_ascii_lowercase()) {
            return None;
        }
        let span = SpanParser::new().parse_span(text).ok()?;
        let days = i64::from(span.get_years()) * 365
            + i64::from(span.get_months()) * 30
            + i64::from(span.get_weeks()) * 7
            + i64::from(span.get_days());
        let seconds = days * 86_400
            + i64::from(span.get_hours()) * 3600
            + span.get_minutes() * 60
            + span.get_seconds();
        let milliseconds = u64::try_from(seconds.checked_mul(1000)? + span.get_milliseconds());
        milliseconds
            .ok()
            .map(|milliseconds| Duration { milliseconds })
    }

    /// How many units it lasts; one that is begun counts.
    pub fn in_units(self, unit: Duration) -> u32 {
        let ticks = self.milliseconds.div_ceil(unit.milliseconds.max(1));
        u32::try_from(ticks).unwrap_or(u32::MAX)
    }
}

impl fmt::Display for Duration {
    /// `2 h`, `90 s`: in the largest unit that needs no fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [
            (24 * 3_600_000, "d"),
            (3_600_000, "h"),
            (60_000, "min"),
            (1000, "s"),
        ];
        for (length, name) in units {
            if self.milliseconds > 0 && self.milliseconds.is_multiple_of(length) {
                return write!(f, "{} {name}", self.milliseconds / length);
            }
        }
        write!(f, "{} ms", self.milliseconds)
    }
}

/// The literal duration that an element holds, in quotes or not.
pub(super) fn literal(text: &str) -> Option<Duration> {
    let text = text.trim();
    let bare = ['\'', '"']
        .into_iter()
        .find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote));
    Duration::read(bare.unwrap_or(text))
}

/// The unit of time of a process: the greatest common divisor of its durations.
///
/// A single duration divides itself and says nothing about how finely time is counted: it is counted in the largest
/// of days, hours, minutes and seconds that divides it, so that two hours are two ticks (as in the thesis' xLoan).
pub(super) fn common_unit(root: Element<'_>) -> Option<Duration> {
    let mut unit: u64 = 0;
    let mut longest: u64 = 0;
    let mut work = vec![root];
    while let Some(element) = work.pop() {
        if is_bpel(element)
            && matches!(element.local(), "for" | "repeatEvery")
            && let Some(duration) = literal(element.text())
        {
            unit = gcd(unit, duration.milliseconds);
            longest = longest.max(duration.milliseconds);
        }
        work.extend(element.children());
    }
    if unit == longest {
        let clock = [86_400_000, 3_600_000, 60_000, 1000, 1];
        let divides = |it: &u64| unit.is_multiple_of(*it);
        unit = clock.into_iter().find(divides).filter(|_| unit > 0)?;
    }
    (unit > 0).then_some(Duration { milliseconds: unit })
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_those_of_iso_8601() {
        let read = |text| Duration::read(text).map(|it| it.milliseconds);
        assert_eq!(read("P0Y0M0DT0H10M0S"), Some(600_000));
        assert_eq!(read("PT2H"), Some(7_200_000));
        assert_eq!(read("PT0.25S"), Some(250));
        assert_eq!(read("P1W"), Some(604_800_000));
        assert_eq!(read("P1Y2M"), Some(425 * 86_400_000));
        for wrong in [
            "",
            "P",
            "PT",
            "2H",
            "PT2",
            "PT5H3D",
            "P1.5D",
            "-PT1H",
            "pt1h",
            "PT99999999999999999999H",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_unit_that_is_begun_counts() {
        let hour = Duration {
            milliseconds: 3_600_000,
        };
        let three = Duration {
            milliseconds: 10_800_000,
        };
        assert_eq!(three.in_units(hour), 3);
        assert_eq!(hour.in_units(three), 1);
        assert_eq!(hour.to_string(), "1 h");
        assert_eq!(gcd(6, 4), 2);
    }
}
