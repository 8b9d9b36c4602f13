//! Whether every run of roles under faults is the beginning of an allowed run, for all data.
//!
//! A state is where the roles stand, and all the places where the specification may stand after the same sendings
//! (a subset construction), each with what its variables hold.
//! Values are *symbols*: every value that a message brings is a new one, and *facts* say what is known of them.
//! Where a guard, or a comparison with what the specification sends, is neither implied nor excluded by the facts, the
//! state is split in two, so that in each case the places of the specification are known exactly.
//! A run is refuted where a sending leaves the specification nowhere to stand and the facts can hold together.
//!
//! Two states are one if they are equal up to the names of symbols.
//! Facts that share no symbol with a value in use, directly or through others, are dropped: they can hold, so they
//! exclude nothing.
//! Without guards there are no facts, and the search ends if the composition is finite; where loops compare new data
//! with old without end, it meets its budget and says so.

use choros_data::{Term, Terms, Var};
use choros_model::stg::{
    Direction, Edge, EdgeId, Event, FieldValue, FreeVariables, Message, NodeId, Stg,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::leaves::{Decider, Open, leaves, relevant};
use crate::reachability::contradiction::Oracle;
use crate::tools::Tools;

/// What variables hold; those that are not in it are parameters.
pub(super) type Values = Vec<(Var, Term)>;

/// Where the specification may stand.
pub(super) type Place = (NodeId, Values);

/// The roles and the specification after the same sendings.
pub(super) struct State {
    pub(super) node: NodeId,
    values: Values,
    facts: Vec<Term>,
    pub(super) places: Vec<Place>,
    /// The state before, and the step from there; no step where a case was split off.
    pub(super) came: Option<(usize, Option<EdgeId>)>,
    /// What the step brought, and what it adds to the conditions of the run.
    pub(super) brought: Vec<Term>,
    pub(super) conditions: Vec<Term>,
    /// What can follow.
    pub(super) next: Next,
}

/// What can follow a state.
#[derive(Debug, Clone, Default)]
pub(super) enum Next {
    #[default]
    Unexplored,
    /// It is one of these, as the data decide.
    Cases(Vec<usize>),
    /// Whether everything may have ended, and for each step that is possible the states after it, as the data decide.
    Steps {
        ends: bool,
        steps: Vec<(EdgeId, Vec<usize>)>,
    },
}

/// A sending that is not allowed.
pub(super) struct Excess {
    pub(super) state: usize,
    pub(super) edge: EdgeId,
    pub(super) brought: Vec<Term>,
    pub(super) conditions: Vec<Term>,
}

/// The states, and the first sending that is not allowed.
pub(super) struct Search<'g> {
    roles: &'g Stg,
    allowed: &'g Stg,
    live: FreeVariables,
    allowed_live: FreeVariables,
    parameters: FxHashSet<Var>,
    pub(super) states: Vec<State>,
    known: FxHashMap<Key, usize>,
    pub(super) excess: Option<Excess>,
}

/// A state up to the names of symbols.
type Key = (NodeId, Vec<Term>, Vec<(NodeId, Vec<Term>)>, Vec<Term>);

