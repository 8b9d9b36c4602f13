//! From where, and for which data, something can still happen.
//!
//! For each node the weakest condition under which some run from there does it: the least solution of
//! *now, or some edge fires and it can still happen after that*.
//! Without data that is reachability in the graph, backwards.
//! With data the conditions are computed in rounds, and where everything that a run may bring to a node satisfies its
//! condition, the condition is *true*.

use std::collections::VecDeque;

use choros_data::{Quantifier, Term, Terms};
use choros_model::Bound;
use choros_model::stg::{Edge, EdgeId, NodeId, Stg, StgBuilder};
use rustc_hash::FxHashMap;

use crate::reachability::contradiction::{Oracle, Together};
use crate::tools::Tools;
use crate::{AnalysisStop, Reachability, reachability};

/// A graph and what is known when a run arrives at its nodes.
pub(crate) struct Terrain<'a> {
    pub(crate) stg: &'a Stg,
    /// `None` where nothing depends on data.
    known: Option<Known>,
    arriving: Vec<Vec<EdgeId>>,
}

/// What is known when a run arrives at a node.
struct Known {
    reachability: Reachability,
    is_exact: bool,
}

/// For each node, when it can still happen.
pub(crate) struct Prospect {
    can: Vec<Term>,
    /// Whether some path of the graph leads there, whatever the data.
    pub(crate) led: Vec<bool>,
    /// Whether the conditions are exact, and not only sufficient.
    exact: bool,
}

/// What is known of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    True,
    False,
    /// The solver did not decide it.
    Undecided,
    /// What is known there is not exact enough.
    Inexact,
}

/// A condition that changes more often is left as it is.
const MAX_CHANGES: usize = 6;

