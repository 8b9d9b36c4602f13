//! What must be true of the solver's world if a claim is right: one question for each place of each stage.
//!
//! The meaning of the operators is that of SocL on maximal paths, unfolded once.
//! A claim that a sub-formula is true needs claims that its parts are true; a claim that it is false needs claims that
//! they are false. So everything that is claimed stands after the arrow, and what is brought by a step of which all
//! must be fine becomes a constant.

use choros_base::Names;
use choros_data::{Sort, Term, Terms, Var};
use choros_query::socl::{Actions, Formula, NodeId, NodeKind, Quantifier, StateFormula, Variable};
use rustc_hash::FxHashMap;

use super::builder::{Builder, Duty, Need, OpenWay, SetObligation};
use super::fair::Fair;
use super::graph::{OpenGraph, Step, Values};
use super::matching::Matcher;
use super::paths::Paths;
use super::proof::{ForAllPart, Given, SetClaim};
use super::rank::{decrease, stays};
use super::reading::{Datum, Environment, Reading, datum_of};
use crate::flaw::Flaw;
use crate::judgements::AskedFormula;

/// Builds the obligations of the claims of a part of a proof.
pub struct Obligations<'a> {
    pub(super) graph: &'a OpenGraph<'a>,
    pub(super) asked: AskedFormula<'a>,
    pub(super) names: &'a Names,
    pub(super) part: &'a ForAllPart,
    pub(super) known: FxHashMap<u32, Term>,
    /// Claims by sub-formula, truth and what is given.
    claims: FxHashMap<(NodeId, bool, Vec<Key>), usize>,
    /// The sets of each claim by place, with the stage.
    sets: Vec<FxHashMap<u32, Vec<(usize, Term)>>>,
    /// What stands for data that an action binds.
    bound: FxHashMap<(Variable, Sort), Var>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Text(choros_base::Name),
    Any(Sort),
}