impl<'g> Search<'g> {
    /// Explores until a sending is not allowed or all states are known; `budget` is spent by the state.
    pub(super) fn run(
        roles: &'g Stg,
        allowed: &'g Stg,
        tools: &mut Tools<'_>,
    ) -> Result<Search<'g>, Open> {
        let parameters = roles.parameters(tools.terms).into_iter();
        let mut search = Search {
            roles,
            allowed,
            live: FreeVariables::of(roles, tools.terms),
            allowed_live: FreeVariables::of(allowed, tools.terms),
            parameters: parameters.chain(allowed.parameters(tools.terms)).collect(),
            states: Vec::new(),
            known: FxHashMap::default(),
            excess: None,
        };
        let mut oracle = Oracle::new(tools.solver);
        let first = State {
            node: roles.initial(),
            values: Vec::new(),
            facts: Vec::new(),
            places: vec![(allowed.initial(), Vec::new())],
            came: None,
            brought: Vec::new(),
            conditions: Vec::new(),
            next: Next::default(),
        };
        search.add(first, &mut oracle, tools.terms);
        let mut next = 0;
        while next < search.states.len() && search.excess.is_none() {
            tools
                .budget
                .spend()
                .map_err(|it| Open::Stopped(it.into()))?;
            search.explore(next, &mut oracle, tools.terms)?;
            next += 1;
        }
        Ok(search)
    }

    fn explore(
        &mut self,
        number: usize,
        oracle: &mut Oracle<'_>,
        terms: &mut Terms,
    ) -> Result<(), Open> {
        let (roles, node) = (self.roles, self.states[number].node);
        let (facts, values) = {
            let state = &self.states[number];
            (state.facts.clone(), map(&state.values))
        };
        let ending = roles.termination(node, terms);
        let mut asked: Vec<Term> = roles.outgoing(node).map(|(_, it)| it.guard).collect();
        asked.push(ending);
        let asked: Vec<Term> = asked
            .into_iter()
            .map(|it| terms.substitute(it, &values))
            .collect();
        let mut decide = |decider: &mut Decider<'_, '_>| {
            let mut answers = Vec::with_capacity(asked.len());
            for &condition in &asked {
                answers.push(decider.holds(condition)?);
            }
            Ok(answers)
        };
        let mut cases = leaves(&facts, oracle, terms, &mut decide)?;
        if cases.len() != 1 {
            let mut split = Vec::new();
            for case in cases {
                let state = &self.states[number];
                let state = State {
                    node,
                    values: state.values.clone(),
                    facts: [&facts[..], &case.added[..]].concat(),
                    places: state.places.clone(),
                    came: Some((number, None)),
                    brought: Vec::new(),
                    conditions: case.added,
                    next: Next::default(),
                };
                split.push(self.add(state, oracle, terms));
            }
            self.states[number].next = Next::Cases(split);
            return Ok(());
        }
        let enabled = cases.pop().map(|it| it.found).unwrap_or_default();
        let mut steps = Vec::new();
        for (position, (id, edge)) in roles.outgoing(node).enumerate() {
            if enabled[position] {
                let after = self.step(number, id, edge, oracle, terms)?;
                if self.excess.is_some() {
                    return Ok(());
                }
                if !after.is_empty() {
                    steps.push((id, after));
                }
            }
        }
        let ends = enabled.last().copied().unwrap_or_default();
        self.states[number].next = Next::Steps { ends, steps };
        Ok(())
    }

    /// The states after a step.
    fn step(
        &mut self,
        number: usize,
        id: EdgeId,
        edge: &Edge,
        oracle: &mut Oracle<'_>,
        terms: &mut Terms,
    ) -> Result<Vec<usize>, Open> {
        let state = &self.states[number];
        let before = map(&state.values);
        let (facts, places) = (state.facts.clone(), state.places.clone());
        let mut after = before.clone();
        let mut brought = Vec::new();
        for variable in edge.event.bound_variables() {
            let new = terms.fresh_variable(variable);
            let new = terms.var(new);
            after.insert(variable, new);
            brought.push(new);
        }
        let accepts = edge.accepts(terms);
        let accepts = terms.substitute(accepts, &after);
        let sent: Option<(&Message, Vec<Term>)> = match &edge.event {
            Event::Message(message) if message.direction != Direction::Receive => {
                let fields = message.fields.iter().map(|field| match field.value {
                    FieldValue::Free(term) => terms.substitute(term, &before),
                    FieldValue::Bind(variable) => after[&variable],
                });
                let fields = fields.collect();
                Some((message, fields))
            }
            _ => None,
        };
        for update in &edge.updates {
            let value = terms.substitute(update.value, &after);
            after.insert(update.variable, value);
        }
        let allowed = Allowed {
            stg: self.allowed,
            live: &self.allowed_live,
        };
        let mut follow = |decider: &mut Decider<'_, '_>| {
            if !decider.holds(accepts)? {
                return Ok(None);
            }
            Ok(Some(match &sent {
                None => places.clone(),
                Some((message, fields)) => allowed.after(&places, message, fields, decider)?,
            }))
        };
        let cases = leaves(&facts, oracle, terms, &mut follow)?;
        let values = self.kept(edge.target, &after);
        let mut found = Vec::new();
        for case in cases {
            let Some(places) = case.found else {
                continue;
            };
            if places.is_empty() {
                self.excess = Some(Excess {
                    state: number,
                    edge: id,
                    brought,
                    conditions: case.added,
                });
                return Ok(Vec::new());
            }
            let state = State {
                node: edge.target,
                values: values.clone(),
                facts: [&facts[..], &case.added[..]].concat(),
                places,
                came: Some((number, Some(id))),
                brought: brought.clone(),
                conditions: case.added,
                next: Next::default(),
            };
            found.push(self.add(state, oracle, terms));
        }
        Ok(found)
    }

    fn kept(&self, node: NodeId, values: &FxHashMap<Var, Term>) -> Values {
        let live = self.live.at(node).into_iter();
        live.filter_map(|it| values.get(&it).map(|&value| (it, value)))
            .collect()
    }

    /// The number of a state that is equal up to names, or of this one.
    fn add(&mut self, mut state: State, oracle: &mut Oracle<'_>, terms: &mut Terms) -> usize {
        if state.places.len() > 1 {
            state.places.sort_by_cached_key(|(node, values)| {
                let values = values.iter().map(|it| terms.print(it.1));
                (node.0, values.collect::<Vec<String>>())
            });
        }
        let own = state.values.iter().map(|it| it.1);
        let places = state.places.iter().flat_map(|it| &it.1).map(|it| it.1);
        let used: Vec<Term> = own.chain(places).collect();
        state.facts = relevant(
            std::mem::take(&mut state.facts),
            used.iter().copied(),
            &self.parameters,
            oracle,
            terms,
        );
        let key = self.key(&state, &used, terms);
        let new = self.states.len();
        let number = *self.known.entry(key).or_insert(new);
        if number == new {
            self.states.push(state);
        }
        number
    }

    fn key(&self, state: &State, used: &[Term], terms: &mut Terms) -> Key {
        let mut names: FxHashMap<Var, Term> = FxHashMap::default();
        for &term in used.iter().chain(&state.facts) {
            for variable in terms.free_variables(term) {
                if self.parameters.contains(&variable) || names.contains_key(&variable) {
                    continue;
                }
                let name = format!("symbol {}", names.len());
                let name = terms.names.intern(&name);
                let sort = terms.variable_sort(variable);
                let symbol = terms.variable(name, sort);
                let symbol = terms.var(symbol);
                names.insert(variable, symbol);
            }
        }
        let mut renamed = |values: &Values| {
            values
                .iter()
                .map(|it| terms.substitute(it.1, &names))
                .collect()
        };
        let own: Vec<Term> = renamed(&state.values);
        let mut places: Vec<(NodeId, Vec<Term>)> = Vec::new();
        for (node, values) in &state.places {
            places.push((*node, renamed(values)));
        }
        let mut facts: Vec<Term> = Vec::new();
        for &fact in &state.facts {
            facts.push(terms.substitute(fact, &names));
        }
        if facts.len() > 1 {
            facts.sort_by_cached_key(|&it| terms.print(it));
            facts.dedup();
        }
        (state.node, own, places, facts)
    }
}

