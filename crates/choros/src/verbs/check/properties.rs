//! Do properties fit a model? (`check PROPERTIES --model M`)

use choros_base::has_errors;
use choros_data::{Sort, Terms};
use choros_model::Verdict;
use choros_model::stg::{Direction, FieldValue, Stg};
use choros_monitor::correctness::{Bounds, check_global, check_local};
use choros_query::property::{FieldSort, Properties, Property, Reading};
use choros_report::answers::{Run, Soundness, Standing, Stop};
use choros_smt::SolverError;

use super::Found;
use crate::diagnostics::nothing_declared;
use crate::{Component, Model, Request, Settings, Workspace};

/// Checks that properties can be read and, with a model, whether they are correct for it.
pub(super) fn check_properties(
    workspace: &mut Workspace<'_>,
    paths: &[String],
    model: Option<&Request>,
    depth: usize,
    settings: &Settings,
    run: &mut Run,
) -> Found {
    let components = match model {
        None => Vec::new(),
        Some(request) => graphs(workspace, request, settings, run)?,
    };
    let reading = match model {
        None => Reading::default(),
        Some(_) => reading(&components, &workspace.terms),
    };
    let properties = workspace.properties(paths, &reading, &mut run.findings);
    let inputs = paths.iter().map(|path| (path.clone(), "prop".to_owned()));
    run.semantics.inputs.extend(inputs);
    if properties.local.is_empty() && properties.global.is_empty() {
        let nothing = paths.iter().map(|path| nothing_declared::diagnostic(path));
        run.findings.extend(nothing);
    }
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    if model.is_none() {
        return alone(&properties, run);
    }
    run.semantics.relation = Some("correctness of properties for all data".to_owned());
    let bound = ("depth".to_owned(), depth as u64);
    run.semantics.bounds.extend([bound]);
    let mut solver = settings.solver();
    let world = |error: SolverError| Stop::World(error.to_string());
    let mut asked = Asking {
        components: &components,
        properties: &properties,
        bounds: Bounds {
            depth,
            budget: settings.steps(100),
        },
        solver: &mut solver,
        terms: &mut workspace.terms,
    };
    let mut parts = Vec::new();
    for property in &properties.local {
        let verdict = asked.local(property).map_err(world);
        parts.push(verdict.map(|it| Soundness::new(&property.name, Standing::Judged(it))));
    }
    for (number, property) in properties.global.iter().enumerate() {
        let verdict = asked.global(number).map_err(world);
        parts.push(verdict.map(|it| Soundness::new(&property.name, Standing::Judged(it))));
    }
    settings.name_solver(&solver, &mut run.semantics);
    run.interrupted = settings.is_cancelled();
    Ok(parts)
}

/// The graphs of the model.
fn graphs(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
    run: &mut Run,
) -> Result<Vec<Component>, Stop> {
    match workspace.model(request, settings, run) {
        Some((_, Model::Graphs(components, _))) => Ok(components),
        Some(_) => {
            let path = &request.path;
            Err(Stop::World(format!(
                "`{path}` has no graph with data to compare with"
            )))
        }
        None => Err(Stop::Mistakes),
    }
}

/// Properties for which no model was named.
fn alone(properties: &Properties, run: &mut Run) -> Found {
    run.semantics.relation = Some("syntax and sorts of properties".to_owned());
    let local = properties.local.iter().map(|it| it.name.clone());
    let names = local.chain(properties.global.iter().map(|it| it.name.clone()));
    let parts: Vec<_> = names
        .map(|name| Ok(Soundness::new(name, Standing::Read)))
        .collect();
    run.note(
        "the properties have no mistakes; `--model FILE` asks whether they fit the model of a service",
    );
    Ok(parts)
}

struct Asking<'a> {
    components: &'a [Component],
    properties: &'a Properties,
    bounds: Bounds,
    solver: &'a mut dyn choros_smt::Solver,
    terms: &'a mut Terms,
}

impl Asking<'_> {
    /// A local property is about the component that is the service, or that has it among its roles.
    fn local(&mut self, property: &Property) -> Result<Verdict, SolverError> {
        let Some(stg) = model_of(self.components, property.service.as_deref(), self.terms) else {
            return Ok(no_model(property.service.as_deref()));
        };
        check_local(property, stg, &self.bounds, self.terms, self.solver)
    }

    fn global(&mut self, number: usize) -> Result<Verdict, SolverError> {
        let global = &self.properties.global[number];
        let components = self.components;
        let is_choreography = |stg: &&Stg| {
            stg.messages()
                .all(|message| message.direction == Direction::Interaction)
        };
        let mut graphs = components
            .iter()
            .filter_map(|component| component.stg.as_ref().ok());
        let Some(stg) = graphs.find(is_choreography) else {
            return Ok(no_model(None));
        };
        let properties = self.properties;
        check_global(
            global,
            properties,
            stg,
            &self.bounds,
            self.terms,
            self.solver,
        )
    }
}

/// The model of a service: its own before a choreography that it takes part in.
fn model_of<'c>(
    components: &'c [Component],
    service: Option<&str>,
    terms: &Terms,
) -> Option<&'c Stg> {
    let graphs = || {
        components
            .iter()
            .filter_map(|component| component.stg.as_ref().ok())
    };
    let Some(service) = service else {
        return graphs().next();
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
    let own = graphs().filter(takes_part).find(is_own);
    own.or_else(|| graphs().find(takes_part))
}

fn no_model(service: Option<&str>) -> Verdict {
    let reason = match service {
        Some(service) => format!("no component of the model is `{service}` or has it as a role"),
        None => "no component of the model is a choreography".to_owned(),
    };
    Verdict::Unknown(choros_model::Unknown {
        reason,
        bound: None,
        evidence: None,
    })
}

/// The sorts of the fields of the models' messages.
fn reading(components: &[Component], terms: &Terms) -> Reading {
    let mut fields: Vec<FieldSort> = Vec::new();
    let graphs = components
        .iter()
        .filter_map(|component| component.stg.as_ref().ok());
    for message in graphs.flat_map(Stg::messages) {
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
    Reading {
        number: if has_real { Sort::REAL } else { Sort::INT },
        fields,
    }
}
