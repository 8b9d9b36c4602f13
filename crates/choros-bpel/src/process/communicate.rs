//! Receive, reply and invoke.

use std::sync::Arc;

use choros_data::Var;
use choros_model::interface::Side;
use choros_model::stg::{Operation, Role, Update};

use super::diagnostics::{message_mismatch, unknown_operation, unknown_partner_link};
use super::expression::is_opaque;
use super::reader::{Reader, Variable, child, children};
use super::reading::Reading;
use crate::calculus::{
    Activity, ActivityId, Contest, Exchange, RaisedFault, ReceivedFault, Reception, Sending,
};
use choros_xml::diagnostics::misplaced_element;
use choros_xml::document::{Element, QName};
use choros_xml::schema::field_at;
use choros_xml::wsdl::{MessageShape, OperationDeclaration};
use choros_xml::xpath::VariableType;

/// An operation of a partner.
pub(super) struct CalledOperation {
    pub(super) partner: Role,
    pub(super) operation: Operation,
    pub(super) declared: OperationDeclaration,
}

impl Reader<'_, '_> {
    /// The operation that an element names, on the side of its partner link where it must be.
    pub(super) fn called(&mut self, element: Element<'_>, side: Side) -> Option<CalledOperation> {
        for attribute in ["partnerLink", "operation"] {
            if element.attribute(attribute).is_none() {
                let finding =
                    misplaced_element::lacking(element.local(), attribute, element.span());
                self.library.report(finding);
                return None;
            }
        }
        let name = element.attribute("partnerLink")?;
        let operation = element.attribute("operation")?;
        let span = element.attribute_span("partnerLink");
        let Some(partner) = self.around.partner_links.get(name).cloned() else {
            let known = self.around.partner_links.keys().map(|it| &**it);
            self.library
                .report(unknown_partner_link::diagnostic(name, known, span));
            return None;
        };
        let (role, port_type) = match side {
            Side::Provided => ("myRole", partner.offers),
            Side::Used => ("partnerRole", partner.uses),
        };
        let Some(port_type) = port_type else {
            self.library
                .report(unknown_partner_link::without_role(name, role, span));
            return None;
        };
        let Some(declared) = self.definitions.operation(&port_type, operation).cloned() else {
            let known = self.definitions.port_types.get(&port_type);
            let known = known.into_iter().flat_map(|it| &it.operations);
            let known = known.map(|it| &*it.name);
            let span = element.attribute_span("operation");
            self.library
                .report(unknown_operation::diagnostic(operation, name, known, span));
            return None;
        };
        Some(CalledOperation {
            partner: Role(self.terms.names.intern(name)),
            operation: Operation(self.terms.names.intern(operation)),
            declared,
        })
    }

    /// The anonymous variable of a message type: one for each, and for each branch of parallel activities.
    ///
    /// A message is filled in one step and sent in another; with one variable for all, the message of another branch
    /// could take its place in between.
    pub(super) fn wire(&mut self, shape: &MessageShape) -> Option<Var> {
        if shape.parts.is_empty() {
            return None;
        }
        let key = (shape.name.clone(), self.branch());
        if let Some(&known) = self.wires.get(&key) {
            return Some(known);
        }
        let is_first = !self.wires.keys().any(|(name, _)| *name == shape.name);
        let plain = format!("va_{}", shape.name.local);
        // Two messages may have the same name in two documents.
        let namespace = shape
            .name
            .namespace
            .rsplit(['/', ':', '#'])
            .find(|it| !it.is_empty());
        let name = match (self.is_new_name(&plain), namespace) {
            (false, Some(namespace)) if is_first => format!("va_{namespace}_{}", shape.name.local),
            _ => plain,
        };
        let wire = self.new_variable(&name, shape.sort);
        self.wires.insert(key, wire);
        Some(wire)
    }

    /// The call that an element opens or answers; `messageExchange` tells several of one operation apart (10.4.1).
    fn exchange(&mut self, element: Element<'_>, called: &CalledOperation) -> Exchange {
        let named = element.attribute("messageExchange").unwrap_or("");
        let key = (called.partner, called.operation, named.to_owned());
        let known = self.exchanges.iter().position(|it| *it == key);
        let number = known.unwrap_or_else(|| {
            self.exchanges.push(key);
            self.exchanges.len() - 1
        });
        Exchange(number as u32)
    }

    /// Whether a variable can hold messages of a type.
    fn fits(&self, variable: &Variable, shape: &MessageShape) -> bool {
        match &variable.holds {
            VariableType::Message(own) => own.name == shape.name,
            VariableType::Holds(id) => match &shape.parts[..] {
                [part] => {
                    let schema = &self.definitions.schema;
                    part.element.is_some() && schema.get(*id).sort == schema.get(part.holds).sort
                }
                _ => false,
            },
        }
    }

