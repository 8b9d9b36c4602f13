//! A graph whose variables have values, seen as a system of states.
//!
//! A state is a node with the values of the variables that are free there; others cannot make a difference.
//! A field that binds a variable takes every value of the variable's domain, so the view is exact for these domains and
//! says nothing about other data.
//! Where a run may end, a step `end` leads to a state that has ended, so that paths that end there are paths.

use choros_data::{Assignment, SortKind, Terms, Value, Var};
use rustc_hash::FxHashMap;

use super::{Action, ActionId, Extent, Lts, NoSuccessors, StateId};
use crate::stg::run::{Refusal, RunState, RunStep, StepResult, fire, may_end};
use crate::stg::{Direction, EdgeId, Event, FreeVariables, NodeId, Stg};

/// The view.
pub struct ValuedGraph<'g> {
    stg: &'g Stg,
    terms: Terms,
    free: FreeVariables,
    domains: FxHashMap<Var, Vec<Value>>,
    states: Vec<State>,
    ids: FxHashMap<State, StateId>,
    actions: Vec<Action>,
    action_ids: FxHashMap<Action, ActionId>,
    end: choros_base::Name,
}

/// Where a run stands; `None` after its end.
type State = Option<(NodeId, Vec<(Var, Value)>)>;

/// Variables of which not all values can be tried.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpenData {
    /// Parameters without value: name and sort.
    pub parameters: Vec<(String, String)>,
    /// Variables that messages bind, without a finite domain: name and sort.
    pub bound: Vec<(String, String)>,
}

impl<'g> ValuedGraph<'g> {
    /// The view of a graph; `domains` says which values variables take where their sort has infinitely many.
    pub fn new(
        stg: &'g Stg,
        terms: &Terms,
        mut domains: FxHashMap<Var, Vec<Value>>,
    ) -> Result<Self, OpenData> {
        complete(stg, &mut domains, &[], terms)?;
        let mut terms = terms.clone();
        let end = terms.names.intern("end");
        let start: State = Some((stg.initial(), Vec::new()));
        Ok(Self {
            stg,
            free: FreeVariables::of(stg, &terms),
            terms,
            domains,
            ids: [(start.clone(), StateId(0))].into_iter().collect(),
            states: vec![start],
            actions: Vec::new(),
            action_ids: FxHashMap::default(),
            end,
        })
    }

    fn state(&mut self, state: State) -> StateId {
        let next = StateId(self.states.len() as u32);
        let id = *self.ids.entry(state.clone()).or_insert(next);
        if id == next {
            self.states.push(state);
        }
        id
    }

    fn action_id(&mut self, action: Action) -> ActionId {
        let next = ActionId(self.actions.len() as u32);
        let id = *self.action_ids.entry(action.clone()).or_insert(next);
        if id == next {
            self.actions.push(action);
        }
        id
    }

    /// What an edge does, for every choice of the data it brings.
    fn edge(
        &mut self,
        id: EdgeId,
        situation: &RunState,
        into: &mut Vec<(ActionId, StateId)>,
    ) -> Result<(), NoSuccessors> {
        let stg = self.stg;
        for fired in firings(stg, id, situation, &self.domains, &self.terms)? {
            let action = label(&stg.edge(id).event, fired.carried, &mut self.terms);
            let action = self.action_id(action);
            let node = fired.state.node;
            let values = self
                .free
                .at(node)
                .into_iter()
                .filter_map(|free| Some((free, fired.state.values.get(&free)?.clone())))
                .collect();
            let step = (action, self.state(Some((node, values))));
            if !into.contains(&step) {
                into.push(step);
            }
        }
        Ok(())
    }
}

