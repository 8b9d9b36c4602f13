//! Formats of texts that real services check, and texts that have them.

/// A format of texts, by the names that API descriptions use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Uuid,
    Date,
    DateTime,
    Time,
    Email,
    Uri,
    Hostname,
    Ipv4,
    Ipv6,
}

impl Format {
    pub const ALL: [Format; 9] = [
        Format::Uuid,
        Format::Date,
        Format::DateTime,
        Format::Time,
        Format::Email,
        Format::Uri,
        Format::Hostname,
        Format::Ipv4,
        Format::Ipv6,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Format::Uuid => "uuid",
            Format::Date => "date",
            Format::DateTime => "date-time",
            Format::Time => "time",
            Format::Email => "email",
            Format::Uri => "uri",
            Format::Hostname => "hostname",
            Format::Ipv4 => "ipv4",
            Format::Ipv6 => "ipv6",
        }
    }

    pub fn named(name: &str) -> Option<Format> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// A text of this format; other numbers below ten thousand give others.
    pub fn text(self, number: u64) -> String {
        // A prime that scatters neighbours, so that texts do not look alike.
        let scattered = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let days = number % 10_000;
        let (year, month, day) = (2020 + days / 336, 1 + days / 28 % 12, 1 + days % 28);
        let (hour, minute, second) = (days / 3600 % 24, days / 60 % 60, days % 60);
        match self {
            // Version 4, variant 1, as RFC 9562 has random ones.
            Format::Uuid => format!(
                "{:08x}-{:04x}-4{:03x}-a{:03x}-{number:012x}",
                scattered >> 32,
                scattered >> 16 & 0xffff,
                scattered >> 4 & 0xfff,
                scattered & 0xfff,
                number = number & 0xffff_ffff_ffff
            ),
            Format::Date => format!("{year:04}-{month:02}-{day:02}"),
            Format::DateTime => format!("{year:04}-{month:02}-{day:02}T12:00:00Z"),
            Format::Time => format!("{hour:02}:{minute:02}:{second:02}Z"),
            Format::Email => format!("user{number}@example.com"),
            Format::Uri => format!("https://example.com/{number}"),
            Format::Hostname => format!("host{number}.example.com"),
            Format::Ipv4 => format!("192.0.{}.{}", 2 + number / 250 % 250, 1 + number % 250),
            Format::Ipv6 => format!("2001:db8::{:x}", 1 + number % 0xfffe),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Format;

    #[test]
    fn texts_of_a_format_differ() {
        for format in Format::ALL {
            let texts: BTreeSet<String> = (0..10_000).map(|it| format.text(it)).collect();
            assert_eq!(texts.len(), 10_000, "{}", format.name());
            assert_eq!(Format::named(format.name()), Some(format));
        }
    }

    #[test]
    fn a_uuid_has_its_version_and_variant() {
        let uuid = Format::Uuid.text(u64::MAX);
        let parts: Vec<usize> = uuid.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12]);
        assert_eq!((&uuid[14..15], &uuid[19..20]), ("4", "a"));
    }
}
