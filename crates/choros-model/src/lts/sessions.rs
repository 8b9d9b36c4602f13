//! Many sessions of a graph whose variables have values, up to their order.
//!
//! A state is the values of what sessions share, and for each session a node with the values of its own variables.
//! All sessions do the same, so exchanging two of them leads from a state to one that can do the same steps, with the
//! same labels: which session does a step is not part of a label.
//! States that differ by such an exchange are one here: the sessions are kept sorted (C. N. Ip and D. L. Dill, *Better
//! verification through symmetry*, 1996, with the sessions as the only scalarset).
//! So there are as many states as there are multisets of what sessions can be doing, in place of tuples, and the view is
//! strongly bisimilar to that of the tuples.
//!
//! Where the identity of a session is only passed on, and no one asks about it, it is left open: every session has the
//! same one.
//! Nothing that is compared or decided changes by that.
//! Otherwise each session has an identity of its own, and sessions that have begun are not exchanged any more.

use choros_data::{Assignment, Sort, SortKind, Term, Terms, Value, Var};
use num_rational::BigRational;
use rustc_hash::FxHashMap;

use super::valued::{complete, firings, label};
use super::{Action, ActionId, Extent, Lts, NoSuccessors, OpenData, StateId};
use crate::stg::run::{RunState, may_end};
use crate::stg::{Direction, EdgeId, FieldValue, FreeVariables, NodeId, Sessions, Stg};

/// What the identities of sessions are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identities {
    /// Nothing depends on them: all have the same one.
    Open,
    /// The first session has the first value, and so on.
    Numbered,
    /// Any values of their domain, in each session.
    Free,
}

/// The view.
pub struct SessionsSystem<'g> {
    stg: &'g Stg,
    terms: Terms,
    free: FreeVariables,
    shared: Vec<Var>,
    /// The values that a session tries: those of the first session come first, where they differ.
    domains: Vec<FxHashMap<Var, Vec<Value>>>,
    locals: Vec<Local>,
    local_ids: FxHashMap<Local, u32>,
    states: Vec<State>,
    ids: FxHashMap<State, StateId>,
    actions: Vec<Action>,
    action_ids: FxHashMap<Action, ActionId>,
    end: choros_base::Name,
}

/// What a session is doing: its domains, its node, its values.
type Local = (usize, NodeId, Vec<(Var, Value)>);

/// What is shared, and the sessions in order; `None` after the end.
type State = Option<(Vec<(Var, Value)>, Vec<u32>)>;

impl<'g> SessionsSystem<'g> {
    /// The view of so many sessions; `initial` has the first values of what they share.
    pub fn new(
        stg: &'g Stg,
        terms: &Terms,
        mut domains: FxHashMap<Var, Vec<Value>>,
        (sessions, count): (&Sessions, u32),
        initial: &[(Var, Value)],
        identities: Identities,
    ) -> Result<SessionsSystem<'g>, OpenData> {
        let mut terms = terms.clone();
        let binders = identity_binders(stg, sessions, &terms);
        let mut each = vec![FxHashMap::default(); 1];
        match identities {
            Identities::Free => {}
            Identities::Open => {
                for &binder in &binders {
                    if let Some(value) = identity(binder, 0, &mut terms) {
                        domains.insert(binder, vec![value]);
                    }
                }
            }
            Identities::Numbered => {
                each = (0..count)
                    .map(|number| {
                        let own =
                            |&it: &Var| Some((it, vec![identity(it, number + 1, &mut terms)?]));
                        binders.iter().filter_map(own).collect()
                    })
                    .collect();
                domains.extend(each[0].clone());
            }
        }
        let known: Vec<Var> = initial.iter().map(|it| it.0).collect();
        complete(stg, &mut domains, &known, &terms)?;
        let domains = each.into_iter().map(|own| {
            let mut all = domains.clone();
            all.extend(own);
            all
        });
        let end = terms.names.intern("end");
        let mut system = SessionsSystem {
            stg,
            free: FreeVariables::of(stg, &terms),
            terms,
            shared: Vec::new(),
            domains: domains.collect(),
            locals: Vec::new(),
            local_ids: FxHashMap::default(),
            states: Vec::new(),
            ids: FxHashMap::default(),
            actions: Vec::new(),
            action_ids: FxHashMap::default(),
            end,
        };
        system.shared = sessions.shared_variables(stg, &system.terms);
        let each = (0..count as usize).map(|number| number.min(system.domains.len() - 1));
        let mut locals: Vec<u32> = each
            .collect::<Vec<_>>()
            .into_iter()
            .map(|domains| system.local((domains, stg.initial(), Vec::new())))
            .collect();
        locals.sort_unstable();
        system.state(Some((initial.to_vec(), locals)));
        Ok(system)
    }

    fn local(&mut self, local: Local) -> u32 {
        let next = self.locals.len() as u32;
        let id = *self.local_ids.entry(local.clone()).or_insert(next);
        if id == next {
            self.locals.push(local);
        }
        id
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

    /// What a session sees: its own values and those that are shared.
    fn situation(&self, shared: &[(Var, Value)], local: u32) -> RunState {
        let (_, node, own) = &self.locals[local as usize];
        let values = shared.iter().chain(own).cloned();
        RunState {
            node: *node,
            values: values.collect::<Assignment>(),
        }
    }

    /// Whether what a session does from here on may depend on a variable.
    fn reads(&self, local: u32, variable: Var) -> bool {
        let node = self.locals[local as usize].1;
        self.free.at(node).contains(&variable)
    }

    /// The steps of the session at a place of a state.
    fn session(
        &mut self,
        (shared, locals): (&[(Var, Value)], &[u32]),
        place: usize,
        into: &mut Vec<(ActionId, StateId)>,
    ) -> Result<(), NoSuccessors> {
        let situation = self.situation(shared, locals[place]);
        let own = self.locals[locals[place] as usize].0;
        let stg = self.stg;
        let edges: Vec<EdgeId> = stg.outgoing(situation.node).map(|(id, _)| id).collect();
        for id in edges {
            for fired in firings(stg, id, &situation, &self.domains[own], &self.terms)? {
                let action = label(&stg.edge(id).event, fired.carried, &mut self.terms);
                let action = self.action_id(action);
                let (node, values) = (fired.state.node, fired.state.values);
                let value = |it: Var| Some((it, values.get(&it)?.clone()));
                let mut own_values = self.free.at(node);
                own_values.retain(|it| !self.shared.contains(it));
                let own_values = own_values.into_iter().filter_map(value).collect();
                let mut locals = locals.to_vec();
                locals[place] = self.local((own, node, own_values));
                locals.sort_unstable();
                let is_read = |&it: &Var| locals.iter().any(|&local| self.reads(local, it));
                let shared = self.shared.iter().copied().filter(is_read);
                let after: Vec<(Var, Value)> = shared.filter_map(value).collect();
                let step = (action, self.state(Some((after, locals))));
                if !into.contains(&step) {
                    into.push(step);
                }
            }
        }
        Ok(())
    }
}

