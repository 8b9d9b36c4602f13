//! Times as logs write them, in milliseconds.

use choros_model::observation::{Datum, Number};

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

    /// A time in milliseconds.
    pub fn milliseconds(self, value: &Datum<'_>) -> Option<Number> {
        let (times, over) = match self {
            TimeForm::Iso => return moment(value.text()?),
            TimeForm::Seconds => (1000, 1),
            TimeForm::Milliseconds => return value.number(),
            TimeForm::Microseconds => (1, 1000),
            TimeForm::Nanoseconds => (1, 1_000_000),
        };
        value
            .number()?
            .times(&Number::from(times))
            .over(&Number::from(over))
    }
}

/// The milliseconds since 1970 of a date and time of ISO 8601; without a zone it is taken as UTC.
pub fn moment(text: &str) -> Option<Number> {
    let text = text.trim();
    let (date, rest) = text.split_at_checked(10)?;
    let time = rest.strip_prefix(['T', 't', ' '])?;
    let zone_at = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let (time, zone) = time.split_at_checked(zone_at)?;
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let offset = match zone {
        "" | "Z" | "z" => 0,
        _ => {
            let (hours, minutes) = match zone[1..].split_once(':') {
                Some(parts) => parts,
                None => zone.get(1..)?.split_at_checked(2)?,
            };
            let minutes = two(hours)? * 60 + if minutes.is_empty() { 0 } else { two(minutes)? };
            if zone.starts_with('-') {
                -minutes
            } else {
                minutes
            }
        }
    };
    let days = days(year.parse().ok()?, two(month)?, two(day)?)?;
    let (clock, fraction) = clock(time)?;
    Some(Number::from((days * 86_400 + clock - offset * 60) * 1000).plus(&fraction))
}

/// The milliseconds since 1970 of `dd/MM/yyyy HH:mm:ss.SSS`, taken as UTC: within one log the zone cancels out.
pub(super) fn day_first(text: &str) -> Option<Number> {
    let (date, time) = text.trim().split_once(' ')?;
    let mut parts = date.split('/');
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let days = days(year.parse().ok()?, two(month)?, two(day)?)?;
    let (clock, fraction) = clock(time.trim())?;
    Some(Number::from((days * 86_400 + clock) * 1000).plus(&fraction))
}

/// `HH:mm:ss` in seconds, and its fraction in milliseconds.
fn clock(text: &str) -> Option<(i64, Number)> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let mut parts = whole.split(':');
    let (hour, minute) = (two(parts.next()?)?, two(parts.next()?)?);
    let second = parts.next().map_or(Some(0), two)?;
    if parts.next().is_some() || hour > 24 || minute > 59 || second > 60 {
        return None;
    }
    let fraction = Number::parse(&format!("0.{fraction}")).ok()?;
    Some((
        hour * 3600 + minute * 60 + second,
        fraction.times(&Number::from(1000)),
    ))
}

fn two(text: &str) -> Option<i64> {
    let is_number = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// Days since 1970, by counting in years that begin in March.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let shifted_year = if month <= 2 { year - 1 } else { year };
    let shifted_month = (month + 9) % 12;
    let day_of_year = (153 * shifted_month + 2) / 5 + day - 1;
    let leap_days = shifted_year / 4 - shifted_year / 100 + shifted_year / 400;
    Some(shifted_year * 365 + leap_days + day_of_year - 719_468)
}

#[cfg(test)]
mod tests {
    use super::{day_first, moment};
    use choros_model::observation::Number;

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
        ] {
            assert_eq!(moment(text), None, "{text}");
        }
        assert_eq!(day_first("1/2/3/4 10:00:00"), None);
    }
}
