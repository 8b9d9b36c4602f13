//! How the service is reached: SOAP by its WSDL, or JSON by a mapping.

use std::time::Duration;

use choros_base::nearest;
use choros_data::Terms;
use choros_drive::{Codec, JsonCodec, JsonMapping, Shape, read_mapping};
use choros_exec::capture::listen_address;
use choros_model::interface::Side;
use choros_model::stg::{Direction, FieldValue, Role};
use choros_report::Report;

use super::DriveRequest;
use crate::diagnostics::{
    drive_mapping, no_target, unknown_operation, unreadable, unusable_mapping,
};
use crate::verbs::symbolic::Derived;
use crate::{Request, Settings, Workspace};

/// The service, and where the tester is called.
pub(super) struct Reached {
    pub(super) codec: Box<dyn Codec>,
    pub(super) listeners: Vec<(Role, String)>,
    /// How long a tick is, where the model says so.
    pub(super) tick: Option<Duration>,
}

/// Finds out how the service is reached; the report is told what is missing.
pub(super) fn reach(
    workspace: &mut Workspace<'_>,
    request: &Request,
    derived: &Derived,
    driving: &DriveRequest,
    settings: &Settings,
    report: &mut Report,
) -> Option<Reached> {
    check_partners(&driving.mock_at, derived, workspace, report)?;
    match (request.is_process(), &driving.mapping) {
        (true, None) => {
            super::soap::reach(workspace, &request.path, derived, driving, settings, report)
        }
        _ => json(workspace, derived, driving, settings, report),
    }
}

fn json(
    workspace: &mut Workspace<'_>,
    derived: &Derived,
    driving: &DriveRequest,
    settings: &Settings,
    report: &mut Report,
) -> Option<Reached> {
    let mut mapping = mapping(workspace, driving.mapping.as_deref(), report)?;
    if let Some(path) = &driving.mapping {
        if let Err(reason) = mapping.fill_from_environment(&driving.secrets) {
            report
                .diagnostics
                .push(unusable_mapping::diagnostic(path, &reason));
            return None;
        }
        check(path, &mapping, derived, workspace, report);
    }
    let Some(target) = driving.target.clone().or_else(|| mapping.target.clone()) else {
        report.diagnostics.push(no_target::diagnostic(
            &derived.orchestration.name,
            "name it with `--target`, or as `target` in the mapping",
        ));
        return None;
    };
    let service = derived.orchestration.interface.orchestrator;
    let codec = json_codec(workspace, derived, target, mapping.clone());
    let mut called: Vec<Role> = Vec::new();
    for shape in &codec.shapes {
        let is_call = shape.from == service
            && derived.orchestration.played.contains(&shape.to)
            && !codec.is_answer(shape);
        if is_call && !called.contains(&shape.to) {
            called.push(shape.to);
        }
    }
    let said = |role: &str| mapping.listen.get(role).cloned();
    // Without a mapping nothing is an answer, which is easily forgotten.
    let is_forgotten = |role: Role| {
        driving.mapping.is_none() && codec.shapes.iter().any(|shape| shape.from == role)
    };
    let hint = |role| match is_forgotten(role) {
        true => "; if these are its answers, a mapping (`--mapping FILE`) says so",
        false => "",
    };
    let listeners = listeners(&called, said, hint, driving, workspace, report)?;
    Some(Reached {
        codec: Box::new(codec),
        listeners,
        tick: None,
    })
}

/// Warns of names that the model does not have and that look like some it has, or where it has none of them; one mapping
/// may serve several models, so that others are no matter.
fn check(
    path: &str,
    mapping: &JsonMapping,
    derived: &Derived,
    workspace: &Workspace<'_>,
    report: &mut Report,
) {
    let stg = &derived.orchestration.stg;
    let names = &workspace.terms.names;
    let mut operations: Vec<&str> = stg
        .messages()
        .map(|it| names.text(it.operation.0))
        .collect();
    operations.sort_unstable();
    operations.dedup();
    let roles: Vec<&str> = stg.roles().iter().map(|role| names.text(role.0)).collect();
    let mut mapped: Vec<&str> = Vec::new();
    for (operation, exchange) in &mapping.operations {
        for name in std::iter::once(operation).chain(&exchange.answers) {
            if !mapped.contains(&name.as_str()) {
                mapped.push(name);
            }
        }
    }
    let played: Vec<&str> = mapping.listen.keys().map(String::as_str).collect();
    let is_foreign = !mapped.iter().any(|name| operations.contains(name));
    for (what, named, known) in [("operation", mapped, operations), ("role", played, roles)] {
        for name in named {
            let free = known.iter().copied().filter(|it| *it != name);
            let similar = nearest(name, free);
            if !known.contains(&name) && (is_foreign || similar.is_some()) {
                let finding = unknown_operation::diagnostic(path, what, name, similar, &known);
                report.diagnostics.push(finding);
            }
        }
    }
}

