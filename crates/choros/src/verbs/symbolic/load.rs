//! Models of one role, purposes, contracts and words.

use std::sync::Arc;

use choros_base::{Diagnostic, FileId, Span, has_errors, nearest};
use choros_model::stg::Role;
use choros_query::purpose::{
    self, Purpose, PurposeSyntax, Vocabulary, add_contracts, check_contracts_only, interface_of,
};
use choros_report::Report;
use choros_report::answers::Stop;
use choros_symex::Orchestration;
use choros_symex::driver::Unseen;

use crate::diagnostics::{not_one_role, unreadable};
use crate::verbs::conform;
use crate::verbs::no_graph::into_report;
use crate::{Request, Settings, Workspace};

/// Which service of a model, and who is played.
#[derive(Debug, Clone, Default)]
pub(crate) struct Service<'a> {
    /// The role of a choreography that is under test.
    pub(crate) role: Option<&'a str>,
    /// The partner who is the user.
    pub(crate) user: Option<&'a str>,
    /// The partners whom the tester plays.
    pub(crate) play: &'a [String],
}

/// The graph of the service under test; the report is told where there is none.
pub(crate) fn load_orchestration(
    workspace: &mut Workspace<'_>,
    request: &Request,
    service: &Service<'_>,
    settings: &Settings,
    report: &mut Report,
) -> Option<Orchestration> {
    let component = conform::load_one(
        workspace,
        request,
        settings,
        &mut report.diagnostics,
        &mut report.semantics,
    )?;
    if has_errors(&report.diagnostics) {
        return None;
    }
    let mut stg = into_report(report, |run| {
        component.remark(run);
        let stg = component.require_graph(settings, run);
        stg.cloned().map_err(Stop::without_question)
    })?;
    if let Some(role) = service.role {
        stg = conform::local(&stg, role, workspace, settings, report)?.stg;
    }
    let declared = component.interface.is_some();
    let user = service
        .user
        .map(|user| Role(workspace.terms.names.intern(user)));
    let interface = match component.interface {
        Some(interface) => Some(*interface),
        None => interface_of(&stg, user, &mut workspace.terms),
    };
    let Some(mut interface) = interface else {
        report
            .diagnostics
            .push(not_one_role::diagnostic(&component.name));
        return None;
    };
    let terms = &workspace.terms;
    let partners: Vec<Role> = stg
        .roles()
        .into_iter()
        .filter(|&role| role != interface.orchestrator)
        .collect();
    let texts: Vec<&str> = partners.iter().map(|it| terms.names.text(it.0)).collect();
    for name in service
        .user
        .into_iter()
        .chain(service.play.iter().map(String::as_str))
    {
        if !texts.contains(&name) {
            let similar = nearest(name, texts.iter().copied());
            let finding = not_one_role::no_partner(&component.name, name, similar);
            report.diagnostics.push(finding);
        }
    }
    if has_errors(&report.diagnostics) {
        return None;
    }
    if let Some(user) = user {
        interface.user = user;
    }
    let named_user = terms.names.text(interface.user.0) == "USER";
    let played = match service.play {
        [] if declared || named_user || service.user.is_some() => vec![interface.user],
        [] => partners,
        names => partners
            .into_iter()
            .filter(|role| names.iter().any(|it| it == terms.names.text(role.0)))
            .collect(),
    };
    Some(Orchestration {
        name: component.name,
        stg,
        interface,
        played,
        unseen: match service.role {
            Some(_) => Unseen::ByPartners,
            None => Unseen::ByService,
        },
    })
}

/// A file of a purpose or of contracts as it is written; `None` where it cannot be read.
pub(crate) fn load_syntax(
    workspace: &mut Workspace<'_>,
    path: &str,
    kind: &str,
    report: &mut Report,
) -> Option<(FileId, PurposeSyntax)> {
    let text = match workspace.read(path) {
        Ok(text) => text,
        Err(error) => {
            report.diagnostics.push(unreadable::diagnostic(&error));
            return None;
        }
    };
    let inputs = &mut report.semantics.inputs;
    inputs.insert(path.to_owned(), kind.to_owned());
    let file = workspace.sources.add(path.to_owned(), text.clone());
    let (syntax, mut found) = purpose::parse(file, &text, &mut workspace.terms.names);
    report.diagnostics.append(&mut found);
    Some((file, syntax))
}

/// The purpose of a file, for a model; its contracts go into the interface.
pub(crate) fn load_purpose(
    workspace: &mut Workspace<'_>,
    path: &str,
    orchestration: &mut Orchestration,
    report: &mut Report,
) -> Option<Purpose> {
    let (file, syntax) = load_syntax(workspace, path, "tp", report)?;
    let vocabulary = Vocabulary::of(&orchestration.stg, &workspace.terms);
    let start = Span::new(file, 0, 0);
    let (purpose, mut found) = purpose::resolve(&syntax, &vocabulary, start, &mut workspace.terms);
    report.diagnostics.append(&mut found);
    let mut found: Vec<Diagnostic> =
        add_contracts(&syntax, &mut orchestration.interface, &mut workspace.terms);
    report.diagnostics.append(&mut found);
    match has_errors(&report.diagnostics) {
        true => None,
        false => purpose,
    }
}

/// The contracts of a file, put into the interface.
pub(crate) fn load_contracts(
    workspace: &mut Workspace<'_>,
    path: &str,
    orchestration: &mut Orchestration,
    report: &mut Report,
) {
    if let Some((_, syntax)) = load_syntax(workspace, path, "contract", report) {
        report
            .diagnostics
            .append(&mut check_contracts_only(&syntax));
        let mut found = add_contracts(&syntax, &mut orchestration.interface, &mut workspace.terms);
        report.diagnostics.append(&mut found);
    }
}

/// The words of a file, one on each line.
pub(crate) fn load_words(
    workspace: &mut Workspace<'_>,
    path: &str,
    report: &mut Report,
) -> Vec<Arc<str>> {
    match workspace.read(path) {
        Ok(text) => {
            let inputs = &mut report.semantics.inputs;
            inputs.insert(path.to_owned(), "words".to_owned());
            text.lines()
                .map(str::trim)
                .filter(|word| !word.is_empty())
                .map(Arc::from)
                .collect()
        }
        Err(error) => {
            report.diagnostics.push(unreadable::diagnostic(&error));
            Vec::new()
        }
    }
}
