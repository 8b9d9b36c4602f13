#![doc = include_str!("../README.md")]

mod attack;
mod conformance;
mod flaw;
mod judgements;
mod machines;
mod paths;
mod realization;
mod relation;
mod sides;
mod words;

pub use attack::{Attack, Challenge, Position, Possible, Reply, answers, check_attack, steps};
pub use conformance::{ConformanceProof, check_conformance};
pub use flaw::{Flaw, Undecided, bound_of, verdict};
pub use judgements::{AskedFormula, Judgement, Judgements, check_judgements};
pub use machines::{Joint, MachineClaim, MachineProof, Machines, Waits};
pub use paths::{ChoiceNames, MAX_SILENT, Path, Paths, Values, Way, silent_paths};
pub use realization::{Assembled, Expectation, RealizationProof, ValuedRun, check_realization};
pub use relation::{Certificate, Claim, RelatedPair, budget_of, check_certificate};
pub use sides::{Sides, sides};
pub use words::{WordProof, Words, check_words};
