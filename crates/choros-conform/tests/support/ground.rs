//! The naive twin: branching bisimulation for conformance on ground states, by removing pairs until nothing changes.
//!
//! Word for word Definition 4 of Nguyen's thesis with its corrections, for values instead of formulas; it knows
//! nothing of equations, invariants or solvers.

use choros_data::{Assignment, SortKind, Terms, Value, Var};
use choros_model::stg::run::{RunState, RunStep, enabled, fire, may_end};
use choros_model::stg::{EdgeId, Event, FieldValue, Stg};

/// All values of a finite sort.
pub(crate) fn values_of(variable: Var, terms: &Terms) -> Vec<Value> {
    let sort = terms.variable_sort(variable);
    match terms.sort_kind(sort) {
        SortKind::Bool => vec![Value::Bool(false), Value::Bool(true)],
        SortKind::Enumeration { constructors, .. } => (0..constructors.len() as u32)
            .map(|index| Value::Constructor { sort, index })
            .collect(),
        other => panic!("{other:?} is not finite"),
    }
}

/// All combinations of values of some variables.
pub(crate) fn assignments(variables: &[Var], terms: &Terms) -> Vec<Assignment> {
    let mut all = vec![Assignment::default()];
    for &variable in variables {
        all = all
            .iter()
            .flat_map(|start| {
                values_of(variable, terms).into_iter().map(move |value| {
                    let mut more = start.clone();
                    more.insert(variable, value);
                    more
                })
            })
            .collect();
    }
    all
}

/// The ground states of one side.
struct Side<'a> {
    stg: &'a Stg,
    states: Vec<RunState>,
}

impl<'a> Side<'a> {
    fn new(stg: &'a Stg, terms: &Terms) -> Self {
        let variables = stg.variables(terms);
        let all = assignments(&variables, terms);
        let states = stg
            .node_ids()
            .flat_map(|node| {
                all.iter().map(move |values| RunState {
                    node,
                    values: values.clone(),
                })
            })
            .collect();
        Side { stg, states }
    }

    fn index(&self, wanted: &RunState) -> usize {
        self.states
            .iter()
            .position(|state| state == wanted)
            .expect("values stay in their sorts")
    }
}

/// The greatest relation between the ground states of two graphs.
pub(crate) struct Ground<'a> {
    left: Side<'a>,
    right: Side<'a>,
    related: Vec<Vec<bool>>,
    allow_fixed: bool,
}

