//! What must be so for a pair of nodes to be related: the predicate equation of the pair.
//!
//! The equation is the conjunction of *clauses*, one per thing that one side can do:
//!
//! ```text
//! F(s,t) =  ⋀ s –[f] τ→ s'        : f ⇒ ∀c. F(s',t)
//!        ∧  ⋀ s may end under f   : f ⇒ ⋁ t may end under g             : g
//!        ∧  ⋀ s –[f] e→ s'        : f ⇒ ⋁ t –[g] e'→ t' that matches    : g ∧ equal data ∧ ∀z. F(s',t')
//!        ∧  ⋀ t may end under g   : g ⇒ ⋁ s =[h]⇒ u, u may end under f  : ∃c. h ∧ f
//!        ∧  ⋀ t –[g] e'→ t'       : g ⇒ ⋁ s =[h]⇒ u –[f] e→ u'          : ∃c. h ∧ f ∧ equal data ∧ ∀z. F(u',t')
//! ```
//!
//! It is the most general formula after Definition 4 of Nguyen's thesis.
//! The definition also asks for *(u,t)* to be related where `u` is reached in silence; the first line implies that
//! already, so the conjunct is left out: dropping it from the equations does not change their greatest solution.
//! The answer is chosen before the new values *z* are known (*late*): the quantifier stands inside the disjunction.
//! *c* are the values that silent steps choose: all of them must do where the implementation moves by itself, some must
//! do where it answers, and those are chosen before *z* is known as well.

use std::rc::Rc;

use choros_certify::Sides;
use choros_data::{Term, Terms, Var};
use choros_model::stg::{EdgeId, FreeVariables, NodeId, Stg};
use rustc_hash::FxHashMap;

use crate::beyond::{FirstVisible, OpenEnds};
use crate::formula::Substitution;
use crate::matching::{Matched, NewValues, accepted, after, matched};
use crate::silent::{Choices, Reach, Situation as Silence, silent_reach};

/// A pair of nodes: of the implementation, of the specification.
pub(crate) type Pair = (NodeId, NodeId);

/// Something that one side can do and that must be answered.
#[derive(Debug, Clone)]
pub(crate) struct Clause {
    /// Who does what.
    pub(crate) challenge: Challenge,
    /// When it can.
    pub(crate) premise: Term,
    /// How it can be answered; for a silent step, the step itself.
    pub(crate) answers: Vec<Reply>,
    /// Silence was not followed to its end, so there may be more answers.
    pub(crate) cut: bool,
}

/// Who does what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Challenge {
    /// The implementation takes a silent step.
    Silent(EdgeId),
    /// The implementation ends.
    LeftEnds,
    /// The implementation takes a visible step.
    Left(EdgeId),
    /// The specification may end.
    RightEnds,
    /// The specification may take a step.
    Right(EdgeId),
}

/// One answer.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    /// Values that silent steps choose on the way to it; some must do.
    pub(crate) chosen: Vec<Var>,
    /// When it can be given.
    pub(crate) condition: Term,
    /// What follows from it; nothing after the end.
    pub(crate) then: Option<Then>,
}

/// What follows an answer.
#[derive(Debug, Clone)]
pub(crate) struct Then {
    /// The step of the implementation.
    pub(crate) left: EdgeId,
    /// The silent situation in which it is taken: its node and values.
    pub(crate) from: (NodeId, Substitution),
    /// The step of the specification, unless the implementation's was silent.
    pub(crate) right: Option<EdgeId>,
    /// New values, for all of which the rest must hold.
    pub(crate) bound: Vec<Var>,
    /// The new values that the challenger can do something with.
    pub(crate) offered: Term,
    /// The new values that the answer can do something with.
    pub(crate) accepted: Term,
    /// Where both sides are then.
    pub(crate) pair: Pair,
    /// The values of variables then, in terms of those now and of the new ones.
    pub(crate) values: Substitution,
}