/// The variables that messages bind as the identity of a session.
fn identity_binders(stg: &Stg, sessions: &Sessions, terms: &Terms) -> Vec<Var> {
    let mut found = Vec::new();
    for message in stg.messages() {
        if let Some(FieldValue::Bind(variable)) = sessions.identity_of(message, terms)
            && !found.contains(&variable)
        {
            found.push(variable);
        }
    }
    found
}

/// The identity with a number; a sort with finitely many values has too few of them.
fn identity(variable: Var, number: u32, terms: &mut Terms) -> Option<Value> {
    let sort = terms.variable_sort(variable);
    Some(match sort {
        Sort::INT => Value::int(number),
        Sort::REAL => Value::Real(BigRational::from_integer(number.into())),
        Sort::STRING => Value::text(number.to_string()),
        _ if matches!(terms.sort_kind(sort), SortKind::Uninterpreted(_)) => Value::Atom {
            sort,
            name: terms.names.intern(&format!("session{number}")),
        },
        _ => return None,
    })
}

/// Whether the identity of a session is carried by its messages where it belongs, and read nowhere else.
pub fn is_only_passed_on(stg: &Stg, sessions: &Sessions, terms: &Terms) -> bool {
    let mut carrying: Vec<Var> = identity_binders(stg, sessions, terms);
    for message in stg.messages() {
        if let Some(FieldValue::Free(term)) = sessions.identity_of(message, terms) {
            carrying.extend(terms.as_variable(term));
        }
    }
    let reads = |term: Term| {
        let variables = terms.free_variables(term);
        variables.iter().any(|it| carrying.contains(it))
    };
    let edges = stg.edges().iter().all(|edge| {
        let own = edge
            .event
            .message()
            .and_then(|it| sessions.identity_of(it, terms));
        let mut fields = edge.event.message().into_iter().flat_map(|it| &it.fields);
        let mut updates = edge.updates.iter();
        !reads(edge.guard)
            && fields.all(|field| match field.value {
                FieldValue::Free(term) => Some(field.value) == own || !reads(term),
                FieldValue::Bind(_) => true,
            })
            && updates.all(|it| carrying.contains(&it.variable) || !reads(it.value))
    });
    let ends = stg.nodes().iter().flat_map(|it| &it.terminations);
    edges && ends.into_iter().all(|it| !reads(it.guard))
}

impl Lts for SessionsSystem<'_> {
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
        let Some((shared, locals)) = self.states[state.index()].clone() else {
            return Ok(Extent::Whole);
        };
        for place in 0..locals.len() {
            // Sessions that do the same have the same successors.
            if place == 0 || locals[place] != locals[place - 1] {
                self.session((&shared, &locals), place, into)?;
            }
        }
        let ends =
            |it: &u32| may_end(self.stg, &self.situation(&shared, *it), &self.terms) == Ok(true);
        if locals.iter().all(ends) {
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
        let Some((shared, locals)) = &self.states[state.index()] else {
            return "ended".to_owned();
        };
        let values = |values: &[(Var, Value)]| -> String {
            let one = |(variable, value): &(Var, Value)| {
                let name = self.terms.variable_text(*variable);
                format!(" {name}={}", self.terms.print_value(value))
            };
            values.iter().map(one).collect()
        };
        let each: Vec<String> = locals
            .iter()
            .map(|&it| {
                let (_, node, own) = &self.locals[it as usize];
                format!("{}{}", self.stg.node(*node).label, values(own))
            })
            .collect();
        format!("{}{}", each.join(" | "), values(shared))
    }
}