impl<'a> Ground<'a> {
    pub(crate) fn new(left: &'a Stg, right: &'a Stg, allow_fixed: bool, terms: &Terms) -> Self {
        let (left, right) = (Side::new(left, terms), Side::new(right, terms));
        let related = vec![vec![true; right.states.len()]; left.states.len()];
        let mut ground = Ground {
            left,
            right,
            related,
            allow_fixed,
        };
        loop {
            let mut changed = false;
            for l in 0..ground.left.states.len() {
                for r in 0..ground.right.states.len() {
                    if ground.related[l][r] && !ground.keeps(l, r, terms) {
                        ground.related[l][r] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return ground;
            }
        }
    }

    /// Whether the initial nodes are related for these values; variables without one may have any.
    pub(crate) fn conforms(&self, values: &Assignment, terms: &Terms) -> bool {
        let start = |stg: &Stg| -> RunState {
            let mut all = Assignment::default();
            for variable in stg.variables(terms) {
                let value = match values.get(&variable) {
                    Some(value) => value.clone(),
                    None => values_of(variable, terms).remove(0),
                };
                all.insert(variable, value);
            }
            RunState {
                node: stg.initial(),
                values: all,
            }
        };
        let (left, right) = (start(self.left.stg), start(self.right.stg));
        self.related[self.left.index(&left)][self.right.index(&right)]
    }

    fn keeps(&self, l: usize, r: usize, terms: &Terms) -> bool {
        let (left, right) = (&self.left.states[l], &self.right.states[r]);
        for own in enabled(self.left.stg, left, terms).expect("all have values") {
            let kept = if self.left.stg.edge(own).event.is_silent() {
                silent_steps(self.left.stg, left, own, terms)
                    .iter()
                    .all(|after| self.related[self.left.index(after)][r])
            } else {
                enabled(self.right.stg, right, terms)
                    .expect("all have values")
                    .into_iter()
                    .any(|other| self.together((left, own), (right, other), terms))
            };
            if !kept {
                return false;
            }
        }
        let silent = self.silent(left, terms);
        if may_end(self.left.stg, left, terms) == Ok(true)
            && may_end(self.right.stg, right, terms) != Ok(true)
        {
            return false;
        }
        if may_end(self.right.stg, right, terms) == Ok(true)
            && !silent.iter().any(|u| {
                may_end(self.left.stg, u, terms) == Ok(true) && self.related[self.left.index(u)][r]
            })
        {
            return false;
        }
        for other in enabled(self.right.stg, right, terms).expect("all have values") {
            let answered = silent.iter().any(|u| {
                self.related[self.left.index(u)][r]
                    && enabled(self.left.stg, u, terms)
                        .expect("all have values")
                        .into_iter()
                        .any(|own| self.together((u, own), (right, other), terms))
            });
            if !answered {
                return false;
            }
        }
        true
    }

    /// Whether two steps match, and lead to related states for all new values.
    fn together(
        &self,
        (left, own): (&RunState, EdgeId),
        (right, other): (&RunState, EdgeId),
        terms: &Terms,
    ) -> bool {
        let (own_event, other_event) = (
            &self.left.stg.edge(own).event,
            &self.right.stg.edge(other).event,
        );
        let (Event::Message(sent), Event::Message(expected)) = (own_event, other_event) else {
            return false;
        };
        if (sent.operation, sent.from, sent.to) != (expected.operation, expected.from, expected.to)
            || sent.fields.len() != expected.fields.len()
        {
            return false;
        }
        // What each side is brought, for each choice of new values.
        let mut ways: Vec<(Vec<Value>, Vec<Value>)> = vec![(Vec::new(), Vec::new())];
        for (own, other) in sent.fields.iter().zip(&expected.fields) {
            match (own.value, other.value) {
                (FieldValue::Free(a), FieldValue::Free(b)) => {
                    if terms.sort_of(a) != terms.sort_of(b)
                        || terms.evaluate(a, &left.values) != terms.evaluate(b, &right.values)
                    {
                        return false;
                    }
                }
                (FieldValue::Bind(x), FieldValue::Bind(y)) => {
                    if terms.variable_sort(x) != terms.variable_sort(y) {
                        return false;
                    }
                    let values = values_of(x, terms);
                    ways = ways
                        .iter()
                        .flat_map(|(a, b)| {
                            values.iter().map(move |value| {
                                let with =
                                    |list: &[Value]| [list, std::slice::from_ref(value)].concat();
                                (with(a), with(b))
                            })
                        })
                        .collect();
                }
                (FieldValue::Free(a), FieldValue::Bind(y)) => {
                    if !self.allow_fixed || terms.sort_of(a) != terms.variable_sort(y) {
                        return false;
                    }
                    let Ok(value) = terms.evaluate(a, &left.values) else {
                        return false;
                    };
                    for (_, brought) in &mut ways {
                        brought.push(value.clone());
                    }
                }
                (FieldValue::Bind(_), FieldValue::Free(_)) => return false,
            }
        }
        ways.into_iter().all(|(own_values, other_values)| {
            let own = step(self.left.stg, left, own, own_values, terms);
            let other = step(self.right.stg, right, other, other_values, terms);
            match (own, other) {
                (Some(own), Some(other)) => {
                    self.related[self.left.index(&own)][self.right.index(&other)]
                }
                _ => false,
            }
        })
    }

    fn silent(&self, from: &RunState, terms: &Terms) -> Vec<RunState> {
        let mut seen = vec![from.clone()];
        let mut next = 0;
        while next < seen.len() {
            let here = seen[next].clone();
            next += 1;
            for own in enabled(self.left.stg, &here, terms).expect("all have values") {
                if !self.left.stg.edge(own).event.is_silent() {
                    continue;
                }
                for after in silent_steps(self.left.stg, &here, own, terms) {
                    if !seen.contains(&after) {
                        seen.push(after);
                    }
                }
            }
        }
        seen
    }
}

/// Where a silent edge leads, for all values that it may choose.
fn silent_steps(stg: &Stg, from: &RunState, edge: EdgeId, terms: &Terms) -> Vec<RunState> {
    let chosen: Vec<Var> = stg.edge(edge).event.bound_variables().collect();
    assignments(&chosen, terms)
        .into_iter()
        .filter_map(|values| {
            let brought = chosen.iter().map(|it| values[it].clone()).collect();
            step(stg, from, edge, brought, terms)
        })
        .collect()
}

fn step(
    stg: &Stg,
    from: &RunState,
    edge: EdgeId,
    brought: Vec<Value>,
    terms: &Terms,
) -> Option<RunState> {
    let choice = RunStep {
        edge,
        bound_values: brought,
    };
    fire(stg, from, &choice, terms)
        .ok()
        .map(|fired| fired.state)
}

/// How many ground pairs there would be.
pub(crate) fn size(left: &Stg, right: &Stg, terms: &Terms) -> usize {
    let count = |stg: &Stg| {
        let values: usize = stg
            .variables(terms)
            .into_iter()
            .map(|variable| values_of(variable, terms).len())
            .product();
        stg.nodes().len() * values
    };
    count(left) * count(right)
}
