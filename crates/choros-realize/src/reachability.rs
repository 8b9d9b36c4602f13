//! Which transitions can fire: sound reachability with data.
//!
//! After Nguyen's thesis, section 3.2.4 and Algorithm 2, whose two defects the crate's README names; the argument why
//! this version is sound stands there too.
//! One satisfiability question per visit and outgoing edge; a tree of n nodes has n visits.

pub(crate) mod contradiction;
mod stuck;
mod visit;

use std::collections::VecDeque;

use choros_base::{Budget, StopReason};
use choros_certify::bound_of;
use choros_data::{Term, Terms, Var};
use choros_model::Bound;
use choros_model::stg::{Edge, EdgeId, FreeVariables, NodeId, Stg, prune};
use choros_smt::{Solver, SolverError};
use rustc_hash::FxHashSet;

use contradiction::{Oracle, Together};
pub use stuck::{StuckState, StuckStates, stuck_states};
use visit::{Conjunct, Ghosts, Visit, conjuncts_of};

/// What can fire.
#[derive(Debug, Clone)]
pub struct Reachability {
    /// One per edge of the graph.
    pub edges: Vec<Liveness>,
    /// One per termination of each node.
    pub terminations: Vec<Vec<Liveness>>,
    /// Which nodes a run can reach, as far as is known.
    pub nodes: Vec<bool>,
    /// Nodes at which conditions were forgotten, so that *not dead* is a guess there and after it.
    pub widened: Vec<NodeId>,
    /// Why the exploration ended before its end; every transition that was not found live is kept then.
    pub cut: Option<StopReason>,
    /// How many questions went to the solver.
    pub queries: u64,
    /// What is known at each node when a run arrives.
    visits: Vec<Visits>,
}

/// Whether a transition can fire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Liveness {
    /// Nothing speaks against it.
    Live,
    /// The solver could not decide; it is kept. The reason is the solver's.
    Undecided(String),
    /// It cannot: each way to its source contradicts its guard. One contradiction per way, the same ones once.
    Dead(Vec<Contradiction>),
    /// It cannot: its source is not reached.
    Unreached,
}

/// Guards that cannot hold together.
///
/// The conditions they led to are an irreducible contradiction; where one condition was made from several guards (a
/// value that was passed on), all of these are named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The guards on the way, and those of the transition itself.
    pub sentences: Vec<Sentence>,
}

/// One guard or update, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence {
    pub formula: Term,
    /// The edge it stands on; `None` for the transition in question itself, which may be a termination.
    pub edge: Option<EdgeId>,
}

impl Liveness {
    /// Whether the transition is shown never to fire.
    pub fn is_dead(&self) -> bool {
        matches!(self, Liveness::Dead(_) | Liveness::Unreached)
    }
}

impl Reachability {
    /// Whether *not dead* is exact everywhere.
    pub fn is_exact(&self) -> bool {
        self.cut.is_none()
            && self.widened.is_empty()
            && !self
                .edges
                .iter()
                .chain(self.terminations.iter().flatten())
                .any(|liveness| matches!(liveness, Liveness::Undecided(_)))
    }

    /// The bound to raise where something is not settled; `None` where all is, or raising none would help.
    pub fn bound(&self) -> Option<Bound> {
        let all = self.edges.iter().chain(self.terminations.iter().flatten());
        let undecided = |liveness: &Liveness| matches!(liveness, Liveness::Undecided(_));
        match self.cut {
            Some(spent) => bound_of(spent),
            None => all
                .into_iter()
                .any(undecided)
                .then_some(Bound::SolverBudget(None)),
        }
    }

    /// What is known when a run arrives at a node: one of these conjunctions holds, some of whose variables are values
    /// of the past.
    pub(crate) fn known_at(&self, node: NodeId) -> impl Iterator<Item = (Vec<Term>, bool)> + '_ {
        let visits = &self.visits[node.index()];
        visits.all.iter().map(|it| (it.formulas(), !it.guessed))
    }

    /// The graph without what cannot fire.
    pub fn without_dead(&self, stg: &Stg, terms: &mut Terms) -> Stg {
        prune(
            stg,
            terms,
            |edge| !self.edges[edge.index()].is_dead(),
            |node, index| !self.terminations[node.index()][index].is_dead(),
        )
    }

    /// The edges that cannot fire.
    pub fn dead_edges(&self) -> impl Iterator<Item = EdgeId> + '_ {
        self.edges
            .iter()
            .enumerate()
            .filter(|(_, liveness)| liveness.is_dead())
            .map(|(index, _)| EdgeId(index as u32))
    }
}

