//! Silent steps out of a role's behaviour, so that it never has to guess one (section 3.4: weak determinisation).
//!
//! The subset construction, with conditions: a state is a set of places where the role may stand, each with the
//! condition on the role's own data under which it stands there.
//!
//! - A silent step `s –[φ]τ→ s'` adds the place `s'` under the condition of `s` and `φ`; two ways to one place are
//!   one place under *or*.
//! - Steps that look alike ([`alike`]) and whose conditions may hold together become one step to all their targets,
//!   each under its own condition while the step leaves the variables of it alone; steps whose conditions exclude each other stay
//!   apart, because the role's data tell them apart.
//! - A state may terminate if one of its places may.
//!
//! A guarded silent step is thereby moved into the guards of what follows: `[x <= 0]τ; √` becomes `√` under `x <= 0`.
//! A silent step that chooses or assigns values stays, as a step like others.
//!
//! Beside the condition under which the role takes part in what happens at a place, each place has the condition under
//! which the role *expects* to stand there, by the guards that it knows: a receiver takes every message, and still
//! knows when none can come.
//! By these it judges whether all may be over, and whether to wait ([`Foresight`]).
//! Where they contradict each other something has happened that should not have, and they do not count.
//!
//! The natural projection may forget a condition that a step overwrites, because a receiver takes everything.
//! The part of a role may not: there such steps stay apart ([`Precision`]).

use std::collections::BTreeMap;

use choros_base::Budget;
use choros_data::{Term, Terms};
use choros_model::stg::{Direction, Edge, EdgeId, Event, FreeVariables, NodeId, Stg, StgBuilder};
use rustc_hash::FxHashMap;

use crate::AnalysisStop;
use crate::projection::Foresight;
use crate::projection::alike::{self, Label, one_for_all};
use crate::projection::steps::{VisibleStep, apart, grouped};
use crate::projection::webs::by_webs;
use crate::reachability::contradiction::{Oracle, Together};

/// A place may be reached by this many different conditions before it counts as reached under any.
const MAX_CONDITIONS: u32 = 16;

/// A graph that has to stay exact may grow by so much.
const MAX_GROWTH: usize = 8;

/// A place where the role may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    node: NodeId,
    /// When it acts from there.
    stands: Term,
    /// When it has reason to think that it is there: this implies the other.
    expects: Term,
}

/// Places in the order of nodes.
type Places = Vec<Place>;

/// What is left without silent steps.
pub(crate) struct Determined {
    /// The graph; its nodes are labelled 1, 2, … breadth-first.
    pub(crate) stg: Stg,
    /// For each node, what the role knows there.
    pub(crate) foresights: Vec<Foresight>,
}

/// What becomes of a condition that cannot be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Precision {
    /// It is forgotten: the result may do more than the graph.
    Forgetful,
    /// Steps under different conditions stay apart, and a graph with too many conditions stays as it is: the result
    /// has the same runs as the graph.
    Exact,
}

/// States that differ in nothing but what the role expects; more of them expect whatever is possible.
const MAX_VARIANTS: usize = 16;

/// The graph without silent steps.
pub(crate) fn determinise(
    stg: &Stg,
    precision: Precision,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
    budget: &Budget,
) -> Result<Stg, AnalysisStop> {
    let guards: Vec<Term> = stg.edges().iter().map(|edge| edge.guard).collect();
    Ok(determinise_expecting(stg, &guards, precision, terms, oracle, budget)?.stg)
}

/// The same, and when the role expects a message; `expected` says for each edge what the role knows of when it comes.
pub(crate) fn determinise_expecting(
    stg: &Stg,
    expected: &[Term],
    precision: Precision,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
    budget: &Budget,
) -> Result<Determined, AnalysisStop> {
    let mut view = View {
        looks: match precision {
            Precision::Forgetful => alike::looks(stg.edges(), terms),
            Precision::Exact => Vec::new(),
        },
        stg,
        expected,
        precision,
        live: None,
        in_the_way: false,
    };
    let determined = view.determined(terms, oracle, budget)?;
    if !view.in_the_way {
        return Ok(determined);
    }
    // Steps stay apart only where other names do not help.
    let live = view.live(terms).clone();
    let (stg, expected) = by_webs(stg, expected, &live, terms);
    let mut view = View {
        looks: alike::looks(stg.edges(), terms),
        stg: &stg,
        expected: &expected,
        precision,
        live: None,
        in_the_way: false,
    };
    view.determined(terms, oracle, budget)
}