/// The variables of which not all values can be tried; domains of sorts with finitely many values are completed.
pub(super) fn complete(
    stg: &Stg,
    domains: &mut FxHashMap<Var, Vec<Value>>,
    known: &[Var],
    terms: &Terms,
) -> Result<(), OpenData> {
    let named = |variable: Var| {
        let sort = terms.sort_text(terms.variable_sort(variable));
        (terms.variable_text(variable).to_owned(), sort)
    };
    let mut parameters = stg.parameters(terms);
    parameters.retain(|it| !known.contains(it));
    let mut open = OpenData {
        parameters: parameters.into_iter().map(named).collect(),
        bound: Vec::new(),
    };
    for edge in stg.edges() {
        for variable in edge.event.bound_variables() {
            if domains.contains_key(&variable) {
                continue;
            }
            match all_values(variable, terms) {
                Some(values) => {
                    domains.insert(variable, values);
                }
                None => open.bound.push(named(variable)),
            }
        }
    }
    if !open.parameters.is_empty() || !open.bound.is_empty() {
        open.bound.sort();
        open.bound.dedup();
        return Err(open);
    }
    Ok(())
}

/// What an edge does in a situation, for every choice of the data it brings.
pub(super) fn firings(
    stg: &Stg,
    id: EdgeId,
    situation: &RunState,
    domains: &FxHashMap<Var, Vec<Value>>,
    terms: &Terms,
) -> Result<Vec<StepResult>, NoSuccessors> {
    let mut found = Vec::new();
    let variables: Vec<Var> = stg.edge(id).event.bound_variables().collect();
    let sizes: Vec<usize> = variables
        .iter()
        .map(|variable| domains.get(variable).map_or(0, Vec::len))
        .collect();
    // The choices in the order of a counter whose last digit is the fastest.
    let mut digits = vec![0usize; sizes.len()];
    if sizes.contains(&0) {
        return Ok(found);
    }
    loop {
        let brought = variables
            .iter()
            .zip(&digits)
            .map(|(variable, &digit)| domains[variable][digit].clone())
            .collect();
        let choice = RunStep {
            edge: id,
            bound_values: brought,
        };
        match fire(stg, situation, &choice, terms) {
            Ok(fired) => found.push(fired),
            // A guard that does not hold, or an update that is undefined for these data.
            Err(Refusal::Guard | Refusal::NoValue(_)) => {}
            Err(other) => {
                return Err(NoSuccessors {
                    reason: format!("a transition cannot be taken: {other:?}"),
                });
            }
        }
        let mut place = digits.len();
        loop {
            if place == 0 {
                return Ok(found);
            }
            place -= 1;
            digits[place] += 1;
            if digits[place] < sizes[place] {
                break;
            }
            digits[place] = 0;
        }
    }
}

pub(super) fn label(event: &Event, carried: Vec<Value>, terms: &mut Terms) -> Action {
    match event {
        Event::Silent | Event::Choose(_) => Action::Silent,
        Event::Message(message) => Action::Named {
            name: message.operation.0,
            ends: Some((message.from.0, message.to.0)),
            direction: message.direction,
            arguments: carried,
        },
        other => {
            let text = other.text(terms);
            Action::Named {
                name: terms.names.intern(&text),
                ends: None,
                direction: Direction::Interaction,
                arguments: carried,
            }
        }
    }
}

/// The values of a sort that has finitely many.
fn all_values(variable: Var, terms: &Terms) -> Option<Vec<Value>> {
    let sort = terms.variable_sort(variable);
    match terms.sort_kind(sort) {
        SortKind::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        SortKind::Enumeration { constructors, .. } => Some(
            (0..constructors.len() as u32)
                .map(|index| Value::Constructor { sort, index })
                .collect(),
        ),
        _ => None,
    }
}

