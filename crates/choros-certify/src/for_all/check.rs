//! Asks the solver for each obligation.

use choros_base::{Budget, Names};
use choros_data::{Quantifier, Sort, Term, Terms, Var};
use choros_model::stg::Stg;
use choros_query::socl::{NodeKind, Variable};
use choros_smt::{Satisfiability, Solver, SolverError};
use rustc_hash::FxHashSet;

use super::builder::{Duty, OpenWay, SetObligation};
use super::fair;
use super::graph::{OpenGraph, Values};
use super::obligations::{Obligations, against};
use super::paths::{Paths, needs_rank};
use super::proof::{ForAllPart, ForAllProof, Given, RankPart, SetClaim, Witness};
use super::rigid::rigid;
use crate::flaw::Flaw;
use crate::judgements::AskedFormula;
use crate::relation::budget_of;

/// How much was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ForAllChecked {
    /// What had to be so: one for each set, each assumption about a step, and the claim.
    pub obligations: u64,
    /// Those that the solver was asked about; the others are plain.
    pub questions: u64,
    /// Choices of steps for which the solver had to find that some value exists.
    pub for_some_value: u64,
}

/// Why a check ends early.
enum Ended {
    Flaw(Flaw),
    Solver(SolverError),
}

impl From<Flaw> for Ended {
    fn from(flaw: Flaw) -> Ended {
        Ended::Flaw(flaw)
    }
}

impl From<SolverError> for Ended {
    fn from(error: SolverError) -> Ended {
        Ended::Solver(error)
    }
}

