//! Does a purpose fit its model? (`check PURPOSE --model M`)

use choros_base::{Span, has_errors};
use choros_model::{Bound, Evidence, Help, Unknown, Verdict};
use choros_query::purpose::{check_contracts_only, check_shape};
use choros_report::answers::{RunNotes, Soundness, SoundnessKind, Stop};
use choros_report::{Stat, Stats};
use choros_suite::SymbolicTestOptions;
use choros_symex::{CoverageCriterion, Derivation, DerivedTests, PurposeFit};

use super::derive::derive;
use super::load::{load_contracts, load_orchestration, load_syntax};
use crate::{Content, Request, Settings, Workspace};

/// Checks that purposes and contracts can be read and, with a model, whether they fit it.
///
/// A purpose fits if some run of the model reaches `#`; transitions that no run takes are reported.
pub(in crate::verbs) fn check_purposes(
    workspace: &mut Workspace<'_>,
    requests: &[Request],
    model: Option<&Request>,
    depth: u32,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Vec<Result<Soundness, Stop>>, Stop> {
    let relation = match model {
        None => "syntax of purposes and contracts",
        Some(_) => "consistency of a purpose with its model",
    };
    run.semantics.relation = Some(relation.to_owned());
    let mut parts = Vec::new();
    for request in requests {
        let path = request.path.as_str();
        let is_contract = request.holds(&[Content::Contracts]);
        let part = match model {
            None => alone(workspace, path, is_contract, run),
            Some(model) if is_contract => contracts(workspace, path, model, settings, run),
            Some(model) => purpose(workspace, path, model, depth, settings, run),
        };
        parts.push(part);
    }
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    if model.is_none() && run.findings.is_empty() {
        run.semantics.notes.push(
            "purposes and contracts have no mistakes; `--model FILE` asks whether they fit a model"
                .to_owned(),
        );
    }
    Ok(parts)
}

/// A file for which no model was named.
fn alone(
    workspace: &mut Workspace<'_>,
    path: &str,
    is_contract: bool,
    run: &mut RunNotes,
) -> Result<Soundness, Stop> {
    let word = if is_contract { "contract" } else { "tp" };
    let (file, syntax) = load_syntax(workspace, path, word, run).ok_or(Stop::Mistakes)?;
    let mut found = if is_contract {
        check_contracts_only(&syntax)
    } else {
        check_shape(&syntax, Span::new(file, 0, 0), &workspace.terms)
    };
    run.findings.append(&mut found);
    Ok(Soundness::new(path, SoundnessKind::Read))
}

fn contracts(
    workspace: &mut Workspace<'_>,
    path: &str,
    model: &Request,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Soundness, Stop> {
    let asked = SymbolicTestOptions::default();
    let mut orchestration = load_orchestration(workspace, model, &asked, settings, run)?;
    load_contracts(workspace, path, &mut orchestration, run);
    Ok(Soundness::new(path, SoundnessKind::Read))
}

fn purpose(
    workspace: &mut Workspace<'_>,
    path: &str,
    model: &Request,
    depth: u32,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Soundness, Stop> {
    let asked = SymbolicTestOptions {
        purpose: Some(path.to_owned()),
        derivation: Derivation {
            depth,
            incomplete: true,
            coverage: CoverageCriterion::Purpose,
            ..Derivation::default()
        },
        ..SymbolicTestOptions::default()
    };
    let derived = derive(workspace, model, &asked, settings, run)?;
    run.findings.append(&mut derived.unfulfilled(depth));
    let counts = derived.graph.counts();
    Ok(Soundness {
        stats: Stats::default()
            .with(Stat::States, counts.states)
            .with(Stat::Transitions, counts.transitions)
            .with(Stat::Nodes, derived.tree.sizes().nodes),
        complete: derived.tree.is_complete(),
        ..Soundness::new(path, standing(&derived, depth, workspace))
    })
}

fn standing(derived: &DerivedTests, depth: u32, workspace: &Workspace<'_>) -> SoundnessKind {
    match derived.fit(&workspace.terms) {
        PurposeFit::Reached(trace) => SoundnessKind::Judged(Verdict::Holds(Evidence::Trace(trace))),
        PurposeFit::Never => SoundnessKind::Refuted,
        PurposeFit::NotWithin => SoundnessKind::Judged(Verdict::Unknown(Unknown {
            reason: format!("no run with at most {depth} events reaches the purpose"),
            help: Help::Raise(Bound::Depth(None)),
            evidence: None,
        })),
    }
}
