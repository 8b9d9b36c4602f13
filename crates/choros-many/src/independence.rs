//! Whether sessions have nothing to do with each other, so that one stands for all.
//!
//! The side conditions of the theorem in the README, each of which a model can violate.

use choros_data::{Terms, Var};
use choros_model::stg::{Edge, Event, FieldValue, Message, Sessions, Stg};

/// What the side conditions say of a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Independence {
    /// The variable that holds the identity; none where no message carries it.
    pub identity: Option<Var>,
    /// The conditions that are violated, each once, in the order of the theorem.
    pub broken: Vec<Dependence>,
}

/// A side condition that is violated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dependence {
    /// A variable that all sessions write or read after it was written.
    SharedVariable(String),
    /// Nothing tells the sessions apart.
    NoIdentity,
    /// A message does not say which session it belongs to.
    WithoutIdentity(String),
    /// A message carries something else where the identity belongs.
    OtherValue(String),
    /// The identity may be replaced by another value.
    ReboundIdentity(String),
    /// Time passes for a session.
    Time,
}

impl Independence {
    /// Whether sessions with distinct identities are independent.
    pub fn holds(&self) -> bool {
        self.broken.is_empty()
    }

    /// Whether each session has an identity that never changes.
    pub fn keeps_identity(&self) -> bool {
        let changes = |it: &Dependence| {
            matches!(
                it,
                Dependence::OtherValue(_) | Dependence::ReboundIdentity(_)
            )
        };
        self.identity.is_some() && !self.broken.iter().any(changes)
    }

    /// What sessions have in common that decides what each of them can do, in words: data, or time.
    pub fn data(&self) -> Option<String> {
        let shares =
            |it: &&Dependence| matches!(it, Dependence::SharedVariable(_) | Dependence::Time);
        Some(self.broken.iter().find(shares)?.words())
    }

    /// What is in the way, in words.
    pub fn words(&self) -> String {
        let words: Vec<String> = self.broken.iter().map(Dependence::words).collect();
        words.join("; ")
    }
}

impl Dependence {
    pub fn words(&self) -> String {
        match self {
            Dependence::SharedVariable(name) => format!("all sessions share `{name}`"),
            Dependence::NoIdentity => "no field says which session a message belongs to".to_owned(),
            Dependence::WithoutIdentity(message) => {
                format!("`{message}` does not say which session it belongs to")
            }
            Dependence::OtherValue(message) => {
                format!("`{message}` carries another value than the identity of its session")
            }
            Dependence::ReboundIdentity(name) => format!("`{name}` may get another value later"),
            Dependence::Time => "roles measure time".to_owned(),
        }
    }
}

/// Examines the side conditions.
pub fn independence(stg: &Stg, sessions: &Sessions, terms: &Terms) -> Independence {
    let mut found = Independence {
        identity: None,
        broken: Vec::new(),
    };
    let add = |broken: &mut Vec<Dependence>, one: Dependence| {
        if !broken.contains(&one) {
            broken.push(one);
        }
    };
    for variable in sessions.shared_variables(stg, terms) {
        // What no one writes tells a session nothing about the others.
        if writes(stg, variable) {
            let name = terms.variable_text(variable).to_owned();
            add(&mut found.broken, Dependence::SharedVariable(name));
        }
    }
    if sessions.identity.is_none() {
        add(&mut found.broken, Dependence::NoIdentity);
    } else {
        let mut carrying: Vec<Var> = Vec::new();
        for message in stg.messages() {
            match carried(message, sessions, terms) {
                Carried::Nothing => {
                    let broken = Dependence::WithoutIdentity(name_of(message, terms));
                    add(&mut found.broken, broken);
                }
                Carried::Variable(variable) => carrying.push(variable),
                Carried::Other => {
                    let broken = Dependence::OtherValue(name_of(message, terms));
                    add(&mut found.broken, broken);
                }
            }
        }
        let (identity, broken) = one_value(stg, carrying, terms);
        found.identity = identity;
        found.broken.extend(broken);
    }
    if stg.edges().iter().any(|it| it.event.is_tick()) {
        add(&mut found.broken, Dependence::Time);
    }
    found
}