    /// `v := va_m`, or one assignment per part.
    pub(super) fn store(
        &mut self,
        element: Element<'_>,
        attribute: &str,
        shape: &MessageShape,
        wire: Option<Var>,
    ) -> Vec<Update> {
        let Some(wire) = wire else { return Vec::new() };
        let whole = self.terms.var(wire);
        let mut updates = Vec::new();
        if let Some(parts) = child(element, "fromParts") {
            for part in children(parts, "fromPart") {
                let Some(variable) = self.variable_of(part, "toVariable") else {
                    continue;
                };
                let name = part.attribute("part").unwrap_or("");
                let value = match shape.position(name) {
                    Some(Some(position)) => Some(field_at(self.terms, whole, position)),
                    Some(None) => Some(whole),
                    None => None,
                };
                let sort = self.terms.variable_sort(variable.var);
                match value.filter(|&it| self.terms.sort_of(it) == sort) {
                    Some(value) => updates.push(self.set(variable.var, value)),
                    None => self.library.report(message_mismatch::part(
                        &shape.name.local,
                        name,
                        part.span(),
                    )),
                }
            }
        }
        let Some(variable) = self.variable_of(element, attribute) else {
            return updates;
        };
        if !self.fits(&variable, shape) {
            let name = element.attribute(attribute).unwrap_or("");
            let span = element.attribute_span(attribute);
            self.library.report(
                message_mismatch::diagnostic(name, &shape.name.local, span)
                    .label(variable.span, "declared here"),
            );
            return updates;
        }
        updates.push(self.set(variable.var, whole));
        updates
    }

    /// `va_m := v`, or a record of its parts; without a variable, nothing is known of what is sent.
    fn prepare(
        &mut self,
        element: Element<'_>,
        attribute: &str,
        shape: &MessageShape,
        wire: Option<Var>,
    ) -> Vec<Update> {
        let Some(wire) = wire else { return Vec::new() };
        if let Some(parts) = child(element, "toParts") {
            let mut values = Vec::new();
            for part in &shape.parts {
                let given = children(parts, "toPart")
                    .into_iter()
                    .find(|it| it.attribute("part") == Some(&part.name));
                let sort = self.definitions.schema.get(part.holds).sort;
                let variable = given.and_then(|it| self.variable_of(it, "fromVariable"));
                let value = variable.map(|it| self.terms.var(it.var));
                values.push(match value.filter(|&it| self.terms.sort_of(it) == sort) {
                    Some(value) => value,
                    None => {
                        let span = given.unwrap_or(parts).span();
                        let name = &shape.name.local;
                        self.library
                            .report(message_mismatch::part(name, &part.name, span));
                        self.unknown_value(sort)
                    }
                });
            }
            let value = match &values[..] {
                [only] => *only,
                parts => self.terms.record(shape.sort, parts),
            };
            return vec![self.set(wire, value)];
        }
        if element.attribute(attribute).is_none() || is_opaque(element) {
            let value = self.unknown_value(shape.sort);
            return vec![self.set(wire, value)];
        }
        let Some(variable) = self.variable_of(element, attribute) else {
            return Vec::new();
        };
        if !self.fits(&variable, shape) {
            let name = element.attribute(attribute).unwrap_or("");
            let span = element.attribute_span(attribute);
            self.library.report(
                message_mismatch::diagnostic(name, &shape.name.local, span)
                    .label(variable.span, "declared here"),
            );
            return Vec::new();
        }
        let value = self.terms.var(variable.var);
        vec![self.set(wire, value)]
    }

    /// The reception of a call: `receive`, `onMessage`, `onEvent`.
    pub(super) fn reception(&mut self, element: Element<'_>) -> Option<Reception> {
        let called = self.called(element, Side::Provided)?;
        let span = element.attribute_span("operation");
        let shape = self.message(&called.declared.input, span)?;
        let wire = self.wire(&shape);
        let store = self.store(element, "variable", &shape, wire);
        let opens = called
            .declared
            .output
            .is_some()
            .then(|| self.exchange(element, &called));
        let (correlation, delivery) = match self.options.reading {
            Reading::Standard => (None, self.delivery(element, &shape, wire)),
            Reading::Thesis => (self.correlations(element, &shape, wire, None), None),
        };
        Some(Reception {
            partner: called.partner,
            operation: called.operation,
            wire,
            store,
            correlation,
            delivery,
            faults: Vec::new(),
            opens,
            contest: Some(Contest {
                sets: self.sets_of(element),
                starts: [Some(element), element.parent()]
                    .into_iter()
                    .flatten()
                    .any(|it| it.attribute("createInstance") == Some("yes")),
                is_open: false,
            }),
        })
    }

    pub(super) fn receive(&mut self, element: Element<'_>) -> ActivityId {
        self.starts |= element.attribute("createInstance") == Some("yes");
        match self.reception(element) {
            Some(reception) => self.add(Activity::Receive(reception), element),
            None => self.add(Activity::Empty, element),
        }
    }

