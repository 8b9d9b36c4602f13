//! Which graph of a model a property is about.

use choros_data::{Sort, Terms};
use choros_model::Verdict;
use choros_model::stg::{Direction, FieldValue, Stg};
use choros_query::property::{FieldSort, MessageSchema, Properties};
use choros_smt::{Solver, SolverError};

use super::{CorrectnessBounds, check_global, check_local, unknown};

/// The verdict of every property by its name, the local ones first.
///
/// A local property is about the graph that is its service, or that has it among its roles; a global one about the
/// first choreography.
pub fn check_properties(
    properties: &Properties,
    graphs: &[&Stg],
    bounds: &CorrectnessBounds,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Vec<(String, Result<Verdict, SolverError>)> {
    let mut verdicts = Vec::new();
    for property in &properties.local {
        let service = property.service.as_deref();
        let verdict = match graph_of(graphs, service, terms) {
            Some(stg) => check_local(property, stg, bounds, terms, solver),
            None => Ok(no_graph(service)),
        };
        verdicts.push((property.name.clone(), verdict));
    }
    let whole = |stg: &&&Stg| {
        let mut messages = stg.messages();
        messages.all(|it| it.direction == Direction::Interaction)
    };
    let choreography = graphs.iter().find(whole);
    for property in &properties.global {
        let verdict = match choreography {
            Some(stg) => check_global(property, properties, stg, bounds, terms, solver),
            None => Ok(no_graph(None)),
        };
        verdicts.push((property.name.clone(), verdict));
    }
    verdicts
}

/// The graph of a service: its own before a choreography that it takes part in.
fn graph_of<'g>(graphs: &[&'g Stg], service: Option<&str>, terms: &Terms) -> Option<&'g Stg> {
    let Some(service) = service else {
        return graphs.first().copied();
    };
    let is_own = |stg: &&Stg| {
        stg.messages().all(|message| {
            let role = match message.direction {
                Direction::Send => message.from,
                Direction::Receive => message.to,
                Direction::Interaction => return false,
            };
            terms.names.text(role.0) == service
        })
    };
    let takes_part = |stg: &&Stg| {
        let roles = stg.roles();
        roles.iter().any(|role| terms.names.text(role.0) == service)
    };
    let fitting = || graphs.iter().copied().filter(takes_part);
    fitting().find(is_own).or_else(|| fitting().next())
}

fn no_graph(service: Option<&str>) -> Verdict {
    let reason = match service {
        Some(service) => format!("no component of the model is `{service}` or has it as a role"),
        None => "no component of the model is a choreography".to_owned(),
    };
    unknown(reason, None)
}

/// How properties about these graphs are read: fields have the sorts that they have in messages.
pub fn reading_of(graphs: &[&Stg], terms: &Terms) -> MessageSchema {
    let mut fields: Vec<FieldSort> = Vec::new();
    for message in graphs.iter().flat_map(|stg| stg.messages()) {
        for field in &message.fields {
            let sort = match field.value {
                FieldValue::Free(term) => terms.sort_of(term),
                FieldValue::Bind(variable) => terms.variable_sort(variable),
            };
            let label = field.label.map_or("value", |label| terms.names.text(label));
            let known = FieldSort {
                operation: terms.names.text(message.operation.0).to_owned(),
                path: label.to_owned(),
                sort,
            };
            if !fields.contains(&known) {
                fields.push(known);
            }
        }
    }
    // Numbers of a property are what the numbers of the model are.
    let has_real = fields.iter().any(|field| field.sort == Sort::REAL);
    MessageSchema {
        number: if has_real { Sort::REAL } else { Sort::INT },
        fields,
    }
}
