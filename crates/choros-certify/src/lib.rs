#![doc = include_str!("../README.md")]

mod attack;
mod conformance;
mod flaw;
mod for_all;
mod judgements;
mod machines;
mod paths;
mod realization;
mod relation;
mod sides;
mod words;

pub use attack::{
    Attack, AttackPosition, AttackReply, Challenge, PossibleReply, answers, check_attack, steps,
};
pub use conformance::{ConformanceProof, check_conformance};
pub use flaw::{Flaw, Undecided, bound_of, verdict};
pub use for_all::{
    CheckedGraph, ClaimedSet, Duty, ForAllChecked, ForAllPart, ForAllProof, Given, Helpful, Need,
    Obligations, OpenWay, RankPart, SetClaim, SetObligation, Stage, Witness, check_for_all,
};
pub use judgements::{AskedFormula, Judgement, Judgements, check_judgements};
pub use machines::{JointState, MachineClaim, MachineProof, Machines, WaitingForever};
pub use paths::{ChoiceNames, MAX_SILENT, PathSteps, PathValues, Paths, SilentPath, silent_paths};
pub use realization::{
    AssembledProjections, Obligation, RealizationProof, ValuedRun, check_realization,
};
pub use relation::{Certificate, RelatedPair, RelationClaim, budget_of, check_certificate};
pub use sides::{Sides, sides};
pub use words::{WordProof, Words, check_words};
