//! What the compiler needs to know of a service.

use choros_data::Terms;
use choros_model::stg::Role;
use choros_symex::DerivedTests;

use super::Compilation;
use crate::{JsonCodec, JsonMapping, SoapService};

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

    /// Tests of a service by JSON over HTTP, as a mapping says or else by the rule.
    pub fn by_json(
        model: &'c str,
        derived: &'c DerivedTests,
        mapping: Option<JsonMapping>,
        terms: &mut Terms,
    ) -> Compilation<'c> {
        let mut mapping = mapping.unwrap_or_else(|| answered_by_name(derived, terms));
        // They may hold secrets, which the tests look up when they are run.
        let headers = std::mem::take(&mut mapping.headers).into_iter().collect();
        let target = mapping.target.clone().unwrap_or_else(|| NOWHERE.to_owned());
        Compilation {
            model,
            derived,
            tick: 1000,
            headers,
            partners: played(derived, |name| mapping.listen.get(name).cloned(), terms),
            codec: Box::new(JsonCodec::of(
                &derived.orchestration,
                target,
                mapping,
                terms,
            )),
        }
    }
}

/// Where nothing is said, an operation is answered under its own name.
fn answered_by_name(derived: &DerivedTests, terms: &Terms) -> JsonMapping {
    let mut mapping = JsonMapping::default();
    for message in derived.orchestration.stg.messages() {
        let name = terms.names.text(message.operation.0).to_owned();
        let exchange = mapping.operations.entry(name.clone()).or_default();
        exchange.answers = vec![name];
    }
    mapping
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
