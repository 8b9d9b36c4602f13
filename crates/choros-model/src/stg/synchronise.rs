//! How a sending and a reception become one interaction (rules FREE_COM and BOUND_COM of Figure 3.3 of Nguyen's
//! thesis, for any number of fields).
//!
//! | sent | received | on the interaction | and then |
//! |---|---|---|---|
//! | `e` | `<y>` | `e` | `y := e` |
//! | `<x>` | `<y>` | `<x>` | `y := x` |
//! | `e` | `t` | `e`, if `e == t` before | |
//! | `<x>` | `t` | `t` | `x := t` |
//!
//! The first two rows are the thesis'; it has no free receptions, which here accept just the value they name.
//! The print of Algorithm 1 labels the interaction with the receiver's variable; the rule, and its Example 5, take
//! the sender's, and so do we.

use choros_base::Name;
use choros_data::{Sort, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::variables::with_ending;
use super::{Direction, Event, Field, FieldValue, Message, Update};

/// What a sending and a reception do together.
pub(super) struct Synchronised {
    pub(super) event: Event,
    /// What free receptions ask for.
    pub(super) condition: Term,
    pub(super) updates: Vec<Update>,
}

/// Why a sending and a reception of the same message cannot happen together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Incompatible {
    /// Different numbers of fields.
    Count {
        /// How many are sent.
        sent: usize,
        /// How many are expected.
        received: usize,
    },
    /// Different labels: the first one that one side has and the other lacks (or repeats).
    Labels {
        /// The label; `None` for an unlabelled field.
        label: Option<String>,
    },
    /// A field of different sorts.
    Sorts {
        /// The field: its label or its position from 1.
        field: String,
        sent: String,
        /// What is expected.
        received: String,
    },
}

/// Variables that nothing else uses, for values that must be kept for a moment.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) used: FxHashSet<String>,
    known: FxHashMap<(Var, usize), Var>,
}

/// Joins the two ends of a message that agree on operation, roles and fault.
pub(super) fn synchronise(
    sent: &Message,
    received: &Message,
    scratch: &mut Scratch,
    terms: &mut Terms,
) -> Result<Synchronised, Incompatible> {
    let pairs = pair_fields(sent, received, terms)?;
    let mut read: FxHashSet<Var> = FxHashSet::default();
    let mut written: Vec<Var> = Vec::new();
    for pair in &pairs {
        for value in [pair.sent, pair.received] {
            match value {
                FieldValue::Free(term) => read.extend(terms.free_variables(term)),
                FieldValue::Bind(variable) => written.push(variable),
            }
        }
    }
    let distinct: FxHashSet<Var> = written.iter().copied().collect();
    // All terms are read before any variable changes.
    // Where a variable is read and written, or written twice, the assignments cannot simply follow each other.
    let simple = distinct.len() == written.len() && distinct.is_disjoint(&read);
    let mut fields = Vec::with_capacity(pairs.len());
    let mut kept: Vec<Update> = Vec::new();
    let mut by_sender: Vec<Update> = Vec::new();
    let mut by_receiver: Vec<(usize, Update)> = Vec::new();
    let mut conditions: Vec<Term> = Vec::new();
    for (position, pair) in pairs.into_iter().enumerate() {
        let (value, carried) = match (pair.sent, pair.received) {
            (FieldValue::Free(sent), FieldValue::Free(asked)) => {
                conditions.push(terms.equal(sent, asked));
                (FieldValue::Free(sent), sent)
            }
            (FieldValue::Free(term), _) | (_, FieldValue::Free(term)) if simple => {
                (FieldValue::Free(term), term)
            }
            (FieldValue::Free(term), FieldValue::Bind(variable))
            | (FieldValue::Bind(variable), FieldValue::Free(term)) => {
                let place = scratch.variable(variable, position, terms);
                kept.push(Update {
                    variable: place,
                    value: term,
                });
                (FieldValue::Free(term), terms.var(place))
            }
            (FieldValue::Bind(variable), FieldValue::Bind(_)) if simple => {
                (FieldValue::Bind(variable), terms.var(variable))
            }
            (FieldValue::Bind(variable), FieldValue::Bind(_)) => {
                let place = scratch.variable(variable, position, terms);
                (FieldValue::Bind(place), terms.var(place))
            }
        };
        fields.push(Field {
            label: pair.label,
            value,
        });
        let assign = |variable: Var| Update {
            variable,
            value: carried,
        };
        match pair.sent {
            FieldValue::Bind(variable) if value != pair.sent => by_sender.push(assign(variable)),
            _ => {}
        }
        if let FieldValue::Bind(variable) = pair.received {
            by_receiver.push((pair.place, assign(variable)));
        }
    }
    // Each end takes its fields in its own order, which shows when it binds one variable twice.
    by_receiver.sort_by_key(|&(place, _)| place);
    let mut updates = kept;
    updates.append(&mut by_sender);
    updates.extend(by_receiver.into_iter().map(|(_, update)| update));
    Ok(Synchronised {
        event: Event::Message(Message {
            direction: Direction::Interaction,
            fields,
            ..sent.clone()
        }),
        condition: terms.and(conditions),
        updates,
    })
}

