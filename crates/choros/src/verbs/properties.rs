//! Do properties fit a model? (`check PROPERTIES --model M`)

use choros_base::has_errors;
use choros_data::{Sort, Terms};
use choros_model::Verdict;
use choros_model::stg::{Direction, FieldValue, Stg};
use choros_monitor::correctness::{Bounds, check_global, check_local};
use choros_query::property::{FieldSort, Properties, Property, Reading};
use choros_report::{Answer, Outcome, Report};
use choros_smt::SolverError;

use crate::diagnostics::nothing_declared;
use crate::{Component, Model, Request, Settings, Workspace};

/// Checks that properties can be read and, with a model, whether they are correct for it.
pub fn check_properties(
    workspace: &mut Workspace<'_>,
    paths: &[String],
    model: Option<&Request>,
    depth: usize,
    settings: &Settings,
) -> Report {
    let mut report = settings.report("check");
    let components = match model {
        None => Vec::new(),
        Some(request) => match workspace.load(request, settings, &mut report.diagnostics) {
            Some((kind, Model::Graphs(components, _))) => {
                let inputs = &mut report.semantics.inputs;
                inputs.insert(request.path.clone(), kind.name().to_owned());
                components
            }
            Some((_, _)) => {
                report.world_failed = Some(format!(
                    "`{}` has no graph with data to compare with",
                    request.path
                ));
                return report;
            }
            None => return report,
        },
    };
    let reading = match model {
        None => Reading::default(),
        Some(_) => reading(&components, &workspace.terms),
    };
    let properties = workspace.properties(paths, &reading, &mut report.diagnostics);
    for path in paths {
        report
            .semantics
            .inputs
            .insert(path.clone(), "prop".to_owned());
    }
    if has_errors(&report.diagnostics) {
        return report;
    }
    if model.is_none() {
        report.semantics.relation = Some("syntax and sorts of properties".to_owned());
        let local = properties.local.iter().map(|it| it.name.clone());
        let global = properties.global.iter().map(|it| it.name.clone());
        report
            .outcomes
            .extend(local.chain(global).map(|name| Outcome {
                name,
                ..Outcome::default()
            }));
        if report.outcomes.is_empty() {
            let nothing = paths.iter().map(|path| nothing_declared::diagnostic(path));
            report.diagnostics.extend(nothing);
            return report;
        }
        report.semantics.notes.push(
            "the properties have no mistakes; `--model FILE` asks whether they fit the model of a service".to_owned(),
        );
        return report;
    }
    report.semantics.relation = Some("correctness of properties for all data".to_owned());
    report
        .semantics
        .bounds
        .insert("depth".to_owned(), depth as u64);
    let mut solver = settings.solver();
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
    for property in &properties.local {
        let verdict = asked.local(property);
        match verdict {
            Ok(verdict) => report
                .outcomes
                .push(outcome(&property.name, &verdict, asked.terms)),
            Err(error) => {
                report.world_failed = Some(error.to_string());
                return report;
            }
        }
    }
    for number in 0..properties.global.len() {
        match asked.global(number) {
            Ok(verdict) => {
                let name = &properties.global[number].name;
                report.outcomes.push(outcome(name, &verdict, asked.terms));
            }
            Err(error) => {
                report.world_failed = Some(error.to_string());
                return report;
            }
        }
    }
    settings.name_solver(&solver, &mut report.semantics);
    report.interrupted = settings.is_cancelled();
    report
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

fn outcome(name: &str, verdict: &Verdict, terms: &Terms) -> Outcome {
    Outcome {
        name: name.to_owned(),
        answer: Some(Answer::of(verdict, terms)),
        ..Outcome::default()
    }
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
