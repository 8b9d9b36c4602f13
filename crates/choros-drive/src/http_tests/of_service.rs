//! What the compiler needs to know of a service.

use choros_bind::{Binding, MessageBinding};
use choros_data::Terms;
use choros_model::stg::Role;
use choros_symex::DerivedTests;

use super::Compilation;
use crate::{JsonCodec, SoapService};

/// Where a service is if nothing says so.
const NOWHERE: &str = "http://127.0.0.1:8080";

impl<'c> Compilation<'c> {
    /// Tests of a process, by SOAP.
    pub fn by_soap(
        model: &'c str,
        derived: &'c DerivedTests,
        service: SoapService,
        terms: &Terms,
    ) -> Compilation<'c> {
        let tick = service.tick.map(|tick| tick.as_millis() as u64);
        Compilation {
            model,
            derived,
            tick: tick.unwrap_or(1000),
            headers: Vec::new(),
            partners: played(derived, |name| service.partner_place(name), terms),
            codec: Box::new(service.codec),
        }
    }

    /// Tests of a service by JSON over HTTP, as a binding says or else by the rule.
    pub fn by_json(
        model: &'c str,
        derived: &'c DerivedTests,
        binding: Option<Binding>,
        terms: &mut Terms,
    ) -> Compilation<'c> {
        let binding = binding.unwrap_or_else(|| answered_by_name(derived, terms));
        let role = derived.orchestration.interface.orchestrator;
        let role = terms.names.text(role.0);
        // They may hold secrets, which the tests look up when they are run.
        let headers = binding.headers(role).to_vec();
        let target = binding.address(role).unwrap_or(NOWHERE).to_owned();
        let place = |name: &str| binding.listen(name).map(str::to_owned);
        let partners = played(derived, place, terms);
        let mut codec = JsonCodec::of(&derived.orchestration, target, binding.clone(), terms);
        codec.only_copies = true;
        Compilation {
            model,
            derived,
            tick: 1000,
            headers,
            partners,
            codec: Box::new(codec),
        }
    }
}

/// By default, an operation is answered under its own name.
fn answered_by_name(derived: &DerivedTests, terms: &Terms) -> Binding {
    let mut binding = Binding::default();
    for message in derived.orchestration.stg.messages() {
        let name = terms.names.text(message.operation.0);
        if binding.message(name).is_none() {
            let mut bound = MessageBinding::new(name);
            bound.response = vec![name.to_owned()];
            binding.messages.push(bound);
        }
    }
    binding
}

/// The partners that the tests play beside the user.
fn played(
    derived: &DerivedTests,
    place: impl Fn(&str) -> Option<String>,
    terms: &Terms,
) -> Vec<(Role, String, Option<String>)> {
    let model = &derived.orchestration;
    let partners = model.played.iter();
    partners
        .filter(|&&role| role != model.interface.user)
        .map(|&role| {
            let name = terms.names.text(role.0);
            (role, name.to_owned(), place(name))
        })
        .collect()
}