impl<'a> Terrain<'a> {
    pub(crate) fn of(stg: &'a Stg, tools: &mut Tools<'_>) -> Result<Terrain<'a>, AnalysisStop> {
        Terrain::asked(stg, &vec![Vec::new(); stg.nodes().len()], tools)
    }

    /// A graph of which these conditions will be asked, for each node: what the graph itself does not read any more is
    /// forgotten otherwise, and a condition on it would seem possible.
    pub(crate) fn asked(
        stg: &'a Stg,
        conditions: &[Vec<Term>],
        tools: &mut Tools<'_>,
    ) -> Result<Terrain<'a>, AnalysisStop> {
        let mut arriving = vec![Vec::new(); stg.nodes().len()];
        for (index, edge) in stg.edges().iter().enumerate() {
            arriving[edge.target.index()].push(EdgeId(index as u32));
        }
        let told = |condition: &Term| *condition == Term::TRUE || *condition == Term::FALSE;
        let known = if conditions.iter().flatten().all(told) {
            if plain(stg, tools.terms) {
                None
            } else {
                Some(Known::of(stg, tools)?)
            }
        } else {
            // A condition to end is read where it stands.
            let probed = ending_also(stg, conditions, tools.terms);
            Some(Known::of(&probed, tools)?)
        };
        Ok(Terrain {
            stg,
            known,
            arriving,
        })
    }

    /// Whether nothing depends on data.
    pub(crate) fn is_plain(&self) -> bool {
        self.known.is_none()
    }

    /// The bound that kept what is known from being exact.
    pub(crate) fn bound(&self) -> Option<Bound> {
        self.known.as_ref().and_then(|it| it.reachability.bound())
    }

    /// When a goal can still be met: an edge for which `goal` says so, or a condition on the node itself.
    pub(crate) fn prospect(
        &self,
        goal: &dyn Fn(EdgeId) -> bool,
        at_once: &[Term],
        tools: &mut Tools<'_>,
    ) -> Result<Prospect, AnalysisStop> {
        let count = self.stg.nodes().len();
        let mut led = vec![false; count];
        let mut near: VecDeque<NodeId> = VecDeque::new();
        for node in self.stg.node_ids() {
            let hit = at_once[node.index()] != Term::FALSE
                || self
                    .stg
                    .outgoing(node)
                    .any(|(id, edge)| edge.guard != Term::FALSE && goal(id));
            if hit {
                led[node.index()] = true;
                near.push_back(node);
            }
        }
        let mut order = Vec::new();
        while let Some(node) = near.pop_front() {
            tools.budget.spend()?;
            order.push(node);
            for &id in &self.arriving[node.index()] {
                let edge = self.stg.edge(id);
                let source = edge.source.index();
                if edge.guard != Term::FALSE && !std::mem::replace(&mut led[source], true) {
                    near.push_back(edge.source);
                }
            }
        }
        let Some(known) = &self.known else {
            let can = led.iter().map(|&led| truth(led)).collect();
            return Ok(Prospect {
                can,
                led,
                exact: true,
            });
        };
        self.conditions(known, goal, at_once, order, led, tools)
    }

    /// The rounds, nearest nodes first.
    fn conditions(
        &self,
        known: &Known,
        goal: &dyn Fn(EdgeId) -> bool,
        at_once: &[Term],
        order: Vec<NodeId>,
        led: Vec<bool>,
        tools: &mut Tools<'_>,
    ) -> Result<Prospect, AnalysisStop> {
        let count = self.stg.nodes().len();
        let mut can = vec![Term::FALSE; count];
        let mut changes = vec![0_usize; count];
        let mut waiting = vec![false; count];
        let mut exact = true;
        let mut work: VecDeque<NodeId> = order.into();
        for node in &work {
            waiting[node.index()] = true;
        }
        while let Some(node) = work.pop_front() {
            tools.budget.spend()?;
            let at = node.index();
            waiting[at] = false;
            if can[at] == Term::TRUE {
                continue;
            }
            let mut ways = vec![can[at], at_once[at]];
            for (id, edge) in self.stg.outgoing(node) {
                let after = if goal(id) {
                    Term::TRUE
                } else {
                    can[edge.target.index()]
                };
                ways.push(before(edge, after, tools.terms));
            }
            let new = tools.terms.or(ways);
            let new = if tools.terms.is_quantified(new) {
                tools.solver.eliminate(tools.terms, new)?.term()
            } else {
                new
            };
            if new == can[at] {
                continue;
            }
            let mut oracle = Oracle::new(tools.solver);
            let new = match known.everywhere(node, &[], new, tools.terms, &mut oracle)? {
                Claim::True => Term::TRUE,
                _ => new,
            };
            let grown = match can[at] {
                Term::FALSE => true,
                old => {
                    let more = [new, tools.terms.not(old)];
                    oracle.together(tools.terms, &more)? != Together::Impossible
                }
            };
            if !grown {
                continue;
            }
            changes[at] += 1;
            if changes[at] > MAX_CHANGES && new != Term::TRUE {
                exact = false;
                continue;
            }
            can[at] = new;
            for &id in &self.arriving[at] {
                let source = self.stg.edge(id).source;
                if !std::mem::replace(&mut waiting[source.index()], true) {
                    work.push_back(source);
                }
            }
        }
        Ok(Prospect { can, led, exact })
    }

    /// Whether a condition holds at a node whatever a run brings there.
    pub(crate) fn always(
        &self,
        node: NodeId,
        condition: Term,
        tools: &mut Tools<'_>,
    ) -> Result<Claim, AnalysisStop> {
        match &self.known {
            None if condition == Term::TRUE => Ok(Claim::True),
            None => Ok(Claim::False),
            Some(known) => {
                let mut oracle = Oracle::new(tools.solver);
                known.everywhere(node, &[], condition, tools.terms, &mut oracle)
            }
        }
    }

    /// Whether such data never come to a node.
    pub(crate) fn never(
        &self,
        node: NodeId,
        data: Term,
        tools: &mut Tools<'_>,
    ) -> Result<Claim, AnalysisStop> {
        let otherwise = tools.terms.not(data);
        let found = self.always(node, otherwise, tools)?;
        let exact = self.known.as_ref().is_none_or(|it| it.is_exact);
        Ok(match found {
            Claim::False if !exact => Claim::Inexact,
            other => other,
        })
    }

    /// The data with which `asked` holds at a node, and it cannot happen any more.
    pub(crate) fn hopeless(
        prospect: &Prospect,
        node: NodeId,
        asked: Term,
        terms: &mut Terms,
    ) -> Term {
        let never = terms.not(prospect.can[node.index()]);
        terms.and([asked, never])
    }

    /// Whether it can still happen at a node whenever `asked` holds there.
    pub(crate) fn assured(
        &self,
        prospect: &Prospect,
        node: NodeId,
        asked: Term,
        tools: &mut Tools<'_>,
    ) -> Result<Claim, AnalysisStop> {
        let can = prospect.can[node.index()];
        if asked == Term::FALSE || can == Term::TRUE {
            return Ok(Claim::True);
        }
        let Some(known) = &self.known else {
            return Ok(Claim::False);
        };
        let mut oracle = Oracle::new(tools.solver);
        let found = known.everywhere(node, &[asked], can, tools.terms, &mut oracle)?;
        let sure = known.is_exact && (prospect.exact || !prospect.led[node.index()]);
        Ok(match found {
            Claim::False if !sure => Claim::Inexact,
            other => other,
        })
    }
}