/// Where the steps of a group lead; a condition that all of them have says nothing that still matters.
fn targets(group: &[VisibleStep<'_>], label: &Label, terms: &Terms) -> Places {
    let first = &group[0];
    let one = group.iter().all(|step| step.guard == first.guard);
    let one_expected = group.iter().all(|step| step.expects == first.expects);
    let places = group.iter().map(|step| {
        let kept = |one: bool, condition: Term| !one && label.keeps(condition, terms);
        let stands = if kept(one, step.guard) {
            step.guard
        } else {
            Term::TRUE
        };
        let expects = if kept(one_expected, step.expects) {
            step.expects
        } else {
            stands
        };
        Place {
            node: step.edge.target,
            stands,
            expects,
        }
    });
    places.collect()
}

/// The states that were found.
#[derive(Default)]
struct States {
    all: Vec<Places>,
    numbers: FxHashMap<Places, NodeId>,
    /// How many there are that differ in what the role expects only.
    variants: FxHashMap<Vec<(NodeId, Term)>, usize>,
}

impl States {
    /// The number of a state, which is added if it is new.
    fn number(&mut self, mut places: Places, builder: &mut StgBuilder) -> NodeId {
        if let Some(&known) = self.numbers.get(&places) {
            return known;
        }
        let stands = places.iter().map(|it| (it.node, it.stands)).collect();
        let variants = self.variants.entry(stands).or_default();
        *variants += 1;
        if *variants > MAX_VARIANTS {
            for place in &mut places {
                place.expects = place.stands;
            }
            if let Some(&known) = self.numbers.get(&places) {
                return known;
            }
        }
        let node = builder.node((self.all.len() + 1).to_string());
        self.numbers.insert(places.clone(), node);
        self.all.push(places);
        node
    }
}

/// Whether a step does nothing but continue.
fn is_absorbed(edge: &Edge) -> bool {
    edge.event == Event::Silent && edge.updates.is_empty()
}

/// When what the role expects is possible; `None` where it always is.
fn known(
    places: &Places,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
) -> Result<Option<Term>, AnalysisStop> {
    if places.iter().all(|it| it.expects == it.stands) {
        return Ok(None);
    }
    let expects: Vec<Term> = places.iter().map(|it| it.expects).collect();
    let whole = disjunction(&expects, terms, oracle)?;
    Ok((whole != Term::TRUE).then_some(whole))
}

/// One of these, as the role expects it; where what it expects is impossible, as it may be.
fn judged(
    conditions: &[(Term, Term)],
    known: Option<Term>,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
) -> Result<Term, AnalysisStop> {
    let expected: Vec<Term> = conditions.iter().map(|it| it.1).collect();
    let expected = disjunction(&expected, terms, oracle)?;
    let Some(known) = known else {
        return Ok(expected);
    };
    let any: Vec<Term> = conditions.iter().map(|it| it.0).collect();
    let any = disjunction(&any, terms, oracle)?;
    let confused = terms.not(known);
    let any = terms.and([confused, any]);
    Ok(terms.or([expected, any]))
}

/// A graph with silent steps, and what its role knows.
struct View<'a> {
    stg: &'a Stg,
    /// For each edge, when it comes as far as the role knows.
    expected: &'a [Term],
    precision: Precision,
    /// For each edge, what the role sees of it; empty where names count.
    looks: Vec<u32>,
    /// What is read after each node, once someone has asked.
    live: Option<FreeVariables>,
    /// Whether steps that look alike stayed apart because of their variables.
    in_the_way: bool,
}

