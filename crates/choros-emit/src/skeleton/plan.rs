//! What a role does, ready to be written in any language.

use std::collections::{BTreeMap, BTreeSet};

use choros_data::{Sort, Term, Terms, Var};
use choros_model::stg::{Direction, Event, FieldValue, Message, NodeId, Role, Stg};
use rustc_hash::FxHashMap;

use super::NotExecutable;
use super::expression::{Writer, type_names};
use super::snippet::{Guard, Snippet, any};
use super::vocabulary::{LOCALS, Vocabulary, field_name, field_sort};
use crate::{Code, Identifiers, NamingCase};

/// The program of one role.
pub(super) struct Plan {
    pub(super) role: Role,
    /// Names and sorts of what it knows.
    pub(super) known: Vec<(String, Sort)>,
    /// Methods that give the parameters their values, and which these are.
    pub(super) parameters: Vec<(String, String, Sort)>,
    /// Methods to fill in, one per message.
    pub(super) hooks: Vec<Hook>,
    pub(super) states: Vec<State>,
    pub(super) initial: usize,
    /// How many milliseconds a tick of its clock has, where it measures time.
    pub(super) tick: Option<u64>,
    /// Helper functions that expressions call.
    pub(super) helpers: Vec<&'static str>,
}

/// A method to fill in.
pub(super) struct Hook {
    pub(super) name: String,
    /// The message as it is written in the model.
    pub(super) text: String,
    pub(super) kind: HookKind,
}

impl Hook {
    /// The names to import for the types of what it gives or takes.
    pub(super) fn type_names(&self, vocabulary: &Vocabulary, terms: &Terms) -> BTreeSet<String> {
        let (HookKind::Send(values) | HookKind::Receive(values)) = &self.kind;
        values
            .iter()
            .flat_map(|(_, sort)| type_names(vocabulary, *sort, terms))
            .collect()
    }
}

pub(super) enum HookKind {
    /// It gives the values that the model leaves open.
    Send(Vec<(String, Sort)>),
    /// It takes what was received.
    Receive(Vec<(String, Sort)>),
}

pub(super) struct State {
    /// As it is called in the model.
    pub(super) label: String,
    pub(super) name: String,
    /// What the role may do of its own.
    pub(super) moves: Vec<Move>,
    pub(super) receptions: Vec<Reception>,
    /// What a tick of its clock leads to.
    pub(super) ticks: Vec<Tick>,
    /// When it may end.
    pub(super) end: Option<Guard>,
    /// How one of several is picked.
    pub(super) choice: Choice,
}

pub(super) enum Choice {
    /// At most one thing can happen, or only receptions.
    None,
    /// Conditions exclude each other.
    Data,
    /// A method chooses: its name, the name of its type, and the names of the values, those of moves first.
    Method {
        method: String,
        kind: String,
        moves: Vec<String>,
        receive: Option<String>,
        end: Option<String>,
    },
}

/// A sending.
pub(super) struct Move {
    pub(super) guard: Guard,
    pub(super) hook: usize,
    pub(super) to: Role,
    pub(super) payload: usize,
    /// What each field carries: the position among the hook's values, or an expression.
    pub(super) fields: Vec<Result<usize, Snippet>>,
    /// The variables that keep the hook's values.
    pub(super) kept: Vec<String>,
    /// Assignments, in order.
    pub(super) updates: Vec<(String, Snippet)>,
    pub(super) target: usize,
}

/// One unit of time passes.
pub(super) struct Tick {
    pub(super) guard: Guard,
    /// Assignments, in order.
    pub(super) updates: Vec<(String, Snippet)>,
    pub(super) target: usize,
}

pub(super) struct Reception {
    pub(super) guard: Guard,
    pub(super) from: Role,
    pub(super) payload: usize,
    pub(super) hook: usize,
    /// Per field the variable that keeps it, or the expression it must equal.
    pub(super) fields: Vec<Result<String, Snippet>>,
    pub(super) updates: Vec<(String, Snippet)>,
    pub(super) target: usize,
}

