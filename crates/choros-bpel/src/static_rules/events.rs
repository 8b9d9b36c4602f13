//! Event handlers.

use choros_xml::document::Element;
use choros_xml::wsdl::PartHolds;

use super::tree::{Holds, child, declared, holds};
use super::{Rules, rule};

rule!(SA00083 {
    code: "CH1483",
    name: "no-event-handler",
    section: "12.7",
    what: "`eventHandlers` contains an `onEvent` or an `onAlarm`.",
    why: "An empty element handles nothing.",
    example: "<eventHandlers/>",
});

rule!(SA00085 {
    code: "CH1485",
    name: "event-given-twice",
    section: "12.7.1",
    what: "An `onEvent` with `fromParts` has none of `variable`, `messageType` and `element`.",
    why: "The message would go to two places.",
    example: "<onEvent … variable='x' messageType='t:m'><fromParts>…</fromParts> …",
});

rule!(SA00086 {
    code: "CH1486",
    name: "event-variable-declared",
    section: "12.7.1",
    what: "The scope of an `onEvent` does not declare the variables that the event declares.",
    why: "The event declares them there already.",
    example: "<onEvent … variable='x' messageType='t:m'><scope><variables><variable name='x' …/></variables> …",
});

rule!(SA00087 {
    code: "CH1487",
    name: "event-type",
    section: "12.7.1",
    what: "The `messageType` of an `onEvent` is the input message of its operation; an `element` is the only part of that message.",
    why: "The variable could not hold the message.",
    example: "<onEvent partnerLink='U' operation='o' variable='x' messageType='t:other'>…",
});

rule!(SA00090 {
    code: "CH1490",
    name: "event-variable-type",
    section: "12.7.1",
    what: "An `onEvent` with `variable` has `messageType` or `element`.",
    why: "The event declares the variable, and its type is not known.",
    example: "<onEvent partnerLink='U' operation='o' variable='x'>…",
});

rule!(SA00095 {
    code: "CH1495",
    name: "event-variable-outside",
    section: "12.7.1",
    what: "The variable of an `onEvent` belongs to the scope inside it, not to a scope around it.",
    why: "Several events can be handled at the same time; each has a variable of its own.",
    example: "<variable name='x' messageType='t:m'/> … <onEvent … variable='x'>…",
});

impl<'a> Rules<'a> {
    pub(super) fn events(&mut self) {
        for handlers in self.all(&["eventHandlers"]) {
            let has = |local| child(handlers, local).is_some();
            if !has("onEvent") && !has("onAlarm") {
                let message = "`eventHandlers` handles no event";
                let label = "`onEvent` or `onAlarm` is expected";
                self.report(&SA00083, message, handlers.span(), label);
            }
        }
        for event in self.all(&["onEvent"]) {
            self.event(event);
        }
    }

    fn event(&mut self, event: Element<'a>) {
        let types = ["messageType", "element"];
        let given = types.into_iter().find(|it| event.attribute(it).is_some());
        if let Some(parts) = child(event, "fromParts") {
            let attribute = event.attribute("variable").map(|_| "variable").or(given);
            if let Some(attribute) = attribute {
                let message = format!("`onEvent` has both `{attribute}` and `fromParts`");
                let span = event.attribute_span(attribute);
                self.report(&SA00085, message, span, "one of them is too much");
                self.also(parts.span(), "the other one");
            }
        }
        self.declared_again(event);
        let Some(name) = event.attribute("variable") else {
            return;
        };
        if given.is_none() && self.is_executable() {
            self.breaks(name);
            let span = event.attribute_span("variable");
            let message = format!("the variable `{name}` of the event has no type");
            let label = "`messageType` or `element` is missing";
            self.report(&SA00090, message, span, label);
            let around = event.parent().and_then(|it| self.outer_variable(it, name));
            if let Some(outer) = around {
                let message = format!("`{name}` is the event's own variable, not the one outside");
                self.report(&SA00095, message, span, "declared by the event");
                self.also(outer.span(), "another variable");
            }
        }
        self.event_type(event);
    }

    fn outer_variable(&self, from: Element<'a>, name: &str) -> Option<Element<'a>> {
        self.find(from, "variables", "variable", name)
    }

    /// Variables that the event and its scope declare.
    fn declared_again(&mut self, event: Element<'a>) {
        let parts = declared(event, "fromParts", "fromPart");
        let parts = parts.filter_map(|it| it.attribute("toVariable"));
        let implicit: Vec<&str> = event
            .attribute("variable")
            .into_iter()
            .chain(parts)
            .collect();
        let Some(scope) = child(event, "scope") else {
            return;
        };
        for own in declared(scope, "variables", "variable") {
            let name = own.attribute("name").unwrap_or("");
            if implicit.contains(&name) {
                let message = format!("the variable `{name}` of the event is declared again");
                self.report(
                    &SA00086,
                    message,
                    own.attribute_span("name"),
                    "declared again",
                );
                self.also(event.span(), "declares it too");
            }
        }
    }

    fn event_type(&mut self, event: Element<'a>) {
        let Some(operation) = self.operation(event) else {
            return;
        };
        let input = &operation.input;
        let parts = self.definitions.messages.get(input).map(|it| &it.parts[..]);
        let (attribute, found, expected) = match holds(event, ["messageType", "element", ""]) {
            Some(Holds::Message(name)) if name != *input => ("messageType", name, input.clone()),
            Some(Holds::Element(name)) => match parts {
                Some([part]) => match &part.holds {
                    PartHolds::Element(expected) if *expected == name => return,
                    PartHolds::Element(expected) => ("element", name, expected.clone()),
                    PartHolds::Type(_) => ("element", name, input.clone()),
                },
                Some(_) => ("element", name, input.clone()),
                None => return,
            },
            _ => return,
        };
        self.breaks(event.attribute("variable").unwrap_or(""));
        let message = format!(
            "the event `{}` does not carry `{}`",
            operation.name, found.local
        );
        let span = event.attribute_span(attribute);
        self.report(
            &SA00087,
            message,
            span,
            format!("`{}` is expected", expected.local),
        );
    }
}
