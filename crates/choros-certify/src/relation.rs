//! Checks a relation pair by pair against Definition 4 of Nguyen's thesis.
//!
//! Nothing here is shared with a search: events are matched, silence is followed and values are carried along by
//! code of its own, and every pair is one question to the solver: is there a value for which the pair is related and
//! one side can do something that the other cannot answer within the relation?
//! An answer's new values are constants of their own, one set per answer, so the questions have no quantifiers unless
//! the relation has, or silent steps choose values on the way to an answer: those are chosen before the new values are
//! known.
//! A relation that is confirmed here *is* a symbolic branching bisimulation for conformance, however it was found.

use choros_base::Budget;
use choros_data::{Op, Quantifier, Term, TermKind, Terms, Var};
use choros_model::Bound;
use choros_model::stg::{Edge, Event, Field, FieldValue, NodeId, Stg};
use choros_smt::{Reason, Satisfiability, Solver, SolverError};
use rustc_hash::FxHashMap;

use crate::flaw::{Undecided, bound_of};
use crate::paths::{ChoiceNames, PathValues, SilentPath, silent_paths};

/// What became of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Certificate {
    /// The relation is what it should be.
    Confirmed,
    /// It is not, at this pair.
    Refuted(NodeId, NodeId),
    /// That could not be told.
    Undecided(Undecided),
}

/// Two nodes and when they are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RelatedPair {
    /// Of the implementation.
    pub left: NodeId,
    /// Of the specification.
    pub right: NodeId,
    /// Over the variables of both.
    pub condition: Term,
}

/// A relation and what it is to show.
#[derive(Debug, Clone, Copy)]
pub struct RelationClaim<'a> {
    /// The implementation, restricted, with variables that the specification does not have.
    pub implementation: &'a Stg,
    pub specification: &'a Stg,
    /// The relation; pairs that are not there are not related, and those that are there several times are related
    /// under each of their conditions.
    pub relation: &'a [RelatedPair],
    /// When the initial nodes are claimed to be related.
    pub start: Term,
    /// Whether a known value answers where the specification leaves it open.
    pub allow_fixed: bool,
}

/// Checks a relation.
pub fn check_certificate(
    claim: &RelationClaim<'_>,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Certificate, SolverError> {
    let (left, right) = (claim.implementation, claim.specification);
    let initial = (left.initial(), right.initial());
    let is_known = |it: &RelatedPair| {
        it.left.index() < left.nodes().len() && it.right.index() < right.nodes().len()
    };
    if !claim.relation.iter().all(is_known) {
        return Ok(Certificate::Refuted(initial.0, initial.1));
    }
    let mut checker = Checker {
        claim: *claim,
        related: FxHashMap::default(),
        fixed: PathValues::default(),
        constants: FxHashMap::default(),
        used: FxHashMap::default(),
        choices: ChoiceNames::default(),
    };
    for pair in claim.relation {
        let entry = Entry {
            condition: pair.condition,
            fixed: constants(pair.condition, terms),
        };
        let entries = checker.related.entry((pair.left, pair.right)).or_default();
        entries.push(entry);
    }
    let related = checker.at(initial, &PathValues::default(), terms);
    let not_related = terms.not(related);
    let wrong = terms.and([claim.start, not_related]);
    match refute(wrong, terms, solver)? {
        Satisfiability::Unsat => {}
        Satisfiability::Sat => return Ok(Certificate::Refuted(initial.0, initial.1)),
        Satisfiability::Unknown(reason) => return Ok(undecided(&reason)),
    }
    budget.begin("checking the relation", claim.relation.len());
    for pair in claim.relation {
        if let Err(spent) = budget.spend() {
            return Ok(Certificate::Undecided(Undecided {
                text: spent.to_string(),
                bound: bound_of(spent),
            }));
        }
        checker.used.clear();
        checker.fixed = constants(pair.condition, terms).into_iter().collect();
        let wrong = checker.violation((pair.left, pair.right), terms);
        let wrong = terms.and([pair.condition, wrong]);
        match refute(wrong, terms, solver)? {
            Satisfiability::Unsat => {}
            Satisfiability::Sat => return Ok(Certificate::Refuted(pair.left, pair.right)),
            Satisfiability::Unknown(reason) => return Ok(undecided(&reason)),
        }
    }
    Ok(Certificate::Confirmed)
}

/// The bound that gives the solver more, where it was what stopped it.
pub fn budget_of(reason: &Reason) -> Option<Bound> {
    reason.bound().map(|_| Bound::SolverBudget(None))
}

fn undecided(reason: &Reason) -> Certificate {
    Certificate::Undecided(Undecided {
        text: reason.to_string(),
        bound: budget_of(reason),
    })
}

