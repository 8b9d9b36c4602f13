//! Answers about graphs with open data, for all of them.
//!
//! A proof has claims: sets of states in which a sub-formula is true, or is false.
//! Each set follows from the steps of its states and from other claims, which is one question to the solver; the
//! README says why that is enough.

mod builder;
mod check;
mod fair;
mod graph;
mod knowledge;
mod labels;
mod matching;
mod obligations;
mod paths;
mod proof;
mod rank;
mod reading;
mod rigid;

use choros_base::Names;
use choros_data::{Term, Terms};
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
        graph::OpenGraph::new(stg, asked, names, terms).map(CheckedGraph)
    }

    /// What must be so where a formula about all values of variables is false: for some of them it is.
    pub fn against(
        &'a self,
        asked: AskedFormula<'a>,
        names: &'a Names,
        (parts, condition): (&'a [ForAllPart], Term),
        terms: &mut Terms,
    ) -> Result<Need, Flaw> {
        let (environment, own) = rigid::rigid(asked.formula, &self.0, names, terms)?;
        let mut shown = Vec::new();
        for part in parts {
            let mut obligations = Obligations::new(&self.0, asked, names, part, terms);
            shown.push(obligations.at_start(&environment, false, terms)?);
        }
        Ok(obligations::against(&shown, &own, condition, terms))
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