impl Lts for ValuedGraph<'_> {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn initial(&mut self) -> StateId {
        StateId(0)
    }

    fn successors(
        &mut self,
        state: StateId,
        into: &mut Vec<(ActionId, StateId)>,
    ) -> Result<Extent, NoSuccessors> {
        let Some((node, values)) = self.states[state.index()].clone() else {
            return Ok(Extent::Whole);
        };
        let situation = RunState {
            node,
            values: values.into_iter().collect::<Assignment>(),
        };
        let edges: Vec<EdgeId> = self.stg.outgoing(node).map(|(id, _)| id).collect();
        for edge in edges {
            self.edge(edge, &situation, into)?;
        }
        if may_end(self.stg, &situation, &self.terms) == Ok(true) {
            let end = self.action_id(Action::Named {
                name: self.end,
                ends: None,
                direction: Direction::Interaction,
                arguments: Vec::new(),
            });
            let ended = self.state(None);
            into.push((end, ended));
        }
        Ok(Extent::Whole)
    }

    fn action(&self, action: ActionId) -> &Action {
        &self.actions[action.index()]
    }

    fn propositions(&mut self, _: StateId, _: &mut Vec<ActionId>) -> Result<(), NoSuccessors> {
        Ok(())
    }

    fn ended(&self, state: StateId) -> bool {
        self.states[state.index()].is_none()
    }

    fn describe(&self, state: StateId) -> String {
        let Some((node, values)) = &self.states[state.index()] else {
            return "ended".to_owned();
        };
        let mut text = self.stg.node(*node).label.clone();
        for (variable, value) in values {
            text.push_str(&format!(
                " {}={}",
                self.terms.variable_text(*variable),
                self.terms.print_value(value)
            ));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use choros_base::{Budget, SourceMap};

    use super::*;
    use crate::lts::explore;
    use crate::stg::read_stg;

    fn graph(text: &str) -> (Stg, Terms) {
        let mut terms = Terms::new();
        let mut map = SourceMap::new();
        let file = map.add("test.stg", text);
        let (stg, diagnostics) = read_stg(file, text, &mut terms);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        (stg, terms)
    }

    const ASK: &str = "stg ask explicit\ninitial 0\n0 -> 1: Ask[c,s].<x>\n\
                       1 -> 2: [x > 1] Many[s,c]\n1 -> 2: [x <= 1] Few[s,c]\n2: end\n";

    #[test]
    fn every_value_of_the_domain_is_a_step() {
        let (stg, terms) = graph(ASK);
        let x = stg.edges()[0].event.bound_variables().next();
        let x = x.unwrap_or_else(|| panic!("`x` is bound"));
        let values = (0..4).map(Value::int).collect();
        let domains = [(x, values)].into_iter().collect();
        let mut system = match ValuedGraph::new(&stg, &terms, domains) {
            Ok(system) => system,
            Err(open) => panic!("{open:?}"),
        };
        let found = explore(&mut system, &Budget::unlimited());
        // The start, one state per value, one after the answer, and the end.
        assert_eq!(found.counts().states, 7);
        assert_eq!(found.counts().transitions, 4 + 4 + 1);
        assert_eq!(found.counts().deadlocks, 0);
    }

    #[test]
    fn data_without_bounds_are_named() {
        let (stg, terms) = graph(
            "stg ask explicit\ninitial 0\n0 -> 1: Ask[c,s].<x>\n1 -> 2: [x > y] Many[s,c]\n2: end\n",
        );
        let open = match ValuedGraph::new(&stg, &terms, FxHashMap::default()) {
            Ok(_) => panic!("integers have no end"),
            Err(open) => open,
        };
        assert_eq!(open.parameters, [("y".to_owned(), "Int".to_owned())]);
        assert_eq!(open.bound, [("x".to_owned(), "Int".to_owned())]);
    }

    #[test]
    fn variables_that_nobody_reads_any_more_make_no_states() {
        let (stg, terms) = graph(
            "stg flip explicit\ninitial 0\n0 -> 1: Flip[c,s].<x>\n1 -> 0: [x] On[s,c]\n1 -> 0: [!x] Off[s,c]\n",
        );
        let mut system = match ValuedGraph::new(&stg, &terms, FxHashMap::default()) {
            Ok(system) => system,
            Err(open) => panic!("{open:?}"),
        };
        let found = explore(&mut system, &Budget::unlimited());
        assert_eq!(found.counts().states, 3);
    }
}
