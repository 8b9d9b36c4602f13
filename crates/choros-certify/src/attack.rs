//! Checks an attack: a way to win against every answer, position by position, with values.
//!
//! An attack shows that two sides are *not* related.
//! At each of its positions one side makes a move; every answer that the other side has leads to a position that stands
//! earlier in the list, or cannot take the values that come with the move.
//! So a play from the last position, which is the start, ends after finitely many moves with one that has no answer.
//!
//! All of it is run on the naive semantics of `choros-model`, without a solver.
//! Answers are found here, not believed: an attack that leaves one out is refuted.

use choros_data::{NoValue, Terms, Value};
use choros_model::stg::run::{Refusal, RunState, RunStep, enabled, fire, may_end};
use choros_model::stg::{EdgeId, Event, Field, FieldValue, Message, Stg};

use crate::flaw::Undecided;
use crate::paths::MAX_SILENT;
use crate::relation::Certificate;
use crate::sides::Sides;

/// A way to win against every answer; the last position is the start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attack {
    /// The positions; a play goes from later to earlier ones.
    pub positions: Vec<AttackPosition>,
}

/// Where both sides stand, and what is done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttackPosition {
    /// The implementation.
    pub left: RunState,
    /// The specification.
    pub right: RunState,
    /// What one side does.
    pub challenge: Challenge,
    /// What follows each answer.
    pub replies: Vec<AttackReply>,
}

/// What one side does and the other has to answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Challenge {
    /// The implementation takes a silent step, perhaps with values that it chooses; there is nothing to answer.
    Silent {
        /// The step.
        choice: RunStep,
        /// The position after it.
        to: usize,
    },
    /// The implementation ends.
    LeftEnds,
    /// The implementation takes a visible step.
    Left(EdgeId),
    /// The specification ends.
    RightEnds,
    /// The specification takes a step.
    Right(EdgeId),
}

/// An answer, the new values that are brought when it is given, and where that leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttackReply {
    /// Silent steps of the implementation, then its visible one.
    pub left: Vec<EdgeId>,
    /// The step of the specification.
    pub right: EdgeId,
    /// A value for each field that both sides bind.
    pub brought: Vec<Value>,
    /// The position after it; none where the side that answers cannot take the values.
    pub to: Option<usize>,
}

/// An answer that can be given: silent steps, where they lead, and the two steps that are one.
#[derive(Debug, Clone)]
pub struct PossibleReply {
    /// Silent steps of the implementation.
    pub silent: Vec<EdgeId>,
    /// Where they lead.
    pub situation: RunState,
    /// The visible step of the implementation.
    pub left: EdgeId,
    /// The step of the specification.
    pub right: EdgeId,
}

pub fn check_attack(
    attack: &Attack,
    sides: &Sides<'_>,
    allow_fixed: bool,
    terms: &Terms,
) -> Certificate {
    let Some(start) = attack.positions.last() else {
        return Certificate::Refuted(sides.left.initial(), sides.right.initial());
    };
    let initial = (sides.left.initial(), sides.right.initial());
    if !attack.positions.iter().all(|it| is_known(it, sides)) {
        return Certificate::Refuted(initial.0, initial.1);
    }
    let complete = |stg: &Stg, situation: &RunState| {
        stg.parameters(terms).iter().all(|&it| {
            let value = situation.values.get(&it);
            value.is_some_and(|value| value.sort() == terms.variable_sort(it))
        })
    };
    let complete = complete(&sides.left, &start.left) && complete(&sides.right, &start.right);
    let agree = |&(left, right): &_| {
        let (left, right) = (start.left.values.get(&left), start.right.values.get(&right));
        left.is_some() && left == right
    };
    let starts = (start.left.node, start.right.node) == initial;
    if !starts || !complete || !sides.shared.iter().all(agree) {
        return Certificate::Refuted(start.left.node, start.right.node);
    }
    for (index, position) in attack.positions.iter().enumerate() {
        let referee = Referee {
            sides,
            allow_fixed,
            terms,
            earlier: &attack.positions[..index],
        };
        match referee.wins(position) {
            Some(true) => {}
            Some(false) => return Certificate::Refuted(position.left.node, position.right.node),
            None => {
                let text = "silent steps of the implementation were not followed to their end";
                return Certificate::Undecided(Undecided {
                    text: text.to_owned(),
                    bound: None,
                });
            }
        }
    }
    Certificate::Confirmed
}