/// Two fields that meet.
struct Pair {
    label: Option<Name>,
    sent: FieldValue,
    received: FieldValue,
    /// Position among the receiver's fields.
    place: usize,
}

/// Fields by label where all are labelled, by position where none is, in the order of the sender.
fn pair_fields(
    sent: &Message,
    received: &Message,
    terms: &Terms,
) -> Result<Vec<Pair>, Incompatible> {
    if sent.fields.len() != received.fields.len() {
        return Err(Incompatible::Count {
            sent: sent.fields.len(),
            received: received.fields.len(),
        });
    }
    let labelled = sent
        .fields
        .iter()
        .chain(&received.fields)
        .any(|field| field.label.is_some());
    let mut pairs = Vec::with_capacity(sent.fields.len());
    let mut taken: FxHashSet<Name> = FxHashSet::default();
    for (position, field) in sent.fields.iter().enumerate() {
        let place = match (labelled, field.label) {
            (false, _) => Some(position),
            (true, Some(label)) if taken.insert(label) => received
                .fields
                .iter()
                .position(|candidate| candidate.label == Some(label)),
            (true, _) => None,
        };
        let Some(place) = place else {
            return Err(Incompatible::Labels {
                label: field.label.map(|label| terms.names.text(label).to_owned()),
            });
        };
        let partner = &received.fields[place];
        let (left, right) = (sort(field.value, terms), sort(partner.value, terms));
        if left != right {
            return Err(Incompatible::Sorts {
                field: match field.label {
                    Some(label) => terms.names.text(label).to_owned(),
                    None => (position + 1).to_string(),
                },
                sent: terms.sort_text(left),
                received: terms.sort_text(right),
            });
        }
        pairs.push(Pair {
            label: field.label,
            sent: field.value,
            received: partner.value,
            place,
        });
    }
    Ok(pairs)
}

fn sort(value: FieldValue, terms: &Terms) -> Sort {
    match value {
        FieldValue::Free(term) => terms.sort_of(term),
        FieldValue::Bind(variable) => terms.variable_sort(variable),
    }
}

impl Scratch {
    /// A variable to keep the value that another one gets from the field at a position.
    fn variable(&mut self, like: Var, position: usize, terms: &mut Terms) -> Var {
        if let Some(&known) = self.known.get(&(like, position)) {
            return known;
        }
        let base = with_ending(terms.variable_text(like), "new");
        let name = self.name(&base);
        let name = terms.names.intern(&name);
        let variable = terms.variable(name, terms.variable_sort(like));
        self.known.insert((like, position), variable);
        variable
    }

    /// The name itself, or the first of `name2`, `name3`, … that nothing uses.
    pub(super) fn name(&mut self, base: &str) -> String {
        let mut name = base.to_owned();
        let mut number = 2;
        while !self.used.insert(name.clone()) {
            name = format!("{base}{number}");
            number += 1;
        }
        name
    }
}

impl std::fmt::Display for Incompatible {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Incompatible::Count { sent, received } => write!(
                f,
                "{} sent and {} expected",
                counted(*sent),
                counted(*received)
            ),
            Incompatible::Labels { label: Some(label) } => {
                write!(f, "there is not exactly one field `{label}` on both sides")
            }
            Incompatible::Labels { label: None } => {
                write!(f, "one side labels its fields and the other does not")
            }
            Incompatible::Sorts {
                field,
                sent,
                received,
            } => write!(
                f,
                "field {field} is sent as {sent} and expected as {received}"
            ),
        }
    }
}

fn counted(fields: usize) -> String {
    match fields {
        0 => "no datum".to_owned(),
        1 => "one datum".to_owned(),
        many => format!("{many} data"),
    }
}
