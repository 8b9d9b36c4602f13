//! The part of a role as the role can follow it: one state for each belief, one step for each message.
//!
//! A role does not see what others tell each other, so after a history it stands in one of several places, each under a
//! condition on values that it does not know.
//! A message is possible where *some* values and places explain the whole history with it: that is L(r), in which unknown
//! values are existential over the history.
//! The graph of the beliefs has no hidden values, no silent steps, and for each message one way on.
//!
//! A belief is a set of places `(node, values, condition)`: `values` says which variable of the belief, or which unknown,
//! a variable of the part stands for; `condition` is all that was said about the unknowns.
//!
//! - A silent step adds its guard to the condition; what it chooses or assigns is a new unknown.
//! - A message adds its guard, and that it carries this value; it is possible if `∃ unknowns. condition`.
//! - Steps with the same message become one step to all their targets.
//! - What a message binds has a variable of its own where the old value is still spoken of.
//!
//! What a message may carry is written as the waist can write it ([`carried`]): known terms, any value, or a value that
//! is given from outside and that satisfies the condition, where it is received at most once.
//! Where no such form exists, or a condition is not decided, the answer is the reason, and nothing is compared.

mod carried;
mod place;

use choros_base::{Budget, StopReason};
use choros_data::{Quantifier, Term, Terms, Var};
use choros_model::stg::{
    Alphabet, Direction, Edge, Event, FreeVariables, NodeId, Operation, Stg, StgBuilder, Update,
};
use choros_smt::{Elimination, Satisfiability, Solver, SolverError, Truth};
use rustc_hash::{FxHashMap, FxHashSet};

use self::carried::Group;
use self::place::{Place, Unknowns};
use crate::projection::minimise::minimise;
use crate::shape::Shape;
use crate::stopped::AnalysisStop;

/// A belief may have this many places, and a place may change so often.
const MAX_PLACES: usize = 48;
const MAX_CHANGES: u32 = 16;

/// The graph of beliefs may be this many times as large as the part, and a little more.
const MAX_GROWTH: usize = 8;
const LEAST_GROWTH: usize = 32;

/// The part as the role can follow it.
pub(crate) struct Believed {
    /// Without hidden values and silent steps.
    pub(crate) stg: Stg,
    /// Parameters that stand for values that partners may send: the service has to take them all.
    pub(crate) told: Vec<Var>,
    /// Messages that the role may send with any value as well as with a known one: the graph has only the first.
    pub(crate) absorbed: Alphabet,
}

/// Why there is no such graph.
pub(crate) enum Halt {
    Stopped(AnalysisStop),
    /// The end of "because".
    Unclear(String),
}

impl From<AnalysisStop> for Halt {
    fn from(stopped: AnalysisStop) -> Self {
        Halt::Stopped(stopped)
    }
}

impl From<SolverError> for Halt {
    fn from(error: SolverError) -> Self {
        Halt::Stopped(error.into())
    }
}

impl From<StopReason> for Halt {
    fn from(spent: StopReason) -> Self {
        Halt::Stopped(spent.into())
    }
}

fn unclear<T>(reason: impl Into<String>) -> Result<T, Halt> {
    Err(Halt::Unclear(reason.into()))
}

/// The part as a role can follow it; `given` are the parameters of the choreography, which everyone knows.
pub(crate) fn believed(
    part: &Stg,
    given: &[Var],
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Believed, Halt> {
    let hidden: Vec<Var> = part.parameters(terms);
    let hidden = hidden.into_iter().filter(|it| !given.contains(it));
    let hidden: Vec<Var> = hidden.collect();
    if hidden.is_empty() && is_followed(part, terms) {
        return Ok(Believed {
            stg: part.clone(),
            told: Vec::new(),
            absorbed: Alphabet::default(),
        });
    }
    let strange = |edge: &Edge| !edge.event.is_silent() && edge.event.message().is_none();
    if part.edges().iter().any(strange) {
        return unclear("the role does not see all values, and there are steps of time");
    }
    let mut beliefs = Beliefs {
        part,
        free: FreeVariables::of(part, terms),
        order: part.variables(terms),
        unknowns: Unknowns::new(part, terms),
        states: Vec::new(),
        builder: StgBuilder::new(part.name(), part.ending()),
        names: FxHashMap::default(),
        reserved: given.iter().copied().collect(),
        told: Vec::new(),
        absorbed: Alphabet::default(),
        terms,
        solver,
    };
    let initial = beliefs.start(given, &hidden)?;
    let most = MAX_GROWTH * part.nodes().len() + LEAST_GROWTH;
    let mut next = 0;
    while next < beliefs.states.len() {
        budget.spend()?;
        if beliefs.states.len() > most {
            return unclear(
                "what the role may believe about values that it does not see has no end",
            );
        }
        beliefs.expand(NodeId(next as u32))?;
        next += 1;
    }
    let stg = beliefs.builder.finish_as_built(initial);
    let again = |it: &&Told| reaches(&stg, it.target, it.source);
    if let Some(told) = beliefs.told.iter().find(again) {
        return unclear(format!(
            "`{}` brings the role, again and again, a value that depends on what it does not see",
            terms.names.text(told.message.0)
        ));
    }
    Ok(Believed {
        told: beliefs.told.into_iter().flat_map(|it| it.values).collect(),
        absorbed: beliefs.absorbed,
        stg: minimise(&stg, terms),
    })
}

/// Whether a role can follow its part as it is: no silent steps, and no two steps with one kind of message.
fn is_followed(part: &Stg, terms: &Terms) -> bool {
    part.node_ids().all(|node| {
        let mut seen = FxHashSet::default();
        part.outgoing(node).all(|(_, edge)| match &edge.event {
            Event::Message(message) => seen.insert((message.direction, Shape::of(message, terms))),
            event => !event.is_silent(),
        })
    })
}

/// Whether there is a way from one node to another.
fn reaches(stg: &Stg, from: NodeId, to: NodeId) -> bool {
    let mut seen = FxHashSet::from_iter([from]);
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        if node == to {
            return true;
        }
        let next = stg.outgoing(node).map(|(_, edge)| edge.target);
        work.extend(next.filter(|&it| seen.insert(it)));
    }
    false
}