impl State {
    /// Whether it waits, for messages or for time.
    pub(super) fn waits(&self) -> bool {
        !self.receptions.is_empty() || !self.ticks.is_empty()
    }

    /// What a method chooses among here, each with the condition under which it may; `or` is the language's word.
    pub(super) fn offers(&self, or: &str) -> Vec<(&str, Guard)> {
        let Choice::Method {
            moves,
            receive,
            end,
            ..
        } = &self.choice
        else {
            return Vec::new();
        };
        let ticks = self.ticks.iter().map(|it| &it.guard);
        let receptions = self.receptions.iter().map(|it| &it.guard);
        let receptions: Vec<&Guard> = receptions.chain(ticks).collect();
        let guards = self.moves.iter().map(|it| it.guard.clone());
        let received = receive.as_ref().map(|_| any(&receptions, or));
        let ended = end.as_ref().map(|_| self.end.clone().flatten());
        let values = moves.iter().chain(receive).chain(end).map(String::as_str);
        values.zip(guards.chain(received).chain(ended)).collect()
    }
}

impl Reception {
    /// What a message whose fields are called so must meet to be taken, and the names that this mentions.
    pub(super) fn conditions(&self, labels: &[&str], code: &mut Code) -> Vec<String> {
        let mut conditions: Vec<String> = Vec::new();
        if let Some(guard) = &self.guard {
            code.uses(&guard.names);
            conditions.push(guard.text.clone());
        }
        for (label, value) in labels.iter().zip(&self.fields) {
            if let Err(expected) = value {
                code.uses(&expected.names);
                conditions.push(format!("{label} == {expected}"));
            }
        }
        conditions
    }
}

impl Plan {
    /// The methods that choose, and the types of what they choose.
    pub(super) fn choices(&self) -> impl Iterator<Item = (&str, &str)> {
        self.states.iter().filter_map(|state| match &state.choice {
            Choice::Method { method, kind, .. } => Some((method.as_str(), kind.as_str())),
            Choice::None | Choice::Data => None,
        })
    }

