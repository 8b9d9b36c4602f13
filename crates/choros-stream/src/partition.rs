//! Which entries must be judged together.

use choros_model::observation::Observation;
use choros_monitor::Config;
use choros_query::property::{Properties, Window};

/// By what observations are divided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartitionKey {
    /// By session: nothing that is judged depends on what is outside it.
    Session,
    /// By the service whose log it is.
    Service {
        /// Why not by session.
        because: String,
    },
}

/// By what observations must be divided, so that each partition gives the verdicts that all of them would give.
pub fn partitioned_by(properties: &Properties, config: &Config) -> PartitionKey {
    if config.slack.is_some_and(|it| it > 0) {
        return PartitionKey::Service {
            because: "what comes late is put in order among all messages of the log".to_owned(),
        };
    }
    if config.related_only {
        return PartitionKey::Service {
            because: "which message of the log is the last one that counts is known only of all"
                .to_owned(),
        };
    }
    for property in &properties.local {
        let because = match property.window {
            Window::Messages(_) if property.per_session => continue,
            Window::Messages(_) => "counts all messages of the log",
            Window::Milliseconds(_) => "ends by the times of all messages of the log",
        };
        return PartitionKey::Service {
            because: format!("the window of `{}` {because}", property.name),
        };
    }
    PartitionKey::Session
}

impl PartitionKey {
    /// What an observation is divided by.
    pub fn of<'o>(&self, seen: &'o Observation<'_>) -> &'o str {
        match self {
            // Those that name none are one session to every property.
            PartitionKey::Session => seen.session.as_deref().unwrap_or_default(),
            PartitionKey::Service { .. } => &seen.by,
        }
    }
}

/// The partition of a key among so many.
///
/// Publishers and workers of different versions must agree, so this never changes: FNV-1a over the bytes, and the upper
/// half of the product with the count.
pub fn partition_of(key: &str, count: u32) -> u32 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in key.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    // The upper bits of FNV-1a change little with the last bytes of a key.
    hash = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((u128::from(hash) * u128::from(count)) >> 64) as u32
}

#[cfg(test)]
mod tests {
    use super::partition_of;

    #[test]
    fn partitions_are_about_equally_large() {
        let mut sizes = [0; 16];
        for number in 0..16_000 {
            sizes[partition_of(&format!("s{number}"), 16) as usize] += 1;
        }
        assert!(sizes.iter().all(|it| (850..1150).contains(it)), "{sizes:?}");
    }

    /// Publishers and workers of all versions must agree; computed apart from this program, by the same definition.
    #[test]
    fn partitions_of_some_keys() {
        let found = ["", "a", "b", "session 7"].map(|it| partition_of(it, 1000));
        assert_eq!(found, [521, 510, 289, 79]);
    }
}
