//! From a file to a system that formulas can be asked about.

use choros_base::{Names, has_errors};
use choros_data::{Sort, Value, Var, read_term};
use choros_model::cfsm::{Cfsm, System};
use choros_model::lts::ValuedGraph;
use choros_model::stg::Stg;
use choros_query::abstraction::{Rule, StateLabels, parse_rules};
use choros_report::Report;
use rustc_hash::FxHashMap;

use super::{Loaded, Verifying};
use crate::diagnostics::{endless_data, which_component, wrong_domain};
use crate::verbs::explore::{no_graph, remark};
use crate::{Component, Model, Project, Service, Settings};

/// What is done with a system.
type Answering = fn(&mut Project<'_>, Loaded<'_>, &Verifying, &Settings, &mut Report);

/// Loads the model and answers; what is wrong with the model is in the report.
pub(super) fn with_system(
    project: &mut Project<'_>,
    verifying: &Verifying,
    settings: &Settings,
    report: &mut Report,
    answer: Answering,
) {
    let request = &verifying.model;
    let Some((kind, model)) = project.load(request, settings, &mut report.diagnostics) else {
        return;
    };
    let input = (request.path.clone(), kind.name().to_owned());
    report.semantics.inputs.extend([input]);
    if has_errors(&report.diagnostics) {
        return;
    }
    match model {
        Model::System(mut system) => {
            let loaded = Loaded {
                system: &mut *system,
                // The format knows no propositions.
                state_labels: StateLabels::Steps,
                own_rules: None,
                names: Names::new(),
            };
            answer(project, loaded, verifying, settings, report);
        }
        Model::Service(service) => {
            let mut names = Names::new();
            let own_rules = own_rules(&service, &mut names, project, report);
            let Some(mut system) = service.system(settings) else {
                return;
            };
            if has_errors(&report.diagnostics) {
                return;
            }
            let loaded = Loaded {
                system: &mut system,
                state_labels: StateLabels::Model,
                own_rules,
                names,
            };
            answer(project, loaded, verifying, settings, report);
        }
        Model::Machines(machines) => {
            ask_machines(&machines, project, verifying, settings, report, answer);
        }
        // What a g-choreography does is what its projections do together.
        Model::Gchor(gchor) => {
            let machines = crate::verbs::gchor::machines(request, &gchor, settings, report);
            if let Some(machines) = machines {
                ask_machines(&machines, project, verifying, settings, report, answer);
            }
        }
        Model::Graphs(components, _) => {
            let Some(stg) = only_graph(&request.path, &components, report) else {
                return;
            };
            let Some(domains) = domains(stg, verifying, project, report) else {
                return;
            };
            match ValuedGraph::new(stg, &project.terms, domains) {
                Ok(mut graph) => {
                    let note = "data are limited to the values of --param and --domain and of finite sorts";
                    if stg
                        .edges()
                        .iter()
                        .any(|it| it.event.bound_variables().next().is_some())
                    {
                        report.semantics.notes.push(note.to_owned());
                    }
                    let loaded = Loaded {
                        system: &mut graph,
                        state_labels: StateLabels::Steps,
                        own_rules: None,
                        names: Names::new(),
                    };
                    answer(project, loaded, verifying, settings, report);
                }
                Err(open) => report
                    .diagnostics
                    .push(endless_data::diagnostic(stg.name(), &open)),
            }
        }
    }
}

fn ask_machines(
    machines: &[Cfsm],
    project: &mut Project<'_>,
    verifying: &Verifying,
    settings: &Settings,
    report: &mut Report,
    answer: Answering,
) {
    report.semantics.channels = Some(settings.discipline.to_string());
    let bound = u64::from(settings.discipline.bound);
    report.semantics.bounds.insert("bound".to_owned(), bound);
    // A system borrows its names, and answering needs the project: the names it shows are its own copy.
    let terms = project.terms.clone();
    let mut system = System::new(machines, settings.discipline, &terms);
    let loaded = Loaded {
        system: &mut system,
        state_labels: StateLabels::Steps,
        own_rules: None,
        names: Names::new(),
    };
    answer(project, loaded, verifying, settings, report);
}

/// The rules in the block `Abstractions { … }` of a term.
fn own_rules(
    service: &Service,
    names: &mut Names,
    project: &Project<'_>,
    report: &mut Report,
) -> Option<Vec<Rule>> {
    let block = service.specification.abstractions.as_ref()?;
    let text = project.sources.file(block.span.file()).text().clone();
    let (rules, mut found) = parse_rules(block.span.file(), &text, block.span.range(), names);
    report.diagnostics.append(&mut found);
    Some(rules)
}

fn only_graph<'c>(path: &str, components: &'c [Component], report: &mut Report) -> Option<&'c Stg> {
    let [component] = components else {
        let names: Vec<String> = components.iter().map(|it| it.name.clone()).collect();
        report
            .diagnostics
            .push(which_component::diagnostic(path, &names));
        return None;
    };
    remark(component, report);
    match &component.stg {
        Ok(stg) => Some(stg),
        Err(reason) => {
            let outcome = no_graph(component, reason, report);
            report.outcomes.push(outcome);
            None
        }
    }
}

/// The values of `--domain`.
fn domains(
    stg: &Stg,
    verifying: &Verifying,
    project: &mut Project<'_>,
    report: &mut Report,
) -> Option<FxHashMap<Var, Vec<Value>>> {
    let mut domains: FxHashMap<Var, Vec<Value>> = FxHashMap::default();
    let bound: Vec<Var> = stg
        .edges()
        .iter()
        .flat_map(|edge| edge.event.bound_variables())
        .collect();
    for (name, text) in &verifying.domains {
        let variables: Vec<Var> = bound
            .iter()
            .copied()
            .filter(|&variable| project.terms.variable_text(variable) == name)
            .collect();
        let Some(&first) = variables.first() else {
            let known: Vec<&str> = bound
                .iter()
                .map(|&variable| project.terms.variable_text(variable))
                .collect();
            report
                .diagnostics
                .push(wrong_domain::no_variable(name, &known));
            continue;
        };
        let sort = project.terms.variable_sort(first);
        let parts = match range(text, sort) {
            Some(parts) => parts,
            None => text.split(',').map(|part| part.trim().to_owned()).collect(),
        };
        let mut values = Vec::new();
        for part in parts {
            let source = format!("--domain {name}");
            let term = read_term(
                &mut project.terms,
                &mut project.sources,
                &source,
                &part,
                &[],
                Some(sort),
            );
            match term {
                Ok(term) => match project.terms.evaluate(term, &FxHashMap::default()) {
                    Ok(value) => values.push(value),
                    Err(_) => report.diagnostics.push(wrong_domain::no_value(name, &part)),
                },
                Err(mut found) => report.diagnostics.append(&mut found),
            }
        }
        for variable in variables {
            domains.insert(variable, values.clone());
        }
    }
    (!has_errors(&report.diagnostics)).then_some(domains)
}

/// `0..3` means 0, 1, 2, 3.
fn range(text: &str, sort: Sort) -> Option<Vec<String>> {
    let (first, last) = text.split_once("..")?;
    let (first, last): (i64, i64) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    let is_sensible = sort.is_number() && last.checked_sub(first)? < 10_000;
    is_sensible.then(|| (first..=last).map(|number| number.to_string()).collect())
}
