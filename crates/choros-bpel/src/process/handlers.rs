//! Handlers of faults and events.

use std::sync::Arc;

use super::compensate::ChildScope;
use super::reader::{Reader, child, children, is_bpel};
use super::structure::Alarm;
use crate::calculus::{Activity, ActivityId, Handling, OnMessage, Scope};
use choros_base::Span;
use choros_xml::document::Element;
use choros_xml::xpath::VariableType;

impl Reader<'_, '_> {
    /// The activity of a handler that may compensate the scopes inside its own.
    pub(super) fn handler(
        &mut self,
        element: Element<'_>,
        inner: &Arc<Vec<ChildScope>>,
        handles_fault: bool,
    ) -> ActivityId {
        let outer = self.around.clone();
        self.around.compensable = Some(inner.clone());
        self.around.in_fault_handler = handles_fault;
        let border = if handles_fault {
            None
        } else {
            Some(self.close_border())
        };
        // Scopes inside a handler are not those that handlers of its scope compensate.
        self.children.push(Vec::new());
        let activity = self.inner(element);
        self.children.pop();
        if let Some(border) = border {
            self.open_border(border);
        }
        self.around = outer;
        activity
    }

    /// `catch` and `catchAll`, the most particular first (WS-BPEL 2.0, 12.5).
    pub(super) fn fault_handlers(
        &mut self,
        faults: Element<'_>,
        inner: &Arc<Vec<ChildScope>>,
        scope: &mut Scope,
    ) {
        let handlers: Vec<Element<'_>> = faults
            .children()
            .filter(|it| is_bpel(*it) && matches!(it.local(), "catch" | "catchAll"))
            .collect();
        let mut found = Vec::new();
        for &handler in &handlers {
            let outer = self.around.clone();
            let fault = match handler.attribute("faultName") {
                Some(_) => self
                    .library
                    .name_in_attribute(handler, "faultName")
                    .map(|name| self.fault_name(&name)),
                None => None,
            };
            let mut variable = None;
            if let Some(name) = handler.attribute("faultVariable").map(Arc::<str>::from)
                && let Some(holds) =
                    self.type_of(handler, "faultMessageType", "faultElement", "faultType")
            {
                let message = self.message_name(&holds);
                self.declare_typed(&name, holds, handler.span());
                variable = self.around.variables.get(&name).map(|it| it.var);
                let typed = variable.into_iter().zip(message);
                self.process.data_types.extend(typed);
            }
            let mut body = self.handler(handler, inner, true);
            let mut skipped = Vec::new();
            for &other in handlers.iter().filter(|it| it.id() != handler.id()) {
                skipped.extend(self.dead_links(other));
            }
            if !skipped.is_empty() {
                let skip = self.add(Activity::Assign(skipped), handler);
                body = self.add(Activity::Sequence(vec![skip, body]), handler);
            }
            self.around = outer;
            let rank = match (fault, variable) {
                (Some(_), Some(_)) => 0,
                (Some(_), None) => 1,
                (None, Some(_)) => 2,
                (None, None) => 3,
            };
            found.push((
                rank,
                Handling {
                    fault,
                    variable,
                    body,
                    rethrows: rethrows(handler),
                },
            ));
        }
        found.sort_by_key(|(rank, _)| *rank);
        scope.handlers.extend(found.into_iter().map(|(_, it)| it));
        // Links that leave the handlers are dead once the body completes.
        for handler in handlers {
            let updates = self.dead_links(handler);
            scope.completed.extend(updates);
        }
    }

    pub(super) fn event_handlers(&mut self, events: Element<'_>, scope: &mut Scope) {
        let border = self.close_border();
        for event in children(events, "onEvent") {
            let outer = self.around.clone();
            self.declare_parts(event);
            // The variable of an event belongs to its handler.
            if let Some(name) = event.attribute("variable").map(Arc::<str>::from) {
                let declares = ["messageType", "element"]
                    .iter()
                    .any(|it| event.attribute(it).is_some());
                if declares {
                    self.declare_variable(event, &name);
                }
            }
            self.in_parallel(|reader| {
                if let Some(reception) = reader.reception(event) {
                    let reception = reader.add(Activity::Receive(reception), event);
                    let body = reader.inner(event);
                    if let Some(place) = reader.takes_own_event(reception, body) {
                        let what = "a receive of what its own event handler waits for (`bpel:conflictingReceive`)";
                        reader.not_followed(what, "it takes the next message", place);
                    }
                    scope.events.push(OnMessage { reception, body });
                }
            });
            self.around = outer;
        }
        for alarm in children(events, "onAlarm") {
            match self.in_parallel(|reader| reader.alarm(alarm)) {
                Alarm::Set(alarm) => scope.alarms.push(alarm),
                Alarm::Missing => {}
                // The fault comes when the scope begins; that of the process, with its first message.
                Alarm::Invalid
                    if alarm
                        .parent()
                        .and_then(|it| it.parent())
                        .is_some_and(|it| it.local() == "process") =>
                {
                    let what = "an alarm whose time is not one (`bpel:invalidExpressionValue`)";
                    self.not_followed(what, "it never goes off", alarm.span());
                }
                Alarm::Invalid => {
                    let fault = self.raise("invalidExpressionValue", alarm);
                    let parts = vec![fault, scope.body];
                    scope.body = self.add(Activity::Sequence(parts), alarm);
                }
            }
        }
        self.open_border(border);
    }
}

impl Reader<'_, '_> {
    /// Where a handler waits for its own event, which still waits, too (10.4): we have one instance of it at a time.
    fn takes_own_event(&self, event: ActivityId, body: ActivityId) -> Option<Span> {
        let Activity::Receive(own) = self.process.activity(event) else {
            return None;
        };
        let mut work = vec![body];
        while let Some(id) = work.pop() {
            if let Activity::Receive(other) = self.process.activity(id)
                && other.contest.is_some()
                && (other.partner, other.operation) == (own.partner, own.operation)
            {
                return self.process.origin(id);
            }
            work.extend(self.process.parts(id));
        }
        None
    }

    /// The variables that an event declares for the parts of its message (12.7.1).
    fn declare_parts(&mut self, event: Element<'_>) {
        let Some(parts) = child(event, "fromParts") else {
            return;
        };
        let partner = event.attribute("partnerLink");
        let partner = partner.and_then(|it| self.around.partner_links.get(it));
        let Some(port_type) = partner.and_then(|it| it.offers.clone()) else {
            return;
        };
        let operation = event.attribute("operation").unwrap_or("");
        let input = self.definitions.operation(&port_type, operation);
        let Some(input) = input.map(|it| it.input.clone()) else {
            return;
        };
        let Some(shape) = self.message(&input, event.attribute_span("operation")) else {
            return;
        };
        for part in children(parts, "fromPart") {
            let name = part.attribute("part").unwrap_or("");
            let shaped = shape.parts.iter().find(|it| &*it.name == name);
            if let (Some(shaped), Some(variable)) = (shaped, part.attribute("toVariable")) {
                let holds = VariableType::Holds(shaped.holds);
                self.declare_typed(&variable.into(), holds, part.span());
            }
        }
    }
}

/// Whether a handler raises its fault again: `rethrow` in it, but not in a handler inside it.
fn rethrows(handler: Element<'_>) -> bool {
    let mut work: Vec<Element<'_>> = handler.children().collect();
    while let Some(element) = work.pop() {
        if is_bpel(element) && element.local() == "rethrow" {
            return true;
        }
        if !matches!(element.local(), "faultHandlers") {
            work.extend(element.children());
        }
    }
    child(handler, "rethrow").is_some()
}
