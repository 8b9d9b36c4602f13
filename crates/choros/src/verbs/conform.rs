//! Does the implementation conform, and for which data?

use choros_data::Var;
use choros_model::stg::{Stg, Told};
use choros_proofs::{NO_PROOF, compare, compare_sessions, not_shared, of_conformance};
use choros_realize::{AmongPartners, AnalysisStop, Projection, among_partners, verdict_on_service};
use choros_report::Stats;
use choros_report::answers::{Answered, Conformance, RunNotes, Stop};
use choros_smt::LazySolver;
pub use choros_workspace::{ComparisonRules, ConformRequest};
use choros_workspace::{SessionsAs, compared_graphs, compared_sessions, conform_under_faults};

use super::realize::Judge;
use crate::diagnostics::{no_certificate, state_bound};
use crate::{Settings, Workspace};

/// Compares an implementation with a specification.
pub fn conform(
    workspace: &mut Workspace<'_>,
    request: &ConformRequest,
    settings: &Settings,
) -> Answered<Conformance> {
    settings.answered(|run| answer(workspace, request, settings, run))
}

/// The relation, in words.
pub(super) const RELATION: &str =
    "symbolic branching bisimulation for conformance, late, divergence-blind";

fn answer(
    workspace: &mut Workspace<'_>,
    request: &ConformRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Conformance, Stop> {
    if settings.faults.is_some() {
        return conform_under_faults(workspace, request, settings, run);
    }
    run.semantics.relation = Some(RELATION.to_owned());
    let alone = settings.with_sessions_as(SessionsAs::One);
    let opened = compared_sessions(workspace, request, &alone, run)?;
    let (mut implementation, mut specification, sessions) = opened;
    if let Some(sessions) = &sessions {
        let both = (&implementation, &specification);
        match compare_sessions(both, sessions, request, workspace, settings, run)? {
            Some(answer) => return Ok(answer),
            None => {
                let all = SessionsAs::Together(Told::ByMessages);
                let (all, mut aside) = (settings.with_sessions_as(all), settings.run());
                (implementation, specification) =
                    compared_graphs(workspace, request, &all, &mut aside)?;
            }
        }
    }
    let part = match &request.role {
        None => None,
        Some(role) => Some(Judge::new(workspace, settings, run).part(&specification, role)?),
    };
    let mut solver = settings.solver();
    let mut rules = request.rules.clone();
    let sizes = Stats::of_graph(&implementation);
    let (implementation, specification, told) = match part {
        None => (implementation, specification, Vec::new()),
        Some(part) => {
            let sides = (&implementation, &part, &specification);
            among(sides, &mut rules, workspace, &mut solver, settings, run)?
        }
    };
    let both = (&implementation, &specification);
    let terms = &mut workspace.terms;
    let mut answer = compare(both, &rules, terms, &mut solver, settings, run)?;
    answer.stats = sizes;
    answer.verdict = verdict_on_service(answer.verdict, &told, terms, &mut solver)
        .map_err(|error| Stop::World(error.to_string()))?;
    if request.rules.certificate {
        let proof = match (&request.role, answer.proof.take()) {
            (Some(_), _) => Err("a projection is compared, which is not certified".to_owned()),
            (None, Some(_)) if sessions.is_some() => Err(NO_PROOF.to_owned()),
            (None, Some(proof)) => proof,
            (None, None) => Err("nothing was shown".to_owned()),
        };
        match proof {
            Ok(proof) => {
                let certificate = of_conformance(workspace, request, settings, proof);
                answer.certificate = Some(certificate);
            }
            Err(reason) => {
                let found = no_certificate::diagnostic(&answer.name(), &reason);
                run.findings.push(found);
            }
        }
    }
    Ok(answer)
}

/// The service among partners that keep the choreography, the part, and what stands for values that partners may send.
fn among(
    (service, part, choreography): (&Stg, &Projection, &Stg),
    rules: &mut ComparisonRules,
    workspace: &mut Workspace<'_>,
    solver: &mut LazySolver,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<(Stg, Stg, Vec<Var>), Stop> {
    let terms = &mut workspace.terms;
    if let Some(found) = not_shared(service, &part.stg, &rules.shared, terms) {
        run.findings.push(found);
        return Err(Stop::Mistakes);
    }
    let budget = settings.states();
    let name = service.name().to_owned();
    let known = (&rules.shared[..], choreography);
    match among_partners(service, part, known, terms, solver, &budget) {
        Ok(AmongPartners::Composed {
            stg,
            part,
            shared,
            told,
        }) => {
            rules.shared = shared;
            Ok((stg, *part, told))
        }
        Ok(AmongPartners::Unclear(reason)) => {
            let name = format!("{name} against {}", part.stg.name());
            Err(Stop::Unsettled { name, reason })
        }
        Err(AnalysisStop::Solver(error)) => Err(Stop::World(error.to_string())),
        Err(AnalysisStop::Unfit(found)) => {
            run.findings.push(*found);
            Err(Stop::Mistakes)
        }
        Err(AnalysisStop::Spent(spent)) => {
            run.findings.push(state_bound::diagnostic(&name, spent));
            Err(settings.cut(name))
        }
    }
}
