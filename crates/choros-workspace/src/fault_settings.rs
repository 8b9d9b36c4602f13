//! What may go wrong while services run, as people ask for it.

use choros_base::Choice;
use choros_model::faults::{FaultKind, FaultModel};

/// What may go wrong, and what is asked then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultSettings {
    pub choice: FaultChoice,
    /// Whether the roles must also be able to end, whatever has happened.
    pub recovers: bool,
}

/// The faults that are asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultChoice {
    /// These, together.
    These(FaultModel),
    /// Every kind, of every message and role, one after the other.
    Each,
}

/// The word by which all faults are asked for, one after the other.
const EACH: &str = "all";

impl FaultSettings {
    /// Reads `all`, or a fault model.
    pub fn parse(text: &str) -> Result<FaultSettings, String> {
        let choice = if text.trim() == EACH {
            FaultChoice::Each
        } else {
            let model = FaultModel::parse(text).map_err(|mistake| mistake.to_string())?;
            FaultChoice::These(model)
        };
        Ok(FaultSettings {
            choice,
            recovers: false,
        })
    }

    /// The kinds of faults, each with what it means.
    pub fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
        FaultKind::CHOICES
            .iter()
            .map(|(word, _, meaning)| (*word, *meaning))
    }
}