/// Whether the graphs have the nodes and edges of a position.
fn is_known(position: &AttackPosition, sides: &Sides<'_>) -> bool {
    let node = |stg: &Stg, at: &RunState| at.node.index() < stg.nodes().len();
    let left = |edge: &EdgeId| edge.index() < sides.left.edges().len();
    let right = |edge: &EdgeId| edge.index() < sides.right.edges().len();
    let challenge = match &position.challenge {
        Challenge::Silent { choice, .. } => left(&choice.edge),
        Challenge::Left(edge) => left(edge),
        Challenge::Right(edge) => right(edge),
        Challenge::LeftEnds | Challenge::RightEnds => true,
    };
    let mut replies = position.replies.iter();
    challenge
        && node(&sides.left, &position.left)
        && node(&sides.right, &position.right)
        && replies.all(|it| it.left.iter().all(left) && right(&it.right))
}

struct Referee<'a> {
    sides: &'a Sides<'a>,
    allow_fixed: bool,
    terms: &'a Terms,
    earlier: &'a [AttackPosition],
}

impl Referee<'_> {
    /// Whether the move of a position can be made and no answer helps; nothing where the answers are not all known.
    fn wins(&self, position: &AttackPosition) -> Option<bool> {
        let (left, right) = (&position.left, &position.right);
        let (own, other) = (&*self.sides.left, &*self.sides.right);
        let terms = self.terms;
        match &position.challenge {
            Challenge::Silent { choice, to } => {
                let silent = own.edges().get(choice.edge.index());
                if !silent.is_some_and(|it| it.event.is_silent()) {
                    return Some(false);
                }
                let Ok(fired) = fire(own, left, choice, terms) else {
                    return Some(false);
                };
                Some(self.is_at(*to, &fired.state, right))
            }
            Challenge::LeftEnds => Some(
                may_end(own, left, terms) == Ok(true) && may_end(other, right, terms) == Ok(false),
            ),
            Challenge::RightEnds => {
                if may_end(other, right, terms) != Ok(true) {
                    return Some(false);
                }
                let silent = in_silence(own, left, terms)?;
                Some(
                    silent
                        .iter()
                        .all(|(_, at)| may_end(own, at, terms) == Ok(false)),
                )
            }
            Challenge::Left(edge) => self.unanswered(position, own, left, *edge),
            Challenge::Right(edge) => self.unanswered(position, other, right, *edge),
        }
    }

    fn unanswered(
        &self,
        position: &AttackPosition,
        stg: &Stg,
        mover: &RunState,
        edge: EdgeId,
    ) -> Option<bool> {
        let can = enabled(stg, mover, self.terms).is_ok_and(|it| it.contains(&edge));
        if !can || stg.edge(edge).event.is_silent() {
            return Some(false);
        }
        let both = (&position.left, &position.right);
        let possible = answers(
            self.sides,
            &position.challenge,
            both,
            self.allow_fixed,
            self.terms,
        )?;
        Some(possible.iter().all(|it| self.fails(it, position)))
    }

    /// Whether an answer does not help: the attack has a reply to it that leads to an earlier position.
    fn fails(&self, answer: &PossibleReply, position: &AttackPosition) -> bool {
        position.replies.iter().any(|reply| {
            let Some((&last, silent)) = reply.left.split_last() else {
                return false;
            };
            if last != answer.left || reply.right != answer.right {
                return false;
            }
            let Some(there) = walk(&self.sides.left, &position.left, silent, self.terms) else {
                return false;
            };
            there == answer.situation && self.loses(answer, reply, position)
        })
    }

    /// Whether the reply beats the answer with the values it brings.
    fn loses(
        &self,
        answer: &PossibleReply,
        reply: &AttackReply,
        position: &AttackPosition,
    ) -> bool {
        let (own, other) = (&*self.sides.left, &*self.sides.right);
        let Some((left, right)) = steps(answer, &reply.brought, self.sides, self.terms) else {
            return false;
        };
        let left = fire(own, &answer.situation, &left, self.terms);
        let right = fire(other, &position.right, &right, self.terms);
        let is_left = matches!(position.challenge, Challenge::Left(_));
        let (moved, answered) = if is_left {
            (&left, &right)
        } else {
            (&right, &left)
        };
        if moved.is_err() {
            return false;
        }
        match (answered, reply.to) {
            // Updates that have no value for what was brought; a guard or a sort is another matter.
            (Err(Refusal::NoValue(NoValue::Undefined)), None) => true,
            (Ok(_), Some(to)) => match (&left, &right) {
                (Ok(left), Ok(right)) => self.is_at(to, &left.state, &right.state),
                _ => false,
            },
            _ => false,
        }
    }

    fn is_at(&self, index: usize, left: &RunState, right: &RunState) -> bool {
        let position = self.earlier.get(index);
        position.is_some_and(|it| it.left == *left && it.right == *right)
    }
}

