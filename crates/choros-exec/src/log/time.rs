//! Times as logs write them, in milliseconds.

use choros_model::observation::{Datum, Number};
use jiff::civil::{DateTime, date};
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;

/// How a log writes times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeForm {
    /// A number of seconds.
    Seconds,
    /// A number of milliseconds.
    #[default]
    Milliseconds,
    /// A number of microseconds.
    Microseconds,
    /// A number of nanoseconds.
    Nanoseconds,
    /// `2013-08-29T15:17:30.128+02:00`.
    Iso,
}

impl TimeForm {
    /// All of them.
    pub const ALL: [TimeForm; 5] = [
        TimeForm::Seconds,
        TimeForm::Milliseconds,
        TimeForm::Microseconds,
        TimeForm::Nanoseconds,
        TimeForm::Iso,
    ];

    /// Its name in mapping files.
    pub fn name(self) -> &'static str {
        match self {
            TimeForm::Seconds => "s",
            TimeForm::Milliseconds => "ms",
            TimeForm::Microseconds => "us",
            TimeForm::Nanoseconds => "ns",
            TimeForm::Iso => "iso",
        }
    }

    /// The form with this name.
    pub fn named(name: &str) -> Option<TimeForm> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// A time in milliseconds, from 1970 to the year 9999.
    ///
    /// Whatever lies outside was written by a broken clock or is not a time at all; one such record would move every
    /// deadline of a monitor.
    pub fn milliseconds(self, value: &Datum<'_>) -> Option<Number> {
        let (times, over) = match self {
            TimeForm::Iso => return moment(value.text()?),
            TimeForm::Seconds => (1000, 1),
            TimeForm::Milliseconds => return in_range(value.number()?),
            TimeForm::Microseconds => (1, 1000),
            TimeForm::Nanoseconds => (1, 1_000_000),
        };
        let number = value.number()?.times(&Number::from(times));
        in_range(number.divided_by(&Number::from(over))?)
    }
}

/// The first millisecond of the year 10000.
const END: i64 = 253_402_300_800_000;

fn in_range(milliseconds: Number) -> Option<Number> {
    let is_in_range = milliseconds >= Number::from(0) && milliseconds < Number::from(END);
    is_in_range.then_some(milliseconds)
}

/// The milliseconds since 1970 of a date and time of ISO 8601; without a zone it is taken as UTC.
pub fn moment(text: &str) -> Option<Number> {
    let pieces = Pieces::parse(text.trim()).ok()?;
    // A place such as `[Europe/Berlin]` would need the tables of time zones.
    if pieces.time_zone_annotation().is_some() {
        return None;
    }
    let offset = pieces.to_numeric_offset().unwrap_or(Offset::UTC);
    since_1970(pieces.date().to_datetime(pieces.time()?), offset)
}

/// The milliseconds since 1970 of `dd/MM/yyyy HH:mm:ss.SSS`, taken as UTC: within one log the zone cancels out.
pub(super) fn day_first(text: &str) -> Option<Number> {
    let read = DateTime::strptime("%d/%m/%Y %H:%M:%S%.f", text.trim()).ok()?;
    since_1970(read, Offset::UTC)
}

/// By differences of civil times: the library's time stamps end a day before its calendar does.
fn since_1970(local: DateTime, offset: Offset) -> Option<Number> {
    let since = local.duration_since(date(1970, 1, 1).at(0, 0, 0, 0));
    let seconds = since.as_secs() - i64::from(offset.seconds());
    let nanoseconds = i64::from(since.subsec_nanos());
    let milliseconds = Number::from(seconds * 1000 + nanoseconds / 1_000_000);
    let rest = nanoseconds % 1_000_000;
    if rest == 0 {
        return in_range(milliseconds);
    }
    let rest = Number::from(rest).divided_by(&Number::from(1_000_000))?;
    in_range(milliseconds.plus(&rest))
}

#[cfg(test)]
mod tests {
    use super::{TimeForm, day_first, moment};
    use choros_model::observation::{Datum, Number};

    #[test]
    fn known_moments() {
        assert_eq!(moment("1970-01-01T00:00:00Z"), Some(Number::from(0)));
        assert_eq!(
            moment("2013-08-29T15:17:30.128+02:00"),
            Some(Number::from(1_377_782_250_128))
        );
        assert_eq!(
            moment("2000-02-29 23:59:59.5"),
            Some(Number::from(951_868_799_500))
        );
        assert_eq!(
            moment("1970-01-01T00:00:00.0000005Z"),
            Number::parse("0.0005").ok()
        );
        assert_eq!(
            day_first("29/08/2013 13:17:30.128"),
            Some(Number::from(1_377_782_250_128))
        );
    }

    #[test]
    fn no_moments() {
        for text in [
            "",
            "2013-08-29",
            "2013-13-01T00:00:00Z",
            "2013-08-29T1:2:3:4",
            "2013-08-29T10:00:00+",
            "é013-08-29T10:00:00",
            "2013-02-31T00:00:00Z",
            "2013-03-03T24:59:60.5e2",
            "2013-03-03T10:00:00+02:00[Europe/Berlin]",
            "1969-12-31T23:59:59Z",
        ] {
            assert_eq!(moment(text), None, "{text}");
        }
        assert_eq!(day_first("1/2/3/4 10:00:00"), None);
        assert_eq!(day_first("31/02/2013 10:00:00"), None);
    }

    #[test]
    fn numbers_outside_the_years_1970_to_9999_are_no_times() {
        let read = |form: TimeForm, text| {
            form.milliseconds(&Datum::Number(Number::parse(text).expect("a number")))
        };
        assert_eq!(
            read(TimeForm::Seconds, "253402300799"),
            Some(Number::from(253_402_300_799_000))
        );
        assert_eq!(
            moment("9999-12-31T23:59:59Z"),
            read(TimeForm::Seconds, "253402300799")
        );
        assert_eq!(read(TimeForm::Seconds, "253402300800"), None);
        assert_eq!(read(TimeForm::Milliseconds, "99999999999999999999"), None);
        assert_eq!(read(TimeForm::Nanoseconds, "-1"), None);
        assert_eq!(
            read(TimeForm::Microseconds, "1"),
            Number::parse("0.001").ok()
        );
    }
}