    pub(super) fn reply(&mut self, element: Element<'_>) -> ActivityId {
        match self.replied(element) {
            Some(sending) => self.add(Activity::Send(sending), element),
            None => self.add(Activity::Empty, element),
        }
    }

    fn replied(&mut self, element: Element<'_>) -> Option<Sending> {
        let called = self.called(element, Side::Provided)?;
        let span = element.attribute_span("operation");
        let (fault, message) = match element.attribute("faultName") {
            Some(_) => {
                let name = self.library.name_in_attribute(element, "faultName")?;
                let known = &called.declared.faults;
                let Some((fault, message)) = known.iter().find(|(it, _)| *it == name.local) else {
                    let known = known.iter().map(|(it, _)| &**it);
                    let span = element.attribute_span("faultName");
                    self.library.report(unknown_operation::without_fault(
                        &called.declared.name,
                        &name.local,
                        known,
                        span,
                    ));
                    return None;
                };
                (Some(self.terms.names.intern(fault)), message.clone())
            }
            None => {
                let Some(message) = called.declared.output.clone() else {
                    self.library
                        .report(unknown_operation::one_way(&called.declared.name, span));
                    return None;
                };
                (None, message)
            }
        };
        let shape = self.message(&message, span)?;
        let wire = self.wire(&shape);
        let prepare = self.prepare(element, "variable", &shape, wire);
        let correlation = self.correlations(element, &shape, wire, None);
        let closes = self.exchange(element, &called);
        Some(Sending {
            partner: called.partner,
            operation: called.operation,
            fault,
            wire,
            prepare,
            correlation,
            closes: Some(closes),
        })
    }

    /// `invoke`; what it catches or compensates itself makes it a scope.
    pub(super) fn invoke(&mut self, element: Element<'_>) -> ActivityId {
        let handlers = ["catch", "catchAll", "compensationHandler"];
        if handlers.iter().any(|it| child(element, it).is_some()) {
            self.invoke_scope(element)
        } else {
            self.invoke_only(element)
        }
    }

    /// A call of the partner to whom the link refers.
    pub(super) fn invoke_only(&mut self, element: Element<'_>) -> ActivityId {
        let call = self.call(element);
        self.called_over(element, call)
    }

    fn call(&mut self, element: Element<'_>) -> ActivityId {
        match self.invoked(element) {
            Some((sending, None)) => self.add(Activity::Send(sending), element),
            Some((sending, Some(reception))) => {
                let send = self.add(Activity::Send(sending), element);
                let receive = self.add(Activity::Receive(reception), element);
                self.add(Activity::Sequence(vec![send, receive]), element)
            }
            None => self.add(Activity::Empty, element),
        }
    }

    fn invoked(&mut self, element: Element<'_>) -> Option<(Sending, Option<Reception>)> {
        let called = self.called(element, Side::Used)?;
        let span = element.attribute_span("operation");
        let shape = self.message(&called.declared.input, span)?;
        let wire = self.wire(&shape);
        let prepare = self.prepare(element, "inputVariable", &shape, wire);
        let correlation = self.correlations(element, &shape, wire, Some(false));
        let sending = Sending {
            partner: called.partner,
            operation: called.operation,
            fault: None,
            wire,
            prepare,
            correlation,
            closes: None,
        };
        let Some(output) = &called.declared.output else {
            if element.attribute("outputVariable").is_some() {
                let span = element.attribute_span("outputVariable");
                self.library
                    .report(unknown_operation::one_way(&called.declared.name, span));
            }
            return Some((sending, None));
        };
        let shape = self.message(output, span)?;
        let wire = self.wire(&shape);
        let store = self.store(element, "outputVariable", &shape, wire);
        let correlation = self.correlations(element, &shape, wire, Some(true));
        let mut faults = Vec::new();
        for (fault, message) in called.declared.faults.clone() {
            faults.push(self.received_fault(&fault, &message, element)?);
        }
        let reception = Reception {
            partner: called.partner,
            operation: called.operation,
            wire,
            store,
            correlation,
            delivery: None,
            faults,
            opens: None,
            contest: None,
        };
        Some((sending, Some(reception)))
    }

    fn received_fault(
        &mut self,
        fault: &Arc<str>,
        message: &QName,
        element: Element<'_>,
    ) -> Option<ReceivedFault> {
        let shape = self.message(message, element.attribute_span("operation"))?;
        let data = self.wire(&shape);
        let holds = VariableType::Message(shape);
        let typed = data.into_iter().zip(self.message_name(&holds));
        self.process.data_types.extend(typed);
        Some(ReceivedFault {
            raised: RaisedFault {
                fault: self.terms.names.intern(fault),
                data,
            },
        })
    }
}
