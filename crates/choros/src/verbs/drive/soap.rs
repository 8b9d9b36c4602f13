//! A process and its partners, by SOAP at the addresses of their WSDL documents.

use std::time::Duration;

use choros_base::{Diagnostic, Span, has_errors};
use choros_bpel::process::Orchestration;
use choros_drive::{SoapCodec, SoapOperation};
use choros_model::interface::Side;
use choros_model::stg::{Operation, Role};
use choros_report::Report;
use choros_xml::document::{Library, QName};

use super::DriveRequest;
use super::codec::{Reached, listeners};
use crate::diagnostics::no_target;
use crate::verbs::symbolic::Derived;
use crate::{Settings, Workspace};

/// Finds the service at `--target` or at the address in its WSDL; partners are played where theirs say.
pub(super) fn reach(
    workspace: &mut Workspace<'_>,
    path: &str,
    derived: &Derived,
    driving: &DriveRequest,
    settings: &Settings,
    report: &mut Report,
) -> Option<Reached> {
    let (codec, process) = soap_codec(workspace, path, driving.target.clone(), settings, report)?;
    let played = &derived.orchestration.played;
    let mut called: Vec<Role> = Vec::new();
    for one in &codec.operations {
        let is_call = one.side == Side::Used && played.contains(&one.partner);
        if is_call && !called.contains(&one.partner) {
            called.push(one.partner);
        }
    }
    let known = |name: &str| partner_place(&process, name);
    let listeners = listeners(&called, known, |_| "", driving, workspace, report)?;
    Some(Reached {
        tick: process
            .unit
            .map(|unit| Duration::from_millis(unit.milliseconds)),
        codec: Box::new(codec),
        listeners,
    })
}

/// Where a partner is, by the address in its WSDL: `:8083`.
pub(in crate::verbs) fn partner_place(process: &Orchestration, name: &str) -> Option<String> {
    let partner = process.partners.iter().find(|it| &*it.name == name)?;
    authority(&address(process, partner.uses.as_ref()?)?)
}

/// How a process talks, and the process: at the target, or at the address in its WSDL.
pub(in crate::verbs) fn soap_codec(
    workspace: &mut Workspace<'_>,
    path: &str,
    target: Option<String>,
    settings: &Settings,
    report: &mut Report,
) -> Option<(SoapCodec, Orchestration)> {
    // It was read before, and what was said then is not said again.
    let mut unheard = Vec::new();
    let mut process = workspace.process(path, settings, &mut unheard)?;
    let operations = operations(workspace, &mut process, &mut unheard);
    if has_errors(&unheard) {
        report.diagnostics.append(&mut unheard);
        return None;
    }
    let offered = process.partners.iter().find_map(|it| it.offers.as_ref());
    let known = offered.and_then(|port_type| address(&process, port_type));
    let Some(target) = target.or(known) else {
        report.diagnostics.push(no_target::diagnostic(
            &process.name,
            "name it with `--target`; its WSDL document has no address",
        ));
        return None;
    };
    let codec = SoapCodec {
        service: process.interface.orchestrator,
        target,
        schema: process.definitions.schema.clone(),
        operations,
    };
    Some((codec, process))
}

fn operations(
    workspace: &mut Workspace<'_>,
    process: &mut Orchestration,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<SoapOperation> {
    let mut found = Vec::new();
    let mut library = Library::new(workspace.from, &mut workspace.sources);
    let terms = &mut workspace.terms;
    for partner in &process.partners {
        let sides = [
            (Side::Provided, &partner.offers),
            (Side::Used, &partner.uses),
        ];
        for (side, port_type) in sides {
            let Some(port_type) = port_type else {
                continue;
            };
            let Some(declared) = process.definitions.port_types.get(port_type).cloned() else {
                continue;
            };
            for operation in &declared.operations {
                let binding = process
                    .definitions
                    .operation_binding(port_type, &operation.name);
                let definitions = &mut process.definitions;
                let mut shape =
                    |name: &QName, span: Span| definitions.message(&mut library, terms, name, span);
                let Some(input) = shape(&operation.input, operation.span) else {
                    continue;
                };
                let output = operation
                    .output
                    .as_ref()
                    .and_then(|name| shape(name, operation.span));
                let faults = operation
                    .faults
                    .iter()
                    .filter_map(|(fault, name)| Some((fault.clone(), shape(name, operation.span)?)))
                    .collect();
                found.push(SoapOperation {
                    partner: Role(terms.names.intern(&partner.name)),
                    operation: Operation(terms.names.intern(&operation.name)),
                    side,
                    binding,
                    input,
                    output,
                    faults,
                });
            }
        }
    }
    diagnostics.append(&mut library.diagnostics);
    found
}

fn address(process: &Orchestration, port_type: &QName) -> Option<String> {
    let addresses = process.definitions.addresses(port_type);
    addresses.first().map(|address| (*address).to_owned())
}

/// `host:port` of an address; partners are only ever played on this machine.
fn authority(url: &str) -> Option<String> {
    let rest = url.split_once("://")?.1;
    let authority = rest.split('/').next()?;
    let port = authority.rsplit_once(':').map_or("80", |(_, port)| port);
    Some(format!(":{port}"))
}