impl<'a> Obligations<'a> {
    pub(super) fn new(
        graph: &'a OpenGraph<'a>,
        asked: AskedFormula<'a>,
        names: &'a Names,
        part: &'a ForAllPart,
        terms: &mut Terms,
    ) -> Obligations<'a> {
        let mut claims = FxHashMap::default();
        let mut sets = Vec::with_capacity(part.claims.len());
        for (index, claim) in part.claims.iter().enumerate() {
            let keys = claim.values.iter().map(|it| match *it {
                Given::Text(text) => Key::Text(text),
                Given::Any(variable) => Key::Any(terms.variable_sort(variable)),
            });
            claims.insert((claim.node, claim.truth, keys.collect()), index);
            let mut own: FxHashMap<u32, Vec<(usize, Term)>> = FxHashMap::default();
            for (number, stage) in claim.stages.iter().enumerate() {
                for set in &stage.sets {
                    let condition = terms.close(set.condition);
                    own.entry(set.place).or_default().push((number, condition));
                }
            }
            sets.push(own);
        }
        let known = part.known.iter();
        let known = known.map(|&(place, it)| (place, terms.close(it))).collect();
        Obligations {
            graph,
            asked,
            names,
            part,
            known,
            claims,
            sets,
            bound: FxHashMap::default(),
        }
    }

    fn formula(&self) -> &'a Formula {
        self.asked.formula
    }

    /// What holds whenever a run is at a place.
    pub(super) fn known_at(&self, place: u32) -> Term {
        self.known.get(&place).copied().unwrap_or(Term::TRUE)
    }

    /// What the correlation variables of a claim are.
    pub(super) fn environment(&self, claim: &SetClaim, terms: &mut Terms) -> Environment {
        let free = &self.formula().node(claim.node).free;
        let pairs = free.iter().zip(&claim.values);
        let pairs = pairs.map(|(&variable, given)| match *given {
            Given::Text(text) => (variable, Datum::Text(text)),
            Given::Any(own) => (variable, Datum::Term(terms.var(own))),
        });
        pairs.collect()
    }

    /// Where the whole formula is shown to have this truth.
    pub(super) fn at_start(
        &mut self,
        environment: &Environment,
        truth: bool,
        terms: &mut Terms,
    ) -> Result<Term, Flaw> {
        let (root, start) = (self.formula().root(), self.graph.initial());
        self.shown(root, environment, truth, start, terms)
    }

    /// Where a sub-formula is shown to have this truth, at a place; over the values there and those of the environment.
    ///
    /// Formulas are no deeper than their reader allows.
    pub(super) fn shown(
        &mut self,
        node: NodeId,
        environment: &Environment,
        truth: bool,
        place: u32,
        terms: &mut Terms,
    ) -> Result<Term, Flaw> {
        let formula = self.formula();
        let mut part = |part: NodeId, truth: bool, terms: &mut Terms| {
            self.shown(part, environment, truth, place, terms)
        };
        match &formula.node(node).kind {
            NodeKind::Constant(value) => Ok(terms.bool(*value == truth)),
            NodeKind::State(state) => self.state(state, environment, truth, place, terms),
            NodeKind::Not(inner) => part(*inner, !truth, terms),
            NodeKind::Implies(left, right) => {
                let left = part(*left, !truth, terms)?;
                let right = part(*right, truth, terms)?;
                Ok(if truth {
                    terms.or([left, right])
                } else {
                    terms.and([left, right])
                })
            }
            kind @ (NodeKind::And(parts) | NodeKind::Or(parts)) => {
                let mut shown = Vec::with_capacity(parts.len());
                for &inner in parts {
                    shown.push(part(inner, truth, terms)?);
                }
                Ok(if matches!(kind, NodeKind::And(_)) == truth {
                    terms.and(shown)
                } else {
                    terms.or(shown)
                })
            }
            _ => Ok(self.claimed(node, environment, truth, place, terms)),
        }
    }

    /// A comparison, or a place; a variable without a value shows nothing.
    fn state(
        &self,
        state: &StateFormula,
        environment: &Environment,
        truth: bool,
        place: u32,
        terms: &mut Terms,
    ) -> Result<Term, Flaw> {
        if let StateFormula::At(name) = state {
            let node = self.graph.stg.nodes().get(place as usize);
            let is_here = node.is_some_and(|it| it.label == self.names.text(*name));
            return Ok(terms.bool(is_here == truth));
        }
        let comparison = match state {
            StateFormula::Knows(role, what) => {
                let with = (self.names, terms);
                return self
                    .graph
                    .knows((*role, *what), environment, truth, place, with);
            }
            StateFormula::Compare(comparison) => comparison,
            _ => return Err(Flaw::open("a formula about states is not known", None)),
        };
        let reading = Reading {
            names: self.names,
            environment,
            variables: &self.graph.variables,
        };
        let holds = reading.comparison(comparison, terms)?;
        let holds = terms.simplify(holds);
        let mut read = terms.free_variables(holds).into_iter();
        if read.any(|it| self.graph.is_variable(it) && !self.graph.has_value(it, place)) {
            return Ok(Term::FALSE);
        }
        Ok(if truth { holds } else { terms.not(holds) })
    }

    /// What is claimed of a sub-formula; *false* where nothing is.
    fn claimed(
        &self,
        node: NodeId,
        environment: &Environment,
        truth: bool,
        place: u32,
        terms: &mut Terms,
    ) -> Term {
        let mut keys = Vec::new();
        let mut data = Vec::new();
        for &variable in &self.formula().node(node).free {
            match datum_of(environment, variable) {
                Some(Datum::Text(text)) => keys.push(Key::Text(text)),
                Some(Datum::Term(term)) => {
                    keys.push(Key::Any(terms.sort_of(term)));
                    data.push(term);
                }
                None => return Term::FALSE,
            }
        }
        let Some(&index) = self.claims.get(&(node, truth, keys)) else {
            return Term::FALSE;
        };
        let Some(condition) = self.last(index, place, 0) else {
            return Term::FALSE;
        };
        let own = self.part.claims[index].values.iter();
        let own = own.filter_map(|it| match *it {
            Given::Any(variable) => Some(variable),
            Given::Text(_) => None,
        });
        let values: Values = own.zip(data).collect();
        terms.substitute(condition, &values)
    }

    /// The last set of a claim that a place has with this turn.
    fn last(&self, claim: usize, place: u32, turn: u32) -> Option<Term> {
        let here = self.sets[claim].get(&place)?;
        let stages = &self.part.claims[claim].stages;
        let mut last = here.iter().rev();
        last.find(|it| stages[it.0].turn == turn).map(|it| it.1)
    }

    /// What stands for a datum that an action binds, until its value takes its place.
    fn stand_in(&mut self, variable: Variable, sort: Sort, terms: &mut Terms) -> Var {
        *self.bound.entry((variable, sort)).or_insert_with(|| {
            let name = terms.names.fresh("datum");
            terms.variable(name, sort)
        })
    }

    /// The ways in which a step satisfies an action formula, each with where a part is shown after it.
    fn after_ways(
        &mut self,
        actions: &Actions,
        part: NodeId,
        step: &Step,
        environment: &Environment,
        truth: bool,
        terms: &mut Terms,
    ) -> Result<Vec<(Term, Term)>, Flaw> {
        let matcher = self.matcher(environment);
        let ways = matcher.ways(actions, &step.actions, terms)?;
        let mut found = Vec::with_capacity(ways.len());
        for way in ways {
            if way.condition == Term::FALSE {
                continue;
            }
            let mut inner = environment.clone();
            let mut values = step.after.clone();
            for (variable, datum) in way.bound {
                let datum = match datum {
                    Datum::Text(text) => Datum::Text(text),
                    Datum::Term(term) => {
                        let stand_in = self.stand_in(variable, terms.sort_of(term), terms);
                        values.insert(stand_in, term);
                        Datum::Term(terms.var(stand_in))
                    }
                };
                inner.push((variable, datum));
            }
            let there = self.shown(part, &inner, truth, step.target, terms)?;
            found.push((way.condition, terms.substitute(there, &values)));
        }
        Ok(found)
    }

    pub(super) fn matcher<'m>(&self, environment: &'m Environment) -> Matcher<'m>
    where
        'a: 'm,
    {
        Matcher {
            names: self.names,
            arity: self.asked.arity,
            variables: &self.graph.variables,
            environment,
        }
    }

    /// A step satisfies an action formula and leads to where a part is true; or, with `false`, does not.
    fn leads_to(
        &mut self,
        actions: &Actions,
        part: NodeId,
        step: &Step,
        environment: &Environment,
        truth: bool,
        terms: &mut Terms,
    ) -> Result<Term, Flaw> {
        let ways = self.after_ways(actions, part, step, environment, truth, terms)?;
        let each: Vec<Term> = ways
            .into_iter()
            .map(|(when, there)| {
                if truth {
                    terms.and([when, there])
                } else {
                    terms.implies(when, there)
                }
            })
            .collect();
        Ok(if truth {
            terms.or(each)
        } else {
            terms.and(each)
        })
    }

    /// Every way in which a step satisfies an action formula leads to where a part is true; or, with `false`, some way
    /// leads to where it is false.
    fn all_lead_to(
        &mut self,
        actions: &Actions,
        part: NodeId,
        step: &Step,
        environment: &Environment,
        truth: bool,
        terms: &mut Terms,
    ) -> Result<Term, Flaw> {
        let ways = self.after_ways(actions, part, step, environment, truth, terms)?;
        let each: Vec<Term> = ways
            .into_iter()
            .map(|(when, there)| {
                if truth {
                    terms.implies(when, there)
                } else {
                    terms.and([when, there])
                }
            })
            .collect();
        Ok(if truth {
            terms.and(each)
        } else {
            terms.or(each)
        })
    }

    /// What must be so for one set of a claim; all numbers have been looked up before.
    pub fn of(
        &mut self,
        claim: usize,
        stage: usize,
        set: usize,
        terms: &mut Terms,
    ) -> Result<SetObligation, Flaw> {
        let part = self.part;
        let claimed = &part.claims[claim];
        let set = &claimed.stages[stage].sets[set];
        let place = set.place;
        let condition = terms.close(set.condition);
        let premise = terms.and([self.known_at(place), condition]);
        let environment = self.environment(claimed, terms);
        let formula = self.formula();
        let kind = &formula.node(claimed.node).kind;
        if let Some(paths) = Paths::of(kind) {
            let later = Later { claim, stage };
            return self.path(&paths, later, premise, place, &environment, terms);
        }
        let graph = self.graph;
        let truth = claimed.truth;
        let mut bodies = Vec::new();
        for step in &graph.steps[place as usize] {
            bodies.push(match kind {
                NodeKind::Next(_, actions, part) | NodeKind::Diamond(actions, part) => {
                    self.leads_to(actions, *part, step, &environment, truth, terms)?
                }
                NodeKind::Box(actions, part) => {
                    self.all_lead_to(actions, *part, step, &environment, truth, terms)?
                }
                NodeKind::Proposition(atom) => {
                    let mut some = Vec::new();
                    for label in &step.propositions {
                        let way = self.matcher(&environment).action(atom, label, terms)?;
                        some.extend(way.map(|it| it.condition));
                    }
                    let some = terms.or(some);
                    if truth { some } else { terms.not(some) }
                }
                _ => return Err(Flaw::wrong("a claim is about a sub-formula that has none")),
            });
        }
        let is_next_all = matches!(kind, NodeKind::Next(Quantifier::All, ..));
        let for_all = is_next_all || matches!(kind, NodeKind::Box(..));
        let mut built = Builder::new(premise);
        if for_all == truth {
            built.every(graph, place, &bodies, terms);
            if is_next_all {
                built.has_step(graph, place, terms);
            }
        } else {
            if is_next_all {
                built.unless_stuck(graph, place, terms);
            }
            built.some(graph, place, &bodies, terms);
        }
        Ok(built.done)
    }

    /// One unfolding of an operator over paths.
    fn path(
        &mut self,
        paths: &Paths<'_>,
        later: Later,
        premise: Term,
        place: u32,
        environment: &Environment,
        terms: &mut Terms,
    ) -> Result<SetObligation, Flaw> {
        let graph = self.graph;
        let truth = self.part.claims[later.claim].truth;
        let now = match (paths.right, paths.last) {
            (Some(right), None) => self.shown(right, environment, truth, place, terms)?,
            _ => terms.bool(!truth),
        };
        let left = match paths.left {
            Some(left) => self.shown(left, environment, truth, place, terms)?,
            None => terms.bool(truth),
        };
        let fair = Fair::of(self, &later, paths, place, terms)?;
        let mut bodies = Vec::new();
        for (index, step) in graph.steps[place as usize].iter().enumerate() {
            let good = match (paths.right, paths.last) {
                (Some(right), Some(last)) => {
                    self.leads_to(last, right, step, environment, truth, terms)?
                }
                _ => terms.bool(!truth),
            };
            let leads = match paths.steps {
                Some(actions) => {
                    let matcher = self.matcher(environment);
                    matcher.satisfied(actions, &step.actions, terms)?
                }
                None => Term::TRUE,
            };
            let then = self.later(later, paths, (place, index), &fair, terms);
            bodies.push(if truth {
                let on = terms.and([leads, then]);
                terms.or([good, on])
            } else {
                let on = terms.implies(leads, then);
                terms.and([good, on])
            });
        }
        // True: now, or left and the steps. False: not now, and not left or the steps.
        let mut wrong = Vec::new();
        let premise = if truth {
            let not_now = terms.not(now);
            let premise = terms.and([premise, not_now]);
            let not_left = terms.not(left);
            wrong.push((Duty::Part, terms.and([premise, not_left])));
            premise
        } else {
            let unknown = terms.not(now);
            wrong.push((Duty::Part, terms.and([premise, unknown])));
            let not_left = terms.not(left);
            terms.and([premise, not_left])
        };
        let mut built = Builder::new(premise);
        built.done.wrong = wrong;
        if (paths.quantifier == Quantifier::All) == truth {
            built.every(graph, place, &bodies, terms);
            fair.helps(&mut built, graph, place, terms);
            // A state without steps satisfies a weak operator and no strong one.
            if paths.weak != truth {
                built.has_step(graph, place, terms);
            }
        } else {
            if paths.weak == truth {
                built.unless_stuck(graph, place, terms);
            }
            built.some(graph, place, &bodies, terms);
        }
        Ok(built.done)
    }

    /// The operator itself after a step: where it is claimed, nearer if that counts.
    fn later(
        &self,
        later: Later,
        paths: &Paths<'_>,
        (place, index): (u32, usize),
        fair: &Fair,
        terms: &mut Terms,
    ) -> Term {
        let claim = &self.part.claims[later.claim];
        let step = &self.graph.steps[place as usize][index];
        let is_endless = paths.weak == claim.truth;
        if is_endless && !fair.counts {
            return match self.last(later.claim, step.target, 0) {
                Some(there) => terms.substitute(there, &step.after),
                None => Term::FALSE,
            };
        }
        let stage = &claim.stages[later.stage];
        let mut ways = Vec::new();
        if let (true, Some(served)) = (is_endless, fair.served.get(index)) {
            let next = (stage.turn + 1) % self.asked.fair.len() as u32;
            if let Some(there) = self.last(later.claim, step.target, next) {
                let there = terms.substitute(there, &step.after);
                ways.push(terms.and([*served, there]));
            }
        }
        let Some(sets) = self.sets[later.claim].get(&step.target) else {
            return terms.or(ways);
        };
        let is_earlier =
            |it: &&(usize, Term)| it.0 < later.stage && claim.stages[it.0].turn == stage.turn;
        if let Some(&(_, there)) = sets.iter().rev().find(is_earlier) {
            ways.push(terms.substitute(there, &step.after));
        }
        if let Some(&(_, there)) = sets.iter().find(|it| it.0 == later.stage) {
            let there = terms.substitute(there, &step.after);
            let nearer = decrease(&stage.rank, place, step.target, &step.after, terms);
            ways.push(terms.and([there, nearer]));
            if let Some(&waits) = fair.waits.get(index) {
                let not_farther = stays(&stage.rank, place, step.target, &step.after, terms);
                ways.push(terms.and([waits, not_farther, there]));
            }
        }
        terms.or(ways)
    }
}

/// Where a condition is not, one of the parts of a proof must show for some values that the formula is false.
pub(super) fn against(shown: &[Term], own: &[Var], condition: Term, terms: &mut Terms) -> Need {
    let condition = terms.close(condition);
    let ways = shown.iter().enumerate().map(|(part, &body)| OpenWay {
        step: part as u32,
        fresh: own.to_vec(),
        body: terms.simplify(body),
    });
    let ways = ways.collect();
    Need {
        when: terms.not(condition),
        ways,
    }
}

/// The set that is unfolded.
#[derive(Clone, Copy)]
pub(super) struct Later {
    pub(super) claim: usize,
    pub(super) stage: usize,
}
