//! Checks a relation pair by pair against Definition 4 of Nguyen's thesis.
//!
//! Nothing here is shared with the search: events are matched, silence is followed and values are carried along by
//! code of its own, and every pair is one question to the solver: is there a value for which the pair is related and
//! one side can do something that the other cannot answer within the relation?
//! An answer's new values are constants of their own, one set per answer, so the questions have no quantifiers unless
//! the relation has.
//! A relation that is confirmed here *is* a symbolic branching bisimulation for conformance, however it was found.

use choros_base::Budget;
use choros_data::{Term, Terms, Var};
use choros_model::stg::{Edge, Event, Field, FieldValue, NodeId, Stg};
use choros_smt::{Answer, Solver, SolverError};
use rustc_hash::FxHashMap;

use crate::RelatedPair;

/// What became of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Certificate {
    /// The relation is what it should be.
    Confirmed,
    /// It is not, at this pair.
    Refuted(NodeId, NodeId),
    /// That could not be told.
    Undecided(String),
}

/// A relation and what it is to show.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// The implementation, restricted, with variables that the specification does not have.
    pub implementation: &'a Stg,
    /// The specification.
    pub specification: &'a Stg,
    /// The relation; pairs that are not there are not related.
    pub relation: &'a [RelatedPair],
    /// When the initial nodes are claimed to be related.
    pub start: Term,
    /// Whether a known value answers where the specification leaves it open.
    pub allow_fixed: bool,
}

/// Checks a relation.
pub fn check_certificate(
    claim: &Claim<'_>,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Certificate, SolverError> {
    let mut checker = Checker {
        claim: *claim,
        related: claim
            .relation
            .iter()
            .map(|pair| ((pair.left, pair.right), pair.condition))
            .collect(),
        constants: FxHashMap::default(),
        used: FxHashMap::default(),
    };
    let initial = (
        claim.implementation.initial(),
        claim.specification.initial(),
    );
    let related = checker.related(initial);
    let not_related = terms.not(related);
    let wrong = terms.and([claim.start, not_related]);
    match refute(wrong, terms, solver)? {
        Answer::Unsat => {}
        Answer::Sat => return Ok(Certificate::Refuted(initial.0, initial.1)),
        Answer::Unknown(reason) => return Ok(Certificate::Undecided(reason.to_string())),
    }
    budget.begin("checking the relation", claim.relation.len());
    for pair in claim.relation {
        if let Err(spent) = budget.spend() {
            return Ok(Certificate::Undecided(spent.to_string()));
        }
        checker.used.clear();
        let wrong = checker.violation((pair.left, pair.right), terms);
        let wrong = terms.and([pair.condition, wrong]);
        match refute(wrong, terms, solver)? {
            Answer::Unsat => {}
            Answer::Sat => return Ok(Certificate::Refuted(pair.left, pair.right)),
            Answer::Unknown(reason) => return Ok(Certificate::Undecided(reason.to_string())),
        }
    }
    Ok(Certificate::Confirmed)
}

fn refute(wrong: Term, terms: &mut Terms, solver: &mut dyn Solver) -> Result<Answer, SolverError> {
    let wrong = terms.simplify(wrong);
    match wrong {
        Term::FALSE => Ok(Answer::Unsat),
        wrong => solver.satisfiable(terms, &[wrong]),
    }
}

/// Values of variables in terms of those at the pair in question.
type Values = FxHashMap<Var, Term>;

struct Checker<'a> {
    claim: Claim<'a>,
    related: FxHashMap<(NodeId, NodeId), Term>,
    /// Constants for new values, and how many of each sort the present question uses.
    constants: FxHashMap<(choros_data::Sort, usize), Var>,
    used: FxHashMap<choros_data::Sort, usize>,
}

/// A silent path: where it ends, under which conditions, with which values.
struct Path {
    node: NodeId,
    conditions: Vec<Term>,
    values: Values,
}

