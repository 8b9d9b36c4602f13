//! What a judge must be able to do so that a broker can keep its states.

use choros_monitor::WindowVerdict;
use choros_report::SavedMonitor;
use choros_stream::{Fault, Judge, Misfit, PropertyJudge, VersionState};

use super::place::Place;
use super::versions::load_version;
use crate::monitor::saved_state::{restored, saved};

/// A judge whose states a broker keeps.
pub(super) trait KeptJudge: Judge<Verdict = WindowVerdict> {
    /// Verdicts say of each observation where it stands in its log, because they are about several logs.
    const HAS_LINES: bool;

    /// The version of what is judged by.
    fn version(state: &Self::State) -> u32;

    /// A state, as it is kept.
    fn text(state: &Self::State) -> String;

    /// The state that was kept so; in words why it cannot be used.
    fn state(version: u32, text: &str) -> Result<Self::State, String>;

    /// Learns what the watch keeps under a version; whether it is known now.
    fn learn(&mut self, version: u32, place: &Place) -> Result<bool, Fault>;

    /// How many observations it took.
    fn taken(&self) -> u64;

    /// How much waits for its end.
    fn open(&self) -> u64;
}

impl KeptJudge for PropertyJudge {
    const HAS_LINES: bool = false;

    fn version(state: &VersionState) -> u32 {
        state.version
    }

    fn text(state: &VersionState) -> String {
        saved(&state.state, "", &[], 0).to_json()
    }

    fn state(version: u32, text: &str) -> Result<VersionState, String> {
        Ok(VersionState {
            version,
            state: restored(&SavedMonitor::from_json(text)?),
        })
    }

    fn learn(&mut self, version: u32, place: &Place) -> Result<bool, Fault> {
        if self.knows(version) {
            return Ok(true);
        }
        match load_version(place, version) {
            Ok(Ok((properties, terms))) => {
                let learnt = PropertyJudge::learn(self, version, &properties, &terms);
                learnt.map(|()| true).map_err(Fault::Misfit)
            }
            Ok(Err(why)) => Err(Fault::Misfit(Misfit(why))),
            Err(_) => Ok(false),
        }
    }

    fn taken(&self) -> u64 {
        self.monitor().observations()
    }

    fn open(&self) -> u64 {
        self.monitor().open_windows().iter().sum()
    }
}
