//! Models of one role, purposes, contracts and words.

use std::sync::Arc;

use choros_base::{Diagnostic, FileId, Span, has_errors, nearest};
use choros_proofs::Served;
use choros_query::purpose::{
    self, Purpose, PurposeSyntax, Vocabulary, add_contracts, check_contracts_only,
};
use choros_report::answers::{RunNotes, Stop};
use choros_report::purpose_of_report;
use choros_suite::SymbolicTestOptions;
use choros_symex::driver::Unseen;
use choros_symex::{NoService, ServiceModel};
use choros_workspace::SessionsAs;

use crate::diagnostics::{not_one_role, nothing_declared, unreadable};
use crate::verbs::realize::Judge;
use crate::verbs::replay::load as load_report;
use crate::{Request, Settings, Workspace};

/// The graph of the service under test, and whom the tester plays.
pub(super) fn load_orchestration(
    workspace: &mut Workspace<'_>,
    request: &Request,
    asked: &SymbolicTestOptions,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<ServiceModel, Stop> {
    let alone = settings.with_sessions_as(SessionsAs::One);
    let component = workspace.component(request, &alone, run);
    let component = component
        .filter(|_| !has_errors(&run.findings))
        .ok_or(Stop::Mistakes)?;
    let (component, served) = Served::of(component, workspace, settings, run)?;
    let (name, interface) = (component.name.clone(), component.interface.clone());
    let graph = component.graph(settings, run);
    let mut stg = graph.map_err(Stop::without_question)?;
    if let Some(role) = &asked.role {
        let part = Judge::new(workspace, settings, run).part(&stg, role)?;
        stg = part.stg;
    }
    let (stg, identities) = served.in_all(stg, workspace, settings, run)?;
    let (user, declared) = (asked.user.as_deref(), interface.map(|it| *it));
    let terms = &mut workspace.terms;
    let found = ServiceModel::new(name.clone(), stg, declared, user, &asked.play, terms);
    let orchestration = found.map_err(|reason| {
        match reason {
            NoService::NotOneRole => run.findings.push(not_one_role::diagnostic(&name)),
            NoService::NoPartners { named, partners } => {
                let similar = |it: &str| nearest(it, partners.iter().map(String::as_str));
                let strange = named.iter();
                run.findings
                    .extend(strange.map(|it| not_one_role::no_partner(&name, it, similar(it))));
            }
        }
        Stop::Mistakes
    })?;
    Ok(ServiceModel {
        unseen: match asked.role {
            Some(_) => Unseen::ByPartners,
            None => Unseen::ByService,
        },
        identities,
        ..orchestration
    })
}

/// A file of a purpose or of contracts as it is written; `None` where it cannot be read.
pub(super) fn load_syntax(
    workspace: &mut Workspace<'_>,
    path: &str,
    kind: &str,
    run: &mut RunNotes,
) -> Option<(FileId, PurposeSyntax)> {
    let (file, text) = workspace.required(path, run).ok()?;
    let inputs = &mut run.semantics.inputs;
    inputs.insert(path.to_owned(), kind.to_owned());
    let (syntax, mut found) = purpose::parse(file, &text, &mut workspace.terms.names);
    if found.is_empty() && syntax.lines.iter().all(|it| it.statement.is_none()) {
        run.findings.push(nothing_declared::diagnostic(path));
        return None;
    }
    run.findings.append(&mut found);
    Some((file, syntax))
}

/// The run of a saved report, as a purpose.
fn run_of(
    workspace: &mut Workspace<'_>,
    path: &str,
    role: Option<&str>,
    run: &mut RunNotes,
) -> Option<(FileId, PurposeSyntax)> {
    let report = load_report(workspace, path, &mut run.findings)?;
    let Some((name, text)) = purpose_of_report(&report, role) else {
        let found = nothing_declared::diagnostic(path);
        run.findings
            .push(found.note("it has no run in which the service takes part"));
        return None;
    };
    run.note(format!("the run is that of `{name}`"));
    let file = workspace.sources.add(format!("{path} (run)"), text.clone());
    let (syntax, mut found) = purpose::parse(file, &text, &mut workspace.terms.names);
    run.findings.append(&mut found);
    Some((file, syntax))
}

/// The purpose of a file, for a model; its contracts go into the interface.
pub(super) fn load_purpose(
    workspace: &mut Workspace<'_>,
    (path, role): (&str, Option<&str>),
    orchestration: &mut ServiceModel,
    run: &mut RunNotes,
) -> Result<Purpose, Stop> {
    let syntax = match workspace.required(path, run)? {
        (_, text) if text.trim_start().starts_with('{') => run_of(workspace, path, role, run),
        _ => load_syntax(workspace, path, "tp", run),
    };
    let (file, syntax) = syntax.ok_or(Stop::Mistakes)?;
    let vocabulary = Vocabulary::of(&orchestration.stg, &workspace.terms);
    let start = Span::new(file, 0, 0);
    let (purpose, mut found) = purpose::resolve(&syntax, &vocabulary, start, &mut workspace.terms);
    run.findings.append(&mut found);
    let mut found: Vec<Diagnostic> =
        add_contracts(&syntax, &mut orchestration.interface, &mut workspace.terms);
    run.findings.append(&mut found);
    purpose
        .filter(|_| !has_errors(&run.findings))
        .ok_or(Stop::Mistakes)
}

/// The contracts of a file, put into the interface.
pub(super) fn load_contracts(
    workspace: &mut Workspace<'_>,
    path: &str,
    orchestration: &mut ServiceModel,
    run: &mut RunNotes,
) {
    if let Some((_, syntax)) = load_syntax(workspace, path, "contract", run) {
        run.findings.append(&mut check_contracts_only(&syntax));
        let mut found = add_contracts(&syntax, &mut orchestration.interface, &mut workspace.terms);
        run.findings.append(&mut found);
    }
}

/// The words of a file, one on each line.
pub(super) fn load_words(
    workspace: &mut Workspace<'_>,
    path: &str,
    run: &mut RunNotes,
) -> Vec<Arc<str>> {
    match workspace.read(path) {
        Ok(text) => {
            let inputs = &mut run.semantics.inputs;
            inputs.insert(path.to_owned(), "words".to_owned());
            text.lines()
                .map(str::trim)
                .filter(|word| !word.is_empty())
                .map(Arc::from)
                .collect()
        }
        Err(error) => {
            run.findings.push(unreadable::diagnostic(&error));
            Vec::new()
        }
    }
}
