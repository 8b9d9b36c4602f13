//! What can never happen in a graph, and where it can be stuck.

use choros_base::{Budget, Diagnostic};
use choros_data::{Term, Terms};
use choros_model::evidence::{ConditionEvidence, GraphMark, MarkedEdge};
use choros_model::stg::{DotMarks, Edge, EdgeId, NodeId, Stg};
use choros_model::{Bound, Evidence, Unknown, Verdict};
use choros_smt::{Solver, SolverError};

use crate::diagnostics::{dead_transition, undecided_transition};
use crate::{Contradiction, Liveness, Reachability, StuckStates, reachability, stuck_states};

/// Whether a graph is sound.
#[derive(Debug, Clone)]
pub struct Soundness {
    /// *Holds* when it was decided of every transition whether it can fire; the evidence marks those that cannot.
    pub verdict: Verdict,
    /// One for each transition that is dead or undecided by itself.
    pub findings: Vec<Diagnostic>,
    /// How many transitions can never fire.
    pub dead: usize,
    /// How many of them only follow others that cannot: no finding names them.
    pub following: usize,
    /// How many transitions were not decided.
    pub undecided: usize,
    /// Where nothing continues, and for which data.
    pub stuck: StuckStates,
    /// What can fire.
    pub reachability: Reachability,
}

/// Finds transitions that can never fire, and states in which nothing continues.
pub fn soundness(
    stg: &Stg,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Soundness, SolverError> {
    let found = reachability(stg, terms, solver, budget)?;
    let stuck = stuck_states(stg, &found, terms, solver, budget)?;
    let mut judge = Judge {
        stg,
        terms,
        connected: connected(stg),
        mark: GraphMark {
            model: stg.name().to_owned(),
            ..GraphMark::default()
        },
        findings: Vec::new(),
        dead: 0,
        following: 0,
        undecided: 0,
    };
    for (edge, liveness) in stg.edges().iter().zip(&found.edges) {
        let what = format!("`{}`", edge.event.shown(terms));
        let marked = found.marked(edge, liveness, stg, terms);
        judge.transition(&what, edge.source, liveness, marked);
    }
    for node in stg.node_ids() {
        let terminations = stg.node(node).terminations.iter();
        for (termination, liveness) in terminations.zip(&found.terminations[node.index()]) {
            // That a state which no run reaches cannot terminate either goes without saying.
            if *liveness == Liveness::Unreached {
                continue;
            }
            let label = &stg.node(node).label;
            let marked = MarkedEdge {
                source: label.clone(),
                target: "√".to_owned(),
                label: edge_text(termination.guard, "√", terms),
                origin: termination.origin,
                because: reasons(liveness, stg, terms),
            };
            let what = format!("termination in state {label}");
            judge.transition(&what, node, liveness, marked);
        }
    }
    for step in stg.unreached() {
        judge.dead += 1;
        let what = format!("`{}`", step.event.shown(terms));
        let finding = dead_transition::unreached(stg, &what, step.origin);
        judge.findings.push(finding);
    }
    Ok(Soundness {
        findings: judge.findings,
        dead: judge.dead,
        following: judge.following,
        undecided: judge.undecided,
        verdict: found.verdict(judge.mark, judge.undecided),
        stuck,
        reachability: found,
    })
}

struct Judge<'a> {
    stg: &'a Stg,
    terms: &'a Terms,
    /// Which nodes some path leads to, whatever its guards say.
    connected: Vec<bool>,
    mark: GraphMark,
    findings: Vec<Diagnostic>,
    dead: usize,
    following: usize,
    undecided: usize,
}

impl Judge<'_> {
    fn transition(&mut self, what: &str, source: NodeId, liveness: &Liveness, edge: MarkedEdge) {
        let own = edge.origin;
        let finding = match liveness {
            Liveness::Live => return,
            Liveness::Undecided(_) => {
                self.undecided += 1;
                undecided_transition::diagnostic(self.stg, what, own, liveness)
            }
            Liveness::Dead(_) | Liveness::Unreached => {
                self.dead += 1;
                self.mark.edges.push(edge);
                if *liveness == Liveness::Unreached && self.connected[source.index()] {
                    // The dead transition before it is what there is to say; the rest follows.
                    self.following += 1;
                    return;
                }
                dead_transition::diagnostic(self.stg, self.terms, what, own, liveness)
            }
        };
        self.findings.extend(finding);
    }
}

impl Reachability {
    /// Whether it was decided of every transition if it can fire; `mark` shows those that cannot.
    pub fn verdict(&self, mark: GraphMark, undecided: usize) -> Verdict {
        let evidence = Evidence::GraphMark(mark);
        if undecided == 0 {
            return Verdict::Holds(evidence);
        }
        let (reason, bound) = match self.cut {
            Some(spent) => (spent.to_string(), self.bound()),
            None => (
                format!("whether {undecided} of its transitions can happen was not decided"),
                Some(Bound::SolverBudget(None)),
            ),
        };
        Verdict::Unknown(Unknown {
            reason,
            help: bound.into(),
            evidence: Some(evidence),
        })
    }

    /// A transition with what speaks against it.
    pub fn marked(&self, edge: &Edge, liveness: &Liveness, stg: &Stg, terms: &Terms) -> MarkedEdge {
        MarkedEdge {
            source: stg.node(edge.source).label.clone(),
            target: stg.node(edge.target).label.clone(),
            label: edge_text(edge.guard, &edge.event.shown(terms), terms),
            origin: edge.origin,
            because: reasons(liveness, stg, terms),
        }
    }

    /// What can never happen, for a drawing.
    pub fn dead_marks(&self, stg: &Stg) -> DotMarks {
        let mut marks = DotMarks::default();
        for (index, liveness) in self.edges.iter().enumerate() {
            if liveness.is_dead() {
                marks.edges.insert(EdgeId(index as u32));
            }
        }
        for node in stg.node_ids() {
            for (index, liveness) in self.terminations[node.index()].iter().enumerate() {
                if liveness.is_dead() {
                    marks.terminations.insert((node, index));
                }
            }
        }
        marks
    }
}

/// Which nodes some path leads to, whatever its guards say.
fn connected(stg: &Stg) -> Vec<bool> {
    let mut reached = vec![false; stg.nodes().len()];
    let mut work = vec![stg.initial()];
    reached[stg.initial().index()] = true;
    while let Some(node) = work.pop() {
        for (_, edge) in stg.outgoing(node) {
            if !std::mem::replace(&mut reached[edge.target.index()], true) {
                work.push(edge.target);
            }
        }
    }
    reached
}

fn reasons(liveness: &Liveness, stg: &Stg, terms: &Terms) -> Vec<Evidence> {
    let Liveness::Dead(contradictions) = liveness else {
        return Vec::new();
    };
    let conditions = contradictions.iter().map(|it| condition(it, stg, terms));
    conditions.map(Evidence::Condition).collect()
}

fn condition(contradiction: &Contradiction, stg: &Stg, terms: &Terms) -> ConditionEvidence {
    let sentences = contradiction.sentences.iter().map(|sentence| {
        let origin = sentence.edge.and_then(|edge| stg.edge(edge).origin);
        (terms.print(sentence.formula), origin)
    });
    ConditionEvidence {
        formula: "false".to_owned(),
        sentences: sentences.collect(),
    }
}

fn edge_text(guard: Term, event: &str, terms: &Terms) -> String {
    match guard {
        Term::TRUE => event.to_owned(),
        guard => format!("[{}] {event}", terms.print(guard)),
    }
}