/// Checks that a formula holds of a graph exactly under the condition of a proof.
pub fn check_for_all(
    stg: &Stg,
    asked: &AskedFormula<'_>,
    proof: &ForAllProof,
    names: &mut Names,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Result<ForAllChecked, Flaw>, SolverError> {
    match checked(stg, asked, proof, names, (terms, solver, budget)) {
        Ok(checked) => Ok(Ok(checked)),
        Err(Ended::Flaw(flaw)) => Ok(Err(flaw)),
        Err(Ended::Solver(error)) => Err(error),
    }
}

fn checked(
    stg: &Stg,
    asked: &AskedFormula<'_>,
    proof: &ForAllProof,
    names: &mut Names,
    (terms, solver, budget): (&mut Terms, &mut dyn Solver, &Budget),
) -> Result<ForAllChecked, Ended> {
    are_conditions(proof, terms)?;
    let graph = OpenGraph::new(stg, asked, names, terms)?;
    let parameters = stg.parameters(terms);
    let free = terms.free_variables(proof.condition);
    if !free.iter().all(|it| parameters.contains(it)) {
        return Err(Flaw::wrong("the condition is not about the parameters alone").into());
    }
    let sets: usize = proof
        .parts
        .iter()
        .flat_map(|part| &part.claims)
        .flat_map(|claim| &claim.stages)
        .map(|stage| stage.sets.len())
        .sum();
    budget.begin("checking the certificate", sets);
    let mut judge = Judge {
        terms,
        solver,
        budget,
        done: ForAllChecked::default(),
    };
    let (environment, own) = rigid(asked.formula, &graph, names, judge.terms)?;
    let (mut holds, mut fails) = (Vec::new(), Vec::new());
    for part in &proof.parts {
        let mut obligations = Obligations::new(&graph, *asked, names, part, judge.terms);
        obligations.is_well_formed(judge.terms)?;
        judge.known(&obligations)?;
        for index in 0..part.claims.len() {
            judge.claim(&mut obligations, index)?;
        }
        holds.push(obligations.at_start(&environment, true, judge.terms)?);
        fails.push(obligations.at_start(&environment, false, judge.terms)?);
    }
    let condition = judge.terms.close(proof.condition);
    let not_shown = holds
        .into_iter()
        .map(|it| judge.terms.not(it))
        .collect::<Vec<Term>>();
    let wrong = judge.terms.and(not_shown.into_iter().chain([condition]));
    if !judge.is_impossible(wrong)? {
        return Err(not_at_start("holds").into());
    }
    are_values(&proof.against, &own, &parameters, judge.terms)?;
    let need = against(&fails, &own, proof.condition, judge.terms);
    let obligation = SetObligation {
        wrong: Vec::new(),
        needs: vec![need],
    };
    let parts = judge.parts(&obligation, &proof.against);
    let wrong = judge.terms.or(parts.iter().map(|it| it.1));
    if !judge.is_impossible(wrong)? {
        return Err(not_at_start("fails").into());
    }
    Ok(judge.done)
}

fn not_at_start(what: &str) -> Flaw {
    Flaw::wrong(format!(
        "the claims do not show that the formula {what} where it should"
    ))
}

/// Whether each choice has a value over the parameters for each variable.
fn are_values(
    against: &[Witness],
    own: &[Var],
    parameters: &[Var],
    terms: &Terms,
) -> Result<(), Flaw> {
    for values in against.iter().filter_map(|it| it.values.as_ref()) {
        let mut pairs = values.iter().zip(own);
        let fits = pairs.all(|(&value, &variable)| {
            let free = terms.free_variables(value);
            terms.sort_of(value) == terms.variable_sort(variable)
                && free.iter().all(|it| parameters.contains(it))
        });
        if values.len() != own.len() || !fits {
            return Err(Flaw::wrong(
                "a variable is given something that it cannot be",
            ));
        }
    }
    Ok(())
}

/// Whether whatever is a condition has that sort, before anything is built with it.
fn are_conditions(proof: &ForAllProof, terms: &Terms) -> Result<(), Flaw> {
    let known = proof.parts.iter().flat_map(|it| &it.known);
    let claims = proof.parts.iter().flat_map(|it| &it.claims);
    let stages = claims.flat_map(|it| &it.stages);
    let sets = stages.clone().flat_map(|it| &it.sets);
    let helpful = stages.flat_map(|it| &it.helpful);
    let conditions = known.map(|it| it.1).chain(sets.map(|it| it.condition));
    let conditions = conditions.chain(helpful.map(|it| it.condition));
    let mut all = conditions.chain([proof.condition]);
    if all.all(|it| terms.sort_of(it) == Sort::BOOL) {
        Ok(())
    } else {
        Err(Flaw::wrong("a condition has another sort"))
    }
}

impl Obligations<'_> {
    /// Whether every number can be looked up and every formula speaks of what it may.
    fn is_well_formed(&self, terms: &Terms) -> Result<(), Flaw> {
        let places = self.graph.steps.len() as u32;
        let mut seen = FxHashSet::default();
        for &(place, known) in &self.part.known {
            let free = terms.free_variables(known);
            if place >= places || !seen.insert(place) {
                return Err(Flaw::wrong(
                    "an assumption is about a place that is not there",
                ));
            }
            if !free.iter().all(|&it| self.graph.is_variable(it)) {
                return Err(Flaw::wrong(
                    "an assumption is not about the variables of the model",
                ));
            }
        }
        self.part
            .claims
            .iter()
            .try_for_each(|it| self.is_claim(it, terms))
    }

    fn is_claim(&self, claim: &SetClaim, terms: &Terms) -> Result<(), Flaw> {
        let formula = self.asked.formula;
        if claim.node.index() >= formula.nodes().count() {
            return Err(Flaw::wrong(
                "a claim is about a sub-formula that is not there",
            ));
        }
        let node = formula.node(claim.node);
        let is_operator = matches!(
            node.kind,
            NodeKind::Proposition(_)
                | NodeKind::Next(..)
                | NodeKind::Diamond(..)
                | NodeKind::Box(..)
                | NodeKind::Always(..)
                | NodeKind::Eventually(..)
                | NodeKind::Until(_)
        );
        if !is_operator || node.free.len() != claim.values.len() {
            return Err(Flaw::wrong("a claim is about a sub-formula that has none"));
        }
        let mut own: Vec<Var> = Vec::new();
        for given in &claim.values {
            if let Given::Any(variable) = *given {
                if self.graph.is_variable(variable) || own.contains(&variable) {
                    return Err(Flaw::wrong(
                        "a variable of a claim stands for something else too",
                    ));
                }
                own.push(variable);
            }
        }
        let assumed = self.asked.fair.len() as u32;
        let is_fair =
            assumed > 0 && Paths::of(&node.kind).is_some_and(|it| fair::counts(&it, claim.truth));
        let needs_rank = needs_rank(&node.kind, claim.truth);
        if claim.stages.len() > 1 && !needs_rank && !is_fair {
            return Err(Flaw::wrong("a claim without ranks has several stages"));
        }
        let allowed = |term: Term| {
            let free = terms.free_variables(term);
            free.iter()
                .all(|it| self.graph.is_variable(*it) || own.contains(it))
        };
        let is_number = |it: Term| terms.sort_of(it).is_number() && allowed(it);
        for stage in &claim.stages {
            for part in &stage.rank {
                let fits = match *part {
                    RankPart::Number(number) => is_number(number),
                    RankPart::Falling(number, by) => {
                        let same = terms.sort_of(number) == terms.sort_of(by);
                        is_number(number) && same && self.is_rigid(by, terms)
                    }
                    RankPart::Places(_) => true,
                };
                if !fits {
                    return Err(Flaw::wrong("a rank is not a number of the state"));
                }
            }
            let turns = if is_fair && !needs_rank { assumed } else { 1 };
            if stage.turn >= turns {
                return Err(Flaw::wrong("a stage is about a turn that is not there"));
            }
            let mut seen = FxHashSet::default();
            for helpful in &stage.helpful {
                let pair = (helpful.place, helpful.assumption);
                let fits = is_fair
                    && needs_rank
                    && pair.0 < self.graph.steps.len() as u32
                    && pair.1 < assumed
                    && allowed(helpful.condition)
                    && seen.insert(pair);
                if !fits {
                    return Err(Flaw::wrong("an assumption helps where it cannot"));
                }
            }
            let mut seen = FxHashSet::default();
            for set in &stage.sets {
                let Some(steps) = self.graph.steps.get(set.place as usize) else {
                    return Err(Flaw::wrong("a claim is about a place that is not there"));
                };
                if !seen.insert(set.place) {
                    return Err(Flaw::wrong("a stage of a claim has a place twice"));
                }
                if !allowed(set.condition) {
                    return Err(Flaw::wrong("a claim is not about the state"));
                }
                for witness in &set.witnesses {
                    let Some(step) = steps.get(witness.step as usize) else {
                        return Err(Flaw::wrong("a step is chosen that is not there"));
                    };
                    let Some(values) = &witness.values else {
                        continue;
                    };
                    let mut pairs = values.iter().zip(&step.fresh);
                    let fits = pairs.all(|(&value, &new)| {
                        terms.sort_of(value) == terms.variable_sort(new) && allowed(value)
                    });
                    if values.len() != step.fresh.len() || !fits {
                        return Err(Flaw::wrong(
                            "a step is chosen with other values than it brings",
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a term is about variables of the model that no step changes.
    fn is_rigid(&self, term: Term, terms: &Terms) -> bool {
        let mut changed = self.graph.steps.iter().flatten();
        let free = terms.free_variables(term);
        free.iter().all(|it| self.graph.is_variable(*it))
            && changed.all(|step| !free.iter().any(|it| step.after.contains_key(it)))
    }

    /// A claim in words.
    fn describe(&self, claim: &SetClaim, place: u32, terms: &Terms) -> String {
        let formula = self.asked.formula;
        let free = &formula.node(claim.node).free;
        let value = |variable: Variable| {
            let at = free.iter().position(|&it| it == variable)?;
            match claim.values.get(at) {
                Some(&Given::Text(text)) => Some(text),
                _ => None,
            }
        };
        let text = formula.print_part(claim.node, self.names, &value);
        let which = if claim.truth {
            "holds"
        } else {
            "does not hold"
        };
        let any: Vec<&str> = claim
            .values
            .iter()
            .filter_map(|it| match *it {
                Given::Any(variable) => Some(terms.variable_text(variable)),
                Given::Text(_) => None,
            })
            .collect();
        let any = match any[..] {
            [] => String::new(),
            _ => format!(" for any {}", any.join(", ")),
        };
        let place = self.graph.label(place);
        format!("the claim that `{text}` {which} at {place}{any}")
    }
}

/// Asks the solver.
struct Judge<'s> {
    terms: &'s mut Terms,
    solver: &'s mut dyn Solver,
    budget: &'s Budget,
    done: ForAllChecked,
}

impl Judge<'_> {
    /// Whether a formula has no solution.
    fn is_impossible(&mut self, wrong: Term) -> Result<bool, Ended> {
        self.done.obligations += 1;
        self.has_no_solution(wrong)
    }

    fn has_no_solution(&mut self, wrong: Term) -> Result<bool, Ended> {
        self.budget.spend().map_err(Flaw::spent)?;
        let wrong = self.terms.simplify(wrong);
        if wrong == Term::FALSE {
            return Ok(true);
        }
        self.done.questions += 1;
        match self.solver.satisfiable(self.terms, &[wrong])? {
            Satisfiability::Unsat => Ok(true),
            Satisfiability::Sat => Ok(false),
            Satisfiability::Unknown(reason) => {
                Err(Flaw::open(reason.to_string(), budget_of(&reason)).into())
            }
        }
    }

    /// What is assumed of runs holds at the start, and steps preserve it.
    fn known(&mut self, obligations: &Obligations<'_>) -> Result<(), Ended> {
        let graph = obligations.graph;
        let part: &ForAllPart = obligations.part;
        if part.known.is_empty() {
            return Ok(());
        }
        let start = obligations.known_at(graph.initial());
        let wrong = self.terms.not(start);
        if !self.is_impossible(wrong)? {
            return Err(Flaw::wrong("what is assumed of runs does not hold at the start").into());
        }
        for (place, steps) in graph.steps.iter().enumerate() {
            let here = obligations.known_at(place as u32);
            for (index, step) in steps.iter().enumerate() {
                let there = obligations.known_at(step.target);
                if there == Term::TRUE {
                    continue;
                }
                let there = self.terms.substitute(there, &step.after);
                let lost = self.terms.not(there);
                let wrong = self.terms.and([here, step.condition, lost]);
                if !self.is_impossible(wrong)? {
                    let place = graph.label(place as u32);
                    let text =
                        format!("what is assumed of runs is not kept by step {index} from {place}");
                    return Err(Flaw::wrong(text).into());
                }
            }
        }
        Ok(())
    }

    fn claim(&mut self, obligations: &mut Obligations<'_>, index: usize) -> Result<(), Ended> {
        let part = obligations.part;
        let claim = &part.claims[index];
        for (number, stage) in claim.stages.iter().enumerate() {
            for (position, set) in stage.sets.iter().enumerate() {
                let found = obligations.of(index, number, position, self.terms)?;
                let parts = self.parts(&found, &set.witnesses);
                let all = self.terms.or(parts.iter().map(|it| it.1));
                if self.is_impossible(all)? {
                    continue;
                }
                let claim = obligations.describe(claim, set.place, self.terms);
                for (duty, wrong) in parts {
                    if !self.has_no_solution(wrong)? {
                        let why = self.why(duty);
                        let text = format!("{claim} (stage {number}) is not shown: {why}");
                        return Err(Flaw::wrong(text).into());
                    }
                }
                return Err(Flaw::wrong(format!("{claim} is not shown")).into());
            }
        }
        Ok(())
    }

    fn why(&self, duty: Duty) -> String {
        match duty {
            Duty::Part => "a part of the formula is not shown there".to_owned(),
            Duty::Step(step) => format!(
                "step {step} leads to where nothing is shown, or does not decrease the rank"
            ),
            Duty::Choice => "no step with the given values does what is claimed".to_owned(),
        }
    }

    /// What must have no solution, with chosen values instead of new ones.
    fn parts(&mut self, found: &SetObligation, witnesses: &[Witness]) -> Vec<(Duty, Term)> {
        let mut parts = found.wrong.clone();
        for need in &found.needs {
            let mut open = vec![need.when];
            for way in &need.ways {
                let free = self.terms.free_variables(way.body);
                if !way.fresh.iter().any(|it| free.contains(it)) {
                    open.push(self.terms.not(way.body));
                    continue;
                }
                for witness in witnesses.iter().filter(|it| it.step == way.step) {
                    let chosen = self.chosen(way, witness);
                    open.push(self.terms.not(chosen));
                }
            }
            parts.push((Duty::Choice, self.terms.and(open)));
        }
        parts
    }

    /// What is asked of a step with the values of a choice.
    fn chosen(&mut self, way: &OpenWay, witness: &Witness) -> Term {
        let Some(values) = &witness.values else {
            self.done.for_some_value += 1;
            let (fresh, body) = self.terms.by_leaves(&way.fresh, way.body);
            let body = self.terms.simplify(body);
            let exists = Quantifier::Exists;
            let (fresh, body) = self.terms.by_lengths(exists, &fresh, body);
            return self.terms.quantify(exists, &fresh, body);
        };
        let with: Values = way.fresh.iter().copied().zip(values.clone()).collect();
        let body = self.terms.substitute(way.body, &with);
        let defined: Vec<Term> = values.iter().map(|&it| self.terms.defined(it)).collect();
        let defined = self.terms.and(defined);
        self.terms.and([defined, body])
    }
}
