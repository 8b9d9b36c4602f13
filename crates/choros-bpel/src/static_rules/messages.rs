//! Messages of activities: their variables and parts.

use choros_xml::document::{Element, QName};
use choros_xml::wsdl::{MessageDeclaration, PartHolds};

use super::tree::{Holds, child, declared};
use super::{Rules, rule};

rule!(SA00047 {
    code: "CH1447",
    name: "message-without-variable",
    section: "10.3",
    what: "An activity says where each message comes from or goes to, by a variable or by parts; parts are used only if the message has some.",
    why: "The data of the message would be undefined, or lost.",
    example: "<invoke partnerLink='W' operation='work' inputVariable='x'/>",
});

rule!(SA00048 {
    code: "CH1448",
    name: "invoked-element",
    section: "10.3",
    what: "A variable of an `invoke` that does not hold a message holds the element that is the only part of the message.",
    why: "Another element, or a value of a type, is not what the operation carries, even if it looks the same.",
    example: "<variable name='e' element='t:other'/> … <invoke … inputVariable='e'/>",
});

rule!(SA00050 {
    code: "CH1450",
    name: "missing-part",
    section: "10.3.1",
    what: "`toParts` has a `toPart` for every part of the message.",
    why: "A part that is left out has no value when the message is sent.",
    example: "<toParts><toPart part='a' fromVariable='x'/></toParts>",
});

rule!(SA00051 {
    code: "CH1451",
    name: "input-given-twice",
    section: "10.3.1",
    what: "An `invoke` has either `inputVariable` or `toParts`.",
    why: "With both, the message would have two sources.",
    example: "<invoke … inputVariable='x'><toParts>…</toParts></invoke>",
});

rule!(SA00052 {
    code: "CH1452",
    name: "output-given-twice",
    section: "10.3.1",
    what: "An `invoke` has either `outputVariable` or `fromParts`.",
    why: "With both, the message would go to two places.",
    example: "<invoke … outputVariable='x'><fromParts>…</fromParts></invoke>",
});

rule!(SA00053 {
    code: "CH1453",
    name: "unknown-from-part",
    section: "10.3.1",
    what: "Every `fromPart` names a part of the message.",
    why: "There is nothing to copy from another part.",
    example: "<fromPart part='amuont' toVariable='x'/>",
});

rule!(SA00054 {
    code: "CH1454",
    name: "unknown-to-part",
    section: "10.3.1",
    what: "Every `toPart` names a part of the message.",
    why: "The message has no place for another part.",
    example: "<toPart part='amuont' fromVariable='x'/>",
});

rule!(SA00055 {
    code: "CH1455",
    name: "received-twice",
    section: "10.4",
    what: "A `receive` has either `variable` or `fromParts`.",
    why: "With both, the message would go to two places.",
    example: "<receive … variable='x'><fromParts>…</fromParts></receive>",
});

rule!(SA00058 {
    code: "CH1458",
    name: "received-element",
    section: "10.4",
    what: "A variable of a `receive` or `reply` that does not hold a message holds the element that is the only part of the message.",
    why: "Another element, or a value of a type, is not what the operation carries, even if it looks the same.",
    example: "<variable name='e' element='t:other'/> … <receive … variable='e'/>",
});

rule!(SA00059 {
    code: "CH1459",
    name: "replied-twice",
    section: "10.4",
    what: "A `reply` has either `variable` or `toParts`.",
    why: "With both, the message would have two sources.",
    example: "<reply … variable='x'><toParts>…</toParts></reply>",
});

rule!(SA00063 {
    code: "CH1463",
    name: "picked-twice",
    section: "11.5",
    what: "An `onMessage` has either `variable` or `fromParts`.",
    why: "With both, the message would go to two places.",
    example: "<onMessage … variable='x'><fromParts>…</fromParts></onMessage>",
});

/// One message of an activity.
struct Carried<'a> {
    element: Element<'a>,
    message: QName,
    attribute: &'static str,
    wrapper: &'static str,
}

impl<'a> Rules<'a> {
    pub(super) fn messages(&mut self) {
        for element in self.all(&["receive", "reply", "invoke", "onMessage", "onEvent"]) {
            self.given_twice(element);
            self.unanswered(element);
            for carried in self.carried(element) {
                self.message(&carried);
            }
        }
    }

    /// An answer that the operation does not give; a variable for it is another finding.
    fn unanswered(&mut self, element: Element<'a>) {
        let is_one_way = self
            .operation(element)
            .is_some_and(|it| it.output.is_none());
        let parts = child(element, "fromParts").filter(|_| element.local() == "invoke");
        if let (true, Some(parts)) = (is_one_way, parts) {
            let operation = element.attribute("operation").unwrap_or("");
            let message = format!("the operation `{operation}` is one-way and has no answer");
            self.report(&SA00047, message, parts.span(), "nothing to copy");
        }
    }

    fn given_twice(&mut self, element: Element<'a>) {
        let (code, attribute, wrapper) = match element.local() {
            "receive" => (&SA00055, "variable", "fromParts"),
            "reply" => (&SA00059, "variable", "toParts"),
            "onMessage" => (&SA00063, "variable", "fromParts"),
            "invoke" => (&SA00051, "inputVariable", "toParts"),
            _ => return,
        };
        self.either(element, code, attribute, wrapper);
        if element.local() == "invoke" {
            self.either(element, &SA00052, "outputVariable", "fromParts");
        }
    }

