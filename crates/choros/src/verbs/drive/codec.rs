//! How the service is reached: SOAP by its WSDL, or JSON by a mapping.

use std::time::Duration;

use choros_data::Terms;
use choros_exec::capture::listen_address;
use choros_exec::drive::{
    Answer, Call, Codec, Incoming, JsonCodec, JsonMapping, Misread, Outgoing, Reply, Shape,
    read_mapping,
};
use choros_model::interface::Side;
use choros_model::stg::{Direction, FieldValue, Operation, Role};
use choros_report::Report;
use choros_symex::driver::ConcreteMessage;

use super::Driving;
use crate::diagnostics::{drive_mapping, no_target, unreadable};
use crate::soap_codec::SoapCodec;
use crate::verbs::symbolic::Derived;
use crate::{FileKind, Project, Request, Settings};

/// The service, and where the tester is called.
pub(super) struct Reached {
    pub(super) codec: AnyCodec,
    pub(super) listeners: Vec<(Role, String)>,
    /// How long a tick is, where the model says so.
    pub(super) tick: Option<Duration>,
}

/// One of the codecs, which every worker has for itself.
#[derive(Debug, Clone)]
pub(in crate::verbs) enum AnyCodec {
    Soap(Box<SoapCodec>),
    Json(Box<JsonCodec>),
}

/// Finds out how the service is reached; the report is told what is missing.
pub(super) fn reach(
    project: &mut Project<'_>,
    request: &Request,
    derived: &Derived,
    driving: &Driving,
    settings: &Settings,
    report: &mut Report,
) -> Option<Reached> {
    let kind = request.kind.or_else(|| FileKind::of_path(&request.path));
    match (kind, &driving.mapping) {
        (Some(FileKind::Bpel), None) => {
            super::soap::reach(project, &request.path, derived, driving, settings, report)
        }
        _ => json(project, derived, driving, report),
    }
}

fn json(
    project: &mut Project<'_>,
    derived: &Derived,
    driving: &Driving,
    report: &mut Report,
) -> Option<Reached> {
    let mapping = mapping(project, driving.mapping.as_deref(), report)?;
    let Some(target) = driving.target.clone().or_else(|| mapping.target.clone()) else {
        report.diagnostics.push(no_target::diagnostic(
            &derived.orchestration.name,
            "name it with `--target`, or as `target` in the mapping",
        ));
        return None;
    };
    let service = derived.orchestration.interface.orchestrator;
    let codec = json_codec(project, derived, target, mapping.clone());
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
    let listeners = listeners(&called, said, driving, project, report)?;
    Some(Reached {
        codec: AnyCodec::Json(Box::new(codec)),
        listeners,
        tick: None,
    })
}

/// What a mapping file says; nothing where none is named.
pub(in crate::verbs) fn mapping(
    project: &Project<'_>,
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
            match project.read(path) {
                Err(error) => {
                    report.diagnostics.push(unreadable::diagnostic(&error));
                    None
                }
                Ok(text) => match read_mapping(&text) {
                    Ok(mapping) => Some(mapping),
                    Err(reason) => {
                        report
                            .diagnostics
                            .push(drive_mapping::diagnostic(path, &reason));
                        None
                    }
                },
            }
        }
    }
}

/// How a model talks by a mapping.
pub(in crate::verbs) fn json_codec(
    project: &mut Project<'_>,
    derived: &Derived,
    target: String,
    mapping: JsonMapping,
) -> JsonCodec {
    let service = derived.orchestration.interface.orchestrator;
    let shapes = shapes(derived, &project.terms);
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
        &mut project.terms,
    )
}

/// Where each role that the service calls is played.
pub(super) fn listeners(
    called: &[Role],
    known: impl Fn(&str) -> Option<String>,
    driving: &Driving,
    project: &Project<'_>,
    report: &mut Report,
) -> Option<Vec<(Role, String)>> {
    let mut listeners = Vec::new();
    for &role in called {
        let name = project.terms.names.text(role.0);
        let named = driving.mock_at.iter().find_map(|text| {
            let (of, address) = text.split_once('=')?;
            (of == name).then(|| address.to_owned())
        });
        let Some(address) = named.or_else(|| known(name)) else {
            let reason = format!(
                "the service calls `{name}`, which the tester plays, and nothing says where: `--mock-at {name}=:9001`"
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

impl AnyCodec {
    fn get(&self) -> &dyn Codec {
        match self {
            AnyCodec::Soap(codec) => &**codec,
            AnyCodec::Json(codec) => &**codec,
        }
    }

    fn get_mut(&mut self) -> &mut dyn Codec {
        match self {
            AnyCodec::Soap(codec) => &mut **codec,
            AnyCodec::Json(codec) => &mut **codec,
        }
    }
}

impl Codec for AnyCodec {
    fn is_reply(&self, message: &ConcreteMessage) -> bool {
        self.get().is_reply(message)
    }

    fn answers(&self, call: Operation, answer: Operation) -> bool {
        self.get().answers(call, answer)
    }

    fn request(
        &mut self,
        message: &ConcreteMessage,
        terms: &mut Terms,
    ) -> Result<Outgoing, String> {
        self.get_mut().request(message, terms)
    }

    fn reply(&mut self, message: &ConcreteMessage, terms: &mut Terms) -> Result<Reply, String> {
        self.get_mut().reply(message, terms)
    }

    fn answer(
        &mut self,
        call: &ConcreteMessage,
        reply: &Reply,
        terms: &mut Terms,
    ) -> Result<Answer, Misread> {
        self.get_mut().answer(call, reply, terms)
    }

    fn is_call(&self, incoming: &Incoming) -> bool {
        self.get().is_call(incoming)
    }

    fn call(&mut self, incoming: &Incoming, terms: &mut Terms) -> Result<Call, Misread> {
        self.get_mut().call(incoming, terms)
    }
}
