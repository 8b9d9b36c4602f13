//! Does a purpose fit its model? (`check PURPOSE --model M`)

use choros_base::{Span, has_errors};
use choros_model::Evidence;
use choros_query::purpose::{Purpose, PurposeSyntax, Trigger, check_contracts_only, check_shape};
use choros_report::{Answer, NamedResult, Report, Sizes, Stat, Stats, VerdictKind};
use choros_symex::diagnostics::unfulfilled_purpose;
use choros_symex::{CoverageCriterion, TestCase};
use rustc_hash::FxHashSet;

use choros_symex::Derived;

use super::derive::{SymbolicTesting, derive};
use super::evidence::trace;
use super::load::{Service, load_contracts, load_orchestration, load_syntax};
use crate::{Content, Request, Settings, Workspace};

/// Checks that purposes and contracts can be read and, with a model, whether they fit it.
///
/// A purpose fits if some run of the model reaches `#`; transitions that no run takes are reported.
pub fn check_purposes(
    workspace: &mut Workspace<'_>,
    requests: &[Request],
    model: Option<&Request>,
    depth: u32,
    settings: &Settings,
) -> Report {
    let mut report = Report {
        verb: "check",
        semantics: settings.semantics(),
        deny_warnings: settings.deny_warnings,
        ..Report::default()
    };
    report.semantics.relation = Some(
        match model {
            None => "syntax of purposes and contracts",
            Some(_) => "consistency of a purpose with its model",
        }
        .to_owned(),
    );
    for request in requests {
        let path = request.path.as_str();
        let is_contract = request.holds(&[Content::Contracts]);
        let outcome = match (is_contract, model) {
            (true, Some(model)) => contracts(workspace, path, model, settings, &mut report),
            (false, Some(model)) => {
                let asked = SymbolicTesting {
                    purpose: Some(path.to_owned()),
                    depth,
                    incomplete: true,
                    coverage: CoverageCriterion::Purpose,
                    ..SymbolicTesting::default()
                };
                derive(workspace, model, &asked, settings, &mut report)
                    .map(|derived| consistent(path, &derived, depth, workspace, &mut report))
            }
            (is_contract, None) => alone(workspace, path, is_contract, &mut report),
        };
        report.outcomes.extend(outcome);
    }
    if has_errors(&report.diagnostics) {
        report.outcomes.clear();
    } else if model.is_none() && report.diagnostics.is_empty() {
        report.semantics.notes.push(
            "purposes and contracts have no mistakes; `--model FILE` asks whether they fit a model"
                .to_owned(),
        );
    }
    report
}

/// A file for which no model was named.
fn alone(
    workspace: &mut Workspace<'_>,
    path: &str,
    is_contract: bool,
    report: &mut Report,
) -> Option<NamedResult> {
    let word = if is_contract { "contract" } else { "tp" };
    let (file, syntax): (_, PurposeSyntax) = load_syntax(workspace, path, word, report)?;
    let mut found = match is_contract {
        true => check_contracts_only(&syntax),
        false => check_shape(&syntax, Span::new(file, 0, 0), &workspace.terms),
    };
    report.diagnostics.append(&mut found);
    Some(NamedResult {
        name: path.to_owned(),
        ..NamedResult::default()
    })
}

fn contracts(
    workspace: &mut Workspace<'_>,
    path: &str,
    model: &Request,
    settings: &Settings,
    report: &mut Report,
) -> Option<NamedResult> {
    let service = Service::default();
    let mut orchestration = load_orchestration(workspace, model, &service, settings, report)?;
    load_contracts(workspace, path, &mut orchestration, report);
    Some(NamedResult {
        name: path.to_owned(),
        ..NamedResult::default()
    })
}

fn consistent(
    path: &str,
    derived: &Derived,
    depth: u32,
    workspace: &Workspace<'_>,
    report: &mut Report,
) -> NamedResult {
    let (graph, tree) = (&derived.graph, &derived.tree);
    let complete = tree.is_complete();
    let taken: FxHashSet<usize> = tree
        .nodes
        .iter()
        .filter_map(|node| graph.edge(node.edge?).purpose)
        .collect();
    let (edges, leading) = match &derived.purpose {
        Some(purpose) => (&purpose.edges[..], leading(purpose)),
        None => (&[][..], Vec::new()),
    };
    for (index, edge) in edges.iter().enumerate() {
        // What leads away from `#` is there to be pruned.
        let wanted = edge.trigger == Trigger::Accept || leading[edge.target];
        if wanted && edge.trigger != Trigger::Any && !taken.contains(&index) {
            let finding = unfulfilled_purpose::diagnostic(edge.span, depth, complete);
            report.diagnostics.push(finding);
        }
    }
    let reached = tree
        .ids()
        .find(|&id| tree.node(id).label == Some(choros_symex::TreeLabel::Accept));
    let answer = match reached {
        Some(end) => {
            let name = "run".to_owned();
            let test = TestCase::of(tree, end, name, &derived.orchestration.played);
            let mut trace = trace(&test, tree, true, &workspace.terms);
            trace.conclusion = "the purpose is reached".to_owned();
            Answer {
                word: VerdictKind::Holds,
                condition: None,
                reason: None,
                evidence: Some(Evidence::Trace(trace)),
            }
        }
        None if complete => Answer {
            word: VerdictKind::Fails,
            condition: None,
            reason: None,
            evidence: None,
        },
        None => Answer {
            word: VerdictKind::Unknown,
            condition: None,
            reason: Some(format!(
                "no run with at most {depth} events reaches the purpose (raise the bound with --depth)"
            )),
            evidence: None,
        },
    };
    let counts = graph.counts();
    NamedResult {
        name: path.to_owned(),
        answer: Some(answer),
        sizes: Sizes {
            stats: Stats::default()
                .with(Stat::States, counts.states)
                .with(Stat::Transitions, counts.transitions)
                .with(Stat::Nodes, tree.nodes.len()),
            complete,
        },
        ..NamedResult::default()
    }
}

/// For each state of a purpose, whether `#` can follow.
fn leading(purpose: &Purpose) -> Vec<bool> {
    let mut leads = vec![false; purpose.states.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for edge in &purpose.edges {
            let now = edge.trigger == Trigger::Accept || leads[edge.target];
            if now && !std::mem::replace(&mut leads[edge.source], true) {
                changed = true;
            }
        }
    }
    leads
}
