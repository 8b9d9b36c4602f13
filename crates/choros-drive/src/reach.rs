//! How the service is reached, and where the tester is called.

use std::time::Duration;

use choros_base::{Diagnostic, nearest};
use choros_bind::{ANY_ROLE, Binding};
use choros_codes::diagnostics::{
    no_target, unknown_operation, unusable_drive_input, unusable_mapping,
};
use choros_data::Terms;
use choros_exec::capture::listen_address;
use choros_model::stg::Role;
use choros_symex::{DerivedTests, ServiceModel};

use crate::headers::filled_from_environment;
use crate::hidden_values::HiddenValues;
use crate::{Codec, DriveOptions, JsonCodec, Secrets, SoapService};

/// The service, and where the tester is called.
pub struct ServiceAccess {
    /// How messages travel.
    pub codec: Box<dyn Codec>,
    /// Where roles are played that the service calls.
    pub listeners: Vec<(Role, String)>,
    /// How long a tick is, where the model says so.
    pub tick: Option<Duration>,
}

/// What is found on the way to a service.
pub struct AccessRequest<'r> {
    /// The tests and their model.
    pub derived: &'r DerivedTests,
    /// Where the user says that it is.
    pub options: &'r DriveOptions,
    /// The names and sorts of the model.
    pub terms: &'r mut Terms,
    /// What is worth knowing.
    pub findings: &'r mut Vec<Diagnostic>,
}

