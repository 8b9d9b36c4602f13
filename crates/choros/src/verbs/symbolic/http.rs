//! Symbolic tests for pytest: what the compiler needs to know of the service.

use choros_drive::Codec;
use choros_drive::http_tests::{Compilation, compile};
use choros_emit::symbolic::HttpSuite;
use choros_model::stg::Role;
use choros_report::Report;
use choros_symex::Derived;

use crate::verbs::drive::{json_codec, mapping, partner_place, soap_codec};
use crate::{Request, Settings, Workspace};

/// Where a service is if nothing says so.
const NOWHERE: &str = "http://127.0.0.1:8080";

/// The tests of a suite; the report is told what is missing.
pub(super) fn compiled(
    workspace: &mut Workspace<'_>,
    request: &Request,
    derived: &Derived,
    named_mapping: Option<&str>,
    settings: &Settings,
    report: &mut Report,
) -> Option<HttpSuite> {
    let played: Vec<(Role, String)> = derived
        .orchestration
        .played
        .iter()
        .filter(|&&role| role != derived.orchestration.interface.user)
        .map(|&role| (role, workspace.terms.names.text(role.0).to_owned()))
        .collect();
    let placed = |place: &dyn Fn(&str) -> Option<String>| {
        let played = played.iter();
        let placed = played.map(|(role, name)| (*role, name.clone(), place(name)));
        placed.collect()
    };
    let mut headers = Vec::new();
    let (codec, tick, partners): (Box<dyn Codec>, _, _) =
        match (request.is_process(), named_mapping) {
            (true, None) => {
                let (codec, process) =
                    soap_codec(workspace, &request.path, None, settings, report)?;
                let tick = process.unit.map(|unit| unit.milliseconds);
                let partners = placed(&|name| partner_place(&process, name));
                (Box::new(codec), tick, partners)
            }
            _ => {
                let mut mapping = mapping(workspace, named_mapping, report)?;
                // They may hold secrets, which the tests look up when they are run.
                headers = std::mem::take(&mut mapping.headers).into_iter().collect();
                if named_mapping.is_none() {
                    // Where nothing is said, an operation is answered under its own name.
                    for message in derived.orchestration.stg.messages() {
                        let name = workspace.terms.names.text(message.operation.0).to_owned();
                        let exchange = mapping.operations.entry(name.clone()).or_default();
                        exchange.answers = vec![name];
                    }
                }
                let target = mapping.target.clone().unwrap_or_else(|| NOWHERE.to_owned());
                let partners = placed(&|name| mapping.listen.get(name).cloned());
                let codec = json_codec(workspace, derived, target, mapping);
                (Box::new(codec), None, partners)
            }
        };
    // The compiler takes what is not decided for possible, so a missing solver is said before it begins.
    let mut solver = settings.solver();
    if let Err(error) = solver.start() {
        report.world_failed = Some(error.to_string());
        return None;
    }
    let of = Compilation {
        model: &request.path,
        derived,
        codec,
        tick: tick.unwrap_or(1000),
        headers,
        partners,
    };
    let suite = compile(of, &mut solver, &mut workspace.terms);
    settings.name_solver(&solver, &mut report.semantics);
    Some(suite)
}
