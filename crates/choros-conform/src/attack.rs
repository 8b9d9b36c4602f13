//! A way to win against every answer, for a reader who wants to check a *fails*.
//!
//! The run that people are shown goes along one answer at each step.
//! Here all answers are followed, with values, by the same ranks: where a pair is not related, its formula became false
//! at some moment, because every answer leads to a pair whose formula was false before.
//! What comes out is checked by `choros-certify` before anyone gets it.

use std::borrow::Cow;

use choros_base::Budget;
use choros_certify::{
    Attack, AttackPosition, AttackReply, Certificate, Challenge, PathValues, PossibleReply, Sides,
    answers, check_attack, sides, steps,
};
use choros_data::{Assignment, Term, Terms, Value, Var};
use choros_model::stg::run::{RunState, RunStep, fire, start};
use choros_model::stg::{Edge, EdgeId, Event, FieldValue, NodeId, Stg};
use choros_smt::{Satisfiability, Solver, SolverError};
use rustc_hash::FxHashMap;

use crate::Setup;
use crate::above::{Above, from_above};
use crate::clauses::{Challenge as Asked, System};
use crate::distinguish::{Walk, first_values};
use crate::fold::Fold;
use crate::matching::pair_fields;
use crate::pairs::Pairs;
use crate::replay::constants;
use crate::unfold::unfold;

/// An attack with more positions than this is given up.
const MAX_POSITIONS: usize = 5_000;

/// Followed counters may split a graph into this many states.
const MAX_UNFOLDED: usize = 5_000;

