//! Copies: the variants of `from` and `to`, and which data go where.

use choros_xml::document::{Element, QName, WrittenExpression};
use choros_xml::schema::XSD;
use choros_xml::wsdl::PartHolds;
use choros_xml::xpath::{Outline, OutlineForm};

use super::tree::{Holds, child, is, is_bpel, is_opaque};
use super::{Rules, rule};

rule!(SA00032 {
    code: "CH1432",
    name: "copy-variant",
    section: "8.4",
    what: "`from` and `to` are one of the variants of the standard: a variable with part and query, a variable with a property, a partner link, an expression, a literal (only in `from`).",
    why: "A mixture of them does not say which datum is copied.",
    example: "<from variable='x' property='t:p' part='n'/>",
});

rule!(SA00034 {
    code: "CH1434",
    name: "part-of-no-message",
    section: "8.4",
    what: "The attribute `part` is used only with variables of message types.",
    why: "Elements and types have no parts.",
    example: "<variable name='n' type='xs:int'/> … <from variable='n' part='a'/>",
});

rule!(SA00038 {
    code: "CH1438",
    name: "mixed-literal",
    section: "8.4",
    what: "A literal contains either one element or a text.",
    why: "A copy moves one item.",
    example: "<literal><a/><b/></literal>",
});

rule!(SA00042 {
    code: "CH1442",
    name: "no-element-name",
    section: "8.4.2",
    what: "`keepSrcElementName` is written only if both sides of the copy are elements.",
    why: "A text or a message has no element name to keep.",
    example: "<copy keepSrcElementName='yes'><from>1</from><to variable='n'/></copy>",
});

rule!(SA00043 {
    code: "CH1443",
    name: "incompatible-copy",
    section: "8.4.3",
    what: "A variable of a message type is copied only to a variable of the same message type.",
    why: "A message as a whole is neither an element nor a value, and two messages have different parts.",
    example: "<from variable='message'/><to variable='number'/>",
});

rule!(SA00094 {
    code: "CH1494",
    name: "substituted-element",
    section: "8.4.2",
    what: "With `keepSrcElementName=\"yes\"` the source element belongs to the substitution group of the destination element.",
    why: "The variable would hold an element that its declaration does not allow.",
    example: "<copy keepSrcElementName='yes'><from variable='b'/><to variable='a'/></copy>",
});

/// What one side of a copy selects.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Selected {
    Message(QName),
    /// An element; its name if that is known.
    Element(Option<QName>),
    Text,
    /// An element, an attribute or a text, but not a message.
    Item,
    Unknown,
}

impl<'a> Rules<'a> {
    pub(super) fn copies(&mut self) {
        for end in self.all(&["from", "to"]) {
            self.variant(end);
            self.part(end);
        }
        for literal in self.all(&["literal"]) {
            let elements = literal.children().count();
            let has_text = !literal.text().trim().is_empty();
            if elements > 1 || elements == 1 && has_text {
                let message = "a literal contains either one element or a text";
                let label = if has_text {
                    "an element and a text".to_owned()
                } else {
                    format!("{elements} elements")
                };
                self.report(&SA00038, message, literal.span(), label);
            }
        }
        for copy in self.all(&["copy"]) {
            self.copy(copy);
        }
    }

    fn variant(&mut self, end: Element<'a>) {
        let is_to = is(end, "to");
        let has = |attribute: &str| end.attribute(attribute).is_some();
        let has_child = |local: &str| child(end, local).is_some();
        let has_text = !end.text().trim().is_empty();
        let extended = end
            .attributes()
            .iter()
            .any(|it| !it.name.namespace.is_empty())
            || end.children().any(|it| !is_bpel(it));
        let problem = if has_child("literal") && is_to {
            Some("a literal cannot be assigned to")
        } else if has_child("literal") && (has_text || has("variable") || has("partnerLink")) {
            Some("a literal stands alone")
        } else if has("variable") && has("partnerLink") {
            Some("either a variable or a partner link is expected")
        } else if has("endpointReference") && (is_to || !has("partnerLink")) {
            Some("`endpointReference` goes with a partner link in `from`")
        } else if has("partnerLink") && !is_to && !has("endpointReference") {
            Some("`endpointReference` is missing")
        } else if !has("variable") && (has("part") || has("property") || has_child("query")) {
            Some("`variable` is missing")
        } else if has("property") && (has("part") || has_child("query")) {
            Some("`property` goes with `variable` alone")
        } else if has_text && (has("variable") || has("partnerLink")) {
            Some("an expression stands alone")
        } else if !has("variable") && !has("partnerLink") && !has_text && !has_child("literal") {
            // Extensions use the empty variant, and abstract processes leave sides open.
            let open = extended || is_opaque(end) || !self.is_executable();
            (!open).then_some("nothing is selected")
        } else {
            None
        };
        if let Some(problem) = problem {
            self.covers(end.text_span(), true);
            let message = format!("`{}` is none of the variants of the standard", end.local());
            self.report(&SA00032, message, end.span(), problem);
        }
    }

    fn part(&mut self, end: Element<'a>) {
        let (Some(name), Some(_)) = (end.attribute("variable"), end.attribute("part")) else {
            return;
        };
        if let Some(Holds::Element(_) | Holds::Type(_)) = self.variable(end, name) {
            self.covers(end.attribute_span("variable"), false);
            if let Some(query) = child(end, "query") {
                self.covers(query.text_span(), true);
            }
            let message = format!("`{name}` does not hold a message and has no parts");
            let span = end.attribute_span("part");
            self.report(&SA00034, message, span, "not a part");
        }
    }