/// A step that brings values which are given from outside.
struct Told {
    message: Operation,
    values: Vec<Var>,
    source: NodeId,
    target: NodeId,
}

struct Beliefs<'a> {
    part: &'a Stg,
    /// What is still read at a node.
    free: FreeVariables,
    /// The variables of the part in the order of the graph.
    order: Vec<Var>,
    unknowns: Unknowns,
    states: Vec<Vec<Place>>,
    builder: StgBuilder,
    /// The variables of beliefs, by their names.
    names: FxHashMap<String, Var>,
    /// Variables with values from outside, which nothing may write.
    reserved: FxHashSet<Var>,
    told: Vec<Told>,
    absorbed: Alphabet,
    terms: &'a mut Terms,
    solver: &'a mut dyn Solver,
}

impl Beliefs<'_> {
    fn start(&mut self, given: &[Var], hidden: &[Var]) -> Result<NodeId, Halt> {
        let mut place = Place::at(self.part.initial());
        for &variable in given {
            let text = self.terms.variable_text(variable).to_owned();
            self.names.insert(text, variable);
            place.set(variable, variable);
        }
        for &variable in hidden {
            let unknown = self.unknowns.other_than(&place, variable, self.terms);
            place.set(variable, unknown);
        }
        self.state(vec![place])
    }

    /// All that can happen in a state.
    fn expand(&mut self, source: NodeId) -> Result<(), Halt> {
        let places = self.states[source.index()].clone();
        let mut ends = Vec::new();
        for place in &places {
            for termination in &self.part.node(place.node).terminations {
                let guard = place.read(termination.guard, self.terms);
                let guard = self.terms.and([place.condition, guard]);
                ends.push(self.for_some(guard, &[])?);
            }
        }
        let end = self.either(&ends)?;
        if end != Term::FALSE {
            self.builder.terminate(self.terms, source, end, None);
        }
        let mut groups: Vec<(Shape, Direction, Group)> = Vec::new();
        for place in &places {
            for (_, edge) in self.part.outgoing(place.node) {
                let Event::Message(message) = &edge.event else {
                    continue;
                };
                let guard = place.read(edge.guard, self.terms);
                let condition = self.terms.and([place.condition, guard]);
                if !self.is_possible(condition)? {
                    continue;
                }
                let member = Member {
                    place: Place {
                        condition,
                        ..place.clone()
                    },
                    edge: edge.clone(),
                };
                let shape = Shape::of(message, self.terms);
                let known = groups.iter_mut();
                let mut known = known.filter(|it| it.0 == shape && it.1 == message.direction);
                match known.next() {
                    Some((_, _, group)) => group.members.push(member),
                    None => {
                        let members = vec![member];
                        groups.push((shape, message.direction, Group { members }));
                    }
                }
            }
        }
        for (_, _, group) in groups {
            self.follow(source, &places, group)?;
        }
        Ok(())
    }

    /// The number of a belief, which is added if it is new; silent steps are done first.
    fn state(&mut self, places: Vec<Place>) -> Result<NodeId, Halt> {
        let mut places = self.close(places)?;
        self.forget_common(&mut places);
        for index in 0..self.states.len() {
            if self.is_same(index, &places)? {
                return Ok(NodeId(index as u32));
            }
        }
        let node = self.builder.node((self.states.len() + 1).to_string());
        self.states.push(places);
        Ok(node)
    }

    fn is_same(&mut self, index: usize, places: &[Place]) -> Result<bool, Halt> {
        let known = &self.states[index];
        let alike = known.len() == places.len()
            && known
                .iter()
                .zip(places)
                .all(|(one, other)| one.stands_as(other));
        if !alike {
            return Ok(false);
        }
        let pairs: Vec<(Term, Term)> = known
            .iter()
            .zip(places)
            .map(|(one, other)| (one.condition, other.condition))
            .filter(|(one, other)| one != other)
            .collect();
        for (one, other) in pairs {
            // What is not decided counts as different: the graph is larger, and as exact.
            if self.solver.equivalent(self.terms, one, other)? != Truth::True {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The places and all that silent steps lead to.
    fn close(&mut self, places: Vec<Place>) -> Result<Vec<Place>, Halt> {
        let mut reached: Vec<(Place, u32)> = Vec::new();
        let mut work = Vec::new();
        for place in places {
            work.push(self.normal(place)?);
        }
        while let Some(mut place) = work.pop() {
            match reached.iter().position(|it| it.0.stands_as(&place)) {
                None => reached.push((place.clone(), 0)),
                Some(at) => {
                    let (known, changes) = (reached[at].0.condition, reached[at].1);
                    match self.solver.implies(self.terms, place.condition, known)? {
                        Truth::True => continue,
                        Truth::False => {}
                        Truth::Unknown(reason) => return unclear(reason.to_string()),
                    }
                    if changes == MAX_CHANGES {
                        return unclear(
                            "silent steps say more and more about values that the role does not see",
                        );
                    }
                    place.condition = self.terms.or([known, place.condition]);
                    reached[at] = (place.clone(), changes + 1);
                }
            }
            if reached.len() > MAX_PLACES {
                return unclear("the role can be in too many states without knowing which");
            }
            for (_, edge) in self.part.outgoing(place.node) {
                if !edge.event.is_silent() {
                    continue;
                }
                let guard = place.read(edge.guard, self.terms);
                let condition = self.terms.and([place.condition, guard]);
                if !self.is_possible(condition)? {
                    continue;
                }
                let mut next = Place {
                    node: edge.target,
                    condition,
                    ..place.clone()
                };
                for variable in edge.event.bound_variables() {
                    let unknown = self.unknowns.other_than(&next, variable, self.terms);
                    next.set(variable, unknown);
                }
                for update in &edge.updates {
                    self.assign_unseen(&mut next, update);
                }
                work.push(self.normal(next)?);
            }
        }
        let mut places: Vec<Place> = reached.into_iter().map(|it| it.0).collect();
        places.sort_by_key(|place| place.node);
        Ok(places)
    }

    /// A variable that stands for a term of which the role need not know the value.
    fn assign_unseen(&mut self, place: &mut Place, update: &Update) {
        let value = place.read(update.value, self.terms);
        if let Some(variable) = self.terms.as_variable(value) {
            place.set(update.variable, variable);
            return;
        }
        let new = self.unknowns.other_than(place, update.variable, self.terms);
        let defined = self.terms.defined(value);
        let new_value = self.terms.var(new);
        let same = self.terms.equal(new_value, value);
        place.condition = self.terms.and([place.condition, defined, same]);
        place.set(update.variable, new);
    }

    fn is_possible(&mut self, condition: Term) -> Result<bool, Halt> {
        match self.terms.decide_box(&[condition]) {
            Some(answer) => return Ok(answer),
            None if condition == Term::TRUE => return Ok(true),
            None => {}
        }
        match self.solver.satisfiable(self.terms, &[condition])? {
            Satisfiability::Sat => Ok(true),
            Satisfiability::Unsat => Ok(false),
            Satisfiability::Unknown(reason) => unclear(reason.to_string()),
        }
    }

    /// The condition under which some unknown values, and values of `others`, satisfy a condition.
    fn for_some(&mut self, condition: Term, others: &[Var]) -> Result<Term, Halt> {
        let free = self.terms.free_variables(condition);
        let some = |it: &Var| self.unknowns.contains(*it) || others.contains(it);
        let (some, rest): (Vec<Var>, Vec<Var>) = free.into_iter().partition(some);
        if some.is_empty() {
            return Ok(condition);
        }
        if rest.is_empty() {
            return Ok(if self.is_possible(condition)? {
                Term::TRUE
            } else {
                Term::FALSE
            });
        }
        let question = self.terms.quantify(Quantifier::Exists, &some, condition);
        match self.solver.eliminate(self.terms, question)? {
            Elimination::Free(found) => Ok(self.terms.simplify(found)),
            Elimination::Quantified(_) => unclear(
                "a condition about values that the role does not see could not be written without them",
            ),
        }
    }

    /// Conditions joined by *or*: *true* or *false* where that is always so.
    fn either(&mut self, conditions: &[Term]) -> Result<Term, Halt> {
        let whole = self.terms.or(conditions.iter().copied());
        if whole == Term::TRUE || !self.is_possible(whole)? {
            return Ok(match whole {
                Term::TRUE => whole,
                _ => Term::FALSE,
            });
        }
        Ok(match self.solver.valid(self.terms, whole)? {
            Truth::True => Term::TRUE,
            _ => whole,
        })
    }
}

/// A step of one place.
struct Member {
    /// Where it starts, under its guard.
    place: Place,
    edge: Edge,
}