/// Makes the clauses of pairs.
pub(crate) struct System<'a> {
    pub(crate) left: &'a Stg,
    pub(crate) right: &'a Stg,
    pub(crate) left_free: FreeVariables,
    pub(crate) right_free: FreeVariables,
    allow_fixed: bool,
    /// What the implementation may do beyond its graph.
    beyond: Option<&'a OpenEnds>,
    new_values: NewValues,
    choices: Choices,
    reaches: FxHashMap<NodeId, Rc<Reach>>,
}

impl<'a> System<'a> {
    pub(crate) fn new(sides: &'a Sides<'_>, allow_fixed: bool, terms: &Terms) -> Self {
        System {
            left: &sides.left,
            right: &sides.right,
            left_free: FreeVariables::of(&sides.left, terms),
            right_free: FreeVariables::of(&sides.right, terms),
            allow_fixed,
            beyond: None,
            new_values: NewValues::default(),
            choices: Choices::default(),
            reaches: FxHashMap::default(),
        }
    }

    /// The same for an implementation that may do more.
    pub(crate) fn with(self, beyond: &'a OpenEnds) -> Self {
        System {
            beyond: Some(beyond),
            ..self
        }
    }

    /// The initial pair.
    pub(crate) fn initial(&self) -> Pair {
        (self.left.initial(), self.right.initial())
    }

    /// The variables that matter at a pair, those of the implementation first.
    pub(crate) fn live(&self, pair: Pair) -> Vec<Var> {
        let mut live = self.left_free.at(pair.0);
        live.extend(self.right_free.at(pair.1));
        live
    }

    /// The equation of a pair.
    pub(crate) fn clauses(&mut self, (s, t): Pair, terms: &mut Terms) -> Vec<Clause> {
        let (left, right) = (self.left, self.right);
        let nothing = Substitution::default();
        let mut clauses = Vec::new();
        for (id, edge) in left.outgoing(s) {
            let mut answers = Vec::new();
            if edge.event.is_silent() {
                let brought = self.new_values.chosen(&edge.event, terms);
                let values = after(edge, &nothing, &brought, terms);
                let bound = brought.iter().filter_map(|it| terms.as_variable(it.1));
                answers.push(Reply {
                    chosen: Vec::new(),
                    condition: Term::TRUE,
                    then: Some(Then {
                        left: id,
                        from: (s, nothing.clone()),
                        right: None,
                        bound: bound.collect(),
                        offered: accepted(edge, &nothing, &brought, terms),
                        accepted: Term::TRUE,
                        pair: (edge.target, t),
                        values,
                    }),
                });
            } else {
                for (other, _) in right.outgoing(t) {
                    let here = Silence {
                        node: s,
                        values: nothing.clone(),
                        chosen: Vec::new(),
                        condition: Term::TRUE,
                    };
                    let reply = self.reply(&here, id, other, Challenge::Left(id), terms);
                    answers.extend(reply);
                }
            }
            clauses.push(Clause {
                challenge: if edge.event.is_silent() {
                    Challenge::Silent(id)
                } else {
                    Challenge::Left(id)
                },
                premise: edge.guard,
                answers,
                cut: false,
            });
        }
        let (left_ends, right_ends) = (left.termination(s, terms), right.termination(t, terms));
        if left_ends != Term::FALSE {
            clauses.push(Clause {
                challenge: Challenge::LeftEnds,
                premise: left_ends,
                answers: end(&[], right_ends),
                cut: false,
            });
        }
        if right_ends == Term::FALSE && right.outgoing(t).next().is_none() {
            return clauses;
        }
        let reach = self.reach(s, terms);
        if right_ends != Term::FALSE {
            let mut answers = Vec::new();
            for situation in &reach.situations {
                let ends = left.termination(situation.node, terms);
                let ends = terms.substitute(ends, &situation.values);
                let condition = terms.and([situation.condition, ends]);
                answers.extend(end(&situation.chosen, condition));
            }
            clauses.push(Clause {
                challenge: Challenge::RightEnds,
                premise: right_ends,
                answers,
                cut: reach.cut || self.goes_on(&reach, &|(_, ends)| *ends),
            });
        }
        for (id, edge) in right.outgoing(t) {
            let mut answers = Vec::new();
            for situation in &reach.situations {
                for (own, _) in left.outgoing(situation.node) {
                    let challenge = Challenge::Right(id);
                    answers.extend(self.reply(situation, own, id, challenge, terms));
                }
            }
            let asked = edge.event.message();
            let asked = asked.map(|it| (it.operation, it.from, it.to));
            let comes = |(first, _): &FirstVisible| asked.is_none_or(|it| first.contains(&it));
            clauses.push(Clause {
                challenge: Challenge::Right(id),
                premise: edge.guard,
                answers,
                cut: reach.cut || self.goes_on(&reach, &comes),
            });
        }
        clauses
    }

