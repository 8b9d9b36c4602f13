//! What messages carry, from a model with data.
//!
//! Machines and g-choreographies speak of messages by name; a choreography with data says which fields a message of
//! that name has.
//! A guard that every continuation of a message has on a value which that message brought limits what may be sent: with
//! any other value nothing continues.
//! The limits that are drawn are the smallest range that holds all such values, so nothing that is allowed is left out.

use choros_base::Names;
use choros_data::{Op, Sort, SortKind, Term, TermKind, Terms, Value, Var};
use choros_model::cfsm::Cfsm;
use choros_model::stg::{Edge, FieldValue, Message, Stg};

use super::{Field, FieldKind, Limits, Payload, Payloads};

impl Payloads {
    /// What the messages of graphs carry; of several messages with one name, the first counts.
    pub fn of_graphs<'g>(graphs: impl Iterator<Item = &'g Stg>, terms: &Terms) -> Payloads {
        let mut payloads = Payloads::new();
        for stg in graphs {
            for edge in stg.edges() {
                if let Some(message) = edge.event.message() {
                    let name = terms.names.text(message.operation.0);
                    if !payloads.has(name) {
                        payloads.set(name, payload(stg, edge, message, terms));
                    }
                }
            }
        }
        payloads
    }

    /// The messages of machines about which nothing is known.
    pub fn unmentioned<'n>(&self, machines: &[Cfsm], names: &'n Names) -> Vec<&'n str> {
        let mut silent: Vec<&str> = Vec::new();
        for (_, transition) in machines.iter().flat_map(Cfsm::transitions) {
            let message = names.text(transition.action.message);
            if !silent.contains(&message) && !self.has(message) {
                silent.push(message);
            }
        }
        silent
    }
}

fn payload(stg: &Stg, edge: &Edge, message: &Message, terms: &Terms) -> Payload {
    let mut fields = Vec::new();
    for field in &message.fields {
        let (sort, variable) = match field.value {
            FieldValue::Free(term) => (terms.sort_of(term), None),
            FieldValue::Bind(variable) => (terms.variable_sort(variable), Some(variable)),
        };
        let named = match field.value {
            FieldValue::Free(term) => terms.as_variable(term),
            FieldValue::Bind(variable) => Some(variable),
        };
        let label = match (field.label, named) {
            (Some(label), _) => terms.names.text(label).to_owned(),
            (None, Some(variable)) => terms.variable_text(variable).to_owned(),
            (None, None) => "value".to_owned(),
        };
        fields.push(Field {
            label,
            kind: field_kind(sort, terms),
            limits: match variable {
                Some(variable) if sort.is_number() => limits(stg, edge, variable, terms),
                _ => Limits::default(),
            },
        });
    }
    Payload { fields }
}

/// Sorts are as deep as someone wrote them, which the reader limits.
fn field_kind(sort: Sort, terms: &Terms) -> FieldKind {
    match terms.sort_kind(sort) {
        SortKind::Bool => FieldKind::Bool,
        SortKind::Int => FieldKind::Int,
        SortKind::Real => FieldKind::Real,
        SortKind::String | SortKind::Uninterpreted(_) => FieldKind::Text,
        SortKind::Enumeration { constructors, .. } => FieldKind::OneOf(
            constructors
                .iter()
                .map(|&name| terms.names.text(name).to_owned())
                .collect(),
        ),
        SortKind::List(element) => FieldKind::List(Box::new(field_kind(*element, terms))),
        SortKind::Record(fields) => FieldKind::Record(
            fields
                .iter()
                .map(|&(name, sort)| (terms.names.text(name).to_owned(), field_kind(sort, terms)))
                .collect(),
        ),
    }
}

/// The range of values with which something can continue after a message.
fn limits(stg: &Stg, edge: &Edge, variable: Var, terms: &Terms) -> Limits {
    let rewritten = edge.updates.iter().any(|it| it.variable == variable);
    let ends = !stg.node(edge.target).terminations.is_empty();
    let mut hull: Option<Limits> = None;
    for (_, next) in stg.outgoing(edge.target) {
        let own = range(next.guard, variable, terms);
        hull = Some(hull.map_or(own, |hull| wider(hull, own)));
    }
    match (rewritten || ends, hull) {
        (false, Some(limits)) => limits,
        _ => Limits::default(),
    }
}

/// The least range that holds both.
fn wider(one: Limits, other: Limits) -> Limits {
    let both = |one: Option<i64>, other: Option<i64>, choose: fn(i64, i64) -> i64| {
        Some(choose(one?, other?))
    };
    Limits {
        low: both(one.low, other.low, i64::min),
        high: both(one.high, other.high, i64::max),
    }
}

/// What the conjuncts of a condition say about a variable; other parts are taken to say nothing.
fn range(condition: Term, variable: Var, terms: &Terms) -> Limits {
    let mut limits = Limits::default();
    let mut pending = vec![condition];
    while let Some(term) = pending.pop() {
        let TermKind::Apply(op, arguments) = terms.kind(term) else {
            continue;
        };
        if op == Op::And {
            pending.extend(arguments);
            continue;
        }
        let &[left, right] = arguments else { continue };
        let (op, bound) = match (terms.as_variable(left), terms.as_variable(right)) {
            (Some(own), _) if own == variable => (op, whole_number(right, terms)),
            (_, Some(own)) if own == variable => (op.mirrored(), whole_number(left, terms)),
            _ => continue,
        };
        let Some(bound) = bound else { continue };
        // Between whole numbers there is nothing; between others there is, so an open end is closed.
        let step = i64::from(terms.variable_sort(variable) == Sort::INT);
        let (low, high) = match op {
            Op::Equal => (Some(bound), Some(bound)),
            Op::Less => (None, Some(bound.saturating_sub(step))),
            Op::LessEqual => (None, Some(bound)),
            Op::Greater => (Some(bound.saturating_add(step)), None),
            Op::GreaterEqual => (Some(bound), None),
            _ => continue,
        };
        limits.low = limits.low.max(low);
        limits.high = match (limits.high, high) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
    }
    limits
}

fn whole_number(term: Term, terms: &Terms) -> Option<i64> {
    match terms.value(term)? {
        Value::Int(number) => i64::try_from(number).ok(),
        Value::Real(number) if number.is_integer() => i64::try_from(number.numer()).ok(),
        _ => None,
    }
}