fn refute(
    wrong: Term,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Satisfiability, SolverError> {
    let wrong = terms.simplify(wrong);
    match wrong {
        Term::FALSE => Ok(Satisfiability::Unsat),
        wrong => solver.satisfiable(terms, &[wrong]),
    }
}

struct Checker<'a> {
    claim: RelationClaim<'a>,
    related: FxHashMap<(NodeId, NodeId), Vec<Entry>>,
    /// What the variables are at the pair in question, where its condition says so.
    fixed: PathValues,
    /// Constants for new values, and how many of each sort the present question uses.
    constants: FxHashMap<(choros_data::Sort, usize), Var>,
    used: FxHashMap<choros_data::Sort, usize>,
    choices: ChoiceNames,
}

/// One of the conditions under which a pair is related; a relation may have several.
struct Entry {
    condition: Term,
    /// The constants that it says variables are.
    fixed: Vec<(Var, Term)>,
}

impl Checker<'_> {
    /// When one side can do something that the other cannot answer.
    fn violation(&mut self, (s, t): (NodeId, NodeId), terms: &mut Terms) -> Term {
        let (left, right) = (self.claim.implementation, self.claim.specification);
        let mut violations = Vec::new();
        // Paths that are not followed leave answers out, which can only refute.
        let paths = silent_paths(left, s, &PathValues::default(), &mut self.choices, terms).all;
        let here = &paths[0];
        for (_, edge) in left.outgoing(s) {
            let mut unanswered = vec![edge.guard];
            if edge.event.is_silent() {
                let mut values = PathValues::default();
                for variable in edge.event.bound_variables() {
                    let new = self.constant(variable, terms);
                    values.insert(variable, new);
                }
                let takes = edge.accepts(terms);
                unanswered.push(terms.substitute(takes, &values));
                self.assign(edge, &mut values, terms);
                let related = self.at((edge.target, t), &values, terms);
                unanswered.push(terms.not(related));
            } else {
                for (_, other) in right.outgoing(t) {
                    let answer = self.answer(here, edge, other, Mover::Implementation, terms);
                    unanswered.push(terms.not(answer));
                }
            }
            violations.push(terms.and(unanswered));
        }
        let may_end = right.node(t).terminations.iter().map(|it| it.guard);
        let may_end = terms.or(may_end);
        let may_not_end = terms.not(may_end);
        for termination in &left.node(s).terminations {
            violations.push(terms.and([termination.guard, may_not_end]));
        }
        let mut endings = Vec::new();
        for path in &paths {
            for termination in &left.node(path.node).terminations {
                let guard = terms.substitute(termination.guard, &path.values);
                let conditions = path.conditions.iter().copied().chain([guard]);
                let ending = terms.and(conditions);
                endings.push(terms.quantify(Quantifier::Exists, &path.chosen, ending));
            }
        }
        let ends = terms.or(endings);
        let ends_not = terms.not(ends);
        violations.push(terms.and([may_end, ends_not]));
        for (_, edge) in right.outgoing(t) {
            let mut unanswered = vec![edge.guard];
            for path in &paths {
                for (_, own) in left.outgoing(path.node) {
                    let answer = self.answer(path, own, edge, Mover::Specification, terms);
                    unanswered.push(terms.not(answer));
                }
            }
            violations.push(terms.and(unanswered));
        }
        terms.or(violations)
    }

    /// When two steps are one and lead to a related pair, for the constants that stand for their new values.
    fn answer(
        &mut self,
        path: &SilentPath,
        own: &Edge,
        other: &Edge,
        mover: Mover,
        terms: &mut Terms,
    ) -> Term {
        let mut conditions = path.conditions.clone();
        let (mut left, mut right) = (path.values.clone(), PathValues::default());
        let mut new_values = Vec::new();
        match (&own.event, &other.event) {
            (own, other) if own.is_silent() || other.is_silent() => return Term::FALSE,
            (Event::Message(sent), Event::Message(expected)) => {
                let like = |message: &choros_model::stg::Message| {
                    (
                        message.operation,
                        message.from,
                        message.to,
                        message.direction,
                        message.fault,
                    )
                };
                if like(sent) != like(expected) || sent.fields.len() != expected.fields.len() {
                    return Term::FALSE;
                }
                let by_label = sent
                    .fields
                    .iter()
                    .chain(&expected.fields)
                    .all(|it| it.label.is_some());
                for (position, field) in sent.fields.iter().enumerate() {
                    let partner: Option<&Field> = if by_label {
                        expected.fields.iter().find(|it| it.label == field.label)
                    } else {
                        expected.fields.get(position)
                    };
                    let Some(partner) = partner else {
                        return Term::FALSE;
                    };
                    match (field.value, partner.value) {
                        (FieldValue::Free(a), FieldValue::Free(b))
                            if terms.sort_of(a) == terms.sort_of(b) =>
                        {
                            let a = terms.substitute(a, &path.values);
                            conditions.push(terms.equal(a, b));
                        }
                        (FieldValue::Bind(x), FieldValue::Bind(y))
                            if terms.variable_sort(x) == terms.variable_sort(y) =>
                        {
                            let new = self.constant(x, terms);
                            new_values.extend(terms.as_variable(new));
                            left.insert(x, new);
                            right.insert(y, new);
                        }
                        (FieldValue::Free(a), FieldValue::Bind(y))
                            if self.claim.allow_fixed
                                && terms.sort_of(a) == terms.variable_sort(y) =>
                        {
                            let a = terms.substitute(a, &path.values);
                            right.insert(y, a);
                        }
                        _ => return Term::FALSE,
                    }
                }
            }
            (a, b) if a == b => {}
            _ => return Term::FALSE,
        }
        let own_guard = terms.substitute(own.guard, &path.values);
        let (own_takes, other_takes) = (own.accepts(terms), other.accepts(terms));
        let own_takes = terms.substitute(own_takes, &left);
        let other_takes = terms.substitute(other_takes, &right);
        let (answering, offered, taken) = match mover {
            Mover::Implementation => (other.guard, own_takes, other_takes),
            Mover::Specification => (own_guard, other_takes, own_takes),
        };
        conditions.push(answering);
        self.assign(own, &mut left, terms);
        self.assign(other, &mut right, terms);
        left.extend(right);
        let related = self.at((own.target, other.target), &left, terms);
        let then = terms.and([taken, related]);
        let not_offered = terms.not(offered);
        let mut then = terms.or([not_offered, then]);
        if !path.chosen.is_empty() {
            then = terms.quantify(Quantifier::Forall, &new_values, then);
        }
        conditions.push(then);
        let answer = terms.and(conditions);
        terms.quantify(Quantifier::Exists, &path.chosen, answer)
    }

    /// Carries out the updates of an edge.
    fn assign(&self, edge: &Edge, values: &mut PathValues, terms: &mut Terms) {
        for update in &edge.updates {
            let value = terms.substitute(update.value, values);
            values.insert(update.variable, value);
        }
    }

    /// The condition of a pair for given values.
    ///
    /// Of many conditions for one pair, those that say plainly other constants are left out.
    fn at(&self, pair: (NodeId, NodeId), values: &PathValues, terms: &mut Terms) -> Term {
        let Some(entries) = self.related.get(&pair) else {
            return Term::FALSE;
        };
        if let [only] = &entries[..] {
            return terms.substitute(only.condition, values);
        }
        let mut now = PathValues::default();
        let mut parts = Vec::new();
        for entry in entries {
            let fits = entry.fixed.iter().all(|&(variable, constant)| {
                let value = *now.entry(variable).or_insert_with(|| {
                    let value = match values.get(&variable) {
                        Some(&value) => value,
                        None => terms.var(variable),
                    };
                    let value = terms.substitute(value, &self.fixed);
                    terms.simplify(value)
                });
                value == constant || terms.value(value).is_none()
            });
            if fits {
                parts.push(terms.substitute(entry.condition, values));
            }
        }
        terms.or(parts)
    }

    /// A constant that the present question does not use yet.
    fn constant(&mut self, like: Var, terms: &mut Terms) -> Term {
        let sort = terms.variable_sort(like);
        let used = self.used.entry(sort).or_default();
        let variable = *self
            .constants
            .entry((sort, *used))
            .or_insert_with(|| terms.fresh_variable(like));
        *used += 1;
        terms.var(variable)
    }
}

/// The constants that a condition says variables are.
fn constants(condition: Term, terms: &Terms) -> Vec<(Var, Term)> {
    let parts = match terms.kind(condition) {
        TermKind::Apply(Op::And, parts) => parts,
        _ => &[condition],
    };
    let mut found = Vec::new();
    for &part in parts {
        let TermKind::Apply(Op::Equal, &[left, right]) = terms.kind(part) else {
            continue;
        };
        for (one, other) in [(left, right), (right, left)] {
            if let Some(variable) = terms.as_variable(one)
                && terms.value(other).is_some()
            {
                found.push((variable, other));
            }
        }
    }
    found
}

#[derive(Clone, Copy)]
enum Mover {
    Implementation,
    Specification,
}
