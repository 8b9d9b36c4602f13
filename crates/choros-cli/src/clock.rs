//! The current time.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// The time in UTC, as `2013-10-31 15:17:30 UTC`.
pub(crate) fn now() -> String {
    Timestamp::now()
        .strftime("%Y-%m-%d %H:%M:%S UTC")
        .to_string()
}

/// The day in UTC.
pub(crate) fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}