/// Finds out which transitions can fire.
pub fn reachability(
    stg: &Stg,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Reachability, SolverError> {
    let mut exploration = Exploration {
        stg,
        free: FreeVariables::of(stg, terms),
        visits: vec![Visits::default(); stg.nodes().len()],
        waiting: VecDeque::new(),
        edges: vec![Judgement::default(); stg.edges().len()],
        terminations: stg
            .nodes()
            .iter()
            .map(|node| vec![Judgement::default(); node.terminations.len()])
            .collect(),
        ghosts: Ghosts::default(),
        oracle: Oracle::new(solver),
    };
    exploration.arrive(stg.initial(), Visit::default(), terms);
    let mut cut = None;
    while let Some((node, number)) = exploration.waiting.pop_front() {
        if let Err(spent) = budget.spend() {
            cut = Some(spent);
            break;
        }
        exploration.look_around(node, number, terms)?;
    }
    Ok(exploration.conclude(cut))
}

/// More visits of one node than this are widened into one.
const MAX_VISITS: usize = 16;

/// A visit that speaks of more ghosts than this forgets them: a loop is counting.
const MAX_GHOSTS: usize = 8;

/// A dead transition that many ways contradict shows this many of them.
const MAX_CONTRADICTIONS: usize = 3;

struct Exploration<'a, 's> {
    stg: &'a Stg,
    free: FreeVariables,
    visits: Vec<Visits>,
    /// Visits that have not been examined.
    waiting: VecDeque<(NodeId, usize)>,
    edges: Vec<Judgement>,
    terminations: Vec<Vec<Judgement>>,
    ghosts: Ghosts,
    oracle: Oracle<'s>,
}

#[derive(Debug, Clone, Default)]
struct Visits {
    all: Vec<Visit>,
    /// From then on there is only one visit that matters: the last.
    widened: bool,
}

#[derive(Debug, Clone, Default)]
struct Judgement {
    live: bool,
    undecided: Option<String>,
    contradictions: Vec<Contradiction>,
}

impl Exploration<'_, '_> {
    /// Takes note of a visit, unless it says nothing new.
    fn arrive(&mut self, node: NodeId, mut visit: Visit, terms: &Terms) {
        let visits = &mut self.visits[node.index()];
        if visit.ghost_count(&self.ghosts, &mut self.oracle, terms) > MAX_GHOSTS {
            visit.drop_ghosts(&self.ghosts, terms);
            visit.guessed = true;
            visits.widened = true;
        }
        if visits.all.iter().any(|earlier| earlier.covers(&visit)) {
            return;
        }
        if visits.all.len() >= MAX_VISITS {
            visits.widened = true;
        }
        if visits.widened {
            for earlier in &visits.all {
                visit.intersect(earlier, &self.ghosts, terms);
                visit.guessed = true;
            }
        }
        visits.all.push(visit);
        self.waiting.push_back((node, visits.all.len() - 1));
    }

    /// Asks for everything that leaves a node whether it can fire from a visit.
    fn look_around(
        &mut self,
        node: NodeId,
        number: usize,
        terms: &mut Terms,
    ) -> Result<(), SolverError> {
        let stg = self.stg;
        let visit = self.visits[node.index()].all[number].clone();
        for (index, termination) in stg.node(node).terminations.iter().enumerate() {
            let mut judgement = std::mem::take(&mut self.terminations[node.index()][index]);
            self.judge(&visit, termination.guard, &mut judgement, terms)?;
            self.terminations[node.index()][index] = judgement;
        }
        for (id, edge) in stg.outgoing(node) {
            let mut judgement = std::mem::take(&mut self.edges[id.index()]);
            let fires = self.judge(&visit, edge.guard, &mut judgement, terms)?;
            self.edges[id.index()] = judgement;
            if let Some(sure) = fires {
                self.follow(&visit, sure, id, edge, terms);
            }
        }
        Ok(())
    }

    fn follow(&mut self, visit: &Visit, sure: bool, id: EdgeId, edge: &Edge, terms: &mut Terms) {
        let free = &self.free;
        let live = |variable: Var| free.contains(edge.target, variable);
        let mut next = visit.after(id, edge, &live, &mut self.ghosts, &mut self.oracle, terms);
        next.guessed = visit.guessed || !sure;
        self.arrive(edge.target, next, terms);
    }

    /// Whether a guard is possible in a visit: surely, or as far as is known.
    fn judge(
        &mut self,
        visit: &Visit,
        guard: Term,
        judgement: &mut Judgement,
        terms: &mut Terms,
    ) -> Result<Option<bool>, SolverError> {
        if guard == Term::TRUE {
            judgement.live = true;
            return Ok(Some(true));
        }
        let formulas = visit.formulas();
        let seeds = self.oracle.variables(terms, guard).to_vec();
        let related: Vec<&Conjunct> = self
            .oracle
            .connected(terms, &formulas, seeds)
            .into_iter()
            .map(|index| &visit.conjuncts[index])
            .collect();
        let own = conjuncts_of(terms, guard);
        let mut question: Vec<Term> = related.iter().map(|it| it.formula).collect();
        question.extend_from_slice(&own);
        match self.oracle.together(terms, &question)? {
            Together::Possible => {
                judgement.live = true;
                Ok(Some(true))
            }
            Together::Undecided(reason) => {
                judgement.undecided.get_or_insert(reason);
                Ok(Some(false))
            }
            Together::Impossible => {
                if !judgement.live && judgement.contradictions.len() < MAX_CONTRADICTIONS {
                    let blamed = self.oracle.blame(terms, &question)?;
                    let mut sentences: Vec<Sentence> = Vec::new();
                    for index in blamed {
                        let found = match related.get(index) {
                            Some(conjunct) => conjunct
                                .sources
                                .iter()
                                .map(|&(formula, edge)| Sentence {
                                    formula,
                                    edge: Some(edge),
                                })
                                .collect(),
                            None => vec![Sentence {
                                formula: own[index - related.len()],
                                edge: None,
                            }],
                        };
                        for sentence in found {
                            if !sentences.contains(&sentence) {
                                sentences.push(sentence);
                            }
                        }
                    }
                    let contradiction = Contradiction { sentences };
                    if !judgement.contradictions.contains(&contradiction) {
                        judgement.contradictions.push(contradiction);
                    }
                }
                Ok(None)
            }
        }
    }

    fn conclude(self, cut: Option<StopReason>) -> Reachability {
        let reached: Vec<bool> = self
            .visits
            .iter()
            .map(|visits| !visits.all.is_empty())
            .collect();
        // Visits that were never examined may make anything after them live.
        let unseen: FxHashSet<NodeId> = match cut {
            Some(_) => self.stg.node_ids().collect(),
            None => FxHashSet::default(),
        };
        let judged = |judgement: &Judgement, source: NodeId| -> Liveness {
            if judgement.live {
                Liveness::Live
            } else if let Some(reason) = &judgement.undecided {
                Liveness::Undecided(reason.clone())
            } else if unseen.contains(&source) {
                Liveness::Undecided("the exploration ended before its end".to_owned())
            } else if reached[source.index()] {
                Liveness::Dead(judgement.contradictions.clone())
            } else {
                Liveness::Unreached
            }
        };
        let edges = self
            .edges
            .iter()
            .zip(self.stg.edges())
            .map(|(judgement, edge)| judged(judgement, edge.source))
            .collect();
        let terminations = self
            .stg
            .node_ids()
            .map(|node| {
                self.terminations[node.index()]
                    .iter()
                    .map(|judgement| judged(judgement, node))
                    .collect()
            })
            .collect();
        let widened = self
            .stg
            .node_ids()
            .filter(|node| self.visits[node.index()].widened)
            .collect();
        Reachability {
            edges,
            terminations,
            nodes: reached,
            widened,
            cut,
            queries: self.oracle.queries,
            visits: self.visits,
        }
    }
}