/// What a mapping file says; nothing where none is named.
pub(in crate::verbs) fn mapping(
    workspace: &Workspace<'_>,
    named: Option<&str>,
    report: &mut Report,
) -> Option<JsonMapping> {
    match named {
        None => Some(JsonMapping::default()),
        Some(path) => {
            report
                .semantics
                .inputs
                .insert(path.to_owned(), "mapping".to_owned());
            match workspace.read(path) {
                Err(error) => {
                    report.diagnostics.push(unreadable::diagnostic(&error));
                    None
                }
                Ok(text) => match read_mapping(&text) {
                    Ok(mapping) => Some(mapping),
                    Err(reason) => {
                        report
                            .diagnostics
                            .push(unusable_mapping::diagnostic(path, &reason));
                        None
                    }
                },
            }
        }
    }
}

/// How a model talks by a mapping.
pub(in crate::verbs) fn json_codec(
    workspace: &mut Workspace<'_>,
    derived: &Derived,
    target: String,
    mapping: JsonMapping,
) -> JsonCodec {
    let service = derived.orchestration.interface.orchestrator;
    let shapes = shapes(derived, &workspace.terms);
    let provided = derived
        .orchestration
        .interface
        .operations
        .iter()
        .filter(|signature| signature.side == Side::Provided)
        .map(|signature| (signature.partner, signature.operation))
        .collect();
    JsonCodec::new(
        service,
        target,
        mapping,
        shapes,
        provided,
        &mut workspace.terms,
    )
}

/// Whether somebody would listen at the addresses of `--mock-at`; a role that the model does not have is only warned of,
/// because one command line may serve several models.
fn check_partners(
    mock_at: &[String],
    derived: &Derived,
    workspace: &Workspace<'_>,
    report: &mut Report,
) -> Option<()> {
    let names = &workspace.terms.names;
    let service = derived.orchestration.interface.orchestrator;
    let mut roles = derived.orchestration.stg.roles();
    roles.retain(|&role| role != service);
    let known: Vec<&str> = roles.iter().map(|role| names.text(role.0)).collect();
    for text in mock_at {
        let name = text.split_once('=').map(|(name, _)| name);
        let role = roles.iter().find(|role| Some(names.text(role.0)) == name);
        let reason = match (name, role) {
            (None, _) => format!("`{text}` is no `ROLE=ADDR` such as `BANK=:9001`"),
            (Some(name), None) => {
                let similar = nearest(name, known.iter().copied());
                let finding =
                    unknown_operation::diagnostic("--mock-at", "role", name, similar, &known);
                report.diagnostics.push(finding);
                continue;
            }
            (Some(_), Some(role)) if derived.orchestration.played.contains(role) => continue,
            (Some(name), Some(_)) => {
                format!("`{name}` is not played; `--mock-partners` plays all partners")
            }
        };
        let finding = drive_mapping::diagnostic("--mock-at", &reason);
        report.diagnostics.push(finding);
        return None;
    }
    Some(())
}

/// Where each role that the service calls is played.
pub(super) fn listeners(
    called: &[Role],
    known: impl Fn(&str) -> Option<String>,
    hint: impl Fn(Role) -> &'static str,
    driving: &DriveRequest,
    workspace: &Workspace<'_>,
    report: &mut Report,
) -> Option<Vec<(Role, String)>> {
    let mut listeners = Vec::new();
    for &role in called {
        let name = workspace.terms.names.text(role.0);
        let named = driving.mock_at.iter().find_map(|text| {
            let (of, address) = text.split_once('=')?;
            (of == name).then(|| address.to_owned())
        });
        let Some(address) = named.or_else(|| known(name)) else {
            let reason = format!(
                "the service calls `{name}`, which the tester plays, and nothing says where: `--mock-at {name}=:9001`{}",
                hint(role)
            );
            report
                .diagnostics
                .push(drive_mapping::diagnostic("--mock-at", &reason));
            return None;
        };
        match listen_address(&address) {
            Some(address) => listeners.push((role, address.to_string())),
            None => {
                let reason = format!("`{address}` is no address such as `:9001`");
                report
                    .diagnostics
                    .push(drive_mapping::diagnostic(name, &reason));
                return None;
            }
        }
    }
    Some(listeners)
}

/// What the messages of the model carry.
fn shapes(derived: &Derived, terms: &Terms) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    for message in derived.orchestration.stg.messages() {
        if message.direction == Direction::Interaction || message.fault.is_some() {
            continue;
        }
        let fields = message
            .fields
            .iter()
            .map(|field| {
                let label = field.label.map(|label| terms.names.text(label).to_owned());
                let sort = match field.value {
                    FieldValue::Free(term) => terms.sort_of(term),
                    FieldValue::Bind(variable) => terms.variable_sort(variable),
                };
                (label, sort)
            })
            .collect();
        let shape = Shape {
            operation: message.operation,
            from: message.from,
            to: message.to,
            fields,
        };
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    shapes
}
