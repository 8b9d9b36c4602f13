//! Which names in logs are which roles.

use std::collections::{BTreeMap, BTreeSet};

use crate::Vocabulary;

use super::SampledLog;
use super::words::likeness;

/// The names in logs, and the roles they stand for.
#[derive(Debug, Clone, Default)]
pub(super) struct Roles {
    pub(super) known: BTreeMap<String, RoleMatch>,
    /// Names that stand for no role as far as anyone can tell, and how often they occur.
    pub(super) unknown: BTreeMap<String, u64>,
}

/// Why a name stands for a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RoleMatch {
    pub(super) role: String,
    pub(super) count: u64,
    pub(super) how: &'static str,
}

impl Roles {
    /// Compares the names in logs with those of the roles.
    pub(super) fn find(vocabulary: &Vocabulary, logs: &[SampledLog]) -> Roles {
        let mut names: BTreeMap<String, u64> = BTreeMap::new();
        for record in logs.iter().flat_map(|log| &log.records) {
            let it = &record.envelope;
            let distinct: BTreeSet<&String> =
                [&it.by, &it.from, &it.to].into_iter().flatten().collect();
            for name in distinct {
                *names.entry(name.clone()).or_default() += 1;
            }
        }
        let mut roles = Roles::default();
        for (name, count) in names {
            let mut best: Vec<(u32, &String)> = vocabulary
                .roles
                .iter()
                .map(|role| (likeness(role, &name), role))
                .filter(|(points, _)| *points >= 40)
                .collect();
            best.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
            match best[..] {
                [(points, role)] => roles.put(name, role, count, how(points)),
                [(points, role), (second, _), ..] if points > second => {
                    roles.put(name, role, count, how(points));
                }
                _ => {
                    roles.unknown.insert(name, count);
                }
            }
        }
        roles
    }

    fn put(&mut self, name: String, role: &str, count: u64, how: &'static str) {
        let role = role.to_owned();
        self.known.insert(name, RoleMatch { role, count, how });
    }

    pub(super) fn role(&self, name: &str) -> Option<String> {
        self.known.get(name).map(|it| it.role.clone())
    }

    /// A name is the role whose messages it alone sends and receives.
    pub(super) fn infer(&mut self, name: &str, role: &str) {
        if let Some(count) = self.unknown.remove(name) {
            self.put(
                name.to_owned(),
                role,
                count,
                "by the messages it takes part in",
            );
        }
    }
}

fn how(points: u32) -> &'static str {
    if points == 100 {
        "by its name"
    } else {
        "by a part of its name"
    }
}
