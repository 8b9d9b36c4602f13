//! Variables: their names and types.

use choros_base::Span;
use choros_xml::document::Element;

use super::tree::declared;
use super::{Rules, rule};

rule!(SA00024 {
    code: "CH1424",
    name: "variable-name",
    section: "8.1",
    what: "The name of a variable is an XML name without a colon and without a dot.",
    why: "In an expression `$a.b` is the part `b` of the variable `a`.",
    example: "<variable name='order.id' type='xs:int'/>",
});

rule!(SA00025 {
    code: "CH1425",
    name: "variable-type",
    section: "8.1",
    what: "A variable has exactly one of `messageType`, `type` and `element`.",
    why: "With none or several of them its values have no type.",
    example: "<variable name='x' type='xs:int' element='t:e'/>",
});

/// Whether a text is a name without colon, as far as its characters decide.
pub(super) fn is_ncname(text: &str) -> bool {
    let mut letters = text.chars();
    let starts = letters
        .next()
        .is_some_and(|it| it.is_alphabetic() || it == '_');
    starts && letters.all(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | '\u{b7}'))
}

impl<'a> Rules<'a> {
    pub(super) fn variables(&mut self) {
        for scope in self.scopes_and_process() {
            for variable in declared(scope, "variables", "variable") {
                self.name(variable, "name");
                self.one_type(variable);
            }
        }
        for (local, attribute) in [
            ("onEvent", "variable"),
            ("catch", "faultVariable"),
            ("forEach", "counterName"),
        ] {
            for element in self.all(&[local]) {
                self.name(element, attribute);
            }
        }
    }

    fn name(&mut self, element: Element<'a>, attribute: &str) {
        let Some(name) = element.attribute(attribute) else {
            return;
        };
        let span: Span = element.attribute_span(attribute);
        if name.contains('.') {
            let message = format!("the name of the variable `{name}` contains a dot");
            self.report(&SA00024, message, span, "a dot begins a part");
        } else if !is_ncname(name) {
            let message = format!("`{name}` is not the name of a variable");
            let label = "letters, digits, `-` and `_` are expected";
            self.report(&SA00024, message, span, label);
        }
    }

    fn one_type(&mut self, variable: Element<'a>) {
        let name = variable.attribute("name").unwrap_or("");
        let types = ["messageType", "type", "element"];
        let found: Vec<&str> = types
            .into_iter()
            .filter(|it| variable.attribute(it).is_some())
            .collect();
        let message = match found[..] {
            [_] => return,
            // In an abstract process what is missing is left open.
            [] if !self.is_executable() => return,
            [] => format!("the variable `{name}` has no type"),
            _ => format!("the variable `{name}` has several types"),
        };
        self.breaks(name);
        let label = "one of `messageType`, `type` and `element` is expected";
        self.report(&SA00025, message, variable.span(), label);
    }
}
