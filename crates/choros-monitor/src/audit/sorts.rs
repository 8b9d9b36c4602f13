//! What integers of a model stand for, where no one declared them.
//!
//! Languages without declarations give every number the sort Int, and everything of which nothing is known as well.
//! What a log holds there may be a text, or a number with a fraction.

use choros_base::Name;
use choros_data::{Op, Sort, Term, TermKind, Terms, Value, Var};
use choros_model::observation::Observation;
use choros_model::stg::{
    Edge, Event, Field, FieldValue, Message, NodeId, Renaming, Stg, StgBuilder, Update, rename,
};
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHashSet};

/// Operation, sender, receiver, and label or position of a field.
type Datum = (Name, Name, Name, Option<Name>, usize);

/// A copy of a graph in which integers that are only passed on are values of which nothing but equality is known.
///
/// Languages without declarations give such variables the sort Int; what a log holds there may be any text.
pub(crate) fn without_opaque_integers(stg: &Stg, terms: &mut Terms) -> Stg {
    let variables = stg.variables(terms);
    let mut used: FxHashSet<Var> = FxHashSet::default();
    let mut copies: Vec<(Var, Var)> = Vec::new();
    for edge in stg.edges() {
        used.extend(terms.free_variables(edge.guard));
        for term in edge.event.free_terms() {
            if terms.as_variable(term).is_none() {
                used.extend(terms.free_variables(term));
            }
        }
        for update in &edge.updates {
            match terms.as_variable(update.value) {
                Some(source) => copies.push((update.variable, source)),
                None => {
                    used.insert(update.variable);
                    used.extend(terms.free_variables(update.value));
                }
            }
        }
    }
    for node in stg.nodes() {
        for termination in &node.terminations {
            used.extend(terms.free_variables(termination.guard));
        }
    }
    // Fields of one message have one sort wherever it occurs: what is computed there makes it an integer everywhere.
    let mut carried: FxHashMap<Datum, Vec<FieldValue>> = FxHashMap::default();
    for message in stg.messages() {
        for (position, field) in message.fields.iter().enumerate() {
            let position = if field.label.is_some() { 0 } else { position };
            let key = (
                message.operation.0,
                message.from.0,
                message.to.0,
                field.label,
                position,
            );
            carried.entry(key).or_default().push(field.value);
        }
    }
    loop {
        let before = used.len();
        for &(left, right) in &copies {
            if used.contains(&left) || used.contains(&right) {
                used.extend([left, right]);
            }
        }
        #[expect(
            clippy::iter_over_hash_type,
            reason = "a set grows to the same set in any order"
        )]
        for values in carried.values() {
            let variable = |value: &FieldValue| match value {
                FieldValue::Bind(variable) => Some(*variable),
                FieldValue::Free(term) => terms.as_variable(*term),
            };
            let numeric = values
                .iter()
                .any(|value| variable(value).is_none_or(|it| used.contains(&it)));
            if numeric {
                used.extend(values.iter().filter_map(variable));
            }
        }
        if used.len() == before {
            break;
        }
    }
    let mut replaced = FxHashMap::default();
    for variable in variables {
        if terms.variable_sort(variable) == Sort::INT && !used.contains(&variable) {
            let name = terms.variable_name(variable);
            replaced.insert(variable, terms.variable(name, Sort::SYMBOL));
        }
    }
    let renaming = Renaming {
        variables: replaced,
        ..Renaming::default()
    };
    rename(stg, &renaming, terms)
}

/// A copy of a graph over rational numbers, if any observation has a fraction and nothing asks for integers.
pub(crate) fn with_fractions<'o>(
    stg: &Stg,
    mut observations: impl Iterator<Item = &'o Observation<'static>>,
    terms: &mut Terms,
) -> Option<Stg> {
    let fraction = observations.any(|observation| {
        observation
            .data
            .iter()
            .any(|(_, value)| value.number().is_some_and(|number| !number.is_whole()))
    });
    let has_integers = stg
        .variables(terms)
        .iter()
        .any(|&variable| terms.variable_sort(variable) == Sort::INT);
    if !fraction || !has_integers {
        return None;
    }
    let mut widening = Widening {
        done: FxHashMap::default(),
    };
    let mut builder = StgBuilder::new(stg.name(), stg.ending());
    for node in stg.nodes() {
        let id = builder.node(node.label.clone());
        for termination in &node.terminations {
            let guard = widening.term(termination.guard, terms)?;
            builder.terminate(terms, id, guard, termination.origin);
        }
    }
    for edge in stg.edges() {
        let event = match &edge.event {
            Event::Message(message) => {
                let mut fields = Vec::with_capacity(message.fields.len());
                for field in &message.fields {
                    fields.push(Field {
                        label: field.label,
                        value: match field.value {
                            FieldValue::Bind(it) => FieldValue::Bind(widening.variable(it, terms)),
                            FieldValue::Free(it) => FieldValue::Free(widening.term(it, terms)?),
                        },
                    });
                }
                Event::Message(Message {
                    fields,
                    ..message.clone()
                })
            }
            Event::Choose(chosen) => Event::Choose(
                chosen
                    .iter()
                    .map(|&it| widening.variable(it, terms))
                    .collect(),
            ),
            other => other.clone(),
        };
        let mut updates = Vec::with_capacity(edge.updates.len());
        for update in &edge.updates {
            updates.push(Update {
                variable: widening.variable(update.variable, terms),
                value: widening.term(update.value, terms)?,
            });
        }
        let guard = widening.term(edge.guard, terms)?;
        let edge = Edge {
            guard,
            event,
            updates,
            ..*edge
        };
        builder.edge(terms, edge);
    }
    let initial: NodeId = stg.initial();
    Some(builder.finish_as_built(initial))
}

/// Integers as rational numbers.
struct Widening {
    done: FxHashMap<Term, Term>,
}

impl Widening {
    fn variable(&mut self, variable: Var, terms: &mut Terms) -> Var {
        match terms.variable_sort(variable) {
            Sort::INT => {
                let name = terms.variable_name(variable);
                terms.variable(name, Sort::REAL)
            }
            _ => variable,
        }
    }

    /// The term over rational numbers; none if an operation is for integers only.
    fn term(&mut self, term: Term, terms: &mut Terms) -> Option<Term> {
        for part in terms.postorder([term]) {
            if self.done.contains_key(&part) {
                continue;
            }
            let constant = match terms.kind(part) {
                TermKind::Constant(Value::Int(value)) => {
                    Some(Value::Real(BigRational::from_integer(value.clone())))
                }
                TermKind::Apply(
                    Op::IntegerDivide
                    | Op::Modulo
                    | Op::Length
                    | Op::Index
                    | Op::MakeRecord
                    | Op::MakeList
                    | Op::Field(_),
                    _,
                )
                | TermKind::Quantified(..) => return None,
                _ => None,
            };
            let new = match (constant, terms.as_variable(part)) {
                (Some(value), _) => terms.constant(value),
                (None, Some(variable)) => {
                    let variable = self.variable(variable, terms);
                    terms.var(variable)
                }
                (None, None) => {
                    let done = &self.done;
                    terms.rebuild(part, |argument| {
                        done.get(&argument).copied().unwrap_or(argument)
                    })
                }
            };
            self.done.insert(part, new);
        }
        self.done.get(&term).copied()
    }
}