impl Known {
    fn of(stg: &Stg, tools: &mut Tools<'_>) -> Result<Known, AnalysisStop> {
        let reachability = reachability(stg, tools.terms, tools.solver, tools.budget)?;
        Ok(Known {
            is_exact: reachability.is_exact(),
            reachability,
        })
    }

    /// Whether `claim` holds at a node whenever `asked` does, as far as what is known there says.
    fn everywhere(
        &self,
        node: NodeId,
        asked: &[Term],
        claim: Term,
        terms: &mut Terms,
        oracle: &mut Oracle<'_>,
    ) -> Result<Claim, AnalysisStop> {
        if claim == Term::TRUE {
            return Ok(Claim::True);
        }
        let otherwise = terms.not(claim);
        // Runs that were not followed may bring anything.
        let mut result = if self.reachability.cut.is_some() {
            Claim::Inexact
        } else {
            Claim::True
        };
        for (mut known, is_sure) in self.reachability.known_at(node) {
            let mut formulas = [asked, &[otherwise]].concat();
            if is_sure {
                known = relevant(&known, &formulas, terms, oracle);
            }
            formulas.append(&mut known);
            match oracle.together(terms, &formulas)? {
                Together::Impossible => {}
                Together::Possible => return Ok(Claim::False),
                Together::Undecided(_) => result = Claim::Undecided,
            }
        }
        Ok(result)
    }
}

/// What is known of the variables that are asked about; the rest can be true beside it, because some run brings all of
/// it there.
fn relevant(known: &[Term], asked: &[Term], terms: &Terms, oracle: &mut Oracle<'_>) -> Vec<Term> {
    let mut seeds = Vec::new();
    for &formula in asked {
        seeds.extend_from_slice(oracle.variables(terms, formula));
    }
    let connected = oracle.connected(terms, known, seeds);
    connected.into_iter().map(|index| known[index]).collect()
}

/// The condition before an edge under which it can fire so that `after` holds then.
fn before(edge: &Edge, after: Term, terms: &mut Terms) -> Term {
    if after == Term::FALSE {
        return Term::FALSE;
    }
    let mut condition = after;
    for update in edge.updates.iter().rev() {
        let replacement = FxHashMap::from_iter([(update.variable, update.value)]);
        condition = terms.substitute(condition, &replacement);
    }
    let accepted = edge.accepts(terms);
    condition = terms.and([accepted, condition]);
    let bound: Vec<_> = edge.event.bound_variables().collect();
    condition = terms.quantify(Quantifier::Exists, &bound, condition);
    terms.and([edge.guard, condition])
}

/// The graph that may also end under these conditions.
fn ending_also(stg: &Stg, conditions: &[Vec<Term>], terms: &mut Terms) -> Stg {
    let mut builder = StgBuilder::new(stg.name(), stg.ending());
    for (node, conditions) in stg.nodes().iter().zip(conditions) {
        let new = builder.node(node.label.clone());
        let own = node.terminations.iter().map(|it| it.guard);
        for guard in own.chain(conditions.iter().copied()) {
            builder.terminate(terms, new, guard, None);
        }
    }
    for edge in stg.edges() {
        builder.edge(terms, edge.clone());
    }
    builder.finish_as_built(stg.initial())
}

/// Whether no data decide anything.
fn plain(stg: &Stg, terms: &mut Terms) -> bool {
    let decided = |guard: Term| guard == Term::TRUE || guard == Term::FALSE;
    stg.edges()
        .iter()
        .all(|edge| decided(edge.guard) && edge.accepts(terms) == Term::TRUE)
        && stg
            .nodes()
            .iter()
            .flat_map(|node| &node.terminations)
            .all(|termination| decided(termination.guard))
}

fn truth(value: bool) -> Term {
    if value { Term::TRUE } else { Term::FALSE }
}