impl<'a> View<'a> {
    /// The graph without silent steps.
    fn determined(
        &mut self,
        terms: &mut Terms,
        oracle: &mut Oracle<'_>,
        budget: &Budget,
    ) -> Result<Determined, AnalysisStop> {
        let stg = self.stg;
        let mut builder = StgBuilder::new(stg.name(), stg.ending());
        let mut states = States::default();
        let mut foresights = Vec::new();
        let first = vec![Place {
            node: stg.initial(),
            stands: Term::TRUE,
            expects: Term::TRUE,
        }];
        let Some(start) = self.close(first, terms, oracle)? else {
            return Ok(self.as_it_is(terms));
        };
        let initial = states.number(start, &mut builder);
        let mut next = 0;
        while next < states.all.len() {
            budget.spend()?;
            // The graph as it is has the same runs, and is smaller.
            if self.precision == Precision::Exact
                && states.all.len() > MAX_GROWTH * stg.nodes().len()
            {
                return Ok(self.as_it_is(terms));
            }
            let (source, places) = (NodeId(next as u32), states.all[next].clone());
            next += 1;
            let known = known(&places, terms, oracle)?;
            let mut ends = Vec::new();
            for place in &places {
                for termination in &stg.node(place.node).terminations {
                    ends.push((
                        terms.and([place.stands, termination.guard]),
                        terms.and([place.expects, termination.guard]),
                    ));
                }
            }
            let may: Vec<Term> = ends.iter().map(|it| it.0).collect();
            let may = disjunction(&may, terms, oracle)?;
            if may != Term::FALSE {
                builder.terminate(terms, source, may, None);
            }
            let ends = judged(&ends, known, terms, oracle)?;
            let groups = self.steps(&places, terms, oracle)?;
            let received: Vec<(Term, Term)> = groups
                .iter()
                .flatten()
                .filter(|step| {
                    let message = step.edge.event.message();
                    message.is_some_and(|it| it.direction == Direction::Receive)
                })
                .map(|step| (step.guard, step.expects))
                .collect();
            let listens = judged(&received, known, terms, oracle)?;
            foresights.push(Foresight { ends, listens });
            let groups: Vec<Vec<VisibleStep<'_>>> = match self.precision {
                Precision::Forgetful => groups,
                Precision::Exact => groups
                    .into_iter()
                    .flat_map(|group| apart(group, terms))
                    .collect(),
            };
            for group in groups {
                let guards: Vec<Term> = group.iter().map(|step| step.guard).collect();
                let guard = disjunction(&guards, terms, oracle)?;
                let label = self
                    .one_for_all(&group, terms)
                    .unwrap_or_else(|| Label::of(group[0].edge));
                let targets = targets(&group, &label, terms);
                let Some(targets) = self.close(targets, terms, oracle)? else {
                    return Ok(self.as_it_is(terms));
                };
                let target = states.number(targets, &mut builder);
                let edge = Edge {
                    source,
                    target,
                    guard,
                    event: label.event,
                    updates: label.updates,
                    origin: group[0].edge.origin,
                };
                builder.edge(terms, edge);
            }
        }
        Ok(Determined {
            stg: builder.finish_as_built(initial),
            foresights,
        })
    }

    /// The graph with its silent steps.
    fn as_it_is(&self, terms: &mut Terms) -> Determined {
        Determined {
            foresights: Foresight::by_guards(self.stg, terms),
            stg: self.stg.clone(),
        }
    }

    /// The places and all that silent steps lead to; `None` where a place is reached by too many conditions.
    fn close(
        &self,
        places: Places,
        terms: &mut Terms,
        oracle: &mut Oracle<'_>,
    ) -> Result<Option<Places>, AnalysisStop> {
        let mut reached: BTreeMap<NodeId, (Place, u32)> = BTreeMap::new();
        let mut work = places;
        while let Some(mut place) = work.pop() {
            let before = reached.get(&place.node).copied();
            if let Some((known, changes)) = before {
                if known.expects == Term::TRUE {
                    continue;
                }
                if changes < MAX_CONDITIONS {
                    place = either(known, place, terms, oracle)?;
                    if place == known {
                        continue;
                    }
                } else if self.precision == Precision::Exact {
                    return Ok(None);
                } else {
                    place.stands = Term::TRUE;
                    place.expects = Term::TRUE;
                }
            }
            let changes = before.map_or(0, |(_, changes)| changes + 1);
            reached.insert(place.node, (place, changes));
            for (id, edge) in self.stg.outgoing(place.node) {
                if !is_absorbed(edge) {
                    continue;
                }
                let stands = terms.and([place.stands, edge.guard]);
                if possible(stands, terms, oracle)? {
                    let expects = self.expects(&place, id, stands, terms, oracle)?;
                    work.push(Place {
                        node: edge.target,
                        stands,
                        expects,
                    });
                }
            }
        }
        Ok(Some(reached.into_values().map(|it| it.0).collect()))
    }

    /// When the role expects a step from a place that it acts from under `stands`.
    fn expects(
        &self,
        place: &Place,
        id: EdgeId,
        stands: Term,
        terms: &mut Terms,
        oracle: &mut Oracle<'_>,
    ) -> Result<Term, AnalysisStop> {
        let guard = self.stg.edge(id).guard;
        let expected = self.expected[id.index()];
        if place.expects == place.stands && expected == guard {
            return Ok(stands);
        }
        let expects = terms.and([place.expects, expected]);
        Ok(if possible(expects, terms, oracle)? {
            expects
        } else {
            Term::FALSE
        })
    }

    /// The visible steps, in groups that become one step each.
    fn steps(
        &mut self,
        places: &Places,
        terms: &mut Terms,
        oracle: &mut Oracle<'_>,
    ) -> Result<Vec<Vec<VisibleStep<'a>>>, AnalysisStop> {
        let mut steps = Vec::new();
        for place in places {
            for (id, edge) in self.stg.outgoing(place.node) {
                if is_absorbed(edge) {
                    continue;
                }
                let guard = terms.and([place.stands, edge.guard]);
                if !possible(guard, terms, oracle)? {
                    continue;
                }
                let expects = self.expects(place, id, guard, terms, oracle)?;
                steps.push(VisibleStep {
                    guard,
                    expects,
                    id,
                    edge,
                });
            }
        }
        let by_label = |step: &VisibleStep<'a>| (&step.edge.event, &step.edge.updates[..]);
        if self.looks.is_empty() {
            return grouped(steps, by_label, terms, oracle);
        }
        let looks = &self.looks;
        let alike = grouped(steps, |step| looks[step.id.index()], terms, oracle)?;
        let mut groups = Vec::with_capacity(alike.len());
        for group in alike {
            if self.one_for_all(&group, terms).is_some() {
                groups.push(group);
            } else {
                self.in_the_way = true;
                groups.extend(grouped(group, by_label, terms, oracle)?);
            }
        }
        Ok(groups)
    }

    /// What one step does for all of a group.
    fn one_for_all(&mut self, group: &[VisibleStep<'_>], terms: &mut Terms) -> Option<Label> {
        let first = group[0].edge;
        let is_first = |edge: &Edge| edge.event == first.event && edge.updates == first.updates;
        if group.iter().all(|step| is_first(step.edge)) {
            return Some(Label::of(first));
        }
        let edges: Vec<&Edge> = group.iter().map(|step| step.edge).collect();
        one_for_all(&edges, self.live(terms), terms)
    }

    /// What is read after each node, by the role or in judging what it expects.
    fn live(&mut self, terms: &mut Terms) -> &FreeVariables {
        let (stg, expected) = (self.stg, self.expected);
        self.live.get_or_insert_with(|| {
            let mut builder = StgBuilder::new(stg.name(), stg.ending());
            for node in stg.nodes() {
                let new = builder.node(node.label.clone());
                for termination in &node.terminations {
                    builder.terminate(terms, new, termination.guard, None);
                }
            }
            for (edge, &expected) in stg.edges().iter().zip(expected) {
                let guard = terms.and([edge.guard, expected]);
                let edge = edge.clone();
                builder.edge(terms, Edge { guard, ..edge });
            }
            FreeVariables::of(&builder.finish_as_built(stg.initial()), terms)
        })
    }
}

