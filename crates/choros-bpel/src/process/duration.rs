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

/// A time that an expression gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Time {
    /// So long from now; less than nothing is nothing.
    After(Duration),
    /// Some time that is not known.
    Unknown,
    /// It is not a time.
    Invalid,
}

/// What no run can be before: a deadline of an earlier time has passed.
const BEFORE_ALL_RUNS: jiff::civil::Date = jiff::civil::date(2025, 1, 1);

impl Time {
    const NONE: Time = Time::After(Duration { milliseconds: 0 });

    /// What a text says as a duration, or as a deadline.
    pub(super) fn of(text: &str, is_deadline: bool) -> Time {
        let text = text.trim();
        if is_deadline {
            return match date_of(text) {
                Some(date) if date < BEFORE_ALL_RUNS => Time::NONE,
                Some(_) => Time::Unknown,
                None => Time::Invalid,
            };
        }
        let negative = text.strip_prefix('-').and_then(Duration::read);
        match (Duration::read(text), negative) {
            (Some(length), _) => Time::After(length),
            (None, Some(_)) => Time::NONE,
            _ => Time::Invalid,
        }
    }
}

/// The day of a date or a date with a time.
fn date_of(text: &str) -> Option<jiff::civil::Date> {
    let day = text.get(..10)?;
    let rest = &text[10..];
    let (time, zone) = match rest.strip_prefix('T') {
        Some(rest) => rest.split_at(rest.find(['Z', '+', '-']).unwrap_or(rest.len())),
        None => ("00:00", rest),
    };
    let is_zone = match zone.as_bytes() {
        [] | [b'Z'] => true,
        [_, a, b, b':', c, d] => [a, b, c, d].iter().all(|it| it.is_ascii_digit()),
        _ => false,
    };
    // A day may end at 24:00:00.
    let time = if time == "24:00:00" { "00:00:00" } else { time };
    let is_time = time.len() >= 5 && time.parse::<jiff::civil::Time>().is_ok();
    let day = day.parse().ok().filter(|_| day.as_bytes()[4] == b'-');
    day.filter(|_| is_zone && is_time)
}

/// A text without the quotes around it.
pub(super) fn quoted(text: &str) -> Option<&str> {
    let text = text.trim();
    let quotes = ['\'', '"'].into_iter();
    let mut found = quotes.filter_map(|it| {
        text.strip_prefix(it)?
            .strip_suffix(it)
            .map(|inside| (it, inside))
    });
    found
        .find(|(quote, inside)| !inside.contains(*quote))
        .map(|it| it.1)
}

/// The literal duration that an element holds, in quotes or not.
pub(super) fn literal(text: &str) -> Option<Duration> {
    Duration::read(quoted(text).unwrap_or(text))
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
    fn times_are_durations_or_deadlines() {
        let length = |it: &str| Time::of(it, false);
        assert_eq!(length("-PT1H"), Time::NONE);
        assert_eq!(length("PT1S"), Time::After(Duration { milliseconds: 1000 }));
        assert_eq!(length("--PT1H"), Time::Invalid);
        assert_eq!(length("5"), Time::Invalid);
        let deadline = |it: &str| Time::of(it, true);
        for past in [
            "2002-12-24T18:00:00+01:00",
            "2002-12-24T18:00+01:00",
            "2002-12-24",
            "1999-01-01Z",
            "2002-12-24T24:00:00",
        ] {
            assert_eq!(deadline(past), Time::NONE, "{past}");
        }
        assert_eq!(deadline("2999-01-01T00:00:00.5Z"), Time::Unknown);
        for wrong in [
            "",
            "PT1H",
            "tomorrow",
            "2002-13-01",
            "20021224",
            "2002-12-24T",
            "2002-12-24T18:00:00+1",
            "2002-12-24x",
            "2002-12-2ä",
        ] {
            assert_eq!(deadline(wrong), Time::Invalid, "{wrong}");
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