/// What a message has where the identity belongs.
enum Carried {
    Nothing,
    Variable(Var),
    Other,
}

fn carried(message: &Message, sessions: &Sessions, terms: &Terms) -> Carried {
    match sessions.identity_of(message, terms) {
        None => Carried::Nothing,
        Some(FieldValue::Bind(variable)) => Carried::Variable(variable),
        Some(FieldValue::Free(term)) => match terms.as_variable(term) {
            Some(variable) => Carried::Variable(variable),
            None => Carried::Other,
        },
    }
}

fn name_of(message: &Message, terms: &Terms) -> String {
    terms.names.text(message.operation.0).to_owned()
}

/// Whether a step gives the variable a value.
fn writes(stg: &Stg, variable: Var) -> bool {
    stg.edges().iter().any(|edge| {
        let mut updates = edge.updates.iter();
        edge.event.bound_variables().any(|it| it == variable)
            || updates.any(|it| it.variable == variable)
    })
}

/// The variable in which the identity comes first, and what keeps all of these variables from holding one value that
/// never changes.
///
/// They hold the identity of their session if they get values from each other only, but for one of them, which is bound
/// at most once in a run, before anything else is read; or for one parameter.
fn one_value(stg: &Stg, carrying: Vec<Var>, terms: &Terms) -> (Option<Var>, Option<Dependence>) {
    let mut holds: Vec<Var> = Vec::new();
    let mut work = carrying;
    while let Some(variable) = work.pop() {
        if holds.contains(&variable) {
            continue;
        }
        holds.push(variable);
        for update in stg.edges().iter().flat_map(|it| &it.updates) {
            if update.variable != variable {
                continue;
            }
            match terms.as_variable(update.value) {
                Some(source) => work.push(source),
                None => return (Some(variable), Some(rebound(variable, terms))),
            }
        }
    }
    let mut binders: Vec<Var> = Vec::new();
    for edge in stg.edges() {
        let is_hidden = matches!(edge.event, Event::Choose(_));
        for bound in edge.event.bound_variables().filter(|it| holds.contains(it)) {
            if is_hidden {
                return (Some(bound), Some(rebound(bound, terms)));
            }
            if !binders.contains(&bound) {
                binders.push(bound);
            }
        }
    }
    let mut given = stg.parameters(terms);
    given.retain(|it| holds.contains(it));
    match (&binders[..], &given[..]) {
        ([], [one]) => (Some(*one), None),
        ([first, ..], []) if !binds_again(stg, &holds) => (Some(*first), None),
        ([one, ..], _) | ([], [one, ..]) => (Some(*one), Some(rebound(*one, terms))),
        ([], []) => (None, None),
    }
}

fn rebound(variable: Var, terms: &Terms) -> Dependence {
    Dependence::ReboundIdentity(terms.variable_text(variable).to_owned())
}

/// Whether a run may bind one of the variables after it has bound one of them.
fn binds_again(stg: &Stg, holds: &[Var]) -> bool {
    let binds = |edge: &Edge| {
        edge.event
            .bound_variables()
            .filter(|it| holds.contains(it))
            .count()
    };
    let mut after = vec![false; stg.nodes().len()];
    let mut work = Vec::new();
    for edge in stg.edges() {
        match binds(edge) {
            0 => {}
            1 => {
                if !std::mem::replace(&mut after[edge.target.index()], true) {
                    work.push(edge.target);
                }
            }
            _ => return true,
        }
    }
    while let Some(node) = work.pop() {
        for (_, edge) in stg.outgoing(node) {
            if binds(edge) > 0 {
                return true;
            }
            if !std::mem::replace(&mut after[edge.target.index()], true) {
                work.push(edge.target);
            }
        }
    }
    false
}