/// A place that is reached by two ways.
fn either(
    known: Place,
    other: Place,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
) -> Result<Place, AnalysisStop> {
    let stands = disjunction(&[known.stands, other.stands], terms, oracle)?;
    if known.expects == known.stands && other.expects == other.stands {
        return Ok(Place {
            stands,
            expects: stands,
            ..known
        });
    }
    // What is known already is not said again in other words.
    let unknown = terms.not(known.expects);
    let more = terms.and([other.expects, unknown]);
    let expects = if possible(more, terms, oracle)? {
        disjunction(&[known.expects, other.expects], terms, oracle)?
    } else {
        known.expects
    };
    Ok(Place {
        stands,
        expects,
        ..known
    })
}

/// Whether a condition may hold; what is not decided may.
pub(super) fn possible(
    condition: Term,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
) -> Result<bool, AnalysisStop> {
    Ok(condition == Term::TRUE || oracle.together(terms, &[condition])? != Together::Impossible)
}

/// Conditions joined by *or*: *true* if that always holds.
pub(crate) fn disjunction(
    conditions: &[Term],
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
) -> Result<Term, AnalysisStop> {
    let whole = terms.or(conditions.iter().copied());
    if whole == Term::TRUE || conditions.len() < 2 {
        return Ok(whole);
    }
    let never = terms.not(whole);
    Ok(match oracle.together(terms, &[never])? {
        Together::Impossible => Term::TRUE,
        _ => whole,
    })
}