    /// Whether silence leads to a node beyond which something may come first.
    fn goes_on(&self, reach: &Reach, comes: &dyn Fn(&FirstVisible) -> bool) -> bool {
        self.beyond.is_some_and(|beyond| {
            let nodes = reach.situations.iter().map(|it| it.node);
            nodes.filter_map(|it| beyond.first.get(&it)).any(comes)
        })
    }

    /// A step of the implementation from a silent situation and one of the specification, if they match.
    fn reply(
        &mut self,
        silence: &Silence,
        own: EdgeId,
        other: EdgeId,
        challenge: Challenge,
        terms: &mut Terms,
    ) -> Option<Reply> {
        let (left, right) = (self.left.edge(own), self.right.edge(other));
        let values = &silence.values;
        let found = matched(
            &left.event,
            values,
            &right.event,
            self.allow_fixed,
            &mut self.new_values,
            terms,
        )?;
        let nothing = Substitution::default();
        let left_accepts = accepted(left, values, &found.left, terms);
        let right_accepts = accepted(right, &nothing, &found.right, terms);
        let (own_guard, offered, accepts) = match challenge {
            Challenge::Left(_) => (right.guard, left_accepts, right_accepts),
            _ => {
                let guard = terms.substitute(left.guard, values);
                (guard, right_accepts, left_accepts)
            }
        };
        let mut conditions = vec![silence.condition, own_guard];
        conditions.extend(found.conditions);
        let condition = terms.and(conditions);
        if terms.simplify(condition) == Term::FALSE {
            return None;
        }
        let mut then = after(left, values, &found.left, terms);
        then.extend(after(right, &nothing, &found.right, terms));
        Some(Reply {
            chosen: silence.chosen.clone(),
            condition,
            then: Some(Then {
                left: own,
                from: (silence.node, values.clone()),
                right: Some(other),
                bound: found.bound,
                offered,
                accepted: accepts,
                pair: (left.target, right.target),
                values: then,
            }),
        })
    }

    /// Whether a known value may answer where the specification leaves it open.
    pub(crate) fn allows_fixed(&self) -> bool {
        self.allow_fixed
    }

    /// What the two steps of an answer bind, in terms of the values before and of the new ones.
    pub(crate) fn data(
        &mut self,
        then: &Then,
        right: EdgeId,
        terms: &mut Terms,
    ) -> Option<Matched> {
        matched(
            &self.left.edge(then.left).event,
            &then.from.1,
            &self.right.edge(right).event,
            self.allow_fixed,
            &mut self.new_values,
            terms,
        )
    }

    fn reach(&mut self, node: NodeId, terms: &mut Terms) -> Rc<Reach> {
        if let Some(known) = self.reaches.get(&node) {
            return known.clone();
        }
        let choices = &mut self.choices;
        let reach = silent_reach(self.left, &self.left_free, node, choices, terms);
        let reach = Rc::new(reach);
        // Nodes without silent steps are the rule, and cheap.
        if reach.situations.len() > 1 {
            self.reaches.insert(node, reach.clone());
        }
        reach
    }
}

fn end(chosen: &[Var], condition: Term) -> Vec<Reply> {
    match condition {
        Term::FALSE => Vec::new(),
        condition => vec![Reply {
            chosen: chosen.to_vec(),
            condition,
            then: None,
        }],
    }
}
