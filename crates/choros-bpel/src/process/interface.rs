//! The interface: operations with the sorts of their messages.

use choros_data::Terms;
use choros_model::interface::{Interface, MessageType, Side, Signature};
use choros_model::stg::{Operation, Role};

use super::reader::Reader;
use choros_xml::document::{Element, QName};
use choros_xml::schema::UNFOLDED;
use choros_xml::wsdl::Partner;

/// The whole interface; the user is the first partner who only calls.
pub(super) fn interface(
    orchestrator: Role,
    partners: &[Partner],
    operations: Vec<Signature>,
    terms: &mut Terms,
) -> Interface {
    let only_calls = |it: &&Partner| it.offers.is_some() && it.uses.is_none();
    let calls = |it: &&Partner| it.offers.is_some();
    let user = partners
        .iter()
        .find(only_calls)
        .or_else(|| partners.iter().find(calls));
    let user = user.map_or("USER", |it| &*it.name);
    Interface {
        orchestrator,
        user: Role(terms.names.intern(user)),
        operations,
        list_bound: Some(UNFOLDED),
        unfollowed: Vec::new(),
        misread: false,
        transports: Vec::new(),
    }
}

impl Reader<'_, '_> {
    /// Adds the operations of a partner's port type.
    pub(super) fn add_operations(
        &mut self,
        element: Element<'_>,
        partner: &str,
        port_type: &QName,
        side: Side,
    ) {
        let Some(declared) = self.definitions.port_types.get(port_type) else {
            return;
        };
        let role = Role(self.terms.names.intern(partner));
        for operation in declared.operations.clone() {
            let Some(input) = self.message_type(element, &operation.input) else {
                continue;
            };
            let output = match &operation.output {
                Some(output) => self.message_type(element, output),
                None => None,
            };
            let mut faults = Vec::new();
            for (fault, message) in &operation.faults {
                if let Some(carried) = self.message_type(element, message) {
                    faults.push((self.terms.names.intern(fault), carried));
                }
            }
            self.operations.push(Signature {
                partner: role,
                operation: Operation(self.terms.names.intern(&operation.name)),
                side,
                input,
                output,
                faults,
                contract: None,
            });
        }
    }

    fn message_type(&mut self, element: Element<'_>, message: &QName) -> Option<MessageType> {
        let shape = self.message(message, element.span())?;
        let constraint = shape.constraint(&self.definitions.schema, self.terms);
        Some(MessageType {
            name: self.terms.names.intern(&shape.name.local),
            sort: shape.sort,
            constraint,
        })
    }
}