    pub(super) fn of(
        role: Role,
        stg: &Stg,
        vocabulary: &Vocabulary,
        terms: &mut Terms,
    ) -> Result<Plan, NotExecutable> {
        let mut names = Identifiers::new(vocabulary.language);
        let variables: FxHashMap<Var, String> = stg
            .variables(terms)
            .into_iter()
            .map(|variable| {
                let name = names.name(NamingCase::Snake, terms.variable_text(variable));
                (variable, name)
            })
            .collect();
        let known = stg
            .variables(terms)
            .into_iter()
            .map(|variable| (variables[&variable].clone(), terms.variable_sort(variable)))
            .collect();
        let mut methods = Identifiers::new(vocabulary.language);
        let parameters = stg
            .parameters(terms)
            .into_iter()
            .map(|variable| {
                let text = format!("parameter_{}", terms.variable_text(variable));
                (
                    methods.name(NamingCase::Snake, &text),
                    variables[&variable].clone(),
                    terms.variable_sort(variable),
                )
            })
            .collect();
        let mut planner = Planner {
            writer: Writer::new(vocabulary, &variables),
            vocabulary,
            methods,
            hooks: Vec::new(),
            keys: FxHashMap::default(),
        };
        let mut state_names = Identifiers::new(vocabulary.language);
        let mut states = Vec::new();
        for node in stg.node_ids() {
            let label = stg.node(node).label.clone();
            let name = state_names.fresh(&NamingCase::Camel.of(&format!("At {label}")));
            let mut state = State {
                label,
                name,
                moves: Vec::new(),
                receptions: Vec::new(),
                ticks: Vec::new(),
                end: None,
                choice: Choice::None,
            };
            let mut guards = Vec::new();
            for (_, edge) in stg.outgoing(node) {
                let guard = planner.guard(edge.guard, terms)?;
                let updates = edge
                    .updates
                    .iter()
                    .map(|update| {
                        let value = planner.writer.owned(update.value, terms)?;
                        Ok((variables[&update.variable].clone(), value))
                    })
                    .collect::<Result<Vec<_>, NotExecutable>>()?;
                let target = edge.target.index();
                if let Event::Message(message) = &edge.event
                    && message.direction == Direction::Receive
                {
                    let reception = planner.reception(message, guard, updates, target, terms)?;
                    state.receptions.push(reception);
                    continue;
                }
                if edge.event == Event::TickOf(role) {
                    state.ticks.push(Tick {
                        guard,
                        updates,
                        target,
                    });
                    continue;
                }
                let Event::Message(message) = &edge.event else {
                    let event = edge.event.shown(terms);
                    let reason =
                        format!("`{event}` is not a message that a role sends or receives");
                    return Err(NotExecutable { reason });
                };
                guards.push(edge.guard);
                let step = planner.sending(message, guard, updates, target, terms)?;
                state.moves.push(step);
            }
            planner.unambiguous(stg, node, terms)?;
            let end = stg.termination(node, terms);
            if end != Term::FALSE {
                state.end = Some(planner.guard(end, terms)?);
            }
            let receive = terms.or(stg
                .outgoing(node)
                .filter(|(_, edge)| is_reception(&edge.event) || edge.event.is_tick())
                .map(|(_, edge)| edge.guard)
                .collect::<Vec<_>>());
            guards.extend(state.waits().then_some(receive));
            // A role that may wait or end waits until nothing can come any more.
            guards.extend((end != Term::FALSE && !state.waits()).then_some(end));
            state.choice = planner.choice(&state, &guards, terms);
            states.push(state);
        }
        let measures = states.iter().any(|it| !it.ticks.is_empty());
        let helpers = planner.writer.helpers();
        Ok(Plan {
            role,
            known,
            parameters,
            hooks: planner.hooks,
            states,
            initial: stg.initial().index(),
            // Where the model leaves the unit open, a tick is a second.
            tick: measures.then(|| stg.tick().unwrap_or(1_000)),
            helpers,
        })
    }
}

fn is_reception(event: &Event) -> bool {
    matches!(event, Event::Message(message) if message.direction == Direction::Receive)
}

/// One hook per message and per set of its fields that the model leaves open.
type HookKey = (usize, Option<Vec<bool>>);

struct Planner<'v> {
    writer: Writer<'v>,
    vocabulary: &'v Vocabulary,
    methods: Identifiers,
    hooks: Vec<Hook>,
    keys: FxHashMap<HookKey, usize>,
}