/// The specification.
struct Allowed<'a> {
    stg: &'a Stg,
    live: &'a FreeVariables,
}

impl Allowed<'_> {
    /// Where it may stand after a sending.
    fn after(
        &self,
        places: &[Place],
        message: &Message,
        sent: &[Term],
        decider: &mut Decider<'_, '_>,
    ) -> Result<Vec<Place>, Open> {
        let mut found: Vec<Place> = Vec::new();
        for (node, values) in self.silently(places, decider)? {
            for (_, edge) in self.stg.outgoing(node) {
                let Some(known) = edge.event.message() else {
                    continue;
                };
                let Some(pairs) = pairs(known, message, sent, decider.terms) else {
                    continue;
                };
                if let Some(place) = self.fired(edge, &values, &pairs, decider)?
                    && !found.contains(&place)
                {
                    found.push(place);
                }
            }
        }
        Ok(found)
    }

    /// Where it may stand after steps that no one sees.
    fn silently(
        &self,
        places: &[Place],
        decider: &mut Decider<'_, '_>,
    ) -> Result<Vec<Place>, Open> {
        let mut found = places.to_vec();
        let mut next = 0;
        while next < found.len() {
            let (node, values) = found[next].clone();
            next += 1;
            for (_, edge) in self.stg.outgoing(node) {
                match &edge.event {
                    Event::Message(message) if message.direction != Direction::Receive => continue,
                    Event::Choose(_) => {
                        let reason = "the specification chooses values that no one sees";
                        return Err(Open::Unsettled(reason.to_owned()));
                    }
                    _ => {}
                }
                if let Some(place) = self.fired(edge, &values, &[], decider)?
                    && !found.contains(&place)
                {
                    found.push(place);
                }
            }
        }
        Ok(found)
    }

    fn fired(
        &self,
        edge: &Edge,
        values: &Values,
        fields: &[(FieldValue, Term)],
        decider: &mut Decider<'_, '_>,
    ) -> Result<Option<Place>, Open> {
        let before = map(values);
        let mut after = before.clone();
        let mut conditions = vec![decider.terms.substitute(edge.guard, &before)];
        for &(own, sent) in fields {
            match own {
                FieldValue::Free(term) => {
                    let term = decider.terms.substitute(term, &before);
                    conditions.push(decider.terms.equal(term, sent));
                }
                FieldValue::Bind(variable) => {
                    after.insert(variable, sent);
                }
            }
        }
        let accepts = edge.accepts(decider.terms);
        conditions.push(decider.terms.substitute(accepts, &after));
        for condition in conditions {
            if !decider.holds(condition)? {
                return Ok(None);
            }
        }
        for update in &edge.updates {
            let value = decider.terms.substitute(update.value, &after);
            after.insert(update.variable, value);
        }
        let live = self.live.at(edge.target).into_iter();
        let values = live.filter_map(|it| after.get(&it).map(|&value| (it, value)));
        Ok(Some((edge.target, values.collect())))
    }
}

/// The fields of a message of the specification, each with what is sent; `None` where it is another message.
fn pairs(
    known: &Message,
    message: &Message,
    sent: &[Term],
    terms: &Terms,
) -> Option<Vec<(FieldValue, Term)>> {
    let heads = |it: &Message| (it.operation, it.from, it.to, it.fault, it.fields.len());
    if known.direction == Direction::Receive || heads(known) != heads(message) {
        return None;
    }
    let labelled = message.fields.iter().any(|it| it.label.is_some());
    let mut found = Vec::new();
    for (position, field) in known.fields.iter().enumerate() {
        let place = if labelled {
            message
                .fields
                .iter()
                .position(|it| it.label == field.label)?
        } else {
            position
        };
        let sort = match field.value {
            FieldValue::Free(term) => terms.sort_of(term),
            FieldValue::Bind(variable) => terms.variable_sort(variable),
        };
        if sort != terms.sort_of(sent[place]) {
            return None;
        }
        found.push((field.value, sent[place]));
    }
    Some(found)
}

fn map(values: &Values) -> FxHashMap<Var, Term> {
    values.iter().copied().collect()
}
