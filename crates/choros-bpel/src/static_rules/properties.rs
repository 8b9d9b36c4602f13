//! Properties and their aliases in imported documents.

use choros_xml::document::{Element, WrittenExpression};
use choros_xml::wsdl::{AliasOf, WSDL};
use choros_xml::xpath::Outline;

use super::expressions::is_bpel_function;
use super::{Rules, rule};

rule!(SA00019 {
    code: "CH1419",
    name: "property-type",
    section: "7.2",
    what: "A property has either the attribute `type` or the attribute `element`.",
    why: "With both or neither its values have no type.",
    example: "<vprop:property name='p'/>",
});

rule!(SA00020 {
    code: "CH1420",
    name: "alias-attributes",
    section: "7.3",
    what: "An alias of a property has `messageType` and `part`, or `type`, or `element`, and no other combination.",
    why: "The combination decides in which variables the property is looked for.",
    example: "<vprop:propertyAlias propertyName='t:p' messageType='t:m' type='xs:int'/>",
});

rule!(SA00022 {
    code: "CH1422",
    name: "repeated-alias",
    section: "7.3",
    what: "A property has one alias for each type of variable.",
    why: "Two aliases could select different values.",
    example: "<vprop:propertyAlias propertyName='t:p' messageType='t:m' part='a'/>\n<vprop:propertyAlias propertyName='t:p' messageType='t:m' part='b'/>",
});

rule!(SA00029 {
    code: "CH1429",
    name: "variable-in-alias",
    section: "8.2.6",
    what: "The query of an alias uses neither variables nor functions of BPEL.",
    why: "An alias is part of the WSDL document, where no process has variables.",
    example: "<vprop:query>$x/t:id</vprop:query>",
});

impl<'a> Rules<'a> {
    pub(super) fn properties(&mut self) {
        for document in self.documents {
            let root = document.root();
            if !root.is(WSDL, "definitions") {
                continue;
            }
            for element in root.children().filter(|it| &*it.name().namespace != WSDL) {
                match element.local() {
                    "property" => self.property(element),
                    "propertyAlias" => self.alias(element),
                    _ => {}
                }
            }
        }
        self.repeated_aliases();
    }

    fn property(&mut self, property: Element<'a>) {
        let name = property.attribute("name").unwrap_or("");
        let has = |attribute: &str| property.attribute(attribute).is_some();
        let message = match (has("type"), has("element")) {
            (true, true) => format!("the property `{name}` has both a type and an element"),
            (false, false) => format!("the property `{name}` has neither a type nor an element"),
            _ => return,
        };
        let label = "either `type` or `element` is expected";
        self.report(&SA00019, message, property.span(), label);
    }

    fn alias(&mut self, alias: Element<'a>) {
        let name = alias.attribute("propertyName").unwrap_or("");
        let has = |attribute: &str| alias.attribute(attribute).is_some();
        let fits = matches!(
            (has("messageType"), has("part"), has("type"), has("element")),
            (true, true, false, false) | (false, false, true, false) | (false, false, false, true)
        );
        if !fits {
            let message = format!("the alias of `{name}` is of no variable");
            let label = "`messageType` and `part`, or `type`, or `element` is expected";
            self.report(&SA00020, message, alias.span(), label);
        }
        let Some(query) = alias.children().find(|it| it.local() == "query") else {
            return;
        };
        let Some(outline) = Outline::of(&WrittenExpression::text_of(query)) else {
            return;
        };
        let variables = outline.variables.iter();
        let variable = variables.map(|(it, span)| (format!("the variable `{it}`"), *span));
        let calls = outline.calls.iter().filter(|it| is_bpel_function(it));
        let function = calls.map(|it| (format!("the function `{}`", it.name), it.span));
        if let Some((what, span)) = variable.chain(function).next() {
            self.covers(query.text_span(), true);
            let message = format!("the alias of `{name}` uses {what}");
            self.report(&SA00029, message, span, "not part of the document");
        }
    }

    fn repeated_aliases(&mut self) {
        let aliases = &self.definitions.aliases;
        let mut again = Vec::new();
        for (position, alias) in aliases.iter().enumerate() {
            let of_same = |other: &AliasOf| match (other, &alias.of) {
                (AliasOf::Part { message: one, .. }, AliasOf::Part { message, .. }) => {
                    one == message
                }
                (one, other) => one == other,
            };
            let first = aliases[..position]
                .iter()
                .find(|it| it.property == alias.property && of_same(&it.of));
            if let Some(first) = first {
                let name = &alias.property.local;
                again.push((
                    format!("the property `{name}` has two aliases for one type of variable"),
                    alias.span,
                    first.span,
                ));
            }
        }
        for (message, span, first) in again {
            self.report(&SA00022, message, span, "the second one");
            self.also(first, "the first one");
        }
    }
}
