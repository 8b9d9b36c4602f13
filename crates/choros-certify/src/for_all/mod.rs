//! Answers about graphs with open data, for all of them.
//!
//! A proof has claims: sets of states in which a sub-formula is true, or is false.
//! Each set follows from the steps of its states and from other claims, which is one question to the solver; the
//! README says why that is enough.

mod builder;
mod check;
mod fair;
mod graph;
mod labels;
mod matching;
mod obligations;
mod paths;
mod proof;
mod rank;
mod reading;

use choros_base::Names;
use choros_data::Terms;
use choros_model::stg::Stg;

pub use builder::{Duty, Need, OpenWay, SetObligation};
pub use check::{ForAllChecked, check_for_all};
pub use obligations::Obligations;
pub use proof::{
    ClaimedSet, ForAllPart, ForAllProof, Given, Helpful, RankPart, SetClaim, Stage, Witness,
};

use crate::flaw::Flaw;
use crate::judgements::AskedFormula;

/// A graph as the checker reads it, for those who look for witnesses.
pub struct CheckedGraph<'a>(graph::OpenGraph<'a>);

impl<'a> CheckedGraph<'a> {
    pub fn new(
        stg: &'a Stg,
        asked: &AskedFormula<'_>,
        names: &mut Names,
        terms: &mut Terms,
    ) -> Result<CheckedGraph<'a>, Flaw> {
        graph::OpenGraph::new(stg, asked.abstraction, names, terms).map(CheckedGraph)
    }

    /// The obligations of claims about it.
    pub fn obligations(
        &'a self,
        asked: AskedFormula<'a>,
        names: &'a Names,
        part: &'a ForAllPart,
        terms: &mut Terms,
    ) -> Obligations<'a> {
        Obligations::new(&self.0, asked, names, part, terms)
    }
}
