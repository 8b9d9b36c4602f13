//! Answers for all data that were found before.
//!
//! The key is the digest of the question: the graph, the formula, the rules, the bounds and the version.
//! What is kept is the proof of a *holds*, and it is checked before it counts.

use choros_base::{Budget, Names};
use choros_certify::{AskedFormula, check_for_all};
use choros_data::{Term, Terms};
use choros_forall::ForAll;
use choros_model::Verdict;
use choros_model::stg::{Stg, write_stg};
use choros_query::abstraction::Abstraction;
use choros_report::{SavedForAll, SavedProof, sha256};
use choros_smt::Solver;
use choros_workspace::Settings;

/// A question about a graph.
pub(crate) struct KeptQuestion<'a> {
    pub(crate) stg: &'a Stg,
    pub(crate) asked: AskedFormula<'a>,
    pub(crate) settings: &'a Settings,
}

/// What the store has.
pub(crate) enum Kept {
    Nothing,
    /// A *holds*, checked.
    Proved(Box<ForAll>),
    /// Something else, and why it does not count.
    Wrong(String),
}

impl KeptQuestion<'_> {
    pub(crate) fn key(&self, names: &Names, terms: &Terms) -> String {
        let rules: Vec<String> = match self.asked.abstraction {
            Abstraction::Identity => vec!["identity".to_owned()],
            Abstraction::Rules(rules) => rules.iter().map(|it| it.print(names)).collect(),
        };
        let fair = self.asked.fair.iter().map(|it| it.print(names));
        let fair: Vec<String> = fair.collect();
        let text = format!(
            "verify {} {} {} {:?}\n{}\nfair {}\n{}\n{}",
            env!("CARGO_PKG_VERSION"),
            self.settings.max_states,
            self.settings.solver_budget,
            self.asked.arity,
            self.asked.formula.print(names),
            fair.join(", "),
            rules.join("\n"),
            write_stg(self.stg, terms),
        );
        sha256(&text)
    }

    /// The answer under a key, if its proof is right.
    pub(crate) fn recall(
        &self,
        key: &str,
        names: &mut Names,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Kept {
        let Some(text) = self.settings.cache.as_ref().and_then(|it| it.get(key)) else {
            return Kept::Nothing;
        };
        let (stg, formula) = (self.stg, self.asked.formula);
        let saved = match SavedProof::of_json(&text) {
            Ok(saved) => saved,
            Err(reason) => return Kept::Wrong(reason),
        };
        let proof = match saved.all_data(stg, 1, terms) {
            Ok([saved]) => saved.read(stg, formula, names, terms),
            Ok(_) => return Kept::Wrong("it is about several formulas".to_owned()),
            Err(mistake) => Err(mistake),
        };
        let proof = match proof {
            Ok(proof) if proof.condition == Term::TRUE => proof,
            Ok(_) => return Kept::Wrong("it claims something else".to_owned()),
            Err(mistake) => return Kept::Wrong(mistake.to_string()),
        };
        match check_for_all(stg, &self.asked, &proof, names, terms, solver, budget) {
            Ok(Ok(checked)) => {
                let found = ForAll::proved(stg, formula, names, proof, checked);
                Kept::Proved(Box::new(found))
            }
            Ok(Err(_)) => Kept::Wrong("it does not show what it claims".to_owned()),
            Err(error) => Kept::Wrong(error.to_string()),
        }
    }

    /// Keeps an answer, where it is one that can be taken again as it is; says what went wrong.
    pub(crate) fn keep(
        &self,
        key: &str,
        found: &ForAll,
        names: &Names,
        terms: &Terms,
    ) -> Result<(), String> {
        let (Some(cache), Verdict::Holds(_), Some(proof)) =
            (&self.settings.cache, &found.verdict, &found.proof)
        else {
            return Ok(());
        };
        // A warning that a part matches nothing, or that the model has no such name, is not in a proof.
        let formula = self.asked.formula;
        let unknown = match (self.asked.abstraction, &found.alphabet) {
            (Abstraction::Identity, Some(alphabet)) => alphabet.warnings(formula, names),
            _ => Vec::new(),
        };
        if !found.vacuous.is_empty() || !unknown.is_empty() {
            return Ok(());
        }
        let saved = SavedForAll::of(formula, proof, names, terms);
        let saved = SavedProof::of_all_data(self.stg, vec![saved], terms);
        cache.put(key, &saved.to_json())
    }
}