    fn either(
        &mut self,
        element: Element<'a>,
        code: &'static choros_base::CodeInfo,
        attribute: &str,
        wrapper: &str,
    ) {
        if let (Some(_), Some(parts)) = (element.attribute(attribute), child(element, wrapper)) {
            let local = element.local();
            let message = format!("`{local}` has both `{attribute}` and `{wrapper}`");
            let span = element.attribute_span(attribute);
            self.report(code, message, span, "one of them is too much");
            self.also(parts.span(), "the other one");
        }
    }

    /// The messages that an activity sends or receives.
    fn carried(&self, element: Element<'a>) -> Vec<Carried<'a>> {
        let Some(operation) = self.operation(element) else {
            return Vec::new();
        };
        let carried = |message: &QName, attribute, wrapper| Carried {
            element,
            message: message.clone(),
            attribute,
            wrapper,
        };
        match element.local() {
            "invoke" => {
                let mut all = vec![carried(&operation.input, "inputVariable", "toParts")];
                if let Some(output) = &operation.output {
                    all.push(carried(output, "outputVariable", "fromParts"));
                }
                all
            }
            "reply" => {
                let fault = element.attribute("faultName");
                let fault = fault.and_then(|it| element.resolve(it).ok());
                let message = match &fault {
                    Some(name) => operation
                        .faults
                        .iter()
                        .find(|(it, _)| *it == name.local)
                        .map(|(_, message)| message),
                    None => operation.output.as_ref(),
                };
                message
                    .map(|it| carried(it, "variable", "toParts"))
                    .into_iter()
                    .collect()
            }
            _ => vec![carried(&operation.input, "variable", "fromParts")],
        }
    }

    fn message(&mut self, carried: &Carried<'a>) {
        let Some(declaration) = self.definitions.messages.get(&carried.message) else {
            return;
        };
        let element = carried.element;
        let variable = element.attribute(carried.attribute);
        let parts = child(element, carried.wrapper);
        let name = &carried.message.local;
        match (variable, parts) {
            (None, None) if !declaration.parts.is_empty() && self.is_executable() => {
                let message = format!("the message `{name}` has no variable");
                let label = format!(
                    "`{}` or `{}` is missing",
                    carried.attribute, carried.wrapper
                );
                self.report(&SA00047, message, element.span(), label);
            }
            (_, Some(parts)) if declaration.parts.is_empty() => {
                let message = format!("the message `{name}` has no parts");
                self.report(&SA00047, message, parts.span(), "nothing to copy");
            }
            (_, Some(parts)) => self.parts(carried, declaration, parts),
            (Some(variable), None) => self.only_part(carried, declaration, variable),
            (None, None) => {}
        }
    }

    fn parts(
        &mut self,
        carried: &Carried<'a>,
        declaration: &MessageDeclaration,
        wrapper: Element<'a>,
    ) {
        let is_sent = carried.wrapper == "toParts";
        let name = &carried.message.local;
        let (local, code) = if is_sent {
            ("toPart", &SA00054)
        } else {
            ("fromPart", &SA00053)
        };
        let given: Vec<Element<'a>> = declared(carried.element, carried.wrapper, local).collect();
        for one in &given {
            let part = one.attribute("part").unwrap_or("");
            if declaration.parts.iter().all(|it| &*it.name != part) {
                self.covers(one.span(), false);
                self.breaks(one.attribute("toVariable").unwrap_or(""));
                let span = one.attribute_span("part");
                let known: Vec<&str> = declaration.parts.iter().map(|it| &*it.name).collect();
                let label = format!("there is `{}`", known.join("`, `"));
                let message = format!("the message `{name}` has no part `{part}`");
                self.report(code, message, span, label);
            }
        }
        if !is_sent {
            return;
        }
        for part in &declaration.parts {
            let part = &*part.name;
            if given.iter().all(|it| it.attribute("part") != Some(part)) {
                let message = format!("the part `{part}` of the message `{name}` has no value");
                let label = format!("`toPart` for `{part}` is missing");
                self.report(&SA00050, message, wrapper.span(), label);
            }
        }
    }

    /// A variable that holds no message stands for the only part, an element.
    fn only_part(
        &mut self,
        carried: &Carried<'a>,
        declaration: &MessageDeclaration,
        variable: &str,
    ) {
        let code = match carried.element.local() {
            "invoke" => &SA00048,
            "receive" | "reply" | "onMessage" => &SA00058,
            // The rule for events is one of its own.
            _ => return,
        };
        let held = self.variable(carried.element, variable);
        let expected = match &declaration.parts[..] {
            [part] => match &part.holds {
                PartHolds::Element(name) => Some(name),
                PartHolds::Type(_) => None,
            },
            _ => None,
        };
        let found = match (&held, expected) {
            (Some(Holds::Element(name)), Some(expected)) if name == expected => return,
            (Some(Holds::Element(name)), _) => format!("the element `{}`", name.local),
            (Some(Holds::Type(name)), _) => format!("the type `{}`", name.local),
            _ => return,
        };
        let message = format!(
            "`{variable}` holds {found}, which is not the message `{}`",
            carried.message.local
        );
        let label = match expected {
            Some(expected) => format!("a message or the element `{}` is expected", expected.local),
            None => "a variable of the message type is expected".to_owned(),
        };
        let span = carried.element.attribute_span(carried.attribute);
        self.report(code, message, span, label);
    }
}