/// More silent paths than this are not followed; what they could answer counts as unanswered.
const MOST_PATHS: usize = 1_024;

impl Checker<'_> {
    fn related(&self, pair: (NodeId, NodeId)) -> Term {
        self.related.get(&pair).copied().unwrap_or(Term::FALSE)
    }

    /// When one side can do something that the other cannot answer.
    fn violation(&mut self, (s, t): (NodeId, NodeId), terms: &mut Terms) -> Term {
        let (left, right) = (self.claim.implementation, self.claim.specification);
        let mut violations = Vec::new();
        let here = Path {
            node: s,
            conditions: Vec::new(),
            values: Values::default(),
        };
        for (_, edge) in left.outgoing(s) {
            let mut unanswered = vec![edge.guard];
            if edge.event == Event::Silent {
                let mut values = Values::default();
                self.assign(edge, &mut values, terms);
                let related = self.at((edge.target, t), &values, terms);
                unanswered.push(terms.not(related));
            } else {
                for (_, other) in right.outgoing(t) {
                    let answer = self.answer(&here, edge, other, Mover::Implementation, terms);
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
        let paths = match right.outgoing(t).next().is_none() && may_end == Term::FALSE {
            true => Vec::new(),
            false => silent_paths(left, s, terms),
        };
        let mut endings = Vec::new();
        for path in &paths {
            for termination in &left.node(path.node).terminations {
                let guard = terms.substitute(termination.guard, &path.values);
                let conditions = path.conditions.iter().copied().chain([guard]);
                endings.push(terms.and(conditions));
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
        path: &Path,
        own: &Edge,
        other: &Edge,
        mover: Mover,
        terms: &mut Terms,
    ) -> Term {
        let mut conditions = path.conditions.clone();
        let (mut left, mut right) = (path.values.clone(), Values::default());
        match (&own.event, &other.event) {
            (Event::Silent, _) => return Term::FALSE,
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
                    let partner: Option<&Field> = match by_label {
                        true => expected.fields.iter().find(|it| it.label == field.label),
                        false => expected.fields.get(position),
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
        conditions.push(terms.or([not_offered, then]));
        terms.and(conditions)
    }

    /// Carries out the updates of an edge.
    fn assign(&self, edge: &Edge, values: &mut Values, terms: &mut Terms) {
        for update in &edge.updates {
            let value = terms.substitute(update.value, values);
            values.insert(update.variable, value);
        }
    }

    /// The condition of a pair for given values.
    fn at(&self, pair: (NodeId, NodeId), values: &Values, terms: &mut Terms) -> Term {
        terms.substitute(self.related(pair), values)
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

#[derive(Clone, Copy)]
enum Mover {
    Implementation,
    Specification,
}

/// The silent paths from a node, the empty one first.
///
/// A path that arrives where an earlier one did with the same values and under no fewer conditions is not followed.
fn silent_paths(stg: &Stg, start: NodeId, terms: &mut Terms) -> Vec<Path> {
    let mut paths = vec![Path {
        node: start,
        conditions: Vec::new(),
        values: Values::default(),
    }];
    let mut next = 0;
    while next < paths.len() && paths.len() < MOST_PATHS {
        for (_, edge) in stg.outgoing(paths[next].node) {
            if edge.event != Event::Silent {
                continue;
            }
            let from = &paths[next];
            let mut conditions = from.conditions.clone();
            let mut values = from.values.clone();
            let guard = terms.substitute(edge.guard, &values);
            if guard != Term::TRUE && !conditions.contains(&guard) {
                conditions.push(guard);
            }
            for update in &edge.updates {
                let value = terms.substitute(update.value, &values);
                values.insert(update.variable, value);
            }
            let known = paths.iter().any(|path| {
                path.node == edge.target
                    && path.values == values
                    && path.conditions.iter().all(|it| conditions.contains(it))
            });
            if !known {
                paths.push(Path {
                    node: edge.target,
                    conditions,
                    values,
                });
            }
        }
        next += 1;
    }
    paths
}