/// The answers to a visible step, with their silent steps; nothing where there may be others.
pub fn answers(
    sides: &Sides<'_>,
    challenge: &Challenge,
    (left, right): (&RunState, &RunState),
    allow_fixed: bool,
    terms: &Terms,
) -> Option<Vec<PossibleReply>> {
    let (own, other) = (&*sides.left, &*sides.right);
    let mut possible = Vec::new();
    match *challenge {
        Challenge::Left(edge) => {
            for answer in enabled(other, right, terms).ok()? {
                let one = PossibleReply {
                    silent: Vec::new(),
                    situation: left.clone(),
                    left: edge,
                    right: answer,
                };
                if agree(sides, &one, right, allow_fixed, terms) {
                    possible.push(one);
                }
            }
        }
        Challenge::Right(edge) => {
            for (silent, situation) in in_silence(own, left, terms)? {
                for answer in enabled(own, &situation, terms).ok()? {
                    let one = PossibleReply {
                        silent: silent.clone(),
                        situation: situation.clone(),
                        left: answer,
                        right: edge,
                    };
                    if agree(sides, &one, right, allow_fixed, terms) {
                        possible.push(one);
                    }
                }
            }
        }
        Challenge::Silent { .. } | Challenge::LeftEnds | Challenge::RightEnds => {}
    }
    Some(possible)
}

/// Whether two steps are the same event with the same known data.
fn agree(
    sides: &Sides<'_>,
    one: &PossibleReply,
    right: &RunState,
    allow_fixed: bool,
    terms: &Terms,
) -> bool {
    let (own, other) = (
        &sides.left.edge(one.left).event,
        &sides.right.edge(one.right).event,
    );
    if own.is_silent() || other.is_silent() {
        return false;
    }
    let (Event::Message(own), Event::Message(other)) = (own, other) else {
        return own == other;
    };
    let Some(fields) = fields(own, other) else {
        return false;
    };
    fields.iter().all(|(a, b)| match (a.value, b.value) {
        (FieldValue::Free(a), FieldValue::Free(b)) => {
            let a = terms.evaluate(a, &one.situation.values);
            let b = terms.evaluate(b, &right.values);
            // An undefined value may equal any other here: the answer counts, so that no attack is claimed too early.
            a.is_err() || b.is_err() || a == b
        }
        (FieldValue::Bind(x), FieldValue::Bind(y)) => {
            terms.variable_sort(x) == terms.variable_sort(y)
        }
        (FieldValue::Free(a), FieldValue::Bind(y)) => {
            allow_fixed && terms.sort_of(a) == terms.variable_sort(y)
        }
        (FieldValue::Bind(_), FieldValue::Free(_)) => false,
    })
}