    fn copy(&mut self, copy: Element<'a>) {
        let (Some(from), Some(to)) = (child(copy, "from"), child(copy, "to")) else {
            return;
        };
        let (source, target) = (self.selected(from), self.selected(to));
        self.compatible(from, to, &source, &target);
        let Some(keep) = copy.attribute("keepSrcElementName") else {
            return;
        };
        let span = copy.attribute_span("keepSrcElementName");
        for (end, selected) in [(from, &source), (to, &target)] {
            if matches!(selected, Selected::Message(_) | Selected::Text) {
                let message = "only the name of an element can be kept";
                self.report(&SA00042, message, span, "not allowed here");
                self.also(end.span(), "not an element");
                return;
            }
        }
        if let (Selected::Element(Some(source)), Selected::Element(Some(target)), "yes") =
            (&source, &target, keep)
            && !self.substitutes(source, target)
        {
            let message = format!(
                "`{}` cannot take the place of `{}`",
                source.local, target.local
            );
            let label = "not of its substitution group";
            self.report(&SA00094, message, span, label);
        }
    }

    fn compatible(
        &mut self,
        from: Element<'a>,
        to: Element<'a>,
        source: &Selected,
        target: &Selected,
    ) {
        let message = match (source, target) {
            (Selected::Unknown, _) | (_, Selected::Unknown) => return,
            (Selected::Message(one), Selected::Message(other)) if one == other => return,
            (Selected::Message(one), Selected::Message(other)) => {
                format!(
                    "`{}` and `{}` are different messages",
                    one.local, other.local
                )
            }
            (Selected::Message(one), _) => {
                format!("a message `{}` is copied to something else", one.local)
            }
            (_, Selected::Message(other)) => {
                format!("something else is copied to a message `{}`", other.local)
            }
            _ => return,
        };
        for end in [from, to] {
            self.covers(end.text_span(), true);
            self.covers(end.attribute_span("variable"), false);
            if let Some(literal) = child(end, "literal") {
                self.covers(literal.span(), false);
            }
        }
        self.report(&SA00043, message, to.span(), "copied here");
        self.also(from.span(), "from here");
    }

    fn selected(&self, end: Element<'a>) -> Selected {
        if is_opaque(end) || end.attribute("property").is_some() {
            return match end.attribute("property") {
                Some(_) => Selected::Item,
                None => Selected::Unknown,
            };
        }
        if let Some(name) = end.attribute("variable") {
            if child(end, "query").is_some() {
                return Selected::Item;
            }
            return self.whole(end, name, end.attribute("part"));
        }
        if end.attribute("partnerLink").is_some() {
            return Selected::Element(None);
        }
        if let Some(literal) = child(end, "literal") {
            return match literal.children().next() {
                Some(element) => Selected::Element(Some(element.name().clone())),
                None => Selected::Text,
            };
        }
        let Some(outline) = Outline::of(&WrittenExpression::text_of(end)) else {
            return Selected::Unknown;
        };
        match &outline.form {
            OutlineForm::Variable(name) => match name.split_once('.') {
                Some((variable, part)) => self.whole(end, variable, Some(part)),
                None => self.whole(end, name, None),
            },
            OutlineForm::Number(_) | OutlineForm::Text(_) | OutlineForm::TextOfVariable => {
                Selected::Text
            }
            _ => Selected::Item,
        }
    }

    /// A variable, or a part of it.
    fn whole(&self, end: Element<'a>, name: &str, part: Option<&str>) -> Selected {
        let of_type = |name: &QName| match &*name.namespace {
            XSD if &*name.local != "anyType" => Selected::Text,
            _ => Selected::Item,
        };
        match (self.variable(end, name), part) {
            (Some(Holds::Message(message)), None) => Selected::Message(message),
            (Some(Holds::Message(message)), Some(part)) => {
                let parts = self.definitions.messages.get(&message);
                let parts = parts.into_iter().flat_map(|it| &it.parts);
                match parts.into_iter().find(|it| &*it.name == part) {
                    Some(part) => match &part.holds {
                        PartHolds::Element(name) => Selected::Element(Some(name.clone())),
                        PartHolds::Type(name) => of_type(name),
                    },
                    None => Selected::Unknown,
                }
            }
            (Some(Holds::Element(name)), None) => Selected::Element(Some(name)),
            (Some(Holds::Type(name)), None) => of_type(&name),
            _ => Selected::Unknown,
        }
    }

    /// Whether an element is another one, or in its substitution group; so is one that is not declared here.
    fn substitutes(&self, source: &QName, target: &QName) -> bool {
        let mut current = source.clone();
        // A group in a circle is not valid; no chain is longer than this.
        for _ in 0..100 {
            if current == *target {
                return true;
            }
            let Some(declared) = self.global_element(&current) else {
                return !self.definitions.schema.has_element(&current);
            };
            let head = declared.attribute("substitutionGroup");
            match head.and_then(|it| declared.resolve(it).ok()) {
                Some(head) => current = head,
                None => return false,
            }
        }
        true
    }

    fn global_element(&self, name: &QName) -> Option<Element<'a>> {
        let documents = self.documents.iter();
        documents
            .flat_map(|it| super::tree::schemas(it.root()))
            .find_map(|schema| {
                if schema.attribute("targetNamespace").unwrap_or("") != &*name.namespace {
                    return None;
                }
                schema
                    .children()
                    .find(|it| it.is(XSD, "element") && it.attribute("name") == Some(&name.local))
            })
    }
}