impl Planner<'_> {
    fn guard(&mut self, guard: Term, terms: &Terms) -> Result<Guard, NotExecutable> {
        match guard {
            Term::TRUE => Ok(None),
            other => Ok(Some(self.writer.condition(other, terms)?)),
        }
    }

    /// Checks that what a role receives tells it where it stands.
    fn unambiguous(&self, stg: &Stg, node: NodeId, terms: &mut Terms) -> Result<(), NotExecutable> {
        let mut guards: BTreeMap<usize, Vec<Term>> = BTreeMap::new();
        for (_, edge) in stg.outgoing(node) {
            if let Event::Message(message) = &edge.event
                && message.direction == Direction::Receive
            {
                let payload = self.vocabulary.payload(message, terms);
                guards.entry(payload).or_default().push(edge.guard);
            }
        }
        for (payload, guards) in guards {
            if !pairwise_exclusive(&guards, terms) {
                let reason = format!(
                    "when the role {} receives `{}` in state {}, it cannot know what comes next",
                    stg.name(),
                    self.vocabulary.payloads[payload].text,
                    stg.node(node).label
                );
                return Err(NotExecutable { reason });
            }
        }
        Ok(())
    }

    fn hook(&mut self, key: HookKey, stem: &str, text: String, kind: HookKind) -> usize {
        if let Some(&known) = self.keys.get(&key) {
            return known;
        }
        let position = self.hooks.len();
        self.hooks.push(Hook {
            name: self.methods.fresh(&NamingCase::Snake.of(stem)),
            text,
            kind,
        });
        self.keys.insert(key, position);
        position
    }

    fn sending(
        &mut self,
        message: &Message,
        guard: Guard,
        updates: Vec<(String, Snippet)>,
        target: usize,
        terms: &Terms,
    ) -> Result<Move, NotExecutable> {
        let payload = self.vocabulary.payload(message, terms);
        let mut names = Identifiers::new(self.vocabulary.language);
        names.reserve(&LOCALS);
        let mut open = Vec::new();
        let mut fields = Vec::new();
        let mut kept = Vec::new();
        for field in &message.fields {
            fields.push(match field.value {
                FieldValue::Free(term) => Err(self.writer.owned(term, terms)?),
                FieldValue::Bind(variable) => {
                    let name = field_name(field, &mut names, terms);
                    open.push((name, field_sort(field, terms)));
                    kept.push(self.writer.variable(variable).to_owned());
                    Ok(open.len() - 1)
                }
            });
        }
        let key = (payload, Some(fields.iter().map(Result::is_ok).collect()));
        let stem = format!("send_{}", self.vocabulary.payloads[payload].name);
        let text = message.shown(terms);
        let hook = self.hook(key, &stem, text, HookKind::Send(open));
        Ok(Move {
            guard,
            hook,
            to: message.to,
            payload,
            fields,
            kept,
            updates,
            target,
        })
    }

    fn reception(
        &mut self,
        message: &Message,
        guard: Guard,
        updates: Vec<(String, Snippet)>,
        target: usize,
        terms: &Terms,
    ) -> Result<Reception, NotExecutable> {
        let payload = self.vocabulary.payload(message, terms);
        let mut fields = Vec::new();
        for field in &message.fields {
            fields.push(match field.value {
                FieldValue::Free(term) => Err(self.writer.operand(term, terms)?),
                FieldValue::Bind(variable) => Ok(self.writer.variable(variable).to_owned()),
            });
        }
        let taken = self.vocabulary.payloads[payload].fields.clone();
        let stem = format!("receive_{}", self.vocabulary.payloads[payload].name);
        let key = (payload, None);
        let text = message.shown(terms);
        let hook = self.hook(key, &stem, text, HookKind::Receive(taken));
        Ok(Reception {
            guard,
            from: message.from,
            payload,
            hook,
            fields,
            updates,
            target,
        })
    }

    fn choice(&mut self, state: &State, guards: &[Term], terms: &mut Terms) -> Choice {
        if guards.len() < 2 {
            return Choice::None;
        }
        if pairwise_exclusive(guards, terms) {
            return Choice::Data;
        }
        let mut names = Identifiers::new(self.vocabulary.language);
        let moves = state
            .moves
            .iter()
            .map(|step| {
                names.fresh(&format!(
                    "Send{}",
                    self.vocabulary.payloads[step.payload].name
                ))
            })
            .collect();
        let receive = state.waits().then(|| {
            names.fresh(if state.receptions.is_empty() {
                "Wait"
            } else {
                "Receive"
            })
        });
        let end = (state.end.is_some() && receive.is_none()).then(|| names.fresh("End"));
        Choice::Method {
            method: self
                .methods
                .fresh(&NamingCase::Snake.of(&format!("choose at {}", state.label))),
            kind: NamingCase::Camel.of(&format!("Choice {}", state.name)),
            moves,
            receive,
            end,
        }
    }
}

/// Whether data alone tell which of the conditions holds; *no* where that takes more than looking at intervals.
fn pairwise_exclusive(guards: &[Term], terms: &mut Terms) -> bool {
    for (position, &one) in guards.iter().enumerate() {
        for &other in &guards[position + 1..] {
            let both = terms.and([one, other]);
            let never = terms.decide_box(&[one, other]) == Some(false)
                || terms.complement(one) == other
                || terms.simplify(both) == Term::FALSE;
            if !never {
                return false;
            }
        }
    }
    true
}
