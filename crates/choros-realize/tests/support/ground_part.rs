//! One graph with values: where it stands, and what it may do there.
//!
//! Single steps are those of `choros_model::stg::run`, the naive semantics.

use choros_data::{Assignment, SortKind, Terms, Value, Var};
use choros_model::stg::run::{RunState, RunStep, fire, may_end};
use choros_model::stg::{
    Direction, Edge, EdgeId, FieldValue, FreeVariables, NodeId, Operation, Role, Stg,
};
use choros_realize::{Foresight, Projection};

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

/// A graph with the variables that matter at its nodes.
pub(crate) struct Part<'a> {
    pub(crate) stg: &'a Stg,
    /// For each node, what its role knows there; none for the choreography.
    foresights: &'a [Foresight],
    free: FreeVariables,
    terms: &'a Terms,
}

/// A node and the values that matter there, in the order of variables.
pub(crate) type Stand = (NodeId, Vec<(Var, Value)>);

/// What a step of a part does with its message.
pub(crate) struct Half<'a> {
    pub(crate) edge: &'a Edge,
    /// Whether the event binds the value.
    pub(crate) open: bool,
    /// What is carried, and where that leads: one for each value if it is open.
    pub(crate) outcomes: Vec<(Vec<Value>, Stand)>,
}

impl<'a> Part<'a> {
    pub(crate) fn new(stg: &'a Stg, terms: &'a Terms) -> Part<'a> {
        Part {
            stg,
            foresights: &[],
            free: FreeVariables::of(stg, terms),
            terms,
        }
    }

    /// What a role does, with what it knows.
    pub(crate) fn of(projection: &'a Projection, terms: &'a Terms) -> Part<'a> {
        Part {
            foresights: &projection.foresights,
            ..Part::new(&projection.stg, terms)
        }
    }

    /// Whether all may be over, and whether a message may come, by what the role knows.
    pub(crate) fn foresight(&self, stand: &Stand) -> (bool, bool) {
        let values = Part::situation(stand).values;
        let is_true = |condition| {
            let known = self.terms.evaluate_guard(condition, &values);
            known.expect("all have values")
        };
        let foresight = self.foresights[stand.0.index()];
        (is_true(foresight.ends), is_true(foresight.listens))
    }

    fn situation(stand: &Stand) -> RunState {
        RunState {
            node: stand.0,
            values: stand.1.iter().cloned().collect(),
        }
    }

    pub(crate) fn stand(&self, node: NodeId, values: &Assignment) -> Stand {
        let mut kept: Vec<(Var, Value)> = values
            .iter()
            .filter(|(variable, _)| self.matters(node, **variable))
            .map(|(&variable, value)| (variable, value.clone()))
            .collect();
        kept.sort_by(|one, other| {
            let text = |it: &(Var, Value)| self.terms.variable_text(it.0);
            text(one).cmp(text(other))
        });
        (node, kept)
    }

    /// Whether the value of a variable matters at a node; what may be expected later is not followed, so it all does.
    fn matters(&self, node: NodeId, variable: Var) -> bool {
        !self.foresights.is_empty() || self.free.contains(node, variable)
    }

    pub(crate) fn ends(&self, stand: &Stand) -> bool {
        may_end(self.stg, &Part::situation(stand), self.terms).expect("all have values")
    }

    /// The steps whose guards hold.
    pub(crate) fn steps(&self, stand: &Stand) -> Vec<Half<'a>> {
        let situation = Part::situation(stand);
        let mut steps = Vec::new();
        for (id, edge) in self.stg.outgoing(stand.0) {
            let holds = self.terms.evaluate_guard(edge.guard, &situation.values);
            if !holds.expect("all have values") {
                continue;
            }
            let bound: Vec<Var> = edge.event.bound_variables().collect();
            assert!(bound.len() < 2, "one field at most");
            let brought = match bound.first() {
                Some(&variable) => values_of(variable, self.terms)
                    .into_iter()
                    .map(|value| vec![value])
                    .collect(),
                None => vec![Vec::new()],
            };
            let outcomes = brought
                .into_iter()
                .map(|brought| self.outcome(&situation, id, brought))
                .collect();
            steps.push(Half {
                edge,
                open: !bound.is_empty(),
                outcomes,
            });
        }
        steps
    }

    fn outcome(&self, at: &RunState, edge: EdgeId, brought: Vec<Value>) -> (Vec<Value>, Stand) {
        let fired = fire(
            self.stg,
            at,
            &RunStep {
                edge,
                bound_values: brought,
            },
            self.terms,
        );
        let fired = fired.expect("its guard holds");
        let after = self.stand(fired.state.node, &fired.state.values);
        (fired.carried, after)
    }
}

/// Operation, sender, receiver.
pub(crate) type Label = (Operation, Role, Role);

pub(crate) fn label(edge: &Edge) -> (Label, Direction) {
    let message = edge.event.message().expect("no silent steps are left");
    (
        (message.operation, message.from, message.to),
        message.direction,
    )
}

/// Whether an edge leaves a field open.
pub(crate) fn is_open(edge: &Edge) -> bool {
    let fields = edge.event.message().map_or(&[][..], |it| &it.fields);
    fields
        .iter()
        .any(|it| matches!(it.value, FieldValue::Bind(_)))
}