/// An attack that shows that the implementation does not conform; nothing where none is found.
pub fn attack(
    implementation: &Stg,
    specification: &Stg,
    setup: &Setup,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Option<Attack>, SolverError> {
    let sides = sides(implementation, specification, &setup.shared, terms);
    let found = search(&sides, setup, terms, solver, budget)?;
    let confirmed = |attack: &Attack, terms: &Terms| {
        check_attack(attack, &sides, setup.allow_fixed, terms) == Certificate::Confirmed
    };
    if let Some(found) = found.filter(|it| confirmed(it, terms)) {
        return Ok(Some(found));
    }
    let left = unfold(&sides.left, MAX_UNFOLDED, terms, budget);
    let right = unfold(&sides.right, MAX_UNFOLDED, terms, budget);
    let (Ok(left), Ok(right)) = (left, right) else {
        return Ok(None);
    };
    let unfolded = Sides {
        left: Cow::Borrowed(&left.stg),
        right: Cow::Borrowed(&right.stg),
        shared: sides.shared.clone(),
    };
    let mut found = search(&unfolded, setup, terms, solver, budget)?;
    let fold = Fold {
        sides: &sides,
        left: &left,
        right: &right,
    };
    if let Some(attack) = &mut found {
        fold.attack(attack);
    }
    Ok(found.filter(|it| confirmed(it, terms)))
}

fn search(
    sides: &Sides<'_>,
    setup: &Setup,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Option<Attack>, SolverError> {
    let mut system = System::new(sides, setup.allow_fixed, terms);
    let Ok(pairs) = Pairs::explore(&mut system, &sides.shared, terms, budget) else {
        return Ok(None);
    };
    let most = setup.most_changes;
    let above = from_above(&mut system, &pairs, most, terms, solver, budget)?;
    let Some(values) = first_values(&system, &pairs, &above, Term::TRUE, terms, solver)? else {
        return Ok(None);
    };
    let begin = |stg: &Stg, terms: &Terms| {
        let parameters = stg.parameters(terms).into_iter();
        let known: Assignment = parameters
            .filter_map(|it| Some((it, values.get(&it)?.clone())))
            .collect();
        start(stg, known)
    };
    let (left, right) = (begin(&sides.left, terms), begin(&sides.right, terms));
    let mut builder = Builder {
        sides,
        system,
        pairs: &pairs,
        above: &above,
        allow_fixed: setup.allow_fixed,
        positions: Vec::new(),
        known: FxHashMap::default(),
    };
    builder.build(left, right, terms, solver, budget)
}

type Key = (NodeId, Vec<(usize, Value)>, NodeId, Vec<(usize, Value)>);

struct Builder<'a> {
    sides: &'a Sides<'a>,
    system: System<'a>,
    pairs: &'a Pairs,
    above: &'a Above,
    allow_fixed: bool,
    positions: Vec<AttackPosition>,
    /// Where positions that are settled stand.
    known: FxHashMap<Key, usize>,
}

/// A position whose answers are being followed.
struct Frame {
    key: Key,
    position: AttackPosition,
    /// Where answers lead, the last one first: the reply, or the silent step itself.
    open: Vec<(Option<usize>, RunState, RunState)>,
}

impl Builder<'_> {
    fn build(
        &mut self,
        left: RunState,
        right: RunState,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<Option<Attack>, SolverError> {
        let Some(first) = self.frame(left, right, terms, solver)? else {
            return Ok(None);
        };
        let mut stack = vec![first];
        while let Some(mut frame) = stack.pop() {
            let Some((of, left, right)) = frame.open.pop() else {
                self.known.insert(frame.key, self.positions.len());
                self.positions.push(frame.position);
                continue;
            };
            let Some(&there) = self.known.get(&key(&left, &right)) else {
                let below = self.frame(left.clone(), right.clone(), terms, solver)?;
                let room = self.positions.len() + stack.len() < MAX_POSITIONS;
                let Some(below) = below.filter(|_| room && budget.spend().is_ok()) else {
                    return Ok(None);
                };
                frame.open.push((of, left, right));
                stack.extend([frame, below]);
                continue;
            };
            match (of, &mut frame.position.challenge) {
                (Some(reply), _) => frame.position.replies[reply].to = Some(there),
                (None, Challenge::Silent { to, .. }) => *to = there,
                (None, _) => return Ok(None),
            }
            stack.push(frame);
        }
        Ok(Some(Attack {
            positions: std::mem::take(&mut self.positions),
        }))
    }

    /// A position with the move that wins there, and where the answers lead.
    fn frame(
        &mut self,
        left: RunState,
        right: RunState,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Option<Frame>, SolverError> {
        let mut walk = Walk::at(left.clone(), right.clone());
        let (pairs, above) = (self.pairs, self.above);
        let found = walk.culprit(&mut self.system, pairs, above, u64::MAX, terms, solver)?;
        let Some(culprit) = found else {
            return Ok(None);
        };
        let moment = culprit.time;
        let mut open = Vec::new();
        let mut replies = Vec::new();
        let challenge = match culprit.challenge {
            Asked::Silent(edge) => {
                let brought = self.chosen(edge, &left, &right, moment, terms, solver)?;
                let Some(choice) = brought.map(|brought| RunStep {
                    edge,
                    bound_values: brought,
                }) else {
                    return Ok(None);
                };
                let Ok(fired) = fire(&self.sides.left, &left, &choice, terms) else {
                    return Ok(None);
                };
                open.push((None, fired.state, right.clone()));
                Challenge::Silent { choice, to: 0 }
            }
            Asked::LeftEnds => Challenge::LeftEnds,
            Asked::RightEnds => Challenge::RightEnds,
            Asked::Left(edge) => Challenge::Left(edge),
            Asked::Right(edge) => Challenge::Right(edge),
        };
        let possible = answers(
            self.sides,
            &challenge,
            (&left, &right),
            self.allow_fixed,
            terms,
        );
        for answer in possible.unwrap_or_default() {
            let is_left = matches!(challenge, Challenge::Left(_));
            let brought = self.brought(&answer, &right, is_left, moment, terms, solver)?;
            let Some((brought, after)) = brought else {
                return Ok(None);
            };
            let mut way = answer.silent.clone();
            way.push(answer.left);
            if let Some((left, right)) = after {
                open.push((Some(replies.len()), left, right));
            }
            replies.push(AttackReply {
                left: way,
                right: answer.right,
                brought,
                to: None,
            });
        }
        Ok(Some(Frame {
            key: key(&left, &right),
            position: AttackPosition {
                left,
                right,
                challenge,
                replies,
            },
            open,
        }))
    }

    /// The values that a silent step chooses so that the pair after it is not related.
    fn chosen(
        &self,
        edge: EdgeId,
        left: &RunState,
        right: &RunState,
        moment: u64,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Option<Vec<Value>>, SolverError> {
        let edge = self.sides.left.edge(edge);
        let mut values = constants(left, terms);
        let mut new = Vec::new();
        for variable in edge.event.bound_variables() {
            let one = terms.fresh_variable(variable);
            new.push(one);
            values.insert(variable, terms.var(one));
        }
        let takes = edge.accepts(terms);
        let takes = terms.substitute(takes, &values);
        assign(edge, &mut values, terms);
        values.extend(constants(right, terms));
        let pair = (edge.target, right.node);
        let Some(related) = self.related(pair, moment, &values, terms) else {
            return Ok(None);
        };
        let not_related = terms.not(related);
        let wrong = terms.and([takes, not_related]);
        values_for(wrong, &new, terms, solver)
    }

    /// The values to bring so that an answer does not help, and where both sides are then, if they are anywhere.
    #[expect(clippy::type_complexity, reason = "values, and perhaps two situations")]
    fn brought(
        &self,
        answer: &PossibleReply,
        right: &RunState,
        is_left: bool,
        moment: u64,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Option<(Vec<Value>, Option<(RunState, RunState)>)>, SolverError> {
        let (own, other) = (
            self.sides.left.edge(answer.left),
            self.sides.right.edge(answer.right),
        );
        let mut mine = constants(&answer.situation, terms);
        let mut theirs = constants(right, terms);
        let mut new = Vec::new();
        if let (Event::Message(sent), Event::Message(expected)) = (&own.event, &other.event) {
            for (a, b) in pair_fields(sent, expected).unwrap_or_default() {
                match (a.value, b.value) {
                    (FieldValue::Bind(x), FieldValue::Bind(y)) => {
                        let one = terms.fresh_variable(x);
                        new.push(one);
                        mine.insert(x, terms.var(one));
                        theirs.insert(y, terms.var(one));
                    }
                    (FieldValue::Free(a), FieldValue::Bind(y)) => {
                        let a = terms.substitute(a, &mine);
                        theirs.insert(y, a);
                    }
                    _ => {}
                }
            }
        }
        let (own_takes, other_takes) = (own.accepts(terms), other.accepts(terms));
        let own_takes = terms.substitute(own_takes, &mine);
        let other_takes = terms.substitute(other_takes, &theirs);
        let (offered, taken) = if is_left {
            (own_takes, other_takes)
        } else {
            (other_takes, own_takes)
        };
        assign(own, &mut mine, terms);
        assign(other, &mut theirs, terms);
        mine.extend(theirs);
        let pair = (own.target, other.target);
        let Some(related) = self.related(pair, moment, &mine, terms) else {
            return Ok(None);
        };
        let helps = terms.and([taken, related]);
        let not_helped = terms.not(helps);
        let wrong = terms.and([offered, not_helped]);
        let Some(brought) = values_for(wrong, &new, terms, solver)? else {
            return Ok(None);
        };
        let Some((left_step, right_step)) = steps(answer, &brought, self.sides, terms) else {
            return Ok(None);
        };
        let left = fire(&self.sides.left, &answer.situation, &left_step, terms);
        let right = fire(&self.sides.right, right, &right_step, terms);
        let after = match (left, right) {
            (Ok(left), Ok(right)) => Some((left.state, right.state)),
            _ => None,
        };
        Ok(Some((brought, after)))
    }

    /// When a pair was related just before a moment, for given values.
    fn related(
        &self,
        pair: (NodeId, NodeId),
        moment: u64,
        values: &PathValues,
        terms: &mut Terms,
    ) -> Option<Term> {
        let id = self.pairs.id(pair)?;
        let formula = self.above.before(id, moment);
        Some(terms.substitute(formula, values))
    }
}

/// Carries out the updates of an edge.
fn assign(edge: &Edge, values: &mut PathValues, terms: &mut Terms) {
    for update in &edge.updates {
        let value = terms.substitute(update.value, values);
        values.insert(update.variable, value);
    }
}

/// Values of variables that make a formula true.
fn values_for(
    formula: Term,
    of: &[Var],
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<Vec<Value>>, SolverError> {
    let formula = terms.simplify(formula);
    if of.is_empty() && formula == Term::TRUE {
        return Ok(Some(Vec::new()));
    }
    if solver.satisfiable(terms, &[formula])? != Satisfiability::Sat {
        return Ok(None);
    }
    let model = solver.model(terms, of);
    Ok(model.and_then(|model| of.iter().map(|it| model.get(it).cloned()).collect()))
}

fn key(left: &RunState, right: &RunState) -> Key {
    let sorted = |values: &Assignment| {
        let mut all: Vec<(usize, Value)> = values
            .iter()
            .map(|(variable, value)| (variable.index(), value.clone()))
            .collect();
        all.sort_unstable_by_key(|it| it.0);
        all
    };
    (
        left.node,
        sorted(&left.values),
        right.node,
        sorted(&right.values),
    )
}
