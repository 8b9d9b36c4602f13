//! A shortest run to a node that some values allow.
//!
//! Beginnings of runs are followed breadth-first, each with what its variables hold in terms of what the run is free to
//! choose; one whose conditions cannot hold together is dropped.

use std::collections::VecDeque;

use choros_data::{Assignment, Term, Terms, Var};
use choros_model::stg::run::RunStep;
use choros_model::stg::{EdgeId, NodeId, Stg};
use choros_smt::Satisfiability;
use rustc_hash::FxHashMap;

use crate::AnalysisStop;
use crate::reachability::contradiction::{Oracle, Together};
use crate::tools::Tools;

/// Beginnings with conditions that are examined.
const MAX_RUNS: usize = 500;

/// How often a node is passed without conditions, where the goal has one: other ways may bring other data.
const MAX_WAYS: usize = 4;

/// A run that some values allow.
pub(crate) struct Run {
    /// Where it ends.
    pub(crate) at: NodeId,
    pub(crate) edges: Vec<EdgeId>,
    /// For each edge what it brings, in terms of what the run is free to choose.
    brought: Vec<Vec<Term>>,
    /// What has to hold, in the same terms.
    conditions: Vec<Term>,
}

/// The beginning of a run.
struct Beginning {
    at: NodeId,
    /// What the variables hold now, in terms of what runs are free to choose.
    values: FxHashMap<Var, Term>,
    conditions: Vec<Term>,
    /// The beginning that this one continues, by which edge, and what that brings.
    from: Option<(usize, EdgeId, Vec<Term>)>,
}

/// A shortest run to one of the goals, each with a condition on the data there; `None` if none is found.
pub(crate) fn shortest_run(
    stg: &Stg,
    goals: &FxHashMap<NodeId, Term>,
    tools: &mut Tools<'_>,
) -> Result<Option<Run>, AnalysisStop> {
    let useful = leading_to(stg, goals);
    let most = if goals.values().all(|&it| it == Term::TRUE) {
        1
    } else {
        MAX_WAYS
    };
    let mut oracle = Oracle::new(tools.solver);
    let mut passed = vec![0; stg.nodes().len()];
    let mut all = vec![Beginning {
        at: stg.initial(),
        values: FxHashMap::default(),
        conditions: Vec::new(),
        from: None,
    }];
    let mut work = VecDeque::from([0]);
    let mut runs = 0;
    while let Some(number) = work.pop_front() {
        let at = all[number].at;
        if let Some(&condition) = goals.get(&at) {
            let mut conditions = all[number].conditions.clone();
            let asked = tools.terms.substitute(condition, &all[number].values);
            conditions.push(asked);
            if oracle.together(tools.terms, &conditions)? == Together::Possible {
                return Ok(Some(Run::of(&all, number, conditions)));
            }
        }
        for (id, edge) in stg.outgoing(at) {
            if !useful[edge.target.index()] {
                continue;
            }
            tools.budget.spend()?;
            let next = all[number].after(number, id, stg, tools.terms);
            if next.conditions.is_empty() {
                // Without conditions one way to a node is as good as another, if the goal has none.
                let passed = &mut passed[edge.target.index()];
                *passed += 1;
                if *passed > most {
                    continue;
                }
            } else {
                runs += 1;
                if runs > MAX_RUNS {
                    return Ok(None);
                }
                if next.conditions.len() > all[number].conditions.len()
                    && oracle.together(tools.terms, &next.conditions)? != Together::Possible
                {
                    continue;
                }
            }
            all.push(next);
            work.push_back(all.len() - 1);
        }
    }
    Ok(None)
}

impl Beginning {
    /// One step more.
    fn after(&self, number: usize, id: EdgeId, stg: &Stg, terms: &mut Terms) -> Beginning {
        let edge = stg.edge(id);
        let mut values = self.values.clone();
        let mut conditions = self.conditions.clone();
        let guard = terms.substitute(edge.guard, &values);
        let mut brought = Vec::new();
        for variable in edge.event.bound_variables() {
            let new = terms.fresh_variable(variable);
            let new = terms.var(new);
            values.insert(variable, new);
            brought.push(new);
        }
        let accepts = edge.accepts(terms);
        let accepts = terms.substitute(accepts, &values);
        for update in &edge.updates {
            let value = terms.substitute(update.value, &values);
            values.insert(update.variable, value);
        }
        conditions.extend([guard, accepts].into_iter().filter(|&it| it != Term::TRUE));
        Beginning {
            at: edge.target,
            values,
            conditions,
            from: Some((number, id, brought)),
        }
    }
}

impl Run {
    fn of(all: &[Beginning], mut number: usize, conditions: Vec<Term>) -> Run {
        let mut run = Run {
            at: all[number].at,
            edges: Vec::new(),
            brought: Vec::new(),
            conditions,
        };
        while let Some((before, edge, brought)) = &all[number].from {
            run.edges.push(*edge);
            run.brought.push(brought.clone());
            number = *before;
        }
        run.edges.reverse();
        run.brought.reverse();
        run
    }

    /// Values that allow it: those of the parameters, and what each step brings; `None` if the solver has none.
    pub(crate) fn values(
        &self,
        stg: &Stg,
        tools: &mut Tools<'_>,
    ) -> Result<Option<(Assignment, Vec<RunStep>)>, AnalysisStop> {
        let mut free = stg.parameters(tools.terms);
        for &term in self.brought.iter().flatten() {
            free.extend(tools.terms.as_variable(term));
        }
        let terms = &mut *tools.terms;
        if tools.solver.satisfiable(terms, &self.conditions)? != Satisfiability::Sat {
            return Ok(None);
        }
        let Some(mut values) = tools.solver.model(terms, &free) else {
            return Ok(None);
        };
        let mut choices = Vec::new();
        for (&edge, terms_brought) in self.edges.iter().zip(&self.brought) {
            let brought = terms_brought
                .iter()
                .map(|&it| tools.terms.evaluate(it, &values));
            match brought.collect() {
                Ok(brought) => choices.push(RunStep {
                    edge,
                    bound_values: brought,
                }),
                Err(_) => return Ok(None),
            }
        }
        let parameters = stg.parameters(tools.terms);
        values.retain(|variable, _| parameters.contains(variable));
        Ok(Some((values, choices)))
    }
}

/// The nodes from which a goal can be reached, conditions aside.
fn leading_to(stg: &Stg, goals: &FxHashMap<NodeId, Term>) -> Vec<bool> {
    let mut incoming: Vec<Vec<NodeId>> = vec![Vec::new(); stg.nodes().len()];
    for edge in stg.edges() {
        incoming[edge.target.index()].push(edge.source);
    }
    let mut reached = vec![false; stg.nodes().len()];
    let mut work: Vec<NodeId> = goals.keys().copied().collect();
    while let Some(node) = work.pop() {
        if !std::mem::replace(&mut reached[node.index()], true) {
            work.extend(&incoming[node.index()]);
        }
    }
    reached
}