/// The fields of two messages that are one, those of the implementation in their order.
fn fields<'m>(own: &'m Message, other: &'m Message) -> Option<Vec<(&'m Field, &'m Field)>> {
    let like = |it: &Message| (it.operation, it.from, it.to, it.direction, it.fault);
    if like(own) != like(other) || own.fields.len() != other.fields.len() {
        return None;
    }
    let labelled = |it: &Message| it.fields.iter().all(|field| field.label.is_some());
    let by_label = labelled(own) && labelled(other);
    let pairs = own.fields.iter().enumerate().map(|(position, field)| {
        let partner = if by_label {
            other.fields.iter().find(|it| it.label == field.label)
        } else {
            other.fields.get(position)
        };
        Some((field, partner?))
    });
    pairs.collect()
}

/// Both steps of an answer with the values that are brought; nothing where those are too many or too few.
pub fn steps(
    answer: &PossibleReply,
    brought: &[Value],
    sides: &Sides<'_>,
    terms: &Terms,
) -> Option<(RunStep, RunStep)> {
    let mut left = RunStep {
        edge: answer.left,
        bound_values: Vec::new(),
    };
    let mut right = RunStep {
        edge: answer.right,
        bound_values: Vec::new(),
    };
    let (own, other) = (
        &sides.left.edge(answer.left).event,
        &sides.right.edge(answer.right).event,
    );
    let (Event::Message(own), Event::Message(other)) = (own, other) else {
        return brought.is_empty().then_some((left, right));
    };
    let mut brought = brought.iter();
    let mut taken: Vec<(&Field, Value)> = Vec::new();
    for (mine, theirs) in fields(own, other)? {
        match (mine.value, theirs.value) {
            (FieldValue::Bind(_), FieldValue::Bind(_)) => {
                let value = brought.next()?;
                left.bound_values.push(value.clone());
                taken.push((theirs, value.clone()));
            }
            (FieldValue::Free(term), FieldValue::Bind(_)) => {
                let value = terms.evaluate(term, &answer.situation.values).ok()?;
                taken.push((theirs, value));
            }
            _ => {}
        }
    }
    if brought.next().is_some() {
        return None;
    }
    // What the specification binds comes in the order of its own fields.
    for field in &other.fields {
        let known = taken.iter().find(|(it, _)| std::ptr::eq(*it, field));
        right
            .bound_values
            .extend(known.map(|(_, value)| value.clone()));
    }
    Some((left, right))
}

/// Where silent steps lead; nothing where one cannot be taken.
fn walk(stg: &Stg, from: &RunState, edges: &[EdgeId], terms: &Terms) -> Option<RunState> {
    let mut situation = from.clone();
    for &edge in edges {
        if !stg.edges().get(edge.index())?.event.is_silent() {
            return None;
        }
        let choice = RunStep {
            edge,
            bound_values: Vec::new(),
        };
        situation = fire(stg, &situation, &choice, terms).ok()?.state;
    }
    Some(situation)
}

/// All situations that silence leads to, each with a way; nothing where there are too many, or steps choose values.
fn in_silence(stg: &Stg, from: &RunState, terms: &Terms) -> Option<Vec<(Vec<EdgeId>, RunState)>> {
    let mut seen = vec![(Vec::new(), from.clone())];
    let mut next = 0;
    while next < seen.len() {
        let (way, situation) = seen[next].clone();
        next += 1;
        for (edge, it) in stg.outgoing(situation.node) {
            if !it.event.is_silent() {
                continue;
            }
            if it.event.bound_variables().next().is_some() {
                return None;
            }
            let choice = RunStep {
                edge,
                bound_values: Vec::new(),
            };
            match fire(stg, &situation, &choice, terms) {
                Ok(fired) => {
                    if seen.iter().any(|(_, known)| *known == fired.state) {
                        continue;
                    }
                    if seen.len() >= MAX_SILENT {
                        return None;
                    }
                    let mut way = way.clone();
                    way.push(edge);
                    seen.push((way, fired.state));
                }
                Err(Refusal::Guard | Refusal::NoValue(NoValue::Undefined)) => {}
                Err(_) => return None,
            }
        }
    }
    Some(seen)
}
