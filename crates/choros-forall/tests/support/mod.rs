//! Asks one formula of one graph.

pub(crate) mod attack;

use choros_base::{Budget, Names, SourceMap};
use choros_certify::{AskedFormula, Flaw, ForAllChecked, ForAllProof, check_for_all};
use choros_data::Terms;
use choros_forall::{Asked, ForAll, answer};
use choros_model::Verdict;
use choros_model::stg::{Stg, read_stg};
use choros_query::abstraction::{Abstraction, StateLabels};
use choros_query::socl::{Actions, Arity, Formula, parse_formula, parse_steps};
use choros_smt::{LazySolver, Limits};

/// A question about a graph, with its solver.
pub(crate) struct Question {
    pub(crate) stg: Stg,
    pub(crate) formula: Formula,
    pub(crate) names: Names,
    pub(crate) terms: Terms,
    fair: Vec<Actions>,
    solver: LazySolver,
}

impl Question {
    #[allow(dead_code, reason = "not every test asks so")]
    pub(crate) fn new(stg: &str, formula: &str) -> Question {
        Question::fairly(stg, formula, &[])
    }

    /// A question about runs that are fair.
    pub(crate) fn fairly(stg: &str, formula: &str, fair: &[&str]) -> Question {
        let mut terms = Terms::new();
        let mut map = SourceMap::new();
        let file = map.add("test.stg", stg);
        let (stg, diagnostics) = read_stg(file, stg, &mut terms);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let mut names = Names::new();
        let file = map.add("formula", formula);
        let formula = match parse_formula(file, formula, &mut names) {
            Ok(formula) => formula,
            Err(found) => panic!("{formula}: {found:?}"),
        };
        let mut assumed = Vec::new();
        for text in fair {
            let file = map.add("fair", *text);
            assumed.push(parse_steps(file, text, &mut names).expect("they are steps"));
        }
        Question {
            stg,
            formula,
            fair: assumed,
            names,
            terms,
            solver: LazySolver::from_environment(Limits::default()),
        }
    }

    /// Bounds what a query of the solver may use.
    #[allow(dead_code, reason = "not every test bounds it")]
    pub(crate) fn limit(&mut self, resources: u64) {
        self.solver = LazySolver::from_environment(Limits {
            resources,
            ..Limits::default()
        });
    }

    pub(crate) fn answer(&mut self) -> ForAll {
        let mut question = Asked {
            formula: &self.formula,
            abstraction: &Abstraction::Identity,
            arity: Arity::Prefix,
            names: &mut self.names,
            fair: &self.fair,
        };
        let budget = Budget::steps(1_000_000);
        let (terms, solver) = (&mut self.terms, &mut self.solver);
        let found = answer(&self.stg, &mut question, terms, solver, &budget);
        found.expect("a solver")
    }

    #[allow(dead_code, reason = "not every test checks proofs")]
    pub(crate) fn check(&mut self, proof: &ForAllProof) -> Result<ForAllChecked, Flaw> {
        let question = AskedFormula {
            formula: &self.formula,
            abstraction: &Abstraction::Identity,
            state_labels: StateLabels::Steps,
            arity: Arity::Prefix,
            fair: &self.fair,
        };
        let budget = Budget::steps(1_000_000);
        let (names, terms, solver) = (&mut self.names, &mut self.terms, &mut self.solver);
        check_for_all(&self.stg, &question, proof, names, terms, solver, &budget).expect("a solver")
    }
}

/// The answer in words, after its certificate was attacked.
#[allow(dead_code, reason = "not every test compares answers")]
pub(crate) fn asked(stg: &str, formula: &str) -> String {
    asked_fairly(stg, formula, &[])
}

/// The answer if only fair runs count.
#[allow(dead_code, reason = "not every test assumes fairness")]
pub(crate) fn asked_fairly(stg: &str, formula: &str, fair: &[&str]) -> String {
    let mut question = Question::fairly(stg, formula, fair);
    let found = question.answer();
    let is_settled = !matches!(found.verdict, Verdict::Unknown(_));
    assert_eq!(found.proof.is_some(), is_settled, "{formula}");
    if let Some(proof) = &found.proof {
        assert_eq!(question.check(proof), Ok(found.checked), "{formula}");
        shows_nothing_else(&mut question, proof);
    }
    match found.verdict {
        Verdict::Holds(_) => "holds".to_owned(),
        Verdict::Fails(_) => "fails".to_owned(),
        Verdict::HoldsIf(condition, _) => format!("if {}", question.terms.print(condition)),
        Verdict::Unknown(unknown) => format!("unknown: {}", unknown.reason),
    }
}

/// However a proof is changed, it shows no other condition.
fn shows_nothing_else(question: &mut Question, proof: &ForAllProof) {
    let others = attack::wrong_conditions(proof.condition, question);
    for (name, damage) in attack::DAMAGES {
        let mut changed = proof.clone();
        if !damage(&mut changed, &mut question.terms) {
            continue;
        }
        for &condition in &others {
            changed.condition = condition;
            let text = question.terms.print(condition);
            assert!(question.check(&changed).is_err(), "{name}, if {text}");
        }
    }
}

/// Asks each formula of its graph, and compares the answers.
#[allow(dead_code, reason = "not every test compares answers")]
pub(crate) fn check(rows: &[(&str, &str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(stg, formula, expected)| {
            let found = asked(stg, formula);
            (found != *expected)
                .then(|| format!("{formula}\n  expected {expected}\n  found {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
