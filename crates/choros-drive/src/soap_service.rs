//! A process and its partners, by SOAP at the addresses of their WSDL documents.

use std::time::Duration;

use choros_base::{Diagnostic, Span};
use choros_codes::diagnostics::no_target;
use choros_data::Terms;
use choros_model::interface::Side;
use choros_model::stg::{Operation, Role};
use choros_xml::document::{Library, QName};
use choros_xml::wsdl::{Definitions, Partner};

use crate::{SoapCodec, SoapOperation};

/// A process as its documents describe it.
pub struct SoapService {
    /// How it talks.
    pub codec: SoapCodec,
    /// How long a tick is, where the process says so.
    pub tick: Option<Duration>,
    partners: Vec<Partner>,
    definitions: Definitions,
}

impl SoapService {
    /// A process, at the target or else at the address in its WSDL; what is wrong with it goes to the library.
    pub fn new(
        name: &str,
        service: Role,
        partners: Vec<Partner>,
        mut definitions: Definitions,
        target: Option<String>,
        library: &mut Library<'_>,
        terms: &mut Terms,
    ) -> Result<SoapService, Box<Diagnostic>> {
        let operations = operations(&partners, &mut definitions, library, terms);
        let offered = partners.iter().find_map(|it| it.offers.as_ref());
        let known = offered.and_then(|port_type| address(&definitions, port_type));
        let target = target.or(known).ok_or_else(|| {
            let advice = "name it with `--target`; its WSDL document has no address";
            Box::new(no_target::diagnostic(name, advice))
        })?;
        Ok(SoapService {
            codec: SoapCodec {
                service,
                target,
                schema: definitions.schema.clone(),
                operations,
            },
            tick: None,
            partners,
            definitions,
        })
    }

    /// The partners among these roles that it calls, in the order of its operations.
    pub(crate) fn called(&self, played: &[Role]) -> Vec<Role> {
        let operations = self.codec.operations.iter();
        operations
            .filter(|one| one.side == Side::Used && played.contains(&one.partner))
            .map(|one| one.partner)
            .collect()
    }

    /// Where a partner is, by the address in its WSDL: `:8083`.
    pub fn partner_place(&self, name: &str) -> Option<String> {
        let partner = self.partners.iter().find(|it| &*it.name == name)?;
        authority(&address(&self.definitions, partner.uses.as_ref()?)?)
    }
}

fn operations(
    partners: &[Partner],
    definitions: &mut Definitions,
    library: &mut Library<'_>,
    terms: &mut Terms,
) -> Vec<SoapOperation> {
    let mut found = Vec::new();
    for partner in partners {
        let sides = [
            (Side::Provided, &partner.offers),
            (Side::Used, &partner.uses),
        ];
        for (side, port_type) in sides {
            let Some(port_type) = port_type else {
                continue;
            };
            let Some(declared) = definitions.port_types.get(port_type).cloned() else {
                continue;
            };
            for operation in &declared.operations {
                let binding = definitions.operation_binding(port_type, &operation.name);
                let mut shape =
                    |name: &QName, span: Span| definitions.message(library, terms, name, span);
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
    found
}

fn address(definitions: &Definitions, port_type: &QName) -> Option<String> {
    let addresses = definitions.addresses(port_type);
    addresses.first().map(|address| (*address).to_owned())
}

/// `host:port` of an address; partners are only ever played on this machine.
fn authority(url: &str) -> Option<String> {
    let rest = url.split_once("://")?.1;
    let authority = rest.split('/').next()?;
    let port = authority.rsplit_once(':').map_or("80", |(_, port)| port);
    Some(format!(":{port}"))
}
