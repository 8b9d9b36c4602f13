//! A shortest pair of runs that ends in a breach, and that some values allow.

use std::collections::VecDeque;

use choros_data::{Term, Var};
use choros_model::stg::{EdgeId, NodeId};
use rustc_hash::FxHashMap;

use super::Tools;
use super::twin::Twin;
use crate::Stopped;
use crate::reachability::contradiction::{Oracle, Together};

/// Partial runs that are looked at, with data.
const MOST_RUNS: usize = 500;

/// The beginning of a run.
struct Beginning {
    at: NodeId,
    /// What the variables hold now, in terms of what runs are free to choose.
    values: FxHashMap<Var, Term>,
    conditions: Vec<Term>,
    /// The beginning that this one continues, and by which edge.
    from: Option<(usize, EdgeId)>,
}

/// The first of the breaches that is found, with the edges that lead to it; `None` if none is found.
pub(super) fn shortest(
    twin: &Twin,
    breaches: &[usize],
    tools: &mut Tools<'_>,
) -> Result<Option<(usize, Vec<EdgeId>)>, Stopped> {
    let stg = twin.stg();
    let mut goals: FxHashMap<NodeId, usize> = FxHashMap::default();
    for &index in breaches {
        goals.insert(twin.breaches()[index].node, index);
    }
    let useful = leading_to(twin, &goals);
    let mut oracle = Oracle::new(tools.solver);
    let mut seen = vec![false; stg.nodes().len()];
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
        if let Some(&index) = goals.get(&at) {
            let mut path = Vec::new();
            let mut here = number;
            while let Some((before, edge)) = all[here].from {
                path.push(edge);
                here = before;
            }
            path.reverse();
            return Ok(Some((index, path)));
        }
        for (id, edge) in stg.outgoing(at) {
            if !useful[edge.target.0 as usize] {
                continue;
            }
            tools.budget.spend()?;
            let terms = &mut *tools.terms;
            let mut values = all[number].values.clone();
            let mut conditions = all[number].conditions.clone();
            let guard = terms.substitute(edge.guard, &values);
            for variable in edge.event.bound_variables() {
                let new = terms.fresh_variable(variable);
                let new = terms.var(new);
                values.insert(variable, new);
            }
            let accepts = edge.accepts(terms);
            let accepts = terms.substitute(accepts, &values);
            for update in &edge.updates {
                let value = terms.substitute(update.value, &values);
                values.insert(update.variable, value);
            }
            conditions.extend([guard, accepts].into_iter().filter(|&it| it != Term::TRUE));
            if conditions.is_empty() {
                // Without conditions one way to a node is as good as another.
                if std::mem::replace(&mut seen[edge.target.0 as usize], true) {
                    continue;
                }
            } else if conditions.len() > all[number].conditions.len() {
                runs += 1;
                if runs > MOST_RUNS {
                    return Ok(None);
                }
                if oracle.together(terms, &conditions)? != Together::Possible {
                    continue;
                }
            } else {
                runs += 1;
                if runs > MOST_RUNS {
                    return Ok(None);
                }
            }
            all.push(Beginning {
                at: edge.target,
                values,
                conditions,
                from: Some((number, id)),
            });
            work.push_back(all.len() - 1);
        }
    }
    Ok(None)
}

/// The nodes from which a goal can be reached, conditions aside.
fn leading_to(twin: &Twin, goals: &FxHashMap<NodeId, usize>) -> Vec<bool> {
    let stg = twin.stg();
    let mut incoming: Vec<Vec<NodeId>> = vec![Vec::new(); stg.nodes().len()];
    for edge in stg.edges() {
        incoming[edge.target.0 as usize].push(edge.source);
    }
    let mut reached = vec![false; stg.nodes().len()];
    let mut work: Vec<NodeId> = goals.keys().copied().collect();
    while let Some(node) = work.pop() {
        if !std::mem::replace(&mut reached[node.0 as usize], true) {
            work.extend(&incoming[node.0 as usize]);
        }
    }
    reached
}