impl AccessRequest<'_> {
    /// By JSON over HTTP, as a binding says; nothing where a finding says why not.
    pub fn by_json(mut self, binding: Binding, secrets: &Secrets) -> Option<ServiceAccess> {
        self.check_partners()?;
        let model = &self.derived.orchestration;
        let options = self.options;
        let role = self.terms.names.text(model.interface.orchestrator.0);
        let address = binding.address(role).map(str::to_owned);
        let headers = match filled_from_environment(&binding, role, secrets) {
            Ok(headers) => headers,
            Err(reason) => {
                let path = options.mapping.as_deref().unwrap_or("the binding");
                let finding = unusable_mapping::diagnostic(path, &reason);
                self.findings.push(finding);
                return None;
            }
        };
        let advice = format!(
            "name it with `--target`, or as `address` under `[roles.{role}]` in the binding"
        );
        if let Some(path) = &options.mapping {
            self.check_names(path, &binding);
        }
        let Some(target) = options.target.clone().or(address) else {
            let finding = no_target::diagnostic(&model.name, &advice);
            self.findings.push(finding);
            return None;
        };
        let tick = model.stg.tick().map(Duration::from_millis);
        let listen = |role: &str| binding.listen(role).map(str::to_owned);
        let mut codec = JsonCodec::of(model, target, binding.clone(), self.terms);
        codec.headers = headers;
        codec.hidden = HiddenValues::of(&binding.hide.secret, secrets);
        let service = model.interface.orchestrator;
        let calls = codec.shapes.iter().filter(|shape| {
            shape.from == service && model.played.contains(&shape.to) && !codec.is_answer(shape)
        });
        let calls: Vec<Role> = calls.map(|shape| shape.to).collect();
        // Without a binding nothing is an answer, which is easily forgotten.
        let is_forgotten = |role: Role| {
            options.mapping.is_none() && codec.shapes.iter().any(|shape| shape.from == role)
        };
        let hint = |role| {
            if is_forgotten(role) {
                "; if these are its answers, describe them in a binding (`--binding FILE`)"
            } else {
                ""
            }
        };
        let listeners = self.listeners(&calls, listen, hint)?;
        Some(ServiceAccess {
            codec: Box::new(codec),
            listeners,
            tick,
        })
    }

    /// By SOAP; partners are played where their WSDL says.
    pub fn by_soap(mut self, service: SoapService) -> Option<ServiceAccess> {
        self.check_partners()?;
        let called = service.called(&self.derived.orchestration.played);
        let listeners = self.listeners(&called, |name| service.partner_place(name), |_| "")?;
        Some(ServiceAccess {
            listeners,
            tick: service.tick,
            codec: Box::new(service.codec),
        })
    }

    /// Warns of names that the model does not have and that look like some it has, or where it has none of them; one
    /// binding may serve several models, so that others are no matter.
    fn check_names(&mut self, path: &str, binding: &Binding) {
        let stg = &self.derived.orchestration.stg;
        let names = &self.terms.names;
        let operations = stg.messages().map(|it| names.text(it.operation.0));
        let mut operations: Vec<&str> = operations.collect();
        operations.sort_unstable();
        operations.dedup();
        let roles: Vec<&str> = stg.roles().iter().map(|role| names.text(role.0)).collect();
        let mut mapped: Vec<&str> = Vec::new();
        for message in &binding.messages {
            for name in std::iter::once(&message.name).chain(&message.response) {
                if !mapped.contains(&name.as_str()) {
                    mapped.push(name);
                }
            }
        }
        mapped.sort_unstable();
        let named = binding.roles.iter().map(|it| it.name.as_str());
        let played: Vec<&str> = named.filter(|it| *it != ANY_ROLE).collect();
        let is_foreign = !mapped.is_empty() && !mapped.iter().any(|name| operations.contains(name));
        for (what, named, known) in [("operation", mapped, operations), ("role", played, roles)] {
            for name in named {
                // A name with a word more is not misspelt: `GetOrderNotFound` beside `GetOrder`.
                let has_more = |it: &str| {
                    let rest = name.strip_prefix(it);
                    rest.is_some_and(|it| it.starts_with(char::is_uppercase))
                };
                let free = known.iter().copied();
                let similar = nearest(name, free.filter(|it| *it != name && !has_more(it)));
                if !known.contains(&name) && (is_foreign || similar.is_some()) {
                    let finding = unknown_operation::diagnostic(path, what, name, similar, &known);
                    self.findings.push(finding);
                }
            }
        }
    }

    /// Whether someone would listen at the addresses that were named; a role that the model does not have is only
    /// warned of, because one command line may serve several models.
    fn check_partners(&mut self) -> Option<()> {
        let names = &self.terms.names;
        let ServiceModel {
            stg,
            interface,
            played,
            ..
        } = &self.derived.orchestration;
        let mut roles = stg.roles();
        roles.retain(|&role| role != interface.orchestrator);
        let known: Vec<&str> = roles.iter().map(|role| names.text(role.0)).collect();
        for text in &self.options.mock_at {
            let name = text.split_once('=').map(|(name, _)| name);
            let role = roles.iter().find(|role| Some(names.text(role.0)) == name);
            let reason = match (name, role) {
                (None, _) => {
                    format!("`{text}` is not of the form `ROLE=ADDR`, such as `BANK=:9001`")
                }
                (Some(name), None) => {
                    let similar = nearest(name, known.iter().copied());
                    let finding =
                        unknown_operation::diagnostic("--mock-at", "role", name, similar, &known);
                    self.findings.push(finding);
                    continue;
                }
                (Some(_), Some(role)) if played.contains(role) => continue,
                (Some(name), Some(_)) => {
                    format!("`{name}` is not played; `--mock-partners` plays all partners")
                }
            };
            let finding = unusable_drive_input::diagnostic("--mock-at", &reason);
            self.findings.push(finding);
            return None;
        }
        Some(())
    }

    /// Where each role that the service calls is played.
    fn listeners(
        &mut self,
        called: &[Role],
        known: impl Fn(&str) -> Option<String>,
        hint: impl Fn(Role) -> &'static str,
    ) -> Option<Vec<(Role, String)>> {
        let mut listeners: Vec<(Role, String)> = Vec::new();
        for &role in called {
            if listeners.iter().any(|(known, _)| *known == role) {
                continue;
            }
            let name = self.terms.names.text(role.0);
            let named = self.options.mock_at.iter().find_map(|text| {
                let (of, address) = text.split_once('=')?;
                (of == name).then(|| address.to_owned())
            });
            let Some(address) = named.or_else(|| known(name)) else {
                let reason = format!(
                    "the service calls `{name}`, which the tester plays, and nothing says where: `--mock-at {name}=:9001`{}",
                    hint(role)
                );
                let finding = unusable_drive_input::diagnostic("--mock-at", &reason);
                self.findings.push(finding);
                return None;
            };
            match listen_address(&address) {
                Some(address) => listeners.push((role, address.to_string())),
                None => {
                    let reason = format!("`{address}` is not an address such as `:9001`");
                    let finding = unusable_drive_input::diagnostic(name, &reason);
                    self.findings.push(finding);
                    return None;
                }
            }
        }
        Some(listeners)
    }
}
