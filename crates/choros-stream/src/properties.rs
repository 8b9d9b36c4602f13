//! Properties as what judges a partition.

use std::collections::BTreeMap;

use choros_data::Terms;
use choros_monitor::{Config, Monitor, State, WindowVerdict};
use choros_query::property::Properties;

use crate::entry::{Content, Entry};
use crate::judge::{Judge, Misfit};
use crate::verdict::{Told, VerdictId};

/// Properties in all versions that a stream may name.
#[derive(Debug, Clone)]
pub struct Versions {
    incarnation: String,
    config: Config,
    /// Of each version a monitor that has seen nothing, and the names of its properties.
    versions: BTreeMap<u32, (Monitor, Vec<String>)>,
    first: u32,
}

impl Versions {
    /// The version with which a stream begins.
    pub fn new(
        incarnation: &str,
        (first, properties): (u32, &Properties),
        terms: &Terms,
        config: Config,
    ) -> Result<Versions, Misfit> {
        let mut versions = Versions {
            incarnation: incarnation.to_owned(),
            config,
            versions: BTreeMap::new(),
            first,
        };
        versions.add(first, properties, terms)?;
        Ok(versions)
    }

    /// A version that comes later.
    pub fn add(
        &mut self,
        version: u32,
        properties: &Properties,
        terms: &Terms,
    ) -> Result<(), Misfit> {
        let monitor = Monitor::new(properties, terms, self.config.clone());
        let monitor = monitor.map_err(|unusable| Misfit(unusable.0))?;
        let names = properties.local.iter().map(|it| it.name.clone());
        self.versions.insert(version, (monitor, names.collect()));
        Ok(())
    }

    fn fresh(&self, version: u32) -> Result<(Monitor, Vec<String>), Misfit> {
        let known = self.versions.get(&version).cloned();
        known.ok_or_else(|| Misfit(format!("version {version} of the properties is not known")))
    }
}

/// Watches one partition.
#[derive(Debug, Clone)]
pub struct PropertyJudge {
    versions: Versions,
    version: u32,
    monitor: Monitor,
    names: Vec<String>,
}

/// What a judge of properties remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionState {
    pub version: u32,
    pub state: State,
}

impl PropertyJudge {
    pub fn new(versions: Versions) -> Result<PropertyJudge, Misfit> {
        let (monitor, names) = versions.fresh(versions.first)?;
        Ok(PropertyJudge {
            version: versions.first,
            monitor,
            names,
            versions,
        })
    }

    /// The monitor of the version that is watched now.
    pub fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// Whether the properties of a version are known.
    pub fn knows(&self, version: u32) -> bool {
        self.versions.versions.contains_key(&version)
    }

    /// The properties of a version that comes later.
    pub fn learn(
        &mut self,
        version: u32,
        properties: &Properties,
        terms: &Terms,
    ) -> Result<(), Misfit> {
        self.versions.add(version, properties, terms)
    }

    fn tell(&self, verdicts: &mut Vec<Told<WindowVerdict>>) {
        let told = self.monitor.verdicts().iter().map(|verdict| Told {
            id: VerdictId {
                incarnation: self.versions.incarnation.clone(),
                version: self.version,
                property: self.names[verdict.property].clone(),
                session: verdict.key.as_deref().unwrap_or_default().to_owned(),
                service: verdict.service.to_string(),
                opened: verdict.opened.line,
            },
            verdict: verdict.clone(),
        });
        verdicts.extend(told);
    }
}

impl Judge for PropertyJudge {
    type State = VersionState;
    type Verdict = WindowVerdict;

    /// Windows that are open when another version begins are told of as inconclusive, under the old one.
    fn take(
        &mut self,
        entry: &Entry,
        verdicts: &mut Vec<Told<WindowVerdict>>,
    ) -> Result<(), Misfit> {
        match &entry.content {
            Content::Seen(all) => {
                for seen in all {
                    self.monitor.observe(seen);
                    self.tell(verdicts);
                }
            }
            Content::Tick(now) => {
                self.monitor.tick(now);
                self.tell(verdicts);
            }
            Content::Change(version) => {
                let (monitor, names) = self.versions.fresh(*version)?;
                self.monitor.finish();
                self.tell(verdicts);
                (self.version, self.monitor, self.names) = (*version, monitor, names);
            }
            Content::End(logs) => {
                self.monitor.finish();
                let before = verdicts.len();
                self.tell(verdicts);
                for told in &mut verdicts[before..] {
                    // What ends a window is the end of the log, and not of a part of it.
                    let mut logs = logs.iter();
                    if let Some((_, last)) = logs.find(|(it, _)| **it == *told.verdict.service) {
                        told.verdict.decided.clone_from(last);
                    }
                }
            }
        }
        Ok(())
    }

    fn save(&self) -> VersionState {
        VersionState {
            version: self.version,
            state: self.monitor.save(),
        }
    }

    fn restore(&mut self, state: Option<&VersionState>) -> Result<(), Misfit> {
        self.version = state.map_or(self.versions.first, |it| it.version);
        (self.monitor, self.names) = self.versions.fresh(self.version)?;
        match state {
            None => Ok(()),
            Some(state) => {
                let restored = self.monitor.restore(&state.state);
                restored.map_err(|_| Misfit("the state is of other properties".to_owned()))
            }
        }
    }
}
